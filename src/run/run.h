/* src/run/run.h - run a scenario, or forecast what it needs. */
#ifndef WN_SRC_RUN_RUN_H
#define WN_SRC_RUN_RUN_H
#include "src/config/config.h"
#include "src/run/forecast_ranks.h"
#include "src/sim/sim.h"

/* Run all cases of all points of the scenario (one but for scans): results as a table on stdout, progress on stderr,
 * everything in the output of the first.  argv (may be NULL) goes into the file's history.
 * restart: the checkpoint to go on from, "auto" (src/run/checkpoint.h), or NULL.
 *   WN_EINPUT         cross sections or models do not fit, or the checkpoint; nothing was written
 *   WN_ERUN, WN_EIO   said why; what was finished is in <output>.part
 *   WN_EFULL          the store of electrons was full; what was measured is in the output
 *   WN_ELIMIT         it came to a limit of the group checkpoint, and wrote one
 * SIGINT and SIGTERM end the run after the step in hand, as WN_ERUN does; SIGUSR1 asks for a
 * checkpoint, after which it goes on. */
int wn_run(const struct wn_scenarios *p, const char *restart, int argc,
           char *const *argv);

/* Read and tabulate the gas, then print what the run will need: memory by item,
 * candidates, time; of a scan for its first point, the gases of all.  Makes a short trial of each case (src/run/forecast.h) and writes
 * nothing; with more than one process also what each of them needs.  Errors of the scenario as wn_run. */
struct wn_check_ranks {
  int n; /* processes */
  struct wn_link link;
  int divides_cases; /* wn_check knows */
};
int wn_check(const struct wn_scenarios *p, const struct wn_check_ranks *ranks);

#endif
