/* schedulers/scheduler.c - the list of schedulers. */
#include "schedulers/scheduler.h"
#include <stdio.h>
#include <string.h>
#include "base/error.h"

/* Fastest first: "auto" selects the first that runs on the device.  One line a scheduler:
 * its name and ops, under the library that it needs to be built. */
#define SCHEDULERS(CUDA, OPENMP, ALWAYS)                                                 \
  CUDA("dynamic", wn_scheduler_dynamic)                                                  \
  CUDA("tiles", wn_scheduler_tiles)                                                      \
  OPENMP("openmp", wn_scheduler_openmp)                                                  \
  ALWAYS("serial", wn_scheduler_serial)

#define DECLARED(name, ops) extern const struct wn_scheduler_ops ops;
#define BUILT(name, ops)    &(ops),
#define NAMED(name, ops)    name,
#define LEFT_OUT(name, ops)
#ifdef WN_HAVE_CUDA
#define CUDA_BUILT BUILT
#else
#define CUDA_BUILT LEFT_OUT
#endif
#ifdef _OPENMP
#define OPENMP_BUILT BUILT
#else
#define OPENMP_BUILT LEFT_OUT
#endif

SCHEDULERS(DECLARED, DECLARED, DECLARED)

static const struct wn_scheduler_ops *const schedulers[] = {
    SCHEDULERS(CUDA_BUILT, OPENMP_BUILT, BUILT)};
enum { N_SCHEDULERS = sizeof schedulers / sizeof schedulers[0] };

/* Names that a build may lack, so that a message can say so. */
static const char *const of_cuda[] = {SCHEDULERS(NAMED, LEFT_OUT, LEFT_OUT)};
static const char *const of_openmp[] = {SCHEDULERS(LEFT_OUT, NAMED, LEFT_OUT)};

const struct wn_scheduler_ops *const *wn_scheduler_list(size_t *n)
{
  *n = N_SCHEDULERS;
  return schedulers;
}

int wn_scheduler_step(const struct wn_scheduler_ops *ops, struct wn_scheduler *s,
                      const struct wn_model *model, struct wn_particles *p,
                      struct wn_tally *tally)
{
  WN_TRY(ops->hold(s, model, p));
  WN_TRY(ops->gather(s, model, p));
  return ops->advance(s, model, p, tally);
}

int wn_scheduler_hold_host(struct wn_scheduler *s, const struct wn_model *model,
                           struct wn_particles *p)
{
  (void)s, (void)model;
  return wn_particles_host(p);
}

int wn_scheduler_gather_host(struct wn_scheduler *s, const struct wn_model *model,
                             struct wn_particles *p)
{
  (void)s;
  wn_model_gather(model, p, 0, p->n);
  return WN_OK;
}

int wn_scheduler_start_newborns_host(struct wn_scheduler *s, const struct wn_model *model,
                                     struct wn_particles *p, size_t first)
{
  (void)s;
  WN_TRY(wn_particles_host(p));
  model->ops->start_newborns(model, wn_particles_at(p, first), p->n - first);
  return WN_OK;
}

static int is_among(const char *name, const char *const *list, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (strcmp(name, list[i]) == 0)
      return 1;
  return 0;
}

static const char *device_name(enum wn_device device)
{
  return device == WN_DEVICE_CUDA ? "a GPU" : "the CPU";
}

/* Append ", a, b" to the text in list[room]. */
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
  if (is_among(name, of_openmp, sizeof of_openmp / sizeof of_openmp[0]))
    return WN_FAIL(WN_EINPUT,
                   "scheduler `%s` is not built in: configure found no "
                   "OpenMP (clang needs libomp-dev); use `serial`",
                   name);
  if (is_among(name, of_cuda, sizeof of_cuda / sizeof of_cuda[0]))
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
