/* src/sim/ten_moments.h - charge density, current density and momentum flux tensor of a species at the
 * nodes of the grid (physics/ten_moments.h, src/sim/node_sums.h).  A particle counts at its place at the
 * end of the step, where its velocity is known. */
#ifndef WN_SRC_SIM_TEN_MOMENTS_H
#define WN_SRC_SIM_TEN_MOMENTS_H
#include "src/sim/node_sums.h"

/* Of a species, from the last call of wn_ten_moments_take.  In real particles; the charge is not in them:
 * rho is q times the first, J q times the next three. */
struct wn_ten_moments {
  size_t nodes;
  double *value; /* [WN_TEN_MOMENTS][nodes]: number m-3, flux m-2 s-1, momentum flux Pa */
  /* Sums over all particles: number, number times m/s, J; of 1 m2 in one dimension, of 1 m in two */
  double total[WN_TEN_MOMENTS];
  wn_i128 quanta; /* of all particles, of weight 1/WN_QUANTA */
  int exponent;   /* of the unit of velocity */
};

/* WN_ENOMEM. */
int wn_ten_moments_create(size_t nodes, struct wn_ten_moments *t);
void wn_ten_moments_clear(struct wn_ten_moments *t);

/* Of species k, all ranks; m has room for WN_TEN_MOMENTS values.  Errors of wn_node_sums_take; WN_ERUN: a
 * velocity is no number, or the weights are so large that a sum could overflow. */
int wn_ten_moments_take(struct wn_node_sums *m, const struct wn_config *c, size_t k,
                        struct wn_species *s, struct wn_ten_moments *t);

/* Announces the next call, for the end of the next step, to particles on a GPU: then the kernel of the step may take
 * the sums with it, if the unit is still that of `exponent`.  Changes no result.  WN_ECUDA. */
int wn_ten_moments_expect(const struct wn_node_sums *m, struct wn_species *s,
                          int exponent);

#endif
