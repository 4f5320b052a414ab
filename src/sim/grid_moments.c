/* src/sim/grid_moments.c - see grid_moments.h. */
#include "src/sim/grid_moments.h"
#include <math.h>
#include "base/error.h"
#include "physics/constants.h"
#include "src/sim/plasma_points.h"

#define PER_SPEED 0x1p40 /* per c: 0.27 mm/s */

enum { NUMBER, FLUX }; /* then the energy */

static int moments_of(const void *data, struct wn_node_particle *p,
                      int64_t value[WN_NODE_VALUES])
{
  const struct wn_points *m = data;
  const int dim = m->grid.dim, n_v = wn_point_velocities(m->kind);
  const float slower = wn_point_slower(n_v, m->relativistic, p->u);
  value[NUMBER] = 1;
  for (int d = 0; d < dim; d++)
    value[FLUX + d] = llrint((double)(p->u[d] * slower) * (PER_SPEED / WN_C));
  value[FLUX + dim] = llrint(wn_point_energy_ev(m, n_v, p->u) * WN_FIX_ENERGY);
  wn_point_place(m, dim, p->x, p->cell, p->part);
  return WN_NODE_ADD;
}

int wn_grid_moments_take(struct wn_node_sums *m, const struct wn_config *c, size_t k,
                         struct wn_species *s, double *out)
{
  const int dim = c->plasma.dim;
  struct wn_node_values what = {
      .n = wn_grid_moments(c), .of = moments_of, .data = wn_plasma_points(s)};
  what.axis[NUMBER] = what.axis[FLUX + dim] = -1;
  what.unit[NUMBER] = 1.0;
  for (int d = 0; d < dim; d++) {
    what.axis[FLUX + d] = d;
    what.unit[FLUX + d] = WN_C / PER_SPEED;
  }
  what.unit[FLUX + dim] = 1.0 / WN_FIX_ENERGY;
  return wn_node_sums_take(m, c, k, s, &what, out);
}
