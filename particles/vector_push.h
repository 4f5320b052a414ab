/* particles/vector_push.h - the motion of physics/mover.h for several particles at a
 * time, on the host: each part of a step is a loop over lanes, which the compiler
 * vectorises.  The operations of a lane are the same, so the bits are the same. */
#ifndef WN_PARTICLES_VECTOR_PUSH_H
#define WN_PARTICLES_VECTOR_PUSH_H
#include <stdint.h>
#include <string.h>
#include "physics/host_device.h"
#include "physics/mover.h"

/* Host only: vector types of a compiler cannot be used in kernels. */
#define WN_LANES static inline __attribute__((always_inline, unused))

/* A line of functions for each: enum wn_point_kind, dim, components of u. */
#define WN_POINT_KINDS(X) X(1d3v, 1, 3) X(2d2v, 2, 2) X(2d3v, 2, 3) X(3d3v, 3, 3)

/* The same for a grid of dim axes: dim, a name, the shape of particles, how E is gathered. */
#define WN_GRID_SHAPES(X, dim)                                                           \
  X(dim, ngp, WN_SHAPE_NGP, WN_GATHER_MOMENTUM)                                          \
  X(dim, cic, WN_SHAPE_CIC, WN_GATHER_MOMENTUM)                                          \
  X(dim, tsc, WN_SHAPE_TSC, WN_GATHER_MOMENTUM)                                          \
  X(dim, cic_energy, WN_SHAPE_CIC, WN_GATHER_ENERGY)                                     \
  X(dim, tsc_energy, WN_SHAPE_TSC, WN_GATHER_ENERGY)                                     \
  X(dim, cic_nested, WN_SHAPE_CIC, WN_GATHER_NESTED)

/* The arrays of all lanes fit the first-level cache; the cost of calls between loops is negligible. */
#define WN_POINT_LANES 128

/* fate of a lane, else the side that absorbed it */
#define WN_POINT_LIVES (-1)
#define WN_POINT_GONE  (-2)

struct wn_point_lanes {
  int32_t n, n_gone; /* lanes; those that are not alive */
  int32_t x[3][WN_POINT_LANES];
  float u[3][WN_POINT_LANES], w[WN_POINT_LANES];
  float e[3][WN_POINT_LANES]; /* V/m */
  int32_t fate[WN_POINT_LANES];
};

/* Prefetches the records after the first lanes, of n records of so many bytes, while
 * those are processed. */
WN_LANES void wn_point_lanes_prefetch(const void *r, size_t bytes, size_t n)
{
  const char *at = (const char *)r;
  const size_t end = (n < 2 * WN_POINT_LANES ? n : 2 * WN_POINT_LANES) * bytes;
  for (size_t i = WN_POINT_LANES * bytes; i < end; i += 64)
    __builtin_prefetch(at + i, 1);
}

/* An unused lane, or one that ended: at rest at 0 from now on, so that it can go through the loops. */
WN_LANES void wn_point_lanes_remove(int dim, int n_v, int l,
                                    struct wn_point_lanes *WN_RESTRICT s)
{
  for (int d = 0; d < dim; d++)
    s->x[d][l] = 0;
  for (int d = 0; d < n_v; d++)
    s->u[d][l] = 0.0f;
  s->fate[l] = WN_POINT_GONE;
}

/* From n <= WN_POINT_LANES records.  Dead particles are lanes at rest at 0. */
WN_LANES void wn_point_lanes_load(int dim, int n_v, const union wn_word *WN_RESTRICT r,
                                  int n, struct wn_point_lanes *WN_RESTRICT s)
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
      wn_point_lanes_remove(dim, n_v, l, s);
      s->n_gone++;
    }
}

/* Back to the records; those of lanes not alive are dead already and unchanged. */
WN_LANES void wn_point_lanes_store(int dim, int n_v,
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

/* The sides of axis d, if they are not periodic.  Returns how many particles ended there:
 * their fate is the side. */
WN_LANES int wn_point_lanes_walls(const struct wn_points *WN_RESTRICT p, int d,
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

/* wn_point_drift in r-z, before the walls but for a mirror around the axis. */
WN_LANES void wn_point_lanes_radial(const struct wn_points *WN_RESTRICT p,
                                    const float *WN_RESTRICT slower, int relativistic,
                                    struct wn_point_lanes *WN_RESTRICT s)
{
  const int n = s->n;
  const int32_t end = p->end[1];
  const int wraps = p->grid.side[2] == WN_SIDE_PERIODIC;
  const int32_t around = wraps ? end : 0, last = wraps ? end : INT32_MAX;
  int32_t outside = 0;
  for (int l = 0; l < n; l++) {
    const float by = relativistic ? slower[l] : 1.0f;
    const float v[3] = {s->u[0][l] * by, s->u[1][l] * by, s->u[2][l] * by};
    float u[3] = {s->u[0][l], s->u[1][l], s->u[2][l]};
    int32_t x[3] = {s->x[0][l], s->x[1][l], 0};
    const struct wn_radial_turn turn = wn_point_radial_drift(p, x, v);
    wn_radial_turned(&turn, u);
    s->x[0][l] = x[0];
    x[1] += x[1] < 0 ? around : 0;
    s->x[1][l] = x[1] - (x[1] >= last ? around : 0);
    s->u[0][l] = u[0];
    s->u[2][l] = u[2];
    outside |= p->end[0] - x[0]; /* a sign bit */
  }
  for (int l = 0; outside < 0 && l < n; l++) {
    float u[3] = {s->u[0][l], s->u[1][l], s->u[2][l]};
    wn_point_radial_mirror(p, &s->x[0][l], u);
    s->u[0][l] = u[0];
    s->u[2][l] = u[2];
  }
}

/* wn_point_drift.  Returns how many ended: their fate is a side until they are removed. */
WN_LANES int wn_point_lanes_drift(const struct wn_points *WN_RESTRICT p, int dim, int n_v,
                                  int relativistic, struct wn_point_lanes *WN_RESTRICT s)
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
  const int is_radial = wn_point_is_radial(p, dim, n_v);
  if (is_radial)
    wn_point_lanes_radial(p, slower, relativistic, s);
  for (int d = 0; d < dim && !is_radial; d++) {
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

/* ---- E */

/* Four floats: compilers vectorise loops over lanes, but not four neighbours in memory at
 * a different address for each lane. */
typedef float wn_float4 __attribute__((vector_size(16)));

WN_LANES wn_float4 wn_float4_at(const float *e)
{
  wn_float4 v;
  memcpy(&v, e, sizeof v);
  return v;
}

WN_LANES wn_float4 wn_float4_fma(float f, wn_float4 b, wn_float4 c)
{
  const wn_float4 v = {wn_fma(f, b[0], c[0]), wn_fma(f, b[1], c[1]),
                       wn_fma(f, b[2], c[2]), wn_fma(f, b[3], c[3])};
  return v;
}

/* wn_spline_mean of each. */
WN_LANES wn_float4 wn_float4_mean(int order, float f, const wn_float4 e[3])
{
  if (order == 0)
    return e[0];
  if (order == 1)
    return wn_float4_fma(f, e[1] - e[0], e[0]);
  const float a = 0.5f - f, b = 0.5f + f;
  return wn_float4_fma(0.5f * a * a, e[0] - e[1],
                       wn_float4_fma(0.5f * b * b, e[2] - e[1], e[1]));
}

/* wn_grid_rows of one order, from component 0 on: four values at a time, then the rest. */
WN_LANES void wn_point_rows(const struct wn_grid_view *WN_RESTRICT g, int dim, int shape,
                            int32_t first, const float f[3], int n,
                            float *WN_RESTRICT row)
{
  const int order[3] = {shape, shape, shape}, stride = dim == 3 ? 4 : dim;
  const int64_t y = dim > 1 ? (int64_t)g->step[1] * stride : 0,
                z = dim > 2 ? (int64_t)g->step[2] * stride : 0;
  const float *at = g->e + (int64_t)first * stride;
  for (int i = 0; i + 4 <= n; i += 4) {
    wn_float4 column[3], pole[3];
    for (int j = 0; j < (dim > 1 ? shape + 1 : 1); j++) {
      for (int k = 0; k < (dim > 2 ? shape + 1 : 1); k++)
        pole[k] = wn_float4_at(at + i + j * y + k * z);
      column[j] = dim > 2 ? wn_float4_mean(shape, f[2], pole) : pole[0];
    }
    column[0] = dim > 1 ? wn_float4_mean(shape, f[1], column) : column[0];
    memcpy(&row[i], &column[0], sizeof column[0]);
  }
  if (n % 4 != 0)
    wn_grid_rows(g, dim, order, first, f, n / 4 * 4, n % 4, &row[n / 4 * 4]);
}

/* wn_grid_from_nodes of a grid g of these records, in three loops: indices, of all lanes;
 * rows, lane by lane, each a vector; means along them, of all lanes.  adds: to what is
 * there. */
WN_LANES void wn_point_lanes_of_grid(const struct wn_grid_view *WN_RESTRICT g, int dim,
                                     int shape, int adds,
                                     struct wn_point_lanes *WN_RESTRICT s)
{
  const int n = s->n, order[3] = {shape, shape, shape};
  const int n_row = (shape + 1) * (dim == 3 ? 4 : dim);
  int32_t first[WN_POINT_LANES];
  float f[3][WN_POINT_LANES], row[WN_POINT_LANES * 12];
  for (int l = 0; l < n; l++) {
    int32_t cell[3];
    uint32_t part[3];
    float own[3];
    for (int d = 0; d < dim; d++)
      wn_place_of_fixed(g->bits[d], s->x[d][l], &cell[d], &part[d]);
    first[l] = wn_grid_stencil(g, dim, order, -1, cell, part, own);
    for (int d = 0; d < dim; d++)
      f[d][l] = own[d];
  }
  for (int l = 0; l < n; l++) {
    const float own[3] = {0.0f, dim > 1 ? f[1][l] : 0.0f, dim > 2 ? f[2][l] : 0.0f};
    wn_point_rows(g, dim, shape, first[l], own, n_row, &row[l * n_row]);
  }
  for (int l = 0; l < n; l++)
    for (int d = 0; d < dim; d++) {
      const float e = wn_grid_along(dim, shape, f[0][l], &row[l * n_row], d);
      s->e[d][l] = adds ? s->e[d][l] + e : e;
    }
}

/* wn_grid_gather by momentum. */
WN_LANES void wn_point_lanes_nodes(const struct wn_points *WN_RESTRICT p, int dim,
                                   int shape, struct wn_point_lanes *WN_RESTRICT s)
{
  wn_point_lanes_of_grid(&p->grid, dim, shape, 0, s);
}

/* The same from nested grids. */
WN_LANES void wn_point_lanes_nested(const struct wn_points *WN_RESTRICT p, int dim,
                                    int shape, struct wn_point_lanes *WN_RESTRICT s)
{
  for (int d = 0; d < dim; d++)
    for (int l = 0; l < s->n; l++)
      s->e[d][l] = 0.0f;
  for (int i = 0; i < p->grid.n_nested; i++) {
    const struct wn_grid_view nested = wn_grid_nested(&p->grid, dim, i);
    wn_point_lanes_of_grid(&nested, dim, shape, 1, s);
  }
}

/* wn_grid_gather by energy, where each component has its own position. */
WN_LANES void wn_point_lanes_between(const struct wn_points *WN_RESTRICT p, int dim,
                                     int shape, struct wn_point_lanes *WN_RESTRICT s)
{
  const int n = s->n;
  for (int l = 0; l < n; l++) {
    int32_t x[3], cell[3];
    uint32_t part[3];
    float e[3];
    for (int d = 0; d < dim; d++)
      x[d] = s->x[d][l];
    wn_point_place(p, dim, x, cell, part);
    wn_grid_gather(&p->grid, dim, shape, WN_GATHER_ENERGY, cell, part, e);
    for (int d = 0; d < dim; d++)
      s->e[d][l] = e[d];
  }
}

/* By one of enum wn_gather, a constant in the call. */
WN_LANES void wn_point_lanes_gather(const struct wn_points *WN_RESTRICT p, int dim,
                                    int shape, int how,
                                    struct wn_point_lanes *WN_RESTRICT s)
{
  if (how == WN_GATHER_MOMENTUM)
    wn_point_lanes_nodes(p, dim, shape, s);
  else if (how == WN_GATHER_NESTED)
    wn_point_lanes_nested(p, dim, shape, s);
  else
    wn_point_lanes_between(p, dim, shape, s);
}

/* wn_point_kick. */
WN_LANES void wn_point_lanes_kick(const struct wn_points *WN_RESTRICT p, int dim, int n_v,
                                  int relativistic, int rotation,
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
