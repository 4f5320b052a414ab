/* device/none.c - the answers about graphics processors of a Wilson that was
 * built without CUDA; device.cu has those of the other builds. */
#include "base/error.h"
#include "device/gpu.h"

int wn_gpu_count(const char **why)
{
  *why = "this wilson was built without CUDA";
  return 0;
}

int wn_gpu_describe(int gpu, struct wn_gpu_info *info)
{
  (void)info;
  return WN_FAIL(WN_EINPUT, "there is no GPU %d: this wilson was built without CUDA",
                 gpu);
}

size_t wn_gpu_used(const struct wn_scheduler *s)
{
  (void)s;
  return 0;
}
