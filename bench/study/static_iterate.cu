/* bench/study/static_iterate.cu - one launch a mobility step, with as many blocks as
 * the GPU has multiprocessors. */
#include "bench/study/models.cuh"
#include "bench/study/passes.cuh"

/* One thread = one mobility step of the electrons thread, thread + threads, ... below
 * work->end, which a launch of one thread between two passes takes from work->n.  Limit:
 * the latency of memory, since one block a multiprocessor is too little to hide it. */
static int run(struct wn_scheduler *s, const struct wn_model *model,
               const struct wn_gpu_launch *launch, unsigned long long n)
{
  return wn_gpu_dispatch(*model, [&](auto m, const auto &args) {
    return wn_gpu_passes(s, launch, n, model->steps, [&](unsigned long long) {
      return wn_gpu_start(s, wn_gpu_pass_kernel<decltype(m)>,
                          (unsigned int)s->gpu->multiprocessors, *launch, args);
    });
  });
}

static const struct wn_gpu_kind kind = {"static-iterate", 0, run};

WN_GPU_SCHEDULER(wn_scheduler_static_iterate, kind,
                 "one launch a mobility step, one block a multiprocessor");
