/* fields/poisson/fft.h - sines, cosines or both of many lines of an array at once.  fields/poisson/fft.c
 * is the only file that uses FFTW. */
#ifndef WN_FIELDS_FFT_H
#define WN_FIELDS_FFT_H
#include <stddef.h>
#include "physics/host_device.h"

WN_BEGIN_DECLS

/* The functions whose sum is a line of n values a_j, with c the number of its cells, and
 * the mode at place k of its transform:
 *   periodic      c = n      exp(2 pi i k' j / c), real and imaginary part separate: the
 *                            real part of mode k' at place k', the other at n - k'
 *   sines         c = n + 1  sin(pi (k + 1) (j + 1) / c)   0 before and after the line
 *   cosines       c = n - 1  cos(pi k j / c)               even about the first and last
 *   sines_half    c = n      sin(pi (k + 1/2) (j + 1) / c) 0 before, even about the last
 *   cosines_half  c = n      cos(pi (k + 1/2) j / c)       even about the first, 0 after
 */
enum wn_fft_kind {
  WN_FFT_PERIODIC,
  WN_FFT_SINES,
  WN_FFT_COSINES,
  WN_FFT_SINES_HALF,
  WN_FFT_COSINES_HALF
};

enum wn_fft_direction { WN_FFT_FORWARD, WN_FFT_BACK };

struct wn_fft;

/* Transforms of lines of n values, 1 <= n < 2^30 (cosines: n >= 2).  threads 0: all.
 * many: whether there will be several lines at a time.  WN_ENOMEM, WN_EINTERN.  FFTW's
 * planner has one state for the whole program: only one thread at a time may create or
 * free.  Plans are chosen without timing (FFTW_ESTIMATE), so that every run has the
 * same. */
int wn_fft_create(enum wn_fft_kind kind, size_t n, int many, int threads,
                  struct wn_fft **out);
void wn_fft_free(struct wn_fft *f);                   /* NULL: nothing */
size_t wn_fft_bytes(size_t n, int many, int threads); /* without FFTW's own memory */

/* The factor on a line after a forward and a backward transform. */
double wn_fft_norm(const struct wn_fft *f);

/* Transform, in place, the lines along axis d of a box of nx x ny x nz values of `a`;
 * step: distance of neighbours along each axis, step[0] = 1.  n[d] is the n of create.
 * The same bits for any number of threads. */
void wn_fft_lines(const struct wn_fft *f, enum wn_fft_direction direction, double *a,
                  const size_t n[3], const size_t step[3], int d);

WN_END_DECLS

#endif
