/* particles/store.h - the loops over all particles of a store on the host, divided among
 * threads: sums, changes, the removal of dead particles.  The results, and the order of the
 * store, are the same for any number of threads. */
#ifndef WN_PARTICLES_STORE_H
#define WN_PARTICLES_STORE_H
#include "particles/particles.h"

/* Memory of these loops, of struct wn_particles; create: NULL without memory. */
struct wn_store_scratch *wn_store_create(int threads);
void wn_store_free(struct wn_store_scratch *s);
/* Threads of a loop over n particles of p. */
int wn_store_threads(const struct wn_particles *p, size_t n);

/* Adds to sums what the particles from `first` on contribute. */
void wn_store_sample(const struct wn_particles *p, size_t first,
                     const struct wn_sample *what, wn_i128 *sums);
/* Changes every electron and appends the copies, for which there is room, in the order of
 * those that they are copies of.  Adds to *done. */
void wn_store_change(struct wn_particles *p, const struct wn_change *change,
                     struct wn_changed *done);
/* Removes dead particles, in order. */
void wn_store_compact(struct wn_particles *p);

#endif
