/* src/run.c - THE STEP, and the loops around it: cases, then steps. */
#include "src/run.h"
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/ranks.h"
#include "particles/parts.h"
#include "src/bounds.h"
#include "src/checkpoint.h"
#include "src/diag.h"
#include "src/divide.h"
#include "src/emission.h"
#include "src/job.h"
#include "src/outrun.h"
#include "src/progress.h"

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

static volatile sig_atomic_t stopped, asked; /* by a signal: to end, to save */

static void on_signal(int number)
{
  if (number == SIGUSR1)
    asked = 1;
  else
    stopped = number;
}

/* What was signalled to one of several ranks was to all. */
static void hear(void)
{
  double most[] = {stopped, asked};
  if (wn_ranks() == 1)
    return;
  wn_ranks_most(most, 2);
  stopped = (sig_atomic_t)most[0];
  asked = (sig_atomic_t)most[1];
}

static int interrupted(void)
{
  if (stopped == 0)
    return WN_OK;
  return WN_FAIL(WN_ERUN, "stopped by signal %d", (int)stopped);
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

/* What lasts as long as the run. */
struct course {
  struct wn_output *o;
  struct wn_progress progress;
  struct wn_outrun outrun;
  struct wn_saver saver;
  struct wn_restart *restart; /* to be gone on from; NULL: no, or no longer */
  struct wn_place place;
  FILE *to;                 /* where lines of results go */
  int is_divided;           /* by cases */
  struct wn_divide *divide; /* NULL: cases follow one another */
};

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

static int save(struct wn_sim *s, struct watch *w, struct course *r)
{
  struct in_hand h = {s, w};
  wn_progress_wipe(&r->progress);
  if (r->divide != NULL)
    return wn_divide_save(r->divide, &r->saver, case_state, &h);
  return wn_saver_save(&r->saver, &r->place, r->o, case_state, &h);
}

/* saved: the status of the checkpoint. */
static int at_limit(const struct course *r, int saved)
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
static int save_if_due(struct wn_sim *s, struct watch *w, struct course *r)
{
  double bytes = 0.0;
  if (r->divide != NULL && !wn_divide_leads(r->divide)) /* it is asked for its part */
    return interrupted();
  if (r->divide != NULL && stopped == 0)
    stopped = wn_divide_signal(r->divide);
  for (size_t k = 0; k < s->n_species; k++)
    bytes += (double)wn_particles_all(&s->species[k]->p) *
             (double)s->species[k]->p.record.bytes;
  enum wn_saver_due due =
      (enum wn_saver_due)wn_ranks_first((int)wn_saver_step(&r->saver, bytes));
  hear();
  if (stopped != 0) {
    if (wn_ranks_first(wn_saver_is_worth_it(&r->saver)) && wn_bounds_finite(s) == WN_OK &&
        save(s, w, r) == WN_OK)
      wn_log(WN_LOG_INFO, "%s: --restart auto goes on from here", r->saver.path);
    return interrupted();
  }
  if (w->ops->done(w->job)) /* what follows is written, which takes no longer */
    due = WN_DUE_NOTHING;
  if (due != WN_DUE_NOTHING || asked != 0)
    WN_TRY(wn_bounds_finite(s)); /* what is broken is not saved, and ends the run */
  if (due == WN_DUE_SAVE_AND_END)
    return at_limit(r, save(s, w, r));
  if ((due == WN_DUE_SAVE || asked != 0) && save(s, w, r) != WN_OK)
    wn_log(WN_LOG_WARN, "there is no new checkpoint; the run goes on");
  asked = 0;
  return WN_OK;
}

/* The case that was in hand, as it was. */
static int restore(struct wn_sim *s, struct watch *w, struct course *r)
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

static int run_case(struct wn_sim *s, const struct wn_job_ops *ops, size_t i_case,
                    struct course *r)
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

/* The line of `history` of a run that goes on. */
static int say_restarted(struct wn_output *o, const struct wn_restart *r, int argc,
                         char *const *argv)
{
  char where[96];
  if (r == NULL)
    return WN_OK;
  snprintf(where, sizeof where, "in case %llu of point %llu",
           (unsigned long long)r->place.i_case + 1,
           (unsigned long long)r->place.point + 1);
  return wn_output_restarted(o, r->history, where, argc, argv);
}

static int open_output(const struct wn_sim *s, const struct wn_job_ops *ops,
                       const char *hardware, struct wn_restart *restart, int argc,
                       char *const *argv, struct wn_output **out)
{
  const struct wn_config *c = s->c;
  const struct wn_gas *gas = s->gas;
  struct wn_output *o = NULL;
  WN_TRY(restart != NULL ? wn_output_create_again(c->output, &o)
                         : wn_output_create(c->output, &o));
  int status = ops->define != NULL ? ops->define(o, c, gas) : WN_OK;
  for (size_t k = 0; ops->diags[k] != NULL && status == WN_OK; k++)
    status = ops->diags[k]->define(o, c, gas);
  if (status == WN_OK)
    status =
        wn_output_provenance(o, c, hardware, argc, argv, gas != NULL ? gas->n_sources : 0,
                             gas != NULL ? (const char *const *)gas->source : NULL);
  if (status == WN_OK)
    status = say_restarted(o, restart, argc, argv);
  if (status == WN_OK)
    status = wn_output_end_define(o);
  wn_output_axes(o, 1);
  if (status == WN_OK && ops->begin != NULL)
    status = ops->begin(o, c, gas);
  for (size_t k = 0; ops->diags[k] != NULL && status == WN_OK; k++)
    if (ops->diags[k]->begin != NULL)
      status = ops->diags[k]->begin(o, c, gas);
  wn_output_axes(o, 0);
  if (status == WN_OK && restart != NULL)
    status = wn_output_continue(o, &restart->file.state, restart->of);
  if (status != WN_OK) {
    wn_output_discard(o);
    return status;
  }
  *out = o;
  return WN_OK;
}

/* What belongs to the point in hand. */
struct at {
  struct wn_gas *gas; /* NULL: nothing collides */
  struct wn_sim *sim;
};

static void leave_point(struct at *at)
{
  wn_sim_free(at->sim);
  wn_gas_free(at->gas);
  *at = (struct at){0};
}

static int enter_point(const struct wn_config *c, const struct wn_device_plan *plan,
                       struct at *at)
{
  *at = (struct at){0};
  int status = wn_config_has_gas(c) ? wn_gas_create(c, &at->gas) : WN_OK;
  if (status == WN_OK)
    status = wn_sim_create(c, at->gas, plan, &at->sim);
  if (status != WN_OK)
    leave_point(at);
  return status;
}

/* Of a scan; the first point is at hand, and says which processes there are. */
static int run_point(const struct wn_scenarios *p, size_t i_point, const struct at *first,
                     const struct wn_device_plan *plan, struct course *r)
{
  const struct wn_config *c = p->c[i_point];
  const struct wn_job_ops *ops = wn_job_of(c);
  /* the run before has put the point, and finished the cases before the one that it was in */
  const int goes_on = r->restart != NULL;
  const size_t i_first = goes_on ? (size_t)r->place.i_case - c->first_case : 0;
  struct at at = *first;
  if (i_point > 0)
    WN_TRY(enter_point(c, plan, &at));
  int status =
      i_point > 0 && at.gas != NULL ? wn_gas_same_processes(first->gas, at.gas) : WN_OK;
  wn_output_axes(r->o, 1);
  if (status == WN_OK && c->n_scans > 0 && !goes_on)
    status = wn_diag_put_point(r->o, c, at.gas);
  wn_output_axes(r->o, 0);
  if (status == WN_OK && c->point != NULL)
    fprintf(r->to, "%s:\n", c->point);
  for (size_t i = i_first; i < wn_sim_cases(c) && status == WN_OK; i++)
    status = run_case(at.sim, ops, c->first_case + i, r);
  if (i_point > 0)
    leave_point(&at);
  return status;
}

/* Rank 0, which has no case: what the clock and signals ask for. */
static int save_while_waiting(struct course *r)
{
  struct in_hand none = {0};
  enum wn_saver_due due = wn_saver_wait(&r->saver);
  if (stopped == 0)
    stopped = wn_divide_signal(r->divide);
  if (stopped != 0 && wn_saver_is_worth_it(&r->saver))
    due = WN_DUE_SAVE_AND_END;
  const int status = due != WN_DUE_NOTHING || asked != 0
                         ? wn_divide_save(r->divide, &r->saver, case_state, &none)
                         : WN_OK;
  if (status != WN_OK && due != WN_DUE_SAVE_AND_END)
    wn_log(WN_LOG_WARN, "there is no new checkpoint; the run goes on");
  asked = 0;
  WN_TRY(interrupted());
  return due == WN_DUE_SAVE_AND_END ? at_limit(r, status) : WN_OK;
}

/* One case of those that several processes divide. */
static int run_one(const struct wn_scenarios *p, size_t i, const struct at *at,
                   struct course *r)
{
  const struct wn_config *c = p->c[r->place.point];
  const size_t i_own = i % wn_sim_cases(c);
  int status = WN_OK;
  wn_output_axes(r->o, 1);
  if (c->n_scans > 0 && i_own == 0 && r->restart == NULL)
    status = wn_diag_put_point(r->o, c, at->gas);
  wn_output_axes(r->o, 0);
  if (c->point != NULL && (i_own == 0 || r->restart != NULL))
    fprintf(r->to, "%s:\n", c->point);
  if (status == WN_OK)
    status = run_case(at->sim, wn_job_of(c), c->first_case + i_own, r);
  return status;
}

/* All of them, as far as this process has them; the gas of a point stays until another comes. */
static int run_divided(const struct wn_scenarios *p, const struct at *first,
                       const struct wn_device_plan *plan, struct course *r)
{
  const size_t cases = wn_sim_cases(p->c[0]);
  struct at at = *first;
  size_t i, i_point = 0, begin = 0;
  int status = WN_OK;
  if (r->restart != NULL)
    begin = (size_t)(r->place.point * cases + r->place.i_case -
                     p->c[r->place.point]->first_case);
  WN_TRY(wn_divide_create(p, begin, r->o, &r->progress, &r->divide));
  if (!wn_divide_leads(r->divide)) { /* rank 0 goes on from it */
    wn_restart_free(r->restart);
    r->restart = NULL;
  }
  while (status == WN_OK && wn_divide_next(r->divide, &i)) {
    int ended = WN_OK;
    r->to = wn_divide_begin(r->divide, i);
    status = r->to != NULL ? WN_OK : WN_ENOMEM;
    r->place.point = i / cases;
    r->progress.i_case = i;
    const uint64_t candidates = r->progress.candidates, real = r->progress.real;
    if (status == WN_OK && r->place.point != i_point) {
      if (i_point > 0)
        leave_point(&at);
      i_point = r->place.point;
      at = *first;
      if (i_point > 0)
        ended = enter_point(p->c[i_point], plan, &at);
      if (ended == WN_OK && at.gas != NULL)
        ended = wn_gas_same_processes(first->gas, at.gas);
    }
    if (status == WN_OK && ended == WN_OK) {
      ended = run_one(p, i, &at, r);
    } else if (i_point > 0) { /* another case of it may come yet */
      leave_point(&at);
      at = *first;
      i_point = 0;
    }
    if (ended == WN_ELIMIT || (wn_divide_leads(r->divide) && stopped != 0))
      status = ended; /* of this process, and the run */
    const int told =
        wn_divide_end(r->divide, i, ended, (int)stopped,
                      r->progress.candidates - candidates, r->progress.real - real);
    status = status == WN_OK ? told : status;
  }
  if (i_point > 0)
    leave_point(&at);
  r->to = stdout;
  while (status == WN_OK && wn_divide_waits(r->divide, &status))
    status = save_while_waiting(r);
  return wn_divide_finish(r->divide, status);
}

/* A place that is none of this run: the checkpoint is not one of this program. */
static int is_place(const struct wn_scenarios *p, const struct wn_place *at)
{
  if (at->point >= p->n)
    return 0;
  const struct wn_config *c = p->c[at->point];
  return at->i_case >= c->first_case && at->i_case - c->first_case < wn_sim_cases(c);
}

static int run_points(const struct wn_scenarios *p, const struct at *first,
                      const struct wn_device_plan *plan, struct course *r)
{
  const struct wn_config *c = p->c[0];
  const struct wn_job_ops *ops = wn_job_of(c);
  int status = WN_OK;
  wn_progress_init(&r->progress, p->n * wn_sim_cases(c), c->quiet || wn_rank_of_all() > 0,
                   ops->collisions);
  if (r->restart != NULL) {
    r->place = r->restart->place;
    if (!is_place(p, &r->place))
      status = WN_FAIL(WN_EINPUT, "%s: the scenario has no such case", r->restart->path);
    r->progress.i_case =
        (size_t)(r->place.point * wn_sim_cases(c) + r->place.i_case -
                 (status == WN_OK ? p->c[r->place.point]->first_case : 0));
  }
  ops->heading(stdout);
  if (status == WN_OK && r->is_divided)
    status = run_divided(p, first, plan, r);
  else
    for (; r->place.point < p->n && status == WN_OK; r->place.point++)
      status = run_point(p, (size_t)r->place.point, first, plan, r);
  if (r->divide != NULL &&
      !wn_divide_leads(r->divide)) { /* what it found is with rank 0 */
    wn_output_discard(r->o);
    return status;
  }
  if (status == WN_OK)
    status = wn_output_complete(r->o);
  if (status != WN_OK && status != WN_EFULL) {
    wn_output_discard(r->o);
    return status;
  }
  int closed = wn_output_close(r->o);
  if (closed != WN_OK)
    status = closed;
  if (status == WN_OK)
    wn_progress_summary(&r->progress, c->output);
  return status;
}

/* Somebody who has killed a run may have forgotten that it can go on. */
static void say_left(const struct course *r)
{
  if (r->restart == NULL && wn_rank_of_all() == 0 && access(r->saver.path, F_OK) == 0)
    wn_log(
        WN_LOG_WARN,
        "%s: a checkpoint of an earlier run, which --restart auto would go on from; this "
        "run begins anew and writes its own there",
        r->saver.path);
}

static int run(const struct wn_scenarios *p, const struct wn_device_plan *plan,
               struct course *r, int argc, char *const *argv)
{
  struct at first;
  char hardware[1024];
  WN_TRY(wn_device_text(plan, hardware, sizeof hardware));
  if (r->is_divided)
    wn_ranks_part();
  WN_TRY(enter_point(p->c[0], plan, &first));
  say_left(r);
  int status =
      open_output(first.sim, wn_job_of(p->c[0]), hardware, r->restart, argc, argv, &r->o);
  if (status == WN_OK)
    status = run_points(p, &first, plan, r);
  leave_point(&first);
  if (status == WN_OK && r->saver.is_written && wn_rank_of_all() == 0)
    wn_checkpoint_remove(r->saver.path);
  if (status == WN_EFULL && r->saver.is_written)
    wn_log(WN_LOG_INFO,
           "with a larger population.capacity --restart auto goes on from %s",
           r->saver.path);
  return status;
}

/* With what lasts as long as the run. */
static int run_course(const struct wn_scenarios *p, const struct wn_device_plan *plan,
                      const char *restart, double start, int argc, char *const *argv)
{
  struct course r = {.to = stdout};
  int is_over = 0;
  WN_TRY(wn_divide_pays(p, &r.is_divided));
  if (restart != NULL)
    WN_TRY(wn_restart_open(restart, p->c[0], &r.restart, &is_over));
  wn_ranks_wait(); /* what was there has been looked at by all */
  if (is_over)
    return WN_OK;
  int status = wn_saver_init(&r.saver, p->c[0], start);
  r.saver.is_written = r.restart != NULL;
  if (status == WN_OK)
    status = run(p, plan, &r, argc, argv);
  wn_divide_free(r.divide);
  wn_restart_free(r.restart);
  wn_saver_clear(&r.saver);
  return status;
}

static const int signals[] = {SIGINT, SIGTERM, SIGUSR1};
enum { N_SIGNALS = sizeof signals / sizeof signals[0] };

int wn_run(const struct wn_scenarios *p, const char *restart, int argc, char *const *argv)
{
  const struct wn_config *c = p->c[0];
  const double start = wn_clock_now();
  struct wn_device_plan plan;
  struct sigaction old[N_SIGNALS];
  if (wn_ranks() > 1 && c->model == WN_MODEL_PLASMA &&
      c->plasma.particles_interval != WN_AUTO)
    return WN_FAIL(
        WN_EINPUT,
        "plasma.particles_interval: which particles are sampled would depend on how "
        "many processes there are, and there are %d; take it out, or run one",
        wn_ranks());
  WN_TRY(wn_device_choose(c, &plan));
  wn_device_announce(c, &plan);
  stopped = asked = 0;
  for (int i = 0; i < N_SIGNALS; i++) {
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    /* no reason for a write to fail; a second one of those that end the run ends the program
     * at once */
    action.sa_flags = SA_RESTART | (signals[i] == SIGUSR1 ? 0 : (int)SA_RESETHAND);
    sigaction(signals[i], &action, &old[i]);
  }
  int status = run_course(p, &plan, restart, start, argc, argv);
  for (int i = 0; i < N_SIGNALS; i++)
    sigaction(signals[i], &old[i], NULL);
  return status;
}
