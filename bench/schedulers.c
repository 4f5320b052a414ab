/* bench/schedulers.c - how fast the schedulers are: models x schedulers x block sizes x
 * chances x numbers of electrons x steps, one line each, against the ceiling of the same
 * model in the same run.  bench/schedulers --help explains.
 *
 * What is timed, by the host's clock, from electrons that lie ready on the device to the
 * end of the last step: all steps of a run with the grid at their beginning and the
 * removal of the dead after each, newborns included.  The removal of one step may still
 * run when the next begins; that of the last is waited for, so that nothing is left
 * running when the clock is read.  Not timed: release and relaxation, upload, output, and
 * the warm-up, which is a whole run and maps the memory that the store grows into.  All
 * schedulers have to end with the same numbers of candidates, births, deaths and
 * electrons; a line that differs says so, and the program fails. */
#include "bench/schedulers.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/threads.h"
#include "bench/gpu_ceiling.h"
#include "device/gpu.h"

#define CEILING_CPU   20000   /* electrons of a ceiling */
#define CEILING_GPU   4000000 /* so many that the last threads do not count */
#define CEILING_WORK  1e7 /* candidates or steps that a CPU's ceiling takes at least */
#define CEILING_TRIES 3
#define CEILING_KEPT  3   /* builds of a kernel that are tried again */
#define PILOT         100 /* a CPU is tried on 1/PILOT of the electrons first */

/* What a run did; the same for all schedulers. */
struct outcome {
  uint64_t candidates, births, deaths, n;
};

/* A swarm with everything of a line but the scheduler. */
struct point {
  struct wn_bench_swarm *swarm;
  double chance;
  size_t poisson, steps;
  struct outcome expected;
  const char *expected_of; /* NULL: not measured yet */
};

/* Speeds of ceilings, candidates/s (electron-steps/s where there are none). */
struct ceiling {
  const char *model;
  double chance;
  size_t steps;
  int threads; /* of a CPU; 0: a GPU */
  double rate;
};

struct bench {
  const struct wn_bench_options *o;
  struct wn_bench_table table;
  struct wn_bench_swarm swarm, ceiling_swarm;
  struct ceiling *ceiling;
  size_t n_ceilings;
  const char *variants_of; /* the model whose fastest ceiling kernels these are */
  size_t variant[CEILING_KEPT];
  int failed; /* a line that should not be like that */
};

/* A step with the grid at its beginning; the dead go at its end. */
static int phase(struct wn_sim *s)
{
  struct wn_species *e = s->species[0];
  struct wn_particles *p = &e->p;
  struct wn_field_view view;
  WN_TRY(wn_species_hold(e, s->time, s->interval));
  if (s->field->ops->solve != NULL)
    WN_TRY(s->field->ops->solve(s->field, &p, 1, s->time, s->interval));
  s->field->ops->view(s->field, &view);
  WN_TRY(wn_species_gather(e, &view, s->time, s->interval));
  if (s->field->ops->leave != NULL)
    WN_TRY(s->field->ops->leave(s->field, &p, 1));
  WN_TRY(wn_species_advance(e, s->time, s->interval));
  s->time += s->interval;
  return wn_particles_compact(p);
}

/* All steps of a run.  *seconds > limit says that it was given up, and is the least that
 * it would have taken: a step is taken to last at least as long as the one before. */
static int fly(struct wn_sim *s, size_t phases, double limit, double *seconds)
{
  double begin = wn_clock_now(), last = begin;
  for (size_t k = 1; k <= phases; k++) {
    WN_TRY(phase(s));
    if (k == phases && s->gpu != NULL)
      WN_TRY(wn_gpu_drain(s->gpu));
    double t = wn_clock_now();
    *seconds = t - begin + (double)(phases - k) * (t - last);
    if (*seconds > limit && k < phases)
      return WN_OK;
    last = t;
  }
  return WN_OK;
}

/* Mobility steps that all electrons of mcc flew, from the time that they lived. */
static double steps_flown(const struct wn_species *s)
{
  wn_i128 time = 0;
  for (int g = 0; g < s->shape.n_groups; g++)
    time += s->tally.group[g].time;
  return (double)time / WN_FIX_STEP * s->model.steps;
}

/* ---- lines */

/* Per cent, NAN where it is the table over speed or there is none. */
static double shown_chance(const struct point *p)
{
  return isnan(p->chance) && strcmp(p->swarm->model, "rectangle") == 0
             ? p->swarm->study->rectangle.split_chance
             : p->chance;
}

static int threads_of(const struct bench *b, const struct wn_scheduler_ops *ops)
{
  if (ops->device == WN_DEVICE_CUDA)
    return 0;
  return strcmp(ops->name, "serial") == 0 ? 1 : wn_threads(b->o->threads);
}

static struct wn_bench_row new_row(const struct bench *b, const struct point *p,
                                   const char *scheduler,
                                   const struct wn_scheduler_ops *ops)
{
  struct wn_bench_row r = {.model = p->swarm->model,
                           .scheduler = scheduler,
                           .chance = shown_chance(p),
                           .electrons = p->swarm->n,
                           .poisson = p->poisson,
                           .steps = p->steps,
                           .median = NAN,
                           .best = NAN,
                           .flown = NAN,
                           .candidates = NAN,
                           .ceiling = NAN,
                           .bandwidth = NAN};
  struct wn_gpu_info info;
  int threads = threads_of(b, ops);
  if (threads > 0)
    snprintf(r.device, sizeof r.device, "CPU, %d thread%s", threads,
             threads == 1 ? "" : "s");
  else if (wn_gpu_describe(b->o->gpu, &info) == WN_OK)
    snprintf(r.device, sizeof r.device, "%.90s", info.name);
  return r;
}

/* ---- ceilings */

static void fly_part(const struct wn_model *m, unsigned char *e,
                     const unsigned char *first, size_t n, size_t phases,
                     struct wn_tally *tally)
{
  const struct wn_record *r = &m->ops->record;
  struct wn_births births = {.record = r->bytes};
  for (size_t k = 0; k < phases; k++) {
    for (size_t i = 0; i < n; i++)
      *(float *)(void *)(e + i * r->bytes + r->t_left) = (float)m->steps;
    births.n = 0;
    if (m->ops->advance_many != NULL)
      m->ops->advance_many(m, e, n, tally, &births);
    else
      for (size_t i = 0; i < n; i++)
        m->ops->advance(m, e + i * r->bytes, tally, &births);
    for (size_t i = 0; i < n; i++)
      if (*(float *)(void *)(e + i * r->bytes + r->t_left) < 0.0f)
        memcpy(e + i * r->bytes, first + i * r->bytes, r->bytes);
  }
  free(births.e);
}

/* Each thread flies electrons of its own; newborns are thrown away, and a dead electron begins
 * the next step as it was at first. */
static int ceiling_cpu(struct wn_sim *sim, int threads, size_t phases,
                       struct wn_bench_row *row)
{
  struct wn_species *s = sim->species[0];
  size_t n = s->p.n, record = s->p.record.bytes;
  unsigned char *copy = wn_alloc_aligned(n, record, 64);
  struct wn_field_view view;
  int status = copy != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK)
    status = wn_species_hold(s, 0.0, sim->interval);
  sim->field->ops->view(sim->field, &view);
  if (status == WN_OK)
    status = wn_species_gather(s, &view, 0.0, sim->interval);
  row->best = INFINITY;
  for (int r = 0; r < CEILING_TRIES && status == WN_OK; r++) {
    memcpy(copy, s->p.e, n * record);
    uint64_t candidates = 0;
    double t = wn_clock_now();
#ifdef _OPENMP
#pragma omp parallel num_threads(threads) reduction(+ : candidates)
#endif
    {
#ifdef _OPENMP
      size_t me = (size_t)omp_get_thread_num();
#else
      size_t me = 0;
#endif
      size_t from = n * me / (size_t)threads, to = n * (me + 1) / (size_t)threads;
      struct wn_tally tally;
      if (wn_tally_init(&tally, &s->shape) == WN_OK) {
        fly_part(&s->model, copy + from * record, s->p.e + from * record, to - from,
                 phases, &tally);
        candidates = tally.n_candidates;
        wn_tally_clear(&tally);
      }
    }
    t = wn_clock_now() - t;
    if (t < row->best) {
      row->best = t;
      row->candidates = (double)candidates;
    }
  }
  free(copy);
  return status;
}

#ifdef WN_HAVE_CUDA
/* One build of the kernel, once: the row becomes that run if none was faster. */
static int try_ceiling(struct wn_bench_swarm *w, size_t variant, struct wn_bench_row *row,
                       double *rate)
{
  struct wn_species *s = w->s->species[0];
  int registers;
  WN_TRY(wn_bench_swarm_load(w, w->n));
  int block = wn_bench_ceiling_choose(variant, &registers);
  WN_TRY(phase(w->s));
  double seconds = wn_bench_ceiling_seconds();
  *rate = (double)s->tally.n_candidates / seconds;
  if (isnan(row->best) || *rate > row->candidates / row->best) {
    row->block = block;
    row->best = seconds;
    row->candidates = (double)s->tally.n_candidates;
    snprintf(row->note, sizeof row->note, "at most %d registers a thread", registers);
  }
  return WN_OK;
}

/* The best of all builds of the kernel; from the second ceiling of a model on only of
 * those that were fastest the first time. */
static int ceiling_gpu(struct bench *b, struct wn_bench_swarm *w,
                       struct wn_bench_row *row)
{
  const struct wn_scheduler_options options = {0};
  double rate, fastest[CEILING_KEPT] = {0.0};
  WN_TRY(wn_bench_swarm_use(w, &wn_bench_ceiling, &options));
  if (b->variants_of == NULL || strcmp(b->variants_of, w->model) != 0) {
    b->variants_of = w->model;
    for (size_t v = 0; v < wn_bench_ceiling_variants(); v++) {
      WN_TRY(try_ceiling(w, v, row, &rate));
      /* in its place among the fastest */
      int k = CEILING_KEPT;
      for (; k > 0 && rate > fastest[k - 1]; k--)
        if (k < CEILING_KEPT) {
          fastest[k] = fastest[k - 1];
          b->variant[k] = b->variant[k - 1];
        }
      if (k < CEILING_KEPT) {
        fastest[k] = rate;
        b->variant[k] = v;
      }
    }
  }
  for (int k = 0; k < CEILING_KEPT; k++)
    for (int r = 0; r < CEILING_TRIES; r++)
      WN_TRY(try_ceiling(w, b->variant[k], row, &rate));
  return wn_bench_swarm_drop(w);
}
#endif

/* The ceiling for a point on the device of a scheduler, measured and given a line of its
 * own when first asked for. */
static int find_ceiling(struct bench *b, const struct point *p,
                        const struct wn_scheduler_ops *ops, double *rate)
{
  /* one relaxed swarm of mcc serves both */
  struct wn_bench_swarm *w =
      wn_bench_is_mcc(p->swarm->model) ? p->swarm : &b->ceiling_swarm;
  int threads = threads_of(b, ops);
  size_t n = threads == 0 ? CEILING_GPU : CEILING_CPU, wanted = p->swarm->n;
  for (size_t i = 0; i < b->n_ceilings; i++) {
    const struct ceiling *k = &b->ceiling[i];
    if (strcmp(k->model, p->swarm->model) == 0 && k->threads == threads &&
        k->steps == p->steps &&
        (k->chance == p->chance || (isnan(k->chance) && isnan(p->chance)))) {
      *rate = k->rate;
      return WN_OK;
    }
  }
  WN_TRY(wn_bench_swarm_make(w, b->o, p->swarm->model, n));
  struct point mine = {.swarm = w, .chance = p->chance, .poisson = 1, .steps = p->steps};
  WN_TRY(wn_bench_swarm_set(w, b->o, mine.steps, mine.chance));
  if (threads > 0) {
    double work =
        (double)n * (wn_bench_is_mcc(w->model) ? b->o->candidates : (double)p->steps);
    mine.poisson = work < CEILING_WORK ? (size_t)ceil(CEILING_WORK / work) : 1;
  }
  struct wn_bench_row row = new_row(b, &mine, "ceiling", ops);
  row.repeats = CEILING_TRIES;
  row.ceiling = 100.0;
  row.n = n;
  if (threads > 0) {
    WN_TRY(wn_bench_swarm_load(w, n));
    WN_TRY(ceiling_cpu(w->s, threads, mine.poisson, &row));
  } else {
#ifdef WN_HAVE_CUDA
    WN_TRY(ceiling_gpu(b, w, &row));
#endif
  }
  if (w == p->swarm)
    WN_TRY(wn_bench_swarm_make(w, b->o, w->model, wanted));
  *rate = wn_bench_ratio(row.candidates, row.best);
  struct ceiling *grown = wn_realloc(b->ceiling, b->n_ceilings + 1, sizeof *b->ceiling);
  if (grown == NULL)
    return WN_ENOMEM;
  b->ceiling = grown;
  b->ceiling[b->n_ceilings++] = (struct ceiling){.model = row.model,
                                                 .chance = p->chance,
                                                 .steps = p->steps,
                                                 .threads = threads,
                                                 .rate = *rate};
  if (!wn_bench_is_mcc(w->model)) {
    row.flown = row.candidates;
    row.candidates = NAN;
  }
  return wn_bench_table_add(&b->table, &row);
}

/* ---- measurements */

static int by_value(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Other programs share the machine: the median, and the best. */
static void set_times(struct wn_bench_row *row, double *seconds, int n)
{
  qsort(seconds, (size_t)n, sizeof *seconds, by_value);
  row->repeats = n;
  row->best = seconds[0];
  row->median = 0.5 * (seconds[(n - 1) / 2] + seconds[n / 2]);
}

/* Why a line has no times; those that say nothing bad of the program are part of the
 * answer. */
static void remark(struct bench *b, struct wn_bench_row *row, int status)
{
  row->best = row->median = NAN;
  if (status == WN_EFULL || status == WN_ENOMEM) {
    snprintf(row->note, sizeof row->note, "skipped: the electrons do not fit: %s",
             wn_status_text(status));
    return;
  }
  snprintf(row->note, sizeof row->note, "failed: %s", wn_status_text(status));
  b->failed = 1;
}

/* All schedulers give the same electrons. */
static void compare(struct bench *b, struct point *p, struct wn_bench_row *row)
{
  const struct wn_species *s = p->swarm->s->species[0];
  const struct outcome mine = {s->tally.n_candidates, s->tally.n_births,
                               s->tally.n_deaths, s->p.n};
  if (s->tally.alarms->n_violations > 0) {
    snprintf(row->note, sizeof row->note, "the bound on the collision frequency broke");
    b->failed = 1;
  }
  if (p->expected_of == NULL) {
    p->expected = mine;
    p->expected_of = row->scheduler;
  } else if (mine.candidates != p->expected.candidates ||
             mine.births != p->expected.births || mine.deaths != p->expected.deaths ||
             mine.n != p->expected.n) {
    snprintf(row->note, sizeof row->note, "not the electrons of %s: this is a bug",
             p->expected_of);
    b->failed = 1;
  }
}

/* Time of a CPU for the whole, from a small part of the electrons. */
static int pilot(const struct point *p, double limit, double *seconds)
{
  size_t n = p->swarm->n / PILOT;
  *seconds = 0.0;
  if (p->swarm->s->species[0]->ops->device != WN_DEVICE_CPU || n < PILOT)
    return WN_OK;
  WN_TRY(wn_bench_swarm_load(p->swarm, n));
  WN_TRY(fly(p->swarm->s, p->poisson, limit, seconds));
  *seconds *= (double)p->swarm->n / (double)n;
  return WN_OK;
}

/* Warm-up, then as many timed runs as were asked for and the limit allows, one at
 * least. */
static int time_runs(struct bench *b, struct point *p, struct wn_bench_row *row)
{
  const struct wn_bench_options *o = b->o;
  struct wn_species *s = p->swarm->s->species[0];
  double seconds[WN_BENCH_REPEATS], warm;
  WN_TRY(pilot(p, o->limit, &warm));
  if (warm <= o->limit) {
    WN_TRY(wn_bench_swarm_load(p->swarm, p->swarm->n));
    WN_TRY(fly(p->swarm->s, p->poisson, o->limit, &warm));
  }
  if (warm > o->limit) {
    snprintf(row->note, sizeof row->note,
             "skipped: too slow: about %.3g s a run, the limit is %.3g s", warm,
             o->limit);
    return WN_OK;
  }
  int n = 0;
  do {
    WN_TRY(wn_bench_swarm_load(p->swarm, p->swarm->n));
    WN_TRY(fly(p->swarm->s, p->poisson, INFINITY, &seconds[n++]));
  } while (n < o->repeats && (n + 2) * warm <= o->limit);
  set_times(row, seconds, n);
  row->births = s->tally.n_births;
  row->deaths = s->tally.n_deaths;
  row->n = s->p.n;
  if (wn_bench_is_mcc(row->model)) {
    row->flown = steps_flown(s);
    row->candidates = (double)s->tally.n_candidates;
  } else {
    row->flown = (double)s->tally.n_candidates;
  }
  compare(b, p, row);
  return WN_OK;
}

static int measure(struct bench *b, struct point *p, const struct wn_scheduler_ops *ops,
                   int block)
{
  const struct wn_bench_options *o = b->o;
  const struct wn_scheduler_options options = {.threads = o->threads, .block = block};
  double ceiling = NAN;
  if (!o->no_ceiling)
    WN_TRY(find_ceiling(b, p, ops, &ceiling));
  if (o->ceiling_only)
    return WN_OK;
  struct wn_bench_row row = new_row(b, p, ops->name, ops);
  row.block = block;
  int status = wn_bench_swarm_use(p->swarm, ops, &options);
  if (status == WN_OK)
    status = time_runs(b, p, &row);
  if (status != WN_OK)
    remark(b, &row, status);
  WN_TRY(wn_bench_swarm_drop(p->swarm));
  double rate =
      wn_bench_ratio(wn_bench_is_mcc(row.model) ? row.candidates : row.flown, row.best);
  if (!isnan(rate))
    row.ceiling = 100.0 * rate / ceiling;
  return wn_bench_table_add(&b->table, &row);
}

static int measure_schedulers(struct bench *b, struct point *p)
{
  const struct wn_bench_options *o = b->o;
  WN_TRY(wn_bench_swarm_set(p->swarm, o, p->steps, p->chance));
  for (size_t k = 0; k < o->block.n; k++)
    for (size_t i = 0; i < o->n_schedulers; i++)
      /* a CPU knows no blocks */
      if (o->scheduler[i]->device == WN_DEVICE_CUDA || k == 0)
        WN_TRY(
            measure(b, p, o->scheduler[i],
                    o->scheduler[i]->device == WN_DEVICE_CUDA ? (int)o->block.v[k] : 0));
  return WN_OK;
}

/* What an empty list stands for. */
static struct wn_bench_list or_default(const struct wn_bench_list *l, double v)
{
  return l->n > 0 ? *l : (struct wn_bench_list){1, {v}};
}

static int measure_model(struct bench *b, const char *model)
{
  const struct wn_bench_options *o = b->o;
  struct wn_bench_list electrons = or_default(&o->electrons, 1e6),
                       chance = or_default(wn_bench_takes_chance(model)
                                               ? &o->chance
                                               : &(struct wn_bench_list){0},
                                           NAN),
                       poisson = or_default(&o->poisson, 10.0),
                       steps =
                           or_default(&o->steps, wn_bench_is_mcc(model) ? 1.0 : 1000.0);
  for (size_t i = 0; i < electrons.n; i++) {
    struct wn_bench_swarm *w = &b->swarm;
    WN_TRY(wn_bench_swarm_make(w, o, model, (size_t)electrons.v[i]));
    for (size_t j = 0; j < chance.n; j++)
      for (size_t k = 0; k < poisson.n; k++)
        for (size_t l = 0; l < steps.n; l++) {
          struct point p = {.swarm = w,
                            .chance = chance.v[j],
                            .poisson = (size_t)poisson.v[k],
                            .steps = (size_t)steps.v[l]};
          WN_TRY(measure_schedulers(b, &p));
        }
  }
  return WN_OK;
}

#ifdef WN_HAVE_CUDA
/* Time to take the dead away: GB/s count every electron read once and every survivor
 * written once, whatever a way really moves. */
static int measure_compactions(struct bench *b, struct wn_gpu *gpu)
{
  static const double dead[] = {0.001, 0.01, 0.1, 0.5};
  const struct wn_bench_options *o = b->o;
  struct wn_bench_list electrons =
      o->electrons.n > 0 ? o->electrons : (struct wn_bench_list){3, {1e6, 1e7, 1e8}};
  struct wn_bench_swarm none = {.model = "compaction"};
  for (size_t i = 0; i < electrons.n; i++)
    for (size_t d = 0; d < sizeof dead / sizeof dead[0]; d++)
      for (int way = 0; way < WN_BENCH_COMPACTIONS; way++) {
        none.n = (size_t)electrons.v[i];
        struct point p = {.swarm = &none, .chance = 100.0 * dead[d]};
        struct wn_bench_row row =
            new_row(b, &p, wn_bench_compaction_name[way], &wn_bench_ceiling);
        double seconds[WN_BENCH_REPEATS];
        size_t left = 0;
        int status =
            wn_bench_compaction(gpu, way, none.n, dead[d], o->repeats, seconds, &left);
        if (status == WN_OK) {
          set_times(&row, seconds, o->repeats);
          row.deaths = none.n - left;
          row.n = left;
          row.bandwidth = (double)(none.n + left) * sizeof(struct wn_electron) / row.best;
        } else {
          remark(b, &row, status);
        }
        WN_TRY(wn_bench_table_add(&b->table, &row));
      }
  return WN_OK;
}

static int measure_hardware(const struct wn_bench_options *o, struct wn_gpu *gpu)
{
  double copy, philox;
  struct wn_gpu_info info;
  WN_TRY(wn_gpu_describe(o->gpu, &info));
  WN_TRY(wn_bench_hardware(gpu, &copy, &philox));
  printf("%s: copy %.3g TB/s (read and written), Philox4x32-10 %.3g words/s\n", info.name,
         copy * 1e-12, philox);
  return WN_OK;
}
#endif

static int run(struct bench *b)
{
  const struct wn_bench_options *o = b->o;
#ifdef WN_HAVE_CUDA
  if ((o->hardware || o->compaction) && o->scheduler[0]->device == WN_DEVICE_CUDA) {
    struct wn_gpu *gpu = NULL;
    WN_TRY(wn_gpu_open(o->gpu, &gpu));
    int status = o->hardware ? measure_hardware(o, gpu) : WN_OK;
    if (status == WN_OK && o->compaction) {
      wn_bench_table_heading(&b->table);
      status = measure_compactions(b, gpu);
    }
    wn_gpu_close(gpu);
    if (status != WN_OK || o->compaction)
      return status;
  }
#endif
  wn_bench_table_heading(&b->table);
  for (size_t i = 0; i < o->n_models; i++)
    WN_TRY(measure_model(b, o->model[i]));
  return WN_OK;
}

/* What was measured is written, whatever happened then; with the scenario of mcc, as what is set
 * of other models stands in the command line. */
static int write_file(const struct bench *b, int argc, char *const *argv)
{
  struct wn_bench_options o = *b->o;
  struct wn_config *c = NULL;
  if (!wn_bench_is_mcc(o.model[0]))
    o.n_sets = 0;
  WN_TRY(wn_bench_config(&o, 1000000, 100000000, &c));
  int status = wn_bench_table_write(&b->table, b->o->output, c, argc, argv);
  wn_config_free(c);
  return status;
}

int main(int argc, char **argv)
{
  struct wn_bench_options o;
  struct bench b = {.o = &o};
  int status = wn_bench_options_read(&o, argc, argv);
  if (status == WN_OK && o.help) {
    fputs(wn_bench_help, stdout);
    return 0;
  }
  b.table.markdown = o.markdown;
  wn_log_set_level(WN_LOG_WARN);
  if (status == WN_OK) {
    status = run(&b);
    if (o.output != NULL && b.table.n > 0) {
      int written = write_file(&b, argc, argv);
      status = status != WN_OK ? status : written;
    }
  }
  wn_bench_swarm_free(&b.swarm);
  wn_bench_swarm_free(&b.ceiling_swarm);
  free(b.ceiling);
  free(b.table.row);
  return status == WN_EINPUT ? 2 : status != WN_OK || b.failed ? 1 : 0;
}
