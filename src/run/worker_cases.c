/* src/run/worker_cases.c - see worker_cases.h. */
#include "src/run/worker_cases.h"
#include <stdio.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/diag/diag.h"
#include "src/jobs/job.h"
#include "src/run/signals.h"

/* ---- scan points */

void wn_point_leave(struct wn_point *at)
{
  wn_sim_free(at->sim);
  wn_gas_free(at->gas);
  *at = (struct wn_point){0};
}

int wn_point_gas(const struct wn_scenarios *p, size_t i_point, struct wn_point *at)
{
  const struct wn_config *c = p->c[i_point];
  *at = (struct wn_point){.i_point = i_point};
  return wn_config_has_gas(c) ? wn_gas_create(c, &at->gas) : WN_OK;
}

int wn_point_enter(const struct wn_scenarios *p, const struct wn_device_plan *plan,
                   struct wn_point *at)
{
  return wn_sim_create(p->c[at->i_point], at->gas, &wn_job_of(p->c[at->i_point])->needs,
                       plan, &at->sim);
}

/* Moves to another scan point; back to the first after an error. */
static int go_to(const struct wn_worker_run *w, size_t i_point, struct wn_point *at)
{
  int status = WN_OK;
  if (i_point == at->i_point)
    return WN_OK;
  if (at->i_point > 0)
    wn_point_leave(at);
  if (i_point > 0)
    status = wn_point_gas(w->p, i_point, at);
  if (i_point > 0 && status == WN_OK)
    status = wn_point_enter(w->p, &w->plan, at);
  if (i_point > 0 && status == WN_OK && at->gas != NULL)
    status = wn_gas_same_processes(w->first->gas, at->gas);
  if (status != WN_OK && at->i_point > 0)
    wn_point_leave(at);
  if (status != WN_OK || i_point == 0)
    *at = *w->first;
  return status;
}

/* ---- cases */

/* Case i, counted over all scan points.  When a run continues, its scan point is current already. */
static int run_one(const struct wn_worker_run *w, size_t i, struct wn_point *at)
{
  struct wn_run_state *r = w->r;
  const size_t cases = wn_config_cases(w->p->c[0]), i_own = i % cases;
  const int goes_on = r->restart != NULL;
  int status = go_to(w, i / cases, at);
  const struct wn_config *c = w->p->c[i / cases];
  if (status == WN_OK && at->sim == NULL) { /* of the first point, in a thread */
    status = wn_point_enter(w->p, &w->plan, w->first);
    at->sim = w->first->sim;
  }
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

int wn_run_all_cases(struct wn_worker_run *w)
{
  const size_t n = w->p->n * wn_config_cases(w->p->c[0]);
  struct wn_point at = *w->first;
  int status = WN_OK;
  for (size_t i = w->begin; i < n && status == WN_OK; i++)
    status = run_one(w, i, &at);
  if (at.i_point > 0)
    wn_point_leave(&at);
  return status;
}

/* The cases that worker 0 gives out.  Returns a status that ends the run. */
static int run_given(const struct wn_worker_run *w, struct wn_point *at)
{
  struct wn_run_state *r = w->r;
  size_t i;
  int status = WN_OK;
  while (status == WN_OK && wn_divide_next(r->divide, &i)) {
    const uint64_t candidates = r->progress.candidates, real = r->progress.real;
    r->to = wn_divide_begin(r->divide, i);
    const int ended = r->to != NULL ? run_one(w, i, at) : WN_ENOMEM;
    if (r->to == NULL || ended == WN_ELIMIT ||
        (wn_divide_is_first(r->divide) && wn_signals_stopped() != 0))
      status = ended; /* of this worker, and of the run */
    const int told =
        wn_divide_end(r->divide, i, ended, wn_signals_stopped(),
                      r->progress.candidates - candidates, r->progress.real - real);
    status = status == WN_OK ? told : status;
  }
  r->to = stdout;
  while (status == WN_OK && wn_divide_wait(r->divide, &status))
    status = wn_run_wait(r);
  return status;
}

int wn_run_worker_cases(struct wn_worker_run *w, const struct wn_worker *worker)
{
  struct wn_run_state *r = w->r;
  struct wn_point at = *w->first;
  int status = wn_divide_create(w->p, w->begin, worker, r->o, &r->progress, &r->divide);
  if (status != WN_OK) {
    wn_divide_decline(worker, w->begin, status);
    return status;
  }
  if (!wn_divide_is_first(r->divide)) { /* worker 0 continues from the checkpoint */
    wn_restart_free(r->restart);
    r->restart = NULL;
  }
  status = run_given(w, &at);
  if (at.i_point > 0)
    wn_point_leave(&at);
  return wn_divide_finish(r->divide, status);
}

/* ---- side by side */

/* A worker that is a thread. */
struct beside {
  struct wn_worker_run w;
  struct wn_run_state state;
  struct wn_scenarios p;
  struct wn_point first;
};

static void free_beside(struct beside *b)
{
  if (b == NULL)
    return;
  wn_output_discard(b->state.o);
  wn_divide_free(b->state.divide);
  wn_scenarios_drop(&b->p);
  free(b);
}

/* A worker of its own thread, with all but its simulation, which that thread creates. */
static struct beside *make_beside(const struct wn_worker_run *run)
{
  struct beside *b = wn_alloc(1, sizeof *b);
  if (b == NULL)
    return NULL;
  b->w = *run;
  b->w.p = &b->p;
  b->w.first = &b->first;
  b->w.r = &b->state;
  b->first.gas = run->first->gas;
  b->state.to = stdout;
  b->state.plan = &b->w.plan;
  b->state.shared = &b->p;
  wn_progress_init(&b->state.progress, run->r->progress.n_cases, 1,
                   run->r->progress.collisions);
  if (wn_scenarios_share(run->p, run->p->c[0]->threads, &b->p) != WN_OK ||
      wn_output_journal_of(run->r->o, &b->state.o) != WN_OK) {
    free_beside(b);
    return NULL;
  }
  return b;
}

static int run_beside(const struct wn_worker *worker, void *ctx)
{
  struct wn_worker_run *w = ctx;
  const int status = wn_run_worker_cases(w, worker);
  if (worker->me > 0) /* by the thread that created it */
    wn_sim_free(w->first->sim);
  return status;
}

int wn_run_cases_beside(struct wn_worker_run *w, int n, int threads)
{
  struct beside **other = wn_alloc((size_t)n, sizeof *other);
  void **ctx = wn_alloc((size_t)n, sizeof *ctx);
  int status = other != NULL && ctx != NULL ? WN_OK : WN_ENOMEM;
  for (int i = 0; i < n && status == WN_OK; i++) {
    other[i] = i > 0 ? make_beside(w) : NULL;
    ctx[i] = i > 0 && other[i] != NULL ? &other[i]->w : w;
    status = i == 0 || other[i] != NULL ? WN_OK : WN_ENOMEM;
  }
  if (status == WN_OK)
    status = wn_team_run(n, threads, run_beside, ctx);
  for (int i = 1; other != NULL && i < n; i++)
    free_beside(other[i]);
  free(other);
  free(ctx);
  return status;
}
