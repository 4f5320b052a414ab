/* src/sim/electrodes.h - electrodes inside the grid and the particles in them. */
#ifndef WN_SRC_SIM_ELECTRODES_H
#define WN_SRC_SIM_ELECTRODES_H
#include "src/sim/sim.h"

/* Particles at time 0, all of them loaded, that lie in an electrode: they leave the stores, and a
 * message says how many.  Nothing where there are no electrodes.  WN_ENOMEM. */
int wn_electrodes_clear_seeds(struct wn_sim *s);

/* Particles of a species beside those of the simulation that are in an electrode end, counted in the tally of
 * that species; nothing is emitted.  WN_ENOMEM, WN_ECUDA. */
int wn_electrodes_take(struct wn_sim *s, struct wn_species *of);

#endif
