/* bench/study/difference_gpu.cu - see difference_gpu.h. */
#include "device/device.cuh"
#include "bench/study/difference_gpu.h"

static size_t all_cells(size_t cells)
{
  return cells * cells * cells;
}

int wn_difference_gpu_create(struct wn_gpu *g, size_t cells, uint32_t **count)
{
  const size_t n = all_cells(cells);
  uint32_t *grid = NULL;
  WN_TRY(wn_gpu_use(g));
  WN_TRY(wn_gpu_array(g, "grid of counts", n, &grid));
  int status = wn_gpu_check((int)cudaMemsetAsync(grid, 0, n * sizeof *grid, g->stream),
                            "grid of counts");
  if (status != WN_OK) {
    wn_gpu_release(g, grid, n * sizeof *grid);
    return status;
  }
  *count = grid;
  return WN_OK;
}

void wn_difference_gpu_free(struct wn_gpu *g, size_t cells, uint32_t *count)
{
  if (wn_gpu_works(g))
    wn_gpu_release(g, count, all_cells(cells) * sizeof *count);
}

/* Particles of each cell; or their cells to 0, as the grid is large and mostly empty.
 * Reads 24 bytes a particle, with which its record begins; one atomic each, or 4 bytes
 * written.  Limit: memory, as long as the cells in use stay in the level-2 cache. */
template <bool counts>
static __global__ void cells_kernel(const __grid_constant__ struct wn_difference_view v,
                                    uint32_t *count, const unsigned char *record,
                                    size_t bytes, size_t n)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    const double *x = (const double *)(record + i * bytes);
    const int64_t cell = wn_difference_cell(&v, x);
    if (cell < 0)
      continue;
    if (counts)
      atomicAdd(&count[cell], 1u);
    else
      count[cell] = 0;
  }
}

int wn_difference_gpu_cells(struct wn_gpu *g, const struct wn_difference_view *v,
                            const struct wn_particles *p, enum wn_difference_what what)
{
  const struct wn_gpu_store *t = wn_gpu_store_of(g, p);
  const unsigned int blocks = wn_gpu_stride_blocks(g, p->n);
  if (p->n == 0)
    return WN_OK;
  if (t == NULL || p->place == WN_PARTICLES_HOST)
    return WN_FAIL(WN_EINTERN, "particles are to be counted on a GPU where they are not");
  WN_TRY(wn_gpu_use(g));
  uint32_t *count = (uint32_t *)v->count; /* our own: wn_difference_gpu_create */
  const unsigned char *record = (const unsigned char *)wn_gpu_records(t);
  if (what == WN_DIFFERENCE_COUNT)
    cells_kernel<true><<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
        *v, count, record, p->record.bytes, p->n);
  else
    cells_kernel<false><<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
        *v, count, record, p->record.bytes, p->n);
  return wn_gpu_check((int)cudaGetLastError(), "cells of particles");
}
