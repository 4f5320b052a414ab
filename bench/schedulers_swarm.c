/* bench/schedulers_swarm.c - the electrons that bench/schedulers flies: released as the
 * scenario says; those of mcc relaxed to a steady swarm first. */
#include "bench/schedulers.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/alloc.h"
#include "base/error.h"
#include "bench/gpu_ceiling.h"
#include "bench/study/rectangle.h"
#include "bench/study/split_table.h"
#include "device/gpu.h"
#include "src/jobs/job.h"
#include "src/run/run.h"
#include "src/run/step.h"

#define RELAX       400    /* steps that make a swarm steady, of */
#define RELAX_PHASE 100.0  /* candidates each: 4 ns in air of 1 atm */
#define RELAXED_CPU 2000   /* electrons of that swarm; larger ones are */
#define RELAXED_GPU 100000 /* made of copies with random numbers of their own */

static const char mcc_scenario[] =
    "title = \"Comparison of schedulers\"; job = \"swarm\"; scattering = \"isotropic\";\n"
    "sharing = \"equal\"; gas = { pressure = \"1 atm\"; temperature = \"300 K\";\n"
    "components = { N2 = { fraction = 0.8; file = \"builtin:air\"; };\n"
    "O2 = { fraction = 0.2; file = \"builtin:air\"; }; }; };\n";

int wn_bench_is_mcc(const char *model)
{
  return strcmp(model, "mcc") == 0;
}

int wn_bench_takes_chance(const char *model)
{
  return strcmp(model, "split-remove") == 0 || strcmp(model, "rectangle") == 0;
}

/* A scenario file of our own, read and removed. */
static int read_text(const char *text, size_t n_sets, const char *const *sets,
                     struct wn_config **out)
{
  const char *folder = getenv("TMPDIR");
  char *path = wn_asprintf("%s/wilson-bench-XXXXXX", folder != NULL ? folder : "/tmp");
  if (path == NULL)
    return WN_ENOMEM;
  int fd = mkstemp(path), status = WN_OK;
  FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
  if (f == NULL || fputs(text, f) < 0)
    status = WN_FAIL(WN_EIO, "%s: %s", path, strerror(errno));
  if (f != NULL && fclose(f) != 0 && status == WN_OK)
    status = WN_FAIL(WN_EIO, "%s: %s", path, strerror(errno));
  if (status == WN_OK)
    status = wn_config_read(path, n_sets, sets, out);
  if (fd >= 0)
    unlink(path);
  free(path);
  return status;
}

int wn_bench_config(const struct wn_bench_options *o, size_t electrons, size_t capacity,
                    struct wn_config **out)
{
  const char *sets[WN_BENCH_LIST + 8];
  char count[64], room[64], field[128];
  size_t n = 0;
  snprintf(count, sizeof count, "electrons=%zu", electrons);
  snprintf(room, sizeof room, "population.capacity=%zu", capacity);
  snprintf(field, sizeof field, "fields=[\"%s\"]",
           o->field != NULL ? o->field : "200 Td");
  sets[n++] = count;
  sets[n++] = room;
  /* the scenario's own scheduler only sets things up */
  sets[n++] = "device=\"cpu\"";
  sets[n++] = "scheduler=\"serial\"";
  if (o->field != NULL || o->scenario == NULL)
    sets[n++] = field;
  for (size_t i = 0; i < o->n_sets; i++)
    sets[n++] = o->set[i];
  WN_TRY(o->scenario != NULL ? wn_config_read(o->scenario, n, sets, out)
                             : read_text(mcc_scenario, n, sets, out));
  if ((*out)->model == WN_MODEL_MCC && (*out)->job == WN_JOB_SWARM)
    return WN_OK;
  wn_config_free(*out);
  *out = NULL;
  return WN_FAIL(WN_EINPUT, "%s: only a scenario with job = \"swarm\" can be measured",
                 o->scenario);
}

/* The same of a model of the study. */
static int read_study(const struct wn_bench_options *o, const char *model,
                      size_t electrons, size_t capacity, struct wn_study **out)
{
  const char *sets[WN_BENCH_LIST + 4];
  char name[64], count[64], room[64];
  size_t n = 0;
  snprintf(name, sizeof name, "model=%s", model);
  snprintf(count, sizeof count, "electrons=%zu", electrons);
  snprintf(room, sizeof room, "population.capacity=%zu", capacity);
  sets[n++] = name;
  sets[n++] = count;
  sets[n++] = room;
  sets[n++] = "scheduler=serial";
  for (size_t i = 0; i < o->n_sets; i++)
    sets[n++] = o->set[i];
  return wn_study_read(n, sets, out);
}

void wn_bench_swarm_free(struct wn_bench_swarm *w)
{
  free(w->first);
  wn_sim_free(w->s);
  wn_gas_free(w->gas);
  wn_config_free(w->c);
  wn_study_free(w->study);
  *w = (struct wn_bench_swarm){0};
}

int wn_bench_swarm_use(struct wn_bench_swarm *w, const struct wn_scheduler_ops *ops,
                       const struct wn_scheduler_options *options)
{
  struct wn_sim *s = w->s;
  struct wn_scheduler_options mine = *options;
  if (ops->device == WN_DEVICE_CUDA && s->gpu == NULL)
    WN_TRY(wn_gpu_open(w->gpu, &s->gpu)); /* closed with the simulation */
  mine.gpu = ops->device == WN_DEVICE_CUDA ? s->gpu : NULL;
  return w->study != NULL ? wn_study_use(w->study, s, ops, &mine)
                          : wn_sim_use(s, ops, &mine);
}

/* Back to a scheduler that owns nothing, so that the memory of a GPU is given back. */
int wn_bench_swarm_drop(struct wn_bench_swarm *w)
{
  const struct wn_scheduler_options none = {0};
  wn_particles_to_host(&w->s->species[0]->p);
  return wn_bench_swarm_use(w, &wn_scheduler_serial, &none);
}

static int by_id(const void *a, const void *b)
{
  uint64_t x = ((const struct wn_electron *)a)->id,
           y = ((const struct wn_electron *)b)->id;
  return (x > y) - (x < y);
}

/* Fly until the energies are those of a swarm.  Whoever does it, the electrons are the
 * same; sorting takes the order of the threads out. */
static int relax(struct wn_bench_swarm *w, const struct wn_bench_options *o)
{
  const struct wn_scheduler_options options = {.threads = o->threads};
  struct wn_sim *s = w->s;
  struct wn_species *e = s->species[0];
  WN_TRY(wn_bench_swarm_use(w, o->scheduler[0], &options));
  e->population.target = w->c->electrons;
  e->population.may_split = 1;
  for (int k = 0; k < RELAX; k++) {
    WN_TRY(wn_step(s, RELAX_PHASE / w->gas->table->view.nu_max));
    WN_TRY(wn_species_control(e));
  }
  WN_TRY(wn_particles_host(&e->p));
  qsort(e->p.e, e->p.n, e->p.record.bytes, by_id);
  return WN_OK;
}

static int keep(struct wn_bench_swarm *w)
{
  const struct wn_particles *p = &w->s->species[0]->p;
  w->first = wn_alloc_aligned(p->n, p->record.bytes, 64);
  if (w->first == NULL)
    return WN_ENOMEM;
  w->n_first = p->n;
  memcpy(w->first, p->e, p->n * p->record.bytes);
  if (wn_bench_is_mcc(w->model))
    for (size_t i = 0; i < p->n; i++) /* so that the time lived counts electrons */
      ((struct wn_electron *)(void *)w->first)[i].w = 1.0f;
  return wn_bench_swarm_drop(w);
}

int wn_bench_swarm_make(struct wn_bench_swarm *w, const struct wn_bench_options *o,
                        const char *model, size_t n)
{
  /* room for births: at least that of the study */
  size_t capacity = n < 10000000 ? 100000000 : n < 400000000 ? 10 * n : 4000000000;
  if (w->model != NULL && strcmp(w->model, model) == 0 &&
      (w->n == n || wn_bench_is_mcc(model))) {
    /* a relaxed swarm serves all numbers of electrons */
    w->n = n;
    w->s->species[0]->p.limit = w->s->c->capacity > n ? w->s->c->capacity : capacity;
    return WN_OK;
  }
  wn_bench_swarm_free(w);
  struct wn_device_plan plan;
  w->model = model;
  w->n = n;
  w->gpu = o->gpu;
  if (!wn_bench_is_mcc(model)) {
    WN_TRY(read_study(o, model, n, capacity, &w->study));
    WN_TRY(wn_study_create(w->study, &w->s));
    return keep(w);
  }
  WN_TRY(wn_bench_config(
      o, o->scheduler[0]->device == WN_DEVICE_CUDA ? RELAXED_GPU : RELAXED_CPU, capacity,
      &w->c));
  WN_TRY(wn_device_choose(w->c, &plan));
  WN_TRY(wn_gas_create(w->c, &w->gas));
  WN_TRY(wn_sim_create(w->c, w->gas, &wn_job_of(w->c)->needs, &plan, &w->s));
  WN_TRY(wn_sim_begin(w->s, 0));
  WN_TRY(relax(w, o));
  return keep(w);
}

int wn_bench_swarm_set(struct wn_bench_swarm *w, const struct wn_bench_options *o,
                       size_t steps, double chance)
{
  struct wn_sim *s = w->s;
  struct wn_model *model = &s->species[0]->model;
  const struct wn_study *y = w->study;
  model->steps = (unsigned)steps;
  if (y == NULL) {
    s->interval = o->candidates / w->gas->table->view.nu_max;
    return WN_OK;
  }
  s->interval = wn_study_steps(y).dt * (double)steps;
  if (y->kind == &wn_study_rectangle) {
    struct wn_rectangle *m = model->data;
    m->split = isnan(chance) ? y->rectangle.split_chance : chance;
    m->removed =
        isnan(chance) ? y->rectangle.remove_chance : fmin(chance, 100.0 - chance);
  } else if (y->kind == &wn_study_split_remove) {
    static float split[WN_SPLIT_LEVELS], removed[WN_SPLIT_LEVELS];
    if (!isnan(chance))
      wn_split_constant(chance, split, removed);
    else if (y->split_remove.constant > 0.0)
      wn_split_constant(y->split_remove.constant, split, removed);
    else
      WN_TRY(wn_split_table(y->split_remove.table, split, removed));
    wn_split_fill(split, removed, y->tables);
  }
  return WN_OK;
}

int wn_bench_swarm_load(struct wn_bench_swarm *w, size_t n)
{
  struct wn_sim *s = w->s;
  struct wn_species *e = s->species[0];
  struct wn_particles *p = &e->p;
  size_t own = n < w->n_first ? n : w->n_first;
  s->time = 0.0;
  wn_species_begin(e);
  WN_TRY(wn_particles_append(p, w->first, own));
  if (own == n)
    return e->ops->hold(e->sched, &e->model, p);
#ifdef WN_HAVE_CUDA
  if (e->ops->device == WN_DEVICE_CUDA)
    return wn_bench_replicate(s->gpu, &e->model, p, n, s->c->seed);
#endif
  WN_TRY(wn_particles_reserve(p, n - own));
  struct wn_electron *electrons = wn_particles_electrons(p);
  for (size_t i = own; i < n; i++)
    electrons[i] =
        wn_bench_copy(electrons, own, i, s->c->seed, wn_species_mcc(e)->inv_nu);
  p->n = n;
  return WN_OK;
}
