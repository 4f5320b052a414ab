/* t0785-merging-runs.c - defends: merging of macroparticles in runs of the program.  A run in slices
 * has the bits of one that is not stopped, for any number of threads; the balance of energies closes, with
 * what method "one" adds or takes; and what is not possible is refused by name. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/ranks.h"
#include "t/tap/command.h"
#include "t/tap/ranks.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0785.cfg"
#define OUT       "t0785.nc"

#define GAS                                                                              \
  "model = \"plasma\"; duration = \"80 ps\"; threads = 1; seed = 3;\n"                   \
  "grid = { cells = [8, 4]; length = [\"80 um\", \"40 um\"]; };\n"                       \
  "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; }; "  \
  "};\n"                                                                                 \
  "gas = { pressure = \"1 bar\"; components = { Ar = { file = \"builtin:argon\"; }; "    \
  "}; };\n"                                                                              \
  "tables = { energy_max = \"1 keV\"; };\n"                                              \
  "species = { e = { density = \"1e17 m-3\"; temperature = \"5 eV\"; per_cell = 21; "    \
  "collisions = \"gas\"; ions = \"i\"; };\n"                                             \
  " i = { density = \"1e17 m-3\"; per_cell = 21; charge = 1.0; mass = \"39.948 u\"; "    \
  "loading = \"random\"; mobile = false; };\n"                                           \
  " q = { density = \"1e14 m-3\"; per_cell = 1; charge = 1.0; mass = \"4 u\"; }; };\n"   \
  "plasma = { time_step = \"2 ps\"; merging = { e = { species = \"e\"; per_cell_most = " \
  "18; per_cell_least = 12; least_weight = 0.1; energy_classes = [\"6 eV\"]; interval "  \
  "= 2; }; i = { species = \"i\"; per_cell_most = 20; method = \"one\"; }; }; };\n"

static void restart(void)
{
  static const char *const options[] = {"--threads 1", "--scheduler serial",
                                        "--threads 3"};
  command_write(FILE_NAME, GAS);
  const int status =
      command("%s run " FILE_NAME " --quiet --threads 2 --output " OUT, command_wilson());
  if (!is_int(status, 0, "a plasma in a gas: undisturbed"))
    diag("%.900s", command_err);
  slices_are("a plasma in a gas", FILE_NAME, "t0785-again.nc", OUT, 7, 4, 3, options);
  remove(OUT);
  remove(FILE_NAME);
}

/* The energy of electrons of which two become one, so that it changes: kinetic energy, a mean of both ends
 * of a step, and the sums at these ends. */
static void balance(void)
{
  static const char *const names[] = {"field_work", "collision_energy", "wall_energy",
                                      "created_energy", "merging_energy"};
  static const double sign[] = {1.0, -1.0, -1.0, 1.0, 1.0};
  size_t n, rows;
  double *v[5], worst = 0.0, turned = 0.0;
  command_write(FILE_NAME, GAS);
  const int status = command("%s run " FILE_NAME " --quiet --output " OUT
                             " --set 'plasma.merging.e.method=\"one\"' --set "
                             "plasma.merging.e.per_cell_most=15",
                             command_wilson());
  remove(FILE_NAME);
  if (!is_int(status, 0, "two become one, in a gas")) {
    diag("%.500s", command_err);
    return;
  }
  free(command_nc_read(OUT, "time", &rows));
  double *kinetic = command_nc_read(OUT, "kinetic_energy", &n);
  WN_ASSERT(kinetic != NULL && n == 3 * rows && rows == 40);
  for (int k = 0; k < 5; k++) {
    v[k] = command_nc_read(OUT, names[k], &n);
    WN_ASSERT(v[k] != NULL && n == 3 * rows);
  }
  for (size_t i = 1; i < rows; i++) {
    double sum = 0.0;
    for (int k = 0; k < 5; k++) {
      sum += sign[k] * 0.5 * (v[k][3 * i] - v[k][3 * (i - 1)]);
      turned += fabs(v[k][3 * i] - v[k][3 * (i - 1)]);
      if (i > 1)
        sum += sign[k] * 0.5 * (v[k][3 * (i - 1)] - v[k][3 * (i - 2)]);
      else
        sum += sign[k] * 0.5 * v[k][0];
    }
    worst = fmax(worst, fabs(kinetic[3 * i] - kinetic[3 * (i - 1)] - sum));
  }
  ok(worst < 1e-6 * turned && fabs(v[4][3 * (rows - 1)]) > 1e-3 * kinetic[0],
     "the balance of energies closes to %.2g, with %.2g by merging", worst / turned,
     v[4][3 * (rows - 1)] / kinetic[0]);
  for (int k = 0; k < 5; k++)
    free(v[k]);
  free(kinetic);
  remove(OUT);
}

static void refused(const char *options, const char *words)
{
  command_write(FILE_NAME, GAS);
  const int status = command("%s check " FILE_NAME " %s", command_wilson(), options);
  remove(FILE_NAME);
  ok(status == 2 && strstr(command_err, words) != NULL, "%s: refused, %s", options,
     words);
  if (strstr(command_err, words) == NULL)
    diag("status %d: %.500s", status, command_err);
}

static void refusals(void)
{
  refused("--set 'plasma.merging.e.species=\"x\"'", "there is no species of this name");
  refused("--set 'plasma.merging.i.species=\"e\"'",
          "the same species is in plasma.merging.e");
  refused("--set plasma.merging.e.per_cell_least=19",
          "plasma.merging.e.per_cell_least=19: is above per_cell_most, 18");
  refused("--set plasma.merging.i.per_cell_least=2",
          "halves of a macroparticle without collisions would move alike");
  refused("--set plasma.merging.e.least_weight=6e5",
          "is above half of most_weight, 1000000");
  refused("--set plasma.merging.e.interval=0", "plasma.merging.e.interval");
  refused("--set 'plasma.merging.e.method=\"tow\"'", "two");
  refused("--set 'plasma.merging.e.protected_energy=\"6 eV\"'",
          "the last is not below protected_energy, 6 eV");
  refused("--set 'plasma.merging.e.energy_classes=[\"6 eV\", \"5 eV\"]'",
          "plasma.merging.e.energy_classes");
  refused("--set plasma.merging.z.per_cell_most=5", "plasma.merging.z.species");
  refused("--set 'plasma.merging.z={ species = \"q\"; }'",
          "plasma.merging.z.per_cell_most");
  refused("--set 'reactions.r={ reactants = [\"e\", \"i\"]; products = []; rate_constant "
          "= \"1e-13 m3/s\"; }'",
          "species e is a reactant of reactions.r");
  refused("--set 'grid.cells=[8]' --set 'grid.length=[\"80 um\"]'",
          "macroparticles of species i have no weights of their own");
  refused("--set 'grid.cells=[8]' --set 'grid.length=[\"80 um\"]'",
          "its ions, species i, have no weights of their own in one dimension");
  if (wn_ranks_library() == NULL) {
    skip(1, "built without MPI");
  } else {
    command_write(FILE_NAME, GAS);
    ranks_allow();
    const int status = command("mpirun -n 2 %s run " FILE_NAME " --quiet --output " OUT,
                               command_wilson());
    ok(status != 0 &&
           strstr(command_err, "merging needs all macroparticles of a cell") != NULL,
       "two processes: refused");
    remove(FILE_NAME);
  }
}

int main(void)
{
  plan(0);
  restart();
  balance();
  refusals();
  return done();
}
