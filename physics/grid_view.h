/* physics/grid_view.h - a grid of one to three dimensions, Cartesian or r-z, as the motion of a
 * particle needs it: extent, division of charge among the nodes, E at the particle.
 * Plain values and pointers, passed by value in kernels; SI.
 *
 * Nodes lie at i h, i = 0 .. cells, along each axis.  Node 0 and node `cells` are the
 * walls; they are the same node where the axis is periodic.  An array over the nodes has
 * WN_GRID_GUARD more at each end, so that every shape stays within it; x is fastest.
 *
 * A place along an axis is a cell and a part of it in units of 2^-32.  Charge is divided
 * in integers: a particle of W quanta gives W1 = round(W part) to one node and W - W1 to
 * the other; each of these is divided in the same way along the next axis.  So the charge
 * of the grid is the charge of the particles to the last quantum, and sums do not depend
 * on the order. */
#ifndef WN_PHYSICS_GRID_VIEW_H
#define WN_PHYSICS_GRID_VIEW_H
#include <stdint.h>
#include "physics/host_device.h"

/* 1, before the first include of a .cu: its kernels are those for r-z.  All others are for Cartesian grids,
 * and have no code and no register of r-z. */
#ifndef WN_RADIAL_KERNELS
#define WN_RADIAL_KERNELS 0
#endif

#define WN_GRID_GUARD 1
#define WN_MAX_DIM    3
#define WN_SIDES      6 /* of a box: what kernels count in; a list of surfaces may be longer */
#define WN_QUANTA     1048576 /* 2^20: quanta of charge of a particle of weight 1 */

/* The spline shape of a particle: nearest grid point, linear (cloud in cell), quadratic
 * (triangular cloud).  Birdsall and Langdon, Plasma Physics via Computer Simulation,
 * 1985, chapter 8. */
enum wn_shape { WN_SHAPE_NGP, WN_SHAPE_CIC, WN_SHAPE_TSC, WN_N_SHAPES };

/* momentum: E at the nodes, gathered by the shape of the deposit, so that the forces
 * between two particles are opposite and equal and the self-force is zero.  energy: E
 * between the nodes (component d at i + 1/2 along d), gathered by a shape one order lower
 * along d, so that E is minus the gradient of the particle's own potential; not with
 * NGP.  nested: E is not given at the nodes of the grid, but as a sum of functions on
 * coarser grids in it, each gathered as by momentum (fields/sparse/); with CIC.  A
 * scenario names the first two. */
enum wn_gather { WN_GATHER_MOMENTUM, WN_GATHER_ENERGY, WN_GATHER_NESTED, WN_N_GATHERS };

/* What a surface does to particles, a line each: its word in a scenario, and what it does to
 * the velocity normal to it of those that it returns; 0: it returns none.
 *   periodic  no surface: the other side of the axis is the same place
 *   absorb    particles are removed there and counted
 *   reflect   specular reflection
 *   open      particles leave and are counted; there is no wall */
#define WN_SIDE_KINDS(X)                                                                 \
  X(PERIODIC, "periodic", 0.0f)                                                          \
  X(ABSORB, "absorb", 0.0f)                                                              \
  X(REFLECT, "reflect", -1.0f)                                                           \
  X(OPEN, "open", 0.0f)                                                                  \
  /* the next */

enum wn_side_kind {
#define X(symbol, word, back) WN_SIDE_##symbol,
  WN_SIDE_KINDS(X)
#undef X
      WN_N_SIDE_KINDS
};

/* Returns whether a particle beyond a surface at `wall` is returned: its place x is then the
 * mirror image, and u along the normal what the kind makes of it. */
static WN_HD int wn_side_returns(int kind, int32_t wall, int32_t *x, float *u)
{
  switch (kind) {
#define X(symbol, word, back)                                                            \
  case WN_SIDE_##symbol:                                                                 \
    if (back == 0.0f)                                                                    \
      return 0;                                                                          \
    *x = 2 * wall - *x;                                                                  \
    *u *= back;                                                                          \
    return 1;
    WN_SIDE_KINDS(X)
#undef X
  default:
    return 0;
  }
}

/* A grid whose cells are 2^shift cells of a finer one along each axis. */
struct wn_nested_grid {
  int32_t shift[3];
  int32_t step[3]; /* from a node to the next along each axis, in nodes */
  int32_t first;   /* index of node (0, 0, 0) in e */
};

struct wn_grid_view {
  int32_t dim, shape, gather;
  int32_t stride;   /* floats of a node in e: dim, 4 where dim is 3 */
  int32_t cells[3]; /* 1 beyond dim */
  int32_t step[3];  /* from a node to the next along each axis, in nodes */
  int32_t first;    /* index of node (0, 0, 0) in an array */
  int32_t side[6];  /* enum wn_side_kind; 2 * axis + (0: low, 1: high) */
  /* Place of a particle record (physics/mover.h): a cell has 2^bits parts, and
   * cells * 2^bits is below 2^30 */
  int32_t bits[3];
  double h[3], per_h[3], length[3]; /* m, 1/m, m */
  const float *e; /* V/m, [nodes][stride]; nested: of all nested grids */
  /* Of a field that gives E and B on the nodes (physics/nodal_field.h): V/m and T,
   * [nodes][WN_NODAL_VALUES]; NULL: another field */
  const float *eb;
  /* 1: axis 0 is the distance from an axis of symmetry at its node 0, axis 1 lies along this
   * (physics/radial.h).  0: all axes are Cartesian */
  int32_t is_radial;
  int32_t no_charge; /* 1: the field takes no charge from the nodes of this grid, so that
                      * schedulers leave none there */
  /* WN_GATHER_NESTED alone; no guards, but e has a node after the last one along each
   * axis, read with weight 0 at an upper wall */
  int32_t n_nested;
  struct wn_nested_grid nested[WN_MAX_DIM];
};

/* Nodes of an array, guards included. */
static WN_HD int64_t wn_grid_nodes(const struct wn_grid_view *g)
{
  int64_t n = 1;
  for (int d = 0; d < g->dim; d++)
    n *= g->cells[d] + 1 + 2 * WN_GRID_GUARD;
  return n;
}

#endif
