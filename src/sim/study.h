/* src/sim/study.h - the models of the scheduler study (split-remove, rectangle, box),
 * which serve to measure schedulers: their parameters in a scenario.  All run in Poisson
 * steps of mobility steps and write the same numbers (src/jobs/study.c). */
#ifndef WN_SRC_SIM_STUDY_H
#define WN_SRC_SIM_STUDY_H
#include "src/config/config.h"
#include "src/sim/sim.h"

/* In all of these c has a model of the study. */
struct wn_study_steps {
  size_t poisson, mobility; /* in a run, in a Poisson step */
  double dt;                /* s, of a mobility step */
};
struct wn_study_steps wn_study_steps(const struct wn_config *c);

const struct wn_model_ops *wn_study_model(const struct wn_config *c);

/* Set up the data of s->species[0], which has this model, and the interval of a Poisson
 * step.  WN_ENOMEM; WN_EINPUT: the table of split-remove (src/sim/split_table.h). */
int wn_study_set_up(struct wn_sim *s);
/* The field of the model, on s->gpu when there is one; a zero field for models that need
 * none.  Errors of its create: WN_ENOMEM. */
int wn_study_field(struct wn_sim *s, struct wn_field **out);
/* c->electrons primaries, as the scenario specifies, into the empty store of
 * s->species[0].
 * WN_ENOMEM, WN_EFULL. */
int wn_study_release(struct wn_sim *s);

/* Bytes of grids of the field; 0: it has none. */
size_t wn_study_grid_bytes(const struct wn_config *c);

#endif
