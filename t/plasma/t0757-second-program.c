/* t0757-second-program.c - defends: a discharge between two plates, with everything that the
 * helium benchmark of Turner et al. (Phys. Plasmas 20, 013507, 2013) has, is the same in
 * Wilson and in a second program that shares no code with it (plain_discharge.h): densities
 * at each node, mean energies, ionizations, ions at the plates and the work of the field.
 * The second program is of second order in the step here (plain_wrong.accurate).  As in
 * textbooks, with one candidate for a collision at most, at the end of the way, it has too
 * few collisions (doc/plasma.md), and the last check shows it.  Long: with WN_LONG=2; t0740 to t0770 have its parts.
 *
 * Ions are light, so that they are soon where they belong.  Eight seeds of either program;
 * the sum of squares of the differences of their means, each over its variance in all 16
 * runs, is compared with that of every other way to divide the 16 runs into two halves.  If
 * the programs give the same, each of them is as probable to be the highest: a false alarm
 * of four checks is at most 4/1000.  Other readings of the benchmark are seen. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "t/plasma/plain_tables.h"
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0757.cfg"
#define GAS_FILE  "t0757-he.txt"
#define ION_FILE  "t0757-ions.txt"
#define OUT       "t0757.nc"

enum {
  CELLS = 48,
  NODES = CELLS + 1,
  STEPS = 400,
  WINDOW = 15, /* periods of the means, the last */
  RUNS = 8,
  SCALARS = 4,
  VALUES = 3 * NODES + SCALARS
};
/* Of a run: ions and electrons at the nodes, mean energies of electrons there, then
 * ionizations, ions at both plates, work on electrons and on ions; each from `first`. */
static const struct part {
  const char *name;
  int first, n;
} parts[] = {{"ions at the nodes", 0, NODES},
             {"electrons at the nodes", NODES, NODES},
             {"mean energies in the middle half", 2 * NODES + CELLS / 4, CELLS / 2 + 1},
             {"ionizations, ions at the plates, work on both", 3 * NODES, SCALARS}};
enum { PARTS = sizeof parts / sizeof parts[0] };

static const int periods = 40, per_cell = 40;
static const double gas_m3 = 4e21, length_m = 0.05, volts = 300.0, hertz = 13.56e6,
                    plasma_m3 = 4e14, ion_kg = 0.25 * 1.66053906660e-27;

/* Shapes that resemble helium's. */
static double shape(int process, double e)
{
  switch (process) {
  case PLAIN_ELASTIC:
    return 6.5e-20 / (1.0 + e / 25.0);
  case PLAIN_EXCITATION_1:
    return e > 19.8 ? 5e-22 * (1.0 - 19.8 / e) * 60.0 / (30.0 + e) : 0.0;
  case PLAIN_EXCITATION_2:
    return e > 20.6 ? 1.5e-21 * (1.0 - 20.6 / e) : 0.0;
  case PLAIN_IONIZATION:
    return e > 24.6 ? 5.5e-21 * (1.0 - 24.6 / e) * 200.0 / (200.0 + e) : 0.0;
  case PLAIN_ISOTROPIC:
    return 7.6e-20 / sqrt(fmax(e, 1e-4));
  default:
    return 2.2e-19 * pow(1.0 + e / 3.0, -0.2);
  }
}

static void rows(FILE *f, int process, double loss)
{
  fprintf(f, "-----\n%.9g %.9g\n", loss, shape(process, loss));
  for (double e = 1e-4; e < 1000.0; e *= 1.06)
    if (e > 1.0001 * loss)
      fprintf(f, "%.9g %.9g\n", e, shape(process, e));
  fprintf(f, "-----\n\n");
}

static void tables(struct plain_table *table)
{
  FILE *f = fopen(GAS_FILE, "w");
  if (f == NULL)
    abort();
  fprintf(f, "ELASTIC\nHe\n%.9e\n", plain_me / ion_kg);
  rows(f, PLAIN_ELASTIC, 0.0);
  fprintf(f, "EXCITATION\nHe -> He(a)\n19.8\n");
  rows(f, PLAIN_EXCITATION_1, 19.8);
  fprintf(f, "EXCITATION\nHe -> He(b)\n20.6\n");
  rows(f, PLAIN_EXCITATION_2, 20.6);
  fprintf(f, "IONIZATION\nHe -> He^+\n24.6\n");
  rows(f, PLAIN_IONIZATION, 24.6);
  fclose(f);
  f = fopen(ION_FILE, "w");
  if (f == NULL)
    abort();
  for (int k = PLAIN_ISOTROPIC; k < PLAIN_PROCESSES; k++) {
    fprintf(
        f,
        "SPECIES: He^+ / He\nPROCESS: He+ + He -> , %s\nPARAM.:  Mi = 0.25, Mi/M = 1\n",
        k == PLAIN_ISOTROPIC ? "Isotropic" : "Backscat");
    rows(f, k, 0.0);
  }
  fclose(f);
  const int electrons = plain_read(GAS_FILE, table), ions = plain_read(ION_FILE, table);
  is_int(electrons * 10 + ions, 42, "the second program reads the same tables");
}

static void scenario(void)
{
  char text[4096];
  const double period = 1.0 / hertz;
  snprintf(
      text, sizeof text,
      "model = \"plasma\"; threads = 1; output = \"" OUT "\"; duration = \"%.12g ps\";\n"
      "grid = { cells = [%d]; length = [\"%.9g m\"]; };\n"
      "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; "
      "amplitude = \"%.9g V\"; frequency = \"%.9g Hz\"; }; };\n"
      "gas = { number_density = \"%.9g m-3\"; temperature = \"300 K\"; components = { He "
      "= "
      "{ file = \"" GAS_FILE "\"; }; }; };\n"
      "scattering = \"isotropic\"; sharing = \"equal\"; tables = { energy_max = \"900 "
      "eV\"; };\n"
      "species = { e = { density = \"%.9g m-3\"; per_cell = %d; temperature = \"3 eV\"; "
      "loading = \"random\"; collisions = \"gas\"; ions = \"i\"; };\n"
      " i = { density = \"%.9g m-3\"; per_cell = %d; temperature = \"25.852 meV\"; "
      "loading "
      "= \"random\"; charge = 1.0; mass = \"%.12g u\"; collisions = \"gas\"; "
      "cross_sections = \"" ION_FILE "\"; }; };\n"
      "plasma = { time_step = \"%.12g ps\"; allow = [\"cell-crossing\"]; averages = { w "
      "= { "
      "periods = %d; every = 4; }; }; };\n",
      periods * period * 1e12, CELLS, length_m, volts, hertz, gas_m3, plasma_m3, per_cell,
      plasma_m3, per_cell, 0.25, period / STEPS * 1e12, WINDOW);
  command_write(FILE_NAME, text);
}

static void copy_in(double *to, const char *name)
{
  size_t n = 0;
  double *a = command_nc_read(OUT, name, &n);
  for (int k = 0; k < NODES; k++)
    to[k] = a != NULL && n == NODES ? a[k] : NAN;
  free(a);
}

/* What a cumulative output of `stride` numbers a step has grown by during the window. */
static double grown(const char *name, int stride, int at)
{
  const int end = periods * STEPS, begin = end - WINDOW * STEPS;
  size_t n = 0;
  double *a = command_nc_read(OUT, name, &n), d = NAN;
  if (a != NULL && n == (size_t)end * (size_t)stride)
    d = a[(end - 1) * stride + at] - a[(begin - 1) * stride + at];
  free(a);
  return d;
}

/* One run of Wilson. */
static int wilson(int seed, double v[VALUES])
{
  if (command("%s run " FILE_NAME " --device cpu --quiet --set seed=%d", command_wilson(),
              seed) != 0) {
    diag("%s", command_err);
    return 0;
  }
  copy_in(v, "average_w_density_i");
  copy_in(v + NODES, "average_w_density_e");
  copy_in(v + 2 * NODES, "average_w_mean_energy_e");
  double *s = v + 3 * NODES;
  s[0] = grown("born_particles", 2, 1);
  s[1] = grown("wall_particles", 12, 6) + grown("wall_particles", 12, 7);
  s[2] = grown("field_work", 2, 0);
  s[3] = grown("field_work", 2, 1);
  remove(OUT);
  return 1;
}

/* One run of the second program. */
static void plain(const struct plain_spec *spec, int seed, double v[VALUES])
{
  struct plain_spec with = *spec;
  with.seed = (uint64_t)seed;
  struct plain *d = plain_create(&with);
  for (int p = 0; p < periods; p++) {
    if (p == periods - WINDOW)
      plain_begin_sums(d);
    for (int k = 0; k < STEPS; k++)
      plain_step(d, 4);
  }
  for (int k = 0; k < NODES; k++) {
    v[k] = plain_density(d, d->sums.ions, k);
    v[NODES + k] = plain_density(d, d->sums.electrons, k);
    v[2 * NODES + k] = d->sums.energy_ev[k] / d->sums.count[k];
  }
  double *s = v + 3 * NODES;
  s[0] = (double)d->sums.events[PLAIN_IONIZATION] * d->weight;
  s[1] = (double)(d->sums.wall[1][0] + d->sums.wall[1][1]) * d->weight;
  s[2] = plain_q * d->sums.work_ev[0] * d->weight;
  s[3] = plain_q * d->sums.work_ev[1] * d->weight;
  plain_free(d);
}

/* The part of all divisions of 2 RUNS runs into halves whose means differ by at least as
 * much as those of the first and the last RUNS, by the sum of squares over `of`. */
static double chance(double (*run)[VALUES], const struct part *of)
{
  double observed = -1.0;
  long as_much = 0, all = 0;
  /* bit i: run i is in the first half; run 0 always, as the halves have no order */
  for (unsigned half = 1; half < 1u << (2 * RUNS); half += 2) {
    int n = 0;
    for (int i = 0; i < 2 * RUNS; i++)
      n += (int)(half >> i & 1u);
    if (n != RUNS)
      continue;
    double sum = 0.0;
    for (int k = of->first; k < of->first + of->n; k++) {
      double difference = 0.0, mean = 0.0, square = 0.0;
      for (int i = 0; i < 2 * RUNS; i++) {
        difference += half >> i & 1u ? run[i][k] : -run[i][k];
        mean += run[i][k] / (2 * RUNS);
      }
      for (int i = 0; i < 2 * RUNS; i++)
        square += (run[i][k] - mean) * (run[i][k] - mean);
      sum += difference * difference / square;
    }
    if (!isfinite(sum))
      return NAN; /* neither the same nor different: no check passes */
    observed = observed < 0.0 ? sum : observed; /* the lowest mask is the first RUNS */
    as_much += sum >= observed * (1.0 - 1e-12);
    all++;
  }
  return (double)as_much / (double)all;
}

static double mean_of(double (*run)[VALUES], int value)
{
  double sum = 0.0;
  for (int i = 0; i < RUNS; i++)
    sum += run[i][value] / RUNS;
  return sum;
}

/* run [2 RUNS]: Wilson's, then those of the second program. */
static void compare(double (*run)[VALUES], const char *with, double p[PARTS])
{
  static const int shown[] = {CELLS / 2,    NODES + CELLS / 2, 2 * NODES + CELLS / 2,
                              3 * NODES,    3 * NODES + 1,     3 * NODES + 2,
                              3 * NODES + 3};
  char line[400] = "";
  for (size_t k = 0; k < sizeof shown / sizeof shown[0]; k++) {
    const size_t n = strlen(line);
    snprintf(line + n, sizeof line - n, " %.4f",
             mean_of(run, shown[k]) / mean_of(run + RUNS, shown[k]));
  }
  diag("Wilson over the second program%s: ions, electrons, their energy in the middle, "
       "ionizations, ions at plates, work:%s",
       with, line);
  for (int k = 0; k < PARTS; k++)
    p[k] = chance(run, &parts[k]);
}

int main(void)
{
  static double run[2 * RUNS][VALUES];
  struct plain_spec spec = {.gas_m3 = gas_m3,
                            .gas_k = 300.0,
                            .length_m = length_m,
                            .volts = volts,
                            .hertz = hertz,
                            .plasma_m3 = plasma_m3,
                            .electron_k = 3.0 * 11604.518,
                            .ion_k = 300.0,
                            .ion_kg = ion_kg,
                            .cells = CELLS,
                            .steps = STEPS,
                            .bound_ev = 900.0};
  static const struct {
    const char *name;
    struct plain_wrong wrong;
    int part; /* of `parts` that shows it */
  } reading[] = {
      {" with the ion's energy in its tables", {.accurate = 1, .lab_energy = 1}, 0},
      {" with one candidate at most", {.accurate = 0}, 1}};
  /* Wilson has no part in these: they show what the comparison sees */
  const int readings = sizeof reading / sizeof reading[0];
  double p[PARTS];
  if (command_long() < 2)
    skip_all("WN_LONG=2 runs it, some 15 s of processor time");
  plan(0);
  spec.per_cell = per_cell;
  tables(spec.table);
  scenario();
  int runs = 0;
  for (int i = 0; i < RUNS; i++)
    runs += wilson(1 + i, run[i]);
  is_int(runs, RUNS, "runs of Wilson");
  spec.wrong = (struct plain_wrong){.accurate = 1};
  for (int i = 0; i < RUNS; i++)
    plain(&spec, 101 + i, run[RUNS + i]);
  compare(run, "", p);
  for (int k = 0; k < PARTS; k++)
    ok(p[k] >= 1e-3, "the same %s (p = %.4f)", parts[k].name, p[k]);
  for (int j = 0; j < readings; j++) {
    spec.wrong = reading[j].wrong;
    for (int i = 0; i < RUNS; i++)
      plain(&spec, 201 + i, run[RUNS + i]);
    compare(run, reading[j].name, p);
    ok(p[reading[j].part] < 1e-3, "other %s%s (p = %.4f)", parts[reading[j].part].name,
       reading[j].name, p[reading[j].part]);
  }
  plain_free_tables(spec.table);
  remove(FILE_NAME);
  remove(GAS_FILE);
  remove(ION_FILE);
  return done();
}
