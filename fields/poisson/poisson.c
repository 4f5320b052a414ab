/* fields/poisson/poisson.c - see poisson.h: what all methods have in common, and their list. */
#include "fields/poisson/poisson.h"
#include <math.h>
#include <stdint.h>
#include "base/error.h"
#include "fields/poisson/parts.h"
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

static int check_grid(const struct wn_poisson_spec *s)
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

/* ---- methods */

/* The first that takes the sides and the division. */
static const struct wn_poisson_ops *const methods[] = {
    &wn_poisson_slabs, &wn_poisson_open, &wn_poisson_modes};

static const struct wn_poisson_ops *method_of(const struct wn_poisson_spec *spec)
{
  size_t i = 0;
  while (!methods[i]->takes(spec)) /* the last takes all */
    i++;
  return methods[i];
}

int wn_poisson_check(const struct wn_poisson_spec *spec)
{
  WN_TRY(check_grid(spec));
  const struct wn_poisson_ops *m = method_of(spec);
  return m->check != NULL ? m->check(spec) : WN_OK;
}

size_t wn_poisson_bytes(const struct wn_poisson_spec *spec)
{
  return method_of(spec)->bytes(spec);
}

int wn_poisson_create(const struct wn_poisson_spec *spec, struct wn_poisson **out)
{
  WN_TRY(wn_poisson_check(spec));
  return method_of(spec)->create(spec, out);
}

void wn_poisson_free(struct wn_poisson *p)
{
  if (p != NULL)
    p->ops->free(p);
}

int wn_poisson_solve(struct wn_poisson *p, const double *rho, const double volt[6],
                     double *phi)
{
  return p->ops->solve(p, rho, volt, phi);
}
