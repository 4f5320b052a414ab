/* src/run/run.h - run a scenario, or forecast what it needs. */
#ifndef WN_SRC_RUN_RUN_H
#define WN_SRC_RUN_RUN_H
#include <stdbool.h>
#include <stdio.h>
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

/* Before a run: would its output, or its checkpoint, replace an input, or with `keep` a file that exists?  WN_EINPUT; WN_ENOMEM. */
int wn_run_output_allowed(const struct wn_config *c, bool keep, bool is_restart);

/* A run that is watched between its steps: all cases one after another, in this process.  No signal is caught. */
struct wn_run_watch {
  /* Before the first step of a case, and after each step that did not fail; is_over: the case has ended, and its
   * results are written next.  Another status than WN_OK ends the run with it, as an error does. */
  int (*at)(void *ctx, struct wn_sim *s, int is_over);
  void *ctx;
  FILE *to; /* the table, in place of stdout */
};

/* wn_run, watched.  WN_EINPUT, too: there is more than one process. */
int wn_run_watched(const struct wn_scenarios *p, const char *restart, int argc,
                   char *const *argv, const struct wn_run_watch *watch);

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
