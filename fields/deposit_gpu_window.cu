/* fields/deposit_gpu_window.cu - the deposit on a GPU by a window of the grid in shared
 * memory (device/charge_window.cuh): variants private, whose window is the whole grid, and
 * tile of deposit_gpu.h. */
#include "device/charge_window.cuh"
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

struct args {
  struct wn_deposit_job job;
  struct wn_gpu_window window;
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
  wn_gpu_window_low<dim>(a.window, a.tiling, c.tile, h.low);
  h.first = c.first;
  h.n = c.n;
  h.at = 0;
  h.stride = blockDim.x;
  return h;
}

/* Add the window to the grid; blocks begin at different rows. */
template <int dim, int shape, bool whole>
static __device__ __forceinline__ void
empty_window(const struct wn_points &m, const struct args &a, const int32_t low[3],
             const uint32_t *node)
{
  const struct wn_gpu_window &w = a.window;
  const int32_t turn = (int32_t)(blockIdx.x * 7 % (w.n / w.nodes[0]));
  wn_gpu_window_nodes<dim, shape, whole>(
      m.grid, w, low, turn, (int32_t)blockDim.x / 32,
      [&](int32_t k, int32_t x, int32_t of_row) {
        const uint32_t q = node[k];
        if (q != 0)
          atomicAdd(&a.job.quanta[of_row + wn_gpu_window_along<shape, whole>(
                                               m.grid, low[0], 0, x)],
                    (unsigned long long)q);
      });
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
    if ((whole || wn_gpu_window_cell<dim>(m->grid, a->window, low, cell, at)) &&
        (overflow ? w != 0 : w >> 32 != 0))
      wn_gpu_charge_few<dim, shape>(&m->grid, a->job.quanta, cell[0], cell[1], cell[2],
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
  constexpr int dim = wn_gpu_point_kind<kind>::dim,
                reached = wn_gpu_reach<dim, shape>::nodes;
  int32_t cell[3] = {0, 0, 0}, at[3];
  uint32_t part[3] = {0, 0, 0};
  uint64_t q[WN_MAX_REACH];
  uint64_t w = wn_deposit_charge<kind, plain>(m, r, is_one, a.job.misfits, cell, part);
#pragma unroll
  for (int d = 0; d < dim && whole; d++)
    at[d] = cell[d];
  if (!whole && !wn_gpu_window_cell<dim>(m.grid, a.window, low, cell, at)) {
    if (w != 0)
      wn_gpu_charge_few<dim, shape>(&m.grid, a.job.quanta, cell[0], cell[1], cell[2],
                                    part[0], part[1], part[2], w);
    w = 0;
  } else if (w >> 32 != 0) {
    own.is_wide = 1;
    w = 0;
  }
  own.quanta += w;
  const int32_t to = wn_gpu_window_first<dim, shape>(a.window, at, part);
  wn_grid_divide(dim, shape, part, w, 0, q);
  const auto add = [&](int32_t first, int k, uint32_t sum) {
    atomicAdd(&node[wn_gpu_window_node<dim, shape>(a.window, first, k)], sum);
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
    unsigned long long sum = wn_gpu_warp_sum(own.quanta);
    if (threadIdx.x % 32 == 0)
      atomicAdd(&of_points, sum);
    const int is_wide = __syncthreads_or(own.is_wide);
    sum = wn_gpu_warp_sum(wn_gpu_window_sum(a.window, node, (int32_t)blockDim.x));
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
  struct wn_gpu_window w = {};
  const size_t n = wn_gpu_window_of_grid(&m->grid, &w);
  return n <= nodes_that_fit(g) ? n : 0;
}

int wn_deposit_gpu_private(struct wn_gpu *g, const struct wn_points *m,
                           const struct wn_deposit_job *job)
{
  struct args a = {};
  const size_t nodes = wn_gpu_window_of_grid(&m->grid, &a.window);
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
  struct args a = {};
  const size_t nodes = wn_gpu_window_of_tile(&m->grid, &tiles->tiling, &a.window);
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
