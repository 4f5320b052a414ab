/* src/jobs/study.c - job of the models for measuring schedulers: a number of Poisson
 * steps, and after each the fate of the particles (src/diag/steps.c). */
#include "base/error.h"
#include "src/jobs/steps.h"
#include "src/sim/study.h"

static int create(struct wn_sim *s, struct wn_job **out)
{
  return wn_job_steps_create(s->interval, wn_study_steps(s->c).poisson, out);
}

static double duration(const struct wn_config *c)
{
  struct wn_study_steps steps = wn_study_steps(c);
  return (double)steps.poisson * (double)steps.mobility * steps.dt;
}

/* Counts of a step start at zero. */
static int next(struct wn_job *j, struct wn_sim *s)
{
  j->steps++;
  wn_sim_reset(s);
  return WN_OK;
}

/* The rows before the step that filled the store stay. */
static void full(const struct wn_sim *s, char *text, size_t n)
{
  snprintf(text, n,
           "the store of electrons was full: the run ends after %llu Poisson step%s, at "
           "%.6g s",
           (unsigned long long)s->phases, s->phases == 1 ? "" : "s", s->time);
}

static void heading(FILE *to)
{
  fprintf(to, "%6s  %10s  %12s  %12s  %12s  %14s  %12s\n", "step", "time s", "electrons",
          "births", "deaths", "electron steps", "<v2> m2/s2");
}

static const struct wn_diag_ops *const diags[] = {&wn_diag_steps, NULL};

const struct wn_job_ops wn_job_study = {
    .diags = diags,
    .rows = 1,
    .heading = heading,
    .duration = duration,
    .create = create,
    .interval = wn_job_steps_interval,
    .next = next,
    .done = wn_job_steps_done,
    .fraction = wn_job_steps_fraction,
    .full = full,
    .state = wn_job_steps_state,
    .free = wn_job_steps_free,
};
