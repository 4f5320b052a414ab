/* fields/sparse/combine.h - values at the nodes of the component grids, of their parents and of the full grid
 * (components.h), on the host: the way from one to the other.  Arrays without guards, both ends of a periodic axis
 * included; grids one after the other, as `first` says; x fastest. */
#ifndef WN_FIELDS_SPARSE_COMBINE_H
#define WN_FIELDS_SPARSE_COMBINE_H
#include <stddef.h>
#include "fields/sparse/components.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

/* Doubles that each call below takes as `work`. */
size_t wn_sparse_work(const struct wn_components *c);

/* Charge of component i from that of its parent, parents [parent_nodes] -> out [its nodes].  Exact for integers
 * while sums times 2^(levels between) are below 2^53, so that no order of the axes matters. */
void wn_sparse_restrict(const struct wn_components *c, const int is_periodic[3], int i,
                        const double *parents, double *work, double *out);

/* The sum over the components of each parent of the coefficient times the interpolation, components [nodes] ->
 * parents [parent_nodes]. */
void wn_sparse_combine(const struct wn_components *c, const double *components,
                       double *work, double *parents);

/* The combined function, which is the sum of the parents' interpolations, at the nodes of plane k of the full grid
 * (a row in two dimensions), k along the last axis: out [(2^n + 1)^(dim-1)]. */
void wn_sparse_plane(const struct wn_components *c, const double *parents, int64_t k,
                     double *work, double *out);

WN_END_DECLS

#endif
