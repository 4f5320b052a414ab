/* t0706-multigrid.c - defends: Poisson's equation by multigrid (fields/poisson/multigrid.c).
 *   - phi is that of the conjugate gradients of volumes.c, and the residual, summed here from edges, is below
 *     1e-11 of the charge: all pairs of sides, odd numbers of cells, cells of ratio 4 and 16, stretched axes,
 *     r-z, electrodes down to one node, jumps of the permittivity by 100 and 1e4, edges that surfaces cut
 *   - the number of cycles does not grow with the grid: 32 to 256 cells along each of two axes, 16 to 64 of
 *     three, with and without electrodes and dielectrics; from 14 to 19 with a permittivity of 100 along three
 *   - a dielectric sphere in a uniform field has E0 3/(eps + 2) inside, to the order of its surface
 *   - the same bits with any number of threads, of a second solve, and after another solve
 *   - with a tolerance of 1e-6 the residual is below it, with fewer cycles; from the solution itself none are needed,
 *     from that of a charge that is 1 % different fewer than from 0; potentials given are not read from phi
 *   - it takes large grids of volumes.c, and by name small ones; what it does not take is refused
 * Reference: volumes.c; the sphere is exact (J. D. Jackson, Classical Electrodynamics, 4.4, as known). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "fields/poisson/parts.h"
#include "physics/constants.h"
#include "t/tap/capture.h"
#include "t/tap/differences.h"
#include "t/tap/poisson_grids.h"
#include "t/tap/tap.h"

static double phi[MAX_N], want[MAX_N], other[MAX_N];

static const double volt[7] = {3.0, -2.0, 7.0, 1.0, 5.0, -4.0, 100.0};

/* By one method; its cycles, where it is multigrid. */
static int solve(const struct wn_poisson_ops *ops, const struct wn_poisson_spec *spec,
                 const double *volts, double *to)
{
  struct wn_poisson *p = NULL;
  int cycles = 0;
  if (wn_poisson_check(spec) != WN_OK || ops->create(spec, &p) != WN_OK ||
      wn_poisson_solve(p, rho, volts, to) != WN_OK)
    ok(0, "%s found a solution", ops->name);
  else if (ops == &wn_poisson_multigrid)
    cycles = wn_poisson_multigrid_cycles(p);
  wn_poisson_free(p);
  return cycles;
}

/* What flows out of node i at potentials v, less its charge; *diagonal: of the matrix. */
static double left_of(const struct domain *d, size_t i, const int64_t at[3], double taken,
                      const double *v, double *diagonal)
{
  const struct wn_geometry *g = &d->spec.geometry;
  double out = -(rho[i] - taken) / WN_EPS0 * wn_geometry_volume(g, at);
  *diagonal = 0.0;
  for (int k = 0; k < g->dim; k++)
    for (int high = 0; high < 2; high++) {
      const int wraps = d->spec.side[2 * k] == WN_PERIODIC;
      int64_t low[3] = {at[0], at[1], at[2]};
      size_t next = high ? i + d->step[k] : i - d->step[k];
      if (!wraps && at[k] == (high ? g->axis[k].cells : 0))
        continue;
      if (!high && at[k] == 0)
        next = i + d->step[k] * (size_t)(g->axis[k].cells - 1);
      low[k] = high ? at[k] : (at[k] > 0 ? at[k] : g->axis[k].cells) - 1;
      const double *f = d->spec.edge[k], c = wn_geometry_face(g, k, low) /
                                             wn_axis_edge(&g->axis[k], low[k]) *
                                             (f != NULL ? f[high ? i : next] : 1.0);
      out += c * (v[i] - v[next]);
      *diagonal += c;
    }
  return out;
}

/* The residual of phi over the right-hand side, in the norm with 1 / diagonal: Gauss's law by sums
 * over edges, without the code of a solver. */
static double residual(const struct domain *d)
{
  static double given[MAX_N];
  const struct wn_geometry *g = &d->spec.geometry;
  double sum[2] = {0.0, 0.0}, charge = 0.0, volume = 0.0;
  int is_floating = 1;
  for (int pass = 0; pass < 3; pass++)
    for (size_t i = 0; i < d->nodes; i++) {
      int64_t at[3] = {0, 0, 0};
      int is_unknown = g->held == NULL || g->held[i] < 0, is_copy = 0;
      double diagonal;
      for (int k = 0; k < g->dim; k++) {
        at[k] = (int64_t)(i / d->step[k] % (d->spec.cells[k] + 1));
        is_copy |= d->spec.side[2 * k] == WN_PERIODIC && at[k] == g->axis[k].cells;
        is_unknown &= at[k] > 0 || d->spec.side[2 * k] != WN_DIRICHLET;
        is_unknown &= at[k] < g->axis[k].cells || d->spec.side[2 * k + 1] != WN_DIRICHLET;
      }
      if (pass == 0) {
        given[i] = is_unknown ? 0.0 : phi[i];
        is_floating &= is_unknown;
        charge += is_copy ? 0.0 : rho[i] * wn_geometry_volume(g, at);
        volume += is_copy ? 0.0 : wn_geometry_volume(g, at);
      } else if (is_unknown && !is_copy) {
        const double out = left_of(d, i, at, is_floating ? charge / volume : 0.0,
                                   pass == 1 ? given : phi, &diagonal);
        sum[pass - 1] += out * out / diagonal;
      }
    }
  return sqrt(sum[1] / sum[0]);
}

/* ---- volumes.c solves the same */

#define P 0 /* of side_pairs */
#define D 1

static void as_volumes(void)
{
  enum { BOTH = 12 }; /* cells of small grids, odd ones in between */
  static const struct grid grids[] = {
      {.name = "50 x 125 cells", .dim = 2, .cells = {50, 125}, .sides = {D, D}},
      {.name = "odd, periodic", .dim = 2, .cells = {51, 37}, .sides = {P, P}},
      {.name = "odd, periodic and walls",
       .dim = 3,
       .cells = {17, 25, 15},
       .sides = {P, P, D}},
      {.name = "cells 1 : 4",
       .dim = 2,
       .cells = {48, 48},
       .sides = {D, D},
       .ratio = {1, 4}},
      {.name = "cells 16 : 1",
       .dim = 2,
       .cells = {48, 48},
       .sides = {D, D},
       .ratio = {16, 1}},
      {.name = "cells 1 : 4 : 16",
       .dim = 3,
       .cells = {20, 20, 20},
       .sides = {D, D, D},
       .ratio = {1, 4, 16}},
      {.name = "a stretched grid",
       .dim = 2,
       .cells = {48, 48},
       .sides = {D, D},
       .spacing = GROWING},
      {.name = "cells at random",
       .dim = 2,
       .cells = {48, 49},
       .sides = {D, D},
       .spacing = DRAWN},
      {.name = "a stretched grid",
       .dim = 3,
       .cells = {20, 20, 20},
       .sides = {D, D, D},
       .spacing = GROWING},
      {.name = "a disc", .dim = 2, .cells = {48, 48}, .sides = {D, D}, .inside = BALL},
      {.name = "a thin needle",
       .dim = 2,
       .cells = {48, 48},
       .sides = {D, D},
       .inside = NEEDLE},
      {.name = "a point, periodic",
       .dim = 2,
       .cells = {48, 48},
       .sides = {P, P},
       .inside = POINT},
      {.name = "nodes at random",
       .dim = 2,
       .cells = {48, 48},
       .sides = {D, D},
       .inside = NODES},
      {.name = "a sphere",
       .dim = 3,
       .cells = {20, 20, 20},
       .sides = {D, D, D},
       .inside = BALL},
      {.name = "a thin needle",
       .dim = 3,
       .cells = {20, 20, 20},
       .sides = {D, D, D},
       .inside = NEEDLE},
      {.name = "permittivity 100",
       .dim = 2,
       .cells = {48, 48},
       .sides = {D, D},
       .inside = EPS_100},
      {.name = "permittivity 1e4",
       .dim = 2,
       .cells = {48, 48},
       .sides = {D, D},
       .inside = EPS_1E4},
      {.name = "permittivity 100",
       .dim = 3,
       .cells = {20, 20, 20},
       .sides = {D, D, D},
       .inside = EPS_100},
      {.name = "edges are cut",
       .dim = 2,
       .cells = {48, 48},
       .sides = {D, D},
       .inside = CUTS},
      {.name = "edges are cut, odd and periodic",
       .dim = 3,
       .cells = {15, 16, 17},
       .sides = {P, D, P},
       .inside = CUTS},
      {.name = "r-z, a ball",
       .dim = 2,
       .cells = {40, 100},
       .sides = {3, D},
       .inside = BALL,
       .is_rz = 1},
      {.name = "r-z, a needle on the axis",
       .dim = 2,
       .cells = {50, 70},
       .sides = {3, D},
       .inside = NEEDLE,
       .is_rz = 1},
      {.name = "r-z, stretched",
       .dim = 2,
       .cells = {50, 70},
       .sides = {3, D},
       .spacing = GROWING,
       .inside = NEEDLE,
       .is_rz = 1},
      {.name = "r-z, permittivity 100",
       .dim = 2,
       .cells = {50, 70},
       .sides = {3, P},
       .inside = EPS_100,
       .is_rz = 1},
  };
  static struct domain d;
  for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
    make(&d, &grids[i]);
    const int cycles = solve(&wn_poisson_multigrid, &d.spec, volt, phi);
    solve(&wn_poisson_volumes, &d.spec, volt, want);
    const double far = furthest(phi, want, d.nodes) / largest(want, d.nodes),
                 left = residual(&d);
    ok(far < 2e-11 && left < 1e-11 && cycles > 0 && cycles <= 30,
       "%d-D, %s: phi is that of volumes (%.2g), residual %.2g, %d cycles", grids[i].dim,
       grids[i].name, far, left, cycles);
    clear(&d);
  }
  for (int dim = 2; dim <= 3; dim++) {
    double worst = 0.0;
    int n = 0, most = 0;
    for (int which = 0; which < (dim == 2 ? 25 : 125); which++) {
      const struct grid g = {.dim = dim,
                             .cells = {BOTH, BOTH - 3, BOTH - 1},
                             .sides = {which % N_SIDE_PAIRS,
                                       which / N_SIDE_PAIRS % N_SIDE_PAIRS,
                                       which / N_SIDE_PAIRS / N_SIDE_PAIRS}};
      make(&d, &g);
      const int cycles = solve(&wn_poisson_multigrid, &d.spec, volt, phi);
      solve(&wn_poisson_volumes, &d.spec, volt, want);
      worst = fmax(worst, furthest(phi, want, d.nodes) / largest(want, d.nodes));
      most = cycles > most ? cycles : most;
      clear(&d);
      n++;
    }
    ok(worst < 1e-11 && most <= 16, "%d-D: %d pairs of sides (%.2g), at most %d cycles",
       dim, n, worst, most);
  }
}

/* ---- cycles */

static void cycles_of_grids(void)
{
  static const struct {
    enum inside inside;
    int dim, is_rz, most, more;
    const char *name;
  } cases[] = {{NOTHING, 2, 0, 10, 1, "walls"},
               {NEEDLE, 2, 0, 11, 2, "a needle"},
               {EPS_100, 2, 0, 15, 2, "permittivity 100"},
               {NEEDLE, 2, 1, 11, 1, "r-z, a needle"},
               {NOTHING, 3, 0, 12, 2, "walls"},
               {BALL, 3, 0, 12, 2, "a sphere"},
               {EPS_100, 3, 0, 20, 5, "permittivity 100"}};
  static struct domain d;
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    const int dim = cases[c].dim;
    int least = 1000, most = 0;
    for (int32_t n = dim == 2 ? 32 : 16; n <= (dim == 2 ? 256 : 64); n *= 2) {
      const struct grid g = {.dim = dim,
                             .cells = {n, n, n},
                             .sides = {cases[c].is_rz ? 3 : D, D, D},
                             .inside = cases[c].inside,
                             .is_rz = cases[c].is_rz};
      make(&d, &g);
      const int cycles = solve(&wn_poisson_multigrid, &d.spec, volt, phi);
      least = cycles < least ? cycles : least;
      most = cycles > most ? cycles : most;
      clear(&d);
    }
    ok(most <= cases[c].most && most <= least + cases[c].more,
       "%d-D, %s, cells by a factor of %d: %d to %d cycles", dim, cases[c].name,
       dim == 2 ? 8 : 4, least, most);
  }
}

/* ---- a dielectric sphere in a uniform field: an eighth of it, R half of the box */

#define LENGTH  1.0
#define RADIUS  0.5
#define SAMPLES 8 /* of a face, along each axis */

/* The permittivity on an edge from `at` along d: in series along it, in parallel over its face. */
static double of_sphere(double eps, const double at[3], double h, int d)
{
  double sum = 0.0, r2 = 0.0;
  for (int k = 0; k < 3; k++)
    r2 += at[k] * at[k];
  if (fabs(sqrt(r2) - RADIUS) > 2.0 * h)
    return sqrt(r2) < RADIUS ? eps : 1.0;
  for (int a = 0; a < SAMPLES; a++)
    for (int b = 0; b < SAMPLES; b++) {
      const double y = at[(d + 1) % 3] + ((a + 0.5) / SAMPLES - 0.5) * h,
                   z = at[(d + 2) % 3] + ((b + 0.5) / SAMPLES - 0.5) * h,
                   half = sqrt(fmax(RADIUS * RADIUS - y * y - z * z, 0.0)),
                   part = fmin(fmax((half - at[d]) / h, 0.0), 1.0);
      sum += 1.0 / (part / eps + 1.0 - part);
    }
  return sum / (SAMPLES * SAMPLES);
}

/* The mean of E_z within 0.7 R over 3/(eps + 2), less 1. */
static double sphere_error(double eps, int32_t n)
{
  enum { MOST_GIVEN = 3 * 65 * 65 };
  static struct wn_surface surface[6 + MOST_GIVEN];
  static double volts[6 + MOST_GIVEN];
  const double h[3] = {LENGTH / n, LENGTH / n, LENGTH / n},
               beta = (eps - 1.0) / (eps + 2.0), inside = 3.0 / (eps + 2.0);
  struct wn_poisson_spec spec = {
      .dim = 3,
      .threads = 1,
      .side = {WN_NEUMANN, WN_NEUMANN, WN_NEUMANN, WN_NEUMANN, WN_DIRICHLET, WN_NEUMANN}};
  const size_t m = (size_t)n + 1;
  int32_t given = 6;
  double sum = 0.0, all = 0.0;
  for (int d = 0; d < 3; d++)
    spec.cells[d] = (size_t)n;
  wn_poisson_uniform(&spec, h);
  spec.geometry.surface = surface;
  for (size_t i = 0; i < m * m * m; i++) {
    const int32_t at[3] = {(int32_t)(i % m), (int32_t)(i / m % m), (int32_t)(i / m / m)};
    const double x[3] = {at[0] * h[0], at[1] * h[0], at[2] * h[0]},
                 r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    rho[i] = 0.0;
    held[i] = -1;
    for (int d = 0; d < 3; d++)
      edge[d][i] = of_sphere(eps, x, h[0], d);
    if (at[0] == n || at[1] == n || at[2] == n) {
      volts[given] = -x[2] * (1.0 - beta * pow(RADIUS / r, 3.0));
      held[i] = given++;
    }
  }
  for (int32_t i = 0; i < given; i++)
    surface[i] = (struct wn_surface){
        .name = "far away", .potential = i < 6 ? (int32_t)spec.side[i] : WN_DIRICHLET};
  spec.geometry.n_surfaces = given;
  spec.geometry.held = held;
  for (int d = 0; d < 3; d++)
    spec.edge[d] = edge[d];
  solve(&wn_poisson_multigrid, &spec, volts, phi);
  for (size_t i = 0; i < m * m * m; i++) {
    const double x = (double)(i % m) * h[0], y = (double)(i / m % m) * h[0],
                 z = ((double)(i / m / m) + 0.5) * h[0];
    if (x * x + y * y + z * z < 0.7 * 0.7 * RADIUS * RADIUS) {
      sum += (phi[i] - phi[i + m * m]) / h[0] / inside;
      all += 1.0;
    }
  }
  return sum / all - 1.0;
}

static void sphere(void)
{
  static const double eps[] = {2.0, 10.0, 100.0};
  for (size_t i = 0; i < sizeof eps / sizeof *eps; i++) {
    double error[3];
    for (int k = 0; k < 3; k++)
      error[k] = sphere_error(eps[i], 12 << k);
    const double limit = 2.0 * error[2] - error[1];
    ok(fabs(limit) < 0.002 && fabs(error[2]) < 0.6 * fabs(error[1]) &&
           fabs(error[1]) < 0.6 * fabs(error[0]),
       "a sphere of permittivity %g: E inside is 3/(eps + 2), off by %.2g %.2g %.2g of "
       "it at 12, 24 "
       "and 48 cells (order %.2g), by %.2g extrapolated",
       eps[i], error[0], error[1], error[2], log2(error[0] / error[2]) / 2.0, limit);
  }
}

/* ---- bits */

static void same_bits(void)
{
  static const struct grid grids[] = {
      {.dim = 2, .cells = {200, 151}, .sides = {P, D}, .inside = BALL},
      {.dim = 3, .cells = {40, 33, 30}, .sides = {D, P, 3}, .inside = EPS_100}};
  static struct domain d;
  for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
    int same = 1;
    make(&d, &grids[i]);
    d.spec.threads = 1;
    solve(&wn_poisson_multigrid, &d.spec, volt, want);
    for (int threads = 2; threads < 5; threads++) {
      d.spec.threads = threads;
      solve(&wn_poisson_multigrid, &d.spec, volt, phi);
      same &= memcmp(phi, want, d.nodes * sizeof *phi) == 0;
    }
    ok(same, "%d-D: the same bits with 1 to 4 threads", grids[i].dim);
    struct wn_poisson *p = NULL;
    static const double others[7] = {1.0, 1.0, 2.0, 2.0, 3.0, 3.0, -5.0};
    same = wn_poisson_multigrid.create(&d.spec, &p) == WN_OK;
    for (int k = 0; k < 2 && same; k++) {
      same &= wn_poisson_solve(p, rho, others, other) == WN_OK;
      same &= wn_poisson_solve(p, rho, volt, phi) == WN_OK;
      same &= memcmp(phi, want, d.nodes * sizeof *phi) == 0 &&
              memcmp(phi, other, d.nodes * sizeof *phi) != 0;
    }
    ok(same, "%d-D: and after another solve, as from a checkpoint", grids[i].dim);
    const double kept = rho[d.nodes / 3];
    rho[d.nodes / 3] = NAN;
    capture();
    int status = wn_poisson_solve(p, rho, volt, phi);
    const char *text = captured();
    ok(status == WN_ERUN && strstr(text, "after 0 cycles of multigrid"),
       "%d-D: a charge that is not a number fails: %s", grids[i].dim, text);
    rho[d.nodes / 3] = kept;
    status = wn_poisson_solve(p, rho, volt, phi);
    ok(status == WN_OK && memcmp(phi, want, d.nodes * sizeof *phi) == 0,
       "%d-D: and leaves nothing behind", grids[i].dim);
    wn_poisson_free(p);
    clear(&d);
  }
}

/* ---- tolerance and start */

static void tolerances(void)
{
  static const struct grid grids[] = {
      {.dim = 2, .cells = {80, 80}, .sides = {D, D}, .inside = NEEDLE},
      {.dim = 3, .cells = {24, 24, 24}, .sides = {D, 3, P}, .inside = BALL},
      {.dim = 2, .cells = {64, 64}, .sides = {P, P}}};
  static struct domain d;
  for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
    struct wn_poisson *p = NULL;
    make(&d, &grids[i]);
    d.spec.method = WN_POISSON_MULTIGRID;
    const int all = solve(&wn_poisson_multigrid, &d.spec, volt, want);
    d.spec.tolerance = 1e-6;
    const int few = solve(&wn_poisson_multigrid, &d.spec, volt, phi);
    const double left = residual(&d);
    ok(left <= 1.001e-6 && left > 1e-11 && few < all,
       "%d-D: the residual is below a tolerance of 1e-6 (%.2g), %d cycles and not %d",
       grids[i].dim, left, few, all);
    d.spec.tolerance = 0.0;
    d.spec.starts_from_phi = 1;
    if (wn_poisson_create(&d.spec, &p) != WN_OK)
      break;
    memcpy(phi, want, d.nodes * sizeof *phi);
    for (size_t k = 0; k < d.nodes; k++) /* what is given is not read */
      phi[k] = d.spec.geometry.held != NULL && held[k] >= 0 ? NAN : phi[k];
    int status = wn_poisson_solve(p, rho, volt, phi);
    const int none = wn_poisson_multigrid_cycles(p);
    ok(status == WN_OK && none <= 1 &&
           furthest(phi, want, d.nodes) < 1e-12 * largest(want, d.nodes),
       "%d-D: from the solution %d cycles", grids[i].dim, none);
    for (size_t k = 0; k < d.nodes; k++)
      rho[k] *= 1.0 + 0.02 * (uniform() - 0.5);
    status = wn_poisson_solve(p, rho, volt, phi);
    const int fewer = wn_poisson_multigrid_cycles(p);
    const double of_this = residual(&d);
    ok(status == WN_OK && fewer < all && fewer > 0 && of_this < 1e-11,
       "%d-D: from that of another charge %d cycles and not %d, residual %.2g",
       grids[i].dim, fewer, all, of_this);
    static const double zero[sizeof volt / sizeof *volt];
    memset(rho, 0, d.nodes * sizeof *rho);
    status = wn_poisson_solve(p, rho, zero, phi);
    ok(status == WN_OK && largest(phi, d.nodes) == 0.0 &&
           wn_poisson_multigrid_cycles(p) == 0,
       "%d-D: without charge zero at once, from that of a charge", grids[i].dim);
    wn_poisson_free(p);
    clear(&d);
  }
}

/* ---- which grids */

static void which(void)
{
  static const double h[3] = {CELL, CELL, CELL};
  static struct domain d;
  const struct grid small = {.dim = 2,
                             .cells = {30, 30},
                             .sides = {D, D},
                             .inside = BALL},
                    large = {
                        .dim = 2, .cells = {70, 70}, .sides = {D, D}, .inside = BALL};
  make(&d, &small);
  is_str(wn_poisson_method_name(&d.spec), "volumes", "a small grid with an electrode");
  d.spec.method = WN_POISSON_MULTIGRID;
  is_str(wn_poisson_method_name(&d.spec), "multigrid", "and by name");
  d.spec.geometry.held = NULL;
  clear(&d);
  wn_poisson_uniform(&d.spec, h);
  is_str(wn_poisson_method_name(&d.spec), "multigrid", "by name also a plain grid");
  d.spec.method = WN_POISSON_DIFFERENCES;
  is_str(wn_poisson_method_name(&d.spec), "modes", "which otherwise takes modes");
  clear(&d);
  make(&d, &large);
  is_str(wn_poisson_method_name(&d.spec), "multigrid", "a large grid with an electrode");
  ok(wn_poisson_bytes(&d.spec) > 71 * 71 * 60 &&
         wn_poisson_bytes(&d.spec) < 71 * 71 * 200,
     "60 to 200 bytes a node");
  struct wn_poisson *p = NULL;
  double bad[7];
  memcpy(bad, volt, sizeof bad);
  bad[4] = NAN; /* of the surface after the sides */
  int status = wn_poisson_create(&d.spec, &p);
  capture();
  status = status == WN_OK ? wn_poisson_solve(p, rho, bad, phi) : status;
  ok(status == WN_EINPUT && strstr(captured(), "a finite potential is needed"),
     "an electrode without a potential is refused");
  wn_poisson_free(p);
  clear(&d);

  static const struct {
    int dim, ranks;
    enum wn_potential side;
    const char *says;
  } cases[] = {{1, 1, WN_DIRICHLET, "two or three axes"},
               {2, 1, WN_OPEN, "which has: open sides, solver multigrid"},
               {3, 2, WN_NEUMANN, "a grid divided among processes, solver multigrid"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct wn_poisson_spec spec = {.dim = cases[i].dim,
                                   .cells = {64, 64, 64},
                                   .method = WN_POISSON_MULTIGRID,
                                   .threads = 1,
                                   .ranks = cases[i].ranks};
    for (int side = 0; side < 6; side++)
      spec.side[side] = cases[i].side;
    wn_poisson_uniform(&spec, h);
    p = NULL;
    capture();
    status = wn_poisson_create(&spec, &p);
    const char *text = captured();
    ok(status == WN_EINPUT && p == NULL && strstr(text, cases[i].says),
       "refused: ... %s ...: %s", cases[i].says, text);
  }
}

int main(void)
{
  plan(0);
  draw_state = 706;
  as_volumes();
  cycles_of_grids();
  sphere();
  same_bits();
  tolerances();
  which();
  return done();
}
