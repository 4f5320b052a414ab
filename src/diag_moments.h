/* src/diag_moments.h - the sums over the samples of a block, for those who make
 * coefficients of them. */
#ifndef WN_SRC_DIAG_MOMENTS_H
#define WN_SRC_DIAG_MOMENTS_H
#include "src/diag.h"

/* A quantity of the moments of one lag.  m: [wn_sample_n_moments] of physics/sample.h,
 * divided by the weight; length, m: the unit of places.  SI. */
typedef double wn_moment_fn(const void *ctx, const double *m, double length);

/* Over the second half of a block: the slope in time of a quantity, or its mean; all groups
 * but leave_out.  d: of diag_moments.c; interval, s: from sample to sample. */
double wn_moments_slope(const struct wn_diag *d, double interval, wn_moment_fn *f,
                        const void *ctx, long leave_out);
double wn_moments_mean(const struct wn_diag *d, double interval, wn_moment_fn *f,
                       const void *ctx, long leave_out);

#endif
