/* bench/study/model_split_remove.c - model `split-remove` for the host: the loops around
 * bench/study/split_remove.h. */
#include <stddef.h>
#include "base/error.h"
#include "bench/study/split_remove.h"
#include "bench/study/lists.h"

static int feel(struct wn_model *model, const struct wn_field_view *field)
{
  struct wn_split *m = model->data;
  if (field->kind != WN_FIELD_OTHER)
    return WN_FAIL(WN_EINTERN, "model split-remove lives in field `difference` only");
  m->field = *(const struct wn_difference_view *)field->of.other;
  return WN_OK;
}

static void gather(const struct wn_model *model, void *records, size_t n)
{
  struct wn_split_electron *e = records;
  for (size_t i = 0; i < n; i++)
    wn_split_gather(model->data, &e[i]);
}

static void advance(const struct wn_model *model, void *record, struct wn_tally *tally,
                    struct wn_births *births)
{
  struct wn_split_electron *e = record, own = *e, child;
  uint64_t steps = 0;
  while (own.t_left > 0.0f) {
    int what = wn_split_step(model->data, &own, &child);
    steps++;
    if (what == WN_SPLIT_CHILD) {
      tally->n_births++;
      wn_births_push(births, &child);
    } else if (what == WN_SPLIT_DEAD) {
      tally->n_deaths++;
    }
  }
  *e = own;
  tally->n_candidates += steps;
}

static size_t tables(const struct wn_model *model, struct wn_model_table *list)
{
  (void)model;
  list[0] = (struct wn_model_table){offsetof(struct wn_split, tables),
                                    sizeof(struct wn_split_tables)};
  return 1;
}

const struct wn_model_ops wn_model_split_remove = {
    .name = "split-remove",
    .doc = "the scheduler study's synthetic gas: electrons split or vanish by a table "
           "over their speed",
    .bytes = sizeof(struct wn_split),
    .record = {.bytes = sizeof(struct wn_split_electron),
               .t_left = offsetof(struct wn_split_electron, t_left)},
    .set_field = feel,
    .gather = gather,
    .advance = advance,
    .tables = tables,
    .gpu = WN_ON_GPU(wn_gpu_model_split_remove),
};
