/* src/jobs/steps.h - for jobs whose cases have a known number of steps of constant length:
 * the state of such a job, and the functions of src/jobs/job.h that follow from it. */
#ifndef WN_SRC_JOBS_STEPS_H
#define WN_SRC_JOBS_STEPS_H
#include <stdint.h>
#include "src/jobs/job.h"

/* The job of each file that includes this. */
struct wn_job {
  double interval; /* s */
  uint64_t steps, total;
  uint64_t is_left; /* model plasma: that it leaves the grid has been said */
};

/* At the beginning of a case; total >= 1. */
int wn_job_steps_create(double interval, uint64_t total, struct wn_job **out);

double wn_job_steps_interval(const struct wn_job *j);
int wn_job_steps_done(const struct wn_job *j);
double wn_job_steps_fraction(const struct wn_job *j, const struct wn_sim *s);
int wn_job_steps_state(struct wn_job *j, struct wn_state *state);
void wn_job_steps_free(struct wn_job *j);

#endif
