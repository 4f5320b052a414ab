/* t0668-roulette.c - defends: roulette of photons in a swarm (radiation.roulette_weight, radiation.roulette_below).  In thick gas the ledgers of photons, positrons,
 * electrons and charge close, to the quantum, with what roulette took; what photons emit, deposit and free is that of the analog run, and what electrons bring that
 * join is what the ledger gave, with their weights.  Fewer photons fly and fewer electrons join.  Schedulers, threads and a run in slices give
 * the same bits, with a magnetic field, positrons that move and weights that are scaled, after which photons play anew.
 * The gas scatters electrons elastically alone, hardly ever.  Fixed seeds; errors of the jackknife, 4.5 sigma: a false alarm in 7e-6 of the
 * checks of means. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "t/tap/command.h"
#include "t/tap/photon_swarm.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define SET  "t0668-set.txt"
#define CFG  "t0668.cfg"
#define OUT  "t0668.nc"
#define MORE "t0668-more.nc"

#define SIGMAS 4.5

static void write_scenario(const char *rest)
{
  char text[2000];
  snprintf(text, sizeof text, "groups = 16; stop_below = \"30 keV\";\n%s", rest);
  photon_swarm(SET, CFG, 1000.0, text);
}

static int run(const char *options)
{
  const int status =
      command("%s run " CFG " --output " OUT " %s", command_wilson(), options);
  if (!is_int(status, 0, "a run%s%s", *options ? " with " : "", options))
    diag("%.900s", command_err);
  return status == 0;
}

static double at(const char *name)
{
  return command_nc_at(OUT, name, 0);
}

/* All that is emitted is accounted for; at most six entries for each of these events, half a quantum each. */
static void closes(const char *what)
{
  static const char *const of[] = {
      "photons_emitted",  "photons_compton", "photons_absorbed",     "photons_pairs",
      "photons_rayleigh", "photons_flying",  "positrons_annihilated"};
  double events = 0.0;
  for (size_t i = 0; i < sizeof of / sizeof *of; i++)
    events += at(of[i]);
  ok(fabs(at("photons_energy_residual")) <= 3.0 / 1024.0 * events &&
         at("photons_energy_emitted") > 0.0,
     "%s: photons: %.3g eV of %.4g eV are missing, %.0f events", what,
     at("photons_energy_residual"), at("photons_energy_emitted"), events);
  /* records of electrons are floats, 6e-8 of each energy in each step */
  is_near(at("energy_residual"), 0.0, 4e-6 * at("power_photons"),
          "%s: the electrons' ledger, eV/s", what);
}

#define ROULETTE " roulette_weight = 1.0; roulette_below = \"1 MeV\";"

struct means {
  double photons, freed, freed_error, joined, flying, interactions, deposited;
};

static int means(const char *roulette, struct means *m)
{
  char rest[600];
  snprintf(rest, sizeof rest,
           "electrons = 256; initial_energy = \"10 MeV\"; fields = [\"0 V/m\"];\n"
           "waveform = { shape = \"pulse\"; length = \"1 s\"; rows = 4; };\n"
           "relaxation = \"0 s\"; duration = \"1.6 ns\";\n"
           "sampling = { interval = \"40 ps\"; };\n"
           "radiation = { photons_min = \"20 keV\";%s };\n",
           roulette);
  write_scenario(rest);
  if (!run(""))
    return 0;
  closes(*roulette ? "roulette" : "analog");
  m->photons = at("photons_energy_emitted");
  m->freed = at("power_freed");
  m->freed_error = at("power_freed_error");
  m->joined = at("photons_electrons");
  m->flying = at("photons_flying");
  m->interactions = at("photons_compton") + at("photons_absorbed");
  m->deposited = at("photons_energy_deposited");
  const double joined = at("photons_energy_charged") - at("photons_energy_stopped") -
                        at("positrons_energy");
  is_close(m->freed / at("power_photons"), joined / m->photons, 1e-6,
           "%s: electrons join with the weights of their photons",
           *roulette ? "roulette" : "analog");
  return 1;
}

static void same_means(void)
{
  struct means analog, with;
  if (!means("", &analog))
    return;
  ok(at("photons_lost") == 0.0 && at("photons_energy_roulette") == 0.0,
     "analog: none plays");
  if (!means(ROULETTE, &with))
    return;
  const double lost = at("photons_lost");
  is_near(with.freed - analog.freed, 0.0,
          SIGMAS * hypot(with.freed_error, analog.freed_error),
          "power of electrons that photons free");
  ok(with.freed_error < 0.25 * with.freed, "with an error of %.1f %% instead of %.1f %%",
     100.0 * with.freed_error / with.freed, 100.0 * analog.freed_error / analog.freed);
  /* each loss and gain of a game is of the order of the mean of both: weight x energy up to 1 MeV */
  is_near(at("photons_energy_roulette"), 0.0, SIGMAS * 1e6 * sqrt(lost),
          "roulette takes as much as it gives, eV");
  ok(lost > 500.0 && with.flying < 0.5 * analog.flying &&
         with.interactions < 0.5 * analog.interactions && with.joined < analog.joined,
     "%.0f photons lost: %.0f instead of %.0f fly, %.0f instead of %.0f interactions, "
     "%.0f instead of %.0f electrons",
     lost, with.flying, analog.flying, with.interactions, analog.interactions,
     with.joined, analog.joined);
}

static void same_bits(void)
{
  write_scenario(
      "electrons = 64; initial_energy = \"80 MeV\"; fields = [\"50 MV/m\"];\n"
      "magnetic_field = \"1 T\"; relaxation = \"300 ps\"; duration = \"600 ps\";\n"
      "sampling = { interval = \"20 ps\"; block = 10; };\n"
      "radiation = { photons_min = \"20 keV\"; positrons = \"moving\";" ROULETTE " };\n");
  if (!run("--threads 2"))
    return;
  closes("blocks");
  is_int((long long)at("radiation_charge_residual"), 0, "blocks: charge");
  ok(at("photons_lost") > 100 && at("photons_energy_scaled") != 0.0 &&
         at("photons_flying") > 20 && at("positrons_born") > 5 &&
         at("photons_electrons") > 20,
     "%.0f photons lost, %.0f fly, %.0f positrons, %.0f electrons; weights were scaled, "
     "by %.3g eV",
     at("photons_lost"), at("photons_flying"), at("positrons_born"),
     at("photons_electrons"), at("photons_energy_scaled"));
  slices_same_bits("roulette", CFG, MORE, OUT, 40, 13, 3);
}

static void refused(void)
{
  write_scenario("electrons = 64; initial_energy = \"1 MeV\"; fields = [\"0 V/m\"];\n"
                 "relaxation = \"0 s\"; duration = \"1 ns\";\n"
                 "radiation = { photons_min = \"20 keV\"; roulette_below = \"1 MeV\"; "
                 "};\n");
  const int status = command("%s run " CFG " --output " OUT, command_wilson());
  if (!ok(status == 2 &&
              strstr(command_err, "key `radiation.roulette_below` = \"1 MeV\": "
                                  "has no effect without "
                                  "radiation.roulette_weight above 0") != NULL,
          "refused: an importance without a roulette"))
    diag("status %d: %.600s", status, command_err);
}

int main(void)
{
  plan(0);
  same_means();
  same_bits();
  refused();
  remove(OUT);
  remove(CFG);
  remove(SET);
  return done();
}
