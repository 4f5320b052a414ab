/* fields/sparse/sparse_deposit_gpu.cu - the charge of particles on all parents, in one pass over their records:
 * variants private, atomic and aggregate of sparse_gpu.h.  The places are those of the full grid's deposit, the
 * division that of wn_grid_divide on each parent: the quanta of wn_deposit_points there, to the last. */
#include "fields/deposit_gpu.cuh"
#include "fields/sparse/sparse_gpu.cuh"

/* Threads of a block of private, whose counters take most of the shared memory of a multiprocessor. */
#define BLOCK_PRIVATE 1024
/* Records that a thread has in flight. */
#define AHEAD 2
/* auto takes private when so many of 8 nodes fit, and there is a particle for so many nodes of all copies. */
#define FITTING        7
#define NODES_PARTICLE 4.0

/* On the device. */
struct args {
  struct wn_sparse_shape s;
  const void *records;
  unsigned long long *quanta; /* [s.n_quanta] */
  unsigned long long *misfits;
  unsigned int n;
  int32_t is_in_order; /* by tiles: particles of a warp are in few cells */
  uint32_t held;       /* nodes with a counter in shared memory */
};

/* A record as it is read, and its charge and place. */
template <int kind> struct source {
  static constexpr int dim = wn_gpu_point_kind<kind>::dim;
  template <bool plain, class F>
  static __device__ __forceinline__ void each(const struct wn_points &m,
                                              const struct args &a, F f)
  {
    wn_deposit_points_of<kind, AHEAD>(
        a.records, a.n, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x,
        [&](const struct wn_gpu_point<kind> &r, bool is_one) {
          int32_t cell[3] = {0, 0, 0};
          uint32_t part[3] = {0, 0, 0};
          const uint64_t w =
              wn_deposit_charge<kind, plain>(m, r, is_one, a.misfits, cell, part);
          f(w, cell, part);
        });
  }
};

/* The same of electrons in a grid, 64 bytes each. */
template <int of_dim> struct electrons {
  static constexpr int dim = of_dim;
  template <bool plain, class F>
  static __device__ __forceinline__ void each(const struct wn_points &m,
                                              const struct args &a, F f)
  {
    const struct wn_electron *e = (const struct wn_electron *)a.records;
    const unsigned int stride = gridDim.x * blockDim.x, lane = threadIdx.x % 32;
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i - lane < a.n;
         i += stride) {
      int32_t cell[3] = {0, 0, 0};
      uint32_t part[3] = {0, 0, 0};
      uint64_t w = 0;
      if (i < a.n && !(e[i].t_left < 0.0f))
        w = wn_gpu_charge_of(m, dim, e[i], a.misfits, cell, part);
      f(w, cell, part);
    }
  }
};

/* The nodes of a parent around a place: offsets of the low and the high one along each axis, and the part. */
template <int dim> struct around {
  uint32_t low[dim], high[dim];
  uint32_t part[3];

  __device__ __forceinline__ around(const struct wn_sparse_shape &s,
                                    const struct wn_sparse_target &p,
                                    const int32_t cell[3], const uint32_t of_full[3])
  {
#pragma unroll
    for (int d = 0; d < 3; d++) {
      part[d] = 0;
      if (d < dim) {
        const int32_t bits = s.nodes.grid.bits[d];
        const int32_t x = cell[d] << bits | (int32_t)(of_full[d] >> (32 - bits));
        int32_t at;
        wn_place_of_fixed(p.shift[d], x, &at, &part[d]);
        /* beyond the last: the first, or, with no charge, itself */
        const int32_t next = at < p.last[d] ? at + 1 : s.is_periodic[d] ? 0 : at;
        low[d] = (uint32_t)(at * p.step[d]) + (d == 0 ? (uint32_t)p.first : 0u);
        high[d] = (uint32_t)(next * p.step[d]) + (d == 0 ? (uint32_t)p.first : 0u);
      }
    }
  }
  __device__ __forceinline__ uint32_t node(int k) const
  {
    uint32_t i = k & 1 ? high[0] : low[0];
    if (dim > 1)
      i += k & 2 ? high[dim > 1 ? 1 : 0] : low[dim > 1 ? 1 : 0];
    if (dim > 2)
      i += k & 4 ? high[dim - 1] : low[dim - 1];
    return i;
  }
};

/* A particle of 2^32 quanta or more: seldom. */
template <int dim>
static __device__ __noinline__ void add_wide(const struct args *a, int32_t cx, int32_t cy,
                                             int32_t cz, uint32_t px, uint32_t py,
                                             uint32_t pz, uint64_t w)
{
  const int32_t cell[3] = {cx, cy, cz};
  const uint32_t part[3] = {px, py, pz};
  for (int p = 0; p < a->s.n_parents; p++) {
    uint64_t q[WN_MAX_REACH];
    const around<dim> near(a->s, a->s.parent[p], cell, part);
    wn_grid_divide(dim, WN_SHAPE_CIC, near.part, w, 1, q);
    for (int k = 0; k < 1 << dim; k++)
      atomicAdd(&a->quanta[near.node(k)], (unsigned long long)q[k]);
  }
}

/* To a counter in shared memory, or, beyond those, to the node. */
static __device__ __forceinline__ void count(const struct args &a, uint32_t *counter,
                                             uint32_t i, uint32_t q)
{
  if (i < a.held) {
    const uint32_t before = atomicAdd(&counter[i], q);
    if (before + q < before) /* a carry */
      atomicAdd(&a.quanta[i], 1ull << 32);
  } else {
    atomicAdd(&a.quanta[i], (unsigned long long)q);
  }
}

/* As wn_deposit_merge, for nodes that may lie beyond a periodic side: lane k passes the sum of all particles in
 * one cell, and node k of these, to add.  Returns the lanes that were not merged. */
template <int reached, class F>
static __device__ __forceinline__ unsigned int
merged(const uint32_t node[reached], uint32_t w, const uint64_t *q, F add)
{
  const unsigned int all = 0xffffffffu, lane = threadIdx.x % 32;
  unsigned int left = __ballot_sync(all, w != 0);
  while (left != 0) {
    const int leader = __ffs((int)left) - 1;
    const uint32_t first = __shfl_sync(all, node[0], leader);
    const bool mine = (left >> lane & 1u) != 0 && node[0] == first &&
                      w < 1u << 27; /* so that 32 of them fit into 32 bits */
    const unsigned int group = __ballot_sync(all, mine);
    if (__popc(group) < WN_DEPOSIT_MERGE)
      break;
    uint32_t sum = 0, to = 0;
#pragma unroll
    for (int k = 0; k < reached; k++) {
      const uint32_t s = __reduce_add_sync(all, mine ? (uint32_t)q[k] : 0u),
                     of_k = __shfl_sync(all, node[k], leader);
      sum = lane == k ? s : sum;
      to = lane == k ? of_k : to;
    }
    if (lane < reached)
      add(to, sum);
    left &= ~group;
  }
  return left;
}

/* One thread handles one particle after the other.  Reads its record, 16, 32 or 64 bytes, and makes 2^dim
 * additions for each parent: of 32 bits in shared memory (private: then one of 64 bits for each node and block),
 * or of 64 bits in the level-2 cache.  Limit of private: additions in shared memory; else those in the cache. */
template <class Source, bool is_private, bool merge, bool plain>
static __global__ void __launch_bounds__(is_private ? BLOCK_PRIVATE : WN_GPU_STRIDE_BLOCK)
    deposit_kernel(const __grid_constant__ struct wn_points m,
                   const __grid_constant__ struct args a)
{
  constexpr int dim = Source::dim, reached = 1 << dim;
  extern __shared__ uint32_t counter[];
  if (is_private) {
    for (uint32_t i = threadIdx.x; i < a.held; i += blockDim.x)
      counter[i] = 0;
    __syncthreads();
  }
  Source::template each<plain>(
      m, a, [&](uint64_t w, const int32_t cell[3], const uint32_t part[3]) {
        if (w >> 32 != 0) {
          add_wide<dim>(&a, cell[0], cell[1], cell[2], part[0], part[1], part[2], w);
          w = 0;
        }
#pragma unroll 1
        for (int p = 0; p < a.s.n_parents; p++) {
          const around<dim> near(a.s, a.s.parent[p], cell, part);
          uint64_t q[WN_MAX_REACH];
          wn_grid_divide(dim, WN_SHAPE_CIC, near.part, w, 0, q);
          unsigned int left = w != 0 ? 1u << threadIdx.x % 32 : 0u;
          if (merge) { /* lane k adds to node k of all that share the first one */
            uint32_t node[reached];
#pragma unroll
            for (int k = 0; k < reached; k++)
              node[k] = near.node(k);
            left = merged<reached>(node, (uint32_t)w, q, [&](uint32_t to, uint32_t sum) {
              if (is_private)
                count(a, counter, to, sum);
              else
                atomicAdd(&a.quanta[to], (unsigned long long)sum);
            });
          }
          if (left >> threadIdx.x % 32 & 1u)
#pragma unroll
            for (int k = 0; k < reached; k++)
              if (is_private)
                count(a, counter, near.node(k), (uint32_t)q[k]);
              else
                atomicAdd(&a.quanta[near.node(k)], (unsigned long long)q[k]);
        }
      });
  if (!is_private)
    return;
  __syncthreads();
  /* blocks begin at different nodes */
  const uint32_t turn = (uint32_t)((uint64_t)a.held * blockIdx.x / gridDim.x);
  for (uint32_t i = threadIdx.x; i < a.held; i += blockDim.x) {
    const uint32_t k = i + turn < a.held ? i + turn : i + turn - a.held;
    if (counter[k] != 0)
      atomicAdd(&a.quanta[k], (unsigned long long)counter[k]);
  }
}

/* Nodes with a counter in the shared memory of a block. */
static uint32_t counters_of(const struct wn_gpu *g, uint32_t nodes)
{
  int bytes = 0;
  if (wn_gpu_check((int)cudaDeviceGetAttribute(
                       &bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, g->index),
                   "shared memory") != WN_OK)
    return 0;
  const uint32_t fit =
      bytes > 1024 ? ((uint32_t)bytes - 1024) / (uint32_t)sizeof(uint32_t) : 0;
  return nodes < fit ? nodes : fit;
}

template <class Source, bool is_private, bool merge>
static int launch(const struct wn_gpu *g, const struct wn_points *m, const struct args *a)
{
  const bool plain = wn_deposit_is_plain(m);
  const size_t bytes = a->held * sizeof(uint32_t);
  unsigned int blocks = wn_gpu_stride_blocks(g, a->n);
  if (is_private) {
    const unsigned int wanted = a->n / (a->held + 1) + 1,
                       most = (unsigned int)g->multiprocessors;
    blocks = wanted < most ? wanted : most;
  }
  void (*const kernel)(const struct wn_points, const struct args) =
      plain ? deposit_kernel<Source, is_private, merge, true>
            : deposit_kernel<Source, is_private, merge, false>;
  if (is_private)
    WN_TRY(wn_gpu_check((int)cudaFuncSetAttribute(
                            (const void *)kernel,
                            cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes),
                        "shared memory of the charge"));
  kernel<<<blocks, is_private ? BLOCK_PRIVATE : WN_GPU_STRIDE_BLOCK, bytes, g->stream>>>(
      *m, *a);
  return wn_gpu_check((int)cudaGetLastError(), "charge of particles");
}

template <class Source>
static int launch_way(const struct wn_gpu *g, enum wn_sparse_deposit way,
                      const struct wn_points *m, struct args *a)
{
  const uint32_t nodes = a->s.n_quanta, fit = counters_of(g, nodes);
  if (way == WN_SPARSE_AUTO) {
    const double copies = (double)fit * (double)g->multiprocessors;
    way = (double)fit * 8 >= (double)nodes * FITTING &&
                  (double)a->n * NODES_PARTICLE >= copies
              ? (a->is_in_order ? WN_SPARSE_MERGED : WN_SPARSE_PRIVATE)
              : WN_SPARSE_AGGREGATE;
  }
  const bool is_private = way == WN_SPARSE_PRIVATE || way == WN_SPARSE_MERGED;
  a->held = is_private ? fit : 0;
  return way == WN_SPARSE_PRIVATE  ? launch<Source, true, false>(g, m, a)
         : way == WN_SPARSE_MERGED ? launch<Source, true, true>(g, m, a)
         : way == WN_SPARSE_ATOMIC ? launch<Source, false, false>(g, m, a)
                                   : launch<Source, false, true>(g, m, a);
}

int wn_sparse_gpu_add(struct wn_sparse_gpu *f, enum wn_sparse_deposit way,
                      const struct wn_points *m, const struct wn_record *record,
                      const void *records, size_t n, int is_in_order, int64_t *quanta)
{
  const struct wn_gpu *g = f->gpu;
  struct args a = {};
  a.s = f->shape;
  a.quanta = (unsigned long long *)quanta;
  a.misfits = (unsigned long long *)f->misfits;
  a.is_in_order = is_in_order;
  for (size_t i = 0; i < n; i += WN_DEPOSIT_MOST) {
    a.records = (const char *)records + i * record->bytes;
    a.n = (unsigned int)(n - i < WN_DEPOSIT_MOST ? n - i : WN_DEPOSIT_MOST);
    WN_TRY(!record->no_t_left
               ? (f->shape.dim == 2 ? launch_way<electrons<2>>(g, way, m, &a)
                                    : launch_way<electrons<3>>(g, way, m, &a))
           : m->kind == WN_POINT_2D2V ? launch_way<source<WN_POINT_2D2V>>(g, way, m, &a)
           : m->kind == WN_POINT_2D3V ? launch_way<source<WN_POINT_2D3V>>(g, way, m, &a)
                                      : launch_way<source<WN_POINT_3D3V>>(g, way, m, &a));
  }
  return WN_OK;
}
