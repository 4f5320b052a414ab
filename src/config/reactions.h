/* src/config/reactions.h - reactions of species of model plasma by rates (reactions.<NAME>), as
 * numbers: pure functions of a scenario that has been checked. */
#ifndef WN_SRC_CONFIG_REACTIONS_H
#define WN_SRC_CONFIG_REACTIONS_H
#include <stdbool.h>
#include "src/config/config.h"

#define WN_MAX_REACTIONS 64
#define WN_MAX_REACTANTS 2 /* and products */

/* k n dt above which a scenario is warned: what other processes change within a step is then
 * no longer small. */
#define WN_REACTION_COARSE 0.1

/* Whether species s is among the reactants or products. */
bool wn_reaction_has(const struct wn_cfg_reaction *r, const struct wn_cfg_species *s);

/* Whether a product of this species gets the energy of electrons: it is lighter than any ion. */
bool wn_reaction_is_light(const struct wn_cfg_species *s);

/* Rate of a reaction of one particle, 1/s. */
double wn_reaction_rate(const struct wn_config *c, const struct wn_cfg_reaction *r);

/* k n dt: the part of the particles of a reactant that reacts in a step, at the densities at
 * the start; the larger of both reactants. */
double wn_reaction_part(const struct wn_config *c, const struct wn_cfg_reaction *r);

/* Whether the draws of a reaction are the same for any division of its particles among
 * processes: it is of one particle, which has an id. */
bool wn_reaction_divides(const struct wn_config *c, const struct wn_cfg_reaction *r);

#endif
