/* fields/deposit_gpu.h - the charge of particles on the nodes of a grid in the memory of a
 * GPU, as fields/deposit.h has it on the host: after wn_deposit_fold the same quanta on the
 * same nodes, to the last, whatever the order and the variant.  deposit_gpu.cu, or
 * build-aux/stubs in a build without CUDA. */
#ifndef WN_FIELDS_DEPOSIT_GPU_H
#define WN_FIELDS_DEPOSIT_GPU_H
#include <stddef.h>
#include <stdint.h>
#include "particles/particles.h"
#include "physics/hd.h"
#include "physics/point.h"

WN_BEGIN_DECLS

struct wn_gpu;

/* How; with n nodes that a particle reaches:
 *   auto       what bench/deposit found the fastest, or what a scheduler left of the charge
 *              for a step of this dt (struct wn_gpu_store)
 *   atomic     one thread a particle, n 64-bit additions to the grid
 *   private    each block has a grid of its own in shared memory, in 32 bits, and adds it
 *              to the grid at its end.  WN_EINPUT where that does not fit: a copy in global
 *              memory would cost as many additions in the level-2 cache as the grid itself
 *   coarsen    as atomic, with the records of several particles of a thread on their way
 *   aggregate  particles of a warp that are in the same cell are added up before the grid
 *              is touched: for an order by cells
 *   tile       particles in the order of tiles of cells (device/tiles.cuh), which is made
 *              if it is not there; each block has the nodes of its tile in shared memory
 * 32 bits a node may overflow where many particles are in one cell: each overflow takes
 * 2^32 from the sum over the nodes, which is compared with the sum over the particles; if
 * they differ the block takes its particles again, by 64-bit additions to the grid. */
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

/* Add the quanta of all living particles from `first` on, where they will be in the middle
 * of the step, to quanta [wn_grid_nodes(&m->grid)], guards included, or the nodes that these
 * are copies of; those that are outside then have none.  p: held on g, records of m->kind;
 * `tile`, which takes all of them (first 0), may change their order and drop the dead.  m: prepared, with the dt of the step.  *misfits,
 * which the device can write, is raised by the number of particles whose weight is no
 * number of quanta (WN_QUANTA_MISFIT); they are left out.  In the stream of g; but for an
 * order that is made, nothing waits.  WN_EINTERN: the particles are elsewhere; WN_EINPUT,
 * WN_ENOMEM, WN_ECUDA. */
int wn_deposit_gpu_points(struct wn_gpu *g, enum wn_deposit_gpu way,
                          const struct wn_points *m, struct wn_particles *p, size_t first,
                          int64_t *quanta, uint64_t *misfits);

/* The same of electrons in a grid (struct wn_electron: physics/mcc_grid.h). */
int wn_deposit_gpu_electrons(struct wn_gpu *g, const struct wn_points *m,
                             const struct wn_particles *p, size_t first, int64_t *quanta,
                             uint64_t *misfits);

WN_END_DECLS

#endif
