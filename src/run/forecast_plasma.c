/* src/run/forecast_plasma.c - the time of a run of model plasma: see forecast.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "device/gpu.h"
#include "fields/electrostatic.h"
#include "particles/load_balance.h"
#include "src/config/adaptive_step.h"
#include "src/config/photoionization.h"
#include "src/config/plasma_derived.h"
#include "src/config/plasma_limits.h"
#include "src/config/source_numbers.h"
#include "src/jobs/job.h"
#include "src/run/forecast.h"
#include "src/run/forecast_diags.h"
#include "src/run/forecast_pilot.h"
#include "src/run/run.h"
#include "src/run/step.h"
#include "src/sim/particle_bounds.h"
#include "src/sim/plasma.h"

#define STEPS         40   /* timed steps at least, */
#define ENOUGH        0.4  /* or s after which the timing ends, */
#define LEAST         0.05 /* but not before so many s, */
#define LEAST_OF_GPU  0.02 /* and on a GPU, which other programs disturb less */
#define OF_DIAGS      0.3  /* s with diagnostics, and with looks at bounds at most */
#define LOOKS         10
#define GROWTH        1.0 /* s in which numbers of particles are followed, */
#define GROWTH_ON_GPU 0.5
#define CHANGED                                                                          \
  0.2 /* change of a number to the end of the run from which on a pilot looks further: */
#define SOME        1000.0 /* macroparticles, fewer of which do not matter */
#define OF_RUN      0.1    /* for that part of the time of the run, */
#define GROWTH_MOST 10.0   /* s at most */
#define FURTHER     1.2    /* times as far it must have come to be taken */
#define TOLD        0.3 /* of a step, the part of particles from which on it is known */
#define OF_ORDER                                                                         \
  16 /* steps timed together at least on a GPU, so that they include an order */
#define MORE 2.0 /* times as many particles, from which on a trial has as many */
#define MOST_OF_SPECIES                                                                  \
  256 /* steps timed together at most: one of a species that moves in every n-th */

/* Moving particles of a simulation. */
static double moving(const struct wn_sim *s)
{
  double n = 0.0;
  for (size_t k = 0; k < s->n_species; k++)
    if (!s->species[k]->is_fixed)
      n += (double)wn_particles_all(&s->species[k]->p);
  return n;
}

/* Particles a cell in a trial: `part` of the scenario's, but at least FEW_OF_CELL where
 * there are as many; a whole number. */
#define FEW_OF_CELL 4
static size_t of_cell(size_t per_cell, double part)
{
  const double least = per_cell < FEW_OF_CELL ? (double)per_cell : FEW_OF_CELL;
  return (size_t)fmax(least, floor(part * (double)per_cell));
}

/* In place of the scenario's, in a trial with `part` of them, or a quarter of these. */
static void make_fewer(struct wn_cfg_species *s, double part, int quarter)
{
  const size_t some = of_cell(s->per_cell, part),
               all = (size_t)(part * (double)s->macroparticles);
  if (s->macroparticles > 0) {
    const size_t n = quarter ? all / 4 : all;
    s->macroparticles = n > 1 ? n : 1;
  } else {
    s->per_cell = !quarter ? some : some > 4 ? some / 4 : 1;
  }
}

/* The number may change: particles are created, or leave. */
static int is_open(const struct wn_config *c)
{
  if (c->plasma.n_sources > 0)
    return 1;
  for (size_t k = 0; k < c->n_species; k++)
    if (c->species[k].ions != NULL || c->species[k].anions != NULL)
      return 1;
  for (int i = 0; i < wn_plasma_n_surfaces(c); i++) {
    const int32_t kind = wn_plasma_surface(c, i).particles;
    if (kind == WN_SIDE_ABSORB || kind == WN_SIDE_OPEN)
      return 1;
  }
  return 0;
}

/* A trial: s of a step without diagnostics, moves in it, particles, and s that the simulation and the release
 * took. */
struct timing {
  double step, moves, n, create, release;
  struct wn_diags_time diags;
};

/* Steps timed together, so that each species moves in these, and has its Coulomb collisions and its
 * merging. */
static int steps_of_all(const struct wn_config *c)
{
  size_t most = 1;
  for (size_t k = 0; k < c->n_species; k++)
    if (c->species[k].mobile && c->species[k].subcycling > most)
      most = c->species[k].subcycling;
  for (size_t i = 0; i < c->plasma.n_coulomb; i++)
    if (c->plasma.coulomb[i].interval > most)
      most = c->plasma.coulomb[i].interval;
  for (size_t i = 0; i < c->plasma.n_merging; i++)
    if (c->plasma.merging[i].interval > most)
      most = c->plasma.merging[i].interval;
  return most < MOST_OF_SPECIES ? (int)most : MOST_OF_SPECIES;
}

/* s of a look at the bounds of all particles, which a run does in some steps. */
static int time_bounds(struct wn_sim *s, double *look)
{
  const double begun = wn_clock_now();
  *look = INFINITY;
  for (int i = 0; i < LOOKS && wn_clock_now() - begun < OF_DIAGS; i++) {
    const double before = wn_clock_now();
    WN_TRY(wn_bounds_finite(s)); /* takes as long, and does not end the run */
    *look = fmin(*look, wn_clock_now() - before);
  }
  return WN_OK;
}

/* The shortest step on average over some steps, as other programs disturb the timing, with looks at bounds.  A GPU
 * puts particles in order every few steps, and a run does not wait for each step. */
static int time_steps(struct wn_sim *s, const struct wn_config *c, struct timing *t)
{
  const int of_all = steps_of_all(c),
            together =
                s->gpu == NULL ? of_all : (OF_ORDER + of_all - 1) / of_all * of_all;
  const double least = s->gpu != NULL ? LEAST_OF_GPU : LEAST;
  double look;
  WN_TRY(time_bounds(s, &look));
  wn_plasma_expect_sums(s, wn_diags_rows(c) > 0.4 * (double)c->plasma.steps);
  const double begun = wn_clock_now();
  for (int done = 0;; done += together) {
    const double now = wn_clock_now() - begun, of_these = wn_pilot_moves(s);
    if (done > 0 && (now > ENOUGH || (done >= STEPS && now > least)))
      return WN_OK;
    const double before = wn_clock_now();
    for (int i = 0; i < together; i++)
      WN_TRY(wn_step(s, c->plasma.time_step));
    if (s->gpu != NULL)
      WN_TRY(wn_gpu_drain(s->gpu));
    const double step =
        (wn_clock_now() - before) / together + look / (double)WN_BOUNDS_EVERY;
    if (step < t->step) {
      t->step = step;
      t->moves = of_these;
    }
  }
}

/* What ended a trial would end the run, if later or earlier where that has more particles. */
static void say_ended(double time, const char *messages)
{
  static const char head[] = "wilson: error: ";
  const char *text = strstr(messages, head);
  text = text != NULL ? text + strlen(head) : messages;
  wn_log(WN_LOG_WARN, "a trial ended at %.4g s, as the run may: %.*s", time,
         (int)strcspn(text, "\n"), text);
}

/* It ends a trial as it would end the run, which the forecast says. */
static int is_end(int status)
{
  return status == WN_ERUN || status == WN_EFULL || status == WN_ENOMEM;
}

/* The parts of a trial that has begun.  What would end the run ends it, if there was time enough for a step. */
static int time_all(struct wn_sim *s, const struct wn_config *c, const struct wn_gas *gas,
                    struct wn_pilot *growth, struct timing *t)
{
  const struct wn_pilot_budget budget = {s->gpu != NULL ? GROWTH_ON_GPU : GROWTH,
                                         SIZE_MAX, STEPS};
  char *messages = NULL;
  size_t size;
  FILE *to = open_memstream(&messages, &size);
  wn_log_to(to); /* NULL, without memory: as before */
  int status = wn_trial_diags(s, gas, STEPS, OF_DIAGS, &t->diags);
  if (status == WN_OK)
    status = time_steps(s, c, t);
  const int is_timed = isfinite(t->step);
  if ((status == WN_OK || (is_timed && is_end(status))) && growth != NULL)
    status = wn_pilot_follow(s, c, &budget, growth);
  wn_log_to(NULL);
  const int is_read = to != NULL && fclose(to) == 0, ended = is_timed && is_end(status);
  if (is_read && status == WN_ERUN && ended && growth != NULL)
    say_ended(growth->reached * (double)c->plasma.steps * c->plasma.time_step, messages);
  else if (is_read && status != WN_OK && !ended)
    fputs(messages, stderr);
  free(messages);
  return ended ? WN_OK : status;
}

/* s from the creation of a simulation to the end of its first step, beyond the time of that step: release, memory, the
 * first order of particles, code that a GPU gets when it is first needed. */
static double begin_of(const struct timing *t)
{
  return t->release + (isfinite(t->step) ? fmax(0.0, t->diags.first - t->step) : 0.0);
}

/* A trial with `part` of the particles a cell, or a quarter of these.  Times are the shortest of this trial and
 * those before it.  growth: as above; NULL: not. */
static int try_some(const struct wn_config *c, const struct wn_gas *gas,
                    const struct wn_device_plan *plan, double part, int quarter,
                    struct wn_pilot *growth, struct timing *t)
{
  const double begun = wn_clock_now();
  struct wn_config few;
  struct wn_sim *s = NULL;
  struct wn_cfg_species *species = wn_alloc(c->n_species, sizeof *species);
  struct wn_cfg_average *windows = wn_alloc(c->plasma.n_averages + 1, sizeof *windows);
  struct wn_cfg_merging *merging = wn_alloc(c->plasma.n_merging, sizeof *merging);
  int status = species != NULL && windows != NULL && merging != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK) {
    wn_trial_diags_scenario(c, STEPS, windows, &few);
    few.species = species;
    few.capacity = wn_pilot_capacity(c);
    for (size_t k = 0; k < c->n_species; k++) {
      species[k] = wn_pilot_species(c, k);
      make_fewer(&species[k], part, quarter);
    }
    few.plasma.merging = merging;
    for (size_t i = 0; i < c->plasma.n_merging; i++)
      merging[i] = wn_pilot_merging(c, &c->plasma.merging[i], fmin(part, 1.0));
    few.plasma.photoionization.pairs_per_step = wn_pilot_pairs(c, fmin(part, 1.0));
    status = wn_sim_create(&few, gas, &wn_job_of(c)->needs, plan, &s);
  }
  const double created = wn_clock_now();
  if (status == WN_OK)
    status = wn_sim_begin(s, 0);
  t->create = fmin(t->create, created - begun);
  t->release = fmin(t->release, wn_clock_now() - created);
  if (status == WN_OK)
    t->n = moving(s);
  if (status == WN_OK)
    status = time_all(s, c, gas, growth, t);
  wn_sim_free(s);
  free(merging);
  free(windows);
  free(species);
  return status;
}

static struct timing no_time(void)
{
  struct timing t = {.step = INFINITY,
                     .create = INFINITY,
                     .release = INFINITY,
                     .diags = {.file = INFINITY, .block = INFINITY, .first = INFINITY}};
  for (int k = 0; k < WN_TRIAL_DIAGS; k++)
    t.diags.sample[k] = INFINITY;
  return t;
}

/* s of a step with m[0] and m[1] moves: the part that is always there, and that of each.  Neither is negative, and
 * their sum is the first time. */
static void split(const double s[2], const double m[2], double *always, double *each)
{
  const double more = m[0] - m[1];
  *each = more > 0.0 ? fmin(fmax(0.0, (s[0] - s[1]) / more), s[0] / m[0]) : 0.0;
  *always = fmax(0.0, s[0] - *each * m[0]); /* rounding */
}

/* Whether the numbers of a run are not those of its start, or few macroparticles become many. */
static int changes(const struct wn_config *c, const struct wn_pilot *g)
{
  int is = fabs(g->at_end - 1.0) > CHANGED;
  for (size_t k = 0; k < c->n_species; k++)
    is = is || g->peak[k] > (1.0 + CHANGED) * fmax(g->first[k], SOME);
  return is;
}

/* s of each move later in the run, where a pilot measured them: what is left of its last steps beyond the part that is always
 * there.  Ions that do not move, merging and photons are in it; at the start of a run there are none.  each: s at the start, which stays
 * where numbers do, or where the pilot has too few moves to tell. */
static double each_later(const struct wn_config *c, const struct wn_pilot *g,
                         double always, double each)
{
  const double rest = g->late_seconds - always;
  return changes(c, g) && g->late_moves > SOME && rest > TOLD * g->late_seconds
             ? rest / g->late_moves
             : each;
}

/* The part of the particles of the second trial, relative to the first, which has `part`: of a number that grows the
 * mean over the run, up to `most`, as a difference would not be known where there are few; else a quarter. */
static double second_part(const struct wn_pilot *growth, double part, double all,
                          double most)
{
  const double more = fmin(growth->grown, most / fmax(1.0, part * all));
  return more > MORE ? more : 0.25;
}

/* A pilot with few macroparticles.  What would end the run ends it. */
static int follow_few(const struct wn_config *c, const struct wn_gas *gas,
                      const struct wn_device_plan *plan,
                      const struct wn_pilot_budget *budget, struct wn_pilot *out)
{
  char *messages = NULL;
  size_t size;
  FILE *to = open_memstream(&messages, &size);
  wn_log_to(to);
  const int status = wn_pilot_run(c, gas, plan, wn_pilot_part(c), budget, out);
  wn_log_to(NULL);
  const int is_read = to != NULL && fclose(to) == 0,
            ended = is_end(status) && (status != WN_ENOMEM || out->reached > 0.0);
  if (is_read && status == WN_ERUN)
    say_ended(out->reached * (double)c->plasma.steps * c->plasma.time_step, messages);
  else if (is_read && status != WN_OK && !ended)
    fputs(messages, stderr);
  free(messages);
  return ended ? WN_OK : status;
}

/* Numbers may change: particles are created or leave, or steps become shorter. */
static int is_followed(const struct wn_config *c)
{
  return is_open(c) || wn_steps_are_adaptive(c);
}

int wn_forecast_growth(const struct wn_config *c, const struct wn_gas *gas,
                       const struct wn_device_plan *plan, struct wn_pilot *out)
{
  const struct wn_pilot_budget budget = {GROWTH, SIZE_MAX, 0};
  *out = wn_pilot_none(c);
  return is_followed(c) ? follow_few(c, gas, plan, &budget, out) : WN_OK;
}

/* A pilot with fewer macroparticles, where the first did not reach the end of a run whose numbers change, or may do so later, by
 * photoionization; the one that came further is taken.  step: s of a step at the start. */
static int look_further(const struct wn_config *c, const struct wn_gas *gas,
                        const struct wn_device_plan *plan, double step,
                        struct wn_pilot *g)
{
  struct wn_pilot further;
  const double run = step * g->steps * fmax(1.0, g->grown);
  const int may_begin = wn_photoionization_is_on(c) && step * STEPS < GROWTH_MOST;
  const double seconds =
      may_begin ? GROWTH_MOST : fmin(GROWTH_MOST, fmax(GROWTH, OF_RUN * run));
  const struct wn_pilot_budget budget = {seconds, SIZE_MAX, STEPS};
  for (size_t k = 0; k < c->n_species; k++)
    if (g->full_at[k] <= g->reached)
      return WN_OK;
  if (g->reached >= 1.0 || !(changes(c, g) || may_begin) ||
      (wn_pilot_part(c) == 1.0 && seconds < FURTHER * GROWTH))
    return WN_OK;
  WN_TRY(follow_few(c, gas, plan, &budget, &further));
  if (further.reached > FURTHER * g->reached)
    *g = further;
  return WN_OK;
}

int wn_forecast_plasma(const struct wn_config *c, const struct wn_gas *gas,
                       const struct wn_device_plan *plan, double most,
                       struct wn_plasma_cost *out)
{
  const double all = wn_plasma_moving(c);
  double some = 0.0, of_first = 0.0, other = 0.25;
  struct timing of[2] = {no_time(), no_time()};
  const double part = all > most ? most / all : 1.0;
  *out = (struct wn_plasma_cost){.growth = wn_pilot_none(c)};
  for (int i = 0; i < 4; i++) {
    const int is_other = i % 2, is_quarter = is_other && other < 1.0;
    WN_TRY(try_some(c, gas, plan, is_other && !is_quarter ? other * part : part,
                    is_quarter, i == 0 && is_followed(c) ? &out->growth : NULL,
                    &of[is_other]));
    if (i == 0) { /* it alone starts a device */
      of_first = of[0].create + begin_of(&of[0]);
      if (is_followed(c))
        WN_TRY(look_further(c, gas, plan, of[0].step, &out->growth));
      other = second_part(&out->growth, part, all, most);
    }
  }
  const int larger = of[1].moves > of[0].moves;
  const struct timing *t[2] = {&of[larger], &of[!larger]};
  const double m[2] = {t[0]->moves, t[1]->moves}, n0 = of[0].n;
  double step[2], diags[2], of_diags;
  wn_diags_time_same(c, &of[0].diags, &of[1].diags);
  for (int i = 0; i < 2; i++) {
    step[i] = t[i]->step;
    diags[i] = wn_diags_step(c, &t[i]->diags);
  }
  split(step, m, &out->grid, &out->particle);
  out->particle = each_later(c, &out->growth, out->grid, out->particle);
  split(diags, m, &out->diags, &of_diags);
  out->particle += of_diags;
  const double released[2] = {t[0]->n, t[1]->n},
               begin[2] = {begin_of(t[0]), begin_of(t[1])};
  double always;
  split(begin, released, &always, &out->release);
  out->create = fmax(0.0, of_first - out->release * n0);
  for (size_t k = 0; k < c->n_species; k++) {
    const struct wn_cfg_species as_loaded = wn_pilot_species(c, k), *s = &as_loaded;
    if (!s->mobile || s->profile == WN_PROFILE_FILE)
      continue;
    const double n = wn_plasma_particles(c, s);
    some += s->macroparticles > 0
                ? floor(part * n)
                : n * (double)of_cell(s->per_cell, part) / fmax(1.0, (double)s->per_cell);
    out->moves += n / (double)s->subcycling;
  }
  out->n = all + fmax(0.0, n0 - some); /* particles from files are loaded in full */
  out->moves = (out->moves + fmax(0.0, n0 - some)) * out->growth.grown;
  return WN_OK;
}
