/* t0748-integrals.c - defends: the displacement current of integrals is eps0 times
 * the derivative of the field's integral.  Between plates on a sine of voltage without any
 * charge it is that sine's derivative, along either axis of a plane, and 0 across it.  Where a
 * side holds E at 0 and no particle passes it, no current flows anywhere, so that the displacement
 * current is that of the particles with the other sign, to the second order of the step.
 * Without a field and collisions the energy that the sides took is what the particles lack.
 * Between walls of different voltages along every axis Gauss's law holds, in two and three dimensions.
 * A file that is written in several blocks of rows has no seam.  Rows of every n-th step
 * (plasma.integrals_interval) are to the last bit those that a run has which writes all, with
 * collisions, births, walls and ions that move in every third step.
 *
 * No random error: what is compared is exact but for the differences of the step. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/gpu.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0748.cfg"
#define OUT       "t0748.nc"
#define ALL       "t0748-all.nc"

static double *read(const char *name, size_t per_row, size_t rows)
{
  size_t n = 0;
  double *all = command_nc_read(OUT, name, &n);
  if (!ok(all != NULL && n == per_row * rows, "%s: %zu rows of %zu", name, rows, per_row))
    abort();
  return all;
}

static void run(const char *text, const char *device)
{
  command_write(FILE_NAME, text);
  remove(OUT);
  if (!is_int(
          command("%s run %s --quiet --device %s", command_wilson(), FILE_NAME, device),
          0, "a run on %s", device))
    diag("%s", command_err);
}

/* 600 rows: two blocks and a part of one.  One particle of next to no charge is there, as a
 * plasma has a species. */
static void capacitor(const char *device, int along)
{
  enum { ROWS = 600 };
  static const char *const walls[2] = {
      "x_low = { field = \"dirichlet\"; amplitude = \"3 V\"; frequency = \"10 MHz\"; }; "
      "x_high = { field = \"dirichlet\"; voltage = \"1 V\"; }; y_low = { field = "
      "\"periodic\"; }; y_high = { field = \"periodic\"; };",
      "x_low = { field = \"neumann\"; particles = \"reflect\"; }; x_high = { field = "
      "\"neumann\"; particles = \"reflect\"; }; y_low = { field = \"dirichlet\"; voltage "
      "= \"1 V\"; }; y_high = { field = \"dirichlet\"; amplitude = \"3 V\"; frequency = "
      "\"10 MHz\"; };"};
  const double dt = 0.4e-9, omega = 2.0 * WN_PI * 10e6, width = along == 0 ? 4e-3 : 5e-3;
  char text[2048];
  snprintf(
      text, sizeof text,
      "model = \"plasma\"; threads = 1; duration = \"240 ns\"; grid = { cells = [10, 8]; "
      "length = "
      "[\"5 mm\", \"4 mm\"]; };\nwalls = { %s };\nplasma = { time_step = \"0.4 ns\"; "
      "};\nspecies = { e = { density = \"1e-3 m-3\"; per_cell = 1; charge = 1e-12; mass "
      "= \"1 u\"; }; };\noutput = \"" OUT "\";\n",
      walls[along]);
  run(text, device);
  double *t = read("time", 1, ROWS), *current = read("displacement_current", 3, ROWS);
  double worst = 0.0, across = 0.0;
  for (int i = 1; i < ROWS - 1; i++) {
    /* the central difference of V_low - V_high, half a wave of x_low later than y_high's */
    const double sign = along == 0 ? 1.0 : -1.0,
                 expected = sign * WN_EPS0 * width * 3.0 *
                            (sin(omega * (t[i] + dt)) - sin(omega * (t[i] - dt))) /
                            (2.0 * dt);
    worst = fmax(worst, fabs(current[3 * i + along] - expected));
    across = fmax(across, fabs(current[3 * i + 1 - along]));
  }
  const double size = WN_EPS0 * width * 3.0 * omega;
  is_near(worst / size, 0.0, 1e-9, "%s, %c: eps0 dV/dt", device, "xy"[along]);
  is_near(across / size, 0.0, 1e-9, "%s, %c: nothing across", device, "xy"[along]);
  is_near(current[along] / size, (along == 0 ? 1.0 : -1.0) * cos(omega * dt), 1e-3,
          "%s, %c: the first row, by one difference", device, "xy"[along]);
  free(t), free(current);
}

/* Cold electrons that stand beside ions at rest, between a mirror with E = 0 and a plate: they
 * reach neither, where a mean of velocities would not be their motion. */
static void closed(const char *device)
{
  enum { ROWS = 300 };
  static const char text[] =
      "model = \"plasma\"; threads = 1; duration = \"15 ns\"; grid = { cells = [64]; "
      "length = [\"20 "
      "mm\"]; };\nwalls = { x_low = { field = \"neumann\"; particles = \"reflect\"; }; "
      "x_high = { field = \"dirichlet\"; particles = \"reflect\"; }; };\nplasma = { "
      "time_step = \"0.05 ns\"; allow = [\"debye-length\"]; };\nspecies = {\n"
      " e = { density = \"1e15 m-3\"; per_cell = 40; profile = \"gaussian\"; centre = "
      "[\"8 mm\"]; width = [\"2 mm\"]; temperature = \"1 meV\"; };\n"
      " i = { density = \"1e15 m-3\"; per_cell = 40; profile = \"gaussian\"; centre = "
      "[\"9 mm\"]; width = [\"2 mm\"]; charge = 1.0; mass = \"40 u\"; mobile = false; };"
      " };\noutput = \"" OUT "\";\n";
  run(text, device);
  double *field = read("displacement_current", 3, ROWS), *flow = read("current", 6, ROWS);
  double worst = 0.0, size = 0.0;
  for (int i = 1; i < ROWS - 1; i++) {
    worst = fmax(worst, fabs(field[3 * i] + flow[6 * i] + flow[6 * i + 3]));
    size = fmax(size, fabs(flow[6 * i]));
  }
  diag("%s: currents to %.3g A m, their sum to %.3g of it", device, size, worst / size);
  ok(size > 0.0, "%s: a current flows", device);
  /* omega dt = 0.09: of the second order, (omega dt)^2/6 and /8, is 0.1 %; few hot ones end
   * at a side */
  is_near(worst / size, 0.0, 0.005, "%s: the field's current and that of particles are 0",
          device);
  free(field), free(flow);
}

/* A wave of cold electrons that stand, between ions: E = e n A/(eps0 k) sin kx, of which the
 * energy is eps0 E^2/4 a volume.  What shapes of points take from it is sinc^2(kh/2) of the
 * charge, 0.04 %; the electrons move by (omega dt)^2/2 = 0.1 % of the way in a step. */
static void wave(const char *device)
{
  static const char text[] =
      "model = \"plasma\"; threads = 1; duration = \"0.05 ns\"; grid = { cells = [64]; "
      "length = [\"20 mm\"]; };\nplasma = { time_step = \"0.025 ns\"; solver = "
      "\"spectral\"; background = true; };\nspecies = { e = { density = \"1e15 m-3\"; "
      "per_cell = 1000; amplitude = 0.1; mode = [1]; }; };\n"
      "output = \"" OUT "\";\n";
  run(text, device);
  double *energy = read("field_energy", 1, 2);
  const double k = 2.0 * WN_PI / 20e-3, e = WN_E * 1e14 / (WN_EPS0 * k);
  is_close(energy[0], 0.25 * WN_EPS0 * e * e * 20e-3, 0.005,
           "%s: the energy of a wave in the field", device);
  free(energy);
}

/* Species without collisions leave through two sides; fields of so few are nothing.
 * Kinetic energies are means of those before and after a step, as must be what the sides
 * took. */
static void to_the_sides(const char *device)
{
  enum { ROWS = 300 };
  static const char text[] =
      "model = \"plasma\"; threads = 1; duration = \"15 ns\"; grid = { cells = [64]; "
      "length = [\"20 mm\"]; };\nwalls = { x_low = { field = \"dirichlet\"; }; "
      "x_high = { field = \"dirichlet\"; }; };\nplasma = { "
      "time_step = \"0.05 ns\"; };\nspecies = {\n"
      " e = { density = \"1e-3 m-3\"; per_cell = 40; drift = [\"800 km/s\", \"0\", "
      "\"0\"]; "
      "temperature = \"1 eV\"; };\n"
      " i = { density = \"2e-3 m-3\"; per_cell = 40; temperature = \"1 keV\"; charge = "
      "1.0; mass = \"1 u\"; }; };\noutput = \"" OUT "\";\n";
  run(text, device);
  double *kinetic = read("kinetic_energy", 2, ROWS), *wall = read("wall_energy", 2, ROWS);
  for (int k = 0; k < 2; k++) {
    const double all = kinetic[k] + 0.5 * wall[k];
    double worst = 0.0;
    for (int i = 1; i < ROWS; i++)
      worst = fmax(worst, fabs(kinetic[2 * i + k] +
                               0.5 * (wall[2 * (i - 1) + k] + wall[2 * i + k]) - all));
    const double part = wall[2 * (ROWS - 1) + k] / all;
    ok(part > 0.02 && part < 0.98, "%s, %c: the sides took %.0f %% of the energy", device,
       "ei"[k], 100.0 * part);
    /* the energies of a species are sums of single-precision velocities */
    is_near(worst / all, 0.0, 1e-7, "%s, %c: which the particles lack", device, "ei"[k]);
  }
  free(kinetic), free(wall);
}

/* Walls of different voltages along every axis, which meet: roundings of the potential are left. */
static void meeting_walls(const char *device, int dim)
{
  enum { ROWS = 5 };
  const int is_3d = dim == 3;
  char text[2048];
  snprintf(
      text, sizeof text,
      "model = \"plasma\"; threads = 1; duration = \"0.25 ns\"; grid = { cells = [10, "
      "8%s]; "
      "length = [\"5 mm\", \"4 mm\"%s]; };\nwalls = { x_low = { field = \"dirichlet\"; "
      "voltage = \"100 V\"; }; x_high = { field = \"dirichlet\"; voltage = \"-40 V\"; }; "
      "y_low = { field = \"dirichlet\"; }; y_high = { field = \"dirichlet\"; voltage = "
      "\"10 V\"; };%s };\nplasma = { time_step = \"0.05 ns\"; };\nspecies = { e = { "
      "density = \"1e11 m-3\"; per_cell = 4; temperature = \"1 eV\"; }; };\noutput = "
      "\"" OUT "\";\n",
      is_3d ? ", 6" : "", is_3d ? ", \"3 mm\"" : "",
      is_3d ? " z_low = { field = \"dirichlet\"; voltage = \"-70 V\"; }; z_high = { "
              "field = "
              "\"neumann\"; particles = \"reflect\"; };"
            : "");
  run(text, device);
  double *gauss = read("gauss_error", 1, ROWS), *n = read("particles", 1, ROWS);
  double worst = 0.0;
  for (int i = 0; i < ROWS; i++)
    worst = fmax(worst, fabs(gauss[i]) / (WN_E * n[0]));
  is_near(worst, 0.0, 1e-9, "%s, %d-D: Gauss's law where walls meet", device, dim);
  free(gauss), free(n);
}

/* ---- every n-th step */

static const char discharge[] =
    "model = \"plasma\"; threads = 1; duration = \"12 ns\"; seed = 3;\n"
    "grid = { cells = [40]; length = [\"5 mm\"]; };\n"
    "walls = { x_low = { field = \"dirichlet\"; amplitude = \"400 V\"; frequency = "
    "\"60 MHz\"; yield = 0.3; }; x_high = { field = \"dirichlet\"; }; };\n"
    "gas = { pressure = \"200 Pa\"; temperature = \"300 K\"; components = { Ar = { file "
    "= "
    "\"builtin:argon\"; }; }; };\n"
    "species = { e = { density = \"2e14 m-3\"; per_cell = 15; temperature = \"20 eV\"; "
    "collisions = \"gas\"; ions = \"i\"; };\n"
    " i = { density = \"2e14 m-3\"; per_cell = 15; temperature = \"0.1 eV\"; charge = "
    "1.0; "
    "mass = \"39.948 u\"; collisions = \"gas\"; subcycling = 3; }; };\n"
    "plasma = { time_step = \"20 ps\"; allow = [\"cell-crossing\"]; modes = [1, 3]; "
    "};\noutput = \"" OUT "\";\n";

static void run_every(const char *device, int n, const char *out)
{
  command_write(FILE_NAME, discharge);
  remove(out);
  if (!is_int(command("%s run %s --quiet --device %s --output %s --set "
                      "'plasma.integrals_interval=\"%d ps\"'",
                      command_wilson(), FILE_NAME, device, out, 20 * n),
              0, "%s, every %d steps", device, n))
    diag("%s", command_err);
}

/* Numbers of a row that are not those of that step in ALL. */
static int other_numbers(const char *name, int n, size_t steps)
{
  size_t n_all = 0, n_some = 0;
  double *all = command_nc_read(ALL, name, &n_all),
         *some = command_nc_read(OUT, name, &n_some);
  const size_t width = n_all / steps, rows = steps / (size_t)n;
  int wrong = 0;
  if (all == NULL || some == NULL || n_some != rows * width)
    wrong = -1;
  for (size_t r = 0; r < rows && wrong >= 0; r++)
    for (size_t i = 0; i < width; i++)
      wrong += !(some[r * width + i] == all[((r + 1) * (size_t)n - 1) * width + i]);
  free(all), free(some);
  return wrong;
}

static void every_nth(const char *device)
{
  static const char *const names[] = {
      "time",           "field_energy",   "total_charge",     "gauss_error",
      "kinetic_energy", "momentum",       "current",          "displacement_current",
      "particles",      "wall_particles", "wall_charge",      "potential_mode",
      "born_particles", "field_work",     "collision_energy", "wall_energy"};
  const size_t steps = 600;
  size_t n_born = 0;
  run_every(device, 1, ALL);
  double *born = command_nc_read(ALL, "born_particles", &n_born);
  ok(born != NULL && born[n_born - 2] > 0.0, "%s: electrons were born", device);
  free(born);
  for (int n = 2; n <= 7; n += n == 2 ? 1 : 4) {
    int wrong = 0;
    run_every(device, n, OUT);
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
      const int here = other_numbers(names[k], n, steps);
      if (here != 0)
        diag("%s: %d", names[k], here);
      wrong += here != 0;
    }
    is_int(wrong, 0, "%s, every %d steps: columns that are not those of the same steps",
           device, n);
  }
}

int main(void)
{
  const char *why;
  plan(0);
  capacitor("cpu", 0);
  capacitor("cpu", 1);
  closed("cpu");
  wave("cpu");
  to_the_sides("cpu");
  meeting_walls("cpu", 2);
  meeting_walls("cpu", 3);
  every_nth("cpu");
  if (gpu_there(&why)) {
    capacitor("cuda", 0);
    capacitor("cuda", 1);
    closed("cuda");
    wave("cuda");
    to_the_sides("cuda");
    meeting_walls("cuda", 2);
    meeting_walls("cuda", 3);
    every_nth("cuda");
  } else {
    if (gpu_required())
      ok(0, "a GPU: %s", why);
    skip(1, "the same on a GPU: %s", why);
  }
  remove(FILE_NAME);
  remove(OUT);
  remove(ALL);
  return done();
}
