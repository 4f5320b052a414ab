/* t0621-runaway-rate.c - defends: job runaway-rate.
 *  - Known answer over 14 decades: in a made-up gas that attaches with a constant frequency
 *    nu and does nothing else, an electron at rest in a field E reaches an energy after
 *    t = m u/(e E), u = gamma v, and so with the chance exp(-nu t).  Over the seeds the
 *    scatter of what is found is that of its stated errors: chi-square per degree of
 *    freedom.
 *    With twice the frequency all decay, and the rate is met where no weight that there can be
 *    reaches: weights are doubled (particles/weighted_ensemble.h).
 *    Time and way from below the first threshold to each of the others are those of the
 *    free flight.
 *  - What is counted from the release on agrees with the same job without levels, where
 *    each electron counts (job runaway), in air at 500 kV/cm.
 *  - The rate depends neither on the interval between controls, nor on the number of
 *    levels, where they begin, nor on the electrons in them.
 *  - The ledger of the levels in the file closes; threads change nothing; what cannot be
 *    is refused with what is allowed.
 * Statistical checks have fixed seeds; the limits are stated where they are. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/loss_gas.h"
#include "t/tap/tap.h"

#define GAS    "t0621.txt"
#define CONFIG "t0621.cfg"
#define OUT    "t0621.nc"
#define N_UP   5

static const double threshold_ev[N_UP] = {100.0, 500.0, 1000.0, 2000.0, 4000.0};

#define DENSITY 2.5e25 /* m-3 */
#define FIELD   1e7    /* V/m */
#define LOSS    1.6e12 /* 1/s */

static double gamma_of(double energy_ev)
{
  return 1.0 + energy_ev / WN_MC2_EV;
}

static double at(const char *name, size_t i)
{
  return command_nc_at(OUT, name, i);
}

static int run(const char *what, const char *options)
{
  const int status =
      command("%s run " CONFIG " --quiet --output " OUT " %s", command_wilson(), options);
  if (!is_int(status, 0, "%s runs", what))
    diag("%.800s", command_err);
  return status == 0;
}

#define STEP 0.25e-12 /* s, between controls */

/* s: from rest to an energy. */
static double time_to(double energy_ev)
{
  const double g = gamma_of(energy_ev);
  return WN_C * sqrt(g * g - 1.0) * WN_ME / (WN_E * FIELD);
}

/* m: from rest, in that time. */
static double way_in(double t)
{
  const double u = WN_E * FIELD / WN_ME * t / WN_C;
  return (sqrt(1.0 + u * u) - 1.0) * WN_C * WN_C * WN_ME / (WN_E * FIELD);
}

/* The last control that saw them below 100 eV is the same for all.  A threshold is noticed
 * at the next candidate or the end of the step, up to a step later; the way is that of the
 * time, the spread of the times being small. */
static void test_way(void)
{
  const double mark = floor(time_to(threshold_ev[0]) / STEP) * STEP;
  /* the lower ones are passed before what is measured begins */
  for (size_t k = 2; k < N_UP; k++) {
    const double exact = time_to(threshold_ev[k]) - mark, t = at("passage_time", k),
                 spread = at("passage_time_spread", k),
                 way = way_in(mark + t) - way_in(mark);
    ok(t >= exact * (1.0 - 1e-6) && t < exact + STEP && spread < STEP / 2.0,
       "%g eV: %.5g ps after %.5g ps, spread %.2g ps", threshold_ev[k], 1e12 * t,
       1e12 * exact, 1e12 * spread);
    is_close(at("passage_distance", k), way, 2e-3, "%g eV: %.4g m along the drift",
             threshold_ev[k], way);
  }
}

static void test_known(void)
{
  const int seeds = command_long() > 1 ? 32 : 6;
  double mean[N_UP] = {0}, scatter[N_UP] = {0}, stated[N_UP] = {0};
  write_loss_gas(GAS, LOSS, DENSITY, 2e4, "1e5");
  command_write(CONFIG,
                "job = \"runaway-rate\"; fields = [\"100 kV/cm\"]; electrons = 2000;\n"
                "initial_energy = \"1e-6 eV\"; initial_spectrum = \"mono\";\n"
                "duration = \"25 ps\"; scattering = \"isotropic\"; groups = 16;\n"
                "sampling = { interval = \"0.25 ps\"; };\n"
                "gas = { number_density = \"2.5e25 m-3\"; temperature = \"0.01 K\";\n"
                "  thermal_motion = false; components = { X = { file = \"" GAS
                "\"; }; }; };\n"
                "tables = { energy_max = \"20 keV\"; };\n"
                "population = { target = 2000; };\n"
                "runaway = { thresholds = [\"100 eV\", \"500 eV\", \"1 keV\", \"2 keV\", "
                "\"4 keV\"];\n  levels_from = \"1 eV\"; };\n");
  for (int seed = 1; seed <= seeds; seed++) {
    char options[64];
    snprintf(options, sizeof options, "--seed %d", seed);
    if (!run("the known answer", options))
      return;
    for (size_t k = 0; k < N_UP; k++) {
      const double t = time_to(threshold_ev[k]),
                   found = at("passages_per_primary", k) / exp(-LOSS * t),
                   error = at("passages_per_primary_error", k) / exp(-LOSS * t);
      mean[k] += found / seeds;
      scatter[k] += (found - 1.0) * (found - 1.0) / seeds;
      stated[k] += error * error / seeds;
    }
  }
  is_close(at("passage_cosine", N_UP - 1), 1.0, 1e-6, "all fly along the drift");
  test_way();
  for (size_t k = 0; k < N_UP; k++) {
    /* an error of 5 to 20 % a run; four standard errors */
    const double limit = (k < 1 ? 0.2 : k < 3 ? 0.4 : 0.8) / sqrt(seeds);
    ok(fabs(mean[k] - 1.0) < limit,
       "%g eV: %.3f of exp(-nu t), limit %.3f of it (%d seeds)", threshold_ev[k], mean[k],
       limit, seeds);
    /* Over the mean squared error, as a run that finds less states a smaller error, too: by
     * each run's own they are 1.3 to 2.7.  Chi-square of 6: above 4.1 times in 1000, of 32
     * above 1.9 */
    ok(scatter[k] < (seeds > 6 ? 1.9 : 4.1) * stated[k],
       "%g eV: chi-square per degree %.2f", threshold_ev[k], scatter[k] / stated[k]);
  }
}

/* All begin at rest and fly together, and of 2000 there would be none after 2.4 ps: at 4 keV
 * one in 10^29 lives, far below WN_LEAST_WEIGHT. */
static void test_decay(void)
{
  const double loss = 2.0 * LOSS;
  const int seeds = command_long() > 1 ? 32 : 4;
  double mean[N_UP] = {0}, stated[N_UP] = {0};
  size_t levels = 0;
  int closed = 1;
  write_loss_gas(GAS, loss, DENSITY, 2e4, "1e5");
  for (int seed = 1; seed <= seeds; seed++) {
    char options[128];
    snprintf(options, sizeof options, "--seed %d --set population.target=4000", seed);
    if (!run("the known answer of a decay", options))
      return;
    for (size_t k = 0; k < N_UP; k++) {
      const double exact = exp(-loss * time_to(threshold_ev[k])),
                   error = at("passages_per_primary_error", k) / exact;
      mean[k] += at("passages_per_primary", k) / exact / seeds;
      stated[k] += error * error / seeds;
    }
  }
  for (size_t k = 0; k < N_UP; k++) {
    /* four standard errors; one is 4 to 25 % a run */
    const double error = sqrt(stated[k] / seeds);
    ok(fabs(mean[k] - 1.0) < 4.0 * error && error < 0.3 / sqrt(seeds),
       "%g eV: %.3f of exp(-nu t), which is %.2g, +- %.3f", threshold_ev[k], mean[k],
       exp(-loss * time_to(threshold_ev[k])), error);
  }
  /* all passed 100 eV in the first half, and there are no newborns */
  ok(isinf(at("passage_rate_limit", 0)) &&
         strstr(command_err, "during the measurement no electron was below 100 eV") !=
             NULL,
     "no limit of a rate of which nothing was seen");
  double *carried = command_nc_read(OUT, "level_carried", &levels),
         *killed = command_nc_read(OUT, "level_killed", &levels),
         *raised = command_nc_read(OUT, "level_raised", &levels),
         *halved = command_nc_read(OUT, "level_halved", &levels),
         *living = command_nc_read(OUT, "level_living", &levels);
  double doubled = 0.0;
  for (size_t i = 0; i < levels; i++) {
    const double scale = fabs(carried[i]) + killed[i] + raised[i] + fabs(halved[i]);
    closed &=
        fabs(carried[i] - killed[i] + raised[i] - halved[i] - living[i]) <= 1e-14 * scale;
    doubled -= halved[i];
  }
  ok(closed && doubled > 0.0, "the ledger closes, with %.3g that doubling gave", doubled);
  free(carried), free(killed), free(raised), free(halved), free(living);
}

#define AIR                                                                              \
  "initial_energy = \"0.1 eV\"; scattering = \"okhrimovskyy\"; sharing = \"rbeb\";\n"    \
  "gas = { pressure = \"1 atm\"; temperature = \"0 degC\"; components = {\n"             \
  "  N2 = { fraction = 0.79; file = \"builtin:air\"; };\n"                               \
  "  O2 = { fraction = 0.21; file = \"builtin:air\"; };\n"                               \
  "}; };\n"                                                                              \
  "tables = { energy_max = \"10 keV\"; };\n"                                             \
  "runaway = { thresholds = [\"100 eV\", \"200 eV\", \"500 eV\", \"1 keV\"]; };\n"

struct found {
  double value[4], error[4];
};

static struct found air(const char *what, const char *name, const char *options)
{
  struct found f = {{NAN, NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}};
  char error[64];
  snprintf(error, sizeof error, "%s_error", name);
  if (run(what, options))
    for (size_t k = 0; k < 4; k++) {
      f.value[k] = at(name, k);
      f.error[k] = at(error, k);
    }
  return f;
}

/* Within four standard errors of the difference; false alarm 6 in 100000 each. */
static void agree(const char *what, const struct found *a, const struct found *b)
{
  static const double of[] = {100.0, 200.0, 500.0, 1000.0};
  for (int k = 0; k < 4; k++) {
    const double e = hypot(a->error[k], b->error[k]), d = a->value[k] - b->value[k];
    ok(fabs(d) < 4.0 * e, "%s, %g eV: %.4g and %.4g, which is %.2f errors", what, of[k],
       a->value[k], b->value[k], d / e);
  }
}

static void test_brute(void)
{
  command_write(CONFIG, "job = \"runaway\"; fields = [\"500 kV/cm\"]; electrons = 3000;\n"
                        "duration = \"4 ps\";\n" AIR);
  const struct found all = air("each electron", "passages_per_primary", "");
  command_write(
      CONFIG,
      "job = \"runaway-rate\"; fields = [\"500 kV/cm\"]; electrons = 3000;\n"
      "duration = \"4 ps\"; accuracy = 0.001; population = { target = 600; };\n" AIR);
  const struct found few = air("a weighted ensemble", "passages_per_primary", "--seed 2");
  agree("each electron and a weighted ensemble", &all, &few);
  ok(few.error[0] < 0.1 * few.value[0], "with errors that say something");
}

static void test_numerics(void)
{
  static const struct {
    const char *name, *set;
  } other[] = {
      {"controls half as often", "--set sampling.interval='\"0.24 ps\"'"},
      {"half as many levels", "--set runaway.levels_per_decade=10"},
      {"levels from 50 eV", "--set runaway.levels_from='\"50 eV\"'"},
      {"half as many electrons", "--set population.target=500"},
      {"twice as many electrons", "--set population.target=2000"},
      {"three mobility steps", "--set mobility_steps=3"},
      {"controls twice as often", "--set sampling.interval='\"0.06 ps\"'"},
      {"twice as many levels", "--set runaway.levels_per_decade=40"},
      {"half the mobility step", "--set mobility_steps=2"},
  };
  const int n = command_long() > 1 ? (int)(sizeof other / sizeof other[0]) : 3;
  double c[4];
  command_write(CONFIG,
                "job = \"runaway-rate\"; fields = [\"400 kV/cm\"]; electrons = 1000;\n"
                "duration = \"10 ps\"; accuracy = 0.001;\n" AIR);
  const struct found usual = air("as usual", "passage_rate", "");
  ok(usual.value[3] > 0.0 && usual.error[3] < 0.2 * usual.value[3],
     "1 keV: %.3g +- %.2g 1/s", usual.value[3], usual.error[3]);
  for (size_t k = 0; k < 4; k++)
    c[k] = at("passage_cosine", k);
  /* electrons that gain energy fly along the drift: of directions that are all as frequent, and
   * pass as often as the field works on them, the mean is 2/3 */
  ok(c[0] > 2.0 / 3.0 && c[1] > 2.0 / 3.0 && c[2] > 2.0 / 3.0 && c[3] > 2.0 / 3.0 &&
         c[3] < 1.0,
     "those that pass fly along the drift: cosine %.3f, %.3f, %.3f, %.3f", c[0], c[1],
     c[2], c[3]);
  for (int i = 0; i < n; i++) {
    char options[128];
    snprintf(options, sizeof options, "--seed %d %s", 10 + i, other[i].set);
    const struct found f = air(other[i].name, "passage_rate", options);
    agree(other[i].name, &usual, &f);
  }
}

static void test_file(void)
{
  size_t n = 0, levels = 0;
  int closed = 1;
  run("short", "--set 'duration=\"2 ps\"' --set threads=2");
  rename(OUT, "t0621-2.nc");
  run("short, one thread", "--set 'duration=\"2 ps\"' --set threads=1");
  const char *what = command_nc_differs(OUT, "t0621-2.nc", &n);
  ok(what == NULL && n > 100, "one thread and two: the same %zu numbers%s%s", n,
     what ? "; differs: " : "", what ? what : "");
  double *carried = command_nc_read(OUT, "level_carried", &levels),
         *killed = command_nc_read(OUT, "level_killed", &levels),
         *raised = command_nc_read(OUT, "level_raised", &levels),
         *halved = command_nc_read(OUT, "level_halved", &levels),
         *living = command_nc_read(OUT, "level_living", &levels);
  double flux = 0.0;
  for (size_t i = 0; i < levels; i++) {
    const double is = carried[i] - killed[i] + raised[i] - halved[i],
                 scale = fabs(carried[i]) + killed[i] + raised[i] + halved[i];
    closed &= fabs(is - living[i]) <= 1e-14 * scale;
    flux += killed[i];
  }
  ok(closed && levels > 20 && flux > 0.0, "the ledger of %zu levels closes", levels);
  free(carried), free(killed), free(raised), free(halved), free(living);
  remove("t0621-2.nc");
}

static void refused(const char *set, const char *want)
{
  const int status = command("%s check " CONFIG " %s", command_wilson(), set);
  if (!ok(status == 2 && strstr(command_err, want) != NULL, "%s: refused", set))
    diag("exit status %d; %.600s", status, command_err);
}

static void test_refused(void)
{
  refused("--set runaway.levels_from='\"2 keV\"'",
          "is not below the last of runaway.thresholds, 1000 eV");
  refused("--set runaway.levels_per_decade=100", "at most 126 are allowed");
  refused("--set population.target=8", "less than one in each of the 32 groups");
  refused("--set 'duration=\"auto\"'", "a runaway-rate job needs a time");
  refused("--set 'runaway.thresholds=[\"1 keV\", \"20 keV\"]'",
          "is above tables.energy_max");
}

/* A gas that ionizes at a frequency which does not depend on the energy, from 1e-4 eV on, where
 * no electron stays long: that is the rate. */
static void test_growth(void)
{
  FILE *f = fopen(GAS, "w");
  fprintf(f, "made-up\n\nIONIZATION\nX\n 1e-4\nSPECIES: e / X\n"
             "-----------------------------\n 1e-4 0\n");
  for (double e = 1.01e-4; e < 2e4; e *= 1.01) {
    const double g = 1.0 + e / WN_MC2_EV, v = WN_C * sqrt(1.0 - 1.0 / (g * g));
    fprintf(f, " %.6e\t%.8e\n", e, LOSS / (DENSITY * v));
  }
  fprintf(f, "-----------------------------\n\nELASTIC\nX\n 1e-30\n"
             "-----------------------------\n 0 0\n 1e5 0\n"
             "-----------------------------\n");
  fclose(f);
  if (!run("a gas that ionizes", "--set 'runaway.thresholds=[\"100 eV\"]' --set "
                                 "'initial_energy=\"1 eV\"' --seed 7 --set electrons=500 "
                                 "--set population.target=500"))
    return;
  const double rate = at("ionization_rate", 0) / LOSS,
               error = at("ionization_rate_error", 0) / LOSS;
  ok(fabs(rate - 1.0) < 4.0 * error + 1e-3 && error < 6e-3,
     "its rate is %.4f +- %.4f of the frequency", rate, error);
}

int main(void)
{
  command_skip_if_fast();
  plan(0);
  test_known();
  test_decay();
  test_growth();
  test_brute();
  test_numerics();
  test_file();
  test_refused();
  remove(CONFIG);
  remove(GAS);
  remove(OUT);
  return done();
}
