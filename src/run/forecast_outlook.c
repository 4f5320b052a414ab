/* src/run/forecast_outlook.c - see forecast_outlook.h. */
#include "src/run/forecast_outlook.h"
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/stats/growth.h"

#define HISTORY  4096 /* numbers kept, a power of 2 */
#define QUARTERS 4
#define SURE     3.0 /* standard deviations */
#define STEADY   0.5 /* ratio of growth rates above which growth is exponential */

struct wn_outlook {
  double at[HISTORY], sum, last;
  size_t n, every, notes;
};

int wn_outlook_create(struct wn_outlook **out)
{
  struct wn_outlook *o = wn_alloc(1, sizeof *o);
  if (o == NULL)
    return WN_ENOMEM;
  o->every = 1;
  *out = o;
  return WN_OK;
}

void wn_outlook_free(struct wn_outlook *o)
{
  free(o);
}

void wn_outlook_note(struct wn_outlook *o, double number)
{
  o->sum += number;
  o->last = number;
  if (o->notes++ % o->every != 0)
    return;
  if (o->n == HISTORY) { /* keep every second one from now on, this one included */
    for (size_t i = 0; i < HISTORY / 2; i++)
      o->at[i] = o->at[2 * i];
    o->n = HISTORY / 2;
    o->every *= 2;
  }
  o->at[o->n++] = number;
}

/* The mean of quarter q of the trial. */
static double quarter(const struct wn_outlook *o, size_t q)
{
  const size_t from = q * o->n / QUARTERS, to = (q + 1) * o->n / QUARTERS;
  double sum = 0.0;
  for (size_t i = from; i < to; i++)
    sum += o->at[i];
  return to > from ? sum / (double)(to - from) : o->last;
}

double wn_outlook_mean(const struct wn_outlook *o, double times, double most, double *end)
{
  double q[QUARTERS];
  for (size_t i = 0; i < QUARTERS; i++)
    q[i] = quarter(o, i);
  const double mean = o->sum / (double)(o->notes > 0 ? o->notes : 1), now = o->last,
               left = fmax(0.0, times - 1.0), first = q[1] - q[0], late = q[3] - q[2];
  double rest = now * left; /* sum over what is left; the trial is 1 */
  *end = now;
  const int changes = fabs(late) > SURE * sqrt(q[3]),
            accelerates = first > 0.0 && late - first > SURE * sqrt(late + first) &&
                          log(q[1] / q[0]) > STEADY * log(q[3] / q[2]);
  if (changes && q[2] > 0.0 && (late < 0.0 || accelerates)) {
    const double rate = QUARTERS * log(q[3] / q[2]);
    rest = wn_growth_sum(now, rate, left, most);
    *end = fmin(now * exp(rate * left), fmax(most, now));
  } else if (changes && now < most) {
    const double until = fmin(left, (most - now) / (QUARTERS * late));
    *end = now + QUARTERS * late * until;
    rest = 0.5 * (now + *end) * until + *end * (left - until);
  }
  return (mean + rest) / (1.0 + left);
}
