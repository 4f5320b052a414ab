/* src/synthetic_run.h - the models that are there to measure schedulers: split-remove,
 * rectangle and box.  All run in Poisson steps of mobility steps and write the same
 * numbers. */
#ifndef WN_SRC_SYNTHETIC_RUN_H
#define WN_SRC_SYNTHETIC_RUN_H
#include "src/config.h"
#include "src/sim.h"

struct wn_synthetic_steps {
  size_t poisson, mobility; /* in a run, in a Poisson step */
  double dt;                /* s, of a mobility step */
};
struct wn_synthetic_steps wn_synthetic_steps(const struct wn_config *c);

/* A simulation ready to go, the electrons released. */
int wn_synthetic_create(const struct wn_config *c, struct wn_sim **out);

/* interrupted: asked after every Poisson step; anything but WN_OK ends the run. */
int wn_run_synthetic(const struct wn_config *c, int argc, char *const *argv,
                     int (*interrupted)(void));

#endif
