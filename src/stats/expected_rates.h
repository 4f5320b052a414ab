/* src/stats/expected_rates.h - expected rates of all processes, from electrons that were looked at:
 * how many collisions of each process an electron of a known energy has in a second is
 * known from the tables, so that it need not be waited for.
 *
 * Electrons are sorted by energy into bins, WN_EXPECTED_RATES_BINS of each doubling; of each bin two
 * sums are kept, of weights w and of w times energy (WN_SAMPLE_OCTAVES of
 * physics/sample.h).  In a bin a process has the straight line that is next to its
 * frequency nu(e) in the mean square,
 *
 *   nu ~ at + slope (e - middle),  at = <nu>,  slope = <(e - middle) nu> 12/width^2,
 *
 * <> the mean over the bin, so that the sums give the rate.  This is exact where nu is
 * straight.  Elsewhere nu less its line has no mean and no first moment over the bin: it
 * takes a second derivative of the energy distribution to make a difference, of (width/e)^2
 * beside 1, times the part of nu that is not straight, again (width/e)^2 (derived here;
 * t0632 compares with sums over electrons).
 *
 * nu is that of the collision loop: of the energy that the target sees (physics/xs_view.h),
 * with thermal targets below thermal_below_ev.  Their velocity V has the spread sigma along
 * each axis, beside the speed v of the electron; the mean over it is taken at (v - V)^2 =
 * (v - x sigma)^2 + 2 sigma^2 with x by Gauss and Hermite's three points. */
#ifndef WN_SRC_STATS_EXPECTED_RATES_H
#define WN_SRC_STATS_EXPECTED_RATES_H
#include <stddef.h>
#include "crosssections/xs_table.h"
#include "physics/sample.h"

#define WN_EXPECTED_RATES_BINS_LOG2 5 /* 32 bins an octave */

struct wn_expected_rates;

/* What a target sees of an electron: energy [eV], the weight of this in the mean over
 * velocities of the target, and the cosine between its velocity relative to the target and its
 * own. */
struct wn_relative_energy {
  float energy;
  double weight, along;
};
#define WN_SEEN 3

/* None of those seen below is above it: of processes with a higher threshold nothing need be
 * asked. */
double wn_expected_rates_max_energy(const struct wn_xs_view *xs, int g, double e);
/* Of gas g, of an electron of e eV; returns how many. */
int wn_expected_rates_relative(const struct wn_xs_view *xs, int g, double e,
                               struct wn_relative_energy seen[WN_SEEN]);

/* For n_groups groups; the table stays the caller's.  threads: that find the lines of bins, 0 for
 * all; the numbers are the same.  WN_ENOMEM. */
int wn_expected_rates_create(const struct wn_xs_table *table, size_t n_groups,
                             int threads, struct wn_expected_rates **out);
void wn_expected_rates_free(struct wn_expected_rates *r);

/* What is to be asked of the electrons: kind, n_groups, n_bins, shift, base. */
struct wn_sample wn_expected_rates_sample(const struct wn_expected_rates *r);

/* From the sums of that sample, of any number of looks added up: rate[n_groups][1 +
 * n_processes], first the weight, then of each process (by its index over all gases) the
 * weight times its frequency, 1/s. */
void wn_expected_rates_rates(struct wn_expected_rates *r, const wn_i128 *sums,
                             double *rate);

#endif
