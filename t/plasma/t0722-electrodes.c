/* t0722-electrodes.c - defends: whole runs with electrodes inside the grid.
 *   - a cold, tenuous beam past a sphere in r-z: the sphere takes what its cross section meets, n v pi R^2 t,
 *     each with the energy that it has, and nothing else is lost; of particles at time 0 those in the sphere
 *     are left out, which are its part of the volume
 *   - electrons and ions with collisions, a needle on a wall and a ring of two parts with a pulsed voltage:
 *     each species' particles are loaded, born, inside, or taken; the charge that surfaces took is theirs;
 *     Gauss's law holds; both electrodes take some; the bits are those of 1 and 3 threads, of each
 *     scheduler and of restarts
 *   - each wrong shape or place is refused with key, value and what is allowed, and so is what
 *     electrodes do not go with
 * No outside numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0722.cfg"
#define OUT       "t0722.nc"
#define OTHER     "t0722-other.nc"

/* ---- a beam and a sphere */

/* Electrons of 4e6 m/s along z between mirrors; dt v is a third of a cell.  Those in front of the sphere,
 * as far as they fly, are taken.  The sphere has 10 cells in its radius.  A quiet start puts
 * macroparticles uniformly: the number in a part of the volume is off by less than that of a layer of
 * one of their distances around it, here 1 % (found: 0.2 %). */
static void beam(void)
{
  const double radius = 2e-3, box = 5e-3, length = 1e-2, density = 1e6,
               volume = WN_PI * box * box * length,
               ball = 4.0 / 3.0 * WN_PI * radius * radius * radius;
  if (!ok(command_run(
              FILE_NAME,
              "model = \"plasma\"; duration = \"512 ps\";\n"
              "grid = { geometry = \"r-z\"; cells = [25, 50]; length = [\"5 mm\", \"10 "
              "mm\"]; };\n"
              "walls = { x_high = { field = \"neumann\"; }; y_low = { field = "
              "\"dirichlet\"; }; y_high = { field = \"dirichlet\"; }; };\n"
              "electrodes = { ball = { shape = \"ellipsoid\"; centre = [\"0 mm\", \"5.03 "
              "mm\"]; semi_axes = [\"2 mm\", \"2 mm\"]; }; };\n"
              "species = { e = { density = \"1e6 m-3\"; per_cell = 60; drift = [\"0\", "
              "\"4000 km/s\", \"0\"]; }; };\n"
              "plasma = { time_step = \"16 ps\"; };\n",
              "", OUT, "--scheduler openmp") == 0,
          "a beam and a sphere"))
    return;
  const double inside = command_nc_last(OUT, "particles", 1, 0),
               taken = command_nc_last(OUT, "wall_particles", 6, 4),
               others = command_nc_last(OUT, "wall_particles", 6, 3),
               energy = command_nc_last(OUT, "wall_energy", 1, 0), flown = 4e6 * 512e-12,
               cross = density * WN_PI * radius * radius * flown;
  is_close(taken, cross, 0.01, "the sphere takes n v t pi R2 (%.5f of it)",
           taken / cross);
  is_close(inside + taken + others, density * (volume - ball), 0.002,
           "of the beam its volume was left out at time 0");
  is_close(others, density * WN_PI * box * box * flown, 0.01, "the wall takes the rest");
  is_close(energy, (taken + others) * 0.5 * WN_ME * 4e6 * 4e6, 1e-3,
           "with the energy that they have");
}

/* ---- a discharge with two electrodes */

#define DISCHARGE                                                                        \
  "model = \"plasma\"; duration = \"10 ps\"; seed = 5;\n"                                \
  "gas = { pressure = \"1 bar\"; components = { N2 = { file = \"builtin:air\"; }; }; "   \
  "};\n"                                                                                 \
  "grid = { geometry = \"r-z\"; cells = [14, 20]; length = [\"0.7 mm\", \"1 mm\"]; };\n" \
  "walls = { x_high = { field = \"neumann\"; };\n"                                       \
  "  y_low = { field = \"dirichlet\"; }; y_high = { field = \"dirichlet\"; voltage = "   \
  "\"3 kV\"; }; };\n"                                                                    \
  "electrodes = { needle = { shape = \"ellipsoid\"; centre = [\"0 mm\", \"0 mm\"]; "     \
  "semi_axes = [\"0.15 mm\", \"0.4 mm\"]; };\n"                                          \
  "  ring = { shape = \"box\"; low = [\"0.4 mm\", \"0.5 mm\"]; high = [\"0.55 mm\", "    \
  "\"0.65 mm\"]; edge_radius = \"0.03 mm\"; voltage = \"1.2 kV\"; pulse_start = \"3 "    \
  "ps\"; capacitance = \"10 pF\"; resistance = \"1 ohm\"; inductance = \"0.001 nH\"; "   \
  "yield = 0.5; electron_yield = 0.5; electron_reflection = 0.2; };\n"                   \
  "  rim = { shape = \"rod\"; part_of = \"ring\"; from = [\"0.5 mm\", \"0.6 mm\"]; to "  \
  "= [\"0.5 mm\", \"0.75 mm\"]; radius = \"0.06 mm\"; }; };\n"                           \
  "species = { e = { density = \"1e16 m-3\"; per_cell = 40; temperature = \"1 eV\"; "    \
  "collisions = \"gas\"; ions = \"p\"; };\n"                                             \
  "  p = { charge = 1; mass = \"28 u\"; density = \"1e16 m-3\"; per_cell = 40; "         \
  "temperature = \"300 K\"; }; };\n"                                                     \
  "plasma = { time_step = \"0.25 ps\"; allow = [\"debye-length\", \"cell-crossing\"]; "  \
  "};\n"

static void discharge(void)
{
  enum { E, P, SPECIES };
  static const char *const options[] = {"--threads 3", "--threads 1",
                                        "--scheduler serial"};
  size_t values = 0;
  if (!ok(command_run(FILE_NAME, DISCHARGE, "", OUT, "--threads 1") == 0 &&
              command_run(FILE_NAME, DISCHARGE, "", OTHER, "--threads 3") == 0,
          "a discharge with a needle and a ring"))
    return;
  const char *name = command_nc_differs(OUT, OTHER, &values);
  ok(name == NULL && values > 1000, "1 and 3 threads have the same bits (%s, %zu)",
     name != NULL ? name : "", values);
  command_write(FILE_NAME, DISCHARGE);
  slices_are("a discharge", FILE_NAME, OTHER, OUT, 7, 4, 3, options);
  remove(FILE_NAME);
  double charge = 0.0, of_surfaces = 0.0, gross = 0.0, all[SPECIES];
  for (size_t k = 0; k < SPECIES; k++) {
    all[k] = command_nc_last(OUT, "particles", SPECIES, k);
    for (size_t i = 0; i < 6; i++)
      all[k] += command_nc_last(OUT, "wall_particles", 6 * SPECIES, 6 * k + i);
    gross += all[k];
  }
  for (size_t i = 0; i < 6; i++) {
    charge += command_nc_last(OUT, "wall_charge", 6, i);
    of_surfaces +=
        WN_E * (command_nc_last(OUT, "wall_particles", 6 * SPECIES, 6 * P + i) -
                command_nc_last(OUT, "wall_particles", 6 * SPECIES, 6 * E + i));
  }
  is_close(all[P], all[E], 1e-12,
           "each electron that was born has an ion, here or taken");
  is_near(charge / (WN_E * gross), of_surfaces / (WN_E * gross), 1e-12,
          "the charge of surfaces is that of what they took");
  ok(command_nc_last(OUT, "born_particles", SPECIES, E) > 100.0, "%g electrons were born",
     command_nc_last(OUT, "born_particles", SPECIES, E));
  ok(command_nc_last(OUT, "wall_particles", 6 * SPECIES, 6 * E + 4) > 0.0 &&
         command_nc_last(OUT, "wall_particles", 6 * SPECIES, 6 * E + 5) > 0.0,
     "the needle took %g electrons, the ring %g",
     command_nc_last(OUT, "wall_particles", 6 * SPECIES, 6 * E + 4),
     command_nc_last(OUT, "wall_particles", 6 * SPECIES, 6 * E + 5));
}

/* ---- what is refused */

static const char *const refusals[][2] = {
    {"--set electrodes.ring.radius='\"1 mm\"'", "has no effect with shape = \"box\""},
    {"--set 'electrodes.a={shape=\"disc\"; centre=[\"0 mm\",\"0.8 mm\"]; radius=\"0.1 "
     "mm\";}'",
     "key `electrodes.a.thickness`: missing; shape = \"disc\" needs it"},
    {"--set 'electrodes.a={voltage=\"1 V\";}'",
     "key `electrodes.a.shape`: missing; allowed: ellipsoid, rod, box, disc"},
    {"--set electrodes.ring.low='[\"0.4 mm\",\"0.7 mm\"]'",
     "the box goes from 0.0007 m to 0.00065 m along y; allowed: more than"},
    {"--set electrodes.ring.edge_radius='\"0.1 mm\"'",
     "is more than half of the smallest size, 0.00015 m; allowed: 0 m to 7.5e-05 m"},
    {"--set electrodes.rim.voltage='\"1 V\"'",
     "is a part of electrodes.ring, which has the voltage"},
    {"--set electrodes.rim.part_of=none-such", "there is no electrode of this name"},
    {"--set electrodes.needle.centre='[\"0 mm\",\"5 mm\"]'",
     "the electrode goes from 0.0046 m to 0.0054 m along y, outside of the grid, "
     "which goes from 0 to 0.001 m; allowed: a part of it inside"},
    {"--set electrodes.needle.semi_axes='[\"0.04 mm\",\"0.4 mm\"]'",
     "the electrode is 4e-05 m thick along x, less than a cell of 5e-05 m; allowed"},
    {"--set 'electrodes.a={shape=\"ellipsoid\"; centre=[\"0.225 mm\",\"0.775 mm\"]; "
     "semi_axes=[\"0.026 mm\",\"0.026 mm\"];}'",
     "no node of the grid is in the electrode, which is thinner than a cell there; "
     "allowed: a "
     "larger electrode, or more grid.cells"},
    {"--set electrodes.needle.voltage='\"5 V\"'",
     "voltage=\"5 V\": the electrode touches walls.y_low, or is less than a cell from "
     "it, and "
     "that has 0 V where this has 5 V; allowed: the same voltage without a circuit, or a "
     "gap of "
     "at least a cell\n"},
    {"--set walls.y_low.voltage='\"7 V\"'",
     "t0722.cfg:6: key `electrodes.needle.shape` = \"ellipsoid\": the electrode touches "
     "walls.y_low"},
    {"--set electrodes.needle.semi_axes='[\"0.6 mm\",\"0.7 mm\"]'",
     "the electrode touches electrodes.ring, or is less than a cell from it, and that "
     "has 1200 "
     "V where this has 0 V; allowed"},
    {"--set electrodes.ring.frequency='\"1 GHz\"'",
     "has no effect without electrodes.ring.amplitude"},
    {"--set electrodes.ring.pulse_end='\"2 ps\"'",
     "is not after electrodes.ring.pulse_start"},
    {"--set walls.x_high.field=open", "allowed with electrodes: periodic, dirichlet"},
    {"--set electrodes.rim.yield=1",
     "is a part of electrodes.ring, which has the voltage"},
    {"--set electrodes.ring.electron_backscattering=0.9",
     "with electrodes.ring.electron_reflection this is 1.1, a probability"},
    {"--set electrodes.needle.resistance='\"1 ohm\"'",
     "and that has another amplitude, pulse or circuit; allowed"},
    {"--set electrodes.ring.capacitance='\"0 F\"'", "nothing is connected to a floating"},
    {"--set plasma.adaptive.least='\"0.1 ps\"'",
     "circuits of electrodes take equal steps; allowed with them: off"},
    {"--set plasma.gather=energy", "allowed with electrodes: momentum"},
    {"--set walls.y_low.field=periodic --set walls.y_high.field=periodic --set "
     "walls.y_high.voltage='\"0 V\"'",
     "the electrode reaches a periodic side along y; allowed: inside"},
    {"--set grid.geometry=cartesian --set walls.x_low.field=neumann --set "
     "plasma.field=sparse --set grid.cells=[16,16]",
     "allowed with electrodes: electrostatic"},
};

static void refused(void)
{
  command_write(FILE_NAME, DISCHARGE);
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
    const int status =
        command("%s check " FILE_NAME " %s", command_wilson(), refusals[i][0]);
    ok(status == 2 && strstr(command_err, refusals[i][1]) != NULL,
       "%s is refused (%d): %.300s", refusals[i][0], status, command_err);
  }
  ok(command("%s check " FILE_NAME, command_wilson()) == 0,
     "and without it is not: %.300s", command_err);
  remove(FILE_NAME);
}

int main(void)
{
  plan(0);
  beam();
  discharge();
  refused();
  remove(OUT);
  remove(OTHER);
  return done();
}
