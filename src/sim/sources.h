/* src/sim/sources.h - sources of particles of model plasma (plasma.sources), an operator:
 * beams and thermal emission from sides, and creation in a region, alone or in pairs. */
#ifndef WN_SRC_SIM_SOURCES_H
#define WN_SRC_SIM_SOURCES_H
#include "src/sim/sim.h"

/* Real particles that sources in regions have created of species k so far. */
double wn_sources_created(const struct wn_sim *s, size_t k);

#endif
