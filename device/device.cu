/* device/device.cu - GPUs, the life of a GPU scheduler, and a phase of it: what
 * all of them share.  A scheduler's own part is the kernel that its kind launches. */
#include "device/device.cuh"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"

static_assert(sizeof(struct wn_gpu_work) <= WN_GPU_ALIGN, "the sums begin behind it");
/* kernels count what should not happen where the other counters are */
static_assert(offsetof(struct wn_gpu_work, max_energy) -
                          offsetof(struct wn_gpu_work, violations) ==
                      offsetof(struct wn_tally_alarms, max_energy_ev) &&
                  offsetof(struct wn_gpu_work, beyond) -
                          offsetof(struct wn_gpu_work, violations) ==
                      offsetof(struct wn_tally_alarms, n_beyond),
              "the alarms of a tally are part of the counters");

#define GIB (1024.0 * 1024.0 * 1024.0)

/* ---- errors and devices */

int wn_gpu_check(int cuda_error, const char *what)
{
  if (cuda_error == (int)cudaSuccess)
    return WN_OK;
  cudaGetLastError(); /* reported here: the next call is not to find it again */
  return WN_FAIL(cuda_error == (int)cudaErrorMemoryAllocation ? WN_ENOMEM : WN_ECUDA,
                 "GPU: %s: %s", what, cudaGetErrorString((cudaError_t)cuda_error));
}

int wn_gpu_count(const char **why)
{
  int n = 0, version = 0; /* without a driver the call leaves n as it is */
  cudaError_t error = cudaGetDeviceCount(&n);
  if (error == cudaSuccess && n > 0) {
    *why = NULL;
    return n;
  }
  cudaGetLastError();
  if (error == cudaErrorInsufficientDriver)
    *why = cudaDriverGetVersion(&version) == cudaSuccess && version > 0
               ? "the NVIDIA driver is older than the CUDA this wilson was built with"
               : "no NVIDIA driver";
  else if (error == cudaSuccess || error == cudaErrorNoDevice)
    *why = "no GPU";
  else
    *why = cudaGetErrorString(error);
  return 0;
}

/* Is there such a GPU? */
static int check_index(int gpu)
{
  const char *why;
  int n = wn_gpu_count(&why);
  if (n == 0)
    return WN_FAIL(WN_EINPUT, "there is no GPU to run on: %s", why);
  if (gpu < 0 || gpu >= n)
    return WN_FAIL(WN_EINPUT, "there is no GPU %d; those of this machine are 0 to %d",
                   gpu, n - 1);
  return WN_OK;
}

int wn_gpu_describe(int gpu, struct wn_gpu_info *info)
{
  struct cudaDeviceProp prop;
  struct wn_gpu_info found;
  int present;
  WN_TRY(check_index(gpu));
  WN_TRY(wn_gpu_check((int)cudaGetDeviceProperties(&prop, gpu), "its properties"));
  WN_TRY(wn_gpu_check((int)cudaGetDevice(&present), "the present device"));
  WN_TRY(wn_gpu_check((int)cudaSetDevice(gpu), "choosing the device"));
  int status =
      wn_gpu_check((int)cudaMemGetInfo(&found.free, &found.memory), "size of its memory");
  WN_TRY(wn_gpu_check((int)cudaSetDevice(present), "choosing the device"));
  WN_TRY(status);
  memcpy(found.name, prop.name, sizeof found.name);
  found.name[sizeof found.name - 1] = '\0';
  found.major = prop.major;
  found.minor = prop.minor;
  found.multiprocessors = prop.multiProcessorCount;
  *info = found;
  return WN_OK;
}

/* ---- memory */

int wn_gpu_use(const struct wn_gpu *g)
{
  return wn_gpu_check((int)cudaSetDevice(g->options.gpu), "choosing the device");
}

int wn_gpu_wait(const struct wn_gpu *g, const char *what)
{
  return wn_gpu_check((int)cudaStreamSynchronize(g->stream), what);
}

int wn_gpu_alloc(struct wn_gpu *g, const char *what, size_t bytes, void **out)
{
  void *memory = NULL;
  size_t available = 0, total = 0;
  bytes = wn_gpu_round(bytes > 0 ? bytes : 1, WN_GPU_ALIGN);
  cudaError_t error = cudaMalloc(&memory, bytes);
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    WN_TRY(wn_gpu_check((int)cudaMemGetInfo(&available, &total), "size of its memory"));
    return WN_FAIL(WN_ENOMEM, "GPU: %s: %.3f GiB of memory are needed, %.3f GiB are free",
                   what, (double)bytes / GIB, (double)available / GIB);
  }
  WN_TRY(wn_gpu_check((int)error, what));
  g->used += bytes;
  *out = memory;
  return WN_OK;
}

void wn_gpu_release(struct wn_gpu *g, void *memory, size_t bytes)
{
  if (memory == NULL)
    return;
  wn_gpu_check((int)cudaFree(memory), "giving memory back");
  g->used -= wn_gpu_round(bytes > 0 ? bytes : 1, WN_GPU_ALIGN);
}

static int pinned(const char *what, size_t bytes, void **out)
{
  return wn_gpu_check((int)cudaMallocHost(out, bytes), what);
}

static void release_pinned(void *memory)
{
  if (memory != NULL)
    wn_gpu_check((int)cudaFreeHost(memory), "giving memory back");
}

/* ---- life */

int wn_gpu_cells_fit(struct wn_gpu *g, size_t bytes)
{
  if (bytes <= g->cells_bytes)
    return WN_OK;
  bytes = wn_gpu_round(bytes, WN_GPU_ALIGN);
  wn_gpu_release(g, g->cells, g->cells_bytes);
  g->cells = NULL;
  g->cells_bytes = 0;
  WN_TRY(wn_gpu_array(g, "sums", bytes / sizeof *g->cells, &g->cells));
  g->cells_bytes = bytes;
  return wn_gpu_check((int)cudaMemsetAsync(g->cells, 0, bytes, g->stream), "sums");
}

int wn_gpu_scratch_fit(struct wn_gpu *g, size_t bytes)
{
  void *memory = NULL;
  if (bytes <= g->scratch_bytes)
    return WN_OK;
  bytes = wn_gpu_round(bytes, WN_GPU_ALIGN);
  wn_gpu_release(g, g->scratch, g->scratch_bytes);
  release_pinned(g->host_scratch);
  g->scratch = g->host_scratch = NULL;
  g->scratch_bytes = 0;
  WN_TRY(wn_gpu_array(g, "partial sums", bytes, &g->scratch));
  int status = pinned("partial sums", bytes, &memory);
  if (status != WN_OK) {
    wn_gpu_release(g, g->scratch, bytes);
    g->scratch = NULL;
    return status;
  }
  g->host_scratch = (unsigned char *)memory;
  g->scratch_bytes = bytes;
  return WN_OK;
}

static __global__ void fold_kernel(wn_i128 *cells, size_t n, size_t copies,
                                   wn_i128 *result);

/* Was this program built for the device?  Asked of any kernel. */
static int check_code(const struct wn_gpu *g)
{
  struct cudaFuncAttributes attributes;
  cudaError_t error = cudaFuncGetAttributes(&attributes, (const void *)fold_kernel);
  if (error == cudaErrorNoKernelImageForDevice ||
      error == cudaErrorInvalidDeviceFunction ||
      error == cudaErrorUnsupportedPtxVersion || error == cudaErrorInvalidPtx) {
    cudaGetLastError();
    return WN_FAIL(WN_ECUDA,
                   "this wilson was not built for GPU %d; configure it with "
                   "--with-cuda-arch",
                   g->options.gpu);
  }
  return wn_gpu_check((int)error, "its code");
}

static int set_up(struct wn_gpu *g)
{
  int cooperative = 0;
  void *memory = NULL;
  WN_TRY(wn_gpu_use(g));
  WN_TRY(check_code(g));
  WN_TRY(wn_gpu_check((int)cudaDeviceGetAttribute(&g->multiprocessors,
                                                  cudaDevAttrMultiProcessorCount,
                                                  g->options.gpu),
                      "its multiprocessors"));
  WN_TRY(wn_gpu_check((int)cudaDeviceGetAttribute(
                          &cooperative, cudaDevAttrCooperativeLaunch, g->options.gpu),
                      "cooperative launches"));
  if (g->kind->cooperative && !cooperative)
    return WN_FAIL(WN_EINPUT,
                   "scheduler `%s` waits inside a kernel, for which GPU %d cannot "
                   "promise that all blocks run at once (no cooperative launch); take "
                   "another scheduler",
                   g->kind->name, g->options.gpu);
  WN_TRY(wn_gpu_check((int)cudaStreamCreateWithFlags(&g->stream, cudaStreamNonBlocking),
                      "its queue"));
  WN_TRY(wn_gpu_store_create(g));
  WN_TRY(wn_gpu_cells_fit(g, wn_gpu_sum_bytes(g->n_cells)));
  WN_TRY(wn_gpu_scratch_fit(g, WN_GPU_SCRATCH));
  WN_TRY(wn_gpu_array(g, "counters", wn_gpu_result_bytes(g->n_cells), &g->result));
  /* all of it is fetched after a phase, the gap between counters and sums too */
  WN_TRY(wn_gpu_check(
      (int)cudaMemsetAsync(g->result, 0, wn_gpu_result_bytes(g->n_cells), g->stream),
      "counters"));
  WN_TRY(pinned("counters", wn_gpu_result_bytes(g->n_cells), &memory));
  g->host_result = (unsigned char *)memory;
  WN_TRY(pinned("counters", sizeof *g->host_work, &memory));
  g->host_work = (struct wn_gpu_work *)memory;
  WN_TRY(wn_gpu_array(g, "thresholds", WN_MAX_THRESHOLDS, &g->threshold_ev));
  return wn_gpu_wait(g, "setting up");
}

int wn_gpu_create(const struct wn_gpu_kind *kind, const struct wn_scheduler_options *o,
                  const struct wn_tally_shape *shape, struct wn_scheduler **out)
{
  WN_TRY(check_index(o->gpu));
  if (o->block < 0 || o->block > 1024 || o->block % 32 != 0)
    return WN_FAIL(
        WN_EINPUT,
        "blocks of %d threads are not possible on a GPU: it must be a multiple "
        "of 32 up to 1024, or 0 for the scheduler's choice",
        o->block);
  struct wn_scheduler *s = (struct wn_scheduler *)wn_alloc(1, sizeof *s);
  if (s == NULL)
    return WN_ENOMEM;
  s->gpu.kind = kind;
  s->gpu.options = *o;
  s->gpu.shape = *shape;
  s->gpu.n_cells = wn_gpu_cells(shape);
  int status = set_up(&s->gpu);
  if (status != WN_OK) {
    wn_gpu_free(s);
    return status;
  }
  *out = s;
  return WN_OK;
}

static void free_tables(struct wn_gpu *g)
{
  for (int i = 0; i < g->n_tables; i++)
    wn_gpu_release(g, g->table[i], g->table_bytes[i]);
  g->n_tables = 0;
  memset(&g->host_xs, 0, sizeof g->host_xs);
}

void wn_gpu_free(struct wn_scheduler *s)
{
  if (s == NULL)
    return;
  struct wn_gpu *g = &s->gpu;
  /* after a kernel has failed every call does, and the failure was reported: what the
   * device holds goes with the process */
  if (cudaSetDevice(g->options.gpu) == cudaSuccess &&
      cudaDeviceSynchronize() == cudaSuccess) {
    free_tables(g);
    wn_gpu_store_free(g);
    wn_gpu_release(g, g->cells, g->cells_bytes);
    wn_gpu_release(g, g->result, wn_gpu_result_bytes(g->n_cells));
    wn_gpu_release(g, g->scratch, g->scratch_bytes);
    wn_gpu_release(g, g->threshold_ev, WN_MAX_THRESHOLDS * sizeof *g->threshold_ev);
    wn_gpu_release(g, g->levels, sizeof *g->levels);
    wn_gpu_release(g, g->grid, g->grid_cells * sizeof *g->grid);
    wn_gpu_release(g, g->first_passage, g->n_passages * sizeof *g->first_passage);
    if (g->stream != NULL)
      wn_gpu_check((int)cudaStreamDestroy(g->stream), "its queue");
    release_pinned(g->host_result);
    release_pinned(g->host_work);
    release_pinned(g->host_scratch);
  }
  cudaGetLastError();
  free(s);
}

int wn_gpu_threads(const struct wn_scheduler *s)
{
  return s->gpu.multiprocessors * WN_GPU_RESIDENT;
}

size_t wn_gpu_used(const struct wn_scheduler *s)
{
  return s->gpu.used;
}

int wn_gpu_block(const struct wn_gpu *g)
{
  return g->options.block;
}

int wn_gpu_multiprocessors(const struct wn_gpu *g)
{
  return g->multiprocessors;
}

void *wn_gpu_stream(const struct wn_gpu *g)
{
  return g->stream;
}

int wn_gpu_read_work(struct wn_gpu *g, struct wn_gpu_work *out)
{
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->host_work, g->result, sizeof *out,
                                           cudaMemcpyDeviceToHost, g->stream),
                      "reading the counters"));
  WN_TRY(wn_gpu_wait(g, g->kind->name));
  *out = *g->host_work;
  return WN_OK;
}

int wn_gpu_write_work(struct wn_gpu *g, const struct wn_gpu_work *in)
{
  /* a few bytes that are not pinned: CUDA has taken them when the call returns */
  return wn_gpu_check(
      (int)cudaMemcpyAsync(g->result, in, sizeof *in, cudaMemcpyHostToDevice, g->stream),
      "writing the counters");
}

/* ---- tables */

/* *host becomes the address of a copy on the device; NULL stays NULL. */
template <class T> static int table(struct wn_gpu *g, const T **host, size_t n)
{
  T *copy = NULL;
  if (*host == NULL)
    return WN_OK;
  if (g->n_tables == WN_GPU_MAX_TABLES)
    return WN_FAIL(WN_EINTERN, "more tables than WN_GPU_MAX_TABLES");
  WN_TRY(wn_gpu_array(g, "collision tables", n, &copy));
  g->table[g->n_tables] = copy;
  g->table_bytes[g->n_tables++] = n * sizeof(T);
  WN_TRY(wn_gpu_check(
      (int)cudaMemcpyAsync(copy, *host, n * sizeof(T), cudaMemcpyHostToDevice, g->stream),
      "copying the collision tables"));
  *host = copy;
  return WN_OK;
}

/* Every array of struct wn_xs_view but the edges, a line each; sizes: physics/xs_view.h.
 */
static int copy_tables(struct wn_gpu *g, const struct wn_xs_view *host)
{
  struct wn_xs_view xs = *host;
  xs.edge = NULL;
  size_t bins = (size_t)xs.n_bins, segments = xs.n_segments;
  free_tables(g);
  WN_TRY(table(g, &xs.major, bins * wn_xs_fours(&xs)));
  WN_TRY(table(g, &xs.normal, WN_XS_NORMALS));
  WN_TRY(table(g, &xs.top, bins));
  WN_TRY(table(g, &xs.bin, bins));
  if (xs.n_parts > 0)
    WN_TRY(table(g, &xs.part, xs.n_parts));
  WN_TRY(table(g, &xs.process, (size_t)xs.n_processes));
  WN_TRY(table(g, &xs.row, segments * (size_t)xs.n_processes));
  for (int i = 0; i < xs.n_gases; i++)
    WN_TRY(table(g, &xs.gas[i].angle, bins + 1));
  WN_TRY(wn_gpu_wait(g, "copying the collision tables"));
  g->xs = xs;
  memcpy(&g->host_xs, host, sizeof *host);
  return WN_OK;
}

static int model_mcc(struct wn_gpu *g, struct wn_mcc *m)
{
  size_t n = (size_t)m->n_thresholds;
  if (memcmp(&g->host_xs, &m->xs, sizeof m->xs) != 0)
    WN_TRY(copy_tables(g, &m->xs));
  m->xs = g->xs;
  if (n > WN_MAX_THRESHOLDS)
    return WN_FAIL(WN_EINTERN, "%zu thresholds", n);
  if (n > 0 &&
      memcmp(g->host_threshold_ev, m->threshold_ev, n * sizeof *m->threshold_ev) != 0) {
    WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->threshold_ev, m->threshold_ev,
                                             n * sizeof *m->threshold_ev,
                                             cudaMemcpyHostToDevice, g->stream),
                        "copying the thresholds"));
    memcpy(g->host_threshold_ev, m->threshold_ev, n * sizeof *m->threshold_ev);
  }
  m->threshold_ev = g->threshold_ev;
  return WN_OK;
}

/* Tells tables apart: the next product of all words so far, an FNV hash by words. */
static uint64_t fingerprint(const uint32_t *v, size_t n)
{
  uint64_t h = 0xcbf29ce484222325ull;
  for (size_t i = 0; i < n; i++)
    h = (h ^ v[i]) * 0x100000001b3ull;
  return h;
}

static int model_split(struct wn_gpu *g, struct wn_split *m)
{
  size_t cells = (size_t)m->cells * (size_t)m->cells * (size_t)m->cells;
  uint64_t print =
      fingerprint((const uint32_t *)m->tables, sizeof *m->tables / sizeof(uint32_t));
  if (g->levels == NULL)
    WN_TRY(wn_gpu_array(g, "levels", 1, &g->levels));
  if (g->levels_print != print) {
    WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->levels, m->tables, sizeof *g->levels,
                                             cudaMemcpyHostToDevice, g->stream),
                        "copying the levels"));
    WN_TRY(wn_gpu_wait(g, "copying the levels"));
    g->levels_print = print;
  }
  if (g->grid_cells != cells) {
    wn_gpu_release(g, g->grid, g->grid_cells * sizeof *g->grid);
    g->grid = NULL;
    g->grid_cells = 0;
    WN_TRY(wn_gpu_array(g, "grid of counts", cells, &g->grid));
    g->grid_cells = cells;
    WN_TRY(
        wn_gpu_check((int)cudaMemsetAsync(g->grid, 0, cells * sizeof *g->grid, g->stream),
                     "grid of counts"));
  }
  m->tables = g->levels;
  m->count = g->grid;
  return WN_OK;
}

int wn_gpu_model(struct wn_gpu *g, const struct wn_model *host, struct wn_model *device)
{
  struct wn_model m = *host;
  if (m.ops == &wn_model_mcc)
    WN_TRY(model_mcc(g, &m.mcc));
  else if (m.ops == &wn_model_split_remove)
    WN_TRY(model_split(g, &m.split));
  else if (m.ops->prepare != NULL)
    return WN_FAIL(WN_EINTERN, "model `%s` has no beginning of a phase on a GPU",
                   m.ops->name);
  *device = m;
  return WN_OK;
}

/* ---- the beginning of a phase */

/* Every electron has the whole phase before it.  4 bytes each, in sectors of 32.  Limit:
 * memory. */
static __global__ void steps_kernel(struct wn_electron *e, size_t n, float steps)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    e[i].t_left = steps;
}

/* split-remove: electrons of each cell; or their cells to 0, as the grid is large and
 * mostly empty.  Reads 24 bytes an electron; one atomic each, or 4 bytes written.  Limit:
 * memory, as long as the cells in use stay in the level-2 cache. */
template <bool count>
static __global__ void cells_kernel(const __grid_constant__ struct wn_split m,
                                    uint32_t *grid, const struct wn_split_electron *e,
                                    size_t n)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    int64_t cell = wn_split_cell(&m, e[i].x);
    if (cell < 0)
      continue;
    if (count)
      atomicAdd(&grid[cell], 1u);
    else
      grid[cell] = 0;
  }
}

/* split-remove: the acceleration that an electron holds in this phase, and the steps it
 * has before it.  Reads 24 bytes and six cells, writes 16 bytes an electron. */
static __global__ void accelerate_kernel(const __grid_constant__ struct wn_split m,
                                         struct wn_split_electron *e, size_t n,
                                         float steps)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    struct wn_split_electron s;
    for (int k = 0; k < 3; k++)
      s.x[k] = e[i].x[k];
    wn_split_accelerate(&m, &s);
    e[i].a0 = s.a0;
    e[i].a1 = s.a1;
    e[i].a2 = s.a2;
    e[i].t_left = steps;
  }
}

static int begin_phase(struct wn_gpu *g, const struct wn_model *m, size_t n)
{
  unsigned int blocks = wn_gpu_stride_blocks(g, n), threads = WN_GPU_STRIDE_BLOCK;
  struct wn_electron *e = wn_gpu_electrons(g);
  if (m->ops != &wn_model_split_remove) {
    steps_kernel<<<blocks, threads, 0, g->stream>>>(e, n, (float)m->steps);
  } else {
    struct wn_split_electron *s = (struct wn_split_electron *)e;
    cells_kernel<true><<<blocks, threads, 0, g->stream>>>(m->split, g->grid, s, n);
    accelerate_kernel<<<blocks, threads, 0, g->stream>>>(m->split, s, n, (float)m->steps);
    cells_kernel<false><<<blocks, threads, 0, g->stream>>>(m->split, g->grid, s, n);
  }
  return wn_gpu_check((int)cudaGetLastError(), "beginning of a phase");
}

/* ---- sums */

/* One thread = one cell: add its copies up as a 128-bit integer (physics/tally.h says
 * what their two halves are) and empty them for the next launch.  Reads and writes 16
 * bytes a copy, out of the level-2 cache as a rule. */
static __global__ void fold_kernel(wn_i128 *cells, size_t n, size_t copies,
                                   wn_i128 *result)
{
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  wn_i128 low = 0, high = 0;
#pragma unroll 4
  for (size_t k = 0; k < copies; k++) {
    ulonglong2 *cell = (ulonglong2 *)&cells[k * n + i], part = *cell;
    low += (wn_i128)part.x;
    high += (wn_i128)(long long)part.y;
    *cell = make_ulonglong2(0, 0);
  }
  result[i] = low + high * ((wn_i128)1 << 32);
}

int wn_gpu_fold(const struct wn_gpu *g, size_t n, size_t copies, void *result)
{
  if (n == 0)
    return WN_OK;
  fold_kernel<<<(unsigned int)((n + WN_GPU_STRIDE_BLOCK - 1) / WN_GPU_STRIDE_BLOCK),
                WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(g->cells, n, copies,
                                                     (wn_i128 *)result);
  return wn_gpu_check((int)cudaGetLastError(), "sums");
}

/* Copies of the cells of a phase, enough that none gets 2^32 contributions in a launch:
 * each of the electrons for which there is room adds once a step, or once a candidate; a
 * factor of two for blocks that do not share equally. */
static int copies_of_phase(struct wn_gpu *g, const struct wn_model *m, size_t *copies)
{
  double adds = (double)g->store.room * (double)m->steps * fmax(1.0, wn_gpu_newborns(m));
  size_t least = (size_t)fmin(ceil(adds * 0x1p-31), 4096.0);
  WN_TRY(wn_gpu_cells_fit(g, least * g->n_cells * sizeof *g->cells));
  size_t most = wn_gpu_copies(g, g->n_cells);
  *copies = most > least ? most : least;
  return WN_OK;
}

static const wn_i128 *add_cells(wn_i128 *to, const wn_i128 *from, size_t n)
{
  for (size_t i = 0; i < n; i++)
    to[i] += from[i];
  return from + n;
}

/* What a launch added up, as fetched. */
static void collect(const struct wn_gpu *g, const struct wn_gpu_work *w,
                    struct wn_tally *t)
{
  size_t groups = (size_t)g->shape.n_groups;
  const wn_i128 *from = (const wn_i128 *)(const void *)(g->host_result + WN_GPU_ALIGN);
  double max_energy;
  from =
      add_cells((wn_i128 *)t->group, from, groups * (sizeof *t->group / sizeof(wn_i128)));
  from = add_cells(t->count, from, groups * (size_t)g->shape.n_processes);
  from = add_cells(t->lost, from, groups * (size_t)g->shape.n_processes);
  add_cells(t->passed, from, groups * (size_t)g->shape.n_thresholds);
  t->n_candidates += w->candidates;
  t->n_real += w->real;
  t->n_births += w->births;
  t->n_deaths += w->deaths;
  t->alarms->n_violations += w->violations;
  t->alarms->n_beyond += w->beyond;
  t->alarms->n_forbidden += w->forbidden;
  memcpy(&max_energy, &w->max_energy, sizeof max_energy);
  wn_tally_max(&t->alarms->max_energy_ev, max_energy);
}

/* ---- a phase */

/* Lineages are numbered from 0; those of the electrons at hand are all there will be. */
static size_t count_lineages(const struct wn_particles *p)
{
  size_t n = 0;
  for (size_t i = 0; i < p->n; i++) {
    size_t lineage = p->e[i].tag & WN_TAG_LINEAGE_MASK;
    n = n > lineage ? n : lineage + 1;
  }
  return n;
}

/* The array on the device is what holds between phases; it goes there with the electrons,
 * or when the tally is another. */
static int passages_to_device(struct wn_gpu *g, const struct wn_tally *t, int uploaded)
{
  size_t n = g->n_lineages * (size_t)g->shape.n_thresholds;
  if (t->first_passage == NULL ||
      (!uploaded && t->first_passage == g->host_first_passage))
    return WN_OK;
  if (n > g->n_passages) {
    wn_gpu_release(g, g->first_passage, g->n_passages * sizeof *g->first_passage);
    g->first_passage = NULL;
    g->n_passages = 0;
    WN_TRY(wn_gpu_array(g, "first passages", n, &g->first_passage));
    g->n_passages = n;
  }
  if (n > 0)
    WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->first_passage, t->first_passage,
                                             n * sizeof *g->first_passage,
                                             cudaMemcpyHostToDevice, g->stream),
                        "copying first passages"));
  g->host_first_passage = t->first_passage;
  return WN_OK;
}

static int passages_to_host(struct wn_gpu *g, struct wn_tally *t)
{
  size_t n = g->n_lineages * (size_t)g->shape.n_thresholds;
  if (t->first_passage == NULL || n == 0)
    return WN_OK;
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(t->first_passage, g->first_passage,
                                           n * sizeof *g->first_passage,
                                           cudaMemcpyDeviceToHost, g->stream),
                      "copying first passages"));
  return wn_gpu_wait(g, "copying first passages");
}

/* Make the store fit for the electrons and bring them to the device, if they are not
 * there. */
static int bring(struct wn_scheduler *s, const struct wn_model *m, struct wn_particles *p,
                 const struct wn_tally *t)
{
  struct wn_gpu *g = &s->gpu;
  size_t limit = p->limit > p->n ? p->limit : p->n;
  int here = p->place != WN_PARTICLES_HOST && p->remote == s && g->store.owner == p,
      enough;
  if (!here && p->place == WN_PARTICLES_REMOTE)
    WN_TRY(wn_particles_host(p));
  WN_TRY(wn_gpu_use(g)); /* the other scheduler may be on another device */
  WN_TRY(wn_gpu_store_fit(g, p->n, limit, wn_gpu_newborns(m), &enough));
  if (!enough) {
    size_t available = 0, total = 0;
    cudaMemGetInfo(&available, &total);
    return WN_FAIL(WN_ENOMEM,
                   "%zu electrons of 64 bytes do not fit on GPU %d: %.3f GiB of %.3f are "
                   "free",
                   p->n, g->options.gpu, (double)available / GIB, (double)total / GIB);
  }
  if (!here) {
    g->n_lineages = g->shape.n_thresholds > 0 ? count_lineages(p) : 0;
    WN_TRY(wn_gpu_upload(g, p));
    p->remote = s;
    p->remote_ops = &wn_gpu_remote_ops;
  }
  return passages_to_device(g, t, !here);
}

/* Launch the scheduler's kernels on the first n electrons and fetch what they counted. */
static int launch(struct wn_gpu *g, const struct wn_model *m, size_t n,
                  const struct wn_tally *t, struct wn_gpu_work *out)
{
  size_t groups = (size_t)g->shape.n_groups, copies;
  struct wn_gpu_work work = {};
  struct wn_gpu_launch l = {};
  WN_TRY(copies_of_phase(g, m, &copies));
  work.n = work.end = n;
  WN_TRY(wn_gpu_write_work(g, &work));
  l.e = wn_gpu_electrons(g);
  l.work = (struct wn_gpu_work *)(void *)g->result;
  l.room = g->store.room;
  l.hard = g->store.hard;
  l.tally.alarms = (struct wn_tally_alarms *)(void *)&l.work->violations;
  l.tally.group = (struct wn_tally_group *)(void *)g->cells;
  l.tally.count = g->cells + groups * (sizeof *l.tally.group / sizeof(wn_i128));
  l.tally.lost = l.tally.count + groups * (size_t)g->shape.n_processes;
  l.tally.passed = l.tally.lost + groups * (size_t)g->shape.n_processes;
  l.tally.first_passage = t->first_passage != NULL ? g->first_passage : NULL;
  l.copies = (unsigned int)copies;
  l.stride = g->n_cells;
  l.steps = (float)m->steps;
  WN_TRY(g->kind->run(g, m, &l));
  WN_TRY(wn_gpu_fold(g, g->n_cells, copies, g->result + WN_GPU_ALIGN));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->host_result, g->result,
                                           wn_gpu_result_bytes(g->n_cells),
                                           cudaMemcpyDeviceToHost, g->stream),
                      "fetching the tally"));
  WN_TRY(wn_gpu_wait(g, g->kind->name));
  memcpy(out, g->host_result, sizeof *out);
  return WN_OK;
}

/* Room for more than n electrons, in a store that was found full. */
static int grow(struct wn_gpu *g, const struct wn_model *m, size_t n, size_t limit)
{
  size_t need = n + 1, available = 0, total = 0;
  int enough;
  if (n >= limit)
    return WN_FAIL(WN_EFULL,
                   "the store is full: with the newborns there are %zu electrons, but "
                   "population.capacity is %zu; raise it, set population.target, or "
                   "shorten the run",
                   n, limit);
  WN_TRY(wn_gpu_store_fit(g, need < limit ? need : limit, limit, wn_gpu_newborns(m),
                          &enough));
  if (enough)
    return WN_OK;
  WN_TRY(wn_gpu_check((int)cudaMemGetInfo(&available, &total), "size of its memory"));
  return WN_FAIL(
      WN_EFULL,
      "the store is full: %zu electrons take %.3f GiB of the GPU's %.3f GiB of "
      "memory, %.3f GiB are free; set population.target, shorten the run, or "
      "take a GPU with more memory",
      n, (double)g->store.mapped / GIB, (double)total / GIB, (double)available / GIB);
}

int wn_gpu_advance(struct wn_scheduler *s, const struct wn_model *model,
                   struct wn_particles *p, struct wn_tally *tally)
{
  struct wn_gpu *g = &s->gpu;
  size_t limit = p->limit > p->n ? p->limit : p->n;
  struct wn_model m;
  struct wn_gpu_work w;
  int status;
  if (p->n == 0)
    return WN_OK;
  WN_TRY(bring(s, model, p, tally));
  WN_TRY(wn_gpu_model(g, model, &m));
  WN_TRY(begin_phase(g, &m, p->n));
  p->place = WN_PARTICLES_REMOTE;
  do {
    WN_TRY(launch(g, &m, p->n, tally, &w));
    collect(g, &w, tally);
    p->n = (size_t)(w.n < g->store.hard ? w.n : g->store.hard);
    g->store.dead += w.deaths - w.gone;
    if (w.lost > 0)
      return WN_FAIL(WN_EINTERN,
                     "%u newborns found no place behind the store: this is a bug; please "
                     "report it with the scenario",
                     w.lost);
    status = w.full ? grow(g, &m, p->n, limit) : WN_OK;
  } while (w.full && status == WN_OK);
  WN_TRY(passages_to_host(g, tally));
  return status;
}
