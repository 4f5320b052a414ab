/* src/sim/wall_hits.h - the particles that sides took in the current step, with their
 * velocities there: for distributions at walls (plasma.distributions).  An operator copies
 * them before dead particles leave the stores.  On the host only. */
#ifndef WN_SRC_SIM_WALL_HITS_H
#define WN_SRC_SIM_WALL_HITS_H
#include "src/sim/sim.h"

struct wn_wall_hit {
  float u[3]; /* gamma v, m/s */
  float w;
  int side;
};

/* Those of species k on this rank in the last step; *n = 0 also where no distribution asks
 * for them.  Valid until the next step. */
void wn_wall_hits(const struct wn_sim *s, size_t k, const struct wn_wall_hit **hit,
                  size_t *n);

#endif
