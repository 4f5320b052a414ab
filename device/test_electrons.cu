/* device/test_electrons.cu - electrons of the plasma on the device that test electrons look at: gpu.h,
 * physics/test_electron.h.  A launch finds those that start, and changes tags but for their marks, so that it can be
 * repeated with more room for its list; another sets the marks. */
#include "physics/test_electron.h" /* before any other header of cuRAND */
#include "device/device.cuh"
#include <string.h>

/* One thread = one electron at a time.  Reads 64 bytes of each, in sectors of 32, and writes the tag where it changes;
 * of those above `from` some atomics to sums in the level-2 cache.  Limit expected: memory. */
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    find_kernel(const __grid_constant__ struct wn_test_rule is, struct wn_electron *all,
                size_t n, wn_i128 *cells, size_t n_cells, unsigned int copies,
                struct wn_electron *list, unsigned long long *place,
                unsigned long long room, unsigned long long *count)
{
  wn_i128 *sums = cells + (blockIdx.x % copies) * n_cells;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    struct wn_electron e = all[i];
    const uint32_t before = e.tag;
    if (wn_test_find(&is, &e) && wn_test_look(&is, &e, sums)) {
      const unsigned long long at = atomicAdd(count, 1ull);
      if (at < room) {
        list[at] = e;
        place[at] = i;
      }
    }
    if (e.tag != before)
      all[i].tag = e.tag;
  }
}

static __global__ void mark_kernel(struct wn_electron *all,
                                   const unsigned long long *place, size_t n)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    all[place[i]].tag |= WN_TEST_MARK;
}

/* The count in place of the first record, the list, places, then sums. */
struct scratch {
  unsigned long long *count, *place;
  struct wn_electron *list;
  wn_i128 *sums;
};

static int lay_out(struct wn_gpu *g, size_t room, size_t n_cells, struct scratch *s)
{
  const size_t records = (room + 1) * sizeof *s->list,
               places = (room + room % 2) * sizeof *s->place;
  WN_TRY(wn_gpu_scratch_fit(g, records + places + n_cells * sizeof *s->sums));
  s->count = (unsigned long long *)(void *)g->scratch;
  s->list = (struct wn_electron *)(void *)g->scratch + 1;
  s->place = (unsigned long long *)(void *)(g->scratch + records);
  s->sums = (wn_i128 *)(void *)(g->scratch + records + places);
  return WN_OK;
}

/* How many start; the list has them if there is room for all.  The sums are of all that are above. */
static int find(struct wn_gpu *g, struct wn_electron *e, size_t n,
                const struct wn_test_rule *is, size_t n_cells, size_t room,
                struct scratch *s, size_t *found)
{
  WN_TRY(lay_out(g, room, n_cells, s));
  WN_TRY(wn_gpu_check((int)cudaMemsetAsync(s->count, 0, sizeof *s->count, g->stream),
                      "test electrons"));
  const size_t copies = wn_gpu_copies(g, n_cells);
  find_kernel<<<wn_gpu_stride_blocks(g, n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
      *is, e, n, g->cells, n_cells, (unsigned int)copies, s->list, s->place, room,
      s->count);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "test electrons"));
  WN_TRY(wn_gpu_fold(g, n_cells, copies, s->sums));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->host_scratch, s->count, sizeof *s->count,
                                           cudaMemcpyDeviceToHost, g->stream),
                      "test electrons"));
  WN_TRY(wn_gpu_wait(g, "test electrons"));
  *found = (size_t) * (const unsigned long long *)(const void *)g->host_scratch;
  return WN_OK;
}

/* Of n_found records, and of the sums; both lie on the host as they do there. */
static int fetch(struct wn_gpu *g, const struct scratch *s, size_t n_found,
                 size_t n_cells, wn_i128 *sums, struct wn_electron **out)
{
  unsigned char *to_list = g->host_scratch + ((unsigned char *)s->list - g->scratch),
                *to_sums = g->host_scratch + ((unsigned char *)s->sums - g->scratch);
  if (n_found > 0)
    WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(to_list, s->list, n_found * sizeof *s->list,
                                             cudaMemcpyDeviceToHost, g->stream),
                        "test electrons"));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(to_sums, s->sums, n_cells * sizeof *s->sums,
                                           cudaMemcpyDeviceToHost, g->stream),
                      "test electrons"));
  WN_TRY(wn_gpu_wait(g, "test electrons"));
  for (size_t i = 0; i < n_cells; i++)
    sums[i] += ((const wn_i128 *)(const void *)to_sums)[i];
  *out = (struct wn_electron *)(void *)to_list;
  return WN_OK;
}

int wn_gpu_test_electrons(struct wn_gpu *g, struct wn_particles *p,
                          const struct wn_test_rule *asked, const double *thresholds,
                          wn_i128 *sums, struct wn_electron **out, size_t *n)
{
  const struct wn_gpu_store *t = wn_gpu_store_of(g, p);
  const size_t n_cells = (size_t)asked->n_groups * (1 + asked->n_thresholds);
  struct wn_test_rule is = *asked;
  struct scratch s;
  size_t room = p->n / 256 + 1024;
  *n = 0;
  *out = NULL;
  if (p->n == 0)
    return WN_OK;
  if (t == NULL || p->place == WN_PARTICLES_HOST ||
      p->record.bytes != sizeof(struct wn_electron))
    return WN_FAIL(WN_EINTERN, "test electrons of others than electrons on the GPU");
  is.threshold_ev = thresholds;
  WN_TRY(wn_gpu_use(g));
  WN_TRY(wn_gpu_cells_fit(g, n_cells * sizeof *g->cells));
  struct wn_electron *e = (struct wn_electron *)wn_gpu_records(t);
  p->place = WN_PARTICLES_REMOTE;
  WN_TRY(find(g, e, p->n, &is, n_cells, room, &s, n));
  if (*n > room) {
    room = *n;
    WN_TRY(find(g, e, p->n, &is, n_cells, room, &s, n));
  }
  if (*n > room)
    return WN_FAIL(WN_EINTERN, "%zu electrons start test electrons, and %zu before", *n,
                   room);
  if (*n > 0)
    mark_kernel<<<wn_gpu_stride_blocks(g, *n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
        e, s.place, *n);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "test electrons"));
  return fetch(g, &s, *n, n_cells, sums, out);
}
