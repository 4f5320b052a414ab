/* fields/poisson/gpu_multigrid_equation.cuh - the equation that multigrid on a GPU solves, in double precision: the
 * residual, its sums, and the steps of conjugate gradients.  Only gpu_multigrid.cu includes it. */
#ifndef WN_FIELDS_POISSON_GPU_MULTIGRID_EQUATION_CUH
#define WN_FIELDS_POISSON_GPU_MULTIGRID_EQUATION_CUH
#include "fields/poisson/gpu_multigrid_march.cuh"
#include "physics/constants.h"

struct equation {
  struct view v; /* the finest grid */
  int64_t of_phi[3];
  int32_t nodes_of_phi[3];
  const double *measure[3], *over[3], *edge[3];
  const int32_t *giver; /* as arrays of v: -1 is unknown */
  double *x, *r, *p, *q, *volt, *partial, *scalar;
  int64_t size;   /* of x, with guards */
  int32_t blocks; /* of partial[2][blocks] */
  /* What cycles found and x lacks, times SCALE, as arrays of v. */
  float *kept[WN_MULTIGRID_KEPT];
};

enum { NOW, CHARGE, SCALE, ALPHA, BETA, BEFORE, RZ, TAKEN, SHARE, LEVEL };

static __device__ __forceinline__ double volume(const struct equation &e,
                                                const struct place &p)
{
  return e.measure[0][p.at[0]] * (e.measure[1][p.at[1]] * e.measure[2][p.at[2]]);
}

static __device__ __forceinline__ int64_t phi_of(const struct equation &e,
                                                 const int32_t at[3])
{
  return at[0] * e.of_phi[0] + at[1] * e.of_phi[1] + at[2] * e.of_phi[2];
}

/* The flux out of a node over eps0, of the potential x. */
static __device__ __forceinline__ double flux(const struct equation &e,
                                              const struct place &p, const double *x)
{
  const struct view &v = e.v;
  const double m[3] = {e.measure[0][p.at[0]], e.measure[1][p.at[1]],
                       e.measure[2][p.at[2]]},
               face[3] = {m[1] * m[2], m[0] * m[2], m[0] * m[1]};
  double sum = 0.0;
#pragma unroll
  for (int d = 0; d < 3; d++) {
    if (d >= v.dim)
      continue;
    double low = e.over[d][p.at[d]] * face[d], high = e.over[d][p.at[d] + 1] * face[d];
    if (e.edge[d] != NULL) {
      const int64_t at = phi_of(e, p.at);
      high *= e.edge[d][at];
      /* below node 0: round a periodic axis, or no flux */
      low *= e.edge[d][p.at[d] > 0 ? at - e.of_phi[d]
                                   : at + (e.nodes_of_phi[d] - 2) * e.of_phi[d]];
    }
    sum += low * (x[p.i] - x[below(v, p, d)]) + high * (x[p.i] - x[above(v, p, d)]);
  }
  return sum;
}

struct set_given {
  struct equation e;
  __device__ void operator()(uint32_t index) const
  {
    const struct place p = node_of(e.v, index);
    const int32_t from = e.giver[p.i];
    e.x[p.i] = from >= 0 ? e.volt[from] : 0.0;
  }
};

/* And elsewhere phi; 0 where there is no charge, as that is the solution, and phi would be measured by it. */
struct set_start {
  struct equation e;
  const double *phi;
  __device__ void operator()(uint32_t index) const
  {
    const struct place p = node_of(e.v, index);
    const int32_t from = e.giver[p.i];
    e.x[p.i] = from >= 0                ? e.volt[from]
               : e.scalar[CHARGE] > 0.0 ? phi[phi_of(e, p.at)]
                                        : 0.0;
  }
};

struct first_residual {
  struct equation e;
  const double *rho;
  __device__ void operator()(uint32_t index) const
  {
    const struct place p = node_of(e.v, index);
    e.r[p.i] = e.v.inverse[p.i] > 0.0f
                   ? (rho[phi_of(e, p.at)] - e.scalar[TAKEN]) / WN_EPS0 * volume(e, p) -
                         flux(e, p, e.x)
                   : 0.0;
  }
};

struct take_share {
  struct equation e;
  __device__ void operator()(uint32_t index) const
  {
    const struct place p = node_of(e.v, index);
    e.r[p.i] -= e.scalar[SHARE] * volume(e, p);
  }
};

struct to_floats {
  struct equation e;
  __device__ void operator()(uint32_t index) const
  {
    const struct place p = node_of(e.v, index);
    e.v.b[p.i] = (float)(e.r[p.i] * e.scalar[SCALE]);
  }
};

struct turn {
  struct equation e;
  __device__ void operator()(uint32_t index) const
  {
    const struct place p = node_of(e.v, index);
    e.p[p.i] = (double)e.v.e[p.i] + e.scalar[BETA] * e.p[p.i];
  }
};

/* x with the first n corrections that are kept. */
static __device__ __forceinline__ double corrected(const struct equation &e, int64_t i,
                                                   int n)
{
  double sum = 0.0;
  for (int k = 0; k < n; k++)
    sum += (double)e.kept[k][i];
  return n > 0 ? fma(sum, 1.0 / e.scalar[SCALE], e.x[i]) : e.x[i];
}

struct correct {
  struct equation e;
  int n;
  __device__ void operator()(uint32_t index) const
  {
    e.x[index] = corrected(e, index, n);
  }
};

/* All nodes of phi, with the copies of periodic axes. */
struct unload {
  struct equation e;
  double *phi;
  int n;
  __device__ void operator()(uint32_t index) const
  {
    int32_t at[3], from[3];
    uint32_t rest = index;
    for (int d = 0; d < 3; d++) {
      at[d] = (int32_t)(rest % (uint32_t)e.nodes_of_phi[d]);
      from[d] = at[d] == e.v.n[d] ? 0 : at[d];
      rest /= (uint32_t)e.nodes_of_phi[d];
    }
    phi[index] = corrected(e, place_of(e.v, from).i, n) - e.scalar[LEVEL];
  }
};

/* ---- sums: what each node gives to two, of all nodes */

enum sum {
  OF_RHO,
  OF_RESIDUAL,
  OF_CHARGE,
  OF_SQUARES,
  OF_CYCLE,
  OF_PRODUCT,
  OF_STEP,
  OF_DEFECT,
  OF_POTENTIAL
};

static __device__ __forceinline__ void
give(const struct equation &e, int what, const double *rho, uint32_t index, double sum[2])
{
  const struct place p = node_of(e.v, index);
  switch (what) {
  case OF_RHO:
    sum[0] += rho[phi_of(e, p.at)] * volume(e, p);
    sum[1] += volume(e, p);
    break;
  case OF_RESIDUAL:
    sum[0] += e.r[p.i];
    sum[1] += volume(e, p);
    break;
  case OF_CHARGE:
  case OF_SQUARES:
    sum[0] += e.r[p.i] * e.r[p.i] * (double)e.v.inverse[p.i];
    sum[1] += e.r[p.i] * e.r[p.i];
    break;
  case OF_CYCLE:
    sum[0] += e.r[p.i] * (double)e.v.e[p.i];
    sum[1] += e.q[p.i] * (double)e.v.e[p.i];
    break;
  case OF_PRODUCT: { /* and the product itself */
    const double f = e.v.inverse[p.i] > 0.0f ? flux(e, p, e.p) : 0.0;
    e.q[p.i] = f;
    sum[0] += e.p[p.i] * f;
    break;
  }
  case OF_STEP: { /* and the step itself */
    const double r = e.r[p.i] - e.scalar[ALPHA] * e.q[p.i];
    e.x[p.i] += e.scalar[ALPHA] * e.p[p.i];
    e.r[p.i] = r;
    e.v.b[p.i] = (float)(r * e.scalar[SCALE]); /* of the next cycle */
    sum[0] += r * r * (double)e.v.inverse[p.i];
    break;
  }
  default:
    sum[0] += e.x[p.i] * volume(e, p);
    sum[1] += volume(e, p);
  }
}

/* Both sums of a block, in thread 0, in a fixed order. */
static __device__ void sum_block(double sum[2])
{
  __shared__ double of_warp[2][32];
  const unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int k = 0; k < 2; k++) {
    for (unsigned int step = 16; step > 0; step /= 2)
      sum[k] += __shfl_down_sync(0xffffffffu, sum[k], step);
    if (lane == 0)
      of_warp[k][warp] = sum[k];
  }
  __syncthreads();
  if (threadIdx.x == 0)
    for (int k = 0; k < 2; k++) {
      sum[k] = 0.0;
      for (unsigned int w = 0; w < blockDim.x / 32; w++)
        sum[k] += of_warp[k][w];
    }
}

template <int what>
static __global__ void add_up(const __grid_constant__ struct equation e,
                              const double *rho, uint32_t n)
{
  double sum[2] = {0.0, 0.0};
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    give(e, what, rho, i, sum);
  sum_block(sum);
  if (threadIdx.x == 0)
    for (int k = 0; k < 2; k++)
      e.partial[k * e.blocks + blockIdx.x] = sum[k];
}

/* The sums of `blocks` blocks, and what follows from them; one block. */
static __global__ void conclude(const __grid_constant__ struct equation e, int what,
                                unsigned int blocks)
{
  double sum[2] = {0.0, 0.0};
  for (unsigned int i = threadIdx.x; i < blocks; i += blockDim.x)
    for (int k = 0; k < 2; k++)
      sum[k] += e.partial[k * e.blocks + i];
  sum_block(sum);
  if (threadIdx.x != 0)
    return;
  double *s = e.scalar;
  switch (what) {
  case OF_RHO:
    s[TAKEN] = sum[0] / sum[1];
    break;
  case OF_RESIDUAL:
    s[SHARE] = sum[0] / sum[1];
    break;
  case OF_CHARGE: /* of two, so that no bit of a float depends on it */
    s[NOW] = s[CHARGE] = sum[0];
    s[SCALE] = sum[1] > 0.0 ? ldexp(1.0, -ilogb(sum[1]) / 2) : 0.0;
    break;
  case OF_SQUARES:
    s[NOW] = sum[0];
    s[BEFORE] = 0.0;
    break;
  case OF_CYCLE:
    s[BETA] = s[BEFORE] != 0.0 ? -s[ALPHA] * sum[1] / s[BEFORE] : 0.0;
    s[RZ] = sum[0];
    break;
  case OF_PRODUCT:
    s[ALPHA] = s[RZ] / sum[0];
    s[BEFORE] = s[RZ];
    break;
  case OF_STEP:
    s[NOW] = sum[0];
    break;
  case OF_DEFECT:
    s[NOW] = s[SCALE] > 0.0 ? sum[0] / (s[SCALE] * s[SCALE]) : sum[0];
    break;
  default:
    s[LEVEL] = sum[0] / sum[1];
  }
}

/* ---- the residual, by lines of nodes */

#define DEFECT_THREADS WN_MULTIGRID_DEFECT
#define DEFECT_ROW     WN_MULTIGRID_DEFECT_ROW
#define DEFECT_BLOCKS  3 /* on a multiprocessor */

/* A line along the last axis: conductances but for the measure of the plane, low and high. */
struct exact_line {
  int is_inside;
  int32_t at; /* of the node in plane 0 */
  double x[2], y[2], own;
  float sum, measure, unknown; /* sum: of x and y; measure: own */
};

template <int DIM>
static __device__ __forceinline__ struct exact_line
exact_line_at(const struct equation &e, int32_t i, int32_t j)
{
  const struct view &v = e.v;
  struct exact_line c;
  c.is_inside = i < v.n[0] && (DIM < 3 || j < v.n[1]);
  c.at = (int32_t)v.first + i + (DIM == 3 ? j * (int32_t)v.step[1] : 0);
  c.x[0] = c.x[1] = c.y[0] = c.y[1] = c.own = 0.0;
  c.sum = c.measure = c.unknown = 0.0f;
  if (c.is_inside) {
    const double my = DIM == 3 ? e.measure[1][j] : 1.0;
    c.own = e.measure[0][i] * my;
    c.unknown = v.node[0][i].unknown * (DIM == 3 ? v.node[1][j].unknown : 1.0f);
    for (int high = 0; high < 2; high++) {
      c.x[high] = e.over[0][i + high] * my;
      if (DIM == 3)
        c.y[high] = e.over[1][j + high] * e.measure[0][i];
    }
    c.measure = (float)c.own;
    c.sum = (float)(c.x[0] + c.x[1] + (c.y[0] + c.y[1]));
  }
  return c;
}

/* From here to the neighbours along an axis, low and high; beyond an end no flux passes. */
static __device__ __forceinline__ int32_t to_neighbour(const struct view &v, int d,
                                                       int32_t at, int high)
{
  const int32_t step = (int32_t)v.step[d];
  if (v.wraps[d] && at == (high ? v.n[d] - 1 : 0))
    return (high ? -1 : 1) * (v.n[d] - 1) * step;
  return high ? step : -step;
}

/* The factor of the edge below or above a node. */
static __device__ __forceinline__ double factor(const struct equation &e, int d,
                                                const int32_t at[3], int high)
{
  if (e.edge[d] == NULL)
    return 1.0;
  const int64_t i = phi_of(e, at);
  return e.edge[d][high        ? i
                   : at[d] > 0 ? i - e.of_phi[d]
                               : i + (e.nodes_of_phi[d] - 2) * e.of_phi[d]];
}

/* Nodes of a block: threads have lines of `many` along the last axis. */
struct exact_part {
  struct exact_line line;
  int32_t i, j, first, end;
  int bits;
};

template <int DIM>
static __device__ __forceinline__ struct exact_part
exact_part_of(const struct equation &e, int32_t many)
{
  const struct view &v = e.v;
  constexpr int LAST = DIM - 1, BX = DIM == 3 ? DEFECT_ROW : DEFECT_THREADS;
  const int32_t corner[2] = {(int32_t)blockIdx.x * BX,
                             DIM == 3 ? (int32_t)blockIdx.y * (DEFECT_THREADS / BX) : 0};
  struct exact_part p;
  p.i = corner[0] + (int32_t)threadIdx.x % BX;
  p.j = DIM == 3 ? corner[1] + (int32_t)threadIdx.x / BX : 0;
  p.first = (int32_t)(gridDim.z - 1 - blockIdx.z) * many; /* backwards */
  p.end = min(p.first + many, v.n[LAST]);
  p.line = exact_line_at<DIM>(e, p.i, p.j);
  int32_t low[3] = {corner[0], corner[1], 0},
          high[3] = {corner[0] + BX - 1,
                     DIM == 3 ? corner[1] + DEFECT_THREADS / BX - 1 : 0, 0};
  low[LAST] = p.first;
  high[LAST] = p.end - 1;
  p.bits = bits_of(v, low, high, (int32_t)threadIdx.x, DEFECT_THREADS);
  return p;
}

/* The flux out of node (i, j, k) of a line, where x is `own` here and to[] beside it: along axis 0, along axis 1, along the
 * last, low and high each. */
template <int DIM, int HAS_FACTORS>
static __device__ __forceinline__ double flux_of(const struct equation &e,
                                                 const struct exact_part &p, int32_t k,
                                                 double own, const double to[6])
{
  constexpr int LAST = DIM - 1;
  const struct exact_line &c = p.line;
  const double m = e.measure[LAST][k], over[2] = {e.over[LAST][k], e.over[LAST][k + 1]};
  double f;
  if (HAS_FACTORS) {
    const int32_t node[3] = {p.i, DIM == 3 ? p.j : k, DIM == 3 ? k : 0};
    f = 0.0;
    for (int up = 0; up < 2; up++) {
      f += c.x[up] * m * factor(e, 0, node, up) * (own - to[up]);
      if (DIM == 3)
        f += c.y[up] * m * factor(e, 1, node, up) * (own - to[2 + up]);
      f += c.own * over[up] * factor(e, LAST, node, up) * (own - to[4 + up]);
    }
    return f;
  }
  f = fma(c.x[0], own - to[0], c.x[1] * (own - to[1]));
  if (DIM == 3)
    f = fma(c.y[0], own - to[2], fma(c.y[1], own - to[3], f));
  return fma(c.own, fma(over[0], own - to[4], over[1] * (own - to[5])), f * m);
}

/* 1 over the diagonal; 0 at nodes of given potential. */
static __device__ __forceinline__ float inverse_at(const struct view &v,
                                                   const struct exact_part &p, int last,
                                                   int32_t k, int32_t at)
{
  if (p.bits & WN_MULTIGRID_IRREGULAR)
    return __ldg(v.inverse + at);
  const struct along z = along_axis(v, last, k);
  return p.line.unknown * z.unknown > 0.0f
             ? __fdividef(1.0f, fmaf(p.line.sum, z.measure,
                                     p.line.measure * (z.below + z.above)))
             : 0.0f;
}

/* A potential: an array, or what is given, 0 elsewhere. */
struct of_array {
  const double *x;
  __device__ double operator()(int32_t at) const
  {
    return __ldg(x + at);
  }
};
struct of_given {
  const int32_t *giver;
  const double *volt;
  __device__ double operator()(int32_t at) const
  {
    const int32_t from = __ldg(giver + at);
    return from >= 0 ? volt[from] : 0.0;
  }
};

/* The residual of a potential, of a line: right-hand side less flux.  What of the next plane is in no cache is on its
 * way. */
template <int DIM, int HAS_FACTORS, class X>
static __device__ __forceinline__ void
residual_of(const struct equation &e, const double *rho, const X &x, double *r, float *b,
            const struct exact_part &p, double sum[2])
{
  constexpr int LAST = DIM - 1;
  const struct view &v = e.v;
  const int32_t start = p.line.at,
                beside[4] = {to_neighbour(v, 0, p.i, 0), to_neighbour(v, 0, p.i, 1),
                             DIM == 3 ? to_neighbour(v, 1, p.j, 0) : 0,
                             DIM == 3 ? to_neighbour(v, 1, p.j, 1) : 0};
  const double scale = e.scalar[SCALE], per_eps0 = p.line.own / WN_EPS0;
  const int32_t node[3] = {p.i, DIM == 3 ? p.j : p.first, DIM == 3 ? p.first : 0};
  const double *charge = rho + phi_of(e, node);
#define PLANE(k) (start + to_plane<DIM>(v, k))
  int32_t at = PLANE(p.first), at_next = PLANE(p.first + 1);
  double below = x(PLANE(p.first - 1)), own = x(at), above = x(at_next),
         rho_own = __ldg(charge);
#pragma unroll 2
  for (int32_t k = p.first; k < p.end; k++) {
    const int32_t at_later = PLANE(k + 2);
    const double later = x(at_later),
                 rho_next = k + 1 < p.end ? __ldg(charge += e.of_phi[LAST]) : 0.0;
    const double to[6] = {x(at + beside[0]),
                          x(at + beside[1]),
                          DIM == 3 ? x(at + beside[2]) : 0.0,
                          DIM == 3 ? x(at + beside[3]) : 0.0,
                          below,
                          above};
    const double f = flux_of<DIM, HAS_FACTORS>(e, p, k, own, to);
    const float inverse = inverse_at(v, p, LAST, k, at);
    const double left =
        inverse > 0.0f ? fma(rho_own, per_eps0 * e.measure[LAST][k], -f) : 0.0;
    if (r != NULL)
      r[at] = left;
    if (b != NULL)
      b[at] = (float)(left * scale);
    sum[0] += left * left * (double)inverse;
    sum[1] += left * left;
    below = own, own = above, above = later, rho_own = rho_next;
    at = at_next, at_next = at_later;
  }
#undef PLANE
}

/* Planes of what a cycle found, of a block and around it, some on their way, as struct ahead has them. */
template <int BX, int BY> struct found {
  float e[PLANES][(BY + 2) * (BX + 2)];
};

/* What a thread copies of a plane: its node, and one beside the block (halo_of). */
struct finder {
  int own, halo; /* numbers in a plane there */
  int32_t of_own,
      of_halo; /* places in plane 0; of those outside: of a node that there is */
  int bytes, halo_bytes, has_halo;
};

/* The place in plane 0 of a node that may be beyond an end, and 4; where there is none, that of another, and 0. */
template <int DIM>
static __device__ __forceinline__ int find_place(const struct view &v, int32_t i,
                                                 int32_t j, int32_t *place)
{
  i = wrapped(v, 0, i);
  j = DIM == 3 ? wrapped(v, 1, j) : 0;
  const int is_there = i >= 0 && i < v.n[0] && j >= 0 && j < v.n[1];
  *place =
      (int32_t)v.first + (is_there ? i + (DIM == 3 ? j * (int32_t)v.step[1] : 0) : 0);
  return is_there ? 4 : 0;
}

template <int DIM, int BX, int BY>
static __device__ __forceinline__ struct finder finder_of(const struct view &v,
                                                          const struct exact_part &p)
{
  const int tx = (int)threadIdx.x % BX, ty = (int)threadIdx.x / BX;
  int row, column;
  struct finder f;
  f.has_halo = halo_of<DIM, BX, BY>(tx, ty, &row, &column);
  f.own = (ty + 1) * (BX + 2) + tx + 1;
  f.halo = (row + 1) * (BX + 2) + column + 1;
  f.bytes = find_place<DIM>(v, p.i, p.j, &f.of_own);
  f.halo_bytes = find_place<DIM>(v, p.i - tx + column, p.j - ty + row, &f.of_halo);
  WN_KEEP_REGISTER(f.own);
  WN_KEEP_REGISTER(f.halo);
  return f;
}

template <int DIM, int BX, int BY>
static __device__ __forceinline__ void find_plane(const struct view &v,
                                                  const struct finder &f,
                                                  struct found<BX, BY> &to, int32_t k)
{
  const int32_t plane = to_plane<DIM>(v, k);
  float *e = to.e[k & (PLANES - 1)];
  wn_copy_ahead(e + f.own, v.e + (f.of_own + plane), f.bytes);
  if (f.has_halo)
    wn_copy_ahead(e + f.halo, v.e + (f.of_halo + plane), f.halo_bytes);
}

/* b less the flux of what a cycle found, of a line, and b D^-1 b; for all threads of a block.  Differences are exact in
 * double precision. */
template <int DIM, int BX, int BY, int HAS_FACTORS>
static __device__ __forceinline__ float
defect_of(const struct equation &e, const struct exact_part &p, struct found<BX, BY> &at)
{
  constexpr int LAST = DIM - 1, ROW = BX + 2;
  const struct view &v = e.v;
  const struct finder finder = finder_of<DIM, BX, BY>(v, p);
  const int32_t step = (int32_t)v.step[LAST];
  float of_line = 0.0f; /* of numbers near 1 at first, none is below 1e-8 of these */
  find_plane<DIM>(v, finder, at, p.first - 1);
  find_plane<DIM>(v, finder, at, p.first);
#pragma unroll
  for (int k = 0; k < AHEAD; k++) {
    find_plane<DIM>(v, finder, at, p.first + k + 1);
    wn_copies_end();
  }
  int32_t place = p.line.at + p.first * step;
  float b_own = 0.0f, b_next = 0.0f;
  if (p.line.is_inside) {
    b_own = v.b[place];
    b_next = v.b[place + step]; /* beyond an end a guard */
  }
#pragma unroll 2
  for (int32_t k = p.first; k < p.end; k++, place += step) {
    float b_later = 0.0f;
    if (p.line.is_inside && k + 2 < p.end)
      b_later = v.b[place + 2 * step];
    wn_copies_wait<AHEAD - 1>();
    __syncthreads();
    if (k + AHEAD < p.end)
      find_plane<DIM>(v, finder, at, k + AHEAD + 1);
    wn_copies_end();
    if (p.line.is_inside) {
      const float *here = at.e[k & (PLANES - 1)] + finder.own;
      const double to[6] = {(double)here[-1],
                            (double)here[1],
                            DIM == 3 ? (double)here[-ROW] : 0.0,
                            DIM == 3 ? (double)here[ROW] : 0.0,
                            (double)at.e[(k - 1) & (PLANES - 1)][finder.own],
                            (double)at.e[(k + 1) & (PLANES - 1)][finder.own]};
      const double f = flux_of<DIM, HAS_FACTORS>(e, p, k, (double)here[0], to);
      const float inverse = inverse_at(v, p, LAST, k, place),
                  b = inverse > 0.0f ? (float)((double)b_own - f) : 0.0f;
      v.b[place] = b;
      of_line = fmaf(b * inverse, b, of_line);
    }
    b_own = b_next, b_next = b_later;
  }
  return of_line;
}

/* The sums of all threads of a block to their place. */
static __device__ __forceinline__ void put_sums(const struct equation &e, double sum[2])
{
  __syncthreads();
  sum_block(sum);
  if (threadIdx.x == 0)
    for (int k = 0; k < 2; k++)
      e.partial[k * e.blocks + blockIdx.x +
                gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)] = sum[k];
}

/* Sums of r D^-1 r and r r of the residual of x; r, b: the residual and the same times SCALE, where not NULL. */
template <int DIM, class X>
static __global__ void __launch_bounds__(DEFECT_THREADS, DEFECT_BLOCKS)
    residual(const __grid_constant__ struct equation e, const double *rho, const X x,
             double *r, float *b, int32_t many)
{
  const struct exact_part p = exact_part_of<DIM>(e, many);
  double sum[2] = {0.0, 0.0};
  if (p.line.is_inside && p.bits & WN_MULTIGRID_FACTOR)
    residual_of<DIM, 1>(e, rho, x, r, b, p, sum);
  else if (p.line.is_inside)
    residual_of<DIM, 0>(e, rho, x, r, b, p, sum);
  put_sums(e, sum);
}

template <int DIM>
static __global__ void __launch_bounds__(DEFECT_THREADS, DEFECT_BLOCKS)
    defect(const __grid_constant__ struct equation e, int32_t many)
{
  constexpr int BX = DIM == 3 ? DEFECT_ROW : DEFECT_THREADS, BY = DEFECT_THREADS / BX;
  __shared__ struct found<BX, BY> at;
  const struct exact_part p = exact_part_of<DIM>(e, many);
  double sum[2] = {0.0, 0.0};
  if (p.bits & WN_MULTIGRID_FACTOR)
    sum[0] = (double)defect_of<DIM, BX, BY, 1>(e, p, at);
  else
    sum[0] = (double)defect_of<DIM, BX, BY, 0>(e, p, at);
  put_sums(e, sum);
}

#endif
