/* physics/shape.h - a particle among the nodes of a grid (physics/grid_view.h): its place,
 * the division of its charge among nearby nodes, and E at the particle.
 *
 * A place along an axis is a cell and a part of it, in units of 2^-32 of the cell.  A
 * shape is the B-spline of order 0 (NGP), 1 (CIC) or 2 (TSC), the value of enum wn_shape,
 * and extends over order + 1 nodes along each axis.  Arguments named dim, order, shape,
 * gather, between or wide of type `int` should be constants in the call, so that the
 * compiler removes loops and branches.
 *
 * Charge is divided in integers, exactly.  E is interpolated in single precision with
 * every operation written out, so that CPU and GPU give the same bits. */
#ifndef WN_PHYSICS_SHAPE_H
#define WN_PHYSICS_SHAPE_H
#include <math.h>
#include <stdint.h>
#include "physics/grid_view.h"
#include "physics/host_device.h"

#define WN_MAX_REACH 27 /* nodes that a shape covers: 3 along each of three axes */

/* ---- places */

/* The largest number of bits with `cells` 2^bits below 2^30; 0: too many cells. */
static WN_HD int32_t wn_place_bits(int64_t cells)
{
  int32_t bits = 0;
  while (cells << (bits + 1) < (int64_t)1 << 30)
    bits++;
  return bits;
}

/* Place of a fixed-point coordinate x >= 0 with 1 <= bits <= 30. */
static WN_HD void wn_place_of_fixed(int32_t bits, int32_t x, int32_t *cell,
                                    uint32_t *part)
{
  *cell = x >> bits;
  *part = (uint32_t)x << (32 - bits);
}

/* Place of a coordinate of 0 <= x <= length [m] along axis d.  The upper wall is part 0
 * of cell `cells`, also where x per_h exceeds it by rounding. */
static WN_HD void wn_place_of_length(const struct wn_grid_view *g, int d, double x,
                                     int32_t *cell, uint32_t *part)
{
  double s = x * g->per_h[d];
  if (!(s < (double)g->cells[d]))
    s = (double)g->cells[d];
  int32_t c = (int32_t)s;
  *cell = c;
  *part = (uint32_t)((s - (double)c) * 0x1p32);
}

/* Apply the sides to a place [m] that may be outside: the periodic copy in the domain
 * where the axis is periodic, the mirror image at a mirror.  Returns -1, or the first
 * side through which the particle has left.  A place more than a length beyond a mirror
 * becomes the opposite wall: a step that long is not resolved. */
static WN_HD int wn_grid_side(const struct wn_grid_view *g, int dim, double x[3])
{
  for (int d = 0; d < dim; d++) {
    const double end = g->length[d];
    if (g->side[2 * d] == WN_SIDE_PERIODIC) {
      if (!(x[d] >= 0.0 && x[d] < end)) {
        x[d] -= end * floor(x[d] / end);
        if (!(x[d] < end)) /* from just below 0, by rounding */
          x[d] = 0.0;
      }
      continue;
    }
    if (x[d] < 0.0) {
      if (g->side[2 * d] != WN_SIDE_REFLECT)
        return 2 * d;
      x[d] = -x[d] < end ? -x[d] : end;
    } else if (!(x[d] <= end)) {
      if (g->side[2 * d + 1] != WN_SIDE_REFLECT)
        return 2 * d + 1;
      x[d] = 2.0 * end - x[d] > 0.0 ? 2.0 * end - x[d] : 0.0;
    }
  }
  return -1;
}

/* Index of a node; each coordinate is in -WN_GRID_GUARD .. cells + WN_GRID_GUARD. */
static WN_HD int32_t wn_grid_node(const struct wn_grid_view *g, int dim,
                                  const int32_t node[3])
{
  int32_t i = g->first;
  for (int d = 0; d < dim; d++)
    i += node[d] * g->step[d];
  return i;
}

/* ---- shapes along one axis.  between: for entries at i + 1/2 instead of i (order 0,
 * 1). */

/* The first node, or entry, that the shape covers. */
static WN_HD int32_t wn_spline_first(int order, int between, int32_t cell, uint32_t part)
{
  const int32_t upper = (int32_t)(part >> 31);
  if (between)
    return order == 0 ? cell : cell - 1 + upper;
  return order == 0 ? cell + upper : order == 1 ? cell : cell - 1 + upper;
}

/* Order 1: distance from that node, in [0, 1); order 2: from the middle node, in
 * [-1/2, 1/2).  The first 24 bits, so that a float holds it and 1 minus it exactly. */
static WN_HD float wn_spline_part(int order, int between, uint32_t part)
{
  if (between)
    part ^= 0x80000000u;
  if (order == 0)
    return 0.0f;
  return (order == 1 ? (float)(int32_t)(part >> 8) : (float)((int32_t)part >> 8)) *
         0x1p-24f;
}

/* Mean of the values e at the nodes by the spline whose wn_spline_part is f: the weights
 * 1 - f, f; or (1/2 - f)^2/2, 3/4 - f^2, (1/2 + f)^2/2.  Written with differences, so
 * that the mean of a constant is exact. */
static WN_HD float wn_spline_mean(int order, float f, const float e[3])
{
  if (order == 0)
    return e[0];
  if (order == 1)
    return wn_fma(f, e[1] - e[0], e[0]);
  const float a = 0.5f - f, b = 0.5f + f;
  return wn_fma(0.5f * a * a, e[0] - e[1], wn_fma(0.5f * b * b, e[2] - e[1], e[1]));
}

/* ---- charge */

/* Weight of a particle in quanta, rounded to nearest (0 below 2^-21), or
 * WN_QUANTA_MISFIT for a weight that is negative, NaN, or 2^62 quanta or more. */
#define WN_QUANTA_MISFIT (-1)
#define WN_QUANTA_LIMIT  0x1p62

static WN_HD int64_t wn_quanta(float w)
{
  const float q = rintf(w * (float)WN_QUANTA); /* exact: a power of two */
  return q >= 0.0f && q < (float)WN_QUANTA_LIMIT ? (int64_t)q : WN_QUANTA_MISFIT;
}

/* round(w part 2^-32).  wide 0: w is below 2^32; otherwise below 2^62. */
static WN_HD uint64_t wn_quanta_share(uint64_t w, uint32_t part, int wide)
{
  const uint64_t low = ((w & 0xffffffffu) * part + 0x80000000u) >> 32;
  return wide ? (w >> 32) * part + low : low;
}

/* Divide w quanta among the nodes from wn_spline_first on; their sum is w.
 *
 * TSC in units of 2^-32, with b = 2^32 (1/2 + f) and a = 2^32 - b: the weights are
 * b^2 2^-33 and a^2 2^-33 = b^2 2^-33 + 2^31 - b.  Once the first is rounded, the second
 * is exact relative to it, and so is the first moment. */
static WN_HD void wn_spline_divide(int order, uint32_t part, uint64_t w, int wide,
                                   uint64_t q[3])
{
  if (order == 0) {
    q[0] = w;
  } else if (order == 1) {
    q[1] = wn_quanta_share(w, part, wide);
    q[0] = w - q[1];
  } else {
    const uint32_t b = part ^ 0x80000000u;
    const uint32_t above = (uint32_t)(((uint64_t)b * b + 0x100000000u) >> 33);
    q[2] = wn_quanta_share(w, above, wide);
    q[0] = wn_quanta_share(w, above + 0x80000000u - b, wide);
    q[1] = w - q[0] - q[2];
  }
}

/* The same in dim dimensions: q[(order + 1)^dim], x fastest, beginning at the node that
 * is first along every axis. */
static WN_HD void wn_grid_divide(int dim, int order, const uint32_t part[3], uint64_t w,
                                 int wide, uint64_t q[WN_MAX_REACH])
{
  const int n = order + 1;
  uint64_t row[3], column[3], pole[3];
  wn_spline_divide(order, part[0], w, wide, row);
  for (int i = 0; i < n; i++) {
    if (dim == 1) {
      q[i] = row[i];
      continue;
    }
    wn_spline_divide(order, part[1], row[i], wide, column);
    for (int j = 0; j < n; j++) {
      if (dim == 2) {
        q[n * j + i] = column[j];
        continue;
      }
      wn_spline_divide(order, part[2], column[j], wide, pole);
      for (int k = 0; k < n; k++)
        q[n * (n * k + j) + i] = pole[k];
    }
  }
}

/* Index of the node that is first along every axis. */
static WN_HD int32_t wn_grid_first(const struct wn_grid_view *g, int dim, int order,
                                   const int32_t cell[3], const uint32_t part[3])
{
  int32_t node[3] = {0, 0, 0};
  for (int d = 0; d < dim; d++)
    node[d] = wn_spline_first(order, 0, cell[d], part[d]);
  return wn_grid_node(g, dim, node);
}

/* Offset from that node to the node of q[i], i = 0 .. (order + 1)^dim - 1. */
static WN_HD int32_t wn_grid_offset(const struct wn_grid_view *g, int dim, int order,
                                    int i)
{
  const int n = order + 1;
  int32_t at = i % n; /* step[0] is 1 */
  if (dim > 1)
    at += i / n % n * g->step[1];
  if (dim > 2)
    at += i / (n * n) * g->step[2];
  return at;
}

/* ---- E */

/* First node of the splines of order[d] along each axis, and the place relative to it.
 * between: the axis along which entries lie half a cell up, or -1.  Returns the index of
 * the node. */
static WN_HD int32_t wn_grid_stencil(const struct wn_grid_view *g, int dim,
                                     const int order[3], int between,
                                     const int32_t cell[3], const uint32_t part[3],
                                     float f[3])
{
  int32_t node[3] = {0, 0, 0};
  for (int d = 0; d < dim; d++) {
    node[d] = wn_spline_first(order[d], d == between, cell[d], part[d]);
    f[d] = wn_spline_part(order[d], d == between, part[d]);
  }
  return wn_grid_node(g, dim, node);
}

/* Means along z, then y, of n consecutive values beginning with component c of node
 * `first`.  All components of the nodes along x are contiguous and treated as one
 * vector. */
static WN_HD void wn_grid_rows(const struct wn_grid_view *g, int dim, const int order[3],
                               int32_t first, const float f[3], int c, int n,
                               float *WN_RESTRICT row)
{
  const int stride = dim == 3 ? 4 : dim;
  const int n_y = dim > 1 ? order[1] + 1 : 1, n_z = dim > 2 ? order[2] + 1 : 1;
  const float *at = g->e + (int64_t)first * stride + c;
  for (int i = 0; i < n; i++) {
    float column[3] = {0.0f, 0.0f, 0.0f};
    for (int j = 0; j < n_y; j++) {
      const float *pole_at = at + i + (dim > 1 ? (int64_t)j * g->step[1] * stride : 0);
      float pole[3] = {pole_at[0], 0.0f, 0.0f};
      for (int k = 1; k < n_z; k++)
        pole[k] = pole_at[(int64_t)k * g->step[2] * stride];
      column[j] = dim > 2 ? wn_spline_mean(order[2], f[2], pole) : pole[0];
    }
    row[i] = dim > 1 ? wn_spline_mean(order[1], f[1], column) : column[0];
  }
}

/* Then the mean along x of value c of each node. */
static WN_HD float wn_grid_along(int dim, int order, float f,
                                 const float *WN_RESTRICT row, int c)
{
  const int stride = dim == 3 ? 4 : dim;
  const float e[3] = {row[c], order > 0 ? row[stride + c] : 0.0f,
                      order > 1 ? row[2 * stride + c] : 0.0f};
  return wn_spline_mean(order, f, e);
}

/* Component c [V/m] from the entries half a cell up along its axis. */
static WN_HD float wn_grid_between(const struct wn_grid_view *g, int dim, int shape,
                                   int c, const int32_t cell[3], const uint32_t part[3])
{
  const int stride = dim == 3 ? 4 : dim;
  const int order[3] = {shape - (c == 0), shape - (c == 1), shape - (c == 2)};
  float f[3], row[12];
  const int32_t first = wn_grid_stencil(g, dim, order, c, cell, part, f);
  wn_grid_rows(g, dim, order, first, f, c, order[0] * stride + 1, row);
  return wn_grid_along(dim, order[0], f[0], row, 0);
}

/* All components from the nodes. */
static WN_HD void wn_grid_from_nodes(const struct wn_grid_view *g, int dim, int shape,
                                     const int32_t cell[3], const uint32_t part[3],
                                     float e[3])
{
  const int stride = dim == 3 ? 4 : dim;
  float f[3], row[12];
  const int order[3] = {shape, shape, shape};
  const int32_t first = wn_grid_stencil(g, dim, order, -1, cell, part, f);
  wn_grid_rows(g, dim, order, first, f, 0, shape * stride + dim, row);
  for (int c = 0; c < dim; c++)
    e[c] = wn_grid_along(dim, shape, f[0], row, c);
}

/* One of the nested grids, with the places of the same records. */
static WN_HD struct wn_grid_view wn_grid_nested(const struct wn_grid_view *g, int dim,
                                                int i)
{
  struct wn_grid_view n = *g;
  n.first = g->nested[i].first;
  for (int d = 0; d < dim; d++) {
    n.step[d] = g->nested[i].step[d];
    n.bits[d] = g->bits[d] + g->nested[i].shift[d];
  }
  return n;
}

/* A place on it. */
static WN_HD void wn_grid_nested_place(const struct wn_grid_view *g, int dim, int i,
                                       const int32_t cell[3], const uint32_t part[3],
                                       int32_t at[3], uint32_t within[3])
{
  for (int d = 0; d < dim; d++) {
    const uint64_t x =
        ((uint64_t)(uint32_t)cell[d] << 32 | part[d]) >> g->nested[i].shift[d];
    at[d] = (int32_t)(x >> 32);
    within[d] = (uint32_t)x;
  }
}

/* E [V/m] at a place, `dim` components: by the shape from the nodes (momentum), or each
 * component from the entries half a cell up along its axis, by a shape one order lower
 * along it (energy; not with NGP), or the sum of those by the shape from the nodes of the
 * nested grids, in their order.  x is the axis with step 1.  The guards of g->e are read
 * for TSC, and at an upper wall. */
static WN_HD void wn_grid_gather(const struct wn_grid_view *g, int dim, int shape,
                                 int gather, const int32_t cell[3],
                                 const uint32_t part[3], float e[3])
{
  if (gather == WN_GATHER_NESTED) {
    for (int c = 0; c < dim; c++)
      e[c] = 0.0f;
    for (int i = 0; i < g->n_nested; i++) {
      const struct wn_grid_view nested = wn_grid_nested(g, dim, i);
      int32_t at[3];
      uint32_t within[3];
      float of[3];
      wn_grid_nested_place(g, dim, i, cell, part, at, within);
      wn_grid_from_nodes(&nested, dim, shape, at, within, of);
      for (int c = 0; c < dim; c++)
        e[c] += of[c];
    }
    return;
  }
  if (gather == WN_GATHER_MOMENTUM) {
    wn_grid_from_nodes(g, dim, shape, cell, part, e);
    return;
  }
  e[0] = wn_grid_between(g, dim, shape, 0, cell, part);
  if (dim > 1)
    e[1] = wn_grid_between(g, dim, shape, 1, cell, part);
  if (dim > 2)
    e[2] = wn_grid_between(g, dim, shape, 2, cell, part);
}

#endif
