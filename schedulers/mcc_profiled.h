/* schedulers/mcc_profiled.h - model `mcc` in a swarm whose gas and electric field change along z (struct wn_mcc.profile, physics/profile.h):
 * as schedulers/model_mcc.c defines it, one electron at a time.  Where density and field are uniform it has the same bits.
 *
 * A candidate is real with the tables' probability times n(z)/most.  That is the same random word, scaled: no number is drawn for it,
 * so that a ratio of 1 leaves the choice as it is.
 *
 * In a field that changes a flight is divided (wn_profile_part).  A part is the exact flight in E's mean over its way, which is found
 * by iteration with the end of the way.  So it is of second order, and kinetic and potential energy close to rounding, with a magnetic
 * field, too.
 *
 * Electrons outside of the density's knots are removed where a flight ends, and counted as those above stop_ev.
 * Checked by t/runaway/t0627-altitude.c. */
#ifndef WN_SCHEDULERS_MCC_PROFILED_H
#define WN_SCHEDULERS_MCC_PROFILED_H
#include "physics/electron.h"
#include "physics/mcc.h"
#include "physics/tally.h"
#include "schedulers/model.h"

void wn_mcc_advance_profiled(const struct wn_mcc *m, struct wn_electron *e,
                             struct wn_tally *tally, struct wn_births *births);

#endif
