/* physics/mcc_collide.h - model `mcc` at a candidate: whether it is a real collision, and
 * what that does to the electron.
 *
 * The word picks a process by majorants that hold for every velocity of the target; then
 * that is drawn from its Maxwellian, and the collision is real with the probability that
 * belongs to the relative energy, so that the rate of collisions with approaching and
 * receding molecules is right.
 *
 * Some functions stand here twice, in float for slow electrons and in double precision
 * for the others: scatter and deflect.  They are not one text with another type: the
 * float ones are written as large + small with wn_fma and other series (single.h). */
#ifndef WN_PHYSICS_MCC_COLLIDE_H
#define WN_PHYSICS_MCC_COLLIDE_H
#include <math.h>
#include "physics/angle.h"
#include "physics/constants.h"
#include "physics/electron.h"
#include "physics/hd.h"
#include "physics/ionize.h"
#include "physics/kinematics.h"
#include "physics/mathfn.h"
#include "physics/mcc.h"
#include "physics/push.h"
#include "physics/rng.h"
#include "physics/single.h"
#include "physics/tally.h"
#include "physics/xs_view.h"

static WN_HD float wn_mcc_elastic_q(const struct wn_mcc *m, const struct wn_gas_view *g,
                                    float t_ev)
{
  return wn_xs_angle(&m->xs, g->angle, t_ev);
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
  double q =
      elastic ? (double)wn_mcc_elastic_q(m, g, (float)t_ev) : wn_angle_coulomb_q(t_ev);
  double s = wn_angle_s(q, wn_u01(w->w[2]));
  if (kind.angle_model == WN_ANGLE_SCREENED_COULOMB) {
    double gamma = t_ev / WN_MC2_EV + 1.0, beta2 = 1.0 - 1.0 / (gamma * gamma);
    for (uint32_t block = WN_RNG_BLOCK_ANGLE; block < 2 * WN_RNG_BLOCK_ANGLE; block++) {
      struct wn_rng4 r = wn_rng(m->key.seed, id, event, WN_RNG_EVENT, block);
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

/* The same for a slow electron, in single precision, in three parts.  The spin factor of
 * screened-coulomb: chi, drawn with q, is kept or drawn anew. s: |u|^2 in units of
 * WN_UNIT_U^2. */
static WN_HD float wn_mcc_spin_slow(const struct wn_mcc *m, float chi, float q, float s,
                                    uint64_t id, uint32_t event)
{
  float x = s * (float)WN_UNIT_BETA2, beta2 = x * wn_inverse1p_slow(x);
  for (uint32_t block = WN_RNG_BLOCK_ANGLE; block < 2 * WN_RNG_BLOCK_ANGLE; block++) {
    struct wn_rng4 r = wn_rng(m->key.seed, id, event, WN_RNG_EVENT, block);
    if (wn_u01_f(r.w[0]) < wn_fma(-beta2, chi, 1.0f))
      break;
    chi = wn_angle_s_f(q, wn_u01_f(r.w[1]));
    if (wn_u01_f(r.w[2]) < wn_fma(-beta2, chi, 1.0f))
      break;
    chi = wn_angle_s_f(q, wn_u01_f(r.w[3]));
  }
  return chi;
}

/* The direction of u, turned by chi. */
static WN_HD float wn_mcc_turn_slow(const float u[3], float s, float chi, float sine,
                                    float cosine, float d[3])
{
  float k = (float)(1.0 / WN_UNIT_U) / sqrtf(s), z = k * u[2];
  for (int i = 0; i < 3; i++)
    d[i] = k * u[i];
  wn_angle_turn_f(d, chi, sine, cosine);
  return wn_fma(wn_fma(2.0f, chi, -1.0f), z, d[2]);
}

static WN_HD float wn_mcc_scatter_slow(const struct wn_mcc *m, struct wn_mcc_kind kind,
                                       const struct wn_gas_view *g, int elastic,
                                       float t_ev, float s, const struct wn_rng4 *w,
                                       uint64_t id, uint32_t event, const float u[3],
                                       float d[3])
{
  float sine, cosine;
  wn_sincos_word_f(w->w[3], &sine, &cosine);
  if (kind.angle_model == WN_ANGLE_ISOTROPIC) {
    wn_angle_isotropic_f(d, w->w[2], sine, cosine);
    return d[2];
  }
  float q = elastic ? wn_mcc_elastic_q(m, g, t_ev) : wn_angle_coulomb_q_f(t_ev);
  float chi = wn_angle_s_f(q, wn_u01_f(w->w[2]));
  if (kind.angle_model == WN_ANGLE_SCREENED_COULOMB)
    chi = wn_mcc_spin_slow(m, chi, q, s, id, event);
  return wn_mcc_turn_slow(u, s, chi, sine, cosine, d);
}

/* Ionization in the rest frame of the target, of an electron of energy t_ev; the loss
 * leaves `rest`: energy of the slower one.  word: of block IONIZE. */
static WN_HD double wn_mcc_share(const struct wn_mcc *m, struct wn_mcc_kind kind,
                                 double opal_ev, const struct wn_process_view *p,
                                 double t_ev, double rest, uint32_t word, uint64_t id,
                                 uint32_t event)
{
  double w_ev;
  if (kind.share_model == WN_SHARING_EQUAL)
    w_ev = 0.5 * rest;
  else if (kind.share_model == WN_SHARING_OPAL)
    w_ev = wn_ionize_opal(t_ev, p->loss_ev, opal_ev, wn_u01(word));
  else
    w_ev = wn_ionize_rbeb(t_ev, p->b_ev, m->key.seed, id, event);
  return w_ev > rest ? rest : w_ev;
}

/* The same, directions: u becomes the faster electron, v the slower, which has w_ev.  With
 * isotropic angles the ion takes whatever momentum is missing; with a forward model both
 * leave at the angles of a free collision, opposite azimuths.  The recoil energy of the
 * ion, of rest energy mass_ev, is taken from the faster electron.  w: of block REAL; r: of
 * block IONIZE. */
static WN_HD void wn_mcc_ionize(int angle_model, double mass_ev, double t_ev, double rest,
                                double w_ev, const struct wn_rng4 *w,
                                const struct wn_rng4 *r, double u[3], double v[3])
{
  double d1[3], d2[3];
  double t1 = rest - w_ev, k = 1.0 / sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  if (angle_model == WN_ANGLE_ISOTROPIC) {
    wn_angle_isotropic(d1, wn_u01(w->w[2]), wn_u01(w->w[3]));
    wn_angle_isotropic(d2, wn_u01(r->w[0]), wn_u01(r->w[1]));
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
  WN_ROLLED
  for (int pass = 0; pass < 2; pass++) {
    double u1 = wn_u_from_ev(t1), q2 = 0.0;
    for (int i = 0; i < 3; i++) {
      double q = (u[i] - u1 * d1[i] - u2 * d2[i]) * (1.0 / WN_C);
      q2 += q * q;
    }
    t1 = rest - w_ev - 0.5 * q2 * WN_MC2_EV * (WN_MC2_EV / mass_ev);
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
  float u[3]; /* in the rest frame of the target */
  float s;    /* |u|^2 in units of WN_UNIT_U^2 */
  float t_ev; /* the kinetic energy that belongs to it */
  float v[3]; /* velocity of the target, m/s */
};

/* Of four processes, whose majorants are f.w, the one that it may be: word is below f.w[3]
 * and not below `below`, where the four begin.  Out: how far the word is above what lies
 * below it, and its own width, as probabilities. */
static WN_HD int wn_mcc_choose_of(struct wn_xs_four f, uint32_t below, uint32_t word,
                                  float *pick, float *width)
{
  int a = word >= f.w[0], b = word >= f.w[1], c = word >= f.w[2];
  below = c ? f.w[2] : b ? f.w[1] : a ? f.w[0] : below;
  uint32_t top = !a ? f.w[0] : !b ? f.w[1] : !c ? f.w[2] : f.w[3];
  *pick = (float)(word - below) * 0x1p-32f;
  *width = (float)(top - below) * 0x1p-32f;
  return a + b + c;
}

/* Which process may it be: the first whose cumulative majorant exceeds the word, which
 * must be below that of all together.  Four are compared at a time: it is the waiting
 * that costs, and the commonest come first.  Out: as above. */
static WN_HD int wn_mcc_choose(const struct wn_mcc *m, int bin, uint32_t word,
                               float *pick, float *width)
{
  const struct wn_xs_four *major = &m->xs.major[bin];
  struct wn_xs_four f = major[0];
  uint32_t below = 0;
  int k = 0;
  while (word >= f.w[3]) {
    below = f.w[3];
    f = *(major += m->xs.n_bins);
    k += 4;
  }
  return k + wn_mcc_choose_of(f, below, word, pick, width);
}

/* Spread of the target's velocity along an axis, m/s; 0: at rest, for a cold gas and for
 * fast electrons. */
static WN_HD float wn_mcc_target_sigma(const struct wn_mcc *m,
                                       const struct wn_gas_view *g, float energy)
{
  return energy < m->xs.thermal_below_ev ? g->sigma_v : 0.0f;
}

/* Velocity of the target, from two words of block REAL. */
static WN_HD void wn_mcc_target(const float *normal, float sigma, const struct wn_rng4 *w,
                                float v[3])
{
  v[0] = sigma * normal[w->w[0] & (WN_XS_NORMALS - 1)];
  v[1] = sigma * normal[w->w[0] >> 11 & (WN_XS_NORMALS - 1)];
  v[2] = sigma * normal[w->w[1] & (WN_XS_NORMALS - 1)];
}

/* q->u and s: u in a frame that moves with v.  gamma v off u, gamma that of the electron:
 * what that leaves out, v^2/c^2 of u (1e-12 at 300 K), is below rounding. */
static WN_HD void wn_mcc_shift(struct wn_mcc_meeting *q, const float u[3], float gamma)
{
  for (int i = 0; i < 3; i++)
    q->u[i] = wn_fma(-gamma, q->v[i], u[i]);
  q->s = wn_square_f(q->u);
}

/* Boost of u, of energy t_ev, to a frame that moves with sign * v.  Fills q->u, s and
 * t_ev.  An electron that was slow is slow enough in the other frame. */
static WN_HD void wn_mcc_boost(struct wn_mcc_meeting *q, const float u[3], float t_ev,
                               float sign)
{
  wn_mcc_shift(q, u, wn_fma(t_ev, sign * (float)(1.0 / WN_MC2_EV), sign));
  q->t_ev = WN_LIKELY(t_ev < WN_SLOW_EV) ? wn_energy_slow(q->s) : wn_energy_f(q->s);
}

/* Apart, so that its addresses take no registers from those that keep to the bound. */
static WN_COLD void wn_mcc_violated(struct wn_tally_alarms *alarms, uint64_t id)
{
  if (alarms != NULL)
    wn_tally_violation(alarms, id);
}

/* Is a candidate of electron id for process k, whose threshold is given, one at relative
 * energy t_ev?
 * pick in [0, width).  t: who counts it when the bound does not hold, alarms NULL: nobody.
 * second: of block REAL; the bits that wn_mcc_target leaves of it go
 * on where those of pick end, as a process can be rarer than one in 2^32. */
static WN_HD int wn_mcc_is_real(const struct wn_mcc *m, int k, float threshold_ev,
                                float t_ev, float pick, float width, uint32_t second,
                                uint64_t id, struct wn_tally *t)
{
  float p = wn_xs_probability(&m->xs, k, threshold_ev, t_ev);
  if (WN_UNLIKELY(p > width * (1.0f + 1e-6f)))
    wn_mcc_violated(t->alarms, id);
  return pick + (float)(int32_t)(second >> 11) * 0x1p-53f < p;
}

/* Mean free time that belongs to the majorant of a bin, s: for the control variate
 * (src/diag/transport.c).  Candidates that pass the majorant are a Poisson process of
 * rate nu_max * major, so displacement minus the sum of velocity / rate over them is zero
 * on average; so is, at each collision, the part of the new direction that averages to
 * zero. */
static WN_HD float wn_mcc_free_time(const struct wn_mcc *m, const struct wn_xs_top *top)
{
  return m->inv_nu * top->free_time;
}

/* Velocity along z, for the control variate. */
static WN_HD float wn_mcc_velocity_z(float u_z, float energy)
{
  float x = energy * (float)(1.0 / WN_MC2_EV);
  return u_z *
         (WN_LIKELY(energy < WN_SLOW_EV) ? wn_inverse1p_slow(x) : wn_inverse1p_f(x));
}

/* The electron after a collision, back in the frame of the gas: state, sums. */
static WN_HD void wn_mcc_leave(struct wn_mcc_reg *r, const struct wn_electron *e,
                               int index, float given, const struct wn_mcc_meeting *q,
                               short near, struct wn_tally *t)
{
  float before = r->energy;
  for (int i = 0; i < 3; i++)
    r->u[i] = q->u[i];
  wn_mcc_rebase(r, q->t_ev);
  r->n_real++;
  wn_mcc_count(t, near, index, e->w, before - r->energy - given);
}

/* The end of an attached electron: its whole energy goes to the process. */
static WN_HD int wn_mcc_attach(struct wn_mcc_reg *r, const struct wn_electron *e,
                               int index, short near, struct wn_tally *t)
{
  r->n_real++;
  wn_mcc_count(t, near, index, e->w, r->energy);
  return WN_MCC_DEAD;
}

/* u back from the rest frame of the target: q->u, s and t_ev become those in the frame of
 * the gas. */
static WN_HD void wn_mcc_part(struct wn_mcc_meeting *q, const float u[3])
{
  wn_mcc_boost(q, u, wn_energy_f(wn_square_f(u)), -1.0f);
}

/* The same of a slow electron; us: what wn_collide_slow returned, from which gamma - 1 =
 * us^2/2c^2.  That leaves out, of gamma - 1, as much as u and us differ by, m/M: 1e-3 of
 * 4e-4 of v for H, which is nothing beside u. */
static WN_HD void wn_mcc_part_slow(struct wn_mcc_meeting *q, const float u[3], float us)
{
  const double root = 0.70710678118654752; /* of 1/2 */
  float k = us * (float)(root / WN_C);
  wn_mcc_shift(q, u, -wn_fma(k, k, 1.0f));
  q->t_ev = wn_energy_slow(q->s);
}

/* What a collision changes. */
struct wn_mcc_outcome {
  float u[3];    /* of the electron, in the rest frame of the target */
  float us;      /* of a slow electron: |u| in the centre of mass */
  float drift;   /* of the control variate, m/s */
  float given;   /* energy of the newborn, eV */
  int forbidden; /* the energy in the centre of mass does not cover the loss */
};

/* In a weighted ensemble a newborn is of no cohort yet: born above the first threshold it is
 * of the time of its birth.  The way of its passages counts from there, their time from the
 * beginning of the phase, as if the control there had seen it (struct wn_mcc.mark_m).  With
 * those of the electron that it comes from, secondaries of what has been fast for long would
 * weigh as if they had been on their way for as long. */
static WN_COLD void wn_mcc_begin_cohort(const struct wn_mcc *m, struct wn_electron *child)
{
  const uint32_t groups = (uint32_t)m->n_groups;
  child->tag = wn_electron_in_cohort(child->tag, groups,
                                     wn_electron_cohort(child->tag, groups) | 1u);
  child->x[1] = (rint(m->t_end * m->per_step) - 1.0) * m->mark_m;
  child->x[2] = 0.0;
}

/* The newborn, but for its u and, in a grid, its place; b: of purpose BIRTH.  moved, left:
 * of struct wn_mcc_reg of *e, the electron that splits. */
static WN_HD void wn_mcc_newborn(const struct wn_mcc *m, struct wn_mcc_kind kind,
                                 const float moved[3], float left,
                                 const struct wn_electron *e, const struct wn_rng4 *b,
                                 struct wn_electron *child)
{
  for (int i = 0; i < 3 && !kind.in_grid; i++)
    child->x[i] = e->x[i] + (double)moved[i];
  child->w = e->w;
  child->id = (uint64_t)b->w[1] << 32 | b->w[0];
  child->event = 0;
  child->tag = e->tag & WN_TAG_LINEAGE_MASK;
  child->t_left = (float)(wn_mcc_steps_after(e->t_left) + (double)left / m->dt);
  child->t_next = wn_exponential_f(b->w[2]) * m->inv_nu;
  if (m->cohorts)
    wn_mcc_begin_cohort(m, child);
}

/* Ionization with gas g, process p: fills *child, but in a grid its place, for which
 * wn_mcc_grid_birth is to follow. moved, left: of struct wn_mcc_reg. */
static WN_COLD struct wn_mcc_outcome
wn_mcc_split(const struct wn_mcc *m, struct wn_mcc_kind kind, const struct wn_gas_view *g,
             const struct wn_process_view *p, const struct wn_mcc_meeting *q,
             const float moved[3], float left, const struct wn_electron *e,
             const struct wn_rng4 *w, uint32_t event, struct wn_electron *child)
{
  struct wn_mcc_outcome out = {{0.0f, 0.0f, 0.0f}, 0.0f, 0.0f, 0.0f, 0};
  double u[3] = {(double)q->u[0], (double)q->u[1], (double)q->u[2]}, v[3],
         t_ev = wn_kinetic_ev(u, wn_gamma(u)),
         rest = t_ev > p->loss_ev ? t_ev - p->loss_ev : 0.0; /* t_ev was rounded */
  struct wn_rng4 r = wn_rng(m->key.seed, e->id, event, WN_RNG_EVENT, WN_RNG_BLOCK_IONIZE);
  double w_ev = wn_mcc_share(m, kind, g->opal_ev, p, t_ev, rest, r.w[2], e->id, event);
  wn_mcc_ionize(kind.angle_model, g->mass_ev, t_ev, rest, w_ev, w, &r, u, v);
  /* isotropic: both directions average to zero; forward: one azimuth turns both, so they
   * are left out */
  if (kind.angle_model == WN_ANGLE_ISOTROPIC)
    out.drift = (float)(u[2] + v[2]);
  struct wn_rng4 b = wn_rng(m->key.seed, e->id, event, WN_RNG_BIRTH, 0);
  double gamma = wn_gamma(v);
  for (int i = 0; i < 3; i++) {
    out.u[i] = (float)u[i];
    child->u[i] = (float)(v[i] + gamma * (double)q->v[i]);
  }
  wn_mcc_newborn(m, kind, moved, left, e, &b, child);
  out.given = wn_energy_f(wn_square_f(child->u));
  return out;
}

/* An elastic or exciting collision of an electron that is not slow: in double precision,
 * as 1e-7 of its energy may be more than it loses. */
static WN_COLD struct wn_mcc_outcome
wn_mcc_deflect(const struct wn_mcc *m, struct wn_mcc_kind kind,
               const struct wn_gas_view *g, const struct wn_process_view *p,
               const struct wn_mcc_meeting *q, uint64_t id, const struct wn_rng4 *w,
               uint32_t event)
{
  struct wn_mcc_outcome out = {{q->u[0], q->u[1], q->u[2]}, 0.0f, 0.0f, 0.0f, 1};
  double u[3] = {(double)q->u[0], (double)q->u[1], (double)q->u[2]}, d[3], sine, cosine,
         gamma = wn_gamma(u), t_ev = wn_kinetic_ev(u, gamma);
  double k_ev = wn_cm_kinetic_with(t_ev, g->cm_part, g->cm_x) - p->loss_ev;
  if (k_ev < 0.0)
    return out;
  wn_sincos_word(w->w[3], &sine, &cosine);
  double drift = wn_mcc_scatter(m, kind, g, p->kind == WN_PROC_ELASTIC, t_ev, w, sine,
                                cosine, id, event, u, d);
  drift *= wn_collide_two_body(u, &gamma, k_ev, g->mass_ev, p->loss_ev, d);
  for (int i = 0; i < 3; i++)
    out.u[i] = (float)u[i];
  out.drift = (float)drift;
  out.forbidden = 0;
  return out;
}

/* The same of a slow electron. */
static WN_HD struct wn_mcc_outcome
wn_mcc_deflect_slow(const struct wn_mcc *m, struct wn_mcc_kind kind,
                    const struct wn_gas_view *g, const struct wn_process_view *p,
                    const struct wn_mcc_meeting *q, uint64_t id, const struct wn_rng4 *w,
                    uint32_t event)
{
  struct wn_mcc_outcome out = {{q->u[0], q->u[1], q->u[2]}, 0.0f, 0.0f, 0.0f, 0};
  float d[3], drift = wn_mcc_scatter_slow(m, kind, g, p->kind == WN_PROC_ELASTIC, q->t_ev,
                                          q->s, w, id, event, q->u, d);
  out.us = wn_collide_slow(out.u, wn_kinetic_slow(q->s), g->recoil, p->loss, d);
  out.drift = drift * out.us;
  out.forbidden = out.us < 0.0f;
  return out;
}

/* A candidate before it has changed anything: what it may be, and whether it is. */
struct wn_mcc_case {
  struct wn_mcc_meeting q;
  struct wn_rng4 w; /* of block REAL */
  const struct wn_gas_view *g;
  const struct wn_process_view *p;
  struct wn_process_view v; /* a copy of *p, so that it is read once */
  float free_time;
  int real, fast;
  uint32_t event;
};

/* r: at the candidate; word: of the choice. */
static WN_HD struct wn_mcc_case wn_mcc_consider(const struct wn_mcc *m,
                                                struct wn_mcc_kind kind,
                                                const struct wn_mcc_reg *r, uint64_t id,
                                                struct wn_tally *t, uint32_t event,
                                                uint32_t word)
{
  struct wn_mcc_case c;
  float pick, width;
  int bin = wn_xs_bin(&m->xs, r->energy), k = wn_mcc_choose(m, bin, word, &pick, &width);
  c.free_time = wn_mcc_free_time(m, &kind.top[bin]);
  c.p = &m->xs.process[k];
  c.v = *c.p;
  c.g = &m->xs.gas[c.v.gas];
  c.w = wn_rng_with(&m->key, id, event, WN_RNG_EVENT, WN_RNG_BLOCK_REAL);
  wn_mcc_target(kind.normal, wn_mcc_target_sigma(m, c.g, r->energy), &c.w, c.q.v);
  wn_mcc_boost(&c.q, r->u, r->energy, 1.0f);
  c.real = wn_mcc_is_real(m, k, c.v.threshold_ev, c.q.t_ev, pick, width, c.w.w[1], id, t);
  c.fast = !(r->energy < WN_SLOW_EV);
  c.event = event;
  return c;
}

/* For WN_MCC_REST.  Whoever is slow was considered by WN_MCC_COMMON, too: a bound that does not
 * hold has been counted. */
static WN_COLD void wn_mcc_consider_again(const struct wn_mcc *m,
                                          const struct wn_mcc_reg *r, uint64_t id,
                                          const struct wn_tally *t, uint32_t event,
                                          uint32_t word, struct wn_mcc_case *c)
{
  struct wn_tally to = *t;
  if (r->energy < WN_SLOW_EV)
    to.alarms = NULL;
  *c = wn_mcc_consider(m, wn_mcc_kind(m), r, id, &to, event, word);
}

/* A candidate that is not ruled out by the majorant of its bin (wn_mcc_fly said
 * WN_MCC_EVENT, and x and u are at the present): choose the process and carry it out.
 * word: of the choice.  Returns WN_MCC_DEAD, WN_MCC_CHILD, 0, or (kind.part)
 * WN_MCC_RARE; WN_MCC_REST asks all that was asked before once more. */
static WN_HD int wn_mcc_collide(const struct wn_mcc *m, struct wn_mcc_kind kind,
                                struct wn_mcc_reg *r, const struct wn_electron *e,
                                int group, struct wn_tally *t, struct wn_electron *child,
                                uint32_t event, uint32_t word)
{
  if (kind.part == WN_MCC_COMMON && WN_UNLIKELY(!(r->energy < WN_SLOW_EV)))
    return WN_MCC_RARE;
  struct wn_mcc_case c;
  if (kind.part == WN_MCC_REST)
    wn_mcc_consider_again(m, r, e->id, t, event, word, &c);
  else
    c = wn_mcc_consider(m, kind, r, e->id, t, event, word);
  const int splits = c.real && c.v.kind == WN_PROC_IONIZATION, rare = splits || c.fast;
  if (kind.part == WN_MCC_COMMON && WN_UNLIKELY(rare))
    return WN_MCC_RARE;
  r->control = wn_fma(-c.free_time, wn_mcc_velocity_z(r->u[2], r->energy), r->control);
  if (!c.real) { /* null */
    wn_mcc_rebase(r, r->energy);
    return 0;
  }
  if (c.v.kind == WN_PROC_ATTACHMENT)
    return wn_mcc_attach(r, e, group * m->xs.n_processes + c.v.index, kind.near, t);
  struct wn_mcc_outcome out;
  const int slow = kind.part != WN_MCC_REST && WN_LIKELY(!rare);
  if (slow)
    out = wn_mcc_deflect_slow(m, kind, c.g, &c.v, &c.q, e->id, &c.w, c.event);
  else if (splits)
    out =
        wn_mcc_split(m, kind, c.g, c.p, &c.q, r->moved, r->left, e, &c.w, c.event, child);
  else
    out = wn_mcc_deflect(m, kind, c.g, c.p, &c.q, e->id, &c.w, c.event);
  if (WN_UNLIKELY(out.forbidden)) {
    wn_tally_alarm(&t->alarms->n_forbidden);
    wn_mcc_rebase(r, r->energy);
    return 0;
  }
  r->control = wn_fma(c.free_time, out.drift, r->control);
  if (slow)
    wn_mcc_part_slow(&c.q, out.u, out.us);
  else
    wn_mcc_part(&c.q, out.u);
  wn_mcc_leave(r, e, group * m->xs.n_processes + c.v.index, out.given, &c.q, kind.near,
               t);
  if (kind.in_grid && splits)
    wn_mcc_grid_birth(&m->grid, e, r->moved, child);
  t->n_births += (uint64_t)splits;
  return splits ? WN_MCC_CHILD : 0;
}

#endif
