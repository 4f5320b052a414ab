/* schedulers/gpu/collision_free_pass.cuh - kernels of the collision-free pass, and their launches:
 * collision_free.cuh. */
#ifndef WN_SCHEDULERS_GPU_COLLISION_FREE_PASS_CUH
#define WN_SCHEDULERS_GPU_COLLISION_FREE_PASS_CUH
#include "schedulers/gpu/launch.cuh"
#include "schedulers/gpu/collision_free.cuh"
#include <cuda_pipeline.h>
#include "device/charge_window.cuh"
#include "physics/ion.h"
#include "physics/mcc_collision_free.h"
#include "schedulers/gpu/gather.cuh"
#include "schedulers/gpu/model_ops.cuh"
#include "schedulers/gpu/mcc_variants.cuh"

/* Threads of a block.  If a window of the grid in shared memory takes most of it, one
 * block must fill a multiprocessor; otherwise several blocks do. */
#define BLOCK_LARGE 640 /* with more, each would have fewer than 96 registers */
#define BLOCK       256
/* Shared memory of a warp, beside the window: its next records, bytes. */
#define STAGE (32 * sizeof(struct wn_electron))
/* Largest window, in bytes, that leaves room for BLOCK threads and other blocks. */
#define SMALL_WINDOW ((size_t)24 << 10)
/* A window is used if there are at least so many particles per node of all copies of it;
 * below, the cost of adding it to the grid dominates. */
#define PARTICLES_PER_NODE 0.25
namespace
{

struct args {
  struct wn_gpu_launch l;
  struct wn_gpu_window
      window; /* the whole grid; none: charge is added to the grid in memory */
  unsigned long long first, n;
  /* numbers of the electrons with a candidate: l.work->listed of them, from the front.
   * From the end backwards those that may have a real collision: l.work->may_collide, if there
   * is room */
  unsigned int *list;
  unsigned long long n_list;
  unsigned long long *charge; /* quanta on the padded nodes; NULL: no deposit */
  unsigned long long *misfits;
  struct wn_gpu_dead_list dead_list;
};

/* ---- sums of a thread */

/* Sum of a thread.  A contribution of 2^48 or more is added directly to the cell, and to
 * `other` unless it is NULL, so that 2^14 further ones cannot overflow. */
struct sum {
  long long v;
};

__device__ __forceinline__ void add(struct sum &s, wn_i128 *cell, wn_i128 *other, float x,
                                    float scale)
{
  const float y = x * scale; /* exact: the scale is a power of two */
  if (WN_LIKELY(fabsf(y) < 0x1p48f)) {
    s.v += llrintf(y);
    return;
  }
  wn_tally_sum(cell, (double)x, (double)scale);
  if (other != NULL)
    wn_tally_sum(other, (double)x, (double)scale);
}

/* Add the sums of a warp to a cell, by its first lane, in the two halves of a cell
 * (physics/tally.h). */
__device__ __forceinline__ void add_warp_sum(const struct sum &s, wn_i128 *cell)
{
  unsigned long long low = wn_gpu_warp_sum((unsigned int)s.v),
                     high = wn_gpu_warp_sum((unsigned long long)(s.v >> 32));
  unsigned long long *part = (unsigned long long *)cell;
  if (wn_gpu_lane() != 0)
    return;
  if (low != 0)
    atomicAdd(&part[0], low);
  if (high != 0)
    atomicAdd(&part[1], high);
}

struct sums {
  struct sum path[3], time, gained;
};

/* control: path[2] is also added to the control variate. */
__device__ __forceinline__ void add_flight(struct sums &s, struct wn_tally_group *g,
                                           bool control, const struct wn_flight_adds &a)
{
  for (int i = 0; i < 3; i++)
    add(s.path[i], &g->path[i], i == 2 && control ? &g->control : NULL, a.path[i],
        (float)WN_FIX_STEP);
  add(s.time, &g->time, NULL, a.time, (float)WN_FIX_STEP);
  add(s.gained, &g->gained, NULL, a.gained, (float)WN_FIX_ENERGY);
}

__device__ __forceinline__ void add_warp_sum(const struct sums &s,
                                             struct wn_tally_group *g, bool control)
{
  for (int k = 0; k < 3; k++)
    add_warp_sum(s.path[k], &g->path[k]);
  add_warp_sum(s.time, &g->time);
  add_warp_sum(s.gained, &g->gained);
  if (control)
    add_warp_sum(s.path[2], &g->control);
}

/* ---- the two models: one particle whose acceleration is set */

/* Result for a particle: advanced (or no time left); absorbed by a side; put on the list;
 * no living particle. */
enum { ADVANCED, ABSORBED, LISTED, DEAD };

/* The particle to its new place, or to the side that takes it. */
template <int dim>
__device__ __forceinline__ int land(const struct wn_mcc_grid &grid, const float moved[3],
                                    struct wn_electron &e, struct wn_tally &t)
{
  const int side = wn_mcc_grid_land(&grid, dim, moved, 0, &e, &t);
  if (side >= 0)
    wn_mcc_grid_end(&e, side);
  return side >= 0 ? ABSORBED : ADVANCED;
}

/* is_newborn: newborns that were held back, each with its part of a step.  Other
 * electrons have the whole step, which the compiler exploits. */
template <bool is_newborn_> struct electrons {
  typedef struct wn_mcc Args;
  static constexpr bool is_ion = false, is_newborn = is_newborn_;

  template <int dim>
  static __device__ __forceinline__ int step(const Args &m, struct wn_electron &e,
                                             struct sums &sums, struct wn_tally &t)
  {
    struct wn_mcc_reg r;
    struct wn_flight_adds adds;
    if (!wn_mcc_collision_free_fly(&m, &e, &r))
      return LISTED;
    e.event++; /* a flight counts one event, whether or not its random numbers are used */
    wn_mcc_collision_free_keep(&m, &r, &e, &adds);
    add_flight(sums, t.group, true, adds);
    return land<dim>(m.grid, r.moved, e, t);
  }
};

struct ions {
  typedef struct wn_ion Args;
  static constexpr bool is_ion = true, is_newborn = false;

  template <int dim>
  static __device__ __forceinline__ int step(const Args &m, struct wn_electron &e,
                                             struct sums &sums, struct wn_tally &t)
  {
    struct wn_ion_reg r;
    struct wn_flight_adds adds;
    const int group =
        m.n_groups == 1 ? 0 : (int)wn_electron_group(e.tag, (uint32_t)m.n_groups);
    wn_ion_load(&m, &e, dim > 0 ? e.a : m.a, &r);
    wn_ion_step(&m, &r, e.id, &e.event, e.w, group, &t);
    wn_ion_keep(&m, &r, &e, &adds);
    wn_ion_count(&r, e.w, group, &t);
    if (m.n_groups == 1) {
      add_flight(sums, t.group, false, adds);
    } else {
      struct wn_tally_group *g = &t.group[group];
      for (int i = 0; i < 3; i++)
        wn_tally_sum_f(&g->path[i], adds.path[i], (float)WN_FIX_STEP);
      wn_tally_sum_f(&g->time, adds.time, (float)WN_FIX_STEP);
      wn_tally_sum_f(&g->gained, adds.gained, (float)WN_FIX_ENERGY);
    }
    if (dim == 0) {
      for (int i = 0; i < 3; i++)
        e.x[i] += (double)r.moved[i];
      return ADVANCED;
    }
    return land<dim>(m.grid, r.moved, e, t);
  }
};

/* ---- charge */

/* Deposit charge in the window or on the grid; returns the quanta added to the window. */
template <int dim, int shape>
__device__ __forceinline__ unsigned long long
deposit(const struct wn_points &m, const struct args &a, const struct wn_electron &e,
        uint32_t *node)
{
  int32_t cell[3] = {0, 0, 0};
  uint32_t part[3] = {0, 0, 0};
  const uint64_t w = wn_gpu_charge_of(m, dim, e, a.misfits, cell, part);
  if (w == 0)
    return 0;
  if (a.window.n == 0 || w >> 32 != 0) {
    wn_gpu_charge_add(m.grid, dim, shape, cell, part, w, a.charge);
    return 0;
  }
  wn_gpu_window_add<dim, shape>(a.window, node, cell, part, w);
  return w;
}

/* Sum over a block; all threads get the result. */
__device__ __forceinline__ unsigned long long block_sum(unsigned long long v,
                                                        unsigned long long *shared)
{
  __syncthreads();
  if (threadIdx.x == 0)
    *shared = 0;
  __syncthreads();
  v = wn_gpu_warp_sum(v);
  if (wn_gpu_lane() == 0)
    atomicAdd(shared, v);
  __syncthreads();
  return *shared;
}

/* Deposit the charge of all particles of this block again, directly on the grid, after an
 * overflow of a node of the window.  Particles with more than 32 bits of quanta are on
 * the grid already. */
template <class M>
__device__ __noinline__ void deposit_again(const struct wn_points *m,
                                           const struct args *a)
{
  const struct wn_electron *e = (const struct wn_electron *)a->l.e;
  for (unsigned long long i =
           a->first + blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
       i < a->n; i += (unsigned long long)gridDim.x * blockDim.x)
    if (e[i].t_left == 0.0f && wn_quanta(e[i].w) >> 32 == 0)
      wn_gpu_charge_one(m, &e[i], a->charge, a->misfits);
}

/* Add the window to the padded nodes of the grid.  Not by rows, as wn_gpu_window_nodes: a grid of one
 * dimension is one row, and one warp would do all. */
template <int dim, int shape>
__device__ __forceinline__ void add_window_to_grid(const struct wn_grid_view &g,
                                                   const struct args &a,
                                                   const uint32_t *node)
{
  constexpr int below = wn_gpu_window_below<shape>::is;
  const int32_t turn = (int32_t)((blockIdx.x * 7919ull) % (unsigned int)a.window.n);
  for (int32_t k = (int32_t)threadIdx.x; k < a.window.n; k += (int32_t)blockDim.x) {
    const int32_t i = k + turn < a.window.n ? k + turn : k + turn - a.window.n;
    const uint32_t q = node[i];
    if (q == 0)
      continue;
    int32_t rest = i, to = g.first;
#pragma unroll
    for (int d = dim - 1; d >= 0; d--) {
      const int32_t at = d > 0 ? rest / a.window.step[d] : rest;
      rest -= at * a.window.step[d];
      to += (at - below) * g.step[d];
    }
    atomicAdd(&a.charge[to], (unsigned long long)q);
  }
}

/* ---- records of a warp, transferred by all lanes together: 32 consecutive ones, in the
 * order of memory. If each lane read its own record, its 16-byte accesses would not be
 * coalesced, and writes would be parts of sectors. */

/* Place of quarter q of record r of the warp, free of bank conflicts for both access
 * patterns. */
__device__ __forceinline__ int stage_of(int r, int q)
{
  return 4 * r + (q ^ (r >> 1 & 3));
}

/* Start the asynchronous copy of n of the 32 records to shared memory. */
__device__ __forceinline__ void prefetch(const struct wn_electron *from, int n,
                                         uint4 *stage)
{
  const uint4 *src = (const uint4 *)from;
  const int lane = wn_gpu_lane();
#pragma unroll
  for (int k = 0; k < 4; k++)
    if (8 * k + lane / 4 < n)
      __pipeline_memcpy_async(&stage[stage_of(8 * k + lane / 4, lane % 4)],
                              &src[32 * k + lane], sizeof *src);
  __pipeline_commit();
}

/* Wait for the copy, and load the record of each lane; the buffer is free afterwards. */
__device__ __forceinline__ struct wn_electron load_staged(const uint4 *stage)
{
  __align__(16) struct wn_electron own;
  uint4 *to = (uint4 *)&own;
  __pipeline_wait_prior(0);
  __syncwarp();
#pragma unroll
  for (int q = 0; q < 4; q++)
    to[q] = stage[stage_of(wn_gpu_lane(), q)];
  __syncwarp();
  return own;
}

/* Exchange a word between lanes at distance `apart` (1 or 2) of four: word a of the lane
 * with `upper` set and word b of the other. */
__device__ __forceinline__ void swap_words(uint4 &a, uint4 &b, int apart, bool upper)
{
  constexpr unsigned int all = 0xffffffffu;
  const uint4 give = upper ? a : b;
  uint4 got;
  got.x = __shfl_xor_sync(all, give.x, apart);
  got.y = __shfl_xor_sync(all, give.y, apart);
  got.z = __shfl_xor_sync(all, give.z, apart);
  got.w = __shfl_xor_sync(all, give.w, apart);
  if (upper)
    a = got;
  else
    b = got;
}

/* Store the records: four lanes transpose their four records, so that together they write
 * consecutive memory.  In registers, since shared memory limits the number of warps. */
__device__ __forceinline__ void store_records(struct wn_electron *to, int n,
                                              const struct wn_electron &e)
{
  const __align__(16) struct wn_electron own = e;
  const uint4 *from = (const uint4 *)&own;
  const int lane = wn_gpu_lane();
  uint4 q[4] = {from[0], from[1], from[2], from[3]};
  swap_words(q[0], q[1], 1, lane & 1);
  swap_words(q[2], q[3], 1, lane & 1);
  swap_words(q[0], q[2], 2, lane & 2);
  swap_words(q[1], q[3], 2, lane & 2);
  uint4 *dst = (uint4 *)&to[lane / 4 * 4] + lane % 4;
#pragma unroll
  for (int k = 0; k < 4; k++)
    if (lane / 4 * 4 + k < n)
      __stcs(&dst[4 * k], q[k]);
}

/* ---- the pass */

/* For one warp in WN_GPU_STRAY_SAMPLE: count the particles that are neither in the tile
 * of the first one nor in an adjacent tile. */
template <int dim>
__device__ __forceinline__ void
count_strays(const struct wn_grid_view &g, unsigned long long base, bool is_present,
             const struct wn_electron &e, struct wn_gpu_work *work)
{
  if (((unsigned int)base / 32 & (WN_GPU_STRAY_SAMPLE - 1)) != 0)
    return;
  bool far = false;
#pragma unroll
  for (int d = 0; d < dim; d++) {
    const int32_t tile = e.at[d] >> (g.bits[d] + WN_GPU_SORT_BITS(dim));
    const int32_t first = __shfl_sync(0xffffffffu, tile, 0); /* all lanes, every axis */
    far |= abs(tile - first) > 1;
  }
  const int n = __popc(__ballot_sync(0xffffffffu, far && is_present));
  if (wn_gpu_lane() == 0 && n > 0)
    atomicAdd(&work->strays, (unsigned int)n);
}

/* Each thread handles one particle after the other; those of a warp are consecutive.
 * Reads and writes 64 bytes.  E comes from the first-level cache, since neighbours in the
 * store are neighbours in the grid (wn_gpu_collision_free_sort).  (shape + 1)^dim 32-bit
 * additions in shared memory.  Limit: memory, 80 per cent of its bandwidth, and the
 * latency of about 600 instructions per warp. */
template <class M, int dim, int shape, int gather>
__global__ void __launch_bounds__(BLOCK_LARGE, 1)
    collision_free_kernel(const __grid_constant__ typename M::Args m,
                          const __grid_constant__ struct args a)
{
  extern __shared__ uint4 wn_gpu_shared[]; /* buffers of the warps, then the window */
  __shared__ unsigned long long shared;
  uint4 *in = wn_gpu_shared + threadIdx.x / 32 * (STAGE / sizeof(uint4));
  uint32_t *node =
      (uint32_t *)(wn_gpu_shared + blockDim.x / 32 * (STAGE / sizeof(uint4)));
  struct wn_electron *e = (struct wn_electron *)a.l.e;
  struct wn_tally t = wn_gpu_tally(a.l);
  struct sums sums = {};
  unsigned long long in_window = 0;
  for (int32_t k = (int32_t)threadIdx.x; k < a.window.n; k += (int32_t)blockDim.x)
    node[k] = 0;
  __syncthreads();
  const unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;
  unsigned long long base =
      a.first + blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x / 32 * 32;
  const auto count = [&](unsigned long long from) {
    return from >= a.n ? 0 : a.n - from < 32 ? (int)(a.n - from) : 32;
  };
  prefetch(&e[base], count(base), in);
  for (; base < a.n; base += stride) {
    const int lane = wn_gpu_lane(), n = count(base);
    struct wn_electron own = load_staged(in);
    /* overlaps with the computation */
    prefetch(&e[base + stride], count(base + stride), in);
    int result = DEAD;
    count_strays<dim>(m.grid.points.grid, base, lane < n, own, a.l.work);
    if (lane < n && !(own.t_left < 0.0f)) {
      const float part = M::is_newborn ? own.a[0] : 1.0f;
      own.t_left = part;
      wn_gpu_gather_electron<dim, shape, gather>(m.grid, part, own);
      result = part > 0.0f ? M::template step<dim>(m, own, sums, t) : ADVANCED;
      if (result == LISTED)
        a.list[atomicAdd(&a.l.work->listed, 1ull)] =
            (unsigned int)base + (unsigned int)lane;
      if (result == ABSORBED) {
        own.t_left = WN_DEAD;
        t.n_deaths++;
        wn_gpu_list_dead(a.dead_list, base + (unsigned int)lane);
      }
    }
    store_records(&e[base], n, own);
    if (result == ADVANCED && a.charge != NULL)
      in_window += deposit<dim, shape>(m.grid.points, a, own, node);
  }
  __syncwarp();
  add_warp_sum(sums, t.group, !M::is_ion);
  wn_gpu_count(a.l, t);
  if (a.window.n == 0)
    return; /* the same for all blocks */
  in_window = block_sum(in_window, &shared);
  if (block_sum(wn_gpu_window_sum(a.window, node, (int32_t)blockDim.x), &shared) !=
      in_window)
    deposit_again<M>(&m.grid.points, &a);
  else
    add_window_to_grid<dim, shape>(m.grid.points.grid, a, node);
}

/* Ions in a uniform field: all mobility steps of the step. */
template <class M>
__global__ void free_kernel(const __grid_constant__ typename M::Args m,
                            const __grid_constant__ struct args a)
{
  struct wn_electron *e = (struct wn_electron *)a.l.e;
  struct wn_tally t = wn_gpu_tally(a.l);
  struct sums sums = {};
  for (unsigned long long i =
           a.first + blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
       i < a.n; i += (unsigned long long)gridDim.x * blockDim.x) {
    struct wn_electron own = wn_gpu_fetch(&e[i]);
    if (own.t_left < 0.0f)
      continue;
    for (own.t_left = a.l.steps; own.t_left > 0.0f;)
      M::template step<0>(m, own, sums, t);
    wn_gpu_put(&e[i], own);
  }
  __syncwarp();
  add_warp_sum(sums, t.group, false);
  wn_gpu_count(a.l, t);
}

/* Room on the list, behind the first entries, for electrons with real collisions. */
__device__ __forceinline__ unsigned long long room_on_list(const struct args &a)
{
  return a.n_list - wn_gpu_peek(&a.l.work->listed);
}

/* Electrons on the list, one per thread, in place.  Most candidates are null collisions.
 * An electron that has no other candidates is advanced to the end of the step here, in a
 * tenth of the code of real collisions.  The others are unchanged and put on the second
 * list.  Reads 64 bytes per electron, and writes 64 for those advanced.  Limit: latency. */
template <int dim, int shape>
__global__ void __launch_bounds__(WN_GPU_BLOCK, 5)
    nulls_kernel(const __grid_constant__ struct wn_mcc m,
                 const __grid_constant__ struct args a)
{
  const unsigned long long n = wn_gpu_peek(&a.l.work->listed);
  struct wn_tally t = wn_gpu_tally(a.l);
  struct sums sums = {};
  struct sum energy = {}, candidates = {};
  for (unsigned long long k = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
       k < n; k += (unsigned long long)gridDim.x * blockDim.x) {
    const unsigned int i = a.list[k];
    struct wn_electron *at = wn_gpu_at<struct wn_electron>(a.l, i);
    struct wn_electron e = wn_gpu_fetch(at);
    struct wn_mcc_reg r;
    struct wn_flight_adds adds;
    if (!wn_mcc_null_fly(&m, &e, &r, &t)) {
      const unsigned long long behind = atomicAdd(&a.l.work->may_collide, 1ull);
      if (behind < room_on_list(a))
        a.list[a.n_list - 1 - behind] = i;
      continue;
    }
    wn_mcc_collision_free_keep(&m, &r, &e, &adds);
    add_flight(sums, t.group, true, adds);
    add(energy, &t.group->energy, NULL, e.w * r.energy_sum, (float)WN_FIX_ENERGY);
    add(candidates, &t.group->candidates, NULL, e.w * (float)r.n_candidates,
        (float)WN_FIX_WEIGHT);
    t.n_candidates += r.n_candidates;
    const int result = land<dim>(m.grid, r.moved, e, t);
    if (result == ABSORBED) {
      e.t_left = WN_DEAD;
      t.n_deaths++;
      wn_gpu_list_dead(a.dead_list, i);
    }
    wn_gpu_put(at, e);
    if (result == ADVANCED && a.charge != NULL)
      wn_gpu_charge_put(m.grid.points, dim, shape, e, a.charge, a.misfits);
  }
  __syncwarp();
  add_warp_sum(sums, t.group, true);
  add_warp_sum(energy, &t.group->energy);
  add_warp_sum(candidates, &t.group->candidates);
  wn_gpu_count(a.l, t);
}

/* The remaining electrons, one per thread: few.  When the store is full no further one is
 * started. */
template <class M>
__global__ void __launch_bounds__(WN_GPU_BLOCK, 4)
    listed_kernel(const __grid_constant__ typename M::Args m,
                  const __grid_constant__ struct args a)
{
  const unsigned long long may_collide = wn_gpu_peek(&a.l.work->may_collide);
  const bool behind = may_collide <= room_on_list(a);
  const unsigned long long n = behind ? may_collide : wn_gpu_peek(&a.l.work->listed);
  struct wn_tally t = wn_gpu_tally(a.l);
  for (unsigned long long k = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
       k < n && !wn_gpu_full(a.l); k += (unsigned long long)gridDim.x * blockDim.x) {
    const unsigned long long i = a.list[behind ? a.n_list - 1 - k : k];
    const struct wn_electron *e = wn_gpu_at<struct wn_electron>(a.l, i);
    if (!(e->t_left > 0.0f))
      continue; /* it was finished by nulls_kernel */
    wn_gpu_simulate<M>(a.l, m, i, t);
    if (e->t_left < 0.0f)
      wn_gpu_list_dead(a.dead_list, i);
    else if (a.charge != NULL && e->t_left == 0.0f)
      wn_gpu_charge_one(&m.grid.points, e, a.charge, a.misfits);
  }
  __syncwarp();
  wn_gpu_count(a.l, t);
}

/* ---- launches */

/* Set the window in *a, if it fits and is faster, and the launch parameters for it. */
int choose_launch(struct wn_scheduler *s, const void *kernel,
                  const struct wn_grid_view *g, struct args *a, unsigned int *blocks,
                  unsigned int *threads, size_t *shared)
{
  const size_t n = (size_t)(a->n - a->first);
  int most = 0;
  size_t bytes = 0, beside = 8 * STAGE + 1024;
  a->window = {};
  if (a->charge != NULL)
    bytes = wn_gpu_window_of_grid(g, &a->window) * sizeof(uint32_t);
  if (bytes > 0) {
    WN_TRY(
        wn_gpu_check((int)cudaDeviceGetAttribute(
                         &most, cudaDevAttrMaxSharedMemoryPerBlockOptin, s->gpu->index),
                     "shared memory"));
    const double copies =
        bytes <= SMALL_WINDOW ? (double)n / BLOCK : (double)s->gpu->multiprocessors;
    if (bytes + beside > (size_t)most ||
        (double)n < PARTICLES_PER_NODE * (double)a->window.n * fmin(copies, (double)n))
      a->window = {};
    bytes = (size_t)a->window.n * sizeof(uint32_t);
  }
  *threads = BLOCK;
  if (bytes > SMALL_WINDOW) {
    const size_t warps = ((size_t)most - 1024 - bytes) / STAGE;
    *threads = warps < BLOCK_LARGE / 32 ? 32 * (unsigned int)warps : BLOCK_LARGE;
  }
  const struct wn_gpu_fit *fit;
  *shared = bytes + *threads / 32 * STAGE;
  WN_TRY(wn_gpu_fit_kernel(s, kernel, *threads, *shared, &fit));
  const size_t wanted = (n + *threads - 1) / *threads,
               resident = (size_t)fit->each * (size_t)s->gpu->multiprocessors;
  *blocks = (unsigned int)(wanted < resident ? wanted : resident);
  return WN_OK;
}

template <class M>
int launch_flights(struct wn_scheduler *s, const typename M::Args &m, struct args *a)
{
  const struct wn_grid_view *g = &m.grid.points.grid;
  return wn_gpu_for_grid(g, [&](auto dim, auto shape, auto gather) {
    void (*const kernel)(const typename M::Args, const struct args) =
        collision_free_kernel<M, decltype(dim)::is, decltype(shape)::is,
                              decltype(gather)::is>;
    unsigned int blocks, threads;
    size_t shared;
    WN_TRY(choose_launch(s, (const void *)kernel, g, a, &blocks, &threads, &shared));
    kernel<<<blocks, threads, shared, s->gpu->stream>>>(m, *a);
    return wn_gpu_check((int)cudaGetLastError(), "flights without collisions");
  });
}

template <class M>
int launch_collisions(struct wn_scheduler *s, const struct wn_mcc &m,
                      const struct args *a)
{
  const size_t n = (size_t)(a->n - a->first);
  /* one thread per listed electron if a quarter of them is listed */
  const unsigned int blocks =
      wn_gpu_stride_blocks(s->gpu, n / 4 + 1) * (WN_GPU_STRIDE_BLOCK / WN_GPU_BLOCK);
  WN_TRY(wn_gpu_for_grid(&m.grid.points.grid, [&](auto dim, auto shape, auto) {
    nulls_kernel<decltype(dim)::is, decltype(shape)::is>
        <<<blocks, WN_GPU_BLOCK, 0, s->gpu->stream>>>(m, *a);
    return WN_OK;
  }));
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "flights past null candidates"));
  listed_kernel<M><<<blocks, WN_GPU_BLOCK, 0, s->gpu->stream>>>(m, *a);
  return wn_gpu_check((int)cudaGetLastError(), "flights with collisions");
}

/* Make room on the list for all n electrons. */
int reserve_list(struct wn_scheduler *s, size_t n)
{
  if (n <= s->n_list)
    return WN_OK;
  wn_gpu_release(s->gpu, s->list, s->n_list * sizeof *s->list);
  s->list = NULL;
  s->n_list = 0;
  WN_TRY(wn_gpu_array(s->gpu, "list of electrons", wn_gpu_listed(n), &s->list));
  s->n_list = wn_gpu_listed(n);
  return WN_OK;
}

/* Prepare the deposit, if the field requests the charge of the next step and the charge
 * of the particles before s->first is known. */
int prepare_deposit(const struct wn_scheduler *s, struct wn_gpu_store *t,
                    const struct wn_points *m, struct args *a)
{
  if (t->wanted_dt != m->dt || (s->first > 0 && t->charge_dt != m->dt)) {
    t->charge_dt = 0.0;
    return WN_OK;
  }
  if (s->first == 0)
    WN_TRY(wn_gpu_charge_begin(t, m));
  a->charge = (unsigned long long *)t->charge;
  a->misfits = a->charge + (t->charge_nodes - 1);
  t->charge_dt = m->dt;
  return WN_OK;
}

int begin(const struct wn_scheduler *s, const struct wn_gpu_launch *l,
          struct wn_gpu_store *t, size_t n, struct args *a)
{
  a->l = *l;
  a->first = s->first;
  a->n = n;
  return wn_gpu_dead_list_begin(t, n, &a->dead_list);
}

} /* namespace */

/* ---- the passes */

static int wn_gpu_pass_ions(struct wn_scheduler *s, const struct wn_model *model,
                            const struct wn_gpu_launch *l, struct wn_gpu_store *t,
                            size_t n)
{
  const struct wn_ion &m = *(const struct wn_ion *)model->data;
  struct args a = {};
  WN_TRY(begin(s, l, t, n, &a));
  if (m.in_grid) {
    WN_TRY(prepare_deposit(s, t, &m.grid.points, &a));
    return launch_flights<ions>(s, m, &a);
  }
  free_kernel<ions>
      <<<wn_gpu_stride_blocks(s->gpu, n), WN_GPU_STRIDE_BLOCK, 0, s->gpu->stream>>>(m, a);
  return wn_gpu_check((int)cudaGetLastError(), "flights of ions");
}

static int wn_gpu_pass_electrons(struct wn_scheduler *s, const struct wn_model *model,
                                 const struct wn_gpu_launch *l, struct wn_gpu_store *t,
                                 size_t n)
{
  const struct wn_mcc &m = *(const struct wn_mcc *)model->data;
  struct args a = {};
  WN_TRY(begin(s, l, t, n, &a));
  if (n > UINT32_MAX)
    return WN_FAIL(WN_EINTERN, "%zu electrons cannot be listed", n);
  WN_TRY(reserve_list(s, n));
  a.list = s->list;
  a.n_list = s->n_list;
  WN_TRY(prepare_deposit(s, t, &m.grid.points, &a));
  WN_TRY(s->first > 0 ? launch_flights<electrons<true>>(s, m, &a)
                      : launch_flights<electrons<false>>(s, m, &a));
  return wn_gpu_mcc_grid_swarm::fits(m)
             ? launch_collisions<wn_gpu_mcc_grid_swarm>(s, m, &a)
             : launch_collisions<wn_gpu_mcc_grid>(s, m, &a);
}

#endif
