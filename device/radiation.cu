/* device/radiation.cu - bremsstrahlung of the electrons of a store on the device at the end of a step: gpu.h,
 * physics/photons/radiating_path.h.  A launch lists photons and changes no electron, so that it is repeated where its list was too short; another
 * takes the energy off the electrons, by the same random numbers. */
#include "physics/photons/radiating_path.h" /* before any other header of cuRAND */
#include <stdlib.h>
#include "base/alloc.h"
#include "device/device.cuh"

struct wn_gpu_radiation {
  struct wn_gpu *gpu;
  struct wn_radiation_tables is; /* with pointers of the device */
  struct wn_gpu_photon_tables *tables;
  struct wn_gpu_copy above, below;
  size_t room; /* photons of the longest list so far */
};

/* The step that ends, and where sums and photons go. */
struct step {
  double time, interval;
  uint32_t number, n_groups;
};

struct list {
  struct wn_photon *photon; /* [room] */
  unsigned long long *count, room;
};

/* One thread = one electron at a time.  Reads 64 bytes of each in sectors of 32, of those above the cut a few numbers of each table; one
 * atomic of two words for each of these, 96 bytes and an atomic for each photon.  Limit expected: double precision of those above the cut. */
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    list_kernel(const __grid_constant__ struct wn_radiation_tables m,
                const __grid_constant__ struct step s, const struct wn_electron *all,
                size_t n, wn_i128 *cells, unsigned int copies, struct list to)
{
  wn_i128 *soft = cells + (blockIdx.x % copies) * s.n_groups;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    const struct wn_electron e = all[i];
    struct wn_radiating path;
    struct wn_photon p;
    if (e.t_left < 0.0f || !wn_radiating_begin(&m, &e, s.interval, s.number, &path))
      continue;
    while (wn_radiating_next(&m, &e, s.time, &path, &p)) {
      const unsigned long long at = atomicAdd(to.count, 1ull);
      if (at < to.room)
        to.photon[at] = p;
    }
    wn_tally_sum(&soft[wn_electron_group(e.tag, s.n_groups)],
                 wn_radiating_soft_ev(&path, &e), WN_FIX_ENERGY);
  }
}

/* The same paths; writes 12 bytes of each electron above the cut. */
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    slow_kernel(const __grid_constant__ struct wn_radiation_tables m,
                const __grid_constant__ struct step s, struct wn_electron *all, size_t n)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    const struct wn_electron e = all[i];
    struct wn_radiating path;
    struct wn_photon p;
    float u[3];
    if (e.t_left < 0.0f || !wn_radiating_begin(&m, &e, s.interval, s.number, &path))
      continue;
    while (wn_radiating_next(&m, &e, s.time, &path, &p))
      ;
    wn_radiating_end(&path, u);
    for (int k = 0; k < 3; k++)
      all[i].u[k] = u[k];
  }
}

int wn_gpu_radiation_create(struct wn_gpu *g, const struct wn_radiation_tables *is,
                            struct wn_gpu_radiation **out)
{
  struct wn_gpu_radiation *q = (struct wn_gpu_radiation *)wn_alloc(1, sizeof *q);
  if (q == NULL)
    return WN_ENOMEM;
  const size_t bytes = (size_t)is->n_knots * sizeof *is->above;
  q->gpu = g;
  q->is = *is;
  int status = wn_gpu_photon_tables_create(g, &is->medium, &q->is.medium, &q->tables);
  if (status == WN_OK)
    status = wn_gpu_copy(g, is->above, bytes, &q->above);
  if (status == WN_OK)
    status = wn_gpu_copy(g, is->below, bytes, &q->below);
  if (status != WN_OK) {
    wn_gpu_radiation_free(q);
    return status;
  }
  q->is.above = (const double *)q->above.at;
  q->is.below = (const double *)q->below.at;
  *out = q;
  return WN_OK;
}

void wn_gpu_radiation_free(struct wn_gpu_radiation *q)
{
  if (q == NULL)
    return;
  wn_gpu_photon_tables_free(q->tables);
  wn_gpu_copy_free(q->gpu, &q->above);
  wn_gpu_copy_free(q->gpu, &q->below);
  free(q);
}

/* In the scratch memory: the count in the place of the first photon, the list, then sums. */
static int lay_out(struct wn_gpu_radiation *q, size_t n_groups, struct list *to,
                   wn_i128 **sums)
{
  static_assert(sizeof(struct wn_photon) == WN_GPU_PHOTON_BYTES &&
                    sizeof(struct wn_photon) % sizeof(wn_i128) == 0,
                "the sums are aligned, and the forecast knows the bytes");
  struct wn_gpu *g = q->gpu;
  const size_t photons = (q->room + 1) * sizeof *to->photon;
  WN_TRY(wn_gpu_scratch_fit(g, photons + n_groups * sizeof **sums));
  to->count = (unsigned long long *)(void *)g->scratch;
  to->photon = (struct wn_photon *)(void *)g->scratch + 1;
  to->room = q->room;
  *sums = (wn_i128 *)(void *)(g->scratch + photons);
  return WN_OK;
}

/* How many photons there are; the list has them if there is room for all. */
static int list_photons(struct wn_gpu_radiation *q, const struct step *s,
                        const struct wn_electron *e, size_t n, struct list *to,
                        wn_i128 **sums, size_t *found)
{
  struct wn_gpu *g = q->gpu;
  WN_TRY(lay_out(q, s->n_groups, to, sums));
  WN_TRY(wn_gpu_check((int)cudaMemsetAsync(to->count, 0, sizeof *to->count, g->stream),
                      "radiation of photons"));
  const size_t copies = wn_gpu_copies(g, s->n_groups);
  list_kernel<<<wn_gpu_stride_blocks(g, n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
      q->is, *s, e, n, g->cells, (unsigned int)copies, *to);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "radiation of photons"));
  WN_TRY(wn_gpu_fold(g, s->n_groups, copies, *sums));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->host_scratch, to->count, sizeof *to->count,
                                           cudaMemcpyDeviceToHost, g->stream),
                      "radiation of photons"));
  WN_TRY(wn_gpu_wait(g, "radiation of photons"));
  *found = (size_t) * (const unsigned long long *)(const void *)g->host_scratch;
  return WN_OK;
}

/* n photons and the sums, which lie on the host as they do there. */
static int fetch(struct wn_gpu *g, const struct list *from, const wn_i128 *sums, size_t n,
                 size_t n_groups, wn_i128 *soft, const struct wn_photon **out)
{
  unsigned char *photons =
                    g->host_scratch + ((const unsigned char *)from->photon - g->scratch),
                *home = g->host_scratch + ((const unsigned char *)sums - g->scratch);
  if (n > 0)
    WN_TRY(
        wn_gpu_check((int)cudaMemcpyAsync(photons, from->photon, n * sizeof *from->photon,
                                          cudaMemcpyDeviceToHost, g->stream),
                     "photons to the host"));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(home, sums, n_groups * sizeof *sums,
                                           cudaMemcpyDeviceToHost, g->stream),
                      "photons to the host"));
  WN_TRY(wn_gpu_wait(g, "photons to the host"));
  for (size_t k = 0; k < n_groups; k++)
    soft[k] += ((const wn_i128 *)(const void *)home)[k];
  *out = (const struct wn_photon *)(const void *)photons;
  return WN_OK;
}

int wn_gpu_radiate(struct wn_gpu_radiation *q, struct wn_particles *p, double time,
                   double interval, uint32_t step, size_t n_groups, wn_i128 *soft,
                   const struct wn_photon **out, size_t *n)
{
  struct wn_gpu *g = q->gpu;
  struct wn_gpu_store *t = wn_gpu_store_of(g, p);
  const struct step s = {time, interval, step, (uint32_t)n_groups};
  struct list to = {};
  wn_i128 *sums = NULL;
  *n = 0;
  *out = NULL;
  if (p->n == 0)
    return WN_OK;
  if (t == NULL || p->place == WN_PARTICLES_HOST ||
      p->record.bytes != sizeof(struct wn_electron))
    return WN_FAIL(WN_EINTERN, "radiation of others than electrons on the GPU");
  WN_TRY(wn_gpu_use(g));
  WN_TRY(wn_gpu_cells_fit(g, n_groups * sizeof *g->cells));
  if (q->room < wn_gpu_photons(p->n))
    q->room = wn_gpu_photons(p->n);
  struct wn_electron *e = (struct wn_electron *)wn_gpu_records(t);
  WN_TRY(list_photons(q, &s, e, p->n, &to, &sums, n));
  if (*n > q->room) {
    q->room = *n;
    WN_TRY(list_photons(q, &s, e, p->n, &to, &sums, n));
  }
  if (*n > q->room)
    return WN_FAIL(WN_EINTERN, "%zu photons, and %zu before", *n, q->room);
  p->place = WN_PARTICLES_REMOTE;
  slow_kernel<<<wn_gpu_stride_blocks(g, p->n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
      q->is, s, e, p->n);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "energy of photons"));
  return fetch(g, &to, sums, *n, n_groups, soft, out);
}
