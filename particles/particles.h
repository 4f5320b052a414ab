/* particles/particles.h - the particles of one species on the host: one array of records,
 * grown as needed up to a limit.  What a record holds is the species' choice (its model's,
 * schedulers/model.h); the store knows its size, and how to tell the dead. */
#ifndef WN_PARTICLES_PARTICLES_H
#define WN_PARTICLES_PARTICLES_H
#include <stddef.h>
#include <string.h>
#include "base/state.h"
#include "physics/electron.h"
#include "physics/hd.h"
#include "physics/point.h"
#include "physics/sample.h"
#include "physics/tally.h"

WN_BEGIN_DECLS

#define WN_RECORD_MAX 64 /* bytes of a particle, at the most */

/* bytes: a multiple of 16, at most WN_RECORD_MAX.  t_left: offset of the 32-bit word whose
 * sign bit says dead.  It is a float that says how much of the phase is left, 0: done; but
 * with no_t_left it is anything else of which only the sign is looked at (x[0] of
 * physics/point.h), and such particles begin and end a phase all together. */
struct wn_record {
  size_t bytes, t_left;
  size_t no_t_left; /* as wide as the others: no padding in a saved state */
};

struct wn_particles;

/* Who holds the particles when the host does not: a GPU's store.
 *   to_host  fill p->e[0, n)
 *   compact  take the dead away there, set p->n
 *   sample, change: as wn_particles_sample and wn_particles_change
 *   sample_late, bring_late: as those of wn_particles
 *   free     give the store back; the particles in it are lost */
struct wn_particles_remote_ops {
  int (*to_host)(void *remote, struct wn_particles *p);
  int (*compact)(void *remote, struct wn_particles *p);
  int (*sample)(void *remote, const struct wn_particles *p, const struct wn_sample *what,
                wn_i128 *sums);
  int (*sample_late)(void *remote, const struct wn_particles *p,
                     const struct wn_sample *what, wn_i128 *sums);
  int (*bring_late)(void *remote, wn_i128 *sums);
  int (*change)(void *remote, struct wn_particles *p, const struct wn_change *change,
                struct wn_changed *done);
  void (*free)(void *remote);
};

enum wn_particles_place {
  WN_PARTICLES_HOST,  /* p->e is what holds */
  WN_PARTICLES_BOTH,  /* p->e and the remote store are the same */
  WN_PARTICLES_REMOTE /* p->e is out of date: wn_particles_read or _host first */
};

/* What particles that fly in one pass (schedulers/model.h) add up on the way, so that nobody
 * has to read them again: the sums of kind WN_SAMPLE_ELECTRONS over those of the first n in
 * the store that live.  Who asks takes the others beside (wn_particles_sample). */
struct wn_census {
  int wanted;            /* since somebody has asked */
  struct wn_sample what; /* as asked */
  size_t n;              /* 0: nothing is known */
  wn_i128 sum[WN_POINT_SUMS];
};

struct wn_particles {
  struct wn_record record;
  /* [capacity] records, 64-byte aligned; the first n are in use, dead ones among them */
  unsigned char *e;
  /* limit: newborns are refused beyond it (what a GPU brings home may be a little
   * more) */
  size_t n, capacity, limit;
  size_t n_all; /* of all ranks, at their last count: particles/parts.h */
  enum wn_particles_place place;
  const struct wn_particles_remote_ops *remote_ops; /* NULL: never been elsewhere */
  void *remote;                                     /* the store there, owned by this */
  /* On the host, of the phase in hand: whether a scheduler that advances in one pass has
   * not gathered yet, and how many at the beginning of the store are at its end already */
  int to_gather;
  size_t flown;
  struct wn_census census;
  uint64_t changes; /* who has noted their places compares */
};

/* No particles, room for `capacity`.  WN_ENOMEM: p is then without memory. */
int wn_particles_init(struct wn_particles *p, const struct wn_record *record,
                      size_t capacity, size_t limit);
void wn_particles_clear(struct wn_particles *p); /* frees the memory, remote too */

/* No particles any more, wherever they were; the memory stays. */
void wn_particles_empty(struct wn_particles *p);
/* The same, and the store elsewhere, if there is one, is given back. */
void wn_particles_to_host(struct wn_particles *p);

static inline void *wn_particles_at(const struct wn_particles *p, size_t i)
{
  return p->e + i * p->record.bytes;
}

/* The records of a species of `mcc`. */
static inline struct wn_electron *wn_particles_electrons(const struct wn_particles *p)
{
  return (struct wn_electron *)(void *)p->e;
}

/* Not with record.no_t_left. */
static inline float *wn_particles_t_left(const struct wn_particles *p, size_t i)
{
  return (float *)(void *)(p->e + i * p->record.bytes + p->record.t_left);
}

static inline int wn_particles_is_dead(const struct wn_particles *p, size_t i)
{
  int32_t word;
  memcpy(&word, p->e + i * p->record.bytes + p->record.t_left, sizeof word);
  return word < 0;
}

/* The records of points of a kind (physics/point.h). */
static inline struct wn_record wn_particles_points(int kind)
{
  struct wn_record r = {(size_t)wn_point_words(kind) * sizeof(union wn_word), 0, 1};
  return r;
}

/* Room for n more.  WN_EFULL when the limit would be passed or there is no memory, with a
 * message that says what to change; nothing is lost. */
int wn_particles_reserve(struct wn_particles *p, size_t n_more);
/* Make p->e[0, n) readable on the host; _host: writable as well (the remote copy, if any,
 * is then out of date).  Nothing to do for particles that never left. */
int wn_particles_read(struct wn_particles *p);
int wn_particles_host(struct wn_particles *p);

/* n records e [n] are appended on the host; e may be NULL when n is 0.  WN_EFULL as
 * wn_particles_reserve, and then none is. */
int wn_particles_append(struct wn_particles *p, const void *e, size_t n);

/* Take the dead away, in place, where the particles are; on the host order is kept. */
int wn_particles_compact(struct wn_particles *p);

/* Records were changed, are about to be, or there are others: nothing is known of them any
 * more. */
static inline void wn_particles_touched(struct wn_particles *p)
{
  p->changes++;
  p->census.n = 0;
}

/* Before the dead leave: those of the first census.n that have been counted since the last
 * step, and the newcomers after them, are one census. */
void wn_particles_complete_census(struct wn_particles *p);

/* Sums over all particles of all ranks (physics/sample.h; what->kind must be one of this
 * record), where they are; added to sums [wn_sample_cells(what)]. */
int wn_particles_sample(const struct wn_particles *p, const struct wn_sample *what,
                        wn_i128 *sums);
/* The same over those of this rank. */
int wn_particles_sample_here(const struct wn_particles *p, const struct wn_sample *what,
                             wn_i128 *sums);
/* As the first for many sums that are asked for often and looked at seldom: they may stay where the
 * particles are until bring_late, which adds what is there to sums; NULL: it is not wanted.  Of
 * one array of sums at a time, by who has called bring_late(p, NULL) before it is another. */
int wn_particles_sample_deferred(const struct wn_particles *p,
                                 const struct wn_sample *what, wn_i128 *sums);
int wn_particles_add_deferred(const struct wn_particles *p, wn_i128 *sums);

/* Change every electron (struct wn_electron only), where it is; copies are appended, the
 * dead stay until the next compaction.  Adds to *done, of which roulette is then of all ranks and
 * was 0 before.  WN_EFULL before anything is changed when there is no room for the copies
 * (of a rank, of which others may have changed theirs). */
int wn_particles_change(struct wn_particles *p, const struct wn_change *change,
                        struct wn_changed *done);
/* The same, and those whom it killed leave the store.  WN_ERUN: an electron stands for more
 * than WN_MAX_WEIGHT. */
int wn_particles_change_and_remove(struct wn_particles *p, const struct wn_change *change,
                                   struct wn_changed *done);

/* Those of all ranks, saved from where they are, restored on the host.  WN_EINPUT when the saved records are
 * of another kind, WN_EFULL when they are too many; else as wn_state_item. */
int wn_particles_state(struct wn_particles *p, struct wn_state *s);

WN_END_DECLS

#endif
