/* schedulers/gpu/static_iterate.cu - one launch a mobility step, with as many blocks as
 * the GPU has multiprocessors. */
#include "schedulers/gpu/kernel.cuh"

/* One thread = one mobility step of the electrons thread, thread + threads, ... below
 * work->end, which a launch of one thread between two passes takes from work->n.  Reads
 * 64, writes 64 bytes an electron, and 64 a newborn; one atomic a newborn.  Limit: the
 * latency of memory, since one block a multiprocessor is too little to hide it. */
template <class M>
static __global__ void __maxnreg__(M::registers)
    static_iterate_kernel(const __grid_constant__ struct wn_gpu_launch l,
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
    return wn_gpu_passes(g, launch, model->steps, [&](unsigned long long) {
      return wn_gpu_start(g, "static-iterate", static_iterate_kernel<decltype(m)>,
                          (unsigned int)wn_gpu_multiprocessors(g), *launch, args);
    });
  });
}

static const struct wn_gpu_kind kind = {"static-iterate", 0, run};

WN_GPU_SCHEDULER(wn_scheduler_static_iterate, kind,
                 "one launch a mobility step, one block a multiprocessor");
