/* schedulers/model.h - what a model gives a scheduler: how one electron gets through a
 * phase, and what it produces. A scheduler decides which electron moves when and where;
 * it knows nothing of the physics. */
#ifndef WN_SCHEDULERS_MODEL_H
#define WN_SCHEDULERS_MODEL_H
#include <stddef.h>
#include "physics/box.h"
#include "physics/electron.h"
#include "physics/hd.h"
#include "physics/mcc.h"
#include "physics/rectangle.h"
#include "physics/split_remove.h"
#include "physics/tally.h"

WN_BEGIN_DECLS

/* Newborns of one thread, to be appended to the store by the scheduler. */
struct wn_births {
  struct wn_electron *e;
  size_t n, capacity;
  int status; /* WN_ENOMEM once it could not grow */
};
void wn_births_push(struct wn_births *b, const struct wn_electron *e);

struct wn_model;

struct wn_model_ops {
  const char *name, *doc;
  /* Before a phase, once, on the whole store (may be NULL).  The electrons are [0, n),
   * none of them dead. */
  int (*prepare)(const struct wn_model *model, struct wn_electron *e, size_t n);
  /* Bring one electron to the end of the phase (t_left = 0) or to its death (t_left =
   * WN_DEAD).  Newborns go to births with their own t_left.  Deterministic in (*e,
   * model); adds to the tally only in ways that do not depend on order. */
  void (*advance)(const struct wn_model *model, struct wn_electron *e,
                  struct wn_tally *tally, struct wn_births *births);
  /* The same for n electrons, the same bits, faster (may be NULL: a loop over advance).
   */
  void (*advance_many)(const struct wn_model *model, struct wn_electron *e, size_t n,
                       struct wn_tally *tally, struct wn_births *births);
};

/* A model with its data: of mcc, split, rectangle and box the one that ops names. */
struct wn_model {
  const struct wn_model_ops *ops;
  unsigned steps; /* mobility steps of a phase */
  struct wn_mcc mcc;
  struct wn_split split;
  struct wn_rectangle rectangle;
  struct wn_box box;
  uint32_t *count; /* split: the grid that prepare fills; split.count points here */
};

extern const struct wn_model_ops wn_model_mcc, wn_model_split_remove, wn_model_rectangle,
    wn_model_box;

/* A phase begins: prepare, and every one of the n electrons has the whole phase before
 * it. */
int wn_model_begin(const struct wn_model *model, struct wn_electron *e, size_t n);

/* Sizes of a tally, and its life. */
struct wn_tally_shape {
  int n_groups, n_processes, n_thresholds;
};
int wn_tally_init(struct wn_tally *t,
                  const struct wn_tally_shape *s); /* zeroed; first_passage NULL */
void wn_tally_reset(
    struct wn_tally *t,
    const struct wn_tally_shape *s); /* sums to zero; first_passage stays */
void wn_tally_add(struct wn_tally *to, const struct wn_tally *from,
                  const struct wn_tally_shape *s);
void wn_tally_clear(struct wn_tally *t);

WN_END_DECLS

#endif
