/* physics/electrode_view.h - shapes inside a grid as particles meet them, on the host or on a GPU: which cells have a
 * node inside, so that others need no formula (fields/electrodes.h makes the table); and a particle that is in a shape. */
#ifndef WN_PHYSICS_ELECTRODE_VIEW_H
#define WN_PHYSICS_ELECTRODE_VIEW_H
#include <stddef.h>
#include <stdint.h>
#include "physics/electrode.h"
#include "physics/electron.h"
#include "physics/grid_view.h"
#include "physics/host_device.h"
#include "physics/mover.h"

struct wn_electrode_view {
  int32_t dim, n_shapes;
  const struct wn_electrode_shape *shape; /* [n_shapes] */
  const unsigned char *cell; /* [cells], x fastest: whether it has a node inside */
};

/* The surface of the shape that has a place inside, at in parts of cells; -1: none. */
static WN_HD int wn_electrode_view_at(const struct wn_electrode_view *v,
                                      const struct wn_grid_view *g, const int32_t at[3])
{
  double x[3] = {0.0, 0.0, 0.0};
  size_t cell = 0, step = 1;
  for (int d = 0; d < v->dim; d++) {
    const int32_t i = at[d] >> g->bits[d], last = g->cells[d] - 1;
    cell += (size_t)(i < 0 ? 0 : i < last ? i : last) * step;
    step *= (size_t)g->cells[d];
  }
  if (!v->cell[cell])
    return -1;
  for (int d = 0; d < v->dim; d++)
    x[d] = (double)at[d] / (double)((int64_t)1 << g->bits[d]) * g->h[d];
  return wn_electrode_at(v->shape, v->n_shapes, v->dim, x);
}

/* A particle in a shape at the end of a step. */
struct wn_electrode_hit {
  uint64_t i;  /* its place in the store */
  uint64_t id; /* its own, or the name of a point (wn_point_name) */
  int32_t at[3];
  float u[3], w;
  uint32_t event;
  int32_t surface;
  int32_t unused; /* no padding */
};

/* Of an electron or ion of a grid, and of a point of dim axes and n_v velocities.  Whether it is in one; the caller sets
 * hit->i. */
static WN_HD int wn_electrode_hit_electron(const struct wn_electrode_view *v,
                                           const struct wn_grid_view *g,
                                           const struct wn_electron *e,
                                           struct wn_electrode_hit *hit)
{
  hit->surface = wn_electrode_view_at(v, g, e->at);
  if (hit->surface < 0)
    return 0;
  for (int d = 0; d < 3; d++) {
    hit->at[d] = e->at[d];
    hit->u[d] = e->u[d];
  }
  hit->w = e->w;
  hit->id = e->id;
  hit->event = e->event;
  hit->unused = 0;
  return 1;
}

static WN_HD int wn_electrode_hit_point(const struct wn_electrode_view *v,
                                        const struct wn_grid_view *g, int dim, int n_v,
                                        const union wn_word *r,
                                        struct wn_electrode_hit *hit)
{
  for (int d = 0; d < 3; d++) {
    hit->at[d] = 0;
    hit->u[d] = 0.0f;
  }
  wn_point_load(dim, n_v, r, hit->at, hit->u, &hit->w);
  hit->surface = wn_electrode_view_at(v, g, hit->at);
  if (hit->surface < 0)
    return 0;
  hit->id = wn_point_name(r, dim + n_v);
  hit->event = 0;
  hit->unused = 0;
  return 1;
}

#endif
