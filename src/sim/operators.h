/* src/sim/operators.h - operators of a step: they create, remove or change particles
 * outside the flight of their model (operator splitting).  One file and one ops struct
 * per operator; the list in operators.c is their order in a step.
 *
 * An operator is applied at the end of a step.  x and u belong to t + dt, particles that
 * died in the step are still in the stores, and created ones have not moved yet
 * (src/run/step.c). */
#ifndef WN_SRC_SIM_OPERATORS_H
#define WN_SRC_SIM_OPERATORS_H
#include <stddef.h>
#include "base/state.h"

struct wn_sim;
struct wn_species;
struct wn_operator_ops;

/* Head of every operator: the struct of an operator begins with it. */
struct wn_operator {
  const struct wn_operator_ops *ops;
};

struct wn_operator_ops {
  /* Called once all species exist; *out stays NULL where the scenario does not need the
   * operator.  WN_ENOMEM, WN_EINPUT. */
  int (*create)(struct wn_sim *s, struct wn_operator **out);
  /* Start of a case.  May be NULL. */
  void (*begin)(struct wn_operator *o);
  /* Before mobility step i of species k: its particles are where they begin it, the field is that
   * of the step.  Nothing may be changed.  May be NULL.  WN_ENOMEM, WN_ECUDA, WN_ERUN. */
  int (*before_flight)(struct wn_operator *o, struct wn_sim *s, size_t k, unsigned i);
  /* During the flight of a species whose newborns wait (struct wn_species.newborns_wait).
   * Those from place `first` on were born in this generation and have not moved; their
   * records still have the place of birth.  May be NULL.  WN_ENOMEM, WN_ECUDA. */
  int (*born)(struct wn_operator *o, struct wn_species *s, size_t first);
  /* The step of length s->interval that ends at s->time.  May be NULL.  WN_EFULL: no room in a
   * store; WN_ENOMEM, WN_ECUDA. */
  int (*apply)(struct wn_operator *o, struct wn_sim *s);
  /* Sums of a measurement to zero.  May be NULL. */
  void (*reset)(struct wn_operator *o);
  /* Weights of electrons were scaled by the factors in their population control, group by group; to_origin:
   * they are back at the origin.  May be NULL. */
  void (*scaled)(struct wn_operator *o, int to_origin);
  /* Save or restore what a later step depends on.  NULL: nothing is kept between steps. */
  int (*state)(struct wn_operator *o, struct wn_state *state);
  void (*free)(struct wn_operator *o);
};

/* Create the operators of the scenario: s->operators, s->n_operators.  Errors of
 * create. */
int wn_operators_create(struct wn_sim *s);

#endif
