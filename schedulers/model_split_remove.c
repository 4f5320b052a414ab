/* schedulers/model_split_remove.c - model `split-remove` for the host: the loop around
 * physics/split_remove.h. */
#include "schedulers/model.h"
#include <string.h>
#include "base/error.h"

/* Count the electrons of each cell and give each electron its acceleration for the
 * Poisson step.  The grid is large and mostly empty, so it is cleared through the
 * electrons rather than as a whole. */
static int prepare(const struct wn_model *model, struct wn_electron *e, size_t n)
{
  const struct wn_split *m = &model->split;
  struct wn_split_electron *s = (struct wn_split_electron *)(void *)e;
  for (size_t i = 0; i < n; i++) {
    int64_t cell = wn_split_cell(m, s[i].x);
    if (cell >= 0)
      model->count[cell]++;
  }
  for (size_t i = 0; i < n; i++)
    wn_split_accelerate(m, &s[i]);
  for (size_t i = 0; i < n; i++) {
    int64_t cell = wn_split_cell(m, s[i].x);
    if (cell >= 0)
      model->count[cell] = 0;
  }
  return WN_OK;
}

static void advance(const struct wn_model *model, struct wn_electron *e,
                    struct wn_tally *tally, struct wn_births *births)
{
  _Static_assert(sizeof(struct wn_split_electron) == sizeof(struct wn_electron),
                 "one store for all models");
  struct wn_split_electron s, child;
  struct wn_electron newborn;
  uint64_t steps = 0;
  memcpy(&s, e, sizeof s);
  while (s.t_left > 0.0f) {
    int what = wn_split_step(&model->split, &s, &child);
    steps++;
    if (what == WN_SPLIT_CHILD) {
      tally->n_births++;
      memcpy(&newborn, &child, sizeof newborn);
      wn_births_push(births, &newborn);
    } else if (what == WN_SPLIT_DEAD) {
      tally->n_deaths++;
    }
  }
  memcpy(e, &s, sizeof s);
  tally->n_candidates += steps;
}

const struct wn_model_ops wn_model_split_remove = {
    .name = "split-remove",
    .doc = "the scheduler study's synthetic gas: electrons split or vanish by a table "
           "over their speed",
    .prepare = prepare,
    .advance = advance,
};
