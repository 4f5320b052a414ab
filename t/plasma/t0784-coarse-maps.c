/* t0784-coarse-maps.c - defends: maps and averages on a coarser grid (plasma.fields_coarsening).  Potential and field
 * are the values of every k-th node, densities, fluxes, rates and power means that conserve the sum over volumes,
 * mean energies of a Maxwellian near its own; on grids with walls and periodic sides, in one to three dimensions, on
 * sparse grids and in r-z, by volumes, where the charge of the coarser grid by volumes of its own is that of the grid.  A factor of 1 changes nothing, which the other tests of maps hold.  Reference: the maps of the
 * same run on the full grid, and sums by the definition, within rounding (1e-11 of the largest). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0784.cfg"
#define FULL      "t0784-full.nc"
#define COARSE    "t0784-coarse.nc"

#define POWER "power = true;"
#define WALLS_X                                                                          \
  "walls = { x_low = { field = \"dirichlet\"; voltage = \"-50 V\"; };\n"                 \
  "  x_high = { field = \"dirichlet\"; }; };\n"
#define WALLS_RZ                                                                         \
  "walls = { x_high = { field = \"neumann\"; };\n"                                       \
  "  y_low = { field = \"dirichlet\"; voltage = \"-50 V\"; };\n"                         \
  "  y_high = { field = \"dirichlet\"; }; };\n"
#define SCENE(grid, walls, field, power)                                                 \
  "model = \"plasma\"; duration = \"8 steps\"; seed = 3; threads = 2;\n" grid            \
  "gas = { pressure = \"200 Pa\"; components = { Ar = { file = \"builtin:argon\"; }; "   \
  "}; };\n" walls                                                                        \
  "species = { e = { density = \"2e13 m-3\"; per_cell = 3; temperature = \"20 eV\"; "    \
  "loading = \"random\"; collisions = \"gas\"; ions = \"i\"; };\n"                       \
  " i = { density = \"2e13 m-3\"; per_cell = 3; charge = 1.0; mass = \"39.948 u\"; "     \
  "mobile = false; loading = \"random\"; }; };\n"                                        \
  "plasma = { " field " time_step = \"5 ps\"; fields_interval = \"20 ps\"; "             \
  "fields_moments = true; allow = [\"cell-crossing\"];\n"                                \
  "averages = { a = { start = \"0\"; moments = true; " power " rates = "                 \
  "[\"ionization\", "                                                                    \
  "\"elastic\"]; phases = 0; blocks = 2; }; }; };\n"

static const struct {
  const char *name, *text;
  int dim, factor, is_rz;
  size_t cells[3];
} scenes[] = {
    {"1-D",
     SCENE("grid = { cells = [24]; length = [\"3 mm\"]; };\n", WALLS_X, "", POWER),
     1,
     3,
     0,
     {24}},
    {"2-D",
     SCENE("grid = { cells = [12, 16]; length = [\"3 mm\", \"4 mm\"]; };\n", WALLS_X, "",
           POWER),
     2,
     4,
     0,
     {12, 16}},
    {"3-D sparse",
     SCENE("grid = { cells = [8, 8, 8]; length = [\"2 mm\", \"2 mm\", \"2 mm\"]; };\n",
           WALLS_X, "field = \"sparse\";", POWER),
     3,
     2,
     0,
     {8, 8, 8}},
    {"r-z",
     SCENE("grid = { geometry = \"r-z\"; cells = [12, 16]; length = [\"3 mm\", \"4 "
           "mm\"]; };\n",
           WALLS_RZ, "", ""),
     2,
     4,
     1,
     {12, 16}},
};

/* Volume of a node along r in r-z, over that of all, of a grid of so many cells: the integral of the linear shape. */
static double radial(size_t cells, size_t i)
{
  const double n = (double)cells, of = i == 0      ? 1.0 / 3.0
                                       : i < cells ? 2.0 * (double)i
                                                   : n - 1.0 / 3.0;
  return of / (n * n);
}

/* Part of node `fine` in node `at` of the coarser grid along an axis, by volumes: both ends of a period are one node. */
static double part_of(size_t cells, int k, int is_periodic, size_t fine, size_t at)
{
  const double half = fine == 0 || fine == cells ? 0.5 : 1.0,
               own = (at == 0 || at * (size_t)k == cells) && !is_periodic ? 0.5 : 1.0;
  double far = fabs((double)fine - (double)at * k);
  if (is_periodic)
    far = fmin(far, (double)cells - far);
  return half * fmax(0.0, 1.0 - far / k) / (k * own);
}

static double radial_part(size_t cells, int k, size_t fine, size_t at)
{
  const double far = fabs((double)fine - (double)at * k);
  return radial(cells, fine) * fmax(0.0, 1.0 - far / k) / radial(cells / (size_t)k, at);
}

/* What the coarser grid has: from [maps][nodes]; is_value: of nodes, else means. */
static double *expected(size_t i, const double *from, size_t maps, int is_value)
{
  const int k = scenes[i].factor;
  size_t n[3], m[3];
  for (int d = 0; d < 3; d++) {
    n[d] = scenes[i].cells[d] + 1;
    m[d] = scenes[i].cells[d] / (size_t)k + 1;
  }
  const size_t full = n[0] * n[1] * n[2], coarse = m[0] * m[1] * m[2];
  double *to = calloc(maps * coarse, sizeof *to);
  for (size_t map = 0; map < maps; map++)
    for (size_t a = 0; a < coarse; a++)
      for (size_t b = 0; b < full; b++) {
        const size_t at[3] = {a % m[0], a / m[0] % m[1], a / (m[0] * m[1])},
                     fine[3] = {b % n[0], b / n[0] % n[1], b / (n[0] * n[1])};
        double part = 1.0;
        for (int d = 0; d < scenes[i].dim; d++)
          part *= is_value ? (double)(fine[d] == at[d] * (size_t)k)
                  : d == 0 && scenes[i].is_rz
                      ? radial_part(scenes[i].cells[d], k, fine[d], at[d])
                      : part_of(scenes[i].cells[d], k, d > 0 && !scenes[i].is_rz, fine[d],
                                at[d]);
        to[map * coarse + a] += part * from[map * full + b];
      }
  return to;
}

static void compare(size_t i, const char *name, int is_value)
{
  size_t n = 0, n_coarse = 0, full = 1, coarse = 1;
  double most = 0.0, apart = 0.0;
  for (int d = 0; d < scenes[i].dim; d++) {
    full *= scenes[i].cells[d] + 1;
    coarse *= scenes[i].cells[d] / (size_t)scenes[i].factor + 1;
  }
  double *a = command_nc_read(FULL, name, &n),
         *b = command_nc_read(COARSE, name, &n_coarse);
  if (!ok(a != NULL && b != NULL && n >= full && n / full * coarse == n_coarse,
          "%s: %s has %zu values, %zu on the grid", scenes[i].name, name, n_coarse, n)) {
    free(a);
    free(b);
    return;
  }
  double *want = expected(i, a, n / full, is_value);
  for (size_t j = 0; j < n_coarse; j++) {
    most = fmax(most, fabs(want[j]));
    apart = fmax(apart, isfinite(b[j]) ? fabs(want[j] - b[j]) : INFINITY);
  }
  ok(most > 0.0 && apart <= (is_value ? 0.0 : 1e-11) * most,
     "%s: %s, %.1e of the largest apart", scenes[i].name, name, apart / most);
  free(want);
  free(a);
  free(b);
}

/* The integral of the last map of a quantity over the volume, over that volume, in r-z with walls at both ends of z. */
static double integral(size_t i, const char *file, const char *name, size_t k)
{
  const size_t nr = scenes[i].cells[0] / k, nz = scenes[i].cells[1] / k;
  size_t n = 0;
  double *v = command_nc_read(file, name, &n), sum = 0.0;
  if (v == NULL || n < (nr + 1) * (nz + 1)) {
    free(v);
    return NAN;
  }
  const double *last = v + n - (nr + 1) * (nz + 1);
  for (size_t z = 0; z <= nz; z++)
    for (size_t r = 0; r <= nr; r++)
      sum +=
          last[r + (nr + 1) * z] * radial(nr, r) * (z % nz == 0 ? 0.5 : 1.0) / (double)nz;
  free(v);
  return sum;
}

static void kept(size_t i, const char *name)
{
  const double a = integral(i, FULL, name, 1),
               b = integral(i, COARSE, name, (size_t)scenes[i].factor);
  ok(fabs(a) > 0.0 && fabs(b - a) <= 1e-12 * fabs(a),
     "%s: the integral of %s over the volume is %.17g, and %.17g of the coarser map",
     scenes[i].name, name, a, b);
}

/* The mean energy times the number, as densities. */
static void energies(size_t i)
{
  size_t n = 0, n_number = 0;
  double *energy = command_nc_read(COARSE, "mean_energy_e", &n),
         *number = command_nc_read(COARSE, "density_e", &n_number), sum = 0.0;
  size_t some = 0;
  for (size_t j = 0; energy != NULL && number != NULL && n == n_number && j < n; j++)
    if (isfinite(energy[j]))
      sum += energy[j], some++;
  ok(some > n / 2 && sum / (double)some > 15.0 && sum / (double)some < 60.0,
     "%s: mean energy %.3g eV at %zu nodes", scenes[i].name, sum / (double)some, some);
  free(energy);
  free(number);
}

static void places(size_t i)
{
  static const char *const axis[3] = {"x", "y", "z"};
  for (int d = 0; d < scenes[i].dim; d++) {
    size_t n = 0, m = 0, wrong = 0;
    double *a = command_nc_read(FULL, axis[d], &n),
           *b = command_nc_read(COARSE, axis[d], &m);
    const size_t k = (size_t)scenes[i].factor;
    for (size_t j = 0; a != NULL && b != NULL && j < m && j * k < n; j++)
      wrong += b[j] != a[j * k];
    ok(n == scenes[i].cells[d] + 1 && m == scenes[i].cells[d] / k + 1 && wrong == 0,
       "%s: %zu places along %s", scenes[i].name, m, axis[d]);
    free(a);
    free(b);
  }
}

int main(void)
{
  static const char *const values[] = {"potential", "electric_field_x",
                                       "average_a_potential",
                                       "average_a_electric_field_x"},
                           *const means[] = {
                               "charge_density", "density_e", "density_i", "flux_e_x",
                               "average_a_density_e", "average_a_flux_e_x",
                               "average_a_charge_density", "average_a_rate_elastic_e",
                               "average_a_rate_ionization_e",
                               /* the last: not in r-z */
                               "average_a_power_e"};
  for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
    char options[64];
    snprintf(options, sizeof options, "--set plasma.fields_coarsening=%d",
             scenes[i].factor);
    is_int(command_run(FILE_NAME, scenes[i].text, "", FULL, ""), 0, "%s: runs",
           scenes[i].name);
    is_int(command_run(FILE_NAME, scenes[i].text, "", COARSE, options), 0, "%s: coarser",
           scenes[i].name);
    places(i);
    for (size_t j = 0; j < sizeof values / sizeof values[0]; j++)
      compare(i, values[j], 1);
    for (size_t j = 0; j < sizeof means / sizeof means[0] - (size_t)scenes[i].is_rz; j++)
      compare(i, means[j], 0);
    if (scenes[i].is_rz) {
      kept(i, "charge_density");
      kept(i, "density_e");
    }
    energies(i);
  }
  command_write(FILE_NAME, scenes[1].text);
  is_int(command("%s check " FILE_NAME " --device cpu --set plasma.fields_coarsening=3",
                 command_wilson()),
         2, "3 of 16 cells");
  ok(strstr(command_err,
            "3 does not divide the 16 cells along an axis; allowed: 1, 2, 4") != NULL,
     "says what is allowed: %s", command_err);
  is_int(command("%s check " FILE_NAME " --device cpu --set plasma.fields_coarsening=4",
                 command_wilson()),
         0, "a check");
  ok(strstr(command_out, "maps in the output file before compression") != NULL,
     "says how large the maps are");
  remove(FILE_NAME);
  remove(FULL);
  remove(COARSE);
  return done();
}
