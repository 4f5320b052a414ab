/* src/sim/test_electrons.h - operator: test electrons (plasma.test_electrons).  They start as copies of the
 * plasma's electrons that rise through an energy `from`, are split into many of small weight at higher
 * energies, and move, collide and multiply in the field of the plasma.  They deposit no charge and leave no
 * ions, so that they change nothing else.  doc/runaway-plasma.md has the rules and why they are without
 * bias. */
#ifndef WN_SRC_SIM_TEST_ELECTRONS_H
#define WN_SRC_SIM_TEST_ELECTRONS_H
#include "physics/tally.h"
#include "src/sim/sim.h"
#include "src/stats/jackknife.h"

/* Weights since the case began, in WN_FIX_RARE.  present = started + born - lost - fell - beyond - killed +
 * raised, to the last bit. */
struct wn_test_sums {
  wn_i128
      started; /* copies of electrons of the plasma; ended at once, if above the last threshold */
  wn_i128 born;           /* by ionization, and above `from` at the end of the step */
  wn_i128 lost;           /* taken by sides, or attached */
  wn_i128 fell;           /* below `from` at the end of a step */
  wn_i128 beyond;         /* above the last threshold */
  wn_i128 killed, raised; /* by roulette (particles/weighted_ensemble.h) */
  wn_i128 present;        /* at the end of the last step */
};

/* A test electron that passed a threshold in the last step, at the end of that, or where it ended; in the order of
 * ids, then of thresholds. */
struct wn_test_passage {
  uint64_t id;
  uint32_t threshold, group;
  double energy_ev, weight;
  double at[3];        /* m, along the axes of the grid; 0 along others */
  double direction[3]; /* of its velocity */
  double
      cosine; /* between that and the electric force; NAN: no force, or a side took it */
};

/* Whether the scenario has them; the calls below are then allowed. */
int wn_test_electrons_exist(const struct wn_sim *s);

size_t wn_test_electrons_number(const struct wn_sim *s); /* macroparticles */
struct wn_test_sums wn_test_electrons_sums(const struct wn_sim *s);

/* Of real particles, with standard errors from groups.
 *   passages  of threshold k by test electrons since the case began
 *   above     at the end of the last step: test electrons, or electrons of the species itself, with at
 *             least the energy `from` (k 0), or that of threshold k - 1 */
struct wn_estimate wn_test_electrons_passages(const struct wn_sim *s, size_t k);
enum wn_test_of { WN_TEST_OF_PLASMA, WN_TEST_OF_TEST, WN_N_TEST_OF };
struct wn_estimate wn_test_electrons_above(const struct wn_sim *s, enum wn_test_of which,
                                           size_t k);

/* Passages of the last step, in the order of store and threshold. */
const struct wn_test_passage *wn_test_electrons_rows(const struct wn_sim *s, size_t *n);

#endif
