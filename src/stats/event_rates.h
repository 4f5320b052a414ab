/* src/stats/event_rates.h - rates of rare events in a population of steady exponential growth: events
 * per electron and second, with errors.
 *
 * Sums of independent groups are kept in blocks of equal length; when there are too many blocks, they
 * are merged in pairs.  The first part is the pilot, of which the second half counts.
 * wn_event_rates_open ends it: its sums are discarded, and the window begins.  The caller chooses the
 * time and the length of the window (src/jobs/runaway_rate_window.c).  A rate is a sum of events over a
 * sum of time lived, both by group; its error is from the jackknife over groups. */
#ifndef WN_SRC_STATS_EVENT_RATES_H
#define WN_SRC_STATS_EVENT_RATES_H
#include <stddef.h>
#include <stdint.h>
#include "base/state.h"
#include "src/stats/jackknife.h"

#define WN_EVENT_RATES_BLOCKS 64 /* at most; a multiple of 8 */

struct wn_event_rates;

/* n_columns event counts in addition to time lived, for n_groups; most_delays: largest struct
 * wn_event_rates_delayed.n.  WN_ENOMEM. */
int wn_event_rates_create(size_t n_groups, size_t n_columns, size_t most_delays,
                          struct wn_event_rates **out);
void wn_event_rates_free(struct wn_event_rates *r);

/* A group in a step: time lived [s], events [n_columns], both in the same unit of weight.
 * After the rows of all groups: wn_event_rates_step. */
void wn_event_rates_add(struct wn_event_rates *r, size_t group, double time,
                        const double *events);

/* Ends a step.  Returns 1 when the caller may decide about the measurement: each time its
 * length has grown by an eighth to a fourth. */
int wn_event_rates_step(struct wn_event_rates *r);

/* Ends the pilot and opens the window with empty sums.  The block length is such that `steps` steps fit
 * in WN_EVENT_RATES_BLOCKS blocks.  Returns the number of steps that fills whole blocks, `steps` or
 * slightly more. */
uint64_t wn_event_rates_open(struct wn_event_rates *r, uint64_t steps);

/* Steps of the measurement; *before: steps before it. */
uint64_t wn_event_rates_window(const struct wn_event_rates *r, uint64_t *before);

/* Steps of the pilot after which its blocks agree with the rate of its second half, within `errors`
 * standard errors of the difference or a part of the rate: up to the end of the last two successive
 * blocks, or of the first block, that do not agree.  (A single block may differ by chance, as there
 * are many, with errors from few rare events.) */
uint64_t wn_event_rates_settled(const struct wn_event_rates *r, size_t column,
                                double errors, double part);

/* Events that are delayed relative to the electrons they are divided by, sorted by delay: n
 * columns from `column` on, `stride` apart, of events delayed by delay[i] to delay[i + 1] steps.
 * Their rate is divided by the time lived that much earlier,
 *
 *   sum over i of  events_i / (time lived during the measurement, shifted back by delay_i).
 *
 * So the growth of the population, and the halving of its weights, cancel, for any start and end
 * of the measurement. */
struct wn_event_rates_delayed {
  size_t n, column, stride;
  const double
      *delay; /* [n + 1] steps; uniform distribution between delay[i] and delay[i + 1] */
};

/* The rate of a column, 1/s, without delays; NaN before the measurement. */
struct wn_estimate wn_event_rates_of(const struct wn_event_rates *r, size_t column);
/* The same with delays. */
struct wn_estimate wn_event_rates_of_delayed(const struct wn_event_rates *r,
                                             const struct wn_event_rates_delayed *x);
/* Ratio of two rates; NaN if the second is 0. */
struct wn_estimate
wn_event_rates_ratio_delayed(const struct wn_event_rates *r,
                             const struct wn_event_rates_delayed *one,
                             const struct wn_event_rates_delayed *other);
/* The rate in the second half of the measurement minus that in the first. */
struct wn_estimate wn_event_rates_drift_delayed(const struct wn_event_rates *r,
                                                const struct wn_event_rates_delayed *x);
/* Ratio of the events of two columns; NaN if the second has none. */
struct wn_estimate wn_event_rates_ratio(const struct wn_event_rates *r, size_t one,
                                        size_t other);
/* Standard deviation of a quantity over the events of column `of`: `sum` holds the sum of
 * the quantity, `squares` that of its squares.  NaN if there are no events. */
struct wn_estimate wn_event_rates_spread(const struct wn_event_rates *r, size_t sum,
                                         size_t squares, size_t of);
/* Events in the measurement, and time lived: sums over the groups. */
double wn_event_rates_events(const struct wn_event_rates *r, size_t column);
double wn_event_rates_time(const struct wn_event_rates *r);

int wn_event_rates_state(struct wn_event_rates *r, struct wn_state *s);

#endif
