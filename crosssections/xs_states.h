/* crosssections/xs_states.h - blocks ROTATIONAL and VIBRATIONAL of LXCat files: collisions
 * that take a molecule from one of its states to another, both with populations of their own.
 *
 * A block names its two states: in brackets, "N2 (J=0-J=2)", or on both sides of the arrow,
 * "N2(X,v=0) <-> N2(X,v=1)"; by the second line or by PROCESS.  Loss W and ratio of weights g
 * come from the third line or from PARAM; without a ratio states with J have (2J' + 1)/(2J + 1).
 *
 * The blocks of a kind are the steps of a ladder: they give the energy and the weight of every
 * state beside those that it is tied to, and at a temperature T the states hold parts
 * p = g exp(-E/kT)/Z of the molecules.  Parts of the ladder that no block ties together, as
 * even and odd J, are put beside each other as those of a rigid rotor: E = B J (J + 1), with B
 * from the first block of a part, and g = (2J + 1) times the weight of the nuclear spins of even
 * or of odd J, which no file gives.  A step meets the molecules in its lower state, its reverse
 * (Klein and Rosseland's relation, xs_levels.h) those in its upper one.
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

/* Add what is asked for to a prepared set of electrons (wn_xs_prepare), as excitations and
 * superelastic processes; the set's notes say how the states are populated.
 *   mass  of the target, kg; 0: unknown, without recoil
 *   WN_EINPUT  no such block of this target, one without names of states, loss or ratio of
 *              weights, the same step twice, steps that contradict each other by more than
 *              2 %, parts that cannot be put together, an excitation of the set with the loss
 *              of a step from the lowest state: said with the line, and the set is as it was
 *   WN_ENOMEM */
int wn_xs_add_states(struct wn_xs_set *set, double mass, const struct wn_xs_states *of);

#endif
