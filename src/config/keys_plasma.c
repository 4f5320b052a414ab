/* src/config/keys_plasma.c - the keys that only model plasma uses, after those of
 * src/config/keys_run.c */
#include "src/config/keys.h"

#include "physics/constants.h"

static const char *const profile_words[] = {"uniform", "slab", "gaussian",
                                            "annulus", "file", NULL};
static const char *const loading_words[] = {"quiet", "random", NULL};
static const char *const collision_words[] = {"none", "gas", NULL};
static const char *const field_words[] = {"periodic", "dirichlet", "neumann", "open",
                                          NULL};
static const char *const side_words[] = {"periodic", "absorb", "reflect", "open", NULL};
static const char *const shape_words[] = {"ngp", "cic", "tsc", NULL};
static const char *const gather_words[] = {"momentum", "energy", NULL};
static const char *const solver_words[] = {"differences", "spectral", NULL};
static const char *const allow_words[] = {"plasma-frequency", "cell-crossing",
                                          "debye-length", NULL};

#define N_WORDS(list) (sizeof(list) / sizeof *(list)-1)
_Static_assert(N_WORDS(profile_words) == WN_N_PROFILES, "a word per profile");
_Static_assert(N_WORDS(loading_words) == WN_N_LOADINGS, "a word per loading");
_Static_assert(N_WORDS(collision_words) == WN_N_COLLISIONS, "a word per kind");
_Static_assert(N_WORDS(field_words) == WN_N_POTENTIALS, "a word per kind of side");
_Static_assert(N_WORDS(side_words) == WN_N_SIDE_KINDS, "a word per kind of side");
_Static_assert(N_WORDS(shape_words) == WN_N_SHAPES, "a word per shape");
_Static_assert(N_WORDS(gather_words) == WN_N_GATHERS, "a word per gather");
_Static_assert(N_WORDS(solver_words) == WN_N_POISSON, "a word per method");
_Static_assert(WN_ALLOW_PLASMA_FREQUENCY == 1u << 0 &&
                   WN_ALLOW_CELL_CROSSING == 1u << 1 && WN_ALLOW_DEBYE_LENGTH == 1u << 2,
               "bits in the order of the words");

#define SAT(field)                                                                       \
  .named = &wn_config_species, .offset = offsetof(struct wn_cfg_species, field)
#define WAT(field)                                                                       \
  .named = &wn_config_walls, .offset = offsetof(struct wn_cfg_wall, field)
#define VAT(field)                                                                       \
  .named = &wn_config_averages, .offset = offsetof(struct wn_cfg_average, field)
#define SPECIES(name)  "species." WN_KEY_NAME "." name
#define WALLS(name)    "walls." WN_KEY_NAME "." name
#define AVERAGES(name) "plasma.averages." WN_KEY_NAME "." name

/* m: light takes some seconds */
#define LONGEST 1e9

const struct wn_key wn_config_plasma_keys[] = {
    {.key = "grid.cells",
     .type = WN_KEY_COUNTS,
     .flags = PLASMA | WN_KEY_REQUIRED | WN_KEY_PER_AXIS,
     AT(plasma.cells),
     .n = 3,
     .min = 2,
     .max = 16777216,
     .help = "Cells along each axis of the grid: [64] is a grid of one dimension, [64, "
             "64] of two, [64, 64, 64] of three.  At most 32768 along an axis in two and "
             "three dimensions."},
    {.key = "grid.length",
     .type = WN_KEY_VECTOR,
     .unit = WN_UNIT_LENGTH,
     .flags = PLASMA | WN_KEY_REQUIRED | WN_KEY_PER_AXIS | WN_KEY_ABOVE_MIN,
     AT(plasma.length),
     .n = 3,
     .max = LONGEST,
     .help = "Length of the domain along each axis of the grid, as many as `grid.cells` "
             "has.  The domain begins at 0."},
    {.key = WALLS("field"),
     .type = WN_KEY_WORD,
     .flags = PLASMA,
     WAT(field),
     .def = "\"periodic\"",
     .words = field_words,
     .help = "The potential at a side of the domain; <NAME> is x_low, x_high, y_low, "
             "y_high, z_low or z_high, and a side that is not mentioned is periodic.  "
             "periodic: as at the other side of the axis.  dirichlet: a wall of metal, "
             "whose potential is `voltage`.  neumann: no field along the normal, a "
             "plane of symmetry.  open: free space, at all sides or at none."},
    {.key = WALLS("particles"),
     .type = WN_KEY_WORD,
     .flags = PLASMA,
     WAT(particles),
     .def = "\"periodic\"",
     .def_text =
         "by `field`: periodic; absorb where it is dirichlet, reflect where it is "
         "neumann, open where it is open",
     .words = side_words,
     .help = "What becomes of particles at a side of the domain.  periodic: they come in "
             "at the other side, where the field is periodic and only there.  absorb: "
             "they end and are counted.  reflect: as by a mirror.  open: they leave and "
             "are counted."},
    {.key = WALLS("voltage"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_VOLTAGE,
     .flags = PLASMA,
     WAT(voltage),
     .def = "0",
     .min = -1e9,
     .max = 1e9,
     .help =
         "Potential of a dirichlet side: its constant part, to which `amplitude` adds "
         "a sine."},
    {.key = WALLS("amplitude"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_VOLTAGE,
     .flags = PLASMA,
     WAT(amplitude),
     .def = "0",
     .min = -1e9,
     .max = 1e9,
     .help = "Amplitude of the sinusoidal part of the potential of a dirichlet side, "
             "amplitude sin(2 pi frequency t + phase)."},
    {.key = WALLS("frequency"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_FREQUENCY,
     .flags = PLASMA,
     WAT(frequency),
     .def = "0",
     .max = 1e18,
     .help = "Frequency of the sinusoidal part of the potential of a dirichlet side."},
    {.key = WALLS("phase"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_ANGLE,
     .flags = PLASMA,
     WAT(phase),
     .def = "0",
     .min = -2 * WN_PI * (1 + 1e-15),
     .max = 2 * WN_PI * (1 + 1e-15), /* so that 360 deg is allowed */
     .help = "Phase at time 0 of the sinusoidal part of the potential of a dirichlet "
             "side; 90 deg makes the sine a cosine."},
    {.key = WALLS("pulse_start"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_TIME,
     .flags = PLASMA,
     WAT(pulse_start),
     .def = "\"none\"",
     .automatic = "none",
     .max = 1e3,
     .help = "Time at which the potential of a dirichlet side is switched on; before it "
             "is 0.  none: it is on from the beginning."},
    {.key = WALLS("pulse_end"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_TIME,
     .flags = PLASMA,
     WAT(pulse_end),
     .def = "\"none\"",
     .automatic = "none",
     .max = 1e3,
     .help = "Time at which the potential of a dirichlet side is switched off and is 0 "
             "again.  none: it stays on."},
    {.key = WALLS("yield"),
     .type = WN_KEY_QUANTITY,
     .flags = PLASMA,
     WAT(yield),
     .def = "0",
     .max = 100,
     .help =
         "Secondary electrons that leave an absorbing side, on average, for each "
         "positive ion that ends there, of the species of ions with collisions.  They "
         "join the species of electrons with collisions, of which there must be one."},
    {.key = WALLS("emission_temperature"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_ENERGY,
     .flags = PLASMA,
     WAT(emission_ev),
     .def = "\"2 eV\"",
     .max = 1e4,
     .help =
         "Temperature kT of secondary electrons: they have the velocities of a "
         "Maxwellian's flux into the domain, 2 kT on average.  0: they leave at rest."},
    {.key = SPECIES("charge"),
     .type = WN_KEY_QUANTITY,
     .flags = PLASMA,
     SAT(charge),
     .def = "-1.0",
     .min = -1000,
     .max = 1000,
     .help = "Charge of a particle of this species in elementary charges: -1 for an "
             "electron."},
    {.key = SPECIES("mass"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_MASS,
     .flags = PLASMA | WN_KEY_ABOVE_MIN,
     SAT(mass),
     .def = "\"1 me\"",
     .max = 1e-20,
     .help = "Mass of a particle of this species."},
    {.key = SPECIES("mobile"),
     .type = WN_KEY_BOOL,
     .flags = PLASMA,
     SAT(mobile),
     .def = "true",
     .help = "Whether the particles of this species move.  false: they stay where they "
             "are put, and are charge."},
    {.key = SPECIES("profile"),
     .type = WN_KEY_WORD,
     .flags = PLASMA,
     SAT(profile),
     .def = "\"uniform\"",
     .words = profile_words,
     .help =
         "Where the particles are at time 0.  uniform: everywhere.  slab: in a box of "
         "`width` around `centre`.  gaussian: exp(-sum of ((x - centre)/width)^2 / "
         "2).  annulus: between the two of `radius` around `centre`, in x and y.  "
         "file: at the places, and with the velocities, that `file` holds."},
    {.key = SPECIES("density"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_DENSITY,
     .flags = PLASMA | WN_KEY_REQUIRED,
     SAT(density),
     .max = 1e31,
     .help =
         "Particles of this species per volume, where the profile is greatest and "
         "without the perturbation.  0 is allowed where `mobile` is false, and of ions "
         "that another species leaves behind.  With "
         "`per_cell` it says how many particles one of the simulation stands for, "
         "also for those of a file."},
    {.key = SPECIES("per_cell"),
     .type = WN_KEY_COUNT,
     .flags = PLASMA,
     SAT(per_cell),
     .def = "100",
     .max = 1e9,
     .help = "Particles of the simulation in a cell where the density is greatest.  "
             "Statistical errors fall with the square root of it."},
    {.key = SPECIES("loading"),
     .type = WN_KEY_WORD,
     .flags = PLASMA,
     SAT(loading),
     .def = "\"quiet\"",
     .words = loading_words,
     .help = "How places and velocities are drawn.  quiet: evenly, so that the noise at "
             "the beginning is small.  random: each by itself."},
    {.key = SPECIES("temperature"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_ENERGY,
     .flags = PLASMA,
     SAT(temperature_ev),
     .def = "0",
     .max = 1e9,
     .help = "Temperature of this species as an energy, kT: each component of the "
             "velocity is normal with variance kT/m.  0: a cold beam."},
    {.key = SPECIES("drift"),
     .type = WN_KEY_VECTOR,
     .unit = WN_UNIT_VELOCITY,
     .flags = PLASMA,
     SAT(drift),
     .n = 3,
     .def = "[\"0\", \"0\", \"0\"]",
     .min = -WN_C,
     .max = WN_C,
     .help = "Velocity that is added to that of each particle: along x, y and z."},
    {.key = SPECIES("centre"),
     .type = WN_KEY_VECTOR,
     .unit = WN_UNIT_LENGTH,
     .flags = PLASMA | WN_KEY_PER_AXIS,
     SAT(centre),
     .n = 3,
     .def = "\"auto\"",
     .automatic = "auto",
     .max = LONGEST,
     .help =
         "Centre of the profiles slab, gaussian and annulus.  auto: the middle of the "
         "domain, for all axes or for one."},
    {.key = SPECIES("width"),
     .type = WN_KEY_VECTOR,
     .unit = WN_UNIT_LENGTH,
     .flags = PLASMA | WN_KEY_PER_AXIS | WN_KEY_ABOVE_MIN,
     SAT(width),
     .n = 3,
     .def = "\"none\"",
     .automatic = "none",
     .max = LONGEST,
     .help = "Width of the profiles slab, from side to side, and gaussian, the standard "
             "deviation.  none: the profile does not change along that axis."},
    {.key = SPECIES("radius"),
     .type = WN_KEY_VECTOR,
     .unit = WN_UNIT_LENGTH,
     .flags = PLASMA,
     SAT(radius),
     .n = 2,
     .def = "[\"0\", \"0\"]",
     .max = LONGEST,
     .help = "Inner and outer radius of the profile annulus, in x and y."},
    {.key = SPECIES("amplitude"),
     .type = WN_KEY_QUANTITY,
     .flags = PLASMA,
     SAT(amplitude),
     .def = "0.0",
     .max = 1,
     .help =
         "Amplitude of a perturbation of the density of the profiles uniform and "
         "annulus, which is times 1 + amplitude cos(2 pi sum of mode x / length + "
         "phase), of an annulus times 1 + amplitude cos(mode angle + phase), with the "
         "first number of `mode`; below 1."},
    {.key = SPECIES("phase"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_ANGLE,
     .flags = PLASMA,
     SAT(phase),
     .def = "0",
     .min = -2 * WN_PI * (1 + 1e-15),
     .max = 2 * WN_PI * (1 + 1e-15),
     .help = "Phase of the perturbation of the density; -90 deg makes the cosine a "
             "sine."},
    {.key = SPECIES("mode"),
     .type = WN_KEY_INTEGERS,
     .flags = PLASMA | WN_KEY_PER_AXIS,
     SAT(mode),
     .n = 3,
     .def = "0",
     .min = -8388608,
     .max = 8388608,
     .help =
         "Waves of the perturbation of the density in the length of the domain, along "
         "each axis of the grid: at most half as many as cells."},
    {.key = SPECIES("file"),
     .type = WN_KEY_FILE,
     .flags = PLASMA,
     SAT(file),
     .n_offset = offsetof(struct wn_cfg_species, path),
     .def_text = "none",
     .help = "netCDF file with places and velocities for profile file, looked for beside "
             "the scenario file and then in the working folder."},
    {.key = SPECIES("collisions"),
     .type = WN_KEY_WORD,
     .flags = PLASMA,
     SAT(collisions),
     .def = "\"none\"",
     .words = collision_words,
     .help =
         "What the particles meet.  none: nobody.  gas: these are electrons in the gas "
         "of the scenario, with all that model mcc has: `gas`, `scattering`, "
         "`sharing`, `tables`; or ions of charge 1 or -1, heavier than 100 me, which are "
         "scattered in all directions or backwards (charge exchange) by its atoms."},
    {.key = SPECIES("ion"),
     .type = WN_KEY_STRING,
     .flags = PLASMA,
     SAT(ion),
     .def_text = "in a gas of one component its target with + or -, as \"Ar+\"",
     .help = "Name of these ions, which collide, in files of cross sections.  For each "
             "component of the gas the set \"ION / TARGET\" is taken, such as \"Ar+ / "
             "Ar\"; `wilson xs FILE` lists what a file has."},
    {.key = SPECIES("cross_sections"),
     .type = WN_KEY_FILE,
     .flags = PLASMA,
     SAT(cross_sections),
     .n_offset = offsetof(struct wn_cfg_species, xs_path),
     .def_text = "that of the component of the gas",
     .help = "Cross sections of these ions: an LXCat text file, looked for beside the "
             "scenario file and then in the working folder, or builtin:argon.  Beyond "
             "the ends of its tables holds `gas.components.<NAME>.beyond`."},
    {.key = SPECIES("subcycling"),
     .type = WN_KEY_COUNT,
     .flags = PLASMA,
     SAT(subcycling),
     .def = "1",
     .min = 1,
     .max = 1e6,
     .help =
         "Steps of the plasma in one of these ions, which collide: they move in every "
         "n-th step alone, for all n, in the field of the one in the middle; their "
         "charge stays where it is between.  The limits of `plasma.allow` take n "
         "steps for them."},
    {.key = SPECIES("ions"),
     .type = WN_KEY_STRING,
     .flags = PLASMA,
     SAT(ions),
     .def_text = "none",
     .help =
         "Name of the species to which each ionization by these electrons adds an ion, "
         "where it happened, with a velocity of the gas: of charge 1, with collisions "
         "or without, mobile or not.  Needed where the gas can be ionized.  One "
         "particle of that species stands for as many as one of these; a density of 0 "
         "says that there is none at time 0."},
    {.key = SPECIES("anions"),
     .type = WN_KEY_STRING,
     .flags = PLASMA,
     SAT(anions),
     .def_text = "none",
     .help = "Name of the species to which each attachment of these electrons adds a "
             "negative ion, as `ions`: of charge -1.  Needed where the gas attaches."},
    {.key = "plasma.time_step",
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_TIME,
     .flags = PLASMA | WN_KEY_REQUIRED | WN_KEY_ABOVE_MIN,
     AT(plasma.time_step),
     .max = 1,
     .help = "Time between two solutions of the field.  The plasma frequency times this "
             "must be below 2, and a particle at five thermal speeds may not cross more "
             "than a cell; see `plasma.allow`."},
    {.key = "plasma.mobility_steps",
     .type = WN_KEY_COUNT,
     .flags = PLASMA,
     AT(plasma.mobility_steps),
     .def = "1",
     .min = 1,
     .max = 1e6,
     .help =
         "Mobility steps of species with collisions in one of `plasma.time_step`: for "
         "each an electron takes the field anew, where it will be in the middle of it. "
         " Any number of collisions happens inside a mobility step."},
    {.key = "plasma.velocities",
     .type = WN_KEY_INT,
     .flags = PLASMA,
     AT(plasma.velocities),
     .def = "\"auto\"",
     .automatic = "auto",
     .min = 2,
     .max = 3,
     .help =
         "Components of the velocity that a particle has: 2, in two dimensions only, "
         "or 3.  auto: as many as the grid has axes, and 3 in one dimension and where "
         "a species has collisions."},
    {.key = "plasma.shape",
     .type = WN_KEY_WORD,
     .flags = PLASMA,
     AT(plasma.shape),
     .def = "\"cic\"",
     .words = shape_words,
     .help = "How the charge of a particle is divided among the nodes around it.  ngp: "
             "all to the nearest.  cic: linearly, a cloud in a cell.  tsc: by a "
             "quadratic spline, smoother and dearer."},
    {.key = "plasma.gather",
     .type = WN_KEY_WORD,
     .flags = PLASMA,
     AT(plasma.gather),
     .def = "\"momentum\"",
     .words = gather_words,
     .help = "How a particle feels the field of the grid.  momentum: by the shape of the "
             "deposit, so that nobody pushes itself.  energy: as minus the gradient of "
             "its own potential; not with shape ngp."},
    {.key = "plasma.solver",
     .type = WN_KEY_WORD,
     .flags = PLASMA,
     AT(plasma.solver),
     .def = "\"differences\"",
     .words = solver_words,
     .help = "How the potential is found from the charge.  differences: by the "
             "three-point operator along each axis, of second order.  spectral: by the "
             "exact operator of the modes."},
    {.key = "plasma.background",
     .type = WN_KEY_BOOL,
     .flags = PLASMA,
     AT(plasma.background),
     .def = "false",
     .help = "Whether a uniform charge neutralises what is there at time 0.  A domain "
             "whose sides are all periodic or neumann cannot hold a net charge."},
    {.key = "plasma.relativistic",
     .type = WN_KEY_BOOL,
     .flags = PLASMA,
     AT(plasma.relativistic),
     .def = "false",
     .help = "Whether the mass of a particle grows with its speed."},
    {.key = "plasma.magnetic_field",
     .type = WN_KEY_VECTOR,
     .unit = WN_UNIT_MAGNETIC,
     .flags = PLASMA,
     AT(plasma.magnetic),
     .n = 3,
     .def = "[\"0\", \"0\", \"0\"]",
     .min = -1e5,
     .max = 1e5,
     .help = "A uniform magnetic field: along x, y and z.  With two components of the "
             "velocity only along z."},
    {.key = "plasma.allow",
     .type = WN_KEY_WORDS,
     .flags = PLASMA,
     AT(plasma.allow),
     .def = "[]",
     .words = allow_words,
     .help =
         "Limits that may be broken, which is an error otherwise.  plasma-frequency: "
         "the plasma frequency times `plasma.time_step` is 2 or more, and the run "
         "is unstable.  cell-crossing: particles at five thermal speeds and the "
         "drift cross more than a cell in a step, or, in every 16th step of the run, any "
         "particle does; allowed, they are counted.  debye-length: cells are longer "
         "than pi Debye lengths, and the plasma heats up; asked of species whose "
         "plasma frequency is a tenth of the greatest or more, so not of ions "
         "beside electrons, and not of cold beams."},
    {.key = "plasma.modes",
     .type = WN_KEY_MODES,
     .flags = PLASMA,
     AT(plasma.modes),
     N_AT(plasma.n_modes),
     .def = "[]",
     .min = -8388608,
     .max = 8388608,
     .help =
         "Waves of the field whose amplitudes are written each step, by their numbers "
         "in the length of the domain along each axis: [1, 2] in one dimension, ( "
         "[1, 0], [0, 2] ) in two.  At most half as many as cells."},
    {.key = "plasma.integrals_interval",
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_TIME,
     .flags = PLASMA | WN_KEY_ABOVE_MIN,
     AT(plasma.integrals_interval),
     .def = "\"step\"",
     .automatic = "step",
     .max = 1e3,
     .help = "Time between two rows of the sums over the domain (energies, currents, "
             "numbers, modes) in the output file; \"step\": each step has one.  Fewer "
             "make long runs shorter and their files smaller, and are the same where "
             "they are."},
    {.key = "plasma.fields_interval",
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_TIME,
     .flags = PLASMA | WN_KEY_ABOVE_MIN,
     AT(plasma.fields_interval),
     .def = "\"never\"",
     .automatic = "never",
     .max = 1e3,
     .help = "Time between two maps of fields and densities in the output file."},
    {.key = "plasma.fields_moments",
     .type = WN_KEY_BOOL,
     .flags = PLASMA,
     AT(plasma.fields_moments),
     .def = "false",
     .help =
         "Whether the maps of `plasma.fields_interval` have fluxes and mean energies of "
         "the species that move, too.  On a GPU that brings the particles to the host "
         "for each map."},
    {.key = "plasma.particles_interval",
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_TIME,
     .flags = PLASMA | WN_KEY_ABOVE_MIN,
     AT(plasma.particles_interval),
     .def = "\"never\"",
     .automatic = "never",
     .max = 1e3,
     .help = "Time between two samples of particles in the output file."},
    {.key = "plasma.particles_sample",
     .type = WN_KEY_COUNT,
     .flags = PLASMA,
     AT(plasma.particles_sample),
     .def = "10000",
     .min = 1,
     .max = 4e9,
     .help = "Particles of each species in a sample, at most."},
    {.key = AVERAGES("start"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_TIME,
     .flags = PLASMA,
     VAT(start),
     .def = "\"last\"",
     .automatic = "last",
     .max = 1e3,
     .help =
         "Where a window begins over which fields, densities, fluxes and energies are "
         "averaged at each node; windows may overlap.  last: so that it ends with "
         "the run."},
    {.key = AVERAGES("length"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_TIME,
     .flags = PLASMA | WN_KEY_ABOVE_MIN,
     VAT(length),
     .def = "\"auto\"",
     .automatic = "auto",
     .max = 1e3,
     .help =
         "How long the window is.  auto: `periods`, or from `start` to the end of the "
         "run."},
    {.key = AVERAGES("periods"),
     .type = WN_KEY_COUNT,
     .flags = PLASMA,
     VAT(periods),
     .def = "0",
     .max = 1e9,
     .help =
         "How long the window is in periods of a wall's voltage: { periods = 32; } is "
         "the last 32 of the run, or with a warning all that it has.  0: `length` says "
         "it."},
    {.key = AVERAGES("wall"),
     .type = WN_KEY_STRING,
     .flags = PLASMA,
     VAT(wall),
     .def_text = "the walls with a frequency, which must have the same",
     .help = "The side whose frequency the periods have, such as x_low."},
    {.key = AVERAGES("phases"),
     .type = WN_KEY_COUNT,
     .flags = PLASMA,
     VAT(phases),
     .def = "0",
     .max = 65536,
     .help = "Parts of a period that are averaged each by itself over all periods of the "
             "window, as well as all together.  The first begins where the time is a "
             "whole number of periods.  0: only all together."},
    {.key = AVERAGES("blocks"),
     .type = WN_KEY_COUNT,
     .flags = PLASMA,
     VAT(blocks),
     .def = "0",
     .max = 1e9,
     .help = "Equal parts of the window: from the scatter of their means comes the "
             "standard error of the mean, so they should be longer than what happens in "
             "the plasma, and many.  0: as many as periods, of a `length` 10.  With "
             "`periods` whole periods, with 1 no error."},
    {.key = AVERAGES("every"),
     .type = WN_KEY_COUNT,
     .flags = PLASMA,
     VAT(every),
     .def = "1",
     .min = 1,
     .max = 1e9,
     .help = "Steps from one sample of the window to the next.  On a GPU each brings the "
             "grids to the host, and with `moments` the particles."},
    {.key = AVERAGES("moments"),
     .type = WN_KEY_BOOL,
     .flags = PLASMA,
     VAT(moments),
     .def = "true",
     .help =
         "Whether fluxes and mean energies of the species that move are averaged, too: "
         "some ten ns a particle and step that is looked at."},
};

const size_t wn_config_plasma_rows =
    sizeof wn_config_plasma_keys / sizeof wn_config_plasma_keys[0];
