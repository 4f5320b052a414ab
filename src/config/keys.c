/* src/config/keys.c - the table of scenario keys.  The reader, `wilson help KEY`, `wilson list
 * keys`, doc/scenario-keys.md and the resolved scenario of every output file are made from these
 * rows and from those of src/config/keys_run.c, keys_domain.c, keys_plasma.c and keys_operators.c.  Rows of one group
 * stand together: the resolved scenario is written in this order.  Here: job, fields and electrons,
 * sampling, the gas and its tables. */
#include "src/config/keys.h"

#include "physics/constants.h"

#define JOB_WORD(name, word, ops) word,
static const char *const job_words[] = {WN_JOBS(JOB_WORD) NULL};
const char *const wn_config_model_name[] = {"mcc", "plasma", NULL};
const unsigned wn_config_model_flag[WN_N_MODELS] = {WN_KEY_MCC, WN_KEY_PLASMA};
static const char *const spectrum_words[] = {"mono", "maxwell", NULL};
static const char *const direction_words[] = {"isotropic", "drift", NULL};
static const char *const scatter_words[] = {"isotropic", "okhrimovskyy",
                                            "screened-coulomb", "moliere", NULL};
static const char *const share_words[] = {"equal", "opal", "rbeb", "moller", NULL};
static const char *const loss_words[] = {"quanta", "continuous", NULL};
static const char *const density_words[] = {"none", "air", NULL};
static const char *const beyond_words[] = {"error", "constant", "zero",
                                           "power", "born",     NULL};
static const char *const effective_words[] = {"error", "subtract", NULL};
static const char *const waveform_words[] = {"constant", "sine",   "pulse",
                                             "steps",    "linear", NULL};
static const char *const profile_words[] = {"uniform", "us-standard-1976", "table", NULL};
static const char *const upward_words[] = {"+z", "-z", NULL};
static const char *const third_words[] = {"none", "self", "total", NULL};

#define GOAL_ROW(symbol, word, variable)                                                 \
  {.key = "accuracy." word,                                                              \
   .type = WN_KEY_QUANTITY,                                                              \
   .flags = MCC | WN_KEY_ABOVE_MIN,                                                      \
   AT(goal[WN_GOAL_##symbol]),                                                           \
   .def = "\"none\"",                                                                    \
   .automatic = "none",                                                                  \
   .max = 0.5,                                                                           \
   .help = "Relative standard error of `" variable "` at which a swarm may end."},

_Static_assert(sizeof wn_config_model_name / sizeof *wn_config_model_name ==
                   WN_N_MODELS + 1,
               "a word per model");
_Static_assert(sizeof spectrum_words / sizeof *spectrum_words == WN_N_SPECTRA + 1,
               "a word per spectrum");
_Static_assert(sizeof scatter_words / sizeof *scatter_words == WN_N_ANGLE_MODELS + 1,
               "a word per angular model");
_Static_assert(sizeof share_words / sizeof *share_words == WN_N_SHARE_MODELS + 1,
               "a word per sharing rule");
_Static_assert(sizeof loss_words / sizeof *loss_words == WN_N_SOFT_LOSSES + 1,
               "a word per way to lose energy");
_Static_assert(sizeof density_words / sizeof *density_words == WN_N_DENSITY_EFFECTS + 1,
               "a word per gas");
_Static_assert(sizeof beyond_words / sizeof *beyond_words == WN_XS_N_BEYOND + 1,
               "a word per policy");
_Static_assert(sizeof effective_words / sizeof *effective_words == WN_XS_N_EFFECTIVE + 1,
               "a word per policy");
_Static_assert(sizeof waveform_words / sizeof *waveform_words == WN_WAVEFORM_SHAPES + 1,
               "a word per shape");
_Static_assert(sizeof profile_words / sizeof *profile_words == WN_N_GAS_PROFILES + 1,
               "a word per shape");
_Static_assert(sizeof upward_words / sizeof *upward_words == WN_N_UPWARD + 1,
               "a word per direction");
_Static_assert(sizeof third_words / sizeof *third_words == WN_N_THIRD + 1,
               "a word per third body");

/* the gas: also for a plasma that has a species with collisions */
#define GAS  (MCC | PLASMA | WN_KEY_GAS)
#define COMP GAS
#define CAT(field)                                                                       \
  .named = &wn_config_components, .offset = offsetof(struct wn_cfg_component, field)
#define CN_AT(field) .n_offset = offsetof(struct wn_cfg_component, field)
#define IN(name)     "gas.components." WN_KEY_NAME "." name

const struct wn_key wn_config_keys[] = {
    {KEY("title", STRING, ALL), AT(title), .def_text = "the name of the scenario file",
     .help = "A line about the run.  It becomes the title attribute of the output file."},
    {KEY("job", WORD, MCC), AT(job), .def = "\"swarm\"", .words = job_words,
     .help = "The quantity to be measured.  swarm: the steady state in a uniform field, "
             "with mean energy, flux and bulk drift, diffusion and rates.  runaway: "
             "electrons are released at time 0 and followed for `duration`; those that "
             "pass the energies of `runaway.thresholds` are counted.  runaway-rate: the "
             "rate at which electrons of a steady swarm pass these energies, however "
             "rarely, by a weighted ensemble."},
    {KEY("model", WORD, ALL), AT(model), .def = "\"mcc\"", .words = wn_config_model_name,
     .help = "What a particle does.  mcc: motion in the field and collisions with the "
             "gas.  "
             "plasma: species of charged particles on a grid, in the field that they "
             "make.  "
             "A key that the chosen model does not use is an error.",
     .hint = "split-remove, rectangle and box, which measure schedulers, are run by "
             "bench/study/study"},
    {KEY("fields", FIELDS, MCC | WN_KEY_REQUIRED), .unit = WN_UNIT_FIELD, AT(cases),
     N_AT(n_cases), .min = 0, .max = 1e12,
     .help = "The uniform electric fields; each is a case with `electrons` primaries, as "
             "in fields = [\"120 Td\", \"10 kV/cm\"].  A range stands for its values: "
             "\"1 Td to 1000 Td, 31 logarithmic\", or linear, includes both ends; values "
             "between them are rounded to six digits.  Electrons drift along +z.  A "
             "field in Td is reduced, E/N: the density of the gas turns it into V/m.  "
             "The output file has every field in both units."},
    {KEY("scan." WN_KEY_NAME ".key", STRING, MCC | WN_KEY_REQUIRED),
     .named = &wn_config_scans, .offset = offsetof(struct wn_cfg_scan, key),
     .help = "The key that takes several values in turn, as in scan = { T = { key = "
             "\"gas.temperature\"; values = [\"300 K to 1500 K, 5 linear\"]; }; }.  All "
             "`fields` are run with each value, and with each combination of several "
             "scans; the last scan varies fastest.  Allowed are keys of model mcc with "
             "one number or word that change results but not the variables of the file, "
             "including the seed and the magnetic field."},
    {KEY("scan." WN_KEY_NAME ".values", STRINGS, MCC | WN_KEY_REQUIRED),
     .named = &wn_config_scans, .offset = offsetof(struct wn_cfg_scan, values),
     .n_offset = offsetof(struct wn_cfg_scan, n_values),
     .help = "The values of a scan, each in quotes, as in [\"300 K\", \"600 K\"] or, for "
             "whole numbers, [\"1\", \"2\"]; ranges as in `fields`."},
    {QUANTITY("magnetic_field", MAGNETIC, MCC | WN_KEY_REDUCED), AT(magnetic_field),
     N_AT(magnetic_hx), .def = "0", .max = 100,
     .help = "Strength of a uniform magnetic field, the same for all electric fields.  A "
             "field in Hx is reduced, B/N: 1 Hx = 1e-27 T m3.  In a magnetic field drift "
             "vectors and diffusion tensors of a swarm are written."},
    {QUANTITY("magnetic_angle", ANGLE, MCC), AT(magnetic_angle), .def = "\"90 deg\"",
     .max = WN_PI * (1 + 1e-15), /* so that 180 deg is allowed */
     .help = "Angle between the drift direction +z and the magnetic field, which lies in "
             "the x-z plane.  Without `magnetic_field` it has no effect."},
    {KEY("waveform.shape", WORD, MCC), AT(waveform.is.shape), .def = "\"constant\"",
     .words = waveform_words,
     .help = "Factor on `fields` as a function of time.  constant: 1.  sine: offset + "
             "sin(2 pi frequency t + phase).  pulse: 0, up to 1 and down to 0.  steps: "
             "`waveform.factors`, each from its time onwards.  linear: straight lines "
             "between them.  A factor below 0 reverses the field.  For jobs runaway and "
             "swarm; a swarm then has drift, energy and rates as functions of time in "
             "place of its coefficients.  A step uses the factor at its middle."},
    {QUANTITY("waveform.frequency", FREQUENCY, MCC | WN_KEY_ABOVE_MIN),
     AT(waveform.is.frequency), .def = "\"none\"", .automatic = "none", .max = 1e18,
     .help = "Frequency of a sine; required for it."},
    {QUANTITY("waveform.phase", ANGLE, MCC), AT(waveform.is.phase), .def = "\"0 deg\"",
     .min = -100, .max = 100,
     .help = "Phase of a sine at time 0; 90 deg makes it a cosine."},
    {KEY("waveform.offset", QUANTITY, MCC), AT(waveform.is.offset), .def = "0.0",
     .min = -1e3, .max = 1e3,
     .help = "Constant added to a sine, in units of its amplitude."},
    {QUANTITY("waveform.start", TIME, MCC), AT(waveform.is.start), .def = "\"0 s\"",
     .max = 1e3, .help = "Time at which a pulse begins to rise."},
    {QUANTITY("waveform.rise", TIME, MCC), AT(waveform.is.rise), .def = "\"0 s\"",
     .max = 1e3,
     .help = "Time in which a pulse rises linearly from 0 to 1.  0: it jumps."},
    {QUANTITY("waveform.length", TIME, MCC), AT(waveform.is.length), .def = "\"none\"",
     .automatic = "none", .max = 1e3,
     .help = "Time for which a pulse stays at 1; required for a pulse; 0 is allowed."},
    {QUANTITY("waveform.fall", TIME, MCC), AT(waveform.is.fall), .def = "\"0 s\"",
     .max = 1e3,
     .help = "Time in which a pulse falls linearly from 1 to 0.  0: it jumps."},
    {KEY("waveform.times", QUANTITIES, MCC | WN_KEY_RISING), .unit = WN_UNIT_TIME,
     AT(waveform.times), N_AT(waveform.n_times), .def = "[]", .max = 1e3,
     .help =
         "Times of steps or linear, increasing, the first 0, as in [\"0 s\", \"1 ns\"]."},
    {KEY("waveform.factors", QUANTITIES, MCC), AT(waveform.factors),
     N_AT(waveform.n_factors), .def = "[]", .min = -1e3, .max = 1e3,
     .help = "Factors of steps or linear, one for each of `waveform.times`.  The last "
             "holds from its time on."},
    {KEY("waveform.file", FILE, MCC), AT(waveform.file), N_AT(waveform.path),
     .def = "\"\"",
     .help = "File with a time in seconds and a factor in each line, a comma or blanks "
             "between them, in place of `waveform.times` and `waveform.factors`; text "
             "after a # is ignored.  The file is searched beside the scenario file and "
             "then in the working folder.  The resolved scenario in an output file has "
             "the numbers themselves."},
    {QUANTITY("waveform.period", TIME, MCC | WN_KEY_ABOVE_MIN), AT(waveform.is.period),
     .def = "\"never\"", .automatic = "never", .max = 1e3,
     .help = "Period with which a pulse, steps or linear are repeated."},
    {KEY("waveform.rows", COUNT, MCC), AT(waveform.rows), .def = "32", .min = 4,
     .max = 65536,
     .help = "Number of equal time intervals (rows) of a period, or of the duration if "
             "there is no period; the output of a swarm has means over each."},
    {KEY("field_profile.places", QUANTITIES, MCC | WN_KEY_RISING), .unit = WN_UNIT_LENGTH,
     AT(field_profile.places), N_AT(field_profile.n_places), .def = "[]", .min = -1e7,
     .max = 1e7,
     .help =
         "Places along z, increasing, at which a factor on `fields` is given, for job "
         "runaway; between them it is linear, beyond the first and the last it is "
         "theirs.  Electrons are released at z = 0 and drift along +z where the "
         "factor is above 0.  Empty: the field is uniform.  "
         "doc/altitude.md."},
    {KEY("field_profile.factors", QUANTITIES, MCC), AT(field_profile.factors),
     N_AT(field_profile.n_factors), .def = "[]", .min = -1e12, .max = 1e12,
     .help =
         "Factors on `fields`, one for each of `field_profile.places`.  With fields = "
         "[\"1 V/m\"] they are the field itself in V/m."},
    {KEY("field_profile.file", FILE, MCC), AT(field_profile.file),
     N_AT(field_profile.path), .def = "\"\"",
     .help = "File with a place in metres and a factor in each line, in place of "
             "`field_profile.places` and `field_profile.factors`; its form is that of "
             "`waveform.file`.  The resolved scenario has the numbers themselves."},
    {KEY("seed", SEED, ALL), AT(seed), .def = "1", .max = 9223372036854775807.0,
     .help = "Key of the random numbers.  The same seed gives the same result for every "
             "scheduler and number of threads; another seed gives an independent run."},
    {KEY("electrons", COUNT, MCC), AT(electrons), .def = "10000", .min = 1, .max = 4e9,
     .help = "Primary electrons of each field.  Statistical errors fall as one over its "
             "square root."},
    {QUANTITY("initial_energy", ENERGY, MCC), AT(initial_energy_ev), .def = "\"0.1 eV\"",
     .max = TOP_EV,
     .help = "Energy of the primaries at time 0: of each one, or the mean of a "
             "Maxwellian; see `initial_spectrum` and `initial_direction`."},
    {KEY("initial_spectrum", WORD, MCC), AT(initial_spectrum), .def = "\"maxwell\"",
     .words = spectrum_words,
     .help = "Energy distribution of the primaries.  mono: all have `initial_energy`.  "
             "maxwell: a Maxwellian whose mean energy is `initial_energy`."},
    {KEY("initial_direction", WORD, MCC), AT(initial_direction), .def = "\"isotropic\"",
     .words = direction_words,
     .help = "Directions of the primaries at time 0.  isotropic: uniform over all "
             "directions.  drift: all against the field, the direction of acceleration: "
             "a beam."},
    {QUANTITY("duration", TIME, MCC | PLASMA | WN_KEY_ABOVE_MIN), AT(duration),
     .def = "\"auto\"", .automatic = "auto", .max = 1e3,
     .help = "Simulated time of each case.  In a runaway job, which needs it, from the "
             "release; in a runaway-rate job an upper limit; in a swarm after the "
             "relaxation, and auto: until `accuracy` is reached.  Model plasma needs it, "
             "too, and makes the steps of `plasma.time_step` that cover it."},
    {QUANTITY("relaxation", TIME, MCC), AT(relaxation), .def = "\"auto\"",
     .automatic = "auto", .max = 1e3,
     .help = "Time before sampling starts, for the relaxation of the initial energies.  "
             "auto: until the mean energy is steady."},
    {KEY("accuracy", QUANTITY, MCC | WN_KEY_ABOVE_MIN), AT(accuracy), .def = "0.003",
     .max = 0.5,
     .help = "Relative standard error of mean energy and flux drift at which a duration "
             "of auto ends; in a runaway-rate job that of the rate of the last "
             "threshold, for which a pilot chooses the length of the measurement.  Half "
             "the error takes four times as long.  In a swarm it may be a group of "
             "coefficients, as in accuracy = { mobility = 0.002; bulk_DL = 0.01; "
             "ionization = 0.01; }.  A case then ends when all are reached, or at the "
             "end of a given `duration`, and reports the worst."},
    WN_GOALS(GOAL_ROW){
        .key = "accuracy.floor",
        .type = WN_KEY_QUANTITY,
        .flags = MCC | WN_KEY_ABOVE_MIN,
        AT(accuracy_floor),
        .def = "1e-25",
        .max = 1.0,
        .help = "For rates named in `accuracy`: a value of alpha/N or eta/N, in m2, "
                "below which no accuracy is required.  A rate is below it if its upper "
                "limit is, where no collision was seen, or else its value plus 1.645 "
                "standard errors; both with 95 % confidence.  Only together with names."},
    {QUANTITY("sampling.interval", TIME, MCC | WN_KEY_ABOVE_MIN), AT(sample_interval),
     .def = "\"auto\"", .automatic = "auto", .max = 1e3,
     .help =
         "Length of a step: time between two samples.  auto: 20 candidate collisions "
         "of an electron during the relaxation of a swarm, then a fraction of a "
         "block; 50 in a runaway job; 4 in a runaway-rate job, which sorts electrons "
         "into levels after each step; in a waveform with `stop_below` longer, about one "
         "change of the number of electrons.  Flight and collisions do not depend on "
         "it."},
    {KEY("sampling.block", INT, MCC), AT(sample_block), .def = "\"auto\"",
     .automatic = "auto", .min = 4, .max = 65536,
     .help = "Samples in a block of a swarm, at the end of which every electron returns "
             "to the origin.  auto: 16; if ionization is rare (less than one in 10^4 "
             "candidate collisions), such that an interval is about 20 candidates of an "
             "electron, up to 64, unless `sampling.interval` is given."},
    {KEY("sampling.tensor", BOOL, MCC), AT(sample_tensor), .def = "false",
     .help =
         "Whether drift vectors and diffusion tensors of a swarm are written without a "
         "magnetic field, too; with one they always are.  No effect in other jobs."},
    {KEY("groups", COUNT, MCC), AT(groups), .def = "32", .min = 2, .max = 4096,
     .help = "Independent groups into which the primaries are divided.  The scatter "
             "among the groups gives the statistical errors; `electrons` must be at "
             "least as many."},
    {KEY("mobility_steps", COUNT, MCC), AT(mobility_steps), .def = "1", .min = 1,
     .max = 1e6,
     .help = "Mobility steps in one sample interval.  A step has any number of "
             "collisions, at their exact times, so that one step is exact in a uniform "
             "field; more steps are a check of this."},
    {QUANTITY("gas.pressure", PRESSURE, GAS), AT(pressure), .def = "\"1 atm\"",
     .max = 1e10,
     .help = "Pressure of the gas.  With `gas.temperature` it gives the number density, "
             "p / (k T).  If `gas.number_density` is given, it replaces the pressure; a "
             "pressure given beside it must agree within 1e-6."},
    {QUANTITY("gas.temperature", TEMPERATURE, GAS), AT(temperature), .def = "\"300 K\"",
     .max = 1e5,
     .help =
         "Temperature of the gas: it determines the number density from the pressure, "
         "and the motion of the targets.  0 is allowed with `gas.number_density`."},
    {QUANTITY("gas.number_density", DENSITY, GAS | WN_KEY_ABOVE_MIN), AT(number_density),
     .def = "\"auto\"", .automatic = "auto", .max = 1e31,
     .help = "Molecules of the gas per volume.  auto: from pressure and temperature."},
    {KEY("gas.thermal_motion", BOOL, GAS), AT(thermal_motion), .def = "true",
     .help = "Whether the molecules have the thermal motion of `gas.temperature`.  "
             "false: all molecules are at rest."},
    {QUANTITY("gas.thermal_below", ENERGY, GAS), AT(thermal_below_ev), .def = "\"50 eV\"",
     .max = TOP_EV,
     .help = "For electrons above this energy the molecules are at rest, which saves "
             "time without a measurable effect."},
    {KEY("gas.profile.shape", WORD, MCC), AT(gas_profile.shape), .def = "\"uniform\"",
     .words = profile_words,
     .help =
         "Density of the gas along z, for job runaway.  uniform: it is the same "
         "everywhere.  us-standard-1976: that of the U.S. Standard Atmosphere from -5 "
         "to 86 km.  table: `gas.profile.densities` at `gas.profile.altitudes`.  A "
         "profile gives the density at `gas.profile.altitude`, which is that of `fields` "
         "in Td; "
         "gas.pressure and gas.number_density are not needed.  Electrons that leave "
         "the profile are removed and counted (`removed_electrons`).  "
         "doc/altitude.md."},
    {QUANTITY("gas.profile.altitude", LENGTH, MCC), AT(gas_profile.altitude),
     .def = "\"0 m\"", .min = -1e7, .max = 1e7,
     .help =
         "Altitude of z = 0, where electrons are released, above sea level or the zero "
         "of the table."},
    {KEY("gas.profile.upward", WORD, MCC), AT(gas_profile.upward), .def = "\"+z\"",
     .words = upward_words,
     .help = "Direction in which altitude increases.  +z: electrons drift upward, in a "
             "field that points down.  -z: they drift downward."},
    {KEY("gas.profile.altitudes", QUANTITIES, MCC | WN_KEY_RISING),
     .unit = WN_UNIT_LENGTH, AT(gas_profile.altitudes), N_AT(gas_profile.n_altitudes),
     .def = "[]", .min = -1e7, .max = 1e7,
     .help = "Altitudes of a table, two at least, increasing."},
    {KEY("gas.profile.densities", QUANTITIES, MCC | WN_KEY_ABOVE_MIN),
     .unit = WN_UNIT_DENSITY, AT(gas_profile.densities), N_AT(gas_profile.n_densities),
     .def = "[]", .max = 1e31,
     .help = "Molecules per volume, one number for each of `gas.profile.altitudes`; "
             "between them the density is exponential."},
    {KEY("gas.profile.table_file", FILE, MCC), AT(gas_profile.file),
     N_AT(gas_profile.path), .def = "\"\"",
     .help =
         "File with an altitude in metres and a density in 1/m3 in each line, in place "
         "of `gas.profile.altitudes` and `gas.profile.densities`; its form is that of "
         "`waveform.file`.  The resolved scenario has the numbers themselves."},
    {KEY(IN("fraction"), QUANTITY, COMP), CAT(fraction),
     .def_text = "1 when the gas has one component", .max = 1,
     .help = "Fraction of the molecules that belong to this component.  The fractions of "
             "a gas must add up to 1 within 1e-6 and are then scaled to add up to 1.  A "
             "component with a fraction of 0 is left out."},
    {KEY(IN("file"), FILE, COMP | WN_KEY_REQUIRED), CAT(file), CN_AT(path),
     .help =
         "Cross sections of this component: an LXCat text file, searched beside the "
         "scenario file and then in the working folder, or builtin:air for the analytic "
         "N2 and O2 or builtin:argon for the analytic Ar that come with wilson."},
    {KEY(IN("target"), STRING, COMP), CAT(target),
     .def_text = "the name of the component",
     .help = "The target in the file, exactly as written there, such as \"N2\" or "
             "\"N2(v1)\".  `wilson xs FILE` lists them."},
    {KEY(IN("database"), STRING, COMP), CAT(database),
     .def_text = "the only one in the file",
     .help = "Part of the name of the database, such as \"Phelps\", if a file has the "
             "target from several databases."},
    {KEY(IN("beyond"), WORD, COMP), CAT(beyond), .def = "\"error\"",
     .words = beyond_words,
     .help = "Cross section above the last energy of a table.  error: an electron of "
             "such an energy stops the run.  constant: the last value.  zero: nothing.  "
             "power: the power law through the last two rows.  born: high-energy theory "
             "scaled to the last row.  A table with a last value of 0 stays 0."},
    {KEY(IN("effective"), WORD, COMP), CAT(effective), .def = "\"error\"",
     .words = effective_words,
     .help = "Treatment of a file with an EFFECTIVE cross section and no ELASTIC one.  "
             "error: stop.  subtract: elastic = effective minus all inelastic processes, "
             "set to 0 where negative, which is noted."},
    {KEY(IN("three_body"), WORD, COMP), CAT(third_body), .def = "\"self\"",
     .words = third_words,
     .help = "The density that multiplies a three-body attachment table.  none: "
             "three-body attachment is left out, and the notes of the run say so.  self: "
             "the density of this component (O2 is by far the best third body for "
             "attachment to "
             "O2).  total: of the whole gas."},
    {KEY(IN("ions"), BOOL, PLASMA | WN_KEY_GAS), CAT(ions), .def = "true",
     .help = "Whether ions with collisions collide with this component.  false: no cross "
             "sections of ions are needed for it, as for a thin excited gas."},
    {KEY(IN("exclude"), STRINGS, COMP), CAT(exclude), CN_AT(n_exclude), .def = "[]",
     .help = "Processes to exclude, by the label that `wilson xs FILE` prints or by "
             "product.  A name that matches nothing is an error."},
    {KEY(IN("factors"), STRINGS, COMP), CAT(factors), CN_AT(n_factors), .def = "[]",
     .help = "Factors on cross sections, to find the effect of their uncertainty on a "
             "result, as in [\"inelastic 1.1\", \"elastic 0.9 from 300 eV to 3 keV\"], "
             "applied in turn.  The word before a factor (above 0, up to 100) says what "
             "it multiplies.  elastic: momentum transfer and integral cross section, so "
             "that angles do not change.  momentum-transfer: without the integral one.  "
             "integral: only that.  inelastic: every excitation and ionization.  "
             "excitation, ionization, attachment: all processes of a kind.  Otherwise a "
             "label or product, as in `exclude`.  With a range the factor holds at its "
             "geometric mean, and falls smoothly to 1 at both ends.  For electrons only. "
             " doc/cross-sections.md."},
    {KEY(IN("excited"), STRINGS, COMP), CAT(excited), CN_AT(n_excited), .def = "[]",
     .help = "Excitations with populated upper levels, by label or product, as in "
             "[\"N2(v1)\", \"N2(v2)\"].  These excitations then apply to the molecules "
             "in the lowest level.  For each a superelastic process, \"superelastic "
             "N2(v1)\", follows from detailed balance, by which electrons gain energy "
             "from molecules in the upper level.  All other processes apply to all "
             "molecules.  doc/cross-sections.md."},
    {KEY(IN("excited_temperatures"), QUANTITIES, COMP), .unit = WN_UNIT_TEMPERATURE,
     CAT(excited_k), CN_AT(n_excited_k), .def = "[]", .max = 1e6,
     .help = "Temperatures of the populations of the levels of `excited`, one for all of "
             "them or one each.  Empty: gas.temperature."},
    {KEY(IN("excited_fractions"), QUANTITIES, COMP), CAT(excited_part),
     CN_AT(n_excited_part), .def = "[]", .max = 1,
     .help = "Fractions of the molecules of the component in the levels of `excited`, "
             "one each, in place of temperatures.  The rest is in the lowest level."},
    {KEY(IN("excited_weights"), QUANTITIES, COMP | WN_KEY_ABOVE_MIN), CAT(excited_weight),
     CN_AT(n_excited_weight), .def = "[]", .max = 1e6,
     .help =
         "Ratios of the statistical weights of the levels of `excited` to that of the "
         "lowest level, one each.  Empty: those of the file, which must have them."},
    {QUANTITY(IN("rotational_temperature"), TEMPERATURE, COMP), CAT(rotational_k),
     .def = "\"none\"", .automatic = "none", .max = 1e6,
     .help = "Temperature of the populations of the rotational states.  The blocks "
             "ROTATIONAL of the file, from state to state, become excitations of the "
             "molecules in their lower state and, by detailed balance, superelastic "
             "processes of those in the upper state.  none: such blocks are not used.  "
             "doc/cross-sections.md."},
    {QUANTITY(IN("vibrational_temperature"), TEMPERATURE, COMP), CAT(vibrational_k),
     .def = "\"none\"", .automatic = "none", .max = 1e6,
     .help = "The same for the blocks VIBRATIONAL."},
    {KEY(IN("states_file"), FILE, COMP), CAT(states_file), CN_AT(states_path),
     .def = "\"\"",
     .help = "LXCat text file with the blocks ROTATIONAL and VIBRATIONAL, if they are "
             "not in the `file` of the component; searched in the same folders."},
    {KEY(IN("photons"), FILE, COMP), CAT(photons_file), CN_AT(photons_path),
     .def = "\"\"",
     .help = "For `radiation.photons_min`: file of photon data of an element of the "
             "component, as data/photons/N.txt; searched in the same folders.  Each "
             "element of the gas needs one file, named by any of its components.  The "
             "name of the component, or its `target`, is its formula."},
    {KEY(IN("rotational_weights"), QUANTITIES, COMP | WN_KEY_ABOVE_MIN),
     CAT(rotational_weight), CN_AT(n_rotational_weight), .def = "[]", .max = 1e6,
     .help =
         "Two numbers: the weights of the nuclear spins of states of even and of odd J, "
         "as [2.0, 1.0] for N2 or [1.0, 3.0] for H2.  Needed if the file has both."},
    {QUANTITY(IN("mass"), MASS, COMP | WN_KEY_ABOVE_MIN), CAT(mass), .def = "\"auto\"",
     .automatic = "auto", .max = 1e-20,
     .help =
         "Mass of a molecule.  auto: from the ratio m/M in the file of cross sections."},
    {KEY(IN("atomic_number"), QUANTITY, COMP), CAT(atomic_number), .def = "\"auto\"",
     .automatic = "auto", .min = 1, .max = 118,
     .help = "Atomic number Z of the atoms, for screened-coulomb scattering.  auto: from "
             "the name of the target, if that is a molecule of one element of H, He, N, "
             "O, Ne, Ar, Kr, Xe."},
    {QUANTITY(IN("opal_width"), ENERGY, COMP | WN_KEY_ABOVE_MIN), CAT(opal_width),
     .def = "\"auto\"", .automatic = "auto", .max = 1e4,
     .help = "Width w of the energy distribution of secondary electrons under sharing "
             "opal, which falls as 1 / (1 + (W/w)^2).  auto: N2 13.0 eV, O2 17.4 eV, Ar "
             "10.0 eV, He 15.8 eV, any other gas 0.6 of its ionization energy."},
    {KEY("scattering", WORD, GAS), AT(scattering), .def = "\"isotropic\"",
     .words = scatter_words,
     .help =
         "Scattering angles.  isotropic: for swarms, with the momentum-transfer "
         "cross section.  okhrimovskyy: forward, for molecules up to some keV.  "
         "screened-coulomb: forward, for fast electrons; it needs the atomic number "
         "of each component.  moliere: the same to 1 keV, from 10 keV on with "
         "Moliere's screening, for electrons to tens of MeV in builtin:air.  Every model "
         "conserves the momentum-transfer cross "
         "section of elastic scattering.  In forward models excitation has a "
         "Coulomb-like angle, with moliere from 10 keV on that of Bethe's theory, and "
         "ionization that of a free collision."},
    {QUANTITY("elastic.grouped_from", ENERGY, GAS), AT(grouped_from_ev),
     .def = "\"never\"", .automatic = "never", .min = 1e3, .max = TOP_EV,
     .help =
         "With a forward model of `scattering`: electrons from this energy on, at least "
         "1 keV, have their elastic deflections up to `elastic.grouped_angle` grouped: "
         "in "
         "fewer collisions with larger angles, which have the same first and second "
         "transport moments.  Larger deflections stay single collisions.  Elastic "
         "collisions are counted as they are then.  never: every collision is one, which "
         "is the reference."},
    {QUANTITY("elastic.grouped_angle", ANGLE, GAS | WN_KEY_ABOVE_MIN), AT(grouped_angle),
     .def = "\"10 deg\"", .max = 0.5 * WN_PI * (1 + 1e-15),
     .help =
         "Largest deflection that is grouped by `elastic.grouped_from`; the limit of "
         "small "
         "angles is single scattering.  At 1 MeV in air 10 deg takes about a 20th of the "
         "collisions."},
    {KEY("sharing", WORD, GAS), AT(sharing), .def = "\"equal\"", .words = share_words,
     .help =
         "Energy sharing of the two electrons after an ionization.  equal: half "
         "each.  opal: the formula of Opal, Peterson and Beaty with `opal_width`.  "
         "rbeb: the relativistic binary-encounter-Bethe formula, for processes with "
         "known orbitals, as those of builtin:air.  moller: the same below half of "
         "`moller.cut`, Moller's for free electrons above it, for electrons to tens of "
         "MeV; excitations then carry what Bethe's mean loss has beyond ionization from "
         "10 keV on, so that the stopping power does not depend on the cut."},
    {QUANTITY("moller.cut", ENERGY, GAS | WN_KEY_ABOVE_MIN), AT(moller_cut_ev),
     .def = "\"10 keV\"", .max = TOP_EV,
     .help =
         "With sharing moller: loss of energy from which electrons of the gas are "
         "free.  From half of it on the differential cross section passes linearly from "
         "that of rbeb to Moller's.  At least twice the binding energy of every "
         "orbital."},
    {QUANTITY("moller.soft_from", ENERGY, GAS | WN_KEY_ABOVE_MIN),
     AT(moller_soft_from_ev), .def = "\"never\"", .automatic = "never", .max = TOP_EV,
     .help =
         "With sharing moller: electrons from this energy on, at least twice "
         "`moller.cut`, lose what is below the cut in quanta, by the process friction, "
         "without newborns; only losses above the cut are single ionizations, and "
         "excitations are part of friction.  The mean loss per length is that of single "
         "collisions.  never: every collision is one, which is the reference."},
    {QUANTITY("moller.soft_quantum", ENERGY, GAS | WN_KEY_ABOVE_MIN),
     AT(moller_soft_quantum_ev), .def = "\"auto\"", .automatic = "auto", .max = TOP_EV,
     .help =
         "Energy lost at a time by the process friction of `moller.soft_from`; the limit "
         "of small ones is a continuous loss.  auto: that with which the variance of the "
         "loss is that of single collisions, too, at 1 MeV (for each gas; some 0.9 keV "
         "with a cut of 10 keV)."},
    {KEY("moller.soft_loss", WORD, MCC), AT(moller_loss), .def = "\"quanta\"",
     .words = loss_words,
     .help =
         "How electrons lose what is below `moller.cut` from `moller.soft_from` on.  "
         "quanta: `moller.soft_quantum` at a time.  continuous: along the flight, by the "
         "mean loss, to second order in the part that a flight loses, and without "
         "candidates of its own, which is several times as fast.  It has no straggling "
         "by "
         "losses below the cut.  Needs `stop_below`, fields of 0 and no magnetic field; "
         "on a CPU.  Counts of the process friction are then those of the quanta that "
         "the loss stands for."},
    {KEY("moller.density_effect", WORD, GAS), AT(moller_density), .def = "\"air\"",
     .words = density_words,
     .help =
         "With sharing moller: what the polarization of the gas takes from distant "
         "collisions.  air: Sternheimer's correction of dry air, for the density of the "
         "gas; at 1 atm it begins at 27 MeV.  none: nothing."},
    {KEY("tables.bins_per_octave", COUNT, GAS | WN_KEY_POWER2), AT(bins_per_octave),
     .def = "128", .min = 16, .max = 1024,
     .help = "Rows of the collision tables in each doubling of the energy, a power of "
             "two.  More rows resolve narrower resonances and take more memory."},
    {QUANTITY("tables.energy_max", ENERGY, GAS), AT(energy_max_ev), .def = "\"16 MeV\"",
     .min = 1, .max = TOP_EV,
     .help = "Upper end of the collision tables, at most 2^27 eV; builtin:air is known "
             "to 134 MeV, builtin:argon to 1 keV.  An electron of this energy stops the "
             "run.  A lower end lowers the bound on the collision frequency if that "
             "rises with energy; if it would cause many null collisions, candidates are "
             "drawn by energy bands."},
    {QUANTITY("tables.ion_energy_max", ENERGY, WN_KEY_PLASMA | WN_KEY_GAS),
     AT(ion_energy_max_ev), .def = "\"auto\"", .automatic = "auto", .min = 1e-3,
     .max = 1e6,
     .help = "Upper end of the collision tables of ions, an energy of the relative "
             "motion of ion and atom: half of the ion's energy for equal masses.  An ion "
             "of this energy stops the run; a lower end lowers the bound on the "
             "collision frequency.  auto: that of an ion that falls through 1.2 times "
             "the voltages of all walls together, amplitudes included, and 100 V more."},
};

const size_t wn_config_keys_rows = sizeof wn_config_keys / sizeof wn_config_keys[0];
