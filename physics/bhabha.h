/* physics/bhabha.h - a positron on electrons at rest: Bhabha's cross section for a loss above a cut, stopping by losses below it, and
 * the directions of both after.  With T the energy before, eps = Q/T the part that the electron gets, gamma = 1 + T/mc2,
 * y = 1/(gamma + 1), z = 1 - 2 y (H. J. Bhabha, Proc. R. Soc. A 154, 195, 1936; the form with these
 * coefficients is that of the physics manual of Geant4, from memory; t0158 compares it with the invariant amplitude of
 * e+ e- -> e+ e- at high energy, and with Rutherford's at low):
 *
 *   dsigma/deps = 2 pi r_e^2 mc2/T [1/(beta^2 eps^2) - B1/eps + B2 - B3 eps + B4 eps^2],  0 < eps <= 1
 *   B1 = 2 - y^2, B2 = z (3 + y^2), B4 = z^3, B3 = z^2 + B4                        per electron
 *
 * The two are not equal, so eps goes to 1.
 *
 * Stopping.  Losses below a small Q take K [ln(2 mc2 beta^2 gamma^2 Q/I^2) - beta^2 - delta], K = 2 pi r_e^2 mc2/beta^2, from any
 * charge (Bethe), with I the mean excitation energy and delta the density effect.  What Bhabha's adds up to a cut D is the integral of
 * Q dsigma.  The sum is, with x = D/T (derived here),
 *
 *   S(D) = K [ln(2 mc2 beta^2 gamma^2 D/I^2) - beta^2 - delta - beta^2 (B1 x - B2 x^2/2 + B3 x^3/3 - B4 x^4/4)]
 *
 * At x = 1 that is the stopping of positrons of Berger and Seltzer (ICRU Report 37, 1984; not read), whose function F+ t0166 writes out.
 * No shell corrections: T and D are far above the binding energies.
 * Energies in eV, cross sections in m2.  t/physics/t0158-moller.c, t0166-positrons.c */
#ifndef WN_PHYSICS_BHABHA_H
#define WN_PHYSICS_BHABHA_H
#include "physics/host_device.h"
#include "physics/moller.h"

struct wn_bhabha {
  double k, t_ev, inverse_beta2, b[4]; /* k: 2 pi r_e^2 mc2/T, m2 */
};

static WN_HD struct wn_bhabha wn_bhabha(double t_ev)
{
  const double y = 1.0 / (t_ev * (1.0 / WN_MC2_EV) + 2.0), z = 1.0 - 2.0 * y;
  struct wn_bhabha s;
  s.k = WN_MOLLER_K / t_ev;
  s.t_ev = t_ev;
  s.inverse_beta2 = 1.0 / wn_beta2(t_ev);
  s.b[0] = 2.0 - y * y;
  s.b[1] = z * (3.0 + y * y);
  s.b[3] = z * z * z;
  s.b[2] = z * z + s.b[3];
  return s;
}

/* dsigma/deps over k. */
static WN_HD double wn_bhabha_shape(const struct wn_bhabha *s, double eps)
{
  const double q = 1.0 / eps;
  return q * (s->inverse_beta2 * q - s->b[0]) + s->b[1] + eps * (s->b[3] * eps - s->b[2]);
}

/* Cross section for losses from cut_ev on; 0 where T is not above that. */
static inline double wn_bhabha_above(double t_ev, double cut_ev)
{
  const struct wn_bhabha s = wn_bhabha(t_ev);
  const double x = cut_ev / t_ev;
  if (!(x < 1.0))
    return 0.0;
  return s.k * (s.inverse_beta2 * (1.0 / x - 1.0) + s.b[0] * log(x) + s.b[1] * (1.0 - x) -
                s.b[2] / 2.0 * (1.0 - x * x) + s.b[3] / 3.0 * (1.0 - x * x * x));
}

/* One trial of the energy q_ev of the electron, from cut_ev on: drawn from 1/eps^2, accepted by what is
 * left, eps^2 beta^2 times the bracket, at most 1: with v = eps, beta^2 (B1 v - B2 v^2 + B3 v^3 - B4 v^4) >= 0.
 * Returns whether it is accepted. */
static WN_HD int wn_bhabha_try(const struct wn_bhabha *s, double cut_ev, double one,
                               double other, double *q_ev)
{
  const double x = cut_ev / s->t_ev, eps = x / (1.0 - one * (1.0 - x));
  *q_ev = eps * s->t_ev;
  return other * s->inverse_beta2 < wn_bhabha_shape(s, eps) * (eps * eps);
}

/* S(D) [eV m2] of an electron, D = cut_ev or T; mean_ev: I.  t_ev > 0. */
static inline double wn_bhabha_stopping(double t_ev, double cut_ev, double mean_ev,
                                        double delta)
{
  const struct wn_bhabha s = wn_bhabha(t_ev);
  const double x = cut_ev < t_ev ? cut_ev / t_ev : 1.0, t = t_ev / WN_MC2_EV,
               beta2 = 1.0 / s.inverse_beta2,
               rest = x * (s.b[0] -
                           x * (s.b[1] / 2.0 - x * (s.b[2] / 3.0 - x * (s.b[3] / 4.0))));
  return WN_MOLLER_K * s.inverse_beta2 *
         (log(2.0 * t * (t + 2.0) * WN_MC2_EV * x * t_ev / (mean_ev * mean_ev)) - beta2 -
          delta - beta2 * rest);
}

/* 1 - cos of the angle of the electron that gets q_ev to the positron of t_ev before: cos^2 = Q (T + 2 mc2)/(T (Q + 2 mc2)). */
static WN_HD double wn_bhabha_angle(double t_ev, double q_ev)
{
  const double all = t_ev * (q_ev + 2.0 * WN_MC2_EV),
               sin2 = 2.0 * WN_MC2_EV * (t_ev - q_ev) / all;
  return sin2 / (1.0 + sqrt(q_ev * (t_ev + 2.0 * WN_MC2_EV) / all));
}

#endif
