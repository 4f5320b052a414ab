/* crosssections/xs_levels.h - gas with molecules in excited levels: their populations,
 * and the superelastic collisions by which electrons gain energy.
 *
 * The levels are the upper states of named excitations of the set, W [eV] above its
 * lowest level.  A fraction n of the molecules is in an upper level, and n0 = 1 - (sum of
 * n over the levels) in the lowest.  At a temperature T, n/n0 = g exp(-W/kT), with g the
 * ratio of the statistical weights, upper to lower.
 *
 * The excitation has the molecules in the lowest level as targets: its table is
 * multiplied by n0.  The reverse process has those in the upper level.  Detailed balance:
 * at T the rate from e + W down to e equals the reverse rate.  Each is the flux of a
 * Maxwellian, proportional to e exp(-e/kT), times a population and a cross section,
 *   n0 (e + W) exp(-(e + W)/kT) sigma(e + W) = n e exp(-e/kT) sigma_reverse(e),
 * and with n/n0 from above
 *   sigma_reverse(e) = (1/g) (e + W)/e sigma(e + W),
 * the relation of Klein and Rosseland, valid for any populations.  Multiplied by n it
 * becomes a table with loss -W in the set.  Tables are functions of the electron energy
 * in the frame where the target is at rest.  The relative motion has M/(m + M) of it, so
 * the electron loses or gains W (1 + m/M): this is the W of the relation (but not of
 * n/n0).  t/crosssections/t0207-levels.c and t/swarm/t0650-equilibrium.c.
 *
 * All other processes have all molecules as targets, in whatever level: elastic
 * scattering and ionization of excited molecules are those of the ground state.
 * Processes with equal loss lead to one level, which is counted once. */
#ifndef WN_CROSSSECTIONS_XS_LEVELS_H
#define WN_CROSSSECTIONS_XS_LEVELS_H
#include "crosssections/xs.h"

struct wn_xs_level {
  const char *process;  /* label or product of the excitation into the level */
  double temperature_k; /* used where fraction is NAN; >= 0 */
  double fraction;      /* n in [0, 1); NAN: from the temperature */
  double weight_ratio;  /* g, upper to lower; 0: that of the file */
};

/* Populate levels of a prepared set (wn_xs_prepare) of electrons.  Levels with less than
 * one molecule in 1e20 are noted and not changed.  The notes of the set record each
 * population.
 *   mass  of the target, kg; 0: unknown, without recoil
 *   WN_EINPUT  a name that matches no process, several, or one that is no excitation; a
 *              level given twice; no ratio of weights; a reverse process that the file
 *              has already; fractions that leave nothing for the lowest level.  A message
 *              names the line, and the set is unchanged
 *   WN_ENOMEM */
int wn_xs_populate(struct wn_xs_set *set, double mass, size_t n,
                   const struct wn_xs_level *level);

/* Append the reverse of excitation i, whose upper level contains the fraction n of the
 * molecules.
 *   g     ratio of the statistical weights, upper to lower
 *   w_ev  loss of an electron in the frame where the target is at rest; the table extends
 *         beyond it */
int wn_xs_add_reverse(struct wn_xs_set *set, size_t i, double g, double n, double w_ev);

#endif
