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
