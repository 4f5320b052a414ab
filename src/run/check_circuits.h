/* src/run/check_circuits.h - the lines of `wilson check` about walls of a plasma in a circuit. */
#ifndef WN_SRC_RUN_CHECK_CIRCUITS_H
#define WN_SRC_RUN_CHECK_CIRCUITS_H
#include "src/config/config.h"

/* What is in series with each wall, and the times of the loop in steps and beside the duration.
 * Warns of an oscillation that the steps damp.  Nothing where no wall is in a circuit. */
void wn_check_circuits(const struct wn_config *c);

#endif
