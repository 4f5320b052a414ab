/* particles/crossings.h - crossings of detectors (physics/crossing.h) by the electrons of a step, a list to which all threads add.
 * Its order depends on threads until it is sorted: by time, then detector, electron and direction, which are different for
 * different crossings. */
#ifndef WN_PARTICLES_CROSSINGS_H
#define WN_PARTICLES_CROSSINGS_H
#include "physics/crossing.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

/* Room for n in the list.  WN_ENOMEM. */
int wn_crossings_reserve(struct wn_crossings *c, size_t n);
/* One more; from any thread. */
void wn_crossings_add(struct wn_crossings *c, const struct wn_crossing *one);
/* Those of all ranks, sorted, on each rank.  Returns c->status of all ranks; WN_ENOMEM. */
int wn_crossings_collect(struct wn_crossings *c);
/* The list is empty again. */
void wn_crossings_empty(struct wn_crossings *c);

WN_END_DECLS

#endif
