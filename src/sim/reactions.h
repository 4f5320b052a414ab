/* src/sim/reactions.h - operator: reactions of species of model plasma by rates
 * (reactions.<NAME>): detachment, attachment and conversion of single particles, recombination
 * and other reactions of pairs.
 *
 * A particle reacts in a step with the probability 1 - exp(-rate dt).  It is removed, and the
 * products are created at its place, with its weight.  Pairs are drawn in cells
 * (src/sim/cell_pairs.h) and removed together, so that charge is conserved to the last quantum.
 * The rates are exact for one reaction;
 * several take turns, in the order of the scenario in every second step, else in the opposite
 * order, which makes the error of two steps one of second order.
 *
 * A draw is named by the particle and the step: by its id, or, where records have none, by
 * place and velocity.  So numbers do not depend on the order of a store. */
#ifndef WN_SRC_SIM_REACTIONS_H
#define WN_SRC_SIM_REACTIONS_H
#include "src/sim/sim.h"

/* So far, over all ranks: real events of each reaction, events [n_reactions]; and the kinetic
 * energy that species gained by reactions, J, energy [n_species]. */
void wn_reactions_sums(const struct wn_sim *s, double *events, double *energy);

#endif
