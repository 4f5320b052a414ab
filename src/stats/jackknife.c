/* src/stats/jackknife.c - see jackknife.h. */
#include "src/stats/jackknife.h"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"

struct wn_estimate wn_stats_mean(size_t n, const double *x)
{
  double sum = 0.0, sum2 = 0.0;
  for (size_t i = 0; i < n; i++)
    sum += x[i];
  double mean = sum / (double)n;
  for (size_t i = 0; i < n; i++)
    sum2 += (x[i] - mean) * (x[i] - mean);
  return (struct wn_estimate){n > 0 ? mean : NAN,
                              n > 1 ? sqrt(sum2 / ((double)n * (double)(n - 1))) : NAN};
}

int wn_stats_pseudo(size_t n, wn_stats_fn *f, const void *ctx, double *pseudo)
{
  const double all = f(ctx, -1);
  int finite = 1;
  for (size_t i = 0; i < n; i++) {
    pseudo[i] = (double)n * all - (double)(n - 1) * f(ctx, (long)i);
    finite &= isfinite(pseudo[i]);
  }
  return finite;
}

/* Sums of products of control variates and a quantity, each minus its mean. */
struct products {
  double mean[WN_STATS_CONTROLS], of[WN_STATS_CONTROLS][WN_STATS_CONTROLS],
      with[WN_STATS_CONTROLS];
};

static struct products products(size_t n, const double *x, double mean, size_t m,
                                const double *const *control)
{
  struct products p = {{0.0}, {{0.0}}, {0.0}};
  for (size_t j = 0; j < m; j++)
    p.mean[j] = wn_stats_mean(n, control[j]).value;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < m; j++) {
      const double c = control[j][i] - p.mean[j];
      p.with[j] += c * (x[i] - mean);
      for (size_t k = 0; k < m; k++)
        p.of[j][k] += c * (control[k][i] - p.mean[k]);
    }
  return p;
}

/* y = of^-1 x for one or two controls; 0: the matrix is singular. */
static int solve(const struct products *p, size_t m, const double *x, double *y)
{
  if (m == 1) {
    y[0] = x[0] / p->of[0][0];
    return p->of[0][0] > 0.0;
  }
  const double a = p->of[0][0], b = p->of[0][1], c = p->of[1][1], det = a * c - b * b;
  y[0] = (c * x[0] - b * x[1]) / det;
  y[1] = (a * x[1] - b * x[0]) / det;
  return det > 1e-9 * a * c;
}

/* The estimate `all` with mean pseudo-value `mean`, corrected by the control variates. */
static struct wn_estimate regression(size_t n, const double *pseudo, double mean,
                                     double all, size_t m, const double *const *control)
{
  const struct products p = products(n, pseudo, mean, m, control);
  double slope[WN_STATS_CONTROLS] = {0.0}, far[WN_STATS_CONTROLS] = {0.0}, rest = 0.0,
         value = all, spread = 1.0 / (double)n;
  if (!solve(&p, m, p.with, slope) || !solve(&p, m, p.mean, far))
    return (struct wn_estimate){all, INFINITY};
  for (size_t i = 0; i < n; i++) {
    double r = pseudo[i] - mean;
    for (size_t j = 0; j < m; j++)
      r -= slope[j] * (control[j][i] - p.mean[j]);
    rest += r * r;
  }
  for (size_t j = 0; j < m; j++) {
    value -= slope[j] * p.mean[j];
    spread += p.mean[j] * far[j];
  }
  /* n - 1 - m degrees of freedom, and the uncertainty of the slopes where the controls
   * differ from 0 on average */
  return (struct wn_estimate){value, sqrt(rest / (double)(n - 1 - m) * spread)};
}

struct wn_estimate wn_stats_regression(size_t n, wn_stats_fn *f, const void *ctx,
                                       size_t n_controls, const double *const *control)
{
  const double all = f(ctx, -1);
  double *pseudo = n > 1 ? wn_alloc(n, sizeof *pseudo) : NULL;
  if (pseudo == NULL)
    return (struct wn_estimate){all, NAN};
  wn_stats_pseudo(n, f, ctx, pseudo);
  const struct wn_estimate plain = wn_stats_mean(n, pseudo);
  struct wn_estimate best = {all, plain.error};
  if (n_controls > 0 && n > 8) {
    const struct wn_estimate with =
        regression(n, pseudo, plain.value, all, n_controls, control);
    if (with.error < plain.error)
      best = with;
  }
  free(pseudo);
  return best;
}

struct wn_estimate wn_stats_jackknife(size_t n, wn_stats_fn *f, const void *ctx,
                                      const double *control)
{
  const double *const one[] = {control};
  return wn_stats_regression(n, f, ctx, control != NULL, one);
}

struct wn_estimate wn_stats_fraction(double k, double n)
{
  double p = (k + 1.0) / (n + 2.0);
  return (struct wn_estimate){k / n, sqrt(p * (1.0 - p) / (n + 2.0))};
}
