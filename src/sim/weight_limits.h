/* src/sim/weight_limits.h - the greatest weight of a macroparticle in each cell, for merging (src/sim/merging.c):
 * most_weight, or less by the field of the cell, or by its distance from a place (struct wn_cfg_merging).
 *
 * The field of a cell is the greatest magnitude of E at its nodes, of the step that ends: beside an electrode
 * or a thin front a mean over nodes would be too low.  Its place is its middle.  Limits are given at some fields
 * or distances; their logarithm is linear between two of them, and constant beyond the first and the last. */
#ifndef WN_SRC_SIM_WEIGHT_LIMITS_H
#define WN_SRC_SIM_WEIGHT_LIMITS_H
#include <stddef.h>
#include <stdint.h>
#include "base/state.h"
#include "physics/geometry.h"
#include "physics/weight_limit.h"
#include "src/config/config.h"
#include "src/sim/sim.h"

struct wn_gpu_weight_limits;

struct wn_weight_limits {
  const struct wn_cfg_merging *is;
  struct wn_weight_rule rule;
  size_t cells, nodes;
  int threads;
  int are; /* there are limits by field or place: */
  /* on the host, */
  float *by_place, *most; /* [cells] */
  float *square;          /* [nodes] (V/m)^2, of the step in hand; NULL: none by field */
  /* or on the GPU that merges */
  struct wn_gpu_weight_limits *gpu;
  double *component; /* [nodes]; NULL: not needed yet */
  /* the ledger */
  uint64_t heavy; /* macroparticles above their limit, in all passes */
  double least;   /* of all cells, in the last pass */
};

/* gpu: NULL, the host.  WN_ENOMEM, WN_ECUDA: the limits are to be cleared, too. */
int wn_weight_limits_init(struct wn_weight_limits *l, const struct wn_sim *s,
                          const struct wn_cfg_merging *is, int threads,
                          struct wn_gpu *gpu);
void wn_weight_limits_clear(struct wn_weight_limits *l);

/* At the start of a case. */
void wn_weight_limits_begin(struct wn_weight_limits *l);
int wn_weight_limits_state(struct wn_weight_limits *l, struct wn_state *state);

/* The limits of a pass.  Errors of wn_field_e and wn_field_e_there. */
int wn_weight_limits_update(struct wn_weight_limits *l, const struct wn_sim *s);

/* Those of plasma.merging for species k (src/sim/merging.c); NULL: it is not merged. */
const struct wn_weight_limits *wn_merging_weight_limits(const struct wn_sim *s, size_t k);

/* Whether there are limits by field or place. */
static inline int wn_weight_limits_are(const struct wn_weight_limits *l)
{
  return l->are;
}

/* Of a cell, on the host. */
static inline double wn_weight_limit(const struct wn_weight_limits *l, size_t cell)
{
  return l->most != NULL ? (double)l->most[cell] : l->is->most_weight;
}

#endif
