/* src/stats/event_rates.h - rates of rare events of a population that becomes steady but for its growth:
 * how often, for each electron and second, with which errors.
 *
 * Sums of independent groups are kept in blocks of equal length; when there are too many,
 * two become one.  First comes a pilot, of which the second half counts.  wn_event_rates_open ends
 * it: its sums are forgotten, and all that follows is the window.  When that is, and how long
 * the window is, is the caller's choice (src/jobs/runaway_rate_window.c).  A rate is a sum of events
 * over a sum of time lived, both of a group, with the error of the jackknife over the
 * groups. */
#ifndef WN_SRC_STATS_EVENT_RATES_H
#define WN_SRC_STATS_EVENT_RATES_H
#include <stddef.h>
#include <stdint.h>
#include "base/state.h"
#include "src/stats/jackknife.h"

#define WN_EVENT_RATES_BLOCKS 64 /* at the most; a multiple of 8 */

struct wn_event_rates;

/* n_columns events beside the time lived, of n_groups; most_delays: struct wn_event_rates_delayed.n at
 * the most.  WN_ENOMEM. */
int wn_event_rates_create(size_t n_groups, size_t n_columns, size_t most_delays,
                          struct wn_event_rates **out);
void wn_event_rates_free(struct wn_event_rates *r);

/* What a step of a group was: time lived [s], events [n_columns]; weights in any unit that
 * is that of both.  After the rows of all groups: wn_event_rates_step. */
void wn_event_rates_add(struct wn_event_rates *r, size_t group, double time,
                        const double *events);

/* The step is over.  Returns 1 when the caller may decide about the whole: each time that it
 * has become longer by an eighth to a fourth. */
int wn_event_rates_step(struct wn_event_rates *r);

/* The pilot is over: the window begins, with no sums, and blocks so long that `steps` steps
 * are at most WN_EVENT_RATES_BLOCKS of them.  Returns how many steps fill whole blocks, `steps` or a few
 * more. */
uint64_t wn_event_rates_open(struct wn_event_rates *r, uint64_t steps);

/* Steps that are measured; those before them. */
uint64_t wn_event_rates_window(const struct wn_event_rates *r, uint64_t *before);

/* Steps of the pilot after which the blocks of its first half have the rate that the second half
 * has, within so many standard errors of the difference or this part of the rate: to the end of the
 * last two blocks in a row, or of the first block, that have not.  (One alone is an accident: so
 * many blocks are asked, with errors from few rare events, that there are some.) */
uint64_t wn_event_rates_settled(const struct wn_event_rates *r, size_t column,
                                double errors, double part);

/* Events that come a while after the electrons they are asked of, by their delay: n columns from
 * `column` on, `stride` apart, of events that come delay[i] to delay[i + 1] steps later.  Their
 * rate is that of events over the time lived so long before,
 *
 *   sum over i of  events_i / (time lived in what is measured, delay_i earlier).
 *
 * That the electrons grow in number, and their weights are halved now and then, so drops out,
 * whenever what is measured begins and ends. */
struct wn_event_rates_delayed {
  size_t n, column, stride;
  const double *delay; /* [n + 1] steps; all between delay[i] and delay[i + 1] alike */
};

/* The rate of a column, 1/s, without delays; NaN before anything is measured. */
struct wn_estimate wn_event_rates_of(const struct wn_event_rates *r, size_t column);
/* The same with delays. */
struct wn_estimate wn_event_rates_of_delayed(const struct wn_event_rates *r,
                                             const struct wn_event_rates_delayed *x);
/* One rate over another; NaN where the other is 0. */
struct wn_estimate
wn_event_rates_ratio_delayed(const struct wn_event_rates *r,
                             const struct wn_event_rates_delayed *one,
                             const struct wn_event_rates_delayed *other);
/* The rate in the second half of what is measured less that in the first. */
struct wn_estimate wn_event_rates_drift_delayed(const struct wn_event_rates *r,
                                                const struct wn_event_rates_delayed *x);
/* Events of one column over those of another; NaN where there are none. */
struct wn_estimate wn_event_rates_ratio(const struct wn_event_rates *r, size_t one,
                                        size_t other);
/* Standard deviation of a quantity over the events of column `of`: `sum` adds up the
 * quantity, `squares` its squares.  NaN where there are none. */
struct wn_estimate wn_event_rates_spread(const struct wn_event_rates *r, size_t sum,
                                         size_t squares, size_t of);
/* Events in what is measured, and time lived: sums over the groups. */
double wn_event_rates_events(const struct wn_event_rates *r, size_t column);
double wn_event_rates_time(const struct wn_event_rates *r);

int wn_event_rates_state(struct wn_event_rates *r, struct wn_state *s);

#endif
