/* crosssections/xs_deflection.h - how losses below the cut of Moller's cross section turn a fast electron.
 * Formulae: physics/ionization_angle.h, physics/excitation_angle.h; checked by t/crosssections/t0214-moller.c. */
#ifndef WN_CROSSSECTIONS_XS_DEFLECTION_H
#define WN_CROSSSECTIONS_XS_DEFLECTION_H
#include "crosssections/xs.h"
#include "crosssections/xs_bethe.h"

/* Of the ionizations below the cut and the excitations of a set, as it is before Moller's cross section is put in: the sum of sigma (1 - cos)
 * over that by free electrons which take as much energy.  The line in ln T, by least squares over 10 keV to 40 MeV.  Never
 * fails. */
struct wn_soft_deflection wn_xs_deflection(const struct wn_xs_set *set,
                                           const struct wn_xs_bethe *b);

#endif
