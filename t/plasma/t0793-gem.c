/* t0793-gem.c - defends: the implicit midpoint mover and the ten moments of a whole run are those of a second
 * program (t/tap/midpoint_reference.h, double precision, plain loops; itself beside sputniPIC in
 * bench/RESULTS.md): four species in the current sheet of the GEM challenge, particles from files with
 * weights of their own.  In the units of these codes (lengths c/omega_0, densities over 4 pi, up to 0.09) each
 * node of all moments and of the net charge is within 1e-6 after 10 steps, within 5e-6 and 99 % of them within
 * 1e-6 after 100.
 *
 * The differences are those of single precision and of 2^-20 of a weight for each particle and node: 1.4e-7 and
 * 7.6e-7.  All is exact arithmetic, the same on every machine. */
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/midpoint_reference.h"
#include "t/tap/tap.h"

#define OUT     "t0793.nc"
#define NX      32
#define NY      16
#define NODES   ((NX + 1) * (NY + 1))
#define EACH    3 /* particles of a cell along each axis, and layers of them */
#define N       (NX * NY * EACH * EACH * EACH)
#define LX      5.0
#define LY      2.5
#define DELTA   0.5
#define B0      0.0195
#define DT      0.25
#define N0      1e5 /* m-3 */
#define FOUR_PI (4.0 * WN_PI)

static const struct species {
  const char *name;
  double charge, mass; /* e, electron masses */
  double thermal, drift, density;
  int sheet;
} all[] = {
    {"electrons", -1.0, 1.0, 0.045, 0.0065, 1.0, 1},
    {"ions", 1.0, 64.0, 0.0126, -0.0325, 1.0, 1},
    {"background_electrons", -1.0, 1.0, 0.045, 0.0, 0.1, 0},
    {"background_ions", 1.0, 64.0, 0.0126, 0.0, 0.1, 0},
};
enum { SPECIES = sizeof all / sizeof all[0] };

static const char *const moment[10] = {"rho", "Jx",  "Jy",  "Jz",  "Pxx",
                                       "Pxy", "Pxz", "Pyy", "Pyz", "Pzz"};

static double x[SPECIES][N][3], u[SPECIES][N][3], q[SPECIES][N];
static double b[3][NODES], zero[NODES];

static double uniform(void)
{
  static uint64_t state = 793;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(state >> 11) * 0x1p-53;
}

/* Particles at the places of sputniPIC's, EACH^2 and as many again above each other; velocities near a
 * Maxwellian, but limited. */
static void draw(void)
{
  for (int s = 0; s < SPECIES; s++)
    for (int i = 0; i < N; i++) {
      const int in = i % (EACH * EACH), cell = i / (EACH * EACH * EACH);
      x[s][i][0] = (cell % NX + (in % EACH + 0.5) / EACH) * LX / NX;
      x[s][i][1] = (cell / NX + (in / EACH + 0.5) / EACH) * LY / NY;
      for (int d = 0; d < 3; d++) {
        double sum = -6.0;
        for (int k = 0; k < 12; k++)
          sum += uniform();
        /* what a record holds */
        u[s][i][d] =
            (double)(float)((all[s].thermal * sum + (d == 2 ? all[s].drift : 0.0)) *
                            WN_C) /
            WN_C;
      }
      const double y = (x[s][i][1] - 0.5 * LY) / DELTA;
      const double w = all[s].density * (all[s].sheet ? 1.0 / (cosh(y) * cosh(y)) : 1.0);
      q[s][i] =
          all[s].charge * w / FOUR_PI * (LX / NX) * (LY / NY) / (EACH * EACH * EACH);
    }
}

/* Harris's sheet and a perturbation in the middle: B = B0 tanh + grad psi x z. */
static void magnetic(void)
{
  for (int i = 0; i < NODES; i++) {
    const double X = (i % (NX + 1) * LX / NX - 0.5 * LX) / DELTA,
                 Y = (i / (NX + 1) * LY / NY - 0.5 * LY) / DELTA, k = WN_PI / 10.0,
                 e = 0.4 * B0 * exp(-X * X - Y * Y);
    b[0][i] = B0 * tanh(Y) - e * cos(k * X) * (2.0 * Y * cos(k * Y) + k * sin(k * Y));
    b[1][i] = e * cos(k * Y) * (2.0 * X * cos(k * X) + k * sin(k * X));
  }
}

static void nc(int status)
{
  if (status == NC_NOERR)
    return;
  printf("Bail out! netCDF: %s\n", nc_strerror(status));
  exit(1);
}

/* unit: m of a length of 1. */
static void write_particles(int s, double unit)
{
  char path[64];
  int file, dim[3], place, velocity, weight;
  static double at[N][2], v[N][3], w[N];
  snprintf(path, sizeof path, "t0793-%s.nc", all[s].name);
  for (int i = 0; i < N; i++) {
    for (int d = 0; d < 2; d++)
      at[i][d] = x[s][i][d] * unit;
    for (int d = 0; d < 3; d++)
      v[i][d] = u[s][i][d] * WN_C;
    w[i] = fabs(q[s][i]) * FOUR_PI / ((LX / NX) * (LY / NY) / (EACH * EACH * EACH));
  }
  nc(nc_create(path, NC_CLOBBER | NC_NETCDF4, &file));
  nc(nc_def_dim(file, "particle", N, &dim[0]));
  nc(nc_def_dim(file, "axis", 2, &dim[1]));
  nc(nc_def_var(file, "position", NC_DOUBLE, 2, dim, &place));
  nc(nc_def_dim(file, "component", 3, &dim[1]));
  nc(nc_def_var(file, "velocity", NC_DOUBLE, 2, dim, &velocity));
  nc(nc_def_var(file, "weight", NC_DOUBLE, 1, dim, &weight));
  nc(nc_enddef(file));
  nc(nc_put_var_double(file, place, &at[0][0]));
  nc(nc_put_var_double(file, velocity, &v[0][0]));
  nc(nc_put_var_double(file, weight, w));
  nc(nc_close(file));
}

/* Differences over all nodes, in the units of the reference. */
static void compare(const char *what, const double *got, double factor, const double *of,
                    double each, double most_within)
{
  double worst = 0.0;
  int within = 0;
  for (int i = 0; i < NODES; i++) {
    const double d = fabs(got[i] * factor - of[i]);
    worst = fmax(worst, d);
    within += d < 1e-6;
  }
  ok(worst < each && within >= most_within * NODES, "%s: worst %.2e, %.1f %% within 1e-6",
     what, worst, 100.0 * within / NODES);
}

/* row: of the maps; step: what it is the end of. */
static void check_row(const struct midpoint_grid *g, size_t row, int step, double each,
                      double most_within)
{
  static double of[10][NODES], sum[3][NODES];
  double *out[10];
  char name[64], what[96];
  memset(sum, 0, sizeof sum);
  for (int m = 0; m < 10; m++)
    out[m] = of[m];
  for (int s = 0; s < SPECIES; s++) {
    const double per_density = 1.0 / (WN_E * N0 * FOUR_PI),
                 charge_per_mass = all[s].charge * WN_E / (all[s].mass * WN_ME);
    midpoint_moments(g, N, x[s], u[s], q[s], out);
    for (int m = 0; m < 10; m++) {
      if (m == 0)
        snprintf(name, sizeof name, "rho_%s", all[s].name);
      else
        snprintf(name, sizeof name, "%c_%s_%s", moment[m][0], all[s].name, moment[m] + 1);
      double *v = command_nc_read(OUT, name, &(size_t){0});
      snprintf(what, sizeof what, "step %d, %s", step, name);
      if (!ok(v != NULL, "there is a %s", name))
        continue;
      compare(what, v + row * NODES,
              m == 0  ? per_density
              : m < 4 ? per_density / WN_C
                      : per_density / (WN_C * WN_C) * charge_per_mass,
              of[m], each, most_within);
      if (m == 0)
        for (int i = 0; i < NODES; i++) {
          sum[0][i] += of[0][i];
          sum[all[s].charge < 0.0 ? 1 : 2][i] += of[0][i];
        }
      free(v);
    }
  }
  double *net = command_nc_read(OUT, "rho_net", &(size_t){0});
  snprintf(what, sizeof what, "step %d, rho_net", step);
  if (ok(net != NULL, "there is a rho_net"))
    compare(what, net + row * NODES, 1.0 / (WN_E * N0 * FOUR_PI), sum[0], each,
            most_within);
  free(net);
}

int main(void)
{
  const double omega = sqrt(N0 * WN_E * WN_E / (WN_EPS0 * 64.0 * WN_ME));
  static char text[4096];
  struct midpoint_grid g = {.dim = 2,
                            .cells = {NX, NY, 1},
                            .length = {LX, LY, 1.0},
                            .periodic = {1, 0, 1},
                            .e = {zero, zero, zero},
                            .b = {b[0], b[1], b[2]}};
  draw();
  magnetic();
  int n = snprintf(
      text, sizeof text,
      "model = \"plasma\";\n"
      "grid = { cells = [%d, %d]; length = [\"%g c / omega_0\", \"%g c / omega_0\"]; };\n"
      "walls = { y_low = { field = \"neumann\"; }; y_high = { field = \"neumann\"; }; "
      "};\n"
      "species = {\n",
      NX, NY, LX, LY);
  for (int s = 0; s < SPECIES; s++) {
    write_particles(s, WN_C / omega);
    n += snprintf(
        text + n, sizeof text - (size_t)n,
        "%s = { charge = %.1f; mass = \"%g me\"; density = \"1e5 m-3\"; per_cell = %d;"
        " profile = \"file\"; file = \"t0793-%s.nc\"; };\n",
        all[s].name, all[s].charge, all[s].mass, EACH * EACH * EACH, all[s].name);
  }
  snprintf(
      text + n, sizeof text - (size_t)n,
      "};\nplasma = { reference = \"ions\"; time_step = \"0.25 / omega_0\"; field = "
      "\"nodes\";\n"
      "  nodes = { formula = \"harris\"; sheet_field = \"0.0195 m omega_0 / q\"; "
      "sheet_thickness = \"0.5 c / "
      "omega_0\"; local_perturbation = 0.4; };\n"
      "  mover = \"implicit-midpoint\"; midpoint = { iterations = 3; }; velocities = 3;\n"
      "  moments_interval = \"10 steps\"; };\nduration = \"100 steps\"; threads = 1;\n");
  const int ran = command_run("t0793.cfg", text, "", OUT, "--quiet") == 0;
  for (int s = 0; s < SPECIES; s++) {
    char path[64];
    snprintf(path, sizeof path, "t0793-%s.nc", all[s].name);
    remove(path);
  }
  if (!ok(ran, "the sheet runs"))
    return done();
  for (int step = 1; step <= 100; step++) {
    for (int s = 0; s < SPECIES; s++)
      midpoint_advance(&g, N, x[s], u[s], (all[s].charge < 0.0 ? -64.0 : 1.0), DT, 3);
    if (step == 10)
      check_row(&g, 0, step, 1e-6, 1.0);
    if (step == 100)
      check_row(&g, 9, step, 5e-6, 0.99);
  }
  remove(OUT);
  return done();
}
