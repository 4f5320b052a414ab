/* t0723-electrode-emission.c - defends: what electrodes inside the grid emit, and their circuits.
 *   - a cold, tenuous beam on a sphere in r-z that reflects its electrons as a mirror: a hard sphere scatters
 *     isotropically, so that the reflected electrons have no momentum left along the beam, and the sphere
 *     has taken no particle and no energy: exact for any normal that is right
 *   - the same with ions and `yield`: the number released is that of a sum of roundings with the right mean, within 5
 *     of its standard deviations; none comes back to the sphere, which is convex, in no field
 *   - a sphere that floats in the middle between two plates has half of their voltage, by symmetry
 *   - the inner one of coaxial cylinders behind a resistor: charge over potential is 2 pi eps0 L/ln(b/a) (elementary),
 *     and the potential that of a capacitor, source (1 - exp(-t/RC)), to the error of second order of the
 *     steps; energies of source, resistor and C balance
 *   - a source at an electrode: a wall that emits twice the current that its diode can carry has Child and Langmuir's
 *     4/9 eps0 sqrt(2 e/m) V^1.5/d^2 to 3 %, and plates whose surface cuts cells at any part have that of the wall to
 *     2.5 %: it was 33 to 48 % too low (fields/electrode_shares.h); the area of a hemisphere on a wall is 2 pi R^2, by what it has emitted */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0723.cfg"
#define OUT       "t0723.nc"

/* Of row `row` of `each` values; row -1: the last. */
static double of_row(const char *name, long row, size_t each, size_t i)
{
  size_t n = 0;
  double *v = command_nc_read(OUT, name, &n), x = NAN;
  const size_t at = row < 0 ? n - each : (size_t)row * each;
  if (v != NULL && n >= at + each)
    x = v[at + i];
  free(v);
  return x;
}

#define STEPS 32
#define BEAM(particle, emits)                                                            \
  "model = \"plasma\"; duration = \"512 ps\";\n"                                         \
  "grid = { geometry = \"r-z\"; cells = [25, 50]; length = [\"5 mm\", \"10 mm\"]; };\n"  \
  "walls = { x_high = { field = \"neumann\"; }; y_low = { field = \"dirichlet\"; }; "    \
  "y_high = { field = \"dirichlet\"; }; };\n"                                            \
  "electrodes = { ball = { shape = \"ellipsoid\"; centre = [\"0 mm\", \"5.03 mm\"]; "    \
  "semi_axes = [\"2 mm\", \"2 mm\"]; " emits "}; };\n"                                   \
  "species = { " particle " };\n"                                                        \
  "plasma = { time_step = \"16 ps\"; };\n"

/* As many hits as in t0722; the momentum of those that were not reflected is that of the beam. */
static void mirror(void)
{
  const double radius = 2e-3, box = 5e-3, density = 1e6, speed = 4e6,
               flown = speed * 512e-12;
  if (!ok(command_run(FILE_NAME,
                      BEAM("e = { density = \"1e6 m-3\"; per_cell = 60; drift = [\"0\", "
                           "\"4000 km/s\", \"0\"]; };",
                           "electron_reflection = 1; electron_reflection_law = "
                           "\"specular\"; "),
                      "", OUT, "") == 0,
          "a beam on a sphere that is a mirror"))
    return;
  const double begun = of_row("particles", 0, 1, 0) + of_row("wall_particles", 0, 6, 3),
               inside = of_row("particles", -1, 1, 0),
               others = of_row("wall_particles", -1, 6, 3),
               net = of_row("wall_particles", -1, 6, 4),
               hits = density * WN_PI * radius * radius * flown;
  /* momentum is that in the middle of a step */
  const double middle = 0.5 * (inside + of_row("particles", STEPS - 2, 1, 0)),
               lost = middle - of_row("momentum", -1, 3, 1) / (WN_ME * speed);
  is_near(net / hits, 0.0, 1e-12, "it keeps none");
  is_close(inside + others, begun, 1e-12, "all are there, or at the wall");
  is_close(others, density * WN_PI * box * box * flown, 0.01, "as many as reach it");
  is_close(lost, hits * (1.0 - 0.5 / STEPS), 0.02,
           "it takes the momentum of what meets it: %.4f of it",
           lost / (hits * (1.0 - 0.5 / STEPS)));
  is_close(of_row("wall_energy", -1, 1, 0), others * 0.5 * WN_ME * speed * speed, 1e-5,
           "and no energy");
}

/* Both species have the same weight; electrons of the gas are at rest. */
static void yield(void)
{
  const double mean = 0.3, density = 1e6, macroparticles = 30000.0,
               hits = density * WN_PI * 2e-3 * 2e-3 * 4e6 * 512e-12,
               weight = density * WN_PI * 5e-3 * 5e-3 * 1e-2 / macroparticles;
  if (!ok(command_run(FILE_NAME,
                      BEAM("p = { charge = 1; mass = \"4 u\"; density = \"1e6 m-3\"; "
                           "macroparticles = 30000; drift = [\"0\", \"4000 km/s\", "
                           "\"0\"]; }; e = { density = \"1e6 m-3\"; macroparticles = "
                           "30000; };",
                           "yield = 0.3; emission_temperature = \"2 eV\"; "),
                      "", OUT, "") == 0,
          "ions on a sphere that emits electrons"))
    return;
  const double ions = of_row("wall_particles", -1, 12, 4),
               electrons = -of_row("wall_particles", -1, 12, 10), n = ions / weight;
  is_close(ions, hits, 0.02, "the sphere takes n v t pi R2");
  is_near((electrons / ions - mean) / sqrt(mean * (1.0 - mean) / n), 0.0, 5.0,
          "and releases %.4f electrons for each of %.0f", electrons / ions, n);
}

#define VACUUM                                                                           \
  "model = \"plasma\"; duration = \"400 ps\";\n"                                         \
  "grid = { geometry = \"r-z\"; cells = [25, 50]; length = [\"5 mm\", \"10 mm\"]; };\n"  \
  "species = { e = { density = \"1 m-3\"; macroparticles = 10; }; };\n"                  \
  "plasma = { time_step = \"4 ps\"; };\n"
#define FLOATING                                                                         \
  VACUUM "walls = { x_high = { field = \"neumann\"; }; y_low = { field = "               \
         "\"dirichlet\"; }; y_high = { field = \"dirichlet\"; voltage = \"100 V\"; }; "  \
         "};\nelectrodes = { ball = { shape = \"ellipsoid\"; centre = [\"0 mm\", \"5 "   \
         "mm\"]; semi_axes = [\"2 mm\", \"2 mm\"]; capacitance = \"0 F\"; }; };\n"
#define COAXIAL                                                                          \
  VACUUM                                                                                 \
  "walls = { x_high = { field = \"dirichlet\"; }; y_low = { field = "                    \
  "\"neumann\"; }; y_high = { field = \"neumann\"; }; };\n"                              \
  "electrodes = { pole = { shape = \"box\"; low = [\"-1 mm\", \"-1 mm\"]; high = "       \
  "[\"1.1 mm\", \"11 mm\"]; resistance = \"500 ohm\"; voltage = \"100 V\"; }; "          \
  "};\n"

static void circuits(void)
{
  if (!ok(command_run(FILE_NAME, FLOATING, "", OUT, "") == 0,
          "a sphere that floats between plates"))
    return;
  is_close(of_row("electrode_potential", -1, 1, 0), 50.0, 1e-7,
           "has half of the voltage");
  is_near(of_row("electrode_charge", -1, 1, 0) / (4.0 * WN_PI * WN_EPS0 * 2e-3 * 50.0),
          0.0, 1e-7, "and no charge");
  if (!ok(command_run(FILE_NAME, COAXIAL, "", OUT, "") == 0, "a pole behind a resistor"))
    return;
  const double v[2] = {of_row("electrode_potential", 24, 1, 0),
                       of_row("electrode_potential", 74, 1, 0)},
               t[2] = {24.5 * 4e-12, 74.5 * 4e-12},
               charge = of_row("electrode_charge", 74, 1, 0), c = charge / v[1];
  is_close(c, 2.0 * WN_PI * WN_EPS0 * 10e-3 / log(5.0 / 1.1), 3e-3,
           "its capacitance is that of coaxial cylinders");
  for (int i = 0; i < 2; i++)
    is_near(v[i] / 100.0, 1.0 - exp(-t[i] / (500.0 * c)), 2e-4,
            "at %.0f ps its potential is that of R and C", t[i] * 1e12);
  is_close(of_row("electrode_circuit_charge", 74, 1, 0), charge, 1e-6,
           "its charge came by the circuit");
  is_close(of_row("electrode_source_energy", 74, 1, 0) -
               of_row("electrode_resistor_energy", 74, 1, 0),
           0.5 * charge * v[1], 2e-3, "the source gave what R took and C has");
}

/* Test electrons start near a needle of -2 kV and are absorbed where they meet it: with the same seed and no
 * bias they are those of the plasma, of which the needle takes some. */
static void test_electrons(void)
{
  if (!ok(command_run(
              FILE_NAME,
              "model = \"plasma\"; duration = \"6 ps\"; seed = 3;\n"
              "gas = { pressure = \"1 bar\"; components = { N2 = { file = "
              "\"builtin:air\"; }; }; };\n"
              "grid = { geometry = \"r-z\"; cells = [14, 20]; length = [\"0.7 mm\", \"1 "
              "mm\"]; };\n"
              "walls = { x_high = { field = \"neumann\"; }; y_low = { field = "
              "\"dirichlet\"; }; y_high = { field = \"dirichlet\"; voltage = \"-20 kV\"; "
              "}; };\n"
              "electrodes = { ball = { shape = \"ellipsoid\"; centre = [\"0 mm\", \"0 "
              "mm\"]; semi_axes = [\"0.4 mm\", \"0.4 mm\"]; }; };\n"
              "species = { e = { density = \"1e15 m-3\"; per_cell = 40; temperature = "
              "\"1 "
              "eV\"; collisions = \"gas\"; ions = \"p\"; };\n"
              "  p = { charge = 1; mass = \"28 u\"; density = \"1e15 m-3\"; per_cell = "
              "40; "
              "mobile = false; }; };\n"
              "plasma = { time_step = \"0.1 ps\"; allow = [\"debye-length\", "
              "\"cell-crossing\"]; test_electrons = { number = 640; from = \"30 eV\"; "
              "thresholds = [\"60 eV\", \"200 eV\"]; }; };\n",
              "", OUT, "") == 0,
          "test electrons with an electrode"))
    return;
  const double lost = of_row("test_electrons_lost", -1, 1, 0);
  ok(lost > 0.0, "some are taken (%g)", lost);
  ok(of_row("wall_particles", -1, 12, 4) > 0.0, "as those of the plasma are");
}

/* ---- sources */

#define DIODE(cells, length, more)                                                       \
  "model = \"plasma\"; duration = \"6 ns\"; seed = 2;\n"                                 \
  "grid = { cells = [2, " cells "]; length = [\"0.6 mm\", \"" length "\"]; };\n"         \
  "walls = { x_low = { field = \"neumann\"; }; x_high = { field = \"neumann\"; }; "      \
  "y_low = { field = \"dirichlet\"; }; y_high = { field = \"dirichlet\"; voltage = "     \
  "\"500 V\"; }; };\n"                                                                   \
  "species = { e = { density = \"0 m-3\"; }; };\n"                                       \
  "plasma = { time_step = \"20 ps\"; sources = { cathode = { species = \"e\"; current "  \
  "= \"640 A/m2\"; temperature = \"0.1 eV\"; per_step = 20; " more " }; }; };\n"

/* A/m2 that the high side takes in the second half. */
static double current_of(const char *text, const char *what)
{
  size_t n = 0;
  double per_m2 = NAN;
  if (!ok(command_run(FILE_NAME, text, "", OUT, "") == 0, "%s", what))
    return per_m2;
  double *taken = command_nc_read(OUT, "wall_particles", &n);
  const size_t rows = n / 6, half = rows / 2;
  if (ok(taken != NULL && rows > 100, "rows of what surfaces took"))
    per_m2 = (taken[6 * (rows - 1) + 3] - taken[6 * half + 3]) * WN_E /
             (0.6e-3 * 2e-11 * (double)(rows - 1 - half));
  free(taken);
  return per_m2;
}

/* Child and Langmuir's current over a gap, A/m2. */
static double limit_of(double d)
{
  return 4.0 / 9.0 * WN_EPS0 * sqrt(2.0 * WN_E / WN_ME) * pow(500.0, 1.5) / (d * d);
}

/* Planes between mirrors: the surface of the plate lies at the part `part` of a cell below a node. */
static double plate(double part)
{
  char text[2048], what[64];
  const double h = 10.0 / 30.0, top = 1.0 - (part < 1.0 ? part : 0.0) * h;
  snprintf(text, sizeof text,
           DIODE("30", "10 mm", "wall = \"plate\";") "electrodes = { plate = { shape = "
                                                     "\"box\"; low = [\"-1 mm\", \"-1 "
                                                     "mm\"]; high = [\"2 mm\", \"%.9f "
                                                     "mm\"]; }; };\n",
           top);
  snprintf(what, sizeof what, "a plate that emits, %.3g of a cell before a node", part);
  return current_of(text, what) / limit_of((10.0 - top) * 1e-3);
}

/* Twice the current that the diode carries; electrons cross it in about 2 ns (3 d/v). */
static void diode(void)
{
  static const double parts[] = {1.0, 0.5, 0.1};
  const double of_wall =
      current_of(DIODE("27", "9 mm", "wall = \"y_low\";"), "a wall that emits") /
      limit_of(9e-3);
  is_close(of_wall, 1.0, 0.03, "the current is %.3f of Child and Langmuir's", of_wall);
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    const double of_plate = plate(parts[i]);
    is_close(of_plate, of_wall, 0.025, "of the plate it is %.3f", of_plate);
  }
}

/* No potential, and electrons fast enough to leave: each step brings what the area says. */
static void area(void)
{
  if (!ok(command_run(
              FILE_NAME,
              "model = \"plasma\"; duration = \"200 ps\"; seed = 2;\n"
              "grid = { geometry = \"r-z\"; cells = [20, 20]; length = [\"5 mm\", \"5 "
              "mm\"]; };\n"
              "walls = { x_high = { field = \"dirichlet\"; }; y_low = { field = "
              "\"dirichlet\"; }; y_high = { field = \"dirichlet\"; }; };\n"
              "electrodes = { ball = { shape = \"ellipsoid\"; centre = [\"0 mm\", \"0 "
              "mm\"]; semi_axes = [\"2 mm\", \"2 mm\"]; }; };\n"
              "species = { e = { density = \"0 m-3\"; }; };\n"
              "plasma = { time_step = \"10 ps\"; sources = { cathode = { species = "
              "\"e\"; "
              "wall = \"ball\"; current = \"1e-6 A/m2\"; energy = \"100 eV\"; per_step = "
              "200; }; }; };\n",
              "", OUT, "") == 0,
          "a hemisphere that emits"))
    return;
  is_close(-of_row("wall_particles", -1, 6, 4) * WN_E,
           2.0 * WN_PI * 2e-3 * 2e-3 * 1e-6 * 200e-12, 3e-3, "from its whole area");
}

int main(void)
{
  plan(0);
  mirror();
  yield();
  circuits();
  test_electrons();
  diode();
  area();
  remove(FILE_NAME);
  remove(OUT);
  return done();
}
