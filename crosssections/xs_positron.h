/* crosssections/xs_positron.h - a gas for positrons: electrons, mean excitation energy, and the tables of physics/photons/positron.h, of which the memory
 * is here.  Units: eV, m.
 *
 * Knots at WN_POSITRON_PER_OCTAVE in a doubling, from an interval below stop_ev to two beyond top_ev.  Linear in ln T between: within 2e-4 of the
 * sums, but for rates next to their cuts (t0166). */
#ifndef WN_CROSSSECTIONS_XS_POSITRON_H
#define WN_CROSSSECTIONS_XS_POSITRON_H
#include "physics/photons/positron.h"

WN_BEGIN_DECLS

/* Lowest energy of positrons and lowest cut, eV: screening by Moliere and Bethe's formula hold from the first on, free electrons from the
 * second. */
#define WN_POSITRON_LEAST_EV 1e4
#define WN_POSITRON_CUT_EV   1e3

struct wn_xs_positron_spec {
  const struct wn_photon_medium *atoms; /* copied; its tables must stay */
  struct wn_density_effect density;
  enum wn_positron_brems brems;
  enum wn_brems_angle angle;
  double cut_ev, stop_ev, top_ev;
};

struct wn_xs_positron {
  struct wn_positron_medium view; /* pointers into `data` */
  double *data;
};

/* [eV] of the element in a gas, 0: not known.  ICRU Report 37, from memory: H 19.2, He 41.8, C 70 (in compounds), N 82, O 95, Ne 137, Ar 188, Kr 352,
 * Xe 482.  Dry air of them has 85.9 by Bragg's rule, ICRU's own value is 85.7. */
double wn_xs_mean_excitation_ev(double z);

/* Of several: ln I is the mean of ln I over electrons (Bragg).  0: one is not known. */
double wn_xs_gas_excitation_ev(const struct wn_photon_medium *atoms);

/* WN_EINPUT: an element whose mean excitation energy is not known, energies below those above or in the wrong order; WN_ENOMEM. */
int wn_xs_positron_create(const struct wn_xs_positron_spec *s,
                          struct wn_xs_positron **out);
void wn_xs_positron_free(struct wn_xs_positron *p);

WN_END_DECLS

#endif
