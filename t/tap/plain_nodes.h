/* t/tap/plain_nodes.h - shares of a particle among nodes and what sides make of them, one axis at a time, in
 * plain double precision: for tests of sums at nodes, beside physics/shape.h and fields/deposit.c. */
#ifndef WN_T_TAP_PLAIN_NODES_H
#define WN_T_TAP_PLAIN_NODES_H
#include <math.h>
#include "physics/grid_view.h"
#include "src/config/config.h"

/* The weight of node i of an axis, -1 .. cells + 1, for a particle at s cells. */
static inline double plain_spline(int shape, double s, int i)
{
  const double far = fabs(s - i);
  if (shape == WN_SHAPE_NGP)
    return s - i >= -0.5 && s - i < 0.5 ? 1.0 : 0.0;
  if (shape == WN_SHAPE_CIC)
    return far < 1.0 ? 1.0 - far : 0.0;
  return far < 0.5 ? 0.75 - far * far : far < 1.5 ? 0.5 * (1.5 - far) * (1.5 - far) : 0.0;
}

/* Where node i of an axis goes, and its sign. */
static inline int plain_onto(const struct wn_config *c, int d, int i, double *sign)
{
  const struct wn_cfg_wall *w = &c->plasma.wall[2 * d];
  const int n = (int)c->plasma.cells[d], side = i > n;
  *sign = 1.0;
  if (w[0].field == WN_PERIODIC)
    return (i + n) % n;
  if (i >= 0 && i <= n)
    return i;
  if (w[side].particles != WN_SIDE_REFLECT)
    return side ? n : 0;
  *sign = -1.0;
  return side ? n - 1 : 1;
}

/* The part of a cell that a node has. */
static inline double plain_part(const struct wn_config *c, int d, int i)
{
  const int is_end = i == 0 || i == (int)c->plasma.cells[d];
  return c->plasma.wall[2 * d].field != WN_PERIODIC && is_end ? 0.5 : 1.0;
}

#endif
