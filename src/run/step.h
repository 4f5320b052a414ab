/* src/run/step.h - one step of a simulation. */
#ifndef WN_SRC_RUN_STEP_H
#define WN_SRC_RUN_STEP_H
#include "src/sim/sim.h"

/* Advance all particles from s->time to s->time + dt, and s->time with them: one step
 * without population control and samples.  WN_EFULL, WN_ERUN: src/sim/species.h,
 * src/sim/sim.h. */
int wn_step(struct wn_sim *s, double dt);

#endif
