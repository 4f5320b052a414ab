/* fields/poisson/poisson.c - see poisson.h: the check of a grid, and the list of methods. */
#include "fields/poisson/poisson.h"
#include <math.h>
#include <stdio.h>
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
    const int is_around = i == 1 && s->side[0] == WN_NEUMANN &&
                          s->geometry.axis[0].coordinate == WN_COORDINATE_RADIUS;
    if (!is_around && (s->side[i] == WN_OPEN) != (s->side[0] == WN_OPEN))
      return WN_FAIL(WN_EINPUT,
                     "side %s is %s and side %s is %s: either all sides of all axes are "
                     "open or none, or that around an axis of symmetry alone",
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
  for (int d = 0; d < s->dim; d++)
    if (s->cells[d] < 2 || s->cells[d] > MAX_CELLS)
      return WN_FAIL(WN_EINPUT,
                     "%zu cells along %c: Poisson's equation takes from 2 to %u",
                     s->cells[d], "xyz"[d], MAX_CELLS);
  return check_sides(s);
}

/* Whether the nodes of given potential have it from a surface. */
static int check_held(const struct wn_poisson_spec *s)
{
  const struct wn_geometry *g = &s->geometry;
  size_t nodes = 1;
  for (int d = 0; d < s->dim; d++)
    nodes *= s->cells[d] + 1;
  for (size_t i = 0; i < nodes; i++) {
    const int32_t k = g->held[i];
    if (k < -1 || k >= g->n_surfaces)
      return WN_FAIL(WN_EINPUT,
                     "node %zu has the potential of surface %d: there are 0 to %d, and "
                     "-1 for none",
                     i, (int)k, (int)g->n_surfaces - 1);
    if (k >= 0 && g->surface[k].potential != WN_DIRICHLET)
      return WN_FAIL(WN_EINPUT,
                     "node %zu has the potential of surface `%s`, which has none: it is "
                     "not dirichlet",
                     i, g->surface[k].name);
  }
  return WN_OK;
}

/* Whether the factors of edges are positive numbers. */
static int check_edges(const struct wn_poisson_spec *s)
{
  size_t n[3], step[3], nodes = 1;
  for (int d = 0; d < 3; d++) {
    n[d] = d < s->dim ? s->cells[d] + 1 : 1;
    step[d] = nodes;
    nodes *= n[d];
  }
  for (int d = 0; d < s->dim; d++)
    for (size_t i = 0; i < nodes && s->edge[d] != NULL; i++)
      if (i / step[d] % n[d] < s->cells[d] &&
          !(s->edge[d][i] > 0.0 && isfinite(s->edge[d][i])))
        return WN_FAIL(
            WN_EINPUT,
            "the edge from node %zu along %c has the factor %g: a number above 0 "
            "is needed",
            i, "xyz"[d], s -> edge[d][i]);
  return WN_OK;
}

/* Whether the geometry is that of the cells and sides. */
static int check_geometry(const struct wn_poisson_spec *s)
{
  const struct wn_geometry *g = &s->geometry;
  if (g->dim != s->dim)
    return WN_FAIL(WN_EINPUT, "a geometry of %d dimensions for a grid of %d", (int)g->dim,
                   s->dim);
  for (int d = 0; d < s->dim; d++) {
    const struct wn_axis *a = &g->axis[d];
    if ((size_t)a->cells != s->cells[d])
      return WN_FAIL(WN_EINPUT, "%d cells along %c in the geometry, and %zu in the grid",
                     (int)a->cells, "xyz"[d], s -> cells[d]);
    if ((a->is_periodic != 0) != (s->side[2 * d] == WN_PERIODIC))
      return WN_FAIL(WN_EINPUT, "%c is %s in the geometry, and side %c low is %s",
                     "xyz"[d], a -> is_periodic ? "periodic" : "not periodic", "xyz"[d],
                     names[s->side[2 * d]]);
    const double least = wn_axis_shortest(a);
    if (!(least > 0.0 && isfinite(wn_axis_longest(a))))
      return WN_FAIL(WN_EINPUT, "cells of %g m along %c: a length above 0 is needed",
                     least, "xyz"[d]);
  }
  WN_TRY(check_edges(s));
  return g->held != NULL ? check_held(s) : WN_OK;
}

/* ---- methods */

static const struct wn_poisson_ops *const methods[] = {
    &wn_poisson_modes, &wn_poisson_open,      &wn_poisson_slabs,
    &wn_poisson_mixed, &wn_poisson_multigrid, &wn_poisson_volumes};
#define METHODS (sizeof methods / sizeof *methods)

static const char *const words[] = {
#define X(symbol, words) words,
    WN_POISSON_NEEDS(X)
#undef X
};

unsigned wn_poisson_needs(const struct wn_poisson_spec *s)
{
  unsigned needs = 0;
  needs |= s->method == WN_POISSON_SPECTRAL ? WN_POISSON_NEEDS_SPECTRAL : 0;
  needs |= s->method == WN_POISSON_MULTIGRID ? WN_POISSON_NEEDS_MULTIGRID : 0;
  needs |= wn_poisson_is_open(s) ? WN_POISSON_NEEDS_OPEN : 0;
  needs |= s->ranks > 1 ? WN_POISSON_NEEDS_DIVIDED : 0;
  needs |= s->geometry.held != NULL ? WN_POISSON_NEEDS_INSIDE : 0;
  needs |= wn_poisson_is_around(s) ? WN_POISSON_NEEDS_AROUND : 0;
  needs |= s->n_links > 0 ? WN_POISSON_NEEDS_LINKS : 0;
  for (int d = 0; d < s->dim; d++)
    needs |= s->edge[d] != NULL ? WN_POISSON_NEEDS_EDGES : 0;
  for (int d = 0; d < s->dim; d++)
    needs |= s->geometry.axis[d].x != NULL || wn_axis_is_radial(&s->geometry.axis[d])
                 ? WN_POISSON_NEEDS_AXES
                 : 0;
  return needs;
}

/* The first that supports all that is needed; NULL: there is none. */
static const struct wn_poisson_ops *method_of(const struct wn_poisson_spec *spec)
{
  const unsigned needs = wn_poisson_needs(spec);
  for (size_t i = 0; i < METHODS; i++)
    if ((needs & ~methods[i]->supports) == 0 &&
        (methods[i]->takes == NULL || methods[i]->takes(spec)))
      return methods[i];
  return NULL;
}

/* "open sides, a grid divided among processes": the words of these bits. */
static const char *list(unsigned bits, char *text, size_t size)
{
  int n = 0;
  text[0] = '\0';
  for (int i = 0; i < WN_POISSON_N_NEEDS && (size_t)n < size; i++)
    if (bits >> i & 1)
      n += snprintf(text + n, size - (size_t)n, "%s%s", n > 0 ? ", " : "", words[i]);
  return text;
}

static int no_method(unsigned needs)
{
  char of_grid[256], all[1536] = "", of_method[256];
  int n = 0;
  for (size_t i = 0; i < METHODS && (size_t)n < sizeof all; i++)
    n += snprintf(all + n, sizeof all - (size_t)n, "%s`%s` takes %s", n > 0 ? "; " : "",
                  methods[i]->name,
                  list(methods[i]->supports, of_method, sizeof of_method));
  return WN_FAIL(WN_EINPUT,
                 "no method of Poisson's equation takes this grid, which has: %s; %s",
                 list(needs, of_grid, sizeof of_grid), all);
}

int wn_poisson_check(const struct wn_poisson_spec *spec)
{
  WN_TRY(check_grid(spec));
  WN_TRY(check_geometry(spec));
  if (spec->method == WN_POISSON_MULTIGRID && spec->dim == 1)
    return WN_FAIL(WN_EINPUT, "solver multigrid takes two or three axes, not one");
  const struct wn_poisson_ops *m = method_of(spec);
  if (m == NULL)
    return no_method(wn_poisson_needs(spec));
  return m->check != NULL ? m->check(spec) : WN_OK;
}

int wn_poisson_check_uniform(const struct wn_poisson_spec *spec, const char *solver)
{
  char text[256];
  WN_TRY(wn_poisson_check(spec));
  const unsigned needs =
      wn_poisson_needs(spec) & (WN_POISSON_NEEDS_AXES | WN_POISSON_NEEDS_INSIDE |
                                WN_POISSON_NEEDS_EDGES | WN_POISSON_NEEDS_LINKS);
  if (needs != 0)
    return WN_FAIL(WN_EINPUT, "%s takes constant spacing along lines alone, not %s",
                   solver, list(needs, text, sizeof text));
  return WN_OK;
}

const char *wn_poisson_method_name(const struct wn_poisson_spec *spec)
{
  const struct wn_poisson_ops *m = method_of(spec);
  return m != NULL ? m->name : "none";
}

size_t wn_poisson_bytes(const struct wn_poisson_spec *spec)
{
  const struct wn_poisson_ops *m = method_of(spec);
  return m != NULL ? m->bytes(spec) : SIZE_MAX;
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

int wn_poisson_solve(struct wn_poisson *p, const double *rho, const double *volt,
                     double *phi)
{
  return p->ops->solve(p, rho, volt, phi);
}

void wn_poisson_field(struct wn_poisson *p, const double *phi, int d, int staggered,
                      double *e)
{
  WN_ASSERT(p->ops->field != NULL && d >= 0 && d < p->spec.dim);
  p->ops->field(p, phi, d, staggered, e);
}
