/* src/sim/grid_moments.h - moments of the particles of a species at the nodes of the
 * grid: number density, flux, kinetic energy density (src/sim/node_sums.h).  A particle counts
 * at its place at the end of the step, where its velocity is known. */
#ifndef WN_SRC_SIM_GRID_MOMENTS_H
#define WN_SRC_SIM_GRID_MOMENTS_H
#include "src/sim/node_sums.h"

/* Values of a node. */
static inline int wn_grid_moments(const struct wn_config *c)
{
  return 2 + c->plasma.dim;
}

/* Moments of species k into out [2 + axes][nodes]: number [m-3], flux along each axis
 * [m-2 s-1], kinetic energy [eV m-3]; in real particles.  m has room for them.  Errors of
 * wn_node_sums_take. */
int wn_grid_moments_take(struct wn_node_sums *m, const struct wn_config *c, size_t k,
                         struct wn_species *s, double *out);

#endif
