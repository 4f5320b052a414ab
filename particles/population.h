/* particles/population.h - keep the number of electrons near its target, group by group,
 * without bias.
 *   too many  (above 5/4 of the target) each electron below the protected energy survives
 *             with p = wanted/number and its weight is divided by p (Russian roulette)
 *   too few   (below 2/3) each is replaced by k equal copies of weight w/k, which go on
 *             with random numbers of their own
 * To count the electrons of the groups takes a pass over all, which is made when a twentieth
 * of them has been born or died since the last, or fewer died of a group that might be lost.
 * Expected weight, charge, momentum and energy stay what they were.  Electrons above the
 * protected energy are never touched.  Decisions use random numbers named by the
 * electron, so they do not depend on order.  For struct wn_electron. */
#ifndef WN_PARTICLES_POPULATION_H
#define WN_PARTICLES_POPULATION_H
#include "particles/particles.h"

WN_BEGIN_DECLS

struct wn_population {
  size_t n_groups; /* lineage i belongs to group i mod n_groups */
  size_t target;   /* electrons in all groups together; 0: no control */
  int may_split;   /* also when there are too few */
  /* electrons that a group should have at the least, however small the target: of few
   * roulette may well take all, and one that is attached may have been the last */
  double least;
  double protect_ev; /* above it nobody is touched */
  uint64_t seed;
  double inv_nu;           /* 1/nu_max, s: copies draw their next candidate */
  uint64_t killed, copied; /* so far */
  size_t n_then;           /* electrons when they were last counted; 0: they were not */
  uint64_t births, deaths; /* since then */
};

/* A case begins. */
void wn_population_begin(struct wn_population *c);

/* Between phases, of which the last had so many births and deaths; *due: a group has too
 * many or too few, and wn_population_control is to follow.  Errors as there. */
int wn_population_check(struct wn_population *c, struct wn_particles *p, uint64_t births,
                        uint64_t deaths, int *due);

/* Between phases, where that is due; energies are then to be summed anew.  All of these:
 * WN_ENOMEM; WN_EFULL when the store has no room for the copies; WN_ERUN when an electron
 * would stand for more than WN_MAX_WEIGHT; WN_ECUDA where they are on a GPU. */
int wn_population_control(struct wn_population *c, struct wn_particles *p);

/* Scale the weights of every group so that they add up to `weight`: for a swarm, where
 * only ratios within a group matter. */
int wn_population_normalise(struct wn_population *c, struct wn_particles *p,
                            double weight);

/* The same, and every electron goes back to the origin. */
int wn_population_restart(struct wn_population *c, struct wn_particles *p, double weight);

int wn_population_state(struct wn_population *c, struct wn_state *s);

WN_END_DECLS

#endif
