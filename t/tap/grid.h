/* t/tap/grid.h - grids and points for tests: a domain of cells of 1 m (h others), values at
 * the nodes, points at random. */
#ifndef WN_T_TAP_GRID_H
#define WN_T_TAP_GRID_H
#include <stdlib.h>
#include "particles/particles.h"
#include "physics/shape.h"
#include "physics/mover.h"
#include "t/tap/draw.h"

/* Sides: `low` and `high` of every axis.  The arrays are the caller's. */
static inline struct wn_grid_view grid_make(int dim, int shape, int gather,
                                            const int32_t cells[3], int low, int high,
                                            double h)
{
  struct wn_grid_view g = {
      .dim = dim, .shape = shape, .gather = gather, .stride = dim == 3 ? 4 : dim};
  int32_t step = 1;
  for (int d = 0; d < 3; d++) {
    g.cells[d] = d < dim ? cells[d] : 1;
    g.side[2 * d] = low;
    g.side[2 * d + 1] = high;
    g.bits[d] = wn_place_bits(g.cells[d]);
    g.h[d] = h;
    g.per_h[d] = 1.0 / h;
    g.length[d] = h * g.cells[d];
    if (d < dim) {
      g.step[d] = step;
      g.first += WN_GRID_GUARD * step;
      step *= g.cells[d] + 1 + 2 * WN_GRID_GUARD;
    }
  }
  return g;
}

/* Whether i names nodes left to visit; node: of -1 .. cells + 1. */
static inline int grid_next(const struct wn_grid_view *g, int64_t i, int32_t node[3])
{
  int64_t rest = i;
  for (int d = 0; d < 3; d++) {
    const int64_t n = d < g->dim ? g->cells[d] + 1 + 2 * WN_GRID_GUARD : 1;
    node[d] = d < g->dim ? (int32_t)(rest % n) - WN_GRID_GUARD : 0;
    rest /= n;
  }
  return rest == 0;
}

/* Gaussian with variance 1 (Box and Muller). */
static inline double draw_gauss(void)
{
  double u = uniform(), v = uniform();
  return sqrt(-2.0 * log(1.0 - u)) * cos(2.0 * 3.14159265358979323846 * v);
}

/* n points of a kind anywhere in the domain, velocities of spread v [m/s], weights from
 * 1/8 to 8; p is made.  The status of that. */
static inline int points_draw(struct wn_particles *p, const struct wn_grid_view *g,
                              int kind, size_t n, double v)
{
  const struct wn_record record = wn_particles_points(kind);
  const int dim = wn_point_dim(kind), n_v = wn_point_velocities(kind);
  int status = wn_particles_init(p, &record, n, n);
  for (size_t i = 0; i < n && status == 0; i++) {
    union wn_word r[8] = {{0}};
    for (int d = 0; d < dim; d++)
      r[d].i = (int32_t)(uniform() * (double)((int64_t)g->cells[d] << g->bits[d]));
    for (int d = 0; d < n_v; d++)
      r[dim + d].f = (float)(v * draw_gauss());
    if (wn_point_weighs(dim, n_v))
      r[dim + n_v].f = (float)between(0.125, 8.0);
    status = wn_particles_append(p, r, 1);
  }
  return status;
}

#endif
