/* src/stats/block_means.h - estimates from independent blocks: their mean, and the ratio of two means, with
 * standard errors from the scatter of the blocks.  mean: of all blocks; m2: sum of squared deviations from
 * it; cross: sum of products of the deviations of y and n (Welford's method, Technometrics 4, 419, 1962). */
#ifndef WN_SRC_STATS_BLOCK_MEANS_H
#define WN_SRC_STATS_BLOCK_MEANS_H
#include <math.h>
#include "src/stats/jackknife.h"

/* What m2 is multiplied by for the square of the standard error of the mean; NaN of one block. */
static inline double wn_block_factor(double blocks)
{
  return blocks > 1.0 ? 1.0 / (blocks * (blocks - 1.0)) : NAN;
}

/* NaN without blocks; the error also of one. */
static inline struct wn_estimate wn_block_mean(double mean, double m2, double blocks)
{
  return (struct wn_estimate){blocks > 0.0 ? mean : NAN,
                              sqrt(m2 * wn_block_factor(blocks))};
}

/* R = y/n, NaN where n is not above 0: with the scatter of y - R n over n (Cochran, Sampling Techniques,
 * 3rd edition 1977, chapter 6; to first order, derived by expanding the quotient). */
static inline struct wn_estimate wn_block_ratio(double y, double m2_y, double n,
                                                double m2_n, double cross, double blocks)
{
  const double ratio = n > 0.0 ? y / n : NAN,
               scatter = m2_y + ratio * (ratio * m2_n - 2.0 * cross);
  return (struct wn_estimate){
      ratio, sqrt((scatter > 0.0 ? scatter : 0.0) * wn_block_factor(blocks)) / n};
}

#endif
