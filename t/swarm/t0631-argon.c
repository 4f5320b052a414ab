/* t0631-argon.c - defends: swarms in builtin:argon have the known transport of argon.
 *
 * Electrons, 100 Td, 300 K: the same run with Phelps' tables (LXCat, in the copy of the
 * group GREPHE of 2013; isotropic, opal) gave 6.939 eV, a flux drift of 7.893e4 m/s and
 * alpha/N = 1.03e-21 m2 (2026-11-22); the formulae here are fits of the same author, which
 * may differ by 3 % in energy and drift and 10 % in alpha/N.
 *
 * Ar+ at 300 K: zero-field mobility 1.63 cm2/(V s) at 2.687e25 m-3 (Hornbeck, Phys. Rev. 84,
 * 615, 1951: measured; the abstract was read), and a fit of the mobility that fluid codes
 * take, mu N = 4.411e21/(1 + (7.721e-3 E/N)^1.5)^0.33 1/(m V s), E/N in Td, as two public
 * codes have it without its origin: both within 10 %.  And, independent of a simulation, the
 * first approximation of Chapman and Enskog (known from the textbooks; not looked up),
 *   mu N = (3 e/16) sqrt(2 pi/(mu_r kT)) / Omega, Omega = 1/2 (kT)^-3 int e^2 sigma_m
 *   exp(-e/kT) de, at the temperature of the relative motion T + M v^2/3k: within 3 %. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "t/tap/command.h"
#include "t/tap/ion_swarm.h"
#include "t/tap/tap.h"

static const char *const scenario =
    "job = \"swarm\"; fields = [\"100 Td\"]; electrons = 1000; accuracy = 0.005; sharing "
    "= \"opal\";\n"
    "gas = { pressure = \"10 Pa\"; temperature = \"300 K\";\n"
    "  components = { Ar = { file = \"builtin:argon\"; beyond = \"power\"; }; }; };\n"
    "tables = { energy_max = \"1 keV\"; };\n";

static double value(const char *name)
{
  size_t n = 0;
  double *v = command_nc_read("t0631.nc", name, &n), x = v != NULL && n > 0 ? v[0] : NAN;
  free(v);
  return x;
}

static void test_electrons(void)
{
  command_write("t0631.cfg", scenario);
  is_int(command("%s run t0631.cfg --quiet --output t0631.nc", command_wilson()), 0,
         "a swarm in builtin:argon %.300s", command_err);
  ok(value("mean_energy_error") < 0.01 * value("mean_energy") &&
         value("drift_velocity_flux_error") < 0.01 * value("drift_velocity_flux"),
     "its errors are below 1 %%");
  is_close(value("mean_energy"), 6.939, 0.03, "electrons: mean energy, eV");
  is_close(value("drift_velocity_flux"), 7.893e4, 0.03, "electrons: flux drift, m/s");
  is_close(value("townsend_coefficient_reduced"), 1.03e-21, 0.1,
           "electrons: alpha/N, m2");
  remove("t0631.cfg");
  remove("t0631.nc");
}

static double momentum_transfer(const struct wn_xs_set *set, double e_ev)
{
  return wn_xs_sigma(set, &set->process[0], e_ev, WN_XS_BEYOND_ERROR) +
         2.0 * wn_xs_sigma(set, &set->process[1], e_ev, WN_XS_BEYOND_ERROR);
}

/* mu N, 1/(m V s). */
static double chapman_enskog(const struct wn_xs_set *set, double kelvin)
{
  const double kt = WN_KB * kelvin / WN_E, reduced = 0.5 * set->ion_mass; /* eV */
  double omega = 0.0;
  const int n = 20000;
  for (int i = 0; i < n; i++) { /* midpoints, to 40 kT */
    const double x = 40.0 * (i + 0.5) / n;
    omega += 0.5 * x * x * exp(-x) * momentum_transfer(set, x * kt) * 40.0 / n;
  }
  return 3.0 / 16.0 * WN_E * sqrt(2.0 * WN_PI / (reduced * WN_KB * kelvin)) / omega;
}

static void test_ions(double td, double e_max)
{
  const double n_gas = 2e22;
  struct wn_xs_set *set = NULL;
  struct swarm s;
  char name[40];
  swarm_must(wn_xs_builtin("builtin:argon", "Ar+ / Ar", &set));
  const struct wn_xs_ion_gas gas = {.set = set, .density = n_gas};
  const struct wn_xs_ion_spec spec = {.n_gases = 1,
                                      .gas = &gas,
                                      .temperature = 300.0,
                                      .bins_per_octave = 64,
                                      .e_max_ev = e_max};
  snprintf(name, sizeof name, "Ar+, %g Td", td);
  swarm_open(&s, &spec, 1024, 19, td * WN_TD * n_gas, 1);
  swarm_run(&s, 10, 40, 1e-6);
  const struct swarm_mean drift = swarm_drift(&s);
  const double mobility = drift.value / (td * WN_TD),
               fit = 4.411e21 / pow(1.0 + pow(7.721e-3 * td, 1.5), 0.33);
  ok(drift.error < 0.01 * drift.value, "%s: drift %.5g m/s, known to 1 %% (%.2g %%)",
     name, drift.value, 100.0 * drift.error / drift.value);
  is_close(mobility, fit, 0.1, "%s: the fit to measured mobilities", name);
  if (td < 25.0) {
    const double t = 300.0 + set->ion_mass * drift.value * drift.value / (3.0 * WN_KB);
    is_close(mobility / 2.6868e25 * 1e4, 1.63, 0.1, "%s: Hornbeck's mobility", name);
    is_close(mobility, chapman_enskog(set, t), 0.03, "%s: Chapman and Enskog at %.4g K",
             name, t);
  }
  is_int((long long)(s.tally.alarms->n_violations + s.tally.alarms->n_beyond), 0,
         "%s: no alarm", name);
  swarm_close(&s);
  wn_xs_free(set);
}

int main(void)
{
  command_skip_if_fast();
  plan(0);
  test_electrons();
  test_ions(20.0, 2.0);
  test_ions(100.0, 8.0);
  test_ions(500.0, 64.0);
  test_ions(1000.0, 128.0);
  return done();
}
