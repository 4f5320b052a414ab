/* src/run/run.h - run a scenario, or forecast what it needs. */
#ifndef WN_SRC_RUN_RUN_H
#define WN_SRC_RUN_RUN_H
#include "src/config/config.h"
#include "src/run/forecast_ranks.h"
#include "src/sim/sim.h"

/* Run all cases of all scan points: results as a table on stdout, progress on stderr, everything in the
 * output of the first point.  argv (may be NULL) goes into the file's history.  restart: the checkpoint
 * to continue from, "auto" (src/run/checkpoint.h), or NULL.
 *   WN_EINPUT         cross sections or models do not fit, or the checkpoint; nothing was written
 *   WN_ERUN, WN_EIO   logged; finished cases are in <output>.part
 *   WN_EFULL          the store of electrons was full; results so far are in the output
 *   WN_ELIMIT         a limit of the group checkpoint was reached, and a checkpoint written
 * SIGINT and SIGTERM end the run after the current step, with WN_ERUN; SIGUSR1 requests a checkpoint,
 * after which the run continues. */
int wn_run(const struct wn_scenarios *p, const char *restart, int argc,
           char *const *argv);

/* Read and tabulate the gas, then print the needs of the run: memory by item, candidates, time; of a scan
 * for its first point, and the gases of all.  Makes a short trial of each case (src/run/forecast.h) and
 * writes nothing; with more than one process also the needs of each.  Errors of the scenario as
 * wn_run. */
struct wn_check_ranks {
  int n; /* processes */
  struct wn_link link;
  int divides_cases; /* set by wn_check */
};
int wn_check(const struct wn_scenarios *p, const struct wn_check_ranks *ranks);

#endif
