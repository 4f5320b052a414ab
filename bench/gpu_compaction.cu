/* bench/gpu_compaction.cu - ways to take the dead away: the program's own, in one array
 * (device/compaction.cu), and those of older programs, from one array to another:
 *   simple   one atomic a survivor
 *   block    the survivors of a block are counted, one atomic a block
 *   warp     those of a warp by its vote, one atomic a warp
 * In order keeps the order of the electrons, the others do not.  Timed by the host's
 * clock, from the launch to the number of survivors on the host. */
#include "schedulers/gpu/kernel.cuh"
#include <string.h>
#include <time.h>
#include "bench/gpu_ceiling.h"

#define BLOCK 256
#define SEED  20261121u

const char *const wn_bench_compaction_name[WN_BENCH_COMPACTIONS] = {
    "program", "holes", "in-order", "simple", "block", "warp"};

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Deaths are drawn by place: the same for all ways. */
static __device__ __forceinline__ bool dies(unsigned long long i, double part)
{
  return wn_u01(wn_rng(SEED, i, 0, WN_RNG_POPULATION, 0).w[0]) < part;
}

/* Electrons with a number of their own in the place of the id, some of them dead. */
static __global__ void mark_kernel(struct wn_electron *e, unsigned long long n,
                                   double part, unsigned long long *deaths)
{
  const unsigned long long threads = (unsigned long long)gridDim.x * blockDim.x,
                           me = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long dead = 0;
  for (unsigned long long i = me; i < n; i += threads) {
    struct wn_electron one = {};
    bool dying = dies(i, part);
    one.id = i;
    one.t_left = dying ? WN_DEAD : 0.0f;
    dead += dying;
    wn_gpu_put(&e[i], one);
  }
  dead = wn_gpu_warp_sum(dead);
  if (threadIdx.x % 32 == 0 && dead > 0)
    atomicAdd(deaths, dead);
}

/* n electrons in the store of p, some of them dead, as a step leaves them. */
static int mark(const struct wn_gpu *g, struct wn_particles *p, size_t n, double part,
                unsigned long long *d_deaths)
{
  struct wn_gpu_store *t = wn_gpu_store_of(g, p);
  unsigned long long deaths = 0;
  WN_TRY(wn_gpu_check((int)cudaMemsetAsync(d_deaths, 0, sizeof deaths, g->stream),
                      "marking the dead"));
  mark_kernel<<<wn_gpu_stride_blocks(g, n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
      (struct wn_electron *)wn_gpu_records(t), n, part, d_deaths);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "marking the dead"));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(&deaths, d_deaths, sizeof deaths,
                                           cudaMemcpyDeviceToHost, g->stream),
                      "marking the dead"));
  WN_TRY(wn_gpu_wait(g, "marking the dead"));
  p->n = n;
  p->place = WN_PARTICLES_REMOTE;
  t->dead = (size_t)deaths;
  return WN_OK;
}

static int time_own(struct wn_gpu *g, struct wn_particles *p, int way, size_t n,
                    double part, int repeats, unsigned long long *d_deaths,
                    double *seconds, size_t *survivors)
{
  const enum wn_gpu_compaction how = way == WN_BENCH_HOLES      ? WN_GPU_COMPACT_HOLES
                                     : way == WN_BENCH_IN_ORDER ? WN_GPU_COMPACT_IN_ORDER
                                                                : WN_GPU_COMPACT_AUTO;
  /* the first time is the warm-up */
  for (int k = -1; k < repeats; k++) {
    WN_TRY(mark(g, p, n, part, d_deaths));
    double t = now();
    WN_TRY(wn_gpu_compact(p, how));
    WN_TRY(wn_gpu_drain(g));
    if (k >= 0)
      seconds[k] = now() - t;
    *survivors = p->n;
  }
  return WN_OK;
}

static int in_store(struct wn_gpu *g, int way, size_t n, double part, int repeats,
                    double *seconds, size_t *survivors)
{
  const struct wn_electron none = {};
  struct wn_particles p;
  unsigned long long *d_deaths = NULL;
  int enough = 0;
  WN_TRY(wn_particles_init(&p, &wn_model_mcc.record, 1, n));
  int status = wn_particles_append(&p, &none, 1);
  if (status == WN_OK)
    status = wn_gpu_hold(g, &p, 1.0);
  if (status == WN_OK)
    status = wn_gpu_store_fit(wn_gpu_store_of(g, &p), n, n, 1.0, &enough);
  if (status == WN_OK && !enough)
    status = WN_ENOMEM;
  if (status == WN_OK)
    status = wn_gpu_array(g, "counter", 1, &d_deaths);
  if (status == WN_OK)
    status = time_own(g, &p, way, n, part, repeats, d_deaths, seconds, survivors);
  wn_gpu_release(g, d_deaths, sizeof *d_deaths);
  wn_particles_empty(&p);
  wn_particles_clear(&p);
  return status;
}

/* Written out, since the compiler gathers plain atomics of a warp into one. */
static __device__ __forceinline__ unsigned long long take_place(unsigned long long *n)
{
  unsigned long long old;
  asm volatile("atom.global.add.u64 %0, [%1], 1;" : "=l"(old) : "l"(n) : "memory");
  return old;
}

/* One thread = one electron; reads 64 bytes each, writes 64 a survivor. */
static __global__ void simple_kernel(const struct wn_electron *from,
                                     struct wn_electron *to, unsigned long long n,
                                     unsigned long long *kept)
{
  const unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  struct wn_electron e = wn_gpu_fetch(&from[i]);
  if (e.t_left >= 0.0f)
    wn_gpu_put(&to[take_place(kept)], e);
}

static __global__ void warp_kernel(const struct wn_electron *from, struct wn_electron *to,
                                   unsigned long long n, unsigned long long *kept)
{
  const unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int lane = threadIdx.x % 32;
  struct wn_electron e = {};
  e.t_left = WN_DEAD;
  if (i < n)
    e = wn_gpu_fetch(&from[i]);
  const bool lives = e.t_left >= 0.0f;
  const unsigned int alive = __ballot_sync(0xffffffffu, lives);
  unsigned long long first = 0;
  if (lane == 0 && alive != 0)
    first = atomicAdd(kept, (unsigned long long)__popc(alive));
  first = __shfl_sync(0xffffffffu, first, 0);
  if (lives)
    wn_gpu_put(&to[first + (unsigned int)__popc(alive & ((1u << lane) - 1u))], e);
}

static __global__ void block_kernel(const struct wn_electron *from,
                                    struct wn_electron *to, unsigned long long n,
                                    unsigned long long *kept)
{
  __shared__ unsigned int before[BLOCK / 32]; /* survivors of the warps before this */
  __shared__ unsigned long long first;
  const unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  struct wn_electron e = {};
  e.t_left = WN_DEAD;
  if (i < n)
    e = wn_gpu_fetch(&from[i]);
  const bool lives = e.t_left >= 0.0f;
  const unsigned int alive = __ballot_sync(0xffffffffu, lives);
  if (lane == 0)
    before[warp] = (unsigned int)__popc(alive);
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned int sum = 0;
    for (int k = 0; k < BLOCK / 32; k++) {
      unsigned int here = before[k];
      before[k] = sum;
      sum += here;
    }
    first = sum > 0 ? atomicAdd(kept, (unsigned long long)sum) : 0;
  }
  __syncthreads();
  if (lives)
    wn_gpu_put(
        &to[first + before[warp] + (unsigned int)__popc(alive & ((1u << lane) - 1u))], e);
}

static int one_copy(int way, struct wn_electron *from, struct wn_electron *to, size_t n,
                    unsigned long long *d_kept, size_t *kept)
{
  const unsigned int n_blocks = (unsigned int)((n + BLOCK - 1) / BLOCK);
  unsigned long long result = 0;
  WN_TRY(wn_gpu_check((int)cudaMemsetAsync(d_kept, 0, sizeof *d_kept, 0), "counter"));
  if (way == WN_BENCH_SIMPLE)
    simple_kernel<<<n_blocks, BLOCK>>>(from, to, n, d_kept);
  else if (way == WN_BENCH_BLOCK)
    block_kernel<<<n_blocks, BLOCK>>>(from, to, n, d_kept);
  else
    warp_kernel<<<n_blocks, BLOCK>>>(from, to, n, d_kept);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "compaction"));
  WN_TRY(wn_gpu_check(
      (int)cudaMemcpy(&result, d_kept, sizeof result, cudaMemcpyDeviceToHost),
      "compaction"));
  *kept = (size_t)result;
  return WN_OK;
}

static int two_arrays(int way, size_t n, double part, int repeats, double *seconds,
                      size_t *survivors)
{
  struct wn_electron *memory = NULL;
  unsigned long long *d_kept = NULL;
  WN_TRY(wn_gpu_check((int)cudaMalloc((void **)&memory, 2 * n * sizeof *memory),
                      "memory of two arrays"));
  int status = wn_gpu_check((int)cudaMalloc((void **)&d_kept, sizeof *d_kept), "counter");
  if (status == WN_OK)
    status = wn_gpu_check((int)cudaMemsetAsync(d_kept, 0, sizeof *d_kept, 0), "counter");
  if (status == WN_OK) {
    mark_kernel<<<1024, BLOCK>>>(memory, n, part, d_kept);
    status = wn_gpu_check((int)cudaGetLastError(), "marking the dead");
  }
  if (status == WN_OK)
    status = wn_gpu_check((int)cudaDeviceSynchronize(), "marking the dead");
  for (int k = -1; k < repeats && status == WN_OK; k++) {
    double t = now();
    status = one_copy(way, memory, memory + n, n, d_kept, survivors);
    if (k >= 0)
      seconds[k] = now() - t;
  }
  cudaFree(d_kept);
  cudaFree(memory);
  return status;
}

int wn_bench_compaction(struct wn_gpu *g, int way, size_t n, double dead, int repeats,
                        double *seconds, size_t *survivors)
{
  WN_TRY(wn_gpu_use(g));
  if (way < WN_BENCH_SIMPLE)
    return in_store(g, way, n, dead, repeats, seconds, survivors);
  return two_arrays(way, n, dead, repeats, seconds, survivors);
}
