/* schedulers/gpu/model_mcc.cu - model `mcc` on a GPU. */
#include "physics/rng.h" /* before any other header of cuRAND */
#include "physics/mcc_collision_free.h"
#include "schedulers/gpu/deferred.cuh"
#include "schedulers/gpu/mcc_gather.cuh"
#include "schedulers/gpu/mcc_profiled.cuh"
#include "schedulers/gpu/model_ops.cuh"
#include "schedulers/gpu/mcc_variants.cuh"
#include "schedulers/gpu/collision_free.cuh"
#include "schedulers/gpu/radial.cuh"

static const struct wn_mcc &of(const struct wn_model *model)
{
  return *(const struct wn_mcc *)model->data;
}

static bool is_radial(const struct wn_model *model)
{
  return of(model).in_grid && of(model).grid.points.grid.is_radial;
}

/* In a grid: gather E at the position of each electron. */
static int gather(struct wn_scheduler *s, const struct wn_model *model,
                  struct wn_particles *p)
{
  return of(model).in_grid ? wn_gpu_mcc_gather(s->gpu, model, p)
                           : wn_gpu_gather<wn_gpu_mcc>(s, model, p);
}

static int wake(struct wn_gpu *g, const struct wn_model *model, struct wn_particles *p,
                size_t first)
{
  if (!of(model).in_grid)
    return WN_FAIL(WN_EINTERN, "newborns of model `mcc` wait only in a grid");
  return wn_gpu_mcc_start_newborns(g, model, p, first);
}

static int is_collision_free(const struct wn_model *model, int is_wanted)
{
  return is_wanted && wn_mcc_is_collision_free(&of(model));
}

static const struct wn_grid_view *grid(const struct wn_model *model)
{
  return &of(model).grid.points.grid;
}

static int dynamic(struct wn_scheduler *s, const struct wn_model *model,
                   const struct wn_gpu_launch *l, unsigned long long n)
{
  if (is_radial(model))
    return wn_gpu_mcc_dynamic_radial(s, model, l);
  if (wn_gpu_mcc_is_profiled(model))
    return wn_gpu_mcc_dynamic_profiled(s, model, l);
  return wn_gpu_choose_mcc<true>(*model, [&](auto m, const auto &args) {
    typedef typename decltype(m)::Flights F;
    if constexpr (F::defers)
      if (wn_gpu_defers(s, n))
        return wn_gpu_run_deferring<typename F::Alone>(s, *l, args);
    return wn_gpu_start_events<F>(s, *l, args);
  });
}

static int near(const struct wn_model *model)
{
  if (is_radial(model))
    return wn_gpu_mcc_near_radial(model);
  if (wn_gpu_mcc_is_profiled(model))
    return wn_gpu_mcc_near_profiled(model);
  return wn_gpu_choose_mcc<true>(*model, [&](auto m, const auto &args) {
    typedef typename decltype(m)::Flights F;
    return F::sums_near && wn_gpu_is_near<F>(args);
  });
}

extern "C" const struct wn_gpu_model wn_gpu_model_mcc = {NULL,
                                                         NULL,
                                                         NULL,
                                                         0,
                                                         0,
                                                         gather,
                                                         wake,
                                                         is_collision_free,
                                                         wn_gpu_collision_free_electrons,
                                                         grid,
                                                         dynamic,
                                                         near,
                                                         wn_gpu_mcc_begin_launch,
                                                         wn_gpu_mcc_end_launch};
