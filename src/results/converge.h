/* src/results/converge.h - a scenario once as it is, and again with one numerical parameter finer at a
 * time: by how much does each result change, and is that more than chance?
 *
 * A parameter has levels: 0 is the scenario's value, each further one has half the step, twice
 * the rows, particles or cells along each axis.  The difference of a result between a level and
 * the one before estimates the numerical error of the coarser; its standard error is that of two
 * independent runs (they share seed and scenario, but not the course of events).  With three
 * levels the observed order is log2(|x1 - x0|/|x2 - x1|) (Richardson), where |x2 - x1| is more
 * than WN_CONVERGE_SEEN of its errors; NAN elsewhere: noise has no order.
 *
 * Results of swarm, runaway and rate jobs are all numbers of a field, or of a field and a
 * threshold, that the file gives a standard error.  A plasma has sums over the domain, of which
 * the mean over the second half of the time is taken; their error is the scatter of
 * WN_CONVERGE_SEEDS runs of the scenario with other seeds, of which level 0 is the mean, over
 * the root of how many times as many particles a level has (in finer cells per_cell stays). */
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
  struct wn_estimate *x; /* error NAN: the file has none */
};

/* WN_EINPUT, also where there is no result; WN_ENOMEM. */
int wn_results_read(const char *path, const struct wn_config *c, struct wn_results *out);
void wn_results_free(struct wn_results *r);

/* One parameter at one level. */
struct wn_variant {
  const char *name; /* "tables"; "scenario": level 0 of all */
  int level;
  char *what;            /* the keys that differ, "electrons=2000 ..."; malloc'd */
  int has_run;           /* 0: the scenario was refused with them */
  int before;            /* the variant that is the level before; -1: none */
  struct wn_estimate *x; /* [n_results] */
};

struct wn_converge {
  struct wn_results of; /* names and units; values of level 0 */
  size_t n;
  struct wn_variant *v;
};

/* n_levels: 2 or 3.  Files of the runs are made beside `output` and removed.  A variant that is
 * refused (a limit, a range) is left out, which is said; any other error ends it.
 *   WN_EINPUT  the scenario is bad, a scan, or of a model that has no such parameter */
int wn_converge_run(const char *file, size_t n_set, const char *const *set, int n_levels,
                    const char *output, struct wn_converge *out);
void wn_converge_free(struct wn_converge *k);

/* Result i: of variant v less that of the level before; NAN without one. */
struct wn_estimate wn_converge_difference(const struct wn_converge *k, size_t v,
                                          size_t i);
/* NAN where it is not known. */
double wn_converge_order(const struct wn_converge *k, size_t v, size_t i);

#endif
