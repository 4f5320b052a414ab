/* src/run/forecast.h - the cost of a case, from a short trial: few particles run for a
 * fraction of a second on the device of the run; candidates a second and growth of the
 * number of particles are extrapolated to the end of the case. */
#ifndef WN_SRC_RUN_FORECAST_H
#define WN_SRC_RUN_FORECAST_H
#include "src/jobs/job.h"
#include "src/run/forecast_pilot.h"

struct wn_forecast {
  /* s from the release (src/jobs/job.h); NAN: until the accuracy is reached. */
  double duration;
  /* Of all particles of the case, or what the accuracy is expected to need; NAN: the trial was too short. */
  double candidates;
  double particles; /* at the end, or at the capacity of the store */
  double ns;        /* wall clock for one candidate, measured */
  double seconds;   /* wall clock; NAN as above */
  int is_full;      /* population.capacity is reached before the end */
  double steps;     /* steps of the job, each with one sum over all ranks; NAN as above */
  /* s for a step with the final number of particles, or the initial one where that is not known. */
  double of_step;
};

/* Electrons in a weighted ensemble whose levels are full; 0: no ensemble.  In a step there are
 * up to WN_FORECAST_BRIEF times as many: newborns in high levels have little weight, and the
 * next control removes most of them. */
double wn_forecast_levels(const struct wn_config *c);
#define WN_FORECAST_BRIEF 3.0

/* A simulation for trials: the scenario with few particles, on the device of the plan,
 * which must be present.  Errors as wn_sim_create. */
struct wn_trial;
int wn_trial_create(const struct wn_config *c, const struct wn_gas *gas,
                    const struct wn_device_plan *plan, struct wn_trial **out);
void wn_trial_free(struct wn_trial *t);

/* Takes about `budget` seconds.  WN_ERUN and other errors as the run would return. */
int wn_forecast(struct wn_trial *t, size_t i_case, double budget,
                struct wn_forecast *out);

/* The same, but *ns alone, of a candidate, and for `budget` seconds in any case. */
int wn_forecast_speed(struct wn_trial *t, size_t i_case, double budget, double *ns);

/* s of a step of model plasma: the part of the grid, and of one particle that moves in it, from steps with about
 * `most` particles, at least four a cell, and with a quarter of them, each twice.
 *   diags    the same of diagnostics without particles, with their file in memory, by the part of the steps
 *            in which they do something; not of samples of particles and results of blocks of averages.  What
 *            they do with particles is in the part of these
 *   n        moving particles at the start of the run; release: s for each, once
 *   moves    particles that move in a step, on average over the run: of a species that moves in every n-th
 *            step an n-th.  growth: how their number goes on, from pilots that take some seconds, or a tenth of the time of
 *            the run, at most 10 s: the second, with fewer and heavier macroparticles, where numbers change and the first did not
 *            reach the end.  With photoionization a front may begin late: then 10 s
 *   create   s for field, schedulers and device, once
 * Errors of wn_sim_create and of the run. */
struct wn_plasma_cost {
  double grid, diags, particle, n, moves, create, release;
  struct wn_pilot growth;
};
int wn_forecast_plasma(const struct wn_config *c, const struct wn_gas *gas,
                       const struct wn_device_plan *plan, double most,
                       struct wn_plasma_cost *out);

/* Numbers of particles alone, by a pilot of about 1 s with few macroparticles, on any device.  Errors of wn_sim_create. */
int wn_forecast_growth(const struct wn_config *c, const struct wn_gas *gas,
                       const struct wn_device_plan *plan, struct wn_pilot *out);

/* Bytes of a checkpoint on disk with `particles` particles: of the trial's first case at
 * its release, with diagnostics as large as those of the run.  Data that a job collects
 * later is not included.  Errors as wn_forecast. */
int wn_forecast_checkpoint(struct wn_trial *t, double particles, double *bytes);

#endif
