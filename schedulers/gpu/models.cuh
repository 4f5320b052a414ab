/* schedulers/gpu/models.cuh - the models that run on a GPU, a line each, and the way from
 * a model to the code made for it.  What a model is there: model.cuh. */
#ifndef WN_SCHEDULERS_GPU_MODELS_CUH
#define WN_SCHEDULERS_GPU_MODELS_CUH
#include "base/error.h"
#include "schedulers/gpu/model_box.cuh"
#include "schedulers/gpu/model_mcc.cuh"
#include "schedulers/gpu/model_rectangle.cuh"
#include "schedulers/gpu/model_split_remove.cuh"

template <class... M> struct wn_gpu_list {
};

/* One line registers one; of those with the same ops the first that fits is taken. */
/* clang-format off */
typedef wn_gpu_list<
    wn_gpu_mcc_swarm,
    wn_gpu_mcc_swarm_bands,
    wn_gpu_mcc_runaway,
    wn_gpu_mcc,
    wn_gpu_mcc_grid_swarm,
    wn_gpu_mcc_grid_runaway,
    wn_gpu_mcc_grid,
    wn_gpu_split_remove,
    wn_gpu_rectangle,
    wn_gpu_box> wn_gpu_models;
/* clang-format on */

template <bool special, class F>
static int wn_gpu_dispatch_in(wn_gpu_list<>, const struct wn_model &model, F)
{
  return WN_FAIL(WN_EINPUT, "model `%s` does not run on a GPU", model.ops->name);
}

template <bool special, class F, class M, class... Others>
static int wn_gpu_dispatch_in(wn_gpu_list<M, Others...>, const struct wn_model &model,
                              F f)
{
  static_assert(sizeof(typename M::Record) % 16 == 0, "moved in words of 16 bytes");
  if constexpr (special || !M::special) {
    const typename M::Args &args = *(const typename M::Args *)model.data;
    if (model.ops == M::ops() && M::fits(args))
      return f(M(), args);
  }
  return wn_gpu_dispatch_in<special>(wn_gpu_list<Others...>(), model, f);
}

/* Call f(M(), its arguments) for the model that runs. */
template <class F> static int wn_gpu_dispatch(const struct wn_model &model, F f)
{
  return wn_gpu_dispatch_in<false>(wn_gpu_models(), model, f);
}

/* The same, with the models made for the commonest scenarios: more to compile, less to
 * run. */
template <class F> static int wn_gpu_dispatch_special(const struct wn_model &model, F f)
{
  return wn_gpu_dispatch_in<true>(wn_gpu_models(), model, f);
}

#endif
