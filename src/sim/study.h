/* src/sim/study.h - the models of the scheduler study (split-remove, rectangle, box), which
 * are there to measure schedulers: what a scenario says of them.  All run in Poisson
 * steps of mobility steps and write the same numbers (src/jobs/study.c). */
#ifndef WN_SRC_SIM_STUDY_H
#define WN_SRC_SIM_STUDY_H
#include "src/config/config.h"
#include "src/sim/sim.h"

/* c: of a model of the study in all of these. */
struct wn_study_steps {
  size_t poisson, mobility; /* in a run, in a Poisson step */
  double dt;                /* s, of a mobility step */
};
struct wn_study_steps wn_study_steps(const struct wn_config *c);

const struct wn_model_ops *wn_study_model(const struct wn_config *c);

/* The data of s->species[0], whose model this is, and the interval of a Poisson step.
 * WN_ENOMEM; WN_EINPUT: the table of split-remove (src/sim/split_table.h). */
int wn_study_set_up(struct wn_sim *s);
/* The field that the model lives in, on s->gpu when there is one; a zero field for those
 * that need none.  Its create's errors: WN_ENOMEM. */
int wn_study_field(struct wn_sim *s, struct wn_field **out);
/* c->electrons primaries, as the scenario says, into the empty store of s->species[0].
 * WN_ENOMEM, WN_EFULL. */
int wn_study_release(struct wn_sim *s);

/* Bytes of grids of the field; 0: it has none. */
size_t wn_study_grid_bytes(const struct wn_config *c);

#endif
