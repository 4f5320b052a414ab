/* t/tap/differences.h - how far the values of two solutions are apart. */
#ifndef WN_T_TAP_DIFFERENCES_H
#define WN_T_TAP_DIFFERENCES_H
#include <math.h>
#include <stddef.h>

/* NaN where one of them is. */
static inline double furthest(const double *a, const double *b, size_t n)
{
  double most = 0.0;
  for (size_t i = 0; i < n; i++) {
    if (isnan(a[i]) || isnan(b[i]))
      return NAN;
    most = fmax(most, fabs(a[i] - b[i]));
  }
  return most;
}

static inline double largest(const double *a, size_t n)
{
  double most = 0.0;
  for (size_t i = 0; i < n; i++)
    most = fmax(most, fabs(a[i]));
  return most;
}

#endif
