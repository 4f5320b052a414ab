/* t0225-photon-data.c - defends: the shipped data of photons and of bremsstrahlung, as read.  Dry air against published tables: mass
 * attenuation by Hubbell and Seltzer (NIST SRD 126, "Air, Dry (near sea level)"), 10 keV to 20 MeV within 2 %; radiative stopping power of
 * ESTAR (NIST SRD 124, output of February 2026), 12.5 keV to 40 MeV within 1.5 %.  Incoherent scattering goes to
 * Z Klein-Nishina at high energy, and the K shell is a part of the photoelectric effect.  Bad files name file:line. */
#include "t/crosssections/photon_files.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/log.h"
#include "physics/photons/bremsstrahlung.h"
#include "t/tap/tap.h"

static const struct {
  double mev, cm2_g;
} attenuation[] = {
    {0.01, 5.120},   {0.015, 1.614},  {0.02, 0.7779},  {0.03, 0.3538}, {0.04, 0.2485},
    {0.05, 0.2080},  {0.06, 0.1875},  {0.08, 0.1662},  {0.1, 0.1541},  {0.15, 0.1356},
    {0.2, 0.1233},   {0.3, 0.1067},   {0.4, 0.09549},  {0.5, 0.08712}, {0.6, 0.08055},
    {0.8, 0.07074},  {1.0, 0.06358},  {1.25, 0.05687}, {1.5, 0.05175}, {2.0, 0.04447},
    {3.0, 0.03581},  {4.0, 0.03079},  {5.0, 0.02751},  {6.0, 0.02522}, {8.0, 0.02225},
    {10.0, 0.02045}, {15.0, 0.01810}, {20.0, 0.01705},
};

static const struct {
  double mev, mev_cm2_g;
} radiative[] = {
    {0.0125, 0.003921}, {0.02, 0.003954}, {0.03, 0.003976}, {0.05, 0.004025},
    {0.08, 0.004133},   {0.1, 0.004222},  {0.2, 0.004789},  {0.3, 0.005495},
    {0.5, 0.007223},    {0.8, 0.010360},  {1.0, 0.012710},  {1.5, 0.019270},
    {2.0, 0.026560},    {3.0, 0.042600},  {5.0, 0.078380},  {8.0, 0.137600},
    {10.0, 0.179500},   {15.0, 0.289500}, {20.0, 0.404200}, {30.0, 0.641700},
    {40.0, 0.885500},
};

static void test_air(struct wn_xs_photon *x[])
{
  double worst = 0.0, at = 0.0;
  for (size_t i = 0; i < sizeof attenuation / sizeof *attenuation; i++) {
    double mu = 0.0;
    for (int k = 0; k < PHOTON_FILES; k++)
      for (int p = 0; p < WN_PHOTON_N_PROCESSES; p++)
        mu += photon_air_per_kg(x[k], k) *
              wn_photon_sigma(&x[k]->view, (enum wn_photon_process)p,
                              wn_ln(attenuation[i].mev * 1e6));
    double off = fabs(10.0 * mu / attenuation[i].cm2_g - 1.0);
    at = off > worst ? attenuation[i].mev : at;
    worst = fmax(worst, off);
  }
  ok(worst < 0.005,
     "attenuation of air, off by %.4f at %g MeV, asked 0.02, allowed here 0.005", worst,
     at);
  worst = 0.0;
  for (size_t i = 0; i < sizeof radiative / sizeof *radiative; i++) {
    double s = 0.0;
    for (int k = 0; k < PHOTON_FILES; k++)
      s += photon_air_per_kg(x[k], k) *
           wn_brems_stopping(&x[k]->view, wn_ln(radiative[i].mev * 1e6)) * 1e-6 * 10.0;
    double off = fabs(s / radiative[i].mev_cm2_g - 1.0);
    at = off > worst ? radiative[i].mev : at;
    worst = fmax(worst, off);
  }
  ok(worst < 0.015, "radiative stopping of air, off by %.4f at %g MeV, allowed 0.015",
     worst, at);
}

static void test_element(const struct wn_xs_photon *x)
{
  const struct wn_photon_element *v = &x->view;
  is_close(wn_photon_sigma(v, WN_PHOTON_INCOHERENT, wn_ln(5e6)),
           v->z * wn_compton_total(5e6), 5e-3,
           "%s: incoherent at 5 MeV is Z Klein-Nishina", x->symbol);
  double before = 0.0, most_k = 0.0;
  for (double e = 1.01e3; e < 9e7; e *= 1.1)
    most_k = fmax(most_k, wn_photon_k_part(v, wn_ln(e)));
  ok(most_k > 0.85 && most_k < 1.0,
     "%s: K shell at most %.3f of the photoelectric effect", x->symbol, most_k);
  ok(wn_photon_sigma(v, WN_PHOTON_PAIR, wn_ln(1.02e6)) == 0.0 &&
         wn_photon_sigma(v, WN_PHOTON_PAIR, wn_ln(1.03e6)) > 0.0 &&
         wn_photon_sigma(v, WN_PHOTON_TRIPLET, wn_ln(2.04e6)) == 0.0 &&
         wn_photon_sigma(v, WN_PHOTON_TRIPLET, wn_ln(2.1e6)) > 0.0,
     "%s: pairs from 1.022 MeV on, triplets from 2.044 MeV on", x->symbol);
  is_close(wn_photon_form_factor(v, 1.0), v->z, 1e-3, "%s: form factor at 0 is Z",
           x->symbol);
  ok(wn_photon_scattering_function(v, 2e6) == v->z &&
         wn_photon_scattering_function(v, 1.0) < 1e-2 * v->z,
     "%s: scattering function from 0 to Z", x->symbol);
  /* as many photons above 0.1 eV as the evaluation has (EEDL, reaction 82) */
  static const double number[PHOTON_FILES][2] = {
      {17.1706, 18.8889}, {21.4941, 23.5713}, {89.3847, 97.4212}};
  for (int k = 0; k < 2; k++) {
    const double *barn = x->view.z == 7   ? number[0]
                         : x->view.z == 8 ? number[1]
                                          : number[2];
    is_close(wn_brems_above(v, k == 0 ? 2e7 : 1e8, 0.1) * 1e28, barn[k], 1e-5,
             "%s: number of photons at %d MeV, barn", x->symbol, k == 0 ? 20 : 100);
  }
  /* what is lost below a cut rises with it, to all that is lost */
  double worst = 0.0;
  for (double e = 2e3; e < 9e8; e *= 2.3) {
    before = 0.0;
    for (double cut = 1e-4; cut < 1.0; cut *= 1.7) {
      double below = wn_brems_restricted(v, e, cut * e);
      worst = fmax(worst, before - below);
      before = below;
    }
    worst = fmax(worst, fabs(wn_brems_restricted(v, e, e * (1.0 - 1e-12)) /
                                 wn_brems_stopping(v, wn_ln(e)) -
                             1.0));
  }
  ok(worst < 1e-9,
     "%s: restricted stopping rises with the cut, to all of it, %.2g, allowed 1e-9",
     x->symbol, worst);
}

static char logged[4000];
static FILE *log_file;

static void log_begin(void)
{
  memset(logged, 0, sizeof logged);
  log_file = fmemopen(logged, sizeof logged, "w");
  wn_log_to(log_file);
}

static int log_end(int status)
{
  wn_log_to(NULL);
  if (log_file != NULL)
    fclose(log_file);
  return status;
}

/* The file of N with line `at` replaced by `text` (0: appended). */
static int read_changed(int at, const char *text)
{
  char path[1000];
  snprintf(path, sizeof path, "%s/data/photons/N.txt",
           getenv("WN_SRCDIR") != NULL ? getenv("WN_SRCDIR") : ".");
  FILE *in = fopen(path, "r"), *out = fopen("t0225.txt", "w");
  static char line[1000];
  for (int i = 1; in != NULL && out != NULL && fgets(line, sizeof line, in) != NULL; i++)
    fprintf(out, "%s", i == at ? text : line);
  if (at == 0 && out != NULL)
    fprintf(out, "%s", text);
  if (in != NULL)
    fclose(in);
  if (out != NULL)
    fclose(out);
  struct wn_xs_photon *x = NULL;
  log_begin();
  int status = log_end(wn_xs_photon_read("t0225.txt", &x));
  wn_xs_photon_free(x);
  unlink("t0225.txt");
  return status;
}

static void test_bad(void)
{
  static const struct {
    int line;
    const char *text, *message;
  } bad[] = {
      {1, "# something\n", "t0225.txt:1: not a file of photon data"},
      {4, "elment N\n", "t0225.txt:4: \"elment N\" is none of"},
      {5, "z 7.5\n", "t0225.txt:5: z is 7.5: 1 to 100"},
      {7, "binding_ev 20 403\n", "t0225.txt:7: binding energies 20 and 403"},
      {6, "mass_u 0\n", "t0225.txt:6: mass_u is 0: 1 to 300"},
      {6, "\n", "no mass_u"},
      {8, "coherent 1\n", "t0225.txt:8: coherent has 1 lines"},
      {10, "500 1e-27\n", "t0225.txt:10: coherent: 500 follows 1000, and must rise"},
      {10, "1081 -1e-27\n", "t0225.txt:10: coherent: -1e-27 must be above 0"},
      {10, "1081 1e-27 3\n", "t0225.txt:10: \"3\" after two numbers"},
      {10, "1081 nan\n", "t0225.txt:10: \"nan\" is not two numbers"},
      {10, "incoherent 4\n", "t0225.txt:10: \"incoherent 4\" is not two numbers"},
      {0, "coherent 5\n", "coherent again, first in line 8"},
      {0, "spectrum 1e12 3\n0.1 2\n", "the file ends in spectrum, after 1 of 3 lines"},
      {0, "spectrum 1e12 2\n0.1 2\n1.2 1\n",
       "a photon of 1.2 times the energy of the electron"},
      {10, "1e-300 1e-27\n", "coherent: 1e-300 follows 1000"},
      {10, "1e300 1e-27\n", "coherent: 1e+300 is not between 1e-12 and 1e18"},
      {10, "1081 1e100\n", "coherent: 1e+100 is not between 1e-60 and 1e60"},
      {0, "spectrum 1e12 2\n0.1 0\n1 0\n", "the spectrum at 1e+12 eV has no photons"},
      {0, "spectrum 5 2\n0.1 2\n1 1\n", "energies of spectra must rise, and 5 does not"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    int status = read_changed(bad[i].line, bad[i].text);
    ok(status == WN_EINPUT && strstr(logged, bad[i].message) != NULL, "refused: %s",
       bad[i].message);
    if (strstr(logged, bad[i].message) == NULL)
      diag("logged: %s", logged);
  }
}

static bool refused(const struct wn_xs_photon_spec *s, struct wn_photon_medium *m)
{
  log_begin();
  return log_end(wn_xs_photon_medium(s, m)) == WN_EINPUT;
}

static void test_medium(struct wn_xs_photon *x[])
{
  struct wn_photon_medium m;
  const struct wn_xs_photon_gas air[] = {{"N2", 0.78e25},
                                         {"O2", 0.21e25},
                                         {"Ar", 0.01e25}},
                                co2[] = {{"CO2", 1e25}}, odd[] = {{"n2", 1e25}};
  struct wn_xs_photon_spec s = {.element = (const struct wn_xs_photon *const *)x,
                                .n_elements = 3,
                                .gas = air,
                                .n_gases = 3,
                                .cut_ev = 1e3,
                                .most_ev = 1e7};
  ok(wn_xs_photon_medium(&s, &m) == WN_OK && m.n == 3, "air of three elements");
  is_close(m.density[0], 1.56e25, 1e-14, "two N of N2");
  is_close(m.density[2], 0.01e25, 1e-14, "one Ar");
  s.cut_ev = 500.0;
  ok(refused(&s, &m) &&
         strstr(logged, "cut of 500 eV is below the tables of N, which begin at 1000 eV"),
     "a cut below the tables");
  s.cut_ev = 1e3;
  s.most_ev = 1e9;
  ok(refused(&s, &m) &&
         strstr(logged,
                "photons of 1e+09 eV are above the tables of N, which end at 1e+08 eV"),
     "an energy above the tables");
  s.most_ev = 1e7;
  s.gas = co2;
  s.n_gases = 1;
  ok(refused(&s, &m) && strstr(logged, "photons have no data of C, an element of CO2"),
     "a photon without data");
  s.gas = odd;
  ok(refused(&s, &m) && strstr(logged, "\"n2\" is not a formula"), "not a formula");
}

int main(void)
{
  plan(0);
  struct wn_xs_photon *x[PHOTON_FILES];
  if (!ok(photon_files_read(x) == WN_OK, "N, O and Ar are read")) {
    photon_files_free(x);
    return done();
  }
  is_close(x[0]->photon_first_ev, 1e3, 1e-9, "photons from 1 keV");
  is_close(x[0]->photon_last_ev, 1e8, 1e-9, "to 100 MeV");
  ok(x[2]->electron_first_ev <= 1e3 * (1 + 1e-9) &&
         x[2]->electron_last_ev >= 1e9 * (1 - 1e-9),
     "electrons from 1 keV to 1 GeV");
  test_air(x);
  for (int i = 0; i < PHOTON_FILES; i++)
    test_element(x[i]);
  test_bad();
  test_medium(x);
  photon_files_free(x);
  return done();
}
