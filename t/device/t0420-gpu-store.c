/* t0420-gpu-store.c - defends: the store of electrons on the GPU grows in the middle of a
 * phase without a trace in the results, holds every electron when its limit is reached,
 * loses none and keeps none too many when the dead are taken away, whatever their number,
 * and changes hands between schedulers; of every record that lives every byte is where
 * the two ways of compaction put it (device/gpu.h); and wn_gpu_forecast says what it
 * takes. Reference: the CPU's scheduler in the same program, to the bit; the definition
 * of the two orders, written down here; for the forecast what was allocated, to the 5 %
 * that gpu.h promises. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/log.h"
#include "bench/study/lists.h"
#include "bench/study/split_remove.h"
#include "device/gpu.h"
#include "t/tap/gpu.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define SCENARIO "t0420-gpu-store.cfg"

/* Electrons multiply by 30 or more in a phase. */
static const char *avalanche[] = {"job=\"runaway\"",
                                  "duration=\"1 ns\"",
                                  "fields=[\"1500 Td\"]",
                                  NULL, /* see open_avalanche */
                                  "mobility_steps=12",
                                  "scattering=\"okhrimovskyy\"",
                                  "sharing=\"rbeb\"",
                                  "runaway.thresholds=[\"30 eV\", \"60 eV\"]",
                                  NULL};

/* The GPU schedulers, fastest first; NULL after the last. */
static const struct wn_scheduler_ops *gpu_scheduler(size_t i)
{
  const struct wn_scheduler_ops *ops;
  for (size_t k = 0; (ops = wn_study_scheduler(k)) != NULL; k++)
    if (ops->device == WN_DEVICE_CUDA && ops->supports == NULL && i-- == 0)
      break;
  return ops;
}

static int use(struct scene *s, const struct wn_scheduler_ops *ops, const char *what)
{
  const struct wn_scheduler_options o = {.gpu = gpu_device()};
  int status = scene_use(s, ops, &o);
  if (status != WN_OK)
    ok(0, "%s: %s is not made: %s", what, ops->name, wn_status_text(status));
  return status == WN_OK;
}

static void open_avalanche(struct scene *s)
{
  avalanche[3] = gpu_size(1, 0) ? "electrons=2000" : "electrons=200";
  scene_open(s, SCENARIO, scene_air, avalanche);
  scene_scheduler(s, "auto", 0);
}

/* So many candidates of an electron in a phase. */
static void set_candidates(struct scene *s, double n)
{
  s->sim->interval = n * wn_species_mcc(scene_species(s))->inv_nu;
}

static void start_avalanche(struct scene *s)
{
  scene_start(s, 0.0);
  scene_weigh(s, 0x1p20f);
  set_candidates(s, 96.0);
}

static void same(const struct scene_result *got, const struct scene_result *want,
                 const struct wn_tally_shape *shape, const char *scheduler,
                 const char *what)
{
  const char *electrons = scene_electrons_differ(got, want),
             *tallies = scene_tallies_differ(got, want, shape);
  ok(electrons == NULL && tallies == NULL, "%s: %s gives the bits of the CPU%s%s%s%s",
     what, scheduler, electrons || tallies ? "; differs: " : "",
     electrons ? electrons : "", electrons && tallies ? " and " : "",
     tallies ? tallies : "");
}

static void growth(void)
{
  struct scene s;
  struct scene_result want, got;
  open_avalanche(&s);
  start_avalanche(&s);
  scene_run(&s, 1, 0, &want);
  ok(want.n > 30 * s.config->electrons, "growth: %zu electrons become %zu in a phase",
     s.config->electrons, want.n);
  const struct wn_scheduler_ops *ops;
  for (size_t i = 0; (ops = gpu_scheduler(i)) != NULL; i++) {
    start_avalanche(&s);
    if (!use(&s, ops, "growth"))
      continue;
    size_t before = wn_gpu_used(gpu_device());
    scene_run(&s, 1, 0, &got);
    same(&got, &want, &scene_species(&s)->shape, ops->name, "growth");
    size_t after = wn_gpu_used(gpu_device());
    ok(after > before + got.n * sizeof *got.e,
       "growth: %s has mapped memory: %zu bytes before, %zu after", ops->name, before,
       after);
    scene_result_clear(&got);
  }
  scene_result_clear(&want);
  scene_close(&s);
}

/* How many of the beginning are neither among those at the end nor dead in the whole
 * phase, all sorted by id: a dead electron need not leave a record. */
static size_t lost(const struct scene_result *begun, const struct scene_result *got,
                   const struct scene_result *all)
{
  size_t n = 0;
  for (size_t i = 0, j = 0, k = 0; i < begun->n; i++) {
    uint64_t id = begun->e[i].id;
    while (j < got->n && got->e[j].id < id)
      j++;
    while (k < all->n && all->e[k].id < id)
      k++;
    int is_there = j < got->n && got->e[j].id == id,
        died = k < all->n && all->e[k].id == id && all->e[k].t_left < 0.0f;
    n += !is_there && !died;
  }
  return n;
}

/* The step before the one that does not fit is kept; in that one no electron is lost: each
 * electrons there at its beginning still are, and all others are born in it on the CPU too.
 */
static void limit(void)
{
  struct scene s;
  struct scene_result all, cpu, got;
  open_avalanche(&s);
  start_avalanche(&s);
  /* as many electrons as the first phase needs, so that it is the second that does not
   * fit */
  set_candidates(&s, 24.0);
  scene_run(&s, 1, 0, &cpu);
  size_t n_first = cpu.n + (size_t)cpu.tally.n_deaths, n_limit = n_first + cpu.n;
  /* all particles of the second phase, the dead too */
  struct wn_species *e = scene_species(&s);
  int status = wn_scheduler_step(e->ops, e->sched, &e->model, &e->p, &e->tally);
  scene_result_clear(&cpu);
  scene_run(&s, 0, 0, &all);
  ok(status == WN_OK && all.n > n_limit, "limit: %zu electrons and more than %zu",
     n_first, n_limit);
  start_avalanche(&s);
  set_candidates(&s, 24.0);
  scene_species(&s)->p.limit = n_limit;
  scene_run(&s, 3, 0, &cpu);
  is_int(cpu.status, WN_EFULL, "limit: the CPU's status");
  is_int(cpu.phases, 1, "limit: phases that the CPU finished");
  const struct wn_scheduler_ops *ops;
  for (size_t i = 0; (ops = gpu_scheduler(i)) != NULL; i++) {
    struct scene_result begun;
    start_avalanche(&s);
    set_candidates(&s, 24.0);
    scene_species(&s)->p.limit = n_limit;
    if (!use(&s, ops, "limit"))
      continue;
    scene_run(&s, 1, 0, &begun);
    scene_run(&s, 2, 0, &got);
    is_int(got.status, WN_EFULL, "limit: status of %s", ops->name);
    ok(got.phases == 0 && begun.phases == 1 && begun.living[0] == cpu.living[0] &&
           memcmp(&begun.energy_ev[0], &cpu.energy_ev[0], sizeof cpu.energy_ev[0]) == 0,
       "limit: %s finished the first phase, as the CPU did", ops->name);
    const char *what = scene_tallies_differ(&got, &cpu, &scene_species(&s)->shape);
    ok(what == NULL, "limit: %s leaves the tallies of the CPU%s%s", ops->name,
       what ? "; differs: " : "", what ? what : "");
    is_int((long long)scene_ids_twice(&got), 0, "limit: %s: no electron twice",
           ops->name);
    is_int((long long)lost(&begun, &got, &all), 0,
           "limit: %s: those of the beginning are there, or died in the phase",
           ops->name);
    ok(got.n >= n_limit && scene_common_ids(&got, &all) == got.n,
       "limit: %s: %zu electrons, all of them known on the CPU", ops->name, got.n);
    scene_result_clear(&begun);
    scene_result_clear(&got);
  }
  scene_result_clear(&all);
  scene_result_clear(&cpu);
  scene_close(&s);
}

/* Few electrons and many, of which none, some or all die in a phase; then another phase
 * with what is left, even none. */
static void compaction(void)
{
  static const struct {
    const char *name, *split, *removed;
  } chances[] = {{"none", "0", "0"},
                 {"none, births", "30", "0"},
                 {"some", "0", "20"},
                 {"some, births", "30", "20"},
                 {"all", "0", "100"}};
  const size_t sizes[] = {1, 2, 31, 33, 1000, gpu_size(100003, 1025)};
  for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
    for (size_t c = 0; c < sizeof chances / sizeof chances[0]; c++) {
      if (k % gpu_size(1, 3) != 0 || c % gpu_size(1, 3) != 0)
        continue;
      struct scene s;
      struct scene_result want, got;
      const struct wn_scheduler_ops *ops;
      char name[128], electrons[64], split[64], removed[64];
      const char *const set[] = {"model=\"rectangle\"",
                                 "rectangle.mobility_steps=3",
                                 electrons,
                                 split,
                                 removed,
                                 NULL};
      snprintf(name, sizeof name, "%zu electrons, deaths: %s", sizes[k], chances[c].name);
      snprintf(electrons, sizeof electrons, "electrons=%zu", sizes[k]);
      snprintf(split, sizeof split, "rectangle.split_chance=%s", chances[c].split);
      snprintf(removed, sizeof removed, "rectangle.remove_chance=%s", chances[c].removed);
      scene_open(&s, SCENARIO, "", set);
      scene_scheduler(&s, "auto", 0);
      scene_start(&s, 0.0);
      scene_run(&s, 3, 0, &want);
      if (strcmp(chances[c].name, "all") == 0)
        ok(want.n == 0 && want.phases == 3, "%s: none is left", name);
      for (size_t i = 0; (ops = gpu_scheduler(i)) != NULL; i++) {
        scene_start(&s, 0.0);
        if (!use(&s, ops, name))
          continue;
        scene_run(&s, 3, 0, &got);
        same(&got, &want, &scene_species(&s)->shape, ops->name, name);
        scene_result_clear(&got);
      }
      scene_result_clear(&want);
      scene_close(&s);
    }
}

/* ---- the dead taken away, record by record */

enum pattern {
  NONE,
  ALL,
  FIRST,
  LAST,
  TAIL, /* the last third: there are no holes, only an end */
  HEAD, /* the first quarter: nothing but holes */
  EVERY_OTHER,
  FEW,   /* 0.1 %, at random */
  TENTH, /* 10 % */
  MOST,  /* 60 % */
  N_PATTERNS
};
static const char *const pattern_name[N_PATTERNS] = {
    "none",           "all",
    "the first",      "the last",
    "the last third", "the first quarter",
    "every other",    "0.1 % at random",
    "10 %",           "60 %"};

static const struct {
  const char *name;
  enum wn_gpu_compaction way;
} ways[] = {{"as the program does", WN_GPU_COMPACT_AUTO},
            {"into holes", WN_GPU_COMPACT_HOLES},
            {"in order", WN_GPU_COMPACT_IN_ORDER}};

/* Not Philox: a counter through a mixer, as in t0400. */
static uint64_t mixed(uint64_t i)
{
  uint64_t z = i * 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}

static int dies(enum pattern pattern, size_t i, size_t n)
{
  const double u = (double)(mixed(i + 1) >> 11) * 0x1p-53;
  switch (pattern) {
  case ALL:
    return 1;
  case FIRST:
    return i == 0;
  case LAST:
    return i == n - 1;
  case TAIL:
    return i >= n - n / 3;
  case HEAD:
    return i < n / 4;
  case EVERY_OTHER:
    return i % 2 == 0;
  case FEW:
    return u < 0.001;
  case TENTH:
    return u < 0.1;
  case MOST:
    return u < 0.6;
  default:
    return 0;
  }
}

/* Record number i: its number, then bytes that no other record has; t_left above 0. */
static void make_record(const struct wn_record *r, size_t i, void *to)
{
  uint64_t word[WN_RECORD_MAX / sizeof(uint64_t)] = {i};
  const float t_left = 1.0f + (float)(i % 5);
  for (size_t k = 1; k < sizeof word / sizeof word[0]; k++)
    word[k] = mixed(8 * i + k);
  memcpy(to, word, r->bytes);
  memcpy((char *)to + r->t_left, &t_left, sizeof t_left);
}

/* Which record is wanted at each of the first places: those that live stay, and the holes
 * among them are filled with those that live behind, the first hole with the first; or
 * all that live in order.  Returns how many live. */
static size_t wanted(enum pattern pattern, size_t n, int in_order, uint32_t *number)
{
  size_t living = 0;
  for (size_t i = 0; i < n; i++)
    if (!dies(pattern, i, n))
      number[living++] = (uint32_t)i;
  if (in_order)
    return living;
  for (size_t i = 0, next = living; i < living; i++) {
    number[i] = (uint32_t)i;
    if (!dies(pattern, i, n))
      continue;
    while (dies(pattern, next, n))
      next++;
    number[i] = (uint32_t)next++;
  }
  return living;
}

/* Where the first wrong record is, of those that are as wanted in one of the two orders;
 * p->n: nowhere. */
static size_t first_wrong(const struct wn_particles *p, const uint32_t *number)
{
  unsigned char want[WN_RECORD_MAX];
  size_t i = 0;
  for (; i < p->n; i++) {
    make_record(&p->record, number[i], want);
    if (memcmp(wn_particles_at(p, i), want, p->record.bytes) != 0)
      break;
  }
  return i;
}

/* n records go to the GPU, die on the host as the pattern says, go there once more, and
 * the dead are taken away.  Returns whether every byte of what is left is right; says
 * what is not. */
static int one_compaction(const struct wn_record *record, size_t n, enum pattern pattern,
                          size_t way)
{
  struct wn_particles p;
  uint32_t *number = malloc((n + 1) * sizeof *number);
  const float dead = WN_DEAD;
  int status = number != NULL ? wn_particles_init(&p, record, n, n) : WN_ENOMEM;
  if (status != WN_OK) {
    free(number);
    diag("no memory for %zu records", n);
    return 0;
  }
  p.n = n;
  for (size_t i = 0; i < n; i++)
    make_record(record, i, wn_particles_at(&p, i));
  status = wn_gpu_hold(gpu_device(), &p, 0.0);
  if (status == WN_OK)
    status = wn_particles_host(&p);
  for (size_t i = 0; i < n; i++)
    if (dies(pattern, i, n))
      memcpy(wn_particles_t_left(&p, i), &dead, sizeof dead);
  if (status == WN_OK)
    status = wn_gpu_hold(gpu_device(), &p, 0.0);
  memset(p.e, 0x5a, n * record->bytes); /* what is there later came from the GPU */
  if (p.place == WN_PARTICLES_BOTH)
    p.place = WN_PARTICLES_REMOTE;
  if (status == WN_OK)
    status = wn_gpu_compact(&p, ways[way].way);
  if (status == WN_OK)
    status = wn_particles_host(&p);
  int right = status == WN_OK;
  size_t left = p.n, living = 0, wrong = 0;
  /* as the program does: either order */
  for (int order = 0; order < 2 && right; order++) {
    if (ways[way].way == WN_GPU_COMPACT_HOLES && order == 1)
      break;
    if (ways[way].way == WN_GPU_COMPACT_IN_ORDER && order == 0)
      continue;
    living = wanted(pattern, n, order, number);
    wrong = left == living ? first_wrong(&p, number) : 0;
    if (left == living && wrong == living)
      break;
    right = ways[way].way == WN_GPU_COMPACT_AUTO && order == 0;
  }
  if (!right)
    diag("%zu records of %zu bytes, of which %s died, %s: %s, %zu are left of %zu, the "
         "first that is wrong is %zu",
         n, record->bytes, pattern_name[pattern], ways[way].name, wn_status_text(status),
         left, living, wrong);
  wn_particles_clear(&p);
  free(number);
  return right;
}

static void every_hole(void)
{
  static const struct wn_record records[] = {
      {64, 56, 0}, {32, 28, 0}, {16, 8, 0}, {48, 20, 0}};
  const size_t sizes[] = {1,
                          2,
                          3,
                          31,
                          32,
                          33,
                          255,
                          256,
                          257,
                          1000,
                          4097,
                          gpu_size(100003, 10007),
                          gpu_size(1000003, 0)};
  for (size_t r = 0; r < sizeof records / sizeof records[0]; r++)
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
      size_t bad = 0, tried = 0;
      if (sizes[k] == 0 || (gpu_size(0, 1) && k % 3 != 2))
        continue;
      for (int pattern = 0; pattern < N_PATTERNS; pattern++)
        for (size_t way = 0; way < sizeof ways / sizeof ways[0]; way++, tried++)
          bad += !one_compaction(&records[r], sizes[k], (enum pattern)pattern, way);
      is_int((long long)bad, 0,
             "%zu records of %zu bytes: wrong of %zu patterns of death and ways",
             sizes[k], records[r].bytes, tried);
    }
  /* the lists of so many holes have no room behind the particles */
  if (gpu_size(1, 0))
    ok(one_compaction(&records[1], 10000000, EVERY_OTHER, 0),
       "1e7 records of 32 bytes, of which every other died: every byte");
}

/* Every phase by another scheduler, and by the CPU in between. */
static void hand_over(void)
{
  struct scene s;
  struct scene_result want, got;
  const struct wn_scheduler_ops *ops, *cpu;
  const int phases = 16;
  int status = WN_OK;
  open_avalanche(&s);
  start_avalanche(&s);
  set_candidates(&s, 4.0);
  cpu = scene_species(&s)->ops;
  scene_run(&s, phases, 0, &want);
  scene_result_clear(&want);
  scene_run(&s, 0, 0, &want); /* the same without what was there after each phase */
  start_avalanche(&s);
  set_candidates(&s, 4.0);
  for (int i = 0; i < phases && status == WN_OK; i++) {
    ops = i % 5 == 4 ? cpu : gpu_scheduler((size_t)i);
    if (!use(&s, ops != NULL ? ops : cpu, "hand over"))
      break;
    status = scene_phase(&s);
  }
  is_int(status, WN_OK, "hand over: status");
  scene_run(&s, 0, 0, &got);
  same(&got, &want, &scene_species(&s)->shape, "every scheduler in turn", "hand over");
  scene_result_clear(&want);
  scene_result_clear(&got);
  scene_close(&s);
}

/* What a phase allocates against wn_gpu_forecast; on a GPU opened for it, so that nothing
 * is left there of what came before. */
static void forecast_of(const char *name, const char *text, const char *const *set,
                        double flights)
{
  struct scene s;
  struct wn_gpu_info info;
  struct wn_scheduler_options o = {0};
  const struct wn_scheduler_ops *ops = gpu_scheduler(0);
  scene_open(&s, SCENARIO, text, set);
  scene_scheduler(&s, "auto", 0);
  scene_start(&s, 0.0);
  struct wn_species *e = scene_species(&s);
  if (flights > 0.0)
    set_candidates(&s, flights * e->model.steps);
  is_int(wn_gpu_open(0, &o.gpu), WN_OK, "forecast, %s: the GPU opened once more", name);
  if (ops != NULL && o.gpu != NULL && scene_use(&s, ops, &o) == WN_OK &&
      wn_gpu_describe(0, &info) == WN_OK) {
    size_t n = e->p.n;
    is_int(scene_phase(&s), WN_OK, "forecast, %s: a phase", name);
    struct wn_gpu_need need = {
        .electrons = n + (size_t)e->tally.n_births,
        .record_bytes = e->p.record.bytes,
        .newborns = wn_model_newborns(&e->model),
        .multiprocessors = info.multiprocessors,
        .table_bytes = s.gas != NULL ? s.gas->table->bytes
                       : e->model.ops == &wn_model_split_remove
                           ? sizeof(struct wn_split_tables)
                           : 0,
        .field_bytes = s.study != NULL ? wn_study_grid_bytes(s.study) : 0,
        .deferred = s.config->scattering == WN_ANGLE_OKHRIMOVSKYY,
        .first_passages = wn_passages(&e->shape),
        .shape = e->shape,
    };
    double used = (double)wn_gpu_used(o.gpu);
    is_close((double)wn_gpu_forecast(&need), used, 0.05,
             "forecast, %s: %zu electrons at the most take %.0f bytes", name,
             need.electrons, used);
  }
  scene_close(&s);
  if (o.gpu != NULL)
    ok(wn_gpu_used(o.gpu) <= (16 << 20),
       "forecast, %s: all but sums and scratch is given back: %zu bytes are left", name,
       wn_gpu_used(o.gpu));
  wn_gpu_close(o.gpu);
}

static void forecast(void)
{
  char electrons[64];
  const char *const few[] = {"model=\"rectangle\"",         "electrons=1000",
                             "rectangle.mobility_steps=10", "rectangle.split_chance=0",
                             "rectangle.remove_chance=1",   NULL},
                    *const mcc[] = {"job=\"runaway\"",
                                    "duration=\"1 ns\"",
                                    "fields=[\"20 Td\"]",
                                    "electrons=30000",
                                    "initial_energy=\"7 eV\"",
                                    "initial_spectrum=\"mono\"",
                                    "mobility_steps=3",
                                    "runaway.thresholds=[\"5 eV\", \"10 eV\"]",
                                    NULL},
                    *const runaway[] = {"job=\"runaway\"",
                                        "duration=\"1 ns\"",
                                        "fields=[\"1000 Td\"]",
                                        "electrons=400000",
                                        "scattering=\"okhrimovskyy\"",
                                        "sharing=\"rbeb\"",
                                        "runaway.thresholds=[\"100 eV\"]",
                                        NULL},
                    *const split[] = {"model=\"split-remove\"", "electrons=10000",
                                      "split_remove.cells=256",
                                      "split_remove.mobility_steps=2", NULL},
                    *const many[] = {
                        "model=\"rectangle\"",         electrons,
                        "rectangle.mobility_steps=10", "rectangle.split_chance=3",
                        "rectangle.remove_chance=1",   NULL};
  /* the store has grown by its steps */
  snprintf(electrons, sizeof electrons, "electrons=%zu", gpu_size(10000000, 1000));
  forecast_of("1000 electrons", "", few, 0.0);
  forecast_of("air at 20 Td, first passages", scene_air, mcc, 1.0);
  forecast_of("split-remove, 256^3 cells", "", split, 0.0);
  if (gpu_size(1, 0))
    forecast_of("air at 1000 Td, many that run away", scene_air, runaway, 1.0);
  if (gpu_size(1, 0))
    forecast_of("1e7 electrons with births", "", many, 0.0);
}

int main(void)
{
  gpu_or_skip();
  plan(0);
  wn_log_set_level(WN_LOG_ERROR);
  growth();
  limit();
  compaction();
  every_hole();
  hand_over();
  forecast();
  return done();
}
