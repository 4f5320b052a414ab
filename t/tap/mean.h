/* t/tap/mean.h - the mean of many numbers, one after the other, and its error. */
#ifndef WN_T_TAP_MEAN_H
#define WN_T_TAP_MEAN_H
#include <math.h>

struct mean {
  double n, sum, square;
};

static inline void count(struct mean *m, double x)
{
  m->n += 1.0;
  m->sum += x;
  m->square += x * x;
}

static inline double mean_of(const struct mean *m)
{
  return m->sum / m->n;
}

static inline double error_of(const struct mean *m)
{
  double mean = mean_of(m);
  return sqrt((m->square / m->n - mean * mean) / m->n);
}

#endif
