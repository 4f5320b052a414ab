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
 * and of the velocity (2^-25 of it), and the angular momentum r v_across is that before.
 *
 * The axis itself is no side: a particle passes it, r >= 0 stays.  At a mirror around the axis
 * its place beyond is reflected in r and the velocity along r is reversed: that of a plane, right
 * to first order in the way beyond it.
 *
 * On the host alone: kernels take Cartesian grids.  Double precision, the same bits for one
 * particle and for lanes.  Derived here; t/physics/t0716-radial.c. */
#ifndef WN_PHYSICS_RADIAL_H
#define WN_PHYSICS_RADIAL_H
#include <math.h>
#include <stdint.h>
#include "physics/host_device.h"

/* The direction of the new axis r in the old axes: along r, and across. */
struct wn_radial_turn {
  double along, across;
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
  return (int32_t)rint(r < most ? r : most);
}

/* A vector in the new axes: components along r, z and across. */
static WN_HD void wn_radial_turned(const struct wn_radial_turn *t, float u[3])
{
  const double r = (double)u[0], a = (double)u[2];
  u[0] = (float)(t->along * r + t->across * a);
  u[2] = (float)(t->along * a - t->across * r);
}

/* And from the new axes back to the old. */
static WN_HD void wn_radial_turned_back(const struct wn_radial_turn *t, float u[3])
{
  const struct wn_radial_turn back = {t->along, -t->across};
  wn_radial_turned(&back, u);
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
