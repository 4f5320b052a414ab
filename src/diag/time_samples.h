/* src/diag/time_samples.h - electrons sampled as a function of time: energy distribution and expected
 * rates of processes in each of the rows into which a period, or the duration, is divided
 * (src/diag/time_rows.h).
 *
 * A row has a few samples; its mean is by the trapezoidal rule, so a sample at its end belongs to the
 * next row, too.  Rates are those of the tables at the sampled energies (src/stats/expected_rates.h),
 * corrected by regression over the groups on the counts of the row minus their expectation, which is
 * zero on average, as in rates.c.  Errors: jackknife over groups. */
#ifndef WN_SRC_DIAG_TIME_SAMPLES_H
#define WN_SRC_DIAG_TIME_SAMPLES_H
#include "src/diag/time_rows.h"

struct wn_time_samples;

/* For the case of s.  WN_EINPUT: more memory than WN_TIME_SAMPLES_MOST; WN_ENOMEM. */
#define WN_TIME_SAMPLES_MOST 4294967296.0 /* bytes */
int wn_time_samples_create(const struct wn_sim *s, size_t rows,
                           struct wn_time_samples **out);
void wn_time_samples_free(struct wn_time_samples *t);

/* After step number `step`, from 1 on, of the steps_of_row steps of a row: takes a sample, if
 * one is due.  next: the row that begins where this one ends; below 0: none.  Step 0: the
 * beginning of a row that follows no other row. */
int wn_time_samples_step(struct wn_time_samples *t, const struct wn_sim *s, size_t row,
                         size_t step, size_t steps_of_row, long next);

/* To be called after the last sample, before the estimates. */
void wn_time_samples_finish(struct wn_time_samples *t);

/* The distribution f0 in a row, in a bin of this width in energy^(3/2); eV^-3/2. */
struct wn_estimate wn_time_samples_f0(const struct wn_time_samples *t, size_t row,
                                      size_t bin, double width);
/* Collisions of process k per electron and second; r: the counts.  row below 0: the mean over
 * all rows with equal weight. */
struct wn_estimate wn_time_samples_rate(const struct wn_time_samples *t,
                                        const struct wn_time_rows *r, long row, size_t k);

int wn_time_samples_state(struct wn_time_samples *t, struct wn_state *state);

#endif
