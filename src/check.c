/* src/check.c - `wilson check`: what a run will need, without running it. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "physics/constants.h"
#include "device/gpu.h"
#include "base/error.h"
#include "base/log.h"
#include "src/config_internal.h"
#include "src/device.h"
#include "src/diag.h"
#include "src/run.h"
#include "src/sim.h"
#include "src/synthetic_run.h"

/* ns a candidate and thread in air at 200 Td, scheduler openmp: bench/RESULTS.md */
#define NS_PER_CANDIDATE 45.0
#define MIB              (1024.0 * 1024.0)

static void memory_line(const char *what, double bytes)
{
  printf("  %-44s %12.2f MiB\n", what, bytes / MIB);
}

static void gpu_line(const struct wn_device_plan *p, const struct wn_gpu_info *gpu,
                     const char *what, const struct wn_gpu_need *need)
{
  size_t bytes = wn_gpu_forecast(need);
  printf("  on the GPU: %-32s %12.2f MiB", what, (double)bytes / MIB);
  if (gpu->memory > 0)
    printf(" of %.2f MiB", (double)gpu->memory / MIB);
  printf("\n");
  fflush(stdout);
  if (gpu->memory > 0 && bytes > gpu->free)
    wn_log(WN_LOG_WARN,
           "%s: %zu electrons take %.2f MiB, and cuda:%d has %.2f MiB free; a run that "
           "needs more than there is stops with what it has measured",
           what, need->electrons, (double)bytes / MIB, p->options.gpu,
           (double)gpu->free / MIB);
}

/* What a GPU must hold, if the run would be there: need, with the electrons at the start
 * and at the most.  The same GPU need not be in the machine that asks. */
static int check_gpu(const struct wn_device_plan *p, const struct wn_config *c,
                     size_t most, double newborns_at_most, struct wn_gpu_need need)
{
  struct wn_gpu_info gpu = {.memory = 0};
  if (p->device != WN_DEVICE_CUDA)
    return WN_OK;
  if (p->no_gpu[0] == '\0')
    WN_TRY(wn_gpu_describe(p->options.gpu, &gpu));
  need.multiprocessors = gpu.multiprocessors;
  need.electrons = c->electrons;
  gpu_line(p, &gpu, "electrons at the start", &need);
  need.electrons = most;
  need.newborns = newborns_at_most;
  gpu_line(p, &gpu, "electrons at the most", &need);
  return WN_OK;
}

/* One line: where a run would be, or why it would not start. */
static int check_device(const struct wn_device_plan *p)
{
  char text[1024];
  if (p->device == WN_DEVICE_CUDA && p->no_gpu[0] != '\0') {
    printf("a run needs a GPU, and would not start here: %s\n", p->no_gpu);
    return WN_OK;
  }
  WN_TRY(wn_device_text(p, text, sizeof text));
  printf("runs on %s\n", text);
  return WN_OK;
}

static int check_synthetic(const struct wn_config *c, const struct wn_device_plan *p)
{
  struct wn_synthetic_steps steps = wn_synthetic_steps(c);
  double n = (double)c->split_remove.cells, electrons = (double)c->electrons;
  printf("model %s: ", wn_config_model_name[c->model]);
  if (c->model == WN_MODEL_SPLIT_REMOVE)
    printf("%zu^3 cells, ", c->split_remove.cells);
  printf("%zu Poisson steps of %zu mobility steps\n", steps.poisson, steps.mobility);
  printf("memory\n");
  if (c->model == WN_MODEL_SPLIT_REMOVE)
    memory_line("grid of counts", n * n * n * 4.0);
  memory_line("electrons at the start, 64 bytes each",
              electrons * sizeof(struct wn_electron));
  memory_line("electrons at the most (population.capacity)",
              (double)c->capacity * sizeof(struct wn_electron));
  size_t cells = c->model == WN_MODEL_SPLIT_REMOVE ? c->split_remove.cells : 0;
  struct wn_gpu_need need = {.newborns = 1.0,
                             .table_bytes = c->model == WN_MODEL_SPLIT_REMOVE
                                                ? sizeof(struct wn_split_tables)
                                                : 0,
                             .grid_cells = cells * cells * cells,
                             .shape = {.n_groups = (int)c->groups}};
  WN_TRY(check_gpu(p, c, c->capacity, 1.0, need));
  printf("work: %.3g electron steps for the first electrons, plus those of all that are "
         "born\n",
         electrons * (double)steps.poisson * (double)steps.mobility);
  return WN_OK;
}

static void check_fields(const struct wn_config *c, const struct wn_gas *g)
{
  double nu = g->table->view.nu_max;
  printf("%10s %12s %12s %14s\n", "E/N Td", "E kV/cm", "duration s", "candidates");
  for (size_t i = 0; i < c->n_cases; i++) {
    printf("%10.4g %12.4g ", c->cases[i].td, c->cases[i].e * 1e-5);
    if (c->duration > 0.0)
      printf("%12.4g %14.4g\n", c->duration, c->duration * nu * (double)c->electrons);
    else
      printf("%12s %14s\n", "auto", "until steady");
  }
  if (c->duration > 0.0) {
    double all = c->duration * nu * (double)c->electrons * (double)c->n_cases;
    printf("work: %.3g candidates if the number of electrons stays what it is; about "
           "%.3g s on one thread at %g ns each\n",
           all, all * NS_PER_CANDIDATE * 1e-9, NS_PER_CANDIDATE);
    if (c->job == WN_JOB_RUNAWAY)
      printf("ionization multiplies the electrons: the work grows with them (the run's "
             "progress line measures it)\n");
  } else {
    printf("work: samples go on until mean energy and drift are known to %.3g %%\n",
           100.0 * c->accuracy);
  }
}

static int check_mcc(const struct wn_config *c, const struct wn_device_plan *p)
{
  struct wn_gas *g = NULL;
  WN_TRY(wn_gas_create(c, &g));
  const struct wn_xs_view *v = &g->table->view;
  printf("gas: %.5g Pa, %.5g K, %.6g m-3\n", c->pressure, c->temperature,
         c->number_density);
  for (size_t i = 0; i < g->n; i++)
    printf("  %-6s %8.5f  %2zu processes from %s\n", g->set[i]->name,
           c->components[i].fraction, g->set[i]->n, c->components[i].file);
  printf("collision frequency below %.5g s-1 (proved bound)\n", v->nu_max);
  if (isfinite(g->table->limit_ev))
    printf("tables end at %.5g eV (`%s`): an electron that gets there stops the run\n",
           g->table->limit_ev, g->table->limit_process);
  check_fields(c, g);
  size_t most = c->job == WN_JOB_SWARM
                    ? (c->population_target > 0 ? c->population_target : c->electrons) * 2
                : c->population_target > 0 ? c->population_target * 2
                                           : c->capacity;
  double groups = (double)c->groups, bins = (double)wn_diag_n_bins(c);
  double sums = groups * ((double)v->n_processes * 32.0 + sizeof(struct wn_tally_group) +
                          (double)c->n_thresholds * 16.0);
  double samples =
      groups * (bins + 1.0) * 16.0 + groups * (double)c->sample_block * 7.0 * 16.0;
  double passages = c->job == WN_JOB_RUNAWAY
                        ? (double)c->electrons * (double)c->n_thresholds * 8.0
                        : 0.0;
  printf("memory\n");
  memory_line("collision tables", (double)g->table->bytes);
  memory_line("electrons at the start, 64 bytes each",
              (double)c->electrons * sizeof(struct wn_electron));
  memory_line(c->job == WN_JOB_RUNAWAY && c->population_target == 0
                  ? "electrons at the most (population.capacity)"
                  : "electrons at the most",
              (double)most * sizeof(struct wn_electron));
  memory_line("sums of one thread", sums);
  memory_line("samples, histograms and first passages", samples + passages);
  int runaway = c->job == WN_JOB_RUNAWAY;
  double newborns = runaway ? WN_RUNAWAY_CANDIDATES : WN_SWARM_CANDIDATES,
         at_most = runaway ? newborns : INFINITY; /* a swarm chooses when it is steady */
  if (c->sample_interval > 0.0)
    newborns = at_most = c->sample_interval * v->nu_max;
  struct wn_gpu_need need = {
      .newborns = newborns / (double)c->mobility_steps,
      .table_bytes = g->table->bytes,
      .first_passages = runaway ? c->electrons * c->n_thresholds : 0,
      .shape = {.n_groups = (int)c->groups,
                .n_processes = v->n_processes,
                .n_thresholds = runaway ? (int)c->n_thresholds : 0}};
  int status = check_gpu(p, c, most, at_most / (double)c->mobility_steps, need);
  wn_gas_free(g);
  return status;
}

int wn_check(const struct wn_config *c)
{
  struct wn_device_plan p;
  WN_TRY(wn_device_plan(c, &p));
  printf("%s: the scenario is sound; output would go to %s\n", c->file, c->output);
  WN_TRY(check_device(&p));
  return c->model == WN_MODEL_MCC ? check_mcc(c, &p) : check_synthetic(c, &p);
}
