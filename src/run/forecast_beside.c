/* src/run/forecast_beside.c - see forecast_beside.h. */
#include "src/run/forecast_beside.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "src/run/workers.h"

struct trials {
  const struct wn_config *c;
  const struct wn_gas *gas;
  struct wn_device_plan plan; /* of one worker */
  size_t n;
  double budget;
  struct wn_forecast *out;
  int *status; /* [workers] */
  int n_workers;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int n_ready;
};

/* Until all workers have their simulation: none is timed while others have not begun. */
static void wait_for_all(struct trials *t, int n)
{
  pthread_mutex_lock(&t->lock);
  t->n_workers = n;
  if (++t->n_ready == n)
    pthread_cond_broadcast(&t->changed);
  while (t->n_ready < n)
    pthread_cond_wait(&t->changed, &t->lock);
  pthread_mutex_unlock(&t->lock);
}

static int run_trials(const struct wn_worker *w, void *ctx)
{
  struct trials *t = ctx;
  const size_t me = (size_t)w->me, of = (size_t)w->n;
  const double rounds = (double)((t->n + of - 1) / of);
  struct wn_trial *trial = NULL;
  int status = wn_trial_create(t->c, t->gas, &t->plan, &trial);
  wait_for_all(t, w->n);
  for (size_t i = me; i < t->n && status == WN_OK; i += of)
    status = wn_forecast(trial, i, t->budget / rounds, &t->out[i]);
  wn_trial_free(trial);
  t->status[me] = status;
  return status;
}

int wn_forecast_beside(const struct wn_config *c, const struct wn_gas *gas,
                       const struct wn_device_plan *plan, size_t n, int most,
                       double budget, struct wn_forecast *out, int *beside)
{
  const int threads = wn_threads(plan->options.threads),
            workers = n < (size_t)most ? (int)n : most;
  struct trials t = {.c = c,
                     .gas = gas,
                     .plan = *plan,
                     .n = n,
                     .budget = budget,
                     .out = out,
                     .lock = PTHREAD_MUTEX_INITIALIZER,
                     .changed = PTHREAD_COND_INITIALIZER};
  t.plan.options.threads = threads > workers ? threads / workers : 1;
  void **ctx = wn_alloc((size_t)workers, sizeof *ctx);
  t.status = wn_alloc((size_t)workers, sizeof *t.status); /* all WN_OK */
  int status = ctx != NULL && t.status != NULL ? WN_OK : WN_ENOMEM;
  for (int i = 0; i < workers && status == WN_OK; i++)
    ctx[i] = &t;
  if (status == WN_OK)
    status = wn_team_run(workers, threads, run_trials, ctx);
  for (int i = 0; i < workers && status == WN_OK; i++)
    status = t.status[i];
  *beside = t.n_workers;
  free(ctx);
  free(t.status);
  return status;
}

double wn_beside_seconds(const double *seconds, size_t n, int beside, double slower)
{
  const size_t most = (size_t)beside < n ? (size_t)beside : n;
  const double longer = fmax(1.0, slower);
  double *left = wn_alloc(most + 1, sizeof *left), time = 0.0;
  size_t active = 0, next = 0;
  if (left == NULL)
    return NAN;
  for (;;) {
    while (active < most && next < n)
      left[active++] = seconds[next++];
    if (active == 0)
      break;
    const double others =
        beside > 1 ? ((double)active - 1.0) / ((double)beside - 1.0) : 1.0;
    double first = left[0];
    for (size_t i = 1; i < active; i++)
      first = isnan(left[i]) ? left[i] : fmin(first, left[i]);
    if (isnan(first)) {
      time = NAN;
      break;
    }
    time += first / longer * (1.0 + (longer - 1.0) * others);
    size_t kept = 0;
    for (size_t i = 0; i < active; i++)
      if (left[i] > first)
        left[kept++] = left[i] - first;
    active = kept;
  }
  free(left);
  return time;
}
