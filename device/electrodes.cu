/* device/electrodes.cu - particles of a store that are in an electrode or dielectric: gpu.h, physics/electrode_view.h.  A launch
 * finds them, and changes nothing, so that it can be repeated with more room for its list; another marks them dead. */
#include "physics/electrode_view.h" /* before any other header of cuRAND */
#include "device/device.cuh"
#include <string.h>

#define WHAT "particles in electrodes"

/* One thread = one particle at a time, an electron where dim is 0, else a point.  Reads the place and the word that marks a
 * dead one, in sectors of 32 bytes, and a byte of a table; a formula in cells of a surface.  Limit expected: memory. */
template <int dim, int n_v>
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    find_kernel(const __grid_constant__ struct wn_electrode_view view,
                const __grid_constant__ struct wn_grid_view grid, const void *records,
                size_t n, struct wn_electrode_hit *list, unsigned long long room,
                unsigned long long *count)
{
  constexpr int words = dim + n_v > 4 ? 8 : 4;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    struct wn_electrode_hit hit;
    int is;
    if (dim == 0) {
      const struct wn_electron *e = (const struct wn_electron *)records + i;
      is = e->t_left >= 0.0f && wn_electrode_hit_electron(&view, &grid, e, &hit);
    } else {
      const union wn_word *r = (const union wn_word *)records + i * words;
      is = r[0].i >= 0 && wn_electrode_hit_point(&view, &grid, dim, n_v, r, &hit);
    }
    if (!is)
      continue;
    const unsigned long long at = atomicAdd(count, 1ull);
    hit.i = i;
    if (at < room)
      list[at] = hit;
  }
}

/* word: where it is in a record. */
static __global__ void end_kernel(unsigned char *records, size_t bytes, size_t word,
                                  int32_t dead, const struct wn_electrode_hit *list,
                                  size_t n)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    *(int32_t *)(records + list[i].i * bytes + word) = dead;
}

/* The count in place of the first of the list. */
static int find(struct wn_gpu *g, const struct wn_gpu_store *t, const struct wn_points *m,
                const struct wn_electrode_view *view, size_t n, size_t room,
                size_t *found)
{
  WN_TRY(wn_gpu_scratch_fit(g, (room + 1) * sizeof(struct wn_electrode_hit)));
  unsigned long long *count = (unsigned long long *)(void *)g->scratch;
  struct wn_electrode_hit *list = (struct wn_electrode_hit *)(void *)g->scratch + 1;
  const unsigned int blocks = wn_gpu_stride_blocks(g, n);
  const void *records = wn_gpu_records(t);
  const int dim = m->grid.dim, n_v = wn_point_velocities(m->kind);
  WN_TRY(wn_gpu_check((int)cudaMemsetAsync(count, 0, sizeof *count, g->stream), WHAT));
  switch (!t->record.no_t_left ? 0 : 10 * dim + n_v) {
  case 0:
    find_kernel<0, 3><<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
        *view, m->grid, records, n, list, room, count);
    break;
  case 22:
    find_kernel<2, 2><<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
        *view, m->grid, records, n, list, room, count);
    break;
  case 23:
    find_kernel<2, 3><<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
        *view, m->grid, records, n, list, room, count);
    break;
  case 33:
    find_kernel<3, 3><<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
        *view, m->grid, records, n, list, room, count);
    break;
  default:
    return WN_FAIL(WN_EINTERN, "electrodes and points of %d dimensions, %d velocities",
                   dim, n_v);
  }
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), WHAT));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->host_scratch, count, sizeof *count,
                                           cudaMemcpyDeviceToHost, g->stream),
                      WHAT));
  WN_TRY(wn_gpu_wait(g, WHAT));
  unsigned long long all;
  memcpy(&all, g->host_scratch, sizeof all);
  *found = (size_t)all;
  return WN_OK;
}

/* Of the n in the list: dead in the store, and to the host. */
static int take(struct wn_gpu *g, struct wn_gpu_store *t, size_t n,
                struct wn_electrode_hit **out)
{
  const struct wn_electrode_hit *list =
      (const struct wn_electrode_hit *)(const void *)g->scratch + 1;
  struct wn_electrode_hit *here = (struct wn_electrode_hit *)(void *)g->host_scratch + 1;
  const float dead_electron = WN_DEAD;
  int32_t dead = WN_POINT_DEAD;
  if (!t->record.no_t_left)
    memcpy(&dead, &dead_electron, sizeof dead);
  end_kernel<<<wn_gpu_stride_blocks(g, n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
      (unsigned char *)wn_gpu_records(t), t->record.bytes, t->record.t_left, dead, list,
      n);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), WHAT));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(here, list, n * sizeof *list,
                                           cudaMemcpyDeviceToHost, g->stream),
                      WHAT));
  *out = here;
  return wn_gpu_wait(g, WHAT);
}

int wn_gpu_in_electrodes(struct wn_gpu *g, struct wn_particles *p,
                         const struct wn_points *m, const struct wn_electrode_view *there,
                         struct wn_electrode_hit **out, size_t *n)
{
  struct wn_gpu_store *t = wn_gpu_store_of(g, p);
  const size_t few = p->n / 256 + 1024;
  *n = 0;
  *out = NULL;
  if (p->n == 0)
    return WN_OK;
  if (t == NULL || p->place == WN_PARTICLES_HOST ||
      p->record.bytes != (t->record.no_t_left
                              ? sizeof(union wn_word) * (size_t)wn_point_words(m->kind)
                              : sizeof(struct wn_electron)))
    return WN_FAIL(WN_EINTERN, "electrodes and particles of another kind, or not on "
                               "the GPU");
  WN_TRY(wn_gpu_use(g));
  WN_TRY(find(g, t, m, there, p->n, few, n));
  if (*n > few) {
    const size_t room = *n;
    WN_TRY(find(g, t, m, there, p->n, room, n));
    if (*n != room)
      return WN_FAIL(WN_EINTERN, "%zu particles in electrodes, and %zu before", *n, room);
  }
  WN_TRY(wn_gpu_store_settle(t));
  if (*n == 0)
    return WN_OK;
  WN_TRY(take(g, t, *n, out));
  t->dead += *n;
  p->place = WN_PARTICLES_REMOTE;
  wn_gpu_store_forget(
      t); /* their charge, which a scheduler may have left for the next step */
  return WN_OK;
}
