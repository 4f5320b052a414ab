/* src/stats/growth.h - how fast a number of particles grows, as seen from outside, and when it will
 * come to a limit if it goes on so.
 *
 * Moments are kept at which the number had grown by WN_GROWTH_STEP.  The last two stretches of
 * them that are each long enough say how long the number takes for a factor e, and whether
 * that becomes longer: with L = ln N,
 *   dt/dL = exp(s (L - L2))/g2,   s = max(0, ln(g1/g2)/(L2 - L1)),
 * g1 and g2 the mean growth rates of the stretches, L1 and L2 their middles.  s = 0 is
 * exponential growth, s = 1 linear; growth that becomes faster is taken as exponential, so that
 * nothing is foreseen too early (derived here).  Of one stretch alone s = 1 is taken.
 *
 * A stretch is long enough when its growth is known to WN_GROWTH_ERROR: of N independent
 * particles that split, ln N grows with the variance 1/N(begin) - 1/N(end) (Yule's process). */
#ifndef WN_SRC_STATS_GROWTH_H
#define WN_SRC_STATS_GROWTH_H
#include <stddef.h>

#define WN_GROWTH_STEP    1.1
#define WN_GROWTH_ERROR   0.1
#define WN_GROWTH_MOMENTS 256 /* 1.1^256 = 4e10 times what there was */

struct wn_growth {
  size_t n;
  struct {
    double t, n; /* s; particles */
  } at[WN_GROWTH_MOMENTS];
};

/* At time t [s] there are n of them; returns whether that is a moment to be kept.  A number
 * that falls by WN_GROWTH_STEP begins anew. */
int wn_growth_note(struct wn_growth *g, double t, double n);

/* From the last moment on, s until there are `limit` of them; growth is taken slower than
 * measured by twice its error.  INFINITY: they do not grow, it is not known yet, or there are as
 * many.  * *doubling [s]: in which they doubled last. */
double wn_growth_until(const struct wn_growth *g, double limit, double *doubling);

/* Particle seconds of the next t [s], of n particles that grow at the rate g [1/s] (below 0:
 * become fewer) up to `most` of them and are as many from then on. */
double wn_growth_sum(double n, double g, double t, double most);

#endif
