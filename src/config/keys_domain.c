/* src/config/keys_domain.c - the keys of the domain of model plasma and of what is in it: grid, walls, species;
 * after those of src/config/keys_run.c */
#include "src/config/keys.h"

#include "physics/constants.h"

static const char *const geometry_words[] = {"cartesian", "r-z", NULL};
static const char *const profile_words[] = {"uniform", "slab",  "gaussian", "annulus",
                                            "ring",    "sheet", "file",     NULL};
static const char *const weight_words[] = {"equal", "profile", NULL};
static const char *const loading_words[] = {"quiet", "random", NULL};
static const char *const collision_words[] = {"none", "gas", NULL};
static const char *const field_words[] = {"periodic", "dirichlet", "neumann", "open",
                                          NULL};
#define WORD(symbol, word, back) word,
static const char *const side_words[] = {WN_SIDE_KINDS(WORD) NULL};
#undef WORD
static const char *const law_words[] = {"cosine", "specular", NULL};
static const char *const number_words[] = {"nearest", "poisson", NULL};

#define N_WORDS(list) (sizeof(list) / sizeof *(list)-1)
_Static_assert(N_WORDS(geometry_words) == WN_N_GEOMETRIES, "a word per geometry");
_Static_assert(N_WORDS(profile_words) == WN_N_PROFILES, "a word per profile");
_Static_assert(N_WORDS(weight_words) == WN_N_WEIGHTS, "a word per kind of weights");
_Static_assert(N_WORDS(loading_words) == WN_N_LOADINGS, "a word per loading");
_Static_assert(N_WORDS(collision_words) == WN_N_COLLISIONS, "a word per kind");
_Static_assert(N_WORDS(field_words) == WN_N_POTENTIALS, "a word per kind of side");
_Static_assert(N_WORDS(side_words) == WN_N_SIDE_KINDS, "a word per kind of side");
_Static_assert(N_WORDS(law_words) == WN_N_LAWS, "a word per law");
_Static_assert(N_WORDS(number_words) == WN_N_NUMBERS, "a word per way to draw a number");

#define SAT(field)                                                                       \
  .named = &wn_config_species, .offset = offsetof(struct wn_cfg_species, field)
#define WAT(field)                                                                       \
  .named = &wn_config_walls, .offset = offsetof(struct wn_cfg_wall, field)
#define SPECIES(name) "species." WN_KEY_NAME "." name
#define WALLS(name)   "walls." WN_KEY_NAME "." name

/* m: light takes some seconds */
#define LONGEST 1e9

const struct wn_key wn_config_domain_keys[] = {
    {KEY("grid.cells", COUNTS, PLASMA | WN_KEY_REQUIRED | WN_KEY_PER_AXIS),
     AT(plasma.cells), .n = 3, .min = 2, .max = 16777216,
     .help = "Cells along each axis of the grid: [64] is a grid of one dimension, [64, "
             "64] of two, [64, 64, 64] of three.  At most 32768 along an axis in two and "
             "three dimensions."},
    {KEY("grid.length", VECTOR,
         PLASMA | WN_KEY_REQUIRED | WN_KEY_PER_AXIS | WN_KEY_ABOVE_MIN),
     .unit = WN_UNIT_LENGTH, AT(plasma.length), .n = 3, .max = LONGEST,
     .help = "Length of the domain along each axis of the grid, as many as `grid.cells` "
             "has.  The domain begins at 0."},
    {KEY("grid.geometry", WORD, PLASMA), AT(plasma.geometry), .def = "\"cartesian\"",
     .words = geometry_words,
     .help = "Coordinates of the grid.  cartesian: x, y and z.  r-z: of two dimensions, "
             "the first (x) the distance r from an axis of symmetry at its low side, the "
             "second (y) the place z along it; particles move in three dimensions.  See "
             "doc/rz.md."},
    {KEY(WALLS("field"), WORD, PLASMA), WAT(field), .def = "\"periodic\"",
     .words = field_words,
     .help =
         "Boundary condition of the potential at a side of the domain; <NAME> is x_low, "
         "x_high, y_low, y_high, z_low or z_high, and a side that is not given is "
         "periodic.  periodic: as at the other side of the axis.  dirichlet: a metal "
         "wall with the potential `voltage`.  neumann: no field along the normal, a "
         "plane of symmetry.  open: free space, at all sides or none; in r-z at x_high "
         "alone."},
    {KEY(WALLS("particles"), WORD, PLASMA), WAT(particles), .def = "\"periodic\"",
     .def_text = "from `field`: periodic; absorb for dirichlet, reflect for neumann, "
                 "open for open",
     .words = side_words,
     .help = "Boundary condition of particles at a side of the domain.  periodic: they "
             "enter at the other side; if and only if the field is periodic.  absorb: "
             "they are removed and counted.  reflect: specular reflection.  open: they "
             "leave and are counted."},
    {QUANTITY(WALLS("voltage"), VOLTAGE, PLASMA), WAT(voltage), .def = "0", .min = -1e9,
     .max = 1e9,
     .help =
         "Potential of a dirichlet side: its constant part, to which `amplitude` adds "
         "a sine."},
    {QUANTITY(WALLS("amplitude"), VOLTAGE, PLASMA), WAT(amplitude), .def = "0",
     .min = -1e9, .max = 1e9,
     .help = "Amplitude of the sinusoidal part of the potential of a dirichlet side, "
             "amplitude sin(2 pi frequency t + phase)."},
    {QUANTITY(WALLS("frequency"), FREQUENCY, PLASMA), WAT(frequency), .def = "0",
     .max = 1e18,
     .help = "Frequency of the sinusoidal part of the potential of a dirichlet side."},
    {QUANTITY(WALLS("phase"), ANGLE, PLASMA), WAT(phase), .def = "0",
     .min = -2 * WN_PI * (1 + 1e-15),
     .max = 2 * WN_PI * (1 + 1e-15), /* so that 360 deg is allowed */
     .help = "Phase at time 0 of the sinusoidal part of the potential of a dirichlet "
             "side; 90 deg makes the sine a cosine."},
    {KEY(WALLS("harmonics"), VECTOR, PLASMA), .unit = WN_UNIT_VOLTAGE, WAT(harmonics),
     .n = WN_HARMONICS, .def = "[\"0\", \"0\", \"0\"]", .min = -1e9, .max = 1e9,
     .help = "Amplitudes of the second, third and fourth harmonic of `frequency` in the "
             "potential of a dirichlet side, beside `amplitude`: each adds a sine with "
             "its own phase, `harmonic_phases`."},
    {KEY(WALLS("harmonic_phases"), VECTOR, PLASMA), .unit = WN_UNIT_ANGLE,
     WAT(harmonic_phases), .n = WN_HARMONICS, .def = "[\"0\", \"0\", \"0\"]",
     .min = -2 * WN_PI * (1 + 1e-15), .max = 2 * WN_PI * (1 + 1e-15),
     .help = "Phases at time 0 of the second, third and fourth harmonic; 90 deg makes a "
             "sine a cosine."},
    {QUANTITY(WALLS("pulse_start"), TIME, PLASMA), WAT(pulse_start), .def = "\"none\"",
     .automatic = "none", .max = 1e3,
     .help = "Time at which the potential of a dirichlet side is switched on; it is 0 "
             "before.  none: it is on from the beginning."},
    {QUANTITY(WALLS("pulse_end"), TIME, PLASMA), WAT(pulse_end), .def = "\"none\"",
     .automatic = "none", .max = 1e3,
     .help = "Time at which the potential of a dirichlet side is switched off and is 0 "
             "again.  none: it stays on."},
    {QUANTITY(WALLS("capacitance"), CAPACITANCE, PLASMA), WAT(capacitance),
     .def = "\"none\"", .automatic = "none", .max = 1e6,
     .help =
         "Blocking capacitor between the voltage of a dirichlet side and the wall, per "
         "area of the wall; in one dimension.  none: there is none.  0: a floating wall, "
         "to which nothing is connected; not both.  Its charge is 0 at the start."},
    {QUANTITY(WALLS("resistance"), RESISTANCE, PLASMA), WAT(resistance), .def = "0",
     .max = 1e12,
     .help = "Resistor in series between the voltage of a dirichlet side and the wall, "
             "times the area of the wall; in one dimension.  0: there is none."},
    {QUANTITY(WALLS("inductance"), INDUCTANCE, PLASMA), WAT(inductance), .def = "0",
     .max = 1e6,
     .help =
         "Inductor in series between the voltage of a dirichlet side and the wall, times "
         "the area of the wall; in one dimension.  0: there is none.  Its current is 0 "
         "at the start."},
    {QUANTITY(WALLS("dielectric_thickness"), LENGTH, PLASMA), WAT(dielectric_thickness),
     .def = "0", .max = 1,
     .help = "Thickness of a dielectric on the metal of a dirichlet side, in one "
             "dimension: the charge of absorbed particles stays on its face, and the "
             "side of the domain is this face.  0: there is none."},
    {KEY(WALLS("dielectric_permittivity"), QUANTITY, PLASMA), WAT(permittivity),
     .def = "1", .min = 1, .max = 1e6,
     .help = "Relative permittivity of the dielectric on a side."},
    {KEY(WALLS("yield"), QUANTITY, PLASMA), WAT(yield), .def = "0", .max = 100,
     .help =
         "Secondary electrons emitted from an absorbing side, on average, for each "
         "positive ion that is absorbed there (on a GPU of a species with collisions).  "
         "They join the species of electrons with collisions or, where none has, that of "
         "charge -1 and mass 1 me; there must be exactly one."},
    {QUANTITY(WALLS("emission_temperature"), KT, PLASMA), WAT(emission_ev),
     .def = "\"2 eV\"", .max = 1e4,
     .help = "Temperature of secondary electrons, kT or in K: their velocities are those "
             "of the flux of a Maxwellian into the domain, with a mean energy of 2 kT.  "
             "0: they leave at rest.  Of those by ions (`yield`) and by electrons "
             "(`electron_yield`)."},
    {KEY(WALLS("electron_reflection"), QUANTITY, PLASMA), WAT(electron_reflection),
     .def = "0", .max = 1,
     .help =
         "Probability that an absorbing side reflects an electron elastically: it leaves "
         "with its energy, in a direction by `electron_reflection_law`.  Of all species "
         "of charge -1 and mass 1 me, with collisions or without.  Not on a GPU."},
    {KEY(WALLS("electron_reflection_law"), WORD, PLASMA), WAT(reflection_law),
     .def = "\"cosine\"", .words = law_words,
     .help =
         "Directions of reflected electrons.  cosine: by the cosine law, whatever the "
         "direction of incidence.  specular: as of a mirror."},
    {KEY(WALLS("electron_backscattering"), QUANTITY, PLASMA),
     WAT(electron_backscattering), .def = "0", .max = 1,
     .help =
         "Probability that an absorbing side scatters an electron back inelastically: "
         "with an energy uniform between 0 and its own, by the cosine law.  Not both "
         "this and a reflection happen.  Not on a GPU."},
    {KEY(WALLS("electron_yield"), QUANTITY, PLASMA), WAT(electron_yield), .def = "0",
     .max = 100,
     .help =
         "True secondary electrons that an absorbing side releases, on average, for each "
         "incident electron, beside those reflected and scattered back.  A constant, or, "
         "with `electron_yield_energy`, the maximum at normal incidence of Vaughan's "
         "formula for energy and angle.  They have `emission_temperature` and the weight "
         "of the incident electron.  Not on a GPU."},
    {QUANTITY(WALLS("electron_yield_energy"), ENERGY, PLASMA | WN_KEY_ABOVE_MIN),
     WAT(yield_energy_ev), .def = "\"none\"", .automatic = "none", .max = 1e6,
     .help = "Energy of normal incidence at which `electron_yield` is reached, Emax0 of "
             "Vaughan's formula, such as 300 eV.  none: the yield is the same "
             "at all energies and angles."},
    {QUANTITY(WALLS("electron_yield_threshold"), ENERGY, PLASMA), WAT(yield_threshold_ev),
     .def = "\"12.5 eV\"", .max = 1e6,
     .help = "Energy up to which no true secondaries are released, E0 of Vaughan's "
             "formula."},
    {KEY(WALLS("electron_yield_smoothness"), QUANTITY, PLASMA), WAT(yield_smoothness),
     .def = "1.0", .max = 2,
     .help =
         "Smoothness ks of Vaughan's formula, by which yield and energy of its maximum "
         "rise with the angle of incidence: 0 for rough surfaces, 1 for typical ones, "
         "2 for polished ones."},
    {KEY(WALLS("electron_yield_number"), WORD, PLASMA), WAT(electron_number),
     .def = "\"nearest\"", .words = number_words,
     .help = "How the number of true secondaries of one electron is drawn.  nearest: one "
             "of the two integers beside the mean.  poisson: by Poisson's law with this "
             "mean, with more scatter."},
    {KEY(SPECIES("charge"), QUANTITY, PLASMA), SAT(charge), .def = "-1.0", .min = -1000,
     .max = 1000,
     .help = "Charge of a particle of this species in elementary charges: -1 for an "
             "electron."},
    {QUANTITY(SPECIES("mass"), MASS, PLASMA | WN_KEY_ABOVE_MIN), SAT(mass),
     .def = "\"1 me\"", .max = 1e-20, .help = "Mass of a particle of this species."},
    {KEY(SPECIES("mobile"), BOOL, PLASMA), SAT(mobile), .def = "true",
     .help =
         "Whether the particles of this species move.  false: they are a fixed charge."},
    {KEY(SPECIES("profile"), WORD, PLASMA), SAT(profile), .def = "\"uniform\"",
     .words = profile_words,
     .help =
         "Spatial profile of the particles at time 0.  uniform: constant density.  "
         "slab: in a box of `width` around `centre`.  gaussian: exp(-sum of ((x - "
         "centre)/width)^2 / 2).  annulus: between the two of `radius` around "
         "`centre`, in x and y.  ring: exp(-((r - crest)/spread)^2 / 2), r the distance "
         "from `centre` in x and y, with the two lengths of `ring`.  sheet: product of "
         "1/cosh((x - centre)/width)^2.  "
         "file: positions and velocities from `file`."},
    {QUANTITY(SPECIES("density"), DENSITY, PLASMA | WN_KEY_REQUIRED), SAT(density),
     .max = 1e31,
     .help = "Particles of this species per volume, at the maximum of the profile, "
             "without the perturbation.  0 is allowed if `mobile` is false, and for ions "
             "that another species produces or particles of `plasma.sources`.  With "
             "`per_cell` or `macroparticles` it determines the number "
             "of particles that a macroparticle stands for, also for those from a file."},
    {KEY(SPECIES("per_cell"), COUNT, PLASMA), SAT(per_cell), .def = "100", .max = 1e9,
     .help = "Macroparticles in a cell at the maximum of the density.  Statistical "
             "errors fall as one over its square root."},
    {KEY(SPECIES("macroparticles"), COUNT, PLASMA), SAT(macroparticles), .def = "0",
     .max = 1e12,
     .help = "Macroparticles of this species in the domain at time 0, in place of "
             "`per_cell`, of which there may be a fraction then; 0: by `per_cell`."},
    {KEY(SPECIES("loading"), WORD, PLASMA), SAT(loading), .def = "\"quiet\"",
     .words = loading_words,
     .help = "Loading of positions and velocities.  quiet: a quiet start, evenly spaced, "
             "with little initial noise.  random: independent random numbers."},
    {KEY(SPECIES("weights"), WORD, PLASMA), SAT(weights), .def = "\"equal\"",
     .words = weight_words,
     .help = "How the density follows the profile sheet.  equal: by the number of "
             "particles, of one weight.  profile: by the weights of particles that are "
             "as many in each cell, `per_cell`; with three velocity components in two "
             "or three dimensions, whose records have a weight."},
    {QUANTITY(SPECIES("temperature"), KT, PLASMA), SAT(temperature_ev), .def = "0",
     .max = 1e9,
     .help =
         "Temperature of this species, as an energy kT or in K: each component of the "
         "velocity is normal with variance kT/m.  0: a cold beam."},
    {QUANTITY(SPECIES("thermal_speed"), VELOCITY, PLASMA), SAT(thermal_speed),
     .def = "\"auto\"", .automatic = "auto", .max = WN_C,
     .help = "The temperature as the standard deviation of a component of the velocity, "
             "sqrt(kT/m), such as \"0.045 c\".  auto: by `temperature`."},
    {KEY(SPECIES("drift"), VECTOR, PLASMA), .unit = WN_UNIT_VELOCITY, SAT(drift), .n = 3,
     .def = "[\"0\", \"0\", \"0\"]", .min = -WN_C, .max = WN_C,
     .help = "Velocity added to that of each particle: along x, y and z."},
    {KEY(SPECIES("centre"), VECTOR, PLASMA | WN_KEY_PER_AXIS), .unit = WN_UNIT_LENGTH,
     SAT(centre), .n = 3, .def = "\"auto\"", .automatic = "auto", .max = LONGEST,
     .help = "Centre of the profiles slab, gaussian, annulus, ring and sheet.  auto: the "
             "middle of "
             "the domain, for all axes or for one."},
    {KEY(SPECIES("width"), VECTOR, PLASMA | WN_KEY_PER_AXIS | WN_KEY_ABOVE_MIN),
     .unit = WN_UNIT_LENGTH, SAT(width), .n = 3, .def = "\"none\"", .automatic = "none",
     .max = LONGEST,
     .help = "Width of the profiles slab, from side to side, gaussian, the standard "
             "deviation, and sheet.  none: the profile is constant along that axis."},
    {KEY(SPECIES("radius"), VECTOR, PLASMA), .unit = WN_UNIT_LENGTH, SAT(radius), .n = 2,
     .def = "[\"0\", \"0\"]", .max = LONGEST,
     .help = "Inner and outer radius of the profile annulus, in x and y."},
    {KEY(SPECIES("ring"), VECTOR, PLASMA), .unit = WN_UNIT_LENGTH, SAT(ring), .n = 2,
     .def = "[\"0\", \"0\"]", .max = LONGEST,
     .help =
         "The profile ring in x and y: the radius of its crest, where the density is "
         "greatest, and its spread, the standard deviation.  It ends six spreads from "
         "the crest, and must be in the domain."},
    {KEY(SPECIES("amplitude"), QUANTITY, PLASMA), SAT(amplitude), .def = "0.0", .max = 1,
     .help =
         "Amplitude, below 1, of a perturbation of the density of the profiles "
         "uniform, annulus and ring.  The density has the factor 1 + amplitude cos(2 pi "
         "sum of mode x / length + phase), that of the other two 1 + amplitude cos(mode "
         "angle + phase), with the first number of `mode`."},
    {QUANTITY(SPECIES("phase"), ANGLE, PLASMA), SAT(phase), .def = "0",
     .min = -2 * WN_PI * (1 + 1e-15), .max = 2 * WN_PI * (1 + 1e-15),
     .help = "Phase of the perturbation of the density; -90 deg makes the cosine a "
             "sine."},
    {KEY(SPECIES("mode"), INTEGERS, PLASMA | WN_KEY_PER_AXIS), SAT(mode), .n = 3,
     .def = "0", .min = -8388608, .max = 8388608,
     .help = "Wavelengths of the density perturbation in the length of the domain, along "
             "each axis of the grid: at most half the number of cells."},
    {KEY(SPECIES("file"), FILE, PLASMA), SAT(file),
     .n_offset = offsetof(struct wn_cfg_species, path), .def_text = "none",
     .help = "netCDF file for profile file, with variables position(particle, axis) in m "
             "and velocity(particle, component) in m/s, and perhaps weight(particle) "
             "(doc/plasma.md), searched beside the scenario file and then in the working "
             "folder."},
    {KEY(SPECIES("collisions"), WORD, PLASMA), SAT(collisions), .def = "\"none\"",
     .words = collision_words,
     .help =
         "Collisions of the particles.  none: no collisions.  gas: electrons that "
         "collide with the gas of the scenario, as in model mcc (`gas`, `scattering`, "
         "`sharing`, `tables`); or ions of charge 1 or -1, heavier than 100 me, with "
         "isotropic and backward scattering (charge exchange) by its atoms."},
    {KEY(SPECIES("ion"), STRING, PLASMA), SAT(ion),
     .def_text = "in a gas of one component its target with + or -, such as \"Ar+\"",
     .help = "Name of these ions in files of cross sections, for ions with collisions.  "
             "Each component of the gas needs the set \"ION / TARGET\", such as \"Ar+ / "
             "Ar\"; `wilson xs FILE` lists the sets of a file."},
    {KEY(SPECIES("cross_sections"), FILE, PLASMA), SAT(cross_sections),
     .n_offset = offsetof(struct wn_cfg_species, xs_path),
     .def_text = "that of the component of the gas",
     .help = "Cross sections of these ions: an LXCat text file, searched beside the "
             "scenario file and then in the working folder, or builtin:argon.  Above the "
             "ends of its tables `gas.components.<NAME>.beyond` applies."},
    {KEY(SPECIES("subcycling"), COUNT, PLASMA), SAT(subcycling), .def = "1", .min = 1,
     .max = 1e6,
     .help =
         "Subcycling of ions with collisions: they move only in every n-th step of the "
         "plasma, by n steps at once, in the field at the middle of the n; between, "
         "their charge is fixed.  The limits of `plasma.allow` apply to their n steps."},
    {KEY(SPECIES("ions"), STRING, PLASMA), SAT(ions), .def_text = "none",
     .help = "Name of the species to which each ionization by these electrons adds an "
             "ion, at its position, with a thermal velocity of the gas.  Its charge is "
             "1; it may have collisions or not, and be mobile or not.  Needed if the gas "
             "can be ionized.  Macroparticles of both species have the same weight; a "
             "density of 0 means that there are no ions at time 0."},
    {KEY(SPECIES("anions"), STRING, PLASMA), SAT(anions), .def_text = "none",
     .help =
         "Name of the species to which each attachment of these electrons adds a "
         "negative ion, as `ions`, with charge -1.  Needed if the gas has attachment."},
};

const size_t wn_config_domain_rows =
    sizeof wn_config_domain_keys / sizeof wn_config_domain_keys[0];
