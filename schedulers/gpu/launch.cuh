/* schedulers/gpu/launch.cuh - kernels launched from the host, in as many blocks as the
 * electrons or the device want, once or pass by pass. */
#ifndef WN_SCHEDULERS_GPU_LAUNCH_CUH
#define WN_SCHEDULERS_GPU_LAUNCH_CUH
#include "schedulers/gpu/kernel.cuh"

/* Threads a block when nothing else is asked for.  Small enough that whole blocks fill
 * the registers: of 168 a thread, 3 blocks of 128 fit, but only 1 of 256. */
#define WN_GPU_BLOCK 128

static inline unsigned int wn_gpu_block_size(const struct wn_scheduler *s)
{
  return s->block > 0 ? (unsigned int)s->block : WN_GPU_BLOCK;
}

/* Blocks for one thread an electron; at least one. */
static inline unsigned int wn_gpu_blocks_for(const struct wn_scheduler *s,
                                             unsigned long long n)
{
  unsigned int block = wn_gpu_block_size(s);
  return n > block ? (unsigned int)((n + block - 1) / block) : 1;
}

/* How a kernel fits, asked of CUDA the first time: *out->each blocks of this size, with
 * so much dynamic shared memory, on a multiprocessor.  WN_EINPUT when a multiprocessor
 * has not got the registers or the shared memory for one. */
int wn_gpu_fit_kernel(struct wn_scheduler *s, const void *kernel, unsigned int block,
                      size_t shared, const struct wn_gpu_fit **out);

/* Launch on the stream. */
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

/* Threads of a block, when nothing else is asked for, and its shared memory: bytes a
 * thread, and for all of them together. */
struct wn_gpu_shape {
  int threads;
  size_t a_thread, a_block;
};

/* As many blocks as are resident at once; cooperative: so that they may wait for each other. */
int wn_gpu_launch_resident(struct wn_scheduler *s, const void *kernel, unsigned int block,
                           size_t shared, void **parameters, bool cooperative);

/* The same, that may wait for each other, of a shape. */
template <class... P>
static int wn_gpu_start_resident(struct wn_scheduler *s, void (*kernel)(P...),
                                 const struct wn_gpu_shape &own, const P &...parameters)
{
  void *list[] = {(void *)&parameters...};
  const unsigned int block = (unsigned int)(s->block > 0 ? s->block : own.threads);
  return wn_gpu_launch_resident(s, (const void *)kernel, block,
                                block * own.a_thread + own.a_block, list, true);
}

/* Between passes: all electrons present are work, newborns from here on are not.  A
 * template only so that a scheduler that does without it says nothing of an unused
 * function. */
template <class Work> static __global__ void wn_gpu_reopen_kernel(Work *w)
{
  w->head = w->begin = 0;
  w->end = w->full ? 0 : w->n;
  w->busy = 0;
}

/* Passes until nobody has anything left, each by launch(n) over [0, work->end); n
 * electrons are there at first.  The host asks after each, from pass `first_question`
 * (counted from 1) on: the n it hands on is right if that is 1.  The electrons at hand
 * are done after as many passes as a phase has mobility steps; a newborn takes part from
 * the pass after its birth and still has what its parent had before it, so each
 * generation can take one pass more. */
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
