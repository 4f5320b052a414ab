/* crosssections/xs_beyond.h - cross sections above the last row of their tables. */
#ifndef WN_CROSSSECTIONS_XS_BEYOND_H
#define WN_CROSSSECTIONS_XS_BEYOND_H
#include "crosssections/xs.h"

/* The nuclear charge of the atoms of N2, O2 or Ar; 0 for an unknown gas.  Their number drops out of
 * a shape. */
double wn_xs_nuclear_charge(const char *gas);

/* Whether a set can be continued by a policy.  WN_XS_BEYOND_BORN needs the orbitals of
 * the gas (N2, O2, Ar) and ionization tables that reach above its lowest binding energy;
 * the others suit every set.  Anything else is WN_EINPUT with a message.  Warns when a
 * table that has not ended stops below 100 eV, where Born's theory does not hold. */
int wn_xs_beyond_supported(const struct wn_xs_set *set, enum wn_xs_beyond beyond);

/* For wn_xs_sigma: the continuation of sigma (p->sigma or p->sigma_total) at energy_ev >
 * the last energy [m2]. */
double wn_xs_beyond_sigma(const struct wn_xs_set *set, const struct wn_xs_process *p,
                          const double *sigma, double energy_ev,
                          enum wn_xs_beyond beyond);

/* Lowest energy at which a change of sigma (p->sigma or p->sigma_total) changes the
 * extrapolation above the table; INFINITY: no change does. */
double wn_xs_beyond_from(const struct wn_xs_process *p, const double *sigma,
                         enum wn_xs_beyond beyond);

#endif
