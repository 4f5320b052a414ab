/* src/run/forecast.c - see forecast.h. */
#include "src/run/forecast.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "src/jobs/job.h"
#include "src/run/run.h"
#include "src/run/step.h"

#define FEW        256  /* particles of a trial: growth is then known to a few per cent */
#define FEW_STEADY 1024 /* the same where the trial shows how long a swarm relaxes */
#define FEW_OF_GPU                                                                       \
  ((size_t)1 << 22) /* with fewer a GPU is not at its speed, and a step is no shorter */
#define LEVEL  1000 /* electrons a level of a weighted ensemble, which fills first */
#define ENOUGH 2e5  /* candidates below which a time is not reliable */
#define MOST                                                                             \
  5000 /* steps after which a trial ends with fewer: they have hardly a candidate */
#define LATE                                                                             \
  0.75 /* fraction of the trial's time after which growth and speed are measured */
#define PATIENCE                                                                         \
  10.0 /* times the trial's time, until a job says what its accuracy needs */
#define HISTORY 4096 /* steps kept */
#define ROOM    64 /* reciprocal of the filled fraction of the store at which a trial ends */

struct wn_trial {
  struct wn_config c; /* the scenario with fewer particles */
  const struct wn_config *whole;
  struct wn_sim *sim;
};

double wn_forecast_levels(const struct wn_config *c)
{
  struct wn_levels levels;
  if (c->model != WN_MODEL_MCC || !wn_job_of(c)->needs.weighted)
    return 0.0;
  wn_config_levels(c, &levels);
  /* all levels but the last, which removes its electrons; the lowest has as many as the others */
  return 2.0 * levels.n_edges * (double)c->population_target;
}

/* Does the job end by its accuracy, and say what that is expected to need? */
static int says_when_to_end(const struct wn_config *c)
{
  return wn_job_of(c)->expected != NULL && !(c->duration > 0.0) &&
         !wn_config_has_goals(c);
}

int wn_trial_create(const struct wn_config *c, const struct wn_gas *gas,
                    const struct wn_device_plan *plan, struct wn_trial **out)
{
  struct wn_trial *t = wn_alloc(1, sizeof *t);
  if (t == NULL)
    return WN_ENOMEM;
  t->c = *c;
  t->whole = c;
  const int weighted = wn_job_of(c)->needs.weighted;
  const size_t few = plan->device == WN_DEVICE_CUDA ? FEW_OF_GPU
                     : says_when_to_end(c)          ? FEW_STEADY
                                                    : FEW;
  if (!weighted && t->c.electrons > few)
    t->c.electrons = few;
  else if (weighted && c->population_target > LEVEL)
    t->c.electrons =
        (size_t)ceil((double)c->electrons * LEVEL / (double)c->population_target);
  if (t->c.electrons < t->c.groups)
    t->c.electrons = t->c.groups < c->electrons ? t->c.groups : c->electrons;
  t->c.capacity = c->capacity < SIZE_MAX / ROOM ? c->capacity * ROOM : c->capacity;
  if (t->c.population_target > 0)
    t->c.population_target = (size_t)ceil((double)c->population_target *
                                          (double)t->c.electrons / (double)c->electrons);
  if (weighted && t->c.population_target < t->c.groups)
    t->c.population_target = t->c.groups;
  int status = wn_sim_create(&t->c, gas, &wn_job_of(c)->needs, plan, &t->sim);
  if (status != WN_OK) {
    wn_trial_free(t);
    return status;
  }
  *out = t;
  return WN_OK;
}

void wn_trial_free(struct wn_trial *t)
{
  if (t != NULL)
    wn_sim_free(t->sim);
  free(t);
}

/* The state of the trial at one time. */
struct moment {
  double t, wall, candidates, particles;
};

static struct moment note_moment(const struct wn_sim *s, double begin)
{
  return (struct moment){s->time, wn_clock_now() - begin,
                         (double)s->species[0]->candidates, (double)wn_sim_particles(s)};
}

/* Runs the trial for `budget` seconds, or to the end of the case; returns its state after
 * LATE of the time reached, and at the end, and what the job expects of a case of n particles, for which
 * it has `patience` times as long. */
static int follow(struct wn_sim *s, const struct wn_job_ops *ops, struct wn_job *job,
                  double budget, double patience, double n_whole, struct moment *late,
                  struct moment *end, double *expected)
{
  struct moment *history = wn_alloc(HISTORY, sizeof *history);
  size_t n = 0, every = 1, step = 0;
  const int ends_by_accuracy = says_when_to_end(s->c);
  double begin = wn_clock_now();
  int status = history != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK)
    history[n++] = note_moment(s, begin);
  while (status == WN_OK && !ops->done(job)) {
    status = wn_step(s, ops->interval(job));
    for (size_t k = 0; k < s->n_species && status == WN_OK; k++)
      status = wn_species_control(s->species[k]);
    if (status != WN_OK)
      break;
    *end = note_moment(s, begin);
    if (wn_sim_particles(s) == 0 || /* few may die out where many would not */
        wn_sim_particles(s) > s->c->capacity / ROOM)
      break;
    status = ops->next(job, s);
    if (status != WN_OK)
      break;
    const double now = ends_by_accuracy ? ops->expected(job, s, n_whole) : NAN;
    *expected = isnan(now) ? *expected : now;
    if (++step % every == 0) {
      if (n == HISTORY) { /* keep every second one from now on */
        for (size_t i = 0; i < HISTORY / 2; i++)
          history[i] = history[2 * i];
        n = HISTORY / 2;
        every *= 2;
      }
      history[n++] = *end;
    }
    if (end->wall >= (isnan(*expected) ? patience : 1.0) * budget &&
        (end->candidates >= ENOUGH || step >= MOST))
      break;
  }
  size_t i = 0;
  while (status == WN_OK && i + 2 < n && history[i].t < LATE * end->t)
    i++;
  if (status == WN_OK)
    *late = history[i];
  free(history);
  return status;
}

/* Extrapolates from a trial of t->c.electrons particles to all particles: growth continues at the late
 * rate of the trial, up to the end, the target of population control or the capacity. */
static void extrapolate(const struct wn_trial *t, const struct moment *late,
                        const struct moment *end, struct wn_forecast *f)
{
  const struct wn_config *c = t->whole;
  double scale = (double)c->electrons / (double)t->c.electrons,
         most = (double)c->capacity, levels = wn_forecast_levels(c),
         target = (double)t->sim->species[0]->population.target * scale;
  double dt = end->t - late->t, n = end->particles * scale,
         rate = (end->candidates - late->candidates) / dt /
                (0.5 * (late->particles + end->particles)), /* of one particle, 1/s */
      growth = log(end->particles / late->particles) / dt, left = f->duration - end->t;
  f->candidates = end->candidates * scale;
  f->particles = fmin(n, most);
  f->is_full = n > most;
  if (f->is_full)
    return;
  if (!(left > 0.0) || !(end->particles > 0.0) || !(late->particles > 0.0))
    return;
  if (levels >
      0.0) { /* levels fill up and stay full in all fields that produce runaways */
    f->particles = fmin(levels, most);
    f->candidates += rate * f->particles * left;
    f->is_full = levels > most;
    return;
  }
  if (target > 0.0 && growth > 0.0)
    most = fmin(most, fmax(target, n));
  double until = growth > 0.0 && n < most ? fmin(left, log(most / n) / growth)
                 : growth > 0.0           ? 0.0
                                          : left;
  f->candidates +=
      rate * n * (fabs(growth * until) > 1e-6 ? expm1(growth * until) / growth : until);
  f->particles = n * exp(growth * until);
  if (until < left && target > 0.0)
    f->candidates += rate * f->particles * (left - until);
  f->is_full = until < left && !(target > 0.0);
}

/* ns of a candidate between two moments; of all until the end where these have too few. */
static double speed(const struct moment *late, const struct moment *end)
{
  const double ns = 1e9 * (end->wall - late->wall) / (end->candidates - late->candidates);
  return ns > 0.0 && ns < INFINITY ? ns : 1e9 * end->wall / fmax(end->candidates, 1.0);
}

int wn_forecast_speed(struct wn_trial *t, size_t i_case, double budget, double *ns)
{
  const struct wn_job_ops *ops = wn_job_of(t->whole);
  struct wn_job *job = NULL;
  struct moment late = {0}, end = {0};
  double expected = NAN;
  WN_TRY(wn_sim_begin(t->sim, i_case));
  WN_TRY(ops->create(t->sim, &job));
  const int status = follow(t->sim, ops, job, budget, 1.0, (double)t->whole->electrons,
                            &late, &end, &expected);
  ops->free(job);
  *ns = speed(&late, &end);
  return status;
}

int wn_forecast(struct wn_trial *t, size_t i_case, double budget, struct wn_forecast *out)
{
  struct wn_sim *s = t->sim;
  const struct wn_job_ops *ops = wn_job_of(t->whole);
  struct wn_job *job = NULL;
  struct moment late = {0}, end = {0};
  struct wn_forecast f = {.duration =
                              ops->duration != NULL ? ops->duration(t->whole) : NAN,
                          .candidates = NAN,
                          .particles = NAN,
                          .seconds = NAN};
  WN_TRY(wn_sim_begin(s, i_case));
  WN_TRY(ops->create(s, &job));
  double expected = NAN;
  int status = follow(s, ops, job, budget, says_when_to_end(s->c) ? PATIENCE : 1.0,
                      (double)t->whole->electrons, &late, &end, &expected);
  const double interval = ops->interval(job),
               done = status == WN_OK ? ops->fraction(job, s) : 0.0;
  ops->free(job);
  WN_TRY(status);
  /* a pilot has chosen the time that the case needs */
  if (wn_forecast_levels(t->whole) > 0.0 && done > 0.0)
    f.duration = fmin(f.duration, s->time / done);
  f.ns = speed(&late, &end);
  if (isnan(f.duration)) {
    f.candidates = expected;
    f.seconds = 1e-9 * f.ns * expected;
  } else {
    extrapolate(t, &late, &end, &f);
    f.seconds = 1e-9 * f.ns * f.candidates;
    /* steps so short that they have hardly a candidate take the time of a step */
    if (end.candidates < ENOUGH && end.t < f.duration)
      f.seconds = fmax(f.seconds, f.duration / end.t * end.wall);
  }
  const double rate = (end.candidates - late.candidates) / (end.t - late.t) /
                      (0.5 * (late.particles + end.particles)); /* of one particle, 1/s */
  f.steps = f.duration / interval;
  f.of_step = 1e-9 * f.ns * rate * interval *
              (isnan(f.particles) ? (double)t->whole->electrons : f.particles);
  *out = f;
  return WN_OK;
}

/* ---- checkpoints */

static int count_bytes(void *ctx, const void *data, size_t n)
{
  (void)ctx, (void)data, (void)n;
  return WN_OK;
}

static int diag_states(const struct wn_sim *s, const struct wn_diag_ops *const *ops,
                       struct wn_state *st)
{
  int status = WN_OK;
  for (; *ops != NULL && status == WN_OK; ops++) {
    struct wn_diag *d = NULL;
    if ((*ops)->create == NULL || (*ops)->state == NULL)
      continue;
    status = (*ops)->create(s, &d);
    if (status == WN_OK)
      status = (*ops)->state(d, st);
    if (d != NULL)
      (*ops)->free(d);
  }
  return status;
}

int wn_forecast_checkpoint(struct wn_trial *t, double particles, double *bytes)
{
  struct wn_sim *s = t->sim;
  const struct wn_job_ops *ops = wn_job_of(t->whole);
  struct wn_state st = {.way = WN_STATE_SAVE, .sink = count_bytes};
  struct wn_job *job = NULL;
  WN_TRY(wn_sim_begin(s, 0));
  WN_TRY(wn_sim_state(s, &st));
  WN_TRY(ops->create(s, &job));
  int status = ops->state(job, &st);
  ops->free(job);
  s->c = t->whole;
  if (status == WN_OK)
    status = diag_states(s, ops->diags, &st);
  s->c = &t->c;
  const struct wn_species *e = s->species[0];
  *bytes = (double)st.n + (particles - (double)e->p.n) * (double)e->p.record.bytes;
  if (e->tally.first_passage !=
      NULL) /* one for each primary, of which the trial has few */
    *bytes += (double)(t->whole->electrons - e->shape.n_lineages) *
              (double)e->shape.n_thresholds * (double)sizeof *e->tally.first_passage;
  return status;
}
