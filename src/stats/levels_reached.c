/* src/stats/levels_reached.c - see levels_reached.h. */
#include "src/stats/levels_reached.h"
#include <math.h>
#include "src/stats/jackknife.h"

#define FILLED 0.5 /* of the target number */

static int is_filled(const struct wn_levels_reached *r, size_t i)
{
  return r->number[i] >= FILLED * r->wanted;
}

size_t wn_levels_highest_filled(const struct wn_levels_reached *r, size_t end)
{
  while (end > 1 && !is_filled(r, end - 1))
    end--;
  return end > 0 ? end - 1 : 0;
}

size_t wn_levels_empty_from(const struct wn_levels_reached *r, size_t end)
{
  while (end > 0 && !(r->number[end - 1] > 0.0))
    end--;
  return end;
}

size_t wn_levels_underfilled(const struct wn_levels_reached *r, size_t end,
                             size_t *thinnest)
{
  size_t n = 0;
  *thinnest = end;
  for (size_t i = 0; i < end; i++) {
    if (!(r->number[i] > 0.0) || is_filled(r, i))
      continue;
    n++;
    if (*thinnest == end || r->number[i] < r->number[*thinnest])
      *thinnest = i;
  }
  return n;
}

double wn_levels_rate_limit(const struct wn_levels_reached *r, size_t end,
                            double time_lived)
{
  const double w = 2.0 * sqrt(2.0) * r->weight[wn_levels_highest_filled(r, end)] /
                   fmax(r->wanted, 1.0);
  return w > 0.0 ? WN_STATS_UNSEEN * w / time_lived : INFINITY;
}
