/* src/config/keys_run.c - scenario keys after those of src/config/keys.c: how many electrons are
 * kept, what is counted of them, the machine and the output. */
#include "src/config/keys.h"

static const char *const divide_words[] = {"auto", "electrons", "cases", "domains", NULL};
_Static_assert(sizeof divide_words / sizeof *divide_words == WN_N_DIVIDED + 1,
               "a word for each");

const struct wn_key wn_config_run_keys[] = {
    {.key = "population.target",
     .type = WN_KEY_COUNT,
     .flags = MCC,
     AT(population_target),
     .def = "0",
     .max = 4e9,
     .help =
         "Electrons to keep in each field when the swarm grows or dies; their "
         "weights change instead.  0: as many as `electrons` in a swarm job, and no "
         "control in a runaway job.  A swarm in a gas that ionizes or attaches has 12 in "
         "each group at the least.  In a runaway-rate job these are the electrons of "
         "each level (runaway.levels_per_decade), 0: 1000; the lowest has as many as all "
         "others."},
    {.key = "population.protect_above",
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_ENERGY,
     .flags = MCC,
     AT(population_protect_ev),
     .def = "\"500 eV\"",
     .max = TOP_EV,
     .help = "Electrons above this energy are never removed by the control of the "
             "population, so that rare fast ones are kept."},
    {.key = "population.capacity",
     .type = WN_KEY_COUNT,
     .flags = ALL,
     AT(capacity),
     .def = "20000000",
     .def_plasma = "100000000",
     .min = 1,
     .max = 4e9,
     .help =
         "Electrons that the store may hold, in model plasma particles of each species; "
         "`wilson check` says how much memory that "
         "is.  A full store ends the run, with the results up to there on disk."},
    {.key = "runaway.thresholds",
     .type = WN_KEY_QUANTITIES,
     .unit = WN_UNIT_ENERGY,
     .flags = MCC | WN_KEY_RUNAWAY | WN_KEY_ABOVE_MIN | WN_KEY_RISING,
     AT(thresholds_ev),
     N_AT(n_thresholds),
     .def = "[\"500 eV\", \"1 keV\", \"2 keV\", \"5 keV\"]",
     .max = TOP_EV,
     .help = "Energies, rising, at which a job runaway or runaway-rate counts the "
             "electrons that have passed them."},
    {.key = "runaway.levels_from",
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_ENERGY,
     .flags = MCC | WN_KEY_RUNAWAY | WN_KEY_ABOVE_MIN,
     AT(levels_from_ev),
     .def = "\"20 eV\"",
     .max = TOP_EV,
     .help =
         "Energy at which the levels of a runaway-rate job begin; slower electrons are "
         "one level.  Levels go on to the last of runaway.thresholds."},
    {.key = "runaway.levels_per_decade",
     .type = WN_KEY_COUNT,
     .flags = MCC | WN_KEY_RUNAWAY,
     AT(levels_per_decade),
     .def = "20",
     .min = 1,
     .max = 100,
     .help = "Levels of a runaway-rate job in each factor of ten of energy.  In each as "
             "many electrons are kept as population.target says; more levels see rarer "
             "electrons and cost as much more."},
    {.key = "runaway.plateau_loss",
     .type = WN_KEY_QUANTITY,
     .flags = MCC | WN_KEY_RUNAWAY | WN_KEY_ABOVE_MIN,
     AT(plateau_loss),
     .def = "0.1",
     .max = 0.5,
     .help =
         "Part of the electrons that pass a threshold of a runaway-rate job that may "
         "fail "
         "to pass the last one, for both to be on the plateau where a rate is that of "
         "runaways.  It is asked with 95 %, so that errors have to be smaller."},
    {.key = "runaway.stop_above",
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_ENERGY,
     .flags = MCC | WN_KEY_RUNAWAY | WN_KEY_ABOVE_MIN,
     AT(stop_above_ev),
     .def = "\"never\"",
     .automatic = "never",
     .max = TOP_EV,
     .help = "Electrons of a runaway job that pass this energy are counted and taken "
             "out (`removed_electrons` of the output).  never: they are followed to the "
             "end; in a runaway-rate job, where none may be lost, to the last of "
             "`runaway.thresholds`."},
    {.key = "distribution.bins_per_decade",
     .type = WN_KEY_COUNT,
     .flags = MCC,
     AT(distribution_bins_per_decade),
     .def = "20",
     .min = 1,
     .max = 1000,
     .help = "Bins of the energy distribution in each factor of ten."},
    {.key = "distribution.minimum",
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_ENERGY,
     .flags = MCC | WN_KEY_ABOVE_MIN,
     AT(distribution_min_ev),
     .def = "\"1 meV\"",
     .max = 1e9,
     .help = "Lower edge of the first bin of the energy distribution."},
    {.key = "distribution.maximum",
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_ENERGY,
     .flags = MCC | WN_KEY_ABOVE_MIN,
     AT(distribution_max_ev),
     .def = "\"100 MeV\"",
     .max = 1e9,
     .help = "Upper edge of the last bin of the energy distribution; it must be above "
             "`distribution.minimum`."},
    {.key = "device",
     .type = WN_KEY_STRING,
     .flags = ALL,
     AT(device),
     .def = "\"auto\"",
     .help = "Where the electrons are.  cpu: on the processors.  cuda: on the first GPU; "
             "cuda:1 on the second, and so on; where it cannot be used the run does not "
             "start.  auto: on the first GPU if there is one that can be used and "
             "`scheduler` runs on it, else on the processors.  `wilson list devices` "
             "says what there is.  The result does not depend on it."},
    {.key = "scheduler",
     .type = WN_KEY_STRING,
     .flags = ALL,
     AT(scheduler),
     .def = "\"auto\"",
     .help =
         "Who advances the electrons; `wilson list schedulers` names them.  auto: the "
         "fastest of the device; on the CPU openmp where it was built in, else serial.  "
         "The result does not depend on it."},
    {.key = "threads",
     .type = WN_KEY_INT,
     .flags = ALL,
     AT(threads),
     .def = "0",
     .max =
         4096, /* more than any machine has; the stacks of 65536 threads would end the program */
     .help = "Threads of a scheduler that has threads.  0: all that the machine offers.  "
             "The result does not depend on it."},
    {.key = "divide",
     .type = WN_KEY_WORD,
     .flags = ALL,
     AT(divide),
     .def = "\"auto\"",
     .words = divide_words,
     .help =
         "What several processes (mpirun) divide among themselves.  electrons: those of "
         "each case, so that a case is over sooner and needs less memory of each.  "
         "cases: whole cases of model mcc, fields or points of a scan, which is faster "
         "where a case has few electrons.  domains: of model plasma the grid, in slabs "
         "along its last axis, and the particles in them, where the grid takes long or "
         "has no room, with plasma.solver = \"differences\"; wilson check --ranks says "
         "which is the better.  auto: cases where "
         "there are as many as processes or more, of a million electrons at most; else "
         "electrons.  The result does not depend on it, but with domains to rounding "
         "only."},
    {.key = "block_size",
     .type = WN_KEY_INT,
     .flags = MCC,
     AT(block_size),
     .def = "0",
     .max = 1024, /* the limit of every GPU */
     .help =
         "Threads in a block of a scheduler that runs on a GPU, a multiple of 32.  0: "
         "what the scheduler takes for best.  The result does not depend on it."},
    {.key = "output",
     .type = WN_KEY_STRING,
     .flags = ALL,
     AT(output),
     .def_text = "the name of the scenario file with .nc, in the working folder",
     .help = "The netCDF file to write.  While the run lasts it is named with .part at "
             "the end."},
    {.key = "quiet",
     .type = WN_KEY_BOOL,
     .flags = ALL,
     AT(quiet),
     .def = "false",
     .help = "Whether to print only warnings and errors while running."},
    {.key = "checkpoint.interval",
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_WALL,
     .flags = ALL | WN_KEY_ABOVE_MIN,
     AT(checkpoint.interval),
     .def = "\"30 min\"",
     .automatic = "never",
     .max = 1e9,
     .help =
         "Time from one checkpoint to the next.  A checkpoint stands beside the output, "
         "with .ckpt at the end of its name, and `wilson run FILE --restart auto` goes "
         "on "
         "from it to the same bits; a run that comes to its end removes it.  A run that "
         "SIGTERM or SIGINT stops after this time, or after a minute, writes one before "
         "it ends.  never: neither of these."},
    {.key = "checkpoint.steps",
     .type = WN_KEY_COUNT,
     .flags = ALL,
     AT(checkpoint.steps),
     .def = "0",
     .max = 1e18,
     .help = "Steps from one checkpoint to the next, beside checkpoint.interval; a run "
             "that SIGTERM or SIGINT stops then always writes one.  0: that key alone."},
    {.key = "checkpoint.wall_limit",
     .type = WN_KEY_QUANTITY,
     .unit = WN_UNIT_WALL,
     .flags = ALL | WN_KEY_ABOVE_MIN,
     AT(checkpoint.wall_limit),
     .def = "\"none\"",
     .automatic = "none",
     .max = 1e9,
     .help = "Time after which the program is ended by others, as by a batch system.  So "
             "long before it that a step and a checkpoint have room a checkpoint is "
             "written and the run ends with exit status 3."},
    {.key = "checkpoint.step_limit",
     .type = WN_KEY_COUNT,
     .flags = ALL,
     AT(checkpoint.step_limit),
     .def = "0",
     .max = 1e18,
     .help =
         "Steps after which a checkpoint is written and the run ends with exit status "
         "3, counted anew after each restart.  0: none."},
};

const size_t wn_config_run_rows =
    sizeof wn_config_run_keys / sizeof wn_config_run_keys[0];
