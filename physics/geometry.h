/* physics/geometry.h - where the nodes of a grid are, and the volumes, lengths and areas that
 * belong to them; and the surfaces that bound the gas.
 *
 * A grid is the product of its axes.  Along each axis nodes have coordinates x_i, i = 0 ..
 * cells, and four numbers follow from these and from the kind of coordinate:
 *
 *   edge     x_{i+1} - x_i: the way from a node to the next
 *   share    V(x_{i+1/2}) - V(x_{i-1/2}): the part of the axis that is nearest to node i,
 *            with x_{i+1/2} half-way between nodes, and nothing beyond either end
 *   measure  the same with both ends of a periodic axis together, as they are one node
 *   area     V'(x_{i+1/2}): what the face between two nodes has from this axis
 *
 * A node has the volume Product_d measure_d.  The face between it and the next along d has the
 * area area_d Product_{o != d} measure_o.  So the charge of a node, Gauss's law, the sum over
 * the nodes of E^2 and all densities need nothing else.  V of each coordinate is in the list
 * below.
 *
 * An axis of constant spacing along a line has no arrays: its values are computed, and where
 * it is made by wn_axis_uniform in sight of the compiler no branch is left.  Neither has a
 * radius of constant spacing from 0 on (wn_axis_radial).  Others have arrays, which
 * fields/geometry.h makes; here they are only read.
 *
 * The radius of a grid with particles.  A node has the volume over which the shape of particles
 * spreads it, instead of the part nearest to it:
 *
 *   share_i = integral of S_i(r) dV,  S_i the shape of node i, of the B-splines of physics/shape.h
 *
 * Charge of a uniform density divided by these is the same number at all nodes.  With the parts
 * nearest to the nodes it is 4/3 of it on the axis (CIC).  In units of pi h2
 *
 *   NGP  1/4, 2 i, ..., N - 1/4      CIC  1/3, 2 i, ..., N - 1/3
 *
 * as the integral of (1 - r/h) 2 pi r dr over 0 .. h is pi h2/3, and the mean of r over a shape
 * inside is r_i.  That volumes must be those of the shape is from J. P. Verboncoeur, J. Comput.
 * Phys. 174 (2001) 421 (as known, the paper was not at hand); the values are derived here.  The
 * face between i and i + 1 encloses the volumes of nodes 0 .. i, pi h2 (i (i + 1) + c), with c =
 * 1/4 or 1/3.  Its area is such that the flux by the difference of phi is exact in a uniform
 * charge, where phi goes as -r2/4: area_i = 4 pi h (i (i + 1) + c)/(2 i + 1).  With c = 1/4 this
 * is 2 pi r_{i+1/2}; otherwise it differs by h2/(12 r2) of it, of the order of the method.
 *
 * SI; in one and two dimensions volumes are those of a column of 1 m2 or a layer of 1 m.  The
 * formulae are definitions (finite volumes on a product grid), derived here; checked by
 * t/physics/t0713-geometry.c. */
#ifndef WN_PHYSICS_GEOMETRY_H
#define WN_PHYSICS_GEOMETRY_H
#include <math.h>
#include <stdint.h>
#include "physics/constants.h"
#include "physics/grid_view.h"
#include "physics/host_device.h"

/* ---- coordinates: a line each.  V(x), the measure of 0 .. x; V'(x); the inverse of V, x >= 0.
 *   line    a Cartesian axis: m
 *   radius  distance from an axis of symmetry, with the whole circle around it: m2 */
#define WN_COORDINATES(X)                                                                \
  X(LINE, "line", x, 1.0, v)                                                             \
  X(RADIUS, "radius", WN_PI *x *x, 2.0 * WN_PI * x, sqrt(v / WN_PI))                     \
  /* the next */

enum wn_coordinate {
#define X(symbol, name, measure, area, inverse) WN_COORDINATE_##symbol,
  WN_COORDINATES(X)
#undef X
      WN_N_COORDINATES
};

static WN_HD const char *wn_coordinate_name(int coordinate)
{
  switch (coordinate) {
#define X(symbol, name, measure, area, inverse)                                          \
  case WN_COORDINATE_##symbol:                                                           \
    return name;
    WN_COORDINATES(X)
#undef X
  default:
    return "?";
  }
}

static WN_HD double wn_coordinate_measure(int coordinate, double x)
{
  switch (coordinate) {
#define X(symbol, name, measure, area, inverse)                                          \
  case WN_COORDINATE_##symbol:                                                           \
    return measure;
    WN_COORDINATES(X)
#undef X
  default:
    return NAN;
  }
}

static WN_HD double wn_coordinate_area(int coordinate, double x)
{
  switch (coordinate) {
#define X(symbol, name, measure, area, inverse)                                          \
  case WN_COORDINATE_##symbol:                                                           \
    return area;
    WN_COORDINATES(X)
#undef X
  default:
    return NAN;
  }
}

static WN_HD double wn_coordinate_of_measure(int coordinate, double v)
{
  switch (coordinate) {
#define X(symbol, name, measure, area, inverse)                                          \
  case WN_COORDINATE_##symbol:                                                           \
    return inverse;
    WN_COORDINATES(X)
#undef X
  default:
    return NAN;
  }
}

/* ---- an axis */

struct wn_axis {
  int32_t cells;
  int32_t coordinate;  /* enum wn_coordinate */
  int32_t is_periodic; /* node `cells` is node 0 again */
  double length;       /* m, from node 0 to node `cells` */
  double h;            /* m, of every edge; 0 where there are arrays */
  double first; /* of a radius without arrays: the share of node 0 in units of pi h2 */
  /* NULL for constant spacing from 0; the owner of the axis owns them */
  const double *x;     /* m, [cells + 1] */
  const double *share; /* [cells + 1] */
  const double *area;  /* [cells] */
};

/* Constant spacing along a line from 0.  h: length / cells. */
static WN_HD struct wn_axis wn_axis_uniform(int32_t cells, double length, double h,
                                            int is_periodic)
{
  struct wn_axis a = {cells, WN_COORDINATE_LINE, is_periodic, length, h, 0.0, 0, 0, 0};
  return a;
}

/* Constant spacing along a radius from 0, for particles of this shape: NGP or CIC. */
static WN_HD struct wn_axis wn_axis_radial(int32_t cells, double length, double h,
                                           int shape)
{
  struct wn_axis a = {cells, WN_COORDINATE_RADIUS,
                      0,     length,
                      h,     shape == WN_SHAPE_NGP ? 0.25 : 1.0 / 3.0,
                      0,     0,
                      0};
  return a;
}

/* Whether an axis is a radius without arrays. */
static WN_HD int wn_axis_is_radial(const struct wn_axis *a)
{
  return !a->x && a->coordinate == WN_COORDINATE_RADIUS;
}

/* m, of node i. */
static WN_HD double wn_axis_x(const struct wn_axis *a, int64_t i)
{
  return a->x ? a->x[i] : a->length * (double)i / (double)a->cells;
}

/* m, of the edge from node i to the next, 0 <= i < cells. */
static WN_HD double wn_axis_edge(const struct wn_axis *a, int64_t i)
{
  return a->x ? a->x[i + 1] - a->x[i] : a->h;
}

/* Factor of the area of the face on that edge. */
static WN_HD double wn_axis_area(const struct wn_axis *a, int64_t i)
{
  if (wn_axis_is_radial(a))
    return 4.0 * WN_PI * a->h * (((double)i + 1.0) * (double)i + a->first) /
           (2.0 * (double)i + 1.0);
  return a->x ? a->area[i] : 1.0;
}

/* The part of the axis nearest to node i; over 0 .. cells their sum is wn_axis_whole. */
static WN_HD double wn_axis_share(const struct wn_axis *a, int64_t i)
{
  if (a->x)
    return a->share[i];
  if (wn_axis_is_radial(a))
    return WN_PI * a->h * a->h *
           (i == 0          ? a->first
            : i == a->cells ? (double)i - a->first
                            : 2.0 * (double)i);
  return i == 0 || i == a->cells ? 0.5 * a->h : a->h;
}

/* The same with both ends of a periodic axis together: a sum over nodes leaves out node
 * `cells` there. */
static WN_HD double wn_axis_measure(const struct wn_axis *a, int64_t i)
{
  if (a->is_periodic && (i == 0 || i == a->cells))
    return wn_axis_share(a, 0) + wn_axis_share(a, a->cells);
  return wn_axis_share(a, i);
}

static WN_HD double wn_axis_whole(const struct wn_axis *a)
{
  if (wn_axis_is_radial(a))
    return wn_coordinate_measure(a->coordinate, a->length);
  return a->x ? wn_coordinate_measure(a->coordinate, a->x[a->cells]) -
                    wn_coordinate_measure(a->coordinate, a->x[0])
              : a->length;
}

/* The mean measure of a cell. */
static WN_HD double wn_axis_mean(const struct wn_axis *a)
{
  return a->x || wn_axis_is_radial(a) ? wn_axis_whole(a) / (double)a->cells : a->h;
}

/* m, the shortest edge, which a particle may cross in a step, and the longest. */
static WN_HD double wn_axis_shortest(const struct wn_axis *a)
{
  double least = wn_axis_edge(a, 0);
  for (int64_t i = 1; a->x && i < a->cells; i++)
    least = fmin(least, wn_axis_edge(a, i));
  return least;
}

static WN_HD double wn_axis_longest(const struct wn_axis *a)
{
  double most = wn_axis_edge(a, 0);
  for (int64_t i = 1; a->x && i < a->cells; i++)
    most = fmax(most, wn_axis_edge(a, i));
  return most;
}

/* m, the coordinate below which the part u of the axis lies, 0 <= u <= 1: uniform in u is
 * uniform in the volume. */
static WN_HD double wn_axis_even(const struct wn_axis *a, double u)
{
  const double from = wn_coordinate_measure(a->coordinate, wn_axis_x(a, 0));
  return wn_coordinate_of_measure(a->coordinate, from + u * wn_axis_whole(a));
}

/* A place in cells, node i at i and linear between nodes: 0 .. cells, continued beyond both
 * ends by the last edge.  x in m. */
static WN_HD double wn_axis_place(const struct wn_axis *a, double x)
{
  int64_t low = 0, high = a->cells;
  if (!a->x)
    return x * ((double)a->cells / a->length);
  while (high - low > 1) {
    const int64_t middle = (low + high) / 2;
    if (a->x[middle] <= x)
      low = middle;
    else
      high = middle;
  }
  return (double)low + (x - a->x[low]) / (a->x[low + 1] - a->x[low]);
}

/* And back: m. */
static WN_HD double wn_axis_of_place(const struct wn_axis *a, double place)
{
  if (!a->x)
    return place * a->h;
  int64_t i = (int64_t)fmax(place, 0.0);
  i = i < a->cells ? i : a->cells - 1;
  return a->x[i] + (place - (double)i) * (a->x[i + 1] - a->x[i]);
}

/* Where a particle is after a way [m] along the axis, of `across` [m] normal to it: from the
 * axis of symmetry or centre its distance is that of both.  Places in cells; before any
 * surface. */
static WN_HD double wn_axis_moved(const struct wn_axis *a, double place, double way,
                                  double across)
{
  const double x = wn_axis_of_place(a, place) + way;
  return wn_axis_place(a, a->coordinate == WN_COORDINATE_LINE ? x : hypot(x, across));
}

/* ---- surfaces: where particles end, and what fixes the potential.  A tally has sums for each
 * (physics/tally.h), in the order of the list, which may be of any length.  The sides of the box
 * come first, 2 * axis + (0: low, 1: high): the number that a mover returns
 * (physics/cartesian.h), and all that kernels count. */

struct wn_surface {
  const char *name;        /* in scenarios and results; no memory of the surface's own */
  int32_t particles;       /* enum wn_side_kind */
  int32_t potential;       /* enum wn_potential (fields/poisson/poisson.h) */
  int32_t axis;            /* its normal is along it */
  int32_t normal;          /* 1, -1: towards the gas, up or down that axis */
  int32_t low[3], high[3]; /* its nodes, both included; along `axis` both are the same */
};

struct wn_geometry {
  int32_t dim, n_surfaces;
  struct wn_axis axis[WN_MAX_DIM]; /* beyond dim: not read */
  struct wn_surface *surface;      /* [n_surfaces], the caller's */
  /* [nodes], x fastest, cells + 1 along each axis: the surface whose potential a node has, by its
   * place in the list; -1: none.  The second end of a periodic axis has that of the first, whatever stands there.  NULL: none
   * inside.  The caller's (wn_geometry_hold of fields/geometry.h) */
  const int32_t *held;
};

/* The axes of a grid with constant spacing. */
static WN_HD struct wn_axis wn_grid_axis(const struct wn_grid_view *g, int d)
{
  if (d == 0 && g->is_radial)
    return wn_axis_radial(g->cells[d], g->length[d], g->h[d], g->shape);
  return wn_axis_uniform(g->cells[d], g->length[d], g->h[d],
                         g->side[2 * d] == WN_SIDE_PERIODIC);
}

/* The surface that is a side of the box, 2 * axis + (0: low, 1: high), without name and
 * kinds; axis[] is given. */
static WN_HD struct wn_surface wn_geometry_side(const struct wn_geometry *g, int side)
{
  struct wn_surface s = {"", 0, 0, side / 2, side % 2 ? -1 : 1, {0, 0, 0}, {0, 0, 0}};
  for (int d = 0; d < g->dim; d++)
    s.high[d] = g->axis[d].cells;
  s.low[s.axis] = side % 2 ? s.high[s.axis] : 0;
  s.high[s.axis] = s.low[s.axis];
  return s;
}

/* m3, m2, m: the volume of a node. */
static WN_HD double wn_geometry_volume(const struct wn_geometry *g, const int64_t node[3])
{
  double v = 1.0;
  for (int d = 0; d < g->dim; d++)
    v *= wn_axis_measure(&g->axis[d], node[d]);
  return v;
}

/* The mean volume of a cell. */
static WN_HD double wn_geometry_cell(const struct wn_geometry *g)
{
  double v = 1.0;
  for (int d = 0; d < g->dim; d++)
    v *= wn_axis_mean(&g->axis[d]);
  return v;
}

/* The volume of one cell, between node[d] and the next along each axis. */
static WN_HD double wn_geometry_cell_at(const struct wn_geometry *g,
                                        const int64_t node[3])
{
  double v = 1.0;
  for (int d = 0; d < g->dim; d++) {
    const struct wn_axis *a = &g->axis[d];
    v *= a->x || wn_axis_is_radial(a)
             ? wn_coordinate_measure(a->coordinate, wn_axis_x(a, node[d] + 1)) -
                   wn_coordinate_measure(a->coordinate, wn_axis_x(a, node[d]))
             : a->h;
  }
  return v;
}

/* The area of the face between a node and the next along axis d; in one and two dimensions of
 * a column of 1 m2 or a layer of 1 m. */
static WN_HD double wn_geometry_face(const struct wn_geometry *g, int d,
                                     const int64_t node[3])
{
  double a = wn_axis_area(&g->axis[d], node[d]);
  for (int o = 0; o < g->dim; o++)
    a *= o != d ? wn_axis_measure(&g->axis[o], node[o]) : 1.0;
  return a;
}

/* In m where there are arrays, else in cells, in which the same ways are straight. */
static WN_HD double wn_axis_straight(const struct wn_axis *a, double place)
{
  return a->x ? wn_axis_of_place(a, place) : place;
}

/* The first surface that a straight way between two places [cells] meets from the side of the
 * gas; of several at once the first in the list; -1: none.  Straight in m, also where cells
 * differ; along a radius, in the distance from the axis.  Places on a surface are in the gas.
 * Periodic sides are not met.  *part: of the way, to the surface. */
static WN_HD int wn_geometry_hit(const struct wn_geometry *g, const double from[3],
                                 const double to[3], double *part)
{
  int first = -1;
  for (int k = 0; k < g->n_surfaces; k++) {
    const struct wn_surface *s = &g->surface[k];
    const struct wn_axis *a = &g->axis[s->axis];
    const double at = (double)s->low[s->axis], begin = wn_axis_straight(a, from[s->axis]),
                 t = (wn_axis_straight(a, at) - begin) /
                     (wn_axis_straight(a, to[s->axis]) - begin);
    int is_met = s->particles != WN_SIDE_PERIODIC &&
                 (from[s->axis] - at) * (double)s->normal >= 0.0 &&
                 (to[s->axis] - at) * (double)s->normal < 0.0;
    for (int d = 0; is_met && d < g->dim; d++) {
      const struct wn_axis *o = &g->axis[d];
      const double x = wn_axis_straight(o, from[d]),
                   there = x + t * (wn_axis_straight(o, to[d]) - x);
      is_met = d == s->axis || (there >= wn_axis_straight(o, (double)s->low[d]) &&
                                there <= wn_axis_straight(o, (double)s->high[d]));
    }
    if (is_met && (first < 0 || t < *part)) {
      first = k;
      *part = t;
    }
  }
  return first;
}

#endif
