/* src/jobs/runaway_rate_window.c - when job `runaway-rate` begins to measure, and for how long.
 *
 * A passage of the last threshold is of the steady swarm when the electron rose through the
 * first one after the swarm was steady there.  So the window opens when
 *
 *   OPEN t >= t_1 + q,
 *
 * t: since the release; t_1: since when the rate of the first threshold stays what it is
 * (wn_event_rates_settled); q: the time which all but LATE of those that passed the last took, of the
 * times seen in the second half of t.  Before t was long enough these are cut at t - t_1, where
 * most of them then are, and not below OPEN t - t_1: the condition fails, and does not hold too
 * early for a distribution that falls ever faster.
 *
 * Of what was seen until then, the pilot, nothing is counted.  It chooses how long the window is,
 *
 *   MARGIN (e/accuracy)^2 times its own second half,
 *
 * from the relative standard error e of the last rate in that.  A window that ended when its own
 * error was small enough would end more often where few rare events were in it, as these make both
 * value and error large: measured on 2026-11-24, 500 kV/cm of runaway-air.cfg, 27 % too low and an
 * error of half the scatter. */
#include <math.h>
#include "src/jobs/runaway_rate.h"

#define OPEN 0.75 /* 1 - OPEN is left for those that were not seen yet */
#define LATE 0.01 /* part of those that pass */
/* An error of 32 groups is known to 13 % at the best, its square to a fourth, and worse where few
 * rare events make it */
#define MARGIN 2.0
#define KNOWN  0.25 /* an error above it says too little of the length that is needed */
/* Rates of the first threshold that are called the same. */
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
