/* t0666-positrons.c - defends: positrons that move in a swarm (radiation.positrons = "moving").  In thick gas the ledgers of photons, positrons, electrons
 * and charge close; each pair makes a positron that annihilates in flight or at rest, or moves; electrons that they free join with the energy that
 * the ledger says.  The field that accelerates electrons slows positrons.  Shorter steps and a lower cut move nothing beyond its error.
 * Schedulers, threads and a run in slices give the same bits, with a magnetic field and scaled weights.  The gas scatters electrons elastically
 * alone, hardly ever.  Fixed seeds, 4.5 sigma. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/photon_swarm.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define SET  "t0666-set.txt"
#define CFG  "t0666.cfg"
#define OUT  "t0666.nc"
#define MORE "t0666-more.nc"

#define SIGMAS 4.5

static void write_scenario(const char *rest)
{
  char text[2000];
  snprintf(text, sizeof text,
           "groups = 16; initial_energy = \"80 MeV\"; stop_below = \"30 keV\";\n%s",
           rest);
  photon_swarm(SET, CFG, 1000.0, text);
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

static double sum(const char *const *name, size_t n)
{
  double all = 0.0;
  for (size_t i = 0; i < n; i++)
    all += at(name[i]);
  return all;
}

/* All that is emitted is accounted for. */
static void closes(const char *what)
{
  static const char *const of_photons[] = {
      "photons_emitted",  "photons_compton", "photons_absorbed",     "photons_pairs",
      "photons_rayleigh", "photons_flying",  "positrons_annihilated"};
  static const char *const of_positrons[] = {"positrons_born", "positrons_electrons",
                                             "positrons_photons", "positrons_flying",
                                             "positrons_annihilated"};
  /* at most six entries for each of these events, half a quantum each */
  const double events = sum(of_photons, 7);
  ok(fabs(at("photons_energy_residual")) <= 3.0 / 1024.0 * events,
     "%s: photons: %.3g eV of %.4g eV are missing, %.0f events", what,
     at("photons_energy_residual"), at("photons_energy_emitted"), events);
  /* work and both losses are entered at the end of each step */
  const double entries = sum(of_positrons, 5) + 3.0 * 80.0 * at("positrons_born");
  ok(fabs(at("positrons_energy_residual")) <= 0.5 / 1024.0 * entries &&
         at("positrons_energy_born") > 0.0,
     "%s: positrons: %.3g eV of %.4g eV are missing, at most %.0f entries", what,
     at("positrons_energy_residual"), at("positrons_energy_born"), entries);
  /* records of electrons are floats, 6e-8 of each energy in each step */
  is_near(at("energy_residual"), 0.0, 4e-6 * at("power_photons"),
          "%s: the electrons' ledger, eV/s", what);
  is_int((long long)at("radiation_charge_residual"), 0, "%s: charge", what);
  ok(fabs(at("positrons_charge_residual")) <= entries * 0x1p-21,
     "%s: weights of positrons: %.3g are missing", what, at("positrons_charge_residual"));
  is_int((long long)at("positrons_born"), (long long)at("photons_pairs"),
         "%s: a positron each pair", what);
  is_int((long long)at("positrons_born"),
         (long long)(at("positrons_annihilated_in_flight") +
                     at("positrons_annihilated_at_rest") + at("positrons_flying")),
         "%s: they annihilate in flight or at rest, or move", what);
  is_int((long long)at("positrons_annihilated"),
         (long long)(at("positrons_annihilated_in_flight") +
                     at("positrons_annihilated_at_rest")),
         "%s: both are counted together", what);
}

#define THICK                                                                            \
  "electrons = 80; fields = [\"0 V/m\"]; relaxation = \"0 s\"; duration = \"1 ns\";\n"   \
  "waveform = { shape = \"pulse\"; length = \"1 s\"; rows = 4; };\n"

#define POSITRONS                                                                        \
  "sampling = { interval = \"%s\"; };\n"                                                 \
  "radiation = { photons_min = \"20 keV\"; positrons = \"moving\"; "                     \
  "positrons_stop = \"20 keV\"; positrons_cut = \"%s\"; };\n"

static void thick(void)
{
  char rest[900];
  snprintf(rest, sizeof rest, THICK POSITRONS, "20 ps", "10 keV");
  write_scenario(rest);
  if (!run(OUT, ""))
    return;
  closes("thick");
  ok(at("positrons_annihilated_in_flight") > 0 &&
         at("positrons_annihilated_at_rest") > 5 && at("positrons_flying") > 1 &&
         at("positrons_electrons") > 50 && at("positrons_photons") > 10 &&
         at("positrons_not_followed") == 0,
     "%.0f positrons: %.0f annihilate in flight, %.0f at rest, %.0f move; %.0f "
     "electrons, "
     "%.0f photons",
     at("positrons_born"), at("positrons_annihilated_in_flight"),
     at("positrons_annihilated_at_rest"), at("positrons_flying"),
     at("positrons_electrons"), at("positrons_photons"));
  /* photons and what joins, of the energy that electrons emit */
  const double emitted = at("photons_energy_emitted") - at("positrons_energy_photons"),
               joined = at("photons_energy_charged") - at("positrons_energy_born") +
                        at("positrons_energy_electrons") - at("photons_energy_stopped");
  is_close(at("power_freed") / at("power_photons"), joined / emitted, 1e-6,
           "electrons join with the energy that photons and positrons gave");
  is_close(at("photons_energy_rest") / (2.0 * WN_MC2_EV),
           at("positrons_born") - at("positrons_annihilated"), 1e-6,
           "rest energy of the pairs that are left");
  ok(at("positrons_energy_annihilated") > 0.0 && at("positrons_energy_field") == 0.0,
     "energy in flight returns to photons; no work without a field");
}

/* Half the step, and half the cut, of what thick() has left. */
static void halves(void)
{
  static const char *const interval[] = {"10 ps", "20 ps"};
  static const char *const cut[] = {"10 keV", "5 keV"};
  static const char *const name[] = {"half the step", "half the cut"};
  double born[3], in_flight[3], lost[3];
  for (int i = 0; i < 3; i++) {
    char rest[900];
    if (i > 0) {
      snprintf(rest, sizeof rest, THICK POSITRONS, interval[i - 1], cut[i - 1]);
      write_scenario(rest);
      if (!run(OUT, ""))
        return;
    }
    born[i] = at("positrons_born");
    in_flight[i] = at("positrons_annihilated_in_flight");
    lost[i] =
        (at("positrons_energy_deposited") + at("positrons_energy_electrons")) / born[i];
  }
  for (int i = 1; i < 3; i++) {
    is_near(born[i], born[0], SIGMAS * sqrt(born[i] + born[0]), "%s: positrons",
            name[i - 1]);
    is_near(in_flight[i], in_flight[0], SIGMAS * sqrt(in_flight[i] + in_flight[0]),
            "%s: annihilations in flight", name[i - 1]);
    /* a positron loses about its energy, whose spectrum is as wide as its mean */
    is_near(lost[i] / lost[0], 1.0, SIGMAS * sqrt(1.0 / born[i] + 1.0 / born[0]),
            "%s: collision loss of a positron", name[i - 1]);
  }
}

/* Weights are scaled at blocks; electrons, photons and positrons return to the origin. */
static void same_bits(void)
{
  write_scenario("electrons = 64; fields = [\"50 MV/m\"]; magnetic_field = \"1 T\";\n"
                 "relaxation = \"300 ps\"; duration = \"600 ps\";\n"
                 "sampling = { interval = \"20 ps\"; block = 10; };\n"
                 "radiation = { photons_min = \"50 keV\"; positrons = \"moving\"; };\n");
  if (!run(OUT, "--threads 2"))
    return;
  closes("blocks");
  ok(at("positrons_energy_scaled") != 0.0 && at("positrons_flying") > 2 &&
         at("positrons_energy_field") < 0.0,
     "weights were scaled, by %.3g eV; %.0f positrons move, the field took %.3g eV",
     at("positrons_energy_scaled"), at("positrons_flying"),
     -at("positrons_energy_field"));
  slices_same_bits("positrons", CFG, MORE, OUT, 40, 13, 3);
}

/* A set that ends below the energy of the electrons. */
static void refused(void)
{
  static const char ends[] = "ELASTIC\nN2\n 1.9583e-05\n-----------------------------\n"
                             " 0.0 1e-30\n 1.0 1e-30\n 1e6 1e-30\n"
                             "-----------------------------\n";
  char rest[900];
  snprintf(rest, sizeof rest, THICK POSITRONS, "20 ps", "10 keV");
  write_scenario(rest);
  command_write(SET, ends);
  const int status = command("%s run " CFG " --output " OUT
                             " --set 'gas.components.N2.beyond=\"error\"'",
                             command_wilson());
  if (!ok(status == 1 && strstr(command_err, "an electron reached") != NULL &&
              strstr(command_err, "the table of `elastic` ends at 1e+06 eV") != NULL,
          "a set that ends below the energy"))
    diag("status %d: %.600s", status, command_err);
}

int main(void)
{
  plan(0);
  thick();
  halves();
  same_bits();
  refused();
  remove(OUT);
  remove(CFG);
  remove(SET);
  return done();
}
