/* src/sim/ten_sums.h - sums of ten moments at the nodes in partial sums of 64 bits, on the host: half the memory
 * and a third of the time of sums of 128 bits, and the same values, by the proof of physics/ten_moments.h. */
#ifndef WN_SRC_SIM_TEN_SUMS_H
#define WN_SRC_SIM_TEN_SUMS_H
#include <stddef.h>
#include <stdint.h>
#include "particles/particles.h"
#include "physics/node_values.h"

struct wn_ten_sums {
  int threads;
  size_t nodes;  /* of the grid, with guards */
  int64_t *rows; /* [threads][nodes][WN_TEN_MOMENTS], 0 between calls */
};

/* WN_ENOMEM. */
int wn_ten_sums_create(size_t nodes, int threads, struct wn_ten_sums *s);
void wn_ten_sums_clear(struct wn_ten_sums *s);

/* Adds what the particles give (WN_NODE_TEN) to sum [nodes][WN_TEN_MOMENTS].  Returns the particles that gave
 * nothing, as of wn_node_values_of. */
uint64_t wn_ten_sums_add(struct wn_ten_sums *s, const struct wn_particles *p,
                         const struct wn_node_values *what, wn_i128 *sum);

#endif
