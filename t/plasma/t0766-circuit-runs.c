/* t0766-circuit-runs.c - defends: a discharge with walls in circuits and a dielectric has the same bits with
 * any number of threads and any scheduler, on several processes that divide the electrons, and when it is
 * stopped after any number of steps and goes on; where processes divide the grid, it is equal to rounding.  Keys that make no sense are
 * refused, and what is said names the key, its value and what is allowed; values at the ends of the
 * ranges give numbers.  A GPU is refused when the scenario is checked.  `wilson check` says the
 * times of the circuit.  Reference: the undisturbed run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "t/tap/command.h"
#include "t/tap/ranks.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0766.cfg"
#define OUT       "t0766.nc"
#define AGAIN     "t0766-again.nc"

/* Rows in every second step, so that a slice may end between two. */
#define DISCHARGE(low, high)                                                             \
  "model = \"plasma\"; duration = \"1.6 ns\"; seed = 3;\n"                               \
  "grid = { cells = [24]; length = [\"3 mm\"]; };\n"                                     \
  "walls = { x_low = { field = \"dirichlet\"; amplitude = \"400 V\"; frequency = \"200 " \
  "MHz\"; phase = \"1 rad\"; yield = 0.3; " low " };\n"                                  \
  "  x_high = { field = \"dirichlet\"; " high " }; };\n"                                 \
  "gas = { pressure = \"200 Pa\"; components = { Ar = { file = \"builtin:argon\"; }; "   \
  "}; };\n"                                                                              \
  "species = { e = { density = \"2e14 m-3\"; per_cell = 20; temperature = \"20 eV\"; "   \
  "collisions = \"gas\"; ions = \"i\"; };\n"                                             \
  " i = { density = \"2e14 m-3\"; per_cell = 20; temperature = \"2 eV\"; charge = 1.0; " \
  "mass = \"39.948 u\"; collisions = \"gas\"; subcycling = 3; };\n"                      \
  " h = { density = \"1e14 m-3\"; per_cell = 10; temperature = \"50 eV\"; charge = "     \
  "-2.0; mass = \"1 u\"; }; };\n"                                                        \
  "plasma = { time_step = \"20 ps\"; mobility_steps = 2; integrals_interval = \"40 "     \
  "ps\"; allow = [\"cell-crossing\"]; };\n"

static const struct {
  const char *name, *text;
} runs[] = {
    {"circuits at both walls",
     DISCHARGE("capacitance = \"10 nF/m2\"; resistance = \"1 ohm m2\"; inductance = \"10 "
               "nH m2\";",
               "resistance = \"2 ohm m2\"; dielectric_thickness = \"1 mm\"; "
               "dielectric_permittivity = 3.0;")},
    {"a floating wall", DISCHARGE("", "capacitance = 0;")},
};

static int run(const char *before, const char *output, const char *options)
{
  return command("%s %s run " FILE_NAME " --quiet --output %s %s", before,
                 command_wilson(), output, options);
}

static void same(const char *what, int status)
{
  ranks_same(OUT, AGAIN, what, status, 0);
}

static void near(const char *what, int status)
{
  static const char *const names[] = {"wall_potential", "circuit_charge",
                                      "convected_charge", "source_energy"};
  ranks_near(OUT, AGAIN, what, status, sizeof names / sizeof names[0], names);
}

/* Each step by a program of its own: 20 of the 80, which have seven steps of ions. */
static void each_step(const char *name)
{
  static const char *const options[] = {"--threads 1 --set 'duration=\"0.4 ns\"'",
                                        "--scheduler serial --set 'duration=\"0.4 ns\"'",
                                        "--threads 3 --set 'duration=\"0.4 ns\"'"};
  is_int(run("", OUT, options[0]), 0, "%s: 20 steps", name);
  slices_are(name, FILE_NAME, AGAIN, OUT, 1, 20, 3, options);
}

/* n: of as many processes, and slabs. */
static void same_bits(const char *name, const char *text, int has_ranks, int n_ranks)
{
  static const char *const options[] = {"--threads 1", "--scheduler serial",
                                        "--threads 3"};
  command_write(FILE_NAME, text);
  if (!is_int(run("", OUT, "--threads 2"), 0, "%s: undisturbed", name))
    diag("%.900s", command_err);
  size_t n;
  double *gauss = command_nc_read(OUT, "convected_charge", &n);
  ok(gauss != NULL && n == 80 && gauss[n - 1] != 0.0 && gauss[n - 2] != 0.0,
     "%s: both walls have charge", name);
  free(gauss);
  for (int i = 0; i < 3; i++)
    same(options[i], run("", AGAIN, options[i]));
  slices_are(name, FILE_NAME, AGAIN, OUT, 11, 8, 3, options);
  if (!has_ranks) {
    skip(7, "mpirun starts no processes here");
    remove(OUT);
    return;
  }
  const char *launch = n_ranks == 2 ? "mpirun -n 2" : "mpirun -n 3";
  char what[40];
  snprintf(what, sizeof what, "%d processes", n_ranks);
  same(what, run(launch, AGAIN, "--set 'divide=\"electrons\"'"));
  snprintf(what, sizeof what, "%d slabs", n_ranks);
  near(what, run(launch, AGAIN, "--set 'divide=\"domains\"'"));
  int status = 3;
  for (int i = 0; i < 20 && status == 3; i++)
    status = run(i % 3 == 0   ? "mpirun -n 2"
                 : i % 3 == 1 ? ""
                              : "mpirun -n 3",
                 AGAIN,
                 "--restart auto --set checkpoint.step_limit=17 --set "
                 "'divide=\"electrons\"'");
  same("in slices, on one to three processes", status);
  remove(OUT);
}

/* ---- what is refused */

#define GRID_1 "grid = { cells = [10]; length = [\"1 mm\"]; };\n"
#define GRID_2 "grid = { cells = [10, 10]; length = [\"1 mm\", \"1 mm\"]; };\n"
#define SCENE(grid, walls, more)                                                         \
  "model = \"plasma\"; duration = \"4 ns\"; threads = 1;\n" grid "walls = { " walls      \
  " };\nplasma = { time_step = \"20 ps\"; " more                                         \
  " };\nspecies = { e = { density = \"1e9 m-3\"; per_cell = 1; }; };\n"
#define LOW(keys)  "x_low = { field = \"dirichlet\"; " keys " }; "
#define HIGH(keys) "x_high = { field = \"dirichlet\"; " keys " }; "

static const struct {
  const char *text, *key, *says;
} refused[] = {
    {SCENE(GRID_2, LOW("capacitance = \"1 nF/m2\";") HIGH(""), ""),
     "walls.x_low.capacitance", "one dimension"},
    {SCENE(GRID_1,
           "x_low = { field = \"neumann\"; resistance = \"1 ohm m2\"; }; " HIGH(""), ""),
     "walls.x_low.resistance", "walls.x_low.field = \"dirichlet\""},
    {SCENE(GRID_1, "x_low = { field = \"neumann\"; }; " HIGH("inductance = \"1 nH m2\";"),
           ""),
     "walls.x_high.inductance", "walls.x_low.field = \"dirichlet\""},
    {SCENE(GRID_1,
           "x_low = { field = \"open\"; resistance = \"1 ohm m2\"; }; x_high = { field = "
           "\"open\"; };",
           ""),
     "walls.x_low.resistance", "walls.x_low.field = \"dirichlet\""},
    {SCENE(GRID_1, "x_low = { resistance = \"1 ohm m2\"; };", ""),
     "walls.x_low.resistance", "walls.x_low.field = \"dirichlet\""},
    {SCENE(GRID_1, LOW("resistance = \"1 ohm m2\";") HIGH(""), "solver = \"spectral\";"),
     "walls.x_low.resistance", "plasma.solver = \"differences\""},
    {SCENE(GRID_1, LOW("capacitance = 0;") HIGH("capacitance = \"0 F/m2\";"), ""),
     "walls.x_high.capacitance", "both walls float"},
    {SCENE(GRID_1, LOW("capacitance = 0; inductance = \"1 nH m2\";") HIGH(""), ""),
     "walls.x_low.inductance", "nothing is connected"},
    {SCENE(GRID_1, LOW("capacitance = 0; dielectric_thickness = \"1 mm\";") HIGH(""), ""),
     "walls.x_low.dielectric_thickness", "nothing is connected"},
    {SCENE(GRID_1, LOW("dielectric_permittivity = 4.0;") HIGH(""), ""),
     "walls.x_low.dielectric_permittivity", "walls.x_low.dielectric_thickness"},
    {SCENE(GRID_1, LOW("harmonics = [\"1 V\", \"0\", \"0\"];") HIGH(""), ""),
     "walls.x_low.harmonics", "without walls.x_low.amplitude"},
    {SCENE(GRID_1,
           LOW("amplitude = \"1 V\"; frequency = \"1 MHz\"; harmonic_phases = [\"1 "
               "rad\", \"0\", \"0\"];") HIGH(""),
           ""),
     "walls.x_low.harmonic_phases", "without walls.x_low.harmonics"},
    {SCENE(GRID_1,
           LOW("amplitude = \"1 V\"; frequency = \"7 GHz\"; harmonics = [\"0\", \"0\", "
               "\"1 V\"];") HIGH(""),
           ""),
     "walls.x_low.frequency", "0.56 of a period of the highest harmonic"},
    {SCENE(GRID_1,
           "x_low = { field = \"neumann\"; harmonics = [\"1 V\", \"0\", \"0\"]; }; " HIGH(
               ""),
           ""),
     "walls.x_low.harmonics", "only a dirichlet side has a voltage"},
    {SCENE(GRID_1, LOW("capacitance = \"1e-30 F/m2\";") HIGH(""), ""),
     "walls.x_low.capacitance", "allowed: 0, or from 1e-20 to 1e6 F/m2"},
    {SCENE(GRID_1, LOW("capacitance = \"-1 nF/m2\";") HIGH(""), ""),
     "walls.x_low.capacitance", "0"},
    {SCENE(GRID_1, LOW("capacitance = \"1 nF\";") HIGH(""), ""),
     "walls.x_low.capacitance", "F/m2, mF/m2, uF/m2, nF/m2, pF/m2"},
    {SCENE(GRID_1, LOW("capacitance = \"nan F/m2\";") HIGH(""), ""),
     "walls.x_low.capacitance", ""},
    {SCENE(GRID_1, LOW("resistance = \"-1 ohm m2\";") HIGH(""), ""),
     "walls.x_low.resistance", "0"},
    {SCENE(GRID_1, LOW("resistance = \"50 ohm\";") HIGH(""), ""),
     "walls.x_low.resistance", "ohm m2"},
    {SCENE(GRID_1, LOW("inductance = \"1e300 H m2\";") HIGH(""), ""),
     "walls.x_low.inductance", "1000000 H m2"},
    {SCENE(GRID_1, LOW("dielectric_thickness = \"2 m\";") HIGH(""), ""),
     "walls.x_low.dielectric_thickness", "1 m"},
    {SCENE(GRID_1,
           LOW("dielectric_thickness = \"1 mm\"; dielectric_permittivity = 0.5;")
               HIGH(""),
           ""),
     "walls.x_low.dielectric_permittivity", "1"},
};

static void refusals(void)
{
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    command_write(FILE_NAME, refused[i].text);
    const int status = command("%s check " FILE_NAME, command_wilson());
    if (!ok(status == 2 && strstr(command_err, refused[i].key) != NULL &&
                strstr(command_err, refused[i].says) != NULL,
            "%s is refused: %s", refused[i].key, refused[i].says))
      diag("exit status %d: %.900s", status, command_err);
  }
  command_write(FILE_NAME, SCENE(GRID_1, LOW("resistance = \"1 ohm m2\";") HIGH(""), ""));
  is_int(command("%s check " FILE_NAME " --device cuda", command_wilson()), 2,
         "a GPU is refused by the check");
  ok(strstr(command_err, "device `cuda`") != NULL &&
         strstr(command_err, "allowed: device cpu or auto") != NULL,
     "and what is allowed is said: %.200s", command_err);
  is_int(command("%s run " FILE_NAME " --quiet --device auto --output " OUT,
                 command_wilson()),
         0, "device auto runs");
  remove(OUT);
}

/* ---- what is foreseen */

static void said(const char *what)
{
  if (!ok(strstr(command_out, what) != NULL, "the check says: %s", what))
    diag("%.2000s", command_out);
}

/* C of the gap 8.854e-9 F/m2, in series with 20 and, of 1 mm with 5, 44.27: 5.390e-9; R 4 ohm m2 in all. */
static void foreseen(void)
{
  command_write(FILE_NAME,
                SCENE(GRID_1,
                      LOW("capacitance = \"20 nF/m2\"; resistance = \"1 ohm m2\"; "
                          "inductance = \"100 nH m2\";")
                          HIGH("resistance = \"3 ohm m2\"; dielectric_thickness = \"1 "
                               "mm\"; dielectric_permittivity = 5.0;"),
                      ""));
  is_int(command("%s check " FILE_NAME, command_wilson()), 0, "a check");
  said("the gap without a plasma has 8.854e-09 F/m2\n");
  said("x_low: 2e-08 F/m2, 1 ohm m2, 1e-07 H m2\n");
  said("x_high: 4.427e-08 F/m2 with its dielectric, 3 ohm m2, 0 H m2\n");
  said(
      "R C of the loop without a plasma                2.156e-08 s (1.08e+03 steps, 5.39 "
      "of the run)");
  said(
      "R C with a plasma that conducts                 5.511e-08 s (2.76e+03 steps, 13.8 "
      "of the run)");
  said("period of L and C without a plasma              1.459e-07 s");
  said("L / R                                             2.5e-08 s");
  ok(strstr(command_err, "oscillates") == NULL, "nothing is damped by the steps");
  command_write(FILE_NAME,
                SCENE(GRID_1, LOW("inductance = \"0.001 nH m2\";") HIGH(""), ""));
  is_int(command("%s check " FILE_NAME, command_wilson()), 0, "a check");
  ok(strstr(command_err, "oscillates with a period of 29.6 steps") != NULL,
     "an oscillation that the steps damp: %.200s", command_err);
}

/* ---- the ends of the ranges */

static void ends(void)
{
  static const char *const capacitances[] = {"\"none\"", "\"1e-20 F/m2\"",
                                             "\"1e6 F/m2\""},
                           *const resistances[] = {"0", "\"1e-300 ohm m2\"",
                                                   "\"1e12 ohm m2\""},
                           *const inductances[] = {"0", "\"1e-300 H m2\"",
                                                   "\"1e6 H m2\""};
  for (int i = 0; i < 27; i++) {
    char text[1024];
    size_t n;
    snprintf(text, sizeof text,
             SCENE(GRID_1,
                   LOW("voltage = \"10 V\"; capacitance = %s; resistance = %s; "
                       "inductance = %s; dielectric_thickness = \"%d m\"; "
                       "dielectric_permittivity = 1e6;") HIGH(""),
                   ""),
             capacitances[i % 3], resistances[i / 3 % 3], inductances[i / 9],
             (i + 1) % 2);
    command_write(FILE_NAME, text);
    const int status =
        command("%s run " FILE_NAME " --quiet --output " OUT, command_wilson());
    double *phi = command_nc_read(OUT, "wall_potential", &n), most = 0.0;
    double *energy = command_nc_read(OUT, "source_energy", &n);
    for (size_t k = 0; k < n && phi != NULL && energy != NULL; k++)
      most = isfinite(energy[k]) ? fmax(most, fabs(phi[k])) : INFINITY;
    /* nothing oscillates above twice the voltage */
    if (!ok(status == 0 && n == 400 && most < 21.0, "%s, %s, %s: at most %.4g V",
            capacitances[i % 3], resistances[i / 3 % 3], inductances[i / 9], most))
      diag("exit status %d: %.900s", status, command_err);
    free(phi), free(energy);
    remove(OUT);
  }
}

int main(void)
{
  plan(0);
  ranks_allow();
  refusals();
  foreseen();
  ends();
  const int has_ranks = command("mpirun -n 2 true") == 0;
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
    same_bits(runs[i].name, runs[i].text, has_ranks, 3 - (int)i % 2);
  command_write(FILE_NAME, runs[0].text); /* which has all that a circuit keeps */
  each_step(runs[0].name);
  remove(OUT);
  remove(FILE_NAME);
  return done();
}
