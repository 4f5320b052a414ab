/* t0627-altitude.c - defends: runaway jobs in a gas and a field that change along z (schedulers/mcc_profiled.h).
 *  - A table of one density is the uniform gas, bit by bit, with a magnetic field and detectors, too.
 *  - A field of one factor gives the electrons of the uniform field, within their errors.
 *  - Attenuation: of a beam that every collision ends, exp(-sigma integral of n dz) is left at each plane, in an exponential gas that
 *    gets thinner or denser by e on some mean free paths or less, and in a uniform one.
 *  - Without a field the history of electrons is a function of the column of gas: as many cross planes of the same column, with the same
 *    mean energy and cosine, in a uniform and in an exponential gas.
 *  - In a field that changes, at each plane kinetic and potential energy are that of the release, with a magnetic field and turns,
 *    too; the time of a flight along it is the integral of dz/v.
 *  - Energy closes in gas and field that change together.
 *  - What leaves the profile is removed and counted.
 *  - Threads, processes, schedulers and a restart change no bit; what cannot be is refused by name.
 * Fixed seeds; statistical checks are four standard errors of the run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/ranks.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define CFG  "t0627.cfg"
#define OUT  "t0627.nc"
#define MORE "t0627-more.nc"

static double at(const char *name, size_t i)
{
  return command_nc_at(OUT, name, i);
}

static int run(const char *out, const char *options)
{
  const int status =
      command("%s run " CFG " --quiet --output %s %s", command_wilson(), out, options);
  if (!is_int(status, 0, "runs: %.60s", options))
    diag("%.800s", command_err);
  return status == 0;
}

/* ---- a table of one density */

#define AIR                                                                              \
  "job = \"runaway\"; fields = [\"500 kV/cm\"]; duration = \"3 ps\"; electrons = 100;\n" \
  "groups = 8; scattering = \"okhrimovskyy\"; sharing = \"rbeb\"; initial_energy = "     \
  "\"100 eV\"; stop_below = \"5 eV\"; tables = { energy_max = \"10 keV\"; }; sampling "  \
  "= { interval = \"0.25 ps\"; };\n"                                                     \
  "detectors = { planes = [\"1 um\", \"3 um\", \"6 um\"]; spheres = [\"5 um\"]; rows = " \
  "50; };\n"
#define GAS                                                                              \
  "components = {\n"                                                                     \
  "  N2 = { fraction = 0.79; file = \"builtin:air\"; };\n"                               \
  "  O2 = { fraction = 0.21; file = \"builtin:air\"; three_body = \"none\"; };\n"        \
  "};"

static void one_density(const char *magnetic, const char *more)
{
  char options[400];
  size_t n = 0;
  snprintf(options, sizeof options, "--threads 2 --set 'magnetic_field=\"%s\"' %s",
           magnetic, more);
  command_write(CFG, AIR "gas = { number_density = \"2.5e25 m-3\"; " GAS " };\n");
  if (!run(OUT, options))
    return;
  command_write(
      CFG,
      AIR "gas = { profile = { shape = \"table\"; altitude = \"2 m\"; altitudes = "
          "[\"1 m\", \"3 m\"]; densities = [\"2.5e25 m-3\", \"2.5e25 m-3\"]; };\n" GAS
          " };\n");
  if (!run(MORE, options))
    return;
  const char *what = command_nc_differs(OUT, MORE, &n);
  ok(what == NULL && n > 500 && at("detector_counted", 0) > 20.0,
     "%s%s: a table of one density has the %zu numbers of the uniform gas%s%s", magnetic,
     *more != '\0' ? ", levels" : "", n, what != NULL ? "; differs: " : "",
     what != NULL ? what : "");
  remove(MORE);
}

/* The same with weights: energy levels, in a field in which bands are taken anyway. */
#define LEVELS                                                                           \
  "--set 'fields=[\"20 Td\"]' --set 'stop_below=\"0 eV\"' --set runaway.levels=true "    \
  "--set "                                                                               \
  "'runaway.levels_from=\"20 eV\"' --set runaway.levels_per_decade=6 --set "             \
  "'runaway.thresholds=[\"100 eV\"]' --set population.target=40 --set 'duration=\"1 "    \
  "ps\"'"

/* ---- a field of one factor: other flights and bands, the same electrons */

static void one_factor(void)
{
  static const char *const name[] = {"final_mean_energy", "detector_electrons",
                                     "detector_mean_energy", "detector_mean_time"};
  double value[4], error[4], worst = 0.0, largest = 0.0;
  command_write(CFG, AIR "gas = { number_density = \"2.5e25 m-3\"; " GAS " };\n");
  for (int times = 0; times < 2; times++) {
    if (!run(OUT, times ? "--seed 2 --set 'fields=[\"50 kV/cm\"]' --set "
                          "'field_profile.places=[\"-1 um\",\"2 um\"]' --set "
                          "field_profile.factors=[10,10]"
                        : ""))
      return;
    for (int k = 0; k < 4; k++) {
      char of[80];
      snprintf(of, sizeof of, "%s_error", name[k]);
      const double x = at(name[k], 0), e = at(of, 0);
      if (times) {
        const double both = hypot(e, error[k]);
        worst = fmax(worst, fabs(x - value[k]) / both);
        largest = fmax(largest, both / value[k]);
        diag("%s: %.4g, %.4g +- %.2g", name[k], value[k], x, both);
      }
      value[k] = x;
      error[k] = e;
    }
  }
  ok(worst < 4.0 && largest < 0.3,
     "ten times a tenth of the field: %.2f errors off at the most, of %.0f %%", worst,
     100.0 * largest);
}

/* ---- attenuation */

/* 1 MeV, without elastic scattering that matters; a collision that takes energy ends an electron. */
#define BEAM                                                                             \
  "job = \"runaway\"; fields = [\"0 V/m\"]; electrons = 5000; groups = 25;\n"            \
  "initial_energy = \"1 MeV\"; initial_spectrum = \"mono\"; initial_direction = "        \
  "\"drift\"; stop_below = \"999995 eV\"; duration = \"60 ns\"; sampling = { interval "  \
  "= \"7 ns\"; };\n"                                                                     \
  "runaway = { thresholds = [\"2 MeV\"]; };\n"                                           \
  "detectors = { planes = [\"1 m\", \"2 m\", \"4 m\", \"8 m\", \"16 m\"]; rows = 1; "    \
  "};\n"
#define BEAM_GAS                                                                         \
  "components = { N2 = { file = \"builtin:air\"; factors = [\"elastic 1e-9\"]; }; };"

/* Scale height of the exponential gas, m; above 0 it thins along z. */
static void attenuation(const char *profile, double scale, double *sigma)
{
  static const double z[] = {1.0, 2.0, 4.0, 8.0, 16.0};
  char text[2000];
  snprintf(text, sizeof text, BEAM "gas = { %s " BEAM_GAS " };\n", profile);
  command_write(CFG, text);
  if (!run(OUT, ""))
    return;
  double chi2 = 0.0, sum = 0.0, weight = 0.0, least = 1.0;
  for (size_t i = 0; i < 5; i++) {
    const double column = isinf(scale) ? z[i] : scale * (1.0 - exp(-z[i] / scale)),
                 p = at("detector_electrons", i),
                 error = sqrt(fmax(p * (1.0 - p), 1e-9) / 5000.0);
    least = fmin(least, p);
    if (*sigma > 0.0) { /* planes see the same electrons: compare each */
      const double want = exp(-*sigma * column);
      chi2 = fmax(chi2, fabs(p - want) / sqrt(want * (1.0 - want) / 5000.0));
    } else if (p > 0.05 && p < 0.95) { /* error of -ln p is error/p */
      const double w = column * column * p * p / (error * error);
      sum += w * -log(p) / column;
      weight += w;
    }
  }
  if (*sigma > 0.0) {
    ok(chi2 < 4.0 && least < 0.9,
       "scale %g m: planes are passed as the column says, %.2f errors off; %.3f at the "
       "last",
       scale, chi2, least);
    return;
  }
  *sigma = sum / weight;
  ok(*sigma > 0.05 && *sigma < 1.0, "the uniform gas absorbs %.4f per m", *sigma);
}

/* ---- the column is what matters */

#define MULTIPLE                                                                         \
  "job = \"runaway\"; fields = [\"0 V/m\"]; electrons = 150; groups = 15;\n"             \
  "initial_energy = \"2 keV\"; initial_spectrum = \"mono\"; initial_direction = "        \
  "\"drift\"; stop_below = \"100 eV\"; scattering = \"okhrimovskyy\"; sharing = "        \
  "\"rbeb\"; runaway = { thresholds = [\"3 keV\"]; };\n"                                 \
  "tables = { energy_max = \"4 keV\"; };\n"

static void columns(void)
{
  /* planes of the same column in the uniform gas, and where ln n falls by 1 each 60 um */
  static const double column[] = {30e-6, 50e-6};
  double value[3][2], error[3][2], worst = 0.0, largest = 0.0;
  static const char *const name[] = {"detector_electrons", "detector_mean_energy",
                                     "detector_mean_cosine"};
  for (int exponential = 0; exponential < 2; exponential++) {
    const double scale = 60e-6;
    char text[3000];
    double place[2];
    for (int i = 0; i < 2; i++)
      place[i] = exponential ? -scale * log(1.0 - column[i] / scale) : column[i];
    snprintf(
        text, sizeof text,
        MULTIPLE "duration = \"200 ps\"; sampling = { interval = \"10 ps\"; };\n"
                 "detectors = { planes = [\"%.15g m\", \"%.15g m\"]; rows = 1; };\n"
                 "gas = { %s " GAS " };\n",
        place[0], place[1],
        exponential
            ? "profile = { shape = \"table\"; altitudes = [\"-600 um\", \"600 um\"]; "
              "densities = [\"5.50661644870168e29 m-3\", \"1.1349982440621214e21 m-3\"]; "
              "};"
            : "number_density = \"2.5e25 m-3\";");
    command_write(CFG, text);
    if (!run(OUT, exponential ? "--seed 2" : ""))
      return;
    for (int k = 0; k < 3; k++)
      for (size_t i = 0; i < 2; i++) {
        char of[80];
        snprintf(of, sizeof of, "%s_error", name[k]);
        const double x = at(name[k], i), e = at(of, i);
        if (exponential) {
          const double both = hypot(e, error[k][i]);
          worst = fmax(worst, fabs(x - value[k][i]) / both);
          largest = fmax(largest, both / value[k][i]);
          diag("%s %zu: %.4g, %.4g +- %.2g", name[k], i, value[k][i], x, both);
        }
        value[k][i] = x;
        error[k][i] = e;
      }
  }
  ok(worst < 4.0 && largest < 0.2,
     "crossings of planes with the same column: %.2f errors off at the most, of %.0f %%",
     worst, 100.0 * largest);
}

/* ---- fields */

#define T_EV 1e6
#define VACUUM                                                                           \
  "job = \"runaway\"; electrons = 40; groups = 8; initial_energy = \"1 MeV\";\n"         \
  "initial_spectrum = \"mono\"; fields = [\"1 V/m\"]; duration = \"1.5 ns\";\n"          \
  "sampling = { interval = \"0.3 ns\"; };\n"                                             \
  "gas = { number_density = \"1 m-3\"; components = { N2 = { file = \"builtin:air\"; "   \
  "}; }; };\n"                                                                           \
  "tables = { energy_max = \"40 MeV\"; }; runaway = { thresholds = [\"20 MeV\"]; };\n"
#define N_Z 4
/* V/m at these places, m */
static const double e_z[N_Z] = {-0.1, 0.0, 0.04, 0.2}, e_of[N_Z] = {5e7, 1e7, -2e6, 2e7};
#define FIELD                                                                            \
  "field_profile = { places = [\"-10 cm\", \"0 m\", \"4 cm\", \"20 cm\"]; factors = "    \
  "[5e7, 1e7, -2e6, 2e7]; };\n"

/* Integral of E from 0 to z by trapezoids of pieces, V. */
static double gained_ev(double z)
{
  const int n = 20000;
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    const double x = z * (i + 0.5) / n;
    int k = 0;
    while (k < N_Z - 2 && x > e_z[k + 1])
      k++;
    const double part = fmin(fmax((x - e_z[k]) / (e_z[k + 1] - e_z[k]), 0.0), 1.0);
    sum += e_of[k] + part * (e_of[k + 1] - e_of[k]);
  }
  return sum * z / n;
}

#define ROWS 200

static void potential(const char *magnetic, const char *angle)
{
  command_write(CFG, VACUUM FIELD "detectors = { planes = [\"-3 cm\", \"-1 cm\", \"3 "
                                  "cm\", \"10 cm\", \"30 cm\"]; rows = 200; };\n");
  char options[120];
  snprintf(options, sizeof options,
           "--set 'magnetic_field=\"%s\"' --set 'magnetic_angle=\"%s\"'", magnetic,
           angle);
  if (!run(OUT, options))
    return;
  static const double z[] = {-0.03, -0.01, 0.03, 0.1, 0.3};
  size_t m = 0;
  double *t = command_nc_read(OUT, "crossing_time", &m),
         *e = command_nc_read(OUT, "crossing_energy", &m),
         *side = command_nc_read(OUT, "crossing_side", &m);
  double off = 0.0;
  int back = 0, n = 0;
  for (int d = 0; d < 5; d++)
    for (int i = d * ROWS; i < (d + 1) * ROWS && isfinite(t[i]); i++, n++) {
      off = fmax(off, fabs(e[i] / (T_EV + gained_ev(z[d])) - 1.0));
      back += side[i] < 0.0;
    }
  ok(n > 80 && back > 10 && off < 1e-6,
     "%s, %s: %d crossings, %d of them backwards, have the energy of the potential to "
     "%.1e",
     magnetic, angle, n, back, off);
  free(t), free(e), free(side);
}

/* Along the field: times are the integral of dz/v. */
static void flight_times(void)
{
  command_write(
      CFG, VACUUM FIELD
      "initial_direction = \"drift\";\n"
      "detectors = { planes = [\"2 cm\", \"10 cm\", \"35 cm\"]; rows = 2; };\n");
  if (!run(OUT, ""))
    return;
  static const double z[] = {0.02, 0.1, 0.35};
  double off = 0.0;
  for (size_t d = 0; d < 3; d++) {
    const int n = 2000;
    double time = 0.0;
    for (int i = 0; i < n; i++) {
      const double g = 1.0 + (T_EV + gained_ev(z[d] * (i + 0.5) / n)) / WN_MC2_EV;
      time += z[d] / n / (WN_C * sqrt(1.0 - 1.0 / (g * g)));
    }
    off = fmax(off, fabs(at("detector_mean_time", d) / time - 1.0));
  }
  ok(off < 3e-7, "flights along the field take the integral of dz/v, to %.1e", off);
}

/* ---- both, in air of the atmosphere */

#define BOTH                                                                             \
  "job = \"runaway\"; fields = [\"40 Td\"]; duration = \"12 ns\"; electrons = 16;\n"     \
  "groups = 8; initial_energy = \"5 MeV\"; initial_spectrum = \"mono\"; stop_below = "   \
  "\"50 keV\"; magnetic_field = \"1 mT\"; scattering = \"moliere\"; sharing = "          \
  "\"moller\"; sampling = { interval = \"2 ns\"; };\n"                                   \
  "moller = { soft_from = \"40 keV\"; density_effect = \"none\"; };\n"                   \
  "runaway = { thresholds = [\"6 MeV\", \"7 MeV\"]; }; population = { target = 24; };\n" \
  "tables = { energy_max = \"30 MeV\"; };\n"                                             \
  "field_profile = { places = [\"-2 m\", \"2 m\", \"5 m\", \"8 m\"]; factors = [0.5, "   \
  "1.0, 1.5, 0.0]; };\n"                                                                 \
  "detectors = { planes = [\"1 m\", \"4 m\"]; rows = 10; };\n"                           \
  "gas = { profile = { shape = \"us-standard-1976\"; altitude = \"12 km\"; };\n" GAS   \
  " };\n"

static void both(void)
{
  command_write(CFG, BOTH);
  if (!run(OUT, "--threads 2"))
    return;
  is_close(at("gas_number_density", 0), 6.4857e24, 1e-4, "the density is that of 12 km");
  const double gained = at("energy_gained", 0), off = at("energy_residual", 0);
  ok(at("real_collisions", 0) > 1e4 && fabs(off) < 2e-5 * fabs(gained),
     "energy closes: %.3g of %.3g eV/s, %.0f collisions", off, gained,
     at("real_collisions", 0));
  slices_same_bits("altitude", CFG, MORE, OUT, 100, 4, 2);
  ranks_divide_electrons(2, CFG, OUT, MORE);
}

/* ---- the ends of the profile */

static void leave(void)
{
  command_write(
      CFG,
      "job = \"runaway\"; fields = [\"0 V/m\"]; electrons = 64; groups = 8;\n"
      "initial_energy = \"1 MeV\"; initial_spectrum = \"mono\"; duration = \"40 ns\";\n"
      "sampling = { interval = \"1 ns\"; }; runaway = { thresholds = [\"2 MeV\"]; };\n"
      "gas = { profile = { shape = \"table\"; altitude = \"101 m\"; upward = \"-z\"; "
      "altitudes = [\"100 m\", \"103 m\"]; densities = [\"3 m-3\", \"1 m-3\"]; };\n"
      "components = { N2 = { file = \"builtin:air\"; }; }; };\n"
      "detectors = { planes = [\"-2 m\", \"1 m\"]; rows = 1; };\n");
  if (!run(OUT, ""))
    return;
  const double removed = at("removed_electrons", 0);
  ok(removed > 0.7 && removed < 1.0, "%.3f of the electrons leave the gas", removed);
  /* along +z they leave after 1 m, downward; along -z after 2 m */
  is_close(at("detector_returns", 0) + at("detector_electrons", 1), removed, 1e-12,
           "through its ends");
  is_close(at("final_electrons", 0) + removed, 1.0, 1e-12, "and the others stay");
  ok(at("energy_removed", 0) > 0.0 &&
         fabs(at("energy_residual", 0)) < 1e-6 * at("energy_removed", 0),
     "with their energy");
}

/* ---- what is refused */

static void refused(const char *set, const char *want)
{
  const int status = command("%s check " CFG " %s", command_wilson(), set);
  if (!ok(status == 2 && strstr(command_err, want) != NULL, "%.60s: refused", set))
    diag("exit status %d; %.600s", status, command_err);
}

static void refusals(void)
{
  command_write(CFG, BOTH);
  command_write("t0627-down.txt", "0 1e25 # ground\n1000, 2e25\n900 1e24\n");
  command_write("t0627-zero.txt", "0 1e25\n1000 0\n");
  command_write("t0627-field.txt", "0 1\n1 x\n");
  refused("--set 'gas.profile.altitude=\"90000 m\"'",
          "gas.profile.altitude=\"90000 m\": 90000 m is above the U.S. Standard "
          "Atmosphere 1976, which is known here up to 86 km and ends at 86000 m");
  refused("--set 'gas.profile.altitude=\"-6000 m\"'",
          "-6000 m is below the U.S. Standard Atmosphere 1976, which begins at -5000 m");
  refused("--set 'gas.profile.shape=\"table\"'",
          "gas.profile.altitudes`: 0 rows; 2 to 10000 are needed");
#define TABLE "--set 'gas.profile.shape=\"table\"' --set 'gas.profile.table_file=\"t0627-"
  refused(TABLE "down.txt\"'",
          "t0627-down.txt:3: altitudes must increase from line to line");
  refused(TABLE "zero.txt\"'",
          "t0627-zero.txt:2: a density must be above 0, up to 1e+31 1/m3");
  refused("--set 'field_profile.places=[]' --set 'field_profile.factors=[]' --set "
          "'field_profile.file=\"t0627-field.txt\"'",
          "t0627-field.txt:2: not two numbers; a line holds a place in metres and a "
          "factor, a comma or blanks between them");
  refused("--set 'field_profile.factors=[1.0]'",
          "field_profile.factors=[1.0]: 1 for 4 field_profile.places; one for each is "
          "needed");
  refused("--set 'gas.pressure=\"1 atm\"'",
          "gas.pressure=\"1 atm\": does not agree with gas.profile.shape: at "
          "gas.profile.altitude it is");
  refused("--set 'moller.density_effect=\"air\"'",
          "is that of one density, and with gas.profile.shape there are many; allowed: "
          "none");
  refused("--set 'gas.components.O2.three_body=\"self\"'",
          "attachment by three bodies has no place in a gas whose density changes");
  refused("--set 'job=\"swarm\"' --set 'detectors.planes=[]' --set 'detectors.rows=1000'",
          "is for job runaway; in a swarm job electrons are moved back to z = 0");
  refused("--set 'gas.profile.shape=\"uniform\"'",
          "gas.profile.altitude` = \"12 km\": has no effect with gas.profile.shape = "
          "\"uniform\"");
  remove("t0627-down.txt");
  remove("t0627-zero.txt");
  remove("t0627-field.txt");
}

int main(void)
{
  plan(0);
  double sigma = 0.0;
  one_density("0 T", "");
  one_density("1 T", "");
  one_density("0 T", LEVELS);
  one_factor();
  attenuation("number_density = \"3e21 m-3\";", INFINITY, &sigma);
  /* e-fold on 2 m: 3e21 at 0 */
  attenuation(
      "profile = { shape = \"table\"; altitudes = [\"-20 m\", \"20 m\"]; densities = "
      "[\"6.6079397384420155e25 m-3\", \"1.3619978928745456e17 m-3\"]; };",
      2.0, &sigma);
  attenuation("profile = { shape = \"table\"; upward = \"-z\"; altitudes = [\"-20 m\", "
              "\"20 m\"]; densities = [\"1.637944500994327e23 m-3\", "
              "\"5.494691666620254e19 m-3\"]; };",
              -5.0, &sigma);
  columns();
  potential("0 T", "90 deg");
  potential("0.5 T", "0 deg");
  potential("0.3 T", "60 deg");
  flight_times();
  both();
  leave();
  refusals();
  remove(CFG);
  remove(OUT);
  return done();
}
