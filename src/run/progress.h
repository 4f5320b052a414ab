/* src/run/progress.h - progress of a run: one line that is rewritten on a terminal, or a
 * plain line at intervals elsewhere. */
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
  double moves; /* steps of particles of this case, since it began in this program */
  const char *text;
  uint64_t candidates, real; /* of finished cases */
  uint64_t now_candidates, now_real;
  /* counts of this case from before the checkpoint */
  uint64_t candidates_before, real_before;
  int shown;
};

/* collisions: candidates are counted; otherwise steps of particles. */
void wn_progress_init(struct wn_progress *p, size_t n_cases, int quiet, int collisions);
void wn_progress_case(struct wn_progress *p, const char *text); /* the next case begins */
/* The case continues from a checkpoint at this time, with these counts. */
void wn_progress_goes_on(struct wn_progress *p, double time, uint64_t candidates,
                         uint64_t real);
int wn_progress_due(const struct wn_progress *p);

/* After a step: simulated time [s], living electrons and their largest possible number, candidates and
 * real collisions of this case so far, fraction of the simulated time done.  The remaining time follows
 * from the growth of their number since a quarter of the time, or half of it. */
void wn_progress_step(struct wn_progress *p, double time, size_t electrons, double most,
                      uint64_t candidates, uint64_t real, double fraction);
void wn_progress_wipe(struct wn_progress *p); /* removes the line until the next step */
void wn_progress_end_case(struct wn_progress *p);
/* Candidates of all cases, if there are collisions, and the name of the result file. */
void wn_progress_summary(const struct wn_progress *p, const char *output);

/* Wall-clock seconds to go, when `sum` particle seconds took `spent` seconds, and n particles
 * that grow at `rate` [1/s] up to `most` have `left` [s] to go. */
double wn_progress_to_go(double sum, double spent, double n, double rate, double left,
                         double most);
/* The same if their number grows (slope above 0) or falls by `slope` a second. */
double wn_progress_to_go_linear(double sum, double spent, double n, double slope,
                                double left, double most);

#endif
