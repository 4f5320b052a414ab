/* t0626-detectors.c - defends: detectors of runaway jobs (src/sim/detectors.h, src/diag/detectors.c).
 *  - Without collisions: electrons reach spheres after radius over speed, planes after distance over the speed along z, where
 *    they must be; in a field they have at each plane the energy of the potential, and what passes a plane behind the release comes back
 *    through it with the same energy, with a magnetic field, too.
 *  - In gas: all electrons that drift through a plane cross it once more outward than inward; with energy levels and
 *    without, as many cross; and detectors change nothing of a run.
 *  - The table is a sample whose weights stand for all crossings.
 *  - Threads, processes, schedulers and a restart change no bit; what cannot be is refused by name.
 * Fixed seeds; the statistical checks are four standard errors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/ranks.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define CFG  "t0626.cfg"
#define OUT  "t0626.nc"
#define MORE "t0626-more.nc"
#define T_EV 1e6
#define ROWS 200

static double at(const char *name, size_t i)
{
  return command_nc_at(OUT, name, i);
}

static int run(const char *out, const char *options)
{
  const int status =
      command("%s run " CFG " --quiet --output %s %s", command_wilson(), out, options);
  if (!is_int(status, 0, "runs: %s", options))
    diag("%.800s", command_err);
  return status == 0;
}

#define VACUUM                                                                           \
  "job = \"runaway\"; electrons = 96; groups = 8; initial_energy = \"1 MeV\";\n"         \
  "initial_spectrum = \"mono\"; duration = \"2 ns\";\n"                                  \
  "gas = { number_density = \"1 m-3\"; components = { N2 = { file = \"builtin:air\"; "   \
  "}; }; };\n"                                                                           \
  "tables = { energy_max = \"40 MeV\"; }; runaway = { thresholds = [\"20 MeV\"]; };\n"

/* Rows of the table of a detector. */
static double *column(const char *name)
{
  size_t n = 0;
  return command_nc_read(OUT, name, &n);
}

static void straight(void)
{
  const double g = 1.0 + T_EV / WN_MC2_EV, speed = WN_C * sqrt(1.0 - 1.0 / (g * g));
  static const double place[] = {-0.05, 0.1, 0.02, 0.3}; /* planes, spheres */
  command_write(
      CFG,
      VACUUM "fields = [\"0 V/m\"]; sampling = { interval = \"0.3 ns\"; };\n"
             "detectors = { planes = [\"-5 cm\", \"10 cm\"]; spheres = [\"2 cm\", \"30 "
             "cm\"]; rows = 200; };\n");
  if (!run(OUT, ""))
    return;
  double *t = column("crossing_time"), *e = column("crossing_energy"),
         *x = column("crossing_position"), *v = column("crossing_direction"),
         *w = column("crossing_weight"), *side = column("crossing_side");
  double time = 0.0, energy = 0.0, on = 0.0, along = 0.0, sides = 0.0, planes = 0.0;
  int n = 0;
  for (int d = 0; d < 4; d++)
    for (int i = d * ROWS; i < (d + 1) * ROWS && isfinite(t[i]); i++, n++) {
      const double r = sqrt(x[3 * i] * x[3 * i] + x[3 * i + 1] * x[3 * i + 1] +
                            x[3 * i + 2] * x[3 * i + 2]);
      time = fmax(time, fabs(t[i] * speed / r - 1.0));
      energy = fmax(energy, fabs(e[i] / T_EV - 1.0));
      on = fmax(on, fabs((d < 2 ? x[3 * i + 2] : r) / place[d] - 1.0));
      for (int k = 0; k < 3; k++)
        along = fmax(along, fabs(v[3 * i + k] - x[3 * i + k] / r));
      sides = fmax(sides, fabs(side[i] - (d == 0 ? -1.0 : 1.0)));
      planes += d < 2 ? w[i] : 0.0;
    }
  ok(n > 3 * 96 - 30 && time < 1e-6 && energy < 1e-6 && on < 1e-6 && along < 1e-6 &&
         sides == 0.0,
     "%d crossings of straight flights: times off by %.1e, energies %.1e, places %.1e, "
     "directions %.1e",
     n, time, energy, on, along);
  is_close(at("detector_electrons", 2), 1.0, 1e-12, "all cross a sphere around them");
  is_close(at("detector_electrons", 3), 1.0, 1e-12, "and the next");
  is_close(at("detector_mean_time", 3), 0.3 / speed, 1e-6, "when they must");
  is_close(at("detector_mean_cosine", 3), 1.0, 1e-6, "straight outward");
  is_close((at("detector_returns", 0) + at("detector_electrons", 1)) * 96.0, planes, 1e-9,
           "a plane counts those that cross it");
  ok(at("detector_electrons", 0) == 0.0 && at("detector_returns", 1) == 0.0,
     "towards its side");
  free(t), free(e), free(x), free(v), free(w), free(side);
}

static void field(const char *magnetic, const char *angle, int leave)
{
  command_write(
      CFG, VACUUM
      "fields = [\"100 kV/cm\"]; sampling = { interval = \"0.1 ns\"; };\n"
      "detectors = { planes = [\"-2 cm\", \"-1 cm\", \"1 cm\", \"10 cm\"]; rows = 200; "
      "};\n");
  char options[120];
  snprintf(options, sizeof options,
           "--set 'magnetic_field=\"%s\"' --set 'magnetic_angle=\"%s\"'", magnetic,
           angle);
  if (!run(OUT, options))
    return;
  static const double z[] = {-0.02, -0.01, 0.01, 0.1};
  double *t = column("crossing_time"), *e = column("crossing_energy"),
         *side = column("crossing_side");
  double off = 0.0;
  int back = 0, n = 0;
  for (int d = 0; d < 4; d++)
    for (int i = d * ROWS; i < (d + 1) * ROWS && isfinite(t[i]); i++, n++) {
      off = fmax(off, fabs(e[i] / (T_EV + 1e7 * z[d]) - 1.0));
      back += side[i] < 0.0;
    }
  ok(n > (leave ? 192 : 96) && back > 20 && off < 3e-6,
     "%s, %s: %d crossings, %d of them backwards, have the energy of the potential to "
     "%.1e",
     magnetic, angle, n, back, off);
  free(t), free(e), free(side);
  if (!leave)
    return;
  ok(at("detector_returns", 0) > 0.0 &&
         at("detector_returns", 0) == at("detector_electrons", 0) &&
         at("detector_returns", 1) == at("detector_electrons", 1),
     "what passes a plane behind comes back");
  is_close(at("detector_electrons", 2) - at("detector_returns", 2), 1.0, 1e-12,
           "all leave forward");
}

static void drift(void)
{
  command_write(
      CFG, "job = \"runaway\"; fields = [\"60 Td\"]; electrons = 64; groups = 8;\n"
           "duration = \"1.2 ns\"; tables = { energy_max = \"1 keV\"; };\n"
           "gas = { components = { N2 = { file = \"builtin:air\"; }; }; };\n"
           "detectors = { planes = [\"20 um\"]; spheres = [\"10 um\"]; rows = 20; };\n"
           "runaway = { thresholds = [\"500 eV\"]; };\n");
  if (!run(OUT, ""))
    return;
  ok(at("detector_returns", 0) > 0.1 && at("detector_returns", 1) > 0.1,
     "in gas %.1f and %.1f crossings go back", at("detector_returns", 0),
     at("detector_returns", 1));
  is_close(at("detector_electrons", 0) - at("detector_returns", 0), 1.0, 1e-12,
           "all drift through the plane");
  is_close(at("detector_electrons", 1) - at("detector_returns", 1), 1.0, 1e-12,
           "and leave the sphere");
  double *w = column("crossing_weight");
  double sum = 0.0;
  for (int i = 0; i < 20; i++)
    sum += w[i];
  is_close(sum, 64.0 * (at("detector_electrons", 0) + at("detector_returns", 0)), 1e-9,
           "rows of the table stand for all of %.0f", at("detector_counted", 0));
  /* after a collision, too, crossings are where the detectors are */
  double *x = column("crossing_position"), off = 0.0;
  for (int i = 0; i < 40; i++) {
    const double *p = &x[3 * i], r = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    off = fmax(off, fabs(i < 20 ? p[2] / 20e-6 - 1.0 : r / 10e-6 - 1.0));
  }
  ok(off < 1e-5, "crossings in gas are off their detectors by %.1e", off);
  free(w), free(x);
}

#define AIR                                                                              \
  "job = \"runaway\"; fields = [\"500 kV/cm\"]; duration = \"3 ps\"; magnetic_field = "  \
  "\"1 T\";\n"                                                                           \
  "scattering = \"okhrimovskyy\"; sharing = \"rbeb\"; initial_energy = \"10 eV\";\n"     \
  "gas = { pressure = \"1 atm\"; temperature = \"0 degC\"; components = {\n"             \
  "  N2 = { fraction = 0.79; file = \"builtin:air\"; };\n"                               \
  "  O2 = { fraction = 0.21; file = \"builtin:air\"; };\n"                               \
  "}; };\n"                                                                              \
  "tables = { energy_max = \"10 keV\"; };\n"
#define DETECTORS                                                                        \
  "detectors = { planes = [\"1 um\", \"3 um\", \"6 um\"]; spheres = [\"5 um\"]; rows = " \
  "50; above = \"20 eV\"; };\n"

static void levels(void)
{
  double value[4], error[4];
  command_write(CFG, AIR DETECTORS "electrons = 1000;\n");
  if (!run(OUT, ""))
    return;
  for (size_t k = 0; k < 4; k++) {
    value[k] = at("detector_electrons", k);
    error[k] = at("detector_electrons_error", k);
  }
  command_write(CFG, AIR DETECTORS
                "electrons = 600; population = { target = 200; };\n"
                "runaway = { levels = true; levels_per_decade = 6; thresholds = [\"100 "
                "eV\", \"500 eV\"]; };\n");
  if (!run(OUT, "--seed 2"))
    return;
  for (size_t k = 0; k < 4; k++) {
    const double e = hypot(error[k], at("detector_electrons_error", k)),
                 d = at("detector_electrons", k) - value[k];
    ok(fabs(d) < 4.0 * e && e > 0.0 && e < 0.4 * value[k],
       "detector %zu: %.4g per primary, with levels %.2f errors of the difference off", k,
       value[k], d / e);
  }
}

/* A run is what it was without detectors. */
static void no_change(const double *of)
{
  static const char *const same[] = {"real_collisions", "candidates", "energy_gained",
                                     "final_mean_energy"};
  int equal = 1;
  for (size_t i = 0; i < 4; i++)
    equal &= at(same[i], 0) == of[i];
  ok(equal, "detectors change nothing of a run");
}

static void same_bits(void)
{
  double of[4];
#define FEW                                                                              \
  "electrons = 100; groups = 8; sampling = { interval = \"0.25 ps\"; };\n"               \
  "population = { target = 150; protect_above = \"100 eV\"; };\n"
  command_write(CFG, AIR FEW);
  if (!run(OUT, "--threads 2"))
    return;
  of[0] = at("real_collisions", 0), of[1] = at("candidates", 0);
  of[2] = at("energy_gained", 0), of[3] = at("final_mean_energy", 0);
  command_write(CFG, AIR FEW DETECTORS);
  if (!run(OUT, "--threads 2"))
    return;
  no_change(of);
  ok(at("detector_counted", 1) > 60.0, "more crossings than rows: %.0f",
     at("detector_counted", 1));
  slices_same_bits("detectors", CFG, MORE, OUT, 100, 5, 2);
  ranks_divide_electrons(3, CFG, OUT, MORE);
}

static void refused(const char *set, const char *want)
{
  const int status = command("%s check " CFG " %s", command_wilson(), set);
  if (!ok(status == 2 && strstr(command_err, want) != NULL, "%s: refused", set))
    diag("exit status %d; %.600s", status, command_err);
}

int main(void)
{
  plan(0);
  straight();
  field("0 T", "90 deg", 1);
  field("0.5 T", "0 deg", 1);
  field("0.2 T", "90 deg",
        0); /* E < c B: they drift across both, and cross a plane again and again */
  drift();
  levels();
  same_bits();
  refused(
      "--set 'job=\"swarm\"'",
      "key `detectors.planes` = [\"1 um\", \"3 um\", \"6 um\"]: detectors are for job "
      "runaway; in a swarm job");
  refused("--set 'detectors.planes=[]' --set 'detectors.spheres=[]'",
          "detectors.above` = \"20 eV\": has no effect without detectors.planes or "
          "detectors.spheres");
  refused("--set 'detectors.above=\"20 keV\"'",
          "20000 eV is above tables.energy_max, 10000 eV: no electron would be noted");
  refused("--set 'detectors.spheres=[\"0 m\"]'", "detectors.spheres");
  remove(CFG);
  remove(OUT);
  return done();
}
