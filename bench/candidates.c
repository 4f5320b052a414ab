/* bench/candidates.c - candidate collisions per second and core of the schedulers,
 * against their ceiling.
 *
 *   bench/candidates SCENARIO [--set key=value]...
 *
 * The swarm of the scenario's first field is relaxed, then each line times the same
 * steps:
 *   ceiling    advance_many on each thread's own electrons, newborns thrown away: the
 *              same arithmetic without store, births and hand-out of work
 *   serial     the definition
 *   openmp     1 thread, then all
 * A candidate counts whether it turns out null or real; `per real` says how many one real
 * collision costs.  Best of REPEATS, as other programs share the machine; ratios within
 * one run are what to compare. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "base/error.h"
#include "base/threads.h"
#include "src/config/config.h"
#include "src/jobs/job.h"
#include "src/run/run.h"
#include "src/run/step.h"

#define REPEATS 5
#define RELAX   400   /* steps of PHASE candidates */
#define MEASURE 10    /* steps a repeat */
#define PHASE   100.0 /* candidates an electron and step */

static double mean_energy(struct wn_species *s)
{
  double weight = 0.0, energy_ev = NAN;
  for (size_t i = 0; i < s->p.n; i++)
    weight += (double)wn_particles_electrons(&s->p)[i].w;
  (void)wn_species_energy(s, &energy_ev);
  return energy_ev / weight;
}

/* Copies of the electrons, each thread its own part, flown without a scheduler. */
static double ceiling(const struct wn_species *s, int threads, double *ns)
{
  double best = INFINITY;
  uint64_t candidates = 0;
  size_t n = s->p.n;
  struct wn_electron *copy = malloc(n * sizeof *copy);
  if (copy == NULL)
    return NAN;
  for (int r = 0; r < REPEATS; r++) {
    memcpy(copy, s->p.e, n * sizeof *copy);
    candidates = 0;
    double t = wn_clock_now();
#ifdef _OPENMP
#pragma omp parallel num_threads(threads) reduction(+ : candidates)
#endif
    {
#ifdef _OPENMP
      int me = omp_get_thread_num();
#else
      int me = 0;
#endif
      size_t first = n * (size_t)me / (size_t)threads,
             last = n * (size_t)(me + 1) / (size_t)threads;
      struct wn_tally tally;
      struct wn_births births = {.record = sizeof *copy};
      if (wn_tally_init(&tally, &s->shape) == WN_OK) {
        for (int k = 0; k < MEASURE; k++) {
          for (size_t i = first; i < last; i++)
            copy[i].t_left = (float)s->model.steps;
          births.n = 0;
          s->model.ops->advance_many(&s->model, copy + first, last - first, &tally,
                                     &births);
          for (size_t i = first; i < last; i++)
            if (copy[i].t_left < 0.0f)
              copy[i] = wn_particles_electrons(&s->p)[i];
        }
        candidates += tally.n_candidates;
        wn_tally_clear(&tally);
      }
      free(births.e);
    }
    best = fmin(best, wn_clock_now() - t);
  }
  free(copy);
  *ns = best / (double)candidates * 1e9;
  return (double)candidates / best;
}

static int create(const struct wn_config *c, const struct wn_gas *gas, struct wn_sim **s)
{
  struct wn_device_plan plan;
  WN_TRY(wn_device_choose(c, &plan));
  WN_TRY(wn_sim_create(c, gas, &wn_job_of(c)->needs, &plan, s));
  return wn_sim_begin(*s, 0);
}

static int measure(const struct wn_config *c, const struct wn_gas *gas,
                   const struct wn_sim *relaxed, const char *scheduler, int threads,
                   double limit)
{
  struct wn_config mine = *c;
  struct wn_sim *s = NULL;
  const struct wn_particles *from = &relaxed->species[0]->p;
  double best = INFINITY, real = 0.0, candidates = 0.0;
  mine.scheduler = strdup(scheduler);
  mine.threads = threads;
  if (mine.scheduler == NULL)
    return WN_ENOMEM;
  int status = create(&mine, gas, &s);
  for (int r = 0; r < REPEATS && status == WN_OK; r++) {
    struct wn_species *e = s->species[0];
    wn_species_begin(e);
    status = wn_particles_append(&e->p, from->e, from->n);
    double t = wn_clock_now();
    for (int k = 0; k < MEASURE && status == WN_OK; k++)
      status = wn_step(s, relaxed->interval);
    t = wn_clock_now() - t;
    if (t < best) {
      best = t;
      candidates = (double)e->candidates;
      real = (double)e->real;
    }
  }
  wn_sim_free(s);
  free(mine.scheduler);
  if (status == WN_OK)
    printf("%-8s %2d threads  %6.1f ns  %9.3g candidates/s  %9.3g a core  %5.2f per real "
           " %3.0f %% of the ceiling\n",
           scheduler, threads, best / candidates * 1e9, candidates / best,
           candidates / best / threads, candidates / real,
           100.0 * candidates / best / limit);
  return status;
}

int main(int argc, char **argv)
{
  const char *sets[64];
  size_t n_sets = 0;
  struct wn_config *c = NULL;
  struct wn_gas *gas = NULL;
  struct wn_sim *s = NULL;
  if (argc < 2) {
    fprintf(stderr, "usage: bench/candidates SCENARIO [--set key=value]...\n");
    return 2;
  }
  for (int i = 2; i + 1 < argc && n_sets < 64; i += 2)
    sets[n_sets++] = argv[i + 1];
  int status = wn_config_read(argv[1], n_sets, sets, &c);
  if (status == WN_OK)
    status = wn_gas_create(c, &gas);
  if (status == WN_OK)
    status = create(c, gas, &s);
  if (status == WN_OK) {
    s->species[0]->population.target = c->electrons;
    s->species[0]->population.may_split = 1;
  }
  for (int k = 0; k < RELAX && status == WN_OK; k++) {
    status = wn_step(s, PHASE / gas->table->view.nu_max);
    if (status == WN_OK)
      status = wn_species_control(s->species[0]);
  }
  if (status == WN_OK) {
    const int all = wn_threads(0);
    double ns, one = ceiling(s->species[0], 1, &ns);
    printf("%s, %s: %zu electrons, mean energy %.3g eV, %d repeats of %.0f candidates "
           "each\n",
           c->title, c->cases[0].text, s->species[0]->p.n, mean_energy(s->species[0]),
           REPEATS, MEASURE * PHASE);
    printf("%-8s %2d threads  %6.1f ns  %9.3g candidates/s\n", "ceiling", 1, ns, one);
    double many = one;
    if (all > 1) {
      many = ceiling(s->species[0], all, &ns);
      printf("%-8s %2d threads  %6.1f ns  %9.3g candidates/s  %5.2f times one thread\n",
             "ceiling", all, ns, many, many / one);
    }
    status = measure(c, gas, s, "serial", 1, one);
#ifdef _OPENMP
    if (status == WN_OK)
      status = measure(c, gas, s, "openmp", 1, one);
    if (status == WN_OK && all > 1)
      status = measure(c, gas, s, "openmp", all, many);
#endif
  }
  wn_sim_free(s);
  wn_gas_free(gas);
  wn_config_free(c);
  return status == WN_OK ? 0 : status == WN_EINPUT ? 2 : 1;
}
