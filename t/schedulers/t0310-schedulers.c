/* t0310-schedulers.c - defends: every scheduler of the CPU, with any number of threads,
 * gives the electrons and the tallies of `serial` bit for bit, for every model; the same
 * seed gives the same twice, another seed something else.  Reference: the serial
 * scheduler in the same program.  All bytes of each record are compared, after sorting by
 * id, and every integer of struct wn_tally.  So does a scheduler that takes over from
 * serial (wn_sim_use). */
#include <string.h>
#include "base/error.h"
#include "base/log.h"
#include "bench/study/lists.h"
#include "schedulers/scheduler.h"
#include "t/tap/command.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define MAX_SETS 16
#define WEIGHT   0x1p20f /* so that the tallies have the last bits of every term */
/* More electrons than all threads take in their first chunks (512 each,
 * schedulers/openmp.c), or one thread would do it all. */
#define SCENARIO "t0310-schedulers.cfg"

/* With WN_FAST=1 the first, and no more electrons than that needs. */
static const int threads[] = {3, 1, 2, 5};
static size_t n_threads_tried = sizeof threads / sizeof threads[0];

static const struct {
  const char *name;
  double interval; /* s */
  int phases;
  int births, deaths; /* whether the case must have some, or it defends nothing */
  size_t target;      /* population control between the phases; 0: none */
  int broken;         /* bounds on collision frequencies do not hold */
  const char *set[MAX_SETS];
} cases[] = {
    {"1000 Td, okhrimovskyy, rbeb, thresholds",
     1e-12,
     4,
     1,
     0,
     0,
     0,
     {"job=\"runaway\"", "duration=\"1 ns\"", "fields=[\"1000 Td\"]", "electrons=1600",
      "scattering=\"okhrimovskyy\"", "sharing=\"rbeb\"",
      "runaway.thresholds=[\"30 eV\", \"60 eV\"]"}},
    {"1000 Td, okhrimovskyy, rbeb, 7 mobility steps, population control",
     1e-12,
     5,
     1,
     0,
     2000,
     0,
     {"job=\"runaway\"", "duration=\"1 ns\"", "fields=[\"1000 Td\"]", "electrons=1600",
      "scattering=\"okhrimovskyy\"", "sharing=\"rbeb\"",
      "runaway.thresholds=[\"30 eV\", \"60 eV\"]", "mobility_steps=7"}},
    {"1900 Td, a hundredfold in a phase: more newborns than fly with their chunk",
     6e-12,
     1,
     1,
     0,
     0,
     0,
     {"job=\"runaway\"", "duration=\"1 ns\"", "fields=[\"1900 Td\"]", "electrons=150",
      "scattering=\"okhrimovskyy\"", "sharing=\"rbeb\"",
      "runaway.thresholds=[\"200 eV\"]"}},
    {"200 Td, isotropic, equal",
     1e-11,
     3,
     1,
     0,
     0,
     0,
     {"fields=[\"200 Td\"]", "electrons=3000", "initial_energy=\"10 eV\"",
      "mobility_steps=1"}},
    {"200 Td, isotropic, equal, 7 mobility steps, 10 T at 45 deg",
     1e-11,
     3,
     1,
     0,
     0,
     0,
     {"fields=[\"200 Td\"]", "electrons=3000", "initial_energy=\"10 eV\"",
      "mobility_steps=7", "magnetic_field=\"10 T\"", "magnetic_angle=\"45 deg\""}},
    {"1500 Td, 3 T at 60 deg: flights in single and in double precision, thresholds",
     1e-12,
     6,
     1,
     0,
     0,
     0,
     {"job=\"runaway\"", "duration=\"1 ns\"", "fields=[\"1500 Td\"]", "electrons=1600",
      "initial_energy=\"100 eV\"", "runaway.thresholds=[\"30 eV\", \"250 eV\"]",
      "magnetic_field=\"3 T\"", "magnetic_angle=\"60 deg\""}},
    {"100000 Td: flights above WN_FLIGHT_BENT",
     1e-13,
     4,
     1,
     0,
     0,
     0,
     {"job=\"runaway\"", "duration=\"1 ns\"", "fields=[\"100000 Td\"]", "electrons=3000",
      "initial_energy=\"100 eV\"", "runaway.thresholds=[\"1 keV\"]"}},
    {"200 Td, bounds that do not hold",
     1e-11,
     3,
     1,
     0,
     0,
     1,
     {"fields=[\"200 Td\"]", "electrons=3000", "initial_energy=\"10 eV\""}},
    {"20 Td, attachment",
     1e-11,
     3,
     0,
     1,
     0,
     0,
     {"fields=[\"20 Td\"]", "electrons=3000", "initial_energy=\"7 eV\"",
      "initial_spectrum=\"mono\""}},
    {"200 Td, screened-coulomb, opal, targets at rest, stop above 40 eV",
     4e-11,
     3,
     1,
     1,
     0,
     0,
     {"job=\"runaway\"", "duration=\"1 ns\"", "fields=[\"200 Td\"]", "electrons=3000",
      "initial_energy=\"12 eV\"", "scattering=\"screened-coulomb\"", "sharing=\"opal\"",
      "gas.thermal_motion=false", "runaway.stop_above=\"40 eV\"",
      "runaway.thresholds=[\"10 eV\"]"}},
    {"1500 Td, moller from 600 eV on, removal below 30 eV",
     1e-12,
     3,
     1,
     1,
     0,
     0,
     {"job=\"runaway\"", "duration=\"1 ns\"", "fields=[\"1500 Td\"]", "electrons=1600",
      "initial_energy=\"5 keV\"", "initial_spectrum=\"mono\"",
      "scattering=\"screened-coulomb\"", "sharing=\"moller\"", "moller.cut=\"1.2 keV\"",
      "stop_below=\"30 eV\"", "runaway.thresholds=[\"30 eV\", \"6 keV\"]"}},
    {"1 MV/m, 0.1 MeV, losses below 5 keV in quanta, removal below 15 keV",
     1e-10,
     4,
     1,
     1,
     0,
     0,
     {"job=\"runaway\"", "duration=\"1 ns\"", "fields=[\"1 MV/m\"]", "electrons=1600",
      "initial_energy=\"300 keV\"", "scattering=\"moliere\"", "sharing=\"moller\"",
      "moller.cut=\"5 keV\"", "moller.soft_from=\"12 keV\"", "stop_below=\"15 keV\"",
      "tables.energy_max=\"134 MeV\"", "magnetic_field=\"1 mT\"",
      "runaway.thresholds=[\"50 keV\", \"1 MeV\"]"}},
    {"10 kV/m across 2 mT, 0.3 MeV, grouped elastic deflections",
     1e-10,
     4,
     1,
     1,
     0,
     0,
     {"job=\"runaway\"", "duration=\"1 ns\"", "fields=[\"10 kV/m\"]", "electrons=1600",
      "initial_energy=\"300 keV\"", "scattering=\"moliere\"", "sharing=\"moller\"",
      "moller.cut=\"5 keV\"", "moller.soft_from=\"12 keV\"", "stop_below=\"15 keV\"",
      "tables.energy_max=\"134 MeV\"", "magnetic_field=\"2 mT\"",
      "elastic.grouped_from=\"30 keV\"", "elastic.grouped_angle=\"20 deg\"",
      "runaway.thresholds=[\"50 keV\", \"1 MeV\"]"}},
    {"no field, 0.3 MeV, losses below 5 keV along the flight",
     1e-10,
     4,
     1,
     1,
     0,
     0,
     {"fields=[\"0 V/m\"]", "duration=\"1 ns\"", "electrons=1600",
      "initial_energy=\"300 keV\"", "scattering=\"moliere\"", "sharing=\"moller\"",
      "moller.cut=\"5 keV\"", "moller.soft_from=\"12 keV\"",
      "moller.soft_loss=\"continuous\"", "stop_below=\"15 keV\"",
      "tables.energy_max=\"134 MeV\"", "elastic.grouped_from=\"30 keV\"",
      "elastic.grouped_angle=\"20 deg\""}},
    {"split-remove, 64 cells a side",
     0.0,
     4,
     1,
     1,
     0,
     0,
     {"model=\"split-remove\"", "electrons=3000", "split_remove.cells=64",
      "split_remove.edge=8", "split_remove.mobility_step=\"100 ps\"",
      "split_remove.mobility_steps=100"}},
    {"rectangle, 0.5 per cent split, 0.4 removed",
     0.0,
     4,
     1,
     1,
     0,
     0,
     {"model=\"rectangle\"", "electrons=3000", "rectangle.split_chance=0.5",
      "rectangle.remove_chance=0.4", "rectangle.mobility_steps=100"}},
    {"box, 2 s",
     0.0,
     4,
     1,
     0,
     0,
     0,
     {"model=\"box\"", "electrons=3000", "box.mobility_step=\"5 ms\"",
      "box.mobility_steps=100"}},
};

static void start(struct scene *s, size_t which, const char *scheduler, int n_threads,
                  uint64_t seed)
{
  scene_scheduler(s, scheduler, n_threads);
  s->config->seed = seed;
  scene_start(s, cases[which].interval);
  if (s->gas != NULL)
    scene_weigh(s, WEIGHT);
  if (cases[which].broken)
    scene_lower_bands(s);
}

static void run(struct scene *s, size_t which, const char *scheduler, int n_threads,
                uint64_t seed, struct scene_result *r)
{
  start(s, which, scheduler, n_threads, seed);
  scene_run(s, cases[which].phases, cases[which].target, r);
}

/* Begun under serial, flown by another. */
static void run_taken_over(struct scene *s, size_t which,
                           const struct wn_scheduler_ops *ops, struct scene_result *r)
{
  const struct wn_scheduler_options options = {.threads = threads[0]};
  start(s, which, "serial", 1, 1);
  is_int(scene_use(s, ops, &options), WN_OK, "%s: %s takes over", cases[which].name,
         ops->name);
  ok(scene_species(s)->ops == ops, "and is in use");
  scene_run(s, cases[which].phases, cases[which].target, r);
}

static void compare(const struct scene_result *got, const struct scene_result *want,
                    const struct wn_tally_shape *shape, const char *name,
                    const char *scheduler, int n_threads)
{
  const char *what = scene_electrons_differ(got, want);
  ok(what == NULL && got->status == want->status,
     "%s: %s with %d threads gives the electrons of serial%s%s", name, scheduler,
     n_threads, what ? "; differs: " : "", what ? what : "");
  what = scene_tallies_differ(got, want, shape);
  ok(what == NULL, "%s: %s with %d threads gives the tallies of serial%s%s", name,
     scheduler, n_threads, what ? "; differs: " : "", what ? what : "");
}

static void one_case(size_t which, const struct wn_scheduler_ops *first_here)
{
  const struct wn_scheduler_ops *ops;
  struct wn_tally_shape shape;
  struct scene_result serial, r;
  const char *name = cases[which].name;
  struct scene s;
  const char *set[MAX_SETS];
  for (size_t i = 0; i < MAX_SETS; i++) {
    set[i] = cases[which].set[i];
    if (command_fast() && set[i] != NULL && strcmp(set[i], "electrons=3000") == 0)
      set[i] = "electrons=1600";
  }
  scene_open(&s, SCENARIO, cases[which].interval > 0.0 ? scene_air : "", set);
  if (cases[which].broken)
    scene_raise_rows(&s);
  run(&s, which, "serial", 1, 1, &serial);
  const struct wn_tally_alarms *alarms = serial.tally.alarms;
  ok(serial.status == (cases[which].broken ? WN_ERUN : WN_OK) &&
         (alarms->n_violations > 0) == cases[which].broken &&
         (alarms->violator != 0) == cases[which].broken,
     "%s: %llu alarms, the first of id %llx", name,
     (unsigned long long)alarms->n_violations, (unsigned long long)~alarms->violator);
  shape = scene_species(&s)->shape;
  is_int((long long)scene_ids_twice(&serial), 0,
         "%s: no id twice among %zu electrons, %llu births, %llu deaths", name, serial.n,
         (unsigned long long)serial.tally.n_births,
         (unsigned long long)serial.tally.n_deaths);
  ok((!cases[which].births || serial.tally.n_births > 50) &&
         (!cases[which].deaths || serial.tally.n_deaths > 0),
     "%s: there are births and deaths enough to defend something", name);
  for (size_t k = 0; (ops = wn_study_scheduler(k)) != NULL; k++)
    for (size_t t = 0; t < n_threads_tried; t++) {
      if (ops->device != WN_DEVICE_CPU)
        break; /* t0410-gpu-schedulers */
      if (t > 0 &&
          ops ==
              &wn_scheduler_serial) /* takes no notice of threads: once again is enough */
        break;
      run(&s, which, ops->name, threads[t], 1, &r);
      compare(&r, &serial, &shape, name, ops->name, threads[t]);
      scene_result_clear(&r);
    }
  run_taken_over(&s, which, first_here, &r);
  compare(&r, &serial, &shape, name, "one that took over", threads[0]);
  scene_result_clear(&r);
  run(&s, which, "auto", 0, 2, &r);
  ok(scene_tallies_differ(&r, &serial, &shape) != NULL &&
         scene_common_ids(&r, &serial) == 0,
     "%s: another seed gives other electrons", name);
  scene_result_clear(&r);
  scene_result_clear(&serial);
  scene_close(&s);
}

int main(void)
{
  const struct wn_scheduler_ops *ops = NULL;
  size_t n;
  plan(0);
  wn_log_set_level(WN_LOG_ERROR);
  if (command_fast())
    n_threads_tried = 1;
  const struct wn_scheduler_ops *const *list = wn_scheduler_list(&n);
  for (size_t i = 0; i < n; i++)
    ok(wn_scheduler_find(list[i]->name, list[i]->device, &ops) == WN_OK && ops == list[i],
       "%s is found by its name", list[i]->name);
  for (size_t i = 0; (ops = wn_study_scheduler(i)) != NULL; i++)
    ok(wn_study_find(ops->name) == ops, "%s of the study's list is found by its name",
       ops->name);
  size_t first = 0;
  while (list[first]->device != WN_DEVICE_CPU)
    first++;
  ok(wn_scheduler_find("auto", WN_DEVICE_CPU, &ops) == WN_OK && ops == list[first],
     "auto is the first of the list that runs here, %s", list[first]->name);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    one_case(i, list[first]);
  return done();
}
