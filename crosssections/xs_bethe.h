/* crosssections/xs_bethe.h - Bethe's formula for the mean loss of fast electrons, and the excitations that
 * a set of binary-encounter ionizations needs for it.
 *
 * RBEB gives all dipole strength to ionization, with a tail of losses that falls as 1/Q^3 where measured
 * oscillator strength falls faster.  With Moller's cross section from a cut on (physics/moller.h) the tail above
 * it is gone, and the mean loss depends on the cut.  What is measured is the sum:
 *
 *   S = K Z [ln(x^2 (x + 2)/(2 (I/mc2)^2)) + F(x) - delta],  x = T/mc2, K = 2 pi r_e^2 mc2/beta^2
 *   F = (1 - beta^2) [1 + x^2/8 - (2 x + 1) ln 2]
 *
 * for a molecule of Z electrons (M. J. Berger and S. M. Seltzer, NBSIR 82-2550, and ICRU Report 37, both from memory;
 * with I = 85.7 eV it is NIST's ESTAR of dry air to 3e-4, t/crosssections/t0214-moller.c).  So excitations carry what the
 * ionizations of the join leave of S: from 10 keV on they are multiplied by
 *
 *   (S - S_ionization)/S_excitation
 *
 * of the gas as it is built in, whatever a scenario multiplies or excludes; below 1 keV, where cross sections are
 * measured, by 1; between them by a factor that is linear in ln T.  The mean loss of collisions is then S for every
 * cut.  At 1 MeV the factor is 0.77 for N2 and 0.99 for O2 with a cut of 10 keV, 1.4 and 2.8 with 2.5 keV, where it
 * rises with ln T as that of dipole-allowed excitations does. */
#ifndef WN_CROSSSECTIONS_XS_BETHE_H
#define WN_CROSSSECTIONS_XS_BETHE_H
#include "crosssections/xs.h"

struct wn_density_effect;

/* The formula: mean loss of an electron of t_ev, per molecule of so many electrons [m2 eV].  No shell
 * correction: from some 10 keV on. */
double wn_xs_bethe_loss(double electrons, double mean_excitation_ev,
                        const struct wn_density_effect *density, double t_ev);

/* Of a gas of builtin:air with a model of fast electrons. */
struct wn_xs_bethe {
  struct wn_xs_set *plain; /* as it is built in */
  struct wn_moller_model model;
  double electrons, mean_excitation_ev;
  double least_factor; /* at 10 keV */
};

/* gas: "N2" or "O2".  WN_EINPUT: another; WN_ENOMEM. */
int wn_xs_bethe_create(const char *gas, const struct wn_moller_model *model,
                       struct wn_xs_bethe *out);
void wn_xs_bethe_clear(struct wn_xs_bethe *b);

/* By what excitations are multiplied, at any energy. */
double wn_xs_bethe_factor(const struct wn_xs_bethe *b, double t_ev);

#endif
