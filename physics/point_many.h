/* physics/point_many.h - the motion of physics/point.h for some points at a time: each part
 * of a step is a loop over lanes, which a compiler of the host makes vectors of.  The same
 * operations on each lane, so the same bits. */
#ifndef WN_PHYSICS_POINT_MANY_H
#define WN_PHYSICS_POINT_MANY_H
#include <stdint.h>
#include "physics/hd.h"
#include "physics/point.h"

/* Lanes of all arrays lie in the first-level cache; calls between them do not count. */
#define WN_POINT_LANES 128

/* fate of a lane, else the side where it has just ended */
#define WN_POINT_LIVES (-1)
#define WN_POINT_GONE  (-2)

struct wn_point_lanes {
  int32_t n, n_gone; /* lanes, and those that do not live */
  int32_t x[3][WN_POINT_LANES];
  float u[3][WN_POINT_LANES], w[WN_POINT_LANES];
  float e[3][WN_POINT_LANES]; /* V/m */
  int32_t fate[WN_POINT_LANES];
};

/* From n <= WN_POINT_LANES records.  The dead are lanes at rest at 0. */
static WN_HD void wn_point_lanes_load(int dim, int n_v,
                                      const union wn_word *WN_RESTRICT r, int n,
                                      struct wn_point_lanes *WN_RESTRICT s)
{
  const int words = wn_point_weighs(dim, n_v) ? 8 : 4;
  int32_t sign = 0;
  s->n = n;
  s->n_gone = 0;
  for (int l = 0; l < n; l++) {
    int32_t x[3];
    float u[3];
    wn_point_load(dim, n_v, &r[words * l], x, u, &s->w[l]);
    sign |= x[0];
    for (int d = 0; d < dim; d++)
      s->x[d][l] = x[d];
    for (int d = 0; d < n_v; d++)
      s->u[d][l] = u[d];
    s->fate[l] = WN_POINT_LIVES;
  }
  for (int l = 0; sign < 0 && l < n; l++)
    if (s->x[0][l] < 0) {
      for (int d = 0; d < dim; d++)
        s->x[d][l] = 0;
      for (int d = 0; d < n_v; d++)
        s->u[d][l] = 0.0f;
      s->fate[l] = WN_POINT_GONE;
      s->n_gone++;
    }
}

/* Back to the records; of those that do not live, all but x[0] is as it was. */
static WN_HD void wn_point_lanes_store(int dim, int n_v,
                                       const struct wn_point_lanes *WN_RESTRICT s,
                                       union wn_word *WN_RESTRICT r)
{
  const int words = wn_point_weighs(dim, n_v) ? 8 : 4, n = s->n;
  if (s->n_gone > 0) {
    for (int l = 0; l < n; l++) {
      const int32_t x[3] = {s->x[0][l], s->x[1][l], s->x[2][l]};
      const float u[3] = {s->u[0][l], s->u[1][l], s->u[2][l]};
      if (s->fate[l] == WN_POINT_LIVES)
        wn_point_store(dim, n_v, &r[words * l], x, u);
      else
        r[words * l].i = WN_POINT_DEAD;
    }
    return;
  }
  for (int l = 0; l < n; l++) {
    for (int d = 0; d < dim; d++)
      r[words * l + d].i = s->x[d][l];
    for (int d = 0; d < n_v; d++)
      r[words * l + dim + d].f = s->u[d][l];
  }
}

/* A lane that ended: at rest at 0 from now on, so that it may go through the loops. */
static WN_HD void wn_point_lanes_bury(int dim, int n_v, int l,
                                      struct wn_point_lanes *WN_RESTRICT s)
{
  for (int d = 0; d < dim; d++)
    s->x[d][l] = 0;
  for (int d = 0; d < n_v; d++)
    s->u[d][l] = 0.0f;
  s->fate[l] = WN_POINT_GONE;
}

/* The sides of axis d, when they are not periodic.  Returns how many ended there: their
 * fate is the side. */
static WN_HD int wn_point_lanes_walls(const struct wn_points *WN_RESTRICT p, int d,
                                      struct wn_point_lanes *WN_RESTRICT s)
{
  const int n = s->n;
  const int32_t end = p->end[d];
  int32_t outside = 0;
  int ended = 0;
  for (int l = 0; l < n; l++)
    outside |= s->x[d][l] | (end - s->x[d][l]); /* a sign bit */
  for (int l = 0; outside < 0 && l < n; l++) {
    const int32_t x = s->x[d][l];
    if ((x < 0 || x > end) && s->fate[l] == WN_POINT_LIVES) {
      s->fate[l] = wn_point_cross(p, d, &s->x[d][l], &s->u[d][l]);
      ended += s->fate[l] >= 0;
    }
  }
  return ended;
}

/* wn_point_drift.  Returns how many ended: their fate is a side until they are buried. */
static WN_HD int wn_point_lanes_drift(const struct wn_points *WN_RESTRICT p, int dim,
                                      int n_v, int relativistic,
                                      struct wn_point_lanes *WN_RESTRICT s)
{
  const int n = s->n;
  float slower[WN_POINT_LANES];
  int ended = 0;
  for (int l = 0; relativistic && l < n; l++) {
    float u[3];
    for (int d = 0; d < n_v; d++)
      u[d] = s->u[d][l];
    slower[l] = wn_point_slower(n_v, 1, u);
  }
  for (int d = 0; d < dim; d++) {
    const int32_t end = p->end[d];
    const int wraps = p->grid.side[2 * d] == WN_SIDE_PERIODIC;
    const int32_t around = wraps ? end : 0, last = wraps ? end : INT32_MAX;
    for (int l = 0; l < n; l++) {
      const float u = s->u[d][l];
      int32_t x = s->x[d][l] + wn_point_way(p, d, relativistic ? u * slower[l] : u);
      x += x < 0 ? around : 0;
      s->x[d][l] = x - (x >= last ? around : 0);
    }
  }
  for (int d = 0; d < dim; d++)
    if (p->grid.side[2 * d] != WN_SIDE_PERIODIC)
      ended += wn_point_lanes_walls(p, d, s);
  s->n_gone += ended;
  return ended;
}

/* wn_grid_gather. */
static WN_HD void wn_point_lanes_gather(const struct wn_points *WN_RESTRICT p, int dim,
                                        int shape, int gather,
                                        struct wn_point_lanes *WN_RESTRICT s)
{
  const int n = s->n;
  for (int l = 0; l < n; l++) {
    int32_t x[3], cell[3];
    uint32_t part[3];
    float e[3];
    for (int d = 0; d < dim; d++)
      x[d] = s->x[d][l];
    wn_point_place(p, dim, x, cell, part);
    wn_grid_gather(&p->grid, dim, shape, gather, cell, part, e);
    for (int d = 0; d < dim; d++)
      s->e[d][l] = e[d];
  }
}

/* wn_point_kick. */
static WN_HD void wn_point_lanes_kick(const struct wn_points *WN_RESTRICT p, int dim,
                                      int n_v, int relativistic, int rotation,
                                      struct wn_point_lanes *WN_RESTRICT s)
{
  const int n = s->n;
  for (int l = 0; l < n; l++) {
    float e[3], u[3];
    for (int d = 0; d < dim; d++)
      e[d] = s->e[d][l];
    for (int d = 0; d < n_v; d++)
      u[d] = s->u[d][l];
    wn_point_kick(p, dim, n_v, relativistic, rotation, e, u);
    for (int d = 0; d < n_v; d++)
      s->u[d][l] = u[d];
  }
}

#endif
