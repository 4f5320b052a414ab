/* base/threads.h - the number of threads. */
#ifndef WN_BASE_THREADS_H
#define WN_BASE_THREADS_H
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

#endif
