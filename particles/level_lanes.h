/* particles/level_lanes.h - electrons of a weighted ensemble on the host, many at a time: what
 * physics/sample.h says of one, in loops that the compiler turns into vector instructions.  The
 * same bits: sums are integers, and each electron is changed by the same operations. */
#ifndef WN_PARTICLES_LEVEL_LANES_H
#define WN_PARTICLES_LEVEL_LANES_H
#include <stddef.h>
#include "physics/electron.h"
#include "physics/sample.h"

/* Adds what n electrons contribute to sums of the kind WN_SAMPLE_LEVELS. */
void wn_level_lanes_sample(const struct wn_sample *what, const struct wn_electron *e,
                           size_t n, wn_i128 *sums);

/* wn_change_by_level of n electrons.  copies [n]: of each, to be made; returns their sum.  roulette: as
 * in struct wn_changed; done: counts are added to, but for the copies. */
size_t wn_level_lanes_apply(const struct wn_change *change, struct wn_electron *e,
                            size_t n, uint32_t *copies, wn_i128 *roulette,
                            struct wn_changed *done);

#endif
