/* base/threads.h - the number of threads, and which of a team this one is. */
#ifndef WN_BASE_THREADS_H
#define WN_BASE_THREADS_H
#include <stddef.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* More than any machine has; the stacks of many more would end the program. */
#define WN_THREADS_MOST 4096

/* wanted, or for 0 the number of OpenMP (OMP_NUM_THREADS), at most WN_THREADS_MOST; one in a build without
 * OpenMP. */
static inline int wn_threads(int wanted)
{
#ifdef _OPENMP
  const int n = wanted > 0 ? wanted : omp_get_max_threads();
  return n < WN_THREADS_MOST ? n : WN_THREADS_MOST;
#else
  (void)wanted;
  return 1;
#endif
}

/* In a parallel region: this thread, from 0 on, and how many there are. */
static inline int wn_thread(void)
{
#ifdef _OPENMP
  return omp_get_thread_num();
#else
  return 0;
#endif
}

static inline int wn_team(void)
{
#ifdef _OPENMP
  return omp_get_num_threads();
#else
  return 1;
#endif
}

/* The part of thread `me` of n things begins here; it ends where that of me + 1 begins. */
static inline size_t wn_thread_part(size_t n, int me, int team)
{
  const size_t q = n / (size_t)team, r = n % (size_t)team, i = (size_t)me;
  return q * i + (i < r ? i : r);
}

#endif
