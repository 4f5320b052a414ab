/* schedulers/scheduler.h - schedulers: in which order, and on which hardware, particles
 * are advanced.  One scheduler is one file that exports one ops struct; scheduler.c lists
 * those that are built.  All give the same particles (perhaps in another order) and the
 * same tallies, bit for bit; `serial` is the reference. */
#ifndef WN_SCHEDULERS_SCHEDULER_H
#define WN_SCHEDULERS_SCHEDULER_H
#include <stddef.h>
#include <stdint.h>
#include "particles/particles.h"
#include "physics/host_device.h"
#include "schedulers/model.h"

WN_BEGIN_DECLS

struct wn_scheduler;
struct wn_gpu;

enum wn_device { WN_DEVICE_CPU, WN_DEVICE_CUDA };

/* Options of scheduler `tiles`; 0: default. */
struct wn_scheduler_tiles {
  int32_t cells[3]; /* of a tile along each axis: powers of two */
  int chunk;        /* largest number of particles of a block */
  int reorder;      /* steps between sorts */
  int by_sort;      /* radix sort of the particles instead of a counting sort */
};

struct wn_scheduler_options {
  int threads;        /* CPU: threads, 0 for all */
  struct wn_gpu *gpu; /* CUDA: the GPU (device/gpu.h); must stay open as long as the
                       * scheduler exists */
  int block;          /* CUDA: threads a block, a multiple of 32; 0: default */
  size_t batch_bytes; /* CUDA: of a segment of particles in batches; 0: default */
  struct wn_scheduler_tiles tiles;
  /* CUDA: no collision-free pass (schedulers/gpu/collision_free.cuh), even where it is
   * faster; for tests and bench/ */
  int no_collision_free;
  /* CUDA, `dynamic`: length of the lists of deferred collisions
   * (schedulers/gpu/deferred.cuh), however few electrons there are; for tests and bench/; 0:
   * default */
  size_t deferred_places;
};

/* A step of a species is hold, gather, advance: from t to t + dt of the run, in one or
 * several mobility steps.  For electrons with collisions in a grid it is one mobility
 * step, before which the field is gathered again.  A scheduler keeps no state of the
 * particles between steps, so that several species and cases may share it if their
 * tallies have one shape. */
struct wn_scheduler_ops {
  const char *name, *doc;
  enum wn_device device;
  /* shape: of the tallies passed to advance. */
  int (*create)(const struct wn_scheduler_options *o, const struct wn_tally_shape *shape,
                struct wn_scheduler **out);
  /* Move the particles to the memory that this scheduler works in, with room for newborns
   * of the model: to the host, or into the store on the GPU.  WN_ENOMEM when they do not
   * fit. */
  int (*hold)(struct wn_scheduler *s, const struct wn_model *model,
              struct wn_particles *p);
  /* Gather the field of every particle (model->ops->gather), and set its time left to the
   * whole step.  WN_ENOMEM: no room for the model's tables. */
  int (*gather)(struct wn_scheduler *s, const struct wn_model *model,
                struct wn_particles *p);
  /* Advance: on return each particle, newborns included, is at the end of the step or
   * dead (t_left < 0, still in the store).  Adds to the tally.  WN_EFULL, with a message
   * that names what to change, when the limit of the store or the memory is reached, and
   * WN_ENOMEM.  The step is then not finished, and the caller must not use the particles
   * (the additions to the tally are undone). */
  int (*advance)(struct wn_scheduler *s, const struct wn_model *model,
                 struct wn_particles *p, struct wn_tally *tally);
  /* Start the particles from `first` on, which were born in this step and have been held
   * back (model->ops->start_newborns); the next advance advances them.  NULL: no model of this
   * scheduler holds back newborns. */
  int (*start_newborns)(struct wn_scheduler *s, const struct wn_model *model,
                        struct wn_particles *p, size_t first);
  int (*threads)(const struct wn_scheduler *s); /* of its device; NULL: one */
  void (*free)(struct wn_scheduler *s);
  /* Does it support a model?  If not: WN_EINPUT from hold.  NULL: it supports all. */
  int (*supports)(const struct wn_model_ops *ops);
  /* Optional call between gather and advance: starts the work of advance without waiting
   * for it, so that several species are computed concurrently.  The tally is not changed
   * yet.  NULL: advance does all the work.  Errors as for advance. */
  int (*launch)(struct wn_scheduler *s, const struct wn_model *model,
                struct wn_particles *p, struct wn_tally *tally);
};

/* hold, gather and wake of schedulers on the host. */
int wn_scheduler_hold_host(struct wn_scheduler *s, const struct wn_model *model,
                           struct wn_particles *p);
int wn_scheduler_gather_host(struct wn_scheduler *s, const struct wn_model *model,
                             struct wn_particles *p);
int wn_scheduler_start_newborns_host(struct wn_scheduler *s, const struct wn_model *model,
                                     struct wn_particles *p, size_t first);

/* hold, gather and advance. */
int wn_scheduler_step(const struct wn_scheduler_ops *ops, struct wn_scheduler *s,
                      const struct wn_model *model, struct wn_particles *p,
                      struct wn_tally *tally);

const struct wn_scheduler_ops *const *wn_scheduler_list(size_t *n);

/* Find a scheduler by name for a device; "auto" is the fastest that is built for it.
 * WN_EINPUT with the list, or with "not built in" and what to install. */
int wn_scheduler_find(const char *name, enum wn_device device,
                      const struct wn_scheduler_ops **out);

/* The reference implementation. */
extern const struct wn_scheduler_ops wn_scheduler_serial;

WN_END_DECLS

#endif
