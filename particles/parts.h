/* particles/parts.h - the particles of a species on several ranks (base/ranks.h): each holds a part
 * of them, which it does not matter, and newborns stay where they were born.  All ranks make these
 * calls together; alone they do nothing but count. */
#ifndef WN_PARTICLES_PARTS_H
#define WN_PARTICLES_PARTS_H
#include "base/error.h"
#include "base/ranks.h"
#include "particles/particles.h"

WN_BEGIN_DECLS

/* Of all ranks, when they were last counted; p->n are those here. */
static inline size_t wn_particles_all(const struct wn_particles *p)
{
  return wn_ranks() > 1 ? p->n_all : p->n;
}

/* Count them. */
void wn_particles_count(struct wn_particles *p);

/* What came of something here for which there may be no room (WN_EFULL, WN_ENOMEM): of one rank it is
 * of all, WN_EFULL. */
int wn_particles_room(int status);
static inline int wn_particles_no_room(int status)
{
  return status == WN_EFULL || status == WN_ENOMEM;
}

/* Count them: WN_EFULL when all together have more than `limit`, as one would then be full.  Alone that
 * was asked before they joined. */
int wn_particles_within(struct wn_particles *p);

/* The same, and where a rank has a tenth more than its share, and a few hundred more, move
 * records until all have the same.  Not while particles fly.  WN_EFULL, WN_ECUDA as
 * wn_particles_host and wn_particles_reserve. */
int wn_particles_balance(struct wn_particles *p);

/* The records of all ranks as one item of a state: saved by rank 0, to which the others send
 * theirs, and restored by each as its share.  n: of all.  Errors: base/state.h,
 * wn_particles_reserve. */
int wn_particles_records_state(struct wn_particles *p, struct wn_state *s, size_t n);

WN_END_DECLS

#endif
