/* schedulers/mcc_lanes.h - model `mcc`, many electrons at a time: what wn_mcc_reg is of
 * one, in arrays whose loops the compiler makes into vectors.  For
 * schedulers/mcc_flights.c and schedulers/mcc_collisions.c. */
#ifndef WN_SCHEDULERS_MCC_LANES_H
#define WN_SCHEDULERS_MCC_LANES_H
#include <stdint.h>
#include "physics/collisions/lanes.h"
#include "physics/electron.h"
#include "physics/mcc.h"
#include "physics/tally.h"
#include "schedulers/model.h"

/* struct wn_mcc_reg of all lanes and what belongs to it.  u and energy of a lane that
 * stopped are up to date after commit. */
struct wn_mcc_lanes {
  float moved[3][WN_MCC_LANES], u[3][WN_MCC_LANES], base_ev[WN_MCC_LANES],
      since[WN_MCC_LANES], energy[WN_MCC_LANES];
  float left[WN_MCC_LANES], next[WN_MCC_LANES], gained[WN_MCC_LANES],
      energy_sum[WN_MCC_LANES], control[WN_MCC_LANES];
  uint32_t n_candidates[WN_MCC_LANES], n_real[WN_MCC_LANES];
  float s0[WN_MCC_LANES], s1[WN_MCC_LANES];
  float slower[WN_MCC_LANES],
      horizon[WN_MCC_LANES]; /* of the band, and part: in a swarm */
  uint32_t part[WN_MCC_LANES];
  uint32_t id[2][WN_MCC_LANES], event[WN_MCC_LANES], word[4][WN_MCC_LANES],
      choice[WN_MCC_LANES];
  /* energy from which on wn_mcc_watch is needed; the highest of all that were in this lane */
  float watch[WN_MCC_LANES], highest[WN_MCC_LANES];
  int32_t flying[WN_MCC_LANES], end[WN_MCC_LANES], bin[WN_MCC_LANES];
  struct wn_electron *e[WN_MCC_LANES];
  int group[WN_MCC_LANES];
  /* in a grid: the force; with losses along the flight a2 is H of physics/continuous_loss.h */
  float a[3][WN_MCC_LANES], a2[WN_MCC_LANES];
  /* in a magnetic field: of struct wn_turn, but s0 and s1 */
  float sine[WN_MCC_LANES], cosine[WN_MCC_LANES], turns[WN_MCC_LANES],
      period[WN_MCC_LANES], inverse[WN_MCC_LANES];
};

/* From the lanes to the registers of the scalar code, and back. */
static inline struct wn_mcc_reg wn_mcc_lane(const struct wn_mcc_lanes *s, int l)
{
  struct wn_mcc_reg r = {
      {s->moved[0][l], s->moved[1][l], s->moved[2][l]},
      {s->u[0][l], s->u[1][l], s->u[2][l]},
      s->base_ev[l],
      s->since[l],
      s->energy[l],
      s->left[l],
      s->next[l],
      s->gained[l],
      s->control[l],
      s->energy_sum[l],
      s->n_candidates[l],
      s->n_real[l],
  };
  return r;
}

static inline void wn_mcc_lane_set(struct wn_mcc_lanes *s, int l,
                                   const struct wn_mcc_reg *r)
{
  for (int i = 0; i < 3; i++) {
    s->moved[i][l] = r->moved[i];
    s->u[i][l] = r->u[i];
  }
  s->base_ev[l] = r->base_ev;
  s->since[l] = r->since;
  s->energy[l] = r->energy;
  s->left[l] = r->left;
  s->next[l] = r->next;
  s->gained[l] = r->gained;
  s->energy_sum[l] = r->energy_sum;
  s->control[l] = r->control;
  s->n_candidates[l] = r->n_candidates;
  s->n_real[l] = r->n_real;
}

/* advance_many of the electrons e[list[i]], i < n; list NULL: of all n.  Not in the magnetic
 * field of a grid. */
void wn_mcc_advance_lanes(const struct wn_mcc *m, struct wn_electron *e,
                          const uint32_t *list, size_t n, struct wn_tally *tally,
                          struct wn_births *births);

/* wn_mcc_collide (physics/mcc_collide.h) of all lanes below n whose end is WN_MCC_EVENT,
 * with the same bits: state, end, sums; newborns in an order of its own. */
void wn_mcc_collide_lanes(const struct wn_mcc *m, struct wn_mcc_lanes *s, int n,
                          struct wn_tally *t, struct wn_births *births);

#endif
