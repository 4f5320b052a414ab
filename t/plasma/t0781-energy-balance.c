/* t0781-energy-balance.c - defends: where energy comes from and goes to in a plasma that sources,
 * thermostats, Coulomb collisions, reactions, photons, circuits, walls and a gas drive together
 * (doc/output.md, Energy balances).
 *
 * Of each species with collisions the sums balance to the rounding of velocities, which are
 * floats: 3e-7 of what was turned over.  Each term is so large that
 * the balance fails without it.
 *
 * Of the whole system without a gas: field, particles, circuit, walls and source.  What is left is
 * the error of the scheme with gather = "energy", less than a quarter of
 * it for a quarter of the step, and below a fiftieth of each term but that of Coulomb collisions,
 * which is small here.
 *
 * Threads and a restart change no bit of the first.  Exact identities; fixed seeds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "t/tap/command.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0781.cfg"
#define OUT       "t0781.nc"
#define AGAIN     "t0781-again.nc"
#define LXCAT     "t0781.txt"
#define IONS      "t0781-ions.txt"
#define RULE      "-----------------------------\n"
#define ROWS      1000

/* Made-up cross sections. */
static const char lxcat[] =
    "ELASTIC\nAr\n 1.36e-5\n" RULE " 0 1e-20\n 1000 1e-20\n" RULE
    "IONIZATION\nAr -> Ar^+\n 15.76\n" RULE " 15.76 0\n 100 2.8e-20\n 1000 1e-20\n" RULE
    "ATTACHMENT\nAr -> Ar^-\n" RULE " 0 1e-21\n 1000 1e-21\n" RULE;
static const char ions[] = "SPECIES: Ar^+ / Ar\nPROCESS: Ar+ + Ar -> , Isotropic\n"
                           "PARAM.:  Mi = 39.948, Mi/M = 1, complete set\n" RULE
                           " 0.01 1e-19\n 1000 1e-19\n" RULE;

#define DRIVEN                                                                           \
  "model = \"plasma\"; seed = 3; threads = 1;\n"                                         \
  "walls = { x_low = { field = \"dirichlet\"; amplitude = \"50 V\"; frequency = \"2.5 "  \
  "GHz\"; phase = \"1 rad\"; yield = 1.5;\n"                                             \
  "    capacitance = \"10 nF/m2\"; resistance = \"1 ohm m2\"; inductance = \"0.1 nH "    \
  "m2\"; };\n"                                                                           \
  "  x_high = { field = \"dirichlet\"; yield = 0.7; dielectric_thickness = \"1 mm\"; "   \
  "dielectric_permittivity = 3.0; }; };\n"
#define SOURCES                                                                          \
  "  sources = { k = { species = \"e\"; wall = \"x_low\"; flux = \"1e21 m-2 s-1\"; "     \
  "temperature = \"1 eV\"; energy = \"5 eV\"; };\n"                                      \
  "    v = { species = \"e\"; pair = \"i\"; rate = \"1e24 m-3 s-1\"; temperature = \"2 " \
  "eV\"; pair_temperature = \"1 eV\"; profile = \"cosine\"; }; };\n"                     \
  "  thermostats = { t = { species = \"e\"; temperature = \"2 eV\"; time = \"200 ps\"; " \
  "high = \"2 mm\"; };\n"                                                                \
  "    u = { species = \"i\"; temperature = \"1 eV\"; time = \"200 ps\"; }; };\n"

/* With a gas: ions that move in every step, as a source has them. */
static const char in_gas[] = DRIVEN
    "duration = \"1 ns\"; grid = { cells = [6]; length = \"3 mm\"; };\n"
    "gas = { number_density = \"2e23 m-3\"; temperature = \"3000 K\"; components = "
    "{ Ar = { file = \"" LXCAT "\"; beyond = \"constant\"; }; }; };\n"
    "tables = { energy_max = \"5 keV\"; ion_energy_max = \"5 keV\"; };\n"
    "species = { e = { density = \"2e14 m-3\"; per_cell = 100; temperature = \"20 "
    "eV\"; collisions = \"gas\"; ions = \"i\"; anions = \"n\"; };\n"
    "  i = { density = \"2e14 m-3\"; per_cell = 100; temperature = \"2 eV\"; charge "
    "= 1.0; mass = \"39.948 u\"; collisions = \"gas\"; ion = \"Ar+\"; "
    "cross_sections = \"" IONS "\"; };\n"
    "  n = { density = \"1e14 m-3\"; per_cell = 50; temperature = \"5 eV\"; charge = "
    "-1.0; mass = \"0.1 u\"; }; };\n"
    "reactions = { d = { reactants = [\"n\"]; products = [\"e\"]; rate = \"2e9 "
    "1/s\"; energy = \"3 eV\"; };\n"
    "  r = { reactants = [\"e\", \"i\"]; rate_constant = \"1e-5 m3/s\"; }; };\n"
    "plasma = { time_step = \"20 ps\"; integrals_interval = \"step\"; allow = "
    "[\"cell-crossing\", \"debye-length\"];\n" SOURCES
    "  coulomb = { ee = { species = [\"e\"]; logarithm = 1000.0; };\n"
    "    ei = { species = [\"e\", \"i\"]; logarithm = 1000.0; interval = 3; "
    "conserve = \"cell\"; method = \"perez\"; };\n"
    "    en = { species = [\"e\", \"n\"]; logarithm = 1000.0; }; };\n"
    "  photoionization = { ions = \"i\"; oxygen_pressure = \"100 kPa\"; efficiency = "
    "10.0; quenching_pressure = \"1e9 Pa\"; energy = \"7 eV\"; }; };\n";

/* Without one.  %s: the step. */
static const char whole[] = DRIVEN
    "duration = \"1 ns\"; grid = { cells = [12]; length = \"3 mm\"; };\n"
    "species = { e = { density = \"1e15 m-3\"; per_cell = 40; temperature = \"4 "
    "eV\"; };\n"
    "  i = { density = \"1e15 m-3\"; per_cell = 40; temperature = \"4 eV\"; charge "
    "= 1.0; mass = \"0.05 u\"; };\n"
    "  n = { density = \"5e14 m-3\"; per_cell = 5; temperature = \"0.2 eV\"; charge = "
    "-1.0; mass = \"0.1 u\"; }; };\n"
    "plasma = { time_step = \"%s\"; gather = \"energy\"; integrals_interval = "
    "\"step\"; allow = [\"cell-crossing\", \"debye-length\"];\n" SOURCES
    "  coulomb = { en = { species = [\"e\", \"n\"]; logarithm = 1000.0; }; }; };\n";

/* Of a variable [time][n], or of the sum over its columns; 0 where the file has none.  mean: over both
 * ends of a step, 0 at the start, else at the end. */
static void add(double *to, const char *name, double sign, long column, int mean)
{
  size_t all, rows;
  free(command_nc_read(OUT, "time", &rows));
  double *v = command_nc_read(OUT, name, &all), before = 0.0;
  if (v == NULL)
    return;
  const size_t n = all / rows;
  for (size_t i = 0; i < rows; i++) {
    double at = 0.0;
    for (size_t k = 0; k < n; k++)
      at += column < 0 || column == (long)k ? v[n * i + k] : 0.0;
    to[i] += sign * (mean ? 0.5 * (before + at) : at);
    before = at;
  }
  free(v);
}

static const struct {
  const char *name;
  double sign; /* of what a species gains */
} gains[] = {{"field_work", 1.0},     {"collision_energy", -1.0}, {"wall_energy", -1.0},
             {"created_energy", 1.0}, {"thermostat_energy", 1.0}, {"coulomb_energy", 1.0},
             {"reaction_energy", 1.0}};
#define N_GAINS (sizeof gains / sizeof gains[0])

/* The greatest distance from the first. */
static double change(const double *v, size_t n)
{
  double most = 0.0;
  for (size_t i = 0; i < n; i++)
    most = fmax(most, fabs(v[i] - v[0]));
  return most;
}

static size_t run(const char *text)
{
  size_t n = 0;
  is_int(command_run(FILE_NAME, text, "", OUT, ""), 0, "a run");
  free(command_nc_read(OUT, "time", &n));
  return n;
}

static void of_species(void)
{
  static const char *const names[] = {"electrons", "ions"};
  const size_t n = run(in_gas);
  is_int(n, 50, "each step has a row");
  for (long k = 0; k < 2 && n == 50; k++) {
    double rest[ROWS] = {0}, turned = 0.0, part[N_GAINS];
    add(rest, "kinetic_energy", 1.0, k, 0);
    for (size_t i = 0; i < N_GAINS; i++) {
      double v[ROWS] = {0};
      add(rest, gains[i].name, -gains[i].sign, k, 1);
      add(v, gains[i].name, 1.0, k, 0);
      part[i] = change(v, n);
      turned = fmax(turned, part[i]);
    }
    ok(change(rest, n) < 3e-7 * turned, "energies of %s balance: off by %.2g", names[k],
       change(rest, n) / turned);
    for (size_t i = 0; i < N_GAINS; i++)
      ok(part[i] > 30.0 * change(rest, n), "%s of %s: %.2g", gains[i].name, names[k],
         part[i] / turned);
  }
  static const char *const options[] = {"--threads 3", "--threads 1"};
  command_write(FILE_NAME, in_gas);
  slices_are("with all of these", FILE_NAME, AGAIN, OUT, 17, 2, 2, options);
  remove(FILE_NAME);
  remove(OUT);
}

/* Returns what is left; of the terms of the shortest step. */
static double of_all(const char *step, int is_last)
{
  static const struct {
    const char *name;
    double sign;
  } more[] = {{"source_energy", -1.0},
              {"resistor_energy", 1.0},
              {"circuit_energy", 1.0},
              {"field_energy", 1.0}};
  char text[8192];
  double rest[ROWS] = {0};
  snprintf(text, sizeof text, whole, step);
  const size_t n = run(text);
  if (!ok(n > 0 && n <= ROWS, "%zu rows", n))
    return NAN;
  add(rest, "kinetic_energy", 1.0, -1, 0);
  for (size_t i = 1; i < N_GAINS; i++)
    add(rest, gains[i].name, -gains[i].sign, -1, 1);
  for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
    add(rest, more[i].name, more[i].sign, -1, 0);
  const double left = change(rest, n);
  for (size_t i = 1; is_last && i < N_GAINS + 3; i++) {
    const char *name = i < N_GAINS ? gains[i].name : more[i - N_GAINS].name;
    double v[ROWS] = {0};
    add(v, name, 1.0, -1, 0);
    if (strcmp(name, "collision_energy") != 0 && strcmp(name, "reaction_energy") != 0 &&
        strcmp(name, "coulomb_energy") != 0)
      ok(left < 0.02 * change(v, n), "what is left is %.2g of %s", left / change(v, n),
         name);
  }
  remove(OUT);
  return left;
}

int main(void)
{
  plan(0);
  command_write(LXCAT, lxcat);
  command_write(IONS, ions);
  of_species();
  const double left[] = {of_all("20 ps", 0), of_all("5 ps", 1)};
  ok(left[1] < left[0] / 4.0, "a quarter of the step leaves %.3f of the error",
     left[1] / left[0]);
  remove(LXCAT);
  remove(IONS);
  return done();
}
