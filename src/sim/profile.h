/* src/sim/profile.h - density and electric field along z of a scenario, for its electrons: knots, and the densities to which
 * candidates of an interval are fitted (physics/profile.h).
 *
 * us-standard-1976: knots are 100 m apart; ln n, which is linear between them, is off by 100^2/8 of its second derivative, 3e-6.
 * table: its rows, and between them as many knots that ln n changes by LN_STEP at the most. */
#ifndef WN_SRC_SIM_PROFILE_H
#define WN_SRC_SIM_PROFILE_H
#include "physics/profile.h"
#include "src/config/config.h"

/* *out is NULL where both are uniform; c must outlive it.  WN_ENOMEM. */
int wn_profile_create(const struct wn_config *c, struct wn_profile **out);
void wn_profile_free(struct wn_profile *p);

#endif
