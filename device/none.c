/* device/none.c - the answers about graphics processors of a Wilson that was built
 * without CUDA; device.cu, store.cu and compaction.cu have those of the other builds. */
#include "base/error.h"
#include "device/gpu.h"

#define WITHOUT_CUDA "this wilson was built without CUDA"

int wn_gpu_count(const char **why)
{
  *why = WITHOUT_CUDA;
  return 0;
}

int wn_gpu_describe(int gpu, struct wn_gpu_info *info)
{
  (void)info;
  return WN_FAIL(WN_EINPUT, "there is no GPU %d: " WITHOUT_CUDA, gpu);
}

int wn_gpu_open(int gpu, struct wn_gpu **out)
{
  (void)out;
  return WN_FAIL(WN_EINPUT, "there is no GPU %d to run on: " WITHOUT_CUDA, gpu);
}

void wn_gpu_close(struct wn_gpu *g)
{
  (void)g;
}

size_t wn_gpu_used(const struct wn_gpu *g)
{
  (void)g;
  return 0;
}

int wn_gpu_drain(const struct wn_gpu *g)
{
  (void)g;
  return WN_OK;
}

int wn_gpu_hold(struct wn_gpu *g, struct wn_particles *p, double newborns)
{
  (void)g, (void)p, (void)newborns;
  return WN_FAIL(WN_EINTERN, "particles on a GPU, but " WITHOUT_CUDA);
}

int wn_gpu_compact(struct wn_particles *p, enum wn_gpu_compaction way)
{
  (void)p, (void)way;
  return WN_FAIL(WN_EINTERN, "particles on a GPU, but " WITHOUT_CUDA);
}
