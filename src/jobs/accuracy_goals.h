/* src/jobs/accuracy_goals.h - the required accuracy of coefficients of a swarm: the group `accuracy`.
 *
 * A goal is reached when the relative standard error of its coefficient is at most the required one.  A
 * rate is also reached when it is known to be below accuracy.floor, as a reduced coefficient (alpha/N,
 * eta/N; m2): by its upper limit if no event was seen, else by its value plus 1.645 errors, both with 95
 * % confidence; and when the gas has no such process. */
#ifndef WN_SRC_JOBS_ACCURACY_GOALS_H
#define WN_SRC_JOBS_ACCURACY_GOALS_H
#include "src/diag/diag.h"

/* State of the goals of a case. */
struct wn_goals {
  /* Largest ratio of error to required error, at most 1 when all goals are reached;
   * INFINITY if one is unknown.  Then its number in WN_GOALS, its relative error, the
   * required error; below 0: all goals are rates below the floor. */
  double worst;
  int which;
  double error, asked;
  int below_floor; /* goals reached because of the floor */
};

/* Evaluates the goals.  moments, rates: diagnostics of the case; control [groups]: that
 * of src/diag/transport.c. */
struct wn_goals wn_goals_evaluate(const struct wn_sim *s, struct wn_diag *moments,
                                  struct wn_diag *rates, const double *control);

/* "bulk_DL: 0.98 %, asked 1 %; 1 rate is below the floor"; text [n]. */
void wn_goals_text(const struct wn_goals *g, char *text, size_t n);

#endif
