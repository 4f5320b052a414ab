/* t0782-sparse-runs.c - defends: runs of field sparse.  A discharge in a gas, with ions that move in every third
 * step and immobile ones, between walls and periodic, in two and three dimensions, has the same bits with any
 * number of threads, on two processes, and when it is stopped and goes on.  Any number of particles has the density of the scenario.  A wave along each axis of three
 * dimensions is that of the full grid.  What is not on sparse grids is refused by the key, with what is allowed;
 * `wilson check` says grids and noise.  Reference: the undisturbed run, and field electrostatic.
 *
 * The wave: from the same quiet start on 16^3 cells the potential of its mode differs by the noise of the other
 * modes alone: 2 % of the largest over two thirds of a plasma period.  Combined at nodes and at the particle E has
 * other roundings, some 1e-7 of the largest in each of 48 steps: 1e-5 of potentials, of the
 * field's energy, and of its power at nodes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "t/tap/command.h"
#include "t/tap/ranks.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0782.cfg"
#define OUT       "t0782.nc"
#define AGAIN     "t0782-again.nc"

#define DISCHARGE(grid, walls, more)                                                     \
  "model = \"plasma\"; duration = \"0.8 ns\"; seed = 3;\n" grid                          \
  "walls = { x_low = { field = \"dirichlet\"; voltage = \"-300 V\"; };\n"                \
  "  x_high = { field = \"dirichlet\"; }; " walls " };\n"                                \
  "gas = { pressure = \"200 Pa\"; components = { Ar = { file = \"builtin:argon\"; }; "   \
  "}; };\n"                                                                              \
  "species = { e = { density = \"2e14 m-3\"; per_cell = 2; temperature = \"20 eV\"; "    \
  "collisions = \"gas\"; ions = \"i\"; };\n"                                             \
  " i = { density = \"1e14 m-3\"; per_cell = 1; temperature = \"2 eV\"; charge = 1.0; "  \
  "mass = \"39.948 u\"; collisions = \"gas\"; subcycling = 3; };\n"                      \
  " s = { density = \"1e14 m-3\"; per_cell = 1; charge = 1.0; mass = \"1 u\"; mobile "   \
  "= false; };\n"                                                                        \
  " h = { density = \"1e13 m-3\"; per_cell = 1; temperature = \"50 eV\"; charge = "      \
  "-2.0; mass = \"1 u\"; }; };\n"                                                        \
  "plasma = { field = \"sparse\"; time_step = \"20 ps\"; mobility_steps = 2; "           \
  "integrals_interval = \"40 ps\"; fields_interval = \"200 ps\"; allow = "               \
  "[\"cell-crossing\"]; " more " };\n"

#define AT_PARTICLE "sparse = { combine = \"particle\"; }; "
/* power of the field: E where the particles gather it, for a diagnostic */
#define AVERAGES                                                                         \
  "averages = { a = { start = \"0.2 ns\"; blocks = 1; every = 5; power = true; }; };"

static const struct {
  const char *name, *text;
} runs[] = {
    {"3-D", DISCHARGE("grid = { cells = [8, 8, 8]; length = [\"3 mm\", \"3 mm\", \"2 "
                      "mm\"]; };\n",
                      "y_low = { field = \"neumann\"; }; y_high = { field = "
                      "\"neumann\"; };",
                      "")},
    {"2-D",
     DISCHARGE("grid = { cells = [16, 16]; length = [\"3 mm\", \"3 mm\"]; };\n", "", "")},
    {"3-D, at the particle",
     DISCHARGE("grid = { cells = [8, 8, 8]; length = [\"3 mm\", \"3 mm\", \"2 mm\"]; "
               "};\n",
               "y_low = { field = \"neumann\"; }; y_high = { field = \"neumann\"; };",
               AT_PARTICLE AVERAGES)},
    {"2-D, at the particle",
     DISCHARGE("grid = { cells = [16, 16]; length = [\"3 mm\", \"3 mm\"]; };\n", "",
               AT_PARTICLE AVERAGES)},
};

static int run(const char *before, const char *output, const char *options)
{
  return command("%s %s run " FILE_NAME " --quiet --output %s %s", before,
                 command_wilson(), output, options);
}

static void same_bits(const char *name, const char *text, int has_ranks)
{
  static const char *const options[] = {"--threads 3", "--threads 1",
                                        "--threads 1 --scheduler serial"};
  command_write(FILE_NAME, text);
  if (!is_int(run("", OUT, "--threads 2"), 0, "%s: undisturbed", name))
    diag("%.900s", command_err);
  ok(command_nc_sum(OUT, "field_energy") > 0.0 && command_nc_sum(OUT, "density_e") > 0.0,
     "%s: there is a field", name);
  for (int i = 0; i < 3; i++)
    ranks_same(OUT, AGAIN, options[i], run("", AGAIN, options[i]), 0);
  slices_are(name, FILE_NAME, AGAIN, OUT, 7, 5, 2, options);
  if (has_ranks)
    ranks_same(OUT, AGAIN, "two processes", run("mpirun -n 2", AGAIN, "--threads 1"), 0);
  else
    skip(1, "mpirun starts no processes here");
  remove(OUT);
}

/* ---- numbers of particles */

/* Less than a particle a cell: the mean density is that of the scenario, to the quanta of charge.  As many as
 * per_cell says: the same bits. */
static void few(const char *loading)
{
  char options[256];
  size_t n;
  double sum = 0.0;
  const char *text =
      "model = \"plasma\"; duration = \"0.1 ns\"; threads = 1;\n"
      "grid = { cells = [8, 8, 8]; length = [\"1 mm\", \"1 mm\", \"1 mm\"]; };\n"
      "species = { e = { density = \"1e14 m-3\"; temperature = \"1 eV\"; }; };\n"
      "plasma = { field = \"sparse\"; time_step = \"50 ps\"; background = true; "
      "fields_interval = \"0.1 ns\"; };\n";
  snprintf(options, sizeof options,
           "--set species.e.macroparticles=101 --set species.e.loading=%s", loading);
  is_int(command_run(FILE_NAME, text, "", OUT, options), 0, "101 particles, %s", loading);
  double *density = command_nc_read(OUT, "density_e", &n);
  for (size_t i = 0; density != NULL && i < 512; i++)
    sum += density[i % 8 + 9 * (i / 8 % 8) + 81 * (i / 64)];
  ok(density != NULL && n == 729, "a map of 9^3 nodes");
  is_close(sum / 512.0, 1e14, 1e-6, "the mean density is that of the scenario");
  free(density);
  snprintf(options, sizeof options,
           "--set species.e.per_cell=3 --set species.e.loading=%s", loading);
  is_int(command_run(FILE_NAME, text, "", OUT, options), 0, "3 a cell, %s", loading);
  snprintf(options, sizeof options,
           "--set species.e.macroparticles=1536 --set species.e.loading=%s", loading);
  ranks_same(OUT, AGAIN, "1536 particles, or 3 a cell",
             command_run(FILE_NAME, text, "", AGAIN, options), 0);
  remove(OUT);
}

/* ---- a wave along an axis */

/* The largest difference of n numbers, and of their sizes. */
static double apart(const double *a, const double *b, size_t n, double *most)
{
  double differs = 0.0;
  *most = 0.0;
  for (size_t i = 0; i < n; i++) {
    *most = fmax(*most, fabs(a[i]));
    differs = isfinite(b[i]) ? fmax(differs, fabs(a[i] - b[i])) : INFINITY;
  }
  return differs;
}

static void wave(int axis)
{
  static const char *const fields[] = {
      "plasma.field=electrostatic", "plasma.field=sparse",
      "plasma.field=sparse --set plasma.sparse.combine=particle"};
  /* the sums over component grids at the particle know no axis: one, and all with WN_LONG=2 */
  const int n_fields = axis == 1 || command_long() > 1 ? 3 : 2;
  double *phi[3] = {NULL, NULL, NULL}, most, by;
  static const char *const sums[] = {"field_energy", "average_a_power_e"};
  double *sum[2][3] = {{NULL}};
  size_t n[3] = {0, 0, 0}, n_sum[2][3] = {{0}};
  char text[1024];
  snprintf(text, sizeof text,
           "model = \"plasma\"; duration = \"2.4 ns\"; threads = 1;\n"
           "grid = { cells = [16, 16, 16]; length = [\"2.954126 mm\", \"2.954126 mm\", "
           "\"2.954126 mm\"]; };\n"
           "species = { e = { density = \"1e15 m-3\"; temperature = \"1 eV\"; per_cell = "
           "8; amplitude = 0.1; mode = [%d, %d, %d]; }; };\n"
           "plasma = { time_step = \"50 ps\"; background = true; modes = ( [%d, %d, %d] "
           "); averages = { a = { start = \"0\"; blocks = 1; power = true; }; }; };\n",
           axis == 0, axis == 1, axis == 2, axis == 0, axis == 1, axis == 2);
  for (int i = 0; i < n_fields; i++) {
    char options[96];
    snprintf(options, sizeof options, "--set %s", fields[i]);
    is_int(command_run(FILE_NAME, text, "", OUT, options), 0, "axis %d: %s", axis,
           fields[i]);
    phi[i] = command_nc_read(OUT, "potential_mode", &n[i]);
    for (int k = 0; k < 2; k++)
      sum[k][i] = command_nc_read(OUT, sums[k], &n_sum[k][i]);
  }
  if (ok(phi[0] != NULL && phi[1] != NULL && n[0] == n[1] &&
             (n_fields == 2 || (phi[2] != NULL && n[0] == n[2])),
         "a wave along axis %d: %zu potentials", axis, n[0])) {
    by = apart(phi[0], phi[1], n[0], &most);
    ok(most > 0.0 && by < 0.02 * most,
       "a wave along axis %d: %.2g of the largest potential apart", axis, by / most);
    if (n_fields == 3) {
      by = apart(phi[1], phi[2], n[0], &most);
      ok(by > 0.0 && by < 1e-5 * most,
         "a wave along axis %d, combined at the particle: %.2g of the largest apart",
         axis, by / most);
    }
  }
  for (int k = 0; n_fields == 3 && k < 2; k++) {
    by = most = 0.0;
    if (sum[k][1] != NULL && sum[k][2] != NULL && n_sum[k][1] == n_sum[k][2])
      by = apart(sum[k][1], sum[k][2], n_sum[k][1], &most);
    ok(by > 0.0 && by < 1e-5 * most, "and %s by %.2g", sums[k], by / most);
  }
  for (int i = 0; i < 3; i++) {
    free(phi[i]);
    free(sum[0][i]);
    free(sum[1][i]);
  }
  remove(OUT);
}

/* ---- what is refused */

#define SCENE(cells, walls, plasma, more)                                                \
  "model = \"plasma\"; duration = \"4 ns\"; threads = 1; " more "\n"                     \
  "grid = { cells = " cells "; };\n"                                                     \
  "walls = { " walls " };\n"                                                             \
  "plasma = { field = \"sparse\"; background = true; time_step = \"20 ps\"; " plasma     \
  " };\n"                                                                                \
  "species = { e = { density = \"1e14 m-3\"; per_cell = 2; temperature = \"1 eV\"; }; "  \
  "};\n"
#define CUBE(n) "[" n ", " n ", " n "]; length = [\"1 mm\", \"1 mm\", \"1 mm\"]"

static const struct {
  const char *text, *key, *says;
} refused[] = {
    {SCENE("[16]; length = [\"1 mm\"]", "", "", ""), "plasma.field",
     "needs two or three axes"},
    {SCENE("[16, 32]; length = [\"1 mm\", \"1 mm\"]", "", "", ""), "grid.cells",
     "32 cells along an axis; plasma.field = \"sparse\" takes as many along each, a "
     "power "
     "of 2; allowed: 8 to 1024"},
    {SCENE(CUBE("24"), "", "", ""), "grid.cells", "allowed: 8 to 1024"},
    {SCENE(CUBE("4"), "", "", ""), "grid.cells", "allowed: 8 to 1024"},
    {SCENE("[2048, 2048]; length = [\"1 mm\", \"1 mm\"]", "", "", ""), "grid.cells",
     "allowed: 8 to 1024"},
    {SCENE(CUBE("16"), "", "shape = \"tsc\";", ""), "plasma.shape", "cic"},
    {SCENE(CUBE("16"), "", "gather = \"energy\";", ""), "plasma.gather", "momentum"},
    {SCENE(CUBE("16"), "", "sparse = { least_level = 5; };", ""),
     "plasma.sparse.least_level", "allowed: 1 to 4"},
    {SCENE(CUBE("16"), "", "sparse = { least_level = 4; };", ""),
     "plasma.sparse.least_level", "of so few component grids, 1"},
    {SCENE(CUBE("16"), "", "sparse = { least_level = 0; };", ""),
     "plasma.sparse.least_level", "1"},
    {SCENE(CUBE("16"), "", "sparse = { least_level = 2; offset = 3; };", ""),
     "plasma.sparse.offset", "3; allowed, with a smallest level of 2: 4 to 8"},
    {SCENE(CUBE("16"), "", "sparse = { offset = 9; };", ""), "plasma.sparse.offset",
     "9; allowed, with a smallest level of 1: 2 to 8"},
    {SCENE(
         "[16, 16]; length = [\"1 mm\", \"1 mm\"]",
         "x_low = { field = \"open\"; }; x_high = { field = \"open\"; }; y_low = { field "
         "= \"open\"; }; y_high = { field = \"open\"; };",
         "", ""),
     "plasma.field", "open sides"},
};

static void refusals(void)
{
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    command_write(FILE_NAME, refused[i].text);
    const int status = command("%s check " FILE_NAME, command_wilson());
    if (!ok(status == 2 && strstr(command_err, refused[i].key) != NULL &&
                strstr(command_err, refused[i].says) != NULL &&
                strstr(command_err, FILE_NAME ":") != NULL,
            "%s is refused: %s", refused[i].key, refused[i].says))
      diag("exit status %d: %.900s", status, command_err);
  }
  command_write(FILE_NAME, SCENE(CUBE("16"), "", "", ""));
  is_int(command("%s check " FILE_NAME " --set plasma.field=electrostatic --set "
                 "plasma.sparse.offset=2",
                 command_wilson()),
         2, "levels without field sparse");
  ok(strstr(command_err, "plasma.sparse.offset") != NULL, "and the key is named: %.200s",
     command_err);
  is_int(command("%s check " FILE_NAME " --set plasma.field=electrostatic --set "
                 "plasma.sparse.combine=particle",
                 command_wilson()),
         2, "a place without field sparse");
  ok(strstr(command_err, "plasma.sparse.combine") != NULL, "and the key is named: %.200s",
     command_err);
  is_int(command("%s check " FILE_NAME " --device cpu", command_wilson()), 0, "a check");
  ok(strstr(command_out, "19 component grids with 1997 nodes, 3 parents with 1275") !=
             NULL &&
         strstr(command_out, "of N random particles 105.5, of the standard grid 1213: as "
                             "little noise takes 11.5 times") != NULL,
     "says grids and noise");
  if (!ok(strstr(command_out, "E for the particles: combined at nodes 0.11 MB, at the "
                              "particle 0.022 MB (plasma.sparse.combine)") != NULL,
          "says what E takes either way"))
    diag("%.900s", command_out);
}

int main(void)
{
  ranks_allow();
  const int has_ranks = command("mpirun -n 2 true") == 0;
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
    same_bits(runs[i].name, runs[i].text, has_ranks);
  few("quiet");
  few("random");
  for (int axis = 0; axis < 3; axis++)
    wave(axis);
  refusals();
  remove(FILE_NAME);
  return done();
}
