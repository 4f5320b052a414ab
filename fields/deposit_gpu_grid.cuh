/* fields/deposit_gpu_grid.cuh - the deposit on a GPU by 64-bit additions to the grid in
 * the level-2 cache: variants atomic, coarsen and aggregate of deposit_gpu.h. */
#ifndef WN_FIELDS_DEPOSIT_GPU_GRID_CUH
#define WN_FIELDS_DEPOSIT_GPU_GRID_CUH
#include "fields/deposit_gpu.cuh"

/* Records that a thread has in flight. */
#define WN_DEPOSIT_AHEAD_COARSEN   4
#define WN_DEPOSIT_AHEAD_AGGREGATE 2

/* One thread handles one point at a time, with `ahead` more in flight.  Reads its record
 * (16 or 32 bytes) and makes (order + 1)^dim 64-bit additions; with `merge`, one for all
 * points of a warp in a cell.  Limit: the additions, in the level-2 cache; with merge and
 * an order by cells, memory.  Measured: bench/RESULTS.md. */
template <int kind, int shape, int ahead, bool merge>
static __global__ void
wn_deposit_grid_kernel(const __grid_constant__ struct wn_points m,
                       const __grid_constant__ struct wn_deposit_job job)
{
  constexpr int dim = wn_gpu_point_kind<kind>::dim;
  constexpr int reached = wn_gpu_reach<dim, shape>::nodes;
  const auto add = [&](int32_t to, int k, uint64_t q) {
    atomicAdd(&job.quanta[to + wn_grid_offset(&m.grid, dim, shape, k)],
              (unsigned long long)q);
  };
  wn_deposit_points_of<kind, ahead>(
      job.records, (unsigned int)job.n, blockIdx.x * blockDim.x + threadIdx.x,
      gridDim.x * blockDim.x, [&](const struct wn_gpu_point<kind> &r, bool is_one) {
        int32_t cell[3] = {0, 0, 0};
        uint32_t part[3] = {0, 0, 0};
        uint64_t q[WN_MAX_REACH];
        uint64_t w =
            wn_deposit_charge<kind, false>(m, r, is_one, job.misfits, cell, part);
        if (w >> 32 != 0) {
          wn_gpu_charge_few<dim, shape>(&m.grid, job.quanta, cell[0], cell[1], cell[2],
                                        part[0], part[1], part[2], w);
          w = 0;
        }
        const int32_t to = wn_grid_first(&m.grid, dim, shape, cell, part);
        unsigned int left = w != 0 ? 1u << threadIdx.x % 32 : 0u;
        wn_grid_divide(dim, shape, part, w, 0, q);
        if (merge)
          left = wn_deposit_merge<reached>(to, (uint32_t)w, q, add);
        if (left >> threadIdx.x % 32 & 1u)
#pragma unroll
          for (int k = 0; k < reached; k++)
            add(to, k, q[k]);
      });
}

/* Its launch. */
template <int kind, int shape>
static int wn_deposit_grid(struct wn_gpu *g, enum wn_deposit_gpu way,
                           const struct wn_points *m, const struct wn_deposit_job *job)
{
  void (*const kernel)(const struct wn_points, const struct wn_deposit_job) =
      way == WN_DEPOSIT_COARSEN
          ? wn_deposit_grid_kernel<kind, shape, WN_DEPOSIT_AHEAD_COARSEN, false>
      : way == WN_DEPOSIT_AGGREGATE
          ? wn_deposit_grid_kernel<kind, shape, WN_DEPOSIT_AHEAD_AGGREGATE, true>
          : wn_deposit_grid_kernel<kind, shape, 0, false>;
  kernel<<<wn_gpu_stride_blocks(g, job->n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(*m,
                                                                                 *job);
  return wn_gpu_check((int)cudaGetLastError(), "charge of particles");
}

#endif
