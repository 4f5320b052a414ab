/* src/stats/momentum_loss.h - the momentum that an electron is expected to lose to a process, from
 * the tables: frequency times the mean over angles, and over the energies of a newborn.
 *
 * Along the flight, with g the velocity relative to the target (src/stats/expected_rates.h), r =
 * m/(m + M), and kinematics as in physics/mcc_collide.h:
 *   elastic, excitation   nu m g (1 - r) (1 - <cos chi> g'/g), g' the speed after, both in the
 *                         frame of the centre of mass; <cos chi> is 0 of isotropic angles
 *   ionization            nu m (g - <g1 cos chi1> - <g2 cos chi2>): what neither of the two has;
 *                         of isotropic angles all of it
 *   attachment            nu m v: all that the electron had
 * Derived here; t0637 compares the sum of all with the force of the field. */
#ifndef WN_SRC_STATS_MOMENTUM_LOSS_H
#define WN_SRC_STATS_MOMENTUM_LOSS_H
#include "physics/xs_view.h"

/* To process[k] of the view, of an electron of e_ev > 0, along its flight: as a force over the
 * elementary charge, V/m (or eV/m). */
double wn_momentum_loss(const struct wn_xs_view *xs, int k, double e_ev);

#endif
