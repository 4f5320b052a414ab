/* schedulers/scheduler.c - the one table of schedulers. */
#include "schedulers/scheduler.h"
#include <string.h>
#include "src/base/error.h"

/* Fastest first: "auto" takes the first. */
static const struct wn_scheduler_ops *const schedulers[] = {
#ifdef _OPENMP
    &wn_scheduler_openmp,
#endif
    &wn_scheduler_serial,
};

const struct wn_scheduler_ops *const *wn_scheduler_list(size_t *n)
{
  *n = sizeof schedulers / sizeof schedulers[0];
  return schedulers;
}

int wn_scheduler_find(const char *name, const struct wn_scheduler_ops **out)
{
  size_t n = sizeof schedulers / sizeof schedulers[0];
  if (strcmp(name, "auto") == 0) {
    *out = schedulers[0];
    return WN_OK;
  }
  for (size_t i = 0; i < n; i++)
    if (strcmp(name, schedulers[i]->name) == 0) {
      *out = schedulers[i];
      return WN_OK;
    }
  if (strcmp(name, "openmp") == 0)
    return WN_FAIL(WN_EINPUT, "scheduler `openmp` is not built in: configure found no "
                              "OpenMP (clang needs libomp-dev); "
                              "use `serial`");
  return WN_FAIL(WN_EINPUT, "unknown scheduler `%s`; there are auto, %s%s", name,
                 schedulers[0]->name, n > 1 ? ", serial" : "");
}
