/* t/physics/sampled.h - does a sampler follow a density?  Chi-square over bins, whose expectation is the quadrature of the density. */
#ifndef WN_T_PHYSICS_SAMPLED_H
#define WN_T_PHYSICS_SAMPLED_H
#include <math.h>
#include "t/tap/tap.h"

/* Exceeded by chance once in 1e5 (Wilson and Hilferty 1931). */
static inline double chi2_limit(int n)
{
  double a = 2.0 / (9.0 * n), z = 1.0 - a + 4.265 * sqrt(a);
  return n * z * z * z;
}

typedef double density_of(const void *what, double x);

/* Integral of f over [a, b]: m panels of 5-point Gauss-Legendre. */
static inline double quadrature(density_of *f, const void *what, double a, double b,
                                int m)
{
  static const double gx[5] = {-0.9061798459386640, -0.5384693101056831, 0.0,
                               0.5384693101056831, 0.9061798459386640};
  static const double gw[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                               0.4786286704993665, 0.2369268850561891};
  double sum = 0.0, h = (b - a) / m;
  for (int i = 0; i < m; i++)
    for (int k = 0; k < 5; k++)
      sum += 0.5 * h * gw[k] * f(what, a + h * (i + 0.5 + 0.5 * gx[k]));
  return sum;
}

enum { SAMPLED_BINS = 40 };

struct sampled {
  double edge[SAMPLED_BINS + 1];
  long count[SAMPLED_BINS], n, outside;
};

/* Bins of equal width in x, or in ln x where it is logarithmic. */
static inline void sampled_init(struct sampled *s, double lo, double hi, int is_log)
{
  *s = (struct sampled){.n = 0};
  for (int i = 0; i <= SAMPLED_BINS; i++) {
    double u = (double)i / SAMPLED_BINS;
    s->edge[i] = is_log ? lo * pow(hi / lo, u) : lo + (hi - lo) * u;
  }
}

static inline void sampled_add(struct sampled *s, double x)
{
  const double *e = s->edge;
  s->n++;
  if (!(x >= e[0] * (e[0] > 0 ? 1.0 - 1e-12 : 1.0 + 1e-12) &&
        x <= e[SAMPLED_BINS] * (1.0 + 1e-12))) {
    s->outside++;
    return;
  }
  int lo = 0, hi = SAMPLED_BINS;
  while (hi - lo > 1) {
    int mid = (lo + hi) / 2;
    if (e[mid] <= x)
      lo = mid;
    else
      hi = mid;
  }
  s->count[lo]++;
}

/* Two checks: none is outside, and chi-square is below its limit.  Bins of fewer than 20 expected are joined with the next. */
static inline void sampled_ok(const struct sampled *s, density_of *f, const void *what,
                              const char *name)
{
  double p[SAMPLED_BINS], all = 0.0, chi2 = 0.0, want = 0.0;
  for (int i = 0; i < SAMPLED_BINS; i++)
    all += p[i] = quadrature(f, what, s->edge[i], s->edge[i + 1], 16);
  int bins = 0;
  long got = 0;
  for (int i = 0; i < SAMPLED_BINS; i++) {
    want += p[i] / all * (double)s->n;
    got += s->count[i];
    if (want < 20.0)
      continue;
    chi2 += ((double)got - want) * ((double)got - want) / want;
    bins++;
    want = 0.0;
    got = 0;
  }
  ok(s->outside == 0, "%s: within its limits", name);
  ok(bins > 4 && chi2 < chi2_limit(bins - 1), "%s: chi2 %.1f over %d bins, allowed %.1f",
     name, chi2, bins, chi2_limit(bins - 1));
}

#endif
