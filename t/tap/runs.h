/* t/tap/runs.h - short scenarios for tests that run the program: one of each model and
 * job, with births, deaths, thresholds and population control among them. */
#ifndef WN_T_TAP_RUNS_H
#define WN_T_TAP_RUNS_H
#include <stddef.h>

struct run_case {
  const char *name, *text;
};
extern const struct run_case run_cases[];
extern const size_t n_run_cases;

/* Air, 100 electrons in 8 groups. */
#define RUN_AIR                                                                          \
  "groups = 8; electrons = 100; tables = { energy_max = \"10 keV\"; };\n"                \
  "gas = { components = {\n"                                                             \
  "  N2 = { fraction = 0.79; file = \"builtin:air\"; };\n"                               \
  "  O2 = { fraction = 0.21; file = \"builtin:air\"; };\n"                               \
  "}; };\n"

/* A plasma with averages, maps and modes, and what else its group is to have; and a discharge, with
 * collisions, ions, subcycling and electrons from walls. */
#define RUN_PLASMA(more)                                                                 \
  "model = \"plasma\"; duration = \"1 ns\"; grid = { cells = [16]; length = \"1 cm\"; "  \
  "};\n"                                                                                 \
  "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\";\n"    \
  "  amplitude = \"100 V\"; frequency = \"4 GHz\"; }; };\n"                              \
  "species = { e = { density = \"1e13 m-3\"; temperature = \"10 eV\"; per_cell = 20; "   \
  "};\n"                                                                                 \
  "  p = { density = \"1e13 m-3\"; charge = 1.0; mass = \"1 u\"; per_cell = 20;\n"       \
  "    temperature = \"1 eV\"; }; };\n"                                                  \
  "plasma = { time_step = \"20 ps\"; modes = [1]; integrals_interval = \"60 ps\";\n"     \
  "  fields_interval = \"140 ps\"; fields_moments = true; " more "\n"                    \
  "  allow = [\"cell-crossing\", \"plasma-frequency\", \"debye-length\"];\n"             \
  "  averages = { all = { periods = 4; phases = 2; moments = true; };\n"                 \
  "    part = { start = \"0.2 ns\"; length = \"0.6 ns\"; blocks = 3; }; }; };\n"
/* Particles in a given E and B, between walls of all kinds. */
#define RUN_NODES                                                                        \
  "model = \"plasma\"; duration = \"40 ps\"; grid = { cells = [16, 8];\n"                \
  "  length = [\"0.2 mm\", \"0.1 mm\"]; };\n"                                            \
  "walls = { y_low = { field = \"neumann\"; }; y_high = { field = \"dirichlet\"; }; "    \
  "};\n"                                                                                 \
  "species = { e = { density = \"1e15 m-3\"; temperature = \"5 eV\"; per_cell = 10;\n"   \
  "    profile = \"sheet\"; width = [\"none\", \"20 um\"]; weights = \"profile\"; };\n"  \
  "  i = { density = \"1e15 m-3\"; per_cell = 10; charge = 1.0; mass = \"1 u\";\n"       \
  "    temperature = \"50 eV\"; loading = \"random\"; }; };\n"                           \
  "plasma = { time_step = \"1 ps\"; field = \"nodes\"; fields_interval = \"9 ps\";\n"    \
  "  nodes = { formula = \"harris\"; electric_field = [\"1 kV/cm\", \"0\", \"3 "         \
  "kV/cm\"];\n"                                                                          \
  "    sheet_field = \"0.5 T\"; sheet_thickness = \"20 um\"; perturbation = 0.3; };\n"   \
  "  magnetic_field = [\"0\", \"0\", \"0.2 T\"]; midpoint = { iterations = 4;\n"         \
  "    substep_angle = \"0.1 rad\"; };\n"                                                \
  "  allow = [\"cell-crossing\", \"plasma-frequency\", \"debye-length\"]; };\n"
#define RUN_DISCHARGE                                                                    \
  "model = \"plasma\"; duration = \"40 ps\"; grid = { cells = [16, 8];\n"                \
  "  length = [\"0.2 mm\", \"0.1 mm\"]; };\n"                                            \
  "walls = { x_low = { field = \"dirichlet\"; yield = 0.9; emission_temperature = \"3 "  \
  "eV\"; };\n"                                                                           \
  "  x_high = { field = \"dirichlet\"; voltage = \"2 kV\"; yield = 0.9; "                \
  "emission_temperature = \"3 eV\"; }; };\n"                                             \
  "gas = { pressure = \"1 bar\"; components = { Ar = { file = \"builtin:argon\"; }; "    \
  "}; };\n"                                                                              \
  "tables = { energy_max = \"1 keV\"; };\n"                                              \
  "species = { e = { density = \"1e15 m-3\"; temperature = \"5 eV\"; per_cell = 10;\n"   \
  "    collisions = \"gas\"; ions = \"i\"; };\n"                                         \
  "  i = { density = \"1e15 m-3\"; per_cell = 10; charge = 1.0; mass = \"39.948 u\";\n"  \
  "    temperature = \"1 eV\"; loading = \"random\"; collisions = \"gas\"; subcycling "  \
  "= 3; }; };\n"                                                                         \
  "plasma = { time_step = \"1 ps\"; mobility_steps = 3; fields_interval = \"9 ps\";\n"   \
  "  allow = [\"cell-crossing\", \"plasma-frequency\", \"debye-length\"]; };\n"

#endif
