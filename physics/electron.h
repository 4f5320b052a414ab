/* physics/electron.h - the state of one electron between mobility steps: 64 bytes, one
 * cache line. x [m] and u = gamma v [m/s] at the same time level.  What is stored is
 * rounded to these types after every mobility step, in every scheduler, so that an
 * electron that stays in registers has the same bits as one that was stored.
 *
 * An electron in a grid (physics/mcc_grid.h) has fixed-point places and what it feels, in
 * the bytes in which one of a swarm has x. */
#ifndef WN_PHYSICS_ELECTRON_H
#define WN_PHYSICS_ELECTRON_H
#include <stdint.h>
#include "physics/hd.h"

struct wn_electron {
  union {
    double x[3]; /* m; of a swarm */
    /* in a grid */
    __extension__ struct {
      /* cell * 2^bits + part along its axes (struct wn_grid_view), 0 along the others; at[0]
       * of one that a side has taken is WN_POINT_DEAD, others that are dead keep the place */
      int32_t at[3];
      /* m/s2, in the mobility step in hand; of one that a side has taken what at[0] was, and
       * the side (wn_mcc_grid_ended_side).  A newborn waits: it has t_left = 0, and in
       * a[0] the part of a mobility step that it has before it */
      float a[3];
    };
  };
  float u[3];  /* m/s, relativistic momentum over rest mass */
  float w;     /* electrons that this one stands for */
  uint64_t id; /* names its random numbers */
  /* random numbers: flights to one or two candidates, and population controls passed, so
   * far */
  uint32_t event;
  uint32_t tag; /* lineage (low WN_TAG_LINEAGE_BITS) and thresholds passed (the rest) */
  /* mobility steps still to go in this phase; 0: done; below 0: dead; a newborn starts
   * between integers */
  float t_left;
  float t_next; /* s to the next candidate, at the rate nu_max (physics/mcc.h) */
};

#define WN_DEAD (-1.0f) /* t_left of a dead electron, until compaction takes it away */

#define WN_TAG_LINEAGE_BITS 26
#define WN_TAG_LINEAGE_MASK ((1u << WN_TAG_LINEAGE_BITS) - 1u)
#define WN_MAX_THRESHOLDS   63 /* what the rest of the tag can count */

/* Which of the n_groups >= 1 groups: lineage i belongs to group i mod n_groups.  0 to
 * n_groups - 1. */
static WN_HD uint32_t wn_electron_group(uint32_t tag, uint32_t n_groups)
{
  return (tag & WN_TAG_LINEAGE_MASK) % n_groups;
}

/* Most halvings of the weights of a weighted ensemble, less its doublings, either way: what
 * fits into an exponent, and with 4096 groups, twice, into a tag. */
#define WN_MOST_HALVINGS 1000

/* In a weighted ensemble that is halved as it grows (struct wn_mcc.cohorts) the lineage is
 * the group, and n_groups times a cohort: twice the halvings (wn_mcc.halvings) there had been
 * when the electron last passed the first threshold, and 1 if it was seen below it since. */
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
