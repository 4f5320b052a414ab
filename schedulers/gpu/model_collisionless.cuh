/* schedulers/gpu/model_collisionless.cuh - model `collisionless` on a GPU: device
 * functions shared by the kernels that move such particles, and their counters.  The
 * records have no t_left and there are no newborns, so these kernels need none of the
 * host side of other models (gpu_scheduler.cuh). */
#ifndef WN_SCHEDULERS_GPU_MODEL_COLLISIONLESS_CUH
#define WN_SCHEDULERS_GPU_MODEL_COLLISIONLESS_CUH
#include "device/batches.cuh"
#include "device/tiles.cuh"
#include "schedulers/model.h"

/* Sums of a step on the device; cells as in physics/tally.h. */
struct wn_gpu_points_sums {
  struct wn_tally_surface surface[WN_SIDES];
  unsigned long long deaths, misfits, strays, reserved;
};

/* The particles of a step. */
struct wn_gpu_points_batch {
  void *records;
  unsigned long long n;
  unsigned int steps;
  struct wn_gpu_points_sums *sums;
};

/* The velocity update of a particle; simple: non-relativistic, without magnetic field. */
template <int dim, int n_v, bool simple>
static __device__ __forceinline__ void wn_gpu_point_kick(const struct wn_points &m,
                                                         const float e[3], float u[3])
{
  if (simple || m.rotation == WN_ROTATION_NONE)
    wn_point_kick(&m, dim, n_v, 0, WN_ROTATION_NONE, e, u);
  else if (!m.relativistic)
    wn_point_kick(&m, dim, n_v, 0, WN_ROTATION_BORIS, e, u);
  else if (m.rotation == WN_ROTATION_BORIS)
    wn_point_kick(&m, dim, n_v, 1, WN_ROTATION_BORIS, e, u);
  else
    wn_point_kick(&m, dim, n_v, 1, WN_ROTATION_HIGUERA_CARY, e, u);
}

template <int dim, int n_v, bool simple>
static __device__ __forceinline__ int wn_gpu_point_drift(const struct wn_points &m,
                                                         int32_t x[3], float u[3])
{
  return !simple && m.relativistic ? wn_point_drift(&m, dim, n_v, 1, x, u)
                                   : wn_point_drift(&m, dim, n_v, 0, x, u);
}

/* `steps` mobility steps; gather(cell, part, e): E at a place.  Returns -1, or the side that the
 * particle has been taken by. */
template <int kind, bool simple, class Gather>
static __device__ __forceinline__ int wn_gpu_point_fly(const struct wn_points &m,
                                                       unsigned int steps, int32_t x[3],
                                                       float u[3], Gather gather)
{
  constexpr int dim = wn_gpu_point_kind<kind>::dim, n_v = wn_gpu_point_kind<kind>::n_v;
  int side = -1;
  for (unsigned int step = 0; step < steps; step++) {
    int32_t cell[3];
    uint32_t part[3];
    float e[3];
    side = wn_gpu_point_drift<dim, n_v, simple>(m, x, u);
    if (side >= 0)
      break;
    wn_point_place(&m, dim, x, cell, part);
    gather(cell, part, e);
    wn_gpu_point_kick<dim, n_v, simple>(m, e, u);
    side = wn_gpu_point_drift<dim, n_v, simple>(m, x, u);
    if (side >= 0)
      break;
  }
  return side;
}

/* A particle has been absorbed by a side; rare. */
template <int n_v>
static __device__ __noinline__ void
wn_gpu_point_ended(const struct wn_points *m, struct wn_gpu_points_sums *sums, float ux,
                   float uy, float uz, float w, int side)
{
  struct wn_tally tally = {};
  const float u[3] = {ux, uy, uz};
  tally.surface = sums->surface;
  wn_point_ended(m, n_v, u, w, side, &tally);
  atomicAdd(&sums->deaths, 1ull);
}

/* Can the sides of this grid absorb particles? */
static inline int wn_gpu_points_can_end(const struct wn_points *m)
{
  int can = 0;
  for (int side = 0; side < 2 * m->grid.dim; side++)
    can |= m->grid.side[side] == WN_SIDE_ABSORB || m->grid.side[side] == WN_SIDE_OPEN;
  return can;
}

/* Is the motion of the simplest kind, for which separate kernels are compiled? */
static inline bool wn_gpu_points_are_simple(const struct wn_points *m)
{
  return !m->relativistic && m->rotation == WN_ROTATION_NONE;
}

/* Call f(kind, shape, gather), each a wn_gpu_int. */
template <class F> static int wn_gpu_for_points(const struct wn_points *m, F f)
{
  return wn_gpu_for_kind(m->kind, [&](auto kind) {
    wn_gpu_int<WN_GATHER_MOMENTUM> nodes;
    wn_gpu_int<WN_GATHER_ENERGY> between;
    wn_gpu_int<WN_SHAPE_CIC> cic;
    wn_gpu_int<WN_SHAPE_TSC> tsc;
    const bool energy = m->grid.gather == WN_GATHER_ENERGY;
    if constexpr (wn_gpu_point_kind<decltype(kind)::is>::dim >
                  1) /* linear shapes alone */
      if (m->grid.gather == WN_GATHER_NESTED)
        return f(kind, cic, wn_gpu_int<WN_GATHER_NESTED>());
    switch (m->grid.shape) {
    case WN_SHAPE_NGP:
      return f(kind, wn_gpu_int<WN_SHAPE_NGP>(), nodes);
    case WN_SHAPE_CIC:
      return energy ? f(kind, cic, between) : f(kind, cic, nodes);
    default:
      return energy ? f(kind, tsc, between) : f(kind, tsc, nodes);
    }
  });
}

/* Set the sums to zero; copy them to the host (synchronises); add them to the tally.
 * misfits: a weight is no number of quanta, WN_ERUN. */
int wn_gpu_points_begin(struct wn_gpu *g, struct wn_gpu_points_sums **sums);
int wn_gpu_points_end(struct wn_gpu *g, struct wn_gpu_points_sums *out);
void wn_gpu_points_collect(const struct wn_gpu_points_sums *sums, struct wn_tally *tally);

/* A step of particles in batches, in any order: launch(batch) advances the records of a segment in its
 * buffer.  The sums are those of all segments. */
template <class Launch>
static int wn_gpu_points_visit(struct wn_gpu *g, const struct wn_model *model,
                               struct wn_particles *p, struct wn_tally *tally,
                               unsigned long long *deaths, Launch launch)
{
  struct wn_gpu_points_sums sums = {};
  struct wn_gpu_points_batch batch = {};
  *deaths = 0;
  WN_TRY(wn_gpu_use(g));
  WN_TRY(wn_gpu_points_begin(g, &batch.sums));
  batch.steps = model->steps;
  WN_TRY(wn_gpu_batches_visit(g, p, 0, WN_BATCH_READS | WN_BATCH_WRITES,
                              [&](void *records, size_t, size_t n) {
                                batch.records = records;
                                batch.n = n;
                                return launch(batch);
                              }));
  WN_TRY(wn_gpu_points_end(g, &sums));
  wn_gpu_points_collect(&sums, tally);
  *deaths = sums.deaths;
  return WN_OK;
}

/* A step of such particles in any order, of a model whose data begins with its points: launch(batch)
 * starts the kernel.  move_by: the caller keeps the order of the store, and its number of dead. */
template <class Launch>
static int wn_gpu_points_move_by(struct wn_gpu *g, const struct wn_model *model,
                                 struct wn_particles *p, struct wn_tally *tally,
                                 unsigned long long *deaths, Launch launch)
{
  struct wn_gpu_store *t = wn_gpu_store_of(g, p);
  struct wn_gpu_points_sums sums = {};
  struct wn_gpu_points_batch batch = {};
  *deaths = 0;
  if (p->n == 0)
    return WN_OK;
  if (wn_gpu_is_in_batches(g, p))
    return wn_gpu_points_visit(g, model, p, tally, deaths, launch);
  if (t == NULL || p->place == WN_PARTICLES_HOST)
    return WN_FAIL(WN_EINTERN, "the points are not on the GPU");
  WN_TRY(wn_gpu_use(g));
  WN_TRY(wn_gpu_points_begin(g, &batch.sums));
  t->ten.is_known = 0;
  batch.records = wn_gpu_records(t);
  batch.n = p->n;
  batch.steps = model->steps;
  WN_TRY(launch(batch));
  p->place = WN_PARTICLES_REMOTE;
  if (!wn_gpu_points_can_end((const struct wn_points *)model->data))
    return WN_OK; /* errors of the kernel are reported by the next synchronisation */
  WN_TRY(wn_gpu_points_end(g, &sums));
  WN_TRY(wn_gpu_store_settle(t));
  wn_gpu_points_collect(&sums, tally);
  *deaths = sums.deaths;
  return WN_OK;
}

template <class Launch>
static int wn_gpu_points_advance_by(struct wn_gpu *g, const struct wn_model *model,
                                    struct wn_particles *p, struct wn_tally *tally,
                                    Launch launch)
{
  struct wn_gpu_store *t = wn_gpu_store_of(g, p);
  unsigned long long deaths;
  if (t != NULL)
    wn_gpu_store_forget(t);
  WN_TRY(wn_gpu_points_move_by(g, model, p, tally, &deaths, launch));
  tally->n_candidates += p->n * model->steps;
  if (t != NULL)
    t->dead += deaths;
  return WN_OK;
}

/* Store and step of such particles in any order, with `block` threads in a block, for all
 * schedulers except `tiles`. */
int wn_gpu_points_hold(struct wn_gpu *g, const struct wn_model *model,
                       struct wn_particles *p);
int wn_gpu_points_advance(struct wn_gpu *g, unsigned int block,
                          const struct wn_model *model, struct wn_particles *p,
                          struct wn_tally *tally);
/* The same where the order of the store stays valid; deaths: particles that it now has no longer. */
int wn_gpu_points_move(struct wn_gpu *g, unsigned int block, const struct wn_model *model,
                       struct wn_particles *p, struct wn_tally *tally,
                       unsigned long long *deaths);

#endif
