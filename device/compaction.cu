/* device/compaction.cu - removal of dead particles from a store, in place.  Either the
 * last living particles move into the holes, or all living ones move up.  The number of
 * living particles is known in advance, from the deaths. */
#include "device/device.cuh"
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/tabulate_output_iterator.h>

/* A record in the form that CUB moves: 16-byte words. */
template <int words> struct alignas(16) moved {
  uint4 word[words];
};

template <int words> struct is_alive {
  size_t t_left; /* offset in the record of the word with the sign bit */
  __device__ __forceinline__ bool operator()(const struct moved<words> &e) const
  {
    uint4 in = e.word[0];
#pragma unroll
    for (int i = 1; i < words; i++)
      if (t_left / 16 == i)
        in = e.word[i];
    const unsigned int part = (unsigned int)(t_left % 16 / 4);
    return (int)(part == 0 ? in.x : part == 1 ? in.y : part == 2 ? in.z : in.w) >= 0;
  }
};

/* Memory for the compaction: behind the n particles, otherwise (allocate) its own.  NULL:
 * none. */
static int memory_beside(struct wn_gpu_store *t, size_t n, size_t bytes, int allocate,
                         unsigned char **out)
{
  const size_t begin = wn_gpu_round(n * t->record.bytes, WN_GPU_ALIGN);
  *out = NULL;
  const size_t there = wn_gpu_records_bytes(t);
  if (begin <= there && bytes <= there - begin) {
    *out = (unsigned char *)wn_gpu_records(t) + begin;
    return WN_OK;
  }
  if (!allocate)
    return WN_OK;
  if (bytes > t->select_bytes) {
    wn_gpu_release(t->gpu, t->select, t->select_bytes);
    t->select = NULL;
    t->select_bytes = 0;
    /* the store has grown to its full size: an eighth more avoids the next allocations */
    size_t with_rest = bytes + bytes / 8;
    WN_TRY(wn_gpu_alloc(t->gpu, "compaction of the electrons", with_rest, &t->select));
    t->select_bytes = with_rest;
  }
  *out = (unsigned char *)t->select;
  return WN_OK;
}

/* In place and in order, by CUB's decoupled look-back: each record is read once, and each
 * living one is written once.  count[1]: number of living particles. */
template <int words> static int select_in_order(struct wn_gpu_store *t, size_t n)
{
  struct moved<words> *e = (struct moved<words> *)wn_gpu_records(t);
  const is_alive<words> alive = {t->record.t_left};
  unsigned char *memory;
  size_t bytes = 0;
  WN_TRY(wn_gpu_check((int)cub::DeviceSelect::If(NULL, bytes, e, &t->count[1], (int64_t)n,
                                                 alive, t->gpu->stream),
                      "compaction of the electrons"));
  WN_TRY(memory_beside(t, n, bytes, 1, &memory));
  return wn_gpu_check((int)cub::DeviceSelect::If(memory, bytes, e, &t->count[1],
                                                 (int64_t)n, alive, t->gpu->stream),
                      "compaction of the electrons");
}

static int in_order(struct wn_gpu_store *t, size_t n)
{
  t->settled_base = 0;
  switch (t->record.bytes / sizeof(uint4)) {
  case 1:
    return select_in_order<1>(t, n);
  case 2:
    return select_in_order<2>(t, n);
  case 3:
    return select_in_order<3>(t, n);
  default:
    return select_in_order<4>(t, n);
  }
}

/* Whether record `first` + i is living (lives), or dead. */
template <bool lives> struct is_it {
  const unsigned char *first; /* its word with the sign bit */
  size_t bytes;
  __device__ __forceinline__ bool operator()(uint32_t i) const
  {
    return (*(const int32_t *)(first + i * bytes) >= 0) == lives;
  }
};

/* A list limited to its memory, in case the counts are wrong. */
struct bounded_list {
  uint32_t *at;
  size_t capacity;
  template <class Index>
  __device__ __forceinline__ void operator()(Index i, uint32_t value) const
  {
    if ((size_t)i < capacity)
      at[i] = value;
  }
};

/* The places [first, first + n) with living (or dead) records, in ascending order, minus
 * `first`.  memory NULL: only *bytes, the memory that the call needs. */
template <bool lives>
static int list_places(const struct wn_gpu_store *t, size_t first, size_t n,
                       const struct bounded_list &list, unsigned long long *count,
                       void *memory, size_t *bytes)
{
  const unsigned char *at = (const unsigned char *)wn_gpu_records(t);
  const is_it<lives> is = {at + first * t->record.bytes + t->record.t_left,
                           t->record.bytes};
  return wn_gpu_check(
      (int)cub::DeviceSelect::If(memory, *bytes, thrust::counting_iterator<uint32_t>(0),
                                 thrust::make_tabulate_output_iterator(list), count,
                                 (int64_t)n, is, t->gpu->stream),
      "compaction of the electrons");
}

/* The k-th living particle behind the new end moves into the k-th hole before it.  One
 * thread handles a 16-byte word; reads and writes a record each, and 4 bytes of each
 * list. */
static __global__ void fill_kernel(uint4 *word, unsigned int words, const uint32_t *hole,
                                   const uint32_t *mover, size_t n_alive,
                                   const unsigned long long *count, size_t capacity)
{
  const size_t threads = (size_t)gridDim.x * blockDim.x;
  unsigned long long n = count[0] < count[1] ? count[0] : count[1];
  n = n < capacity ? n : capacity;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n * words;
       i += threads) {
    const size_t k = i / words, part = i - k * words;
    word[hole[k] * (size_t)words + part] = word[(n_alive + mover[k]) * words + part];
  }
}

/* n_alive particles are living.  Those of them behind place n_alive are as many as the
 * holes before it, and the k-th of them moves into the k-th hole.  t_left of all records
 * is read; only these records move.  The result does not depend on the order of threads.
 * *done = 0: there is no memory for the lists. */
static int into_holes(struct wn_gpu_store *t, size_t n, int *done)
{
  const size_t n_alive = n - t->dead, most = t->dead < n_alive ? t->dead : n_alive,
               list_bytes = wn_gpu_round(most * sizeof(uint32_t), WN_GPU_ALIGN);
  const unsigned int words = (unsigned int)(t->record.bytes / sizeof(uint4));
  struct wn_gpu *g = t->gpu;
  struct bounded_list holes = {NULL, most}, movers = {NULL, most};
  unsigned char *memory;
  size_t bytes = 0;
  *done = 0;
  if (n > UINT32_MAX)
    return WN_OK;
  /* enough for either list */
  WN_TRY(list_places<true>(t, 0, n_alive > t->dead ? n_alive : t->dead, movers,
                           &t->count[1], NULL, &bytes));
  WN_TRY(memory_beside(t, n, 2 * list_bytes + bytes, 0, &memory));
  if (memory == NULL)
    return WN_OK;
  holes.at = (uint32_t *)(void *)memory;
  movers.at = (uint32_t *)(void *)(memory + list_bytes);
  memory += 2 * list_bytes;
  t->settled_base = n_alive;
  if (n_alive > 0)
    WN_TRY(list_places<false>(t, 0, n_alive, holes, &t->count[0], memory, &bytes));
  WN_TRY(list_places<true>(t, n_alive, t->dead, movers, &t->count[1], memory, &bytes));
  if (most > 0) {
    fill_kernel<<<wn_gpu_stride_blocks(g, most * words), WN_GPU_STRIDE_BLOCK, 0,
                  g->stream>>>((uint4 *)wn_gpu_records(t), words, holes.at, movers.at,
                               n_alive, t->count, most);
    WN_TRY(wn_gpu_check((int)cudaGetLastError(), "compaction of the electrons"));
  }
  *done = 1;
  return WN_OK;
}

/* ---- compaction with a list of the dead particles (dead_list) */

int wn_gpu_dead_list_begin(struct wn_gpu_store *t, size_t n, struct wn_gpu_dead_list *out)
{
  struct wn_gpu *g = t->gpu;
  if (t->known == 0) {
    if (wn_gpu_dead_list(n) > t->dead_list + t->dead_list / 5 && n <= UINT32_MAX) {
      wn_gpu_release(g, t->grave, 3 * t->dead_list * sizeof *t->grave);
      t->grave = NULL;
      t->dead_list = 0;
      WN_TRY(wn_gpu_array(g, "list of the dead", 3 * wn_gpu_dead_list(n), &t->grave));
      t->dead_list = wn_gpu_dead_list(n);
    }
    WN_TRY(
        wn_gpu_check((int)cudaMemsetAsync(&t->count[2], 0, sizeof *t->count, g->stream),
                     "list of the dead"));
  }
  *out = {t->grave, &t->count[2], n <= UINT32_MAX ? t->dead_list : 0};
  return WN_OK;
}

/* The two lists of into_holes: the dead_list before the new end, and the living particles
 * behind it.  One thread handles a grave and a place behind the end; reads a sector of
 * each record. */
static __global__ void dead_list_kernel(const unsigned char *record, size_t bytes,
                                        size_t t_left, const uint32_t *grave, size_t n,
                                        size_t n_alive, uint32_t *hole, uint32_t *mover,
                                        unsigned long long *count)
{
  const auto lives = [&](size_t i) {
    return *(const int32_t *)(record + i * bytes + t_left) >= 0;
  };
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    if (i < count[2] && grave[i] < n_alive && !lives(grave[i]))
      hole[atomicAdd(&count[0], 1ull)] = grave[i];
    if (lives(n_alive + i))
      mover[atomicAdd(&count[1], 1ull)] = (uint32_t)i;
  }
}

/* The living particles behind the new end move into the holes before it, in any order.
 * t_left is read of twice as many records as have died; only these living ones move. */
static int into_graves(struct wn_gpu_store *t, size_t n)
{
  const size_t n_alive = n - t->dead, bytes = t->record.bytes;
  uint32_t *hole = t->grave + t->dead_list, *mover = hole + t->dead_list;
  unsigned char *records = (unsigned char *)wn_gpu_records(t);
  const struct wn_gpu *g = t->gpu;
  const unsigned int words = (unsigned int)(bytes / sizeof(uint4));
  t->settled_base = n_alive;
  dead_list_kernel<<<wn_gpu_stride_blocks(g, t->dead), WN_GPU_STRIDE_BLOCK, 0,
                     g->stream>>>(records, bytes, t->record.t_left, t->grave, t->dead,
                                  n_alive, hole, mover, t->count);
  fill_kernel<<<wn_gpu_stride_blocks(g, t->dead * words), WN_GPU_STRIDE_BLOCK, 0,
                g->stream>>>((uint4 *)(void *)records, words, hole, mover, n_alive,
                             t->count, t->dead_list);
  return wn_gpu_check((int)cudaGetLastError(), "compaction of the electrons");
}

/* Fewer bytes of records than this are compacted in order: two kernels instead of five.
 * Nothing was measured below it: the tables of bench/RESULTS.md, which bench/schedulers
 * --study compaction makes, begin with 10^6 electrons of 64 bytes. */
#define IN_ORDER_BELOW ((size_t)16 << 20)

static int take_away(struct wn_gpu_store *t, size_t n, enum wn_gpu_compaction way)
{
  int done = 0;
  if (way == WN_GPU_COMPACT_AUTO && t->known == t->dead && t->dead <= t->dead_list)
    return into_graves(t, n);
  if (way == WN_GPU_COMPACT_HOLES ||
      (way == WN_GPU_COMPACT_AUTO && n * t->record.bytes >= IN_ORDER_BELOW))
    WN_TRY(into_holes(t, n, &done));
  if (done)
    return WN_OK;
  if (way == WN_GPU_COMPACT_HOLES)
    return WN_FAIL(WN_ENOMEM, "no memory for the lists of %zu dead electrons", t->dead);
  return in_order(t, n);
}

int wn_gpu_store_settle(struct wn_gpu_store *t)
{
  if (!t->unsettled)
    return WN_OK;
  t->unsettled = 0;
  const size_t living =
      t->settled_base - (size_t)t->host_count[0] + (size_t)t->host_count[1];
  if (living == t->settled_n - t->settled_dead)
    return WN_OK;
  return WN_FAIL(WN_EINTERN, "%zu electrons, %zu deaths, but %zu are alive", t->settled_n,
                 t->settled_dead, living);
}

static int compact_by(struct wn_gpu_store *t, struct wn_particles *p,
                      enum wn_gpu_compaction way)
{
  const struct wn_gpu *g = t->gpu;
  if (t->dead == 0)
    return WN_OK;
  if (t->dead > p->n)
    return WN_FAIL(WN_EINTERN, "%zu electrons, but %zu deaths", p->n, t->dead);
  WN_TRY(wn_gpu_use(g));
  if (t->unsettled) { /* its counts are about to be written */
    WN_TRY(wn_gpu_wait(g, "compaction of the electrons"));
    WN_TRY(wn_gpu_store_settle(t));
  }
  WN_TRY(wn_gpu_check((int)cudaMemsetAsync(t->count, 0, 2 * sizeof *t->count, g->stream),
                      "compaction of the electrons"));
  WN_TRY(take_away(t, p->n, way));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(t->host_count, t->count, 2 * sizeof *t->count,
                                           cudaMemcpyDeviceToHost, g->stream),
                      "compaction of the electrons"));
  /* the host does not wait here: the number of living particles is known, and the next
   * wait verifies it */
  t->unsettled = 1;
  t->settled_n = p->n;
  t->settled_dead = t->dead;
  p->n -= t->dead;
  p->place = WN_PARTICLES_REMOTE;
  t->dead = t->known = 0;
  return WN_OK;
}

int wn_gpu_compact_store(void *remote, struct wn_particles *p)
{
  return compact_by((struct wn_gpu_store *)remote, p, WN_GPU_COMPACT_AUTO);
}

int wn_gpu_compact(struct wn_particles *p, enum wn_gpu_compaction way)
{
  if (p->remote_ops != &wn_gpu_remote_ops || p->place == WN_PARTICLES_HOST)
    return WN_FAIL(WN_EINTERN, "the electrons are not on a GPU");
  return compact_by((struct wn_gpu_store *)p->remote, p, way);
}
