/* t/fields/volumes_domain.h - for tests of fields/poisson/volumes.c: a domain with its geometry, electrodes in it, the solution and the
 * charge of its nodes. */
#ifndef WN_T_FIELDS_VOLUMES_DOMAIN_H
#define WN_T_FIELDS_VOLUMES_DOMAIN_H
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "fields/electrostatic.h"
#include "fields/geometry.h"
#include "fields/poisson/parts.h"
#include "physics/constants.h"
#include "t/tap/draw.h"
#include "t/tap/tap.h"

#define MAX_N  (41 * 41 * 41)
#define MOST   400 /* cells of an axis */
#define METRES 0.02

static double rho[MAX_N], phi[MAX_N], other[MAX_N], e_of[MAX_N], want[MAX_N];

/* A domain: its spec, and the memory of its geometry. */
struct domain {
  struct wn_poisson_spec spec;
  struct wn_surface surface[12];
  int32_t held[MAX_N];
  size_t nodes, step[3];
};

enum spacing { EVEN, SMOOTH, RANDOM };

/* EVEN: x_i = i h; SMOOTH: cells that grow by 5 to 1. */
static inline struct wn_axis axis(enum wn_coordinate coordinate, int32_t cells,
                                  double from, double to, enum spacing spacing,
                                  int is_periodic)
{
  double x[MOST + 1], sum = 0.0;
  struct wn_axis a = {0};
  for (int32_t i = 0; i <= cells; i++) {
    const double s = (double)i / (double)cells;
    x[i] = spacing == RANDOM ? sum : spacing == SMOOTH ? (s + 2.0 * s * s) / 3.0 : s;
    sum += 0.3 + uniform();
  }
  for (int32_t i = 0; i <= cells; i++)
    x[i] = i == cells ? to : from + (to - from) * (x[i] / x[cells]);
  WN_ASSERT(wn_axis_create(coordinate, cells, x, is_periodic, &a) == WN_OK);
  return a;
}

/* The axes are in d->spec.geometry; sides as their pairs. */
static inline void close_domain(struct domain *d, int dim,
                                const enum wn_potential side[6])
{
  struct wn_geometry *g = &d->spec.geometry;
  d->spec.dim = g->dim = dim;
  d->nodes = 1;
  g->surface = d->surface;
  for (int i = 0; i < dim; i++) {
    d->spec.cells[i] = (size_t)g->axis[i].cells;
    d->step[i] = d->nodes;
    d->nodes *= d->spec.cells[i] + 1;
  }
  WN_ASSERT(d->nodes <= MAX_N);
  for (g->n_surfaces = 0; g->n_surfaces < 2 * dim; g->n_surfaces++) {
    d->spec.side[g->n_surfaces] = side[g->n_surfaces];
    d->surface[g->n_surfaces] = wn_geometry_side(g, g->n_surfaces);
    d->surface[g->n_surfaces].potential = (int32_t)side[g->n_surfaces];
  }
}

/* A block of nodes with a potential of its own; its number in the list. */
static inline int electrode(struct domain *d, const int32_t low[3], const int32_t high[3])
{
  struct wn_geometry *g = &d->spec.geometry;
  struct wn_surface *s = &d->surface[g->n_surfaces];
  *s = (struct wn_surface){.name = "electrode", .potential = WN_DIRICHLET, .normal = 1};
  for (int i = 0; i < g->dim; i++) {
    s->low[i] = low[i];
    s->high[i] = high[i];
  }
  g->n_surfaces++;
  wn_geometry_hold(g, d->held);
  g->held = d->held;
  return g->n_surfaces - 1;
}

static inline void clear(struct domain *d)
{
  for (int i = 0; i < d->spec.dim; i++)
    wn_axis_clear(&d->spec.geometry.axis[i]);
}

static inline void place(const struct domain *d, size_t at, int64_t node[3])
{
  for (int i = 0; i < 3; i++) {
    node[i] = i < d->spec.dim ? (int64_t)(at % (d->spec.cells[i] + 1)) : 0;
    at /= i < d->spec.dim ? d->spec.cells[i] + 1 : 1;
  }
}

/* By the method `name`; volumes also where a grid is so large that another takes it. */
static inline struct wn_poisson *create(const struct domain *d, const char *name)
{
  struct wn_poisson *p = NULL;
  if (strcmp(name, wn_poisson_volumes.name) == 0 && wn_poisson_check(&d->spec) == WN_OK &&
      wn_poisson_volumes.create(&d->spec, &p) == WN_OK)
    return p;
  if (wn_poisson_create(&d->spec, &p) != WN_OK ||
      strcmp(wn_poisson_method_name(&d->spec), name) != 0) {
    ok(0, "the method is %s, not %s", wn_poisson_method_name(&d->spec), name);
    exit(done());
  }
  return p;
}

static inline void solve(const struct domain *d, const double *volt, double *to)
{
  struct wn_poisson *p = create(d, "volumes");
  if (wn_poisson_solve(p, rho, volt, to) != WN_OK)
    ok(0, "a solution was found");
  wn_poisson_free(p);
}

/* The charge [C] of a node besides rho: eps0 times the flux out of it less what rho is. */
static inline double flux(const struct domain *d, size_t at, const double *v)
{
  const struct wn_geometry *g = &d->spec.geometry;
  int64_t node[3];
  double out = 0.0;
  place(d, at, node);
  for (int i = 0; i < g->dim; i++) {
    int64_t below[3] = {node[0], node[1], node[2]};
    below[i]--;
    if (node[i] < g->axis[i].cells)
      out += (v[at] - v[at + d->step[i]]) / wn_axis_edge(&g->axis[i], node[i]) *
             wn_geometry_face(g, i, node);
    if (node[i] > 0)
      out += (v[at] - v[at - d->step[i]]) / wn_axis_edge(&g->axis[i], below[i]) *
             wn_geometry_face(g, i, below);
  }
  return WN_EPS0 * out;
}
#endif
