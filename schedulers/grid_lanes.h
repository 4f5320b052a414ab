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
/* Path along three axes, control, time, gained: wn_mcc_quiet_sums. */
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

/* The first WN_GRID_LANES of n records, or as many as there are, at the beginning of a
 * phase. */
void wn_grid_lanes_load(const struct wn_electron *e, size_t n, struct wn_grid_lanes *s);

/* wn_mcc_grid_feel of all that live, with the whole step before them. */
void wn_grid_lanes_feel(const struct wn_mcc_grid *g, struct wn_grid_lanes *s);

/* After the flight: the sums of the quiet go to `group`, which is everyone's.  Where one is
 * too large for the way in which they are rounded, all lanes are quiet no more. */
void wn_grid_lanes_add(struct wn_grid_lanes *s, struct wn_tally_group *group);

/* wn_mcc_grid_arrive of the quiet that cross no side: at.  crosses: of the others. */
void wn_grid_lanes_arrive(const struct wn_mcc_grid *g, struct wn_grid_lanes *s);

/* Back to the records: the quiet at the end of the step, or dead where a side took them;
 * with one event more, if events are counted by flights.  The others hold what they feel
 * and have the step before them; their numbers, from `first` on, go into list.  Returns how
 * many. */
int wn_grid_lanes_store(const struct wn_mcc_grid *g, uint32_t events,
                        const struct wn_grid_lanes *s, struct wn_electron *e,
                        uint32_t first, uint32_t *list, struct wn_tally *tally);

/* Then, onto a census: those of the quiet that live; the others are the caller's. */
void wn_grid_lanes_count(const struct wn_grid_lanes *s, const struct wn_electron *e,
                         struct wn_census *census);

#endif
