/* t0717-multigrid-runs.c - defends: plasmas with plasma.solver = "multigrid".
 *   - in two and three dimensions and in r-z the potential is that of "differences", to 1e-10 after ten
 *     steps, and Gauss's law holds
 *   - the bits are those of another number of threads, and of a run in slices, each from a checkpoint: a
 *     solution does not depend on those before it
 *   - what it does not take is refused with its key, and what is allowed
 * Reference: solver "differences". */
#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/differences.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0717.cfg"
#define OUT       "t0717.nc"
#define OTHER     "t0717-other.nc"

#define SPECIES                                                                          \
  "species = { e = { density = \"1e15 m-3\"; per_cell = 8; temperature = \"2 eV\"; };\n" \
  "  i = { density = \"1e15 m-3\"; per_cell = 8; charge = 1.0; mass = \"1 u\"; }; };\n"  \
  "plasma = { time_step = \"20 ps\"; fields_interval = \"200 ps\"; integrals_interval "  \
  "= "                                                                                   \
  "\"100 ps\"; allow = [\"debye-length\", \"cell-crossing\"]; };\n"                      \
  "model = \"plasma\"; duration = \"200 ps\";\n"

/* m2 and m3 */
static const double volumes[] = {5e-3 * 4e-3, 8e-9, WN_PI * 16e-6 * 6e-3};
static const char *const scenes[][2] = {
    {"two dimensions",
     SPECIES "grid = { cells = [23, 19]; length = [\"5 mm\", \"4 mm\"]; };\n"
             "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = "
             "\"dirichlet\"; voltage = \"30 V\"; }; };\n"},
    {"three dimensions, nothing fixes the potential", SPECIES
     "grid = { cells = [9, 8, 7]; length = [\"2 mm\", \"2 mm\", \"2 mm\"]; };\n"
     "walls = { y_low = { field = \"neumann\"; particles = \"reflect\"; }; y_high = "
     "{ field = \"neumann\"; particles = \"reflect\"; }; };\n"},
    {"r-z", SPECIES
     "grid = { geometry = \"r-z\"; cells = [16, 25]; length = [\"4 mm\", \"6 mm\"]; };\n"
     "walls = { x_high = { field = \"dirichlet\"; }; y_low = { field = \"dirichlet\"; "
     "voltage = \"50 V\"; }; y_high = { field = \"neumann\"; }; };\n"},
};

/* charge: of all electrons [C]. */
static void as_differences(const char *name, const char *text, double charge)
{
  size_t n = 0, m = 0, rows = 0;
  if (!ok(command_run(FILE_NAME, text, "", OUT,
                      "--threads 1 --set plasma.solver=multigrid") == 0 &&
              command_run(FILE_NAME, text, "", OTHER, "--threads 1") == 0,
          "%s, both solvers", name))
    return;
  double *phi = command_nc_read(OUT, "potential", &n),
         *want = command_nc_read(OTHER, "potential", &m),
         *gauss = command_nc_read(OUT, "gauss_error", &rows);
  if (ok(phi != NULL && want != NULL && n == m && gauss != NULL && rows > 1,
         "%s: maps of the potential", name)) {
    const double far = furthest(phi, want, n) / largest(want, n);
    ok(far > 0.0 && far < 1e-10, "%s: the potential of both is the same (%.2g)", name,
       far);
    ok(largest(gauss, rows) > 0.0 && largest(gauss, rows) < 1e-12 * charge,
       "%s: Gauss's law, to %.2g of the electrons' charge", name,
       largest(gauss, rows) / charge);
  }
  free(phi);
  free(want);
  free(gauss);
}

static void same_bits(const char *name, const char *text)
{
  static const char *const options[] = {"--threads 1", "--threads 2"};
  size_t values = 0;
  char with[2000];
  snprintf(with, sizeof with, "%s", text);
  char *at = strstr(with, "plasma = { ");
  const size_t head = (size_t)(at - with) + strlen("plasma = { ");
  snprintf(with + head, sizeof with - head, "solver = \"multigrid\"; %s", text + head);
  if (!ok(command_run(FILE_NAME, with, "", OUT, "--threads 1") == 0 &&
              command_run(FILE_NAME, with, "", OTHER, "--threads 3") == 0,
          "%s: with 1 and 3 threads", name))
    return;
  const char *differs = command_nc_differs(OUT, OTHER, &values);
  ok(differs == NULL && values > 0, "%s: the same bits (%s)", name,
     differs ? differs : "");
  command_write(FILE_NAME, with);
  slices_are(name, FILE_NAME, OTHER, OUT, 4, 3, 2, options);
}

static void refused(void)
{
  static const char *const cases[][2] = {
      {"--set grid.cells=16 --set 'grid.length=\"5 mm\"' --set walls.x_low.field=neumann "
       "--set "
       "walls.x_high.field=neumann",
       "\"multigrid\" takes two or three axes, and the grid has one; allowed: "
       "differences"},
      {"--set walls.x_low.field=open --set walls.x_high.field=open --set "
       "walls.y_low.field=open "
       "--set walls.y_high.field=open ",
       "takes no open side (walls.x_low.field); allowed: differences"},
      {"--set plasma.field=sparse --set 'grid.cells=[32, 32]'", "plasma.solver"},
      {"--set 'divide=\"domains\"' --ranks 2", "needs plasma.solver = \"differences\""},
  };
  command_write(FILE_NAME, scenes[0][1]);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const int status = command("%s check " FILE_NAME " --set plasma.solver=multigrid %s",
                               command_wilson(), cases[i][0]);
    ok(status == 2 && strstr(command_err, cases[i][1]) != NULL,
       "%s is refused (%d): %.300s", cases[i][0], status, command_err);
  }
}

int main(void)
{
  plan(0);
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
    as_differences(scenes[i][0], scenes[i][1], 1e15 * WN_E * volumes[i]);
  same_bits(scenes[0][0], scenes[0][1]);
  same_bits(scenes[2][0], scenes[2][1]);
  refused();
  remove(FILE_NAME);
  remove(OUT);
  remove(OTHER);
  return done();
}
