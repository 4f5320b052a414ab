/* src/config/keys_run.c - scenario keys after those of src/config/keys.c: how many electrons are
 * kept, what is counted of them, the machine and the output. */
#include "base/threads.h"
#include "src/config/keys.h"

static const char *const divide_words[] = {"auto", "electrons", "cases", "domains", NULL};
_Static_assert(sizeof divide_words / sizeof *divide_words == WN_N_DIVIDED + 1,
               "a word for each");

static const char *const residence_words[] = {"auto", "device", "batches", NULL};
_Static_assert(sizeof residence_words / sizeof *residence_words == WN_N_RESIDENCES + 1,
               "a word for each");

static const char *const compton_words[] = {"free", "bound", NULL};
static const char *const rayleigh_words[] = {"none", "form-factor", NULL};
static const char *const angle_words[] = {"dipole", "2bs", NULL};
static const char *const positron_words[] = {"counted", "at-rest", "moving", NULL};
static const char *const positron_brems_words[] = {"electron", "ratio", NULL};
_Static_assert(sizeof positron_words / sizeof *positron_words == WN_N_POSITRONS + 1,
               "a word for each");

const struct wn_key wn_config_run_keys[] = {
    {KEY("population.target", COUNT, MCC), AT(population_target), .def = "0", .max = 4e9,
     .help =
         "Target of population control: electrons to keep in each case when the swarm "
         "grows or decays; their weights change instead.  0: `electrons` in a swarm job, "
         "and no control in a runaway job.  A swarm in a gas with ionization or "
         "attachment has at least 12 in each group; where growth takes much of the power "
         "take 100 or more.  With energy levels (job runaway-rate, "
         "runaway.levels) these are the "
         "electrons of each level (runaway.levels_per_decade), 0: 1000; the "
         "lowest level has as many as all others together."},
    {QUANTITY("population.protect_above", ENERGY, MCC), AT(population_protect_ev),
     .def = "\"500 eV\"", .max = TOP_EV,
     .help = "Population control never removes electrons above this energy, so that rare "
             "fast electrons are kept."},
    {KEY("population.capacity", COUNT, ALL), AT(capacity), .def = "20000000",
     .def_plasma = "100000000", .min = 1, .max = 4e9,
     .help = "Capacity of the store in electrons, in model plasma in particles of each "
             "species; `wilson check` gives the memory.  A full store ends the run, with "
             "the results up to that time on disk."},
    {KEY("population.residence", WORD, ALL), AT(residence), .def = "\"auto\"",
     .words = residence_words,
     .help =
         "Where the particles stay in a run on a GPU.  device: in its memory.  batches: "
         "in "
         "the memory of the host, from which segments are copied to the GPU, advanced, "
         "and "
         "copied back, for more particles than the GPU has memory for; of model plasma, "
         "species without collisions, not with divide = \"domains\".  auto: batches if "
         "the "
         "GPU's free memory does not suffice and they are available, else device; "
         "`wilson "
         "check` and the log say which.  The result does not depend on it."},
    {KEY("runaway.thresholds", QUANTITIES,
         MCC | WN_KEY_RUNAWAY | WN_KEY_ABOVE_MIN | WN_KEY_RISING),
     .unit = WN_UNIT_ENERGY, AT(thresholds_ev), N_AT(n_thresholds),
     .def = "[\"500 eV\", \"1 keV\", \"2 keV\", \"5 keV\"]", .max = TOP_EV,
     .help = "Energy thresholds, increasing, at which jobs runaway and runaway-rate "
             "count first passages of electrons."},
    {KEY("runaway.levels", BOOL, MCC | WN_KEY_RUNAWAY), AT(runaway_levels),
     .def = "false",
     .help = "Whether a runaway job keeps population.target electrons in each energy "
             "level, however small their weight: a weighted ensemble, by which passages "
             "are measured that very few electrons make, in a field that may change.  "
             "Passages are then per primary (`passages_per_primary`, `time_passages`), "
             "and runaway_fraction is not known.  A runaway-rate job always has levels."},
    {QUANTITY("runaway.levels_from", ENERGY, MCC | WN_KEY_RUNAWAY | WN_KEY_ABOVE_MIN),
     AT(levels_from_ev), .def = "\"20 eV\"", .max = TOP_EV,
     .help = "Lowest edge of the energy levels (runaway.levels, job runaway-rate); "
             "slower electrons "
             "are one level.  Levels extend to the last of runaway.thresholds."},
    {KEY("runaway.levels_per_decade", COUNT, MCC | WN_KEY_RUNAWAY), AT(levels_per_decade),
     .def = "20", .min = 1, .max = 100,
     .help = "Energy levels in each decade of energy (runaway.levels, job runaway-rate). "
             " Each keeps "
             "population.target electrons; more levels resolve rarer electrons, at "
             "proportional cost."},
    {KEY("runaway.plateau_loss", QUANTITY, MCC | WN_KEY_RUNAWAY | WN_KEY_ABOVE_MIN),
     AT(plateau_loss), .def = "0.1", .max = 0.5,
     .help = "Fraction of the electrons passing a threshold of a runaway-rate job that "
             "may fail to pass the last one, for both to be on the plateau, where the "
             "rate is that of runaways.  This is tested with 95 % confidence, so errors "
             "must be smaller."},
    {QUANTITY("runaway.stop_above", ENERGY, MCC | WN_KEY_RUNAWAY | WN_KEY_ABOVE_MIN),
     AT(stop_above_ev), .def = "\"never\"", .automatic = "never", .max = TOP_EV,
     .help = "Electrons of a runaway job above this energy are counted and removed "
             "(`removed_electrons` of the output).  never: they are followed to the end; "
             "in a runaway-rate job up to the last of `runaway.thresholds`."},
    {QUANTITY("stop_below", ENERGY, MCC), AT(stop_below_ev), .def = "\"0 eV\"",
     .max = TOP_EV,
     .help =
         "Electrons of a swarm or runaway job that a collision leaves below this energy, "
         "and newborns below it, are removed and counted (`removed_electrons`, "
         "`removed_rate`), for electrons that run away among many that do not.  0: none "
         "are.  Candidates then come by energy bands that exclude lower energies, too."},
    {KEY("detectors.planes", QUANTITIES, MCC | WN_KEY_RUNAWAY | WN_KEY_RISING),
     .unit = WN_UNIT_LENGTH, AT(detectors.planes), N_AT(detectors.n_planes), .def = "[]",
     .min = -1e7, .max = 1e7,
     .help = "Planes across the drift, by their z, increasing, at which a runaway job "
             "notes each electron that crosses: counts, spectra and a table "
             "(`detector_electrons`, `detector_spectrum`, `crossing_time`).  Electrons "
             "are released at z = 0 and drift along +z, which is outward.  Crossings are "
             "found on the flight between collisions, whatever the step."},
    {KEY("detectors.spheres", QUANTITIES,
         MCC | WN_KEY_RUNAWAY | WN_KEY_RISING | WN_KEY_ABOVE_MIN),
     .unit = WN_UNIT_LENGTH, AT(detectors.spheres), N_AT(detectors.n_spheres),
     .def = "[]", .max = 1e7,
     .help = "Spheres around the place of the release, by their radius, increasing, as "
             "detectors.planes; they are detectors after the planes."},
    {QUANTITY("detectors.above", ENERGY, MCC | WN_KEY_RUNAWAY), AT(detectors.above_ev),
     .def = "\"0 eV\"", .max = TOP_EV,
     .help = "Least energy of an electron that a detector notes."},
    {KEY("detectors.rows", COUNT, MCC | WN_KEY_RUNAWAY), AT(detectors.rows),
     .def = "1000", .min = 1, .max = 1e7,
     .help = "Rows of the table of crossings for each detector and field.  Where there "
             "are more crossings the table has a random sample, and the weights of its "
             "rows stand for all."},
    {QUANTITY("radiation.photons_min", ENERGY, MCC | WN_KEY_ABOVE_MIN),
     AT(radiation.photons_min_ev), .def = "\"never\"", .automatic = "never",
     .max = TOP_EV,
     .help = "Least energy of a photon of a swarm or runaway job; it switches radiation "
             "on.  Electrons "
             "above it emit bremsstrahlung, photon by photon, and lose what is below it "
             "continuously; photons are followed in gas without bounds, and electrons "
             "that they free join the swarm.  Photons that fall below it are absorbed "
             "where they are.  Emission is that of the place and energy at the end of "
             "each sampling interval, an error of second order in the interval.  Each "
             "element needs a file (gas.components.<NAME>.photons), and "
             "tables.energy_max may not exceed the last photon energy there, 100 MeV.  "
             "never: there is no radiation.  doc/photons.md."},
    {KEY("radiation.compton", WORD, MCC), AT(radiation.compton), .def = "\"bound\"",
     .words = compton_words,
     .help =
         "Compton scattering.  free: of free electrons at rest, by Klein and "
         "Nishina.  bound: total of the data, and angles by the scattering function."},
    {KEY("radiation.rayleigh", WORD, MCC), AT(radiation.rayleigh), .def = "\"none\"",
     .words = rayleigh_words,
     .help =
         "Coherent scattering of photons.  none: left out.  form-factor: by the data."},
    {KEY("radiation.angle", WORD, MCC), AT(radiation.angle), .def = "\"2bs\"",
     .words = angle_words,
     .help = "Angle of bremsstrahlung to the electron.  dipole: that of a dipole moving "
             "with it.  2bs: formula 2BS of Koch and Motz."},
    {KEY("radiation.positrons", WORD, MCC), AT(radiation.positrons), .def = "\"counted\"",
     .words = positron_words,
     .help = "Positrons of pairs.  counted: they leave the run with "
             "their energy, and both are counted (`positrons_not_followed`).  at-rest: "
             "their kinetic energy is deposited where they are made, and they annihilate "
             "there into two photons.  moving: they are followed in the fields with "
             "elastic collisions, Bhabha scattering, bremsstrahlung and annihilation in "
             "flight, and annihilate at rest below radiation.positrons_stop; electrons "
             "that they free join the swarm.  The density effect is that of "
             "moller.density_effect."},
    {QUANTITY("radiation.positrons_cut", ENERGY, MCC), AT(radiation.positrons_cut_ev),
     .def = "\"10 keV\"", .min = 1e3, .max = TOP_EV,
     .help = "For radiation.positrons = \"moving\": least energy of an electron that a "
             "positron frees, by Bhabha's cross section.  Losses below it are "
             "continuous, without straggling, and their electrons do not join."},
    {QUANTITY("radiation.positrons_stop", ENERGY, MCC), AT(radiation.positrons_stop_ev),
     .def = "\"10 keV\"", .min = 1e4, .max = TOP_EV,
     .help = "For radiation.positrons = \"moving\": positrons below this energy deposit "
             "it, and annihilate where they are."},
    {KEY("radiation.positrons_brems", WORD, MCC), AT(radiation.positrons_brems),
     .def = "\"ratio\"", .words = positron_brems_words,
     .help = "Bremsstrahlung of positrons that move.  electron: as often as "
             "electrons.  ratio: less often by the ratio of the radiative stopping of "
             "both, as PENELOPE fits it: 0.81 in nitrogen at 100 keV."},
    {KEY("radiation.roulette_weight", QUANTITY, MCC), AT(radiation.roulette_weight),
     .def = "0", .max = 1e3,
     .help =
         "Russian roulette of photons: one whose weight times importance is below this "
         "survives with the probability of their ratio, and then has this weight over "
         "the importance.  Weights are those of electrons, about 1 at the beginning "
         "of a block.  Means are unchanged; fewer photons are followed, and electrons "
         "that they free have their weight.  0: no roulette."},
    {QUANTITY("radiation.roulette_below", ENERGY, MCC | WN_KEY_ABOVE_MIN),
     AT(radiation.roulette_below_ev), .def = "\"never\"", .automatic = "never",
     .max = TOP_EV,
     .help =
         "For radiation.roulette_weight: the importance of a photon below this energy "
         "is its energy over this one, and 1 above.  never: it is 1 for all, so that "
         "photons play for their weight alone."},
    {KEY("distribution.bins_per_decade", COUNT, MCC), AT(distribution_bins_per_decade),
     .def = "20", .min = 1, .max = 1000,
     .help = "Bins of the energy distribution in each decade."},
    {QUANTITY("distribution.minimum", ENERGY, MCC | WN_KEY_ABOVE_MIN),
     AT(distribution_min_ev), .def = "\"1 meV\"", .max = 1e9,
     .help = "Lower edge of the first bin of the energy distribution."},
    {QUANTITY("distribution.maximum", ENERGY, MCC | WN_KEY_ABOVE_MIN),
     AT(distribution_max_ev), .def = "\"100 MeV\"", .max = 1e9,
     .help = "Upper edge of the last bin of the energy distribution; it must be above "
             "`distribution.minimum`."},
    {KEY("device", STRING, ALL), AT(device), .def = "\"auto\"",
     .help =
         "Device of the particles.  cpu: the processors.  cuda: the first GPU; cuda:1 "
         "the second, and so on; if it cannot be used the run does not start.  auto: the "
         "first GPU if it can be used and `scheduler` runs on it, else the processors; "
         "and these for plasmas with adaptive steps or test electrons, which take a GPU "
         "by name alone.  "
         "`wilson list devices` lists the devices.  The result does not depend on it."},
    {KEY("scheduler", STRING, ALL), AT(scheduler), .def = "\"auto\"",
     .help = "Scheduler that advances the particles; `wilson list schedulers` names "
             "them.  auto: the fastest one of the device; on the CPU openmp if it is "
             "built in, else serial.  The result does not depend on it."},
    {KEY("threads", INT, ALL), AT(threads), .def = "0", .max = WN_THREADS_MOST,
     .help = "Threads of a multithreaded scheduler.  0: all threads of the machine.  The "
             "result does not depend on it."},
    {KEY("divide", WORD, ALL), AT(divide), .def = "\"auto\"", .words = divide_words,
     .help =
         "What works side by side: several processes (mpirun), or the threads of one.  "
         "electrons: each case is divided, and cases follow one another; a case is "
         "faster, and needs less memory on each process.  cases: whole cases of model "
         "mcc, fields or scan points, which is faster if a case has few electrons.  "
         "domains: the grid of model plasma among processes, in slabs along its last "
         "axis, with the particles in them, for large grids, with plasma.solver = "
         "\"differences\"; wilson check --ranks estimates which is faster.  auto: "
         "cases, if there are at least as many as processes, with at most a million "
         "electrons each, and among threads also a job that holds their number and "
         "no checkpoint.step_limit; else electrons.  The result does not depend on "
         "it; with domains it is the same to rounding."},
    {KEY("block_size", INT, MCC), AT(block_size), .def = "0",
     .max = 1024, /* the limit of every GPU */
     .help = "Threads in a block of a scheduler that runs on a GPU, a multiple of 32.  "
             "0: the default of the scheduler.  The result does not depend on it."},
    {KEY("output", STRING, ALL), AT(output),
     .def_text = "the name of the scenario file with .nc, in the working folder",
     .help = "The netCDF file to write.  During the run its name ends in .part."},
    {KEY("quiet", BOOL, ALL), AT(quiet), .def = "false",
     .help = "Whether to leave out progress, with the rows of model plasma, and messages "
             "other than warnings and errors.  Results of other models are printed."},
    {QUANTITY("checkpoint.interval", WALL, ALL | WN_KEY_ABOVE_MIN),
     AT(checkpoint.interval), .def = "\"30 min\"", .automatic = "never", .max = 1e9,
     .help = "Wall-clock time from one checkpoint to the next.  A checkpoint is a file "
             "beside the output, named with .ckpt at the end; `wilson run FILE --restart "
             "auto` continues from it with the same bits.  A completed run removes it.  "
             "A run that SIGTERM or SIGINT stops after this time, or after a minute, "
             "writes one before it ends.  never: neither of these."},
    {KEY("checkpoint.steps", COUNT, ALL), AT(checkpoint.steps), .def = "0", .max = 1e18,
     .help =
         "Steps from one checkpoint to the next, in addition to checkpoint.interval; a "
         "run that SIGTERM or SIGINT stops then always writes one.  0: only that key."},
    {QUANTITY("checkpoint.wall_limit", WALL, ALL | WN_KEY_ABOVE_MIN),
     AT(checkpoint.wall_limit), .def = "\"none\"", .automatic = "none", .max = 1e9,
     .help = "Wall-clock time after which a batch system ends the program.  Early enough "
             "for one more step and a checkpoint, a checkpoint is written and the run "
             "ends with exit status 3."},
    {KEY("checkpoint.step_limit", COUNT, ALL), AT(checkpoint.step_limit), .def = "0",
     .max = 1e18,
     .help = "Steps after which a checkpoint is written and the run ends with exit "
             "status 3, counted from zero after each restart.  0: none."},
};

const size_t wn_config_run_rows =
    sizeof wn_config_run_keys / sizeof wn_config_run_keys[0];
