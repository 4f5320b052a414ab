/* schedulers/gpu/mcc_variants.cuh - variants of model `mcc` for which kernels are
 * compiled, one a line, and the choice of the variant from the data of the model.  In r-z the two of grids
 * that streamers take, or any. */
#ifndef WN_SCHEDULERS_GPU_MCC_VARIANTS_CUH
#define WN_SCHEDULERS_GPU_MCC_VARIANTS_CUH
#include "base/error.h"
#include "schedulers/gpu/model_mcc.cuh"

template <class... M> struct wn_gpu_list {
};

/* The first variant that fits is used. */
/* clang-format off */
#if WN_RADIAL_KERNELS
typedef wn_gpu_list<
    wn_gpu_mcc_grid_swarm,
    wn_gpu_mcc_grid> wn_gpu_mccs;
#else
typedef wn_gpu_list<
    wn_gpu_mcc_swarm,
    wn_gpu_mcc_swarm_bands,
    wn_gpu_mcc_runaway,
    wn_gpu_mcc,
    wn_gpu_mcc_grid_swarm,
    wn_gpu_mcc_grid_runaway,
    wn_gpu_mcc_grid> wn_gpu_mccs;
#endif
/* clang-format on */

template <bool special, class F>
static int wn_gpu_choose_in(wn_gpu_list<>, const struct wn_model &model, F)
{
  return WN_FAIL(WN_EINPUT, "model `%s` does not run on a GPU", model.ops->name);
}

template <bool special, class F, class M, class... Others>
static int wn_gpu_choose_in(wn_gpu_list<M, Others...>, const struct wn_model &model, F f)
{
  if constexpr (special || !M::special) {
    const typename M::Args &args = *(const typename M::Args *)model.data;
    if (M::fits(args))
      return f(M(), args);
  }
  return wn_gpu_choose_in<special>(wn_gpu_list<Others...>(), model, f);
}

/* Call f(M(), its arguments) for the variant M of a model with data of `mcc`.  special:
 * including variants for the commonest scenarios, which take longer to compile and less
 * time to run. */
template <bool special, class F>
static int wn_gpu_choose_mcc(const struct wn_model &model, F f)
{
  const struct wn_mcc &m = *(const struct wn_mcc *)model.data;
  if ((m.in_grid && m.grid.points.grid.is_radial) != WN_RADIAL_KERNELS)
    return WN_FAIL(WN_EINTERN, "kernels of another geometry for model `%s`",
                   model.ops->name);
  return wn_gpu_choose_in<special>(wn_gpu_mccs(), model, f);
}

#endif
