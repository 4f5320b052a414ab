/* src/diag/diag.h - diagnostics: each measures the steps of a case and writes one record of
 * its variables at the end, or one a step.  It changes neither time nor particles: several
 * measure the same step.  One file and one ops struct for each diagnostic. */
#ifndef WN_SRC_DIAG_DIAG_H
#define WN_SRC_DIAG_DIAG_H
#include "src/io/output.h"
#include "src/sim/sim.h"
#include "src/stats/jackknife.h"

struct wn_diag;

struct wn_diag_ops {
  /* Dimensions and variables; coordinates, once (may be NULL). */
  int (*define)(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g);
  int (*begin)(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g);
  /* A case begins; NULL: no state between steps. */
  int (*create)(const struct wn_sim *s, struct wn_diag **out);
  /* At the end of a step; s->lag is the number of this sample in a block.  May be NULL. */
  int (*sample)(struct wn_diag *d, const struct wn_sim *s, struct wn_output *o);
  /* At the end of the case; enough: the results suffice (src/jobs/job.h).  May be NULL. */
  int (*write)(struct wn_diag *d, const struct wn_sim *s, int enough,
               struct wn_output *o);
  int (*state)(struct wn_diag *d,
               struct wn_state *state); /* NULL: no state between steps */
  void (*free)(struct wn_diag *d);
};

extern const struct wn_diag_ops wn_diag_ledger, wn_diag_transport, wn_diag_rates,
    wn_diag_moments, wn_diag_townsend, wn_diag_balance, wn_diag_passages,
    wn_diag_energies, wn_diag_levels, wn_diag_integrals, wn_diag_maps, wn_diag_samples,
    wn_diag_nodes, wn_diag_ten_moments, wn_diag_averages, wn_diag_distributions,
    wn_diag_circuits, wn_diag_electrode_circuits, wn_diag_merging, wn_diag_test_electrons,
    wn_diag_adaptive_steps, wn_diag_radiation, wn_diag_passages_in_time,
    wn_diag_detectors;

/* Rows of wn_diag_integrals that are written at once. */
#define WN_INTEGRALS_BLOCK 256

/* ---- diag.c: shared by several */

/* The dimensions field (cases), process, energy and their coordinates. */
int wn_diag_define_axes(struct wn_output *o, const struct wn_config *c,
                        const struct wn_gas *g);
/* sampling_time and relaxation_time of a swarm. */
int wn_diag_define_times(struct wn_output *o);
/* In a scan: densities and values of a scan point, for all of its cases. */
int wn_diag_put_point(struct wn_output *o, const struct wn_config *point,
                      const struct wn_gas *g);
int wn_diag_put_axes(struct wn_output *o, const struct wn_config *c,
                     const struct wn_gas *g);

/* The dimension threshold, of runaway.thresholds, and its coordinate. */
int wn_diag_define_thresholds(struct wn_output *o, const struct wn_config *c);
int wn_diag_put_thresholds(struct wn_output *o, const struct wn_config *c);

/* name and name_error, at the record of a case: one value, or a row; record -1: of a variable without
 * records. */
int wn_diag_put(struct wn_output *o, const char *name, size_t i_case,
                struct wn_estimate e);
int wn_diag_put_row(struct wn_output *o, const char *name, long record,
                    const double *value, const double *error);
/* A row of n estimates, computed one by one. */
typedef struct wn_estimate wn_diag_estimate_fn(const void *ctx, size_t i);
int wn_diag_put_estimates(struct wn_output *o, const char *name, size_t i_case, size_t n,
                          wn_diag_estimate_fn *estimate, const void *ctx);
/* A variable with one value a case, and its error; comment may be NULL. */
int wn_diag_define_quantity(struct wn_output *o, const char *name, const char *units,
                            const char *long_name, const char *comment);

/* A rate in a line of results, in two columns of the given widths: value and error; or,
 * if upper_limit is not NaN, that, across both.  text [n]. */
void wn_diag_rate_text(struct wn_estimate rate, double upper_limit, int value_width,
                       int error_width, char *text, size_t n);

/* Sums of a tally over all groups except leave_out. */
double wn_diag_time(const struct wn_sim *s, long leave_out); /* s, weighted */
/* Weighted number of collisions. */
double wn_diag_count(const struct wn_sim *s, size_t process, long leave_out);
/* Weighted number of electrons removed above runaway.stop_above or below stop_below. */
double wn_diag_removed(const struct wn_sim *s, long leave_out);
/* Weighted number of electrons that photons freed and that joined (src/sim/radiation.h). */
double wn_diag_joined(const struct wn_sim *s, long leave_out);
/* A member of struct wn_tally_group. */
double wn_diag_group_sum(const struct wn_sim *s, size_t offset, long leave_out);

/* Energy histogram on the scenario's logarithmic grid: the first bin begins at 0, the last is open. */
size_t wn_diag_n_bins(const struct wn_config *c);
void wn_diag_bin_edges(const struct wn_config *c, double *edge); /* [n_bins + 1], eV */

/* Samples in a block of a swarm: the maximum over all cases of the scenario; limits of
 * the automatic number (src/jobs/swarm.c). */
#define WN_DIAG_LEAST_LAGS 16
#define WN_DIAG_MOST_LAGS  64
size_t wn_diag_most_lags(const struct wn_config *c);

/* ---- nodes.c */

/* A variable over the nodes of the grid, and before them first_dim, which may be NULL; what:
 * all but its dimensions. */
int wn_diag_define_map(struct wn_output *o, const struct wn_config *c,
                       const char *first_dim, const struct wn_output_var *what);

/* ---- transport.c, for a job whose end depends on these */

/* control [groups]: the control variate, or NULL for none. */
void wn_transport_control(const struct wn_sim *s, double *control);
struct wn_estimate wn_transport_energy(const struct wn_sim *s, const double *control);
struct wn_estimate wn_transport_drift(const struct wn_sim *s, const double *control);
/* Mean energy [eV] and flux drift [m/s] of all groups except leave_out. */
double wn_transport_energy_of(const struct wn_sim *s, long leave_out);
double wn_transport_drift_of(const struct wn_sim *s, long leave_out);

/* ---- rates.c: d is its diagnostic */

/* A rate, or its upper limit. */
struct wn_rate_estimate {
  struct wn_estimate of; /* the value is 0 if no event was seen; the error is then NaN */
  double upper_limit;    /* 95 %, if no event was seen; else NaN */
};

/* Frequency of the processes of a kind (enum wn_process_kind) divided by drift and
 * density, m2; NaN without a field. */
struct wn_rate_estimate wn_rates_reduced(struct wn_diag *d, const struct wn_sim *s,
                                         int kind, const double *control);

/* The frequency itself, 1/s. */
struct wn_rate_estimate wn_rates_frequency(struct wn_diag *d, const struct wn_sim *s,
                                           int kind, const double *control);

/* ---- moments.c: d is its diagnostic */

struct wn_estimate wn_moments_drift(const struct wn_diag *d, const struct wn_sim *s,
                                    const double *control);

#endif
