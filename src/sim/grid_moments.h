/* src/sim/grid_moments.h - moments of the particles of a species at the nodes of the
 * grid: number density, flux, kinetic energy density.
 *
 * A particle is divided among nodes as its charge is (physics/shape.h), but at its place
 * at the end of the step, where its velocity is known.  Sums are integers, so they have
 * the same bits for every order of the particles and number of threads.  Beside a wall
 * the cell of a node is half a cell; the part of a TSC shape behind a mirror is added
 * inside, with its flux reversed. */
#ifndef WN_SRC_SIM_GRID_MOMENTS_H
#define WN_SRC_SIM_GRID_MOMENTS_H
#include <stddef.h>
#include "src/config/config.h"
#include "src/sim/species.h"

struct wn_grid_moments; /* a grid for each thread */

/* WN_ENOMEM. */
int wn_grid_moments_create(const struct wn_config *c, struct wn_grid_moments **out);
void wn_grid_moments_free(struct wn_grid_moments *m);

/* Moments of species k into out [2 + axes][nodes], nodes as in fields/electrostatic.h:
 * number [m-3], flux along each axis [m-2 s-1], kinetic energy [eV m-3]; in real
 * particles.  Particles on a GPU are copied to the host: WN_ECUDA, WN_ENOMEM.  WN_ERUN: a
 * weight is no number of quanta. */
int wn_grid_moments_take(struct wn_grid_moments *m, const struct wn_config *c, size_t k,
                         struct wn_species *s, double *out);

#endif
