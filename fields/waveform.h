/* fields/waveform.h - what a uniform electric field is multiplied by in the course of time.
 *
 * A step takes the factor in its middle for all of it.  That is second order in the length h
 * of a step: of a sine it keeps sin(x)/x, x = omega h/2, and no phase (derived here: the
 * steps are the sine through a hold, whose transform that is), and a linear change gives the
 * impulse that it should.  Steps are cut so that a factor that jumps does so between two. */
#ifndef WN_FIELDS_WAVEFORM_H
#define WN_FIELDS_WAVEFORM_H
#include <stddef.h>
#include "physics/hd.h"

WN_BEGIN_DECLS

enum wn_waveform_shape {
  WN_WAVEFORM_CONSTANT, /* 1 */
  WN_WAVEFORM_SINE,     /* offset + sin(2 pi frequency t + phase) */
  WN_WAVEFORM_PULSE,  /* 0, up from start in `rise`, 1 for `length`, down in `fall`, 0 */
  WN_WAVEFORM_STEPS,  /* factors[i] from times[i] on */
  WN_WAVEFORM_LINEAR, /* factors[i] at times[i], straight between; then the last */
  WN_WAVEFORM_SHAPES
};

struct wn_waveform {
  enum wn_waveform_shape shape;
  double frequency, phase, offset;  /* Hz, above 0; rad; 1 */
  double start, rise, length, fall; /* s, none below 0 */
  size_t n;
  const double *times, *factors; /* [n] s, the first 0, rising */
  double
      period; /* s, of all but a sine: after which it begins anew; not above 0: never */
};

/* s; 0: it has none. */
double wn_waveform_period(const struct wn_waveform *w);

/* At t [s]; before 0 what it is at 0. */
double wn_waveform_at(const struct wn_waveform *w, double t);

/* The longest step in which it changes little, s: of a sine a part of 128 of the period, of
 * an edge of a pulse one of 16, of what is between two points one of 8; INFINITY where it
 * jumps only. */
double wn_waveform_resolution(const struct wn_waveform *w);

/* In how many steps a part of 1/parts of the time from 0 to `span` s goes: at least `least`,
 * at most `most`, so that each jump of the factor inside is between two steps; 0: there is no
 * such number. */
size_t wn_waveform_divide(const struct wn_waveform *w, double span, size_t parts,
                          size_t least, size_t most);

WN_END_DECLS

#endif
