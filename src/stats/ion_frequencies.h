/* src/stats/ion_frequencies.h - expected collision frequencies of an ion of known speed, and the
 * rate at which it loses its velocity, from the tables: means over the velocities of the atoms
 * (physics/ion.h has the collisions).
 *
 * Atoms have a Maxwellian with the standard deviation s along each axis.  The relative speed g of
 * an ion of speed v then has the density
 *
 *   f(g) = sqrt(2/pi) g^2/s^3 exp(-(g^2 + v^2)/(2 s^2)) sinh(x)/x,   x = g v/s^2,
 *
 * and the cosine of relative velocity and velocity has the mean coth(x) - 1/x at given g.  A
 * collision takes on average p g from the velocity where it is isotropic, and 2 p g where it is
 * backward, p = M/(m + M).  Derived here; t0770 compares with the collisions of a swarm. */
#ifndef WN_SRC_STATS_ION_FREQUENCIES_H
#define WN_SRC_STATS_ION_FREQUENCIES_H
#include "physics/ion_view.h"

/* Frequencies [1/s] of all processes of the view at the speed v > 0 [m/s]; returns the mean loss of
 * velocity over v, 1/s. */
double wn_ion_frequencies(const struct wn_ion_view *xs, double v, double *frequency);

#endif
