/* src/jobs/steps.c - see steps.h. */
#include "src/jobs/steps.h"
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"

int wn_job_steps_create(double interval, uint64_t total, struct wn_job **out)
{
  struct wn_job *j = wn_alloc(1, sizeof *j);
  if (j == NULL)
    return WN_ENOMEM;
  *j = (struct wn_job){.interval = interval, .total = total};
  *out = j;
  return WN_OK;
}

double wn_job_steps_interval(const struct wn_job *j)
{
  return j->interval;
}

int wn_job_steps_done(const struct wn_job *j)
{
  return j->steps >= j->total;
}

double wn_job_steps_fraction(const struct wn_job *j, const struct wn_sim *s)
{
  (void)s;
  return (double)j->steps / (double)j->total;
}

int wn_job_steps_state(struct wn_job *j, struct wn_state *state)
{
  return WN_STATE_ARRAY(state, j, 1);
}

void wn_job_steps_free(struct wn_job *j)
{
  free(j);
}
