/* schedulers/gpu/collision_free.cu - see collision_free.cuh. */
#include "schedulers/gpu/launch.cuh" /* before any other header of cuRAND */
#include "schedulers/gpu/collision_free_pass.cuh"
#include "schedulers/gpu/radial.cuh"

/* Particles are sorted again when in the last step this fraction was farther from the
 * neighbours in memory than a tile, but not before so many steps. */
#define SORT_STRAYS 0.25
#define SORT_WAIT   16
/* Steps between sorts of particles that collide often, of which strays are not counted. */
#define SORT_EVERY 32

int wn_gpu_is_collision_free(const struct wn_scheduler *s, const struct wn_model *model)
{
  const struct wn_gpu_model *own = model->ops->gpu;
  return own->is_collision_free != NULL &&
         own->is_collision_free(model, s->is_collision_free);
}

int wn_gpu_collision_free_sort(const struct wn_scheduler *s, const struct wn_model *model,
                               struct wn_particles *p)
{
  struct wn_gpu_store *t = wn_gpu_store_of(s->gpu, p);
  const struct wn_grid_view *g = model->ops->gpu->grid(model);
  int done;
  if (g == NULL || !wn_gpu_sort_pays(g, p->n) || t->dead > 0)
    return WN_OK;
  if (t->order_wait > 0) {
    t->order_wait--;
    return WN_OK;
  }
  if (t->strays < SORT_STRAYS)
    return WN_OK;
  t->order_wait = SORT_WAIT;
  t->strays = 0.0;
  return wn_gpu_sort(s->gpu, g, p, &done);
}

int wn_gpu_sort_now_and_then(const struct wn_scheduler *s, const struct wn_model *model,
                             struct wn_particles *p)
{
  struct wn_gpu_store *t = wn_gpu_store_of(s->gpu, p);
  const struct wn_gpu_model *own = model->ops->gpu;
  const struct wn_grid_view *g = own->grid != NULL ? own->grid(model) : NULL;
  int done;
  if (t == NULL || g == NULL || p->place == WN_PARTICLES_HOST || t->dead > 0 ||
      !wn_gpu_sort_pays(g, p->n))
    return WN_OK;
  if (t->order_wait > 0) {
    t->order_wait--;
    return WN_OK;
  }
  t->order_wait = SORT_EVERY;
  return wn_gpu_sort(s->gpu, g, p, &done);
}

int wn_gpu_collision_free_ions(struct wn_scheduler *s, const struct wn_model *model,
                               const struct wn_gpu_launch *l, struct wn_gpu_store *t,
                               size_t n)
{
  const struct wn_ion &m = *(const struct wn_ion *)model->data;
  return m.in_grid && m.grid.points.grid.is_radial
             ? wn_gpu_collision_free_ions_radial(s, model, l, t, n)
             : wn_gpu_pass_ions(s, model, l, t, n);
}

int wn_gpu_collision_free_electrons(struct wn_scheduler *s, const struct wn_model *model,
                                    const struct wn_gpu_launch *l, struct wn_gpu_store *t,
                                    size_t n)
{
  const struct wn_mcc &m = *(const struct wn_mcc *)model->data;
  return m.grid.points.grid.is_radial
             ? wn_gpu_collision_free_electrons_radial(s, model, l, t, n)
             : wn_gpu_pass_electrons(s, model, l, t, n);
}
