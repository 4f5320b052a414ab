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

/* The mean of the trial. */
static double mean_of(const struct wn_outlook *o)
{
  return o->sum / (double)(o->notes > 0 ? o->notes : 1);
}

double wn_outlook_late(const struct wn_outlook *o)
{
  return quarter(o, QUARTERS - 1);
}

double wn_outlook_steady(const struct wn_outlook *o, double times)
{
  const double left = fmax(0.0, times - 1.0);
  return (mean_of(o) + quarter(o, QUARTERS - 1) * left) / (1.0 + left);
}

/* s of dt/dL = exp(s (L - L2))/g2 (src/stats/growth.h), L = ln N, from the first two quarters and the last two, where
 * growth is slower by more than SURE standard deviations of the first rate; 0: it is not. */
static double slowing(const double q[QUARTERS])
{
  const double first = log(q[1] / q[0]), late = log(q[3] / q[2]),
               error = sqrt((q[1] - q[0]) / (q[0] * q[1])), /* of a Yule process */
      between = 0.5 * log(q[2] * q[3] / (q[0] * q[1]));
  return first - SURE * error > late && between > 0.0 ? log(first / late) / between : 0.0;
}

/* Growth at the rate g of now, in 1/trial, that becomes slower with s, for `left` trials and up to `most`: the number
 * then, and its integral.  N/now = (1 + s g t)^(1/s). */
static double slower_growth(double now, double g, double s, double left, double most,
                            double *end)
{
  const double full = most > now ? (pow(most / now, s) - 1.0) / (s * g) : 0.0,
               until = fmin(left, full), stretch = 1.0 + s * g * until;
  *end = until < left ? fmax(most, now) : now * pow(stretch, 1.0 / s);
  return now * (pow(stretch, 1.0 / s + 1.0) - 1.0) / ((1.0 + s) * g) +
         *end * (left - until);
}

double wn_outlook_mean(const struct wn_outlook *o, double times, double most, double *end)
{
  double q[QUARTERS];
  for (size_t i = 0; i < QUARTERS; i++)
    q[i] = quarter(o, i);
  const double mean = mean_of(o), now = o->last, left = fmax(0.0, times - 1.0),
               first = q[1] - q[0], late = q[3] - q[2];
  double rest = now * left; /* sum over what is left; the trial is 1 */
  *end = now;
  const int changes = fabs(late) > SURE * sqrt(q[3]),
            accelerates = first > 0.0 && late - first > SURE * sqrt(late + first) &&
                          log(q[1] / q[0]) > STEADY * log(q[3] / q[2]);
  if (changes && q[2] > 0.0 && (late < 0.0 || accelerates)) {
    const double rate = QUARTERS * log(q[3] / q[2]),
                 slower = late > 0.0 ? slowing(q) : 0.0;
    if (slower > 0.0) { /* the rate is that of the middle of the last two quarters */
      const double rate_now = rate * pow(sqrt(q[2] * q[3]) / now, slower);
      rest = slower_growth(now, rate_now, slower, left, most, end);
    } else {
      rest = wn_growth_sum(now, rate, left, most);
      *end = fmin(now * exp(rate * left), fmax(most, now));
    }
  } else if (changes && now < most) {
    const double until = fmin(left, (most - now) / (QUARTERS * late));
    *end = now + QUARTERS * late * until;
    rest = 0.5 * (now + *end) * until + *end * (left - until);
  }
  return (mean + rest) / (1.0 + left);
}
