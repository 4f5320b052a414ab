/* fields/poisson/gpu_multigrid_cycle.cuh - one V-cycle of multigrid on a GPU, in single precision: functions of a node
 * each, and the kernel that does all of a cycle below a small grid in one block.  The cycle is that of
 * multigrid_cycle.c.  Only gpu_multigrid.cu includes it. */
#ifndef WN_FIELDS_POISSON_GPU_MULTIGRID_CYCLE_CUH
#define WN_FIELDS_POISSON_GPU_MULTIGRID_CYCLE_CUH
#include <stdint.h>
#include "fields/poisson/gpu_multigrid.h"
#include "fields/poisson/gpu_multigrid_tiles.h"

#define TAIL_THREADS 1024

/* ---- what kernels know of a grid */

enum { BETWEEN = 1, LOW_BETWEEN = 2, HIGH_BETWEEN = 4 };

struct view {
  int32_t dim, colours;
  int32_t n[3], n_kept[3], wraps[3];
  int64_t first, step[3];
  float *c[3], *inverse, *weight, *x, *b, *r;
  float *
      e; /* the result of a cycle: x, or r where a block may not write what others read */
  const uint8_t *flags[3];
  const int32_t *kept[3]; /* NULL: the coarsest */
  /* gpu_multigrid_tiles.h */
  const struct wn_multigrid_node *node[3];
  const struct wn_multigrid_kept *lines[3];
  const float *table;
  int64_t stride;
  const uint8_t *brick, *kind;  /* bits of bricks, and of nodes */
  const int32_t *adds, *leaves; /* bricks that have WN_MULTIGRID_BRICK_ADDS, _LEAVES */
  int32_t n_adds, n_leaves;
};

static_assert(sizeof(struct view) * WN_MULTIGRID_LEVELS <= WN_MULTIGRID_VIEWS,
              "memory is forecast");

struct place {
  int32_t at[3];
  int64_t i;
};

static __device__ __forceinline__ struct place place_of(const struct view &v,
                                                        const int32_t at[3])
{
  struct place p = {{at[0], at[1], at[2]}, v.first + at[0]};
  p.i += at[1] * v.step[1] + at[2] * v.step[2];
  return p;
}

/* Number `index` of n[0] n[1] n[2] nodes. */
static __device__ __forceinline__ struct place node_of(const struct view &v,
                                                       uint32_t index)
{
  const uint32_t row = index / (uint32_t)v.n[0], k = row / (uint32_t)v.n[1];
  const int32_t at[3] = {(int32_t)(index - row * (uint32_t)v.n[0]),
                         (int32_t)(row - k * (uint32_t)v.n[1]), (int32_t)k};
  return place_of(v, at);
}

static inline uint32_t nodes_of(const struct view *v)
{
  return (uint32_t)v->n[0] * (uint32_t)v->n[1] * (uint32_t)v->n[2];
}

/* To the neighbours of a node along d; beyond an end no flux passes. */
static __device__ __forceinline__ int64_t below(const struct view &v,
                                                const struct place &p, int d)
{
  return v.wraps[d] && p.at[d] == 0 ? p.i + (v.n[d] - 1) * v.step[d] : p.i - v.step[d];
}
static __device__ __forceinline__ int64_t above(const struct view &v,
                                                const struct place &p, int d)
{
  return v.wraps[d] && p.at[d] + 1 == v.n[d] ? p.i - (v.n[d] - 1) * v.step[d]
                                             : p.i + v.step[d];
}

/* ---- a cycle: functions of a node each */

static __device__ __forceinline__ float flux_in(const struct view &v,
                                                const struct place &p)
{
  float sum = 0.0f;
#pragma unroll
  for (int d = 0; d < 3; d++)
    if (d < v.dim) {
      const int64_t low = below(v, p, d), high = above(v, p, d);
      sum += v.c[d][p.i] * v.x[high] + v.c[d][low] * v.x[low];
    }
  return sum;
}

static __device__ __forceinline__ int colour_along(const struct view &v, int d,
                                                   int32_t at)
{
  return v.wraps[d] && v.n[d] % 2 && at + 1 == v.n[d] ? 2 : at % 2;
}

/* Place `index` of half of the nodes, or more, those of a colour; 0: there is none. */
static __device__ __forceinline__ int of_colour(const struct view &v, int colour,
                                                uint32_t index, struct place *p)
{
  const uint32_t half = (uint32_t)(v.n[0] + 1) / 2, row = index / half,
                 k = row / (uint32_t)v.n[1];
  const int32_t m = (int32_t)(index - row * half);
  int32_t at[3] = {0, (int32_t)(row - k * (uint32_t)v.n[1]), (int32_t)k};
  const int odd = v.wraps[0] && v.n[0] % 2,
            rest = (colour + 2 * v.colours - colour_along(v, 1, at[1]) -
                    colour_along(v, 2, at[2])) %
                   v.colours;
  at[0] = rest < 2 ? rest + 2 * m : v.n[0] - 1;
  *p = place_of(v, at);
  return rest < 2 ? at[0] < v.n[0] - odd : odd && m == 0;
}

struct begin_smoothing {
  struct view v;
  __device__ void operator()(uint32_t index) const
  {
    const struct place p = node_of(v, index);
    const int colour = (colour_along(v, 0, p.at[0]) + colour_along(v, 1, p.at[1]) +
                        colour_along(v, 2, p.at[2])) %
                       v.colours;
    v.x[p.i] = colour == 0
                   ? wn_multigrid_omega(v.dim, v.colours) * (v.inverse[p.i] * v.b[p.i])
                   : 0.0f;
  }
};

/* The same, and the second colour of two, in one pass. */
struct begin_both {
  struct view v;
  __device__ void operator()(uint32_t index) const
  {
    const struct place p = node_of(v, index);
    const float omega = wn_multigrid_omega(v.dim, v.colours);
    float sum = 0.0f;
    if ((p.at[0] + p.at[1] + p.at[2]) % 2) {
#pragma unroll
      for (int d = 0; d < 3; d++)
        if (d < v.dim) {
          const int64_t low = below(v, p, d), high = above(v, p, d);
          sum += v.c[d][p.i] * (v.inverse[high] * v.b[high]) +
                 v.c[d][low] * (v.inverse[low] * v.b[low]);
        }
    }
    v.x[p.i] = omega * (v.inverse[p.i] * (v.b[p.i] + omega * sum));
  }
};

struct smooth {
  struct view v;
  int colour;
  __device__ void operator()(uint32_t index) const
  {
    struct place p;
    if (of_colour(v, colour, index, &p))
      v.x[p.i] += wn_multigrid_omega(v.dim, v.colours) *
                  (v.inverse[p.i] * (v.b[p.i] + flux_in(v, p)) - v.x[p.i]);
  }
};

/* r = b - A x, 0 at given nodes. */
struct leave {
  struct view v;
  __device__ void operator()(uint32_t index) const
  {
    const struct place p = node_of(v, index);
    const float inverse = v.inverse[p.i];
    v.r[p.i] = inverse > 0.0f ? v.b[p.i] + flux_in(v, p) - v.x[p.i] / inverse : 0.0f;
  }
};

/* Bits of node p along each axis; of how many axes it lies between. */
static __device__ __forceinline__ int flags_of(const struct view &v,
                                               const struct place &p, uint8_t flags[3])
{
  int n = 0;
#pragma unroll
  for (int d = 0; d < 3; d++) {
    flags[d] = d < v.dim ? v.flags[d][p.at[d]] : 0;
    n += flags[d] & BETWEEN;
  }
  return n;
}

/* What node p takes of neighbours that lie between along an axis along which it does not. */
static __device__ __forceinline__ float given(const struct view &v, const struct place &p,
                                              const uint8_t flags[3])
{
  float sum = v.r[p.i];
#pragma unroll
  for (int d = 0; d < 3; d++) {
    if (d >= v.dim)
      continue;
    if (flags[d] & LOW_BETWEEN) {
      const int64_t low = below(v, p, d);
      sum += v.c[d][low] * (v.weight[low] * v.r[low]);
    }
    if (flags[d] & HIGH_BETWEEN) {
      const int64_t high = above(v, p, d);
      sum += v.c[d][p.i] * (v.weight[high] * v.r[high]);
    }
  }
  return sum;
}

/* To nodes that lie between along `n` axes. */
struct gather {
  struct view v;
  int n;
  __device__ void operator()(uint32_t index) const
  {
    const struct place p = node_of(v, index);
    uint8_t flags[3];
    if (flags_of(v, p, flags) == n)
      v.r[p.i] = given(v, p, flags);
  }
};

static __device__ __forceinline__ struct place kept_of(const struct view &v,
                                                       const struct place &p)
{
  int32_t at[3] = {0, 0, 0};
#pragma unroll
  for (int d = 0; d < 3; d++)
    if (d < v.dim)
      at[d] = v.kept[d][p.at[d]];
  return place_of(v, at);
}

/* To the nodes of the next grid. */
struct restrict_to {
  struct view v, next;
  __device__ void operator()(uint32_t index) const
  {
    const struct place to = node_of(next, index), p = kept_of(v, to);
    uint8_t flags[3];
    flags_of(v, p, flags);
    next.b[to.i] = given(v, p, flags);
  }
};

struct interpolate_from {
  struct view v, next;
  __device__ void operator()(uint32_t index) const
  {
    const struct place from = node_of(next, index), p = kept_of(v, from);
    const float e = next.e[from.i];
    v.r[p.i] = e;
    v.x[p.i] += e;
  }
};

/* Of nodes that lie between along n axes. */
struct interpolate {
  struct view v;
  int n;
  __device__ void operator()(uint32_t index) const
  {
    const struct place p = node_of(v, index);
    uint8_t flags[3];
    if (flags_of(v, p, flags) != n)
      return;
    float sum = 0.0f;
#pragma unroll
    for (int d = 0; d < 3; d++)
      if (flags[d] & BETWEEN) {
        const int64_t low = below(v, p, d), high = above(v, p, d);
        sum += v.c[d][low] * v.r[low] + v.c[d][p.i] * v.r[high];
      }
    const float e = v.weight[p.i] * sum;
    v.r[p.i] = e;
    v.x[p.i] += e;
  }
};

/* x = inverse matrix times b, of the coarsest grid. */
struct multiply_inverse {
  struct view v;
  int32_t n;
  const double *inverse; /* [n][n] */
  const int32_t *node;   /* [n], places */
  __device__ void operator()(uint32_t index) const
  {
    double sum = 0.0;
    for (int32_t j = 0; j < n; j++)
      sum += inverse[(int64_t)j * n + index] * (double)v.b[node[j]];
    v.x[node[index]] = (float)sum;
  }
};

template <class F> static __global__ void each(const __grid_constant__ F f, uint32_t n)
{
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    f(i);
}

template <class F> static __device__ void all(const F &f, uint32_t n)
{
  __syncthreads();
  for (uint32_t i = threadIdx.x; i < n; i += blockDim.x)
    f(i);
  __syncthreads();
}

static __device__ __forceinline__ uint32_t nodes(const struct view &v)
{
  return (uint32_t)v.n[0] * (uint32_t)v.n[1] * (uint32_t)v.n[2];
}
static __device__ __forceinline__ uint32_t half(const struct view &v)
{
  return (uint32_t)(v.n[0] + 1) / 2 * (uint32_t)v.n[1] * (uint32_t)v.n[2];
}

/* The part of a cycle below grid `first`, in one block. */
static __global__ void __launch_bounds__(TAIL_THREADS)
    tail(const struct view *grids, int first, int last, int32_t n, const double *inverse,
         const int32_t *node)
{
  for (int i = first; i < last; i++) {
    const struct view &v = grids[i], &next = grids[i + 1];
    if (v.colours == 2)
      all(begin_both{v}, nodes(v));
    else
      all(begin_smoothing{v}, nodes(v));
    for (int colour = 1; colour < v.colours && v.colours > 2; colour++)
      all(smooth{v, colour}, half(v));
    all(leave{v}, nodes(v));
    for (int k = v.dim - 1; k > 0; k--)
      all(gather{v, k}, nodes(v));
    all(restrict_to{v, next}, nodes(next));
  }
  all(multiply_inverse{grids[last], n, inverse, node}, (uint32_t)n);
  for (int i = last - 1; i >= first; i--) {
    const struct view &v = grids[i], &next = grids[i + 1];
    all(interpolate_from{v, next}, nodes(next));
    for (int k = 1; k <= v.dim; k++)
      all(interpolate{v, k}, nodes(v));
    for (int colour = 0; colour < v.colours; colour++)
      all(smooth{v, colour}, half(v));
  }
}

#endif
