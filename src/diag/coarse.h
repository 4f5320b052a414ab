/* src/diag/coarse.h - values at the nodes of the grid on a coarser one, every `factor`-th node along each axis
 * (plasma.fields_coarsening).  Potential and E have the values of these nodes.  Densities have what a deposit with the
 * linear shape on the coarser grid gives: means over the nodes less than `factor` away, with weights that fall
 * linearly, and those beyond a wall as in a mirror; so the sum over volumes is the same.  (Full weighting: Briggs,
 * Henson, McCormick, A Multigrid Tutorial, 2nd edition 2000, chapter 3, for factor 2.)
 *
 * In r-z a node along r has its volume v_i (physics/geometry.h) besides the weight w_i, and the mean is sum w_i v_i n_i / sum
 * w_i v_i over the nodes from the axis to the side.  The weights of a node add up to 1 over the nodes of the coarser grid, so with V = sum
 * w_i v_i for the volumes of these the sum of V n is that of v n, and what is uniform stays so.  The linear shape of the
 * coarser grid is that sum of those of the grid, hence for `cic` V is the volume that wn_axis_radial gives a coarser
 * grid: pi H2 (1/3, 2 j, ..., N - 1/3) with its spacing H. */
#ifndef WN_SRC_DIAG_COARSE_H
#define WN_SRC_DIAG_COARSE_H
#include "physics/geometry.h"
#include "src/config/config.h"

struct wn_coarse {
  int dim, threads;
  int is_periodic[3];
  size_t factor;
  size_t cells[3];      /* of the grid; 0 beyond dim */
  size_t nodes, full;   /* of the coarser grid and of the grid */
  struct wn_axis first; /* the radius of r-z, or a line, which is not asked */
};

struct wn_coarse wn_coarse_of(const struct wn_config *c);

/* from [full] -> to [nodes], which are different arrays. */
void wn_coarse_values(const struct wn_coarse *g, const double *from, double *to);
void wn_coarse_means(const struct wn_coarse *g, const double *from, double *to);

#endif
