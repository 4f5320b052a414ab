/* src/diag.h - what a job measures: when sampling begins and ends, the estimators, the
 * lines it prints and the variables it writes.  One file a job, one ops struct each. */
#ifndef WN_SRC_DIAG_H
#define WN_SRC_DIAG_H
#include <stdio.h>
#include "src/output.h"
#include "src/sim.h"
#include "src/stats.h"

struct wn_diag;

/* Candidates of an electron in a phase where sampling.interval is auto; in a swarm while
 * it relaxes. */
#define WN_SWARM_CANDIDATES   20.0
#define WN_RUNAWAY_CANDIDATES 50.0

struct wn_diag_ops {
  const char *name, *doc;
  int (*define)(struct wn_output *o, const struct wn_config *c,
                const struct wn_gas *g); /* dimensions and variables */
  int (*begin)(struct wn_output *o, const struct wn_config *c,
               const struct wn_gas *g);                  /* coordinates, once */
  int (*create)(struct wn_sim *s, struct wn_diag **out); /* sets the first interval */
  int (*sample)(struct wn_diag *d,
                struct wn_sim *s); /* after every phase and population control */
  int (*done)(const struct wn_diag *d);
  double (*fraction)(const struct wn_diag *d,
                     const struct wn_sim *s); /* of the time to be simulated, 0..1 */
  int (*finish)(struct wn_diag *d, struct wn_sim *s, struct wn_output *o,
                FILE *to); /* one record and one line; also before it is done, when the
                              store is full: then what is known, and NaN for the rest */
  void (*heading)(FILE *to);
  void (*free)(struct wn_diag *d);
};

extern const struct wn_diag_ops wn_diag_swarm, wn_diag_runaway;

/* Shared by both: coordinates of the field dimension and the processes, the ledger, the
 * energy histogram. */
int wn_diag_define_common(struct wn_output *o, const struct wn_config *c,
                          const struct wn_gas *g);
int wn_diag_begin_common(struct wn_output *o, const struct wn_config *c,
                         const struct wn_gas *g);
int wn_diag_put(struct wn_output *o, const char *name, size_t field,
                struct wn_estimate e); /* name and name_error */
int wn_diag_put_row(struct wn_output *o, const char *name, size_t field,
                    const double *value, const double *error); /* the same for a row */

/* Sums of the tally, all groups but leave_out. */
double wn_diag_time(const struct wn_sim *s, long leave_out); /* s, weighted */
double wn_diag_count(const struct wn_sim *s, size_t process,
                     long leave_out); /* weighted number of collisions */
int wn_diag_ledger(const struct wn_sim *s, struct wn_output *o); /* and the counts */
int wn_diag_counts(const struct wn_sim *s, struct wn_output *o); /* of candidates */

/* Energy histogram on the scenario's log grid: the first bin begins at 0, the last takes
 * all above. */
size_t wn_diag_n_bins(const struct wn_config *c);
void wn_diag_bin_edges(const struct wn_config *c, double *edge); /* [n_bins + 1], eV */
size_t wn_diag_bin(const struct wn_config *c, double energy_ev);

#endif
