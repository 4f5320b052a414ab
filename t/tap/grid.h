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

/* Of gather WN_GATHER_NESTED: a nested grid for each axis, as fine along it as g and with cells of 2 and 4 of g along
 * the next ones.  Returns the nodes of its e. */
static inline int64_t grid_nest(struct wn_grid_view *g)
{
  int32_t nodes = 0, behind = 0;
  g->n_nested = g->dim;
  for (int i = 0; i < g->dim; i++) {
    struct wn_nested_grid *n = &g->nested[i];
    int32_t step = 1, next = 0;
    n->first = nodes;
    for (int d = 0; d < g->dim; d++) {
      n->shift[d] = (d - i + g->dim) % g->dim;
      n->step[d] = step;
      next += step;
      step *= (g->cells[d] >> n->shift[d]) + 2;
    }
    nodes += step;
    behind = next > behind ? next : behind;
  }
  return nodes + behind;
}

/* E at a place by linear shapes, from nodes or nested grids, in two or three dimensions. */
static inline void grid_linear(const struct wn_grid_view *g, const int32_t cell[3],
                               const uint32_t part[3], float e[3])
{
  const int nested = g->gather == WN_GATHER_NESTED;
  if (g->dim == 3 && nested)
    wn_grid_gather(g, 3, WN_SHAPE_CIC, WN_GATHER_NESTED, cell, part, e);
  else if (g->dim == 3)
    wn_grid_gather(g, 3, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, cell, part, e);
  else if (nested)
    wn_grid_gather(g, 2, WN_SHAPE_CIC, WN_GATHER_NESTED, cell, part, e);
  else
    wn_grid_gather(g, 2, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, cell, part, e);
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
