/* fields/charge_check_gpu.h - compares the charge on the grid of a GPU with that of the
 * particles there.  Both are integers and equal to the last quantum; a difference is an
 * error, whether the charge was deposited (fields/deposit_gpu.h) or left by the scheduler
 * that moved the particles.
 *
 * charge_check_gpu.cu; absent in a build without CUDA. */
#ifndef WN_FIELDS_CHARGE_CHECK_GPU_H
#define WN_FIELDS_CHARGE_CHECK_GPU_H
#include <stdint.h>
#include "device/gpu.h"
#include "particles/particles.h"
#include "physics/host_device.h"
#include "physics/mover.h"

WN_BEGIN_DECLS

struct wn_gpu_part;

/* The first difference; is: 0 if there is none.  Quanta, modulo 2^64. */
struct wn_charge_differs {
  uint64_t is, species, of_particles, of_nodes;
};

/* Right after the deposit of all of a species on quanta [wn_grid_nodes(&m->grid)], not
 * folded, before the particles move; m as for the deposit.  scratch [2]: on the device.
 * *out, in memory that the device can write, is set where the sums differ and it has no
 * entry yet; in the stream of g.  part: the nodes that have memory; NULL: all.  WN_EINTERN: the particles are elsewhere; WN_ECUDA. */
int wn_charge_gpu_compare(struct wn_gpu *g, const struct wn_points *m,
                          struct wn_particles *p, const int64_t *quanta,
                          const struct wn_gpu_part *part, uint64_t species,
                          uint64_t *scratch, struct wn_charge_differs *out);

/* WN_ERUN, with what was found, when particles had a weight that is no number of quanta (*misfits of them), or
 * the two sums differ.  Both are pinned memory, which the device writes. */
int wn_charge_gpu_misfits(const uint64_t *misfits,
                          const struct wn_charge_differs *differs);

WN_END_DECLS

#endif
