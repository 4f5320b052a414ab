/* schedulers/mcc_profiled.h - model `mcc` in a swarm whose gas and electric field change along z (physics/mcc_profiled.h) on the host: as
 * schedulers/model_mcc.c defines it, one electron at a time.  Where density and field are uniform it has the same bits. */
#ifndef WN_SCHEDULERS_MCC_PROFILED_H
#define WN_SCHEDULERS_MCC_PROFILED_H
#include "physics/electron.h"
#include "physics/mcc.h"
#include "physics/tally.h"
#include "schedulers/model.h"

void wn_mcc_advance_profiled(const struct wn_mcc *m, struct wn_electron *e,
                             struct wn_tally *tally, struct wn_births *births);

#endif
