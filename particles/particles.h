/* particles/particles.h - the store of the particles of one species on the host: one array
 * of records that grows up to a limit.  The species' model defines the record
 * (schedulers/model.h); the store knows its size and its mark of dead particles. */
#ifndef WN_PARTICLES_PARTICLES_H
#define WN_PARTICLES_PARTICLES_H
#include <stddef.h>
#include <string.h>
#include "base/state.h"
#include "physics/electron.h"
#include "physics/host_device.h"
#include "physics/mover.h"
#include "physics/node_values.h"
#include "physics/sample.h"
#include "physics/tally.h"

WN_BEGIN_DECLS

#define WN_RECORD_MAX 64 /* bytes of a record, at most */

/* bytes: a multiple of 16, at most WN_RECORD_MAX.  t_left: offset of the 32-bit word whose sign bit marks
 * a dead particle.  Usually it is a float, the rest of the step, 0: done.  With no_t_left only its sign
 * has that meaning (x[0] of physics/mover.h), and all particles start and end a step together. */
struct wn_record {
  size_t bytes, t_left;
  size_t no_t_left; /* as wide as the others: no padding in a saved state */
};

struct wn_particles;
struct wn_store_scratch;

/* A remote store, on a GPU, that has the particles instead of the host.
 *   to_host  fills p->e[0, n)
 *   compact  removes dead particles, sets p->n
 *   kept_dead  the number of dead ones among the n that compact leaves where they are, for an order
 *   sample, change: as wn_particles_sample and wn_particles_change
 *   sample_late, bring_late: as wn_particles_sample_deferred and
 *   wn_particles_add_deferred
 *   room_for_nodes  whether there is memory for n sums at nodes
 *   sum_at_nodes    what particles add to the nodes of a grid (physics/node_values.h): *sums [n], the values
 *                   of a node next to each other, on the host until the next call for this GPU.
 *                   *misfits: weights that are no number of quanta, and values without an integer
 *   largest_velocity  of the living particles, the largest component of u, without sign, or infinity where
 *                   one is no number
 *   expect_at_nodes  announces sum_at_nodes of ten moments, n sums, after the next step: its kernel may
 *                    take them with it, which changes no result
 *   free     frees the store, with its particles */
struct wn_particles_remote_ops {
  int (*to_host)(void *remote, struct wn_particles *p);
  int (*compact)(void *remote, struct wn_particles *p);
  size_t (*kept_dead)(const void *remote);
  int (*sample)(void *remote, const struct wn_particles *p, const struct wn_sample *what,
                wn_i128 *sums);
  int (*sample_late)(void *remote, const struct wn_particles *p,
                     const struct wn_sample *what, wn_i128 *sums);
  int (*bring_late)(void *remote, wn_i128 *sums);
  int (*change)(void *remote, struct wn_particles *p, const struct wn_change *change,
                struct wn_changed *done);
  int (*room_for_nodes)(void *remote, size_t n, int *is);
  int (*sum_at_nodes)(void *remote, const struct wn_particles *p,
                      const struct wn_node_values *what, size_t n, wn_i128 **sums,
                      uint64_t *misfits);
  int (*largest_velocity)(void *remote, const struct wn_particles *p,
                          const struct wn_node_values *what, float *most);
  int (*expect_at_nodes)(void *remote, const struct wn_node_values *what, size_t n);
  void (*free)(void *remote);
};

/* Particles in batches: the host keeps them, place is WN_PARTICLES_HOST, and `device` visits them a
 * segment at a time (device/batches.cuh), which the scheduler and the field do by themselves.
 *   lock    pages of the store, for direct copies; NULL: done, else why not.  unlock: before
 *           they are freed
 *   room_for_nodes, sum_at_nodes, largest_velocity, expect_at_nodes: as of a remote store */
struct wn_particles_batches_ops {
  const char *(*lock)(void *device, void *memory, size_t bytes);
  void (*unlock)(void *device, void *memory);
  int (*room_for_nodes)(void *device, size_t n, int *is);
  int (*sum_at_nodes)(void *device, struct wn_particles *p,
                      const struct wn_node_values *what, size_t n, wn_i128 **sums,
                      uint64_t *misfits);
  int (*largest_velocity)(void *device, struct wn_particles *p,
                          const struct wn_node_values *what, float *most);
  int (*expect_at_nodes)(void *device, const struct wn_particles *p,
                         const struct wn_node_values *what, size_t n);
};

enum wn_particles_pages { WN_PAGES_FREE, WN_PAGES_LOCKED, WN_PAGES_REFUSED };

enum wn_particles_place {
  WN_PARTICLES_HOST,  /* p->e is valid */
  WN_PARTICLES_BOTH,  /* p->e and the remote store are equal */
  WN_PARTICLES_REMOTE /* p->e is out of date: call wn_particles_read or _host first */
};

/* Sums taken during a step in one pass (schedulers/model.h), which save another pass: of
 * kind WN_SAMPLE_ELECTRONS, over the living among the first n of the store.
 * wn_particles_sample adds those of the other particles. */
struct wn_census {
  int wanted;            /* a sample has been requested */
  struct wn_sample what; /* its definition */
  size_t n;              /* 0: not valid */
  wn_i128 sum[WN_POINT_SUMS];
};

struct wn_particles {
  struct wn_record record;
  /* [capacity] records, 64-byte aligned; the first n are used, dead ones among them */
  unsigned char *e;
  /* limit: newborns beyond it are rejected (a copy from a GPU may have slightly more) */
  size_t n, capacity, limit;
  size_t n_all; /* over all ranks, at the last count: particles/load_balance.h */
  enum wn_particles_place place;
  const struct wn_particles_remote_ops *remote_ops; /* NULL: always on the host */
  void *remote;                                     /* the remote store, owned by this */
  const struct wn_particles_batches_ops *batches;   /* NULL: not in batches */
  void *device;                                     /* of batches; not owned */
  enum wn_particles_pages
      pages; /* whether those of e are locked (particles/page_lock.h) */
  /* In the current step: on the host, whether a scheduler that advances in one pass still has to gather;
   * and how many particles at the start of the store have completed the step */
  int to_gather;
  size_t n_advanced;
  struct wn_census census;
  uint64_t changes;  /* compared by code that remembers positions */
  uint64_t removals; /* compared by code that remembers which particles it has seen */
  /* Threads of the loops over the store on the host, and their memory (particles/store.h);
   * NULL: one thread */
  struct wn_store_scratch *scratch;
};

/* No particles, room for `capacity`.  WN_ENOMEM: p is then without memory. */
int wn_particles_init(struct wn_particles *p, const struct wn_record *record,
                      size_t capacity, size_t limit);
void wn_particles_clear(struct wn_particles *p); /* frees the memory, remote too */

/* From here on so many threads sum, change and remove particles on the host; without memory for
 * them, one. */
void wn_particles_use_threads(struct wn_particles *p, int threads);

/* No particles, on the host and remote; the memory stays. */
void wn_particles_empty(struct wn_particles *p);
/* The same, and the remote store, if there is one, is freed. */
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

/* The records of plasma particles of a kind (physics/mover.h). */
static inline struct wn_record wn_particles_points(int kind)
{
  struct wn_record r = {(size_t)wn_point_words(kind) * sizeof(union wn_word), 0, 1};
  return r;
}

/* Room for n more.  WN_EFULL if the limit would be exceeded or there is no memory, with a
 * message that says what to change; nothing is lost. */
int wn_particles_reserve(struct wn_particles *p, size_t n_more);
/* Makes p->e[0, n) readable on the host; _host: writable as well (a remote copy is then
 * out of date).  No effect if the particles are on the host. */
int wn_particles_read(struct wn_particles *p);
int wn_particles_host(struct wn_particles *p);
/* After wn_particles_read within a step: the particles are on the device alone again, where they will be
 * advanced. */
void wn_particles_read_over(struct wn_particles *p);

/* Appends n records e [n] on the host; e may be NULL if n is 0.  WN_EFULL as
 * wn_particles_reserve; then none is appended. */
int wn_particles_append(struct wn_particles *p, const void *e, size_t n);

/* Removes dead particles, in place, on the host or remote; on the host the order is kept. */
int wn_particles_compact(struct wn_particles *p);

/* Records have changed, will change, or are new: the census is invalid. */
static inline void wn_particles_touched(struct wn_particles *p)
{
  p->changes++;
  p->census.n = 0;
}

/* Before dead particles are removed: joins the census of the first census.n particles,
 * counted since the last step, and that of the newborns after them. */
void wn_particles_complete_census(struct wn_particles *p);

/* Sums over all particles of all ranks (physics/sample.h; what->kind must fit the
 * record), computed where the particles are; added to sums [wn_sample_cells(what)]. */
int wn_particles_sample(const struct wn_particles *p, const struct wn_sample *what,
                        wn_i128 *sums);
/* The same over the particles of this rank. */
int wn_particles_sample_here(const struct wn_particles *p, const struct wn_sample *what,
                             wn_i128 *sums);
/* The same for frequent sums that are rarely read: they may stay on the GPU until
 * wn_particles_add_deferred, which adds them to sums; NULL: discards them.  For one array of sums
 * at a time; before another one call wn_particles_add_deferred(p, NULL). */
int wn_particles_sample_deferred(const struct wn_particles *p,
                                 const struct wn_sample *what, wn_i128 *sums);
int wn_particles_add_deferred(const struct wn_particles *p, wn_i128 *sums);

/* Changes every electron (struct wn_electron only), where the particles are; copies are appended,
 * dead ones stay until the next compaction.  Adds to *done, whose `roulette` must be 0 before and
 * is then the sum over ranks.  WN_EFULL, before any change, if there is no room for the copies
 * (on one rank; other ranks may have made theirs). */
int wn_particles_change(struct wn_particles *p, const struct wn_change *change,
                        struct wn_changed *done);
/* The same, and removes the electrons killed.  WN_ERUN: an electron has more than WN_MAX_WEIGHT. */
int wn_particles_change_and_remove(struct wn_particles *p, const struct wn_change *change,
                                   struct wn_changed *done);

/* The particles of all ranks, saved from where they are, restored on the host.  WN_EINPUT if the saved
 * records are of another kind, WN_EFULL if they are too many; else as wn_state_item. */
int wn_particles_state(struct wn_particles *p, struct wn_state *s);

WN_END_DECLS

#endif
