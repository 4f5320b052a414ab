/* physics/mcc_profiled.h - model `mcc` in a swarm whose gas and electric field change along z (struct wn_mcc.profile, physics/profile.h).
 * Where density and field are uniform it has the bits of physics/mcc_flight.h.  Crossings of detectors are noted, where there are any
 * (physics/mcc_detected.h).
 *
 * A candidate is real with the tables' probability times n(z)/most.  That is the same random word, scaled: no number is drawn for it,
 * so that a ratio of 1 leaves the choice as it is.
 *
 * In a field that changes a flight is divided (wn_profile_part).  A part is the exact flight in E's mean over its way, which is found
 * by iteration with the end of the way.  So it is of second order, and kinetic and potential energy close to rounding, with a magnetic
 * field, too.
 *
 * Electrons outside of the density's knots are removed where a flight ends, and counted as those above stop_ev.
 *
 * A scheduler calls wn_mcc_profiled_begin, _flights, _arrive and _left in the places of wn_mcc_load, wn_mcc_flights, wn_mcc_commit, and after
 * a collision.  kind: of bands, not in a grid.
 * Checked by t/runaway/t0627-altitude.c; on a GPU by t0457. */
#ifndef WN_PHYSICS_MCC_PROFILED_H
#define WN_PHYSICS_MCC_PROFILED_H
#include <math.h>
#include "physics/collisions/candidate.h" /* wn_mcc_remove */
#include "physics/electron.h"
#include "physics/host_device.h"
#include "physics/mcc.h"
#include "physics/mcc_detected.h"
#include "physics/mcc_flight.h"
#include "physics/profile.h"
#include "physics/push.h"

/* An electron in a mobility step. */
struct wn_mcc_profiled {
  struct wn_mcc_reg r;
  /* at the last commit; in a field that changes each flight is committed, and x and u here are not rounded to floats */
  struct wn_mcc_state at;
  double z; /* at present, m */
};

/* Iterations for the mean field of a part: each reduces the error by 1e-5 or more (wn_profile_part). */
#define WN_PROFILED_ITERATIONS 8

/* Relative error of what an electron has moved in a step, a float. */
#define WN_PROFILED_PLACE_OFF 3e-7

static WN_HD int wn_mcc_field_changes(const struct wn_mcc *m)
{
  return m->profile.n_field > 0;
}

/* ---- flights */

/* x and u h seconds after `from` in the field of `factor`; *a: its acceleration. */
static WN_COLD void wn_mcc_fly_in(const struct wn_mcc *m, double factor, double h,
                                  double a[3], const struct wn_mcc_state *from,
                                  struct wn_mcc_state *to)
{
  *to = *from;
  double gamma = wn_gamma(to->u), a2 = 0.0;
  for (int i = 0; i < 3; i++) {
    a[i] = m->accel[i] * factor;
    a2 += a[i] * a[i];
  }
  if (m->has_b)
    wn_flight_eb(to->x, to->u, &gamma, a, m->gyro, h);
  else
    wn_flight_e(to->x, to->u, &gamma, a, a2 > 0.0 ? 1.0 / a2 : 0.0, h);
  to->left -= h;
}

/* Integral of the energy over h seconds from `from`, eV s: Simpson's rule, as wn_mcc_energy_time. */
static WN_HD double wn_mcc_energy_time_in(const struct wn_mcc_state *from,
                                          const struct wn_mcc_state *to,
                                          const double a[3], double h)
{
  double u[3];
  for (int i = 0; i < 3; i++)
    u[i] = from->u[i] + 0.5 * h * a[i];
  return h / 6.0 *
         (wn_kinetic_ev(from->u, wn_gamma(from->u)) +
          4.0 * wn_kinetic_ev(u, wn_gamma(u)) + wn_kinetic_ev(to->u, wn_gamma(to->u)));
}

/* A part of a flight from *at, in the mean of the field over its way; returns its integral of the energy, 0 in a magnetic field.  is_last: of
 * the mobility step.  Its end is rounded as the record has it: the next step begins there, to the last bit, so no crossing of a
 * detector is counted twice or missed. */
static WN_HD double wn_mcc_fly_part(const struct wn_mcc *m, const struct wn_electron *e,
                                    double h, int is_last, struct wn_mcc_state *at)
{
  const struct wn_profile *p = &m->profile;
  const struct wn_mcc_state from = *at;
  struct wn_mcc_state to = from;
  double a[3], factor = wn_profile_mean_factor(p, from.x[2], from.x[2]);
  WN_ROLLED
  for (int i = 0; i < WN_PROFILED_ITERATIONS; i++) {
    wn_mcc_fly_in(m, factor, h, a, &from, &to);
    const double next = wn_profile_mean_factor(p, from.x[2], to.x[2]);
    if (fabs(next - factor) <= 1e-15 * p->factor_most)
      break;
    factor = next;
  }
  for (int i = 0; i < 3 && is_last; i++)
    to.x[i] = e->x[i] + (double)(float)(to.x[i] - e->x[i]);
  if (m->crossings != NULL)
    wn_mcc_look(m, e, a, &from, &to);
  *at = to;
  return m->has_b ? 0.0 : wn_mcc_energy_time_in(&from, &to, a, h);
}

/* A flight of dt seconds in a field that changes, committed; by value, so that what is called with does not have to be in memory. */
static WN_COLD struct wn_mcc_profiled wn_mcc_fly_parts(const struct wn_mcc *m,
                                                       const struct wn_electron *e,
                                                       struct wn_mcc_profiled f, float dt,
                                                       int is_last)
{
  const double most = wn_profile_part(&m->profile, m->accel[2]);
  const double n = fmax(1.0, ceil((double)dt / most));
  const float before = f.r.energy;
  WN_ROLLED
  for (double i = 0.0; i < n; i++)
    f.r.energy_sum +=
        (float)wn_mcc_fly_part(m, e, (double)dt / n, is_last && i + 1.0 >= n, &f.at);
  for (int i = 0; i < 3; i++) {
    f.r.moved[i] = (float)(f.at.x[i] - e->x[i]);
    f.r.u[i] = (float)f.at.u[i];
  }
  wn_mcc_rebase(&f.r, (float)wn_kinetic_ev(f.at.u, wn_gamma(f.at.u)));
  f.r.gained += f.r.energy - before;
  f.z = f.at.x[2];
  return f;
}

/* z of an electron whose flight from the last commit lasts r->since. */
static WN_HD double wn_mcc_place_z(const struct wn_mcc *m, struct wn_mcc_kind kind,
                                   const struct wn_electron *e,
                                   const struct wn_mcc_reg *r)
{
  struct wn_mcc_reg now = *r;
  wn_mcc_commit(m, kind, e, &now);
  return e->x[2] + (double)now.moved[2];
}

/* The band of an electron with candidates enough for the densities that it can reach until the horizon. */
static WN_HD struct wn_mcc_band wn_mcc_profiled_band(const struct wn_mcc *m,
                                                     struct wn_mcc_kind kind,
                                                     const struct wn_mcc_profiled *f)
{
  const struct wn_profile *p = &m->profile;
  struct wn_mcc_band band = wn_mcc_band(kind, f->r.energy);
  if (p->n == 0)
    return band;
  const size_t i = wn_profile_interval(p->z, p->n, f->z);
  band.slower /= p->most[i];
  band.rate *= p->most[i];
  const float horizon = wn_profile_horizon(
      p, i, f->z, WN_PROFILED_PLACE_OFF * fabs((double)f->r.moved[2]));
  band.horizon = band.horizon < horizon ? band.horizon : horizon;
  return band;
}

/* As wn_mcc_go. */
static WN_HD struct wn_mcc_leg wn_mcc_profiled_go(const struct wn_mcc *m,
                                                  struct wn_mcc_kind kind,
                                                  struct wn_mcc_profiled *f,
                                                  const struct wn_mcc_parabola *p,
                                                  const struct wn_electron *e)
{
  struct wn_mcc_reg *r = &f->r;
  struct wn_mcc_leg leg;
  leg.band = wn_mcc_profiled_band(m, kind, f);
  wn_mcc_measure(kind, r, &leg);
  r->left = wn_mcc_less(r->left, leg.dt);
  if (wn_mcc_field_changes(m)) {
    *f = wn_mcc_fly_parts(m, e, *f, leg.dt, !leg.at_candidate && !leg.cut);
    return leg;
  }
  r->since += leg.dt;
  r->energy =
      kind.has_b ? wn_mcc_turned_ev(m, r->u[0], r->u[1], r->u[2], r->base_ev, r->since)
                 : wn_energy_f(wn_mcc_parabola_at(p, m->uniform.a2, r->since));
  f->z = wn_mcc_place_z(m, kind, e, r);
  return leg;
}

/* ---- candidates */

/* Whether a candidate that passed the majorant is one of the density at its place; the word then is that of the tables.  low: the
 * bits of another word below its own. */
static WN_HD int wn_mcc_is_dense(const struct wn_mcc *m, struct wn_mcc_kind kind,
                                 const struct wn_mcc_profiled *f,
                                 const struct wn_electron *e, const struct wn_tally *t,
                                 float most, uint32_t *word, uint32_t low)
{
  const double ratio = wn_profile_density(&m->profile, f->z);
  if (ratio > (double)most * (1.0 + 1e-6))
    wn_tally_violation(t->alarms, e->id);
  const double scaled = ((double)*word + (double)(low & 0xfffffu) * 0x1p-20) *
                        ((double)most / ratio),
               major = (double)kind.top[wn_xs_bin(&m->xs, f->r.energy)].major;
  if (!(scaled < major))
    return 0;
  *word = (uint32_t)scaled;
  return 1;
}

/* As wn_mcc_fly. */
static WN_HD int wn_mcc_profiled_fly(const struct wn_mcc *m, struct wn_mcc_kind kind,
                                     struct wn_mcc_profiled *f,
                                     const struct wn_mcc_parabola *p,
                                     struct wn_electron *e, int group, struct wn_tally *t,
                                     uint32_t *choice, uint32_t flight)
{
  const struct wn_profile *profile = &m->profile;
  const float most =
      profile->n > 0 ? profile->most[wn_profile_interval(profile->z, profile->n, f->z)]
                     : 1.0f;
  const struct wn_mcc_leg leg = wn_mcc_profiled_go(m, kind, f, p, e);
  if (f->r.energy >= m->watch_ev) {
    const int dead = wn_mcc_watch_leg(m, kind, &f->r, e, group, t);
    if (dead)
      return dead;
  }
  if (wn_profile_is_outside(profile, f->z)) {
    wn_mcc_remove(&t->group[group], e->w, f->r.energy);
    return WN_MCC_DEAD;
  }
  const int what = wn_mcc_come(m, kind, &f->r, e, t, leg, choice, flight);
  return what == WN_MCC_EVENT && !wn_mcc_is_dense(m, kind, f, e, t, most, choice, flight)
             ? 0
             : what;
}

/* As wn_mcc_flights. */
static WN_HD int wn_mcc_profiled_flights(const struct wn_mcc *m, struct wn_mcc_kind kind,
                                         struct wn_mcc_profiled *f, struct wn_electron *e,
                                         int group, struct wn_tally *t,
                                         struct wn_mcc_ticket *ticket)
{
  const uint32_t event = e->event++;
  const struct wn_rng4 w = wn_rng_with(&m->key, e->id, event, WN_RNG_EVENT, 0);
  const struct wn_mcc_parabola p = wn_mcc_parabola(&m->uniform, f->r.u);
  uint32_t choice = w.w[0], flight = w.w[1];
  int what;
  ticket->event = event;
  WN_ROLLED
  for (int i = 0;; i++) {
    what = wn_mcc_profiled_fly(m, kind, f, &p, e, group, t, &choice, flight);
    if (what != 0 || i == 1)
      break;
    choice = w.w[2];
    flight = w.w[3];
  }
  ticket->choice = choice;
  return what;
}

/* ---- between flights */

static WN_HD void wn_mcc_profiled_begin(const struct wn_mcc *m,
                                        const struct wn_electron *e,
                                        struct wn_mcc_profiled *f)
{
  wn_mcc_load(m, e, &f->r);
  f->at = wn_mcc_state_of(e, &f->r);
  f->z = f->at.x[2];
}

static WN_HD void wn_mcc_profiled_arrive(const struct wn_mcc *m, struct wn_mcc_kind kind,
                                         const struct wn_electron *e,
                                         struct wn_mcc_profiled *f)
{
  if (wn_mcc_field_changes(m))
    return; /* each flight was committed */
  wn_mcc_commit(m, kind, e, &f->r);
  const struct wn_mcc_state from = f->at, now = wn_mcc_state_of(e, &f->r);
  if (m->crossings != NULL)
    wn_mcc_look(m, e, m->accel, &from, &now);
  f->at = now;
}

/* The place is as it was, in a field that changes not rounded. */
static WN_HD void wn_mcc_profiled_left(struct wn_mcc_profiled *f)
{
  for (int i = 0; i < 3; i++)
    f->at.u[i] = (double)f->r.u[i];
}

#endif
