/* fields/poisson/poisson.c - see poisson.h: the check of a grid, and the list of methods. */
#include "fields/poisson/poisson.h"
#include <math.h>
#include "base/error.h"
#include "fields/poisson/parts.h"

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
