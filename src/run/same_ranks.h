/* src/run/same_ranks.h - do all processes of a run have the same input?  Otherwise they would wait for each
 * other for ever, or give results of no scenario. */
#ifndef WN_SRC_RUN_SAME_RANKS_H
#define WN_SRC_RUN_SAME_RANKS_H
#include "src/config/config.h"

/* Collective.  WN_EINPUT on all, with the first line that differs, unless the texts of all processes are the
 * same; what: "command", "scenario".  WN_ENOMEM. */
int wn_same_on_ranks(const char *what, const char *text);

/* The same of the scenarios of a run, all scan points, but for device and speed; more: lines of options. */
int wn_same_scenarios_on_ranks(const struct wn_scenarios *p, const char *more);

#endif
