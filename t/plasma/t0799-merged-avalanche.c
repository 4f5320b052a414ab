/* t0799-merged-avalanche.c - defends: an avalanche in air between two walls is the same, within the
 * scatter over seeds, whether its macroparticles of electrons and ions are merged (and split) or not:
 * number of electrons, mean energy, electrons born, width.  The file has the ledger: charge,
 * momentum and energy of what was merged, before and after; numbers of particles balance.
 *
 * Reference: the same avalanche without merging.  SEEDS runs each; Student's t of 10
 * degrees of freedom is beyond 6.2 once in 1e4 comparisons, of which there are 9. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define OUT   "t0799.nc"
#define SEEDS 6
#define T     6.2

/* data/scenarios/avalanche-air.cfg on a coarser grid, for 120 ps. */
static const char avalanche[] =
    "model = \"plasma\"; duration = \"120 ps\"; threads = 1;\n"
    "grid = { cells = [64, 32]; length = [\"0.4 mm\", \"0.2 mm\"]; };\n"
    "walls = { x_low = { field = \"dirichlet\"; };\n"
    "  x_high = { field = \"dirichlet\"; voltage = \"3.38006 kV\"; }; };\n"
    "gas = { pressure = \"1 bar\"; components = { N2 = { fraction = 0.8; file = "
    "\"builtin:air\"; }; O2 = { fraction = 0.2; file = \"builtin:air\"; }; }; };\n"
    "species = { electrons = { density = \"3e17 m-3\"; per_cell = 64; temperature = "
    "\"5.2 "
    "eV\"; loading = \"random\"; profile = \"gaussian\"; centre = [\"0.1 mm\", \"0.1 "
    "mm\"]; width = [\"10 um\", \"10 um\"]; collisions = \"gas\"; ions = \"ions\"; "
    "anions "
    "= \"anions\"; };\n"
    "  ions = { density = \"3e17 m-3\"; per_cell = 64; charge = 1.0; mass = \"29 u\"; "
    "mobile = false; loading = \"random\"; profile = \"gaussian\"; centre = [\"0.1 mm\", "
    "\"0.1 mm\"]; width = [\"10 um\", \"10 um\"]; };\n"
    "  anions = { density = \"0 m-3\"; mass = \"16 u\"; mobile = false; }; };\n";

static const char *const plasma[] = {
    "plasma = { time_step = \"1 ps\"; };\n",
    "plasma = { time_step = \"1 ps\"; merging = {\n"
    "  e = { species = \"electrons\"; per_cell_most = 40; per_cell_least = 12; "
    "energy_classes = [\"15 eV\"]; protected_energy = \"60 eV\"; interval = 4; };\n"
    "  i = { species = \"ions\"; per_cell_most = 40; interval = 12; }; }; };\n",
    "plasma = { time_step = \"1 ps\"; merging = {\n"
    "  e = { species = \"electrons\"; per_cell_most = 40; method = \"two\"; interval = "
    "4; "
    "energy_classes = [\"15 eV\"]; protected_energy = \"60 eV\"; }; }; };\n",
    "plasma = { time_step = \"1 ps\"; merging = {\n"
    "  e = { species = \"electrons\"; per_cell_most = 40; per_cell_least = 1; "
    "least_weight = 0.5; energy_classes = [\"15 eV\"]; protected_energy = \"60 eV\"; "
    "interval = 4; weight_fields = [\"8.3 MV/m\", \"8.7 MV/m\"]; weight_limits = [20.0, "
    "1.5]; }; }; };\n"};
static const char *const names[] = {"not merged", "by weights", "two of four",
                                    "with limits of weights"};
#define KINDS 4

enum { NUMBER, ENERGY, BORN, QUANTITIES };
static const char *const quantities[] = {"electrons", "mean energy, eV", "born"};

static double *read(const char *name, size_t *n)
{
  double *v = command_nc_read(OUT, name, n);
  if (v == NULL) {
    printf("Bail out! no %s in " OUT "\n", name);
    exit(1);
  }
  return v;
}

/* The last row of a variable of species electrons, ions, anions, of `width` numbers each. */
static double last(const char *name, size_t width, size_t i)
{
  size_t n;
  double *v = read(name, &n), x = v[n - 3 * width + i];
  free(v);
  return x;
}

/* What one run says of itself: charge, energy, momentum and numbers. */
static void ledger(int kind, int seed)
{
  const double weight = last("merged_particles", 1, 0), left = last("merging_left", 1, 0),
               before = last("merging_energy_before", 1, 0),
               after = last("merging_energy_after", 1, 0),
               gained = last("merging_energy", 1, 0),
               in = last("merged_macroparticles", 1, 0),
               out = last("merging_macroparticles", 1, 0),
               passes = last("merging_passes", 1, 0);
  ok(weight > 0.0 && in > out && passes == 30.0 && left < 0.01 * in,
     "%s, seed %d: %g macroparticles became %g in %g passes, %g groups left", names[kind],
     seed, in, out, passes, left);
  ok(before > 0.0 && fabs(after - before) < 1e-8 * before &&
         fabs(gained - (after - before)) < 1e-3 * fabs(after - before) + 1e-15 * before,
     "%s, seed %d: energy before and after to %.2g", names[kind], seed,
     after / before - 1.0);
  double p = 0.0, change = 0.0;
  for (size_t d = 0; d < 3; d++) {
    p = fmax(p, fabs(last("merging_momentum_before", 3, d)));
    change = fmax(change, fabs(last("merging_momentum_after", 3, d) -
                               last("merging_momentum_before", 3, d)));
  }
  ok(p > 0.0 && change < 1e-8 * p, "%s, seed %d: momentum to %.2g", names[kind], seed,
     change / p);
  double sum[3];
  for (size_t k = 0; k < 3; k++) {
    size_t n;
    double *v = read("particles", &n);
    sum[k] = v[n - 3 + k];
    free(v);
  }
  size_t n;
  double *charge = read("total_charge", &n);
  const double e = WN_E * (sum[1] + sum[0]);
  ok(fabs(charge[n - 1] - charge[0]) < 1e-12 * e,
     "%s, seed %d: the charge stays, as electrons and ions come in pairs", names[kind],
     seed);
  free(charge);
}

int main(void)
{
  double mean[KINDS][QUANTITIES] = {{0}}, square[KINDS][QUANTITIES] = {{0}};
  plan(0);
  for (int kind = 0; kind < KINDS; kind++)
    for (int seed = 1; seed <= SEEDS; seed++) {
      char text[4096];
      snprintf(text, sizeof text, "%s%sseed = %d;\n", avalanche, plasma[kind],
               100 * kind + seed);
      command_write("t0799.cfg", text);
      const int status =
          command("%s run t0799.cfg --quiet --output " OUT, command_wilson());
      remove("t0799.cfg");
      if (status != 0) {
        diag("%.500s", command_err);
        ok(0, "%s, seed %d runs", names[kind], seed);
        continue;
      }
      const double number = last("particles", 1, 0),
                   x[QUANTITIES] = {number, last("kinetic_energy", 1, 0) / number / WN_E,
                                    last("born_particles", 1, 1)};
      for (int q = 0; q < QUANTITIES; q++) {
        mean[kind][q] += x[q] / SEEDS;
        square[kind][q] += x[q] * x[q] / SEEDS;
      }
      if (kind > 0 && seed == 1)
        ledger(kind, seed);
      remove(OUT);
    }
  for (int kind = 1; kind < KINDS; kind++)
    for (int q = 0; q < QUANTITIES; q++) {
      double error2 = 0.0, each[2];
      for (int i = 0; i < 2; i++) {
        const int k = i == 0 ? 0 : kind;
        each[i] = fmax(square[k][q] - mean[k][q] * mean[k][q], 0.0) / (SEEDS - 1);
        error2 += each[i];
      }
      ok(fabs(mean[kind][q] - mean[0][q]) < T * sqrt(error2) &&
             sqrt(error2) < 0.03 * mean[0][q],
         "%s: %s %.4g(%.2g), not merged %.4g(%.2g): %.2g standard errors", names[kind],
         quantities[q], mean[kind][q], sqrt(each[1]), mean[0][q], sqrt(each[0]),
         (mean[kind][q] - mean[0][q]) / sqrt(error2));
    }
  return done();
}
