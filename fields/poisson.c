/* fields/poisson.c - Poisson's equation between walls: rho is decomposed into modes that
 * satisfy the conditions at the sides, each is divided by its eigenvalue, and their sum
 * is phi.  A node on a Dirichlet side is no unknown.  With `differences` its potential
 * goes to the right-hand side of its neighbours, which is exact for any voltages.  With
 * `spectral` the unknown is phi minus a linear function that has the voltages. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "fields/poisson_parts.h"
#include "physics/constants.h"

#define MAX_CELLS (1u << 28) /* FFTW counts in int, and open sides double the cells */

static const char *const names[] = {
    [WN_PERIODIC] = "periodic",
    [WN_DIRICHLET] = "dirichlet",
    [WN_NEUMANN] = "neumann",
    [WN_OPEN] = "open",
};

static int check_sides(const struct wn_poisson_spec *s)
{
  static const char *const side_names[] = {"x low",  "x high", "y low",
                                           "y high", "z low",  "z high"};
  for (int i = 0; i < 2 * s->dim; i++) {
    if ((unsigned)s->side[i] >= WN_N_POTENTIALS)
      return WN_FAIL(WN_EINPUT, "side %s: there is no condition number %d", side_names[i],
                     (int)s->side[i]);
    if ((s->side[i] == WN_OPEN) != (s->side[0] == WN_OPEN))
      return WN_FAIL(WN_EINPUT,
                     "side %s is %s and side %s is %s: either all sides of all axes are "
                     "open or none",
                     side_names[0], names[s->side[0]], side_names[i], names[s->side[i]]);
  }
  for (int i = 0; i < 2 * s->dim; i += 2)
    if ((s->side[i] == WN_PERIODIC) != (s->side[i + 1] == WN_PERIODIC))
      return WN_FAIL(WN_EINPUT,
                     "side %s is %s and side %s is %s: an axis is periodic at both sides "
                     "or at none",
                     side_names[i], names[s->side[i]], side_names[i + 1],
                     names[s->side[i + 1]]);
  return WN_OK;
}

int wn_poisson_check(const struct wn_poisson_spec *s)
{
  if (s->dim < 1 || s->dim > 3)
    return WN_FAIL(WN_EINPUT, "a grid has 1, 2 or 3 dimensions, not %d", s->dim);
  if ((unsigned)s->method >= WN_N_POISSON)
    return WN_FAIL(WN_EINPUT, "there is no method number %d for Poisson's equation",
                   (int)s->method);
  for (int d = 0; d < s->dim; d++) {
    if (s->cells[d] < 2 || s->cells[d] > MAX_CELLS)
      return WN_FAIL(WN_EINPUT,
                     "%zu cells along %c: Poisson's equation takes from 2 to %u",
                     s->cells[d], "xyz"[d], MAX_CELLS);
    if (!(s->h[d] > 0.0 && isfinite(s->h[d])))
      return WN_FAIL(WN_EINPUT, "cells of %g m along %c: a length above 0 is needed",
                     s->h[d], "xyz"[d]);
  }
  return check_sides(s);
}

struct wn_poisson_axis wn_poisson_axis(const struct wn_poisson_spec *spec, int d)
{
  size_t cells = spec->cells[d];
  enum wn_potential low = spec->side[2 * d], high = spec->side[2 * d + 1];
  if (low == WN_PERIODIC)
    return (struct wn_poisson_axis){WN_FFT_PERIODIC, 0, cells};
  if (low == WN_DIRICHLET && high == WN_DIRICHLET)
    return (struct wn_poisson_axis){WN_FFT_SINES, 1, cells - 1};
  if (low == WN_DIRICHLET)
    return (struct wn_poisson_axis){WN_FFT_SINES_HALF, 1, cells};
  if (high == WN_DIRICHLET)
    return (struct wn_poisson_axis){WN_FFT_COSINES_HALF, 0, cells};
  return (struct wn_poisson_axis){WN_FFT_COSINES, 0, cells + 1};
}

void wn_poisson_lambda(const struct wn_poisson_spec *spec, int d, double *lambda)
{
  struct wn_poisson_axis a = wn_poisson_axis(spec, d);
  double h = spec->h[d];
  for (size_t k = 0; k < a.n; k++) {
    double half_waves = (double)k; /* in the domain */
    if (a.kind == WN_FFT_PERIODIC)
      half_waves = 2.0 * (double)(k <= a.n / 2 ? k : a.n - k);
    else if (a.kind == WN_FFT_SINES)
      half_waves += 1.0;
    else if (a.kind != WN_FFT_COSINES)
      half_waves += 0.5;
    double q_h = WN_PI * half_waves / (double)spec->cells[d]; /* wave number times h */
    /* (2 f_i - f_{i-1} - f_{i+1}) / h2 of exp(i q x) is (2 - 2 cos(q h)) / h2. */
    double root =
        spec->method == WN_POISSON_SPECTRAL ? q_h / h : 2.0 * sin(0.5 * q_h) / h;
    lambda[k] = root * root;
  }
}

int wn_poisson_is_floating(const struct wn_poisson_spec *spec)
{
  for (int i = 0; i < 2 * spec->dim; i++)
    if (spec->side[i] == WN_DIRICHLET || spec->side[i] == WN_OPEN)
      return 0;
  return 1;
}

/* Shapes only; allocates no memory. */
static void lay_out(struct wn_poisson *p, const struct wn_poisson_spec *spec)
{
  *p = (struct wn_poisson){.spec = *spec, .floating = wn_poisson_is_floating(spec)};
  for (int d = 0; d < 3; d++) {
    int in = d < spec->dim;
    p->n[d] = in ? spec->cells[d] + 1 : 1;
    p->step[d] = d == 0 ? 1 : p->step[d - 1] * p->n[d - 1];
    p->axis[d] = (struct wn_poisson_axis){WN_FFT_PERIODIC, 0, 1};
    if (in && wn_poisson_is_open(spec))
      p->axis[d].n = 2 * spec->cells[d];
    else if (in)
      p->axis[d] = wn_poisson_axis(spec, d);
  }
  /* Rows of whole cache lines, an odd number of them: a column of a grid of 2^n nodes
   * would otherwise fall into few sets of the cache. */
  p->work_step[0] = 1;
  p->work_step[1] = p->axis[0].n;
  if (spec->dim > 1)
    p->work_step[1] = ((p->axis[0].n + 7) / 8 | 1) * 8;
  p->work_step[2] = p->work_step[1] * p->axis[1].n;
}

size_t wn_poisson_bytes(const struct wn_poisson_spec *spec)
{
  struct wn_poisson p;
  lay_out(&p, spec);
  size_t doubles = p.work_step[2] * p.axis[2].n, bytes = sizeof p;
  if ((double)p.work_step[2] * (double)p.axis[2].n > 1e18)
    return SIZE_MAX;
  if (wn_poisson_is_open(spec))
    doubles += p.step[2] * p.n[2];
  for (int d = 0; d < spec->dim; d++) {
    bytes += wn_fft_bytes(p.axis[d].n, spec->dim > 1, spec->threads);
    if (!wn_poisson_is_open(spec))
      doubles += p.axis[d].n;
  }
  return bytes + doubles * sizeof(double);
}

void wn_poisson_free(struct wn_poisson *p)
{
  if (p == NULL)
    return;
  for (int d = 0; d < 3; d++) {
    wn_fft_free(p->fft[d]);
    free(p->lambda[d]);
  }
  free(p->green);
  free(p->work);
  free(p);
}

static int allocate(struct wn_poisson *p)
{
  const struct wn_poisson_spec *s = &p->spec;
  p->work = wn_alloc_aligned(p->axis[2].n, p->work_step[2] * sizeof *p->work, 64);
  if (p->work == NULL)
    return WN_ENOMEM;
  for (int d = 0; d < s->dim; d++)
    WN_TRY(
        wn_fft_create(p->axis[d].kind, p->axis[d].n, s->dim > 1, s->threads, &p->fft[d]));
  if (wn_poisson_is_open(s))
    return wn_poisson_open_create(p);
  for (int d = 0; d < 3; d++) {
    p->lambda[d] = wn_alloc(p->axis[d].n, sizeof *p->lambda[d]);
    if (p->lambda[d] == NULL)
      return WN_ENOMEM;
    if (d < s->dim)
      wn_poisson_lambda(s, d, p->lambda[d]);
  }
  return WN_OK;
}

int wn_poisson_create(const struct wn_poisson_spec *spec, struct wn_poisson **out)
{
  WN_TRY(wn_poisson_check(spec));
  struct wn_poisson *p = wn_alloc(1, sizeof *p);
  if (p == NULL)
    return WN_ENOMEM;
  lay_out(p, spec);
  int status = allocate(p);
  if (status != WN_OK) {
    wn_poisson_free(p);
    return status;
  }
  *out = p;
  return WN_OK;
}

int wn_poisson_lift(const struct wn_poisson_spec *s, const double *volt,
                    struct wn_poisson_lift *l)
{
  int first = -1, axes = 0, differ = 0;
  *l = (struct wn_poisson_lift){0, 0.0, 0.0};
  for (int i = 0; i < 2 * s->dim; i++) {
    if (s->side[i] != WN_DIRICHLET)
      continue;
    if (!isfinite(volt[i]))
      return WN_FAIL(WN_EINPUT, "a wall of %g V: a finite potential is needed", volt[i]);
    if (first < 0)
      first = i;
    differ |= volt[i] != volt[first];
    axes |= 1 << i / 2;
  }
  if (first < 0 || s->method != WN_POISSON_SPECTRAL)
    return WN_OK;
  *l = (struct wn_poisson_lift){first / 2, volt[first], 0.0};
  if (!differ)
    return WN_OK;
  if (axes != 1 << first / 2)
    return WN_FAIL(
        WN_EINPUT,
        "walls of different potentials on more than one axis: the spectral "
        "method takes one potential for all walls, or two on one axis with the "
        "others periodic or neumann; the method of differences takes any");
  l->rise = volt[first + 1] - volt[first];
  return WN_OK;
}

/* rho / eps0 of the unknown nodes; with differences, plus the terms of the walls beside
 * them. */
static void load(struct wn_poisson *p, const double *rho, const double *volt)
{
  const struct wn_poisson_axis *a = p->axis;
  const struct wn_poisson_spec *s = &p->spec;
  for (size_t k = 0; k < a[2].n; k++)
    for (size_t j = 0; j < a[1].n; j++) {
      const double *from = rho + a[0].first + (a[1].first + j) * p->step[1] +
                           (a[2].first + k) * p->step[2];
      double *to = p->work + j * p->work_step[1] + k * p->work_step[2];
      for (size_t i = 0; i < a[0].n; i++)
        to[i] = from[i] / WN_EPS0;
    }
  if (s->method == WN_POISSON_SPECTRAL)
    return;
  for (int side = 0; side < 2 * s->dim; side++) {
    int d = side / 2, e = d == 0 ? 1 : 0, f = d == 2 ? 1 : 2;
    if (s->side[side] != WN_DIRICHLET || volt[side] == 0.0)
      continue;
    double *plane = p->work + (side % 2 != 0 ? a[d].n - 1 : 0) * p->work_step[d];
    for (size_t j = 0; j < a[f].n; j++)
      for (size_t i = 0; i < a[e].n; i++)
        plane[i * p->work_step[e] + j * p->work_step[f]] +=
            volt[side] / (s->h[d] * s->h[d]);
  }
}

/* Each mode over its eigenvalue.  With floating potential the mean has no eigenvalue and
 * is left out. */
static void divide(struct wn_poisson *p)
{
  const struct wn_poisson_axis *a = p->axis;
  double norm = 1.0;
  for (int d = 0; d < p->spec.dim; d++)
    norm *= wn_fft_norm(p->fft[d]);
  for (size_t k = 0; k < a[2].n; k++)
    for (size_t j = 0; j < a[1].n; j++) {
      double *row = p->work + j * p->work_step[1] + k * p->work_step[2];
      double lambda = p->lambda[1][j] + p->lambda[2][k];
      size_t i = 0;
      if (p->floating && j == 0 && k == 0)
        row[i++] = 0.0;
      for (; i < a[0].n; i++)
        row[i] /= norm * (p->lambda[0][i] + lambda);
    }
}

static void unload(const struct wn_poisson *p, const struct wn_poisson_lift *l,
                   double *phi)
{
  const struct wn_poisson_axis *a = p->axis;
  for (size_t k = 0; k < a[2].n; k++)
    for (size_t j = 0; j < a[1].n; j++) {
      size_t node[3] = {a[0].first, a[1].first + j, a[2].first + k};
      const double *from = p->work + j * p->work_step[1] + k * p->work_step[2];
      double *to = phi + node[0] + node[1] * p->step[1] + node[2] * p->step[2];
      double cells = (double)p->spec.cells[l->axis];
      double at = l->low + l->rise * ((double)node[l->axis] / cells);
      double slope = l->axis == 0 ? l->rise / cells : 0.0;
      for (size_t i = 0; i < a[0].n; i++)
        to[i] = from[i] + (at + slope * (double)i);
    }
}

/* The nodes that are no unknowns: walls, the lower axis last so that it has the edges;
 * then the upper ends of periodic axes, including edges. */
static void close_sides(const struct wn_poisson *p, const double *volt, double *phi)
{
  for (int pass = 0; pass < 2; pass++)
    for (int side = 2 * p->spec.dim - 1; side >= 0; side--) {
      int d = side / 2, e = d == 0 ? 1 : 0, f = d == 2 ? 1 : 2, high = side % 2;
      enum wn_potential kind = p->spec.side[side];
      if (pass == 0 ? kind != WN_DIRICHLET : kind != WN_PERIODIC || !high)
        continue;
      size_t far = p->spec.cells[d] * p->step[d];
      for (size_t j = 0; j < p->n[f]; j++)
        for (size_t i = 0; i < p->n[e]; i++) {
          double *low = phi + i * p->step[e] + j * p->step[f];
          low[high ? far : 0] = pass == 0 ? volt[side] : *low;
        }
    }
}

int wn_poisson_solve(struct wn_poisson *p, const double *rho, const double volt[6],
                     double *phi)
{
  if (wn_poisson_is_open(&p->spec)) {
    wn_poisson_open_solve(p, rho, phi);
    return WN_OK;
  }
  struct wn_poisson_lift lift;
  size_t n[3] = {p->axis[0].n, p->axis[1].n, p->axis[2].n};
  WN_TRY(wn_poisson_lift(&p->spec, volt, &lift));
  load(p, rho, volt);
  for (int d = 0; d < p->spec.dim; d++)
    wn_fft_lines(p->fft[d], WN_FFT_FORWARD, p->work, n, p->work_step, d);
  divide(p);
  for (int d = p->spec.dim; d-- > 0;)
    wn_fft_lines(p->fft[d], WN_FFT_BACK, p->work, n, p->work_step, d);
  unload(p, &lift, phi);
  close_sides(p, volt, phi);
  return WN_OK;
}
