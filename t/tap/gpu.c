/* t/tap/gpu.c - see gpu.h. */
#include "t/tap/gpu.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "device/gpu.h"
#include "t/tap/tap.h"

static struct wn_gpu *device;

static int is_set(const char *name)
{
  const char *value = getenv(name);
  return value != NULL && strcmp(value, "1") == 0;
}

void gpu_or_skip(void)
{
  const char *why = "no reason was given";
  struct wn_gpu_info info;
  if (wn_gpu_count(&why) > 0) {
    if (wn_gpu_describe(0, &info) == WN_OK)
      diag("%s, %d multiprocessors", info.name, info.multiprocessors);
    return;
  }
  if (!is_set("WN_REQUIRE_GPU"))
    skip_all("no CUDA device: %s", why);
  plan(1);
  ok(0, "a CUDA device, which WN_REQUIRE_GPU=1 demands: %s", why);
  exit(done());
}

static void close_device(void)
{
  wn_gpu_close(device);
}

struct wn_gpu *gpu_device(void)
{
  if (device != NULL)
    return device;
  int status = wn_gpu_open(0, &device);
  if (status != WN_OK) {
    printf("Bail out! a GPU: %s\n", wn_status_text(status));
    exit(1);
  }
  atexit(close_device);
  return device;
}

int gpu_there(const char **why)
{
  *why = "no reason was given";
  return wn_gpu_count(why) > 0;
}

int gpu_required(void)
{
  return is_set("WN_REQUIRE_GPU");
}

size_t gpu_size(size_t n, size_t small)
{
  return is_set("WN_GPU_SMALL") ? small : n;
}
