/* src/sim/merging_groups.h - groups of macroparticles of a cell, and the methods that make each of them fewer: the
 * part of src/sim/merging.c between finding the macroparticles and the ledger, whose head describes it. */
#ifndef WN_SRC_SIM_MERGING_GROUPS_H
#define WN_SRC_SIM_MERGING_GROUPS_H
#include <stddef.h>
#include <stdint.h>
#include "physics/mover.h"
#include "physics/rng.h"
#include "src/config/merging.h"
#include "src/sim/cell_lists.h"
#include "src/sim/merging.h"

struct wn_merging_controlled {
  const struct wn_cfg_merging *is;
  size_t species; /* its number */
  uint32_t entry; /* of plasma.merging */
  struct wn_cell_lists by;
  const struct wn_points *points;
  uint32_t *wanted; /* [cells] more macroparticles, of this step */
  struct wn_merging_sums sums;
};

/* A macroparticle that may be merged. */
struct wn_merging_member {
  float u[3];
  uint32_t class;     /* the number of its energy class */
  uint32_t order, at; /* in the list of the cell; in the store */
  int64_t quanta;
};

struct wn_merging_group {
  double cost; /* quanta times m2/s2 about the mean */
  uint32_t first, n;
};

/* Of a thread: for the fullest cell. */
struct wn_merging_scratch {
  struct wn_merging_member *member;
  struct wn_merging_group *group;
  size_t n_groups;
};

/* What is done in a cell. */
struct wn_merging_place {
  const struct wn_rng_key *key;
  struct wn_merging_controlled *c;
  size_t cell;
  uint32_t step;
  struct wn_merging_sums *sums; /* of the thread */
  uint64_t *deaths;
  int64_t most; /* quanta of one */
};

static inline double wn_merging_energy_ev(const struct wn_merging_controlled *c,
                                          const float u[3])
{
  return wn_point_energy_ev(c->points, 3, u);
}

/* The class of an energy; n_classes + 1: protected. */
static inline uint32_t wn_merging_class_of(const struct wn_cfg_merging *is, double ev)
{
  uint32_t k = 0;
  if (ev > is->protect_ev)
    return (uint32_t)is->n_classes + 1;
  while (k < is->n_classes && ev >= is->classes_ev[k])
    k++;
  return k;
}

/* The first n members of the scratch, by classes: groups of them become fewer, until the cell has no more than it should.
 * Those that end are marked dead. */
void wn_merge_members(const struct wn_merging_place *p, struct wn_merging_scratch *s,
                      uint32_t n);

#endif
