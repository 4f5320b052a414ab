/* src/sim/merging.h - the ledger of merging and splitting (src/sim/merging.c), for each species. */
#ifndef WN_SRC_SIM_MERGING_H
#define WN_SRC_SIM_MERGING_H
#include <stddef.h>
#include "physics/merging_groups.h"
#include "src/sim/sim.h"

/* NULL: species k is not in plasma.merging. */
const struct wn_merging_sums *wn_merging_sums(const struct wn_sim *s, size_t k);

#endif
