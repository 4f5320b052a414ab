/* physics/mcc.h - model `mcc`: one electron through a gas by the null-collision method
 * (Skullerud 1968; Koura 1986). Candidate collisions come at the constant rate nu_max,
 * whatever the electron does; the flight between them is exact; at a candidate one
 * uniform number picks a gas, a process, or nothing.  Any number of collisions in a
 * mobility step.
 *
 * Time level: x and u belong to the same time, which is the end of the phase minus the
 * time that remains. The velocity of the target is drawn before the choice (from its
 * Maxwellian) and the choice is made with the relative energy, so that the rate of
 * collisions with approaching and receding molecules is right. Random numbers of event n:
 * block 0 = choice, next flight, polar angle, azimuth; others: enum in physics/rng.h. */
#ifndef WN_PHYSICS_MCC_H
#define WN_PHYSICS_MCC_H
#include "physics/angle.h"
#include "physics/constants.h"
#include "physics/electron.h"
#include "physics/hd.h"
#include "physics/ionize.h"
#include "physics/kinematics.h"
#include "physics/push.h"
#include "physics/rng.h"
#include "physics/tally.h"
#include "physics/xs_view.h"

/* What holds for all electrons of a phase. */
struct wn_mcc {
  struct wn_xs_view xs;
  uint64_t seed;
  double accel[3]; /* -eE/m, m/s2 */
  double gyro[3];  /* eB/m, 1/s */
  int has_b;
  double dt;         /* mobility step, s */
  double phase;      /* phase, s: dt times the mobility steps */
  double inv_nu;     /* 1/nu_max, s */
  double inv_accel2; /* 1/|accel|^2, 0 when there is no field */
  double t_end;      /* time at the end of this phase since release, s */
  int n_groups;
  double watch_ev; /* min of the thresholds, stop_above and energy_limit: below it nothing
                      of these is looked at */
  double
      limit_ev;   /* last energy of a table with policy error, or the top of the tables */
  double stop_ev; /* electrons above it are counted and removed; INFINITY: none */
  int n_thresholds;
  const double *threshold_ev;
};

enum {
  WN_MCC_DONE = 1, /* the mobility step is over */
  WN_MCC_DEAD = 2, /* attached, or removed above stop_ev */
  WN_MCC_CHILD = 4 /* *child was filled */
};

/* An electron in registers during a mobility step. */
struct wn_mcc_reg {
  double x[3], u[3], gamma, energy; /* energy: eV, belongs to u */
  double left, next; /* s: rest of this mobility step, to the next candidate */
  double steps;      /* whole mobility steps after this one */
  double x0[3], left0, gained, energy_sum, control;
  uint32_t n_candidates, n_real;
};

static WN_HD void wn_mcc_load(const struct wn_mcc *m, const struct wn_electron *e,
                              struct wn_mcc_reg *r)
{
  double steps = ceil((double)e->t_left) - 1.0;
  for (int i = 0; i < 3; i++) {
    r->x[i] = r->x0[i] = e->x[i];
    r->u[i] = (double)e->u[i];
  }
  r->gamma = wn_gamma(r->u);
  r->energy = wn_kinetic_ev(r->u, r->gamma);
  r->left = r->left0 = ((double)e->t_left - steps) * m->dt;
  r->next = (double)e->t_next;
  r->steps = steps;
  r->gained = r->energy_sum = r->control = 0.0;
  r->n_candidates = r->n_real = 0;
}

/* Round to what is stored and hand the sums of this mobility step to the tallies. */
static WN_HD void wn_mcc_store(const struct wn_mcc *m, const struct wn_mcc_reg *r,
                               struct wn_electron *e, int group, struct wn_tally *t)
{
  struct wn_tally_group *g = &t->group[group];
  double w = (double)e->w, length = w / (WN_C * m->phase);
  for (int i = 0; i < 3; i++) {
    e->x[i] = r->x[i];
    e->u[i] = (float)r->u[i];
    g->path[i] += wn_fix((r->x[i] - r->x0[i]) * length, WN_FIX_PHASE);
  }
  e->t_left = (float)r->steps;
  e->t_next = (float)r->next;
  g->time += wn_fix(w * ((r->left0 - r->left) / m->phase), WN_FIX_PHASE);
  g->energy += wn_fix(w * r->energy_sum, WN_FIX_ENERGY);
  g->candidates += wn_fix(w * r->n_candidates, WN_FIX_WEIGHT);
  g->gained += wn_fix(w * r->gained, WN_FIX_ENERGY);
  g->control += wn_fix((r->x[2] - r->x0[2] + r->control) * length, WN_FIX_PHASE);
  t->n_candidates += r->n_candidates;
  t->n_real += r->n_real;
}

/* Thresholds, removal and the table's end; called only above watch_ev.  Returns
 * WN_MCC_DEAD or 0. */
static WN_HD int wn_mcc_watch(const struct wn_mcc *m, const struct wn_mcc_reg *r,
                              struct wn_electron *e, int group, struct wn_tally *t)
{
  int passed = (int)(e->tag >> WN_TAG_LINEAGE_BITS);
  while (passed < m->n_thresholds && r->energy >= m->threshold_ev[passed]) {
    t->passed[group * m->n_thresholds + passed] += wn_fix((double)e->w, WN_FIX_WEIGHT);
    if (t->first_passage != NULL) {
      double now = m->t_end - r->left - r->steps * m->dt;
      int64_t tick = (int64_t)llrint(now / m->phase * 0x1p20);
      wn_atomic_min(&t->first_passage[(size_t)(e->tag & WN_TAG_LINEAGE_MASK) *
                                          (size_t)m->n_thresholds +
                                      (size_t)passed],
                    tick);
    }
    passed++;
  }
  e->tag = (e->tag & WN_TAG_LINEAGE_MASK) | (uint32_t)passed << WN_TAG_LINEAGE_BITS;
  if (r->energy > t->max_energy_ev)
    t->max_energy_ev = r->energy;
  if (r->energy >= m->stop_ev) {
    t->group[group].removed += wn_fix((double)e->w, WN_FIX_WEIGHT);
    t->group[group].dropped += wn_fix((double)e->w * r->energy, WN_FIX_ENERGY);
    return WN_MCC_DEAD;
  }
  if (r->energy >= m->limit_ev)
    t->n_beyond++;
  return 0;
}

/* Direction d after a collision with gas g at relative energy t_ev, u before.  Elastic:
 * the parameter of the gas, from its cross sections.  Excitation: the Coulomb-like xi =
 * 4e/(1 + 4e), e = E/27.21 eV, which Okhrimovskyy et al. give for want of data: inelastic
 * scattering is far more forward than what the elastic cross sections of a molecule say.
 * sine, cosine: of the azimuth.  Returns the part of d[2] that is zero on average over
 * the azimuth (and over the polar angle when isotropic). */
static WN_HD double wn_mcc_scatter(const struct wn_mcc *m, const struct wn_gas_view *g,
                                   int elastic, double t_ev, const struct wn_rng4 *w,
                                   double sine, double cosine, uint64_t id,
                                   uint32_t event, const double u[3], double d[3])
{
  if (g->angle == NULL) {
    wn_angle_isotropic_with(d, wn_u01(w->w[2]), sine, cosine);
    return d[2];
  }
  double q = elastic ? wn_xs_angle(&m->xs, g->angle, wn_xs_bin(&m->xs, t_ev), t_ev)
                     : wn_angle_coulomb_q(t_ev);
  double s = wn_angle_s(q, wn_u01(w->w[2]));
  if (m->xs.angle_model == WN_ANGLE_SCREENED_COULOMB) {
    double gamma = t_ev / WN_MC2_EV + 1.0, beta2 = 1.0 - 1.0 / (gamma * gamma);
    for (uint32_t block = WN_RNG_BLOCK_ANGLE; block < 2 * WN_RNG_BLOCK_ANGLE; block++) {
      struct wn_rng4 r = wn_rng(m->seed, id, event, WN_RNG_EVENT, block);
      if (wn_u01(r.w[0]) < 1.0 - beta2 * s)
        break;
      s = wn_angle_s(q, wn_u01(r.w[1]));
      if (wn_u01(r.w[2]) < 1.0 - beta2 * s)
        break;
      s = wn_angle_s(q, wn_u01(r.w[3]));
    }
  }
  double k = 1.0 / sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]), z = k * u[2];
  for (int i = 0; i < 3; i++)
    d[i] = k * u[i];
  wn_angle_turn(d, s, sine, cosine);
  return d[2] - (1.0 - 2.0 * s) * z;
}

/* Ionization in the rest frame of the target: u becomes the faster electron, v the
 * slower. With isotropic angles the ion takes whatever momentum is missing; with a
 * forward model both leave at the angles of a free collision, opposite azimuths.  The
 * recoil energy of the ion is taken from the faster electron. */
static WN_HD void wn_mcc_ionize(const struct wn_mcc *m, const struct wn_gas_view *g,
                                const struct wn_process_view *p, double t_ev,
                                const struct wn_rng4 *w, uint64_t id, uint32_t event,
                                double u[3], double v[3], double d1[3], double d2[3])
{
  double w_ev, rest = t_ev - p->loss_ev;
  struct wn_rng4 r = wn_rng(m->seed, id, event, WN_RNG_EVENT, WN_RNG_BLOCK_IONIZE);
  if (m->xs.share_model == WN_SHARING_EQUAL)
    w_ev = 0.5 * rest;
  else if (m->xs.share_model == WN_SHARING_OPAL)
    w_ev = wn_ionize_opal(t_ev, p->loss_ev, g->opal_ev, wn_u01(r.w[2]));
  else
    w_ev = wn_ionize_rbeb(t_ev, p->b_ev, m->seed, id, event);
  if (w_ev > rest)
    w_ev = rest;
  double t1 = rest - w_ev, k = 1.0 / sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  if (g->angle == NULL) {
    wn_angle_isotropic(d1, wn_u01(w->w[2]), wn_u01(w->w[3]));
    wn_angle_isotropic(d2, wn_u01(r.w[0]), wn_u01(r.w[1]));
  } else {
    double s, c;
    wn_sincos_turn(wn_u01(w->w[3]), &s, &c);
    for (int i = 0; i < 3; i++)
      d1[i] = d2[i] = k * u[i];
    wn_angle_turn(d1, 0.5 * (1.0 - wn_angle_binary_cos(t_ev, t1)), s, c);
    wn_angle_turn(d2, 0.5 * (1.0 - wn_angle_binary_cos(t_ev, w_ev)), -s, -c);
  }
  /* momentum left to the ion, in units of m c; its energy q^2 m^2 / 2M comes from the
   * faster electron.  Twice, since the momentum depends on that energy: what is missing
   * then is (m/M)^2 of the recoil */
  double u2 = wn_u_from_ev(w_ev);
  for (int pass = 0; pass < 2; pass++) {
    double u1 = wn_u_from_ev(t1), q2 = 0.0;
    for (int i = 0; i < 3; i++) {
      double q = (u[i] - u1 * d1[i] - u2 * d2[i]) * (1.0 / WN_C);
      q2 += q * q;
    }
    t1 = rest - w_ev - 0.5 * q2 * WN_MC2_EV * (WN_MC2_EV / g->mass_ev);
    t1 = t1 > 0.0 ? t1 : 0.0;
  }
  double u1 = wn_u_from_ev(t1);
  for (int i = 0; i < 3; i++) {
    u[i] = u1 * d1[i];
    v[i] = u2 * d2[i];
  }
}

/* The electron as the target sees it. */
struct wn_mcc_meeting {
  double u[3], gamma, t_ev; /* in the rest frame of the target */
  double beta[3];           /* velocity of the target over c; 0: at rest */
};

/* Which gas: the first whose cumulative majorant exceeds pick.  Out: what lies below it,
 * and its own width. */
static WN_HD int wn_mcc_choose_gas(const struct wn_mcc *m, int bin, double pick,
                                   double *below, double *width)
{
  const float *major = m->xs.major + (size_t)bin * (size_t)m->xs.n_gases;
  int s = 0;
  *below = 0.0;
  while (pick >= (double)major[s])
    *below = (double)major[s++];
  *width = (double)major[s] - *below;
  return s;
}

/* Spread of the target's velocity along an axis over c; 0: at rest, for a cold gas and
 * for fast electrons. */
static WN_HD double wn_mcc_target_sigma(const struct wn_mcc *m,
                                        const struct wn_gas_view *g, double energy)
{
  return energy < m->xs.thermal_below_ev ? g->sigma_v * (1.0 / WN_C) : 0.0;
}

/* Draw the velocity of the target and go to its rest frame.  sigma = 0 leaves u, gamma
 * and the energy as they are, to the bit. */
static WN_HD void wn_mcc_meet(uint64_t seed, uint64_t id, uint32_t event, double sigma,
                              struct wn_mcc_meeting *q)
{
  wn_rng_normal3(wn_rng(seed, id, event, WN_RNG_EVENT, WN_RNG_BLOCK_THERMAL), q->beta);
  for (int i = 0; i < 3; i++)
    q->beta[i] *= sigma;
  wn_boost(q->u, &q->gamma, q->beta, 1.0);
  q->gamma = wn_gamma(q->u);
  q->t_ev = wn_kinetic_ev(q->u, q->gamma);
}

/* Which process of gas g at relative energy t_ev; pick in [0, width).  -1: null. */
static WN_HD int wn_mcc_choose_process(const struct wn_mcc *m,
                                       const struct wn_gas_view *g, double t_ev,
                                       double pick, double width, struct wn_tally *t)
{
  uint32_t seg = wn_xs_segment(&m->xs, wn_xs_bin(&m->xs, t_ev), t_ev);
  const float *row = g->row + (size_t)seg * (size_t)g->n * 2;
  float de = (float)(t_ev - m->xs.edge[seg]);
  double total = (double)(row[2 * g->n - 2] + row[2 * g->n - 1] * de);
  if (WN_UNLIKELY(total > width * (1.0 + 1e-6)))
    t->n_violations++;
  if (pick >= total)
    return -1;
  int k = 0;
  while (k < g->n - 1 && pick >= (double)(row[2 * k] + row[2 * k + 1] * de))
    k++;
  return k;
}

/* Mean free time that belongs to the majorant of a bin, s: for the control variate
 * (src/diag_swarm.c).  Candidates that pass the majorant are a Poisson process of rate
 * nu_max * major, so displacement minus the sum of velocity / rate over them is zero on
 * average; so is, at each collision, the part of the new direction that averages to zero.
 */
static WN_HD double wn_mcc_free_time(const struct wn_mcc *m, int bin)
{
  return m->inv_nu / (double)m->xs.major[(size_t)(bin + 1) * (size_t)m->xs.n_gases - 1];
}

/* The electron after a collision, back in the frame of the gas: state, sums. */
static WN_HD void wn_mcc_leave(struct wn_mcc_reg *r, const struct wn_electron *e,
                               int index, double given, const struct wn_mcc_meeting *q,
                               struct wn_tally *t)
{
  double before = r->energy;
  for (int i = 0; i < 3; i++)
    r->u[i] = q->u[i];
  r->gamma = q->gamma;
  r->energy = q->t_ev;
  r->n_real++;
  t->count[index] += wn_fix((double)e->w, WN_FIX_WEIGHT);
  t->lost[index] += wn_fix((double)e->w * (before - r->energy - given), WN_FIX_ENERGY);
}

/* The end of an attached electron: its whole energy goes to the process. */
static WN_HD int wn_mcc_attach(struct wn_mcc_reg *r, const struct wn_electron *e,
                               int index, double energy, struct wn_tally *t)
{
  r->n_real++;
  t->count[index] += wn_fix((double)e->w, WN_FIX_WEIGHT);
  t->lost[index] += wn_fix((double)e->w * energy, WN_FIX_ENERGY);
  return WN_MCC_DEAD;
}

/* Back from the rest frame of the target: q->u, gamma and t_ev become those of the frame
 * of the gas. */
static WN_HD void wn_mcc_part(struct wn_mcc_meeting *q)
{
  wn_boost(q->u, &q->gamma, q->beta, -1.0);
  q->gamma = wn_gamma(q->u);
  q->t_ev = wn_kinetic_ev(q->u, q->gamma);
}

/* Ionization with gas g, process p: fills *child. */
static WN_HD void wn_mcc_split(const struct wn_mcc *m, const struct wn_gas_view *g,
                               const struct wn_process_view *p, struct wn_mcc_reg *r,
                               const struct wn_electron *e, const struct wn_rng4 *w,
                               uint32_t event, double free_time, struct wn_mcc_meeting *q,
                               struct wn_electron *child, double *given)
{
  double v[3], d1[3], d2[3];
  wn_mcc_ionize(m, g, p, q->t_ev, w, e->id, event, q->u, v, d1, d2);
  q->gamma = wn_gamma(q->u);
  /* isotropic: both directions average to zero; forward: one azimuth turns both, so they
   * are left out */
  if (g->angle == NULL)
    r->control += free_time * (q->u[2] + v[2]);
  double gamma = wn_gamma(v);
  wn_boost(v, &gamma, q->beta, -1.0);
  struct wn_rng4 b = wn_rng(m->seed, e->id, event, WN_RNG_BIRTH, 0);
  for (int i = 0; i < 3; i++) {
    child->x[i] = r->x[i];
    child->u[i] = (float)v[i];
    v[i] = (double)child->u[i]; /* what is stored is what it has */
  }
  child->w = e->w;
  child->id = (uint64_t)b.w[1] << 32 | b.w[0];
  child->event = 0;
  child->tag = e->tag & WN_TAG_LINEAGE_MASK;
  child->t_left = (float)(r->steps + r->left / m->dt);
  child->t_next = (float)(wn_rng_exponential(b.w[2]) * m->inv_nu);
  *given = wn_kinetic_ev(v, wn_gamma(v));
}

/* A collision that is not ruled out by the majorant of its bin: choose gas and process
 * and carry it out. Returns WN_MCC_DEAD, WN_MCC_CHILD or 0. */
static WN_HD int wn_mcc_collide(const struct wn_mcc *m, struct wn_mcc_reg *r,
                                struct wn_electron *e, int group, struct wn_tally *t,
                                struct wn_electron *child, const struct wn_rng4 *w,
                                uint32_t event, int bin)
{
  double below, width, pick = wn_u01(w->w[0]), free_time = wn_mcc_free_time(m, bin);
  const struct wn_gas_view *g =
      &m->xs.gas[wn_mcc_choose_gas(m, bin, pick, &below, &width)];
  struct wn_mcc_meeting q = {
      {r->u[0], r->u[1], r->u[2]}, r->gamma, r->energy, {0.0, 0.0, 0.0}};
  double sigma = wn_mcc_target_sigma(m, g, r->energy);
  r->control -= free_time * r->u[2] / r->gamma;
  if (sigma > 0.0)
    wn_mcc_meet(m->seed, e->id, event, sigma, &q);
  int k = wn_mcc_choose_process(m, g, q.t_ev, pick - below, width, t);
  if (k < 0)
    return 0; /* null */
  const struct wn_process_view *p = &m->xs.process[g->first + k];
  int index = group * m->xs.n_processes + g->first + k, result = 0;
  double given = 0.0;
  if (p->kind == WN_PROC_ATTACHMENT)
    return wn_mcc_attach(r, e, index, r->energy, t);
  if (p->kind == WN_PROC_IONIZATION) {
    wn_mcc_split(m, g, p, r, e, w, event, free_time, &q, child, &given);
    t->n_births++;
    result = WN_MCC_CHILD;
  } else {
    double k_ev = wn_cm_kinetic_ev(q.t_ev, g->mass_ev) - p->loss_ev, d[3], sine, cosine;
    if (WN_UNLIKELY(k_ev < 0.0)) {
      t->n_forbidden++;
      return 0;
    }
    wn_sincos_turn(wn_u01(w->w[3]), &sine, &cosine);
    double drift = wn_mcc_scatter(m, g, p->kind == WN_PROC_ELASTIC, q.t_ev, w, sine,
                                  cosine, e->id, event, q.u, d);
    r->control += free_time * drift *
                  wn_collide_two_body(q.u, &q.gamma, k_ev, g->mass_ev, p->loss_ev, d);
  }
  wn_mcc_part(&q);
  wn_mcc_leave(r, e, index, given, &q, t);
  return result;
}

/* Fly to the next candidate, or to the end of the mobility step, and do what happens
 * there. */
static WN_HD int wn_mcc_advance(const struct wn_mcc *m, struct wn_mcc_reg *r,
                                struct wn_electron *e, int group, struct wn_tally *t,
                                struct wn_electron *child)
{
  int at_candidate = r->next <= r->left;
  double dt = at_candidate ? r->next : r->left, before = r->energy;
  if (WN_UNLIKELY(m->has_b))
    wn_flight_eb(r->x, r->u, &r->gamma, m->accel, m->gyro, dt);
  else
    wn_flight_e(r->x, r->u, &r->gamma, m->accel, m->inv_accel2, dt);
  r->energy = wn_kinetic_ev(r->u, r->gamma);
  r->gained += r->energy - before;
  r->left -= dt;
  r->next -= dt;
  if (WN_UNLIKELY(r->energy >= m->watch_ev)) {
    int dead = wn_mcc_watch(m, r, e, group, t);
    if (dead)
      return dead;
  }
  if (!at_candidate) {
    r->left = 0.0;
    return WN_MCC_DONE;
  }
  uint32_t event = e->event++;
  struct wn_rng4 w = wn_rng(m->seed, e->id, event, WN_RNG_EVENT, 0);
  int bin = wn_xs_bin(&m->xs, r->energy);
  r->next = wn_rng_exponential(w.w[1]) * m->inv_nu;
  r->energy_sum += r->energy;
  r->n_candidates++;
  if (wn_u01(w.w[0]) >=
      (double)m->xs.major[(size_t)(bin + 1) * (size_t)m->xs.n_gases - 1])
    return 0; /* null */
  return wn_mcc_collide(m, r, e, group, t, child, &w, event, bin);
}

#endif
