/* bench/merging.c - a pass of merging over a plasma that was just released, on the CPU or a GPU.
 *
 *   bench/merging [--device cpu|cuda] [--cells N] [--per-cell P] [--passes N] [--method NAME]
 *
 * N x N cells (1024) with P (32) macroparticles each on average, at random, of two kinds: electrons that collide, records of 64
 * bytes, and particles that do not, of 32.  For each method, limits that no cell exceeds, that some 1 % of them do,
 * that most do by a few, and half of the mean: time of a pass over all macroparticles, the best of N (3) after one that is not
 * counted, each from a new release; and how many were left.  Beside it the time in which the records are copied, by the
 * rate of a copy on the same GPU. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "bench/gpu_plasma.h"
#include "device/gpu.h"
#include "src/config/config.h"
#include "src/jobs/job.h"
#include "src/sim/device.h"
#include "src/sim/merging.h"
#include "src/sim/operators.h"
#include "src/sim/sim.h"

#define FILE_NAME "bench-merging.cfg"

extern const struct wn_operator_ops wn_operator_merging;

static const char *const methods[] = {"one", "two", "weights"};

struct asked {
  const char *device, *method;
  int cells, per_cell, passes, is_electrons;
};

static int write_scenario(const struct asked *a)
{
  FILE *f = fopen(FILE_NAME, "w");
  if (f == NULL)
    return WN_FAIL(WN_EIO, FILE_NAME ": cannot be written");
  fprintf(f,
          "model = \"plasma\"; duration = \"1 ns\"; seed = 318;\n"
          "grid = { cells = [%d, %d]; length = [\"%d um\", \"%d um\"]; };\n",
          a->cells, a->cells, a->cells, a->cells);
  if (a->is_electrons)
    fputs("gas = { pressure = \"1 bar\"; components = { Ar = { file = \"builtin:argon\"; "
          "}; "
          "}; };\ntables = { energy_max = \"1 keV\"; };\n",
          f);
  fprintf(
      f,
      "species = { e = { density = \"1e15 m-3\"; per_cell = %d; loading = "
      "\"random\"; temperature = \"2 eV\"; %s }; };\n"
      "plasma = { time_step = \"1 ps\"; background = true; %s allow = "
      "[\"plasma-frequency\", \"cell-crossing\", \"debye-length\"]; merging = { m = { "
      "species = \"e\"; method = \"two\"; per_cell_most = 1; interval = 10; }; }; };\n",
      a->per_cell,
      a->is_electrons
          ? "collisions = \"gas\"; ions = \"i\"; }; i = { density = \"0 m-3\"; "
            "charge = 1.0; mass = \"40 u\"; mobile = false;"
          : "",
      a->is_electrons ? "" : "velocities = 3;");
  return fclose(f) == 0 ? WN_OK : WN_FAIL(WN_EIO, FILE_NAME ": cannot be written");
}

static int drain(struct wn_sim *s)
{
  return s->gpu != NULL ? wn_gpu_drain(s->gpu) : WN_OK;
}

/* A pass over what is released; *seconds of it. */
static int pass(struct wn_sim *s, double *seconds, size_t *n, size_t *left)
{
  WN_TRY(wn_sim_begin(s, 0));
  WN_TRY(wn_species_hold(s->species[0], 0.0, s->c->plasma.time_step));
  *n = wn_sim_particles(s);
  s->n_steps = 10;
  WN_TRY(drain(s));
  const double begin = wn_clock_now();
  for (size_t i = 0; i < s->n_operators; i++)
    if (s->operators[i]->ops == &wn_operator_merging)
      WN_TRY(s->operators[i]->ops->apply(s->operators[i], s));
  WN_TRY(drain(s));
  *seconds = wn_clock_now() - begin;
  WN_TRY(wn_species_remove_dead(s->species[0]));
  *left = wn_sim_particles(s);
  return WN_OK;
}

static int measure(const struct asked *a, const char *method, int most)
{
  char set[2][64], device[64];
  const char *const all[] = {set[0], set[1], device};
  struct wn_config *c;
  struct wn_device_plan plan;
  struct wn_gas *gas = NULL;
  struct wn_sim *s;
  double best = INFINITY, copy = 0.0;
  size_t n = 0, left = 0;
  snprintf(set[0], sizeof set[0], "plasma.merging.m.method=\"%s\"", method);
  snprintf(set[1], sizeof set[1], "plasma.merging.m.per_cell_most=%d", most);
  snprintf(device, sizeof device, "device=\"%s\"", a->device);
  WN_TRY(wn_config_read(FILE_NAME, 3, all, &c));
  WN_TRY(wn_device_choose(c, &plan));
  if (wn_config_has_gas(c))
    WN_TRY(wn_gas_create(c, &gas));
  WN_TRY(wn_sim_create(c, gas, &wn_job_of(c)->needs, &plan, &s));
  for (int k = 0; k <= a->passes; k++) {
    double seconds;
    WN_TRY(pass(s, &seconds, &n, &left));
    if (k > 0 && seconds < best)
      best = seconds;
  }
  const double bytes = 2.0 * (double)n * (double)s->species[0]->p.record.bytes;
  printf("%-8s %2zu bytes, at most %5d a cell: %zu to %zu, %.4g ms, %.4g ps a "
         "macroparticle",
         method, s->species[0]->p.record.bytes, most, n, left, best * 1e3,
         best / (double)n * 1e12);
#ifdef WN_HAVE_CUDA
  if (s->gpu != NULL)
    WN_TRY(wn_bench_copy_rate(s->gpu, &copy));
#endif
  if (copy > 0.0)
    printf("; a copy %.3g", bytes / copy / (double)n * 1e12);
  printf("\n");
  fflush(stdout);
  wn_sim_free(s);
  wn_gas_free(gas);
  wn_config_free(c);
  return WN_OK;
}

static int measure_all(struct asked *a)
{
  const double mean = a->per_cell;
  for (a->is_electrons = 1; a->is_electrons >= 0; a->is_electrons--) {
    WN_TRY(write_scenario(a));
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
      if (a->method != NULL && strcmp(a->method, methods[k]) != 0)
        continue;
      const int limits[] = {100 * a->per_cell + 100, (int)(mean + 2.4 * sqrt(mean)),
                            (int)(mean - 1.5 * sqrt(mean)), a->per_cell / 2};
      for (size_t j = 0; j < sizeof limits / sizeof limits[0]; j++)
        WN_TRY(measure(a, methods[k], limits[j]));
    }
  }
  return WN_OK;
}

int main(int argc, char **argv)
{
  struct asked a = {"cuda", NULL, 1024, 32, 3, 1};
  for (int i = 1; i + 1 < argc; i += 2) {
    const char *value = argv[i + 1];
    if (strcmp(argv[i], "--device") == 0)
      a.device = value;
    else if (strcmp(argv[i], "--cells") == 0)
      a.cells = atoi(value);
    else if (strcmp(argv[i], "--per-cell") == 0)
      a.per_cell = atoi(value);
    else if (strcmp(argv[i], "--passes") == 0)
      a.passes = atoi(value);
    else if (strcmp(argv[i], "--method") == 0)
      a.method = value;
    else
      argc = 0;
  }
  if (argc % 2 == 0 || a.cells < 2 || a.per_cell < 6 || a.passes < 1) {
    fprintf(stderr, "usage: bench/merging [--device cpu|cuda] [--cells N] [--per-cell P] "
                    "[--passes N] [--method NAME]\n");
    return 1;
  }
  const int status = measure_all(&a);
  remove(FILE_NAME);
  return status != WN_OK;
}
