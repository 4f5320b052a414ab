/* src/sim/plasma_points.h - the particles of a species of model plasma: how they move between
 * collisions, whatever their model. */
#ifndef WN_SRC_SIM_PLASMA_POINTS_H
#define WN_SRC_SIM_PLASMA_POINTS_H
#include "physics/mover.h"
#include "src/sim/species.h"

/* The motion of the particles of a species between collisions; and whether their records
 * are struct wn_electron. */
const struct wn_points *wn_plasma_points(const struct wn_species *s);
int wn_plasma_has_electrons(const struct wn_species *s);

#endif
