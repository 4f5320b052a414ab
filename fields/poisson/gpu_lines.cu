/* fields/poisson/gpu_lines.cu - from nodes to lines, from lines along one axis to lines
 * along another, and back to nodes; operations on modes in between.  Each kernel reads
 * and writes every value about once: the limit should be memory.  For 256^3 cells between
 * walls each takes 110 to 190 us on an H200 (2026-11-22); reading and writing its lines
 * of twice the cells takes 95 to 126.
 *
 * A block takes tiles of 32 places along the axis that is contiguous where it writes and 32
 * along the one that is contiguous where it reads. */
#include "fields/poisson/gpu.cuh"
#include "physics/constants.h"

#define TILE 32
#define ROWS 8 /* of threads; each takes TILE / ROWS places of the tile */

typedef struct wn_poisson_lines lines;

/* ---- values of a line to the points of its transform, and back */

/* Axes are constants, so that places stay in registers. */
template <int along> static __device__ int64_t line_at(const lines &l, const int c[3])
{
  const int a = along == 0 ? 1 : 0, b = along == 2 ? 1 : 2;
  return ((int64_t)c[b] * l.extent[a] + c[a]) * l.row;
}

/* Entries of a line before its transform: complex numbers, reals, or pairs of reals that are
 * mirror images. */
static __host__ __device__ int entries(const lines &l)
{
  return l.kind == WN_FFT_SINES || l.kind == WN_FFT_COSINES ||
                 !wn_poisson_lines_from_reals(&l)
             ? l.m / 2 + 1
             : l.m;
}

/* The values of a line, one or two, that make entry i before its transform; NONE: the
 * value is 0, or not used.  With FFTW's names of the sums:
 *   RODFT00  Y_k = 2 sum x_j sin(pi (j + 1)(k + 1)/c) = -Im F_(k+1) of the odd line
 *   REDFT00  Y_k = Re F_k of the even line
 *   REDFT01  Y_k = x_0 + 2 sum x_j cos(pi j (k + 1/2)/n); with v_m = Y_(2m) and
 *            v_(n-1-m) = Y_(2m+1), v is the real line of the modes
 *            exp(i pi k/2n)(x_k - i x_(n-k)), x_n = 0
 *   REDFT10  Y_k = 2 sum x_j cos(pi (j + 1/2) k/n) = 2 Re(exp(-i pi k/2n) V_k), V the modes
 *            of that v of x; and for n - k the imaginary part, negative */
#define NONE (-1)

static __device__ int first_of(const lines &l, int i)
{
  const int n = l.n;
  if (l.kind == WN_FFT_PERIODIC)
    return i;
  if (l.kind == WN_FFT_SINES)
    return i == 0 || i == l.m / 2 ? NONE : i - 1;
  if (l.kind == WN_FFT_COSINES)
    return i;
  if (l.is_back)
    return i < (n + 1) / 2 ? 2 * i : 2 * n - 2 * i - 1;
  return l.is_turned ? n - 1 - i : i;
}

static __device__ int second_of(const lines &l, int i)
{
  if (l.kind == WN_FFT_PERIODIC && l.is_back)
    return i == 0 || 2 * i == l.n ? NONE : l.n - i;
  if (l.kind == WN_FFT_COSINES_HALF && !l.is_back && i > 0)
    return l.is_turned ? i - 1 : l.n - i;
  return NONE;
}

/* Entry i of the line, from these values. */
static __device__ void put(const lines &l, double *line, int i, double a, double b)
{
  if (wn_poisson_lines_from_reals(&l)) {
    line[i] = a;
    if (l.kind != WN_FFT_PERIODIC && l.kind != WN_FFT_COSINES_HALF && i > 0 &&
        2 * i < l.m)
      line[l.m - i] = l.kind == WN_FFT_SINES ? -a : a;
  } else if (l.kind == WN_FFT_PERIODIC) {
    ((double2 *)line)[i] = make_double2(a, b);
  } else {
    const double2 w = ((const double2 *)l.turns)[i];
    ((double2 *)line)[i] = make_double2(w.x * a + w.y * b, w.y * a - w.x * b);
  }
}

/* Value k of a line after its transform. */
static __device__ double take(const lines &l, const double *line, int k)
{
  const double2 *mode = (const double2 *)line;
  const int n = l.n, half = l.m / 2;
  if (l.kind == WN_FFT_PERIODIC) {
    if (l.is_back)
      return line[k];
    return k <= half ? mode[k].x : mode[n - k].y;
  } else if (l.kind == WN_FFT_SINES) {
    return -mode[k + 1].y;
  } else if (l.kind == WN_FFT_COSINES) {
    return mode[k].x;
  } else if (!l.is_back) {
    return line[k % 2 == 0 ? k / 2 : n - 1 - k / 2];
  }
  k = l.is_turned ? n - 1 - k : k;
  const int j = k <= half ? k : n - k;
  const double2 w = ((const double2 *)l.turns)[j], v = mode[j];
  return k <= half ? 2.0 * (w.x * v.x + w.y * v.y) : -2.0 * (w.x * v.y - w.y * v.x);
}

/* ---- tiles */

/* f(i, c) for places i = 0 .. n - 1 along axis `x` and all others of the extent, in tiles
 * across axes x and y; c has the places along the other two axes. */
template <int x, int y, class F>
static __device__ void for_tile(int n, const int extent[3], const F &f)
{
  const int z = 3 - x - y, i = (int)(blockIdx.x * TILE + threadIdx.x);
  if (i >= n)
    return;
  for (int cz = (int)blockIdx.z; cz < extent[z]; cz += (int)gridDim.z)
    for (int k = 0; k < TILE; k += ROWS) {
      const int cy = (int)(blockIdx.y * TILE + threadIdx.y) + k;
      int c[3] = {0, 0, 0};
      c[y] = cy;
      c[z] = cz;
      if (cy < extent[y])
        f(i, c);
    }
}

static dim3 tiles(int n, const int extent[3], int x, int y)
{
  const int z = 3 - x - y;
  return dim3((unsigned int)((n + TILE - 1) / TILE),
              (unsigned int)((extent[y] + TILE - 1) / TILE),
              (unsigned int)(extent[z] < 65535 ? extent[z] : 65535));
}

static const dim3 threads(TILE, ROWS);

/* The second axis of a tile beside x, where reads are contiguous along `other`. */
static __host__ __device__ constexpr int across(int x, int other)
{
  return x != other ? other : x == 0 ? 1 : 0;
}

/* All entries of lines before their transform, from values that are contiguous along axis
 * `other` where they are read; value(c) is that at c.  Where that is another axis, a tile
 * is read along it and written along the lines. */
template <int x, int other, class Value>
static __device__ void fill(const lines &t, double *to, const Value &value)
{
  const int y = across(x, other), z = 3 - x - y;
  __shared__ double tile[2][TILE][TILE + 1];
  const int n = entries(t);
  const int i_0 = (int)blockIdx.x * TILE, y_0 = (int)blockIdx.y * TILE;
  const bool turns = x != other;
  for (int cz = (int)blockIdx.z; cz < t.extent[z]; cz += (int)gridDim.z) {
    for (int k = (int)threadIdx.y; k < TILE; k += ROWS) {
      const int along = turns ? k : (int)threadIdx.x,
                beside = turns ? (int)threadIdx.x : k;
      const int i = i_0 + along;
      int c[3];
      c[x] = 0;
      c[y] = y_0 + beside;
      c[z] = cz;
      if (i >= n || c[y] >= t.extent[y])
        continue;
      const int first = first_of(t, i), second = second_of(t, i);
      double a = 0.0, b = 0.0;
      if (first != NONE) {
        c[x] = first;
        a = value(c);
      }
      if (second != NONE) {
        c[x] = second;
        b = value(c);
      }
      if (turns) {
        tile[0][along][beside] = a;
        tile[1][along][beside] = b;
      } else {
        put(t, to + line_at<x>(t, c), i, a, b);
      }
    }
    if (!turns)
      continue;
    __syncthreads();
    for (int k = (int)threadIdx.y; k < TILE; k += ROWS) {
      const int i = i_0 + (int)threadIdx.x;
      int c[3];
      c[x] = 0;
      c[y] = y_0 + k;
      c[z] = cz;
      if (i < n && c[y] < t.extent[y])
        put(t, to + line_at<x>(t, c), i, tile[0][threadIdx.x][k],
            tile[1][threadIdx.x][k]);
    }
    __syncthreads();
  }
}

/* ---- nodes to lines and back */

static __device__ double value_of(const struct wn_poisson_source &s,
                                  const int32_t extent[3], const double *from,
                                  const int c[3])
{
  int64_t at = 0;
  double sum;
#pragma unroll
  for (int d = 0; d < 3; d++) {
    const int i = s.is_even[d] && c[d] > extent[d] / 2 ? extent[d] - c[d] : c[d];
    if (i >= s.limit[d])
      return 0.0;
    at += (s.box.first[d] + i) * s.box.step[d];
  }
  sum = from[at] / s.divisor;
  for (int d = 0; d < 3; d++) {
    if (c[d] == 0)
      sum += s.wall[2 * d];
    if (c[d] == extent[d] - 1)
      sum += s.wall[2 * d + 1];
  }
  return sum;
}

template <int along>
static __global__ void load_kernel(const __grid_constant__ struct wn_poisson_source s,
                                   const double *WN_RESTRICT from,
                                   const __grid_constant__ lines t,
                                   double *WN_RESTRICT to)
{
  fill<along, 0>(t, to, [&](const int c[3]) { return value_of(s, t.extent, from, c); });
}

/* The kernel for axis `along`. */
#define BY_AXIS(along, kernel)                                                           \
  ((along) == 0 ? kernel<0> : (along) == 1 ? kernel<1> : kernel<2>)

int wn_poisson_load(const struct wn_gpu *g, const struct wn_poisson_source *s,
                    const double *from, const lines *t, double *to)
{
  const dim3 grid = tiles(entries(*t), t->extent, t->along, across(t->along, 0));
  BY_AXIS(t->along, load_kernel)<<<grid, threads, 0, g->stream>>>(*s, from, *t, to);
  return wn_gpu_check((int)cudaGetLastError(), "charge to lines");
}

template <int along>
static __global__ void
unload_kernel(const __grid_constant__ lines s, const double *WN_RESTRICT from,
              const __grid_constant__ struct wn_poisson_target t, double *WN_RESTRICT to)
{
  for_tile<0, across(0, along)>(t.box.nodes[0], t.box.nodes, [&](int i, int c[3]) {
    c[0] = i;
    const int64_t at = c[0] * t.box.step[0] + c[1] * t.box.step[1] + c[2] * t.box.step[2];
    for (int d = 0; d < 3; d++)
      for (int high = 0; high < 2; high++)
        if ((t.held >> (2 * d + high) & 1) != 0 &&
            c[d] == (high ? t.box.nodes[d] - 1 : 0)) {
          to[at] = t.volt[2 * d + high];
          return;
        }
    for (int d = 0; d < 3; d++)
      c[d] = t.wraps[d] > 0 && c[d] == t.wraps[d] ? 0 : c[d];
    const int node = t.lift.axis == 0 ? c[0] : t.lift.axis == 1 ? c[1] : c[2];
    for (int d = 0; d < 3; d++)
      c[d] -= t.box.first[d];
    to[at] = take(s, from + line_at<along>(s, c), c[along]) + t.lift.low +
             t.lift.rise * (double)node;
  });
}

int wn_poisson_unload(const struct wn_gpu *g, const lines *s, const double *from,
                      const struct wn_poisson_target *t, double *to)
{
  const dim3 grid = tiles(t->box.nodes[0], t->box.nodes, 0, across(0, s->along));
  BY_AXIS(s->along, unload_kernel)<<<grid, threads, 0, g->stream>>>(*s, from, *t, to);
  return wn_gpu_check((int)cudaGetLastError(), "lines to the potential");
}

/* ---- the same in r-z, lines along z: gpu_radial.cu */

/* V rho / eps0, and the term of the wall around the axis. */
static __device__ double radial_value(const struct wn_poisson_radial &r,
                                      const double *rho, const int c[3])
{
  const int64_t j = r.first + c[1];
  const double v =
      wn_axis_share(&r.radius, c[0]) * (rho[j * r.nodes[0] + c[0]] / WN_EPS0);
  return c[0] == r.n - 1 ? v + r.to_wall * (r.volt[1] - (r.low + r.rise * (double)j)) : v;
}

static __global__ void
load_radial_kernel(const __grid_constant__ struct wn_poisson_radial r,
                   const double *WN_RESTRICT rho, const __grid_constant__ lines t,
                   double *WN_RESTRICT to)
{
  fill<1, 0>(t, to, [&](const int c[3]) { return radial_value(r, rho, c); });
}

int wn_poisson_load_radial(const struct wn_gpu *g, const struct wn_poisson_radial *r,
                           const double *rho, const lines *t, double *to)
{
  load_radial_kernel<<<tiles(entries(*t), t->extent, 1, across(1, 0)), threads, 0,
                       g->stream>>>(*r, rho, *t, to);
  return wn_gpu_check((int)cudaGetLastError(), "charge to lines");
}

/* A tile is read along the lines and written along the rows of nodes. */
static __global__ void
unload_radial_kernel(const __grid_constant__ struct wn_poisson_radial r,
                     const __grid_constant__ lines s, const double *WN_RESTRICT from,
                     double *WN_RESTRICT phi)
{
  __shared__ double tile[TILE][TILE + 1];
  const int i_0 = (int)blockIdx.x * TILE, j_0 = (int)blockIdx.y * TILE;
  for (int k = (int)threadIdx.y; k < TILE; k += ROWS) {
    const int i = i_0 + k, node = j_0 + (int)threadIdx.x,
              j = (r.wraps > 0 && node == r.wraps ? 0 : node) - r.first;
    const int c[3] = {i, 0, 0};
    if (i < r.n && j >= 0 && j < s.n)
      tile[k][threadIdx.x] = take(s, from + line_at<1>(s, c), j);
  }
  __syncthreads();
  for (int k = (int)threadIdx.y; k < TILE; k += ROWS) {
    const int i = i_0 + (int)threadIdx.x, j = j_0 + k;
    if (i >= r.nodes[0] || j >= r.nodes[1])
      continue;
    const int side = i >= r.n                                        ? 1
                     : (r.held >> 2 & 1) != 0 && j == 0              ? 2
                     : (r.held >> 3 & 1) != 0 && j == r.nodes[1] - 1 ? 3
                                                                     : 0;
    phi[(int64_t)j * r.nodes[0] + i] =
        side > 0 ? r.volt[side]
                 : tile[threadIdx.x][k] * r.scale + (r.low + r.rise * (double)j);
  }
}

int wn_poisson_unload_radial(const struct wn_gpu *g, const struct wn_poisson_radial *r,
                             const lines *s, const double *from, double *phi)
{
  const dim3 grid((unsigned int)((r->nodes[0] + TILE - 1) / TILE),
                  (unsigned int)((r->nodes[1] + TILE - 1) / TILE));
  unload_radial_kernel<<<grid, threads, 0, g->stream>>>(*r, *s, from, phi);
  return wn_gpu_check((int)cudaGetLastError(), "lines to the potential");
}

/* ---- lines to lines */

struct eigenvalues {
  const double *axis[3]; /* 1/m2 */
  double norm;
  int floats; /* the first mode of all has none */
};

static __device__ double over(const struct eigenvalues &l, double value, int x, int y,
                              int z)
{
  if (l.floats && x == 0 && y == 0 && z == 0)
    return 0.0;
  return value / (l.norm * (l.axis[0][x] + (l.axis[1][y] + l.axis[2][z])));
}

template <int x, int y>
static __global__ void
turn_kernel(const __grid_constant__ lines s, const double *WN_RESTRICT from,
            const __grid_constant__ lines t, double *WN_RESTRICT to,
            const __grid_constant__ struct eigenvalues lambda)
{
  fill<y, x>(t, to, [&](const int c[3]) {
    const double value = take(s, from + line_at<x>(s, c), c[x]);
    return x == y ? over(lambda, value, c[0], c[1], c[2]) : value;
  });
}

static struct eigenvalues eigenvalues(const struct wn_poisson_transforms *p)
{
  struct eigenvalues l = {{p->lambda[0], p->lambda[1], p->lambda[2]}, p->norm, p->floats};
  return l;
}

/* From lines along x to lines along y. */
#define TURN(x, y)                                                                       \
  case 3 * x + y:                                                                        \
    turn_kernel<x, y><<<grid, threads, 0, p->gpu->stream>>>(*s, p->b, *t, p->a, lambda); \
    break

int wn_poisson_turn(const struct wn_poisson_transforms *p, const lines *s, const lines *t)
{
  const dim3 grid = tiles(entries(*t), t->extent, t->along, across(t->along, s->along));
  const struct eigenvalues lambda = eigenvalues(p);
  switch (3 * s->along + t->along) {
    TURN(0, 0);
    TURN(0, 1);
    TURN(1, 0);
    TURN(1, 1);
    TURN(1, 2);
    TURN(2, 1);
    TURN(2, 2);
  default:
    return WN_FAIL(WN_EINTERN, "lines along x do not become lines along z");
  }
  return wn_gpu_check((int)cudaGetLastError(), "modes");
}

/* ---- complex modes of all axes, the lines of x; x is the fastest and has half of them */

static __host__ __device__ int modes(const lines &l)
{
  return l.m / 2 + 1;
}

static __global__ void divide_kernel(const __grid_constant__ lines s, double *b,
                                     const __grid_constant__ struct eigenvalues lambda)
{
  for_tile<0, 1>(modes(s), s.extent, [&](int i, int c[3]) {
    double2 *mode = (double2 *)(b + line_at<0>(s, c)) + i, v = *mode;
    *mode =
        make_double2(over(lambda, v.x, i, c[1], c[2]), over(lambda, v.y, i, c[1], c[2]));
  });
}

int wn_poisson_divide(const struct wn_poisson_transforms *p)
{
  const lines *s = &p->layout.lines[0][0];
  divide_kernel<<<tiles(modes(*s), s->extent, 0, 1), threads, 0, p->gpu->stream>>>(
      *s, p->b, eigenvalues(p));
  return wn_gpu_check((int)cudaGetLastError(), "modes");
}

/* The transform of the Green function is real and even along each axis. */
static __device__ int64_t green_at(const lines &s, int i, const int c[3])
{
  const int y = c[1] <= s.extent[1] / 2 ? c[1] : s.extent[1] - c[1],
            z = c[2] <= s.extent[2] / 2 ? c[2] : s.extent[2] - c[2];
  const int n_x = s.m / 2 + 1, n_y = s.extent[1] > 1 ? s.extent[1] / 2 + 1 : 1;
  return i + n_x * (y + (int64_t)n_y * z);
}

static __global__ void convolve_kernel(const __grid_constant__ lines s, double *b,
                                       const double *green)
{
  for_tile<0, 1>(modes(s), s.extent, [&](int i, int c[3]) {
    double2 *mode = (double2 *)(b + line_at<0>(s, c)) + i, v = *mode;
    const double g = green[green_at(s, i, c)];
    *mode = make_double2(g * v.x, g * v.y);
  });
}

int wn_poisson_convolve(const struct wn_poisson_transforms *p)
{
  const lines *s = &p->layout.lines[0][0];
  convolve_kernel<<<tiles(modes(*s), s->extent, 0, 1), threads, 0, p->gpu->stream>>>(
      *s, p->b, p->green);
  return wn_gpu_check((int)cudaGetLastError(), "modes");
}

static __global__ void green_kernel(const __grid_constant__ lines s, const double *b,
                                    double norm, double *green)
{
  for_tile<0, 1>(modes(s), s.extent, [&](int i, int c[3]) {
    if (c[1] <= s.extent[1] / 2 && c[2] <= s.extent[2] / 2)
      green[green_at(s, i, c)] = ((const double2 *)(b + line_at<0>(s, c)))[i].x / norm;
  });
}

int wn_poisson_keep_green(const struct wn_poisson_transforms *p)
{
  const lines *s = &p->layout.lines[0][0];
  green_kernel<<<tiles(modes(*s), s->extent, 0, 1), threads, 0, p->gpu->stream>>>(
      *s, p->b, WN_EPS0 * p->norm, p->green);
  return wn_gpu_check((int)cudaGetLastError(), "Green function");
}

/* -i q of each mode, q = 2 pi k / length.  The mode of two nodes per wave has no
 * derivative at the nodes. */
template <int along>
static __global__ void derive_kernel(const __grid_constant__ lines s, double *b, double q)
{
  for_tile<along, across(along, 0)>(modes(s), s.extent, [&](int i, int c[3]) {
    double2 *mode = (double2 *)(b + line_at<along>(s, c)) + i, v = *mode;
    const double q_i = i == 0 || 2 * i == s.n ? 0.0 : q * (double)i;
    *mode = make_double2(q_i * v.y, -q_i * v.x);
  });
}

int wn_poisson_derive(const struct wn_poisson_transforms *p, const lines *s)
{
  const double n = (double)s->n, q = 2.0 * WN_PI / (n * wn_poisson_h(&p->spec, s->along));
  const dim3 grid = tiles(modes(*s), s->extent, s->along, across(s->along, 0));
  BY_AXIS(s->along, derive_kernel)<<<grid, threads, 0, p->gpu->stream>>>(*s, p->b, q / n);
  return wn_gpu_check((int)cudaGetLastError(), "modes of the field");
}
