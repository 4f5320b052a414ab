/* t0640-true-errors.c - defends: stated standard errors are those of the scatter.  Of
 * seeds 1 to n the scatter of each coefficient over its stated error, as chi-square per
 * degree of freedom,
 *
 *   sum (x - mean)^2/e^2/(n - 1),
 *
 * of job `swarm` in air at 500 and 1000 Td, of all its coefficients and
 * some bins, and of job `runaway-rate` at 450 kV/cm, of the rates and what goes with them,
 * bins of histograms included.
 *
 * Of the ensemble, whose electrons have weights and whose rare ones fly long, the squares of
 * the errors are taken as their mean over the seeds: a group that has caught a rare event
 * has a great value and a great error, one that has not a small value and a small error, so
 * that the sum above finds more than there is (as for a count of a few events).
 *
 * What to expect: an error of 32 groups has 31 degrees of freedom, so that x/e is
 * Student's t, and its square 31/29 = 1.07 on average, with a standard deviation of
 * 1.07 sqrt(2/(n - 1)) (1.08 of that, for the tails of t).
 *   0.6 to 1.5.  Of the ensemble n = 128, which are 3.4 standard deviations below and
 *     3.1 above: one alarm in 1000 for each.  Of swarms n = 256, 5 and 4.2: one in 70000, as
 *     there are 48 of them, of which several go together.  So many, as 32 seeds scatter by 0.29
 *     themselves: of 22 coefficients with true errors two are beyond 1.5 then.
 *     Of 320 electrons n = 96, 2.8 and 2.5 standard deviations; of 10^4 n = 32, 1.6 and 1.4, which
 *     is what a run of 10^4 costs and not rare enough for other seeds than these: so the transport
 *     coefficients alone, as of all 24 two are expected beyond 1.5 then (and were, on 2026-11-23:
 *     power_balance 1.51, f1 at 25 eV 1.60; with 1000 electrons and 256 seeds 1.02 and 1.06).
 *   Fewer seeds say little: 1 to 12 alone gave 3.16 for flux D_T at 500 Td with 400 electrons,
 *     where 1 to 120 give 1.37 and those without the 12 give 1.19.
 * Means with 320, 1000 and 10^4 electrons agree.
 * Measured once, elsewhere (bench/RESULTS.md, "True errors", 2026-11-23): 320, 1000 and 10^4 electrons,
 * 500 and 1000 Td, all 26 quantities, 120 seeds each: 0.70 to 1.50.
 * The seeds are fixed: it is one draw.  Measured on 2026-11-23, the long test here: swarms of 1000
 * electrons 0.90 to 1.34 (drift of a steady-state Townsend experiment at 500 Td), mean 1.10; of
 * 320 0.80 to 1.43, mean 1.10; of 10^4 0.66 to 1.45, mean 1.05; the ensemble, 2026-11-24, 0.73 (a
 * cosine's bin) to 1.22, mean 0.99. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "physics/passages.h"
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define CONFIG "t0640.cfg"
#define OUT    "t0640.nc"
#define MOST   256

struct quantity {
  const char *name;
  size_t at; /* of its values */
};

/* The sums of a quantity over the seeds. */
struct seeds {
  double x[MOST], e[MOST];
  int n;
};

static double chi_square(const struct seeds *s, int pooled)
{
  double mean = 0.0, e2 = 0.0, sum = 0.0;
  for (int i = 0; i < s->n; i++) {
    mean += s->x[i] / s->n;
    e2 += s->e[i] * s->e[i] / s->n;
  }
  for (int i = 0; i < s->n; i++)
    sum += (s->x[i] - mean) * (s->x[i] - mean) / (pooled ? e2 : s->e[i] * s->e[i]);
  return sum / (s->n - 1);
}

static int take(const struct quantity *q, struct seeds *s)
{
  char name[64];
  size_t n = 0, m = 0;
  snprintf(name, sizeof name, "%s_error", q->name);
  double *x = command_nc_read(OUT, q->name, &n), *e = command_nc_read(OUT, name, &m);
  const int there = x != NULL && e != NULL && q->at < n && q->at < m && e[q->at] > 0.0;
  if (there) {
    s->x[s->n] = x[q->at];
    s->e[s->n++] = e[q->at];
  }
  free(x);
  free(e);
  return there;
}

/* Over the seeds: the mean, and its standard error by their scatter. */
struct mean {
  double value, error;
};

static struct mean mean_of(const struct seeds *s)
{
  struct mean m = {0.0, 0.0};
  for (int i = 0; i < s->n; i++)
    m.value += s->x[i] / s->n;
  for (int i = 0; i < s->n; i++)
    m.error += (s->x[i] - m.value) * (s->x[i] - m.value) / s->n / (s->n - 1);
  m.error = sqrt(m.error);
  return m;
}

/* n seeds; mean [n_q], or NULL */
static void test(const char *what, const char *options, int n, int pooled,
                 const struct quantity *q, size_t n_q, struct mean *mean)
{
  struct seeds *s = calloc(n_q, sizeof *s);
  int ran = s != NULL;
  for (int seed = 1; seed <= n && ran; seed++) {
    ran = command("%s run " CONFIG " --quiet --output " OUT " --seed %d %s",
                  command_wilson(), seed, options) == 0;
    for (size_t k = 0; k < n_q && ran; k++)
      ran = take(&q[k], &s[k]);
  }
  if (!ok(ran, "%s: %d seeds", what, n))
    diag("%.600s", command_err);
  for (size_t k = 0; k < n_q && ran; k++) {
    const double chi = chi_square(&s[k], pooled);
    ok(chi > 0.6 && chi < 1.5, "%s, %s[%zu]: chi-square per degree of freedom %.2f",
       what, q[k].name, q[k].at, chi);
    if (mean != NULL)
      mean[k] = mean_of(&s[k]);
  }
  free(s);
}

#define GAS                                                                              \
  "gas = { pressure = \"1 atm\"; temperature = \"0 degC\"; components = {\n"             \
  "  N2 = { fraction = 0.79; file = \"builtin:air\"; };\n"                               \
  "  O2 = { fraction = 0.21; file = \"builtin:air\"; };\n"                               \
  "}; };\nthreads = 1;\n"

/* Of so many quantities, which go together in part, none by more than four errors of the
 * difference: a false alarm in 400. */
static void no_bias(const char *what, const struct mean *a, const struct mean *b,
                    const struct quantity *q, size_t n)
{
  for (size_t k = 0; k < n; k++) {
    const double by = (a[k].value - b[k].value) / hypot(a[k].error, b[k].error);
    ok(fabs(by) < 4.0, "%s, %s[%zu]: the means differ by %.2f errors", what, q[k].name,
       q[k].at, by);
  }
}

static void test_swarm(void)
{
  static const struct quantity all[] = {{"mean_energy", 0},
                                        {"drift_velocity_flux", 0},
                                        {"drift_velocity_bulk", 0},
                                        {"diffusion_transverse_flux", 0},
                                        {"diffusion_longitudinal_flux", 0},
                                        {"diffusion_transverse_bulk", 0},
                                        {"diffusion_longitudinal_bulk", 0},
                                        {"ionization_frequency", 0},
                                        {"townsend_coefficient_reduced", 0},
                                        {"attachment_frequency", 0},
                                        {"attachment_coefficient_reduced", 0},
                                        {"growth_rate", 0},
                                        {"townsend_effective_sst_reduced", 0},
                                        {"mean_energy_sst", 0},
                                        {"drift_velocity_sst", 0},
                                        {"power_gained", 0},
                                        {"power_balance", 0},
                                        {"momentum_balance", 0},
                                        {"momentum_lost", 0},
                                        /* at 1, 3, 10 and 25 eV */
                                        {"energy_distribution", 60},
                                        {"energy_distribution", 70},
                                        {"energy_distribution", 80},
                                        {"energy_distribution", 88},
                                        {"energy_distribution_f1", 70},
                                        {"energy_distribution_f1", 80},
                                        {"energy_distribution_f1", 88}};
  const size_t n = sizeof all / sizeof all[0];
  enum { TRANSPORT = 11 }; /* of them, the first */
  command_write(CONFIG,
                "job = \"swarm\"; electrons = 1000; scattering = "
                "\"isotropic\"; sharing = \"equal\";\n"
                "fields = [\"500 Td\"]; duration = \"0.3 ns\"; relaxation = \"0.1 "
                "ns\";\n" GAS);
  struct mean few[40] = {{0.0, 0.0}}, some[40] = {{0.0, 0.0}}, many[40] = {{0.0, 0.0}};
  test("500 Td", "", MOST, 0, all, n, some);
  test("1000 Td", "--set 'fields=[\"1000 Td\"]' --set 'duration=\"0.3 ns\"'", MOST, 0,
       all, n, NULL);
  test("500 Td, 320 electrons", "--set electrons=320", 96, 0, all, n, few);
  test("500 Td, 10000 electrons",
       "--set electrons=10000 --set 'relaxation=\"0.04 ns\"' --set "
       "'duration=\"0.0857 ns\"'",
       32, 0, all, TRANSPORT, many);
  no_bias("320 and 1000 electrons", few, some, all, n);
  no_bias("10000 and 1000 electrons", many, some, all, TRANSPORT);
}

static void test_rate(void)
{
  static const struct quantity all[] = {
      {"passage_rate", 0},
      {"passage_rate", 1},
      {"passage_rate", 2},
      {"passage_rate", 3},
      {"ionization_rate", 0},
      {"passage_cosine", 0},
      {"passage_cosine", 2},
      {"passages_per_primary", 0},
      {"passages_per_primary", 2},
      {"passage_time", 1},
      {"passage_time", 3},
      {"passage_distance", 1},
      {"passage_distance", 3},
      {"level_distribution", 0},
      {"level_distribution", 10},
      /* energies of bins half way and near the top */
      {"level_distribution", 5},
      {"level_distribution", 15},
      {"passage_time_spread", 3},
      {"passage_distance_spread", 3},
      {"plateau_loss", 0},
      /* bins that have 5 % or more: of 100, 200, 1000 eV */
      {"passage_time_distribution", 4},
      {"passage_time_distribution", 7},
      {"passage_time_distribution", WN_PASSED_BINS + 12},
      {"passage_time_distribution", 3 * WN_PASSED_BINS + 18},
      {"passage_distance_distribution", 16},
      {"passage_distance_distribution", WN_PASSED_BINS + 20},
      {"passage_distance_distribution", 3 * WN_PASSED_BINS + 25},
      {"passage_cosine_distribution", 13},
      {"passage_cosine_distribution", 15},
      {"passage_cosine_distribution", WN_PASSED_COSINES + 14},
      {"passage_cosine_distribution", 3 * WN_PASSED_COSINES + 13},
      {"passage_cosine_distribution", 3 * WN_PASSED_COSINES + 15}};
  command_write(CONFIG,
                "job = \"runaway-rate\"; electrons = 500; initial_energy = \"0.1 "
                "eV\"; accuracy = 1e-4;\n"
                "scattering = \"okhrimovskyy\"; sharing = \"rbeb\"; duration = "
                "\"10 ps\";\n"
                "fields = [\"450 kV/cm\"]; tables = { energy_max = \"10 keV\"; };\n"
                "population = { target = 200; };\n"
                "runaway = { levels_per_decade = 10;\n  thresholds = [\"100 eV\", "
                "\"200 eV\", \"500 eV\", \"1 keV\"]; };\n" GAS);
  test("450 kV/cm", "", 128, 1, all, sizeof all / sizeof all[0], NULL);
}

int main(void)
{
  if (command_long() < 2)
    skip_all("WN_LONG=2 runs it");
  plan(0);
  test_swarm();
  test_rate();
  remove(CONFIG);
  remove(OUT);
  return done();
}
