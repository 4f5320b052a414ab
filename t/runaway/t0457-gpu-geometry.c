/* t0457-gpu-geometry.c - defends: runaway jobs with detectors, with a density and a field that change along z, and with both, give on a GPU the
 * result file of the CPU, bit for bit: with first passages and with energy levels, with a magnetic field, with removal and newborns, up to MeV
 * energies with Moller's cross section, with a waveform, with radiation, whose electrons cross detectors, too, where electrons leave the gas,
 * and where a step has more crossings than the list on the GPU has room for, so that its launch is made again; and runs in slices that the CPU and
 * the GPU take in turn.  Reference: the run on the CPU.  Every variable of the files is compared, every byte. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "device/sizes.h"
#include "t/tap/command.h"
#include "t/tap/gpu.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define SET  "t0457-set.txt"
#define CFG  "t0457.cfg"
#define OUT  "t0457.nc"
#define MORE "t0457-more.nc"

/* Of the case with radiation: elastic collisions that hardly occur. */
static const char set[] = "ELASTIC\nN2\n 1.9583e-05\n-----------------------------\n"
                          " 0.0 1e-30\n 1.0 1e-30\n 1e8 1e-30\n"
                          "-----------------------------\n";

#define MIXTURE                                                                          \
  "components = {\n"                                                                     \
  "  N2 = { fraction = 0.79; file = \"builtin:air\"; };\n"                               \
  "  O2 = { fraction = 0.21; file = \"builtin:air\"; three_body = \"none\"; };\n};"
#define UNIFORM "gas = { number_density = \"2.5e25 m-3\"; " MIXTURE " };\n"
/* ln n falls by 1 each 2 um */
#define EXPONENTIAL                                                                      \
  "gas = { profile = { shape = \"table\"; altitudes = [\"-10 um\", \"10 um\"]; "         \
  "densities = [\"3.71e27 m-3\", \"1.684e23 m-3\"]; };\n" MIXTURE " };\n"
#define AIR                                                                              \
  "fields = [\"500 kV/cm\"]; duration = \"3 ps\"; electrons = 100; groups = 8;\n"        \
  "scattering = \"okhrimovskyy\"; sharing = \"rbeb\"; initial_energy = \"100 eV\";\n"    \
  "tables = { energy_max = \"10 keV\"; }; sampling = { interval = \"0.25 ps\"; };\n"
#define DETECTORS                                                                        \
  "detectors = { planes = [\"-0.1 um\", \"1 um\", \"3 um\"]; spheres = [\"2 um\"]; "     \
  "rows = 50; above = \"20 eV\"; };\n"
#define LEVELS                                                                           \
  "population = { target = 40; };\n"                                                     \
  "runaway = { levels = true; levels_per_decade = 6; thresholds = [\"100 eV\", \"500 "   \
  "eV\"]; };\n"
#define TURNS                                                                            \
  "field_profile = { places = [\"-1 um\", \"2 um\", \"4 um\"]; factors = [0.5, 1.2, "    \
  "-0.5]; };\n"
#define VACUUM                                                                           \
  "groups = 8; initial_energy = \"1 MeV\"; initial_spectrum = \"mono\";\n"               \
  "gas = { number_density = \"1 m-3\"; components = { N2 = { file = \"builtin:air\"; "   \
  "}; }; };\n"                                                                           \
  "tables = { energy_max = \"40 MeV\"; }; runaway = { thresholds = [\"20 MeV\"]; };\n"

static const struct {
  const char *name, *text;
  int slices;
  double crossings; /* more than so many */
} cases[] = {
    {"detectors in a magnetic field, first passages",
     AIR UNIFORM DETECTORS
     "magnetic_field = \"1 T\"; stop_below = \"5 eV\";\n"
     "population = { target = 150; protect_above = \"100 eV\"; };\n"
     "runaway = { thresholds = [\"150 eV\", \"500 eV\", \"1 keV\"]; };\n",
     1, 100.0},
    {"detectors, levels", AIR UNIFORM DETECTORS LEVELS, 0, 100.0},
    {"detectors, two mobility steps, slow electrons",
     "fields = [\"60 Td\"]; electrons = 64; groups = 8; duration = \"0.4 ns\";\n"
     "mobility_steps = 2; tables = { energy_max = \"1 keV\"; };\n"
     "gas = { components = { N2 = { file = \"builtin:air\"; }; }; };\n"
     "detectors = { planes = [\"10 um\"]; spheres = [\"5 um\"]; rows = 20; };\n"
     "runaway = { thresholds = [\"500 eV\"]; };\n",
     0, 100.0},
    {"density", AIR EXPONENTIAL "stop_below = \"5 eV\";\n", 0, 0.0},
    {"density, levels, a magnetic field, detectors",
     AIR EXPONENTIAL DETECTORS LEVELS "magnetic_field = \"2 T\";\n", 1, 100.0},
    {"field, a waveform",
     AIR UNIFORM DETECTORS TURNS
     "waveform = { shape = \"linear\"; times = [\"0 ps\", \"1.5 ps\", \"3 ps\"]; "
     "factors = [1.0, 1.0, 0.3]; };\n",
     1, 50.0},
    {"density and field, levels", AIR EXPONENTIAL DETECTORS TURNS LEVELS, 0, 50.0},
    {"the atmosphere, MeV",
     "fields = [\"40 Td\"]; duration = \"12 ns\"; electrons = 16; groups = 8;\n"
     "initial_energy = \"5 MeV\"; initial_spectrum = \"mono\"; stop_below = \"50 "
     "keV\";\nmagnetic_field = \"1 mT\"; scattering = \"moliere\"; sharing = "
     "\"moller\"; sampling = { interval = \"2 ns\"; };\n"
     "moller = { soft_from = \"40 keV\"; density_effect = \"none\"; };\n"
     "runaway = { thresholds = [\"6 MeV\", \"7 MeV\"]; }; population = { target = 24; "
     "};\ntables = { energy_max = \"30 MeV\"; };\n"
     "field_profile = { places = [\"-2 m\", \"2 m\", \"5 m\", \"8 m\"]; factors = [0.5, "
     "1.0, 1.5, 0.0]; };\n"
     "detectors = { planes = [\"1 m\", \"4 m\"]; rows = 10; };\n"
     "gas = { profile = { shape = \"us-standard-1976\"; altitude = \"12000 m\"; "
     "};\n" MIXTURE " };\n",
     1, 5.0},
    {"turns without collisions",
     VACUUM
     "electrons = 40; fields = [\"1 V/m\"]; duration = \"1.5 ns\"; magnetic_field = \"0.3 "
     "T\";\nmagnetic_angle = \"60 deg\"; sampling = { interval = \"0.3 ns\"; };\n"
     "field_profile = { places = [\"-10 cm\", \"0 m\", \"4 cm\", \"20 cm\"]; factors = "
     "[5e7, 1e7, -2e6, 2e7]; };\n"
     "detectors = { planes = [\"-3 cm\", \"-1 cm\", \"3 cm\", \"10 cm\", \"30 cm\"]; "
     "rows = 200; };\n",
     0, 80.0},
    {"out of the gas",
     "fields = [\"0 V/m\"]; electrons = 64; groups = 8; initial_energy = \"1 MeV\";\n"
     "initial_spectrum = \"mono\"; duration = \"40 ns\"; sampling = { interval = \"1 "
     "ns\"; };\nrunaway = { thresholds = [\"2 MeV\"]; };\n"
     "gas = { profile = { shape = \"table\"; altitude = \"101 m\"; upward = \"-z\"; "
     "altitudes = [\"100 m\", \"103 m\"]; densities = [\"3 m-3\", \"1 m-3\"]; };\n"
     "components = { N2 = { file = \"builtin:air\"; }; }; };\n"
     "detectors = { planes = [\"-2 m\", \"1 m\"]; rows = 1; };\n",
     0, 30.0},
    {"radiation",
     "electrons = 100; groups = 16; initial_energy = \"5 MeV\"; initial_spectrum = "
     "\"mono\";\nfields = [\"40 MV/m\"]; initial_direction = \"drift\";\n"
     "duration = \"0.6 ns\"; sampling = { interval = \"20 ps\"; };\n"
     "radiation = { photons_min = \"20 keV\"; };\n"
     "tables = { energy_max = \"100 MeV\"; bins_per_octave = 16; };\n"
     "runaway = { thresholds = [\"50 keV\", \"200 keV\"]; };\n"
     "detectors = { planes = [\"1 cm\", \"5 cm\", \"10 cm\"]; spheres = [\"7 cm\"]; "
     "rows = 200; };\n"
     "gas = { number_density = \"2.6868e28 m-3\"; temperature = \"0 degC\"; "
     "thermal_motion = false; components = {\n"
     "N2 = { file = \"" SET
     "\"; photons = \"%s/data/photons/N.txt\"; beyond = \"constant\"; }; }; };\n",
     1, 300.0},
    /* electrons with collisions cross many planes in one step, whose launch is repeated */
    {"a long list",
     "fields = [\"0 V/m\"]; electrons = 8000; groups = 8; duration = \"5 ps\";\n"
     "initial_energy = \"10 keV\"; initial_spectrum = \"mono\"; sampling = { interval = "
     "\"5 ps\"; };\ngas = { number_density = \"2e24 m-3\"; " MIXTURE " };\n"
     "scattering = \"okhrimovskyy\"; sharing = \"rbeb\"; tables = { energy_max = \"40 "
     "keV\"; };\nrunaway = { thresholds = [\"20 keV\"]; };\n"
     "detectors = { planes = [\"-9 um\", \"-8 um\", \"-7 um\", \"-6 um\", \"-5 um\", \"-4 "
     "um\", \"-3 um\", \"-2 um\", \"-1 um\", \"1 um\", \"2 um\", \"3 um\", \"4 um\", \"5 "
     "um\", \"6 um\", \"7 um\", \"8 um\", \"9 um\"]; spheres = [\"5 um\", \"6 um\", \"7 "
     "um\"]; rows = 20; };\n",
     0, (double)WN_GPU_CROSSINGS},
};

static void write_scenario(const char *text)
{
  static char whole[6000];
  const char *root = getenv("WN_SRCDIR");
  const int n = snprintf(whole, sizeof whole, "job = \"runaway\"; quiet = true;\n");
  const char *at = strstr(text, "%s");
  snprintf(whole + n, sizeof whole - (size_t)n, "%.*s%s%s",
           at != NULL ? (int)(at - text) : (int)strlen(text), text,
           at == NULL     ? ""
           : root != NULL ? root
                          : ".",
           at != NULL ? at + 2 : "");
  command_write(SET, set);
  command_write(CFG, whole);
}

int main(void)
{
  static const char *const in_turn[] = {"--device cuda", "--device cpu"};
  gpu_or_skip();
  plan(0);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const char *name = cases[k].name;
    write_scenario(cases[k].text);
    if (!slices_run(name, CFG, OUT, "--device cpu"))
      continue;
    if (cases[k].crossings > 0.0)
      ok(command_nc_sum(OUT, "detector_counted") > cases[k].crossings,
         "%s: %.0f crossings", name, command_nc_sum(OUT, "detector_counted"));
    slices_same_on_gpu(name, CFG, MORE, OUT, 100, 1);
    if (cases[k].slices)
      slices_are(name, CFG, MORE, OUT, 4, 2, 2, in_turn);
  }
  remove(OUT);
  remove(CFG);
  remove(SET);
  return done();
}
