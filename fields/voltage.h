/* fields/voltage.h - the voltage of a side of the domain, or of the source behind it, at a time. */
#ifndef WN_FIELDS_VOLTAGE_H
#define WN_FIELDS_VOLTAGE_H
#include <math.h>
#include "physics/constants.h"

#define WN_HARMONICS 3 /* the second, third and fourth */

/* constant + amplitude sin(2 pi frequency t + phase) for start <= t < end, else 0.  Beside an amplitude
 * harmonic[k] sin(2 pi (k + 2) frequency t + harmonic_phase[k]) are added. */
struct wn_voltage {
  double constant, amplitude;                                  /* V */
  double frequency, phase;                                     /* Hz, rad */
  double start, end;                                           /* s */
  double harmonic[WN_HARMONICS], harmonic_phase[WN_HARMONICS]; /* V, rad */
};

static inline double wn_voltage_at(const struct wn_voltage *v, double t)
{
  if (!(t >= v->start && t < v->end))
    return 0.0;
  if (v->amplitude == 0.0)
    return v->constant;
  double sum =
      v->constant + v->amplitude * sin(2.0 * WN_PI * v->frequency * t + v->phase);
  for (int k = 0; k < WN_HARMONICS; k++)
    if (v->harmonic[k] != 0.0)
      sum += v->harmonic[k] *
             sin(2.0 * WN_PI * (k + 2.0) * v->frequency * t + v->harmonic_phase[k]);
  return sum;
}

#endif
