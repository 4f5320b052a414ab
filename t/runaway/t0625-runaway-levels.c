/* t0625-runaway-levels.c - defends: job runaway with runaway.levels, a weighted ensemble in a field that changes.
 *  - Known answer over 13 decades: in a made-up gas that attaches with a constant frequency nu and does nothing else, an
 *    electron at rest in a field that falls to half at 4 ps reaches an energy at a known time t, and so with the chance
 *    exp(-nu t).  Over the seeds the mean is that within its stated errors; passages are in the row of that time.
 *  - In air at a falling field and with a magnetic field, passages per primary and the electrons at the end agree with the same job without
 *    levels, where each electron counts.
 *  - Threads, processes and a restart change no bit; the ledger of the levels closes; what cannot be is refused.
 * Fixed seeds; four standard errors, 15 checks: a chance of 1e-3 that another seed fails. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/loss_gas.h"
#include "t/tap/ranks.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define GAS     "t0625.txt"
#define CONFIG  "t0625.cfg"
#define OUT     "t0625.nc"
#define MORE    "t0625-more.nc"
#define DENSITY 2.5e25 /* m-3 */
#define FIELD   1e7    /* V/m */
#define LOSS    0.8e12 /* 1/s */
#define FALL    4e-12  /* s: from then on half the field */
#define LENGTH  45e-12 /* s */
#define ROWS    45
#define N_UP    5

static const double threshold_ev[N_UP] = {100.0, 500.0, 1000.0, 2000.0, 4000.0};

static double at(const char *name, size_t i)
{
  return command_nc_at(OUT, name, i);
}

static int run(const char *out, const char *options)
{
  const int status =
      command("%s run " CONFIG " --quiet --output %s %s", command_wilson(), out, options);
  if (!is_int(status, 0, "runs: %s", options))
    diag("%.800s", command_err);
  return status == 0;
}

/* s: from rest to an energy.  u = gamma v grows as the field. */
static double time_to(double energy_ev)
{
  const double g = 1.0 + energy_ev / WN_MC2_EV, u = WN_C * sqrt(g * g - 1.0),
               a = WN_E * FIELD / WN_ME;
  return u < a * FALL ? u / a : FALL + (u - a * FALL) / (0.5 * a);
}

static void known(void)
{
  const int seeds = command_long() > 1 ? 32 : 4;
  double mean[N_UP] = {0}, stated[N_UP] = {0};
  write_loss_gas(GAS, LOSS, DENSITY, 2e4, "1e5");
  command_write(CONFIG,
                "job = \"runaway\"; fields = [\"100 kV/cm\"]; electrons = 2000;\n"
                "waveform = { shape = \"steps\"; times = [\"0 ps\", \"4 ps\"]; factors = "
                "[1.0, 0.5]; rows = 45; };\n"
                "initial_energy = \"1e-6 eV\"; initial_spectrum = \"mono\";\n"
                "duration = \"45 ps\"; scattering = \"isotropic\"; groups = 16;\n"
                "sampling = { interval = \"0.25 ps\"; };\n"
                "gas = { number_density = \"2.5e25 m-3\"; temperature = \"0.01 K\";\n"
                "  thermal_motion = false; components = { X = { file = \"" GAS
                "\"; }; }; };\n"
                "tables = { energy_max = \"20 keV\"; };\n"
                "population = { target = 1000; };\n"
                "runaway = { levels = true; levels_from = \"1 eV\"; thresholds = [\"100 "
                "eV\", \"500 eV\", \"1 keV\", \"2 keV\", \"4 keV\"]; };\n");
  for (int seed = 1; seed <= seeds; seed++) {
    char options[64];
    snprintf(options, sizeof options, "--seed %d", seed);
    if (!run(OUT, options))
      return;
    for (size_t k = 0; k < N_UP; k++) {
      const double exact = exp(-LOSS * time_to(threshold_ev[k])),
                   error = at("passages_per_primary_error", k) / exact;
      mean[k] += at("passages_per_primary", k) / exact / seeds;
      stated[k] += error * error / seeds;
    }
  }
  for (size_t k = 0; k < N_UP; k++) {
    const double error = sqrt(stated[k] / seeds), t = time_to(threshold_ev[k]);
    /* noticed at the next candidate or the end of the step */
    const size_t row = (size_t)(t / (LENGTH / ROWS)),
                 next = (size_t)((t + 0.25e-12) / (LENGTH / ROWS));
    ok(fabs(mean[k] - 1.0) < 4.0 * error && error < 0.3 / sqrt(seeds),
       "%g eV: %.3f of exp(-nu t), which is %.2g, +- %.3f", threshold_ev[k], mean[k],
       exp(-LOSS * t), error);
    const double in = (at("time_passages", row * N_UP + k) +
                       (next > row ? at("time_passages", next * N_UP + k) : 0.0)) *
                      LENGTH / ROWS;
    is_close(in, at("passages_per_primary", k), 1e-9,
             "%g eV: all pass in the row of %.3g ps", threshold_ev[k], 1e12 * t);
  }
  is_close(at("time_field_factor", 3), 1.0, 1e-12, "the field before it falls");
  is_close(at("time_field_factor", 4), 0.5, 1e-12, "and after");
  is_close(at("time_electrons", 0), (1.0 - exp(-LOSS * 1e-12)) / (LOSS * 1e-12), 0.05,
           "electrons per primary, mean over the first row");
}

#define AIR                                                                              \
  "job = \"runaway\"; fields = [\"500 kV/cm\"]; duration = \"3.5 ps\"; magnetic_field "  \
  "= "                                                                                   \
  "\"2 T\";\n"                                                                           \
  "waveform = { shape = \"linear\"; times = [\"0 ps\", \"1.5 ps\", \"3.5 ps\"];\n"       \
  "  factors = [1.0, 1.0, 0.3]; };\n"                                                    \
  "initial_energy = \"10 eV\"; scattering = \"okhrimovskyy\"; sharing = \"rbeb\";\n"     \
  "gas = { pressure = \"1 atm\"; temperature = \"0 degC\"; components = {\n"             \
  "  N2 = { fraction = 0.79; file = \"builtin:air\"; };\n"                               \
  "  O2 = { fraction = 0.21; file = \"builtin:air\"; };\n"                               \
  "}; };\n"                                                                              \
  "tables = { energy_max = \"10 keV\"; };\n"
#define THRESHOLDS "thresholds = [\"100 eV\", \"200 eV\", \"500 eV\", \"1 keV\"]; "

static void against_each(void)
{
  double value[3], error[3];
  command_write(CONFIG, AIR "electrons = 2000; runaway = { " THRESHOLDS "};\n");
  if (!run(OUT, ""))
    return;
  for (size_t k = 0; k < 3; k++) {
    value[k] = at("passages_per_primary", k);
    error[k] = at("passages_per_primary_error", k);
  }
  const double electrons = at("final_electrons", 0);
  command_write(CONFIG, AIR
                "electrons = 1000; population = { target = 400; };\n"
                "runaway = { levels = true; levels_per_decade = 10; " THRESHOLDS "};\n");
  if (!run(OUT, "--seed 2"))
    return;
  for (size_t k = 0; k < 3; k++) {
    const double d = at("passages_per_primary", k) - value[k],
                 e = hypot(at("passages_per_primary_error", k), error[k]);
    ok(fabs(d) < 4.0 * e && e < (k < 2 ? 0.2 : 0.6) * value[k],
       "passages of %g, %.4g per primary: with levels %.2f errors of the difference off",
       command_nc_at(OUT, "threshold", k), value[k], d / e);
  }
  is_close(at("final_electrons", 0), electrons, 0.08, "electrons per primary at the end");
  ok(isnan(at("runaway_fraction", 0)) && isnan(at("first_passage_time", 0)),
     "what a lineage does is not known");
}

static void ledger(void)
{
  size_t levels = 0;
  double *carried = command_nc_read(OUT, "level_carried", &levels),
         *killed = command_nc_read(OUT, "level_killed", &levels),
         *raised = command_nc_read(OUT, "level_raised", &levels),
         *living = command_nc_read(OUT, "level_living", &levels);
  int closed = levels > 10;
  double sum = 0.0;
  for (size_t i = 0; i < levels; i++) {
    const double scale = fabs(carried[i]) + killed[i] + raised[i];
    closed &= fabs(carried[i] - killed[i] + raised[i] - living[i]) <= 1e-14 * scale;
    sum += living[i];
  }
  ok(closed && command_nc_sum(OUT, "level_halved") == 0.0,
     "the ledger of %zu levels closes", levels);
  is_close(sum / 200.0, at("final_electrons", 0), 1e-5,
           "and has the electrons at the end");
  free(carried), free(killed), free(raised), free(living);
}

static void same_bits(void)
{
  command_write(CONFIG, AIR
                "electrons = 200; groups = 8; population = { target = 40; };\n"
                "sampling = { interval = \"0.25 ps\"; };\n"
                "runaway = { levels = true; levels_per_decade = 8; " THRESHOLDS "};\n");
  if (!run(OUT, "--threads 2"))
    return;
  ledger();
  slices_same_bits("levels", CONFIG, MORE, OUT, 100, 5, 2);
  ranks_divide_electrons(3, CONFIG, OUT, MORE);
}

static void refused(const char *set, const char *want)
{
  const int status = command("%s check " CONFIG " %s", command_wilson(), set);
  if (!ok(status == 2 && strstr(command_err, want) != NULL, "%s: refused", set))
    diag("exit status %d; %.600s", status, command_err);
}

int main(void)
{
  plan(0);
  known();
  against_each();
  same_bits();
  refused(
      "--set 'stop_below=\"1 eV\"'",
      "a runaway job with runaway.levels follows electrons from the lowest energies on");
  refused("--set 'job=\"runaway-rate\"' --set 'waveform.shape=\"constant\"'",
          "is for job runaway; a runaway-rate job always has levels");
  refused("--set 'job=\"swarm\"'", "levels are for job runaway");
  refused("--set population.target=4", "less than one in each of the 8 groups");
  remove(GAS);
  remove(CONFIG);
  remove(OUT);
  return done();
}
