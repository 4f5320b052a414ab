/* bench/gpu_ceiling.cu - see gpu_ceiling.h. */
#include "bench/gpu_ceiling.h"
#include "bench/study/models.cuh"
#include "schedulers/gpu/launch.cuh"

/* ---- the ceiling */

/* A mobility step of an electron whose newborns are discarded, and its result. */
template <class M>
static __device__ __forceinline__ int one_step(const typename M::Args &args,
                                               typename M::Reg &r, struct wn_tally &t)
{
  typename M::Record child;
  int what;
  M::load(args, r);
  do
    what = M::advance(args, r, t, &child);
  while (!(what & (WN_GPU_STEP | WN_GPU_DEAD)));
  return what;
}

/* The same in the pieces of which `dynamic` makes it, without sums. */
template <class F>
static __device__ __forceinline__ int one_flown(const typename F::Args &args,
                                                typename F::Record &e, typename F::Hot &h,
                                                struct wn_tally &t)
{
  typename F::Ticket ticket;
  typename F::Kind kind = F::kind(args);
  kind.near = WN_SUMS_NONE;
  F::load(args, e, h);
  for (;;) {
    int what = F::fly(args, kind, e, h, t, ticket, NULL);
    if (what == WN_GPU_FLIES)
      continue;
    F::arrive(args, e, h);
    if (what == WN_GPU_EVENT)
      what = F::event(args, kind, e, h, t, ticket, NULL);
    if (what == WN_GPU_RARE) {
      typename F::Deferred a;
      a.h = h;
      a.ticket = ticket;
      a.t = t;
      what = F::rare(args, e, a);
      h = a.h;
    }
    if (what & WN_GPU_ENDED)
      return what | F::finish(args, e, h, what, t, WN_SUMS_NONE);
  }
}

/* Electrons from the beginning of the step to its end.  Reads and writes a record; newborns
 * are computed and dropped; a dead electron goes on with the next mobility step, in the state that
 * it died in (in air at 200 Td 0.3 % of the electrons attach in 100 candidates, so that it
 * does not matter that they do nothing for the rest of a step).
 *
 * Of a model with events all threads of a warp fly the same electron, each by itself, and add
 * nothing to sums: the same arithmetic, tables and random numbers as in a scheduler, but no
 * lane ever waits for another, and what one reads all do.  So no scheduler can be faster that
 * flies an electron in a lane.  Limit: the instructions.
 *
 * Of others a thread flies one, and adds to the sums as a scheduler does.  Limit: the
 * arithmetic of the model, and the lanes of a warp that wait for the longest of them. */
template <class M, int REGISTERS>
static __global__ void __maxnreg__(REGISTERS)
    ceiling_kernel(const __grid_constant__ struct wn_gpu_launch l,
                   const __grid_constant__ typename M::Args args, unsigned long long n)
{
  typedef typename M::Flights F;
  const unsigned long long thread =
                               (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x,
                           i = F::has_events ? thread / 32 : thread;
  struct wn_tally t = wn_gpu_tally(l);
  if (i < n) {
    typename M::Reg r;
    typename M::Record *e = wn_gpu_at<typename M::Record>(l, i);
    r.e = wn_gpu_fetch(e);
    if (F::has_events)
      __syncwarp(); /* all have read what one of them writes */
    while (r.e.t_left > 0.0f) {
      const float before = r.e.t_left;
      int what;
      if constexpr (F::has_events)
        what = one_flown<F>(args, r.e, r.h, t);
      else
        what = one_step<M>(args, r, t);
      if (what & WN_GPU_DEAD)
        r.e.t_left = ceilf(before) - 1.0f;
    }
    if (!F::has_events || wn_gpu_lane() == 0)
      wn_gpu_put(e, r.e);
  }
  t.n_births = t.n_deaths = 0; /* there were none in the end */
  wn_gpu_count(l, t);
}

static const int registers[] = {48, 64, 128}, blocks[] = {64, 128, 256};
enum {
  REGISTERS = sizeof registers / sizeof registers[0],
  BLOCKS = sizeof blocks / sizeof blocks[0]
};

static struct {
  size_t variant;
  double seconds;
} chosen;

size_t wn_bench_ceiling_variants(void)
{
  return (size_t)REGISTERS * BLOCKS;
}

int wn_bench_ceiling_choose(size_t variant, int *most)
{
  chosen.variant = variant % wn_bench_ceiling_variants();
  chosen.seconds = 0.0;
  *most = registers[chosen.variant / BLOCKS];
  return blocks[chosen.variant % BLOCKS];
}

double wn_bench_ceiling_seconds(void)
{
  return chosen.seconds;
}

template <class M>
static void (*choose_kernel(void))(struct wn_gpu_launch, typename M::Args,
                                   unsigned long long)
{
  switch (registers[chosen.variant / BLOCKS]) {
  case 48:
    return ceiling_kernel<M, 48>;
  case 64:
    return ceiling_kernel<M, 64>;
  default:
    return ceiling_kernel<M, 128>;
  }
}

/* Launch, and the time of the kernel alone. */
template <class Launch> static int timed(cudaStream_t stream, double *seconds, Launch run)
{
  cudaEvent_t begin = NULL, end = NULL;
  float ms = 0.0f;
  int status = wn_gpu_check((int)cudaEventCreate(&begin), "event");
  if (status == WN_OK)
    status = wn_gpu_check((int)cudaEventCreate(&end), "event");
  if (status == WN_OK)
    status = wn_gpu_check((int)cudaEventRecord(begin, stream), "event");
  if (status == WN_OK) {
    run();
    status = wn_gpu_check((int)cudaGetLastError(), "launch of a measured kernel");
  }
  if (status == WN_OK)
    status = wn_gpu_check((int)cudaEventRecord(end, stream), "event");
  if (status == WN_OK)
    status = wn_gpu_check((int)cudaEventSynchronize(end), "measured kernel");
  if (status == WN_OK)
    status = wn_gpu_check((int)cudaEventElapsedTime(&ms, begin, end), "event");
  if (begin != NULL)
    cudaEventDestroy(begin);
  if (end != NULL)
    cudaEventDestroy(end);
  *seconds = 1e-3 * (double)ms;
  return status;
}

static int run(struct wn_scheduler *s, const struct wn_model *model,
               const struct wn_gpu_launch *launch, unsigned long long n)
{
  cudaStream_t stream = s->gpu->stream;
  return wn_gpu_dispatch_special(*model, [&](auto m, const auto &args) {
    unsigned int block = (unsigned int)blocks[chosen.variant % BLOCKS],
                 n_blocks = (unsigned int)((n + block - 1) / block);
    double seconds;
    auto kernel = choose_kernel<decltype(m)>();
    WN_TRY(timed(stream, &seconds,
                 [&]() { kernel<<<n_blocks, block, 0, stream>>>(*launch, args, n); }));
    chosen.seconds += seconds;
    return (int)WN_OK;
  });
}

static const struct wn_gpu_kind kind = {"ceiling", 0, run};

WN_GPU_SCHEDULER(wn_bench_ceiling, kind,
                 "the arithmetic of a model without births, deaths or hand-out of work");

/* ---- copies of electrons */

static __global__ void copy_kernel(struct wn_electron *e, unsigned long long from,
                                   unsigned long long n, uint64_t seed, double inv_nu)
{
  const unsigned long long threads = (unsigned long long)gridDim.x * blockDim.x;
  for (unsigned long long i =
           from + (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
       i < n; i += threads)
    wn_gpu_put(&e[i], wn_bench_copy(e, from, i, seed, inv_nu));
}

int wn_bench_replicate(struct wn_gpu *g, const struct wn_model *model,
                       struct wn_particles *p, size_t n, uint64_t seed)
{
  const double newborns = wn_model_newborns(model);
  int enough;
  WN_TRY(wn_gpu_hold(g, p, newborns));
  struct wn_gpu_store *t = wn_gpu_store_of(g, p);
  if (n <= p->n)
    return WN_OK;
  if (t == NULL || !model->ops->is_electron)
    return WN_FAIL(WN_EINTERN, "only electrons of mcc are copied, and there must be one");
  WN_TRY(wn_gpu_store_fit(t, n, p->limit > n ? p->limit : n, newborns, &enough));
  if (!enough)
    return WN_FAIL(WN_EFULL, "%zu electrons do not fit on the GPU", n);
  copy_kernel<<<wn_gpu_stride_blocks(g, n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
      (struct wn_electron *)wn_gpu_records(t), p->n, n, seed,
      ((const struct wn_mcc *)model->data)->inv_nu);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "copies of electrons"));
  WN_TRY(wn_gpu_wait(g, "copies of electrons"));
  p->n = n;
  p->place = WN_PARTICLES_REMOTE;
  return WN_OK;
}

/* ---- what the device can do */

#define COPY_BYTES ((size_t)4 << 30)
#define BLOCKS_SM  32   /* blocks of 256 a multiprocessor, four times what is resident */
#define PHILOX     1024 /* calls a thread */
#define TRIES      5

static __global__ void stream_kernel(const uint4 *from, uint4 *to, size_t n)
{
  const size_t threads = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
    to[i] = from[i];
}

/* The words are mixed and written when that is a number which never comes, so that
 * nothing can be left out. */
static __global__ void philox_kernel(uint32_t *out, uint64_t seed)
{
  const uint64_t id = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t mix = 0;
#pragma unroll 4
  for (uint32_t k = 0; k < PHILOX; k++) {
    struct wn_rng4 r = wn_rng(seed, id, k, WN_RNG_EVENT, 0);
    mix = mix * 3u + (r.w[0] ^ r.w[1] ^ r.w[2] ^ r.w[3]);
  }
  if (mix == 0x9e3779b9u && seed == 0)
    out[0] = mix;
}

static int measure_copy(uint4 *memory, unsigned int n_blocks, double *rate)
{
  const size_t n = COPY_BYTES / 2 / sizeof(uint4);
  double seconds, best = 0.0;
  for (int k = 0; k < TRIES; k++) {
    WN_TRY(timed(0, &seconds,
                 [&]() { stream_kernel<<<n_blocks, 256>>>(memory, memory + n, n); }));
    best = k == 0 || seconds < best ? seconds : best;
    WN_TRY(timed(0, &seconds, [&]() {
      cudaMemcpyAsync(memory + n, memory, n * sizeof *memory, cudaMemcpyDeviceToDevice,
                      0);
    }));
    best = seconds < best ? seconds : best;
  }
  *rate = (double)COPY_BYTES / best;
  return WN_OK;
}

static int measure_philox(uint32_t *memory, unsigned int n_blocks, double *rate)
{
  double seconds, best = 0.0;
  for (int k = 0; k < TRIES; k++) {
    WN_TRY(timed(0, &seconds,
                 [&]() { philox_kernel<<<n_blocks, 256>>>(memory, (uint64_t)k + 1); }));
    best = k == 0 || seconds < best ? seconds : best;
  }
  *rate = 4.0 * PHILOX * 256.0 * (double)n_blocks / best;
  return WN_OK;
}

int wn_bench_hardware(struct wn_gpu *g, double *copy, double *philox)
{
  void *memory = NULL;
  WN_TRY(wn_gpu_use(g));
  WN_TRY(wn_gpu_check((int)cudaMalloc(&memory, COPY_BYTES), "memory of a measurement"));
  unsigned int n_blocks = (unsigned int)(g->multiprocessors * BLOCKS_SM);
  int status = wn_gpu_check((int)cudaMemset(memory, 1, COPY_BYTES), "cudaMemset");
  if (status == WN_OK)
    status = measure_copy((uint4 *)memory, n_blocks, copy);
  if (status == WN_OK)
    status = measure_philox((uint32_t *)memory, n_blocks, philox);
  int freed = wn_gpu_check((int)cudaFree(memory), "cudaFree");
  return status != WN_OK ? status : freed;
}
