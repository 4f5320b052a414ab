/* src/config/sources.h - sources of particles of model plasma: from the scenario (struct
 * wn_cfg_source) to species, side, region and numbers.  Pure functions.  SI. */
#ifndef WN_SRC_CONFIG_SOURCES_H
#define WN_SRC_CONFIG_SOURCES_H
#include "src/config/config.h"

#define WN_MAX_SOURCES     32 /* of a scenario */
#define WN_SOURCE_PER_STEP 20 /* macroparticles in a step, where nothing else says */

/* The place of its species, pair and side in their lists; -1: there is none of the name,
 * or, of the species, no name and not exactly one that is mobile.  The side is also -1 for
 * a region, the pair for none. */
long wn_source_species(const struct wn_config *c, const struct wn_cfg_source *o);
long wn_source_pair(const struct wn_config *c, const struct wn_cfg_source *o);
int wn_source_side(const struct wn_config *c, const struct wn_cfg_source *o);
/* The electrode that `wall` names, by its place in the list of surfaces; -1: it names none. */
int wn_source_electrode(const struct wn_config *c, const struct wn_cfg_source *o);

/* Ends of the region along axis a, m. */
double wn_source_low(const struct wn_cfg_source *o, int a);
double wn_source_high(const struct wn_config *c, const struct wn_cfg_source *o, int a);

/* Real particles in a second while it is on; in one and two dimensions those of 1 m2 or of
 * a layer of 1 m.  Of an electrode it takes a pass over the cells around it. */
double wn_source_rate(const struct wn_config *c, const struct wn_cfg_source *o);

/* The first source of a species, as its own or as a pair; NULL: there is none. */
const struct wn_cfg_source *wn_source_of(const struct wn_config *c,
                                         const struct wn_cfg_species *s);

/* Weight of a macroparticle of a species by its own sources: that with `per_step`, or the
 * first.  0: it has none. */
double wn_source_weight(const struct wn_config *c, const struct wn_cfg_species *s);

#endif
