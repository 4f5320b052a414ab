/* t/plasma/merging_lanes.h - what device/merging.cu does with cells, by the 32 lanes of an emulated warp (t/tap/lanes.h): groups of each
 * cell, then all cells at once by tiles of lanes; the members that are halved. */
#ifndef WN_T_PLASMA_MERGING_LANES_H
#define WN_T_PLASMA_MERGING_LANES_H
#include "physics/merging_cell.h"

/* A cell; its list is in the order of records. */
struct lanes_cell {
  uint32_t n, left;
  int64_t heaviest;
  uint64_t cell;
  const uint32_t *list;
};

/* So many cells, whose groups become fewer with so many lanes for each; sums: += those of all.  Returns whether all lanes
 * waited equally often. */
int lanes_merge(const struct wn_merging_rule *is, const struct wn_merging_records *r,
                struct lanes_cell *cells, uint32_t n_cells, uint32_t lanes,
                int is_backwards, struct wn_merging_sums *sums);

/* The first *n of `halved` [c->n] are numbers in the list. */
int lanes_halves(const struct wn_merging_rule *is, const struct wn_merging_records *r,
                 const struct lanes_cell *c, uint32_t wanted, int is_backwards,
                 uint32_t *halved, uint32_t *n);

#endif
