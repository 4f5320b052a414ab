/* particles/thread_sums.h - integer sums to which all threads of a team add: the first thread
 * to the sums themselves, each other one to a row of its own, without locks.  At the end every
 * thread adds up a part of all rows.  Integers: the sums are the same for any number of
 * threads.  In a build without OpenMP a team has one thread. */
#ifndef WN_PARTICLES_THREAD_SUMS_H
#define WN_PARTICLES_THREAD_SUMS_H
#include <stddef.h>
#include "physics/tally.h"

struct wn_thread_sums {
  wn_i128 *rows; /* of all threads but the first; zero between uses */
  size_t n;      /* that are allocated, of all rows */
};

/* Room for that many threads and sums.  Returns 0 without memory. */
int wn_thread_sums_reserve(struct wn_thread_sums *s, int threads, size_t cells);
void wn_thread_sums_clear(struct wn_thread_sums *s);

/* Where thread `me` adds. */
wn_i128 *wn_thread_sums_row(const struct wn_thread_sums *s, int me, size_t cells,
                            wn_i128 *sums);
/* By every thread of the team, after its additions: adds all rows to the sums.  Begins and ends
 * with a barrier. */
void wn_thread_sums_collect(struct wn_thread_sums *s, int me, int team, size_t cells,
                            wn_i128 *sums);

#endif
