/* t0317-radiation-runaway.c - defends: radiation in job runaway.  An electron that a photon or a positron frees counts as a newborn: it passes each
 * threshold anew, in the lineage of its primary.  Where each that joins has more than the threshold, passages are primaries plus
 * those that joined, to the last one.  The run goes on while photons fly, though no electron is left.  Energy levels give the same passages within their errors.
 * Detectors see electrons of photons.  Threads, processes and a run in slices give the same bits; ledgers close; what cannot be is refused.
 * The gas scatters elastically alone, hardly ever.  Fixed seeds; errors from the runs, 4.5 sigma: a false alarm in 7e-6 of the
 * statistical checks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "t/tap/command.h"
#include "t/tap/ranks.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define SET  "t0317-set.txt"
#define CFG  "t0317.cfg"
#define OUT  "t0317.nc"
#define MORE "t0317-more.nc"

#define SIGMAS    4.5
#define LOSCHMIDT 2.6868e25 /* m-3 */

static const char set[] = "ELASTIC\nN2\n 1.9583e-05\n-----------------------------\n"
                          " 0.0 1e-30\n 1.0 1e-30\n 1e8 1e-30\n"
                          "-----------------------------\n";

static void write_scenario(int electrons, const char *rest)
{
  const char *root = getenv("WN_SRCDIR");
  char text[4000];
  snprintf(text, sizeof text,
           "job = \"runaway\"; groups = 8; electrons = %d;\n"
           "initial_spectrum = \"mono\"; initial_direction = \"drift\";\n"
           "gas = { number_density = \"%.9g m-3\"; temperature = \"0 degC\";\n"
           "  thermal_motion = false; components = { N2 = { file = \"" SET "\";\n"
           "  photons = \"%s/data/photons/N.txt\"; beyond = \"constant\"; }; }; };\n"
           "tables = { energy_max = \"100 MeV\"; bins_per_octave = 16; };\n"
           "device = \"cpu\"; quiet = true;\n%s",
           electrons, 1000.0 * LOSCHMIDT, root != NULL ? root : ".", rest);
  command_write(SET, set);
  command_write(CFG, text);
}

static int run(const char *what)
{
  const int status = command("%s run " CFG " --output " OUT, command_wilson());
  if (!is_int(status, 0, "%s: a run", what))
    diag("%.900s", command_err);
  return status == 0;
}

static double at(const char *name)
{
  return command_nc_at(OUT, name, 0);
}

/* Without a field, and stop_below at the threshold. */
static void newborns(const char *positrons)
{
  enum { N = 200 };
  char rest[700];
  snprintf(rest, sizeof rest,
           "initial_energy = \"40 MeV\"; fields = [\"0 V/m\"]; duration = \"0.9 ns\";\n"
           "waveform = { shape = \"pulse\"; length = \"1 s\"; };\n"
           "sampling = { interval = \"20 ps\"; }; stop_below = \"100 keV\";\n"
           "runaway = { thresholds = [\"100 keV\", \"1 MeV\", \"39 MeV\"]; };\n"
           "radiation = { photons_min = \"20 keV\"; positrons = \"%s\"; };\n",
           positrons);
  write_scenario(N, rest);
  if (!run(positrons))
    return;
  const double joined = at("photons_electrons"), passed = N * at("passages_per_primary"),
               fast = N * command_nc_at(OUT, "passages_per_primary", 1);
  ok(joined > N, "%s: %.0f electrons join", positrons, joined);
  is_near(passed, N + joined, 1e-6 * passed,
          "%s: primaries and those that joined have passed", positrons);
  ok(fast > N && fast < passed, "%s: fewer of them 1 MeV, %.0f", positrons, fast);
  is_near(N * command_nc_at(OUT, "passages_per_primary", 2), N, 1e-6,
          "%s: and none of them 39 MeV", positrons);
  is_close(at("runaway_fraction"), 1.0, 1e-12, "%s: each lineage has", positrons);
  ok(fabs(at("photons_energy_residual")) < 1e-9 * at("photons_energy_emitted"),
     "%s: photons: %.3g eV are missing", positrons, at("photons_energy_residual"));
  /* records of electrons are floats, 6e-8 of each energy in each step */
  is_near(at("energy_residual"), 0.0, 4e-6 * at("power_photons"),
          "%s: the electrons' ledger, eV/s", positrons);
}

/* Primaries and electrons of photons leave at 10 MeV, soon, and for most of the time photons are alone. */
static void alone(void)
{
  write_scenario(
      150,
      "initial_energy = \"5 MeV\"; fields = [\"1000 MV/m\"]; duration = \"500 ps\";\n"
      "sampling = { interval = \"1 ps\"; }; stop_below = \"30 keV\";\n"
      "runaway = { thresholds = [\"1 MeV\", \"9.9 MeV\"]; stop_above = \"10 MeV\"; "
      "};\nradiation = { photons_min = \"20 keV\"; };\n");
  if (!run("alone"))
    return;
  const double joined = at("photons_electrons"),
               removed = 150.0 * at("removed_electrons");
  ok(joined > 5 && at("photons_emitted") > 10 && at("photons_flying") > 0,
     "%.0f photons free %.0f electrons, %.0f fly at the end", at("photons_emitted"),
     joined, at("photons_flying"));
  ok(removed > 150.0 && removed < 150.5 + joined,
     "all primaries and %.0f of these have left", removed - 150.0);
  ok(at("followed_time") > 4.9e-10, "the run goes on for %.3g s", at("followed_time"));
}

#define FIELD                                                                            \
  "initial_energy = \"5 MeV\"; fields = [\"30 MV/m\"]; duration = \"400 ps\";\n"         \
  "magnetic_field = \"0.5 T\"; sampling = { interval = \"20 ps\"; };\n"                  \
  "radiation = { photons_min = \"20 keV\"; positrons = \"moving\"; };\n"

static void levels(void)
{
  double passages[2][3], error[2][3];
  for (int with = 0; with < 2; with++) {
    char rest[900];
    snprintf(
        rest, sizeof rest,
        FIELD "population = { target = %s; };\nrunaway = { thresholds = [\"50 keV\", "
              "\"200 keV\", \"6 MeV\"];%s };\n",
        with ? "160" : "0",
        with ? " levels = true; levels_from = \"10 keV\"; levels_per_decade = 3;" : "");
    write_scenario(200, rest);
    if (!run(with ? "levels" : "without levels"))
      return;
    for (int k = 0; k < 3; k++) {
      passages[with][k] = command_nc_at(OUT, "passages_per_primary", (size_t)k);
      error[with][k] = command_nc_at(OUT, "passages_per_primary_error", (size_t)k);
    }
    ok(at("photons_electrons") > 50 && at("radiation_charge_residual") == 0.0,
       "%.0f electrons join", at("photons_electrons"));
    ok(fabs(at("photons_energy_residual")) < 1e-9 * at("photons_energy_emitted"),
       "photons: %.3g eV are missing", at("photons_energy_residual"));
  }
  for (int k = 0; k < 3; k++)
    is_near(passages[1][k], passages[0][k],
            SIGMAS * hypot(error[0][k], error[1][k]) + 1e-9,
            "threshold %d: levels change no passages", k);
  ok(error[0][0] < 0.2 * (passages[0][0] - 1.0), "%.3f of them newborns, +- %.3f",
     passages[0][0] - 1.0, error[0][0]);
}

static void same_bits(const char *what, const char *runaway)
{
  char rest[900];
  snprintf(rest, sizeof rest, FIELD "%s", runaway);
  write_scenario(64, rest);
  if (!run(what))
    return;
  ok(at("photons_electrons") > 10 && at("photons_flying") > 10, "%s: %.0f electrons join",
     what, at("photons_electrons"));
  ranks_divide_electrons(3, CFG, OUT, MORE);
  slices_same_bits(what, CFG, MORE, OUT, 40, 6, 3);
}

/* A sphere beyond which no primary comes, as it leaves by stop_above. */
static void detectors(void)
{
  write_scenario(
      400,
      "initial_energy = \"9.9 MeV\"; fields = [\"50 MV/m\"]; duration = \"600 ps\";\n"
      "sampling = { interval = \"2 ps\"; }; stop_below = \"30 keV\";\n"
      "runaway = { thresholds = [\"1 MeV\"]; stop_above = \"10 MeV\"; };\n"
      "radiation = { photons_min = \"20 keV\"; };\n"
      "detectors = { planes = [\"1 mm\", \"40 mm\"]; };\n");
  if (!run("detectors"))
    return;
  const double near = 400.0 * command_nc_at(OUT, "detector_electrons", 0),
               far = 400.0 * command_nc_at(OUT, "detector_electrons", 1);
  ok(near >= 400.0 && far > 3.0 && far < at("photons_electrons") + 0.5,
     "%.1f electrons through the first plane, %.1f of photons through one beyond the "
     "primaries",
     near, far);
}

static void refused(const char *rest, const char *message)
{
  write_scenario(64, rest);
  const int status = command("%s run " CFG " --output " OUT, command_wilson());
  if (!ok(status == 2 && strstr(command_err, message) != NULL, "refused: %s", message))
    diag("status %d: %.600s", status, command_err);
}

#define SHORT                                                                            \
  "initial_energy = \"1 MeV\"; fields = [\"1 MV/m\"]; duration = \"1 ns\"; "             \
  "runaway = { thresholds = [\"2 MeV\"];%s };\n"

static void refusals(void)
{
  static const char *const of[][3] = {
      {"", " roulette_weight = 1;", "roulette would lower runaway_fraction"},
      {" levels = true;", " roulette_weight = 1;",
       "weights in energy levels are powers of two"},
  };
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    char rest[600];
    snprintf(rest, sizeof rest,
             SHORT "population = { target = 100; };\n"
                   "radiation = { photons_min = \"20 keV\";%s };\n",
             of[i][0], of[i][1]);
    refused(rest, of[i][2]);
  }
  char rest[600];
  snprintf(rest, sizeof rest,
           SHORT "field_profile = { places = [\"0 m\", \"1 m\"]; "
                 "factors = [1.0, 0.5]; };\n"
                 "radiation = { photons_min = \"20 keV\"; };\n",
           "");
  refused(rest, "fly in a gas and a field that are the same everywhere");
}

int main(void)
{
  plan(0);
  newborns("counted");
  newborns("moving");
  alone();
  detectors();
  levels();
  same_bits(
      "runaway",
      "stop_below = \"30 keV\";\nrunaway = { thresholds = [\"50 keV\", \"6 MeV\"]; };\n");
  same_bits("levels", "population = { target = 80; };\nrunaway = { thresholds = [\"50 "
                      "keV\", \"6 MeV\"]; levels = true; levels_from = \"10 keV\"; "
                      "levels_per_decade = 2; };\n");
  refusals();
  remove(OUT);
  remove(CFG);
  remove(SET);
  return done();
}
