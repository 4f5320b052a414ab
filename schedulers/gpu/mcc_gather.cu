/* schedulers/gpu/mcc_gather.cu - see mcc_gather.cuh. */
#include "physics/rng.h" /* before any other header of cuRAND */
#include "schedulers/gpu/mcc_gather.cuh"
#include "physics/mcc.h"
#include "schedulers/gpu/mcc_gather_kernel.cuh"
#include "schedulers/gpu/radial.cuh"

template <int what>
static int launch(struct wn_gpu *g, const struct wn_model *model, struct wn_particles *p,
                  size_t first)
{
  const struct wn_mcc *m = (const struct wn_mcc *)model->data;
  const struct wn_gpu_store *t = wn_gpu_store_of(g, p);
  const size_t n = p->n - first;
  if (n == 0)
    return WN_OK;
  if (t == NULL || p->place == WN_PARTICLES_HOST)
    return WN_FAIL(WN_EINTERN, "the electrons are not on the GPU");
  WN_TRY(wn_gpu_use(g));
  struct wn_electron *e = (struct wn_electron *)wn_gpu_records(t) + first;
  WN_TRY(m->grid.points.grid.is_radial
             ? wn_gpu_mcc_gather_radial(g, m->grid, what, e, n)
             : wn_gpu_mcc_gather_launch<what>(g, m->grid, e, n));
  p->place = WN_PARTICLES_REMOTE;
  return WN_OK;
}

int wn_gpu_mcc_gather(struct wn_gpu *g, const struct wn_model *model,
                      struct wn_particles *p)
{
  return launch<WN_GPU_ALL_FEEL>(g, model, p, 0);
}

int wn_gpu_mcc_start_newborns(struct wn_gpu *g, const struct wn_model *model,
                              struct wn_particles *p, size_t first)
{
  return launch<WN_GPU_NEWBORNS_FEEL>(g, model, p, first);
}
