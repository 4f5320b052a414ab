/* schedulers/mcc_profiled.c - see mcc_profiled.h. */
#include "schedulers/mcc_profiled.h"
#include "physics/mcc_collide.h"
#include "physics/mcc_flight.h"
#include "physics/profile.h"
#include "schedulers/mcc_detected.h"

/* An electron in a mobility step. */
struct flyer {
  const struct wn_mcc *m;
  struct wn_mcc_kind kind;
  struct wn_electron *e;
  struct wn_mcc_reg r;
  /* at the last commit; in a field that changes each flight is committed, and x and u here are not rounded to floats */
  struct wn_mcc_state at;
  double z; /* at present, m */
  int group;
};

/* Iterations for the mean field of a part: each reduces the error by 1e-5 or more (wn_profile_part). */
#define MOST_ITERATIONS 8

static int field_changes(const struct flyer *f)
{
  return f->m->profile->n_field > 0;
}

/* Relative error of what an electron has moved in a step, a float. */
#define PLACE_OFF 3e-7

/* ---- flights */

/* x and u after h seconds in the field of `factor`; *a: its acceleration. */
static void fly(const struct flyer *f, double factor, double h, double a[3],
                struct wn_mcc_state *to)
{
  const struct wn_mcc *m = f->m;
  *to = f->at;
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
static double energy_time(const struct wn_mcc_state *from, const struct wn_mcc_state *to,
                          const double a[3], double h)
{
  double u[3];
  for (int i = 0; i < 3; i++)
    u[i] = from->u[i] + 0.5 * h * a[i];
  return h / 6.0 *
         (wn_kinetic_ev(from->u, wn_gamma(from->u)) +
          4.0 * wn_kinetic_ev(u, wn_gamma(u)) + wn_kinetic_ev(to->u, wn_gamma(to->u)));
}

/* A part of a flight, in the mean of the field over its way.  is_last: of the mobility step.  Its end is rounded as the record
 * has it: the next step begins there, to the last bit, so no crossing of a detector is counted twice or missed. */
static void part(struct flyer *f, double h, int is_last)
{
  const struct wn_profile *p = f->m->profile;
  struct wn_mcc_state to;
  double a[3], factor = wn_profile_mean_factor(p, f->at.x[2], f->at.x[2]);
  for (int i = 0; i < MOST_ITERATIONS; i++) {
    fly(f, factor, h, a, &to);
    const double next = wn_profile_mean_factor(p, f->at.x[2], to.x[2]);
    if (fabs(next - factor) <= 1e-15 * p->factor_most)
      break;
    factor = next;
  }
  for (int i = 0; i < 3 && is_last; i++)
    to.x[i] = f->e->x[i] + (double)(float)(to.x[i] - f->e->x[i]);
  if (!f->m->has_b)
    f->r.energy_sum += (float)energy_time(&f->at, &to, a, h);
  if (f->m->crossings != NULL)
    wn_mcc_look(f->m, f->e, a, &f->at, &to);
  f->at = to;
}

static void go_parts(struct flyer *f, float dt, int is_last)
{
  struct wn_mcc_reg *r = &f->r;
  const struct wn_profile *p = f->m->profile;
  const double most = wn_profile_part(p, f->m->accel[2]);
  const double n = fmax(1.0, ceil((double)dt / most));
  const float before = r->energy;
  for (double i = 0.0; i < n; i++)
    part(f, (double)dt / n, is_last && i + 1.0 >= n);
  for (int i = 0; i < 3; i++) {
    r->moved[i] = (float)(f->at.x[i] - f->e->x[i]);
    r->u[i] = (float)f->at.u[i];
  }
  wn_mcc_rebase(r, (float)wn_kinetic_ev(f->at.u, wn_gamma(f->at.u)));
  r->gained += r->energy - before;
  f->z = f->at.x[2];
}

/* z of an electron whose flight from the last commit lasts r.since. */
static double place(const struct flyer *f)
{
  struct wn_mcc_reg now = f->r;
  wn_mcc_commit(f->m, f->kind, f->e, &now);
  return f->e->x[2] + (double)now.moved[2];
}

/* The band of an electron with candidates enough for the densities that it can reach until the horizon. */
static struct wn_mcc_band band_of(const struct flyer *f)
{
  const struct wn_profile *p = f->m->profile;
  struct wn_mcc_band band = wn_mcc_band(f->kind, f->r.energy);
  if (p->n == 0)
    return band;
  const size_t i = wn_profile_interval(p->z, p->n, f->z);
  band.slower /= p->most[i];
  band.rate *= p->most[i];
  const float horizon =
      wn_profile_horizon(p, i, f->z, PLACE_OFF * fabs((double)f->r.moved[2]));
  band.horizon = band.horizon < horizon ? band.horizon : horizon;
  return band;
}

/* As wn_mcc_go. */
static struct wn_mcc_leg go(struct flyer *f, const struct wn_mcc_parabola *p)
{
  struct wn_mcc_reg *r = &f->r;
  struct wn_mcc_leg leg;
  leg.band = band_of(f);
  wn_mcc_measure(f->kind, r, &leg);
  r->left = wn_mcc_rest(f->kind, r->left, leg.dt);
  if (field_changes(f)) {
    go_parts(f, leg.dt, !leg.at_candidate && !leg.cut);
    return leg;
  }
  r->since += leg.dt;
  r->energy =
      f->kind.has_b
          ? wn_mcc_turned_ev(f->m, r->u[0], r->u[1], r->u[2], r->base_ev, r->since)
          : wn_energy_f(wn_mcc_parabola_at(p, f->m->uniform.a2, r->since));
  f->z = place(f);
  return leg;
}

/* ---- candidates */

/* Whether a candidate that passed the majorant is one of the density at its place; the word then is that of the tables.  low: the
 * bits of another word below its own. */
static int is_dense(const struct flyer *f, const struct wn_tally *t, float most,
                    uint32_t *word, uint32_t low)
{
  const double ratio = wn_profile_density(f->m->profile, f->z);
  if (ratio > (double)most * (1.0 + 1e-6))
    wn_tally_violation(t->alarms, f->e->id);
  const double scaled = ((double)*word + (double)(low & 0xfffffu) * 0x1p-20) *
                        ((double)most / ratio),
               major = (double)f->kind.top[wn_xs_bin(&f->m->xs, f->r.energy)].major;
  if (!(scaled < major))
    return 0;
  *word = (uint32_t)scaled;
  return 1;
}

/* As wn_mcc_fly. */
static int fly_leg(struct flyer *f, const struct wn_mcc_parabola *p, struct wn_tally *t,
                   uint32_t *choice, uint32_t flight)
{
  const struct wn_profile *profile = f->m->profile;
  const float most =
      profile->n > 0 ? profile->most[wn_profile_interval(profile->z, profile->n, f->z)]
                     : 1.0f;
  const struct wn_mcc_leg leg = go(f, p);
  if (f->r.energy >= f->m->watch_ev) {
    const int dead = wn_mcc_watch_leg(f->m, f->kind, &f->r, f->e, f->group, t);
    if (dead)
      return dead;
  }
  if (wn_profile_is_outside(profile, f->z)) {
    wn_mcc_remove(&t->group[f->group], f->e->w, f->r.energy);
    return WN_MCC_DEAD;
  }
  const int what = wn_mcc_come(f->m, f->kind, &f->r, f->e, t, leg, choice, flight);
  return what == WN_MCC_EVENT && !is_dense(f, t, most, choice, flight) ? 0 : what;
}

/* As wn_mcc_flights. */
static int flights(struct flyer *f, struct wn_tally *t, struct wn_mcc_ticket *ticket)
{
  ticket->event = f->e->event++;
  const struct wn_rng4 w =
      wn_rng_with(&f->m->key, f->e->id, ticket->event, WN_RNG_EVENT, 0);
  const struct wn_mcc_parabola p = wn_mcc_parabola(&f->m->uniform, f->r.u);
  ticket->choice = w.w[0];
  const int what = fly_leg(f, &p, t, &ticket->choice, w.w[1]);
  if (what != 0)
    return what;
  ticket->choice = w.w[2];
  return fly_leg(f, &p, t, &ticket->choice, w.w[3]);
}

/* As one_event of schedulers/mcc_detected.c. */
static int one_event(struct flyer *f, struct wn_tally *t, struct wn_electron *child)
{
  struct wn_mcc_ticket ticket = {0, 0};
  const int what = flights(f, t, &ticket);
  if (what == 0)
    return 0;
  if (!field_changes(f)) {
    wn_mcc_commit(f->m, f->kind, f->e, &f->r);
    const struct wn_mcc_state now = wn_mcc_state_of(f->e, &f->r);
    if (f->m->crossings != NULL)
      wn_mcc_look(f->m, f->e, f->m->accel, &f->at, &now);
    f->at = now;
  }
  if (what != WN_MCC_EVENT)
    return what;
  const int then = wn_mcc_collide(f->m, f->kind, &f->r, f->e, f->group, t, child,
                                  ticket.event, ticket.choice);
  for (int i = 0; i < 3; i++)
    f->at.u[i] = (double)f->r.u[i];
  return then;
}

void wn_mcc_advance_profiled(const struct wn_mcc *m, struct wn_electron *e,
                             struct wn_tally *tally, struct wn_births *births)
{
  struct flyer f = {.m = m,
                    .kind = wn_mcc_kind(m),
                    .e = e,
                    .group = (int)wn_electron_group(e->tag, (uint32_t)m->n_groups)};
  struct wn_electron child;
  f.kind.in_grid = 0;
  f.kind.banded = wn_mcc_banded(m, 0);
  while (e->t_left > 0.0f) {
    int what;
    wn_mcc_load(m, e, &f.r);
    f.at = wn_mcc_state_of(e, &f.r);
    f.z = f.at.x[2];
    do {
      what = one_event(&f, tally, &child);
      if (what & WN_MCC_CHILD)
        wn_births_push(births, &child);
    } while (!(what & (WN_MCC_DONE | WN_MCC_DEAD)));
    what |= wn_mcc_store(m, f.kind, &f.r, e, what, f.group, tally);
    if (what & WN_MCC_DEAD) {
      e->t_left = WN_DEAD;
      tally->n_deaths++;
    }
  }
}
