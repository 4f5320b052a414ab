/* physics/nodal_field.h - E and B at a particle, from their values on the nodes of a grid:
 * all three components of both, whatever the number of axes.
 *
 * The values of a node are WN_NODAL_VALUES floats, one vector of a CPU or two loads of a GPU:
 * Ex Ey Ez 0 Bx By Bz 0, in V/m and T.  Each is linear along each axis (CIC).  Arrays
 * have the guards of other arrays (physics/grid_view.h): beyond a periodic side these are
 * the values of the other side, beyond another side the field is continued. */
#ifndef WN_PHYSICS_NODAL_FIELD_H
#define WN_PHYSICS_NODAL_FIELD_H
#include <stdint.h>
#include "physics/grid_view.h"
#include "physics/host_device.h"
#include "physics/shape.h"

#define WN_NODAL_VALUES 8
#define WN_NODAL_B      4 /* the place of Bx among them */

/* The place at which the field acts on a particle at x, which may be beyond a side by less
 * than half the domain: the same place in the domain along a periodic axis; at most a cell
 * outside of another side, where the guards end. */
static WN_HD int32_t wn_nodal_inside(const struct wn_grid_view *g, int d, int32_t end,
                                     int32_t x)
{
  const int32_t cell = (int32_t)1 << g->bits[d];
  if (g->side[2 * d] == WN_SIDE_PERIODIC) {
    x += x < 0 ? end : 0;
    return x - (x >= end ? end : 0);
  }
  x = x < -cell ? -cell : x;
  return x < end + cell ? x : end + cell - 1;
}

/* Cell, -1 to cells, and part of a place of wn_nodal_inside; as float, exactly. */
static WN_HD void wn_nodal_place(const struct wn_grid_view *g, int d, int32_t x,
                                 int32_t *cell, float *part)
{
  uint32_t of_cell;
  wn_place_of_fixed(g->bits[d], x, cell, &of_cell);
  *part = wn_spline_part(1, 0, of_cell);
}

/* The values from those of a cell's nodes: means along z, then y, then x. */
static WN_HD void wn_nodal_gather(const struct wn_grid_view *g, int dim,
                                  const int32_t cell[3], const float part[3],
                                  float eb[WN_NODAL_VALUES])
{
  const float *at = g->eb + (int64_t)wn_grid_node(g, dim, cell) * WN_NODAL_VALUES;
  const int64_t y = dim > 1 ? (int64_t)g->step[1] * WN_NODAL_VALUES : 0,
                z = dim > 2 ? (int64_t)g->step[2] * WN_NODAL_VALUES : 0;
  WN_UNROLLED
  for (int c = 0; c < WN_NODAL_VALUES; c++) {
    float row[2] = {0.0f, 0.0f};
    if (c % 4 == 3) {
      eb[c] = 0.0f;
      continue;
    }
    for (int i = 0; i < 2; i++) {
      const float *node = at + i * WN_NODAL_VALUES + c;
      float column[2] = {node[0], 0.0f};
      if (dim > 2)
        column[0] = wn_fma(part[2], node[z] - node[0], node[0]);
      if (dim > 1) {
        column[1] = dim > 2 ? wn_fma(part[2], node[y + z] - node[y], node[y]) : node[y];
        column[0] = wn_fma(part[1], column[1] - column[0], column[0]);
      }
      row[i] = column[0];
    }
    eb[c] = wn_fma(part[0], row[1] - row[0], row[0]);
  }
}

#endif
