/* t/physics/gpu_arithmetic.cuh - the kernel of t0401-gpu-arithmetic, in two objects that differ
 * in a flag of the compiler alone. */
#ifndef WN_T_GPU_ARITHMETIC_CUH
#define WN_T_GPU_ARITHMETIC_CUH
#include "physics/rng.h" /* before any other header of cuRAND */
#include "device/device.cuh"
#include "t/physics/gpu_arithmetic.h"

__global__ static void arithmetic_kernel(int which, size_t n, double *out)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    arithmetic(which, i, &out[i * ARITHMETIC_OUT]);
}

static int gpu_arithmetic(int which, size_t n, double *out)
{
  double *d_out = NULL;
  cudaError_t error = cudaMalloc(&d_out, n * ARITHMETIC_OUT * sizeof *d_out);
  if (error == cudaSuccess) {
    arithmetic_kernel<<<256, 128>>>(which, n, d_out);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess)
    error = cudaMemcpy(out, d_out, n * ARITHMETIC_OUT * sizeof *d_out,
                       cudaMemcpyDeviceToHost);
  cudaFree(d_out);
  return wn_gpu_check((int)error, "arithmetic");
}

#endif
