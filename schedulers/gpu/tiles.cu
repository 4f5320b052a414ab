/* schedulers/gpu/tiles.cu - scheduler `tiles`: particles of model `collisionless`, sorted
 * by tiles of cells (device/tiles.cuh).  A block advances some particles of one tile with
 * E of the tile in shared memory.  It deposits the charge that they have in the middle of
 * the next step there, too (device/charge_window.cuh), so that a step reads and writes each
 * particle once.  Of a field that takes no charge from the grid the particles are kept in
 * order alone. */
#include "schedulers/gpu/gather.cuh"
#include "schedulers/gpu/model_collisionless.cuh"
#include <cuda_pipeline.h>
#include <type_traits>
#include <stdlib.h>
#include "base/alloc.h"
#include "device/charge_window.cuh"
#include "schedulers/gpu/model_ops.cuh"

#define BLOCK    256
#define PREFETCH 4 /* particles per thread that are being copied from memory */
/* Blocks per multiprocessor: for records of 16 bytes, and of 32. */
#define RESIDENT       5
#define RESIDENT_LARGE 4
/* Particles are sorted again when one in STRAYS is a stray, or after MAX_STEPS steps,
 * unless the scenario sets a number of steps.  A stray makes the 31 other lanes of its
 * warp wait; a sort costs as much as a step. */
#define STRAYS         2000
#define MAX_STEPS      256
#define STRAY_INTERVAL 4 /* steps between reads of the number of strays */
/* Particles that came from other ranks are no part of the order, and cost as much as a few others; they
 * are sorted in when that has cost about as much, over the steps since, as a sort. */
#define BEHIND_COST  0.4  /* their number times the steps, for each ordered particle */
#define BEHIND_CHUNK 1024 /* of them for a block */

struct args {
  struct wn_gpu_points_batch batch;
  struct wn_gpu_tiling tiling;
  const struct wn_gpu_chunk *chunk;
  unsigned int n_behind;        /* so many blocks have the particles behind the order, */
  unsigned long long n_ordered; /* from n_ordered on */
  struct wn_gpu_leavers leavers;
  unsigned int *count;        /* particles of each tile after the step; NULL: not
                               * counted */
  unsigned long long *charge; /* quanta on the padded nodes */
  struct wn_gpu_window part;  /* of the grid, with its E and charge */
};

/* Variants of the code: any motion and sides; non-relativistic without magnetic field and
 * one mobility step; and this in a periodic domain.  With SLAB, of any motion or in a periodic domain: the grid
 * is divided, and particles come and leave. */
enum { ANY, SIMPLE, PERIODIC, SLAB = 4 };

/* ---- E of the part: vector loads of all components of a node */

/* Layout of E of a part in shared memory: a vector per node, as in the grid.  For three
 * components with the momentum-conserving gather: all pairs (x, y), then all z, since 16
 * bytes per node would cause more bank conflicts. */
template <int dim, int gather> struct part_e {
  typedef typename std::conditional<dim == 1, float, float2>::type type;
  static constexpr int floats = dim;
  static __device__ __forceinline__ void put(float *e, int32_t, int32_t k,
                                             const float *from)
  {
    ((type *)e)[k] = *(const type *)from;
  }
  static __device__ __forceinline__ void get(const float *e, int32_t, int32_t k,
                                             float of[dim])
  {
    const type v = ((const type *)e)[k];
#pragma unroll
    for (int c = 0; c < dim; c++)
      of[c] = ((const float *)&v)[c];
  }
};
template <> struct part_e<3, WN_GATHER_MOMENTUM> {
  static constexpr int floats = 3;
  static __device__ __forceinline__ void put(float *e, int32_t n, int32_t k,
                                             const float *from)
  {
    const float4 v = *(const float4 *)from;
    ((float2 *)e)[k] = make_float2(v.x, v.y);
    e[2 * n + k] = v.z;
  }
  static __device__ __forceinline__ void get(const float *e, int32_t n, int32_t k,
                                             float of[3])
  {
    const float2 v = ((const float2 *)e)[k];
    of[0] = v.x;
    of[1] = v.y;
    of[2] = e[2 * n + k];
  }
};
template <> struct part_e<3, WN_GATHER_ENERGY> {
  static constexpr int floats = 4;
  static __device__ __forceinline__ void put(float *e, int32_t, int32_t k,
                                             const float *from)
  {
    ((float4 *)e)[k] = *(const float4 *)from;
  }
};

template <int dim, int shape, int gather>
static __device__ __forceinline__ void
gather_near(const struct args &a, const float *e_of_part, const int32_t at[3],
            const uint32_t part[3], float e[3])
{
  if (gather == WN_GATHER_ENERGY) {
    struct wn_grid_view near = {};
    near.e = e_of_part;
#pragma unroll
    for (int d = 0; d < dim; d++) {
      near.step[d] = a.part.step[d];
      near.first += wn_gpu_window_below<shape>::is * a.part.step[d];
    }
    wn_grid_gather(&near, dim, shape, gather, at, part, e);
    return;
  }
  float f[3];
  const int32_t first = wn_gpu_window_first<dim, shape>(a.part, at, part);
#pragma unroll
  for (int d = 0; d < dim; d++)
    f[d] = wn_spline_part(shape, 0, part[d]);
  wn_gpu_gather_nodes<dim, shape>(
      [&](int i, int j, int k, float of[dim]) {
        part_e<dim, WN_GATHER_MOMENTUM>::get(e_of_part, a.part.n,
                                             first + i +
                                                 (dim > 1 ? j * a.part.step[1] : 0) +
                                                 (dim > 2 ? k * a.part.step[2] : 0),
                                             of);
      },
      f, e);
}

template <int dim, int shape, int gather>
static __device__ __forceinline__ void
gather_part(const struct wn_points &m, const struct args &a, const float *e_of_part,
            const int32_t low[3], const int32_t cell[3], const uint32_t part[3],
            float e[3])
{
  int32_t at[3];
  if (!wn_gpu_window_cell<dim>(m.grid, a.part, low, cell, at))
    wn_grid_gather(&m.grid, dim, shape, gather, cell, part, e);
  else
    gather_near<dim, shape, gather>(a, e_of_part, at, part, e);
}

/* ---- charge */

/* Place and amount of the charge of a particle: in the part, on the grid, or none
 * (outside the domain). */
enum where { NOWHERE, IN_PART, ON_GRID };

template <int kind, int way>
static __device__ __forceinline__ enum where
charge_of(const struct wn_points &m, const struct args &a, const int32_t low[3],
          const int32_t x[3], const float u[3], float w, int32_t cell[3], int32_t at[3],
          uint32_t part[3], uint64_t *quanta)
{
  constexpr int dim = wn_gpu_point_kind<kind>::dim, n_v = wn_gpu_point_kind<kind>::n_v;
  int64_t q = WN_QUANTA;
  const int side = wn_gpu_point_ahead<kind, way != ANY>(m, x, u, cell, part);
  if (wn_point_weighs(dim, n_v)) {
    q = wn_quanta(w);
    if (q == WN_QUANTA_MISFIT) {
      atomicAdd(&a.batch.sums->misfits, 1ull);
      return NOWHERE;
    }
  }
  *quanta = (uint64_t)q;
  if (side >= 0)
    return NOWHERE;
  const bool near = wn_gpu_window_cell<dim>(m.grid, a.part, low, cell, at);
  return near && (!wn_point_weighs(dim, n_v) || q < (int64_t)1 << 32) ? IN_PART : ON_GRID;
}

/* ---- the step of one particle */

/* Particles that a block found in the tiles around its own, in shared memory: most that leave a tile go there, and
 * additions of all blocks to a few counters wait for each other.  A place for each two low bits of the
 * coordinates of a tile. */
struct near_tiles {
  uint32_t tile[64];
  unsigned int n[64];
};

template <int dim>
static __device__ __forceinline__ uint32_t place_near(const struct wn_gpu_tiling &t,
                                                      const int32_t cell[3])
{
  uint32_t place = 0;
#pragma unroll
  for (int d = 0; d < dim; d++)
    place |= ((uint32_t)(cell[d] >> t.bits[d]) & 3u) << 2 * d;
  return place;
}

/* Number i: the tile at -1 .. 2 along each axis from `tile` that has this place.  Where the grid ends, and
 * its tiles are no multiple of four, the number is another's, and counts at once. */
template <int dim>
static __device__ __forceinline__ void
begin_near(const struct wn_gpu_tiling &t, uint32_t tile, int i, struct near_tiles *near)
{
  int32_t cell[3] = {0, 0, 0};
  uint32_t rest = tile;
#pragma unroll
  for (int d = 0; d < dim; d++) {
    const int32_t n = t.tiles[d], at = (int32_t)(rest % (uint32_t)n),
                  beside = at + (((i >> 2 * d) - at + 1) & 3) - 1;
    rest /= (uint32_t)n;
    cell[d] = (beside < 0 ? beside + n : beside >= n ? beside - n : beside) << t.bits[d];
  }
  near->tile[i] = wn_gpu_tile_of<dim>(t, cell);
  near->n[i] = 0;
}

/* Counters of a thread. */
struct own {
  unsigned long long quanta;  /* deposited in the part */
  unsigned int stays, strays; /* particles in their tile; outside the part */
};

/* For the next order: the tile of a particle after the step. */
template <int dim>
static __device__ __forceinline__ void
count_next(const struct args &a, uint32_t tile, const int32_t cell[3],
           struct near_tiles *near, struct own &own)
{
  const uint32_t next = wn_gpu_tile_of<dim>(a.tiling, cell);
  if (next == tile) {
    own.stays++;
    return;
  }
  const uint32_t place = place_near<dim>(a.tiling, cell);
  if (near->tile[place] == next)
    atomicAdd(&near->n[place], 1u);
  else
    atomicAdd(&a.count[next], 1u);
}

/* wn_point_cross for a periodic axis: of x, x - end and x + end the one in [0, end), for
 * x from -end to 2 end. */
static __device__ __forceinline__ int32_t wrap(int32_t x, int32_t end)
{
  const uint32_t a = (uint32_t)x, b = (uint32_t)(x - end), c = (uint32_t)(x + end);
  return (int32_t)min(min(a, b), c);
}

/* wn_point_way. */
static __device__ __forceinline__ int32_t way_of_half(const struct wn_points &m, int d,
                                                      float v)
{
  return wn_nearest(fmaxf(fminf(v * m.half[d], m.most[d]), -m.most[d]));
}

/* Cell in the part and position within the cell, in a periodic domain.  Returns whether
 * it is in the part. */
template <int dim>
static __device__ __forceinline__ bool
place_in_part(const struct wn_points &m, const struct args &a, const int32_t low[3],
              const int32_t x[3], int32_t at[3], uint32_t part[3])
{
  bool is_in = true;
#pragma unroll
  for (int d = 0; d < dim; d++) {
    wn_place_of_fixed(m.grid.bits[d], wrap(x[d] - (low[d] << m.grid.bits[d]), m.end[d]),
                      &at[d], &part[d]);
    is_in &= (uint32_t)at[d] < (uint32_t)a.part.extent[d];
  }
  return is_in;
}

/* As step_point, for the most common case, in two parts: the motion, which also returns x
 * and the displacement of half a step, */
template <int kind, int shape, int gather>
static __device__ __forceinline__ void
move_periodic(const struct wn_points &m, const struct args &a, const float *e_of_part,
              const int32_t low[3], struct wn_gpu_point<kind> &r, int32_t x[3],
              int32_t way[3])
{
  constexpr int dim = wn_gpu_point_kind<kind>::dim, n_v = wn_gpu_point_kind<kind>::n_v;
  int32_t at[3], cell[3];
  uint32_t part[3];
  float u[3], w, e[3];
  wn_point_load(dim, n_v, r.word, x, u, &w);
#pragma unroll
  for (int d = 0; d < dim; d++)
    x[d] = wrap(x[d] + way_of_half(m, d, u[d]), m.end[d]);
  if (place_in_part<dim>(m, a, low, x, at, part)) {
    gather_near<dim, shape, gather>(a, e_of_part, at, part, e);
  } else {
    wn_point_place(&m, dim, x, cell, part);
    wn_grid_gather(&m.grid, dim, shape, gather, cell, part, e);
  }
  wn_point_kick(&m, dim, n_v, 0, WN_ROTATION_NONE, e, u);
#pragma unroll
  for (int d = 0; d < dim; d++) {
    way[d] = way_of_half(m, d, u[d]);
    x[d] = wrap(x[d] + way[d], m.end[d]);
  }
  wn_point_store(dim, n_v, r.word, x, u);
}

/* and the deposit of the charge of weight w. */
template <int kind, int shape>
static __device__ __forceinline__ void
charge_periodic(const struct wn_points &m, const struct args &a, uint32_t *quanta,
                const int32_t low[3], uint32_t tile, int32_t x[3], const int32_t way[3],
                float w, struct near_tiles *near, struct own &own)
{
  constexpr int dim = wn_gpu_point_kind<kind>::dim, n_v = wn_gpu_point_kind<kind>::n_v;
  int32_t at[3], cell[3];
  uint32_t part[3];
  int64_t q = WN_QUANTA;
  if (wn_point_weighs(dim, n_v) && (q = wn_quanta(w)) == WN_QUANTA_MISFIT) {
    atomicAdd(&a.batch.sums->misfits, 1ull);
    return;
  }
#pragma unroll
  for (int d = 0; d < dim; d++)
    x[d] = wrap(x[d] + way[d], m.end[d]);
  if (place_in_part<dim>(m, a, low, x, at, part) &&
      (!wn_point_weighs(dim, n_v) || q < (int64_t)1 << 32)) {
    wn_gpu_window_add<dim, shape>(a.part, quanta, at, part, (uint64_t)q);
    own.quanta += (uint64_t)q;
  } else {
    own.strays++;
    wn_point_place(&m, dim, x, cell, part);
    wn_gpu_charge_few<dim, shape>(&m.grid, a.charge, cell[0], dim > 1 ? cell[1] : 0,
                                  dim > 2 ? cell[2] : 0, part[0], dim > 1 ? part[1] : 0u,
                                  dim > 2 ? part[2] : 0u, (uint64_t)q);
  }
  if (a.count != NULL) {
    wn_point_place(&m, dim, x, cell, part);
    count_next<dim>(a, tile, cell, near, own);
  }
}

template <int kind, int shape, int gather, int way>
static __device__ __forceinline__ void
step_point(const struct wn_points &m, const struct args &a, const float *e_of_part,
           uint32_t *quanta, const int32_t low[3], uint32_t tile, void *records,
           unsigned int i, struct wn_gpu_point<kind> &r, struct near_tiles *near,
           struct own &own)
{
  constexpr int dim = wn_gpu_point_kind<kind>::dim, n_v = wn_gpu_point_kind<kind>::n_v;
  int32_t x[3] = {0, 0, 0}, cell[3], at[3];
  uint32_t part[3];
  float u[3] = {0.0f, 0.0f, 0.0f}, w;
  wn_point_load(dim, n_v, r.word, x, u, &w);
  const int side = wn_gpu_point_fly<kind, way != ANY>(
      m, way == ANY ? a.batch.steps : 1u, x, u,
      [&](const int32_t in[3], const uint32_t within[3], float e[3]) {
        gather_part<dim, shape, gather>(m, a, e_of_part, low, in, within, e);
      });
  if (side >= 0) {
    wn_gpu_point_ended<n_v>(&m, a.batch.sums, u[0], u[1], n_v > 2 ? u[2] : 0.0f, w, side);
    r.word[0].i = WN_POINT_DEAD;
    wn_gpu_point_write<kind>(records, i, r);
    return;
  }
  wn_point_store(dim, n_v, r.word, x, u);
  wn_gpu_point_write<kind>(records, i, r);
  uint64_t q = 0;
  const enum where where = charge_of<kind, way>(m, a, low, x, u, w, cell, at, part, &q);
  if (where == IN_PART) {
    wn_gpu_window_add<dim, shape>(a.part, quanta, at, part, q);
    own.quanta += q;
  } else if (where == ON_GRID) {
    own.strays++;
    wn_gpu_charge_few<dim, shape>(&m.grid, a.charge, cell[0], dim > 1 ? cell[1] : 0,
                                  dim > 2 ? cell[2] : 0, part[0], dim > 1 ? part[1] : 0u,
                                  dim > 2 ? part[2] : 0u, q);
  }
  if (a.count != NULL)
    count_next<dim>(a, tile, cell, near, own);
}

/* Deposit the particles of a part again, by atomic operations on the grid, after an
 * overflow of its nodes. */
template <int kind, int shape>
static __device__ __noinline__ void
charge_again(const struct wn_points *m, const struct args *a, unsigned long long first,
             unsigned int count, int32_t low_x, int32_t low_y, int32_t low_z)
{
  constexpr int dim = wn_gpu_point_kind<kind>::dim, n_v = wn_gpu_point_kind<kind>::n_v;
  const int32_t low[3] = {low_x, low_y, low_z};
  for (unsigned int i = threadIdx.x; i < count; i += blockDim.x) {
    const struct wn_gpu_point<kind> r =
        wn_gpu_point_read<kind>(a->batch.records, first + i);
    int32_t x[3], cell[3], at[3];
    uint32_t part[3];
    float u[3], w;
    uint64_t q = 0;
    if (r.word[0].i < 0)
      continue;
    wn_point_load(dim, n_v, r.word, x, u, &w);
    if (wn_point_weighs(dim, n_v) && wn_quanta(w) == WN_QUANTA_MISFIT)
      continue; /* counted already */
    if (charge_of<kind, ANY>(*m, *a, low, x, u, w, cell, at, part, &q) == IN_PART)
      wn_gpu_charge_few<dim, shape>(&m->grid, a->charge, cell[0], dim > 1 ? cell[1] : 0,
                                    dim > 2 ? cell[2] : 0, part[0],
                                    dim > 1 ? part[1] : 0u, dim > 2 ? part[2] : 0u, q);
  }
}

/* The work of a block.  The first ones have the particles behind the order, which take longer; these are no
 * part of a tile, and the first tile is as good as any other. */
template <bool in_slab>
static __device__ __forceinline__ struct wn_gpu_chunk chunk_of(const struct args &a,
                                                               unsigned int block)
{
  if (!in_slab || block >= a.n_behind)
    return a.chunk[in_slab ? block - a.n_behind : block];
  const unsigned long long first = a.n_ordered + (unsigned long long)block * BEHIND_CHUNK,
                           left = a.batch.n - first;
  return {first, left < BEHIND_CHUNK ? (unsigned int)left : BEHIND_CHUNK, 0};
}

/* Each block handles a chunk: some particles of a tile.  Reads and writes one record
 * each; reads E of the tile's nodes once, and adds their charge once by 64-bit atomic
 * operations.  The next particles of a thread are copied from memory while one is
 * advanced.  Limit: memory latency. */
template <int kind, int shape, int gather, int variant>
static __global__ void __launch_bounds__(BLOCK, wn_gpu_point_kind<kind>::vectors == 1
                                                    ? RESIDENT
                                                    : RESIDENT_LARGE)
    step_kernel(const __grid_constant__ struct wn_points m,
                const __grid_constant__ struct args a)
{
  constexpr int dim = wn_gpu_point_kind<kind>::dim, n_v = wn_gpu_point_kind<kind>::n_v,
                vectors = wn_gpu_point_kind<kind>::vectors, way = variant & ~SLAB;
  constexpr bool in_slab = (variant & SLAB) != 0;
  typedef part_e<dim, gather> E;
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ unsigned long long of_points, of_nodes;
  __shared__ unsigned int all_stay;
  __shared__ struct near_tiles near;
  wn_gpu_after_others();
  const struct wn_gpu_chunk c = chunk_of<in_slab>(a, blockIdx.x);
  if (c.n == 0)
    return; /* the whole block */
  /* buffers of a warp for asynchronous copies, filled by all its lanes in the order of
   * memory.  For records of two vectors, the vectors are exchanged in every second group
   * of four records, so that eight lanes that read their records have no bank conflict */
  constexpr unsigned int of_warp = 32 * vectors;
  const unsigned int lane = threadIdx.x % 32, first = threadIdx.x - lane;
  const unsigned int put = vectors > 1 ? lane ^ (lane >> 3 & 1u) : lane,
                     get = vectors > 1 ? 2 * lane + (lane >> 2 & 1u) : lane;
  uint4 *stage = (uint4 *)memory + first / 32 * (PREFETCH * of_warp);
  float *node = (float *)((uint4 *)memory + PREFETCH * vectors * BLOCK);
  uint32_t *quanta = (uint32_t *)(node + a.part.n * E::floats);
  uint4 *const records = (uint4 *)a.batch.records + c.first * vectors;
  const auto bring = [&](unsigned int from, unsigned int slot) {
#pragma unroll
    for (int k = 0; k < vectors; k++) {
      const size_t at = (size_t)from * vectors + 32 * k + lane;
      if (at < (size_t)c.n * vectors)
        __pipeline_memcpy_async(&stage[slot * of_warp + 32 * k + put], &records[at],
                                sizeof(uint4));
    }
    __pipeline_commit();
  };
#pragma unroll
  for (int k = 0; k < PREFETCH; k++)
    bring(first + k * BLOCK, k);
  int32_t low[3] = {0, 0, 0};
  wn_gpu_window_low<dim>(a.part, a.tiling, c.tile, low);
  const auto for_nodes =
      [&](auto f) { /* f(index in the part, index in the padded grid) */
                    wn_gpu_window_nodes<dim, shape, false>(
                        m.grid, a.part, low, 0, BLOCK / 32,
                        [&](int32_t k, int32_t x, int32_t of_row) {
                          f(k, of_row + wn_gpu_window_along<shape, false>(m.grid, low[0],
                                                                          0, x));
                        });
      };
  for_nodes([&](int32_t k, int32_t at) {
    E::put(node, a.part.n, k, m.grid.e + (int64_t)at * (dim == 3 ? 4 : dim));
    quanta[k] = 0;
  });
  if (threadIdx.x == 0) {
    of_points = of_nodes = 0;
    all_stay = 0;
  }
  if (a.count != NULL && threadIdx.x < 1 << 2 * dim)
    begin_near<dim>(a.tiling, c.tile, (int)threadIdx.x, &near);
  __syncthreads();
  struct own own = {0, 0, 0};
  for (unsigned int from = first, slot = 0; from < c.n; from += BLOCK) {
    struct wn_gpu_point<kind> r;
    __pipeline_wait_prior(PREFETCH - 1);
    __syncwarp();
#pragma unroll
    for (int k = 0; k < vectors; k++)
      r.vector[k] = stage[slot * of_warp + (get ^ (unsigned int)k)];
    __syncwarp();
    bring(from + PREFETCH * BLOCK, slot);
    slot = slot + 1 < PREFETCH ? slot + 1 : 0;
    const bool moves = from + lane < c.n && r.word[0].i >= 0;
    if (way == PERIODIC) {
      int32_t x[3], onward[3];
      if (moves)
        move_periodic<kind, shape, gather>(m, a, node, low, r, x, onward);
      const unsigned int pair = from + lane % 16;
      wn_gpu_point_write_pair<kind>(records, pair, pair + 16, r, moves);
      if (moves)
        charge_periodic<kind, shape>(
            m, a, quanta, low, c.tile, x, onward,
            wn_point_weighs(dim, n_v) ? r.word[dim + n_v].f : 1.0f, &near, own);
    } else if (moves) {
      step_point<kind, shape, gather, way>(m, a, node, quanta, low, c.tile, records,
                                           from + lane, r, &near, own);
    }
    if (in_slab && a.leavers.wide != 0 && moves && r.word[0].i >= 0 &&
        wn_gpu_leavers_look(a.leavers, c.first + from + lane, r.word[dim - 1].i,
                            r.word[2 * dim - 1].f) &&
        a.count != NULL) /* it was counted above */
      atomicSub(&a.count[wn_gpu_tile_of_point<kind>(m, a.tiling, r)], 1u);
  }
  if (a.count != NULL) {
    const unsigned long long n = wn_gpu_warp_sum(own.stays);
    if (threadIdx.x % 32 == 0)
      atomicAdd(&all_stay, (unsigned int)n);
  }
  unsigned long long sum = wn_gpu_warp_sum(own.quanta),
                     strays = wn_gpu_warp_sum(own.strays);
  if (lane == 0) {
    atomicAdd(&of_points, sum);
    if (strays > 0 && (!in_slab || blockIdx.x >= a.n_behind))
      atomicAdd(&a.batch.sums->strays, strays);
  }
  __syncthreads();
  if (threadIdx.x == 0 && a.count != NULL)
    atomicAdd(&a.count[c.tile], all_stay);
  if (a.count != NULL && threadIdx.x < 1 << 2 * dim && near.n[threadIdx.x] > 0)
    atomicAdd(&a.count[near.tile[threadIdx.x]], near.n[threadIdx.x]);
  sum = wn_gpu_warp_sum(wn_gpu_window_sum(a.part, quanta, BLOCK));
  if (threadIdx.x % 32 == 0)
    atomicAdd(&of_nodes, sum);
  __syncthreads();
  if (of_nodes != of_points) { /* the whole block */
    charge_again<kind, shape>(&m, &a, c.first, c.n, low[0], low[1], low[2]);
    return;
  }
  for_nodes([&](int32_t k, int32_t at) {
    if (quanta[k] != 0)
      atomicAdd(&a.charge[at], (unsigned long long)quanta[k]);
  });
}

/* ---- the scheduler; gpu_scheduler.cuh defines another struct wn_scheduler */

struct tiles {
  struct wn_gpu *gpu;
  struct wn_scheduler_tiles options;
};

static struct tiles *of(struct wn_scheduler *s)
{
  return (struct tiles *)(void *)s;
}

static int create(const struct wn_scheduler_options *o,
                  const struct wn_tally_shape *shape, struct wn_scheduler **out)
{
  struct tiles *s = (struct tiles *)wn_alloc(1, sizeof *s);
  (void)shape;
  if (s == NULL)
    return WN_ENOMEM;
  s->gpu = o->gpu;
  s->options = o->tiles;
  *out = (struct wn_scheduler *)(void *)s;
  return WN_OK;
}

static void destroy(struct wn_scheduler *s)
{
  free(of(s));
}

static int takes(const struct wn_model_ops *ops)
{
  return ops->gpu != NULL && ops->gpu->move_in_order != NULL;
}

static int check_model(const struct wn_model *model)
{
  if (takes(model->ops))
    return WN_OK;
  return WN_FAIL(WN_EINPUT,
                 "scheduler `tiles` moves particles without collisions; model `%s` takes "
                 "another: auto, dynamic, ...",
                 model->ops->name);
}

static int hold(struct wn_scheduler *s, const struct wn_model *model,
                struct wn_particles *p)
{
  WN_TRY(check_model(model));
  return wn_gpu_points_hold(of(s)->gpu, model, p);
}

/* E is gathered during the step. */
static int gather(struct wn_scheduler *s, const struct wn_model *model,
                  struct wn_particles *p)
{
  (void)s, (void)model, (void)p;
  return WN_OK;
}

static int threads(const struct wn_scheduler *s)
{
  const struct tiles *t = (const struct tiles *)(const void *)s;
  return t->gpu->multiprocessors * WN_GPU_RESIDENT;
}

/* Set the part of a tile; returns the shared memory of a block, bytes. */
static size_t shape_part(const struct wn_points *m, const struct wn_gpu_tiling *tiling,
                         struct wn_gpu_window *part)
{
  const struct wn_grid_view *g = &m->grid;
  const int is_split = g->dim == 3 && g->gather == WN_GATHER_MOMENTUM;
  return wn_gpu_window_of_tile(g, tiling, part) *
             ((size_t)(is_split ? 3 : g->stride) * sizeof(float) + sizeof(uint32_t)) +
         PREFETCH * BLOCK * wn_particles_points(m->kind).bytes;
}

static int way_of(const struct wn_points *m, unsigned int steps)
{
  int periodic = 1;
  for (int d = 0; d < m->grid.dim; d++)
    periodic &= m->grid.side[2 * d] == WN_SIDE_PERIODIC;
  if (!wn_gpu_points_are_simple(m) || steps != 1)
    return ANY;
  return periodic ? PERIODIC : SIMPLE;
}

static int launch(struct wn_gpu_store *t, const struct wn_points *m, struct args *a)
{
  struct wn_gpu *g = t->gpu;
  const size_t shared = shape_part(m, &a->tiling, &a->part);
  const int way = way_of(m, a->batch.steps);
  return wn_gpu_for_points(m, [&](auto kind, auto shape, auto gather) {
    constexpr int k = decltype(kind)::is, sh = decltype(shape)::is,
                  ga = decltype(gather)::is;
    if constexpr (ga == WN_GATHER_NESTED)
      return WN_FAIL(WN_EINTERN, "tiles with the charge of nested grids");
    else {
      void (*kernel)(const struct wn_points, const struct args) =
          way == PERIODIC ? step_kernel<k, sh, ga, PERIODIC>
          : way == SIMPLE ? step_kernel<k, sh, ga, SIMPLE>
                          : step_kernel<k, sh, ga, ANY>;
      if constexpr (wn_gpu_point_kind<k>::dim > 1) /* others are not divided on GPUs */
        if (t->leavers.wide != 0)
          kernel = way == PERIODIC ? step_kernel<k, sh, ga, PERIODIC | SLAB>
                                   : step_kernel<k, sh, ga, ANY | SLAB>;
      if (shared > 40 * 1024) /* 48 kB are available by default, some of it static */
        WN_TRY(wn_gpu_check((int)cudaFuncSetAttribute(
                                (const void *)kernel,
                                cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared),
                            "shared memory of a tile (take smaller ones)"));
      return wn_gpu_launch_early(g, "scheduler `tiles`", kernel,
                                 a->n_behind + t->tiles->n_chunks, BLOCK, shared, *m, *a);
    }
  });
}

/* Shall the particles be sorted again after this step?  The number of strays refers to the present order from an
 * age of `first` steps on, and is at most twice as old. */
static int needs_sort(const struct tiles *s, const struct wn_gpu_tiles *tiles, size_t n,
                      unsigned int first)
{
  if ((double)(n - tiles->n) * tiles->age > BEHIND_COST * (double)tiles->n)
    return 1;
  if (s->options.reorder > 0)
    return tiles->age >= (unsigned int)s->options.reorder;
  return tiles->age >= MAX_STEPS ||
         (tiles->age >= first &&
          *(volatile unsigned long long *)tiles->host_strays > tiles->n / STRAYS);
}

/* Limit the number of steps that the host is ahead of the device: wait for the step that was marked by number k, or
 * by one of WN_GPU_TILES_STEPS before it. */
static int limit_lead(const struct wn_gpu_tiles *tiles, unsigned int k)
{
  return wn_gpu_check((int)cudaEventSynchronize(tiles->done[k % WN_GPU_TILES_STEPS]),
                      "scheduler `tiles`");
}

static int mark_step(const struct wn_gpu *g, const struct wn_gpu_tiles *tiles,
                     unsigned int k)
{
  return wn_gpu_check(
      (int)cudaEventRecord(tiles->done[k % WN_GPU_TILES_STEPS], g->stream),
      "scheduler `tiles`");
}

/* Of the step just launched, whose sums are still in the scratch memory; read without a wait. */
static int ask_strays(struct wn_gpu *g, const struct wn_gpu_tiles *tiles)
{
  const struct wn_gpu_points_sums *sums =
      (const struct wn_gpu_points_sums *)(const void *)g->scratch;
  return wn_gpu_check((int)cudaMemcpyAsync(tiles->host_strays, &sums->strays,
                                           sizeof *tiles->host_strays,
                                           cudaMemcpyDeviceToHost, g->stream),
                      "scheduler `tiles`");
}

/* Sort the particles, unless their order is recent enough: is_due says so, of one that is there. */
static int keep_order(struct tiles *s, struct wn_gpu_store *t, struct wn_particles *p,
                      const struct wn_points *m, int is_due)
{
  const struct wn_gpu_tile_options order = {
      {s->options.cells[0], s->options.cells[1], s->options.cells[2]},
      (unsigned int)s->options.chunk};
  if (t->tiles != NULL && t->tiles->n > 0 && t->user == s && !is_due)
    return WN_OK;
  if (t->user != s && t->tiles != NULL)
    t->tiles->is_counted = 0;
  WN_TRY(wn_gpu_tiles_sort(t, p, m, &order,
                           s->options.by_sort ? WN_GPU_SORT_RADIX : WN_GPU_SORT_COUNTING,
                           t->dead + t->in_order_dead));
  t->dead = t->in_order_dead = 0;
  t->user = s;
  return WN_OK;
}

/* The field takes no charge from the grid.  In this order neighbours gather from the same nodes, and a field's own
 * deposit has few of them at a time. */
static int advance_without_charge(struct tiles *s, const struct wn_model *model,
                                  struct wn_particles *p, struct wn_tally *tally)
{
  const struct wn_points *m = (const struct wn_points *)model->data;
  struct wn_gpu_store *t = wn_gpu_store_of(s->gpu, p);
  const unsigned int most = s->options.reorder > 0 ? (unsigned int)s->options.reorder
                                                   : model->ops->gpu->order_steps;
  unsigned long long deaths;
  const int is_due =
      t->tiles != NULL && (t->tiles->age >= most || t->tiles->is_counted ||
                           needs_sort(s, t->tiles, p->n, STRAY_INTERVAL + 1));
  WN_TRY(keep_order(s, t, p, m, is_due));
  t->tiles->age++;
  /* the number of strays is to be recent */
  WN_TRY(limit_lead(t->tiles, t->tiles->age));
  t->charge_dt = 0.0;
  t->knows_leavers = 0;
  tally->n_candidates += (p->n - t->in_order_dead) * model->steps;
  WN_TRY(model->ops->gpu->move_in_order(s->gpu, model, p, tally, &deaths));
  t->in_order_dead += deaths;
  if (t->tiles->age % STRAY_INTERVAL == 0)
    WN_TRY(ask_strays(s->gpu, t->tiles));
  return mark_step(s->gpu, t->tiles, t->tiles->age);
}

static int advance(struct wn_scheduler *scheduler, const struct wn_model *model,
                   struct wn_particles *p, struct wn_tally *tally)
{
  struct tiles *s = of(scheduler);
  struct wn_gpu *g = s->gpu;
  const struct wn_points *m = (const struct wn_points *)model->data;
  struct wn_gpu_store *t = wn_gpu_store_of(g, p);
  struct wn_gpu_points_sums sums = {};
  struct args a = {};
  WN_TRY(check_model(model));
  if (p->n == 0)
    return WN_OK;
  if (t == NULL || p->place == WN_PARTICLES_HOST)
    return WN_FAIL(WN_EINTERN, "the points are not on the GPU");
  WN_TRY(wn_gpu_use(g));
  if (!model->ops->gpu->leaves_charge || m->grid.no_charge ||
      m->grid.gather == WN_GATHER_NESTED)
    return advance_without_charge(s, model, p, tally);
  WN_TRY(keep_order(s, t, p, m, t->tiles != NULL && t->tiles->is_counted));
  struct wn_gpu_tiles *tiles = t->tiles;
  tiles->age++;
  const int asks = tiles->age % STRAY_INTERVAL == 0,
            waits = wn_gpu_points_can_end(m) ||
                    wn_point_weighs(wn_point_dim(m->kind), wn_point_velocities(m->kind));
  if (asks && !waits)
    /* not in each step: the kernel behind an event is not launched early */
    WN_TRY(limit_lead(tiles, tiles->age / STRAY_INTERVAL - 1));
  const int in_slab = t->leavers.wide != 0,
            is_last = needs_sort(s, tiles, p->n,
                                 waits ? STRAY_INTERVAL + 1 : 2 * STRAY_INTERVAL);
  if (waits || asks || tiles->age == 1)
    WN_TRY(wn_gpu_points_begin(g, &a.batch.sums));
  a.batch.sums = (struct wn_gpu_points_sums *)(void *)g->scratch;
  WN_TRY(wn_gpu_charge_fit(t, (size_t)wn_grid_nodes(&m->grid)));
  a.batch.records = wn_gpu_records(t);
  a.batch.n = p->n;
  a.batch.steps = model->steps;
  a.tiling = tiles->tiling;
  a.chunk = tiles->chunk;
  a.n_behind = (unsigned int)((p->n - tiles->n + BEHIND_CHUNK - 1) / BEHIND_CHUNK);
  a.n_ordered = tiles->n;
  a.count = is_last ? tiles->count : NULL;
  a.charge = (unsigned long long *)t->charge;
  if (in_slab && model->steps == 1) { /* of more steps a particle may go too far */
    WN_TRY(wn_gpu_leavers_clear(t));
    a.leavers = t->leavers;
  }
  WN_TRY(launch(t, m, &a));
  t->knows_leavers = a.leavers.wide != 0;
  tiles->is_counted = is_last;
  if (asks && !waits) {
    WN_TRY(ask_strays(g, tiles));
    WN_TRY(mark_step(g, tiles, tiles->age / STRAY_INTERVAL));
  }
  t->charge_dt = m->dt;
  t->ten.is_known = 0;
  tally->n_candidates += (p->n - t->in_order_dead) * model->steps;
  p->place = WN_PARTICLES_REMOTE;
  if (!waits)
    return WN_OK;
  WN_TRY(wn_gpu_points_end(g, &sums));
  *tiles->host_strays = sums.strays;
  wn_gpu_points_collect(&sums, tally);
  t->in_order_dead += sums.deaths;
  return WN_OK;
}

extern "C" {
extern const struct wn_scheduler_ops wn_scheduler_tiles;
const struct wn_scheduler_ops wn_scheduler_tiles = {
    "tiles",
    "particles without collisions, by tiles of cells: one pass moves them and leaves "
    "their "
    "charge",
    WN_DEVICE_CUDA,
    create,
    hold,
    gather,
    advance,
    NULL,
    threads,
    destroy,
    takes,
    NULL};
}
