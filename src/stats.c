/* src/stats.c - see stats.h. */
#include "src/stats.h"
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

struct wn_estimate wn_stats_jackknife(size_t n, wn_stats_fn *f, const void *ctx,
                                      const double *control)
{
  double all = f(ctx, -1);
  double *pseudo = n > 1 ? wn_alloc(n, sizeof *pseudo) : NULL;
  if (pseudo == NULL)
    return (struct wn_estimate){all, NAN};
  for (size_t i = 0; i < n; i++)
    pseudo[i] = (double)n * all - (double)(n - 1) * f(ctx, (long)i);
  struct wn_estimate plain = wn_stats_mean(n, pseudo), best = {all, plain.error};
  if (control != NULL && n > 8) {
    double c = wn_stats_mean(n, control).value, cov = 0.0, var = 0.0, rest = 0.0;
    for (size_t i = 0; i < n; i++) {
      cov += (pseudo[i] - plain.value) * (control[i] - c);
      var += (control[i] - c) * (control[i] - c);
    }
    double slope = var > 0.0 ? cov / var : 0.0;
    for (size_t i = 0; i < n; i++) {
      double r = pseudo[i] - plain.value - slope * (control[i] - c);
      rest += r * r;
    }
    /* n - 2 degrees of freedom, and the uncertainty of the slope where it carries the
     * mean to 0 */
    double error = sqrt(rest / (double)(n - 2) *
                        (1.0 / (double)n + (var > 0.0 ? c * c / var : 0.0)));
    if (error < plain.error)
      best = (struct wn_estimate){all - slope * c, error};
  }
  free(pseudo);
  return best;
}

struct wn_estimate wn_stats_fraction(double k, double n)
{
  double p = (k + 1.0) / (n + 2.0);
  return (struct wn_estimate){k / n, sqrt(p * (1.0 - p) / (n + 2.0))};
}
