/* fields/deposit_gpu.h - the charge of particles on the nodes of a grid in the memory of
 * a GPU, as fields/deposit.h on the host: after wn_deposit_fold the same quanta on the
 * same nodes, to the last, whatever the order and the variant.  deposit_gpu.cu, or
 * build-aux/stubs in a build without CUDA. */
#ifndef WN_FIELDS_DEPOSIT_GPU_H
#define WN_FIELDS_DEPOSIT_GPU_H
#include <stddef.h>
#include <stdint.h>
#include "particles/particles.h"
#include "physics/host_device.h"
#include "physics/mover.h"

WN_BEGIN_DECLS

struct wn_gpu;

/* Variants; n: nodes that the shape of a particle covers.
 *   auto       the fastest by bench/deposit, or the charge left by a scheduler for a step
 *              of this dt (struct wn_gpu_store)
 *   atomic     one thread per particle, n 64-bit additions to the grid
 *   private    each block has a grid of its own in shared memory, in 32 bits, and adds it
 *              to the grid at its end.  WN_EINPUT where that does not fit: a copy in global
 *              memory would cost as many level-2 additions as the grid itself
 *   coarsen    as atomic, with several records in flight per thread
 *   aggregate  particles of a warp in the same cell are summed before they are added to
 *              the grid: for an order by cells
 *   tile       particles in the order of tiles of cells (device/tiles.cuh), which is made
 *              if needed; each block has the nodes of its tile in shared memory
 * 32 bits per node may overflow where many particles are in one cell.  Each overflow
 * takes 2^32 from the sum over the nodes, which is compared with the sum over the
 * particles.  If they differ, the block deposits its particles again, by 64-bit additions
 * to the grid. */
#define WN_DEPOSIT_GPU_LIST(X)                                                           \
  X(WN_DEPOSIT_AUTO, "auto")                                                             \
  X(WN_DEPOSIT_ATOMIC, "atomic")                                                         \
  X(WN_DEPOSIT_PRIVATE, "private")                                                       \
  X(WN_DEPOSIT_COARSEN, "coarsen")                                                       \
  X(WN_DEPOSIT_AGGREGATE, "aggregate")                                                   \
  X(WN_DEPOSIT_TILE, "tile")
enum wn_deposit_gpu {
#define X(symbol, name) symbol,
  WN_DEPOSIT_GPU_LIST(X)
#undef X
      WN_N_DEPOSITS
};

/* NULL: there is no such variant. */
static inline const char *wn_deposit_gpu_name(int way)
{
  switch (way) {
#define X(symbol, name)                                                                  \
  case symbol:                                                                           \
    return name;
    WN_DEPOSIT_GPU_LIST(X)
#undef X
  default:
    return 0;
  }
}

/* Add the quanta of all living particles from `first` on, at the middle of the step, to
 * quanta [wn_grid_nodes(&m->grid)], guards included.  Instead of a guard, the node that
 * it copies may be used.  Particles that are then outside add none.  p: held on g, or
 * in batches, records of m->kind; `tile`, which takes all particles (first 0), may change their order
 * and drop dead ones.  Of particles in batches a segment at a time, not by `tile`; waits. m: prepared, with the dt of the step.  *misfits, in memory that the
 * device can write, increases by the number of particles whose weight is no number of
 * quanta (WN_QUANTA_MISFIT); they are left out.  In the stream of g, without a wait
 * unless an order is made.  WN_EINTERN: the particles are elsewhere; WN_EINPUT,
 * WN_ENOMEM, WN_ECUDA. */
int wn_deposit_gpu_points(struct wn_gpu *g, enum wn_deposit_gpu way,
                          const struct wn_points *m, struct wn_particles *p, size_t first,
                          int64_t *quanta, uint64_t *misfits);

/* The same for electrons in a grid (struct wn_electron: physics/mcc_grid.h). */
int wn_deposit_gpu_electrons(struct wn_gpu *g, const struct wn_points *m,
                             const struct wn_particles *p, size_t first, int64_t *quanta,
                             uint64_t *misfits);

WN_END_DECLS

#endif
