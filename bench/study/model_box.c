/* bench/study/model_box.c - model `box` for the host: the loop around bench/study/box.h. */
#include <stddef.h>
#include "bench/study/box.h"
#include "bench/study/lists.h"

static void advance(const struct wn_model *model, void *record, struct wn_tally *tally,
                    struct wn_births *births)
{
  struct wn_box_electron *e = record, child;
  while (e->t_left > 0.0f) {
    tally->n_candidates++;
    if (wn_box_step(model->data, e, &child) == WN_BOX_CHILD) {
      tally->n_births++;
      wn_births_push(births, &child);
    }
  }
}

const struct wn_model_ops wn_model_box = {
    .name = "box",
    .doc = "particles that bounce in a 2-D box, one more at each touch of the floor",
    .bytes = sizeof(struct wn_box),
    .record = {.bytes = sizeof(struct wn_box_electron),
               .t_left = offsetof(struct wn_box_electron, t_left)},
    .advance = advance,
    .gpu = WN_ON_GPU(wn_gpu_model_box),
};
