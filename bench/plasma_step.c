/* bench/plasma_step.c - whole steps of a plasma, on the CPU or a GPU: deposit, Poisson's
 * equation, E, gather, push, order; without diagnostics.
 *
 *   bench/plasma_step SCENARIO [--steps N] [--warm-up N] [--phases] [--parts] [--set KEY=VALUE]...
 *
 * Timed by the host's clock after the warm-up (64 steps), in parts of which the best and
 * the middle one are written: time of a step, and that over the particles.  --phases: then as
 * many steps again, with a wait before and after the particles' part of each (E, flights,
 * births, the dead), whose time is that with the charge that it leaves for the next step; and
 * the per cent of it in which the records would be read and written once, at the rate of a
 * copy on the same GPU.  --parts: then as many steps with a wait after each part of a step, whose times are
 * written: room and field, E at the particles, flights with births, each operator in the order of
 * src/sim/operators.c, removal of the dead. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "bench/gpu_plasma.h"
#include "device/gpu.h"
#include "src/jobs/job.h"
#include "src/run/run.h"
#include "src/run/step.h"
#include "src/sim/device.h"
#include "src/sim/sim.h"

#define PARTS    5
#define MOST_SET 64

static int by_value(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int steps(struct wn_sim *s, int n, double *seconds)
{
  const double begin = wn_clock_now();
  for (int k = 0; k < n; k++)
    WN_TRY(wn_step(s, s->c->plasma.time_step));
  if (s->gpu != NULL)
    WN_TRY(wn_gpu_drain(s->gpu));
  *seconds = (wn_clock_now() - begin) / n;
  return WN_OK;
}

/* A step as src/run/step.c has it; *seconds: of the particles' part. */
static int one_phase(struct wn_sim *s, double *seconds)
{
  const double t = s->time, dt = s->c->plasma.time_step;
  struct wn_particles *p[WN_MAX_SPECIES];
  struct wn_field_view field;
  for (size_t k = 0; k < s->n_species; k++) {
    WN_TRY(wn_species_hold(s->species[k], t, dt));
    p[k] = &s->species[k]->p;
  }
  WN_TRY(s->field->ops->solve(s->field, p, s->n_species, t, dt));
  s->field->ops->view(s->field, &field);
  if (s->gpu != NULL)
    WN_TRY(wn_gpu_drain(s->gpu));
  const double begin = wn_clock_now();
  for (size_t k = 0; k < s->n_species; k++)
    WN_TRY(wn_species_gather(s->species[k], &field, t, dt));
  for (size_t k = 0; k < s->n_species; k++)
    WN_TRY(wn_species_launch(s->species[k], t, dt));
  for (size_t k = 0; k < s->n_species; k++)
    WN_TRY(wn_species_advance(s->species[k], t, dt));
  s->time = t + dt;
  s->n_steps++;
  for (size_t i = 0; i < s->n_operators; i++)
    WN_TRY(s->operators[i]->ops->apply(s->operators[i], s));
  for (size_t k = 0; k < s->n_species; k++)
    WN_TRY(wn_species_remove_dead(s->species[k]));
  if (s->gpu != NULL)
    WN_TRY(wn_gpu_drain(s->gpu));
  *seconds += wn_clock_now() - begin;
  return WN_OK;
}

static int phases(struct wn_sim *s, int n)
{
  double each[PARTS] = {0.0}, bytes = 0.0, copy = 0.0;
  for (size_t k = 0; k < s->n_species; k++) {
    if (s->species[k]->mobility_steps != 1)
      return WN_FAIL(WN_EINPUT, "--phases is for one mobility step in a step");
    bytes += 2.0 * (double)s->species[k]->p.n * (double)s->species[k]->p.record.bytes;
  }
  for (int part = 0; part < PARTS; part++)
    for (int k = 0; k < n; k++)
      WN_TRY(one_phase(s, &each[part]));
  qsort(each, PARTS, sizeof *each, by_value);
  const double middle = each[PARTS / 2] / n;
  printf("  particles: best %.4g ms, middle %.4g ms a step, %.4g ps a particle\n",
         each[0] / n * 1e3, middle * 1e3, middle / (double)wn_sim_particles(s) * 1e12);
#ifdef WN_HAVE_CUDA
  if (s->gpu != NULL) {
    WN_TRY(wn_bench_copy_rate(s->gpu, &copy));
    printf("  copy %.3f TB/s: %.0f %% of copying\n", copy * 1e-12,
           100.0 * bytes / copy / middle);
  }
#endif
  (void)bytes, (void)copy;
  return WN_OK;
}

/* ---- parts */

enum {
  FIELD,
  GATHER,
  FLIGHTS,
  REMOVAL,
  OPERATORS,
  N_PARTS = OPERATORS + WN_MAX_OPERATORS
};

/* Adds the time since *from to *seconds, when the GPU has ended. */
static int lap(const struct wn_sim *s, double *from, double *seconds)
{
  if (s->gpu != NULL)
    WN_TRY(wn_gpu_drain(s->gpu));
  const double now = wn_clock_now();
  *seconds += now - *from;
  *from = now;
  return WN_OK;
}

static int one_in_parts(struct wn_sim *s, double part[N_PARTS])
{
  const double t = s->time, dt = s->c->plasma.time_step;
  struct wn_particles *p[WN_MAX_SPECIES];
  struct wn_field_view field;
  double from = wn_clock_now();
  s->interval = dt;
  for (size_t k = 0; k < s->n_species; k++) {
    WN_TRY(wn_species_hold(s->species[k], t, dt));
    p[k] = &s->species[k]->p;
  }
  WN_TRY(s->field->ops->solve(s->field, p, s->n_species, t, dt));
  s->field->ops->view(s->field, &field);
  WN_TRY(lap(s, &from, &part[FIELD]));
  for (size_t k = 0; k < s->n_species; k++)
    WN_TRY(wn_species_gather(s->species[k], &field, t, dt));
  if (s->field->ops->leave != NULL)
    WN_TRY(s->field->ops->leave(s->field, p, s->n_species));
  WN_TRY(lap(s, &from, &part[GATHER]));
  for (size_t k = 0; k < s->n_species; k++)
    WN_TRY(wn_species_launch(s->species[k], t, dt));
  for (size_t k = 0; k < s->n_species; k++)
    WN_TRY(wn_species_advance(s->species[k], t, dt));
  s->time = t + dt;
  s->n_steps++;
  WN_TRY(lap(s, &from, &part[FLIGHTS]));
  for (size_t i = 0; i < s->n_operators; i++) {
    if (s->operators[i]->ops->apply != NULL)
      WN_TRY(s->operators[i]->ops->apply(s->operators[i], s));
    WN_TRY(lap(s, &from, &part[OPERATORS + i]));
  }
  if (s->n_operators > 0)
    wn_energy_changes_settle(&s->energy_changes);
  for (size_t k = 0; k < s->n_species; k++)
    WN_TRY(wn_species_remove_dead(s->species[k]));
  return lap(s, &from, &part[REMOVAL]);
}

static int parts(struct wn_sim *s, int n)
{
  double part[N_PARTS] = {0.0};
  for (size_t k = 0; k < s->n_species; k++)
    if (s->species[k]->mobility_steps != 1 || s->species[k]->subcycling != 1)
      return WN_FAIL(WN_EINPUT, "--parts is for one mobility step in a step");
  for (int k = 0; k < n; k++)
    WN_TRY(one_in_parts(s, part));
  printf("  parts, ms: field %.4g, gather %.4g, flights %.4g, removal %.4g, operators",
         part[FIELD] / n * 1e3, part[GATHER] / n * 1e3, part[FLIGHTS] / n * 1e3,
         part[REMOVAL] / n * 1e3);
  for (size_t i = 0; i < s->n_operators; i++)
    printf(" %.4g", part[OPERATORS + i] / n * 1e3);
  printf("\n");
  return WN_OK;
}

static int measure(const struct wn_config *c, int warm_up, int n, int has_phases,
                   int has_parts)
{
  struct wn_device_plan plan;
  struct wn_sim *s;
  struct wn_gas *gas = NULL;
  double each[PARTS], first, begin = wn_clock_now();
  char text[512];
  WN_TRY(wn_device_choose(c, &plan));
  WN_TRY(wn_device_text(&plan, text, sizeof text));
  if (wn_config_has_gas(c))
    WN_TRY(wn_gas_create(c, &gas));
  WN_TRY(wn_sim_create(c, gas, &wn_job_of(c)->needs, &plan, &s));
  WN_TRY(wn_sim_begin(s, 0));
  const double released = wn_clock_now() - begin;
  WN_TRY(steps(s, warm_up, &first));
  const size_t particles = wn_sim_particles(s);
  const uint64_t before = s->species[0]->candidates;
  double all = 0.0;
  for (int k = 0; k < PARTS; k++) {
    WN_TRY(steps(s, n, &each[k]));
    all += each[k] * n;
  }
  const double candidates = (double)(s->species[0]->candidates - before);
  qsort(each, PARTS, sizeof *each, by_value);
  printf("%s: %zu particles, %s\n", c->title != NULL ? c->title : c->file, particles,
         text);
  printf("  release %.3g s, warm-up %.4g ms a step; best %.4g ms, middle %.4g ms a step, "
         "%.4g ps a particle\n",
         released, first * 1e3, each[0] * 1e3, each[PARTS / 2] * 1e3,
         each[PARTS / 2] / (double)particles * 1e12);
  if (gas != NULL)
    printf("  %zu particles at the end, %s: %.3g candidates a step, %.4g candidates/s\n",
           wn_sim_particles(s), c->species[0].name, candidates / (PARTS * n),
           candidates / all);
  if (has_phases)
    WN_TRY(phases(s, n));
  if (has_parts)
    WN_TRY(parts(s, n));
  wn_sim_free(s);
  wn_gas_free(gas);
  return WN_OK;
}

int main(int argc, char **argv)
{
  const char *set[MOST_SET], *file = NULL;
  size_t n_set = 0;
  int n = 64, warm_up = 64, has_phases = 0, has_parts = 0;
  struct wn_config *c;
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(argv[i], "--steps") == 0)
      n = atoi(value), i++;
    else if (strcmp(argv[i], "--warm-up") == 0)
      warm_up = atoi(value), i++;
    else if (strcmp(argv[i], "--phases") == 0)
      has_phases = 1;
    else if (strcmp(argv[i], "--parts") == 0)
      has_parts = 1;
    else if (strcmp(argv[i], "--set") == 0 && n_set < MOST_SET)
      set[n_set++] = value, i++;
    else
      file = argv[i];
  }
  if (file == NULL || n < 1 || warm_up < 1) {
    fprintf(stderr, "usage: bench/plasma_step SCENARIO [--steps N] [--warm-up N] "
                    "[--phases] [--parts] [--set KEY=VALUE]...\n");
    return 1;
  }
  if (wn_config_read(file, n_set, set, &c) != WN_OK)
    return 1;
  const int status = measure(c, warm_up, n, has_phases, has_parts);
  wn_config_free(c);
  return status != WN_OK;
}
