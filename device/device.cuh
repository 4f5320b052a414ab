/* device/device.cuh - a GPU scheduler from inside, for the files that share its
 * memory: device.cu (its life, the phase), store.cu (the electrons), sample.cu (sums over
 * all electrons between phases). */
#ifndef WN_DEVICE_DEVICE_CUH
#define WN_DEVICE_DEVICE_CUH
#include <cuda_runtime.h>
#include "physics/rng.h"
#include "device/gpu.h"
#include "base/error.h"

#define WN_GPU_MAX_TABLES 64

/* The electrons: one range of addresses as large as the device's memory, of which the
 * first `mapped` bytes have memory behind them. */
struct wn_gpu_store {
  unsigned long long base; /* a CUdeviceptr */
  size_t reserved, mapped; /* bytes */
  size_t page;             /* what mapped is a multiple of */
  size_t n_chunks, *chunk; /* bytes that were mapped together, in this order */
  size_t room;             /* electrons before the store is full */
  size_t hard;             /* electrons that can be written */
  size_t dead;             /* since the last compaction */
  void *select;            /* temporary memory of the compaction */
  size_t select_bytes;
  const struct wn_particles *owner; /* whose electrons these are; NULL: nobody's */
};

struct wn_gpu {
  const struct wn_gpu_kind *kind;
  struct wn_scheduler_options options;
  struct wn_tally_shape shape;
  int multiprocessors;
  cudaStream_t stream;
  size_t used; /* bytes on the device */
  struct wn_gpu_store store;

  /* sums: cells are copies of all sums, zero between launches; `result` has the counters
   * and, from WN_GPU_ALIGN on, the n_cells sums of a phase; what is on the host is
   * pinned */
  size_t n_cells, cells_bytes, scratch_bytes;
  wn_i128 *cells;
  unsigned char *result, *host_result;
  struct wn_gpu_work *host_work;
  unsigned char *scratch, *host_scratch; /* results of reductions */

  /* tables, as they were on the host and as they are on the device */
  struct wn_xs_view host_xs, xs;
  int n_tables;
  void *table[WN_GPU_MAX_TABLES];
  size_t table_bytes[WN_GPU_MAX_TABLES];
  double host_threshold_ev[WN_MAX_THRESHOLDS], *threshold_ev;
  struct wn_split_tables *levels; /* split-remove */
  uint64_t levels_print;          /* fingerprint of their contents */
  uint32_t *grid;                 /* split-remove: zero between phases */
  size_t grid_cells;
  int64_t *first_passage;
  const int64_t *host_first_passage;
  size_t n_lineages, n_passages;
};

/* C knows a scheduler by this name. */
struct wn_scheduler {
  struct wn_gpu gpu;
};

/* Make the scheduler's device the present one of this thread. */
int wn_gpu_use(const struct wn_gpu *g);

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

/* Wait for the stream. */
int wn_gpu_wait(const struct wn_gpu *g, const char *what);

/* store.cu: the memory of the electrons, and moving them. */
int wn_gpu_store_create(struct wn_gpu *g);
void wn_gpu_store_free(struct wn_gpu *g);
/* Room for `need` electrons, growing in large steps if the store must grow, but never for
 * more than `limit` >= need; sets room and hard.  *enough = 0 when the device has not got
 * the memory; other failures are errors. */
int wn_gpu_store_fit(struct wn_gpu *g, size_t need, size_t limit, double newborns,
                     int *enough);
int wn_gpu_upload(struct wn_gpu *g, const struct wn_particles *p);
extern const struct wn_particles_remote_ops wn_gpu_remote_ops;

/* sample.cu, for wn_gpu_remote_ops. */
int wn_gpu_sample(void *remote, const struct wn_particles *p,
                  const struct wn_sample *what, wn_i128 *sums);
int wn_gpu_change(void *remote, struct wn_particles *p, const struct wn_change *change,
                  struct wn_changed *done);

static inline struct wn_electron *wn_gpu_electrons(const struct wn_gpu *g)
{
  return (struct wn_electron *)g->store.base;
}

/* Threads a block, and blocks enough to fill the device, of kernels that go over n
 * electrons in strides of the grid. */
#define WN_GPU_STRIDE_BLOCK 256
static inline unsigned int wn_gpu_stride_blocks(const struct wn_gpu *g, size_t n)
{
  size_t most = (size_t)g->multiprocessors * (WN_GPU_RESIDENT / WN_GPU_STRIDE_BLOCK),
         wanted = (n + WN_GPU_STRIDE_BLOCK - 1) / WN_GPU_STRIDE_BLOCK;
  return (unsigned int)(wanted < 1 ? 1 : wanted < most ? wanted : most);
}

#endif
