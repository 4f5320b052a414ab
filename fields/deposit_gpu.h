/* fields/deposit_gpu.h - the charge of particles on the nodes of a grid in the memory of a
 * GPU, as fields/deposit.h has it on the host: the same quanta on the same nodes, to the
 * last, whatever the order.  deposit_gpu.cu, or deposit_none.c in a build without CUDA. */
#ifndef WN_FIELDS_DEPOSIT_GPU_H
#define WN_FIELDS_DEPOSIT_GPU_H
#include <stdint.h>
#include "particles/particles.h"
#include "physics/hd.h"
#include "physics/point.h"

WN_BEGIN_DECLS

struct wn_gpu;

/* Add the quanta of all living particles, where they will be in the middle of the step, to
 * quanta [wn_grid_nodes(&m->grid)], guards included; those that are outside then have none.
 * p: held on g, records of m->kind; m: prepared, with the dt of the step.  *misfits, which
 * the device can write, is raised by the number of particles whose weight is no number of
 * quanta (WN_QUANTA_MISFIT); they are left out.  What a scheduler has left of the charge
 * for a step of this dt (struct wn_gpu_store) is taken.  In the stream of g, nothing waits.
 * WN_EINTERN: the particles are elsewhere; WN_ECUDA. */
int wn_deposit_gpu_points(struct wn_gpu *g, const struct wn_points *m,
                          const struct wn_particles *p, int64_t *quanta,
                          uint64_t *misfits);

/* The same of electrons in a grid (struct wn_electron: physics/mcc_grid.h). */
int wn_deposit_gpu_electrons(struct wn_gpu *g, const struct wn_points *m,
                             const struct wn_particles *p, int64_t *quanta,
                             uint64_t *misfits);

WN_END_DECLS

#endif
