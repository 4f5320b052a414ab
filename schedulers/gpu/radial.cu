/* schedulers/gpu/radial.cu - kernels for r-z: radial.cuh. */
#define WN_RADIAL_KERNELS 1
#include "physics/rng.h" /* before any other header of cuRAND */
#include "schedulers/gpu/mcc_gather_kernel.cuh"
#include "schedulers/gpu/mcc_variants.cuh"
#include "schedulers/gpu/model_ops.cuh"
#include "schedulers/gpu/flight_kernel.cuh"
#include "schedulers/gpu/points_kernel.cuh"
#include "schedulers/gpu/radial.cuh"

int wn_gpu_points_radial(struct wn_gpu *g, unsigned int block, const struct wn_points *m,
                         const struct wn_gpu_points_batch &batch)
{
  constexpr int kind = WN_POINT_2D3V;
  if (m->grid.shape == WN_SHAPE_NGP)
    return wn_gpu_points_launch<kind, WN_SHAPE_NGP, WN_GATHER_MOMENTUM>(g, block, m,
                                                                        batch);
  return m->grid.gather == WN_GATHER_ENERGY
             ? wn_gpu_points_launch<kind, WN_SHAPE_CIC, WN_GATHER_ENERGY>(g, block, m,
                                                                          batch)
             : wn_gpu_points_launch<kind, WN_SHAPE_CIC, WN_GATHER_MOMENTUM>(g, block, m,
                                                                            batch);
}

int wn_gpu_mcc_gather_radial(struct wn_gpu *g, const struct wn_mcc_grid &grid, int what,
                             struct wn_electron *e, size_t n)
{
  return what == WN_GPU_ALL_FEEL
             ? wn_gpu_mcc_gather_launch<WN_GPU_ALL_FEEL>(g, grid, e, n)
             : wn_gpu_mcc_gather_launch<WN_GPU_NEWBORNS_FEEL>(g, grid, e, n);
}

int wn_gpu_mcc_dynamic_radial(struct wn_scheduler *s, const struct wn_model *model,
                              const struct wn_gpu_launch *l)
{
  return wn_gpu_choose_mcc<true>(*model, [&](auto m, const auto &args) {
    return wn_gpu_start_events<typename decltype(m)::Flights>(s, *l, args);
  });
}

int wn_gpu_mcc_near_radial(const struct wn_model *model)
{
  return wn_gpu_choose_mcc<true>(*model, [&](auto m, const auto &args) {
    typedef typename decltype(m)::Flights F;
    return F::sums_near && wn_gpu_is_near<F>(args);
  });
}
