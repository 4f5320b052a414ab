/* device/node_sums.cu - what the particles of a store add to the nodes of a grid
 * (physics/node_values.h), on the device: by the functions of the host, in 128-bit integers, so that the
 * sums have the same bits. */
#include <string.h>
#include "device/expected_sums.cuh"
#include "device/node_sums.cuh"
#include "device/tiles.cuh"

/* Left free: for what grows during a run, and for CUDA itself. */
#define KEEP_FREE ((size_t)256 << 20)

/* *sum += v, modulo 2^128 in any order: the low word is exceeded once for each carry that its additions see. */
static __device__ __forceinline__ void add(wn_i128 *sum, wn_i128 v)
{
  unsigned long long *word = (unsigned long long *)sum;
  const unsigned long long low = (unsigned long long)v;
  long long high = (long long)(v >> 64);
  if (low != 0)
    high += atomicAdd(&word[0], low) > ~low;
  if (high != 0)
    atomicAdd(&word[1], (unsigned long long)high);
}

/* One thread handles one particle after the other.  Reads a record, 16 to 64 bytes, and of E or of
 * tables what its values need; makes one or two 64-bit additions a value and node.  Limit: these, in the
 * level-2 cache.  Measured: bench/RESULTS.md. */
template <int what, bool is_electron, int dim, int n_v, int shape>
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    node_kernel(const __grid_constant__ struct wn_node_values v, const char *records,
                size_t n, wn_i128 *sums, unsigned long long *misfits)
{
  constexpr int along = shape + 1,
                reached = along * (dim > 1 ? along : 1) * (dim > 2 ? along : 1),
                values = what == WN_NODE_POWER     ? 1
                         : what == WN_NODE_MOMENTS ? 2 + dim
                         : what == WN_NODE_TEN     ? (int)WN_TEN_MOMENTS
                                                   : WN_NODE_VALUES;
  constexpr size_t bytes =
      is_electron ? sizeof(struct wn_electron) : 16 * (dim + n_v > 4 ? 2 : 1);
  const struct wn_grid_view &grid = v.grid.points.grid;
  constexpr bool fixed =
      what == WN_NODE_POWER || what == WN_NODE_MOMENTS || what == WN_NODE_TEN;
  const int n_values = fixed ? values : v.n;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    struct wn_node_particle p = {};
    uint64_t q[WN_MAX_REACH];
    int64_t value[values];
    if (!wn_node_load(is_electron, dim, n_v, records + i * bytes, &p))
      continue;
    const int64_t quanta = wn_quanta(p.w);
    const int adds = quanta == WN_QUANTA_MISFIT
                         ? (int)WN_NODE_MISFIT
                         : wn_node_values_of(&v, what, dim, n_v, &p, value);
    if (adds != WN_NODE_ADD) {
      if (adds == WN_NODE_MISFIT)
        atomicAdd(misfits, 1ull);
      continue;
    }
    wn_grid_divide(dim, shape, p.part, (uint64_t)quanta, 1, q);
    wn_i128 *to =
        sums + (int64_t)wn_grid_first(&grid, dim, shape, p.cell, p.part) * n_values;
#pragma unroll
    for (int k = 0; k < reached; k++) {
      wn_i128 *at = to + (int64_t)wn_grid_offset(&grid, dim, shape, k) * n_values;
      if (q[k] != 0)
        for (int a = 0; a < n_values; a++)
          add(at + a, wn_node_share(what, a, q[k], value[a]));
    }
  }
}

/* The largest |u_i| as bits: of numbers that are not negative, in their order; a NaN, whose sign is removed,
 * is above all.  One read a particle; limit: memory. */
template <bool is_electron, int dim, int n_v>
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    largest_kernel(const char *records, size_t n, unsigned int *most)
{
  constexpr size_t bytes =
      is_electron ? sizeof(struct wn_electron) : 16 * (dim + n_v > 4 ? 2 : 1);
  unsigned int mine = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    struct wn_node_particle p = {};
    if (wn_node_load(is_electron, dim, n_v, records + i * bytes, &p))
      for (int d = 0; d < n_v; d++)
        mine = max(mine, __float_as_uint(fabsf(p.u[d])));
  }
  mine = __reduce_max_sync(0xffffffffu, mine);
  if (threadIdx.x % 32 == 0 && mine != 0)
    atomicMax(most, mine);
}

/* ---- launch */

struct job {
  struct wn_gpu *gpu;
  const struct wn_node_values *what;
  const char *records;
  size_t n;
  wn_i128 *sums;
  unsigned long long *misfits;
};

template <int what, bool is_electron, int dim, int n_v>
static int launch(const struct job &j)
{
  void (*const kernel)(const struct wn_node_values, const char *, size_t, wn_i128 *,
                       unsigned long long *) =
      j.what->grid.points.grid.shape == WN_SHAPE_NGP
          ? node_kernel<what, is_electron, dim, n_v, WN_SHAPE_NGP>
      : j.what->grid.points.grid.shape == WN_SHAPE_CIC
          ? node_kernel<what, is_electron, dim, n_v, WN_SHAPE_CIC>
          : node_kernel<what, is_electron, dim, n_v, WN_SHAPE_TSC>;
  kernel<<<wn_gpu_stride_blocks(j.gpu, j.n), WN_GPU_STRIDE_BLOCK, 0, j.gpu->stream>>>(
      *j.what, j.records, j.n, j.sums, j.misfits);
  return wn_gpu_check((int)cudaGetLastError(), "sums at nodes");
}

template <int what> static int launch_of_electrons(const struct job &j)
{
  const int dim = j.what->grid.points.grid.dim;
  return dim == 1   ? launch<what, true, 1, 3>(j)
         : dim == 2 ? launch<what, true, 2, 3>(j)
                    : launch<what, true, 3, 3>(j);
}

template <int what> static int launch_of_points(const struct job &j)
{
  return wn_gpu_for_kind(j.what->grid.points.kind, [&](auto kind) {
    typedef wn_gpu_point_kind<decltype(kind)::is> K;
    return launch<what, false, K::dim, K::n_v>(j);
  });
}

static int launch_for(const struct job &j)
{
  const bool is_electron = j.what->is_electron != 0;
  switch (j.what->what) {
  case WN_NODE_MOMENTS:
    return is_electron ? launch_of_electrons<WN_NODE_MOMENTS>(j)
                       : launch_of_points<WN_NODE_MOMENTS>(j);
  case WN_NODE_POWER:
    return is_electron ? launch_of_electrons<WN_NODE_POWER>(j)
                       : launch_of_points<WN_NODE_POWER>(j);
  case WN_NODE_TEN:
    return is_electron ? launch_of_electrons<WN_NODE_TEN>(j)
                       : launch_of_points<WN_NODE_TEN>(j);
  case WN_NODE_RATES_OF_ELECTRONS:
    return launch_of_electrons<WN_NODE_RATES_OF_ELECTRONS>(j);
  case WN_NODE_RATES_OF_IONS:
    return launch_of_electrons<WN_NODE_RATES_OF_IONS>(j);
  }
  return WN_FAIL(WN_EINTERN, "values %d at nodes are not known on a GPU", j.what->what);
}

/* ---- what the store offers */

/* Before the sums the number of misfits. */
static size_t bytes_of(size_t n)
{
  return WN_GPU_ALIGN + n * sizeof(wn_i128);
}

int wn_gpu_node_sums_room(const struct wn_gpu *g, size_t n, int *is)
{
  size_t available, total;
  *is = bytes_of(n) <= g->scratch_bytes;
  if (*is)
    return WN_OK;
  WN_TRY(wn_gpu_use(g));
  WN_TRY(wn_gpu_check((int)cudaMemGetInfo(&available, &total), "size of its memory"));
  *is = bytes_of(n) + KEEP_FREE <= available;
  return WN_OK;
}

int wn_gpu_room_for_nodes(void *remote, size_t n, int *is)
{
  return wn_gpu_node_sums_room(((const struct wn_gpu_store *)remote)->gpu, n, is);
}

static int check(const struct wn_gpu_store *t, const struct wn_node_values *what)
{
  const struct wn_record points = wn_particles_points(what->grid.points.kind);
  const size_t bytes = what->is_electron ? sizeof(struct wn_electron) : points.bytes;
  if (t->record.bytes != bytes || !t->record.no_t_left != (what->is_electron != 0))
    return WN_FAIL(WN_EINTERN, "sums at nodes from records of %zu bytes, not %zu",
                   t->record.bytes, bytes);
  return wn_gpu_use(t->gpu);
}

/* ---- sums that a step has taken */

static size_t bytes_of_ten(size_t nodes)
{
  return WN_TEN_MOMENTS * nodes * sizeof(unsigned long long) +
         sizeof(struct wn_gpu_ten_found);
}

static struct wn_gpu_ten_found *found_of(const struct wn_gpu_ten *ten)
{
  return (struct wn_gpu_ten_found *)(void *)(ten->sum + WN_TEN_MOMENTS * ten->nodes);
}

int wn_gpu_ten_expect(struct wn_gpu *g, struct wn_gpu_ten *ten,
                      const struct wn_node_values *what, size_t n)
{
  const size_t nodes = n / WN_TEN_MOMENTS, bytes = bytes_of_ten(nodes);
  size_t available, total;
  ten->is_expected = 0;
  if (what->what != WN_NODE_TEN)
    return WN_OK;
  if (bytes != ten->bytes) {
    WN_TRY(wn_gpu_use(g));
    WN_TRY(wn_gpu_check((int)cudaMemGetInfo(&available, &total), "size of its memory"));
    if (bytes + KEEP_FREE > available + ten->bytes)
      return WN_OK; /* they will take a pass of their own */
    wn_gpu_release(g, ten->sum, ten->bytes);
    *ten = {};
    WN_TRY(wn_gpu_array(g, "ten moments", bytes / sizeof *ten->sum, &ten->sum));
    ten->bytes = bytes;
    ten->nodes = nodes;
  }
  ten->per_unit = (float)what->per_unit;
  ten->is_expected = 1;
  return WN_OK;
}

int wn_gpu_expect_at_nodes(void *remote, const struct wn_node_values *what, size_t n)
{
  struct wn_gpu_store *t = (struct wn_gpu_store *)remote;
  return wn_gpu_ten_expect(t->gpu, &t->ten, what, n);
}

int wn_gpu_ten_begin(struct wn_gpu *g, struct wn_gpu_ten *ten, size_t nodes,
                     struct wn_gpu_ten_view *out)
{
  *out = {};
  ten->is_known = 0;
  if (!ten->is_expected || ten->nodes != nodes)
    return WN_OK;
  ten->is_expected = 0;
  ten->is_known = 1;
  *out = {ten->sum, nodes, found_of(ten), ten->per_unit};
  return wn_gpu_check((int)cudaMemsetAsync(ten->sum, 0, bytes_of_ten(nodes), g->stream),
                      "ten moments");
}

int wn_gpu_ten_has(const struct wn_gpu_ten *ten, const struct wn_node_values *what,
                   size_t n)
{
  return what->what == WN_NODE_TEN && ten->is_known && ten->nodes * WN_TEN_MOMENTS == n &&
         ten->per_unit == (float)what->per_unit;
}

/* To 128 bits, those of a node next to each other.  Limit: memory. */
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    widen_kernel(const unsigned long long *sum, size_t nodes, wn_i128 *out)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < nodes;
       i += (size_t)gridDim.x * blockDim.x)
    for (int a = 0; a < WN_TEN_MOMENTS; a++)
      out[i * WN_TEN_MOMENTS + a] = (wn_i128)(long long)sum[(size_t)a * nodes + i];
}

static int widen(const struct job &j, const struct wn_gpu_ten *ten)
{
  widen_kernel<<<wn_gpu_stride_blocks(j.gpu, ten->nodes), WN_GPU_STRIDE_BLOCK, 0,
                 j.gpu->stream>>>(ten->sum, ten->nodes, j.sums);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "ten moments"));
  return wn_gpu_check((int)cudaMemcpyAsync(j.misfits, &found_of(ten)->misfits,
                                           sizeof *j.misfits, cudaMemcpyDeviceToDevice,
                                           j.gpu->stream),
                      "ten moments");
}

/* Sums in the scratch memory. */
static struct job job_of(struct wn_gpu *g, const struct wn_node_values *what,
                         const void *records, size_t n_records)
{
  return {g,
          what,
          (const char *)records,
          n_records,
          (wn_i128 *)(void *)(g->scratch + WN_GPU_ALIGN),
          (unsigned long long *)(void *)g->scratch};
}

int wn_gpu_node_sums_begin(struct wn_gpu *g, size_t n)
{
  WN_TRY(wn_gpu_use(g));
  WN_TRY(wn_gpu_scratch_fit(g, bytes_of(n)));
  return wn_gpu_check((int)cudaMemsetAsync(g->scratch, 0, bytes_of(n), g->stream),
                      "sums at nodes");
}

int wn_gpu_node_sums_add(struct wn_gpu *g, const struct wn_node_values *what,
                         const void *records, size_t n_records)
{
  return n_records > 0 ? launch_for(job_of(g, what, records, n_records)) : (int)WN_OK;
}

int wn_gpu_node_sums_end(struct wn_gpu *g, size_t n, wn_i128 **sums, uint64_t *misfits)
{
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->host_scratch, g->scratch, bytes_of(n),
                                           cudaMemcpyDeviceToHost, g->stream),
                      "fetching sums at nodes"));
  WN_TRY(wn_gpu_wait(g, "sums at nodes"));
  memcpy(misfits, g->host_scratch, sizeof *misfits);
  *sums = (wn_i128 *)(void *)(g->host_scratch + WN_GPU_ALIGN);
  return WN_OK;
}

int wn_gpu_ten_sums(struct wn_gpu *g, const struct wn_gpu_ten *ten, wn_i128 **sums,
                    uint64_t *misfits)
{
  const size_t n = ten->nodes * WN_TEN_MOMENTS;
  WN_TRY(wn_gpu_use(g));
  WN_TRY(wn_gpu_scratch_fit(g, bytes_of(n)));
  WN_TRY(widen(job_of(g, NULL, NULL, 0), ten));
  return wn_gpu_node_sums_end(g, n, sums, misfits);
}

int wn_gpu_sum_at_nodes(void *remote, const struct wn_particles *p,
                        const struct wn_node_values *what, size_t n, wn_i128 **sums,
                        uint64_t *misfits)
{
  struct wn_gpu_store *t = (struct wn_gpu_store *)remote;
  WN_TRY(check(t, what));
  if (wn_gpu_ten_has(&t->ten, what, n)) {
    WN_TRY(wn_gpu_ten_sums(t->gpu, &t->ten, sums, misfits));
  } else {
    WN_TRY(wn_gpu_node_sums_begin(t->gpu, n));
    WN_TRY(wn_gpu_node_sums_add(t->gpu, what, wn_gpu_records(t), p->n));
    WN_TRY(wn_gpu_node_sums_end(t->gpu, n, sums, misfits));
  }
  return wn_gpu_store_settle(t);
}

template <bool is_electron, int dim, int n_v>
static int launch_largest(struct wn_gpu *g, const char *records, size_t n,
                          unsigned int *most)
{
  largest_kernel<is_electron, dim, n_v>
      <<<wn_gpu_stride_blocks(g, n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(records, n,
                                                                          most);
  return wn_gpu_check((int)cudaGetLastError(), "largest velocity");
}

static int launch_largest_of_electrons(int dim, struct wn_gpu *g, const char *records,
                                       size_t n, unsigned int *most)
{
  return dim == 1   ? launch_largest<true, 1, 3>(g, records, n, most)
         : dim == 2 ? launch_largest<true, 2, 3>(g, records, n, most)
                    : launch_largest<true, 3, 3>(g, records, n, most);
}

static int launch_largest_of_points(int kind, struct wn_gpu *g, const char *records,
                                    size_t n, unsigned int *most)
{
  return wn_gpu_for_kind(kind, [&](auto k) {
    typedef wn_gpu_point_kind<decltype(k)::is> K;
    return launch_largest<false, K::dim, K::n_v>(g, records, n, most);
  });
}

int wn_gpu_largest_begin(struct wn_gpu *g)
{
  WN_TRY(wn_gpu_use(g));
  WN_TRY(wn_gpu_scratch_fit(g, WN_GPU_ALIGN));
  return wn_gpu_check((int)cudaMemsetAsync(g->scratch, 0, WN_GPU_ALIGN, g->stream),
                      "largest velocity");
}

int wn_gpu_largest_add(struct wn_gpu *g, const struct wn_node_values *what,
                       const void *records, size_t n_records)
{
  unsigned int *sum = (unsigned int *)(void *)g->scratch;
  const char *from = (const char *)records;
  if (n_records == 0)
    return WN_OK;
  return what->is_electron
             ? launch_largest_of_electrons(what->grid.points.grid.dim, g, from, n_records,
                                           sum)
             : launch_largest_of_points(what->grid.points.kind, g, from, n_records, sum);
}

int wn_gpu_largest_end(struct wn_gpu *g, float *most)
{
  float found;
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->host_scratch, g->scratch, sizeof found,
                                           cudaMemcpyDeviceToHost, g->stream),
                      "fetching the largest velocity"));
  WN_TRY(wn_gpu_wait(g, "largest velocity"));
  memcpy(&found, g->host_scratch, sizeof found);
  *most = found <= INFINITY ? found : INFINITY;
  return WN_OK;
}

int wn_gpu_ten_largest(struct wn_gpu *g, const struct wn_gpu_ten *ten, float *most)
{
  WN_TRY(wn_gpu_largest_begin(g));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->scratch, &found_of(ten)->most,
                                           sizeof(unsigned int), cudaMemcpyDeviceToDevice,
                                           g->stream),
                      "largest velocity"));
  return wn_gpu_largest_end(g, most);
}

int wn_gpu_largest_velocity(void *remote, const struct wn_particles *p,
                            const struct wn_node_values *what, float *most)
{
  struct wn_gpu_store *t = (struct wn_gpu_store *)remote;
  WN_TRY(check(t, what));
  if (t->ten.is_known) {
    WN_TRY(wn_gpu_ten_largest(t->gpu, &t->ten, most));
  } else {
    WN_TRY(wn_gpu_largest_begin(t->gpu));
    WN_TRY(wn_gpu_largest_add(t->gpu, what, wn_gpu_records(t), p->n));
    WN_TRY(wn_gpu_largest_end(t->gpu, most));
  }
  return wn_gpu_store_settle(t);
}
