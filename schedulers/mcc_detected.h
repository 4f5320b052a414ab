/* schedulers/mcc_detected.h - model `mcc` in a swarm with detectors (struct wn_mcc.crossings): as schedulers/model_mcc.c defines it, one
 * electron at a time, with the same bits, and each flight between collisions is compared with each detector. */
#ifndef WN_SCHEDULERS_MCC_DETECTED_H
#define WN_SCHEDULERS_MCC_DETECTED_H
#include "physics/electron.h"
#include "physics/mcc.h"
#include "physics/tally.h"
#include "schedulers/model.h"

/* An electron at one time of a step. */
struct wn_mcc_state {
  double x[3], u[3], left; /* left: s, of the mobility step */
};

/* That of r, which has just been loaded or committed. */
struct wn_mcc_state wn_mcc_state_of(const struct wn_electron *e,
                                    const struct wn_mcc_reg *r);

/* Notes the crossings of a flight in the uniform acceleration accel and the B of m.  Its ends are the stored ones: one
 * flight ends where the next begins, to the last bit.  So no crossing is counted twice or missed. */
void wn_mcc_look(const struct wn_mcc *m, const struct wn_electron *e,
                 const double accel[3], const struct wn_mcc_state *from,
                 const struct wn_mcc_state *to);

void wn_mcc_advance_detected(const struct wn_mcc *m, struct wn_electron *e,
                             struct wn_tally *tally, struct wn_births *births);

#endif
