/* crosssections/xs_moliere.h - elastic scattering of a set at high energy: that of its atoms with Moliere's
 * screening (physics/moliere.h). */
#ifndef WN_CROSSSECTIONS_XS_MOLIERE_H
#define WN_CROSSSECTIONS_XS_MOLIERE_H
#include "crosssections/xs.h"

/* Where the set's own cross sections end and where Moliere's begin, eV; between, the logarithms of both,
 * integral and for momentum transfer, pass from one to the other linearly in ln E: both are continuous. */
#define WN_MOLIERE_FROM_EV 1e3
#define WN_MOLIERE_TO_EV   1e4

/* Changes the elastic process of a prepared set.  WN_EINPUT: the set is not of N2, O2 or Ar, has no integral elastic
 * cross section, or ends below WN_MOLIERE_TO_EV. */
int wn_xs_set_moliere(struct wn_xs_set *set);

#endif
