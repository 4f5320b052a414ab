/* crosssections/xs_normal.c - discrete thermal velocities: a standard normal
 * distribution, divided into WN_XS_NORMALS parts of equal probability.  Each part is
 * represented by its mean, scaled so that the variance is exactly 1; the mean is 0 by
 * symmetry.  In collisions of electrons with molecules, the mean and variance of the
 * molecule's velocity enter to first order in m/M.  The fourth moment (2.995 here, 3 in
 * the Maxwellian) enters only to second order.  Computed by + - * / and square roots
 * alone, so that every machine gets the same floats. */
#include <math.h>
#include "crosssections/xs_table.h"
#include "physics/constants.h"

/* exp(-y), y >= 0: the series of exp(-y / 1024), squared ten times. */
static double exp_minus(double y)
{
  double z = y / 1024.0, term = 1.0, sum = 1.0;
  for (int n = 1; n < 12; n++) {
    term *= -z / n;
    sum += term;
  }
  for (int i = 0; i < 10; i++)
    sum *= sum;
  return sum;
}

/* Density and upper tail P(X > x) of the standard normal, x >= 0: the tail is 1/2 minus
 * density times the sum of x^(2n+1)/(2n+1)!!, whose terms are all positive. */
static double density(double x)
{
  return exp_minus(0.5 * x * x) / sqrt(2.0 * WN_PI);
}

static double tail(double x)
{
  double term = x, sum = x;
  for (int n = 1; n < 200 && term > 1e-18 * sum; n++) {
    term *= x * x / (2 * n + 1);
    sum += term;
  }
  return 0.5 - density(x) * sum;
}

void wn_xs_normals(float level[WN_XS_NORMALS])
{
  const int half = WN_XS_NORMALS / 2;
  double mean[WN_XS_NORMALS / 2], left = density(0.0), variance = 0.0, x = 0.0;
  for (int i = 0; i < half; i++) {
    double right = 0.0;
    if (i < half - 1) {
      double p = 0.5 - (double)(i + 1) / WN_XS_NORMALS;
      for (int it = 0; it < 50;
           it++) { /* Newton's rule; the tail is convex: from below */
        double step = (tail(x) - p) / density(x);
        x += step;
        if (fabs(step) < 1e-13)
          break;
      }
      right = density(x);
    }
    mean[i] = (left - right) * WN_XS_NORMALS;
    variance += mean[i] * mean[i] / half;
    left = right;
  }
  for (int i = 0; i < half; i++) {
    float v = (float)(mean[i] / sqrt(variance));
    level[half + i] = v;
    level[half - 1 - i] = -v;
  }
}
