/* src/stats/jackknife.h - values with standard errors from independent groups. */
#ifndef WN_SRC_STATS_JACKKNIFE_H
#define WN_SRC_STATS_JACKKNIFE_H
#include <stddef.h>

struct wn_estimate {
  double value, error; /* error: standard error; NaN if unknown */
};

/* A quantity computed from the sums of all groups but one (leave_out < 0: all). */
typedef double wn_stats_fn(const void *ctx, long leave_out);

/* Delete-one jackknife over n groups (Quenouille, Tukey): value and standard error of f.
 * control (may be NULL): [n] control variate, one number of expectation zero for each
 * group, correlated with f.  The value is corrected by regression on it, and the error is
 * that of the residuals.  It is not used where it does not reduce the error. */
struct wn_estimate wn_stats_jackknife(size_t n, wn_stats_fn *f, const void *ctx,
                                      const double *control);

/* The same with up to WN_STATS_CONTROLS control variates, control[n_controls][n], by
 * multiple regression. */
#define WN_STATS_CONTROLS 2
struct wn_estimate wn_stats_regression(size_t n, wn_stats_fn *f, const void *ctx,
                                       size_t n_controls, const double *const *control);

/* The pseudo-values of the jackknife [n], whose mean is f less its bias of order 1/n.
 * Returns whether all are finite. */
int wn_stats_pseudo(size_t n, wn_stats_fn *f, const void *ctx, double *pseudo);

/* Fraction k of n, with a standard error that is not zero at k = 0 and k = n: that of the
 * Agresti-Coull type estimate (k+1)/(n+2). */
struct wn_estimate wn_stats_fraction(double k, double n);

/* If the expected number of events is this, none occurs with probability 5 %, -ln 0.05: the
 * 95 % upper limit where no event was seen. */
#define WN_STATS_UNSEEN 3.0

/* Mean of n values and its standard error. */
struct wn_estimate wn_stats_mean(size_t n, const double *x);

#endif
