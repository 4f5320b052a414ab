/* crosssections/xs_photon.h - photon and bremsstrahlung data of elements, from files (layout: data/photons/README), and the gas
 * that is made of them.  Units: eV, m2; densities 1/m3. */
#ifndef WN_CROSSSECTIONS_XS_PHOTON_H
#define WN_CROSSSECTIONS_XS_PHOTON_H
#include <stddef.h>
#include "base/sha256.h"
#include "physics/photons/flight.h"

WN_BEGIN_DECLS

struct wn_xs_photon {
  struct wn_photon_element view; /* pointers into `data` and `spectrum` */
  char symbol[4];
  double mass;  /* kg */
  char *source; /* path as given */
  char sha256[WN_SHA256_HEX];
  double photon_first_ev, photon_last_ev;     /* all photon tables hold in between */
  double electron_first_ev, electron_last_ev; /* radiative stopping and spectra */
  double *data;
  size_t n_data;
  struct wn_brems_spectrum *spectrum;
};

/* Reads a file.  WN_EIO; WN_ENOMEM; WN_EINPUT with file:line: an unknown word, a table that is missing, twice, too short,
 * with energies that fall, numbers that are negative or not numbers. */
int wn_xs_photon_read(const char *path, struct wn_xs_photon **out);
void wn_xs_photon_free(struct wn_xs_photon *x);

/* A gas: molecules by their formulae ("N2", "CO2"), with densities. */
struct wn_xs_photon_gas {
  const char *formula;
  double density; /* molecules, 1/m3 */
};

struct wn_xs_photon_spec {
  const struct wn_xs_photon *const
      *element; /* at most WN_PHOTON_ELEMENTS, no symbol twice */
  size_t n_elements;
  const struct wn_xs_photon_gas *gas;
  size_t n_gases;
  enum wn_photon_compton compton;
  enum wn_photon_rayleigh rayleigh;
  double cut_ev;  /* photons below it are deposited: within the tables of all elements */
  double most_ev; /* highest energy of a photon of the run */
  uint64_t seed;
};

/* Elements of the view keep their order; those that no gas contains have density 0 and are left out.  WN_EINPUT: an element of a
 * gas without data ("photon without data"), a formula that cannot be read, a cut below or an energy above the tables. */
int wn_xs_photon_medium(const struct wn_xs_photon_spec *s, struct wn_photon_medium *m);

/* Is formula made of symbols and counts?  Calls back with each. */
typedef int wn_xs_atom(void *to, const char *symbol, double count);
int wn_xs_formula(const char *formula, wn_xs_atom *each, void *to);

WN_END_DECLS

#endif
