/* src/sim/node_sums.h - sums over the particles of a species at the nodes of the grid: each
 * particle adds its values, divided among nodes as its charge is (physics/shape.h).  Values are
 * integers (physics/node_values.h), added in 128 bits, so sums have the same bits for every order of the
 * particles and number of threads, and on a GPU.  There a sample takes a kernel over the particles and a
 * copy of the sums.
 * Beside a wall the cell of a node is half a cell; the part of a TSC shape behind a mirror is
 * added inside, with a component along that axis reversed. */
#ifndef WN_SRC_SIM_NODE_SUMS_H
#define WN_SRC_SIM_NODE_SUMS_H
#include <stddef.h>
#include "physics/node_values.h"
#include "src/config/config.h"
#include "src/sim/species.h"

struct wn_node_sums; /* a grid for each thread */

/* Room for n values; WN_ENOMEM. */
int wn_node_sums_create(const struct wn_config *c, int n, struct wn_node_sums **out);
/* Room for ten moments alone, with partial sums of 64 bits for each thread.  WN_ENOMEM. */
int wn_node_sums_create_ten(const struct wn_config *c, struct wn_node_sums **out);
void wn_node_sums_free(struct wn_node_sums *m);

/* Whether the sums of n values over a species are taken on the GPU that has its particles, with the
 * pointers of `what` there.  Otherwise on the host, to which particles on a GPU are copied: the memory
 * of the GPU is too small for the sums.  WN_ECUDA. */
int wn_node_sums_on_gpu(const struct wn_node_sums *m, const struct wn_species *s, int n,
                        int *is);

/* `what` for a species: the motion of its particles, and no values yet. */
void wn_node_sums_prepare(const struct wn_species *s, struct wn_node_values *what);

/* Announces sums of ten moments after the next step: to particles on a GPU alone. */
int wn_node_sums_expect(const struct wn_node_sums *m, struct wn_species *s,
                        const struct wn_node_values *what);

/* Sums over species k by volume into out [values][nodes], nodes as in fields/electrostatic.h,
 * for real particles; of all ranks.  on_gpu: as wn_node_sums_on_gpu has said.  WN_ECUDA, WN_ENOMEM.
 * WN_ERUN: a weight is no number of quanta, or a value a misfit. */
int wn_node_sums_take(struct wn_node_sums *m, const struct wn_config *c, size_t k,
                      struct wn_species *s, const struct wn_node_values *what, int on_gpu,
                      double *out);

/* Value a of the sums last taken, of all particles together, in its integers; as a sum over nodes it has
 * no sign behind a mirror. */
wn_i128 wn_node_sums_total(const struct wn_node_sums *m, int a);

#endif
