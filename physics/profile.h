/* physics/profile.h - what an electron meets along z: density of the gas, and the electric field.
 * Units: m, s.  Both are relative: density to that of the tables, which is that at z = 0, E to that of the case.
 *
 * Density: ln n is linear between knots, so that n is exponential there.  Electrons are followed from the first knot to the last.
 * E: the factor is linear between points, and constant beyond the first and the last one.
 *
 * Null collisions in a density that changes.  Candidates must come at a rate that is above the collision frequency wherever a flight may
 * lead, and that is known before the flight: a rate chosen with the time that was drawn would bias it.  So each interval between knots
 * has a neighbourhood with a largest ratio, `most`.  Candidates come at `most` times the rate of the tables; a flight ends at a horizon, the
 * time that light needs from its begin to leave the neighbourhood, at the latest.  It goes on in the interval reached, as it does at the
 * horizon of an energy band (physics/mcc_bands.h).  A candidate is kept with the probability n(z)/most.
 *
 * The alternative, an optical depth along the path, has no closed form for an electron that turns in E and B.
 *
 * The mean of E between z0 and z1 is exact, and a flight in that uniform field gains what the potential says, whatever B.
 * Checked by t/physics/t0112-profile.c. */
#ifndef WN_PHYSICS_PROFILE_H
#define WN_PHYSICS_PROFILE_H
#include <math.h>
#include <stddef.h>
#include "physics/constants.h"
#include "physics/host_device.h"
#include "physics/mathfn.h"

struct wn_profile {
  /* density; n 0: uniform */
  size_t n;
  const double *z, *ln_ratio; /* [n] z increasing */
  /* [n + 1] of the intervals, the first below all knots: largest ratio in the neighbourhood, and its ends, m */
  const float *most;
  const double *low, *high;
  /* field; n_field 0: uniform */
  size_t n_field;
  const double *field_z, *factor; /* [n_field] */
  double factor_most;             /* largest absolute value, 1 where it is uniform */
  double slope_most;              /* of the slopes of the factor, 1/m */
  double thinnest;                /* least distance of two points of the field, m */
};

static WN_HD int wn_profile_is_uniform(const struct wn_profile *p)
{
  return p->n == 0 && p->n_field == 0;
}

/* Number of knots at or below z. */
static WN_HD size_t wn_profile_interval(const double *knot, size_t n, double z)
{
  size_t low = 0, high = n;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (knot[middle] <= z)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Linear between knots, constant beyond. */
static WN_COLD double wn_profile_linear(const double *knot, const double *value, size_t n,
                                       double z)
{
  const size_t i = wn_profile_interval(knot, n, z);
  if (i == 0)
    return value[0];
  if (i == n)
    return value[n - 1];
  return value[i - 1] +
         (value[i] - value[i - 1]) * ((z - knot[i - 1]) / (knot[i] - knot[i - 1]));
}

/* n(z)/n(0). */
static WN_HD double wn_profile_density(const struct wn_profile *p, double z)
{
  return p->n == 0 ? 1.0 : wn_exp(wn_profile_linear(p->z, p->ln_ratio, p->n, z));
}

/* Seconds until light from z leaves the neighbourhood of interval i; off: error of places, m. */
static WN_HD float wn_profile_horizon(const struct wn_profile *p, size_t i, double z,
                                       double off)
{
  const double left = z - p->low[i], right = p->high[i] - z,
               way = left < right ? left : right, rest = way - off;
  return (float)((rest > 0.5 * way ? rest : 0.5 * way) * ((1.0 - 1e-6) / WN_C));
}

static WN_HD int wn_profile_is_outside(const struct wn_profile *p, double z)
{
  return p->n > 0 && (z < p->z[0] || z > p->z[p->n - 1]);
}

/* Mean of the factor of E between z0 and z1, which may be equal. */
static WN_COLD double wn_profile_mean_factor(const struct wn_profile *p, double z0,
                                            double z1)
{
  const double low = z0 < z1 ? z0 : z1, high = z0 < z1 ? z1 : z0;
  size_t i = wn_profile_interval(p->field_z, p->n_field, low);
  if (i == p->n_field || high <= p->field_z[i])
    return wn_profile_linear(p->field_z, p->factor, p->n_field, low + 0.5 * (high - low));
  double sum = 0.0, at = low,
         value = wn_profile_linear(p->field_z, p->factor, p->n_field, low);
  for (; i < p->n_field && p->field_z[i] < high; i++) {
    sum += (p->field_z[i] - at) * 0.5 * (value + p->factor[i]);
    at = p->field_z[i];
    value = p->factor[i];
  }
  sum += (high - at) * 0.5 *
         (value + wn_profile_linear(p->field_z, p->factor, p->n_field, high));
  return sum / (high - low);
}

/* Largest part of a flight that is one flight in a mean field, s; a: the acceleration of factor 1, m/s2.  The field lets electrons
 * oscillate at sqrt(a slope) at the most: WN_PROFILE_PER_TURN parts in a radian, an error of 1/(24 512^2) of the phase.  At the ends of a
 * part kinetic and potential energy close to rounding; within it, where a detector may be, to m v^2/(8 512^2). */
#define WN_PROFILE_PER_TURN 512.0
static WN_HD double wn_profile_part(const struct wn_profile *p, double a)
{
  const double rate2 = fabs(a) * p->slope_most;
  const double by_rate =
      rate2 > 0.0 ? 1.0 / (WN_PROFILE_PER_TURN * sqrt(rate2)) : (double)INFINITY;
  const double by_points = 0.5 * p->thinnest / WN_C;
  return by_rate < by_points ? by_rate : by_points;
}

#endif
