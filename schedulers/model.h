/* schedulers/model.h - interface of a model: how one particle is advanced through a step,
 * and what it produces.  A scheduler decides which particle is advanced when and where;
 * it contains no physics.  One model is one file that exports one ops struct; model.c
 * lists them.  Models that run on a GPU also have a file in schedulers/gpu/. */
#ifndef WN_SCHEDULERS_MODEL_H
#define WN_SCHEDULERS_MODEL_H
#include <stddef.h>
#include "base/state.h"
#include "particles/particles.h"
#include "particles/tally.h"
#include "physics/field_view.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

/* Newborns of one thread; the scheduler appends them to the store. */
struct wn_births {
  unsigned char *e; /* records */
  size_t record;    /* bytes of one: set before the first push */
  size_t n, capacity;
  int status; /* WN_ENOMEM once it could not grow */
  /* advance_many may advance up to may_advance of them in this list, in order, as soon as
   * there is room for their own newborns.  On return the first n_advanced are at the end
   * of the step; the others are as created */
  size_t may_advance, n_advanced;
};
void wn_births_push(struct wn_births *b, const void *e);
/* Make room for n more.  Returns 0 without memory; status is then WN_ENOMEM. */
int wn_births_reserve(struct wn_births *b, size_t n);
/* The place of the next newborn, for which there is room. */
static inline void *wn_births_next(struct wn_births *b)
{
  return b->e + b->n++ * b->record;
}

/* A model with its data.  The data is a plain struct, passed to kernels by value. */
struct wn_model {
  const struct wn_model_ops *ops;
  unsigned steps;  /* mobility steps in a step */
  int in_one_pass; /* ops->pass may be used for the next step; set by ops->set_field */
  void *data;      /* of ops: struct wn_mcc, struct wn_ion, ... */
};

/* A pointer in the data to a table that a device needs a copy of. */
struct wn_model_table {
  size_t member; /* offset of the pointer in the data */
  size_t bytes;  /* of the table; 0: the pointer becomes NULL */
};
#define WN_MODEL_TABLES 32 /* largest number for a model */

struct wn_gpu_model;
#ifdef WN_HAVE_CUDA
#define WN_ON_GPU(model) (&(model))
#else
#define WN_ON_GPU(model) NULL
#endif
/* Each is defined in one .cu. */
extern const struct wn_gpu_model wn_gpu_model_mcc, wn_gpu_model_collisionless,
    wn_gpu_model_ion, wn_gpu_model_midpoint;

struct wn_model_ops {
  const char *name, *doc;
  size_t bytes; /* of its data */
  struct wn_record
      record; /* for collisionless the smallest; wn_particles_points has all */
  /* Upper limit of the newborns per particle in a mobility step, averaged over many
   * particles: a device keeps so much memory free.  NULL: one. */
  double (*newborns)(const struct wn_model *model);
  /* The next step goes from t to t + length [s].  NULL: the model does not depend on
   * it. */
  void (*begin_step)(struct wn_model *model, double t, double length);
  /* Set the field of the next step: a uniform field, or the grids.  WN_EINTERN: the model
   * does not support such a field.  NULL: it supports none. */
  int (*set_field)(struct wn_model *model, const struct wn_field_view *field);
  /* Gather the field at each of n particles, which store it for the step.  NULL: nothing
   * is stored. */
  void (*gather)(const struct wn_model *model, void *e, size_t n);
  /* Newborns keep t_left = 0 until all other particles are at the end of the step; then
   * these n are started.  On return each has its own t_left and its stored field.  NULL:
   * newborns are advanced at once. */
  void (*start_newborns)(const struct wn_model *model, void *e, size_t n);
  /* Advance one particle to the end of the step (t_left = 0) or to its death (t_left =
   * WN_DEAD).  For records without t_left: model->steps mobility steps of a living
   * particle.  Newborns are appended to births with their own t_left.  Depends on (*e,
   * model) only; adds to the tally only in ways that do not depend on order. */
  void (*advance)(const struct wn_model *model, void *e, struct wn_tally *tally,
                  struct wn_births *births);
  /* The same for n particles with the same bits, faster.  NULL: a loop over advance. */
  void (*advance_many)(const struct wn_model *model, void *e, size_t n,
                       struct wn_tally *tally, struct wn_births *births);
  /* gather and advance_many in one pass for n particles at the beginning of a step, if
   * in_one_pass is set: the same bits, each record read once.  Particles alive at the end
   * are added to a census (particles/particles.h), unless it is NULL.  NULL: not
   * supported. */
  void (*pass)(const struct wn_model *model, void *e, size_t n, struct wn_tally *tally,
               struct wn_births *births, struct wn_census *census);
  /* Fills list [WN_MODEL_TABLES] with the pointers of the data that are tables, and
   * returns their number.  The data may be all zero.  NULL: none. */
  size_t (*tables)(const struct wn_model *model, struct wn_model_table *list);
  /* the record is struct wn_electron with weight, energy and lineage, and changes */
  int is_electron;
  int is_ion; /* the record is struct wn_electron, the data struct wn_ion */
  /* Kernels for a GPU (schedulers/gpu/model_ops.cuh): WN_ON_GPU of their name.  NULL:
   * there are none, or the build has no CUDA */
  const struct wn_gpu_model *gpu;
};

/* Allocates data of ops->bytes, all zero; WN_ENOMEM.  clear frees it. */
int wn_model_init(struct wn_model *m, const struct wn_model_ops *ops);
void wn_model_clear(struct wn_model *m);

const struct wn_model_ops *const *wn_model_list(size_t *n);
/* Models referred to by name elsewhere. */
extern const struct wn_model_ops wn_model_mcc, wn_model_collisionless, wn_model_ion,
    wn_model_midpoint;

static inline double wn_model_newborns(const struct wn_model *m)
{
  return m->ops->newborns != NULL ? m->ops->newborns(m) : 1.0;
}

/* On the host, before a step: gather for n particles from i on, and set the time left of
 * the living ones to the whole step. */
void wn_model_gather(const struct wn_model *model, struct wn_particles *p, size_t i,
                     size_t n);

WN_END_DECLS

#endif
