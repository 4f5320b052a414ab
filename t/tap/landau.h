/* t/tap/landau.h - the least damped wave of a Maxwellian plasma, for tests of plasmas: 1 + k^2/s + z Z(z) = 0,
 * z = omega/(sqrt(2) k), in plasma frequencies and Debye lengths (Landau 1946; Fried and Conte 1961).  s: the
 * force on a grid over that of a continuum, without aliases (Birdsall and Langdon, Plasma Physics via Computer
 * Simulation, chapter 8); a continuum has 1, and at k = 0.5 then 1.415662 - 0.153359 i. */
#ifndef WN_T_TAP_LANDAU_H
#define WN_T_TAP_LANDAU_H
#include <complex.h>
#include <math.h>
#include "physics/constants.h"

/* The plasma dispersion function, i sqrt(pi) exp(-z^2) - 2 z (1 - 2 z^2/3 + 4 z^4/15 - ...):
 * for |z| < 4 the sum loses 7 digits at most. */
static inline double complex landau_function(double complex z)
{
  double complex sum = 0.0, term = 1.0;
  for (int n = 0; n < 200; n++) {
    sum += term;
    term *= -2.0 * z * z / (2.0 * n + 3.0);
  }
  return I * sqrt(WN_PI) * cexp(-z * z) - 2.0 * z * sum;
}

static inline double complex landau_relation(double complex omega, double k, double s)
{
  const double complex z = omega / (sqrt(2.0) * k);
  return k * k / s + 1.0 + z * landau_function(z);
}

/* By the secant method from the frequency of Bohm and Gross. */
static inline double complex landau_root(double k, double s)
{
  double complex a = sqrt(1.0 + 3.0 * k * k), b = a - 0.05 * I;
  for (int i = 0; i < 50 && cabs(b - a) > 1e-11; i++) {
    const double complex fa = landau_relation(a, k, s), fb = landau_relation(b, k, s),
                         next = b - fb * (b - a) / (fb - fa);
    a = b, b = next;
  }
  return b;
}

#endif
