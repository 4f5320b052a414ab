/* src/sim/followed.h - operator: followed densities of components of the gas, as of metastable
 * states (followed.<NAME>): one number for the domain,
 *
 *   dn/dt = (made - taken)/V - loss n
 *
 * made: events of the processes of electrons named as sources, taken: those of the component's
 * inelastic processes, in a step; exact for constant rates.  Its processes happen in the next
 * step with the factor n over the density in the scenario (wn_xs_table_thin), which is the most
 * that n may become: bounds on the collision frequency are for it.  The density of a step is
 * that at its beginning. */
#ifndef WN_SRC_SIM_FOLLOWED_H
#define WN_SRC_SIM_FOLLOWED_H
#include "src/sim/sim.h"

/* Whether the names of the scenario are processes of this gas.  WN_EINPUT, with the name and
 * what is allowed. */
int wn_followed_possible(const struct wn_config *c, const struct wn_gas *gas);

/* The densities now, m-3 [n_followed]. */
void wn_followed_densities(const struct wn_sim *s, double *density);

#endif
