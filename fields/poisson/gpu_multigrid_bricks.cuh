/* fields/poisson/gpu_multigrid_bricks.cuh - kernels of multigrid on a GPU for nodes of large grids whose transfer to the next
 * grid is by the table (gpu_multigrid_tiles.h): beside electrodes, permittivities and cut edges.  A block has a brick.  Only
 * gpu_multigrid.cu includes it.
 *
 *   leave_bricks   after leave_lines, which does not know the table: b of the next grid again, at such nodes
 *   add_bricks     after add_next, which leaves such nodes out: e of the next grid -> x of the first; x of the second += it */
#ifndef WN_FIELDS_POISSON_GPU_MULTIGRID_BRICKS_CUH
#define WN_FIELDS_POISSON_GPU_MULTIGRID_BRICKS_CUH
#include "fields/poisson/gpu_multigrid_march.cuh"

/* ---- down */

/* Threads of a block that has a brick.  leave_bricks has at most so many: on small grids blocks are few, and are waited
 * for. */
#define BRICK_THREADS(dim) ((dim) == 3 ? 512 : 64)
#define LEAVE_THREADS      1024
#define BRICK_NODES(dim)   ((dim) == 3 ? 512 : 64)

/* Node `number` of a brick; 0: there is none. */
template <int DIM>
static __device__ __forceinline__ int node_of_brick(const struct view &v, int32_t brick,
                                                    int number, int32_t at[3])
{
  int is_inside = 1;
  for (int d = 0; d < 3; d++) {
    const int32_t bricks = (v.n[d] - 1) / WN_MULTIGRID_BRICK + 1;
    at[d] = brick % bricks * WN_MULTIGRID_BRICK;
    brick /= bricks;
    if (d < DIM) {
      at[d] += number % WN_MULTIGRID_BRICK;
      number /= WN_MULTIGRID_BRICK;
    }
    is_inside &= at[d] < v.n[d];
  }
  return is_inside;
}

/* The node at `by` from one, and whether it is one: beyond an end are none. */
template <int DIM>
static __device__ __forceinline__ int
node_beside(const struct view &v, const int32_t at[3], int d, int by, int32_t to[3])
{
  for (int c = 0; c < 3; c++)
    to[c] = at[c];
  to[d] = wrapped(v, d, at[d] + by);
  return to[d] >= 0 && to[d] < v.n[d];
}

/* x of a node of the second colour. */
static __device__ __forceinline__ float second_at(const struct view &v,
                                                  const int32_t at[3])
{
  return __ldg(v.x + (v.first + at[0] / 2 + at[1] * v.step[1] + at[2] * v.step[2]));
}

/* The residual of any node, as pair_of() has it. */
template <int DIM>
static __device__ float residual_at(const struct view &v, const int32_t at[3])
{
  const float omega = wn_multigrid_omega(DIM, 2);
  const int64_t i = place_of(v, at).i;
  const float inverse = __ldg(v.inverse + i);
  if (!(inverse > 0.0f))
    return 0.0f;
  if ((at[0] + at[1] + at[2]) & 1)
    return (1.0f - omega) / omega * (second_at(v, at) / inverse);
  float sum = (1.0f - omega) * __ldg(v.b + i);
#pragma unroll
  for (int d = 0; d < DIM; d++)
    for (int high = 0; high < 2; high++) {
      int32_t to[3];
      if (node_beside<DIM>(v, at, d, high ? 1 : -1, to))
        sum = fmaf(__ldg(v.c[d] + (high ? i : i - v.step[d])), second_at(v, to), sum);
    }
  return sum;
}

/* b of a node of the next grid, by a warp: a lane has one of the nodes around it.  In all lanes but the first are parts. */
template <int DIM>
static __device__ __forceinline__ float around_node(const struct view &v,
                                                    const int32_t at[3], int64_t to)
{
  const int lane = (int)threadIdx.x % 32,
            by[3] = {lane % 3 - 1, lane / 3 % 3 - 1, DIM == 3 ? lane / 9 - 1 : 0};
  float sum = 0.0f;
  if (lane < (DIM == 3 ? 27 : 9)) {
    const float w = __ldg(v.table + (lane * v.stride + to));
    int32_t node[3];
    int is_inside = 1;
    for (int d = 0; d < 3; d++) {
      node[d] = wrapped(v, d, at[d] + by[d]);
      is_inside &= node[d] >= 0 && node[d] < v.n[d];
    }
    if (w != 0.0f && is_inside)
      sum = w * residual_at<DIM>(v, node);
  }
  for (unsigned int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, step);
  return sum;
}

/* The nodes of the next grid in a brick that have WN_MULTIGRID_LEAVES, a warp for each. */
template <int DIM>
static __global__ void __launch_bounds__(LEAVE_THREADS)
    leave_bricks(const __grid_constant__ struct view v,
                 const __grid_constant__ struct view next)
{
  __shared__ int list[BRICK_NODES(DIM)], n;
  const int32_t brick = v.leaves[blockIdx.x];
  if (threadIdx.x == 0)
    n = 0;
  __syncthreads();
  for (int i = (int)threadIdx.x; i < BRICK_NODES(DIM); i += (int)blockDim.x) {
    int32_t at[3];
    if (node_of_brick<DIM>(v, brick, i, at) &&
        v.kind[place_of(v, at).i] & WN_MULTIGRID_LEAVES)
      list[atomicAdd(&n, 1)] = i;
  }
  __syncthreads();
  for (int i = (int)threadIdx.x / 32; i < n; i += (int)blockDim.x / 32) {
    int32_t at[3], to[3];
    (void)node_of_brick<DIM>(v, brick, list[i], at);
    for (int d = 0; d < 3; d++)
      to[d] = v.node[d][at[d]].parent;
    const int64_t place = place_of(next, to).i;
    const float b = around_node<DIM>(v, at, place);
    if (threadIdx.x % 32 == 0)
      next.b[place] = b;
  }
}

/* ---- up */

/* By the table: the parent along an axis is below a node that lies between, or above it, or at it. */
template <int DIM>
static __device__ __forceinline__ float
of_table(const struct view &v, const struct view &next, const int32_t at[3])
{
  int64_t to[3][2], number[3][2];
  int is_between[3];
  float sum = 0.0f;
#pragma unroll
  for (int d = 0, third = 1; d < DIM; d++, third *= 3) {
    const int32_t low = axis_node(v, d, at[d]).parent,
                  high = low + 1 == next.n[d] ? 0 : low + 1;
    is_between[d] = __ldg(v.flags[d] + at[d]) & BETWEEN;
    to[d][0] = low * next.step[d];
    to[d][1] = high * next.step[d];
    number[d][0] = third * (is_between[d] ? 2 : 1);
    number[d][1] = 0;
  }
#pragma unroll
  for (int which = 0; which < 1 << DIM; which++) {
    int64_t from = next.first, of = 0;
    int is_there = 1;
#pragma unroll
    for (int d = 0; d < DIM; d++) {
      const int is_high = which >> d & 1;
      is_there &= is_between[d] || !is_high;
      from += to[d][is_high];
      of += number[d][is_high];
    }
    if (is_there)
      sum = fmaf(__ldg(v.table + (of * v.stride + from)), __ldg(next.e + from), sum);
  }
  return sum;
}

/* The nodes of a brick that have WN_MULTIGRID_ADDS. */
template <int DIM>
static __global__ void __launch_bounds__(BRICK_THREADS(DIM))
    add_bricks(const __grid_constant__ struct view v,
               const __grid_constant__ struct view next)
{
  int32_t at[3];
  if (!node_of_brick<DIM>(v, v.adds[blockIdx.x], (int)threadIdx.x, at) ||
      !(v.kind[place_of(v, at).i] & WN_MULTIGRID_ADDS))
    return;
  const float e = of_table<DIM>(v, next, at);
  float *x = v.x + (v.first + at[0] / 2 + at[1] * v.step[1] + at[2] * v.step[2]);
  if ((at[0] + at[1] + at[2]) & 1)
    *x += e;
  else
    x[first_colour(v)] = e;
}

#endif
