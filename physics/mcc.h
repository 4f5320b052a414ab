/* physics/mcc.h - model `mcc`: one electron through a gas by the null-collision method
 * (Skullerud 1968; Koura 1986). Candidate collisions come at the constant rate nu_max,
 * whatever the electron does; the flight between them is exact; at a candidate one
 * uniform number picks a gas, a process, or nothing.  Any number of collisions in a
 * mobility step.
 *
 * Time level: x and u belong to the same time, which is the end of the phase minus the
 * time that remains. The velocity of the target is drawn before the choice (from its
 * Maxwellian) and the choice is made with the relative energy, so that the rate of
 * collisions with approaching and receding molecules is right.
 *
 * Null candidates change nothing, so flights through them are one flight: between real
 * collisions only the energy at a candidate is computed (|u|^2 is a parabola of time in
 * a uniform electric field), and x and u are brought up to date (wn_mcc_commit) where a
 * collision, or the end of the mobility step, needs them.
 *
 * Random numbers: an event is a block of four words: choice and next flight of one
 * candidate, and of the one after it when the first is null.  A collision draws its own
 * blocks under the number of the event: enum in physics/rng.h. */
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
  double accel2_c2;  /* |accel|^2/c^2, 1/s2: wn_mcc_set_field */
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

/* The constants that follow from accel. */
static WN_HD void wn_mcc_set_field(struct wn_mcc *m)
{
  double a2 =
      m->accel[0] * m->accel[0] + m->accel[1] * m->accel[1] + m->accel[2] * m->accel[2];
  m->inv_accel2 = a2 != 0.0 ? 1.0 / a2 : 0.0;
  m->accel2_c2 = a2 * (1.0 / (WN_C * WN_C));
}

/* What decides which code runs, apart from the numbers: a kernel passes constants here
 * and becomes small, others pass wn_mcc_kind(m). */
struct wn_mcc_kind {
  int has_b, angle_model, share_model;
  int is_slow; /* the electron at hand is below WN_MCC_SLOW_EV and was at its last commit
                */
};

/* So far below 255 eV (|u|^2/c^2 = 1e-3, where series take the place of square roots)
 * that neither a flight nor a superelastic collision brings an electron there. */
#define WN_MCC_SLOW_EV 200.0

static WN_HD struct wn_mcc_kind wn_mcc_kind(const struct wn_mcc *m)
{
  struct wn_mcc_kind kind = {m->has_b, m->xs.angle_model, m->xs.share_model, 0};
  return kind;
}

enum {
  WN_MCC_DONE = 1,  /* the mobility step is over */
  WN_MCC_DEAD = 2,  /* attached, or removed above stop_ev */
  WN_MCC_CHILD = 4, /* *child was filled */
  WN_MCC_EVENT = 8  /* a candidate that its majorant does not rule out: wn_mcc_collide */
};

/* An electron in registers during a mobility step.  moved (m, since the step began), u
 * and base_ev belong to the last commit, `since` seconds ago; energy, left and next to
 * the present. */
struct wn_mcc_reg {
  double moved[3], u[3], base_ev;
  double since, energy;
  double left, next; /* s: rest of this mobility step, to the next candidate */
  double gained, energy_sum, control;
  uint32_t n_candidates, n_real;
};

/* u was set: begin a new flight. */
static WN_HD void wn_mcc_rebase(struct wn_mcc_reg *r, double energy)
{
  r->base_ev = r->energy = energy;
  r->since = 0.0;
}

static WN_HD double wn_mcc_u2_c2(const double u[3])
{
  return (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) * (1.0 / (WN_C * WN_C));
}

/* |u|^2/c^2 of a flight, t seconds after the last commit: s0 + t (s1 + t accel2_c2). */
struct wn_mcc_parabola {
  double s0, s1;
};

static WN_HD struct wn_mcc_parabola wn_mcc_parabola(const struct wn_mcc *m,
                                                    const double u[3])
{
  struct wn_mcc_parabola p = {
      wn_mcc_u2_c2(u), (u[0] * m->accel[0] + u[1] * m->accel[1] + u[2] * m->accel[2]) *
                           (2.0 / (WN_C * WN_C))};
  return p;
}

/* Not below 0, where rounding would bring it at a turn.  No fmax(): a loop with it is not
 * made into vectors. */
static WN_HD double wn_mcc_parabola_at(const struct wn_mcc_parabola *p, double a2_c2,
                                       double t)
{
  double s = p->s0 + t * (p->s1 + t * a2_c2);
  return s > 0.0 ? s : 0.0;
}

/* Of t_left mobility steps: the whole ones after the present one, and what is left of
 * this, s. */
static WN_HD double wn_mcc_steps_after(float t_left)
{
  return ceil((double)t_left) - 1.0;
}

static WN_HD double wn_mcc_left(const struct wn_mcc *m, float t_left)
{
  return ((double)t_left - wn_mcc_steps_after(t_left)) * m->dt;
}

static WN_HD void wn_mcc_load(const struct wn_mcc *m, const struct wn_electron *e,
                              struct wn_mcc_reg *r)
{
  for (int i = 0; i < 3; i++) {
    r->moved[i] = 0.0;
    r->u[i] = (double)e->u[i];
  }
  wn_mcc_rebase(r, wn_kinetic_of(wn_mcc_u2_c2(r->u), 0));
  r->left = wn_mcc_left(m, e->t_left);
  r->next = (double)e->t_next;
  r->gained = r->energy_sum = r->control = 0.0;
  r->n_candidates = r->n_real = 0;
}

/* Bring x and u to the present, with the energy as it is. */
static WN_HD void wn_mcc_commit_with(const struct wn_mcc *m, struct wn_mcc_reg *r,
                                     int is_short)
{
  wn_flight_e_gammas(r->moved, r->u, 1.0 + r->base_ev * (1.0 / WN_MC2_EV),
                     1.0 + r->energy * (1.0 / WN_MC2_EV), m->accel, m->inv_accel2,
                     m->accel2_c2, r->since, is_short);
  r->gained += r->energy - r->base_ev;
  r->base_ev = r->energy;
  r->since = 0.0;
}

static WN_HD void wn_mcc_commit(const struct wn_mcc *m, struct wn_mcc_reg *r)
{
  wn_mcc_commit_with(m, r, 0);
}

/* Round to what is stored and hand the sums of this mobility step to the tallies.  *e:
 * as it was loaded, but for event and tag. */
static WN_HD void wn_mcc_store(const struct wn_mcc *m, struct wn_mcc_reg *r,
                               struct wn_electron *e, int group, struct wn_tally *t)
{
  struct wn_tally_group *g = &t->group[group];
  double w = (double)e->w, length = w / (WN_C * m->phase);
  double lived = wn_mcc_left(m, e->t_left) - r->left;
  for (int i = 0; i < 3; i++) {
    wn_tally_sum(&g->path[i], r->moved[i] * length, WN_FIX_PHASE);
    e->x[i] += r->moved[i];
    e->u[i] = (float)r->u[i];
  }
  e->t_left = (float)wn_mcc_steps_after(e->t_left);
  e->t_next = (float)r->next;
  wn_tally_sum(&g->time, w * (lived / m->phase), WN_FIX_PHASE);
  wn_tally_sum(&g->energy, w * r->energy_sum, WN_FIX_ENERGY);
  wn_tally_sum(&g->candidates, w * r->n_candidates, WN_FIX_WEIGHT);
  wn_tally_sum(&g->gained, w * r->gained, WN_FIX_ENERGY);
  wn_tally_sum(&g->control, (r->moved[2] + r->control) * length, WN_FIX_PHASE);
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
    wn_tally_sum(&t->passed[group * m->n_thresholds + passed], (double)e->w,
                 WN_FIX_WEIGHT);
    if (t->first_passage != NULL) {
      double now = m->t_end - r->left - wn_mcc_steps_after(e->t_left) * m->dt;
      int64_t tick = (int64_t)llrint(now / m->phase * 0x1p20);
      wn_atomic_min(&t->first_passage[(size_t)(e->tag & WN_TAG_LINEAGE_MASK) *
                                          (size_t)m->n_thresholds +
                                      (size_t)passed],
                    tick);
    }
    passed++;
  }
  e->tag = (e->tag & WN_TAG_LINEAGE_MASK) | (uint32_t)passed << WN_TAG_LINEAGE_BITS;
  wn_tally_max(&t->alarms->max_energy_ev, r->energy);
  if (r->energy >= m->stop_ev) {
    wn_tally_sum(&t->group[group].removed, (double)e->w, WN_FIX_WEIGHT);
    wn_tally_sum(&t->group[group].dropped, (double)e->w * r->energy, WN_FIX_ENERGY);
    return WN_MCC_DEAD;
  }
  if (r->energy >= m->limit_ev)
    wn_tally_alarm(&t->alarms->n_beyond);
  return 0;
}

/* Direction d after a collision with gas g at relative energy t_ev, u before.  Elastic:
 * the parameter of the gas, from its cross sections.  Excitation: the Coulomb-like xi =
 * 4e/(1 + 4e), e = E/27.21 eV, which Okhrimovskyy et al. give for want of data: inelastic
 * scattering is far more forward than what the elastic cross sections of a molecule say.
 * sine, cosine: of the azimuth.  Returns the part of d[2] that is zero on average over
 * the azimuth (and over the polar angle when isotropic). */
static WN_HD double wn_mcc_scatter(const struct wn_mcc *m, struct wn_mcc_kind kind,
                                   const struct wn_gas_view *g, int elastic, double t_ev,
                                   const struct wn_rng4 *w, double sine, double cosine,
                                   uint64_t id, uint32_t event, const double u[3],
                                   double d[3])
{
  if (kind.angle_model == WN_ANGLE_ISOTROPIC) {
    wn_angle_isotropic_with(d, wn_u01(w->w[2]), sine, cosine);
    return d[2];
  }
  double q = elastic ? wn_xs_angle(&m->xs, g->angle, wn_xs_bin(&m->xs, t_ev), t_ev)
                     : wn_angle_coulomb_q(t_ev);
  double s = wn_angle_s(q, wn_u01(w->w[2]));
  if (kind.angle_model == WN_ANGLE_SCREENED_COULOMB) {
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
static WN_HD void wn_mcc_ionize(const struct wn_mcc *m, struct wn_mcc_kind kind,
                                const struct wn_gas_view *g,
                                const struct wn_process_view *p, double t_ev,
                                const struct wn_rng4 *w, uint64_t id, uint32_t event,
                                double u[3], double v[3], double d1[3], double d2[3])
{
  double w_ev, rest = t_ev - p->loss_ev;
  struct wn_rng4 r = wn_rng(m->seed, id, event, WN_RNG_EVENT, WN_RNG_BLOCK_IONIZE);
  if (kind.share_model == WN_SHARING_EQUAL)
    w_ev = 0.5 * rest;
  else if (kind.share_model == WN_SHARING_OPAL)
    w_ev = wn_ionize_opal(t_ev, p->loss_ev, g->opal_ev, wn_u01(r.w[2]));
  else
    w_ev = wn_ionize_rbeb(t_ev, p->b_ev, m->seed, id, event);
  if (w_ev > rest)
    w_ev = rest;
  double t1 = rest - w_ev, k = 1.0 / sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  if (kind.angle_model == WN_ANGLE_ISOTROPIC) {
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

/* Which gas: the first whose cumulative majorant exceeds the word.  Out: how far the word
 * is above what lies below it, and its own width, as probabilities. */
static WN_HD int wn_mcc_choose_gas(const struct wn_mcc *m, int bin, uint32_t word,
                                   float *pick, double *width)
{
  const uint32_t *major = m->xs.major + (size_t)bin * (size_t)m->xs.n_gases;
  uint32_t below = 0;
  int s = 0;
  while (word >= major[s])
    below = major[s++];
  *pick = (float)(word - below) * 0x1p-32f;
  *width = (major[s] - below) * 0x1p-32;
  return s;
}

/* Spread of the target's velocity along an axis over c; 0: at rest, for a cold gas and
 * for fast electrons. */
static WN_HD double wn_mcc_target_sigma(const struct wn_mcc *m,
                                        const struct wn_gas_view *g, double energy)
{
  return energy < m->xs.thermal_below_ev ? g->sigma_v * (1.0 / WN_C) : 0.0;
}

/* Velocity of the target over c, from two words of block REAL. */
static WN_HD void wn_mcc_target(const float *normal, double sigma,
                                const struct wn_rng4 *w, double beta[3])
{
  beta[0] = sigma * (double)normal[w->w[0] & (WN_XS_NORMALS - 1)];
  beta[1] = sigma * (double)normal[w->w[0] >> 11 & (WN_XS_NORMALS - 1)];
  beta[2] = sigma * (double)normal[w->w[1] & (WN_XS_NORMALS - 1)];
}

/* Go to the rest frame of the target, whose velocity is q->beta.  A target at rest leaves
 * all as it is. */
static WN_HD void wn_mcc_meet(struct wn_mcc_meeting *q, int is_small)
{
  wn_boost_slow(q->u, q->gamma, q->beta, 1.0);
  q->t_ev = wn_kinetic_of(wn_mcc_u2_c2(q->u), is_small);
  q->gamma = 1.0 + q->t_ev * (1.0 / WN_MC2_EV);
}

/* Which process of gas g at relative energy t_ev; pick in [0, width).  -1: null. */
static WN_HD int wn_mcc_choose_process(const struct wn_mcc *m,
                                       const struct wn_gas_view *g, double t_ev,
                                       float pick, double width, struct wn_tally *t)
{
  uint32_t seg = wn_xs_segment(&m->xs, wn_xs_bin(&m->xs, t_ev), t_ev);
  const float *row = g->row + (size_t)seg * (size_t)g->n * 2;
  float de = (float)(t_ev - m->xs.edge[seg]);
  int low = 0, high = g->n - 1;
  float total = row[2 * high] + row[2 * high + 1] * de;
  if (WN_UNLIKELY((double)total > width * (1.0 + 1e-6)))
    wn_tally_alarm(&t->alarms->n_violations);
  if (pick >= total)
    return -1;
  /* the first whose cumulative probability exceeds pick; three are looked at together, as
   * it is the waiting for them that costs */
  while (low < high) {
    int quarter = (high - low + 3) >> 2, i = low + quarter - 1, j = i + quarter,
        k = j + quarter;
    j = j < high ? j : high;
    k = k < high ? k : high;
    float a = row[2 * i] + row[2 * i + 1] * de, b = row[2 * j] + row[2 * j + 1] * de,
          c = row[2 * k] + row[2 * k + 1] * de;
    int above = (pick >= a) + (pick >= b) + (pick >= c);
    int next = low + above * quarter;
    if (above == 0)
      high = i;
    else if (above == 1)
      high = j;
    else if (above == 2)
      high = k;
    low = next < high ? next : high;
  }
  return low;
}

/* Mean free time that belongs to the majorant of a bin, s: for the control variate
 * (src/diag_swarm.c).  Candidates that pass the majorant are a Poisson process of rate
 * nu_max * major, so displacement minus the sum of velocity / rate over them is zero on
 * average; so is, at each collision, the part of the new direction that averages to zero.
 */
static WN_HD double wn_mcc_free_time(const struct wn_mcc *m, int bin)
{
  return m->inv_nu * (double)m->xs.free_time[bin];
}

/* Velocity along z for the control variate, to single precision. */
static WN_HD double wn_mcc_velocity_z(double u_z, double gamma)
{
  return (double)((float)u_z / (float)gamma);
}

/* The electron after a collision, back in the frame of the gas: state, sums. */
static WN_HD void wn_mcc_leave(struct wn_mcc_reg *r, const struct wn_electron *e,
                               int index, double given, const struct wn_mcc_meeting *q,
                               struct wn_tally *t)
{
  double before = r->energy;
  for (int i = 0; i < 3; i++)
    r->u[i] = q->u[i];
  wn_mcc_rebase(r, q->t_ev);
  r->n_real++;
  wn_tally_sum(&t->count[index], (double)e->w, WN_FIX_WEIGHT);
  wn_tally_sum(&t->lost[index], (double)e->w * (before - r->energy - given),
               WN_FIX_ENERGY);
}

/* The end of an attached electron: its whole energy goes to the process. */
static WN_HD int wn_mcc_attach(struct wn_mcc_reg *r, const struct wn_electron *e,
                               int index, double energy, struct wn_tally *t)
{
  r->n_real++;
  wn_tally_sum(&t->count[index], (double)e->w, WN_FIX_WEIGHT);
  wn_tally_sum(&t->lost[index], (double)e->w * energy, WN_FIX_ENERGY);
  return WN_MCC_DEAD;
}

/* Back from the rest frame of the target: q->u and t_ev become those of the frame of the
 * gas. */
static WN_HD void wn_mcc_part(struct wn_mcc_meeting *q, int is_small)
{
  wn_boost_slow(q->u, q->gamma, q->beta, -1.0);
  q->t_ev = wn_kinetic_of(wn_mcc_u2_c2(q->u), is_small);
}

/* Ionization with gas g, process p: fills *child. */
static WN_HD void wn_mcc_split(const struct wn_mcc *m, struct wn_mcc_kind kind,
                               const struct wn_gas_view *g,
                               const struct wn_process_view *p, struct wn_mcc_reg *r,
                               const struct wn_electron *e, const struct wn_rng4 *w,
                               uint32_t event, double free_time, struct wn_mcc_meeting *q,
                               struct wn_electron *child, double *given)
{
  double v[3], d1[3], d2[3];
  wn_mcc_ionize(m, kind, g, p, q->t_ev, w, e->id, event, q->u, v, d1, d2);
  q->gamma = wn_gamma(q->u);
  /* isotropic: both directions average to zero; forward: one azimuth turns both, so they
   * are left out */
  if (kind.angle_model == WN_ANGLE_ISOTROPIC)
    r->control += free_time * (q->u[2] + v[2]);
  wn_boost_slow(v, wn_gamma(v), q->beta, -1.0);
  struct wn_rng4 b = wn_rng(m->seed, e->id, event, WN_RNG_BIRTH, 0);
  for (int i = 0; i < 3; i++) {
    child->x[i] = e->x[i] + r->moved[i];
    child->u[i] = (float)v[i];
    v[i] = (double)child->u[i]; /* what is stored is what it has */
  }
  child->w = e->w;
  child->id = (uint64_t)b.w[1] << 32 | b.w[0];
  child->event = 0;
  child->tag = e->tag & WN_TAG_LINEAGE_MASK;
  child->t_left = (float)(wn_mcc_steps_after(e->t_left) + r->left / m->dt);
  child->t_next = (float)((double)wn_exponential_f(b.w[2]) * m->inv_nu);
  *given = wn_kinetic_ev(v, wn_gamma(v));
}

/* A candidate that is not ruled out by the majorant of its bin (wn_mcc_fly said
 * WN_MCC_EVENT, and x and u are at the present): choose gas and process and carry it out.
 * word: of the choice.  Returns WN_MCC_DEAD, WN_MCC_CHILD or 0. */
static WN_HD int wn_mcc_collide(const struct wn_mcc *m, struct wn_mcc_kind kind,
                                struct wn_mcc_reg *r, const struct wn_electron *e,
                                int group, struct wn_tally *t, struct wn_electron *child,
                                uint32_t event, uint32_t word)
{
  int bin = wn_xs_bin(&m->xs, r->energy);
  float pick;
  double width, free_time = wn_mcc_free_time(m, bin);
  const struct wn_gas_view *g =
      &m->xs.gas[wn_mcc_choose_gas(m, bin, word, &pick, &width)];
  struct wn_rng4 w = wn_rng(m->seed, e->id, event, WN_RNG_EVENT, WN_RNG_BLOCK_REAL);
  struct wn_mcc_meeting q = {{r->u[0], r->u[1], r->u[2]},
                             1.0 + r->energy * (1.0 / WN_MC2_EV),
                             r->energy,
                             {0.0, 0.0, 0.0}};
  double sigma = wn_mcc_target_sigma(m, g, r->energy);
  r->control -= free_time * wn_mcc_velocity_z(r->u[2], q.gamma);
  if (sigma > 0.0) {
    wn_mcc_target(m->xs.normal, sigma, &w, q.beta);
    wn_mcc_meet(&q, kind.is_slow);
  }
  int k = wn_mcc_choose_process(m, g, q.t_ev, pick, width, t);
  int index = group * m->xs.n_processes + g->first + k, result = 0;
  double given = 0.0;
  if (k < 0) { /* null */
    wn_mcc_rebase(r, r->energy);
    return 0;
  }
  const struct wn_process_view *p = &m->xs.process[g->first + k];
  if (p->kind == WN_PROC_ATTACHMENT)
    return wn_mcc_attach(r, e, index, r->energy, t);
  if (p->kind == WN_PROC_IONIZATION) {
    wn_mcc_split(m, kind, g, p, r, e, &w, event, free_time, &q, child, &given);
    t->n_births++;
    result = WN_MCC_CHILD;
  } else {
    double k_ev =
               wn_cm_kinetic_with(q.t_ev, g->cm_part, g->cm_x, kind.is_slow) - p->loss_ev,
           d[3], sine, cosine;
    if (WN_UNLIKELY(k_ev < 0.0)) {
      wn_tally_alarm(&t->alarms->n_forbidden);
      wn_mcc_rebase(r, r->energy);
      return 0;
    }
    wn_sincos_word(w.w[3], &sine, &cosine);
    double drift = wn_mcc_scatter(m, kind, g, p->kind == WN_PROC_ELASTIC, q.t_ev, &w,
                                  sine, cosine, e->id, event, q.u, d);
    drift *= wn_collide_two_body_with(q.u, &q.gamma, k_ev, g->mass_ev, p->loss_ev, d,
                                      kind.is_slow);
    r->control += free_time * drift;
  }
  wn_mcc_part(&q, kind.is_slow);
  wn_mcc_leave(r, e, index, given, &q, t);
  return result;
}

/* Fly to the next candidate, or to the end of the mobility step.  *p: of r->u; choice,
 * flight: random words of the candidate.  Returns WN_MCC_EVENT, WN_MCC_DONE, WN_MCC_DEAD,
 * or 0 after a null candidate.  x and u wait for wn_mcc_commit. */
static WN_HD int wn_mcc_fly(const struct wn_mcc *m, struct wn_mcc_kind kind,
                            struct wn_mcc_reg *r, const struct wn_mcc_parabola *p,
                            struct wn_electron *e, int group, struct wn_tally *t,
                            uint32_t choice, uint32_t flight)
{
  int at_candidate = r->next <= r->left;
  double dt = at_candidate ? r->next : r->left;
  r->left -= dt;
  r->next -= dt;
  if (WN_UNLIKELY(kind.has_b)) {
    double gamma = 1.0 + r->energy * (1.0 / WN_MC2_EV), before = r->energy;
    wn_flight_eb(r->moved, r->u, &gamma, m->accel, m->gyro, dt);
    wn_mcc_rebase(r, wn_kinetic_of(wn_mcc_u2_c2(r->u), 0));
    r->gained += r->energy - before;
  } else {
    r->since += dt;
    r->energy = wn_kinetic_of(wn_mcc_parabola_at(p, m->accel2_c2, r->since), 0);
  }
  if (WN_UNLIKELY(r->energy >= m->watch_ev)) {
    int dead = wn_mcc_watch(m, r, e, group, t);
    if (dead)
      return dead;
  }
  if (!at_candidate) {
    r->left = 0.0;
    return WN_MCC_DONE;
  }
  r->next = (double)wn_exponential_f(flight) * m->inv_nu;
  r->energy_sum += r->energy;
  r->n_candidates++;
  int bin = wn_xs_bin(&m->xs, r->energy);
  return choice < m->xs.major[(size_t)(bin + 1) * (size_t)m->xs.n_gases - 1]
             ? WN_MCC_EVENT
             : 0;
}

/* What wn_mcc_collide needs to know of an event. */
struct wn_mcc_ticket {
  uint32_t event, choice;
};

/* The flights of one event: up to two candidates, the second only if the first is null.
 * Returns what wn_mcc_fly does. */
static WN_HD int wn_mcc_flights(const struct wn_mcc *m, struct wn_mcc_kind kind,
                                struct wn_mcc_reg *r, struct wn_electron *e, int group,
                                struct wn_tally *t, struct wn_mcc_ticket *ticket)
{
  uint32_t event = e->event++;
  struct wn_rng4 w = wn_rng(m->seed, e->id, event, WN_RNG_EVENT, 0);
  const struct wn_mcc_parabola p = wn_mcc_parabola(m, r->u);
  uint32_t choice = w.w[0], flight = w.w[1];
  int what;
  WN_ROLLED
  for (int i = 0;; i++) {
    what = wn_mcc_fly(m, kind, r, &p, e, group, t, choice, flight);
    if (what != 0 || i == 1)
      break;
    choice = w.w[2];
    flight = w.w[3];
  }
  ticket->event = event;
  ticket->choice = choice;
  return what;
}

/* The flights, and what happens at their end. */
static WN_HD int wn_mcc_advance(const struct wn_mcc *m, struct wn_mcc_kind kind,
                                struct wn_mcc_reg *r, struct wn_electron *e, int group,
                                struct wn_tally *t, struct wn_electron *child)
{
  struct wn_mcc_ticket ticket;
  int what = wn_mcc_flights(m, kind, r, e, group, t, &ticket);
  if (what == 0)
    return 0;
  if (!kind.has_b)
    wn_mcc_commit(m, r);
  return what == WN_MCC_EVENT
             ? wn_mcc_collide(m, kind, r, e, group, t, child, ticket.event, ticket.choice)
             : what;
}

#endif
