/* src/check.c - `wilson check`: what a run will need, without running it. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "physics/constants.h"
#include "src/base/error.h"
#include "src/diag.h"
#include "src/run.h"
#include "src/sim.h"

/* ns a candidate and thread in air at 200 Td, scheduler openmp: bench/RESULTS.md */
#define NS_PER_CANDIDATE 45.0
#define MIB              (1024.0 * 1024.0)

static void memory_line(const char *what, double bytes)
{
  printf("  %-44s %12.2f MiB\n", what, bytes / MIB);
}

static void check_split_remove(const struct wn_config *c)
{
  double n = (double)c->split_remove.cells,
         electrons = (double)c->electrons * sizeof(struct wn_electron);
  double steps = (double)c->electrons * (double)c->split_remove.poisson_steps *
                 (double)c->split_remove.mobility_steps;
  printf("model split-remove: %zu^3 cells, %zu Poisson steps of %zu mobility steps\n",
         c->split_remove.cells, c->split_remove.poisson_steps,
         c->split_remove.mobility_steps);
  printf("memory\n");
  memory_line("grid of counts", n * n * n * 4.0);
  memory_line("electrons at the start, 64 bytes each", electrons);
  memory_line("electrons at the most (population.capacity)",
              (double)c->capacity * sizeof(struct wn_electron));
  printf("work: %.3g electron steps for the first electrons, plus those of all that are "
         "born\n",
         steps);
}

static void check_fields(const struct wn_config *c, const struct wn_gas *g)
{
  double nu = g->table->view.nu_max;
  printf("%10s %12s %12s %14s\n", "E/N Td", "E kV/cm", "duration s", "candidates");
  for (size_t i = 0; i < c->n_fields; i++) {
    printf("%10.4g %12.4g ", c->fields[i].td, c->fields[i].e * 1e-5);
    if (c->duration > 0.0)
      printf("%12.4g %14.4g\n", c->duration, c->duration * nu * (double)c->electrons);
    else
      printf("%12s %14s\n", "auto", "until steady");
  }
  if (c->duration > 0.0) {
    double all = c->duration * nu * (double)c->electrons * (double)c->n_fields;
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

static int check_mcc(const struct wn_config *c)
{
  struct wn_gas *g = NULL;
  WN_TRY(wn_gas_create(c, &g));
  const struct wn_xs_view *v = &g->table->view;
  printf("gas: %.5g Pa, %.5g K, %.6g m-3\n", c->pressure, c->temperature,
         c->number_density);
  for (size_t i = 0; i < g->n; i++)
    printf("  %-6s %8.5f  %2d processes from %s\n", g->set[i]->name,
           c->components[i].fraction, v->gas[i].n, c->components[i].file);
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
  wn_gas_free(g);
  return WN_OK;
}

int wn_check(const struct wn_config *c)
{
  printf("%s: the scenario is sound; output would go to %s\n", c->file, c->output);
  if (c->model == WN_MODEL_SPLIT_REMOVE) {
    check_split_remove(c);
    return WN_OK;
  }
  return check_mcc(c);
}
