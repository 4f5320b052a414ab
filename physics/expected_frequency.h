/* physics/expected_frequency.h - the expected collision frequency of an electron of known speed.  A
 * frequency of the collision loop is a function of the energy relative to the target
 * (physics/xs_view.h), with thermal targets below thermal_below_ev.  The target velocity V has the
 * standard deviation sigma along each axis; v is the speed of the electron.  The mean over V is taken
 * at (v - V)^2 = (v - x sigma)^2 + 2 sigma^2, with x at the three points of Gauss-Hermite
 * quadrature. */
#ifndef WN_PHYSICS_EXPECTED_FREQUENCY_H
#define WN_PHYSICS_EXPECTED_FREQUENCY_H
#include <math.h>
#include "physics/constants.h"
#include "physics/host_device.h"
#include "physics/push.h"
#include "physics/xs_view.h"

/* A relative energy of electron and target: energy [eV], its weight in the mean over target velocities,
 * and the cosine of the angle between the relative velocity and that of the electron. */
struct wn_relative_energy {
  float energy;
  double weight, along;
};
#define WN_SEEN 3

/* Relative energies of an electron of e eV with component g of the gas; returns their number. */
static WN_HD int wn_expected_relative(const struct wn_xs_view *xs, int g, double e,
                                      struct wn_relative_energy seen[WN_SEEN])
{
  const double x[WN_SEEN] = {-1.7320508075688772, 0.0, 1.7320508075688772},
               of[WN_SEEN] = {1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0};
  const double sigma = (double)xs->gas[g].sigma_v;
  if (!(e < (double)xs->thermal_below_ev) || !(sigma > 0.0)) {
    seen[0].energy = (float)e;
    seen[0].weight = seen[0].along = 1.0;
    return 1;
  }
  /* energies below thermal_below_ev are not relativistic */
  const double v = wn_speed_from_ev(e), per = 0.5 * WN_ME / WN_E;
  for (int i = 0; i < WN_SEEN; i++) {
    const double energy = e + per * (x[i] * x[i] * sigma * sigma -
                                     2.0 * v * x[i] * sigma + 2.0 * sigma * sigma);
    seen[i].energy = (float)energy;
    seen[i].weight = of[i];
    seen[i].along = (v - x[i] * sigma) / sqrt(energy / per);
  }
  return WN_SEEN;
}

/* Upper bound of the relative energies: processes with a higher threshold need not be evaluated. */
static WN_HD double wn_expected_max_energy(const struct wn_xs_view *xs, int g, double e)
{
  const double sigma = (double)xs->gas[g].sigma_v, per = 0.5 * WN_ME / WN_E;
  if (!(e < (double)xs->thermal_below_ev) || !(sigma > 0.0))
    return e;
  /* (sqrt(a) + sqrt(b))^2 <= 2 a + 2 b */
  return 2.0 * e + 8.0 * per * sigma * sigma;
}

/* Frequency [1/s] of process[k] of the view for an electron of e_ev, as in the collision loop. */
static WN_HD double wn_expected_frequency(const struct wn_xs_view *xs, int k, double e_ev)
{
  const struct wn_process_view *p = &xs->process[k];
  struct wn_relative_energy seen[WN_SEEN];
  double sum = 0.0;
  if (wn_expected_max_energy(xs, p->gas, e_ev) < (double)p->threshold_ev)
    return 0.0;
  const int n = wn_expected_relative(xs, p->gas, e_ev, seen);
  for (int i = 0; i < n; i++)
    if (seen[i].energy >= p->threshold_ev)
      sum += seen[i].weight *
             (double)wn_xs_probability(xs, k, p->threshold_ev, seen[i].energy);
  return sum * xs->nu_max;
}

#endif
