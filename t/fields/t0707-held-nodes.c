/* t0707-held-nodes.c - defends: potentials inside of a domain, in Poisson's equation on any geometry (fields/poisson/volumes.c).
 *   - an electrode: with a plate through the whole plane phi is linear on both sides; in r-z
 *     a rod of some nodes' radius is the inner cylinder; Gauss's law holds for any box around it;
 *     two electrodes have a symmetric capacitance, and a charge induces -q phi/V (Green's
 *     reciprocity); the energy of E is half the sum of charge times potential
 *   - factors of edges: with 1/theta on the edges that a circle or a sphere cuts, phi of a
 *     manufactured solution is of second order, in 2-D, 3-D and r-z; with the nodes inside held and
 *     no factors it is of first order.  In one dimension the cut is exact, also across the end of
 *     a periodic axis
 * No outside numbers. */
#include <math.h>
#include <stdio.h>
#include "t/fields/volumes_domain.h"
#include "t/tap/differences.h"

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
  wn_poisson_field(p, phi, 0, 1, e_of);
  for (size_t i = 0; i < d.nodes; i++) {
    int64_t node[3];
    place(&d, i, node);
    want[i] = node[0] <= 6 ? 1.0 + 99.0 * x[node[0]] / x[6]
                           : 100.0 - 102.0 * (x[node[0]] - x[6]) / (METRES - x[6]);
    other[i] = node[0] < 6 ? -99.0 / x[6] : 102.0 / (METRES - x[6]);
  }
  is_near(furthest(phi, want, d.nodes) / 100.0, 0.0, 1e-11,
          "a plate: phi is linear on both sides");
  is_near(furthest(e_of, other, d.nodes) / largest(other, d.nodes), 0.0, 1e-10,
          "a plate: E between nodes on both sides");
  wn_poisson_field(p, phi, 1, 0, e_of);
  off = largest(e_of, d.nodes) / largest(other, d.nodes);
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
  wn_poisson_field(p, phi, 0, 0, e_of);
  *e_off = 0.0;
  for (size_t i = 0; i < d.nodes; i++) {
    int64_t node[3];
    place(&d, i, node);
    const int is_in = node[0] <= cells / 4;
    want[i] = is_in ? 1000.0 : 1000.0 * log(METRES / r[node[0]]) / log(METRES / a);
    const double exact =
        node[0] < cells / 4 ? 0.0 : 1000.0 / (r[node[0]] * log(METRES / a));
    *e_off = fmax(*e_off, fabs(e_of[i] - exact) * a * log(METRES / a) / 1000.0);
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

int main(void)
{
  plan(0);
  draw_state = 707;
  plate();
  rod();
  electrodes(2, 0);
  electrodes(2, 1);
  electrodes(3, 0);
  cut_line();
  round_electrode(2, 0, 20);
  round_electrode(2, 1, 20);
  round_electrode(3, 0, 10);
  return done();
}
