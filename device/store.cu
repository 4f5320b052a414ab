/* device/store.cu - the electrons on the device: memory that grows in place, to
 * and from the host, and the dead taken away.  The calls that map memory belong to the
 * driver; they are looked up when the program runs, so that it also starts where there is
 * no driver. */
#include "device/device.cuh"
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cub/device/device_select.cuh>
#include <stdlib.h>
#include "base/alloc.h"

/* How the store grows: doubled up to this size, then by a part of it, so that what is
 * used stays within 5 % of what is needed (wn_gpu_forecast).  Each growth costs a launch.
 */
#define DOUBLED_BYTES ((size_t)512 << 20)
#define STEP_PART     20
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

int wn_gpu_store_create(struct wn_gpu *g)
{
  CUmemAllocationProp prop = memory_of(g->options.gpu);
  CUdeviceptr base = 0;
  size_t page = 0, available, total;
  WN_TRY(find_driver());
  WN_TRY(check(driver.granularity(&page, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
               "granularity of memory"));
  WN_TRY(wn_gpu_check((int)cudaMemGetInfo(&available, &total), "size of its memory"));
  page = wn_gpu_round(WN_GPU_PAGE, page);
  total = wn_gpu_round(total, page);
  WN_TRY(check(driver.reserve(&base, total, 0, 0, 0), "addresses for the electrons"));
  g->store.base = base;
  g->store.reserved = total;
  g->store.page = page;
  return WN_OK;
}

void wn_gpu_store_free(struct wn_gpu *g)
{
  struct wn_gpu_store *t = &g->store;
  size_t at = 0;
  for (size_t i = 0; i < t->n_chunks; at += t->chunk[i++])
    check(driver.unmap(t->base + at, t->chunk[i]), "unmapping the electrons");
  if (t->reserved > 0)
    check(driver.address_free(t->base, t->reserved), "addresses of the electrons");
  if (t->select != NULL)
    wn_gpu_release(g, t->select, t->select_bytes);
  free(t->chunk);
  g->used -= t->mapped;
  *t = wn_gpu_store();
}

/* Put `bytes` more behind the store; *enough = 0 when there are not so many. */
static int map_more(struct wn_gpu *g, size_t bytes, int *enough)
{
  struct wn_gpu_store *t = &g->store;
  CUmemAllocationProp prop = memory_of(g->options.gpu);
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
  g->used += bytes;
  return status != WN_OK ? status : released;
}

/* Bytes of a store with room for n electrons. */
static size_t bytes_for(const struct wn_gpu *g, size_t n, double newborns)
{
  size_t places = n + wn_gpu_reserve(g->multiprocessors, newborns);
  return wn_gpu_round(places * sizeof(struct wn_electron), g->store.page);
}

/* The most electrons for which there is room, up to limit. */
static void set_room(struct wn_gpu *g, size_t limit, double newborns)
{
  struct wn_gpu_store *t = &g->store;
  t->hard = t->mapped / sizeof(struct wn_electron);
  size_t reserve = wn_gpu_reserve(g->multiprocessors, newborns),
         fits = t->hard > reserve ? t->hard - reserve : 0;
  t->room = fits < limit ? fits : limit;
}

int wn_gpu_store_fit(struct wn_gpu *g, size_t need, size_t limit, double newborns,
                     int *enough)
{
  struct wn_gpu_store *t = &g->store;
  *enough = 1;
  set_room(g, limit, newborns);
  if (t->mapped > 0 && t->room >= need)
    return WN_OK;
  size_t least = bytes_for(g, need, newborns), most = bytes_for(g, limit, newborns),
         want = t->mapped, available, total;
  if (want == 0)
    want = least;
  else if (want < DOUBLED_BYTES)
    want = 2 * want < DOUBLED_BYTES ? 2 * want : DOUBLED_BYTES;
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
  WN_TRY(map_more(g, want - t->mapped, enough));
  if (!*enough && want > least)
    WN_TRY(map_more(g, least - t->mapped, enough));
  set_room(g, limit, newborns);
  return WN_OK;
}

int wn_gpu_upload(struct wn_gpu *g, const struct wn_particles *p)
{
  if (p->n > 0)
    WN_TRY(
        wn_gpu_check((int)cudaMemcpyAsync(wn_gpu_electrons(g), p->e, p->n * sizeof *p->e,
                                          cudaMemcpyHostToDevice, g->stream),
                     "copying electrons to the device"));
  /* the caller may change p->e as soon as this returns */
  WN_TRY(wn_gpu_wait(g, "copying electrons to the device"));
  g->store.owner = p;
  g->store.dead = 0;
  return WN_OK;
}

static int to_host(void *remote, struct wn_particles *p)
{
  struct wn_gpu *g = &((struct wn_scheduler *)remote)->gpu;
  if (g->store.owner != p)
    return WN_FAIL(WN_EINTERN, "the GPU holds the electrons of another store");
  WN_TRY(wn_gpu_use(g));
  if (p->n > p->capacity) {
    /* also beyond p->limit: what was born when the store was found full comes along */
    struct wn_electron *e =
        (struct wn_electron *)wn_alloc_aligned(p->n, sizeof *e, sizeof *e);
    if (e == NULL)
      return WN_ENOMEM;
    free(p->e);
    p->e = e;
    p->capacity = p->n;
  }
  if (p->n > 0)
    WN_TRY(
        wn_gpu_check((int)cudaMemcpyAsync(p->e, wn_gpu_electrons(g), p->n * sizeof *p->e,
                                          cudaMemcpyDeviceToHost, g->stream),
                     "copying electrons to the host"));
  return wn_gpu_wait(g, "copying electrons to the host");
}

/* An electron as CUB moves it: four 16-byte words. */
struct alignas(16) moved {
  uint4 word[4];
};
static_assert(sizeof(struct moved) == sizeof(struct wn_electron) &&
                  offsetof(struct wn_electron, t_left) == 56,
              "t_left is the third part of the last word");

struct is_alive {
  __device__ __forceinline__ bool operator()(const struct moved &e) const
  {
    return __uint_as_float(e.word[3].z) >= 0.0f;
  }
};

/* In place and in order, by CUB's decoupled look-back: each electron is read and each
 * that lives is written once. */
static int compact(void *remote, struct wn_particles *p)
{
  struct wn_gpu *g = &((struct wn_scheduler *)remote)->gpu;
  struct wn_gpu_store *t = &g->store;
  struct moved *e = (struct moved *)t->base;
  long long *d_living = (long long *)g->scratch, living;
  size_t bytes = 0;
  if (t->owner != p)
    return WN_FAIL(WN_EINTERN, "the GPU holds the electrons of another store");
  if (t->dead == 0)
    return WN_OK;
  WN_TRY(wn_gpu_use(g));
  WN_TRY(wn_gpu_check((int)cub::DeviceSelect::If(NULL, bytes, e, d_living, (int64_t)p->n,
                                                 is_alive(), g->stream),
                      "compaction of the electrons"));
  if (bytes > t->select_bytes) {
    if (t->select != NULL)
      wn_gpu_release(g, t->select, t->select_bytes);
    t->select = NULL;
    t->select_bytes = 0;
    /* the store has grown to where it is: an eighth more saves the next allocations */
    size_t with_rest = bytes + bytes / 8;
    WN_TRY(wn_gpu_alloc(g, "compaction of the electrons", with_rest, &t->select));
    t->select_bytes = with_rest;
  }
  WN_TRY(wn_gpu_check((int)cub::DeviceSelect::If(t->select, bytes, e, d_living,
                                                 (int64_t)p->n, is_alive(), g->stream),
                      "compaction of the electrons"));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->host_scratch, d_living, sizeof living,
                                           cudaMemcpyDeviceToHost, g->stream),
                      "compaction of the electrons"));
  WN_TRY(wn_gpu_wait(g, "compaction of the electrons"));
  living = *(const long long *)(const void *)g->host_scratch;
  if ((size_t)living != p->n - t->dead)
    return WN_FAIL(WN_EINTERN, "%zu electrons, %zu deaths, but %lld are alive", p->n,
                   t->dead, living);
  p->n = (size_t)living;
  t->dead = 0;
  return WN_OK;
}

const struct wn_particles_remote_ops wn_gpu_remote_ops = {to_host, compact, wn_gpu_sample,
                                                          wn_gpu_change};
