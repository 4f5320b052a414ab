/* schedulers/gpu/cpu_sync_iterate.cu - one launch a mobility step; the host reads the
 * number of electrons between them. */
#include "schedulers/gpu/kernel.cuh"

/* One thread = one mobility step of one electron.  Reads 64, writes 64 bytes, and 64 a
 * newborn; one atomic a newborn.  Limits: memory, 128 bytes an electron and step; for few
 * electrons the host's question after each step. */
template <class M>
static __global__ void __maxnreg__(M::registers)
    cpu_sync_iterate_kernel(const __grid_constant__ struct wn_gpu_launch l,
                            const __grid_constant__ typename M::Args args)
{
  struct wn_tally t = wn_gpu_tally(l);
  wn_gpu_pass<M>(l, args, wn_gpu_peek(&l.work->end), t);
  wn_gpu_count(l, t);
}

static int run(struct wn_gpu *g, const struct wn_model *model,
               struct wn_gpu_launch *launch)
{
  return wn_gpu_dispatch(*model, [&](auto m, const auto &args) {
    return wn_gpu_passes(g, launch, 1, [&](unsigned long long n) {
      return wn_gpu_start(g, "cpu-sync-iterate", cpu_sync_iterate_kernel<decltype(m)>,
                          wn_gpu_blocks_for(g, n), *launch, args);
    });
  });
}

static const struct wn_gpu_kind kind = {"cpu-sync-iterate", 0, run};

WN_GPU_SCHEDULER(wn_scheduler_cpu_sync_iterate, kind,
                 "one launch a mobility step, over the electrons there are");
