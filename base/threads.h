/* base/threads.h - how many threads work is given to. */
#ifndef WN_BASE_THREADS_H
#define WN_BASE_THREADS_H
#ifdef _OPENMP
#include <omp.h>
#endif

/* wanted, or with 0 all that OpenMP has; one in a build without OpenMP. */
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
