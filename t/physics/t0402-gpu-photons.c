/* t0402-gpu-photons.c - defends: photons, pairs, annihilation and bremsstrahlung give the same bits on a GPU as on the CPU: five interactions of
 * each of many photons of 10 keV to 80 MeV in air, and the radiation of an electron of that energy.  The tables are copied to the
 * device as for the radiation of swarms. */
#include "t/physics/gpu_photons.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "device/gpu.h"
#include "t/crosssections/photon_files.h"
#include "t/tap/gpu.h"
#include "t/tap/tap.h"

#ifdef WN_HAVE_CUDA
static void compare(const struct wn_photon_medium *m)
{
  const size_t n = gpu_size(200000, 2000);
  struct gpu_photon *p = calloc(n, sizeof *p), *q = calloc(n, sizeof *q);
  struct wn_photon_medium there;
  struct wn_gpu_photon_tables *tables = NULL;
  if (p != NULL && q != NULL &&
      is_int(wn_gpu_photon_tables_create(gpu_device(), m, &there, &tables), WN_OK,
             "tables on the device")) {
    double seconds = 0.0;
    for (size_t i = 0; i < n; i++) {
      p[i].photon = (struct wn_photon){.d = {0.0, 0.6, 0.8},
                                       .e_ev = 1e4 * pow(8e3, (double)i / (double)n),
                                       .weight = 1.0,
                                       .depth = -1.0,
                                       .id = i};
      q[i] = p[i];
    }
    clock_t begin = clock();
    for (size_t i = 0; i < n; i++)
      gpu_photon_follow(m, &p[i]);
    double host = (double)(clock() - begin) / CLOCKS_PER_SEC;
    is_int(gpu_photons_device(&there, q, n, &seconds), WN_OK, "status");
    diag("%zu photons: %.3g s on a core, %.3g s on the GPU", n, host, seconds);
    size_t differ = 0, first = n;
    for (size_t i = 0; i < n; i++)
      if (memcmp(p[i].sums, q[i].sums, sizeof p[i].sums) != 0 ||
          memcmp(p[i].photon.x, q[i].photon.x, sizeof p[i].photon.x) != 0 ||
          memcmp(p[i].photon.d, q[i].photon.d, sizeof p[i].photon.d) != 0 ||
          p[i].photon.e_ev != q[i].photon.e_ev ||
          p[i].photon.event != q[i].photon.event) {
        first = differ == 0 ? i : first;
        differ++;
      }
    ok(differ == 0, "%zu photons: the same bits, %zu differ, first %zu", n, differ,
       first);
    if (differ > 0)
      for (int k = 0; k < 8; k++)
        diag("  sum %d: %.17g, GPU %.17g", k, p[first].sums[k], q[first].sums[k]);
  }
  wn_gpu_photon_tables_free(tables);
  free(p);
  free(q);
}
#else
static void compare(const struct wn_photon_medium *m)
{
  (void)m; /* gpu_or_skip() does not return */
}
#endif

int main(void)
{
  gpu_or_skip();
  plan(0);
  struct wn_xs_photon *x[PHOTON_FILES];
  static const struct wn_xs_photon_gas gas[] = {{"N2", 2e25}, {"O2", 5e24}, {"Ar", 2e23}};
  struct wn_photon_medium m = {.n = 0};
  if (ok(photon_files_read(x) == WN_OK, "data are read")) {
    struct wn_xs_photon_spec s = {.element = (const struct wn_xs_photon *const *)x,
                                  .n_elements = 3,
                                  .gas = gas,
                                  .n_gases = 3,
                                  .compton = WN_PHOTON_BOUND,
                                  .rayleigh = WN_PHOTON_FORM_FACTOR,
                                  .cut_ev = 1e3,
                                  .most_ev = 1e8,
                                  .seed = 3};
    if (ok(wn_xs_photon_medium(&s, &m) == WN_OK, "air"))
      compare(&m);
  }
  photon_files_free(x);
  return done();
}
