/* physics/collisions/scattering.h - model `mcc`: collisions after which one electron goes
 * on in a new direction: elastic, exciting, and superelastic, whose loss is below 0.
 *
 * Some functions stand here twice, in float for slow electrons and in double precision
 * for the others: scatter and deflect.  They are not one text with another type: the
 * float ones are written as large + small with wn_fma and other series (single.h).  The
 * loops over many slow electrons at the end call the float ones.
 *
 * Elastic collisions of fast electrons may be grouped (physics/grouped_angle.h): then one word says whether it is a group
 * of small deflections, which has no spin factor left to apply, or a single large one.  Excitations by fast electrons may have
 * the angles of physics/excitation_angle.h, of which one word says in the same way whether they do. */
#ifndef WN_PHYSICS_COLLISIONS_SCATTERING_H
#define WN_PHYSICS_COLLISIONS_SCATTERING_H
#include <math.h>
#include "physics/angle.h"
#include "physics/collisions/candidate.h"
#include "physics/collisions/lanes.h"
#include "physics/constants.h"
#include "physics/excitation_angle.h"
#include "physics/grouped_angle.h"
#include "physics/host_device.h"
#include "physics/kinematics.h"
#include "physics/mathfn.h"
#include "physics/mcc.h"
#include "physics/push.h"
#include "physics/rng.h"
#include "physics/single_precision.h"
#include "physics/xs_view.h"

static WN_HD float wn_mcc_elastic_q(const struct wn_mcc *m, const struct wn_gas_view *g,
                                    float t_ev)
{
  return wn_xs_angle(&m->xs, g->angle, t_ev);
}

/* The spin factor of screened-coulomb: s = (1 - cos chi)/2, drawn with q and tail (wn_angle_s_above), is kept or
 * drawn anew. */
static WN_HD double wn_mcc_spin(const struct wn_mcc *m, double s, double q, double tail,
                                double t_ev, uint64_t id, uint32_t event)
{
  double gamma = t_ev / WN_MC2_EV + 1.0, beta2 = 1.0 - 1.0 / (gamma * gamma);
  for (uint32_t block = WN_RNG_BLOCK_ANGLE; block < 2 * WN_RNG_BLOCK_ANGLE; block++) {
    struct wn_rng4 r = wn_rng(m->key.seed, id, event, WN_RNG_EVENT, block);
    if (wn_u01(r.w[0]) < 1.0 - beta2 * s)
      break;
    s = wn_angle_s_above(q, tail, wn_u01(r.w[1]));
    if (wn_u01(r.w[2]) < 1.0 - beta2 * s)
      break;
    s = wn_angle_s_above(q, tail, wn_u01(r.w[3]));
  }
  return s;
}

/* The direction of u, turned by chi.  Returns as wn_mcc_scatter. */
static WN_HD double wn_mcc_deflected(const double u[3], double s, double sine,
                                     double cosine, double d[3])
{
  double k = 1.0 / sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]), z = k * u[2];
  for (int i = 0; i < 3; i++)
    d[i] = k * u[i];
  wn_angle_turn(d, s, sine, cosine);
  return d[2] - (1.0 - 2.0 * s) * z;
}

/* s = (1 - cos chi)/2 of an elastic collision with a gas that has groups; t_ev is one at which it has. */
static WN_HD double wn_mcc_grouped_s(const struct wn_mcc *m, struct wn_mcc_kind kind,
                                     const struct wn_gas_view *g, double t_ev,
                                     uint32_t word, uint64_t id, uint32_t event)
{
  const int bin = wn_xs_bin(&m->xs, (float)t_ev);
  const struct wn_xs_grouped of =
      wn_xs_grouped_of(&m->xs, bin, g->grouped[bin], g->grouped[bin + 1], (float)t_ev);
  const double u = wn_u01(word), part = (double)of.part,
               q = (double)wn_mcc_elastic_q(m, g, (float)t_ev),
               tail = wn_angle_tail(q, m->xs.grouped_s),
               s = wn_grouped_s(q, tail, part, (double)of.s_max, u);
  return kind.angle_model == WN_ANGLE_SCREENED_COULOMB && !(u < part)
             ? wn_mcc_spin(m, s, q, tail, t_ev, id, event)
             : s;
}

/* s of an excitation with loss loss_ev at t_ev >= excitation_from_ev.  Returns 0 with that of excitation_angle.h, or 1 with the
 * uniform number *u for a Coulomb-like one. */
static WN_HD int wn_mcc_excited_s(const struct wn_mcc *m, double t_ev, double loss_ev,
                                  double *u, double *s)
{
  const double part = wn_excitation_part((double)m->xs.excitation_from_ev, t_ev);
  if (*u < part) {
    *s = wn_excitation_s(t_ev, loss_ev, *u / part);
    return 0;
  }
  *u = (*u - part) / (1.0 - part);
  return 1;
}

/* Direction d after a collision p with gas g at relative energy t_ev, u before.  Elastic:
 * the parameter of the gas, from its cross sections.  Excitation: the Coulomb-like xi =
 * 4e/(1 + 4e), e = E/27.21 eV, which Okhrimovskyy et al. give for want of data: inelastic
 * scattering is far more forward than what the elastic cross sections of a molecule say; from excitation_from_ev on
 * that of excitation_angle.h.  sine, cosine: of the azimuth.  Returns the part of d[2] that is zero on average over
 * the azimuth (and over the polar angle when isotropic). */
static WN_HD double wn_mcc_scatter(const struct wn_mcc *m, struct wn_mcc_kind kind,
                                   const struct wn_gas_view *g,
                                   const struct wn_process_view *p, double t_ev,
                                   const struct wn_rng4 *w, double sine, double cosine,
                                   uint64_t id, uint32_t event, const double u[3],
                                   double d[3])
{
  const int elastic = p->kind == WN_PROC_ELASTIC;
  if (kind.angle_model == WN_ANGLE_ISOTROPIC) {
    wn_angle_isotropic_with(d, wn_u01(w->w[2]), sine, cosine);
    return d[2];
  }
  if (elastic && (float)t_ev >= m->xs.grouped_from_ev)
    return wn_mcc_deflected(u, wn_mcc_grouped_s(m, kind, g, t_ev, w->w[2], id, event),
                            sine, cosine, d);
  double s, r = wn_u01(w->w[2]);
  if (!elastic && (float)t_ev >= m->xs.excitation_from_ev &&
      !wn_mcc_excited_s(m, t_ev, p->loss_ev, &r, &s))
    return wn_mcc_deflected(u, s, sine, cosine, d);
  double q =
      elastic ? (double)wn_mcc_elastic_q(m, g, (float)t_ev) : wn_angle_coulomb_q(t_ev);
  s = wn_angle_s(q, r);
  if (kind.angle_model == WN_ANGLE_SCREENED_COULOMB)
    s = wn_mcc_spin(m, s, q, 1.0, t_ev, id, event);
  return wn_mcc_deflected(u, s, sine, cosine, d);
}

/* The same for a slow electron, in single precision.  s: |u|^2 in units of WN_UNIT_U^2. */
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

/* An elastic or exciting collision of an electron that is not slow: in double precision,
 * as 1e-7 of its energy may be more than it loses. */
static WN_COLD struct wn_mcc_outcome
wn_mcc_deflect(const struct wn_mcc *m, struct wn_mcc_kind kind,
               const struct wn_gas_view *g, const struct wn_process_view *p,
               const struct wn_mcc_relative *q, uint64_t id, const struct wn_rng4 *w,
               uint32_t event)
{
  struct wn_mcc_outcome out = {{q->u[0], q->u[1], q->u[2]}, 0.0f, 0.0f, 0.0f, 1};
  double u[3] = {(double)q->u[0], (double)q->u[1], (double)q->u[2]}, d[3], sine, cosine,
         gamma = wn_gamma(u), t_ev = wn_kinetic_ev(u, gamma);
  double k_ev = wn_cm_kinetic_with(t_ev, g->cm_part, g->cm_x) - p->loss_ev;
  if (k_ev < 0.0)
    return out;
  wn_sincos_word(w->w[3], &sine, &cosine);
  double drift = wn_mcc_scatter(m, kind, g, p, t_ev, w, sine, cosine, id, event, u, d);
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
                    const struct wn_mcc_relative *q, uint64_t id, const struct wn_rng4 *w,
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

/* wn_mcc_deflect of a case. */
static WN_HD struct wn_mcc_outcome wn_mcc_scattering(const struct wn_mcc *m,
                                                     struct wn_mcc_kind kind,
                                                     const struct wn_mcc_case *c,
                                                     const struct wn_electron *e)
{
  return wn_mcc_deflect(m, kind, c->g, c->p, &c->q, e->id, &c->w, c->event);
}

/* ---- wn_mcc_deflect_slow of many.  All entries are computed; results of those that
 * are not deflected or not slow are not used. */

WN_LOOP void wn_mcc_scatter_isotropic(struct wn_mcc_collisions *WN_RESTRICT q)
{
  for (int k = 0; k < q->n; k++) {
    float d[3], sine, cosine;
    wn_sincos_word_f(q->word[3][k], &sine, &cosine);
    wn_angle_isotropic_f(d, q->word[2][k], sine, cosine);
    q->d[0][k] = d[0], q->d[1][k] = d[1], q->d[2][k] = d[2];
    q->drift[k] = d[2];
  }
}

/* The tables of the elastic angles. */
static inline void wn_mcc_look_up_angles(const struct wn_mcc *m,
                                         struct wn_mcc_collisions *q)
{
  for (int k = 0; k < q->n; k++) {
    const float *angle = m->xs.gas[m->xs.process[q->process[k]].gas].angle;
    const int bin = wn_xs_bin(&m->xs, q->t_ev[k]);
    q->angle_bin[k] = bin;
    q->low[k] = angle[bin];
    q->high[k] = angle[bin + 1];
  }
}

WN_LOOP void wn_mcc_draw_angles(const struct wn_mcc *m,
                                struct wn_mcc_collisions *WN_RESTRICT q)
{
  const struct wn_xs_view xs = m->xs;
  for (int k = 0; k < q->n; k++) {
    const float t_ev = q->t_ev[k],
                table = wn_xs_angle_of(&xs, q->angle_bin[k], q->low[k], q->high[k], t_ev),
                coulomb = wn_angle_coulomb_q_f(t_ev);
    const float of = q->elastic[k] ? table : coulomb;
    q->q[k] = of;
    q->chi[k] = wn_angle_s_f(of, wn_u01_f(q->word[2][k]));
  }
}

WN_LOOP void wn_mcc_turn_all(struct wn_mcc_collisions *WN_RESTRICT q)
{
  for (int k = 0; k < q->n; k++) {
    const float u[3] = {q->u[0][k], q->u[1][k], q->u[2][k]};
    float d[3], sine, cosine;
    wn_sincos_word_f(q->word[3][k], &sine, &cosine);
    q->drift[k] = wn_mcc_turn_slow(u, q->s[k], q->chi[k], sine, cosine, d);
    q->d[0][k] = d[0], q->d[1][k] = d[1], q->d[2][k] = d[2];
  }
}

/* wn_collide_slow, and back to the frame of the gas. */
WN_LOOP void wn_mcc_collide_slow(struct wn_mcc_collisions *WN_RESTRICT q)
{
  for (int k = 0; k < q->n; k++) {
    const float d[3] = {q->d[0][k], q->d[1][k], q->d[2][k]};
    float u[3] = {q->u[0][k], q->u[1][k], q->u[2][k]};
    struct wn_mcc_relative one;
    one.v[0] = q->v[0][k], one.v[1] = q->v[1][k], one.v[2] = q->v[2][k];
    float us = wn_collide_slow(u, wn_kinetic_slow(q->s[k]), q->recoil[k], q->loss[k], d);
    wn_mcc_back_slow(&one, u, us);
    q->forbidden[k] = us < 0.0f;
    q->control[k] = us < 0.0f || !q->is_slow[k]
                        ? q->control[k]
                        : wn_fma(q->free_time[k], q->drift[k] * us, q->control[k]);
    q->u[0][k] = one.u[0], q->u[1][k] = one.u[1], q->u[2][k] = one.u[2];
    q->t_ev[k] = one.t_ev;
  }
}

static inline void wn_mcc_deflect_many(const struct wn_mcc *m,
                                       struct wn_mcc_collisions *q,
                                       const struct wn_mcc_list *slow)
{
  const int model = m->xs.angle_model;
  if (model == WN_ANGLE_ISOTROPIC) {
    wn_mcc_scatter_isotropic(q);
  } else {
    wn_mcc_look_up_angles(m, q);
    wn_mcc_draw_angles(m, q);
    for (int i = 0; model == WN_ANGLE_SCREENED_COULOMB && i < slow->n; i++) {
      const int k = slow->k[i];
      q->chi[k] =
          wn_mcc_spin_slow(m, q->chi[k], q->q[k], q->s[k],
                           (uint64_t)q->id[1][k] << 32 | q->id[0][k], q->event[k]);
    }
    wn_mcc_turn_all(q);
  }
  wn_mcc_collide_slow(q);
}

/* ---- wn_mcc_deflect of many, and what follows it, in double precision.  Entries of the list
 * are packed; arrays are written up to the next multiple of the length of a vector. */
struct wn_mcc_fast {
  int n, elastic[WN_MCC_LANES], angle_bin[WN_MCC_LANES], forbidden[WN_MCC_LANES];
  int done[WN_MCC_LANES];         /* excitations whose s is final */
  uint32_t word[2][WN_MCC_LANES]; /* the last two of block REAL */
  double u[3][WN_MCC_LANES];      /* in the rest frame of the target */
  double gamma[WN_MCC_LANES], t_ev[WN_MCC_LANES], k_ev[WN_MCC_LANES];
  double mass_ev[WN_MCC_LANES], loss_ev[WN_MCC_LANES], cm_part[WN_MCC_LANES],
      cm_x[WN_MCC_LANES];
  float low[WN_MCC_LANES], high[WN_MCC_LANES]; /* q at the edges of angle_bin */
  double q[WN_MCC_LANES], s[WN_MCC_LANES];     /* of the angle */
  /* of elastic collisions that may be grouped; else 0 and 1 */
  double part[WN_MCC_LANES], s_max[WN_MCC_LANES], tail[WN_MCC_LANES];
  double d[3][WN_MCC_LANES];
  /* back in the frame of the gas */
  float v[3][WN_MCC_LANES], drift[WN_MCC_LANES];
  struct {
    float u[3][WN_MCC_LANES], t_ev[WN_MCC_LANES];
  } after;
};

/* The entries `fast` of c, and copies of the first up to n. */
static inline void wn_mcc_take_fast(const struct wn_mcc *m,
                                    const struct wn_mcc_collisions *c,
                                    const struct wn_mcc_list *fast, struct wn_mcc_fast *x,
                                    int n)
{
  x->n = fast->n;
  for (int i = 0; i < n; i++) {
    const int k = fast->k[i < fast->n ? i : 0];
    const struct wn_process_view *p = &m->xs.process[c->process[k]];
    const struct wn_gas_view *g = &m->xs.gas[p->gas];
    x->elastic[i] = p->kind == WN_PROC_ELASTIC;
    x->word[0][i] = c->word[2][k], x->word[1][i] = c->word[3][k];
    for (int l = 0; l < 3; l++) {
      x->u[l][i] = (double)c->u[l][k];
      x->v[l][i] = c->v[l][k];
    }
    x->loss_ev[i] = p->loss_ev;
    x->mass_ev[i] = g->mass_ev;
    x->cm_part[i] = g->cm_part;
    x->cm_x[i] = g->cm_x;
  }
}

WN_LOOP void wn_mcc_weigh_fast(struct wn_mcc_fast *WN_RESTRICT x, int n)
{
  for (int i = 0; i < n; i++) {
    const double u[3] = {x->u[0][i], x->u[1][i], x->u[2][i]}, gamma = wn_gamma(u),
                 t_ev = wn_kinetic_ev(u, gamma),
                 k_ev =
                     wn_cm_kinetic_with(t_ev, x->cm_part[i], x->cm_x[i]) - x->loss_ev[i];
    x->gamma[i] = gamma;
    x->t_ev[i] = t_ev;
    x->k_ev[i] = k_ev;
    x->forbidden[i] = k_ev < 0.0;
  }
}

WN_LOOP void wn_mcc_scatter_fast_isotropic(struct wn_mcc_fast *WN_RESTRICT x, int n)
{
  for (int i = 0; i < n; i++) {
    double d[3], sine, cosine;
    wn_sincos_word(x->word[1][i], &sine, &cosine);
    wn_angle_isotropic_with(d, wn_u01(x->word[0][i]), sine, cosine);
    x->d[0][i] = d[0], x->d[1][i] = d[1], x->d[2][i] = d[2];
    x->s[i] = d[2]; /* the drift */
  }
}

static inline void wn_mcc_look_up_fast(const struct wn_mcc *m,
                                       const struct wn_mcc_collisions *c,
                                       const struct wn_mcc_list *fast,
                                       struct wn_mcc_fast *x, int n)
{
  for (int i = 0; i < n; i++) {
    const int k = fast->k[i < fast->n ? i : 0];
    const float *angle = m->xs.gas[m->xs.process[c->process[k]].gas].angle;
    const int bin = wn_xs_bin(&m->xs, (float)x->t_ev[i]);
    x->angle_bin[i] = bin;
    x->low[i] = angle[bin];
    x->high[i] = angle[bin + 1];
  }
}

WN_LOOP void wn_mcc_draw_fast(const struct wn_mcc *m, struct wn_mcc_fast *WN_RESTRICT x,
                              int n)
{
  const struct wn_xs_view xs = m->xs;
  for (int i = 0; i < n; i++) {
    const double table = (double)wn_xs_angle_of(&xs, x->angle_bin[i], x->low[i],
                                                x->high[i], (float)x->t_ev[i]),
                 coulomb = wn_angle_coulomb_q(x->t_ev[i]),
                 of = x->elastic[i] ? table : coulomb;
    x->q[i] = of;
    x->s[i] = wn_angle_s(of, wn_u01(x->word[0][i]));
  }
}

/* Of those that may be grouped: q, s and tail of a group or of a single collision above the cut. */
static inline void wn_mcc_look_up_grouped(const struct wn_mcc *m,
                                          const struct wn_mcc_collisions *c,
                                          const struct wn_mcc_list *fast,
                                          struct wn_mcc_fast *x, int n)
{
  for (int i = 0; i < n; i++) {
    const int k = fast->k[i < fast->n ? i : 0], bin = x->angle_bin[i];
    const struct wn_xs_grouped *g = m->xs.gas[m->xs.process[c->process[k]].gas].grouped;
    x->part[i] = 0.0;
    x->s_max[i] = x->tail[i] = 1.0;
    if (!x->elastic[i] || !((float)x->t_ev[i] >= m->xs.grouped_from_ev))
      continue;
    const struct wn_xs_grouped of =
        wn_xs_grouped_of(&m->xs, bin, g[bin], g[bin + 1], (float)x->t_ev[i]);
    x->part[i] = (double)of.part;
    x->s_max[i] = (double)of.s_max;
    x->tail[i] = wn_angle_tail(x->q[i], m->xs.grouped_s);
  }
}

/* Of excitations that may have the angle of excitation_angle.h: s, and whether they have it, so that no spin factor is
 * applied. */
static inline void wn_mcc_draw_excited(const struct wn_mcc *m, struct wn_mcc_fast *x)
{
  for (int i = 0; i < x->n; i++) {
    double u = wn_u01(x->word[0][i]);
    x->done[i] = 0;
    if (x->elastic[i] || !((float)x->t_ev[i] >= m->xs.excitation_from_ev))
      continue;
    x->done[i] = !wn_mcc_excited_s(m, x->t_ev[i], x->loss_ev[i], &u, &x->s[i]);
    if (!x->done[i])
      x->s[i] = wn_angle_s(x->q[i], u);
  }
}

/* Where part is 0 and tail 1, the same bits as wn_mcc_draw_fast. */
WN_LOOP void wn_mcc_draw_grouped(struct wn_mcc_fast *WN_RESTRICT x, int n)
{
  for (int i = 0; i < n; i++)
    x->s[i] =
        wn_grouped_s(x->q[i], x->tail[i], x->part[i], x->s_max[i], wn_u01(x->word[0][i]));
}

WN_LOOP void wn_mcc_turn_fast(struct wn_mcc_fast *WN_RESTRICT x, int n)
{
  for (int i = 0; i < n; i++) {
    const double u[3] = {x->u[0][i], x->u[1][i], x->u[2][i]};
    double d[3], sine, cosine;
    wn_sincos_word(x->word[1][i], &sine, &cosine);
    x->s[i] = wn_mcc_deflected(u, x->s[i], sine, cosine, d); /* the drift */
    x->d[0][i] = d[0], x->d[1][i] = d[1], x->d[2][i] = d[2];
  }
}

/* wn_collide_two_body, and wn_mcc_back. */
WN_LOOP void wn_mcc_collide_fast(struct wn_mcc_fast *WN_RESTRICT x, int n)
{
  for (int i = 0; i < n; i++) {
    const double d[3] = {x->d[0][i], x->d[1][i], x->d[2][i]};
    double u[3] = {x->u[0][i], x->u[1][i], x->u[2][i]}, gamma = x->gamma[i];
    x->drift[i] = (float)(x->s[i] * wn_collide_two_body(u, &gamma, x->k_ev[i],
                                                        x->mass_ev[i], x->loss_ev[i], d));
    for (int l = 0; l < 3; l++)
      x->after.u[l][i] = (float)u[l];
  }
  for (int i = 0; i < n; i++) {
    const float u[3] = {x->after.u[0][i], x->after.u[1][i], x->after.u[2][i]};
    struct wn_mcc_relative one;
    one.v[0] = x->v[0][i], one.v[1] = x->v[1][i], one.v[2] = x->v[2][i];
    wn_mcc_back(&one, u);
    x->after.u[0][i] = one.u[0], x->after.u[1][i] = one.u[1], x->after.u[2][i] = one.u[2];
    x->after.t_ev[i] = one.t_ev;
  }
}

/* Of the entries `fast` of c. */
static inline void wn_mcc_deflect_fast(const struct wn_mcc *m,
                                       const struct wn_mcc_collisions *c,
                                       const struct wn_mcc_list *fast,
                                       struct wn_mcc_fast *x)
{
  const int model = m->xs.angle_model, n = wn_mcc_abreast(fast->n);
  wn_mcc_take_fast(m, c, fast, x, n);
  wn_mcc_weigh_fast(x, n);
  if (model == WN_ANGLE_ISOTROPIC) {
    wn_mcc_scatter_fast_isotropic(x, n);
  } else {
    const int groups = m->xs.grouped_from_ev < INFINITY,
              excited = m->xs.excitation_from_ev < INFINITY;
    wn_mcc_look_up_fast(m, c, fast, x, n);
    wn_mcc_draw_fast(m, x, n);
    if (groups) {
      wn_mcc_look_up_grouped(m, c, fast, x, n);
      wn_mcc_draw_grouped(x, n);
    }
    if (excited)
      wn_mcc_draw_excited(m, x);
    for (int i = 0; model == WN_ANGLE_SCREENED_COULOMB && i < fast->n; i++) {
      const int k = fast->k[i];
      if ((groups && wn_u01(x->word[0][i]) < x->part[i]) || (excited && x->done[i]))
        continue;
      x->s[i] = wn_mcc_spin(m, x->s[i], x->q[i], groups ? x->tail[i] : 1.0, x->t_ev[i],
                            (uint64_t)c->id[1][k] << 32 | c->id[0][k], c->event[k]);
    }
    wn_mcc_turn_fast(x, n);
  }
  wn_mcc_collide_fast(x, n);
}

#endif
