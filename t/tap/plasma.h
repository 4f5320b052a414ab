/* t/tap/plasma.h - for tests of plasmas: where the charge of a species is, in quanta. */
#ifndef WN_T_TAP_PLASMA_H
#define WN_T_TAP_PLASMA_H
#include <stdlib.h>
#include "base/error.h"
#include "fields/deposit.h"
#include "src/config/plasma_derived.h"
#include "src/sim/plasma.h"
#include "src/sim/sim.h"

/* On the grid, of all particles of species k where they are. */
static inline wn_i128 plasma_on_grid(const struct wn_sim *s, size_t k)
{
  const struct wn_electrostatic_spec spec = wn_plasma_field_spec(s->c);
  const struct wn_particles *p = &s->species[k]->p;
  struct wn_points m = spec.points[k];
  struct wn_deposit *d = NULL;
  struct wn_deposited sum;
  const size_t nodes = (size_t)wn_grid_nodes(&m.grid);
  int64_t *grid = calloc(nodes, sizeof *grid);
  wn_i128 total = 0;
  m.dt = 0.0;
  wn_points_prepare(&m);
  WN_ASSERT(grid != NULL && wn_deposit_create(&m.grid, 1, &d) == WN_OK);
  WN_ASSERT((spec.electrons[k] ? wn_deposit_electrons
                               : wn_deposit_points)(d, &m, p, grid, &sum) == WN_OK);
  wn_deposit_fold(&m.grid, 0, grid);
  for (size_t i = 0; i < nodes; i++)
    total += grid[i];
  wn_deposit_free(d);
  free(grid);
  return total;
}

/* What the sides took. */
static inline wn_i128 plasma_at_walls(const struct wn_species *s)
{
  wn_i128 sum = 0;
  for (int side = 0; side < WN_SIDES; side++)
    sum += s->tally.surface[side].quanta;
  return sum;
}

#endif
