/* device/addresses.cu - see addresses.cuh. */
#include "device/addresses.cuh"
#include <cuda.h>
#include <cudaTypedefs.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "device/device.cuh"

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

static CUmemAllocationProp memory_of(const struct wn_gpu *g)
{
  CUmemAllocationProp prop = {};
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  prop.location.id = g->index;
  return prop;
}

int wn_gpu_addresses(struct wn_gpu *g, const char *what, size_t bytes,
                     struct wn_gpu_addresses *out)
{
  CUmemAllocationProp prop = memory_of(g);
  CUdeviceptr base = 0;
  size_t page = 0;
  *out = {};
  WN_TRY(find_driver());
  WN_TRY(check(driver.granularity(&page, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM), what));
  page = wn_gpu_round(WN_GPU_PAGE, page);
  bytes = wn_gpu_round(bytes, page);
  WN_TRY(check(driver.reserve(&base, bytes, 0, 0, 0), what));
  out->gpu = g;
  out->base = base;
  out->bytes = bytes;
  out->page = page;
  return WN_OK;
}

static int note(struct wn_gpu_addresses *a, size_t at, size_t bytes)
{
  struct wn_gpu_piece *piece =
      (struct wn_gpu_piece *)wn_realloc(a->piece, a->n_pieces + 1, sizeof *piece);
  if (piece == NULL)
    return WN_ENOMEM;
  a->piece = piece;
  a->piece[a->n_pieces].at = at;
  a->piece[a->n_pieces].bytes = bytes;
  return WN_OK;
}

/* The memory of a handle at these addresses. */
static int map(struct wn_gpu_addresses *a, const char *what, size_t at, size_t bytes,
               CUmemGenericAllocationHandle handle)
{
  CUmemAccessDesc access = {};
  WN_TRY(note(a, at, bytes));
  WN_TRY(check(driver.map(a->base + at, bytes, 0, handle, 0), what));
  a->n_pieces++;
  access.location = memory_of(a->gpu).location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  return check(driver.set_access(a->base + at, bytes, &access, 1), what);
}

int wn_gpu_addresses_map(struct wn_gpu_addresses *a, const char *what, size_t at,
                         size_t bytes, int *enough)
{
  const CUmemAllocationProp prop = memory_of(a->gpu);
  CUmemGenericAllocationHandle handle;
  const CUresult result = driver.create(&handle, bytes, &prop, 0);
  *enough = result != CUDA_ERROR_OUT_OF_MEMORY;
  if (!*enough)
    return WN_OK;
  WN_TRY(check(result, what));
  const int status = map(a, what, at, bytes, handle);
  a->memory += bytes;
  a->gpu->used += bytes;
  /* mapped memory persists until it is unmapped */
  const int released = check(driver.release(handle), what);
  return status != WN_OK ? status : released;
}

void wn_gpu_addresses_free(struct wn_gpu_addresses *a)
{
  if (a->gpu != NULL && wn_gpu_works(a->gpu)) {
    (void)wn_gpu_wait(a->gpu,
                      "unmapping memory"); /* unmapping does not wait for kernels */
    for (size_t i = 0; i < a->n_pieces; i++)
      check(driver.unmap(a->base + a->piece[i].at, a->piece[i].bytes),
            "unmapping memory");
    check(driver.address_free(a->base, a->bytes), "addresses of memory");
    a->gpu->used -= a->memory;
  }
  free(a->piece);
  *a = {};
}

/* The arrays of which parts have memory. */
struct parted {
  size_t times, elements, bytes; /* of an element */
  const struct wn_gpu_part *part;
};

/* Whether a part has bytes of the page at `at`. */
static bool has(const struct wn_gpu_addresses *a, const struct parted *p, size_t at)
{
  bool is = p->part->n == 0;
  for (size_t k = 0; k < p->times && !is; k++)
    for (size_t i = 0; i < p->part->n; i++) {
      const size_t first = k * p->elements;
      is = is || ((first + p->part->from[i]) * p->bytes < at + a->page &&
                  (first + p->part->to[i]) * p->bytes > at);
    }
  return is;
}

static int map_part(struct wn_gpu_addresses *a, const char *what, const struct parted *p)
{
  CUmemGenericAllocationHandle spare = 0;
  const CUmemAllocationProp prop = memory_of(a->gpu);
  int enough = 1, status = WN_OK;
  for (size_t at = 0, end; at < a->bytes && status == WN_OK && enough; at = end) {
    const bool is = has(a, p, at);
    for (end = at + a->page; end < a->bytes && has(a, p, end) == is;)
      end += a->page;
    if (is) {
      status = wn_gpu_addresses_map(a, what, at, end - at, &enough);
      continue;
    }
    if (spare == 0) {
      const CUresult result = driver.create(&spare, a->page, &prop, 0);
      enough = result != CUDA_ERROR_OUT_OF_MEMORY;
      status = enough ? check(result, what) : WN_OK;
      a->memory += status == WN_OK && enough ? a->page : 0;
      a->gpu->used += status == WN_OK && enough ? a->page : 0;
    }
    for (size_t page = at; page < end && status == WN_OK && enough; page += a->page)
      status = map(a, what, page, a->page, spare);
  }
  if (spare != 0) { /* mapped memory persists until it is unmapped */
    const int released = check(driver.release(spare), what);
    status = status != WN_OK ? status : released;
  }
  if (status != WN_OK || enough)
    return status;
  size_t available = 0, total = 0;
  WN_TRY(wn_gpu_check((int)cudaMemGetInfo(&available, &total), "size of its memory"));
  return WN_FAIL(WN_ENOMEM, "%s: %.3f GiB of the GPU's %.3f GiB of memory are free", what,
                 (double)available / WN_GPU_GIB, (double)total / WN_GPU_GIB);
}

int wn_gpu_addresses_part(struct wn_gpu *g, const char *what, size_t times,
                          size_t elements, size_t element_bytes,
                          const struct wn_gpu_part *part, struct wn_gpu_addresses *out)
{
  const struct parted p = {times, elements, element_bytes, part};
  WN_TRY(wn_gpu_addresses(g, what, times * elements * element_bytes, out));
  const int status = map_part(out, what, &p);
  if (status != WN_OK)
    wn_gpu_addresses_free(out);
  return status;
}

int wn_gpu_part_zero(const struct wn_gpu *g, const char *what, void *array,
                     size_t elements, size_t element_bytes,
                     const struct wn_gpu_part *part)
{
  return wn_gpu_part_each(part, elements, [&](size_t from, size_t to) {
    return wn_gpu_check(
        (int)cudaMemsetAsync((unsigned char *)array + from * element_bytes, 0,
                             (to - from) * element_bytes, g->stream),
        what);
  });
}
