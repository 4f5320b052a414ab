/* fields/poisson/gpu_shared.cu - by sines and cosines along each axis, as gpu_modes.cu, with transforms in
 * the shared memory of blocks (gpu_pairs.cuh).  Each pass over the unknowns reads and writes them once:
 * from rho along x; along y; along the last axis, with the division by the eigenvalues and the way back;
 * along y; along x to phi.  Five passes in three dimensions, three in two.
 *
 * Unknowns are [nz][ny][row]: each row is followed by zeros (WN_POISSON_PAIRS_ALIGN).  Pairs of lines along y
 * and z are neighbours along x, pairs along x are neighbouring rows. */
#include "fields/poisson/gpu.cuh"
#include <cooperative_groups.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "fields/poisson/gpu_pairs.cuh"
#include "fields/poisson/gpu_square.cuh"
#include "physics/constants.h"

#define WARP         32
#define MOST_THREADS 512
#define POINTS       8 /* of a thread, at least: those of its butterfly */
#define FEW_POINTS   2 /* the same in passes_kernel */
/* Unknowns of a grid that passes_kernel takes, in two and three dimensions: where the time is that of the first
 * instructions of kernels, not of memory (bench/RESULTS.md, 2026-11-26). */
#define FEW    500000
#define FEW_3D 100000
/* Bytes of a block: three of them to a multiprocessor, or one where there are no more blocks, if the device has
 * as much. */
#define SHARED       73728
#define SHARED_ALONE 147456

struct shared {
  struct wn_poisson_gpu head;
  struct wn_poisson_pairs axis[3];
  double *tables[3], *lambda[3], *values;
  size_t n_lambda[3], n_values;
  int32_t n[3], row; /* unknowns, 1 beyond dim, and a row of them with its zeros */
  double norm;
  int floats;
  int resident,
      threads;  /* blocks of passes_kernel, 0: a kernel a pass; and their threads */
  size_t bytes; /* of shared memory */
  int square;   /* log2 of the cells of an axis of square_kernel; 0: not this grid */
};

static struct shared *of(struct wn_poisson_gpu *p)
{
  return (struct shared *)(void *)p;
}

/* ---- parts of a block */

/* The two buffers, and sums. */
struct buffers {
  double2 *a, *b, *sums;
};

static __device__ struct buffers buffers_of(const struct wn_poisson_pairs &l)
{
  extern __shared__ double2 memory[];
  struct buffers s = {memory, memory + wn_pairs_buffer(l),
                      memory + 2 * wn_pairs_buffer(l)};
  return s;
}

/* Of row `row` of the block: the real or imaginary parts of a pair. */
static __device__ double *value_at(const struct wn_poisson_pairs &l, double2 *x, int i,
                                   int row)
{
  return (double *)(x + wn_pairs_at(l, wn_pairs_point(l, i), row / 2)) + row % 2;
}

/* Values of rows of a block to shared memory, a warp a row: of(row, &own) says what a row is, value(own, i) is
 * its value i = 0 .. n - 1, of which some are on their way together. */
#define AHEAD 8
template <class Own, class Of, class Value>
static __device__ void rows_to_shared(const struct wn_poisson_pairs &l, double2 *x,
                                      const Of &of, const Value &value)
{
  for (int row = (int)threadIdx.x / WARP; row < 2 << l.log2_pairs;
       row += (int)blockDim.x / WARP) {
    Own own;
    of(row, &own);
    for (int first = (int)threadIdx.x % WARP; first < l.n; first += AHEAD * WARP) {
      double v[AHEAD];
#pragma unroll
      for (int k = 0; k < AHEAD; k++)
        v[k] = first + k * WARP < l.n ? value(own, first + k * WARP) : 0.0;
#pragma unroll
      for (int k = 0; k < AHEAD; k++)
        if (first + k * WARP < l.n)
          *value_at(l, x, first + k * WARP, row) = v[k];
    }
  }
}

/* ---- lines along x */

struct plane {
  int32_t n[3], row;
};

/* The modes of rho / eps0 of the unknowns, with the terms of walls beside them.  block: which rows. */
template <bool called>
static __device__ void load(const struct wn_poisson_pairs &l,
                            const struct wn_poisson_source &s, const double *rho,
                            const struct plane &u, double *values, int block)
{
  struct own {
    const double *from; /* NULL: no row */
    double sum;         /* of the walls beside all of it */
  };
  const struct buffers b = buffers_of(l);
  const int rows = u.n[1] * u.n[2], first = block * (2 << l.log2_pairs);
  const double factor = 1.0 / s.divisor;
  rows_to_shared<struct own>(
      l, b.a,
      [&](int row, struct own *o) {
        const int at = first + row, k = at / u.n[1], j = at - k * u.n[1];
        o->from = at < rows
                      ? rho + s.box.first[0] + (s.box.first[1] + j) * s.box.step[1] +
                            (s.box.first[2] + k) * s.box.step[2]
                      : NULL;
        o->sum = (j == 0 ? s.wall[2] : 0.0) + (j == u.n[1] - 1 ? s.wall[3] : 0.0) +
                 (k == 0 ? s.wall[4] : 0.0) + (k == u.n[2] - 1 ? s.wall[5] : 0.0);
      },
      [&](const struct own &o, int i) {
        return o.from == NULL ? 0.0
                              : o.from[i] * factor + o.sum + (i == 0 ? s.wall[0] : 0.0) +
                                    (i == l.n - 1 ? s.wall[1] : 0.0);
      });
  double2 *modes = wn_pairs_transform_by<called>(l, false, b.a, b.b, b.sums);
  for (int row = (int)threadIdx.x / WARP; row < 2 << l.log2_pairs && first + row < rows;
       row += (int)blockDim.x / WARP) {
    double *to = values + (int64_t)(first + row) * u.row;
    for (int i = (int)threadIdx.x % WARP; i < u.row; i += WARP)
      to[i] = i < l.n ? *value_at(l, modes, i, row) : 0.0;
  }
}

/* The unknown of a node along axis d; -1: given. */
static __device__ int unknown(const struct wn_poisson_target &t, int d, int node)
{
  if (((t.held >> 2 * d & 1) != 0 && node == 0) ||
      ((t.held >> (2 * d + 1) & 1) != 0 && node == t.box.nodes[d] - 1))
    return -1;
  return (t.wraps[d] > 0 && node == t.wraps[d] ? 0 : node) - t.box.first[d];
}

/* Modes to phi at all nodes; a row of nodes at a wall has no line. */
template <bool called>
static __device__ void unload(const struct wn_poisson_pairs &l, const double *values,
                              const struct plane &u, const struct wn_poisson_target &t,
                              double *phi, int block)
{
  const struct buffers b = buffers_of(l);
  const int nodes = t.box.nodes[0], rows = t.box.nodes[1] * t.box.nodes[2],
            first = block * (2 << l.log2_pairs);
  rows_to_shared<const double *>(
      l, b.a,
      [&](int row, const double **from) {
        const int at = first + row, z = at / t.box.nodes[1],
                  j = unknown(t, 1, at - z * t.box.nodes[1]), k = unknown(t, 2, z);
        *from = at < rows && j >= 0 && k >= 0 ? values + ((int64_t)k * u.n[1] + j) * u.row
                                              : NULL;
      },
      [&](const double *from, int i) { return from != NULL ? from[i] : 0.0; });
  double2 *line = wn_pairs_transform_by<called>(l, true, b.a, b.b, b.sums);
  for (int row = (int)threadIdx.x / WARP; row < 2 << l.log2_pairs && first + row < rows;
       row += (int)blockDim.x / WARP) {
    const int at = first + row, c[3] = {0, at % t.box.nodes[1], at / t.box.nodes[1]};
    double *to = phi + (int64_t)at * nodes;
    const double slope = t.lift.axis == 0 ? t.lift.rise : 0.0;
    double level = t.lift.low;
    int held = -1; /* the side that has the row, but for its ends */
    for (int d = 2; d > 0; d--) {
      level += t.lift.axis == d ? t.lift.rise * (double)c[d] : 0.0;
      for (int side = 2 * d + 1; side >= 2 * d; side--)
        if ((t.held >> side & 1) != 0 && c[d] == (side % 2 != 0 ? t.box.nodes[d] - 1 : 0))
          held = side; /* the lower axis has the edge */
    }
    for (int node = (int)threadIdx.x % WARP; node < nodes; node += WARP) {
      const int i = unknown(t, 0, node);
      to[node] = i < 0 ? t.volt[node == 0 ? 0 : 1]
                 : held >= 0
                     ? t.volt[held]
                     : *value_at(l, line, i, row) + (level + slope * (double)node);
    }
  }
}

/* ---- lines along y and z */

struct eigenvalues {
  const double *axis[3]; /* 1/m2; of x as long as a row */
  double norm;
  int floats; /* the first mode of all has none */
};

enum way { FORWARD, BACK, BOTH };

/* step, other: double2 from one value of a line to the next, and from a line to that at the next place of
 * the third axis; groups: of pairs that a block takes, in a row; is_z: lines are along z. */
struct lines_of {
  int64_t step, other;
  int32_t groups, is_z;
};

static __device__ double2 over(const struct eigenvalues &e, double2 v, int pair,
                               double others, bool is_first)
{
  const double2 x = ((const double2 *)e.axis[0])[pair];
  double2 out;
  out.x = e.floats && is_first && pair == 0 ? 0.0 : v.x / (e.norm * (x.x + others));
  out.y = v.y / (e.norm * (x.y + others));
  return out;
}

template <bool called>
static __device__ void lines(const struct wn_poisson_pairs &l, const struct lines_of &o,
                             int way, const struct eigenvalues &e, double2 *values,
                             int block)
{
  const struct buffers b = buffers_of(l);
  const int place = block / o.groups, pair = (block - place * o.groups) << l.log2_pairs;
  double2 *own = values + place * o.other + pair, *x = b.a;
  wn_pairs_move(
      l, l.n, [&](int i, int p) { return own[i * o.step + p]; },
      [&](int i, int p, double2 v) { x[wn_pairs_at(l, wn_pairs_point(l, i), p)] = v; });
  if (way != BACK)
    x = wn_pairs_transform_by<called>(l, false, x, b.b, b.sums);
  if (way == BOTH) {
    const double *along = e.axis[o.is_z ? 2 : 1];
    const double other = e.axis[o.is_z ? 1 : 2][place];
    wn_pairs_for(l, l.n, [&](int i, int p) {
      double2 *v = x + wn_pairs_at(l, wn_pairs_point(l, i), p);
      *v = over(e, *v, pair + p, along[i] + other, i == 0 && place == 0);
    });
  }
  if (way != FORWARD)
    x = wn_pairs_transform_by<called>(l, true, x, x == b.a ? b.b : b.a, b.sums);
  wn_pairs_for(l, l.n, [&](int i, int p) {
    own[i * o.step + p] = x[wn_pairs_at(l, wn_pairs_point(l, i), p)];
  });
}

/* ---- kernels: of one pass each, */

static __global__ void __launch_bounds__(MOST_THREADS)
    load_kernel(const __grid_constant__ struct wn_poisson_pairs l,
                const __grid_constant__ struct wn_poisson_source s, const double *rho,
                const __grid_constant__ struct plane u, double *values)
{
  wn_gpu_after_others();
  load<false>(l, s, rho, u, values, (int)blockIdx.x);
}

static __global__ void __launch_bounds__(MOST_THREADS)
    lines_kernel(const __grid_constant__ struct wn_poisson_pairs l,
                 const __grid_constant__ struct lines_of o, int way,
                 const __grid_constant__ struct eigenvalues e, double2 *values)
{
  wn_gpu_after_others();
  lines<false>(l, o, way, e, values, (int)blockIdx.x);
}

static __global__ void __launch_bounds__(MOST_THREADS)
    unload_kernel(const __grid_constant__ struct wn_poisson_pairs l, const double *values,
                  const __grid_constant__ struct plane u,
                  const __grid_constant__ struct wn_poisson_target t, double *phi)
{
  wn_gpu_after_others();
  unload<false>(l, values, u, t, phi, (int)blockIdx.x);
}

/* and of all of them, for grids that are too small to fill the device: each block has its part of every pass. */

#define MOST_LINES 3 /* passes along y and z */

struct passes {
  struct wn_poisson_pairs axis[3];
  struct plane u;
  struct wn_poisson_source s;
  struct wn_poisson_target t;
  struct eigenvalues e;
  struct lines_of of[3];
  int32_t blocks[3], blocks_back;                /* of axis, and of x to the nodes */
  int32_t n, along[MOST_LINES], way[MOST_LINES]; /* passes between those along x */
};

static __global__ void __launch_bounds__(MOST_THREADS)
    passes_kernel(const __grid_constant__ struct passes a, const double *rho,
                  double *values, double *phi)
{
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  for (int i = (int)blockIdx.x; i < a.blocks[0]; i += (int)gridDim.x) {
    load<true>(a.axis[0], a.s, rho, a.u, values, i);
    __syncthreads();
  }
  for (int k = 0; k < a.n; k++) {
    const int d = a.along[k];
    grid.sync();
    for (int i = (int)blockIdx.x; i < a.blocks[d]; i += (int)gridDim.x) {
      lines<true>(a.axis[d], a.of[d], a.way[k], a.e, (double2 *)values, i);
      __syncthreads();
    }
  }
  grid.sync();
  for (int i = (int)blockIdx.x; i < a.blocks_back; i += (int)gridDim.x) {
    unload<true>(a.axis[0], values, a.u, a.t, phi, i);
    __syncthreads();
  }
}

/* ---- life */

static void destroy(struct wn_poisson_gpu *head)
{
  struct shared *p = of(head);
  if (wn_gpu_works(head->gpu)) {
    for (int d = 0; d < 3; d++) {
      wn_gpu_release(head->gpu, p->tables[d],
                     wn_poisson_pairs_table(&p->axis[d]) * sizeof(double));
      wn_gpu_release(head->gpu, p->lambda[d], p->n_lambda[d] * sizeof(double));
    }
    wn_gpu_release(head->gpu, p->values, p->n_values * sizeof(double));
  }
  free(p);
}

static int to_device(struct shared *p, const double *from, size_t n, double **to)
{
  WN_TRY(wn_gpu_array(p->head.gpu, "modes", n, to));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(*to, from, n * sizeof *from,
                                           cudaMemcpyHostToDevice, p->head.gpu->stream),
                      "modes"));
  return wn_gpu_wait(p->head.gpu, "modes");
}

static int make_tables(struct shared *p, int d)
{
  struct wn_poisson_pairs *l = &p->axis[d];
  const size_t n = wn_poisson_pairs_table(l);
  double *tables = (double *)wn_alloc(n, sizeof *tables);
  if (tables == NULL)
    return WN_ENOMEM;
  wn_poisson_pairs_tables(l, tables);
  const int status = to_device(p, tables, n, &p->tables[d]);
  free(tables);
  l->roots = p->tables[d];
  l->turns = p->tables[d] + 2 * (size_t)l->m;
  return status;
}

/* The zeros that follow a row are divided by 1. */
static int make_lambda(struct shared *p, int d)
{
  const size_t n = d == 0 ? (size_t)p->row : (size_t)p->n[d];
  double *lambda = (double *)wn_alloc(n, sizeof *lambda);
  if (lambda == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < n; i++)
    lambda[i] = d == 0 ? 1.0 : 0.0;
  if (d < p->head.spec.dim)
    wn_poisson_lambda(&p->head.spec, d, lambda);
  p->n_lambda[d] = n;
  const int status = to_device(p, lambda, n, &p->lambda[d]);
  free(lambda);
  return status;
}

static size_t shared_bytes(const struct wn_poisson_pairs *l)
{
  return (size_t)wn_pairs_shared(*l) * sizeof(double2);
}

/* Whether passes_kernel takes the grid. */
static int is_small(const struct shared *p)
{
  return p->n_values < (p->head.spec.dim > 2 ? FEW_3D : FEW) && p->head.gpu->cooperative;
}

/* As many pairs a block as its memory has room for, while there are blocks for most multiprocessors; in three
 * dimensions twice as many, as five short passes wait for their slowest blocks. */
static void choose_pairs(struct shared *p, int d, size_t alone)
{
  struct wn_poisson_pairs *l = &p->axis[d];
  const int64_t all = p->head.gpu->multiprocessors,
                pairs = d == 0 ? ((int64_t)p->n[1] * p->n[2] + 1) / 2
                               : (int64_t)p->row / 2 * (d == 1 ? p->n[2] : p->n[1]),
                wanted = p->head.spec.dim > 2 && !is_small(p) ? 2 * all : 3 * all / 4;
  for (l->log2_pairs = 3; l->log2_pairs > 0; l->log2_pairs--) {
    const int64_t blocks = pairs >> l->log2_pairs;
    if (blocks >= wanted && shared_bytes(l) <= (blocks > all ? SHARED : alone))
      break;
  }
}

static int threads_of(const struct wn_poisson_pairs *l)
{
  const int each = wn_poisson_pairs_is_any(l->radix[l->n_radices - 1]) ? 1 : POINTS;
  const int wanted = ((l->m + each - 1) / each) << l->log2_pairs,
            warps = (wanted + WARP - 1) / WARP * WARP;
  return warps < 2 * WARP ? 2 * WARP : warps < MOST_THREADS ? warps : MOST_THREADS;
}

static int blocks_of(const struct wn_poisson_pairs *l, int64_t rows)
{
  const int64_t each = 2 << l->log2_pairs;
  return (int)((rows + each - 1) / each);
}

static int allow_shared(const void *kernel, size_t bytes)
{
  return wn_gpu_check(
      (int)cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                (int)bytes),
      "shared memory of Poisson's equation");
}

/* Blocks of passes_kernel that are resident together, one or two to a multiprocessor. */
static int choose_resident(struct shared *p)
{
  int each = 0;
  for (int d = 0; d < p->head.spec.dim; d++) {
    const int wanted = (p->axis[d].m << p->axis[d].log2_pairs) / FEW_POINTS;
    p->threads = wanted > p->threads ? wanted : p->threads;
  }
  p->threads = p->threads < 2 * WARP       ? 2 * WARP
               : p->threads > MOST_THREADS ? MOST_THREADS
                                           : (p->threads + WARP - 1) / WARP * WARP;
  WN_TRY(allow_shared((const void *)passes_kernel, p->bytes));
  WN_TRY(wn_gpu_check((int)cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                          &each, passes_kernel, p->threads, p->bytes),
                      "Poisson's equation"));
  p->resident = (each < 2 ? each : 2) * p->head.gpu->multiprocessors;
  return WN_OK;
}

/* f(kernel, its struct wn_square) of as many cells. */
template <class F> static int for_square(int log2_m, const F &f)
{
  return log2_m == 6   ? f(square_kernel<6>, wn_square<6>())
         : log2_m == 7 ? f(square_kernel<7>, wn_square<7>())
         : log2_m == 8 ? f(square_kernel<8>, wn_square<8>())
                       : f(square_kernel<9>, wn_square<9>());
}

/* Whether the device has the shared memory of square_kernel, `most` bytes of a block, and all its blocks are resident
 * together. */
static int choose_square(struct shared *p, size_t most)
{
  const struct wn_poisson_spec *spec = &p->head.spec;
  int log2_m = 6, each = 0;
  while (log2_m < 9 && 1 << log2_m < p->axis[0].m)
    log2_m++;
  if (spec->dim != 2 || p->axis[0].kind != WN_FFT_PERIODIC ||
      p->axis[1].kind != WN_FFT_PERIODIC || p->axis[0].m != 1 << log2_m ||
      p->axis[1].m != 1 << log2_m)
    return WN_OK;
  return for_square(log2_m, [&](auto kernel, auto square) {
    typedef decltype(square) S;
    if (S::bytes > most)
      return (int)WN_OK;
    WN_TRY(allow_shared((const void *)kernel, S::bytes));
    WN_TRY(wn_gpu_check((int)cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                            &each, kernel, S::threads, S::bytes),
                        "Poisson's equation"));
    if (each * p->head.gpu->multiprocessors >= S::blocks)
      p->square = log2_m;
    return (int)WN_OK;
  });
}

static int allocate(struct shared *p)
{
  size_t bytes = 0;
  int most = 0;
  WN_TRY(wn_gpu_use(p->head.gpu));
  WN_TRY(wn_gpu_check((int)cudaDeviceGetAttribute(&most,
                                                  cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                                  p->head.gpu->index),
                      "shared memory of Poisson's equation"));
  for (int d = 0; d < 3; d++) {
    WN_TRY(make_lambda(p, d));
    if (d >= p->head.spec.dim)
      continue;
    WN_TRY(make_tables(p, d));
    choose_pairs(p, d, most < SHARED_ALONE ? (size_t)most : SHARED_ALONE);
    p->norm *= wn_poisson_pairs_norm(&p->axis[d]);
    bytes = shared_bytes(&p->axis[d]) > bytes ? shared_bytes(&p->axis[d]) : bytes;
  }
  WN_TRY(allow_shared((const void *)load_kernel, bytes));
  WN_TRY(allow_shared((const void *)lines_kernel, bytes));
  WN_TRY(allow_shared((const void *)unload_kernel, bytes));
  p->bytes = bytes;
  if (is_small(p)) {
    WN_TRY(choose_resident(p));
    WN_TRY(choose_square(p, (size_t)most));
  }
  return wn_gpu_array(p->head.gpu, "transforms", p->n_values, &p->values);
}

static int create(struct wn_gpu *g, const struct wn_poisson_spec *spec,
                  struct wn_poisson_gpu **out)
{
  struct shared *p = (struct shared *)wn_alloc(1, sizeof *p);
  if (p == NULL)
    return WN_ENOMEM;
  p->head.gpu = g;
  p->head.spec = *spec;
  p->norm = 1.0;
  p->floats = wn_poisson_is_floating(spec);
  for (int d = 0; d < 3; d++) {
    p->n[d] = 1;
    if (d < spec->dim) {
      const struct wn_poisson_axis a = wn_poisson_axis(spec, d);
      const int supported = wn_poisson_pairs_init(
          &a, spec->cells[d], wn_poisson_pairs_prime(spec), &p->axis[d]);
      WN_ASSERT(supported);
      p->n[d] = (int32_t)a.n;
    }
  }
  p->row = wn_poisson_pairs_row(p->n[0]);
  p->n_values = (size_t)p->row * (size_t)p->n[1] * (size_t)p->n[2];
  const int status = allocate(p);
  if (status != WN_OK) {
    destroy(&p->head);
    return status;
  }
  *out = &p->head;
  return WN_OK;
}

/* ---- solve */

static struct passes passes_of(const struct shared *p, const double volt[6],
                               const struct wn_poisson_lift *lift)
{
  const struct wn_poisson_spec *spec = &p->head.spec;
  const int64_t row = p->row / 2, plane = row * p->n[1];
  struct passes a = {};
  a.u = {{p->n[0], p->n[1], p->n[2]}, p->row};
  a.s = wn_poisson_gpu_charge(spec, volt);
  a.t = wn_poisson_gpu_potential(spec, volt, lift);
  a.e = {{p->lambda[0], p->lambda[1], p->lambda[2]}, p->norm, p->floats};
  for (int d = 0; d < spec->dim; d++) {
    const int shift = p->axis[d].log2_pairs;
    a.axis[d] = p->axis[d];
    a.of[d] = {d == 1 ? row : plane, d == 1 ? plane : row, (int32_t)(row >> shift),
               d == 2};
    a.blocks[d] = d == 0 ? blocks_of(&p->axis[0], (int64_t)p->n[1] * p->n[2])
                         : a.of[d].groups * p->n[3 - d];
  }
  a.blocks_back = blocks_of(&p->axis[0], (int64_t)a.t.box.nodes[1] * a.t.box.nodes[2]);
  if (spec->dim > 2) {
    a.along[a.n] = 1;
    a.way[a.n++] = FORWARD;
  }
  a.along[a.n] = spec->dim - 1;
  a.way[a.n++] = BOTH;
  if (spec->dim > 2) {
    a.along[a.n] = 1;
    a.way[a.n++] = BACK;
  }
  return a;
}

static int solve_together(const struct shared *p, struct passes *a, const double *rho,
                          double *phi)
{
  int blocks = a->blocks_back;
  double *values = p->values;
  for (int d = 0; d < p->head.spec.dim; d++)
    blocks = a->blocks[d] > blocks ? a->blocks[d] : blocks;
  if (blocks > p->resident)
    blocks = p->resident;
  void *parameters[] = {a, &rho, &values, &phi};
  return wn_gpu_check((int)cudaLaunchCooperativeKernel(
                          (const void *)passes_kernel, dim3(blocks), dim3(p->threads),
                          parameters, p->bytes, p->head.gpu->stream),
                      "Poisson's equation");
}

static int solve_square(const struct shared *p, const double *rho, double *phi)
{
  const struct wn_gpu *g = p->head.gpu;
  const struct wn_poisson_square a = {p->axis[0].roots,
                                      {p->lambda[0], p->lambda[1]},
                                      p->norm,
                                      1.0 / WN_EPS0,
                                      rho,
                                      p->values,
                                      phi};
  cudaLaunchAttribute with[2] = {};
  with[0].id = cudaLaunchAttributeCooperative;
  with[0].val.cooperative = 1;
  with[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  with[1].val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t c = {};
  c.stream = g->stream;
  c.attrs = with;
  c.numAttrs = g->overlaps ? 2 : 1;
  return for_square(p->square, [&](auto kernel, auto square) {
    typedef decltype(square) S;
    c.gridDim = dim3(S::blocks);
    c.blockDim = dim3(S::threads);
    c.dynamicSmemBytes = S::bytes;
    return wn_gpu_check((int)cudaLaunchKernelEx(&c, kernel, a), "Poisson's equation");
  });
}

static int solve(struct wn_poisson_gpu *head, const double *rho, const double volt[6],
                 double *phi)
{
  const struct shared *p = of(head);
  const struct wn_gpu *g = head->gpu;
  const struct wn_poisson_pairs *x = &p->axis[0];
  struct wn_poisson_lift lift;
  WN_TRY(wn_poisson_lift(&head->spec, volt, &lift));
  if (p->square > 0)
    return solve_square(p, rho, phi);
  struct passes a = passes_of(p, volt, &lift);
  if (p->resident > 0)
    return solve_together(p, &a, rho, phi);
  WN_TRY(wn_gpu_launch_early(g, "charge to modes", load_kernel, (unsigned int)a.blocks[0],
                             threads_of(x), shared_bytes(x), *x, a.s, rho, a.u,
                             p->values));
  for (int k = 0; k < a.n; k++) {
    const int d = a.along[k];
    const struct wn_poisson_pairs *l = &p->axis[d];
    WN_TRY(wn_gpu_launch_early(g, "modes", lines_kernel, (unsigned int)a.blocks[d],
                               threads_of(l), shared_bytes(l), *l, a.of[d], a.way[k], a.e,
                               (double2 *)p->values));
  }
  return wn_gpu_launch_early(g, "modes to the potential", unload_kernel,
                             (unsigned int)a.blocks_back, threads_of(x), shared_bytes(x),
                             *x, (const double *)p->values, a.u, a.t, phi);
}

const struct wn_poisson_gpu_ops wn_poisson_gpu_shared = {create, solve, destroy, NULL,
                                                         NULL};
