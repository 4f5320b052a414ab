/* bench/study/dynamic_thread.cu - persistent threads that take their electrons from a
 * queue one by one. */
#include "bench/study/models.cuh"
#include "bench/study/passes.cuh"

/* One thread = one electron to the end of the step, then the next of the queue.  Reads
 * and writes a record an electron, and writes one a newborn.  One atomic on the queue an
 * electron, one on the store's end a newborn.  Limits: the lanes of a warp wait for the
 * longest of their electrons, or else come back one by one and load alone; a round lasts
 * as long as its longest electron. */
template <class M>
static __global__ void __maxnreg__(M::registers)
    dynamic_thread_kernel(const __grid_constant__ struct wn_gpu_launch l,
                          const __grid_constant__ typename M::Args args)
{
  struct wn_tally t = wn_gpu_tally(l);
  do {
    const unsigned long long end = wn_gpu_peek(&l.work->end);
    while (!wn_gpu_full(l)) {
      const unsigned long long i = atomicAdd(&l.work->head, 1ull);
      if (i >= end)
        break;
      wn_gpu_simulate<M>(l, args, i, t);
    }
  } while (wn_gpu_next_round(l));
  wn_gpu_count(l, t);
}

static int run(struct wn_scheduler *s, const struct wn_model *model,
               const struct wn_gpu_launch *launch, unsigned long long)
{
  return wn_gpu_dispatch(*model, [&](auto m, const auto &args) {
    return wn_gpu_start_resident(s, dynamic_thread_kernel<decltype(m)>,
                                 {WN_GPU_BLOCK, 0, 0}, *launch, args);
  });
}

static const struct wn_gpu_kind kind = {"dynamic-thread", 1, run};

WN_GPU_SCHEDULER(wn_scheduler_dynamic_thread, kind,
                 "persistent threads take electrons from a queue, one by one");
