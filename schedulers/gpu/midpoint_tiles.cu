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

#define BLOCK 256
/* Blocks of a multiprocessor: 128 registers a thread, and 80 for less than three dimensions */
#define RESIDENT      2
#define RESIDENT_FLAT 3
#define NOTED         512 /* of a block; others are done at once */

namespace
{
struct args {
  struct wn_gpu_points_batch batch;
  struct wn_gpu_tiling tiling;
  const struct wn_gpu_chunk *chunk;
  struct wn_gpu_window part;
  struct wn_gpu_ten_view ten;
};

/* ---- E and B */

/* The values at the nodes of one cell of the window. */
template <int dim> struct cell_values {
  static constexpr int nodes = 1 << dim;
  int32_t node; /* the first; -1: none yet */
  float v[nodes][6];
};

template <int dim>
__device__ __forceinline__ void read_cell(const struct wn_gpu_window &w, const float4 *e,
                                          const float4 *b, int32_t node,
                                          struct cell_values<dim> &c)
{
#pragma unroll
  for (int k = 0; k < c.nodes; k++) {
    const int32_t at = wn_gpu_window_node<dim, WN_SHAPE_CIC>(w, node, k);
    const float4 of_e = e[at], of_b = b[at];
    c.v[k][0] = of_e.x, c.v[k][1] = of_e.y, c.v[k][2] = of_e.z;
    c.v[k][3] = of_b.x, c.v[k][4] = of_b.y, c.v[k][5] = of_b.z;
  }
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
      float column[2] = {c.v[x][i], 0.0f};
      if (dim > 2)
        column[0] = wn_fma(part[2], c.v[(4 + x) % c.nodes][i] - c.v[x][i], c.v[x][i]);
      if (dim > 1) {
        const float low = c.v[(2 + x) % c.nodes][i];
        column[1] = dim > 2 ? wn_fma(part[2], c.v[(6 + x) % c.nodes][i] - low, low) : low;
        column[0] = wn_fma(part[1], column[1] - column[0], column[0]);
      }
      row[x] = column[0];
    }
    eb[i < 3 ? i : i + 1] = wn_fma(part[0], row[1] - row[0], row[0]);
  }
}

/* From the grid, where a particle is beyond the window; seldom. */
template <int dim>
__device__ __noinline__ void gather_far(const struct wn_grid_view *g, int32_t x,
                                        int32_t y, int32_t z, float px, float py,
                                        float pz, float eb[WN_NODAL_VALUES])
{
  const int32_t cell[3] = {x, y, z};
  const float part[3] = {px, py, pz};
  wn_nodal_gather(g, dim, cell, part, eb);
}

/* wn_midpoint_field.  Returns whether the place is in the window. */
template <int dim>
__device__ __forceinline__ bool
field_at(const struct wn_points &p, const struct args &a, const int32_t low[3],
         const float4 *e, const float4 *b, const int32_t x[3], struct cell_values<dim> &c,
         float eb[WN_NODAL_VALUES])
{
  int32_t cell[3] = {0, 0, 0}, at[3] = {0, 0, 0}, node = 0;
  float part[3] = {0.0f, 0.0f, 0.0f};
#pragma unroll
  for (int d = 0; d < dim; d++)
    wn_nodal_place(&p.grid, d, wn_nodal_inside(&p.grid, d, p.end[d], x[d]), &cell[d],
                   &part[d]);
  if (!wn_gpu_window_cell<dim>(p.grid, a.part, low, cell, at)) {
    float far[WN_NODAL_VALUES]; /* eb itself would be kept in memory */
    gather_far<dim>(&p.grid, cell[0], cell[1], cell[2], part[0], part[1], part[2], far);
#pragma unroll
    for (int i = 0; i < WN_NODAL_VALUES; i++)
      eb[i] = far[i];
    return false;
  }
#pragma unroll
  for (int d = 0; d < dim; d++)
    node += at[d] * (d == 0 ? 1 : a.part.step[d]);
  if (node != c.node)
    read_cell<dim>(a.part, e, b, node, c);
  gather_cell<dim>(c, part, eb);
  return true;
}

/* wn_midpoint_substep; per is 1. */
template <int dim, int relativistic>
__device__ __forceinline__ int substep(const struct wn_midpoint &m, const struct args &a,
                                       const int32_t low[3], const float4 *e,
                                       const float4 *b, struct cell_values<dim> &c,
                                       int32_t x[3], float u[3], bool &is_stray)
{
  float eb[WN_NODAL_VALUES], mean[3] = {0.0f, 0.0f, 0.0f}, slower = 1.0f;
  int32_t way[3] = {0, 0, 0};
  for (int i = 0; i < m.iterations; i++) {
    const float before[3] = {mean[0], mean[1], mean[2]};
    int32_t at[3] = {0, 0, 0};
#pragma unroll
    for (int d = 0; d < dim; d++)
      at[d] = x[d] + way[d];
    is_stray |= !field_at<dim>(m.points, a, low, e, b, at, c, eb);
    slower = wn_midpoint_mean(relativistic, m.beta, eb, u, mean);
#pragma unroll
    for (int d = 0; d < dim; d++)
      way[d] = wn_midpoint_way(&m, d, 1.0f, relativistic ? mean[d] * slower : mean[d]);
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

/* Place and integers of a particle. */
template <int dim> struct giving {
  int32_t cell[3], at[3], m[WN_TEN_MOMENTS];
  uint32_t part[3];
  uint64_t quanta;
  bool is_near; /* in the window, and light enough for 32 bits */
};

template <int kind, int relativistic>
__device__ __forceinline__ bool gives(const struct wn_points &p, const struct args &a,
                                      const int32_t low[3], const int32_t x[3],
                                      const float u[3], float w,
                                      struct giving<wn_gpu_point_kind<kind>::dim> &g)
{
  constexpr int dim = wn_gpu_point_kind<kind>::dim;
  const int64_t quanta = wn_point_weighs(dim, 3) ? wn_quanta(w) : (int64_t)WN_QUANTA;
  if (quanta == WN_QUANTA_MISFIT)
    return false;
  g.quanta = (uint64_t)quanta;
  wn_ten_moments(3, relativistic, a.ten.per_unit, u, g.m);
  wn_point_place(&p, dim, x, g.cell, g.part);
  g.is_near = wn_gpu_window_cell<dim>(p.grid, a.part, low, g.cell, g.at) &&
              (!wn_point_weighs(dim, 3) || quanta < (int64_t)1 << 31);
  return true;
}

template <int dim>
__device__ __forceinline__ void add_near(const struct args &a, unsigned int *sum,
                                         const struct giving<dim> &g)
{
  uint64_t q[WN_MAX_REACH];
  const int32_t first = wn_gpu_window_first<dim, WN_SHAPE_CIC>(a.part, g.at, g.part);
  wn_grid_divide(dim, WN_SHAPE_CIC, g.part, g.quanta, 0, q);
#pragma unroll
  for (int k = 0; k < 1 << dim; k++) {
    unsigned int *at = sum + wn_gpu_window_node<dim, WN_SHAPE_CIC>(a.part, first, k);
    atomicAdd(at, (unsigned int)q[k]);
#pragma unroll
    for (int i = 1; i < WN_TEN_MOMENTS; i++)
      atomicAdd(at + i * a.part.n,
                (unsigned int)wn_ten_moments_share((uint32_t)q[k], g.m[i]));
  }
}

/* To the sums of the grid; seldom. */
template <int dim>
__device__ __noinline__ void add_far(const struct wn_grid_view *grid,
                                     const struct wn_gpu_ten_view *ten,
                                     const struct giving<dim> *g)
{
  uint64_t q[WN_MAX_REACH];
  wn_grid_divide(dim, WN_SHAPE_CIC, g->part, g->quanta, 1, q);
  unsigned long long *first =
      ten->sum + wn_grid_first(grid, dim, WN_SHAPE_CIC, g->cell, g->part);
  for (int k = 0; k < 1 << dim; k++)
    for (int i = 0; i < WN_TEN_MOMENTS; i++)
      if (q[k] != 0)
        atomicAdd(
            first + (int64_t)wn_grid_offset(grid, dim, WN_SHAPE_CIC, k) +
                (int64_t)i * (int64_t)ten->nodes,
            (unsigned long long)(int64_t)wn_node_share(WN_NODE_TEN, i, q[k], g->m[i]));
}

/* A particle as the step has written it, to the sums of the grid, if it is of those in the window or of those not. */
template <int kind, int relativistic>
__device__ __noinline__ void add_written(const struct wn_points *p, const struct args *a,
                                         unsigned long long i, bool is_near,
                                         int32_t low_x, int32_t low_y, int32_t low_z)
{
  constexpr int dim = wn_gpu_point_kind<kind>::dim;
  const int32_t low[3] = {low_x, low_y, low_z};
  const struct wn_gpu_point<kind> r = wn_gpu_point_read<kind>(a->batch.records, i);
  int32_t x[3];
  float u[3], w;
  struct giving<dim> g;
  if (r.word[0].i < 0)
    return;
  wn_point_load(dim, 3, r.word, x, u, &w);
  if (gives<kind, relativistic>(*p, *a, low, x, u, w, g) && g.is_near == is_near)
    add_far<dim>(&p->grid, &a->ten, &g);
}

/* ---- the step */

/* Reads and writes each record once; sums: ten shared additions a node.  Limit: memory, with sums the additions.
 * Measured: bench/RESULTS.md. */
template <int kind, int relativistic, bool sums>
__global__ void
__launch_bounds__(BLOCK, wn_gpu_point_kind<kind>::dim == 3 ? RESIDENT : RESIDENT_FLAT)
    tiles_kernel(const __grid_constant__ struct wn_midpoint m,
                 const __grid_constant__ struct args a)
{
  constexpr int dim = wn_gpu_point_kind<kind>::dim;
  extern __shared__ float4 memory[];
  __shared__ unsigned long long of_points, of_nodes;
  __shared__ unsigned int n_noted, noted[sums ? NOTED : 1];
  float4 *const e = memory, *const b = memory + a.part.n;
  unsigned int *const sum = (unsigned int *)(memory + 2 * a.part.n);
  const struct wn_gpu_chunk c = a.chunk[blockIdx.x];
  if (c.n == 0)
    return; /* the whole block */
  int32_t low[3] = {0, 0, 0};
  wn_gpu_window_low<dim>(a.part, a.tiling, c.tile, low);
  const auto for_nodes =
      [&](auto f) { /* f(index in the window, in the grid) */
                    wn_gpu_window_nodes<dim, WN_SHAPE_CIC, false>(
                        m.points.grid, a.part, low, 0, BLOCK / 32,
                        [&](int32_t k, int32_t x, int32_t of_row) {
                          f(k, of_row + wn_gpu_window_along<WN_SHAPE_CIC, false>(
                                            m.points.grid, low[0], 0, x));
                        });
      };
  for_nodes([&](int32_t k, int32_t at) {
    e[k] = __ldg((const float4 *)m.points.grid.eb + 2 * (int64_t)at);
    b[k] = __ldg((const float4 *)m.points.grid.eb + 2 * (int64_t)at + 1);
  });
  if (sums)
    for (int32_t k = (int32_t)threadIdx.x; k < WN_TEN_MOMENTS * a.part.n; k += BLOCK)
      sum[k] = 0;
  if (threadIdx.x == 0)
    of_points = of_nodes = n_noted = 0;
  __syncthreads();
  struct own own = {0, 0, 0};
  for (unsigned int i = threadIdx.x; i < c.n; i += BLOCK) {
    struct wn_gpu_point<kind> r = wn_gpu_point_read<kind>(a.batch.records, c.first + i);
    int32_t x[3] = {0, 0, 0};
    float u[3] = {0.0f, 0.0f, 0.0f}, w;
    int side = -1;
    bool is_stray = false;
    struct cell_values<dim> cell;
    cell.node = -1;
    if (r.word[0].i < 0)
      continue;
    wn_point_load(dim, 3, r.word, x, u, &w);
    for (unsigned int step = 0; step < a.batch.steps; step++)
      for (int32_t k = 0; k < m.substeps && side < 0; k++)
        side = substep<dim, relativistic>(m, a, low, e, b, cell, x, u, is_stray);
    own.strays += is_stray;
    if (side >= 0) {
      wn_gpu_point_ended<3>(&m.points, a.batch.sums, u[0], u[1], u[2], w, side);
      r.word[0].i = WN_POINT_DEAD;
    } else {
      wn_point_store(dim, 3, r.word, x, u);
    }
    wn_gpu_point_write<kind>(a.batch.records, c.first + i, r);
    if (sums && side < 0) {
      struct giving<dim> g;
#pragma unroll
      for (int d = 0; d < 3; d++) /* of what is no number they are above all */
        own.most = max(own.most, __float_as_uint(fabsf(u[d])));
      if (!gives<kind, relativistic>(m.points, a, low, x, u, w, g)) {
        atomicAdd(&a.ten.found->misfits, 1ull);
      } else if (g.is_near) {
        own.quanta += g.quanta;
        add_near<dim>(a, sum, g);
      } else {
        const unsigned int k = atomicAdd(&n_noted, 1u);
        if (k < NOTED)
          noted[k] = i;
        else
          add_written<kind, relativistic>(&m.points, &a, c.first + i, false, low[0],
                                          low[1], low[2]);
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
  for (unsigned int k = threadIdx.x; k < min(n_noted, (unsigned int)NOTED); k += BLOCK)
    add_written<kind, relativistic>(&m.points, &a, c.first + noted[k], false, low[0],
                                    low[1], low[2]);
  of_warp = wn_gpu_warp_sum(wn_gpu_window_sum(a.part, sum, BLOCK));
  if (threadIdx.x % 32 == 0)
    atomicAdd(&of_nodes, of_warp);
  int is_large = 0;
  for (int32_t k = (int32_t)threadIdx.x; k < a.part.n; k += BLOCK)
    is_large |= sum[k] >= WN_MOMENT_NEAR;
  if (__syncthreads_or(is_large) || of_nodes != of_points) { /* the whole block */
    for (unsigned int i = threadIdx.x; i < c.n; i += BLOCK)
      add_written<kind, relativistic>(&m.points, &a, c.first + i, true, low[0], low[1],
                                      low[2]);
    return;
  }
  for_nodes([&](int32_t k, int32_t at) {
    if (sum[k] == 0) /* then all are: no share is below 0 */
      return;
    atomicAdd(a.ten.sum + at, (unsigned long long)sum[k]);
#pragma unroll
    for (int i = 1; i < WN_TEN_MOMENTS; i++)
      atomicAdd(a.ten.sum + at + (int64_t)i * (int64_t)a.ten.nodes,
                (unsigned long long)(long long)(int)sum[i * a.part.n + k]);
  });
}

template <int kind, int relativistic, bool sums>
int launch(struct wn_gpu_store *t, const struct wn_midpoint *m, const struct args &a,
           size_t shared)
{
  const auto kernel = tiles_kernel<kind, relativistic, sums>;
  if (shared > 40 * 1024) /* 48 kB are available by default, some of it static */
    WN_TRY(wn_gpu_check((int)cudaFuncSetAttribute(
                            (const void *)kernel,
                            cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared),
                        "shared memory of a tile (take smaller ones)"));
  kernel<<<t->tiles->n_chunks, BLOCK, shared, t->gpu->stream>>>(*m, a);
  return wn_gpu_check((int)cudaGetLastError(), "points in E and B");
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
  struct args a = {};
  a.batch = batch;
  a.tiling = t->tiles->tiling;
  a.chunk = t->tiles->chunk;
  const size_t nodes = wn_gpu_window_of_tile(&m->points.grid, &a.tiling, &a.part);
  WN_TRY(wn_gpu_ten_begin(t, (size_t)wn_grid_nodes(&m->points.grid), &a.ten));
  const bool sums = a.ten.sum != NULL;
  const size_t shared =
      nodes * (2 * sizeof(float4) + (sums ? WN_TEN_MOMENTS * sizeof(unsigned int) : 0));
  return wn_gpu_for_kind(m->points.kind, [&](auto kind) {
    constexpr int is = decltype(kind)::is;
    if constexpr (wn_gpu_point_kind<is>::n_v == 3)
      return m->points.relativistic ? (sums ? launch<is, 1, true>(t, m, a, shared)
                                            : launch<is, 1, false>(t, m, a, shared))
                                    : (sums ? launch<is, 0, true>(t, m, a, shared)
                                            : launch<is, 0, false>(t, m, a, shared));
    return WN_FAIL(WN_EINTERN, "points of two velocities in E and B on nodes");
  });
}
