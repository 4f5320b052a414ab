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
  int32_t blocks; /* of partial[2][blocks] */
};

enum { NOW, SCALE, ALPHA, BETA, BEFORE, RZ, TAKEN, SHARE, LEVEL };

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

/* And elsewhere phi. */
struct set_start {
  struct equation e;
  const double *phi;
  __device__ void operator()(uint32_t index) const
  {
    const struct place p = node_of(e.v, index);
    const int32_t from = e.giver[p.i];
    e.x[p.i] = from >= 0 ? e.volt[from] : phi[phi_of(e, p.at)];
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

/* All nodes of phi, with the copies of periodic axes. */
struct unload {
  struct equation e;
  double *phi;
  __device__ void operator()(uint32_t index) const
  {
    int32_t at[3], from[3];
    uint32_t rest = index;
    for (int d = 0; d < 3; d++) {
      at[d] = (int32_t)(rest % (uint32_t)e.nodes_of_phi[d]);
      from[d] = at[d] % e.v.n[d];
      rest /= (uint32_t)e.nodes_of_phi[d];
    }
    phi[index] = e.x[place_of(e.v, from).i] - e.scalar[LEVEL];
  }
};

/* ---- sums: what each node gives to two, of all nodes */

enum sum {
  OF_RHO,
  OF_RESIDUAL,
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
  case OF_SQUARES:
    s[NOW] = sum[0];
    s[SCALE] = sum[1] > 0.0 ? rsqrt(sum[1]) : 0.0;
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
  float sum, unknown;
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
  c.sum = c.unknown = 0.0f;
  if (c.is_inside) {
    const double my = DIM == 3 ? e.measure[1][j] : 1.0;
    c.own = e.measure[0][i] * my;
    c.unknown = v.node[0][i].unknown * (DIM == 3 ? v.node[1][j].unknown : 1.0f);
    for (int high = 0; high < 2; high++) {
      c.x[high] = e.over[0][i + high] * my;
      if (DIM == 3)
        c.y[high] = e.over[1][j + high] * e.measure[0][i];
    }
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

/* What a kernel that finds the residual does with a thread's line from plane `first` on.  What it needs of the next
 * plane is on its way while it works on one. */
template <int DIM, int IS_FIRST, int HAS_FACTORS>
static __device__ __forceinline__ void
defect_of(const struct equation &e, const double *rho, const struct exact_line &c,
          int32_t i, int32_t j, int32_t first, int32_t end, int is_irregular,
          double sum[2])
{
  constexpr int LAST = DIM - 1;
  const struct view &v = e.v;
  const int32_t step = (int32_t)v.step[LAST],
                x[2] = {to_neighbour(v, 0, i, 0), to_neighbour(v, 0, i, 1)},
                y[2] = {DIM == 3 ? to_neighbour(v, 1, j, 0) : 0,
                        DIM == 3 ? to_neighbour(v, 1, j, 1) : 0};
  const double scale = e.scalar[SCALE], per_scale = scale > 0.0 ? 1.0 / scale : 0.0;
  float of_line =
      0.0f; /* b D^-1 b; of numbers near 1 at first, none is below 1e-8 of these */
  int32_t at = c.at + first * step;
  /* not written by this kernel: loads of a plane need not wait for stores of that before */
#define VALUE(place) (IS_FIRST ? __ldg(e.x + (place)) : (double)__ldg(v.e + (place)))
  double below = VALUE(at + to_neighbour(v, LAST, first, 0)), own = VALUE(at),
         above = VALUE(at + to_neighbour(v, LAST, first, 1)), x_own = 0.0;
  float b_own = 0.0f;
  if (!IS_FIRST) {
    x_own = e.x[at];
    b_own = v.b[at];
  }
#pragma unroll 2
  for (int32_t k = first; k < end; k++) {
    double after = 0.0, x_next = 0.0;
    float b_next = 0.0f;
    if (k + 1 < end) {
      after = VALUE(at + step + to_neighbour(v, LAST, k + 1, 1));
      if (!IS_FIRST) {
        x_next = e.x[at + step];
        b_next = v.b[at + step];
      }
    }
    const double to[4] = {VALUE(at + x[0]), VALUE(at + x[1]),
                          DIM == 3 ? VALUE(at + y[0]) : 0.0,
                          DIM == 3 ? VALUE(at + y[1]) : 0.0};
    const double m = e.measure[LAST][k], over[2] = {e.over[LAST][k], e.over[LAST][k + 1]};
    const int32_t node[3] = {i, DIM == 3 ? j : k, DIM == 3 ? k : 0};
    double f;
    float inverse = 0.0f;
    if (HAS_FACTORS) {
      f = 0.0;
      for (int up = 0; up < 2; up++) {
        f += c.x[up] * m * factor(e, 0, node, up) * (own - to[up]);
        if (DIM == 3)
          f += c.y[up] * m * factor(e, 1, node, up) * (own - to[2 + up]);
        f += c.own * over[up] * factor(e, LAST, node, up) * (own - (up ? above : below));
      }
    } else {
      f = fma(c.x[0], own - to[0], c.x[1] * (own - to[1]));
      if (DIM == 3)
        f = fma(c.y[0], own - to[2], fma(c.y[1], own - to[3], f));
      f = fma(c.own, fma(over[0], own - below, over[1] * (own - above)), f * m);
    }
    if (is_irregular)
      inverse = v.inverse[at];
    else if (c.unknown * v.node[LAST][k].unknown > 0.0f)
      inverse = __fdividef(
          1.0f, fmaf(c.sum, (float)m, (float)c.own * (float)(over[0] + over[1])));
    if (IS_FIRST) {
      const double r =
          inverse > 0.0f
              ? (rho[phi_of(e, node)] - e.scalar[TAKEN]) / WN_EPS0 * (c.own * m) - f
              : 0.0;
      e.r[at] = r;
      sum[0] += r * r * (double)inverse;
      sum[1] += r * r;
    } else {
      const float b = inverse > 0.0f ? (float)((double)b_own - f) : 0.0f;
      v.b[at] = b;
      e.x[at] = fma(own, per_scale, x_own);
      of_line = fmaf(b * inverse, b, of_line);
    }
    below = own, own = above, above = after, at += step;
    x_own = x_next, b_own = b_next;
  }
#undef VALUE
  sum[0] += (double)of_line;
}

/* IS_FIRST: r = right-hand side less the flux of x, and sums of r D^-1 r and r r.  Else x += e, b -= the flux of e, with
 * b D^-1 b.  A thread has a line of `many` nodes along the last axis. */
template <int DIM, int IS_FIRST>
static __global__ void __launch_bounds__(DEFECT_THREADS, DEFECT_BLOCKS)
    defect(const __grid_constant__ struct equation e, const double *rho, int32_t many)
{
  constexpr int LAST = DIM - 1, BX = DIM == 3 ? DEFECT_ROW : DEFECT_THREADS;
  const struct view &v = e.v;
  const int32_t i = (int32_t)blockIdx.x * BX + (int32_t)threadIdx.x % BX,
                j = DIM == 3 ? (int32_t)blockIdx.y * (DEFECT_THREADS / BX) +
                                   (int32_t)threadIdx.x / BX
                             : 0,
                first = (int32_t)(gridDim.z - 1 - blockIdx.z) * many, /* backwards */
      end = min(first + many, v.n[LAST]);
  const struct exact_line c = exact_line_at<DIM>(e, i, j);
  int32_t low[3] = {(int32_t)blockIdx.x * BX,
                    DIM == 3 ? (int32_t)blockIdx.y * (DEFECT_THREADS / BX) : 0, 0},
          high[3] = {low[0] + BX - 1, DIM == 3 ? low[1] + DEFECT_THREADS / BX - 1 : 0, 0};
  low[LAST] = first;
  high[LAST] = end - 1;
  const int bits = bits_of(v, low, high, (int32_t)threadIdx.x, DEFECT_THREADS),
            is_irregular = bits & WN_MULTIGRID_IRREGULAR;
  double sum[2] = {0.0, 0.0};
  if (c.is_inside && bits & WN_MULTIGRID_FACTOR)
    defect_of<DIM, IS_FIRST, 1>(e, rho, c, i, j, first, end, is_irregular, sum);
  else if (c.is_inside)
    defect_of<DIM, IS_FIRST, 0>(e, rho, c, i, j, first, end, is_irregular, sum);
  __syncthreads();
  sum_block(sum);
  if (threadIdx.x == 0)
    for (int k = 0; k < 2; k++)
      e.partial[k * e.blocks + blockIdx.x +
                gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)] = sum[k];
}

#endif
