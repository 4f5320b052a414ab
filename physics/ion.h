/* physics/ion.h - model `ion`: one ion through gases of thermal atoms, by the
 * null-collision method (Skullerud 1968).  Candidates come at the constant rate nu_max.
 * Between them the acceleration is constant and the flight exact, x += v t + a t^2/2.  At
 * a candidate an atom is drawn from the Maxwellian of its gas; then the collision happens
 * with the probability N sigma(g) g/nu_max of the relative speed g.  This order gives
 * approaching and receding atoms the correct collision frequencies.  Any number of
 * collisions in a mobility step.
 *
 * Collisions are elastic and not relativistic.  With G = |g|, M the mass of the atom and
 * d the direction of the relative velocity after the collision, the ion of mass m goes
 * from v to v + M/(m + M) (G d - g); the atom takes the rest.
 *   isotropic    d uniform on the sphere
 *   backscatter  d = -g/G.  For equal masses the ion leaves with the velocity of the atom:
 *                resonant charge exchange
 *
 * The record is struct wn_electron (physics/electron.h) with u = v, in a swarm or in a
 * grid (physics/mcc_grid.h).  The functions here move struct wn_ion_reg.  The caller
 * stores the place, supplies the acceleration and adds `moved` to the place.
 *
 * Random numbers: purpose ION_EVENT, an event is a candidate.  Block 0: choice, next
 * flight, direction (two words); block 1: velocity of the atom; block 2: flight to the
 * first candidate of an ion whose first event this is. */
#ifndef WN_PHYSICS_ION_H
#define WN_PHYSICS_ION_H
#include <math.h>
#include "physics/constants.h"
#include "physics/electron.h"
#include "physics/host_device.h"
#include "physics/ion_view.h"
#include "physics/mathfn.h"
#include "physics/mcc_grid.h"
#include "physics/rng.h"
#include "physics/single_precision.h"
#include "physics/tally.h"

/* Constants of all ions in a step. */
struct wn_ion {
  struct wn_ion_view xs;
  struct wn_rng_key key; /* wn_rng_key(seed) */
  double charge, mass;   /* C, kg */
  int32_t n_groups;
  /* Whether places, forces and sides are those of a grid; then each mobility step is a
   * step of its own, and a is unused */
  int32_t in_grid;
  double dt;                   /* mobility step, s */
  double step;                 /* step, s: dt times the mobility steps */
  double per_step, per_length; /* 1/step; 1/(c step), 1/m */
  float a[3];                  /* acceleration in a uniform field, m/s2 */
  float inv_nu;                /* 1/nu_max, s; 0: no collisions */
  float energy_ev;             /* energy of 1 (m/s)^2: m/(2 e) */
  struct wn_mcc_grid grid;
};

/* Constants that follow from xs, charge and mass, which are set. */
static WN_HD void wn_ion_prepare(struct wn_ion *m)
{
  m->inv_nu = m->xs.nu_max > 0.0 ? (float)(1.0 / m->xs.nu_max) : 0.0f;
  m->energy_ev = (float)(0.5 * m->mass / WN_E);
}

/* Step of `step` seconds in `steps` mobility steps. */
static WN_HD void wn_ion_set_step(struct wn_ion *m, double step, double steps)
{
  m->step = step;
  m->per_step = 1.0 / step;
  m->per_length = 1.0 / (WN_C * step);
  m->dt = step / steps;
}

/* Time of flight to the next candidate, s.  _at: at 1/nu_max [s], 0: no collisions. */
static WN_HD float wn_ion_flight_at(float inv_nu, uint32_t word)
{
  return inv_nu > 0.0f ? wn_exponential_f(word) * inv_nu : INFINITY;
}

static WN_HD float wn_ion_flight(const struct wn_ion *m, uint32_t word)
{
  return wn_ion_flight_at(m->inv_nu, word);
}

/* t_next of a new ion; its id and event are known.  _at: without the rest of its model. */
static WN_HD float wn_ion_first_flight_at(const struct wn_rng_key *key, float inv_nu,
                                          uint64_t id, uint32_t event)
{
  const struct wn_rng4 w =
      wn_rng_with(key, id, event, WN_RNG_ION_EVENT, WN_RNG_BLOCK_FIRST);
  return wn_ion_flight_at(inv_nu, w.w[0]);
}

static WN_HD float wn_ion_first_flight(const struct wn_ion *m, uint64_t id,
                                       uint32_t event)
{
  return wn_ion_first_flight_at(&m->key, m->inv_nu, id, event);
}

/* The ion that electron e leaves behind where it was born, or attached: with the weight
 * of e in quanta, a thermal velocity of the gas, and the id of e.  No other ion has that
 * id, as an electron is born once, or attached once; the random numbers of ions and
 * electrons differ by their purpose. */
static WN_HD void wn_ion_left_by(const struct wn_ion *m, const struct wn_electron *e,
                                 uint64_t seed, double sigma, struct wn_electron *ion)
{
  for (int d = 0; d < 3; d++) {
    ion->at[d] = e->at[d];
    ion->a[d] = 0.0f;
  }
  wn_mcc_grid_thermal(e, seed, sigma, ion->u);
  ion->w = e->w;
  ion->id = e->id;
  ion->event = 0;
  ion->tag = 0;
  ion->t_left = 0.0f;
  ion->t_next = wn_ion_first_flight(m, e->id, 0);
}

/* An ion in registers during a mobility step; all members at the same time. */
struct wn_ion_reg {
  float moved[3]; /* m, since the step began */
  float v[3], a[3];
  float left, next; /* s: rest of this mobility step; time to the next candidate */
  float energy;     /* eV, of v */
  float gained;     /* eV, from the field */
  float energy_sum; /* eV, sum over candidates */
  uint32_t n_candidates, n_real;
};

static WN_HD float wn_ion_energy(const struct wn_ion *m, const float v[3])
{
  return wn_dot_f(v, v) * m->energy_ev;
}

/* Whole mobility steps of t_left after the present one; below: the rest of the present
 * one, s. */
static WN_HD double wn_ion_steps_after(float t_left)
{
  return ceil((double)t_left) - 1.0;
}

static WN_HD double wn_ion_left(const struct wn_ion *m, float t_left)
{
  return ((double)t_left - wn_ion_steps_after(t_left)) * m->dt;
}

/* Start of a mobility step: e has t_left > 0; a [3]: its acceleration. */
static WN_HD void wn_ion_load(const struct wn_ion *m, const struct wn_electron *e,
                              const float a[3], struct wn_ion_reg *r)
{
  for (int i = 0; i < 3; i++) {
    r->moved[i] = 0.0f;
    r->v[i] = e->u[i];
    r->a[i] = a[i];
  }
  r->left = (float)wn_ion_left(m, e->t_left);
  r->next = e->t_next;
  r->energy = wn_ion_energy(m, r->v);
  r->gained = r->energy_sum = 0.0f;
  r->n_candidates = r->n_real = 0;
}

/* Fly for dt seconds. */
static WN_HD void wn_ion_fly(const struct wn_ion *m, struct wn_ion_reg *r, float dt)
{
  const float half = 0.5f * dt, before = r->energy;
  for (int i = 0; i < 3; i++) {
    r->moved[i] = wn_fma(dt, wn_fma(half, r->a[i], r->v[i]), r->moved[i]);
    r->v[i] = wn_fma(dt, r->a[i], r->v[i]);
  }
  r->energy = wn_ion_energy(m, r->v);
  r->gained += r->energy - before;
  r->left -= dt;
  r->next -= dt;
}

/* Velocity of an atom: Box and Muller in single precision, each component below 5.8
 * sigma. */
static WN_HD void wn_ion_target(float sigma, const struct wn_rng4 *w, float v[3])
{
  const float a = sigma * sqrtf(2.0f * wn_exponential_f(w->w[0])),
              b = sigma * sqrtf(2.0f * wn_exponential_f(w->w[2]));
  float sine, cosine;
  wn_sincos_word_f(w->w[1], &sine, &cosine);
  v[0] = a * cosine;
  v[1] = a * sine;
  wn_sincos_word_f(w->w[3], &sine, &cosine);
  v[2] = b * cosine;
}

/* The velocity after a collision, from v and g = v - velocity of the atom.  part: M/(m +
 * M); polar and azimuth: random words. */
static WN_HD void wn_ion_scatter(int kind, float part, const float g[3], float speed,
                                 uint32_t polar, uint32_t azimuth, float v[3])
{
  float d[3], sine, cosine;
  if (kind == WN_ION_BACKSCATTER) {
    for (int i = 0; i < 3; i++)
      v[i] = wn_fma(-2.0f * part, g[i], v[i]);
    return;
  }
  wn_sincos_word_f(azimuth, &sine, &cosine);
  wn_angle_isotropic_f(d, polar, sine, cosine);
  for (int i = 0; i < 3; i++)
    v[i] = wn_fma(part, wn_fma(speed, d[i], -g[i]), v[i]);
}

/* Uniform in [0, 1] in steps of 2^-31; near 0 finer than a float near 1. */
static WN_HD float wn_ion_uniform(uint32_t word)
{
  return (float)(int32_t)(word >> 1) * 0x1p-31f;
}

/* The gas that the word selects.  *pick: the remainder, in [0, share of the gas). */
static WN_HD int32_t wn_ion_choose_gas(const struct wn_ion_view *xs, float *pick)
{
  int32_t g = 0;
  while (g < xs->n_gases - 1 && *pick >= xs->gas[g].upto)
    g++;
  *pick = g > 0 ? *pick - xs->gas[g - 1].upto : *pick;
  return g;
}

/* The process of a gas that happens at relative energy e_ev; -1: none.  All are summed,
 * so that an excess over the bound is detected. */
static WN_HD int32_t wn_ion_choose(const struct wn_ion_view *xs,
                                   const struct wn_ion_gas_view *gas, float e_ev,
                                   float pick, uint64_t id, struct wn_tally *t)
{
  float above, sum = 0.0f;
  const struct wn_xs_line *row =
      xs->row + (int64_t)wn_ion_bin(xs, e_ev, &above) * xs->n_processes;
  int32_t chosen = -1;
  for (int32_t k = gas->first; k < gas->end; k++) {
    sum += wn_fma(row[k].slope, above, row[k].at);
    chosen = chosen < 0 && pick < sum ? k : chosen;
  }
  if (WN_UNLIKELY(e_ev >= xs->limit_ev)) {
    wn_tally_alarm(&t->alarms->n_beyond);
    wn_tally_max(&t->alarms->max_energy_ev, (double)e_ev);
  }
  if (WN_UNLIKELY(sum > gas->share * (1.0f + 1e-5f) || e_ev >= xs->e_top)) {
    wn_tally_violation(t->alarms, id);
    wn_tally_max(&t->alarms->max_energy_ev, (double)e_ev);
  }
  return chosen;
}

/* A candidate: *count and *lost are those of the ion's group (struct wn_tally). */
static WN_HD void wn_ion_candidate(const struct wn_ion *m, struct wn_ion_reg *r,
                                   uint64_t id, uint32_t event, float weight, int group,
                                   struct wn_tally *t)
{
  const struct wn_ion_view *xs = &m->xs;
  const struct wn_rng4 w = wn_rng_with(&m->key, id, event, WN_RNG_ION_EVENT, 0),
                       u = wn_rng_with(&m->key, id, event, WN_RNG_ION_EVENT,
                                       WN_RNG_BLOCK_ATOM);
  float pick = wn_ion_uniform(w.w[0]), g[3], atom[3];
  r->next = wn_ion_flight(m, w.w[1]);
  r->energy_sum += r->energy;
  r->n_candidates++;
  const struct wn_ion_gas_view *gas = &xs->gas[wn_ion_choose_gas(xs, &pick)];
  wn_ion_target(gas->sigma_v, &u, atom);
  for (int i = 0; i < 3; i++)
    g[i] = r->v[i] - atom[i];
  const float square = wn_dot_f(g, g);
  const int32_t k = wn_ion_choose(xs, gas, square * gas->per_square, pick, id, t);
  if (k < 0)
    return;
  const float before = r->energy;
  const int32_t process = group * xs->n_processes + xs->process[k].index;
  wn_ion_scatter(xs->process[k].kind, gas->part, g, sqrtf(square), w.w[2], w.w[3], r->v);
  r->energy = wn_ion_energy(m, r->v);
  r->n_real++;
  wn_tally_sum_f(&t->count[process], weight, (float)WN_FIX_WEIGHT);
  wn_tally_sum_f(&t->lost[process], weight * (before - r->energy), (float)WN_FIX_ENERGY);
}

/* The rest of a mobility step; candidates advance *event. */
static WN_HD void wn_ion_step(const struct wn_ion *m, struct wn_ion_reg *r, uint64_t id,
                              uint32_t *event, float weight, int group,
                              struct wn_tally *t)
{
  while (r->next <= r->left) {
    wn_ion_fly(m, r, r->next);
    wn_ion_candidate(m, r, id, (*event)++, weight, group, t);
  }
  wn_ion_fly(m, r, r->left);
}

/* A mobility step without a collision: wn_ion_load, wn_ion_fly over the whole step, and
 * the sums of wn_ion_store, without branches and by the same operations.  lived: the rest
 * of the step, s.  Valid only if the next candidate comes later (is_collision_free). */
struct wn_ion_collision_free {
  float moved[3], v[3], next;
  int is_collision_free;
};
/* Sums for the tally: path along three axes, time, energy gained. */
enum { WN_ION_COLLISION_FREE_SUMS = 5 };

static WN_HD struct wn_ion_collision_free
wn_ion_collision_free(double lived, const float v[3], const float a[3], float next)
{
  const float left = (float)lived, half = 0.5f * left;
  struct wn_ion_collision_free q;
  for (int i = 0; i < 3; i++) {
    q.moved[i] = wn_fma(left, wn_fma(half, a[i], v[i]), 0.0f);
    q.v[i] = wn_fma(left, a[i], v[i]);
  }
  q.next = next - left;
  q.is_collision_free = !(next <= left);
  return q;
}

/* Sums in the units of the tally, not rounded.  v: velocity before; energy_ev, per_step,
 * per_length: members of struct wn_ion. */
static WN_HD void wn_ion_collision_free_sums(const struct wn_ion_collision_free *q,
                                             const float v[3], float weight, double lived,
                                             float energy_ev, double per_step,
                                             double per_length,
                                             double sum[WN_ION_COLLISION_FREE_SUMS])
{
  const double w = (double)weight, length = w * per_length;
  const float gained = wn_dot_f(q->v, q->v) * energy_ev - wn_dot_f(v, v) * energy_ev;
  for (int i = 0; i < 3; i++)
    sum[i] = (double)(float)((double)q->moved[i] * length) * WN_FIX_STEP;
  sum[3] = (double)(float)(w * (lived * per_step)) * WN_FIX_STEP;
  sum[4] = (double)(weight * gained) * WN_FIX_ENERGY;
}

/* End of a mobility step: what is stored, except the place; *adds: the terms that every
 * ion adds to its group.  *e: as it was loaded, except for event. */
static WN_HD void wn_ion_keep(const struct wn_ion *m, const struct wn_ion_reg *r,
                              struct wn_electron *e, struct wn_flight_adds *adds)
{
  const double w = (double)e->w, length = w * m->per_length;
  const double lived = wn_ion_left(m, e->t_left);
  for (int i = 0; i < 3; i++) {
    adds->path[i] = (float)((double)r->moved[i] * length);
    e->u[i] = r->v[i];
  }
  e->t_left = (float)wn_ion_steps_after(e->t_left);
  e->t_next = r->next;
  adds->time = (float)(w * (lived * m->per_step));
  adds->gained = e->w * r->gained;
}

/* The sums of an ion with candidates; in a thin gas few ions have any. */
static WN_HD void wn_ion_count(const struct wn_ion_reg *r, float w, int group,
                               struct wn_tally *t)
{
  struct wn_tally_group *g = &t->group[group];
  if (r->n_candidates == 0)
    return;
  wn_tally_sum_f(&g->energy, w * r->energy_sum, (float)WN_FIX_ENERGY);
  wn_tally_sum_f(&g->candidates, w * (float)r->n_candidates, (float)WN_FIX_WEIGHT);
  t->n_candidates += r->n_candidates;
  t->n_real += r->n_real;
}

/* wn_ion_keep, and all sums. */
static WN_HD void wn_ion_store(const struct wn_ion *m, const struct wn_ion_reg *r,
                               struct wn_electron *e, int group, struct wn_tally *t)
{
  struct wn_tally_group *g = &t->group[group];
  struct wn_flight_adds adds;
  wn_ion_keep(m, r, e, &adds);
  for (int i = 0; i < 3; i++)
    wn_tally_sum_f(&g->path[i], adds.path[i], (float)WN_FIX_STEP);
  wn_tally_sum_f(&g->time, adds.time, (float)WN_FIX_STEP);
  wn_tally_sum_f(&g->gained, adds.gained, (float)WN_FIX_ENERGY);
  wn_ion_count(r, e->w, group, t);
}

#endif
