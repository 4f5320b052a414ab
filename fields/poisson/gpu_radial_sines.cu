/* fields/poisson/gpu_radial_sines.cu - in r-z between two walls along z, for a power of two of cells (gpu_sines.h): from
 * the charge of nodes to sine modes in one pass over memory, from modes to lines of the potential in another, and a third
 * turns these.  Written along r by blocks that have two lines, in parts of a sector of 32 bytes, the second pass
 * took 1.77 ms of 8192 x 8192 nodes, the first, which reads them so, 0.98 (H100, 2026-11-26).
 *
 * Lines of neighbouring r are the parts of a complex line of m points, in the shared memory of a block
 * (gpu_pairs.cuh has the formulae of sines).  The transform is in place, by stages of radix 8 from
 * distant points to near ones, so that a stage needs one barrier and no second buffer; mode k is then at the place
 * with its digits in reversed order.  The low three bits of a place are added, without carries, to those of
 * all higher digits: eight points whose places differ in three successive bits are in different banks.
 *
 * Running sums of modes are those of eight terms of a thread, of the threads of a warp, and of warps, in a fixed
 * order: rounding grows with the logarithm of their number. */
#include "fields/poisson/gpu.cuh"
#include <stdlib.h>
#include "base/alloc.h"
#include "fields/poisson/gpu_pairs.cuh"
#include "fields/poisson/gpu_sines.h"
#include "physics/constants.h"

#define WARP   32
#define POINTS WN_POISSON_SINES_POINTS
#define EACH   (POINTS / 2) /* pairs of modes 2k, 2k + 1 of a thread */

template <int log2_cells> struct line {
  static constexpr int cells = 1 << log2_cells, threads = cells / POINTS;
};

static __device__ int place(int i)
{
  return i ^ (i >> 3 & 7) ^ (i >> 6 & 7) ^ (i >> 9 & 7) ^ (i >> 12 & 7);
}

/* ---- the complex transform */

/* Transforms of length points, which follow each other: to R of length/R. */
template <int log2_cells, int R, int length>
static __device__ void stage(const double2 *roots, double2 *z)
{
  constexpr int m = 1 << log2_cells, apart = length / R;
#pragma unroll
  for (int i = 0; i < POINTS / R; i++) {
    const int q = i * line<log2_cells>::threads + (int)threadIdx.x, j = q % apart,
              first = q / apart * length + j;
    double2 v[R];
#pragma unroll
    for (int r = 0; r < R; r++)
      v[r] = z[place(first + r * apart)];
    wn_pairs_dft<R>::of(v);
    if (apart > 1) {
      const double2 one = roots[j * (m / length)], two = wn_pairs_times(one, one);
      double2 odd = one, even = two;
#pragma unroll
      for (int r = 1; r < R; r++) {
        v[r] = wn_pairs_times(v[r], r % 2 != 0 ? odd : even);
        if (r % 2 != 0)
          odd = wn_pairs_times(odd, two);
        else
          even = wn_pairs_times(even, two);
      }
    }
#pragma unroll
    for (int r = 0; r < R; r++)
      z[place(first + r * apart)] = v[r];
  }
  __syncthreads();
}

template <int log2_cells, int log2_length>
static __device__ void stages(const double2 *roots, double2 *z)
{
  if constexpr (log2_length >= 3) {
    stage<log2_cells, 8, 1 << log2_length>(roots, z);
    stages<log2_cells, log2_length - 3>(roots, z);
  } else if constexpr (log2_length > 0) {
    stage<log2_cells, 1 << log2_length, 1 << log2_length>(roots, z);
  }
}

/* Where the transform leaves mode k. */
template <int log2_cells> static __device__ int reversed(int k)
{
  int at = 0, left = log2_cells;
#pragma unroll
  for (int digit = 0; digit < log2_cells / 3; digit++) {
    left -= 3;
    at |= (k & 7) << left;
    k >>= 3;
  }
  return at | k;
}

/* ---- values to points, and modes */

/* Points j and m - j of values a and b there; s: sin(pi j/m). */
template <int log2_cells>
static __device__ void put(double2 *z, int j, double s, double2 a, double2 b)
{
  const double2 even = wn_pairs_scaled(s, wn_pairs_plus(a, b)),
                odd = wn_pairs_scaled(0.5, wn_pairs_minus(a, b));
  z[place(j)] = wn_pairs_plus(even, odd);
  z[place((1 << log2_cells) - j)] = wn_pairs_minus(even, odd);
}

static __device__ double2 shifted(double2 v, int apart, int lane)
{
  const double2 of = make_double2(__shfl_up_sync(0xffffffffu, v.x, apart),
                                  __shfl_up_sync(0xffffffffu, v.y, apart));
  return lane >= apart ? of : make_double2(0.0, 0.0);
}

/* The sum over the threads before this one.  Ends with no barrier. */
template <int threads> static __device__ double2 sum_before(double2 own, double2 *sums)
{
  const int lane = (int)threadIdx.x % WARP, warp = (int)threadIdx.x / WARP;
  double2 sum = own;
  for (int apart = 1; apart < WARP; apart *= 2)
    sum = wn_pairs_plus(sum, shifted(sum, apart, lane));
  double2 before = shifted(sum, 1, lane);
  if (threads == WARP)
    return before;
  if (lane == WARP - 1)
    sums[warp] = sum;
  __syncthreads();
  double2 others = make_double2(0.0, 0.0);
  for (int i = 0; i < warp; i++)
    others = wn_pairs_plus(others, sums[i]);
  return wn_pairs_plus(others, before);
}

/* Transforms the points, and calls take(k, even, odd) with the modes 2k and 2k + 1 of both lines for each
 * k of this thread.  Begins with a barrier. */
template <int log2_cells, class Take>
static __device__ void transform(const double2 *roots, double2 *z, double2 *sums,
                                 const Take &take)
{
  constexpr int m = 1 << log2_cells;
  __syncthreads();
  stages<log2_cells, log2_cells>(roots, z);
  double2 even[EACH], odd[EACH], sum = make_double2(0.0, 0.0);
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    const int k = EACH * (int)threadIdx.x + i;
    const double2 a = z[place(reversed<log2_cells>(k))],
                  b = z[place(reversed<log2_cells>((m - k) % m))];
    even[i] = make_double2(0.5 * (b.y - a.y), 0.5 * (a.x - b.x));
    sum = wn_pairs_add_scaled(sum, k == 0 ? 0.25 : 0.5, wn_pairs_plus(a, b));
    odd[i] = sum;
  }
  const double2 before = sum_before<line<log2_cells>::threads>(sum, sums);
#pragma unroll
  for (int i = 0; i < EACH; i++)
    take(EACH * (int)threadIdx.x + i, even[i], wn_pairs_plus(before, odd[i]));
}

/* Two lines, from first on; the second may be none. */
struct two_of {
  int first, both;
};

static __device__ struct two_of lines_here(int n)
{
  struct two_of t;
  t.first = 2 * (int)blockIdx.x;
  t.both = t.first + 1 < n;
  return t;
}

/* Mode i = 0 .. POINTS/2 - 1 below cells/2 of this thread, by k mod 8 as they are in a row: 2k, then 2k + 1. */
template <int log2_cells> static __device__ int mode_here(int i)
{
  constexpr int threads = line<log2_cells>::threads;
  const int q = i % (POINTS / 4) * threads + (int)threadIdx.x;
  return 2 * (8 * (q % (threads / 2)) + q / (threads / 2)) + i / (POINTS / 4);
}

/* ---- kernels: a block has two lines.  Limit: memory, each node once; loads and shared memory take turns. */

template <int log2_cells>
static __global__ void __launch_bounds__(line<log2_cells>::threads)
    forward_kernel(const __grid_constant__ struct wn_poisson_radial r,
                   const double *WN_RESTRICT tables, const double *WN_RESTRICT rho,
                   double *WN_RESTRICT modes)
{
  extern __shared__ double2 points[]; /* [cells], sums of warps */
  constexpr int m = 1 << log2_cells, threads = line<log2_cells>::threads;
  const double *sines = tables + 2 * m;
  const struct two_of t = lines_here(r.n);
  const double share[2] = {wn_axis_share(&r.radius, t.first) / WN_EPS0,
                           wn_axis_share(&r.radius, t.first + t.both) / WN_EPS0},
               wall[2] = {t.first == r.n - 1 ? r.to_wall : 0.0,
                          t.first + 1 == r.n - 1 ? r.to_wall : 0.0};
  const auto value = [&](int j) {
    const double *at = rho + (int64_t)j * r.nodes[0] + t.first;
    const double level = r.volt[1] - (r.low + r.rise * (double)j);
    double2 v = make_double2(0.0, 0.0);
    if (t.both && j % 2 == 0) /* an even number of nodes before it */
      v = *(const double2 *)at;
    else
      v = make_double2(at[0], t.both ? at[1] : 0.0);
    return make_double2(fma(share[0], v.x, wall[0] * level),
                        fma(share[1], v.y, wall[1] * level));
  };
#pragma unroll
  for (int i = 0; i < POINTS / 2; i++) {
    const int j = i * threads + (int)threadIdx.x;
    if (i == 0 && threadIdx.x == 0) {
      const double2 middle = value(m / 2);
      points[0] = make_double2(0.0, 0.0);
      points[place(m / 2)] = wn_pairs_plus(middle, middle);
    } else {
      put<log2_cells>(points, j, sines[j], value(j), value(m - j));
    }
  }
  double *to = modes + (int64_t)t.first * m;
  transform<log2_cells>((const double2 *)tables, points, points + m,
                        [&](int k, double2 even, double2 odd) {
                          const int at = wn_poisson_sines_place(log2_cells, 2 * k);
                          to[at] = k == 0 ? 0.0 : even.x;
                          to[at + m / 2] = odd.x;
                          if (t.both) {
                            to[at + m] = k == 0 ? 0.0 : even.y;
                            to[at + m + m / 2] = odd.y;
                          }
                        });
}

/* To phi of the unknown nodes, line by line, in the place of the modes. */
template <int log2_cells>
static __global__ void __launch_bounds__(line<log2_cells>::threads)
    back_kernel(const __grid_constant__ struct wn_poisson_radial r,
                const double *WN_RESTRICT tables, double *modes)
{
  extern __shared__ double2 points[];
  constexpr int m = 1 << log2_cells, threads = line<log2_cells>::threads;
  const double *sines = tables + 2 * m;
  const struct two_of t = lines_here(r.n);
  double *own = modes + (int64_t)t.first * m;
  const auto value = [&](int j) {
    const int at = wn_poisson_sines_place(log2_cells, j);
    return make_double2(own[at], t.both ? own[at + m] : 0.0);
  };
  double2 low[POINTS / 2],
      high[POINTS / 2]; /* all on their way before the first is used */
#pragma unroll
  for (int i = 0; i < POINTS / 2; i++) {
    const int j = mode_here<log2_cells>(i);
    low[i] = value(j);
    high[i] = value(j == 0 ? m / 2 : m - j);
  }
#pragma unroll
  for (int i = 0; i < POINTS / 2; i++) {
    const int j = mode_here<log2_cells>(i);
    if (i == 0 && threadIdx.x == 0) { /* j is 0 */
      points[0] = make_double2(0.0, 0.0);
      points[place(m / 2)] = wn_pairs_plus(high[0], high[0]);
    } else {
      put<log2_cells>(points, j, sines[j], low[i], high[i]);
    }
  }
  transform<log2_cells>((const double2 *)tables, points, points + m,
                        [&](int k, double2 even, double2 odd) {
                          points[place(2 * k)] = even;
                          points[place(2 * k + 1)] = odd;
                        });
  __syncthreads();
#pragma unroll
  for (int i = 0; i < POINTS; i++) {
    const int j = i * threads + (int)threadIdx.x;
    const double2 v = points[place(j)];
    const double level = r.low + r.rise * (double)j;
    own[j] = fma(v.x, r.scale, level);
    if (t.both)
      own[j + m] = fma(v.y, r.scale, level);
  }
}

/* Lines of phi to nodes, with those of the walls.  A block turns a tile; limit: memory. */
#define TILE 32
#define ROWS 8
static __global__ void __launch_bounds__(TILE *ROWS)
    nodes_kernel(const __grid_constant__ struct wn_poisson_radial r, int m,
                 const double *WN_RESTRICT lines, double *WN_RESTRICT phi)
{
  __shared__ double tile[TILE][TILE + 1];
  const int i_0 = (int)blockIdx.x * TILE, j_0 = (int)blockIdx.y * TILE,
            x = (int)threadIdx.x;
#pragma unroll
  for (int k = (int)threadIdx.y; k < TILE; k += ROWS)
    if (i_0 + k < r.n && j_0 + x < m)
      tile[k][x] = lines[(int64_t)(i_0 + k) * m + j_0 + x];
  __syncthreads();
#pragma unroll
  for (int k = (int)threadIdx.y; k < TILE; k += ROWS) {
    const int i = i_0 + x, j = j_0 + k;
    if (i < r.nodes[0] && j <= m)
      phi[(int64_t)j * r.nodes[0] + i] = i >= r.n ? r.volt[1]
                                         : j == 0 ? r.volt[2]
                                         : j == m ? r.volt[3]
                                                  : tile[x][k];
  }
}

/* ---- launches */

int wn_poisson_sines_create(struct wn_gpu *g, int log2_cells, double **tables)
{
  const size_t n = wn_poisson_sines_table(log2_cells);
  double *own = (double *)wn_alloc(n, sizeof *own);
  if (own == NULL)
    return WN_ENOMEM;
  wn_poisson_sines_tables(log2_cells, own);
  int status = wn_gpu_array(g, "modes", n, tables);
  if (status == WN_OK)
    status = wn_gpu_check((int)cudaMemcpyAsync(*tables, own, n * sizeof *own,
                                               cudaMemcpyHostToDevice, g->stream),
                          "modes");
  if (status == WN_OK)
    status = wn_gpu_wait(g, "modes");
  free(own);
  return status;
}

template <int log2_cells>
static int launch(const struct wn_gpu *g, const struct wn_poisson_radial *r,
                  const double *tables, const double *rho, double *modes)
{
  typedef line<log2_cells> L;
  const bool is_back = rho == NULL;
  const size_t shared = (L::cells + L::threads / WARP) * sizeof(double2);
  const unsigned int blocks = (unsigned int)((r->n + 1) / 2);
  WN_TRY(wn_gpu_check(
      (int)cudaFuncSetAttribute(is_back ? (const void *)back_kernel<log2_cells>
                                        : (const void *)forward_kernel<log2_cells>,
                                cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared),
      "shared memory of Poisson's equation"));
  if (is_back)
    back_kernel<log2_cells><<<blocks, L::threads, shared, g->stream>>>(*r, tables, modes);
  else
    forward_kernel<log2_cells>
        <<<blocks, L::threads, shared, g->stream>>>(*r, tables, rho, modes);
  return wn_gpu_check((int)cudaGetLastError(), "sines along z");
}

static int launch_of(const struct wn_gpu *g, int log2_cells,
                     const struct wn_poisson_radial *r, const double *tables,
                     const double *rho, double *modes)
{
  static_assert(WN_POISSON_SINES_LEAST == 9 && WN_POISSON_SINES_MOST == 13, "cases");
  switch (log2_cells) {
  case 9:
    return launch<9>(g, r, tables, rho, modes);
  case 10:
    return launch<10>(g, r, tables, rho, modes);
  case 11:
    return launch<11>(g, r, tables, rho, modes);
  case 12:
    return launch<12>(g, r, tables, rho, modes);
  case 13:
    return launch<13>(g, r, tables, rho, modes);
  default:
    return WN_FAIL(WN_EINTERN, "no transform of 2^%d cells", log2_cells);
  }
}

int wn_poisson_sines(const struct wn_gpu *g, int log2_cells,
                     const struct wn_poisson_radial *r, const double *tables,
                     const double *rho, double *modes)
{
  return launch_of(g, log2_cells, r, tables, rho, modes);
}

int wn_poisson_sines_back(const struct wn_gpu *g, int log2_cells,
                          const struct wn_poisson_radial *r, const double *tables,
                          double *modes, double *phi)
{
  const dim3 tiles((unsigned int)((r->nodes[0] + TILE - 1) / TILE),
                   (unsigned int)((r->nodes[1] + TILE - 1) / TILE));
  WN_TRY(launch_of(g, log2_cells, r, tables, NULL, modes));
  nodes_kernel<<<tiles, dim3(TILE, ROWS), 0, g->stream>>>(*r, 1 << log2_cells, modes,
                                                          phi);
  return wn_gpu_check((int)cudaGetLastError(), "lines to the potential");
}
