/* schedulers/gpu/model_collisionless.cu - see model_collisionless.cuh. */
#include "schedulers/gpu/model_collisionless.cuh"
#include <string.h>
#include "schedulers/gpu/gather.cuh"
#include "schedulers/gpu/model_ops.cuh"

/* Each thread handles one particle after the other, through all mobility steps of the
 * step.  Reads and writes one record each.  E comes from the second-level cache, unless
 * the particles are sorted by cells.  Limit: memory bandwidth, or those reads. */
template <int kind, int shape, int gather>
static __global__ void
points_kernel(const __grid_constant__ struct wn_points m,
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

int wn_gpu_points_begin(struct wn_gpu *g, struct wn_gpu_points_sums **sums)
{
  WN_TRY(wn_gpu_scratch_fit(g, sizeof **sums));
  *sums = (struct wn_gpu_points_sums *)(void *)g->scratch;
  return wn_gpu_check((int)cudaMemsetAsync(g->scratch, 0, sizeof **sums, g->stream),
                      "sums of a phase");
}

int wn_gpu_points_end(struct wn_gpu *g, struct wn_gpu_points_sums *out)
{
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->host_scratch, g->scratch, sizeof *out,
                                           cudaMemcpyDeviceToHost, g->stream),
                      "sums of a phase"));
  WN_TRY(wn_gpu_wait(g, "points"));
  memcpy(out, g->host_scratch, sizeof *out);
  if (out->misfits > 0)
    return WN_FAIL(
        WN_ERUN,
        "the weights of %llu particles are below 0, not a number, or too large "
        "for the charge on a grid, which counts to 2^62 parts of 2^-20",
        out->misfits);
  return WN_OK;
}

/* The two parts of a cell of the device. */
static wn_i128 whole(wn_i128 cell)
{
  return (wn_i128)(unsigned long long)cell +
         (wn_i128)(long long)(cell >> 64) * ((wn_i128)1 << 32);
}

void wn_gpu_points_collect(const struct wn_gpu_points_sums *sums, struct wn_tally *tally)
{
  for (int k = 0; k < WN_SIDES; k++) {
    tally->surface[k].number += whole(sums->surface[k].number);
    tally->surface[k].quanta += whole(sums->surface[k].quanta);
    tally->surface[k].energy += whole(sums->surface[k].energy);
  }
  tally->n_deaths += sums->deaths;
}

int wn_gpu_points_hold(struct wn_gpu *g, const struct wn_model *model,
                       struct wn_particles *p)
{
  const struct wn_points *m = (const struct wn_points *)model->data;
  const struct wn_record want = wn_particles_points(m->kind);
  if (p->record.bytes != want.bytes || !p->record.no_t_left)
    return WN_FAIL(WN_EINTERN, "records of %zu bytes are not those of model `%s`",
                   p->record.bytes, model->ops->name);
  return wn_gpu_is_in_batches(g, p) ? (int)WN_OK : wn_gpu_hold(g, p, 0.0);
}

static int launch(struct wn_gpu *g, unsigned int block, const struct wn_points *m,
                  const struct wn_gpu_points_batch &batch)
{
  const unsigned int threads = block > 0 ? block : WN_GPU_STRIDE_BLOCK;
  const unsigned long long blocks = (batch.n + threads - 1) / threads;
  return wn_gpu_for_points(m, [&](auto kind, auto shape, auto gather) {
    points_kernel<decltype(kind)::is, decltype(shape)::is, decltype(gather)::is>
        <<<(unsigned int)(blocks < 1u << 20 ? blocks : 1u << 20), threads, 0,
           g->stream>>>(*m, batch);
    return wn_gpu_check((int)cudaGetLastError(), "points");
  });
}

int wn_gpu_points_move(struct wn_gpu *g, unsigned int block, const struct wn_model *model,
                       struct wn_particles *p, struct wn_tally *tally,
                       unsigned long long *deaths)
{
  const struct wn_points *m = (const struct wn_points *)model->data;
  return wn_gpu_points_move_by(g, model, p, tally, deaths,
                               [&](const struct wn_gpu_points_batch &batch) {
                                 return launch(g, block, m, batch);
                               });
}

int wn_gpu_points_advance(struct wn_gpu *g, unsigned int block,
                          const struct wn_model *model, struct wn_particles *p,
                          struct wn_tally *tally)
{
  const struct wn_points *m = (const struct wn_points *)model->data;
  return wn_gpu_points_advance_by(g, model, p, tally,
                                  [&](const struct wn_gpu_points_batch &batch) {
                                    return launch(g, block, m, batch);
                                  });
}

/* ---- model `collisionless` */

static int move_in_order(struct wn_gpu *g, const struct wn_model *model,
                         struct wn_particles *p, struct wn_tally *tally,
                         unsigned long long *deaths)
{
  return wn_gpu_points_move(g, 0, model, p, tally, deaths);
}

extern "C" const struct wn_gpu_model wn_gpu_model_collisionless = {
    wn_gpu_points_hold, wn_gpu_points_advance, move_in_order, 16, 1};
