/* src/run.c - THE STEP, and the loops around it: cases, then steps. */
#include "src/run.h"
#include <signal.h>
#include <stdio.h>
#include "base/error.h"
#include "base/log.h"
#include "src/diag.h"
#include "src/emission.h"
#include "src/job.h"
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

static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
  stopped = number;
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
static int report(struct wn_sim *s, struct watch *w, struct wn_output *o)
{
  const int enough = w->ops->enough == NULL || w->ops->enough(w->job);
  for (size_t k = 0; w->ops->diags[k] != NULL; k++)
    if (w->ops->diags[k]->write != NULL)
      WN_TRY(w->ops->diags[k]->write(w->diag[k], s, enough, o));
  if (w->ops->finish != NULL)
    WN_TRY(w->ops->finish(w->job, s, w->diag, o, stdout));
  fflush(stdout);
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

static int run_case(struct wn_sim *s, const struct wn_job_ops *ops, size_t i_case,
                    struct wn_output *o, struct wn_progress *progress)
{
  struct watch w;
  int status = wn_sim_begin(s, i_case);
  if (status == WN_EFULL) { /* no room even for the particles of the beginning */
    WN_TRY(say_stopped(s, ops, o));
    return WN_EFULL;
  }
  if (status != WN_OK)
    return status;
  status = begin_watch(ops, s, &w);
  wn_progress_case(progress, wn_sim_case_text(s->c, i_case));
  while (status == WN_OK && !ops->done(w.job)) {
    if (ops->rows)
      wn_progress_wipe(progress);
    status = step_and_look(s, &w, o);
    if (status == WN_OK) {
      wn_progress_step(progress, s->time, wn_sim_particles(s), s->species[0]->candidates,
                       s->species[0]->real,
                       wn_progress_due(progress) ? ops->fraction(w.job, s) : 0.0);
      status = interrupted();
    }
  }
  wn_progress_end_case(progress);
  const int is_full = status == WN_EFULL;
  if (is_full)
    status = say_stopped(s, ops, o);
  if (status == WN_OK)
    status = report(s, &w, o);
  end_watch(&w);
  return status == WN_OK && is_full ? WN_EFULL : status;
}

static int open_output(const struct wn_sim *s, const struct wn_job_ops *ops,
                       const char *hardware, int argc, char *const *argv,
                       struct wn_output **out)
{
  const struct wn_config *c = s->c;
  const struct wn_gas *gas = s->gas;
  struct wn_output *o = NULL;
  WN_TRY(wn_output_create(c->output, &o));
  int status = ops->define != NULL ? ops->define(o, c, gas) : WN_OK;
  for (size_t k = 0; ops->diags[k] != NULL && status == WN_OK; k++)
    status = ops->diags[k]->define(o, c, gas);
  if (status == WN_OK)
    status =
        wn_output_provenance(o, c, hardware, argc, argv, gas != NULL ? gas->n_sources : 0,
                             gas != NULL ? (const char *const *)gas->source : NULL);
  if (status == WN_OK)
    status = wn_output_end_define(o);
  wn_output_axes(o, 1);
  if (status == WN_OK && ops->begin != NULL)
    status = ops->begin(o, c, gas);
  for (size_t k = 0; ops->diags[k] != NULL && status == WN_OK; k++)
    if (ops->diags[k]->begin != NULL)
      status = ops->diags[k]->begin(o, c, gas);
  wn_output_axes(o, 0);
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
                     const struct wn_device_plan *plan, struct wn_output *o,
                     struct wn_progress *progress)
{
  const struct wn_config *c = p->c[i_point];
  const struct wn_job_ops *ops = wn_job_of(c);
  struct at at = *first;
  if (i_point > 0)
    WN_TRY(enter_point(c, plan, &at));
  int status =
      i_point > 0 && at.gas != NULL ? wn_gas_same_processes(first->gas, at.gas) : WN_OK;
  wn_output_axes(o, 1);
  if (status == WN_OK && c->n_scans > 0)
    status = wn_diag_put_point(o, c, at.gas);
  wn_output_axes(o, 0);
  if (status == WN_OK && c->point != NULL)
    printf("%s:\n", c->point);
  for (size_t i = 0; i < wn_sim_cases(c) && status == WN_OK; i++)
    status = run_case(at.sim, ops, c->first_case + i, o, progress);
  if (i_point > 0)
    leave_point(&at);
  return status;
}

static int run_points(const struct wn_scenarios *p, const struct at *first,
                      const struct wn_device_plan *plan, struct wn_output *o)
{
  const struct wn_config *c = p->c[0];
  const struct wn_job_ops *ops = wn_job_of(c);
  struct wn_progress progress;
  int status = WN_OK;
  wn_progress_init(&progress, p->n * wn_sim_cases(c), c->quiet, ops->collisions);
  ops->heading(stdout);
  for (size_t i = 0; i < p->n && status == WN_OK; i++)
    status = run_point(p, i, first, plan, o, &progress);
  if (status == WN_OK)
    status = wn_output_complete(o);
  if (status != WN_OK && status != WN_EFULL) {
    wn_output_discard(o);
    return status;
  }
  int closed = wn_output_close(o);
  if (closed != WN_OK)
    status = closed;
  if (status == WN_OK)
    wn_progress_summary(&progress, c->output);
  return status;
}

static int run(const struct wn_scenarios *p, const struct wn_device_plan *plan, int argc,
               char *const *argv)
{
  struct at first;
  struct wn_output *o = NULL;
  char hardware[1024];
  WN_TRY(wn_device_text(plan, hardware, sizeof hardware));
  WN_TRY(enter_point(p->c[0], plan, &first));
  int status = open_output(first.sim, wn_job_of(p->c[0]), hardware, argc, argv, &o);
  if (status == WN_OK)
    status = run_points(p, &first, plan, o);
  leave_point(&first);
  return status;
}

int wn_run(const struct wn_scenarios *p, int argc, char *const *argv)
{
  const struct wn_config *c = p->c[0];
  struct wn_device_plan plan;
  WN_TRY(wn_device_choose(c, &plan));
  wn_device_announce(c, &plan);
  struct sigaction action = {.sa_handler = on_signal}, old_int, old_term;
  sigemptyset(&action.sa_mask);
  action.sa_flags = (int)SA_RESETHAND; /* a second signal ends the program at once */
  stopped = 0;
  sigaction(SIGINT, &action, &old_int);
  sigaction(SIGTERM, &action, &old_term);
  int status = run(p, &plan, argc, argv);
  sigaction(SIGINT, &old_int, NULL);
  sigaction(SIGTERM, &old_term, NULL);
  return status;
}
