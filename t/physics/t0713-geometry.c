/* t0713-geometry.c - defends: what is asked of a geometry is enough for stretched axes, axes of
 * symmetry and surfaces inside the domain.  Built through the public headers alone:
 *   - constant spacing gives the bits of h0 h1 h2 and its halves, which the code had before
 *   - volumes sum to the volume of the domain; in a uniform charge the flux out of every node is
 *     its charge, on any mesh (exact: the potential is a parabola, and its differences are the
 *     field half-way); fluxes through all faces of a closed region cancel
 *   - Poisson's equation along a stretched line and a radius is of second order against an
 *     analytic solution, and the energy of E is half the sum of charge times potential
 *   - a way in m ends in the cell that a search over all nodes finds
 *   - a surface inside the domain is met from its side only, and has a tally of its own; a list
 *     may be longer than the sides of a box
 * No outside numbers. */
#include "physics/geometry.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "fields/geometry.h"
#include "particles/tally.h"
#include "physics/mover.h"
#include "t/tap/capture.h"
#include "t/tap/draw.h"
#include "t/tap/grid.h"
#include "t/tap/tap.h"

#define EPS  2.220446049250313e-16
#define MOST 320 /* cells of an axis here */

/* Cells that grow from `from` to `to`: by 5 to 1, smoothly, for the order; or at random. */
static struct wn_axis axis(enum wn_coordinate coordinate, int32_t cells, double from,
                           double to, int at_random)
{
  double x[MOST + 1], sum = 0.0;
  struct wn_axis a = {0};
  for (int32_t i = 0; i <= cells; i++) {
    const double s = (double)i / (double)cells;
    x[i] = at_random ? sum : (s + 2.0 * s * s) / 3.0;
    sum += 0.2 + uniform();
  }
  for (int32_t i = 0; i <= cells; i++)
    x[i] = i == 0 ? from : i == cells ? to : from + (to - from) * x[i] / x[cells];
  ok(wn_axis_create(coordinate, cells, x, 0, &a) == WN_OK,
     "an axis of %d cells, %s %g to %g", (int)cells, wn_coordinate_name((int)coordinate),
     from, to);
  return a;
}

/* ---- constant spacing */

static void constant(void)
{
  int differ = 0, faces = 0, moved = 0, outside = 0;
  for (int k = 0; k < 2000; k++) {
    const int dim = 1 + k % 3;
    const int32_t cells[3] = {2 + (int32_t)(word64() % 50), 3 + (int32_t)(word64() % 50),
                              4};
    struct wn_geometry g = {.dim = dim};
    struct wn_grid_view v = grid_make(dim, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, cells,
                                      WN_SIDE_ABSORB, WN_SIDE_ABSORB, 1.0);
    double cell = 1.0, part = 1.0;
    int64_t node[3] = {0, 0, 0};
    for (int d = 0; d < dim; d++) {
      if (word64() % 4 == 0)
        v.side[2 * d] = v.side[2 * d + 1] = WN_SIDE_PERIODIC;
      v.length[d] = between(1e-9, 10.0);
      v.h[d] = v.length[d] / (double)cells[d];
      v.per_h[d] = (double)cells[d] / v.length[d];
      g.axis[d] = wn_grid_axis(&v, d);
      node[d] = (int64_t)(word64() % 3) * cells[d] / 2;
      cell *= v.h[d];
      part *= v.side[2 * d] != WN_SIDE_PERIODIC && (node[d] == 0 || node[d] == cells[d])
                  ? 0.5
                  : 1.0;
    }
    differ += wn_geometry_volume(&g, node) != cell * part ||
              wn_geometry_cell(&g) != cell ||
              1.0 / (WN_QUANTA * wn_geometry_volume(&g, node)) !=
                  1.0 / (WN_QUANTA * cell * part) ||
              wn_axis_edge(&g.axis[0], 0) != v.h[0] ||
              wn_axis_x(&g.axis[0], node[0]) !=
                  v.length[0] * (double)node[0] / (double)cells[0];
    node[0] = 0;
    faces += dim == 1 && wn_geometry_face(&g, 0, node) != 1.0;
    /* and the motion of points is that of the axis, to a part of a cell */
    struct wn_points p = {.grid = v, .charge = 1.0, .mass = 1.0, .dt = 1.0};
    wn_points_prepare(&p);
    const double scale = ldexp(1.0, -v.bits[0]);
    const int32_t x = (int32_t)(uniform() * (double)p.end[0]);
    const float speed = (float)(v.length[0] * (uniform() - 0.5));
    const double want =
        wn_axis_moved(&g.axis[0], scale * x, 0.5 * (double)speed, 7.0) / scale;
    moved += !(fabs((double)(x + wn_point_way(&p, 0, speed)) - want) <=
               0.5 + 2e-7 * fabs(want - (double)x) + 1e-9 * (double)p.end[0]);
    outside += wn_axis_even(&g.axis[0], 0.375) != 0.375 * v.length[0];
  }
  is_int(differ, 0,
         "constant spacing: volumes, edges and nodes have the bits of h0 h1 h2");
  is_int(faces, 0, "a face of a column of 1 m2 is 1 m2");
  is_int(moved, 0, "the motion of points is that of the axis, to half a part");
  is_int(outside, 0, "uniform in the volume is uniform in x");
}

/* ---- volumes and fluxes */

struct scene {
  const char *name;
  int dim;
  struct {
    enum wn_coordinate coordinate;
    int32_t cells;
    double from, to;
  } axis[3];
};

static const struct scene scenes[] = {
    {"a stretched line", 1, {{WN_COORDINATE_LINE, 17, -0.3, 1.2}}},
    {"a cylinder", 1, {{WN_COORDINATE_RADIUS, 23, 0.0, 0.02}}},
    {"a ring", 1, {{WN_COORDINATE_RADIUS, 9, 0.5, 3.0}}},
    {"r-z", 2, {{WN_COORDINATE_RADIUS, 12, 0.0, 1.5}, {WN_COORDINATE_LINE, 8, 0.0, 4.0}}},
    {"three stretched lines",
     3,
     {{WN_COORDINATE_LINE, 5, 0.0, 1.0},
      {WN_COORDINATE_LINE, 7, 1.0, 4.0},
      {WN_COORDINATE_LINE, 6, -2.0, 2.0}}},
};

/* The potential of a charge of 1, in units of eps0, everywhere: along each axis 1/dim of it. */
static double parabola(const struct wn_geometry *g, int d, int64_t i)
{
  const double x = wn_axis_x(&g->axis[d], i);
  return -x * x /
         ((double)g->dim * (g->axis[d].coordinate == WN_COORDINATE_RADIUS ? 4.0 : 2.0));
}

/* The flux from a node through the face above it along d. */
static double flux(const struct wn_geometry *g, int d, const int64_t node[3])
{
  const int64_t i = node[d];
  return (parabola(g, d, i) - parabola(g, d, i + 1)) / wn_axis_edge(&g->axis[d], i) *
         wn_geometry_face(g, d, node);
}

static void closed(const struct scene *s)
{
  struct wn_geometry g = {.dim = s->dim};
  double exact = 1.0, sum = 0.0, worst = 0.0, ends = 0.0;
  int64_t n = 1;
  for (int d = 0; d < s->dim; d++) {
    const double a = s->axis[d].from, b = s->axis[d].to;
    g.axis[d] = axis(s->axis[d].coordinate, s->axis[d].cells, a, b, 1);
    n *= s->axis[d].cells + 1;
    exact *= s->axis[d].coordinate == WN_COORDINATE_RADIUS
                 ? 3.14159265358979323846 * (b * b - a * a)
                 : b - a;
    is_close(wn_axis_whole(&g.axis[d]), wn_axis_mean(&g.axis[d]) * s->axis[d].cells,
             4 * EPS, "%s: the mean of a cell is the whole over their number", s->name);
  }
  for (int64_t k = 0; k < n; k++) {
    int64_t node[3] = {0, 0, 0}, rest = k;
    double out = 0.0;
    int is_inside = 1;
    for (int d = 0; d < s->dim; d++) {
      node[d] = rest % (s->axis[d].cells + 1);
      rest /= s->axis[d].cells + 1;
      is_inside &=
          node[d] < s->axis[d].cells && (node[d] > 0 || wn_axis_x(&g.axis[d], 0) == 0.0);
    }
    for (int d = 0; d < s->dim; d++) {
      int64_t below[3] = {node[0], node[1], node[2]};
      below[d]--;
      /* beyond the ends of the axis: none, or what a closed region has */
      const double up = node[d] < s->axis[d].cells ? flux(&g, d, node) : 0.0,
                   down = node[d] > 0 ? flux(&g, d, below) : 0.0;
      out += up - down;
    }
    ends += out;
    sum += wn_geometry_volume(&g, node);
    if (is_inside)
      worst = fmax(worst, fabs(out / wn_geometry_volume(&g, node) - 1.0));
  }
  is_close(sum, exact, 20 * EPS, "%s: volumes sum to the domain", s->name);
  is_near(worst, 0.0, 1e-11, "%s: the flux out of each node is its charge", s->name);
  is_near(ends / exact, 0.0, 1e-12, "%s: fluxes between nodes cancel", s->name);
  for (int d = 0; d < s->dim; d++)
    wn_axis_clear(&g.axis[d]);
}

/* A periodic axis has one node less, and the same length. */
static void periodic(void)
{
  const double x[] = {0.0, 0.1, 0.4, 0.5, 1.0};
  struct wn_axis a = {0};
  double sum = 0.0;
  ok(wn_axis_create(WN_COORDINATE_LINE, 4, x, 1, &a) == WN_OK,
     "a periodic stretched axis");
  for (int64_t i = 0; i < a.cells; i++)
    sum += wn_axis_measure(&a, i);
  is_close(sum, 1.0, 4 * EPS, "periodic: the nodes but the copy sum to the length");
  is_close(wn_axis_measure(&a, 0), 0.3, 4 * EPS, "periodic: an end has both halves");
  ok(wn_axis_measure(&a, 4) == wn_axis_measure(&a, 0), "periodic: and so has its copy");
  wn_axis_clear(&a);
}

/* ---- Poisson's equation */

/* On 0 .. 1, 0 at 1: line sin(pi x), radius (1 - r^2)^2; and minus their Laplacians. */
static double phi_of(enum wn_coordinate c, double x)
{
  return c == WN_COORDINATE_LINE ? sin(WN_PI * x) : (1.0 - x * x) * (1.0 - x * x);
}

static double rho_of(enum wn_coordinate c, double x)
{
  return c == WN_COORDINATE_LINE ? WN_PI * WN_PI * sin(WN_PI * x) : 8.0 - 16.0 * x * x;
}

/* Greatest error with so many cells; by elimination along the axis, eps0 1. */
static double solve(enum wn_coordinate coordinate, int32_t n)
{
  const struct wn_axis a = axis(coordinate, n, 0.0, 1.0, 0);
  const int32_t first = coordinate == WN_COORDINATE_LINE ? 1 : 0; /* 0 V at x = 0 */
  double c[MOST + 1], q[MOST + 1], phi[MOST + 1] = {0.0}, worst = 0.0;
  double stored = 0.0, charged = 0.0;
  struct wn_axis copy = a;
  for (int32_t i = 0; i < n; i++) /* C per V of the face on edge i */
    c[i] = wn_axis_area(&a, i) / wn_axis_edge(&a, i);
  double diagonal[MOST + 1];
  for (int32_t i = first; i < n; i++) {
    q[i] = rho_of(coordinate, wn_axis_x(&a, i)) * wn_axis_measure(&a, i);
    diagonal[i] = c[i] + (i > 0 ? c[i - 1] : 0.0);
    if (i > first) {
      const double m = c[i - 1] / diagonal[i - 1];
      diagonal[i] -= m * c[i - 1];
      phi[i] = q[i] + m * phi[i - 1];
    } else {
      phi[i] = q[i];
    }
  }
  for (int32_t i = n - 1; i >= first; i--)
    phi[i] = (phi[i] + c[i] * phi[i + 1]) / diagonal[i];
  for (int32_t i = 0; i < n; i++) {
    const double e = (phi[i] - phi[i + 1]) / wn_axis_edge(&a, i);
    stored += 0.5 * e * e * wn_axis_edge(&a, i) * wn_axis_area(&a, i);
    charged += i >= first ? 0.5 * q[i] * phi[i] : 0.0;
    worst = fmax(worst, fabs(phi[i] - phi_of(coordinate, wn_axis_x(&a, i))));
  }
  is_close(stored, charged, 1e-12, "%s, %d cells: the energy of E is that of the charge",
           wn_coordinate_name((int)coordinate), (int)n);
  wn_axis_clear(&copy);
  return worst;
}

static void order(enum wn_coordinate coordinate)
{
  const double coarse = solve(coordinate, MOST / 4), middle = solve(coordinate, MOST / 2),
               fine = solve(coordinate, MOST);
  is_near(log2(coarse / middle), 2.0, 0.05, "%s: of second order",
          wn_coordinate_name((int)coordinate));
  is_near(log2(middle / fine), 2.0, 0.02, "%s: and closer with more cells",
          wn_coordinate_name((int)coordinate));
  ok(fine < 2e-4, "%s: error %.2g of %d cells", wn_coordinate_name((int)coordinate), fine,
     MOST);
}

/* ---- motion */

static void moves(enum wn_coordinate coordinate, double from, double to)
{
  struct wn_axis a = axis(coordinate, 40, from, to, 1);
  int wrong = 0, lost = 0;
  double back = 0.0, even = 0.0;
  for (int k = 0; k < 20000; k++) {
    const double place = 40.0 * uniform(), across = k % 2 ? (to - from) * uniform() : 0.0;
    const int64_t i = (int64_t)place;
    const double x = a.x[i] + (place - (double)i) * (a.x[i + 1] - a.x[i]);
    const double x_new = from + (to - from) * uniform(), way = x_new - x;
    const double r =
        coordinate == WN_COORDINATE_LINE ? x_new : sqrt(x_new * x_new + across * across);
    const double end = wn_axis_moved(&a, place, way, across);
    int64_t cell = 0; /* by a search over all nodes */
    while (cell < 39 && a.x[cell + 1] <= r)
      cell++;
    lost += (end > 40.0) != (r > to);
    wrong += end <= 40.0 && fabs(end - round(end)) > 1e-9 && (int64_t)end != cell;
    if (across == 0.0)
      back = fmax(back, fabs(wn_axis_moved(&a, end, -way, 0.0) - place));
    const double u = uniform();
    even = fmax(even, fabs((wn_coordinate_measure((int)coordinate, wn_axis_even(&a, u)) -
                            wn_coordinate_measure((int)coordinate, from)) /
                               wn_axis_whole(&a) -
                           u));
  }
  const char *name = wn_coordinate_name((int)coordinate);
  is_int(wrong, 0, "%s: a way ends in the cell where it should", name);
  is_int(lost, 0, "%s: whoever is beyond the last node is out", name);
  is_near(back, 0.0, 1e-11, "%s: and leads back", name);
  is_near(even, 0.0, 1e-14, "%s: places uniform in the volume", name);
  wn_axis_clear(&a);
}

/* ---- surfaces */

/* An axis of 10 cells with a plate at node 4 that faces down; particles go to and fro. */
static void inside(void)
{
  struct wn_geometry g = {.dim = 1};
  struct wn_tally t;
  const struct wn_tally_shape shape = {.n_groups = 1};
  struct wn_points p = {.charge = 1.0, .mass = WN_E, .dt = 1.0};
  long long want[3] = {0}, quanta = 0;
  int same = 1;
  struct wn_surface list[3];
  g.surface = list;
  g.axis[0] = axis(WN_COORDINATE_LINE, 10, 0.0, 1.0, 1);
  for (int side = 0; side < 2; side++) {
    g.surface[g.n_surfaces] = wn_geometry_side(&g, side);
    g.surface[g.n_surfaces].name = side ? "x_high" : "x_low";
    g.surface[g.n_surfaces++].particles = WN_SIDE_ABSORB;
  }
  g.surface[g.n_surfaces++] = (struct wn_surface){.name = "plate",
                                                  .particles = WN_SIDE_ABSORB,
                                                  .normal = -1,
                                                  .low = {4},
                                                  .high = {4}};
  ok(wn_tally_init(&t, &shape) == WN_OK, "a tally");
  wn_points_prepare(&p);
  for (int k = 0; k < 5000; k++) {
    const double place = 10.0 * uniform(), way = 2.4 * (uniform() - 0.5);
    const double from[3] = {place}, to[3] = {wn_axis_moved(&g.axis[0], place, way, 0.0)};
    const float u[3] = {(float)way, 0.0f, 0.0f};
    double part = -1.0;
    const int hit = wn_geometry_hit(&g, from, to, &part);
    const double x = wn_axis_of_place(&g.axis[0], place), plate = g.axis[0].x[4],
                 end = x + way;
    const int is = x <= plate && end > plate ? 2 : end < 0.0 ? 0 : end > 1.0 ? 1 : -1;
    same &= hit == is;
    if (is >= 0)
      want[is]++;
    if (hit >= 0)
      wn_point_ended(&p, 3, u, 1.0f, hit, &t);
    if (hit == 2)
      same &= fabs(x + part * way - plate) < 1e-12;
  }
  ok(same, "each way ends at the surface where it should, or at none");
  for (int k = 0; k < g.n_surfaces; k++) {
    is_int((long long)t.surface[k].number, want[k], "the tally of %s", g.surface[k].name);
    quanta += (long long)t.surface[k].quanta;
  }
  ok(want[0] > 100 && want[1] > 100 && want[2] > 100, "all three were met");
  is_int(quanta, (want[0] + want[1] + want[2]) * WN_QUANTA, "no charge is lost");
  wn_tally_clear(&t);
  wn_axis_clear(&g.axis[0]);
}

/* A list that is longer than the sides of a box: grids at all nodes inside, which particles pass
 * upwards, and end at on the way down. */
static void many(void)
{
  enum { CELLS = 10, N = 2 + CELLS - 1 };
  struct wn_surface list[N];
  struct wn_geometry g = {.dim = 1, .surface = list};
  const struct wn_tally_shape shape = {.n_groups = 1, .n_surfaces = N};
  struct wn_tally t, sum;
  struct wn_points p = {.charge = 1.0, .mass = WN_E, .dt = 1.0};
  long long want[N] = {0}, wrong = 0, least = 1000000, taken = 0;
  g.axis[0] = axis(WN_COORDINATE_LINE, CELLS, -1.0, 2.0, 1);
  for (; g.n_surfaces < N; g.n_surfaces++) {
    const int32_t node = g.n_surfaces - 1;
    list[g.n_surfaces] =
        g.n_surfaces < 2
            ? wn_geometry_side(&g, g.n_surfaces)
            : (struct wn_surface){
                  .name = "grid", .normal = 1, .low = {node}, .high = {node}};
    list[g.n_surfaces].particles = WN_SIDE_ABSORB;
  }
  ok(wn_tally_init(&t, &shape) == WN_OK && wn_tally_init(&sum, &shape) == WN_OK,
     "tallies of %d surfaces", N);
  is_int((long long)wn_tally_surfaces(&shape), N, "as many as in the list");
  is_int((long long)wn_tally_surfaces(&(struct wn_tally_shape){.n_groups = 1}), WN_SIDES,
         "or those of a box");
  wn_points_prepare(&p);
  for (int k = 0; k < 20000; k++) {
    const double from[3] = {CELLS * uniform()},
                 to[3] = {from[0] + 6.0 * (uniform() - 0.5)};
    const float u[3] = {1.0f, 0.0f, 0.0f};
    const int below = (int)from[0]; /* the node */
    const int is = to[0] > CELLS                        ? 1
                   : to[0] >= from[0] || to[0] >= below ? -1
                   : below == 0                         ? 0
                                                        : 1 + below;
    double part = 0.0;
    const int hit = wn_geometry_hit(&g, from, to, &part);
    wrong += hit != is;
    if (hit < 0)
      continue;
    want[hit]++;
    wn_point_ended(&p, 3, u, 1.0f, hit, &t);
  }
  wn_tally_add(&sum, &t, &shape);
  wn_tally_add(&sum, &t, &shape);
  wn_tally_reset(&t, &shape);
  is_int(wrong, 0, "each grid is met from above alone");
  wrong = 0;
  for (int k = 0; k < N; k++) {
    wrong += (long long)sum.surface[k].number != 2 * want[k];
    taken += t.surface[k].number != 0;
    least = want[k] < least ? want[k] : least;
  }
  is_int(wrong, 0, "each has its tally, also in a sum of tallies");
  is_int(taken, 0, "and zero after a reset");
  ok(least > 100, "each was met often (%lld times at least)", least);
  wn_tally_clear(&t);
  wn_tally_clear(&sum);
  wn_axis_clear(&g.axis[0]);
}

/* In a plane: a plate is as wide as its nodes, has a front, and shields what is behind it. */
static void plate(void)
{
  struct wn_surface list[5];
  struct wn_geometry g = {.dim = 2, .n_surfaces = 5, .surface = list};
  g.axis[0] = wn_axis_uniform(8, 8.0, 1.0, 0);
  g.axis[1] = wn_axis_uniform(6, 6.0, 1.0, 1);
  for (int side = 0; side < 4; side++) {
    g.surface[side] = wn_geometry_side(&g, side);
    g.surface[side].particles = side < 2 ? WN_SIDE_REFLECT : WN_SIDE_PERIODIC;
  }
  g.surface[4] = (struct wn_surface){.name = "plate",
                                     .particles = WN_SIDE_ABSORB,
                                     .axis = 0,
                                     .normal = 1,
                                     .low = {3, 2, 0},
                                     .high = {3, 4, 0}};
  static const struct {
    double from[3], to[3];
    int hit;
    const char *name;
  } cases[] = {
      {{5.0, 3.0}, {2.0, 3.0}, 4, "on its front"},
      {{1.0, 3.0}, {5.0, 3.0}, -1, "from behind"},
      {{5.0, 4.5}, {2.0, 4.5}, -1, "past its edge"},
      {{5.0, 5.0}, {1.0, 3.0}, 4, "aslant, on its edge"},
      {{5.0, 5.1}, {1.0, 3.1}, -1, "aslant, past it"},
      {{3.0, 3.0}, {2.5, 3.0}, 4, "from the surface itself"},
      {{5.0, 3.0}, {-1.0, 3.0}, 4, "the plate before the side behind it"},
      {{5.0, 5.0}, {-1.0, 5.0}, 0, "the side beside the plate"},
      {{7.0, 5.0}, {9.0, 5.0}, 1, "the other side"},
      {{7.0, 5.0}, {7.0, 7.0}, -1, "a periodic side is not met"},
      {{7.0, 5.0}, {8.0, 5.0}, -1, "on a wall it is in the gas"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    double part = 0.0;
    is_int(wn_geometry_hit(&g, cases[k].from, cases[k].to, &part), cases[k].hit, "%s",
           cases[k].name);
  }
  const struct wn_surface high = wn_geometry_side(&g, 3);
  ok(high.axis == 1 && high.normal == -1 && high.low[1] == 6 && high.high[1] == 6 &&
         high.low[0] == 0 && high.high[0] == 8,
     "a side has all nodes of it, and faces inwards");
}

/* A plate in a stretched plane: ways are straight in m, not in cells. */
static void aslant(void)
{
  struct wn_surface plate_of_2d = {.name = "plate",
                                   .particles = WN_SIDE_ABSORB,
                                   .axis = 1,
                                   .normal = -1,
                                   .low = {3, 5, 0},
                                   .high = {9, 5, 0}};
  struct wn_geometry g = {.dim = 2, .n_surfaces = 1, .surface = &plate_of_2d};
  int wrong = 0, met = 0;
  double off = 0.0;
  g.axis[0] = axis(WN_COORDINATE_LINE, 12, 0.0, 2.0, 1);
  g.axis[1] = axis(WN_COORDINATE_LINE, 8, -1.0, 1.0, 1);
  for (int k = 0; k < 20000; k++) {
    double x[2][2], place[2][3] = {{0.0}}, part = -1.0;
    for (int end = 0; end < 2; end++)
      for (int d = 0; d < 2; d++) {
        x[end][d] = (d == 0 ? 0.0 : -1.0) + 2.0 * uniform();
        place[end][d] = wn_axis_place(&g.axis[d], x[end][d]);
      }
    const double y = g.axis[1].x[5], t = (y - x[0][1]) / (x[1][1] - x[0][1]),
                 at = x[0][0] + t * (x[1][0] - x[0][0]);
    const int is =
        x[0][1] <= y && x[1][1] > y && at >= g.axis[0].x[3] && at <= g.axis[0].x[9];
    wrong += wn_geometry_hit(&g, place[0], place[1], &part) != (is ? 0 : -1);
    met += is;
    off = fmax(off, is ? fabs(part - t) * fabs(x[1][1] - x[0][1]) : 0.0);
  }
  is_int(wrong, 0, "a plate in a stretched plane is met by ways that are straight in m");
  is_near(off, 0.0, 1e-14, "and where they meet it");
  ok(met > 1000, "%d of them", met);
  for (int d = 0; d < 2; d++)
    wn_axis_clear(&g.axis[d]);
}

/* ---- errors */

static void refused(void)
{
  static const struct {
    int coordinate, cells, is_periodic;
    double x[3];
    const char *says;
  } cases[] = {
      {WN_N_COORDINATES, 2, 0, {0.0, 1.0, 2.0}, "no coordinate number"},
      {WN_COORDINATE_LINE, 0, 0, {0.0, 1.0, 2.0}, "at least 1"},
      {WN_COORDINATE_LINE, 2, 0, {0.0, 1.0, 1.0}, "node 2 is at 1 m"},
      {WN_COORDINATE_LINE, 2, 0, {0.0, NAN, 1.0}, "node 1"},
      {WN_COORDINATE_RADIUS, 2, 0, {-1.0, 0.0, 1.0}, "not below 0"},
      {WN_COORDINATE_RADIUS, 2, 1, {0.0, 1.0, 2.0}, "cannot be periodic"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    struct wn_axis a = {.cells = 77};
    capture();
    const int status =
        wn_axis_create((enum wn_coordinate)cases[k].coordinate, cases[k].cells,
                       cases[k].x, cases[k].is_periodic, &a);
    const char *text = captured();
    ok(status == WN_EINPUT && strstr(text, cases[k].says) && a.cells == 77,
       "refused: ... %s ...", cases[k].says);
  }
}

int main(void)
{
  plan(0);
  draw_state = 713;
  constant();
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++)
    closed(&scenes[k]);
  periodic();
  order(WN_COORDINATE_LINE);
  order(WN_COORDINATE_RADIUS);
  moves(WN_COORDINATE_LINE, -1.0, 2.0);
  moves(WN_COORDINATE_RADIUS, 0.0, 0.3);
  inside();
  many();
  plate();
  aslant();
  refused();
  return done();
}
