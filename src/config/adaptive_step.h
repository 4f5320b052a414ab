/* src/config/adaptive_step.h - plasma.adaptive: the steps that a scenario allows, pure queries. */
#ifndef WN_SRC_CONFIG_ADAPTIVE_STEP_H
#define WN_SRC_CONFIG_ADAPTIVE_STEP_H
#include "src/config/config.h"

/* The shortest step is at least this part of plasma.time_step, 2^-10: the output has room for as many
 * steps in each whole one. */
#define WN_STEP_MOST_LEVELS 10

/* Whether steps are adaptive. */
bool wn_steps_are_adaptive(const struct wn_config *c);

/* Steps are plasma.time_step times 2^-level, level from 0 to this; 0: all are equal. */
int wn_step_levels(const struct wn_config *c);

/* s, a step of that level. */
double wn_step_of_level(const struct wn_config *c, int level);

#endif
