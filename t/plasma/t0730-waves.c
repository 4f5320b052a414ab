/* t0730-waves.c - defends: waves in plasmas without collisions, as a user runs them from
 * data/scenarios: a cold plasma swings at its plasma frequency; two cold streams grow by
 * 1/sqrt(8) of the plasma frequency, within 2 %; the total energy of a thermal plasma drifts
 * by less than 0.3 % in 100 periods; neither threads nor the scheduler change a bit.
 * Reference: the dispersion relations.  Landau damping: t0732. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/tap.h"
#include "t/tap/waves.h"

#define OUT "t0730.nc"

/* Of a density of electrons [1/m3], rad/s. */
static double plasma_frequency(double n)
{
  return sqrt(n * WN_E * WN_E / (WN_EPS0 * WN_ME));
}

static int run(const char *scenario, const char *options)
{
  const char *source = getenv("WN_SRCDIR");
  int status =
      command("%s run %s/data/scenarios/%s --quiet --output " OUT " %s", command_wilson(),
              source != NULL && *source ? source : ".", scenario, options);
  if (!is_int(status, 0, "%s runs %s", scenario, options))
    diag("%.800s", command_err);
  return status == 0;
}

/* The mode of the scenario that is asked; [2 n], one of n_modes; and the step. */
static double *mode_of(size_t *n, double *dt)
{
  size_t n_time;
  double *time = command_nc_read(OUT, "time", &n_time),
         *mode = command_nc_read(OUT, "potential_mode", n);
  *dt = time != NULL && n_time > 1 ? time[1] - time[0] : NAN;
  if (mode == NULL || n_time < 100)
    ok(0, "modes were written");
  *n = n_time;
  free(time);
  return mode;
}

static void oscillation(const char *options)
{
  size_t n;
  double dt, omega_p = plasma_frequency(1e15);
  if (!run("plasma-oscillation.cfg", options))
    return;
  double *y = mode_of(&n, &dt);
  if (y != NULL) {
    const struct wave w = wave_damped(y, 2, n, 8);
    is_close(w.omega / dt, omega_p, 2e-3, "a cold plasma swings at omega_p %s", options);
    is_near(w.gamma / dt / omega_p, 0.0, 1e-4, "and goes on swinging %s", options);
  }
  free(y);
}

static void two_stream(const char *options)
{
  size_t n, n_all;
  double dt, omega_p = plasma_frequency(1e15);
  if (!run("two-stream.cfg", options))
    return;
  double *all = mode_of(&n, &dt), *time = command_nc_read(OUT, "time", &n_all);
  if (all != NULL && n_all == n) {
    double *y = malloc(2 * n * sizeof *y);
    double most = 0.0;
    size_t from = 0, to = 0;
    for (size_t i = 0; i < n; i++) { /* three modes are written, the first is meant */
      y[2 * i] = all[6 * i], y[2 * i + 1] = all[6 * i + 1];
      most = fmax(most, hypot(y[2 * i], y[2 * i + 1]));
    }
    /* from where only the growing root is left, to 3 % of what it saturates at */
    while (from < n && time[from] < 10.0 / omega_p)
      from++;
    for (to = from; to < n && hypot(y[2 * to], y[2 * to + 1]) < 0.03 * most;)
      to++;
    ok(to > from + 50, "two streams: a wave grows by itself for a while %s", options);
    is_close(wave_growth(y + 2 * from, to - from) / dt / omega_p, sqrt(0.125), 0.02,
             "two streams: growth %s", options);
    free(y);
  }
  free(all);
  free(time);
}

static const char thermal[] =
    "model = \"plasma\";\n"
    "grid = { cells = [64]; length = \"15.045 mm\"; };\n" /* 64 Debye lengths */
    "species = { electrons = { density = \"1e15 m-3\"; temperature = \"1 eV\"; per_cell "
    "= "
    "200; loading = \"random\"; }; };\n"
    "plasma = { time_step = \"100 ps\"; background = true; };\n"
    "duration = \"352.2 ns\";\n"; /* 100 periods of the plasma frequency */

/* The total energy of 100 periods, over the first and the last of them. */
static void energy_is_kept(const char *what)
{
  size_t n = 0, n_other = 0;
  double *field = command_nc_read(OUT, "field_energy", &n),
         *kinetic = command_nc_read(OUT, "kinetic_energy", &n_other);
  if (ok(n > 1000 && n_other == n, "%s: 100 periods", what)) {
    double first = 0.0, last = 0.0;
    for (size_t i = 0; i < n / 100; i++) {
      first += field[i] + kinetic[i];
      last += field[n - 1 - i] + kinetic[n - 1 - i];
    }
    is_near(last / first - 1.0, 0.0, 0.003, "%s: keeps its energy", what);
  }
  free(field);
  free(kinetic);
}

static void energy(const char *options)
{
  command_write("t0730.cfg", thermal);
  is_int(
      command("%s run t0730.cfg --quiet --output " OUT " %s", command_wilson(), options),
      0, "a thermal plasma runs %s", options);
  energy_is_kept("a thermal plasma");
  remove("t0730.cfg");
}

/* With gather = "momentum" it heats sevenfold (doc/plasma.md, Limits). */
static void cold_energy(void)
{
  if (run("plasma-oscillation.cfg",
          "--set plasma.gather=energy --set 'duration=\"352.2 ns\"'"))
    energy_is_kept("a cold plasma");
}

static const char periodic[] =
    "model = \"plasma\";\n"
    "grid = { cells = [24, 20]; length = [\"5 mm\", \"4 mm\"]; };\n"
    "species = { electrons = { density = \"1e15 m-3\"; temperature = \"1 eV\"; per_cell "
    "= "
    "20; loading = \"random\"; }; };\n"
    "plasma = { time_step = \"20 ps\"; background = true; fields_interval = \"0.1 ns\"; "
    "};\n"
    "duration = \"0.2 ns\";\n";

/* Both ends of a periodic axis are one place: maps say the same of it. */
static void both_ends(void)
{
  static const char *const map[] = {"density_electrons", "charge_density", "potential"};
  enum { NX = 25, NY = 21 };
  command_write("t0730.cfg", periodic);
  is_int(command("%s run t0730.cfg --quiet --output " OUT, command_wilson()), 0,
         "a plasma in a periodic rectangle");
  remove("t0730.cfg");
  for (size_t m = 0; m < sizeof map / sizeof map[0]; m++) {
    size_t n, differ = 0, nothing = 0;
    double *v = command_nc_read(OUT, map[m], &n);
    if (ok(v != NULL && n >= NX * NY, "%s is there", map[m])) {
      for (size_t j = 0; j < NY; j++)
        differ += v[NX * j] != v[NX * j + NX - 1];
      for (size_t i = 0; i < NX; i++) {
        differ += v[i] != v[NX * (NY - 1) + i];
        nothing += v[i] == 0.0;
      }
      is_int((long long)differ, 0, "%s is the same at both ends", map[m]);
      is_int((long long)nothing, 0, "%s is not nothing there", map[m]);
    }
    free(v);
  }
}

/* Charge is summed in integers, and each particle moves by itself. */
static void same_bits(const char *scenario, const char *options)
{
  static const char *const other[] = {"--device cpu --threads 1",
                                      "--device cpu --threads 3",
                                      "--device cpu --scheduler serial"};
  char all[512];
  size_t n = 0;
  snprintf(all, sizeof all, "%s --device cpu", options);
  if (!run(scenario, all) || rename(OUT, "t0730-a.nc") != 0)
    return;
  for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
    snprintf(all, sizeof all, "%s %s", options, other[i]);
    if (!run(scenario, all))
      continue;
    const char *what = command_nc_differs("t0730-a.nc", OUT, &n);
    ok(what == NULL && n > 100, "%s: %s gives the same %zu numbers%s%s", scenario,
       other[i], n, what != NULL ? "; differs: " : "", what != NULL ? what : "");
  }
  remove("t0730-a.nc");
}

int main(void)
{
  plan(0);
  oscillation("");
  two_stream("");
  both_ends();
  same_bits("two-stream.cfg",
            "--set 'duration=\"1 ns\"' --set 'plasma.fields_interval=\"0.5 ns\"'");
  same_bits("landau-3d.cfg",
            "--set 'duration=\"0.1 ns\"' --set species.electrons.per_cell=3 --set "
            "plasma.shape=tsc --set plasma.gather=energy");
  if (!command_fast()) {
    energy("");
    energy("--set plasma.gather=energy");
    cold_energy();
    oscillation("--set plasma.shape=tsc");
    two_stream("--set plasma.solver=spectral --set plasma.shape=tsc");
  }
  remove(OUT);
  return done();
}
