/* src/config/relative_form.h - the form of values of model plasma by what the scenario defines: "1/200 period",
 * "64 debye", "0.1 / omega_p", "40 c / omega_0", "2 * duration", "grid.length / 4". */
#ifndef WN_SRC_CONFIG_RELATIVE_FORM_H
#define WN_SRC_CONFIG_RELATIVE_FORM_H
#include "src/config/internal.h"

enum wn_relative_unit {
  WN_RELATIVE_DEBYE,
  WN_RELATIVE_CELLS,
  WN_RELATIVE_PERIODS,
  WN_RELATIVE_PLASMA_PERIODS,
  WN_RELATIVE_PER_OMEGA_P,
  WN_RELATIVE_STEPS,
  /* of the species plasma.reference, with c = 1 */
  WN_RELATIVE_PER_OMEGA_0,
  WN_RELATIVE_C_PER_OMEGA_0,
  WN_RELATIVE_OMEGA_0_MAGNETIC,
  WN_RELATIVE_OMEGA_0_ELECTRIC,
  WN_RELATIVE_N,
  WN_RELATIVE_OF_KEY
};

/* number / divisor of a unit, or of the value of a key */
struct wn_relative {
  double number, divisor;
  enum wn_relative_unit unit;
  char key[128]; /* names have at most 63 letters */
};

/* False: something else, which the reader of numbers with absolute units takes or refuses.  Keys that do not
 * exist are left to the caller, and divisors of 0. */
bool wn_relative_parse(const struct wn_key *k, const char *text, struct wn_relative *out);

#endif
