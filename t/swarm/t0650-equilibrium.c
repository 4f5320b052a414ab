/* t0650-equilibrium.c - defends: without a field electrons take the temperature of a gas
 * whose levels have it: mean energy 3/2 kT within 0.3 % and a Maxwellian, for two levels and
 * for five, of which one is reached by two processes; and levels at another temperature, or
 * populated otherwise, give another energy, as the gain and loss of energy per process show.
 * The energy is exact (detailed balance); the gases are those of t/data/lxcat-levels.txt,
 * whose m/M of 1e-3 shows it, too, where the recoil of a level's energy is forgotten.
 * Errors: the energy's is 0.1 % or less, so that 0.3 % is a false alarm one time in 300,
 * were the seed not fixed.  The distribution in 60 bins has groups of 20, so that its squared
 * deviations in units of the error are 19/17 on average; neighbours are not independent, and
 * their mean was 1.0 to 1.3 over seven seeds: 2 is far outside that. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define FILE_A "t0650-a.nc"
#define FILE_B "t0650-b.nc"
#define KT     (1200.0 * WN_KB / WN_E)

static const char *two = "Two", *two_excited = "[\"Two(1)\"]", *many = "Many",
                  *many_excited = "[\"Many(1)\", \"Many(2)\", \"excitation Many(3)\", "
                                  "\"Many(3, by resonance)\", \"Many(4)\"]";
static double times = 1; /* as many electrons */

static const char *root(void)
{
  const char *s = getenv("WN_SRCDIR");
  return s != NULL ? s : ".";
}

static void scenario(const char *target, const char *excited, int electrons,
                     const char *more)
{
  char text[4096];
  snprintf(
      text, sizeof text,
      "fields = [\"0 Td\"]; electrons = %d; groups = 20; seed = 7;\n"
      "relaxation = \"1 ns\"; duration = \"2 ns\"; initial_energy = \"0.15 eV\";\n"
      "tables = { energy_max = \"1 keV\"; };\n"
      "distribution = { minimum = \"10 meV\"; maximum = \"1 eV\"; bins_per_decade = "
      "30; };\n"
      "gas = { temperature = \"1200 K\"; number_density = \"1e25 m-3\";\n"
      "components = { G = { file = \"%s/t/data/lxcat-levels.txt\"; target = \"%s\";\n"
      "exclude = [%s]; beyond = \"constant\"; excited = %s; %s }; }; };\n",
      (int)(electrons * times), root(), target,
      strcmp(target, two) == 0 ? "" : "\"Many(down)\", \"Many(5)\"", excited, more);
  command_write("t0650.cfg", text);
}

static void run(const char *file, const char *options, const char *what)
{
  int status =
      command("%s run t0650.cfg --quiet --output %s %s", command_wilson(), file, options);
  if (!is_int(status, 0, "%s runs", what))
    diag("%.800s", command_err);
}

static double value(const char *file, const char *name, size_t i)
{
  size_t n = 0;
  double *v = command_nc_read(file, name, &n), x = v != NULL && i < n ? v[i] : NAN;
  free(v);
  return x;
}

/* Part of a Maxwellian below e: of chi-square with three degrees of freedom. */
static double part_below(double e)
{
  const double x = sqrt(e / KT);
  return erf(x) - 2.0 / sqrt(WN_PI) * x * exp(-x * x);
}

static void is_maxwellian(const char *file, const char *what)
{
  size_t n = 0, n_error = 0, n_edges = 0, used = 0;
  double *f = command_nc_read(file, "energy_distribution", &n),
         *error = command_nc_read(file, "energy_distribution_error", &n_error),
         *edge = command_nc_read(file, "energy_bounds", &n_edges), sum = 0.0;
  for (size_t i = 0; f != NULL && error != NULL && edge != NULL && i + 1 < n; i++) {
    /* the mean of f over a bin, weighted with sqrt(e); the last has all above, too */
    const double a = edge[2 * i], b = edge[2 * i + 1],
                 want =
                     1.5 * (part_below(b) - part_below(a)) / (pow(b, 1.5) - pow(a, 1.5));
    if (!(error[i] > 0.0))
      continue;
    sum += (f[i] - want) * (f[i] - want) / (error[i] * error[i]);
    used++;
  }
  free(f);
  free(error);
  free(edge);
  ok(used >= 55 && sum / (double)used < 2.0,
     "%s: a Maxwellian, %.3g squared errors off on average over %zu bins", what,
     sum / (double)used, used);
}

static void is_in_equilibrium(const char *what)
{
  run(FILE_A, "", what);
  const double energy = value(FILE_A, "mean_energy", 0),
               error = value(FILE_A, "mean_energy_error", 0);
  ok(error < 0.001 * energy, "%s: an error of %.2g %%", what, 100.0 * error / energy);
  ok(fabs(energy / (1.5 * KT) - 1.0) < 0.003, "%s: %.6g eV is 3/2 kT within %.2g %%",
     what, energy, 100.0 * fabs(energy / (1.5 * KT) - 1.0));
  is_maxwellian(FILE_A, what);
}

/* What a level takes it gives back; the two-level gas has elastic, excitation, ionization
 * and superelastic, in this order. */
static void is_balanced(void)
{
  const double up = value(FILE_A, "process_frequency", 1),
               down = value(FILE_A, "process_frequency", 3),
               error = hypot(value(FILE_A, "process_frequency_error", 1),
                             value(FILE_A, "process_frequency_error", 3)),
               lost = value(FILE_A, "energy_lost", 1),
               gained = value(FILE_A, "energy_lost", 3);
  ok(fabs(up - down) < 4.0 * error && error < 0.01 * up,
     "as many up as down: %.5g and %.5g +- %.2g per second", up, down, error);
  is_near(lost / up, 0.1, 2e-3, "each takes 0.1 eV, with the recoil of a collision");
  is_near(gained / down, -0.1, 2e-3, "each gives it back, which the ledger has as -0.1");
}

/* Within 4 errors: of four, one in 4000 would fail with another seed. */
static void is_the_same(const char *options, const char *what)
{
  run(FILE_A, options, what);
  const double energy = value(FILE_A, "mean_energy", 0),
               error = value(FILE_A, "mean_energy_error", 0);
  ok(fabs(energy - 1.5 * KT) < 4.0 * error && error < 0.01 * energy,
     "%s: %.5g +- %.2g eV is 3/2 kT", what, energy, error);
}

static double energy_with(const char *more, const char *what)
{
  scenario(two, two_excited, 2000, more);
  run(FILE_A, "", what);
  return value(FILE_A, "mean_energy", 0);
}

int main(void)
{
  command_skip_if_fast();
  times = command_long() > 1 ? 8 : 1;
  plan(0);
  scenario(two, two_excited, 10000, "");
  is_in_equilibrium("two levels");
  is_balanced();
  scenario(many, many_excited, 12000, "excited_weights = [3, 5, 1, 1, 2];");
  is_in_equilibrium("five levels");
  /* 3 exp(-0.1/kT) of those in the lowest level: the same by fractions, in a field of
   * schedulers */
  const double ratio = 3.0 * exp(-0.1 / KT);
  char more[256];
  snprintf(more, sizeof more, "excited_fractions = [%.17g];", ratio / (1.0 + ratio));
  scenario(two, two_excited, 2000, more);
  is_the_same("", "by fractions");
  scenario(two, two_excited, 500, "");
  is_the_same("--set 'magnetic_field=\"0.5 T\"'", "in a magnetic field");
  is_the_same("--set 'tables.energy_max=\"100 keV\"'",
              "with high tables, whose candidates come in bands");
  is_the_same("--set scattering=okhrimovskyy", "with forward scattering");
  is_the_same("--set population.target=250", "with half as many electrons later on");
  /* errors of 0.25 %, and by far more than that off */
  const double cold = energy_with("excited_temperatures = [\"300 K\"];", "cold levels"),
               hot = energy_with("excited_temperatures = [\"3000 K\"];", "hot levels"),
               wrong = energy_with("excited_fractions = [0.2];", "another population");
  ok(cold < 0.9 * 1.5 * KT && hot > 1.1 * 1.5 * KT,
     "electrons follow the levels: %.4g and %.4g eV", cold, hot);
  ok(fabs(wrong / (1.5 * KT) - 1.0) > 0.02, "and their population: %.4g eV", wrong);
  run(FILE_B, "--scheduler serial", "with scheduler serial");
  run(FILE_A, "--threads 2", "with two threads");
  size_t n = 0;
  const char *bad = command_nc_differs(FILE_A, FILE_B, &n);
  ok(bad == NULL && n > 200, "the same %zu numbers%s%s", n, bad ? "; differs: " : "",
     bad ? bad : "");
  remove("t0650.cfg");
  remove(FILE_A);
  remove(FILE_B);
  return done();
}
