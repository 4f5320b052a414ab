/* src/jobs/runaway_rate.h - shared by the files of job `runaway-rate`: the state of a case
 * (runaway_rate.c), its rates (runaway_rate_estimator.c), the start and end of the measurement
 * (runaway_rate_window.c), the plateau (runaway_rate_plateau.c), record, line and messages
 * (runaway_rate_record.c), distributions of the passing electrons (runaway_rate_bins.c). */
#ifndef WN_SRC_JOBS_RUNAWAY_RATE_H
#define WN_SRC_JOBS_RUNAWAY_RATE_H
#include "physics/passages.h"
#include "src/jobs/job.h"
#include "src/stats/event_rates.h"

/* Standard errors within which the halves of the measurement are taken as equal: a false
 * alarm in 1 run of 200. */
#define WN_RATE_STEADY 3.0
/* Part of the measured passages whose delay may exceed the time simulated before the window. */
#define WN_RATE_LATE 0.02

/* Columns of the rates: these, then passages of each threshold, then levels, then bins of passages. */
enum { WN_RATE_IONIZATION, WN_RATE_ATTACHMENT, WN_RATE_REMOVED, WN_RATE_FIRST };

/* Of the thresholds, all of one row before all of the next: rows of struct wn_tally.passed,
 * except WN_PASSED_NOW. */
static inline size_t wn_rate_threshold(const struct wn_config *c, int row, size_t k)
{
  return WN_RATE_FIRST + (size_t)(row - WN_PASSED_COHORT) * c->n_thresholds + k;
}

/* Of the levels: time spent in them, electrons before the controls, time in the unit of
 * weight of the cohorts. */
static inline size_t wn_rate_level(const struct wn_config *c, size_t i)
{
  return wn_rate_threshold(c, WN_PASSED, 0) + i;
}

/* Of the bins of passages, all thresholds of one row before all of the next: rows of
 * WN_PASSED_BIN_ROWS, after n_levels levels. */
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
  int opened;           /* the pilot has ended, and the window has opened */
  uint64_t settled; /* at that time: steps from the release to a steady rate of the first threshold */
  uint64_t end;     /* at that time: steps from the release to the end of the window */
  int done;
  double *events; /* [n_columns] of a group in a step */
  /* [n_groups][n_thresholds] first passages since the release, with the weights at the passage */
  double *passages;
  size_t n_passages;
};

static inline struct wn_ensemble *wn_rate_ensemble(const struct wn_sim *s)
{
  return s->species[0]->ensemble;
}

/* ---- runaway_rate_estimator.c */

/* 1/s: passages of threshold k, divided by the electrons at the time when the passing ones rose through
 * the first threshold; and the difference of the second and the first half of the measurement. */
struct wn_estimate wn_rate_of(const struct wn_rate_case *j, const struct wn_sim *s,
                              size_t k);
struct wn_estimate wn_rate_drift(const struct wn_rate_case *j, const struct wn_sim *s,
                                 size_t k);
/* The part of the electrons passing threshold k that does not pass the last threshold.  NaN: k
 * is the last, or no electron passed it. */
struct wn_estimate wn_rate_loss(const struct wn_rate_case *j, const struct wn_sim *s,
                                size_t k);
/* Weight that passed threshold k during the measurement. */
double wn_rate_passed(const struct wn_rate_case *j, const struct wn_sim *s, size_t k);
/* The part of the passages of threshold k during the measurement whose delay from the
 * first threshold exceeds `time` [s]. */
double wn_rate_part_later(const struct wn_rate_case *j, const struct wn_sim *s, size_t k,
                          double time);
/* s: lower edge of a bin of the delay of threshold k. */
double wn_rate_bin_edge(const struct wn_sim *s, size_t k, int bin);

/* ---- runaway_rate_window.c */

/* Ends the pilot if it was long enough.  To be called when wn_event_rates_step says that a decision
 * is due. */
void wn_rate_open(struct wn_rate_case *j, const struct wn_sim *s);
/* Steps since the release after which the rate of the first threshold is steady. */
uint64_t wn_rate_settled(const struct wn_rate_case *j, const struct wn_sim *s);
/* Is the rate of threshold k that of a steady swarm?  True if the measurement begins later than
 * the delay of all but few of its passages, and its halves agree. */
int wn_rate_is_steady(const struct wn_rate_case *j, const struct wn_sim *s, size_t k);

/* ---- runaway_rate_plateau.c */

enum wn_plateau { WN_PLATEAU_UNKNOWN = -1, WN_PLATEAU_NONE, WN_PLATEAU_FOUND };

struct wn_rate_plateau {
  enum wn_plateau state;
  double from_ev; /* the lowest threshold of the plateau; NaN if there is none */
};

struct wn_rate_plateau wn_rate_plateau(const struct wn_rate_case *j,
                                       const struct wn_sim *s);
/* Whether a loss, with the error of `groups` groups, is below the limit with 95 % confidence,
 * above it with 95 %, or neither; NaN: neither. */
enum wn_plateau wn_rate_judge(struct wn_estimate loss, double limit, size_t groups);

/* ---- runaway_rate_record.c: as in struct wn_job_ops */
int wn_rate_define(struct wn_output *o, const struct wn_config *c,
                   const struct wn_gas *g);
int wn_rate_begin(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g);
void wn_rate_heading(FILE *to);
int wn_rate_finish(const struct wn_rate_case *j, const struct wn_sim *s,
                   struct wn_output *o, FILE *to);

/* ---- runaway_rate_bins.c: called by these */
int wn_rate_define_bins(struct wn_output *o);
int wn_rate_begin_bins(struct wn_output *o);
int wn_rate_put_bins(const struct wn_rate_case *j, const struct wn_sim *s,
                     struct wn_output *o);

#endif
