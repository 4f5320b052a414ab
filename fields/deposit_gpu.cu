/* fields/deposit_gpu.cu - see deposit_gpu.h. */
#include "device/device.cuh"
#include "fields/deposit_gpu.h"
#include "physics/grid.h"

/* One thread = one particle at a time.  Reads its record (16 or 32 bytes) and makes
 * (order + 1)^dim 64-bit additions of its quanta; the limit is these, which end in the
 * level-2 cache. */
template <int dim, int n_v, int order, int relativistic>
static __global__ void points_kernel(const __grid_constant__ struct wn_points m,
                                     const union wn_word *record, size_t n,
                                     int64_t *quanta, uint64_t *misfits)
{
  const int words = wn_point_weighs(dim, n_v) ? 8 : 4;
  const int reach = (order + 1) * (dim > 1 ? order + 1 : 1) * (dim > 2 ? order + 1 : 1);
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    int32_t x[3], cell[3];
    uint32_t part[3];
    uint64_t q[WN_MAX_REACH];
    float u[3], w;
    wn_point_load(dim, n_v, record + i * words, x, u, &w);
    if (x[0] < 0)
      continue;
    const int64_t weight = wn_quanta(w);
    if (weight == WN_QUANTA_MISFIT) {
      atomicAdd((unsigned long long *)misfits, 1ull);
      continue;
    }
    if (wn_point_drift(&m, dim, n_v, relativistic, x, u) >= 0)
      continue;
    wn_point_place(&m, dim, x, cell, part);
    int64_t *to = quanta + wn_grid_first(&m.grid, dim, order, cell, part);
    wn_grid_divide(dim, order, part, (uint64_t)weight, wn_point_weighs(dim, n_v), q);
    for (int k = 0; k < reach; k++)
      atomicAdd((unsigned long long *)&to[wn_grid_offset(&m.grid, dim, order, k)],
                (unsigned long long)q[k]);
  }
}

/* What the scheduler `tiles` left.  Reads and writes 8 bytes a node.  Limit: memory. */
static __global__ void left_kernel(const int64_t *charge, size_t n, int64_t *quanta)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    quanta[i] += charge[i];
}

typedef void (*kernel)(struct wn_points, const union wn_word *, size_t, int64_t *,
                       uint64_t *);

template <int dim, int n_v> static kernel kernel_of(int order, int relativistic)
{
  static const kernel list[WN_N_SHAPES][2] = {
      {points_kernel<dim, n_v, 0, 0>, points_kernel<dim, n_v, 0, 1>},
      {points_kernel<dim, n_v, 1, 0>, points_kernel<dim, n_v, 1, 1>},
      {points_kernel<dim, n_v, 2, 0>, points_kernel<dim, n_v, 2, 1>}};
  return list[order][relativistic];
}

static kernel choose(const struct wn_points *m)
{
  const int order = m->grid.shape, relativistic = m->relativistic != 0;
  switch (m->kind) {
  case WN_POINT_1D3V:
    return kernel_of<1, 3>(order, relativistic);
  case WN_POINT_2D2V:
    return kernel_of<2, 2>(order, relativistic);
  case WN_POINT_2D3V:
    return kernel_of<2, 3>(order, relativistic);
  default:
    return kernel_of<3, 3>(order, relativistic);
  }
}

int wn_deposit_gpu_points(struct wn_gpu *g, const struct wn_points *m,
                          const struct wn_particles *p, int64_t *quanta,
                          uint64_t *misfits)
{
  const struct wn_gpu_store *t = wn_gpu_store_of(g, p);
  if (p->n == 0)
    return WN_OK;
  if (t == NULL || p->place == WN_PARTICLES_HOST)
    return WN_FAIL(WN_EINTERN, "the charge of particles on a GPU where they are not");
  WN_ASSERT(p->record.bytes == wn_particles_points(m->kind).bytes);
  WN_ASSERT(m->grid.dim == wn_point_dim(m->kind));
  WN_TRY(wn_gpu_use(g));
  const size_t nodes = (size_t)wn_grid_nodes(&m->grid);
  if (t->charge_dt == m->dt && t->charge_nodes == nodes) {
    left_kernel<<<wn_gpu_stride_blocks(g, nodes), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
        t->charge, nodes, quanta);
    return wn_gpu_check((int)cudaGetLastError(), "charge of particles");
  }
  choose(m)<<<wn_gpu_stride_blocks(g, p->n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
      *m, (const union wn_word *)wn_gpu_records(t), p->n, quanta, misfits);
  return wn_gpu_check((int)cudaGetLastError(), "charge of particles");
}
