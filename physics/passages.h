/* physics/passages.h - bins of what is noted of first passages of a threshold: the time and
 * the way since the electron was below the first one (struct wn_mcc.mark_m), and the cosine of
 * its angle to the drift.
 *
 * Of a way what counts is the energy that it brings in the field, in eV, of a time what it
 * brings as velocity over sqrt(2 e/m), that of 1 eV (struct wn_mcc.pass_a).  Of a threshold W
 * the bins are those around its power of two, 2^k <= W/eV < 2^(k+1), for ways, and around
 * four times 2^(k/2) for times, k/2 rounded down.  An electron that flies freely from rest to W
 * brings 1 to 2 of 2^k or 2^(k/2); collisions make times up to ten times as long, and hardly
 * any is shorter than a tenth.  The bins are four linear parts of each of WN_PASSED_OCTAVES
 * factors of two; the first begins at nothing, and takes ways against the drift, too, the last
 * has no end.
 * Cosines have equal bins from -1 to 1.  No root and no quotient: registers of a GPU. */
#ifndef WN_PHYSICS_PASSAGES_H
#define WN_PHYSICS_PASSAGES_H
#include "physics/mathfn.h"

#define WN_PASSED_PARTS   4
#define WN_PASSED_OCTAVES 8
#define WN_PASSED_LEAST   (-5) /* the second bin begins at 2^-5 (1 + 1/4) */
#define WN_PASSED_BINS    (WN_PASSED_PARTS * WN_PASSED_OCTAVES)
#define WN_PASSED_COSINES 16

/* Rows of bins in struct wn_tally.passed: of times, of ways, of cosines. */
#define WN_PASSED_BIN_ROWS (2 * WN_PASSED_BINS + WN_PASSED_COSINES)

/* k of a threshold > 0, for ways; for times. */
static WN_HD int wn_passed_octave(double ev)
{
  return (int)(wn_bits(ev) >> 52) - 1023;
}
static WN_HD int wn_passed_octave_of_times(double ev)
{
  return (wn_passed_octave(ev) + 1024) / 2 - 510;
}

/* The bin of x, for a threshold of this octave. */
static WN_HD int wn_passed_bin(double x, int octave)
{
  const int first = (1023 + WN_PASSED_LEAST + octave) * WN_PASSED_PARTS,
            bin = x > 0.0 ? (int)(wn_bits(x) >> 50) - first : 0;
  return bin < 0 ? 0 : bin < WN_PASSED_BINS ? bin : WN_PASSED_BINS - 1;
}

static WN_HD int wn_passed_cosine_bin(double cosine)
{
  const double x = (cosine + 1.0) * (0.5 * WN_PASSED_COSINES);
  return x >= WN_PASSED_COSINES ? WN_PASSED_COSINES - 1 : x > 0.0 ? (int)x : 0;
}

/* Where a bin begins. */
static inline double wn_passed_edge(int bin, int octave)
{
  return bin > 0 ? ldexp(1.0 + (double)(bin % WN_PASSED_PARTS) / WN_PASSED_PARTS,
                         WN_PASSED_LEAST + octave + bin / WN_PASSED_PARTS)
                 : 0.0;
}

#endif
