/* t0410-gpu-schedulers.c - defends: every scheduler of the GPU gives the electrons, the
 * tallies and, phase by phase, the numbers and energies of the CPU bit for bit, for every
 * model, with any size of a block and again when run again; another seed gives something
 * else, on both sides the same.  Reference: the CPU's fastest scheduler in the same
 * program, which t0310 holds to `serial`.  All bytes of each record are compared, after
 * sorting by id, and every integer of struct wn_tally. */
#include "schedulers/scheduler.h"
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/log.h"
#include "bench/study/lists.h"
#include "t/tap/gpu.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define MAX_SETS 16
#define SCENARIO "t0410-gpu-schedulers.cfg"
#define RUNAWAY  "job=\"runaway\"", "duration=\"1 ns\""
#define SPLIT    "model=\"split-remove\""

/* 0: what the scheduler takes by itself; twice, for the same run twice. */
static const int blocks[] = {0, 0, 64, 128, 256, 512};
enum { N_BLOCKS = sizeof blocks / sizeof blocks[0] };
/* Places of a list of deferred collisions: nearly full at once, in the middle, never. */
static const size_t places[] = {64, 3000, 1000000};
enum { N_PLACES = sizeof places / sizeof places[0] };

struct size {
  size_t electrons, steps; /* primaries, mobility steps of a phase */
  int phases;
};

static const struct test {
  const char *name;
  struct size full, small; /* small: WN_GPU_SMALL=1 */
  double flights;          /* mean number of candidates of an electron in a mobility step,
                              for mcc */
  size_t births, deaths;   /* at least so many, full size, or the case defends nothing */
  float weight;            /* of each electron, for mcc: a large one brings the last bits
                              of every term into the tallies */
  int big;                 /* one block size for each scheduler, not all */
  size_t target;           /* population control between the phases; 0: none */
  int broken;              /* bounds on collision frequencies do not hold */
  int deferred;      /* `dynamic` puts electrons aside, on lists of these places, too */
  const char *steps; /* key of the mobility steps */
  const char *set[MAX_SETS], *when_small[3];
} tests[] = {
    /* short mobility steps: an electron is rounded to what is stored after each */
    {
        .name = "air at 200 Td, 1e5 electrons, 1000 mobility steps",
        .full = {100000, 50, 20},
        .small = {500, 10, 2},
        .flights = 0.3,
        .births = 1000,
        .weight = 1.0f,
        .big = 1,
        .steps = "mobility_steps",
        .set = {"fields=[\"200 Td\"]", "initial_energy=\"10 eV\""},
    },
    {
        .name = "air at 1500 Td, okhrimovskyy, rbeb, thresholds, stop above 200 eV",
        .full = {2000, 3, 4},
        .small = {200, 2, 3},
        .flights = 8.0,
        .births = 4000,
        .deaths = 10,
        .weight = 0x1p20f,
        .deferred = 1,
        .steps = "mobility_steps",
        .set = {RUNAWAY, "fields=[\"1500 Td\"]", "scattering=\"okhrimovskyy\"",
                "sharing=\"rbeb\"",
                "runaway.thresholds=[\"30 eV\", \"60 eV\", \"120 eV\"]",
                "runaway.stop_above=\"200 eV\""},
    },
    {
        .name = "air at 1000 Td, okhrimovskyy, rbeb, population control",
        .full = {4000, 7, 6},
        .small = {200, 3, 3},
        .flights = 3.0,
        .births = 1000,
        .weight = 1.0f,
        .target = 5000,
        .deferred = 1,
        .steps = "mobility_steps",
        .set = {RUNAWAY, "fields=[\"1000 Td\"]", "scattering=\"okhrimovskyy\"",
                "sharing=\"rbeb\"", "runaway.thresholds=[\"30 eV\", \"60 eV\"]"},
    },
    /* the store grows several times in its one phase */
    {
        .name = "air at 1500 Td, okhrimovskyy, rbeb, one long phase",
        .full = {40000, 5, 1},
        .small = {500, 5, 1},
        .flights = 16.0,
        .births = 60000,
        .weight = 1.0f,
        .big = 1,
        .deferred = 1,
        .steps = "mobility_steps",
        .set = {RUNAWAY, "fields=[\"1500 Td\"]", "scattering=\"okhrimovskyy\"",
                "sharing=\"rbeb\"", "runaway.thresholds=[\"30 eV\", \"60 eV\"]"},
    },
    {
        .name = "air at 200 Td, bounds that do not hold",
        .full = {20000, 7, 2},
        .small = {500, 3, 2},
        .flights = 6.0,
        .births = 50,
        .weight = 1.0f,
        .broken = 1,
        .steps = "mobility_steps",
        .set = {"fields=[\"200 Td\"]", "initial_energy=\"10 eV\""},
    },
    {
        .name = "air at 20 Td, attachment",
        .full = {20000, 1, 3},
        .small = {500, 1, 2},
        .flights = 60.0,
        .deaths = 20,
        .weight = 1e12f,
        .steps = "mobility_steps",
        .set = {"fields=[\"20 Td\"]", "initial_energy=\"7 eV\"",
                "initial_spectrum=\"mono\""},
    },
    {
        .name = "air at 200 Td, 10 T at 45 degrees",
        .full = {10000, 7, 3},
        .small = {200, 3, 2},
        .flights = 6.0,
        .births = 50,
        .weight = 0x1p20f,
        .steps = "mobility_steps",
        .set = {"fields=[\"200 Td\"]", "initial_energy=\"10 eV\"",
                "magnetic_field=\"10 T\"", "magnetic_angle=\"45 deg\""},
    },
    {
        .name =
            "air at 300 Td, screened-coulomb, opal, targets at rest, stop above 40 eV",
        .full = {10000, 2, 4},
        .small = {200, 2, 2},
        .flights = 40.0,
        .births = 50,
        .deaths = 10,
        .weight = 0x1p20f,
        .steps = "mobility_steps",
        .set = {RUNAWAY, "fields=[\"300 Td\"]", "initial_energy=\"12 eV\"",
                "scattering=\"screened-coulomb\"", "sharing=\"opal\"",
                "gas.thermal_motion=false", "runaway.stop_above=\"40 eV\"",
                "runaway.thresholds=[\"10 eV\"]"},
    },
    {
        .name = "air at 1500 Td, moller from 600 eV on, removal below 30 eV",
        .full = {10000, 2, 3},
        .small = {200, 2, 2},
        .flights = 6.0,
        .births = 50,
        .deaths = 50,
        .weight = 0x1p20f,
        .steps = "mobility_steps",
        .set = {RUNAWAY, "fields=[\"1500 Td\"]", "initial_energy=\"5 keV\"",
                "initial_spectrum=\"mono\"", "scattering=\"screened-coulomb\"",
                "sharing=\"moller\"", "moller.cut=\"1.2 keV\"", "stop_below=\"30 eV\"",
                "runaway.thresholds=[\"30 eV\", \"6 keV\"]"},
    },
    {
        .name =
            "air at 1 MV/m, 0.1 MeV, losses below 5 keV in quanta, removal below 15 keV",
        .full = {20000, 2, 4},
        .small = {500, 2, 3},
        .flights = 100.0,
        .births = 20,
        .deaths = 50,
        .weight = 0x1p20f,
        .steps = "mobility_steps",
        .set = {RUNAWAY, "fields=[\"1 MV/m\"]", "initial_energy=\"100 keV\"",
                "scattering=\"screened-coulomb\"", "sharing=\"moller\"",
                "moller.cut=\"5 keV\"", "moller.soft_from=\"12 keV\"",
                "stop_below=\"15 keV\"", "tables.energy_max=\"134 MeV\"",
                "runaway.thresholds=[\"50 keV\", \"1 MeV\"]"},
    },
    {
        .name = "air at 1 MV/m, 0.3 MeV, grouped elastic deflections",
        .full = {20000, 2, 4},
        .small = {500, 2, 3},
        .flights = 100.0,
        .births = 20,
        .deaths = 50,
        .weight = 0x1p20f,
        .steps = "mobility_steps",
        .set = {RUNAWAY, "fields=[\"1 MV/m\"]", "initial_energy=\"300 keV\"",
                "scattering=\"moliere\"", "sharing=\"moller\"", "moller.cut=\"5 keV\"",
                "moller.soft_from=\"12 keV\"", "stop_below=\"15 keV\"",
                "tables.energy_max=\"134 MeV\"", "elastic.grouped_from=\"30 keV\"",
                "elastic.grouped_angle=\"20 deg\"",
                "runaway.thresholds=[\"50 keV\", \"1 MeV\"]"},
    },
    {
        .name = "split-remove, 64 cells a side",
        .full = {20000, 100, 4},
        .small = {500, 20, 2},
        .births = 1000,
        .deaths = 1000,
        .steps = "split_remove.mobility_steps",
        .set = {SPLIT, "split_remove.cells=64", "split_remove.edge=8",
                "split_remove.mobility_step=\"100 ps\""},
    },
    {
        .name = "split-remove as in the study, 512 cells a side, 1e6 electrons",
        .full = {1000000, 100, 1},
        .small = {5000, 100, 1},
        .births = 1000,
        .deaths = 1000,
        .big = 1,
        .steps = "split_remove.mobility_steps",
        .set = {SPLIT},
        .when_small = {"split_remove.cells=128", "split_remove.edge=10"},
    },
    {
        .name = "rectangle",
        .full = {20000, 100, 4},
        .small = {500, 20, 2},
        .births = 1000,
        .deaths = 1000,
        .steps = "rectangle.mobility_steps",
        .set = {"model=\"rectangle\"", "rectangle.split_chance=0.9",
                "rectangle.remove_chance=0.6"},
    },
    {
        .name = "box",
        .full = {2000, 20, 3},
        .small = {100, 20, 1},
        .births = 1000,
        .steps = "box.mobility_steps",
        .set = {"model=\"box\"", "box.mobility_step=\"50 ms\""},
    },
};

static void start(struct scene *s, const struct test *c, uint64_t seed)
{
  s->config->seed = seed;
  scene_start(s, 0.0);
  if (c->flights > 0.0)
    s->sim->interval = c->flights * wn_species_mcc(scene_species(s))->inv_nu *
                       scene_species(s)->model.steps;
  if (c->weight > 0.0f)
    scene_weigh(s, c->weight);
  if (c->broken)
    scene_lower_bands(s);
}

static void compare(const struct scene_result *got, const struct scene_result *want,
                    const struct wn_tally_shape *shape, const struct test *c,
                    const char *scheduler, int block)
{
  const char *electrons = scene_electrons_differ(got, want),
             *tallies = scene_tallies_differ(got, want, shape);
  const char *join = electrons && tallies ? " and " : "";
  ok(electrons == NULL && tallies == NULL && got->status == want->status,
     "%s: %s with blocks of %d gives the bits of the CPU%s%s%s%s", c->name, scheduler,
     block, electrons || tallies ? "; differs: " : "", electrons ? electrons : "", join,
     tallies ? tallies : "");
}

static void with_scheduler(struct scene *s, const struct test *c, int phases,
                           const struct wn_scheduler_ops *ops, int block,
                           size_t deferred_places, uint64_t seed,
                           const struct scene_result *want)
{
  const struct wn_scheduler_options o = {
      .gpu = gpu_device(), .block = block, .deferred_places = deferred_places};
  struct scene_result r;
  start(s, c, seed);
  int status = scene_use(s, ops, &o);
  if (status == WN_EINPUT && block != 0) {
    skip(1, "%s: %s does not run with blocks of %d", c->name, ops->name, block);
    return;
  }
  if (!is_int(status, WN_OK, "%s: %s with blocks of %d is made", c->name, ops->name,
              block))
    return;
  scene_run(s, phases, c->target, &r);
  if (r.status == WN_EINPUT && r.phases == 0 && block >= 512) {
    /* 65536 registers are not enough for it; it has said so */
    skip(1, "%s: %s does not run with blocks of %d", c->name, ops->name, block);
    scene_result_clear(&r);
    return;
  }
  if (deferred_places > 0)
    diag("lists of %zu places", deferred_places);
  compare(&r, want, &scene_species(s)->shape, c, ops->name, block);
  scene_result_clear(&r);
}

static void one_test(const struct test *c)
{
  size_t n = 0;
  const struct wn_scheduler_ops *ops;
  const struct size *size = gpu_size(1, 0) ? &c->full : &c->small;
  char electrons[64], steps[64];
  const char *set[MAX_SETS + 5];
  struct scene_result want, other;
  struct scene s;
  while (c->set[n] != NULL) {
    set[n] = c->set[n];
    n++;
  }
  snprintf(electrons, sizeof electrons, "electrons=%zu", size->electrons);
  snprintf(steps, sizeof steps, "%s=%zu", c->steps, size->steps);
  set[n++] = electrons;
  set[n++] = steps;
  for (size_t i = 0; size == &c->small && c->when_small[i] != NULL; i++)
    set[n++] = c->when_small[i];
  set[n] = NULL;
  scene_open(&s, SCENARIO, c->flights > 0.0 ? scene_air : "", set);
  if (c->broken)
    scene_raise_rows(&s);
  scene_scheduler(&s, "auto", 0);
  start(&s, c, 2);
  scene_run(&s, size->phases, c->target, &other);
  start(&s, c, 1);
  scene_run(&s, size->phases, c->target, &want);
  diag("%s: %zu electrons, %llu births, %llu deaths, %llu candidates, %s", c->name,
       want.n, (unsigned long long)want.tally.n_births,
       (unsigned long long)want.tally.n_deaths,
       (unsigned long long)want.tally.n_candidates, scene_species(&s)->ops->name);
  ok(want.status == (c->broken ? WN_ERUN : WN_OK) && scene_ids_twice(&want) == 0,
     "%s: the CPU's run, no id twice among %zu electrons", c->name, want.n);
  if (size == &c->full)
    ok(want.tally.n_births >= c->births && want.tally.n_deaths >= c->deaths,
       "%s: there are births and deaths enough to defend something", c->name);
  ok((want.tally.alarms->violator != 0) == c->broken, "%s: alarms", c->name);
  ok(scene_tallies_differ(&other, &want, &scene_species(&s)->shape) != NULL &&
         scene_common_ids(&other, &want) == 0,
     "%s: another seed gives other electrons", c->name);
  for (size_t k = 0, turn = 0; (ops = wn_study_scheduler(k)) != NULL; k++) {
    if (ops->device != WN_DEVICE_CUDA || ops->supports != NULL)
      continue;
    int one_block = blocks[2 + turn++ % (N_BLOCKS - 2)];
    with_scheduler(&s, c, size->phases, ops, 0, 0, 1, &want);
    with_scheduler(&s, c, size->phases, ops, one_block, 0, 2, &other);
    for (size_t i = 1; !c->big && size == &c->full && i < N_BLOCKS; i++)
      with_scheduler(&s, c, size->phases, ops, blocks[i], 0, 1, &want);
    for (size_t i = 0; c->deferred && strcmp(ops->name, "dynamic") == 0 && i < N_PLACES;
         i++)
      with_scheduler(&s, c, size->phases, ops, 0, places[i], 1, &want);
  }
  scene_result_clear(&want);
  scene_result_clear(&other);
  scene_close(&s);
}

int main(void)
{
  gpu_or_skip();
  plan(0);
  wn_log_set_level(WN_LOG_ERROR);
  for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
    one_test(&tests[i]);
  return done();
}
