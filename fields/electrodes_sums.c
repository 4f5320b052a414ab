/* fields/electrodes_sums.c - integrals over a grid with electrodes inside, by the nodes, edges and
 * factors of the solver: see electrodes.h. */
#include <math.h>
#include "fields/electrodes.h"
#include "physics/constants.h"

struct pass {
  const struct wn_electrodes *e;
  const struct wn_geometry *g;
  const enum wn_potential *side;
  const double *phi;
  size_t step[3];
  const double *
      by_links; /* [nodes]: the flux out of each by links, over eps0; NULL: there are none */
};

static int is_copy(const struct pass *p, const int64_t node[3])
{
  int is = 0;
  for (int d = 0; d < p->e->dim; d++)
    is |= p->g->axis[d].is_periodic && node[d] == p->g->axis[d].cells;
  return is;
}

/* Whether the potential is given there. */
static int is_given(const struct pass *p, size_t i, const int64_t node[3])
{
  int is = p->e->held[i] >= 0;
  for (int d = 0; d < p->e->dim; d++) {
    is |= node[d] == 0 && p->side[2 * d] == WN_DIRICHLET;
    is |= node[d] == p->g->axis[d].cells && p->side[2 * d + 1] == WN_DIRICHLET;
  }
  return is;
}

/* The edge along d from node i to the next, which is *other at `there`: its A/l, with its factor; 0:
 * there is none. */
static double edge(const struct pass *p, size_t i, const int64_t node[3], int d,
                   size_t *other, int64_t there[3])
{
  const struct wn_axis *a = &p->g->axis[d];
  if (node[d] == a->cells)
    return 0.0;
  for (int o = 0; o < 3; o++)
    there[o] = node[o] + (o == d);
  *other = i + p->step[d];
  if (a->is_periodic && there[d] == a->cells) {
    there[d] = 0;
    *other -= (size_t)a->cells * p->step[d];
  }
  return wn_geometry_face(p->g, d, node) / wn_axis_edge(a, node[d]) * p->e->edge[d][i];
}

/* The flux out of a node over eps0. */
static double out_of(const struct pass *p, size_t i, const int64_t node[3])
{
  double sum = p->by_links != NULL ? p->by_links[i] : 0.0;
  for (int d = 0; d < p->e->dim; d++) {
    const struct wn_axis *a = &p->g->axis[d];
    int64_t there[3], below[3] = {node[0], node[1], node[2]};
    size_t other;
    double c = edge(p, i, node, d, &other, there);
    sum += c > 0.0 ? c * (p->phi[i] - p->phi[other]) : 0.0;
    if (node[d] == 0 && !a->is_periodic)
      continue;
    below[d] = (node[d] == 0 ? a->cells : node[d]) - 1;
    const size_t low = i + (size_t)below[d] * p->step[d] - (size_t)node[d] * p->step[d];
    c = edge(p, low, below, d, &other, there);
    sum += c * (p->phi[i] - p->phi[low]);
  }
  return sum;
}

/* Of the edges from a node on: of E^2, and the flux to nodes of given potential. */
static void add_edges(const struct pass *p, size_t i, const int64_t node[3],
                      struct wn_electrode_sums *s)
{
  const int given = is_given(p, i, node);
  for (int d = 0; d < p->e->dim; d++) {
    int64_t there[3];
    size_t other = 0;
    const double c = edge(p, i, node, d, &other, there);
    if (!(c > 0.0))
      continue;
    const double drop = p->phi[i] - p->phi[other];
    s->square += c * drop * drop;
    if (given != is_given(p, other, there))
      s->through += WN_EPS0 * c * (given ? -drop : drop);
  }
}

static void node_of(const struct wn_electrodes *e, size_t i, int64_t node[3])
{
  node[0] = (int64_t)(i % e->n[0]);
  node[1] = (int64_t)(i / e->n[0] % e->n[1]);
  node[2] = (int64_t)(i / e->n[0] / e->n[1]);
}

/* As add_edges. */
static void sum_links(const struct pass *p, struct wn_electrode_sums *s)
{
  const struct wn_dielectrics *d = p->e->dielectrics;
  for (size_t k = 0; d != NULL && k < d->n_links; k++) {
    const struct wn_poisson_link *l = &d->link[k];
    const double drop = p->phi[l->node[0]] - p->phi[l->node[1]];
    int64_t node[2][3];
    node_of(p->e, l->node[0], node[0]);
    node_of(p->e, l->node[1], node[1]);
    const int given = is_given(p, l->node[0], node[0]);
    s->square += l->conductance * drop * drop;
    if (given != is_given(p, l->node[1], node[1]))
      s->through += WN_EPS0 * l->conductance * (given ? -drop : drop);
  }
}

/* Flux out of nodes by links; NULL: there are none. */
static const double *links_of(const struct wn_electrodes *e, const double *phi)
{
  return e->dielectrics != NULL ? wn_dielectrics_flux(e->dielectrics, e->nodes, phi)
                                : NULL;
}

void wn_electrodes_sums(const struct wn_electrodes *e, const struct wn_geometry *g,
                        const enum wn_potential side[6], const double *phi,
                        struct wn_electrode_sums *out)
{
  struct pass p = {e, g, side, phi, {1, e->n[0], e->n[0] * e->n[1]}, links_of(e, phi)};
  int64_t node[3];
  size_t i = 0;
  *out = (struct wn_electrode_sums){0};
  sum_links(&p, out);
  for (node[2] = 0; node[2] < (int64_t)e->n[2]; node[2]++)
    for (node[1] = 0; node[1] < (int64_t)e->n[1]; node[1]++)
      for (node[0] = 0; node[0] < (int64_t)e->n[0]; node[0]++, i++) {
        if (is_copy(&p, node))
          continue;
        add_edges(&p, i, node, out);
        if (is_given(&p, i, node))
          continue;
        const double v = wn_geometry_volume(g, node), charge = e->rho[i] * v;
        out->inside += charge;
        out->left = fmax(out->left, fabs(charge / WN_EPS0 - out_of(&p, i, node)) / v);
        out->largest = fmax(out->largest, fabs(e->rho[i]) / WN_EPS0);
      }
}

/* The electrode that has a node, from 0; -1: none. */
static int electrode_at(const struct wn_electrodes *e, size_t i, int n)
{
  const int k = e->held[i] - 2 * e->dim;
  return k >= 0 && k < n ? k : -1;
}

/* The electrode of a cell of which a node in the gas is a corner: the nearest, of several the first. */
static int electrode_near(const struct wn_electrodes *e, const int64_t at[3], int n)
{
  int found = -1, nearest = 4;
  int64_t by[3];
  for (by[2] = -1; by[2] < 2; by[2]++)
    for (by[1] = -1; by[1] < 2; by[1]++)
      for (by[0] = -1; by[0] < 2; by[0]++) {
        size_t i = 0, step = 1;
        int is = 1, far = 0;
        for (int d = 0; d < 3; d++) {
          const int64_t k = at[d] + by[d];
          is &= k >= 0 && k < (int64_t)e->n[d];
          i += is ? (size_t)k * step : 0;
          step *= e->n[d];
          far += by[d] != 0;
        }
        const int k = is && far < nearest ? electrode_at(e, i, n) : -1;
        if (k >= 0) {
          found = k;
          nearest = far;
        }
      }
  return found;
}

void wn_electrodes_charges(const struct wn_electrodes *e, const struct wn_geometry *g,
                           const enum wn_potential side[6], const double *rho,
                           const double *phi, int n, double *out)
{
  const struct pass p = {e, g, side, phi, {1, e->n[0], e->n[0] * e->n[1]}, NULL};
  int64_t node[3];
  size_t i = 0;
  for (int k = 0; k < n; k++)
    out[k] = 0.0;
  for (node[2] = 0; node[2] < (int64_t)e->n[2]; node[2]++)
    for (node[1] = 0; node[1] < (int64_t)e->n[1]; node[1]++)
      for (node[0] = 0; node[0] < (int64_t)e->n[0]; node[0]++, i++) {
        const int k = electrode_at(e, i, n);
        if (is_copy(&p, node))
          continue;
        if (k >= 0)
          out[k] -= rho[i] * wn_geometry_volume(g, node);
        for (int d = 0; d < e->dim; d++) {
          int64_t there[3];
          size_t other = 0;
          const double c = edge(&p, i, node, d, &other, there);
          const int to = c > 0.0 ? electrode_at(e, other, n) : k;
          const double flux = to != k ? WN_EPS0 * c * (phi[i] - phi[other]) : 0.0;
          if (to != k && k >= 0)
            out[k] += flux;
          if (to != k && to >= 0)
            out[to] -= flux;
        }
      }
  for (size_t k = 0; e->dielectrics != NULL && k < e->dielectrics->n_links; k++) {
    const struct wn_poisson_link *l = &e->dielectrics->link[k];
    const int from = electrode_at(e, l->node[0], n), to = electrode_at(e, l->node[1], n);
    const double flux = WN_EPS0 * l->conductance * (phi[l->node[0]] - phi[l->node[1]]);
    if (from != to && from >= 0)
      out[from] += flux;
    if (from != to && to >= 0)
      out[to] -= flux;
  }
  i = 0;
  for (node[2] = 0; node[2] < (int64_t)e->n[2]; node[2]++)
    for (node[1] = 0; node[1] < (int64_t)e->n[1]; node[1]++)
      for (node[0] = 0; node[0] < (int64_t)e->n[0]; node[0]++, i++) {
        if (e->held[i] >= 0 || e->rho[i] == rho[i])
          continue;
        const int k = electrode_near(e, node, n);
        if (k >= 0)
          out[k] += (e->rho[i] - rho[i]) * wn_geometry_volume(g, node);
      }
}
