/* schedulers/scheduler.c - the one table of schedulers. */
#include "schedulers/scheduler.h"
#include <stdio.h>
#include <string.h>
#include "base/error.h"

/* Fastest first: "auto" takes the first that runs on the device. */
static const struct wn_scheduler_ops *const schedulers[] = {
#ifdef WN_HAVE_CUDA
    &wn_scheduler_dynamic,
    &wn_scheduler_rounds,
    &wn_scheduler_dynamic_block,
    &wn_scheduler_dynamic_thread,
    &wn_scheduler_static,
    &wn_scheduler_static_sync,
    &wn_scheduler_cpu_sync,
    &wn_scheduler_naive,
    &wn_scheduler_cpu_sync_iterate,
    &wn_scheduler_huge_iterate,
    &wn_scheduler_static_iterate,
    &wn_scheduler_gpu_iterate,
    &wn_scheduler_gpu_iterate_block,
    &wn_scheduler_gpu_iterate_grid,
#endif
#ifdef _OPENMP
    &wn_scheduler_openmp,
#endif
    &wn_scheduler_serial,
};

/* Names that a build may lack, so that a message can say so. */
static const char *const optional[] = {
    "openmp",           "dynamic",           "rounds",
    "dynamic-block",    "dynamic-thread",    "static",
    "static-sync",      "cpu-sync",          "naive",
    "cpu-sync-iterate", "huge-iterate",      "static-iterate",
    "gpu-iterate",      "gpu-iterate-block", "gpu-iterate-grid",
};
enum { N_SCHEDULERS = sizeof schedulers / sizeof schedulers[0] };

const struct wn_scheduler_ops *const *wn_scheduler_list(size_t *n)
{
  *n = N_SCHEDULERS;
  return schedulers;
}

static const char *device_name(enum wn_device device)
{
  return device == WN_DEVICE_CUDA ? "a GPU" : "the CPU";
}

/* ", a, b" after what stands in list[room]. */
static void names(enum wn_device device, char *list, size_t room)
{
  for (size_t i = 0; i < N_SCHEDULERS; i++) {
    size_t used = strlen(list);
    if (schedulers[i]->device == device)
      snprintf(list + used, room - used, ", %s", schedulers[i]->name);
  }
}

static int not_found(const char *name, enum wn_device device)
{
  char list[512] = "auto";
  names(device, list, sizeof list);
  for (size_t i = 0; i < N_SCHEDULERS; i++)
    if (strcmp(name, schedulers[i]->name) == 0)
      return WN_FAIL(WN_EINPUT, "scheduler `%s` runs on %s; on %s there are %s", name,
                     device_name(schedulers[i]->device), device_name(device), list);
  if (strcmp(name, "openmp") == 0)
    return WN_FAIL(WN_EINPUT, "scheduler `openmp` is not built in: configure found no "
                              "OpenMP (clang needs libomp-dev); use `serial`");
  for (size_t i = 0; i < sizeof optional / sizeof optional[0]; i++)
    if (strcmp(name, optional[i]) == 0)
      return WN_FAIL(WN_EINPUT,
                     "scheduler `%s` runs on a GPU and is not built in: this wilson was "
                     "built without CUDA (configure takes --with-cuda=DIR); on %s there "
                     "are %s",
                     name, device_name(device), list);
  if (strcmp(name, "auto") == 0)
    return WN_FAIL(WN_EINPUT, "no scheduler for %s is built in", device_name(device));
  char cpu[512] = "auto", gpu[512] = "";
  names(WN_DEVICE_CPU, cpu, sizeof cpu);
  names(WN_DEVICE_CUDA, gpu, sizeof gpu);
  return WN_FAIL(WN_EINPUT, "unknown scheduler `%s`; on the CPU there are %s%s%s", name,
                 cpu, gpu[0] ? "; on a GPU auto" : "", gpu);
}

int wn_scheduler_find(const char *name, enum wn_device device,
                      const struct wn_scheduler_ops **out)
{
  for (size_t i = 0; i < N_SCHEDULERS; i++)
    if (schedulers[i]->device == device &&
        (strcmp(name, schedulers[i]->name) == 0 || strcmp(name, "auto") == 0)) {
      *out = schedulers[i];
      return WN_OK;
    }
  return not_found(name, device);
}
