/* particles/population_control.h - population control: keeps the number of electrons near its target, group by
 * group, without bias.
 *   too many  (above 5/4 of the target) each electron below the protected energy survives
 *   with
 *             probability p = target/number, and its weight is divided by p (Russian
 *             roulette)
 *   too few   (below 2/3) each is replaced by k equal copies of weight w/k, with random
 *   numbers
 *             of their own
 * Counting the electrons of the groups takes a pass over all; it is made when a twentieth of them has
 * been born or died since the last count, or fewer if a group might die out.  Expected weight, charge,
 * momentum and energy do not change.  Electrons above the protected energy are never changed.  Decisions
 * use random numbers named by the electron, so they do not depend on order.  For struct wn_electron. */
#ifndef WN_PARTICLES_POPULATION_CONTROL_H
#define WN_PARTICLES_POPULATION_CONTROL_H
#include "particles/particles.h"

WN_BEGIN_DECLS

struct wn_population {
  size_t n_groups; /* lineage i belongs to group i mod n_groups */
  size_t target;   /* target over all groups; 0: no control */
  int may_split;   /* also split if there are too few */
  /* least number of electrons of a group, however small the target: roulette may remove
   * all of a few, and an attached electron may be the last one */
  double least;
  double protect_ev; /* electrons above it are not changed */
  uint64_t seed;
  double inv_nu;           /* 1/nu_max, s: copies draw their next candidate */
  double *factor;          /* [n_groups] of the last scaling; NULL: not kept; not owned */
  uint64_t killed, copied; /* so far */
  size_t n_then;           /* electrons at the last count; 0: not counted */
  uint64_t births, deaths; /* since then */
};

/* At the start of a case. */
void wn_population_begin(struct wn_population *c);

/* Between steps; births and deaths: of the last step.  *due: a group has too many or too
 * few electrons, and wn_population_control must follow.  Errors as there. */
int wn_population_check(struct wn_population *c, struct wn_particles *p, uint64_t births,
                        uint64_t deaths, int *due);

/* Between steps, when due; energies must be summed again afterwards.  All of these:
 * WN_ENOMEM; WN_EFULL if the store has no room for the copies; WN_ERUN if an electron
 * would have more than WN_MAX_WEIGHT; WN_ECUDA for electrons on a GPU. */
int wn_population_control(struct wn_population *c, struct wn_particles *p);

/* Scales the weights of every group to the sum `weight`: for a swarm, where only ratios
 * within a group matter. */
int wn_population_normalise(struct wn_population *c, struct wn_particles *p,
                            double weight);

/* The same, and every electron returns to the origin. */
int wn_population_restart(struct wn_population *c, struct wn_particles *p, double weight);

int wn_population_state(struct wn_population *c, struct wn_state *s);

WN_END_DECLS

#endif
