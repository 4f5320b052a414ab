/* device/device.cuh - internals of one GPU, for CUDA: its stream, memory and sums
 * (device.cu), the stores of the species on it (store.cu, compaction.cu), sums over all
 * electrons and changes of them between steps (sample.cu).  Independent of
 * schedulers. */
#ifndef WN_DEVICE_DEVICE_CUH
#define WN_DEVICE_DEVICE_CUH
#include <cuda_runtime.h>
#include "physics/rng.h"
#include "base/error.h"
#include "device/addresses.cuh"
#include "device/gpu.h"
#include "device/sizes.h"

/* Members in host memory are pinned. */
struct wn_gpu {
  int index; /* its number */
  int multiprocessors;
  int cooperative; /* supports launches with all blocks of a kernel resident */
  int overlaps;    /* supports launches of wn_gpu_launch_early: compute capability 9.0 */
  cudaStream_t stream;
  size_t used; /* bytes on the device */

  /* sums: memory for copies of all cells, zero between launches */
  size_t cells_bytes;
  wn_i128 *cells;
  /* results of reductions, on the device and on the host */
  size_t scratch_bytes;
  unsigned char *scratch, *host_scratch;
  /* scratch memory to reorder records, for all stores in turn (order.cu); NULL: not yet
   * needed, or released to a store */
  size_t order_bytes;
  unsigned char *order;
  /* buffers of particles in batches (batches.cu); NULL: not yet needed.  Bytes of a buffer, 0:
   * default */
  struct wn_gpu_batches *batches;
  /* set with them: a call of batches.cu by name would be a circle of objects */
  void (*free_batches)(struct wn_gpu *g);
  size_t batch_bytes;
};

/* ---- device.cu: errors, memory, sums */

/* WN_OK, or WN_ECUDA (WN_ENOMEM) with what failed, logged once. */
int wn_gpu_check(int cuda_error, const char *what);

/* Make it the current device of this thread. */
int wn_gpu_use(const struct wn_gpu *g);
/* The same before memory is freed.  Returns 0 after a kernel has failed: then every call
 * fails, and the failure was reported.  The memory on the device is freed with the
 * process. */
int wn_gpu_works(const struct wn_gpu *g);
/* Wait for the stream. */
int wn_gpu_wait(const struct wn_gpu *g, const char *what);

/* Memory of the device, counted in g->used; *out stays NULL on failure (WN_ENOMEM, with
 * the amounts needed and free). */
int wn_gpu_alloc(struct wn_gpu *g, const char *what, size_t bytes, void **out);
void wn_gpu_release(struct wn_gpu *g, void *memory, size_t bytes);
template <class T>
static int wn_gpu_array(struct wn_gpu *g, const char *what, size_t n, T **out)
{
  void *memory = NULL;
  WN_TRY(wn_gpu_alloc(g, what, n * sizeof(T), &memory));
  *out = (T *)memory;
  return WN_OK;
}
/* Memory of the host that the device accesses directly. */
int wn_gpu_pinned(const char *what, size_t bytes, void **out);
void wn_gpu_release_pinned(void *memory);

/* Memory for at least `bytes` bytes of cells, all zero, and of scratch. */
int wn_gpu_cells_fit(struct wn_gpu *g, size_t bytes);
int wn_gpu_scratch_fit(struct wn_gpu *g, size_t bytes);
/* Number of copies of n cells over which kernels spread their additions. */
static inline size_t wn_gpu_copies(const struct wn_gpu *g, size_t n)
{
  size_t copies = g->cells_bytes / (n * sizeof(wn_i128) + 1);
  return copies < 1 ? 1 : copies < WN_GPU_COPIES ? copies : WN_GPU_COPIES;
}
/* Add up the copies of n cells as 128-bit integers, result [n] on the device, and clear
 * the copies. */
int wn_gpu_fold(const struct wn_gpu *g, size_t n, size_t copies, void *result);
/* The same into pinned memory of the host, behind WN_GPU_ALIGN bytes copied from head:
 * the result is there when the kernel ends, without a separate copy. */
int wn_gpu_fold_home(const struct wn_gpu *g, size_t n, size_t copies, const void *head,
                     void *to);
/* The same for cells other than g->cells. */
int wn_gpu_fold_of(const struct wn_gpu *g, wn_i128 *cells, size_t n, size_t copies,
                   void *result);

/* Threads per block, and enough blocks to fill the device, for grid-stride kernels over n
 * electrons. */
#define WN_GPU_STRIDE_BLOCK 256
static inline unsigned int wn_gpu_stride_blocks(const struct wn_gpu *g, size_t n)
{
  size_t most = (size_t)g->multiprocessors * (WN_GPU_RESIDENT / WN_GPU_STRIDE_BLOCK),
         wanted = (n + WN_GPU_STRIDE_BLOCK - 1) / WN_GPU_STRIDE_BLOCK;
  return (unsigned int)(wanted < 1 ? 1 : wanted < most ? wanted : most);
}

/* Launch a kernel that begins with wn_gpu_after_others.  Its blocks may become resident while the kernels before
 * it in the stream still run, which hides the time from one kernel to the next; they wait there.  What those
 * write is read without WN_RESTRICT: it is not constant as long as this kernel runs. */
template <class... Parameters, class... Args>
static int wn_gpu_launch_early(const struct wn_gpu *g, const char *what,
                               void (*kernel)(Parameters...), unsigned int blocks,
                               unsigned int threads, size_t shared, Args... args)
{
  cudaLaunchAttribute early = {};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t c = {};
  c.gridDim = dim3(blocks);
  c.blockDim = dim3(threads);
  c.dynamicSmemBytes = shared;
  c.stream = g->stream;
  c.attrs = &early;
  c.numAttrs = g->overlaps ? 1 : 0;
  return wn_gpu_check((int)cudaLaunchKernelEx(&c, kernel, Parameters(args)...), what);
}

/* Before the first access to memory that other kernels use. */
static __device__ __forceinline__ void wn_gpu_after_others()
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion(); /* the next kernel may become resident, too */
  cudaGridDependencySynchronize();
#endif
}

/* ---- store.cu: the particles of one species */

/* One range of addresses as large as the device's memory; its first bytes are
 * backed by memory, so that the store grows in place.  Kernels append newborns.  Those
 * beyond a full store (`room` particles) still have places, up to `hard`:
 * schedulers/gpu/gpu_scheduler.cuh.  So there is always memory behind the particles that is
 * unused between steps. */
/* Particles that a step took out of the slab of the grid that this rank has, as its kernel listed
 * them, for the migration to other ranks. */
struct wn_gpu_leavers {
  int32_t low;   /* the slab, as positions of records along its axis, from low on; */
  uint32_t wide; /* 0: nothing is listed */
  float most;    /* m/s along it: faster ones are counted as too fast */
  unsigned long long room, *at; /* [room] places in the store */
  unsigned long long *count;    /* [2]: all that left, and those too fast */
};

/* Ten moments of the particles at the end of a step, taken by the kernel of the step
 * (device/expected_sums.cuh). */
struct wn_gpu_ten_found {
  unsigned long long misfits; /* weights that are no number of quanta */
  unsigned int most;          /* largest |u_i|, as bits */
};
struct wn_gpu_ten {
  int is_expected, is_known; /* known: of the records as they are */
  float per_unit;
  size_t nodes;
  unsigned long long *sum; /* [WN_TEN_MOMENTS][nodes]; behind them `found` */
  size_t bytes;
};

struct wn_gpu_store {
  struct wn_gpu *gpu;
  struct wn_record record;
  struct wn_gpu_addresses addresses;
  size_t room; /* particles at which the store is full */
  size_t hard; /* particles that can be written */
  size_t dead; /* since the last compaction */
  /* places of the dead particles, as far as kernels recorded them (struct wn_gpu_dead_list):
   * all if known == dead; behind the dead_list, two lists of the same length for the
   * compaction */
  uint32_t *grave;
  size_t dead_list, known;
  const void *user; /* the scheduler of the last step: see gpu_scheduler.cu */

  /* a second buffer for the records, for kernels that reorder them (tiles.cu); is_other:
   * the records are in it now, otherwise in the first */
  void *other;
  size_t other_bytes;
  int is_other;
  struct wn_gpu_tiles *tiles; /* NULL: never made */
  size_t in_order_dead; /* dead particles kept until the next reordering; not in `dead` */
  /* the charge of the particles at the middle of a step of charge_dt from now, left here
   * by the scheduler that moved them: quanta on the padded nodes of their grid, not
   * folded. charge_dt 0: unknown */
  int64_t *charge;
  size_t charge_nodes;
  double charge_dt;
  int charge_is_zero; /* all of it, as it was moved to the field */
  /* the nodes that have memory where a rank has a slab of the grid, set by the field */
  struct wn_gpu_part charge_part;
  struct wn_gpu_addresses charge_addresses;
  /* knows_leavers: the list is that of the records as they are */
  struct wn_gpu_leavers leavers;
  int knows_leavers;
  /* for electrons and ions in a grid (charge_deposit.cu): the last dt of a deposit, 0: never;
   * their motion, to add the charge of new particles; and, behind the nodes, the number
   * without a charge in quanta */
  double wanted_dt;
  struct wn_points charge_points;
  /* for electrons and ions in a grid in the order of its tiles (order.cu): steps until
   * they may be reordered, and the fraction that the last step found far from its
   * neighbours */
  unsigned int order_wait;
  double strays;

  /* compaction: memory where the free part is too small, and its counts, on the device
   * and on the host; verified by wn_gpu_store_settle */
  void *select;
  size_t select_bytes;
  unsigned long long *count,
      *host_count; /* [2]; on the device a third, of the dead_list */
  int unsettled;
  size_t settled_n, settled_dead, settled_base;

  /* sums over particles that were not fetched yet: n_late cells, with the contributions
   * of added_late particles (sample.cu) */
  wn_i128 *late;
  size_t n_late, added_late;

  struct wn_gpu_ten ten;
};

struct wn_gpu_tiles;

extern const struct wn_particles_remote_ops wn_gpu_remote_ops;

/* The store of p on g; NULL: p is elsewhere. */
static inline struct wn_gpu_store *wn_gpu_store_of(const struct wn_gpu *g,
                                                   const struct wn_particles *p)
{
  struct wn_gpu_store *t =
      p->remote_ops == &wn_gpu_remote_ops ? (struct wn_gpu_store *)p->remote : NULL;
  return t != NULL && t->gpu == g ? t : NULL;
}

static inline void *wn_gpu_records(const struct wn_gpu_store *t)
{
  return t->is_other ? t->other : (void *)t->addresses.base;
}
/* Bytes of the buffer with the records. */
static inline size_t wn_gpu_records_bytes(const struct wn_gpu_store *t)
{
  return t->is_other ? t->other_bytes : t->addresses.memory;
}

/* Room for `need` particles.  A store that must grow does so in large steps, but never
 * for more than `limit` >= need; sets room and hard.  *enough = 0 when the device lacks
 * the memory; other failures are errors. */
int wn_gpu_store_fit(struct wn_gpu_store *t, size_t need, size_t limit, double newborns,
                     int *enough);
/* Room for more than the n particles of a full store, and for `expected` where there is
 * memory; WN_EFULL with the remedy when limit or memory forbid it. */
int wn_gpu_store_grow(struct wn_gpu_store *t, size_t n, size_t expected, size_t limit,
                      double newborns);

/* Prepare the store of p on g, which was empty, for n particles that the caller will
 * write.  Data about earlier particles becomes invalid.  WN_EFULL: more than p->limit;
 * WN_ENOMEM with the memory that is free. */
int wn_gpu_store_begin(struct wn_gpu *g, struct wn_particles *p, size_t n);

/* Bring p to g, also when it is empty, with room for n more particles behind the present
 * ones; recorded order and charge become invalid.  WN_EFULL: the limit or the memory
 * forbids it.  _in_order: they stay valid, for the particles that are there. */
int wn_gpu_make_room(struct wn_gpu *g, struct wn_particles *p, size_t n);
int wn_gpu_make_room_in_order(struct wn_gpu *g, struct wn_particles *p, size_t n);

/* The buffer that does not hold the records, for n of them.  _turn: from now on it holds
 * them.  WN_ENOMEM. */
int wn_gpu_store_other(struct wn_gpu_store *t, size_t n, void **out);
void wn_gpu_store_turn(struct wn_gpu_store *t);
/* Invalidate the recorded order and charge of the records. */
void wn_gpu_store_forget(struct wn_gpu_store *t);

/* ---- charge_deposit.cu: the charge of struct wn_electron in a grid */

/* Add the quanta of n electrons or ions on the device, at the middle of a step of m->dt,
 * to those on the padded nodes; *misfits as in wn_deposit_gpu_points. */
int wn_gpu_charge_electrons(struct wn_gpu *g, const struct wn_points *m,
                            const struct wn_electron *e, size_t n, int64_t *quanta,
                            uint64_t *misfits);
int wn_gpu_largest_velocity(void *remote, const struct wn_particles *p,
                            const struct wn_node_values *what, float *most);
/* Before a scheduler leaves the charge of all particles for the next step: clears the
 * quanta; they are valid once it sets charge_dt. */
int wn_gpu_charge_begin(struct wn_gpu_store *t, const struct wn_points *m);
/* Memory for the charge of n nodes, zeros; and to free it. */
int wn_gpu_charge_fit(struct wn_gpu_store *t, size_t n);
void wn_gpu_charge_free(struct wn_gpu_store *t);
/* Add the stored charge, if it is for a step of m->dt, to quanta and *misfits;
 * *is_known. */
int wn_gpu_charge_take(struct wn_gpu_store *t, const struct wn_points *m, int64_t *quanta,
                       uint64_t *misfits, int *is_known);
/* The same in the place of what is in quanta; the stored charge is then zeros, and unknown. */
int wn_gpu_charge_move(struct wn_gpu_store *t, const struct wn_points *m, int64_t *quanta,
                       uint64_t *misfits, int *is_known);
/* The stored charge itself, if wn_gpu_charge_move would move it, for a kernel that moves it with
 * wn_gpu_charge_move_node: all n words of it.  NULL: it would not.  _moved: after the launch. */
int64_t *wn_gpu_charge_lend(struct wn_gpu_store *t, const struct wn_points *m,
                            uint32_t *n);
void wn_gpu_charge_moved(struct wn_gpu_store *t);
/* n particles from `first` on are new, or have moved there, and not yet in the charge. */
int wn_gpu_charge_join(struct wn_gpu_store *t, size_t first, size_t n);

/* Places of the dead particles of a store, written by a kernel: all are counted, and
 * written as long as there is room.  From this call to the next compaction no particle
 * may move. */
struct wn_gpu_dead_list {
  uint32_t *at;
  unsigned long long *n, room;
};
static __device__ __forceinline__ void wn_gpu_list_dead(const struct wn_gpu_dead_list &g,
                                                        unsigned long long i)
{
  const unsigned long long k = atomicAdd(g.n, 1ull);
  if (k < g.room)
    g.at[k] = (uint32_t)i;
}
/* For a launch on n particles; the caller adds to t->known.  WN_ENOMEM. */
int wn_gpu_dead_list_begin(struct wn_gpu_store *t, size_t n,
                           struct wn_gpu_dead_list *out);

/* ---- crossings.cu: crossings of detectors in a launch */

/* The list on the device, for the data of a model. */
struct wn_crossings *wn_gpu_crossings_there(const struct wn_gpu_crossings *q);
/* Before a launch that advances the first n records of t: an empty list, and a copy of them.  WN_ENOMEM. */
int wn_gpu_crossings_begin(struct wn_gpu_crossings *q, struct wn_gpu_store *t, size_t n);
/* After it: appends its crossings to the list of the host, in any order.  *again: there was no room for all, the records are what they
 * were before, and the launch has to be repeated.  Waits.  WN_ENOMEM. */
int wn_gpu_crossings_end(struct wn_gpu_crossings *q, struct wn_gpu_store *t, size_t n,
                         struct wn_crossings *to, int *again);

/* ---- leavers.cu */

/* For the slab from position `low` on, `wide` > 0 of them, and speeds up to `most`; the list has then
 * memory. */
int wn_gpu_leavers_begin(struct wn_gpu_store *t, int32_t low, uint32_t wide, float most);
/* Memory for n of them; what was listed is lost.  WN_ENOMEM.  _shrink: not for so many as at the beginning,
 * when half of all may leave. */
int wn_gpu_leavers_fit(struct wn_gpu_store *t, size_t n);
int wn_gpu_leavers_shrink(struct wn_gpu_store *t);
/* No particles are listed, before a kernel lists some. */
int wn_gpu_leavers_clear(struct wn_gpu_store *t);
void wn_gpu_leavers_free(struct wn_gpu_store *t);

/* List particle i, at x along the axis with speed u [m/s], if it left; returns whether it did. */
static __device__ __forceinline__ bool wn_gpu_leavers_look(const struct wn_gpu_leavers &l,
                                                           unsigned long long i,
                                                           int32_t x, float u)
{
  const bool is_fast = !(fabsf(u) <= l.most), left = (uint32_t)(x - l.low) >= l.wide;
  if (is_fast)
    atomicAdd(&l.count[1], 1ull);
  if (left) {
    const unsigned long long k = atomicAdd(&l.count[0], 1ull);
    if (k < l.room)
      l.at[k] = i;
  }
  return left;
}

/* ---- sort.cu: whether it is a grid, and n so large, that reordering saves time */
int wn_gpu_sort_pays(const struct wn_grid_view *grid, size_t n);
/* Free the scratch memory of reordering. */
void wn_gpu_sort_free(struct wn_gpu *g);

/* ---- compaction.cu: after a wait, WN_EINTERN when the last compaction did not find the
 * expected number of living particles; the other functions are for wn_gpu_remote_ops */
int wn_gpu_store_settle(struct wn_gpu_store *t);
int wn_gpu_compact_store(void *remote, struct wn_particles *p);

/* ---- sample.cu, for wn_gpu_remote_ops */
int wn_gpu_sample(void *remote, const struct wn_particles *p,
                  const struct wn_sample *what, wn_i128 *sums);
int wn_gpu_sample_late(void *remote, const struct wn_particles *p,
                       const struct wn_sample *what, wn_i128 *sums);
int wn_gpu_bring_late(void *remote, wn_i128 *sums);
int wn_gpu_change(void *remote, struct wn_particles *p, const struct wn_change *change,
                  struct wn_changed *done);

/* ---- node_sums.cu, for wn_gpu_remote_ops */
int wn_gpu_room_for_nodes(void *remote, size_t n, int *is);
int wn_gpu_sum_at_nodes(void *remote, const struct wn_particles *p,
                        const struct wn_node_values *what, size_t n, wn_i128 **sums,
                        uint64_t *misfits);
int wn_gpu_expect_at_nodes(void *remote, const struct wn_node_values *what, size_t n);

/* ---- for kernels: word i of the stored charge of a grid with so many nodes goes to its quanta, or, behind
 * them, to *misfits; the word is then zero */
static __device__ __forceinline__ void
wn_gpu_charge_move_node(int64_t *charge, size_t i, size_t nodes, int64_t *quanta,
                        unsigned long long *misfits)
{
  const int64_t q = charge[i];
  if (i < nodes)
    quanta[i] = q;
  else if (q != 0)
    atomicAdd(misfits, (unsigned long long)q);
  if (q != 0)
    charge[i] = 0;
}

/* ---- for kernels: the sum over a warp, in its first lane */
static __device__ __forceinline__ unsigned long long wn_gpu_warp_sum(unsigned long long v)
{
  for (int offset = 16; offset > 0; offset /= 2)
    v += __shfl_down_sync(0xffffffffu, v, offset);
  return v;
}

#endif
