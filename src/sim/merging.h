/* src/sim/merging.h - the ledger of merging and splitting (src/sim/merging.c), for each species. */
#ifndef WN_SRC_SIM_MERGING_H
#define WN_SRC_SIM_MERGING_H
#include <stdint.h>
#include "physics/constants.h"
#include "physics/tally.h"
#include "src/sim/sim.h"

/* Units of the sums: weight times u over c, and (WN_FIX_ENERGY) weight times eV. */
#define WN_MERGING_MOMENTUM (0x1p60 / WN_C)

/* Of all passes since the case began. */
struct wn_merging_sums {
  uint64_t passes;        /* steps in which the species was looked at */
  uint64_t before, after; /* macroparticles that were merged, and that came of them */
  uint64_t split;         /* macroparticles that were halved */
  uint64_t across;        /* groups whose two went apart across their mean velocity */
  uint64_t left; /* groups left as they were: no weights for their charge, or an edge */
  wn_i128 merged_quanta, split_quanta;
  wn_i128 momentum_before[3], momentum_after[3]; /* of what was merged */
  wn_i128 energy_before, energy_after;
};

/* NULL: species k is not in plasma.merging. */
const struct wn_merging_sums *wn_merging_sums(const struct wn_sim *s, size_t k);

#endif
