/* src/diag/time_samples.h - electrons looked at in the course of time: energy distribution and
 * expected rates of processes in each of the rows into which a period, or the duration, is
 * divided (src/diag/time_rows.h).
 *
 * A row is looked at a few times; its mean is that of straight lines between the looks, so that
 * a look at its end counts for the next one, too.  Rates are those that the tables give
 * electrons of these energies (src/stats/expected_rates.h), corrected by regression over the groups on
 * what was counted in the row less what was expected, which is zero on average; as in
 * rates.c.  Errors: jackknife over the groups. */
#ifndef WN_SRC_DIAG_TIME_SAMPLES_H
#define WN_SRC_DIAG_TIME_SAMPLES_H
#include "src/diag/time_rows.h"

struct wn_time_samples;

/* For the case of s.  WN_EINPUT: more memory than WN_TIME_SAMPLES_MOST; WN_ENOMEM. */
#define WN_TIME_SAMPLES_MOST 4294967296.0 /* bytes */
int wn_time_samples_create(const struct wn_sim *s, size_t rows,
                           struct wn_time_samples **out);
void wn_time_samples_free(struct wn_time_samples *t);

/* The step that was made was number `step` of the steps_of_row of a row, from 1 on: a look, if
 * one is due.  next: the row that begins where this one ends; below 0: none.  Step 0: the
 * beginning of a row that none comes before. */
int wn_time_samples_step(struct wn_time_samples *t, const struct wn_sim *s, size_t row,
                         size_t step, size_t steps_of_row, long next);

/* Before the estimates are asked for, when no more looks come. */
void wn_time_samples_finish(struct wn_time_samples *t);

/* The distribution f0 of a row, in a bin that has this width in energy^(3/2); eV-3/2. */
struct wn_estimate wn_time_samples_f0(const struct wn_time_samples *t, size_t row,
                                      size_t bin, double width);
/* Collisions of process k an electron and second; r: what was counted.  row below 0: the mean
 * over all rows, each counting the same. */
struct wn_estimate wn_time_samples_rate(const struct wn_time_samples *t,
                                        const struct wn_time_rows *r, long row, size_t k);

int wn_time_samples_state(struct wn_time_samples *t, struct wn_state *state);

#endif
