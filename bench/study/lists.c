/* bench/study/lists.c - see lists.h. */
#include "bench/study/lists.h"
#include <string.h>

/* One line each. */
#define MODELS(X)                                                                        \
  X(wn_model_split_remove)                                                               \
  X(wn_model_rectangle)                                                                  \
  X(wn_model_box)
#define SCHEDULERS(X)                                                                    \
  X(wn_scheduler_rounds)                                                                 \
  X(wn_scheduler_dynamic_block)                                                          \
  X(wn_scheduler_dynamic_thread)                                                         \
  X(wn_scheduler_static)                                                                 \
  X(wn_scheduler_static_sync)                                                            \
  X(wn_scheduler_cpu_sync)                                                               \
  X(wn_scheduler_naive)                                                                  \
  X(wn_scheduler_cpu_sync_iterate)                                                       \
  X(wn_scheduler_huge_iterate)                                                           \
  X(wn_scheduler_static_iterate)                                                         \
  X(wn_scheduler_gpu_iterate)                                                            \
  X(wn_scheduler_gpu_iterate_block)                                                      \
  X(wn_scheduler_gpu_iterate_grid)

#define DECLARED(ops) extern const struct wn_scheduler_ops ops;
#define LISTED(ops)   &(ops),

#ifdef WN_HAVE_CUDA
SCHEDULERS(DECLARED)
static const struct wn_scheduler_ops *const schedulers[] = {SCHEDULERS(LISTED) NULL};
#else
static const struct wn_scheduler_ops *const schedulers[] = {NULL};
#endif
static const struct wn_model_ops *const models[] = {MODELS(LISTED) NULL};

const struct wn_scheduler_ops *wn_study_scheduler(size_t i)
{
  const size_t own = sizeof schedulers / sizeof *schedulers;
  size_t n;
  const struct wn_scheduler_ops *const *list = wn_scheduler_list(&n);
  return i < n ? list[i] : i - n < own ? schedulers[i - n] : NULL;
}

const struct wn_model_ops *wn_study_model(size_t i)
{
  const size_t own = sizeof models / sizeof *models;
  size_t n;
  const struct wn_model_ops *const *list = wn_model_list(&n);
  return i < n ? list[i] : i - n < own ? models[i - n] : NULL;
}

const struct wn_scheduler_ops *wn_study_find(const char *scheduler)
{
  const struct wn_scheduler_ops *ops;
  for (size_t i = 0; (ops = wn_study_scheduler(i)) != NULL; i++)
    if (strcmp(ops->name, scheduler) == 0)
      return ops;
  return NULL;
}
