/* src/run/step.c - THE STEP of all particles and the field, in the order in which it happens. */
#include "src/run/step.h"
#include "base/error.h"

/* FLY and COLLIDE: a species from t to t + dt, in mobility steps of h = dt/n, each particle by
 * itself through any number of collisions.  BIRTHS join it for the time that remains, DEATHS
 * are marked.  Weights are fixed; the tallies add up.
 *
 * n is 1, but for electrons that collide in a grid.  These gather before each mobility step,
 * where they will be in the middle of it, x + v h/2: without collisions that is
 * drift-kick-drift in a field which is that of t + dt/2 for all n of them. */
static int fly(struct wn_species *s, const struct wn_field_view *field, double t,
               double dt)
{
  const double h = dt / s->mobility_steps;
  for (unsigned i = 0; i < s->mobility_steps; i++) {
    if (i > 0) /* the first has gathered with all others */
      WN_TRY(wn_species_gather(s, field, t + i * h, h));
    WN_TRY(wn_species_advance(s, t + i * h, h));
  }
  return WN_OK;
}

/* SUBCYCLING: does a species move in this step, of those from the last restart on?  In the
 * middle of its own n, so that the field which it takes, and the charge which it is before
 * and after, are on average those of the time at which they act. */
static int moves(const struct wn_sim *s, const struct wn_species *of)
{
  return s->phases % of->subcycling == of->subcycling / 2;
}

/* One step.  On entry all x and u belong to the time t, on return to t + dt; but those of a
 * species that is subcycled to the begin of its own n steps, and from the one in the middle
 * on to their end. */
int wn_step(struct wn_sim *s, double dt)
{
  const double t = s->time;
  struct wn_species *const *species = s->species;
  struct wn_particles *p[WN_MAX_SPECIES];
  struct wn_field_view field;
  s->interval = dt;
  for (size_t k = 0; k < s->n_species; k++) {
    /* to the processors or the GPU */
    WN_TRY(wn_species_hold(species[k], t, dt * species[k]->subcycling));
    p[k] = &species[k]->p;
  }

  /* SOLVE: the field that holds from t to t + dt.  The charge is taken where it will be in
   * the middle, at x + v dt/2 (fields/electrostatic.h); counts are those at x(t) */
  if (s->field->ops->solve != NULL)
    WN_TRY(s->field->ops->solve(s->field, p, s->n_species, t, dt));
  s->field->ops->view(s->field, &field);

  /* GATHER, by those who hold E during a mobility step: at x(t), or where they will be in
   * its middle (physics/mcc_grid.h).  The others feel the same E and B everywhere, or ask
   * on their way, in the middle of each mobility step: drift, kick, drift
   * (physics/point.h) */
  for (size_t k = 0; k < s->n_species; k++)
    if (moves(s, species[k]))
      WN_TRY(wn_species_gather(species[k], &field, t,
                               dt * species[k]->subcycling / species[k]->mobility_steps));
  if (s->field->ops->leave != NULL)
    WN_TRY(s->field->ops->leave(s->field, p, s->n_species));

  /* FLY and COLLIDE, to x(t + dt), u(t + dt); a GPU begins with all of them at once */
  for (size_t k = 0; k < s->n_species; k++)
    if (moves(s, species[k]))
      WN_TRY(wn_species_launch(species[k], t, dt * species[k]->subcycling));
  for (size_t k = 0; k < s->n_species; k++)
    if (moves(s, species[k]))
      WN_TRY(fly(species[k], &field, t, dt * species[k]->subcycling));
  s->time = t + dt;
  s->phases++;

  /* OPERATORS, in the order of src/sim/operators.c: what creates, removes or changes particles
   * outside a flight.  Those that died in the step are still in the stores; what is created
   * belongs to t + dt, and has not moved */
  for (size_t i = 0; i < s->n_operators; i++)
    WN_TRY(s->operators[i]->ops->apply(s->operators[i], s));

  /* the dead leave the store; was a bound broken, the end of a table reached? */
  for (size_t k = 0; k < s->n_species; k++)
    WN_TRY(wn_species_bury(species[k]));
  return wn_sim_alarms(s);
}
