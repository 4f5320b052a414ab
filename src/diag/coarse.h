/* src/diag/coarse.h - values at the nodes of the grid on a coarser one, every `factor`-th node along each axis
 * (plasma.fields_coarsening).  Potential and E have the values of these nodes.  Densities have what a deposit with the
 * linear shape on the coarser grid gives: means over the nodes less than `factor` away, with weights that fall
 * linearly, and those beyond a wall as in a mirror; so the sum over volumes is the same.  (Full weighting: Briggs,
 * Henson, McCormick, A Multigrid Tutorial, 2nd edition 2000, chapter 3, for factor 2.) */
#ifndef WN_SRC_DIAG_COARSE_H
#define WN_SRC_DIAG_COARSE_H
#include "src/config/config.h"

struct wn_coarse {
  int dim, threads;
  int is_periodic[3];
  size_t factor;
  size_t cells[3];    /* of the grid; 0 beyond dim */
  size_t nodes, full; /* of the coarser grid and of the grid */
};

struct wn_coarse wn_coarse_of(const struct wn_config *c);

/* from [full] -> to [nodes], which are different arrays. */
void wn_coarse_values(const struct wn_coarse *g, const double *from, double *to);
void wn_coarse_means(const struct wn_coarse *g, const double *from, double *to);

#endif
