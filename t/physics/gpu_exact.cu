/* t/physics/gpu_exact.cu - t0401-gpu-arithmetic, compiled as everything is. */
#include "t/physics/gpu_arithmetic.cuh"

int gpu_arithmetic_exact(int which, size_t n, double *out)
{
  return gpu_arithmetic(which, n, out);
}
