/* src/config/keys_plasma.c - the keys of the group plasma, its field, movers, maps, averages and distributions; after those of
 * src/config/keys_domain.c */
#include "src/config/keys.h"

#include "fields/sparse/components.h"
#include "physics/constants.h"

static const char *const shape_words[] = {"ngp", "cic", "tsc", NULL};
static const char *const gather_words[] = {"momentum", "energy", NULL};
static const char *const solver_words[] = {"differences", "spectral", "multigrid", NULL};
static const char *const combined_words[] = {"nodes", "particle", NULL};
static const char *const method_words[] = {"electrostatic", "sparse", "nodes", NULL};
#define WORD(symbol, word, ...) word,
static const char *const formula_words[] = {WN_NODAL_FORMULAS(WORD) NULL};
static const char *const mover_words[] = {WN_NODAL_MOVERS(WORD) NULL};
#undef WORD
static const char *const between_words[] = {"steps", "linear", NULL};
static const char *const allow_words[] = {"plasma-frequency", "cell-crossing",
                                          "debye-length", NULL};

#define N_WORDS(list) (sizeof(list) / sizeof *(list)-1)
_Static_assert(N_WORDS(shape_words) == WN_N_SHAPES, "a word per shape");
_Static_assert(N_WORDS(gather_words) == WN_GATHER_NESTED,
               "a word per gather on the grid");
_Static_assert(N_WORDS(solver_words) == WN_N_POISSON, "a word per method");
_Static_assert(N_WORDS(combined_words) == WN_N_SPARSE_COMBINED, "a word per place");
_Static_assert(N_WORDS(method_words) == WN_N_FIELDS, "a word per field");
_Static_assert(N_WORDS(formula_words) == WN_N_FORMULAS, "a word per formula");
_Static_assert(N_WORDS(mover_words) == WN_N_NODAL_MOVERS, "a word per mover");
_Static_assert(WN_ALLOW_PLASMA_FREQUENCY == 1u << 0 &&
                   WN_ALLOW_CELL_CROSSING == 1u << 1 && WN_ALLOW_DEBYE_LENGTH == 1u << 2,
               "bits in the order of the words");

#define VAT(field)                                                                       \
  .named = &wn_config_averages, .offset = offsetof(struct wn_cfg_average, field)
#define DAT(field)                                                                       \
  .named = &wn_config_distributions, .offset = offsetof(struct wn_cfg_distribution, field)
#define DISTRIBUTIONS(name) "plasma.distributions." WN_KEY_NAME "." name
#define AVERAGES(name)      "plasma.averages." WN_KEY_NAME "." name

/* m: light takes some seconds */
#define LONGEST 1e9

const struct wn_key wn_config_plasma_keys[] = {
    {QUANTITY("plasma.time_step", TIME, PLASMA | WN_KEY_REQUIRED | WN_KEY_ABOVE_MIN),
     AT(plasma.time_step), .max = 1,
     .help = "Time between two solutions of the field.  The plasma frequency times this "
             "must be below 2, and a particle at five thermal speeds may not cross more "
             "than a cell; see `plasma.allow`."},
    {QUANTITY("plasma.adaptive.least", TIME, PLASMA | WN_KEY_ABOVE_MIN),
     AT(plasma.adaptive.least), .def = "\"off\"", .automatic = "off", .max = 1,
     .help =
         "Switches adaptive steps on, and is the shortest of them (doc/steps.md).  The "
         "longest is `plasma.time_step`, by which outputs are counted; the others are "
         "its parts 1/2, 1/4 and so on.  A run that needs a step below this ends with "
         "a message.  At least 1/1024 of `plasma.time_step`."},
    {KEY("plasma.adaptive.cells", QUANTITY, PLASMA | WN_KEY_ABOVE_MIN),
     AT(plasma.adaptive.cells), .def = "0.5", .automatic = "off", .max = 1,
     .help = "Cells that a particle crosses in an adaptive step, at most, for the part "
             "`plasma.adaptive.quantile` of each species.  off: no such condition."},
    {KEY("plasma.adaptive.quantile", QUANTITY, PLASMA | WN_KEY_ABOVE_MIN),
     AT(plasma.adaptive.quantile), .def = "0.9", .max = 1,
     .help = "Part of the macroparticles of each species that `plasma.adaptive.cells` "
             "holds for; 1: all of them."},
    {KEY("plasma.adaptive.growth", QUANTITY, PLASMA | WN_KEY_ABOVE_MIN),
     AT(plasma.adaptive.growth), .def = "0.2", .automatic = "off", .max = 10,
     .help = "New electrons in an adaptive step by ionization and photoionization, as a "
             "part of those that are there, at most.  off: no such condition."},
    {KEY("plasma.adaptive.relaxation", QUANTITY, PLASMA | WN_KEY_ABOVE_MIN),
     AT(plasma.adaptive.relaxation), .def = "0.5", .automatic = "off", .max = 2,
     .help =
         "An adaptive step over the time in which the densest plasma relaxes, at most: "
         "eps0 / (e n mu) with collisions, but at least 1 / omega_p, and that without.  "
         "No "
         "step is longer than 1.5 / omega_p, unless `plasma.allow` has plasma-frequency. "
         " "
         "off: no such conditions."},
    {KEY("plasma.mobility_steps", COUNT, PLASMA), AT(plasma.mobility_steps), .def = "1",
     .min = 1, .max = 1e6,
     .help = "Mobility steps of species with collisions in one `plasma.time_step`: for "
             "each an electron gathers the field again, at its position in the middle of "
             "the mobility step.  A mobility step has any number of collisions."},
    {KEY("plasma.velocities", INT, PLASMA), AT(plasma.velocities), .def = "\"auto\"",
     .automatic = "auto", .min = 2, .max = 3,
     .help = "Velocity components of a particle: 2, in two dimensions only, or 3.  auto: "
             "the number of axes of the grid, but 3 in one dimension and if a species "
             "has collisions."},
    {KEY("plasma.shape", WORD, PLASMA), AT(plasma.shape), .def = "\"cic\"",
     .words = shape_words,
     .help = "Particle shape of the charge deposit.  ngp: nearest grid point.  cic: "
             "cloud in cell, linear.  tsc: quadratic spline, smoother and slower."},
    {KEY("plasma.gather", WORD, PLASMA), AT(plasma.gather), .def = "\"momentum\"",
     .words = gather_words,
     .help = "Gather of the field at a particle.  momentum: momentum conserving, with "
             "the shape of the deposit, so that a particle exerts no force on itself.  "
             "energy: energy conserving, as minus the gradient of the potential; not "
             "with shape ngp."},
    {KEY("plasma.solver", WORD, PLASMA), AT(plasma.solver), .def = "\"differences\"",
     .words = solver_words,
     .help = "Solver of Poisson's equation.  differences: the three-point operator along "
             "each axis, of second order.  spectral: the exact operator of the modes.  "
             "multigrid: the operator of differences by multigrid, with iterations to "
             "1e-12 of the charge; two or three axes, no open sides."},
    {KEY("plasma.field", WORD, PLASMA), AT(plasma.field), .def = "\"electrostatic\"",
     .words = method_words,
     .help =
         "Field of the particles' charge.  electrostatic: on the grid.  sparse: by the "
         "combination technique (doc/sparse.md), with less noise from as many "
         "particles; two or three dimensions, as many cells along each axis, a power "
         "of 2 from 8 to 1024, shape cic, gather momentum, no open sides.  nodes: none; "
         "E and B are given at the nodes (doc/implicit.md), by `plasma.nodes`, and "
         "particles move by `plasma.mover`."},
    {KEY("plasma.sparse.least_level", COUNT, PLASMA), AT(plasma.sparse_least), .def = "1",
     .min = 1, .max = WN_SPARSE_LEVELS,
     .help =
         "Smallest level l of the component grids of field sparse, which have 2^l cells "
         "along an axis, at most that of the grid.  A larger one truncates the "
         "combination: more noise, and less error where structures follow no axis."},
    {KEY("plasma.sparse.offset", COUNT, PLASMA), AT(plasma.sparse_offset), .def = "0",
     .max = 2 * WN_SPARSE_LEVELS,
     .help =
         "Levels of a component grid add up to that of the grid and this at most, for "
         "field sparse.  0: (axes - 1) times plasma.sparse.least_level; more than "
         "that adds grids that are fine along several axes."},
    {KEY("plasma.sparse.combine", WORD, PLASMA), AT(plasma.sparse_combine),
     .def = "\"nodes\"", .words = combined_words,
     .help =
         "Where field sparse adds up E of its component grids.  nodes: at the nodes of "
         "the grid, from where particles gather it.  particle: at each particle, so that "
         "no array of the run has as many nodes as the grid; the same function, with "
         "other rounding."},
    {KEY("plasma.nodes.formula", WORD, PLASMA), AT(plasma.nodes.by.formula),
     .def = "\"uniform\"", .words = formula_words,
     .help =
         "E and B of field nodes, without a file.  uniform: "
         "`plasma.nodes.electric_field` "
         "and `plasma.magnetic_field`.  harris: a current sheet besides, Bx = "
         "`sheet_field` tanh((y - Ly/2)/`sheet_thickness`), with perturbations; two or "
         "three dimensions."},
    {KEY("plasma.nodes.file", FILE, PLASMA), AT(plasma.nodes.file),
     N_AT(plasma.nodes.path), .def_text = "none: a formula",
     .help = "netCDF file with E and B of field nodes (doc/implicit.md): variables "
             "electric_field_x to _z in V/m and magnetic_field_x to _z in T, with "
             "dimensions (time,) z, y, x of the nodes of the grid; searched beside the "
             "scenario file and then in the working folder."},
    {KEY("plasma.nodes.between_times", WORD, PLASMA), AT(plasma.nodes.between),
     .def = "\"steps\"", .words = between_words,
     .help = "E and B between the times of a file.  steps: those of the last time that "
             "has come at the middle of the step.  linear: linear in time.  Before the "
             "first and after the last time they are constant."},
    {KEY("plasma.nodes.electric_field", VECTOR, PLASMA), .unit = WN_UNIT_FIELD,
     AT(plasma.nodes.by.e), .n = 3, .def = "[\"0\", \"0\", \"0\"]", .min = -1e15,
     .max = 1e15, .help = "A uniform electric field of field nodes: along x, y and z."},
    {QUANTITY("plasma.nodes.sheet_field", MAGNETIC, PLASMA), AT(plasma.nodes.by.b0),
     .def = "0", .min = -1e5, .max = 1e5,
     .help = "B0 of formula harris, the field far from the sheet."},
    {QUANTITY("plasma.nodes.sheet_thickness", LENGTH, PLASMA | WN_KEY_ABOVE_MIN),
     AT(plasma.nodes.by.thickness), .def = "\"none\"", .automatic = "none",
     .max = LONGEST, .help = "Thickness of the sheet of formula harris."},
    {KEY("plasma.nodes.perturbation", QUANTITY, PLASMA), AT(plasma.nodes.by.amplitude),
     .def = "0.0", .min = -1e3, .max = 1e3,
     .help = "Amplitude of the perturbation of formula harris with the flux function psi "
             "= amplitude B0 thickness cos(2 pi (x - Lx/2)/Lx) cos(pi (y - Ly/2)/Ly)."},
    {KEY("plasma.nodes.local_perturbation", QUANTITY, PLASMA), AT(plasma.nodes.by.local),
     .def = "0.0", .min = -1e3, .max = 1e3,
     .help = "Amplitude of a perturbation of formula harris around the middle of x and "
             "y: psi = amplitude B0 thickness exp(-X^2 - Y^2) cos(pi X/10) cos(pi Y/10), "
             "X and Y in units of the thickness."},
    {KEY("plasma.mover", WORD, PLASMA), AT(plasma.mover), .def = "\"implicit-midpoint\"",
     .words = mover_words,
     .help =
         "Motion of the particles in field nodes.  implicit-midpoint: the midpoint rule "
         "by iteration, with u = gamma v if `plasma.relativistic`.  boris: half a drift, "
         "a kick by E and B, half a drift.  Other fields have boris, with the rotation "
         "of Higuera and Cary if relativistic."},
    {KEY("plasma.midpoint.iterations", COUNT, PLASMA), AT(plasma.midpoint.iterations),
     .def = "3", .min = 1, .max = 1000,
     .help = "Iterations of the midpoint rule in a step or substep, at most: with "
             "`tolerance` 0, exactly."},
    {KEY("plasma.midpoint.tolerance", QUANTITY, PLASMA), AT(plasma.midpoint.tolerance),
     .def = "0.0", .max = 0.1,
     .help = "The iteration of a particle ends when its mean velocity changes by less "
             "than this part.  0: never.  Single precision has 6e-8."},
    {KEY("plasma.midpoint.substeps", COUNT, PLASMA), AT(plasma.midpoint.substeps),
     .def = "1", .min = 1, .max = WN_MOST_SUBSTEPS,
     .help = "Equal parts of a step of `plasma.mover`: the field is gathered, and the "
             "sides act, in each."},
    {QUANTITY("plasma.midpoint.substep_angle", ANGLE, PLASMA | WN_KEY_ABOVE_MIN),
     AT(plasma.midpoint.most_turn), .def = "\"none\"", .automatic = "none", .max = 1e6,
     .help = "Largest angle of gyration in a substep: a particle takes so many times "
             "`substeps` as |B| at its place asks for, 1000 in a step at most.  none: no "
             "limit."},
    {KEY("plasma.midpoint.substep_cells", QUANTITY, PLASMA | WN_KEY_ABOVE_MIN),
     AT(plasma.midpoint.most_cells), .def = "\"none\"", .automatic = "none", .max = 1e6,
     .help = "Largest part of a cell that a particle crosses along an axis in a substep, "
             "by its velocity at the start of the step; as `substep_angle`."},
    {KEY("plasma.reference", STRING, PLASMA), AT(plasma.reference), .def_text = "none",
     .help = "Species whose plasma frequency omega_0, charge q and mass m define the "
             "normalized units with c = 1, in which codes for space plasmas are written: "
             "lengths in \"c / omega_0\", times in \"/ omega_0\", magnetic fields in \"m "
             "omega_0 / q\", electric fields in \"m c omega_0 / q\"; velocities in \"c\" "
             "need no species.  `wilson check` shows them."},
    {KEY("plasma.background", BOOL, PLASMA), AT(plasma.background), .def = "false",
     .help = "Whether a uniform background charge neutralizes the particles at time 0.  "
             "A domain with periodic and neumann sides only cannot have a net charge."},
    {KEY("plasma.relativistic", BOOL, PLASMA), AT(plasma.relativistic), .def = "false",
     .help = "Whether particles move relativistically."},
    {KEY("plasma.magnetic_field", VECTOR, PLASMA), .unit = WN_UNIT_MAGNETIC,
     AT(plasma.magnetic), .n = 3, .def = "[\"0\", \"0\", \"0\"]", .min = -1e5, .max = 1e5,
     .help = "A uniform magnetic field: along x, y and z.  With two velocity components "
             "only along z."},
    {KEY("plasma.allow", WORDS, PLASMA), AT(plasma.allow), .def = "[]",
     .words = allow_words,
     .help = "Limits that the run may exceed; otherwise this is an error.  "
             "plasma-frequency: the plasma frequency times `plasma.time_step` is 2 or "
             "more, and the run is unstable.  cell-crossing: particles at five thermal "
             "speeds and the drift cross more than a cell in a step, or any particle "
             "does in a check at every 16th step; if allowed, they are counted.  "
             "debye-length: cells are longer than pi Debye lengths, and the plasma heats "
             "up; checked for species with at least a tenth of the largest plasma "
             "frequency, so not for ions beside electrons, and not for cold beams."},
    {KEY("plasma.modes", MODES, PLASMA), AT(plasma.modes), N_AT(plasma.n_modes),
     .def = "[]", .min = -8388608, .max = 8388608,
     .help = "Modes of the field with amplitudes written each step, by their wavelengths "
             "in the length of the domain along each axis: [1, 2] in one dimension, ( "
             "[1, 0], [0, 2] ) in two.  At most half the number of cells."},
    {QUANTITY("plasma.integrals_interval", TIME, PLASMA | WN_KEY_ABOVE_MIN),
     AT(plasma.integrals_interval), .def = "\"step\"", .automatic = "step", .max = 1e3,
     .help =
         "Time between two rows of the sums over the domain (energies, currents, "
         "numbers, modes) in the output file; \"step\": one for each step.  Fewer rows "
         "make long runs faster and their files smaller; the rows written are the same."},
    {QUANTITY("plasma.fields_interval", TIME, PLASMA | WN_KEY_ABOVE_MIN),
     AT(plasma.fields_interval), .def = "\"never\"", .automatic = "never", .max = 1e3,
     .help = "Time between two maps of fields and densities in the output file."},
    {KEY("plasma.fields_coarsening", COUNT, PLASMA), AT(plasma.fields_coarsening),
     .def = "1", .min = 1, .max = 4096,
     .help =
         "Maps and averages are written on a grid that is coarser by this factor "
         "along each axis, a divisor of the numbers of cells.  Potential and electric "
         "field have the values of its nodes, densities, fluxes, rates and power "
         "means with the linear shape of its cells, which conserve their sums (in r-z by "
         "the volumes of the nodes)."},
    {KEY("plasma.fields_moments", BOOL, PLASMA), AT(plasma.fields_moments),
     .def = "false",
     .help = "Whether the maps of `plasma.fields_interval` include fluxes and mean "
             "energies of the mobile species.  On a GPU they are summed there, unless "
             "its memory is too small for the sums."},
    {QUANTITY("plasma.moments_interval", TIME, PLASMA | WN_KEY_ABOVE_MIN),
     AT(plasma.moments_interval), .def = "\"never\"", .automatic = "never", .max = 1e3,
     .help =
         "Time between two maps of the ten moments of each species in the output "
         "file: charge density, current density and momentum flux tensor, at the end "
         "of a step; also the charge density of all species, and the sums over the "
         "domain.  `wilson vtk` converts them for ParaView.  On a GPU they are summed "
         "there, unless its memory is too small for the sums."},
    {KEY("plasma.moments_pressure", BOOL, PLASMA), AT(plasma.moments_pressure),
     .def = "false",
     .help = "Whether the maps of `plasma.moments_interval` include the pressure tensor "
             "about the mean velocity.  Not with `plasma.relativistic`."},
    {QUANTITY("plasma.particles_interval", TIME, PLASMA | WN_KEY_ABOVE_MIN),
     AT(plasma.particles_interval), .def = "\"never\"", .automatic = "never", .max = 1e3,
     .help = "Time between two samples of particles in the output file."},
    {KEY("plasma.particles_sample", COUNT, PLASMA), AT(plasma.particles_sample),
     .def = "10000", .min = 1, .max = 4e9,
     .help = "Particles of each species in a sample, at most."},
    {QUANTITY(AVERAGES("start"), TIME, PLASMA), VAT(start), .def = "\"last\"",
     .automatic = "last", .max = 1e3,
     .help = "Start of a window over which fields, densities, fluxes and energies are "
             "averaged at each node; windows may overlap.  last: the window ends with "
             "the run."},
    {QUANTITY(AVERAGES("length"), TIME, PLASMA | WN_KEY_ABOVE_MIN), VAT(length),
     .def = "\"auto\"", .automatic = "auto", .max = 1e3,
     .help = "Length of the window.  auto: `periods`, or from `start` to the end of the "
             "run."},
    {KEY(AVERAGES("periods"), COUNT, PLASMA), VAT(periods), .def = "0", .max = 1e9,
     .help = "Length of the window in periods of a wall's voltage: { periods = 32; } is "
             "the last 32 of the run, or, with a warning, all of them if there are "
             "fewer.  0: `length` is used."},
    {KEY(AVERAGES("wall"), STRING, PLASMA), VAT(wall),
     .def_text = "the walls with a frequency, which must be the same for all",
     .help = "The side that defines the frequency of the periods, such as x_low."},
    {KEY(AVERAGES("phases"), COUNT, PLASMA), VAT(phases), .def = "0", .max = 65536,
     .help = "Number of RF phases: equal parts of a period with separate averages over "
             "all periods of the window, besides the total average.  The first begins at "
             "whole numbers of periods.  0: only the total average."},
    {KEY(AVERAGES("blocks"), COUNT, PLASMA), VAT(blocks), .def = "0", .max = 1e9,
     .help = "Equal parts of the window.  The scatter of their means gives the standard "
             "error of the mean, so they should be many, and longer than correlations in "
             "the plasma.  0: one for each period; 10 for a `length`.  With `periods` a "
             "block is whole periods; 1 gives no error."},
    {KEY(AVERAGES("every"), COUNT, PLASMA), VAT(every), .def = "1", .min = 1, .max = 1e9,
     .help = "Steps from one sample of the window to the next.  On a GPU each sample "
             "copies the grids to the host; sums over particles are taken there."},
    {KEY(AVERAGES("moments"), BOOL, PLASMA), VAT(moments), .def = "true",
     .help = "Whether fluxes and mean energies of the mobile species are averaged, too: "
             "some ten ns for each particle and sampled step."},
    {KEY(AVERAGES("rates"), STRINGS, PLASMA), VAT(rates),
     .n_offset = offsetof(struct wn_cfg_average, n_rates), .def = "[]",
     .help =
         "Collision rates at the nodes, of each species with collisions that has them, "
         "as in rates = [\"ionization\", \"excitation\"].  Each is a kind, the sum of "
         "all processes of that kind (elastic, excitation, ionization, attachment; of "
         "ions isotropic and backscatter), or one process by its label that `wilson xs "
         "FILE` prints or by its product.  They are expected rates, from the velocity of "
         "each particle, without the noise of counted collisions."},
    {KEY(AVERAGES("power"), BOOL, PLASMA), VAT(power), .def = "false",
     .help = "Whether the power that the field gives to each mobile species, J E, is "
             "averaged, "
             "too.  Not on GPUs if the grid is divided."},
    {KEY(DISTRIBUTIONS("species"), STRING, PLASMA), DAT(species),
     .def_text = "the only mobile species",
     .help = "Species of a distribution of energies: of the particles in a region or, "
             "with `wall`, of those that a side takes."},
    {KEY(DISTRIBUTIONS("window"), STRING, PLASMA), DAT(window),
     .def_text = "the only one",
     .help = "The window of `plasma.averages` over which it is averaged, with the RF "
             "phases and blocks of that.  A region is sampled in every `every`-th step, "
             "on a GPU by a copy of the particles; a wall in every step."},
    {KEY(DISTRIBUTIONS("wall"), STRING, PLASMA), DAT(wall),
     .def_text = "none: of a region",
     .help = "A side that absorbs particles or is open, such as x_low: the distribution "
             "is that of the flux to it.  Not on a GPU."},
    {KEY(DISTRIBUTIONS("low"), VECTOR, PLASMA | WN_KEY_PER_AXIS), .unit = WN_UNIT_LENGTH,
     DAT(low), .n = 3, .def = "\"auto\"", .automatic = "auto", .max = LONGEST,
     .help = "Lower end of the region along each axis.  auto: that of the domain."},
    {KEY(DISTRIBUTIONS("high"), VECTOR, PLASMA | WN_KEY_PER_AXIS), .unit = WN_UNIT_LENGTH,
     DAT(high), .n = 3, .def = "\"auto\"", .automatic = "auto", .max = LONGEST,
     .help = "Upper end of the region along each axis.  auto: that of the domain."},
    {QUANTITY(DISTRIBUTIONS("energy_max"), ENERGY, PLASMA | WN_KEY_ABOVE_MIN),
     DAT(energy_max_ev), .def = "\"100 eV\"", .max = 1e9,
     .help = "Upper end of the energies.  Particles above it are counted, too, and their "
             "fraction is written."},
    {KEY(DISTRIBUTIONS("bins"), COUNT, PLASMA), DAT(bins), .def = "100", .min = 1,
     .max = 1e6, .help = "Number of equal bins of the energy, from 0 to `energy_max`."},
    {KEY(DISTRIBUTIONS("angles"), COUNT, PLASMA), DAT(angles), .def = "0", .max = 9000,
     .help = "At a wall: number of equal bins of the angle to its normal, from 0 to 90 "
             "degrees.  0: no angles."},
};

const size_t wn_config_plasma_rows =
    sizeof wn_config_plasma_keys / sizeof wn_config_plasma_keys[0];
