/* t0780-pairs.c - defends: parts of a plasma scenario together.  Each two of them either run or are refused with
 * the key and what is allowed: sources at a wall and inside, thermostats, circuits, a floating wall, Coulomb
 * collisions, reactions of one and of two particles, electrons and ions that collide with a gas, followed
 * densities, photoionization, test electrons, secondary electrons for ions and for electrons, an electrode that emits both, weights, a magnetic field,
 * relativistic motion, two and three dimensions, other shapes and solvers, a mirror, sparse grids, averages, rates,
 * power, distributions, maps, subcycled electrons, immobile ions.  A run of two has the same bits with three threads in slices of seven steps;
 * particles, walls, births and reactions add up to the last one; charges of walls in circuits and Gauss's law
 * to rounding.  Reference: the undisturbed run of one thread, and these sums.
 *
 * By default each part with the next two; WN_LONG=2 each with each, and on two processes, too.
 *
 * Thresholds: bits and numbers of particles none; charges 1e-9 of the largest. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "t/tap/command.h"
#include "t/tap/ranks.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0780.cfg"
#define OUT       "t0780.nc"
#define AGAIN     "t0780-again.nc"
#define RULE      "-----------------------------\n"
#define E_CHARGE  1.602176634e-19

static const char scene[] =
    "model = \"plasma\"; duration = \"0.4 ns\"; seed = 3;\n"
    "grid = { cells = [8]; length = [\"3 mm\"]; };\n"
    "walls = { x_low = { field = \"dirichlet\"; amplitude = \"400 V\"; frequency = "
    "\"2.5 GHz\"; phase = \"1 rad\"; }; x_high = { field = \"dirichlet\"; }; };\n"
    "species = { e = { density = \"2e14 m-3\"; per_cell = 16; temperature = \"20 eV\"; "
    "};\n"
    " i = { density = \"2e14 m-3\"; per_cell = 16; temperature = \"20 eV\"; charge = "
    "1.0; "
    "mass = \"0.05 u\"; };\n"
    " n = { density = \"1e14 m-3\"; per_cell = 8; temperature = \"5 eV\"; charge = -1.0; "
    "mass = \"0.1 u\"; }; };\n"
    "plasma = { time_step = \"20 ps\"; integrals_interval = \"40 ps\"; allow = "
    "[\"cell-crossing\", \"debye-length\", \"plasma-frequency\"]; };\n";

#define SET(text)    " --set '" text "'"
#define SOURCE(text) SET("plasma.sources." text)
#define GAS                                                                              \
  SET("gas.number_density=\"2e23 m-3\"")                                                 \
  SET("gas.temperature=\"300 K\"")                                                       \
  SET("gas.components.Ar.fraction=0.98")                                                 \
  SET("gas.components.Ar.file=\"t0780-ar.txt\"")                                         \
  SET("gas.components.Ar.beyond=\"constant\"")                                           \
  SET("gas.components.Arm.fraction=0.02")                                                \
  SET("gas.components.Arm.file=\"t0780-ar.txt\"")                                        \
  SET("gas.components.Arm.target=\"Ar*\"")                                               \
  SET("gas.components.Arm.beyond=\"constant\"")                                          \
  SET("gas.components.Arm.ions=false")                                                   \
  SET("tables.energy_max=\"5 keV\"")
#define COLLIDE                                                                          \
  GAS SET("species.e.collisions=\"gas\"") SET("species.e.ions=\"i\"")                    \
      SET("species.e.anions=\"n\"")
#define AVERAGE                                                                          \
  SET("plasma.averages.last.start=\"0 s\"")                                              \
  SET("plasma.averages.last.length=\"0.4 ns\"") SET("plasma.averages.last.blocks=4")

enum { REACTS_1 = 1, REACTS_2 = 2, SPECTRAL = 4 };

static const struct part {
  const char *name, *options;
  int is;
} parts[] = {
    {"cathode",
     SOURCE("k.species=\"e\"") SOURCE("k.wall=\"x_low\"")
         SOURCE("k.flux=\"1e21 m-2 s-1\"") SOURCE("k.temperature=\"1 eV\"")
             SOURCE("k.energy=\"5 eV\""),
     0},
    {"pairs inside",
     SOURCE("v.species=\"e\"") SOURCE("v.pair=\"i\"") SOURCE("v.rate=\"1e24 m-3 s-1\"")
         SOURCE("v.temperature=\"2 eV\"") SOURCE("v.pair_temperature=\"1 eV\"")
             SOURCE("v.profile=\"cosine\""),
     0},
    {"thermostats",
     SET("plasma.thermostats.t.species=\"e\"") SET("plasma.thermostats.t.temperature=\"2 "
                                                   "eV\"")
         SET("plasma.thermostats.t.time=\"100 ps\"")
             SET("plasma.thermostats.u.species=\"i\"")
                 SET("plasma.thermostats.u.temperature=\"1 eV\"")
                     SET("plasma.thermostats.u.time=\"100 ps\""),
     0},
    {"a circuit",
     SET("walls.x_low.capacitance=\"10 nF/m2\"") SET(
         "walls.x_low.resistance=\"1 ohm m2\"") SET("walls.x_low.inductance=\"10 nH m2\"")
         SET("walls.x_low.harmonics=[\"50 V\", \"0\", \"20 V\"]"),
     0},
    {"a dielectric",
     SET("walls.x_low.dielectric_thickness=\"1 mm\"")
         SET("walls.x_low.dielectric_permittivity=3.0"),
     0},
    {"a floating wall", SET("walls.x_high.capacitance=0"), 0},
    {"Coulomb collisions",
     SET("plasma.coulomb.ee.species=[\"e\"]") SET("plasma.coulomb.ee.logarithm=1e3") SET(
         "plasma.coulomb.ei.species=[\"e\", \"i\"]") SET("plasma.coulomb.ei.interval=3")
         SET("plasma.coulomb.ei.conserve=\"cell\"") SET("plasma.coulomb.ei.logarithm=1e3")
             SET("plasma.coulomb.ei.method=\"perez\""),
     0},
    {"merging",
     SET("grid.cells=[8, 8]") SET("grid.length=[\"3 mm\", \"2 mm\"]") SET(
         "plasma.velocities=3") SET("species.e.per_cell=4") SET("species.i.per_cell=4")
         SET("species.n.per_cell=2") SET("plasma.merging.e.species=\"e\"") SET(
             "plasma.merging.e.per_cell_most=2") SET("plasma.merging.e.method=\"two\"")
             SET("plasma.merging.e.interval=2"),
     0},
    {"detachment",
     SET("reactions.d.reactants=[\"n\"]") SET("reactions.d.products=[\"e\"]")
         SET("reactions.d.rate=\"1e9 1/s\"") SET("reactions.d.energy=\"3 eV\""),
     REACTS_1},
    {"recombination",
     SET("reactions.r.reactants=[\"e\", \"i\"]") SET("reactions.r.rate_constant=\"1e-5 "
                                                     "m3/s\"")
         SET("reactions.r.exponent=-0.7") SET("reactions.r.reference=\"1 eV\""),
     REACTS_2},
    {"electrons in a gas", COLLIDE, 0},
    {"ions in a gas",
     GAS SET("tables.ion_energy_max=\"5 keV\"") SET("species.i.collisions=\"gas\"")
         SET("species.i.ion=\"Ar+\"") SET("species.i.cross_sections=\"t0780-ion.txt\"")
             SET("species.i.mass=\"39.948 u\"") SET("species.i.subcycling=3"),
     0},
    {"followed densities",
     COLLIDE SET("followed.Arm.sources=[\"Ar excitation Ar*\"]")
         SET("followed.Arm.density=\"1e19 m-3\"") SET("followed.Arm.loss=\"500 1/s\""),
     0},
    {"photons",
     COLLIDE SET("plasma.photoionization.ions=\"i\"")
         SET("plasma.photoionization.oxygen_pressure=\"10 kPa\"")
             SET("plasma.photoionization.efficiency=5.0")
                 SET("plasma.photoionization.quenching_pressure=\"1e9 Pa\""),
     0},
    {"test electrons",
     COLLIDE SET("plasma.test_electrons.number=64")
         SET("plasma.test_electrons.from=\"25 eV\"")
             SET("plasma.test_electrons.thresholds=[\"50 eV\", \"200 eV\"]")
                 SET("plasma.test_electrons.rows=9"),
     0},
    {"electrons for ions", SET("walls.x_low.yield=2.5") SET("walls.x_high.yield=0.7"), 0},
    {"an electrode",
     SET("grid.cells=[8, 8]") SET("grid.length=[\"3 mm\", \"2 mm\"]") SET(
         "plasma.velocities=3") SET("species.e.per_cell=4") SET("species.i.per_cell=4")
         SET("species.n.per_cell=2") SET("electrodes.ball.shape=\"ellipsoid\"")
             SET("electrodes.ball.centre=[\"1.5 mm\", \"1 mm\"]")
                 SET("electrodes.ball.semi_axes=[\"0.6 mm\", \"0.5 mm\"]") SET(
                     "electrodes.ball.voltage=\"20 V\"") SET("electrodes.ball.yield=0.8")
                     SET("electrodes.ball.electron_yield=0.6")
                         SET("electrodes.ball.electron_reflection=0.2"),
     0},
    {"electrons for electrons",
     SET("walls.x_low.electron_yield=0.5") SET("walls.x_high.electron_reflection=0.3"),
     0},
    {"weights",
     SET("species.h.density=\"1e14 m-3\"") SET("species.h.per_cell=33")
         SET("species.h.charge=-2.0") SET("species.h.mass=\"1 u\"")
             SET("species.h.temperature=\"1 eV\"") SET("species.h.loading=\"random\""),
     0},
    {"a magnetic field", SET("plasma.magnetic_field=[\"0 T\", \"0.05 T\", \"0.1 T\"]"),
     0},
    {"two dimensions",
     SET("grid.cells=[8, 8]") SET("grid.length=[\"3 mm\", \"2 mm\"]")
         SET("plasma.velocities=3") SET("species.e.per_cell=4")
             SET("species.i.per_cell=4") SET("species.n.per_cell=2"),
     0},
    {"sparse grids",
     SET("grid.cells=[8, 8]") SET("grid.length=[\"3 mm\", \"2 mm\"]") SET(
         "plasma.field=\"sparse\"") SET("plasma.velocities=3") SET("species.e.per_cell=4")
         SET("species.i.per_cell=4") SET("species.n.per_cell=2"),
     0},
    {"three dimensions",
     SET("grid.cells=[4, 4, 4]") SET("grid.length=[\"3 mm\", \"2 mm\", \"2 mm\"]") SET(
         "species.e.per_cell=8") SET("species.i.per_cell=8") SET("species.n.per_cell=4"),
     0},
    {"relativistic motion", SET("plasma.relativistic=true"), 0},
    {"tsc and energy", SET("plasma.gather=\"energy\"") SET("plasma.shape=\"tsc\""), 0},
    {"averages", AVERAGE SET("plasma.averages.last.power=true"), 0},
    {"rates",
     COLLIDE AVERAGE SET("plasma.averages.last.rates=[\"elastic\", "
                         "\"ionization\"]"),
     0},
    {"distributions",
     SET("plasma.distributions.b.species=\"e\"")
         SET("plasma.distributions.b.energy_max=\"50 "
             "eV\"") SET("plasma.distributions.w.species=\"i\"")
             SET("plasma.distributions.w.wall=\"x_"
                 "low\"") SET("plasma.distributions.w.energy_max=\"200 eV\"")
                 SET("plasma.distributions.w.angles=6") AVERAGE,
     0},
    {"maps", SET("plasma.fields_interval=\"80 ps\"") SET("plasma.fields_moments=true"),
     0},
    {"mobility steps", COLLIDE SET("plasma.mobility_steps=2"), 0},
    {"a mirror", SET("walls.x_high.field=\"neumann\""), 0},
    {"the spectral solver", SET("plasma.solver=\"spectral\""), SPECTRAL},
    {"immobile ions", SET("species.n.mobile=false"), 0},
};
#define N_PARTS (sizeof parts / sizeof parts[0])

static void make_gas(void)
{
  command_write(
      "t0780-ar.txt",
      "ELASTIC\nAr\n 1.36e-5\n" RULE " 0 1e-20\n 1000 1e-20\n" RULE
      "EXCITATION\nAr -> Ar*\n 11.55\n" RULE " 11.55 0\n 30 3e-20\n 1000 1e-20\n" RULE
      "IONIZATION\nAr -> Ar^+\n 15.76\n" RULE " 15.76 0\n 100 2.8e-20\n 1000 1e-20\n" RULE
      "ATTACHMENT\nAr -> Ar^-\n" RULE " 0 1e-21\n 1000 1e-21\n" RULE
      "ELASTIC\nAr*\n 1.36e-5\n" RULE " 0 1e-19\n 1000 1e-19\n" RULE
      "IONIZATION\nAr* -> Ar^+\n 4.21\n" RULE " 4.21 0\n 10 2e-18\n 1000 5e-19\n" RULE);
  command_write(
      "t0780-ion.txt",
      "SPECIES: Ar^+ / Ar\nPROCESS: Ar+ + Ar -> , Isotropic\nPARAM.:  Mi = "
      "39.948, Mi/M = 1, complete set\n" RULE " 0.01 1e-19\n 1000 1e-19\n" RULE
      "SPECIES: Ar^+ / Ar\nPROCESS: Ar+ + Ar -> , Backscat\nPARAM.:  Mi = 39.948, "
      "Mi/M = 1, complete set\n" RULE " 0.01 1e-19\n 1000 1e-19\n" RULE);
}

static int run(const char *before, const char *output, const char *more, size_t a,
               size_t b)
{
  return command("%s %s run " FILE_NAME " --quiet --device cpu --output %s %s%s%s",
                 before, command_wilson(), output, more, parts[a].options,
                 parts[b].options);
}

/* ---- what holds in each run */

struct rows {
  double *v;
  size_t rows, n; /* numbers of a row */
};

static struct rows read_rows(const char *name, size_t rows)
{
  struct rows r = {.rows = rows};
  size_t all = 0;
  r.v = command_nc_read(OUT, name, &all);
  r.n = r.v != NULL && rows > 0 ? all / rows : 0;
  return r;
}

static double largest(const struct rows *r)
{
  double most = 0.0;
  for (size_t i = 0; i < r->rows * r->n; i++)
    most = fmax(most, fabs(r->v[i]));
  return most;
}

/* Numbers of a species in a row: with those that walls took, without those that were made, plus those that
 * reactions and attachment took.  The species: e, i, n. */
static int particles_add_up(size_t rows, int reacts)
{
  const struct rows here = read_rows("particles", rows),
                    walls = read_rows("wall_particles", rows),
                    born = read_rows("born_particles", rows),
                    attached = read_rows("attached_particles", rows),
                    events = read_rows("reaction_events", rows);
  const size_t species = here.n, sides = species > 0 ? walls.n / species : 0;
  int holds = here.v != NULL && rows > 5 && species >= 3;
  for (size_t k = 0; k < species && holds; k++) {
    double first = 0.0;
    for (size_t i = 0; i < rows; i++) {
      double n = here.v[i * species + k];
      for (size_t side = 0; side < sides; side++)
        n += walls.v[(i * species + k) * sides + side];
      n -= born.n == species ? born.v[i * species + k] : 0.0;
      n += attached.n == species && k == 0 ? attached.v[i * species + k] : 0.0;
      if (events.n > 0 && reacts & REACTS_1) /* n -> e */
        n += k == 0 ? -events.v[i * events.n] : k == 2 ? events.v[i * events.n] : 0.0;
      if (events.n > 0 && reacts & REACTS_2) /* e + i -> */
        n += k < 2 ? events.v[i * events.n + events.n - 1] : 0.0;
      first = i == 0 ? n : first;
      if (fabs(n - first) > 1e-12 * largest(&here)) {
        diag("species %zu, row %zu: %.17g, at first %.17g", k, i, n, first);
        holds = 0;
        break;
      }
    }
  }
  free(here.v), free(walls.v), free(born.v), free(attached.v), free(events.v);
  return holds;
}

/* is_spectral: Gauss's law by differences does not hold. */
static int charges_close(size_t rows, int is_spectral)
{
  const struct rows surface = read_rows("surface_charge", rows),
                    circuit = read_rows("circuit_charge", rows),
                    convected = read_rows("convected_charge", rows),
                    gauss = read_rows("gauss_error", rows),
                    here = read_rows("particles", rows);
  int close = 1;
  for (size_t i = 0; i < rows * circuit.n; i++)
    close &= fabs(surface.v[i] - circuit.v[i] - convected.v[i]) <=
             1e-9 * fmax(largest(&surface), largest(&convected));
  for (size_t i = 0; i < rows * gauss.n && !is_spectral; i++) /* NaN: sparse grids */
    close &= isnan(gauss.v[i]) || fabs(gauss.v[i]) <= 1e-9 * E_CHARGE * largest(&here);
  close &= isfinite(command_nc_sum(OUT, "kinetic_energy")) &&
           isfinite(command_nc_sum(OUT, "field_energy"));
  free(surface.v), free(circuit.v), free(convected.v), free(gauss.v), free(here.v);
  return close;
}

/* ---- two parts */

static size_t n_refused;

static void pair(size_t a, size_t b, int on_two)
{
  char name[96];
  size_t rows = 0, numbers;
  snprintf(name, sizeof name, "%s and %s", parts[a].name, parts[b].name);
  const int status = run("", OUT, "--threads 1", a, b);
  if (status == 2) {
    n_refused++;
    if (!ok(strstr(command_err, "error: --set ") != NULL ||
                strstr(command_err, FILE_NAME ":") != NULL,
            "%s: refused, with a key", name))
      diag("%.900s", command_err);
    return;
  }
  free(command_nc_read(OUT, "time", &rows));
  int slice = 3, n = 0;
  const int holds = status == 0 && particles_add_up(rows, parts[a].is | parts[b].is),
            close = status == 0 &&
                    charges_close(rows, (parts[a].is | parts[b].is) & SPECTRAL);
  for (; slice == 3 && n < 9; n++)
    slice = run("", AGAIN,
                n % 2 == 0 ? "--threads 3 --restart auto --set checkpoint.step_limit=7"
                           : "--threads 1 --restart auto --set checkpoint.step_limit=7",
                a, b);
  const char *differs = slice == 0 ? command_nc_differs(OUT, AGAIN, &numbers) : "";
  if (!ok(status == 0 && holds && close && n == 3 && differs == NULL,
          "%s: numbers%s, charges%s, and bits in slices of three threads and one%s%s",
          name, holds ? "" : " wrong", close ? "" : " wrong", differs ? ", wrong: " : "",
          differs ? differs : ""))
    diag("exit status %d, of slice %d %d: %.900s", status, n, slice, command_err);
  remove(AGAIN);
  if (on_two) {
    const int two =
        run("mpirun -n 2", AGAIN, "--threads 1 --set 'divide=\"electrons\"'", a, b);
    differs = two == 0 ? command_nc_differs(OUT, AGAIN, &numbers) : NULL;
    if (!ok((two == 0 || two == 2) && differs == NULL,
            "%s: two processes, or refused%s%s", name, differs ? ": " : "",
            differs ? differs : ""))
      diag("exit status %d: %.900s", two, command_err);
    remove(AGAIN);
  }
  remove(OUT);
}

int main(void)
{
  ranks_allow();
  const int all = command_long() > 1, on_two = all && command("mpirun -n 2 true") == 0;
  const size_t next = all ? N_PARTS - 1 : 2;
  make_gas();
  command_write(FILE_NAME, scene);
  for (size_t a = 0; a < N_PARTS; a++)
    for (size_t b = a + 1; b < N_PARTS && b <= a + next; b++)
      pair(a, b, on_two);
  ok(n_refused < 25, "%zu pairs are refused", n_refused);
  remove(FILE_NAME);
  remove("t0780-ar.txt");
  remove("t0780-ion.txt");
  return done();
}
