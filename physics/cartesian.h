/* physics/cartesian.h - the part of the motion of physics/mover.h that depends on the geometry,
 * for Cartesian axes of constant spacing: how far a velocity moves a place, and what the sides
 * of the box do.  These are the only functions there that know h; a second geometry is a
 * header with the same ones for its own constants.
 *
 * A place is fixed point, cell * 2^bits + part (struct wn_grid_view).  With constant h a way
 * in m is the same number of parts anywhere, so a step costs one product.  The general form,
 * by which this is checked, is wn_axis_moved of physics/geometry.h
 * (t/physics/t0713-geometry.c). */
#ifndef WN_PHYSICS_CARTESIAN_H
#define WN_PHYSICS_CARTESIAN_H
#include <math.h>
#include <stdint.h>
#include "physics/grid_view.h"
#include "physics/host_device.h"

/* Constants of a step of dt [s] along each axis: its end in parts; the longest half step, the
 * same; parts per 1 m/s in half a step. */
static WN_HD void wn_cartesian_prepare(const struct wn_grid_view *g, double dt,
                                       int32_t end[3], float most[3], float half[3])
{
  for (int d = 0; d < 3; d++) {
    end[d] = g->cells[d] << g->bits[d];
    most[d] = (float)end[d];
    half[d] = (float)(0.5 * dt * ldexp(g->per_h[d], g->bits[d]));
  }
}

/* Half a step at the velocity v [m/s], in parts: odd in v, so that the reverse step ends
 * where the step began.  Limited to the domain's length, which no resolved step comes
 * near: a longer one ends at the same place of a periodic axis, or behind the opposite
 * wall. */
static WN_HD int32_t wn_cartesian_way(const float half[3], const float most[3], int d,
                                      float v)
{
  float way = v * half[d];
  way = way < most[d] ? way : most[d];
  way = way > -most[d] ? way : -most[d];
  return wn_nearest(way);
}

/* Apply the sides of axis d, which ends at `end`, to a place at most the domain's length
 * outside, and to the velocity along d.  Returns -1, or the surface that the particle left by
 * or that took it. */
static WN_HD int wn_cartesian_cross(const struct wn_grid_view *g, int d, int32_t end,
                                    int32_t *x, float *u)
{
  if (g->side[2 * d] == WN_SIDE_PERIODIC) {
    *x += *x < 0 ? end : 0;
    *x -= *x >= end ? end : 0;
  } else if (*x < 0) {
    if (!wn_side_returns(g->side[2 * d], 0, x, u))
      return 2 * d;
  } else if (*x > end) {
    if (!wn_side_returns(g->side[2 * d + 1], end, x, u))
      return 2 * d + 1;
  }
  return -1;
}

#endif
