/* src/diag/moments.h - the sums over the samples of a block, for files that compute
 * coefficients from them. */
#ifndef WN_SRC_DIAG_MOMENTS_H
#define WN_SRC_DIAG_MOMENTS_H
#include "src/diag/diag.h"

/* A quantity computed from the moments at one lag.  m: [wn_sample_n_moments] of
 * physics/sample.h, divided by the weight; length, m: the unit of positions.  SI. */
typedef double wn_moment_fn(const void *ctx, const double *m, double length);

/* Growth rate of a quantity, 1/s, over the last two thirds of a block, or its mean there; all
 * groups except leave_out.  is_square: its variance grows with time, as does that of a mean.
 * d: of moments.c; interval, s: from sample to sample. */
double wn_moments_growth(const struct wn_diag *d, double interval, wn_moment_fn *f,
                         const void *ctx, int is_square, long leave_out);
double wn_moments_mean(const struct wn_diag *d, double interval, wn_moment_fn *f,
                       const void *ctx, long leave_out);

/* Coefficients of a swarm: drift along the field, m/s; diffusion, m2/s. */
enum wn_coefficient {
  WN_W_FLUX,
  WN_W_BULK,
  WN_DT_FLUX,
  WN_DL_FLUX,
  WN_DT_BULK,
  WN_DL_BULK
};
double wn_moments_coefficient(const struct wn_diag *d, const struct wn_sim *s,
                              enum wn_coefficient what, long leave_out);
/* The same with its error; control: that of transport.c. */
struct wn_estimate wn_moments_estimate(const struct wn_diag *d, const struct wn_sim *s,
                                       enum wn_coefficient what, const double *control);

/* Symmetric part of the flux diffusion tensor, (<x_i v_k> + <x_k v_i> - <x_i><v_k> -
 * <x_k><v_i>)/2, over all times in the last two thirds of a block, m2/s.  If few sums are
 * kept (enum wn_mcc_spreads), only zz and the sum of xx and yy are meaningful. */
double wn_moments_flux(const struct wn_diag *d, double interval, int i, int k,
                       long leave_out);

/* For a group: the weight of all samples; for an energy bin the weight times the cosine
 * between velocity and drift. */
double wn_moments_weight(const struct wn_diag *d, size_t group);
double wn_moments_cosine(const struct wn_diag *d, size_t group, size_t bin);

#endif
