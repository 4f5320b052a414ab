/* base/clock.h - elapsed time: for forecasts, progress and benchmarks, never for results. */
#ifndef WN_BASE_CLOCK_H
#define WN_BASE_CLOCK_H
#include <time.h>

/* s, monotonic; changes of the date have no effect. */
static inline double wn_clock_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
