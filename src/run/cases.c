/* src/run/cases.c - the sequence of a run: its output, the scan points, their cases, one after the
 * other or divided among processes, and its end.  A single case is run by src/run/run.c. */
#include "src/run/cases.h"
#include <stdio.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/ranks.h"
#include "src/diag/diag.h"
#include "src/jobs/job.h"
#include "src/run/provenance.h"
#include "src/run/run.h"
#include "src/run/signals.h"

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

/* The current scan point.  The first lives as long as the run and defines the list of processes. */
struct scan_point {
  size_t i_point;
  struct wn_gas *gas; /* NULL: no collisions */
  struct wn_sim *sim;
};

static void leave_point(struct scan_point *at)
{
  wn_sim_free(at->sim);
  wn_gas_free(at->gas);
  *at = (struct scan_point){0};
}

static int find_gas(const struct wn_scenarios *p, size_t i_point, struct scan_point *at)
{
  const struct wn_config *c = p->c[i_point];
  *at = (struct scan_point){.i_point = i_point};
  return wn_config_has_gas(c) ? wn_gas_create(c, &at->gas) : WN_OK;
}

/* at->gas exists. */
static int enter_point(const struct wn_scenarios *p, const struct wn_device_plan *plan,
                       struct scan_point *at)
{
  return wn_sim_create(p->c[at->i_point], at->gas, &wn_job_of(p->c[at->i_point])->needs,
                       plan, &at->sim);
}

/* Moves to another scan point; back to the first after an error. */
static int go_to(const struct wn_scenarios *p, size_t i_point,
                 const struct scan_point *first, const struct wn_device_plan *plan,
                 struct scan_point *at)
{
  int status = WN_OK;
  if (i_point == at->i_point)
    return WN_OK;
  if (at->i_point > 0)
    leave_point(at);
  if (i_point > 0)
    status = find_gas(p, i_point, at);
  if (i_point > 0 && status == WN_OK)
    status = enter_point(p, plan, at);
  if (i_point > 0 && status == WN_OK && at->gas != NULL)
    status = wn_gas_same_processes(first->gas, at->gas);
  if (status != WN_OK && at->i_point > 0)
    leave_point(at);
  if (status != WN_OK || i_point == 0)
    *at = *first;
  return status;
}

/* Case i, counted over all scan points.  When a run continues, its scan point is current already. */
static int run_one(const struct wn_scenarios *p, size_t i, const struct scan_point *first,
                   const struct wn_device_plan *plan, struct scan_point *at,
                   struct wn_run_state *r)
{
  const size_t cases = wn_config_cases(p->c[0]), i_own = i % cases;
  const int goes_on = r->restart != NULL;
  int status = go_to(p, i / cases, first, plan, at);
  const struct wn_config *c = p->c[i / cases];
  r->place.point = i / cases;
  r->progress.i_case = i;
  wn_output_axes(r->o, 1);
  if (status == WN_OK && c->n_scans > 0 && i_own == 0 && !goes_on)
    status = wn_diag_put_point(r->o, c, at->gas);
  wn_output_axes(r->o, 0);
  if (status == WN_OK && c->point != NULL && (i_own == 0 || goes_on))
    fprintf(r->to, "%s:\n", c->point);
  return status == WN_OK ? wn_run_case(at->sim, wn_job_of(c), c->first_case + i_own, r)
                         : status;
}

/* This process's cases, from case `begin` on. */
static int run_divided(const struct wn_scenarios *p, size_t begin,
                       const struct scan_point *first, const struct wn_device_plan *plan,
                       struct scan_point *at, struct wn_run_state *r)
{
  size_t i;
  int status = WN_OK;
  WN_TRY(wn_divide_create(p, begin, r->o, &r->progress, &r->divide));
  if (!wn_divide_is_first(r->divide)) { /* rank 0 continues from the checkpoint */
    wn_restart_free(r->restart);
    r->restart = NULL;
  }
  while (status == WN_OK && wn_divide_next(r->divide, &i)) {
    const uint64_t candidates = r->progress.candidates, real = r->progress.real;
    r->to = wn_divide_begin(r->divide, i);
    const int ended = r->to != NULL ? run_one(p, i, first, plan, at, r) : WN_ENOMEM;
    if (r->to == NULL || ended == WN_ELIMIT ||
        (wn_divide_is_first(r->divide) && wn_signals_stopped() != 0))
      status = ended; /* of this process, and of the run */
    const int told =
        wn_divide_end(r->divide, i, ended, wn_signals_stopped(),
                      r->progress.candidates - candidates, r->progress.real - real);
    status = status == WN_OK ? told : status;
  }
  r->to = stdout;
  while (status == WN_OK && wn_divide_wait(r->divide, &status))
    status = wn_run_wait(r);
  return wn_divide_finish(r->divide, status);
}

/* All cases of all scan points. */
static int run_cases(const struct wn_scenarios *p, const struct scan_point *first,
                     const struct wn_device_plan *plan, struct wn_run_state *r)
{
  const size_t cases = wn_config_cases(p->c[0]);
  struct scan_point at = *first;
  size_t i = 0;
  int status = WN_OK;
  if (r->restart != NULL)
    i = (size_t)(r->place.point * cases + r->place.i_case -
                 p->c[r->place.point]->first_case);
  if (r->is_divided)
    status = run_divided(p, i, first, plan, &at, r);
  else
    for (; i < p->n * cases && status == WN_OK; i++)
      status = run_one(p, i, first, plan, &at, r);
  if (at.i_point > 0)
    leave_point(&at);
  return status;
}

/* Whether the place is one of this run; if not, the checkpoint is from another program. */
static int is_valid_place(const struct wn_scenarios *p, const struct wn_place *at)
{
  if (at->point >= p->n)
    return 0;
  const struct wn_config *c = p->c[at->point];
  return at->i_case >= c->first_case && at->i_case - c->first_case < wn_config_cases(c);
}

static int run_points(const struct wn_scenarios *p, const struct scan_point *first,
                      const struct wn_device_plan *plan, struct wn_run_state *r)
{
  const struct wn_config *c = p->c[0];
  const struct wn_job_ops *ops = wn_job_of(c);
  int status = WN_OK;
  wn_progress_init(&r->progress, p->n * wn_config_cases(c),
                   c->quiet || wn_rank_of_all() > 0, ops->collisions);
  if (r->restart != NULL) {
    r->place = r->restart->place;
    if (!is_valid_place(p, &r->place))
      status = WN_FAIL(WN_EINPUT, "%s: the scenario has no such case", r->restart->path);
  }
  ops->heading(stdout);
  if (status == WN_OK)
    status = run_cases(p, first, plan, r);
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

static int run(const struct wn_scenarios *p, const struct wn_device_plan *plan,
               struct scan_point *first, struct wn_run_state *r, int argc,
               char *const *argv)
{
  char hardware[1024];
  WN_TRY(wn_device_text(plan, hardware, sizeof hardware));
  if (r->is_divided)
    wn_ranks_part();
  WN_TRY(enter_point(p, plan, first));
  say_checkpoint_left(r);
  int status = open_output(first->sim, wn_job_of(p->c[0]), hardware, r->restart, argc,
                           argv, &r->o);
  if (status == WN_OK)
    status = run_points(p, first, plan, r);
  leave_point(first);
  if (status == WN_OK && r->saver.is_written && wn_rank_of_all() == 0)
    wn_checkpoint_remove(r->saver.path);
  if (status == WN_EFULL && r->saver.is_written)
    wn_log(WN_LOG_INFO,
           "with a larger population.capacity --restart auto continues from %s",
           r->saver.path);
  return status;
}

/* With the objects that live as long as the run. */
static int run_to_end(const struct wn_scenarios *p, const struct wn_device_plan *plan,
                      struct scan_point *first, const char *restart, double start,
                      int argc, char *const *argv)
{
  struct wn_run_state r = {.to = stdout};
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
    status = run(p, plan, first, &r, argc, argv);
  wn_divide_free(r.divide);
  wn_restart_free(r.restart);
  wn_saver_clear(&r.saver);
  return status;
}

int wn_run(const struct wn_scenarios *p, const char *restart, int argc, char *const *argv)
{
  const struct wn_config *c = p->c[0];
  const double start = wn_clock_now();
  struct wn_device_plan plan;
  struct scan_point first;
  if (wn_ranks() > 1 && c->model == WN_MODEL_PLASMA &&
      c->plasma.particles_interval != WN_AUTO)
    return WN_FAIL(
        WN_EINPUT,
        "plasma.particles_interval: with %d processes the choice of sampled particles "
        "would depend on their number; remove the key, or run one process",
        wn_ranks());
  wn_device_wake(c);
  int status = find_gas(p, 0, &first); /* meanwhile */
  wn_device_awake();
  if (status == WN_OK)
    status = wn_device_choose(c, &plan);
  if (status == WN_OK) {
    wn_device_announce(c, &plan);
    wn_signals_begin();
    status = run_to_end(p, &plan, &first, restart, start, argc, argv);
    wn_signals_end();
  }
  leave_point(&first);
  return status;
}
