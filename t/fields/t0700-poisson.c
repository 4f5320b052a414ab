/* t0700-poisson.c - defends: fields/poisson/poisson.h.  References: solutions made up first,
 * whose second derivatives are written down by hand, so that rho is known; the
 * potentials of a point, a line, a sheet and of a Gaussian ball; sums over points for
 * the Green function; and the equation itself.  Thresholds: rounding is counted as EPS
 * (2^-52) times the sum of the largest terms that meet; orders are those of the
 * header. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "fields/poisson/gpu_pairs.h"
#include "fields/poisson/parts.h"
#include "physics/constants.h"
#include "t/tap/capture.h"
#include "t/tap/draw.h"
#include "t/tap/poisson_residual.h"
#include "t/tap/side_pairs.h"
#include "t/tap/tap.h"

#define EPS   2.220446049250313e-16
#define MAX_N 330000 /* nodes of the largest grid here */

/* Pairs of sides. */
enum pair { PP, DD, DN, ND, NN, N_PAIRS }; /* the rows of side_pairs */
static const char *const pair_names[N_PAIRS] = {"PP", "DD", "DN", "ND", "NN"};
static const char *const method_names[] = {"differences", "spectral"};

static double rho[MAX_N], phi[MAX_N], want[MAX_N], e[MAX_N];
static const double lengths[3] = {0.013, 0.02, 0.016}; /* m */

/* A function of one axis, s = x / L: value, first and second derivative by s. */
struct jet {
  double f, d, dd;
};

/* Of few modes, below those of four cells. */
static struct jet few_modes(enum pair pair, double s)
{
  double q = WN_PI * s, k;
  switch (pair) {
  case PP:
    k = 2.0 * WN_PI;
    return (struct jet){sin(k * s) + 0.5 * cos(k * s),
                        k * (cos(k * s) - 0.5 * sin(k * s)),
                        -k * k * (sin(k * s) + 0.5 * cos(k * s))};
  case DD:
    k = 2.0 * WN_PI;
    return (struct jet){sin(q) - 0.4 * sin(k * s), WN_PI * cos(q) - 0.4 * k * cos(k * s),
                        -WN_PI * WN_PI * sin(q) + 0.4 * k * k * sin(k * s)};
  case NN:
    k = 2.0 * WN_PI;
    return (struct jet){cos(q) - 0.4 * cos(k * s), -WN_PI * sin(q) + 0.4 * k * sin(k * s),
                        -WN_PI * WN_PI * cos(q) + 0.4 * k * k * cos(k * s)};
  case DN:
    k = 0.5 * WN_PI;
    return (struct jet){sin(k * s) - 0.3 * sin(3.0 * k * s),
                        k * (cos(k * s) - 0.9 * cos(3.0 * k * s)),
                        -k * k * (sin(k * s) - 2.7 * sin(3.0 * k * s))};
  default:
    k = 0.5 * WN_PI;
    return (struct jet){cos(k * s) - 0.3 * cos(3.0 * k * s),
                        k * (-sin(k * s) + 0.9 * sin(3.0 * k * s)),
                        -k * k * (cos(k * s) - 2.7 * cos(3.0 * k * s))};
  }
}

/* Of all modes. */
static struct jet all_modes(enum pair pair, double s)
{
  double k = 2.0 * WN_PI, q = WN_PI * s, x, v;
  switch (pair) {
  case PP:
    v = exp(sin(k * s));
    return (struct jet){v, k * cos(k * s) * v,
                        k * k * (cos(k * s) * cos(k * s) - sin(k * s)) * v};
  case DD:
    v = exp(s);
    return (struct jet){sin(q) * v, (sin(q) + WN_PI * cos(q)) * v,
                        ((1.0 - WN_PI * WN_PI) * sin(q) + 2.0 * WN_PI * cos(q)) * v};
  case NN:
    return (struct jet){cos(q) + 9.0 * s * s * (1.0 - s) * (1.0 - s),
                        -WN_PI * sin(q) + 18.0 * s * (1.0 - s) * (1.0 - 2.0 * s),
                        -WN_PI * WN_PI * cos(q) + 18.0 * (1.0 - 6.0 * s + 6.0 * s * s)};
  case DN:
  default:
    x = pair == DN ? s : 1.0 - s;
    v = 0.5 * WN_PI;
    return (struct jet){sin(v * x) + 0.3 * x * x * (3.0 - 2.0 * x),
                        (pair == DN ? 1.0 : -1.0) *
                            (v * cos(v * x) + 1.8 * x * (1.0 - x)),
                        -v * v * sin(v * x) + 1.8 * (1.0 - 2.0 * x)};
  }
}

typedef struct jet (*function)(enum pair pair, double s);

/* A grid of 0.013 x 0.02 x 0.016 m and the walls that number `which` of 5^dim means. */
static struct wn_poisson_spec grid(int dim, const size_t cells[3], int which,
                                   enum wn_poisson_method method, enum pair pairs[3])
{
  struct wn_poisson_spec spec = {.dim = dim, .method = method};
  double h[3];
  for (int d = 0; d < 3; d++) {
    pairs[d] = d < dim ? (enum pair)(which % N_PAIRS) : PP;
    which /= N_PAIRS;
    spec.cells[d] = d < dim ? cells[d] : 0;
    h[d] = d < dim ? lengths[d] / (double)cells[d] : 0.0;
    for (int i = 0; i < 2; i++)
      spec.side[2 * d + i] = side_pairs[pairs[d]][i];
  }
  wn_poisson_uniform(&spec, h);
  return spec;
}

static int number_of_walls(int dim)
{
  return dim == 1 ? N_PAIRS : dim == 2 ? N_PAIRS * N_PAIRS : N_PAIRS * N_PAIRS * N_PAIRS;
}

static const char *walls(int dim, const enum pair pairs[3])
{
  static char text[16];
  text[0] = '\0';
  for (int d = 0; d < dim; d++)
    strcat(strcat(text, d > 0 ? " " : ""), pair_names[pairs[d]]);
  return text;
}

static size_t count(const struct wn_poisson_spec *spec, int d)
{
  return d < spec->dim ? spec->cells[d] + 1 : 1;
}

static size_t all(const struct wn_poisson_spec *spec)
{
  return count(spec, 0) * count(spec, 1) * count(spec, 2);
}

static void place(const struct wn_poisson_spec *spec, size_t at, size_t node[3])
{
  node[0] = at % count(spec, 0);
  node[1] = at / count(spec, 0) % count(spec, 1);
  node[2] = at / count(spec, 0) / count(spec, 1);
}

static struct wn_poisson *create(const struct wn_poisson_spec *spec)
{
  struct wn_poisson *p;
  if (all(spec) > MAX_N || wn_poisson_create(spec, &p) != WN_OK) {
    ok(0, "a solver was made");
    exit(done());
  }
  return p;
}

static double largest(const double *a, size_t n)
{
  double m = 0.0;
  for (size_t i = 0; i < n; i++)
    m = isnan(a[i]) ? INFINITY : fmax(m, fabs(a[i]));
  return m;
}

static double distance(const double *a, const double *b, size_t n)
{
  double m = 0.0;
  for (size_t i = 0; i < n; i++)
    m = isnan(a[i] - b[i]) ? INFINITY : fmax(m, fabs(a[i] - b[i]));
  return m;
}

static void random_values(double *a, size_t n)
{
  for (size_t i = 0; i < n; i++)
    a[i] = 2.0 * uniform() - 1.0;
}

/* A product of functions of each axis: `want`, its rho, and in e minus its derivative
 * along axis d at the nodes, or half a cell further. */
static void make_up(const struct wn_poisson_spec *spec, const enum pair pairs[3],
                    function of, int d, int staggered)
{
  for (size_t at = 0; at < all(spec); at++) {
    size_t node[3];
    double value = 1.0, curved = 0.0, slope = 1.0;
    place(spec, at, node);
    for (int i = 0; i < spec->dim; i++) {
      double s = (double)node[i] / (double)spec->cells[i], l = lengths[i];
      struct jet j = of(pairs[i], s);
      curved = curved * j.f + value * j.dd / (l * l);
      value *= j.f;
      if (i == d)
        j = of(pairs[i], s + (staggered ? 0.5 / (double)spec->cells[i] : 0.0));
      slope *= i == d ? -j.d / l : j.f;
    }
    want[at] = value;
    rho[at] = -WN_EPS0 * curved;
    e[at] = slope;
  }
}

/* The mean with half of the nodes at Neumann sides, once those of periodic ones. */
static double mean(const struct wn_poisson_spec *spec, const double *a)
{
  double sum = 0.0, volume = 0.0;
  for (size_t at = 0; at < all(spec); at++) {
    size_t node[3];
    double w = 1.0;
    place(spec, at, node);
    for (int d = 0; d < spec->dim; d++)
      w *= node[d] == 0 || node[d] == spec->cells[d] ? 0.5 : 1.0;
    sum += w * a[at];
    volume += w;
  }
  return sum / volume;
}

static const double grounded[6];

/* phi with all walls at 0; how far from `want`, over the largest of that. */
static double solve_error(const struct wn_poisson_spec *spec, const enum pair pairs[3],
                          function of)
{
  struct wn_poisson *p = create(spec);
  make_up(spec, pairs, of, 0, 0);
  int status = wn_poisson_solve(p, rho, grounded, phi);
  double shift = wn_poisson_is_floating(spec) ? mean(spec, want) - mean(spec, phi) : 0.0;
  for (size_t i = 0; i < all(spec); i++)
    phi[i] += shift;
  wn_poisson_free(p);
  return status != WN_OK ? INFINITY
                         : distance(phi, want, all(spec)) / largest(want, all(spec));
}

static const size_t base_cells[3] = {25, 20, 27};

static void order_of_differences(void)
{
  for (int dim = 1; dim <= 3; dim++) {
    double low = INFINITY, high = -INFINITY;
    for (int which = 0; which < number_of_walls(dim); which++) {
      double error[2];
      enum pair pairs[3];
      for (int i = 0; i < 2; i++) {
        size_t cells[3];
        for (int d = 0; d < 3; d++)
          cells[d] = base_cells[d] << i;
        struct wn_poisson_spec spec =
            grid(dim, cells, which, WN_POISSON_DIFFERENCES, pairs);
        error[i] = solve_error(&spec, pairs, all_modes);
      }
      double order = log2(error[0] / error[1]);
      if (!(order >= 1.9 && order <= 2.1))
        diag("%s: errors %.3g and %.3g, order %.3f", walls(dim, pairs), error[0],
             error[1], order);
      low = isnan(order) ? -INFINITY : fmin(low, order);
      high = fmax(high, order);
    }
    ok(low >= 1.9 && high <= 2.1,
       "differences in %d-D: order 1.9 to 2.1 for each of %d walls (%.3f to %.3f)", dim,
       number_of_walls(dim), low, high);
  }
}

/* Odd and even numbers of cells.  Rounding: a few EPS of each transform, and of rho,
 * whose largest curvature over the smallest eigenvalue magnifies it: (2 pi / (pi/2))^2
 * in the functions here, times the lengths. */
static void spectral_is_exact(void)
{
  static const size_t cells[2][3] = {{7, 5, 9}, {8, 6, 4}};
  for (int dim = 1; dim <= 3; dim++)
    for (int even = 0; even < 2; even++) {
      double worst = 0.0;
      for (int which = 0; which < number_of_walls(dim); which++) {
        enum pair pairs[3];
        struct wn_poisson_spec spec =
            grid(dim, cells[even], which, WN_POISSON_SPECTRAL, pairs);
        worst = fmax(worst, solve_error(&spec, pairs, few_modes));
      }
      ok(worst < 64.0 * EPS, "spectral in %d-D, %s numbers of cells: exact (%.2g)", dim,
         even ? "even" : "odd", worst);
    }
  static const size_t many[3] = {44, 45, 46};
  for (int dim = 1; dim <= 3; dim++) {
    enum pair pairs[3];
    struct wn_poisson_spec spec = grid(dim, many, 0, WN_POISSON_SPECTRAL, pairs);
    double error = solve_error(&spec, pairs, all_modes);
    /* Mode k of exp(sin) is below 2 / (2^k k!): 1e-28 where the modes end. */
    ok(error < 64.0 * EPS, "spectral, periodic in %d-D: exp(sin) is exact (%.2g)", dim,
       error);
  }
}

/* The rounding of the equation that is left: phi carries a few EPS of its largest, which
 * the three-point operators magnify by 4 / h2; over the largest of rho / eps0. */
static double rounding(const struct wn_poisson_spec *spec)
{
  double sum = 0.0;
  for (int d = 0; d < spec->dim; d++)
    sum += 4.0 / (wn_poisson_h(spec, d) * wn_poisson_h(spec, d));
  return 4.0 * EPS * largest(phi, all(spec)) * sum / (largest(rho, all(spec)) / WN_EPS0);
}

/* What the header says of a node on walls; NAN: it is on none. */
static double wall_at(const struct wn_poisson_spec *spec, const double *volt, size_t at)
{
  size_t node[3];
  place(spec, at, node);
  for (int d = 0; d < spec->dim; d++)
    for (int i = 0; i < 2; i++)
      if (spec->side[2 * d + i] == WN_DIRICHLET &&
          node[d] == (i == 0 ? 0 : spec->cells[d]))
        return volt[2 * d + i];
  return NAN;
}

/* Any rho, any voltages: the equation holds, the walls have their potentials, periodic
 * nodes are copies, and what floats has no mean. */
static void equation_holds(void)
{
  static const size_t cells[3] = {12, 9, 7};
  draw_state = 700;
  for (int dim = 1; dim <= 3; dim++) {
    double worst = 0.0, worst_mean = 0.0;
    int wrong = 0, copies = 0;
    for (int which = 0; which < number_of_walls(dim); which++) {
      enum pair pairs[3];
      double volt[6];
      struct wn_poisson_spec spec =
          grid(dim, cells, which, WN_POISSON_DIFFERENCES, pairs);
      struct wn_poisson *p = create(&spec);
      size_t n = all(&spec);
      random_values(rho, n);
      random_values(volt, 6);
      for (int i = 0; i < 6; i++)
        volt[i] *= 1e5;
      int status = wn_poisson_solve(p, rho, volt, phi);
      double left = poisson_residual(p, rho, phi) / rounding(&spec);
      worst = status != WN_OK || isnan(left) ? INFINITY : fmax(worst, left);
      for (size_t at = 0; at < n; at++) {
        size_t node[3], step = 1;
        double v = wall_at(&spec, volt, at);
        wrong += !isnan(v) && v != phi[at];
        place(&spec, at, node);
        for (int d = 0; d < dim; step *= count(&spec, d++))
          copies += pairs[d] == PP && node[d] == spec.cells[d] &&
                    phi[at] != phi[at - spec.cells[d] * step];
      }
      if (wn_poisson_is_floating(&spec))
        worst_mean = fmax(worst_mean, fabs(mean(&spec, phi)) / largest(phi, n));
      wn_poisson_free(p);
    }
    ok(worst < 1.0, "%d-D: the equation holds to rounding (%.2g of what is allowed)", dim,
       worst);
    is_int(wrong, 0, "%d-D: nodes on walls have the given potential, bit for bit", dim);
    is_int(copies, 0, "%d-D: periodic nodes are copies", dim);
    /* A sum of at most 1040 values. */
    ok(worst_mean < 64.0 * EPS, "%d-D: what floats has mean 0 (%.2g)", dim, worst_mean);
  }
}

static void residual_sees(void)
{
  static const size_t cells[3] = {8, 8, 8};
  enum pair pairs[3];
  struct wn_poisson_spec spec = grid(2, cells, 0, WN_POISSON_DIFFERENCES, pairs);
  struct wn_poisson *p = create(&spec);
  make_up(&spec, pairs, few_modes, 0, 0);
  wn_poisson_solve(p, rho, grounded, phi);
  double by = 1e-3 * largest(rho, all(&spec)) / WN_EPS0, hx = wn_poisson_h(&spec, 0),
         hy = wn_poisson_h(&spec, 1), sum = 2.0 / (hx * hx) + 2.0 / (hy * hy);
  phi[4 + 9 * 4] += by / sum;
  is_close(poisson_residual(p, rho, phi), 1e-3, 1e-9,
           "the residual of a node that is wrong by 1e-3");
  phi[4 + 9 * 4] = NAN;
  ok(isnan(poisson_residual(p, rho, phi)), "the residual of no number is none");
  memset(rho, 0, sizeof rho);
  memset(phi, 0, sizeof phi);
  is_close(poisson_residual(p, rho, phi), 0.0, 0.0, "the residual of nothing is 0");
  wn_poisson_free(p);
}

/* Known potentials between walls that have some: straight lines, and with spectral,
 * modes on top of them. */
static void voltages(void)
{
  static const size_t cells[3] = {9, 8, 6};
  static const int which[] = {1, 2, 3, 1 + 5 * 0 + 25 * 4, 4 + 5 * 1 + 25 * 0};
  static const int dims[] = {1, 1, 1, 3, 3};
  static const double volt[6] = {700.0, -300.0, 400.0, 250.0, 0.0, 0.0};
  for (size_t c = 0; c < sizeof dims / sizeof *dims; c++)
    for (int m = 0; m < WN_POISSON_MULTIGRID; m++) {
      enum pair pairs[3];
      struct wn_poisson_spec spec =
          grid(dims[c], cells, which[c], (enum wn_poisson_method)m, pairs);
      struct wn_poisson *p = create(&spec);
      int axis = pairs[0] == NN ? 1 : 0;
      double low = volt[2 * axis + (pairs[axis] == ND)],
             high = volt[2 * axis + (pairs[axis] != DN)];
      make_up(&spec, pairs, few_modes, 0, 0);
      for (size_t at = 0; at < all(&spec); at++) {
        size_t node[3];
        place(&spec, at, node);
        if (m == WN_POISSON_DIFFERENCES)
          want[at] = rho[at] = 0.0;
        want[at] += low + (high - low) * (double)node[axis] / (double)cells[axis];
      }
      is_int(wn_poisson_solve(p, rho, volt, phi), WN_OK, "walls %s, %s: solved",
             walls(dims[c], pairs), method_names[m]);
      double error = distance(phi, want, all(&spec)) / 700.0;
      ok(error < 64.0 * EPS, "walls %s, %s: potentials of walls (%.2g)",
         walls(dims[c], pairs), method_names[m], error);
      wn_poisson_free(p);
    }
}

/* All walls at one potential is no matter how many there are; different ones on several
 * axes are refused by the spectral method. */
static void voltages_refused(void)
{
  static const size_t cells[3] = {6, 7, 8};
  static const double one[6] = {50.0, 50.0, 50.0, 50.0, 50.0, 50.0};
  static const double two[6] = {50.0, 50.0, 50.0, 51.0, 50.0, 50.0};
  enum pair pairs[3];
  struct wn_poisson_spec spec = grid(3, cells, 31, WN_POISSON_SPECTRAL, pairs);
  struct wn_poisson *p = create(&spec);
  make_up(&spec, pairs, few_modes, 0, 0);
  for (size_t i = 0; i < all(&spec); i++)
    want[i] += 50.0;
  wn_poisson_solve(p, rho, one, phi);
  double error = distance(phi, want, all(&spec)) / 50.0;
  ok(error < 64.0 * EPS, "spectral, walls DD DD DD of one potential (%.2g)", error);
  phi[0] = 12345.0;
  capture();
  int status = wn_poisson_solve(p, rho, two, phi);
  const char *text = captured();
  ok(status == WN_EINPUT && strstr(text, "more than one axis") &&
         strstr(text, "differences"),
     "spectral, of two on two axes: refused, and says what does it: %s", text);
  ok(phi[0] == 12345.0, "phi is untouched then");
  static const double none[6] = {NAN, 0.0, 0.0, 0.0, 0.0, 0.0};
  capture();
  status = wn_poisson_solve(p, rho, none, phi);
  text = captured();
  ok(status == WN_EINPUT && strstr(text, "finite"), "a wall of no number: %s", text);
  wn_poisson_free(p);
}

/* A domain with planes of symmetry at both ends of an axis is half of a periodic one with
 * rho mirrored: half cells, means and all. */
static void mirrored(void)
{
  static const size_t cells[3] = {7, 6, 5};
  draw_state = 701;
  for (int dim = 1; dim <= 3; dim++)
    for (int d = 0; d < dim; d++)
      for (int m = 0; m < WN_POISSON_MULTIGRID; m++) {
        static double doubled[MAX_N], solution[MAX_N];
        static const int power[3] = {1, 5, 25};
        enum pair pairs[3];
        int which = 4 * power[d] + (dim > 1 ? 4 * power[(d + 1) % dim] : 0);
        struct wn_poisson_spec half =
            grid(dim, cells, which, (enum wn_poisson_method)m, pairs);
        struct wn_poisson_spec whole = half;
        whole.cells[d] *= 2;
        whole.side[2 * d] = whole.side[2 * d + 1] = WN_PERIODIC;
        whole.geometry.axis[d] = wn_axis_uniform(2 * half.geometry.axis[d].cells,
                                                 2.0 * half.geometry.axis[d].length,
                                                 wn_poisson_h(&half, d), 1);
        random_values(rho, all(&half));
        struct wn_poisson *p = create(&half), *q = create(&whole);
        wn_poisson_solve(p, rho, NULL, phi);
        for (int back = 0; back < 2; back++) {
          if (back)
            wn_poisson_solve(q, doubled, NULL, solution);
          for (size_t at = 0; at < all(&whole); at++) {
            size_t node[3];
            place(&whole, at, node);
            if (node[d] > cells[d])
              node[d] = 2 * cells[d] - node[d];
            size_t same =
                node[0] + count(&half, 0) * (node[1] + count(&half, 1) * node[2]);
            if (!back)
              doubled[at] = rho[same];
            else
              solution[at] -= phi[same];
          }
        }
        double error = largest(solution, all(&whole)) / largest(phi, all(&half));
        ok(error < 32.0 * EPS, "%s, axis %d, %s: half of a periodic domain (%.2g)",
           walls(dim, pairs), d, method_names[m], error);
        wn_poisson_free(p);
        wn_poisson_free(q);
      }
}

/* What floats and has a charge: the charge is taken out, whatever it is. */
static void charge_is_taken_out(void)
{
  static const size_t cells[3] = {10, 9, 8};
  static double other[MAX_N];
  draw_state = 702;
  for (int dim = 1; dim <= 3; dim++) {
    enum pair pairs[3];
    struct wn_poisson_spec spec =
        grid(dim, cells, 4 + 5 * 0 + 25 * 4, WN_POISSON_DIFFERENCES, pairs);
    struct wn_poisson *p = create(&spec);
    random_values(rho, all(&spec));
    wn_poisson_solve(p, rho, NULL, phi);
    for (size_t i = 0; i < all(&spec); i++)
      rho[i] += 0.75;
    wn_poisson_solve(p, rho, NULL, other);
    double error = distance(phi, other, all(&spec)) / largest(phi, all(&spec));
    ok(error < 64.0 * EPS, "%s: a background changes nothing (%.2g)", walls(dim, pairs),
       error);
    ok(poisson_residual(p, rho, phi) < rounding(&spec), "%s: nor the residual",
       walls(dim, pairs));
    wn_poisson_free(p);
  }
}

static struct wn_poisson_spec free_space(int dim, const size_t cells[3],
                                         const double h[3])
{
  struct wn_poisson_spec spec = {.dim = dim};
  for (int d = 0; d < dim; d++) {
    spec.cells[d] = cells[d];
    spec.side[2 * d] = spec.side[2 * d + 1] = WN_OPEN;
  }
  wn_poisson_uniform(&spec, h);
  return spec;
}

/* phi of 1 C (per m, per m2) at a distance of r [m]. */
static double of_point(int dim, double r)
{
  double q = 1.0 / WN_EPS0;
  return dim == 3   ? q / (4.0 * WN_PI * r)
         : dim == 2 ? -q * log(r) / (2.0 * WN_PI)
                    : -0.5 * q * r;
}

/* One node has all the charge.  In two dimensions 1 % of the fall of phi over a factor e
 * of distance. */
static void point_charge(void)
{
  static const size_t cells[3] = {17, 16, 15};
  static const double h[3] = {0.002, 0.002, 0.002};
  static const size_t home[3] = {4, 0, 15};
  for (int dim = 1; dim <= 3; dim++) {
    struct wn_poisson_spec spec = free_space(dim, cells, h);
    struct wn_poisson *p = create(&spec);
    double two = 0.0, beyond = 0.0, tenth = 0.0;
    memset(rho, 0, sizeof rho);
    size_t own =
        home[0] + (dim > 1 ? 18 * home[1] : 0) + (dim > 2 ? 18 * 17 * home[2] : 0);
    rho[own] = 1.0 / pow(h[0], dim);
    wn_poisson_solve(p, rho, NULL, phi);
    for (size_t at = 0; at < all(&spec); at++) {
      size_t node[3];
      double r2 = 0.0;
      place(&spec, at, node);
      for (int d = 0; d < dim; d++)
        r2 += pow((double)node[d] - (double)home[d], 2.0);
      if (r2 < 3.99)
        continue;
      double exact = of_point(dim, sqrt(r2) * h[0]),
             error = fabs(phi[at] - exact) /
                     (dim == 2 ? 1.0 / (2.0 * WN_PI * WN_EPS0) : fabs(exact));
      beyond = fmax(beyond, error);
      two = r2 < 4.01 ? fmax(two, error) : two;
      tenth = r2 > 99.9 ? fmax(tenth, error) : tenth;
    }
    ok(beyond < 0.01,
       "free space, %d-D: a point charge from two cells on within 1 %% (%.3f %%; at two "
       "cells %.3f %%, from ten on %.2g %%)",
       dim, 100.0 * beyond, 100.0 * two, 100.0 * tenth);
    if (dim == 1)
      ok(beyond < 64.0 * EPS && poisson_residual(p, rho, phi) < rounding(&spec),
         "free space, 1-D: to rounding, and so the equation");
    wn_poisson_free(p);
  }
}

/* The integral over 3 x 3 x 3 cells is that over one of three times their size: closed
 * form against closed form, and against points further out. */
static void green_adds_up(int dim, const double h[3])
{
  static double small[MAX_N], large[MAX_N];
  static const size_t few[3] = {16, 17, 15}, many[3] = {49, 52, 46};
  double triple[3] = {3.0 * h[0], 3.0 * h[1], 3.0 * h[2]}, worst = 0.0;
  struct wn_poisson_spec s = free_space(dim, many, h), l = free_space(dim, few, triple);
  wn_poisson_green(&s, small);
  wn_poisson_green(&l, large);
  for (size_t at = 0; at < all(&l); at++) {
    size_t node[3];
    double sum = 0.0;
    place(&l, at, node);
    for (int c = 0; c < (dim == 3 ? 27 : 9); c++) {
      int off[3] = {c % 3 - 1, c / 3 % 3 - 1, dim == 3 ? c / 9 - 1 : 0};
      size_t n[3];
      for (int d = 0; d < 3; d++)
        n[d] = (size_t)labs(3 * (long)node[d] + off[d]);
      sum += small[n[0] + count(&s, 0) * (n[1] + count(&s, 1) * n[2])];
    }
    worst = fmax(worst, fabs(sum / large[at] - 1.0));
  }
  /* In units of the longest cell: corners of up to 12^dim, where points take over, cancel
   * to the volume of a cell over its distance. */
  double longest = fmax(fmax(h[0], h[1]), h[2]), corners = 1.0;
  for (int d = 0; d < dim; d++)
    corners *= 12.0 * longest / h[d];
  ok(worst < 8.0 * corners * EPS,
     "%d-D, cells %g x %g x %g: the Green function of 3^%d cells is their sum (%.2g)",
     dim, h[0], h[1], h[2], dim, worst);
}

static void green(void)
{
  static const double cube[3] = {0.01, 0.01, 0.01}, brick[3] = {0.01, 0.025, 0.006};
  static double g[MAX_N];
  static const size_t cells[3] = {60, 2, 2};
  for (int dim = 2; dim <= 3; dim++) {
    green_adds_up(dim, cube);
    green_adds_up(dim, brick);
  }
  /* The integral of 1/r over the unit cube about its middle, in closed form. */
  struct wn_poisson_spec spec = free_space(3, cells, cube);
  wn_poisson_green(&spec, g);
  double self = 3.0 * log((sqrt(3.0) + 1.0) / (sqrt(3.0) - 1.0)) - 0.5 * WN_PI;
  is_close(g[0] * 4.0 * WN_PI / 1e-4, self, 16.0 * EPS,
           "the middle of a cube: 3 ln((sqrt 3 + 1)/(sqrt 3 - 1)) - pi/2");
  /* By Taylor: the mean over a cell is f + h2/24 (f_xx + ...) + h4/1920 (f_xxxx + ...) +
   * h4/576 (f_xxyy + ...).  Of 1/r along an axis: 0, (24 + 9 + 9)/r5, (-12 - 12 + 3)/r5;
   * the next order is r^-7. */
  is_close(g[60] * 4.0 * WN_PI / 1e-4, (1.0 - 7.0 / 480.0 * pow(60.0, -4.0)) / 60.0,
           1e-12, "60 cells away: 1/r and what a cube adds");
  spec = free_space(2, cells, cube);
  wn_poisson_green(&spec, g);
  is_close(g[60] * 2.0 * WN_PI / 1e-4, -log(0.6), 1e-9, "2-D, 60 cells away: -ln r");
}

/* Neutral, phi a Gaussian, in 1-D to 3-D; in 3-D also a ball of charge, whose phi is
 * erf(r / (sqrt 2 sigma)) / (4 pi eps0 r).  Cells of different lengths, the middle
 * between nodes; at the sides rho is 1e-6 of its largest. */
static double gaussian_error(int dim, size_t times, int ball)
{
  static const size_t base[3] = {36, 34, 32};
  static const double middle[3] = {0.51, 0.497, 0.505};
  const double sigma = 0.085;
  size_t cells[3];
  double h[3];
  for (int d = 0; d < 3; d++) {
    cells[d] = times * base[d];
    h[d] = 1.0 / (double)cells[d];
  }
  struct wn_poisson_spec spec = free_space(dim, cells, h);
  struct wn_poisson *p = create(&spec);
  for (size_t at = 0; at < all(&spec); at++) {
    size_t node[3];
    double r2 = 0.0;
    place(&spec, at, node);
    for (int d = 0; d < dim; d++)
      r2 += pow((double)node[d] * h[d] - middle[d], 2.0);
    double s2 = sigma * sigma, g = exp(-0.5 * r2 / s2), r = sqrt(r2);
    want[at] = ball ? erf(r / (sigma * sqrt(2.0))) / (4.0 * WN_PI * WN_EPS0 * r) : g;
    rho[at] = ball ? g / pow(2.0 * WN_PI * s2, 1.5) : WN_EPS0 * g * (dim - r2 / s2) / s2;
  }
  wn_poisson_solve(p, rho, NULL, phi);
  wn_poisson_free(p);
  return distance(phi, want, all(&spec)) / largest(want, all(&spec));
}

static void free_space_order(void)
{
  for (int c = 1; c <= 4; c++) {
    int dim = c < 4 ? c : 3, ball = c == 4;
    double coarse = gaussian_error(dim, 1, ball), fine = gaussian_error(dim, 2, ball);
    ok(fabs(log2(coarse / fine) - 2.0) < 0.1,
       "free space, %d-D, %s: order 1.9 to 2.1 (%.3f; errors %.2g, %.2g)", dim,
       ball ? "a ball of charge" : "a Gaussian phi", log2(coarse / fine), coarse, fine);
  }
}

/* Largest error of component d of E from the exact phi, over its largest. */
static double field_error(const struct wn_poisson_spec *spec, const enum pair pairs[3],
                          function of, int d, int staggered)
{
  struct wn_poisson *p = create(spec);
  double error = 0.0, top;
  make_up(spec, pairs, of, d, staggered);
  top = largest(e, all(spec));
  wn_poisson_field(p, want, d, staggered, phi);
  for (size_t at = 0; at < all(spec); at++) {
    size_t node[3];
    place(spec, at, node);
    if (!staggered || node[d] < spec->cells[d] || pairs[d] == PP)
      error = fmax(error, isnan(phi[at]) ? INFINITY : fabs(phi[at] - e[at]));
  }
  wn_poisson_free(p);
  return error / top;
}

static void order_of_field(void)
{
  for (int dim = 1; dim <= 3; dim++)
    for (int d = 0; d < dim; d++)
      for (int staggered = 0; staggered < 2; staggered++) {
        double low = INFINITY, high = -INFINITY;
        static const int power[3] = {1, 5, 25};
        for (int pair = 0; pair < N_PAIRS; pair++) {
          double error[2];
          enum pair pairs[3];
          int which = pair * power[d] + (dim > 1 ? 2 * power[(d + 1) % dim] : 0);
          for (int i = 0; i < 2; i++) {
            size_t cells[3];
            for (int k = 0; k < 3; k++)
              cells[k] = k == d ? (base_cells[k] * 2) << i : 6;
            struct wn_poisson_spec spec =
                grid(dim, cells, which, WN_POISSON_DIFFERENCES, pairs);
            error[i] = field_error(&spec, pairs, all_modes, d, staggered);
          }
          double order = log2(error[0] / error[1]);
          if (!(order >= 1.9 && order <= 2.1))
            diag("%s: errors %.3g and %.3g", walls(dim, pairs), error[0], error[1]);
          low = isnan(order) ? -INFINITY : fmin(low, order);
          high = fmax(high, order);
        }
        ok(low >= 1.9 && high <= 2.1,
           "E along axis %d of %d, %s: order 1.9 to 2.1 for each pair of walls (%.3f to "
           "%.3f)",
           d, dim, staggered ? "between nodes" : "at nodes", low, high);
      }
}

/* The derivative of modes, with odd and even numbers of cells; and the ends of rows. */
static void field_ends(void)
{
  static const size_t cells[3] = {7, 8, 9};
  enum pair pairs[3];
  double worst = 0.0;
  struct wn_poisson_spec spec = grid(3, cells, 0, WN_POISSON_SPECTRAL, pairs);
  for (int d = 0; d < 3; d++)
    worst = fmax(worst, field_error(&spec, pairs, few_modes, d, 0));
  ok(worst < 64.0 * EPS, "spectral, periodic: E is exact (%.2g)", worst);
  draw_state = 703;
  random_values(want, MAX_N);
  for (int which = 0; which <= N_PAIRS; which++) {
    spec = grid(1, cells, which % N_PAIRS, WN_POISSON_DIFFERENCES, pairs);
    if (which == N_PAIRS) {
      spec.side[0] = spec.side[1] = WN_OPEN;
      spec.geometry.axis[0].is_periodic = 0;
    }
    struct wn_poisson *p = create(&spec);
    const char *name = which == N_PAIRS ? "open" : pair_names[which];
    double h = wn_poisson_h(&spec, 0), ends[2];
    want[7] = pairs[0] == PP && which != N_PAIRS ? want[0] : want[7];
    ends[0] = (3.0 * want[0] - 4.0 * want[1] + want[2]) / (2.0 * h);
    ends[1] = -(3.0 * want[7] - 4.0 * want[6] + want[5]) / (2.0 * h);
    if (which == PP)
      ends[0] = ends[1] = (want[6] - want[1]) / (2.0 * h);
    if (pairs[0] == NN || pairs[0] == ND)
      ends[0] = 0.0;
    if (pairs[0] == NN || pairs[0] == DN)
      ends[1] = 0.0;
    wn_poisson_field(p, want, 0, 0, e);
    double error = fmax(fabs(e[0] - ends[0]), fabs(e[7] - ends[1]));
    ok(error * h < 16.0 * EPS, "%s: E at the ends (%.2g)", name, error * h);
    wn_poisson_field(p, want, 0, 1, e);
    ok(e[7] == e[which == PP ? 0 : 6] && fabs(e[6] * h - (want[6] - want[7])) < 4.0 * EPS,
       "%s: E between nodes, the last entries", name);
    wn_poisson_free(p);
  }
}

static void refused(void)
{
  enum { P = WN_PERIODIC, D = WN_DIRICHLET, N = WN_NEUMANN, O = WN_OPEN };
  static const struct {
    int dim, side[6], method;
    size_t cells;
    double h;
    const char *says;
  } cases[] = {
      {2, {D, D, P, N}, 0, 8, 1.0, "y low is periodic and side y high is neumann"},
      {1, {D, P}, 0, 8, 1.0, "x low is dirichlet and side x high is periodic"},
      {3, {O, O, O, O, O, D}, 0, 8, 1.0, "x low is open and side z high is dirichlet"},
      {2, {P, P, O, O}, 0, 8, 1.0, "x low is periodic and side y low is open"},
      {1, {D, 7}, 0, 8, 1.0, "side x high: there is no condition number 7"},
      {0, {D, D}, 0, 8, 1.0, "1, 2 or 3 dimensions, not 0"},
      {4, {D, D}, 0, 8, 1.0, "1, 2 or 3 dimensions, not 4"},
      {1, {D, D}, WN_N_POISSON, 8, 1.0, "no method number 3"},
      {1, {D, D}, 0, 1, 1.0, "1 cells along x"},
      {1, {D, D}, 0, 8, 0.0, "cells of 0 m along x"},
      {1, {D, D}, 0, 8, NAN, "along x: a length above 0"},
  };
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    struct wn_poisson_spec spec = {.dim = cases[c].dim,
                                   .method = (enum wn_poisson_method)cases[c].method};
    struct wn_poisson *p = NULL;
    for (int i = 0; i < 6; i++)
      spec.side[i] = (enum wn_potential)cases[c].side[i];
    for (int d = 0; d < 3; d++)
      spec.cells[d] = cases[c].cells;
    wn_poisson_uniform(&spec, (const double[3]){cases[c].h, cases[c].h, cases[c].h});
    capture();
    int status = wn_poisson_create(&spec, &p);
    const char *text = captured();
    ok(status == WN_EINPUT && p == NULL && strstr(text, cases[c].says),
       "refused: ... %s ...", cases[c].says);
  }
}

/* Some blocks of lines for each thread, and a second solve with the same solver. */
static void same_bits(void)
{
  static const size_t cells[3] = {29, 33, 26};
  static double first[MAX_N];
  draw_state = 704;
  random_values(rho, MAX_N);
  for (int c = 0; c < 3; c++)
    for (int threads = 0; threads < 4; threads++) {
      enum pair pairs[3];
      struct wn_poisson_spec spec =
          grid(3, cells, c == 0 ? 0 : 6 + 25 * 3, WN_POISSON_DIFFERENCES, pairs);
      static const double volt[6] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
      for (int i = 0; i < 6 && c == 2; i++) {
        spec.side[i] = WN_OPEN;
        spec.geometry.axis[i / 2].is_periodic = 0;
      }
      spec.threads = threads;
      struct wn_poisson *p = create(&spec);
      wn_poisson_solve(p, rho, volt, threads == 0 ? first : phi);
      if (threads > 0)
        ok(memcmp(first, phi, all(&spec) * sizeof *phi) == 0,
           "%s: %d threads give the bits of all", c == 2 ? "open" : walls(3, pairs),
           threads);
      wn_poisson_solve(p, rho, volt, phi);
      if (threads == 0)
        ok(memcmp(first, phi, all(&spec) * sizeof *phi) == 0,
           "%s: so does a second solve", c == 2 ? "open" : walls(3, pairs));
      wn_poisson_free(p);
    }
}

static void forecast(void)
{
  static const size_t cells[3] = {128, 128, 128}, much[3] = {1 << 28, 1 << 28, 1 << 28};
  static const double h[3] = {1.0, 1.0, 1.0};
  enum pair pairs[3];
  struct wn_poisson_spec spec = grid(3, cells, 0, WN_POISSON_DIFFERENCES, pairs);
  double grid_bytes = 128.0 * 128.0 * 128.0 * 8.0;
  double ratio = (double)wn_poisson_bytes(&spec) / grid_bytes;
  ok(ratio > 1.0 && ratio < 1.1, "bytes, periodic: those of one grid and a little (%.3f)",
     ratio);
  spec = free_space(3, cells, h);
  ratio = (double)wn_poisson_bytes(&spec) / grid_bytes;
  ok(ratio > 9.0 && ratio < 9.5, "bytes, open: eight, and one of Green (%.3f)", ratio);
  spec = free_space(3, much, h);
  ok(wn_poisson_bytes(&spec) == SIZE_MAX, "bytes: more than can be counted");
}

/* The quotient of gpu_pairs.h is the division's, of numbers as they come and of divisors beside powers of 2. */
static void quotient(void)
{
  int bad = 0;
  draw_state = 715;
  for (int i = 0; i < 2000000; i++) {
    const double near = 1.0 + (double)(word64() % 64) * EPS * (i % 3 == 0 ? 0.5 : 1e9),
                 d = -between(1e-12, 1e12) * (i % 2 == 0 ? 1.0 : 0.0) +
                     (i % 2 == 0 ? 0.0 : ldexp(i % 4 == 1 ? near : 2.0 / near, i % 40)),
                 v = between(1e-30, 1e30) * (i % 5 < 2 ? -1.0 : 1.0);
    bad += wn_poisson_over(v, d, 1.0 / d) != v / d;
  }
  is_int(bad, 0, "quotients by a reciprocal that are not those of the division");
}

int main(void)
{
  plan(0);
  quotient();
  order_of_differences();
  spectral_is_exact();
  equation_holds();
  residual_sees();
  voltages();
  voltages_refused();
  mirrored();
  charge_is_taken_out();
  point_charge();
  green();
  free_space_order();
  order_of_field();
  field_ends();
  refused();
  same_bits();
  forecast();
  return done();
}
