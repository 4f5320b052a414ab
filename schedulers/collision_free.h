/* schedulers/collision_free.h - collision-free pass on a CPU: particles of the models
 * `mcc` and `ion` in a grid, many at a time, through a mobility step.  This file gathers
 * the field, sets the positions and adds up the tally; the flight in between is the
 * model's (schedulers/model_mcc_grid.c, model_ion.c).
 *
 * Most particles have no collision in a step.  Their whole step is computed while the
 * records are in the first-level cache, in loops without branches that the compiler
 * vectorises.  The operations are those of physics/mcc_grid.h, so the bits are the same.
 * Particles with a collision candidate only get their acceleration here; advance_many
 * advances them afterwards. */
#ifndef WN_SCHEDULERS_COLLISION_FREE_H
#define WN_SCHEDULERS_COLLISION_FREE_H
#include <stddef.h>
#include <stdint.h>
#include "particles/particles.h"
#include "particles/vector_push.h"
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
  /* as loaded; 0 for dead particles */
  int32_t at[3][WN_GRID_LANES], lives[WN_GRID_LANES];
  float u[3][WN_GRID_LANES], w[WN_GRID_LANES], next[WN_GRID_LANES];
  struct wn_point_lanes middle; /* x: where E is taken; of dim > 1, e: E there */
  float a[3][WN_GRID_LANES];    /* m/s2 */
  /* set by the model: u and next at the end of the step, and the displacement, of
   * collision-free lanes */
  float to[3][WN_GRID_LANES], later[WN_GRID_LANES], moved[3][WN_GRID_LANES];
  double sum[WN_GRID_SUMS][WN_GRID_LANES]; /* in the units of the tally, not rounded */
  int32_t free_flight[WN_GRID_LANES];
  int32_t crosses[WN_GRID_LANES]; /* it ends beyond a side that is not periodic */
  int any_crosses;
};

/* The model's part of a pass. */
struct wn_grid_flight {
  const struct wn_mcc_grid *grid;
  uint32_t events; /* events that a collision-free flight counts */
  /* sets to, later, moved, free_flight and sum of all lanes */
  void (*fly)(const void *own, struct wn_grid_lanes *s);
  const void *own;
  /* advance e[list[i]], i < n, whose acceleration is set, to the end of the step */
  void (*others)(const struct wn_model *model, struct wn_electron *e,
                 const uint32_t *list, size_t n, struct wn_tally *tally,
                 struct wn_births *births);
};

/* struct wn_model_ops.pass, in blocks of records that stay in the second-level cache
 * until those with collision candidates are advanced.  census may be NULL. */
void wn_collision_free_pass(const struct wn_model *model, const struct wn_grid_flight *f,
                            void *records, size_t n, struct wn_tally *tally,
                            struct wn_births *births, struct wn_census *census);

#endif
