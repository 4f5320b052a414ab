/* physics/electron.h - the state of one electron between mobility steps: 64 bytes, one
 * cache line. x [m] and u = gamma v [m/s] at the same time level.  Every scheduler rounds
 * the state to these types after every mobility step.  So an electron kept in registers
 * has the same bits as one that was stored.
 *
 * An electron in a grid (physics/mcc_grid.h) has a fixed-point place and its acceleration
 * in the bytes that hold x for an electron of a swarm. */
#ifndef WN_PHYSICS_ELECTRON_H
#define WN_PHYSICS_ELECTRON_H
#include <stdint.h>
#include "physics/host_device.h"

struct wn_electron {
  union {
    double x[3]; /* m; in a swarm */
    /* in a grid */
    __extension__ struct {
      /* cell * 2^bits + part along its axes (struct wn_grid_view), 0 along the others.
       * at[0] is WN_POINT_DEAD for an electron taken by a side; other dead electrons keep
       * the place */
      int32_t at[3];
      /* m/s2, in the current mobility step; for an electron taken by a side, its former
       * at[0] and the side (wn_mcc_grid_ended_side).  A newborn waits: it has t_left = 0,
       * and in a[0] the part of a mobility step that it has still to move */
      float a[3];
    };
  };
  float u[3];  /* m/s, relativistic momentum over rest mass */
  float w;     /* electrons that this one stands for: its weight */
  uint64_t id; /* names its random numbers */
  /* names the random numbers: flights to one or two candidates and population controls,
   * so far */
  uint32_t event;
  uint32_t tag; /* lineage (low WN_TAG_LINEAGE_BITS) and thresholds passed (the rest) */
  /* mobility steps still to go in this step; 0: done; below 0: dead; a newborn starts
   * with a fraction of a step */
  float t_left;
  float t_next; /* s to the next candidate, at the rate nu_max (physics/mcc.h) */
};

#define WN_DEAD (-1.0f) /* t_left of a dead electron, until compaction removes it */

#define WN_TAG_LINEAGE_BITS 26
#define WN_TAG_LINEAGE_MASK ((1u << WN_TAG_LINEAGE_BITS) - 1u)
#define WN_MAX_THRESHOLDS   63 /* the largest number that fits into the rest of the tag */

/* The group of an electron, 0 to n_groups - 1: lineage i belongs to group i mod n_groups,
 * n_groups >= 1. */
static WN_HD uint32_t wn_electron_group(uint32_t tag, uint32_t n_groups)
{
  return (tag & WN_TAG_LINEAGE_MASK) % n_groups;
}

/* Largest difference, either way, between the halvings and the doublings of the weights
 * of a weighted ensemble.  It fits into an exponent and, with 4096 groups and doubled,
 * into a tag. */
#define WN_MOST_HALVINGS 1000

/* In a weighted ensemble that is halved as it grows (struct wn_mcc.cohorts) the lineage
 * is the group plus n_groups times a cohort.  The cohort is twice the number of halvings
 * (wn_mcc.halvings) at the last passage of the first threshold, plus 1 if the electron
 * was found below that threshold since. */
static WN_HD uint32_t wn_electron_cohort(uint32_t tag, uint32_t n_groups)
{
  return (tag & WN_TAG_LINEAGE_MASK) / n_groups;
}

static WN_HD uint32_t wn_electron_in_cohort(uint32_t tag, uint32_t n_groups,
                                            uint32_t cohort)
{
  return (tag & ~WN_TAG_LINEAGE_MASK) |
         (wn_electron_group(tag, n_groups) + n_groups * cohort);
}

#endif
