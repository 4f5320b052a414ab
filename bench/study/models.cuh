/* bench/study/models.cuh - the code that kernels of the study are made for: the forms of model
 * `mcc` and the study's own models, a line each. */
#ifndef WN_BENCH_STUDY_MODELS_CUH
#define WN_BENCH_STUDY_MODELS_CUH
#include "bench/study/lists.h"
#include "bench/study/model_box.cuh"
#include "bench/study/model_rectangle.cuh"
#include "bench/study/model_split_remove.cuh"
#include "schedulers/gpu/mcc_variants.cuh"

/* Call f(M(), its arguments) for the model that runs. */
template <bool special, class F>
static int wn_study_choose(const struct wn_model &model, F f)
{
  if (model.ops == &wn_model_split_remove)
    return f(wn_gpu_split_remove(), *(const struct wn_split *)model.data);
  if (model.ops == &wn_model_rectangle)
    return f(wn_gpu_rectangle(), *(const struct wn_rectangle *)model.data);
  if (model.ops == &wn_model_box)
    return f(wn_gpu_box(), *(const struct wn_box *)model.data);
  if (model.ops->is_electron)
    return wn_gpu_choose_mcc<special>(model, f);
  return wn_gpu_choose_in<special>(wn_gpu_list<>(), model, f);
}

template <class F> static int wn_gpu_dispatch(const struct wn_model &model, F f)
{
  return wn_study_choose<false>(model, f);
}

/* The same, with the forms made for the commonest scenarios. */
template <class F> static int wn_gpu_dispatch_special(const struct wn_model &model, F f)
{
  return wn_study_choose<true>(model, f);
}

#endif
