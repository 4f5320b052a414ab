/* t0507-available.c - defends: a part of a scenario that is not available on a GPU, on several processes,
 * or where the grid is divided (src/config/available.h) is refused where it is asked for, by the check of
 * the scenario: with the line, key and value, the device, and what is allowed.  The same scenario is valid
 * on one process of the CPU, and with device auto, which then takes the CPU.  Without the part the check
 * does not refuse.  Needs no GPU and no MPI. */
#include <stdio.h>
#include <string.h>
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0507.cfg"

static const char plasma[] =
    "model = \"plasma\"; duration = \"1 ns\";\n"
    "grid = { cells = [16, 16]; length = [\"1 cm\", \"1 cm\"]; };\n"
    "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; }; "
    "};\n"
    "species = { e = { density = \"1e13 m-3\"; per_cell = 2; temperature = \"1 eV\"; };\n"
    "  i = { density = \"1e13 m-3\"; per_cell = 2; temperature = \"1 eV\"; charge = 1.0; "
    "mass = \"40 u\"; };\n"
    "  n = { density = \"0 m-3\"; mass = \"40 u\"; mobile = false; }; };\n"
    "plasma = { time_step = \"10 ps\"; averages = { w = { length = \"0.5 ns\"; }; }; "
    "};\n";

static const char in_file[] =
    "model = \"plasma\"; duration = \"1 ns\"; device = \"cuda\";\n"
    "grid = { cells = [16]; length = [\"1 cm\"]; };\n"
    "reactions = { r = { reactants = \"e\"; products = \"f\"; rate = \"1 1/s\"; }; };\n"
    "species = { e = { density = \"1e13 m-3\"; per_cell = 2; temperature = \"1 eV\"; };\n"
    "  f = { density = \"1e13 m-3\"; per_cell = 2; temperature = \"1 eV\"; }; };\n"
    "plasma = { time_step = \"10 ps\"; background = true; };\n";

#define GPU  "--device cuda"
#define AUTO "--device auto"
#define ELECTRODE                                                                        \
  "--set 'electrodes.a={shape=\"disc\"; centre=[\"5 mm\",\"5 mm\"]; radius=\"2 mm\"; "   \
  "thickness=\"2 mm\";}'"
#define CIRCUIT                                                                          \
  "--set 'electrodes.a={shape=\"ellipsoid\"; centre=[\"5 mm\",\"5 mm\",\"5 mm\"]; "      \
  "semi_axes=[\"2 mm\",\"2 mm\",\"2 mm\"]; resistance=\"50 ohm\";}' --set "              \
  "'grid.cells=[8,8,8]' --set 'grid.length=[\"1 cm\",\"1 cm\",\"1 cm\"]' --set "         \
  "plasma.velocities=3 "
#define DIELECTRIC                                                                       \
  "--set 'dielectrics.a={shape=\"disc\"; centre=[\"5 mm\",\"5 mm\"]; radius=\"2 mm\"; "  \
  "thickness=\"2 mm\"; permittivity=4;}' "
#define ONE_AXIS                                                                         \
  "--set grid.cells=16 --set 'grid.length=\"1 cm\"' --set species.e.per_cell=20 --set "  \
  "species.i.per_cell=20 "
#define DIVIDED "--set 'divide=\"domains\"' --ranks 2"

/* The gas has no attachment. */
#define TEST_ELECTRONS                                                                   \
  "--set 'gas={pressure=\"1 Pa\"; components={Ar={file=\"builtin:argon\";};};}' --set "  \
  "species.e.collisions=gas --set species.e.ions=i --set plasma.allow=debye-length "     \
  "--set 'plasma.test_electrons={number=64; thresholds=[\"200 eV\"];}'"

/* part: options that ask for it; where: those with which it is refused; says: what is said. */
static const struct {
  const char *part, *where, *says[2];
} rows[] = {
    {ONE_AXIS "--set 'walls.x_low.resistance=\"1 ohm m2\"'",
     GPU,
     {"--set walls.x_low.resistance=\"1 ohm m2\": walls in a circuit",
      "are not available on a GPU (device `cuda`); allowed: device cpu or auto"}},
    {"--set walls.x_low.yield=0.1",
     GPU,
     {"--set walls.x_low.yield=0.1: secondary electrons of ions without collisions",
      "(device `cuda`)"}},
    {"--set 'plasma.distributions.d={species=\"i\"; wall=\"x_low\"; energy_max=\"9 "
     "eV\";}'",
     GPU,
     {"plasma.distributions.d", "distributions at walls"}},
    {"--set 'reactions.r={reactants=\"e\"; products=\"n\"; rate=\"1 1/s\";}'",
     GPU,
     {"reactions.r", "reactions are not available on a GPU"}},
    {"--set 'plasma.coulomb.g={species=\"e\";}'",
     GPU,
     {"plasma.coulomb.g", "Coulomb collisions are not available on a GPU"}},
    {ELECTRODE, DIVIDED, {"\"domains\" is not available with electrodes", "divide"}},
    {DIELECTRIC, DIVIDED, {"\"domains\" is not available with dielectrics", "divide"}},
    {DIELECTRIC, GPU, {"dielectrics.a", "dielectrics inside the grid are not available"}},
    {CIRCUIT, GPU, {"electrodes.a", "electrodes in a circuit"}},
    {ELECTRODE,
     "--device cuda --set population.residence=batches",
     {"electrodes.a", "not available with population.residence = \"batches\""}},
    {"--set 'plasma.thermostats.t={species=\"e\"; temperature=\"1 eV\"; time=\"1 ns\";}'",
     GPU,
     {"plasma.thermostats.t", "thermostats are not available on a GPU"}},
    {"--set 'plasma.merging.m={species=\"i\"; per_cell_most=9;}' --set "
     "plasma.velocities=3",
     "--device cuda --set population.residence=batches",
     {"plasma.merging.m", "segments of them visit the GPU"}},
    {"--set 'gas={pressure=\"1 bar\"; components={Ar={file=\"builtin:argon\";};};}' "
     "--set "
     "species.e.collisions=gas --set species.e.ions=i --set plasma.allow=debye-length",
     "--device cuda --set population.residence=batches",
     {"species.e.collisions", "not available with population.residence = \"batches\""}},
    {"--set population.residence=batches",
     "--device cuda --scheduler tiles",
     {"--set scheduler=\"tiles\": ", "`tiles` keeps particles in order on the GPU"}},
    {"--set population.residence=batches",
     "--device cuda --set 'divide=\"domains\"' --ranks 2",
     {"key `divide`", "not available with population.residence = \"batches\""}},
    {"--set plasma.field=nodes --set 'plasma.averages={}'",
     DIVIDED,
     {"t0507.cfg: key `divide`: \"domains\" is not available with plasma.field",
      "take \"electrons\""}},
    {"--set 'plasma.coulomb.g={species=\"e\";}'",
     "--ranks 2",
     {"t0507.cfg: key `plasma.coulomb.g.species`: ", "in one process"}},
    {"--set 'plasma.merging.m={species=\"i\"; per_cell_most=9;}' --set "
     "plasma.velocities=3",
     "--ranks 2",
     {"plasma.merging.m", "in one process"}},
    {TEST_ELECTRONS,
     "--ranks 2",
     {"plasma.test_electrons", "not available among several processes"}},
    {"--set 'plasma.particles_interval=\"0.1 ns\"'",
     "--ranks 2",
     {"t0507.cfg: key `plasma.particles_interval`: ", "the number of processes"}},
    {"--set 'plasma.solver=\"spectral\"' --set 'walls.x_low.field=\"periodic\"' --set "
     "'walls.x_high.field=\"periodic\"'",
     DIVIDED,
     {"t0507.cfg: key `divide`: \"domains\" needs plasma.solver = \"differences\"",
      "divide"}},
    {"--set 'plasma.field=\"sparse\"'",
     DIVIDED,
     {"t0507.cfg: key `divide`: \"domains\", but component grids of plasma.field = "
      "\"sparse\"",
      "take \"electrons\""}},
    {"--set 'plasma.sources.s={species=\"e\"; pair=\"i\"; rate=\"1e20 m-3 s-1\";}'",
     DIVIDED,
     {"t0507.cfg: key `divide`: \"domains\": plasma.sources", "take \"electrons\""}},
};

static int check(const char *part, const char *where)
{
  return command("%s check " FILE_NAME " %s %s", command_wilson(), part, where);
}

int main(void)
{
  plan(0);
  command_write(FILE_NAME, plasma);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const char *part = rows[i].part;
    is_int(check(part, rows[i].where), 2, "%s: refused with %s", part, rows[i].where);
    for (int j = 0; j < 2; j++)
      ok(strstr(command_err, rows[i].says[j]) != NULL, "says `%s`: %.300s",
         rows[i].says[j], command_err);
    if (command_fast() &&
        i % 4 != 0) /* a check that is valid is timed, which takes long */
      continue;
    ok(check(part, AUTO) == 0 && strstr(command_out, "runs on cuda") == NULL,
       "valid with device auto, on the CPU: %.300s", command_err);
  }
  is_int(check(DIVIDED, ""), 0, "without these parts the grid may be divided");
  ok(check(GPU, "") == 0, "and the scenario runs on a GPU: %.300s", command_err);
  command_write(FILE_NAME, in_file);
  is_int(check("", ""), 2, "device and part of the file");
  ok(strstr(command_err,
            "t0507.cfg:3: key `reactions.r.reactants` = \"e\": reactions are "
            "not available on a GPU (device `cuda`)") != NULL,
     "the line is that of the part: %.300s", command_err);
  remove(FILE_NAME);
  return done();
}
