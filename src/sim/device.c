/* src/sim/device.c - see device.h. */
#include "src/sim/device.h"
#include <pthread.h>
#include <string.h>
#include <sys/utsname.h>
#include "base/error.h"
#include "base/log.h"
#include "base/processors.h"
#include "base/ranks.h"
#include "base/ranks_launch.h"
#include "device/gpu.h"
#include "src/config/adaptive_step.h"
#include "src/config/available.h"
#include "src/config/plasma_derived.h"
#include "src/config/residence.h"

/* The scheduler of that name on any device; NULL: there is none, or the name is
 * "auto". */
static const struct wn_scheduler_ops *built_in(const char *name)
{
  size_t n;
  const struct wn_scheduler_ops *const *list = wn_scheduler_list(&n);
  for (size_t i = 0; i < n; i++)
    if (strcmp(name, list[i]->name) == 0)
      return list[i];
  return NULL;
}

static int has_cuda(void)
{
  size_t n;
  const struct wn_scheduler_ops *const *list = wn_scheduler_list(&n);
  for (size_t i = 0; i < n; i++)
    if (list[i]->device == WN_DEVICE_CUDA)
      return 1;
  return 0;
}

/* The scheduler's name, where `auto` depends on the model. */
static const char *fastest(const struct wn_config *c, const struct wn_device_plan *p)
{
  return c->model == WN_MODEL_PLASMA && p->device == WN_DEVICE_CUDA && !p->in_batches &&
                 !wn_plasma_is_radial(c) && strcmp(c->scheduler, "auto") == 0
             ? "tiles"
             : c->scheduler;
}

/* With device auto: its scheduler is one of the CPU, or the scenario has a part that is not
 * available on a GPU, or is there by name alone: adaptive steps and test electrons, of which no
 * whole runs were timed on both (bench/RESULTS.md). */
static int stays_on_cpu(const struct wn_config *c, const struct wn_scheduler_ops *named,
                        int processes)
{
  struct wn_unavailable part;
  if (named == NULL && c->model == WN_MODEL_PLASMA &&
      (wn_steps_are_adaptive(c) || c->plasma.test_electrons.number > 0))
    return 1;
  return named != NULL ? named->device == WN_DEVICE_CPU
                       : wn_unavailable(c, wn_available_where(c, 1, processes), &part);
}

/* Where the particles of a run on a GPU stay. */
static int choose_residence(const struct wn_config *c, int processes,
                            struct wn_device_plan *p)
{
  struct wn_residence residence;
  struct wn_gpu_info gpu = {.memory = 0};
  const char *why;
  const int count = wn_gpu_count(&why), here = wn_ranks_here();
  const int on_gpu = wn_ranks() > 1 && count > 0 ? (here + count - 1) / count : 1;
  if (c->model != WN_MODEL_PLASMA || p->device != WN_DEVICE_CUDA)
    return WN_OK;
  if (p->no_gpu[0] == '\0')
    WN_TRY(wn_gpu_describe(p->gpu, &gpu));
  /* of several processes some may have memory already: all take the same choice */
  wn_residence_choose(c, processes, on_gpu,
                      (double)(wn_ranks() > 1 ? gpu.memory : gpu.free), &residence);
  p->in_batches = residence.in_batches;
  snprintf(p->residence, sizeof p->residence, "%s", residence.why);
  return WN_OK;
}

int wn_device_plan(const struct wn_config *c, int processes, struct wn_device_plan *out)
{
  struct wn_device_plan p = {.device = WN_DEVICE_CPU,
                             .options = {.threads = c->threads, .block = c->block_size}};
  const struct wn_scheduler_ops *named = built_in(c->scheduler);
  const char *why = "";
  int gpu = WN_ON_CPU;
  if (!wn_config_device(c->device, &gpu))
    return WN_FAIL(WN_EINPUT, "no device `%s`; there are auto, cpu, cuda, cuda:N",
                   c->device);
  if (gpu == WN_ON_WHATEVER_THERE_IS && stays_on_cpu(c, named, processes))
    gpu = WN_ON_CPU;
  if (gpu != WN_ON_CPU) {
    int count = wn_gpu_count(&why);
    if (count == 0)
      snprintf(p.no_gpu, sizeof p.no_gpu, "%s", why);
    else if (gpu >= count)
      snprintf(p.no_gpu, sizeof p.no_gpu, "there %s only cuda:0%s%.0d",
               count > 1 ? "are" : "is", count > 1 ? " to cuda:" : "", count - 1);
    if (gpu >= 0 || count > 0 || named != NULL)
      p.device = WN_DEVICE_CUDA;
    p.gpu = gpu > 0 ? gpu : 0;
    if (wn_ranks() > 1 && count > 0 && strchr(c->device, ':') == NULL)
      p.gpu = wn_rank_here() % count; /* one each, as far as possible */
  }
  WN_TRY(wn_available_check(
      c, wn_available_where(c, p.device == WN_DEVICE_CUDA, processes)));
  if (named != NULL && named->supports != NULL && c->model != WN_MODEL_PLASMA)
    return WN_FAIL(WN_EINPUT,
                   "scheduler `%s` moves particles without collisions, those of model "
                   "plasma; model %s takes another",
                   named->name, wn_config_model_name[c->model]);
  WN_TRY(choose_residence(c, processes, &p));
  /* a build without CUDA lacks GPU schedulers, but that is reported elsewhere */
  if (p.device == WN_DEVICE_CPU || has_cuda())
    WN_TRY(wn_scheduler_find(fastest(c, &p), p.device, &p.ops));
  *out = p;
  return WN_OK;
}

static struct {
  pthread_t thread;
  int is_waking, gpu; /* -1: one for each process of this host */
} waking;

static void *wake(void *unused)
{
  const char *why;
  const int count = wn_gpu_count(&why);
  if (count > 0)
    wn_gpu_wake(waking.gpu >= 0 ? waking.gpu : wn_rank_here() % count);
  return unused;
}

static void *start_driver(void *unused)
{
  const char *why;
  wn_gpu_count(&why);
  return unused;
}

void wn_device_start_driver(void)
{
  if (has_cuda() && wn_ranks_launched() > 1)
    waking.is_waking = pthread_create(&waking.thread, NULL, start_driver, NULL) == 0;
}

void wn_device_wake(const struct wn_config *c)
{
  wn_device_awake();
  const struct wn_scheduler_ops *named = built_in(c->scheduler);
  int gpu = WN_ON_CPU;
  if (!wn_config_has_gas(c) || !has_cuda() || !wn_config_device(c->device, &gpu) ||
      gpu == WN_ON_CPU ||
      (gpu == WN_ON_WHATEVER_THERE_IS && stays_on_cpu(c, named, wn_ranks())))
    return;
  waking.gpu = strchr(c->device, ':') != NULL ? gpu : -1;
  waking.is_waking = pthread_create(&waking.thread, NULL, wake, NULL) == 0;
}

void wn_device_awake(void)
{
  if (waking.is_waking)
    pthread_join(waking.thread, NULL);
  waking.is_waking = 0;
}

int wn_device_choose(const struct wn_config *c, struct wn_device_plan *out)
{
  struct wn_device_plan p;
  WN_TRY(wn_device_plan(c, wn_ranks(), &p));
  if (p.device == WN_DEVICE_CUDA && p.no_gpu[0] != '\0') {
    if (strcmp(c->device, "auto") == 0)
      return WN_FAIL(WN_EINPUT,
                     "scheduler `%s` runs on a GPU, and none can be used: %s; take "
                     "scheduler auto to run on the CPU",
                     c->scheduler, p.no_gpu);
    return WN_FAIL(WN_EINPUT,
                   "device `%s` cannot be used: %s; take device cpu, or auto for "
                   "whatever there is",
                   c->device, p.no_gpu);
  }
  *out = p;
  return WN_OK;
}

/* Warns when processes share a GPU, or when only some of them have one. */
static void announce_ranks(const struct wn_device_plan *p)
{
  const char *why;
  const int count = p->device == WN_DEVICE_CUDA ? wn_gpu_count(&why) : 0,
            with = p->device == WN_DEVICE_CUDA;
  double most[] = {(double)wn_ranks_here() - count, with, 1 - with};
  if (wn_ranks() == 1)
    return;
  wn_ranks_most(most, 3);
  wn_log(WN_LOG_INFO, "%d processes (%s)", wn_ranks(), wn_ranks_library());
  if (most[1] > 0.0 && most[2] > 0.0)
    wn_log(WN_LOG_WARN,
           "some of the processes have a GPU, and some have none: those with one "
           "wait for the others");
  else if (most[1] > 0.0 && most[0] > 0.0)
    wn_log(WN_LOG_WARN,
           "processes of one host share its GPUs: %d to a host, which has %d",
           wn_ranks_here(), count);
}

void wn_device_announce(const struct wn_config *c, const struct wn_device_plan *p)
{
  char text[512];
  announce_ranks(p);
  if (p->device == WN_DEVICE_CUDA) {
    if (wn_device_text(p, text, sizeof text) == WN_OK)
      wn_log(WN_LOG_INFO, "runs on %s", text);
    if (p->residence[0] != '\0')
      wn_log(WN_LOG_INFO, "particles are %s", p->residence);
    return;
  }
  if (p->no_gpu[0] != '\0' && has_cuda())
    wn_log(WN_LOG_INFO, "no GPU: %s; using the CPU", p->no_gpu);
  if (c->block_size > 0)
    wn_log(WN_LOG_WARN, "key `block_size`: has no effect on the CPU");
  if (c->residence == WN_RESIDENCE_BATCHES)
    wn_log(WN_LOG_WARN, "key `population.residence`: has no effect on the CPU");
}

/* Processor model: "model name" on x86 Linux, "cpu" on POWER, otherwise the machine name
 * of uname. */
static void processor(char *text, size_t n)
{
  char line[512], model[256] = "";
  FILE *f = fopen("/proc/cpuinfo", "r");
  if (f != NULL) {
    while (model[0] == '\0' && fgets(line, sizeof line, f) != NULL) {
      char *colon = strchr(line, ':');
      if (colon == NULL ||
          (strncmp(line, "model name", 10) != 0 && strncmp(line, "cpu\t", 4) != 0))
        continue;
      colon += 1 + strspn(colon + 1, " \t");
      colon[strcspn(colon, "\n")] = '\0';
      snprintf(model, sizeof model, "%.255s", colon);
    }
    fclose(f);
  }
  struct utsname u;
  if (!model[0] && uname(&u) == 0)
    snprintf(model, sizeof model, "%.128s processor of unknown model", u.machine);
  snprintf(text, n, "%s", model[0] ? model : "processor of unknown model");
}

static int gpu_text(int gpu, char *text, size_t n)
{
  struct wn_gpu_info info;
  WN_TRY(wn_gpu_describe(gpu, &info));
  snprintf(text, n, "%s, %.1f GiB, %d multiprocessors, compute capability %d.%d",
           info.name, (double)info.memory / WN_GPU_GIB, info.multiprocessors, info.major,
           info.minor);
  return WN_OK;
}

static void cpu_text(char *text, size_t n)
{
  char model[256];
  const int count = wn_processors(), cores = wn_cores();
  processor(model, sizeof model);
  if (cores < count)
    snprintf(text, n, "%s; %d processors of %d cores available", model, count, cores);
  else
    snprintf(text, n, "%s; %d processor%s available", model, count,
             count == 1 ? "" : "s");
}

int wn_device_text(const struct wn_device_plan *p, char *text, size_t n)
{
  char what[384], how[64] = "as many threads as processors";
  const struct wn_scheduler_options *o = &p->options;
  if (p->device == WN_DEVICE_CUDA) {
    WN_TRY(gpu_text(p->gpu, what, sizeof what));
    snprintf(how, sizeof how, "default number of threads per block");
    if (o->block > 0)
      snprintf(how, sizeof how, "%d threads a block", o->block);
    snprintf(text, n, "cuda:%d, %s; scheduler %s, %s", p->gpu, what, p->ops->name, how);
    return WN_OK;
  }
  cpu_text(what, sizeof what);
  if (strcmp(p->ops->name, "serial") == 0)
    snprintf(how, sizeof how, "1 thread");
  else if (o->threads > 0)
    snprintf(how, sizeof how, "%d thread%s requested", o->threads,
             o->threads == 1 ? "" : "s");
  snprintf(text, n, "%s; scheduler %s, %s", what, p->ops->name, how);
  return WN_OK;
}

int wn_device_list(FILE *to)
{
  char text[512];
  const char *why = "";
  int count = wn_gpu_count(&why);
  cpu_text(text, sizeof text);
  fprintf(to, "%-9s %s\n", "cpu", text);
  for (int i = 0; i < count; i++) {
    WN_TRY(gpu_text(i, text, sizeof text));
    fprintf(to, "cuda:%-4d %s\n", i, text);
  }
  if (count == 0)
    fprintf(to, "%-9s none: %s\n", "cuda", why);
  return WN_OK;
}
