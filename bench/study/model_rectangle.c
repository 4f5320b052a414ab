/* bench/study/model_rectangle.c - model `rectangle` for the host: the loop around
 * bench/study/rectangle.h. */
#include <stddef.h>
#include "bench/study/rectangle.h"
#include "bench/study/lists.h"

static void advance(const struct wn_model *model, void *record, struct wn_tally *tally,
                    struct wn_births *births)
{
  struct wn_rectangle_electron *e = record, child;
  while (e->t_left > 0.0f) {
    int what = wn_rectangle_step(model->data, e, &child);
    tally->n_candidates++;
    if (what == WN_RECTANGLE_CHILD) {
      tally->n_births++;
      wn_births_push(births, &child);
    } else if (what == WN_RECTANGLE_DEAD) {
      tally->n_deaths++;
    }
  }
}

const struct wn_model_ops wn_model_rectangle = {
    .name = "rectangle",
    .doc = "electrons at random places of a rectangle, which split or are removed with "
           "a fixed chance",
    .bytes = sizeof(struct wn_rectangle),
    .record = {.bytes = sizeof(struct wn_rectangle_electron),
               .t_left = offsetof(struct wn_rectangle_electron, t_left)},
    .advance = advance,
    .gpu = WN_ON_GPU(wn_gpu_model_rectangle),
};
