/* src/config/coulomb.h - Coulomb collisions of model plasma, from the scenario (struct
 * wn_cfg_coulomb): species, and how strong they are at t = 0.  Pure functions. */
#ifndef WN_SRC_CONFIG_COULOMB_H
#define WN_SRC_CONFIG_COULOMB_H
#include "src/config/config.h"

#define WN_MAX_COULOMB 36 /* of a scenario: all pairs of WN_MAX_SPECIES */

/* s at the root mean square of the relative velocity, above which a warning is given: there
 * temperatures of two species relax too slowly by Gamma(-5/3) s^(2/3), 11 % (doc/plasma.md) */
#define WN_COULOMB_COARSE 0.01

/* The place of species i, 0 or 1, in the list; of one species both are that.  -1: there is
 * none of this name. */
long wn_coulomb_species(const struct wn_config *c, const struct wn_cfg_coulomb *g, int i);

/* At t = 0, at the highest density and the root mean square of the relative velocity: the
 * logarithm; and s (physics/coulomb.h), the collision frequency times the interval, INFINITY
 * for cold species without relative drift. */
double wn_coulomb_first_logarithm(const struct wn_config *c,
                                  const struct wn_cfg_coulomb *g);
double wn_coulomb_first_s(const struct wn_config *c, const struct wn_cfg_coulomb *g);

/* Bytes of the lists of particles by cells. */
double wn_coulomb_bytes(const struct wn_config *c);

#endif
