/* schedulers/gpu/midpoint_tiles.cu - see midpoint_tiles.cuh.
 *
 * A block has some particles of a tile, in any order, and E and B of the tile's nodes in shared memory.  A thread keeps
 * the values of the nodes of a particle's cell in registers while the iteration stays in that cell.  The ten moments of a
 * particle are added to 32-bit sums of the tile in shared memory, which the block adds to those of the grid
 * (64 bits) at its end.  Functions of physics/midpoint.h and physics/ten_moments.h, and so the bits of a CPU.
 *
 * Particles that have left the window put their moments into the sums of the grid.  They are noted, and done together at the end:
 * one at a time would make the 31 other lanes of its warp wait.
 *
 * Sums of 32 bits.  They are right while each node has less than WN_MOMENT_NEAR quanta (physics/ten_moments.h).  Moment 0 itself is
 * right if the sum over nodes is that over particles, as each overflow takes 2^32 from it.  Otherwise the
 * block adds its particles again, to the sums of the grid. */
#include "schedulers/gpu/midpoint_tiles.cuh"
#include "device/charge_window.cuh"
#include "device/expected_sums.cuh"

#define STRIDE                                                                           \
  (WN_TEN_MOMENTS + 1) /* of the sums of a node: odd, for all banks of the memory */
#define NOTED 512      /* of a block; others are done at once */

namespace
{
/* Threads of a block, and blocks of a multiprocessor: 80 registers a thread, in three dimensions 96. */
template <int kind> struct block_of {
  static constexpr int is = wn_gpu_point_kind<kind>::dim == 3 ? 128 : 256;
  static constexpr int resident = wn_gpu_point_kind<kind>::dim == 3 ? 5 : 3;
};

struct args {
  struct wn_gpu_points_batch batch;
  struct wn_gpu_tiling tiling;
  const struct wn_gpu_chunk *chunk;
  struct wn_gpu_window part;
  struct wn_gpu_ten_view ten;
  /* for place_in_window, along each axis: the end of a periodic one, or 0; the places at which E and B act are limited to
   * these */
  int32_t wrap[3], least[3], most[3];
};

/* A place in the window, of one at most half the domain outside of it.  Returns whether it is there: if it is said not to be,
 * it may be after all, and is far at any rate.  low: the first cell of the window, in parts. */
template <int dim>
__device__ __forceinline__ bool
place_in_window(const struct wn_points &p, const struct args &a, const int32_t low[3],
                const int32_t x[3], int32_t at[3], uint32_t part[3])
{
  bool is_in = true;
#pragma unroll
  for (int d = 0; d < dim; d++) {
    int32_t i = x[d] - low[d]; /* one turn suffices for what is near */
    i += i < 0 ? a.wrap[d] : 0;
    i -= i >= a.wrap[d] ? a.wrap[d] : 0;
    wn_place_of_fixed(p.grid.bits[d], i, &at[d], &part[d]);
    is_in &= (uint32_t)at[d] < (uint32_t)a.part.extent[d];
  }
  return is_in;
}

/* To the second-level cache; registers for a next record would cost more than they gain. */
__device__ __forceinline__ void prefetch(const void *at)
{
  asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
}

/* ---- E and B */

/* What a block has of the nodes of its window, in shared memory. */
struct nodes {
  float4 *first;     /* Ex Ey Ez Bx: 24 bytes a node cost less than 32 */
  float2 *rest;      /* By Bz */
  unsigned int *sum; /* [node][STRIDE] */
};

/* The values at the nodes of one cell of the window; of the upper nodes along the last of several axes, the differences to
 * the lower ones. */
template <int dim> struct cell_values {
  static constexpr int nodes = 1 << dim;
  int32_t node; /* the first; -1: none yet */
  float v[nodes][6];
};

template <int dim>
__device__ __forceinline__ void read_cell(const struct wn_gpu_window &w,
                                          const struct nodes &n, int32_t node,
                                          struct cell_values<dim> &c)
{
#pragma unroll
  for (int k = 0; k < c.nodes; k++) {
    const int32_t at = wn_gpu_window_node<dim, WN_SHAPE_CIC>(w, node, k);
    const float4 first = n.first[at];
    const float2 rest = n.rest[at];
    c.v[k][0] = first.x, c.v[k][1] = first.y, c.v[k][2] = first.z, c.v[k][3] = first.w;
    c.v[k][4] = rest.x, c.v[k][5] = rest.y;
  }
  if (dim > 1)
#pragma unroll
    for (int k = 0; k < c.nodes / 2; k++)
#pragma unroll
      for (int i = 0; i < 6; i++)
        c.v[c.nodes / 2 + k][i] -= c.v[k][i];
  c.node = node;
}

/* The operations of wn_nodal_gather. */
template <int dim>
__device__ __forceinline__ void gather_cell(const struct cell_values<dim> &c,
                                            const float part[3],
                                            float eb[WN_NODAL_VALUES])
{
#pragma unroll
  for (int i = 0; i < 6; i++) {
    float row[2];
#pragma unroll
    for (int x = 0; x < 2; x++) {
      row[x] = c.v[x][i];
      if (dim == 2)
        row[x] = wn_fma(part[1], c.v[(2 + x) % c.nodes][i], row[x]);
      if (dim == 3) {
        const float low = wn_fma(part[2], c.v[(4 + x) % c.nodes][i], row[x]),
                    high = wn_fma(part[2], c.v[(6 + x) % c.nodes][i],
                                  c.v[(2 + x) % c.nodes][i]);
        row[x] = wn_fma(part[1], high - low, low);
      }
    }
    eb[i < 3 ? i : i + 1] = wn_fma(part[0], row[1] - row[0], row[0]);
  }
}

/* From the grid, where a particle is beyond the window; seldom. */
template <int dim>
__device__ __noinline__ void gather_far(const struct wn_points *p, int32_t x, int32_t y,
                                        int32_t z, float eb[WN_NODAL_VALUES])
{
  const int32_t at[3] = {x, y, z};
  wn_midpoint_field(p, dim, at, eb);
}

/* wn_midpoint_field.  Returns whether the place is in the window. */
template <int dim>
__device__ __forceinline__ bool field_at(const struct wn_points &p, const struct args &a,
                                         const int32_t low[3], const struct nodes &n,
                                         const int32_t x[3], struct cell_values<dim> &c,
                                         float eb[WN_NODAL_VALUES])
{
  int32_t inside[3], at[3], node = 0;
  uint32_t part[3];
  float f[3] = {0.0f, 0.0f, 0.0f};
#pragma unroll
  for (int d = 0; d < dim; d++) /* as wn_nodal_inside, of sides that are not periodic */
    inside[d] = min(max(x[d], a.least[d]), a.most[d]);
  if (!place_in_window<dim>(p, a, low, inside, at, part)) {
    float far[WN_NODAL_VALUES]; /* eb itself would be kept in memory */
    gather_far<dim>(&p, x[0], x[1], x[2], far);
#pragma unroll
    for (int i = 0; i < WN_NODAL_VALUES; i++)
      eb[i] = far[i];
    return false;
  }
#pragma unroll
  for (int d = 0; d < dim; d++) {
    node += at[d] * (d == 0 ? 1 : a.part.step[d]);
    f[d] = wn_spline_part(1, 0, part[d]);
  }
  if (node != c.node)
    read_cell<dim>(a.part, n, node, c);
  gather_cell<dim>(c, f, eb);
  return true;
}

/* wn_cartesian_way, with two instructions for its limits. */
__device__ __forceinline__ int32_t way_of(const struct wn_midpoint &m, int d, float v)
{
  return wn_nearest(fmaxf(fminf(v * m.half[d], m.most[d]), -m.most[d]));
}

/* wn_midpoint_substep; per is 1. */
template <int dim, int relativistic>
__device__ __forceinline__ int substep(const struct wn_midpoint &m, const struct args &a,
                                       const int32_t low[3], const struct nodes &n,
                                       struct cell_values<dim> &c, int32_t x[3],
                                       float u[3], bool &is_stray)
{
  float eb[WN_NODAL_VALUES], mean[3] = {0.0f, 0.0f, 0.0f}, slower = 1.0f;
  int32_t way[3] = {0, 0, 0};
  for (int i = 0; i < m.iterations; i++) {
    const float before[3] = {mean[0], mean[1], mean[2]};
    int32_t at[3] = {0, 0, 0};
#pragma unroll
    for (int d = 0; d < dim; d++)
      at[d] = x[d] + way[d];
    is_stray |= !field_at<dim>(m.points, a, low, n, at, c, eb);
    slower = wn_midpoint_mean(relativistic, m.beta, eb, u, mean);
#pragma unroll
    for (int d = 0; d < dim; d++)
      way[d] = way_of(m, d, relativistic ? mean[d] * slower : mean[d]);
    if (m.tolerance2 > 0.0f) {
      const float change[3] = {mean[0] - before[0], mean[1] - before[1],
                               mean[2] - before[2]};
      if (wn_midpoint_dot(change, change) < m.tolerance2 * wn_midpoint_dot(mean, mean))
        break;
    }
  }
#pragma unroll
  for (int d = 0; d < dim; d++)
    x[d] += 2 * way[d];
#pragma unroll
  for (int d = 0; d < 3; d++)
    u[d] = wn_fma(2.0f, mean[d], -u[d]);
  return wn_midpoint_sides(&m.points, dim, x, u);
}

/* ---- moments */

/* What a thread has counted. */
struct own {
  unsigned long long quanta; /* added in the window */
  unsigned int
      most; /* largest |u_i|, as bits: numbers that are not negative have their order */
  unsigned int strays;
};

/* Whether a particle of so many quanta, as wn_quanta has them before they are an integer, goes into the window. */
__device__ __forceinline__ bool is_light(float quanta)
{
  return quanta >= 0.0f && quanta < 0x1p28f;
}

/* wn_ten_moments_share of q below 2^28: the high word of a product. */
__device__ __forceinline__ unsigned int share_of(uint32_t q, int32_t m)
{
  const int64_t product = (int64_t)(int32_t)(q << (32 - WN_MOMENT_SHIFT)) * m;
  return (unsigned int)((uint64_t)(product + ((int64_t)1 << 31)) >> 32);
}

/* To the sums of the window.  Returns false for a particle that is not in it, or has a weight of 256 or more, or one that
 * is no number of quanta. */
template <int kind, int relativistic>
__device__ __forceinline__ bool add_near(const struct wn_points &p, const struct args &a,
                                         const int32_t low[3], const struct nodes &n,
                                         const int32_t x[3], const float u[3], float w,
                                         struct own &own)
{
  constexpr int dim = wn_gpu_point_kind<kind>::dim;
  const float quanta = wn_point_weighs(dim, 3) ? rintf(w * (float)WN_QUANTA)
                                               : (float)WN_QUANTA; /* as wn_quanta */
  int32_t at[3], m[WN_TEN_MOMENTS], first = 0;
  uint32_t part[3];
  uint64_t q[WN_MAX_REACH];
  if (!place_in_window<dim>(p, a, low, x, at, part) || !is_light(quanta))
    return false;
  const uint32_t all = (uint32_t)(int32_t)quanta;
  own.quanta += all;
  wn_ten_moments(3, relativistic, a.ten.per_unit, u, m);
  wn_grid_divide(dim, WN_SHAPE_CIC, part, all, 0, q);
#pragma unroll
  for (int d = 0; d < dim; d++)
    first += at[d] * (d == 0 ? 1 : a.part.step[d]);
#pragma unroll
  for (int k = 0; k < 1 << dim; k++) {
    unsigned int *to =
        n.sum + STRIDE * wn_gpu_window_node<dim, WN_SHAPE_CIC>(a.part, first, k);
    atomicAdd(to, (unsigned int)q[k]);
#pragma unroll
    for (int i = 1; i < WN_TEN_MOMENTS; i++)
      atomicAdd(to + i, share_of((uint32_t)q[k], m[i]));
  }
  return true;
}

/* To the sums of the grid; seldom. */
template <int dim>
__device__ void add_far(const struct wn_grid_view &grid,
                        const struct wn_gpu_ten_view &ten, const int32_t x[3],
                        uint64_t quanta, const int32_t m[WN_TEN_MOMENTS])
{
  int32_t cell[3] = {0, 0, 0};
  uint32_t part[3] = {0, 0, 0};
  uint64_t q[WN_MAX_REACH];
  for (int d = 0; d < dim; d++)
    wn_place_of_fixed(grid.bits[d], x[d], &cell[d], &part[d]);
  wn_grid_divide(dim, WN_SHAPE_CIC, part, quanta, 1, q);
  unsigned long long *first =
      ten.sum + wn_grid_first(&grid, dim, WN_SHAPE_CIC, cell, part);
  for (int k = 0; k < 1 << dim; k++)
    for (int i = 0; i < WN_TEN_MOMENTS; i++)
      if (q[k] != 0)
        atomicAdd(first + (int64_t)wn_grid_offset(&grid, dim, WN_SHAPE_CIC, k) +
                      (int64_t)i * (int64_t)ten.nodes,
                  (unsigned long long)(int64_t)wn_node_share(WN_NODE_TEN, i, q[k], m[i]));
}

/* A particle as the step has written it, to the sums of the grid. */
template <int kind, int relativistic>
__device__ __noinline__ void add_written(const struct wn_points *p, const struct args *a,
                                         unsigned long long i)
{
  constexpr int dim = wn_gpu_point_kind<kind>::dim;
  const struct wn_gpu_point<kind> r = wn_gpu_point_read<kind>(a->batch.records, i);
  int32_t x[3], m[WN_TEN_MOMENTS];
  float u[3], w;
  if (r.word[0].i < 0)
    return;
  wn_point_load(dim, 3, r.word, x, u, &w);
  const int64_t quanta = wn_point_weighs(dim, 3) ? wn_quanta(w) : (int64_t)WN_QUANTA;
  if (quanta == WN_QUANTA_MISFIT) {
    atomicAdd(&a->ten.found->misfits, 1ull);
    return;
  }
  wn_ten_moments(3, relativistic, a->ten.per_unit, u, m);
  add_far<dim>(p->grid, a->ten, x, (uint64_t)quanta, m);
}

/* Those of a chunk that were added in the window, whose sums were too large. */
template <int kind, int relativistic>
__device__ void add_again(const struct wn_points &p, const struct args &a,
                          const int32_t low[3], const struct wn_gpu_chunk &c)
{
  constexpr int dim = wn_gpu_point_kind<kind>::dim, block = block_of<kind>::is;
  for (unsigned int i = threadIdx.x; i < c.n; i += block) {
    const struct wn_gpu_point<kind> r =
        wn_gpu_point_read<kind>(a.batch.records, c.first + i);
    int32_t x[3], at[3];
    uint32_t part[3];
    float u[3], w;
    wn_point_load(dim, 3, r.word, x, u, &w);
    const float quanta =
        wn_point_weighs(dim, 3) ? rintf(w * (float)WN_QUANTA) : (float)WN_QUANTA;
    if (r.word[0].i >= 0 && place_in_window<dim>(p, a, low, x, at, part) &&
        is_light(quanta))
      add_written<kind, relativistic>(&p, &a, c.first + i);
  }
}

/* ---- the step */

/* moves: by a step; sums: ten moments.  Reads and writes each record once; sums: ten shared additions a node.  Limit: memory, with sums the additions.
 * Measured: bench/RESULTS.md. */
template <int kind, int relativistic, bool moves, bool sums>
__global__ void __launch_bounds__(block_of<kind>::is, block_of<kind>::resident)
    tiles_kernel(const __grid_constant__ struct wn_midpoint m,
                 const __grid_constant__ struct args a)
{
  constexpr int dim = wn_gpu_point_kind<kind>::dim, block = block_of<kind>::is;
  extern __shared__ float4 memory[];
  __shared__ unsigned long long of_points, of_nodes;
  __shared__ unsigned int n_noted, noted[sums ? NOTED : 1];
  struct nodes n;
  n.first = memory;
  n.rest = (float2 *)(memory + (moves ? a.part.n : 0));
  n.sum = (unsigned int *)(n.rest + (moves ? a.part.n : 0));
  const struct wn_gpu_chunk c = a.chunk[blockIdx.x];
  if (c.n == 0)
    return; /* the whole block */
  int32_t low[3] = {0, 0, 0}, from[3];
  wn_gpu_window_low<dim>(a.part, a.tiling, c.tile, low);
#pragma unroll
  for (int d = 0; d < dim; d++)
    from[d] = low[d] * ((int32_t)1 << m.points.grid.bits[d]);
  const auto for_nodes =
      [&](auto f) { /* f(index in the window, in the grid) */
                    wn_gpu_window_nodes<dim, WN_SHAPE_CIC, false>(
                        m.points.grid, a.part, low, 0, block / 32,
                        [&](int32_t k, int32_t x, int32_t of_row) {
                          f(k, of_row + wn_gpu_window_along<WN_SHAPE_CIC, false>(
                                            m.points.grid, low[0], 0, x));
                        });
      };
  if (moves)
    for_nodes([&](int32_t k, int32_t at) {
      const float4 e = __ldg((const float4 *)m.points.grid.eb + 2 * (int64_t)at),
                   b = __ldg((const float4 *)m.points.grid.eb + 2 * (int64_t)at + 1);
      n.first[k] = make_float4(e.x, e.y, e.z, b.x);
      n.rest[k] = make_float2(b.y, b.z);
    });
  if (sums)
    for (int32_t k = (int32_t)threadIdx.x; k < STRIDE * a.part.n; k += block)
      n.sum[k] = 0;
  if (threadIdx.x == 0)
    of_points = of_nodes = n_noted = 0;
  __syncthreads();
  struct own own = {0, 0, 0};
  for (unsigned int i = threadIdx.x; i < c.n; i += block) {
    struct wn_gpu_point<kind> r = wn_gpu_point_read<kind>(a.batch.records, c.first + i);
    if (i + block < c.n)
      prefetch((const uint4 *)a.batch.records +
               (c.first + i + block) * wn_gpu_point_kind<kind>::vectors);
    int32_t x[3] = {0, 0, 0};
    float u[3] = {0.0f, 0.0f, 0.0f}, w;
    int side = -1;
    bool is_stray = false;
    struct cell_values<dim> cell;
    cell.node = -1;
    if (r.word[0].i < 0)
      continue;
    wn_point_load(dim, 3, r.word, x, u, &w);
    for (unsigned int step = 0; moves && step < a.batch.steps; step++)
      for (int32_t k = 0; k < m.substeps && side < 0; k++)
        side = substep<dim, relativistic>(m, a, from, n, cell, x, u, is_stray);
    own.strays += is_stray;
    if (side >= 0) {
      wn_gpu_point_ended<3>(&m.points, a.batch.sums, u[0], u[1], u[2], w, side);
      r.word[0].i = WN_POINT_DEAD;
    } else {
      wn_point_store(dim, 3, r.word, x, u);
    }
    if (moves)
      wn_gpu_point_write<kind>(a.batch.records, c.first + i, r);
    if (sums && side < 0) {
#pragma unroll
      for (int d = 0; d < 3; d++) /* of what is no number they are above all */
        own.most = max(own.most, __float_as_uint(fabsf(u[d])));
      if (!add_near<kind, relativistic>(m.points, a, from, n, x, u, w, own)) {
        const unsigned int k = atomicAdd(&n_noted, 1u);
        if (k < NOTED)
          noted[k] = i;
        else
          add_written<kind, relativistic>(&m.points, &a, c.first + i);
      }
    }
  }
  const unsigned long long strays = wn_gpu_warp_sum(own.strays);
  if (threadIdx.x % 32 == 0 && strays > 0)
    atomicAdd(&a.batch.sums->strays, strays);
  if (!sums)
    return;
  const unsigned int most = __reduce_max_sync(0xffffffffu, own.most);
  unsigned long long of_warp = wn_gpu_warp_sum(own.quanta);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&of_points, of_warp);
    atomicMax(&a.ten.found->most, most);
  }
  __syncthreads();
  for (unsigned int k = threadIdx.x; k < min(n_noted, (unsigned int)NOTED); k += block)
    add_written<kind, relativistic>(&m.points, &a, c.first + noted[k]);
  int is_large = 0;
  unsigned long long quanta = 0;
  for (int32_t k = (int32_t)threadIdx.x; k < a.part.n; k += block) {
    quanta += n.sum[STRIDE * k];
    is_large |= n.sum[STRIDE * k] >= WN_MOMENT_NEAR;
  }
  quanta = wn_gpu_warp_sum(quanta);
  if (threadIdx.x % 32 == 0)
    atomicAdd(&of_nodes, quanta);
  if (__syncthreads_or(is_large) || of_nodes != of_points) { /* the whole block */
    add_again<kind, relativistic>(m.points, a, from, c);
    return;
  }
  for_nodes([&](int32_t k, int32_t at) {
    const unsigned int *of = n.sum + STRIDE * k;
    if (of[0] == 0) /* then all are: no share is below 0 */
      return;
    atomicAdd(a.ten.sum + at, (unsigned long long)of[0]);
#pragma unroll
    for (int i = 1; i < WN_TEN_MOMENTS; i++)
      atomicAdd(a.ten.sum + at + (int64_t)i * (int64_t)a.ten.nodes,
                (unsigned long long)(long long)(int)of[i]);
  });
}

template <int kind, int relativistic, bool moves, bool sums>
int launch(struct wn_gpu_store *t, const struct wn_midpoint *m, const struct args &a)
{
  const auto kernel = tiles_kernel<kind, relativistic, moves, sums>;
  const size_t shared =
      (size_t)a.part.n * ((moves ? sizeof(float4) + sizeof(float2) : 0) +
                          (sums ? STRIDE * sizeof(unsigned int) : 0));
  if (shared > 40 * 1024) /* 48 kB are available by default, some of it static */
    WN_TRY(wn_gpu_check((int)cudaFuncSetAttribute(
                            (const void *)kernel,
                            cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared),
                        "shared memory of a tile (take smaller ones)"));
  kernel<<<t->tiles->n_chunks, block_of<kind>::is, shared, t->gpu->stream>>>(*m, a);
  return wn_gpu_check((int)cudaGetLastError(), "points in E and B");
}

template <int kind, int relativistic>
int launch_for(struct wn_gpu_store *t, const struct wn_midpoint *m, const struct args &a,
               bool moves)
{
  return !moves              ? launch<kind, relativistic, false, true>(t, m, a)
         : a.ten.sum != NULL ? launch<kind, relativistic, true, true>(t, m, a)
                             : launch<kind, relativistic, true, false>(t, m, a);
}

int launch_all(struct wn_gpu_store *t, const struct wn_midpoint *m,
               const struct wn_gpu_points_batch &batch, const struct wn_gpu_ten_view &ten,
               bool moves)
{
  struct args a = {};
  a.batch = batch;
  a.tiling = t->tiles->tiling;
  a.chunk = t->tiles->chunk;
  a.ten = ten;
  wn_gpu_window_of_tile(&m->points.grid, &a.tiling, &a.part);
  for (int d = 0; d < 3; d++) {
    const int32_t cell = (int32_t)1 << m->points.grid.bits[d], end = m->points.end[d];
    const bool turns = m->points.grid.side[2 * d] == WN_SIDE_PERIODIC;
    a.wrap[d] = turns ? end : 0;
    a.least[d] = turns ? INT32_MIN : -cell;
    a.most[d] = turns ? INT32_MAX : end + cell - 1;
  }
  return wn_gpu_for_kind(m->points.kind, [&](auto kind) {
    constexpr int is = decltype(kind)::is;
    if constexpr (wn_gpu_point_kind<is>::n_v == 3)
      return m->points.relativistic ? launch_for<is, 1>(t, m, a, moves)
                                    : launch_for<is, 0>(t, m, a, moves);
    return WN_FAIL(WN_EINTERN, "points of two velocities in E and B on nodes");
  });
}
} // namespace

int wn_gpu_midpoint_in_tiles(const struct wn_midpoint *m)
{
  return m->mover == WN_NODAL_MIDPOINT && !m->adapts &&
         m->points.grid.shape == WN_SHAPE_CIC;
}

int wn_gpu_midpoint_tiles(struct wn_gpu_store *t, const struct wn_midpoint *m,
                          const struct wn_gpu_points_batch &batch)
{
  struct wn_gpu_ten_view ten;
  WN_TRY(wn_gpu_ten_begin(t->gpu, &t->ten, (size_t)wn_grid_nodes(&m->points.grid), &ten));
  return launch_all(t, m, batch, ten, true);
}

int wn_gpu_midpoint_moments(struct wn_gpu_store *t, const struct wn_midpoint *m,
                            const struct wn_gpu_points_batch &batch,
                            const struct wn_gpu_ten_view &ten)
{
  return launch_all(t, m, batch, ten, false);
}
