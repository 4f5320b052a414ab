/* fields/dielectrics.h - the permittivity of dielectric bodies inside a grid (physics/electrode.h), and the charge
 * on their surfaces.
 *
 * Permittivity.  In a box that a surface crosses D = eps0 eps E with the tensor of layers: with the means <eps> and
 * <1/eps> over the box and the unit normal n of the surface in it,
 *
 *   eps_ij = <eps> (delta_ij - n_i n_j) + n_i n_j / <1/eps>
 *
 * side by side along the surface, in series across it.  (Means of this kind: C. Kottke, A. Farjadpour and S. G. Johnson, Phys. Rev.
 * E 77 (2008) 036611, as known, the paper was not at hand.)
 *   - eps_dd is a factor of the edge along d (struct wn_poisson_spec), of the box of the edge and the face across it
 *   - eps_xy, of the box of a face of four nodes and what is nearest to it along a third axis, makes two links.  With the node a, b
 *     from it along x, c along y, and d opposite, the products of differences at the four corners add up to [(d - a)^2 -
 *     (b - c)^2]: two conductances of opposite signs
 * A link is at most what leaves the form of each corner of the face positive, by the edges that meet there, so that the matrix is
 * symmetric and positive.  That cuts links where eps is above about 6.  Plates with a slab between are exact, wherever
 * its surfaces lie.  Without links the field in a sphere is of first order; with them its error is some five times smaller.
 * Potentials in the boxes of an oblique surface are those of layers, off by the order of h E.  Derived here;
 * t/fields/t0729-dielectrics.c measures it, doc/dielectrics.md has the numbers.
 *
 * Charge on a surface belongs to the nodes of its cell.  The part of node k is proportional to w_k eps_k, w_k that of a
 * linear shape (CIC), eps_k the permittivity at the node.  These are the weights by which the potential at the place follows
 * from those of the nodes, with its bend at the surface: on an edge they are (1 - t) eps_1 : t eps_2, which is exact
 * in one dimension.  Parts are whole quanta, and their sum is that of the particle.  Derived here. */
#ifndef WN_FIELDS_DIELECTRICS_H
#define WN_FIELDS_DIELECTRICS_H
#include <stddef.h>
#include <stdint.h>
#include "fields/poisson/poisson.h"
#include "physics/electrode.h"
#include "physics/geometry.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

struct wn_dielectrics {
  double *eps;       /* [nodes]: relative, 1 in the gas and in electrodes */
  double *factor[3]; /* [nodes]: of the edges along each axis */
  struct wn_poisson_link *link;
  size_t n_links;
  double *flux; /* [nodes], of wn_dielectrics_flux */
};

/* first: the first of n shapes that is a dielectric; those before it are electrodes, up to whose surfaces a box
 * counts.  WN_ENOMEM. */
int wn_dielectrics_create(const struct wn_geometry *g,
                          const struct wn_electrode_shape *shape, int n, int first,
                          struct wn_dielectrics **out);
void wn_dielectrics_free(struct wn_dielectrics *d);

/* Bytes of create for a grid of so many nodes, without the links. */
size_t wn_dielectrics_bytes(int dim, size_t nodes);

/* The flux out of each of the nodes by links over eps0 [V m], until the next call. */
const double *wn_dielectrics_flux(const struct wn_dielectrics *d, size_t nodes,
                                  const double *phi);

/* The quanta of a particle at `place` [cells], of the sign that they have, in parts of the 2^dim nodes of its cell;
 * eps: at nodes; node: places in arrays of nodes, x fastest.  Returns how many. */
int wn_dielectrics_divide(const struct wn_geometry *g, const double *eps,
                          const double place[3], int64_t quanta, size_t node[8],
                          int64_t part[8]);

WN_END_DECLS

#endif
