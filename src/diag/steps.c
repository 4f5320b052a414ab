/* src/diag/steps.c - diagnostic `steps`: the number of particles after each step, and
 * their births and deaths in it; a record and a line a step. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include "base/error.h"
#include "particles/parts.h"
#include "physics/constants.h"
#include "src/diag/diag.h"
#include "src/sim/study.h"

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  (void)g;
  WN_TRY(wn_output_dim(o, "poisson_step", wn_study_steps(c).poisson));
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
       .long_name = "mean square velocity of the living particles",
       .n_dims = 1,
       .dims = {"poisson_step"}},
  };
  return wn_output_define_all(o, vars, sizeof vars / sizeof vars[0]);
}

/* An integer sum, so that it does not depend on the order of the particles, which differs
 * between threads.  0 for models without velocities. */
static int mean_square_velocity(const struct wn_sim *s, double *v2)
{
  const struct wn_species *p = s->species[0];
  int kind = p->model.ops->speed2;
  double of2 =
      kind == WN_SAMPLE_BOX2 ? 2.0 * s->c->box.gravity * s->c->box.height : WN_C * WN_C;
  const struct wn_sample what = {.kind = (enum wn_sample_kind)kind, .unit = 1.0 / of2};
  wn_i128 sum = 0;
  const size_t n = wn_particles_all(&p->p);
  if (kind >= 0)
    WN_TRY(wn_particles_sample(&p->p, &what, &sum));
  *v2 = n > 0 ? (double)sum / WN_FIX_SPEED2 * of2 / (double)n : NAN;
  return WN_OK;
}

static int sample(struct wn_diag *d, const struct wn_sim *s, struct wn_output *o)
{
  const struct wn_species *p = s->species[0];
  const struct wn_tally *t = &p->tally;
  const long step = (long)s->phases - 1;
  (void)d;
  double v2;
  WN_TRY(mean_square_velocity(s, &v2));
  long long n = (long long)wn_particles_all(&p->p), births = (long long)t->n_births,
            deaths = (long long)t->n_deaths, steps = (long long)t->n_candidates;
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

const struct wn_diag_ops wn_diag_steps = {
    .define = define,
    .sample = sample,
};
