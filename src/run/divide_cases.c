/* src/run/divide_cases.c - see divide_cases.h.
 *
 * Messages to worker 0: struct report, then the data that it announces.  From worker 0: struct order.
 * Each order GIVE, and the first case, which needs no order, is answered by one report DONE; SAVE
 * by one IN_HAND, or by the DONE already under way; END by one BYE, the last. */
#include "src/run/divide_cases.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "base/state.h"
#include "base/threads.h"
#include "src/jobs/job.h"
#include "src/sim/sim.h"

#define MANY   1000000 /* electrons above which a case itself is divided */
#define BESIDE 32      /* most threads that run cases: each has all that a case needs */
#define MOMENT 500     /* us between polls of a waiting worker */

enum kind { GIVE, SAVE, END, DONE, IN_HAND, BYE };

struct order {
  enum kind kind;
  int status; /* of END: the status of the run */
  size_t i;   /* of GIVE */
};

struct report {
  enum kind kind;
  int status, signal;
  size_t i;
  uint64_t candidates, real;
  size_t n_journal, n_text,
      n_log; /* bytes that follow; n_text of IN_HAND: bytes of the state */
};

/* The data after a report. */
struct parts {
  unsigned char *journal;
  char *text, *log;
};

struct result {
  struct report r; /* valid if its kind is DONE */
  struct parts p;
};

struct wn_divide {
  const struct wn_scenarios *p;
  struct wn_output *o;
  struct wn_progress *progress;
  struct wn_worker worker;
  size_t n;      /* cases of all scan points */
  int has_begun; /* this worker has started its first case */
  int is_over, status;
  /* of the current case */
  FILE *text, *log;
  char *text_bytes, *log_bytes;
  size_t n_text, n_log;
  /* worker 0 */
  size_t next,
      merged; /* the next to be given out; the first whose results are not merged yet */
  struct result *result; /* [n] results that arrived out of order */
  size_t *has;           /* [worker.n] current case of each; SIZE_MAX: none */
  int signal;
};

/* ---- whether to divide */

static size_t all_cases(const struct wn_scenarios *p)
{
  return p->n * wn_config_cases(p->c[0]);
}

int wn_divide_beside(const struct wn_scenarios *p, const struct wn_device_plan *plan)
{
  const struct wn_config *c = p->c[0];
  const int threads = wn_threads(plan->options.threads),
            can = plan->device == WN_DEVICE_CUDA ||
                  (plan->ops != NULL && plan->ops->threads != NULL);
  const size_t n = all_cases(p), most = (size_t)(threads < BESIDE ? threads : BESIDE);
  const int is_small = c->electrons <= MANY && c->population_target <= MANY &&
                       wn_job_of(c)->holds_number && c->checkpoint.step_limit == 0;
  if (c->model != WN_MODEL_MCC || !can ||
      !(c->divide == WN_DIVIDE_CASES || (c->divide == WN_DIVIDE_AUTO && is_small)))
    return 1;
  return (int)(n < most ? n : most);
}

int wn_divide_pays(const struct wn_scenarios *p, int n_ranks, int *pays)
{
  const struct wn_config *c = p->c[0];
  const size_t n = all_cases(p), ranks = (size_t)n_ranks;
  const int is_mcc = c->model == WN_MODEL_MCC;
  *pays = 0;
  if (ranks == 1 || c->divide == WN_DIVIDE_ELECTRONS || c->divide == WN_DIVIDE_DOMAINS)
    return WN_OK;
  if (c->divide == WN_DIVIDE_CASES && !is_mcc)
    return WN_FAIL(WN_EINPUT,
                   "%s: key `divide` = \"cases\": only cases of model mcc can be divided "
                   "among processes; use \"electrons\"",
                   c->file);
  if (c->divide == WN_DIVIDE_CASES && n < ranks)
    return WN_FAIL(WN_EINPUT,
                   "%s: key `divide` = \"cases\": with %zu cases and %zu processes some "
                   "would have none; use \"electrons\", or fewer processes",
                   c->file, n, ranks);
  *pays = c->divide == WN_DIVIDE_CASES ||
          (is_mcc && n >= ranks && c->electrons <= MANY && c->population_target <= MANY);
  return WN_OK;
}

/* ---- create and free */

static void free_parts(struct parts *p)
{
  free(p->journal);
  free(p->text);
  free(p->log);
  *p = (struct parts){0};
}

void wn_divide_free(struct wn_divide *d)
{
  if (d == NULL)
    return;
  for (size_t i = 0; d->worker.me == 0 && d->result != NULL && i < d->n; i++)
    free_parts(&d->result[i].p);
  free(d->result);
  free(d->has);
  free(d);
}

int wn_divide_create(const struct wn_scenarios *p, size_t first,
                     const struct wn_worker *worker, struct wn_output *o,
                     struct wn_progress *progress, struct wn_divide **out)
{
  struct wn_divide *d = wn_alloc(1, sizeof *d);
  if (d == NULL)
    return WN_ENOMEM;
  *d = (struct wn_divide){.p = p,
                          .o = o,
                          .progress = progress,
                          .worker = *worker,
                          .n = all_cases(p),
                          .merged = first};
  const size_t workers = (size_t)worker->n;
  d->next = first + workers;
  d->has = wn_alloc(workers, sizeof *d->has);
  d->result = wn_alloc(worker->me == 0 ? d->n : 1, sizeof *d->result);
  int status = d->has != NULL && d->result != NULL ? wn_output_journal(o) : WN_ENOMEM;
  if (status != WN_OK) {
    wn_divide_free(d);
    return status;
  }
  for (size_t r = 0; r < workers; r++) {
    d->has[r] = first + r < d->n ? first + r : SIZE_MAX;
    if (worker->me == 0 && d->has[r] == SIZE_MAX)
      wn_worker_idle(worker);
  }
  *out = d;
  return WN_OK;
}

int wn_divide_is_first(const struct wn_divide *d)
{
  return d->worker.me == 0;
}

int wn_divide_is_process(const struct wn_divide *d)
{
  return d->worker.team == NULL;
}

int wn_divide_threads(const struct wn_divide *d)
{
  return wn_worker_threads(&d->worker);
}

int wn_divide_signal(const struct wn_divide *d)
{
  return d->signal;
}

/* ---- messages */

/* Worker 0: gives the next case to worker `to`.  Returns its number, SIZE_MAX if there are no more. */
static size_t assign(struct wn_divide *d, int to)
{
  const int had_one = d->has[to] != SIZE_MAX;
  d->has[to] = d->next < d->n && !d->is_over ? d->next++ : SIZE_MAX;
  if (had_one && d->has[to] == SIZE_MAX)
    wn_worker_idle(&d->worker);
  return d->has[to];
}

static void give(struct wn_divide *d, int to)
{
  const struct order o = {.kind = GIVE, .i = assign(d, to)};
  if (o.i != SIZE_MAX) /* without a case it waits for END */
    wn_worker_send(&d->worker, to, &o, sizeof o);
}

static void send_report(const struct wn_worker *w, const struct report *r,
                        const struct parts *p)
{
  wn_worker_send(w, 0, r, sizeof *r);
  wn_worker_send(w, 0, p->journal, r->n_journal);
  wn_worker_send(w, 0, p->text, r->n_text);
  wn_worker_send(w, 0, p->log, r->n_log);
}

static int receive_part(const struct wn_divide *d, int from, size_t n, void *out)
{
  char **part = out;
  *part = wn_alloc(n + 1, 1);
  if (*part == NULL)
    return WN_ENOMEM; /* the bytes that follow cannot be received: the run ends */
  wn_worker_receive(&d->worker, from, *part, n);
  return WN_OK;
}

static int receive(const struct wn_divide *d, int from, struct report *r, struct parts *p)
{
  *p = (struct parts){0};
  wn_worker_receive(&d->worker, from, r, sizeof *r);
  WN_TRY(receive_part(d, from, r->n_journal, &p->journal));
  WN_TRY(receive_part(d, from, r->n_text, &p->text));
  return receive_part(d, from, r->n_log, &p->log);
}

/* ---- in the order of the cases */

/* Merges the results that have arrived, up to the first gap. */
static int merge(struct wn_divide *d)
{
  for (; d->merged < d->n && d->result[d->merged].r.kind == DONE && !d->is_over;
       d->merged++) {
    struct result *one = &d->result[d->merged];
    const int status = wn_output_journal_put(d->o, one->p.journal, one->r.n_journal);
    wn_progress_wipe(d->progress);
    fwrite(one->p.text, 1, one->r.n_text, stdout);
    fflush(stdout);
    fwrite(one->p.log, 1, one->r.n_log, stderr);
    free_parts(&one->p);
    d->progress->candidates += one->r.candidates;
    d->progress->real += one->r.real;
    WN_TRY(status);
    if (one->r.status != WN_OK) {
      d->is_over = 1;
      d->status = one->r.status;
    }
  }
  return WN_OK;
}

/* Receives one report of worker `from`.  state: gets the bytes of an unfinished case, if that is the
 * first one not finished; its output so far goes to the file.  NULL: no state was requested. */
static int take(struct wn_divide *d, int from, struct wn_state *state, int *is_bye)
{
  struct result one;
  int status = receive(d, from, &one.r, &one.p);
  *is_bye = one.r.kind == BYE;
  if (status == WN_OK && one.r.kind == DONE) {
    d->signal = one.r.signal != 0 ? one.r.signal : d->signal;
    d->result[one.r.i] = one;
    status = merge(d);
    give(d, from);
    return status;
  }
  if (status == WN_OK && one.r.kind == IN_HAND && state != NULL) {
    status = wn_output_journal_put(d->o, one.p.journal, one.r.n_journal);
    if (status == WN_OK)
      status = wn_state_part(state, one.p.text, one.r.n_text);
  }
  free_parts(&one.p);
  return status;
}

static int take_all(struct wn_divide *d)
{
  int from, is_bye;
  while (wn_worker_arrived(&d->worker, &from))
    WN_TRY(take(d, from, NULL, &is_bye));
  return WN_OK;
}

/* ---- a case */

int wn_divide_next(struct wn_divide *d, size_t *i)
{
  struct order o;
  const int is_first = !d->has_begun;
  d->has_begun = 1;
  if (d->worker.me == 0) {
    *i = is_first ? d->has[0] : assign(d, 0);
    return *i != SIZE_MAX && !d->is_over;
  }
  *i = d->has[d->worker.me];
  if (is_first && *i != SIZE_MAX)
    return 1;
  if (d->is_over)
    return 0;
  for (int from; !d->is_over && !wn_worker_is_alone(&d->worker); usleep(MOMENT)) {
    if (!wn_worker_arrived(&d->worker, &from))
      continue;
    wn_worker_receive(&d->worker, 0, &o, sizeof o);
    if (o.kind == GIVE) {
      *i = d->has[d->worker.me] = o.i;
      return 1;
    }
    d->is_over = o.kind == END; /* SAVE: the report DONE answers it */
    d->status = o.status;
  }
  return 0;
}

FILE *wn_divide_begin(struct wn_divide *d, size_t i)
{
  d->text_bytes = d->log_bytes = NULL;
  d->text = open_memstream(&d->text_bytes, &d->n_text);
  d->log = open_memstream(&d->log_bytes, &d->n_log);
  if (d->text == NULL || d->log == NULL) {
    wn_log(WN_LOG_ERROR, "out of memory for the lines of a case");
    return NULL;
  }
  /* worker 0 logs at once if no earlier case is unfinished */
  wn_log_to(d->worker.me > 0 || i > d->merged ? d->log : NULL);
  return d->text;
}

/* The state so far of this process's current case. */
static int answer_save(struct wn_divide *d, wn_checkpoint_walk *rest, void *ctx)
{
  struct wn_state s;
  struct report r = {.kind = IN_HAND};
  struct parts p = {0};
  wn_state_init(&s);
  int status = rest(ctx, &s);
  if (status == WN_OK) {
    wn_output_journal_take(d->o, &p.journal, &r.n_journal);
    p.text = (char *)s.bytes;
    r.n_text = s.n;
  }
  send_report(&d->worker, &r, &p);
  free(p.journal);
  wn_state_clear(&s);
  return status;
}

int wn_divide_poll(struct wn_divide *d, wn_checkpoint_walk *rest, void *ctx)
{
  struct order o;
  int from;
  if (d->worker.me == 0) {
    WN_TRY(take_all(d));
    return d->is_over ? WN_ERUN : WN_OK;
  }
  if (wn_worker_is_alone(&d->worker)) {
    d->is_over = 1;
    return WN_ERUN;
  }
  while (wn_worker_arrived(&d->worker, &from)) {
    wn_worker_receive(&d->worker, 0, &o, sizeof o);
    if (o.kind == SAVE)
      WN_TRY(answer_save(d, rest, ctx));
    if (o.kind != END)
      continue;
    d->is_over = 1;
    d->status = o.status;
    return WN_ERUN;
  }
  return WN_OK;
}

int wn_divide_end(struct wn_divide *d, size_t i, int status, int signal,
                  uint64_t candidates, uint64_t real)
{
  struct result one = {.r = {.kind = DONE,
                             .status = status,
                             .signal = signal,
                             .i = i,
                             .candidates = candidates,
                             .real = real}};
  wn_log_to(NULL);
  int closed = 0;
  closed |= d->text != NULL && fclose(d->text) != 0;
  closed |= d->log != NULL && fclose(d->log) != 0;
  d->text = d->log = NULL;
  one.p.text = d->text_bytes;
  one.p.log = d->log_bytes;
  one.r.n_text = d->n_text;
  one.r.n_log = d->n_log;
  d->text_bytes = d->log_bytes = NULL;
  wn_output_journal_take(d->o, &one.p.journal, &one.r.n_journal);
  if (closed ||
      d->is_over) { /* out of memory; or the case was aborted, and its results are not needed */
    free_parts(&one.p);
    return closed ? WN_ENOMEM : WN_OK;
  }
  if (d->worker.me == 0) {
    one.r.candidates = one.r.real =
        0; /* the progress line counts those of worker 0 itself */
    d->result[i] = one;
    return merge(d);
  }
  send_report(&d->worker, &one.r, &one.p);
  free_parts(&one.p);
  return WN_OK;
}

/* ---- checkpoints */

/* The case to be saved: of this worker, or the state received from another. */
struct in_hand {
  wn_checkpoint_walk *rest;
  void *ctx;
  const struct wn_state *state; /* NULL: of this worker */
};

static int walk(void *ctx, struct wn_state *s)
{
  const struct in_hand *h = ctx;
  return h->state == NULL ? h->rest(h->ctx, s)
                          : wn_state_part(s, h->state->bytes, h->state->n);
}

/* The worker that runs the first unfinished case; -1: none. */
static int owner_of_first(const struct wn_divide *d)
{
  for (int r = 0; r < d->worker.n; r++)
    if (d->has[r] == d->merged)
      return r;
  return -1;
}

/* Requests the state of the first unfinished case.  If it has finished when the answer arrives,
 * the next one is requested. */
static int request_state(struct wn_divide *d, struct wn_state *state, int *owner)
{
  const struct order o = {.kind = SAVE};
  for (;;) {
    *owner = owner_of_first(d);
    if (*owner <= 0 || d->is_over)
      return WN_OK;
    const size_t was = d->merged;
    wn_worker_send(&d->worker, *owner, &o, sizeof o);
    for (int from, is_bye; state->n == 0 && d->merged == was && !d->is_over;)
      if (wn_worker_arrived(&d->worker, &from))
        WN_TRY(take(d, from, state, &is_bye));
      else
        usleep(MOMENT);
    if (state->n > 0)
      return WN_OK;
  }
}

int wn_divide_save(struct wn_divide *d, struct wn_saver *saver, wn_checkpoint_walk *rest,
                   void *ctx)
{
  struct in_hand h = {.rest = rest, .ctx = ctx};
  struct wn_state state;
  int owner = -1;
  wn_state_init(&state);
  int status = request_state(d, &state, &owner);
  if (status == WN_OK &&
      owner == 0) { /* its output so far is in the file, as its state says */
    unsigned char *journal = NULL;
    size_t n = 0;
    wn_output_journal_take(d->o, &journal, &n);
    status = wn_output_journal_put(d->o, journal, n);
    free(journal);
  }
  if (status == WN_OK && owner >= 0 && !d->is_over) {
    const size_t cases = wn_config_cases(d->p->c[0]), point = d->merged / cases;
    const struct wn_place place = {
        .point = point, .i_case = d->p->c[point]->first_case + d->merged % cases};
    h.state = owner > 0 ? &state : NULL;
    status = wn_saver_save(saver, &place, d->o, walk, &h);
  }
  wn_state_clear(&state);
  return status;
}

/* ---- the end */

/* Ends all other workers, which confirm it. */
static int end_others(struct wn_divide *d)
{
  const struct order o = {.kind = END, .status = d->status};
  int status = WN_OK;
  for (int r = 1; r < d->worker.n; r++)
    wn_worker_send(&d->worker, r, &o, sizeof o);
  for (int r = 1, is_bye; r < d->worker.n && status == WN_OK; r++)
    for (is_bye = 0; !is_bye && status == WN_OK;)
      status = take(d, r, NULL, &is_bye);
  return status;
}

/* A report without data. */
static void say(const struct wn_worker *w, enum kind kind, size_t i, int status)
{
  const struct report r = {.kind = kind, .status = status, .i = i};
  const struct parts p = {0};
  send_report(w, &r, &p);
}

void wn_divide_decline(const struct wn_worker *w, size_t first, int status)
{
  struct order o = {.kind = GIVE};
  if (w->team == NULL) /* wn_ranks_end aborts the other processes */
    return;
  if (w->me == 0) {
    wn_worker_give_up(w);
    return;
  }
  say(w, DONE, first + (size_t)w->me, status);
  for (int from; o.kind != END && !wn_worker_is_alone(w); usleep(MOMENT))
    if (wn_worker_arrived(w, &from))
      wn_worker_receive(w, 0, &o, sizeof o);
  say(w, BYE, 0, WN_OK);
}

int wn_divide_wait(struct wn_divide *d, int *status)
{
  if (d->worker.me > 0)
    return 0;
  *status = take_all(d);
  if (*status != WN_OK || d->is_over || d->merged == d->n)
    return 0;
  usleep(MOMENT);
  return 1;
}

int wn_divide_finish(struct wn_divide *d, int status)
{
  if (status == WN_ENOMEM && wn_divide_is_process(d))
    return status; /* sent data may be lost: wn_ranks_end aborts the other processes */
  if (status == WN_ENOMEM && d->worker.me == 0) {
    wn_worker_give_up(&d->worker);
    return status;
  }
  if (d->worker.me > 0) {
    size_t i;
    if (status != WN_OK) /* the case, and with it the run, ends with this status */
      say(&d->worker, DONE, d->has[d->worker.me], status);
    while (!d->is_over && wn_divide_next(d, &i))
      ; /* no further cases: only END can arrive */
    say(&d->worker, BYE, 0, WN_OK);
    wn_output_journal_end(d->o);
    return d->status;
  }
  d->status = d->is_over ? d->status : status;
  d->is_over = 1;
  status = end_others(d);
  wn_output_journal_end(d->o);
  return d->status != WN_OK ? d->status : status;
}
