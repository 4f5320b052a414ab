/* src/stats/time_lived.h - time lived by the electrons of each group since the release: for rates of
 * events that are delayed relative to the electrons they are divided by.
 *
 * Sums over steps, kept at up to WN_TIME_LIVED_MOST times: when there are more, every second one is
 * dropped.  Between them time lived is interpolated linearly. */
#ifndef WN_SRC_STATS_TIME_LIVED_H
#define WN_SRC_STATS_TIME_LIVED_H
#include <stddef.h>
#include <stdint.h>
#include "base/state.h"

#define WN_TIME_LIVED_MOST 1024 /* even */

struct wn_time_lived;

/* WN_ENOMEM. */
int wn_time_lived_create(size_t n_groups, struct wn_time_lived **out);
void wn_time_lived_free(struct wn_time_lived *l);

/* Time lived by a group in the current step [s, times weights]; after all groups: wn_time_lived_step. */
void wn_time_lived_add(struct wn_time_lived *l, size_t group, double time);
void wn_time_lived_step(struct wn_time_lived *l);

/* Time lived by a group from the release to `step`, which need not be a whole number: 0 before
 * the release; constant after the last step. */
double wn_time_lived_until(const struct wn_time_lived *l, size_t group, double step);

/* For a checkpoint. */
int wn_time_lived_state(struct wn_time_lived *l, struct wn_state *s);

#endif
