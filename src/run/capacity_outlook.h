/* src/run/capacity_outlook.h - will the particles of a case outgrow their store before its end?  Looked at
 * after each step, from the growth measured so far; said once a case, as a warning. */
#ifndef WN_SRC_RUN_CAPACITY_OUTLOOK_H
#define WN_SRC_RUN_CAPACITY_OUTLOOK_H
#include "src/jobs/job.h"
#include "src/stats/growth.h"

struct wn_capacity_outlook {
  struct wn_growth growth[WN_MAX_SPECIES];
  int is_said;
};

/* A case begins, or is gone on with. */
void wn_capacity_begin(struct wn_capacity_outlook *o, const struct wn_sim *s);

/* After a step.  Nothing is foreseen of a case whose end the scenario does not give, nor of a
 * species that population control keeps near a target. */
void wn_capacity_check(struct wn_capacity_outlook *o, const struct wn_sim *s,
                       const struct wn_job_ops *ops);

/* How many particles there may come to be: what control lets be, or the store holds. */
double wn_capacity_limit(const struct wn_sim *s);

#endif
