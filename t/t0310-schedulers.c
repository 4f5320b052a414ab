/* t0310-schedulers.c - defends: every scheduler, with any number of threads, gives the
 * electrons and the tallies of `serial` bit for bit, for both models; the same seed gives
 * the same twice, another seed something else. Reference: the serial scheduler in the
 * same program.  All 64 bytes of each electron are compared, after sorting by id, and
 * every integer of struct wn_tally. */
#include "schedulers/scheduler.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/error.h"
#include "src/base/log.h"
#include "src/population.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define MAX_SETS 12
/* More electrons than all threads take in their first chunks (512 each,
 * schedulers/openmp.c), or one thread would do it all. */
#define SCENARIO "t0310-schedulers.cfg"

static const int threads[] = {1, 2, 3, 5};

static const struct {
  const char *name;
  double interval; /* s */
  int phases;
  int births, deaths; /* whether the case must have some, or it defends nothing */
  size_t target;      /* population control between the phases; 0: none */
  const char *set[MAX_SETS];
} cases[] = {
    {"1000 Td, okhrimovskyy, rbeb, thresholds",
     1e-12,
     4,
     1,
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
     {"job=\"runaway\"", "duration=\"1 ns\"", "fields=[\"1000 Td\"]", "electrons=1600",
      "scattering=\"okhrimovskyy\"", "sharing=\"rbeb\"",
      "runaway.thresholds=[\"30 eV\", \"60 eV\"]", "mobility_steps=7"}},
    {"200 Td, isotropic, equal",
     1e-11,
     3,
     1,
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
     {"fields=[\"200 Td\"]", "electrons=3000", "initial_energy=\"10 eV\"",
      "mobility_steps=7", "magnetic_field=\"10 T\"", "magnetic_angle=\"45 deg\""}},
    {"20 Td, attachment",
     1e-11,
     3,
     0,
     1,
     0,
     {"fields=[\"20 Td\"]", "electrons=3000", "initial_energy=\"7 eV\"",
      "initial_spectrum=\"mono\""}},
    {"200 Td, screened-coulomb, opal, targets at rest, stop above 40 eV",
     4e-11,
     3,
     1,
     1,
     0,
     {"job=\"runaway\"", "duration=\"1 ns\"", "fields=[\"200 Td\"]", "electrons=3000",
      "initial_energy=\"12 eV\"", "scattering=\"screened-coulomb\"", "sharing=\"opal\"",
      "gas.thermal_motion=false", "runaway.stop_above=\"40 eV\"",
      "runaway.thresholds=[\"10 eV\"]"}},
    {"split-remove, 64 cells a side",
     0.0,
     4,
     1,
     1,
     0,
     {"model=\"split-remove\"", "electrons=3000", "split_remove.cells=64",
      "split_remove.edge=8", "split_remove.mobility_step=\"100 ps\"",
      "split_remove.mobility_steps=100"}},
};

/* What a run leaves. */
struct result {
  struct wn_electron *e;
  size_t n;
  struct wn_tally tally;
  int64_t *passage;
  size_t n_passage;
};

static void run(struct scene *s, size_t which, const char *scheduler, int n_threads,
                uint64_t seed, struct result *r)
{
  scene_scheduler(s, scheduler, n_threads);
  s->config->seed = seed;
  scene_start(s, cases[which].interval);
  struct wn_sim *sim = s->sim;
  *r = (struct result){0};
  for (int i = 0; i < cases[which].phases; i++) {
    int status = wn_sim_phase(sim);
    if (status == WN_OK && cases[which].target > 0)
      status = wn_population_control(sim, cases[which].target, 1);
    if (status != WN_OK) {
      diag("phase %d: %s", i, wn_status_text(status));
      break;
    }
  }
  r->n = sim->p.n;
  r->e = malloc((sim->p.n + 1) * sizeof *r->e);
  r->n_passage = sim->tally.first_passage != NULL
                     ? s->config->electrons * s->config->n_thresholds
                     : 0;
  r->passage = malloc((r->n_passage + 1) * sizeof *r->passage);
  if (r->e == NULL || r->passage == NULL ||
      wn_tally_init(&r->tally, &sim->shape) != WN_OK) {
    printf("Bail out! out of memory\n");
    exit(1);
  }
  memcpy(r->e, sim->p.e, sim->p.n * sizeof *r->e);
  if (r->n_passage > 0)
    memcpy(r->passage, sim->tally.first_passage, r->n_passage * sizeof *r->passage);
  scene_sort(r->e, r->n);
  wn_tally_add(&r->tally, &sim->tally, &sim->shape);
}

static void clear(struct result *r)
{
  free(r->e);
  free(r->passage);
  wn_tally_clear(&r->tally);
}

/* Name of the first part of two tallies that differs; NULL: all integers are the same. */
static const char *tally_differs(const struct result *a, const struct result *b,
                                 const struct wn_tally_shape *s)
{
  const struct wn_tally *p = &a->tally, *q = &b->tally;
  size_t groups = (size_t)s->n_groups, processes = groups * (size_t)s->n_processes;
  if (p->n_candidates != q->n_candidates || p->n_real != q->n_real)
    return "candidates or real collisions";
  if (p->n_births != q->n_births || p->n_deaths != q->n_deaths)
    return "births or deaths";
  if (p->n_violations != q->n_violations || p->n_beyond != q->n_beyond ||
      p->n_forbidden != q->n_forbidden)
    return "violations, beyond or forbidden";
  if (memcmp(&p->max_energy_ev, &q->max_energy_ev, sizeof p->max_energy_ev) != 0)
    return "highest energy";
  if (memcmp(p->group, q->group, groups * sizeof *p->group) != 0)
    return "sums of a group";
  if (memcmp(p->count, q->count, processes * sizeof *p->count) != 0)
    return "counts of processes";
  if (memcmp(p->lost, q->lost, processes * sizeof *p->lost) != 0)
    return "energy lost";
  if (memcmp(p->passed, q->passed,
             groups * (size_t)s->n_thresholds * sizeof *p->passed) != 0)
    return "thresholds passed";
  if (a->n_passage != b->n_passage ||
      memcmp(a->passage, b->passage, a->n_passage * sizeof *a->passage) != 0)
    return "first passages";
  return NULL;
}

static void compare(const struct result *got, const struct result *want,
                    const struct wn_tally_shape *shape, const char *name,
                    const char *scheduler, int n_threads)
{
  size_t i = 0, n = got->n < want->n ? got->n : want->n;
  while (i < n && memcmp(&got->e[i], &want->e[i], sizeof got->e[i]) == 0)
    i++;
  if (!ok(got->n == want->n && i == n,
          "%s: %s with %d threads gives the electrons of serial", name, scheduler,
          n_threads))
    diag("%zu electrons, wanted %zu; the first that differs is number %zu", got->n,
         want->n, i);
  const char *what = tally_differs(got, want, shape);
  ok(what == NULL, "%s: %s with %d threads gives the tallies of serial%s%s", name,
     scheduler, n_threads, what ? "; differs: " : "", what ? what : "");
}

static void one_case(size_t which)
{
  size_t n_schedulers, again = 0;
  const struct wn_scheduler_ops *const *list = wn_scheduler_list(&n_schedulers);
  struct wn_tally_shape shape;
  struct result serial, r;
  const char *name = cases[which].name;
  struct scene s;
  scene_open(&s, SCENARIO, cases[which].interval > 0.0 ? scene_air : "",
             cases[which].set);
  run(&s, which, "serial", 1, 1, &serial);
  shape = s.sim->shape;
  int twice = 0;
  for (size_t i = 1; i < serial.n; i++)
    twice += serial.e[i].id == serial.e[i - 1].id;
  is_int(twice, 0, "%s: no id twice among %zu electrons, %llu births, %llu deaths", name,
         serial.n, (unsigned long long)serial.tally.n_births,
         (unsigned long long)serial.tally.n_deaths);
  ok((!cases[which].births || serial.tally.n_births > 50) &&
         (!cases[which].deaths || serial.tally.n_deaths > 0),
     "%s: there are births and deaths enough to defend something", name);
  for (size_t k = 0; k < n_schedulers; k++)
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
      if (t > 0 &&
          list[k] ==
              &wn_scheduler_serial) /* takes no notice of threads: once again is enough */
        break;
      run(&s, which, list[k]->name, threads[t], 1, &r);
      compare(&r, &serial, &shape, name, list[k]->name, threads[t]);
      clear(&r);
    }
  run(&s, which, "auto", 0, 2, &r);
  for (size_t i = 0, j = 0; i < serial.n && j < r.n;) {
    again += serial.e[i].id == r.e[j].id;
    if (serial.e[i].id < r.e[j].id)
      i++;
    else
      j++;
  }
  ok(tally_differs(&r, &serial, &shape) != NULL && again == 0,
     "%s: another seed gives other electrons", name);
  clear(&r);
  clear(&serial);
  scene_close(&s);
}

int main(void)
{
  const struct wn_scheduler_ops *ops = NULL;
  size_t n;
  plan(0);
  wn_log_set_level(WN_LOG_ERROR);
  const struct wn_scheduler_ops *const *list = wn_scheduler_list(&n);
  for (size_t i = 0; i < n; i++)
    ok(wn_scheduler_find(list[i]->name, &ops) == WN_OK && ops == list[i],
       "%s is found by its name", list[i]->name);
  ok(wn_scheduler_find("auto", &ops) == WN_OK && ops == list[0],
     "auto is the first of the list, %s", list[0]->name);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    one_case(i);
  return done();
}
