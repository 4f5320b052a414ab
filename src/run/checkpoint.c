/* src/run/checkpoint.c - see checkpoint.h. */
#include "src/run/checkpoint.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/ranks.h"
#include "base/version.h"
#include "src/config/same_scenario.h"
#include "src/io/output_path.h"

/* s; a younger run is started again rather than continued. */
#define WORTH_IT 60.0
/* Bytes a second: lower bound for a disk, used for the first checkpoint. */
#define SLOW_DISK 50e6

static char *path_of(const char *output)
{
  return wn_asprintf("%s.ckpt", output);
}

/* ---- save */

int wn_saver_init(struct wn_saver *k, const struct wn_config *c, double start)
{
  *k = (struct wn_saver){.c = c,
                         .path = path_of(c->output),
                         .same = wn_same_text(c),
                         .start = start,
                         .last = start,
                         .last_step = start};
  if (k->path != NULL && k->same != NULL)
    return WN_OK;
  wn_saver_clear(k);
  return WN_ENOMEM;
}

int wn_saver_allowed(const char *output, int continues, size_t n_inputs,
                     const char *const *inputs)
{
  static const char *const ends[] = {".ckpt", ".ckpt.old", ".ckpt.new"};
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
    WN_TRY(wn_output_is_no_input(output, ends[i], n_inputs, inputs));
  char *path = path_of(output);
  const int status = path == NULL ? WN_ENOMEM
                     : continues  ? WN_OK
                                  : wn_checkpoint_allowed(path);
  free(path);
  return status;
}

void wn_saver_clear(struct wn_saver *k)
{
  free(k->path);
  free(k->same);
  free(k->history);
  *k = (struct wn_saver){0};
}

void wn_saver_begin(struct wn_saver *k)
{
  k->last_step = wn_clock_now();
}

/* The next step, and the next checkpoint, may take twice as long as the longest so far. */
static int is_near_limit(const struct wn_saver *k, double now, double bytes)
{
  const double limit = k->c->checkpoint.wall_limit,
               write = fmax(k->longest_write, bytes / SLOW_DISK);
  return limit != WN_AUTO &&
         now - k->start + 2.0 * (k->longest_step + write) + 0.01 * limit >= limit;
}

enum wn_saver_due wn_saver_wait(struct wn_saver *k)
{
  const double now = wn_clock_now(), every = k->c->checkpoint.interval;
  if (is_near_limit(k, now, 0.0))
    return WN_DUE_SAVE_AND_END;
  return every != WN_AUTO && now - k->last >= every ? WN_DUE_SAVE : WN_DUE_NOTHING;
}

enum wn_saver_due wn_saver_step(struct wn_saver *k, double bytes)
{
  const double now = wn_clock_now(), every = k->c->checkpoint.interval;
  const size_t steps = k->c->checkpoint.steps, most = k->c->checkpoint.step_limit;
  k->longest_step = fmax(k->longest_step, now - k->last_step);
  k->last_step = now;
  k->steps++;
  if ((most > 0 && k->steps >= most) || is_near_limit(k, now, bytes))
    return WN_DUE_SAVE_AND_END;
  if ((steps > 0 && k->steps % steps == 0) ||
      (every != WN_AUTO && now - k->last >= every))
    return WN_DUE_SAVE;
  return WN_DUE_NOTHING;
}

int wn_saver_is_worth_it(const struct wn_saver *k)
{
  const double every = k->c->checkpoint.interval;
  return k->is_written || k->c->checkpoint.steps > 0 ||
         (every != WN_AUTO && wn_clock_now() - k->start >= fmin(every, WORTH_IT));
}

static int text_state(struct wn_state *s, const char *name, char **text)
{
  uint64_t n = *text != NULL ? strlen(*text) + 1 : 0;
  WN_TRY(wn_state_item(s, "length", &n, sizeof n));
  if (s->way == WN_STATE_RESTORE) {
    if (n == 0 || n > s->n - s->at)
      return WN_FAIL(WN_EINPUT, "a saved state has no `%s`", name);
    *text = wn_alloc(n, 1);
    if (*text == NULL)
      return WN_ENOMEM;
  }
  WN_TRY(wn_state_item(s, name, *text, n));
  (*text)[n - 1] = '\0';
  return WN_OK;
}

struct head {
  char *program, *same, *history;
  struct wn_place place;
};

static void free_head(struct head *h)
{
  free(h->program);
  free(h->same);
  free(h->history);
}

static int head_state(struct wn_state *s, struct head *h)
{
  WN_TRY(text_state(s, "program", &h->program));
  WN_TRY(text_state(s, "scenario", &h->same));
  WN_TRY(text_state(s, "history", &h->history));
  WN_TRY(WN_STATE(s, h->place.point));
  return WN_STATE(s, h->place.i_case);
}

static char *program(void)
{
  return wn_asprintf("wilson %s git %s", wn_version(), wn_version_git());
}

struct whole {
  struct head head;
  struct wn_output *o;
  wn_checkpoint_walk *rest;
  void *ctx;
};

static int whole_state(void *ctx, struct wn_state *s)
{
  struct whole *w = ctx;
  WN_TRY(head_state(s, &w->head));
  WN_TRY(wn_output_state(w->o, s));
  return w->rest(w->ctx, s);
}

int wn_saver_save(struct wn_saver *k, const struct wn_place *place, struct wn_output *o,
                  wn_checkpoint_walk *rest, void *ctx)
{
  const double begin = wn_clock_now();
  if (k->history == NULL)
    k->history = wn_output_get_text(o, "history");
  struct whole w = {.head = {.program = program(),
                             .same = k->same,
                             .history = k->history,
                             .place = *place},
                    .o = o,
                    .rest = rest,
                    .ctx = ctx};
  int status =
      w.head.program != NULL && k->history != NULL ? wn_output_sync(o) : WN_ENOMEM;
  if (wn_ranks_any(status != WN_OK) && status == WN_OK)
    status = WN_EIO; /* logged by rank 0 */
  if (status == WN_OK)
    status = wn_checkpoint_write(k->path, whole_state, &w);
  free(w.head.program);
  k->last = k->last_step = wn_clock_now(); /* after a failure, too: not at each step */
  k->longest_write = fmax(k->longest_write, k->last - begin);
  if (status == WN_OK) {
    k->is_written = 1;
    wn_output_keep(o);
  }
  return status;
}

/* ---- continue */

void wn_restart_free(struct wn_restart *r)
{
  if (r == NULL)
    return;
  wn_checkpoint_close(&r->file);
  free(r->path);
  free(r->of);
  free(r->history);
  free(r);
}

/* X of X.ckpt and X.ckpt.old; for any other file name the output of the scenario. */
static char *output_of(const char *path, const char *output)
{
  static const char *const ends[] = {".ckpt", ".ckpt.old"};
  const size_t n = strlen(path);
  for (size_t i = 0; i < 2; i++) {
    const size_t m = strlen(ends[i]);
    if (n > m && strcmp(path + n - m, ends[i]) == 0)
      return wn_asprintf("%.*s", (int)(n - m), path);
  }
  return wn_strdup(output);
}

/* Opens path, or the checkpoint before it. */
static int open_whole(struct wn_restart *r, const char *path)
{
  char why[512], why_old[512], *old = wn_asprintf("%s.old", path);
  if (old == NULL)
    return WN_ENOMEM;
  r->path = wn_strdup(path);
  int status = r->path != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK && wn_checkpoint_open(path, &r->file, why, sizeof why) != WN_OK) {
    free(r->path);
    r->path = old;
    old = NULL;
    if (wn_checkpoint_open(r->path, &r->file, why_old, sizeof why_old) != WN_OK) {
      r->file = (struct wn_checkpoint){0};
      status = WN_FAIL(WN_EINPUT, "%s: cannot continue from it: %s; nor from %s: %s",
                       path, why, r->path, why_old);
    } else {
      wn_log(WN_LOG_WARN, "%s: cannot continue from it: %s; the previous one is used, %s",
             path, why, r->path);
    }
  }
  free(old);
  return status;
}

static int check_head(const char *path, const struct head *h, const struct wn_config *c)
{
  char *now = program(), *same = wn_same_text(c);
  int status = now != NULL && same != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK && strcmp(now, h->program) != 0)
    status = WN_FAIL(WN_EINPUT,
                     "%s: written by %s, this is %s: another version may give different "
                     "bits; continue with that version",
                     path, h->program, now);
  if (status == WN_OK)
    status = wn_same_check(path, h->same, same);
  free(now);
  free(same);
  return status;
}

static int open_one(const char *path, const struct wn_config *c, struct wn_restart *r)
{
  struct head h = {0};
  r->of = output_of(path, c->output);
  if (r->of == NULL)
    return WN_ENOMEM;
  WN_TRY(open_whole(r, path));
  int status = head_state(&r->file.state, &h);
  if (status == WN_OK)
    status = check_head(r->path, &h, c);
  r->place = h.place;
  if (status == WN_OK) {
    r->history = h.history;
    h.history = NULL;
  }
  free_head(&h);
  return status;
}

static int is_there(const char *path)
{
  return access(path, F_OK) == 0;
}

/* A script may restart a run until it is complete, and once more. */
static int is_complete(const struct wn_config *c)
{
  if (!wn_output_is_complete(c->output))
    return 0;
  char *resolved = wn_output_text_of(c->output, "scenario"),
       *had = resolved != NULL ? wn_same_text_of(resolved) : NULL, *has = wn_same_text(c);
  const int is_same = had != NULL && has != NULL && strcmp(had, has) == 0;
  free(resolved);
  free(had);
  free(has);
  return is_same;
}

static int say_over(const struct wn_config *c)
{
  wn_log(WN_LOG_INFO,
         "%s is the complete output of this scenario: nothing to do; without --restart "
         "it is run again",
         c->output);
  return 1;
}

/* The checkpoint beside the output; it is no error if there is none. */
static int open_auto(const char *path, const char *old, const struct wn_config *c,
                     struct wn_restart *r, int *is_over)
{
  *is_over = 0;
  if (is_there(path) || is_there(old))
    return open_one(path, c, r);
  if (is_complete(c))
    *is_over = say_over(c);
  else
    wn_log(WN_LOG_INFO, "%s: no such checkpoint; the run starts from the beginning",
           path);
  return WN_OK;
}

/* The run was killed after it had completed its output, before it removed its checkpoint. */
static int is_left(const struct wn_restart *r, const struct wn_config *c)
{
  if (strcmp(r->of, c->output) != 0 || !is_complete(c))
    return 0;
  char *path = path_of(c->output);
  if (path != NULL && wn_rank() == 0)
    wn_checkpoint_remove(path);
  free(path);
  return 1;
}

int wn_restart_open(const char *from, const struct wn_config *c, struct wn_restart **out,
                    int *is_over)
{
  const int is_auto = strcmp(from, "auto") == 0;
  char *path = is_auto ? path_of(c->output) : wn_strdup(from),
       *old = path != NULL ? wn_asprintf("%s.old", path) : NULL;
  struct wn_restart *r = wn_alloc(1, sizeof *r);
  int status = WN_ENOMEM;
  *is_over = 0;
  if (old != NULL && r != NULL)
    status = is_auto ? open_auto(path, old, c, r, is_over) : open_one(path, c, r);
  if (status == WN_OK && r->of != NULL && is_left(r, c))
    *is_over = say_over(c);
  if (status != WN_OK || r->of == NULL || *is_over) {
    wn_restart_free(r);
    r = NULL;
  }
  *out = r;
  free(old);
  free(path);
  return status;
}
