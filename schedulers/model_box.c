/* schedulers/model_box.c - model `box` for the host: the loop around physics/box.h. */
#include "schedulers/model.h"
#include <stddef.h>
#include <string.h>

_Static_assert(sizeof(struct wn_box_electron) == sizeof(struct wn_electron) &&
                   offsetof(struct wn_box_electron, id) ==
                       offsetof(struct wn_electron, id) &&
                   offsetof(struct wn_box_electron, t_left) ==
                       offsetof(struct wn_electron, t_left),
               "one store for all models");

static void advance(const struct wn_model *model, struct wn_electron *e,
                    struct wn_tally *tally, struct wn_births *births)
{
  struct wn_box_electron b, child;
  struct wn_electron newborn;
  memcpy(&b, e, sizeof b);
  while (b.t_left > 0.0f) {
    tally->n_candidates++;
    if (wn_box_step(&model->box, &b, &child) == WN_BOX_CHILD) {
      tally->n_births++;
      memcpy(&newborn, &child, sizeof newborn);
      wn_births_push(births, &newborn);
    }
  }
  memcpy(e, &b, sizeof b);
}

const struct wn_model_ops wn_model_box = {
    .name = "box",
    .doc = "particles that bounce in a 2-D box, one more at each touch of the floor",
    .advance = advance,
};
