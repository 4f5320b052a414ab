/* t/physics/gpu_fused.cu - the control of t0401-gpu-arithmetic: t/local.mk has it compiled with
 * -fmad=true. */
#include "t/physics/gpu_arithmetic.cuh"

int gpu_arithmetic_fused(int which, size_t n, double *out)
{
  return gpu_arithmetic(which, n, out);
}
