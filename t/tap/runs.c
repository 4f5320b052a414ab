/* t/tap/runs.c - see runs.h. */
#include "t/tap/runs.h"

#define AIR                                                                              \
  "groups = 8; electrons = 200;\n"                                                       \
  "gas = { components = {\n"                                                             \
  "  N2 = { fraction = 0.79; file = \"builtin:air\"; };\n"                               \
  "  O2 = { fraction = 0.21; file = \"builtin:air\"; };\n"                               \
  "}; };\n"

const struct run_case run_cases[] = {
    {"swarm", "job = \"swarm\"; fields = [\"200 Td\", \"450 Td\"];\n"
              "duration = \"1 ns\"; relaxation = \"0.3 ns\"; tables = { energy_max = "
              "\"10 keV\"; };\n" AIR},
    {"runaway",
     "job = \"runaway\"; fields = [\"1000 Td\", \"2000 Td\"]; duration = \"6 ps\";\n"
     "scattering = \"okhrimovskyy\"; sharing = \"rbeb\"; mobility_steps = 3;\n"
     "tables = { energy_max = \"10 keV\"; };\n"
     "population = { target = 500; protect_above = \"80 eV\"; };\n"
     "runaway = { thresholds = [\"50 eV\", \"100 eV\"]; stop_above = \"150 eV\"; "
     "};\n" AIR},
    {"runaway-rate",
     "job = \"runaway-rate\"; fields = [\"1000 Td\", \"2000 Td\"]; duration = \"5 ps\";\n"
     "scattering = \"okhrimovskyy\"; sharing = \"rbeb\"; mobility_steps = 2;\n"
     "tables = { energy_max = \"10 keV\"; }; accuracy = 0.001;\n"
     "population = { target = 80; };\n"
     "runaway = { thresholds = [\"50 eV\", \"100 eV\", \"300 eV\"]; };\n" AIR},
};

const size_t n_run_cases = sizeof run_cases / sizeof run_cases[0];
