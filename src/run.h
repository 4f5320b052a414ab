/* src/run.h - run a scenario, or forecast what it needs. */
#ifndef WN_SRC_RUN_H
#define WN_SRC_RUN_H
#include "src/config.h"

/* Run all fields of the scenario: results as a table on stdout, progress on stderr,
 * everything in c->output. argv (may be NULL) goes into the file's history. WN_EINPUT:
 * cross sections or models do not fit; nothing was written.  WN_ERUN, WN_EIO: said why;
 * what was finished is in <output>.part.  SIGINT and SIGTERM end the run after the phase
 * in hand, likewise. */
int wn_run(const struct wn_config *c, int argc, char *const *argv);

/* Read and tabulate the gas, then print what the run will need: memory by item,
 * candidates, time.  Runs nothing. */
int wn_check(const struct wn_config *c);

#endif
