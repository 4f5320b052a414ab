/* device/device.cuh - one GPU from inside, for CUDA: its stream, memory and sums
 * (device.cu), the stores of the species that are there (store.cu, compaction.cu), sums
 * over all electrons and changes of them between phases (sample.cu).  It knows nothing of
 * schedulers. */
#ifndef WN_DEVICE_DEVICE_CUH
#define WN_DEVICE_DEVICE_CUH
#include <cuda_runtime.h>
#include "physics/rng.h"
#include "base/error.h"
#include "device/gpu.h"
#include "device/sizes.h"

/* What is on the host here is pinned. */
struct wn_gpu {
  int index; /* its number */
  int multiprocessors;
  int cooperative; /* can promise that all blocks of a kernel run at once */
  cudaStream_t stream;
  size_t used; /* bytes on the device */

  /* sums: memory for copies of all cells, zero between launches */
  size_t cells_bytes;
  wn_i128 *cells;
  /* results of reductions, there and here */
  size_t scratch_bytes;
  unsigned char *scratch, *host_scratch;
  /* where records are put into another order, of all stores in turn (order.cu); NULL: nobody
   * has asked yet, or a store wanted the memory */
  size_t order_bytes;
  unsigned char *order;
};

/* ---- device.cu: errors, memory, sums */

/* WN_OK, or WN_ECUDA (WN_ENOMEM) with what failed, logged once. */
int wn_gpu_check(int cuda_error, const char *what);

/* Make it the present one of this thread. */
int wn_gpu_use(const struct wn_gpu *g);
/* The same for who frees; 0: after a kernel has failed every call does, and the failure
 * was reported.  What the device holds then goes with the process. */
int wn_gpu_works(const struct wn_gpu *g);
/* Wait for the stream. */
int wn_gpu_wait(const struct wn_gpu *g, const char *what);

/* Memory of the device, counted in g->used; *out stays NULL on failure (WN_ENOMEM, with
 * how much was wanted and how much there is). */
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
/* Memory of the host that the device reads and writes by itself. */
int wn_gpu_pinned(const char *what, size_t bytes, void **out);
void wn_gpu_release_pinned(void *memory);

/* Memory for at least so many bytes of cells, all zero, and of scratch. */
int wn_gpu_cells_fit(struct wn_gpu *g, size_t bytes);
int wn_gpu_scratch_fit(struct wn_gpu *g, size_t bytes);
/* Copies of n cells that kernels spread over. */
static inline size_t wn_gpu_copies(const struct wn_gpu *g, size_t n)
{
  size_t copies = g->cells_bytes / (n * sizeof(wn_i128) + 1);
  return copies < 1 ? 1 : copies < WN_GPU_COPIES ? copies : WN_GPU_COPIES;
}
/* Add up the copies of n cells as 128-bit integers, result [n] on the device, and empty
 * them. */
int wn_gpu_fold(const struct wn_gpu *g, size_t n, size_t copies, void *result);
/* The same into pinned memory of the host, behind WN_GPU_ALIGN bytes that are copied from
 * head: it is there when the kernel is done, without a copy after it. */
int wn_gpu_fold_home(const struct wn_gpu *g, size_t n, size_t copies, const void *head,
                     void *to);
/* Of other cells than g->cells. */
int wn_gpu_fold_of(const struct wn_gpu *g, wn_i128 *cells, size_t n, size_t copies,
                   void *result);

/* Threads a block, and blocks enough to fill the device, of kernels that go over n
 * electrons in strides of the grid. */
#define WN_GPU_STRIDE_BLOCK 256
static inline unsigned int wn_gpu_stride_blocks(const struct wn_gpu *g, size_t n)
{
  size_t most = (size_t)g->multiprocessors * (WN_GPU_RESIDENT / WN_GPU_STRIDE_BLOCK),
         wanted = (n + WN_GPU_STRIDE_BLOCK - 1) / WN_GPU_STRIDE_BLOCK;
  return (unsigned int)(wanted < 1 ? 1 : wanted < most ? wanted : most);
}

/* ---- store.cu: the particles of one species */

/* One range of addresses as large as the device's memory, of which the first `mapped`
 * bytes have memory behind them, so that it grows in place.  Kernels append newborns;
 * those that come when the store is found full (`room` particles) still have places, up
 * to `hard`: schedulers/gpu/phase.cuh.  Behind the particles there is so always memory
 * that nobody uses between phases. */
struct wn_gpu_store {
  struct wn_gpu *gpu;
  struct wn_record record;
  unsigned long long base; /* a CUdeviceptr */
  size_t reserved, mapped; /* bytes */
  size_t page;             /* what mapped is a multiple of */
  size_t n_chunks, *chunk; /* bytes that were mapped together, in this order */
  size_t room;             /* particles before the store is full */
  size_t hard;             /* particles that can be written */
  size_t dead;             /* since the last compaction */
  /* where those lie, as far as they said so who killed them (struct wn_gpu_graves): all if
   * known == dead; and, behind the graves, two lists as long for the compaction */
  uint32_t *grave;
  size_t graves, known;
  const void *user;        /* the scheduler of the last phase: see phase.cu */

  /* a second place for the records, for those who put them into another order
   * (tiles.cu); they lie there now, or in the first */
  void *other;
  size_t other_bytes;
  int is_other;
  struct wn_gpu_tiles *tiles; /* NULL: none was ever made */
  size_t in_order_dead; /* that stay in the order until it is made anew; not `dead` */
  /* the charge of the points where they will be in the middle of a step of charge_dt from
   * now, which a scheduler that moved them left here: quanta on the padded nodes of their
   * grid, not folded.  charge_dt 0: it is not known */
  int64_t *charge;
  size_t charge_nodes;
  double charge_dt;
  /* of electrons and ions in a grid (charge.cu): the dt for which the field asked last, 0:
   * never; how they move, by which newcomers are added; and, behind the nodes, how many had
   * no charge in quanta */
  double wanted_dt;
  struct wn_points charge_points;
  /* electrons and ions in a grid in the order of its tiles (order.cu): phases before they may
   * be put in order again, and the part that the last phase found far from its neighbours */
  unsigned int order_wait;
  double strays;

  /* compaction: memory where the free part is too small, and what it counted, there and
   * here; looked at by wn_gpu_store_settle */
  void *select;
  size_t select_bytes;
  unsigned long long *count, *host_count; /* [2]; there one more, of the graves */
  int unsettled;
  size_t settled_n, settled_dead, settled_base;

  /* sums over particles that nobody has looked at yet: n_late cells, to which so many
   * particles were added (sample.cu) */
  wn_i128 *late;
  size_t n_late, added_late;
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
  return t->is_other ? t->other : (void *)t->base;
}
/* Bytes there. */
static inline size_t wn_gpu_records_bytes(const struct wn_gpu_store *t)
{
  return t->is_other ? t->other_bytes : t->mapped;
}

/* Room for `need` particles, growing in large steps if the store must grow, but never for
 * more than `limit` >= need; sets room and hard.  *enough = 0 when the device has not got
 * the memory; other failures are errors. */
int wn_gpu_store_fit(struct wn_gpu_store *t, size_t need, size_t limit, double newborns,
                     int *enough);
/* Room for more than the n particles of a store that was found full, and for as many as are
 * `expected` where the memory is there; WN_EFULL with what to change when limit or memory
 * forbid it. */
int wn_gpu_store_grow(struct wn_gpu_store *t, size_t n, size_t expected, size_t limit,
                      double newborns);

/* n particles that somebody is about to write, into the store of p on g, which had nobody:
 * what was known of those before no longer holds.  WN_EFULL: more than p->limit; WN_ENOMEM
 * with what there is. */
int wn_gpu_store_begin(struct wn_gpu *g, struct wn_particles *p, size_t n);

/* Bring p to g, also when it has nobody, with room for n more, who will be behind the
 * others: the order and charge that are known then no longer hold.  WN_EFULL: the limit or
 * the memory forbids it. */
int wn_gpu_make_room(struct wn_gpu *g, struct wn_particles *p, size_t n);

/* The place where the records are not, for n of them; and they lie there from now on.
 * WN_ENOMEM. */
int wn_gpu_store_other(struct wn_gpu_store *t, size_t n, void **out);
void wn_gpu_store_turn(struct wn_gpu_store *t);
/* What was noted of the order and charge of the records no longer holds. */
void wn_gpu_store_forget(struct wn_gpu_store *t);

/* ---- charge.cu: the charge of struct wn_electron in a grid */

/* The quanta of n electrons or ions that are on the device, where they will be in the middle
 * of a step of m->dt, added to those on the padded nodes; *misfits as wn_deposit_gpu_points
 * says. */
int wn_gpu_charge_electrons(struct wn_gpu *g, const struct wn_points *m,
                            const struct wn_electron *e, size_t n, int64_t *quanta,
                            uint64_t *misfits);
/* A scheduler is about to leave the charge of all for the next step: no quanta yet, of which
 * nobody knows before it sets charge_dt. */
int wn_gpu_charge_begin(struct wn_gpu_store *t, const struct wn_points *m);
/* What was left, if it is for a step of m->dt, added to quanta and *misfits; *is_known. */
int wn_gpu_charge_take(struct wn_gpu_store *t, const struct wn_points *m, int64_t *quanta,
                       uint64_t *misfits, int *is_known);
/* n have joined from `first` on, or have flown there, and are not in the charge. */
int wn_gpu_charge_join(struct wn_gpu_store *t, size_t first, size_t n);

/* Where the dead of a store lie, as a kernel writes it: counted are all, written as many as
 * there is room for.  From begin to the next compaction nobody may move. */
struct wn_gpu_graves {
  uint32_t *at;
  unsigned long long *n, room;
};
static __device__ __forceinline__ void wn_gpu_grave(const struct wn_gpu_graves &g,
                                                    unsigned long long i)
{
  const unsigned long long k = atomicAdd(g.n, 1ull);
  if (k < g.room)
    g.at[k] = (uint32_t)i;
}
/* For a launch on n particles; t->known is what its caller adds to.  WN_ENOMEM. */
int wn_gpu_graves_begin(struct wn_gpu_store *t, size_t n, struct wn_gpu_graves *out);

/* ---- order.cu: is it a grid, and are they so many, that the order shows? */
int wn_gpu_order_pays(const struct wn_grid_view *grid, size_t n);
/* What it took for itself. */
void wn_gpu_order_free(struct wn_gpu *g);

/* ---- compaction.cu: after a wait, WN_EINTERN when the last compaction did not find as
 * many living as there must be; the rest is for wn_gpu_remote_ops */
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

#endif
