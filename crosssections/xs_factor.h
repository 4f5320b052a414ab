/* crosssections/xs_factor.h - multiplication of cross sections by factors: how far does
 * their uncertainty change a result?
 *
 * A factor F applies at all energies, or between a and b as a smooth hump in ln E,
 *   f(E) = F^(sin^2(pi ln(E/a)/ln(b/a)))  for a < E < b,  1 elsewhere:
 * F at the geometric mean of a and b, and 1 with slope 0 at both ends, without a jump.
 * Tables are linear between rows.  Rows are inserted where linear interpolation would
 * miss f by more than 2e-5 of the cross section, or where rows are more than 1 % apart in
 * energy.
 *
 * An effective cross section from which inelastic ones were subtracted is not kept, so a
 * factor on these does not change the elastic one.  t/crosssections/t0209-factors.c. */
#ifndef WN_CROSSSECTIONS_XS_FACTOR_H
#define WN_CROSSSECTIONS_XS_FACTOR_H
#include "crosssections/xs.h"

struct wn_xs_factor {
  /* One of these, else a label or a product (wn_xs_named_by):
   *   elastic            momentum transfer and, where it is known, the integral cross
   *                      section: angles stay as they are
   *   momentum-transfer  without the integral cross section: angles change
   *   integral           that alone
   *   inelastic          every excitation and ionization
   *   excitation, ionization, attachment */
  char *process;
  double factor;         /* above 0 */
  double from_ev, to_ev; /* 0 < from < to; both 0: all energies */
  const char *text;      /* as the scenario has it, for messages */
};

/* Multiply by the factors in turn, in a prepared set (wn_xs_prepare) of electrons.  The
 * notes of the set record which processes each factor multiplied.
 *   beyond     extrapolation above the tables: a range must not change rows that the
 *              extrapolation is computed from, since it would end where f is not 1
 *   WN_EINPUT  a factor that matches no process of this set, or whose range contains no
 *              cross section above 0; a range that changes the extrapolation; a momentum
 *              transfer above twice the integral cross section, which no angular
 *              distribution gives.  A message names it; the set may be changed in part
 *              and must not be used
 *   WN_ENOMEM */
int wn_xs_multiply(struct wn_xs_set *set, enum wn_xs_beyond beyond, size_t n,
                   const struct wn_xs_factor *factor);

#endif
