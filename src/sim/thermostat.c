/* src/sim/thermostat.c - operator: a thermostat.  Particles of a species in a region get a
 * new velocity at random times, with the mean time tau between two: those of a Maxwellian.
 * In a step of dt that happens with the probability 1 - exp(-dt/tau), which is exact for a
 * particle that stays in the region; any number of times in a step is as good as once.
 * The velocity distribution then relaxes as exp(-t/tau), as by the collision operator of
 * Bhatnagar, Gross and Krook without its conservation of momentum and energy.
 *
 * Random numbers: purpose THERMOSTAT, event: the number of the step.  The name is the id of
 * a particle that collides, and for others, which have none, what their record has at that
 * time: two with the same place and velocity, to the last bit, share their fate.  So they
 * depend on neither threads, ranks nor the order of the store. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "physics/emission.h"
#include "src/sim/operators.h"
#include "src/sim/plasma_points.h"
#include "src/sim/sim.h"

extern const struct wn_operator_ops wn_operator_thermostat;

struct bath {
  struct wn_species *species;
  size_t number;           /* of it */
  double kt_ev, mass;      /* eV, kg */
  double time;             /* s, between two new velocities of a particle */
  int32_t low[3], high[3]; /* of the region, in parts of cells; high is outside */
  uint32_t block;          /* first of two of its random numbers */
};

struct thermostat {
  struct wn_operator operator; /* the head of every operator */
  int threads;
  size_t n;
  struct bath *bath; /* [n] */
};

static struct thermostat *of(struct wn_operator *o)
{
  return (struct thermostat *)(void *)o;
}

static int is_inside(const struct bath *b, int dim, const int32_t *at)
{
  int is = 1;
  for (int d = 0; d < dim; d++)
    is &= at[d] >= b->low[d] && at[d] < b->high[d];
  return is;
}

/* A living particle of the region gets a new velocity, with that chance.  *gained: the energy
 * that it gets, times its weight, is added. */
static void warm(const struct bath *b, double chance, const struct wn_points *m,
                 uint64_t seed, uint32_t step, void *record, wn_i128 *gained)
{
  const int dim = m->grid.dim, n_v = wn_point_velocities(m->kind);
  const int has_id = wn_plasma_has_electrons(b->species);
  struct wn_electron *e = record;
  union wn_word *r = record;
  if (!is_inside(b, dim, has_id ? e->at : &r[0].i))
    return;
  const uint64_t id = has_id ? e->id : wn_point_name(r, dim + n_v);
  const struct wn_rng4 w = wn_rng(seed, id, step, WN_RNG_THERMOSTAT, b->block);
  double u[3];
  if (!(wn_u01(w.w[0]) < chance))
    return;
  wn_emission_thermal(b->kt_ev, b->mass,
                      wn_rng(seed, id, step, WN_RNG_THERMOSTAT, b->block + 1), u);
  float was[3], is[3];
  for (int d = 0; d < n_v; d++) {
    was[d] = has_id ? e->u[d] : r[dim + d].f;
    is[d] = (float)u[d];
    if (has_id)
      e->u[d] = is[d];
    else
      r[dim + d].f = is[d];
  }
  const double weight = has_id                      ? (double)e->w
                        : wn_point_weighs(dim, n_v) ? (double)r[dim + n_v].f
                                                    : 1.0;
  wn_tally_sum(
      gained, weight * (wn_point_energy_ev(m, n_v, is) - wn_point_energy_ev(m, n_v, was)),
      WN_FIX_ENERGY);
}

static int apply(struct wn_operator *o, struct wn_sim *s)
{
  const struct thermostat *t = of(o);
  const uint32_t step = (uint32_t)s->n_steps;
  const uint64_t seed = s->c->seed;
  for (size_t i = 0; i < t->n; i++) {
    const struct bath *b = &t->bath[i];
    const double chance = -expm1(-s->interval / b->time);
    const struct wn_points *m = wn_plasma_points(b->species);
    struct wn_particles *p = &b->species->p;
    const size_t n = p->n;
    wn_i128 gained = 0;
    WN_TRY(wn_particles_host(p));
#ifdef _OPENMP
#pragma omp parallel num_threads(t->threads)
#endif
    {
      wn_i128 here = 0;
#ifdef _OPENMP
#pragma omp for schedule(static)
#endif
      for (size_t k = 0; k < n; k++)
        if (!wn_particles_is_dead(p, k))
          warm(b, chance, m, seed, step, wn_particles_at(p, k), &here);
#ifdef _OPENMP
#pragma omp critical
#endif
      gained += here;
    }
    wn_particles_touched(p);
    wn_energy_changed_by(s, WN_ENERGY_THERMOSTATS, b->number, gained);
  }
  return WN_OK;
}

static void destroy(struct wn_operator *o)
{
  free(of(o)->bath);
  free(o);
}

static struct bath bath_of(const struct wn_sim *s, size_t i)
{
  const struct wn_config *c = s->c;
  const struct wn_cfg_thermostat *t = &c->plasma.thermostats[i];
  const size_t k = (size_t)wn_config_species_or_only(c, t->species);
  const struct wn_points *m = wn_plasma_points(s->species[k]);
  struct bath b = {.species = s->species[k],
                   .number = k,
                   .kt_ev = t->temperature_ev,
                   .mass = c->species[k].mass,
                   .time = t->time,
                   .block = 2 * (uint32_t)i};
  for (int d = 0; d < c->plasma.dim; d++) {
    const double parts = (double)m->end[d] / c->plasma.length[d];
    b.low[d] = t->low[d] == WN_AUTO ? 0 : (int32_t)ceil(t->low[d] * parts);
    b.high[d] = t->high[d] == WN_AUTO || t->high[d] * parts > (double)m->end[d]
                    ? m->end[d] + 1 /* the wall, too */
                    : (int32_t)ceil(t->high[d] * parts);
  }
  return b;
}

static int create(struct wn_sim *s, struct wn_operator **out)
{
  const struct wn_config *c = s->c;
  const size_t n = c->model == WN_MODEL_PLASMA ? c->plasma.n_thermostats : 0;
  if (n == 0)
    return WN_OK;
  struct thermostat *t = wn_alloc(1, sizeof *t);
  if (t == NULL)
    return WN_ENOMEM;
  t->operator.ops = & wn_operator_thermostat;
  t->bath = wn_alloc(n, sizeof *t->bath);
  if (t->bath == NULL) {
    free(t);
    return WN_ENOMEM;
  }
  t->threads = wn_threads(c->threads);
  for (t->n = 0; t->n < n; t->n++)
    t->bath[t->n] = bath_of(s, t->n);
  *out = &t->operator;
  return WN_OK;
}

const struct wn_operator_ops wn_operator_thermostat = {
    .create = create,
    .apply = apply,
    .free = destroy,
};
