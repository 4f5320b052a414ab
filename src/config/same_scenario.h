/* src/config/same_scenario.h - may a run go on from what another has saved?  Only where all is the
 * same that its bits depend on: the keys of the resolved scenario and the contents of the
 * files that it names.  Free are where and how fast it runs, what it is called, how much the
 * store may hold, and the checkpoints themselves. */
#ifndef WN_SRC_CONFIG_SAME_SCENARIO_H
#define WN_SRC_CONFIG_SAME_SCENARIO_H
#include "src/config/config.h"

/* A line for each key that must be the same, "gas.pressure = "101325 Pa""; in the place of a
 * file's name the SHA-256 of what it holds.  malloc'd; NULL when out of memory or when a file
 * cannot be read, which is said. */
char *wn_same_text(const struct wn_config *c);
/* The same of a resolved scenario (wn_config_text), as an output has it. */
char *wn_same_text_of(const char *resolved);

/* WN_EINPUT with the key and both values, as far as they differ; file: who says `saved`. */
int wn_same_check(const char *file, const char *saved, const char *now);

#endif
