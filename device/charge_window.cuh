/* device/charge_window.cuh - the charge that a block deposits in shared memory: 32 bits for each node of
 * a window of the grid, which is the whole grid or a tile of cells (device/tiles.cuh) with its halo.  At
 * the end the block adds the window to the grid by 64-bit atomic operations.
 *
 * The charge is exact as long as no node overflows.  Each overflow takes 2^32 from the sum over the nodes,
 * which is compared with the sum over the particles.  If they differ, the block deposits its particles
 * again, by 64-bit atomic operations on the grid. */
#ifndef WN_DEVICE_CHARGE_WINDOW_CUH
#define WN_DEVICE_CHARGE_WINDOW_CUH
#include "device/charge_deposit.cuh"
#include "device/tiles.cuh"

struct wn_gpu_window {
  int32_t halo[3];           /* cells around the tile */
  int32_t extent[3];         /* cells, with these */
  int32_t nodes[3], step[3]; /* nodes that are reached from the cells, and strides */
  int32_t n;                 /* nodes; 0: there is no window */
};

/* ---- on the host; each returns the nodes */

static inline size_t wn_gpu_window_of(const struct wn_grid_view *g,
                                      const int32_t cells[3], struct wn_gpu_window *w)
{
  size_t n = 1;
  for (int d = 0; d < g->dim; d++) {
    w->extent[d] = cells[d];
    w->nodes[d] = cells[d] + 1 + (g->shape == WN_SHAPE_TSC ? 2 : 0);
    w->step[d] = (int32_t)n;
    n *= (size_t)w->nodes[d];
  }
  w->n = (int32_t)n;
  return n;
}

/* The whole grid; one more cell where a particle may be on the upper wall. */
static inline size_t wn_gpu_window_of_grid(const struct wn_grid_view *g,
                                           struct wn_gpu_window *w)
{
  int32_t cells[3];
  for (int d = 0; d < g->dim; d++)
    cells[d] = g->cells[d] + (g->side[2 * d] != WN_SIDE_PERIODIC);
  return wn_gpu_window_of(g, cells, w);
}

/* A tile and its halo.  A single tile along an axis has all cells, and the upper wall. */
static inline size_t wn_gpu_window_of_tile(const struct wn_grid_view *g,
                                           const struct wn_gpu_tiling *tiling,
                                           struct wn_gpu_window *w)
{
  static const int32_t halo_of[3] = {16, 2, 1}; /* for 1, 2 and 3 dimensions */
  const int32_t halo = halo_of[g->dim - 1];
  int32_t cells[3];
  for (int d = 0; d < g->dim; d++) {
    w->halo[d] = tiling->tiles[d] == 1 || halo >= g->cells[d] ? 0 : halo;
    cells[d] = ((int32_t)1 << tiling->bits[d]) + 2 * w->halo[d] + (w->halo[d] == 0);
  }
  return wn_gpu_window_of(g, cells, w);
}

/* ---- in kernels.  low: the first cell of the window; its first node is so many nodes below. */

template <int shape> struct wn_gpu_window_below {
  static constexpr int is = shape == WN_SHAPE_TSC ? 1 : 0;
};

/* The first cell of the window of a tile. */
template <int dim>
static __device__ __forceinline__ void
wn_gpu_window_low(const struct wn_gpu_window &w, const struct wn_gpu_tiling &tiling,
                  uint32_t tile, int32_t low[3])
{
#pragma unroll
  for (int d = 0; d < dim; d++) {
    low[d] = (int32_t)(tile % (uint32_t)tiling.tiles[d] << tiling.bits[d]) - w.halo[d];
    tile /= (uint32_t)tiling.tiles[d];
  }
}

/* The cell, counted in the window of a tile; false: it is outside. */
template <int dim>
static __device__ __forceinline__ bool
wn_gpu_window_cell(const struct wn_grid_view &g, const struct wn_gpu_window &w,
                   const int32_t low[3], const int32_t cell[3], int32_t at[3])
{
  bool is_in = true;
#pragma unroll
  for (int d = 0; d < dim; d++) {
    int32_t i = cell[d] - low[d];
    if (g.side[2 * d] == WN_SIDE_PERIODIC) {
      const int32_t n = g.cells[d];
      i += i < 0 ? n : 0;
      i -= i >= n ? n : 0;
    }
    at[d] = i;
    is_in &= (uint32_t)i < (uint32_t)w.extent[d];
  }
  return is_in;
}

/* Index along axis d of node k of the window: a node of the grid, or one of its guards.  Nodes beyond the
 * guards have no charge.  whole: the window is the whole grid. */
template <int shape, bool whole>
static __device__ __forceinline__ int32_t
wn_gpu_window_along(const struct wn_grid_view &g, int32_t low, int d, int32_t k)
{
  const int32_t n = g.cells[d];
  int32_t i = low - wn_gpu_window_below<shape>::is + k;
  if (!whole && g.side[2 * d] == WN_SIDE_PERIODIC) {
    while (i < 0)
      i += n;
    while (i >= n)
      i -= n;
    return i;
  }
  i = i < -WN_GRID_GUARD ? -WN_GRID_GUARD : i;
  return i > n + WN_GRID_GUARD ? n + WN_GRID_GUARD : i;
}

/* All nodes, each row along x by one of `warps` warps, from row `turn` on: f(index in the window, index in
 * the row, index of the row in the padded arrays of the grid). */
template <int dim, int shape, bool whole, class F>
static __device__ __forceinline__ void
wn_gpu_window_nodes(const struct wn_grid_view &g, const struct wn_gpu_window &w,
                    const int32_t low[3], int32_t turn, int32_t warps, F f)
{
  const int32_t rows = w.n / w.nodes[0];
  for (int32_t k = (int32_t)threadIdx.x / 32; k < rows; k += warps) {
    const int32_t row = k + turn < rows ? k + turn : k + turn - rows;
    int32_t of_row = g.first;
    if (dim == 2)
      of_row += wn_gpu_window_along<shape, whole>(g, low[1], 1, row) * g.step[1];
    if (dim == 3) {
      const int32_t z = row / w.nodes[1];
      of_row += wn_gpu_window_along<shape, whole>(g, low[1], 1, row - z * w.nodes[1]) *
                    g.step[1] +
                wn_gpu_window_along<shape, whole>(g, low[2], 2, z) * g.step[2];
    }
    for (int32_t x = (int32_t)threadIdx.x % 32; x < w.nodes[0]; x += 32)
      f(row * w.nodes[0] + x, x, of_row);
  }
}

/* The first node that a particle reaches, in the window; at: its cell there. */
template <int dim, int shape>
static __device__ __forceinline__ int32_t wn_gpu_window_first(
    const struct wn_gpu_window &w, const int32_t at[3], const uint32_t part[3])
{
  int32_t first = 0;
#pragma unroll
  for (int d = 0; d < dim; d++)
    first +=
        (wn_gpu_window_below<shape>::is + wn_spline_first(shape, 0, at[d], part[d])) *
        (d == 0 ? 1 : w.step[d]);
  return first;
}

/* Node k of those that it reaches. */
template <int dim, int shape>
static __device__ __forceinline__ int32_t
wn_gpu_window_node(const struct wn_gpu_window &w, int32_t first, int k)
{
  constexpr int n = shape + 1;
  int32_t to = first + k % n;
  if (dim > 1)
    to += k / n % n * w.step[1];
  if (dim > 2)
    to += k / (n * n) * w.step[2];
  return to;
}

/* Deposit quanta, below 2^32, in the window. */
template <int dim, int shape>
static __device__ __forceinline__ void
wn_gpu_window_add(const struct wn_gpu_window &w, uint32_t *node, const int32_t at[3],
                  const uint32_t part[3], uint64_t quanta)
{
  uint64_t q[WN_MAX_REACH];
  const int32_t first = wn_gpu_window_first<dim, shape>(w, at, part);
  wn_grid_divide(dim, shape, part, quanta, 0, q);
#pragma unroll
  for (int k = 0; k < wn_gpu_reach<dim, shape>::nodes; k++)
    atomicAdd(&node[wn_gpu_window_node<dim, shape>(w, first, k)], (uint32_t)q[k]);
}

/* The sum over the nodes that belong to a thread of so many. */
static __device__ __forceinline__ unsigned long long
wn_gpu_window_sum(const struct wn_gpu_window &w, const uint32_t *node, int32_t threads)
{
  unsigned long long sum = 0;
  for (int32_t k = (int32_t)threadIdx.x; k < w.n; k += threads)
    sum += node[k];
  return sum;
}

#endif
