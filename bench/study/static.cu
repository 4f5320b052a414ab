/* bench/study/static.cu - persistent threads, each with a fixed share of the
 * electrons; with and without a warp sync after each electron. */
#include "bench/study/models.cuh"
#include "bench/study/passes.cuh"

/* One thread = the electrons begin + thread, begin + thread + threads, ... of a round,
 * each to the end of the step.  Reads and writes a record an electron, and writes one a
 * newborn; one atomic a newborn, none for the work.  With `sync` the lanes of a warp
 * begin their next electrons together: they load together, but wait for the longest.
 * Limit: shares are as many electrons, not as much work. */
template <class M, bool sync>
static __global__ void __maxnreg__(M::registers)
    static_kernel(const __grid_constant__ struct wn_gpu_launch l,
                  const __grid_constant__ typename M::Args args)
{
  const unsigned long long threads = (unsigned long long)gridDim.x * blockDim.x,
                           thread =
                               (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x,
                           lane = threadIdx.x % 32;
  struct wn_tally t = wn_gpu_tally(l);
  do {
    const unsigned long long end = wn_gpu_peek(&l.work->end);
    /* i - lane: the same for all lanes, so that each comes to every __syncwarp */
    for (unsigned long long i = wn_gpu_peek(&l.work->begin) + thread; i - lane < end;
         i += threads) {
      if (i < end && !wn_gpu_full(l))
        wn_gpu_simulate<M>(l, args, i, t);
      if (sync)
        __syncwarp();
    }
  } while (wn_gpu_next_round(l));
  wn_gpu_count(l, t);
}

template <bool sync>
static int run(struct wn_scheduler *s, const struct wn_model *model,
               const struct wn_gpu_launch *launch, unsigned long long)
{
  return wn_gpu_dispatch(*model, [&](auto m, const auto &args) {
    return wn_gpu_start_resident(s, static_kernel<decltype(m), sync>,
                                 {WN_GPU_BLOCK, 0, 0}, *launch, args);
  });
}

static const struct wn_gpu_kind kind = {"static", 1, run<false>},
                                kind_sync = {"static-sync", 1, run<true>};

WN_GPU_SCHEDULER(wn_scheduler_static, kind,
                 "persistent threads, each with a fixed share of the electrons");
WN_GPU_SCHEDULER(wn_scheduler_static_sync, kind_sync,
                 "static, and the threads of a warp begin their electrons together");
