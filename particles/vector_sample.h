/* particles/vector_sample.h - the sums of wn_sample_point over many particles at a time, to the last bit,
 * in loops that the compiler makes vectors of.  For functions that are WN_CLONES. */
#ifndef WN_PARTICLES_VECTOR_SAMPLE_H
#define WN_PARTICLES_VECTOR_SAMPLE_H
#include <math.h>
#include <stdint.h>
#include "physics/host_device.h"
#include "physics/mathfn.h"
#include "physics/sample.h"

#define WN_SAMPLE_LANES 128 /* at the most */

/* The terms of wn_sample_point times their scales, of n particles.  Returns whether the slow form of
 * gamma - 1 was requested and a particle is too fast for it. */
static WN_HD int wn_sample_lanes_terms(const struct wn_sample *WN_RESTRICT what, int slow,
                                       int n, const float *WN_RESTRICT weight,
                                       const float *WN_RESTRICT ux,
                                       const float *WN_RESTRICT uy,
                                       const float *WN_RESTRICT uz,
                                       double term[WN_POINT_SUMS][WN_SAMPLE_LANES])
{
  const double unit = what->unit, per_c2 = wn_sample_per_c2(what);
  int fast = 0;
  for (int l = 0; l < n; l++) {
    const double w = (double)weight[l];
    const double x = (double)ux[l] * unit, y = (double)uy[l] * unit,
                 z = (double)uz[l] * unit, square = x * x + y * y + z * z,
                 beta2 = square * per_c2;
    term[0][l] = w * WN_FIX_WEIGHT;
    term[1][l] = w * x * WN_FIX_LAG;
    term[2][l] = w * y * WN_FIX_LAG;
    term[3][l] = w * z * WN_FIX_LAG;
    term[4][l] = w * square *
                 (slow ? wn_inverse_gamma1_slow(beta2) : wn_inverse_gamma1(beta2)) *
                 WN_FIX_LAG;
    fast |= !(beta2 < WN_SAMPLE_SLOW);
  }
  return slow & fast;
}

/* Sums of wn_fix of terms below 2^62, in units of 2^32 and of 1: both are below 2^51, and become
 * integers as the bits of doubles.  Returns whether any term is larger: then there are no sums. */
static WN_HD int wn_sample_lanes(const struct wn_sample *WN_RESTRICT what, int n,
                                 const float *WN_RESTRICT weight,
                                 const float *WN_RESTRICT ux, const float *WN_RESTRICT uy,
                                 const float *WN_RESTRICT uz, int64_t high[WN_POINT_SUMS],
                                 int64_t low[WN_POINT_SUMS])
{
  const uint64_t bits = 0x4338000000000000ull;
  double term[WN_POINT_SUMS][WN_SAMPLE_LANES];
  int large = 0;
  if (wn_sample_lanes_terms(what, 1, n, weight, ux, uy, uz, term))
    wn_sample_lanes_terms(what, 0, n, weight, ux, uy, uz, term);
  for (int k = 0; k < WN_POINT_SUMS; k++) {
    int64_t above = 0, rest = 0;
    for (int l = 0; l < n; l++) {
      const double y = rint(term[k][l]), shifted = y * 0x1p-32 + 0x1.8p52,
                   left = y - (shifted - 0x1.8p52) * 0x1p32;
      above += (int64_t)(wn_bits(shifted) - bits);
      rest += (int64_t)(wn_bits(left + 0x1.8p52) - bits);
      large |= !(fabs(y) < 0x1p62);
    }
    high[k] = above;
    low[k] = rest;
  }
  return large;
}

static WN_HD wn_i128 wn_sample_lanes_sum(int64_t high, int64_t low)
{
  return (wn_i128)high * ((int64_t)1 << 32) + low;
}

#endif
