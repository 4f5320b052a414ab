/* t0503-plasma-errors.c - defends: each mistake in a scenario of model plasma is an error
 * with its place, key, value and what is allowed, before anything is allocated.  The
 * messages are written out here as people are to read them.  Numbers: 1e15 electrons/m3
 * have the plasma frequency sqrt(n e^2 / (eps0 m)) = 1.784e9 rad/s, at 1 eV the Debye
 * length 235.1 um and the thermal speed 4.194e5 m/s (CODATA 2018, by hand). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "t/tap/scenario.h"
#include "t/tap/tap.h"

/* A sound scenario, line by line, and what takes the place of a line. */
#define MODEL      "model = \"plasma\"; duration = \"1 ns\"; "
#define GRID       "grid = { cells = [40, 40]; length = [\"1 cm\", \"1 cm\"]; };\n"
#define E          "density = \"1e15 m-3\"; temperature = \"1 eV\"; "
#define ELECTRON   "e = { " E "}; "
#define ION        "i = { density = \"1e15 m-3\"; charge = 1; mass = \"1 u\"; }; "
#define SPECIES(s) "species = { " s " };\n"
#define STEP       "plasma = { time_step = \"10 ps\"; };\n"
#define BASE       MODEL GRID SPECIES(ELECTRON ION) STEP
#define ONLY(s)    MODEL GRID SPECIES(s) STEP
/* electrons with more keys, on a background */
#define WITH(more)                                                                       \
  MODEL GRID SPECIES("e = { " E more                                                     \
                     "}; ") "plasma = { time_step = \"10 ps\"; background = true; };\n"
#define PLASMA(more)                                                                     \
  MODEL GRID SPECIES(ELECTRON ION) "plasma = { time_step = \"10 ps\"; " more " };\n"
#define WALLS(more) BASE "walls = { " more " };\n"
/* Averages of a plasma between walls, of which one has a period of 0.25 ns. */
#define PERIODIC(more)                                                                   \
  MODEL GRID SPECIES(                                                                    \
      ELECTRON ION) "plasma = { time_step = \"10 ps\"; averages = { a = { " more         \
                    "; }; }; };\nwalls = { x_high = { " DIRICHLET                        \
                    "};\n x_low = { " DIRICHLET                                          \
                    "amplitude = \"1 V\"; frequency = \"4 GHz\"; }; };\n"
/* Negative ions, made by reactions alone. */
#define ANION                                                                            \
  "n = { density = \"0 m-3\"; charge = -1; mass = \"16 u\"; mobile = false; }; "
#define REACT     MODEL GRID SPECIES(ELECTRON ION ANION) STEP
#define DIRICHLET "field = \"dirichlet\"; "
#define METAL(more)                                                                      \
  BASE "walls = { x_high = { " DIRICHLET "};\n x_low = { " DIRICHLET more "}; };\n"

/* electrons with collisions, and what takes their ions */
#define GAS   "gas = { components = { N2 = { file = \"builtin:air\"; }; }; };\n"
#define ARGON "gas = { components = { Ar = { file = \"builtin:argon\"; }; }; };\n"
#define MIXTURE                                                                          \
  "gas = { components = { Ar = { fraction = 0.5; file = \"builtin:argon\"; }; N2 = { "   \
  "fraction = 0.5; file = \"builtin:air\"; }; }; };\n"
/* electrons and ions, both with collisions */
#define DISCHARGE(more)                                                                  \
  MODEL GRID SPECIES(                                                                    \
      "e = { " E "collisions = \"gas\"; ions = \"i\"; }; i = { density = "               \
      "\"1e15 m-3\"; charge = 1; mass = \"40 u\"; collisions = \"gas\"; " more "}; ")    \
      STEP
#define PLATES(wall, more)                                                               \
  DISCHARGE(more)                                                                        \
  "walls = { x_high = { " DIRICHLET "}; x_low = { " DIRICHLET wall "}; };\n"
#define MEETS(more, i, a)                                                                \
  MODEL GRID SPECIES("e = { " E "collisions = \"gas\"; ions = \"i\"; anions = "          \
                     "\"a\"; " more "}; i = { " i " }; a = { " a " }; ") STEP

/* Particles in a given E and B, with more keys of plasma. */
#define NODES(more)                                                                      \
  MODEL GRID SPECIES(ELECTRON ION) "plasma = { time_step = \"10 ps\"; field = "          \
                                   "\"nodes\"; " more " };\n"
#define SHEET(more)                                                                      \
  NODES("nodes = { formula = \"harris\"; sheet_field = \"1 mT\"; sheet_thickness = "     \
        "\"1 mm\"; }; " more)
#define GIVEN "t0503.cfg:3: key `plasma."
#define CHARGE                                                                           \
  "plasma.field = \"nodes\" is not made by charge, and gathered by cic; remove the "     \
  "key\n"
#define NOT_YET "is not available with plasma.field = \"nodes\""

static const struct {
  const char *text, *set, *messages;
} cases[] = {
    /* ---- field nodes ---- */
    {NODES(""), NULL, ""},
    {SHEET("magnetic_field = [\"0\", \"0\", \"1 mT\"]; "), NULL, ""},
    {NODES("mover = \"boris\"; "), NULL, ""},
    {NODES("mover = \"euler\"; "), NULL,
     GIVEN "mover` = \"euler\": unknown word; allowed: implicit-midpoint, boris\n"},
    {PLASMA("mover = \"boris\"; midpoint = { substep_cells = 0.5; };"), NULL,
     GIVEN "mover` = \"boris\": has no effect without plasma.field = \"nodes\"\n" GIVEN
           "midpoint.substep_cells` = 0.5: has no effect without plasma.field = "
           "\"nodes\"\n"},
    {NODES("mover = \"boris\"; midpoint = { iterations = 5; };"), NULL,
     GIVEN "midpoint.iterations` = 5: plasma.mover = \"boris\" does not iterate; remove "
           "the key\n"},
    {NODES("midpoint = { iterations = 0; };"), NULL,
     GIVEN "midpoint.iterations` = 0: out of range; allowed: 1 to 1000\n"},
    {NODES("nodes = { sheet_field = \"1 T\"; };"), NULL,
     GIVEN "nodes.sheet_field` = \"1 T\": has no effect without plasma.nodes.formula = "
           "\"harris\"\n"},
    {NODES("nodes = { formula = \"harris\"; };"), NULL,
     "t0503.cfg: key `plasma.nodes.sheet_field`: missing; harris needs the field B0 of a "
     "sheet\nt0503.cfg: key `plasma.nodes.sheet_thickness`: missing; harris needs the "
     "thickness of a sheet\n"},
    {NODES("nodes = { between_times = \"linear\"; };"), NULL,
     GIVEN "nodes.between_times` = \"linear\": has no effect without "
           "plasma.nodes.file\n"},
    {NODES("velocities = 2; "), NULL,
     GIVEN "velocities` = 2: plasma.field = \"nodes\" has all three components of E and "
           "B; allowed: 3\n"},
    {NODES("shape = \"tsc\"; "), NULL, GIVEN "shape` = \"tsc\": " CHARGE},
    {NODES("background = true; "), NULL, GIVEN "background` = true: " CHARGE},
    {NODES("") "walls = { x_low = { " DIRICHLET
               "voltage = \"1 V\"; }; x_high = { " DIRICHLET "}; };\n",
     NULL,
     "t0503.cfg:4: key `walls.x_low.voltage` = \"1 V\": " NOT_YET
     ", whose E and B are given\n"},
    {NODES("reference = \"x\"; "), NULL,
     GIVEN "reference` = \"x\": there is no species `x`\n"},
    {WITH("thermal_speed = \"1 km/s\"; "), NULL,
     "t0503.cfg:2: key `species.e.thermal_speed` = \"1 km/s\": is a temperature of "
     "5.6856301e-06 eV, and species.e.temperature is 1 eV; give one of them\n"},
    {WITH("weights = \"profile\"; profile = \"sheet\"; width = [\"none\", \"1 mm\"]; "),
     NULL,
     "t0503.cfg:2: key `species.e.weights` = \"profile\": \"profile\" needs particles "
     "with "
     "a weight: without collisions, in two or three dimensions with plasma.velocities = "
     "3\n"},
    {WITH("profile = \"sheet\"; "), NULL,
     "t0503.cfg: key `species.e.width`: missing; profile sheet needs a width along at "
     "least one axis\n"},
    {BASE, NULL, ""},
    {BASE, "device=cpu", ""},
    {WITH(""), NULL, ""},
    {METAL("voltage = \"3 V\"; amplitude = \"1 V\"; frequency = \"1 GHz\"; "), NULL, ""},
    /* ---- the grid ---- */
    {MODEL SPECIES(ELECTRON ION) STEP, NULL,
     "t0503.cfg: key `grid.cells`: missing; give the number of cells along each axis, as "
     "in grid = { cells = [64, 64]; length = [\"1 cm\", \"1 cm\"]; };\nt0503.cfg: key "
     "`grid.length`: missing; give a length for each axis, as in grid = { cells = [64, "
     "64]; length = [\"1 cm\", \"1 cm\"]; };\n"},
    {BASE, "grid.cells=[40, 1]",
     "--set grid.cells=[40, 1]: out of range; allowed: 2 to 16777216\n"},
    {BASE, "grid.cells=[]",
     "--set grid.cells=[]: 0 values; allowed: one for each axis of the grid, at most "
     "3\n"},
    {BASE, "grid.cells=[8, 8, 8, 8]",
     "--set grid.cells=[8, 8, 8, 8]: 4 values; allowed: one for each axis of the grid, "
     "at most 3\n"},
    {BASE, "grid.cells=[40, 40, 40]",
     "t0503.cfg:1: key `grid.length` = [\"1 cm\", \"1 cm\"]: 2 values, and the grid has "
     "3 axes; the number must be that of grid.cells\n"},
    {BASE, "grid.cells=[40, 32769]",
     "--set grid.cells=[40, 32769]: 32769 cells along y; at most 32768 in more than one "
     "dimension\nt0503.cfg: key `species.e.per_cell`: 131076000 particles are more than "
     "population.capacity, 100000000\nt0503.cfg: key `species.i.per_cell`: 131076000 "
     "particles are more than population.capacity, 100000000\nt0503.cfg:3: key "
     "`plasma.time_step` = \"10 ps\": species e crosses 68.71 cells in a step, with its "
     "drift and five thermal speeds; at most 1.455e-13 s for one cell, or set "
     "plasma.allow = [\"cell-crossing\"]\n"},
    {BASE, "grid={cells=[1000,1000,1000]; length=[\"1 cm\",\"1 cm\",\"1 cm\"];}",
     "--set grid={cells=[1000,1000,1000]; length=[\"1 cm\",\"1 cm\",\"1 cm\"];}: "
     "1009027027 nodes including guard cells; at most 536870912\nt0503.cfg: key "
     "`species.e.per_cell`: 1e+11 particles are more than population.capacity, "
     "100000000\nt0503.cfg: key `species.i.per_cell`: 1e+11 particles are more than "
     "population.capacity, 100000000\nt0503.cfg:3: key `plasma.time_step` = \"10 ps\": "
     "species e crosses 2.097 cells in a step, with its drift and five thermal speeds; "
     "at most 4.769e-12 s for one cell, or set plasma.allow = [\"cell-crossing\"]\n"},
    {BASE, "grid.length=[\"1 cm\", \"0 cm\"]",
     "--set grid.length=[\"1 cm\", \"0 cm\"]: out of range; allowed: more than 0 m to "
     "1e+09 m\n"},
    {BASE, "grid.length=[0.01, 0.02]",
     "--set grid.length=[0.01, 0.02]: has no unit; units of lengths: km, m, cm, mm, um, "
     "nm, "
     "debye, c / omega_0, as in \"0.01 m\"\n"},
    /* ---- walls ---- */
    {WALLS("x_low = { " DIRICHLET "};"), NULL,
     "t0503.cfg:4: key `walls.x_low.field` = \"dirichlet\": the other side of the axis "
     "is periodic by default; both sides of an axis must be periodic, or none: give "
     "walls.x_high.field\n"},
    {WALLS("y_low = { " DIRICHLET "}; y_high = { };"), NULL,
     "t0503.cfg:4: key `walls.y_low.field` = \"dirichlet\": the other side of the axis "
     "is periodic; both sides of an axis must be periodic, or none: give "
     "walls.y_high.field\n"},
    {METAL("particles = \"periodic\"; "), NULL,
     "t0503.cfg:5: key `walls.x_low.particles` = \"periodic\": the particles are "
     "periodic at this side, and the field is not; both must be, or none\n"},
    {WALLS("x_low = { particles = \"absorb\"; };"), NULL,
     "t0503.cfg:4: key `walls.x_low.particles` = \"absorb\": the field is periodic at "
     "this side, and the particles are not; both must be, or none\n"},
    {WALLS("x_low = { voltage = \"3 V\"; };"), NULL,
     "t0503.cfg:4: key `walls.x_low.voltage` = \"3 V\": only a dirichlet side has a "
     "voltage; set walls.x_low.field = \"dirichlet\", or remove the key\n"},
    {BASE,
     "walls={x_low={field=\"neumann\";amplitude=\"3 "
     "V\";};x_high={field=\"neumann\";frequency=\"3 Hz\";};}",
     "--set walls={x_low={field=\"neumann\";amplitude=\"3 "
     "V\";};x_high={field=\"neumann\";frequency=\"3 Hz\";};}: only a dirichlet side has "
     "a voltage; set walls.x_low.field = \"dirichlet\", or remove the key\n--set "
     "walls={x_low={field=\"neumann\";amplitude=\"3 "
     "V\";};x_high={field=\"neumann\";frequency=\"3 Hz\";};}: only a dirichlet side has "
     "a voltage; set walls.x_high.field = \"dirichlet\", or remove the key\n"},
    {METAL("pulse_end = \"1 ns\"; "), "walls.x_low.pulse_start=2 ns",
     "t0503.cfg:5: key `walls.x_low.pulse_end` = \"1 ns\": is not after "
     "walls.x_low.pulse_start\n"},
    {METAL("amplitude = \"1 V\"; "), NULL,
     "t0503.cfg:5: key `walls.x_low.amplitude` = \"1 V\": has no effect without "
     "walls.x_low.frequency\n"},
    {METAL("frequency = \"1 MHz\"; "), NULL,
     "t0503.cfg:5: key `walls.x_low.frequency` = \"1 MHz\": has no effect without "
     "walls.x_low.amplitude\n"},
    {METAL("frequency = \"1 MHz\"; "), "walls.x_low.amplitude=0", ""},
    {METAL("amplitude = \"1 V\"; frequency = \"60 GHz\"; "), NULL,
     "t0503.cfg:5: key `walls.x_low.frequency` = \"60 GHz\": plasma.time_step is 0.6 of "
     "a period; a sine needs at least two steps a period\n"},
    {METAL("amplitude = 3; "), NULL,
     "t0503.cfg:5: key `walls.x_low.amplitude` = 3: has no unit; units of voltages: V, "
     "mV, kV, as in \"3 V\"\n"},
    {METAL("field2 = 1; "), NULL,
     "t0503.cfg:5: key `walls.x_low.field2`: unknown key; nearest is "
     "`walls.x_low.field`\n"},
    {METAL("volage = \"1 V\"; "), NULL,
     "t0503.cfg:5: key `walls.x_low.volage`: unknown key; nearest is "
     "`walls.x_low.voltage`\n"},
    {BASE, "walls.x_middle.field=\"open\"",
     "--set walls.x_middle.field=\"open\": a wall's name must be one of x_low, x_high, "
     "y_low, y_high, z_low, z_high\n"},
    {BASE, "walls.x_low=5",
     "--set walls.x_low=5: `walls.x_low` is a group of keys, not a value; `wilson help "
     "walls` lists them\n"},
    {BASE, "walls.z_low.field=\"open\"",
     "--set walls.z_low.field=\"open\": there is no wall z_low: the grid has 2 axes\n"},
    {BASE, "walls={x_low={field=\"open\";};x_high={field=\"open\";};}",
     "--set walls={x_low={field=\"open\";};x_high={field=\"open\";};}: 2 of 4 sides are "
     "open; all sides must be open, or none\n"},
    /* ---- species ---- */
    {MODEL GRID STEP, NULL,
     "t0503.cfg: key `species`: missing; a plasma needs a species, as in species = { "
     "electrons = { density = \"1e15 m-3\"; }; };\n"},
    {WITH("mobile = false; "), NULL,
     "t0503.cfg: key `species`: no species is mobile; one must be\n"},
    {BASE, "species.2nd.density=1e15 m-3",
     "--set species.2nd.density=1e15 m-3: a species' name has a letter, then letters, "
     "digits, - and _, at most 63 characters in all\n"},
    {ONLY("e = { temperature = \"1 eV\"; };"), NULL,
     "t0503.cfg: key `species.e.density`: missing; give a density, as in \"1e15 m-3\"\n"},
    {BASE, "species.e.density=0",
     "--set species.e.density=0: a mobile species of density 0 has no particles\n"},
    {ONLY("e = { density = \"0 m-3\"; mobile = false; macroparticles = 7; };"), "seed=1",
     "t0503.cfg:2: key `species.e.macroparticles` = 7: a species of density 0 has no "
     "particles; allowed: 0\nt0503.cfg: key `species`: no species is mobile; one must "
     "be\n"},
    {BASE, "plasma.fields_coarsening=7",
     "--set plasma.fields_coarsening=7: 7 does not divide the 40 cells along an axis; "
     "allowed: 1, 2, 4, 5, 8, 10, 20, 40\n"},
    {WITH("per_cell = 3; "), "species.e.macroparticles=1000",
     "--set species.e.macroparticles=1000: species.e.per_cell is given, too; give one of "
     "them\n"},
    {BASE, "species.e.per_cell=0",
     "--set species.e.per_cell=0: 0 particles a cell; at least 1 is needed\n"},
    {BASE, "species.e.mass=0",
     "--set species.e.mass=0: out of range; allowed: more than 0 kg to 1e-20 kg\n"},
    {BASE, "species.e.temperature=11605 K", ""}, /* 1 eV */
    {BASE, "species.e.temperature=300 C",
     "--set species.e.temperature=300 C: unknown unit `C`; units of temperatures of "
     "particles: eV, meV, keV, MeV, J, K\n"},
    {BASE, "species.e.charge=\"-1\"", "--set species.e.charge=\"-1\": takes a number\n"},
    {BASE, "species.n={charge=0.0; density=\"1e15 m-3\"; mass=\"1 u\";}",
     "wilson: warning: --set species.n={charge=0.0; density=\"1e15 m-3\"; mass=\"1 "
     "u\";}: key `species.n.charge` = 0: these particles neither make a field nor "
     "respond to one\n"},
    {BASE, "species.e.drift=\"1 km/s\"",
     "--set species.e.drift=\"1 km/s\": 1 value; allowed: 3\n"},
    {BASE, "species.e.drift=[\"0.9 c\", \"0.9 c\", \"0\"]",
     "--set species.e.drift=[\"0.9 c\", \"0.9 c\", \"0\"]: 381573504 m/s is not below "
     "the speed of light\n"
     "t0503.cfg:3: key `plasma.time_step` = \"10 ps\": species e crosses 10.88 cells in "
     "a step, with its drift and five thermal speeds; at most 9.194e-13 s for one cell, "
     "or set plasma.allow = [\"cell-crossing\"]\n"},
    {BASE, "species.e.drift=[\"0\", \"0\", \"1 km/s\"]",
     "--set species.e.drift=[\"0\", \"0\", \"1 km/s\"]: a drift along z needs "
     "plasma.velocities = 3\n"},
    {BASE, "population.capacity=1000",
     "t0503.cfg: key `species.e.per_cell`: 160000 particles are more than "
     "population.capacity, 1000\nt0503.cfg: key `species.i.per_cell`: 160000 particles "
     "are more than population.capacity, 1000\n"},
    /* ---- profiles ---- */
    {WITH("profile = \"gausian\"; "), NULL,
     "t0503.cfg:2: key `species.e.profile` = \"gausian\": unknown word, nearest is "
     "\"gaussian\"; allowed: uniform, slab, gaussian, annulus, ring, sheet, file\n"},
    {WITH("radius = [\"1 mm\", \"2 mm\"]; "), NULL,
     "t0503.cfg:2: key `species.e.radius` = [\"1 mm\", \"2 mm\"]: profile uniform does "
     "not use it; only annulus does\n"},
    {WITH("width = [\"1 mm\", \"2 mm\"]; "), NULL,
     "t0503.cfg:2: key `species.e.width` = [\"1 mm\", \"2 mm\"]: profile uniform does "
     "not use it; only slab, gaussian and sheet use it\n"},
    {WITH("centre = [\"1 mm\", \"2 mm\"]; "), NULL,
     "t0503.cfg:2: key `species.e.centre` = [\"1 mm\", \"2 mm\"]: profile uniform does "
     "not use it; use slab, gaussian, annulus, ring or sheet\n"},
    {WITH("file = \"t0503.cfg\"; "), NULL,
     "t0503.cfg:2: key `species.e.file` = \"t0503.cfg\": profile uniform does not use "
     "it; only file does\n"},
    {WITH("profile = \"file\"; "), NULL,
     "t0503.cfg:2: key `species.e.temperature` = \"1 eV\": profile file does not use it; "
     "the file has the velocities\nt0503.cfg: key `species.e.file`: missing; profile "
     "file needs a file\n"},
    {WITH("profile = \"file\"; file = \"no.nc\"; "), "species.e.temperature=0",
     "t0503.cfg:2: key `species.e.file` = \"no.nc\": no such file, or not readable; "
     "searched: no.nc\n"},
    {WITH("profile = \"slab\"; "), NULL,
     "t0503.cfg: key `species.e.width`: missing; profile slab needs a width along at "
     "least one axis\n"},
    {WITH("profile = \"slab\"; width = [\"1 mm\", \"11 mm\"]; "), NULL,
     "t0503.cfg:2: key `species.e.width` = [\"1 mm\", \"11 mm\"]: reaches from -0.0005 m "
     "to 0.0105 m along y; the domain is from 0 to 0.01 m\n"},
    {WITH("profile = \"slab\"; width = [\"1 mm\", \"none\"]; centre = [\"1 cm\", "
          "\"auto\"]; "),
     NULL,
     "t0503.cfg:2: key `species.e.width` = [\"1 mm\", \"none\"]: reaches from 0.0095 m "
     "to 0.0105 m along x; the domain is from 0 to 0.01 m\n"},
    {WITH("profile = \"slab\"; width = \"1 mm\"; "), NULL,
     "t0503.cfg:2: key `species.e.width` = \"1 mm\": 1 value, and the grid has 2 axes; "
     "the number must be that of grid.cells\n"},
    {WITH("profile = \"gaussian\"; width = [\"none\", \"2 cm\"]; "), NULL,
     "t0503.cfg:2: key `species.e.width` = [\"none\", \"2 cm\"]: 0.02 m along y is more "
     "than the domain, 0.01 m\n"},
    {WITH("profile = \"annulus\"; radius = [\"2 mm\", \"2 mm\"]; "), NULL,
     "t0503.cfg:2: key `species.e.radius` = [\"2 mm\", \"2 mm\"]: profile annulus needs "
     "an inner radius and a greater outer one\n"},
    {WITH("profile = \"annulus\"; radius = [\"2 mm\", \"6 mm\"]; "), NULL,
     "t0503.cfg:2: key `species.e.radius` = [\"2 mm\", \"6 mm\"]: reaches from -0.001 m "
     "to 0.011 m along x; the domain is from 0 to 0.01 m\n"
     "t0503.cfg:2: key `species.e.radius` = [\"2 mm\", \"6 mm\"]: reaches from -0.001 m "
     "to 0.011 m along y; the domain is from 0 to 0.01 m\n"},
    {WITH("profile = \"annulus\"; radius = \"6 mm\"; "), NULL,
     "t0503.cfg:2: key `species.e.radius` = \"6 mm\": 1 value; allowed: 2\n"},
    {WITH("amplitude = 1.0; mode = [1, 0]; "), NULL,
     "t0503.cfg:2: key `species.e.amplitude` = 1: must be below 1, so that the density "
     "is positive everywhere\n"},
    {WITH("amplitude = 0.1; mode = [1, 0]; profile = \"slab\"; width = [\"1 mm\", "
          "\"none\"]; "),
     NULL,
     "t0503.cfg:2: key `species.e.amplitude` = 0.1: only the profiles uniform, annulus "
     "and ring can be perturbed\n"},
    {WITH("ring = [\"3 mm\", \"1 mm\"]; "), NULL,
     "t0503.cfg:2: key `species.e.ring` = [\"3 mm\", \"1 mm\"]: profile uniform does not "
     "use it; only ring does\n"},
    {WITH("profile = \"ring\"; "), NULL,
     "t0503.cfg: key `species.e.ring`: missing; profile ring needs a radius of its crest "
     "and a spread above 0\n"},
    {WITH("profile = \"ring\"; ring = [\"3 mm\", \"0\"]; "), NULL,
     "t0503.cfg:2: key `species.e.ring` = [\"3 mm\", \"0\"]: profile ring needs a radius "
     "of its crest and a spread above 0\n"},
    {WITH("profile = \"ring\"; ring = [\"4 mm\", \"0.5 mm\"]; centre = [\"5 mm\", "
          "\"7 mm\"]; "),
     NULL,
     "t0503.cfg:2: key `species.e.ring` = [\"4 mm\", \"0.5 mm\"]: reaches from -0.002 m "
     "to "
     "0.012 m along x; the domain is from 0 to 0.01 m\n"
     "t0503.cfg:2: key `species.e.ring` = [\"4 mm\", \"0.5 mm\"]: reaches from 0 m to "
     "0.014 m along y; the domain is from 0 to 0.01 m\n"},
    {WITH("amplitude = 0.1; mode = [4, 1]; profile = \"ring\"; ring = [\"2 mm\", \"0.2 "
          "mm\"]; "),
     NULL,
     "t0503.cfg:2: key `species.e.mode` = [4, 1]: a ring is perturbed around its axis: "
     "the "
     "first number is the mode, the others must be 0\n"},
    {WITH("amplitude = 0.1; mode = [4, 1]; profile = \"annulus\"; radius = [\"1 mm\", "
          "\"2 mm\"]; "),
     NULL,
     "t0503.cfg:2: key `species.e.mode` = [4, 1]: an annulus is perturbed around its "
     "axis: the first number is the mode, the others must be 0\n"},
    {WITH("amplitude = 0.1; "), NULL,
     "t0503.cfg: key `species.e.mode`: missing; a perturbation with an amplitude needs a "
     "mode along an axis\n"},
    {WITH("mode = [1, 0]; "), NULL,
     "t0503.cfg:2: key `species.e.mode` = [1, 0]: has no effect without "
     "species.e.amplitude\n"},
    {WITH("mode = [1, 0]; "), "species.e.amplitude=0", ""},
    {WITH("amplitude = 0.1; mode = [0, 21]; "), NULL,
     "t0503.cfg:2: key `species.e.mode` = [0, 21]: 21 waves along y are not resolved by "
     "40 cells; at most 20\n"},
    {WITH("amplitude = 0.1; mode = [0.5, 1.0]; "), NULL,
     "t0503.cfg:2: key `species.e.mode` = [0.5, 1]: takes a list of whole numbers, one "
     "for each axis of the grid\n"},
    /* ---- the plasma ---- */
    {MODEL GRID SPECIES(ELECTRON ION), NULL,
     "t0503.cfg: key `plasma.time_step`: missing; give the time between two solutions of "
     "the field\n"},
    {BASE, "duration=\"auto\"",
     "--set duration=\"auto\": a plasma needs a time, such as \"1 us\"\n"},
    {BASE, "plasma.time_step=1e-25 s",
     "--set plasma.time_step=1e-25 s: 1e+16 steps in the duration, 1e-09 s; at most "
     "1e+15\n"},
    {BASE, "plasma.velocities=1",
     "--set plasma.velocities=1: out of range; allowed: 2 to 3, or \"auto\"\n"},
    {BASE, "plasma.velocities=\"all\"",
     "--set plasma.velocities=\"all\": takes a whole number, or auto\n"},
    {BASE, "grid={cells=64;length=\"1 cm\";}", ""},
    {PLASMA("velocities = 2; "), "grid={cells=64;length=\"1 cm\";}",
     "t0503.cfg:3: key `plasma.velocities` = 2: 2 components are possible in two "
     "dimensions only; allowed: 3\n"},
    {BASE, "plasma.magnetic_field=[\"1 T\", \"0\", \"0\"]",
     "--set plasma.magnetic_field=[\"1 T\", \"0\", \"0\"]: a field across z rotates "
     "velocities out of the plane; set plasma.velocities = 3\n"},
    {BASE, "plasma.magnetic_field=[\"0\", \"0\", \"2 Hx\"]",
     "--set plasma.magnetic_field=[\"0\", \"0\", \"2 Hx\"]: divided by the density of "
     "the gas, which is not possible for this key\n"},
    {BASE, "plasma.magnetic_field=[\"1 T\"]",
     "--set plasma.magnetic_field=[\"1 T\"]: 1 value; allowed: 3\n"},
    {PLASMA("shape = \"ngp\"; gather = \"energy\"; "), NULL,
     "t0503.cfg:3: key `plasma.gather` = \"energy\": shape ngp has no gather energy, "
     "which needs the next lower shape; use shape cic, or gather momentum\n"},
    {BASE, "plasma.allow=[\"debye\"]",
     "--set plasma.allow=[\"debye\"]: unknown word; allowed: plasma-frequency, "
     "cell-crossing, debye-length\n"},
    {BASE, "plasma.allow=[1]",
     "--set plasma.allow=[1]: needs a list of these words, in quotes: plasma-frequency, "
     "cell-crossing, debye-length\n"},
    {BASE, "plasma.modes=[1, 2]",
     "--set plasma.modes=[1, 2]: mode 1 has 1 number, and the grid has 2 axes; give a "
     "list of lists, as in ( [1, 0], [0, 2] )\n"
     "--set plasma.modes=[1, 2]: mode 2 has 1 number, and the grid has 2 axes; give a "
     "list of lists, as in ( [1, 0], [0, 2] )\n"},
    {BASE, "plasma.modes=([0, 0], [21, 0], [1.0, 0.5])",
     "--set plasma.modes=([0, 0], [21, 0], [1.0, 0.5]): mode 1 is 0 along all "
     "axes\n--set plasma.modes=([0, 0], [21, 0], [1.0, 0.5]): mode 2 has 21 waves along "
     "x; allowed: a whole number, at most 20 on 40 cells\n--set plasma.modes=([0, 0], "
     "[21, 0], [1.0, 0.5]): mode 3 has 0.5 waves along y; allowed: a whole number, at "
     "most 20 on 40 cells\n"},
    {BASE, "plasma.modes=({})",
     "--set plasma.modes=({}): needs a list of lists with a number for each axis of the "
     "grid, as in ( [1, 0], [0, 2] ); in one dimension a list of numbers\n"},
    {BASE, "plasma.adaptive.least=6 ps",
     "--set plasma.adaptive.least=6 ps: the longest step is plasma.time_step, 1e-11 s; "
     "allowed: from its part 2^-10, 9.765625e-15 s, to its half, 5e-12 s\n"},
    {BASE, "plasma.adaptive.least=9 fs",
     "--set plasma.adaptive.least=9 fs: the longest step is plasma.time_step, 1e-11 s; "
     "allowed: from its part 2^-10, 9.765625e-15 s, to its half, 5e-12 s\n"},
    {BASE, "plasma.adaptive.growth=0.3",
     "--set plasma.adaptive.growth=0.3: has no effect without plasma.adaptive.least, the "
     "shortest step, which switches adaptive steps on\n"},
    {PLASMA("allow = [\"cell-crossing\"]; averages = { a = { length = \"0.5 ns\"; }; };"),
     "plasma.adaptive.least=1 ps",
     "t0503.cfg: key `plasma.averages.a.start`: averages, by RF phase or not, are sums "
     "over equal steps; remove the group, or plasma.adaptive.least\n"},
    {PLASMA("adaptive = { least = \"1 ps\"; };"), "plasma.moments_interval=0.1 ns",
     "--set plasma.moments_interval=0.1 ns: ten moments are not available with "
     "plasma.adaptive.least; allowed: never\n"},
    {PLASMA("coulomb = { c = { species = [\"e\"]; interval = 3; }; };"),
     "plasma.adaptive.least=1 ps",
     "t0503.cfg:3: key `plasma.coulomb.c.interval` = 3: Coulomb collisions of several "
     "steps at a time take equal steps; allowed with plasma.adaptive.least: 1\n"},
    {NODES("mover = \"boris\";"), "plasma.adaptive.least=1 ps",
     "t0503.cfg:3: key `plasma.field` = \"nodes\": plasma.adaptive.least takes "
     "plasma.field = \"electrostatic\" alone\n"},
    {DISCHARGE("subcycling = 2; ") ARGON, "plasma.adaptive.least=1 ps",
     "t0503.cfg:2: key `species.i.subcycling` = 2: steps of a species count equal steps "
     "of the run; allowed with plasma.adaptive.least: 1\n"},
    {BASE, "plasma.integrals_interval=1 ps",
     "--set plasma.integrals_interval=1 ps: 1e-12 s is shorter than plasma.time_step, "
     "1e-11 s\n"},
    {BASE, "plasma.fields_interval=1 ps",
     "--set plasma.fields_interval=1 ps: 1e-12 s is shorter than plasma.time_step, 1e-11 "
     "s\n"},
    {BASE, "plasma.moments_interval=1 ps",
     "--set plasma.moments_interval=1 ps: 1e-12 s is shorter than plasma.time_step, "
     "1e-11 "
     "s\n"},
    /* ---- averages ---- */
    {PERIODIC("periods = 2; phases = 3"), NULL, ""},
    {BASE, "plasma.averages={all={start=\"0\";};}", ""},
    {BASE, "plasma.averages.a.every=2",
     "t0503.cfg: key `plasma.averages.a.length`: missing; the length of the window is "
     "not given; give periods, a length, or a start for a window to the end of the "
     "run\n"},
    {BASE, "plasma.averages.a.length=0 s",
     "--set plasma.averages.a.length=0 s: out of range; allowed: more than 0 s to 1000 "
     "s, "
     "or \"auto\"\n"},
    {BASE, "plasma.averages.a.length=2 ns",
     "--set plasma.averages.a.length=2 ns: the window goes from -1e-09 s to 1e-09 s, and "
     "the run from 0 to 1e-09 s\n"},
    {BASE, "plasma.averages.a={start=\"0.5 ns\"; length=\"0.6 ns\";}",
     "--set plasma.averages.a={start=\"0.5 ns\"; length=\"0.6 ns\";}: the window goes "
     "from "
     "5e-10 s to 1.1e-09 s, and the run from 0 to 1e-09 s\n"},
    {BASE, "plasma.averages.a.start=1 ns",
     "--set plasma.averages.a.start=1 ns: the window goes from 1e-09 s to 1e-09 s, and "
     "the "
     "run from 0 to 1e-09 s\n"},
    {BASE, "plasma.averages.a={length=\"0.5 ns\"; blocks=51;}",
     "--set plasma.averages.a={length=\"0.5 ns\"; blocks=51;}: a block of 9.80392157e-12 "
     "s is shorter than the sampling interval, 1e-11 s; at most 50\n"},
    {BASE, "plasma.averages.a={length=\"0.5 ns\"; every=6;}",
     "t0503.cfg: key `plasma.averages.a.blocks`: a block of 5e-11 s is shorter than the "
     "sampling interval, 6e-11 s; at most 8\n"},
    {BASE, "plasma.averages.a.periods=3",
     "--set plasma.averages.a.periods=3: no wall has a voltage with a frequency; give a "
     "length\n"},
    {BASE, "plasma.averages.a={length=\"0.5 ns\"; wall=\"x_low\"; phases=4;}",
     "--set plasma.averages.a={length=\"0.5 ns\"; wall=\"x_low\"; phases=4;}: has no "
     "effect "
     "without plasma.averages.a.periods\n"
     "--set plasma.averages.a={length=\"0.5 ns\"; wall=\"x_low\"; phases=4;}: are parts "
     "of a "
     "period; give plasma.averages.a.periods\n"},
    {PERIODIC("periods = 5"), NULL,
     "wilson: warning: t0503.cfg:3: key `plasma.averages.a.periods` = 5: the run has 4 "
     "whole "
     "periods; the window is all of them\n"},
    {PERIODIC("periods = 5; blocks = 5"), "duration=200 ps",
     "wilson: warning: t0503.cfg:3: key `plasma.averages.a.periods` = 5: the run has 0 "
     "whole "
     "periods; there is no average\n"},
    {PERIODIC("periods = 4; start = \"10 ps\""), NULL,
     "t0503.cfg:3: key `plasma.averages.a.start` = \"10 ps\": the window goes from 1e-11 "
     "s to "
     "1.01e-09 s, and the run from 0 to 1e-09 s\n"},
    {PERIODIC("periods = 2; length = \"0.5 ns\"; phases = 1; blocks = 3"), NULL,
     "t0503.cfg:3: key `plasma.averages.a.length` = \"0.5 ns\": the window is 2 periods "
     "long; give either periods or length\nt0503.cfg:3: key `plasma.averages.a.phases` = "
     "1: one phase is the whole period; allowed: 0, or 2 and more\nt0503.cfg:3: key "
     "`plasma.averages.a.blocks` = 3: 3 blocks do not make whole periods of 2\n"},
    {PERIODIC("periods = 2; wall = \"x_high\""), NULL,
     "t0503.cfg:3: key `plasma.averages.a.wall` = \"x_high\": this side's voltage has no "
     "frequency\n"},
    {PERIODIC("periods = 2; wall = \"z_low\""), NULL,
     "t0503.cfg:3: key `plasma.averages.a.wall` = \"z_low\": the grid has no such side; "
     "allowed: x_low to y_high\n"},
    {PERIODIC("periods = 2; phases = 5; every = 6"), NULL,
     "t0503.cfg:3: key `plasma.averages.a.phases` = 5: a phase of 5e-11 s is shorter "
     "than the sampling interval, 6e-11 s; at most 4\n"},
    {PERIODIC("periods = 2"), "walls.x_high={amplitude=\"1 V\";frequency=\"3 GHz\";}",
     "t0503.cfg:3: key `plasma.averages.a.periods` = 2: the walls have voltages of more "
     "than one frequency; name the side that defines the periods, as in wall = "
     "\"x_high\"\n"},
    {BASE, "plasma.averages.a_1.lenght=1 ns",
     "--set plasma.averages.a_1.lenght=1 ns: key `plasma.averages.a_1.lenght`: unknown "
     "key; "
     "nearest is `plasma.averages.a_1.length`\n"},
    /* ---- distributions ---- */
    {BASE, "plasma.distributions.d.species=\"nothing\"",
     "t0503.cfg: key `plasma.distributions.d.window`: missing; plasma.averages has not "
     "exactly one window\n--set plasma.distributions.d.species=\"nothing\": there is no "
     "species of this name\n"},
    {PERIODIC("periods = 2"), "plasma.distributions.d={species=\"e\"; window=\"b\";}",
     "--set plasma.distributions.d={species=\"e\"; window=\"b\";}: there is no window of "
     "this name in plasma.averages\n"},
    {PERIODIC("periods = 2"), "plasma.distributions.d={species=\"e\"; angles=3;}",
     "--set plasma.distributions.d={species=\"e\"; angles=3;}: are those to the normal "
     "of a wall; give a wall\n"},
    {PERIODIC("periods = 2"), "plasma.distributions.d={species=\"e\"; wall=\"z_low\";}",
     "--set plasma.distributions.d={species=\"e\"; wall=\"z_low\";}: the grid has no "
     "such side; allowed: x_low to y_high\n"},
    {PERIODIC("periods = 2"),
     "plasma.distributions.d={species=\"e\"; wall=\"x_low\"; low=[\"1 mm\",\"0 m\"];}",
     "--set plasma.distributions.d={species=\"e\"; wall=\"x_low\"; low=[\"1 mm\",\"0 "
     "m\"];}: has no effect with a wall; give either a region or a wall\n"},
    {PERIODIC("periods = 2"), "plasma.distributions.d={species=\"e\"; wall=\"y_low\";}",
     "--set plasma.distributions.d={species=\"e\"; wall=\"y_low\";}: this side takes no "
     "particles; allowed: one that absorbs them or is open\n"},
    {PERIODIC("periods = 2"),
     "plasma.distributions.d={species=\"e\"; low=[\"0 m\",\"1000 m\"];}",
     "--set plasma.distributions.d={species=\"e\"; low=[\"0 m\",\"1000 m\"];}: the "
     "region goes from 1000 m to 0.01 m along y, and the domain from 0 to 0.01 m\n"},
    {PERIODIC("periods = 2"),
     "plasma.distributions.d={species=\"e\"; low=[\"0 m\",\"0 m\"];}", ""},
    /* ---- reactions ---- */
    {BASE, "reactions.r={rate=\"1 1/s\";}",
     "t0503.cfg: key `reactions.r.reactants`: missing; give one or two species\n"},
    {BASE, "reactions.r={reactants=[\"e\",\"O2+\"]; rate_constant=\"1 cm3/s\";}",
     "--set reactions.r={reactants=[\"e\",\"O2+\"]; rate_constant=\"1 cm3/s\";}: there "
     "is no species `O2+`; allowed: e, i\n"},
    {BASE, "reactions.r={reactants=[\"e\",\"i\",\"i\"]; rate_constant=\"1 cm3/s\";}",
     "--set reactions.r={reactants=[\"e\",\"i\",\"i\"]; rate_constant=\"1 cm3/s\";}: 3 "
     "species; at most 2\n"},
    {BASE, "reactions.r={reactants=[\"e\",\"e\"]; rate_constant=\"1e-7 cm3/s\";}",
     "--set reactions.r={reactants=[\"e\",\"e\"]; rate_constant=\"1e-7 cm3/s\";}: charge "
     "is not conserved: -2 e before an event, 0 e after it\n"},
    {BASE, "reactions.r={reactants=\"e\"; products=\"i\"; rate=\"1 1/s\";}",
     "--set reactions.r={reactants=\"e\"; products=\"i\"; rate=\"1 1/s\";}: charge is "
     "not conserved: -1 e before an event, 1 e after it\n"},
    {BASE, "reactions.r={reactants=[\"e\",\"i\"]; rate=\"1 1/s\"; density=\"1 m-3\";}",
     "--set reactions.r={reactants=[\"e\",\"i\"]; rate=\"1 1/s\"; density=\"1 m-3\";}: "
     "two reactants have a rate_constant, in m3/s\n--set "
     "reactions.r={reactants=[\"e\",\"i\"]; rate=\"1 1/s\"; density=\"1 m-3\";}: only "
     "the rate constant of one reactant is multiplied by a density; multiply that of two "
     "by the density of a third\n"},
    {BASE, "reactions.r={reactants=[\"e\",\"i\"];}",
     "t0503.cfg: key `reactions.r.rate_constant`: missing; give that of the two "
     "reactants, in m3/s\n"},
    {BASE, "reactions.r={reactants=[\"e\",\"i\"]; rate_constant=\"-1e-7 cm3/s\";}",
     "--set reactions.r={reactants=[\"e\",\"i\"]; rate_constant=\"-1e-7 cm3/s\";}: out "
     "of range; allowed: 0 m3/s to 1 m3/s, or \"none\"\n"},
    {REACT, "reactions.r={reactants=\"e\"; products=\"n\"; rate=\"-1 1/s\";}",
     "--set reactions.r={reactants=\"e\"; products=\"n\"; rate=\"-1 1/s\";}: out of "
     "range; allowed: 0 1/s to 1e+20 1/s, or \"none\"\n"},
    {REACT, "reactions.r={reactants=\"e\"; products=\"n\"; rate=\"1 Hz\";}",
     "--set reactions.r={reactants=\"e\"; products=\"n\"; rate=\"1 Hz\";}: unknown unit "
     "`Hz`; units of rates: 1/s, /s, s-1, s^-1, 1/ms, 1/us, 1/ns\n"},
    {REACT,
     "reactions.r={reactants=\"e\"; products=\"n\"; rate=\"1 1/s\"; rate_constant=\"1 "
     "m3/s\";}",
     "--set reactions.r={reactants=\"e\"; products=\"n\"; rate=\"1 1/s\"; "
     "rate_constant=\"1 m3/s\";}: a reaction has either rate or rate_constant\n"},
    {REACT, "reactions.r={reactants=\"e\"; products=\"n\";}",
     "t0503.cfg: key `reactions.r.rate`: missing; give it in 1/s, or a rate_constant in "
     "m3/s with component or density\n"},
    {REACT,
     "reactions.r={reactants=\"e\"; products=\"n\"; rate_constant=\"1e-7 cm3/s\";}",
     "--set reactions.r={reactants=\"e\"; products=\"n\"; rate_constant=\"1e-7 "
     "cm3/s\";}: missing is the density that it is multiplied by: give component or "
     "density\n"},
    {REACT,
     "reactions.r={reactants=\"e\"; products=\"n\"; rate=\"1 1/s\"; density=\"1 m-3\";}",
     "--set reactions.r={reactants=\"e\"; products=\"n\"; rate=\"1 1/s\"; density=\"1 "
     "m-3\";}: density has no effect with reactions.r.rate\n"},
    {REACT,
     "reactions.r={reactants=\"e\"; products=\"n\"; rate_constant=\"1e-7 cm3/s\"; "
     "component=\"N2\";}",
     "--set reactions.r={reactants=\"e\"; products=\"n\"; rate_constant=\"1e-7 cm3/s\"; "
     "component=\"N2\";}: no species collides with the gas, which is not used; give "
     "density\n"},
    {REACT,
     "reactions.r={reactants=\"e\"; products=\"n\"; rate=\"1 1/s\"; energy=\"1 eV\"; "
     "exponent=1.0;}",
     "--set reactions.r={reactants=\"e\"; products=\"n\"; rate=\"1 1/s\"; energy=\"1 "
     "eV\"; exponent=1.0;}: no product is an electron (below 100 me), which would get an "
     "energy\n--set reactions.r={reactants=\"e\"; products=\"n\"; rate=\"1 1/s\"; "
     "energy=\"1 eV\"; exponent=1.0;}: only a rate constant of two reactants depends on "
     "a temperature\n"},
    {REACT, "reactions.r={reactants=\"e\"; products=[\"e\"]; rate=\"1 1/s\";}",
     "--set reactions.r={reactants=\"e\"; products=[\"e\"]; rate=\"1 1/s\";}: e is a "
     "reactant, too; a species that only takes part is left out, and its density is "
     "given by density\n"},
    {MODEL GRID SPECIES(ELECTRON ION
                        "n = { density = \"1e14 m-3\"; charge = -1; per_cell = "
                        "100; };") "plasma = { time_step = \"10 ps\"; background = "
                                   "true; };\n",
     "reactions.r={reactants=\"e\"; products=\"n\"; rate=\"1 1/s\";}",
     "--set reactions.r={reactants=\"e\"; products=\"n\"; rate=\"1 1/s\";}: a "
     "macroparticle of species n stands for 62500 particles, one of e for 625000; charge "
     "is conserved only if density / per_cell is the same\n"},
    {MODEL GRID SPECIES(ELECTRON ION ANION
                        "m = { density = \"0 m-3\"; charge = -1; mobile = false; };")
         STEP,
     "reactions.r={reactants=\"m\"; products=\"n\"; rate=\"1 1/s\";}",
     "--set reactions.r={reactants=\"m\"; products=\"n\"; rate=\"1 1/s\";}: no weight is "
     "known for a macroparticle of species n: give it, or another species of the "
     "reaction, a density and per_cell or macroparticles\n"},
    {BASE, "reactions.r.rate_konstant=\"1 m3/s\"",
     "--set reactions.r.rate_konstant=\"1 m3/s\": key `reactions.r.rate_konstant`: "
     "unknown key; nearest is `reactions.r.rate_constant`\nt0503.cfg: key "
     "`reactions.r.reactants`: missing; give one or two species\n"},
    {REACT, "reactions.r={reactants=\"e\"; products=\"n\"; rate=\"1e11 1/s\";}",
     "wilson: warning: --set reactions.r={reactants=\"e\"; products=\"n\"; rate=\"1e11 "
     "1/s\";}: key `reactions.r.rate`: rate times time step is 1 at the initial "
     "densities; above 0.1 other processes do not see what the reaction changes within a "
     "step\n"},
    {BASE, "electrons=5",
     "--set electrons=5: model plasma does not use `electrons`; remove it, or set model "
     "= \"mcc\"\n"},
    {BASE, "block_size=32",
     "--set block_size=32: model plasma does not use `block_size`; remove it, or set "
     "model = \"mcc\"\n"},
    {BASE, "walls.x_low={field=\"open\";}",
     "--set walls.x_low={field=\"open\";}: the other side of the axis is periodic by "
     "default; both sides of an axis must be periodic, or none: give "
     "walls.x_high.field\n--set walls.x_low={field=\"open\";}: 1 of 4 sides are open; "
     "all sides must be open, or none\n"},
    /* ---- charge and stability ---- */
    {ONLY(ELECTRON), NULL,
     "t0503.cfg: key `plasma.background`: the charges of all species add up to -1e+15 "
     "e/m3, and no side fixes the potential; set plasma.background = true for a uniform "
     "neutralizing charge, or make the species neutral in sum\n"},
    {ONLY(ELECTRON ION), "species.i.density=1.00001e15 m-3",
     "t0503.cfg: key `plasma.background`: the charges of all species add up to 1e+10 "
     "e/m3, and no side fixes the potential; set plasma.background = true for a uniform "
     "neutralizing charge, or make the species neutral in sum\n"},
    {ONLY("e = { " E "profile = \"slab\"; width = [\"5 mm\", \"none\"]; }; i = { charge "
          "= 1; mass = \"1 u\"; density = \"5e14 m-3\"; };"),
     NULL, ""},
    {ONLY("e = { " E "profile = \"slab\"; width = [\"5 mm\", \"none\"]; }; i = { charge "
          "= 1; mass = \"1 u\"; density = \"1e15 m-3\"; };"),
     NULL,
     "t0503.cfg: key `plasma.background`: the charges of all species add up to 5e+14 "
     "e/m3, and no side fixes the potential; set plasma.background = true for a uniform "
     "neutralizing charge, or make the species neutral in sum\n"},
    {BASE, "plasma.time_step=400 ps",
     "wilson: warning: --set plasma.time_step=400 ps: key `plasma.time_step`: plasma "
     "frequency times time step is 0.7138; above 0.5 oscillations are poorly "
     "resolved\n--set plasma.time_step=400 ps: species e crosses 3.355 cells in a step, "
     "with its drift and five thermal speeds; at most 1.192e-10 s for one cell, or set "
     "plasma.allow = [\"cell-crossing\"]\n"},
    {BASE, "plasma={time_step=\"1.2 ns\"; allow=[\"cell-crossing\"];}",
     "--set plasma={time_step=\"1.2 ns\"; allow=[\"cell-crossing\"];}: plasma frequency "
     "(1.784e+09 rad/s) times time step is 2.141: the run would be unstable; use a step "
     "below 1.121e-09 s, or set plasma.allow = [\"plasma-frequency\"]\n"},
    {BASE,
     "plasma={time_step=\"1.2 ns\"; allow=[\"cell-crossing\", \"plasma-frequency\"];}",
     ""},
    {BASE, "plasma={time_step=\"150 ps\"; allow=\"plasma-frequency\";}",
     "--set plasma={time_step=\"150 ps\"; allow=\"plasma-frequency\";}: species e "
     "crosses 1.258 cells in a step, with its drift and five thermal speeds; at most "
     "1.192e-10 s for one cell, or set plasma.allow = [\"cell-crossing\"]\n"},
    {BASE, "species.e.drift=[\"-0.1 c\", \"0\", \"0\"]",
     "t0503.cfg:3: key `plasma.time_step` = \"10 ps\": species e crosses 1.283 cells in "
     "a step, with its drift and five thermal speeds; at most 7.794e-12 s for one cell, "
     "or set plasma.allow = [\"cell-crossing\"]\n"},
    {BASE, "grid.cells=[8, 40]",
     "--set grid.cells=[8, 40]: a cell of 0.00125 m is longer than pi Debye lengths of "
     "species e, 0.0002351 m: the plasma would heat up; use 1.7 times as many cells, or "
     "set plasma.allow = [\"debye-length\"]\n"},
    {BASE, "plasma={time_step=\"10 ps\"; allow=[\"debye-length\"];}", ""},
    {PLASMA("allow = \"debye-length\"; "), "grid.cells=[8, 40]", ""},
    {BASE, "species.e.temperature=0", ""},
    {ONLY(ELECTRON ION), "species.i.temperature=1 meV", ""},
    /* ---- collisions ---- */
    {MEETS("", "density = \"1e15 m-3\"; charge = 1;", "density = \"0 m-3\";") GAS, NULL,
     ""},
    {MEETS("", "density = \"2e15 m-3\"; per_cell = 200; charge = 1;",
           "density = \"1e15 m-3\"; mobile = false;") GAS,
     NULL, ""},
    {MEETS("", "density = \"1e15 m-3\"; charge = 1;", "density = \"0 m-3\";"), NULL,
     "t0503.cfg: key `gas.components`: missing; a gas needs a component, as in gas = { "
     "components = { N2 = { file = \"builtin:air\"; }; }; };\n"},
    {BASE GAS, NULL,
     "t0503.cfg:4: key `gas.components.N2.file` = \"builtin:air\": no species collides "
     "with the gas; set species.<NAME>.collisions = \"gas\", or remove the group\n"},
    {BASE, "plasma.mobility_steps=3",
     "--set plasma.mobility_steps=3: no species has collisions; species without "
     "collisions take one mobility step\n"},
    {MEETS("charge = -2; mass = \"2 me\"; mobile = false; ",
           "density = \"1e15 m-3\"; charge = 1;", "density = \"0 m-3\";") GAS,
     "plasma.background=true",
     "t0503.cfg:2: key `species.e.charge` = -2: a species with collisions and the mass "
     "of an electron must have the charge -1; for ions give species.e.mass\nt0503.cfg:2: "
     "key `species.e.mass` = \"2 me\": a species with collisions is electrons, of mass "
     "\"1 me\", or ions, heavier than \"100 me\"\nt0503.cfg:2: key `species.e.mobile` = "
     "false: a species with collisions must be mobile; set collisions = \"none\"\n"},
    {MEETS("", "density = \"1e15 m-3\"; charge = 2;", "density = \"0 m-3\";") GAS,
     "plasma.background=true",
     "t0503.cfg:2: key `species.e.ions` = \"i\": that species has a charge of 2; 1 is "
     "needed to conserve charge\n"},
    {MEETS("", "density = \"1e15 m-3\"; per_cell = 50; charge = 1;",
           "density = \"0 m-3\";") GAS,
     NULL,
     "t0503.cfg:2: key `species.e.ions` = \"i\": a macroparticle of that species stands "
     "for 1250000 particles, one of e for 625000; charge is conserved only if density / "
     "per_cell is the same\n"},
    {MEETS("", "density = \"1e15 m-3\"; charge = 1;", "density = \"0 m-3\";") GAS,
     "species.e.anions=nobody",
     "t0503.cfg:2: key `species.a.density` = \"0 m-3\": a mobile species of density 0 "
     "has no particles\n--set species.e.anions=nobody: there is no such species; the "
     "others are i, a\n"},
    {MEETS("", "density = \"1e15 m-3\"; charge = 1;", "density = \"0 m-3\";") GAS,
     "species.e.anions=e",
     "t0503.cfg:2: key `species.a.density` = \"0 m-3\": a mobile species of density 0 "
     "has no particles\n--set species.e.anions=e: that species is electrons with "
     "collisions\n"},
    {BASE, "species.e.ions=i",
     "--set species.e.ions=i: has no effect without species.e.collisions\n"},
    /* ---- ions that collide ---- */
    {DISCHARGE("") ARGON, NULL, ""},
    {DISCHARGE("ion = \"Ar+\"; cross_sections = \"builtin:argon\"; ") ARGON,
     "tables.ion_energy_max=100 eV", ""},
    {DISCHARGE("") GAS, NULL, ""}, /* the sets of N2+ have not been read yet */
    {DISCHARGE("mobile = false; ") ARGON, NULL,
     "t0503.cfg:2: key `species.i.mobile` = false: a species with collisions must be "
     "mobile; set collisions = \"none\"\n"},
    {DISCHARGE("ions = \"i\"; ") ARGON, NULL,
     "t0503.cfg:2: key `species.i.ions` = \"i\": species i is ions, whose collisions "
     "produce no ions\n"},
    {DISCHARGE("") MIXTURE, NULL,
     "t0503.cfg: key `species.i.ion`: missing; in a gas of 2 components ions need their "
     "name in files of cross sections, as in \"N2+\"\n"},
    {DISCHARGE("") ARGON, "species.i.charge=2",
     "--set species.i.charge=2: ions with collisions must have a charge of 1 or "
     "-1\nt0503.cfg:2: key `species.e.ions` = \"i\": that species has a charge of 2; 1 "
     "is needed to conserve charge\nt0503.cfg: key `plasma.background`: the charges of "
     "all species add up to 1e+15 e/m3, and no side fixes the potential; set "
     "plasma.background = true for a uniform neutralizing charge, or make the species "
     "neutral in sum\n"},
    {DISCHARGE("") ARGON, "species.i.cross_sections=builtin:air",
     "--set species.i.cross_sections=builtin:air: the only built-in set with ions is "
     "builtin:argon, \"Ar+ / Ar\"\n"},
    {DISCHARGE("") ARGON, "species.i.cross_sections=nowhere.txt",
     "--set species.i.cross_sections=nowhere.txt: no such file, or not readable; "
     "searched: nowhere.txt\n"},
    {DISCHARGE("") ARGON, "plasma.relativistic=true",
     "--set plasma.relativistic=true: species i is ions with collisions, which are not "
     "relativistic; electrons with collisions always are\n"},
    {DISCHARGE("") ARGON, "plasma.magnetic_field=[\"0\", \"0\", \"1 T\"]",
     "--set plasma.magnetic_field=[\"0\", \"0\", \"1 T\"]: species i is ions with "
     "collisions, which take no magnetic field\n"},
    {PLATES("yield = 0.1; ", "") ARGON, NULL, ""},
    {PLATES("yield = 0.1; particles = \"reflect\"; ", "") ARGON, NULL,
     "t0503.cfg:4: key `walls.x_low.yield` = 0.1: particles are not absorbed there; set "
     "walls.x_low.particles = \"absorb\"\n"},
    {PLATES("emission_temperature = \"1 eV\"; ", "") ARGON, NULL,
     "t0503.cfg:4: key `walls.x_low.emission_temperature` = \"1 eV\": has no effect "
     "without walls.x_low.yield or walls.x_low.electron_yield\n"},
    {PLATES("emission_temperature = \"1 eV\"; ", "") ARGON, "walls.x_low.yield=0", ""},
    {PLATES("yield = 0.1; ", "") ARGON, "species.i.collisions=none", ""},
    {BASE "walls = { x_high = { " DIRICHLET "}; x_low = { " DIRICHLET
          "yield = 0.1; }; };\n",
     NULL, ""},
    {BASE "walls = { x_high = { " DIRICHLET "}; x_low = { " DIRICHLET
          "yield = 0.1; }; };\n",
     "species.i.mobile=false",
     "t0503.cfg:4: key `walls.x_low.yield` = 0.1: no species is mobile positive ions, "
     "which release secondary electrons\n"},
    {BASE "walls = { x_high = { " DIRICHLET "}; x_low = { " DIRICHLET
          "yield = 0.1; }; };\n",
     "species.e.mass=\"2 me\"",
     "t0503.cfg:4: key `walls.x_low.yield` = 0.1: 0 species are electrons; secondary "
     "electrons need exactly one: mobile, of charge -1 and mass \"1 me\"\n"},
    {DISCHARGE("") ARGON, "species.e.subcycling=2",
     "--set species.e.subcycling=2: species e is not ions with collisions; all other "
     "species move in every step\n"},
    {DISCHARGE("") ARGON, "species.i.subcycling=0",
     "--set species.i.subcycling=0: out of range; allowed: 1 to 1000000\n"},
    {BASE, "species.i.subcycling=20",
     "--set species.i.subcycling=20: species i is not ions with collisions; all other "
     "species move in every step\n"},
    {DISCHARGE("temperature = \"1 eV\"; subcycling = 4000; ") ARGON, NULL,
     "t0503.cfg:3: key `plasma.time_step` = \"10 ps\": species i crosses 1.242 cells in "
     "a "
     "step, with its drift and five thermal speeds; at most 8.048e-12 s for one cell, or "
     "set plasma.allow = [\"cell-crossing\"]\n"},
    {DISCHARGE("subcycling = 100000; ") ARGON, NULL,
     "t0503.cfg:3: key `plasma.time_step` = \"10 ps\": plasma frequency (1.784e+09 "
     "rad/s) times time step is 6.607: the run would be unstable; use a step below "
     "3.027e-12 s, or set plasma.allow = [\"plasma-frequency\"]\n"},
    {DISCHARGE("") ARGON, "species.e.ion=Ar-",
     "--set species.e.ion=Ar-: has no effect: species e is not ions with collisions\n"},
    {MEETS("", "density = \"1e15 m-3\"; charge = 1;", "density = \"0 m-3\";") GAS,
     "tables.ion_energy_max=10 eV",
     "--set tables.ion_energy_max=10 eV: has no effect: no ions have collisions\n"},
    {ONLY("i = { density = \"1e15 m-3\"; charge = 1; mass = \"40 u\"; collisions = "
          "\"gas\"; }; ") ARGON,
     "plasma={time_step=\"10 ps\"; background = true; mobility_steps = 2;}",
     "--set plasma={time_step=\"10 ps\"; background = true; mobility_steps = 2;}: no "
     "electrons have collisions; species without collisions take one mobility step\n"},
    {MEETS("", "density = \"1e15 m-3\"; charge = 1;", "density = \"0 m-3\";") GAS,
     "plasma.velocities=2",
     "--set plasma.velocities=2: a species has collisions, which need all three "
     "components; allowed: 3\n"},
};

/* Only warnings: the scenario is sound. */
static int all_warnings(const char *messages)
{
  while (*messages && strncmp(messages, "wilson: warning: ", 17) == 0)
    messages += strcspn(messages, "\n") + 1;
  return *messages == '\0';
}

int main(void)
{
  plan(0);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char *messages = NULL;
    int st = scenario_messages("t0503.cfg", cases[i].text, cases[i].set, &messages);
    is_int(st, all_warnings(cases[i].messages) ? WN_OK : WN_EINPUT, "status of case %zu",
           i);
    is_str(messages ? messages : "(none)", cases[i].messages, "messages of case %zu", i);
    free(messages);
  }
  remove("t0503.cfg");
  return done();
}
