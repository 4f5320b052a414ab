/* device/charge_radial.cu - the charge of electrons and ions in r-z: charge_deposit.cu. */
#define WN_RADIAL_KERNELS 1
#include "device/charge_deposit.cuh"

int wn_gpu_charge_radial(struct wn_gpu *g, const struct wn_points *m,
                         const struct wn_electron *e, size_t n,
                         unsigned long long *quanta, unsigned long long *misfits)
{
  const unsigned int blocks = wn_gpu_stride_blocks(g, n);
  if (m->grid.shape == WN_SHAPE_NGP)
    wn_gpu_charge_kernel<2, WN_SHAPE_NGP>
        <<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(*m, e, n, quanta, misfits);
  else
    wn_gpu_charge_kernel<2, WN_SHAPE_CIC>
        <<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(*m, e, n, quanta, misfits);
  return wn_gpu_check((int)cudaGetLastError(), "charge of electrons");
}
