/* t/tap/waves.h - frequency and growth of a wave from a series in time, for tests of
 * plasmas. */
#ifndef WN_T_TAP_WAVES_H
#define WN_T_TAP_WAVES_H
#include <math.h>
#include <stddef.h>

struct wave {
  double omega, gamma; /* rad and e-folds a step of the series */
};

/* y(i) ~ exp(gamma i) cos(omega i + phase): with y(i + lag) = a y(i) - b y(i - lag) by least
 * squares, b = exp(2 gamma lag), a = 2 exp(gamma lag) cos(omega lag) (linear prediction,
 * Prony 1795).  y: every `stride`th number of [stride * n]; lag: about a sixth of a
 * period. */
static inline struct wave wave_damped(const double *y, size_t stride, size_t n,
                                      size_t lag)
{
  double s11 = 0.0, s12 = 0.0, s22 = 0.0, r1 = 0.0, r2 = 0.0, last = (double)lag;
  for (size_t i = lag; i + lag < n; i++) {
    const double u = y[i * stride], v = -y[(i - lag) * stride], w = y[(i + lag) * stride];
    s11 += u * u, s12 += u * v, s22 += v * v, r1 += u * w, r2 += v * w;
  }
  const double det = s11 * s22 - s12 * s12;
  const double a = (r1 * s22 - r2 * s12) / det, b = (r2 * s11 - r1 * s12) / det;
  const struct wave found = {acos(0.5 * a / sqrt(b)) / last, 0.5 * log(b) / last};
  return found;
}

/* |y|, y the complex numbers of [2 n], ~ exp(gamma i): the slope of its logarithm. */
static inline double wave_growth(const double *y, size_t n)
{
  double st = 0.0, stt = 0.0, sl = 0.0, stl = 0.0;
  for (size_t i = 0; i < n; i++) {
    const double t = (double)i,
                 l = 0.5 * log(y[2 * i] * y[2 * i] + y[2 * i + 1] * y[2 * i + 1]);
    st += t, stt += t * t, sl += l, stl += t * l;
  }
  return ((double)n * stl - st * sl) / ((double)n * stt - st * st);
}

#endif
