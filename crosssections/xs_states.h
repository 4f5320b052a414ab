/* crosssections/xs_states.h - blocks ROTATIONAL and VIBRATIONAL of LXCat files:
 * collisions that change the state of a molecule, with populations of the single states.
 *
 * A block names its two states: in parentheses, "N2 (J=0-J=2)", or on both sides of the
 * arrow, "N2(X,v=0) <-> N2(X,v=1)", on the second line or on PROCESS.  Loss W and ratio
 * of weights g come from the third line or from PARAM.  Without a ratio, states with J
 * have (2J' + 1)/(2J + 1).
 *
 * The blocks of a kind are the steps of a ladder.  They give energy and weight of each
 * state relative to the states that it is connected with.  At a temperature T a state
 * contains the fraction p = g exp(-E/kT)/Z of the molecules.  Parts of the ladder that no
 * block connects, such as even and odd J, are placed as those of a rigid rotor.  Its
 * energies are E = B J (J + 1), with B from the first block of a part.  Its weights are g
 * = (2J + 1) times the weight of the nuclear spins of even or odd J, which no file gives.
 * The targets of a step are the molecules in its lower state; those of its reverse
 * (relation of Klein and Rosseland, xs_levels.h) are in the upper one.
 * t/crosssections/t0208-states.c and t/swarm/t0652-states.c. */
#ifndef WN_CROSSSECTIONS_XS_STATES_H
#define WN_CROSSSECTIONS_XS_STATES_H
#include "crosssections/xs.h"

struct wn_xs_states {
  const char *path; /* the file */
  /* temperatures of ROTATIONAL and VIBRATIONAL; below 0: such blocks are not read */
  double rotational_k, vibrational_k;
  double nuclear_weight[2]; /* of even and odd J; 0: not known */
};

/* Add the requested processes to a prepared set of electrons (wn_xs_prepare), as
 * excitations and superelastic processes.  The notes of the set record the populations of
 * the states.
 *   mass  of the target, kg; 0: unknown, without recoil
 *   WN_EINPUT  no such block of this target; a block without names of states, loss or
 *              ratio of weights; a step given twice; steps that contradict each other by
 *              more than 2 %; parts that cannot be connected; an excitation of the set
 *              with the loss of a step from the lowest state.  A message names the line,
 *              and the set is unchanged
 *   WN_ENOMEM */
int wn_xs_add_states(struct wn_xs_set *set, double mass, const struct wn_xs_states *of);

#endif
