/* src/run.c - THE STEP, and the loop around it: a case, with what is reported and saved of it.  The loop over cases is
 * src/course.c. */
#include "src/run.h"
#include <stdio.h>
#include "base/error.h"
#include "base/log.h"
#include "base/ranks.h"
#include "particles/parts.h"
#include "src/bounds.h"
#include "src/course.h"
#include "src/diag.h"
#include "src/emission.h"
#include "src/signals.h"

#define MAX_DIAGS 16

/* FLY and COLLIDE: a species from t to t + dt, in mobility steps of h = dt/n, each particle by
 * itself through any number of collisions.  BIRTHS join it for the time that remains, DEATHS
 * are marked.  Weights are fixed; the tallies add up.
 *
 * n is 1, but for electrons that collide in a grid.  These gather before each mobility step,
 * where they will be in the middle of it, x + v h/2: without collisions that is
 * drift-kick-drift in a field which is that of t + dt/2 for all n of them. */
static int fly(struct wn_species *s, const struct wn_field_view *field, double t,
               double dt)
{
  const double h = dt / s->mobility_steps;
  for (unsigned i = 0; i < s->mobility_steps; i++) {
    if (i > 0) /* the first has gathered with all others */
      WN_TRY(wn_species_gather(s, field, t + i * h, h));
    WN_TRY(wn_species_advance(s, t + i * h, h));
  }
  return WN_OK;
}

/* SUBCYCLING: does a species move in this step, of those from the last restart on?  In the
 * middle of its own n, so that the field which it takes, and the charge which it is before
 * and after, are on average those of the time at which they act. */
static int moves(const struct wn_sim *s, const struct wn_species *of)
{
  return s->phases % of->subcycling == of->subcycling / 2;
}

/* One step.  On entry all x and u belong to the time t, on return to t + dt; but those of a
 * species that is subcycled to the begin of its own n steps, and from the one in the middle
 * on to their end. */
int wn_step(struct wn_sim *s, double dt)
{
  const double t = s->time;
  struct wn_species *const *species = s->species;
  struct wn_particles *p[WN_MAX_SPECIES];
  struct wn_field_view field;
  s->interval = dt;
  for (size_t k = 0; k < s->n_species; k++) {
    /* to the processors or the GPU */
    WN_TRY(wn_species_hold(species[k], t, dt * species[k]->subcycling));
    p[k] = &species[k]->p;
  }

  /* SOLVE: the field that holds from t to t + dt.  The charge is taken where it will be in
   * the middle, at x + v dt/2 (fields/electrostatic.h); counts are those at x(t) */
  if (s->field->ops->solve != NULL)
    WN_TRY(s->field->ops->solve(s->field, p, s->n_species, t, dt));
  s->field->ops->view(s->field, &field);

  /* GATHER, by those who hold E during a mobility step: at x(t), or where they will be in
   * its middle (physics/mcc_grid.h).  The others feel the same E and B everywhere, or ask
   * on their way, in the middle of each mobility step: drift, kick, drift
   * (physics/point.h) */
  for (size_t k = 0; k < s->n_species; k++)
    if (moves(s, species[k]))
      WN_TRY(wn_species_gather(species[k], &field, t,
                               dt * species[k]->subcycling / species[k]->mobility_steps));
  if (s->field->ops->leave != NULL)
    WN_TRY(s->field->ops->leave(s->field, p, s->n_species));

  /* FLY and COLLIDE, to x(t + dt), u(t + dt); a GPU begins with all of them at once */
  for (size_t k = 0; k < s->n_species; k++)
    if (moves(s, species[k]))
      WN_TRY(wn_species_launch(species[k], t, dt * species[k]->subcycling));
  for (size_t k = 0; k < s->n_species; k++)
    if (moves(s, species[k]))
      WN_TRY(fly(species[k], &field, t, dt * species[k]->subcycling));
  s->time = t + dt;
  s->phases++;

  /* IONS appear where something was ionized or attached; they have not moved yet */
  for (size_t k = 0; k < s->n_species; k++)
    WN_TRY(wn_species_leave(species[k]));

  /* SECONDARY ELECTRONS leave the walls for ions that ended there; nor have they moved */
  if (s->emission != NULL)
    WN_TRY(wn_emission_leave(s->emission));

  /* the dead leave the store; was a bound broken, the end of a table reached? */
  for (size_t k = 0; k < s->n_species; k++)
    WN_TRY(wn_species_bury(species[k]));
  return wn_sim_alarms(s);
}

/* What belongs to the case in hand. */
struct watch {
  const struct wn_job_ops *ops;
  struct wn_job *job;
  struct wn_diag *diag[MAX_DIAGS]; /* as ops->diags are; NULL: nothing is kept */
};

/* A step and what follows it, all at the time t + dt. */
static int step_and_look(struct wn_sim *s, struct watch *w, struct wn_output *o)
{
  WN_TRY(wn_step(s, w->ops->interval(w->job)));

  /* BOUNDS: is the state of every particle what it may be? */
  if (s->phases % WN_BOUNDS_EVERY == 0)
    WN_TRY(wn_bounds_look(s));

  /* POPULATION: numbers and weights of each species, towards its target */
  for (size_t k = 0; k < s->n_species; k++)
    WN_TRY(wn_species_control(s->species[k]));

  /* SAMPLES: diagnostics look, and change nothing */
  for (size_t k = 0; w->ops->diags[k] != NULL; k++)
    if (w->ops->diags[k]->sample != NULL)
      WN_TRY(w->ops->diags[k]->sample(w->diag[k], s, o));

  /* the job decides: how long the next step is, whether a measurement begins (a swarm
   * then goes back to the origin with its first weights), whether the case is over */
  return w->ops->next(w->job, s);
}

static void end_watch(struct watch *w)
{
  for (size_t k = 0; w->ops->diags[k] != NULL; k++)
    if (w->diag[k] != NULL)
      w->ops->diags[k]->free(w->diag[k]);
  if (w->job != NULL)
    w->ops->free(w->job);
}

static int begin_watch(const struct wn_job_ops *ops, struct wn_sim *s, struct watch *w)
{
  *w = (struct watch){.ops = ops};
  WN_TRY(ops->create(s, &w->job));
  for (size_t k = 0; ops->diags[k] != NULL; k++) {
    WN_ASSERT(k < MAX_DIAGS);
    if (ops->diags[k]->create != NULL)
      WN_TRY(ops->diags[k]->create(s, &w->diag[k]));
  }
  if (ops->watch != NULL)
    ops->watch(w->job, w->diag);
  return WN_OK;
}

/* The record and the line of a case that is over. */
static int report(struct wn_sim *s, struct watch *w, struct wn_output *o, FILE *to)
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

/* The store is full, which was said: the time of the last finished step is where this run
 * ends. */
static int say_stopped(const struct wn_sim *s, const struct wn_job_ops *ops,
                       struct wn_output *o)
{
  char why[256];
  ops->full(s, why, sizeof why);
  wn_log(WN_LOG_WARN, "%s; what was measured up to there is in %s.  For more: %s", why,
         s->c->output, wn_job_more_room(s->c));
  return wn_output_stopped(o, why);
}

/* ---- checkpoints */

struct in_hand {
  struct wn_sim *s;
  struct watch *w;
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

static int save(struct wn_sim *s, struct watch *w, struct wn_course *r)
{
  struct in_hand h = {s, w};
  wn_progress_wipe(&r->progress);
  if (r->divide != NULL)
    return wn_divide_save(r->divide, &r->saver, case_state, &h);
  return wn_saver_save(&r->saver, &r->place, r->o, case_state, &h);
}

/* saved: the status of the checkpoint. */
static int at_limit(const struct wn_course *r, int saved)
{
  WN_TRY(saved);
  return WN_FAIL(WN_ELIMIT,
                 "the run came to its limit, checkpoint.wall_limit or .step_limit; "
                 "--restart auto goes on from %s",
                 r->saver.path);
}

/* Rank 0 saves the case, of which nothing that is broken is saved. */
static int give_state(void *ctx, struct wn_state *st)
{
  const struct in_hand *h = ctx;
  WN_TRY(wn_bounds_finite(h->s));
  return case_state(ctx, st);
}

/* After a step: a checkpoint, where one is due.  One that cannot be written ends no run that
 * goes on. */
static int save_if_due(struct wn_sim *s, struct watch *w, struct wn_course *r)
{
  double bytes = 0.0;
  if (r->divide != NULL && !wn_divide_leads(r->divide)) /* it is asked for its part */
    return wn_signals_interrupted();
  if (r->divide != NULL)
    wn_signals_stop(wn_divide_signal(r->divide));
  for (size_t k = 0; k < s->n_species; k++)
    bytes += (double)wn_particles_all(&s->species[k]->p) *
             (double)s->species[k]->p.record.bytes;
  enum wn_saver_due due =
      (enum wn_saver_due)wn_ranks_first((int)wn_saver_step(&r->saver, bytes));
  wn_signals_hear();
  if (wn_signals_stopped() != 0) {
    if (wn_ranks_first(wn_saver_is_worth_it(&r->saver)) && wn_bounds_finite(s) == WN_OK &&
        save(s, w, r) == WN_OK)
      wn_log(WN_LOG_INFO, "%s: --restart auto goes on from here", r->saver.path);
    return wn_signals_interrupted();
  }
  if (w->ops->done(w->job)) /* what follows is written, which takes no longer */
    due = WN_DUE_NOTHING;
  if (due != WN_DUE_NOTHING || wn_signals_asked())
    WN_TRY(wn_bounds_finite(s)); /* what is broken is not saved, and ends the run */
  if (due == WN_DUE_SAVE_AND_END)
    return at_limit(r, save(s, w, r));
  if ((due == WN_DUE_SAVE || wn_signals_asked()) && save(s, w, r) != WN_OK)
    wn_log(WN_LOG_WARN, "there is no new checkpoint; the run goes on");
  wn_signals_answered();
  return WN_OK;
}

/* The case that was in hand, as it was. */
static int restore(struct wn_sim *s, struct watch *w, struct wn_course *r)
{
  struct in_hand h = {s, w};
  struct wn_state *st = &r->restart->file.state;
  WN_TRY(case_state(&h, st));
  if (st->at != st->n)
    return WN_FAIL(WN_EINPUT, "%s: it has more than this run has a place for",
                   r->restart->path);
  wn_log(WN_LOG_INFO, "%s: goes on at %.6g s, after %llu steps", r->restart->path,
         s->time, (unsigned long long)s->phases);
  wn_progress_goes_on(&r->progress, s->time, s->species[0]->candidates,
                      s->species[0]->real);
  wn_restart_free(r->restart);
  r->restart = NULL;
  return WN_OK;
}

int wn_run_case(struct wn_sim *s, const struct wn_job_ops *ops, size_t i_case,
                struct wn_course *r)
{
  struct watch w;
  r->place.i_case = i_case;
  int status = wn_sim_begin(s, i_case);
  if (status == WN_EFULL) { /* no room even for the particles of the beginning */
    WN_TRY(say_stopped(s, ops, r->o));
    return WN_EFULL;
  }
  if (status != WN_OK)
    return status;
  status = begin_watch(ops, s, &w);
  wn_progress_case(&r->progress, wn_sim_case_text(s->c, i_case));
  if (status == WN_OK && r->restart != NULL)
    status = restore(s, &w, r);
  wn_saver_begin(&r->saver);
  wn_outrun_begin(&r->outrun, s);
  while (status == WN_OK && !ops->done(w.job)) {
    if (ops->rows)
      wn_progress_wipe(&r->progress);
    status = step_and_look(s, &w, r->o);
    if (status == WN_OK) {
      wn_outrun_look(&r->outrun, s, ops);
      wn_progress_step(&r->progress, s->time, wn_sim_particles(s), wn_outrun_most(s),
                       s->species[0]->candidates, s->species[0]->real,
                       wn_progress_due(&r->progress) ? ops->fraction(w.job, s) : 0.0);
      struct in_hand h = {s, &w};
      if (r->divide != NULL)
        status = wn_divide_look(r->divide, give_state, &h);
      if (status == WN_OK)
        status = save_if_due(s, &w, r);
    }
  }
  wn_progress_end_case(&r->progress);
  const int is_full = status == WN_EFULL;
  if (is_full)
    status = say_stopped(s, ops, r->o);
  if (status == WN_OK)
    status = report(s, &w, r->o, r->to);
  end_watch(&w);
  return status == WN_OK && is_full ? WN_EFULL : status;
}

/* Rank 0, which has no case: what the clock and signals ask for. */
int wn_run_wait(struct wn_course *r)
{
  struct in_hand none = {0};
  enum wn_saver_due due = wn_saver_wait(&r->saver);
  wn_signals_stop(wn_divide_signal(r->divide));
  if (wn_signals_stopped() != 0 && wn_saver_is_worth_it(&r->saver))
    due = WN_DUE_SAVE_AND_END;
  const int status = due != WN_DUE_NOTHING || wn_signals_asked()
                         ? wn_divide_save(r->divide, &r->saver, case_state, &none)
                         : WN_OK;
  if (status != WN_OK && due != WN_DUE_SAVE_AND_END)
    wn_log(WN_LOG_WARN, "there is no new checkpoint; the run goes on");
  wn_signals_answered();
  WN_TRY(wn_signals_interrupted());
  return due == WN_DUE_SAVE_AND_END ? at_limit(r, status) : WN_OK;
}
