/* schedulers/model_mcc.c - model `mcc` for the host: the loop around physics/mcc.h. */
#include "schedulers/model.h"

static void advance(const struct wn_model *model, struct wn_electron *e, struct wn_tally *tally,
                    struct wn_births *births)
{
  const struct wn_mcc *m = &model->mcc;
  int group = (int)((e->tag & WN_TAG_LINEAGE_MASK) % (uint32_t)m->n_groups);
  struct wn_electron child;
  while (e->t_left > 0.0f) {
    struct wn_mcc_reg r;
    int what;
    wn_mcc_load(m, e, &r);
    do {
      what = wn_mcc_advance(m, &r, e, group, tally, &child);
      if (what & WN_MCC_CHILD)
        wn_births_push(births, &child);
    } while (!(what & (WN_MCC_DONE | WN_MCC_DEAD)));
    wn_mcc_store(m, &r, e, group, tally);
    if (what & WN_MCC_DEAD) {
      e->t_left = WN_DEAD;
      tally->n_deaths++;
    }
  }
}

const struct wn_model_ops wn_model_mcc = {
    .name = "mcc",
    .doc = "electrons in gases: exact free flight, null collisions, any number of collisions a step",
    .advance = advance,
};
