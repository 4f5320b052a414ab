/* schedulers/model.h - what a model gives a scheduler: how one particle gets through a
 * phase, and what it produces.  A scheduler decides which particle moves when and where;
 * it knows nothing of the physics.  One model is one file that exports one ops struct;
 * model.c lists them.  Those that run on a GPU have a file in schedulers/gpu/ besides. */
#ifndef WN_SCHEDULERS_MODEL_H
#define WN_SCHEDULERS_MODEL_H
#include <stddef.h>
#include "base/state.h"
#include "particles/particles.h"
#include "particles/tally.h"
#include "physics/field_view.h"
#include "physics/hd.h"

WN_BEGIN_DECLS

/* Newborns of one thread, to be appended to the store by the scheduler. */
struct wn_births {
  unsigned char *e; /* records */
  size_t record;    /* bytes of one: set before the first push */
  size_t n, capacity;
  int status; /* WN_ENOMEM once it could not grow */
  /* advance_many may fly the first may_fly of them where they lie, in their order, as soon as
   * it has room for them; on return those up to `flown` are at the end of the phase, the
   * others as they were born */
  size_t may_fly, flown;
};
void wn_births_push(struct wn_births *b, const void *e);
/* Room for n more; 0: there is no memory, as status says from then on. */
int wn_births_reserve(struct wn_births *b, size_t n);
/* The place of the next one, for which there is room. */
static inline void *wn_births_next(struct wn_births *b)
{
  return b->e + b->n++ * b->record;
}

/* A model with its data.  The data is a plain struct, which goes to kernels by value. */
struct wn_model {
  const struct wn_model_ops *ops;
  unsigned steps;  /* mobility steps of a phase */
  int in_one_pass; /* ops->pass may take the phase to come: set by ops->feel */
  void *data;      /* of ops: struct wn_mcc, struct wn_ion, ... */
};

/* A pointer in the data, to what a device must have a copy of. */
struct wn_model_table {
  size_t member; /* offset of the pointer in the data */
  size_t bytes;  /* behind it; 0: the pointer becomes NULL */
};
#define WN_MODEL_TABLES 32 /* of a model, at the most */

struct wn_gpu_model;
#ifdef WN_HAVE_CUDA
#define WN_ON_GPU(model) (&(model))
#else
#define WN_ON_GPU(model) NULL
#endif
/* One .cu each. */
extern const struct wn_gpu_model wn_gpu_model_mcc, wn_gpu_model_collisionless,
    wn_gpu_model_ion;

struct wn_model_ops {
  const char *name, *doc;
  size_t bytes; /* of its data */
  struct wn_record
      record; /* of collisionless: the smallest; wn_particles_points has all */
  /* Most newborns of one particle in a mobility step, on average over many: memory that a
   * device keeps free.  NULL: one. */
  double (*newborns)(const struct wn_model *model);
  /* The phase to come goes from t to t + length [s].  NULL: nothing depends on it. */
  void (*phase)(struct wn_model *model, double t, double length);
  /* The field of the phase to come, as far as it is the same for all particles, or its
   * grids.  WN_EINTERN: this model cannot live in such a field.  NULL: in none. */
  int (*feel)(struct wn_model *model, const struct wn_field_view *field);
  /* The field at the place of each of n particles, which hold it during the phase.  NULL:
   * nothing is held. */
  void (*gather)(const struct wn_model *model, void *e, size_t n);
  /* Newborns wait, with t_left = 0, until all others are at the end of the phase: then
   * these n begin to fly.  On return each has its own t_left, and what it holds of the
   * field.  NULL: none wait. */
  void (*wake)(const struct wn_model *model, void *e, size_t n);
  /* Bring one particle to the end of the phase (t_left = 0) or to its death (t_left =
   * WN_DEAD); of records without t_left, model->steps steps of a living one.  Newborns go
   * to births with their own t_left.  Deterministic in (*e,
   * model); adds to the tally only in ways that do not depend on order. */
  void (*advance)(const struct wn_model *model, void *e, struct wn_tally *tally,
                  struct wn_births *births);
  /* The same for n particles, the same bits, faster (may be NULL: a loop over
   * advance). */
  void (*advance_many)(const struct wn_model *model, void *e, size_t n,
                       struct wn_tally *tally, struct wn_births *births);
  /* gather and advance_many in one for n particles at the beginning of a phase, where
   * in_one_pass says so: the same bits, each record read once.  Those that live at the end
   * are added to a census (particles/particles.h), unless it is NULL.  NULL: not so. */
  void (*pass)(const struct wn_model *model, void *e, size_t n, struct wn_tally *tally,
               struct wn_births *births, struct wn_census *census);
  /* Which pointers of the data are tables: fills list [WN_MODEL_TABLES], returns how
   * many.  The data may be all zero.  NULL: none. */
  size_t (*tables)(const struct wn_model *model, struct wn_model_table *list);
  /* the record is struct wn_electron: it has weight, energy, lineage, and changes */
  int is_electron;
  int is_ion; /* the record is struct wn_electron, the data struct wn_ion */
  /* What runs it on a GPU (schedulers/gpu/model_ops.cuh): WN_ON_GPU of its name.  NULL: nothing
   * does, or the build has no CUDA */
  const struct wn_gpu_model *gpu;
};

/* Data of ops->bytes, all zero; WN_ENOMEM.  clear frees it. */
int wn_model_init(struct wn_model *m, const struct wn_model_ops *ops);
void wn_model_clear(struct wn_model *m);

const struct wn_model_ops *const *wn_model_list(size_t *n);
/* Those that others name. */
extern const struct wn_model_ops wn_model_mcc, wn_model_collisionless, wn_model_ion;

static inline double wn_model_newborns(const struct wn_model *m)
{
  return m->ops->newborns != NULL ? m->ops->newborns(m) : 1.0;
}

/* On the host, before a phase: gather, and every living one of the n particles from i on has
 * the whole phase before it. */
void wn_model_gather(const struct wn_model *model, struct wn_particles *p, size_t i,
                     size_t n);

WN_END_DECLS

#endif
