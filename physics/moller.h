/* physics/moller.h - an electron on electrons at rest: Moller's cross section, for a loss above
 * a cut; and its join to the binary-encounter formula of bound electrons below the cut.
 *
 * Free electrons.  With T the energy before, Q that of the slower electron after, mc2 the rest
 * energy, beta the speed over c (C. Moller, Ann. Phys. 406, 531, 1932; the form is that of the
 * binary part of RBEB, crosssections/xs_rbeb.c, with B = 0; the paper was not read):
 *
 *   dsigma/dQ = K [1/Q^2 + 1/(T - Q)^2 + 1/(T + mc2)^2 - c/(Q (T - Q))],   0 < Q <= T/2
 *   K = 2 pi r_e^2 mc2/beta^2,   c = mc2 (2 T + mc2)/(T + mc2)^2            per electron
 *
 * Bound electrons.  Q is what the electron loses: the binding energy B and the energy W of the
 * newborn.  Those that are equal afterwards have Q = (T + B)/2, so T - Q becomes T + B - Q.
 *
 * The join.  RBEB of an orbital with n electrons is, in the same terms,
 *
 *   kappa n K [s(Q) + B L (1/Q^3 + 1/(T + B - Q)^3)],  kappa = beta^2/(beta^2 + beta_u^2 + beta_b^2)
 *
 * with s(Q) the bracket above.  kappa and the dipole term B L/Q^3 are all by which it differs, and
 * both are corrections of distant collisions: at the cut the latter is B L/Q of the whole.  From
 * half the cut to the cut the weight of RBEB falls linearly from 1 to 0: the differential cross
 * section is continuous, equal to RBEB below and to n times Moller's above, and the total is its
 * integral (crosssections/xs_moller.h).  Below T + B = cut, where no loss reaches half the cut, nothing changes.
 *
 * Density effect: L of all orbitals is less by delta (physics/density_effect.h), as Bethe's
 * bracket is, of which L is the half that distant collisions make.
 * Energies in eV, cross sections in m2.  t/physics/t0158-moller.c */
#ifndef WN_PHYSICS_MOLLER_H
#define WN_PHYSICS_MOLLER_H
#include "physics/constants.h"
#include "physics/density_effect.h"
#include "physics/host_device.h"
#include "physics/mathfn.h"
#include "physics/rng.h"

/* 2 pi r_e^2 mc2, m2 eV. */
#define WN_MOLLER_K (2.0 * WN_PI * WN_RE * WN_RE * WN_MC2_EV)

/* The terms at one energy; sum: T + B. */
struct wn_moller {
  double k, sum, g, c;
};

/* beta^2 of an energy x mc2: no cancellation at small x. */
static WN_HD double wn_beta2(double t_ev)
{
  const double x = t_ev * (1.0 / WN_MC2_EV), y = 1.0 + x;
  return x * (2.0 + x) / (y * y);
}

static WN_HD struct wn_moller wn_moller(double t_ev, double b_ev)
{
  const double all = 1.0 / (t_ev + WN_MC2_EV);
  struct wn_moller m;
  m.k = WN_MOLLER_K / wn_beta2(t_ev);
  m.sum = t_ev + b_ev;
  m.g = all * all;
  m.c = WN_MC2_EV * (2.0 * t_ev + WN_MC2_EV) * m.g;
  return m;
}

/* The bracket, 1/eV^2: dsigma/dQ over K. */
static WN_HD double wn_moller_shape(const struct wn_moller *m, double q_ev)
{
  const double q = 1.0 / q_ev, r = 1.0 / (m->sum - q_ev);
  return q * q + r * r + m->g - m->c * (q * r);
}

/* Integrals of Q^moment times the bracket from low to high, 0 < low <= high <= sum/2; moment 0, 1
 * or 2.  R = sum - Q; 1/(Q R) = (1/Q + 1/R)/sum, dQ = -dR. */
static inline double wn_moller_integral(const struct wn_moller *m, int moment, double low,
                                        double high)
{
  const double s = m->sum, rl = s - low, rh = s - high, lq = log(high / low),
               lr = log(rh / rl), inverse = 1.0 / rh - 1.0 / rl;
  if (moment == 0)
    return (1.0 / low - 1.0 / high) + inverse + m->g * (high - low) -
           m->c / s * (lq - lr);
  if (moment == 1)
    return lq + s * inverse + lr + 0.5 * m->g * (high * high - low * low) + m->c * lr;
  return 2.0 * (high - low) + s * s * inverse + 2.0 * s * lr +
         m->g / 3.0 * (high * high * high - low * low * low) +
         m->c * (s * lr + (high - low));
}

/* Of 1/Q^3 + 1/R^3. */
static inline double wn_dipole_integral(const struct wn_moller *m, int moment, double low,
                                        double high)
{
  const double s = m->sum, rl = s - low, rh = s - high,
               lq2 = 0.5 * (1.0 / (low * low) - 1.0 / (high * high)),
               lr2 = 0.5 * (1.0 / (rh * rh) - 1.0 / (rl * rl)),
               inverse = 1.0 / rh - 1.0 / rl;
  if (moment == 0)
    return lq2 + lr2;
  if (moment == 1)
    return (1.0 / low - 1.0 / high) + s * lr2 - inverse;
  return log(high / low) + s * s * lr2 - 2.0 * s * inverse - log(rh / rl);
}

/* Cross section of a free electron for losses from cut_ev on; 0 where T/2 is not above that. */
static inline double wn_moller_above(double t_ev, double cut_ev)
{
  const struct wn_moller m = wn_moller(t_ev, 0.0);
  return cut_ev < 0.5 * t_ev ? m.k * wn_moller_integral(&m, 0, cut_ev, 0.5 * t_ev) : 0.0;
}

/* One trial of a loss from cut_ev on, cut_ev < sum/2: drawn from 1/Q^2, accepted by the bracket, which
 * is at most (2 + g Q^2)/Q^2 as R >= Q.  Returns whether it is accepted. */
static WN_HD int wn_moller_try(const struct wn_moller *m, double cut_ev, uint32_t one,
                               uint32_t other, double *q_ev)
{
  const double top = 0.5 * m->sum, v = wn_u01(one);
  *q_ev = cut_ev / (1.0 - v * (1.0 - cut_ev / top));
  return wn_u01(other) * (2.0 + m->g * (top * top)) <
         wn_moller_shape(m, *q_ev) * (*q_ev * *q_ev);
}

/* ---- the join */

/* What a scenario says of fast electrons.  cut_ev 0: RBEB at all losses. */
struct wn_moller_model {
  double cut_ev;
  /* electrons from this energy on lose what is below the cut in quanta
   * (physics/collisions/friction.h): only losses from the cut on are ionizations.  INFINITY: none */
  double soft_from_ev;
  struct wn_density_effect density;
};

/* An orbital at one energy of the electron. */
struct wn_join {
  struct wn_moller m;
  double b_ev, kappa, dipole, low_ev, cut_ev; /* dipole: kappa B L, eV */
};

/* beta2_bound: beta_u^2 + beta_b^2. */
static WN_HD struct wn_join wn_join(const struct wn_moller_model *model, double t_ev,
                                    double b_ev, double beta2_bound)
{
  const double beta2 = wn_beta2(t_ev), x = t_ev * (1.0 / WN_MC2_EV);
  struct wn_join j;
  j.m = wn_moller(t_ev, b_ev);
  j.b_ev = b_ev;
  j.kappa = beta2 / (beta2 + beta2_bound);
  /* beta^2/(1 - beta^2) = x (2 + x) */
  j.dipole = j.kappa * b_ev *
             (wn_ln(t_ev / b_ev * (1.0 + 0.5 * x)) - beta2 -
              wn_density_effect(&model->density, x));
  j.cut_ev = model->cut_ev;
  j.low_ev = 0.5 * model->cut_ev;
  return j;
}

/* dsigma/dQ over n K, 1/eV^2. */
static WN_HD double wn_join_shape(const struct wn_join *j, double q_ev)
{
  const double free_one = wn_moller_shape(&j->m, q_ev);
  if (q_ev >= j->cut_ev)
    return free_one;
  const double q = 1.0 / q_ev, r = 1.0 / (j->m.sum - q_ev),
               bound = j->kappa * free_one + j->dipole * (q * q * q + r * r * r),
               weight = (j->cut_ev - q_ev) / (j->cut_ev - j->low_ev);
  return weight < 1.0 ? weight * bound + (1.0 - weight) * free_one : bound;
}

/* Part of the shape that is the dipole term; 0 where that is not above 0. */
static WN_HD double wn_join_dipole_part(const struct wn_join *j, double q_ev)
{
  if (q_ev >= j->cut_ev || !(j->dipole > 0.0))
    return 0.0;
  const double q = 1.0 / q_ev, r = 1.0 / (j->m.sum - q_ev),
               weight = (j->cut_ev - q_ev) / (j->cut_ev - j->low_ev),
               dipole = j->dipole * (q * q * q + r * r * r);
  return (weight < 1.0 ? weight * dipole : dipole) / wn_join_shape(j, q_ev);
}

/* Q^2 times the shape is at most this, as R >= Q >= B. */
static WN_HD double wn_join_most(const struct wn_join *j)
{
  const double top = 0.5 * j->m.sum, free_one = 2.0 + j->m.g * (top * top);
  return (top > j->low_ev ? free_one : j->kappa * free_one) +
         (j->dipole > 0.0 ? 2.0 * j->dipole / j->b_ev : 0.0);
}

/* One trial of a loss from B on; most: wn_join_most. */
static WN_HD int wn_join_try(const struct wn_join *j, double most, uint32_t one,
                             uint32_t other, double *q_ev)
{
  const double top = 0.5 * j->m.sum, v = wn_u01(one);
  *q_ev = j->b_ev / (1.0 - v * (1.0 - j->b_ev / top));
  return wn_u01(other) * most < wn_join_shape(j, *q_ev) * (*q_ev * *q_ev);
}

/* Energy W of the newborn of an ionization by an electron of t_ev > b_ev, or, from soft_from_ev on,
 * t_ev > 2 cut_ev.  Draws as wn_ionize_rbeb. */
static WN_HD double wn_ionize_moller(const struct wn_moller_model *model, double t_ev,
                                     double b_ev, double beta2_bound, uint64_t seed,
                                     uint64_t id, uint32_t event)
{
  if (t_ev <= b_ev)
    return 0.0;
  const struct wn_join j = wn_join(model, t_ev, b_ev, beta2_bound);
  const int hard = t_ev >= model->soft_from_ev;
  const double most = wn_join_most(&j);
  double q_ev = b_ev;
  for (uint32_t block = WN_RNG_BLOCK_SHARE; block < WN_RNG_BLOCK_ANGLE; block++) {
    const struct wn_rng4 r = wn_rng(seed, id, event, WN_RNG_EVENT, block);
    for (int i = 0; i < 4; i += 2)
      if (hard ? wn_moller_try(&j.m, model->cut_ev, r.w[i], r.w[i + 1], &q_ev)
               : wn_join_try(&j, most, r.w[i], r.w[i + 1], &q_ev))
        return q_ev - b_ev;
  }
  return q_ev - b_ev; /* 8160 rejections in a row: probability below 1e-700 */
}

#endif
