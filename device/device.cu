/* device/device.cu - GPUs: enumeration, opening one, its memory and sums. */
#include "device/device.cuh"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"

/* ---- errors and devices */

int wn_gpu_check(int cuda_error, const char *what)
{
  if (cuda_error == (int)cudaSuccess)
    return WN_OK;
  cudaGetLastError(); /* reported here: cleared, so that the next call does not see it */
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

/* Check that such a GPU exists. */
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

void wn_gpu_wake(int gpu)
{
  int present;
  if (cudaGetDevice(&present) == cudaSuccess && cudaSetDevice(gpu) == cudaSuccess &&
      cudaFree(NULL) == cudaSuccess)
    cudaSetDevice(present);
  cudaGetLastError();
}

void wn_gpu_end(int gpu)
{
  if (cudaSetDevice(gpu) == cudaSuccess)
    cudaDeviceReset();
  cudaGetLastError();
}

/* ---- memory */

int wn_gpu_use(const struct wn_gpu *g)
{
  return wn_gpu_check((int)cudaSetDevice(g->index), "choosing the device");
}

int wn_gpu_works(const struct wn_gpu *g)
{
  int works =
      cudaSetDevice(g->index) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
  cudaGetLastError();
  return works;
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
                   what, (double)bytes / WN_GPU_GIB, (double)available / WN_GPU_GIB);
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

int wn_gpu_pinned(const char *what, size_t bytes, void **out)
{
  return wn_gpu_check((int)cudaMallocHost(out, bytes), what);
}

void wn_gpu_release_pinned(void *memory)
{
  if (memory != NULL)
    wn_gpu_check((int)cudaFreeHost(memory), "giving memory back");
}

int wn_gpu_copy(struct wn_gpu *g, const void *from, size_t bytes, struct wn_gpu_copy *out)
{
  void *at = NULL;
  *out = {};
  if (bytes == 0)
    return WN_OK;
  WN_TRY(wn_gpu_use(g));
  WN_TRY(wn_gpu_alloc(g, "a table", bytes, &at));
  *out = {at, bytes};
  WN_TRY(wn_gpu_check(
      (int)cudaMemcpyAsync(at, from, bytes, cudaMemcpyHostToDevice, g->stream),
      "copying a table"));
  return wn_gpu_wait(g, "copying a table");
}

void wn_gpu_copy_free(struct wn_gpu *g, struct wn_gpu_copy *copy)
{
  if (g != NULL && copy->at != NULL && wn_gpu_works(g))
    wn_gpu_release(g, copy->at, copy->bytes);
  *copy = {};
}

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
  wn_gpu_release_pinned(g->host_scratch);
  g->scratch = g->host_scratch = NULL;
  g->scratch_bytes = 0;
  WN_TRY(wn_gpu_array(g, "partial sums", bytes, &g->scratch));
  int status = wn_gpu_pinned("partial sums", bytes, &memory);
  if (status != WN_OK) {
    wn_gpu_release(g, g->scratch, bytes);
    g->scratch = NULL;
    return status;
  }
  g->host_scratch = (unsigned char *)memory;
  g->scratch_bytes = bytes;
  return WN_OK;
}

/* ---- sums */

/* A block adds up the copies of FOLD_CELLS cells as 128-bit integers (two halves:
 * physics/tally.h) and clears them for the next launch.  Threads of a warp handle
 * adjacent cells, and each warp every FOLD_WARPS-th copy.  Block 0 also copies the head
 * before the result.  Reads and writes 16 bytes per copy, mostly in the level-2 cache. */
#define FOLD_CELLS 32
#define FOLD_WARPS 32

static __global__ void __launch_bounds__(FOLD_CELLS *FOLD_WARPS)
    fold_kernel(wn_i128 *cells, size_t n, size_t copies, wn_i128 *result,
                const ulonglong2 *head, ulonglong2 *head_to, unsigned int heads)
{
  __shared__ wn_i128 of_warp[FOLD_WARPS][FOLD_CELLS];
  const unsigned int lane = threadIdx.x % FOLD_CELLS, warp = threadIdx.x / FOLD_CELLS;
  const size_t i = (size_t)blockIdx.x * FOLD_CELLS + lane;
  wn_i128 sum = 0;
  if (i < n)
    for (size_t k = warp; k < copies; k += FOLD_WARPS) {
      ulonglong2 *cell = (ulonglong2 *)&cells[k * n + i], part = *cell;
      sum += (wn_i128)part.x + (wn_i128)(long long)part.y * ((wn_i128)1 << 32);
      *cell = make_ulonglong2(0, 0);
    }
  of_warp[warp][lane] = sum;
  if (blockIdx.x == 0 && threadIdx.x < heads)
    head_to[threadIdx.x] = head[threadIdx.x];
  __syncthreads();
  if (warp > 0 || i >= n)
    return;
  for (int k = 1; k < FOLD_WARPS; k++)
    sum += of_warp[k][lane];
  result[i] = sum;
}

static int fold(const struct wn_gpu *g, wn_i128 *cells, size_t n, size_t copies,
                void *result, const void *head, void *head_to, unsigned int heads)
{
  const unsigned int blocks =
      (unsigned int)((n + FOLD_CELLS - 1) / FOLD_CELLS) + (n == 0);
  fold_kernel<<<blocks, FOLD_CELLS * FOLD_WARPS, 0, g->stream>>>(
      cells, n, copies, (wn_i128 *)result, (const ulonglong2 *)head,
      (ulonglong2 *)head_to, heads);
  return wn_gpu_check((int)cudaGetLastError(), "sums");
}

int wn_gpu_fold_of(const struct wn_gpu *g, wn_i128 *cells, size_t n, size_t copies,
                   void *result)
{
  return n > 0 ? fold(g, cells, n, copies, result, NULL, NULL, 0) : WN_OK;
}

int wn_gpu_fold(const struct wn_gpu *g, size_t n, size_t copies, void *result)
{
  return wn_gpu_fold_of(g, g->cells, n, copies, result);
}

int wn_gpu_fold_home(const struct wn_gpu *g, size_t n, size_t copies, const void *head,
                     void *to)
{
  static_assert(WN_GPU_ALIGN / sizeof(ulonglong2) <= FOLD_CELLS * FOLD_WARPS,
                "a thread takes one word");
  return fold(g, g->cells, n, copies, (unsigned char *)to + WN_GPU_ALIGN, head, to,
              WN_GPU_ALIGN / sizeof(ulonglong2));
}

/* ---- life */

/* Whether this program has code for the device, by the attributes of some kernel. */
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
                   g->index);
  }
  return wn_gpu_check((int)error, "its code");
}

static int set_up(struct wn_gpu *g)
{
  WN_TRY(wn_gpu_use(g));
  WN_TRY(check_code(g));
  WN_TRY(wn_gpu_check((int)cudaDeviceGetAttribute(
                          &g->multiprocessors, cudaDevAttrMultiProcessorCount, g->index),
                      "its multiprocessors"));
  WN_TRY(wn_gpu_check((int)cudaDeviceGetAttribute(&g->cooperative,
                                                  cudaDevAttrCooperativeLaunch, g->index),
                      "cooperative launches"));
  int major = 0;
  WN_TRY(wn_gpu_check(
      (int)cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, g->index),
      "the GPU's capabilities"));
  g->overlaps = major >= 9;
  WN_TRY(wn_gpu_check((int)cudaStreamCreateWithFlags(&g->stream, cudaStreamNonBlocking),
                      "its queue"));
  return wn_gpu_scratch_fit(g, WN_GPU_SCRATCH);
}

int wn_gpu_open(int gpu, struct wn_gpu **out)
{
  WN_TRY(check_index(gpu));
  struct wn_gpu *g = (struct wn_gpu *)wn_alloc(1, sizeof *g);
  if (g == NULL)
    return WN_ENOMEM;
  g->index = gpu;
  int status = set_up(g);
  if (status != WN_OK) {
    wn_gpu_close(g);
    return status;
  }
  *out = g;
  return WN_OK;
}

void wn_gpu_sort_free(struct wn_gpu *g)
{
  wn_gpu_release(g, g->order, g->order_bytes);
  g->order = NULL;
  g->order_bytes = 0;
}

void wn_gpu_close(struct wn_gpu *g)
{
  if (g == NULL)
    return;
  if (wn_gpu_works(g)) {
    wn_gpu_release(g, g->cells, g->cells_bytes);
    wn_gpu_sort_free(g);
    if (g->free_batches != NULL)
      g->free_batches(g);
    wn_gpu_release(g, g->scratch, g->scratch_bytes);
    wn_gpu_release_pinned(g->host_scratch);
    if (g->stream != NULL)
      wn_gpu_check((int)cudaStreamDestroy(g->stream), "its queue");
  }
  free(g);
}

size_t wn_gpu_used(const struct wn_gpu *g)
{
  return g->used;
}

int wn_gpu_drain(const struct wn_gpu *g)
{
  WN_TRY(wn_gpu_use(g));
  return wn_gpu_wait(g, "what was begun");
}
