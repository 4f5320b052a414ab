/* fields/sparse/components.h - the component grids of the combination technique, and the parent grids by which
 * particles exchange charge and E with them.  Pure functions of integers; no memory.
 *
 * The full grid has 2^n cells along each axis, and is never needed as a whole.  A component grid of levels
 * l = (l_0, ..., l_{d-1}) has 2^l_i cells along axis i of the same box.  With a smallest level tau_0 and an
 * offset tau_1 the approximation is that of all levels with
 *     tau_0 <= l_i <= n,   l_0 + ... + l_{d-1} <= n + tau_1:
 * a quantity on the full grid is the sum over these grids of a coefficient times its multilinear interpolation.
 * The coefficient of l is the sum over z in {0,1}^d with l + z among these levels of (-1)^|z|; where it is 0 the
 * grid is not needed.  tau_0 = 1 and tau_1 = d - 1 is the standard technique of Griebel, Schneider and Zenger
 * (1992), for particles Ricketson and Cerfon, Plasma Phys. Control. Fusion 59, 024002 (2017): the sums of levels
 * are n + d - 1 - j, the coefficients (-1)^j C(d-1, j).  tau_1 = (d-1) tau_0: truncated, Muralikrishnan et al.,
 * J. Comput. Phys. X 11, 100094 (2021); tau_0 = n is then the full grid.  A larger tau_1 adds grids that are fine
 * along several axes at once.
 *
 * Parents.  The linear shape function of a node of a grid is a sum of those of any finer grid with the same
 * walls: 1/2, 1, 1/2 along an axis with twice the cells.  So the charge of a component grid is the restriction of
 * the charge on any grid that is as fine along each axis, and what component grids interpolate is, summed, what
 * one such grid interpolates.  A parent is a grid that is as fine as all components assigned to it.  With at most
 * `dim` of them, one for each axis, a particle is deposited on 8 nodes of three grids in the place of 8 nodes of
 * 64 (n = 7 in three dimensions), and E is gathered likewise; noise and bias are those of the component
 * grids. */
#ifndef WN_FIELDS_SPARSE_COMPONENTS_H
#define WN_FIELDS_SPARSE_COMPONENTS_H
#include <stddef.h>
#include <stdint.h>
#include "physics/grid_view.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

#define WN_SPARSE_LEVELS 10 /* n at most: 136 grids in three dimensions */
#define WN_SPARSE_MAX    136

/* Where E of the components is combined.
 *   nodes     at the nodes of the full grid, from where particles gather it
 *   particle  at the particle, as a sum over the parents: no array is as large as the full grid
 * It is the same function: the sum of the components' interpolations is linear along each axis between nodes of the
 * full grid, whose cells lie in those of every component. */
enum wn_sparse_combined { WN_SPARSE_NODES, WN_SPARSE_PARTICLE, WN_N_SPARSE_COMBINED };

struct wn_component {
  int32_t level[WN_MAX_DIM]; /* 0 beyond dim: one node */
  int32_t coefficient;
  int32_t parent;
  int64_t
      first; /* of its nodes in an array of those of all components, [z][y][x], no guards */
};

struct wn_sparse_parent {
  int32_t level[WN_MAX_DIM];
  int64_t first; /* of its nodes in an array of those of all parents, no guards */
};

struct wn_components {
  int32_t dim, n;      /* levels of the full grid along each axis */
  int32_t least, more; /* tau_0, tau_1 */
  int32_t n_components, n_parents;
  int64_t nodes, parent_nodes; /* of all */
  struct wn_component c[WN_SPARSE_MAX];
  struct wn_sparse_parent parent[WN_MAX_DIM];
};

/* What it is made of. */
struct wn_sparse_levels {
  int32_t dim;         /* 2 or 3 */
  int32_t n;           /* 3 to WN_SPARSE_LEVELS */
  int32_t least, more; /* tau_0, 1 to n; tau_1, (dim-1) tau_0 to (dim-1) n */
};

/* The standard technique, and one truncated at a smallest level. */
static WN_HD struct wn_sparse_levels wn_sparse_truncated(int dim, int n, int least)
{
  const struct wn_sparse_levels l = {dim, n, least, (dim - 1) * least};
  return l;
}

/* WN_EINPUT, with what is allowed: limits of struct wn_sparse_levels, or more than WN_SPARSE_MAX grids.  Order: by
 * falling sum of levels, then rising level along x, then y. */
int wn_components_make(const struct wn_sparse_levels *of, struct wn_components *out);

/* Nodes along an axis of this level, both walls (or both ends of a period) included. */
static WN_HD int64_t wn_sparse_nodes_along(int level)
{
  return ((int64_t)1 << level) + 1;
}

/* Nodes of a grid of these levels. */
static WN_HD int64_t wn_sparse_nodes(int dim, const int32_t level[WN_MAX_DIM])
{
  int64_t n = 1;
  for (int d = 0; d < dim; d++)
    n *= wn_sparse_nodes_along(level[d]);
  return n;
}

/* The full grid as particles see it where E is combined at the particle: the parents are its nested grids, in
 * their order.  A view that is combined at nodes is unchanged.  Either way no charge is taken from its nodes. */
void wn_sparse_view(const struct wn_components *c, enum wn_sparse_combined at,
                    struct wn_grid_view *g);

/* Floats of its e. */
size_t wn_sparse_floats(const struct wn_components *c, enum wn_sparse_combined at,
                        const struct wn_grid_view *full);

/* N Var(rho)/rho^2 of N random particles in a periodic box with linear shapes, at a node common to all grids: the
 * sum over pairs of grids of the coefficients times, along each axis, 2^a (1 - 2^(a-b)/3), a <= b the two levels;
 * less 1.  The standard grid: (2/3)^d 2^(n d) - 1. */
double wn_sparse_noise(const struct wn_components *c);
double wn_sparse_standard_noise(int dim, int n);

WN_END_DECLS

#endif
