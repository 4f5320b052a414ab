/* t0600-swarm-models.c - defends: swarms of model gases have the published transport
 * coefficients, within the scatter of the codes that published them. Numbers: Reid's ramp
 * and Lucas-Saelee from LoKI-MC's benchmark document (tables 1 and 2, codes LoKI-MC,
 * MultiBolt, Raspopovic, White); constant collision frequency exact (Wannier). The seed
 * is fixed, so the verdict is always the same; the tolerances are those of the sources.
 * Diffusion has a statistical error near its tolerance in the short version, so it gets 3
 * standard errors on top there; with WN_LONG=1 the runs are four times as long and
 * diffusion must meet the bare tolerance. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "t/tap/command.h"
#include "t/tap/tap.h"

static int long_run;

static const char *root(void)
{
  const char *s = getenv("WN_SRCDIR");
  return s != NULL ? s : ".";
}

static void run(const char *scenario, const char *out, const char *more)
{
  int status = command("%s run %s/data/scenarios/%s --quiet --output %s %s",
                       command_wilson(), root(), scenario, out, more);
  if (!is_int(status, 0, "%s runs%s%s", scenario, *more ? " with " : "", more))
    diag("%.800s", command_err);
}

static double value(const char *file, const char *name, size_t i)
{
  size_t n = 0;
  double *v = command_nc_read(file, name, &n), x = v != NULL && i < n ? v[i] : NAN;
  free(v);
  return x;
}

/* value within tol of want (relative); sigmas standard errors of the run on top. */
static void check(const char *file, const char *name, double scale, double want,
                  double tol, double sigmas)
{
  char error[128];
  snprintf(error, sizeof error, "%s_error", name);
  double got = value(file, name, 0) * scale, e = value(file, error, 0) * scale;
  ok(fabs(got - want) <= tol * fabs(want) + sigmas * e,
     "%s: got %.5g +- %.2g, want %.5g within %.2g %%%s", name, got, e, want, 100.0 * tol,
     sigmas > 0.0 ? " and 3 standard errors" : "");
}

static void reid_ramp(void)
{
  const double n = 1e24, sigmas = long_run ? 0.0 : 3.0;
  /* long: standard errors of 0.35 % at most, so that 1 % is a false alarm one time in 200
   */
  run("reid-ramp.cfg", "t0600.nc", long_run ? "--set electrons=200000" : "");
  check("t0600.nc", "mean_energy", 1.0, 0.2690, 0.003, 0.0);
  check("t0600.nc", "drift_velocity_flux", 1.0, 6.838e4, 0.002, 0.0);
  check("t0600.nc", "drift_velocity_bulk", 1.0, 6.838e4, 0.002, sigmas);
  check("t0600.nc", "diffusion_transverse_flux", n, 1.136e24, 0.01, sigmas);
  check("t0600.nc", "diffusion_longitudinal_flux", n, 0.568e24, 0.01, sigmas);
  check("t0600.nc", "diffusion_transverse_bulk", n, 1.136e24, 0.01, sigmas);
  check("t0600.nc", "diffusion_longitudinal_bulk", n, 0.568e24, 0.01, sigmas);
  is_near(value("t0600.nc", "energy_residual", 0) / value("t0600.nc", "energy_gained", 0),
          0.0, 1e-6, "the energy ledger closes");
}

/* Codes scatter by 2-4 % in diffusion here. */
static void lucas_saelee(void)
{
  const double n = 1e20, sigmas = long_run ? 0.0 : 3.0;
  run("lucas-saelee.cfg", "t0600.nc", long_run ? "--set electrons=20000" : "");
  check("t0600.nc", "mean_energy", 1.0, 4.97, 0.003, 0.0);
  check("t0600.nc", "ionization_frequency", 1.0, 2.42e3, 0.01, 0.0);
  check("t0600.nc", "drift_velocity_flux", 1.0, 7.33e4, 0.005, 0.0);
  check("t0600.nc", "drift_velocity_bulk", 1.0, 9.48e4, 0.005, sigmas);
  check("t0600.nc", "diffusion_transverse_flux", n, 2.43e25, 0.04, sigmas);
  check("t0600.nc", "diffusion_transverse_bulk", n, 2.72e25, 0.04, sigmas);
  check("t0600.nc", "diffusion_longitudinal_flux", n, 2.38e25, 0.04, sigmas);
  check("t0600.nc", "diffusion_longitudinal_bulk", n, 2.93e25, 0.04, sigmas);
}

/* The model without ionization and the one with attachment: the swarm dies out and is
 * kept alive by splitting. */
static void lucas_saelee_others(void)
{
  const char *file = "--set gas.components.A.file=../crosssections/lucas-saelee-%s.txt "
                     "--set electrons=%d%s";
  char more[256];
  snprintf(more, sizeof more, file, "f0", long_run ? 10000 : 3000, "");
  run("lucas-saelee.cfg", "t0600.nc", more);
  check("t0600.nc", "mean_energy", 1.0, 5.56, 0.003, 0.0);
  check("t0600.nc", "drift_velocity_flux", 1.0, 7.33e4, 0.005, 0.0);
  /* 20 seeds gave an attachment frequency of 2606 +- 4, 0.6 % above the benchmark: so
   * many electrons that 1 % is far outside the error (0.22 %) */
  snprintf(more, sizeof more, file, "attachment", long_run ? 40000 : 5000, "");
  run("lucas-saelee.cfg", "t0600.nc", more);
  check("t0600.nc", "mean_energy", 1.0, 5.72, 0.003, 0.0);
  check("t0600.nc", "attachment_frequency", 1.0, 2.59e3, 0.01, 0.0);
  check("t0600.nc", "drift_velocity_flux", 1.0, 7.32e4, 0.005, 0.0);
  check("t0600.nc", "drift_velocity_bulk", 1.0, 7.55e4, 0.005, long_run ? 0.0 : 3.0);
}

static void constant_frequency(void)
{
  run("maxwell-gas.cfg", "t0600.nc", long_run ? "--set electrons=6400" : "");
  check("t0600.nc", "drift_velocity_flux", 1.0, 4943.15, 0.001, 0.0);
  check("t0600.nc", "mean_energy", 1.0, 0.50657, 0.003, 0.0);
}

int main(void)
{
  const char *l = getenv("WN_LONG");
  long_run = l != NULL && *l == '1';
  const char *fast = getenv("WN_FAST");
  if (fast != NULL && *fast == '1')
    skip_all("WN_FAST=1: the long physics runs are left out");
  plan(0);
  reid_ramp();
  lucas_saelee();
  lucas_saelee_others();
  constant_frequency();
  remove("t0600.nc");
  return done();
}
