/* schedulers/gpu/model_collisionless.cu - see model_collisionless.cuh. */
#include "schedulers/gpu/model_collisionless.cuh"
#include <string.h>
#include "schedulers/gpu/model_ops.cuh"
#include "schedulers/gpu/points_kernel.cuh"
#include "schedulers/gpu/radial.cuh"

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
  if (m->grid.is_radial)
    return wn_gpu_points_radial(g, block, m, batch);
  return wn_gpu_for_points(m, [&](auto kind, auto shape, auto gather) {
    return wn_gpu_points_launch<decltype(kind)::is, decltype(shape)::is,
                                decltype(gather)::is>(g, block, m, batch);
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
