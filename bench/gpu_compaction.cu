/* bench/gpu_compaction.cu - ways to take the dead away: the program's own, in one array
 * (device/store.cu), and those of older programs, from one array to another:
 *   simple   one atomic a survivor
 *   block    the survivors of a block are counted, one atomic a block
 *   warp     those of a warp by its vote, one atomic a warp
 * The in-place way keeps the order of the electrons, the others do not.  Timed by the
 * host's clock, from the launch to the number of survivors on the host. */
#include "schedulers/gpu/kernel.cuh"
#include "device/device.cuh"
#include <string.h>
#include <time.h>
#include "bench/gpu_ceiling.h"

#define BLOCK 256
#define SEED  20261121u

const char *const wn_bench_compaction_name[WN_BENCH_COMPACTIONS] = {"in-place", "simple",
                                                                    "block", "warp"};
static double dead_part; /* of the electrons that mark_kernel sees */

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Who dies is drawn by place: the same for all ways. */
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
  if (threadIdx.x % 32 == 0 && dead > 0 && deaths != NULL)
    atomicAdd(deaths, dead);
}

/* As a scheduler that only kills, so that the program's own compaction can be asked. */
static int run(struct wn_gpu *g, const struct wn_model *, struct wn_gpu_launch *launch)
{
  struct wn_gpu_work w;
  WN_TRY(wn_gpu_read_work(g, &w));
  mark_kernel<<<wn_gpu_stride_blocks(g, w.n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
      launch->e, w.n, dead_part, &launch->work->deaths);
  return wn_gpu_check((int)cudaGetLastError(), "marking the dead");
}

static const struct wn_gpu_kind kind = {"killer", 0, run};
WN_GPU_SCHEDULER(wn_bench_killer, kind, "kills a part of the electrons");

static int time_in_place(const struct wn_scheduler_ops *ops, struct wn_scheduler *s,
                         struct wn_particles *p, size_t n, int repeats, double *seconds)
{
  struct wn_model model = {};
  struct wn_tally tally = {};
  const struct wn_tally_shape shape = {1, 0, 0};
  model.ops = &wn_model_rectangle;
  model.steps = 1;
  WN_TRY(wn_tally_init(&tally, &shape));
  int status = WN_OK;
  /* the first time is the warm-up: the compaction gets its temporary memory */
  for (int k = -1; k < repeats && status == WN_OK; k++) {
    p->place = WN_PARTICLES_HOST;
    p->n = 1;
    status = wn_bench_replicate(s, &model, p, n, SEED);
    if (status == WN_OK)
      status = ops->advance(s, &model, p, &tally);
    double t = now();
    if (status == WN_OK)
      status = wn_particles_compact(p);
    if (k >= 0)
      seconds[k] = now() - t;
  }
  wn_tally_clear(&tally);
  return status;
}

static int in_place(int gpu, size_t n, int repeats, double *seconds, size_t *survivors)
{
  struct wn_scheduler_options options = {};
  const struct wn_tally_shape shape = {1, 0, 0};
  struct wn_scheduler *s = NULL;
  struct wn_particles p;
  options.gpu = gpu;
  WN_TRY(wn_particles_init(&p, 1, n));
  int status = wn_bench_killer.create(&options, &shape, &s);
  if (status == WN_OK)
    status = time_in_place(&wn_bench_killer, s, &p, n, repeats, seconds);
  *survivors = p.n;
  /* what is on the device goes with the scheduler */
  p.place = WN_PARTICLES_HOST;
  p.n = 0;
  if (s != NULL)
    wn_bench_killer.free(s);
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
  if (way == 1)
    simple_kernel<<<n_blocks, BLOCK>>>(from, to, n, d_kept);
  else if (way == 2)
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

static int two_arrays(int way, size_t n, int repeats, double *seconds, size_t *survivors)
{
  struct wn_electron *memory = NULL;
  unsigned long long *d_kept = NULL;
  WN_TRY(wn_gpu_check((int)cudaMalloc((void **)&memory, 2 * n * sizeof *memory),
                      "memory of two arrays"));
  int status = wn_gpu_check((int)cudaMalloc((void **)&d_kept, sizeof *d_kept), "counter");
  if (status == WN_OK) {
    mark_kernel<<<1024, BLOCK>>>(memory, n, dead_part, NULL);
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

int wn_bench_compaction(int gpu, int way, size_t n, double dead, int repeats,
                        double *seconds, size_t *survivors)
{
  dead_part = dead;
  if (way == 0)
    return in_place(gpu, n, repeats, seconds, survivors);
  WN_TRY(wn_gpu_check((int)cudaSetDevice(gpu), "cudaSetDevice"));
  return two_arrays(way, n, repeats, seconds, survivors);
}
