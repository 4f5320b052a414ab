/* schedulers/gpu/rare_collisions.cu - kernel of the deferred rare collisions (deferred.cuh).
 * In a file of its own: functions that are long and seldom called elsewhere are the whole
 * kernel here.  They are inlined, so that no data are passed through memory. */
#define WN_COLD_IS_HOT
#include "schedulers/gpu/deferred.cuh"
#include "schedulers/gpu/model_mcc.cuh"

namespace
{

#define WN_GPU_RARE_BLOCK 128

/* Each thread handles one electron of the list after the other.  Reads 144 bytes each,
 * writes 80 and a newborn (64). */
template <class F>
__global__ void __maxnreg__(F::rare_registers)
    wn_gpu_rare_kernel(const __grid_constant__ struct wn_gpu_launch l,
                       const __grid_constant__ typename F::Args args,
                       const __grid_constant__ struct wn_gpu_deferred<F> deferred)
{
  const unsigned int n = wn_gpu_peek(&l.work->deferred[deferred.in]),
                     copy = wn_gpu_copy(l), stride = gridDim.x * blockDim.x;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i - threadIdx.x % 32 < n;
       i += stride) {
    struct wn_gpu_deferred_of<F> *at = &deferred.list[deferred.in][i];
    typename F::Record child;
    bool born = false;
    if (i < n && at->state == WN_GPU_RARE && !wn_gpu_full(l)) {
      const typename F::Record e = wn_gpu_fetch(&at->e);
      typename F::Hot h = wn_gpu_fetch(&at->h);
      struct wn_tally t = wn_gpu_tally_at(l, copy);
      const int state = F::rare_here(args, e, h, at->ticket, t, &child);
      born = state == WN_GPU_CHILD;
      wn_gpu_put(&at->h, h);
      at->state = born ? WN_GPU_FLIES : state;
    }
    wn_gpu_place_newborns(l, born, child);
  }
}

} /* namespace */

template <class F> int wn_gpu_start_rare(struct wn_scheduler *s, void **parameters)
{
  return wn_gpu_launch_resident(s, (const void *)wn_gpu_rare_kernel<F>, WN_GPU_RARE_BLOCK,
                                0, parameters, false);
}

template int wn_gpu_start_rare<wn_gpu_mcc_runaway::Flights::Alone>(struct wn_scheduler *,
                                                                   void **);
