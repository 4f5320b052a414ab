/* device/gpu.h - one GPU, for C: which there are, opened once a run, the store of a
 * species there, and how much of its memory a run needs.  The rest is for CUDA:
 * device.cuh. These functions are there in every build; without CUDA they are those of
 * none.c and forecast.c. */
#ifndef WN_DEVICE_GPU_H
#define WN_DEVICE_GPU_H
#include <stddef.h>
#include "particles/particles.h"
#include "particles/tally.h"
#include "physics/hd.h"

#define WN_GPU_GIB (1024.0 * 1024.0 * 1024.0) /* bytes, as memory of GPUs is sold */

WN_BEGIN_DECLS

/* How many GPUs can be used; 0 with the reason in one line ("no driver", "built without
 * CUDA"). */
int wn_gpu_count(const char **why);

struct wn_gpu_info {
  char name[256];
  int major, minor, multiprocessors;
  size_t memory, free; /* bytes */
};
/* GPU number `gpu`, counted from 0.  WN_EINPUT: there is none; WN_ECUDA: it does not
 * answer.  *info is then not touched. */
int wn_gpu_describe(int gpu, struct wn_gpu_info *info);

/* The driver begins to work on it, which takes a fifth of a second once; what fails is found by
 * those who use it. */
void wn_gpu_wake(int gpu);

struct wn_gpu;

/* Open GPU number `gpu`, once a run: schedulers, species and fields use it one after the
 * other.  WN_EINPUT: there is none of that number.  close: after all that use it are
 * gone. */
int wn_gpu_open(int gpu, struct wn_gpu **out);
void wn_gpu_close(struct wn_gpu *g);

/* Bytes allocated there by all who use it. */
size_t wn_gpu_used(const struct wn_gpu *g);

/* Wait until everything that was begun there is done: for clocks. */
int wn_gpu_drain(const struct wn_gpu *g);

/* Bring the particles there, with room for the newborns of a phase.  newborns: most of
 * one particle in a mobility step, on average over many (wn_model_newborns).  p->remote
 * is the store there; it is made when it is first wanted and stays when p is emptied.
 * WN_ENOMEM when they do not fit, with what there is.  Nobody: nothing is done. */
int wn_gpu_hold(struct wn_gpu *g, struct wn_particles *p, double newborns);

/* Take the dead away as wn_particles_compact does, in a way of choice: for tests and
 * bench/.  p is held on a GPU.
 *   auto      as the program does
 *   holes     the last of the living move into the holes of the dead; WN_ENOMEM where
 *             there is no room for the lists
 *   in order  the living move up, and keep their order */
enum wn_gpu_compaction {
  WN_GPU_COMPACT_AUTO,
  WN_GPU_COMPACT_HOLES,
  WN_GPU_COMPACT_IN_ORDER
};
int wn_gpu_compact(struct wn_particles *p, enum wn_gpu_compaction way);

/* A case begins: the first n primaries of model mcc (physics/primary.h), made there, in a
 * store that holds nobody.  WN_ENOMEM as wn_gpu_hold; WN_EFULL: more than p->limit. */
struct wn_primaries;
int wn_gpu_primaries(struct wn_gpu *g, struct wn_particles *p,
                     const struct wn_primaries *what, size_t n);

/* n records of the host join those that are on the device, behind them.  WN_EFULL as
 * wn_particles_append; WN_ECUDA, WN_ENOMEM. */
int wn_gpu_append(struct wn_gpu *g, struct wn_particles *p, const void *e, size_t n);

/* Sums over n species on g, each of the kind that its records are, points or electrons
 * (physics/sample.h), added to sums [n]: as wn_particles_sample of each, in one wait. */
int wn_gpu_sample_moving(struct wn_gpu *g, size_t n,
                         const struct wn_particles *const *particles,
                         const struct wn_sample *what, wn_i128 (*sums)[WN_POINT_SUMS]);

/* Copies of the ions or electrons in a grid that a side has taken and that have not left
 * the store, with where they ended (physics/mcc_grid.h), in any order; good until the next
 * call for this GPU.  Of those in a store that a scheduler for few collisions has flown.
 * Waits. */
int wn_gpu_ended(struct wn_gpu *g, const struct wn_particles *p,
                 const struct wn_electron **out, size_t *n);

/* Ions that electrons in a grid leave behind (src/sim/ion_products.c), on the device: points of so
 * many bytes, or, with the data of their model, ions that collide; made of the newborns that
 * wait, from `first` on, and of those that were
 * attached and lie dead in the store; at the end of a step they join their species.
 * sigma [m/s] along each axis.  WN_EFULL of join as wn_particles_append; WN_ECUDA,
 * WN_ENOMEM. */
struct wn_gpu_products;
struct wn_mcc_grid;
struct wn_ion;
int wn_gpu_products_create(struct wn_gpu *g, size_t bytes, const struct wn_ion *ion,
                           struct wn_gpu_products **out);
void wn_gpu_products_free(struct wn_gpu_products *q);
void wn_gpu_products_reset(struct wn_gpu_products *q);
int wn_gpu_products_born(struct wn_gpu_products *q, const struct wn_mcc_grid *grid,
                         uint64_t seed, double sigma, const struct wn_particles *electrons,
                         size_t first);
int wn_gpu_products_attached(struct wn_gpu_products *q, const struct wn_mcc_grid *grid,
                             uint64_t seed, double sigma,
                             const struct wn_particles *electrons);
int wn_gpu_products_join(struct wn_gpu_products *q, struct wn_particles *to);

/* Electrons or ions in a grid (struct wn_electron) put into the order of its tiles, cubes of
 * some cells along each axis, so that neighbours in the store are neighbours in the grid; those
 * of a tile stay in their order.  Takes 68 bytes a particle of what memory is free, and keeps
 * them; *done = 0: there were not so many, and nothing has moved.  None may be dead.
 * WN_ECUDA. */
struct wn_grid_view;
int wn_gpu_order(struct wn_gpu *g, const struct wn_grid_view *grid, struct wn_particles *p,
                 int *done);

/* What a run needs, for wn_gpu_forecast. */
struct wn_gpu_need {
  size_t electrons;      /* most electrons at a time, those that died in the phase too */
  size_t record_bytes;   /* of one */
  int ordered;           /* scheduler `tiles`: there is a second place for the records */
  int listed;            /* particles that hardly collide: lists of those that do, or die */
  int aside;             /* those that run away: lists of who meets something rare */
  double newborns;       /* as for wn_gpu_hold */
  int multiprocessors;   /* 0: those of an H200 */
  size_t table_bytes;    /* tables of the model */
  size_t grid_cells;     /* of the field `difference`; else 0 */
  size_t field_bytes;    /* of `electrostatic`: wn_electrostatic_gpu_bytes; else 0 */
  size_t first_passages; /* lineages times thresholds; 0 when not wanted */
  struct wn_tally_shape shape;
};

/* Bytes on the device; what a run of so many electrons uses (wn_gpu_used) agrees to 5 %,
 * from 10^7 electrons on also where the store has grown in between; less is used where `ordered`
 * is set and nothing is put in order, or one species after the other (wn_gpu_order).  Without what CUDA
 * takes for itself, about half a GiB. */
size_t wn_gpu_forecast(const struct wn_gpu_need *need);

WN_END_DECLS

#endif
