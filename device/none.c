/* device/none.c - the functions of device/gpu.h in a Wilson built without CUDA;
 * device.cu, store.cu and compaction.cu have those of other builds. */
#include "base/error.h"
#include "device/gpu.h"

#define WITHOUT_CUDA "this wilson was built without CUDA"

int wn_gpu_count(const char **why)
{
  *why = WITHOUT_CUDA;
  return 0;
}

void wn_gpu_wake(int gpu)
{
  (void)gpu;
}

int wn_gpu_describe(int gpu, struct wn_gpu_info *info)
{
  (void)info;
  return WN_FAIL(WN_EINPUT, "there is no GPU %d: " WITHOUT_CUDA, gpu);
}

int wn_gpu_open(int gpu, struct wn_gpu **out)
{
  (void)out;
  return WN_FAIL(WN_EINPUT, "there is no GPU %d to run on: " WITHOUT_CUDA, gpu);
}

void wn_gpu_close(struct wn_gpu *g)
{
  (void)g;
}

size_t wn_gpu_used(const struct wn_gpu *g)
{
  (void)g;
  return 0;
}

int wn_gpu_drain(const struct wn_gpu *g)
{
  (void)g;
  return WN_OK;
}

int wn_gpu_hold(struct wn_gpu *g, struct wn_particles *p, double newborns)
{
  (void)g, (void)p, (void)newborns;
  return WN_FAIL(WN_EINTERN, "particles on a GPU, but " WITHOUT_CUDA);
}

int wn_gpu_compact(struct wn_particles *p, enum wn_gpu_compaction way)
{
  (void)p, (void)way;
  return WN_FAIL(WN_EINTERN, "particles on a GPU, but " WITHOUT_CUDA);
}

int wn_gpu_order(struct wn_gpu *g, const struct wn_grid_view *grid, struct wn_particles *p,
                 int *done)
{
  (void)g, (void)grid, (void)p, (void)done;
  return WN_FAIL(WN_EINTERN, "particles on a GPU, but " WITHOUT_CUDA);
}

int wn_gpu_append(struct wn_gpu *g, struct wn_particles *p, const void *e, size_t n)
{
  (void)g, (void)p, (void)e, (void)n;
  return WN_FAIL(WN_EINTERN, "particles on a GPU, but " WITHOUT_CUDA);
}

int wn_gpu_primaries(struct wn_gpu *g, struct wn_particles *p,
                     const struct wn_primaries *what, size_t n)
{
  (void)g, (void)p, (void)what, (void)n;
  return WN_FAIL(WN_EINTERN, "particles on a GPU, but " WITHOUT_CUDA);
}

int wn_gpu_sample_moving(struct wn_gpu *g, size_t n,
                         const struct wn_particles *const *particles,
                         const struct wn_sample *what, wn_i128 (*sums)[WN_POINT_SUMS])
{
  (void)g, (void)n, (void)particles, (void)what, (void)sums;
  return WN_FAIL(WN_EINTERN, "particles on a GPU, but " WITHOUT_CUDA);
}

int wn_gpu_ended(struct wn_gpu *g, const struct wn_particles *p,
                 const struct wn_electron **out, size_t *n)
{
  (void)g, (void)p, (void)out, (void)n;
  return WN_FAIL(WN_EINTERN, "particles on a GPU, but " WITHOUT_CUDA);
}

int wn_gpu_products_create(struct wn_gpu *g, size_t bytes, const struct wn_ion *ion,
                           struct wn_gpu_products **out)
{
  (void)g, (void)bytes, (void)ion, (void)out;
  return WN_FAIL(WN_EINTERN, "ions on a GPU, but " WITHOUT_CUDA);
}

void wn_gpu_products_free(struct wn_gpu_products *q)
{
  (void)q;
}

void wn_gpu_products_reset(struct wn_gpu_products *q)
{
  (void)q;
}

int wn_gpu_products_born(struct wn_gpu_products *q, const struct wn_mcc_grid *grid,
                         uint64_t seed, double sigma,
                         const struct wn_particles *electrons, size_t first)
{
  (void)q, (void)grid, (void)seed, (void)sigma, (void)electrons, (void)first;
  return WN_FAIL(WN_EINTERN, "ions on a GPU, but " WITHOUT_CUDA);
}

int wn_gpu_products_attached(struct wn_gpu_products *q, const struct wn_mcc_grid *grid,
                             uint64_t seed, double sigma,
                             const struct wn_particles *electrons)
{
  (void)q, (void)grid, (void)seed, (void)sigma, (void)electrons;
  return WN_FAIL(WN_EINTERN, "ions on a GPU, but " WITHOUT_CUDA);
}

int wn_gpu_products_join(struct wn_gpu_products *q, struct wn_particles *to)
{
  (void)q, (void)to;
  return WN_FAIL(WN_EINTERN, "ions on a GPU, but " WITHOUT_CUDA);
}
