/* t/physics/gpu_photons.cu - physics/photons/ as nvcc compiles it, for t0402-gpu-photons. */
#include "device/device.cuh"
#include "t/physics/gpu_photons.h"

/* One thread = one photon at a time.  Reads and writes 168 bytes each; limit: the divergence of processes. */
__global__ static void photons_kernel(struct wn_photon_medium m, struct gpu_photon *p,
                                      size_t n)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    gpu_photon_follow(&m, &p[i]);
}

int gpu_photons_device(const struct wn_photon_medium *m, struct gpu_photon *p, size_t n,
                       double *seconds)
{
  struct gpu_photon *d_p = NULL;
  cudaEvent_t begin = NULL, end = NULL;
  float ms = 0.0f;
  cudaError_t error = cudaMalloc(&d_p, n * sizeof *d_p);
  if (error == cudaSuccess)
    error = cudaMemcpy(d_p, p, n * sizeof *p, cudaMemcpyHostToDevice);
  if (error == cudaSuccess)
    error = cudaEventCreate(&begin);
  if (error == cudaSuccess)
    error = cudaEventCreate(&end);
  if (error == cudaSuccess) {
    cudaEventRecord(begin);
    photons_kernel<<<1024, 128>>>(*m, d_p, n);
    cudaEventRecord(end);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess)
    error = cudaMemcpy(p, d_p, n * sizeof *p, cudaMemcpyDeviceToHost);
  if (error == cudaSuccess)
    error = cudaEventElapsedTime(&ms, begin, end);
  *seconds = 1e-3 * ms;
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  cudaFree(d_p);
  return wn_gpu_check((int)error, "photons");
}
