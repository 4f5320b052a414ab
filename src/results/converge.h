/* src/results/converge.h - runs a scenario unchanged, and again with one numerical parameter refined
 * at a time: the change of each result, compared with its statistical error.
 *
 * A parameter has levels: 0 is the scenario's value, each further one has half the step, twice the
 * rows, particles or cells along each axis.  The difference of a result between a level and the
 * previous one estimates the numerical error of the coarser level; its standard error is that of two
 * independent runs (seed and scenario are the same, but not the sequence of events).  With three
 * levels the observed order is log2(|x1 - x0|/|x2 - x1|) (Richardson), if |x2 - x1| exceeds
 * WN_CONVERGE_SEEN of its errors; NAN otherwise.
 *
 * Results of swarm, runaway and rate jobs are all numbers of a field, or of a field and a threshold,
 * that have a standard error in the file.  Results of a plasma are the sums over the domain, averaged
 * over the second half of the time.  Their error is the scatter over WN_CONVERGE_SEEDS runs of the
 * scenario with other seeds, whose mean is level 0; it is divided by the square root of the factor on
 * the number of particles (in finer cells per_cell stays constant). */
#ifndef WN_SRC_RESULTS_CONVERGE_H
#define WN_SRC_RESULTS_CONVERGE_H
#include <stddef.h>
#include "src/config/config.h"
#include "src/stats/jackknife.h"

#define WN_CONVERGE_LEVELS 3
#define WN_CONVERGE_SEEDS  4
#define WN_CONVERGE_SEEN   2.0

/* Results of a file, by name. */
struct wn_results {
  size_t n;
  char **name, **units;  /* malloc'd */
  struct wn_estimate *x; /* error NAN: not in the file */
};

/* WN_EINPUT, also if there is no result; WN_ENOMEM. */
int wn_results_read(const char *path, const struct wn_config *c, struct wn_results *out);
void wn_results_free(struct wn_results *r);

/* One parameter at one level. */
struct wn_variant {
  const char *name; /* "tables"; "scenario": level 0 of all parameters */
  int level;
  char *what;            /* the keys that differ, "electrons=2000 ..."; malloc'd */
  int has_run;           /* 0: the scenario was rejected with them */
  int before;            /* the variant of the previous level; -1: none */
  struct wn_estimate *x; /* [n_results] */
};

struct wn_converge {
  struct wn_results of; /* names and units; values of level 0 */
  size_t n;
  struct wn_variant *v;
};

/* n_levels: 2 or 3.  Result files of the runs are created beside `output` and removed.  A variant that is
 * rejected (a limit, a range) is left out, with a message; any other error ends the study.
 *   WN_EINPUT  the scenario is invalid, a scan, or of a model without such parameters */
int wn_converge_run(const char *file, size_t n_set, const char *const *set, int n_levels,
                    const char *output, struct wn_converge *out);
void wn_converge_free(struct wn_converge *k);

/* Result i: variant v minus the variant of the previous level; NAN if there is none. */
struct wn_estimate wn_converge_difference(const struct wn_converge *k, size_t v,
                                          size_t i);
/* NAN if not known. */
double wn_converge_order(const struct wn_converge *k, size_t v, size_t i);

#endif
