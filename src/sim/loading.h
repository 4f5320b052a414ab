/* src/sim/loading.h - the particles of a species of model plasma at t = 0: places by the
 * profile and its perturbation, velocities of a drifting Maxwellian.
 *
 * Quiet start: points of a Hammersley set (Hammersley 1960; Birdsall and Langdon 1985,
 * chapter 16): the first coordinate (i + 1/2)/n, the others radical inverses of i in the
 * bases 2, 3, 5, ...; places first, then velocities.  Random: numbers named by seed,
 * species and i. */
#ifndef WN_SRC_SIM_LOADING_H
#define WN_SRC_SIM_LOADING_H
#include "physics/grid_view.h"
#include "src/config/config.h"
#include "src/sim/species.h"

/* Check that the file of a species of profile file can be read, and that all its
 * particles are in the domain.  WN_EINPUT, WN_ENOMEM. */
int wn_loading_check_file(const struct wn_config *c, const struct wn_cfg_species *s);

/* Append them; s: an empty species of model `collisionless`, or of electrons or ions in a
 * grid, with places in g.  WN_EFULL, WN_ENOMEM as wn_particles_append. */
int wn_load(const struct wn_config *c, size_t k, const struct wn_grid_view *g,
            struct wn_species *s);

#endif
