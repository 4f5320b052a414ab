/* src/stats/growth.c - see growth.h. */
#include "src/stats/growth.h"
#include <math.h>
#include <string.h>

int wn_growth_note(struct wn_growth *g, double t, double n)
{
  if (g->n > 0 && n * WN_GROWTH_STEP < g->at[g->n - 1].n)
    g->n = 0;
  if (!(n > 0.0) || (g->n > 0 && n < WN_GROWTH_STEP * g->at[g->n - 1].n))
    return 0;
  if (g->n == WN_GROWTH_MOMENTS) { /* early growth says little about the future */
    memmove(g->at, g->at + WN_GROWTH_MOMENTS / 2, sizeof g->at / 2);
    g->n = WN_GROWTH_MOMENTS / 2;
  }
  g->at[g->n].t = t;
  g->at[g->n].n = n;
  g->n++;
  return 1;
}

/* The interval that ends with moment `end`: its rate [1/s] and middle in ln N.  Returns
 * its first moment, or -1 if none is long enough. */
static int stretch(const struct wn_growth *g, int end, double least, double *rate,
                   double *middle)
{
  for (int i = end - 1; i >= 0; i--) {
    const double rise = log(g->at[end].n / g->at[i].n),
                 variance = 1.0 / g->at[i].n - 1.0 / g->at[end].n;
    if (rise < least || sqrt(variance) > WN_GROWTH_ERROR * rise)
      continue;
    *rate = rise / (g->at[end].t - g->at[i].t);
    *middle = 0.5 * log(g->at[end].n * g->at[i].n);
    return i;
  }
  return -1;
}

double wn_growth_until(const struct wn_growth *g, double limit, double *doubling)
{
  double g1, g2, l1, l2;
  const int last = (int)g->n - 1;
  *doubling = INFINITY;
  if (g->n < 2 || !(limit > g->at[last].n))
    return INFINITY;
  /* a doubling shows whether growth slows down; a small store leaves no time for it */
  const double least = fmin(log(2.0), 0.25 * log(limit / g->at[0].n));
  const int before = stretch(g, last, least, &g2, &l2);
  if (before < 0)
    return INFINITY;
  *doubling = log(2.0) / g2;
  const int has_two = stretch(g, before, least, &g1, &l1) >= 0;
  const double s = has_two ? fmax(0.0, log(g1 / g2) / (l2 - l1)) : 1.0,
               now = log(g->at[last].n), rise = log(limit) - now,
               time = exp(s * (now - l2)) / g2 * (s > 1e-9 ? expm1(s * rise) / s : rise);
  return time * (1.0 + 2.0 * WN_GROWTH_ERROR);
}

/* Integral of n exp(g t). */
static double grown(double n, double g, double t)
{
  return n * (fabs(g * t) > 1e-6 ? expm1(g * t) / g : t);
}

double wn_growth_sum(double n, double g, double t, double most)
{
  if (!(g > 0.0))
    return grown(n, g, t);
  if (n >= most)
    return n * t;
  const double until = log(most / n) / g;
  return until >= t ? grown(n, g, t) : grown(n, g, until) + most * (t - until);
}
