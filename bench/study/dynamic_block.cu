/* bench/study/dynamic_block.cu - persistent blocks that take their electrons from a
 * queue a block at a time. */
#include "bench/study/models.cuh"
#include "bench/study/passes.cuh"

/* One thread = one electron of its block's chunk, to the end of the step; then the block
 * takes the next chunk.  Reads and writes a record an electron, and writes one a newborn.
 * One atomic on the queue a block, one on the store's end a newborn.  Limits: a chunk
 * lasts as long as its longest electron, and a round as long as its longest chunk. */
template <class M>
static __global__ void __maxnreg__(M::registers)
    dynamic_block_kernel(const __grid_constant__ struct wn_gpu_launch l,
                         const __grid_constant__ typename M::Args args)
{
  __shared__ unsigned long long first;
  struct wn_tally t = wn_gpu_tally(l);
  do {
    const unsigned long long end = wn_gpu_peek(&l.work->end);
    for (;;) {
      __syncthreads(); /* all have read the last chunk's place */
      if (threadIdx.x == 0)
        first = wn_gpu_full(l) ? end : atomicAdd(&l.work->head, blockDim.x);
      __syncthreads();
      if (first >= end)
        break;
      if (first + threadIdx.x < end)
        wn_gpu_simulate<M>(l, args, first + threadIdx.x, t);
    }
  } while (wn_gpu_next_round(l));
  wn_gpu_count(l, t);
}

static int run(struct wn_scheduler *s, const struct wn_model *model,
               const struct wn_gpu_launch *launch, unsigned long long)
{
  return wn_gpu_dispatch(*model, [&](auto m, const auto &args) {
    return wn_gpu_start_resident(s, dynamic_block_kernel<decltype(m)>,
                                 {WN_GPU_BLOCK, 0, 0}, *launch, args);
  });
}

static const struct wn_gpu_kind kind = {"dynamic-block", 1, run};

WN_GPU_SCHEDULER(wn_scheduler_dynamic_block, kind,
                 "persistent blocks take electrons from a queue, a block at a time");
