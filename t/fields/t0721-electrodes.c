/* t0721-electrodes.c - defends: electrodes inside a grid (physics/electrode.h, fields/electrodes.h).
 *   - the formula of each shape: its value on the axis of distances, its surface, and the box around it
 *   - the parts of edges that an ellipse cuts, against the roots of its equation; cells with a node inside, and
 *     no other, are flagged
 *   - E beside a sphere and continued into it, of a manufactured solution in r-z and in a box: of second
 *     order, where one symmetric solve is of first
 *   - half an ellipsoid on a plate in a uniform field, in r-z: E at the tip over that field is
 *     5.76156, 17.91441, 49.29537 and 148.1689 for an aspect ratio of 2, 5, 10 and 20, which is
 *     q^3 b^2/(artanh q - q), q^2 = 1 - 1/b^2 (from the prolate spheroidal potential; derived here):
 *     within 6 % with two cells in the radius of the tip and 1 % with four, and that of 2 within 0.6 % with
 *     eight.  With held nodes alone E is a
 *     third too low
 *   - in the field `electrostatic`: Gauss's law holds with the charge and the flux of the solver, the energy
 *     of E is half the sum of charge times potential, and the same bits come with any number of threads
 *   - what the field does not take with electrodes is refused
 * Outside numbers: those of the ellipsoid, by the formula. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "fields/electrodes.h"
#include "fields/electrostatic.h"
#include "fields/geometry.h"
#include "physics/constants.h"
#include "t/tap/capture.h"
#include "t/tap/differences.h"
#include "t/tap/grid.h"
#include "t/tap/tap.h"

#define MAX_N (41 * 41 * 41)

static unsigned char continued[MAX_N];
static double rho[MAX_N], phi[MAX_N], want[MAX_N], e[MAX_N];

/* ---- shapes */

static double level(const struct wn_electrode_shape *s, int dim, double x, double y,
                    double z)
{
  const double at[3] = {x, y, z};
  return wn_electrode_level(s, dim, at);
}

static void shapes(void)
{
  const struct wn_electrode_shape
      ball = {.kind = WN_ELECTRODE_ELLIPSOID, .from = {1, 2, 3}, .to = {2, 3, 4}},
      rod = {.kind = WN_ELECTRODE_ROD, .from = {0, 0, 0}, .to = {0, 3, 4}, .radius = 2},
      box = {.kind = WN_ELECTRODE_BOX, .from = {0, 0, 0}, .to = {4, 6, 8}},
      soft = {.kind = WN_ELECTRODE_BOX, .from = {0, 0, 0}, .to = {4, 6, 8}, .edge = 1},
      disc = {.kind = WN_ELECTRODE_DISC,
              .axis = 2,
              .from = {1, 1, 5},
              .radius = 5,
              .thickness = 4,
              .edge = 1};
  double low[3], high[3];
  is_near(level(&ball, 3, 3, 2, 3), 0.0, 1e-15, "an ellipsoid: on its first axis");
  is_near(level(&ball, 3, 1, 2, -1), 0.0, 1e-15, "and on its third");
  is_near(level(&ball, 2, 1, 3.5, NAN), -0.75, 1e-15,
          "two coordinates are enough in 2-D");
  is_near(level(&rod, 3, 1, 1.5, 2), -1.0, 1e-15, "a rod: at 1 from its axis");
  is_near(level(&rod, 3, 0, 6, 8), 3.0, 1e-15,
          "beyond its end, by the distance from that");
  is_near(level(&rod, 3, 2, 3, 4), 0.0, 1e-15, "its end is a half sphere");
  is_near(level(&box, 3, 2, 3, 10), 2.0, 1e-15, "a box: beyond a face");
  is_near(level(&box, 3, 7, 10, 4), 5.0, 1e-15, "beyond an edge");
  is_near(level(&box, 3, 2, 3, 7), -1.0, 1e-15, "inside, the distance to the next face");
  is_near(level(&soft, 3, 4, 3, 4), 0.0, 1e-15, "a rounded box: its faces are those");
  is_near(level(&soft, 3, 3 + sqrt(0.5), 5 + sqrt(0.5), 4), 0.0, 1e-14,
          "and its edges round");
  ok(level(&soft, 3, 4, 6, 4) > 0.1, "a corner of the sharp box is in the gas");
  is_near(level(&disc, 3, 4, 5, 5), 0.0, 1e-15, "a disc: its rim");
  is_near(level(&disc, 3, 1, 1, 8), 1.0, 1e-15, "beyond its face");
  is_near(level(&disc, 3, 5 + sqrt(0.5), 1, 6 + sqrt(0.5)), 0.0, 1e-14, "a round edge");
  wn_electrode_bounds(&rod, 3, low, high);
  ok(low[0] == -2.0 && low[1] == -2.0 && high[1] == 5.0 && high[2] == 6.0,
     "the box around a rod");
  wn_electrode_bounds(&disc, 3, low, high);
  ok(low[0] == -4.0 && high[1] == 6.0 && low[2] == 3.0 && high[2] == 7.0,
     "and around a disc");
  const struct wn_electrode_shape two[2] = {
      {.kind = WN_ELECTRODE_BOX, .surface = 4, .to = {1, 1}},
      {.kind = WN_ELECTRODE_BOX, .surface = 5, .to = {2, 2}}};
  ok(wn_electrode_at(two, 2, 2, (const double[3]){0.5, 0.5}) == 4 &&
         wn_electrode_at(two, 2, 2, (const double[3]){1.5, 0.5}) == 5 &&
         wn_electrode_at(two, 2, 2, (const double[3]){2.5, 0.5}) == -1,
     "of several the first that has a place inside");
}

/* ---- cuts */

/* The surface at a place [cells]. */
static int at_place(const struct wn_electrode_view *v, const struct wn_grid_view *g,
                    double x, double y)
{
  const int32_t at[3] = {(int32_t)(x * 0x1p20), (int32_t)(y * 0x1p20), 0};
  return wn_electrode_view_at(v, g, at);
}

/* E of a depth is made of less deep nodes, so that those of a depth may be made in any order, as on a GPU. */
static void depths(const struct wn_electrodes *el)
{
  unsigned char depth[21 * 21] = {0}; /* 0: in the gas, or deeper than all */
  int wrong = el->inside_end[0] != 0 || el->inside_end[el->dim] != el->n_inside;
  for (int deep = 1; deep <= el->dim; deep++)
    for (size_t i = el->inside_end[deep - 1]; i < el->inside_end[deep]; i++)
      depth[el->inside[i].node] = (unsigned char)deep;
  for (size_t i = 0; i < el->n_inside; i++)
    for (int k = 0; k < el->inside[i].n; k++) {
      const size_t from = el->inside[i].from[k];
      wrong += depth[from] >= depth[el->inside[i].node] ||
               (depth[from] == 0 && el->held[from] >= 0);
    }
  ok(wrong == 0 && el->inside_end[1] > 0 && el->inside_end[2] > el->inside_end[1],
     "%zu components inside are made of nodes less deep", el->n_inside);
}

static void cuts(void)
{
  static const enum wn_potential side[6] = {WN_DIRICHLET, WN_DIRICHLET, WN_DIRICHLET,
                                            WN_DIRICHLET};
  const struct wn_electrode_shape s = {.kind = WN_ELECTRODE_ELLIPSOID,
                                       .surface = 4,
                                       .from = {0.47, 0.55},
                                       .to = {0.21, 0.34}};
  struct wn_geometry g = {.dim = 2};
  struct wn_electrodes *el = NULL;
  double worst = 0.0;
  int n = 0, wrong = 0;
  for (int d = 0; d < 2; d++)
    g.axis[d] = wn_axis_uniform(20, 1.0, 0.05, 0);
  if (!ok(wn_electrodes_create(&g, side, &s, 1, &el) == WN_OK, "an ellipse"))
    return;
  for (size_t i = 0; i < el->nodes; i++)
    for (int d = 0; d < 2; d++) {
      const double x[2] = {0.05 * (double)(i % 21), 0.05 * (double)(i / 21)};
      const size_t next = i + (d == 0 ? 1 : 21);
      if (x[d] > 0.99)
        continue;
      if ((el->held[i] < 0) == (el->held[next] < 0)) {
        wrong += el->edge[d][i] != 1.0;
        continue;
      }
      const int o = 1 - d;
      const double y = (x[o] - s.from[o]) / s.to[o], half = s.to[d] * sqrt(1.0 - y * y),
                   at = el->held[i] < 0 ? s.from[d] - half : s.from[d] + half,
                   part = (el->held[i] < 0 ? at - x[d] : x[d] + 0.05 - at) / 0.05;
      worst = fmax(worst, fabs(1.0 / el->edge[d][i] - part));
      n++;
    }
  ok(n > 40 && worst < 1e-12 && wrong == 0,
     "%d edges are cut where its equation says (%.2g)", n, worst);
  for (size_t c = 0; c < 400; c++) {
    const size_t i = c / 20 * 21 + c % 20;
    const int is = el->held[i] >= 0 || el->held[i + 1] >= 0 || el->held[i + 21] >= 0 ||
                   el->held[i + 22] >= 0;
    wrong += is != el->cell[c];
  }
  ok(wrong == 0, "cells with a node inside are flagged, and no others");
  const struct wn_electrode_view view = wn_electrodes_view(el);
  const struct wn_grid_view grid = {
      .dim = 2, .cells = {20, 20, 1}, .bits = {20, 20, 0}, .h = {0.05, 0.05, 0.0}};
  ok(at_place(&view, &grid, 9.4, 11.0) == 4 &&
         at_place(&view, &grid, 9.4 + 4.19, 11.0) == 4 &&
         at_place(&view, &grid, 9.4 + 4.21, 11.0) == -1 &&
         at_place(&view, &grid, 20.0, 20.0) == -1,
     "places in cells: inside, beside the surface, in a corner of the grid");
  depths(el);
  wn_electrodes_free(el);
}

/* ---- a manufactured solution around a sphere: phi = 1 + f w, f the square of the distance less that of
 * the radius, w 0 on all sides */

#define RADIUS_OF 0.23

static double manufactured(int dim, int is_rz, const double x[3], double grad[3],
                           double *lap)
{
  const double centre[3] = {is_rz ? 0.0 : 0.47, 0.52, 0.49};
  double f = -RADIUS_OF * RADIUS_OF, w = 1.0, lap_w = 0.0, along = 0.0, of[3], slope[3];
  for (int i = 0; i < dim; i++) {
    const int is_r = is_rz && i == 0;
    f += (x[i] - centre[i]) * (x[i] - centre[i]);
    of[i] = is_r ? 1.0 - x[i] * x[i] : sin(WN_PI * x[i]);
    slope[i] = is_r ? -2.0 * x[i] : WN_PI * cos(WN_PI * x[i]);
    along = along * of[i] + w * slope[i] * (x[i] - centre[i]);
    lap_w = lap_w * of[i] + w * (is_r ? -4.0 : -WN_PI * WN_PI * of[i]);
    w *= of[i];
  }
  for (int i = 0; i < dim; i++) {
    double part = slope[i];
    for (int k = 0; k < dim; k++)
      part *= k != i ? of[k] : 1.0;
    grad[i] = 2.0 * (x[i] - centre[i]) * w + f * part;
  }
  *lap = f * lap_w + 4.0 * along + w * (is_rz ? 6.0 : 2.0 * dim);
  return f * w;
}

/* The greatest errors of E over nodes in the gas, and over those inside that a gather in the gas may take;
 * once: by one symmetric solve. */
static void e_errors(int dim, int is_rz, int32_t cells, int once, double error[2])
{
  enum wn_potential side[6];
  struct wn_surface surface[7];
  double volt[7], x[3] = {0}, lap, grad[3];
  const struct wn_electrode_shape s = {.kind = WN_ELECTRODE_ELLIPSOID,
                                       .surface = 2 * dim,
                                       .from = {is_rz ? 0.0 : 0.47, 0.52, 0.49},
                                       .to = {RADIUS_OF, RADIUS_OF, RADIUS_OF}};
  struct wn_poisson_spec spec = {.dim = dim};
  struct wn_geometry *g = &spec.geometry;
  struct wn_electrodes *el = NULL;
  struct wn_poisson *p = NULL;
  g->dim = dim;
  for (int d = 0; d < dim; d++) {
    spec.cells[d] = (size_t)cells;
    g->axis[d] = is_rz && d == 0 ? wn_axis_radial(cells, 1.0, 1.0 / cells, WN_SHAPE_CIC)
                                 : wn_axis_uniform(cells, 1.0, 1.0 / cells, 0);
  }
  for (int i = 0; i < 7; i++) {
    volt[i] = 1.0;
    if (i < 6)
      spec.side[i] = side[i] = is_rz && i == 0 ? WN_NEUMANN : WN_DIRICHLET;
    surface[i] = (struct wn_surface){.name = "", .potential = WN_DIRICHLET};
  }
  surface[0].potential = (int32_t)side[0];
  error[0] = error[1] = NAN;
  WN_ASSERT(wn_electrodes_create(g, side, &s, 1, &el) == WN_OK);
  g->surface = surface;
  g->n_surfaces = 2 * dim + 1;
  g->held = el->held;
  for (int d = 0; d < dim; d++)
    spec.edge[d] = el->edge[d];
  WN_ASSERT(wn_poisson_create(&spec, &p) == WN_OK);
  for (size_t i = 0; i < el->nodes; i++) {
    size_t at = i;
    for (int d = 0; d < dim; d++, at /= (size_t)cells + 1)
      x[d] = (double)(at % ((size_t)cells + 1)) / cells;
    want[i] = 1.0 + manufactured(dim, is_rz, x, grad, &lap);
    rho[i] = -WN_EPS0 * lap;
  }
  ok((once ? wn_poisson_solve(p, rho, volt, phi)
           : wn_electrodes_solve(el, p, rho, volt, phi)) == WN_OK,
     "%d-D, %d cells: solved", dim, (int)cells);
  error[0] = error[1] = 0.0;
  memset(continued, 0, sizeof continued);
  for (size_t k = 0; k < el->n_inside; k++)
    continued[el->inside[k].node] = 1;
  for (int d = 0; d < dim; d++) {
    wn_poisson_field(p, phi, d, 0, e);
    wn_electrodes_field(el, phi, d, e);
    for (size_t i = 0; i < el->nodes; i++) {
      size_t at = i;
      int is_side = 0;
      for (int k = 0; k < dim; k++, at /= (size_t)cells + 1) {
        x[k] = (double)(at % ((size_t)cells + 1)) / cells;
        is_side |= !(is_rz && k == 0 && x[k] == 0.0) && (x[k] == 0.0 || x[k] == 1.0);
      }
      if (is_side)
        continue;
      manufactured(dim, is_rz, x, grad, &lap);
      if (el->held[i] < 0)
        error[0] = fmax(error[0], fabs(e[i] + grad[d]));
      else if (continued[i])
        error[1] = fmax(error[1], fabs(e[i] + grad[d]));
      else
        error[1] = e[i] == 0.0 ? error[1] : NAN;
    }
  }
  wn_poisson_free(p);
  wn_electrodes_free(el);
}

static void manufactured_e(int dim, int is_rz, int32_t coarse)
{
  double error[2][2], single[2][2];
  for (int i = 0; i < 2; i++) {
    e_errors(dim, is_rz, coarse << i, 0, error[i]);
    e_errors(dim, is_rz, coarse << i, 1, single[i]);
    diag("%d-D%s, %d cells: E in the gas %.3g, continued %.3g; by one solve %.3g, %.3g",
         dim, is_rz ? ", r-z" : "", coarse << i, error[i][0], error[i][1], single[i][0],
         single[i][1]);
  }
  const double order = log2(error[0][0] / error[1][0]),
               of_single = log2(single[0][0] / single[1][0]);
  ok(order > 1.6, "%d-D%s: E in the gas is of order %.2f", dim, is_rz ? ", r-z" : "",
     order);
  ok(log2(error[0][1] / error[1][1]) > 1.5, "and E continued into the sphere: %.2f",
     log2(error[0][1] / error[1][1]));
  ok(of_single < 1.4 && error[1][0] < 0.5 * single[1][0],
     "one symmetric solve: order %.2f, and %.2g in place of %.2g", of_single,
     single[1][0], error[1][0]);
}

/* ---- half an ellipsoid on a plate */

#define MOST   400
#define BOX    20.0 /* in its height */
#define HEIGHT 1.0

/* Distances from 0 to BOX that begin with h, up to 4 radii of the tip, and then grow. */
static int32_t away(double h, double tip, double grow, double *x)
{
  int32_t n = 0;
  double w = h;
  for (x[0] = 0.0; x[n] < BOX && n < MOST; n++) {
    w *= x[n] > 4.0 * tip ? grow : 1.0;
    x[n + 1] = x[n] + w;
  }
  return n;
}

/* E at the tip over that without it.  per: cells in the radius of the tip. */
static double enhancement(double ratio, int per, double grow, int stairs)
{
  const double a = HEIGHT / ratio, tip = a * a / HEIGHT, h = tip / per;
  double r[MOST + 1], up[MOST + 1], z[MOST + 1], down[MOST + 1];
  int32_t n_down = 0, n_z = 0;
  const int32_t n_r = away(h, tip, grow, r), n_up = away(h, tip, grow, up);
  const double first = HEIGHT + 0.37 * h; /* a node, beyond the tip */
  double w = h;
  for (double x = first; x > 0.0; x -= w) {
    down[n_down++] = x;
    w = first - x > 4.0 * tip ? fmin(w * grow, 0.08 / per) : w;
  }
  n_down -= down[n_down - 1] < 0.5 * w;
  z[n_z++] = 0.0;
  while (n_down > 0)
    z[n_z++] = down[--n_down];
  for (int32_t i = 1; i <= n_up; i++)
    z[n_z++] = first + up[i];
  n_z--;
  static const enum wn_potential side[6] = {WN_NEUMANN, WN_NEUMANN, WN_DIRICHLET,
                                            WN_DIRICHLET};
  const struct wn_electrode_shape s = {
      .kind = WN_ELECTRODE_ELLIPSOID, .surface = 4, .to = {a, HEIGHT}};
  struct wn_poisson_spec spec = {.dim = 2, .cells = {(size_t)n_r, (size_t)n_z}};
  struct wn_geometry *g = &spec.geometry;
  struct wn_surface surface[5];
  struct wn_electrodes *el = NULL;
  struct wn_poisson *p = NULL;
  g->dim = 2;
  WN_ASSERT(wn_axis_create(WN_COORDINATE_RADIUS, n_r, r, 0, &g->axis[0]) == WN_OK &&
            wn_axis_create(WN_COORDINATE_LINE, n_z, z, 0, &g->axis[1]) == WN_OK &&
            wn_electrodes_create(g, side, &s, 1, &el) == WN_OK && el->nodes <= MAX_N);
  for (int i = 0; i < 5; i++) {
    surface[i] = i < 4 ? wn_geometry_side(g, i) : (struct wn_surface){.name = ""};
    surface[i].potential = i < 4 ? (int32_t)side[i] : WN_DIRICHLET;
  }
  memcpy(spec.side, side, sizeof side);
  g->surface = surface;
  g->n_surfaces = 5;
  g->held = el->held;
  for (int d = 0; d < 2 && !stairs; d++)
    spec.edge[d] = el->edge[d];
  const double volt[5] = {0.0, 0.0, 0.0, z[n_z], 0.0};
  memset(rho, 0, sizeof rho);
  WN_ASSERT(wn_poisson_create(&spec, &p) == WN_OK);
  ok((stairs ? wn_poisson_solve(p, rho, volt, phi)
             : wn_electrodes_solve(el, p, rho, volt, phi)) == WN_OK,
     "half an ellipsoid, %g to 1, %d x %d nodes", ratio, (int)n_r + 1, (int)n_z + 1);
  wn_poisson_field(p, phi, 1, 0, e);
  if (!stairs)
    wn_electrodes_field(el, phi, 1, e);
  int32_t k = 0;
  while (z[k + 1] <= HEIGHT)
    k++;
  const double part = (HEIGHT - z[k]) / (z[k + 1] - z[k]),
               field = -(1.0 - part) * e[k * (n_r + 1)] - part * e[(k + 1) * (n_r + 1)];
  wn_poisson_free(p);
  wn_electrodes_free(el);
  wn_axis_clear(&g->axis[0]);
  wn_axis_clear(&g->axis[1]);
  return field;
}

static void tips(void)
{
  static const double exact[][2] = {
      {2.0, 5.76156}, {5.0, 17.91441}, {10.0, 49.29537}, {20.0, 148.1689}};
  for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
    const double b = exact[i][0], q = sqrt(1.0 - 1.0 / (b * b)),
                 coarse = enhancement(b, 2, 1.12, 0) / exact[i][1] - 1.0;
    is_close(q * q * q * b * b / (atanh(q) - q), exact[i][1], 1e-6, "the formula for %g",
             b);
    const double fine = enhancement(b, 4, 1.06, 0) / exact[i][1] - 1.0;
    ok(fabs(coarse) < 0.06, "two cells in the radius of the tip: %+.2f %%", 100 * coarse);
    ok(fabs(fine) < 0.01, "four: %+.2f %%", 100 * fine);
    if (i > 0)
      continue;
    const double finest = enhancement(b, 8, 1.03, 0) / exact[i][1] - 1.0,
                 stairs = enhancement(b, 4, 1.06, 1) / exact[i][1] - 1.0;
    ok(fabs(finest) < 0.006, "eight: %+.2f %%", 100 * finest);
    ok(stairs < -0.3, "held nodes alone: %+.1f %%", 100 * stairs);
  }
}

/* ---- the field */

static struct wn_electrostatic_spec field_spec(int threads)
{
  const int32_t cells[3] = {24, 20, 1};
  struct wn_electrostatic_spec s = {.grid = grid_make(2, WN_SHAPE_CIC, WN_GATHER_MOMENTUM,
                                                      cells, WN_SIDE_ABSORB,
                                                      WN_SIDE_ABSORB, 0.1),
                                    .n_species = 1,
                                    .charge = {WN_E * 1e6},
                                    .n_electrodes = 2,
                                    .n_shapes = 3};
  s.poisson = (struct wn_poisson_spec){.dim = 2, .cells = {24, 20}, .threads = threads};
  for (int i = 0; i < 4; i++)
    s.poisson.side[i] = WN_DIRICHLET;
  s.poisson.geometry.dim = 2;
  for (int d = 0; d < 2; d++)
    s.poisson.geometry.axis[d] = wn_grid_axis(&s.grid, d);
  const double lx = s.grid.length[0], ly = s.grid.length[1];
  s.shape[0] = (struct wn_electrode_shape){.kind = WN_ELECTRODE_ELLIPSOID,
                                           .surface = 4,
                                           .from = {0.3 * lx, 0.4 * ly},
                                           .to = {0.1 * lx, 0.17 * ly}};
  s.shape[1] = (struct wn_electrode_shape){.kind = WN_ELECTRODE_BOX,
                                           .surface = 5,
                                           .from = {0.6 * lx, 0.5 * ly},
                                           .to = {0.8 * lx, 0.7 * ly},
                                           .edge = 0.04 * ly};
  s.shape[2] = (struct wn_electrode_shape){.kind = WN_ELECTRODE_ROD,
                                           .surface = 5,
                                           .from = {0.7 * lx, 0.6 * ly},
                                           .to = {0.7 * lx, 0.8 * ly},
                                           .radius = 0.06 * ly};
  for (int i = 0; i < 2; i++)
    s.electrode[i] = (struct wn_voltage){
        .constant = i == 0 ? 100.0 : -40.0, .start = -INFINITY, .end = INFINITY};
  for (int i = 0; i < 4; i++)
    s.voltage[i] = (struct wn_voltage){.start = -INFINITY, .end = INFINITY};
  s.points[0] = (struct wn_points){
      .grid = s.grid, .kind = WN_POINT_2D2V, .charge = WN_E, .mass = WN_ME, .dt = 1e-12};
  return s;
}

static void refuses(struct wn_electrostatic_spec s, const char *what)
{
  struct wn_field *f = NULL;
  capture();
  const int status = wn_electrostatic_create(&s, &f);
  const char *text = captured();
  ok(status == WN_EINPUT && f == NULL && strstr(text, "electrodes take one grid") != NULL,
     "refused: %s", what);
}

static void field(void)
{
  double *first = NULL;
  const struct wn_record record = wn_particles_points(WN_POINT_2D2V);
  for (int threads = 1; threads <= 3; threads += 2) {
    struct wn_electrostatic_spec s = field_spec(threads);
    struct wn_field *f = NULL;
    struct wn_particles p, *all[1] = {&p};
    struct wn_field_sums sums;
    const double *potential = NULL;
    if (!ok(wn_electrostatic_create(&s, &f) == WN_OK &&
                wn_particles_init(&p, &record, 500, 500) == WN_OK,
            "a field with two electrodes, %d threads", threads))
      return;
    for (size_t i = 0; i < 500; i++) {
      union wn_word *r = wn_particles_at(&p, i);
      for (int d = 0; d < 2; d++) {
        r[d].i = (int32_t)((i * (d == 0 ? 7919u : 104729u)) % 499u *
                           ((unsigned)(s.grid.cells[d] << s.grid.bits[d]) / 500u));
        r[2 + d].f = 0.0f;
      }
    }
    p.n = 500;
    ok(f->ops->solve(f, all, 1, 0.0, 1e-12) == WN_OK &&
           wn_field_sums(f, &sums) == WN_OK &&
           f->ops->grid->potential(f, &potential) == WN_OK,
       "solved");
    ok(sums.charge > 0.0 && fabs(sums.gauss) < 1e-8 * sums.charge && sums.residual < 1e-8,
       "Gauss's law: %.2g of the charge; what is left: %.2g", sums.gauss / sums.charge,
       sums.residual);
    const size_t nodes = wn_field_nodes(f);
    double most = 0.0, least = 0.0;
    for (size_t i = 0; i < nodes; i++) {
      most = fmax(most, potential[i]);
      least = fmin(least, potential[i]);
    }
    ok(most >= 100.0 && least == -40.0 && sums.energy > 0.0,
       "the potentials are those of the electrodes: %g to %g V", least, most);
    if (first == NULL) {
      first = malloc(nodes * sizeof *first);
      memcpy(first, potential, nodes * sizeof *first);
    } else {
      ok(memcmp(first, potential, nodes * sizeof *first) == 0,
         "the bits are those of one thread");
    }
    wn_particles_clear(&p);
    f->ops->free(f);
  }
  free(first);
  struct wn_electrostatic_spec s = field_spec(1);
  s.grid.gather = WN_GATHER_ENERGY;
  refuses(s, "gather energy");
  s = field_spec(1);
  s.grid.shape = WN_SHAPE_TSC;
  refuses(s, "shape tsc");
  s = field_spec(1);
  s.poisson.method = WN_POISSON_SPECTRAL;
  refuses(s, "the spectral method");
}

int main(void)
{
  plan(0);
  shapes();
  cuts();
  manufactured_e(2, 1, 20);
  manufactured_e(3, 0, 10);
  tips();
  field();
  return done();
}
