/* src/config/same_scenario.h - whether a run may continue from the checkpoint of another: only if
 * everything is the same that its bits depend on, that is the keys of the resolved scenario and
 * the contents of the files that it names.  Device and speed, title and paths, capacity of the
 * store, and the checkpoints themselves may differ. */
#ifndef WN_SRC_CONFIG_SAME_SCENARIO_H
#define WN_SRC_CONFIG_SAME_SCENARIO_H
#include "src/config/config.h"

/* A line for each key that must be the same, "gas.pressure = "101325 Pa""; in place of a file
 * name the SHA-256 of the file.  malloc'd; NULL when out of memory or if a file cannot be
 * read, which is logged. */
char *wn_same_text(const struct wn_config *c);
/* The same for a resolved scenario (wn_config_text) from an output. */
char *wn_same_text_of(const char *resolved);

/* WN_EINPUT with the key and both values, if they differ; file: the origin of `saved`. */
int wn_same_check(const char *file, const char *saved, const char *now);

#endif
