/* src/run/forecast_ranks.c - see forecast_ranks.h. */
#include "src/run/forecast_ranks.h"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"

double wn_ranks_step(const struct wn_step_cost *c, const struct wn_link *l, int ranks,
                     double *exchange)
{
  const double n = ranks, messages = 2.0 * ceil(log2(n)) * c->calls,
               there = messages * 1e-6 * l->latency +
                       2.0 * (n - 1.0) / n * c->bytes / (1e9 * l->bandwidth);
  if (exchange != NULL)
    *exchange = there;
  return c->own + c->divided / n + there;
}

double wn_ranks_slab_step(const struct wn_slab_cost *c, const struct wn_link *l,
                          int ranks, double *exchange)
{
  const double n = ranks,
               messages = c->exchanges * (n - 1.0) + 2.0 * ceil(log2(n)) * c->trees,
               bytes = 2.0 * (n - 1.0) / (n * n) * c->all + c->near,
               there = messages * 1e-6 * l->latency + bytes / (1e9 * l->bandwidth);
  if (exchange != NULL)
    *exchange = there;
  return (c->grid + c->particles) / n + there;
}

int wn_ranks_worth(const struct wn_step_cost *c, const struct wn_link *l)
{
  int n = 2;
  for (; n < 1 << 20; n *= 2) {
    double exchange;
    wn_ranks_step(c, l, n, &exchange);
    if (exchange >= c->divided / n)
      break;
  }
  return n;
}

double wn_ranks_cases(const double *seconds, size_t n, int ranks)
{
  double *until = wn_alloc((size_t)ranks, sizeof *until), last = 0.0;
  if (until == NULL)
    return NAN;
  for (size_t i = 0; i < n; i++) {
    int first = 0;
    for (int r = 1; r < ranks; r++)
      first = until[r] < until[first] ? r : first;
    until[first] += seconds[i];
    last = fmax(last, until[first]);
  }
  free(until);
  return last;
}
