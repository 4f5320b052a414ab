/* src/run/forecast_beside.h - the cost of cases that run side by side in one process (src/run/workers.h): they share
 * processors, or a GPU, so that each takes longer than alone, and all less time than one after the other. */
#ifndef WN_SRC_RUN_FORECAST_BESIDE_H
#define WN_SRC_RUN_FORECAST_BESIDE_H
#include "src/run/forecast.h"

/* Trials of n cases side by side, `most` at a time or fewer, for about `budget` seconds.  out [n]: times are
 * those beside the others; *beside: so many ran at a time.  Errors as wn_forecast. */
int wn_forecast_beside(const struct wn_config *c, const struct wn_gas *gas,
                       const struct wn_device_plan *plan, size_t n, int most,
                       double budget, struct wn_forecast *out, int *beside);

/* s until the last of n cases ends, when each of `beside` threads takes the next one in order.
 *   seconds [n]  of each case, beside the greatest number of others
 *   slower       how many times as long a case then takes as alone, at least 1; beside fewer others its time
 *                increases in proportion to their number
 * NAN: out of memory, or a time is not known. */
double wn_beside_seconds(const double *seconds, size_t n, int beside, double slower);

#endif
