/* base/clock.h - how long something took: for forecasts, progress and benches, never for
 * results. */
#ifndef WN_BASE_CLOCK_H
#define WN_BASE_CLOCK_H
#include <time.h>

/* s, from some moment in the past; no change of the date moves it. */
static inline double wn_clock_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
