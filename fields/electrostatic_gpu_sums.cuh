/* fields/electrostatic_gpu_sums.cuh - sums and largest values over the nodes of a field, in kernels of
 * WN_FIELD_BLOCK threads and at most WN_FIELD_SUM_BLOCKS blocks. */
#ifndef WN_FIELDS_ELECTROSTATIC_GPU_SUMS_CUH
#define WN_FIELDS_ELECTROSTATIC_GPU_SUMS_CUH
#include "fields/electrostatic_gpu.cuh"

/* The sum over the block in thread 0, in one order. */
static __device__ double wn_field_block_sum(double x, double shared[WN_FIELD_BLOCK / 32])
{
  for (int step = 16; step > 0; step /= 2)
    x += __shfl_down_sync(0xffffffffu, x, step);
  __syncthreads(); /* lanes may still read the last sum */
  if (threadIdx.x % 32 == 0)
    shared[threadIdx.x / 32] = x;
  __syncthreads();
  double sum = 0.0;
  for (int i = 0; i < WN_FIELD_BLOCK / 32; i++)
    sum += shared[i];
  return sum;
}

/* add(i, sum) for all i below n.  Blocks add theirs up; the last one that is ready adds up the blocks, always
 * in the same order, and clears what the next kernel finds. */
template <class Add>
static __device__ void wn_field_add_up(uint32_t n, const Add &add, double *partial,
                                       unsigned int *arrived, struct wn_charge_sums *out)
{
  __shared__ double shared[WN_FIELD_BLOCK / 32];
  __shared__ int is_last;
  double sum[WN_FIELD_SUMS] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    add(i, sum);
  for (int k = 0; k < WN_FIELD_SUMS; k++) {
    const double all = wn_field_block_sum(sum[k], shared);
    if (threadIdx.x == 0)
      partial[blockIdx.x * WN_FIELD_SUMS + k] = all;
  }
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicAdd(arrived, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last)
    return;
  __threadfence();
  double all[WN_FIELD_SUMS];
  for (int k = 0; k < WN_FIELD_SUMS; k++) {
    double mine = 0.0;
    for (unsigned int b = threadIdx.x; b < gridDim.x; b += blockDim.x)
      mine += ((volatile double *)partial)[b * WN_FIELD_SUMS + k];
    all[k] = wn_field_block_sum(mine, shared);
  }
  if (threadIdx.x == 0) {
    const struct wn_charge_sums done = {
        all[0], all[1], all[2], all[3], all[4], {all[5], all[6], all[7]}, 0.0, 0.0};
    *out = done;
    *arrived = 0;
  }
}

/* Of numbers from 0 on the order is that of their bits; no number is above all. */
static __device__ void wn_field_raise(double *to, double x)
{
  for (int step = 16; step > 0; step /= 2) {
    const double other = __shfl_down_sync(0xffffffffu, x, step);
    x = other > x || isnan(other) ? other : x;
  }
  if (threadIdx.x % 32 == 0)
    atomicMax((unsigned long long *)to,
              (unsigned long long)__double_as_longlong(fabs(x)));
}

/* Blocks of such a kernel for n nodes. */
static inline unsigned int wn_field_sum_blocks(size_t n)
{
  const size_t wanted = (n + 4 * WN_FIELD_BLOCK - 1) / (4 * WN_FIELD_BLOCK);
  return (unsigned int)(wanted < 1                     ? 1
                        : wanted < WN_FIELD_SUM_BLOCKS ? wanted
                                                       : WN_FIELD_SUM_BLOCKS);
}

#endif
