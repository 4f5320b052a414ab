/* t0652-states.c - defends: a gas whose rotational and vibrational states, read from blocks
 * ROTATIONAL and VIBRATIONAL of an LXCat file, are populated at the temperature of the gas,
 * keeps its electrons at it without a field: mean energy 3/2 kT within 0.3 %, with an error of
 * 0.1 % or less (one false alarm in 300, were the seed not fixed); states at other
 * temperatures give other energies, by more than 5 %; every scheduler gives the same bits; the
 * output names the processes.  The file is written here (t/tap/states_file.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "physics/constants.h"
#include "t/tap/states_file.h"
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define CONFIG "t0652.cfg"
#define GAS    "t0652.txt"
#define OUT    "t0652.nc"
#define OTHER  "t0652-other.nc"
#define KT     (1200.0 * WN_KB / WN_E)

static void run(const char *out, int electrons, const char *states, const char *options)
{
  char text[2048];
  snprintf(text, sizeof text,
           "fields = [\"0 Td\"]; electrons = %d; groups = 20; seed = 7;\n"
           "relaxation = \"1 ns\"; duration = \"2 ns\"; initial_energy = \"0.15 eV\";\n"
           "tables = { energy_max = \"100 eV\"; };\n"
           "gas = { temperature = \"1200 K\"; number_density = \"1e25 m-3\";\n"
           "components = { X = { file = \"" GAS
           "\"; beyond = \"constant\"; %s }; }; };\n",
           electrons, states);
  command_write(CONFIG, text);
  const int status =
      command("%s run " CONFIG " --quiet --output %s %s", command_wilson(), out, options);
  if (!is_int(status, 0, "runs: %s %s", states, options))
    diag("%.800s", command_err);
}

static double value(const char *name)
{
  size_t n = 0;
  double *v = command_nc_read(OUT, name, &n), x = v != NULL && n > 0 ? v[0] : NAN;
  free(v);
  return x;
}

static double energy_with(const char *states)
{
  run(OUT, 2000, states, "");
  return value("mean_energy");
}

#define WEIGHTS "rotational_weights = [2, 1]; "

int main(void)
{
  static const char hot[] = WEIGHTS "rotational_temperature = \"1200 K\"; "
                                    "vibrational_temperature = \"1200 K\";";
  command_skip_if_fast();
  plan(0);
  if (!ok(states_write(GAS, ""), "a file"))
    return done();
  run(OUT, command_long() > 1 ? 100000 : 2500, hot, "");
  const double energy = value("mean_energy"), error = value("mean_energy_error");
  ok(error < 0.001 * energy, "an error of %.2g %%", 100.0 * error / energy);
  ok(fabs(energy / (1.5 * KT) - 1.0) < 0.003, "%.6g eV is 3/2 kT within %.2g %%", energy,
     100.0 * fabs(energy / (1.5 * KT) - 1.0));
  size_t n = 0;
  double *all = command_nc_read(OUT, "process_frequency", &n);
  free(all);
  is_int((long)n, 1 + 2 * 5 + 2 * 2, "the output has the processes");
  const double cold = energy_with(
                   WEIGHTS
                   "rotational_temperature = \"100 K\"; vibrational_temperature = "
                   "\"1200 K\";"),
               excited = energy_with("vibrational_temperature = \"4000 K\";");
  ok(cold < 0.95 * 1.5 * KT && excited > 1.05 * 1.5 * KT,
     "electrons follow the states: %.4g and %.4g eV", cold, excited);
  run(OUT, 500, hot, "--threads 2");
  run(OTHER, 500, hot, "--scheduler serial");
  const char *bad = command_nc_differs(OUT, OTHER, &n);
  ok(bad == NULL && n > 200, "the same %zu numbers%s%s", n, bad ? "; differs: " : "",
     bad ? bad : "");
  remove(CONFIG);
  remove(GAS);
  remove(OUT);
  remove(OTHER);
  return done();
}
