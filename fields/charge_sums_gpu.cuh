/* fields/charge_sums_gpu.cuh - the sum of the charge of particles in a grid: kernels of charge_check_gpu.h. */
#ifndef WN_FIELDS_CHARGE_SUMS_GPU_CUH
#define WN_FIELDS_CHARGE_SUMS_GPU_CUH
#include "device/charge_deposit.cuh"
#include "fields/deposit_gpu.cuh"

/* Sum over a block, added to *to; modulo 2^64. */
static __device__ void wn_charge_add_up(unsigned long long mine, unsigned long long *to)
{
  const unsigned long long sum = wn_gpu_warp_sum(mine);
  if (threadIdx.x % 32 == 0 && sum != 0)
    atomicAdd(to, sum);
}

/* One thread handles one point after the other.  Reads its record.  Limit: memory. */
template <int kind>
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    wn_charge_points_kernel(const __grid_constant__ struct wn_points m,
                            const void *records, size_t n, unsigned long long *to)
{
  unsigned long long sum = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    int32_t cell[3];
    uint32_t part[3];
    sum += wn_deposit_charge<kind, false>(m, wn_gpu_point_read<kind>(records, i), true,
                                          NULL, cell, part);
  }
  wn_charge_add_up(sum, to);
}

/* The same for electrons and ions that collide. */
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    wn_charge_electrons_kernel(const __grid_constant__ struct wn_points m,
                               const struct wn_electron *e, size_t n,
                               unsigned long long *to)
{
  unsigned long long sum = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    int32_t cell[3];
    uint32_t part[3];
    if (!(e[i].t_left < 0.0f))
      sum += wn_gpu_charge_of(m, m.grid.dim, e[i], NULL, cell, part);
  }
  wn_charge_add_up(sum, to);
}

/* deposit_gpu_radial.cu: of n particles in r-z, added to *sum. */
int wn_charge_gpu_radial_points(struct wn_gpu *g, const struct wn_points *m,
                                const void *records, size_t n, unsigned long long *sum);
int wn_charge_gpu_radial_electrons(struct wn_gpu *g, const struct wn_points *m,
                                   const struct wn_electron *e, size_t n,
                                   unsigned long long *sum);

#endif
