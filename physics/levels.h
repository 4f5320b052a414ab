/* physics/levels.h - energy levels of a weighted ensemble, which keeps about a given
 * number of electrons in each (particles/weighted_ensemble.h). */
#ifndef WN_PHYSICS_LEVELS_H
#define WN_PHYSICS_LEVELS_H
#include <stdint.h>
#include "physics/host_device.h"

#define WN_MAX_EDGES 127 /* 2^7 - 1, for the binary search */

/* Level i has the energies [edge[i - 1], edge[i]) in eV; level 0 begins at 0, level
 * n_edges has all energies above.  Edges increase; those after n_edges are INFINITY. */
struct wn_levels {
  int32_t n_edges;
  float edge[WN_MAX_EDGES];
};

static WN_HD uint32_t wn_levels_number(const struct wn_levels *l)
{
  return (uint32_t)l->n_edges + 1u;
}

/* Level of an energy, 0 to n_edges. */
static WN_HD uint32_t wn_level_of(const struct wn_levels *l, double energy_ev)
{
  uint32_t below = 0; /* edges that are at most the energy */
  for (uint32_t half = (WN_MAX_EDGES + 1) / 2; half > 0; half /= 2)
    below += (double)l->edge[below + half - 1] <= energy_ev ? half : 0;
  return below;
}

#endif
