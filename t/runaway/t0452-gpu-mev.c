/* t0452-gpu-mev.c - defends: runs up to MeV energies give on a GPU the result file of the CPU, bit for bit: runaways by levels of energy in a field
 * that falls (runaway.levels), with Moller's cross section, Moliere's screening, electrons that leave at an energy; a beam that slows down; an avalanche with grouped
 * elastic deflections; by every scheduler; and levels in slices that the CPU and the GPU take in turn.  Reference: the run on the CPU.
 * Every variable of the files is compared, every byte. */
#include <stdio.h>
#include <string.h>
#include "t/tap/command.h"
#include "t/tap/gpu.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define CFG  "t0452.cfg"
#define OUT  "t0452.nc"
#define MORE "t0452-more.nc"

#define AIR                                                                              \
  "quiet = true; gas = { pressure = \"1 atm\"; temperature = \"0 degC\"; components = "  \
  "{\n  N2 = { fraction = 0.79; file = \"builtin:air\"; };\n"                            \
  "  O2 = { fraction = 0.21; file = \"builtin:air\"; };\n}; };\n"
#define MOLLER                                                                           \
  "scattering = \"moliere\"; sharing = \"moller\"; moller = { cut = \"5 keV\"; "         \
  "soft_from = \"10 keV\"; }; stop_below = \"10 keV\";\n"                                \
  "initial_spectrum = \"mono\"; initial_direction = \"drift\";\n"

static const struct {
  const char *name, *text, *some; /* a variable that is not 0 */
  int slices;
} cases[] = {
    {"levels in a magnetic field",
     AIR "job = \"runaway\"; fields = [\"500 kV/cm\"]; duration = \"3.5 ps\";\n"
         "magnetic_field = \"2 T\"; waveform = { shape = \"linear\"; times = [\"0 ps\", "
         "\"1.5 ps\", \"3.5 ps\"]; factors = [1.0, 1.0, 0.3]; };\n"
         "initial_energy = \"10 eV\"; scattering = \"okhrimovskyy\"; sharing = "
         "\"rbeb\";\n"
         "tables = { energy_max = \"10 keV\"; }; electrons = 200; groups = 8;\n"
         "population = { target = 40; }; sampling = { interval = \"0.25 ps\"; };\n"
         "runaway = { levels = true; levels_per_decade = 8; thresholds = [\"100 eV\", "
         "\"200 eV\", \"500 eV\"]; };\n",
     "passages_per_primary", 1},
    {"levels up to MeV",
     AIR "job = \"runaway\"; fields = [\"300 kV/cm\"]; duration = \"60 ps\";\n"
         "waveform = { shape = \"linear\"; times = [\"0 ps\", \"10 ps\", \"30 ps\"]; "
         "factors = [1.0, 1.0, 0.12]; rows = 12; };\n"
         "initial_energy = \"30 keV\"; initial_spectrum = \"mono\"; scattering = "
         "\"moliere\"; sharing = \"moller\";\n"
         "tables = { energy_max = \"4 MeV\"; }; electrons = 48; groups = 8;\n"
         "population = { target = 24; };\n"
         "runaway = { levels = true; levels_per_decade = 4; thresholds = [\"40 keV\", "
         "\"100 keV\", \"200 keV\"]; stop_above = \"300 keV\"; };\n",
     "passages_per_primary", 0},
    {"a beam that slows down",
     AIR MOLLER
     "job = \"swarm\"; fields = [\"0 V/m\"]; waveform = { shape = \"pulse\"; length = "
     "\"1 s\"; rows = 8; };\n"
     "electrons = 120; groups = 12; initial_energy = \"0.3 MeV\"; relaxation = \"0 "
     "s\"; duration = \"2 ns\"; tables = { energy_max = \"134 MeV\"; };\n",
     "candidates", 0},
    {"an avalanche, grouped elastic deflections",
     AIR MOLLER "job = \"swarm\"; fields = [\"1 MV/m\"]; electrons = 48; groups = 8;\n"
                "initial_energy = \"3 MeV\"; relaxation = \"16 ns\"; duration = \"32 "
                "ns\"; sampling = { interval = \"1 ns\"; block = 8; };\n"
                "elastic = { grouped_from = \"30 keV\"; grouped_angle = \"20 deg\"; };\n"
                "tables = { energy_max = \"134 MeV\"; };\n"
                "population = { target = 96; protect_above = \"100 MeV\"; };\n",
     "mean_energy", 0},
};

int main(void)
{
  static const char *const in_turn[] = {"--device cuda", "--device cpu"};
  gpu_or_skip();
  plan(0);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const char *name = cases[k].name;
    command_write(CFG, cases[k].text);
    if (!slices_run(name, CFG, OUT, "--device cpu"))
      continue;
    ok(command_nc_sum(OUT, cases[k].some) > 0.0, "%s: %s is %g", name, cases[k].some,
       command_nc_sum(OUT, cases[k].some));
    slices_same_on_gpu(name, CFG, MORE, OUT, 100, 1);
    if (cases[k].slices)
      slices_are(name, CFG, MORE, OUT, 5, 2, 2, in_turn);
  }
  remove(OUT);
  remove(CFG);
  return done();
}
