/* src/run/forecast_diags.c - see forecast_diags.h. */
#include "src/run/forecast_diags.h"
#include <math.h>
#include <string.h>
#include "base/clock.h"
#include "base/error.h"
#include "device/gpu.h"
#include "src/config/averages.h"
#include "src/config/distributions.h"
#include "src/config/plasma_derived.h"
#include "src/config/plasma_limits.h"
#include "src/diag/diag.h"
#include "src/jobs/job.h"
#include "src/run/step.h"

#define FEWEST 3 /* steps at least: the first is slower, and alone has a map */

/* bytes of a map above which it is not tried: memory holds the file */
#define LARGEST_MAP (256.0 * 1024.0 * 1024.0)

/* Bytes of maps of ten moments at each of so many steps. */
static double ten_moments_bytes(const struct wn_config *c, size_t steps)
{
  return 8.0 * wn_plasma_nodes(c) * (1.0 + 16.0 * (double)c->n_species) * (double)steps;
}

void wn_trial_diags_scenario(const struct wn_config *c, size_t steps,
                             struct wn_cfg_average *windows, struct wn_config *few)
{
  struct wn_cfg_plasma *p = &few->plasma;
  *few = *c;
  p->steps = steps;
  p->averages = windows;
  for (size_t i = 0; i < c->plasma.n_averages; i++) {
    const struct wn_window w = wn_average_window(c, &c->plasma.averages[i]);
    windows[i] = c->plasma.averages[i];
    windows[i].start = 0.0;
    windows[i].every = 1;
    if (windows[i].periods == 0)
      windows[i].length = w.length;
  }
  p->integrals_interval = WN_AUTO;
  p->particles_interval = WN_AUTO;
  const double maps =
      8.0 * wn_plasma_map_nodes(c) * (double)(2 + p->dim) * (double)(1 + c->n_species);
  if (p->fields_interval != WN_AUTO)
    p->fields_interval =
        maps > LARGEST_MAP ? WN_AUTO : p->time_step * (double)(steps + 1);
  if (p->moments_interval != WN_AUTO)
    p->moments_interval =
        ten_moments_bytes(c, steps) > LARGEST_MAP ? WN_AUTO : p->time_step;
}

double wn_diags_rows(const struct wn_config *c)
{
  const double every = c->plasma.integrals_interval == WN_AUTO
                           ? 1.0
                           : (double)wn_plasma_every(c, c->plasma.integrals_interval);
  return floor((double)c->plasma.steps / every);
}

double wn_diags_maps(const struct wn_config *c)
{
  return c->plasma.fields_interval == WN_AUTO
             ? 0.0
             : ceil((double)c->plasma.steps /
                    (double)wn_plasma_every(c, c->plasma.fields_interval));
}

/* Steps of a window, in the run. */
static double steps_of(const struct wn_config *c, const struct wn_window *w)
{
  const double steps = (double)c->plasma.steps,
               end = fmin(steps, (w->start + w->length) / c->plasma.time_step);
  return w->blocks > 0 ? fmax(0.0, end - (double)w->first) : 0.0;
}

double wn_diags_samples(const struct wn_config *c)
{
  double n = 0.0;
  for (size_t i = 0; i < c->plasma.n_averages; i++) {
    const struct wn_window w = wn_average_window(c, &c->plasma.averages[i]);
    n += steps_of(c, &w) / (double)w.every;
  }
  return c->plasma.n_averages > 0 ? n / (double)c->plasma.n_averages : 0.0;
}

/* Samples of distributions, on average: of regions as their windows, at walls each step of these. */
static double taken(const struct wn_config *c)
{
  double n = 0.0;
  for (size_t i = 0; i < c->plasma.n_distributions; i++) {
    const struct wn_cfg_distribution *d = &c->plasma.distributions[i];
    const struct wn_window w =
        wn_average_window(c, &c->plasma.averages[wn_distribution_window(c, d)]);
    n += steps_of(c, &w) / (d->wall != NULL ? 1.0 : (double)w.every);
  }
  return c->plasma.n_distributions > 0 ? n / (double)c->plasma.n_distributions : 0.0;
}

/* Steps in which a diagnostic does what it did in the trial. */
static double steps_with(const struct wn_config *c, const struct wn_diag_ops *ops)
{
  const double steps = (double)c->plasma.steps;
  if (ops == &wn_diag_integrals)
    return fmin(steps,
                2.5 * wn_diags_rows(c)); /* the field thrice, species twice a row */
  return ops == &wn_diag_maps            ? wn_diags_maps(c)
         : ops == &wn_diag_averages      ? wn_diags_samples(c)
         : ops == &wn_diag_ten_moments   ? (double)wn_plasma_moment_records(c)
         : ops == &wn_diag_distributions ? taken(c)
                                         : 0.0;
}

void wn_diags_time_same(const struct wn_config *c, struct wn_diags_time *a,
                        struct wn_diags_time *b)
{
  const struct wn_diag_ops *const *ops = wn_job_of(c)->diags;
  a->file = b->file = fmin(a->file, b->file);
  a->block = b->block = fmin(a->block, b->block);
  for (size_t k = 0; ops[k] != NULL; k++)
    if (ops[k] == &wn_diag_maps)
      a->sample[k] = b->sample[k] = fmin(a->sample[k], b->sample[k]);
}

double wn_diags_step(const struct wn_config *c, const struct wn_diags_time *t)
{
  const struct wn_diag_ops *const *ops = wn_job_of(c)->diags;
  double all = isfinite(t->file) ? t->file : 0.0; /* a trial may have ended before */
  if (isfinite(t->block))
    all += t->block * ceil(wn_diags_rows(c) / WN_INTEGRALS_BLOCK);
  for (size_t k = 0; ops[k] != NULL; k++)
    if (isfinite(t->sample[k]))
      all += t->sample[k] * steps_with(c, ops[k]);
  return all / (double)c->plasma.steps;
}

/* As src/run/cases.c, in memory. */
static int open_file(const struct wn_config *c, const struct wn_gas *gas,
                     const struct wn_diag_ops *const *ops, struct wn_output *o)
{
  for (size_t k = 0; ops[k] != NULL; k++)
    WN_TRY(ops[k]->define(o, c, gas));
  WN_TRY(wn_output_end_define(o));
  for (size_t k = 0; ops[k] != NULL; k++)
    if (ops[k]->begin != NULL)
      WN_TRY(ops[k]->begin(o, c, gas));
  return WN_OK;
}

/* All work of a step is done: a GPU may not have finished it. */
static int drain(const struct wn_sim *s)
{
  return s->gpu != NULL ? wn_gpu_drain(s->gpu) : WN_OK;
}

static int make_steps(struct wn_sim *s, const struct wn_diag_ops *const *ops,
                      struct wn_diag **diag, struct wn_output *o, size_t steps,
                      double created, double budget, struct wn_diags_time *t)
{
  const double begun = wn_clock_now();
  double of_maps = 0.0;
  for (size_t i = 0; i < steps; i++) {
    WN_TRY(wn_step(s, s->c->plasma.time_step));
    WN_TRY(drain(s));
    for (size_t k = 0; ops[k] != NULL; k++) {
      const double before = wn_clock_now();
      if (ops[k]->sample == NULL)
        continue;
      WN_TRY(ops[k]->sample(diag[k], s, o));
      const double took = wn_clock_now() - before;
      /* the first sample reserves memory; a map is that of the first step */
      if ((ops[k] == &wn_diag_maps) == (i == 0))
        t->sample[k] = fmin(t->sample[k], took);
      of_maps += ops[k] == &wn_diag_maps ? took : 0.0;
    }
    if (i == 0)
      t->first = fmin(t->first, wn_clock_now() - created - of_maps);
    if (i + 1 >= FEWEST && wn_clock_now() - begun > budget)
      break;
  }
  const double before = wn_clock_now();
  for (size_t k = 0; ops[k] != NULL; k++)
    if (ops[k]->write != NULL)
      WN_TRY(ops[k]->write(diag[k], s, 1, o));
  t->block = fmin(t->block, wn_clock_now() - before);
  return WN_OK;
}

int wn_trial_diags(struct wn_sim *s, const struct wn_gas *gas, size_t steps,
                   double budget, struct wn_diags_time *t)
{
  const struct wn_diag_ops *const *ops = wn_job_of(s->c)->diags;
  struct wn_diag *diag[WN_TRIAL_DIAGS] = {NULL};
  struct wn_output *o = NULL;
  const double before = wn_clock_now();
  WN_TRY(wn_output_create_in_memory(&o));
  int status = open_file(s->c, gas, ops, o);
  const double opened = wn_clock_now();
  for (size_t k = 0; ops[k] != NULL && status == WN_OK; k++) {
    WN_ASSERT(k < WN_TRIAL_DIAGS);
    if (ops[k]->create != NULL)
      status = ops[k]->create(s, &diag[k]);
  }
  if (status == WN_OK)
    status = make_steps(s, ops, diag, o, steps, opened, budget, t);
  for (size_t k = 0; ops[k] != NULL; k++)
    if (diag[k] != NULL)
      ops[k]->free(diag[k]);
  const double then = wn_clock_now();
  wn_output_discard(o);
  t->file = fmin(t->file, opened - before + wn_clock_now() - then);
  return status;
}
