/* t/tap/gpu_arrays.cu - see gpu_arrays.h. */
#include "device/device.cuh"
#include "t/tap/gpu_arrays.h"

static int copy(struct wn_gpu *g, const void *from, void *to, size_t bytes,
                cudaMemcpyKind kind)
{
  WN_TRY(wn_gpu_use(g));
  WN_TRY(
      wn_gpu_check((int)cudaMemcpyAsync(to, from, bytes, kind, g->stream), "an array"));
  return wn_gpu_wait(g, "an array");
}

int gpu_array_put(struct wn_gpu *g, const void *host, void *device, size_t bytes)
{
  return copy(g, host, device, bytes, cudaMemcpyHostToDevice);
}

int gpu_array_get(struct wn_gpu *g, const void *device, void *host, size_t bytes)
{
  return copy(g, device, host, bytes, cudaMemcpyDeviceToHost);
}

int gpu_array_make(struct wn_gpu *g, const void *host, size_t bytes, void **device)
{
  WN_TRY(wn_gpu_use(g));
  WN_TRY(wn_gpu_alloc(g, "an array of a test", bytes, device));
  return host != NULL ? gpu_array_put(g, host, *device, bytes) : (int)WN_OK;
}

void gpu_array_free(struct wn_gpu *g, void *device, size_t bytes)
{
  wn_gpu_release(g, device, bytes);
}
