/* fields/electrode_shares.h - the charge of particles in cells that the surface of an electrode cuts.
 *
 * A deposit shares the charge of a particle among the corners of its cell, as if all of them were in the gas.  With
 * the surface at the part theta of an edge, a charge on the surface gives 1 - theta of itself to the node in the gas.
 * There it has a field of its own, of which a charge on a conductor has none.  Emission that space charge limits comes out half
 * too low with theta = 1/2 (doc/electrodes.md).
 *
 * The part of a charge at node j inside therefore takes the part c_kj of itself from the nodes k in the gas, corners of the same cells.  In
 * one dimension c = (1 - theta)/theta makes the share of node k linear, from 0 on the surface to 1 at
 * the node: this is the finite element of the cut edge, whose potential is exact at nodes.  It holds for all charges in the
 * cell by one number, so that nothing is to be done for single particles.  In general
 *
 *   c_kj = M_kj/S_j,  M_kj = integral of w_k w_j/(sum of w_j inside) dA,  S_j = integral of w_j dA
 *
 * over the surface, with the weights w of the deposit: a uniform charge on the surface gives nothing to any
 * node in the gas.  Derived here.  c is at most WN_ELECTRODE_SHARE; a surface that is nearer than
 * 1/WN_ELECTRODE_SHARE of an edge to a node in the gas leaves an error of that part of a cell.
 *
 * The density at a node beside a surface is its charge over the integral of these shares over the gas, so that a uniform
 * density stays uniform, up to the surface.  Volumes below a quarter of the node's are taken as that.
 *
 * Limit: nodes of an electrode that has gas on both sides of them along an axis take nothing, as
 * both sides share them. */
#ifndef WN_FIELDS_ELECTRODE_SHARES_H
#define WN_FIELDS_ELECTRODE_SHARES_H
#include <stddef.h>
#include "fields/electrodes.h"
#include "physics/geometry.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

#define WN_ELECTRODE_SHARE 256.0

struct wn_electrode_share {
  size_t from; /* a node inside */
  double part; /* of the density there, taken from that of the row */
};

/* A node in the gas of a cell with a node inside. */
struct wn_electrode_share_row {
  size_t node, first, end; /* its shares are [first, end) */
  double per;              /* the volume of the node over that of its shares */
};

struct wn_electrode_shares {
  size_t n, n_rows, nodes;
  struct wn_electrode_share *share;   /* [n], row after row */
  struct wn_electrode_share_row *row; /* [n_rows] */
  double *rho;                        /* [nodes]: what apply made */
};

/* The density of a row, on the host and in kernels: as wn_electrode_shares_apply. */
static WN_HD double wn_electrode_shares_of(const struct wn_electrode_share_row *row,
                                           const struct wn_electrode_share *share,
                                           const double *rho, double background)
{
  double own = rho[row->node];
  for (size_t i = row->first; i < row->end; i++)
    own -= share[i].part * (rho[share[i].from] - background);
  return (own - background) * row->per + background;
}

/* side: as of wn_electrodes_create.  WN_ENOMEM. */
int wn_electrode_shares_create(const struct wn_electrodes *e, const struct wn_geometry *g,
                               const enum wn_potential side[6],
                               struct wn_electrode_shares **out);
void wn_electrode_shares_free(struct wn_electrode_shares *s);

/* Bytes for a grid of so many nodes, without those that depend on the surfaces. */
size_t wn_electrode_shares_bytes(size_t nodes);

/* The density that Poisson's equation has, s->rho [nodes], from that of a deposit, rho, in C/m3; background: of a uniform charge
 * in it, C/m3. */
void wn_electrode_shares_apply(struct wn_electrode_shares *s, const double *rho,
                               double background);

WN_END_DECLS

#endif
