/* src/diag/time_rows.h - a swarm as a function of time: sums over the rows into which a period,
 * or the duration, is divided, and means with errors from them.
 *
 * A row has the sums of the tally over its steps: means are over the time lived in the row, for
 * all periods together.  Errors are those of ratios of sums over independent groups of electrons.
 * There is no control variate: that of the drift is zero on average only over times long compared
 * with a mean free time. */
#ifndef WN_SRC_DIAG_TIME_ROWS_H
#define WN_SRC_DIAG_TIME_ROWS_H
#include "src/sim/sim.h"
#include "src/stats/jackknife.h"

struct wn_time_rows;

/* Quantities of a row; the last stands for all processes: WN_TIME_PROCESS + k is process k. */
enum {
  WN_TIME_ENERGY,  /* mean energy, eV */
  WN_TIME_DRIFT,   /* flux drift along z, m/s */
  WN_TIME_DRIFT_X, /* the other components */
  WN_TIME_DRIFT_Y,
  WN_TIME_GAINED, /* energy from the field, eV/s */
  WN_TIME_PROCESS /* counted collisions per electron and second */
};

/* All sums zero; WN_ENOMEM. */
int wn_time_rows_create(size_t rows, size_t groups, size_t n_processes,
                        struct wn_time_rows **out);
void wn_time_rows_free(struct wn_time_rows *r);

/* Adds the last step to a row; factor: of the field in it.  All steps have the same length. */
void wn_time_rows_add(struct wn_time_rows *r, const struct wn_sim *s, size_t row,
                      double factor);

/* Mean factor on the field. */
double wn_time_rows_factor(const struct wn_time_rows *r, size_t row);
struct wn_estimate wn_time_rows_at(const struct wn_time_rows *r, size_t row, int what);
/* The value alone, over all groups except leave_out. */
double wn_time_rows_value(const struct wn_time_rows *r, size_t row, int what,
                          long leave_out);
/* Weighted counts of process k in the group with the fewest; row below 0: of all rows. */
double wn_time_rows_least_count(const struct wn_time_rows *r, long row, size_t k);
/* Weighted number of electrons, averaged over the row. */
struct wn_estimate wn_time_rows_electrons(const struct wn_time_rows *r, size_t row);
/* Weighted number of electrons times seconds. */
double wn_time_rows_lived(const struct wn_time_rows *r, size_t row);

/* Mean over all rows with equal weight: over a period. */
struct wn_estimate wn_time_rows_mean(const struct wn_time_rows *r, int what);

/* First harmonic of the drift along z: amplitude, m/s, and its lag behind that of the factor,
 * rad in (-pi, pi].  A mean over a row of 1/rows of the period reduces it by sin(x)/x, x =
 * pi/rows, which is corrected. */
struct wn_estimate wn_time_rows_amplitude(const struct wn_time_rows *r);
struct wn_estimate wn_time_rows_lag(const struct wn_time_rows *r);

int wn_time_rows_state(struct wn_time_rows *r, struct wn_state *state);

#endif
