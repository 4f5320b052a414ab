/* fields/deposit_gpu_radial.cu - the charge of particles without collisions in r-z, and sums of the charge of
 * all: the kernels of Cartesian grids, whose particles are at other places in the middle of a step. */
#define WN_RADIAL_KERNELS 1
#include "fields/charge_sums_gpu.cuh"
#include "fields/deposit_gpu_grid.cuh"

int wn_deposit_gpu_radial(struct wn_gpu *g, enum wn_deposit_gpu way,
                          const struct wn_points *m, const struct wn_deposit_job *job)
{
  return m->grid.shape == WN_SHAPE_NGP
             ? wn_deposit_grid<WN_POINT_2D3V, WN_SHAPE_NGP>(g, way, m, job)
             : wn_deposit_grid<WN_POINT_2D3V, WN_SHAPE_CIC>(g, way, m, job);
}

int wn_charge_gpu_radial_points(struct wn_gpu *g, const struct wn_points *m,
                                const void *records, size_t n, unsigned long long *sum)
{
  wn_charge_points_kernel<WN_POINT_2D3V>
      <<<wn_gpu_stride_blocks(g, n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(*m, records, n,
                                                                          sum);
  return wn_gpu_check((int)cudaGetLastError(), "sums of charge");
}

int wn_charge_gpu_radial_electrons(struct wn_gpu *g, const struct wn_points *m,
                                   const struct wn_electron *e, size_t n,
                                   unsigned long long *sum)
{
  wn_charge_electrons_kernel<<<wn_gpu_stride_blocks(g, n), WN_GPU_STRIDE_BLOCK, 0,
                               g->stream>>>(*m, e, n, sum);
  return wn_gpu_check((int)cudaGetLastError(), "sums of charge");
}
