/* fields/poisson/gpu_multigrid_march.cuh - kernels of multigrid on a GPU for large grids.  Only gpu_multigrid.cu
 * includes it.
 *
 * A thread has two lines of nodes along the last axis, neighbours along axis 0: in each plane one node of each colour.
 * It goes from plane to plane; neighbours along the last axis are in registers, the others come from the cache of the
 * multiprocessor.  No kernel but one has barriers, so that many warps hide each other's latency.
 *
 *   begin_lines    b -> x of the second colour, from x = 0; that of the first is known from b alone
 *   leave_lines    b, x of the second -> the residual, restricted to b of the next grid
 *   add_next       e of the next grid -> x of the first; x of the second += it
 *   smooth_lines   b, x -> x of the first; then e, of both
 *   defect         e -> x of the equation, and b less the flux of e, in double precision
 *
 * Between them each colour of x has its own half of a row of v.x: that of line pair t is at place t, of the first colour
 * after all of the second.  So the neighbours of a warp's nodes lie side by side, and a pass over one colour is half a
 * pass over the grid.  By bytes the five kernels read and
 * write 10 floats a node in all.  Every second one goes backwards along the last axis, from what the one before it left in
 * the second-level cache.
 *
 * Conductances are products of numbers of the axes, but where bricks are irregular (gpu_multigrid_tiles.h). */
#ifndef WN_FIELDS_POISSON_GPU_MULTIGRID_MARCH_CUH
#define WN_FIELDS_POISSON_GPU_MULTIGRID_MARCH_CUH
#include "device/copy_ahead.cuh"
#include "fields/poisson/gpu_multigrid_cycle.cuh"

#define MARCH_THREADS 256
#define MARCH_BLOCKS  4 /* at a time on a multiprocessor */
/* Nodes of the next grid along axis 0 of a block that has so many pairs: of each the nodes around it. */
#define LEAVE_NODES(pairs) ((pairs)-1)

/* ---- which bricks */

/* Of a node that is at most n beyond an end. */
static __device__ __forceinline__ int32_t wrapped(const struct view &v, int d, int32_t at)
{
  if (!v.wraps[d])
    return at;
  return at < 0 ? at + v.n[d] : at >= v.n[d] ? at - v.n[d] : at;
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

/* Whether one of the bricks that nodes low to high touch, beyond the ends too, is irregular. */
static __device__ __forceinline__ int
touches_irregular(const struct view &v, const int32_t low[3], const int32_t high[3])
{
  const int64_t row = (v.n[0] - 1) / WN_MULTIGRID_BRICK + 1,
                plane = row * ((v.n[1] - 1) / WN_MULTIGRID_BRICK + 1);
  struct range r[3];
  int bits = 0;
  for (int d = 0; d < 3; d++)
    r[d] = bricks(v, d, low[d], high[d]);
  for (int32_t c = 0; c < r[2].n[0] + r[2].n[1]; c++)
    for (int32_t b = 0; b < r[1].n[0] + r[1].n[1]; b++)
      for (int32_t a = 0; a < r[0].n[0] + r[0].n[1]; a++)
        bits |= v.brick[brick_of(r[0], a) + row * brick_of(r[1], b) +
                        plane * brick_of(r[2], c)];
  return bits & WN_MULTIGRID_IRREGULAR;
}

/* ---- the equation of a node */

/* Numbers of an axis at a node; all 0 beyond an end, so that no flux passes. */
struct along {
  float below, above, measure, unknown;
};

/* A node of an axis, in two loads. */
static __device__ __forceinline__ struct wn_multigrid_node axis_node(const struct view &v,
                                                                     int d, int32_t at)
{
  static_assert(sizeof(struct wn_multigrid_node) == 2 * sizeof(float4), "two loads");
  const float4 *from = (const float4 *)(const void *)(v.node[d] + at);
  const float4 p = __ldg(from), q = __ldg(from + 1);
  return (struct wn_multigrid_node){p.x, p.y, p.z, p.w, q.x, q.y, __float_as_int(q.z), 0};
}

static __device__ __forceinline__ struct along along_axis(const struct view &v, int d,
                                                          int32_t at)
{
  struct along a = {0.0f, 0.0f, 0.0f, 0.0f};
  at = wrapped(v, d, at);
  if (at >= 0 && at < v.n[d]) {
    const struct wn_multigrid_node n = axis_node(v, d, at);
    a = (struct along){n.below, n.above, n.measure, n.unknown};
  }
  return a;
}

/* What the other axes give to the conductances of a row along axis 0: those along it have `x`, the others the measure of
 * the node.  y, z: low and high; rest: the sum of these. */
struct row {
  float x, y[2], z[2], rest, unknown;
};

template <int DIM>
static __device__ __forceinline__ struct row row_of(const struct along &y,
                                                    const struct along &z)
{
  const float my = DIM == 3 ? y.measure : 1.0f;
  struct row r;
  r.x = my * z.measure;
  r.y[0] = DIM == 3 ? y.below * z.measure : 0.0f;
  r.y[1] = DIM == 3 ? y.above * z.measure : 0.0f;
  r.z[0] = z.below * my;
  r.z[1] = z.above * my;
  r.rest = (r.z[0] + r.z[1]) + (r.y[0] + r.y[1]);
  r.unknown = DIM == 3 ? y.unknown * z.unknown : z.unknown;
  return r;
}

/* A line of a thread.  Along axis 0 one neighbour is the thread's other line, one is that of the pair before or after. */
struct line {
  float partner, other, measure, unknown; /* conductances to them but for the row's */
  int32_t i, is_high; /* its node of axis 0; the partner is before it */
  int32_t to_other;   /* from this pair to the one that has the other neighbour */
};

static __device__ __forceinline__ struct line line_of(const struct view &v,
                                                      const struct along &x, int32_t i)
{
  struct line l;
  const int32_t t = i / 2, pairs = (v.n[0] + 1) / 2;
  l.is_high = i & 1;
  l.partner = l.is_high ? x.below : x.above;
  l.other = l.is_high ? x.above : x.below;
  l.measure = x.measure;
  l.unknown = x.unknown;
  l.i = i;
  l.to_other = l.is_high ? 1 : -1;
  if (l.is_high ? t + 1 == pairs : t == 0) /* beyond an end nothing is used */
    l.to_other = !v.wraps[0] ? 0 : l.is_high ? 1 - pairs : pairs - 1;
  return l;
}

/* The diagonal and its inverse, both 0 at nodes of given potential and outside. */
struct diagonal {
  float value, inverse;
};

/* sum: of both conductances along axis 0 but for the row's.  at: of the node, for irregular ones. */
template <int IS_IRREGULAR>
static __device__ __forceinline__ struct diagonal
diagonal_of(const struct view &v, float sum, float measure, float is_unknown,
            const struct row &r, int32_t at)
{
  struct diagonal d = {0.0f, 0.0f};
  if (IS_IRREGULAR) {
    d.inverse = __ldg(v.inverse + at);
    d.value = d.inverse > 0.0f ? 1.0f / d.inverse : 0.0f;
    return d;
  }
  const float unknown = is_unknown * r.unknown, value = fmaf(sum, r.x, measure * r.rest);
  d.value = unknown * value;
  d.inverse = unknown > 0.0f ? __fdividef(1.0f, value) : 0.0f;
  return d;
}

template <int IS_IRREGULAR>
static __device__ __forceinline__ struct diagonal
diagonal_of(const struct view &v, const struct line &l, const struct row &r, int32_t at)
{
  return diagonal_of<IS_IRREGULAR>(v, l.partner + l.other, l.measure, l.unknown, r, at);
}

/* What the neighbours of a node are: its partner and the other one along axis 0; along axis 1 and the last, low and high. */
struct around {
  float partner, other, y[2], z[2];
};

/* The flux that comes in from neighbours, b added; at: of the node. */
template <int DIM, int IS_IRREGULAR>
static __device__ __forceinline__ float
flux_in_of(const struct view &v, const struct line &l, const struct row &r, int32_t at,
           const struct around &n, float b)
{
  if (IS_IRREGULAR) {
    const int32_t last = (int32_t)v.step[DIM - 1];
    b += v.c[0][at - l.is_high] * n.partner + v.c[0][at - 1 + l.is_high] * n.other;
    if (DIM == 3)
      b += v.c[1][at - (int32_t)v.step[1]] * n.y[0] + v.c[1][at] * n.y[1];
    return b + (v.c[DIM - 1][at - last] * n.z[0] + v.c[DIM - 1][at] * n.z[1]);
  }
  const float in = fmaf(l.partner, n.partner, l.other * n.other);
  float rest = fmaf(r.z[0], n.z[0], r.z[1] * n.z[1]);
  if (DIM == 3)
    rest = fmaf(r.y[0], n.y[0], fmaf(r.y[1], n.y[1], rest));
  return fmaf(r.x, in, fmaf(l.measure, rest, b));
}

/* ---- a thread */

/* Where its lines are, and their numbers of the axes.  Places are within an array, so that 32 bits hold them. */
struct thread {
  int is_inside;
  int32_t t, j;
  int32_t at;             /* of node (0, j) in plane 0 */
  int32_t y[2];           /* to the rows beside it, low and high */
  struct along x[2], row; /* of its nodes; of its row */
};

template <int DIM>
static __device__ __forceinline__ struct thread thread_at(const struct view &v, int32_t t,
                                                          int32_t j)
{
  const int32_t step = (int32_t)v.step[1];
  struct thread o;
  o.t = wrapped(v, 0, 2 * t) >> 1; /* -1 stays */
  o.j = DIM == 3 ? wrapped(v, 1, j) : 0;
  o.is_inside = o.t >= 0 && 2 * o.t < v.n[0] && o.j >= 0 && o.j < v.n[1];
  o.at = (int32_t)v.first + (DIM == 3 ? o.j * step : 0);
  o.x[0] = along_axis(v, 0, 2 * t);
  o.x[1] = along_axis(v, 0, 2 * t + 1);
  o.row = along_axis(v, 1, j);
  o.y[0] = -step, o.y[1] = step;
  if (DIM == 3 && v.wraps[1]) {
    o.y[0] = o.j == 0 ? (v.n[1] - 1) * step : o.y[0];
    o.y[1] = o.j + 1 == v.n[1] ? -(v.n[1] - 1) * step : o.y[1];
  }
  return o;
}

/* The way from plane 0 to plane k; beyond an end to the guard, of zeros. */
template <int DIM>
static __device__ __forceinline__ int32_t to_plane(const struct view &v, int32_t k)
{
  return max(min(wrapped(v, DIM - 1, k), v.n[DIM - 1]), -1) * (int32_t)v.step[DIM - 1];
}

template <class T> static __device__ __forceinline__ void exchange(T &a, T &b)
{
  const T kept = a;
  a = b;
  b = kept;
}

/* The thread of a launch, in lines of pairs of a row and of the rows, and its planes.  It looks for irregular bricks `more` nodes
 * around its own. */
struct part {
  int32_t t, j, first, end;
  int is_inside, is_irregular;
};

template <int DIM>
static __device__ __forceinline__ struct part part_of(const struct view &v, int32_t many,
                                                      int32_t more, int is_back)
{
  constexpr int LAST = DIM - 1;
  const int32_t pairs = (v.n[0] + 1) / 2,
                index = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
  struct part p;
  p.j = DIM == 3 ? index / pairs : 0;
  p.t = index - p.j * pairs;
  p.first = (int32_t)(is_back ? gridDim.y - 1 - blockIdx.y : blockIdx.y) * many;
  p.end = min(p.first + many, v.n[LAST]);
  p.is_inside = p.t < pairs && p.j < v.n[1];
  p.is_irregular = 0;
  if (p.is_inside) {
    int32_t low[3] = {2 * p.t - more, p.j - more, 0},
            high[3] = {2 * p.t + 1 + more, p.j + more, 0};
    if (DIM < 3)
      low[1] = high[1] = 0;
    low[LAST] = p.first - more;
    high[LAST] = p.end - 1 + more;
    p.is_irregular = touches_irregular(v, low, high);
  }
  p.is_irregular = __any_sync(0xffffffffu, p.is_irregular);
  return p;
}

/* x of the first colour is after that of the second. */
static __device__ __forceinline__ int32_t first_colour(const struct view &v)
{
  return (v.n[0] + 1) / 2;
}

/* ---- down */

/* The second colour where the first is omega D^-1 b and the second 0. */
template <int DIM, int IS_IRREGULAR>
static __device__ __forceinline__ void begin_of(const struct view &v,
                                                const struct part &part)
{
  const float omega = wn_multigrid_omega(DIM, 2);
  const struct thread o = thread_at<DIM>(v, part.t, part.j);
  struct line black = line_of(v, o.x[0], 2 * part.t),
              red = line_of(v, o.x[1], 2 * part.t + 1);
  /* nodes beyond the pair: beside the black one now, and in the next plane */
  struct along beside = along_axis(v, 0, 2 * part.t - 1),
               beside_next = along_axis(v, 0, 2 * part.t + 2);
  struct along rows[2];
  for (int high = 0; high < 2; high++)
    rows[high] = along_axis(v, 1, part.j + (high ? 1 : -1));
  if (!((part.j + part.first) & 1)) {
    exchange(black, red);
    exchange(beside, beside_next);
  }
#define BEGUN(sum, measure, unknown, row, place)                                         \
  (omega * (diagonal_of<IS_IRREGULAR>(v, sum, measure, unknown, row, place).inverse *    \
            __ldg(v.b + (place))))
#define BEGUN_LINE(l, row, place)                                                        \
  BEGUN((l).partner + (l).other, (l).measure, (l).unknown, row, (place) + (l).i)
  constexpr int LAST = DIM - 1;
  int32_t at = o.at + to_plane<DIM>(v, part.first - 1);
  struct along z = along_axis(v, LAST, part.first - 1);
  float before = BEGUN_LINE(black, row_of<DIM>(o.row, z), at), here, after;
  at = o.at + to_plane<DIM>(v, part.first);
  z = along_axis(v, LAST, part.first);
  struct row r = row_of<DIM>(o.row, z);
  here = BEGUN_LINE(red, r, at);
  /* what of planes is not in the cache is on its way one of them ahead */
  int32_t at_next = o.at + to_plane<DIM>(v, part.first + 1);
  float b_next = __ldg(v.b + at_next + black.i);
#pragma unroll 2
  for (int32_t k = part.first; k < part.end; k++) {
    const int32_t at_later = o.at + to_plane<DIM>(v, k + 2);
    const float b_later = __ldg(v.b + at_later + red.i);
    const struct along z_next = along_axis(v, LAST, k + 1);
    const struct row r_next = row_of<DIM>(o.row, z_next);
    struct around n;
    /* it is of the first colour there */
    after =
        omega *
        (diagonal_of<IS_IRREGULAR>(v, black, r_next, at_next + black.i).inverse * b_next);
    n.partner = here;
    n.other = BEGUN(beside.below + beside.above, beside.measure, beside.unknown, r,
                    at + 2 * (o.t + black.to_other) + 1 - black.is_high);
    n.z[0] = before;
    n.z[1] = after;
    n.y[0] = n.y[1] = 0.0f;
    if (DIM == 3)
#pragma unroll
      for (int high = 0; high < 2; high++)
        n.y[high] = BEGUN_LINE(black, row_of<DIM>(rows[high], z), at + o.y[high]);
    const struct diagonal d = diagonal_of<IS_IRREGULAR>(v, black, r, at + black.i);
    v.x[at + o.t] =
        omega * (d.inverse * flux_in_of<DIM, IS_IRREGULAR>(v, black, r, at + black.i, n,
                                                           __ldg(v.b + at + black.i)));
    before = here;
    here = after;
    exchange(black, red);
    exchange(beside, beside_next);
    at = at_next;
    at_next = at_later;
    b_next = b_later;
    z = z_next;
    r = r_next;
  }
#undef BEGUN_LINE
#undef BEGUN
}

template <int DIM>
static __global__ void __launch_bounds__(MARCH_THREADS, 3)
    begin_lines(const __grid_constant__ struct view v, int32_t many)
{
  const struct part part = part_of<DIM>(v, many, 1, 0);
  if (!part.is_inside)
    return;
  if (part.is_irregular)
    begin_of<DIM, 1>(v, part);
  else
    begin_of<DIM, 0>(v, part);
}

/* What a node of the next grid takes of the nodes around it, node (x, y) of the block, in a plane of what are sums over
 * planes already. */
template <int DIM, int BX, int BY>
static __device__ __forceinline__ float
by_axes(const float (*s)[2 * BX], const struct wn_multigrid_kept k[3], int x, int y)
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

/* A plane, and what planes of the next grid take of it: the one below it, or at it, and the one above. */
struct plane {
  struct along along;
  float low, high;
};
template <int DIM>
static __device__ __forceinline__ struct plane plane_of(const struct view &v, int32_t k)
{
  struct plane p = {{0.0f, 0.0f, 0.0f, 0.0f}, 0.0f, 0.0f};
  k = wrapped(v, DIM - 1, k);
  if (k >= 0 && k < v.n[DIM - 1]) {
    const struct wn_multigrid_node n = axis_node(v, DIM - 1, k);
    p = (struct plane){{n.below, n.above, n.measure, n.unknown}, n.from_low, n.from_high};
  }
  return p;
}

/* Nodes of the next grid of a block, and the planes here that these take of. */
struct tile {
  int32_t first[3], end[3], t, j; /* t, j: of thread 0 */
};

/* Of a thread: its lines, and the node of the next grid, of each plane of it, that it finds. */
struct leaver {
  struct thread o;
  struct line black, red; /* in plane low - 1 of the first */
  struct wn_multigrid_kept kept[3];
  int has_node, x, y; /* place of the node in the block's residuals */
  int32_t of_next;    /* its place in plane tile.first of the next grid */
  int32_t low;        /* plane here of that plane */
};

template <int DIM>
static __device__ __forceinline__ struct leaver
leaver_of(const struct view &v, const struct view &next, const struct tile &tile)
{
  constexpr int LAST = DIM - 1;
  const int tx = (int)threadIdx.x, ty = DIM == 3 ? (int)threadIdx.y : 0;
  struct leaver l = {};
  l.o = thread_at<DIM>(v, tile.t + tx, tile.j + ty);
  l.black = line_of(v, l.o.x[0], 2 * l.o.t);
  l.red = line_of(v, l.o.x[1], 2 * l.o.t + 1);
  const int32_t mine[2] = {tile.first[0] + tx, tile.first[1] + ty};
  l.has_node = mine[0] < tile.end[0] && (DIM < 3 || mine[1] < tile.end[1]);
  l.of_next = (int32_t)next.first + mine[0] +
              (DIM == 3 ? mine[1] * (int32_t)next.step[1] : 0) +
              tile.first[LAST] * (int32_t)next.step[LAST];
  if (l.has_node) {
    l.kept[0] = v.lines[0][mine[0]];
    if (DIM == 3)
      l.kept[1] = v.lines[1][mine[1]];
  }
  l.x = l.kept[0].node - 2 * tile.t;
  l.y = DIM == 3 ? l.kept[1].node - tile.j : 0;
  l.kept[LAST] = v.lines[LAST][tile.first[LAST]];
  l.low = l.kept[LAST].node;
  if (!((tile.j * (DIM == 3) + ty + l.low - 1) & 1))
    exchange(l.black, l.red);
  return l;
}

/* Residuals at both nodes of a pair: of the first colour, where D x is omega times b, and of the second, where it is omega
 * times b + the flux. */
struct pair {
  float red, black;
};
template <int DIM>
static __device__ __forceinline__ struct pair
pair_of(const struct view &v, const struct leaver &l, const struct along &z,
        const struct around &n, float here, float b)
{
  const float omega = wn_multigrid_omega(DIM, 2);
  const struct row r = row_of<DIM>(l.o.row, z);
  const struct diagonal red = diagonal_of<0>(v, l.red, r, 0),
                        black = diagonal_of<0>(v, l.black, r, 0);
  struct pair p;
  p.red =
      red.value > 0.0f ? flux_in_of<DIM, 0>(v, l.red, r, 0, n, (1.0f - omega) * b) : 0.0f;
  p.black = (1.0f - omega) / omega * (black.value * here);
  return p;
}

/* Planes of a block, some on their way to shared memory, so that no register waits for them: x of the second colour, around
 * the block too, and b of the first. */
#define AHEAD    3
#define PLANES   8 /* of x: one before, one here, one after, AHEAD; a power of 2 */
#define PLANES_B 4 /* AHEAD and one here */
template <int BX, int BY> struct ahead {
  float x[PLANES][(BY + 2) * (BX + 2)], b[PLANES_B][BY * BX];
};

/* Around a block are one row and one column more on each side.  Which of these nodes, counted from the block's first, a thread
 * copies besides its own: those of the first and the last row the rows beside the block, those of the second the columns
 * before and after each row.  0: none. */
template <int DIM, int BX, int BY>
static __device__ __forceinline__ int halo_of(int tx, int ty, int *row, int *column)
{
  *row = ty, *column = tx;
  if (DIM == 3 && ty == 1) {
    *row = tx / 2;
    *column = tx % 2 ? BX : -1;
  } else if (DIM == 3)
    *row = ty == 0 ? -1 : BY;
  else
    *column = tx == 0 ? -1 : BX;
  return DIM == 3 ? (ty == 1 ? tx < 2 * BY : ty == 0 || ty == BY - 1)
                  : tx == 0 || tx == BX - 1;
}

/* What a thread copies of a plane: from places in plane 0 to those in shared memory. */
struct copier {
  int32_t x, b, halo;        /* b: of the pair's low node */
  int own, own_b, halo_here; /* numbers in planes there, which a compiler should keep */
  int bytes, halo_bytes, has_halo;
};

template <int DIM, int BX, int BY>
static __device__ __forceinline__ struct copier
copier_of(const struct view &v, const struct thread &o, const struct tile &tile)
{
  const int tx = (int)threadIdx.x, ty = DIM == 3 ? (int)threadIdx.y : 0;
  struct copier c;
  int row, column;
  c.has_halo = halo_of<DIM, BX, BY>(tx, ty, &row, &column);
  const struct thread h = thread_at<DIM>(v, tile.t + column, tile.j + row);
  c.bytes = o.is_inside ? 4 : 0;
  c.x = o.is_inside ? o.at + o.t : (int32_t)v.first; /* there is memory */
  c.b = o.is_inside ? o.at + 2 * o.t : (int32_t)v.first;
  c.halo_bytes = h.is_inside ? 4 : 0; /* beyond an end are zeros */
  c.halo = h.is_inside ? h.at + h.t : (int32_t)v.first;
  c.own = (ty + 1) * (BX + 2) + tx + 1;
  c.own_b = ty * BX + tx;
  c.halo_here = (row + 1) * (BX + 2) + column + 1;
  WN_KEEP_REGISTER(c.own);
  WN_KEEP_REGISTER(c.own_b);
  WN_KEEP_REGISTER(c.halo_here);
  return c;
}

/* x of plane k, which is `plane` from plane 0. */
template <int BX, int BY>
static __device__ __forceinline__ void
copy_x(const struct view &v, const struct copier &c, struct ahead<BX, BY> &to, int32_t k,
       int32_t plane)
{
  float *x = to.x[k & (PLANES - 1)];
  wn_copy_ahead(x + c.own, v.x + (c.x + plane), c.bytes);
  if (c.has_halo)
    wn_copy_ahead(x + c.halo_here, v.x + (c.halo + plane), c.halo_bytes);
}

/* b of plane k; is_high: of the first colour there. */
template <int BX, int BY>
static __device__ __forceinline__ void
copy_b(const struct view &v, const struct copier &c, struct ahead<BX, BY> &to, int32_t k,
       int32_t plane, int is_high)
{
  wn_copy_ahead(to.b[k & (PLANES_B - 1)] + c.own_b, v.b + (c.b + plane + is_high),
                c.bytes);
}

/* Weights along the last axis, then those of a plane: these sums of a plane of the next grid are made one plane later,
 * behind its barrier.  Everywhere by the axes: what nodes by the table get is written again by leave_bricks()
 * (gpu_multigrid_bricks.cuh). */
template <int DIM, int BX, int BY>
static __device__ __forceinline__ void
leave_of(const struct view &v, const struct view &next, const struct tile &tile,
         float (*sums)[BY][2 * BX], struct ahead<BX, BY> &at)
{
  constexpr int LAST = DIM - 1;
  struct leaver l = leaver_of<DIM>(v, next, tile);
  const int32_t begin = l.low - 1,
                last = v.lines[LAST][tile.end[LAST] - 1].node + 1; /* at most */
  int32_t m = tile.first[LAST];
  int which = 0, is_ready = 0; /* of two planes of sums; whether the other is one */
  float of_red = 0.0f, of_black = 0.0f;
  const struct copier c = copier_of<DIM, BX, BY>(v, l.o, tile);
  int32_t plane = to_plane<DIM>(v, begin), plane_next;
  copy_x<BX, BY>(v, c, at, begin - 1, to_plane<DIM>(v, begin - 1));
  copy_x<BX, BY>(v, c, at, begin, plane);
#pragma unroll
  for (int k = 0; k < AHEAD; k++) {
    plane_next = to_plane<DIM>(v, begin + k + 1);
    copy_x<BX, BY>(v, c, at, begin + k + 1, plane_next);
    copy_b<BX, BY>(v, c, at, begin + k, plane, k & 1 ? l.black.is_high : l.red.is_high);
    wn_copies_end();
    plane = plane_next;
  }
  struct plane z = plane_of<DIM>(v, begin), z_next;
#pragma unroll 2
  for (int32_t k = begin; m < tile.end[LAST]; k++) {
    z_next = plane_of<DIM>(v, k + 1);
    wn_copies_wait<AHEAD - 1>();
    __syncthreads();
    if (is_ready) {
      if (l.has_node)
        next.b[l.of_next] = by_axes<DIM, BX, BY>(sums[which ^ 1], l.kept, l.x, l.y);
      l.of_next += (int32_t)next.step[LAST];
    }
    if (k + AHEAD <= last) {
      plane_next = to_plane<DIM>(v, k + AHEAD + 1);
      copy_x<BX, BY>(v, c, at, k + AHEAD + 1, plane_next);
      copy_b<BX, BY>(v, c, at, k + AHEAD, plane,
                     AHEAD & 1 ? l.black.is_high : l.red.is_high);
      plane = plane_next;
    }
    wn_copies_end();
    struct pair r = {0.0f, 0.0f};
    if (l.o.is_inside && z.along.unknown > 0.0f) {
      const float *x = at.x[k & (PLANES - 1)] + c.own;
      const float here = x[0];
      struct around n;
      n.partner = here;
      n.other = x[l.red.is_high ? 1 : -1];
      n.y[0] = DIM == 3 ? x[-(BX + 2)] : 0.0f;
      n.y[1] = DIM == 3 ? x[BX + 2] : 0.0f;
      n.z[0] = at.x[(k - 1) & (PLANES - 1)][c.own];
      n.z[1] = at.x[(k + 1) & (PLANES - 1)][c.own];
      r = pair_of<DIM>(v, l, z.along, n, here, at.b[k & (PLANES_B - 1)][c.own_b]);
    }
    const int is_between = z.high != 0.0f;
    is_ready = k >= l.low && (is_between || !(z_next.high != 0.0f));
    if (k >= l.low) {
      of_red = fmaf(z.low, r.red, of_red);
      of_black = fmaf(z.low, r.black, of_black);
    }
    if (is_ready) {
      float *pair = &sums[which][0][0] + 2 * c.own_b;
      pair[l.red.is_high] = of_red;
      pair[l.black.is_high] = of_black;
      which ^= 1;
      ++m;
    }
    if (is_ready || k < l.low) {
      of_red = z.high * r.red;
      of_black = z.high * r.black;
    }
    exchange(l.black, l.red);
    exchange(of_black, of_red); /* each is of a line */
    z = z_next;
  }
  __syncthreads();
  if (l.has_node)
    next.b[l.of_next] = by_axes<DIM, BX, BY>(sums[which ^ 1], l.kept, l.x, l.y);
}

/* `many` planes of the next grid are those of a block. */
template <int DIM, int BX, int BY>
static __global__ void __launch_bounds__(BX *BY, DIM == 3 ? 2 : 4)
    leave_lines(const __grid_constant__ struct view v,
                const __grid_constant__ struct view next, int32_t many)
{
  constexpr int LAST = DIM - 1, CX = LEAVE_NODES(BX), CY = DIM == 3 ? (BY - 1) / 2 : 1;
  __shared__ float sums[2][BY][2 * BX];
  __shared__ struct ahead<BX, BY> planes;
  struct tile tile = {
      {(int32_t)blockIdx.x * CX, (int32_t)blockIdx.y * CY, 0}, {0, 0, 0}, 0, 0};
  tile.first[LAST] = (int32_t)(gridDim.z - 1 - blockIdx.z) * many; /* backwards */
  for (int d = 0; d < 3; d++) {
    const int32_t most = d == LAST ? many : d == 0 ? CX : d < DIM ? CY : 1;
    tile.end[d] = min(tile.first[d] + most, next.n[d]);
  }
  tile.t = (v.lines[0][tile.first[0]].node - 1) >> 1; /* -1 of -1 */
  tile.j = DIM == 3 ? v.lines[1][tile.first[1]].node - 1 : 0;
  leave_of<DIM, BX, BY>(v, next, tile, sums, planes);
}

/* ---- up */

/* Interpolation along an axis: from a node of the next grid and the one after it, places along the axis. */
struct parents {
  float low, high; /* 0 at a node of given potential */
  int32_t at, after;
};

static __device__ __forceinline__ struct parents
parents_of(const struct view &v, const struct view &next, int d, int32_t i)
{
  struct parents p = {0.0f, 0.0f, 0, 0};
  if (i >= v.n[d])
    return p;
  const struct wn_multigrid_node n = axis_node(v, d, i);
  const int32_t after = n.parent + 1 == next.n[d] ? 0 : n.parent + 1;
  p.low = n.unknown * n.from_low;
  p.high = n.unknown * n.from_high;
  p.at = n.parent * (int32_t)next.step[d];
  p.after = after * (int32_t)next.step[d];
  return p;
}

/* e of a plane of the next grid, `z` from its plane 0, at the lines of a pair. */
template <int DIM>
static __device__ __forceinline__ void
in_plane(const struct view &next, const struct parents x[2], const struct parents &y,
         int32_t z, float e[2])
{
  e[0] = e[1] = 0.0f;
#pragma unroll
  for (int b = 0; b < (DIM == 3 ? 2 : 1); b++) {
    const float of_y = DIM < 3 ? 1.0f : b ? y.high : y.low;
    if (of_y != 0.0f) {
      const float *row = next.e + ((int32_t)next.first + z +
                                   (DIM < 3 ? 0
                                    : b     ? y.after
                                            : y.at));
#pragma unroll
      for (int a = 0; a < 2; a++) {
        float of_row = x[a].low * __ldg(row + x[a].at);
        if (x[a].high != 0.0f)
          of_row = fmaf(x[a].high, __ldg(row + x[a].after), of_row);
        e[a] = fmaf(of_y, of_row, e[a]);
      }
    }
  }
}

template <int DIM, int IS_IRREGULAR>
static __device__ __forceinline__ void
add_of(const struct view &v, const struct view &next, const struct part &part)
{
  const int32_t i = 2 * part.t, red = first_colour(v),
                row = (int32_t)v.first + (DIM == 3 ? part.j * (int32_t)v.step[1] : 0);
  const struct parents x[2] = {parents_of(v, next, 0, i), parents_of(v, next, 0, i + 1)},
                       y = parents_of(v, next, 1, part.j);
  int32_t at = row + part.first * (int32_t)v.step[DIM - 1] + part.t,
          here[2] = {-1, -1}; /* planes of the next grid of which of_plane is */
  float now = v.x[at], of_plane[2][2] = {{0.0f, 0.0f}, {0.0f, 0.0f}};
  struct parents z = parents_of(v, next, DIM - 1, part.first);
#pragma unroll 2
  for (int32_t k = part.first; k < part.end; k++) {
    const int32_t at_next = at + (int32_t)v.step[DIM - 1];
    const float then = v.x[at_next]; /* beyond the end a guard */
    const struct parents z_next = parents_of(v, next, DIM - 1, k + 1);
    float e[2];
    if (z.at != here[0]) {
      if (z.at == here[1]) {
        of_plane[0][0] = of_plane[1][0];
        of_plane[0][1] = of_plane[1][1];
      } else
        in_plane<DIM>(next, x, y, z.at, of_plane[0]);
      here[0] = z.at;
    }
    if (z.high != 0.0f && z.after != here[1]) {
      in_plane<DIM>(next, x, y, z.after, of_plane[1]);
      here[1] = z.after;
    }
    for (int a = 0; a < 2; a++)
      e[a] = fmaf(z.low, of_plane[0][a], z.high * of_plane[1][a]);
    const int is_odd = (part.j + k) & 1; /* the node of the first colour is the second */
    int kind[2] = {0, 0};
    if (IS_IRREGULAR)
      for (int a = 0; a < 2; a++)
        kind[a] = __ldg(v.kind + (at + part.t + a)) & WN_MULTIGRID_SKIPS;
    if (!kind[!is_odd])
      v.x[at] = now + (is_odd ? e[0] : e[1]);
    if (!kind[is_odd])
      v.x[at + red] = is_odd ? e[1] : e[0];
    now = then;
    at = at_next;
    z = z_next;
  }
}

template <int DIM>
static __global__ void __launch_bounds__(MARCH_THREADS, MARCH_BLOCKS)
    add_next(const __grid_constant__ struct view v,
             const __grid_constant__ struct view next, int32_t many)
{
  const struct part part = part_of<DIM>(v, many, 0, 0);
  if (!part.is_inside)
    return;
  if (part.is_irregular)
    add_of<DIM, 1>(v, next, part);
  else
    add_of<DIM, 0>(v, next, part);
}

/* Nodes of a colour.  x of the first is what was added to it: omega D^-1 b was before. */
template <int DIM, int IS_SECOND, int IS_IRREGULAR>
static __device__ __forceinline__ void smooth_of(const struct view &v,
                                                 const struct part &part)
{
  constexpr int LAST = DIM - 1;
  const float omega = wn_multigrid_omega(DIM, 2);
  const struct thread o = thread_at<DIM>(v, part.t, part.j);
  struct line own = line_of(v, o.x[0], 2 * part.t),
              beside = line_of(v, o.x[1], 2 * part.t + 1);
  if (((part.j + part.first) & 1) == !IS_SECOND)
    exchange(own, beside);
  float *x_own = v.x + o.t + (IS_SECOND ? 0 : first_colour(v));
  const float *around = v.x + o.t + (IS_SECOND ? first_colour(v) : 0);
  int32_t at = o.at + to_plane<DIM>(v, part.first),
          at_next = o.at + to_plane<DIM>(v, part.first + 1);
  float before = __ldg(around + o.at + to_plane<DIM>(v, part.first - 1)),
        here = __ldg(around + at), after = __ldg(around + at_next);
  float was_next = x_own[at], b_next = __ldg(v.b + at + own.i);
#pragma unroll 2
  for (int32_t k = part.first; k < part.end; k++) {
    const int32_t at_after = o.at + to_plane<DIM>(v, k + 2);
    const float b = b_next;
    float was = was_next;
    was_next = x_own[at_next];
    b_next = __ldg(v.b + at_next + beside.i);
    const struct row r = row_of<DIM>(o.row, along_axis(v, LAST, k));
    const struct diagonal d = diagonal_of<IS_IRREGULAR>(v, own, r, at + own.i);
    struct around n;
    n.partner = here;
    n.other = __ldg(around + at + own.to_other);
    n.y[0] = DIM == 3 ? __ldg(around + at + o.y[0]) : 0.0f;
    n.y[1] = DIM == 3 ? __ldg(around + at + o.y[1]) : 0.0f;
    n.z[0] = before;
    n.z[1] = after;
    if (!IS_SECOND)
      was = fmaf(omega, d.inverse * b, was);
    const float in = flux_in_of<DIM, IS_IRREGULAR>(v, own, r, at + own.i, n, b),
                x = fmaf(omega, fmaf(d.inverse, in, -was), was);
    if (IS_SECOND) { /* both in their places */
      v.e[at + own.i] = x;
      v.e[at + beside.i] = here;
    } else
      x_own[at] = x;
    before = here;
    here = after;
    after = __ldg(around + at_after);
    exchange(own, beside);
    at = at_next;
    at_next = at_after;
  }
}

template <int DIM, int IS_SECOND>
static __global__ void __launch_bounds__(MARCH_THREADS, MARCH_BLOCKS)
    smooth_lines(const __grid_constant__ struct view v, int32_t many)
{
  const struct part part = part_of<DIM>(v, many, 0, !IS_SECOND);
  if (!part.is_inside)
    return;
  if (part.is_irregular)
    smooth_of<DIM, IS_SECOND, 1>(v, part);
  else
    smooth_of<DIM, IS_SECOND, 0>(v, part);
}

#endif
