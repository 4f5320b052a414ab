/* src/jobs/runaway_rate.h - what the files of job `runaway-rate` share: what a case has measured
 * (runaway_rate.c), the rates of that (runaway_rate_passages.c), when it begins and ends
 * (runaway_rate_window.c), where the plateau is (runaway_rate_plateau.c), of which
 * runaway_rate_record.c makes a record, a line and words, and runaway_rate_bins.c distributions of
 * those that passed. */
#ifndef WN_SRC_JOBS_RUNAWAY_RATE_H
#define WN_SRC_JOBS_RUNAWAY_RATE_H
#include "physics/passages.h"
#include "src/jobs/job.h"
#include "src/stats/event_rates.h"

/* Errors between the halves of what was measured that are called the same: an alarm without a
 * reason in 1 run of 200. */
#define WN_RATE_STEADY 3.0
/* Of those that pass in what is measured, the part that may have taken longer than there was time
 * for before. */
#define WN_RATE_LATE 0.02

/* Columns of the rates: these, then those of the passages of each threshold, then those of
 * the levels, then those of the bins of passages. */
enum { WN_RATE_IONIZATION, WN_RATE_ATTACHMENT, WN_RATE_REMOVED, WN_RATE_FIRST };

/* Of the thresholds, all of one before all of the next: rows of struct wn_tally.passed, but
 * for WN_PASSED_NOW. */
static inline size_t wn_rate_threshold(const struct wn_config *c, int row, size_t k)
{
  return WN_RATE_FIRST + (size_t)(row - WN_PASSED_COHORT) * c->n_thresholds + k;
}

/* Of the levels: times in them, then electrons before the controls, then times in the unit of
 * weights of the cohorts. */
static inline size_t wn_rate_level(const struct wn_config *c, size_t i)
{
  return wn_rate_threshold(c, WN_PASSED, 0) + i;
}

/* Of the bins of passages, all thresholds of one before all of the next: rows of
 * WN_PASSED_BIN_ROWS, behind n_levels levels. */
static inline size_t wn_rate_bin(const struct wn_config *c, size_t n_levels, size_t row,
                                 size_t k)
{
  return wn_rate_level(c, 3 * n_levels) + row * c->n_thresholds + k;
}

static inline size_t wn_rate_columns(const struct wn_config *c, size_t n_levels)
{
  return wn_rate_bin(c, n_levels, WN_PASSED_BIN_ROWS, 0);
}

/* A case. */
struct wn_rate_case {
  struct wn_event_rates *rates;
  double interval;
  uint64_t steps, most; /* done; at the most */
  int opened;           /* the pilot is over, and the window has begun */
  uint64_t settled; /* when it has: steps since the release to a steady first threshold */
  uint64_t end;     /* and: steps since the release to the end of the window */
  int done;
  double *events; /* [n_columns] of a group in a step */
  /* [n_groups][n_thresholds] first passages since the release, in weights of then */
  double *passages;
  size_t n_passages;
};

static inline struct wn_ensemble *wn_rate_ensemble(const struct wn_sim *s)
{
  return s->species[0]->ensemble;
}

/* ---- runaway_rate_passages.c */

/* 1/s: passages of threshold k over the electrons that lived when those that pass rose through the
 * first; in the second half of what is measured less that in the first. */
struct wn_estimate wn_rate_of(const struct wn_rate_case *j, const struct wn_sim *s,
                              size_t k);
struct wn_estimate wn_rate_drift(const struct wn_rate_case *j, const struct wn_sim *s,
                                 size_t k);
/* Of those that pass threshold k the part that does not pass the last.  NaN: it is the last, or
 * none passed that. */
struct wn_estimate wn_rate_loss(const struct wn_rate_case *j, const struct wn_sim *s,
                                size_t k);
/* Weight that passed threshold k in what is measured. */
double wn_rate_passed(const struct wn_rate_case *j, const struct wn_sim *s, size_t k);
/* Of those that passed threshold k in what is measured, the part that took longer than
 * `time` [s] from the first. */
double wn_rate_part_later(const struct wn_rate_case *j, const struct wn_sim *s, size_t k,
                          double time);
/* s: where a bin of the times to threshold k begins. */
double wn_rate_bin_edge(const struct wn_sim *s, size_t k, int bin);

/* ---- runaway_rate_window.c */

/* Ends the pilot if it was long enough.  To be asked when wn_event_rates_step says that a decision is
 * due. */
void wn_rate_open(struct wn_rate_case *j, const struct wn_sim *s);
/* Steps since the release after which the rate of the first threshold is steady. */
uint64_t wn_rate_settled(const struct wn_rate_case *j, const struct wn_sim *s);
/* Is the rate of threshold k that of a steady swarm?  What is measured begins after all but few
 * of its passages have had their time, and its halves agree. */
int wn_rate_is_steady(const struct wn_rate_case *j, const struct wn_sim *s, size_t k);

/* ---- runaway_rate_plateau.c */

enum wn_plateau { WN_PLATEAU_UNKNOWN = -1, WN_PLATEAU_NONE, WN_PLATEAU_FOUND };

struct wn_rate_plateau {
  enum wn_plateau state;
  double from_ev; /* its lowest threshold; NaN without one */
};

struct wn_rate_plateau wn_rate_plateau(const struct wn_rate_case *j,
                                       const struct wn_sim *s);
/* Whether a loss, with an error of so many groups, is within the limit with 95 %, above it with
 * 95 %, or neither; NaN: neither. */
enum wn_plateau wn_rate_judge(struct wn_estimate loss, double limit, size_t groups);

/* ---- runaway_rate_record.c: as in struct wn_job_ops */
int wn_rate_define(struct wn_output *o, const struct wn_config *c,
                   const struct wn_gas *g);
int wn_rate_begin(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g);
void wn_rate_heading(FILE *to);
int wn_rate_finish(const struct wn_rate_case *j, const struct wn_sim *s,
                   struct wn_output *o, FILE *to);

/* ---- runaway_rate_bins.c: parts of these */
int wn_rate_define_bins(struct wn_output *o);
int wn_rate_begin_bins(struct wn_output *o);
int wn_rate_put_bins(const struct wn_rate_case *j, const struct wn_sim *s,
                     struct wn_output *o);

#endif
