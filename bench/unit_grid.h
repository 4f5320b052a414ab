/* bench/unit_grid.h - a periodic grid whose cells are 1 m along each axis. */
#ifndef WN_BENCH_UNIT_GRID_H
#define WN_BENCH_UNIT_GRID_H
#include "physics/shape.h"
#include "physics/mover.h"

static inline struct wn_grid_view unit_grid(int dim, int shape, const int32_t cells[3])
{
  struct wn_grid_view g = {.dim = dim,
                           .shape = shape,
                           .gather = WN_GATHER_MOMENTUM,
                           .stride = dim == 3 ? 4 : dim,
                           .cells = {1, 1, 1}};
  int32_t step = 1;
  for (int d = 0; d < dim; d++) {
    g.cells[d] = cells[d];
    g.h[d] = g.per_h[d] = 1.0;
    g.length[d] = cells[d];
    g.bits[d] = wn_place_bits(cells[d]);
    g.step[d] = step;
    g.first += WN_GRID_GUARD * step;
    step *= cells[d] + 1 + 2 * WN_GRID_GUARD;
  }
  return g;
}

#endif
