/* bench/study/cpu_sync_iterate.cu - one launch a mobility step; the host reads the
 * number of electrons between them. */
#include "bench/study/models.cuh"
#include "bench/study/passes.cuh"

/* One thread = one mobility step of one electron.  Limits: memory, two records an
 * electron and step; for few electrons the host's question after each step. */
static int run(struct wn_scheduler *s, const struct wn_model *model,
               const struct wn_gpu_launch *launch, unsigned long long n)
{
  return wn_gpu_dispatch(*model, [&](auto m, const auto &args) {
    return wn_gpu_passes(s, launch, n, 1, [&](unsigned long long now) {
      return wn_gpu_start(s, wn_gpu_pass_kernel<decltype(m)>, wn_gpu_blocks_for(s, now),
                          *launch, args);
    });
  });
}

static const struct wn_gpu_kind kind = {"cpu-sync-iterate", 0, run};

WN_GPU_SCHEDULER(wn_scheduler_cpu_sync_iterate, kind,
                 "one launch a mobility step, over the electrons there are");
