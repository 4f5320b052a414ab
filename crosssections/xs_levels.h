/* crosssections/xs_levels.h - a gas of which some molecules are in excited levels: how many
 * there are, and the superelastic collisions that electrons gain energy by.
 *
 * The levels are those that named excitations of the set lead to from its lowest level,
 * W [eV] below them.  Of the molecules a part n is in the upper level and n0 = 1 - (sum of
 * n over the levels) in the lowest.  At a temperature T n/n0 = g exp(-W/kT), with g the
 * ratio of the statistical weights, upper to lower.
 *
 * The excitation meets those in the lowest level: its table is multiplied by n0.  The
 * reverse process meets those in the upper one.  Detailed balance: at T as many electrons
 * go from e + W down to e as come back, each side the flux of a Maxwellian, which is
 * e exp(-e/kT), times a population and a cross section,
 *   n0 (e + W) exp(-(e + W)/kT) sigma(e + W) = n e exp(-e/kT) sigma_reverse(e),
 * and with n/n0 from above
 *   sigma_reverse(e) = (1/g) (e + W)/e sigma(e + W),
 * known as Klein and Rosseland's relation; it holds whatever the populations are.  Times n
 * that becomes a table of loss -W in the set.  Tables go by the energy of the electron where
 * the target is at rest, of which the relative motion has M/(m + M): of it W (1 + m/M) is
 * given and taken, which is the W of the relation (but not of n/n0).
 * t/crosssections/t0207-levels.c and t/swarm/t0650-equilibrium.c.
 *
 * All other processes meet all molecules, in whatever level: elastic scattering of an
 * excited one is that of the others, as is its ionization.  Processes with one loss lead to
 * one level, which counts once. */
#ifndef WN_CROSSSECTIONS_XS_LEVELS_H
#define WN_CROSSSECTIONS_XS_LEVELS_H
#include "crosssections/xs.h"

struct wn_xs_level {
  const char *process;  /* label or product of the excitation that leads there */
  double temperature_k; /* used where fraction is NAN; >= 0 */
  double fraction;      /* n in [0, 1); NAN: by the temperature */
  double weight_ratio;  /* g, upper to lower; 0: that of the file */
};

/* Populate levels of a prepared set (wn_xs_prepare) of electrons.  Levels with fewer than
 * one molecule in 1e20 are noted and left as they are.  The set's notes say what each level
 * got.
 *   mass  of the target, kg; 0: unknown, without recoil
 *   WN_EINPUT  a name that is none, or of several, or of no excitation; a level twice; no
 *              ratio of weights; a reverse process that the file has already; fractions that
 *              leave nothing for the lowest level: said with the line, and the set is as it
 *              was
 *   WN_ENOMEM */
int wn_xs_populate(struct wn_xs_set *set, double mass, size_t n,
                   const struct wn_xs_level *level);

/* Append the reverse of excitation i, whose upper level holds the part n of the molecules.
 *   g     ratio of the statistical weights, upper to lower
 *   w_ev  loss of an electron where the target is at rest; the table goes beyond it */
int wn_xs_add_reverse(struct wn_xs_set *set, size_t i, double g, double n, double w_ev);

#endif
