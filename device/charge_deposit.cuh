/* device/charge_deposit.cuh - the charge of one electron or ion in a grid (struct wn_electron):
 * its place at the middle of the next step, and the division of the charge there.  The
 * operations of wn_deposit_electrons (fields/deposit.h). */
#ifndef WN_DEVICE_CHARGE_DEPOSIT_CUH
#define WN_DEVICE_CHARGE_DEPOSIT_CUH
#include "device/device.cuh"
#include "physics/electron.h"
#include "physics/shape.h"
#include "physics/mover.h"

/* Its quanta and their place.  0: it is outside then, or its weight cannot be a number of
 * quanta; the latter is counted where misfits is not NULL. */
static __device__ __forceinline__ uint64_t
wn_gpu_charge_of(const struct wn_points &m, int dim, const struct wn_electron &e,
                 unsigned long long *misfits, int32_t cell[3], uint32_t part[3])
{
  int32_t x[3] = {0, 0, 0};
  float u[3];
#pragma unroll
  for (int d = 0; d < 3; d++) {
    if (d < dim)
      x[d] = e.at[d];
    u[d] = e.u[d];
  }
  const int64_t weight = wn_quanta(e.w);
  if (weight == WN_QUANTA_MISFIT && misfits != NULL)
    atomicAdd(misfits, 1ull);
  const int side = m.relativistic ? wn_point_drift(&m, dim, 3, 1, x, u)
                                  : wn_point_drift(&m, dim, 3, 0, x, u);
  if (weight == WN_QUANTA_MISFIT || side >= 0)
    return 0;
  wn_point_place(&m, dim, x, cell, part);
  return (uint64_t)weight;
}

/* Nodes that a particle reaches. */
template <int dim, int shape> struct wn_gpu_reach {
  static constexpr int along = shape + 1,
                       nodes = along * (dim > 1 ? along : 1) * (dim > 2 ? along : 1);
};

/* (shape + 1)^dim 64-bit atomic additions, carried out in the level-2 cache. */
static __device__ __forceinline__ void
wn_gpu_charge_add(const struct wn_grid_view &g, int dim, int shape, const int32_t cell[3],
                  const uint32_t part[3], uint64_t weight, unsigned long long *quanta)
{
  const int along = shape + 1,
            reach = along * (dim > 1 ? along : 1) * (dim > 2 ? along : 1);
  uint64_t q[WN_MAX_REACH];
  wn_grid_divide(dim, shape, part, weight, 1, q);
  unsigned long long *to = quanta + wn_grid_first(&g, dim, shape, cell, part);
#pragma unroll
  for (int k = 0; k < reach; k++)
    atomicAdd(to + wn_grid_offset(&g, dim, shape, k), (unsigned long long)q[k]);
}

/* Both. */
static __device__ __forceinline__ void wn_gpu_charge_put(const struct wn_points &m,
                                                         int dim, int shape,
                                                         const struct wn_electron &e,
                                                         unsigned long long *quanta,
                                                         unsigned long long *misfits)
{
  int32_t cell[3] = {0, 0, 0};
  uint32_t part[3] = {0, 0, 0};
  const uint64_t w = wn_gpu_charge_of(m, dim, e, misfits, cell, part);
  if (w != 0)
    wn_gpu_charge_add(m.grid, dim, shape, cell, part, w, quanta);
}

/* Of few particles, out of line: the latter, by value, so that places stay in registers; */
template <int dim, int shape>
static __device__ __noinline__ void
wn_gpu_charge_few(const struct wn_grid_view *g, unsigned long long *quanta, int32_t cx,
                  int32_t cy, int32_t cz, uint32_t px, uint32_t py, uint32_t pz,
                  uint64_t weight)
{
  const int32_t cell[3] = {cx, cy, cz};
  const uint32_t part[3] = {px, py, pz};
  wn_gpu_charge_add(*g, dim, shape, cell, part, weight, quanta);
}

/* and both, with dimensions and shape at run time. */
static __device__ __noinline__ void wn_gpu_charge_one(const struct wn_points *m,
                                                      const struct wn_electron *e,
                                                      unsigned long long *quanta,
                                                      unsigned long long *misfits)
{
  const struct wn_electron own = *e;
  wn_gpu_charge_put(*m, m->grid.dim, m->grid.shape, own, quanta, misfits);
}

/* One thread handles one electron after the other.  Reads 64 bytes each. */
template <int dim, int shape>
static __global__ void wn_gpu_charge_kernel(const __grid_constant__ struct wn_points m,
                                            const struct wn_electron *e, size_t n,
                                            unsigned long long *quanta,
                                            unsigned long long *misfits)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    if (!(e[i].t_left < 0.0f))
      wn_gpu_charge_put(m, dim, shape, e[i], quanta, misfits);
}

/* charge_radial.cu: the charge of n > 0 electrons in r-z. */
int wn_gpu_charge_radial(struct wn_gpu *g, const struct wn_points *m,
                         const struct wn_electron *e, size_t n,
                         unsigned long long *quanta, unsigned long long *misfits);

#endif
