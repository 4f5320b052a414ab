/* t/physics/gpu_philox.cu - physics/rng.h as nvcc compiles it, with cuRAND's Philox, for
 * t0400-gpu-philox. */
#include "device/device.cuh"
#include "physics/rng.h" /* before any other header of cuRAND */
#include "t/physics/gpu_philox.h"

static __host__ __device__ void draw(struct gpu_philox *p)
{
  struct wn_rng4 r = wn_rng(p->seed, p->id, p->event, p->purpose, p->block);
  for (int i = 0; i < 4; i++)
    p->w[i] = r.w[i];
}

__global__ static void philox_kernel(struct gpu_philox *p, size_t n)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    draw(&p[i]);
}

int gpu_philox_device(struct gpu_philox *p, size_t n)
{
  struct gpu_philox *d_p = NULL;
  cudaError_t error = cudaMalloc(&d_p, n * sizeof *d_p);
  if (error == cudaSuccess)
    error = cudaMemcpy(d_p, p, n * sizeof *p, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) {
    philox_kernel<<<256, 256>>>(d_p, n);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess)
    error = cudaMemcpy(p, d_p, n * sizeof *p, cudaMemcpyDeviceToHost);
  cudaFree(d_p);
  return wn_gpu_check((int)error, "random numbers");
}

int gpu_philox_host(struct gpu_philox *p, size_t n)
{
  for (size_t i = 0; i < n; i++)
    draw(&p[i]);
  return 0;
}
