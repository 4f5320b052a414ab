/* t0705-mixed.c - defends: Poisson's equation in r-z (fields/poisson/mixed.c).
 *   - the solution of `volumes`, found by iteration, for all pairs of sides and both shapes
 *   - second order against analytic solutions, for all pairs of sides: a polynomial in r times a
 *     wave along z, and a Bessel mode J0(j01 r/R) cos(q z), whose potential is its charge over
 *     eps0 (k2 + q2)
 *   - a uniform charge around the axis is exact, phi and E, with the volumes of the shape; with
 *     the volumes nearest to the nodes and the charge of the same particles it is not
 *   - between cylinders on a stretched radius phi is V ln(b/r)/ln(b/a)
 *   - an open side: the solution does not depend on where it is, to second order; outside of the
 *     charge phi is that of a line charge
 *   - the flux out of the domain is the charge; the same bits with any number of threads; what no
 *     method takes is refused
 * Outside number: j01 = 2.404825557695773, the first zero of J0 (tables). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "fields/geometry.h"
#include "fields/poisson/poisson.h"
#include "physics/constants.h"
#include "t/tap/capture.h"
#include "t/tap/differences.h"
#include "t/tap/draw.h"
#include "t/tap/side_pairs.h"
#include "t/tap/tap.h"

#define MAX_N (400 * 400)
#define J_01  2.404825557695773

static double rho[MAX_N], phi[MAX_N], other[MAX_N], e[MAX_N];
static int32_t none[MAX_N];

static const enum wn_potential around[3] = {WN_DIRICHLET, WN_NEUMANN, WN_OPEN};

/* r to R, z to L; of which conditions. */
static struct wn_poisson_spec domain(int32_t n_r, int32_t n_z, double R, double L,
                                     enum wn_potential at_r, int pair, int shape)
{
  struct wn_poisson_spec s = {
      .dim = 2,
      .cells = {(size_t)n_r, (size_t)n_z},
      .side = {WN_NEUMANN, at_r, side_pairs[pair][0], side_pairs[pair][1]},
      .threads = 1};
  s.geometry.dim = 2;
  s.geometry.axis[0] = wn_axis_radial(n_r, R, R / n_r, shape);
  s.geometry.axis[1] = wn_axis_uniform(n_z, L, L / n_z, pair == 0);
  return s;
}

static size_t nodes(const struct wn_poisson_spec *s)
{
  return (s->cells[0] + 1) * (s->cells[1] + 1);
}

static void solve(const struct wn_poisson_spec *s, const char *method, const double *volt,
                  double *to)
{
  struct wn_poisson *p = NULL;
  if (strcmp(wn_poisson_method_name(s), method) != 0 ||
      wn_poisson_create(s, &p) != WN_OK || wn_poisson_solve(p, rho, volt, to) != WN_OK) {
    ok(0, "solved by %s, not %s", method, wn_poisson_method_name(s));
    exit(done());
  }
  wn_poisson_free(p);
}

/* ---- the same equations by another method */

static void as_volumes(void)
{
  static const double volt[6] = {0.0, 7.0, 3.0, -2.0};
  double worst = 0.0;
  int n = 0;
  for (int pair = 0; pair < N_SIDE_PAIRS; pair++)
    for (int at_r = 0; at_r < 2; at_r++)
      for (int shape = 0; shape < 2; shape++, n++) {
        struct wn_poisson_spec s = domain(13, 10, 0.02, 0.017, around[at_r], pair, shape);
        for (size_t i = 0; i < nodes(&s); i++)
          rho[i] = 1e-5 * (uniform() - 0.5);
        solve(&s, "mixed", volt, phi);
        s.geometry.held = none;
        solve(&s, "volumes", volt, other);
        worst = fmax(worst, furthest(phi, other, nodes(&s)) / largest(other, nodes(&s)));
      }
  ok(worst < 1e-11, "phi of %d pairs of sides and shapes is that of volumes (%.2g)", n,
     worst);
}

/* ---- order */

static double wave(int pair, double z, double *minus_second)
{
  const double pi = WN_PI, k = pair == 0                ? 2.0 * pi
                               : pair == 2 || pair == 3 ? 0.5 * pi
                                                        : pi;
  const double f = pair == 1 || pair == 2 ? sin(k * z) : cos(k * z);
  *minus_second = k * k * f;
  return f;
}

/* Greatest error of phi = f(x) g(z) + what the walls have, x = r2, in a domain of 1. */
static double error_of(int32_t n, int at_r, int pair, int shape)
{
  const struct wn_poisson_spec s = domain(n, n, 1.0, 1.0, around[at_r], pair, shape);
  const int slopes = around[at_r] == WN_NEUMANN && pair == 1;
  const double volt[6] = {0.0, 1.5, 1.5, slopes ? -0.5 : 1.5};
  double sum = 0.0, all = 0.0;
  size_t i = 0;
  for (int32_t j = 0; j <= n; j++)
    for (int32_t k = 0; k <= n; k++, i++) {
      const double r = (double)k / n, z = (double)j / n, x = r * r;
      double second, f, d1, d2; /* derivatives in x */
      const double g = wave(pair, z, &second);
      if (around[at_r] == WN_DIRICHLET)
        f = (1.0 - x) * (1.0 + 2.0 * x), d1 = 1.0 - 4.0 * x, d2 = -4.0;
      else
        f = x * (2.0 - x), d1 = 2.0 - 2.0 * x, d2 = -2.0;
      rho[i] = WN_EPS0 * (f * second - 4.0 * (x * d2 + d1) * g);
      other[i] = f * g + volt[2] + (volt[3] - volt[2]) * z;
      const int64_t node[3] = {k, j, 0};
      const double v = pair == 0 && j == n ? 0.0 : wn_geometry_volume(&s.geometry, node);
      sum += v * other[i];
      all += v;
    }
  const int floats = around[at_r] == WN_NEUMANN && (pair == 0 || pair == 4);
  for (i = 0; floats && i < nodes(&s); i++)
    other[i] -= sum / all;
  solve(&s, "mixed", volt, phi);
  return furthest(phi, other, nodes(&s));
}

static void order(void)
{
  double least = INFINITY;
  int n = 0;
  for (int pair = 0; pair < N_SIDE_PAIRS; pair++)
    for (int at_r = 0; at_r < 2; at_r++)
      for (int shape = 0; shape < 2; shape++, n++) {
        const double ratio =
            error_of(40, at_r, pair, shape) / error_of(80, at_r, pair, shape);
        if (!(ratio > 3.6))
          diag("sides %d, pair %d, shape %d: %.3f", at_r, pair, shape, ratio);
        least = fmin(least, isnan(ratio) ? 0.0 : ratio);
      }
  ok(least > 3.6, "second order for %d pairs of sides and shapes: errors fall by %.3f", n,
     least);
}

static void bessel(void)
{
  double ratio[2];
  for (int k = 0; k < 2; k++) {
    const int32_t n = k == 0 ? 24 : 48;
    const double R = 0.03, L = 0.05, q = 2.0 * WN_PI / L, kr = J_01 / R;
    const struct wn_poisson_spec s = domain(n, n, R, L, WN_DIRICHLET, 0, WN_SHAPE_CIC);
    const double volt[6] = {0.0};
    size_t i = 0;
    for (int32_t j = 0; j <= n; j++)
      for (int32_t m = 0; m <= n; m++, i++) {
        rho[i] = WN_EPS0 * j0(kr * R * m / n) * cos(q * L * j / n);
        other[i] = rho[i] / (WN_EPS0 * (kr * kr + q * q));
      }
    solve(&s, "mixed", volt, phi);
    ratio[k] = furthest(phi, other, nodes(&s)) / largest(other, nodes(&s));
  }
  ok(ratio[1] < 2e-3 && ratio[0] / ratio[1] > 3.6,
     "a Bessel mode: errors %.2g and %.2g of it, by %.3f", ratio[0], ratio[1],
     ratio[0] / ratio[1]);
}

/* ---- exact */

/* Charge as particles of a uniform density leave it: share_cic times the density. */
static double uniform_error(int shape, int naive, double *of_e)
{
  const int32_t n = 20;
  const double R = 0.01, density = 2e-6, volt[6] = {0.0, 5.0};
  const struct wn_poisson_spec s = domain(n, 4, R, 1.0, WN_DIRICHLET, 4, shape);
  const struct wn_axis cic = wn_axis_radial(n, R, R / n, WN_SHAPE_CIC);
  struct wn_poisson *p = NULL;
  size_t i = 0;
  for (int32_t j = 0; j <= 4; j++)
    for (int32_t k = 0; k <= n; k++, i++) {
      const double r = R * k / n;
      rho[i] =
          density *
          (naive ? wn_axis_share(&cic, k) / wn_axis_share(&s.geometry.axis[0], k) : 1.0);
      other[i] = 5.0 + density / (4.0 * WN_EPS0) * (R * R - r * r);
    }
  solve(&s, "mixed", volt, phi);
  WN_ASSERT(wn_poisson_create(&s, &p) == WN_OK);
  wn_poisson_field(p, phi, 0, 0, e);
  wn_poisson_free(p);
  *of_e = 0.0;
  for (i = 0; i <= (size_t)n; i++)
    *of_e = fmax(*of_e, fabs(e[i] - density * R * (double)i / n / (2.0 * WN_EPS0)));
  *of_e /= density * R / (2.0 * WN_EPS0);
  return furthest(phi, other, nodes(&s)) / largest(other, nodes(&s));
}

static void exact(void)
{
  double of_e, of_phi;
  for (int shape = 0; shape < 2; shape++) {
    of_phi = uniform_error(shape, 0, &of_e);
    ok(of_phi < 1e-13 && of_e < 1e-12,
       "a uniform charge, shape %d: phi and E are exact (%.2g, %.2g)", shape, of_phi,
       of_e);
  }
  of_phi = uniform_error(WN_SHAPE_NGP, 1, &of_e);
  ok(of_e > 1e-3, "with the volumes nearest to the nodes they are not (E: %.2g)", of_e);
}

static void cylinders(void)
{
  double error[2], x[161];
  for (int k = 0; k < 2; k++) {
    const int32_t n = k == 0 ? 80 : 160;
    const double a = 0.002, b = 0.02, volt[6] = {100.0, -20.0};
    struct wn_poisson_spec s = domain(n, 4, b, 1.0, WN_DIRICHLET, 0, 0);
    for (int32_t i = 0; i <= n; i++)
      x[i] = a + (b - a) * ((double)i / n) * (0.5 + 0.5 * i / n);
    x[n] = b;
    s.side[0] = WN_DIRICHLET;
    WN_ASSERT(wn_axis_create(WN_COORDINATE_RADIUS, n, x, 0, &s.geometry.axis[0]) ==
              WN_OK);
    memset(rho, 0, sizeof rho);
    for (size_t i = 0; i < nodes(&s); i++)
      other[i] = -20.0 + 120.0 * log(b / x[i % (size_t)(n + 1)]) / log(b / a);
    solve(&s, "mixed", volt, phi);
    error[k] = furthest(phi, other, nodes(&s));
    wn_axis_clear(&s.geometry.axis[0]);
  }
  ok(error[1] < 1e-2 && error[0] / error[1] > 3.6,
     "between cylinders: errors %.2g and %.2g V of 120", error[0], error[1]);
}

/* ---- the open side */

/* A smooth charge within 1 m, with a mean along z where the pair of sides allows one. */
static void bump(const struct wn_poisson_spec *s, int pair)
{
  size_t i = 0;
  for (size_t j = 0; j <= s->cells[1]; j++)
    for (size_t k = 0; k <= s->cells[0]; k++, i++) {
      const double r = wn_axis_x(&s->geometry.axis[0], (int64_t)k),
                   z = wn_axis_x(&s->geometry.axis[1], (int64_t)j), b = 1.0 - r * r;
      double unused;
      rho[i] = r < 1.0 ? WN_EPS0 * b * b * b * b * (0.7 + wave(pair, z, &unused)) : 0.0;
    }
}

static void open_side(void)
{
  double least = INFINITY, line = 0.0;
  for (int pair = 0; pair < N_SIDE_PAIRS; pair++) {
    const double volt[6] = {0.0, 0.0, 2.0, -1.0};
    double differ[2];
    for (int k = 0; k < 2; k++) {
      const int32_t n = k == 0 ? 16 : 32;
      const struct wn_poisson_spec near =
                                       domain(n * 5 / 4, n, 1.25, 1.0, WN_OPEN, pair, 1),
                                   far = domain(n * 3, n, 3.0, 1.0, WN_OPEN, pair, 1);
      bump(&near, pair);
      solve(&near, "mixed", volt, phi);
      bump(&far, pair);
      solve(&far, "mixed", volt, other);
      differ[k] = 0.0;
      for (int32_t j = 0; j <= n; j++)
        for (int32_t i = 0; i <= n * 5 / 4; i++)
          differ[k] = fmax(
              differ[k], fabs(phi[j * (n * 5 / 4 + 1) + i] - other[j * (3 * n + 1) + i]));
      if (pair == 0 && k == 1) /* phi averaged along z at 2 m */
        for (int32_t j = 0; j < n; j++)
          line += other[j * (3 * n + 1) + 2 * n] / n;
    }
    if (!(differ[0] / differ[1] > 3.4))
      diag("pair %d: %.3g and %.3g", pair, differ[0], differ[1]);
    least = fmin(least, differ[0] / differ[1]);
  }
  ok(least > 3.4, "an open side at 1.25 or 3 m: phi differs by the order (by %.3f)",
     least);
  /* the charge of (1 - r2)^4 is pi/5, times 0.7 */
  const double want = -0.7 * WN_PI / 5.0 * log(2.0) / (2.0 * WN_PI);
  ok(fabs(line / want - 1.0) < 2e-3, "and outside of the charge is that of a line (%.6g)",
     line / want);
}

/* ---- fluxes, threads, what is refused */

static void fluxes(void)
{
  const double volt[6] = {0.0, 7.0, 3.0, -2.0};
  const struct wn_poisson_spec s = domain(15, 12, 0.02, 0.03, WN_DIRICHLET, 1, 1);
  const struct wn_geometry *g = &s.geometry;
  double charge = 0.0, out = 0.0, most = 0.0;
  for (size_t i = 0; i < nodes(&s); i++)
    rho[i] = 1e-5 * uniform();
  solve(&s, "mixed", volt, phi);
  for (int32_t j = 1; j < 12; j++)
    for (int32_t i = 0; i < 15; i++) {
      const int64_t node[3] = {i, j, 0};
      charge += rho[j * 16 + i] * wn_geometry_volume(g, node);
    }
  for (int32_t j = 1; j < 12; j++) {
    const int64_t node[3] = {14, j, 0};
    out += (phi[j * 16 + 14] - phi[j * 16 + 15]) / wn_axis_edge(&g->axis[0], 14) *
           wn_geometry_face(g, 0, node);
  }
  for (int32_t i = 0; i < 15; i++) {
    const int64_t node[3] = {i, 0, 0};
    const double low = phi[16 + i] - phi[i], high = phi[11 * 16 + i] - phi[12 * 16 + i];
    out += (low + high) / g->axis[1].h * wn_geometry_face(g, 1, node);
    most = fmax(most, fabs(low / g->axis[1].h * wn_geometry_face(g, 1, node)));
  }
  ok(fabs(out - charge / WN_EPS0) < 1e-11 * (most + charge / WN_EPS0),
     "the flux out of the domain is its charge (%.17g, %.17g)", out, charge / WN_EPS0);
}

static void threads(void)
{
  const double volt[6] = {0.0, 7.0, 3.0, -2.0};
  int differ = 0;
  for (int pair = 0; pair < N_SIDE_PAIRS; pair++) {
    struct wn_poisson_spec s = domain(150, 131, 0.02, 0.03, WN_DIRICHLET, pair, 1);
    for (size_t i = 0; i < nodes(&s); i++)
      rho[i] = 1e-5 * uniform();
    solve(&s, "mixed", volt, phi);
    s.threads = 3;
    solve(&s, "mixed", volt, other);
    differ += memcmp(phi, other, nodes(&s) * sizeof *phi) != 0;
  }
  is_int(differ, 0, "the same bits with 1 and 3 threads");
}

static int refused(const struct wn_poisson_spec *s, const char *why)
{
  capture();
  const int status = wn_poisson_check(s);
  const char *text = captured();
  if (status != WN_EINPUT || strstr(text, why) == NULL)
    diag("status %d: %s", status, text);
  return status == WN_EINPUT && strstr(text, why) != NULL;
}

static void refusals(void)
{
  struct wn_poisson_spec s = domain(15, 12, 0.02, 0.03, WN_OPEN, 1, 1);
  s.side[0] = WN_DIRICHLET;
  ok(refused(&s, "open"), "an open side around a wall at the axis");
  s = domain(15, 12, 0.02, 0.03, WN_DIRICHLET, 1, 1);
  s.side[0] = WN_DIRICHLET;
  ok(refused(&s, "neumann alone"), "a wall at the axis");
  s = domain(15, 12, 0.02, 0.03, WN_DIRICHLET, 1, 1);
  s.method = WN_POISSON_SPECTRAL;
  ok(refused(&s, "no method"), "the spectral method");
  s = domain(15, 12, 0.02, 0.03, WN_OPEN, 1, 1);
  s.geometry.held = none;
  ok(refused(&s, "around the axis"), "electrodes and an open side");
}

int main(void)
{
  plan(15);
  draw_state = 705;
  for (size_t i = 0; i < MAX_N; i++)
    none[i] = -1;
  as_volumes();
  order();
  bessel();
  exact();
  cylinders();
  open_side();
  fluxes();
  threads();
  refusals();
  return done();
}
