/* t0794-rz.c - defends: whole runs with grid.geometry = "r-z".
 *   - a cold column in a metal tube, perturbed along its axis, oscillates at the plasma frequency,
 *     whatever its Bessel modes are: to 0.5 % of that of a plane wave on the same cells and steps along z,
 *     whose factors are those of the shape, the difference and the gather (C. K. Birdsall and A. B.
 *     Langdon, chapter 8, as known)
 *   - of a plasma in equilibrium, loaded uniformly, the density stays uniform in r to the noise of its
 *     particles: each ring within 5 standard errors, on the axis as elsewhere (one in 2e5 runs fails by
 *     chance, but the seed is fixed)
 *   - electrons and ions with collisions, walls that absorb and an open side: charge is conserved to
 *     1e-12, Gauss's law holds, and serial and openmp have the same bits
 *   - with merging the same plasma stays uniform, to the scatter along z
 *   - an avalanche in air with ions, photoionization and merging: photons and charge are accounted for, the
 *     bits are those of 1 and 3 threads and of a restart
 *   - the profiles: the particles of a gaussian and of a slab are as many as the integral over the volume
 *     says, and lie as it does
 *   - what r-z does not have is refused with its key */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"
#include "t/tap/waves.h"

#define FILE_NAME "t0794.cfg"
#define OUT       "t0794.nc"
#define OTHER     "t0794-other.nc"

/* ---- the plasma frequency */

static void oscillation(const char *gather)
{
  const double density = 1e15, omega = sqrt(density * WN_E * WN_E / (WN_EPS0 * WN_ME)),
               dt = 0.1 / omega;
  char text[1200];
  size_t n = 0;
  snprintf(
      text, sizeof text,
      "model = \"plasma\"; duration = \"%.17g s\";\n"
      "grid = { geometry = \"r-z\"; cells = [16, 32]; length = [\"1 cm\", \"2 cm\"]; "
      "};\n"
      "walls = { x_high = { field = \"dirichlet\"; particles = \"reflect\"; }; };\n"
      "species = { e = { density = \"1e15 m-3\"; per_cell = 30; amplitude = 0.02; mode "
      "= [0, 1]; };\n"
      "  i = { density = \"1e15 m-3\"; per_cell = 30; charge = 1.0; mobile = false; }; "
      "};\n"
      "plasma = { time_step = \"%.17g s\"; fields_interval = \"%.17g s\"; gather = "
      "\"%s\"; };\n",
      300 * dt, dt, dt, gather);
  if (!ok(command_run(FILE_NAME, text, "", OUT, "--scheduler openmp") == 0,
          "a cold column, gather %s", gather))
    return;
  double *phi = command_nc_read(OUT, "potential", &n), wave[400] = {0.0};
  n /= 33 * 17;
  for (size_t k = 0; k < n && k < 400; k++) /* of the wave, on the axis */
    for (size_t j = 0; j < 32; j++)
      wave[k] += phi[(k * 33 + j) * 17] * cos(2.0 * WN_PI * (double)j / 32.0);
  const struct wave w = wave_damped(wave, 1, n < 400 ? n : 400, 10);
  /* along z: deposit sinc2, E of phi and gather; x = k h/2 */
  const double x = WN_PI / 32.0, sinc = sin(x) / x,
               square = strcmp(gather, "energy") == 0 ? sinc * sinc
                                                      : sinc * sinc * sinc * cos(x),
               want = sqrt(square) * (1.0 + 0.1 * 0.1 / 24.0);
  ok(n >= 300 && fabs(w.omega / 0.1 - want) < 0.005 && fabs(w.gamma) < 5e-4,
     "it oscillates at %.4f of the plasma frequency, %.4f on this grid (damping %.2g)",
     w.omega / 0.1, want, w.gamma);
  free(phi);
}

/* ---- a uniform density stays so */

/* The map at the middle of the last step, after some passages through the tube and off the mirror around it.  Of N particles node i has on average N share_i/share, of weights S whose
 * square has the mean m = 2/3 of that of S (1/2 on the axis): the standard error of the density is sqrt(m/N_i). */
static void equilibrium(void)
{
  enum { RINGS = 8, NODES = 9 * 17 };
  size_t n = 0;
  double worst = 0.0, of_axis = 0.0;
  const int status = command_run(
      FILE_NAME,
      "model = \"plasma\"; duration = \"40.4 ns\";\n"
      "grid = { geometry = \"r-z\"; cells = [8, 16]; length = [\"1 cm\", \"2 cm\"]; };\n"
      "walls = { x_high = { field = \"neumann\"; }; y_low = { field = \"neumann\"; };\n"
      "  y_high = { field = \"neumann\"; }; };\n"
      "species = { e = { density = \"1e8 m-3\"; per_cell = 2000; temperature = \"2 eV\"; "
      "loading = \"random\"; };\n"
      "  i = { density = \"1e8 m-3\"; per_cell = 1; charge = 1.0; mobile = false; }; };\n"
      "plasma = { time_step = \"400 ps\"; fields_interval = \"20 ns\";\n"
      "  allow = [\"cell-crossing\"]; };\n",
      "", OUT, "--scheduler openmp");
  double *e = command_nc_read(OUT, "density_e", &n);
  if (!ok(status == 0 && e != NULL && n == 3 * NODES, "a plasma in equilibrium (%zu)",
          n)) {
    free(e);
    return;
  }
  const double *last = e + (n / NODES - 1) * NODES;
  for (int i = 0; i < RINGS; i++) {
    double ring = 0.0;
    for (int j = 0; j <= 16; j++)
      ring += last[j * 9 + i] * (j == 0 || j == 16 ? 0.5 : 1.0) / 16.0 / 1e8;
    const double number = 2000.0 * 128.0 / 64.0 * (i == 0 ? 1.0 / 3.0 : 2.0 * i),
                 error = sqrt((i == 0 ? 0.5 : 2.0 / 3.0) / number);
    diag("%d: %.4f +- %.4f", i, ring, error);
    of_axis = i == 0 ? ring : of_axis;
    worst = fmax(worst, fabs(ring - 1.0) / error);
  }
  ok(worst < 5.0, "its density is uniform to %.2f standard errors (on the axis %.3f)",
     worst, of_axis);
  free(e);
}

/* The same with merging, which leaves 100 of a cell, and so as many near the axis as far from it.  A
 * standard error is that of the means over the pairs of nodes along z of the run itself: with 7 degrees
 * of freedom one in 2000 is beyond 6 of them, and so one run in 230; the seed is fixed. */
static void merged_equilibrium(void)
{
  enum { RINGS = 8, NODES = 9 * 17, PAIRS = 8 };
  size_t n = 0, rows = 0;
  double worst = 0.0, largest = 0.0;
  const int status = command_run(
      FILE_NAME,
      "model = \"plasma\"; duration = \"40.4 ns\";\n"
      "grid = { geometry = \"r-z\"; cells = [8, 16]; length = [\"1 cm\", \"2 cm\"]; };\n"
      "walls = { x_high = { field = \"neumann\"; }; y_low = { field = \"neumann\"; };\n"
      "  y_high = { field = \"neumann\"; }; };\n"
      "species = { e = { density = \"1e8 m-3\"; per_cell = 2000; temperature = \"2 eV\"; "
      "loading = \"random\"; };\n"
      "  i = { density = \"1e8 m-3\"; per_cell = 1; charge = 1.0; mobile = false; }; };\n"
      "plasma = { time_step = \"400 ps\"; fields_interval = \"20 ns\";\n"
      "  allow = [\"cell-crossing\"]; merging = { e = { species = \"e\"; per_cell_most = "
      "100; interval = 10; }; }; };\n",
      "", OUT, "--scheduler openmp");
  double *e = command_nc_read(OUT, "density_e", &n),
         *kept = command_nc_read(OUT, "merging_macroparticles", &rows),
         *number = command_nc_read(OUT, "particles", &rows);
  if (!ok(status == 0 && e != NULL && kept != NULL && number != NULL && n == 3 * NODES &&
              kept[rows - 2] > 1e5,
          "an equilibrium with merging: %g macroparticles came of it",
          kept != NULL ? kept[rows - 2] : 0.0)) {
    diag("%.500s", command_err);
  } else {
    const double *last = e + (n / NODES - 1) * NODES;
    is_close(number[rows - 2], number[0], 1e-13, "no electron is lost");
    for (int i = 0; i < RINGS; i++) {
      double mean = 0.0, square = 0.0;
      for (int j = 0; j < PAIRS; j++) { /* nodes 0 and 16 have half a volume */
        const double *at = last + 2 * j * 9 + i,
                     of = (0.5 * at[0] + at[9] + 0.5 * at[18]) / 2e8;
        mean += of / PAIRS;
        square += of * of / PAIRS;
      }
      const double error = sqrt((square - mean * mean) / (PAIRS - 1));
      diag("%d: %.4f +- %.4f", i, mean, error);
      worst = fmax(worst, fabs(mean - 1.0) / error);
      largest = fmax(largest, error);
    }
    ok(worst < 6.0 && largest < 0.1,
       "its density is uniform to %.2f standard errors, of %.3f at most", worst, largest);
  }
  free(e);
  free(kept);
  free(number);
}

/* ---- collisions, walls, ledgers */

#define DISCHARGE                                                                        \
  "model = \"plasma\"; duration = \"30 ps\";\n"                                          \
  "grid = { geometry = \"r-z\"; cells = [12, 16]; length = [\"0.1 mm\", \"0.2 mm\"]; "   \
  "};\n"                                                                                 \
  "walls = { y_low = { field = \"dirichlet\"; };\n"                                      \
  "  y_high = { field = \"dirichlet\"; voltage = \"1 kV\"; };\n"                         \
  "  x_high = { field = \"%s\"; }; };\n"                                                 \
  "gas = { pressure = \"1 bar\"; components = { Ar = { file = \"builtin:argon\"; }; "    \
  "}; };\n"                                                                              \
  "tables = { energy_max = \"1 keV\"; };\n"                                              \
  "species = { e = { density = \"1e15 m-3\"; temperature = \"5 eV\"; per_cell = 20;\n"   \
  "    collisions = \"gas\"; ions = \"i\"; profile = \"gaussian\"; width = [\"30 um\", " \
  "\"40 um\"]; };\n"                                                                     \
  "  i = { density = \"1e15 m-3\"; per_cell = 20; charge = 1.0; mass = \"39.948 u\";\n"  \
  "    temperature = \"1 eV\"; loading = \"random\"; collisions = \"gas\"; subcycling "  \
  "= 3; };\n"                                                                            \
  "  b = { density = \"1e14 m-3\"; per_cell = 20; temperature = \"50 eV\"; }; };\n"      \
  "plasma = { time_step = \"1 ps\"; mobility_steps = 3; fields_interval = \"9 ps\";\n"   \
  "  fields_moments = true;\n"                                                           \
  "  averages = { all = { length = \"20 ps\"; moments = true; }; };\n"                   \
  "  allow = [\"cell-crossing\", \"plasma-frequency\", \"debye-length\"]; };\n"

static void discharge(const char *around, const char *set)
{
  char text[4000];
  size_t n = 0, values = 0;
  snprintf(text, sizeof text, DISCHARGE, around);
  char serial[200], openmp[200];
  snprintf(serial, sizeof serial, "--scheduler serial %s", set);
  snprintf(openmp, sizeof openmp, "--scheduler openmp --threads 3 %s", set);
  if (!ok(command_run(FILE_NAME, text, "", OUT, serial) == 0 &&
              command_run(FILE_NAME, text, "", OTHER, openmp) == 0,
          "a discharge, %s around, %s", around, set))
    return;
  const char *name = command_nc_differs(OUT, OTHER, &values);
  ok(name == NULL && values > 1000, "serial and openmp have the same bits (%s, %zu)",
     name != NULL ? name : "", values);
  double *gauss = command_nc_read(OUT, "gauss_error", &n),
         *charge = command_nc_read(OUT, "total_charge", &n),
         *left = command_nc_read(OUT, "poisson_residual", &n);
  double worst = 0.0, most = 0.0, residual = 0.0;
  for (size_t i = 0; gauss != NULL && charge != NULL && left != NULL && i < n; i++) {
    worst = fmax(worst, fabs(gauss[i]));
    most = fmax(most, fabs(charge[i]));
    residual = isnan(left[i]) ? NAN : fmax(residual, left[i]);
  }
  ok(n == 30 && most > 0.0 && worst < 1e-9 * most && residual < 1e-9,
     "Gauss's law but for %.2g of the charge, the equation but for %.2g", worst / most,
     residual);
  free(gauss);
  free(charge);
  free(left);
}

/* ---- an avalanche with ions, photoionization and merging */

#define AVALANCHE                                                                        \
  "model = \"plasma\"; duration = \"20 ps\"; seed = 3;\n"                                \
  "grid = { geometry = \"r-z\"; cells = [12, 24]; length = [\"0.2 mm\", \"0.4 mm\"]; "   \
  "};\n"                                                                                 \
  "walls = { y_low = { field = \"dirichlet\"; };\n"                                      \
  "  y_high = { field = \"dirichlet\"; voltage = \"8 kV\"; };\n"                         \
  "  x_high = { field = \"open\"; }; };\n"                                               \
  "gas = { pressure = \"1 bar\"; components = { N2 = { file = \"builtin:air\"; "         \
  "fraction "                                                                            \
  "= 0.8; };\n  O2 = { file = \"builtin:air\"; fraction = 0.2; }; }; };\n"               \
  "species = { e = { density = \"1e17 m-3\"; temperature = \"5 eV\"; macroparticles = "  \
  "4000;\n    collisions = \"gas\"; ions = \"p\"; anions = \"m\"; profile = "            \
  "\"gaussian\"; centre = [\"0 mm\", \"0.1 mm\"];\n    width = [\"30 um\", \"20 um\"]; " \
  "};\n"                                                                                 \
  "  p = { density = \"1e17 m-3\"; macroparticles = 4000; charge = 1.0; mass = \"28 "    \
  "u\"; profile = \"gaussian\";\n    centre = [\"0 mm\", \"0.1 mm\"]; width = [\"30 "    \
  "um\", \"20 um\"]; };\n"                                                               \
  "  m = { density = \"0 m-3\"; charge = -1.0; mass = \"32 u\"; };\n"                    \
  "  o = { density = \"0 m-3\"; charge = 1.0; mass = \"32 u\"; }; };\n"                  \
  "plasma = { time_step = \"0.5 ps\"; integrals_interval = \"step\"; fields_interval = " \
  "\"10 ps\";\n"                                                                         \
  "  allow = [\"cell-crossing\", \"plasma-frequency\", \"debye-length\"];\n"             \
  "  photoionization = { ions = \"o\"; efficiency = 2.0; weight = 0.25; };\n"            \
  "  merging = { e = { species = \"e\"; per_cell_most = 30; per_cell_least = 10; "       \
  "least_weight = 0.05; "                                                                \
  "interval = 4; };\n"                                                                   \
  "    p = { species = \"p\"; per_cell_most = 30; interval = 4; method = \"one\"; }; "   \
  "};\n"                                                                                 \
  "};\n"

static void avalanche(void)
{
  enum { E, P, M, O, SPECIES };
  static const char *const options[] = {"--threads 3", "--threads 1",
                                        "--scheduler serial"};
  size_t values = 0;
  if (!ok(command_run(FILE_NAME, AVALANCHE, "", OUT, "--threads 1") == 0 &&
              command_run(FILE_NAME, AVALANCHE, "", OTHER, "--threads 3") == 0,
          "an avalanche with ions, photoionization and merging")) {
    diag("%.900s", command_err);
    return;
  }
  const char *name = command_nc_differs(OUT, OTHER, &values);
  ok(name == NULL && values > 1000, "1 and 3 threads have the same bits (%s, %zu)",
     name != NULL ? name : "", values);
  command_write(FILE_NAME, AVALANCHE);
  slices_are("an avalanche", FILE_NAME, OTHER, OUT, 7, 4, 3, options);
  remove(FILE_NAME);
  const double photons = command_nc_last(OUT, "photons", 1, 0),
               absorbed = command_nc_last(OUT, "photons_absorbed", 1, 0);
  double left = 0.0;
  for (size_t i = 0; i < 6; i++)
    left += command_nc_last(OUT, "photons_left", 6, i);
  ok(absorbed > 0.05 * photons && command_nc_last(OUT, "photons_left", 6, 0) == 0.0 &&
         command_nc_last(OUT, "photons_left", 6, 1) > 0.05 * photons &&
         command_nc_last(OUT, "photons_left", 6, 2) > 0.05 * photons,
     "of %.4g photons %.4g are absorbed, sides take the others, the axis none", photons,
     absorbed);
  is_close(absorbed + left, photons, 1e-13, "none is lost");
  is_close(command_nc_last(OUT, "particles", SPECIES, O) +
               command_nc_last(OUT, "wall_particles", 6 * SPECIES, 6 * O + 1) +
               command_nc_last(OUT, "wall_particles", 6 * SPECIES, 6 * O + 2) +
               command_nc_last(OUT, "wall_particles", 6 * SPECIES, 6 * O + 3),
           absorbed, 1e-13, "each leaves an ion, here or in a wall");
  double charge = 0.0, gross = 0.0;
  for (size_t k = 0; k < SPECIES; k++) {
    double n = command_nc_last(OUT, "particles", SPECIES, k);
    for (size_t i = 0; i < 6; i++)
      n += command_nc_last(OUT, "wall_particles", 6 * SPECIES, 6 * k + i);
    charge += (k == E || k == M ? -1.0 : 1.0) * n;
    gross += n;
  }
  ok(fabs(charge) < 1e-12 * gross &&
         command_nc_last(OUT, "born_particles", SPECIES, E) > 1e4,
     "charge is conserved: %.2g of %.4g", charge, gross);
  ok(command_nc_last(OUT, "merging_macroparticles", SPECIES, E) > 1000.0 &&
         command_nc_last(OUT, "merging_macroparticles", SPECIES, P) > 100.0 &&
         command_nc_last(OUT, "split_macroparticles", SPECIES, E) > 1000.0,
     "while %g and %g macroparticles came of merging, and %g were split",
     command_nc_last(OUT, "merging_macroparticles", SPECIES, E),
     command_nc_last(OUT, "merging_macroparticles", SPECIES, P),
     command_nc_last(OUT, "split_macroparticles", SPECIES, E));
}

/* ---- profiles */

static void profiles(void)
{
  size_t n = 0;
  const int status = command_run(
      FILE_NAME,
      "model = \"plasma\"; duration = \"1 ps\";\n"
      "grid = { geometry = \"r-z\"; cells = [64, 8]; length = [\"1 cm\", \"1 cm\"]; };\n"
      "walls = { x_high = { field = \"open\"; }; };\n"
      "species = { g = { density = \"1e6 m-3\"; per_cell = 400; profile = \"gaussian\"; "
      "width = [\"8 mm\", \"none\"]; };\n"
      "  s = { density = \"1e6 m-3\"; per_cell = 400; profile = \"slab\"; "
      "width = [\"1 cm\", \"none\"]; charge = 1.0; mobile = false; }; };\n"
      "plasma = { time_step = \"1 ps\"; fields_interval = \"1 ps\"; };\n",
      "", OUT, "");
  double *g = command_nc_read(OUT, "density_g", &n),
         *s = command_nc_read(OUT, "density_s", &n);
  double worst = 0.0, flat = 0.0;
  if (!ok(status == 0 && g != NULL && s != NULL && n >= 65 * 9, "profiles"))
    return;
  for (int i = 0; i <= 64; i++) {
    const double r = 1e-2 * i / 64.0;
    double of_g = 0.0, of_s = 0.0;
    for (int j = 0; j < 8; j++) {
      of_g += g[j * 65 + i] / 8e6;
      of_s += s[j * 65 + i] / 8e6;
    }
    /* by the shape, the mean over a cell: 1 + h2/(6 w2) at most; a node has 400 * 8 * 2 i/64 particles */
    const double noise = 5.0 / sqrt(400.0 * 8.0 * fmax(i, 0.2) * 2.0 / 64.0);
    worst = fmax(worst, fabs(of_g - exp(-0.5 * r * r / 64e-6)) / noise);
    if (i != 32)
      flat = fmax(flat, fabs(of_s - (i < 32 ? 1.0 : 0.0)) / noise);
  }
  ok(worst < 1.0 && flat < 1.0,
     "a gaussian and a slab have their density (%.2g and %.2g of 5 standard errors)",
     worst, flat);
  free(g);
  free(s);
}

/* ---- refusals */

static const char *const refusals[][2] = {
    {"--device cuda --scheduler tiles", "allowed in r-z on a GPU"},
    {"--set plasma.shape=tsc", "plasma.shape"},
    {"--set plasma.solver=spectral", "plasma.solver"},
    {"--set 'plasma.magnetic_field=[\"1 T\", \"0\", \"0\"]'", "plasma.magnetic_field"},
    {"--set 'plasma.modes=[1, 0]'", "plasma.modes"},
    {"--set 'plasma.moments_interval=\"1 ps\"'", "plasma.moments_interval"},
    {"--set 'species.b.drift=[\"1 km/s\", \"0\", \"0\"]'", "species.b.drift"},
    {"--set walls.x_low.field=dirichlet", "walls.x_low.field"},
    {"--set walls.y_low.yield=0.1", "walls.y_low.yield"},
    {"--set walls.y_low.electron_reflection=0.1", "walls.y_low.electron_reflection"},
    {"--set 'species.e.centre=[\"20 um\", \"0.1 mm\"]'", "species.e.centre"},
    {"--set plasma.averages.all.power=true", "plasma.averages.all.power"},
    {"--set 'plasma.coulomb.g={species=\"e\";}'", "plasma.coulomb.g"},
    {"--set plasma.field=sparse", "plasma.field"},
    {"--set walls.y_low.field=open", "walls.y_low.field"},
};

static void refused(void)
{
  char text[4000];
  snprintf(text, sizeof text, DISCHARGE, "dirichlet");
  command_write(FILE_NAME, text);
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
    const int status =
        command("%s check " FILE_NAME " %s", command_wilson(), refusals[i][0]);
    ok(status == 2 && strstr(command_err, refusals[i][1]) != NULL,
       "%s is refused (%d): %.200s", refusals[i][0], status, command_err);
  }
  ok(command("%s check " FILE_NAME, command_wilson()) == 0,
     "and without it is not: %.300s", command_err);
  remove(FILE_NAME);
}

int main(void)
{
  plan(0);
  refused();
  oscillation("energy");
  oscillation("momentum");
  equilibrium();
  merged_equilibrium();
  avalanche();
  discharge("dirichlet", "");
  discharge("open", "--set 'plasma.magnetic_field=[\"0\", \"0.1 T\", \"0\"]' --set "
                    "species.i.collisions=none --set species.i.subcycling=1");
  discharge("neumann", "--set plasma.gather=energy");
  profiles();
  remove(OUT);
  remove(OTHER);
  return done();
}
