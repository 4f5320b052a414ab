/* device/sizes.h - memory sizes of all parts: for allocations and for forecast.c. */
#ifndef WN_DEVICE_SIZES_H
#define WN_DEVICE_SIZES_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include "particles/tally.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

#define WN_GPU_RESIDENT  2048 /* most resident threads of a multiprocessor */
#define WN_GPU_H200      132  /* multiprocessors, assumed where there is no GPU */
#define WN_GPU_ALIGN     ((size_t)256)      /* alignment of cudaMalloc */
#define WN_GPU_PAGE      ((size_t)2 << 20)  /* page of mapped memory */
#define WN_GPU_SUM_BYTES ((size_t)8 << 20)  /* all copies of the sums */
#define WN_GPU_COPIES    64                 /* of a cell; more are not faster */
#define WN_GPU_SCRATCH   ((size_t)64 << 10) /* partial sums of reductions */

/* Deferred electrons (schedulers/gpu/deferred.cuh): the least number of electrons for it;
 * bytes of one; places of a list.  When a list is full, further places take what is in
 * flight: one per lane, at most so many per multiprocessor, and the lane's share of the
 * portion that its warp reserves at a time. */
#define WN_GPU_DEFERRED_FROM   ((size_t)1 << 18)
#define WN_GPU_DEFERRED_BYTES  ((size_t)144)
#define WN_GPU_DEFERRED_PLACES ((size_t)1 << 20)
#define WN_GPU_DEFERRED_LANES  1024
#define WN_GPU_PORTION         64u

/* Particles in batches: buffers, and bytes of each.  A third one for the kernels, and one more, so
 * that no copy waits where the times of segments vary. */
#define WN_GPU_BATCHES     4
#define WN_GPU_BATCH_BYTES ((size_t)64 << 20)

/* Bits of the cells of a tile along an axis (wn_gpu_sort): 64 cells in total. */
#define WN_GPU_SORT_BITS(dim) ((dim) == 1 ? 6 : (dim) == 2 ? 3 : 2)

static inline size_t wn_gpu_round(size_t bytes, size_t unit)
{
  return (bytes + unit - 1) / unit * unit;
}

/* Electrons that may still need a place when the store is found full.  Every resident
 * thread ends its mobility step (eight standard deviations above the mean; more than 64
 * each would be an avalanche of e^64 a step).  It may also have a newborn without a
 * place, and another that waits to be written.  newborns: most that one electron can have
 * in a mobility step. */
static inline size_t wn_gpu_reserve(int multiprocessors, double newborns)
{
  double threads = (double)multiprocessors * WN_GPU_RESIDENT,
         born = threads * (newborns < 64.0 ? newborns : 64.0);
  return (size_t)(2.0 * threads + born + 8.0 * sqrt(born)) + 64;
}

/* Cells (16 bytes) of the sums of a tally. */
static inline size_t wn_gpu_cells(const struct wn_tally_shape *s)
{
  return (size_t)s->n_groups * (sizeof(struct wn_tally_group) / sizeof(wn_i128) +
                                2 * (size_t)s->n_processes) +
         wn_passed(s) + WN_SIDES * sizeof(struct wn_tally_surface) / sizeof(wn_i128);
}

/* Memory for copies of the cells: as much as fits into the level-2 cache, or one copy of
 * each. */
static inline size_t wn_gpu_sum_bytes(size_t cells)
{
  size_t bytes = wn_gpu_round(cells * sizeof(wn_i128), WN_GPU_ALIGN);
  return bytes > WN_GPU_SUM_BYTES ? bytes : WN_GPU_SUM_BYTES;
}

/* Counters and sums of a step, as copied to the host: one of each cell. */
static inline size_t wn_gpu_result_bytes(size_t cells)
{
  return WN_GPU_ALIGN + wn_gpu_round(cells * sizeof(wn_i128), WN_GPU_ALIGN);
}

/* Memory for a compaction in order of n electrons, where the free part of the store is
 * too small for it: 8 bytes for each 128 electrons. */
static inline size_t wn_gpu_select_bytes(size_t n)
{
  return wn_gpu_round(n / 16 + 4096, WN_GPU_ALIGN);
}

/* Photons that the list of n electrons has room for (emission.cu): more make it longer.  Bytes of one. */
#define WN_GPU_PHOTON_BYTES ((size_t)96)
static inline size_t wn_gpu_photons(size_t n)
{
  return n / 256 + 1024;
}

/* Crossings of detectors that a list has room for at first (crossings.cu), and bytes of one: more make it longer, by a part beyond
 * their number, as steps differ. */
#define WN_GPU_CROSSINGS      ((size_t)1 << 16)
#define WN_GPU_CROSSING_BYTES ((size_t)104)
static inline size_t wn_gpu_crossings_room(size_t n)
{
  return n + n / 4;
}

/* Two lists of deferred electrons. */
static inline size_t wn_gpu_deferred_bytes(int multiprocessors, size_t places)
{
  const size_t lanes = (size_t)multiprocessors * WN_GPU_DEFERRED_LANES;
  return 2 * WN_GPU_DEFERRED_BYTES * (places + lanes * (1 + WN_GPU_PORTION / 32));
}

/* Length of the list of electrons that collide in a step (schedulers/gpu/collision_free.cu), which
 * has room for all.  Below: length of each of the three lists of dead particles
 * (compaction.cu), for the largest number worth a list. */
static inline size_t wn_gpu_listed(size_t n)
{
  return n + n / 4;
}
static inline size_t wn_gpu_dead_list(size_t n)
{
  const size_t few = n / 32 + 4096;
  return few + few / 4;
}

/* Memory to reorder n electrons: a permutation, and a second copy of the records; for few
 * electrons the sort needs some more. */
static inline size_t wn_gpu_sort_bytes(size_t n)
{
  return wn_gpu_round(n * sizeof(uint32_t), WN_GPU_ALIGN) + n * 64 + ((size_t)4 << 20);
}

WN_END_DECLS

#endif
