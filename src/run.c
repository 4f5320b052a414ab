/* src/run.c - THE STEP, and the loop around it. */
#include "src/run.h"
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include "base/error.h"
#include "base/log.h"
#include "src/device.h"
#include "src/diag.h"
#include "src/output.h"
#include "particles/population.h"
#include "src/progress.h"
#include "src/sim.h"
#include "src/synthetic_run.h"

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

/* One phase of all electrons: x and u go from t to t + interval together; weights are
 * fixed inside. */
static int step(struct wn_sim *s, const struct wn_diag_ops *job, struct wn_diag *d)
{
  size_t target = s->c->population_target;
  int swarm = s->c->job == WN_JOB_SWARM;
  if (swarm && target == 0)
    target = s->c->electrons;

  WN_TRY(wn_sim_phase(s)); /* fly and collide: x(t + interval), u(t + interval); newborns
                              join, the dead go */
  if (target > 0)
    WN_TRY(wn_population_control(s, target,
                                 swarm)); /* weights change here and nowhere else */
  WN_TRY(job->sample(d, s)); /* what holds at t + interval; may set the next interval */
  return WN_OK;
}

/* The store is full, which was said: the time of the last finished phase is where this
 * run ends. */
static int say_stopped(const struct wn_sim *s, struct wn_output *o)
{
  char why[256];
  snprintf(why, sizeof why,
           "the store of electrons was full: field %s ends %.6g s after the release",
           s->c->cases[s->field].text, s->time);
  wn_log(WN_LOG_WARN, "%s; what was measured up to there is in %s", why, s->c->output);
  return wn_output_stopped(o, why);
}

static int run_field(const struct wn_config *c, const struct wn_gas *gas,
                     const struct wn_diag_ops *job, size_t field, struct wn_output *o,
                     struct wn_progress *progress)
{
  struct wn_sim *s = NULL;
  struct wn_diag *d = NULL;
  int status = wn_sim_create(c, gas, field, &s);
  if (status == WN_OK)
    status = job->create(s, &d);
  if (status == WN_OK)
    status = wn_sim_release(s);
  wn_progress_field(progress, c->cases[field].text);
  int is_full = 0;
  while (status == WN_OK && !job->done(d)) {
    status = step(s, job, d);
    is_full = status == WN_EFULL;
    if (status != WN_OK)
      break;
    wn_progress_step(progress, s->time, s->p.n, s->candidates, s->real,
                     wn_progress_due(progress) ? job->fraction(d, s) : 0.0);
    status = interrupted();
  }
  wn_progress_clear(progress);
  if (is_full)
    status = say_stopped(s, o);
  if (status == WN_OK)
    status = job->finish(d, s, o, stdout);
  if (status == WN_OK) {
    fflush(stdout);
    status = wn_output_sync(o);
  }
  if (status == WN_OK && is_full)
    status = WN_EFULL;
  if (d != NULL)
    job->free(d);
  wn_sim_free(s);
  return status;
}

static int open_output(const struct wn_config *c, const struct wn_gas *gas,
                       const struct wn_diag_ops *job, int argc, char *const *argv,
                       struct wn_output **out)
{
  struct wn_output *o = NULL;
  WN_TRY(wn_output_create(c->output, &o));
  int status = job->define(o, c, gas);
  if (status == WN_OK)
    status =
        wn_output_provenance(o, c, argc, argv, gas->n, (const char *const *)gas->source);
  if (status == WN_OK)
    status = wn_output_end_define(o);
  if (status == WN_OK)
    status = job->begin(o, c, gas);
  if (status != WN_OK) {
    wn_output_discard(o);
    return status;
  }
  *out = o;
  return WN_OK;
}

static int run_mcc(const struct wn_config *c, int argc, char *const *argv)
{
  const struct wn_diag_ops *job =
      c->job == WN_JOB_SWARM ? &wn_diag_swarm : &wn_diag_runaway;
  struct wn_gas *gas = NULL;
  struct wn_output *o = NULL;
  struct wn_progress progress;
  WN_TRY(wn_gas_create(c, &gas));
  int status = open_output(c, gas, job, argc, argv, &o);
  if (status != WN_OK) {
    wn_gas_free(gas);
    return status;
  }
  wn_progress_init(&progress, c->n_cases, c->quiet);
  job->heading(stdout);
  for (size_t i = 0; i < c->n_cases && status == WN_OK; i++)
    status = run_field(c, gas, job, i, o, &progress);
  if (status == WN_OK)
    status = wn_output_complete(o);
  if (status == WN_OK || status == WN_EFULL) {
    int closed = wn_output_close(o);
    if (closed != WN_OK)
      status = closed;
    if (status == WN_OK)
      wn_progress_summary(&progress, c->output);
  } else {
    wn_output_discard(o);
  }
  wn_gas_free(gas);
  return status;
}

int wn_run(const struct wn_config *c, int argc, char *const *argv)
{
  struct wn_device_plan plan;
  WN_TRY(wn_device_choose(c, &plan));
  wn_device_announce(c, &plan);
  struct sigaction action = {.sa_handler = on_signal}, old_int, old_term;
  sigemptyset(&action.sa_mask);
  action.sa_flags = (int)SA_RESETHAND; /* a second signal ends the program at once */
  stopped = 0;
  sigaction(SIGINT, &action, &old_int);
  sigaction(SIGTERM, &action, &old_term);
  int status = c->model == WN_MODEL_MCC ? run_mcc(c, argc, argv)
                                        : wn_run_synthetic(c, argc, argv, interrupted);
  sigaction(SIGINT, &old_int, NULL);
  sigaction(SIGTERM, &old_term, NULL);
  return status;
}
