/* physics/test_electron.h - what is done to an electron of the plasma when test electrons (src/sim/test_electrons.h) look at
 * it at the end of a step: its lineage, its mark, and the sums of weights above energies.  One electron at a
 * time, the same text and bits on CPU and GPU; sums are integers. */
#ifndef WN_PHYSICS_TEST_ELECTRON_H
#define WN_PHYSICS_TEST_ELECTRON_H
#include "physics/sample.h" /* before any other header of cuRAND */
#include <stddef.h>
#include <stdint.h>
#include "physics/electron.h"
#include "physics/host_device.h"
#include "physics/tally.h"

/* Of the lineage of an electron of the plasma: it belongs to a start. */
#define WN_TEST_MARK (1u << (WN_TAG_LINEAGE_BITS - 1))

struct wn_test_rule {
  double from_ev;
  float nearly_u2;  /* m2/s2: slower electrons are below from_ev */
  int32_t is_first; /* the first step: there are no marks yet */
  uint32_t n_groups, n_thresholds;
  const double *threshold_ev; /* [n_thresholds], increasing */
};

/* For electrons that were not loaded: 1 to WN_TEST_MARK - 1. */
static WN_HD uint32_t wn_test_lineage(uint64_t id)
{
  return 1u + (uint32_t)((id ^ id >> 32) % (WN_TEST_MARK - 1u));
}

/* Gives it a lineage; returns whether it may be above from_ev, or is marked. */
static WN_HD int wn_test_find(const struct wn_test_rule *is, struct wn_electron *e)
{
  const float u2 = e->u[0] * e->u[0] + e->u[1] * e->u[1] + e->u[2] * e->u[2];
  if (is->is_first)
    e->tag &= ~WN_TEST_MARK;
  if ((e->tag & (WN_TEST_MARK - 1u)) == 0)
    e->tag |= wn_test_lineage(e->id);
  return (u2 >= is->nearly_u2 || (e->tag & WN_TEST_MARK) != 0) && e->t_left >= 0.0f;
}

static WN_HD uint32_t wn_test_group(const struct wn_test_rule *is,
                                    const struct wn_electron *e)
{
  return (e->tag & (WN_TEST_MARK - 1u)) % is->n_groups;
}

/* Its weight to the sums [n_groups][1 + n_thresholds] of those with at least from_ev, and each threshold. */
static WN_HD void wn_test_above(const struct wn_test_rule *is, uint32_t group,
                                double energy_ev, double w, wn_i128 *sums)
{
  wn_i128 *to = &sums[(size_t)group * (1 + is->n_thresholds)];
  wn_tally_sum(&to[0], w, WN_FIX_RARE);
  for (uint32_t k = 0; k < is->n_thresholds && energy_ev >= is->threshold_ev[k]; k++)
    wn_tally_sum(&to[1 + k], w, WN_FIX_RARE);
}

/* One that was found: it loses its mark below from_ev, else it adds to the sums.  Returns whether it starts a test
 * electron: it is above and has no mark yet, which the caller sets. */
static WN_HD int wn_test_look(const struct wn_test_rule *is, struct wn_electron *e,
                              wn_i128 *sums)
{
  const double energy_ev = wn_sample_energy_ev(e);
  if (energy_ev < is->from_ev) {
    e->tag &= ~WN_TEST_MARK;
    return 0;
  }
  wn_test_above(is, wn_test_group(is, e), energy_ev, (double)e->w, sums);
  return (e->tag & WN_TEST_MARK) == 0;
}

#endif
