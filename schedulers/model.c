/* schedulers/model.c - the list of models; their data; the beginning of a step on the
 * host. */
#include "schedulers/model.h"
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"

/* One line a model. */
#define MODELS(X)                                                                        \
  X(wn_model_mcc)                                                                        \
  X(wn_model_collisionless)                                                              \
  X(wn_model_ion)                                                                        \
  X(wn_model_midpoint)                                                                   \
  /* the next */

#define DECLARED(ops) extern const struct wn_model_ops ops;
#define LISTED(ops)   &(ops),

MODELS(DECLARED)

static const struct wn_model_ops *const models[] = {MODELS(LISTED)};

const struct wn_model_ops *const *wn_model_list(size_t *n)
{
  *n = sizeof models / sizeof models[0];
  return models;
}

int wn_model_init(struct wn_model *m, const struct wn_model_ops *ops)
{
  *m = (struct wn_model){.ops = ops, .steps = 1};
  m->data = wn_alloc_aligned(1, (ops->bytes + 63) / 64 * 64, 64);
  return m->data != NULL ? WN_OK : WN_ENOMEM;
}

void wn_model_clear(struct wn_model *m)
{
  free(m->data);
  *m = (struct wn_model){0};
}

void wn_model_gather(const struct wn_model *model, struct wn_particles *p, size_t i,
                     size_t n)
{
  if (model->ops->gather != NULL)
    model->ops->gather(model, wn_particles_at(p, i), n);
  if (p->record.no_t_left)
    return;
  for (size_t k = i; k < i + n; k++)
    if (!wn_particles_is_dead(p, k))
      *wn_particles_t_left(p, k) = (float)model->steps;
}
