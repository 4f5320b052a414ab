/* src/loading.h - the particles of a species of model plasma at t = 0: places by the profile
 * and its perturbation, velocities of a drifting Maxwellian.
 *
 * Quiet: points of a Hammersley set (Hammersley 1960; Birdsall and Langdon 1985, chapter
 * 16): the first coordinate (i + 1/2)/n, the others radical inverses of i in the bases 2,
 * 3, 5, ...; places first, then velocities.  Random: numbers named by seed, species and
 * i. */
#ifndef WN_SRC_LOADING_H
#define WN_SRC_LOADING_H
#include "physics/grid_view.h"
#include "src/config.h"
#include "src/species.h"

/* Real particles that one of weight 1 stands for; in one and two dimensions of a column of
 * 1 m2 or a layer of 1 m.  Ions that another species leaves behind stand for as many as
 * those.  own: what its own density and particles per cell say, 0 where there are none. */
double wn_loading_weight(const struct wn_config *c, const struct wn_cfg_species *s);
double wn_loading_own_weight(const struct wn_config *c, const struct wn_cfg_species *s);

/* Mean of the density over the domain, over its greatest; perturbations have none.  NAN of
 * places from a file. */
double wn_loading_mean(const struct wn_config *c, const struct wn_cfg_species *s);

/* How many particles the species has at t = 0; 0 of a file that cannot be read. */
size_t wn_loading_number(const struct wn_config *c, const struct wn_cfg_species *s);

/* Can the file of a species of profile file be read, and are all its particles in the domain?
 * WN_EINPUT, WN_ENOMEM. */
int wn_loading_check_file(const struct wn_config *c, const struct wn_cfg_species *s);

/* Append them; s: a species of model `collisionless`, or of electrons or ions in a grid, empty,
 * whose places are those of g.  WN_EFULL, WN_ENOMEM as wn_particles_append. */
int wn_load(const struct wn_config *c, size_t k, const struct wn_grid_view *g,
            struct wn_species *s);

#endif
