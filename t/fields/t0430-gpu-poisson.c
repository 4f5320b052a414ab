/* t0430-gpu-poisson.c - defends: fields/poisson/gpu.h is fields/poisson/poisson.h on a GPU: the same
 * phi and E for every pair of sides, in every dimension and in r-z, by both methods, for numbers of
 * cells with large and small factors; the same bits each time; the same refusals; and
 * wn_poisson_gpu_bytes says what it takes.  Reference: the solver of the host, which t0700
 * holds to made-up solutions, in the same program.
 *
 * Thresholds: of phi, 1e-12 of the largest value.  Both round in every transform or running
 * sum, a few 2^-52 times the root of the number of cells along an axis; along a line of more
 * than 4500 cells as many 2^-52 as it has cells.  Of E, from the same phi: 64 times 2^-52 of
 * the largest phi over the length of a cell, which each of a dozen butterflies rounds; in r-z two for each
 * cell along r more, as the host takes edges as differences of coordinates, rounded to 2^-53 of the radius. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "fields/poisson/gpu.h"
#include "fields/poisson/parts.h"
#include "t/tap/gpu_arrays.h"
#include "t/tap/capture.h"
#include "t/tap/draw.h"
#include "t/tap/gpu.h"
#include "t/tap/tap.h"

#ifdef WN_HAVE_CUDA

#define EPS   2.220446049250313e-16
#define MAX_N 600000 /* nodes */

enum pair { PP, DD, DN, ND, NN, N_PAIRS };
static const enum wn_potential sides_of[N_PAIRS][2] = {
    {WN_PERIODIC, WN_PERIODIC}, {WN_DIRICHLET, WN_DIRICHLET}, {WN_DIRICHLET, WN_NEUMANN},
    {WN_NEUMANN, WN_DIRICHLET}, {WN_NEUMANN, WN_NEUMANN},
};
static const char *const pair_names[N_PAIRS] = {"PP", "DD", "DN", "ND", "NN"};
static const char *const method_names[] = {"differences", "spectral"};
#define OPEN (-1) /* in the place of a number of walls */

static double rho[MAX_N], want[MAX_N], got[MAX_N], again[MAX_N];

/* On the device. */
static struct {
  void *rho, *phi, *e;
} there;

static struct wn_poisson_spec grid(int dim, const size_t cells[3], int which,
                                   enum wn_poisson_method method)
{
  static const double lengths[3] = {0.013, 0.02, 0.016}; /* m */
  struct wn_poisson_spec spec = {.dim = dim, .method = method};
  double h[3];
  int rest = which;
  for (int d = 0; d < dim; d++) {
    spec.cells[d] = cells[d];
    h[d] = lengths[d] / (double)cells[d];
    for (int i = 0; i < 2; i++)
      spec.side[2 * d + i] = which == OPEN ? WN_OPEN : sides_of[rest % N_PAIRS][i];
    rest /= N_PAIRS;
  }
  wn_poisson_uniform(&spec, h);
  return spec;
}

static const char *walls(int dim, int which)
{
  static char text[16];
  text[0] = '\0';
  if (which == OPEN)
    return "open";
  for (int d = 0; d < dim; d++, which /= N_PAIRS)
    strcat(strcat(text, d > 0 ? " " : ""), pair_names[which % N_PAIRS]);
  return text;
}

static size_t all(const struct wn_poisson_spec *spec)
{
  size_t n = 1;
  for (int d = 0; d < spec->dim; d++)
    n *= spec->cells[d] + 1;
  return n;
}

static double threshold(const struct wn_poisson_spec *spec)
{
  double most = 0.0;
  for (int d = 0; d < spec->dim; d++)
    most = fmax(most, (double)spec->cells[d]);
  return fmax(1e-12, EPS * most);
}

static double furthest(const double *a, const double *b, size_t n)
{
  double differ = 0.0;
  for (size_t i = 0; i < n; i++)
    differ =
        isfinite(a[i]) && isfinite(b[i]) ? fmax(differ, fabs(a[i] - b[i])) : INFINITY;
  return differ;
}

/* Largest difference over the largest value. */
static double distance(const double *a, const double *b, size_t n)
{
  double most = 0.0;
  for (size_t i = 0; i < n; i++)
    most = fmax(most, fabs(b[i]));
  return most > 0.0 ? furthest(a, b, n) / most : INFINITY;
}

static double symmetric(double most)
{
  return most * (2.0 * uniform() - 1.0);
}

/* Voltages that the method takes with these walls: any; or one for all. */
static void draw_volt(const struct wn_poisson_spec *spec, double volt[6])
{
  for (int i = 0; i < 6; i++)
    volt[i] = spec->method == WN_POISSON_SPECTRAL ? 250.0 : symmetric(500.0);
  if (spec->dim == 1)
    volt[1] = -120.0;
}

/* Solve on both; 1 when both did. */
static int solve(const struct wn_poisson_spec *spec, struct wn_poisson *p,
                 struct wn_poisson_gpu *q, const double volt[6])
{
  struct wn_gpu *g = gpu_device();
  const size_t bytes = all(spec) * sizeof(double);
  int status = wn_poisson_solve(p, rho, volt, want);
  if (status == WN_OK)
    status = gpu_array_put(g, rho, there.rho, bytes);
  if (status == WN_OK)
    status = wn_poisson_gpu_solve(q, there.rho, volt, there.phi);
  if (status == WN_OK)
    status = gpu_array_get(g, there.phi, got, bytes);
  return status == WN_OK;
}

/* E of the host's phi, which is in want, by both; over its threshold. */
static double field_error(const struct wn_poisson_spec *spec, struct wn_poisson *p,
                          struct wn_poisson_gpu *q)
{
  static double e[MAX_N];
  struct wn_gpu *g = gpu_device();
  const size_t n = all(spec), bytes = n * sizeof(double);
  const double roundings = wn_axis_is_radial(&spec->geometry.axis[0])
                               ? 64.0 + 2.0 * (double)spec->cells[0]
                               : 64.0;
  double worst = 0.0, most = 0.0;
  for (size_t i = 0; i < n; i++)
    most = fmax(most, fabs(want[i]));
  if (gpu_array_put(g, want, there.phi, bytes) != WN_OK)
    return INFINITY;
  for (int d = 0; d < spec->dim; d++)
    for (int staggered = 0; staggered < 2; staggered++) {
      wn_poisson_field(p, want, d, staggered, e);
      if (wn_poisson_gpu_field(q, there.phi, d, staggered, there.e) != WN_OK ||
          gpu_array_get(g, there.e, got, bytes) != WN_OK)
        return INFINITY;
      worst = fmax(worst, furthest(got, e, n) * wn_poisson_h(spec, d) /
                              (roundings * EPS * most));
    }
  return worst;
}

/* Errors over their thresholds; phi's bits must be the same twice. */
struct worst {
  double phi, e;
  int made, differ;
};

static void compare(const struct wn_poisson_spec *spec, const char *name, struct worst *w)
{
  struct wn_poisson *p = NULL;
  struct wn_poisson_gpu *q = NULL;
  double volt[6];
  const size_t n = all(spec);
  WN_ASSERT(n <= MAX_N);
  draw_volt(spec, volt);
  for (size_t i = 0; i < n; i++)
    rho[i] = symmetric(1e-3);
  if (wn_poisson_create(spec, &p) == WN_OK &&
      wn_poisson_gpu_create(gpu_device(), spec, &q) == WN_OK && solve(spec, p, q, volt)) {
    const double phi = distance(got, want, n) / threshold(spec);
    memcpy(again, got, n * sizeof *got);
    w->made++;
    w->differ += !solve(spec, p, q, volt) || memcmp(again, got, n * sizeof *got) != 0;
    const double e = field_error(spec, p, q);
    if (!(phi < 1.0 && e < 1.0))
      diag("%s, %s: phi %.3g, E %.3g of what is allowed", name,
           method_names[spec->method], phi, e);
    w->phi = fmax(w->phi, phi);
    w->e = fmax(w->e, e);
  }
  wn_poisson_gpu_free(q);
  wn_poisson_free(p);
}

static void report(const struct worst *w, int cases, const char *what)
{
  is_int(w->made, cases, "%s: solved on both", what);
  ok(w->phi < 1.0, "%s: phi is the host's (%.3g of what is allowed)", what, w->phi);
  ok(w->e < 1.0, "%s: so is E, at nodes and between (%.3g)", what, w->e);
  is_int(w->differ, 0, "%s: the same bits twice", what);
}

static void every_side(void)
{
  static const size_t cells[2][3] = {{14, 11, 9}, {16, 8, 12}};
  for (int dim = 1; dim <= 3; dim++) {
    const int number = dim == 1 ? N_PAIRS : dim == 2 ? 25 : 125;
    const int stride = (int)gpu_size(1, dim == 3 ? 31 : dim == 2 ? 4 : 1);
    for (int c = 0; c < 2; c++)
      for (int m = 0; m < WN_POISSON_MULTIGRID; m++) {
        struct worst w = {0.0, 0.0, 0, 0};
        char what[96];
        int cases = 0;
        for (int which = OPEN; which < number; which += which < 0 ? 1 : stride) {
          const struct wn_poisson_spec spec =
              grid(dim, cells[c], which, (enum wn_poisson_method)m);
          compare(&spec, walls(dim, which), &w);
          cases++;
        }
        snprintf(what, sizeof what, "%d-D, %zu cells along x, %s, all %d walls", dim,
                 cells[c][0], method_names[m], cases);
        report(&w, cases, what);
      }
  }
}

/* A direct line of more cells than threads, lines that are too long for it or for shared memory, the squares of
 * gpu_square.cuh, the smallest grids, large factors (in shared memory, and too large for it), lines of
 * several tiles, and grids that take a kernel a pass. */
static void sizes(void)
{
  static const struct {
    int dim;
    size_t cells[3];
    int which;
  } cases[] = {{1, {2}, 0},
               {1, {2}, 1},
               {1, {2}, 4},
               {1, {3}, OPEN},
               {1, {1000}, 0},
               {1, {1000}, 1},
               {1, {1000}, 2},
               {1, {1000}, 3},
               {1, {1000}, 4},
               {1, {1000}, OPEN},
               {1, {5003}, 1},
               {1, {20000}, 1},
               {1, {20000}, 0},
               {1, {20000}, 4},
               {1, {20000}, OPEN},
               {2, {2, 3}, 1},
               {2, {2, 2}, 0},
               {2, {2, 2}, 4 + 5 * 4},
               {2, {64, 64}, 0},
               {2, {128, 128}, 0},
               {2, {256, 256}, 0},
               {2, {512, 512}, 0},
               {2, {257, 100}, 0},
               {2, {100, 257}, 1},
               {2, {130, 97}, 2 + 5 * 3},
               {2, {97, 61}, OPEN},
               {2, {128, 256}, 5},
               {2, {1024, 12}, 1 + 5 * 4},
               {2, {1031, 20}, 1 + 5 * 2},
               {2, {521, 30}, 4 + 5 * 3},
               {2, {2049, 9}, 5},
               {3, {2, 2, 2}, 1 + 5 + 25},
               {3, {64, 64, 64}, 0},
               {3, {37, 50, 43}, 1 + 25 * 4},
               {3, {40, 33, 35}, OPEN},
               {3, {66, 34, 65}, 3 + 5 * 1 + 25 * 2},
               {2, {1000, 520}, 1 + 5 * 2},
               {3, {60, 64, 50}, 1 + 5 * 4 + 25 * 3},
               {3, {64, 60, 54}, 0 + 5 * 2 + 25 * 1}};
  struct worst w = {0.0, 0.0, 0, 0};
  int n = 0;
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c += gpu_size(1, 3))
    for (int m = 0; m < WN_POISSON_MULTIGRID; m++, n++) {
      const struct wn_poisson_spec spec =
          grid(cases[c].dim, cases[c].cells, cases[c].which, (enum wn_poisson_method)m);
      char name[64];
      snprintf(name, sizeof name, "%zu %zu %zu cells, %s", spec.cells[0], spec.cells[1],
               spec.cells[2], walls(spec.dim, cases[c].which));
      compare(&spec, name, &w);
    }
  report(&w, n, "sizes");
}

/* ---- r-z */

static const enum wn_potential around[3] = {WN_DIRICHLET, WN_NEUMANN, WN_OPEN};
static const char *const around_names[3] = {"D", "N", "open"};

static struct wn_poisson_spec rz(const size_t cells[2], int at_r, int pair, int shape)
{
  const double lengths[2] = {0.013, 0.02};
  struct wn_poisson_spec s = {
      .dim = 2,
      .cells = {cells[0], cells[1]},
      .side = {WN_NEUMANN, around[at_r], sides_of[pair][0], sides_of[pair][1]},
      .threads = 1};
  s.geometry.dim = 2;
  s.geometry.axis[0] =
      wn_axis_radial((int32_t)cells[0], lengths[0], lengths[0] / (double)cells[0], shape);
  s.geometry.axis[1] = wn_axis_uniform((int32_t)cells[1], lengths[1],
                                       lengths[1] / (double)cells[1], pair == PP);
  return s;
}

/* All pairs of sides and both shapes; fewer rows than are copied together, and many; large factors and powers
 * of two along z.  The largest grid has a side that holds phi: where nothing does, the rounding of the mean charge
 * counts, on both. */
static void in_rz(void)
{
  static const size_t cells[][2] = {{2, 2},   {3, 3},    {7, 12},    {8, 31},
                                    {65, 64}, {200, 33}, {128, 257}, {700, 512}};
  for (size_t c = 0; c < sizeof cells / sizeof *cells - gpu_size(0, 1); c++) {
    struct worst w = {0.0, 0.0, 0, 0};
    int n = 0;
    char what[64];
    for (int at_r = 0; at_r < 3; at_r++)
      for (int pair = 0; pair < N_PAIRS; pair++)
        for (int shape = 0; shape < 2; shape++) {
          const struct wn_poisson_spec spec = rz(cells[c], at_r, pair, shape);
          char name[64];
          if (cells[c][0] > 500 && wn_poisson_is_floating(&spec))
            continue;
          n++;
          snprintf(name, sizeof name, "r-z, %zu %zu cells, %s, %s", cells[c][0],
                   cells[c][1], around_names[at_r], pair_names[pair]);
          if (strcmp(wn_poisson_gpu_method(&spec), "radial") == 0)
            compare(&spec, name, &w);
        }
    snprintf(what, sizeof what, "r-z, %zu x %zu cells, all %d sides and shapes",
             cells[c][0], cells[c][1], n);
    report(&w, n, what);
  }
}

/* Two walls along z, of each power of two that gpu_radial_sines.cu takes: odd and even numbers of lines. */
static void rz_sines(void)
{
  static const size_t cells[][2] = {{41, 512},  {40, 512},  {33, 1024}, {2, 1024},
                                    {21, 2048}, {12, 4096}, {3, 8192},  {10, 8192}};
  struct worst w = {0.0, 0.0, 0, 0};
  int n = 0;
  for (size_t c = 0; c < sizeof cells / sizeof *cells; c++)
    for (int at_r = 0; at_r < 3; at_r++, n++) {
      const struct wn_poisson_spec spec = rz(cells[c], at_r, DD, c % 2 == 0);
      char name[64];
      snprintf(name, sizeof name, "r-z, %zu %zu cells, %s, DD", cells[c][0], cells[c][1],
               around_names[at_r]);
      compare(&spec, name, &w);
    }
  report(&w, n, "r-z, sines of powers of two");
}

static void rz_refused_and_memory(void)
{
  static const size_t cells[4][2] = {{1024, 512}, {300, 200}, {257, 512}, {100, 128}};
  struct wn_gpu *g = gpu_device();
  struct wn_poisson_gpu *q = NULL;
  struct wn_poisson_spec spec = rz(cells[3], 0, DD, 1);
  const double volt[6] = {0.0, 1.0, NAN, 2.0, 0.0, 0.0};
  is_int(wn_poisson_gpu_create(g, &spec, &q), WN_OK, "r-z between walls");
  capture();
  int status = wn_poisson_gpu_solve(q, there.rho, volt, there.phi);
  const char *text = captured();
  ok(status == WN_EINPUT && strstr(text, "a finite potential") != NULL,
     "r-z, a wall of no number: refused");
  wn_poisson_gpu_free(q);
  q = NULL;
  for (int pair = 0; pair < N_PAIRS; pair++)
    for (int c = 0; c < 4; c++) {
      spec = rz(cells[c], 2, pair, 0);
      const size_t before = wn_gpu_used(g), told = wn_poisson_gpu_bytes(&spec);
      status = wn_poisson_gpu_create(g, &spec, &q);
      const double used = (double)(wn_gpu_used(g) - before);
      ok(status == WN_OK && (double)told >= 0.95 * used - 4096.0 &&
             (double)told <= 1.05 * used + 4096.0,
         "r-z, %zu x %zu cells, %s: takes %.0f bytes, foretold %zu", cells[c][0],
         cells[c][1], pair_names[pair], used, told);
      wn_poisson_gpu_free(q);
      q = NULL;
      is_int((long long)wn_gpu_used(g), (long long)before, "and gives them back");
    }
}

static void refused(void)
{
  static const size_t cells[3] = {8, 8, 8};
  struct wn_poisson_spec spec = grid(2, cells, 1 + 5, WN_POISSON_SPECTRAL);
  struct wn_poisson_gpu *q = NULL;
  double volt[6] = {1.0, 1.0, 2.0, 2.0, 0.0, 0.0};
  is_int(wn_poisson_gpu_create(gpu_device(), &spec, &q), WN_OK, "walls on two axes");
  capture();
  int status = wn_poisson_gpu_solve(q, there.rho, volt, there.phi);
  const char *text = captured();
  ok(status == WN_EINPUT && strstr(text, "more than one axis") != NULL,
     "spectral, of two voltages: refused as on the host");
  volt[2] = NAN;
  capture();
  status = wn_poisson_gpu_solve(q, there.rho, volt, there.phi);
  text = captured();
  ok(status == WN_EINPUT && strstr(text, "a finite potential") != NULL,
     "a wall of no number: refused");
  wn_poisson_gpu_free(q);
  q = NULL;
  spec.side[0] = WN_OPEN;
  capture();
  status = wn_poisson_gpu_create(gpu_device(), &spec, &q);
  text = captured();
  ok(status == WN_EINPUT && q == NULL && strstr(text, "either all sides") != NULL,
     "open and not: refused");
}

/* What is allocated against what is foretold, to 5 % or, where the header says so, at most
 * twice; and that all of it is given back. */
static void memory(void)
{
  static const struct {
    int dim;
    size_t cells[3];
    int which;
    double most;
  } cases[] = {{1, {1000}, 1, 2.0},
               {1, {20000}, 0, 2.0},
               {2, {1024, 1024}, 0, 1.05},
               {2, {2048, 512}, 1, 1.05},
               {2, {300, 200}, OPEN, 1.05},
               {2, {1000, 900}, 1 + 5, 2.0},
               {2, {500, 509}, 1, 2.0},
               {2, {1009, 512}, 0, 2.0},
               {2, {3000, 600}, 2 + 5 * 3, 2.0},
               {3, {128, 128, 128}, 0, 1.05},
               {3, {128, 96, 80}, 3 + 5 * 2, 1.05},
               {3, {100, 90, 112}, 1, 1.05},
               {3, {64, 64, 64}, OPEN, 1.05}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    for (int m = 0; m < WN_POISSON_MULTIGRID; m++) {
      struct wn_gpu *g = gpu_device();
      struct wn_poisson_gpu *q = NULL;
      const struct wn_poisson_spec spec =
          grid(cases[c].dim, cases[c].cells, cases[c].which, (enum wn_poisson_method)m);
      const size_t before = wn_gpu_used(g), told = wn_poisson_gpu_bytes(&spec);
      const int status = wn_poisson_gpu_create(g, &spec, &q);
      const double used = (double)(wn_gpu_used(g) - before);
      ok(status == WN_OK && (double)told >= 0.95 * used - 4096.0 &&
             (double)told <= cases[c].most * used,
         "%d-D, %zu cells along x, %s, %s: takes %.0f bytes, foretold %zu", spec.dim,
         spec.cells[0], walls(spec.dim, cases[c].which), method_names[m], used, told);
      wn_poisson_gpu_free(q);
      is_int((long long)wn_gpu_used(g), (long long)before, "and gives them back");
    }
}

int main(void)
{
  gpu_or_skip();
  plan(0);
  draw_state = 430;
  struct wn_gpu *g = gpu_device();
  if (gpu_array_make(g, NULL, sizeof rho, &there.rho) != WN_OK ||
      gpu_array_make(g, NULL, sizeof rho, &there.phi) != WN_OK ||
      gpu_array_make(g, NULL, sizeof rho, &there.e) != WN_OK) {
    ok(0, "arrays on the GPU");
    return done();
  }
  every_side();
  sizes();
  refused();
  memory();
  in_rz();
  rz_sines();
  rz_refused_and_memory();
  gpu_array_free(g, there.rho, sizeof rho);
  gpu_array_free(g, there.phi, sizeof rho);
  gpu_array_free(g, there.e, sizeof rho);
  return done();
}

#else

int main(void)
{
  gpu_or_skip();
  return 1;
}

#endif
