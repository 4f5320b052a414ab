/* physics/electrode.h - the shapes of electrodes inside a grid: of each a formula that is negative
 * inside, 0 on the surface and positive in the gas, and the box around it.
 *
 *   ellipsoid  sum of ((x - centre)/semi-axis)^2 - 1; with its centre on a wall it is the needle
 *              of a half ellipsoid, and with equal semi-axes a sphere or a half of one
 *   rod        the distance from a straight line between two ends, less the radius: both ends are
 *              half spheres
 *   box        between two corners, its edges rounded by a radius, or sharp
 *   disc       a round plate of a radius and a thickness, its edge rounded or sharp
 *
 * In r-z the first coordinate is the distance from the axis, and a shape is what its section there
 * sweeps around the axis: a disc on it is a disc, a box off it a ring.  In two dimensions a
 * shape is the same all along the third axis, so an ellipsoid is a blade.
 *
 * The formulae are definitions; that of a rounded box is the distance from it outside
 * and along its faces (t/fields/t0721-electrodes.c). */
#ifndef WN_PHYSICS_ELECTRODE_H
#define WN_PHYSICS_ELECTRODE_H
#include <math.h>
#include <stdint.h>
#include "physics/host_device.h"

#define WN_ELECTRODE_SHAPES(X)                                                           \
  X(ELLIPSOID, "ellipsoid")                                                              \
  X(ROD, "rod")                                                                          \
  X(BOX, "box")                                                                          \
  X(DISC, "disc")                                                                        \
  /* the next */

enum wn_electrode_kind {
#define X(symbol, word) WN_ELECTRODE_##symbol,
  WN_ELECTRODE_SHAPES(X)
#undef X
      WN_N_ELECTRODE_KINDS
};

/* One shape; several may have the same surface.  Coordinates as many as the grid has axes; m. */
struct wn_electrode_shape {
  int32_t kind;
  int32_t surface;  /* its place in the list of surfaces (physics/geometry.h) */
  int32_t axis;     /* of a disc */
  double from[3];   /* ellipsoid, disc: the centre; rod: one end; box: the low corner */
  double to[3];     /* ellipsoid: semi-axes; rod: the other end; box: the high corner */
  double radius;    /* rod, disc */
  double edge;      /* box, disc: radius of the rounded edges; 0: sharp */
  double thickness; /* disc */
  double permittivity; /* relative, of a dielectric body; 0: an electrode */
};

/* Beyond the corner of a box by q[n] along its axes, from the middle of the rounding. */
static WN_HD double wn_electrode_beyond(int n, const double q[3], double edge)
{
  double out = 0.0, in = -INFINITY;
  for (int d = 0; d < n; d++) {
    const double over = fmax(q[d], 0.0);
    out += over * over;
    in = fmax(in, q[d]);
  }
  return sqrt(out) + fmin(in, 0.0) - edge;
}

static WN_HD double wn_electrode_of_ellipsoid(const struct wn_electrode_shape *s, int dim,
                                              const double x[3])
{
  double sum = -1.0;
  for (int d = 0; d < dim; d++) {
    const double part = (x[d] - s->from[d]) / s->to[d];
    sum += part * part;
  }
  return sum;
}

static WN_HD double wn_electrode_of_rod(const struct wn_electrode_shape *s, int dim,
                                        const double x[3])
{
  double along = 0.0, length = 0.0, away = 0.0;
  for (int d = 0; d < dim; d++) {
    const double way = s->to[d] - s->from[d];
    along += (x[d] - s->from[d]) * way;
    length += way * way;
  }
  const double part = length > 0.0 ? fmin(fmax(along / length, 0.0), 1.0) : 0.0;
  for (int d = 0; d < dim; d++) {
    const double by = x[d] - s->from[d] - part * (s->to[d] - s->from[d]);
    away += by * by;
  }
  return sqrt(away) - s->radius;
}

static WN_HD double wn_electrode_of_box(const struct wn_electrode_shape *s, int dim,
                                        const double x[3])
{
  double q[3] = {0.0, 0.0, 0.0};
  for (int d = 0; d < dim; d++)
    q[d] = fabs(x[d] - 0.5 * (s->from[d] + s->to[d])) - 0.5 * (s->to[d] - s->from[d]) +
           s->edge;
  return wn_electrode_beyond(dim, q, s->edge);
}

static WN_HD double wn_electrode_of_disc(const struct wn_electrode_shape *s, int dim,
                                         const double x[3])
{
  double across = 0.0;
  for (int d = 0; d < dim; d++)
    across += d != s->axis ? (x[d] - s->from[d]) * (x[d] - s->from[d]) : 0.0;
  const double q[3] = {sqrt(across) - s->radius + s->edge,
                       fabs(x[s->axis] - s->from[s->axis]) - 0.5 * s->thickness + s->edge,
                       0.0};
  return wn_electrode_beyond(2, q, s->edge);
}

/* Negative inside the shape.  x: m, one coordinate for each of the dim axes. */
static WN_HD double wn_electrode_level(const struct wn_electrode_shape *s, int dim,
                                       const double x[3])
{
  switch (s->kind) {
  case WN_ELECTRODE_ELLIPSOID:
    return wn_electrode_of_ellipsoid(s, dim, x);
  case WN_ELECTRODE_ROD:
    return wn_electrode_of_rod(s, dim, x);
  case WN_ELECTRODE_BOX:
    return wn_electrode_of_box(s, dim, x);
  default:
    return wn_electrode_of_disc(s, dim, x);
  }
}

/* The box around a shape. */
static WN_HD void wn_electrode_bounds(const struct wn_electrode_shape *s, int dim,
                                      double low[3], double high[3])
{
  for (int d = 0; d < dim; d++) {
    const double half = s->kind == WN_ELECTRODE_ELLIPSOID ? s->to[d]
                        : s->kind == WN_ELECTRODE_ROD     ? s->radius
                        : s->kind == WN_ELECTRODE_BOX     ? 0.0
                        : d == s->axis                    ? 0.5 * s->thickness
                                                          : s->radius;
    const int has_two = s->kind == WN_ELECTRODE_ROD || s->kind == WN_ELECTRODE_BOX;
    low[d] = (has_two ? fmin(s->from[d], s->to[d]) : s->from[d]) - half;
    high[d] = (has_two ? fmax(s->from[d], s->to[d]) : s->from[d]) + half;
  }
}

/* The unit vector out of a shape near x, along the gradient of its formula, by differences over `step` [m].  0
 * where there is no gradient. */
static WN_HD void wn_electrode_normal(const struct wn_electrode_shape *s, int dim,
                                      double step, const double x[3], double n[3])
{
  double sum = 0.0;
  for (int d = 0; d < 3; d++) {
    double a[3] = {x[0], x[1], x[2]}, b[3] = {x[0], x[1], x[2]};
    a[d] -= step;
    b[d] += step;
    n[d] = d < dim ? wn_electrode_level(s, dim, b) - wn_electrode_level(s, dim, a) : 0.0;
    sum += n[d] * n[d];
  }
  for (int d = 0; d < 3 && sum > 0.0; d++)
    n[d] /= sqrt(sum);
}

/* The place of the shape that has x inside, in the list; -1: none. */
static WN_HD int wn_electrode_which(const struct wn_electrode_shape *shape, int n,
                                    int dim, const double x[3])
{
  for (int i = 0; i < n; i++)
    if (wn_electrode_level(&shape[i], dim, x) <= 0.0)
      return i;
  return -1;
}

/* The surface of the first of n shapes that has x inside; -1: none, x is in the gas. */
static WN_HD int wn_electrode_at(const struct wn_electrode_shape *shape, int n, int dim,
                                 const double x[3])
{
  for (int i = 0; i < n; i++)
    if (wn_electrode_level(&shape[i], dim, x) <= 0.0)
      return shape[i].surface;
  return -1;
}

#endif
