/* t0910-scenarios.c - defends: every scenario that is shipped passes `wilson check`, and
 * runs when made small by --set.  The file as it is is read, with its rules and the limits of its own grid and time step; `wilson check`, too,
 * gets it small, as it tries steps of the whole and follows what grows for up to ten seconds else.  It has one thread, as only what it says is
 * looked at here, not its times (with several it tries cases side by side, and all threads count for the whole of a trial).  The one that needs a file
 * from LXCat takes it from WN_LXCAT_DIR or ../shared/lxcat, and is skipped where there is none.  Helium has made-up
 * files here, and without files its check names the keys that want them. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "src/config/config.h"
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define RING_OF_FEW                                                                      \
  " --set species.l4.per_cell=1 --set species.l5.per_cell=1 --set "                      \
  "species.l6.per_cell=1 --set species.l7.per_cell=1"
/* What makes each small; a scenario that is not listed here fails, so that a new one gets
 * its line. */
static const struct {
  const char *name, *set, *variable; /* variable: must be in the output */
  int lxcat;
} cases[] = {
    {"afterglow-oxygen.cfg", "--set 'duration=\"10 ns\"'", "reaction_events", 0},
    {"avalanche-air.cfg",
     "--set 'duration=\"10 ps\"' --set species.electrons.per_cell=8 --set "
     "species.ions.per_cell=8",
     "born_particles", 0},
    {"avalanche-to-streamer.cfg",
     "--set 'duration=\"20 ps\"' --set 'plasma.fields_interval=\"10 ps\"'",
     "merging_passes", 0},
    {"barrier-air.cfg",
     "--set 'duration=\"3 ps\"' --set 'grid.cells=[10, 20]' --set "
     "species.electrons.macroparticles=1000 --set species.ions.macroparticles=1000",
     "wall_charge", 0},
    {"beam-air.cfg", "--set electrons=40 --set 'duration=\"0.5 ns\"'", "time_mean_energy",
     0},
    {"beam-air-radiation.cfg", "--set electrons=40 --set 'duration=\"0.5 ns\"'",
     "photons_emitted", 0},
    {"ccp-argon.cfg", "--set 'duration=\"4 ns\"'", "born_particles", 0},
    {"ccp-helium.cfg",
     "--set 'duration=\"20 ns\"' --set species.electrons.per_cell=8 --set "
     "species.ions.per_cell=8",
     "collision_energy", 2},
    {"child-langmuir.cfg",
     "--set 'duration=\"1 ns\"' --set 'plasma.averages.steady.start=\"0.5 ns\"'",
     "average_steady_potential", 0},
    {"coulomb-relaxation.cfg",
     "--set 'duration=\"0.5 ns\"' --set species.electrons.per_cell=50 --set "
     "species.ions.per_cell=50",
     "kinetic_energy", 0},
    {"diocotron-3d-sparse.cfg",
     "--set 'duration=\"0.2 ns\"' --set 'grid.cells=[32, 32, 32]'" RING_OF_FEW,
     "density_l4", 0},
    {"diocotron-3d.cfg",
     "--set 'duration=\"0.2 ns\"' --set 'grid.cells=[32, 32, 32]'" RING_OF_FEW,
     "density_l4", 0},
    {"diocotron.cfg",
     "--set 'duration=\"2 ns\"' --set 'grid.cells=[32, 32]' --set "
     "'plasma.fields_interval=\"1 ns\"'",
     "density_electrons", 0},
    {"gem-2d.cfg",
     "--set 'duration=\"4 steps\"' --set 'plasma.fields_interval=\"2 steps\"' --set "
     "'grid.cells=[32, 16]' "
     "--set species.electrons.per_cell=8 "
     "--set species.ions.per_cell=8 "
     "--set species.background_electrons.per_cell=8 "
     "--set species.background_ions.per_cell=8",
     "magnetic_field_x", 0},
    {"gem-3d.cfg",
     "--set 'duration=\"4 steps\"' --set 'plasma.fields_interval=\"2 steps\"' --set "
     "'grid.cells=[8, 8, 8]' "
     "--set species.electrons.per_cell=4 "
     "--set species.ions.per_cell=4 "
     "--set species.background_electrons.per_cell=4 "
     "--set species.background_ions.per_cell=4",
     "magnetic_field_y", 0},
    {"landau-1d.cfg", "--set 'duration=\"1 ns\"' --set species.electrons.per_cell=50",
     "potential_mode", 0},
    {"landau-3d-sparse.cfg",
     "--set 'duration=\"0.2 ns\"' --set 'grid.cells=[16, 16, 16]'", "potential_mode", 0},
    {"landau-3d.cfg", "--set 'duration=\"0.2 ns\"' --set species.electrons.per_cell=4",
     "potential_mode", 0},
    {"lucas-saelee.cfg", "--set electrons=100 --set accuracy=0.1", "mean_energy", 0},
    {"maxwell-gas.cfg", "--set electrons=32 --set accuracy=0.1", "mean_energy", 0},
    {"needle-air.cfg",
     "--set 'duration=\"3 ps\"' --set 'grid.cells=[10, 20]' --set "
     "species.electrons.macroparticles=1000 --set species.ions.macroparticles=1000",
     "photons", 0},
    {"negative-streamer-air.cfg",
     "--set 'duration=\"4 ps\"' --set 'grid.cells=[16, 50]' --set "
     "species.electrons.macroparticles=2000 --set species.ions.macroparticles=2000 --set "
     "'plasma.allow=[\"debye-length\"]'",
     "photons", 0},
    {"planar-front.cfg", "--set 'duration=\"2 ps\"'", "mean_energy_electrons", 0},
    {"plasma-oscillation.cfg", "--set 'duration=\"1 ns\"'", "field_energy", 0},
    {"positive-streamer-air.cfg",
     "--set 'duration=\"4 ps\"' --set 'grid.cells=[16, 50]' --set "
     "species.electrons.macroparticles=1000 --set species.ions.macroparticles=1000",
     "photons", 0},
    {"reid-ramp-crossed.cfg", "--set electrons=100 --set accuracy=0.1",
     "drift_vector_flux", 0},
    {"reid-ramp-hot.cfg", "--set electrons=100 --set accuracy=0.1", "mean_energy", 0},
    {"reid-ramp.cfg", "--set electrons=100 --set accuracy=0.1", "mean_energy", 0},
    {"rrea-air.cfg",
     "--set electrons=32 --set population.target=32 --set 'relaxation=\"2 ns\"' --set "
     "'duration=\"8 ns\"' --set 'sampling.interval=\"0.25 ns\"'",
     "townsend_effective_sst_reduced", 0},
    {"rrea-air-radiation.cfg",
     "--set electrons=32 --set population.target=32 --set 'relaxation=\"2 ns\"' --set "
     "'duration=\"8 ns\"' --set 'sampling.interval=\"0.25 ns\"'",
     "photon_spectrum", 0},
    {"runaway-air.cfg",
     "--set electrons=50 --set population.target=50 --set 'duration=\"1 ps\"'",
     "passage_rate", 0},
    {"runaway-families.cfg", "--set electrons=50 --set 'duration=\"2 ps\"'",
     "runaway_fraction", 0},
    {"runaway-streamer.cfg",
     "--set 'duration=\"1 ps\"' --set 'grid.cells=[10, 20]' --set "
     "species.electrons.macroparticles=1000 --set species.ions.macroparticles=1000",
     "passages", 0},
    {"streamer-air.cfg",
     "--set 'duration=\"4 ps\"' --set 'grid.cells=[16, 48]' --set "
     "species.electrons.macroparticles=2000 --set species.ions.macroparticles=2000 --set "
     "'plasma.allow=[\"debye-length\"]'",
     "photons", 0},
    {"streamer-benchmark.cfg",
     "--set 'duration=\"4 ps\"' --set 'grid.cells=[64, 64]' --set "
     "species.electrons.macroparticles=2000 --set species.ions.macroparticles=2000 --set "
     "species.seed.macroparticles=2000",
     "merging_passes", 0},
    {"swarm-air.cfg", "--set electrons=64 --set accuracy=0.1 --set 'fields=[\"200 Td\"]'",
     "mean_energy", 0},
    {"swarm-n2-lxcat.cfg",
     "--set electrons=64 --set accuracy=0.1 --set 'fields=[\"100 Td\"]'", "mean_energy",
     1},
    {"swarm-rf.cfg",
     "--set electrons=64 --set accuracy=0.1 --set 'fields=[\"100 Td\"]' --set "
     "'relaxation=\"0 s\"' --set 'duration=\"70 ns\"'",
     "phase_mean_energy", 0},
    {"thermal-to-mev.cfg",
     "--set electrons=32 --set population.target=16 --set runaway.levels_per_decade=4 "
     "--set 'duration=\"8 ps\"'",
     "time_passages", 0},
    {"tiles-2d.cfg",
     "--set 'duration=\"70 ps\"' --set 'grid.cells=[64, 64]' --set "
     "'grid.length=[\"15 mm\", \"15 mm\"]'",
     "kinetic_energy", 0},
    {"two-stream.cfg",
     "--set 'duration=\"1 ns\"' --set 'plasma.particles_interval=\"0.5 ns\"'",
     "position_left", 0},
};
enum { N_CASES = sizeof cases / sizeof cases[0] };

#define HELIUM "t0910-helium.txt"
#define IONS   "t0910-ions.txt"
#define RULE   "-----------------------------\n"

/* Cross sections as LXCat writes them; the numbers are made up. */
static void make_helium(void)
{
  command_write(HELIUM, "ELASTIC\nHe\n 1.36e-4\n" RULE " 0 6e-20\n 1000 1e-21\n" RULE
                        "EXCITATION\nHe -> He*\n 19.8\n" RULE
                        " 19.8 0\n 100 2e-21\n 1000 5e-22\n" RULE
                        "IONIZATION\nHe -> He^+\n 24.6\n" RULE
                        " 24.6 0\n 100 4e-21\n 1000 1e-21\n" RULE);
  command_write(IONS, "SPECIES: He^+ / He\nPROCESS: He+ + He -> , Isotropic\n"
                      "PARAM.:  Mi = 4.0026, Mi/M = 1, complete set\n" RULE
                      " 0 4e-19\n 10000 1e-20\n" RULE
                      "SPECIES: He^+ / He\nPROCESS: He+ + He -> , Backscat\n"
                      "PARAM.:  Mi = 4.0026, Mi/M = 1, complete set\n" RULE
                      " 0 3e-19\n 10000 1e-19\n" RULE);
}

/* What is missing is said, both files at once. */
static void helium_is_missing(const char *folder)
{
  const int status = command("%s check '%s/ccp-helium.cfg'", command_wilson(), folder);
  ok(status != 0 && strstr(command_err, "`gas.components.He.file`") != NULL &&
         strstr(command_err, "`species.ions.cross_sections`") != NULL &&
         strstr(command_err, "searched: ") != NULL,
     "ccp-helium.cfg without its files: both are asked for");
}

/* The option that names the file from LXCat, "" when none is needed, NULL when there is
 * none. */
static const char *lxcat_option(int wanted)
{
  static char option[4400];
  char path[4200];
  const char *dir = getenv("WN_LXCAT_DIR"), *src = getenv("WN_SRCDIR");
  if (!wanted)
    return "";
  if (wanted == 2)
    return "--set 'gas.components.He.file=\"" HELIUM "\"' --set "
           "'species.ions.cross_sections=\"" IONS "\"'";
  if (dir != NULL && *dir)
    snprintf(path, sizeof path, "%.4000s/SIGLO-N2.txt", dir);
  else
    snprintf(path, sizeof path, "%.4000s/../shared/lxcat/SIGLO-N2.txt",
             src != NULL && *src ? src : ".");
  if (access(path, R_OK) != 0)
    return NULL;
  snprintf(option, sizeof option,
           "--set 'gas.components.N2.file=\"%s\"' --set "
           "'gas.components.N2.effective=\"subtract\"'",
           path);
  return option;
}

/* The file as it is, with no more than the file from LXCat: its rules, and its limits of cells and steps (src/config/plasma_limits.h). */
static void is_read(const char *folder, int i, const char *lxcat)
{
  char path[4400], values[3][4300];
  const char *set[3];
  size_t n = 0;
  struct wn_config *c = NULL;
  snprintf(path, sizeof path, "%.4200s/%s", folder, cases[i].name);
  for (const char *at = lxcat; n < 3 && (at = strstr(at, "--set '")) != NULL; n++) {
    at += strlen("--set '");
    snprintf(values[n], sizeof values[n], "%.*s", (int)strcspn(at, "'"), at);
    set[n] = values[n];
  }
  is_int(wn_config_read(path, n, set, &c), WN_OK, "%s is read as it is", cases[i].name);
  wn_config_free(c);
}

static void one_case(const char *folder, int i)
{
  const char *name = cases[i].name, *file = lxcat_option(cases[i].lxcat);
  size_t n = 0;
  if (file == NULL) {
    skip(5, "%s: no SIGLO-N2.txt in WN_LXCAT_DIR or ../shared/lxcat", name);
    return;
  }
  is_read(folder, i, file);
  int status = command("OMP_NUM_THREADS=1 %s check '%s/%s' %s %s", command_wilson(),
                       folder, name, cases[i].set, file);
  if (!ok(status == 0 && strstr(command_out, "is valid") != NULL,
          "%s passes wilson check", name))
    diag("%.900s", command_err);
  ok(strstr(command_out, "memory") != NULL && strstr(command_out, "work:") != NULL,
     "%s: with memory and work", name);
  status = command("%s run '%s/%s' --output t0910.nc %s %s", command_wilson(), folder,
                   name, cases[i].set, file);
  if (!is_int(status, 0, "%s runs", name))
    diag("%.900s", command_err);
  double *v = command_nc_read("t0910.nc", cases[i].variable, &n);
  ok(v != NULL && n > 0, "%s: %s is in its output", name, cases[i].variable);
  free(v);
  if (strcmp(name, "ccp-argon.cfg") ==
      0) { /* 416 bytes a row: in each step they were 166 MB */
    free(command_nc_read("t0910.nc", "time", &n));
    is_int((long long)n, 217 / 20, "%s: rows of sums in 217 steps", name);
  }
  remove("t0910.nc");
  remove("t0910.nc.part");
}

int main(void)
{
  char folder[4200];
  const char *src = getenv("WN_SRCDIR");
  snprintf(folder, sizeof folder, "%.4000s/data/scenarios",
           src != NULL && *src ? src : ".");
  DIR *d = opendir(folder);
  if (d == NULL)
    skip_all("no folder %s", folder);
  plan(0);
  int found = 0;
  for (struct dirent *e = readdir(d); e != NULL; e = readdir(d)) {
    size_t len = strlen(e->d_name);
    int i = 0;
    if (len < 4 || strcmp(e->d_name + len - 4, ".cfg") != 0)
      continue;
    while (i < N_CASES && strcmp(cases[i].name, e->d_name) != 0)
      i++;
    found += ok(i < N_CASES, "%s has a line in this test", e->d_name);
  }
  closedir(d);
  is_int(found, N_CASES, "every scenario of this test is there");
  helium_is_missing(folder);
  make_helium();
  for (int i = 0; i < N_CASES; i++)
    one_case(folder, i);
  remove(HELIUM);
  remove(IONS);
  return done();
}
