/* device/loading.cu - the particles of a plasma at t = 0, created on the device. */
#include "device/batches.cuh"
#include "physics/loading.h"

/* One thread handles one particle after the other.  Writes a record each: 16, 32 or 64
 * bytes.  Limit: double precision. */
template <int dim, int n_v>
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    points_kernel(const __grid_constant__ struct wn_loading what, uint4 *records,
                  size_t n)
{
  constexpr int words = dim + n_v > 4 ? 8 : 4;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    union wn_word r[words];
    wn_loading_point(&what, dim, n_v, i, r);
    WN_UNROLLED
    for (int k = 0; k < words / 4; k++)
      records[i * (words / 4) + k] =
          make_uint4((unsigned int)r[4 * k].i, (unsigned int)r[4 * k + 1].i,
                     (unsigned int)r[4 * k + 2].i, (unsigned int)r[4 * k + 3].i);
  }
}

template <int dim, int n_v>
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    electrons_kernel(const __grid_constant__ struct wn_loading what,
                     struct wn_electron *e, size_t n)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    struct wn_electron one;
    wn_loading_electron(&what, dim, n_v, i, &one);
    e[i] = one;
  }
}

template <int dim, int n_v>
static void fill(const struct wn_gpu *g, const struct wn_loading *what, void *records,
                 size_t n)
{
  const unsigned int blocks = wn_gpu_stride_blocks(g, n);
  if (what->collides)
    electrons_kernel<dim, n_v><<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
        *what, (struct wn_electron *)records, n);
  else
    points_kernel<dim, n_v>
        <<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(*what, (uint4 *)records, n);
}

/* Whether the record of p is that of these particles, and the axes need no arrays, which
 * would be in the memory of the host. */
static int is_possible(const struct wn_particles *p, const struct wn_loading *what)
{
  const int is_uniform =
      what->axis[0].x == NULL && what->axis[1].x == NULL && what->axis[2].x == NULL;
  const size_t words = wn_point_weighs(what->dim, what->velocities) ? 8 : 4;
  return is_uniform &&
         (what->collides ? p->record.bytes == sizeof(struct wn_electron)
                         : p->record.no_t_left && p->record.bytes == 4 * words);
}

static int fill_kind(const struct wn_gpu *g, int kind, const struct wn_loading *what,
                     void *records, size_t n)
{
  if (kind == 13)
    fill<1, 3>(g, what, records, n);
  else if (kind == 22)
    fill<2, 2>(g, what, records, n);
  else if (kind == 23)
    fill<2, 3>(g, what, records, n);
  else
    fill<3, 3>(g, what, records, n);
  return wn_gpu_check((int)cudaGetLastError(), "loading of the particles");
}

static int load_in_batches(struct wn_gpu *g, struct wn_particles *p, int kind,
                           const struct wn_loading *what, size_t n)
{
  WN_TRY(wn_particles_reserve(p, n));
  p->n = n;
  const int status = wn_gpu_batches_visit(g, p, 0, WN_BATCH_WRITES,
                                          [&](void *records, size_t first, size_t m) {
                                            struct wn_loading part = *what;
                                            part.first += first;
                                            return fill_kind(g, kind, &part, records, m);
                                          });
  if (status != WN_OK)
    p->n = 0;
  wn_particles_touched(p);
  return status;
}

int wn_gpu_load(struct wn_gpu *g, struct wn_particles *p, const struct wn_loading *what,
                size_t n)
{
  const int kind = 10 * what->dim + what->velocities;
  if (p->n > 0 || !is_possible(p, what))
    return WN_FAIL(WN_EINTERN, "particles for a store of other records, or not empty");
  if (kind != 13 && kind != 22 && kind != 23 && kind != 33)
    return WN_FAIL(WN_EINTERN, "particles of %d dimensions and %d velocities", what->dim,
                   what->velocities);
  if (n == 0)
    return WN_OK;
  if (wn_gpu_is_in_batches(g, p))
    return load_in_batches(g, p, kind, what, n);
  WN_TRY(wn_gpu_store_begin(g, p, n));
  return fill_kind(g, kind, what, wn_gpu_records(wn_gpu_store_of(g, p)), n);
}
