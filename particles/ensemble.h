/* particles/ensemble.h - a weighted ensemble in energy: in each level of energy, and each
 * group of electrons, as many electrons as wanted, however little weight they have, so
 * that what happens to one electron in 10^12 is seen as often as what happens to all
 * (Huber and Kim, Biophys. J. 70, 97, 1996; the weight windows of reactor codes).
 *
 * Between phases the weight W that a level of a group has is divided by the number wanted:
 * that, rounded to a power of two, is the weight that its electrons should have.  One of
 * twice as much or more is split into equal copies, which go on with random numbers of
 * their own; one of less than half lives on with the chance of its part, and then has it
 * all (physics/sample.h).  So there are 0.7 to 2.8 times as many as wanted.
 *
 * No expectation changes: whatever the weights wanted are, and they may be chosen by what
 * the electrons did before, a copy or a survivor stands for the same as the electron did,
 * on average over random numbers that nothing else is decided by.
 *
 * The weight W is that in the unit of weights of the cohorts (physics/sample.h,
 * wn_sample_age), in which what passes is counted: above the first threshold an electron counts
 * the more, the longer it has been there.
 *
 * Level 0 may have more.  It is where nearly all the weight is, and the weight of a group goes
 * on from it, from step to step, by births: the fewer they are, the further the weights of
 * groups drift apart, until a few groups are all that counts.
 *
 * All weights are powers of two, at least WN_LEAST_WEIGHT, so that their sums are exact.
 * Where the electrons grow in number all weights are halved now and then, where they decay
 * all are doubled, so that the bulk stays far above that least weight however long it takes.
 * A ledger holds, of each level, what came by flight and collisions, what roulette took
 * and gave, what halving took and doubling gave, and what is there: the last is the sum of
 * the others, to the last bit. */
#ifndef WN_PARTICLES_ENSEMBLE_H
#define WN_PARTICLES_ENSEMBLE_H
#include "base/state.h"
#include "particles/particles.h"
#include "physics/levels.h"

WN_BEGIN_DECLS

/* Weights of a level, in WN_FIX_RARE, since the ensemble began. */
struct wn_level_ledger {
  wn_i128 carried; /* in, less out, by flight, collisions, births and deaths */
  wn_i128 killed;  /* taken by roulette */
  wn_i128 raised;  /* given by it to those that it left */
  wn_i128 halved;  /* taken by wn_ensemble_halve, less what wn_ensemble_double gave */
  wn_i128 living;  /* after the last control: carried - killed + raised - halved */
};

struct wn_ensemble {
  size_t n_groups; /* lineage i belongs to group i mod n_groups */
  struct wn_levels levels;
  double wanted;    /* electrons of a group in a level */
  double bulk;      /* the same in level 0; wn_ensemble_create: as in the others */
  int32_t halvings; /* so far, less the doublings */
  double below_ev; /* electrons below it are marked in a control (struct wn_mcc.mark_m) */
  double mark_m;   /* m */
  uint64_t controls; /* so far */
  uint64_t seed;
  double inv_nu;                  /* 1/nu_max, s: copies draw their next candidate */
  struct wn_level_ledger *ledger; /* [n_groups][levels] */
  /* [n_groups][levels][WN_LEVEL_SUMS] number, weight, that in the unit of the cohorts: before
   * the last control */
  wn_i128 *sums;
  wn_i128 *roulette;       /* scratch of the same size */
  double *reference;       /* [n_groups][levels] the weight wanted, 0: none there */
  uint64_t killed, copied; /* so far */
};

/* Levels rise.  WN_ENOMEM. */
int wn_ensemble_create(size_t n_groups, const struct wn_levels *levels, double wanted,
                       struct wn_ensemble **out);
void wn_ensemble_free(struct wn_ensemble *e);
/* A case begins: no ledger, no counts. */
void wn_ensemble_begin(struct wn_ensemble *e);

static inline size_t wn_ensemble_cells(const struct wn_ensemble *e)
{
  return e->n_groups * wn_levels_number(&e->levels);
}

/* Between phases.  WN_ENOMEM; WN_EFULL when the store has no room for the copies; WN_ERUN
 * when an electron would stand for more than WN_MAX_WEIGHT; WN_ECUDA where they are on a
 * GPU. */
int wn_ensemble_control(struct wn_ensemble *e, struct wn_particles *p);

/* All weights become half, or twice, of what they are, behind a control.  WN_ENOMEM;
 * WN_ECUDA where they are on a GPU. */
int wn_ensemble_halve(struct wn_ensemble *e, struct wn_particles *p);
int wn_ensemble_double(struct wn_ensemble *e, struct wn_particles *p);

/* Weight of all electrons after the last control, halving or doubling. */
double wn_ensemble_weight(const struct wn_ensemble *e);

int wn_ensemble_state(struct wn_ensemble *e, struct wn_state *s);

WN_END_DECLS

#endif
