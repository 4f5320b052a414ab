/* fields/electrons_gpu.cu - the charge of electrons in a grid (struct wn_electron): see
 * deposit_gpu.h. */
#include "device/tiles.cuh"
#include "fields/deposit_gpu.h"
#include "physics/electron.h"
#include "physics/grid.h"

/* One thread = one electron after the other.  Reads 64 bytes; (shape + 1)^dim 64-bit
 * additions, which end in the level-2 cache. */
template <int dim, int shape>
static __global__ void
electrons_kernel(const __grid_constant__ struct wn_points m, const struct wn_electron *e,
                 size_t n, unsigned long long *quanta, unsigned long long *misfits)
{
  constexpr int reach =
      (shape + 1) * (dim > 1 ? shape + 1 : 1) * (dim > 2 ? shape + 1 : 1);
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    int32_t x[3] = {0, 0, 0}, cell[3];
    uint32_t part[3];
    uint64_t q[WN_MAX_REACH];
    float u[3];
    if (e[i].t_left < 0.0f)
      continue;
    for (int d = 0; d < dim; d++)
      x[d] = e[i].at[d];
    for (int d = 0; d < 3; d++)
      u[d] = e[i].u[d];
    const int64_t weight = wn_quanta(e[i].w);
    if (weight == WN_QUANTA_MISFIT) {
      atomicAdd(misfits, 1ull);
      continue;
    }
    const int side = m.relativistic ? wn_point_drift(&m, dim, 3, 1, x, u)
                                    : wn_point_drift(&m, dim, 3, 0, x, u);
    if (side >= 0)
      continue;
    wn_point_place(&m, dim, x, cell, part);
    wn_grid_divide(dim, shape, part, (uint64_t)weight, 1, q);
    unsigned long long *to = quanta + wn_grid_first(&m.grid, dim, shape, cell, part);
#pragma unroll
    for (int k = 0; k < reach; k++)
      atomicAdd(to + wn_grid_offset(&m.grid, dim, shape, k), (unsigned long long)q[k]);
  }
}

template <int dim>
static void launch(struct wn_gpu *g, const struct wn_points *m,
                   const struct wn_electron *e, size_t n, unsigned long long *quanta,
                   unsigned long long *misfits)
{
  const unsigned int blocks = wn_gpu_stride_blocks(g, n);
  if (m->grid.shape == WN_SHAPE_NGP)
    electrons_kernel<dim, WN_SHAPE_NGP>
        <<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(*m, e, n, quanta, misfits);
  else if (m->grid.shape == WN_SHAPE_CIC)
    electrons_kernel<dim, WN_SHAPE_CIC>
        <<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(*m, e, n, quanta, misfits);
  else
    electrons_kernel<dim, WN_SHAPE_TSC>
        <<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(*m, e, n, quanta, misfits);
}

int wn_deposit_gpu_electrons(struct wn_gpu *g, const struct wn_points *m,
                             const struct wn_particles *p, size_t first, int64_t *quanta,
                             uint64_t *misfits)
{
  const struct wn_gpu_store *t = wn_gpu_store_of(g, p);
  unsigned long long *to = (unsigned long long *)quanta,
                     *wrong = (unsigned long long *)misfits;
  if (p->n <= first)
    return WN_OK;
  if (t == NULL || p->place == WN_PARTICLES_HOST)
    return WN_FAIL(WN_EINTERN, "the charge of electrons on a GPU where they are not");
  WN_ASSERT(p->record.bytes == sizeof(struct wn_electron));
  WN_TRY(wn_gpu_use(g));
  const struct wn_electron *e = (const struct wn_electron *)wn_gpu_records(t) + first;
  const size_t n = p->n - first;
  if (m->grid.dim == 1)
    launch<1>(g, m, e, n, to, wrong);
  else if (m->grid.dim == 2)
    launch<2>(g, m, e, n, to, wrong);
  else
    launch<3>(g, m, e, n, to, wrong);
  return wn_gpu_check((int)cudaGetLastError(), "charge of electrons");
}
