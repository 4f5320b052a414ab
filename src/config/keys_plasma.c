/* src/config/keys_plasma.c - the keys that only model plasma uses, after those of
 * src/config/keys_run.c */
#include "src/config/keys.h"

#include "physics/constants.h"
#include "physics/coulomb.h"

static const char *const profile_words[] = {"uniform", "slab", "gaussian",
                                            "annulus", "file", NULL};
static const char *const loading_words[] = {"quiet", "random", NULL};
static const char *const collision_words[] = {"none", "gas", NULL};
static const char *const field_words[] = {"periodic", "dirichlet", "neumann", "open",
                                          NULL};
#define WORD(symbol, word, back) word,
static const char *const side_words[] = {WN_SIDE_KINDS(WORD) NULL};
#undef WORD
#define WORD(symbol, word) word,
static const char *const coulomb_words[] = {WN_COULOMB_METHODS(WORD) NULL};
#undef WORD
static const char *const conserve_words[] = {"average", "cell", NULL};
static const char *const shape_words[] = {"ngp", "cic", "tsc", NULL};
static const char *const gather_words[] = {"momentum", "energy", NULL};
static const char *const solver_words[] = {"differences", "spectral", NULL};
static const char *const allow_words[] = {"plasma-frequency", "cell-crossing",
                                          "debye-length", NULL};

static const char *const source_words[] = {"uniform", "cosine", NULL};

#define N_WORDS(list) (sizeof(list) / sizeof *(list)-1)
_Static_assert(N_WORDS(profile_words) == WN_N_PROFILES, "a word per profile");
_Static_assert(N_WORDS(source_words) == WN_N_SOURCE_PROFILES, "a word per profile");
_Static_assert(N_WORDS(loading_words) == WN_N_LOADINGS, "a word per loading");
_Static_assert(N_WORDS(collision_words) == WN_N_COLLISIONS, "a word per kind");
_Static_assert(N_WORDS(field_words) == WN_N_POTENTIALS, "a word per kind of side");
_Static_assert(N_WORDS(side_words) == WN_N_SIDE_KINDS, "a word per kind of side");
_Static_assert(N_WORDS(coulomb_words) == WN_N_COULOMB_METHODS, "a word per method");
_Static_assert(N_WORDS(conserve_words) == WN_N_CONSERVE, "a word per kind");
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
#define DAT(field)                                                                       \
  .named = &wn_config_distributions, .offset = offsetof(struct wn_cfg_distribution, field)
#define OAT(field)                                                                       \
  .named = &wn_config_sources, .offset = offsetof(struct wn_cfg_source, field)
#define TAT(field)                                                                       \
  .named = &wn_config_thermostats, .offset = offsetof(struct wn_cfg_thermostat, field)
#define THERMOSTATS(name) "plasma.thermostats." WN_KEY_NAME "." name
#define SOURCES(name)     "plasma.sources." WN_KEY_NAME "." name
#define CAT(field)                                                                       \
  .named = &wn_config_coulomb, .offset = offsetof(struct wn_cfg_coulomb, field)
#define COULOMB(name)       "plasma.coulomb." WN_KEY_NAME "." name
#define DISTRIBUTIONS(name) "plasma.distributions." WN_KEY_NAME "." name
#define RAT(field)                                                                       \
  .named = &wn_config_reactions, .offset = offsetof(struct wn_cfg_reaction, field)
#define FAT(field)                                                                       \
  .named = &wn_config_followed, .offset = offsetof(struct wn_cfg_followed, field)
#define FOLLOWED(name)  "followed." WN_KEY_NAME "." name
#define REACTIONS(name) "reactions." WN_KEY_NAME "." name
#define SPECIES(name)   "species." WN_KEY_NAME "." name
#define WALLS(name)     "walls." WN_KEY_NAME "." name
#define AVERAGES(name)  "plasma.averages." WN_KEY_NAME "." name

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
     .help =
         "Boundary condition of the potential at a side of the domain; <NAME> is x_low, "
         "x_high, y_low, y_high, z_low or z_high, and a side that is not given is "
         "periodic.  periodic: as at the other side of the axis.  dirichlet: a metal "
         "wall with the potential `voltage`.  neumann: no field along the normal, a "
         "plane of symmetry.  open: free space, at all sides or none."},
    {.key = WALLS("particles"),
     .type = WN_KEY_WORD,
     .flags = PLASMA,
     WAT(particles),
     .def = "\"periodic\"",
     .def_text = "from `field`: periodic; absorb for dirichlet, reflect for neumann, "
                 "open for open",
     .words = side_words,
     .help = "Boundary condition of particles at a side of the domain.  periodic: they "
             "enter at the other side; if and only if the field is periodic.  absorb: "
             "they are removed and counted.  reflect: specular reflection.  open: they "
             "leave and are counted."},
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
    {.key = WALLS("harmonics"),
     .type = WN_KEY_VECTOR,
     .unit = WN_UNIT_VOLTAGE,
     .flags = PLASMA,
     WAT(harmonics),
     .n = WN_HARMONICS,
     .def = "[\"0\", \"0\", \"0\"]",
     .min = -1e9,
     .max = 1e9,
     .help = "Amplitudes of the second, third and fourth harmonic of `frequency` in the "
             "potential of a dirichlet side, beside `amplitude`: each adds a sine with "
             "its own phase, `harmonic_phases`."},
    {.key = WALLS("harmonic_phases"),
     .type = WN_KEY_VECTOR,
     .unit = WN_UNIT_ANGLE,
     .flags = PLASMA,
     WAT(harmonic_phases),
     .n = WN_HARMONICS,
     .def = "[\"0\", \"0\", \"0\"]",
     .min = -2 * WN_PI * (1 + 1e-15),
     .max = 2 * WN_PI * (1 + 1e-15),
     .help = "Phases at time 0 of the second, third and fourth harmonic; 90 deg makes a "
             "sine a cosine."},
    {.key = WALLS("pulse_start"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_TIME,
     .flags = PLASMA,
     WAT(pulse_start),
     .def = "\"none\"",
     .automatic = "none",
     .max = 1e3,
     .help = "Time at which the potential of a dirichlet side is switched on; it is 0 "
             "before.  none: it is on from the beginning."},
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
    {.key = WALLS("capacitance"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_CAPACITANCE,
     .flags = PLASMA,
     WAT(capacitance),
     .def = "\"none\"",
     .automatic = "none",
     .max = 1e6,
     .help =
         "Blocking capacitor between the voltage of a dirichlet side and the wall, per "
         "area of the wall; in one dimension.  none: there is none.  0: a floating wall, "
         "to which nothing is connected; not both.  Its charge is 0 at the start."},
    {.key = WALLS("resistance"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_RESISTANCE,
     .flags = PLASMA,
     WAT(resistance),
     .def = "0",
     .max = 1e12,
     .help = "Resistor in series between the voltage of a dirichlet side and the wall, "
             "times the area of the wall; in one dimension.  0: there is none."},
    {.key = WALLS("inductance"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_INDUCTANCE,
     .flags = PLASMA,
     WAT(inductance),
     .def = "0",
     .max = 1e6,
     .help =
         "Inductor in series between the voltage of a dirichlet side and the wall, times "
         "the area of the wall; in one dimension.  0: there is none.  Its current is 0 "
         "at the start."},
    {.key = WALLS("dielectric_thickness"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_LENGTH,
     .flags = PLASMA,
     WAT(dielectric_thickness),
     .def = "0",
     .max = 1,
     .help = "Thickness of a dielectric on the metal of a dirichlet side, in one "
             "dimension: the charge of absorbed particles stays on its face, and the "
             "side of the domain is this face.  0: there is none."},
    {.key = WALLS("dielectric_permittivity"),
     .type = WN_KEY_QUANTITY,
     .flags = PLASMA,
     WAT(permittivity),
     .def = "1",
     .min = 1,
     .max = 1e6,
     .help = "Relative permittivity of the dielectric on a side."},
    {.key = WALLS("yield"),
     .type = WN_KEY_QUANTITY,
     .flags = PLASMA,
     WAT(yield),
     .def = "0",
     .max = 100,
     .help =
         "Secondary electrons emitted from an absorbing side, on average, for each "
         "positive ion that is absorbed there (on a GPU of a species with collisions).  "
         "They join the species of electrons with collisions or, where none has, that of "
         "charge -1 and mass 1 me; there must be exactly one."},
    {.key = WALLS("emission_temperature"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_KT,
     .flags = PLASMA,
     WAT(emission_ev),
     .def = "\"2 eV\"",
     .max = 1e4,
     .help = "Temperature of secondary electrons, kT or in K: their velocities are those "
             "of the "
             "flux of a Maxwellian into the domain, with a mean energy of 2 kT.  0: they "
             "leave at rest."},
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
     .help =
         "Whether the particles of this species move.  false: they are a fixed charge."},
    {.key = SPECIES("profile"),
     .type = WN_KEY_WORD,
     .flags = PLASMA,
     SAT(profile),
     .def = "\"uniform\"",
     .words = profile_words,
     .help = "Spatial profile of the particles at time 0.  uniform: constant density.  "
             "slab: in a box of `width` around `centre`.  gaussian: exp(-sum of ((x - "
             "centre)/width)^2 / 2).  annulus: between the two of `radius` around "
             "`centre`, in x and y.  file: positions and velocities from `file`."},
    {.key = SPECIES("density"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_DENSITY,
     .flags = PLASMA | WN_KEY_REQUIRED,
     SAT(density),
     .max = 1e31,
     .help = "Particles of this species per volume, at the maximum of the profile, "
             "without the perturbation.  0 is allowed if `mobile` is false, and for ions "
             "that another species produces or particles of `plasma.sources`.  With "
             "`per_cell` it determines the number "
             "of particles that a macroparticle stands for, also for those from a file."},
    {.key = SPECIES("per_cell"),
     .type = WN_KEY_COUNT,
     .flags = PLASMA,
     SAT(per_cell),
     .def = "100",
     .max = 1e9,
     .help = "Macroparticles in a cell at the maximum of the density.  Statistical "
             "errors fall as one over its square root."},
    {.key = SPECIES("loading"),
     .type = WN_KEY_WORD,
     .flags = PLASMA,
     SAT(loading),
     .def = "\"quiet\"",
     .words = loading_words,
     .help = "Loading of positions and velocities.  quiet: a quiet start, evenly spaced, "
             "with little initial noise.  random: independent random numbers."},
    {.key = SPECIES("temperature"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_KT,
     .flags = PLASMA,
     SAT(temperature_ev),
     .def = "0",
     .max = 1e9,
     .help =
         "Temperature of this species, as an energy kT or in K: each component of the "
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
     .help = "Velocity added to that of each particle: along x, y and z."},
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
             "deviation.  none: the profile is constant along that axis."},
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
     .help = "Amplitude, below 1, of a perturbation of the density of the profiles "
             "uniform and annulus.  The density has the factor 1 + amplitude cos(2 pi "
             "sum of mode x / length + phase), that of an annulus 1 + amplitude cos(mode "
             "angle + phase), with the first number of `mode`."},
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
     .help = "Wavelengths of the density perturbation in the length of the domain, along "
             "each axis of the grid: at most half the number of cells."},
    {.key = SPECIES("file"),
     .type = WN_KEY_FILE,
     .flags = PLASMA,
     SAT(file),
     .n_offset = offsetof(struct wn_cfg_species, path),
     .def_text = "none",
     .help =
         "netCDF file for profile file, with variables position(particle, axis) in m "
         "and velocity(particle, component) in m/s (doc/plasma.md), searched beside the "
         "scenario file and then in the working folder."},
    {.key = SPECIES("collisions"),
     .type = WN_KEY_WORD,
     .flags = PLASMA,
     SAT(collisions),
     .def = "\"none\"",
     .words = collision_words,
     .help =
         "Collisions of the particles.  none: no collisions.  gas: electrons that "
         "collide with the gas of the scenario, as in model mcc (`gas`, `scattering`, "
         "`sharing`, `tables`); or ions of charge 1 or -1, heavier than 100 me, with "
         "isotropic and backward scattering (charge exchange) by its atoms."},
    {.key = SPECIES("ion"),
     .type = WN_KEY_STRING,
     .flags = PLASMA,
     SAT(ion),
     .def_text = "in a gas of one component its target with + or -, such as \"Ar+\"",
     .help = "Name of these ions in files of cross sections, for ions with collisions.  "
             "Each component of the gas needs the set \"ION / TARGET\", such as \"Ar+ / "
             "Ar\"; `wilson xs FILE` lists the sets of a file."},
    {.key = SPECIES("cross_sections"),
     .type = WN_KEY_FILE,
     .flags = PLASMA,
     SAT(cross_sections),
     .n_offset = offsetof(struct wn_cfg_species, xs_path),
     .def_text = "that of the component of the gas",
     .help = "Cross sections of these ions: an LXCat text file, searched beside the "
             "scenario file and then in the working folder, or builtin:argon.  Above the "
             "ends of its tables `gas.components.<NAME>.beyond` applies."},
    {.key = SPECIES("subcycling"),
     .type = WN_KEY_COUNT,
     .flags = PLASMA,
     SAT(subcycling),
     .def = "1",
     .min = 1,
     .max = 1e6,
     .help =
         "Subcycling of ions with collisions: they move only in every n-th step of the "
         "plasma, by n steps at once, in the field at the middle of the n; between, "
         "their charge is fixed.  The limits of `plasma.allow` apply to their n steps."},
    {.key = SPECIES("ions"),
     .type = WN_KEY_STRING,
     .flags = PLASMA,
     SAT(ions),
     .def_text = "none",
     .help = "Name of the species to which each ionization by these electrons adds an "
             "ion, at its position, with a thermal velocity of the gas.  Its charge is "
             "1; it may have collisions or not, and be mobile or not.  Needed if the gas "
             "can be ionized.  Macroparticles of both species have the same weight; a "
             "density of 0 means that there are no ions at time 0."},
    {.key = SPECIES("anions"),
     .type = WN_KEY_STRING,
     .flags = PLASMA,
     SAT(anions),
     .def_text = "none",
     .help =
         "Name of the species to which each attachment of these electrons adds a "
         "negative ion, as `ions`, with charge -1.  Needed if the gas has attachment."},
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
     .help = "Mobility steps of species with collisions in one `plasma.time_step`: for "
             "each an electron gathers the field again, at its position in the middle of "
             "the mobility step.  A mobility step has any number of collisions."},
    {.key = "plasma.velocities",
     .type = WN_KEY_INT,
     .flags = PLASMA,
     AT(plasma.velocities),
     .def = "\"auto\"",
     .automatic = "auto",
     .min = 2,
     .max = 3,
     .help = "Velocity components of a particle: 2, in two dimensions only, or 3.  auto: "
             "the number of axes of the grid, but 3 in one dimension and if a species "
             "has collisions."},
    {.key = "plasma.shape",
     .type = WN_KEY_WORD,
     .flags = PLASMA,
     AT(plasma.shape),
     .def = "\"cic\"",
     .words = shape_words,
     .help = "Particle shape of the charge deposit.  ngp: nearest grid point.  cic: "
             "cloud in cell, linear.  tsc: quadratic spline, smoother and slower."},
    {.key = "plasma.gather",
     .type = WN_KEY_WORD,
     .flags = PLASMA,
     AT(plasma.gather),
     .def = "\"momentum\"",
     .words = gather_words,
     .help = "Gather of the field at a particle.  momentum: momentum conserving, with "
             "the shape of the deposit, so that a particle exerts no force on itself.  "
             "energy: energy conserving, as minus the gradient of the potential; not "
             "with shape ngp."},
    {.key = "plasma.solver",
     .type = WN_KEY_WORD,
     .flags = PLASMA,
     AT(plasma.solver),
     .def = "\"differences\"",
     .words = solver_words,
     .help = "Solver of Poisson's equation.  differences: the three-point operator along "
             "each axis, of second order.  spectral: the exact operator of the modes."},
    {.key = "plasma.background",
     .type = WN_KEY_BOOL,
     .flags = PLASMA,
     AT(plasma.background),
     .def = "false",
     .help = "Whether a uniform background charge neutralises the particles at time 0.  "
             "A domain with periodic and neumann sides only cannot have a net charge."},
    {.key = "plasma.relativistic",
     .type = WN_KEY_BOOL,
     .flags = PLASMA,
     AT(plasma.relativistic),
     .def = "false",
     .help = "Whether particles move relativistically."},
    {.key = "plasma.magnetic_field",
     .type = WN_KEY_VECTOR,
     .unit = WN_UNIT_MAGNETIC,
     .flags = PLASMA,
     AT(plasma.magnetic),
     .n = 3,
     .def = "[\"0\", \"0\", \"0\"]",
     .min = -1e5,
     .max = 1e5,
     .help = "A uniform magnetic field: along x, y and z.  With two velocity components "
             "only along z."},
    {.key = "plasma.allow",
     .type = WN_KEY_WORDS,
     .flags = PLASMA,
     AT(plasma.allow),
     .def = "[]",
     .words = allow_words,
     .help = "Limits that the run may exceed; otherwise this is an error.  "
             "plasma-frequency: the plasma frequency times `plasma.time_step` is 2 or "
             "more, and the run is unstable.  cell-crossing: particles at five thermal "
             "speeds and the drift cross more than a cell in a step, or any particle "
             "does in a check at every 16th step; if allowed, they are counted.  "
             "debye-length: cells are longer than pi Debye lengths, and the plasma heats "
             "up; checked for species with at least a tenth of the largest plasma "
             "frequency, so not for ions beside electrons, and not for cold beams."},
    {.key = "plasma.modes",
     .type = WN_KEY_MODES,
     .flags = PLASMA,
     AT(plasma.modes),
     N_AT(plasma.n_modes),
     .def = "[]",
     .min = -8388608,
     .max = 8388608,
     .help = "Modes of the field with amplitudes written each step, by their wavelengths "
             "in the length of the domain along each axis: [1, 2] in one dimension, ( "
             "[1, 0], [0, 2] ) in two.  At most half the number of cells."},
    {.key = "plasma.integrals_interval",
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_TIME,
     .flags = PLASMA | WN_KEY_ABOVE_MIN,
     AT(plasma.integrals_interval),
     .def = "\"step\"",
     .automatic = "step",
     .max = 1e3,
     .help =
         "Time between two rows of the sums over the domain (energies, currents, "
         "numbers, modes) in the output file; \"step\": one for each step.  Fewer rows "
         "make long runs faster and their files smaller; the rows written are the same."},
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
     .help = "Whether the maps of `plasma.fields_interval` include fluxes and mean "
             "energies of the mobile species.  On a GPU the particles are then copied to "
             "the host for each map."},
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
     .help = "Start of a window over which fields, densities, fluxes and energies are "
             "averaged at each node; windows may overlap.  last: the window ends with "
             "the run."},
    {.key = AVERAGES("length"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_TIME,
     .flags = PLASMA | WN_KEY_ABOVE_MIN,
     VAT(length),
     .def = "\"auto\"",
     .automatic = "auto",
     .max = 1e3,
     .help = "Length of the window.  auto: `periods`, or from `start` to the end of the "
             "run."},
    {.key = AVERAGES("periods"),
     .type = WN_KEY_COUNT,
     .flags = PLASMA,
     VAT(periods),
     .def = "0",
     .max = 1e9,
     .help = "Length of the window in periods of a wall's voltage: { periods = 32; } is "
             "the last 32 of the run, or, with a warning, all of them if there are "
             "fewer.  0: `length` is used."},
    {.key = AVERAGES("wall"),
     .type = WN_KEY_STRING,
     .flags = PLASMA,
     VAT(wall),
     .def_text = "the walls with a frequency, which must be the same for all",
     .help = "The side that defines the frequency of the periods, such as x_low."},
    {.key = AVERAGES("phases"),
     .type = WN_KEY_COUNT,
     .flags = PLASMA,
     VAT(phases),
     .def = "0",
     .max = 65536,
     .help = "Number of RF phases: equal parts of a period with separate averages over "
             "all periods of the window, besides the total average.  The first begins at "
             "whole numbers of periods.  0: only the total average."},
    {.key = AVERAGES("blocks"),
     .type = WN_KEY_COUNT,
     .flags = PLASMA,
     VAT(blocks),
     .def = "0",
     .max = 1e9,
     .help = "Equal parts of the window.  The scatter of their means gives the standard "
             "error of the mean, so they should be many, and longer than correlations in "
             "the plasma.  0: one for each period; 10 for a `length`.  With `periods` a "
             "block is whole periods; 1 gives no error."},
    {.key = AVERAGES("every"),
     .type = WN_KEY_COUNT,
     .flags = PLASMA,
     VAT(every),
     .def = "1",
     .min = 1,
     .max = 1e9,
     .help = "Steps from one sample of the window to the next.  On a GPU each sample "
             "copies the grids to the host, and with `moments`, `rates` or `power` the "
             "particles."},
    {.key = AVERAGES("moments"),
     .type = WN_KEY_BOOL,
     .flags = PLASMA,
     VAT(moments),
     .def = "true",
     .help = "Whether fluxes and mean energies of the mobile species are averaged, too: "
             "some ten ns for each particle and sampled step."},
    {.key = AVERAGES("rates"),
     .type = WN_KEY_STRINGS,
     .flags = PLASMA,
     VAT(rates),
     .n_offset = offsetof(struct wn_cfg_average, n_rates),
     .def = "[]",
     .help =
         "Collision rates at the nodes, of each species with collisions that has them, "
         "as in rates = [\"ionization\", \"excitation\"].  Each is a kind, the sum of "
         "all processes of that kind (elastic, excitation, ionization, attachment; of "
         "ions isotropic and backscatter), or one process by its label that `wilson xs "
         "FILE` prints or by its product.  They are expected rates, from the velocity of "
         "each particle, without the noise of counted collisions."},
    {.key = AVERAGES("power"),
     .type = WN_KEY_BOOL,
     .flags = PLASMA,
     VAT(power),
     .def = "false",
     .help = "Whether the power that the field gives to each mobile species, J E, is "
             "averaged, "
             "too.  Not on GPUs if the grid is divided."},
    {.key = DISTRIBUTIONS("species"),
     .type = WN_KEY_STRING,
     .flags = PLASMA,
     DAT(species),
     .def_text = "the only mobile species",
     .help = "Species of a distribution of energies: of the particles in a region or, "
             "with `wall`, of those that a side takes."},
    {.key = DISTRIBUTIONS("window"),
     .type = WN_KEY_STRING,
     .flags = PLASMA,
     DAT(window),
     .def_text = "the only one",
     .help = "The window of `plasma.averages` over which it is averaged, with the RF "
             "phases and blocks of that.  A region is sampled in every `every`-th step, "
             "on a GPU by a copy of the particles; a wall in every step."},
    {.key = DISTRIBUTIONS("wall"),
     .type = WN_KEY_STRING,
     .flags = PLASMA,
     DAT(wall),
     .def_text = "none: of a region",
     .help = "A side that absorbs particles or is open, such as x_low: the distribution "
             "is that of the flux to it.  Not on a GPU."},
    {.key = DISTRIBUTIONS("low"),
     .type = WN_KEY_VECTOR,
     .unit = WN_UNIT_LENGTH,
     .flags = PLASMA | WN_KEY_PER_AXIS,
     DAT(low),
     .n = 3,
     .def = "\"auto\"",
     .automatic = "auto",
     .max = LONGEST,
     .help = "Lower end of the region along each axis.  auto: that of the domain."},
    {.key = DISTRIBUTIONS("high"),
     .type = WN_KEY_VECTOR,
     .unit = WN_UNIT_LENGTH,
     .flags = PLASMA | WN_KEY_PER_AXIS,
     DAT(high),
     .n = 3,
     .def = "\"auto\"",
     .automatic = "auto",
     .max = LONGEST,
     .help = "Upper end of the region along each axis.  auto: that of the domain."},
    {.key = DISTRIBUTIONS("energy_max"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_ENERGY,
     .flags = PLASMA | WN_KEY_ABOVE_MIN,
     DAT(energy_max_ev),
     .def = "\"100 eV\"",
     .max = 1e9,
     .help = "Upper end of the energies.  Particles above it are counted, too, and their "
             "fraction is written."},
    {.key = DISTRIBUTIONS("bins"),
     .type = WN_KEY_COUNT,
     .flags = PLASMA,
     DAT(bins),
     .def = "100",
     .min = 1,
     .max = 1e6,
     .help = "Number of equal bins of the energy, from 0 to `energy_max`."},
    {.key = DISTRIBUTIONS("angles"),
     .type = WN_KEY_COUNT,
     .flags = PLASMA,
     DAT(angles),
     .def = "0",
     .max = 9000,
     .help = "At a wall: number of equal bins of the angle to its normal, from 0 to 90 "
             "degrees.  0: no angles."},
    {.key = SOURCES("species"),
     .type = WN_KEY_STRING,
     .flags = PLASMA,
     OAT(species),
     .def_text = "the only mobile species",
     .help = "Species of the particles of a source.  One that has no particles at time 0 "
             "has `density` 0, and `per_step` then determines the weight of a "
             "macroparticle."},
    {.key = SOURCES("wall"),
     .type = WN_KEY_STRING,
     .flags = PLASMA,
     OAT(wall),
     .def_text = "none: in a region",
     .help = "The side that emits the particles, such as x_low; not a periodic one.  "
             "Their charge is subtracted from what the side has taken.  They leave at "
             "times spread evenly over a step, each in an interval of its own, and fly "
             "for the rest of it: second order in the step."},
    {.key = SOURCES("current"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_CURRENT,
     .flags = PLASMA | WN_KEY_ABOVE_MIN,
     OAT(current),
     .def = "\"none\"",
     .automatic = "none",
     .max = 1e20,
     .help = "Magnitude of the current density that leaves the side.  Either this or "
             "`flux` is needed with `wall`."},
    {.key = SOURCES("flux"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_FLUX,
     .flags = PLASMA | WN_KEY_ABOVE_MIN,
     OAT(flux),
     .def = "\"none\"",
     .automatic = "none",
     .max = 1e40,
     .help = "Particles that leave the side per area and time, in place of `current`."},
    {.key = SOURCES("rate"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_CREATION,
     .flags = PLASMA | WN_KEY_ABOVE_MIN,
     OAT(rate),
     .def = "\"none\"",
     .automatic = "none",
     .max = 1e45,
     .help = "Particles created per volume and time in the region of the source, at the "
             "maximum of its `profile`.  Needed without `wall`."},
    {.key = SOURCES("temperature"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_KT,
     .flags = PLASMA,
     OAT(temperature_ev),
     .def = "0",
     .max = 1e9,
     .help = "Temperature of the particles, kT or in K.  At a side their velocities are "
             "those of the flux of a Maxwellian into the domain (mean energy 2 kT), in a "
             "region those of a Maxwellian.  0: none."},
    {.key = SOURCES("energy"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_ENERGY,
     .flags = PLASMA,
     OAT(energy_ev),
     .def = "0",
     .max = 1e9,
     .help = "Energy of a beam from a side, along its normal; that of `temperature` is "
             "added to it, as if a Maxwellian had been accelerated by it."},
    {.key = SOURCES("pair"),
     .type = WN_KEY_STRING,
     .flags = PLASMA,
     OAT(pair),
     .def_text = "none",
     .help = "Species of which a particle is created at the same place and time as each "
             "particle of a source in a region, with the opposite charge and the same "
             "weight: ionization at a given rate."},
    {.key = SOURCES("pair_temperature"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_KT,
     .flags = PLASMA,
     OAT(pair_ev),
     .def = "0",
     .max = 1e9,
     .help = "Temperature of the particles of `pair`, kT or in K."},
    {.key = SOURCES("low"),
     .type = WN_KEY_VECTOR,
     .unit = WN_UNIT_LENGTH,
     .flags = PLASMA | WN_KEY_PER_AXIS,
     OAT(low),
     .n = 3,
     .def = "\"auto\"",
     .automatic = "auto",
     .max = LONGEST,
     .help = "Lower end of the region of a source without `wall` along each axis.  auto: "
             "that of the domain."},
    {.key = SOURCES("high"),
     .type = WN_KEY_VECTOR,
     .unit = WN_UNIT_LENGTH,
     .flags = PLASMA | WN_KEY_PER_AXIS,
     OAT(high),
     .n = 3,
     .def = "\"auto\"",
     .automatic = "auto",
     .max = LONGEST,
     .help = "Upper end of the region along each axis.  auto: that of the domain."},
    {.key = SOURCES("profile"),
     .type = WN_KEY_WORD,
     .flags = PLASMA,
     OAT(profile),
     .def = "\"uniform\"",
     .words = source_words,
     .help = "Profile of a source in a region.  uniform: the same rate everywhere.  "
             "cosine: along each axis half a wave of a cosine, 0 at the ends of the "
             "region."},
    {.key = SOURCES("start"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_TIME,
     .flags = PLASMA,
     OAT(start),
     .def = "0",
     .max = 1e3,
     .help = "Time at which the source is switched on."},
    {.key = SOURCES("end"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_TIME,
     .flags = PLASMA,
     OAT(end),
     .def = "\"none\"",
     .automatic = "none",
     .max = 1e3,
     .help = "Time at which the source is switched off.  none: it stays on."},
    {.key = SOURCES("per_step"),
     .type = WN_KEY_QUANTITY,
     .flags = PLASMA | WN_KEY_ABOVE_MIN,
     OAT(per_step),
     .def = "\"auto\"",
     .def_text = "auto: 20 if the species has density 0 and no other source gives it, "
                 "else by the weight of the species",
     .automatic = "auto",
     .max = 1e9,
     .help = "Macroparticles of a source in a step, on average, for a species of density "
             "0: this determines their weight.  The number up to any time is the rate "
             "times the time to within one."},
    {.key = THERMOSTATS("species"),
     .type = WN_KEY_STRING,
     .flags = PLASMA,
     TAT(species),
     .def_text = "the only mobile species",
     .help = "Species of a thermostat, which gives its particles in a region new "
             "velocities at random times: those of a Maxwellian.  What their energies "
             "change by is in no sum.  Not on a GPU."},
    {.key = THERMOSTATS("temperature"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_KT,
     .flags = PLASMA | WN_KEY_REQUIRED,
     TAT(temperature_ev),
     .max = 1e9,
     .help = "Temperature of the new velocities, kT or in K."},
    {.key = THERMOSTATS("time"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_TIME,
     .flags = PLASMA | WN_KEY_REQUIRED | WN_KEY_ABOVE_MIN,
     TAT(time),
     .max = 1e3,
     .help =
         "Mean time between two new velocities of a particle: in a step of dt it gets "
         "one with the probability 1 - exp(-dt/time)."},
    {.key = THERMOSTATS("low"),
     .type = WN_KEY_VECTOR,
     .unit = WN_UNIT_LENGTH,
     .flags = PLASMA | WN_KEY_PER_AXIS,
     TAT(low),
     .n = 3,
     .def = "\"auto\"",
     .automatic = "auto",
     .max = LONGEST,
     .help =
         "Lower end of the region of a thermostat along each axis.  auto: that of the "
         "domain."},
    {.key = THERMOSTATS("high"),
     .type = WN_KEY_VECTOR,
     .unit = WN_UNIT_LENGTH,
     .flags = PLASMA | WN_KEY_PER_AXIS,
     TAT(high),
     .n = 3,
     .def = "\"auto\"",
     .automatic = "auto",
     .max = LONGEST,
     .help = "Upper end of the region along each axis.  auto: that of the domain."},
    {.key = REACTIONS("reactants"),
     .type = WN_KEY_STRINGS,
     .flags = PLASMA | WN_KEY_REQUIRED,
     RAT(reactants),
     .n_offset = offsetof(struct wn_cfg_reaction, n_reactants),
     .help =
         "Species of a particle that reacts by itself or with the gas, as in "
         "[\"anions\"], or of two that react with each other in a cell, as in "
         "[\"electrons\", \"ions\"]; each event removes one particle of each.  The same "
         "name twice: two particles of one species.  Not on a GPU.  doc/plasma.md."},
    {.key = REACTIONS("products"),
     .type = WN_KEY_STRINGS,
     .flags = PLASMA,
     RAT(products),
     .n_offset = offsetof(struct wn_cfg_reaction, n_products),
     .def = "[]",
     .help =
         "Species of the particles that each event creates at the place of the first "
         "reactant: up to two, and none for recombination.  The sum of the charges "
         "is that of the reactants.  Macroparticles of all species of a reaction have "
         "the same weight, density / per_cell; a density of 0 means that there are "
         "none at time 0."},
    {.key = REACTIONS("rate"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_RATE,
     .flags = PLASMA,
     RAT(rate),
     .def = "\"none\"",
     .automatic = "none",
     .max = 1e20,
     .help = "Rate of a reaction of one particle: it reacts in a time t with the "
             "probability 1 - exp(-rate t).  none: `rate_constant` is used."},
    {.key = REACTIONS("rate_constant"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_CONSTANT,
     .flags = PLASMA,
     RAT(rate_constant),
     .def = "\"none\"",
     .automatic = "none",
     .max = 1,
     .help =
         "Rate constant k.  Of two reactants: k n1 n2 events per volume and time, k n^2 "
         "if both are of one species, of which each event takes two.  Of one "
         "reactant: its rate is k times the density of `component`, or `density`."},
    {.key = REACTIONS("exponent"),
     .type = WN_KEY_QUANTITY,
     .flags = PLASMA,
     RAT(exponent),
     .def = "0.0",
     .min = -10,
     .max = 10,
     .help =
         "Of two reactants: the rate constant is multiplied by (T/T0)^exponent, T the "
         "temperature of the first reactant in a cell, about its mean velocity, T0 "
         "`reference`: -0.7 for dissociative recombination of electrons that falls "
         "as T^-0.7."},
    {.key = REACTIONS("reference"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_KT,
     .flags = PLASMA | WN_KEY_ABOVE_MIN,
     RAT(reference_ev),
     .def = "\"300 K\"",
     .max = 1e4,
     .help = "Temperature T0 at which `rate_constant` holds, as an energy kT or in K."},
    {.key = REACTIONS("component"),
     .type = WN_KEY_STRING,
     .flags = PLASMA,
     RAT(component),
     .def_text = "none",
     .help = "Component of the gas (gas.components.<NAME>) whose density multiplies the "
             "rate constant of a reaction of one particle with the gas."},
    {.key = REACTIONS("density"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_DENSITY,
     .flags = PLASMA,
     RAT(density),
     .def = "\"none\"",
     .automatic = "none",
     .max = 1e31,
     .help = "The same for a partner that is no component: its constant density, such as "
             "that of excited molecules."},
    {.key = REACTIONS("temperature"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_KT,
     .flags = PLASMA,
     RAT(temperature_ev),
     .def = "\"300 K\"",
     .max = 1e4,
     .help =
         "Temperature of the products, as an energy kT or in K: each component of the "
         "velocity is normal with variance kT/m.  Velocities of the reactants are not "
         "passed on."},
    {.key = REACTIONS("energy"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_ENERGY,
     .flags = PLASMA,
     RAT(energy_ev),
     .def = "\"thermal\"",
     .automatic = "thermal",
     .max = 1e6,
     .help =
         "Kinetic energy of each electron among the products (lighter than 100 me), in "
         "a random direction.  thermal: by `temperature`."},
    {.key = FOLLOWED("sources"),
     .type = WN_KEY_STRINGS,
     .flags = PLASMA | WN_KEY_GAS | WN_KEY_REQUIRED,
     FAT(sources),
     .n_offset = offsetof(struct wn_cfg_followed, n_sources),
     .help =
         "Follows the density of the component <NAME> of the gas, such as a metastable "
         "state, as one number for the whole domain.  Each of these processes of "
         "electrons with other components makes one, by its name in the output "
         "(`process_name`), as in [\"Ar excitation Ar*\"]; each inelastic process of "
         "the component takes one.  Its processes happen in proportion to the density, "
         "up to that of gas.components.<NAME>.fraction, above which the run ends.  "
         "Not on a GPU.  doc/plasma.md."},
    {.key = FOLLOWED("density"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_DENSITY,
     .flags = PLASMA | WN_KEY_GAS,
     FAT(density),
     .def = "0",
     .max = 1e31,
     .help = "The density at time 0."},
    {.key = FOLLOWED("loss"),
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_RATE,
     .flags = PLASMA | WN_KEY_GAS,
     FAT(loss),
     .def = "0",
     .max = 1e20,
     .help =
         "Rate of losses in proportion to the density: quenching by the gas, diffusion "
         "to the walls, radiation."},
    {.key = COULOMB("species"),
     .type = WN_KEY_STRINGS,
     .flags = PLASMA | WN_KEY_REQUIRED,
     CAT(species),
     .n_offset = offsetof(struct wn_cfg_coulomb, n_species),
     .help =
         "Coulomb collisions between charged particles of the same cell: one species, "
         "whose particles collide with each other, [\"electrons\"], or two species, "
         "whose particles collide with those of the other, [\"electrons\", "
         "\"ions\"].  Not on a GPU, and not in a run divided among processes."},
    {.key = COULOMB("method"),
     .type = WN_KEY_WORD,
     .flags = PLASMA,
     CAT(method),
     .def = "\"nanbu\"",
     .words = coulomb_words,
     .help =
         "Method of Coulomb collisions.  takizuka-abe: many small angles, for short "
         "intervals.  nanbu: a cumulative angle, for intervals of any length.  perez: "
         "that of nanbu for relativistic particles, bounded in cold and dense plasmas."},
    {.key = COULOMB("logarithm"),
     .type = WN_KEY_QUANTITY,
     .flags = PLASMA | WN_KEY_ABOVE_MIN,
     CAT(logarithm),
     .def = "\"auto\"",
     .automatic = "auto",
     .max = 1000,
     .help = "Coulomb logarithm.  auto: in each cell from densities and temperatures of "
             "all species of `plasma.coulomb`, at least 2."},
    {.key = COULOMB("interval"),
     .type = WN_KEY_COUNT,
     .flags = PLASMA,
     CAT(interval),
     .def = "1",
     .min = 1,
     .max = 1e6,
     .help =
         "Steps from one collision of each particle to the next; each then stands for "
         "the collisions of that time."},
    {.key = COULOMB("conserve"),
     .type = WN_KEY_WORD,
     .flags = PLASMA,
     CAT(conserve),
     .def = "\"average\"",
     .words = conserve_words,
     .help =
         "Momentum and energy of particles of unequal weights; those of equal weights "
         "conserve both in each collision.  average: conserved on average.  cell: the "
         "sums of each cell are restored by a common shift and factor of its "
         "velocities."},
};

const size_t wn_config_plasma_rows =
    sizeof wn_config_plasma_keys / sizeof wn_config_plasma_keys[0];
