/* t0610-swarm-reference.c - defends: swarms in N2 and in 80/20 air with the Phelps set
 * agree with an independent Monte Carlo code on the same set: mean energy and flux drift
 * within 0.7 %, alpha/N within 3 % and 3 standard errors of both. Numbers:
 * ../shared/reference/swarm.csv, rows `particle_swarm MC` (equal sharing, isotropic
 * scattering, 300 K, constant continuation, no three-body attachment).  Skips where these
 * files are absent. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "t/tap/command.h"
#include "t/tap/tap.h"

static const double fields_td[] = {100.0, 200.0, 500.0};
#define N_FIELDS (sizeof fields_td / sizeof fields_td[0])

struct row {
  double energy, drift, alpha, sd;
};

/* Of the columns set, solver, EN_Td, mean_energy_eV, W_flux_m_s, W_bulk_m_s, muN, DN,
 * DL_N, k_ion, k_att, alphaN_m2, sd, etaN_m2. */
static int find_row(const char *path, const char *set, double td, struct row *r)
{
  FILE *f = fopen(path, "r");
  char line[1024];
  int found = 0;
  while (f != NULL && !found && fgets(line, sizeof line, f) != NULL) {
    char *field[16], *at = line;
    int n = 0;
    while (n < 16 && (field[n] = strsep(&at, ",")) != NULL)
      n++;
    if (n < 13 || strcmp(field[0], set) != 0 ||
        strcmp(field[1], "particle_swarm MC") != 0 || fabs(atof(field[2]) - td) > 1e-6)
      continue;
    *r = (struct row){atof(field[3]), atof(field[4]), atof(field[11]), atof(field[12])};
    found = 1;
  }
  if (f != NULL)
    fclose(f);
  return found;
}

static double at(const char *name, size_t i)
{
  return command_nc_at("t0610.nc", name, i);
}

static void compare(const char *csv, const char *set)
{
  for (size_t i = 0; i < N_FIELDS; i++) {
    struct row r;
    if (!ok(find_row(csv, set, fields_td[i], &r), "%s at %g Td is in the reference", set,
            fields_td[i]))
      continue;
    double e = at("mean_energy", i), w = at("drift_velocity_flux", i),
           a = at("townsend_coefficient_reduced", i);
    double sd = hypot(at("townsend_coefficient_reduced_error", i), r.sd);
    is_close(e, r.energy, 0.007, "%s at %g Td: mean energy (its error %.2g)", set,
             fields_td[i], at("mean_energy_error", i));
    is_close(w, r.drift, 0.007, "%s at %g Td: flux drift (its error %.2g)", set,
             fields_td[i], at("drift_velocity_flux_error", i));
    is_near(a, r.alpha, 0.03 * r.alpha + 3.0 * sd, "%s at %g Td: alpha/N", set,
            fields_td[i]);
  }
}

int main(void)
{
  const char *root = getenv("WN_SRCDIR"), *dir = getenv("WN_LXCAT_DIR");
  char phelps[4096], csv[4096];
  int electrons = command_long() > 1 ? 10000 : 2000;
  if (root == NULL)
    root = ".";
  if (dir != NULL)
    snprintf(phelps, sizeof phelps, "%s/Phelps-air_N2_O2_elastic500eV.txt", dir);
  else
    snprintf(phelps, sizeof phelps,
             "%s/../shared/lxcat/Phelps-air_N2_O2_elastic500eV.txt", root);
  snprintf(csv, sizeof csv, "%s/../shared/reference/swarm.csv", root);
  command_skip_if_fast();
  if (access(phelps, R_OK) != 0 || access(csv, R_OK) != 0)
    skip_all("the Phelps set or the reference table is not here (../shared)");
  plan(0);
  /* of alpha/N in N2 at 100 Td the row of the reference is 2.9 of its errors low: longer runs give
   * 7.81(6)e-24 here, counted and expected alike, and 7.95(24)e-24 by particle_swarm, from
   * which the row is (2026-11-23).  So our own error must be small beside it */
  const char *common =
      "--set 'accuracy={mean_energy=0.003; mobility=0.003; alpha=0.05;}' --quiet "
      "--output t0610.nc --set 'fields=[\"100 Td\", \"200 Td\", \"500 Td\"]'";
  int status = command("%s run %s/data/scenarios/swarm-n2-lxcat.cfg %s --set "
                       "electrons=%d --set gas.components.N2.file=%s",
                       command_wilson(), root, common, electrons, phelps);
  if (!is_int(status, 0, "N2 runs"))
    diag("%.800s", command_err);
  compare(csv, "N2_Phelps");
  status = command(
      "%s run %s/data/scenarios/swarm-n2-lxcat.cfg %s --set electrons=%d --set "
      "gas.components.N2.file=%s "
      "--set gas.components.N2.fraction=0.8 --set gas.components.O2.fraction=0.2 --set "
      "gas.components.O2.file=%s "
      "--set gas.components.O2.beyond=constant --set gas.components.O2.three_body=none",
      command_wilson(), root, common, electrons, phelps, phelps);
  if (!is_int(status, 0, "air runs"))
    diag("%.800s", command_err);
  compare(csv, "air80_20_Phelps");
  remove("t0610.nc");
  return done();
}
