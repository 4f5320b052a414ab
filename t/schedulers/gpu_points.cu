/* t/schedulers/gpu_points.cu - see gpu_points.h. */
#include "device/device.cuh"
#include "t/schedulers/gpu_points.h"

int gpu_points_e(struct wn_gpu *g, const float *e, size_t n, float **out)
{
  WN_TRY(wn_gpu_use(g));
  WN_TRY(wn_gpu_array(g, "E of a test", n, out));
  return wn_gpu_check((int)cudaMemcpy(*out, e, n * sizeof *e, cudaMemcpyHostToDevice),
                      "E of a test");
}

void gpu_points_e_free(struct wn_gpu *g, float *e, size_t n)
{
  wn_gpu_release(g, e, n * sizeof *e);
}

int gpu_points_charge(struct wn_gpu *g, const struct wn_particles *p, int64_t *quanta,
                      size_t n, double *dt)
{
  const struct wn_gpu_store *t = wn_gpu_store_of(g, p);
  *dt = 0.0;
  if (t == NULL || t->charge_dt == 0.0 || t->charge_nodes != n)
    return WN_OK;
  WN_TRY(wn_gpu_wait(g, "charge of a test"));
  *dt = t->charge_dt;
  return wn_gpu_check(
      (int)cudaMemcpy(quanta, t->charge, n * sizeof *quanta, cudaMemcpyDeviceToHost),
      "charge of a test");
}
