/* t0702-volumes.c - defends: Poisson's equation on any geometry (fields/poisson/volumes.c).
 *   - on constant spacing along lines it has the solution and the E of the modes, for all pairs of
 *     sides, to rounding
 *   - along a stretched line it is of second order, phi and E; between cylinders phi is
 *     V ln(b/r)/ln(b/a), a uniform charge around the axis is exact, and the flux is the same
 *     through all radii
 *   - the same bits with any number of threads, and of a second solve
 *   - what no method takes, and what is not a surface's potential, is refused
 * Nodes held inside, and edges that a surface cuts: t0707.  No outside numbers. */
#include <math.h>
#include <stdio.h>
#include "t/fields/volumes_domain.h"
#include "t/tap/capture.h"
#include "t/tap/differences.h"
#include "t/tap/grid.h"
#include "t/tap/side_pairs.h"

#define EPS 2.220446049250313e-16

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
        wn_poisson_field(p, want, i, staggered, e_of);
        wn_poisson_field(q, want, i, staggered, other);
        worst_e = fmax(worst_e, furthest(e_of, other, d.nodes) * shortest / most);
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
    wn_poisson_field(p, phi, 0, staggered, e_of);
    for (size_t i = 0; i < d.nodes - (size_t)staggered; i++) {
      const double at = staggered ? 0.5 * (x[i] + x[i + 1]) : x[i];
      error[1 + staggered] =
          fmax(error[1 + staggered], fabs(e_of[i] + WN_PI * cos(WN_PI * at) + 1.0));
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
  wn_poisson_field(p, phi, 0, 0, e_of);
  ok(e_of[0] == 0.0, "E is 0 on the axis");
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
  same_bits();
  not_supported();
  refused();
  return done();
}
