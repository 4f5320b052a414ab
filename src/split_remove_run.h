/* src/split_remove_run.h - model split-remove: the job of the scheduler study, with its
 * grid, table and Poisson steps. */
#ifndef WN_SRC_SPLIT_REMOVE_RUN_H
#define WN_SRC_SPLIT_REMOVE_RUN_H
#include "src/config.h"
#include "src/sim.h"

/* interrupted: asked after every Poisson step; anything but WN_OK ends the run. */
int wn_run_split_remove(const struct wn_config *c, int argc, char *const *argv,
                        int (*interrupted)(void));

/* The table: per cent of splits and removals at each of the WN_SPLIT_LEVELS levels.  path
 * NULL: the study's, s = r = (sin(x^2.6 / 5e7) + 1.01) x^0.1, 0 at level 0.  A file has
 * WN_SPLIT_LEVELS lines of two numbers; # begins a comment. WN_EINPUT with path:line when
 * a number is missing, negative, or a pair adds up to more than 100. */
int wn_split_table(const char *path, float *split, float *removed);

/* A simulation ready to go: electrons at rest, uniform in the cube of `edge` cells that
 * begins at cell cells/2 - 30. */
int wn_split_create(const struct wn_config *c, struct wn_sim **out);

#endif
