/* bench/study/huge_iterate.cu - one launch a mobility step over the whole capacity of
 * the store, so that the host need not know how many electrons there are. */
#include "bench/study/models.cuh"
#include "bench/study/passes.cuh"

/* One thread = one mobility step of the electron at one place of the store, if there is
 * one: work->end, which a launch of one thread between two passes takes from work->n.
 * Limits: memory, two records an electron and step; in a store that is mostly empty the
 * blocks that only come and go. */
static int run(struct wn_scheduler *s, const struct wn_model *model,
               const struct wn_gpu_launch *launch, unsigned long long n)
{
  return wn_gpu_dispatch(*model, [&](auto m, const auto &args) {
    return wn_gpu_passes(s, launch, n, model->steps, [&](unsigned long long) {
      return wn_gpu_start(s, wn_gpu_pass_kernel<decltype(m)>,
                          wn_gpu_blocks_for(s, launch->hard), *launch, args);
    });
  });
}

static const struct wn_gpu_kind kind = {"huge-iterate", 0, run};

WN_GPU_SCHEDULER(wn_scheduler_huge_iterate, kind,
                 "one launch a mobility step, over the whole capacity of the store");
