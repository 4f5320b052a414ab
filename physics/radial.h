/* physics/radial.h - the part of the motion of physics/mover.h that depends on the geometry, for
 * r-z: axis 0 is the distance r from an axis of symmetry, axis 1 the place z along it, both of
 * constant spacing (is_radial of struct wn_grid_view).
 *
 * A particle has r, z and three velocities: along r, along z, and across both, in the direction
 * r x z, which is minus that of the azimuth.  These are Cartesian axes of its own.  A way along
 * them is a straight line in space; at its end r is the new distance from the axis, and r and
 * the velocity are turned into the axes there (the rotation of Boris, after C. K. Birdsall and
 * A. B. Langdon, Plasma Physics via Computer Simulation, as known).  So a free flight is a
 * straight line also through the axis, to the rounding of r (2^-31 of the radius of the domain)
 * and of the velocity (2^-24 of it), and the angular momentum r v_across is that before.  The
 * velocity is rounded up or down by bits of r, with the probability of each: rounded to nearest,
 * a slow turn would go the same way in each step, and the speed with it (measured: 1.4e-5 of it
 * in 1000 steps).
 *
 * The axis itself is no side: a particle passes it, r >= 0 stays.  At a mirror around the axis
 * the line of its way is reflected by the cylinder itself: speed and angular momentum stay.  The
 * reflection of a plane, r beyond to 2 R - r, takes particles out of a larger ring into a smaller one:
 * with 0.04 R a step the density at the mirror fell by 2 %, and rose by 3 % elsewhere.
 *
 * Kernels for r-z are apart from those of Cartesian grids: WN_RADIAL_KERNELS of grid_view.h.  Double
 * precision, the same bits for one particle, for lanes and on a GPU.  Derived here;
 * t/physics/t0716-radial.c. */
#ifndef WN_PHYSICS_RADIAL_H
#define WN_PHYSICS_RADIAL_H
#include <math.h>
#include <stdint.h>
#include <string.h>
#include "physics/host_device.h"

/* The direction of the new axis r in the old axes: along r, and across. */
struct wn_radial_turn {
  double along, across;
  uint64_t dither; /* bits by which the velocity is rounded */
};

/* x [parts of axis 0] after a way along r and across, in parts, each at most the end of the
 * axis; *turn: the new axes. */
static WN_HD int32_t wn_radial_moved(int32_t x, double way, double across, int32_t end,
                                     struct wn_radial_turn *turn)
{
  const double along = (double)x + way, r = sqrt(along * along + across * across),
               most = 2.0 * (double)end, per_r = r > 0.0 ? 1.0 / r : 0.0;
  turn->along = r > 0.0 ? along * per_r : 1.0;
  turn->across = across * per_r;
  memcpy(&turn->dither, &r, sizeof r);
  turn->dither *= 0x9e3779b97f4a7c15u; /* the high bits depend on all of r */
  return (int32_t)rint(r < most ? r : most);
}

/* v as a float, the next above or below in magnitude where it is between: 29 bits that it loses
 * are compared with 29 of the dither.  A number that is a float stays. */
static WN_HD float wn_radial_rounded(double v, uint64_t dither)
{
  uint64_t bits;
  memcpy(&bits, &v, sizeof v);
  bits = (bits + (dither & 0x1fffffffu)) & ~(uint64_t)0x1fffffffu;
  memcpy(&v, &bits, sizeof v);
  return (float)v;
}

/* The velocity in the new axes: components along r, z and across. */
static WN_HD void wn_radial_turned(const struct wn_radial_turn *t, float u[3])
{
  const double r = (double)u[0], a = (double)u[2];
  u[0] = wn_radial_rounded(t->along * r + t->across * a, t->dither >> 35);
  u[2] = wn_radial_rounded(t->along * a - t->across * r, t->dither >> 6);
}

/* A particle that a straight way has brought to x > end, with the velocity u there, after specular
 * reflection by the cylinder.  The line is at the distance p from the axis, and t along it; its chord
 * ends at t = half, and the next chord begins at -half. */
static WN_HD void wn_radial_mirrored(int32_t end, int32_t *x, float u[3])
{
  const double r = (double)*x, along = (double)u[0], across = (double)u[2],
               speed = sqrt(along * along + across * across),
               sine = speed > 0.0 ? across / speed : 0.0, p = r * sine;
  if (!(p < (double)end &&
        p > -(double)end)) { /* by an acceleration; else it meets no side */
    *x = end;
    u[0] = -fabsf(u[0]);
    return;
  }
  const double half = sqrt(((double)end - p) * ((double)end + p)),
               beyond = r * sqrt((1.0 - sine) * (1.0 + sine)) - half,
               t = beyond < 2.0 * half ? beyond - half : half, to = sqrt(p * p + t * t),
               per = to > 0.0 ? speed / to : 0.0;
  uint64_t dither;
  memcpy(&dither, &to, sizeof to);
  dither *= 0x9e3779b97f4a7c15u;
  *x = (int32_t)rint(to);
  u[0] = wn_radial_rounded(t * per, dither >> 35);
  u[2] = wn_radial_rounded(p * per, dither >> 6);
}

/* An acceleration from the new axes back to the old. */
static WN_HD void wn_radial_turned_back(const struct wn_radial_turn *t, float a[3])
{
  const double r = (double)a[0], s = (double)a[2];
  a[0] = (float)(t->along * r - t->across * s);
  a[2] = (float)(t->along * s + t->across * r);
}

/* Half a step at the velocity v [m/s] in parts of axis 0: half and most of
 * wn_cartesian_prepare. */
static WN_HD double wn_radial_way(float half, float most, float v)
{
  float way = v * half;
  way = way < most ? way : most;
  way = way > -most ? way : -most;
  return (double)way;
}

#endif
