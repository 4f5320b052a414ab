/* schedulers/grid_lanes.h - particles of the models `mcc` and `ion` in a grid, some at a
 * time, through a mobility step: what they feel, where they come to, what they add up.  The
 * flight between is the model's own (schedulers/model_mcc_grid.c, model_ion.c).
 *
 * Most meet nobody in a step.  All of theirs is done while their records are in the
 * first-level cache, in loops without branches that the compiler makes vectors of, by the
 * operations of physics/mcc_grid.h: the same bits.  Those to whom something happens get
 * what they feel, and are left to advance_many. */
#ifndef WN_SCHEDULERS_GRID_LANES_H
#define WN_SCHEDULERS_GRID_LANES_H
#include <stddef.h>
#include <stdint.h>
#include "particles/particles.h"
#include "particles/point_lanes.h"
#include "physics/electron.h"
#include "physics/mcc_grid.h"
#include "physics/sample.h"
#include "physics/tally.h"
#include "schedulers/model.h"

#define WN_GRID_LANES WN_POINT_LANES
/* Path along three axes, control, time, gained: wn_mcc_collision_free_sums. */
#define WN_GRID_SUMS 6

struct wn_grid_lanes {
  int n;
  /* as loaded; of the dead 0 */
  int32_t at[3][WN_GRID_LANES], lives[WN_GRID_LANES];
  float u[3][WN_GRID_LANES], w[WN_GRID_LANES], next[WN_GRID_LANES];
  struct wn_point_lanes middle; /* x: where E is taken; of dim > 1, e: E there */
  float a[3][WN_GRID_LANES];    /* m/s2 */
  /* the model's: u and next at the end of the step, and the way, for those that are quiet */
  float to[3][WN_GRID_LANES], later[WN_GRID_LANES], moved[3][WN_GRID_LANES];
  double sum[WN_GRID_SUMS][WN_GRID_LANES]; /* in the units of the tally, not rounded */
  int32_t quiet[WN_GRID_LANES];
  int32_t crosses[WN_GRID_LANES]; /* it ends beyond a side that is not periodic */
  int any_crosses;
};

/* What is a model's own in a pass. */
struct wn_grid_flight {
  const struct wn_mcc_grid *grid;
  uint32_t events; /* those of a flight in which nothing happens */
  /* to, later, moved, quiet and sum of all lanes */
  void (*fly)(const void *own, struct wn_grid_lanes *s);
  const void *own;
  /* e[list[i]], i < n, who feel their field, to the end of the phase */
  void (*others)(const struct wn_model *model, struct wn_electron *e,
                 const uint32_t *list, size_t n, struct wn_tally *tally,
                 struct wn_births *births);
};

/* struct wn_model_ops.pass, in blocks whose records stay in the second-level cache until those
 * that meet somebody have been advanced.  census may be NULL. */
void wn_grid_lanes_pass(const struct wn_model *model, const struct wn_grid_flight *f,
                        void *records, size_t n, struct wn_tally *tally,
                        struct wn_births *births, struct wn_census *census);

#endif
