/* particles/weighted_ensemble.h - a weighted ensemble in energy: each energy level of each group has about the
 * same target number of electrons, however small their weight.  So an event of one electron in 10^12 is
 * sampled as often as an event of all (Huber and Kim, Biophys. J. 70, 97, 1996; the weight windows of
 * reactor codes).
 *
 * Between steps the weight W of a level of a group is divided by the target number.  The result, rounded
 * to a power of two, is the target weight of its electrons.  An electron of at least twice that weight is
 * split into equal copies, with random numbers of their own.  One of less than half survives with a
 * probability of weight over target weight, and then has the target weight (physics/sample.h).  So there
 * are 0.7 to 2.8 times the target number.
 *
 * No expectation changes.  Target weights may depend on the past of the electrons: a copy or a survivor
 * represents the electron on average over random numbers that no other decision uses.
 *
 * The weight W is in the unit of weight of the cohorts (physics/sample.h, wn_sample_age), in which
 * passages are counted: above the first threshold an electron counts more, the longer it has been there.
 *
 * Level 0 may have more electrons.  It has nearly all the weight, and the weight of a group grows from it
 * by births, step by step.  The fewer they are, the further the weights of groups drift apart, until a
 * few groups dominate.
 *
 * All weights are powers of two, at least WN_LEAST_WEIGHT, so that their sums are exact.  In a growing
 * swarm all weights are halved from time to time, in a decaying one doubled, so that the bulk stays far
 * above that least weight.  For each level a ledger holds the net gain by flight and collisions, removal
 * and gain by roulette, loss by halving and gain by doubling, and the present weight, which equals their
 * sum to the last bit. */
#ifndef WN_PARTICLES_WEIGHTED_ENSEMBLE_H
#define WN_PARTICLES_WEIGHTED_ENSEMBLE_H
#include "base/state.h"
#include "particles/particles.h"
#include "physics/levels.h"

WN_BEGIN_DECLS

/* Weights of a level, in WN_FIX_RARE, since the ensemble began. */
struct wn_level_ledger {
  wn_i128 carried; /* net gain by flight, collisions, births and deaths */
  wn_i128 killed;  /* removed by roulette */
  wn_i128 raised;  /* added by roulette to surviving electrons */
  wn_i128
      halved; /* removed by wn_ensemble_halve, minus that added by wn_ensemble_double */
  wn_i128 living; /* after the last control: carried - killed + raised - halved */
};

struct wn_ensemble {
  size_t n_groups; /* lineage i belongs to group i mod n_groups */
  struct wn_levels levels;
  double wanted;    /* target number of electrons of a group in a level */
  double bulk;      /* the same in level 0; wn_ensemble_create: as in the others */
  int32_t halvings; /* so far, minus the doublings */
  double below_ev; /* electrons below it are marked in a control (struct wn_mcc.mark_m) */
  double mark_m;   /* m */
  uint64_t controls; /* so far */
  uint64_t seed;
  double inv_nu;                  /* 1/nu_max, s: copies draw their next candidate */
  struct wn_level_ledger *ledger; /* [n_groups][levels] */
  /* [n_groups][levels][WN_LEVEL_SUMS] number, weight, weight in the unit of the cohorts:
   * before the last control */
  wn_i128 *sums;
  wn_i128 *roulette;       /* scratch of the same size */
  double *reference;       /* [n_groups][levels] target weight, 0: no electron */
  uint64_t killed, copied; /* so far */
};

/* Levels increase.  WN_ENOMEM. */
int wn_ensemble_create(size_t n_groups, const struct wn_levels *levels, double wanted,
                       struct wn_ensemble **out);
void wn_ensemble_free(struct wn_ensemble *e);
/* A case begins: no ledger, no counts. */
void wn_ensemble_begin(struct wn_ensemble *e);

static inline size_t wn_ensemble_cells(const struct wn_ensemble *e)
{
  return e->n_groups * wn_levels_number(&e->levels);
}

/* Between steps.  WN_ENOMEM; WN_EFULL if the store has no room for the copies; WN_ERUN if
 * an electron would have more than WN_MAX_WEIGHT; WN_ECUDA for electrons on a GPU. */
int wn_ensemble_control(struct wn_ensemble *e, struct wn_particles *p);

/* Halves, or doubles, all weights, after a control.  WN_ENOMEM; WN_ECUDA for electrons on a GPU. */
int wn_ensemble_halve(struct wn_ensemble *e, struct wn_particles *p);
int wn_ensemble_double(struct wn_ensemble *e, struct wn_particles *p);

/* Weight of all electrons after the last control, halving or doubling. */
double wn_ensemble_weight(const struct wn_ensemble *e);

int wn_ensemble_state(struct wn_ensemble *e, struct wn_state *s);

WN_END_DECLS

#endif
