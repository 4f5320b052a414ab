/* t0651-thermal-relaxation.c - defends: without a field `relaxation = "auto"` waits until the
 * collisions have brought the electrons to the temperature of the gas, with elastic collisions
 * alone (m/M = 1e-4, which takes 5000 collisions each time; two windows agree after 400, at
 * four times the energy), and no longer than it must where levels do it or the start is near.
 * The mean energy is exact, 3/2 kT; the gas is that of t0650.  Thresholds are 4 errors of the
 * run: of three checks one fails one time in 5000, were the seed not fixed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define OUT    "t0651.nc"
#define CONFIG "t0651.cfg"
#define ENERGY (1.5 * 1200.0 * WN_KB / WN_E)

static void scenario(const char *levels)
{
  const char *root = getenv("WN_SRCDIR");
  char text[2048];
  snprintf(
      text, sizeof text,
      "fields = [\"0 Td\"]; electrons = 64; groups = 16; seed = 7; accuracy = 0.05;\n"
      "initial_energy = \"1 eV\"; threads = 1; tables = { energy_max = \"1 keV\"; };\n"
      "gas = { temperature = \"1200 K\"; number_density = \"1e25 m-3\";\n"
      "components = { G = { file = \"%s/t/data/lxcat-levels.txt\"; target = \"Two\";\n"
      "mass = \"9.1e-27 kg\"; beyond = \"constant\"; %s }; }; };\n",
      root != NULL ? root : ".", levels);
  command_write(CONFIG, text);
}

static double first(const char *name)
{
  size_t n = 0;
  double *v = command_nc_read(OUT, name, &n), x = v != NULL && n > 0 ? v[0] : NAN;
  free(v);
  return x;
}

/* Returns the time of relaxation, s. */
static double relaxed(const char *options, const char *what)
{
  if (!is_int(command("%s run " CONFIG " --quiet --output " OUT " %s", command_wilson(),
                      options),
              0, "%s runs", what))
    diag("%.600s", command_err);
  const double energy = first("mean_energy"), error = first("mean_energy_error");
  ok(error < 0.06 * ENERGY && fabs(energy - ENERGY) < 4.0 * error,
     "%s: %.4g +- %.2g eV is 3/2 kT, %.4g", what, energy, error, ENERGY);
  return first("relaxation_time");
}

int main(void)
{
  plan(0);
  scenario("exclude = [\"Two(1)\"];");
  const double far = relaxed("", "by elastic collisions"),
               near = relaxed("--set 'initial_energy=\"0.1551 eV\"'", "from near by");
  scenario("excited = [\"Two(1)\"];");
  const double levels = relaxed("", "by levels");
  ok(near < 0.7 * far, "a start near by takes less: %.3g s instead of %.3g", near, far);
  ok(levels < 0.2 * far, "and levels do: %.3g s", levels);
  remove(CONFIG);
  remove(OUT);
  return done();
}
