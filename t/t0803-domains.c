/* t0803-domains.c - defends: a plasma whose grid is divided in slabs among two to five processes (key
 * divide = "domains", fields/electrostatic_slabs.h) has the fields, charges, energies and numbers of one
 * process, to what rounding in single precision becomes in some steps: one to three dimensions, all
 * shapes and gathers, periodic and other sides, walls that give electrons, collisions, ions, averages
 * and maps; a run may be stopped, and go on with another number of processes, and with particles
 * divided.  What it cannot do is refused by name.  Reference: one process, by all variables of the
 * file that are not zero but for rounding. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/ranks.h"
#include "t/tap/command.h"
#include "t/tap/ranks.h"
#include "t/tap/runs.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0803.cfg"
#define OUT       "t0803.nc"
#define AGAIN     "t0803-again.nc"

#define ALLOW "allow = [\"cell-crossing\", \"plasma-frequency\", \"debye-length\"]; };\n"

static const struct {
  const char *name, *text;
} cases[] = {
    {"1-D, cic, periodic",
     "model = \"plasma\"; duration = \"1 ns\"; grid = { cells = [13]; length = \"1 cm\"; "
     "};\n"
     "species = { e = { density = \"1e13 m-3\"; temperature = \"5 eV\"; per_cell = 30; "
     "}; };\n"
     "plasma = { background = true; solver = \"differences\"; time_step = \"20 ps\";\n"
     "  integrals_interval = \"60 ps\"; fields_interval = \"140 ps\"; " ALLOW},
    {"1-D, tsc, walls, averages and maps",
     RUN_PLASMA("solver = \"differences\"; shape = \"tsc\";")},
    {"2-D, tsc, energy gather, periodic along y",
     "model = \"plasma\"; duration = \"0.6 ns\"; grid = { cells = [8, 14];\n"
     "  length = [\"0.5 cm\", \"1 cm\"]; };\n"
     "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"neumann\";\n"
     "  particles = \"reflect\"; }; };\n"
     "species = { e = { density = \"1e13 m-3\"; temperature = \"5 eV\"; per_cell = 8; "
     "};\n"
     "  p = { density = \"1e13 m-3\"; charge = 1.0; mass = \"1 u\"; per_cell = 8; }; };\n"
     "plasma = { solver = \"differences\"; shape = \"tsc\"; gather = \"energy\";\n"
     "  time_step = \"20 ps\"; integrals_interval = \"60 ps\"; fields_interval = \"200 "
     "ps\";\n"
     "  " ALLOW},
    {"3-D, cic, walls along z",
     "model = \"plasma\"; duration = \"0.4 ns\"; grid = { cells = [5, 6, 11];\n"
     "  length = [\"0.5 cm\", \"0.6 cm\", \"1 cm\"]; };\n"
     "walls = { z_low = { field = \"dirichlet\"; }; z_high = { field = \"dirichlet\";\n"
     "  voltage = \"50 V\"; }; };\n"
     "species = { e = { density = \"1e13 m-3\"; temperature = \"5 eV\"; per_cell = 6; "
     "};\n"
     "  f = { density = \"1e13 m-3\"; charge = 1.0; mass = \"1 u\"; mobile = false;\n"
     "    per_cell = 4; }; };\n"
     "plasma = { solver = \"differences\"; time_step = \"20 ps\";\n"
     "  integrals_interval = \"40 ps\"; fields_interval = \"200 ps\"; " ALLOW},
    {"3-D, ngp, all periodic",
     "model = \"plasma\"; duration = \"0.4 ns\"; grid = { cells = [4, 5, 7];\n"
     "  length = [\"0.5 cm\", \"0.6 cm\", \"1 cm\"]; };\n"
     "species = { e = { density = \"1e13 m-3\"; temperature = \"5 eV\"; per_cell = 6; }; "
     "};\n"
     "plasma = { background = true; solver = \"differences\"; shape = \"ngp\";\n"
     "  time_step = \"20 ps\"; integrals_interval = \"40 ps\"; fields_interval = \"200 "
     "ps\";\n"
     "  " ALLOW},
    {"2-D, a discharge: collisions, ions, electrons from walls", RUN_DISCHARGE},
};
enum { WALLS = 1, DISCHARGE = 5 };

static const char *options_of(size_t i)
{
  return i == DISCHARGE ? "--set 'plasma.solver=\"differences\"'" : "";
}

/* Largest difference of a variable, over its largest value; what is zero but for rounding is
 * compared with `scale`.  -1: it is not there. */
static double differs(const char *name)
{
  size_t n, m;
  double *a = command_nc_read(OUT, name, &n), *b = command_nc_read(AGAIN, name, &m);
  double most = 0.0, worst = a == NULL && b == NULL ? -1.0 : INFINITY;
  if (a != NULL && b != NULL && n == m) {
    worst = 0.0;
    for (size_t i = 0; i < n; i++) {
      most = fmax(most, fabs(a[i]));
      worst = fmax(worst, isnan(a[i]) && isnan(b[i]) ? 0.0 : fabs(a[i] - b[i]));
      worst = isnan(a[i]) != isnan(b[i]) ? INFINITY : worst;
    }
    worst = most > 0.0 ? worst / most : worst;
  }
  free(a);
  free(b);
  return worst;
}

/* At most, of the largest: numbers are whole, or the steps few. */
static void same(const char *what, int status)
{
  static const struct {
    const char *name;
    double most;
  } list[] = {{"time", 0.0},
              {"particles", 1e-12},
              {"wall_particles", 1e-12},
              {"kinetic_energy", 1e-6},
              {"field_energy", 1e-5},
              {"potential", 1e-5},
              {"charge_density", 1e-5},
              {"density_e", 1e-5},
              {"density_p", 1e-5},
              {"density_i", 1e-5},
              {"electric_field_x", 1e-5},
              {"electric_field_y", 1e-5},
              {"electric_field_z", 1e-5},
              {"mean_energy_e", 1e-5},
              {"average_all_potential", 1e-5},
              {"average_all_density_e", 1e-5},
              {"average_part_electric_field_x", 1e-5},
              {"phase_average_all_charge_density", 1e-5}};
  int seen = 0, good = 1;
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
    const double d = status == 0 ? differs(list[i].name) : INFINITY;
    seen += d >= 0.0;
    if (d > list[i].most) {
      good = 0;
      diag("%s: %g of the largest", list[i].name, d);
    }
  }
  if (!ok(status == 0 && good && seen >= 6, "%s: %d variables are those of one process",
          what, seen))
    diag("exit status %d; %.600s", status, command_err);
}

static double largest(const char *file, const char *name)
{
  size_t n = 0;
  double *v = command_nc_read(file, name, &n), most = n > 0 ? 0.0 : NAN;
  for (size_t i = 0; i < n; i++)
    most = fmax(most, fabs(v[i]));
  free(v);
  return most;
}

/* The equation holds on the slabs as it does on the whole grid, where high voltages leave more
 * rounding, and the charge is all there. */
static void holds(const char *what, int has_charge)
{
  const double one = largest(OUT, "poisson_residual"),
               most = largest(AGAIN, "poisson_residual");
  ok(most < 3.0 * one + 1e-14, "%s: Poisson's equation holds to %.2g, of one to %.2g",
     what, most, one);
  if (has_charge)
    ok(fabs(differs("total_charge")) < 1e-12, "%s: the charge is the same", what);
}

static int run_on(int ranks, const char *options)
{
  return command("mpirun -n %d %s run " FILE_NAME " --quiet --device cpu --threads 1 "
                 "--output " AGAIN " %s",
                 ranks, command_wilson(), options);
}

static int alone(size_t i)
{
  command_write(FILE_NAME, cases[i].text);
  return is_int(command("%s run " FILE_NAME
                        " --quiet --device cpu --threads 1 --output " OUT " %s",
                        command_wilson(), options_of(i)),
                0, "%s: one process", cases[i].name);
}

static void compare(size_t i)
{
  char what[160], options[400];
  if (!alone(i)) {
    diag("%.600s", command_err);
    return;
  }
  for (int ranks = 2; ranks <= (command_fast() ? 3 : 5); ranks++) {
    snprintf(what, sizeof what, "%s, %d slabs", cases[i].name, ranks);
    snprintf(options, sizeof options, "%s --set 'divide=\"domains\"'", options_of(i));
    same(what, run_on(ranks, options));
    holds(what, i == WALLS || i == DISCHARGE);
    remove(AGAIN);
  }
}

/* What threads of each process do. */
static void threads(void)
{
  if (alone(DISCHARGE))
    same("two slabs of three threads",
         run_on(2, "--set 'divide=\"domains\"' --threads 3 "
                   "--set 'plasma.solver=\"differences\"'"));
  remove(AGAIN);
}

/* In slices of seven steps: two slabs, one process, three slabs, particles divided by two. */
static void slices(size_t i)
{
  static const struct {
    int ranks;
    const char *divide;
  } turn[] = {{2, "domains"}, {1, "auto"}, {3, "domains"}, {2, "electrons"}};
  int n = 0, status;
  char options[400];
  remove(AGAIN ".ckpt");
  if (!alone(i))
    return;
  do {
    snprintf(options, sizeof options,
             "--restart auto --set checkpoint.step_limit=7 --set 'divide=\"%s\"'",
             turn[n % 4].divide);
    status = run_on(turn[n % 4].ranks, options);
  } while (status == 3 && ++n < 50);
  ok(n >= 5 && !slices_exists(AGAIN ".ckpt"), "in %d slices", n + 1);
  same("slices, by different divisions", status);
  remove(AGAIN);
}

static void refused(void)
{
  static const struct {
    const char *options, *said;
    size_t of;
  } list[] = {{"--set 'plasma.solver=\"spectral\"'", "takes plasma.solver", WALLS}};
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
    char options[200];
    command_write(FILE_NAME, cases[list[i].of].text);
    snprintf(options, sizeof options, "--set 'divide=\"domains\"' %s", list[i].options);
    const int status = run_on(2, options);
    ok(status == 2 && ranks_times(command_err, list[i].said) == 1, "refused: %s",
       list[i].said);
  }
  command_write(FILE_NAME, cases[WALLS].text);
  const int status = run_on(20, "--set 'divide=\"domains\"'");
  ok(status == 2 && ranks_times(command_err, "cannot be divided among 20") == 1,
     "more processes than cells");
}

int main(void)
{
  const size_t n = sizeof cases / sizeof cases[0];
  if (wn_ranks_library() == NULL)
    skip_all("built without MPI");
  ranks_or_skip();
  plan(0);
  for (size_t i = 0; i < n; i++)
    compare(i);
  threads();
  slices(WALLS);
  refused();
  remove(OUT);
  remove(FILE_NAME);
  return done();
}
