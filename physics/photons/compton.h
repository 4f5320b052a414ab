/* physics/photons/compton.h - Compton scattering by a free electron at rest (Klein and Nishina 1929).
 * Units: cross sections m2 per electron, energies in eV where the name ends in _ev.
 *   k = E/(mc2), e = E'/E in [1/(1 + 2k), 1], 1 - cos chi = (1 - e)/(k e)
 *   dsigma/de = pi r_e^2/k (1/e + e)(1 - e sin^2 chi/(1 + e^2))
 * The closed total is the integral; it was checked against the quadrature of dsigma/de.  Neither the paper nor
 * Butcher and Messel (1960), whose decomposition into 1/e and e is sampled, was read.
 * Checked by t/physics/t0160-compton.c. */
#ifndef WN_PHYSICS_PHOTONS_COMPTON_H
#define WN_PHYSICS_PHOTONS_COMPTON_H
#include "physics/constants.h"
#include "physics/host_device.h"
#include "physics/mathfn.h"
#include "physics/photons/draws.h"

/* Total, e_ev > 0.  Below k = 0.02 the closed form cancels, and its series is taken, whose coefficients were made by
 * exact rational arithmetic; the first term left out is 2e3 k^9, 1e-12 at the join. */
static WN_HD double wn_compton_total(double e_ev)
{
  const double k = e_ev / WN_MC2_EV;
  const double r2 = WN_RE * WN_RE;
  if (k < 0.02)
    return 8.0 * WN_PI / 3.0 * r2 *
           (1.0 + k * (-2.0 +
                       k * (5.2 + k * (-13.3 +
                                       k * (1144.0 / 35.0 +
                                            k * (-544.0 / 7.0 +
                                                 k * (3784.0 / 21.0 +
                                                      k * (-6148.0 / 15.0 +
                                                           k * (151552.0 / 165.0)))))))));
  const double a = 1.0 + 2.0 * k, l = wn_ln(a);
  return 2.0 * WN_PI * r2 *
         ((1.0 + k) / (k * k) * (2.0 * (1.0 + k) / a - l / k) + l / (2.0 * k) -
          (1.0 + 3.0 * k) / (a * a));
}

/* dsigma/de [m2] at e = E'/E; 0 outside of [1/(1 + 2k), 1]. */
static WN_HD double wn_compton_differential(double e_ev, double e)
{
  const double k = e_ev / WN_MC2_EV;
  if (!(e <= 1.0) || e * (1.0 + 2.0 * k) < 1.0)
    return 0.0;
  const double t = (1.0 - e) / (k * e);
  return WN_PI * WN_RE * WN_RE / k *
         ((1.0 / e + e) * (1.0 - e * t * (2.0 - t) / (1.0 + e * e)));
}

struct wn_compton {
  double e_ev;        /* of the scattered photon */
  double one_minus_c; /* 1 - cos chi of the photon, in [0, 2] */
};

/* Two draws or more. */
static WN_HD struct wn_compton wn_compton_sample(double e_ev, struct wn_draws *r)
{
  const double k = e_ev / WN_MC2_EV, least = 1.0 / (1.0 + 2.0 * k);
  const double a1 = wn_ln(1.0 + 2.0 * k), a2 = 0.5 * (1.0 - least * least);
  for (;;) {
    double e;
    if (wn_draw(r) * (a1 + a2) < a1)
      e = wn_exp(-a1 * wn_draw(r));
    else
      e = sqrt(least * least + (1.0 - least * least) * wn_draw(r));
    double t = (1.0 - e) / (k * e);
    t = t < 0.0 ? 0.0 : t > 2.0 ? 2.0 : t;
    if (wn_draw(r) <= 1.0 - e * t * (2.0 - t) / (1.0 + e * e)) {
      struct wn_compton c;
      c.one_minus_c = t;
      /* from the angle, so that both agree to rounding */
      c.e_ev = e_ev / (1.0 + k * t);
      return c;
    }
  }
}

/* Momentum of the recoil electron in eV/c: that of the photon before, of direction d, less that after, of direction d1. */
static WN_HD void wn_compton_recoil(double e_ev, const double d[3], double e1_ev,
                                    const double d1[3], double p[3])
{
  for (int i = 0; i < 3; i++)
    p[i] = e_ev * d[i] - e1_ev * d1[i];
}

#endif
