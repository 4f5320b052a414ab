/* src/sim/species.h - one species of a run: its particles, the model of one of them, the
 * scheduler that advances them, their tally, their target number (population).
 * Created once per run; every case begins it anew.
 *
 * A step calls, in this order (src/run/step.c): hold, then gather and advance for each
 * mobility step, bury. */
#ifndef WN_SRC_SIM_SPECIES_H
#define WN_SRC_SIM_SPECIES_H
#include <stddef.h>
#include <stdint.h>
#include "base/state.h"
#include "particles/weighted_ensemble.h"
#include "particles/sort.h"
#include "particles/particles.h"
#include "particles/population_control.h"
#include "particles/tally.h"
#include "physics/mcc.h"
#include "schedulers/scheduler.h"

struct wn_operator; /* src/sim/operators.h */

struct wn_species {
  struct wn_model model;
  const struct wn_scheduler_ops *ops;
  struct wn_scheduler *sched;
  struct wn_tally_shape shape;
  struct wn_tally tally;  /* of the steps since the last reset */
  struct wn_tally before; /* the same at the beginning of the current step */
  struct wn_tally here; /* on several ranks: of this rank, in the current mobility step */
  struct wn_particles p;
  struct wn_population population;
  struct wn_ensemble *ensemble; /* replaces population; NULL: not used */
  size_t n_before; /* particles of all ranks at the beginning of the current step */
  int is_fixed;    /* it does not move: only hold and gather are called */
  int in_slabs;    /* the field assigns its particles to ranks */
  /* Steps of a step, with the field gathered anew for each: 1, except for electrons that
   * collide in a grid.  Their newborns wait until all others have flown */
  unsigned mobility_steps;
  /* Steps of the run per step of the species, in which it moves once: 1, except for ions
   * that collide in a grid */
  unsigned subcycling;
  /* Points on the host are sorted by their cells before they fly in every
   * WN_SORT_EVERY-th step, the first included; NULL: not sorted.  steps: since the last
   * sort */
  struct wn_sort *order;
  unsigned steps;
  /* Newborns do not move in the flight in which they are born: operators handle them
   * first (wn_operator_ops.born), and they fly in the next generation, in the order of
   * their ids */
  int newborns_wait;
  struct wn_operator *const *operators; /* those of the simulation, n_operators */
  const size_t *n_operators;
  int is_full;               /* the last step was not finished: see wn_species_advance */
  uint64_t candidates, real; /* since the case began, unweighted */
  double max_energy_ev;
  /* Energies in WN_FIX_ENERGY: of living particles when they were last summed; and their
   * change by steps from the last reset of the tally until then, without population
   * control.  A sum takes a pass over all particles, so it is made before and after
   * weights change, and on request (wn_species_carried). */
  wn_i128 energy, carried;
  int is_reset;   /* and they were not summed since */
  int is_current; /* they are those of the last finished step */
  /* These two are not needed from the last reset until the next: they are unchanged, and
   * the store is not read */
  int no_energy;
};

struct wn_species_spec {
  const struct wn_model_ops *model;
  const struct wn_scheduler_ops *ops;
  struct wn_scheduler_options options;
  struct wn_tally_shape shape;
  const struct wn_record *record; /* NULL: that of the model */
  size_t capacity, limit;         /* particles: initially, at most */
};

/* The data of the model is all zero, for the caller to fill.  WN_ENOMEM; WN_EINPUT and
 * WN_ECUDA of the scheduler's create. */
int wn_species_create(const struct wn_species_spec *spec, struct wn_species **out);
void wn_species_free(struct wn_species *s);

/* Between steps: replace its scheduler.  The errors of the scheduler's create; the
 * species then keeps its present one. */
int wn_species_use(struct wn_species *s, const struct wn_scheduler_ops *ops,
                   const struct wn_scheduler_options *options);

/* Start of a case: no particles, all sums and counts zero. */
void wn_species_begin(struct wn_species *s);

/* The data of a model, which must be the one named. */
struct wn_mcc *wn_species_mcc(const struct wn_species *s);

/* For the step from t to t + dt [s]: bring the particles to the device of the scheduler;
 * the calls after it may then be undone. */
int wn_species_hold(struct wn_species *s, double t, double dt);
/* A step of the species from t to t + dt, a mobility step of the run: gather the field at each
 * particle. */
int wn_species_gather(struct wn_species *s, const struct wn_field_view *field, double t,
                      double dt);
/* Starts the advance without a wait: on a GPU all species are launched before the first
 * wait.  Errors of advance. */
int wn_species_launch(struct wn_species *s, double t, double dt);
/* Fly, collide, be born: every particle to t + dt or to its death.  Adds to s->tally.
 * WN_EFULL (of hold and gather, too): particles no longer fit into the store or the
 * memory.  Sums, counts and energies are then those before the step, and s->is_full is
 * set: the particles are at different times, so that only their number n_before is known.
 * Newborns that wait fly in the order of their ids, so that the order of the store is the
 * same for every scheduler. */
int wn_species_advance(struct wn_species *s, double t, double dt);
/* The tally of the current step on this rank.  After additions to it other than by
 * advance: the sum over all ranks is added to s->tally. */
struct wn_tally *wn_species_sums(struct wn_species *s);
int wn_species_bring_together(struct wn_species *s);
/* Remove dead particles from the store; sum the energies of living ones.  WN_ECUDA and
 * WN_ENOMEM where a GPU holds them; the same for refresh and the calls below. */
int wn_species_remove_dead(struct wn_species *s);

/* Before first passages are read: combine those of all ranks. */
void wn_species_join_passages(struct wn_species *s);
/* Sums to zero: start of a measurement. */
void wn_species_reset(struct wn_species *s);
/* Sum the energies again after weights were changed. */
int wn_species_refresh(struct wn_species *s);
/* Between steps, eV: weighted sum over living particles; and its change by steps, not
 * by population control, since the last reset.  After WN_EFULL the second is that until
 * the beginning of the step that was not finished, or NAN where it was not summed
 * then. */
int wn_species_energy(struct wn_species *s, double *energy_ev);
int wn_species_carried(struct wn_species *s, double *carried_ev);

/* Append n particles at the end of a step, gpu: their device, NULL: the host.  Their
 * energy is no change by steps.  WN_EFULL, WN_ENOMEM, WN_ECUDA; the same on all
 * ranks. */
int wn_species_append(struct wn_species *s, struct wn_gpu *gpu, const void *records,
                      size_t n);

/* Weights and numbers: particles/population_control.h, and the energy after it.  weight: the sum
 * for a group.  WN_ERUN: weights have grown beyond WN_MAX_WEIGHT; WN_EFULL: no room for
 * copies, of which none was made. */
int wn_species_control(struct wn_species *s);
int wn_species_normalise(struct wn_species *s, double weight);
int wn_species_restart(struct wn_species *s, double weight);
/* Halve, or double, all weights of a weighted ensemble. */
int wn_species_halve(struct wn_species *s);
int wn_species_double(struct wn_species *s);

/* Save or restore the state on which the next step depends, except the data of the
 * model, which the scenario gives.  Errors: base/state.h. */
int wn_species_state(struct wn_species *s, struct wn_state *state);

#endif
