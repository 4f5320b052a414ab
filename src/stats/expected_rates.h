/* src/stats/expected_rates.h - expected rates of all processes, from sampled electrons: the tables give
 * the collision frequency of each process at a known energy, so that the collisions themselves need not
 * occur.
 *
 * Electrons are sorted by energy into bins, WN_EXPECTED_RATES_BINS a doubling.  Each bin has two sums, of
 * the weight w and of w times energy (WN_SAMPLE_OCTAVES of physics/sample.h).  In a bin the frequency
 * nu(e) of a process is replaced by its least-squares straight line,
 *
 *   nu ~ at + slope (e - middle),  at = <nu>,  slope = <(e - middle) nu> 12/width^2,
 *
 * with <> the mean over the bin, so that the two sums give the rate.  This is exact where nu is linear.
 * Elsewhere nu minus its line has neither mean nor first moment over the bin.  The relative error is then
 * of order (width/e)^2 from the second derivative of the energy distribution, times the nonlinear part of
 * nu, again of order (width/e)^2 (derived here; t0632 compares with sums over electrons).
 * nu is that of physics/expected_frequency.h. */
#ifndef WN_SRC_STATS_EXPECTED_RATES_H
#define WN_SRC_STATS_EXPECTED_RATES_H
#include <stddef.h>
#include "crosssections/xs_table.h"
#include "physics/sample.h"

#define WN_EXPECTED_RATES_BINS_LOG2 5 /* 32 bins an octave */

struct wn_expected_rates;

/* For n_groups groups; the caller keeps the table.  threads: used to compute the lines of bins, 0
 * for all; results do not depend on it.  WN_ENOMEM. */
int wn_expected_rates_create(const struct wn_xs_table *table, size_t n_groups,
                             int threads, struct wn_expected_rates **out);
void wn_expected_rates_free(struct wn_expected_rates *r);

/* The sums to be taken over electrons: kind, n_groups, n_bins, shift, base. */
struct wn_sample wn_expected_rates_sample(const struct wn_expected_rates *r);

/* From those sums, of any number of samples added up: rate[n_groups][1 + n_processes], first the weight,
 * then for each process (by its index over all components) weight times frequency, 1/s. */
void wn_expected_rates_rates(struct wn_expected_rates *r, const wn_i128 *sums,
                             double *rate);

#endif
