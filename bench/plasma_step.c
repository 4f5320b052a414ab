/* bench/plasma_step.c - whole steps of a plasma, on the CPU or a GPU: deposit, Poisson's
 * equation, E, gather, push, order; without diagnostics.
 *
 *   bench/plasma_step SCENARIO [--steps N] [--warm-up N] [--set KEY=VALUE]...
 *
 * Timed by the host's clock after the warm-up (64 steps), in parts of which the best and
 * the middle one are written: time of a step, and that over the particles. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "device/gpu.h"
#include "src/device.h"
#include "src/run.h"
#include "src/sim.h"

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

static int measure(const struct wn_config *c, int warm_up, int n)
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
  WN_TRY(wn_sim_create(c, gas, &plan, &s));
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
  wn_sim_free(s);
  wn_gas_free(gas);
  return WN_OK;
}

int main(int argc, char **argv)
{
  const char *set[MOST_SET], *file = NULL;
  size_t n_set = 0;
  int n = 64, warm_up = 64;
  struct wn_config *c;
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(argv[i], "--steps") == 0)
      n = atoi(value), i++;
    else if (strcmp(argv[i], "--warm-up") == 0)
      warm_up = atoi(value), i++;
    else if (strcmp(argv[i], "--set") == 0 && n_set < MOST_SET)
      set[n_set++] = value, i++;
    else
      file = argv[i];
  }
  if (file == NULL || n < 1 || warm_up < 1) {
    fprintf(stderr, "usage: bench/plasma_step SCENARIO [--steps N] [--warm-up N] [--set "
                    "KEY=VALUE]...\n");
    return 1;
  }
  if (wn_config_read(file, n_set, set, &c) != WN_OK)
    return 1;
  const int status = measure(c, warm_up, n);
  wn_config_free(c);
  return status != WN_OK;
}
