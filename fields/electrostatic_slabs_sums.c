/* fields/electrostatic_slabs_sums.c - sums over the nodes and edges of a field in slabs, as
 * wn_electrostatic_sums of electrostatic.c makes them: each rank those of its planes and of the edges that
 * begin there, added in the order of planes and of ranks. */
#include <math.h>
#include "fields/electrostatic_slabs_parts.h"
#include "fields/poisson_parts.h"
#include "physics/constants.h"

enum { CHARGE, INSIDE, PAIRS, SQUARE, THROUGH, DROP, N_SUMS = DROP + 3 };
_Static_assert(N_SUMS <= WN_SLAB_SUMS, "room for them");

/* A node: its place along the axes, and steps from it in the arrays of this rank. */
struct node {
  int64_t at[3], step[3];
  double rho;
  const double *phi;
};

static struct node node(const struct wn_field_slabs *f, int64_t x, int64_t y, int64_t k)
{
  const struct wn_slab *s = &f->slab;
  const int64_t i = y * s->nx + x;
  struct node n = {
      .step = {s->axis == 0 ? s->plane : 1, s->axis == 1 ? s->plane : s->nx, s->plane},
      .rho = f->rho[(k - s->own[0]) * s->plane + i],
      .phi = wn_slab_phi(f, k) + i};
  wn_slab_place(s, x, y, k, n.at);
  return n;
}

/* Is it neither at a side nor beside one?  Beyond a periodic end of the slabs are guards. */
static int is_inner(const struct wn_slab *s, const int64_t at[3])
{
  int inner = 1;
  for (int d = 0; d < s->nodes.grid.dim; d++)
    inner &= (d == s->axis && s->is_periodic) ||
             (at[d] > 1 && at[d] < s->nodes.grid.cells[d] - 1);
  return inner;
}

static void add_inner(const struct wn_slab *s, const struct node *n, double cell,
                      double *sum)
{
  const struct wn_grid_view *g = &s->nodes.grid;
  const double q = n->rho * cell;
  sum[CHARGE] += q;
  sum[INSIDE] += q;
  sum[PAIRS] += 0.5 * q * *n->phi;
  for (int d = 0; d < g->dim; d++) {
    const double e = (*n->phi - n->phi[n->step[d]]) * g->per_h[d];
    sum[SQUARE] += e * e;
  }
}

/* What a node, and the edges that begin there, add; each with its part of a cell. */
static void add(const struct wn_slab *s, const struct node *n, double cell, double *sum)
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
  sum[CHARGE] += q;
  sum[INSIDE] += held ? 0.0 : q;
  sum[PAIRS] += 0.5 * q * *n->phi;
  for (int d = 0; d < g->dim; d++) {
    const double others = part[d == 0 ? 1 : 0] * part[d == 2 ? 1 : 2];
    const int end = (n->at[d] == 0) - (n->at[d] == g->cells[d]);
    if (!wn_nodes_are_periodic(c, d))
      sum[DROP + d] += (double)end * others * *n->phi * cell * g->per_h[d];
    if (n->at[d] == g->cells[d])
      continue;
    const double e = (*n->phi - n->phi[n->step[d]]) * g->per_h[d];
    const int low = n->at[d] == 0 && wn_nodes_are_held(c, 2 * d),
              high = n->at[d] == g->cells[d] - 1 && wn_nodes_are_held(c, 2 * d + 1);
    sum[SQUARE] += others * e * e;
    sum[THROUGH] += WN_EPS0 * others * (double)(high - low) * e * cell * g->per_h[d];
  }
}

/* As wn_poisson_residual; taken: what makes the whole neutral where nothing holds phi. */
static double left_at(const struct wn_slab *s, const struct node *n, double taken)
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

static int is_asked(const struct wn_field_slabs *f, const int64_t at[3])
{
  int is = 1;
  for (int d = 0; d < f->grid.dim; d++) {
    const struct wn_poisson_axis a = wn_poisson_axis(&f->spec.poisson, d);
    is &= at[d] >= (int64_t)a.first && at[d] < (int64_t)(a.first + a.n);
  }
  return is;
}

void wn_slab_sums(const struct wn_field_slabs *f, struct wn_charge_sums *out)
{
  const struct wn_slab *s = &f->slab;
  const double cell = wn_nodes_cell(&f->grid);
  double sum[N_SUMS] = {0.0}, volume = 1.0, most[2] = {0.0, 0.0};
  WN_FOR_SLAB(s, i)
  {
    const struct node n = node(f, x, y, k);
    (is_inner(s, n.at) ? add_inner : add)(s, &n, cell, sum);
  }
  wn_slab_add_up(f, sum, N_SUMS);
  for (int d = 0; d < f->grid.dim; d++)
    volume *= f->grid.length[d];
  const double taken =
      wn_poisson_is_floating(&f->spec.poisson) ? sum[CHARGE] / volume : 0.0;
  WN_FOR_SLAB(s, i)
  {
    const struct node n = node(f, x, y, k);
    if (!is_inner(s, n.at) && !is_asked(f, n.at))
      continue;
    const double left = left_at(s, &n, taken);
    most[0] = left > most[0] || isnan(left) ? left : most[0];
    most[1] = fmax(most[1], fabs(n.rho) / WN_EPS0);
  }
  wn_ranks_most(most, 2);
  *out = (struct wn_charge_sums){.charge = sum[CHARGE],
                                 .inside = sum[INSIDE],
                                 .pairs = sum[PAIRS],
                                 .square = sum[SQUARE],
                                 .through = sum[THROUGH],
                                 .drop = {sum[DROP], sum[DROP + 1], sum[DROP + 2]},
                                 .left = most[0],
                                 .largest = most[1]};
}
