/* schedulers/gpu/dynamic.cu - persistent warps that take electrons from a queue and keep
 * them in registers to the end of the phase.
 *
 * A warp goes on with its 32 electrons until some of them want to be served, and then serves
 * those together: rounds their states, writes the finished ones and gives their lanes new
 * work.  Rounds are parted by a barrier of the grid (cooperative launch).
 *
 * The kernel is the model's (model_ops.cuh): that of mcc, whose steps are flights and
 * collisions, is in flight_kernel.cuh; many that run away have two in turn (apart.cuh). */
#include "schedulers/gpu/model_ops.cuh"

static int run(struct wn_scheduler *s, const struct wn_model *model,
               const struct wn_gpu_launch *l, unsigned long long n)
{
  if (model->ops->gpu->dynamic == NULL)
    return WN_FAIL(WN_EINPUT, "scheduler `dynamic` does not run model `%s`",
                   model->ops->name);
  return model->ops->gpu->dynamic(s, model, l, n);
}

static int near(const struct wn_model *model)
{
  return model->ops->gpu->near != NULL && model->ops->gpu->near(model);
}

static const struct wn_gpu_kind kind = {"dynamic", 1, run, near};

WN_GPU_SCHEDULER(wn_scheduler_dynamic, kind,
                 "persistent warps, electrons in registers, newborns first to the lanes "
                 "of their own warp");
