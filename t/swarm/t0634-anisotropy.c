/* t0634-anisotropy.c - defends: f0 and f1 of a swarm.  A gas at rest whose frequency of
 * momentum transfer does not depend on the energy, sigma = S/sqrt(e), and whose mass is 500
 * times that of the electron: the first moment over directions of Boltzmann's equation gives
 *
 *   f1 = -(E/(N sigma)) df0/de     with e in eV, cosines taken to the direction against E
 *
 * less what f2 and the recoil make of it, of order m/M = 0.2 % (Huxley and Crompton's
 * two-term theory, derived here by that order).  f0 is then a Maxwellian, so that the
 * logarithm of f0 is straight and its difference over the neighbours of a bin gives df0/de
 * within (width/T)^2/24, below 1 % where it is used.
 *
 * Thresholds: squared deviations in units of the error, a bin, on average over 40 bins or
 * more between 0.5 and 1.7 (chi-square with 40 degrees of freedom: one in 300 outside, were
 * neighbours independent); their weighted mean, and the drift that f1 gives, (2 e/m)^1/2/3
 * times the integral of f1 e de, within 3.5 errors and 1 % (one in 2000 each).  In a magnetic field
 * along x the component along the drift axis falls by 1/(1 + h^2), h = omega/nu_m, at every
 * energy, as the frequency is the same at all: the sum over the bins, within 4 errors.
 * f0 is normalised but for the control variate, which corrects each bin by itself. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define CONFIG "t0634.cfg"
#define GAS    "t0634.txt"
#define OUT    "t0634.nc"
#define RATIO  2e-3  /* m/M */
#define SIGMA  6e-20 /* m2 eV^1/2 */
#define FIELD  3.0   /* Td */
#define N_GAS  1e24

static void write_gas(double ratio)
{
  FILE *f = fopen(GAS, "w");
  if (!ok(f != NULL, "a file for the gas"))
    exit(done());
  fprintf(f, "ELASTIC\nA\n %.8e\n-----------------------------\n", ratio);
  for (double e = 1e-4; e < 1e3; e *= 1.02)
    fprintf(f, " %.8e\t%.8e\n", e, SIGMA / sqrt(e));
  fprintf(f, "-----------------------------\n");
  fclose(f);
}

static void run(double field, int electrons, const char *more)
{
  char text[2048];
  snprintf(text, sizeof text,
           "job = \"swarm\"; fields = [\"%g Td\"]; electrons = %d; threads = 1;\n"
           "duration = \"60 ns\"; scattering = \"isotropic\";\n"
           "distribution = { minimum = \"30 meV\"; maximum = \"30 eV\"; "
           "bins_per_decade = 30; };\n"
           "gas = { temperature = 0; number_density = \"%g m-3\";\n"
           "components = { A = { file = \"" GAS "\"; }; }; };\n"
           "tables = { energy_max = \"100 eV\"; };\n%s",
           field, electrons, N_GAS, more);
  command_write(CONFIG, text);
  if (!ok(command("%s run " CONFIG " --quiet --output " OUT, command_wilson()) == 0,
          "runs"))
    diag("%.600s", command_err);
}

struct result {
  size_t n;
  double *f0, *f0_error, *f1, *f1_error, *edge;
};

static struct result read_result(void)
{
  struct result r = {0};
  size_t n = 0;
  r.f0 = command_nc_read(OUT, "energy_distribution", &r.n);
  r.f0_error = command_nc_read(OUT, "energy_distribution_error", &n);
  r.f1 = command_nc_read(OUT, "energy_distribution_f1", &n);
  r.f1_error = command_nc_read(OUT, "energy_distribution_f1_error", &n);
  r.edge = command_nc_read(OUT, "energy_bounds", &n);
  if (!ok(r.f0 && r.f0_error && r.f1 && r.f1_error && r.edge && n == 2 * r.n,
          "f0 and f1 are there"))
    exit(done());
  return r;
}

static void clear(struct result *r)
{
  free(r->f0);
  free(r->f0_error);
  free(r->f1);
  free(r->f1_error);
  free(r->edge);
}

static double middle(const struct result *r, size_t i)
{
  return 0.5 * (r->edge[2 * i] + r->edge[2 * i + 1]);
}

/* The drift that f1 gives, and its error were the bins independent. */
static double drift_of(const struct result *r, double *error)
{
  double sum = 0.0, square = 0.0;
  for (size_t i = 0; i < r->n; i++) {
    const double a = r->edge[2 * i], b = r->edge[2 * i + 1],
                 part = sqrt(2.0 * WN_E / WN_ME) / 6.0 * (b * b - a * a);
    sum += part * r->f1[i];
    square += part * part * r->f1_error[i] * r->f1_error[i];
  }
  *error = sqrt(square);
  return sum;
}

static double first(const char *name)
{
  size_t n = 0;
  double *v = command_nc_read(OUT, name, &n), x = v != NULL && n > 0 ? v[0] : NAN;
  free(v);
  return x;
}

static void two_terms(const struct result *r)
{
  double chi2 = 0.0, weights = 0.0, ratio = 0.0;
  size_t used = 0;
  for (size_t i = 1; i + 2 < r->n; i++) {
    const double e = middle(r, i), width = r->edge[2 * i + 1] - r->edge[2 * i],
                 apart = middle(r, i + 1) - middle(r, i - 1),
                 slope = r->f0[i] * log(r->f0[i + 1] / r->f0[i - 1]) / apart,
                 want = -FIELD * 1e-21 / SIGMA * sqrt(e) * slope;
    /* f0 is known so much better than f1 that its error counts where the tail is thin */
    const double tail =
        want / slope * r->f0[i] / apart *
        hypot(r->f0_error[i + 1] / r->f0[i + 1], r->f0_error[i - 1] / r->f0[i - 1]);
    const double error = hypot(r->f1_error[i], tail);
    if (!(r->f0[i + 1] > 20.0 * r->f0_error[i + 1]) || !(width < 0.6))
      continue;
    used++;
    chi2 += (r->f1[i] - want) * (r->f1[i] - want) / (error * error);
    weights += want * want / (error * error);
    ratio += want * r->f1[i] / (error * error);
  }
  ratio /= weights;
  ok(used >= 40 && chi2 > 0.5 * (double)used && chi2 < 1.7 * (double)used,
     "f1 = -(E/(N sigma)) df0/de: chi-square %.3g of %zu bins", chi2, used);
  ok(fabs(ratio - 1.0) < 0.01 + 3.5 / sqrt(weights) && weights > 1600.0,
     "ratio %.4f +- %.4f", ratio, 1.0 / sqrt(weights));
}

int main(void)
{
  command_skip_if_fast();
  plan(0);
  write_gas(RATIO);
  run(FIELD, 8000, "");
  struct result r = read_result();
  two_terms(&r);
  double error, sum = 0.0, drift = drift_of(&r, &error),
                want = first("drift_velocity_flux");
  ok(fabs(drift - want) < 3.5 * error + 0.01 * want && error < 0.03 * want,
     "drift of f1 %.5g +- %.2g, flux drift %.5g m/s", drift, error, want);
  for (size_t i = 0; i < r.n; i++)
    sum += r.f0[i] * 2.0 / 3.0 * (pow(r.edge[2 * i + 1], 1.5) - pow(r.edge[2 * i], 1.5));
  is_near(sum, 1.0, 1e-3, "f0 is normalised");
  clear(&r);
  /* nu_m = N S (2 e/m)^1/2 M/(m + M) */
  const double nu = N_GAS * SIGMA * sqrt(2.0 * WN_E / WN_ME) / (1.0 + RATIO);
  char more[128];
  snprintf(more, sizeof more,
           "magnetic_field = \"%.8g T\"; magnetic_angle = \"90 deg\";\n",
           nu * WN_ME / WN_E);
  run(FIELD, 4000, more);
  r = read_result();
  drift = drift_of(&r, &error);
  want = first("drift_velocity_flux");
  ok(fabs(drift - want) < 4.0 * error + 0.01 * want && error < 0.1 * want,
     "omega = nu_m: drift of f1 %.5g +- %.2g, flux drift %.5g m/s", drift, error, want);
  is_near(want / (FIELD * 1e-21 * N_GAS * WN_E / WN_ME / nu), 0.5, 0.01,
          "which is half of that without");
  clear(&r);
  /* A light gas: no two terms, but cosines so large that the drift that f1 gives, which is
   * exact, is known five times as well. */
  write_gas(0.1);
  run(10.0 * FIELD, 4000, "");
  r = read_result();
  drift = drift_of(&r, &error);
  want = first("drift_velocity_flux");
  ok(fabs(drift - want) < 3.5 * error + 0.003 * want && error < 0.006 * want,
     "m/M = 0.1: drift of f1 %.5g +- %.2g, flux drift %.5g m/s", drift, error, want);
  clear(&r);
  remove(CONFIG);
  remove(GAS);
  remove(OUT);
  return done();
}
