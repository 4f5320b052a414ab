/* src/sim/field_power.h - the power that the field gives to a species at the nodes, J E, for
 * averages (plasma.averages.<NAME>.power).
 *
 * Velocities belong to the ends of a step and E to its middle: their product would differ from
 * the work by q^2 E^2 dt/(2 m) a particle.  Here each particle counts before it moves, where E is
 * gathered for it (the middle of its path, x + v h/2), with the energy that it gains in the
 * mobility step of length h, over h.
 *
 *   without collisions   exact: with d = q E h/(2 m), the kicks u- = u + d and u' = u+ + d about a
 *                        rotation of u- to u+, the gain is m d (u + u- + u+ + u')/(g + g'), g and g'
 *                        the gamma before and after.  |u+| = |u-|, so it is m (u'^2 - u^2)/(g + g')
 *   with collisions      the velocity v changes by a - f v a second on average, f the rate at which
 *                        collisions take it.  With f constant its mean over h is
 *                        v p(f h) + a h r(f h),  p(x) = (1 - exp(-x))/x,  r(x) = (1 - p(x))/x;
 *                        without collisions p = 1 and r = 1/2, and what collisions change is added
 *                        to the above.  f depends on the velocity: it is taken at v + a h/3, as
 *                        f(v + a s) (v + a s) integrated over the collisions before a time, and that
 *                        over h, has v times the derivative of f along a times h^3/6.  The error is
 *                        of third order in f h.  Newborns of a step, of which each gets
 *                        m a^2 h^2/6 on average, do not count.
 *
 * Derived here; t/plasma/t0771 compares with the work in the balance of a run.  A particle that a
 * side takes in the first half of its step gains nothing, one in the second half counts. */
#ifndef WN_SRC_SIM_FIELD_POWER_H
#define WN_SRC_SIM_FIELD_POWER_H
#include "src/sim/sim.h"

/* W/m3 of species k at the nodes in the last step, which was sampled by a window with power; of a
 * subcycled species in its last one.  Of all ranks.  NULL: no window asks for it. */
const double *wn_field_power(const struct wn_sim *s, size_t k);

#endif
