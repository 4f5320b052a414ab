/* schedulers/mcc_detected.h - model `mcc` in a swarm with detectors (physics/mcc_detected.h) on the host: as schedulers/model_mcc.c defines
 * it, one electron at a time, with the same bits. */
#ifndef WN_SCHEDULERS_MCC_DETECTED_H
#define WN_SCHEDULERS_MCC_DETECTED_H
#include "physics/electron.h"
#include "physics/mcc.h"
#include "physics/tally.h"
#include "schedulers/model.h"

void wn_mcc_advance_detected(const struct wn_mcc *m, struct wn_electron *e,
                             struct wn_tally *tally, struct wn_births *births);

#endif
