/* fields/charge_nodes.h - the nodes of a field's grid for charge and E, for the host and
 * for kernels: which nodes are copies of others, which part of a cell belongs to a node,
 * and the values of the guards beyond the sides. */
#ifndef WN_FIELDS_CHARGE_NODES_H
#define WN_FIELDS_CHARGE_NODES_H
#include <stdint.h>
#include "fields/poisson/poisson.h"
#include "physics/grid_view.h"
#include "physics/host_device.h"

struct wn_charge_nodes {
  struct wn_grid_view grid;
  int32_t side[6]; /* enum wn_potential */
  uint32_t
      mirrors; /* bits of the sides of Neumann's condition, as wn_deposit_fold takes */
};

static WN_HD struct wn_charge_nodes wn_charge_nodes(const struct wn_grid_view *g,
                                                    const struct wn_poisson_spec *p)
{
  struct wn_charge_nodes n = {*g, {0, 0, 0, 0, 0, 0}, 0};
  for (int side = 0; side < 2 * g->dim; side++) {
    n.side[side] = (int32_t)p->side[side];
    n.mirrors |= p->side[side] == WN_NEUMANN ? 1u << side : 0u;
  }
  return n;
}

/* Nodes along axis d without guards; 1 beyond dim. */
static WN_HD int64_t wn_nodes_along(const struct wn_grid_view *g, int d)
{
  return d < g->dim ? g->cells[d] + 1 : 1;
}

static WN_HD int wn_nodes_are_periodic(const struct wn_charge_nodes *n, int d)
{
  return n->side[2 * d] == WN_PERIODIC;
}

/* Whether i is at a wall of axis d: half of its cell is outside. */
static WN_HD int wn_nodes_is_end(const struct wn_charge_nodes *n, int d, int64_t i)
{
  return !wn_nodes_are_periodic(n, d) && (i == 0 || i == n->grid.cells[d]);
}

/* The second end of a periodic axis, a copy of the first. */
static WN_HD int wn_nodes_is_copy(const struct wn_charge_nodes *n, int d, int64_t i)
{
  return wn_nodes_are_periodic(n, d) && i == n->grid.cells[d];
}

/* Whether Poisson's equation does not hold at the nodes of a side: their potential is
 * given, or their neighbours are beyond the grid. */
static WN_HD int wn_nodes_are_held(const struct wn_charge_nodes *n, int side)
{
  return n->side[side] == WN_DIRICHLET || n->side[side] == WN_OPEN;
}

static WN_HD double wn_nodes_cell(const struct wn_grid_view *g)
{
  double v = 1.0;
  for (int d = 0; d < g->dim; d++)
    v *= g->h[d];
  return v;
}

/* 1/m3, 1/m2, 1/m: factor from quanta at a node to particles of weight 1 per volume.
 * part: of a cell, for all axes except x; x: index of the node along x. */
static WN_HD double wn_nodes_per_volume(const struct wn_charge_nodes *n, double part,
                                        int64_t x)
{
  const double whole = part * (wn_nodes_is_end(n, 0, x) ? 0.5 : 1.0);
  return 1.0 / (WN_QUANTA * wn_nodes_cell(&n->grid) * whole);
}

/* The entry of an array without guards that gives the value of a node with guards at
 * index i along d; *sign changes where the value is reversed: beyond a periodic axis its
 * other end, beyond a plane of symmetry the mirror image, beyond another wall that of the
 * wall. staggered: entries lie at i + 1/2; the last but one is that of the last cell. */
static WN_HD int64_t wn_nodes_beyond(const struct wn_charge_nodes *n, int d, int64_t i,
                                     int staggered, int *sign)
{
  const int64_t cells = n->grid.cells[d], last = staggered ? cells - 1 : cells;
  const int high = i > last, low = i < 0;
  if (!high && !low)
    return i;
  if (wn_nodes_are_periodic(n, d))
    return (i + cells) % cells;
  if (n->side[2 * d + high] != WN_NEUMANN)
    return low ? 0 : last;
  *sign = -*sign;
  if (low)
    return staggered ? -1 - i : -i;
  return staggered ? 2 * cells - 1 - i : 2 * cells - i;
}

/* The converse for charge: the nodes along d, itself and guards, whose quanta
 * wn_deposit_fold adds to node i, which is no copy.  Returns their number, at most 3. */
static WN_HD int wn_nodes_folded(const struct wn_charge_nodes *n, int d, int32_t i,
                                 int32_t from[3])
{
  const int32_t cells = n->grid.cells[d];
  const int32_t *kind = &n->grid.side[2 * d];
  int32_t low = cells - 1, high = 1; /* targets of the guards */
  int k = 0;
  from[k++] = i;
  if (kind[0] == WN_SIDE_PERIODIC) {
    if (i == 0)
      from[k++] = cells;
  } else {
    low = kind[0] == WN_SIDE_REFLECT || (n->mirrors >> (2 * d) & 1) ? 1 : 0;
    high =
        kind[1] == WN_SIDE_REFLECT || (n->mirrors >> (2 * d + 1) & 1) ? cells - 1 : cells;
  }
  if (i == low)
    from[k++] = -1;
  if (i == high)
    from[k++] = cells + 1;
  return k;
}

#endif
