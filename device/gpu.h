/* device/gpu.h - one GPU, for C: which there are, opened once a run, the store of a
 * species there, and how much of its memory a run needs.  The rest is for CUDA:
 * device.cuh. These functions are there in every build; without CUDA they are those of
 * none.c, forecast.c and build-aux/stubs. */
#ifndef WN_DEVICE_GPU_H
#define WN_DEVICE_GPU_H
#include <stddef.h>
#include "particles/particles.h"
#include "particles/tally.h"
#include "physics/host_device.h"

#define WN_GPU_GIB (1024.0 * 1024.0 * 1024.0) /* bytes, the unit of GPU memory sizes */

WN_BEGIN_DECLS

/* Number of usable GPUs; 0 with the reason in one line ("no driver", "built without
 * CUDA"). */
int wn_gpu_count(const char **why);

struct wn_gpu_info {
  char name[256];
  int major, minor, multiprocessors;
  size_t memory, free; /* bytes */
};
/* GPU number `gpu`, counted from 0.  WN_EINPUT: there is none; WN_ECUDA: it does not
 * respond.  *info is then unchanged. */
int wn_gpu_describe(int gpu, struct wn_gpu_info *info);

/* Start the driver on it, which once takes a fifth of a second.  Failures are reported by
 * the later calls that use the GPU. */
void wn_gpu_wake(int gpu);

/* End the driver's context on it, as the end of the program does: a forecast counts the time.  After
 * everything that uses the GPU was freed; nothing may use it later.  Without a GPU: no effect. */
void wn_gpu_end(int gpu);

struct wn_gpu;

/* Open GPU number `gpu`, once per run: schedulers, species and fields use it in turn.
 * WN_EINPUT: there is no such number.  close: after everything that uses it was freed. */
int wn_gpu_open(int gpu, struct wn_gpu **out);
void wn_gpu_close(struct wn_gpu *g);

/* Bytes allocated on it in total. */
size_t wn_gpu_used(const struct wn_gpu *g);

/* Wait until all work in its stream is done: for timing. */
int wn_gpu_drain(const struct wn_gpu *g);

/* A copy of data of the host that do not change, as tables.  WN_ENOMEM, WN_ECUDA: *out is then empty.
 * No bytes: no copy.  free: nothing where g is NULL. */
struct wn_gpu_copy {
  void *at; /* on the device */
  size_t bytes;
};
int wn_gpu_copy(struct wn_gpu *g, const void *from, size_t bytes,
                struct wn_gpu_copy *out);
void wn_gpu_copy_free(struct wn_gpu *g, struct wn_gpu_copy *copy);

/* Bring the particles to the GPU, with room for the newborns of a step.  newborns: mean
 * number per particle in a mobility step, at most (wn_model_newborns).  p->remote is the
 * store on the GPU; it is created when first needed and stays when p is emptied.
 * WN_ENOMEM when they do not fit, with the free memory.  No particles: nothing is
 * done. */
int wn_gpu_hold(struct wn_gpu *g, struct wn_particles *p, double newborns);

/* Remove dead particles, as wn_particles_compact does, by a chosen method: for tests and
 * bench/.  p is held on a GPU.
 *   auto      as the program does
 *   holes     the last living particles move into the holes of the dead; WN_ENOMEM where
 *             there is no room for the lists
 *   in order  the living particles move up, and keep their order */
enum wn_gpu_compaction {
  WN_GPU_COMPACT_AUTO,
  WN_GPU_COMPACT_HOLES,
  WN_GPU_COMPACT_IN_ORDER
};
int wn_gpu_compact(struct wn_particles *p, enum wn_gpu_compaction way);

/* Start of a case: the first n primaries of model mcc (physics/primary.h), created on the
 * GPU in an empty store.  WN_ENOMEM as wn_gpu_hold; WN_EFULL: more than p->limit. */
struct wn_primaries;
int wn_gpu_primaries(struct wn_gpu *g, struct wn_particles *p,
                     const struct wn_primaries *what, size_t n);

/* Start of a case: the first n particles of a species of model plasma (physics/loading.h),
 * as wn_gpu_primaries; in batches those of the store of the host. */
struct wn_loading;
int wn_gpu_load(struct wn_gpu *g, struct wn_particles *p, const struct wn_loading *what,
                size_t n);

/* From here on the particles of p, empty and on the host, are in batches: the host keeps them, and
 * g advances them a segment at a time (particles/particles.h).  bytes: of a segment, for the
 * first species that asks; 0: default.  WN_ENOMEM. */
int wn_gpu_in_batches(struct wn_gpu *g, struct wn_particles *p, size_t bytes);

/* Bytes that they take there: of buffers, and one for a segment in the order of tiles. */
size_t wn_gpu_batches_bytes(int orders);

/* Append n records of the host to those on the device.  WN_EFULL as wn_particles_append;
 * WN_ECUDA, WN_ENOMEM. */
int wn_gpu_append(struct wn_gpu *g, struct wn_particles *p, const void *e, size_t n);

/* Sums over n species on g, each of the kind of its records, points or electrons
 * (physics/sample.h), added to sums [n]: as wn_particles_sample of each, with one
 * wait. */
int wn_gpu_sample_moving(struct wn_gpu *g, size_t n,
                         const struct wn_particles *const *particles,
                         const struct wn_sample *what, wn_i128 (*sums)[WN_POINT_SUMS]);

/* Copies of the ions or electrons in a grid that a side has taken, with side and place
 * (physics/mcc_grid.h), in any order.  They are still in the store.  Valid until the next
 * call for this GPU.  For a store advanced by a scheduler for few collisions.  Waits. */
int wn_gpu_ended(struct wn_gpu *g, const struct wn_particles *p,
                 const struct wn_electron **out, size_t *n);

/* Ions that electrons in a grid leave behind (src/sim/ion_products.c), on the device:
 * points of so many bytes or, with the data of their model, ions that collide.  Sources
 * are the waiting newborns, from `first` on, and the attached electrons, dead in the
 * store.  At the end of a step the ions join their species. sigma [m/s] along each axis.
 * WN_EFULL of join as wn_particles_append; WN_ECUDA, WN_ENOMEM. */
struct wn_gpu_products;
struct wn_mcc_grid;
struct wn_ion;
int wn_gpu_products_create(struct wn_gpu *g, size_t bytes, const struct wn_ion *ion,
                           struct wn_gpu_products **out);
void wn_gpu_products_free(struct wn_gpu_products *q);
void wn_gpu_products_reset(struct wn_gpu_products *q);
int wn_gpu_products_born(struct wn_gpu_products *q, const struct wn_mcc_grid *grid,
                         uint64_t seed, double sigma,
                         const struct wn_particles *electrons, size_t first);
int wn_gpu_products_attached(struct wn_gpu_products *q, const struct wn_mcc_grid *grid,
                             uint64_t seed, double sigma,
                             const struct wn_particles *electrons);
int wn_gpu_products_join(struct wn_gpu_products *q, struct wn_particles *to);

/* Crossings of detectors by electrons that g advances (physics/crossing.h): the detectors of `of` on the device, and a list there with
 * room for so many at first; 0: default.  A launch that has more is repeated, from a copy of the electrons as they were, with room for all:
 * crossings and electrons have the bits of the CPU.  free: NULL is nothing.  WN_ENOMEM, WN_ECUDA. */
struct wn_crossings;
struct wn_gpu_crossings;
int wn_gpu_crossings_create(struct wn_gpu *g, const struct wn_crossings *of, size_t room,
                            struct wn_gpu_crossings **out);
void wn_gpu_crossings_free(struct wn_gpu_crossings *q);

/* Photons of the waiting newborns of p, from `first` on, as physics/photon_pairs.h has them, flown on the device with the bits of the CPU.
 * make: with this factor of wanted weights; adds to *sums; *out [*n]: the pairs that they leave, in any order, on the host, which the caller may sort, valid until the next call
 * for this GPU.  Waits.  free: NULL is nothing.  WN_ENOMEM, WN_ECUDA. */
struct wn_photon_source;
struct wn_photon_pair;
struct wn_photon_sums;
struct wn_gpu_photon_pairs;
int wn_gpu_photon_pairs_create(struct wn_gpu *g, const struct wn_photon_source *is,
                               struct wn_gpu_photon_pairs **out);
void wn_gpu_photon_pairs_free(struct wn_gpu_photon_pairs *q);
int wn_gpu_photon_pairs_make(struct wn_gpu_photon_pairs *q,
                             const struct wn_particles *electrons, size_t first,
                             double factor, struct wn_photon_sums *sums,
                             struct wn_photon_pair **out, size_t *n);

/* Put electrons or ions in a grid (struct wn_electron) into the order of its tiles, cubes
 * of some cells along each axis.  Neighbours in the store are then neighbours in the
 * grid.  Within a tile the order is kept.  Takes 68 bytes per particle of free memory,
 * and keeps them; *done = 0: there was too little, and nothing has moved.  None may be
 * dead.  WN_ECUDA. */
struct wn_grid_view;
int wn_gpu_sort(struct wn_gpu *g, const struct wn_grid_view *grid, struct wn_particles *p,
                int *done);

/* The greatest weight of a macroparticle in each cell of a grid, on the device (physics/weight_limit.h): by_place [cells]
 * of the host is copied, and the lists of `is`.
 *   field  the component of E along an axis at all nodes, of the device or the host; in the order of the axes, in
 *          each pass; not where is->n is 0
 *   make   the limits; *least: of all cells.  Waits.
 *   cells  [cells] on the device, for wn_gpu_merge
 * WN_ENOMEM, WN_ECUDA. */
struct wn_gpu_weight_limits;
struct wn_weight_rule;
int wn_gpu_weight_limits_create(struct wn_gpu *g, const struct wn_weight_rule *is,
                                const float *by_place, struct wn_gpu_weight_limits **out);
void wn_gpu_weight_limits_free(struct wn_gpu_weight_limits *l);
int wn_gpu_weight_limits_field(struct wn_gpu_weight_limits *l, int axis,
                               const double *component, int is_on_host);
int wn_gpu_weight_limits_make(struct wn_gpu_weight_limits *l, float *least);
const float *wn_gpu_weight_limits_cells(const struct wn_gpu_weight_limits *l);

/* Merging and splitting of the macroparticles of a species (src/sim/merging.c, physics/merging_cell.h) on the
 * device: lists of them by `cells` cells of its grid, and scratch memory.  is: its energy classes are copied, and
 * those of later calls must be the same.
 * merge: a pass over p, with the bits of the CPU.  limits: [cells] on the device, or NULL: is->heaviest of all; with
 * them, adds to *heavy how many macroparticles were above theirs.  Adds to *sums; those that ended are dead in the store, and halves
 * are appended.  WN_EFULL as wn_particles_append, when some may be merged; WN_ERUN, WN_ENOMEM, WN_ECUDA.  Waits. */
struct wn_gpu_merging;
struct wn_merging_rule;
struct wn_merging_copying;
struct wn_merging_sums;
int wn_gpu_merging_create(struct wn_gpu *g, size_t cells,
                          const struct wn_merging_rule *is, struct wn_gpu_merging **out);
void wn_gpu_merging_free(struct wn_gpu_merging *m);
int wn_gpu_merge(struct wn_gpu_merging *m, const struct wn_merging_rule *is,
                 const struct wn_merging_copying *copying, const float *limits,
                 struct wn_particles *p, struct wn_merging_sums *sums, uint64_t *heavy);

/* What conditions of adaptive steps need of the living particles of p (physics/step_counts.h), with the bits of the
 * CPU.  p: on the GPU.  *out: of these alone.  WN_ECUDA, WN_ENOMEM.  Waits. */
struct wn_step_look;
struct wn_step_counts;
int wn_gpu_step_counts(struct wn_gpu *g, const struct wn_particles *p,
                       const struct wn_step_look *what, struct wn_step_counts *out);

/* The electrons of a plasma at the end of a step, as test electrons look at them (physics/test_electron.h): lineages and marks.
 * thresholds: those of `is`, on the device.  sums [n_groups][1 + n_thresholds] are added to.  *out [*n]: copies of those
 * that start test electrons, as before they were marked, in any order; the caller may sort them.  Valid until the
 * next call for this GPU.  p: on the GPU.  WN_ECUDA, WN_ENOMEM.  Waits. */
struct wn_test_rule;
int wn_gpu_test_electrons(struct wn_gpu *g, struct wn_particles *p,
                          const struct wn_test_rule *is, const double *thresholds,
                          wn_i128 *sums, struct wn_electron **out, size_t *n);

/* Particles of p in an electrode or dielectric (physics/electrode_view.h): they are then dead in the store.  m: of their motion,
 * and the grid; there: with the shapes and the table on the device.  *out [*n]: in any order, without those that were dead
 * before; the caller may sort them.  Valid until the next call for this GPU.  p: on the GPU.  WN_ECUDA, WN_ENOMEM.  Waits. */
struct wn_electrode_view;
struct wn_electrode_hit;
int wn_gpu_in_electrodes(struct wn_gpu *g, struct wn_particles *p,
                         const struct wn_points *m, const struct wn_electrode_view *there,
                         struct wn_electrode_hit **out, size_t *n);

/* A copy of the tables of a medium of photons (physics/photons/flight.h).  *there: the medium with pointers of the device, valid until
 * free.  WN_ENOMEM, WN_ECUDA. */
struct wn_photon_medium;
struct wn_gpu_photon_tables;
int wn_gpu_photon_tables_create(struct wn_gpu *g, const struct wn_photon_medium *m,
                                struct wn_photon_medium *there,
                                struct wn_gpu_photon_tables **out);
void wn_gpu_photon_tables_free(struct wn_gpu_photon_tables *t);

/* Bremsstrahlung of the electrons of p at the end of a step (physics/photons/radiating_path.h), with the bits of the CPU; its tables
 * are copied.
 * emit: each electron over the path of `interval` [s]; photons belong to `time` [s].  soft [n_groups], eV weighted in
 * WN_FIX_ENERGY, is added to: what was lost below the cut.  *out [*n]: the photons in any order, on the host, valid until the next call for this GPU; the
 * caller may sort them.  p: on the GPU.  WN_ENOMEM, WN_ECUDA.  Waits. */
struct wn_radiation_tables;
struct wn_photon;
struct wn_gpu_radiation;
int wn_gpu_radiation_create(struct wn_gpu *g, const struct wn_radiation_tables *is,
                            struct wn_gpu_radiation **out);
void wn_gpu_radiation_free(struct wn_gpu_radiation *q);
int wn_gpu_radiate(struct wn_gpu_radiation *q, struct wn_particles *p, double time,
                   double interval, uint32_t step, size_t n_groups, wn_i128 *soft,
                   const struct wn_photon **out, size_t *n);

/* What a run needs, for wn_gpu_forecast. */
struct wn_gpu_need {
  size_t electrons;      /* most electrons at a time, with those that died in the step */
  size_t record_bytes;   /* of one */
  int ordered;           /* scheduler `tiles`: a second buffer for the records */
  int listed;            /* particles with few collisions: lists of collisions, deaths */
  int deferred;          /* runaway electrons: lists of deferred rare collisions */
  int radiates;          /* a list of photons */
  int noted;             /* crossings of detectors: a list, and a copy of the electrons */
  double newborns;       /* as for wn_gpu_hold */
  int multiprocessors;   /* 0: those of an H200 */
  size_t table_bytes;    /* tables of the model */
  size_t field_bytes;    /* of `electrostatic`: wn_electrostatic_gpu_bytes; else 0 */
  size_t first_passages; /* lineages times thresholds; 0 when not wanted */
  struct wn_tally_shape shape;
};

/* Bytes on the device.  From 10^7 electrons on, the use of a run (wn_gpu_used) agrees to
 * 5 %, also where the store has grown in between.  Less is used where `ordered` is set
 * but no reordering happens, or one species after the other is reordered (wn_gpu_sort).
 * Excludes CUDA's own memory, about half a GiB. */
size_t wn_gpu_forecast(const struct wn_gpu_need *need);

WN_END_DECLS

#endif
