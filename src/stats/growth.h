/* src/stats/growth.h - growth of a number of particles, measured from the number alone, and the
 * time at which it will reach a limit.
 *
 * A moment is kept each time the number has grown by WN_GROWTH_STEP.  The last two intervals
 * between moments that are long enough give the time for a factor e, and its change: with L = ln N,
 *   dt/dL = exp(s (L - L2))/g2,   s = max(0, ln(g1/g2)/(L2 - L1)),
 * g1 and g2 the mean growth rates of the intervals, L1 and L2 their middles.  s = 0 is exponential
 * growth, s = 1 linear growth.  Accelerating growth is taken as exponential, so that the time is
 * not underestimated (derived here).  If there is only one interval, s = 1.
 *
 * An interval is long enough if its growth is known to WN_GROWTH_ERROR: for N independent particles
 * that split, ln N has the variance 1/N(begin) - 1/N(end) (Yule process). */
#ifndef WN_SRC_STATS_GROWTH_H
#define WN_SRC_STATS_GROWTH_H
#include <stddef.h>

#define WN_GROWTH_STEP    1.1
#define WN_GROWTH_ERROR   0.1
#define WN_GROWTH_MOMENTS 256 /* 1.1^256 = 4e10 times the initial number */

struct wn_growth {
  size_t n;
  struct {
    double t, n; /* s; particles */
  } at[WN_GROWTH_MOMENTS];
};

/* At time t [s] there are n particles; returns whether this moment is kept.  A number that
 * has fallen by WN_GROWTH_STEP starts a new record. */
int wn_growth_note(struct wn_growth *g, double t, double n);

/* s from the last moment until there are `limit` particles; the measured growth rate is lowered
 * by twice its error.  INFINITY: no growth, not known yet, or the limit is exceeded already.
 * *doubling [s]: time of the last doubling. */
double wn_growth_until(const struct wn_growth *g, double limit, double *doubling);

/* Particle seconds of the next t [s], for n particles that grow at the rate g [1/s] (below
 * 0: decay) up to `most` particles and stay constant from then on. */
double wn_growth_sum(double n, double g, double t, double most);

#endif
