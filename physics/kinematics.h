/* physics/kinematics.h - collision of an electron with a heavy target, relativistic and
 * with recoil. u = gamma v [m/s]; energies and rest energies in eV.  Every step conserves
 * total energy and momentum exactly, so that the target receives what the electron loses
 * (t/physics/t0120-kinematics.c adds both up). */
#ifndef WN_PHYSICS_KINEMATICS_H
#define WN_PHYSICS_KINEMATICS_H
#include <math.h>
#include "physics/angle.h"
#include "physics/constants.h"
#include "physics/host_device.h"
#include "physics/push.h"

/* 1/sqrt(1 - b2): a series where it is exact to rounding, which avoids the square root
 * and the division in the hot loop.  Boosts to heavy centres of mass and to thermal
 * targets always have b2 < 1e-3. */
static WN_HD double wn_boost_gamma(double b2)
{
  if (WN_LIKELY(b2 < 1e-3))
    return 1.0 + b2 * (0.5 + b2 * (0.375 + b2 * (0.3125 +
                                                 b2 * (35.0 / 128 + b2 * (63.0 / 256)))));
  return 1.0 / sqrt(1.0 - b2);
}

/* Lorentz boost of u and *gamma to a frame that moves with velocity sign * beta (in units
 * of c). */
static WN_HD void wn_boost(double u[3], double *gamma, const double beta[3], double sign)
{
  double b2 = beta[0] * beta[0] + beta[1] * beta[1] + beta[2] * beta[2];
  double bu = (beta[0] * u[0] + beta[1] * u[1] + beta[2] * u[2]) * sign;
  double gb = wn_boost_gamma(b2);
  /* gb/(1 + gb) = 1/(1 + sqrt(1 - b2)) */
  double k = sign * (gb * (wn_sqrt1p(-b2) * bu - *gamma * WN_C));
  u[0] += k * beta[0];
  u[1] += k * beta[1];
  u[2] += k * beta[2];
  *gamma = gb * (*gamma - bu * (1.0 / WN_C));
}

/* Energy in the centre-of-mass frame above the rest energies, for an electron of t_ev and
 * a target at rest: K0 = sqrt((m+M)^2 + 2 T M) - m - M = 2 T M / (root + m + M), with x =
 * 2 T M/(m+M)^2 and 2/(1 + sqrt(1+x)) as a series where that is exact to rounding. */
static WN_HD double wn_cm_kinetic_with(double t_ev, double part, double x_per_ev)
{
  return 2.0 * t_ev * part * wn_sqrt1p(t_ev * x_per_ev);
}

/* part = M/(m+M) and x_per_ev = 2 M/(m+M)^2, for callers that store them. */
static WN_HD void wn_cm_factors(double target_ev, double *part, double *x_per_ev)
{
  double sum = WN_MC2_EV + target_ev;
  *part = target_ev / sum;
  *x_per_ev = 2.0 * target_ev / sum / sum;
}

/* The definition, for tests; collisions use the stored factors of their gas. */
static WN_HD double wn_cm_kinetic_ev(double t_ev, double target_ev)
{
  double part, x_per_ev;
  wn_cm_factors(target_ev, &part, &x_per_ev);
  return wn_cm_kinetic_with(t_ev, part, x_per_ev);
}

/* Two-body collision in the rest frame of the target, direction given in the
 * centre-of-mass frame.
 *
 *   u, *gamma  the electron before; replaced by its values after
 *   k_ev       energy left in the centre-of-mass frame: wn_cm_kinetic_ev() - loss_ev,
 *              >= 0
 *   target_ev  rest energy M c^2 of the target
 *   loss_ev    energy that goes into the target's excitation (may be negative:
 *              superelastic)
 *   dir        [3] unit vector of the outgoing electron in the centre-of-mass frame
 *
 * Returns |u| in the centre-of-mass frame after the collision.  With K = k_ev and M' = M
 * + loss the momentum after it is
 *   p*^2 = K (K+2m)(K+2M')(K+2m+2M') / (4 (K+m+M')^2),
 * which is free of cancellation at small K. */
static WN_HD double wn_collide_two_body(double u[3], double *gamma, double k_ev,
                                        double target_ev, double loss_ev,
                                        const double dir[3])
{
  const double m = WN_MC2_EV;
  double mt = target_ev + loss_ev, d = k_ev + m + mt, all = *gamma * m + target_ev;
  /* one division gives both 1/d and 1/all */
  double both = 1.0 / (d * all), inv_d = both * all, f = both * d * (m / WN_C);
  double part = k_ev * (k_ev + 2.0 * mt) * inv_d; /* 2 m (gamma* - 1) */
  double p2 = part * (k_ev + 2.0 * m) * ((k_ev + 2.0 * (m + mt)) * inv_d) * 0.25;
  double us = sqrt(p2) * (WN_C / m);
  double frame[3] = {f * u[0], f * u[1], f * u[2]};
  u[0] = us * dir[0];
  u[1] = us * dir[1];
  u[2] = us * dir[2];
  *gamma = 1.0 + part * (0.5 / m);
  wn_boost(u, gamma, frame, -1.0);
  return us;
}

#endif
