/* fields/deposit_gpu_window.cu - the deposit on a GPU by a window of the grid in shared
 * memory, 32 bits per node: variants private, whose window is the whole grid, and tile of
 * deposit_gpu.h. */
#include <string.h>
#include "fields/deposit_gpu.cuh"

/* Threads of a block.  The window of private takes most of the shared memory of a
 * multiprocessor, so that one block must fill it. */
#define BLOCK_PRIVATE 1024
#define BLOCK_TILE    256
#define RESIDENT_TILE 4 /* blocks that must fit on a multiprocessor */
/* Bytes of records that a thread has in flight. */
#define AHEAD 64
/* Points per node that private adds before it writes out its window: with weights about 1
 * a node of four times the mean still has no overflow. */
#define POINTS_OF_NODE 1024
/* Cells around a tile in its window: for 1, 2 and 3 dimensions. */
static const int32_t halo_of[3] = {16, 2, 1};

/* A window: cells, and nodes, from `low` of the chunk on. */
struct window {
  int32_t halo[3];
  int32_t extent[3]; /* its cells */
  int32_t nodes[3], step[3];
  int32_t n;
};

struct args {
  struct wn_deposit_job job;
  struct window window;
  struct wn_gpu_tiling tiling; /* of tile */
  const struct wn_gpu_chunk *chunk;
  unsigned long long n_chunks;
};

/* The work of a block: of n records from `first` on, a block's width at `at`, and so on
 * in strides; and the first cell of the window. */
struct hand {
  unsigned long long first;
  unsigned int n, at, stride;
  int32_t low[3];
};

template <int shape> struct below {
  static constexpr int is = shape == WN_SHAPE_TSC ? 1 : 0; /* nodes below the cell */
};

template <int dim, bool whole>
static __device__ __forceinline__ struct hand hand_of(const struct args &a,
                                                      unsigned long long k)
{
  struct hand h = {};
  if (whole) { /* spread over the store, so that no window has the points of few cells */
    h.n = (unsigned int)a.job.n;
    h.at = (unsigned int)k * blockDim.x;
    h.stride = (unsigned int)a.n_chunks * blockDim.x;
    return h;
  }
  const struct wn_gpu_chunk c = a.chunk[k];
  uint32_t tile = c.tile;
#pragma unroll
  for (int d = 0; d < dim; d++) {
    h.low[d] = (int32_t)(tile % (uint32_t)a.tiling.tiles[d] << a.tiling.bits[d]) -
               a.window.halo[d];
    tile /= (uint32_t)a.tiling.tiles[d];
  }
  h.first = c.first;
  h.n = c.n;
  h.at = 0;
  h.stride = blockDim.x;
  return h;
}

/* The cell relative to the window; false: it is outside. */
template <int dim, bool whole>
static __device__ __forceinline__ bool
cell_in_window(const struct wn_points &m, const struct window &w, const int32_t low[3],
               int32_t cell[3])
{
  bool is_in = true;
#pragma unroll
  for (int d = 0; d < dim && !whole; d++) {
    int32_t i = cell[d] - low[d];
    if (m.grid.side[2 * d] == WN_SIDE_PERIODIC) {
      const int32_t n = m.grid.cells[d];
      i += i < 0 ? n : 0;
      i -= i >= n ? n : 0;
    }
    cell[d] = i;
    is_in &= (uint32_t)i < (uint32_t)w.extent[d];
  }
  return is_in;
}

/* Index along axis d of node k of the window: a node of the grid, or one of its guards.
 * Nodes beyond the guards have no charge. */
template <int shape, bool whole>
static __device__ __forceinline__ int32_t node_along(const struct wn_points &m,
                                                     int32_t low, int d, int32_t k)
{
  const int32_t n = m.grid.cells[d];
  int32_t i = low - below<shape>::is + k;
  if (!whole && m.grid.side[2 * d] == WN_SIDE_PERIODIC) {
    while (i < 0)
      i += n;
    while (i >= n)
      i -= n;
    return i;
  }
  i = i < -WN_GRID_GUARD ? -WN_GRID_GUARD : i;
  return i > n + WN_GRID_GUARD ? n + WN_GRID_GUARD : i;
}

/* Add the window to the grid, a row along x by a warp; blocks begin at different rows. */
template <int dim, int shape, bool whole>
static __device__ __forceinline__ void
empty_window(const struct wn_points &m, const struct args &a, const int32_t low[3],
             const uint32_t *node)
{
  const struct window &w = a.window;
  const int32_t rows = w.n / w.nodes[0], turn = (int32_t)(blockIdx.x * 7 % rows);
  const int32_t warps = (int32_t)blockDim.x / 32, lane = (int32_t)threadIdx.x % 32;
  for (int32_t k = (int32_t)threadIdx.x / 32; k < rows; k += warps) {
    const int32_t row = k + turn < rows ? k + turn : k + turn - rows;
    int32_t of_row = m.grid.first;
    if (dim == 2)
      of_row += node_along<shape, whole>(m, low[1], 1, row) * m.grid.step[1];
    if (dim == 3) {
      const int32_t z = row / w.nodes[1];
      of_row +=
          node_along<shape, whole>(m, low[1], 1, row - z * w.nodes[1]) * m.grid.step[1] +
          node_along<shape, whole>(m, low[2], 2, z) * m.grid.step[2];
    }
    for (int32_t x = lane; x < w.nodes[0]; x += 32) {
      const uint32_t q = node[row * w.nodes[0] + x];
      if (q != 0)
        atomicAdd(&a.job.quanta[of_row + node_along<shape, whole>(m, low[0], 0, x)],
                  (unsigned long long)q);
    }
  }
}

/* Points by additions to the grid: those with more than 32 bits of quanta, which do not
 * fit into the window; and all others again, if nodes have overflowed. */
template <int kind, int shape, bool whole>
static __device__ __noinline__ void
add_again(const struct wn_points *m, const struct args *a, unsigned long long first,
          unsigned int n, unsigned int at_first, unsigned int stride, int32_t low_x,
          int32_t low_y, int32_t low_z, bool overflow)
{
  constexpr int dim = wn_gpu_point_kind<kind>::dim;
  const int32_t low[3] = {low_x, low_y, low_z};
  for (unsigned int i = at_first + threadIdx.x; i < n; i += stride) {
    const struct wn_gpu_point<kind> r =
        wn_gpu_point_read<kind>(a->job.records, first + i);
    int32_t cell[3] = {0, 0, 0}, at[3];
    uint32_t part[3] = {0, 0, 0};
    const uint64_t w = wn_deposit_charge<kind, false>(*m, r, true, NULL, cell, part);
    memcpy(at, cell, sizeof at);
    if (cell_in_window<dim, whole>(*m, a->window, low, at) &&
        (overflow ? w != 0 : w >> 32 != 0))
      wn_deposit_add<dim, shape>(&m->grid, a->job.quanta, cell[0], cell[1], cell[2],
                                 part[0], part[1], part[2], w);
  }
}

/* Counts of a thread. */
struct own {
  unsigned long long quanta; /* to the window */
  int is_wide;               /* a point of more than 32 bits of quanta */
};

/* Add one point to the window or, if it has left its tile, to the grid. */
template <int kind, int shape, bool whole, bool plain>
static __device__ __forceinline__ void
add_point(const struct wn_points &m, const struct args &a, const int32_t low[3],
          const struct wn_gpu_point<kind> &r, bool is_one, uint32_t *node,
          struct own &own)
{
  constexpr int dim = wn_gpu_point_kind<kind>::dim, n = shape + 1;
  constexpr int reached = wn_deposit_reach<dim, shape>::nodes;
  int32_t cell[3] = {0, 0, 0}, at[3], to = 0;
  uint32_t part[3] = {0, 0, 0};
  uint64_t q[WN_MAX_REACH];
  uint64_t w = wn_deposit_charge<kind, plain>(m, r, is_one, a.job.misfits, cell, part);
#pragma unroll
  for (int d = 0; d < dim; d++)
    at[d] = cell[d];
  if (!cell_in_window<dim, whole>(m, a.window, low, at)) {
    if (w != 0)
      wn_deposit_add<dim, shape>(&m.grid, a.job.quanta, cell[0], cell[1], cell[2],
                                 part[0], part[1], part[2], w);
    w = 0;
  } else if (w >> 32 != 0) {
    own.is_wide = 1;
    w = 0;
  }
  own.quanta += w;
#pragma unroll
  for (int d = 0; d < dim; d++)
    to += (below<shape>::is + wn_spline_first(shape, 0, at[d], part[d])) *
          (d == 0 ? 1 : a.window.step[d]);
  wn_grid_divide(dim, shape, part, w, 0, q);
  const auto add = [&](int32_t first, int k, uint32_t sum) {
    int32_t i = first + k % n;
    if (dim > 1)
      i += k / n % n * a.window.step[1];
    if (dim > 2)
      i += k / (n * n) * a.window.step[2];
    atomicAdd(&node[i], sum);
  };
  unsigned int left = w != 0 ? 1u << threadIdx.x % 32 : 0u;
  if (whole)
    left = wn_deposit_merge<reached>(to, (uint32_t)w, q, add);
  if (left >> threadIdx.x % 32 & 1u)
#pragma unroll
    for (int k = 0; k < reached; k++)
      add(to, k, (uint32_t)q[k]);
}

/* One block handles some points, and their window.  Reads a record each, 16 or 32 bytes;
 * makes (order + 1)^dim 32-bit additions in shared memory, and one of 64 bits to the grid
 * for each node of the window.  Limit: memory, where points of a warp are in different
 * cells. plain: as in wn_deposit_charge.  Measured: bench/RESULTS.md. */
template <int kind, int shape, bool whole, bool plain>
static __global__ void __launch_bounds__(whole ? BLOCK_PRIVATE : BLOCK_TILE,
                                         whole ? 1 : RESIDENT_TILE)
    window_kernel(const __grid_constant__ struct wn_points m,
                  const __grid_constant__ struct args a)
{
  typedef wn_gpu_point_kind<kind> K;
  constexpr int ahead = AHEAD / (16 * K::vectors);
  extern __shared__ uint32_t node[];
  __shared__ unsigned long long of_points, of_nodes;
  for (unsigned long long k = blockIdx.x; k < a.n_chunks; k += gridDim.x) {
    const struct hand h = hand_of<K::dim, whole>(a, k);
    if (h.n == 0)
      continue; /* the whole block */
    for (int32_t i = (int32_t)threadIdx.x; i < a.window.n; i += (int32_t)blockDim.x)
      node[i] = 0;
    if (threadIdx.x == 0)
      of_points = of_nodes = 0;
    __syncthreads();
    struct own own = {0, 0};
    wn_deposit_points_of<kind, ahead>(
        (const uint4 *)a.job.records + h.first * K::vectors, h.n, h.at + threadIdx.x,
        h.stride, [&](const struct wn_gpu_point<kind> &r, bool is_one) {
          add_point<kind, shape, whole, plain>(m, a, h.low, r, is_one, node, own);
        });
    unsigned long long sum = wn_deposit_warp_sum(own.quanta);
    if (threadIdx.x % 32 == 0)
      atomicAdd(&of_points, sum);
    const int is_wide = __syncthreads_or(own.is_wide);
    sum = 0;
    for (int32_t i = (int32_t)threadIdx.x; i < a.window.n; i += (int32_t)blockDim.x)
      sum += node[i];
    sum = wn_deposit_warp_sum(sum);
    if (threadIdx.x % 32 == 0)
      atomicAdd(&of_nodes, sum);
    __syncthreads();
    const bool overflow = of_nodes != of_points;
    if (overflow || is_wide) /* the whole block */
      add_again<kind, shape, whole>(&m, &a, h.first, h.n, h.at, h.stride, h.low[0],
                                    h.low[1], h.low[2], overflow);
    if (!overflow)
      empty_window<K::dim, shape, whole>(m, a, h.low, node);
    __syncthreads();
  }
}

static int launch(struct wn_gpu *g, const struct wn_points *m, const struct args *a,
                  bool whole, unsigned int blocks)
{
  const size_t bytes = (size_t)a->window.n * sizeof(uint32_t);
  const bool plain = wn_deposit_is_plain(m);
  return wn_deposit_for(m, [&](auto kind, auto shape) {
    constexpr int k = decltype(kind)::is, s = decltype(shape)::is;
    void (*const kernel)(const struct wn_points, const struct args) =
        whole ? plain ? window_kernel<k, s, true, true> : window_kernel<k, s, true, false>
        : plain ? window_kernel<k, s, false, true>
                : window_kernel<k, s, false, false>;
    if (bytes > 47 * 1024)
      WN_TRY(wn_gpu_check((int)cudaFuncSetAttribute(
                              (const void *)kernel,
                              cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes),
                          "shared memory of the charge"));
    kernel<<<blocks, whole ? BLOCK_PRIVATE : BLOCK_TILE, bytes, g->stream>>>(*m, *a);
    return wn_gpu_check((int)cudaGetLastError(), "charge of particles");
  });
}

/* The nodes covered from these cells; one more where a point may be on the upper wall. */
static size_t make_window(const struct wn_grid_view *g, const int32_t cells[3],
                          struct window *w)
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

static size_t whole_window(const struct wn_grid_view *g, struct window *w)
{
  int32_t cells[3];
  for (int d = 0; d < g->dim; d++)
    cells[d] = g->cells[d] + (g->side[2 * d] != WN_SIDE_PERIODIC);
  return make_window(g, cells, w);
}

static size_t nodes_that_fit(struct wn_gpu *g)
{
  int bytes = 0;
  if (wn_gpu_check((int)cudaDeviceGetAttribute(
                       &bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, g->index),
                   "shared memory") != WN_OK)
    return 0;
  return bytes > 1024 ? ((size_t)bytes - 1024) / sizeof(uint32_t) : 0;
}

size_t wn_deposit_gpu_private_nodes(struct wn_gpu *g, const struct wn_points *m)
{
  struct window w = {};
  const size_t n = whole_window(&m->grid, &w);
  return n <= nodes_that_fit(g) ? n : 0;
}

int wn_deposit_gpu_private(struct wn_gpu *g, const struct wn_points *m,
                           const struct wn_deposit_job *job)
{
  struct args a = {};
  const size_t nodes = whole_window(&m->grid, &a.window);
  if (nodes > nodes_that_fit(g))
    return WN_FAIL(WN_EINPUT,
                   "deposit `private`: %zu nodes do not fit into the shared memory of a "
                   "block, which takes %zu; take another: auto, tile, aggregate, ...",
                   nodes, nodes_that_fit(g));
  /* a window gets at least as many points as it has nodes, or there is only one block */
  const size_t most = nodes * POINTS_OF_NODE, wanted = job->n / nodes + 1;
  const size_t blocks =
      wanted < (size_t)g->multiprocessors ? wanted : (size_t)g->multiprocessors;
  a.job = *job;
  a.n_chunks = blocks * (job->n / (blocks * most) + 1);
  return launch(g, m, &a, true, (unsigned int)blocks);
}

int wn_deposit_gpu_tile(struct wn_gpu *g, const struct wn_points *m,
                        const struct wn_deposit_job *job,
                        const struct wn_gpu_tiles *tiles)
{
  const struct wn_grid_view *grid = &m->grid;
  struct args a = {};
  int32_t cells[3] = {1, 1, 1};
  for (int d = 0; d < grid->dim; d++) {
    const int32_t of_tile = (int32_t)1 << tiles->tiling.bits[d];
    const int32_t halo = halo_of[grid->dim - 1];
    /* a single tile along the axis has all cells, and the upper wall */
    a.window.halo[d] = tiles->tiling.tiles[d] == 1 || halo >= grid->cells[d] ? 0 : halo;
    cells[d] = of_tile + 2 * a.window.halo[d] + (a.window.halo[d] == 0);
  }
  const size_t nodes = make_window(grid, cells, &a.window);
  if (nodes > nodes_that_fit(g))
    return WN_FAIL(
        WN_EINPUT,
        "deposit `tile`: %zu nodes of a tile do not fit into the shared memory "
        "of a block, which takes %zu; take smaller tiles",
        nodes, nodes_that_fit(g));
  a.job = *job;
  a.tiling = tiles->tiling;
  a.chunk = tiles->chunk;
  a.n_chunks = tiles->n_chunks;
  return launch(g, m, &a, false, tiles->n_chunks);
}
