/* src/run/forecast.h - what a case will cost, from a short trial of it: few particles are
 * followed for a fraction of a second on the device of the run; how many candidates a
 * second they make there and how fast their number grows is carried on to the end. */
#ifndef WN_SRC_RUN_FORECAST_H
#define WN_SRC_RUN_FORECAST_H
#include "src/jobs/job.h"

struct wn_forecast {
  double duration;   /* s from the release (src/jobs/job.h); NAN: until the job is satisfied */
  double candidates; /* that all particles of the case will make; NAN as above */
  double particles;  /* at the end, or where the store becomes full */
  double ns;         /* of wall clock a candidate, as measured */
  double seconds;    /* wall clock; NAN as above */
  int is_full;       /* population.capacity will be reached before the end */
  double steps;      /* of the job, from one sum over all to the next; NAN as above */
  double
      of_step; /* s of a step with the particles that are there then, or at first where that
                      * is not known */
};

/* Electrons that a weighted ensemble keeps when its levels are full; 0: there is none.  In a
 * step there are up to WN_FORECAST_BRIEF times as many: those that are born among the fast have
 * little weight, and the next control takes most of them. */
double wn_forecast_levels(const struct wn_config *c);
#define WN_FORECAST_BRIEF 3.0

/* A simulation for trials: the scenario with few particles, on the device of the plan,
 * which must be there.  Errors as wn_sim_create. */
struct wn_trial;
int wn_trial_create(const struct wn_config *c, const struct wn_gas *gas,
                    const struct wn_device_plan *plan, struct wn_trial **out);
void wn_trial_free(struct wn_trial *t);

/* Takes about `budget` seconds.  WN_ERUN and the like as the run would. */
int wn_forecast(struct wn_trial *t, size_t i_case, double budget,
                struct wn_forecast *out);

/* s of a step of model plasma: what its grid takes and what one particle that moves takes, from
 * steps with about `most` particles, four a cell at least, and with a quarter of them, rows of integrals included; *n: how
 * many move in the run.  What other diagnostics take is not in it.  Errors of wn_sim_create, and as the run would. */
struct wn_plasma_cost {
  double grid, particle, n;
};
int wn_forecast_plasma(const struct wn_config *c, const struct wn_gas *gas,
                       const struct wn_device_plan *plan, double most,
                       struct wn_plasma_cost *out);

/* Bytes that a checkpoint of the run has on disk with so many particles: of the trial's
 * first case as it is released, with diagnostics as large as those of the run.  What a job
 * collects as it goes on is not in it.  Errors as wn_forecast. */
int wn_forecast_checkpoint(struct wn_trial *t, double particles, double *bytes);

#endif
