/* physics/collisions/ionization.h - model `mcc`: collisions after which two electrons go
 * on: the one that collided, and a newborn.  One at a time, and many. */
#ifndef WN_PHYSICS_COLLISIONS_IONIZATION_H
#define WN_PHYSICS_COLLISIONS_IONIZATION_H
#include <math.h>
#include "physics/angle.h"
#include "physics/collisions/candidate.h"
#include "physics/collisions/lanes.h"
#include "physics/constants.h"
#include "physics/electron.h"
#include "physics/host_device.h"
#include "physics/ionization_angle.h"
#include "physics/ionize.h"
#include "physics/mathfn.h"
#include "physics/mcc.h"
#include "physics/moller.h"
#include "physics/push.h"
#include "physics/rng.h"
#include "physics/single_precision.h"
#include "physics/xs_view.h"

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
  else if (kind.share_model == WN_SHARING_MOLLER)
    w_ev =
        wn_ionize_moller(&m->xs.moller, t_ev, p->b_ev, p->beta2, m->key.seed, id, event);
  else
    w_ev = wn_ionize_rbeb(t_ev, p->b_ev, m->key.seed, id, event);
  return w_ev > rest ? rest : w_ev;
}

/* The deflection of the faster electron over that by a free one: ionization_angle.h, with Moller's cross section; 1 elsewhere. */
static WN_HD double wn_mcc_ionization_deflection(const struct wn_mcc *m,
                                                 struct wn_mcc_kind kind, double b_ev,
                                                 double beta2, double t_ev, double w_ev)
{
  const double from_ev = (double)m->xs.excitation_from_ev, q_ev = b_ev + w_ev;
  if (kind.share_model != WN_SHARING_MOLLER || kind.angle_model == WN_ANGLE_ISOTROPIC ||
      !(t_ev > from_ev) || q_ev >= m->xs.moller.cut_ev)
    return 1.0;
  const struct wn_join j = wn_join(&m->xs.moller, t_ev, b_ev, beta2);
  return wn_deflection_from(from_ev, t_ev, wn_ionization_deflection(&j, t_ev, q_ev));
}

/* The same, directions: u becomes the faster electron, v the slower, which has w_ev.  With
 * isotropic angles the ion takes whatever momentum is missing; with a forward model both
 * leave at the angles of a free collision, 1 - cos of the faster one times `deflection`, opposite azimuths.  The recoil energy of the
 * ion, of rest energy mass_ev, is taken from the faster electron.  w: of block REAL; r: of
 * block IONIZE. */
static WN_HD void wn_mcc_ionize(int angle_model, double mass_ev, double t_ev, double rest,
                                double w_ev, double deflection, const struct wn_rng4 *w,
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
    wn_angle_turn(d1, 0.5 * (1.0 - wn_angle_binary_cos(t_ev, t1)) * deflection, s, c);
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
             const struct wn_process_view *p, const struct wn_mcc_relative *q,
             const float moved[3], float left, const struct wn_electron *e,
             const struct wn_rng4 *w, uint32_t event, struct wn_electron *child)
{
  struct wn_mcc_outcome out = {{0.0f, 0.0f, 0.0f}, 0.0f, 0.0f, 0.0f, 0};
  double u[3] = {(double)q->u[0], (double)q->u[1], (double)q->u[2]}, v[3],
         t_ev = wn_kinetic_ev(u, wn_gamma(u)),
         rest = t_ev > p->loss_ev ? t_ev - p->loss_ev : 0.0; /* t_ev was rounded */
  struct wn_rng4 r = wn_rng(m->key.seed, e->id, event, WN_RNG_EVENT, WN_RNG_BLOCK_IONIZE);
  double w_ev = wn_mcc_share(m, kind, g->opal_ev, p, t_ev, rest, r.w[2], e->id, event);
  wn_mcc_ionize(kind.angle_model, g->mass_ev, t_ev, rest, w_ev,
                wn_mcc_ionization_deflection(m, kind, p->b_ev, p->beta2, t_ev, w_ev), w,
                &r, u, v);
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

/* wn_mcc_split of a case. */
static WN_HD struct wn_mcc_outcome
wn_mcc_ionization(const struct wn_mcc *m, struct wn_mcc_kind kind,
                  const struct wn_mcc_case *c, const struct wn_mcc_reg *r,
                  const struct wn_electron *e, struct wn_electron *child)
{
  return wn_mcc_split(m, kind, c->g, c->p, &c->q, r->moved, r->left, e, &c->w, c->event,
                      child);
}

/* ---- wn_mcc_split of many, with the same bits, in double precision.  Of 128 lanes some ten
 * split in a round, so loops go to the next multiple of WN_MCC_ABREAST, over copies of the
 * first entry. */

/* Entry i is an electron that ionizes.  Given: all down to v.  Found: the rest.  The
 * arrays are written up to the next multiple of the length of a vector. */
struct wn_mcc_ionizations {
  int n, process[WN_MCC_LANES];
  uint32_t id[2][WN_MCC_LANES], event[WN_MCC_LANES];
  uint32_t word[2][WN_MCC_LANES]; /* the last two of block REAL */
  double u[3][WN_MCC_LANES];      /* in the rest frame of the target; then: afterwards */
  float v[3][WN_MCC_LANES];       /* velocity of the target, m/s */

  double t_ev[WN_MCC_LANES], loss_ev[WN_MCC_LANES], mass_ev[WN_MCC_LANES];
  double rest[WN_MCC_LANES], w_ev[WN_MCC_LANES]; /* of both, of the slower one */
  double deflection[WN_MCC_LANES];               /* of wn_mcc_ionization_deflection */
  uint32_t ionize[4][WN_MCC_LANES], birth[4][WN_MCC_LANES]; /* random words */
  double b_ev[WN_MCC_LANES];
  double drift[WN_MCC_LANES];   /* of struct wn_mcc_outcome */
  double born[3][WN_MCC_LANES]; /* u of the newborn, in the frame of the gas */
  /* its energy; the electron back in that frame */
  float given[WN_MCC_LANES];
  struct {
    float u[3][WN_MCC_LANES], t_ev[WN_MCC_LANES];
  } after;
};

/* Those whose share by rbeb is still to be drawn: which entry, and struct wn_rbeb. */
struct wn_mcc_trials {
  int n, of[WN_MCC_LANES];
  uint32_t id[2][WN_MCC_LANES], event[WN_MCC_LANES];
  double t[WN_MCC_LANES], ratio[WN_MCC_LANES], bound[WN_MCC_LANES], far[WN_MCC_LANES];
  double l[WN_MCC_LANES], phi[WN_MCC_LANES];
  double w[WN_MCC_LANES], taken[WN_MCC_LANES]; /* the last trial, in units of b_ev */
};

/* The entries `splits` of q, and copies of the first up to n. */
static inline void wn_mcc_take_ionizations(const struct wn_mcc *m,
                                           const struct wn_mcc_collisions *q,
                                           const struct wn_mcc_list *splits,
                                           struct wn_mcc_ionizations *x, int n)
{
  x->n = splits->n;
  for (int i = 0; i < n; i++) {
    const int k = splits->k[i < splits->n ? i : 0];
    const struct wn_process_view *p = &m->xs.process[q->process[k]];
    x->process[i] = q->process[k];
    x->id[0][i] = q->id[0][k], x->id[1][i] = q->id[1][k];
    x->event[i] = q->event[k];
    x->word[0][i] = q->word[2][k], x->word[1][i] = q->word[3][k];
    for (int c = 0; c < 3; c++) {
      x->u[c][i] = (double)q->u[c][k];
      x->v[c][i] = q->v[c][k];
    }
    x->loss_ev[i] = p->loss_ev;
    x->b_ev[i] = p->b_ev;
    x->mass_ev[i] = m->xs.gas[p->gas].mass_ev;
  }
}

static WN_HD uint64_t wn_mcc_id_of(const struct wn_mcc_ionizations *x, int i)
{
  return (uint64_t)x->id[1][i] << 32 | x->id[0][i];
}

/* Words of block IONIZE, where they are used, and of the birth. */
WN_LOOP void wn_mcc_draw_ionizations(const struct wn_mcc *m,
                                     struct wn_mcc_ionizations *WN_RESTRICT x, int n)
{
  const uint64_t seed = m->key.seed;
  const int used =
      m->xs.angle_model == WN_ANGLE_ISOTROPIC || m->xs.share_model == WN_SHARING_OPAL;
  for (int i = 0; used && i < n; i++) {
    const struct wn_rng4 w =
        wn_rng(seed, wn_mcc_id_of(x, i), x->event[i], WN_RNG_EVENT, WN_RNG_BLOCK_IONIZE);
    x->ionize[0][i] = w.w[0], x->ionize[1][i] = w.w[1], x->ionize[2][i] = w.w[2],
    x->ionize[3][i] = w.w[3];
  }
  for (int i = 0; i < n; i++) {
    const struct wn_rng4 w =
        wn_rng(seed, wn_mcc_id_of(x, i), x->event[i], WN_RNG_BIRTH, 0);
    x->birth[0][i] = w.w[0], x->birth[1][i] = w.w[1], x->birth[2][i] = w.w[2],
    x->birth[3][i] = w.w[3];
  }
}

WN_LOOP void wn_mcc_weigh(struct wn_mcc_ionizations *WN_RESTRICT x, int n)
{
  for (int i = 0; i < n; i++) {
    const double u[3] = {x->u[0][i], x->u[1][i], x->u[2][i]},
                 t_ev = wn_kinetic_ev(u, wn_gamma(u)), loss_ev = x->loss_ev[i];
    x->t_ev[i] = t_ev;
    x->rest[i] = t_ev > loss_ev ? t_ev - loss_ev : 0.0; /* t_ev was rounded */
  }
}

WN_LOOP void wn_mcc_begin_rbeb(const struct wn_mcc_ionizations *x,
                               struct wn_mcc_trials *WN_RESTRICT y, int n)
{
  for (int i = 0; i < n; i++) {
    y->of[i] = i;
    y->id[0][i] = x->id[0][i], y->id[1][i] = x->id[1][i];
    y->event[i] = x->event[i];
  }
  for (int i = 0; i < n; i++) {
    const double t_ev = x->t_ev[i], b_ev = x->b_ev[i], t = t_ev / b_ev;
    const struct wn_rbeb s = wn_rbeb(t, t_ev, b_ev);
    y->t[i] = t;
    y->ratio[i] = s.ratio;
    y->bound[i] = s.bound;
    y->far[i] = s.far;
    y->l[i] = s.l;
    y->phi[i] = s.phi;
  }
}

/* A block of trials of wn_rbeb_from for all. */
WN_LOOP void wn_mcc_try_rbeb(uint64_t seed, uint32_t block,
                             struct wn_mcc_trials *WN_RESTRICT y, int n)
{
  uint32_t r[4][WN_MCC_LANES];
  for (int i = 0; i < n; i++) {
    const struct wn_rng4 w = wn_rng(seed, (uint64_t)y->id[1][i] << 32 | y->id[0][i],
                                    y->event[i], WN_RNG_EVENT, block);
    r[0][i] = w.w[0], r[1][i] = w.w[1], r[2][i] = w.w[2], r[3][i] = w.w[3];
  }
  for (int i = 0; i < n; i++) {
    const struct wn_rbeb s = {y->t[i],   y->ratio[i], y->bound[i],
                              y->far[i], y->l[i],     y->phi[i]};
    double one, other;
    const int first = wn_rbeb_try(&s, r[0][i], r[1][i], &one),
              second = wn_rbeb_try(&s, r[2][i], r[3][i], &other);
    const double w = first ? one : other;
    y->w[i] = w;
    y->taken[i] = first ? 1.0 : second ? 1.0 : 0.0;
  }
}

/* Takes what was drawn; those without it move up.  Where t is not above 1 the share is
 * nothing. */
static inline void wn_mcc_take_shares(struct wn_mcc_trials *y,
                                      struct wn_mcc_ionizations *x)
{
  int left = 0;
  for (int k = 0; k < y->n; k++) {
    const int i = y->of[k], none = y->t[k] <= 1.0;
    x->w_ev[i] = none ? 0.0 : y->w[k] * x->b_ev[i];
    y->of[left] = i;
    y->id[0][left] = y->id[0][k], y->id[1][left] = y->id[1][k];
    y->event[left] = y->event[k];
    y->t[left] = y->t[k];
    y->ratio[left] = y->ratio[k];
    y->bound[left] = y->bound[k];
    y->far[left] = y->far[k];
    y->l[left] = y->l[k];
    y->phi[left] = y->phi[k];
    left += !none & (y->taken[k] <= 0.0);
  }
  y->n = left;
}

/* wn_ionize_rbeb of all. */
static inline void wn_mcc_share_rbeb(uint64_t seed, struct wn_mcc_ionizations *x, int n)
{
  struct wn_mcc_trials y;
  wn_mcc_begin_rbeb(x, &y, n);
  y.n = x->n;
  for (uint32_t block = WN_RNG_BLOCK_SHARE; y.n > 0 && block < WN_RNG_BLOCK_ANGLE;
       block++) {
    wn_mcc_try_rbeb(seed, block, &y, wn_mcc_abreast(y.n));
    wn_mcc_take_shares(&y, x);
  }
}

/* Energies of the newborns. */
static inline void wn_mcc_share_many(const struct wn_mcc *m, struct wn_mcc_ionizations *x,
                                     int n)
{
  const struct wn_mcc_kind kind = wn_mcc_kind(m);
  if (kind.share_model == WN_SHARING_RBEB)
    wn_mcc_share_rbeb(m->key.seed, x, n);
  for (int i = 0; kind.share_model != WN_SHARING_RBEB && i < x->n; i++) {
    const struct wn_process_view *p = &m->xs.process[x->process[i]];
    const uint32_t word = kind.share_model == WN_SHARING_OPAL ? x->ionize[2][i] : 0;
    x->w_ev[i] = wn_mcc_share(m, kind, m->xs.gas[p->gas].opal_ev, p, x->t_ev[i],
                              x->rest[i], word, wn_mcc_id_of(x, i), x->event[i]);
  }
  for (int i = x->n; i < n; i++)
    x->w_ev[i] = x->w_ev[0];
  for (int i = 0; i < n; i++)
    x->deflection[i] = 1.0;
  for (int i = 0; kind.share_model == WN_SHARING_MOLLER && i < x->n; i++) {
    const struct wn_process_view *p = &m->xs.process[x->process[i]];
    const double rest = x->rest[i], w_ev = x->w_ev[i];
    x->deflection[i] = wn_mcc_ionization_deflection(
        m, kind, p->b_ev, p->beta2, x->t_ev[i], w_ev > rest ? rest : w_ev);
  }
}

static WN_HD void wn_mcc_ionize_at(int angle_model,
                                   struct wn_mcc_ionizations *WN_RESTRICT x, int n)
{
  const int isotropic = angle_model == WN_ANGLE_ISOTROPIC;
  for (int i = 0; i < n; i++) {
    const struct wn_rng4 w = {{0, 0, x->word[0][i], x->word[1][i]}},
                         r = {{isotropic ? x->ionize[0][i] : 0,
                               isotropic ? x->ionize[1][i] : 0, 0, 0}};
    const double rest = x->rest[i], given = x->w_ev[i],
                 w_ev = given > rest ? rest : given;
    double u[3] = {x->u[0][i], x->u[1][i], x->u[2][i]}, v[3];
    wn_mcc_ionize(angle_model, x->mass_ev[i], x->t_ev[i], rest, w_ev, x->deflection[i],
                  &w, &r, u, v);
    const double gamma = wn_gamma(v);
    x->drift[i] = angle_model == WN_ANGLE_ISOTROPIC ? u[2] + v[2] : 0.0;
    for (int k = 0; k < 3; k++) {
      x->u[k][i] = u[k];
      x->born[k][i] = v[k] + gamma * (double)x->v[k][i];
    }
  }
}

WN_LOOP void wn_mcc_ionize_isotropic(struct wn_mcc_ionizations *WN_RESTRICT x, int n)
{
  wn_mcc_ionize_at(WN_ANGLE_ISOTROPIC, x, n);
}

WN_LOOP void wn_mcc_ionize_forward(struct wn_mcc_ionizations *WN_RESTRICT x, int n)
{
  wn_mcc_ionize_at(WN_ANGLE_OKHRIMOVSKYY, x, n);
}

/* The energy of the newborn, and wn_mcc_back of the electron. */
WN_LOOP void wn_mcc_part_ionized(struct wn_mcc_ionizations *WN_RESTRICT x, int n)
{
  for (int i = 0; i < n; i++) {
    const float child[3] = {(float)x->born[0][i], (float)x->born[1][i],
                            (float)x->born[2][i]},
                u[3] = {(float)x->u[0][i], (float)x->u[1][i], (float)x->u[2][i]};
    struct wn_mcc_relative one;
    one.v[0] = x->v[0][i], one.v[1] = x->v[1][i], one.v[2] = x->v[2][i];
    wn_mcc_back(&one, u);
    x->given[i] = wn_energy_f(wn_square_f(child));
    x->after.u[0][i] = one.u[0], x->after.u[1][i] = one.u[1], x->after.u[2][i] = one.u[2];
    x->after.t_ev[i] = one.t_ev;
  }
}

/* Of the entries `splits` of q. */
static inline void wn_mcc_ionize_many(const struct wn_mcc *m,
                                      const struct wn_mcc_collisions *q,
                                      const struct wn_mcc_list *splits,
                                      struct wn_mcc_ionizations *x)
{
  const int n = wn_mcc_abreast(splits->n);
  wn_mcc_take_ionizations(m, q, splits, x, n);
  wn_mcc_draw_ionizations(m, x, n);
  wn_mcc_weigh(x, n);
  wn_mcc_share_many(m, x, n);
  if (m->xs.angle_model == WN_ANGLE_ISOTROPIC)
    wn_mcc_ionize_isotropic(x, n);
  else
    wn_mcc_ionize_forward(x, n);
  wn_mcc_part_ionized(x, n);
}

/* The newborn of entry i, but in a grid its place. */
static WN_HD void wn_mcc_ionized(const struct wn_mcc *m, struct wn_mcc_kind kind,
                                 const struct wn_mcc_ionizations *x, int i,
                                 const float moved[3], float left,
                                 const struct wn_electron *e, struct wn_electron *child)
{
  const struct wn_rng4 b = {
      {x->birth[0][i], x->birth[1][i], x->birth[2][i], x->birth[3][i]}};
  wn_mcc_newborn(m, kind, moved, left, e, &b, child);
  for (int c = 0; c < 3; c++)
    child->u[c] = (float)x->born[c][i];
}

#endif
