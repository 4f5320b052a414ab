/* crosssections/xs_factor.h - cross sections of a set multiplied by factors, so that a user
 * sees how far their uncertainty moves a result.
 *
 * A factor F holds at all energies, or from a to b as a hump in the logarithm of energy,
 *   f(E) = F^(sin^2(pi ln(E/a)/ln(b/a)))  for a < E < b,  1 elsewhere:
 * F at the geometric mean of a and b, 1 with slope 0 at both, so that nothing jumps.  Tables
 * are linear between rows; where that would miss f by more than 2e-5 of the cross section,
 * or rows are more than 1 % apart in energy, rows are put in between.
 *
 * An effective cross section from which inelastic ones were subtracted is not kept: what
 * multiplies these leaves the elastic one as it is.  t/crosssections/t0209-factors.c. */
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

/* Multiply, one factor after the other, in a prepared set (wn_xs_prepare) of electrons.
 * The set's notes say what each multiplied.
 *   beyond  what holds above the tables: rows that this follows from must not be changed by
 *           a range, which would end where f is not 1
 *   WN_EINPUT  a factor of nothing in this set, or whose range has no cross section above 0;
 *              a range that changes what holds above a table; a momentum transfer above twice
 *              the integral cross section, which no angles have: said, and of the set, which
 *              may be changed in part, no more use is to be made
 *   WN_ENOMEM */
int wn_xs_multiply(struct wn_xs_set *set, enum wn_xs_beyond beyond, size_t n,
                   const struct wn_xs_factor *factor);

#endif
