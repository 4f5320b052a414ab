/* schedulers/gpu/dynamic.cu - scheduler `dynamic`: persistent warps that take electrons
 * from a queue and keep them in registers to the end of the step.
 *
 * A warp advances its 32 electrons until some of them need service, then serves these
 * together: it rounds their states, writes finished electrons, and gives new ones to
 * their lanes.  Rounds are separated by a barrier of the grid (cooperative launch).
 *
 * The kernel is part of the model (model_ops.cuh).  That of mcc, whose mobility steps
 * consist of flights and collisions, is in flight_kernel.cuh; with many runaway electrons
 * two kernels alternate (deferred.cuh). */
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
