/* t0669-radiation-processes.c - defends: radiation of a swarm whose electrons are divided among processes.  Two and three processes have the bits of
 * one: photons, positrons that move, electrons that join, roulette, a magnetic field, weights that are scaled, electrons removed by stop_below,
 * few electrons (fewer photons than processes in some steps).  So does a run in slices by two, three and one process in turn, whose
 * checkpoints have the photons and positrons of all.  Positrons that are counted or at rest, and electrons below stop_below, are summed alike.
 * Ledgers of all processes close. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "t/tap/command.h"
#include "t/tap/photon_swarm.h"
#include "t/tap/ranks.h"
#include "t/tap/tap.h"

#define SET   "t0669-set.txt"
#define CFG   "t0669.cfg"
#define OUT   "t0669.nc"
#define AGAIN "t0669-again.nc"

static void write_scenario(int electrons, const char *radiation)
{
  char text[2000];
  snprintf(text, sizeof text,
           "groups = 4; electrons = %d; initial_energy = \"80 MeV\"; stop_below = \"30 "
           "keV\";\n"
           "fields = [\"50 MV/m\"]; magnetic_field = \"1 T\"; relaxation = \"200 ps\";\n"
           "duration = \"400 ps\"; sampling = { interval = \"20 ps\"; block = 10; };\n"
           "divide = \"electrons\"; radiation = { photons_min = \"20 keV\"; %s };\n",
           electrons, radiation);
  photon_swarm(SET, CFG, 1000.0, text);
}

static double at(const char *name)
{
  return command_nc_at(OUT, name, 0);
}

static int alone(const char *what)
{
  const int status =
      command("%s run " CFG " --threads 1 --output " OUT, command_wilson());
  if (!is_int(status, 0, "%s: a run of one process", what))
    diag("%.900s", command_err);
  return status == 0;
}

/* 7 steps at a time, by two, three and one process in turn. */
static void slices(void)
{
  static const char *const by[] = {"mpirun -n 2", "mpirun -n 3", ""};
  int n = 0, status;
  remove(AGAIN ".ckpt"); /* of a test that was killed */
  remove(AGAIN ".part");
  do
    status = command("%s %s run " CFG " --threads 1 --output " AGAIN
                     " --restart auto --set checkpoint.step_limit=7",
                     by[n % 3], command_wilson());
  while (status == 3 && ++n < 9);
  is_int(n, 4, "five slices");
  ranks_same(OUT, AGAIN, "slices by two, three and one process", status, 0);
}

static void moving(void)
{
  write_scenario(64, "positrons = \"moving\"; roulette_weight = 0.7; "
                     "roulette_below = \"500 keV\";");
  if (!alone("moving"))
    return;
  ok(at("photons_flying") > 20 && at("photons_lost") > 20 &&
         at("photons_electrons") > 20 && at("photons_electrons_stopped") > 0 &&
         at("positrons_born") > 3 && at("positrons_flying") > 0 &&
         at("photons_energy_scaled") != 0.0,
     "%.0f photons fly, %.0f lost; %.0f electrons joined, %.0f are below stop_below; "
     "%.0f positrons, %.0f move",
     at("photons_flying"), at("photons_lost"), at("photons_electrons"),
     at("photons_electrons_stopped"), at("positrons_born"), at("positrons_flying"));
  is_int((long long)at("radiation_charge_residual"), 0, "charge");
  ok(fabs(at("photons_energy_residual")) < 1e-9 * at("photons_energy_emitted") &&
         fabs(at("positrons_energy_residual")) < 1e-6 * at("positrons_energy_born"),
     "ledgers close: %.3g eV, %.3g eV", at("photons_energy_residual"),
     at("positrons_energy_residual"));
  ranks_divide_electrons(2, CFG, OUT, AGAIN);
  ranks_divide_electrons(3, CFG, OUT, AGAIN);
  slices();
}

/* Fewer electrons than events: some processes have none to radiate. */
static void few(const char *positrons)
{
  char rest[100];
  snprintf(rest, sizeof rest, "positrons = \"%s\";", positrons);
  write_scenario(8, rest);
  if (!alone(positrons))
    return;
  ok(at("photons_pairs") > 0 && at("photons_electrons_stopped") > 0,
     "%s: %.0f pairs, %.0f electrons below stop_below", positrons, at("photons_pairs"),
     at("photons_electrons_stopped"));
  ranks_divide_electrons(3, CFG, OUT, AGAIN);
}

int main(void)
{
  ranks_or_skip();
  plan(0);
  moving();
  few("counted");
  few("at-rest");
  remove(OUT);
  remove(CFG);
  remove(SET);
  return done();
}
