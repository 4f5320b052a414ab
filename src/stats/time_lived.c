/* src/stats/time_lived.c - see time_lived.h. */
#include "src/stats/time_lived.h"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"

struct wn_time_lived {
  size_t n_groups;
  uint64_t n, length,
      in_hand;   /* full intervals; steps in each; steps in the current one */
  double *until; /* [n_groups][WN_TIME_LIVED_MOST + 1] at the beginning of each */
};

static double *of_group(const struct wn_time_lived *l, size_t group)
{
  return l->until + group * (WN_TIME_LIVED_MOST + 1);
}

int wn_time_lived_create(size_t n_groups, struct wn_time_lived **out)
{
  struct wn_time_lived *l = wn_alloc(1, sizeof *l);
  if (l == NULL)
    return WN_ENOMEM;
  l->n_groups = n_groups;
  l->length = 1;
  l->until = wn_alloc(n_groups * (WN_TIME_LIVED_MOST + 1), sizeof *l->until);
  if (l->until == NULL) {
    free(l);
    return WN_ENOMEM;
  }
  *out = l;
  return WN_OK;
}

void wn_time_lived_free(struct wn_time_lived *l)
{
  if (l != NULL)
    free(l->until);
  free(l);
}

/* until[n + 1] is the current interval, as far as it goes. */
void wn_time_lived_add(struct wn_time_lived *l, size_t group, double time)
{
  double *until = of_group(l, group);
  if (l->in_hand == 0)
    until[l->n + 1] = until[l->n];
  until[l->n + 1] += time;
}

void wn_time_lived_step(struct wn_time_lived *l)
{
  if (++l->in_hand < l->length)
    return;
  l->in_hand = 0;
  if (++l->n < WN_TIME_LIVED_MOST)
    return;
  for (size_t g = 0; g < l->n_groups; g++)
    for (size_t i = 1; i <= WN_TIME_LIVED_MOST / 2; i++)
      of_group(l, g)[i] = of_group(l, g)[2 * i];
  l->n = WN_TIME_LIVED_MOST / 2;
  l->length *= 2;
}

double wn_time_lived_until(const struct wn_time_lived *l, size_t group, double step)
{
  const double *until = of_group(l, group), length = (double)l->length;
  const double at = fmax(step, 0.0) / length, n = (double)l->n;
  if (at < n) {
    const size_t i = (size_t)at;
    return until[i] + (until[i + 1] - until[i]) * (at - (double)i);
  }
  if (l->in_hand == 0)
    return until[l->n];
  const double part = (at - n) * length / (double)l->in_hand;
  return until[l->n] + (until[l->n + 1] - until[l->n]) * fmin(part, 1.0);
}

int wn_time_lived_state(struct wn_time_lived *l, struct wn_state *s)
{
  WN_TRY(WN_STATE(s, l->n));
  WN_TRY(WN_STATE(s, l->length));
  WN_TRY(WN_STATE(s, l->in_hand));
  return WN_STATE_ARRAY(s, l->until, l->n_groups * (WN_TIME_LIVED_MOST + 1));
}
