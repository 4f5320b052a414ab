/* src/sim/species.h - one species of a run: its particles, what one of them does (model), who
 * advances them (scheduler), what they add up (tally), how many are wanted (population).
 * Made once a run; every case begins it anew.
 *
 * A step calls, in this order (src/run/run.c): hold, then gather and advance for each mobility
 * step, bury. */
#ifndef WN_SRC_SIM_SPECIES_H
#define WN_SRC_SIM_SPECIES_H
#include <stddef.h>
#include <stdint.h>
#include "base/state.h"
#include "particles/ensemble.h"
#include "particles/order.h"
#include "particles/particles.h"
#include "particles/population.h"
#include "particles/tally.h"
#include "physics/mcc.h"
#include "schedulers/scheduler.h"

struct wn_operator; /* src/sim/operators.h */

struct wn_species {
  struct wn_model model;
  const struct wn_scheduler_ops *ops;
  struct wn_scheduler *sched;
  struct wn_tally_shape shape;
  struct wn_tally tally;  /* of the phases since the last reset */
  struct wn_tally before; /* the same at the beginning of the phase in hand */
  struct wn_tally here; /* on several ranks: of this one, in the mobility step in hand */
  struct wn_particles p;
  struct wn_population population;
  struct wn_ensemble *ensemble; /* controls in its place; NULL: it does */
  size_t n_before; /* particles of all ranks at the beginning of the phase in hand */
  int is_fixed;    /* it does not move: hold and gather are all that is done */
  int in_slabs;    /* who has which of several ranks is the field's choice */
  /* Phases that a step is made of, with the field taken anew for each: 1, but of electrons
   * that collide in a grid.  Their newborns wait until all others have flown */
  unsigned mobility_steps;
  /* Steps in one of its own, in which it moves for all of them: 1, but of ions that collide
   * in a grid */
  unsigned subcycling;
  /* Points on the host are sorted by their cells before they fly in every WN_ORDER_EVERY-th
   * step, the first included; NULL: they are not.  steps: since they were */
  struct wn_order *order;
  unsigned steps;
  /* Newborns take no part in the flight in which they are born: operators see them first
   * (wn_operator_ops.born), and they fly in the next generation, in the order of their ids */
  int newborns_wait;
  struct wn_operator *const *operators; /* those of the simulation, n_operators */
  const size_t *n_operators;
  int is_full;               /* the last phase was not finished: see wn_species_advance */
  uint64_t candidates, real; /* since the case began, unweighted */
  double max_energy_ev;
  /* Energies in WN_FIX_ENERGY: of the living when they were last added up, and what phases
   * have changed it by from the last reset of the tally until then, population control left
   * out.  To add them up takes a pass over all, so it is done before and after weights
   * change, and where somebody asks (wn_species_carried). */
  wn_i128 energy, carried;
  int is_reset;   /* and they were not added up since */
  int is_current; /* they are those of the last finished phase */
  /* Nobody asks for these two, from the last reset until the next: they stay what they are,
   * and the store is not read */
  int no_energy;
};

struct wn_species_spec {
  const struct wn_model_ops *model;
  const struct wn_scheduler_ops *ops;
  struct wn_scheduler_options options;
  struct wn_tally_shape shape;
  const struct wn_record *record; /* NULL: that of the model */
  size_t capacity, limit;         /* particles: at first, at the most */
};

/* The data of the model is all zero, for the caller to fill.  WN_ENOMEM; WN_EINPUT and
 * WN_ECUDA of the scheduler's create. */
int wn_species_create(const struct wn_species_spec *spec, struct wn_species **out);
void wn_species_free(struct wn_species *s);

/* Between phases: another scheduler advances it from now on.  The errors of its create;
 * the species then keeps the one it has. */
int wn_species_use(struct wn_species *s, const struct wn_scheduler_ops *ops,
                   const struct wn_scheduler_options *options);

/* A case begins: no particles, all sums and counts zero. */
void wn_species_begin(struct wn_species *s);

/* The data of a model, which must be the one named. */
struct wn_mcc *wn_species_mcc(const struct wn_species *s);

/* For the step from t to t + dt [s]: bring the particles where the scheduler works; what
 * follows may then be taken back. */
int wn_species_hold(struct wn_species *s, double t, double dt);
/* The phase from t to t + dt, a mobility step: what the particles feel of the field, each at
 * its place. */
int wn_species_gather(struct wn_species *s, const struct wn_field_view *field, double t,
                      double dt);
/* What follows may begin here, and nobody waits for it: so all species are on their way on a
 * GPU before the first is waited for.  Its errors. */
int wn_species_launch(struct wn_species *s, double t, double dt);
/* Fly, collide, be born: every particle to t + dt or to its death.  Adds to s->tally.
 * WN_EFULL (of hold and gather too): they no longer fit into the store or the memory.
 * Sums, counts and energies are then what they were before the phase, and s->is_full is
 * set: of the particles some are ahead of others, so that only their number n_before is
 * known.  Newborns that wait fly in the order of their ids, so that the order of the store
 * is that of every scheduler. */
int wn_species_advance(struct wn_species *s, double t, double dt);
/* Where the step in hand adds up; and, when somebody but advance has, all ranks' of it to
 * s->tally. */
struct wn_tally *wn_species_sums(struct wn_species *s);
int wn_species_bring_together(struct wn_species *s);
/* The dead leave the store; energies of the living.  WN_ECUDA and WN_ENOMEM where a GPU
 * holds them; so do refresh and what follows. */
int wn_species_bury(struct wn_species *s);

/* Before first passages are read: those of all ranks. */
void wn_species_join_passages(struct wn_species *s);
/* Sums to zero: a measurement begins. */
void wn_species_reset(struct wn_species *s);
/* Add the energies up anew after weights were changed. */
int wn_species_refresh(struct wn_species *s);
/* Between phases, eV: weighted sum over the living; and its change by phases, not by
 * population control, since the last reset.  After WN_EFULL the second is that until the
 * beginning of the phase that was not finished, or NAN where nobody asked then. */
int wn_species_energy(struct wn_species *s, double *energy_ev);
int wn_species_carried(struct wn_species *s, double *carried_ev);

/* n particles join at the end of a step, gpu: where they are held, NULL: on the host.  Their
 * energy is no change by phases.  WN_EFULL, WN_ENOMEM, WN_ECUDA; the same on all ranks. */
int wn_species_append(struct wn_species *s, struct wn_gpu *gpu, const void *records,
                      size_t n);

/* Weights and numbers: particles/population.h, and the energy after it.  weight: the sum
 * of a group's.  WN_ERUN: weights have grown beyond WN_MAX_WEIGHT; WN_EFULL: no room for
 * copies, of which none was made. */
int wn_species_control(struct wn_species *s);
int wn_species_normalise(struct wn_species *s, double weight);
int wn_species_restart(struct wn_species *s, double weight);
/* All weights half, or twice, of what they are, of a weighted ensemble. */
int wn_species_halve(struct wn_species *s);
int wn_species_double(struct wn_species *s);

/* Save or restore what the next phase depends on, but for the data of the model, which
 * the scenario gives.  Errors: base/state.h. */
int wn_species_state(struct wn_species *s, struct wn_state *state);

#endif
