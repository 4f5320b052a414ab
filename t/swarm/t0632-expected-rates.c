/* t0632-expected-rates.c - defends: rates that are expected from the energies of electrons.
 *
 * (1) From the sums over bins come the frequencies that the tables give each electron
 * (wn_xs_probability, which t0220 and t0221 defend), added up one by one: in a cold gas
 * within 1e-4, with steps, thresholds and knots inside the bins; and in a gas of light
 * targets (0.1 u at 3000 K, so that thermal motion makes 1e-2 of some rates) within 2e-3 of a mean
 * over their velocities by many points (a step at 4.2 eV is
 * the worst, by 1.1e-3; targets taken at rest are off by 5e-3).  Energies are quantiles of an exponential
 * distribution: nothing is drawn.
 *
 * (2) In a run rates agree with what it counted: air at 20, 200 and 1000 Td, all processes
 * that were counted in every field, within 4.5 errors of the two together (Student's t of 31
 * degrees of freedom: one in 11000 for each of about 60, so one false alarm in 180; the
 * seed is fixed).  Attachment, of which hardly any is counted at 1000 Td, has an error below
 * 1 %.
 *
 * (3) Where nothing was seen there is an upper limit, in the file and the line, and no error
 * of 0; without a field there is no alpha/N. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "physics/kinematics.h"
#include "src/stats/expected_rates.h"
#include "t/tap/command.h"
#include "t/tap/mixture.h"
#include "t/tap/tap.h"

#define CONFIG "t0632.cfg"
#define OUT    "t0632.nc"

/* Frequency of process k of the view, on average over the targets. */
static double direct(const struct wn_xs_view *xs, int k, double e)
{
  enum { ALONG = 24, ACROSS = 12 };
  const struct wn_process_view *p = &xs->process[k];
  const double sigma = (double)xs->gas[p->gas].sigma_v, v = wn_speed_from_ev(e);
  double sum = 0.0, all = 0.0;
  if (!(sigma > 0.0) || !(e < (double)xs->thermal_below_ev))
    return xs->nu_max * (double)wn_xs_probability(xs, k, p->threshold_ev, (float)e);
  for (int i = 0; i < ALONG; i++) {
    const double x = -5.0 + 10.0 * (i + 0.5) / ALONG, w = exp(-0.5 * x * x);
    for (int j = 0; j < ACROSS; j++) {
      const double r2 = -2.0 * log(1.0 - (j + 0.5) / ACROSS),
                   s2 = (v - x * sigma) * (v - x * sigma) + r2 * sigma * sigma;
      all += w;
      sum += w * (double)wn_xs_probability(xs, k, p->threshold_ev,
                                           (float)(0.5 * WN_ME * s2 / WN_E));
    }
  }
  return xs->nu_max * sum / all;
}

static void bins(double mass, size_t n, double mean_ev, double tolerance,
                 const char *what)
{
  struct mixture m;
  make_mixture(&m, 0);
  m.spec.temperature = mass > 0.0 ? 3000.0 : 0.0;
  if (mass > 0.0)
    m.gas[0].mass = m.gas[1].mass = mass;
  struct wn_xs_table *t = make_table(&m);
  const struct wn_xs_view *xs = &t->view;
  struct wn_expected_rates *r = NULL;
  ok(wn_expected_rates_create(t, 2, 2, &r) == WN_OK, "%s: bins", what);
  const struct wn_sample s = wn_expected_rates_sample(r);
  const size_t processes = (size_t)xs->n_processes;
  wn_i128 *sums = calloc(wn_sample_cells(&s), sizeof *sums);
  double *got = calloc(2 * (1 + processes), sizeof *got),
         *want = calloc(processes, sizeof *want);
  for (size_t i = 0; i < n; i++) {
    struct wn_electron e = {.w = 0.5f, .tag = (uint32_t)(i % 2)};
    e.u[0] = (float)wn_u_from_ev(-mean_ev * log(1.0 - ((double)i + 0.5) / (double)n));
    wn_sample_add(&s, &e, sums);
    for (int k = 0; k < xs->n_processes; k++)
      want[xs->process[k].index] += 0.5 * direct(xs, k, wn_sample_energy_ev(&e));
  }
  wn_expected_rates_rates(r, sums, got);
  is_close(got[0] + got[1 + processes], 0.5 * (double)n, 1e-12, "%s: all weights", what);
  for (size_t k = 0; k < processes; k++) {
    const double sum = got[1 + k] + got[2 + processes + k];
    if (want[k] > 0.0)
      is_close(sum, want[k], tolerance, "%s: process %zu", what, k);
    else
      is_near(sum, 0.0, 0.0, "%s: process %zu, which is not possible", what, k);
  }
  free(sums);
  free(got);
  free(want);
  wn_expected_rates_free(r);
  wn_xs_table_free(t);
  clear_mixture(&m);
}

#define AIR                                                                              \
  "job = \"swarm\"; scattering = \"isotropic\"; sharing = \"equal\"; threads = 1;\n"     \
  "gas = { pressure = \"1 atm\"; temperature = \"300 K\"; components = {\n"              \
  "  N2 = { fraction = 0.79; file = \"builtin:air\"; };\n"                               \
  "  O2 = { fraction = 0.21; file = \"builtin:air\"; };\n"                               \
  "}; };\n"

static void run(const char *options)
{
  command_write(CONFIG, AIR);
  if (!ok(command("%s run " CONFIG " --output " OUT " %s", command_wilson(), options) ==
              0,
          "runs"))
    diag("%.600s", command_err);
}

static void compare(void)
{
  size_t n = 0, m = 0, compared = 0, far = 0;
  run("--quiet --set electrons=1000 --set 'duration=\"0.2 ns\"' "
      "--set 'fields=[\"20 Td\",\"200 Td\",\"1000 Td\"]'");
  double *f = command_nc_read(OUT, "process_frequency", &n),
         *fe = command_nc_read(OUT, "process_frequency_error", &n),
         *c = command_nc_read(OUT, "process_frequency_counted", &n),
         *ce = command_nc_read(OUT, "process_frequency_counted_error", &n),
         *eta = command_nc_read(OUT, "attachment_coefficient_reduced", &m),
         *error = command_nc_read(OUT, "attachment_coefficient_reduced_error", &m);
  const int there = f && fe && c && ce && eta && error && n % 3 == 0 && m == 3;
  ok(there, "the rates are there");
  for (size_t i = 0; there && i < n; i++)
    if (c[i] > 0.0 && ce[i] < 0.5 * c[i]) {
      compared++;
      far += !(fabs(f[i] - c[i]) < 4.5 * hypot(fe[i], ce[i]));
    }
  ok(compared > 45 && far == 0, "%zu of %zu rates are not what was counted", far,
     compared);
  ok(there && error[2] < 0.01 * eta[2], "1000 Td: error of eta/N %.2g of it",
     there ? error[2] / eta[2] : NAN);
  free(f);
  free(fe);
  free(c);
  free(ce);
  free(eta);
  free(error);
}

static double first(const char *name)
{
  size_t n = 0;
  double *v = command_nc_read(OUT, name, &n), x = v != NULL && n > 0 ? v[0] : -1.0;
  free(v);
  return x;
}

static void nothing(void)
{
  run("--set electrons=100 --set 'duration=\"0.1 ns\"' --set 'fields=[\"10 Td\"]'");
  is_near(first("townsend_coefficient_reduced"), 0.0, 0.0, "10 Td: no ionization");
  ok(isnan(first("townsend_coefficient_reduced_error")), "has no error");
  ok(isnan(first("attachment_frequency_upper_limit")), "attachment has no limit");
  /* 3 events in 100 electrons times 0.1 ns */
  is_close(first("ionization_frequency_upper_limit"), 3e8, 0.03,
           "ionization has one, 1/s");
  ok(strstr(command_out, "(95 %)") != NULL, "and the line says so");
  run("--quiet --set electrons=100 --set 'duration=\"0.1 ns\"' --set 'fields=[\"0 "
      "Td\"]' --set 'relaxation=\"10 ps\"'");
  ok(strstr(command_out, " -      -          -      -          -      -          -      "
                         "-\n") != NULL,
     "0 Td: the line has neither drifts nor what is given over them");
  ok(isnan(first("attachment_coefficient_reduced")), "0 Td: no eta/N");
  ok(first("attachment_frequency") > 0.0, "but a frequency of attachment");
}

int main(void)
{
  plan(0);
  bins(0.0, 400000, 6.0, 1e-4, "cold");
  bins(0.1 * WN_AMU, 20000, 1.5, 2e-3, "thermal");
  compare();
  nothing();
  remove(CONFIG);
  remove(OUT);
  return done();
}
