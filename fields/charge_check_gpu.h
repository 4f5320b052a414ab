/* fields/charge_check_gpu.h - is the charge on the grid of a GPU that of the particles there?
 * Integers: it is, to the last quantum, whatever way it came there (fields/deposit_gpu.h, or left
 * by who moved the particles), or something is wrong.
 *
 * charge_check_gpu.cu; a build without CUDA has none. */
#ifndef WN_FIELDS_CHARGE_CHECK_GPU_H
#define WN_FIELDS_CHARGE_CHECK_GPU_H
#include <stdint.h>
#include "device/gpu.h"
#include "particles/particles.h"
#include "physics/hd.h"
#include "physics/point.h"

WN_BEGIN_DECLS

/* What was found first; is: 0, nothing.  Quanta, modulo 2^64. */
struct wn_charge_differs {
  uint64_t is, species, of_particles, of_nodes;
};

/* Right after the deposit of a species, all of it, on quanta [wn_grid_nodes(&m->grid)], not
 * folded, before the particles move; m as for the deposit.  scratch [2]: on the device.  *out,
 * which the device can write, is written where the sums differ and nothing stands there yet; in
 * the stream of g.  WN_EINTERN: the particles are elsewhere; WN_ECUDA. */
int wn_charge_gpu_compare(struct wn_gpu *g, const struct wn_points *m,
                          const struct wn_particles *p, const int64_t *quanta,
                          uint64_t species, uint64_t *scratch,
                          struct wn_charge_differs *out);

WN_END_DECLS

#endif
