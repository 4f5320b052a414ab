/* fields/electrostatic_gpu_waves.cu - sums of phi times waves over the planes of the slab of a rank on a
 * GPU, in an order that does not depend on how many ranks there are. */
#include <string.h>
#include "fields/electrostatic_gpu_sums.cuh"
#include "fields/waves.h"

/* What a kernel needs of struct wn_waves: factors and parts of the axes in a plane. */
struct plane_waves {
  uint32_t n, nx, ny; /* nodes of a plane */
  int axes;           /* in a plane */
  size_t row;         /* of `factor`, in pairs */
  const double *factor, *part;
};

/* One block = one plane and one wave.  Reads the plane once for each wave, the tables from
 * caches.  Limit: memory. */
static __global__ void __launch_bounds__(WN_FIELD_BLOCK)
    planes_kernel(const __grid_constant__ struct plane_waves w, const double *phi,
                  double *sum)
{
  __shared__ double shared[WN_FIELD_BLOCK / 32];
  const double *of = phi + (size_t)blockIdx.x * w.nx * w.ny, *px = w.part,
               *py = px + w.nx, *fx = w.factor + 2 * w.row * blockIdx.y,
               *fy = fx + 2 * w.nx;
  double re = 0.0, im = 0.0;
  for (uint32_t i = threadIdx.x; i < w.nx * w.ny; i += blockDim.x) {
    const uint32_t y = i / w.nx, x = i - y * w.nx;
    double f = of[i], c = 1.0, s = 0.0;
    if (w.axes > 0) {
      f *= px[x];
      c = fx[2 * x];
      s = fx[2 * x + 1];
    }
    if (w.axes > 1) {
      const double before = c;
      f *= py[y];
      c = c * fy[2 * y] - s * fy[2 * y + 1];
      s = before * fy[2 * y + 1] + s * fy[2 * y];
    }
    re += f * c;
    im += f * s;
  }
  re = wn_field_block_sum(re, shared);
  im = wn_field_block_sum(im, shared);
  if (threadIdx.x == 0) {
    sum[2 * (blockIdx.x * w.n + blockIdx.y)] = re;
    sum[2 * (blockIdx.x * w.n + blockIdx.y) + 1] = im;
  }
}

int wn_electrostatic_gpu_waves(struct wn_electrostatic_gpu *g,
                               const struct wn_electrostatic *f, const struct wn_waves *w,
                               double *sum)
{
  struct wn_gpu *gpu = g->gpu;
  const size_t planes = (size_t)(f->slab.own[1] - f->slab.own[0]),
               factors = 2 * w->n * wn_waves_row(w), parts = wn_waves_row(w),
               sums = 2 * w->n * planes;
  WN_TRY(wn_gpu_use(gpu));
  /* the tables are small, and scratch memory is shared: they are copied again each time */
  WN_TRY(wn_gpu_scratch_fit(gpu, (factors + parts + sums) * sizeof *sum));
  double *here = (double *)(void *)gpu->host_scratch,
         *there = (double *)(void *)gpu->scratch;
  memcpy(here, w->factor, factors * sizeof *here);
  memcpy(here + factors, w->part, parts * sizeof *here);
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(there, here, (factors + parts) * sizeof *here,
                                           cudaMemcpyHostToDevice, gpu->stream),
                      "waves of a field"));
  const struct plane_waves waves = {(uint32_t)w->n,       (uint32_t)f->slab.nx,
                                    (uint32_t)f->slab.ny, f->slab.axis,
                                    wn_waves_row(w),      there,
                                    there + factors};
  planes_kernel<<<dim3((unsigned int)planes, (unsigned int)w->n), WN_FIELD_BLOCK, 0,
                  gpu->stream>>>(
      waves, wn_field_phi(g, &f->slab) + f->slab.own[0] * f->slab.plane,
      there + factors + parts);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "waves of a field"));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(here + factors + parts,
                                           there + factors + parts, sums * sizeof *here,
                                           cudaMemcpyDeviceToHost, gpu->stream),
                      "waves of a field"));
  WN_TRY(wn_gpu_wait(gpu, "waves of a field"));
  memcpy(sum, here + factors + parts, sums * sizeof *sum);
  return wn_electrostatic_gpu_misfits(g);
}
