/* src/run/time_loop.c - the loop over the steps of a case, with its output and checkpoints.  The step
 * is src/run/step.c, the loop over cases src/run/cases.c. */
#include "src/run/run.h"
#include <stdio.h>
#include "base/error.h"
#include "base/log.h"
#include "base/ranks.h"
#include "particles/load_balance.h"
#include "src/diag/diag.h"
#include "src/run/cases.h"
#include "src/run/signals.h"
#include "src/run/step.h"
#include "src/sim/particle_bounds.h"

#define MAX_DIAGS 16

/* The current case: job and diagnostics. */
struct case_run {
  const struct wn_job_ops *ops;
  struct wn_job *job;
  struct wn_diag *diag[MAX_DIAGS]; /* in the order of ops->diags; NULL: no state */
};

/* A step and what follows it, all at time t + dt. */
static int step_and_sample(struct wn_sim *s, struct case_run *w, struct wn_output *o)
{
  WN_TRY(wn_step(s, w->ops->interval(w->job)));

  /* BOUNDS: is the state of every particle within its limits? */
  if (s->n_steps % WN_BOUNDS_EVERY == 0)
    WN_TRY(wn_bounds_look(s));

  /* POPULATION: control of numbers and weights of each species, towards its target */
  for (size_t k = 0; k < s->n_species; k++)
    WN_TRY(wn_species_control(s->species[k]));

  /* SAMPLES: diagnostics read the particles, and change nothing */
  for (size_t k = 0; w->ops->diags[k] != NULL; k++)
    if (w->ops->diags[k]->sample != NULL)
      WN_TRY(w->ops->diags[k]->sample(w->diag[k], s, o));

  /* JOB: the length of the next step, the start of a measurement (a swarm then returns to
   * the origin with its initial weights), the end of the case */
  return w->ops->next(w->job, s);
}

static void end_case(struct case_run *w)
{
  for (size_t k = 0; w->ops->diags[k] != NULL; k++)
    if (w->diag[k] != NULL)
      w->ops->diags[k]->free(w->diag[k]);
  if (w->job != NULL)
    w->ops->free(w->job);
}

static int begin_case(const struct wn_job_ops *ops, struct wn_sim *s, struct case_run *w)
{
  *w = (struct case_run){.ops = ops};
  WN_TRY(ops->create(s, &w->job));
  for (size_t k = 0; ops->diags[k] != NULL; k++) {
    WN_ASSERT(k < MAX_DIAGS);
    if (ops->diags[k]->create != NULL)
      WN_TRY(ops->diags[k]->create(s, &w->diag[k]));
  }
  if (ops->use_diags != NULL)
    ops->use_diags(w->job, w->diag);
  return WN_OK;
}

/* Writes the record and the line of a finished case. */
static int report(struct wn_sim *s, struct case_run *w, struct wn_output *o, FILE *to)
{
  const int enough = w->ops->enough == NULL || w->ops->enough(w->job);
  WN_TRY(wn_bounds_look(s));
  wn_bounds_report(s);
  for (size_t k = 0; w->ops->diags[k] != NULL; k++)
    if (w->ops->diags[k]->write != NULL)
      WN_TRY(w->ops->diags[k]->write(w->diag[k], s, enough, o));
  if (w->ops->finish != NULL)
    WN_TRY(w->ops->finish(w->job, s, w->diag, o, to));
  fflush(to);
  return wn_output_sync(o);
}

/* The store is full, which is logged: the run ends at the time of the last finished step. */
static int say_stopped(const struct wn_sim *s, const struct wn_job_ops *ops,
                       struct wn_output *o)
{
  char why[256];
  ops->full(s, why, sizeof why);
  wn_log(WN_LOG_WARN, "%s; the results up to this time are in %s; %s", why, s->c->output,
         wn_config_more_room(s->c));
  return wn_output_stopped(o, why);
}

/* ---- checkpoints */

struct in_hand {
  struct wn_sim *s;
  struct case_run *w;
};

static int case_state(void *ctx, struct wn_state *st)
{
  struct in_hand *h = ctx;
  WN_TRY(wn_sim_state(h->s, st));
  WN_TRY(h->w->ops->state(h->w->job, st));
  for (size_t k = 0; h->w->ops->diags[k] != NULL; k++)
    if (h->w->ops->diags[k]->state != NULL)
      WN_TRY(h->w->ops->diags[k]->state(h->w->diag[k], st));
  return WN_OK;
}

static int save(struct wn_sim *s, struct case_run *w, struct wn_run_state *r)
{
  struct in_hand h = {s, w};
  wn_progress_wipe(&r->progress);
  if (r->divide != NULL)
    return wn_divide_save(r->divide, &r->saver, case_state, &h);
  return wn_saver_save(&r->saver, &r->place, r->o, case_state, &h);
}

/* saved: the status of the checkpoint. */
static int at_limit(const struct wn_run_state *r, int saved)
{
  WN_TRY(saved);
  return WN_FAIL(WN_ELIMIT,
                 "the run reached its limit, checkpoint.wall_limit or .step_limit; "
                 "--restart auto continues from %s",
                 r->saver.path);
}

/* Worker 0 saves the case; an invalid state is not saved. */
static int give_state(void *ctx, struct wn_state *st)
{
  const struct in_hand *h = ctx;
  WN_TRY(wn_bounds_finite(h->s));
  return case_state(ctx, st);
}

/* After a step: a checkpoint, if one is due.  If it cannot be written, the run continues. */
static int save_if_due(struct wn_sim *s, struct case_run *w, struct wn_run_state *r)
{
  double bytes = 0.0;
  if (r->divide != NULL &&
      !wn_divide_is_first(r->divide)) /* worker 0 requests its state */
    return wn_divide_is_process(r->divide) ? wn_signals_interrupted() : WN_OK;
  if (r->divide != NULL)
    wn_signals_stop(wn_divide_signal(r->divide));
  for (size_t k = 0; k < s->n_species; k++)
    bytes += (double)wn_particles_all(&s->species[k]->p) *
             (double)s->species[k]->p.record.bytes;
  enum wn_saver_due due =
      (enum wn_saver_due)wn_ranks_first((int)wn_saver_step(&r->saver, bytes));
  wn_signals_share();
  if (wn_signals_stopped() != 0) {
    if (wn_ranks_first(wn_saver_is_worth_it(&r->saver)) && wn_bounds_finite(s) == WN_OK &&
        save(s, w, r) == WN_OK)
      wn_log(WN_LOG_INFO, "%s: written; --restart auto continues from it", r->saver.path);
    return wn_signals_interrupted();
  }
  if (w->ops->done(w->job)) /* the results follow, which take no longer */
    due = WN_DUE_NOTHING;
  if (due != WN_DUE_NOTHING || wn_signals_save_requested())
    WN_TRY(wn_bounds_finite(s)); /* an invalid state is not saved, and ends the run */
  if (due == WN_DUE_SAVE_AND_END)
    return at_limit(r, save(s, w, r));
  if ((due == WN_DUE_SAVE || wn_signals_save_requested()) && save(s, w, r) != WN_OK)
    wn_log(WN_LOG_WARN, "there is no new checkpoint; the run continues");
  wn_signals_save_done();
  return WN_OK;
}

/* Restores the case of the checkpoint. */
static int restore(struct wn_sim *s, struct case_run *w, struct wn_run_state *r)
{
  struct in_hand h = {s, w};
  struct wn_state *st = &r->restart->file.state;
  WN_TRY(case_state(&h, st));
  if (st->at != st->n)
    return WN_FAIL(WN_EINPUT, "%s: its state is longer than that of this run",
                   r->restart->path);
  wn_log(WN_LOG_INFO, "%s: continues at %.6g s, after %llu steps", r->restart->path,
         s->time, (unsigned long long)s->n_steps);
  wn_progress_goes_on(&r->progress, s->time, s->species[0]->candidates,
                      s->species[0]->real);
  wn_restart_free(r->restart);
  r->restart = NULL;
  return WN_OK;
}

/* Takes threads that have no more cases, where cases run side by side. */
static int take_free_threads(struct wn_sim *s, struct wn_run_state *r)
{
  const int threads = r->divide != NULL ? wn_divide_threads(r->divide) : 0;
  if (threads <= r->shared->c[0]->threads)
    return WN_OK;
  for (size_t i = 0; i < r->shared->n; i++)
    r->shared->c[i]->threads = threads;
  r->plan->options.threads = threads;
  return r->plan->device == WN_DEVICE_CPU ? wn_sim_use(s, r->plan->ops, &r->plan->options)
                                          : WN_OK;
}

static int watch(struct wn_sim *s, const struct case_run *w, const struct wn_run_state *r)
{
  return r->watch != NULL ? r->watch->at(r->watch->ctx, s, w->ops->done(w->job)) : WN_OK;
}

int wn_run_case(struct wn_sim *s, const struct wn_job_ops *ops, size_t i_case,
                struct wn_run_state *r)
{
  struct case_run w;
  r->place.i_case = i_case;
  int status = wn_sim_begin(s, i_case);
  if (status == WN_EFULL) { /* the capacity is below the number of primaries */
    WN_TRY(say_stopped(s, ops, r->o));
    return WN_EFULL;
  }
  if (status != WN_OK)
    return status;
  status = begin_case(ops, s, &w);
  wn_progress_case(&r->progress, wn_config_case_text(s->c, i_case));
  if (status == WN_OK && r->restart != NULL)
    status = restore(s, &w, r);
  wn_saver_begin(&r->saver);
  wn_capacity_begin(&r->capacity, s);
  if (status == WN_OK)
    status = watch(s, &w, r);
  while (status == WN_OK && !ops->done(w.job)) {
    if (ops->rows)
      wn_progress_wipe(&r->progress);
    status = step_and_sample(s, &w, r->o);
    if (status == WN_OK) {
      wn_capacity_check(&r->capacity, s, ops);
      wn_progress_step(&r->progress, s->time, wn_sim_particles(s), wn_capacity_limit(s),
                       s->species[0]->candidates, s->species[0]->real,
                       wn_progress_due(&r->progress) ? ops->fraction(w.job, s) : 0.0);
      struct in_hand h = {s, &w};
      if (r->divide != NULL)
        status = wn_divide_poll(r->divide, give_state, &h);
      if (status == WN_OK && r->beside > 1)
        status = take_free_threads(s, r);
      if (status == WN_OK)
        status = save_if_due(s, &w, r);
      if (status == WN_OK)
        status = watch(s, &w, r);
    }
  }
  wn_progress_end_case(&r->progress);
  const int is_full = status == WN_EFULL;
  if (is_full)
    status = say_stopped(s, ops, r->o);
  if (status == WN_OK)
    status = report(s, &w, r->o, r->to);
  end_case(&w);
  return status == WN_OK && is_full ? WN_EFULL : status;
}

/* Worker 0 without a case: acts on clock and signals. */
int wn_run_wait(struct wn_run_state *r)
{
  struct in_hand none = {0};
  enum wn_saver_due due = wn_saver_wait(&r->saver);
  wn_signals_stop(wn_divide_signal(r->divide));
  if (wn_signals_stopped() != 0 && wn_saver_is_worth_it(&r->saver))
    due = WN_DUE_SAVE_AND_END;
  const int status = due != WN_DUE_NOTHING || wn_signals_save_requested()
                         ? wn_divide_save(r->divide, &r->saver, case_state, &none)
                         : WN_OK;
  if (status != WN_OK && due != WN_DUE_SAVE_AND_END)
    wn_log(WN_LOG_WARN, "there is no new checkpoint; the run continues");
  wn_signals_save_done();
  WN_TRY(wn_signals_interrupted());
  return due == WN_DUE_SAVE_AND_END ? at_limit(r, status) : WN_OK;
}
