/* src/jobs/accuracy_goals.h - which coefficients of a swarm shall be known how well: the group `accuracy`.
 *
 * A goal is reached when the relative standard error of its coefficient is not above what
 * is asked.  A rate is also reached when it is known to be below accuracy.floor, as
 * reduced coefficient (alpha/N, eta/N; m2): its upper limit where nothing was seen, else
 * its value and 1.645 errors, both of 95 %; and when the gas has no such process. */
#ifndef WN_SRC_JOBS_ACCURACY_GOALS_H
#define WN_SRC_JOBS_ACCURACY_GOALS_H
#include "src/diag/diag.h"

/* Of the goals of a case. */
struct wn_goals {
  /* The largest error over what is asked, at most 1 when all are reached; INFINITY: of one
   * nothing is known.  Its number in WN_GOALS, its relative error, what was asked; below
   * 0: all are rates below the floor. */
  double worst;
  int which;
  double error, asked;
  int below_floor; /* so many are reached by that */
};

/* What has been reached.  moments, rates: diagnostics of the case; control: that of
 * src/diag/transport.c [groups]. */
struct wn_goals wn_goals_evaluate(const struct wn_sim *s, struct wn_diag *moments,
                                  struct wn_diag *rates, const double *control);

/* "bulk_DL: 0.98 %, asked 1 %; 1 rate is below the floor"; text [n]. */
void wn_goals_text(const struct wn_goals *g, char *text, size_t n);

#endif
