/* bench/study/gpu_iterate.cu - one launch for all mobility steps, with an own barrier
 * of all threads between them. */
#include "bench/study/models.cuh"
#include "bench/study/passes.cuh"

/* One thread = one mobility step of the electrons thread, thread + threads, ... in each
 * pass.  Reads and writes a record an electron and step, and writes one a newborn; one
 * atomic a newborn, one a thread and step at the barrier.  Limits: memory, two records an
 * electron and step; for few electrons the barrier, where every thread asks the same
 * address. */
template <class M>
static __global__ void __maxnreg__(M::registers)
    gpu_iterate_kernel(const __grid_constant__ struct wn_gpu_launch l,
                       const __grid_constant__ typename M::Args args)
{
  wn_gpu_iterate<M>(l, args, [](struct wn_gpu_work *w) {
    wn_gpu_arrive(w, gridDim.x * blockDim.x, wn_gpu_next_pass);
    __syncwarp(); /* lanes leave the barrier one by one */
  });
}

static int run(struct wn_scheduler *s, const struct wn_model *model,
               const struct wn_gpu_launch *launch, unsigned long long)
{
  return wn_gpu_dispatch(*model, [&](auto m, const auto &args) {
    return wn_gpu_start_resident(s, gpu_iterate_kernel<decltype(m)>, {WN_GPU_BLOCK, 0, 0},
                                 *launch, args);
  });
}

static const struct wn_gpu_kind kind = {"gpu-iterate", 1, run};

WN_GPU_SCHEDULER(wn_scheduler_gpu_iterate, kind,
                 "one launch, an own barrier of all threads after each mobility step");
