/* src/sim/grid_rates.h - expected rates of collisions by volume at the nodes of the grid: the
 * collision frequency from the tables at the velocity of each particle, so that the collisions
 * themselves need not occur (as src/stats/expected_rates.h; src/stats/ion_frequencies.h for ions).
 *
 * A rate of plasma.averages.<NAME>.rates is a kind of process, the sum of all of that kind, or one
 * process by its name.  Particles count at their places at the end of a step
 * (src/sim/node_sums.h). */
#ifndef WN_SRC_SIM_GRID_RATES_H
#define WN_SRC_SIM_GRID_RATES_H
#include "src/sim/node_sums.h"
#include "src/sim/sim.h"

/* Processes of a rate, in the order of the view of the species. */
#define WN_RATE_PROCESSES 512
struct wn_rate_choice {
  size_t n;
  uint16_t process[WN_RATE_PROCESSES];
};

/* Those of species k that a name selects; n = 0: none. */
void wn_grid_rate_choice(const struct wn_config *c, const struct wn_gas *gas, size_t k,
                         const char *name, struct wn_rate_choice *out);

/* Whether every rate of every window is one of some species.  WN_EINPUT, with what is allowed. */
int wn_grid_rates_check(const struct wn_config *c, const struct wn_gas *gas);

struct wn_grid_rates; /* tables of all species */

/* WN_ENOMEM. */
int wn_grid_rates_create(const struct wn_sim *s, struct wn_grid_rates **out);
void wn_grid_rates_free(struct wn_grid_rates *r);

/* Rates [m-3 s-1] of species k into out [n][nodes].  m has room for as many values, or for
 * WN_NODE_VALUES.  Errors of wn_node_sums_take. */
int wn_grid_rates_take(struct wn_grid_rates *r, struct wn_node_sums *m,
                       const struct wn_sim *s, size_t k, size_t n,
                       const struct wn_rate_choice *const *rate, double *out);

#endif
