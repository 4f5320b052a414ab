/* src/run/step.c - THE STEP of all particles and the field, in the order of execution. */
#include "src/run/step.h"
#include "base/error.h"
#include "src/sim/plasma.h"

/* Operators that measure what a mobility step does, before it. */
static int before_flight(struct wn_sim *s, size_t k, unsigned i)
{
  for (size_t o = 0; o < s->n_operators; o++)
    if (s->operators[o]->ops->before_flight != NULL)
      WN_TRY(s->operators[o]->ops->before_flight(s->operators[o], s, k, i));
  return WN_OK;
}

/* FLY and COLLIDE: a species from t to t + dt, in mobility steps of h = dt/n, each
 * particle independently through any number of collisions.  BIRTHS join it for the
 * remaining time, DEATHS are marked.  Weights are fixed; the tallies accumulate.
 *
 * n is 1, except for electrons that collide in a grid.  They gather before each mobility
 * step, at its middle, x + v h/2.  Without collisions that is drift-kick-drift in a field
 * which is that of t + dt/2 for all n mobility steps. */
static int fly(struct wn_sim *sim, size_t k, const struct wn_field_view *field, double t,
               double dt)
{
  struct wn_species *s = sim->species[k];
  const double h = dt / s->mobility_steps;
  for (unsigned i = 0; i < s->mobility_steps; i++) {
    if (i > 0) { /* the first was gathered with the other species */
      WN_TRY(wn_species_gather(s, field, t + i * h, h));
      WN_TRY(before_flight(sim, k, i));
    }
    WN_TRY(wn_species_advance(s, t + i * h, h));
  }
  return WN_OK;
}

/* SUBCYCLING: whether a species moves in this step.  It moves once in n steps, counted
 * from the last restart, at their middle.  So the field that acts on it, and its charge
 * before and after, belong on average to the time at which they act. */
static int moves(const struct wn_sim *s, const struct wn_species *of)
{
  return s->n_steps % of->subcycling == of->subcycling / 2;
}

/* One step.  On entry all x and u belong to the time t, on return to t + dt.  Those of a
 * subcycled species belong to the start of its own n steps and, from the middle one on,
 * to their end. */
int wn_step(struct wn_sim *s, double dt)
{
  const double t = s->time;
  struct wn_species *const *species = s->species;
  struct wn_particles *p[WN_MAX_SPECIES];
  struct wn_field_view field;
  s->interval = dt;
  for (size_t k = 0; k < s->n_species; k++) {
    /* to the host or the GPU */
    WN_TRY(wn_species_hold(species[k], t, dt * species[k]->subcycling));
    p[k] = &species[k]->p;
  }

  /* SOLVE: the field that holds from t to t + dt.  The charge is deposited at the middle
   * of the step, at x + v dt/2 (fields/electrostatic.h); counts are those at x(t).  The
   * charge of walls in a circuit is that of the middle, too (fields/circuit.h) */
  wn_plasma_tell_walls(s);
  if (s->field->ops->solve != NULL)
    WN_TRY(s->field->ops->solve(s->field, p, s->n_species, t, dt));
  s->field->ops->view(s->field, &field);

  /* GATHER, for models that store E for a mobility step: at x(t), or at the middle of the
   * mobility step (physics/mcc_grid.h).  For other models E and B are uniform, or they
   * gather during the flight, at the middle of each mobility step: drift, kick, drift
   * (physics/mover.h) */
  for (size_t k = 0; k < s->n_species; k++)
    if (moves(s, species[k]))
      WN_TRY(wn_species_gather(species[k], &field, t,
                               dt * species[k]->subcycling / species[k]->mobility_steps));
  if (s->field->ops->leave != NULL)
    WN_TRY(s->field->ops->leave(s->field, p, s->n_species));

  for (size_t k = 0; k < s->n_species; k++)
    if (moves(s, species[k]))
      WN_TRY(before_flight(s, k, 0));

  /* FLY and COLLIDE, to x(t + dt), u(t + dt); a GPU launches all species first */
  for (size_t k = 0; k < s->n_species; k++)
    if (moves(s, species[k]))
      WN_TRY(wn_species_launch(species[k], t, dt * species[k]->subcycling));
  for (size_t k = 0; k < s->n_species; k++)
    if (moves(s, species[k]))
      WN_TRY(fly(s, k, &field, t, dt * species[k]->subcycling));
  s->n_steps++;
  wn_step_clock_advance(&s->adaptive.clock);
  s->time = s->adaptive.clock.levels > 0
                ? wn_step_clock_count(&s->adaptive.clock) * s->c->plasma.time_step
                : t + dt;

  /* OPERATORS, in the order of src/sim/operators.c: they create, remove or change
   * particles outside a flight.  Particles that died in the step are still in the stores;
   * created ones belong to t + dt, and have not moved */
  for (size_t i = 0; i < s->n_operators; i++)
    if (s->operators[i]->ops->apply != NULL)
      WN_TRY(s->operators[i]->ops->apply(s->operators[i], s));
  if (s->n_operators > 0)
    wn_energy_changes_settle(&s->energy_changes);

  /* dead particles leave the store; check bounds and ends of tables */
  for (size_t k = 0; k < s->n_species; k++)
    WN_TRY(wn_species_remove_dead(species[k]));
  return wn_sim_alarms(s);
}
