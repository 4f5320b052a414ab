/* schedulers/gpu/launch.cuh - launches from the host: as many blocks as are resident at once. */
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

/* Occupancy of a kernel, queried from CUDA once: *out->each blocks of this size, with
 * this much dynamic shared memory, fit on a multiprocessor.  WN_EINPUT when a
 * multiprocessor lacks the registers or the shared memory for one block. */
int wn_gpu_fit_kernel(struct wn_scheduler *s, const void *kernel, unsigned int block,
                      size_t shared, const struct wn_gpu_fit **out);

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

#endif
