/* src/run/progress.h - how far a run is: one line that is rewritten on a terminal, a plain
 * line now and then elsewhere. */
#ifndef WN_SRC_RUN_PROGRESS_H
#define WN_SRC_RUN_PROGRESS_H
#include <stddef.h>
#include <stdint.h>

struct wn_progress {
  size_t n_cases, i_case; /* i_case: 1.. while running */
  int quiet, terminal, collisions;
  double start, case_start, last; /* s, monotonic clock */
  /* growth: time and electrons at half of the time and at a quarter, or later; particle
   * seconds so far, until last_time */
  struct {
    double time, n;
  } mark[2];
  double last_time, last_n, sum;
  const char *text;
  uint64_t candidates, real; /* of finished cases */
  uint64_t now_candidates, now_real;
  /* what another program had done of this case */
  uint64_t candidates_before, real_before;
  int shown;
};

/* collisions: candidates are those of collisions, else steps of particles. */
void wn_progress_init(struct wn_progress *p, size_t n_cases, int quiet, int collisions);
void wn_progress_case(struct wn_progress *p, const char *text); /* the next one begins */
/* It has been brought to this by another program. */
void wn_progress_goes_on(struct wn_progress *p, double time, uint64_t candidates,
                         uint64_t real);
int wn_progress_due(const struct wn_progress *p);

/* After a phase: simulated time [s], living electrons and how many there may come to be,
 * candidates and real collisions of this field so far, fraction of the simulated time done.
 * The time to finish is from the growth of their number since a quarter of the time, or half
 * of it. */
void wn_progress_step(struct wn_progress *p, double time, size_t electrons, double most,
                      uint64_t candidates, uint64_t real, double fraction);
void wn_progress_wipe(struct wn_progress *p); /* the line goes, until the next step */
void wn_progress_end_case(struct wn_progress *p);
/* The candidates of all cases, if there are collisions, and where the results are. */
void wn_progress_summary(const struct wn_progress *p, const char *output);

/* Seconds still to go, when `sum` particle seconds took `spent` seconds, and n particles that
 * lately grew at `rate` [1/s] have `left` [s] to go, up to `most` of them. */
double wn_progress_to_go(double sum, double spent, double n, double rate, double left,
                         double most);

#endif
