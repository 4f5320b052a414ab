/* particles/population.h - keep the number of electrons near its target, group by group,
 * without bias. Too many (above 5/4 of the target): each electron below the protected
 * energy survives with p = wanted/number and its weight is divided by p (Russian
 * roulette).  Too few (below 2/3): each is replaced by k equal copies of weight w/k,
 * which go on with random numbers of their own.  Expected weight, charge, momentum and
 * energy stay what they were.  Electrons above the protected energy are never touched.
 * Decisions use random numbers named by the electron, so they do not depend on order. */
#ifndef WN_PARTICLES_POPULATION_H
#define WN_PARTICLES_POPULATION_H
#include "src/sim.h"

/* Between phases.  split: also split when there are too few.  Counts go to s->killed and
 * s->copied. */
int wn_population_control(struct wn_sim *s, size_t target, int split);

/* Scale the weights of every group so that they add up to `weight`: for a swarm, where
 * only ratios within a group matter. */
int wn_population_normalise(struct wn_sim *s, double weight);

/* The same, and every electron goes back to the origin. */
int wn_population_restart(struct wn_sim *s, double weight);

#endif
