/* bench/study/passes.cuh - a step in passes, each one mobility step of all electrons with time left: by a
 * launch each, or with a barrier over all blocks in one. */
#ifndef WN_BENCH_STUDY_PASSES_CUH
#define WN_BENCH_STUDY_PASSES_CUH
#include "schedulers/gpu/launch.cuh"

/* A pass: one mobility step of each electron in [0, end) with time left; electron i is
 * advanced by thread i modulo the threads of the grid.  Called by all threads of a block
 * together.  Afterwards work->busy says whether another pass is needed. */
template <class M, class Emit>
static __device__ __forceinline__ void
wn_gpu_pass_to(const struct wn_gpu_launch &l, const typename M::Args &args,
               unsigned long long end, struct wn_tally &t, Emit emit)
{
  const unsigned long long threads = (unsigned long long)gridDim.x * blockDim.x;
  bool more = false;
  for (unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
       i < end && !wn_gpu_full(l); i += threads) {
    typename M::Record *e = wn_gpu_at<typename M::Record>(l, i);
    if (!(e->t_left > 0.0f)) /* finished electrons: read one sector, not two */
      continue;
    typename M::Reg r;
    r.e = wn_gpu_fetch(e);
    wn_gpu_step_to<M>(args, r, t, [&](const typename M::Record &child) {
      more |= child.t_left > 0.0f;
      emit(child);
    });
    more |= r.e.t_left > 0.0f;
    wn_gpu_put(e, r.e);
  }
  /* one write per block, since all blocks write to one address */
  if (__syncthreads_or(more) && threadIdx.x == 0)
    *(volatile unsigned int *)&l.work->busy = 1;
}

/* The same, newborns appended at once. */
template <class M>
static __device__ __forceinline__ void
wn_gpu_pass(const struct wn_gpu_launch &l, const typename M::Args &args,
            unsigned long long end, struct wn_tally &t)
{
  wn_gpu_pass_to<M>(l, args, end, t,
                    [&](const typename M::Record &child) { wn_gpu_append(l, child); });
}

/* A pass as a kernel launch of its own.  Reads and writes one record per electron, writes
 * one per newborn with one atomic operation.  Blocks without electrons return at once. */
template <class M>
static __global__ void __maxnreg__(M::registers)
    wn_gpu_pass_kernel(const __grid_constant__ struct wn_gpu_launch l,
                       const __grid_constant__ typename M::Args args)
{
  const unsigned long long end = wn_gpu_peek(&l.work->end);
  if ((unsigned long long)blockIdx.x * blockDim.x >= end)
    return; /* the whole block */
  struct wn_tally t = wn_gpu_tally(l);
  wn_gpu_pass<M>(l, args, end, t);
  wn_gpu_count(l, t);
}

/* ---- barriers over all blocks: cooperative launches only */

/* Barrier of `parties` threads, one of each group that arrives together.  The last to
 * arrive calls decide(work) alone, while all others wait.  What it writes is thus the
 * same for all threads until the last one arrives at the next barrier.  Writes before the
 * barrier are visible to all threads after it. */
template <class Decide>
static __device__ __forceinline__ void wn_gpu_arrive(struct wn_gpu_work *w,
                                                     unsigned int parties, Decide decide)
{
  unsigned int now = wn_gpu_peek(&w->generation); /* cannot change before this thread
                                                   * arrives */
  __threadfence();
  if (atomicAdd(&w->arrived, 1u) == parties - 1) {
    __threadfence();
    decide(w);
    *(volatile unsigned int *)&w->arrived = 0;
    __threadfence();
    atomicAdd(&w->generation, 1u);
  } else {
    while (wn_gpu_peek(&w->generation) == now)
      __nanosleep(32);
  }
  __threadfence();
}

/* The same with one thread per block; called by all threads of all blocks. */
template <class Decide>
static __device__ __forceinline__ void wn_gpu_arrive_block(struct wn_gpu_work *w,
                                                           Decide decide)
{
  __syncthreads();
  if (threadIdx.x == 0)
    wn_gpu_arrive(w, gridDim.x, decide);
  __syncthreads();
}

/* Between passes, by one thread while all others wait: include the newborns in the next
 * pass; end = 0 when no pass follows. */
static __device__ __forceinline__ void wn_gpu_next_pass(struct wn_gpu_work *w)
{
  bool stop = wn_gpu_peek(&w->full) != 0 || wn_gpu_peek(&w->busy) == 0;
  *(volatile unsigned long long *)&w->end = stop ? 0 : wn_gpu_peek(&w->n);
  *(volatile unsigned int *)&w->busy = 0;
}

/* All passes in one launch.  wait(work) is a barrier of all threads of the grid, with
 * wn_gpu_next_pass called by one of them before it ends. */
template <class M, class Wait>
static __device__ __forceinline__ void
wn_gpu_iterate(const struct wn_gpu_launch &l, const typename M::Args &args, Wait wait)
{
  struct wn_tally t = wn_gpu_tally(l);
  for (;;) {
    unsigned long long end = wn_gpu_peek(&l.work->end);
    if (end == 0)
      break;
    wn_gpu_pass<M>(l, args, end, t);
    wait(l.work);
  }
  wn_gpu_count(l, t);
}

/* Rounds: the electrons present form the first round, the newborns of a round the next
 * one.  Called by all threads of the grid when their part of [begin, end) is done; false:
 * no round follows.  A newborn is never read in the round that writes it. */
static __device__ __forceinline__ bool wn_gpu_next_round(const struct wn_gpu_launch &l)
{
  wn_gpu_arrive_block(l.work, [](struct wn_gpu_work *w) {
    unsigned long long begin = wn_gpu_peek(&w->end);
    bool stop = wn_gpu_peek(&w->full) != 0;
    *(volatile unsigned long long *)&w->begin = begin;
    *(volatile unsigned long long *)&w->head = begin;
    *(volatile unsigned long long *)&w->end = stop ? begin : wn_gpu_peek(&w->n);
  });
  return wn_gpu_peek(&l.work->begin) < wn_gpu_peek(&l.work->end);
}

/* ---- launches from the host */

/* Blocks for one thread per electron; at least one. */
static inline unsigned int wn_gpu_blocks_for(const struct wn_scheduler *s,
                                             unsigned long long n)
{
  unsigned int block = wn_gpu_block_size(s);
  return n > block ? (unsigned int)((n + block - 1) / block) : 1;
}

/* Launch on the stream of the GPU. */
template <class... P>
static int wn_gpu_start(struct wn_scheduler *s, void (*kernel)(P...), unsigned int blocks,
                        const P &...parameters)
{
  void *list[] = {(void *)&parameters...};
  const unsigned int block = wn_gpu_block_size(s);
  const struct wn_gpu_fit *fit;
  WN_TRY(wn_gpu_fit_kernel(s, (const void *)kernel, block, 0, &fit));
  return wn_gpu_check((int)cudaLaunchKernel((const void *)kernel, dim3(blocks),
                                            dim3(block), list, 0, s->gpu->stream),
                      s->kind->name);
}

/* Between passes: all electrons present are queued, later newborns are not.  A template
 * only to avoid a warning about an unused function. */
template <class Work> static __global__ void wn_gpu_reopen_kernel(Work *w)
{
  w->head = w->begin = 0;
  w->end = w->full ? 0 : w->n;
  w->busy = 0;
}

/* Run passes until no electron has time left, each by launch(n) over [0, work->end); n
 * electrons are present at first.  The host reads the counters after each pass from
 * number `first_question` (counted from 1) on; the n passed to launch is exact if that is
 * 1.  The electrons present need as many passes as there are mobility steps in a step.  A
 * newborn is advanced from the pass after its birth on, with the time that its parent had
 * left, so each generation can need one more pass. */
template <class F>
static int wn_gpu_passes(struct wn_scheduler *s, const struct wn_gpu_launch *l,
                         unsigned long long n, unsigned int first_question, F launch)
{
  struct wn_gpu_work w;
  for (unsigned int pass = 1;; pass++) {
    WN_TRY(launch(n));
    if (pass >= first_question) {
      WN_TRY(wn_gpu_read_work(s, &w));
      if (w.full || !w.busy)
        return WN_OK;
      n = w.n;
    }
    wn_gpu_reopen_kernel<<<1, 1, 0, s->gpu->stream>>>(l->work);
    WN_TRY(wn_gpu_check((int)cudaGetLastError(), "work queue"));
  }
}

#endif
