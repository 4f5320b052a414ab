/* src/sim/emitted.h - electrons that a surface emits at the end of a step: they become
 * records of the species that they join, and the surface counts them as taken with a minus
 * sign, so that numbers, charge and energy balance. */
#ifndef WN_SRC_SIM_EMITTED_H
#define WN_SRC_SIM_EMITTED_H
#include "particles/particles.h"
#include "src/sim/species.h"

/* Velocity components of the particles of a species. */
int wn_emitted_velocities(const struct wn_species *s);

/* One more for species s, in `made`, whose status tells of memory; counted at *at, which is
 * that of the surface in sums of s.  at, u, w and id of *one are set; word: random, of
 * the time to its first candidate where s collides. */
void wn_emitted_add(const struct wn_species *s, struct wn_tally_surface *at,
                    const struct wn_electron *one, uint32_t word, struct wn_births *made);

#endif
