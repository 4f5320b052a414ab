/* schedulers/gpu/gpu_scheduler.cuh - host side of the GPU schedulers (gpu_scheduler.cu),
 * and the parameters of their kernels.  A scheduler adds a kernel and its launch: struct
 * wn_gpu_kind.
 *
 * Kernels append newborns to the store (device/device.cuh), with one atomic operation on
 * work->n.  A kernel sets work->full when the place of a newborn is at or beyond `room`.
 * From then on every electron is stored at the end of its mobility step, with the
 * remaining time in t_left, and no further electron is started.  Places up to `hard` can
 * be written, so nothing is lost.  The host then enlarges the store and launches again,
 * for all electrons with t_left > 0. */
#ifndef WN_SCHEDULERS_GPU_GPU_SCHEDULER_CUH
#define WN_SCHEDULERS_GPU_GPU_SCHEDULER_CUH
#include "device/device.cuh"
#include "schedulers/gpu/model_tables.cuh"
#include "schedulers/scheduler.h"

#define WN_GPU_LEFT 16

/* Counters in device memory, one struct per scheduler. */
struct wn_gpu_work {
  unsigned long long head;       /* first electron that has not been taken */
  unsigned long long n;          /* electrons in the store; newborns raise it */
  unsigned long long begin, end; /* of the present round */
  unsigned long long births, deaths, candidates, real, violations, beyond, forbidden;
  unsigned long long max_energy;    /* bits of a double >= 0 */
  unsigned long long violator;      /* as in struct wn_tally_alarms */
  unsigned int full;                /* no room: see above */
  unsigned int lost;                /* newborns without any place: a bug */
  unsigned int arrived, generation; /* barriers over the grid: kernel.cuh */
  unsigned int busy;                /* electrons with time left after this pass */
  unsigned long long gone; /* deaths of electrons that have no record in the store */
  /* collision_free.cuh: number of electrons with a candidate, and of those that may have
   * a real collision */
  unsigned long long listed, may_collide;
  /* when the store was full: histogram of the time left, in parts of a step */
  unsigned int left[WN_GPU_LEFT];
  /* deferred collisions on each of two lists, and how many of the first have been
   * started: deferred.cuh */
  unsigned int deferred[2], deferred_head;
  unsigned int strays; /* particles far from the first of their warp, in one warp of
               * WN_GPU_STRAY_SAMPLE: collision_free.cuh */
};
#define WN_GPU_STRAY_SAMPLE 64

/* Parameters of every kernel, passed by value. */
struct wn_gpu_launch {
  void *e; /* the store: records of the model */
  struct wn_gpu_work *work;
  unsigned long long room, hard; /* see above */
  /* pointers into device memory; cells are pairs of 64-bit sums: physics/tally.h */
  struct wn_tally tally;
  /* copies of all cells: blocks are spread over them, so that atomic operations seldom
   * collide and no cell gets 2^32 contributions in a launch */
  unsigned int copies;
  size_t stride; /* cells (16 bytes) from one copy to the next */
  float steps;   /* mobility steps in the step */
};

/* One GPU scheduler.  run: advance all of the first n electrons with t_left > 0, and all
 * their newborns, to the end of the step, or return early with work->full set.  The queue
 * is open: work->head and begin are 0, or the first electron that is not finished; end
 * and n are n.  model: with device pointers.  Launches on the stream of the GPU; may
 * synchronise. */
struct wn_gpu_kind {
  const char *name;
  int cooperative; /* barriers inside a kernel: all blocks must be resident at once */
  int (*run)(struct wn_scheduler *s, const struct wn_model *model,
             const struct wn_gpu_launch *launch, unsigned long long n);
  /* Are sums first added up within a block, so that few atomic operations meet in a cell?
   * NULL: no */
  int (*near)(const struct wn_model *model);
};

/* Occupancy of a kernel for a block size: launch.cuh. */
struct wn_gpu_fit {
  const void *kernel;
  unsigned int block;
  size_t shared; /* bytes of dynamic shared memory of a block */
  int each;      /* blocks that a multiprocessor holds */
};
#define WN_GPU_FITS 8

/* Number of models (of species advanced in turn) whose tables are kept. */
#define WN_GPU_MODELS 4

/* The opaque struct of schedulers/scheduler.h. */
struct wn_scheduler {
  const struct wn_gpu_kind *kind;
  struct wn_gpu *gpu;
  int block; /* requested threads in a block; 0: default */
  struct wn_tally_shape shape;

  /* counters; on the host in pinned memory, with the n_cells sums of a step from
   * WN_GPU_ALIGN on */
  size_t n_cells;
  unsigned char *result, *host_result;
  struct wn_gpu_work *host_work;
  cudaEvent_t launched; /* the last launch is complete, and its results are in
                         * host_result */
  int has_launched;     /* the first launch of this step was made by the op launch */

  /* first passages on the device, and the host array that they belong to */
  size_t n_passages;
  int64_t *first_passage;
  const int64_t *host_first_passage;

  struct wn_gpu_tables tables[WN_GPU_MODELS];
  int next_tables; /* index of the next tables to be replaced */
  size_t first;    /* electrons before it are finished: start_newborns, until the next
                        * gather */
  size_t deferred_places; /* length of a list of deferred collisions; 0: default, and only
                        * where deferring is faster */
  /* Deferred electrons, kept for the next launch when the store became full: n in list
   * `in`.  Electrons of the store before head have been started.  Valid until the next
   * gather.  deferred.cuh */
  struct {
    unsigned char *lists;
    size_t bytes;
    unsigned int in, n;
    unsigned long long head;
  } deferred;
  int is_collision_free; /* use the collision-free pass where it is faster:
                          * collision_free.cuh */
  size_t n_list;
  unsigned int *list; /* [n_list] numbers of the other electrons */
  struct wn_gpu_fit fit[WN_GPU_FITS];
  int n_fits;
};

/* Members of struct wn_scheduler_ops for a kind; a scheduler's .cu wraps them with
 * WN_GPU_SCHEDULER below.  advance returns WN_EFULL when the step needs more electrons
 * than p->limit or the memory of the device allows.  The message names the cause and what
 * to change (population.capacity, population.target, the duration).  The additions to the
 * tally are then invalid, and the caller undoes them.  The first passages of earlier
 * steps are in tally->first_passage after every return. */
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

/* For gather of a model (model_ops.cuh): the model with device pointers, and the records;
 * from now on only those on the device are valid. */
int wn_gpu_begin_records(struct wn_scheduler *s, const struct wn_model *model,
                         struct wn_particles *p, const struct wn_model **on_device,
                         void **records);

/* For run: the present counters (synchronises the stream). */
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
