/* schedulers/gpu/warp_queue.cuh - persistent warps with a queue of electrons: a warp takes electrons from the
 * queue for its idle lanes, and newborns that it does not start itself are work of the next round.
 *
 * Terms of this file, flight_kernel.cuh and bench/study/:
 *
 *   lane    a thread; it owns one electron at a time, or none
 *   state   of a lane: the result of the last piece of work (model.cuh), which determines
 *           the next one: WN_GPU_FLIES, WN_GPU_EVENT, WN_GPU_RARE, any bit of
 *           WN_GPU_ENDED, or WN_GPU_IDLE
 *   slot    data of the electron of a lane, wherever they are kept
 *   place   index of an electron in the store
 *   queue   places [head, end) of the present round that have not been taken
 *   serve   finish electrons at the end of a mobility step, store finished ones, give
 *           electrons to idle lanes */
#ifndef WN_SCHEDULERS_GPU_WARP_QUEUE_CUH
#define WN_SCHEDULERS_GPU_WARP_QUEUE_CUH
#include <cooperative_groups.h>
#include "schedulers/gpu/launch.cuh"

#define WN_GPU_NOWHERE ~0ull /* no place in the store */

/* Data of a warp: the same in all lanes. */
struct wn_gpu_warp {
  int held;          /* newborns on the stack */
  int bottom;        /* index of the oldest of them */
  float stop;        /* t_left at which electrons are finished */
  unsigned int copy; /* of the tally */
  bool full;         /* the store */
};

static __device__ __forceinline__ struct wn_gpu_warp
wn_gpu_warp(const struct wn_gpu_launch &l)
{
  struct wn_gpu_warp w;
  w.held = w.bottom = 0;
  w.copy = wn_gpu_copy(l);
  w.full = false;
  return w;
}

/* Shared memory of a block. */
extern __shared__ uint4 wn_gpu_shared[];

/* ---- rounds */

/* The electrons present form the first round, newborns that no stack could hold the next.
 * turn(): the part of a warp in a round, to the last electron of the queue.
 *
 * At the end of a round warps wait for each other, as long as the electrons started last
 * and their descendants take.  With few electrons and many descendants, all are advanced
 * to a part of the step before any continues.  The waits are then shorter, and fewer
 * newborns find their stack full.  With many electrons the waits are negligible, and
 * reading and writing the electrons once more would cost more. */
#define WN_GPU_SLICES 3
#define WN_GPU_FEW    32 /* electrons per thread */

template <bool in_slices, class Turn>
static __device__ __forceinline__ void wn_gpu_rounds(const struct wn_gpu_launch &l,
                                                     struct wn_gpu_warp &w, Turn turn)
{
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const bool few = wn_gpu_peek(&l.work->end) < WN_GPU_FEW * grid.size();
  const float slice = in_slices && few ? ceilf(l.steps / WN_GPU_SLICES) : l.steps;
  w.stop = in_slices ? l.steps - slice : 0.0f;
  for (;;) {
    turn();
    grid.sync();
    const unsigned long long end = wn_gpu_peek(&l.work->end);
    const bool again = wn_gpu_peek(&l.work->full) == 0 &&
                       (wn_gpu_peek(&l.work->n) > end || (in_slices && w.stop > 0.0f));
    const bool next = again && wn_gpu_peek(&l.work->n) == end;
    grid.sync();
    if (!again)
      return;
    if (grid.thread_rank() == 0) {
      l.work->begin = l.work->head = next ? 0 : end;
      l.work->end = l.work->n;
    }
    if (in_slices && next)
      w.stop = fmaxf(w.stop - slice, 0.0f);
    grid.sync();
  }
}

#endif
