/* src/sim/cell_pairs.h - random pairs of particles of the same cell, of one species or of two,
 * by a rate constant.
 *
 * The number of pairs of a cell is the expectation over the step, rounded up or down at random.
 * With n1 and n2 macroparticles and kappa = k dt W/V (W: real particles of one, V: the cell) the
 * expectation solves dx/dt = k (W/V) (n1 - x) (n2 - x), or of one species dx/dt = k (W/V)
 * (n - 2 x)^2, over the step (derived beside the functions).  It never exceeds what is there.
 *
 * Which particles: each has a random number by its key and the step, and the lowest of a cell
 * are taken.  So pairs do not depend on the order of the stores. */
#ifndef WN_SRC_SIM_CELL_PAIRS_H
#define WN_SRC_SIM_CELL_PAIRS_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include "physics/mover.h"
#include "src/sim/reaction_parts.h"

/* Expected pairs of two species.  With d = n2 - n1 constant, (n2 - x)/(n1 - x) grows as
 * exp(kappa d); for d = 0 1/(n - x) grows by kappa. */
static inline double wn_cell_pairs_of_two(double n1, double n2, double kappa)
{
  const double few = fmin(n1, n2), d = fmax(n1, n2) - few, gone = -expm1(-kappa * d);
  return d > 0.0 ? few * (few + d) * gone / (d + few * gone)
                 : kappa * few * few / (1.0 + kappa * few);
}

/* Of one species: 1/(n - 2 x) grows by 2 kappa.  A particle is no partner of itself: n - 1 in
 * the place of n is right on average for few, too. */
static inline double wn_cell_pairs_of_one(double n, double kappa)
{
  return n > 1.0 ? kappa * n * (n - 1.0) / (1.0 + 2.0 * kappa * (n - 1.0)) : 0.0;
}

/* The number of cells of a grid; and the cell of a particle record (physics/mover.h, struct
 * wn_electron), one at the upper end of an axis in the last. */
size_t wn_cell_pairs_cells(const struct wn_grid_view *g);
size_t wn_cell_pairs_cell(const struct wn_grid_view *g, const void *record);

/* Places in the stores of both; key names the random numbers of the event. */
struct wn_cell_pair {
  size_t a, b;
  uint64_t key;
};

struct wn_cell_pairs;

/* For the cells of a grid.  WN_ENOMEM. */
int wn_cell_pairs_create(const struct wn_grid_view *g, struct wn_cell_pairs **out);
void wn_cell_pairs_free(struct wn_cell_pairs *p);

/* The pairs of a step; a and b, on the host, may be the same.  factor [cells]: of kappa in each
 * cell; NULL: 1.  They hold until the next call.  WN_ENOMEM. */
int wn_cell_pairs_draw(struct wn_cell_pairs *p, const struct wn_species *a,
                       const struct wn_species *b, double kappa, const double *factor,
                       const struct wn_reaction_draw *draw,
                       const struct wn_cell_pair **pair, size_t *n);

#endif
