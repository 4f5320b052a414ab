/* t0633-few-electrons.c - defends: few electrons give what many give, with larger errors.
 *
 * (1) The flux drift of an ionizing swarm, Lucas and Saelee's model with F = 1, has no bias
 * of 1 over the number of electrons: the mean of 10 seeds of 320 electrons, 10 in a group,
 * is that of 10^4 electrons, 73364 +- 1 m/s (3 long runs of this program), within 4 errors of
 * the mean, which come from the scatter (Student's t of 9 degrees of freedom: one false alarm
 * in 300; the seeds are fixed).  With a control variate over the time of each group's own
 * it was 73502 +- 16 m/s of 24 seeds, the last 8 errors off.
 *
 * (2) A swarm whose electrons are ionized 1800 times as often as attached does not die of
 * population control: 32 electrons in 32 groups, in air at 900 Td, 6 seeds.
 *
 * (3) An avalanche whose blocks are shorter than an e-fold, with few electrons in a group, is warned of; and the
 * length that the program chooses is not limited by newborns that stop_below removes at once, 0.6 a ns, but by
 * the growth, 0.025 a ns: a quarter of 32 ns.  With WN_LONG=2 its power balance closes within 4 errors with 64 in a
 * group and blocks of 128 ns.  Of 16 runs with 16 and 32 ns it was -2.9(3) % of the power. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define CONFIG "t0633.cfg"
#define OUT    "t0633.nc"
#define SEEDS  10

static double first(const char *name)
{
  size_t n = 0;
  double *v = command_nc_read(OUT, name, &n), x = v != NULL && n > 0 ? v[0] : NAN;
  free(v);
  return x;
}

static void drift(void)
{
  const char *root = getenv("WN_SRCDIR");
  double x[SEEDS], mean = 0.0, square = 0.0;
  int ran = 1;
  for (int i = 0; i < SEEDS; i++) {
    ran &= command("%s run %s/data/scenarios/lucas-saelee.cfg --quiet --output " OUT
                   " --seed %d --set electrons=320 --set accuracy=0.01 --set threads=1",
                   command_wilson(), root != NULL ? root : ".", i + 1) == 0;
    x[i] = first("drift_velocity_flux");
    mean += x[i] / SEEDS;
  }
  ok(ran, "%d seeds of 320 electrons", SEEDS);
  for (int i = 0; i < SEEDS; i++)
    square += (x[i] - mean) * (x[i] - mean);
  const double error = sqrt(square / (SEEDS * (SEEDS - 1)));
  ok(fabs(mean - 73364.0) < 4.0 * error, "flux drift %.0f +- %.0f m/s, of many 73364",
     mean, error);
  ok(error < 40.0, "and its error is small enough to say so");
}

static void alive(void)
{
  int ran = 0;
  command_write(CONFIG,
                "job = \"swarm\"; scattering = \"isotropic\"; sharing = \"equal\";\n"
                "fields = [\"900 Td\"]; electrons = 32; duration = \"0.1 ns\";\n"
                "threads = 1; gas = { pressure = \"1 atm\"; temperature = \"0 degC\";\n"
                "components = { N2 = { fraction = 0.79; file = \"builtin:air\"; };\n"
                "  O2 = { fraction = 0.21; file = \"builtin:air\"; }; }; };\n");
  for (int seed = 1; seed <= 6; seed++)
    ran += command("%s run " CONFIG " --quiet --output " OUT " --seed %d",
                   command_wilson(), seed) == 0;
  if (!is_int(ran, 6, "runs of 32 electrons at 900 Td that end well"))
    diag("%.600s", command_err);
  is_close(first("mean_energy"), 14.12, 0.03, "mean energy, eV, as of many");
}

static int rrea(const char *options)
{
  const char *root = getenv("WN_SRCDIR");
  return command("%s run %s/data/scenarios/rrea-air.cfg --output " OUT
                 " --set threads=1 --set 'fields=[\"1 MV/m\"]' --set groups=16 %s",
                 command_wilson(), root != NULL ? root : ".", options);
}

static void avalanche(void)
{
  is_int(
      rrea("--set electrons=192 --set population.target=192 --set 'relaxation=\"4 ns\"' "
           "--set 'duration=\"32 ns\"' --set 'sampling.interval=\"auto\"'"),
      0, "an avalanche of 12 electrons in a group");
  const char *is = strstr(command_err, "samples is ");
  double block = NAN;
  ok(is != NULL && sscanf(is, "samples is %lg s", &block) == 1,
     "it is warned of short blocks");
  is_close(block, 8e-9, 1e-3, "which are a quarter of the duration");
  is_int(rrea("--set electrons=1600 --set population.target=1600 --set 'relaxation=\"1 "
              "ns\"' --set 'duration=\"1 ns\"' --set 'sampling.interval=\"0.0625 ns\"' "
              "--set sampling.block=16"),
         0, "an avalanche of 100");
  ok(strstr(command_err, "samples is ") == NULL, "of many it is not");
  if (command_long() < 2)
    return;
  is_int(rrea("--quiet --set electrons=1024 --set population.target=1024 --set "
              "'relaxation=\"256 ns\"' --set 'duration=\"256 ns\"'"),
         0, "an avalanche of 64, for long");
  const double rest = first("power_balance"), error = first("power_balance_error"),
               gained = first("power_gained");
  ok(fabs(rest) < 4.0 * error && error < 0.015 * gained,
     "its power balance is %.2g(%.2g) of the power", rest / gained, error / gained);
}

int main(void)
{
  plan(0);
  avalanche();
  alive();
  drift();
  remove(CONFIG);
  remove(OUT);
  return done();
}
