/* schedulers/gpu/launch.cu - see launch.cuh. */
#include "schedulers/gpu/launch.cuh"

/* Allow a kernel `shared` bytes of dynamic shared memory; so far it may use `allowed`.
 * The limit is never lowered, since other launches of the same kernel may need more. */
static int allow_shared(const struct wn_scheduler *s, const void *kernel, size_t allowed,
                        unsigned int block, size_t shared)
{
  int most = 0;
  if (shared <= allowed)
    return WN_OK;
  WN_TRY(wn_gpu_check((int)cudaDeviceGetAttribute(
                          &most, cudaDevAttrMaxSharedMemoryPerBlockOptin, s->gpu->index),
                      s->kind->name));
  if (shared > (size_t)most)
    return WN_FAIL(
        WN_EINPUT,
        "scheduler `%s`: blocks of %u threads need %zu bytes of shared memory, "
        "a block can have %d; take smaller ones",
        s->kind->name, block, shared, most);
  return wn_gpu_check(
      (int)cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                (int)shared),
      s->kind->name);
}

int wn_gpu_fit_kernel(struct wn_scheduler *s, const void *kernel, unsigned int block,
                      size_t shared, const struct wn_gpu_fit **out)
{
  for (int i = 0; i < s->n_fits && i < WN_GPU_FITS; i++)
    if (s->fit[i].kernel == kernel && s->fit[i].block == block &&
        s->fit[i].shared == shared) {
      *out = &s->fit[i];
      return WN_OK;
    }
  cudaFuncAttributes a;
  struct wn_gpu_fit fit = {kernel, block, shared, 0};
  const char *name = s->kind->name;
  WN_TRY(wn_gpu_check((int)cudaFuncGetAttributes(&a, kernel), name));
  if (block > (unsigned int)a.maxThreadsPerBlock)
    return WN_FAIL(WN_EINPUT,
                   "scheduler `%s`: blocks of %u threads need more registers than a "
                   "multiprocessor has; at most %d are possible",
                   name, block, a.maxThreadsPerBlock);
  WN_TRY(allow_shared(s, kernel, (size_t)a.maxDynamicSharedSizeBytes, block, shared));
  WN_TRY(wn_gpu_check((int)cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                          &fit.each, kernel, (int)block, shared),
                      name));
  if (fit.each == 0)
    return WN_FAIL(
        WN_EINPUT,
        "scheduler `%s`: no block of %u threads fits on a multiprocessor; take "
        "smaller ones",
        name, block);
  struct wn_gpu_fit *place = &s->fit[s->n_fits++ % WN_GPU_FITS];
  *place = fit;
  *out = place;
  return WN_OK;
}

int wn_gpu_launch_resident(struct wn_scheduler *s, const void *kernel, unsigned int block,
                           size_t shared, void **parameters, bool cooperative)
{
  const struct wn_gpu_fit *fit;
  WN_TRY(wn_gpu_fit_kernel(s, kernel, block, shared, &fit));
  const dim3 blocks((unsigned int)(fit->each * s->gpu->multiprocessors));
  return wn_gpu_check(
      (int)(cooperative ? cudaLaunchCooperativeKernel(kernel, blocks, dim3(block),
                                                      parameters, shared, s->gpu->stream)
                        : cudaLaunchKernel(kernel, blocks, dim3(block), parameters,
                                           shared, s->gpu->stream)),
      s->kind->name);
}
