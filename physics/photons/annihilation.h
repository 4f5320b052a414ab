/* physics/photons/annihilation.h - annihilation of positrons with free electrons at rest into two photons (Heitler).
 * Units: cross sections m2 per electron, energies in eV where the name ends in _ev.
 *   gamma = 1 + T/mc2, both photons share T + 2 mc2; e is the part of one of them
 *   sigma = pi r_e^2/(gamma + 1) [(gamma^2 + 4 gamma + 1)/(gamma^2 - 1) ln(gamma + sqrt(gamma^2 - 1))
 *                                 - (gamma + 3)/sqrt(gamma^2 - 1)]
 *   dsigma/de = pi r_e^2/(gamma - 1) [1/e (1 + 2 gamma/(gamma + 1)^2) - 1 - 1/((gamma + 1)^2 e^2)]
 * with e of either photon in [e-, e+], e+- = (1 +- sqrt((gamma - 1)/(gamma + 1)))/2; its integral is sigma (the test).
 * Heitler's book was not read; the closed total agrees with the quadrature and, slow, with pi r_e^2/beta.
 * Checked by t/physics/t0163-annihilation.c. */
#ifndef WN_PHYSICS_PHOTONS_ANNIHILATION_H
#define WN_PHYSICS_PHOTONS_ANNIHILATION_H
#include "physics/constants.h"
#include "physics/host_device.h"
#include "physics/mathfn.h"
#include "physics/photons/draws.h"

/* Total, t_ev > 0.  Slow, the two terms cancel: relative error 1e-15 mc2/T. */
static WN_HD double wn_annihilation_total(double t_ev)
{
  const double t = t_ev / WN_MC2_EV, g = 1.0 + t, q = sqrt(t * (t + 2.0));
  return WN_PI * WN_RE * WN_RE / (g + 1.0) *
         ((g * g + 4.0 * g + 1.0) / (q * q) * wn_ln(g + q) - (g + 3.0) / q);
}

/* dsigma/de [m2]; 0 outside of [e-, e+]. */
static WN_HD double wn_annihilation_differential(double t_ev, double e)
{
  const double t = t_ev / WN_MC2_EV, g = 1.0 + t, half = 0.5 * sqrt(t / (g + 1.0));
  if (!(e >= 0.5 - half && e <= 0.5 + half))
    return 0.0;
  const double b = 1.0 / ((g + 1.0) * (g + 1.0));
  return WN_PI * WN_RE * WN_RE / t * ((1.0 + 2.0 * g * b) / e - 1.0 - b / (e * e));
}

struct wn_annihilation {
  double e_ev[2];
  double d[2][3];
};

/* In flight: t_ev > 0 kinetic energy, d direction of the positron.  The second photon takes momentum and energy that
 * remain; its energy is the length of that momentum, so that the sum of energies closes to rounding. */
static WN_HD struct wn_annihilation wn_annihilation_sample(double t_ev, const double d[3],
                                                           struct wn_draws *r)
{
  const double t = t_ev / WN_MC2_EV, g = 1.0 + t, q = sqrt(t * (t + 2.0));
  const double half = 0.5 * sqrt(t / (g + 1.0)), most = 0.5 + half,
               least = 0.5 / (g + 1.0) / most;
  const double b = 1.0 / ((g + 1.0) * (g + 1.0)), range = wn_ln(most / least);
  /* e dsigma/de ~ 1 + 2 g b - e - b/e is at most 1 + 2 g b - 2 sqrt(b), at e = sqrt(b) */
  const double bound = 1.0 + 2.0 * g * b - 2.0 / (g + 1.0);
  double e;
  do
    e = least * wn_exp(range * wn_draw(r));
  while (wn_draw(r) * bound > 1.0 + 2.0 * g * b - e - b / e);
  struct wn_annihilation a;
  const double all = g + 1.0;
  double c1 = q > 0.0 ? (all - 1.0 / e) / q : 0.0;
  c1 = c1 > 1.0 ? 1.0 : c1 < -1.0 ? -1.0 : c1;
  for (int i = 0; i < 3; i++)
    a.d[0][i] = d[i];
  wn_turn_direction(a.d[0], 1.0 - c1, wn_draw(r));
  double rest2 = 0.0, p[3];
  for (int i = 0; i < 3; i++) {
    p[i] = q * d[i] - e * all * a.d[0][i];
    rest2 += p[i] * p[i];
  }
  const double rest = sqrt(rest2);
  for (int i = 0; i < 3; i++)
    a.d[1][i] = p[i] / rest;
  a.e_ev[0] = e * all * WN_MC2_EV;
  a.e_ev[1] = (all - e * all) * WN_MC2_EV;
  return a;
}

/* At rest: two photons of mc2 in opposite directions. */
static WN_HD struct wn_annihilation wn_annihilation_at_rest(struct wn_draws *r)
{
  struct wn_annihilation a;
  double d[3];
  wn_isotropic_direction(r, d);
  for (int i = 0; i < 3; i++) {
    a.d[0][i] = d[i];
    a.d[1][i] = -d[i];
  }
  a.e_ev[0] = a.e_ev[1] = WN_MC2_EV;
  return a;
}

#endif
