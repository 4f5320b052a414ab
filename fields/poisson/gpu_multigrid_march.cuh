/* fields/poisson/gpu_multigrid_march.cuh - kernels of multigrid on a GPU for large grids: each reads and writes a grid
 * once.  Only gpu_multigrid.cu includes it.
 *
 * A block has a column of the grid, a thread one line of it, and goes plane after plane along the last axis.  The planes
 * of all stages of the smoother lie in shared memory, each stage one plane behind that before it: a line of nodes around
 * the column is computed twice for each stage.  Neighbours along the last axis are in registers.
 *
 *   down    b -> x: both colours from x = 0; the residual; restricted to b of the next grid
 *   up      x, e of the next grid -> e: interpolation, and both colours
 *   defect  e -> x of the equation, and b less the flux of e, in double precision
 *
 * Conductances are products of numbers of the axes, but where bricks are irregular (gpu_multigrid_tiles.h). */
#ifndef WN_FIELDS_POISSON_GPU_MULTIGRID_MARCH_CUH
#define WN_FIELDS_POISSON_GPU_MULTIGRID_MARCH_CUH
#include "fields/poisson/gpu_multigrid_cycle.cuh"

#define DOWN_HALO 3 /* the two colours and the residual, of the nodes around a kept one */
#define UP_HALO   2

/* ---- which bricks */

static __device__ __forceinline__ int32_t wrapped(const struct view &v, int d, int32_t at)
{
  if (!v.wraps[d])
    return at;
  at %= v.n[d];
  return at < 0 ? at + v.n[d] : at;
}

/* Bricks along d of nodes `low` to `high`, beyond the ends too: two ranges where they go round. */
struct range {
  int32_t first[2], n[2];
};
static __device__ __forceinline__ struct range bricks(const struct view &v, int d,
                                                      int32_t low, int32_t high)
{
  const int32_t last = (v.n[d] - 1) / WN_MULTIGRID_BRICK;
  struct range r = {{0, 0}, {last + 1, 0}};
  if (high - low + 1 >= v.n[d])
    return r;
  const int goes_round = v.wraps[d] && (low < 0 || high >= v.n[d]);
  const int32_t from = goes_round ? wrapped(v, d, low)
                       : low > 0  ? low
                                  : 0,
                to = goes_round          ? wrapped(v, d, high)
                     : high < v.n[d] - 1 ? high
                                         : v.n[d] - 1;
  r.first[0] = from / WN_MULTIGRID_BRICK;
  r.n[0] = (goes_round ? last : to / WN_MULTIGRID_BRICK) - r.first[0] + 1;
  r.n[1] = goes_round ? to / WN_MULTIGRID_BRICK + 1 : 0;
  return r;
}
static __device__ __forceinline__ int32_t brick_of(const struct range &r, int32_t i)
{
  return i < r.n[0] ? r.first[0] + i : r.first[1] + i - r.n[0];
}

/* The bits of all bricks that nodes low to high touch; of all threads of the block. */
static __device__ int bits_of(const struct view &v, const int32_t low[3],
                              const int32_t high[3], int32_t thread, int32_t threads)
{
  struct range r[3];
  int32_t n = 1, across[3];
  int bits = 0;
  for (int d = 0; d < 3; d++) {
    r[d] = bricks(v, d, low[d], high[d]);
    across[d] = r[d].n[0] + r[d].n[1];
    n *= across[d];
  }
  const int64_t row = (v.n[0] - 1) / WN_MULTIGRID_BRICK + 1,
                plane = row * ((v.n[1] - 1) / WN_MULTIGRID_BRICK + 1);
  for (int32_t i = thread; i < n; i += threads)
    bits |= v.brick[brick_of(r[0], i % across[0]) +
                    row * brick_of(r[1], i / across[0] % across[1]) +
                    plane * brick_of(r[2], i / across[0] / across[1])];
  return (__syncthreads_or(bits & 1) ? 1 : 0) | (__syncthreads_or(bits & 2) ? 2 : 0);
}

/* ---- the equation of a node */

/* What a thread knows of its line of nodes: conductances but for the measure of the plane, low and high. */
template <typename real> struct column {
  int is_inside, parity;
  int64_t at; /* of the node in plane 0 */
  real x[2], y[2], own, sum, unknown;
};

template <int DIM, typename real>
static __device__ __forceinline__ struct column<real> column_at(const struct view &v,
                                                                int32_t i, int32_t j) {
  struct column<real> c;
  const int32_t at[2] = {wrapped(v, 0, i), DIM == 3 ? wrapped(v, 1, j) : 0};
  c.is_inside = at[0] >= 0 && at[0] < v.n[0] && at[1] >= 0 && at[1] < v.n[1];
  c.parity = (i + j) & 1; /* where an axis goes round, it has an even number of nodes */
  c.at = v.first + at[0] + (DIM == 3 ? at[1] * v.step[1] : 0);
  c.x[0] = c.x[1] = c.y[0] = c.y[1] = c.own = c.sum = c.unknown = (real)0.0;
  if (c.is_inside) {
    const struct wn_multigrid_node x = v.node[0][at[0]];
    c.unknown = (real)x.unknown;
    c.own = (real)x.measure;
    c.x[0] = (real)x.below;
    c.x[1] = (real)x.above;
    if (DIM == 3) {
      const struct wn_multigrid_node y = v.node[1][at[1]];
      c.unknown *= (real)y.unknown;
      c.own *= (real)y.measure;
      for (int high = 0; high < 2; high++) {
        c.x[high] *= (real)y.measure;
        c.y[high] = (high ? (real)y.above : (real)y.below) * (real)x.measure;
      }
    }
    c.sum = c.x[0] + c.x[1] + (c.y[0] + c.y[1]);
  }
  return c;
}

/* A plane: the numbers of the last axis. */
struct plane {
  int is_inside;
  int32_t at;
  int64_t step;
  float below, above, measure, unknown, from_low, from_high;
  int32_t parent;
};

template <int DIM>
static __device__ __forceinline__ struct plane plane_at(const struct view &v, int32_t k)
{
  struct plane p = {0, 0, 0, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0};
  p.at = wrapped(v, DIM - 1, k);
  p.is_inside = p.at >= 0 && p.at < v.n[DIM - 1];
  if (p.is_inside) {
    const struct wn_multigrid_node n = v.node[DIM - 1][p.at];
    p.step = p.at * v.step[DIM - 1];
    p.below = n.below;
    p.above = n.above;
    p.measure = n.measure;
    p.unknown = n.unknown;
    p.from_low = n.from_low;
    p.from_high = n.from_high;
    p.parent = n.parent;
  }
  return p;
}

/* What its neighbours are: along axis 0, 1 and the last, low and high. */
struct around {
  float x[2], y[2], z[2];
};

/* The diagonal and its inverse, both 0 at nodes of given potential and outside. */
struct diagonal {
  float value, inverse;
};

template <int IS_IRREGULAR>
static __device__ __forceinline__ struct diagonal
diagonal_of(const struct view &v, const struct column<float> &c, const struct plane &p)
{
  struct diagonal d = {0.0f, 0.0f};
  if (IS_IRREGULAR) {
    if (c.is_inside && p.is_inside)
      d.inverse = v.inverse[c.at + p.step];
    d.value = d.inverse > 0.0f ? 1.0f / d.inverse : 0.0f;
    return d;
  }
  const float unknown = c.unknown * p.unknown,
              value = fmaf(c.sum, p.measure, (p.below + p.above) * c.own);
  d.value = unknown * value;
  d.inverse = unknown > 0.0f ? __fdividef(1.0f, value) : 0.0f;
  return d;
}

/* The flux that comes in from neighbours, b added. */
template <int DIM, int IS_IRREGULAR>
static __device__ __forceinline__ float
flux_in_of(const struct view &v, const struct column<float> &c, const struct plane &p,
           const struct around &n, float b)
{
  if (IS_IRREGULAR) {
    const int64_t i = c.at + p.step, step = v.step[DIM - 1];
    const float *z = v.c[DIM - 1];
    if (!c.is_inside || !p.is_inside)
      return 0.0f;
    b += v.c[0][i - 1] * n.x[0] + v.c[0][i] * n.x[1];
    if (DIM == 3)
      b += v.c[1][i - v.step[1]] * n.y[0] + v.c[1][i] * n.y[1];
    return b + (z[i - step] * n.z[0] + z[i] * n.z[1]);
  }
  float in = fmaf(c.x[0], n.x[0], c.x[1] * n.x[1]);
  if (DIM == 3)
    in = fmaf(c.y[0], n.y[0], fmaf(c.y[1], n.y[1], in));
  return fmaf(p.measure, in, fmaf(c.own, fmaf(p.below, n.z[0], p.above * n.z[1]), b));
}

/* Of a plane in shared memory; beyond the column its last nodes, which are not used. */
template <int DIM, int BX, int BY>
static __device__ __forceinline__ struct around around_of(const float (*s)[BX], int x,
                                                          int y, float below, float above)
{
  struct around n;
  n.x[0] = s[y][x > 0 ? x - 1 : 0];
  n.x[1] = s[y][x + 1 < BX ? x + 1 : x];
  n.y[0] = DIM == 3 ? s[y > 0 ? y - 1 : 0][x] : 0.0f;
  n.y[1] = DIM == 3 ? s[y + 1 < BY ? y + 1 : y][x] : 0.0f;
  n.z[0] = below;
  n.z[1] = above;
  return n;
}

/* ---- down */

/* What node `to` of the next grid takes of the residuals around node (x, y) of the column, planes of number & 3. */
template <int DIM, int BX, int BY>
static __device__ float by_table(const struct view &v, const float (*s)[BY][BX],
                                 const struct wn_multigrid_kept k[3], int x, int y,
                                 int64_t to)
{
  const struct wn_multigrid_kept &z = k[DIM - 1];
  float sum = 0.0f;
  for (int c = -1; c < 2; c++)
    for (int b = DIM == 3 ? -1 : 0;
         b < (DIM == 3 ? 2 : 1) && (c == 0 || z.beside >> (c > 0) & 1); b++)
      for (int a = -1; a < 2; a++) {
        const int number =
            DIM == 3 ? (1 + a) + 3 * (1 + b) + 9 * (1 + c) : (1 + a) + 3 * (1 + c);
        const float w = v.table[number * v.stride + to];
        if (w != 0.0f)
          sum += w * s[(z.node + c) & 3][y + b][x + a];
      }
  return sum;
}

/* The same in a plane, of what is a sum over planes already. */
template <int DIM, int BX, int BY>
static __device__ __forceinline__ float
by_axes(const float (*s)[BX], const struct wn_multigrid_kept k[3], int x, int y)
{
  float sum = 0.0f;
#pragma unroll
  for (int b = DIM == 3 ? -1 : 0; b < (DIM == 3 ? 2 : 1); b++) {
    const float row =
        fmaf(k[0].low, s[y + b][x - 1], fmaf(k[0].high, s[y + b][x + 1], s[y + b][x]));
    sum = fmaf(b == 0 ? 1.0f : b < 0 ? k[1].low : k[1].high, row, sum);
  }
  return sum;
}

template <int BX, int BY> struct down_planes {
  float s[4][BY][BX], left[4][BY][BX];
};

/* The part of a block: nodes of the next grid, nodes here. */
struct part {
  int32_t first[3], end[3], low[3], high[3];
};

template <int DIM, int BX, int BY, int IS_IRREGULAR>
static __device__ __forceinline__ void
down_of(const struct view &v, const struct view &next, const struct part &part,
        struct down_planes<BX, BY> &at)
{
  constexpr int H = DOWN_HALO, HY = DIM == 3 ? H : 0, LAST = DIM - 1;
  constexpr int CX = (BX - 2 * H) / 2, CY = DIM == 3 ? (BY - 2 * H) / 2 : 1;
  const int tx = (int)threadIdx.x, ty = DIM == 3 ? (int)threadIdx.y : 0;
  const float omega = wn_multigrid_omega(DIM, 2);
  const int32_t low = part.low[LAST], high = part.high[LAST];
  const struct column<float> c = column_at<DIM, float>(
      v, part.low[0] - H + tx, DIM == 3 ? part.low[1] - HY + ty : 0);
  const int is_own = tx >= H && tx - H < part.high[0] - part.low[0] &&
                     (DIM < 3 || (ty >= H && ty - H < part.high[1] - part.low[1]));
  /* the node of the next grid that is this thread's, of each plane of it */
  struct wn_multigrid_kept kept[3] = {
      {0.0f, 0.0f, 0, 0}, {0.0f, 0.0f, 0, 0}, {0.0f, 0.0f, 0, 0}};
  const int32_t mine[2] = {part.first[0] + (ty * BX + tx) % CX,
                           part.first[1] + (ty * BX + tx) / CX};
  const int has_node = mine[0] < part.end[0] && (ty * BX + tx) / CX < CY &&
                       (DIM < 3 || mine[1] < part.end[1]);
  int64_t of_next = next.first + mine[0] + (DIM == 3 ? mine[1] * next.step[1] : 0) +
                    part.first[LAST] * next.step[LAST];
  if (has_node) {
    kept[0] = v.lines[0][mine[0]];
    if (DIM == 3)
      kept[1] = v.lines[1][mine[1]];
  }
  const int x = kept[0].node - part.low[0] + H,
            y = DIM == 3 ? kept[1].node - part.low[1] + H : 0;
  int32_t m = part.first[LAST];
  kept[LAST] = v.lines[LAST][m];
  int is_whole = 0; /* the sums of a plane of the next grid are */
  float sum = 0.0f, x0 = 0.0f, x1 = 0.0f, x2 = 0.0f, x3, b0 = 0.0f, b1 = 0.0f, b2;
  struct diagonal d0 = {0.0f, 0.0f}, d1 = d0, d2;
  struct plane p0 = plane_at<DIM>(v, low - H), p1 = p0, p2 = p0;
  float b_next = c.is_inside && p0.is_inside ? v.b[c.at + p0.step] : 0.0f;
  for (int32_t k = low - H; m < part.end[LAST]; k++) {
    const int is_odd = (c.parity + k) & 1;
    x3 = x2, x2 = x1, x1 = x0;
    b2 = b1, b1 = b0, b0 = b_next;
    d2 = d1, d1 = d0;
    const struct plane p_next = plane_at<DIM>(v, k + 1);
    b_next = c.is_inside && p_next.is_inside ? v.b[c.at + p_next.step] : 0.0f;
    d0 = diagonal_of<IS_IRREGULAR>(v, c, p0);
    x0 = is_odd ? 0.0f : omega * (d0.inverse * b0);
    at.s[k & 3][ty][tx] = x0;
    __syncthreads();
    if (IS_IRREGULAR ? k - 3 == kept[LAST].node + (kept[LAST].beside >> 1) : is_whole) {
      if (has_node)
        next.b[of_next] = IS_IRREGULAR
                              ? by_table<DIM, BX, BY>(v, at.left, kept, x, y, of_next)
                              : by_axes<DIM, BX, BY>(at.left[0], kept, x, y);
      of_next += next.step[LAST];
      if (++m < part.end[LAST])
        kept[LAST] = v.lines[LAST][m];
    }
    if (k - 1 >= low - 2 && !is_odd) { /* nodes of plane k - 1 of the second colour */
      x1 = omega *
           (d1.inverse *
            flux_in_of<DIM, IS_IRREGULAR>(
                v, c, p1, around_of<DIM, BX, BY>(at.s[(k - 1) & 3], tx, ty, x2, x0), b1));
      at.s[(k - 1) & 3][ty][tx] = x1;
    }
    __syncthreads();
    is_whole = 0;
    if (k - 2 >= low - 1) {
      const float in = flux_in_of<DIM, IS_IRREGULAR>(
          v, c, p2, around_of<DIM, BX, BY>(at.s[(k - 2) & 3], tx, ty, x3, x1), b2);
      const float r = d2.inverse > 0.0f ? fmaf(-d2.value, x2, in) : 0.0f;
      if (IS_IRREGULAR)
        at.left[(k - 2) & 3][ty][tx] = r;
      else { /* weights along the last axis; beyond an end they are 0 */
        const int is_between = p2.from_high != 0.0f;
        if (k - 2 >= low)
          sum = fmaf(p2.from_low, r, sum);
        is_whole = k - 2 >= low && (is_between || !(p1.from_high != 0.0f));
        if (is_whole)
          at.left[0][ty][tx] = sum;
        sum = is_whole || k - 2 < low ? p2.from_high * r : sum;
      }
      if (is_own && k - 2 >= low && k - 2 < high)
        v.x[c.at + p2.step] = x2;
    }
    p2 = p1, p1 = p0, p0 = p_next;
  }
}

/* `many` planes of the next grid are those of a block. */
template <int DIM, int BX, int BY>
static __global__ void __launch_bounds__(BX *BY)
    down(const __grid_constant__ struct view v, const __grid_constant__ struct view next,
         int32_t many)
{
  constexpr int H = DOWN_HALO, LAST = DIM - 1;
  constexpr int CX = (BX - 2 * H) / 2, CY = DIM == 3 ? (BY - 2 * H) / 2 : 1;
  __shared__ struct down_planes<BX, BY> at;
  const int tx = (int)threadIdx.x, ty = DIM == 3 ? (int)threadIdx.y : 0;
  struct part part = {
      {(int32_t)blockIdx.x * CX, (int32_t)blockIdx.y * CY, 0}, {0}, {0}, {0}};
  int32_t from[3], to[3];
  part.first[LAST] = (int32_t)blockIdx.z * many;
  for (int d = 0; d < 3; d++) {
    const int32_t most = d == LAST ? many : d == 0 ? CX : d < DIM ? CY : 1;
    part.end[d] = min(part.first[d] + most, next.n[d]);
    part.low[d] = d < DIM ? v.lines[d][part.first[d]].node : 0;
    part.high[d] =
        d < DIM && part.end[d] < next.n[d] ? v.lines[d][part.end[d]].node : v.n[d];
    from[d] = d < DIM ? part.low[d] - H : 0;
    to[d] = d < DIM ? part.high[d] + H - 1 : 0;
  }
  if (bits_of(v, from, to, ty * BX + tx, BX * BY) & WN_MULTIGRID_IRREGULAR)
    down_of<DIM, BX, BY, 1>(v, next, part, at);
  else
    down_of<DIM, BX, BY, 0>(v, next, part, at);
}

/* ---- up */

/* e of the next grid at the place of a thread's line, in plane `k` of it: two nodes along axes 0 and 1 each. */
struct parents {
  int64_t at[2][2];
  float weight[2][2];
};

template <int DIM>
static __device__ __forceinline__ struct parents
parents_of(const struct view &v, const struct view &next, const struct column<float> &c,
           int32_t i, int32_t j)
{
  struct parents p = {{{0, 0}, {0, 0}}, {{0.0f, 0.0f}, {0.0f, 0.0f}}};
  if (!c.is_inside)
    return p;
  const struct wn_multigrid_node x = v.node[0][wrapped(v, 0, i)];
  struct wn_multigrid_node y = x;
  if (DIM == 3)
    y = v.node[1][wrapped(v, 1, j)];
#pragma unroll
  for (int b = 0; b < 2; b++)
#pragma unroll
    for (int a = 0; a < 2; a++) {
      int32_t to[2] = {x.parent + a, DIM == 3 ? y.parent + b : 0};
      to[0] = to[0] == next.n[0] ? 0 : to[0];
      to[1] = to[1] == next.n[1] ? 0 : to[1];
      p.at[b][a] = next.first + to[0] + (DIM == 3 ? to[1] * next.step[1] : 0);
      p.weight[b][a] = (a ? x.from_high : x.from_low) *
                       (DIM == 3 ? (b ? y.from_high : y.from_low) : (b ? 0.0f : 1.0f));
    }
  return p;
}

template <int DIM>
static __device__ __forceinline__ float in_plane(const struct view &next,
                                                 const struct parents &p, int32_t k)
{
  const float *e = next.e + k * next.step[DIM - 1];
  float sum = 0.0f;
#pragma unroll
  for (int b = 0; b < (DIM == 3 ? 2 : 1); b++)
#pragma unroll
    for (int a = 0; a < 2; a++)
      if (p.weight[b][a] != 0.0f)
        sum += p.weight[b][a] * e[p.at[b][a]];
  return sum;
}

/* By the table: the parent along an axis is below a node that lies between, or above it, or at it. */
template <int DIM>
static __device__ float of_table(const struct view &v, const struct view &next, int32_t i,
                                 int32_t j, const struct plane &q)
{
  const int32_t at[3] = {wrapped(v, 0, i), DIM == 3 ? wrapped(v, 1, j) : q.at,
                         DIM == 3 ? q.at : 0};
  float sum = 0.0f;
  for (int which = 0; which < 1 << DIM; which++) {
    int number = 0, third = 1, is_there = 1;
    int64_t to = next.first;
#pragma unroll
    for (int d = 0; d < DIM; d++) {
      const struct wn_multigrid_node n = v.node[d][at[d]];
      const int is_high = which >> d & 1, is_between = v.flags[d][at[d]] & BETWEEN;
      int32_t parent = n.parent + is_high;
      is_there &= is_between || !is_high;
      parent = parent == next.n[d] ? 0 : parent;
      to += parent * next.step[d];
      number += third * (is_between ? (is_high ? 0 : 2) : 1);
      third *= 3;
    }
    if (is_there) {
      const float w = v.table[number * v.stride + to];
      if (w != 0.0f)
        sum += w * next.e[to];
    }
  }
  return sum;
}

template <int DIM, int BX, int BY, int IS_IRREGULAR>
static __device__ __forceinline__ void
up_of(const struct view &v, const struct view &next, int32_t i, int32_t j, int32_t first,
      int32_t end, float (*s)[BY][BX])
{
  constexpr int H = UP_HALO, LAST = DIM - 1;
  const int tx = (int)threadIdx.x, ty = DIM == 3 ? (int)threadIdx.y : 0;
  const float omega = wn_multigrid_omega(DIM, 2);
  const struct column<float> c = column_at<DIM, float>(v, i, j);
  const int is_own = tx >= H && tx < BX - H && i < v.n[0] &&
                     (DIM < 3 || (ty >= H && ty < BY - H && j < v.n[1]));
  const struct parents parents = parents_of<DIM>(v, next, c, i, j);
  int32_t here[2] = {-1, -1}; /* planes of the next grid of which `of_plane` is */
  float of_plane[2] = {0.0f, 0.0f};
  float x0 = 0.0f, x1 = 0.0f, x2 = 0.0f, x3, b0 = 0.0f, b1 = 0.0f, b2;
  struct diagonal d0 = {0.0f, 0.0f}, d1 = d0, d2;
  struct plane p0 = plane_at<DIM>(v, first - H), p1 = p0, p2 = p0;
  int is_there = c.is_inside && p0.is_inside;
  float b_next = is_there ? v.b[c.at + p0.step] : 0.0f,
        x_next = is_there ? v.x[c.at + p0.step] : 0.0f;
  for (int32_t k = first - H; k < end + H; k++) {
    const int is_odd = (c.parity + k) & 1;
    x3 = x2, x2 = x1, x1 = x0, x0 = x_next;
    b2 = b1, b1 = b0, b0 = b_next;
    d2 = d1, d1 = d0;
    const struct plane p_next = plane_at<DIM>(v, k + 1);
    is_there = c.is_inside && p_next.is_inside;
    b_next = is_there ? v.b[c.at + p_next.step] : 0.0f;
    x_next = is_there ? v.x[c.at + p_next.step] : 0.0f;
    d0 = diagonal_of<IS_IRREGULAR>(v, c, p0);
    if (p0.is_inside) {
      if (IS_IRREGULAR) {
        if (c.is_inside)
          x0 += of_table<DIM>(v, next, i, j, p0);
      } else {
        if (p0.parent != here[0]) {
          of_plane[0] = p0.parent == here[1] ? of_plane[1]
                                             : in_plane<DIM>(next, parents, p0.parent);
          here[0] = p0.parent;
        }
        const int32_t after = p0.parent + 1 == next.n[LAST] ? 0 : p0.parent + 1;
        if (p0.from_high != 0.0f && after != here[1]) {
          of_plane[1] = in_plane<DIM>(next, parents, after);
          here[1] = after;
        }
        x0 = fmaf(c.unknown * p0.unknown,
                  fmaf(p0.from_low, of_plane[0], p0.from_high * of_plane[1]), x0);
      }
    }
    s[k & 3][ty][tx] = x0;
    __syncthreads();
    if (k - 1 >= first - 1 && is_odd) { /* nodes of plane k - 1 of the first colour */
      const float in = flux_in_of<DIM, IS_IRREGULAR>(
          v, c, p1, around_of<DIM, BX, BY>(s[(k - 1) & 3], tx, ty, x2, x0), b1);
      x1 = fmaf(omega, fmaf(d1.inverse, in, -x1), x1);
      s[(k - 1) & 3][ty][tx] = x1;
    }
    __syncthreads();
    if (k - 2 >= first) {
      if (is_odd) { /* of plane k - 2 of the second */
        const float in = flux_in_of<DIM, IS_IRREGULAR>(
            v, c, p2, around_of<DIM, BX, BY>(s[(k - 2) & 3], tx, ty, x3, x1), b2);
        x2 = fmaf(omega, fmaf(d2.inverse, in, -x2), x2);
      }
      if (is_own)
        v.e[c.at + p2.step] = x2;
    }
    p2 = p1, p1 = p0, p0 = p_next;
  }
}

/* `many` planes are those of a block. */
template <int DIM, int BX, int BY>
static __global__ void __launch_bounds__(BX *BY)
    up(const __grid_constant__ struct view v, const __grid_constant__ struct view next,
       int32_t many)
{
  constexpr int H = UP_HALO, HY = DIM == 3 ? H : 0, LAST = DIM - 1;
  __shared__ float s[4][BY][BX];
  const int tx = (int)threadIdx.x, ty = DIM == 3 ? (int)threadIdx.y : 0;
  const int32_t i = (int32_t)blockIdx.x * (BX - 2 * H) - H + tx,
                j = DIM == 3 ? (int32_t)blockIdx.y * (BY - 2 * HY) - HY + ty : 0,
                first = (int32_t)blockIdx.z * many, end = min(first + many, v.n[LAST]);
  int32_t low[3] = {i - tx, j - ty, 0}, high[3] = {i - tx + BX - 1, j - ty + BY - 1, 0};
  if (DIM < 3)
    low[1] = high[1] = 0;
  low[LAST] = first - H;
  high[LAST] = end + H - 1;
  if (bits_of(v, low, high, ty * BX + tx, BX * BY) & WN_MULTIGRID_IRREGULAR)
    up_of<DIM, BX, BY, 1>(v, next, i, j, first, end, s);
  else
    up_of<DIM, BX, BY, 0>(v, next, i, j, first, end, s);
}

#endif
