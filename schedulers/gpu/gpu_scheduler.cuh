/* schedulers/gpu/gpu_scheduler.cuh - a phase of a GPU scheduler, from the host's side: what all
 * of them share (gpu_scheduler.cu), and what a scheduler is given.  A scheduler adds a kernel and
 * the way it is launched: struct wn_gpu_kind.
 *
 * Kernels append newborns to the store (device/device.cuh) by one atomic on work->n.  A
 * kernel that finds a newborn's place at or beyond `room` sets work->full; from then on
 * every electron is stored at the end of its mobility step, whose t_left says what
 * remains, and no new work is begun.  Places up to `hard` can be written, so nothing is
 * lost; then the host makes the store larger and launches again, on all electrons with
 * t_left > 0. */
#ifndef WN_SCHEDULERS_GPU_GPU_SCHEDULER_CUH
#define WN_SCHEDULERS_GPU_GPU_SCHEDULER_CUH
#include "device/device.cuh"
#include "schedulers/gpu/model_tables.cuh"
#include "schedulers/scheduler.h"

#define WN_GPU_LEFT 16

/* Counters in device memory, one of these a scheduler. */
struct wn_gpu_work {
  unsigned long long head;       /* next electron nobody has taken */
  unsigned long long n;          /* electrons in the store; newborns raise it */
  unsigned long long begin, end; /* of the present round */
  unsigned long long births, deaths, candidates, real, violations, beyond, forbidden;
  unsigned long long max_energy;    /* bits of a double >= 0 */
  unsigned long long violator;      /* as in struct wn_tally_alarms */
  unsigned int full;                /* no room: see above */
  unsigned int lost;                /* newborns that found no place at all: a bug */
  unsigned int arrived, generation; /* own barriers: kernel.cuh */
  unsigned int busy;                /* the present pass left something to do */
  unsigned long long gone; /* of the deaths: those that left nothing in the store */
  /* that have a candidate in this step, and may meet somebody: collision_free.cuh */
  unsigned long long listed, meets;
  /* electrons by what they have before them, in parts of a phase, when the store was full */
  unsigned int left[WN_GPU_LEFT];
  /* put aside, on each of two lists, and how many of the first were begun: apart.cuh */
  unsigned int aside[2], aside_head;
  unsigned int
      strays; /* of one warp of WN_GPU_STRAY_SAMPLE, far from its first: collision_free.cuh */
};
#define WN_GPU_STRAY_SAMPLE 64

/* What every kernel is given, by value. */
struct wn_gpu_launch {
  void *e; /* the store: records of the model */
  struct wn_gpu_work *work;
  unsigned long long room, hard; /* see above */
  /* pointers into device memory; cells are pairs of 64-bit sums: physics/tally.h */
  struct wn_tally tally;
  /* of all cells: blocks spread over them, so that atomics seldom meet and no cell gets
   * 2^32 contributions in a launch */
  unsigned int copies;
  size_t stride; /* cells (16 bytes) from one copy to the next */
  float steps;   /* mobility steps of the phase */
};

/* One GPU scheduler.  run: bring all n electrons that have t_left > 0 and all that are
 * born of them to the end of the phase, or return early with work->full set.  The queue
 * is open: work->head and begin are 0, or where those begin who are not done; end and n
 * are n.  model: with device pointers.
 * Launches on the stream of the GPU; may synchronise. */
struct wn_gpu_kind {
  const char *name;
  int cooperative; /* waits inside a kernel: all blocks must be resident at once */
  int (*run)(struct wn_scheduler *s, const struct wn_model *model,
             const struct wn_gpu_launch *launch, unsigned long long n);
  /* Are its sums those of blocks, so that few of them meet in a cell?  NULL: they are not */
  int (*near)(const struct wn_model *model);
};

/* A kernel with a size of its blocks, as it was asked for: launch.cuh. */
struct wn_gpu_fit {
  const void *kernel;
  unsigned int block;
  size_t shared; /* bytes of dynamic shared memory of a block */
  int each;      /* blocks that a multiprocessor holds */
};
#define WN_GPU_FITS 8

/* Of different species that are advanced in turn, so many keep their tables. */
#define WN_GPU_MODELS 4

/* C knows a scheduler by this name. */
struct wn_scheduler {
  const struct wn_gpu_kind *kind;
  struct wn_gpu *gpu;
  int block; /* threads a block that were asked for; 0: the scheduler's choice */
  struct wn_tally_shape shape;

  /* counters; on the host, pinned, the n_cells sums of a phase follow from WN_GPU_ALIGN
   * on */
  size_t n_cells;
  unsigned char *result, *host_result;
  struct wn_gpu_work *host_work;
  cudaEvent_t launched; /* what was launched last is done, and host_result there */
  int has_launched;     /* the first launch of this phase was, by op launch */

  /* first passages as they are on the device, and whose they are */
  size_t n_passages;
  int64_t *first_passage;
  const int64_t *host_first_passage;

  struct wn_gpu_tables tables[WN_GPU_MODELS];
  int next_tables;     /* that give way to those of another model */
  size_t first;        /* electrons before it are done: wake, until the next gather */
  size_t apart_places; /* of a list; 0: its own choice, and only where that pays */
  /* electrons put aside, which a store that is full left for the next launch: n of list `in`;
   * those of the store were begun up to head.  Until the next gather.  apart.cuh */
  struct {
    unsigned char *lists;
    size_t bytes;
    unsigned int in, n;
    unsigned long long head;
  } aside;
  int is_collision_free; /* steps without collisions apart, where that pays: collision_free.cuh */
  size_t n_list;
  unsigned int *list; /* [n_list] numbers of the others */
  struct wn_gpu_fit fit[WN_GPU_FITS];
  int n_fits;
};

/* Bodies of the members of struct wn_scheduler_ops for a kind; a scheduler's .cu wraps
 * them with WN_GPU_SCHEDULER below.  advance returns WN_EFULL when the phase needs more
 * electrons than p->limit or the memory of the device allows, with a message that names
 * the cause and what to change (population.capacity, population.target, the duration).
 * What the tally has got by then does not matter, the caller takes it back; the first
 * passages of the phases before stand in tally->first_passage after every return. */
int wn_gpu_scheduler_create(const struct wn_gpu_kind *kind,
                            const struct wn_scheduler_options *o,
                            const struct wn_tally_shape *shape,
                            struct wn_scheduler **out);
int wn_gpu_scheduler_hold(struct wn_scheduler *s, const struct wn_model *model,
                          struct wn_particles *p);
int wn_gpu_scheduler_gather(struct wn_scheduler *s, const struct wn_model *model,
                            struct wn_particles *p);
int wn_gpu_scheduler_launch(struct wn_scheduler *s, const struct wn_model *model,
                            struct wn_particles *p, struct wn_tally *tally);
int wn_gpu_scheduler_advance(struct wn_scheduler *s, const struct wn_model *model,
                             struct wn_particles *p, struct wn_tally *tally);
int wn_gpu_scheduler_start_newborns(struct wn_scheduler *s, const struct wn_model *model,
                                    struct wn_particles *p, size_t first);
int wn_gpu_scheduler_threads(const struct wn_scheduler *s);
void wn_gpu_scheduler_free(struct wn_scheduler *s);

/* For gather of a model (model_ops.cuh): the model with device pointers, and the records, which
 * lie on the device alone from now on. */
int wn_gpu_begin_records(struct wn_scheduler *s, const struct wn_model *model,
                         struct wn_particles *p, const struct wn_model **on_device,
                         void **records);

/* For run: the counters as they are now (waits for the stream). */
int wn_gpu_read_work(struct wn_scheduler *s, struct wn_gpu_work *out);

#define WN_GPU_SCHEDULER(symbol, kind, text)                                             \
  static int symbol##_create(const struct wn_scheduler_options *o,                       \
                             const struct wn_tally_shape *shape,                         \
                             struct wn_scheduler **out)                                  \
  {                                                                                      \
    return wn_gpu_scheduler_create(&kind, o, shape, out);                                \
  }                                                                                      \
  extern "C" {                                                                           \
  extern const struct wn_scheduler_ops symbol;                                           \
  const struct wn_scheduler_ops symbol = {kind.name,                                     \
                                          text,                                          \
                                          WN_DEVICE_CUDA,                                \
                                          symbol##_create,                               \
                                          wn_gpu_scheduler_hold,                         \
                                          wn_gpu_scheduler_gather,                       \
                                          wn_gpu_scheduler_advance,                      \
                                          wn_gpu_scheduler_start_newborns,               \
                                          wn_gpu_scheduler_threads,                      \
                                          wn_gpu_scheduler_free,                         \
                                          NULL,                                          \
                                          wn_gpu_scheduler_launch};                      \
  }

#endif
