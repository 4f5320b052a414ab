/* schedulers/gpu/mcc_gather_kernel.cuh - the acceleration of electrons of `mcc` in a grid: mcc_gather.cuh. */
#ifndef WN_SCHEDULERS_GPU_MCC_GATHER_KERNEL_CUH
#define WN_SCHEDULERS_GPU_MCC_GATHER_KERNEL_CUH
#include "device/tiles.cuh"
#include "physics/mcc.h"
#include "schedulers/gpu/gather.cuh"

enum { WN_GPU_ALL_FEEL, WN_GPU_NEWBORNS_FEEL };

/* Each thread handles one electron after the other.  Reads 64 bytes, and E from the
 * second-level cache; writes 32.  Limit: memory bandwidth. */
template <int what, int dim, int shape, int gather>
static __global__ void
wn_gpu_mcc_gather_kernel(const __grid_constant__ struct wn_mcc_grid grid,
                         struct wn_electron *e, size_t n)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    struct wn_electron own;
    const uint4 *from = (const uint4 *)&e[i];
    uint4 *to = (uint4 *)&own;
#pragma unroll
    for (int k = 0; k < 4; k++)
      to[k] = from[k];
    if (own.t_left < 0.0f)
      continue;
    const float part =
        what == WN_GPU_NEWBORNS_FEEL ? own.a[0] : 1.0f; /* start_newborns of the model */
    wn_gpu_gather_electron<dim, shape, gather>(grid, part, own);
    own.t_left = part;
    for (int k = 0; k < 3; k++)
      e[i].a[k] = own.a[k];
    e[i].t_left = own.t_left;
  }
}

template <int what>
static int wn_gpu_mcc_gather_launch(struct wn_gpu *g, const struct wn_mcc_grid &grid,
                                    struct wn_electron *e, size_t n)
{
  return wn_gpu_for_grid(&grid.points.grid, [&](auto dim, auto shape, auto gather) {
    wn_gpu_mcc_gather_kernel<what, decltype(dim)::is, decltype(shape)::is,
                             decltype(gather)::is>
        <<<wn_gpu_stride_blocks(g, n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(grid, e, n);
    return wn_gpu_check((int)cudaGetLastError(), "what electrons feel");
  });
}

#endif
