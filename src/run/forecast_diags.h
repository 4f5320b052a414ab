/* src/run/forecast_diags.h - the time that the diagnostics of a plasma take, from a trial in which they sample
 * each step: in a run they sample some, which is known before. */
#ifndef WN_SRC_RUN_FORECAST_DIAGS_H
#define WN_SRC_RUN_FORECAST_DIAGS_H
#include "src/sim/sim.h"

#define WN_TRIAL_DIAGS 16 /* diagnostics of a job at most */

/* The scenario of a trial, of `steps` steps: all windows begin with it and have a sample in each step, as the
 * integrals have a row, and there is a map in the first step.  windows: room for those of c; they belong
 * to the caller. */
void wn_trial_diags_scenario(const struct wn_config *c, size_t steps,
                             struct wn_cfg_average *windows, struct wn_config *few);

/* s that each diagnostic took for a sample, at least; for a file without rows, once; and for a block of rows
 * (WN_INTEGRALS_BLOCK), in memory.  first: of the first step, with the diagnostics, which are created before it,
 * and their samples, but for maps. */
struct wn_diags_time {
  double sample[WN_TRIAL_DIAGS], file, block, first;
};

/* Makes `steps` steps, in the first of which the simulation is new, or fewer, for about `budget` seconds; takes the
 * times that are shorter than those before.  Errors of the run. */
int wn_trial_diags(struct wn_sim *s, const struct wn_gas *gas, size_t steps,
                   double budget, struct wn_diags_time *t);

/* Gives both the shorter times of what has no more to do with more particles, or was measured once: file, rows, maps. */
void wn_diags_time_same(const struct wn_config *c, struct wn_diags_time *a,
                        struct wn_diags_time *b);

/* s of the diagnostics in a step of c, on average over its run, and of its file. */
double wn_diags_step(const struct wn_config *c, const struct wn_diags_time *t);

/* Rows of the integrals, and maps, of a run; samples of its windows, on average over these. */
double wn_diags_rows(const struct wn_config *c);
double wn_diags_maps(const struct wn_config *c);
double wn_diags_samples(const struct wn_config *c);

#endif
