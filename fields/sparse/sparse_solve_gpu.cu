/* fields/sparse/sparse_solve_gpu.cu - from the quanta of the parents to E on the full grid: see sparse_gpu.h.
 * All components go through each kernel together, one thread, or warp, a node.  Poisson's equation is solved by
 * modes along each axis, as in fields/poisson/modes.c, by products with a matrix of a level: components have few
 * nodes, of which the axes have at most 2^10. */
#include "fields/poisson/parts.h"
#include "fields/poisson/stencil.h"
#include "fields/sparse/sparse_gpu.cuh"
#include "physics/constants.h"

/* Of the components, on the device. */
struct grids {
  const struct wn_component *c;
  const uint8_t *owner;
};

/* A node of a component. */
struct place {
  int32_t c;
  int32_t at[3];   /* 0 beyond dim */
  int32_t step[3]; /* to the next node */
  uint32_t first;  /* node of the component */
};

/* Node i of all. */
template <int dim>
static __device__ __forceinline__ struct place place_of(const struct grids &g, uint32_t i,
                                                        const struct wn_component **of)
{
  struct place p = {};
  p.c = g.owner[i];
  *of = &g.c[p.c];
  p.first = (uint32_t)(*of)->first;
  uint32_t rest = i - p.first;
  int32_t step = 1;
#pragma unroll
  for (int d = 0; d < dim; d++) {
    const uint32_t n = (1u << (*of)->level[d]) + 1u, above = rest / n;
    p.at[d] = (int32_t)(rest - above * n);
    p.step[d] = step;
    step *= (int32_t)n;
    rest = above;
  }
  return p;
}

/* ---- rho */

struct charge_args {
  struct wn_sparse_shape s;
  struct grids g;
  const int64_t *quanta;
  const double *of_one;
  double background, volt[6];
  int is_spectral;
  double *rho, *work;
  unsigned long long *misfits;
};

/* The quanta of a node of a component: those of its parent's nodes, each with the part that the linear shape of
 * the node has there, in units of 2^-(sum of k), as integers; k: levels between parent and component.  By a warp;
 * in all lanes.  low: the lower 32 bits of each sum, and high the others. */
template <int dim>
static __device__ __forceinline__ double
restricted(const struct charge_args &a, const struct wn_component &c,
           const int32_t node[3], const int64_t *quanta)
{
  const struct wn_sparse_target &p = a.s.parent[c.parent];
  const unsigned int lane = threadIdx.x % 32;
  int32_t k[3] = {0, 0, 0}, bits[3] = {0, 0, 0}, center[3] = {0, 0, 0}, all = 0;
  int32_t down = 0;
#pragma unroll
  for (int d = 0; d < dim; d++) {
    k[d] = p.level[d] - c.level[d];
    bits[d] = k[d] > 0 ? k[d] + 1 : 0;
    center[d] = node[d] << k[d];
    all += bits[d];
    down += k[d];
  }
  uint64_t low = 0, high = 0;
  for (uint32_t t = lane; t < 1u << all; t += 32) {
    uint32_t rest = t, i = (uint32_t)p.first, w = 1;
    bool is_in = true;
#pragma unroll
    for (int d = 0; d < dim; d++) {
      const int32_t half = k[d] > 0 ? 1 << k[d] : 0;
      const int32_t off = (int32_t)(rest & ((1u << bits[d]) - 1u)) - half;
      int32_t at = center[d] + off;
      rest >>= bits[d];
      w *= (uint32_t)((1 << k[d]) - (off < 0 ? -off : off));
      if (a.s.is_periodic[d])
        at &= p.last[d]; /* 2^level nodes */
      else
        is_in &= at >= 0 && at <= p.last[d];
      i += (uint32_t)(at * p.step[d]);
    }
    if (is_in && w != 0) {
      const uint64_t q = (uint64_t)quanta[i];
      low += (q & 0xffffffffu) * w;
      high += (q >> 32) * w;
    }
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    low += __shfl_xor_sync(0xffffffffu, low, offset);
    high += __shfl_xor_sync(0xffffffffu, high, offset);
  }
  high += low >> 32;
  low &= 0xffffffffu;
  return scalbn(fma((double)high, 0x1p32, (double)low), -down);
}

/* What Dirichlet sides beside the node add to the right-hand side of the equation by differences. */
template <int dim>
static __device__ __forceinline__ double beside_walls(const struct charge_args &a,
                                                      const struct wn_component &c,
                                                      const int32_t at[3])
{
  double sum = 0.0;
#pragma unroll
  for (int d = 0; d < dim; d++) {
    const int32_t cells = 1 << c.level[d];
    const double per_h = scalbn(a.s.per_h[d], c.level[d] - a.s.n);
    for (int high = 0; high < 2; high++)
      if (a.s.nodes.side[2 * d + high] == WN_DIRICHLET && at[d] == (high ? cells - 1 : 1))
        sum += a.volt[2 * d + high] * (per_h * per_h);
  }
  return sum;
}

/* One warp = one node of a component at a time.  Reads the parent's nodes below its shape, 8 bytes each, out of
 * the level-2 cache; writes rho and the right-hand side. */
template <int dim>
static __global__ void charge_kernel(const __grid_constant__ struct charge_args a)
{
  wn_gpu_after_others();
  const uint32_t warps = gridDim.x * (WN_SPARSE_BLOCK / 32);
  for (uint32_t i = blockIdx.x * (WN_SPARSE_BLOCK / 32) + threadIdx.x / 32;
       i < a.s.n_nodes; i += warps) {
    const struct wn_component *c;
    const struct place p = place_of<dim>(a.g, i, &c);
    int32_t node[3] = {0, 0, 0}, halves = 0, is_end = 0;
#pragma unroll
    for (int d = 0; d < dim; d++) {
      const int32_t cells = 1 << c->level[d];
      const bool end = !a.s.is_periodic[d] && (p.at[d] == 0 || p.at[d] == cells);
      node[d] = a.s.is_periodic[d] ? p.at[d] & (cells - 1) : p.at[d];
      halves += d > 0 && end;
      is_end |= d == 0 && end;
    }
    double rho = 0.0;
    for (int k = 0; k < a.s.n_species; k++) {
      const double q = restricted<dim>(a, *c, node, a.quanta + (size_t)k * a.s.n_quanta);
      if (threadIdx.x % 32 == 0 && !(q < 0x1p62))
        atomicAdd(a.misfits, 1ull);
      rho += a.of_one[((size_t)p.c * (size_t)a.s.n_species + (size_t)k) * 3 +
                      (size_t)halves] *
             q;
    }
    rho *= is_end ? 2.0 : 1.0;
    rho = a.background != 0.0 ? rho + a.background : rho;
    if (threadIdx.x % 32 == 0) {
      a.rho[i] = rho;
      a.work[i] = rho / WN_EPS0 + (a.is_spectral ? 0.0 : beside_walls<dim>(a, *c, p.at));
    }
  }
}

/* ---- phi */

struct product_args {
  struct wn_sparse_shape s;
  struct grids g;
  struct wn_sparse_axis axis[3];
  const double *from;
  double *to;
  int32_t d;          /* along this axis */
  int32_t is_forward; /* to modes */
  int32_t divides;    /* by the eigenvalues, after that */
  int32_t closes;     /* all nodes, those of sides and copies too */
  int32_t floating;
  double volt[6];
  struct wn_poisson_lift lift;
};

/* Minus the eigenvalue of a mode, 1/m2. */
template <int dim>
static __device__ __forceinline__ double eigenvalue(const struct product_args &a,
                                                    const struct wn_component &c,
                                                    const int32_t at[3])
{
  double sum = 0.0;
#pragma unroll
  for (int d = 0; d < dim; d++) {
    const double root =
        a.axis[d]
            .root[wn_sparse_roots_at(c.level[d]) + (uint32_t)(at[d] - a.axis[d].first)] *
        scalbn(a.s.per_h[d], c.level[d] - a.s.n);
    sum += root * root;
  }
  return sum;
}

/* One thread = one node, or mode, of a component at a time: the product of a row of the matrix and the nodes
 * along the axis.  Reads 16 bytes a term out of the caches. */
template <int dim>
static __global__ void product_kernel(const __grid_constant__ struct product_args a)
{
  wn_gpu_after_others();
  for (uint32_t i = blockIdx.x * WN_SPARSE_BLOCK + threadIdx.x; i < a.s.n_nodes;
       i += gridDim.x * WN_SPARSE_BLOCK) {
    const struct wn_component *c;
    const struct place p = place_of<dim>(a.g, i, &c);
    int32_t at[3] = {0, 0, 0};
    double given = 0.0, lifted = 0.0;
    bool is_given = false, is_unknown = true;
#pragma unroll
    for (int d = 0; d < dim; d++) {
      const int32_t cells = 1 << c->level[d];
      at[d] = p.at[d];
      if (a.closes && a.s.is_periodic[d])
        at[d] &= cells - 1;
      for (int high = 0; high < 2; high++)
        if (a.closes && !is_given && at[d] == (high ? cells : 0) &&
            a.s.nodes.side[2 * d + high] == WN_DIRICHLET) {
          is_given = true;
          given = a.volt[2 * d + high];
        }
      if (d == a.lift.axis)
        lifted = a.lift.low + a.lift.rise * ((double)at[d] / (double)cells);
      is_unknown &=
          at[d] >= a.axis[d].first && at[d] < a.axis[d].first + cells + a.axis[d].missing;
    }
    if (!is_unknown) {
      if (is_given)
        a.to[i] = given;
      continue;
    }
    const struct wn_sparse_axis &axis = a.axis[a.d];
    int32_t own = 0, level = 0, step = 0, line = (int32_t)p.first;
#pragma unroll
    for (int d = 0; d < dim; d++) {
      if (d == a.d) {
        own = at[d] - axis.first;
        level = c->level[d];
        step = p.step[d];
        line += axis.first * step;
      } else {
        line += at[d] * p.step[d];
      }
    }
    const int32_t n = (1 << level) + axis.missing;
    const double *row =
        (a.is_forward ? axis.forward : axis.back) + wn_sparse_matrix_at(level) + own;
    const double *from = a.from + line;
    double sum = 0.0;
#pragma unroll 4
    for (int32_t j = 0; j < n; j++)
      sum = fma(row[j * n], from[j * step], sum);
    if (a.divides) {
      const double by = eigenvalue<dim>(a, *c, at);
      sum = a.floating && by == 0.0 ? 0.0 : sum / by;
    }
    a.to[i] = a.closes ? sum + lifted : sum;
  }
}

/* ---- E */

struct e_args {
  struct wn_sparse_shape s;
  struct grids g;
  struct wn_sparse_axis axis[3];
  const double *phi;
  double *e; /* [dim][n_nodes] */
};

/* One thread = one node of a component and an axis at a time: E along it, as wn_poisson_field. */
template <int dim>
static __global__ void e_kernel(const __grid_constant__ struct e_args a)
{
  wn_gpu_after_others();
  for (uint32_t m = blockIdx.x * WN_SPARSE_BLOCK + threadIdx.x; m < a.s.n_nodes * dim;
       m += gridDim.x * WN_SPARSE_BLOCK) {
    const int32_t axis = (int32_t)(m / a.s.n_nodes);
    const uint32_t i = m - (uint32_t)axis * a.s.n_nodes;
    const struct wn_component *c;
    const struct place p = place_of<dim>(a.g, i, &c);
    int32_t at = 0, level = 0, step = 0;
    const double *slope = NULL;
    double per_h = 0.0;
#pragma unroll
    for (int d = 0; d < dim; d++)
      if (d == axis) {
        at = p.at[d];
        level = c->level[d];
        step = p.step[d];
        per_h = scalbn(a.s.per_h[d], level - a.s.n);
        slope = a.axis[d].slope;
      }
    const int32_t cells = 1 << level;
    const double *line = a.phi + i - at * step;
    if (slope == NULL) {
      const struct wn_poisson_stencil w = wn_poisson_stencil_at(
          cells, per_h, a.s.nodes.side[2 * axis], a.s.nodes.side[2 * axis + 1], 0, at);
      a.e[m] = wn_poisson_stencil_of(&w, step, line);
      continue;
    }
    const double *row = slope + wn_sparse_matrix_at(level) + (at & (cells - 1));
    double sum = 0.0;
#pragma unroll 4
    for (int32_t j = 0; j < cells; j++)
      sum = fma(row[j * cells], line[j * step], sum);
    a.e[m] = sum * per_h;
  }
}

/* ---- onto the parents, and these onto the full grid */

struct parent_args {
  struct wn_sparse_shape s;
  const struct wn_component *c;
  const double *e;
  double *parent_e; /* [n_parent_nodes][dim] */
  float *floats;    /* at the particle, in its place: [n_parent_nodes][stride] */
};

/* One thread = one node of a parent at a time: the sum over its components of the coefficient times the
 * multilinear interpolation of E.  Reads up to 8 nodes of each, out of the caches. */
template <int dim, bool at_particle>
static __global__ void parent_kernel(const __grid_constant__ struct parent_args a)
{
  wn_gpu_after_others();
  for (uint32_t i = blockIdx.x * WN_SPARSE_BLOCK + threadIdx.x; i < a.s.n_parent_nodes;
       i += gridDim.x * WN_SPARSE_BLOCK) {
    int32_t of = 0, at[3] = {0, 0, 0};
    while (of + 1 < a.s.n_parents && i >= (uint32_t)a.s.parent[of + 1].first_e)
      of++;
    const struct wn_sparse_target &p = a.s.parent[of];
    uint32_t rest = i - (uint32_t)p.first_e;
#pragma unroll
    for (int d = 0; d < dim; d++) {
      const uint32_t n = (1u << p.level[d]) + 1u, above = rest / n;
      at[d] = (int32_t)(rest - above * n);
      rest = above;
    }
    double sum[dim];
#pragma unroll
    for (int d = 0; d < dim; d++)
      sum[d] = 0.0;
    for (int32_t m = 0; m < a.s.n_components; m++) {
      const struct wn_component *c = &a.c[m];
      if (c->parent != of)
        continue;
      uint32_t first = (uint32_t)c->first, n = 1, step[3] = {0, 0, 0};
      double part[3] = {0.0, 0.0, 0.0};
#pragma unroll
      for (int d = 0; d < dim; d++) {
        const int32_t k = p.level[d] - c->level[d], low = at[d] >> k;
        part[d] = scalbn((double)(at[d] - (low << k)), -k);
        step[d] = part[d] > 0.0 ? n : 0;
        first += (uint32_t)low * n;
        n *= (1u << c->level[d]) + 1u;
      }
#pragma unroll
      for (int k = 0; k < 1 << dim; k++) {
        double w = (double)c->coefficient;
        uint32_t node = first;
#pragma unroll
        for (int d = 0; d < dim; d++) {
          w *= k >> d & 1 ? part[d] : 1.0 - part[d];
          node += k >> d & 1 ? step[d] : 0;
        }
        if (w != 0.0)
#pragma unroll
          for (int d = 0; d < dim; d++)
            sum[d] = fma(w, a.e[(size_t)d * a.s.n_nodes + node], sum[d]);
      }
    }
    if constexpr (!at_particle) {
#pragma unroll
      for (int d = 0; d < dim; d++)
        a.parent_e[(size_t)i * dim + d] = sum[d];
    } else if constexpr (dim == 3) {
      ((float4 *)a.floats)[i] =
          make_float4((float)sum[0], (float)sum[1], (float)sum[2], 0.0f);
    } else {
      ((float2 *)a.floats)[i] = make_float2((float)sum[0], (float)sum[1]);
    }
  }
}

struct full_args {
  struct wn_sparse_shape s;
  const double *parent_e;
  float *e;
  int32_t along; /* nodes of a row with guards */
  int32_t most;  /* of a row of a parent */
};

/* One block = one row along x of the full grid at a time, guards included.  The parents' E between their rows
 * goes into shared memory, from there to the nodes of the row.  Reads parents out of the level-2 cache, writes
 * 4 bytes a component and node (16 in three dimensions). */
template <int dim>
static __global__ void full_kernel(const __grid_constant__ struct full_args a)
{
  extern __shared__ double row[]; /* [n_parents][most][dim] */
  const struct wn_grid_view *g = &a.s.nodes.grid;
  const int32_t wide_y = g->cells[1] + 1 + 2 * WN_GRID_GUARD,
                rows = dim > 2 ? wide_y * (g->cells[2] + 1 + 2 * WN_GRID_GUARD) : wide_y;
  wn_gpu_after_others();
  for (int32_t r = (int32_t)blockIdx.x; r < rows; r += (int32_t)gridDim.x) {
    int32_t at[3] = {0, 0, 0}, sign[3] = {1, 1, 1};
    const int32_t index[3] = {0, dim > 2 ? r % wide_y : r, dim > 2 ? r / wide_y : 0};
#pragma unroll
    for (int d = 1; d < dim; d++) {
      int turned = 1;
      at[d] =
          (int32_t)wn_nodes_beyond(&a.s.nodes, d, index[d] - WN_GRID_GUARD, 0, &turned);
      sign[d] = turned;
    }
    for (int32_t of = 0; of < a.s.n_parents; of++) {
      const struct wn_sparse_target &p = a.s.parent[of];
      const int32_t n_x = (1 << p.level[0]) + 1;
      int32_t first = p.first_e * dim, n = n_x * dim, step[3] = {0, 0, 0};
      double part[3] = {0.0, 0.0, 0.0};
#pragma unroll
      for (int d = 1; d < dim; d++) {
        const int32_t k = a.s.n - p.level[d], low = at[d] >> k;
        part[d] = scalbn((double)(at[d] - (low << k)), -k);
        step[d] = part[d] > 0.0 ? n : 0;
        first += low * n;
        n *= (1 << p.level[d]) + 1;
      }
      for (int32_t i = (int32_t)threadIdx.x; i < n_x * dim; i += (int32_t)blockDim.x) {
        const double *from = a.parent_e + first + i;
        double v = from[0] + part[1] * (from[step[1]] - from[0]);
        if (dim > 2 && step[dim - 1] != 0) {
          const double *up = from + step[dim - 1];
          v += part[dim - 1] * (up[0] + part[1] * (up[step[1]] - up[0]) - v);
        }
        row[of * a.most * dim + i] = v;
      }
    }
    __syncthreads();
    for (int32_t i = (int32_t)threadIdx.x; i < a.along; i += (int32_t)blockDim.x) {
      int turned = 1;
      const int32_t x =
          (int32_t)wn_nodes_beyond(&a.s.nodes, 0, i - WN_GRID_GUARD, 0, &turned);
      double v[3] = {0.0, 0.0, 0.0};
      for (int32_t of = 0; of < a.s.n_parents; of++) {
        const int32_t k = a.s.n - a.s.parent[of].level[0], low = x >> k;
        const double part = scalbn((double)(x - (low << k)), -k);
        const double *from = row + (of * a.most + low) * dim;
#pragma unroll
        for (int d = 0; d < dim; d++)
          v[d] += part > 0.0 ? from[d] + part * (from[dim + d] - from[d]) : from[d];
      }
      const float f[3] = {(float)(turned * v[0]), (float)(sign[1] * v[1]),
                          (float)(sign[2] * v[2])};
      float *to = a.e + ((size_t)r * (size_t)a.along + (size_t)i) * (dim == 3 ? 4 : dim);
      if (dim == 3)
        *(float4 *)to = make_float4(f[0], f[1], f[2], 0.0f);
      else
        *(float2 *)to = make_float2(f[0], f[1]);
    }
    __syncthreads();
  }
}

/* ---- launches */

/* One of two kernels, by the dimension; it begins with wn_gpu_after_others. */
template <class Args>
static int launch(const struct wn_gpu *g, const char *what, int dim, void (*two)(Args),
                  void (*three)(Args), unsigned int blocks, unsigned int threads,
                  size_t shared, const Args &args)
{
  return wn_gpu_launch_early(g, what, dim == 2 ? two : three, blocks, threads, shared,
                             args);
}

static unsigned int blocks_of(const struct wn_gpu *g, size_t threads)
{
  return wn_gpu_stride_blocks(g, threads);
}

static int charge(struct wn_sparse_gpu *f, double background, const double volt[6])
{
  struct charge_args a = {};
  a.s = f->shape;
  a.g = {f->component, f->owner};
  a.quanta = f->quanta;
  a.of_one = f->of_one;
  a.background = background;
  for (int i = 0; i < 6; i++)
    a.volt[i] = volt[i];
  a.is_spectral = f->poisson.method == WN_POISSON_SPECTRAL;
  a.rho = f->rho;
  a.work = f->work[0];
  a.misfits = (unsigned long long *)f->misfits;
  return launch(f->gpu, "charge of the components", f->shape.dim, charge_kernel<2>,
                charge_kernel<3>, blocks_of(f->gpu, 32 * (size_t)f->shape.n_nodes),
                WN_SPARSE_BLOCK, 0, a);
}

static int potential(struct wn_sparse_gpu *f, const double volt[6])
{
  struct product_args a = {};
  const int dim = f->shape.dim;
  int from = 0;
  WN_TRY(wn_poisson_lift(&f->poisson, volt, &a.lift));
  a.s = f->shape;
  a.g = {f->component, f->owner};
  for (int d = 0; d < 3; d++)
    a.axis[d] = f->axis[d];
  a.floating = wn_poisson_is_floating(&f->poisson);
  for (int i = 0; i < 6; i++)
    a.volt[i] = volt[i];
  for (int pass = 0; pass < 2 * dim; pass++, from = 1 - from) {
    a.is_forward = pass < dim;
    a.d = a.is_forward ? pass : 2 * dim - 1 - pass;
    a.divides = pass == dim - 1;
    a.closes = pass == 2 * dim - 1;
    a.from = f->work[from];
    a.to = a.closes ? f->phi : f->work[1 - from];
    WN_TRY(launch(f->gpu, "potential of the components", dim, product_kernel<2>,
                  product_kernel<3>, blocks_of(f->gpu, f->shape.n_nodes), WN_SPARSE_BLOCK,
                  0, a));
  }
  return WN_OK;
}

static int field_of_components(struct wn_sparse_gpu *f)
{
  struct e_args a = {};
  a.s = f->shape;
  a.g = {f->component, f->owner};
  for (int d = 0; d < 3; d++)
    a.axis[d] = f->axis[d];
  a.phi = f->phi;
  a.e = f->e;
  return launch(f->gpu, "field of the components", f->shape.dim, e_kernel<2>, e_kernel<3>,
                blocks_of(f->gpu, (size_t)f->shape.n_nodes * (size_t)f->shape.dim),
                WN_SPARSE_BLOCK, 0, a);
}

int wn_sparse_gpu_combine(struct wn_sparse_gpu *f)
{
  WN_TRY(wn_gpu_use(f->gpu));
  const struct wn_sparse_shape *s = &f->shape;
  const struct wn_grid_view *g = &s->nodes.grid;
  const int at_particle = f->at == WN_SPARSE_PARTICLE;
  struct parent_args a = {*s, f->component, f->e, f->parent_e, f->floats};
  struct full_args b = {*s, f->parent_e, f->floats, 0, 0};
  WN_TRY(launch(f->gpu, "field of the parents", s->dim,
                at_particle ? parent_kernel<2, true> : parent_kernel<2, false>,
                at_particle ? parent_kernel<3, true> : parent_kernel<3, false>,
                blocks_of(f->gpu, s->n_parent_nodes), WN_SPARSE_BLOCK, 0, a));
  if (at_particle)
    return WN_OK;
  b.along = g->cells[0] + 1 + 2 * WN_GRID_GUARD;
  for (int p = 0; p < s->n_parents; p++)
    b.most = b.most > (1 << s->parent[p].level[0]) + 1 ? b.most
                                                       : (1 << s->parent[p].level[0]) + 1;
  const int64_t rows = wn_grid_nodes(g) / b.along;
  const unsigned int most = (unsigned int)f->gpu->multiprocessors * 16;
  const size_t shared = (size_t)(s->n_parents * b.most * s->dim) * sizeof(double);
  WN_TRY(wn_gpu_check(
      (int)cudaFuncSetAttribute(s->dim == 2 ? (const void *)full_kernel<2>
                                            : (const void *)full_kernel<3>,
                                cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared),
      "field"));
  return launch(f->gpu, "field", s->dim, full_kernel<2>, full_kernel<3>,
                rows < (int64_t)most ? (unsigned int)rows : most, 128, shared, b);
}

int wn_sparse_gpu_solve(struct wn_sparse_gpu *f, double background, const double volt[6])
{
  WN_TRY(wn_gpu_use(f->gpu));
  WN_TRY(charge(f, background, volt));
  WN_TRY(potential(f, volt));
  return field_of_components(f);
}
