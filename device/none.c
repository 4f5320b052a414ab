/* device/none.c - the functions of device/gpu.h that a build without CUDA does call; build-aux/stubs
 * writes the others. */
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
