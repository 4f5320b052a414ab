/* src/job_rate.h - what the files of job `runaway-rate` share: what a case has measured
 * (job_rate.c), of which job_rate_record.c makes a record, a line and words, and job_rate_bins.c
 * distributions of those that passed. */
#ifndef WN_SRC_JOB_RATE_H
#define WN_SRC_JOB_RATE_H
#include "physics/passages.h"
#include "src/job.h"
#include "src/rates.h"

/* Errors between two numbers that are called the same. */
#define WN_RATE_SAME 2.0
/* The same of the halves of what was measured, where a run ends without being accurate: a
 * warning without a reason in 1 run of 200. */
#define WN_RATE_STEADY 3.0

/* Columns of the rates: these, then those of the passages of each threshold, then those of
 * the levels, then those of the bins of passages. */
enum { WN_RATE_IONIZATION, WN_RATE_ATTACHMENT, WN_RATE_REMOVED, WN_RATE_FIRST };

/* Of the thresholds, all of one before all of the next: rows of struct wn_tally.passed, but
 * for WN_PASSED_NOW. */
static inline size_t wn_rate_threshold(const struct wn_config *c, int row, size_t k)
{
  return WN_RATE_FIRST + (size_t)(row - WN_PASSED_COHORT) * c->n_thresholds + k;
}

/* Of the levels: times in them, then electrons before the controls. */
static inline size_t wn_rate_level(const struct wn_config *c, size_t i)
{
  return wn_rate_threshold(c, WN_PASSED, 0) + i;
}

/* Of the bins of passages, all thresholds of one before all of the next: rows of
 * WN_PASSED_BIN_ROWS, behind n_levels levels. */
static inline size_t wn_rate_bin(const struct wn_config *c, size_t n_levels, size_t row,
                                 size_t k)
{
  return wn_rate_level(c, 2 * n_levels) + row * c->n_thresholds + k;
}

static inline size_t wn_rate_columns(const struct wn_config *c, size_t n_levels)
{
  return wn_rate_bin(c, n_levels, WN_PASSED_BIN_ROWS, 0);
}

/* A case. */
struct wn_rate_case {
  struct wn_rates *rates;
  double interval;
  uint64_t steps, most; /* done; at the most */
  int done, accurate;
  double *events; /* [n_columns] of a group in a step */
  /* [n_groups][n_thresholds] first passages since the release, in weights of then */
  double *passages;
  size_t n_passages;
};

static inline struct wn_ensemble *wn_rate_ensemble(const struct wn_sim *s)
{
  return s->species[0]->ensemble;
}

/* Do the halves of what was measured agree within so many errors? */
int wn_rate_is_steady(const struct wn_rate_case *j, const struct wn_sim *s,
                      double errors);

/* ---- job_rate_record.c: as in struct wn_job_ops */
int wn_rate_define(struct wn_output *o, const struct wn_config *c,
                   const struct wn_gas *g);
int wn_rate_begin(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g);
void wn_rate_heading(FILE *to);
int wn_rate_finish(const struct wn_rate_case *j, const struct wn_sim *s,
                   struct wn_output *o, FILE *to);

/* ---- job_rate_bins.c: parts of these */
int wn_rate_define_bins(struct wn_output *o);
int wn_rate_begin_bins(struct wn_output *o);
int wn_rate_put_bins(const struct wn_rate_case *j, const struct wn_sim *s,
                     struct wn_output *o);

#endif
