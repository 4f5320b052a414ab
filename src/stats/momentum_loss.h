/* src/stats/momentum_loss.h - expected rate of momentum loss of an electron to a process, from the
 * tables: frequency times the mean over scattering angles and energies of the newborn.
 *
 * Along the velocity of the electron, with g the velocity relative to the target
 * (src/stats/expected_rates.h), r = m/(m + M), and kinematics as in physics/mcc_collide.h:
 *   elastic, excitation   nu m g (1 - r) (1 - <cos chi> g'/g), g' the speed after, both in the
 *                         centre-of-mass frame; <cos chi> is 0 for isotropic scattering
 *   ionization            nu m (g - <g1 cos chi1> - <g2 cos chi2>): momentum that neither electron
 *                         keeps; for isotropic angles all of it
 *   attachment            nu m v: the whole momentum of the electron
 * Derived here; t0637 compares the sum over processes with the force of the field. */
#ifndef WN_SRC_STATS_MOMENTUM_LOSS_H
#define WN_SRC_STATS_MOMENTUM_LOSS_H
#include "physics/xs_view.h"

/* Loss to process[k] of the view by an electron of e_ev > 0, along its velocity: a force
 * divided by the elementary charge, V/m (or eV/m). */
double wn_momentum_loss(const struct wn_xs_view *xs, int k, double e_ev);

#endif
