/* src/sim/primaries.h - the electrons with which a case of model mcc begins. */
#ifndef WN_SRC_SIM_PRIMARIES_H
#define WN_SRC_SIM_PRIMARIES_H
#include "src/sim/sim.h"

/* Primaries at t = 0, at the origin; energies and directions as the scenario says,
 * lineage i in group i mod groups.  The store of s->species[0] is empty before.
 * WN_EFULL: src/sim/species.h; WN_ENOMEM. */
int wn_release(struct wn_sim *s);

#endif
