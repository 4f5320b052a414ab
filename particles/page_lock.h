/* particles/page_lock.h - the store of a species on the host as memory that a device reads and
 * writes directly: page-locked.  The device's functions come in a struct, so that the rules
 * here hold, and are tested, without a device. */
#ifndef WN_PARTICLES_PAGE_LOCK_H
#define WN_PARTICLES_PAGE_LOCK_H
#include "particles/particles.h"

WN_BEGIN_DECLS

/* From here on p, empty and on the host, is in batches on a device.  Its memory becomes whole pages: what is
 * locked must not share one with other memory that is.  WN_ENOMEM: p is as before. */
int wn_particles_in_batches(struct wn_particles *p,
                            const struct wn_particles_batches_ops *ops, void *device);

/* For wn_particles_reserve: *memory, of which so many bytes are used, grows to `bytes`, in whole pages.  Returns
 * 0 without memory; it is then as before. */
int wn_page_lock_grow(void **memory, size_t used, size_t bytes);

/* Before a device copies from or to p->e.  Locks all of it once, after its pages were touched
 * by all threads: the memory is there, and near them.  If that is refused: a warning with
 * the cause and the remedy, once for each size of the store; copies then take a detour through
 * memory of the driver.  No effect without p->batches. */
void wn_particles_lock_pages(struct wn_particles *p);
/* Before p->e is freed or moves.  No effect where it is not locked. */
void wn_particles_unlock_pages(struct wn_particles *p);

WN_END_DECLS

#endif
