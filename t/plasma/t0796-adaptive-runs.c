/* t0796-adaptive-runs.c - defends: runs with adaptive steps (plasma.adaptive).
 *   - the same bits with 1, 2 and 3 threads, by the serial scheduler, and in slices that go on from
 *     checkpoints inside a whole step: beams, pairs and a thermostat in vacuum; an avalanche in r-z with
 *     photoionization and merging
 *   - the same bits on several processes that divide electrons, or the grid: steps too
 *   - the lengths of each whole step add up to it, and outputs are at the times of equal steps
 *   - sources make what they make with equal steps
 *   - where the conditions hold all steps at the half of plasma.time_step, particles have the bits of a run
 *     with equal steps of that length
 *   - a plasma that outgrows equal steps, with collisions that are too frequent for the condition of relaxation to see it, goes on
 *     in shorter ones, and those at the density of that moment are at most 1.5 over the plasma frequency
 *   - a step that would be below the shortest ends the run, with the condition, its value and what to
 *     do; what is not available with adaptive steps is refused with its key */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/ranks.h"
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/ranks.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0796.cfg"
#define OUT       "t0796.nc"
#define OTHER     "t0796-other.nc"

#define VACUUM(time_step, more)                                                          \
  "model = \"plasma\"; duration = \"1 ns\"; seed = 9;\n"                                 \
  "grid = { cells = [16]; length = [\"2 mm\"]; };\n"                                     \
  "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\";\n"    \
  "  voltage = \"50 V\"; }; };\n"                                                        \
  "species = { e = { density = \"1e12 m-3\"; per_cell = 20; temperature = \"2 eV\"; "    \
  "};\n"                                                                                 \
  "  b = { density = \"0 m-3\"; };\n"                                                    \
  "  i = { density = \"1e12 m-3\"; per_cell = 20; charge = 1.0; mass = \"1 u\"; }; };\n" \
  "plasma = { time_step = \"" time_step "\"; velocities = 3; background = true;\n"       \
  "  allow = [\"cell-crossing\"]; fields_interval = \"120 ps\"; particles_interval = "   \
  "\"200 ps\"; integrals_interval = \"40 ps\";\n"                                        \
  "  sources = { beam = { species = \"b\"; wall = \"x_low\"; flux = \"1e17 m-2 s-1\";\n" \
  "      energy = \"20 eV\"; temperature = \"1 eV\"; per_step = 15.5; start = \"90 "     \
  "ps\"; };\n"                                                                           \
  "    pairs = { species = \"e\"; pair = \"i\"; rate = \"1e21 m-3 s-1\"; "               \
  "temperature = \"2 eV\"; }; };\n"                                                      \
  "  thermostats = { t = { species = \"e\"; temperature = \"2 eV\"; time = \"1 ns\"; "   \
  "}; };\n" more " };\n"

#define AVALANCHE(more)                                                                  \
  "model = \"plasma\"; duration = \"16 ps\"; seed = 3;\n"                                \
  "grid = { geometry = \"r-z\"; cells = [12, 24]; length = [\"0.2 mm\", \"0.4 mm\"]; "   \
  "};\n"                                                                                 \
  "walls = { y_low = { field = \"dirichlet\"; };\n"                                      \
  "  y_high = { field = \"dirichlet\"; voltage = \"8 kV\"; };\n"                         \
  "  x_high = { field = \"open\"; }; };\n"                                               \
  "gas = { pressure = \"1 bar\"; components = { N2 = { file = \"builtin:air\"; "         \
  "fraction = 0.8; };\n  O2 = { file = \"builtin:air\"; fraction = 0.2; }; }; };\n"      \
  "species = { e = { density = \"1e19 m-3\"; temperature = \"5 eV\"; macroparticles = "  \
  "1500;\n    collisions = \"gas\"; ions = \"p\"; anions = \"m\"; profile = "            \
  "\"gaussian\"; centre = [\"0 mm\", \"0.1 mm\"];\n    width = [\"30 um\", \"20 um\"]; " \
  "};\n"                                                                                 \
  "  p = { density = \"1e19 m-3\"; macroparticles = 1500; charge = 1.0; mass = \"28 "    \
  "u\"; profile = \"gaussian\";\n    centre = [\"0 mm\", \"0.1 mm\"]; width = [\"30 "    \
  "um\", \"20 um\"]; };\n"                                                               \
  "  m = { density = \"0 m-3\"; charge = -1.0; mass = \"32 u\"; };\n"                    \
  "  o = { density = \"0 m-3\"; charge = 1.0; mass = \"32 u\"; }; };\n"                  \
  "plasma = { time_step = \"2 ps\"; fields_interval = \"4 ps\";\n"                       \
  "  allow = [\"cell-crossing\", \"plasma-frequency\", \"debye-length\"];\n"             \
  "  photoionization = { ions = \"o\"; efficiency = 2.0; weight = 0.25; };\n"            \
  "  " more " adaptive = { least = \"0.0625 ps\"; growth = 0.05; }; };\n"

#define MERGED                                                                           \
  "merging = { e = { species = \"e\"; per_cell_most = 30; interval = 4; }; };\n"

static int run(const char *text, const char *output, const char *options)
{
  const int status = command_run(FILE_NAME, text, "", output, options);
  if (status != 0)
    diag("%s: %.900s", options, command_err);
  return status;
}

/* Lengths of steps in their order, and how many whole steps do not add up. */
static size_t lengths(const char *output, double whole, size_t *steps, double *shortest,
                      double *longest)
{
  size_t n = 0, wrong = 0;
  double *length = command_nc_read(output, "step_length", &n), sum = 0.0;
  *steps = 0;
  *shortest = INFINITY;
  *longest = 0.0;
  for (size_t i = 0; i < n; i++) {
    if (isnan(length[i]))
      continue;
    (*steps)++;
    *shortest = fmin(*shortest, length[i]);
    *longest = fmax(*longest, length[i]);
    sum += length[i];
    if (fabs(sum - whole) < 1e-9 * whole)
      sum = 0.0;
    wrong += sum > whole;
  }
  free(length);
  return wrong + (sum != 0.0);
}

static void bits(const char *name, const char *text, double whole, size_t slice)
{
  static const char *const other[] = {"--threads 2", "--threads 3", "--scheduler serial"},
                           *const slices[] = {"--threads 1", "--threads 2"};
  size_t n = 0, steps;
  double shortest, longest;
  if (!is_int(run(text, OUT, "--threads 1"), 0, "%s: a run", name))
    return;
  for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
    const int status = run(text, OTHER, other[i]);
    const char *differs = command_nc_differs(OUT, OTHER, &n);
    ok(status == 0 && differs == NULL && n > 500, "%s, %s: the same %zu numbers%s%s",
       name, other[i], n, differs != NULL ? "; differs: " : "",
       differs != NULL ? differs : "");
    remove(OTHER);
  }
  command_write(FILE_NAME, text);
  slices_are(name, FILE_NAME, OTHER, OUT, slice, 7, 2, slices);
  const size_t wrong = lengths(OUT, whole, &steps, &shortest, &longest);
  ok(wrong == 0 && longest >= 2.0 * shortest,
     "%s: %zu steps of %.3g to %.3g ps add up to whole ones", name, steps,
     1e12 * shortest, 1e12 * longest);
}

/* ---- outputs and sources */

static void same_times(void)
{
  static const char *const names[] = {"sample_time", "born_particles"};
  size_t n = 0, m = 0, k = 0;
  int same = 1;
  run(VACUUM("20 ps", "adaptive = { least = \"0.3125 ps\"; };"), OUT, "--threads 1");
  run(VACUUM("20 ps", ""), OTHER, "--threads 1");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    double *a = command_nc_read(OUT, names[i], &n),
           *b = command_nc_read(OTHER, names[i], &m);
    for (size_t j = 0; j < n && j < m; j++)
      same = same && fabs(a[j] - b[j]) <= 1e-12 * fabs(b[j]);
    same = same && n == m && n > 3;
    free(a);
    free(b);
  }
  ok(same, "samples are at the times of equal steps, and sources have made as many");
  double *map = command_nc_read(OUT, "map_time", &n),
         *length = command_nc_read(OUT, "step_length", &k);
  const size_t parts = k / 50;
  int wrong = 0;
  for (size_t i = 0; i < n; i++)
    wrong += fabs(map[i] - (double)i * 120e-12 - 0.5 * length[6 * i * parts]) > 1e-21;
  ok(n == 9 && wrong == 0,
     "maps are in the middle of the first step after their times (%zu)", n);
  double *time = command_nc_read(OUT, "time", &m);
  wrong = 0;
  for (size_t i = 0; i < m; i++) {
    double last = 0.0;
    for (size_t j = (2 * i + 1) * parts; j < (2 * i + 2) * parts; j++)
      last = isnan(length[j]) ? last : length[j];
    wrong += fabs(time[i] - (double)(i + 1) * 40e-12 + 0.5 * last) > 1e-21;
  }
  ok(m == 25 && wrong == 0, "sums are of the last step of their time (%zu)", m);
  free(time);
  free(map);
  free(length);
}

/* Between walls whose voltage oscillates the displacement current is eps0 times the change of that
 * voltage, between the middles of the steps around the row: within 10 % of its amplitude, as a step is
 * 0.13 of 1 / omega. */
static void displacement(void)
{
  size_t n = 0, m = 0;
  const double omega = 2.0 * WN_PI * 1e9;
  run(VACUUM("20 ps", "adaptive = { least = \"1.25 ps\"; };"), OUT,
      "--threads 1 --set 'plasma.integrals_interval=\"20 ps\"' --set "
      "'walls.x_high.amplitude=\"10 V\"' --set 'walls.x_high.frequency=\"1 GHz\"'");
  double *d = command_nc_read(OUT, "displacement_current", &n),
         *time = command_nc_read(OUT, "time", &m), worst = 0.0;
  for (size_t i = 0; i < m && 3 * i < n; i++) {
    const double is = d[3 * i] / (WN_EPS0 * omega * 10.0);
    worst = fmax(worst, fabs(is + cos(omega * time[i])));
  }
  ok(m == 50 && n == 150 && worst < 0.1, "the displacement current within %.2g", worst);
  free(time);
  free(d);
}

/* A condition that cannot hold. */
static void too_short(const char *text, const char *options, const char *message)
{
  command_write(FILE_NAME, text);
  const int status =
      command("%s run " FILE_NAME " --quiet --device cpu --output " OUT " --threads 1 %s",
              command_wilson(), options);
  if (!ok(status == 1 && strstr(command_err, "the next step must be at most") != NULL &&
              strstr(command_err, message) != NULL &&
              strstr(command_err, "lower plasma.adaptive.least") != NULL,
          "a step below the shortest: %s", message))
    diag("exit status %d; %.600s", status, command_err);
  remove(OUT ".part");
}

static void floors(void)
{
  too_short(VACUUM("20 ps", "adaptive = { least = \"10 ps\"; };"),
            "--set plasma.adaptive.relaxation=0.0001",
            "plasma.adaptive.relaxation = 0.0001, as species e has a density of");
  too_short(VACUUM("20 ps", "adaptive = { least = \"10 ps\"; };"),
            "--set plasma.adaptive.cells=0.01",
            "plasma.adaptive.cells = 0.01, as 0.9 of the macroparticles of species e");
  too_short(AVALANCHE(MERGED),
            "--set plasma.adaptive.growth=1e-6 --set plasma.adaptive.cells=1 --set "
            "plasma.adaptive.relaxation=2",
            "plasma.adaptive.growth = 1e-06, as species e grows at");
}

/* Where equal steps of 2 ps end; 1.5 over the plasma frequency of 3e20 m-3 is 1.5 ps, of which 1 ps is on the ladder. */
#define DENSE                                                                            \
  "--threads 1 --set 'species.e.density=\"3e20 m-3\"' --set 'species.p.density=\"3e20 "  \
  "m-3\"' --set 'plasma.allow=[\"cell-crossing\",\"debye-length\"]' "

static void outgrown(void)
{
  size_t n = 0, m = 0, some = 0, wrong = 0;
  command_run(FILE_NAME, AVALANCHE(""), "", OTHER,
              DENSE "--set plasma.adaptive.growth=0.2 --set "
                    "'plasma.adaptive.least=\"off\"'");
  ok(strstr(command_err, "the plasma has outgrown its step") != NULL,
     "equal steps end where the plasma outgrows them");
  is_int(run(AVALANCHE(""), OUT,
             DENSE "--set 'plasma.adaptive.cells=\"off\"' --set "
                   "'plasma.adaptive.growth=\"off\"' --set plasma.adaptive.relaxation=2"),
         0, "adaptive steps go on");
  double *longest = command_nc_read(OUT, "step_longest", &n),
         *length = command_nc_read(OUT, "step_length", &m);
  for (size_t i = 0; longest != NULL && length != NULL && i < n && i < m; i++) {
    some += isfinite(length[i]) && length[i] < 2e-12 && longest[i] < 2e-12;
    wrong += length[i] > longest[i] * (1.0 + 1e-12);
  }
  ok(some > 4 && wrong == 0, "%zu steps are shorter than whole ones", some);
  free(longest);
  free(length);
  remove(OTHER ".part");
}

static void equal_steps(void)
{
  static const char *const names[] = {"position_e", "velocity_e", "position_b",
                                      "velocity_i"};
  size_t n = 0, m = 0;
  int same = 1;
  run(VACUUM("20 ps", "adaptive = { least = \"10 ps\"; cells = \"off\"; growth = "
                      "\"off\"; relaxation = 0.9; };"),
      OUT,
      "--threads 1 --set species.e.density='\"1.6e18 m-3\"' --set "
      "species.i.density='\"1.6e18 m-3\"' --set "
      "'plasma.allow=[\"plasma-frequency\",\"cell-crossing\",\"debye-length\"]'");
  run(VACUUM("10 ps", ""), OTHER,
      "--threads 1 --set plasma.sources.beam.per_step=7.75 --set "
      "species.e.density='\"1.6e18 m-3\"' --set "
      "species.i.density='\"1.6e18 m-3\"' --set "
      "'plasma.allow=[\"plasma-frequency\",\"cell-crossing\",\"debye-length\"]'");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    double *a = command_nc_read(OUT, names[i], &n),
           *b = command_nc_read(OTHER, names[i], &m);
    same = same && n == m && n > 100 && memcmp(a, b, n * sizeof *a) == 0;
    free(a);
    free(b);
  }
  ok(same, "steps that are all the half: the particles of equal steps, to the bit");
}

/* ---- processes */

/* Beams of two kinds in a plane, for slabs. */
#define CROSSING                                                                         \
  "model = \"plasma\"; duration = \"240 ps\"; seed = 9;\n"                               \
  "grid = { cells = [12, 16]; length = [\"1.5 mm\", \"2 mm\"]; };\n"                     \
  "walls = { y_low = { field = \"dirichlet\"; }; y_high = { field = \"dirichlet\"; "     \
  "voltage = \"50 V\"; }; };\n"                                                          \
  "species = { e = { density = \"1e15 m-3\"; per_cell = 12; temperature = \"20 eV\"; "   \
  "loading = \"random\"; };\n"                                                           \
  "  i = { density = \"1e15 m-3\"; per_cell = 12; charge = 1.0; mass = \"1 u\"; }; "     \
  "};\n"                                                                                 \
  "plasma = { time_step = \"20 ps\"; velocities = 3; allow = [\"cell-crossing\"];\n"     \
  "  integrals_interval = \"step\"; fields_interval = \"40 ps\";\n"                      \
  "  adaptive = { least = \"0.3125 ps\"; cells = 0.2; }; };\n"

/* Sums of a field over slabs have another order: particles and steps are the same. */
static void same_steps(const char *what, int status)
{
  static const char *const names[] = {"step_length", "step_reason", "particles",
                                      "wall_particles"};
  size_t n = 0, m = 0;
  int same = status == 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    double *a = command_nc_read(OUT, names[i], &n),
           *b = command_nc_read(OTHER, names[i], &m);
    same = same && n == m && n > 10 && memcmp(a, b, n * sizeof *a) == 0;
    free(a);
    free(b);
  }
  if (!ok(same, "%s: the same steps, and as many particles", what))
    diag("exit status %d; %.600s", status, command_err);
  remove(OTHER);
}

static void among_processes(const char *name, const char *text, const char *divide,
                            int ranks)
{
  const int by_slabs = strcmp(divide, "domains") == 0;
  char what[128], options[160], mpirun[64];
  size_t steps;
  double shortest, longest;
  if (!is_int(run(text, OUT, "--device cpu --threads 1"), 0, "%s: a run", name))
    return;
  lengths(OUT, 1.0, &steps, &shortest, &longest);
  ok(longest >= 2.0 * shortest, "%s: steps of %.3g to %.3g ps", name, 1e12 * shortest,
     1e12 * longest);
  snprintf(what, sizeof what, "%s, %d processes by %s", name, ranks, divide);
  snprintf(mpirun, sizeof mpirun, "mpirun -n %d", ranks);
  snprintf(options, sizeof options, "--device cpu --threads 1 --set 'divide=\"%s\"'",
           divide);
  const int status = command_run(FILE_NAME, text, mpirun, OTHER, options);
  if (by_slabs)
    same_steps(what, status);
  else
    ranks_same(OUT, OTHER, what, status, 0);
}

static void processes(void)
{
  ranks_allow();
  if (command("mpirun -n 2 true") != 0 || wn_ranks_library() == NULL) {
    skip(1, "mpirun starts no processes here");
    return;
  }
  among_processes("an avalanche", AVALANCHE(""), "electrons", 3);
  among_processes("beams", CROSSING, "electrons", 2);
  among_processes("beams", CROSSING, "domains", 2);
}

static void refused(void)
{
  command_write(FILE_NAME, VACUUM("20 ps", "adaptive = { least = \"5 ps\"; };"));
  const int status =
      command("%s check " FILE_NAME " --set 'walls.x_low.capacitance=\"1 nF/m2\"'",
              command_wilson());
  ok(status == 2 &&
         strstr(command_err, "circuits and dielectrics of walls take equal "
                             "steps; remove it, or plasma.adaptive.least") != NULL,
     "circuits are refused");
}

int main(void)
{
  plan(0);
  bits("in vacuum", VACUUM("20 ps", "adaptive = { least = \"1.25 ps\"; cells = 0.2; };"),
       20e-12, 27);
  bits("an avalanche", AVALANCHE(MERGED), 2e-12, 5);
  same_times();
  displacement();
  equal_steps();
  outgrown();
  floors();
  processes();
  refused();
  remove(FILE_NAME);
  remove(OUT);
  remove(OTHER);
  return done();
}
