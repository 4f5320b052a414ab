/* physics/collisions/lanes.h - model `mcc`: collisions of many electrons at a time, in
 * arrays whose loops the compiler makes into vectors (WN_LOOP).  Filled in and emptied by
 * schedulers/mcc_collisions.c; the loops of a process are in its file. */
#ifndef WN_PHYSICS_COLLISIONS_LANES_H
#define WN_PHYSICS_COLLISIONS_LANES_H
#include <stdint.h>
#include "physics/host_device.h"
#include "physics/xs_view.h"

/* Electrons at a time.  A multiple of every vector length; so many that some 80 collide in
 * a round and ten of them split, and loops are long against vectors, and so few that what
 * a loop reads stays in the first-level cache.  Measured, bench/RESULTS.md: with 64 a real
 * collision of air takes 1.08 times as long, of the runaway job 1.12. */
#define WN_MCC_LANES 128

/* Doubles in the longest vector: loops over a list go to the next multiple of it. */
#define WN_MCC_ABREAST 8
static WN_HD int wn_mcc_abreast(int n)
{
  return (n + WN_MCC_ABREAST - 1) / WN_MCC_ABREAST * WN_MCC_ABREAST;
}

/* Entry k belongs to lane[k]. */
struct wn_mcc_collisions {
  int n, lane[WN_MCC_LANES], bin[WN_MCC_LANES];
  uint32_t id[2][WN_MCC_LANES], event[WN_MCC_LANES], choice[WN_MCC_LANES];
  /* the process that it may be, and the four among which it is: whose first, majorants */
  int process[WN_MCC_LANES], first[WN_MCC_LANES];
  uint32_t below[WN_MCC_LANES];
  struct wn_xs_four four[WN_MCC_LANES];
  float u[3][WN_MCC_LANES], energy[WN_MCC_LANES], sigma[WN_MCC_LANES];
  float pick[WN_MCC_LANES], width[WN_MCC_LANES];
  float free_time[WN_MCC_LANES], control[WN_MCC_LANES];
  uint32_t word[4][WN_MCC_LANES]; /* of block REAL */
  /* with u: struct wn_mcc_relative */
  float s[WN_MCC_LANES], t_ev[WN_MCC_LANES], v[3][WN_MCC_LANES];
  /* of slow electrons, what their angles come from; q at the edges of bin */
  int elastic[WN_MCC_LANES], angle_bin[WN_MCC_LANES];
  float low[WN_MCC_LANES], high[WN_MCC_LANES], q[WN_MCC_LANES], chi[WN_MCC_LANES];
  float d[3][WN_MCC_LANES], drift[WN_MCC_LANES];
  /* of those that end with one slow electron, what wn_collide_slow needs, and
   * whether it could; of the others control stays as it is */
  int is_slow[WN_MCC_LANES], index[WN_MCC_LANES], forbidden[WN_MCC_LANES];
  float recoil[WN_MCC_LANES], loss[WN_MCC_LANES];
};

/* Some of the entries, in their order. */
struct wn_mcc_list {
  int n, k[WN_MCC_LANES];
};

#endif
