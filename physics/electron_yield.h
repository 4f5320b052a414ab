/* physics/electron_yield.h - true secondary electrons that a surface releases for an incident
 * electron: their mean number by its energy and angle, and a number drawn with that mean.
 *
 * Vaughan's formula, for the energy E and the angle a from the normal:
 *
 *   v = (E - E0)/(Emax - E0),   0 for E <= E0
 *   yield = max (v exp(1 - v))^k,  k = 0.56 for v <= 1, 0.25 for 1 < v <= 3.6
 *   yield = 1.125 max v^-0.35      for v > 3.6
 *   max = max0 (1 + ks a^2/(2 pi)),   Emax = Emax0 (1 + ks a^2/(2 pi))
 *
 * with max0 at Emax0 for normal incidence, and the smoothness ks: 0 rough, 1 typical, 2
 * polished.  At v = 3.6 it falls by 0.08 %.
 *
 * Source: J. R. M. Vaughan, IEEE Trans. Electron Devices 36, 1963 (1989) and 40, 830
 * (1993).  Of the first only the abstract was read, of the second nothing.  Formula and
 * constants are those of XOOPIC (secondary.cpp 3.0, which names the numbers of the
 * equations of 1993) and of MULH (seem.f90), which agree; the manual of EEmiLib has the
 * same k, 3.6, 1.125, 0.35 and E0 = 12.5 eV.  The papers take the formula for all
 * emitted electrons; here it is that of the true secondaries. */
#ifndef WN_PHYSICS_ELECTRON_YIELD_H
#define WN_PHYSICS_ELECTRON_YIELD_H
#include <math.h>
#include <stdint.h>
#include "physics/constants.h"
#include "physics/host_device.h"
#include "physics/mathfn.h"
#include "physics/rng.h"

struct wn_electron_yield {
  double most;         /* at energy_ev, normal incidence */
  double energy_ev;    /* Emax0; 0: `most` at all energies and angles */
  double threshold_ev; /* E0, below Emax0 */
  double smoothness;   /* ks */
};

/* Angle from the normal of a velocity with these magnitudes along and across it, from 0 to
 * pi/2; 0 at rest. */
static WN_HD double wn_electron_yield_angle(double along, double across)
{
  return across > 0.0 ? wn_atan(across / along) : 0.0;
}

/* Mean number for an electron of the energy [eV] and angle. */
static WN_HD double wn_electron_yield(const struct wn_electron_yield *y, double energy_ev,
                                      double angle)
{
  if (y->energy_ev == 0.0)
    return y->most;
  if (energy_ev <= y->threshold_ev)
    return 0.0;
  const double rise = 1.0 + y->smoothness * angle * angle / (2.0 * WN_PI),
               v = (energy_ev - y->threshold_ev) /
                   (y->energy_ev * rise - y->threshold_ev),
               log_v = wn_ln(v);
  const double exponent =
      v > 3.6 ? -0.35 * log_v : (v > 1.0 ? 0.25 : 0.56) * (log_v + 1.0 - v);
  return (v > 3.6 ? 1.125 : 1.0) * y->most * rise * wn_exp(exponent);
}

/* A number with the given mean: one of the two integers beside it. */
static WN_HD uint32_t wn_electron_yield_nearest(double mean, uint32_t word)
{
  return (uint32_t)(mean + wn_u01(word));
}

/* The same, distributed by Poisson's law, by inversion.  mean: at most 500. */
static WN_HD uint32_t wn_electron_yield_poisson(double mean, uint32_t word)
{
  const double u = wn_u01_open(word);
  double chance = wn_exp(-mean), sum = chance;
  uint32_t n = 0;
  while (u > sum && n < 2000) {
    n++;
    chance *= mean / n;
    sum += chance;
  }
  return n;
}

#endif
