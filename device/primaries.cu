/* device/primaries.cu - the electrons with which a case begins, created on the device. */
#include "device/device.cuh"
#include "physics/primary.h"

/* One thread handles one electron after the other.  Writes 64 bytes each.  Limit: double
 * precision. */
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    primaries_kernel(const __grid_constant__ struct wn_primaries what,
                     struct wn_electron *e, size_t n)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    e[i] = wn_primary(&what, i);
}

int wn_gpu_primaries(struct wn_gpu *g, struct wn_particles *p,
                     const struct wn_primaries *what, size_t n)
{
  if (p->n > 0 || p->record.bytes != sizeof(struct wn_electron) || p->record.no_t_left)
    return WN_FAIL(WN_EINTERN, "primaries for a store of other records");
  if (n == 0)
    return WN_OK;
  WN_TRY(wn_gpu_store_begin(g, p, n));
  primaries_kernel<<<wn_gpu_stride_blocks(g, n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
      *what, (struct wn_electron *)wn_gpu_records(wn_gpu_store_of(g, p)), n);
  return wn_gpu_check((int)cudaGetLastError(), "release of the electrons");
}
