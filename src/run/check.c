/* src/run/check.c - `wilson check`: memory and time that a run needs, without running it. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/alloc.h"
#include "base/clock.h"
#include "base/clean.h"
#include "base/error.h"
#include "base/log.h"
#include "device/gpu.h"
#include "src/config/averages.h"
#include "src/config/coulomb.h"
#include "src/config/merging.h"
#include "src/config/distributions.h"
#include "src/config/internal.h"
#include "src/config/photoionization.h"
#include "src/config/plasma_derived.h"
#include "src/config/plasma_limits.h"
#include "src/config/reactions.h"
#include "src/config/source_numbers.h"
#include "src/config/test_electrons.h"
#include "src/jobs/job.h"
#include "src/jobs/runaway_rate.h"
#include "src/run/check_circuits.h"
#include "src/run/check_growth.h"
#include "src/run/check_ranks.h"
#include "src/run/divide_cases.h"
#include "src/run/forecast.h"
#include "src/run/forecast_beside.h"
#include "src/run/forecast_diags.h"
#include "src/run/run.h"
#include "src/sim/device.h"
#include "src/sim/followed.h"
#include "src/sim/grid_moments.h"
#include "src/sim/loading.h"
#include "src/sim/plasma.h"

#define TRIAL        0.3  /* s, for all cases */
#define TRIAL_OF_ONE 0.05 /* s, at least for each case */
#define TRIAL_BESIDE 0.5  /* s, for cases side by side, so that a pilot may end */

/* Disk space of checkpoints: two are kept, and a third exists while one is written. */
static void disk_lines(double start, double most)
{
  printf("on disk, for each of the three files while a checkpoint is written\n");
  wn_check_memory_line("a checkpoint at the start, about", start);
  if (most > 0.0)
    wn_check_memory_line("a checkpoint with the most electrons, about", most);
}

static void gpu_line(const struct wn_device_plan *p, const struct wn_gpu_info *gpu,
                     const char *what, const struct wn_gpu_need *need)
{
  size_t bytes = wn_gpu_forecast(need);
  printf("  on the GPU: %-32s %12.2f MiB", what, (double)bytes / WN_CHECK_MIB);
  if (gpu->memory > 0)
    printf(" of %.2f MiB", (double)gpu->memory / WN_CHECK_MIB);
  printf("\n");
  fflush(stdout);
  if (gpu->memory > 0 && bytes > gpu->free)
    wn_log(WN_LOG_WARN,
           "%s: %zu electrons take %.2f MiB, and cuda:%d has %.2f MiB free; a run that "
           "needs more memory stops with its results so far",
           what, need->electrons, (double)bytes / WN_CHECK_MIB, p->gpu,
           (double)gpu->free / WN_CHECK_MIB);
}

/* Memory on a GPU, if the run used one: at the start, and at the largest number of
 * electrons.  This machine may have no GPU of that kind. */
static int check_gpu(const struct wn_device_plan *p, const struct wn_config *c,
                     size_t most, double newborns_at_most, struct wn_gpu_need need)
{
  struct wn_gpu_info gpu = {.memory = 0};
  if (p->device != WN_DEVICE_CUDA)
    return WN_OK;
  if (p->no_gpu[0] == '\0')
    WN_TRY(wn_gpu_describe(p->gpu, &gpu));
  need.multiprocessors = gpu.multiprocessors;
  need.electrons = c->electrons;
  gpu_line(p, &gpu, "electrons at the start", &need);
  need.electrons = most;
  need.newborns = newborns_at_most;
  gpu_line(p, &gpu, "largest number of electrons", &need);
  return WN_OK;
}

/* One line: the device of the run, or why the run would not start. */
static int check_device(const struct wn_device_plan *p)
{
  char text[1024];
  if (p->device == WN_DEVICE_CUDA && p->no_gpu[0] != '\0') {
    printf("the run needs a GPU, and would not start here: %s\n", p->no_gpu);
    return WN_OK;
  }
  WN_TRY(wn_device_text(p, text, sizeof text));
  printf("runs on %s\n", text);
  return WN_OK;
}

/* The line of case i. */
static void put_row(const struct wn_config *c, size_t i, const struct wn_forecast *f)
{
  char text[32], time[32], what[64], work[32], end[32] = "-";
  snprintf(what, sizeof what, "%10.4g %12.4g", c->cases[i].td, c->cases[i].e * 1e-5);
  if (isnan(f->duration))
    snprintf(text, sizeof text, "auto");
  else
    snprintf(text, sizeof text, "%.4g", f->duration);
  if (!isnan(f->particles))
    snprintf(end, sizeof end, "%.3g%s", f->particles, f->is_full ? " full" : "");
  snprintf(work, sizeof work, isnan(f->candidates) ? "-" : "%.4g", f->candidates);
  printf("%s %12s %14s %14s %12.3g %12s\n", what, text, work, end, f->ns,
         wn_check_time_text(f->seconds, time, sizeof time));
  fflush(stdout);
  if (f->is_full)
    wn_log(WN_LOG_WARN,
           "%s: the electrons grow beyond population.capacity, %zu: the run would stop "
           "there with its results so far; %s",
           wn_config_case_text(c, i), c->capacity, wn_config_more_room(c));
}

/* Trials of n cases, one after the other; *seconds: of all. */
static int try_in_turn(const struct wn_config *c, struct wn_trial *trial, size_t n,
                       struct wn_forecast *f, double *seconds)
{
  for (size_t i = 0; i < n; i++) {
    WN_TRY(wn_forecast(trial, i, fmax(TRIAL / (double)n, TRIAL_OF_ONE), &f[i]));
    put_row(c, i, &f[i]);
    *seconds += f[i].seconds;
  }
  return WN_OK;
}

/* Trials of n cases that run side by side, `beside` at a time, and of the first of them alone. */
static int try_beside(const struct wn_config *c, const struct wn_gas *g,
                      const struct wn_device_plan *p, struct wn_trial *trial, size_t n,
                      int beside, struct wn_forecast *f, double *seconds)
{
  const double rounds = ceil((double)n / beside);
  double alone;
  WN_TRY(wn_forecast_speed(trial, 0, TRIAL_OF_ONE, &alone));
  WN_TRY(wn_forecast_beside(c, g, p, n, beside, fmax(TRIAL_BESIDE, rounds * TRIAL_OF_ONE),
                            f, &beside));
  double *each = wn_alloc(n, sizeof *each);
  if (each == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < n; i++) {
    put_row(c, i, &f[i]);
    each[i] = f[i].seconds;
  }
  *seconds = wn_beside_seconds(each, n, beside, f[0].ns / alone);
  free(each);
  return WN_OK;
}

/* What a run does once, beside its steps: seconds, and the end of a GPU, which is tried here, after all that
 * uses it. */
static void start_line(const struct wn_device_plan *p, double seconds)
{
  const double before = wn_clock_now();
  char time[32];
  if (p->device == WN_DEVICE_CUDA)
    wn_gpu_end(p->gpu);
  printf("start: %s for tables, device, release and end, in each run\n",
         wn_check_time_text(seconds + wn_clock_now() - before, time, sizeof time));
}

/* The computing time, from a short trial of each case on the device of the run; beside: so many run side by side;
 * tables: s that they and the start of the device took. */
static int check_work(const struct wn_config *c, const struct wn_gas *g,
                      const struct wn_device_plan *p, size_t most,
                      const struct wn_check_ranks *ranks, int beside, double sums,
                      double tables)
{
  const size_t n = wn_config_cases(c);
  const double before = wn_clock_now();
  struct wn_forecast *f = NULL;
  struct wn_trial *trial = NULL;
  double candidates = 0.0, seconds = 0.0, at_first = 0.0, at_most = 0.0;
  char time[32];
  if (p->device == WN_DEVICE_CUDA && p->no_gpu[0] != '\0') {
    printf("work: not known without the GPU, which is needed for a trial\n");
    return WN_OK;
  }
  WN_TRY(wn_trial_create(c, g, p, &trial));
  const double start = tables + wn_clock_now() - before;
  int status = wn_forecast_checkpoint(trial, (double)c->electrons, &at_first);
  if (status == WN_OK)
    status = wn_forecast_checkpoint(trial, (double)most, &at_most);
  if (status == WN_OK)
    disk_lines(at_first, at_most);
  printf("%10s %12s %12s %14s %14s %12s %12s\n", "E/N Td", "E kV/cm", "simulated s",
         "candidates", "electrons then", "ns each", "time");
  f = wn_alloc(n, sizeof *f);
  if (f == NULL)
    status = WN_ENOMEM;
  if (status == WN_OK)
    status = beside > 1 && n > 1 ? try_beside(c, g, p, trial, n, beside, f, &seconds)
                                 : try_in_turn(c, trial, n, f, &seconds);
  for (size_t i = 0; i < n && status == WN_OK; i++)
    candidates += f[i].candidates;
  wn_trial_free(trial);
  if (status != WN_OK) {
    free(f);
    return status;
  }
  if (isnan(seconds) && wn_config_has_goals(c))
    printf("work: sampling continues until all coefficients named in `accuracy` are "
           "known\n");
  else if (wn_config_has_goals(c))
    printf("work: at most about %.3g candidates in %s, from a short trial of each case "
           "on this "
           "machine; a field ends when all coefficients named in `accuracy` are known\n",
           candidates, wn_check_time_text(seconds, time, sizeof time));
  else if (isnan(seconds))
    printf("work: sampling continues until mean energy and drift are known to %.3g %%\n",
           100.0 * c->accuracy);
  else if (isnan(f[0].duration))
    printf(
        "work: about %.3g candidates in %s until mean energy and drift are known to %.3g "
        "%%, from a short trial of each case on this machine\n",
        candidates, wn_check_time_text(seconds, time, sizeof time), 100.0 * c->accuracy);
  else if (wn_forecast_levels(c) > 0.0)
    printf("work: at most about %.3g candidates in %s, from a short trial of each case "
           "on this "
           "machine; in each field a pilot chooses the time that its last rate needs for "
           "%.3g %%\n",
           candidates, wn_check_time_text(seconds, time, sizeof time),
           100.0 * c->accuracy);
  else
    printf("work: about %.3g candidates in %s, from a short trial of each case on this "
           "machine\n",
           candidates, wn_check_time_text(seconds, time, sizeof time));
  start_line(p, start);
  if (ranks->n > 1)
    wn_check_ranks_electrons(c, ranks, f, n, most, sums);
  free(f);
  return WN_OK;
}

static void gas_line(const struct wn_config *c)
{
  printf("gas: %.5g Pa, %.5g K, %.6g m-3\n", c->pressure, c->temperature,
         c->number_density);
}

/* A line that ends with a file name; a scenario may put any bytes there. */
__attribute__((format(printf, 2, 3))) static void put_named(const char *name,
                                                            const char *before, ...)
{
  va_list ap;
  va_start(ap, before);
  vprintf(before, ap);
  va_end(ap);
  wn_clean_put(stdout, name);
  printf("\n");
}

/* Cross sections of the electrons. */
static void electron_lines(const struct wn_config *c, const struct wn_gas *g)
{
  const struct wn_xs_view *v = &g->table->view;
  for (size_t i = 0; i < g->n; i++)
    put_named(c->components[i].file, "  %-6s %8.5f  %2zu processes from ",
              g->set[i]->name, c->components[i].fraction, g->set[i]->n);
  printf("collision frequency below %.5g s-1 (proved bound)\n", v->nu_max);
  if (isfinite(g->table->limit_ev))
    printf("tables end at %.5g eV (`%s`): an electron of that energy stops the run\n",
           g->table->limit_ev, g->table->limit_process);
}

/* Cross sections of the ions among the species. */
static void ion_lines(const struct wn_config *c, const struct wn_gas *g)
{
  for (size_t k = 0; k < c->n_species; k++) {
    const struct wn_gas_ions *ions = g->ions[k];
    if (ions == NULL)
      continue;
    for (size_t i = 0; i < ions->n; i++)
      if (ions->set[i] != NULL)
        put_named(c->species[k].cross_sections != NULL ? c->species[k].cross_sections
                                                       : c->components[i].file,
                  "  %s / %s: %zu processes from ", c->species[k].ion, ions->set[i]->name,
                  ions->set[i]->n);
    const struct wn_ion_view *v = &ions->table->view;
    printf("%s: collision frequency below %.5g s-1 (proved bound) to %.4g eV of the "
           "relative motion, %.4g candidates in a step\n",
           c->species[k].name, v->nu_max, (double)v->e_top,
           v->nu_max * c->plasma.time_step * (double)c->species[k].subcycling);
    if ((double)v->limit_ev < (double)v->e_top)
      printf("tables of %s end at %.5g eV (`%s`): an ion of that energy stops the run\n",
             c->species[k].name, (double)v->limit_ev, ions->table->limit_process);
  }
}

static int check_mcc(const struct wn_config *c, const struct wn_device_plan *p,
                     const struct wn_check_ranks *ranks, int beside, double device)
{
  struct wn_gas *g = NULL;
  const double before = wn_clock_now();
  WN_TRY(wn_gas_create(c, &g));
  const double tables = device + wn_clock_now() - before;
  const struct wn_xs_view *v = &g->table->view;
  gas_line(c);
  electron_lines(c, g);
  int passages = wn_job_of(c)->needs.passages;
  const double levels = wn_forecast_levels(c);
  size_t most = levels > 0.0               ? (size_t)(WN_FORECAST_BRIEF * levels)
                : c->population_target > 0 ? c->population_target * 2
                                           : c->capacity;
  double groups = (double)c->groups, bins = (double)wn_diag_n_bins(c);
  double sums = groups * ((double)v->n_processes * 32.0 + sizeof(struct wn_tally_group) +
                          (double)c->n_thresholds * 16.0 *
                              (WN_PASSED + (levels > 0.0 ? WN_PASSED_BIN_ROWS : 0)));
  double samples =
      groups * (bins + 1.0) * 16.0 + groups * (double)wn_diag_most_lags(c) * 17.0 * 16.0;
  const int each = passages && levels == 0.0; /* the first passages of each primary */
  if (levels > 0.0)                           /* src/stats/event_rates.h */
    samples = groups * (WN_EVENT_RATES_BLOCKS + 1.0) * 8.0 *
              (double)(1 + wn_rate_columns(
                               c, (size_t)(levels / (double)c->population_target) + 1));
  else if (passages)
    samples += (double)c->electrons * (double)c->n_thresholds * 8.0;
  if (beside > 1)
    printf("memory of a case, of which %d run side by side (key `divide`)\n", beside);
  else
    printf("memory\n");
  wn_check_memory_line("collision tables", (double)g->table->bytes);
  wn_check_memory_line("electrons at the start, 64 bytes each",
                       (double)c->electrons * sizeof(struct wn_electron));
  wn_check_memory_line(c->population_target == 0
                           ? "largest number of electrons (population.capacity)"
                           : "largest number of electrons",
                       (double)most * sizeof(struct wn_electron));
  wn_check_memory_line("sums of one thread", sums);
  wn_check_memory_line("samples, histograms and first passages", samples);
  double newborns = levels > 0.0 ? WN_RATE_CANDIDATES
                    : passages   ? WN_RUNAWAY_CANDIDATES
                                 : WN_SWARM_CANDIDATES,
         at_most = passages
                       ? newborns
                       : INFINITY; /* a swarm job determines itself when it is steady */
  if (c->sample_interval > 0.0)
    newborns = at_most = c->sample_interval * v->nu_max;
  struct wn_gpu_need need = {
      .newborns = newborns / (double)c->mobility_steps,
      .record_bytes = sizeof(struct wn_electron),
      .table_bytes = g->table->bytes,
      .deferred = c->scattering == WN_ANGLE_OKHRIMOVSKYY &&
                  c->sharing == WN_SHARING_RBEB && c->magnetic_field == 0.0 &&
                  wn_config_detectors(c) == 0 && !wn_config_gas_changes(c) &&
                  !wn_config_field_changes(c),
      .radiates = wn_config_radiates(c),
      .noted = wn_config_detectors(c) > 0,
      .first_passages = each ? c->electrons * c->n_thresholds : 0,
      .shape = {.n_groups = (int)c->groups,
                .n_processes = v->n_processes,
                .n_thresholds = passages ? (int)c->n_thresholds : 0,
                .bins = levels > 0.0}};
  int status = check_gpu(p, c, most, at_most / (double)c->mobility_steps, need);
  if (status == WN_OK)
    /* the tally, and a sample of energies */
    status = check_work(
        c, g, p, most, ranks, beside,
        16.0 * ((double)wn_tally_sums(&need.shape) + groups * (bins + 1.0)), tables);
  wn_gas_free(g);
  return status;
}

/* "64 x 64" */
static void grid_line(const struct wn_cfg_plasma *p)
{
  printf("model plasma: ");
  for (int d = 0; d < p->dim; d++)
    printf("%s%zu", d ? " x " : "", p->cells[d]);
  printf(" cells of ");
  for (int d = 0; d < p->dim; d++)
    printf("%s%.4g", d ? " x " : "", p->length[d] / (double)p->cells[d]);
  printf(" m, %d velocities, %s%zu step%s of %s%.4g s", p->velocities,
         p->adaptive.least != WN_AUTO ? "at least " : "", p->steps,
         p->steps == 1 ? "" : "s", p->adaptive.least != WN_AUTO ? "at most " : "",
         p->time_step);
  if (p->adaptive.least != WN_AUTO)
    printf(", at least %.4g s (plasma.adaptive.least)", p->adaptive.least);
  printf("\n");
}

/* A limit, the value of the scenario, and whether the scenario allows the limit to be exceeded. */
static void limit_line(const char *what, double value, const char *limit, int broken)
{
  printf("  %-44s %12.4g (%s)%s\n", what, value, limit,
         broken ? ", broken: plasma.allow" : "");
}

/* Followed densities. */
static void followed_lines(const struct wn_config *c, const struct wn_gas *g)
{
  for (size_t i = 0; i < c->n_followed; i++) {
    const struct wn_cfg_followed *d = &c->followed[i];
    for (size_t k = 0; k < g->n; k++)
      if (strcmp(c->components[k].name, d->name) == 0)
        printf(
            "density of %s followed from %.4g m-3, at most %.4g m-3, with a loss of %.4g "
            "s-1\n",
            d->name, d->density, g->density[k], d->loss);
  }
}

/* Reactions, and the part of the reactants that reacts in a step. */
static void reaction_lines(const struct wn_config *c)
{
  if (c->n_reactions > 0)
    printf("reactions, and the part of their particles that reacts in a step at the "
           "start\n");
  for (size_t i = 0; i < c->n_reactions; i++) {
    const struct wn_cfg_reaction *r = &c->reactions[i];
    const double part = wn_reaction_part(c, r);
    printf("  %-20s", r->name);
    for (size_t j = 0; j < r->n_reactants; j++)
      printf("%s%s", j > 0 ? " + " : " ", r->reactants[j]);
    printf(" ->");
    for (size_t j = 0; j < r->n_products; j++)
      printf("%s%s", j > 0 ? " + " : " ", r->products[j]);
    printf("%s, rate times time step %.4g (at most %g)\n",
           r->n_products == 0 ? " nothing" : "", part, WN_REACTION_COARSE);
  }
}

/* What an ionization emits, and how far that goes. */
static void photoionization_lines(const struct wn_config *c)
{
  if (!wn_photoionization_is_on(c))
    return;
  const struct wn_photon_gas gas = wn_photoionization_gas(c);
  printf(
      "photoionization\n  %.4g photons per ionization, absorbed by %.4g Pa of O2 within "
      "%.4g m on average\n",
      wn_photoionization_yield(c), wn_photoionization_oxygen(c),
      wn_photon_mean_length(&gas));
  const struct wn_pair_weights pairs = wn_photoionization_pairs(c);
  for (uint32_t i = 0; i < c->plasma.photoionization.n_distances; i++)
    printf("%s%.4g at %.4g m%s", i == 0 ? "  weights of pairs " : ", ", pairs.weight[i],
           pairs.at[i], i + 1 == pairs.n ? " from the axis\n" : "");
}

static void limits(const struct wn_config *c)
{
  struct wn_plasma_limits l;
  char what[128];
  wn_plasma_limits(c, &l);
  printf("limits\n");
  if (c->plasma.field == WN_FIELD_NODES)
    l.coldest = NULL; /* charge makes no field */
  else
    limit_line("plasma frequency times time step", l.omega_p_dt, "below 2",
               l.omega_p_dt >= WN_PLASMA_FREQUENCY);
  if (l.fastest != NULL) {
    snprintf(what, sizeof what, "cells crossed in a step by %.24s", l.fastest->name);
    limit_line(what, l.crossing, "at most 1", l.crossing > WN_PLASMA_CROSSING);
  }
  if (l.driven_one != NULL) {
    snprintf(what, sizeof what, "the same by %.24s from %.4g V", l.driven_one->name,
             l.voltage);
    limit_line(what, l.driven, "at most 1",
               l.driven > WN_PLASMA_CROSSING &&
                   (c->plasma.allow & WN_ALLOW_CELL_CROSSING));
  }
  if (l.coldest != NULL) {
    snprintf(what, sizeof what, "Debye length in cells, of %.24s", l.coldest->name);
    limit_line(what, l.debye / l.h_max, "at least 1/pi",
               l.h_max > WN_PLASMA_DEBYE * l.debye);
  }
  for (size_t i = 0; i < c->plasma.n_coulomb; i++) {
    const struct wn_cfg_coulomb *g = &c->plasma.coulomb[i];
    printf("  Coulomb collisions %s, frequency times interval %.4g (below %g), logarithm "
           "%.4g\n",
           g->name, wn_coulomb_first_s(c, g), WN_COULOMB_COARSE,
           wn_coulomb_first_logarithm(c, g));
  }
}

/* Memory of a run on a GPU, as far as it is known.  WN_EINPUT: more than the GPU has. */
static int plasma_on_gpu(const struct wn_config *c, const struct wn_device_plan *p)
{
  struct wn_gpu_info gpu;
  const double bytes = wn_plasma_gpu_bytes(c);
  if (p->device != WN_DEVICE_CUDA)
    return WN_OK;
  wn_check_memory_line("on the GPU: grid and particles, about", bytes);
  if (p->in_batches)
    wn_check_memory_line("on the GPU, particles in batches, about",
                         wn_plasma_batches_gpu_bytes(c));
  printf("  particles are %s\n", p->residence);
  if (p->no_gpu[0] != '\0')
    return WN_OK;
  WN_TRY(wn_gpu_describe(p->gpu, &gpu));
  if (p->in_batches || bytes <= (double)gpu.memory)
    return WN_OK;
  return WN_FAIL(
      WN_EINPUT,
      "%s: the run takes %.2f MiB of a GPU at the beginning, and cuda:%d has "
      "%.2f MiB; choose fewer cells (grid.cells) or particles "
      "(species.<NAME>.per_cell or .macroparticles), population.residence auto "
      "(batches), or device cpu",
      c->file, bytes / WN_CHECK_MIB, p->gpu, (double)gpu.memory / WN_CHECK_MIB);
}

static int check_collisions(const struct wn_config *c)
{
  struct wn_gas *gas = NULL;
  size_t n_electrons = 0;
  WN_TRY(wn_gas_create(c, &gas));
  for (size_t k = 0; k < c->n_species; k++)
    n_electrons += wn_config_is_electron(&c->species[k]);
  gas_line(c);
  if (n_electrons > 0) {
    electron_lines(c, gas);
    printf("%zu mobility step%s in a step, of %.4g candidates each\n",
           c->plasma.mobility_steps, c->plasma.mobility_steps == 1 ? "" : "s",
           gas->table->view.nu_max * c->plasma.time_step /
               (double)c->plasma.mobility_steps);
  }
  ion_lines(c, gas);
  followed_lines(c, gas);
  int status = wn_plasma_check_gas(c, gas);
  if (status == WN_OK)
    status = wn_followed_possible(c, gas);
  wn_gas_free(gas);
  return status;
}

static double average_bytes(const struct wn_config *c)
{
  double bytes = 0.0;
  for (size_t i = 0; i < c->plasma.n_averages; i++)
    bytes += wn_average_bytes(c, &c->plasma.averages[i]);
  for (size_t i = 0; i < c->plasma.n_distributions; i++)
    bytes += wn_distribution_bytes(c, &c->plasma.distributions[i]);
  return bytes;
}

/* Windows of averages and their memory, and the memory of sums at nodes for each thread. */
static void average_lines(const struct wn_config *c)
{
  char text[128];
  for (size_t i = 0; i < c->plasma.n_averages; i++) {
    const struct wn_cfg_average *a = &c->plasma.averages[i];
    const struct wn_window w = wn_average_window(c, a);
    snprintf(text, sizeof text, "averages %.16s, %.4g s to %.4g s", a->name, w.start,
             w.start + w.length);
    wn_check_memory_line(text, wn_average_bytes(c, a));
  }
  for (size_t i = 0; i < c->plasma.n_distributions; i++) {
    const struct wn_cfg_distribution *d = &c->plasma.distributions[i];
    snprintf(text, sizeof text, "distribution %.32s", d->name);
    wn_check_memory_line(text, wn_distribution_bytes(c, d));
  }
  if (wn_plasma_all_node_sums_bytes(c) > 0.0)
    wn_check_memory_line("sums of fluxes and energies, rates and power, of all threads",
                         wn_plasma_all_node_sums_bytes(c));
}

static void ten_moments_line(const struct wn_config *c)
{
  if (wn_plasma_ten_moments_bytes(c) > 0.0)
    wn_check_memory_line("ten moments, with the sums of all threads",
                         wn_plasma_ten_moments_bytes(c));
}

/* Particles in a trial of model plasma: enough to occupy the processors, or a GPU. */
#define FEW_HERE  2e5
#define FEW_THERE 3.2e7

/* Of a run that needs a GPU, and has none here: numbers of macroparticles are nearly those of a run on the CPU. */
static int growth_elsewhere(const struct wn_config *c, const struct wn_device_plan *p)
{
  struct wn_config here = *c;
  char device[] = "cpu", scheduler[] = "auto";
  struct wn_device_plan plan;
  struct wn_pilot growth;
  struct wn_gas *gas = NULL;
  printf("work: %.4g steps of particles; their time is not known on this machine\n",
         (double)c->plasma.steps * wn_plasma_moving(c));
  fflush(stdout);
  here.device = device;
  here.scheduler = scheduler;
  WN_TRY(wn_device_plan(&here, 1, &plan));
  int status = wn_config_has_gas(c) ? wn_gas_create(&here, &gas) : WN_OK;
  if (status == WN_OK)
    status = wn_forecast_growth(&here, gas, &plan, &growth);
  if (status == WN_OK)
    status = wn_check_growth(c, p, &growth);
  wn_gas_free(gas);
  return status;
}

/* bytes: of the particles at the start; device: s that it took to find and start it. */
static int plasma_work(const struct wn_config *c, const struct wn_device_plan *p,
                       double bytes, const struct wn_check_ranks *r, double device)
{
  const double steps = (double)c->plasma.steps,
               memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  struct wn_plasma_cost cost = {0};
  struct wn_gas *gas = NULL;
  char time[32];
  if (wn_plasma_grid_bytes(c) > 0.5 * memory) {
    printf(
        "work: %.4g steps of particles; their time was not measured, as the grid alone "
        "takes more than half of this machine's memory\n",
        steps * wn_plasma_moving(c));
    return WN_OK;
  }
  fflush(stdout);
  if (p->device == WN_DEVICE_CUDA && p->no_gpu[0] != '\0')
    return growth_elsewhere(c, p);
  const double before = wn_clock_now();
  int status = wn_config_has_gas(c) ? wn_gas_create(c, &gas) : WN_OK;
  const double tables = device + wn_clock_now() - before;
  if (status == WN_OK)
    status = wn_forecast_plasma(
        c, gas, p, p->device == WN_DEVICE_CUDA ? FEW_THERE : FEW_HERE, &cost);
  wn_gas_free(gas);
  WN_TRY(status);
  const double step = cost.grid + cost.diags + cost.particle * cost.moves,
               all = cost.growth.steps;
  char number[64] = "stays constant";
  if (cost.growth.at_end != 1.0)
    snprintf(number, sizeof number, "becomes %.3g times that at the start",
             cost.growth.at_end);
  printf(
      "work: %.4g steps of particles in about %s, if their number %s: %.3g us a step for "
      "the grid and diagnostics, %.3g ns for a particle, from some steps on this "
      "machine\n",
      all * cost.moves, wn_check_time_text(all * step, time, sizeof time), number,
      1e6 * (cost.grid + cost.diags), 1e9 * cost.particle);
  start_line(p, tables + cost.create + cost.release * cost.n);
  WN_TRY(wn_check_growth(c, p, &cost.growth));
  if (r->n == 1)
    return WN_OK;
  wn_check_ranks_plasma(c, p, r, &cost, bytes, all);
  return WN_OK;
}

/* Sparse grids: how many, and particles of a standard grid with as little noise. */
static void sparse_lines(const struct wn_config *c)
{
  struct wn_components grids;
  const struct wn_sparse_spec spec = wn_plasma_sparse_spec(c);
  if (c->plasma.field != WN_FIELD_SPARSE ||
      wn_components_make(&spec.levels, &grids) != WN_OK)
    return;
  const double noise = wn_sparse_noise(&grids),
               standard = wn_sparse_standard_noise(grids.dim, grids.n);
  printf("  sparse grids: %d component grids with %lld nodes, %d parents with %lld\n",
         grids.n_components, (long long)grids.nodes, grids.n_parents,
         (long long)grids.parent_nodes);
  printf(
      "  noise: N Var(rho)/rho^2 of N random particles %.4g, of the standard grid %.4g: "
      "as little noise takes %.3g times as many particles there\n",
      noise, standard, standard / noise);
  printf("  E for the particles: combined at nodes %.3g MB, at the particle %.3g MB "
         "(plasma.sparse.combine)\n",
         1e-6 * sizeof(float) *
             (double)wn_sparse_floats(&grids, WN_SPARSE_NODES, &spec.full.grid),
         1e-6 * sizeof(float) *
             (double)wn_sparse_floats(&grids, WN_SPARSE_PARTICLE, &spec.full.grid));
}

/* Units with c = 1, and E and B on nodes. */
static void nodal_lines(const struct wn_config *c)
{
  const struct wn_cfg_plasma *p = &c->plasma;
  struct wn_normalized n;
  if (wn_config_normalized(c, &n))
    printf("  units of %s: / omega_0 = %.6g s, c / omega_0 = %.6g m, c = %.6g m/s,\n"
           "    m omega_0 / q = %.6g T, m c omega_0 / q = %.6g V/m\n",
           p->reference, 1.0 / n.omega, n.length, WN_C, n.magnetic, n.electric);
  if (p->field != WN_FIELD_NODES)
    return;
  printf("  E and B on nodes ");
  if (p->nodes.path != NULL)
    put_named(p->nodes.path, "from ");
  else
    printf("by formula\n");
  double angle = 0.0;
  for (size_t k = 0; k < c->n_species; k++) {
    const struct wn_cfg_species *s = &c->species[k];
    const double b = fabs(p->nodes.by.b0) + sqrt(p->magnetic[0] * p->magnetic[0] +
                                                 p->magnetic[1] * p->magnetic[1] +
                                                 p->magnetic[2] * p->magnetic[2]);
    if (s->mobile)
      angle = fmax(angle, fabs(s->charge) * WN_E * b * p->time_step / s->mass);
  }
  if (angle > 0.0)
    printf("  largest angle of gyration in a step, without perturbations and gamma: %.4g "
           "rad\n",
           angle);
}

/* Sources, and about how many of their particles there will be.  A store that these would
 * fill is warned of. */
static void source_lines(const struct wn_config *c)
{
  for (size_t i = 0; i < c->plasma.n_sources; i++) {
    const struct wn_cfg_source *o = &c->plasma.sources[i];
    const double dt = c->plasma.time_step,
                 all = wn_source_number(c, o, (double)c->plasma.steps * dt),
                 on = (o->end == WN_AUTO ? (double)c->plasma.steps * dt
                                         : fmin(o->end, (double)c->plasma.steps * dt)) -
                      o->start;
    printf("  source %-13s %12.4g particles a step from %s, %.4g in all\n", o->name,
           on > 0.0 ? all / on * dt : 0.0, o->wall != NULL ? o->wall : "a region", all);
  }
  for (size_t k = 0; k < c->n_species; k++) {
    const double n = wn_source_residents(c, &c->species[k]);
    if (n + wn_plasma_particles(c, &c->species[k]) > (double)c->capacity)
      wn_log(
          WN_LOG_WARN,
          "%s: sources will keep about %.3g particles of species %s in the domain, and "
          "population.capacity is %zu; raise it, or lower plasma.sources.<NAME>.per_step",
          c->file, n, c->species[k].name, c->capacity);
  }
}

static double source_bytes(const struct wn_config *c)
{
  double bytes = 0.0;
  for (size_t k = 0; k < c->n_species; k++)
    bytes +=
        wn_source_residents(c, &c->species[k]) * (double)wn_plasma_record(c, k).bytes;
  return bytes;
}

static int check_plasma(const struct wn_config *c, const struct wn_device_plan *p,
                        const struct wn_check_ranks *ranks, double device)
{
  char text[128];
  size_t least = WN_RECORD_MAX, most = 0;
  grid_line(&c->plasma);
  sparse_lines(c);
  nodal_lines(c);
  if (wn_config_has_gas(c))
    WN_TRY(check_collisions(c));
  for (size_t i = 0; i < c->n_species; i++) {
    const struct wn_cfg_species *s = &c->species[i];
    double n = wn_plasma_particles(c, s);
    if (isnan(n)) {
      printf("  %-20s particles of ", s->name);
      wn_clean_put(stdout, s->file);
      printf(", of charge %.4g e%s\n", s->charge, s->mobile ? "" : ", immobile");
    } else {
      printf("  %-20s %12.0f particles of charge %.4g e%s\n", s->name, n, s->charge,
             s->mobile ? "" : ", immobile");
    }
  }
  source_lines(c);
  limits(c);
  wn_check_circuits(c);
  reaction_lines(c);
  photoionization_lines(c);
  printf("memory\n");
  wn_check_memory_line("grid: charge, potential and field, about",
                       wn_plasma_grid_bytes(c));
  for (size_t i = 0; i < c->n_species; i++) {
    const size_t bytes = wn_plasma_record(c, i).bytes;
    least = bytes < least ? bytes : least;
    most = bytes > most ? bytes : most;
  }
  if (least < most)
    snprintf(text, sizeof text, "particles at the start, %zu or %zu bytes each", least,
             most);
  else
    snprintf(text, sizeof text, "particles at the start, %zu bytes each", most);
  const double particles = wn_plasma_bytes(c) - wn_plasma_grid_bytes(c) -
                           wn_plasma_order_bytes(c) - wn_plasma_diagnostics_bytes(c);
  wn_check_memory_line(text, particles);
  if (c->plasma.n_sources > 0)
    wn_check_memory_line("particles of sources, about", source_bytes(c));
  if (wn_plasma_order_bytes(c) > 0 && p->device == WN_DEVICE_CPU)
    wn_check_memory_line("a second array, to sort them by cells",
                         wn_plasma_order_bytes(c));
  if (c->plasma.n_coulomb > 0)
    wn_check_memory_line("Coulomb collisions: particles by cells", wn_coulomb_bytes(c));
  if (c->plasma.n_merging > 0 && p->device == WN_DEVICE_CPU)
    wn_check_memory_line("merging: particles by cells", wn_merging_bytes(c));
  if (wn_test_electrons_are_on(c))
    wn_check_memory_line("test electrons, at most about", wn_test_electrons_bytes(c));
  average_lines(c);
  ten_moments_line(c);
  WN_TRY(plasma_on_gpu(c, p));
  if (c->plasma.fields_interval != WN_AUTO)
    wn_check_memory_line("maps in the output file before compression, about",
                         8.0 * wn_diags_maps(c) * wn_plasma_map_nodes(c) *
                             wn_plasma_map_values(c));
  disk_lines(particles + wn_plasma_grid_bytes(c) + average_bytes(c), 0.0);
  return plasma_work(c, p, particles, ranks, device);
}

/* The gases of all scan points, which a run would read one after the other. */
static int check_points(const struct wn_scenarios *p)
{
  struct wn_gas *first = NULL, *g = NULL;
  printf("scan: %zu points of %zu cases each, %zu in all; the lines below are for the "
         "first point\n",
         p->n, p->c[0]->own_cases, p->c[0]->n_cases);
  for (size_t j = 0; j < p->c[0]->n_scans; j++)
    printf("  %-20s %zu values of %s\n", p->c[0]->scans[j].name,
           p->c[0]->scans[j].n_values, p->c[0]->scans[j].key);
  int status = wn_gas_create(p->c[0], &first);
  for (size_t i = 1; i < p->n && status == WN_OK; i++) {
    status = wn_gas_create(p->c[i], &g);
    if (status == WN_OK)
      status = wn_gas_same_processes(first, g);
    wn_gas_free(g);
    g = NULL;
  }
  wn_gas_free(first);
  return status;
}

int wn_check(const struct wn_scenarios *points, const struct wn_check_ranks *asked)
{
  const struct wn_config *c = points->c[0];
  struct wn_check_ranks ranks = *asked;
  struct wn_device_plan p;
  if (c->model == WN_MODEL_PLASMA)
    WN_TRY(wn_plasma_fits(c));
  for (size_t i = 0; c->model == WN_MODEL_PLASMA && i < c->n_species; i++)
    if (c->species[i].profile == WN_PROFILE_FILE)
      WN_TRY(wn_loading_check_file(c, &c->species[i]));
  WN_TRY(wn_divide_pays(points, ranks.n, &ranks.divides_cases));
  const double before = wn_clock_now();
  WN_TRY(wn_device_plan(c, ranks.divides_cases ? 1 : ranks.n, &p));
  wn_clean_put(stdout, c->file);
  put_named(c->output, ": the scenario is valid; the output file would be ");
  WN_TRY(check_device(&p)); /* makes the context of a GPU */
  const double device = wn_clock_now() - before;
  if (c->n_scans > 0)
    WN_TRY(check_points(points));
  if (c->model == WN_MODEL_PLASMA)
    return check_plasma(c, &p, &ranks, device);
  return check_mcc(c, &p, &ranks, ranks.n > 1 ? 1 : wn_divide_beside(points, &p), device);
}
