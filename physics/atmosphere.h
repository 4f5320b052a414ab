/* physics/atmosphere.h - number density of the U.S. Standard Atmosphere 1976, from -5 to 86 km.
 * Units: m, K, Pa, 1/m3.
 *
 * Source: U.S. Standard Atmosphere, 1976 (NASA-TM-X-74335), not read: base heights, gradients and constants from the table of poliastro's
 * documentation of coesa76 and that of Wolfram's System Modeler, which agree.  With the geopotential height h = r z/(r + z),
 *   T = Tb + L (h - hb),   p = pb (Tb/T)^(g M/(R L)),   p = pb exp(-g M (h - hb)/(R Tb)) where L is 0,   n = p/(k T).
 * T is the temperature of molecular scale, T M0/M.  From 80 km on the mean molar mass M is less than M0, at 86 km by 4e-4, and n
 * is too small by that.  Base pressures follow from the formula.
 * Checked by t/physics/t0112-profile.c. */
#ifndef WN_PHYSICS_ATMOSPHERE_H
#define WN_PHYSICS_ATMOSPHERE_H
#include <stddef.h>
#include "physics/constants.h"
#include "physics/mathfn.h"

#define WN_ATMOSPHERE_LOW  (-5e3)
#define WN_ATMOSPHERE_HIGH 86e3

/* Molecules per volume at altitude z above sea level. */
static inline double wn_atmosphere_density(double z)
{
  static const struct {
    double h, gradient; /* base, geopotential; K/m */
  } layer[] = {{0.0, -6.5e-3}, {11e3, 0.0},     {20e3, 1e-3}, {32e3, 2.8e-3},
               {47e3, 0.0},    {51e3, -2.8e-3}, {71e3, -2e-3}};
  const size_t n = sizeof layer / sizeof *layer;
  const double radius = 6356766.0, gm_r = 9.80665 * 28.9644e-3 / 8.31432; /* K/m */
  const double h = radius * z / (radius + z);
  double t = 288.15, p = 101325.0;
  for (size_t i = 0; i < n; i++) {
    const double top = i + 1 < n && h > layer[i + 1].h ? layer[i + 1].h : h,
                 dh = top - layer[i].h, after = t + layer[i].gradient * dh;
    p *= layer[i].gradient != 0.0 ? wn_exp(wn_ln(t / after) * (gm_r / layer[i].gradient))
                                  : wn_exp(-gm_r * dh / t);
    t = after;
    if (!(h > top))
      break;
  }
  return p / (WN_KB * t);
}

#endif
