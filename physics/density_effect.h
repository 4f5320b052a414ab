/* physics/density_effect.h - what polarization of the gas takes from distant collisions of fast
 * electrons: Sternheimer's delta.  With x = log10(beta gamma),
 *
 *   delta = 0                                    x < x0
 *         = 2 ln 10 x - C + a (x1 - x)^k         x0 <= x < x1
 *         = 2 ln 10 x - C                        x >= x1
 *
 * Dry air at 1 atm and 20 C (R. M. Sternheimer, M. J. Berger, S. M. Seltzer, At. Data Nucl. Data
 * Tables 30, 261, 1984; the numbers were not taken from the paper but from memory, and agree with what
 * can be checked: C = 2 ln(I/h nu_p) + 1 with I = 85.7 eV and the plasma energy 0.7067 eV of
 * 1.2048 kg/m3, and delta(x0) = 0).  At another density rho the plasma energy changes as rho^1/2: delta is that at
 * x + log10(rho/rho_0)/2.  At 1 atm and 0 C it begins at 26.7 MeV and is 0.25 at 40 MeV, 0.8 % of the
 * collision stopping power; at a third of the density it begins at 48 MeV.
 * t/physics/t0158-moller.c */
#ifndef WN_PHYSICS_DENSITY_EFFECT_H
#define WN_PHYSICS_DENSITY_EFFECT_H
#include "physics/host_device.h"
#include "physics/mathfn.h"

#define WN_DENSITY_X0 1.7418
#define WN_DENSITY_X1 4.2759
#define WN_DENSITY_C  10.5961
#define WN_DENSITY_A  0.10914
#define WN_DENSITY_K  3.3994
/* molecules of dry air at 1 atm and 20 C, 1/m3 */
#define WN_DENSITY_AIR 2.5044e25

/* shift: log10(rho/rho_0)/2, added to x; begins: T/mc2 below which delta is 0, INFINITY: always. */
struct wn_density_effect {
  double shift, begins;
};

static inline struct wn_density_effect wn_density_effect_none(void)
{
  const struct wn_density_effect d = {0.0, INFINITY};
  return d;
}

/* Of air with n molecules in a m3. */
static inline struct wn_density_effect wn_density_effect_air(double n)
{
  struct wn_density_effect d;
  d.shift = 0.5 * log10(n / WN_DENSITY_AIR);
  const double u = pow(10.0, WN_DENSITY_X0 - d.shift); /* beta gamma */
  d.begins = u * u / (1.0 + sqrt(1.0 + u * u));
  return d;
}

/* delta of an electron of energy x mc2. */
static WN_HD double wn_density_effect(const struct wn_density_effect *d, double x)
{
  if (!(x > d->begins))
    return 0.0;
  const double ln10 = 2.302585092994045684,
               u = 0.5 / ln10 * wn_ln(x * (2.0 + x)) + d->shift, left = WN_DENSITY_X1 - u,
               delta = 2.0 * ln10 * u - WN_DENSITY_C;
  return left > 0.0 ? delta + WN_DENSITY_A * wn_exp(WN_DENSITY_K * wn_ln(left)) : delta;
}

#endif
