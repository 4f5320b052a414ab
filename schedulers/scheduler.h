/* schedulers/scheduler.h - who advances which electron, when, on what hardware.
 * One scheduler is one file that exports one ops struct; scheduler.c lists what is built.
 * All give the same electrons (in another order, perhaps) and the same tallies, bit for
 * bit; `serial` is the definition of the method. */
#ifndef WN_SCHEDULERS_SCHEDULER_H
#define WN_SCHEDULERS_SCHEDULER_H
#include <stddef.h>
#include <stdint.h>
#include "particles/particles.h"
#include "physics/hd.h"
#include "schedulers/model.h"

WN_BEGIN_DECLS

struct wn_scheduler;
struct wn_gpu;

enum wn_device { WN_DEVICE_CPU, WN_DEVICE_CUDA };

/* Of scheduler `tiles`; 0: its choice. */
struct wn_scheduler_tiles {
  int32_t cells[3]; /* of a tile along each axis: powers of two */
  int chunk;        /* particles of a block, at the most */
  int reorder;      /* steps from one order of the particles to the next */
  int by_sort;      /* the order is made by a sort, not by counting */
};

struct wn_scheduler_options {
  int threads;        /* CPU: threads, 0 for all */
  struct wn_gpu *gpu; /* CUDA: which (device/gpu.h); open while the scheduler lives */
  int block; /* CUDA: threads a block, a multiple of 32; 0: the scheduler's choice */
  struct wn_scheduler_tiles tiles;
  /* CUDA: electrons that hardly collide in a step take the general way nevertheless
   * (schedulers/gpu/quiet.cuh), for tests and bench/ */
  int no_quiet;
  /* CUDA, `dynamic`: places of the lists of electrons that are put aside, however few electrons
   * there are (schedulers/gpu/apart.cuh), for tests and bench/; 0: its choice */
  size_t apart_places;
};

/* A phase is hold, gather, advance.  A scheduler keeps nothing of the particles between
 * phases, so that several species and cases may share it when their tallies have one
 * shape. */
struct wn_scheduler_ops {
  const char *name, *doc;
  enum wn_device device;
  /* shape: of the tallies it will be given. */
  int (*create)(const struct wn_scheduler_options *o, const struct wn_tally_shape *shape,
                struct wn_scheduler **out);
  /* Bring the particles where this scheduler works, with room for newborns of the model:
   * to the host, or into the GPU's store.  WN_ENOMEM when they do not fit. */
  int (*hold)(struct wn_scheduler *s, const struct wn_model *model,
              struct wn_particles *p);
  /* Every particle gets what the model holds of its field (model->ops->gather), and has
   * the whole phase before it.  WN_ENOMEM: no room for the model's tables. */
  int (*gather)(struct wn_scheduler *s, const struct wn_model *model,
                struct wn_particles *p);
  /* Fly and collide: on return each particle, newborns included, is at the end of the
   * phase or dead (t_left < 0, still in the store).  Adds to the tally.  WN_EFULL, with a
   * message that says what to change, when the limit of the store or the memory is
   * reached, and WN_ENOMEM: the phase is then not finished and the caller does not use
   * the particles any more (what the tally got is taken back). */
  int (*advance)(struct wn_scheduler *s, const struct wn_model *model,
                 struct wn_particles *p, struct wn_tally *tally);
  /* Particles from `first` on were born in this phase and wait (model->ops->wake): they
   * begin to fly, with the next advance.  NULL: those of no model do. */
  int (*wake)(struct wn_scheduler *s, const struct wn_model *model,
              struct wn_particles *p, size_t first);
  int (*threads)(const struct wn_scheduler *s); /* NULL: one */
  void (*free)(struct wn_scheduler *s);
  /* Does it take a model?  If not: WN_EINPUT of hold.  NULL: it takes all. */
  int (*takes)(const struct wn_model_ops *ops);
  /* Between gather and advance: what advance does may begin, and nobody waits for it; so
   * several species are on their way together.  The tally gets nothing yet.  NULL: advance
   * does all of it.  The errors of advance. */
  int (*launch)(struct wn_scheduler *s, const struct wn_model *model,
                struct wn_particles *p, struct wn_tally *tally);
};

/* hold, gather and wake of those that work on the host. */
int wn_scheduler_hold_host(struct wn_scheduler *s, const struct wn_model *model,
                           struct wn_particles *p);
int wn_scheduler_gather_host(struct wn_scheduler *s, const struct wn_model *model,
                             struct wn_particles *p);
int wn_scheduler_wake_host(struct wn_scheduler *s, const struct wn_model *model,
                           struct wn_particles *p, size_t first);

/* The three of them. */
int wn_scheduler_phase(const struct wn_scheduler_ops *ops, struct wn_scheduler *s,
                       const struct wn_model *model, struct wn_particles *p,
                       struct wn_tally *tally);

const struct wn_scheduler_ops *const *wn_scheduler_list(size_t *n);

/* By name, for a device; "auto" is the fastest that is built for it.  WN_EINPUT with the
 * list, or with "not built in" and what to install. */
int wn_scheduler_find(const char *name, enum wn_device device,
                      const struct wn_scheduler_ops **out);

/* The definition of the method. */
extern const struct wn_scheduler_ops wn_scheduler_serial;

WN_END_DECLS

#endif
