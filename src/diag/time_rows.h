/* src/diag/time_rows.h - what a swarm does at which time: sums over the rows into which a period,
 * or the duration, is divided, and means with errors from them.
 *
 * A row has what the tally added in its steps: means are over the time that electrons lived
 * in the row, of all periods together.  Errors are those of ratios of sums over independent
 * groups of electrons; no control variate is used, as that of a drift is zero on average
 * only over times long against the way to the next collision. */
#ifndef WN_SRC_DIAG_TIME_ROWS_H
#define WN_SRC_DIAG_TIME_ROWS_H
#include "src/sim/sim.h"
#include "src/stats/jackknife.h"

struct wn_time_rows;

/* Quantities of a row; the last stands for all of its kind: WN_TIME_PROCESS + k, process k. */
enum {
  WN_TIME_ENERGY,  /* mean energy, eV */
  WN_TIME_DRIFT,   /* flux drift along z, m/s */
  WN_TIME_DRIFT_X, /* the others */
  WN_TIME_DRIFT_Y,
  WN_TIME_GAINED, /* energy from the field, eV/s */
  WN_TIME_PROCESS /* collisions an electron and second, as they were counted */
};

/* All zero; WN_ENOMEM. */
int wn_time_rows_create(size_t rows, size_t groups, size_t n_processes,
                        struct wn_time_rows **out);
void wn_time_rows_free(struct wn_time_rows *r);

/* The step that was made belongs to a row; factor: of the field in it.  All steps have the
 * same length. */
void wn_time_rows_add(struct wn_time_rows *r, const struct wn_sim *s, size_t row,
                      double factor);

/* Mean factor of the field. */
double wn_time_rows_factor(const struct wn_time_rows *r, size_t row);
struct wn_estimate wn_time_rows_at(const struct wn_time_rows *r, size_t row, int what);
/* The value alone, of all groups but leave_out. */
double wn_time_rows_value(const struct wn_time_rows *r, size_t row, int what,
                          long leave_out);
/* Counts of process k, weighted, in the group that has the fewest; row below 0: of all rows. */
double wn_time_rows_least_count(const struct wn_time_rows *r, long row, size_t k);
/* Electrons, weighted: the mean over the row. */
struct wn_estimate wn_time_rows_electrons(const struct wn_time_rows *r, size_t row);
/* Electrons times seconds, weighted. */
double wn_time_rows_lived(const struct wn_time_rows *r, size_t row);

/* Mean over all rows, each counting the same: over a period. */
struct wn_estimate wn_time_rows_mean(const struct wn_time_rows *r, int what);

/* First harmonic of the drift along z: amplitude, m/s, and by how much it is later than that
 * of the factor, rad in (-pi, pi].  A mean over a row of 1/rows of the period has sin(x)/x of
 * it, x = pi/rows, which is taken out. */
struct wn_estimate wn_time_rows_amplitude(const struct wn_time_rows *r);
struct wn_estimate wn_time_rows_lag(const struct wn_time_rows *r);

int wn_time_rows_state(struct wn_time_rows *r, struct wn_state *state);

#endif
