/* device/store.cu - the particles of one species on the device: memory that grows in
 * place, to and from the host, and the dead taken away.  The calls that map memory belong
 * to the driver; they are looked up when the program runs, so that it also starts where
 * there is no driver. */
#include "device/device.cuh"
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/tabulate_output_iterator.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"

/* How the store grows: doubled up to so many particles, then by a part of it, so that what
 * is used stays within 5 % of what is needed (wn_gpu_forecast).  Each growth costs a
 * launch. */
#define DOUBLED   ((size_t)8 << 20)
#define STEP_PART 20
/* Left to others when the store takes all there is: the compaction's temporary memory
 * and what CUDA allocates itself. */
#define KEEP_FREE(total) (((size_t)64 << 20) + (total) / 512)

static struct {
  PFN_cuGetErrorString_v6000 error_string;
  PFN_cuMemAddressReserve_v10020 reserve;
  PFN_cuMemAddressFree_v10020 address_free;
  PFN_cuMemGetAllocationGranularity_v10020 granularity;
  PFN_cuMemCreate_v10020 create;
  PFN_cuMemRelease_v10020 release;
  PFN_cuMemMap_v10020 map;
  PFN_cuMemUnmap_v10020 unmap;
  PFN_cuMemSetAccess_v10020 set_access;
} driver;

static int find(const char *name, unsigned int version, void **entry)
{
  enum cudaDriverEntryPointQueryResult found;
  WN_TRY(wn_gpu_check((int)cudaGetDriverEntryPointByVersion(name, entry, version,
                                                            cudaEnableDefault, &found),
                      name));
  if (found != cudaDriverEntryPointSuccess)
    return WN_FAIL(WN_ECUDA, "the NVIDIA driver has no %s", name);
  return WN_OK;
}

static int find_driver(void)
{
  WN_TRY(find("cuGetErrorString", 6000, (void **)&driver.error_string));
  WN_TRY(find("cuMemAddressReserve", 10020, (void **)&driver.reserve));
  WN_TRY(find("cuMemAddressFree", 10020, (void **)&driver.address_free));
  WN_TRY(find("cuMemGetAllocationGranularity", 10020, (void **)&driver.granularity));
  WN_TRY(find("cuMemCreate", 10020, (void **)&driver.create));
  WN_TRY(find("cuMemRelease", 10020, (void **)&driver.release));
  WN_TRY(find("cuMemMap", 10020, (void **)&driver.map));
  WN_TRY(find("cuMemUnmap", 10020, (void **)&driver.unmap));
  return find("cuMemSetAccess", 10020, (void **)&driver.set_access);
}

static int check(CUresult result, const char *what)
{
  const char *text = NULL;
  if (result == CUDA_SUCCESS)
    return WN_OK;
  driver.error_string(result, &text);
  return WN_FAIL(WN_ECUDA, "GPU: %s: %s", what, text != NULL ? text : "unknown error");
}

static CUmemAllocationProp memory_of(int gpu)
{
  CUmemAllocationProp prop = {};
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  prop.location.id = gpu;
  return prop;
}

/* ---- life */

static int create(struct wn_gpu *g, struct wn_gpu_store *t)
{
  CUmemAllocationProp prop = memory_of(g->index);
  CUdeviceptr base = 0;
  void *memory = NULL;
  size_t page = 0, available, total;
  WN_TRY(find_driver());
  WN_TRY(check(driver.granularity(&page, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
               "granularity of memory"));
  WN_TRY(wn_gpu_check((int)cudaMemGetInfo(&available, &total), "size of its memory"));
  page = wn_gpu_round(WN_GPU_PAGE, page);
  total = wn_gpu_round(total, page);
  WN_TRY(wn_gpu_array(g, "counts of the living", 2, &t->count));
  WN_TRY(wn_gpu_pinned("counts of the living", 2 * sizeof *t->host_count, &memory));
  t->host_count = (unsigned long long *)memory;
  WN_TRY(check(driver.reserve(&base, total, 0, 0, 0), "addresses for the electrons"));
  t->base = base;
  t->reserved = total;
  t->page = page;
  return WN_OK;
}

static void destroy(void *remote)
{
  struct wn_gpu_store *t = (struct wn_gpu_store *)remote;
  struct wn_gpu *g = t->gpu;
  size_t at = 0;
  if (wn_gpu_works(g)) {
    for (size_t i = 0; i < t->n_chunks; at += t->chunk[i++])
      check(driver.unmap(t->base + at, t->chunk[i]), "unmapping the electrons");
    if (t->reserved > 0)
      check(driver.address_free(t->base, t->reserved), "addresses of the electrons");
    wn_gpu_release(g, t->select, t->select_bytes);
    wn_gpu_release(g, t->count, 2 * sizeof *t->count);
    wn_gpu_release_pinned(t->host_count);
    g->used -= t->mapped;
  }
  free(t->chunk);
  free(t);
}

/* ---- room */

/* Put `bytes` more behind the store; *enough = 0 when there are not so many. */
static int map_more(struct wn_gpu_store *t, size_t bytes, int *enough)
{
  CUmemAllocationProp prop = memory_of(t->gpu->index);
  CUmemAccessDesc access = {};
  CUmemGenericAllocationHandle handle;
  size_t *chunk = (size_t *)wn_realloc(t->chunk, t->n_chunks + 1, sizeof *chunk);
  if (chunk == NULL)
    return WN_ENOMEM;
  t->chunk = chunk;
  CUresult result = driver.create(&handle, bytes, &prop, 0);
  *enough = result != CUDA_ERROR_OUT_OF_MEMORY;
  if (!*enough)
    return WN_OK;
  WN_TRY(check(result, "memory for the electrons"));
  int status = check(driver.map(t->base + t->mapped, bytes, 0, handle, 0),
                     "mapping memory for the electrons");
  /* mapped memory stays until it is unmapped */
  int released = check(driver.release(handle), "memory for the electrons");
  WN_TRY(status);
  t->chunk[t->n_chunks++] = bytes;
  access.location = prop.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  status = check(driver.set_access(t->base + t->mapped, bytes, &access, 1),
                 "access to memory for the electrons");
  t->mapped += bytes;
  t->gpu->used += bytes;
  return status != WN_OK ? status : released;
}

/* Bytes of a store with room for n particles. */
static size_t bytes_for(const struct wn_gpu_store *t, size_t n, double newborns)
{
  size_t places = n + wn_gpu_reserve(t->gpu->multiprocessors, newborns);
  return wn_gpu_round(places * t->record.bytes, t->page);
}

/* The most particles for which there is room, up to limit. */
static void set_room(struct wn_gpu_store *t, size_t limit, double newborns)
{
  t->hard = t->mapped / t->record.bytes;
  size_t reserve = wn_gpu_reserve(t->gpu->multiprocessors, newborns),
         fits = t->hard > reserve ? t->hard - reserve : 0;
  t->room = fits < limit ? fits : limit;
}

int wn_gpu_store_fit(struct wn_gpu_store *t, size_t need, size_t limit, double newborns,
                     int *enough)
{
  *enough = 1;
  set_room(t, limit, newborns);
  if (t->mapped > 0 && t->room >= need)
    return WN_OK;
  const size_t doubled = wn_gpu_round(DOUBLED * t->record.bytes, t->page);
  size_t least = bytes_for(t, need, newborns), most = bytes_for(t, limit, newborns),
         want = t->mapped, available, total;
  if (want == 0)
    want = least;
  else if (want < doubled)
    want = 2 * want < doubled ? 2 * want : doubled;
  else
    want += want / STEP_PART / t->page * t->page;
  want = want < most ? want : most;
  want = want > least ? want : least;
  WN_TRY(wn_gpu_check((int)cudaMemGetInfo(&available, &total), "size of its memory"));
  available = available > KEEP_FREE(total) ? available - KEEP_FREE(total) : 0;
  size_t there = t->mapped + available / t->page * t->page;
  there = there < t->reserved ? there : t->reserved;
  if (least > there) {
    *enough = 0;
    return WN_OK;
  }
  want = want < there ? want : there;
  /* what is free may be in use by the time it is asked for */
  WN_TRY(map_more(t, want - t->mapped, enough));
  if (!*enough && want > least)
    WN_TRY(map_more(t, least - t->mapped, enough));
  set_room(t, limit, newborns);
  return WN_OK;
}

int wn_gpu_store_grow(struct wn_gpu_store *t, size_t n, size_t limit, double newborns)
{
  size_t need = n + 1, available = 0, total = 0;
  int enough;
  if (n >= limit)
    return WN_FAIL(WN_EFULL,
                   "the store is full: with the newborns there are %zu electrons, but "
                   "population.capacity is %zu; raise it, set population.target, or "
                   "shorten the run",
                   n, limit);
  WN_TRY(wn_gpu_store_fit(t, need < limit ? need : limit, limit, newborns, &enough));
  if (enough)
    return WN_OK;
  WN_TRY(wn_gpu_check((int)cudaMemGetInfo(&available, &total), "size of its memory"));
  return WN_FAIL(
      WN_EFULL,
      "the store is full: %zu electrons take %.3f GiB of the GPU's %.3f GiB of "
      "memory, %.3f GiB are free; set population.target, shorten the run, or "
      "take a GPU with more memory",
      n, (double)t->mapped / WN_GPU_GIB, (double)total / WN_GPU_GIB,
      (double)available / WN_GPU_GIB);
}

/* ---- to the device and back */

static size_t count_dead(const struct wn_particles *p)
{
  size_t dead = 0;
  for (size_t i = 0; i < p->n; i++)
    dead += !(*wn_particles_t_left(p, i) >= 0.0f);
  return dead;
}

static int upload(struct wn_gpu_store *t, const struct wn_particles *p)
{
  const struct wn_gpu *g = t->gpu;
  WN_TRY(
      wn_gpu_check((int)cudaMemcpyAsync(wn_gpu_records(t), p->e, p->n * p->record.bytes,
                                        cudaMemcpyHostToDevice, g->stream),
                   "copying electrons to the device"));
  t->dead = count_dead(p);
  /* the caller may change p->e as soon as this returns */
  return wn_gpu_wait(g, "copying electrons to the device");
}

/* p leaves a store that is not on g: it is on the host then. */
static int leave_others(const struct wn_gpu *g, struct wn_particles *p)
{
  if (p->remote == NULL || wn_gpu_store_of(g, p) != NULL)
    return WN_OK;
  WN_TRY(wn_particles_host(p));
  p->remote_ops->free(p->remote);
  p->remote = NULL;
  p->remote_ops = NULL;
  return WN_OK;
}

static int make_store(struct wn_gpu *g, struct wn_particles *p)
{
  struct wn_gpu_store *t = (struct wn_gpu_store *)wn_alloc(1, sizeof *t);
  if (t == NULL)
    return WN_ENOMEM;
  t->gpu = g;
  int status = create(g, t);
  if (status != WN_OK) {
    destroy(t);
    return status;
  }
  p->remote = t;
  p->remote_ops = &wn_gpu_remote_ops;
  return WN_OK;
}

int wn_gpu_hold(struct wn_gpu *g, struct wn_particles *p, double newborns)
{
  size_t limit = p->limit > p->n ? p->limit : p->n, available = 0, total = 0;
  int enough;
  if (p->n == 0)
    return WN_OK;
  WN_TRY(leave_others(g, p));
  WN_TRY(wn_gpu_use(g)); /* the other store may be on another device */
  if (p->remote == NULL)
    WN_TRY(make_store(g, p));
  struct wn_gpu_store *t = (struct wn_gpu_store *)p->remote;
  if (p->place == WN_PARTICLES_HOST)
    t->record = p->record; /* what was there before is no longer wanted */
  WN_TRY(wn_gpu_store_fit(t, p->n, limit, newborns, &enough));
  if (!enough) {
    WN_TRY(wn_gpu_check((int)cudaMemGetInfo(&available, &total), "size of its memory"));
    return WN_FAIL(
        WN_ENOMEM,
        "%zu electrons of %zu bytes do not fit on GPU %d: %.3f GiB of %.3f are "
        "free",
        p->n, p->record.bytes, g->index, (double)available / WN_GPU_GIB,
        (double)total / WN_GPU_GIB);
  }
  if (p->place != WN_PARTICLES_HOST)
    return WN_OK;
  t->user = NULL;
  WN_TRY(upload(t, p));
  p->place = WN_PARTICLES_BOTH;
  return WN_OK;
}

static int to_host(void *remote, struct wn_particles *p)
{
  struct wn_gpu_store *t = (struct wn_gpu_store *)remote;
  const struct wn_gpu *g = t->gpu;
  WN_TRY(wn_gpu_use(g));
  if (p->n > p->capacity) {
    /* also beyond p->limit: what was born when the store was found full comes along */
    unsigned char *e = (unsigned char *)wn_alloc_aligned(p->n, p->record.bytes, 64);
    if (e == NULL)
      return WN_ENOMEM;
    free(p->e);
    p->e = e;
    p->capacity = p->n;
  }
  if (p->n > 0)
    WN_TRY(
        wn_gpu_check((int)cudaMemcpyAsync(p->e, wn_gpu_records(t), p->n * p->record.bytes,
                                          cudaMemcpyDeviceToHost, g->stream),
                     "copying electrons to the host"));
  WN_TRY(wn_gpu_wait(g, "copying electrons to the host"));
  return wn_gpu_store_settle(t);
}

/* ---- compaction */

/* A record as CUB moves it, in 16-byte words. */
template <int words> struct alignas(16) moved {
  uint4 word[words];
};

template <int words> struct is_alive {
  size_t t_left; /* where it is in the record */
  __device__ __forceinline__ bool operator()(const struct moved<words> &e) const
  {
    uint4 in = e.word[0];
#pragma unroll
    for (int i = 1; i < words; i++)
      if (t_left / 16 == i)
        in = e.word[i];
    const unsigned int part = (unsigned int)(t_left % 16 / 4);
    return __uint_as_float(part == 0   ? in.x
                           : part == 1 ? in.y
                           : part == 2 ? in.z
                                       : in.w) >= 0.0f;
  }
};

/* Memory for the compaction: behind the n particles, else (allocate) of its own.  NULL:
 * none. */
static int memory_beside(struct wn_gpu_store *t, size_t n, size_t bytes, int allocate,
                         unsigned char **out)
{
  const size_t begin = wn_gpu_round(n * t->record.bytes, WN_GPU_ALIGN);
  *out = NULL;
  if (begin <= t->mapped && bytes <= t->mapped - begin) {
    *out = (unsigned char *)wn_gpu_records(t) + begin;
    return WN_OK;
  }
  if (!allocate)
    return WN_OK;
  if (bytes > t->select_bytes) {
    wn_gpu_release(t->gpu, t->select, t->select_bytes);
    t->select = NULL;
    t->select_bytes = 0;
    /* the store has grown to where it is: an eighth more saves the next allocations */
    size_t with_rest = bytes + bytes / 8;
    WN_TRY(wn_gpu_alloc(t->gpu, "compaction of the electrons", with_rest, &t->select));
    t->select_bytes = with_rest;
  }
  *out = (unsigned char *)t->select;
  return WN_OK;
}

/* In place and in order, by CUB's decoupled look-back: each record is read and each that
 * lives is written once.  count[1]: those that live. */
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

/* Does record `first` + i live, or not? */
template <bool lives> struct is_it {
  const unsigned char *first; /* its t_left */
  size_t bytes;
  __device__ __forceinline__ bool operator()(uint32_t i) const
  {
    return (*(const float *)(first + i * bytes) >= 0.0f) == lives;
  }
};

/* A list that takes no more than there is memory for, should the counts be wrong. */
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

/* The places [first, first + n) whose records live, or do not, in ascending order, less
 * `first`.  memory NULL: only *bytes, what it needs. */
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

/* The k-th of the living behind the new end moves into the k-th hole before it.  One
 * thread = a 16-byte word; reads and writes a record each, and 4 bytes of each list. */
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

/* n_alive particles live.  Those behind place n_alive that do are as many as there are
 * holes before it, and the k-th of them moves into the k-th hole: what is read is t_left
 * of all, what is moved is only they.  The result does not depend on who came first.
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

/* Fewer bytes of records than this are compacted in order: two kernels instead of five.
 * An estimate; bench/schedulers --compaction has both ways. */
#define IN_ORDER_BELOW ((size_t)16 << 20)

static int take_away(struct wn_gpu_store *t, size_t n, enum wn_gpu_compaction way)
{
  int done = 0;
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
  /* nobody waits for it: how many live is known, and whether that is true is looked at by
   * the next who waits */
  t->unsettled = 1;
  t->settled_n = p->n;
  t->settled_dead = t->dead;
  p->n -= t->dead;
  p->place = WN_PARTICLES_REMOTE;
  t->dead = 0;
  return WN_OK;
}

static int compact(void *remote, struct wn_particles *p)
{
  return compact_by((struct wn_gpu_store *)remote, p, WN_GPU_COMPACT_AUTO);
}

int wn_gpu_compact(struct wn_particles *p, enum wn_gpu_compaction way)
{
  if (p->remote_ops != &wn_gpu_remote_ops || p->place == WN_PARTICLES_HOST)
    return WN_FAIL(WN_EINTERN, "the electrons are not on a GPU");
  return compact_by((struct wn_gpu_store *)p->remote, p, way);
}

const struct wn_particles_remote_ops wn_gpu_remote_ops = {to_host, compact, wn_gpu_sample,
                                                          wn_gpu_change, destroy};
