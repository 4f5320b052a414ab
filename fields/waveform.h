/* fields/waveform.h - the factor of a uniform electric field as a function of time.
 *
 * A step uses the factor at its middle throughout.  That is second order in the length h
 * of a step.  A sine is multiplied by sin(x)/x, x = omega h/2, with no phase shift
 * (derived here: the steps are the sine through a hold, which has this transform).  A
 * linear change gives the exact impulse.  Steps are cut so that a factor jumps only
 * between two steps. */
#ifndef WN_FIELDS_WAVEFORM_H
#define WN_FIELDS_WAVEFORM_H
#include <stddef.h>
#include "physics/host_device.h"

WN_BEGIN_DECLS

enum wn_waveform_shape {
  WN_WAVEFORM_CONSTANT, /* 1 */
  WN_WAVEFORM_SINE,     /* offset + sin(2 pi frequency t + phase) */
  WN_WAVEFORM_PULSE,  /* 0, up from start in `rise`, 1 for `length`, down in `fall`, 0 */
  WN_WAVEFORM_STEPS,  /* factors[i] from times[i] on */
  WN_WAVEFORM_LINEAR, /* factors[i] at times[i], linear between; then the last */
  WN_WAVEFORM_SHAPES
};

struct wn_waveform {
  enum wn_waveform_shape shape;
  double frequency, phase, offset;  /* Hz, above 0; rad; 1 */
  double start, rise, length, fall; /* s, none negative */
  size_t n;
  const double *times, *factors; /* [n] s, the first 0, increasing */
  double period; /* s, except for a sine: after which it repeats; not above 0: never */
};

/* s; 0: not periodic. */
double wn_waveform_period(const struct wn_waveform *w);

/* Factor at t [s]; before 0 the value at 0. */
double wn_waveform_at(const struct wn_waveform *w, double t);

/* The longest step in which it changes little, s: 1/128 of the period of a sine, 1/16 of
 * an edge of a pulse, 1/8 of the time between two points; INFINITY where it only
 * jumps. */
double wn_waveform_resolution(const struct wn_waveform *w);

/* Number of steps in 1/parts of the time from 0 to `span` s: at least `least`, at most
 * `most`, such that each jump of the factor inside is between two steps; 0: there is no
 * such number. */
size_t wn_waveform_divide(const struct wn_waveform *w, double span, size_t parts,
                          size_t least, size_t most);

WN_END_DECLS

#endif
