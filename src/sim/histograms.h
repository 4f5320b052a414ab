/* src/sim/histograms.h - particles of model plasma counted by energy, and at a wall by angle:
 * the sums behind a distribution of plasma.distributions.  Integers: they do not depend on the
 * order of the particles. */
#ifndef WN_SRC_SIM_HISTOGRAMS_H
#define WN_SRC_SIM_HISTOGRAMS_H
#include "src/config/config.h"
#include "src/sim/sim.h"

/* Sums of a distribution: [angles, at least 1][bins + 1] weights in quanta (WN_QUANTA), the
 * last bin of a row for energies above the end; then weight times energy, in quanta and
 * WN_FIX_ENERGY, and the number of macroparticles: wn_distribution_cells in all. */
size_t wn_histogram_energy(const struct wn_cfg_distribution *d);
size_t wn_histogram_count(const struct wn_cfg_distribution *d);

/* Add the particles of this rank: those in the region of d at the end of the last step, or
 * those that its wall took in that step.  WN_ERUN: a weight is no number of quanta; WN_ECUDA
 * of the copy from a GPU. */
int wn_histogram_add(const struct wn_sim *s, const struct wn_cfg_distribution *d,
                     wn_i128 *sums);

#endif
