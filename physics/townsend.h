/* physics/townsend.h - sums of a swarm for a steady-state Townsend experiment: weights times
 * exp(-a z), for a few equidistant values of a.
 *
 * Electrons leave z = 0 one after the other, at a constant rate and for a long time.  The
 * steady state is the sum over all their ages, with the density n(z) ~ exp(alpha z) far
 * from the source.  The sum over ages of one swarm, times exp(-alpha z), is the same sum
 * with equal weight for each z.  So means over a swarm with weights exp(-alpha z) are
 * those of the steady state, at any z (derived here: doc/physics.md; checked by
 * t/swarm/t0636-townsend.c).  SI, energies in eV. */
#ifndef WN_PHYSICS_TOWNSEND_H
#define WN_PHYSICS_TOWNSEND_H
#include <math.h>
#include <stdint.h>
#include "physics/constants.h"
#include "physics/electron.h"
#include "physics/host_device.h"
#include "physics/mathfn.h"
#include "physics/push.h"
#include "physics/tally.h"

#define WN_TILTS 5 /* values of a, the third in the middle */

/* Sums for each a: w', w' energy in eV, w' v_z/c, with w' = w exp(-a z). */
enum { WN_TILT_W, WN_TILT_ENERGY, WN_TILT_V, WN_TILT_SUMS };

#define WN_FIX_TILT   WN_FIX_ENERGY /* w' */
#define WN_FIX_TILT_V WN_FIX_STEP   /* w' v/c */

/* e^x with a relative error below 1e-15, the same on every machine; x is limited to
 * +-700. x = k ln 2 + r, |r| <= 0.347, and 13 terms of the series: the next is 4e-18. */
static WN_COLD double wn_exp(double x)
{
  const double y = x < -700.0 ? -700.0 : x > 700.0 ? 700.0 : x;
  const double k = rint(y * 1.4426950408889634074);
  const double r = (y - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;
  /* even and odd powers separately: two independent chains of operations */
  const double s = r * r;
  const double even =
      1.0 + s * (1.0 / 2 +
                 s * (1.0 / 24 +
                      s * (1.0 / 720 + s * (1.0 / 40320 + s * (1.0 / 3628800 +
                                                               s * (1.0 / 479001600))))));
  const double odd =
      1.0 +
      s * (1.0 / 6 +
           s * (1.0 / 120 +
                s * (1.0 / 5040 + s * (1.0 / 362880 + s * (1.0 / 39916800 +
                                                           s * (1.0 / 6227020800.0))))));
  return (even + r * odd) * wn_from_bits((uint64_t)((int64_t)k + 1023) << 52);
}

/* The scale of sum i of WN_TILTS times WN_TILT_SUMS. */
static WN_HD double wn_tilt_fix(int i)
{
  return i % WN_TILT_SUMS == WN_TILT_W        ? WN_FIX_TILT
         : i % WN_TILT_SUMS == WN_TILT_ENERGY ? WN_FIX_ENERGY
                                              : WN_FIX_TILT_V;
}

/* Terms that an electron adds to these sums; middle, step [1/m]: values of a. */
static WN_HD void wn_tilt_terms(double middle, double step, const struct wn_electron *e,
                                double term[WN_TILTS * WN_TILT_SUMS])
{
  const double u[3] = {(double)e->u[0], (double)e->u[1], (double)e->u[2]};
  const double gamma = wn_gamma(u), energy = wn_kinetic_ev(u, gamma),
               v = u[2] / gamma * (1.0 / WN_C), z = e->x[2], ratio = wn_exp(-step * z);
  double w = (double)e->w * wn_exp(-(middle - (WN_TILTS / 2) * step) * z);
  for (int k = 0; k < WN_TILTS; k++) {
    term[k * WN_TILT_SUMS + WN_TILT_W] = w;
    term[k * WN_TILT_SUMS + WN_TILT_ENERGY] = w * energy;
    term[k * WN_TILT_SUMS + WN_TILT_V] = w * v;
    w *= ratio;
  }
}

#endif
