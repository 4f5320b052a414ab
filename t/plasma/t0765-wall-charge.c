/* t0765-wall-charge.c - defends: the charge that particles bring to a wall in a circuit, or to a dielectric.
 *
 *   - A sheet of next to no charge that crosses the gap: a dielectric of thickness d, or a capacitor eps0/d,
 *     is d of gap more.  With q at x between metals at the distances a and b from the walls the
 *     potential of the low wall is q/eps0 a (L - x + b)/(a + L + b), and the current of the loop q v/(a +
 *     L + b), at the middle of every step, before and after the sheet ends at a wall.  Exact.
 *   - A beam charges a floating wall to the energy of its electrons.  Where nothing of charge lies behind
 *     the wall, a sheet of the beam is decelerated by those before it alone, the absorbed ones
 *     included, so that each moves with constant acceleration, none overtakes, and sheet number i
 *     arrives exactly if (i + 1/2) q/eps0 (L - x_i) is below its energy.
 *   - In a discharge with collisions, births, secondary electrons, ions that move in every third step and
 *     circuits at both walls, Gauss's law at a wall gives the charge of circuit and particles to rounding
 *     in every row, and walls and grid together have no charge.
 *   - Convected charge is between what the walls had taken before and after the step.
 *   - A blocking capacitor takes the constant part of the voltage between equal walls; the bias by a
 *     second harmonic changes its sign with that of the harmonic.
 *   - What sources give, less what resistors and circuits have, is the energy of the plasma and of what
 *     walls took.
 *   - A capacitor of 1e6 F/m2 is a wire, one of 1e-20 F/m2 none; walls without circuits have the
 *     bits that they had (t0530).
 *   - The integral of the current is the charge that came by the circuit.
 *
 * Random errors in the mean potential beside a capacitor alone (5 standard errors, one seed): the rest is
 * exact but for single precision and the shape of particles. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0765.cfg"
#define OUT       "t0765.nc"
#define OTHER     "t0765-other.nc"

static double *read_of(const char *path, const char *name, size_t *n)
{
  double *all = command_nc_read(path, name, n);
  if (all == NULL) {
    ok(0, "%s: is there", name);
    exit(done());
  }
  return all;
}

static double *read(const char *name)
{
  size_t n;
  return read_of(OUT, name, &n);
}

static size_t rows(void)
{
  size_t n;
  free(read_of(OUT, "time", &n));
  return n;
}

static int run(const char *text, const char *out)
{
  command_write(FILE_NAME, text);
  remove(out);
  const int status = command("%s run %s --quiet --device cpu --output %s",
                             command_wilson(), FILE_NAME, out);
  if (!is_int(status, 0, "a run"))
    diag("%s", command_err);
  return status;
}

/* ---- one sheet */

static void sheet(const char *name, const char *low, const char *high, double a, double b,
                  double speed)
{
  const double length = 5e-3, start = 2.5e-3, density = 1e10, dt = 20e-12;
  const double q = -WN_E * density * 0.5e-3; /* one cell of ten has it */
  char text[2048];
  snprintf(
      text, sizeof text,
      "model = \"plasma\"; threads = 1; duration = \"4 ns\"; grid = { cells = [10]; "
      "length = [\"5 mm\"]; };\nwalls = { x_low = { field = \"dirichlet\"; %s }; "
      "x_high = { field = \"dirichlet\"; %s }; };\nplasma = { time_step = \"20 ps\"; "
      "};\nspecies = { e = { density = \"%.17g m-3\"; per_cell = 1; charge = -1e-4; "
      "mass = \"1 u\"; profile = \"slab\"; centre = [\"2.5 mm\"]; width = [\"0.5 "
      "mm\"]; drift = [\"%.17g m/s\", \"0\", \"0\"]; }; };\n",
      low, high, 1e4 * density, speed);
  if (run(text, OUT) != 0)
    return;
  const size_t n = rows();
  double *t = read("time"), *phi = read("wall_potential"),
         *current = read("circuit_current"), *convected = read("convected_charge");
  double worst = 0.0, worst_current = 0.0, size = 0.0, brought = 0.0;
  const double whole = a + length + b;
  for (size_t i = 0; i < n; i++) {
    const double way = start + speed * t[i], x = fmin(fmax(way, 0.0), length),
                 at[2] = {q / WN_EPS0 * a * (length - x + b) / whole,
                          q / WN_EPS0 * b * (x + a) / whole};
    const int flies =
        way - 2.0 * speed * dt > 0.0 && way + 2.0 * fabs(speed) * dt < length;
    for (int k = 0; k < 2; k++) {
      size = fmax(size, fabs(at[k]));
      worst = fmax(worst, fabs(phi[2 * i + (size_t)k] - at[k]));
    }
    /* Q of the low wall falls as the sheet departs: -q (L - x + b)/whole */
    if (i > 2 && flies && way > 0.0)
      worst_current = fmax(worst_current, fabs(current[2 * i] - q * speed / whole));
    brought = convected[2 * i] + convected[2 * i + 1];
  }
  is_near(brought / q, 1.0, 1e-12, "%s: the sheet has ended at a wall", name);
  /* a place has 2^-26 of a cell, and the step is a whole number of parts */
  is_near(worst / size, 0.0, 1e-6, "%s: the potentials", name);
  is_near(worst_current / fabs(q * speed / length), 0.0, 1e-4, "%s: the current", name);
  free(t), free(phi), free(current), free(convected);
}

/* ---- a beam */

/* Sheets that arrive, of n from the front at x[0] on, with the energy V and the charge q of each. */
static int arriving(int n, double length, double volt, double q, double front,
                    double apart)
{
  int i = 0;
  while (i < n && (i + 0.5) * q / WN_EPS0 * (length - (front - (i + 0.5) * apart)) < volt)
    i++;
  return i;
}

static void beam(void)
{
  const double length = 10e-3, width = 0.2e-3, ev = 50.0, density = 4e15,
               cell = length / 800.0;
  const int per_cell = 100, n = (int)(per_cell * width / cell + 0.5);
  const double q = WN_E * density * cell / per_cell,
               speed = sqrt(2.0 * ev * WN_E / WN_ME);
  char text[2048];
  snprintf(text, sizeof text,
           "model = \"plasma\"; threads = 1; duration = \"16 ns\"; grid = { cells = "
           "[800]; length = [\"10 mm\"]; };\nwalls = { x_low = { field = \"dirichlet\"; "
           "}; x_high = { field = \"dirichlet\"; capacitance = 0; }; };\nplasma = { "
           "time_step = \"2 ps\"; gather = \"energy\"; };\nspecies = { e = { density = "
           "\"%.17g m-3\"; per_cell = %d; profile = \"slab\"; centre = [\"0.1 mm\"]; "
           "width = [\"0.2 mm\"]; drift = [\"%.17g m/s\", \"0\", \"0\"]; }; };\n",
           density, per_cell, speed);
  if (run(text, OUT) != 0)
    return;
  const size_t last = rows() - 1;
  const int arrive = arriving(n, length, ev, q, width, width / n);
  double *phi = read("wall_potential"), *convected = read("convected_charge"),
         *taken = read("wall_charge"), *circuit = read("circuit_charge");
  size_t n_all;
  double *all = read_of(OUT, "particles", &n_all);
  diag("%d of %d sheets of the beam arrive: %g V", arrive, n,
       -arrive * q * length / WN_EPS0);
  ok(arrive > n / 4 && arrive < n / 2, "some of the beam arrive");
  is_near(all[n_all - 1], 0.0, 0.0, "nothing is left in the gap");
  is_close(convected[2 * last + 1], -arrive * q, 0.004,
           "the charge of the floating wall");
  is_close(phi[2 * last + 1], -ev, 0.02, "its potential is the energy of the beam");
  is_close(phi[2 * last + 1], -arrive * q * length / WN_EPS0, 0.004,
           "and what the sheets say");
  is_close(convected[2 * last] + convected[2 * last + 1], -n * q, 1e-12,
           "the others are back at the other wall");
  int outside = 0, moved = 0;
  double most = 0.0;
  for (size_t i = 1; i <= last; i++)
    for (size_t k = 0; k < 2;
         k++) { /* rows of wall_charge have six sides, and end a step */
      const double before = taken[6 * (i - 1) + k], after = taken[6 * i + k],
                   now = convected[2 * i + k], slack = 1e-12 * n * q;
      outside += now > before + slack || now < after - slack;
      moved += after < before && now < before - slack && now > after + slack;
      most = fmax(most, fabs(circuit[2 * i + 1]));
    }
  is_int(outside, 0,
         "convected charge is between what was taken before and after a step");
  ok(moved > 20, "and neither of them in %d steps", moved);
  is_near(most, 0.0, 0.0, "no current flows to a floating wall");
  free(phi), free(convected), free(taken), free(circuit), free(all);
}

/* ---- a discharge */

static const char *discharge(const char *low, const char *high, const char *more, int ns,
                             char text[4096])
{
  snprintf(
      text, 4096,
      "model = \"plasma\"; threads = 1; duration = \"%d ns\"; seed = 3;\n"
      "grid = { cells = [40]; length = [\"5 mm\"]; };\n"
      "walls = { x_low = { field = \"dirichlet\"; amplitude = \"400 V\"; frequency = "
      "\"60 MHz\"; yield = 0.3; %s }; x_high = { field = \"dirichlet\"; yield = 0.1; "
      "%s }; };\n"
      "gas = { pressure = \"200 Pa\"; temperature = \"300 K\"; components = { Ar = { "
      "file = \"builtin:argon\"; }; }; };\n"
      "species = { e = { density = \"2e14 m-3\"; per_cell = 20; temperature = \"20 "
      "eV\"; collisions = \"gas\"; ions = \"i\"; };\n"
      " i = { density = \"2e14 m-3\"; per_cell = 20; temperature = \"0.1 eV\"; charge "
      "= 1.0; mass = \"39.948 u\"; collisions = \"gas\"; subcycling = 3; };\n"
      " h = { density = \"1e14 m-3\"; per_cell = 10; temperature = \"5 eV\"; charge = "
      "-2.0; mass = \"1 u\"; drift = [\"200 km/s\", \"0\", \"0\"]; }; };\n"
      "plasma = { time_step = \"20 ps\"; mobility_steps = 2; allow = "
      "[\"cell-crossing\"]; %s };\n",
      ns, low, high, more);
  return text;
}

/* The charge of the beginning: that of species h, which nothing neutralizes, or the background does; but for
 * particles that are beyond the walls in the middle of the first step already. */
static void closes(const char *name, const char *low, const char *high, int neutral)
{
  char text[4096];
  if (run(discharge(low, high, neutral ? "background = true;" : "", 24, text), OUT) != 0)
    return;
  const size_t n = rows();
  double *gauss = read("surface_charge"), *circuit = read("circuit_charge"),
         *convected = read("convected_charge"), *grid = read("total_charge"),
         *taken = read("wall_particles"), *current = read("circuit_current"),
         *t = read("time");
  double size = 0.0, off = 0.0, all = 0.0, off_all = 0.0, integral = 0.0;
  const double first = grid[0] + convected[0] + convected[1];
  for (size_t i = 0; i < n; i++) {
    double sum = grid[i], moved = grid[i];
    for (size_t k = 0; k < 2; k++) {
      size = fmax(size, fabs(gauss[2 * i + k]));
      off = fmax(off, fabs(gauss[2 * i + k] - circuit[2 * i + k] - convected[2 * i + k]));
      sum += gauss[2 * i + k];
      moved += convected[2 * i + k];
    }
    all = fmax(all, fabs(sum));
    off_all = fmax(off_all, fabs(moved - first));
    if (i > 0)
      integral += 0.5 * (current[2 * i] + current[2 * i - 2]) * (t[i] - t[i - 1]);
  }
  const double *took = taken + 18 * (n - 1); /* [species][side] */
  for (int k = 0; k < 3; k++)
    ok(took[6 * k] > 1e8 || took[6 * k + 1] > 1e8, "%s: some of %c have ended at a wall",
       name, "eih"[k]);
  is_near(off / size, 0.0, 1e-12, "%s: Gauss's law at the walls", name);
  is_near(all / size, 0.0, 1e-12, "%s: walls and grid", name);
  is_near(off_all / size, 0.0, 1e-12, "%s: particles, in the gap and at the walls", name);
  is_near(first / (WN_E * 1e14 * 5e-3), neutral ? 0.0 : -2.0, neutral ? 0.02 : 1e-6,
          "%s: as many as at the start", name);
  is_near((integral - circuit[2 * n - 2] + circuit[0]) / size, 0.0, 0.02,
          "%s: the integral of the current is the charge", name);
  diag("%s: off by %.2g at the walls, %.2g, %.2g, and %.2g of the integral", name,
       off / size, all / size, off_all / size,
       (integral - circuit[2 * n - 2] + circuit[0]) / size);
  free(gauss), free(circuit), free(convected), free(grid), free(taken), free(current);
  free(t);
}

/* ---- energy */

/* Kinetic energy, with that of the particles which walls took, and that of the field change by what the
 * sources gave less what resistors and circuits have.  With the gather that conserves energy what is
 * left is of the second order of the step: 1.4e-5 of what was given, 3e-6 with half the step. */
static void energy(void)
{
  static const char text[] =
      "model = \"plasma\"; threads = 1; duration = \"30 ns\"; grid = { cells = [64]; "
      "length "
      "= [\"5 mm\"]; };\nwalls = { x_low = { field = \"dirichlet\"; amplitude = \"100 "
      "V\"; "
      "frequency = \"60 MHz\"; capacitance = \"5 nF/m2\"; resistance = \"3 ohm m2\"; "
      "inductance = \"20 nH m2\"; }; x_high = { field = \"dirichlet\"; resistance = \"1 "
      "ohm "
      "m2\"; }; };\nplasma = { time_step = \"20 ps\"; gather = \"energy\"; allow = "
      "[\"cell-crossing\"]; };\nspecies = { e = { density = \"4e14 m-3\"; per_cell = "
      "100; "
      "temperature = \"5 eV\"; }; i = { density = \"4e14 m-3\"; per_cell = 100; "
      "temperature "
      "= \"1 eV\"; charge = 1.0; mass = \"1 u\"; }; };\n";
  if (run(text, OUT) != 0)
    return;
  const size_t n = rows();
  double *kinetic = read("kinetic_energy"), *wall = read("wall_energy"),
         *field = read("field_energy"), *given = read("source_energy"),
         *lost = read("resistor_energy"), *stored = read("circuit_energy");
  double first = 0.0, worst = 0.0, most = 0.0, plasma[2] = {0.0, 0.0};
  for (size_t i = 0; i < n; i++) {
    plasma[1] = field[i];
    double circuits = 0.0;
    for (size_t k = 0; k < 2; k++) { /* sides' rows are those of the end of a step */
      plasma[1] += kinetic[2 * i + k] +
                   0.5 * (wall[2 * i + k] + (i > 0 ? wall[2 * (i - 1) + k] : 0.0));
      circuits += given[2 * i + k] - lost[2 * i + k] - stored[2 * i + k];
    }
    if (i == 0) {
      first = plasma[1] - circuits;
      plasma[0] = plasma[1];
    }
    worst = fmax(worst, fabs(plasma[1] - circuits - first));
    most = fmax(most, given[2 * i] + given[2 * i + 1]);
  }
  diag("energy: %.3g J/m2 given, %.2g of it to the plasma, off by %.2g of it", most,
       (plasma[1] - plasma[0]) / most, worst / most);
  ok((plasma[1] - plasma[0]) / most > 0.01, "the plasma gets energy");
  is_near(worst / most, 0.0, 5e-5, "the energies of plasma and circuits balance");
  free(kinetic), free(wall), free(field), free(given), free(lost), free(stored);
}

/* ---- self-bias */

enum { PER_PERIOD = 80, FIRST = 6, PERIODS = 12, SEEDS = 5 };

/* Mean potential of the low wall, of 1 nF/m2 in series with a voltage, over the periods after the first. */
static double biased(const char *voltage, int seed)
{
  char text[2048];
  snprintf(
      text, sizeof text,
      "model = \"plasma\"; threads = 1; seed = %d; duration = \"200 ns\"; grid "
      "= { "
      "cells = [100]; length = [\"10 mm\"]; };\nwalls = { x_low = { field = "
      "\"dirichlet\"; "
      "%s frequency = \"60 MHz\"; capacitance = \"1 nF/m2\"; }; x_high = { field = "
      "\"dirichlet\"; }; };\nplasma = { time_step = \"20.8333333333 ps\"; "
      "integrals_interval = \"208.333333333 ps\"; allow = [\"cell-crossing\"]; "
      "};\nspecies = "
      "{ e = { density = \"1e15 m-3\"; per_cell = 20; temperature = \"3 eV\"; loading = "
      "\"random\"; }; i = { density = \"1e15 m-3\"; per_cell = 20; temperature = \"30 "
      "meV\"; charge = 1.0; mass = \"40 u\"; loading = \"random\"; }; };\n",
      seed, voltage);
  if (run(text, OUT) != 0 || rows() != PERIODS * PER_PERIOD)
    return NAN;
  double *phi = read("wall_potential"), mean = 0.0;
  for (size_t i = FIRST * PER_PERIOD; i < PERIODS * PER_PERIOD; i++)
    mean += phi[2 * i] / ((PERIODS - FIRST) * PER_PERIOD);
  free(phi);
  return mean;
}

/* Of the seeds, with its standard error. */
static double mean_of(const double v[SEEDS], double *error)
{
  double mean = 0.0, square = 0.0;
  for (int i = 0; i < SEEDS; i++) {
    mean += v[i] / SEEDS;
    square += v[i] * v[i] / SEEDS;
  }
  *error = sqrt((square - mean * mean) / (SEEDS - 1));
  return mean;
}

/* Between equal walls, with as many electrons as ions lost in a period, a blocking capacitor takes the
 * constant part of the voltage, whatever it is.  A second harmonic makes a bias, as largest and smallest
 * voltage differ.  The negative of a voltage is the same with the walls exchanged, at all times, so its
 * bias is the negative of the other; both voltages begin at 0.  What few particles do in the first
 * periods lasts, so that errors are those of independent runs: 5 standard errors of five, t of 4 degrees,
 * 0.75 % of false alarms, with these seeds. */
static void self_bias(void)
{
  double rest[SEEDS], plus[SEEDS], both[SEEDS], error[3];
  for (int i = 0; i < SEEDS; i++) {
    rest[i] = biased("voltage = \"40 V\"; amplitude = \"100 V\";", i + 1);
    plus[i] = biased("amplitude = \"60 V\"; phase = \"150 deg\"; harmonics = [\"60 V\", "
                     "\"0\", \"0\"]; harmonic_phases = [\"-150 deg\", \"0\", \"0\"];",
                     i + 1);
    both[i] =
        plus[i] +
        biased("amplitude = \"-60 V\"; phase = \"150 deg\"; harmonics = [\"-60 V\", "
               "\"0\", \"0\"]; harmonic_phases = [\"-150 deg\", \"0\", \"0\"];",
               SEEDS + i + 1);
  }
  const double of_rest = mean_of(rest, &error[0]), of_plus = mean_of(plus, &error[1]),
               of_both = mean_of(both, &error[2]);
  diag("of 40 V the wall has %.2g(%.1g) V; by a harmonic it has %.3g(%.1g), in sum with "
       "the "
       "opposite %.2g(%.1g) V",
       of_rest, error[0], of_plus, error[1], of_both, error[2]);
  ok(error[0] < 1.0 && error[1] < 1.0 && error[2] < 1.0, "means are known to 1 V");
  is_near(of_rest, 0.0, 5.0 * error[0], "a blocking capacitor takes a constant voltage");
  ok(of_plus < -5.0 * error[1], "a second harmonic has a bias to the smaller extreme");
  is_near(of_both, 0.0, 5.0 * error[2], "with the walls exchanged it is the opposite");
}

/* ---- limits */

static double apart(const char *name)
{
  size_t n, m;
  double *a = read_of(OUT, name, &n), *b = read_of(OTHER, name, &m), most = 0.0,
         size = 0.0;
  for (size_t i = 0; i < n && n == m; i++) {
    size = fmax(size, fabs(a[i]));
    most = fmax(most, fabs(a[i] - b[i]));
  }
  free(a), free(b);
  return n == m ? most / size : NAN;
}

static void limit(const char *what, const char *at, const char *other)
{
  char text[4096];
  if (run(discharge(at, "", "", 12, text), OUT) != 0 ||
      run(discharge(other, "", "", 12, text), OTHER) != 0)
    return;
  diag("%s: %.2g, %.2g", what, apart("field_energy"), apart("wall_charge"));
  is_near(apart("field_energy"), 0.0, 1e-4, "%s: energy of the field", what);
  is_near(apart("wall_charge"), 0.0, 1e-3, "%s: charge that the walls took", what);
}

int main(void)
{
  plan(0);
  sheet("a floating wall", "", "capacitance = 0;", 0.0, 1e30, 1e6);
  sheet("two dielectrics",
        "dielectric_thickness = \"2 mm\"; dielectric_permittivity = 4.0;",
        "dielectric_thickness = \"1 mm\";", 0.5e-3, 1e-3, 1e6);
  sheet("a capacitor and a dielectric, to the low wall",
        "dielectric_thickness = \"2 mm\"; dielectric_permittivity = 4.0; capacitance = "
        "\"4.4270939089999998 nF/m2\";",
        "", 2.5e-3, 0.0, -1e6);
  beam();
  closes("a capacitor", "capacitance = \"10 nF/m2\";", "", 1);
  closes("circuits at both walls",
         "capacitance = \"10 nF/m2\"; resistance = \"1 ohm m2\"; inductance = \"10 nH "
         "m2\";",
         "resistance = \"2 ohm m2\"; dielectric_thickness = \"1 mm\"; "
         "dielectric_permittivity = 3.0;",
         0);
  closes("a floating wall beside a resistor", "resistance = \"1 ohm m2\";",
         "capacitance = 0;", 0);
  energy();
  self_bias();
  limit("a large capacitor", "capacitance = \"1e6 F/m2\";", "");
  limit("a small capacitor", "capacitance = \"1e-20 F/m2\";", "capacitance = 0;");
  remove(FILE_NAME);
  remove(OUT);
  remove(OTHER);
  return done();
}
