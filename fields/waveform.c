/* fields/waveform.c - see waveform.h. */
#include "fields/waveform.h"
#include <math.h>
#include "physics/constants.h"
#include "physics/mathfn.h"

/* Tolerance of a jump at the end of a step, relative to the step. */
#define MISSED 1e-6

double wn_waveform_period(const struct wn_waveform *w)
{
  return w->shape == WN_WAVEFORM_SINE       ? 1.0 / w->frequency
         : w->shape == WN_WAVEFORM_CONSTANT ? 0.0
                                            : fmax(w->period, 0.0);
}

/* The last point at or before t. */
static size_t before(const struct wn_waveform *w, double t)
{
  size_t low = 0, high = w->n;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (w->times[middle] <= t)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static double pulse(const struct wn_waveform *w, double t)
{
  const double up = t - w->start, on = up - w->rise, down = on - w->length;
  if (up < 0.0 || down >= w->fall)
    return 0.0;
  return on < 0.0 ? up / w->rise : down < 0.0 ? 1.0 : 1.0 - down / w->fall;
}

/* Not by the C library's sine, which differs between machines. */
static double sine(const struct wn_waveform *w, double t)
{
  const double turns = w->frequency * t + w->phase / (2.0 * WN_PI);
  double value, other;
  wn_sincos_turn(turns - floor(turns), &value, &other);
  return w->offset + value;
}

static double linear(const struct wn_waveform *w, double t)
{
  const size_t i = before(w, t);
  if (i + 1 == w->n)
    return w->factors[i];
  const double part = (t - w->times[i]) / (w->times[i + 1] - w->times[i]);
  return w->factors[i] + part * (w->factors[i + 1] - w->factors[i]);
}

double wn_waveform_at(const struct wn_waveform *w, double t)
{
  const double period = wn_waveform_period(w);
  t = fmax(t, 0.0);
  if (period > 0.0) /* for a sine, too, so that all periods are identical */
    t = fmod(t, period);
  switch (w->shape) {
  case WN_WAVEFORM_SINE:
    return sine(w, t);
  case WN_WAVEFORM_PULSE:
    return pulse(w, t);
  case WN_WAVEFORM_STEPS:
    return w->factors[before(w, t)];
  case WN_WAVEFORM_LINEAR:
    return linear(w, t);
  default:
    return 1.0;
  }
}

double wn_waveform_resolution(const struct wn_waveform *w)
{
  double least = INFINITY;
  switch (w->shape) {
  case WN_WAVEFORM_SINE:
    return wn_waveform_period(w) / 128.0;
  case WN_WAVEFORM_PULSE:
    if (w->rise > 0.0)
      least = w->rise / 16.0;
    return w->fall > 0.0 ? fmin(least, w->fall / 16.0) : least;
  case WN_WAVEFORM_LINEAR:
    for (size_t i = 0; i + 1 < w->n; i++)
      least = fmin(least, (w->times[i + 1] - w->times[i]) / 8.0);
    return least;
  default:
    return INFINITY;
  }
}

/* Whether the jump falls between two steps of length h, or outside. */
static int fits(double jump, double span, double h)
{
  const double steps = jump / h;
  return jump >= span || fabs(steps - nearbyint(steps)) <= MISSED;
}

static int all_fit(const struct wn_waveform *w, double span, double h)
{
  const double on = w->start + w->rise, off = on + w->length;
  switch (w->shape) {
  case WN_WAVEFORM_PULSE:
    return (w->rise > 0.0 || fits(w->start, span, h)) &&
           (w->fall > 0.0 || fits(off, span, h));
  case WN_WAVEFORM_STEPS:
    for (size_t i = 0; i < w->n; i++)
      if (!fits(w->times[i], span, h))
        return 0;
    return 1;
  default:
    return 1; /* the end of a period ends a row of the output, and with it a step */
  }
}

size_t wn_waveform_divide(const struct wn_waveform *w, double span, size_t parts,
                          size_t least, size_t most)
{
  const double period = wn_waveform_period(w);
  for (size_t n = least > 0 ? least : 1; n <= most; n++) {
    const double h = span / (double)parts / (double)n;
    int good = 1;
    if (!(period > 0.0) || period >= span * (1.0 - MISSED)) {
      good = all_fit(w, span, h);
    } else if (w->shape != WN_WAVEFORM_SINE) { /* several periods with identical steps */
      good = fits(period, INFINITY, h) && all_fit(w, period, h);
    }
    if (good)
      return n;
  }
  return 0;
}
