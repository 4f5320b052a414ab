/* fields/electrostatic_sums.h - what a node of a slab, and the edges that begin there, add to the integrals
 * over the domain (struct wn_charge_sums), for the host and for kernels. */
#ifndef WN_FIELDS_ELECTROSTATIC_SUMS_H
#define WN_FIELDS_ELECTROSTATIC_SUMS_H
#include <math.h>
#include "fields/electrostatic_parts.h"
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

/* most: of wn_slab_left, and the largest |rho|/eps0. */
static inline void wn_slab_sums_of(const double sum[WN_SLAB_SUMS], const double most[2],
                                   struct wn_charge_sums *out)
{
  const double *drop = sum + WN_SLAB_DROP;
  const struct wn_charge_sums s = {sum[WN_SLAB_CHARGE],
                                   sum[WN_SLAB_INSIDE],
                                   sum[WN_SLAB_PAIRS],
                                   sum[WN_SLAB_SQUARE],
                                   sum[WN_SLAB_THROUGH],
                                   {drop[0], drop[1], drop[2]},
                                   most[0],
                                   most[1]};
  *out = s;
}

/* A node: its place along the axes, and steps from it in the arrays of this rank.  far: as most, neither
 * at a side nor beside one, so that only its own values count. */
struct wn_slab_node {
  int64_t at[3], step[3];
  int far;
  double rho;
  const double *phi;
};

/* Node (x, y) of plane k; rho: of the first own plane; phi: of plane 0, which may be on another rank. */
static WN_HD struct wn_slab_node wn_slab_node(const struct wn_slab *s, const double *rho,
                                              const double *phi, int64_t x, int64_t y,
                                              int64_t k)
{
  const int64_t i = y * s->nx + x;
  struct wn_slab_node n = {
      {0, 0, 0},
      {s->axis == 0 ? s->plane : 1, s->axis == 1 ? s->plane : s->nx, s->plane},
      1,
      rho[(k - s->own[0]) * s->plane + i],
      phi + k * s->plane + i};
  wn_slab_place(s, x, y, k, n.at);
  n.far = !wn_slab_is_radial(s);
  for (int d = 0; d < WN_MAX_DIM; d++)
    n.far &= d >= s->nodes.grid.dim || (d == s->axis && s->wraps) ||
             (n.at[d] > 1 && n.at[d] < s->nodes.grid.cells[d] - 1);
  return n;
}

/* The parts of a cell along the axes but d that a node, and an edge along d, have. */
static WN_HD double wn_slab_part_across(const struct wn_slab *s, const int64_t at[3],
                                        int d)
{
  double part = 1.0;
  for (int c = 0; c < s->nodes.grid.dim; c++)
    part *= c != d ? wn_slab_part_along(s, c, at[c]) : 1.0;
  return part;
}

/* Whether the node, or edge along d, lies in a side of another axis that holds phi; d = dim: of any axis. */
static WN_HD int wn_slab_is_held(const struct wn_slab *s, const int64_t at[3], int d)
{
  const struct wn_charge_nodes *c = &s->nodes;
  int held = 0;
  for (int o = 0; o < c->grid.dim; o++)
    if (o != d && wn_nodes_is_end(c, o, at[o]))
      held |= wn_nodes_are_held(c, 2 * o + (at[o] > 0));
  return held;
}

/* The sums of a node that is no copy, with its part of a cell: all but the two of edges. */
static WN_HD void wn_slab_add_node(const struct wn_slab *s, const struct wn_slab_node *n,
                                   double cell, double *sum)
{
  const struct wn_charge_nodes *c = &s->nodes;
  const struct wn_grid_view *g = &c->grid;
  const int held = !n->far && wn_slab_is_held(s, n->at, g->dim);
  const double q = n->rho * (n->far ? 1.0 : wn_slab_part_of(s, n->at)) * cell;
  sum[WN_SLAB_CHARGE] += q;
  sum[WN_SLAB_INSIDE] += held ? 0.0 : q;
  sum[WN_SLAB_PAIRS] += 0.5 * q * *n->phi;
  for (int d = 0; d < g->dim && !n->far; d++) {
    const int end = (n->at[d] == 0) - (n->at[d] == g->cells[d]);
    if (end != 0 && !wn_nodes_are_periodic(c, d))
      sum[WN_SLAB_DROP + d] +=
          (double)end * wn_slab_part_across(s, n->at, d) * *n->phi * cell / g->h[d];
  }
}

/* The edge along d from a node that is no copy: *square gets E^2, *out E out of the domain through sides
 * that hold phi, each with its part of a cell: half of it in a wall along each other axis.  So square is
 * the energy that the operator's rho phi has, with the charges of walls; out is the flux from the volumes
 * of all nodes where Poisson's equation holds.  An edge between two walls has energy, and no such flux. */
static WN_HD void wn_slab_add_edge(const struct wn_slab *s, const struct wn_slab_node *n,
                                   int d, double *square, double *out)
{
  const struct wn_charge_nodes *c = &s->nodes;
  const int64_t cells = c->grid.cells[d];
  if (n->at[d] == cells && !n->far)
    return;
  const double w = s->per_h[d], e = w * *n->phi + -w * n->phi[n->step[d]];
  if (n->far) {
    *square += e * e;
    return;
  }
  const double area = d == 0 && wn_slab_is_radial(s) ? wn_axis_area(&s->radius, n->at[0])
                                                     : 1.0,
               part = area * wn_slab_part_across(s, n->at, d);
  const int low = n->at[d] == 0 && wn_nodes_are_held(c, 2 * d),
            high = n->at[d] == cells - 1 && wn_nodes_are_held(c, 2 * d + 1);
  *square += part * e * e;
  /* between two nodes that are held is no flux out of the volume inside */
  if ((low || high) && !wn_slab_is_held(s, n->at, d))
    *out += part * (double)(high - low) * e;
}

/* Second difference of phi [1/m2] along d where both neighbours lie in the array. */
static WN_HD double wn_slab_second(const struct wn_slab *s, const struct wn_slab_node *n,
                                   int d)
{
  const double h = s->nodes.grid.h[d], *a = n->phi;
  const int64_t step = n->step[d];
  return ((a[-step] - a[0]) + (a[step] - a[0])) / (h * h);
}

/* The same along a radius: the flux out of the volume of a node by it. */
static WN_HD double wn_slab_radial_second(const struct wn_slab *s,
                                          const struct wn_slab_node *n)
{
  const struct wn_axis *r = &s->radius;
  const int64_t i = n->at[0];
  double sum = 0.0;
  if (i > 0)
    sum += wn_axis_area(r, i - 1) * (n->phi[-n->step[0]] - *n->phi);
  if (i < r->cells)
    sum += wn_axis_area(r, i) * (n->phi[n->step[0]] - *n->phi);
  return sum / (r->h * wn_axis_share(r, i));
}

/* What is left of Poisson's equation, V/m2; taken: the mean charge where nothing holds phi. */
static WN_HD double wn_slab_left(const struct wn_slab *s, const struct wn_slab_node *n,
                                 double taken)
{
  const struct wn_grid_view *g = &s->nodes.grid;
  double sum = (n->rho - taken) / WN_EPS0;
  if (n->far) { /* no loop, which compilers make vectors of two of */
    sum += wn_slab_second(s, n, 0);
    sum += g->dim > 1 ? wn_slab_second(s, n, 1) : 0.0;
    sum += g->dim > 2 ? wn_slab_second(s, n, 2) : 0.0;
    return fabs(sum);
  }
  for (int d = 0; d < g->dim; d++)
    sum +=
        d == 0 && wn_slab_is_radial(s) ? wn_slab_radial_second(s, n)
        : d == s->axis && s->wraps
            ? wn_slab_second(s, n, d)
            : wn_poisson_second(g->cells[d], g->h[d], wn_nodes_are_periodic(&s->nodes, d),
                                n->step[d], n->phi, n->at[d]);
  return fabs(sum);
}

/* Whether the equation holds there; begin, end: the unknown nodes along each axis. */
static WN_HD int wn_slab_is_unknown(const struct wn_slab *s, const int64_t begin[3],
                                    const int64_t end[3], const struct wn_slab_node *n)
{
  int is = 1;
  for (int d = 0; d < s->nodes.grid.dim && !n->far; d++)
    is &= n->at[d] >= begin[d] && n->at[d] < end[d];
  return is;
}

#endif
