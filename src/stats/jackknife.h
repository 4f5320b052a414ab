/* src/stats/jackknife.h - values with standard errors from independent groups. */
#ifndef WN_SRC_STATS_JACKKNIFE_H
#define WN_SRC_STATS_JACKKNIFE_H
#include <stddef.h>

struct wn_estimate {
  double value, error; /* error: standard error; NaN where it cannot be told */
};

/* A quantity computed from the sums of all groups but one (leave_out < 0: all). */
typedef double wn_stats_fn(const void *ctx, long leave_out);

/* Delete-one jackknife over n groups (Quenouille, Tukey): value and standard error of f.
 * control (may be NULL): [n] one number a group whose expectation is zero, and which is
 * correlated with f: the value is corrected by their regression (control variate), its
 * error is that of the residuals.  Left out when it does not help. */
struct wn_estimate wn_stats_jackknife(size_t n, wn_stats_fn *f, const void *ctx,
                                      const double *control);

/* The same with up to WN_STATS_CONTROLS such numbers a group, control[n_controls][n]: the
 * regression on all of them. */
#define WN_STATS_CONTROLS 2
struct wn_estimate wn_stats_regression(size_t n, wn_stats_fn *f, const void *ctx,
                                       size_t n_controls, const double *const *control);

/* The pseudo-values of the jackknife [n], whose mean is f less its bias of order 1/n.
 * Returns whether all are finite. */
int wn_stats_pseudo(size_t n, wn_stats_fn *f, const void *ctx, double *pseudo);

/* Fraction k of n with a standard error that is not zero at k = 0 and k = n: that of the
 * Agresti-Coull type estimate (k+1)/(n+2). */
struct wn_estimate wn_stats_fraction(double k, double n);

/* Of a mean of so many events none is seen once in 20 times, -ln 0.05: an upper limit (95 %)
 * for what was not seen. */
#define WN_STATS_UNSEEN 3.0

/* Mean of n values and its standard error. */
struct wn_estimate wn_stats_mean(size_t n, const double *x);

#endif
