/* t/tap/domains.c - see domains.h. */
#include "t/tap/domains.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/ranks.h"
#include "t/tap/runs.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define OUT   "domains.nc"
#define AGAIN "domains-again.nc"

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
    {"3-D, cic, walls of different voltages along x and z",
     "model = \"plasma\"; duration = \"0.4 ns\"; grid = { cells = [5, 6, 11];\n"
     "  length = [\"0.5 cm\", \"0.6 cm\", \"1 cm\"]; };\n"
     "walls = { x_low = { field = \"dirichlet\"; voltage = \"20 V\"; };\n"
     "  x_high = { field = \"dirichlet\"; voltage = \"-30 V\"; };\n"
     "  z_low = { field = \"dirichlet\"; }; z_high = { field = \"dirichlet\";\n"
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
static const char *options_of(int i)
{
  return i == DOMAINS_DISCHARGE ? "--set 'plasma.solver=\"differences\"'" : "";
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
  /* by differences: what is left of it are roundings of phi */
  const double left = largest(AGAIN, "gauss_error"),
               charge = WN_E * largest(AGAIN, "particles");
  ok(left <= 1e-9 * charge, "%s: Gauss's law, but for %.2g of %.2g C", what, left,
     charge);
  if (has_charge)
    ok(fabs(differs("total_charge")) < 1e-12, "%s: the charge is the same", what);
}

static int run_on(const char *device, int ranks, const char *options)
{
  return command("mpirun -n %d %s run " DOMAINS_CFG " --quiet --device %s --threads 1 "
                 "--output " AGAIN " %s",
                 ranks, command_wilson(), device, options);
}

static int alone(const char *device, int i, const char *options)
{
  command_write(DOMAINS_CFG, cases[i].text);
  const int right =
      is_int(command("%s run " DOMAINS_CFG
                     " --quiet --device %s --threads 1 --output " OUT " %s %s",
                     command_wilson(), device, options_of(i), options),
             0, "%s: one process", cases[i].name);
  if (!right)
    diag("%.600s", command_err);
  return right;
}

void domains_compare(const char *device, int first, int most)
{
  char what[160], options[400];
  for (int i = first; i < DOMAINS_N; i++) {
    if (!alone(device, i, ""))
      continue;
    /* Two, and in turn one of the other numbers; WN_FAST=1: one of them, WN_LONG=2: all. */
    const int extra = most > 2 ? most - i % (most - 2) : 2;
    for (int ranks = 2; ranks <= most; ranks++) {
      const int left_out = command_fast() ? i % 2 : 0;
      if (command_long() < 2 && (ranks == 2 ? left_out && most > 2 : ranks != extra))
        continue;
      if (command_fast() && ranks > 2 && !left_out)
        continue;
      snprintf(what, sizeof what, "%s, %d slabs", cases[i].name, ranks);
      snprintf(options, sizeof options, "%s --set 'divide=\"domains\"'", options_of(i));
      same(what, run_on(device, ranks, options));
      holds(what, i == DOMAINS_WALLS || i == DOMAINS_DISCHARGE);
      remove(AGAIN);
    }
  }
}

void domains_one(const char *device, int i, const char *what, const char *options)
{
  char all[400];
  snprintf(all, sizeof all, "%s --set 'divide=\"domains\"' %s", options_of(i), options);
  if (alone(device, i, options))
    same(what, run_on(device, 2, all));
  remove(AGAIN);
}

/* In slices of seven steps: two slabs, one process, three slabs, particles divided by two. */
void domains_slices(const char *device, int i)
{
  static const struct {
    int ranks;
    const char *divide;
  } turn[] = {{2, "domains"}, {1, "auto"}, {3, "domains"}, {2, "electrons"}};
  int n = 0, status;
  char options[400];
  remove(AGAIN ".ckpt");
  if (!alone(device, i, ""))
    return;
  do {
    snprintf(options, sizeof options,
             "%s --restart auto --set checkpoint.step_limit=7 --set 'divide=\"%s\"'",
             options_of(i), turn[n % 4].divide);
    status = run_on(device, turn[n % 4].ranks, options);
  } while (status == 3 && ++n < 50);
  ok(n >= 4 && !slices_exists(AGAIN ".ckpt"), "in %d slices", n + 1);
  same("slices, by different divisions", status);
  remove(AGAIN);
}

void domains_refused(const char *device, int i, int ranks, const char *options,
                     const char *said)
{
  char all[400];
  command_write(DOMAINS_CFG, cases[i].text);
  snprintf(all, sizeof all, "--set 'divide=\"domains\"' %s", options);
  const int status = run_on(device, ranks, all);
  if (!ok(status == 2 && ranks_times(command_err, said) == 1, "refused: %s", said))
    diag("exit status %d; %.600s", status, command_err);
}

void domains_clean(void)
{
  remove(OUT);
  remove(DOMAINS_CFG);
}
