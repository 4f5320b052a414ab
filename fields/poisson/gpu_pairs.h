/* fields/poisson/gpu_pairs.h - transforms of the lines along an axis in the shared memory of a block, by
 * gpu_pairs.cuh: which numbers of cells they support, and what a block takes.
 *
 * Two lines are the real and the imaginary part of one complex line of as many points as there are
 * cells; a block transforms a few such pairs, each point once from memory and once to it.  Lines
 * of sines or cosines are made periodic without doubling them (gpu_pairs.cuh). */
#ifndef WN_FIELDS_POISSON_GPU_PAIRS_H
#define WN_FIELDS_POISSON_GPU_PAIRS_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include "fields/poisson/parts.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

#define WN_POISSON_PAIRS_RADICES 12 /* of a transform, at most */
/* Points of a line at most; half as many of sines and cosines, whose running sums round. */
#define WN_POISSON_PAIRS_POINTS 2048
/* Cells of a grid that may have prime factors above 31. */
#define WN_POISSON_PAIRS_FEW 1e6
/* Parts of a running sum: a fixed number, so that its order is fixed. */
#define WN_POISSON_PAIRS_PARTS 16
/* Pairs of a block at most: 128 bytes in a row. */
#define WN_POISSON_PAIRS_MOST 8

struct wn_poisson_pairs {
  int32_t kind; /* enum wn_fft_kind */
  int32_t n, m; /* values of a line, and points: cells of the axis */
  int32_t n_radices, radix[WN_POISSON_PAIRS_RADICES];
  int32_t log2_pairs; /* pairs of a block */
  /* on the device, [m][2]: exp(-2 pi i k / m), and exp(i pi k / m) of sines and cosines,
   * exp(i pi k / 2m) of their halves; [m + 1] */
  const double *roots, *turns;
};

/* A prime factor without code of its own: a stage by its definition, of as many steps a point. */
static WN_HD int wn_poisson_pairs_is_any(int32_t radix)
{
  return radix > 5 && radix != 8;
}

/* 0: the number of cells is not supported, as it is too large or has a prime factor above `prime`. */
int wn_poisson_pairs_init(const struct wn_poisson_axis *axis, size_t cells, int32_t prime,
                          struct wn_poisson_pairs *out);
/* Of a grid: where the work of a large factor is hidden by launches, or is less than that of cuFFT. */
static inline int32_t wn_poisson_pairs_prime(const struct wn_poisson_spec *spec)
{
  double cells = 1.0;
  for (int d = 0; d < spec->dim; d++)
    cells *= (double)spec->cells[d];
  return cells < WN_POISSON_PAIRS_FEW ? 509 : 31;
}
/* Factor of a transform and the one back. */
double wn_poisson_pairs_norm(const struct wn_poisson_pairs *l);
/* roots and turns, (2m + 1) complex numbers. */
void wn_poisson_pairs_tables(const struct wn_poisson_pairs *l, double *tables);

static inline size_t wn_poisson_pairs_table(const struct wn_poisson_pairs *l)
{
  return 2 * (2 * (size_t)l->m + 1);
}

/* v / d, with r = 1 / d rounded to nearest, without the branches of a division on a GPU: the quotients of a thread are then
 * on their way together.  v r is off by at most two units 2^-53, and a remainder is exact.  So the first
 * correction leaves one of the two nearest numbers, the second the nearest: the bits of v / d (t0700), but for
 * the sign of 0, if nothing is below 2^-960. */
static WN_HD double wn_poisson_over(double v, double d, double r)
{
  double out = v * r;
  out = fma(fma(-out, d, v), r, out);
  return fma(fma(-out, d, v), r, out);
}

/* The unknowns along x are followed by zeros up to the next multiple of this number. */
#define WN_POISSON_PAIRS_ALIGN (2 * WN_POISSON_PAIRS_MOST)
static WN_HD int32_t wn_poisson_pairs_row(int32_t n)
{
  return (n + WN_POISSON_PAIRS_ALIGN - 1) / WN_POISSON_PAIRS_ALIGN *
         WN_POISSON_PAIRS_ALIGN;
}

WN_END_DECLS

#endif
