/* schedulers/gpu/points_kernel.cuh - particles of model `collisionless`, one per thread. */
#ifndef WN_SCHEDULERS_GPU_POINTS_KERNEL_CUH
#define WN_SCHEDULERS_GPU_POINTS_KERNEL_CUH
#include "schedulers/gpu/gather.cuh"
#include "schedulers/gpu/model_collisionless.cuh"

/* Each thread handles one particle after the other, through all mobility steps of the
 * step.  Reads and writes one record each.  E comes from the second-level cache, unless
 * the particles are sorted by cells.  Limit: memory bandwidth, or those reads. */
template <int kind, int shape, int gather>
static __global__ void
wn_gpu_points_kernel(const __grid_constant__ struct wn_points m,
                     const __grid_constant__ struct wn_gpu_points_batch batch)
{
  constexpr int dim = wn_gpu_point_kind<kind>::dim, n_v = wn_gpu_point_kind<kind>::n_v;
  for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
       i < batch.n; i += (unsigned long long)gridDim.x * blockDim.x) {
    struct wn_gpu_point<kind> r = wn_gpu_point_read<kind>(batch.records, i);
    int32_t x[3] = {0, 0, 0};
    float u[3] = {0.0f, 0.0f, 0.0f}, w;
    if (r.word[0].i < 0)
      continue;
    wn_point_load(dim, n_v, r.word, x, u, &w);
    const int side = wn_gpu_point_fly<kind, false>(
        m, batch.steps, x, u,
        [&](const int32_t cell[3], const uint32_t part[3], float e[3]) {
          wn_gpu_gather<dim, shape, gather>(m.grid, cell, part, e);
        });
    if (side >= 0) {
      wn_gpu_point_ended<n_v>(&m, batch.sums, u[0], u[1], u[2], w, side);
      r.word[0].i = WN_POINT_DEAD;
    } else {
      wn_point_store(dim, n_v, r.word, x, u);
    }
    wn_gpu_point_write<kind>(batch.records, i, r);
  }
}

template <int kind, int shape, int gather>
static int wn_gpu_points_launch(struct wn_gpu *g, unsigned int block,
                                const struct wn_points *m,
                                const struct wn_gpu_points_batch &batch)
{
  const unsigned int threads = block > 0 ? block : WN_GPU_STRIDE_BLOCK;
  const unsigned long long blocks = (batch.n + threads - 1) / threads;
  wn_gpu_points_kernel<kind, shape, gather>
      <<<(unsigned int)(blocks < 1u << 20 ? blocks : 1u << 20), threads, 0, g->stream>>>(
          *m, batch);
  return wn_gpu_check((int)cudaGetLastError(), "points");
}

#endif
