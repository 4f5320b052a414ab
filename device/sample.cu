/* device/sample.cu - sums over all particles and changes of them between steps, on the
 * device: physics/sample.h for a store there. */
#include "device/device.cuh"
#include <string.h>

static_assert(sizeof(wn_i128) == 16, "two words of a shuffle");

static __device__ __forceinline__ wn_i128 from_lane(wn_i128 v, int offset)
{
  unsigned long long low = __shfl_down_sync(0xffffffffu, (unsigned long long)v, offset),
                     high = __shfl_down_sync(0xffffffffu, (unsigned long long)(v >> 64),
                                             offset);
  return (wn_i128)((unsigned __int128)high << 64 | low);
}

/* Sums of one cell: threads add in registers, a block writes one 128-bit integer, and
 * the host adds these.  Reads a record each.  Limit: memory. */
template <enum wn_sample_kind kind, class Record>
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    one_kernel(const __grid_constant__ struct wn_sample what, const Record *e, size_t n,
               wn_i128 *partial)
{
  __shared__ wn_i128 of_warp[WN_GPU_STRIDE_BLOCK / 32];
  struct wn_sample s = what;
  wn_i128 sum = 0;
  s.kind = kind;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    sum += wn_sample_one(&s, &e[i]);
  for (int offset = 16; offset > 0; offset /= 2)
    sum += from_lane(sum, offset);
  if (threadIdx.x % 32 == 0)
    of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int k = 1; k < WN_GPU_STRIDE_BLOCK / 32; k++)
      sum += of_warp[k];
    partial[blockIdx.x] = sum;
  }
}

/* Sums of many cells: integer atomics on a copy of the cells that few blocks share.
 * Reads up to 64 bytes per electron; 1 to 25 sums of two atomics each.  Limit: atomics in
 * the level-2 cache. */
template <enum wn_sample_kind kind>
static __global__ void cells_kernel(const __grid_constant__ struct wn_sample what,
                                    const struct wn_electron *e, size_t n, wn_i128 *cells,
                                    size_t n_cells, unsigned int copies)
{
  struct wn_sample s = what;
  s.kind = kind;
  wn_i128 *copy = cells + (blockIdx.x % copies) * n_cells;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    wn_sample_add(&s, &e[i], copy);
}

/* ---- near sums of groups: a block adds them up in shared memory, where an atomic of 32
 * bits is one instruction, and then adds them to the cells */

/* Number of near sums of a group for a kind; 0: none. */
template <enum wn_sample_kind kind>
static const int near_sums = kind == WN_SAMPLE_WEIGHT    ? 1
                             : kind == WN_SAMPLE_NUMBER  ? 2
                             : kind == WN_SAMPLE_MOMENTS ? WN_SAMPLE_N_MOMENTS + 1
                             : kind == WN_SAMPLE_TENSOR  ? WN_SAMPLE_N_TENSOR + 1
                             : kind == WN_SAMPLE_TILTED  ? WN_TILTS *WN_TILT_SUMS
                                                         : 0;

/* A sum has three words, an integer of 96 bits: a block would need 2^33 contributions
 * below 2^62 to exceed them. */
#define NEAR_WORDS WN_NEAR_WORDS
/* More would leave too little of the first-level cache. */
#define NEAR_BYTES ((size_t)32 << 10)

/* As wn_tally_sum, to a near sum; a value too large for it goes to its cell. */
static __device__ __forceinline__ void near_add(unsigned int *sum, wn_i128 *cell,
                                                double x, double scale)
{
  const double y = rint(x * scale);
  if (!(fabs(y) < 0x1p62)) {
    wn_tally_sum(cell, x, scale);
    return;
  }
  wn_near_sum((uint32_t)__cvta_generic_to_shared(sum), (long long)y);
}

/* Number of sums beside a histogram; 0: there is no histogram. */
template <enum wn_sample_kind kind>
static const int near_moments = kind == WN_SAMPLE_MOMENTS  ? WN_SAMPLE_N_MOMENTS
                                : kind == WN_SAMPLE_TENSOR ? WN_SAMPLE_N_TENSOR
                                                           : 0;

/* The cell of sum k of a group. */
template <enum wn_sample_kind kind>
static __device__ __forceinline__ wn_i128 *
near_cell(const struct wn_sample &s, wn_i128 *cells, uint32_t group, int k)
{
  if (near_moments<kind> != 0 && k == near_moments<kind>)
    return wn_sample_histogram(&s, cells, group) + s.n_bins;
  return &cells[(size_t)group *
                (near_moments<kind> != 0 ? near_moments<kind> : near_sums<kind>)+k];
}

template <enum wn_sample_kind kind>
static __device__ __forceinline__ void near_electron(const struct wn_sample &s,
                                                     const struct wn_electron &e,
                                                     unsigned int *sums, wn_i128 *cells)
{
  const uint32_t g = wn_sample_group(s.n_groups, &e);
  unsigned int *sum = sums + (size_t)g * near_sums<kind> * NEAR_WORDS;
  double term[WN_SAMPLE_N_TENSOR];
  static_assert(WN_SAMPLE_N_TENSOR >= WN_TILTS * WN_TILT_SUMS, "room for either");
  if (kind == WN_SAMPLE_WEIGHT)
    near_add(sum, near_cell<kind>(s, cells, g, 0), (double)e.w, WN_FIX_WEIGHT);
  if (kind == WN_SAMPLE_NUMBER) {
    atomicAdd(&sum[0], 1u); /* no block has 2^32 electrons */
    if (s.above_ev < INFINITY && wn_sample_energy_ev(&e) > s.above_ev)
      atomicAdd(&sum[NEAR_WORDS], 1u);
  }
  if (kind == WN_SAMPLE_TILTED) {
    wn_tilt_terms(s.tilt, s.tilt_step, &e, term);
#pragma unroll
    for (int k = 0; k < near_sums<kind>; k++)
      near_add(sum + k * NEAR_WORDS, near_cell<kind>(s, cells, g, k), term[k],
               wn_tilt_fix(k));
  }
  if (near_moments<kind> != 0) {
    const double energy = wn_sample_moment_terms(&s, &e, term);
#pragma unroll
    for (int k = 0; k < near_moments<kind>; k++)
      near_add(sum + k * NEAR_WORDS, near_cell<kind>(s, cells, g, k), term[k],
               WN_FIX_LAG);
    near_add(sum + near_moments<kind> * NEAR_WORDS,
             near_cell<kind>(s, cells, g, near_moments<kind>), (double)e.w,
             WN_FIX_WEIGHT);
    wn_sample_directions(&s, &e, energy, g, cells);
  }
}

/* As cells_kernel.  Reads 4 to 64 bytes per electron; one or two shared atomics for a
 * number, two or three for another sum.  Weights by energy and cosines take two each in
 * the level-2 cache. */
template <enum wn_sample_kind kind>
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    near_kernel(const __grid_constant__ struct wn_sample what,
                const struct wn_electron *e, size_t n, wn_i128 *cells, size_t n_cells,
                unsigned int copies)
{
  extern __shared__ unsigned int near_sum[];
  struct wn_sample s = what;
  s.kind = kind;
  const unsigned int n_sums = s.n_groups * near_sums<kind>;
  wn_i128 *copy = cells + (blockIdx.x % copies) * n_cells;
  for (unsigned int i = threadIdx.x; i < n_sums * NEAR_WORDS; i += blockDim.x)
    near_sum[i] = 0;
  __syncthreads();
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    near_electron<kind>(s, e[i], near_sum, copy);
  __syncthreads();
  for (unsigned int i = threadIdx.x; i < n_sums; i += blockDim.x) {
    const unsigned int *sum = near_sum + i * NEAR_WORDS;
    const long long high = (long long)((unsigned long long)sum[2] << 32 | sum[1]);
    unsigned long long *part = (unsigned long long *)near_cell<kind>(
        s, copy, i / near_sums<kind>, (int)(i % near_sums<kind>));
    if (sum[0] != 0)
      atomicAdd(&part[0], (unsigned long long)sum[0]);
    if (high != 0)
      atomicAdd(&part[1], (unsigned long long)high);
  }
}

/* The sums of points (dim from 1 on) or electrons (dim 0), written by each block together.
 * Reads a record each; dead particles, which may stay in an order of tiles, are skipped.
 * The components are known to the compiler: a record that is indexed by numbers of
 * `what` would lie in local memory, not in registers.  Limit: memory, and double
 * precision. */
template <int dim, int n_v>
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    moving_kernel(const __grid_constant__ struct wn_sample what, const uint4 *e, size_t n,
                  wn_i128 *partial)
{
  constexpr int vectors = dim == 0 ? 4 : dim + n_v > 4 ? 2 : 1;
  __shared__ wn_i128 of_warp[WN_GPU_STRIDE_BLOCK / 32][WN_POINT_SUMS];
  wn_i128 sum[WN_POINT_SUMS] = {};
  struct wn_sample s = what;
  s.kind = dim == 0 ? WN_SAMPLE_ELECTRONS : WN_SAMPLE_POINTS;
  s.dim = dim;
  s.velocities = n_v;
  s.weighted = wn_point_weighs(dim, n_v);
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    uint4 record[vectors];
#pragma unroll
    for (int k = 0; k < vectors; k++)
      record[k] = e[i * vectors + k];
    const int sign = dim == 0
                         ? __float_as_int(((const struct wn_electron *)record)->t_left)
                         : (int)record[0].x;
    if (sign >= 0)
      wn_sample_moving(&s, record, sum);
  }
#pragma unroll
  for (int k = 0; k < WN_POINT_SUMS; k++) {
    for (int offset = 16; offset > 0; offset /= 2)
      sum[k] += from_lane(sum[k], offset);
    if (threadIdx.x % 32 == 0)
      of_warp[threadIdx.x / 32][k] = sum[k];
  }
  __syncthreads();
  if (threadIdx.x < WN_POINT_SUMS) {
    wn_i128 all = 0;
    for (int k = 0; k < WN_GPU_STRIDE_BLOCK / 32; k++)
      all += of_warp[k][threadIdx.x];
    partial[blockIdx.x * WN_POINT_SUMS + threadIdx.x] = all;
  }
}

/* Check the store for a kernel that reads its records as Record. */
template <class Record> static int is_of(const struct wn_gpu_store *t)
{
  if (t->record.bytes != sizeof(Record) || t->record.t_left != offsetof(Record, t_left))
    return WN_FAIL(WN_EINTERN,
                   "records of %zu bytes were expected, but those of the store have %zu",
                   t->record.bytes, sizeof(Record));
  return wn_gpu_use(t->gpu);
}

/* Fetch n integers from the scratch memory and add them in turn to the sums, `cells` in
 * number. */
static int add_up(struct wn_gpu_store *t, size_t n, size_t cells, wn_i128 *sums)
{
  const struct wn_gpu *g = t->gpu;
  const wn_i128 *from = (const wn_i128 *)(const void *)g->host_scratch;
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->host_scratch, g->scratch, n * sizeof *from,
                                           cudaMemcpyDeviceToHost, g->stream),
                      "fetching sums over electrons"));
  WN_TRY(wn_gpu_wait(g, "sums over electrons"));
  WN_TRY(wn_gpu_store_settle(t));
  for (size_t i = 0; i < n; i++)
    sums[i % cells] += from[i];
  return WN_OK;
}

template <enum wn_sample_kind kind, class Record>
static int sample_one(struct wn_gpu_store *t, const struct wn_particles *p,
                      const struct wn_sample *what, wn_i128 *sums)
{
  struct wn_gpu *g = t->gpu;
  unsigned int blocks = wn_gpu_stride_blocks(g, p->n);
  WN_TRY(is_of<Record>(t));
  WN_TRY(wn_gpu_scratch_fit(g, blocks * sizeof(wn_i128)));
  one_kernel<kind><<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
      *what, (const Record *)wn_gpu_records(t), p->n, (wn_i128 *)(void *)g->scratch);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "sums over electrons"));
  return add_up(t, blocks, 1, sums);
}

/* Few copies for many cells: conflicts of electrons are rare, and all copies are read at
 * the end. */
#define MANY_CELLS ((size_t)1 << 16)

static size_t copies_of(const struct wn_gpu *g, size_t n)
{
  const size_t copies = wn_gpu_copies(g, n), few = n < MANY_CELLS ? MANY_CELLS / n : 1;
  return copies < few ? copies : few;
}

template <enum wn_sample_kind kind>
static int sample_cells(struct wn_gpu_store *t, const struct wn_particles *p,
                        const struct wn_sample *what, wn_i128 *sums)
{
  struct wn_gpu *g = t->gpu;
  size_t n = wn_sample_cells(what);
  WN_TRY(is_of<struct wn_electron>(t));
  WN_TRY(wn_gpu_cells_fit(g, n * sizeof *g->cells));
  WN_TRY(wn_gpu_scratch_fit(g, n * sizeof *g->cells));
  const size_t copies = copies_of(g, n);
  const struct wn_electron *e = (const struct wn_electron *)wn_gpu_records(t);
  const unsigned int blocks = wn_gpu_stride_blocks(g, p->n);
  bool done = false;
  if constexpr (near_sums < kind >> 0) {
    const size_t near =
        what->n_groups * (size_t)near_sums<kind> * NEAR_WORDS * sizeof(unsigned int);
    done = near <= NEAR_BYTES;
    if (done)
      near_kernel<kind><<<blocks, WN_GPU_STRIDE_BLOCK, near, g->stream>>>(
          *what, e, p->n, g->cells, n, (unsigned int)copies);
  }
  if (!done)
    cells_kernel<kind><<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
        *what, e, p->n, g->cells, n, (unsigned int)copies);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "sums over electrons"));
  WN_TRY(wn_gpu_fold(g, n, copies, g->scratch));
  return add_up(t, n, n, sums);
}

template <int dim, int n_v>
static int launch_moving(struct wn_gpu_store *t, const struct wn_particles *p,
                         const struct wn_sample *what, wn_i128 *partial)
{
  const struct wn_gpu *g = t->gpu;
  const size_t bytes = 4 * sizeof(float) * (dim + n_v > 4 ? 2 : 1);
  if (dim == 0)
    WN_TRY(is_of<struct wn_electron>(t));
  else if (!t->record.no_t_left || t->record.bytes != bytes)
    return WN_FAIL(WN_EINTERN, "sums over points from other records");
  moving_kernel<dim, n_v>
      <<<wn_gpu_stride_blocks(g, p->n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
          *what, (const uint4 *)wn_gpu_records(t), p->n, partial);
  return wn_gpu_check((int)cudaGetLastError(), "sums over particles");
}

/* Sums of points or electrons, by the number of blocks of wn_gpu_stride_blocks. */
static int begin_moving(struct wn_gpu_store *t, const struct wn_particles *p,
                        const struct wn_sample *what, wn_i128 *partial)
{
  switch (what->kind == WN_SAMPLE_ELECTRONS ? 3 : 10 * what->dim + what->velocities) {
  case 3:
    return launch_moving<0, 3>(t, p, what, partial);
  case 13:
    return launch_moving<1, 3>(t, p, what, partial);
  case 22:
    return launch_moving<2, 2>(t, p, what, partial);
  case 23:
    return launch_moving<2, 3>(t, p, what, partial);
  case 33:
    return launch_moving<3, 3>(t, p, what, partial);
  default:
    return WN_FAIL(WN_EINTERN, "sums over points of %d dimensions and %d velocities",
                   what->dim, what->velocities);
  }
}

int wn_gpu_sample_moving(struct wn_gpu *g, size_t n,
                         const struct wn_particles *const *particles,
                         const struct wn_sample *what, wn_i128 (*sums)[WN_POINT_SUMS])
{
  size_t all = 0, at = 0;
  WN_TRY(wn_gpu_use(g));
  for (size_t k = 0; k < n; k++)
    all += wn_gpu_stride_blocks(g, particles[k]->n);
  WN_TRY(wn_gpu_scratch_fit(g, all * sizeof *sums));
  for (size_t k = 0; k < n; k++) {
    const struct wn_particles *p = particles[k];
    struct wn_gpu_store *t = wn_gpu_store_of(g, p);
    if (p->n == 0)
      continue;
    if (t == NULL || p->place == WN_PARTICLES_HOST)
      return WN_FAIL(WN_EINTERN, "sums over particles that are not on the GPU");
    WN_TRY(
        begin_moving(t, p, &what[k], (wn_i128 *)(void *)g->scratch + at * WN_POINT_SUMS));
    at += wn_gpu_stride_blocks(g, p->n);
  }
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->host_scratch, g->scratch, at * sizeof *sums,
                                           cudaMemcpyDeviceToHost, g->stream),
                      "fetching sums over particles"));
  WN_TRY(wn_gpu_wait(g, "sums over particles"));
  const wn_i128 *from = (const wn_i128 *)(const void *)g->host_scratch;
  for (size_t k = 0; k < n; k++) {
    const struct wn_particles *p = particles[k];
    if (p->n == 0)
      continue;
    WN_TRY(wn_gpu_store_settle(wn_gpu_store_of(g, p)));
    for (size_t i = wn_gpu_stride_blocks(g, p->n); i-- > 0; from += WN_POINT_SUMS)
      for (int c = 0; c < WN_POINT_SUMS; c++)
        sums[k][c] += from[c];
  }
  return WN_OK;
}

/* Records of points, distinguished by their size alone. */
struct point4 {
  uint4 a;
};
struct point8 {
  uint4 a[2];
};

static int sample_broken_points(struct wn_gpu_store *t, const struct wn_particles *p,
                                const struct wn_sample *what, wn_i128 *sums)
{
  struct wn_gpu *g = t->gpu;
  const unsigned int blocks = wn_gpu_stride_blocks(g, p->n);
  const void *e = wn_gpu_records(t);
  if (!t->record.no_t_left)
    return WN_FAIL(WN_EINTERN, "sample of points from other records");
  WN_TRY(wn_gpu_scratch_fit(g, blocks * sizeof(wn_i128)));
  wn_i128 *partial = (wn_i128 *)(void *)g->scratch;
  if (t->record.bytes == sizeof(struct point4))
    one_kernel<WN_SAMPLE_BROKEN_POINTS><<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
        *what, (const struct point4 *)e, p->n, partial);
  else
    one_kernel<WN_SAMPLE_BROKEN_POINTS><<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
        *what, (const struct point8 *)e, p->n, partial);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "sample of points"));
  return add_up(t, blocks, 1, sums);
}

int wn_gpu_sample(void *remote, const struct wn_particles *p,
                  const struct wn_sample *what, wn_i128 *sums)
{
  struct wn_gpu_store *t = (struct wn_gpu_store *)remote;
  if (p->n == 0)
    return WN_OK;
  switch (what->kind) {
  case WN_SAMPLE_ENERGY:
    return sample_one<WN_SAMPLE_ENERGY, struct wn_electron>(t, p, what, sums);
  case WN_SAMPLE_BROKEN:
    return sample_one<WN_SAMPLE_BROKEN, struct wn_electron>(t, p, what, sums);
  case WN_SAMPLE_BROKEN_POINTS:
    return sample_broken_points(t, p, what, sums);
  case WN_SAMPLE_WEIGHT:
    return sample_cells<WN_SAMPLE_WEIGHT>(t, p, what, sums);
  case WN_SAMPLE_NUMBER:
    return sample_cells<WN_SAMPLE_NUMBER>(t, p, what, sums);
  case WN_SAMPLE_LEVELS:
    return sample_cells<WN_SAMPLE_LEVELS>(t, p, what, sums);
  case WN_SAMPLE_ENERGIES:
    return sample_cells<WN_SAMPLE_ENERGIES>(t, p, what, sums);
  case WN_SAMPLE_OCTAVES:
    return sample_cells<WN_SAMPLE_OCTAVES>(t, p, what, sums);
  case WN_SAMPLE_MOMENTS:
    return sample_cells<WN_SAMPLE_MOMENTS>(t, p, what, sums);
  case WN_SAMPLE_TENSOR:
    return sample_cells<WN_SAMPLE_TENSOR>(t, p, what, sums);
  case WN_SAMPLE_TILTED:
    return sample_cells<WN_SAMPLE_TILTED>(t, p, what, sums);
  case WN_SAMPLE_POINTS:
  case WN_SAMPLE_ELECTRONS:
    return wn_gpu_sample_moving(t->gpu, 1, &p, what, (wn_i128(*)[WN_POINT_SUMS])sums);
  }
  return WN_FAIL(WN_EINTERN, "sample %d is not known on a GPU", (int)what->kind);
}

/* ---- sums to be fetched later */

/* A cell takes 2^32 contributions (physics/tally.h). */
#define MOST_LATE ((size_t)1 << 31)

int wn_gpu_bring_late(void *remote, wn_i128 *sums)
{
  struct wn_gpu_store *t = (struct wn_gpu_store *)remote;
  struct wn_gpu *g = t->gpu;
  if (t->added_late == 0)
    return WN_OK;
  t->added_late = 0;
  WN_TRY(wn_gpu_use(g));
  if (sums == NULL)
    return wn_gpu_check(
        (int)cudaMemsetAsync(t->late, 0, t->n_late * sizeof *t->late, g->stream),
        "sums over electrons");
  WN_TRY(wn_gpu_scratch_fit(g, t->n_late * sizeof *t->late));
  WN_TRY(wn_gpu_fold_of(g, t->late, t->n_late, 1, g->scratch));
  return add_up(t, t->n_late, t->n_late, sums);
}

static int late_fit(struct wn_gpu_store *t, size_t n)
{
  struct wn_gpu *g = t->gpu;
  if (t->n_late == n)
    return WN_OK;
  wn_gpu_release(g, t->late, t->n_late * sizeof *t->late);
  t->late = NULL;
  t->n_late = 0;
  WN_TRY(wn_gpu_array(g, "sums", n, &t->late));
  t->n_late = n;
  return wn_gpu_check((int)cudaMemsetAsync(t->late, 0, n * sizeof *t->late, g->stream),
                      "sums");
}

int wn_gpu_sample_late(void *remote, const struct wn_particles *p,
                       const struct wn_sample *what, wn_i128 *sums)
{
  struct wn_gpu_store *t = (struct wn_gpu_store *)remote;
  const struct wn_gpu *g = t->gpu;
  const size_t n = wn_sample_cells(what);
  if (what->kind != WN_SAMPLE_OCTAVES) /* the other kinds have few sums */
    return wn_gpu_sample(remote, p, what, sums);
  if (p->n == 0)
    return WN_OK;
  WN_TRY(is_of<struct wn_electron>(t));
  WN_ASSERT(t->added_late == 0 || t->n_late == n);
  if (t->added_late + p->n > MOST_LATE)
    WN_TRY(wn_gpu_bring_late(t, sums));
  WN_TRY(late_fit(t, n));
  cells_kernel<WN_SAMPLE_OCTAVES>
      <<<wn_gpu_stride_blocks(g, p->n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
          *what, (const struct wn_electron *)wn_gpu_records(t), p->n, t->late, n, 1);
  t->added_late += p->n;
  return wn_gpu_check((int)cudaGetLastError(), "sums over electrons");
}

/* Counts of the change kernel; `end` is the place of the next copy. */
struct changes {
  unsigned long long end, killed, heavy;
};

/* One thread handles one electron after the other: new weight, perhaps a new place; it is
 * killed, or its copies are appended.  Reads 32 to 64 bytes per electron and writes as
 * many; one atomic per copy, which the compiler aggregates by warp.  Limit: memory. */
static __global__ void change_kernel(const __grid_constant__ struct wn_change c,
                                     struct wn_electron *e, size_t n,
                                     struct changes *counts, wn_i128 *cells,
                                     size_t n_cells, unsigned int copies_of_cells)
{
  wn_i128 *roulette = cells + (blockIdx.x % copies_of_cells) * n_cells;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    struct wn_electron now = e[i];
    int copies = wn_change_apply(&c, &now, roulette);
    for (int k = 1; k <= copies; k++)
      e[atomicAdd(&counts->end, 1ull)] = wn_change_copy(&c, &now, (uint32_t)k);
    if (copies > 0)
      wn_change_copied(&now);
    if (copies < 0)
      atomicAdd(&counts->killed, 1ull);
    else if (now.w > WN_MAX_WEIGHT)
      atomicAdd(&counts->heavy, 1ull);
    if (c.to_origin || c.reference != NULL)
      for (int k = 0; k < 3; k++)
        e[i].x[k] = now.x[k];
    e[i].w = now.w;
    e[i].tag = now.tag;
    e[i].event = now.event;
    e[i].t_left = now.t_left;
  }
}

/* Copy the tables of the change to the device behind `at`, where the counts are: weights
 * by level, or factors of groups. */
static int send_change(struct wn_gpu *g, struct wn_change *c, size_t at,
                       const struct changes *counts)
{
  const size_t levels = c->n_groups * (size_t)wn_levels_number(&c->levels);
  const void *from = c->reference != NULL ? (const void *)c->reference : c->group;
  const size_t bytes = c->reference != NULL ? levels * sizeof *c->reference
                                            : c->n_groups * sizeof *c->group;
  WN_TRY(wn_gpu_check(
      (int)cudaMemcpyAsync(g->scratch, from, bytes, cudaMemcpyHostToDevice, g->stream),
      "changing electrons"));
  unsigned char head[WN_GPU_ALIGN] = {};
  memcpy(head, counts, sizeof *counts);
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->scratch + at, head, sizeof head,
                                           cudaMemcpyHostToDevice, g->stream),
                      "changing electrons"));
  if (c->reference != NULL)
    c->reference = (const double *)(void *)g->scratch;
  else
    c->group = (const struct wn_change_group *)(void *)g->scratch;
  return WN_OK;
}

/* Weights that roulette removed and added: sums of the copies of cells, behind the
 * counts; both are copied to the host. */
static int fetch_change(struct wn_gpu_store *t, size_t at, size_t n_cells, size_t copies,
                        struct changes *counts, struct wn_changed *done)
{
  struct wn_gpu *g = t->gpu;
  /* the gap between both is copied only with the sums, and is then zero (send_change) */
  const size_t bytes =
      n_cells > 0 ? WN_GPU_ALIGN + n_cells * sizeof *done->roulette : sizeof *counts;
  if (n_cells > 0)
    WN_TRY(wn_gpu_fold(g, n_cells, copies, g->scratch + at + WN_GPU_ALIGN));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->host_scratch, g->scratch + at, bytes,
                                           cudaMemcpyDeviceToHost, g->stream),
                      "changing electrons"));
  WN_TRY(wn_gpu_wait(g, "changing electrons"));
  WN_TRY(wn_gpu_store_settle(t));
  memcpy(counts, g->host_scratch, sizeof *counts);
  const wn_i128 *sums = (const wn_i128 *)(const void *)(g->host_scratch + WN_GPU_ALIGN);
  for (size_t i = 0; i < n_cells; i++)
    done->roulette[i] += sums[i];
  return WN_OK;
}

int wn_gpu_change(void *remote, struct wn_particles *p, const struct wn_change *change,
                  struct wn_changed *done)
{
  struct wn_gpu_store *t = (struct wn_gpu_store *)remote;
  struct wn_gpu *g = t->gpu;
  struct wn_change c = *change;
  struct changes counts = {};
  const size_t levels = c.n_groups * (size_t)wn_levels_number(&c.levels),
               n_cells = c.reference != NULL ? 2 * levels : 0,
               bytes = c.reference != NULL ? levels * sizeof *c.reference
                                           : c.n_groups * sizeof *c.group,
               at = wn_gpu_round(bytes, WN_GPU_ALIGN);
  size_t copies = 1;
  int enough = 1;
  static_assert(sizeof counts <= WN_GPU_ALIGN, "the sums are behind the counts");
  if (p->n == 0)
    return WN_OK;
  WN_TRY(is_of<struct wn_electron>(t));
  t->charge_dt = 0.0;
  WN_TRY(wn_gpu_scratch_fit(g, at + WN_GPU_ALIGN + n_cells * sizeof *g->cells));
  if (n_cells > 0) {
    WN_TRY(wn_gpu_cells_fit(g, n_cells * sizeof *g->cells));
    copies = wn_gpu_copies(g, n_cells);
  }
  WN_TRY(wn_gpu_store_fit(t, p->n + c.n_copies, p->n + c.n_copies, 0.0, &enough));
  if (!enough)
    return WN_FAIL(WN_EFULL,
                   "the store is full: it holds %zu electrons and there is no GPU memory "
                   "for %zu more; set population.target, shorten the run, or take a GPU "
                   "with more memory",
                   p->n, c.n_copies);
  counts.end = p->n;
  WN_TRY(send_change(g, &c, at, &counts));
  change_kernel<<<wn_gpu_stride_blocks(g, p->n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
      c, (struct wn_electron *)wn_gpu_records(t), p->n,
      (struct changes *)(void *)(g->scratch + at), g->cells, n_cells,
      (unsigned int)copies);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "changing electrons"));
  WN_TRY(fetch_change(t, at, n_cells, copies, &counts, done));
  done->killed += counts.killed;
  done->copied += counts.end - p->n;
  done->heavy += counts.heavy;
  p->n = (size_t)counts.end;
  p->place = WN_PARTICLES_REMOTE;
  t->dead += counts.killed;
  return WN_OK;
}
