/* src/run/workers.c - see workers.h.
 *
 * Messages of threads need no memory, as one of them may say that there is none: a short one is kept in
 * its link, the sender of a long one waits until it is copied. */
#include "src/run/workers.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "base/ranks.h"

#define SHORT 128 /* bytes */
#define SLOTS 8   /* of a link: short messages under way */

struct message {
  const void *data; /* of the sender; NULL: in `here` */
  size_t bytes;
  unsigned char here[SHORT];
};

/* From worker 0 to another, or back. */
struct link {
  struct message slot[SLOTS];
  unsigned n_sent, n_received;
};

struct wn_team {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int n, threads, n_active; /* n: 0 until all threads exist */
  int is_given_up;
  struct link *link; /* [2 (n - 1)]: of worker r from 2 (r - 1) on: to it, from it */
};

struct wn_worker wn_worker_of_rank(void)
{
  const struct wn_worker w = {.me = wn_rank_of_all(), .n = wn_ranks_of_all()};
  return w;
}

static struct link *link_of(const struct wn_worker *w, int from, int to)
{
  WN_ASSERT((from == 0) != (to == 0));
  return &w->team->link[to > 0 ? 2 * (to - 1) : 2 * (from - 1) + 1];
}

void wn_worker_send(const struct wn_worker *w, int to, const void *data, size_t bytes)
{
  struct wn_team *t = w->team;
  if (t == NULL) {
    wn_ranks_send(to, data, bytes);
    return;
  }
  struct link *l = link_of(w, w->me, to);
  pthread_mutex_lock(&t->lock);
  while (l->n_sent - l->n_received == SLOTS && !t->is_given_up)
    pthread_cond_wait(&t->changed, &t->lock);
  if (!t->is_given_up) {
    struct message *m = &l->slot[l->n_sent % SLOTS];
    m->data = bytes > SHORT ? data : NULL;
    m->bytes = bytes;
    if (m->data == NULL && bytes > 0)
      memcpy(m->here, data, bytes);
    const unsigned mine = l->n_sent++;
    pthread_cond_broadcast(&t->changed);
    while (bytes > SHORT && (int)(l->n_received - mine) <= 0 && !t->is_given_up)
      pthread_cond_wait(&t->changed, &t->lock);
  }
  pthread_mutex_unlock(&t->lock);
}

void wn_worker_receive(const struct wn_worker *w, int from, void *data, size_t bytes)
{
  struct wn_team *t = w->team;
  if (t == NULL) {
    wn_ranks_receive(from, data, bytes);
    return;
  }
  struct link *l = link_of(w, from, w->me);
  pthread_mutex_lock(&t->lock);
  while (l->n_sent == l->n_received)
    pthread_cond_wait(&t->changed, &t->lock);
  const struct message *m = &l->slot[l->n_received % SLOTS];
  WN_ASSERT(m->bytes == bytes);
  if (bytes > 0)
    memcpy(data, m->data != NULL ? m->data : m->here, bytes);
  l->n_received++;
  pthread_cond_broadcast(&t->changed);
  pthread_mutex_unlock(&t->lock);
}

int wn_worker_arrived(const struct wn_worker *w, int *from)
{
  struct wn_team *t = w->team;
  if (t == NULL)
    return wn_ranks_arrived(from);
  const int first = w->me == 0 ? 1 : 0, last = w->me == 0 ? t->n - 1 : 0;
  int found = 0;
  pthread_mutex_lock(&t->lock);
  for (int r = first; r <= last && !found; r++) {
    const struct link *l = link_of(w, r, w->me);
    found = l->n_sent != l->n_received;
    *from = found ? r : *from;
  }
  pthread_mutex_unlock(&t->lock);
  return found;
}

int wn_worker_threads(const struct wn_worker *w)
{
  struct wn_team *t = w->team;
  if (t == NULL)
    return 0;
  pthread_mutex_lock(&t->lock);
  const int threads = t->n_active > 0 ? t->threads / t->n_active : t->threads;
  pthread_mutex_unlock(&t->lock);
  return threads > 0 ? threads : 1;
}

void wn_worker_idle(const struct wn_worker *w)
{
  struct wn_team *t = w->team;
  if (t == NULL)
    return;
  pthread_mutex_lock(&t->lock);
  t->n_active--;
  pthread_mutex_unlock(&t->lock);
}

void wn_worker_give_up(const struct wn_worker *w)
{
  struct wn_team *t = w->team;
  if (t == NULL)
    return;
  pthread_mutex_lock(&t->lock);
  t->is_given_up = 1;
  pthread_cond_broadcast(&t->changed);
  pthread_mutex_unlock(&t->lock);
}

int wn_worker_is_alone(const struct wn_worker *w)
{
  struct wn_team *t = w->team;
  if (t == NULL)
    return 0;
  pthread_mutex_lock(&t->lock);
  const int is_alone = t->is_given_up;
  pthread_mutex_unlock(&t->lock);
  return is_alone;
}

/* ---- the life of a team */

struct member {
  struct wn_worker w;
  pthread_t thread;
  int (*body)(const struct wn_worker *w, void *ctx);
  void *ctx;
};

static void *run_member(void *arg)
{
  struct member *m = arg;
  struct wn_team *t = m->w.team;
  pthread_mutex_lock(&t->lock);
  while (t->n == 0)
    pthread_cond_wait(&t->changed, &t->lock);
  m->w.n = t->n;
  pthread_mutex_unlock(&t->lock);
  m->body(&m->w, m->ctx);
  return NULL;
}

static int run_members(struct wn_team *t, struct member *m, int n)
{
  int made = 1;
  for (; made < n; made++)
    if (pthread_create(&m[made].thread, NULL, run_member, &m[made]) != 0)
      break;
  if (made < n)
    wn_log(WN_LOG_DEBUG, "%d threads for cases, not %d: the system allows no more", made,
           n);
  pthread_mutex_lock(&t->lock);
  t->n = t->n_active = m[0].w.n = made;
  pthread_cond_broadcast(&t->changed);
  pthread_mutex_unlock(&t->lock);
  const int status = m[0].body(&m[0].w, m[0].ctx);
  for (int i = 1; i < made; i++)
    pthread_join(m[i].thread, NULL);
  return status;
}

int wn_team_run(int n, int threads, int (*body)(const struct wn_worker *w, void *ctx),
                void *const *ctx)
{
  struct wn_team t = {.lock = PTHREAD_MUTEX_INITIALIZER,
                      .changed = PTHREAD_COND_INITIALIZER,
                      .threads = threads};
  int status = WN_ENOMEM;
  struct member *m = wn_alloc((size_t)n, sizeof *m);
  t.link = wn_alloc(2 * (size_t)n, sizeof *t.link);
  if (m != NULL && t.link != NULL) {
    for (int i = 0; i < n; i++)
      m[i] = (struct member){
          .w = {.me = i, .team = &t}, .body = body, .ctx = ctx != NULL ? ctx[i] : NULL};
    status = run_members(&t, m, n);
  }
  free(t.link);
  free(m);
  return status;
}
