/* t/fuzz/photons.c - libFuzzer: any text as a file of photon data.  What is returned must be fit to be used: cross sections and spectra
 * are numbers, and samplers end. */
#include "t/fuzz/fuzz.h"
#include <math.h>
#include "base/error.h"
#include "crosssections/xs_photon.h"
#include "physics/photons/bremsstrahlung.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
  const char *path = fuzz_file(data, n);
  struct wn_xs_photon *x = NULL;
  const int status = wn_xs_photon_read(path, &x);
  if (status != WN_OK && status != WN_EINPUT)
    abort();
  if (status != WN_OK)
    return 0;
  const double e = sqrt(x->photon_first_ev) * sqrt(x->photon_last_ev);
  for (int p = 0; p < WN_PHOTON_N_PROCESSES; p++)
    if (!(wn_photon_sigma(&x->view, (enum wn_photon_process)p, wn_ln(e)) >= 0.0))
      abort();
  if (!(wn_brems_above(&x->view, e, 0.01 * e) >= 0.0) ||
      !(wn_photon_form_factor(&x->view, 1.0) >= 0.0))
    abort();
  wn_xs_photon_free(x);
  return 0;
}
