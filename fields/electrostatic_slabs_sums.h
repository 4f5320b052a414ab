/* fields/electrostatic_slabs_sums.h - what a node of a slab, and the edges that begin there, add to the sums
 * of a field, for the host and for kernels: as wn_field_sums of electrostatic.c makes them. */
#ifndef WN_FIELDS_ELECTROSTATIC_SLABS_SUMS_H
#define WN_FIELDS_ELECTROSTATIC_SLABS_SUMS_H
#include <math.h>
#include "fields/electrostatic_slabs_parts.h"
#include "physics/constants.h"

/* In the order of struct wn_charge_sums. */
enum {
  WN_SLAB_CHARGE,
  WN_SLAB_INSIDE,
  WN_SLAB_PAIRS,
  WN_SLAB_SQUARE,
  WN_SLAB_THROUGH,
  WN_SLAB_DROP
};

/* A node: its place along the axes, and steps from it in the arrays of this rank. */
struct wn_slab_node {
  int64_t at[3], step[3];
  double rho;
  const double *phi;
};

/* Node (x, y) of plane k; rho: of the first own plane; phi: of plane 0, which may be elsewhere. */
static WN_HD struct wn_slab_node wn_slab_node(const struct wn_slab *s, const double *rho,
                                              const double *phi, int64_t x, int64_t y,
                                              int64_t k)
{
  const int64_t i = y * s->nx + x;
  struct wn_slab_node n = {
      {0, 0, 0},
      {s->axis == 0 ? s->plane : 1, s->axis == 1 ? s->plane : s->nx, s->plane},
      rho[(k - s->own[0]) * s->plane + i],
      phi + k * s->plane + i};
  wn_slab_place(s, x, y, k, n.at);
  return n;
}

/* Is it neither at a side nor beside one?  Beyond a periodic end of the slabs are guards. */
static WN_HD int wn_slab_is_far(const struct wn_slab *s, const int64_t at[3])
{
  int inner = 1;
  for (int d = 0; d < s->nodes.grid.dim; d++)
    inner &= (d == s->axis && s->is_periodic) ||
             (at[d] > 1 && at[d] < s->nodes.grid.cells[d] - 1);
  return inner;
}

static WN_HD void wn_slab_add_far(const struct wn_slab *s, const struct wn_slab_node *n,
                                  double cell, double *sum)
{
  const struct wn_grid_view *g = &s->nodes.grid;
  const double q = n->rho * cell;
  sum[WN_SLAB_CHARGE] += q;
  sum[WN_SLAB_INSIDE] += q;
  sum[WN_SLAB_PAIRS] += 0.5 * q * *n->phi;
  for (int d = 0; d < g->dim; d++) {
    const double e = (*n->phi - n->phi[n->step[d]]) * g->per_h[d];
    sum[WN_SLAB_SQUARE] += e * e;
  }
}

/* What a node, and the edges that begin there, add; each with its part of a cell. */
static WN_HD void wn_slab_add(const struct wn_slab *s, const struct wn_slab_node *n,
                              double cell, double *sum)
{
  const struct wn_charge_nodes *c = &s->nodes;
  const struct wn_grid_view *g = &c->grid;
  double part[3] = {1.0, 1.0, 1.0};
  int held = 0;
  for (int d = 0; d < g->dim; d++) {
    if (wn_nodes_is_copy(c, d, n->at[d]))
      return;
    part[d] = wn_nodes_is_end(c, d, n->at[d]) ? 0.5 : 1.0;
    held |= (n->at[d] == 0 && wn_nodes_are_held(c, 2 * d)) ||
            (n->at[d] == g->cells[d] && wn_nodes_are_held(c, 2 * d + 1));
  }
  const double q = n->rho * part[0] * part[1] * part[2] * cell;
  sum[WN_SLAB_CHARGE] += q;
  sum[WN_SLAB_INSIDE] += held ? 0.0 : q;
  sum[WN_SLAB_PAIRS] += 0.5 * q * *n->phi;
  for (int d = 0; d < g->dim; d++) {
    const double others = part[d == 0 ? 1 : 0] * part[d == 2 ? 1 : 2];
    const int end = (n->at[d] == 0) - (n->at[d] == g->cells[d]);
    if (!wn_nodes_are_periodic(c, d))
      sum[WN_SLAB_DROP + d] += (double)end * others * *n->phi * cell * g->per_h[d];
    if (n->at[d] == g->cells[d])
      continue;
    const double e = (*n->phi - n->phi[n->step[d]]) * g->per_h[d];
    const int low = n->at[d] == 0 && wn_nodes_are_held(c, 2 * d),
              high = n->at[d] == g->cells[d] - 1 && wn_nodes_are_held(c, 2 * d + 1);
    sum[WN_SLAB_SQUARE] += others * e * e;
    sum[WN_SLAB_THROUGH] +=
        WN_EPS0 * others * (double)(high - low) * e * cell * g->per_h[d];
  }
}

/* As wn_poisson_residual; taken: what makes the whole neutral where nothing holds phi. */
static WN_HD double wn_slab_left(const struct wn_slab *s, const struct wn_slab_node *n,
                                 double taken)
{
  const struct wn_grid_view *g = &s->nodes.grid;
  double sum = (n->rho - taken) / WN_EPS0;
  for (int d = 0; d < g->dim; d++) {
    const double *a = n->phi;
    const int64_t step = n->step[d];
    sum +=
        d == s->axis && s->is_periodic
            ? ((a[-step] - a[0]) + (a[step] - a[0])) / (g->h[d] * g->h[d])
            : wn_poisson_second(g->cells[d], g->h[d], wn_nodes_are_periodic(&s->nodes, d),
                                step, a, n->at[d]);
  }
  return fabs(sum);
}

/* Does the equation hold there?  begin, end: the unknown nodes along each axis. */
static WN_HD int wn_slab_is_asked(const struct wn_slab *s, const int64_t begin[3],
                                  const int64_t end[3], const int64_t at[3])
{
  int is = 1;
  for (int d = 0; d < s->nodes.grid.dim; d++)
    is &= at[d] >= begin[d] && at[d] < end[d];
  return is;
}

#endif
