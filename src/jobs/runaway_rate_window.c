/* src/jobs/runaway_rate_window.c - start and length of the measurement of job `runaway-rate`.
 *
 * A passage of the last threshold belongs to the steady swarm if the electron rose through the first
 * threshold after the rate there had become steady.  So the window opens when
 *
 *   OPEN t >= t_1 + q,
 *
 * t: time since the release; t_1: time from which the rate of the first threshold is steady
 * (wn_event_rates_settled); q: the 1 - LATE quantile of the delay of the passages of the last
 * threshold in the second half of t.  While t is still short, delays are cut off at t - t_1, where
 * most of them then lie, and not below OPEN t - t_1.  The condition then fails: it cannot hold too
 * early for a distribution that falls ever faster.
 *
 * The passages before the window, the pilot, are not counted.  The pilot determines the length of the
 * window,
 *
 *   MARGIN (e/accuracy)^2 times its own second half,
 *
 * with e the relative standard error of the last rate in that half.  A window that ended when its own
 * error was small enough would end more often where it holds few rare events, since these raise both
 * value and error: measured on 2026-11-24, 500 kV/cm of runaway-air.cfg, 27 % too low and an error of
 * half the scatter. */
#include <math.h>
#include "src/jobs/runaway_rate.h"

#define OPEN 0.75 /* 1 - OPEN allows for delays not seen yet */
#define LATE 0.01 /* part of the passages */
/* An error of 32 groups is known to 13 % at best, its square to a fourth, and worse if it comes
 * from few rare events. */
#define MARGIN 2.0
#define KNOWN  0.25 /* a larger error does not determine the length of the window */
/* Tolerance for a steady rate of the first threshold. */
#define SETTLED_ERRORS 4.0
#define SETTLED_PART   0.1

uint64_t wn_rate_settled(const struct wn_rate_case *j, const struct wn_sim *s)
{
  return j->opened ? j->settled
                   : wn_event_rates_settled(j->rates,
                                            wn_rate_threshold(s->c, WN_PASSED_COHORT, 0),
                                            SETTLED_ERRORS, SETTLED_PART);
}

void wn_rate_open(struct wn_rate_case *j, const struct wn_sim *s)
{
  const struct wn_config *c = s->c;
  const size_t last = c->n_thresholds - 1;
  const struct wn_estimate rate = wn_rate_of(j, s, last);
  const double error = rate.error / rate.value;
  if (!(error <= KNOWN))
    return;
  const uint64_t settled = wn_rate_settled(j, s);
  const double after = (OPEN * (double)j->steps - (double)settled) * j->interval;
  if (!(wn_rate_part_later(j, s, last, after) <= LATE))
    return;
  uint64_t before;
  const double half = (double)wn_event_rates_window(j->rates, &before),
               least = ceil((1.0 - OPEN) * (double)j->steps),
               wanted = MARGIN * half * error * error / (c->accuracy * c->accuracy),
               left = (double)(j->most - j->steps);
  if (left < least)
    return;
  j->opened = 1;
  j->settled = settled;
  j->end = j->steps +
           wn_event_rates_open(j->rates, (uint64_t)fmin(left, fmax(least, ceil(wanted))));
}

int wn_rate_is_steady(const struct wn_rate_case *j, const struct wn_sim *s, size_t k)
{
  uint64_t before;
  wn_event_rates_window(j->rates, &before);
  const uint64_t settled = wn_rate_settled(j, s);
  const struct wn_estimate drift = wn_rate_drift(j, s, k);
  if (!(wn_rate_passed(j, s, k) > 0.0) || before <= settled ||
      !(fabs(drift.value) <= WN_RATE_STEADY * drift.error))
    return 0;
  return wn_rate_part_later(j, s, k, (double)(before - settled) * j->interval) <=
         WN_RATE_LATE;
}
