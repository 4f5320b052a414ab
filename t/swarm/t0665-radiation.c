/* t0665-radiation.c - defends: radiation of a swarm (src/sim/radiation.h).  In thin gas electrons of 10 MeV emit as many photons as the cross
 * section above the cut says, and lose above and below it what the stopping says.  In thick gas, where photons scatter, are absorbed and
 * make pairs, both ledgers of energy close, of electrons to rounding and of photons to half a quantum an entry; electrons that join have the energy that
 * photons gave them; each pair leaves a positron that is counted, or annihilates.  Shorter steps change nothing beyond the error.
 * Schedulers, threads and a run in slices give the same bits; so do weights that are scaled at blocks.  What is not supported is
 * refused by name.  References: sums of physics/photons/radiation.h over the shipped data; conservation.
 * The gas scatters elastically alone, hardly ever, so that radiation is all that happens.
 * Fixed seeds, errors from counts and from the run, 4.5 sigma. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "physics/photons/radiation.h"
#include "physics/push.h"
#include "t/crosssections/photon_files.h"
#include "t/tap/command.h"
#include "t/tap/photon_swarm.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define SET  "t0665-set.txt"
#define CFG  "t0665.cfg"
#define OUT  "t0665.nc"
#define MORE "t0665-more.nc"

#define SIGMAS 4.5
#define T_EV   1e7
#define CUT_EV 2e4

/* A scenario in so many times the density of 0 C and 1 atm. */
static void write_scenario(double e_ev, double times, int electrons, const char *rest)
{
  char text[2000];
  snprintf(text, sizeof text,
           "electrons = %d; groups = 16; initial_energy = \"%g eV\";\n%s", electrons,
           e_ev, rest);
  photon_swarm(SET, CFG, times, text);
}

static int run(const char *out, const char *options)
{
  const int status =
      command("%s run " CFG " --output %s %s", command_wilson(), out, options);
  if (!is_int(status, 0, "a run%s%s", *options ? " with " : "", options))
    diag("%.900s", command_err);
  return status == 0;
}

static double at(const char *name)
{
  return command_nc_at(OUT, name, 0);
}

/* One photon in some electrons, so that they radiate at 10 MeV. */
static void thin(const struct wn_photon_medium *m)
{
  enum { N = 10000 };
  const double time = 1e-9, path = wn_speed_from_ev(T_EV) * time;
  write_scenario(
      T_EV, 1.0, N,
      "fields = [\"0 V/m\"]; waveform = { shape = \"pulse\"; length = \"1 s\"; "
      "rows = 4; };\nrelaxation = \"0 s\"; duration = \"1 ns\"; "
      "sampling = { interval = \"0.5 ns\"; };\n"
      "radiation = { photons_min = \"20 keV\"; };\n");
  if (!run(OUT, ""))
    return;
  const double want = N * path * wn_radiation_above(m, T_EV, CUT_EV),
               hard = wn_brems_stopping(&m->element[0], wn_ln(T_EV)) * m->density[0] -
                      wn_radiation_below(m, T_EV, CUT_EV),
               power = at("power_photons"), soft = at("power_soft_photons");
  is_near(at("photons_emitted"), want, SIGMAS * sqrt(want), "photons above the cut");
  is_near(power * time / path, hard, SIGMAS * at("power_photons_error") * time / path,
          "what they take, eV/m");
  ok(at("power_photons_error") < 0.3 * power, "with an error of %.1f %%",
     100.0 * at("power_photons_error") / power);
  is_close(soft * time / path, wn_radiation_below(m, T_EV, CUT_EV), 0.02,
           "continuous loss below the cut, eV/m");
  is_close(at("photon_rate") * time * N, at("photons_emitted"), 1e-3, "their rate");
  /* the spectrum: as many photons as were counted */
  size_t n = 0, n_bounds = 0;
  double *spectrum = command_nc_read(OUT, "photon_spectrum", &n),
         *bound = command_nc_read(OUT, "photon_energy_bounds", &n_bounds), sum = 0.0,
         high = 0.0;
  for (size_t i = 0; i < n && 2 * i + 1 < n_bounds; i++) {
    sum += spectrum[i] * (bound[2 * i + 1] - bound[2 * i]);
    high += bound[2 * i] >= T_EV ? spectrum[i] : 0.0;
  }
  is_close(sum, at("photon_rate"), 1e-9, "sum of the spectrum");
  ok(high == 0.0, "no photon above the electrons");
  is_close(bound != NULL ? bound[0] : 0.0, CUT_EV, 1e-12, "it begins at the cut");
  free(spectrum);
  free(bound);
}

#define THICK                                                                            \
  "fields = [\"0 V/m\"]; waveform = { shape = \"pulse\"; length = \"1 s\"; rows = 4; "   \
  "};\nrelaxation = \"0 s\"; duration = \"1.6 ns\";\n"

/* All that is emitted is accounted for. */
static void closes(const char *what)
{
  const double emitted = at("photons_energy_emitted");
  double entries = 0.0;
  static const char *const of[] = {"photons_emitted",  "photons_compton",
                                   "photons_absorbed", "photons_pairs",
                                   "photons_rayleigh", "photons_flying"};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++)
    entries += at(of[i]);
  /* at most six entries for each of these events, half a quantum each */
  ok(fabs(at("photons_energy_residual")) <= 3.0 / 1024.0 * entries && emitted > 0.0,
     "%s: photons: %.3g eV of %.4g eV are missing, %.0f events", what,
     at("photons_energy_residual"), emitted, entries);
  is_near(at("energy_residual"), 0.0, 1e-6 * at("power_photons"),
          "%s: the electrons' ledger, eV/s", what);
}

static void thick(const char *positrons)
{
  char rest[600];
  const int at_rest = strcmp(positrons, "at-rest") == 0;
  snprintf(rest, sizeof rest,
           THICK "sampling = { interval = \"20 ps\"; }; stop_below = \"30 keV\";\n"
                 "radiation = { photons_min = \"20 keV\"; rayleigh = \"form-factor\"; "
                 "positrons = \"%s\"; };\n",
           positrons);
  write_scenario(4e7, 1000.0, 60, rest);
  if (!run(OUT, ""))
    return;
  closes(positrons);
  ok(at("photons_compton") > 100 && at("photons_absorbed") > 30 &&
         at("photons_pairs") > 5 && at("photons_rayleigh") > 10 &&
         at("photons_electrons") > 100 && at("photons_electrons_stopped") > 10,
     "%s: %.0f Compton, %.0f Rayleigh, %.0f absorbed, %.0f pairs; %.0f join, %.0f are "
     "below stop_below",
     positrons, at("photons_compton"), at("photons_rayleigh"), at("photons_absorbed"),
     at("photons_pairs"), at("photons_electrons"), at("photons_electrons_stopped"));
  is_int((long long)at("positrons_not_followed"),
         at_rest ? 0 : (long long)at("photons_pairs"), "%s: positrons counted",
         positrons);
  is_int((long long)at("positrons_annihilated"),
         at_rest ? (long long)at("photons_pairs") : 0, "%s: annihilated", positrons);
  /* weights differ where population control has split or removed */
  is_near(at("photons_energy_rest") / (2.0 * WN_MC2_EV * at("photons_pairs")),
          at_rest ? 0.0 : 1.0, at_rest ? 1e-9 : 0.1, "%s: rest energy of pairs",
          positrons);
  const double joined = at("photons_energy_charged") - at("photons_energy_stopped") -
                        at("positrons_energy");
  is_close(at("power_freed") / at("power_photons"), joined / at("photons_energy_emitted"),
           1e-6, "%s: electrons join with the energy that photons gave", positrons);
  ok((at("positrons_energy") > 0.0) == !at_rest, "%s: energy of positrons", positrons);
}

/* Energies of emission are those of a step's end. */
static void steps(void)
{
  double photons[2], energy[2], error[2];
  static const char *const interval[] = {"40 ps", "10 ps"};
  for (int i = 0; i < 2; i++) {
    char rest[400];
    snprintf(rest, sizeof rest,
             THICK "sampling = { interval = \"%s\"; }; stop_below = \"100 keV\";\n"
                   "radiation = { photons_min = \"20 keV\"; };\n",
             interval[i]);
    write_scenario(T_EV, 200.0, 160, rest);
    if (!run(OUT, ""))
      return;
    photons[i] = at("photons_emitted");
    energy[i] = at("power_photons");
    error[i] = at("power_photons_error");
  }
  is_near(photons[0] - photons[1], 0.0, SIGMAS * sqrt(photons[0] + photons[1]),
          "photons in steps of 40 and of 10 ps");
  is_near(energy[0] - energy[1], 0.0, SIGMAS * hypot(error[0], error[1]),
          "power in steps of 40 and of 10 ps");
}

/* Blocks: weights are scaled, electrons and photons return to the origin. */
#define BLOCKS                                                                           \
  "fields = [\"200 MV/m\"]; magnetic_field = \"1 T\"; relaxation = \"200 ps\"; "         \
  "duration = \"0.8 ns\";\n"                                                             \
  "sampling = { interval = \"20 ps\"; block = 10; }; stop_below = \"30 keV\";\n"         \
  "radiation = { photons_min = \"20 keV\"; positrons = \"at-rest\"; };\n"

static void same_bits(void)
{
  write_scenario(T_EV, 1000.0, 200, BLOCKS);
  if (!run(OUT, "--threads 2"))
    return;
  closes("blocks");
  ok(at("photons_energy_scaled") != 0.0 && at("photons_flying") > 20 &&
         at("photons_electrons") > 20,
     "weights were scaled, by %.3g eV; %.0f photons fly, %.0f electrons joined",
     at("photons_energy_scaled"), at("photons_flying"), at("photons_electrons"));
  slices_same_bits("radiation", CFG, MORE, OUT, 20, 13, 3);
}

static void refused(const char *rest, const char *message, const char *name)
{
  write_scenario(T_EV, 1.0, 160, rest);
  const int status = command("%s run " CFG " --output " OUT, command_wilson());
  if (!ok(status == 2 && strstr(command_err, message) != NULL, "refused: %s", name))
    diag("status %d: %.600s", status, command_err);
}

#define SHORT "fields = [\"1 MV/m\"]; relaxation = \"0 s\"; duration = \"1 ns\";\n"

static void refusals(void)
{
  refused(SHORT "radiation = { photons_min = \"0.5 keV\"; };\n",
          "key `radiation.photons_min`: 500 eV is below the photon tables of N",
          "a cut below the tables");
}

static void refused_with(const char *options, const char *message, const char *name)
{
  write_scenario(T_EV, 1.0, 160, SHORT "radiation = { photons_min = \"10 keV\"; };\n");
  const int status =
      command("%s run " CFG " --output " OUT " %s", command_wilson(), options);
  if (!ok(status == 2 && strstr(command_err, message) != NULL, "refused: %s", name))
    diag("status %d: %.600s", status, command_err);
}

int main(void)
{
  struct wn_xs_photon *files[PHOTON_FILES];
  struct wn_photon_medium m;
  plan(0);
  if (!ok(photon_files_read(files) == WN_OK, "data are read"))
    return done();
  const struct wn_xs_photon_gas gas = {"N2", LOSCHMIDT};
  const struct wn_xs_photon_spec spec = {.element =
                                             (const struct wn_xs_photon *const *)files,
                                         .n_elements = 1,
                                         .gas = &gas,
                                         .n_gases = 1,
                                         .compton = WN_PHOTON_BOUND,
                                         .rayleigh = WN_PHOTON_NO_RAYLEIGH,
                                         .cut_ev = CUT_EV,
                                         .most_ev = 1e8,
                                         .seed = 1};
  if (ok(wn_xs_photon_medium(&spec, &m) == WN_OK, "nitrogen")) {
    thin(&m);
    thick("counted");
    thick("at-rest");
    steps();
    same_bits();
    refusals();
    refused_with("--set 'gas.components.N2.target=\"O2\"'", "O",
                 "an element without data");
    refused_with(
        "--set 'tables.energy_max=\"134 MeV\"'",
        "134000000 eV is above the photon tables of N, which end at 100000000 eV",
        "electrons above the tables");
    refused_with("--set 'job=\"runaway-rate\"'", "is for jobs swarm and runaway",
                 "another job");
  }
  photon_files_free(files);
  remove(OUT);
  remove(CFG);
  remove(SET);
  return done();
}
