/* src/sim/operators.c - the list of operators, in the order in which a step applies
 * them. */
#include "src/sim/operators.h"
#include "base/error.h"
#include "src/sim/sim.h"

/* One line per operator. */
#define OPERATORS(X)                                                                     \
  X(wn_operator_field_power)                                                             \
  X(wn_operator_ion_products)                                                            \
  X(wn_operator_photoionization)                                                         \
  X(wn_operator_wall_hits)                                                               \
  X(wn_operator_secondary_emission)                                                      \
  X(wn_operator_electron_emission)                                                       \
  X(wn_operator_electrodes)                                                              \
  X(wn_operator_followed)                                                                \
  X(wn_operator_reactions)                                                               \
  X(wn_operator_coulomb_collisions)                                                      \
  X(wn_operator_thermostat)                                                              \
  X(wn_operator_sources)                                                                 \
  X(wn_operator_test_electrons)                                                          \
  X(wn_operator_merging)                                                                 \
  X(wn_operator_radiation)                                                               \
  X(wn_operator_detectors)                                                               \
  /* the next */

#define DECLARED(ops) extern const struct wn_operator_ops ops;
#define LISTED(ops)   &(ops),

OPERATORS(DECLARED)

static const struct wn_operator_ops *const operators[] = {OPERATORS(LISTED)};
_Static_assert(sizeof operators / sizeof operators[0] <= WN_MAX_OPERATORS,
               "a simulation has room for all operators");

int wn_operators_create(struct wn_sim *s)
{
  for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
    struct wn_operator *made = NULL;
    WN_TRY(operators[i]->create(s, &made));
    if (made != NULL)
      s->operators[s->n_operators++] = made;
  }
  return WN_OK;
}
