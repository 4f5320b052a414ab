/* physics/angle.h - scattering angles.
 * Models with a forward peak have one shape, dsigma/dOmega ~ 1/(1 - xi cos chi)^2, the
 * screened Coulomb form (Okhrimovskyy, Bogaerts, Gijbels 2002, Phys. Rev. E 65, 037402);
 * with q = 1 - xi and s = (1 - cos chi)/2 it is 1/(s + eta)^2 with eta = (q/2)/(1 - q).
 * q = 1 is isotropic, q -> 0 forward, q > 1 backward. `screened-coulomb` multiplies it by
 * the spin factor 1 - beta^2 s (Mott-Massey; see doc/physics). */
#ifndef WN_PHYSICS_ANGLE_H
#define WN_PHYSICS_ANGLE_H
#include <math.h>
#include "physics/constants.h"
#include "physics/host_device.h"
#include "physics/mathfn.h"

/* s = (1 - cos chi)/2 in [0, 1] from a uniform r in [0, 1). */
static WN_HD double wn_angle_s(double q, double r)
{
  return r * q / (2.0 * (1.0 - r) * (1.0 - q) + q);
}

/* q of the Coulomb-like default xi = 4e/(1 + 4e), e = E in hartrees (27.21 eV). */
static WN_HD double wn_angle_coulomb_q(double e_ev)
{
  return 1.0 / (1.0 + e_ev * (2.0 / WN_RYDBERG_EV));
}

/* Ratio of momentum-transfer to total cross section of the shape, without spin.  Falls
 * from 2 (q = 2) through 1 (q = 1) to 0. Near q = 1 the closed form cancels, so a series
 * in xi = 1 - q is used. */
static WN_HD double wn_angle_ratio(double q)
{
  double xi = 1.0 - q;
  if (fabs(xi) < 0.02) /* (1-xi)/(2 xi^2) [(1+xi) 2 artanh xi - 2 xi] expanded */
    return (1.0 - xi) *
           (1.0 +
            xi * (1.0 / 3 +
                  xi * (1.0 / 3 +
                        xi * (1.0 / 5 + xi * (1.0 / 5 + xi * (1.0 / 7 + xi / 7))))));
  return q / (2.0 * xi * xi) * ((1.0 + xi) * wn_ln((1.0 + xi) / q) - 2.0 * xi);
}

/* The ratio with the spin factor 1 - beta2 s; eta > 0.  A_n = integral of s^n/(s+eta)^2
 * over [0,1]. */
static WN_HD double wn_angle_ratio_spin(double eta, double beta2)
{
  if (eta > 300.0) /* isotropic except for the spin: moments of s are 1, 1/2, 1/3 */
    return 2.0 * (0.5 - beta2 / 3.0) / (1.0 - 0.5 * beta2);
  double l = wn_ln((1.0 + eta) / eta);
  double a0 = 1.0 / (eta * (1.0 + eta)), a1 = l - 1.0 / (1.0 + eta);
  double a2 = 1.0 - 2.0 * eta * l + eta / (1.0 + eta);
  return 2.0 * (a1 - beta2 * a2) / (a0 - beta2 * a1);
}

/* Moliere's screening parameter of an atom: eta = hbar^2/(4 p^2 a^2), a = 1.3413 Z^(-1/3)
 * a0 (form and constant as in physics.md 1.6; p = relativistic momentum). */
static WN_HD double wn_angle_moliere_eta(double t_ev, double z_third_root)
{
  double pc2 = t_ev * (t_ev + 2.0 * WN_MC2_EV); /* (pc)^2 in eV^2 */
  double a = 1.3413 * WN_A0 / z_third_root;
  double hc = WN_HBAR * WN_C / WN_E; /* eV m */
  return hc * hc / (4.0 * a * a * pc2);
}

/* Turn the unit vector d by the polar angle chi (as s = (1 - cos chi)/2) and the azimuth
 * phi (sine, cosine).  The orthonormal basis across d is the branch-free one of Duff et
 * al. 2017 (JCGT 6, 1). */
static WN_HD void wn_angle_turn(double d[3], double s, double sin_phi, double cos_phi)
{
  double cos_chi = 1.0 - 2.0 * s, sin_chi = 2.0 * sqrt(s * (1.0 - s));
  double sign = d[2] < 0.0 ? -1.0 : 1.0;
  double a = -1.0 / (sign + d[2]), b = d[0] * d[1] * a;
  double p = sin_chi * cos_phi, q = sin_chi * sin_phi;
  double x = d[0], y = d[1], z = d[2];
  d[0] = cos_chi * x + p * (1.0 + sign * x * x * a) + q * b;
  d[1] = cos_chi * y + p * (sign * b) + q * (sign + y * y * a);
  d[2] = cos_chi * z - p * (sign * x) - q * y;
}

/* Isotropic unit vector from a uniform number and the sine and cosine of the azimuth. */
static WN_HD void wn_angle_isotropic_with(double d[3], double r, double sine,
                                          double cosine)
{
  double sz = 2.0 * sqrt(r * (1.0 - r));
  d[0] = sz * cosine;
  d[1] = sz * sine;
  d[2] = 1.0 - 2.0 * r;
}

/* Isotropic unit vector from two uniform numbers. */
static WN_HD void wn_angle_isotropic(double d[3], double r, double turn)
{
  double s, c;
  wn_sincos_turn(turn, &s, &c);
  wn_angle_isotropic_with(d, r, s, c);
}

/* Free two-body scattering on an electron at rest: cosine of the angle of an outgoing
 * electron of energy e_ev for an incoming electron of t_ev (kinematics of Moller
 * scattering; physics.md 1.2). */
static WN_HD double wn_angle_binary_cos(double t_ev, double e_ev)
{
  double c2 = e_ev * (t_ev + 2.0 * WN_MC2_EV) / (t_ev * (e_ev + 2.0 * WN_MC2_EV));
  return c2 < 1.0 ? sqrt(c2) : 1.0;
}

#endif
