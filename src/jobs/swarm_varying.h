/* src/jobs/swarm_varying.h - the job of a swarm in a time-dependent field, shared by
 * swarm_varying.c, which decides, and swarm_varying_record.c, which writes. */
#ifndef WN_SRC_JOBS_SWARM_VARYING_H
#define WN_SRC_JOBS_SWARM_VARYING_H
#include "src/diag/time_rows.h"
#include "src/diag/time_samples.h"
#include "src/jobs/job.h"

struct wn_varying_case {
  double interval, span; /* s; span: a period, or the duration */
  int is_periodic, sampling, done;
  size_t steps, step; /* of the span; those done */
  /* relaxation; a window in periods, or in steps if there is no period */
  int window;
  size_t in_window, window_length;
  struct wn_estimate last;
  /* sampling */
  struct wn_time_rows *rows;
  struct wn_time_samples *samples;
  size_t periods, max_periods; /* measured; 0: until the accuracy is reached */
  uint64_t first;              /* steps done when it began */
  double weight;               /* sum of weights of a group at the start of a period */
};

int wn_varying_define(struct wn_output *o, const struct wn_config *c,
                      const struct wn_gas *g);
int wn_varying_begin(struct wn_output *o, const struct wn_config *c,
                     const struct wn_gas *g);
void wn_varying_heading(FILE *to);
int wn_varying_finish(const struct wn_varying_case *j, const struct wn_sim *s,
                      struct wn_output *o, FILE *to);

#endif
