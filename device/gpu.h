/* device/gpu.h - what a GPU scheduler is made of, on the host's side: the device,
 * the store of electrons there, the tables, the sums.  A scheduler adds a kernel and the
 * way it is launched (struct wn_gpu_kind); everything else exists once, in device.cu.
 *
 * Store: one array of 64-byte electrons, grown in place by mapping more memory behind it
 * (no second copy).  Kernels append newborns by one atomic on work->n.  A kernel that
 * finds a newborn's place at or beyond `room` sets work->full; from then on every
 * electron is stored at the end of its mobility step, whose t_left says what remains,
 * and no new work is begun. Places up to `room + reserve` can be written, so nothing is
 * lost; then the host makes the store larger and launches again, on all electrons with
 * t_left > 0. */
#ifndef WN_DEVICE_GPU_H
#define WN_DEVICE_GPU_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include "physics/hd.h"
#include "schedulers/model.h"
#include "schedulers/scheduler.h"

WN_BEGIN_DECLS

/* ---- devices; these are there in every build (none.c and forecast.c without CUDA) */

/* How many GPUs can be used; 0 with the reason in one line ("no driver", "built without
 * CUDA"). */
int wn_gpu_count(const char **why);

struct wn_gpu_info {
  char name[256];
  int major, minor, multiprocessors;
  size_t memory, free; /* bytes */
};
int wn_gpu_describe(int gpu, struct wn_gpu_info *info);

/* What a run needs, for wn_gpu_forecast. */
struct wn_gpu_need {
  size_t electrons;      /* most electrons at a time, those that died in the phase too */
  double newborns;       /* most a mobility step of one electron: wn_gpu_newborns() */
  int multiprocessors;   /* 0: those of an H200 */
  size_t table_bytes;    /* collision tables, or two columns of levels */
  size_t grid_cells;     /* split-remove; else 0 */
  size_t first_passages; /* lineages times thresholds; 0 when not wanted */
  struct wn_tally_shape shape;
};

/* Bytes on the device; what a run of so many electrons uses (wn_gpu_used) agrees to 5 %,
 * from 10^7 electrons on also where the store has grown in between.  Without what CUDA
 * takes for itself, about half a GiB. */
size_t wn_gpu_forecast(const struct wn_gpu_need *need);

/* Bytes that a scheduler of a GPU has allocated there until now. */
size_t wn_gpu_used(const struct wn_scheduler *s);

/* ---- sizes, for device.cu, store.cu and forecast.c alike */

#define WN_GPU_RESIDENT  2048 /* most threads that a multiprocessor has at a time */
#define WN_GPU_H200      132  /* multiprocessors, where no GPU can be asked */
#define WN_GPU_ALIGN     ((size_t)256)      /* of what cudaMalloc gives */
#define WN_GPU_PAGE      ((size_t)2 << 20)  /* of mapped memory */
#define WN_GPU_SUM_BYTES ((size_t)8 << 20)  /* of all copies of the sums */
#define WN_GPU_COPIES    64                 /* of a cell; more are not faster */
#define WN_GPU_SCRATCH   ((size_t)64 << 10) /* partial sums of reductions */

static inline size_t wn_gpu_round(size_t bytes, size_t unit)
{
  return (bytes + unit - 1) / unit * unit;
}

/* Newborns of one electron in a mobility step, at the most on average over many: they
 * are among its candidates, which are a Poisson process of rate nu_max whatever it does.
 * The other models have one at the most. */
static inline double wn_gpu_newborns(const struct wn_model *m)
{
  return m->ops == &wn_model_mcc ? m->mcc.dt / m->mcc.inv_nu : 1.0;
}

/* Electrons that may still want a place when the store is found full: every resident
 * thread ends its mobility step (eight standard deviations above the mean; more than 64
 * each would be an avalanche of e^64 a step), may itself have a newborn that has no place
 * yet, and another that waits to be written.  newborns: most that one electron can have
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
                                2 * (size_t)s->n_processes + (size_t)s->n_thresholds);
}

/* Memory for copies of the cells: as much as stays in the level-2 cache, or one of each.
 */
static inline size_t wn_gpu_sum_bytes(size_t cells)
{
  size_t bytes = wn_gpu_round(cells * sizeof(wn_i128), WN_GPU_ALIGN);
  return bytes > WN_GPU_SUM_BYTES ? bytes : WN_GPU_SUM_BYTES;
}

/* Counters and sums of a phase, as they are fetched: one of each cell. */
static inline size_t wn_gpu_result_bytes(size_t cells)
{
  return WN_GPU_ALIGN + wn_gpu_round(cells * sizeof(wn_i128), WN_GPU_ALIGN);
}

/* What the compaction needs to take the dead out of n electrons: 8 bytes for each 128. */
static inline size_t wn_gpu_select_bytes(size_t n)
{
  return wn_gpu_round(n / 16 + 4096, WN_GPU_ALIGN);
}

/* ---- inside the backend */

/* Counters in device memory, one of these a scheduler. */
struct wn_gpu_work {
  unsigned long long head;       /* next electron nobody has taken */
  unsigned long long n;          /* electrons in the store; newborns raise it */
  unsigned long long begin, end; /* of the present round */
  unsigned long long births, deaths, candidates, real, violations, beyond, forbidden;
  unsigned long long max_energy;    /* bits of a double >= 0 */
  unsigned int full;                /* no room: see above */
  unsigned int lost;                /* newborns that found no place at all: a bug */
  unsigned int arrived, generation; /* own barriers: kernel.cuh */
  unsigned int busy;                /* the present pass left something to do */
  unsigned long long gone; /* of the deaths: those that left nothing in the store */
};

/* What every kernel is given, by value. */
struct wn_gpu_launch {
  struct wn_electron *e;
  struct wn_gpu_work *work;
  unsigned long long room, hard; /* see above; hard = room + reserve */
  struct wn_tally tally; /* pointers into device memory; cells are pairs of 64-bit sums:
                            physics/tally.h */
  unsigned int copies;   /* of all cells: blocks spread over them, so that atomics seldom
                            meet and no cell gets 2^32 contributions in a launch */
  size_t stride;         /* cells (16 bytes) from one copy to the next */
  float steps;           /* mobility steps of the phase */
};

struct wn_gpu;

/* One GPU scheduler.  run: bring all electrons [0, n) that have t_left > 0 and all that
 * are born of them to the end of the phase, or return early with work->full set. Launches
 * on g's stream; may synchronise. */
struct wn_gpu_kind {
  const char *name;
  int cooperative; /* waits inside a kernel: all blocks must be resident at once */
  int (*run)(struct wn_gpu *g, const struct wn_model *model,
             struct wn_gpu_launch *launch);
};

/* Body of ops->create, advance, threads and free for a kind; a scheduler's .cu wraps them
 * with WN_GPU_SCHEDULER below.  wn_gpu_advance returns WN_EFULL when the phase needs more
 * electrons than p->limit or the memory of the device allows, with a message that names
 * the cause and what to change (population.capacity, population.target, the duration).
 * What the tally has got by then does not matter, the caller takes it back; the first
 * passages of the phases before must stand in tally->first_passage after every return. */
int wn_gpu_create(const struct wn_gpu_kind *kind, const struct wn_scheduler_options *o,
                  const struct wn_tally_shape *shape, struct wn_scheduler **out);
int wn_gpu_advance(struct wn_scheduler *s, const struct wn_model *model,
                   struct wn_particles *p, struct wn_tally *tally);
int wn_gpu_threads(const struct wn_scheduler *s);
void wn_gpu_free(struct wn_scheduler *s);

/* For run: the block size asked for (0: own choice), number of multiprocessors, the
 * stream (a cudaStream_t), and the counters as they are now (waits for the stream). */
int wn_gpu_block(const struct wn_gpu *g);
int wn_gpu_multiprocessors(const struct wn_gpu *g);
void *wn_gpu_stream(const struct wn_gpu *g);
int wn_gpu_read_work(struct wn_gpu *g, struct wn_gpu_work *out);
int wn_gpu_write_work(struct wn_gpu *g, const struct wn_gpu_work *in);
/* Device copies of the tables of a model: *model with device pointers in place. */
int wn_gpu_model(struct wn_gpu *g, const struct wn_model *host, struct wn_model *device);

/* WN_OK, or WN_ECUDA with what failed, logged once. */
int wn_gpu_check(int cuda_error, const char *what);

WN_END_DECLS

#define WN_GPU_SCHEDULER(symbol, kind, text)                                             \
  static int symbol##_create(const struct wn_scheduler_options *o,                       \
                             const struct wn_tally_shape *shape,                         \
                             struct wn_scheduler **out)                                  \
  {                                                                                      \
    return wn_gpu_create(&kind, o, shape, out);                                          \
  }                                                                                      \
  extern "C" const struct wn_scheduler_ops symbol = {                                    \
      kind.name,      text,           WN_DEVICE_CUDA, symbol##_create,                   \
      wn_gpu_advance, wn_gpu_threads, wn_gpu_free}

#endif
