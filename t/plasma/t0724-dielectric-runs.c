/* t0724-dielectric-runs.c - defends: whole runs with dielectric bodies inside the grid.
 *   - a beam into a slab in front of a plate: the slab takes all of it, and the field in the gap is that of the charge
 *     on its surface, of capacitors in series (Gauss's law, exact to the place where the particles stopped)
 *   - electrons and ions with collisions between two barriers and around a sphere of glass, with secondary emission: charge of the
 *     gas and of the surfaces adds up to 0 to rounding in all rows; the charge of each body is that of the particles
 *     that it took; the bits are those of 1 and 3 threads, of each scheduler and of restarts
 *   - each wrong shape or place is refused with key, value and what is allowed, and so is what dielectrics do not
 *     go with
 * No outside numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0724.cfg"
#define OUT       "t0724.nc"
#define OTHER     "t0724-other.nc"

/* ---- a beam into a slab of glass in front of a plate of 0 V */

/* Electrons between 0 and 5 mm fly along y into the slab from 6 to 10 mm, all of them in 4 ns; the field of their charge slows
 * them by less than 1e-3 of their energy.  Then the energy of the field is that of a charge of sigma on the slab: D^2/2 eps0 over
 * the gap, D^2/2 eps0 eps over the slab.  The surface is that of a node: of a charge within an edge the energy of the
 * edge is another one. */
static void beam(void)
{
  if (!ok(command_run(
              FILE_NAME,
              "model = \"plasma\"; duration = \"4 ns\"; seed = 3;\n"
              "grid = { cells = [4, 40]; length = [\"1 mm\", \"10 mm\"]; };\n"
              "walls = { x_low = { field = \"neumann\"; particles = \"reflect\"; }; "
              "x_high = { "
              "field = \"neumann\"; particles = \"reflect\"; }; y_low = { field = "
              "\"dirichlet\"; }; y_high = { field = \"dirichlet\"; }; };\n"
              "dielectrics = { glass = { shape = \"box\"; low = [\"-0.9 mm\", \"6 mm\"]; "
              "high = "
              "[\"2 mm\", \"11 mm\"]; permittivity = 4.0; }; };\n"
              "species = { e = { density = \"1e9 m-3\"; per_cell = 4; profile = "
              "\"slab\"; centre = "
              "[\"0.5 mm\", \"2.5 mm\"]; width = [\"1 mm\", \"4.9 mm\"]; drift = [\"0\", "
              "\"4000 "
              "km/s\", \"0\"]; }; };\n"
              "plasma = { time_step = \"20 ps\"; allow = [\"debye-length\"]; };\n",
              "", OUT, "--scheduler openmp") == 0,
          "a beam and a slab"))
    return;
  const double taken = command_nc_last(OUT, "wall_particles", 6, 4),
               left = command_nc_last(OUT, "particles", 1, 0), width = 1e-3,
               sigma = -WN_E * taken / width, gap = 6e-3, in_series = 4e-3 / 4.0,
               low = -sigma * in_series / (gap + in_series), high = low + sigma,
               energy =
                   0.5 * width * (low * low * gap + high * high * in_series) / WN_EPS0;
  ok(left == 0.0 && taken > 1.0, "the slab takes all (%g, %g)", taken, left);
  is_close(command_nc_last(OUT, "wall_charge", 6, 4), -WN_E * taken, 1e-12,
           "and its charge is theirs");
  is_close(command_nc_last(OUT, "total_charge", 1, 0), -WN_E * taken, 1e-12,
           "which the grid has");
  is_close(command_nc_last(OUT, "field_energy", 1, 0), energy, 1e-6,
           "the energy is that of capacitors in series with this charge (%.5f)",
           command_nc_last(OUT, "field_energy", 1, 0) / energy);
  ok(fabs(command_nc_last(OUT, "gauss_error", 1, 0)) < 1e-9, "Gauss's law holds (%g)",
     command_nc_last(OUT, "gauss_error", 1, 0));
}

/* ---- a discharge between barriers */

#define DISCHARGE                                                                        \
  "model = \"plasma\"; duration = \"10 ps\"; seed = 5;\n"                                \
  "gas = { pressure = \"1 bar\"; components = { N2 = { file = \"builtin:air\"; }; }; "   \
  "};\n"                                                                                 \
  "grid = { geometry = \"r-z\"; cells = [14, 20]; length = [\"0.7 mm\", \"1 mm\"]; };\n" \
  "walls = { x_high = { field = \"neumann\"; particles = \"reflect\"; };\n"              \
  "  y_low = { field = \"dirichlet\"; }; y_high = { field = \"dirichlet\"; voltage = "   \
  "\"12 kV\"; }; };\n"                                                                   \
  "dielectrics = { low = { shape = \"box\"; low = [\"0 mm\", \"0 mm\"]; high = [\"0.7 "  \
  "mm\", \"0.22 mm\"]; permittivity = 5; yield = 0.5; };\n"                              \
  "  high = { shape = \"box\"; low = [\"0 mm\", \"0.83 mm\"]; high = [\"0.8 mm\", "      \
  "\"1 mm\"]; permittivity = 9; yield = 1.5; };\n"                                       \
  "  bead = { shape = \"ellipsoid\"; centre = [\"0 mm\", \"0.5 mm\"]; semi_axes = "      \
  "[\"0.13 mm\", \"0.11 mm\"]; permittivity = 4; }; };\n"                                \
  "species = { e = { density = \"1e16 m-3\"; per_cell = 40; temperature = \"1 eV\"; "    \
  "collisions = \"gas\"; ions = \"p\"; };\n"                                             \
  "  p = { charge = 1; mass = \"1 u\"; density = \"1e16 m-3\"; per_cell = 40; "          \
  "temperature = \"0.1 eV\"; }; };\n"                                                    \
  "plasma = { time_step = \"0.25 ps\"; allow = [\"debye-length\", \"cell-crossing\"]; "  \
  "};\n"

static void discharge(void)
{
  enum { E, P, SPECIES, SIDES = 7 };
  static const char *const options[] = {"--threads 3", "--threads 1",
                                        "--scheduler serial"};
  size_t values = 0, n = 0;
  if (!ok(command_run(FILE_NAME, DISCHARGE, "", OUT, "--threads 1") == 0 &&
              command_run(FILE_NAME, DISCHARGE, "", OTHER, "--threads 3") == 0,
          "a discharge between barriers"))
    return;
  const char *name = command_nc_differs(OUT, OTHER, &values);
  ok(name == NULL && values > 1000, "1 and 3 threads have the same bits (%s, %zu)",
     name != NULL ? name : "", values);
  command_write(FILE_NAME, DISCHARGE);
  slices_are("a discharge", FILE_NAME, OTHER, OUT, 7, 4, 3, options);
  remove(FILE_NAME);
  double charge = 0.0, net = 0.0, most = 0.0;
  for (size_t i = 0; i < SIDES; i++) {
    const double e = command_nc_last(OUT, "wall_particles", SIDES * SPECIES,
                                     SIDES * E + i),
                 p = command_nc_last(OUT, "wall_particles", SIDES * SPECIES,
                                     SIDES * P + i),
                 of_side = command_nc_last(OUT, "wall_charge", SIDES, i);
    is_near(of_side, WN_E * (p - e), 1e-12 * WN_E * (fabs(p) + fabs(e) + 1.0),
            "surface %zu has the charge of %g ions and %g electrons", i, p, e);
    ok(i < 4 ? e == 0.0 && p == 0.0 : fabs(e) + p > 0.0 && of_side != 0.0, "%s",
       i < 4 ? "a wall takes nothing behind a barrier" : "a body takes some");
    charge += of_side;
  }
  ok(command_nc_last(OUT, "wall_particles", SIDES * SPECIES, SIDES * P + 4) > 0.0,
     "the lower one takes ions");
  net = WN_E * (command_nc_last(OUT, "particles", SPECIES, P) -
                command_nc_last(OUT, "particles", SPECIES, E));
  is_near(charge + net, 0.0, 1e-9 * fabs(charge), "what the gas lost the bodies have");
  double *total = command_nc_read(OUT, "total_charge", &n);
  for (size_t i = 0; total != NULL && i < n; i++)
    most = fmax(most, fabs(total[i]));
  free(total);
  ok(n > 10 && most < 1e-9 * fabs(net),
     "the charge of the grid is 0 in %zu rows (%.2g of %.2g C)", n, most, net);
  ok(fabs(command_nc_last(OUT, "gauss_error", 1, 0)) < 1e-8, "Gauss's law holds (%g)",
     command_nc_last(OUT, "gauss_error", 1, 0));
}

/* ---- what is refused */

static const char *const refusals[][2] = {
    {"--set dielectrics.low.permittivity=0.5", "allowed: 1 to"},
    {"--set 'dielectrics.a={shape=\"ellipsoid\"; centre=[\"0.5 mm\",\"0.5 mm\"]; "
     "semi_axes=[\"0.1 "
     "mm\",\"0.1 mm\"];}'",
     "key `dielectrics.a.permittivity`: missing"},
    {"--set dielectrics.low.radius='\"1 mm\"'", "has no effect with shape = \"box\""},
    {"--set dielectrics.bead.centre='[\"0 mm\",\"5 mm\"]'",
     "the dielectric goes from 0.00489 m to 0.00511 m along y, outside of the grid"},
    {"--set dielectrics.low.high='[\"0.7 mm\",\"0.03 mm\"]'",
     "the dielectric is 3e-05 m thick along y, less than a cell of 5e-05 m; allowed"},
    {"--set dielectrics.bead.centre='[\"0.325 mm\",\"0.775 mm\"]' --set "
     "dielectrics.bead.semi_axes='[\"0.026 mm\",\"0.026 mm\"]'",
     "no node of the grid is in the dielectric, which is thinner than a cell there; "
     "allowed"},
    {"--set dielectrics.bead.centre='[\"0 mm\",\"0.25 mm\"]'",
     "overlaps dielectrics.low, whose permittivity is 5"},
    {"--set 'electrodes.plate={shape=\"box\"; low=[\"0 mm\",\"0 mm\"]; high=[\"0.7 "
     "mm\",\"0.3 "
     "mm\"];}'",
     "the dielectric lies in an electrode"},
    {"--set 'electrodes.bead={shape=\"box\"; low=[\"0 mm\",\"0 mm\"]; high=[\"0.7 "
     "mm\",\"0.1 "
     "mm\"];}'",
     "there is an electrode of this name"},
    {"--set plasma.gather=energy", "allowed with dielectrics: momentum"},
    {"--set walls.x_high.field=open", "allowed with dielectrics: periodic, dirichlet"},
    {"--set grid.geometry=cartesian --set walls.x_low.field=neumann --set "
     "plasma.solver=spectral",
     "plasma.solver=spectral: allowed with dielectrics: differences, multigrid"},
    {"--set grid.geometry=cartesian --set walls.x_low.field=neumann --set "
     "plasma.field=sparse --set grid.cells=[16,16]",
     "allowed with dielectrics: electrostatic"},
    {"--set walls.y_low.field=periodic --set walls.y_high.field=periodic --set "
     "walls.y_high.voltage='\"0 V\"'",
     "the dielectric reaches a periodic side along y"},
    {"--set dielectrics.low.voltage='\"1 V\"'", "dielectrics.low.voltage"},
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
  ok(command("%s check " FILE_NAME
             " --set 'electrodes.core={shape=\"ellipsoid\"; centre=[\"0 "
             "mm\",\"0.5 mm\"]; semi_axes=[\"0.06 mm\",\"0.06 mm\"];}'",
             command_wilson()) == 0,
     "an electrode in a dielectric is not refused: %.300s", command_err);
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
