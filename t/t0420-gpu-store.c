/* t0420-gpu-store.c - defends: the store of electrons on the GPU grows in the middle of a
 * phase without a trace in the results, holds every electron when its limit is reached,
 * loses none and keeps none too many when the dead are taken away, whatever their number,
 * and changes hands between schedulers; and wn_gpu_forecast says what it takes.
 * Reference: the CPU's scheduler in the same program, to the bit; for the forecast what
 * was allocated, to the 5 % that gpu.h promises. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "device/gpu.h"
#include "base/error.h"
#include "base/log.h"
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
  size_t n;
  const struct wn_scheduler_ops *const *list = wn_scheduler_list(&n);
  for (size_t k = 0; k < n; k++)
    if (list[k]->device == WN_DEVICE_CUDA && i-- == 0)
      return list[k];
  return NULL;
}

static int use(struct scene *s, const struct wn_scheduler_ops *ops, const char *what)
{
  const struct wn_scheduler_options o = {0};
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

static void start_avalanche(struct scene *s)
{
  scene_start(s, 0.0);
  scene_weigh(s, 0x1p20f);
  wn_sim_set_interval(s->sim, 96.0 * s->sim->model.mcc.inv_nu);
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
    size_t before = wn_gpu_used(s.sim->sched);
    scene_run(&s, 1, 0, &got);
    same(&got, &want, &s.sim->shape, ops->name, "growth");
    size_t after = wn_gpu_used(s.sim->sched);
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

/* The phase before the one that does not fit stands; in that one nobody is lost: everyone
 * who was there at its beginning still is, and all others are born in it on the CPU too.
 */
static void limit(void)
{
  struct scene s;
  struct scene_result all, cpu, got;
  open_avalanche(&s);
  start_avalanche(&s);
  /* as many electrons as the first phase needs, so that it is the second that does not
   * fit */
  wn_sim_set_interval(s.sim, 24.0 * s.sim->model.mcc.inv_nu);
  scene_run(&s, 1, 0, &cpu);
  size_t n_first = cpu.n + (size_t)cpu.tally.n_deaths, n_limit = n_first + cpu.n;
  /* everybody of the second phase, the dead too */
  int status = s.sim->ops->advance(s.sim->sched, &s.sim->model, &s.sim->p, &s.sim->tally);
  scene_result_clear(&cpu);
  scene_run(&s, 0, 0, &all);
  ok(status == WN_OK && all.n > n_limit, "limit: %zu electrons and more than %zu",
     n_first, n_limit);
  start_avalanche(&s);
  wn_sim_set_interval(s.sim, 24.0 * s.sim->model.mcc.inv_nu);
  s.sim->p.limit = n_limit;
  scene_run(&s, 3, 0, &cpu);
  is_int(cpu.status, WN_EFULL, "limit: the CPU's status");
  is_int(cpu.phases, 1, "limit: phases that the CPU finished");
  const struct wn_scheduler_ops *ops;
  for (size_t i = 0; (ops = gpu_scheduler(i)) != NULL; i++) {
    struct scene_result begun;
    start_avalanche(&s);
    wn_sim_set_interval(s.sim, 24.0 * s.sim->model.mcc.inv_nu);
    s.sim->p.limit = n_limit;
    if (!use(&s, ops, "limit"))
      continue;
    scene_run(&s, 1, 0, &begun);
    scene_run(&s, 2, 0, &got);
    is_int(got.status, WN_EFULL, "limit: status of %s", ops->name);
    ok(got.phases == 0 && begun.phases == 1 && begun.living[0] == cpu.living[0] &&
           memcmp(&begun.energy_ev[0], &cpu.energy_ev[0], sizeof cpu.energy_ev[0]) == 0,
       "limit: %s finished the first phase, as the CPU did", ops->name);
    const char *what = scene_tallies_differ(&got, &cpu, &s.sim->shape);
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
 * with what is left, be it nobody. */
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
        ok(want.n == 0 && want.phases == 3, "%s: nobody is left", name);
      for (size_t i = 0; (ops = gpu_scheduler(i)) != NULL; i++) {
        scene_start(&s, 0.0);
        if (!use(&s, ops, name))
          continue;
        scene_run(&s, 3, 0, &got);
        same(&got, &want, &s.sim->shape, ops->name, name);
        scene_result_clear(&got);
      }
      scene_result_clear(&want);
      scene_close(&s);
    }
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
  wn_sim_set_interval(s.sim, 4.0 * s.sim->model.mcc.inv_nu);
  cpu = s.sim->ops;
  scene_run(&s, phases, 0, &want);
  scene_result_clear(&want);
  scene_run(&s, 0, 0, &want); /* the same without what was there after each phase */
  start_avalanche(&s);
  wn_sim_set_interval(s.sim, 4.0 * s.sim->model.mcc.inv_nu);
  for (int i = 0; i < phases && status == WN_OK; i++) {
    ops = i % 5 == 4 ? cpu : gpu_scheduler((size_t)i);
    if (!use(&s, ops != NULL ? ops : cpu, "hand over"))
      break;
    status = wn_sim_phase(s.sim);
  }
  is_int(status, WN_OK, "hand over: status");
  scene_run(&s, 0, 0, &got);
  same(&got, &want, &s.sim->shape, "every scheduler in turn", "hand over");
  scene_result_clear(&want);
  scene_result_clear(&got);
  scene_close(&s);
}

/* What a phase allocates against wn_gpu_forecast. */
static void forecast_of(const char *name, const char *text, const char *const *set,
                        double flights)
{
  struct scene s;
  struct wn_gpu_info info;
  const struct wn_scheduler_ops *ops = gpu_scheduler(0);
  scene_open(&s, SCENARIO, text, set);
  scene_scheduler(&s, "auto", 0);
  scene_start(&s, 0.0);
  if (flights > 0.0)
    wn_sim_set_interval(s.sim, flights * s.sim->model.mcc.inv_nu * s.sim->model.steps);
  if (ops != NULL && use(&s, ops, name) && wn_gpu_describe(0, &info) == WN_OK) {
    const struct wn_sim *sim = s.sim;
    size_t n = sim->p.n;
    is_int(wn_sim_phase(s.sim), WN_OK, "forecast, %s: a phase", name);
    struct wn_gpu_need need = {
        .electrons = n + (size_t)sim->tally.n_births,
        .newborns = wn_gpu_newborns(&sim->model),
        .multiprocessors = info.multiprocessors,
        .table_bytes = s.gas != NULL ? s.gas->table->bytes
                       : sim->model.ops == &wn_model_split_remove
                           ? 2 * WN_SPLIT_LEVELS * sizeof(float)
                           : 0,
        .grid_cells = (size_t)(sim->model.split.cells * sim->model.split.cells *
                               sim->model.split.cells),
        .first_passages = n * (size_t)sim->shape.n_thresholds,
        .shape = sim->shape,
    };
    double used = (double)wn_gpu_used(sim->sched);
    is_close((double)wn_gpu_forecast(&need), used, 0.05,
             "forecast, %s: %zu electrons at the most take %.0f bytes", name,
             need.electrons, used);
  }
  scene_close(&s);
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
  hand_over();
  forecast();
  return done();
}
