/* src/sim/node_sums.h - sums over the particles of a species at the nodes of the grid: each
 * particle adds its values, divided among nodes as its charge is (physics/shape.h).  Values are
 * integers, so sums have the same bits for every order of the particles and number of threads.
 * Beside a wall the cell of a node is half a cell; the part of a TSC shape behind a mirror is
 * added inside, with a component along that axis reversed. */
#ifndef WN_SRC_SIM_NODE_SUMS_H
#define WN_SRC_SIM_NODE_SUMS_H
#include <stddef.h>
#include "physics/mover.h"
#include "src/config/averages.h"
#include "src/sim/species.h"

struct wn_node_sums; /* a grid for each thread */

struct wn_node_particle {
  int32_t x[3]; /* fixed point, as in its record (physics/mover.h) */
  float u[3], w;
  /* Where its values go, in the domain: at first undefined */
  int32_t cell[3];
  uint32_t part[3];
};

enum { WN_NODE_NONE, WN_NODE_ADD, WN_NODE_MISFIT }; /* what a particle adds */

/* What the particles of a species add. */
struct wn_node_values {
  int n;                    /* values, at most those of create */
  int axis[WN_NODE_VALUES]; /* along which a value is a component; -1: it is a scalar */
  double unit[WN_NODE_VALUES]; /* of each value */
  /* From place and velocity of a living particle: the place of its values, and these.  Called by
   * several threads at once.  MISFIT: a value does not fit into its integer. */
  int (*of)(const void *data, struct wn_node_particle *p, int64_t value[WN_NODE_VALUES]);
  const void *data;
};

/* Room for n values; WN_ENOMEM. */
int wn_node_sums_create(const struct wn_config *c, int n, struct wn_node_sums **out);
void wn_node_sums_free(struct wn_node_sums *m);

/* Sums over species k by volume into out [values][nodes], nodes as in fields/electrostatic.h,
 * for real particles; of all ranks.  Particles on a GPU are copied to the host: WN_ECUDA,
 * WN_ENOMEM.  WN_ERUN: a weight is no number of quanta, or a value a misfit. */
int wn_node_sums_take(struct wn_node_sums *m, const struct wn_config *c, size_t k,
                      struct wn_species *s, const struct wn_node_values *what,
                      double *out);

#endif
