/* src/study.h - the models of the scheduler study (split-remove, rectangle, box), which
 * are there to measure schedulers: what a scenario says of them.  All run in Poisson
 * steps of mobility steps and write the same numbers (src/job_study.c). */
#ifndef WN_SRC_STUDY_H
#define WN_SRC_STUDY_H
#include "src/config.h"
#include "src/sim.h"

struct wn_study_steps {
  size_t poisson, mobility; /* in a run, in a Poisson step */
  double dt;                /* s, of a mobility step */
};
struct wn_study_steps wn_study_steps(const struct wn_config *c);

const struct wn_model_ops *wn_study_model(const struct wn_config *c);

/* The data of s->species[0], whose model this is, and the interval of a Poisson step. */
int wn_study_set_up(struct wn_sim *s);
int wn_study_field(struct wn_sim *s, struct wn_field **out);
int wn_study_release(struct wn_sim *s);

/* Bytes of grids of the field. */
size_t wn_study_grid_bytes(const struct wn_config *c);

#endif
