/* schedulers/mcc_splits.h - model `mcc`, many electrons at a time: their ionizations. */
#ifndef WN_SCHEDULERS_MCC_SPLITS_H
#define WN_SCHEDULERS_MCC_SPLITS_H
#include <stdint.h>
#include "schedulers/mcc_lanes.h"

/* Entry i is an electron that ionizes.  Given: all down to v.  Found: the rest.  The
 * arrays are written up to the next multiple of the length of a vector. */
struct wn_mcc_splits {
  int n, process[WN_MCC_LANES];
  uint32_t id[2][WN_MCC_LANES], event[WN_MCC_LANES];
  uint32_t word[2][WN_MCC_LANES]; /* the last two of block REAL */
  double u[3][WN_MCC_LANES];      /* in the rest frame of the target; then: afterwards */
  float v[3][WN_MCC_LANES];       /* velocity of the target, m/s */

  double t_ev[WN_MCC_LANES], loss_ev[WN_MCC_LANES], mass_ev[WN_MCC_LANES];
  double rest[WN_MCC_LANES], w_ev[WN_MCC_LANES]; /* of both, of the slower one */
  uint32_t ionize[4][WN_MCC_LANES], birth[4][WN_MCC_LANES]; /* random words */
  double b_ev[WN_MCC_LANES], t[WN_MCC_LANES];               /* of struct wn_rbeb */
  double ratio[WN_MCC_LANES], bound[WN_MCC_LANES], far[WN_MCC_LANES];
  double l[WN_MCC_LANES], phi[WN_MCC_LANES], taken[WN_MCC_LANES];
  double drift[WN_MCC_LANES];   /* of struct wn_mcc_outcome */
  double born[3][WN_MCC_LANES]; /* u of the newborn, in the frame of the gas */
};

/* What wn_mcc_split (physics/mcc_collide.h) finds, with the same bits. */
void wn_mcc_split_many(const struct wn_mcc *m, struct wn_mcc_splits *x);

#endif
