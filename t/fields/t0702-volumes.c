/* t0702-volumes.c - defends: Poisson's equation on any geometry (fields/poisson/volumes.c).
 *   - on constant spacing along lines it has the solution and the E of the modes, for all pairs of
 *     sides, to rounding
 *   - along a stretched line it is of second order, phi and E; between cylinders phi is
 *     V ln(b/r)/ln(b/a), a uniform charge around the axis is exact, and the flux is the same
 *     through all radii
 *   - an electrode inside: with a plate through the whole plane phi is linear on both sides; in r-z
 *     a rod of some nodes' radius is the inner cylinder; Gauss's law holds for any box around it;
 *     two electrodes have a symmetric capacitance, and a charge induces -q phi/V (Green's
 *     reciprocity); the energy of E is half the sum of charge times potential
 *   - factors of edges: with 1/theta on the edges that a circle or a sphere cuts, phi of a
 *     manufactured solution is of second order, in 2-D, 3-D and r-z; with the nodes inside held and
 *     no factors it is of first order.  In one dimension the cut is exact, also across the end of
 *     a periodic axis
 *   - the same bits with any number of threads, and of a second solve
 *   - what no method takes, and what is not a surface's potential, is refused
 * No outside numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "fields/electrostatic.h"
#include "fields/geometry.h"
#include "fields/poisson/parts.h"
#include "physics/constants.h"
#include "t/tap/capture.h"
#include "t/tap/differences.h"
#include "t/tap/draw.h"
#include "t/tap/grid.h"
#include "t/tap/side_pairs.h"
#include "t/tap/tap.h"

#define EPS    2.220446049250313e-16
#define MAX_N  (41 * 41 * 41)
#define MOST   400 /* cells of an axis */
#define METRES 0.02

static double rho[MAX_N], phi[MAX_N], other[MAX_N], e[MAX_N], want[MAX_N];

/* ---- domains */

/* A domain: its spec, and the memory of its geometry. */
struct domain {
  struct wn_poisson_spec spec;
  struct wn_surface surface[12];
  int32_t held[MAX_N];
  size_t nodes, step[3];
};

enum spacing { EVEN, SMOOTH, RANDOM };

/* EVEN: x_i = i h; SMOOTH: cells that grow by 5 to 1. */
static struct wn_axis axis(enum wn_coordinate coordinate, int32_t cells, double from,
                           double to, enum spacing spacing, int is_periodic)
{
  double x[MOST + 1], sum = 0.0;
  struct wn_axis a = {0};
  for (int32_t i = 0; i <= cells; i++) {
    const double s = (double)i / (double)cells;
    x[i] = spacing == RANDOM ? sum : spacing == SMOOTH ? (s + 2.0 * s * s) / 3.0 : s;
    sum += 0.3 + uniform();
  }
  for (int32_t i = 0; i <= cells; i++)
    x[i] = i == cells ? to : from + (to - from) * (x[i] / x[cells]);
  WN_ASSERT(wn_axis_create(coordinate, cells, x, is_periodic, &a) == WN_OK);
  return a;
}

/* The axes are in d->spec.geometry; sides as their pairs. */
static void close_domain(struct domain *d, int dim, const enum wn_potential side[6])
{
  struct wn_geometry *g = &d->spec.geometry;
  d->spec.dim = g->dim = dim;
  d->nodes = 1;
  g->surface = d->surface;
  for (int i = 0; i < dim; i++) {
    d->spec.cells[i] = (size_t)g->axis[i].cells;
    d->step[i] = d->nodes;
    d->nodes *= d->spec.cells[i] + 1;
  }
  WN_ASSERT(d->nodes <= MAX_N);
  for (g->n_surfaces = 0; g->n_surfaces < 2 * dim; g->n_surfaces++) {
    d->spec.side[g->n_surfaces] = side[g->n_surfaces];
    d->surface[g->n_surfaces] = wn_geometry_side(g, g->n_surfaces);
    d->surface[g->n_surfaces].potential = (int32_t)side[g->n_surfaces];
  }
}

/* A block of nodes with a potential of its own; its number in the list. */
static int electrode(struct domain *d, const int32_t low[3], const int32_t high[3])
{
  struct wn_geometry *g = &d->spec.geometry;
  struct wn_surface *s = &d->surface[g->n_surfaces];
  *s = (struct wn_surface){.name = "electrode", .potential = WN_DIRICHLET, .normal = 1};
  for (int i = 0; i < g->dim; i++) {
    s->low[i] = low[i];
    s->high[i] = high[i];
  }
  g->n_surfaces++;
  wn_geometry_hold(g, d->held);
  g->held = d->held;
  return g->n_surfaces - 1;
}

static void clear(struct domain *d)
{
  for (int i = 0; i < d->spec.dim; i++)
    wn_axis_clear(&d->spec.geometry.axis[i]);
}

static void place(const struct domain *d, size_t at, int64_t node[3])
{
  for (int i = 0; i < 3; i++) {
    node[i] = i < d->spec.dim ? (int64_t)(at % (d->spec.cells[i] + 1)) : 0;
    at /= i < d->spec.dim ? d->spec.cells[i] + 1 : 1;
  }
}

/* By the method `name`; volumes also where a grid is so large that another takes it. */
static struct wn_poisson *create(const struct domain *d, const char *name)
{
  struct wn_poisson *p = NULL;
  if (strcmp(name, wn_poisson_volumes.name) == 0 && wn_poisson_check(&d->spec) == WN_OK &&
      wn_poisson_volumes.create(&d->spec, &p) == WN_OK)
    return p;
  if (wn_poisson_create(&d->spec, &p) != WN_OK ||
      strcmp(wn_poisson_method_name(&d->spec), name) != 0) {
    ok(0, "the method is %s, not %s", wn_poisson_method_name(&d->spec), name);
    exit(done());
  }
  return p;
}

static void solve(const struct domain *d, const double *volt, double *to)
{
  struct wn_poisson *p = create(d, "volumes");
  if (wn_poisson_solve(p, rho, volt, to) != WN_OK)
    ok(0, "a solution was found");
  wn_poisson_free(p);
}

/* The charge [C] of a node besides rho: eps0 times the flux out of it less what rho is. */
static double flux(const struct domain *d, size_t at, const double *v)
{
  const struct wn_geometry *g = &d->spec.geometry;
  int64_t node[3];
  double out = 0.0;
  place(d, at, node);
  for (int i = 0; i < g->dim; i++) {
    int64_t below[3] = {node[0], node[1], node[2]};
    below[i]--;
    if (node[i] < g->axis[i].cells)
      out += (v[at] - v[at + d->step[i]]) / wn_axis_edge(&g->axis[i], node[i]) *
             wn_geometry_face(g, i, node);
    if (node[i] > 0)
      out += (v[at] - v[at - d->step[i]]) / wn_axis_edge(&g->axis[i], below[i]) *
             wn_geometry_face(g, i, below);
  }
  return WN_EPS0 * out;
}

/* ---- constant spacing: the modes */

static void as_modes(int dim)
{
  static const double length[3] = {0.013, 0.02, 0.016},
                      volt[6] = {3.0, -2.0, 7.0, 1.0, 5.0, -4.0};
  static const int32_t cells[3] = {14, 9, 11};
  static struct domain d;
  double worst = 0.0, worst_e = 0.0, worst_mean = 0.0;
  int n = 0;
  for (int which = 0; which < (dim == 1 ? 5 : dim == 2 ? 25 : 125); which++) {
    enum wn_potential side[6];
    const int of[3] = {which % N_SIDE_PAIRS, which / N_SIDE_PAIRS % N_SIDE_PAIRS,
                       which / N_SIDE_PAIRS / N_SIDE_PAIRS};
    double h[3] = {1.0, 1.0, 1.0}, shortest = 1.0;
    struct domain even;
    for (int i = 0; i < dim; i++) {
      side[2 * i] = side_pairs[of[i]][0];
      side[2 * i + 1] = side_pairs[of[i]][1];
      h[i] = length[i] / cells[i];
      shortest = fmin(shortest, h[i]);
      d.spec.geometry.axis[i] =
          axis(WN_COORDINATE_LINE, cells[i], 0.0, length[i], EVEN, of[i] == 0);
    }
    close_domain(&d, dim, side);
    even.spec = d.spec;
    wn_poisson_uniform(&even.spec, h);
    struct wn_poisson *p = create(&d, "volumes"), *q = create(&even, "modes");
    for (size_t i = 0; i < d.nodes; i++)
      rho[i] = 1e-5 * (uniform() - 0.5);
    ok(wn_poisson_solve(p, rho, volt, phi) == WN_OK &&
           wn_poisson_solve(q, rho, volt, want) == WN_OK,
       "%d-D, sides %d %d %d: solved", dim, of[0], of[1], of[2]);
    const double most = largest(want, d.nodes);
    worst = fmax(worst, furthest(phi, want, d.nodes) / most);
    double mean = 0.0;
    int is_given = 0;
    for (int i = 0; i < 2 * dim; i++)
      is_given |= side[i] == WN_DIRICHLET;
    for (size_t i = 0; i < d.nodes && !is_given; i++) {
      int64_t node[3];
      int is_copy = 0;
      place(&d, i, node);
      for (int k = 0; k < dim; k++)
        is_copy |= of[k] == 0 && node[k] == cells[k];
      mean += is_copy ? 0.0 : phi[i] * wn_geometry_volume(&d.spec.geometry, node);
    }
    worst_mean =
        fmax(worst_mean, fabs(mean) / (most * length[0] * (dim > 1 ? length[1] : 1.0) *
                                       (dim > 2 ? length[2] : 1.0)));
    for (int i = 0; i < dim; i++)
      for (int staggered = 0; staggered < 2; staggered++) {
        wn_poisson_field(p, want, i, staggered, e);
        wn_poisson_field(q, want, i, staggered, other);
        worst_e = fmax(worst_e, furthest(e, other, d.nodes) * shortest / most);
      }
    wn_poisson_free(p);
    wn_poisson_free(q);
    clear(&d);
    n++;
  }
  ok(worst < 1e-12, "%d-D: phi of %d pairs of sides is that of the modes (%.2g)", dim, n,
     worst);
  ok(worst_e < 100.0 * EPS, "%d-D: and so is E of the same phi (%.2g)", dim, worst_e);
  ok(worst_mean < 100.0 * EPS, "%d-D: what floats has mean 0 (%.2g)", dim, worst_mean);
}

/* ---- one axis */

/* Greatest errors of phi, and of E at nodes and between, of phi = sin(pi x) + x. */
static void line_errors(int32_t cells, double error[3])
{
  static const enum wn_potential side[6] = {WN_DIRICHLET, WN_DIRICHLET};
  static const double volt[6] = {0.0, 1.0};
  static struct domain d;
  d.spec.geometry.axis[0] = axis(WN_COORDINATE_LINE, cells, 0.0, 1.0, SMOOTH, 0);
  close_domain(&d, 1, side);
  const double *x = d.spec.geometry.axis[0].x;
  for (size_t i = 0; i < d.nodes; i++) {
    rho[i] = WN_EPS0 * WN_PI * WN_PI * sin(WN_PI * x[i]);
    want[i] = sin(WN_PI * x[i]) + x[i];
  }
  struct wn_poisson *p = create(&d, "volumes");
  ok(wn_poisson_solve(p, rho, volt, phi) == WN_OK, "a stretched line of %d cells",
     (int)cells);
  error[0] = furthest(phi, want, d.nodes);
  error[1] = error[2] = 0.0;
  for (int staggered = 0; staggered < 2; staggered++) {
    wn_poisson_field(p, phi, 0, staggered, e);
    for (size_t i = 0; i < d.nodes - (size_t)staggered; i++) {
      const double at = staggered ? 0.5 * (x[i] + x[i + 1]) : x[i];
      error[1 + staggered] =
          fmax(error[1 + staggered], fabs(e[i] + WN_PI * cos(WN_PI * at) + 1.0));
    }
  }
  wn_poisson_free(p);
  clear(&d);
}

static void stretched(void)
{
  static const char *const names[3] = {"phi", "E at nodes", "E between nodes"};
  double coarse[3], middle[3], fine[3];
  line_errors(MOST / 4, coarse);
  line_errors(MOST / 2, middle);
  line_errors(MOST, fine);
  for (int k = 0; k < 3; k++) {
    is_near(log2(coarse[k] / middle[k]), 2.0, 0.1, "a stretched line, %s: second order",
            names[k]);
    is_near(log2(middle[k] / fine[k]), 2.0, 0.05, "and closer with more cells");
  }
  ok(fine[0] < 1e-4, "error %.2g of %d cells", fine[0], MOST);
}

/* Greatest error of phi between cylinders, over V. */
static double capacitor(int32_t cells, double *charge, double *spread)
{
  static const enum wn_potential side[6] = {WN_DIRICHLET, WN_DIRICHLET};
  static const double volt[6] = {500.0, 0.0};
  const double a = 0.001, b = 0.02;
  static struct domain d;
  double low = INFINITY, high = 0.0;
  d.spec.geometry.axis[0] = axis(WN_COORDINATE_RADIUS, cells, a, b, SMOOTH, 0);
  close_domain(&d, 1, side);
  const struct wn_axis *r = &d.spec.geometry.axis[0];
  memset(rho, 0, d.nodes * sizeof *rho);
  solve(&d, volt, phi);
  for (size_t i = 0; i < d.nodes; i++)
    want[i] = volt[0] * log(b / r->x[i]) / log(b / a);
  for (int64_t i = 0; i < cells; i++) {
    const double q =
        WN_EPS0 * (phi[i] - phi[i + 1]) / wn_axis_edge(r, i) * wn_axis_area(r, i);
    low = fmin(low, q);
    high = fmax(high, q);
  }
  *charge = high / (2.0 * WN_PI * WN_EPS0 * volt[0] / log(b / a));
  *spread = high / low - 1.0;
  const double error = furthest(phi, want, d.nodes) / volt[0];
  clear(&d);
  return error;
}

static void cylinder(void)
{
  double q, spread, other_spread;
  const double coarse = capacitor(MOST / 2, &q, &other_spread),
               fine = capacitor(MOST, &q, &spread);
  is_near(log2(coarse / fine), 2.0, 0.05, "between cylinders: second order");
  ok(fine < 1e-4, "between cylinders: V ln(b/r)/ln(b/a) within %.2g", fine);
  is_near(q, 1.0, 1e-3, "and the charge is 2 pi eps0 V/ln(b/a)");
  is_near(spread, 0.0, 1e-10, "the flux is the same through all radii");

  /* a uniform charge around the axis: rho (b^2 - r^2)/(4 eps0), whose differences are exact */
  static const enum wn_potential side[6] = {WN_NEUMANN, WN_DIRICHLET};
  static const double volt[6] = {NAN, 0.0};
  static struct domain d;
  d.spec.geometry.axis[0] = axis(WN_COORDINATE_RADIUS, 60, 0.0, 0.02, RANDOM, 0);
  close_domain(&d, 1, side);
  for (size_t i = 0; i < d.nodes; i++) {
    const double r = d.spec.geometry.axis[0].x[i];
    rho[i] = 1e-6;
    want[i] = rho[i] / (4.0 * WN_EPS0) * (0.02 * 0.02 - r * r);
  }
  struct wn_poisson *p = create(&d, "volumes");
  ok(wn_poisson_solve(p, rho, volt, phi) == WN_OK, "a uniform charge around the axis");
  is_near(furthest(phi, want, d.nodes) / want[0], 0.0, 1e-12, "is exact at any nodes");
  wn_poisson_field(p, phi, 0, 0, e);
  ok(e[0] == 0.0, "E is 0 on the axis");
  wn_poisson_free(p);
  clear(&d);
}

/* A periodic line with a node of given potential: two charges by hand. */
static void ring(void)
{
  static const enum wn_potential side[6] = {WN_PERIODIC, WN_PERIODIC};
  static const int32_t at[3] = {7, 0, 0};
  static struct domain d;
  double volt[3] = {NAN, NAN, 12.0}, worst = 0.0;
  d.spec.geometry.axis[0] = axis(WN_COORDINATE_LINE, 20, 0.0, 1.0, RANDOM, 1);
  close_domain(&d, 1, side);
  is_int(electrode(&d, at, at), 2, "periodic: an electrode is the third surface");
  for (size_t i = 0; i < d.nodes; i++)
    rho[i] = 1e-9 * uniform();
  rho[20] = rho[0];
  solve(&d, volt, phi);
  ok(phi[7] == 12.0 && phi[20] == phi[0], "periodic: a node has the potential given");
  for (int64_t i = 0; i < 20; i++) {
    const struct wn_axis *a = &d.spec.geometry.axis[0];
    const int64_t low = (i + 19) % 20;
    const double out = (phi[i] - phi[(i + 1) % 20]) / wn_axis_edge(a, i) +
                       (phi[i] - phi[low]) / wn_axis_edge(a, low);
    if (i != 7)
      worst = fmax(worst, fabs(WN_EPS0 * out / (rho[i] * wn_axis_measure(a, i)) - 1.0));
  }
  is_near(worst, 0.0, 1e-10, "periodic: Gauss's law at all other nodes");
  clear(&d);
}

/* ---- electrodes */

/* A plate through the whole plane: between it and both walls phi is linear, and E on either side
 * of it that of a plane capacitor. */
static void plate(void)
{
  static const enum wn_potential side[6] = {WN_DIRICHLET, WN_DIRICHLET, WN_NEUMANN,
                                            WN_NEUMANN,   WN_PERIODIC,  WN_PERIODIC};
  static const int32_t low[3] = {6, 0, 0}, high[3] = {6, 8, 7};
  static struct domain d;
  double volt[7] = {1.0, -2.0};
  const int32_t cells[3] = {15, 8, 7};
  for (int i = 0; i < 3; i++)
    d.spec.geometry.axis[i] =
        axis(WN_COORDINATE_LINE, cells[i], 0.0, METRES, RANDOM, i == 2);
  close_domain(&d, 3, side);
  volt[electrode(&d, low, high)] = 100.0;
  memset(rho, 0, d.nodes * sizeof *rho);
  struct wn_poisson *p = create(&d, "volumes");
  ok(wn_poisson_solve(p, rho, volt, phi) == WN_OK, "a plate through a box");
  const double *x = d.spec.geometry.axis[0].x;
  double off = 0.0;
  wn_poisson_field(p, phi, 0, 1, e);
  for (size_t i = 0; i < d.nodes; i++) {
    int64_t node[3];
    place(&d, i, node);
    want[i] = node[0] <= 6 ? 1.0 + 99.0 * x[node[0]] / x[6]
                           : 100.0 - 102.0 * (x[node[0]] - x[6]) / (METRES - x[6]);
    other[i] = node[0] < 6 ? -99.0 / x[6] : 102.0 / (METRES - x[6]);
  }
  is_near(furthest(phi, want, d.nodes) / 100.0, 0.0, 1e-11,
          "a plate: phi is linear on both sides");
  is_near(furthest(e, other, d.nodes) / largest(other, d.nodes), 0.0, 1e-10,
          "a plate: E between nodes on both sides");
  wn_poisson_field(p, phi, 1, 0, e);
  off = largest(e, d.nodes) / largest(other, d.nodes);
  is_near(off, 0.0, 1e-10, "a plate: no E along it");
  wn_poisson_free(p);
  clear(&d);
}

/* In r-z, a rod on the axis: nodes up to the radius a. */
static double rod_error(int32_t cells, double *e_off)
{
  static const enum wn_potential side[6] = {WN_NEUMANN, WN_DIRICHLET, WN_NEUMANN,
                                            WN_NEUMANN};
  const int32_t low[3] = {0, 0, 0}, high[3] = {cells / 4, 5, 0};
  static struct domain d;
  double volt[5] = {NAN, 0.0};
  d.spec.geometry.axis[0] = axis(WN_COORDINATE_RADIUS, cells, 0.0, METRES, SMOOTH, 0);
  d.spec.geometry.axis[1] = axis(WN_COORDINATE_LINE, 5, 0.0, 3.0 * METRES, RANDOM, 0);
  close_domain(&d, 2, side);
  volt[electrode(&d, low, high)] = 1000.0;
  memset(rho, 0, d.nodes * sizeof *rho);
  const double *r = d.spec.geometry.axis[0].x, a = r[cells / 4];
  struct wn_poisson *p = create(&d, "volumes");
  ok(wn_poisson_solve(p, rho, volt, phi) == WN_OK, "a rod in r-z, %d cells", (int)cells);
  wn_poisson_field(p, phi, 0, 0, e);
  *e_off = 0.0;
  for (size_t i = 0; i < d.nodes; i++) {
    int64_t node[3];
    place(&d, i, node);
    const int is_in = node[0] <= cells / 4;
    want[i] = is_in ? 1000.0 : 1000.0 * log(METRES / r[node[0]]) / log(METRES / a);
    const double exact =
        node[0] < cells / 4 ? 0.0 : 1000.0 / (r[node[0]] * log(METRES / a));
    *e_off = fmax(*e_off, fabs(e[i] - exact) * a * log(METRES / a) / 1000.0);
  }
  const double error = furthest(phi, want, d.nodes) / 1000.0;
  wn_poisson_free(p);
  clear(&d);
  return error;
}

static void rod(void)
{
  double e_coarse, e_fine;
  const double coarse = rod_error(64, &e_coarse), fine = rod_error(128, &e_fine);
  /* a is that of a node, which is at the same place in both */
  is_near(log2(coarse / fine), 2.0, 0.1, "a rod in r-z: second order");
  is_near(log2(e_coarse / e_fine), 2.0, 0.2, "and E, also on the rod (%.2g)", e_fine);
}

/* Two electrodes and a charge in a stretched box. */
struct pair {
  struct domain d;
  int one, two;   /* in the list */
  size_t charged; /* node */
};

static void make_pair(struct pair *s, int dim, int has_radius)
{
  static const enum wn_potential side[6] = {WN_NEUMANN, WN_DIRICHLET, WN_DIRICHLET,
                                            WN_NEUMANN, WN_DIRICHLET, WN_DIRICHLET};
  const int32_t cells[3] = {20, 17, 12};
  for (int i = 0; i < dim; i++)
    s->d.spec.geometry.axis[i] =
        axis(has_radius && i == 0 ? WN_COORDINATE_RADIUS : WN_COORDINATE_LINE, cells[i],
             0.0, METRES, RANDOM, 0);
  close_domain(&s->d, dim, side);
  s->d.spec.geometry.held = NULL;
  s->one = electrode(&s->d, (const int32_t[3]){3, 4, 3}, (const int32_t[3]){5, 8, 6});
  s->two = electrode(&s->d, (const int32_t[3]){9, 6, 4}, (const int32_t[3]){9, 13, 9});
  s->charged = 7;
  for (int i = 1; i < dim; i++)
    s->charged += 7 * s->d.step[i];
}

static double charge_of(const struct pair *s, int surface, const double *v)
{
  double sum = 0.0;
  for (size_t i = 0; i < s->d.nodes; i++)
    if (s->d.held[i] == surface)
      sum += flux(&s->d, i, v);
  return sum;
}

/* eps0 times the flux out of the box of the nodes low .. high. */
static double through_box(const struct domain *d, const int64_t low[3],
                          const int64_t high[3], const double *v)
{
  const struct wn_geometry *g = &d->spec.geometry;
  double sum = 0.0;
  for (size_t at = 0; at < d->nodes; at++) {
    int64_t node[3];
    int in = 1;
    place(d, at, node);
    for (int i = 0; i < g->dim; i++)
      in &= node[i] >= low[i] && node[i] <= high[i];
    for (int i = 0; i < g->dim && in; i++) {
      int64_t below[3] = {node[0], node[1], node[2]};
      below[i]--;
      if (node[i] == high[i])
        sum += (v[at] - v[at + d->step[i]]) / wn_axis_edge(&g->axis[i], node[i]) *
               wn_geometry_face(g, i, node);
      if (node[i] == low[i])
        sum += (v[at] - v[at - d->step[i]]) / wn_axis_edge(&g->axis[i], below[i]) *
               wn_geometry_face(g, i, below);
    }
  }
  return WN_EPS0 * sum;
}

static void electrodes(int dim, int has_radius)
{
  static struct pair s;
  char name[24];
  snprintf(name, sizeof name, "%d-D%s", dim, has_radius ? ", r" : "");
  make_pair(&s, dim, has_radius);
  const struct wn_geometry *g = &s.d.spec.geometry;
  double volt[8] = {0.0};
  memset(rho, 0, s.d.nodes * sizeof *rho);
  volt[s.one] = 100.0;
  solve(&s.d, volt, phi);
  const double one = charge_of(&s, s.one, phi), induced = charge_of(&s, s.two, phi);
  ok(one > 0.0 && induced < 0.0 && -induced < one, "%s: charges of both have their signs",
     name);
  /* boxes around the first alone, and around both */
  is_close(
      through_box(&s.d, (const int64_t[3]){2, 3, 2}, (const int64_t[3]){7, 10, 8}, phi),
      one, 1e-11, "%s: the flux out of a box is the charge in it", name);
  is_close(
      through_box(&s.d, (const int64_t[3]){1, 2, 1}, (const int64_t[3]){15, 15, 10}, phi),
      one + induced, 1e-11, "%s: and around both that of both", name);
  /* the energy of E, edge by edge, is half of charge times potential */
  double energy = 0.0;
  for (size_t at = 0; at < s.d.nodes; at++) {
    int64_t node[3];
    place(&s.d, at, node);
    for (int i = 0; i < dim; i++)
      if (node[i] < g->axis[i].cells) {
        const double l = wn_axis_edge(&g->axis[i], node[i]),
                     across = (phi[at] - phi[at + s.d.step[i]]) / l;
        energy += 0.5 * WN_EPS0 * across * across * l * wn_geometry_face(g, i, node);
      }
  }
  is_close(energy, 0.5 * one * 100.0, 1e-11, "%s: the energy of E is Q V/2", name);
  /* reciprocity: the same charge on the first when the second has the potential */
  volt[s.one] = 0.0;
  volt[s.two] = 100.0;
  solve(&s.d, volt, other);
  is_close(charge_of(&s, s.one, other), induced, 1e-11,
           "%s: the capacitance is symmetric", name);
  /* and a charge q between grounded electrodes induces -q phi/V on each */
  int64_t node[3];
  place(&s.d, s.charged, node);
  volt[s.two] = 0.0;
  rho[s.charged] = 1e-12 / wn_geometry_volume(g, node);
  solve(&s.d, volt, want);
  is_close(charge_of(&s, s.one, want), -1e-12 * phi[s.charged] / 100.0, 1e-10,
           "%s: a charge induces -q phi/V on the first", name);
  is_close(charge_of(&s, s.two, want), -1e-12 * other[s.charged] / 100.0, 1e-10,
           "%s: and on the second", name);
  clear(&s.d);
}

/* ---- edges that a surface cuts */

static double factor[3][MAX_N];

#define RADIUS_OF 0.23 /* of a round electrode in a box of edge 1 */

/* The square of the distance from the centre less that of the surface, and phi/V - 1: 0 on the surface and
 * on all sides. */
static double beyond_surface(int dim, int has_radius, const double x[3])
{
  const double centre[3] = {has_radius ? 0.0 : 0.47, 0.52, 0.49};
  double sum = -RADIUS_OF * RADIUS_OF;
  for (int i = 0; i < dim; i++)
    sum += (x[i] - centre[i]) * (x[i] - centre[i]);
  return sum;
}

static double manufactured(int dim, int has_radius, const double x[3], double *lap)
{
  const double centre[3] = {has_radius ? 0.0 : 0.47, 0.52, 0.49},
               f = beyond_surface(dim, has_radius, x);
  double w = 1.0, lap_w = 0.0, along = 0.0; /* grad w (x - centre), over w */
  for (int i = 0; i < dim; i++) {
    const int is_r = has_radius && i == 0;
    const double of = is_r ? 1.0 - x[i] * x[i] : sin(WN_PI * x[i]),
                 slope = is_r ? -2.0 * x[i] : WN_PI * cos(WN_PI * x[i]),
                 lap_of = is_r ? -4.0 : -WN_PI * WN_PI * of;
    along = along * of + w * slope * (x[i] - centre[i]);
    lap_w = lap_w * of + w * lap_of;
    w *= of;
  }
  const double lap_f = has_radius ? 6.0 : 2.0 * dim;
  *lap = f * lap_w + 4.0 * along + w * lap_f;
  return f * w;
}

/* Errors of phi: greatest, and root of the mean square; cuts: with factors of edges. */
static void round_errors(int dim, int has_radius, int32_t cells, int cuts,
                         double error[2])
{
  static struct domain d;
  enum wn_potential side[6];
  double volt[7], sum = 0.0;
  const int32_t low[3] = {0, 0, 0};
  for (int i = 0; i < 7; i++)
    volt[i] = 1.0;
  for (int i = 0; i < 6; i++)
    side[i] = has_radius && i == 0 ? WN_NEUMANN : WN_DIRICHLET;
  memset(&d.spec, 0, sizeof d.spec);
  for (int i = 0; i < dim; i++)
    d.spec.geometry.axis[i] =
        axis(has_radius && i == 0 ? WN_COORDINATE_RADIUS : WN_COORDINATE_LINE, cells, 0.0,
             1.0, EVEN, 0);
  close_domain(&d, dim, side);
  const int number = electrode(&d, low, low);
  for (size_t i = 0; i < d.nodes; i++) {
    int64_t node[3];
    double x[3] = {0}, lap;
    place(&d, i, node);
    for (int k = 0; k < dim; k++)
      x[k] = wn_axis_x(&d.spec.geometry.axis[k], node[k]);
    want[i] = 1.0 + manufactured(dim, has_radius, x, &lap);
    rho[i] = -WN_EPS0 * lap;
    const double here = beyond_surface(dim, has_radius, x);
    d.held[i] = here <= 0.0 ? number : -1;
    for (int k = 0; k < dim; k++) {
      double beside[3] = {x[0], x[1], x[2]};
      factor[k][i] = 1.0;
      if (node[k] == cells)
        continue;
      beside[k] = wn_axis_x(&d.spec.geometry.axis[k], node[k] + 1);
      const double there = beyond_surface(dim, has_radius, beside);
      if ((here <= 0.0) == (there <= 0.0))
        continue;
      /* here + t (there - here) + l2 t (t - 1) = 0, t of the edge l */
      const double l2 = (beside[k] - x[k]) * (beside[k] - x[k]), b = there - here - l2,
                   root = sqrt(b * b - 4.0 * l2 * here),
                   t = here <= 0.0 ? (-b + root) / (2.0 * l2) : (-b - root) / (2.0 * l2);
      factor[k][i] = 1.0 / (here <= 0.0 ? 1.0 - t : t);
    }
  }
  for (int k = 0; k < dim; k++)
    d.spec.edge[k] = cuts ? factor[k] : NULL;
  solve(&d, volt, phi);
  error[0] = 0.0;
  for (size_t i = 0; i < d.nodes; i++)
    if (d.held[i] < 0) {
      error[0] = fmax(error[0], fabs(phi[i] - want[i]));
      sum += (phi[i] - want[i]) * (phi[i] - want[i]);
    }
  error[1] = sqrt(sum / (double)d.nodes);
  clear(&d);
}

static void round_electrode(int dim, int has_radius, int32_t coarsest)
{
  static const char *const names[2] = {"greatest error", "mean square"};
  const char *of = has_radius ? "a sphere in r-z" : dim == 2 ? "a circle" : "a sphere";
  double cut[3][2], stairs[3][2];
  for (int i = 0; i < 3; i++) {
    round_errors(dim, has_radius, coarsest << i, 1, cut[i]);
    round_errors(dim, has_radius, coarsest << i, 0, stairs[i]);
    diag("%s, %d cells: cut %.3g %.3g, staircase %.3g %.3g", of, coarsest << i, cut[i][0],
         cut[i][1], stairs[i][0], stairs[i][1]);
  }
  for (int k = 0; k < 2; k++) {
    const double order = 0.5 * log2(cut[0][k] / cut[2][k]),
                 of_stairs = 0.5 * log2(stairs[0][k] / stairs[2][k]);
    is_near(order, 2.0, 0.25, "%s, cut edges: phi of second order, %s", of, names[k]);
    ok(of_stairs < 1.5, "%s, held nodes alone: %s of order %.2f", of, names[k],
       of_stairs);
    ok(cut[2][k] < 0.2 * stairs[2][k], "and an error of %.2g, not %.2g", cut[2][k],
       stairs[2][k]);
  }
}

/* In one dimension phi = V t/(l - part) is linear to the surface. */
static void cut_line(void)
{
  static struct domain d;
  static const enum wn_potential both[6] = {WN_DIRICHLET, WN_DIRICHLET},
                                 ends[6] = {WN_PERIODIC, WN_PERIODIC, WN_NEUMANN,
                                            WN_NEUMANN};
  const int32_t last[3] = {7, 0, 0}, first[3] = {0, 0, 0};
  double volt[5] = {0.0, 0.0, 10.0}, worst = 0.0;
  memset(&d.spec, 0, sizeof d.spec);
  memset(rho, 0, sizeof rho);
  d.spec.geometry.axis[0] = axis(WN_COORDINATE_LINE, 12, 0.0, 1.2, EVEN, 0);
  close_domain(&d, 1, both);
  electrode(&d, last, last);
  for (size_t i = 0; i < d.nodes; i++)
    factor[0][i] = i == 6 ? 1.0 / 0.3 : i == 7 ? 1.0 / 0.8 : 1.0;
  d.spec.edge[0] = factor[0];
  solve(&d, volt, phi);
  for (int i = 0; i < 13; i++) {
    const double exact = i < 7 ? 10.0 * i / 6.3 : i == 7 ? 10.0 : 10.0 * (12 - i) / 4.8;
    worst = fmax(worst, fabs(phi[i] - exact));
  }
  is_near(worst, 0.0, 1e-13,
          "a line cut on both sides of a node: linear to the surfaces");
  clear(&d);

  /* Periodic, held at node 0; the edge from node 11 to it is cut at 0.3, that from 0 to 1 not: a
   * charge q at node 8 sees 8 and 3.3 edges to it.  In two dimensions a sheet does */
  for (int dim = 1; dim <= 2; dim++) {
    const int32_t along[3] = {0, 4, 0};
    memset(&d.spec, 0, sizeof d.spec);
    memset(rho, 0, sizeof rho);
    d.spec.geometry.axis[0] = axis(WN_COORDINATE_LINE, 12, 0.0, 1.2, EVEN, 1);
    d.spec.geometry.axis[1] = axis(WN_COORDINATE_LINE, 4, 0.0, 1.0, EVEN, 0);
    close_domain(&d, dim, ends);
    electrode(&d, first, dim == 1 ? first : along);
    for (size_t i = 0; i < d.nodes; i++) {
      factor[0][i] = i % 13 == 11 ? 1.0 / 0.3 : i % 13 == 12 ? NAN /* not read */ : 1.0;
      rho[i] = i % 13 == 8 ? WN_EPS0 / 0.1 : 0.0;
    }
    d.spec.edge[0] = factor[0];
    volt[dim == 1 ? 2 : 4] = 0.0;
    solve(&d, volt, phi);
    is_close(phi[8], 1.0 / (1.0 / 0.8 + 1.0 / 0.33), 1e-12,
             "%d-D: the factor of the edge across the end of a periodic axis counts",
             dim);
    for (int i = dim; i < 2; i++)
      wn_axis_clear(&d.spec.geometry.axis[i]);
    clear(&d);
  }
}

/* ---- bits */

static void same_bits(void)
{
  static const enum wn_potential side[6] = {WN_DIRICHLET, WN_NEUMANN,  WN_NEUMANN,
                                            WN_NEUMANN,   WN_PERIODIC, WN_PERIODIC};
  static const double volt[7] = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 30.0};
  const int32_t cells[3] = {22, 25, 24};
  static struct domain d;
  for (int i = 0; i < 3; i++)
    d.spec.geometry.axis[i] =
        axis(WN_COORDINATE_LINE, cells[i], 0.0, METRES, RANDOM, i == 2);
  close_domain(&d, 3, side);
  electrode(&d, (const int32_t[3]){5, 5, 5}, (const int32_t[3]){9, 9, 9});
  for (size_t i = 0; i < d.nodes; i++)
    rho[i] = 1e-6 * (uniform() - 0.5);
  for (int threads = 0; threads < 4; threads++) {
    d.spec.threads = threads;
    struct wn_poisson *p = create(&d, "volumes");
    ok(wn_poisson_solve(p, rho, volt, threads == 0 ? want : phi) == WN_OK,
       "a solve with %d threads", threads);
    if (threads == 0)
      ok(wn_poisson_solve(p, rho, volt, phi) == WN_OK, "a second solve");
    ok(memcmp(want, phi, d.nodes * sizeof *phi) == 0, "the same bits");
    wn_poisson_free(p);
  }
  const size_t bytes = wn_poisson_volumes.bytes(&d.spec);
  ok(bytes > d.nodes * 33 && bytes < d.nodes * 40, "bytes: %g a node",
     (double)bytes / (double)d.nodes);
  clear(&d);
}

/* ---- errors */

static void says(int status, const char *text, const char *what)
{
  ok(status == WN_EINPUT && strstr(text, what) != NULL, "refused: ... %s ...", what);
}

static void refused(void)
{
  static const enum wn_potential both[6] = {WN_DIRICHLET, WN_DIRICHLET},
                                 open[6] = {WN_OPEN, WN_OPEN};
  static const int32_t at[3] = {3, 0, 0};
  static struct domain d;
  struct wn_poisson *p = NULL;
  double volt[3] = {0.0, 0.0, NAN};
  d.spec.geometry.axis[0] = axis(WN_COORDINATE_RADIUS, 8, 0.0, 1.0, RANDOM, 0);
  close_domain(&d, 1, both);
  capture();
  int status = wn_poisson_create(&d.spec, &p);
  says(status, captured(), "x low is at 0 of a radius");
  clear(&d);

  d.spec.geometry.axis[0] = wn_axis_uniform(8, 0.8, 0.1, 0);
  close_domain(&d, 1, both);
  electrode(&d, at, at);
  p = create(&d, "volumes");
  capture();
  status = wn_poisson_solve(p, rho, volt, phi);
  says(status, captured(), "a finite potential");
  wn_poisson_free(p);
  p = NULL;
  d.held[5] = 3;
  capture();
  status = wn_poisson_create(&d.spec, &p);
  says(status, captured(), "node 5 has the potential of surface 3: there are 0 to 2");
  d.held[5] = 2;
  d.surface[2].potential = WN_NEUMANN;
  capture();
  status = wn_poisson_create(&d.spec, &p);
  says(status, captured(), "surface `electrode`, which has none");
  d.surface[2].potential = WN_DIRICHLET;

  d.spec.method = WN_POISSON_SPECTRAL;
  capture();
  status = wn_poisson_create(&d.spec, &p);
  says(status, captured(), "has: the spectral method, nodes of given potential inside; ");
  d.spec.method = WN_POISSON_DIFFERENCES;
  d.spec.ranks = 2;
  capture();
  status = wn_poisson_create(&d.spec, &p);
  says(status, captured(), "divided among processes, nodes of given potential inside; ");
  d.spec.ranks = 1;
  memcpy(d.spec.side, open, sizeof open);
  capture();
  status = wn_poisson_create(&d.spec, &p);
  says(status, captured(),
       "has: open sides, nodes of given potential inside; `modes` takes");
  memcpy(d.spec.side, both, sizeof both);
  const double none[9] = {1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0};
  d.spec.edge[0] = none;
  capture();
  status = wn_poisson_create(&d.spec, &p);
  says(status, captured(),
       "the edge from node 3 along x has the factor 0: a number above");
  const double plain[9] = {1.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0, 1.0, 0.0};
  d.spec.edge[0] = plain;
  d.spec.ranks = 2;
  capture();
  status = wn_poisson_create(&d.spec, &p);
  says(status, captured(), "nodes of given potential inside, factors of edges; `modes`");
  d.spec.ranks = 1;
  d.spec.edge[0] = NULL;
  capture();
  status = wn_poisson_check_uniform(&d.spec, "this solver");
  says(status, captured(),
       "this solver takes constant spacing along lines alone, not nodes");

  struct wn_electrostatic_spec field = {
      .grid = grid_make(1, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, (const int32_t[3]){8, 1, 1},
                        WN_SIDE_ABSORB, WN_SIDE_ABSORB, 0.1),
      .poisson = d.spec,
      .n_species = 1};
  struct wn_field *f = NULL;
  capture();
  status = wn_electrostatic_create(&field, &f);
  says(status, captured(), "field electrostatic takes constant spacing");
  ok(p == NULL && f == NULL, "none of them was made");
}

/* What no method supports together, and a geometry that is not that of the grid. */
static void not_supported(void)
{
  enum { STRETCHED = 1, DIMENSIONS, CELLS, PERIODIC };
  static const struct {
    enum wn_potential side;
    enum wn_poisson_method method;
    int ranks, wrong;
    const char *says;
  } cases[] = {
      {WN_OPEN, 0, 2, 0,
       "which has: open sides, a grid divided among processes; `modes`"},
      {WN_DIRICHLET, 1, 2, 0, "has: the spectral method, a grid divided among"},
      {WN_OPEN, 0, 1, STRETCHED, "open sides, axes that are stretched"},
      {WN_DIRICHLET, 1, 1, STRETCHED, "spectral method, axes that are stretched"},
      {WN_DIRICHLET, 0, 2, STRETCHED, "divided among processes, axes that are stretched"},
      {WN_DIRICHLET, 0, 1, DIMENSIONS, "2 dimensions for a grid of 1"},
      {WN_DIRICHLET, 0, 1, CELLS, "9 cells along x in the geometry, and 8 in the grid"},
      {WN_DIRICHLET, 0, 1, PERIODIC, "x is periodic in the geometry, and side x low is"},
  };
  static const double h[3] = {1.0, 1.0, 1.0};
  const double x[9] = {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 1.0};
  struct wn_axis uneven = {0};
  ok(wn_axis_create(WN_COORDINATE_LINE, 8, x, 0, &uneven) == WN_OK, "a stretched axis");
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    struct wn_poisson_spec spec = {.dim = 1,
                                   .cells = {8},
                                   .side = {cases[c].side, cases[c].side},
                                   .method = cases[c].method,
                                   .ranks = cases[c].ranks};
    struct wn_poisson *p = NULL;
    wn_poisson_uniform(&spec, h);
    spec.geometry.dim += cases[c].wrong == DIMENSIONS;
    spec.geometry.axis[0].cells += cases[c].wrong == CELLS;
    spec.geometry.axis[0].is_periodic = cases[c].wrong == PERIODIC;
    if (cases[c].wrong == STRETCHED)
      spec.geometry.axis[0] = uneven;
    capture();
    const int status = wn_poisson_create(&spec, &p);
    const char *text = captured();
    ok(status == WN_EINPUT && p == NULL && strstr(text, cases[c].says),
       "refused: ... %s ...", cases[c].says);
  }
  wn_axis_clear(&uneven);
}

int main(void)
{
  plan(0);
  draw_state = 702;
  for (int dim = 1; dim <= 3; dim++)
    as_modes(dim);
  stretched();
  cylinder();
  ring();
  plate();
  rod();
  electrodes(2, 0);
  electrodes(2, 1);
  electrodes(3, 0);
  cut_line();
  round_electrode(2, 0, 20);
  round_electrode(2, 1, 20);
  round_electrode(3, 0, 10);
  same_bits();
  not_supported();
  refused();
  return done();
}
