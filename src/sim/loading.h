/* src/sim/loading.h - the particles of a species of model plasma at t = 0: those of
 * physics/loading.h, or of a file. */
#ifndef WN_SRC_SIM_LOADING_H
#define WN_SRC_SIM_LOADING_H
#include "physics/loading.h"
#include "src/config/config.h"
#include "src/sim/species.h"

/* Check that the file of a species of profile file can be read, and that all its
 * particles are in the domain.  WN_EINPUT, WN_ENOMEM. */
int wn_loading_check_file(const struct wn_config *c, const struct wn_cfg_species *s);

/* What the particles of species k have in common, but for first, and n of a file.  s: an empty species
 * of model `collisionless`, or of electrons or ions in a grid. */
struct wn_loading wn_loading_of(const struct wn_config *c, size_t k,
                                const struct wn_species *s);

/* Append those of this rank to s, which is as above: on the host or, with gpu, on that GPU,
 * without an array of them on the host; those of a file always on the host.
 * WN_EFULL, WN_ENOMEM as wn_particles_append and wn_gpu_load; WN_ECUDA. */
int wn_load(const struct wn_config *c, size_t k, struct wn_gpu *gpu,
            struct wn_species *s);

#endif
