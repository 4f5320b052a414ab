/* particles/particles.h - the store of electrons on the host: one array of 64-byte states,
 * grown as needed up to a limit. */
#ifndef WN_PARTICLES_PARTICLES_H
#define WN_PARTICLES_PARTICLES_H
#include <stddef.h>
#include "physics/electron.h"
#include "physics/hd.h"
#include "physics/sample.h"
#include "physics/tally.h"

WN_BEGIN_DECLS

struct wn_particles;

/* Who holds the electrons when the host does not: a GPU's store.  to_host: fill p->e[0,
 * n). compact: take the dead away there, set p->n. energy: sum of w * energy over all,
 * fixed point of WN_FIX_ENERGY (physics/tally.h). sample, change: as
 * wn_particles_sample and wn_particles_change. */
struct wn_particles_remote_ops {
  int (*to_host)(void *remote, struct wn_particles *p);
  int (*compact)(void *remote, struct wn_particles *p);
  int (*sample)(void *remote, const struct wn_particles *p, const struct wn_sample *what,
                wn_i128 *sums);
  int (*change)(void *remote, struct wn_particles *p, const struct wn_change *change,
                struct wn_changed *done);
};

enum wn_particles_place {
  WN_PARTICLES_HOST,  /* p->e is what holds */
  WN_PARTICLES_BOTH,  /* p->e and the remote store are the same */
  WN_PARTICLES_REMOTE /* p->e is out of date: wn_particles_read or _host first */
};

struct wn_particles {
  struct wn_electron *e; /* [capacity], 64-byte aligned; the first n are in use, dead ones
                            (t_left < 0) among them */
  size_t n, capacity, limit; /* limit: never grows beyond */
  enum wn_particles_place place;
  const struct wn_particles_remote_ops *remote_ops; /* NULL: never been elsewhere */
  void *remote;
};

int wn_particles_init(struct wn_particles *p, size_t capacity, size_t limit);
void wn_particles_clear(struct wn_particles *p); /* frees the memory */

/* Room for n more.  WN_EFULL when the limit would be passed or there is no memory, with a
 * message that says what to change; nothing is lost. */
int wn_particles_reserve(struct wn_particles *p, size_t n_more);
/* Make p->e[0, n) readable on the host; _host: writable as well (the remote copy, if any,
 * is then out of date).  Nothing to do for electrons that never left. */
int wn_particles_read(struct wn_particles *p);
int wn_particles_host(struct wn_particles *p);

/* Electrons are appended on the host. */
int wn_particles_append(struct wn_particles *p, const struct wn_electron *e, size_t n);

/* Take the dead away, in place, where the electrons are; on the host order is kept. */
int wn_particles_compact(struct wn_particles *p);

/* Sums over all electrons (physics/sample.h), where the electrons are; added to sums
 * [wn_sample_cells(what)]. */
int wn_particles_sample(const struct wn_particles *p, const struct wn_sample *what,
                        wn_i128 *sums);

/* Change every electron, where it is; copies are appended, the dead stay until the next
 * compaction. Adds to *done.  WN_EFULL before anything is changed when there is no room
 * for the copies. */
int wn_particles_change(struct wn_particles *p, const struct wn_change *change,
                        struct wn_changed *done);

WN_END_DECLS

#endif
