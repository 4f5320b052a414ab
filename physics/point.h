/* physics/point.h - records of particles without collisions, identity or, the small ones,
 * weight: what is left is a place and a velocity.
 *
 *   1d3v  int32 x;     float u[3]            16 bytes
 *   2d2v  int32 x[2];  float u[2]            16 bytes
 *   2d3v  int32 x[2];  float u[3], w, -, -   32 bytes
 *   3d3v  int32 x[3];  float u[3], w, -      32 bytes
 *
 * x: fixed point, cell * 2^bits + part, from 0 to cells * 2^bits (struct wn_grid_view), so
 * that a step is resolved equally anywhere in the domain; below 0: dead.  u = gamma v
 * [m/s].  w: particles that this one stands for, in units of the species' own. */
#ifndef WN_PHYSICS_POINT_H
#define WN_PHYSICS_POINT_H
#include <stdint.h>
#include "physics/hd.h"

enum wn_point_kind { WN_POINT_1D3V, WN_POINT_2D2V, WN_POINT_2D3V, WN_POINT_3D3V };

#define WN_POINT_DEAD INT32_MIN /* x[0] */

#endif
