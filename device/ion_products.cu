/* device/ion_products.cu - ions that electrons in a grid leave behind, on the device:
 * gpu.h. */
#include "physics/rng.h" /* before any other header of cuRAND */
#include "device/device.cuh"
#include <stdlib.h>
#include "base/alloc.h"
#include "physics/ion.h"
#include "physics/mcc_grid.h"

/* Records that wait until the end of a step. */
struct wn_gpu_products {
  struct wn_gpu *gpu;
  size_t bytes;             /* of a record */
  const struct wn_ion *ion; /* of their model, if they collide */
  size_t n, room;           /* records, and places */
  unsigned char *e;         /* [room] */
  unsigned long long *count;
};

/* The ion of each of n electrons, in their order; or (attached) of the attached ones
 * among them, in any order.  Reads 64 bytes (32 for a living electron), writes a record
 * each. */
template <bool attached>
static __global__ void
make_kernel(const __grid_constant__ struct wn_mcc_grid grid,
            const __grid_constant__ struct wn_ion ion, int collides, uint64_t seed,
            double sigma, const struct wn_electron *e, size_t n, size_t bytes,
            unsigned char *to, unsigned long long room, unsigned long long *count)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    unsigned long long at = i;
    if (attached) {
      if (!(e[i].t_left < 0.0f) || e[i].at[0] == WN_POINT_DEAD)
        continue;
      at = atomicAdd(count, 1ull);
    }
    if (at >= room)
      continue;
    const struct wn_electron own = e[i];
    if (collides) {
      struct wn_electron left;
      wn_ion_left_by(&ion, &own, seed, sigma, &left);
      ((struct wn_electron *)to)[at] = left;
      continue;
    }
    union wn_word r[8];
    wn_mcc_grid_ion(&grid, &own, seed, sigma, r);
    for (size_t k = 0; k < bytes / sizeof *r; k++)
      ((union wn_word *)(to + at * bytes))[k] = r[k];
  }
}

int wn_gpu_products_create(struct wn_gpu *g, size_t bytes, const struct wn_ion *ion,
                           struct wn_gpu_products **out)
{
  WN_ASSERT(ion == NULL || bytes == sizeof(struct wn_electron));
  struct wn_gpu_products *q = (struct wn_gpu_products *)wn_alloc(1, sizeof *q);
  if (q == NULL)
    return WN_ENOMEM;
  q->gpu = g;
  q->bytes = bytes;
  q->ion = ion;
  int status = wn_gpu_use(g);
  if (status == WN_OK)
    status = wn_gpu_array(g, "ions", 1, &q->count);
  if (status != WN_OK) {
    wn_gpu_products_free(q);
    return status;
  }
  *out = q;
  return WN_OK;
}

void wn_gpu_products_free(struct wn_gpu_products *q)
{
  if (q == NULL)
    return;
  if (wn_gpu_works(q->gpu)) {
    wn_gpu_release(q->gpu, q->e, q->room * q->bytes);
    wn_gpu_release(q->gpu, q->count, sizeof *q->count);
  }
  free(q);
}

void wn_gpu_products_reset(struct wn_gpu_products *q)
{
  q->n = 0;
}

/* The model with no tables, which are not needed here. */
static struct wn_ion model_of(const struct wn_gpu_products *q)
{
  return q->ion != NULL ? *q->ion : wn_ion();
}

/* Places for n more records; the present ones are kept. */
static int make_room(struct wn_gpu_products *q, size_t n)
{
  struct wn_gpu *g = q->gpu;
  const size_t room = q->n + n + q->room / 2;
  unsigned char *e = NULL;
  if (q->n + n <= q->room)
    return WN_OK;
  WN_TRY(wn_gpu_array(g, "ions", room * q->bytes, &e));
  if (q->n > 0)
    WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(e, q->e, q->n * q->bytes,
                                             cudaMemcpyDeviceToDevice, g->stream),
                        "ions"));
  wn_gpu_release(g, q->e, q->room * q->bytes); /* after all work in the stream */
  q->e = e;
  q->room = room;
  return WN_OK;
}

/* The electrons on the device. */
static int electrons_of(const struct wn_gpu_products *q, const struct wn_particles *p,
                        const struct wn_electron **out)
{
  const struct wn_gpu_store *t = wn_gpu_store_of(q->gpu, p);
  if (t == NULL || p->place == WN_PARTICLES_HOST)
    return WN_FAIL(WN_EINTERN, "ions from electrons on a GPU that does not hold them");
  WN_ASSERT(p->record.bytes == sizeof(struct wn_electron));
  *out = (const struct wn_electron *)wn_gpu_records(t);
  return wn_gpu_use(q->gpu);
}

int wn_gpu_products_born(struct wn_gpu_products *q, const struct wn_mcc_grid *grid,
                         uint64_t seed, double sigma, const struct wn_particles *p,
                         size_t first)
{
  const size_t n = p->n - first;
  const struct wn_electron *e;
  if (n == 0)
    return WN_OK;
  WN_TRY(electrons_of(q, p, &e));
  WN_TRY(make_room(q, n));
  make_kernel<false>
      <<<wn_gpu_stride_blocks(q->gpu, n), WN_GPU_STRIDE_BLOCK, 0, q->gpu->stream>>>(
          *grid, model_of(q), q->ion != NULL, seed, sigma, e + first, n, q->bytes,
          q->e + q->n * q->bytes, n, NULL);
  q->n += n;
  return wn_gpu_check((int)cudaGetLastError(), "ions");
}

int wn_gpu_products_attached(struct wn_gpu_products *q, const struct wn_mcc_grid *grid,
                             uint64_t seed, double sigma, const struct wn_particles *p)
{
  struct wn_gpu *g = q->gpu;
  const struct wn_electron *e;
  const struct wn_gpu_store *t = wn_gpu_store_of(g, p);
  unsigned long long n = 0;
  if (p->n == 0 || t == NULL || t->dead == 0)
    return WN_OK;
  WN_TRY(electrons_of(q, p, &e));
  WN_TRY(make_room(q, t->dead)); /* upper bound */
  WN_TRY(wn_gpu_check((int)cudaMemsetAsync(q->count, 0, sizeof *q->count, g->stream),
                      "ions"));
  make_kernel<true><<<wn_gpu_stride_blocks(g, p->n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
      *grid, model_of(q), q->ion != NULL, seed, sigma, e, p->n, q->bytes,
      q->e + q->n * q->bytes, t->dead, q->count);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "ions"));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->host_scratch, q->count, sizeof n,
                                           cudaMemcpyDeviceToHost, g->stream),
                      "ions"));
  WN_TRY(wn_gpu_wait(g, "ions"));
  n = *(const unsigned long long *)(const void *)g->host_scratch;
  if (n > t->dead)
    return WN_FAIL(WN_EINTERN, "%llu electrons were attached, of %zu that died", n,
                   t->dead);
  q->n += n;
  return WN_OK;
}

int wn_gpu_products_join(struct wn_gpu_products *q, struct wn_particles *to)
{
  struct wn_gpu *g = q->gpu;
  if (q->n == 0)
    return WN_OK;
  WN_ASSERT(to->record.bytes == q->bytes);
  WN_TRY(wn_gpu_make_room(g, to, q->n));
  struct wn_gpu_store *t = wn_gpu_store_of(g, to);
  WN_TRY(wn_gpu_check(
      (int)cudaMemcpyAsync((unsigned char *)wn_gpu_records(t) + to->n * q->bytes, q->e,
                           q->n * q->bytes, cudaMemcpyDeviceToDevice, g->stream),
      "ions"));
  WN_TRY(wn_gpu_charge_join(t, to->n, q->n));
  to->n += q->n;
  to->place = WN_PARTICLES_REMOTE;
  q->n = 0;
  return WN_OK;
}

/* ---- particles taken by a side */

static __global__ void ended_kernel(const struct wn_electron *e, size_t n,
                                    struct wn_electron *list, unsigned long long room,
                                    unsigned long long *count)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    if (!(e[i].t_left < 0.0f) || e[i].at[0] != WN_POINT_DEAD)
      continue;
    const unsigned long long at = atomicAdd(count, 1ull);
    if (at < room)
      list[at] = e[i];
  }
}

/* The count in place of the first record, then the list: fetched by one copy. */
int wn_gpu_ended(struct wn_gpu *g, const struct wn_particles *p,
                 const struct wn_electron **out, size_t *n)
{
  const struct wn_gpu_store *t = wn_gpu_store_of(g, p);
  *n = 0;
  if (p->n == 0 || t == NULL || t->dead == 0)
    return WN_OK;
  const size_t bytes = (t->dead + 1) * sizeof **out;
  WN_TRY(wn_gpu_use(g));
  WN_TRY(wn_gpu_scratch_fit(g, bytes));
  unsigned long long *count = (unsigned long long *)(void *)g->scratch;
  struct wn_electron *list = (struct wn_electron *)(void *)g->scratch + 1;
  WN_TRY(wn_gpu_check((int)cudaMemsetAsync(count, 0, sizeof *count, g->stream),
                      "ions at walls"));
  ended_kernel<<<wn_gpu_stride_blocks(g, p->n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
      (const struct wn_electron *)wn_gpu_records(t), p->n, list, t->dead, count);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "ions at walls"));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->host_scratch, g->scratch, bytes,
                                           cudaMemcpyDeviceToHost, g->stream),
                      "ions at walls"));
  WN_TRY(wn_gpu_wait(g, "ions at walls"));
  const unsigned long long found =
      *(const unsigned long long *)(const void *)g->host_scratch;
  if (found > t->dead)
    return WN_FAIL(WN_EINTERN, "%llu ions ended at walls, of %zu that died", found,
                   t->dead);
  *out = (const struct wn_electron *)(const void *)g->host_scratch + 1;
  *n = (size_t)found;
  return WN_OK;
}
