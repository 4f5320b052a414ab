/* src/run/forecast_plasma.c - the time of a step of model plasma: see forecast.h. */
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "fields/electrostatic.h"
#include "particles/load_balance.h"
#include "src/config/plasma_derived.h"
#include "src/config/plasma_limits.h"
#include "src/config/source_numbers.h"
#include "src/jobs/job.h"
#include "src/run/forecast.h"
#include "src/run/run.h"
#include "src/run/step.h"
#include "src/sim/plasma.h"

#define WARM            2   /* steps before the timing starts */
#define STEPS           40  /* timed steps at most, */
#define ENOUGH_OF_STEPS 0.4 /* and s after which the timing ends */

/* Moving particles of a simulation. */
static double moving(const struct wn_sim *s)
{
  double n = 0.0;
  for (size_t k = 0; k < s->n_species; k++)
    if (!s->species[k]->is_fixed)
      n += (double)wn_particles_all(&s->species[k]->p);
  return n;
}

/* Computes what a row of integrals needs from particles and field (src/diag/integrals.c). */
static int sum_up(struct wn_sim *s)
{
  struct wn_plasma_sums of[WN_MAX_SPECIES];
  struct wn_field_sums field;
  WN_TRY(wn_plasma_all_sums(s, of));
  return wn_field_sums(s->field, &field);
}

/* Particles a cell in a trial: `part` of the scenario's, but at least FEW_OF_CELL where
 * there are as many; a whole number. */
#define FEW_OF_CELL 4
static size_t of_cell(size_t per_cell, double part)
{
  const double least = per_cell < FEW_OF_CELL ? (double)per_cell : FEW_OF_CELL;
  return (size_t)fmax(least, floor(part * (double)per_cell));
}

/* A species that sources alone bring is loaded in a trial, as many as there will be. */
static void supply(const struct wn_config *c, size_t k, struct wn_cfg_species *s)
{
  const double n = wn_source_residents(c, &c->species[k]);
  const struct wn_geometry g = wn_plasma_geometry(c);
  double cells = 1.0;
  if (!(n > 0.0) || s->density > 0.0 || !s->mobile)
    return;
  for (int d = 0; d < c->plasma.dim; d++)
    cells *= (double)c->plasma.cells[d];
  s->profile = WN_PROFILE_UNIFORM;
  s->per_cell = (size_t)fmax(1.0, n / cells);
  s->density =
      wn_loading_weight(c, &c->species[k]) * (double)s->per_cell / wn_geometry_cell(&g);
}

/* A trial: s of a step, particles, and s that the simulation and the release took. */
struct timing {
  double step, n, create, release;
  double loaded; /* of n, those that are in no file */
};

/* Steps with `part` of the particles a cell, or a quarter of these.  The shortest of this trial and those
 * before it, as other programs disturb the timing. */
static int time_steps(const struct wn_config *c, const struct wn_gas *gas,
                      const struct wn_device_plan *plan, double part, int quarter,
                      struct timing *t)
{
  const double begun = wn_clock_now();
  struct wn_config few = *c;
  struct wn_sim *s = NULL;
  few.species = wn_alloc(c->n_species, sizeof *few.species);
  if (few.species == NULL)
    return WN_ENOMEM;
  t->loaded = 0.0;
  for (size_t k = 0; k < c->n_species; k++)
    few.species[k] = c->species[k];
  for (size_t k = 0; k < c->n_species; k++) {
    struct wn_cfg_species *of = &few.species[k];
    supply(c, k, of);
    const size_t some = of_cell(of->per_cell, part);
    of->per_cell = !quarter ? some : some > 4 ? some / 4 : 1;
  }
  for (size_t k = 0; k < c->n_species; k++)
    if (few.species[k].mobile && few.species[k].profile != WN_PROFILE_FILE)
      t->loaded += wn_plasma_particles(&few, &few.species[k]);
  int status = wn_sim_create(&few, gas, &wn_job_of(c)->needs, plan, &s);
  const double created = wn_clock_now();
  if (status == WN_OK)
    status = wn_sim_begin(s, 0);
  if (status == WN_OK)
    t->n = moving(s);
  const double first = wn_clock_now(),
               every = c->plasma.integrals_interval == WN_AUTO
                           ? 1.0
                           : (double)wn_plasma_every(c, c->plasma.integrals_interval);
  double step = INFINITY, sums = INFINITY;
  for (int i = 0; i < STEPS && status == WN_OK; i++) {
    const double begin = wn_clock_now();
    status = wn_step(s, c->plasma.time_step);
    const double then = wn_clock_now();
    if (status == WN_OK)
      status = sum_up(s);
    if (i < WARM)
      continue;
    step = fmin(step, then - begin);
    sums = fmin(sums, wn_clock_now() - then);
    if (wn_clock_now() - first > ENOUGH_OF_STEPS)
      break;
  }
  t->create = fmax(t->create, created - begun); /* the first alone starts a device */
  t->release = fmin(t->release, first - created);
  t->step = fmin(t->step, step + sums / every);
  wn_sim_free(s);
  free(few.species);
  return status;
}

int wn_forecast_plasma(const struct wn_config *c, const struct wn_gas *gas,
                       const struct wn_device_plan *plan, double most,
                       struct wn_plasma_cost *out)
{
  const double all = wn_plasma_moving(c);
  struct timing of[2] = {{.step = INFINITY, .release = INFINITY},
                         {.step = INFINITY, .release = INFINITY}};
  const double part = all > most ? most / all : 1.0;
  for (int i = 0; i < 4; i++)
    WN_TRY(time_steps(c, gas, plan, part, i % 2, &of[i % 2]));
  const double t0 = of[0].step, n0 = of[0].n, t1 = of[1].step, n1 = of[1].n;
  /* neither is negative, and their sum is the measured time */
  out->particle = n0 > n1 ? fmin(fmax(0.0, (t0 - t1) / (n0 - n1)), t0 / n0) : 0.0;
  out->grid = fmax(0.0, t0 - out->particle * n0); /* rounding */
  const double more = of[0].release - of[1].release;
  out->release = n0 > n1 ? fmin(fmax(0.0, more / (n0 - n1)), of[0].release / n0) : 0.0;
  out->create = of[0].create + of[0].release - out->release * n0;
  out->n =
      all + fmax(0.0, n0 - of[0].loaded); /* particles from files are loaded in full */
  return WN_OK;
}
