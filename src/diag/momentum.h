/* src/diag/momentum.h - the momentum balance of a swarm along the drift, with errors:
 * variables momentum_gained, momentum_magnetic, momentum_lost, momentum_growth and
 * momentum_balance.  Part of the diagnostic `moments`, whose sums it uses. */
#ifndef WN_SRC_DIAG_MOMENTUM_H
#define WN_SRC_DIAG_MOMENTUM_H
#include "src/diag/diag.h"

int wn_momentum_define(struct wn_output *o, const struct wn_config *c);
/* d: of moments.c; control: that of transport.c. */
int wn_momentum_write(const struct wn_diag *d, const struct wn_sim *s,
                      const double *control, struct wn_output *o);

#endif
