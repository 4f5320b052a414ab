/* src/sim/gas_radiation.h - photon data of the gas of a scenario: files of the components, the medium in which photons fly, and
 * tables of bremsstrahlung over the energy of the electron.  Shared by all cases.  Units: eV, m.
 *
 * The tables have WN_RADIATION_PER_OCTAVE knots in a doubling from the photon cut on, linear in the logarithm of the energy in between.
 * Against the sums of physics/photons/radiation.h both are within 1e-3 from 1.1 cuts on (t/swarm/t0665-radiation.c). */
#ifndef WN_SRC_SIM_GAS_RADIATION_H
#define WN_SRC_SIM_GAS_RADIATION_H
#include <stddef.h>
#include "crosssections/xs_photon.h"
#include "crosssections/xs_positron.h"
#include "physics/photons/radiating_path.h"
#include "src/config/config.h"

#define WN_RADIATION_PER_OCTAVE 32

struct wn_gas_radiation {
  size_t n;
  struct wn_xs_photon *element[WN_PHOTON_ELEMENTS];
  struct wn_photon_medium medium; /* seed 0: the user's copy has its own */
  double cut_ev, top_ev; /* electrons that radiate: from the first, to the second */
  double ln_cut, per_ln;
  size_t n_knots;
  double *above;                    /* [n_knots] photons above the cut per length, 1/m */
  double *below;                    /* [n_knots] friction of photons below it, eV/m */
  struct wn_xs_positron *positrons; /* NULL: they do not move */
};

/* density [c->n_components], molecules, 1/m3; density_effect: of positrons.  WN_EINPUT: an element without data, a file twice for another element of the same name, a
 * cut below or energies above the tables, positrons in an element whose mean excitation energy is not known; WN_EIO, WN_ENOMEM. */
int wn_gas_radiation_create(const struct wn_config *c, const double *density,
                            const struct wn_density_effect *density_effect,
                            struct wn_gas_radiation **out);
void wn_gas_radiation_free(struct wn_gas_radiation *r);

/* What an electron's code needs of it, by value; the tables stay those of r. */
void wn_gas_radiation_tables(const struct wn_gas_radiation *r, uint64_t seed,
                             enum wn_brems_angle angle, struct wn_radiation_tables *out);

#endif
