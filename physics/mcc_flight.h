/* physics/mcc_flight.h - model `mcc` between collisions: exact flights from candidate to
 * candidate, and the watch over energies (thresholds, removal, end of the tables).
 *
 * Null candidates change nothing, so flights through them are one flight: between real
 * collisions only the energy at a candidate is computed (|u|^2 is a parabola of time in
 * a uniform electric field, and a turn besides in a magnetic one), and x and u are brought
 * up to date (wn_mcc_commit) where a collision, or the end of the mobility step, needs
 * them. */
#ifndef WN_PHYSICS_MCC_FLIGHT_H
#define WN_PHYSICS_MCC_FLIGHT_H
#include <math.h>
#include "physics/electron.h"
#include "physics/host_device.h"
#include "physics/mathfn.h"
#include "physics/mcc.h"
#include "physics/passages.h"
#include "physics/push.h"
#include "physics/rng.h"
#include "physics/single_precision.h"
#include "physics/tally.h"
#include "physics/xs_view.h"

/* |u|^2 of a flight in units of WN_UNIT_U^2, t seconds after the last commit:
 * s0 + t (s1 + t a2), with a2 of the force. */
struct wn_mcc_parabola {
  float s0, s1;
};

static WN_HD struct wn_mcc_parabola wn_mcc_parabola(const struct wn_mcc_force *f,
                                                    const float u[3])
{
  struct wn_mcc_parabola p = {wn_square_f(u),
                              wn_dot_f(u, f->a) * (float)(2.0 / (WN_UNIT_U * WN_UNIT_U))};
  return p;
}

/* Not below 0, where rounding would bring it at a turn.  No fmax(): a loop with it is not
 * made into vectors. */
static WN_HD float wn_mcc_parabola_at(const struct wn_mcc_parabola *p, float a2, float t)
{
  float s = wn_fma(t, wn_fma(t, a2, p->s1), p->s0);
  return s > 0.0f ? s : 0.0f;
}

/* Mean of two gamma, less 1, from the energies in eV. */
static WN_HD float wn_mcc_rise(float one, float other)
{
  return (one + other) * (float)(0.5 / WN_MC2_EV);
}

/* Integral of the energy over a flight of dt seconds, eV s: Simpson's rule, which is exact
 * where the energy is a parabola of time, as it is but for the rise of gamma.  before, after:
 * the energy at the ends, eV; u: at the begin. */
static WN_HD float wn_mcc_energy_time(const float u[3], const float a[3], float before,
                                      float after, float dt)
{
  const float h = 0.5f * dt;
  const float v[3] = {wn_fma(a[0], h, u[0]), wn_fma(a[1], h, u[1]),
                      wn_fma(a[2], h, u[2])};
  return dt * (float)(1.0 / 6.0) *
         wn_fma(4.0f, wn_energy_f(wn_square_f(v)), before + after);
}

/* ---- in a magnetic field.  An electron of a swarm that is slow and gains little on the way
 * turns by physics/helix.h; others fly in double precision.  Which of the two follows from the
 * flight alone, so that all code decides alike.  With these limits the phase of the former is
 * off by 3e-5 of itself at the most. */
#define WN_MCC_TURN_GAIN_EV 32.0f

/* Energies in eV: before, and after by physics/helix.h. */
static WN_HD int wn_mcc_turns(float before, float after)
{
  return (before < WN_SLOW_EV) & (after < WN_SLOW_EV) &
         (fabsf(after - before) < WN_MCC_TURN_GAIN_EV);
}

static WN_HD struct wn_turn wn_mcc_turn(const struct wn_mcc *m, const float u[3],
                                        float base_ev)
{
  return wn_turn_begin(&m->turn, u, base_ev * (float)(1.0 / WN_MC2_EV));
}

/* A flight in electric and magnetic field, in double precision: x and u after it, those
 * before being given.  a: of the force, in a grid. */
struct wn_mcc_place {
  float x[3], u[3], a[3];
};

static WN_COLD struct wn_mcc_place wn_mcc_fly_b(const struct wn_mcc *m,
                                                struct wn_mcc_place at, float dt)
{
  double x[3] = {(double)at.x[0], (double)at.x[1], (double)at.x[2]},
         u[3] = {(double)at.u[0], (double)at.u[1], (double)at.u[2]},
         a[3] = {(double)at.a[0], (double)at.a[1], (double)at.a[2]}, gamma = wn_gamma(u);
  wn_flight_eb(x, u, &gamma, m->in_grid ? a : m->accel, m->gyro, (double)dt);
  for (int i = 0; i < 3; i++) {
    at.x[i] = (float)x[i];
    at.u[i] = (float)u[i];
  }
  return at;
}

/* Energy `since` seconds after a commit, eV. */
static WN_COLD float wn_mcc_turned_ev(const struct wn_mcc *m, float u_x, float u_y,
                                      float u_z, float base_ev, float since)
{
  struct wn_mcc_place at = {{0.0f, 0.0f, 0.0f}, {u_x, u_y, u_z}, {0.0f, 0.0f, 0.0f}};
  const struct wn_turn turn = wn_mcc_turn(m, at.u, base_ev);
  const float after = wn_energy_slow(wn_turn_square(&m->turn, &turn, since));
  if (WN_LIKELY(wn_mcc_turns(base_ev, after)))
    return after;
  at = wn_mcc_fly_b(m, at, since);
  return wn_energy_f(wn_square_f(at.u));
}

/* x and u then. */
static WN_COLD struct wn_mcc_place
wn_mcc_turned(const struct wn_mcc *m, struct wn_mcc_place at, float base_ev, float since)
{
  const struct wn_turn turn = wn_mcc_turn(m, at.u, base_ev);
  const float s = wn_turn_square(&m->turn, &turn, since);
  if (WN_UNLIKELY(!wn_mcc_turns(base_ev, wn_energy_slow(s))))
    return wn_mcc_fly_b(m, at, since);
  wn_turn_end(at.x, at.u, &m->turn, &turn, since, s);
  return at;
}

/* wn_mcc_commit in a magnetic field. */
static WN_HD void wn_mcc_commit_b(const struct wn_mcc *m, struct wn_mcc_reg *r)
{
  const struct wn_mcc_place at = {{r->moved[0], r->moved[1], r->moved[2]},
                                  {r->u[0], r->u[1], r->u[2]},
                                  {0.0f, 0.0f, 0.0f}},
                            to = wn_mcc_turned(m, at, r->base_ev, r->since);
  for (int i = 0; i < 3; i++) {
    r->moved[i] = to.x[i];
    r->u[i] = to.u[i];
  }
  r->gained += r->energy - r->base_ev;
  r->base_ev = r->energy;
  r->since = 0.0f;
}

/* wn_mcc_commit with losses along the flight: of the event that e has begun last. */
static WN_HD void wn_mcc_commit_slowed(const struct wn_mcc *m,
                                       const struct wn_electron *e, struct wn_mcc_reg *r)
{
  const struct wn_continuous_knot k = wn_continuous_at(m->xs.continuous, r->base_ev);
  const struct wn_rng4 w =
      wn_rng_with(&m->key, e->id, e->event - 1, WN_RNG_EVENT, WN_RNG_BLOCK_LOSS);
  r->energy_sum += wn_continuous_end(
      wn_square_f(r->u), k, r->since, r->base_ev, r->energy,
      wn_continuous_deflection(m->xs.continuous, r->base_ev), w.w[0], r->moved, r->u);
  r->gained += r->energy - r->base_ev;
  r->base_ev = r->energy;
  r->since = 0.0f;
}

/* Bring x and u to the present, with the energy as it is; only where they are deferred
 * (wn_mcc_waits). */
static WN_HD void wn_mcc_commit(const struct wn_mcc *m, struct wn_mcc_kind kind,
                                const struct wn_electron *e, struct wn_mcc_reg *r)
{
  if (WN_UNLIKELY(kind.has_b)) {
    wn_mcc_commit_b(m, r);
    return;
  }
  if (kind.slows) {
    wn_mcc_commit_slowed(m, e, r);
    return;
  }
  const struct wn_mcc_force f = wn_mcc_force(m, kind, e);
  if (kind.banded)
    r->energy_sum += wn_mcc_energy_time(r->u, f.a, r->base_ev, r->energy, r->since);
  wn_flight_f(r->moved, r->u, f.a, f.a2, wn_mcc_rise(r->base_ev, r->energy), r->since);
  r->gained += r->energy - r->base_ev;
  r->base_ev = r->energy;
  r->since = 0.0f;
}

/* Since an electron was marked (struct wn_mcc.mark_m): phases, and the way along the
 * drift in c * phase. */
struct wn_mcc_since {
  double phases, way;
};

/* moved_z, u: of the last commit, `since` seconds ago; y, z: before the mobility step;
 * after: seconds from now to the end of the phase. */
static WN_COLD struct wn_mcc_since wn_mcc_since_mark(const struct wn_mcc *m, double y,
                                                     double z, float moved_z, float u_x,
                                                     float u_y, float u_z, float rise,
                                                     float since, double after)
{
  float moved[3] = {0.0f, 0.0f, moved_z}, u[3] = {u_x, u_y, u_z};
  wn_flight_f(moved, u, m->uniform.a, m->uniform.a2, rise, since);
  const struct wn_mcc_since is = {(m->t_end - after) * m->per_step -
                                      rint(y * m->per_mark),
                                  (z + (double)moved[2]) * m->per_length};
  return is;
}

/* The rows of bins of a group, behind all others (struct wn_tally.passed). */
static WN_HD wn_i128 *wn_mcc_passed_bins(const struct wn_mcc *m, wn_i128 *passed,
                                         int group)
{
  return &passed[(m->n_groups * WN_PASSED + group * WN_PASSED_BIN_ROWS) *
                 m->n_thresholds];
}

/* The bins of a passage of threshold k: of time, way and cosine, 8 bits each. */
static WN_COLD uint32_t wn_mcc_bins_of(const struct wn_mcc *m, double angle,
                                       double phases, double way, int k)
{
  const double ev = m->threshold_ev[k], per = m->step * m->pass_a;
  const int of_time = wn_passed_bin(phases * per, wn_passed_octave_of_times(ev)),
            of_way =
                wn_passed_bin(way * per * (2.0 * WN_C / WN_PASS_U), wn_passed_octave(ev));
  return (uint32_t)of_time | (uint32_t)of_way << 8 |
         (uint32_t)wn_passed_cosine_bin(angle) << 16;
}

/* An electron passes threshold k: what a weighted ensemble adds up, in the unit of weights
 * of its cohort, which is exact, a power of two.  angle: cosine between its velocity and the
 * drift. */
static WN_HD void wn_mcc_pass_cohort(const struct wn_mcc *m, double w, uint32_t tag,
                                     double angle, struct wn_mcc_since since_mark,
                                     wn_i128 *row, wn_i128 *bins, int k)
{
  const int n = m->n_thresholds;
  const uint32_t since =
      m->halvings - wn_electron_cohort(tag, (uint32_t)m->n_groups) / 2u;
  const double then = w * wn_from_bits((uint64_t)(1023u + since) << 52);
  const uint32_t bin = wn_mcc_bins_of(m, angle, since_mark.phases, since_mark.way, k);
  bins += k;
  wn_tally_sum(&bins[(int)(bin & 255u) * n], then, WN_FIX_RARE);
  wn_tally_sum(&bins[(WN_PASSED_BINS + (int)(bin >> 8 & 255u)) * n], then, WN_FIX_RARE);
  wn_tally_sum(&bins[(2 * WN_PASSED_BINS + (int)(bin >> 16)) * n], then, WN_FIX_RARE);
  wn_tally_sum(&row[WN_PASSED_COHORT * n + k], then, WN_FIX_RARE);
  wn_tally_sum(&row[WN_PASSED_ANGLE * n + k], then * angle, WN_FIX_RARE);
  const double time = then * since_mark.phases, way = then * since_mark.way;
  wn_tally_sum(&row[WN_PASSED_TIME * n + k], time, WN_FIX_RARE);
  wn_tally_sum(&row[WN_PASSED_TIME2 * n + k], time * since_mark.phases, WN_FIX_RARE);
  wn_tally_sum(&row[WN_PASSED_WAY * n + k], way, WN_FIX_RARE);
  wn_tally_sum(&row[WN_PASSED_WAY2 * n + k], way * since_mark.way, WN_FIX_RARE);
}

/* Thresholds, removal and the table's end, for an electron of some energy; called only
 * above watch_ev.  u_z: along the drift.  Returns the tag that it has from then on, or -1:
 * it was removed.  By value, so that what is called with does not have to be in memory. */
static WN_COLD int64_t wn_mcc_watch_energy(const struct wn_mcc *m, double energy,
                                           float u_z, double left, float w, uint32_t tag,
                                           float t_left, struct wn_mcc_since since,
                                           int group, struct wn_tally t)
{
  const uint32_t groups = (uint32_t)m->n_groups;
  int passed = (int)(tag >> WN_TAG_LINEAGE_BITS);
  wn_i128 *row = &t.passed[group * WN_PASSED * m->n_thresholds];
  if (m->cohorts && (wn_electron_cohort(tag, groups) & 1u) != 0u &&
      energy >= m->threshold_ev[0])
    tag = wn_electron_in_cohort(tag, groups, 2u * m->halvings);
  while (passed < m->n_thresholds && energy >= m->threshold_ev[passed]) {
    wn_tally_sum(&row[passed], (double)w, WN_FIX_RARE);
    if (m->cohorts)
      wn_mcc_pass_cohort(m, (double)w, tag, (double)u_z / wn_u_from_ev(energy), since,
                         row, wn_mcc_passed_bins(m, t.passed, group), passed);
    if (t.first_passage != NULL) {
      double now = m->t_end - left - wn_mcc_steps_after(t_left) * m->dt;
      /* before the address: the other way round, ptxas of CUDA 13.0 spills 8 bytes of the
       * kernel of swarms */
      int64_t tick = wn_tally_tick(now, m->step);
      wn_atomic_min(
          &t.first_passage[(size_t)(tag & WN_TAG_LINEAGE_MASK) * (size_t)m->n_thresholds +
                           (size_t)passed],
          tick);
    }
    passed++;
  }
  wn_tally_max(&t.alarms->max_energy_ev, energy);
  if (energy >= m->stop_ev) {
    wn_tally_sum(&t.group[group].removed, (double)w, WN_FIX_RARE);
    wn_tally_sum(&t.group[group].dropped, (double)w * energy, WN_FIX_ENERGY);
    return -1;
  }
  if (energy >= m->limit_ev)
    wn_tally_alarm(&t.alarms->n_beyond);
  return (int64_t)((tag & WN_TAG_LINEAGE_MASK) | (uint32_t)passed << WN_TAG_LINEAGE_BITS);
}

/* The same for e; returns WN_MCC_DEAD or 0.  group below 0: that of its tag. */
static WN_HD int wn_mcc_watch(const struct wn_mcc *m, const struct wn_mcc_reg *r,
                              struct wn_electron *e, int group, struct wn_tally *t)
{
  if (group < 0)
    group = (int)wn_electron_group(e->tag, (uint32_t)m->n_groups);
  /* those that pass thresholds are in no grid */
  const float u_z = wn_fma(r->since, m->uniform.a[2], r->u[2]);
  struct wn_mcc_since since = {0.0, 0.0};
  if (m->cohorts)
    since = wn_mcc_since_mark(m, e->x[1], e->x[2], r->moved[2], r->u[0], r->u[1], r->u[2],
                              wn_mcc_rise(r->base_ev, r->energy), r->since,
                              (double)r->left + wn_mcc_steps_after(e->t_left) * m->dt);
  const int64_t tag = wn_mcc_watch_energy(m, (double)r->energy, u_z, (double)r->left,
                                          e->w, e->tag, e->t_left, since, group, *t);
  if (tag < 0)
    return WN_MCC_DEAD;
  e->tag = (uint32_t)tag;
  return 0;
}

/* How often candidates come to an electron of this energy, and for how long that holds. */
static WN_HD struct wn_mcc_band wn_mcc_band(struct wn_mcc_kind kind, float energy)
{
  const struct wn_mcc_band all = {0xffffffffu, 1.0f, 1.0f, INFINITY};
  return kind.banded ? kind.band[wn_mcc_band_of(energy)] : all;
}

/* A flight in the magnetic field of a grid to the end of dt. */
static WN_HD void wn_mcc_go_b(const struct wn_mcc *m, struct wn_mcc_kind kind,
                              struct wn_mcc_reg *r, const struct wn_electron *e, float dt)
{
  const float before = r->energy;
  const struct wn_mcc_force f = wn_mcc_force(m, kind, e);
  const struct wn_mcc_place at = {{r->moved[0], r->moved[1], r->moved[2]},
                                  {r->u[0], r->u[1], r->u[2]},
                                  {f.a[0], f.a[1], f.a[2]}},
                            to = wn_mcc_fly_b(m, at, dt);
  for (int i = 0; i < 3; i++) {
    r->moved[i] = to.x[i];
    r->u[i] = to.u[i];
  }
  wn_mcc_rebase(r, wn_energy_f(wn_square_f(r->u)));
  r->gained += r->energy - before;
}

/* What a candidate adds to energy_sum; slower: of its band.  Candidates are a Poisson process
 * of rate 1/(slower inv_nu), known before the flight, so the sum of energy over rate is on
 * average the integral of the energy over time (doc/physics.md, "Control variate"). */
static WN_HD float wn_mcc_energy_seen(int banded, float energy, float slower,
                                      float inv_nu)
{
  return banded ? energy * (slower * inv_nu) : energy;
}

/* What is left of a time after dt of it; rounding may not make it less than nothing. */
static WN_HD float wn_mcc_less(float time, float dt)
{
  return time > dt ? time - dt : 0.0f;
}

/* The same: without bands dt is the lesser of two times, and nothing is rounded; whether there
 * are bands is a constant in a kernel. */
static WN_HD float wn_mcc_rest(struct wn_mcc_kind kind, float time, float dt)
{
  return WN_ON_DEVICE && !kind.banded ? time - dt : wn_mcc_less(time, dt);
}

/* A flight as it ends: its seconds, and where: at the next candidate, at the horizon of its
 * band (cut), or neither: at the end of the mobility step. */
struct wn_mcc_leg {
  struct wn_mcc_band band;
  float dt;
  int at_candidate, cut;
};

/* dt, at_candidate and cut of a leg in its band, from `next` and `left` of r. */
static WN_HD void wn_mcc_measure(struct wn_mcc_kind kind, const struct wn_mcc_reg *r,
                                 struct wn_mcc_leg *leg)
{
  const float until = r->next * leg->band.slower;
  leg->at_candidate = until <= r->left;
  leg->dt = leg->at_candidate ? until : r->left;
  leg->cut = kind.banded && leg->dt > leg->band.horizon;
  leg->dt = leg->cut ? leg->band.horizon : leg->dt;
}

/* The parabola of a flight that begins now, and its coefficient of t^2. */
static WN_HD struct wn_mcc_parabola wn_mcc_path(const struct wn_mcc *m,
                                                struct wn_mcc_kind kind,
                                                const struct wn_mcc_reg *r,
                                                const struct wn_electron *e)
{
  const struct wn_mcc_force force = wn_mcc_force(m, kind, e);
  struct wn_mcc_parabola p = wn_mcc_parabola(&force, r->u);
  if (kind.slows)
    p.s1 = wn_continuous_at(m->xs.continuous, r->base_ev).g;
  return p;
}

static WN_HD float wn_mcc_bend(const struct wn_mcc *m, struct wn_mcc_kind kind,
                               const struct wn_mcc_reg *r, const struct wn_electron *e)
{
  return kind.slows ? wn_continuous_at(m->xs.continuous, r->base_ev).h
                    : wn_mcc_force(m, kind, e).a2;
}

/* The flight itself.  *p: of r->u.  x and u are deferred until wn_mcc_commit. */
static WN_HD struct wn_mcc_leg wn_mcc_go(const struct wn_mcc *m, struct wn_mcc_kind kind,
                                         struct wn_mcc_reg *r,
                                         const struct wn_mcc_parabola *p,
                                         const struct wn_electron *e)
{
  struct wn_mcc_leg leg;
  leg.band = wn_mcc_band(kind, r->energy);
  wn_mcc_measure(kind, r, &leg);
  r->left = wn_mcc_rest(kind, r->left, leg.dt);
  if (WN_UNLIKELY(!wn_mcc_waits(kind))) {
    wn_mcc_go_b(m, kind, r, e, leg.dt);
  } else if (WN_UNLIKELY(kind.has_b)) {
    r->since += leg.dt;
    r->energy = wn_mcc_turned_ev(m, r->u[0], r->u[1], r->u[2], r->base_ev, r->since);
  } else {
    r->since += leg.dt;
    r->energy = wn_energy_f(wn_mcc_parabola_at(p, wn_mcc_bend(m, kind, r, e), r->since));
  }
  return leg;
}

/* The watch at its end; WN_MCC_DEAD or 0. */
static WN_HD int wn_mcc_watch_leg(const struct wn_mcc *m, struct wn_mcc_kind kind,
                                  const struct wn_mcc_reg *r, struct wn_electron *e,
                                  int group, struct wn_tally *t)
{
  struct wn_mcc_reg now = *r;
  if (kind.has_b && wn_mcc_waits(kind)) /* wn_mcc_watch flies straight on */
    wn_mcc_commit_b(m, &now);
  return wn_mcc_watch(m, &now, e, group, t);
}

/* What it comes to there.  choice, flight: random words of the candidate; *choice becomes
 * one of those below the part of the band.  Returns WN_MCC_EVENT, WN_MCC_DONE, or 0 after a
 * null candidate or a cut. */
static WN_HD int wn_mcc_come(const struct wn_mcc *m, struct wn_mcc_kind kind,
                             struct wn_mcc_reg *r, const struct wn_electron *e,
                             struct wn_tally *t, struct wn_mcc_leg leg, uint32_t *choice,
                             uint32_t flight)
{
  if (leg.cut | !leg.at_candidate) {
    r->next = wn_mcc_rest(kind, r->next, leg.band.rate * leg.dt);
    if (leg.cut)
      return 0;
    r->left = 0.0f;
    return WN_MCC_DONE;
  }
  r->next = wn_exponential_f(flight) * m->inv_nu;
  r->n_candidates++;
  const uint32_t major = kind.top[wn_xs_bin(&m->xs, r->energy)].major;
  if (!kind.banded || kind.has_b)
    r->energy_sum +=
        wn_mcc_energy_seen(kind.banded, r->energy, leg.band.slower, m->inv_nu);
  if (kind.banded) {
    *choice = wn_mcc_part_of(*choice, flight, leg.band.part);
    if (WN_UNLIKELY(major > leg.band.part))
      wn_tally_violation(t->alarms, e->id);
  }
  return *choice < major ? WN_MCC_EVENT : 0;
}

/* Fly to the next candidate, to the horizon of the band, or to the end of the mobility step.
 * Returns what wn_mcc_come does, or WN_MCC_DEAD. */
static WN_HD int wn_mcc_fly(const struct wn_mcc *m, struct wn_mcc_kind kind,
                            struct wn_mcc_reg *r, const struct wn_mcc_parabola *p,
                            struct wn_electron *e, int group, struct wn_tally *t,
                            uint32_t *choice, uint32_t flight)
{
  const struct wn_mcc_leg leg = wn_mcc_go(m, kind, r, p, e);
  if (WN_UNLIKELY(r->energy >= m->watch_ev)) {
    int dead = wn_mcc_watch_leg(m, kind, r, e, group, t);
    if (dead)
      return dead;
  }
  return wn_mcc_come(m, kind, r, e, t, leg, choice, flight);
}

/* Of an event, what wn_mcc_collide needs. */
struct wn_mcc_ticket {
  uint32_t event, choice;
};

/* The flights of an event from flight i on, which has been made and has to be watched.  A
 * function of its own, for WN_MCC_WATCH_APART. */
static WN_COLD int wn_mcc_flights_watched(const struct wn_mcc *m, struct wn_mcc_kind kind,
                                          struct wn_mcc_reg *r, struct wn_electron *e,
                                          int group, struct wn_tally t,
                                          struct wn_mcc_leg leg, int i,
                                          struct wn_mcc_ticket *ticket)
{
  const struct wn_rng4 w = wn_rng_with(&m->key, e->id, ticket->event, WN_RNG_EVENT, 0);
  int what = wn_mcc_watch_leg(m, kind, r, e, group, &t);
  ticket->choice = i == 0 ? w.w[0] : w.w[2];
  if (what != 0)
    return what;
  what = wn_mcc_come(m, kind, r, e, &t, leg, &ticket->choice, i == 0 ? w.w[1] : w.w[3]);
  if (what != 0 || i == 1)
    return what;
  const struct wn_mcc_parabola p = wn_mcc_path(m, kind, r, e);
  ticket->choice = w.w[2];
  return wn_mcc_fly(m, kind, r, &p, e, group, &t, &ticket->choice, w.w[3]);
}

/* The flights of one event: up to two, the second only if the first ended at a null
 * candidate or at the horizon.
 * Returns what wn_mcc_fly does. */
static WN_HD int wn_mcc_flights(const struct wn_mcc *m, struct wn_mcc_kind kind,
                                struct wn_mcc_reg *r, struct wn_electron *e, int group,
                                struct wn_tally *t, struct wn_mcc_ticket *ticket)
{
  uint32_t event = e->event++;
  struct wn_rng4 w = wn_rng_with(&m->key, e->id, event, WN_RNG_EVENT, 0);
  const struct wn_mcc_parabola p = wn_mcc_path(m, kind, r, e);
  uint32_t choice = w.w[0], flight = w.w[1];
  int what;
  ticket->event = event;
  WN_ROLLED
  for (int i = 0;; i++) {
    if (kind.watched == WN_MCC_WATCH_HERE) {
      what = wn_mcc_fly(m, kind, r, &p, e, group, t, &choice, flight);
    } else {
      const struct wn_mcc_leg leg = wn_mcc_go(m, kind, r, &p, e);
      if (WN_UNLIKELY(r->energy >= m->watch_ev)) {
        if (kind.watched == WN_MCC_WATCH_STOPS)
          return WN_MCC_EVENT;
        struct wn_mcc_reg now = *r; /* what is called with is in memory */
        struct wn_mcc_ticket of = {event, 0};
        what = wn_mcc_flights_watched(m, kind, &now, e, group, *t, leg, i, &of);
        *r = now;
        choice = of.choice;
        break;
      }
      what = wn_mcc_come(m, kind, r, e, t, leg, &choice, flight);
    }
    if (what != 0 || i == 1)
      break;
    choice = w.w[2];
    flight = w.w[3];
  }
  ticket->choice = choice;
  return what;
}

#endif
