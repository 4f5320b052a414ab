/* t/tap/scene.h - for tests that need a simulation without a run: a scenario written to a
 * file in the current folder, read with overrides, and the electrons sorted by id so that
 * stores in another order can be compared. */
#ifndef WN_T_TAP_SCENE_H
#define WN_T_TAP_SCENE_H
#include <stddef.h>
#include "src/config.h"
#include "src/sim.h"

/* Air of 79 % N2 and 21 % O2 with the built-in cross sections at 1 atm; no job, fields,
 * electrons or duration. */
extern const char scene_air[];

struct scene {
  struct wn_config *config;
  struct wn_gas *gas; /* NULL for split-remove */
  struct wn_sim *sim;
};

/* text: a scenario, written to `file`, which is removed again; set: overrides
 * "key=value", ended by NULL. Makes config and gas.  These functions bail out of the test
 * when anything fails: a test cannot go on without. */
void scene_open(struct scene *s, const char *file, const char *text,
                const char *const *set);

/* A simulation of the first field, in the place of any before, the electrons released,
 * interval [s] set when above 0. */
void scene_start(struct scene *s, double interval);

/* As the keys of the scenario; before scene_start. */
void scene_scheduler(struct scene *s, const char *name, int threads);
void scene_close(struct scene *s);

/* Electrons in the order of their ids. */
void scene_sort(struct wn_electron *e, size_t n);

#endif
