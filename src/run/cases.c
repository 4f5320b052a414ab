/* src/run/cases.c - the sequence of a run: its output, the scan points, their cases, one after the
 * other or divided among processes, and its end.  A single case is run by src/run/time_loop.c. */
#include "src/run/cases.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/ranks.h"
#include "base/threads.h"
#include "src/diag/diag.h"
#include "src/io/output_path.h"
#include "src/jobs/job.h"
#include "src/run/provenance.h"
#include "src/run/run.h"
#include "src/run/signals.h"
#include "src/run/worker_cases.h"

/* The line of the attribute `history` of a run that continues. */
static int say_restarted(struct wn_output *o, const struct wn_restart *r, int argc,
                         char *const *argv)
{
  char where[96];
  if (r == NULL)
    return WN_OK;
  snprintf(where, sizeof where, "in case %llu of scan point %llu",
           (unsigned long long)r->place.i_case + 1,
           (unsigned long long)r->place.point + 1);
  return wn_output_restarted(o, r->history, where, argc, argv);
}

static int open_output(const struct wn_config *c, const struct wn_gas *gas,
                       const char *hardware, struct wn_restart *restart, int argc,
                       char *const *argv, struct wn_output **out)
{
  const struct wn_job_ops *ops = wn_job_of(c);
  struct wn_output *o = NULL;
  WN_TRY(restart != NULL ? wn_output_create_again(c->output, &o)
                         : wn_output_create(c->output, &o));
  int status = ops->define != NULL ? ops->define(o, c, gas) : WN_OK;
  for (size_t k = 0; ops->diags[k] != NULL && status == WN_OK; k++)
    status = ops->diags[k]->define(o, c, gas);
  if (status == WN_OK)
    status =
        wn_provenance_write(o, c, hardware, argc, argv, gas != NULL ? gas->n_sources : 0,
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

/* All cases of all scan points. */
static int run_cases(struct wn_worker_run *w, int threads)
{
  const struct wn_worker me = wn_worker_of_rank();
  const struct wn_run_state *r = w->r;
  const size_t cases = wn_config_cases(w->p->c[0]);
  if (r->restart != NULL)
    w->begin = (size_t)(r->place.point * cases + r->place.i_case -
                        w->p->c[r->place.point]->first_case);
  return r->beside > 1   ? wn_run_cases_beside(w, r->beside, threads)
         : r->is_divided ? wn_run_worker_cases(w, &me)
                         : wn_run_all_cases(w);
}

/* Whether the place is one of this run; if not, the checkpoint is from another program. */
static int is_valid_place(const struct wn_scenarios *p, const struct wn_place *at)
{
  if (at->point >= p->n)
    return 0;
  const struct wn_config *c = p->c[at->point];
  return at->i_case >= c->first_case && at->i_case - c->first_case < wn_config_cases(c);
}

static int run_points(const struct wn_scenarios *p, const struct wn_device_plan *plan,
                      struct wn_worker_run *w)
{
  const struct wn_config *c = p->c[0];
  struct wn_run_state *r = w->r;
  const struct wn_job_ops *ops = wn_job_of(c);
  int status = WN_OK;
  wn_progress_init(&r->progress, p->n * wn_config_cases(c),
                   c->quiet || r->watch != NULL || wn_rank_of_all() > 0, ops->collisions);
  if (r->restart != NULL) {
    r->place = r->restart->place;
    if (!is_valid_place(p, &r->place))
      status = WN_FAIL(WN_EINPUT, "%s: the scenario has no such case", r->restart->path);
  }
  if (!ops->rows || !c->quiet)
    ops->heading(r->to);
  if (status == WN_OK)
    status = run_cases(w, wn_threads(plan->options.threads));
  if (r->divide != NULL &&
      !wn_divide_is_first(r->divide)) { /* its results are with rank 0 */
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

/* After a killed run, the user may have forgotten that it can be continued. */
static void say_checkpoint_left(const struct wn_run_state *r)
{
  if (r->restart == NULL && wn_rank_of_all() == 0 && access(r->saver.path, F_OK) == 0)
    wn_log(WN_LOG_WARN,
           "%s: a checkpoint of an earlier run, from which --restart auto would "
           "continue; this run starts from the beginning and replaces it by its own",
           r->saver.path);
}

/* p, plan: of the run; those of w have the part of one worker. */
static int run(const struct wn_scenarios *p, const struct wn_device_plan *plan,
               struct wn_worker_run *w, int argc, char *const *argv)
{
  struct wn_run_state *r = w->r;
  char hardware[1024];
  WN_TRY(wn_device_text(plan, hardware, sizeof hardware));
  if (r->is_divided)
    wn_ranks_part();
  WN_TRY(wn_point_enter(w->p, &w->plan, w->first));
  say_checkpoint_left(r);
  int status =
      open_output(p->c[0], w->first->gas, hardware, r->restart, argc, argv, &r->o);
  if (status == WN_OK)
    status = run_points(p, plan, w);
  wn_point_leave(w->first);
  if (status == WN_OK && r->saver.is_written && wn_rank_of_all() == 0)
    wn_checkpoint_remove(r->saver.path);
  if (status == WN_EFULL && r->saver.is_written)
    wn_log(WN_LOG_INFO,
           "with a larger population.capacity --restart auto continues from %s",
           r->saver.path);
  return status;
}

/* Cases side by side by threads of this process: w gets the part of one of them. */
static int share_threads(struct wn_worker_run *w, struct wn_scenarios *shared)
{
  struct wn_run_state *r = w->r;
  const int threads = wn_threads(w->plan.options.threads);
  r->beside = wn_ranks() == 1 && r->watch == NULL ? wn_divide_beside(w->p, &w->plan) : 1;
  if (r->beside <= 1)
    return WN_OK;
  wn_log(WN_LOG_INFO,
         "whole cases, %zu in all, run side by side, %d at a time (key `divide`)",
         w->p->n * wn_config_cases(w->p->c[0]), r->beside);
  WN_TRY(wn_scenarios_share(w->p, threads / r->beside, shared));
  w->p = r->shared = shared;
  w->plan.options.threads = threads / r->beside;
  r->plan = &w->plan;
  return WN_OK;
}

/* With the objects that live as long as the run. */
static int run_to_end(const struct wn_scenarios *p, const struct wn_device_plan *plan,
                      struct wn_point *first, const char *restart, double start, int argc,
                      char *const *argv, const struct wn_run_watch *watch)
{
  struct wn_run_state r = {.to = watch != NULL ? watch->to : stdout, .watch = watch};
  struct wn_worker_run w = {.p = p, .plan = *plan, .first = first, .r = &r};
  struct wn_scenarios shared = {0};
  int is_over = 0;
  WN_TRY(wn_divide_pays(p, wn_ranks(), &r.is_divided));
  if (r.is_divided)
    wn_log(WN_LOG_INFO,
           "whole cases, %zu in all, are divided among the processes (key `divide`)",
           p->n * wn_config_cases(p->c[0]));
  if (restart != NULL)
    WN_TRY(wn_restart_open(restart, p->c[0], &r.restart, &is_over));
  wn_ranks_wait(); /* every process has read the checkpoint */
  if (is_over)
    return WN_OK;
  int status = wn_saver_init(&r.saver, p->c[0], start);
  r.saver.is_written = r.restart != NULL;
  if (status == WN_OK)
    status = share_threads(&w, &shared);
  if (status == WN_OK)
    status = run(p, plan, &w, argc, argv);
  wn_divide_free(r.divide);
  wn_scenarios_drop(&shared);
  wn_restart_free(r.restart);
  wn_saver_clear(&r.saver);
  return status;
}

int wn_run_output_allowed(const struct wn_config *c, bool keep, bool is_restart)
{
  size_t n = 0;
  const char **inputs = NULL;
  WN_TRY(wn_config_inputs(c, &n, &inputs));
  int status = wn_output_allowed(c->output, keep, n, inputs);
  if (status == WN_OK)
    status = wn_saver_allowed(c->output, is_restart, n, inputs);
  free(inputs);
  return status;
}

int wn_run(const struct wn_scenarios *p, const char *restart, int argc, char *const *argv)
{
  return wn_run_watched(p, restart, argc, argv, NULL);
}

int wn_run_watched(const struct wn_scenarios *p, const char *restart, int argc,
                   char *const *argv, const struct wn_run_watch *watch)
{
  if (watch != NULL && wn_ranks() > 1)
    return WN_FAIL(WN_EINPUT,
                   "a run that is stepped from outside has one process, not %d",
                   wn_ranks());
  const struct wn_config *c = p->c[0];
  const double start = wn_clock_now();
  struct wn_device_plan plan;
  struct wn_point first;
  wn_device_wake(c);
  int status = wn_point_gas(p, 0, &first); /* meanwhile */
  wn_device_awake();
  if (status == WN_OK)
    status = wn_device_choose(c, &plan);
  if (status == WN_OK) {
    wn_device_announce(c, &plan);
    if (watch == NULL)
      wn_signals_begin();
    status = run_to_end(p, &plan, &first, restart, start, argc, argv, watch);
    if (watch == NULL)
      wn_signals_end();
  }
  wn_point_leave(&first);
  return status;
}
