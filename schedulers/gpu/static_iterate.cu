/* schedulers/gpu/static_iterate.cu - one launch a mobility step, with as many blocks as
 * the GPU has multiprocessors. */
#include "schedulers/gpu/kernel.cuh"

/* One thread = one mobility step of the electrons thread, thread + threads, ... below
 * work->end, which a launch of one thread between two passes takes from work->n.  Limit:
 * the latency of memory, since one block a multiprocessor is too little to hide it. */
static int run(struct wn_gpu *g, const struct wn_model *model,
               struct wn_gpu_launch *launch)
{
  return wn_gpu_dispatch(*model, [&](auto m, const auto &args) {
    return wn_gpu_passes(g, launch, model->steps, [&](unsigned long long) {
      return wn_gpu_start(g, "static-iterate", wn_gpu_pass_kernel<decltype(m)>,
                          (unsigned int)wn_gpu_multiprocessors(g), *launch, args);
    });
  });
}

static const struct wn_gpu_kind kind = {"static-iterate", 0, run};

WN_GPU_SCHEDULER(wn_scheduler_static_iterate, kind,
                 "one launch a mobility step, one block a multiprocessor");
