/* src/run/capacity_outlook.h - will the number of particles of a case exceed the capacity of their store
 * before the end?  Extrapolated after each step from the growth measured so far; one warning a case. */
#ifndef WN_SRC_RUN_CAPACITY_OUTLOOK_H
#define WN_SRC_RUN_CAPACITY_OUTLOOK_H
#include "src/jobs/job.h"
#include "src/stats/growth.h"

struct wn_capacity_outlook {
  struct wn_growth growth[WN_MAX_SPECIES];
  int is_said;
};

/* At the start of a case, or when it continues from a checkpoint. */
void wn_capacity_begin(struct wn_capacity_outlook *o, const struct wn_sim *s);

/* After a step.  No forecast is made for a case of unknown duration, nor for a species whose
 * number population control limits. */
void wn_capacity_check(struct wn_capacity_outlook *o, const struct wn_sim *s,
                       const struct wn_job_ops *ops);

/* The largest number of particles: the target of population control, or the capacity of the store. */
double wn_capacity_limit(const struct wn_sim *s);

#endif
