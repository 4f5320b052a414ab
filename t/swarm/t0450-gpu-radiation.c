/* t0450-gpu-radiation.c - defends: a swarm with radiation gives on a GPU the result file of the CPU, bit for bit: photons emitted, electrons
 * that they free and that fly for the rest of the step with collisions and newborns of their own, weights that are scaled at blocks, positrons that are
 * counted, annihilate at rest or move, by every scheduler; and a run in slices that the CPU and the GPU take in turn.  Reference: the run on
 * the CPU.  Every variable of the files is compared, every byte. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "t/tap/command.h"
#include "t/tap/gpu.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define SET  "t0450-set.txt"
#define CFG  "t0450.cfg"
#define OUT  "t0450.nc"
#define MORE "t0450-more.nc"

/* Elastic collisions that hardly occur, so that radiation is all that happens. */
static const char set[] = "ELASTIC\nN2\n 1.9583e-05\n-----------------------------\n"
                          " 0.0 1e-30\n 1.0 1e-30\n 1e8 1e-30\n"
                          "-----------------------------\n";

#define THICK                                                                            \
  "number_density = \"2.6868e28 m-3\"; temperature = \"0 degC\"; thermal_motion = "      \
  "false;\n"
#define PULSE                                                                            \
  "fields = [\"0 V/m\"]; waveform = { shape = \"pulse\"; length = \"1 s\"; rows = 4; "   \
  "};\nrelaxation = \"0 s\"; duration = \"1.6 ns\"; sampling = { interval = \"20 ps\"; " \
  "};\n"
#define BLOCKS                                                                           \
  "fields = [\"200 MV/m\"]; relaxation = \"200 ps\"; duration = \"0.8 ns\";\n"           \
  "sampling = { interval = \"20 ps\"; block = 10; };\n"

#define RUNAWAY                                                                          \
  "electrons = 200; initial_energy = \"5 MeV\"; fields = [\"40 MV/m\"];\n"               \
  "duration = \"0.6 ns\"; sampling = { interval = \"20 ps\"; };\n"                       \
  "radiation = { photons_min = \"20 keV\"; positrons = \"moving\"; };\n"                 \
  "runaway = { thresholds = [\"50 keV\", \"200 keV\", \"5.5 MeV\"]; "

static const struct {
  const char *name, *rest;
  int every; /* scheduler, and slices */
} cases[] = {
    {"counted",
     PULSE "electrons = 60; initial_energy = \"40 MeV\"; stop_below = \"30 keV\";\n"
           "radiation = { photons_min = \"20 keV\"; rayleigh = \"form-factor\"; };\n",
     0},
    {"at rest, blocks",
     BLOCKS "electrons = 200; initial_energy = \"10 MeV\"; stop_below = \"30 keV\";\n"
            "magnetic_field = \"1 T\";\n"
            "radiation = { photons_min = \"20 keV\"; positrons = \"at-rest\"; angle = "
            "\"dipole\"; compton = \"free\"; };\n",
     1},
    {"moving",
     BLOCKS "electrons = 64; initial_energy = \"30 MeV\"; stop_below = \"30 keV\";\n"
            "radiation = { photons_min = \"20 keV\"; positrons = \"moving\"; "
            "positrons_cut = \"100 keV\"; positrons_stop = \"300 keV\"; };\n",
     0},
    /* the population of the scenario rrea-air-radiation, in dense gas: collisions and newborns of those that join */
    {"avalanche",
     "fields = [\"1000 MV/m\"]; electrons = 64; initial_energy = \"10 MeV\";\n"
     "relaxation = \"64 ps\"; duration = \"128 ps\";\n"
     "sampling = { interval = \"4 ps\"; block = 16; };\n"
     "scattering = \"moliere\"; sharing = \"moller\"; moller = { cut = \"5 keV\"; "
     "soft_from = \"20 keV\"; };\n"
     "elastic = { grouped_from = \"50 keV\"; grouped_angle = \"20 deg\"; };\n"
     "stop_below = \"20 keV\"; radiation = { photons_min = \"20 keV\"; };\n"
     "population = { target = 128; protect_above = \"100 MeV\"; };\n",
     1},
    /* all primaries leave, and electrons that photons free join a store without any */
    {"runaway, first passages", RUNAWAY "stop_above = \"6 MeV\"; };\n", 1},
    {"runaway by levels",
     "population = { target = 80; };\n" RUNAWAY
     "levels = true; levels_from = \"10 keV\"; levels_per_decade = 3; };\n",
     1},
};

static void write_scenario(size_t k)
{
  const char *root = getenv("WN_SRCDIR");
  const int is_air = strstr(cases[k].rest, "moller") != NULL,
            is_runaway = strstr(cases[k].rest, "thresholds") != NULL;
  char text[4000];
  root = root != NULL ? root : ".";
  int n = snprintf(text, sizeof text,
                   "job = \"%s\"; groups = 16; initial_spectrum = \"mono\";\n"
                   "initial_direction = \"drift\"; quiet = true;\n"
                   "tables = { energy_max = \"100 MeV\"; bins_per_octave = 16; };\n%s"
                   "gas = { " THICK "components = {\n",
                   is_runaway ? "runaway" : "swarm", cases[k].rest);
  if (is_air)
    snprintf(text + n, sizeof text - (size_t)n,
             "N2 = { fraction = 0.79; file = \"builtin:air\"; photons = "
             "\"%s/data/photons/N.txt\"; };\nO2 = { fraction = 0.21; file = "
             "\"builtin:air\"; photons = \"%s/data/photons/O.txt\"; }; }; };\n",
             root, root);
  else
    snprintf(text + n, sizeof text - (size_t)n,
             "N2 = { file = \"" SET "\"; photons = \"%s/data/photons/N.txt\"; beyond = "
             "\"constant\"; }; }; };\n%s",
             root, is_runaway ? "" : "population = { protect_above = \"1 keV\"; };\n");
  command_write(SET, set);
  command_write(CFG, text);
}

int main(void)
{
  static const char *const in_turn[] = {"--device cuda", "--device cpu"};
  gpu_or_skip();
  plan(0);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const char *name = cases[k].name;
    write_scenario(k);
    if (!slices_run(name, CFG, OUT, "--device cpu"))
      continue;
    ok(command_nc_at(OUT, "photons_emitted", 0) > 50 &&
           command_nc_at(OUT, "photons_electrons", 0) > 5,
       "%s: %.0f photons, %.0f electrons joined", name,
       command_nc_at(OUT, "photons_emitted", 0),
       command_nc_at(OUT, "photons_electrons", 0));
    slices_same_on_gpu(name, CFG, MORE, OUT, 100, cases[k].every);
    if (cases[k].every)
      slices_are(name, CFG, MORE, OUT, 13, 3, 2, in_turn);
  }
  remove(OUT);
  remove(CFG);
  remove(SET);
  return done();
}
