/* bench/study/gpu_iterate_grid.cu - one launch for all mobility steps, with the grid
 * barrier of cooperative groups between them. */
#include "bench/study/models.cuh"
#include "bench/study/passes.cuh"
#include <cooperative_groups.h>

/* One thread = one mobility step of the electrons thread, thread + threads, ... in each
 * pass.  Reads and writes a record an electron and step, and writes one a newborn; one
 * atomic a newborn.  Limits: memory, two records an electron and step; for few electrons
 * the two barriers, between which one thread looks how many there are. */
template <class M>
static __global__ void __maxnreg__(M::registers)
    gpu_iterate_grid_kernel(const __grid_constant__ struct wn_gpu_launch l,
                            const __grid_constant__ typename M::Args args)
{
  wn_gpu_iterate<M>(l, args, [](struct wn_gpu_work *w) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    grid.sync();
    if (blockIdx.x == 0 && threadIdx.x == 0)
      wn_gpu_next_pass(w);
    grid.sync();
  });
}

static int run(struct wn_scheduler *s, const struct wn_model *model,
               const struct wn_gpu_launch *launch, unsigned long long)
{
  return wn_gpu_dispatch(*model, [&](auto m, const auto &args) {
    return wn_gpu_start_resident(s, gpu_iterate_grid_kernel<decltype(m)>,
                                 {WN_GPU_BLOCK, 0, 0}, *launch, args);
  });
}

static const struct wn_gpu_kind kind = {"gpu-iterate-grid", 1, run};

WN_GPU_SCHEDULER(wn_scheduler_gpu_iterate_grid, kind,
                 "one launch, the grid barrier of CUDA after each mobility step");
