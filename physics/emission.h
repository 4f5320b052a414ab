/* physics/emission.h - the time, place and velocity at which a source creates a particle
 * (src/sim/sources.c); velocities of electrons that a wall emits (src/sim/secondary_emission_electrons.c).
 *
 * Times: of a constant rate R, particle k is created at (k + a)/R, where a is uniform in
 * [0, 1) and its own.  The expected number is R times the time in any interval, and the
 * number up to any time is R times that to within one.
 *
 * Flux of a Maxwellian through a surface into the half space: its density in the normal
 * velocity v is v exp(-v^2/2 sigma^2), sigma^2 = kT/m, so that m v^2/2 is exponential with
 * mean kT; across the normal it is that of the Maxwellian (derived here).  An energy
 * E of the normal motion is added to it: what a Maxwellian becomes that was accelerated
 * through it.  The mean energy is E + 2 kT.
 *
 * Random numbers: purpose SOURCE, id: the number k of the particle, event: the number of
 * its source.  They do not depend on steps, ranks or threads. */
#ifndef WN_PHYSICS_EMISSION_H
#define WN_PHYSICS_EMISSION_H
#include <math.h>
#include <stdint.h>
#include "physics/constants.h"
#include "physics/host_device.h"
#include "physics/mathfn.h"
#include "physics/rng.h"

/* Blocks of purpose SOURCE.  Those of a particle, and of that created with it. */
enum {
  WN_SOURCE_BLOCK_BIRTH = 0,    /* time; place along three axes */
  WN_SOURCE_BLOCK_VELOCITY = 1, /* three normal numbers */
  WN_SOURCE_BLOCK_NAME = 2,     /* id, two words; normal velocity; first flight */
  WN_SOURCE_BLOCK_PAIR = 3      /* velocity of the pair; then its name */
};

/* gamma v [m/s] of the kinetic energy [eV] of a particle of mass [kg]; v if it is not
 * relativistic. */
static WN_HD double wn_emission_speed(double energy_ev, double mass, int relativistic)
{
  const double t = energy_ev * WN_E / (mass * (WN_C * WN_C));
  return WN_C * sqrt(relativistic ? t * (t + 2.0) : 2.0 * t);
}

/* Velocity of a Maxwellian of kT [eV]. */
static WN_HD void wn_emission_thermal(double kt_ev, double mass, struct wn_rng4 r,
                                      double u[3])
{
  const double sigma = sqrt(kt_ev * WN_E / mass);
  wn_rng_normal3(r, u);
  for (int d = 0; d < 3; d++)
    u[d] *= sigma;
}

/* Velocity of its flux along `normal` (1 or -1) of an axis, with the energy [eV] added.
 * r: three normal numbers; word: of the normal velocity. */
static WN_HD void wn_emission_flux(double kt_ev, double energy_ev, double mass,
                                   int relativistic, int axis, double normal,
                                   struct wn_rng4 r, uint32_t word, double u[3])
{
  wn_emission_thermal(kt_ev, mass, r, u);
  u[axis] = normal * wn_emission_speed(energy_ev + kt_ev * wn_rng_exponential(word), mass,
                                       relativistic);
}

/* Velocity of the speed (or gamma v) along `normal` (1 or -1) of an axis by the cosine law: as
 * many in a solid angle as the cosine of the angle to the normal, so that the square of
 * the cosine is uniform; of two components, axes x and y, the sine is.  first, second:
 * random words. */
static WN_HD void wn_emission_lambert(int n_v, double speed, int axis, double normal,
                                      uint32_t first, uint32_t second, double u[3])
{
  const double w = wn_u01_open(first);
  const double sine = n_v == 2 ? 2.0 * w - 1.0 : sqrt(1.0 - w),
               cosine = n_v == 2 ? sqrt((1.0 - sine) * (1.0 + sine)) : sqrt(w);
  double s = 0.0, c = 1.0;
  u[2] = 0.0;
  if (n_v == 3)
    wn_sincos_turn(wn_u01(second), &s, &c);
  u[axis] = normal * speed * cosine;
  u[(axis + 1) % n_v] = speed * sine * c;
  if (n_v == 3)
    u[(axis + 2) % 3] = speed * sine * s;
}

/* A velocity in the axes of a surface, the first along its normal n (of length 1), in those of the grid.  The
 * other two axes lie in the surface, in any direction: the laws above do not depend on it. */
static WN_HD void wn_emission_turn(int n_v, const double n[3], double u[3])
{
  const double along = u[0], a = u[1], b = u[2];
  if (n_v == 2) {
    u[0] = along * n[0] - a * n[1];
    u[1] = along * n[1] + a * n[0];
    return;
  }
  /* across n and the axis that is farthest from it */
  int k = fabs(n[0]) <= fabs(n[1]) ? 0 : 1;
  k = fabs(n[k]) <= fabs(n[2]) ? k : 2;
  double first[3] = {0.0, 0.0, 0.0}, length = 0.0;
  first[(k + 1) % 3] = n[(k + 2) % 3];
  first[(k + 2) % 3] = -n[(k + 1) % 3];
  for (int d = 0; d < 3; d++)
    length += first[d] * first[d];
  for (int d = 0; d < 3; d++)
    first[d] /= sqrt(length);
  for (int d = 0; d < 3; d++) {
    const int e = (d + 1) % 3, f = (d + 2) % 3;
    u[d] = along * n[d] + a * first[d] + b * (n[e] * first[f] - n[f] * first[e]);
  }
}

/* Place in (0, 1) with a density of half a wave of a sine, by inversion: cos(pi x) = 1 -
 * 2 w; half the angle has the tangent sqrt(w/(1 - w)). */
static WN_HD double wn_emission_cosine(double w)
{
  return 2.0 / WN_PI * wn_atan(sqrt(w / (1.0 - w)));
}

#endif
