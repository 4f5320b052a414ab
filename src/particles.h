/* src/particles.h - the store of electrons on the host: one array of 64-byte states,
 * grown as needed up to a limit. */
#ifndef WN_SRC_PARTICLES_H
#define WN_SRC_PARTICLES_H
#include <stddef.h>
#include "physics/electron.h"

struct wn_particles {
  struct wn_electron *e; /* [capacity], 64-byte aligned; the first n are in use, dead ones
                            (t_left < 0) among them */
  size_t n, capacity, limit; /* limit: never grows beyond */
};

int wn_particles_init(struct wn_particles *p, size_t capacity, size_t limit);
void wn_particles_clear(struct wn_particles *p); /* frees the memory */

/* Room for n more.  WN_ERUN when the limit would be passed, with a message that says what
 * to change; nothing is lost. */
int wn_particles_reserve(struct wn_particles *p, size_t n_more);
int wn_particles_append(struct wn_particles *p, const struct wn_electron *e, size_t n);

/* Take the dead away, in place, order kept.  Returns how many went. */
size_t wn_particles_compact(struct wn_particles *p);

#endif
