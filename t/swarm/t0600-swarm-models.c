/* t0600-swarm-models.c - defends: swarms of model gases have the published transport
 * coefficients, within the scatter of the codes that published them. Numbers: Reid's ramp
 * and Lucas-Saelee from LoKI-MC's benchmark document (tables 1 and 2, codes LoKI-MC,
 * MultiBolt, Raspopovic, White); constant collision frequency exact (Wannier). The seed
 * is fixed, so the verdict is always the same; the tolerances are those of the sources.
 * Bulk drift and diffusion have a statistical error near their tolerance in all but the
 * longest version, so they get 3 standard errors on top there; with WN_LONG=2 they must
 * meet the bare tolerance.  What must meet it always has errors of which the tolerance is
 * 1.6 or more: false alarm 11 % at the worst place, were the sources exact and the seed not
 * fixed; each line has its error. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "t/tap/command.h"
#include "t/tap/tap.h"

/* Electrons of each run: usually, and with WN_LONG=2. */
static const int reid[] = {5000, 200000}, lucas[] = {4000, 20000},
                 lucas_f0[] = {3000, 10000}, maxwell[] = {400, 6400};
static int many; /* which of the two */

static const char *root(void)
{
  const char *s = getenv("WN_SRCDIR");
  return s != NULL ? s : ".";
}

static void run(const char *scenario, const int electrons[2], const char *more)
{
  int status = command("%s run %s/data/scenarios/%s --quiet --output t0600.nc --set "
                       "electrons=%d %s",
                       command_wilson(), root(), scenario, electrons[many], more);
  if (!is_int(status, 0, "%s runs with %d electrons%s%s", scenario, electrons[many],
              *more ? " and " : "", more))
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
  const double n = 1e24, sigmas = many ? 0.0 : 3.0;
  /* longest: standard errors of 0.35 % at most, so that 1 % is a false alarm one time in
   * 200 */
  run("reid-ramp.cfg", reid, "");
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
  const double n = 1e20, sigmas = many ? 0.0 : 3.0;
  run("lucas-saelee.cfg", lucas, "");
  check("t0600.nc", "mean_energy", 1.0, 4.97, 0.003, 0.0);
  check("t0600.nc", "ionization_frequency", 1.0, 2.42e3, 0.01, 0.0);
  check("t0600.nc", "drift_velocity_flux", 1.0, 7.33e4, 0.005, 0.0);
  check("t0600.nc", "drift_velocity_bulk", 1.0, 9.48e4, 0.005, sigmas);
  check("t0600.nc", "diffusion_transverse_flux", n, 2.43e25, 0.04, sigmas);
  check("t0600.nc", "diffusion_transverse_bulk", n, 2.72e25, 0.04, sigmas);
  check("t0600.nc", "diffusion_longitudinal_flux", n, 2.38e25, 0.04, sigmas);
  check("t0600.nc", "diffusion_longitudinal_bulk", n, 2.93e25, 0.04, sigmas);
}

/* The model without ionization and, with WN_LONG=2, the one with attachment: the swarm dies out and
 * is kept alive by splitting. */
static void lucas_saelee_others(void)
{
#define FILE_OF(model)                                                                   \
  "--set gas.components.A.file=../crosssections/lucas-saelee-" model ".txt"
  run("lucas-saelee.cfg", lucas_f0, FILE_OF("f0"));
  check("t0600.nc", "mean_energy", 1.0, 5.56, 0.003, 0.0);
  check("t0600.nc", "drift_velocity_flux", 1.0, 7.33e4, 0.005, 0.0);
  if (!many)
    return;
  /* 20 seeds gave an attachment frequency of 2606 +- 4, 0.6 % above the benchmark: so
   * many electrons that 1 % is far outside the error (0.22 %) */
  static const int lucas_a[] = {0, 40000};
  run("lucas-saelee.cfg", lucas_a, FILE_OF("attachment"));
  check("t0600.nc", "mean_energy", 1.0, 5.72, 0.003, 0.0);
  check("t0600.nc", "attachment_frequency", 1.0, 2.59e3, 0.01, 0.0);
  check("t0600.nc", "drift_velocity_flux", 1.0, 7.32e4, 0.005, 0.0);
  check("t0600.nc", "drift_velocity_bulk", 1.0, 7.55e4, 0.005, 0.0);
}

static void constant_frequency(void)
{
  run("maxwell-gas.cfg", maxwell, "");
  check("t0600.nc", "drift_velocity_flux", 1.0, 4943.15, 0.001, 0.0);
  check("t0600.nc", "mean_energy", 1.0, 0.50657, 0.003, 0.0);
}

int main(void)
{
  command_skip_if_fast();
  many = command_long() > 1;
  plan(0);
  reid_ramp();
  lucas_saelee();
  lucas_saelee_others();
  constant_frequency();
  remove("t0600.nc");
  return done();
}
