/* schedulers/gpu/model_ion.cu - model `ion` on a GPU: the whole step is the
 * collision-free pass (collision_free.cu), in which ions also collide. */
#include "physics/rng.h" /* before any other header of cuRAND */
#include "physics/ion.h"
#include "schedulers/gpu/model_ops.cuh"
#include "schedulers/gpu/collision_free.cuh"

static int is_collision_free(const struct wn_model *, int)
{
  return 1;
}

static const struct wn_grid_view *grid(const struct wn_model *model)
{
  const struct wn_ion *m = (const struct wn_ion *)model->data;
  return m->in_grid ? &m->grid.points.grid : NULL;
}

extern "C" const struct wn_gpu_model wn_gpu_model_ion = {
    NULL, NULL, NULL, 0, 0, NULL, NULL, is_collision_free, wn_gpu_collision_free_ions,
    grid, NULL, NULL};
