/* physics/photons/photoelectric.h - direction of a photoelectron: Sauter's distribution of the K shell (Sauter 1931, not
 * read), taken for all shells.  The totals are those of the data (physics/photons/element.h).
 *   p(cos) ~ sin^2/(1 - beta cos)^4 [1 + gamma (gamma - 1)(gamma - 2)(1 - beta cos)/2]
 * With v = 1 - cos and A = 1/beta - 1 it is (2 - v) [1/(A + v) + beta gamma (gamma - 1)(gamma - 2)/2] v/(A + v)^3: the last
 * factor is inverted, and the rest, which falls with v, accepts or rejects (derived here; the test compares).
 * Checked by t/physics/t0161-photoelectric.c. */
#ifndef WN_PHYSICS_PHOTONS_PHOTOELECTRIC_H
#define WN_PHYSICS_PHOTONS_PHOTOELECTRIC_H
#include "physics/constants.h"
#include "physics/host_device.h"
#include "physics/photons/draws.h"

/* p in any unit; t_ev > 0 kinetic energy of the electron, v = 1 - cos in [0, 2]. */
static WN_HD double wn_photoelectric_density(double t_ev, double v)
{
  const double t = t_ev / WN_MC2_EV, g = t + 1.0, q = sqrt(t * (t + 2.0)), beta = q / g;
  const double a = 1.0 / (q * (g + q)); /* 1/beta - 1 = (g - q)/q */
  const double f = (2.0 - v) * (1.0 / (a + v) + 0.5 * beta * g * t * (g - 2.0));
  return f * v / ((a + v) * (a + v) * (a + v));
}

/* 1 - cos of the electron to the photon.  Two draws or more. */
static WN_HD double wn_photoelectric_angle(double t_ev, struct wn_draws *r)
{
  const double t = t_ev / WN_MC2_EV, g = t + 1.0, q = sqrt(t * (t + 2.0)), beta = q / g;
  const double a = 1.0 / (q * (g + q)), b = 0.5 * beta * g * t * (g - 2.0);
  const double bound = 2.0 * (1.0 / a + b);
  for (;;) {
    const double u = wn_draw(r), w = sqrt(u);
    const double v =
        2.0 * a / ((a + 2.0) * (a + 2.0) - 4.0 * u) * (2.0 * u + (a + 2.0) * w);
    if (wn_draw(r) * bound <= (2.0 - v) * (1.0 / (a + v) + b))
      return v > 2.0 ? 2.0 : v;
  }
}

#endif
