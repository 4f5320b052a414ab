/* t0636-townsend.c - defends: steady-state (SST) and pulsed (PT) Townsend coefficients of a
 * swarm, and the relations between these and the time of flight.
 *
 * (1) e^x, and the sums that weights exp(-a z) make.
 * (2) A gas of constant frequencies, of momentum transfer and of attachment: attachment takes
 * all energies alike, R = -nu_a is exact, flux and bulk agree.  In the steady state
 * continuity gives alpha W_SST = R, and s(alpha) = R - alpha W + alpha^2 D_L - ... = 0, where
 * the third cumulant makes (alpha D_L/W)^2, 0.25 % here.  alpha differs from R/W, of the
 * pulsed experiment, by 5 %, which the errors resolve.
 * (3) Lucas and Saelee's model with ionization, where all definitions differ:
 * alpha_SST < alpha_PT, as W_bulk > W_flux; s(alpha) = 0 with the bulk coefficients within
 * the third cumulant, 3 %; R = nu_i - nu_a.
 * (4) A cold gas where electrons fall freely until they excite and lose most of their energy:
 * speeds are as large as the drift, so that continuity holds within 0.3 %, and sees drifts 2 %
 * wrong.  nu_a is constant, and alpha is so far from R/W that a drift at R/W is 2 % off, too.
 * (5) A gas that keeps its number, and no field: NaN, and a growth rate of 0.
 * Comparisons are within 4 errors, each a false alarm one time in 2700 (31 degrees of
 * freedom), were the seed not fixed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "physics/sample.h"
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define CONFIG "t0636.cfg"
#define GAS    "t0636.txt"
#define OUT    "t0636.nc"
#define N_GAS  1e24
#define SIGMA  6e-20   /* m2 eV^1/2: elastic, with a frequency that is constant */
#define ATTACH 1.9e-23 /* likewise: attachment */
/* of (4) */
#define SIGMA_FALL  1e-19
#define ATTACH_FALL 8e-20
#define EXCITATION  3e-19 /* m2, above 1 eV */

static const char *root(void)
{
  const char *s = getenv("WN_SRCDIR");
  return s != NULL ? s : ".";
}

static double value(const char *name)
{
  size_t n = 0;
  double *v = command_nc_read(OUT, name, &n), x = v != NULL && n > 0 ? v[0] : NAN;
  free(v);
  return x;
}

static double error_of(const char *name)
{
  char error[128];
  snprintf(error, sizeof error, "%s_error", name);
  return value(error);
}

static void exponential(void)
{
  double worst = 0.0;
  for (double x = -690.0; x < 690.0; x += 0.0371)
    worst = fmax(worst, fabs(wn_exp(x) / exp(x) - 1.0));
  is_near(worst, 0.0, 2e-15, "e^x from -690 to 690");
  is_near(wn_exp(0.0), 1.0, 0.0, "e^0");
  is_close(wn_exp(-1e9), wn_exp(-700.0), 0.0, "and what is beyond is taken for that");
}

static void sums(void)
{
  struct wn_electron e = {.w = 0.5f, .x = {7.0, 8.0, 2.0}, .u = {0.0f, 0.0f, 1e6f}};
  const struct wn_sample s = {
      .kind = WN_SAMPLE_TILTED, .n_groups = 1, .tilt = 0.3, .tilt_step = 0.1};
  wn_i128 sum[WN_TILTS * WN_TILT_SUMS] = {0};
  ok(wn_sample_cells(&s) == WN_TILTS * WN_TILT_SUMS, "sums of a group");
  wn_sample_add(&s, &e, sum);
  for (int k = 0; k < WN_TILTS; k++) {
    const double w = 0.5 * exp(-(0.1 + 0.1 * k) * 2.0);
    const wn_i128 *at = &sum[k * WN_TILT_SUMS];
    is_close((double)at[WN_TILT_W] / WN_FIX_TILT, w, 1e-8, "weight %d", k);
    is_close((double)at[WN_TILT_ENERGY] / WN_FIX_ENERGY, w * wn_sample_energy_ev(&e),
             1e-8, "energy");
    is_close((double)at[WN_TILT_V] / WN_FIX_TILT_V * WN_C, w * 1e6, 2e-5, "velocity");
  }
}

static void run(const char *what, const char *command_line)
{
  if (!ok(command("%s run %s --quiet --output " OUT, command_wilson(), command_line) == 0,
          "%s: runs", what))
    diag("%.600s", command_err);
}

/* excitation [m2]: 0 for none */
static void write_gas(double elastic, double attachment, double excitation)
{
  FILE *f = fopen(GAS, "w");
  if (!ok(f != NULL, "a file for the gas"))
    exit(done());
  fprintf(f, "ELASTIC\nA\n 2e-3\n-----------------------------\n");
  for (double e = 1e-4; e < 1e3; e *= 1.02)
    fprintf(f, " %.8e\t%.8e\n", e, elastic / sqrt(e));
  fprintf(f, "-----------------------------\nATTACHMENT\nA\n");
  fprintf(f, "-----------------------------\n");
  for (double e = 1e-4; e < 1e3; e *= 1.02)
    fprintf(f, " %.8e\t%.8e\n", e, attachment / sqrt(e));
  fprintf(f, "-----------------------------\n");
  if (excitation > 0.0)
    fprintf(f,
            "EXCITATION\nA -> A*\n 1\n-----------------------------\n 1\t0\n"
            " 1.0001\t%g\n 1000\t%g\n-----------------------------\n",
            excitation, excitation);
  fclose(f);
}

/* s(alpha) from the bulk coefficients, and its error as far as it is that of alpha. */
static double balance(double *error)
{
  const double n = value("gas_number_density"),
               alpha = value("townsend_effective_sst_reduced") * n,
               w = value("drift_velocity_bulk"), d = value("diffusion_longitudinal_bulk");
  *error = hypot(hypot(error_of("townsend_effective_sst_reduced") * n * w,
                       error_of("drift_velocity_bulk") * alpha),
                 error_of("diffusion_longitudinal_bulk") * alpha * alpha);
  return (value("growth_rate") - alpha * w + alpha * alpha * d) / value("growth_rate");
}

static void constant_frequencies(void)
{
  char text[2048];
  snprintf(text, sizeof text,
           "job = \"swarm\"; fields = [\"3 Td\"]; electrons = 2500; threads = 1;\n"
           "duration = \"1200 ns\"; scattering = \"isotropic\";\n"
           "gas = { temperature = 0; number_density = \"%g m-3\";\n"
           "components = { A = { file = \"" GAS "\"; }; }; };\n"
           "tables = { energy_max = \"100 eV\"; };\n",
           N_GAS);
  command_write(CONFIG, text);
  write_gas(SIGMA, ATTACH, 0.0);
  run("constant frequencies", CONFIG);
  const double rate = value("growth_rate"),
               alpha = value("townsend_effective_sst_reduced") * N_GAS,
               alpha_error = error_of("townsend_effective_sst_reduced") * N_GAS,
               drift = value("drift_velocity_sst"),
               drift_error = error_of("drift_velocity_sst"),
               pulsed = value("townsend_effective_reduced") * N_GAS;
  is_close(rate, -N_GAS * ATTACH * sqrt(2.0 * WN_E / WN_ME), 3e-3, "R = -nu_a");
  const double apart = alpha * drift / rate - 1.0,
               apart_error = hypot(alpha_error / alpha, drift_error / drift);
  ok(fabs(apart) < 4.0 * apart_error && apart_error < 0.04,
     "alpha W_SST is R but for %.3g +- %.2g", apart, apart_error);
  double error;
  const double rest = balance(&error);
  ok(fabs(rest) < 4.0 * error / fabs(rate) + 0.005 && error < 0.015 * fabs(rate),
     "R - alpha W + alpha^2 D is 0 but for %.3g +- %.2g of R", rest, error / fabs(rate));
  is_close(pulsed, rate / value("drift_velocity_flux"), 2e-3, "PT: R/W");
  ok(alpha > pulsed + 4.0 * alpha_error && alpha < 0.0,
     "alpha_SST %.5g +- %.2g, alpha_PT %.5g 1/m", alpha, alpha_error, pulsed);
}

static void ionization(void)
{
  char line[512];
  snprintf(line, sizeof line,
           "%s/data/scenarios/lucas-saelee.cfg --set electrons=2500 --set accuracy=0.006",
           root());
  run("Lucas and Saelee, F = 1", line);
  double error;
  const double rest = balance(&error), rate = value("growth_rate"),
               sst = value("townsend_effective_sst_reduced"),
               sst_error = error_of("townsend_effective_sst_reduced"),
               pulsed = value("townsend_effective_reduced");
  is_close(rate, value("ionization_frequency"), 1e-12, "R = nu_i");
  is_close(pulsed, value("townsend_coefficient_reduced"), 1e-12, "PT: alpha/N");
  ok(fabs(rest) < 4.0 * error / rate + 0.03 && error < 0.03 * rate,
     "R - alpha W + alpha^2 D is 0 but for %.3g +- %.2g of R", rest, error / rate);
  ok(sst < pulsed - 5.0 * sst_error, "SST %.4g +- %.2g, PT %.4g m2", sst, sst_error,
     pulsed);
  /* weights exp(-alpha z) favour electrons behind, which have less energy */
  const double energy = value("mean_energy_sst"),
               energy_error = error_of("mean_energy_sst"), all = value("mean_energy");
  ok(energy < all - 4.0 * energy_error && energy > 0.9 * all,
     "SST: %.4g +- %.2g eV, all %.4g", energy, energy_error, all);
}

static void free_fall(void)
{
  char text[2048];
  snprintf(text, sizeof text,
           "job = \"swarm\"; fields = [\"300 Td\"]; electrons = 12000; threads = 1;\n"
           "duration = \"5 ns\"; scattering = \"isotropic\";\n"
           "gas = { temperature = 0; number_density = \"%g m-3\";\n"
           "components = { A = { file = \"" GAS "\"; }; }; };\n"
           "tables = { energy_max = \"100 eV\"; };\n",
           N_GAS);
  command_write(CONFIG, text);
  write_gas(SIGMA_FALL, ATTACH_FALL, EXCITATION);
  run("free fall", CONFIG);
  const double rate = value("growth_rate"),
               alpha = value("townsend_effective_sst_reduced") * N_GAS,
               alpha_error = error_of("townsend_effective_sst_reduced") * N_GAS,
               drift = value("drift_velocity_sst"),
               drift_error = error_of("drift_velocity_sst"),
               apart = alpha * drift / rate - 1.0,
               apart_error = hypot(alpha_error / alpha, drift_error / drift);
  is_close(rate, -N_GAS * ATTACH_FALL * sqrt(2.0 * WN_E / WN_ME), 1e-4, "R = -nu_a");
  ok(fabs(apart) < 4.0 * apart_error && apart_error < 0.0035,
     "free fall: alpha W_SST is R but for %.3g +- %.2g", apart, apart_error);
  ok(fabs(alpha) < 0.9 * fabs(rate) / value("drift_velocity_flux"),
     "free fall: alpha_SST is %.3g of R/W", alpha / rate * value("drift_velocity_flux"));
}

static void nothing(void)
{
  char line[512];
  snprintf(line, sizeof line,
           "%s/data/scenarios/reid-ramp.cfg --set electrons=100 --set accuracy=0.1 "
           "--set 'fields=[\"12 Td\"]'",
           root());
  run("Reid's ramp", line);
  ok(isnan(value("townsend_effective_sst_reduced")) && isnan(value("mean_energy_sst")),
     "a gas that keeps the number has no SST");
  is_near(value("growth_rate"), 0.0, 0.0, "and a growth rate of 0");
  is_near(error_of("growth_rate"), 0.0, 0.0, "which is exact");
}

int main(void)
{
  command_skip_if_fast();
  plan(0);
  exponential();
  sums();
  constant_frequencies();
  ionization();
  free_fall();
  nothing();
  remove(CONFIG);
  remove(GAS);
  remove(OUT);
  return done();
}
