/* schedulers/gpu/model_midpoint.cu - model `midpoint` on a GPU.  In the order of tiles: midpoint_tiles.cu.  Here
 * particles in any order, and movers that it does not have: each particle by one thread, which reads and
 * writes its record once and E and B of its cell's nodes from memory.  Functions of
 * physics/midpoint.h, and so the bits of a CPU.  Limit: those reads, from the second-level cache. */
#include "schedulers/gpu/gather.cuh"
#include "schedulers/gpu/model_collisionless.cuh"
#include "schedulers/gpu/midpoint_tiles.cuh"
#include "schedulers/gpu/model_ops.cuh"

/* 3 components of velocity. */
template <int kind, int relativistic>
static __global__ void
midpoint_kernel(const __grid_constant__ struct wn_midpoint m,
                const __grid_constant__ struct wn_gpu_points_batch batch)
{
  constexpr int dim = wn_gpu_point_kind<kind>::dim;
  for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
       i < batch.n; i += (unsigned long long)gridDim.x * blockDim.x) {
    struct wn_gpu_point<kind> r = wn_gpu_point_read<kind>(batch.records, i);
    int32_t x[3] = {0, 0, 0};
    float u[3] = {0.0f, 0.0f, 0.0f}, w;
    int side = -1;
    if (r.word[0].i < 0)
      continue;
    wn_point_load(dim, 3, r.word, x, u, &w);
    for (unsigned int step = 0; step < batch.steps && side < 0; step++)
      side = wn_midpoint_step(&m, dim, relativistic, x, u);
    if (side >= 0) {
      wn_gpu_point_ended<3>(&m.points, batch.sums, u[0], u[1], u[2], w, side);
      r.word[0].i = WN_POINT_DEAD;
    } else {
      wn_point_store(dim, 3, r.word, x, u);
    }
    wn_gpu_point_write<kind>(batch.records, i, r);
  }
}

static int launch(struct wn_gpu *g, unsigned int block, const struct wn_midpoint *m,
                  const struct wn_gpu_points_batch &batch)
{
  const unsigned int threads = block > 0 ? block : WN_GPU_STRIDE_BLOCK;
  const unsigned long long blocks = (batch.n + threads - 1) / threads;
  return wn_gpu_for_kind(m->points.kind, [&](auto kind) {
    constexpr int is = decltype(kind)::is;
    if constexpr (wn_gpu_point_kind<is>::n_v == 3) {
      const auto kernel =
          m->points.relativistic ? midpoint_kernel<is, 1> : midpoint_kernel<is, 0>;
      kernel<<<(unsigned int)(blocks < 1u << 20 ? blocks : 1u << 20), threads, 0,
               g->stream>>>(*m, batch);
      return wn_gpu_check((int)cudaGetLastError(), "points in E and B");
    }
    return WN_FAIL(WN_EINTERN, "points of two velocities in E and B on nodes");
  });
}

/* Particles in batches: the moments that are expected of a segment after its step, by a copy of it in the order of tiles. */
static int launch_segment(struct wn_gpu *g, const struct wn_midpoint *m,
                          const struct wn_particles *p,
                          const struct wn_gpu_points_batch &batch,
                          const struct wn_gpu_ten_view &ten)
{
  struct wn_gpu_store *ordered;
  struct wn_gpu_points_batch copy = batch;
  if (ten.sum == NULL)
    return WN_OK;
  WN_TRY(wn_gpu_batches_order(g, p, &m->points, batch.records, batch.n, &ordered));
  copy.records = wn_gpu_records(ordered);
  return wn_gpu_midpoint_moments(ordered, m, copy, ten);
}

static int advance(struct wn_gpu *g, unsigned int block, const struct wn_model *model,
                   struct wn_particles *p, struct wn_tally *tally)
{
  const struct wn_midpoint *m = (const struct wn_midpoint *)model->data;
  struct wn_gpu_ten *expected =
      wn_gpu_is_in_batches(g, p) ? wn_gpu_batches_ten(g, p) : NULL;
  struct wn_gpu_ten_view ten = {};
  if (expected != NULL)
    WN_TRY(wn_gpu_ten_begin(g, expected, (size_t)wn_grid_nodes(&m->points.grid), &ten));
  return wn_gpu_points_advance_by(g, model, p, tally,
                                  [&](const struct wn_gpu_points_batch &batch) {
                                    WN_TRY(launch(g, block, m, batch));
                                    return launch_segment(g, m, p, batch, ten);
                                  });
}

static int move_in_order(struct wn_gpu *g, const struct wn_model *model,
                         struct wn_particles *p, struct wn_tally *tally,
                         unsigned long long *deaths)
{
  const struct wn_midpoint *m = (const struct wn_midpoint *)model->data;
  struct wn_gpu_store *t = wn_gpu_store_of(g, p);
  const int all_in_order = t->tiles->n == p->n && wn_gpu_midpoint_in_tiles(m);
  return wn_gpu_points_move_by(
      g, model, p, tally, deaths, [&](const struct wn_gpu_points_batch &batch) {
        return all_in_order ? wn_gpu_midpoint_tiles(t, m, batch) : launch(g, 0, m, batch);
      });
}

extern "C" const struct wn_gpu_model wn_gpu_model_midpoint = {wn_gpu_points_hold, advance,
                                                              move_in_order, 32, 0};
