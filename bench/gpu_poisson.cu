/* bench/gpu_poisson.cu - see gpu_poisson.h. */
#include "base/clock.h"
#include "bench/gpu_poisson.h"
#include "device/device.cuh"
#include "fields/poisson/gpu.h"
#include "physics/constants.h"

/* Of the sizes that rho of a plasma has; any will do.  `more`: is added, of another pattern. */
static __global__ void fill_kernel(double *rho, size_t n, double more)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    rho[i] = 1e-6 * (double)(i * 2654435761u % 1000u) - 5e-4 +
             more * (1e-6 * (double)(i * 2246822519u % 1000u) - 5e-4);
}

static int measure(struct wn_gpu *g, struct wn_poisson_gpu *p, double *const rho[2],
                   double *phi, int tries, int n, double *seconds)
{
  static const double volt[7] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0};
  double best = INFINITY;
  for (int t = 0; t <= tries; t++) { /* the first is a warm-up */
    const double begin = wn_clock_now();
    for (int i = 0; i < n; i++)
      WN_TRY(wn_poisson_gpu_solve(p, rho[(t * n + i) % 2], volt, phi));
    WN_TRY(wn_gpu_wait(g, "solves"));
    const double took = (wn_clock_now() - begin) / (double)n;
    best = t > 0 && took < best ? took : best;
  }
  *seconds = best;
  return WN_OK;
}

int wn_bench_poisson(struct wn_gpu *g, const struct wn_poisson_spec *spec, int tries,
                     int n, double *seconds)
{
  struct wn_poisson_gpu *p = NULL;
  double *rho[2] = {NULL, NULL}, *phi = NULL;
  size_t nodes = 1;
  for (int d = 0; d < spec->dim; d++)
    nodes *= spec->cells[d] + 1;
  WN_TRY(wn_gpu_use(g));
  int status = WN_OK;
  for (int k = 0; k < 2 && status == WN_OK; k++)
    status = wn_gpu_array(g, "rho", nodes, &rho[k]);
  if (status == WN_OK)
    status = wn_gpu_array(g, "phi", nodes, &phi);
  if (status == WN_OK)
    status =
        wn_gpu_check((int)cudaMemsetAsync(phi, 0, nodes * sizeof *phi, g->stream), "phi");
  for (int k = 0; k < 2 && status == WN_OK; k++) {
    fill_kernel<<<wn_gpu_stride_blocks(g, nodes), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
        rho[k], nodes, 0.01 * (double)k);
    status = wn_gpu_check((int)cudaGetLastError(), "rho");
  }
  if (status == WN_OK)
    status = wn_poisson_gpu_create(g, spec, &p);
  if (status == WN_OK)
    status = measure(g, p, rho, phi, tries, n, seconds);
  wn_poisson_gpu_free(p);
  for (int k = 0; k < 2; k++)
    wn_gpu_release(g, rho[k], nodes * sizeof *rho[k]);
  wn_gpu_release(g, phi, nodes * sizeof *phi);
  return status;
}
