/* schedulers/gpu/collision_free.cu - see collision_free.cuh. */
#include "schedulers/gpu/launch.cuh" /* before any other header of cuRAND */
#include "schedulers/gpu/collision_free.cuh"
#include <cuda_pipeline.h>
#include "device/charge_deposit.cuh"
#include "device/tiles.cuh"
#include "physics/ion.h"
#include "physics/mcc_quiet.h"
#include "schedulers/gpu/gather.cuh"
#include "schedulers/gpu/model_ops.cuh"
#include "schedulers/gpu/mcc_variants.cuh"

/* Threads of a block: with a window of the grid in shared memory that takes most of it one
 * block must fill a multiprocessor, else several do. */
#define BLOCK_LARGE 640 /* more would have too few registers: 96 */
#define BLOCK       256
/* Bytes of shared memory of a warp, beside the window: its next records. */
#define STAGE (32 * sizeof(struct wn_electron))
/* Windows up to so many bytes leave room for BLOCK threads and others beside them. */
#define SMALL_WINDOW ((size_t)24 << 10)
/* A window is worth its emptying from so many particles a node of all copies on. */
#define POINTS_OF_NODE 0.25
/* Particles are put in order anew when of the last phase this part was further from its
 * neighbours than a tile, but not before so many phases. */
#define ORDER_STRAYS 0.25
#define ORDER_WAIT   16

namespace
{

/* The grid in shared memory: 32 bits a node, all nodes that a particle reaches. */
struct window {
  int32_t nodes[3], step[3];
  int32_t n; /* 0: charge goes to the grid itself */
};

struct args {
  struct wn_gpu_launch l;
  struct window window;
  unsigned long long first, n;
  /* places of those that have a candidate, l.work->listed of them; and from the end back of
   * those that may meet somebody, l.work->meets, if they are not too many for that */
  unsigned int *list;
  unsigned long long n_list;
  unsigned long long *charge; /* quanta on the padded nodes; NULL: nobody wants it */
  unsigned long long *misfits;
  struct wn_gpu_dead_list dead_list;
};

/* ---- sums of a thread */

/* A contribution of 2^48 and more goes to the cell at once, and to another if there is one,
 * so that 2^14 others cannot overflow. */
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

/* Those of a warp, by its first lane; in the two parts of a cell (physics/tally.h). */
__device__ __forceinline__ void hand_on(const struct sum &s, wn_i128 *cell)
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

/* control: path[2] is what the control variate gets, too. */
__device__ __forceinline__ void add_flight(struct sums &s, struct wn_tally_group *g,
                                           bool control, const struct wn_flight_adds &a)
{
  for (int i = 0; i < 3; i++)
    add(s.path[i], &g->path[i], i == 2 && control ? &g->control : NULL, a.path[i],
        (float)WN_FIX_PHASE);
  add(s.time, &g->time, NULL, a.time, (float)WN_FIX_PHASE);
  add(s.gained, &g->gained, NULL, a.gained, (float)WN_FIX_ENERGY);
}

__device__ __forceinline__ void hand_on(const struct sums &s, struct wn_tally_group *g,
                                        bool control)
{
  for (int k = 0; k < 3; k++)
    hand_on(s.path[k], &g->path[k]);
  hand_on(s.time, &g->time);
  hand_on(s.gained, &g->gained);
  if (control)
    hand_on(s.path[2], &g->control);
}

/* ---- the two models: what a thread does with a record that feels its field */

/* What became of it: it flew, or had nothing before it; a side took it; it is for the list;
 * nobody was there. */
enum { FLEW, ENDED, LISTED, DEAD };

/* wait: newborns that do, each with its part of a step; others have the whole of it, of
 * which the compiler knows. */
template <bool wait> struct electrons {
  typedef struct wn_mcc Args;
  static constexpr bool is_ion = false, waits = wait;

  template <int dim>
  static __device__ __forceinline__ int step(const Args &m, struct wn_electron &e,
                                             struct sums &sums, struct wn_tally &t)
  {
    struct wn_mcc_reg r;
    struct wn_flight_adds adds;
    if (!wn_mcc_quiet_fly(&m, &e, &r))
      return LISTED;
    e.event++; /* the numbers of a flight are drawn, needed or not */
    wn_mcc_quiet_keep(&m, &r, &e, &adds);
    add_flight(sums, t.group, true, adds);
    const int side = wn_mcc_grid_land(&m.grid, dim, r.moved, 0, &e, &t);
    if (side >= 0)
      wn_mcc_grid_end(&e, side);
    return side >= 0 ? ENDED : FLEW;
  }
};

struct ions {
  typedef struct wn_ion Args;
  static constexpr bool is_ion = true, waits = false;

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
        wn_tally_sum_f(&g->path[i], adds.path[i], (float)WN_FIX_PHASE);
      wn_tally_sum_f(&g->time, adds.time, (float)WN_FIX_PHASE);
      wn_tally_sum_f(&g->gained, adds.gained, (float)WN_FIX_ENERGY);
    }
    if (dim == 0) {
      for (int i = 0; i < 3; i++)
        e.x[i] += (double)r.moved[i];
      return FLEW;
    }
    const int side = wn_mcc_grid_land(&m.grid, dim, r.moved, 0, &e, &t);
    if (side >= 0)
      wn_mcc_grid_end(&e, side);
    return side >= 0 ? ENDED : FLEW;
  }
};

template <int dim, int shape, int gather>
__device__ __forceinline__ void feel(const struct wn_mcc_grid &grid, float part,
                                     struct wn_electron &e)
{
  const struct wn_mcc_grid_middle m = wn_mcc_grid_middle(&grid, dim, part, &e);
  float field[3] = {0.0f, 0.0f, 0.0f};
  if (gather == WN_GATHER_MOMENTUM)
    wn_gpu_gather_grid<dim, shape>(grid.points.grid, m.cell, m.within, field);
  else
    wn_grid_gather(&grid.points.grid, dim, shape, gather, m.cell, m.within, field);
  wn_mcc_grid_keep(&grid, &m, dim, field, &e);
}

/* ---- charge */

/* To the window, or the grid; returns the quanta in the window. */
template <int dim, int shape>
__device__ __forceinline__ unsigned long long
leave(const struct wn_points &m, const struct args &a, const struct wn_electron &e,
      uint32_t *node)
{
  constexpr int n = shape + 1, below = shape == WN_SHAPE_TSC;
  constexpr int reach = n * (dim > 1 ? n : 1) * (dim > 2 ? n : 1);
  int32_t cell[3] = {0, 0, 0}, to = 0;
  uint32_t part[3] = {0, 0, 0};
  uint64_t q[WN_MAX_REACH];
  const uint64_t w = wn_gpu_charge_of(m, dim, e, a.misfits, cell, part);
  if (w == 0)
    return 0;
  if (a.window.n == 0 || w >> 32 != 0) {
    wn_gpu_charge_add(m.grid, dim, shape, cell, part, w, a.charge);
    return 0;
  }
#pragma unroll
  for (int d = 0; d < dim; d++)
    to += (below + wn_spline_first(shape, 0, cell[d], part[d])) *
          (d == 0 ? 1 : a.window.step[d]);
  wn_grid_divide(dim, shape, part, w, 0, q);
#pragma unroll
  for (int k = 0; k < reach; k++)
    atomicAdd(&node[to + k % n + (dim > 1 ? k / n % n * a.window.step[1] : 0) +
                    (dim > 2 ? k / (n * n) * a.window.step[2] : 0)],
              (uint32_t)q[k]);
  return w;
}

/* Sum over a block; the same in all threads. */
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

/* The charge of all that this block has flown again, by additions to the grid: its nodes have
 * overflowed.  Those of more than 32 bits of quanta are there already. */
template <class M>
__device__ __noinline__ void leave_again(const struct wn_points *m, const struct args *a)
{
  const struct wn_electron *e = (const struct wn_electron *)a->l.e;
  for (unsigned long long i =
           a->first + blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
       i < a->n; i += (unsigned long long)gridDim.x * blockDim.x)
    if (e[i].t_left == 0.0f && wn_quanta(e[i].w) >> 32 == 0)
      wn_gpu_charge_one(m, &e[i], a->charge, a->misfits);
}

/* The window to the padded nodes of the grid. */
template <int dim, int shape>
__device__ __forceinline__ void empty_window(const struct wn_grid_view &g,
                                             const struct args &a, const uint32_t *node)
{
  constexpr int below = shape == WN_SHAPE_TSC;
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

/* ---- records of a warp, all lanes together: 32 in a row, moved in the order of memory.  Lane
 * by lane each 16 bytes of a record would be asked for where no neighbour's are, and written as
 * a part of a sector. */

/* Where quarter q of record r of the warp lies, so that neither way two lanes meet in a
 * bank. */
__device__ __forceinline__ int stage_of(int r, int q)
{
  return 4 * r + (q ^ (r >> 1 & 3));
}

/* n of the 32 are there: they are on their way to the stage. */
__device__ __forceinline__ void ask(const struct wn_electron *from, int n, uint4 *stage)
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

/* They are there; the stage is free then. */
__device__ __forceinline__ struct wn_electron bring(const uint4 *stage)
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

/* Lanes 2 k and 2 k + 1, or k and k + 2, of four change a word: what `upper` has in a for what
 * the other has in b. */
__device__ __forceinline__ void change(uint4 &a, uint4 &b, int apart, bool upper)
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

/* The way back: four lanes turn their four records round, so that together they write one
 * after the other; in registers, as shared memory is what more warps would need. */
__device__ __forceinline__ void take(struct wn_electron *to, int n,
                                     const struct wn_electron &e)
{
  const __align__(16) struct wn_electron own = e;
  const uint4 *from = (const uint4 *)&own;
  const int lane = wn_gpu_lane();
  uint4 q[4] = {from[0], from[1], from[2], from[3]};
  change(q[0], q[1], 1, lane & 1);
  change(q[2], q[3], 1, lane & 1);
  change(q[0], q[2], 2, lane & 2);
  change(q[1], q[3], 2, lane & 2);
  uint4 *dst = (uint4 *)&to[lane / 4 * 4] + lane % 4;
#pragma unroll
  for (int k = 0; k < 4; k++)
    if (lane / 4 * 4 + k < n)
      __stcs(&dst[4 * k], q[k]);
}

/* ---- the pass */

/* Of one warp of so many, how many are not in the tile of its first, nor next to it. */
template <int dim>
__device__ __forceinline__ void
look_around(const struct wn_grid_view &g, unsigned long long base, bool there,
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
  const int n = __popc(__ballot_sync(0xffffffffu, far && there));
  if (wn_gpu_lane() == 0 && n > 0)
    atomicAdd(&work->strays, (unsigned int)n);
}

/* One thread = one particle after the other, those of a warp in a row.  Reads and writes 64
 * bytes; E out of the first-level cache, as neighbours in the store are neighbours in the grid
 * (wn_gpu_collision_free_sort); (shape + 1)^dim 32-bit additions in shared memory.  Limit: memory, of
 * which it has 80 per cent, and the latency of some 600 instructions a warp. */
template <class M, int dim, int shape, int gather>
__global__ void __launch_bounds__(BLOCK_LARGE, 1)
    collision_free_kernel(const __grid_constant__ typename M::Args m,
                          const __grid_constant__ struct args a)
{
  extern __shared__ uint4 wn_gpu_shared[]; /* stages of the warps, then the window */
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
  const auto there = [&](unsigned long long from) {
    return from >= a.n ? 0 : a.n - from < 32 ? (int)(a.n - from) : 32;
  };
  ask(&e[base], there(base), in);
  for (; base < a.n; base += stride) {
    const int lane = wn_gpu_lane(), n = there(base);
    struct wn_electron own = bring(in);
    ask(&e[base + stride], there(base + stride), in); /* while these are flown */
    int became = DEAD;
    look_around<dim>(m.grid.points.grid, base, lane < n, own, a.l.work);
    if (lane < n && !(own.t_left < 0.0f)) {
      const float part = M::waits ? own.a[0] : 1.0f;
      own.t_left = part;
      feel<dim, shape, gather>(m.grid, part, own);
      became = part > 0.0f ? M::template step<dim>(m, own, sums, t) : FLEW;
      if (became == LISTED)
        a.list[atomicAdd(&a.l.work->listed, 1ull)] =
            (unsigned int)base + (unsigned int)lane;
      if (became == ENDED) {
        own.t_left = WN_DEAD;
        t.n_deaths++;
        wn_gpu_list_dead(a.dead_list, base + (unsigned int)lane);
      }
    }
    take(&e[base], n, own);
    if (became == FLEW && a.charge != NULL)
      in_window += leave<dim, shape>(m.grid.points, a, own, node);
  }
  __syncwarp();
  hand_on(sums, t.group, !M::is_ion);
  wn_gpu_count(a.l, t);
  if (a.window.n == 0)
    return; /* the whole grid */
  unsigned long long in_nodes = 0;
  in_window = block_sum(in_window, &shared);
  for (int32_t k = (int32_t)threadIdx.x; k < a.window.n; k += (int32_t)blockDim.x)
    in_nodes += node[k];
  in_nodes = block_sum(in_nodes, &shared);
  if (in_nodes != in_window)
    leave_again<M>(&m.grid.points, &a);
  else
    empty_window<dim, shape>(m.grid.points.grid, a, node);
}

/* Ions in a uniform field: all their mobility steps. */
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
  hand_on(sums, t.group, false);
  wn_gpu_count(a.l, t);
}

/* For so many that meet somebody the list has room behind the others. */
__device__ __forceinline__ unsigned long long room_behind(const struct args &a)
{
  return a.n_list - wn_gpu_peek(&a.l.work->listed);
}

/* Those of the list, one a thread, where they lie.  Most of the candidates are null: who has no
 * others flies to the end of the step here, in a tenth of the code that collisions have.  The
 * others are as they were, and on the second list.  Reads and, of the former, writes 64 bytes an
 * electron.  m: with a watch_ev that nobody reaches (wn_mcc_null_fly).  Limit: latency. */
template <int dim, int shape>
__global__ void __launch_bounds__(WN_GPU_BLOCK, 5)
    nulls_kernel(const __grid_constant__ struct wn_mcc m, float watch_ev,
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
    if (!wn_mcc_null_fly(&m, watch_ev, &e, &r, &t)) {
      const unsigned long long behind = atomicAdd(&a.l.work->meets, 1ull);
      if (behind < room_behind(a))
        a.list[a.n_list - 1 - behind] = i;
      continue;
    }
    wn_mcc_quiet_keep(&m, &r, &e, &adds);
    add_flight(sums, t.group, true, adds);
    add(energy, &t.group->energy, NULL, e.w * r.energy_sum, (float)WN_FIX_ENERGY);
    add(candidates, &t.group->candidates, NULL, e.w * (float)r.n_candidates,
        (float)WN_FIX_WEIGHT);
    t.n_candidates += r.n_candidates;
    const int side = wn_mcc_grid_land(&m.grid, dim, r.moved, 0, &e, &t);
    if (side >= 0) {
      wn_mcc_grid_end(&e, side);
      e.t_left = WN_DEAD;
      t.n_deaths++;
      wn_gpu_list_dead(a.dead_list, i);
    }
    wn_gpu_put(at, e);
    if (side < 0 && a.charge != NULL) {
      int32_t cell[3] = {0, 0, 0};
      uint32_t part[3] = {0, 0, 0};
      const uint64_t w = wn_gpu_charge_of(m.grid.points, dim, e, a.misfits, cell, part);
      if (w != 0)
        wn_gpu_charge_add(m.grid.points.grid, dim, shape, cell, part, w, a.charge);
    }
  }
  __syncwarp();
  hand_on(sums, t.group, true);
  hand_on(energy, &t.group->energy);
  hand_on(candidates, &t.group->candidates);
  wn_gpu_count(a.l, t);
}

/* The rest, one a thread: few.  When the store is full nobody is begun. */
template <class M>
__global__ void __launch_bounds__(WN_GPU_BLOCK, 4)
    listed_kernel(const __grid_constant__ typename M::Args m,
                  const __grid_constant__ struct args a)
{
  const unsigned long long meets = wn_gpu_peek(&a.l.work->meets);
  const bool behind = meets <= room_behind(a);
  const unsigned long long n = behind ? meets : wn_gpu_peek(&a.l.work->listed);
  struct wn_tally t = wn_gpu_tally(a.l);
  for (unsigned long long k = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
       k < n && !wn_gpu_full(a.l); k += (unsigned long long)gridDim.x * blockDim.x) {
    const unsigned long long i = a.list[behind ? a.n_list - 1 - k : k];
    const struct wn_electron *e = wn_gpu_at<struct wn_electron>(a.l, i);
    if (!(e->t_left > 0.0f))
      continue; /* of the first list */
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

/* All nodes that are reached from a cell, or from the upper wall. */
struct window window_of(const struct wn_grid_view *g)
{
  struct window w = {};
  int64_t n = 1;
  for (int d = 0; d < g->dim; d++) {
    w.nodes[d] = g->cells[d] + (g->side[2 * d] != WN_SIDE_PERIODIC) + 1 +
                 (g->shape == WN_SHAPE_TSC ? 2 : 0);
    w.step[d] = (int32_t)n;
    n *= w.nodes[d];
    if (n > INT32_MAX / 4)
      return window();
  }
  w.n = (int32_t)n;
  return w;
}

/* Into *a a window, if it fits and pays; into the others what goes with it. */
int choose(struct wn_scheduler *s, const void *kernel, const struct wn_grid_view *g,
           struct args *a, unsigned int *blocks, unsigned int *threads, size_t *shared)
{
  const size_t n = (size_t)(a->n - a->first);
  int most = 0;
  a->window = a->charge != NULL ? window_of(g) : window();
  size_t bytes = (size_t)a->window.n * sizeof(uint32_t), beside = 8 * STAGE + 1024;
  if (bytes > 0) {
    WN_TRY(
        wn_gpu_check((int)cudaDeviceGetAttribute(
                         &most, cudaDevAttrMaxSharedMemoryPerBlockOptin, s->gpu->index),
                     "shared memory"));
    const double copies =
        bytes <= SMALL_WINDOW ? (double)n / BLOCK : (double)s->gpu->multiprocessors;
    if (bytes + beside > (size_t)most ||
        (double)n < POINTS_OF_NODE * (double)a->window.n * fmin(copies, (double)n))
      a->window = window();
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
int fly(struct wn_scheduler *s, const typename M::Args &m, struct args *a)
{
  const struct wn_grid_view *g = &m.grid.points.grid;
  return wn_gpu_for_grid(g, [&](auto dim, auto shape, auto gather) {
    void (*const kernel)(const typename M::Args, const struct args) =
        collision_free_kernel<M, decltype(dim)::is, decltype(shape)::is,
                              decltype(gather)::is>;
    unsigned int blocks, threads;
    size_t shared;
    WN_TRY(choose(s, (const void *)kernel, g, a, &blocks, &threads, &shared));
    kernel<<<blocks, threads, shared, s->gpu->stream>>>(m, *a);
    return wn_gpu_check((int)cudaGetLastError(), "flights without collisions");
  });
}

template <class M>
int collide(struct wn_scheduler *s, const struct wn_mcc &m, const struct args *a)
{
  const size_t n = (size_t)(a->n - a->first);
  /* a thread for each that may be on the list when one of four is */
  const unsigned int blocks =
      wn_gpu_stride_blocks(s->gpu, n / 4 + 1) * (WN_GPU_STRIDE_BLOCK / WN_GPU_BLOCK);
  struct wn_mcc unwatched = m;
  unwatched.watch_ev = INFINITY;
  WN_TRY(wn_gpu_for_grid(&m.grid.points.grid, [&](auto dim, auto shape, auto) {
    nulls_kernel<decltype(dim)::is, decltype(shape)::is>
        <<<blocks, WN_GPU_BLOCK, 0, s->gpu->stream>>>(unwatched, m.watch_ev, *a);
    return WN_OK;
  }));
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "flights past null candidates"));
  listed_kernel<M><<<blocks, WN_GPU_BLOCK, 0, s->gpu->stream>>>(m, *a);
  return wn_gpu_check((int)cudaGetLastError(), "flights with collisions");
}

/* The list has room for all. */
int make_list(struct wn_scheduler *s, size_t n)
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

/* Does the field ask for the charge of the next step, and is it known so far? */
int make_charge(const struct wn_scheduler *s, struct wn_gpu_store *t,
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

int wn_gpu_is_collision_free(const struct wn_scheduler *s, const struct wn_model *model)
{
  const struct wn_gpu_model *own = model->ops->gpu;
  return own->is_collision_free != NULL &&
         own->is_collision_free(model, s->is_collision_free);
}

int wn_gpu_collision_free_sort(const struct wn_scheduler *s, const struct wn_model *model,
                               struct wn_particles *p)
{
  struct wn_gpu_store *t = wn_gpu_store_of(s->gpu, p);
  const struct wn_grid_view *g = model->ops->gpu->grid(model);
  int done;
  if (g == NULL || !wn_gpu_sort_pays(g, p->n) || t->dead > 0)
    return WN_OK;
  if (t->order_wait > 0) {
    t->order_wait--;
    return WN_OK;
  }
  if (t->strays < ORDER_STRAYS)
    return WN_OK;
  t->order_wait = ORDER_WAIT;
  t->strays = 0.0;
  return wn_gpu_sort(s->gpu, g, p, &done);
}

int wn_gpu_collision_free_ions(struct wn_scheduler *s, const struct wn_model *model,
                               const struct wn_gpu_launch *l, struct wn_gpu_store *t,
                               size_t n)
{
  const struct wn_ion &m = *(const struct wn_ion *)model->data;
  struct args a = {};
  WN_TRY(begin(s, l, t, n, &a));
  if (m.in_grid) {
    WN_TRY(make_charge(s, t, &m.grid.points, &a));
    return fly<ions>(s, m, &a);
  }
  free_kernel<ions>
      <<<wn_gpu_stride_blocks(s->gpu, n), WN_GPU_STRIDE_BLOCK, 0, s->gpu->stream>>>(m, a);
  return wn_gpu_check((int)cudaGetLastError(), "flights of ions");
}

int wn_gpu_collision_free_electrons(struct wn_scheduler *s, const struct wn_model *model,
                                    const struct wn_gpu_launch *l, struct wn_gpu_store *t,
                                    size_t n)
{
  const struct wn_mcc &m = *(const struct wn_mcc *)model->data;
  struct args a = {};
  WN_TRY(begin(s, l, t, n, &a));
  if (n > UINT32_MAX)
    return WN_FAIL(WN_EINTERN, "%zu electrons cannot be listed", n);
  WN_TRY(make_list(s, n));
  a.list = s->list;
  a.n_list = s->n_list;
  WN_TRY(make_charge(s, t, &m.grid.points, &a));
  WN_TRY(s->first > 0 ? fly<electrons<true>>(s, m, &a) : fly<electrons<false>>(s, m, &a));
  return wn_gpu_mcc_grid_swarm::fits(m) ? collide<wn_gpu_mcc_grid_swarm>(s, m, &a)
                                        : collide<wn_gpu_mcc_grid>(s, m, &a);
}
