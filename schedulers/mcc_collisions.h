/* schedulers/mcc_collisions.h - model `mcc`, many electrons at a time: their collisions. */
#ifndef WN_SCHEDULERS_MCC_COLLISIONS_H
#define WN_SCHEDULERS_MCC_COLLISIONS_H
#include "physics/tally.h"
#include "schedulers/mcc_lanes.h"
#include "schedulers/model.h"

/* wn_mcc_collide (physics/mcc_collide.h) of all lanes below n whose end is WN_MCC_EVENT,
 * with the same bits: state, end, sums; newborns in an order of its own. */
void wn_mcc_collide_lanes(const struct wn_mcc *m, struct wn_mcc_lanes *s, int n,
                          struct wn_tally *t, struct wn_births *births);

#endif
