/* src/synthetic_run.c - see synthetic_run.h. */
#include "src/synthetic_run.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "physics/constants.h"
#include "base/error.h"
#include "base/log.h"
#include "src/output.h"
#include "src/progress.h"
#include "src/split_remove_run.h"

struct wn_synthetic_steps wn_synthetic_steps(const struct wn_config *c)
{
#define STEPS(m)                                                                         \
  (struct wn_synthetic_steps){c->m.poisson_steps, c->m.mobility_steps, c->m.mobility_step}
  WN_ASSERT(c->model != WN_MODEL_MCC);
  return c->model == WN_MODEL_RECTANGLE ? STEPS(rectangle)
         : c->model == WN_MODEL_BOX     ? STEPS(box)
                                        : STEPS(split_remove);
#undef STEPS
}

/* Primary i, with its id and the random numbers of its place. */
static struct wn_rng4 primary(const struct wn_config *c, size_t i, uint64_t *id)
{
  *id = wn_rng_primary_id(c->seed, i, 0);
  return wn_rng(c->seed, *id, 0, WN_RNG_INITIAL, 0);
}

static int set_up_rectangle(struct wn_sim *s)
{
  const struct wn_config *c = s->c;
  s->model.ops = &wn_model_rectangle;
  s->model.rectangle = (struct wn_rectangle){.seed = c->seed,
                                             .width = c->rectangle.width,
                                             .height = c->rectangle.height,
                                             .split = c->rectangle.split_chance,
                                             .removed = c->rectangle.remove_chance};
  for (size_t i = 0; i < c->electrons; i++) {
    struct wn_electron e = {.w = 1.0f};
    struct wn_rng4 r = primary(c, i, &e.id);
    e.x[0] = c->rectangle.width * wn_u01(r.w[0]);
    e.x[1] = c->rectangle.height * wn_u01(r.w[1]);
    WN_TRY(wn_particles_append(&s->p, &e, 1));
  }
  return WN_OK;
}

static int set_up_box(struct wn_sim *s)
{
  const struct wn_config *c = s->c;
  s->model.ops = &wn_model_box;
  s->model.box = (struct wn_box){.seed = c->seed,
                                 .width = c->box.width,
                                 .height = c->box.height,
                                 .g = c->box.gravity,
                                 .dt = c->box.mobility_step};
  for (size_t i = 0; i < c->electrons; i++) {
    struct wn_box_electron e = {0};
    struct wn_electron stored;
    struct wn_rng4 r = primary(c, i, &e.id);
    e.x = c->box.width * wn_u01(r.w[0]);
    e.y = c->box.height * (0.5 + 0.5 * wn_u01(r.w[1]));
    memcpy(&stored, &e, sizeof stored);
    WN_TRY(wn_particles_append(&s->p, &stored, 1));
  }
  return WN_OK;
}

int wn_synthetic_create(const struct wn_config *c, struct wn_sim **out)
{
  struct wn_sim *s = NULL;
  if (c->model == WN_MODEL_SPLIT_REMOVE)
    return wn_split_create(c, out);
  WN_TRY(wn_sim_create(c, NULL, 0, &s));
  struct wn_synthetic_steps steps = wn_synthetic_steps(c);
  s->model.steps = (unsigned)steps.mobility;
  s->interval = steps.dt * s->model.steps;
  int status = c->model == WN_MODEL_RECTANGLE ? set_up_rectangle(s) : set_up_box(s);
  if (status != WN_OK) {
    wn_sim_free(s);
    return status;
  }
  *out = s;
  return WN_OK;
}

static int define(struct wn_output *o, const struct wn_config *c)
{
  WN_TRY(wn_output_dim(o, "poisson_step", wn_synthetic_steps(c).poisson));
  static const struct wn_output_var vars[] = {
      {.name = "time",
       .units = "s",
       .long_name = "time at the end of the Poisson step",
       .n_dims = 1,
       .dims = {"poisson_step"}},
      {.name = "electrons",
       .units = "1",
       .long_name = "living electrons at the end of the Poisson step",
       .type = WN_OUT_INT64,
       .n_dims = 1,
       .dims = {"poisson_step"}},
      {.name = "births",
       .units = "1",
       .long_name = "electrons born in the Poisson step",
       .type = WN_OUT_INT64,
       .n_dims = 1,
       .dims = {"poisson_step"}},
      {.name = "deaths",
       .units = "1",
       .long_name = "electrons removed in the Poisson step",
       .type = WN_OUT_INT64,
       .n_dims = 1,
       .dims = {"poisson_step"}},
      {.name = "electron_steps",
       .units = "1",
       .long_name = "mobility steps taken by all electrons in the Poisson step",
       .type = WN_OUT_INT64,
       .n_dims = 1,
       .dims = {"poisson_step"}},
      {.name = "mean_square_velocity",
       .units = "m2 s-2",
       .long_name = "mean square velocity of the living",
       .n_dims = 1,
       .dims = {"poisson_step"}},
  };
  for (size_t i = 0; i < sizeof vars / sizeof vars[0]; i++)
    WN_TRY(wn_output_define(o, &vars[i]));
  return WN_OK;
}

/* An integer sum, so that it does not depend on the order of the electrons, which threads
 * change.  Those of the rectangle have no velocity, and 0 stored. */
static int mean_square_velocity(const struct wn_sim *s, double *v2)
{
  int box = s->c->model == WN_MODEL_BOX;
  double of2 = box ? 2.0 * s->c->box.gravity * s->c->box.height : WN_C * WN_C;
  const struct wn_sample what = {.kind = box ? WN_SAMPLE_BOX2 : WN_SAMPLE_SPEED2,
                                 .unit = 1.0 / of2};
  wn_i128 sum = 0;
  WN_TRY(wn_particles_sample(&s->p, &what, &sum));
  *v2 = s->p.n > 0 ? (double)sum / WN_FIX_SPEED2 * of2 / (double)s->p.n : NAN;
  return WN_OK;
}

static int record(struct wn_sim *s, struct wn_output *o, long step)
{
  double v2;
  WN_TRY(mean_square_velocity(s, &v2));
  long long n = (long long)s->p.n, births = (long long)s->tally.n_births,
            deaths = (long long)s->tally.n_deaths,
            steps = (long long)s->tally.n_candidates;
  WN_TRY(wn_output_put(o, "time", step, &s->time));
  WN_TRY(wn_output_put_int(o, "electrons", step, &n));
  WN_TRY(wn_output_put_int(o, "births", step, &births));
  WN_TRY(wn_output_put_int(o, "deaths", step, &deaths));
  WN_TRY(wn_output_put_int(o, "electron_steps", step, &steps));
  WN_TRY(wn_output_put(o, "mean_square_velocity", step, &v2));
  printf("%6ld  %10.4g  %12lld  %12lld  %12lld  %14lld  %12.5g\n", step + 1, s->time, n,
         births, deaths, steps, v2);
  fflush(stdout);
  return wn_output_sync(o);
}

/* The electrons of a step do not fit, which was said: the rows before it stay. */
static int say_stopped(const struct wn_sim *s, struct wn_output *o, size_t steps)
{
  char why[256];
  snprintf(why, sizeof why,
           "the store of electrons was full: the run ends after %zu Poisson step%s, at "
           "%.6g s",
           steps, steps == 1 ? "" : "s", s->time);
  wn_log(WN_LOG_WARN, "%s; what was measured up to there is in %s", why, s->c->output);
  WN_TRY(wn_output_stopped(o, why));
  return WN_EFULL;
}

int wn_run_synthetic(const struct wn_config *c, int argc, char *const *argv,
                     int (*interrupted)(void))
{
  struct wn_sim *s = NULL;
  struct wn_output *o = NULL;
  struct wn_progress progress;
  WN_TRY(wn_synthetic_create(c, &s));
  int status = wn_output_create(c->output, &o);
  if (status == WN_OK)
    status = define(o, c);
  if (status == WN_OK)
    status = wn_output_provenance(o, c, argc, argv, 0, NULL);
  if (status == WN_OK)
    status = wn_output_end_define(o);
  wn_progress_init(&progress, 1, c->quiet);
  wn_progress_field(&progress, s->model.ops->name);
  if (status == WN_OK)
    printf("%6s  %10s  %12s  %12s  %12s  %14s  %12s\n", "step", "time s", "electrons",
           "births", "deaths", "electron steps", "<v2> m2/s2");
  size_t n_steps = wn_synthetic_steps(c).poisson;
  uint64_t steps = 0;
  for (size_t i = 0; i < n_steps && status == WN_OK; i++) {
    wn_sim_reset(s);
    status = s->ops->advance(s->sched, &s->model, &s->p, &s->tally);
    if (status == WN_EFULL || status == WN_ENOMEM)
      status = say_stopped(s, o, i);
    if (status != WN_OK)
      break;
    s->time += s->interval;
    status = wn_particles_compact(&s->p);
    if (status != WN_OK)
      break;
    steps += s->tally.n_candidates;
    wn_progress_step(&progress, s->time, s->p.n, steps, steps,
                     (double)(i + 1) / (double)n_steps);
    wn_progress_clear(&progress);
    status = record(s, o, (long)i);
    if (status == WN_OK)
      status = interrupted();
  }
  if (status == WN_OK)
    status = wn_output_complete(o);
  if (status == WN_OK || status == WN_EFULL) {
    int closed = wn_output_close(o);
    if (closed != WN_OK)
      status = closed;
  } else if (o != NULL) {
    wn_output_discard(o);
  }
  if (status == WN_OK && !c->quiet)
    wn_log(WN_LOG_INFO, "results are in %s", c->output);
  wn_sim_free(s);
  return status;
}
