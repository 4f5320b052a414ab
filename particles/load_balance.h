/* particles/load_balance.h - the particles of a species on several ranks (base/ranks.h): each holds an arbitrary
 * part of them, and newborns stay on their rank.  Collective calls; with one process they only count. */
#ifndef WN_PARTICLES_LOAD_BALANCE_H
#define WN_PARTICLES_LOAD_BALANCE_H
#include "base/error.h"
#include "base/ranks.h"
#include "particles/particles.h"

WN_BEGIN_DECLS

/* Of this rank: the first p->n without the dead ones that a GPU keeps among them. */
static inline size_t wn_particles_here(const struct wn_particles *p)
{
  return p->place == WN_PARTICLES_HOST ? p->n
                                       : p->n - p->remote_ops->kept_dead(p->remote);
}

/* Over all ranks, at the last count. */
static inline size_t wn_particles_all(const struct wn_particles *p)
{
  return wn_ranks() > 1 ? p->n_all : wn_particles_here(p);
}

/* Counts them. */
void wn_particles_count(struct wn_particles *p);

/* Status of an operation that may lack room (WN_EFULL, WN_ENOMEM): a failure on one rank is WN_EFULL
 * on all. */
int wn_particles_room(int status);
static inline int wn_particles_no_room(int status)
{
  return status == WN_EFULL || status == WN_ENOMEM;
}

/* Counts them: WN_EFULL if the total exceeds `limit`, which would fill one process.  With one process
 * this was checked before they were added. */
int wn_particles_within(struct wn_particles *p);

/* The same; if a rank has a tenth and some hundred more than its share, moves records until all have the
 * same.  Not during a step.  WN_EFULL, WN_ECUDA as wn_particles_host and wn_particles_reserve. */
int wn_particles_balance(struct wn_particles *p);

/* Saves the n records at e of `bytes` each, and those of the other ranks, `all` together, as one item. */
int wn_records_save(struct wn_state *s, const char *name, void *e, size_t n, size_t all,
                    size_t bytes);

/* The records of all ranks as one item of a state: saved by rank 0, to which the others send theirs; each
 * rank restores its share.  n: over all ranks.  Errors: base/state.h, wn_particles_reserve. */
int wn_particles_records_state(struct wn_particles *p, struct wn_state *s, size_t n);

WN_END_DECLS

#endif
