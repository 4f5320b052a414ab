/* fields/deposit_gpu_grid.cu - see deposit_gpu_grid.cuh. */
#include "fields/deposit_gpu_grid.cuh"

int wn_deposit_gpu_grid(struct wn_gpu *g, enum wn_deposit_gpu way,
                        const struct wn_points *m, const struct wn_deposit_job *job)
{
  return wn_deposit_for(m, [&](auto kind, auto shape) {
    return wn_deposit_grid<decltype(kind)::is, decltype(shape)::is>(g, way, m, job);
  });
}
