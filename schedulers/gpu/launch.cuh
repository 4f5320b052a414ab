/* schedulers/gpu/launch.cuh - launches from the host: as many blocks as the particles
 * need or as are resident at once, in one launch or pass by pass. */
#ifndef WN_SCHEDULERS_GPU_LAUNCH_CUH
#define WN_SCHEDULERS_GPU_LAUNCH_CUH
#include "schedulers/gpu/kernel.cuh"

/* Default number of threads in a block.  Small enough that whole blocks fill the
 * registers: with 168 a thread, 3 blocks of 128 fit, but only 1 of 256. */
#define WN_GPU_BLOCK 128

static inline unsigned int wn_gpu_block_size(const struct wn_scheduler *s)
{
  return s->block > 0 ? (unsigned int)s->block : WN_GPU_BLOCK;
}

/* Blocks for one thread per electron; at least one. */
static inline unsigned int wn_gpu_blocks_for(const struct wn_scheduler *s,
                                             unsigned long long n)
{
  unsigned int block = wn_gpu_block_size(s);
  return n > block ? (unsigned int)((n + block - 1) / block) : 1;
}

/* Occupancy of a kernel, queried from CUDA once: *out->each blocks of this size, with
 * this much dynamic shared memory, fit on a multiprocessor.  WN_EINPUT when a
 * multiprocessor lacks the registers or the shared memory for one block. */
int wn_gpu_fit_kernel(struct wn_scheduler *s, const void *kernel, unsigned int block,
                      size_t shared, const struct wn_gpu_fit **out);

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

/* Default threads in a block, and its shared memory: bytes per thread, and per block. */
struct wn_gpu_shape {
  int threads;
  size_t a_thread, a_block;
};

/* Launch as many blocks as are resident at once; cooperative: with a barrier over the
 * grid. */
int wn_gpu_launch_resident(struct wn_scheduler *s, const void *kernel, unsigned int block,
                           size_t shared, void **parameters, bool cooperative);

/* The same, cooperative, with a block of the given shape. */
template <class... P>
static int wn_gpu_start_resident(struct wn_scheduler *s, void (*kernel)(P...),
                                 const struct wn_gpu_shape &own, const P &...parameters)
{
  void *list[] = {(void *)&parameters...};
  const unsigned int block = (unsigned int)(s->block > 0 ? s->block : own.threads);
  return wn_gpu_launch_resident(s, (const void *)kernel, block,
                                block * own.a_thread + own.a_block, list, true);
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
