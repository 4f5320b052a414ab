/* base/threads.h - the number of threads. */
#ifndef WN_BASE_THREADS_H
#define WN_BASE_THREADS_H
#ifdef _OPENMP
#include <omp.h>
#endif

/* wanted, or for 0 the number of OpenMP; one in a build without OpenMP. */
static inline int wn_threads(int wanted)
{
#ifdef _OPENMP
  return wanted > 0 ? wanted : omp_get_max_threads();
#else
  (void)wanted;
  return 1;
#endif
}

#endif
