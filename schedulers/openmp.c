/* schedulers/openmp.c - threads take electrons in chunks; newborns form the next round,
 * which is divided anew. Each thread adds to a tally and a list of newborns of its own,
 * merged after the round: no lock, no atomic in the loop. */
#include "schedulers/scheduler.h"
#ifdef _OPENMP
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"

/* electrons a thread takes at a time: long against the cost of fetching the next chunk,
 * and many times the lanes of advance_many; small enough that the last chunks do not
 * leave threads idle */
#define CHUNK 512
/* the same of records without t_left, of which a phase is some nanoseconds of work each:
 * they are read in long runs */
#define CHUNK_SHORT 8192
/* and of a pass, in which most of them take some nanoseconds */
#define CHUNK_PASS 2048

struct wn_scheduler {
  int threads;
  struct wn_tally_shape shape;
  struct wn_births *births; /* [threads] */
  struct wn_tally *tally;   /* [threads] */
};

static void destroy(struct wn_scheduler *s)
{
  for (int i = 0; s != NULL && i < s->threads; i++) {
    if (s->births != NULL)
      free(s->births[i].e);
    if (s->tally != NULL)
      wn_tally_clear(&s->tally[i]);
  }
  if (s != NULL) {
    free(s->births);
    free(s->tally);
  }
  free(s);
}

static int create(const struct wn_scheduler_options *o,
                  const struct wn_tally_shape *shape, struct wn_scheduler **out)
{
  struct wn_scheduler *s = wn_alloc(1, sizeof *s);
  if (s == NULL)
    return WN_ENOMEM;
  s->threads = wn_threads(o->threads);
  s->shape = *shape;
  s->births = wn_alloc((size_t)s->threads, sizeof *s->births);
  s->tally = wn_alloc((size_t)s->threads, sizeof *s->tally);
  int status = s->births != NULL && s->tally != NULL ? WN_OK : WN_ENOMEM;
  for (int i = 0; i < s->threads && status == WN_OK; i++)
    status = wn_tally_init(&s->tally[i], shape);
  if (status != WN_OK) {
    destroy(s);
    return status;
  }
  *out = s;
  return WN_OK;
}

static size_t chunk_of(const struct wn_particles *p, int in_one_pass)
{
  return in_one_pass ? CHUNK_PASS : p->record.no_t_left ? CHUNK_SHORT : CHUNK;
}

static void advance_chunk(const struct wn_model *model, int in_one_pass, void *e,
                          size_t n, size_t record, struct wn_tally *tally,
                          struct wn_births *births, struct wn_census *census)
{
  if (in_one_pass)
    model->ops->pass(model, e, n, tally, births, census->wanted ? census : NULL);
  else if (model->ops->advance_many != NULL)
    model->ops->advance_many(model, e, n, tally, births);
  else
    for (size_t i = 0; i < n; i++)
      model->ops->advance(model, (unsigned char *)e + i * record, tally, births);
}

static int advance(struct wn_scheduler *s, const struct wn_model *model,
                   struct wn_particles *p, struct wn_tally *tally)
{
  int in_one_pass = p->to_gather;
  p->to_gather = 0;
  for (int i = 0; i < s->threads; i++) {
    wn_tally_reset(&s->tally[i], &s->shape);
    s->tally[i].first_passage = tally->first_passage;
  }
  int status = WN_OK;
  for (size_t begin = p->flown, end = p->n; begin < end && status == WN_OK;
       begin = end, end = p->n, in_one_pass = 0) {
    const size_t most = chunk_of(p, in_one_pass);
    size_t chunks = (end - begin + most - 1) / most;
    /* idle threads would only spin */
    int threads = chunks < (size_t)s->threads ? (int)chunks : s->threads;
    for (int i = 0; i < s->threads; i++) {
      s->births[i].n = 0;
      s->births[i].record = p->record.bytes;
    }
#pragma omp parallel num_threads(threads)
    {
      /* copies on the thread's own stack: the hot counters of two threads never share a
       * cache line */
      int me = omp_get_thread_num();
      struct wn_tally mine = s->tally[me];
      struct wn_births births = s->births[me];
      struct wn_census census = p->census;
      for (int k = 0; k < WN_POINT_SUMS; k++)
        census.sum[k] = 0;
#pragma omp for schedule(dynamic, 1)
      for (size_t chunk = 0; chunk < chunks; chunk++) {
        size_t first = begin + chunk * most, n = end - first < most ? end - first : most;
        advance_chunk(model, in_one_pass, wn_particles_at(p, first), n, p->record.bytes,
                      &mine, &births, &census);
      }
#pragma omp critical
      if (in_one_pass)
        for (int k = 0; k < WN_POINT_SUMS; k++)
          p->census.sum[k] += census.sum[k];
      s->tally[me] = mine;
      s->births[me] = births;
    }
    if (in_one_pass && p->census.wanted)
      p->census.n = end;
    for (int i = 0; i < s->threads && status == WN_OK; i++) {
      status = s->births[i].status;
      if (status == WN_OK)
        status = wn_particles_append(p, s->births[i].e, s->births[i].n);
    }
  }
  for (int i = 0; i < s->threads; i++)
    wn_tally_add(tally, &s->tally[i], &s->shape);
  return status;
}

static int gather(struct wn_scheduler *s, const struct wn_model *model,
                  struct wn_particles *p)
{
  const size_t chunks = (p->n + CHUNK - 1) / CHUNK;
  p->to_gather = model->in_one_pass; /* together with advance */
  if (p->to_gather)
    return WN_OK;
  const int threads = chunks < (size_t)s->threads ? (int)chunks : s->threads;
  if (threads < 2)
    return wn_scheduler_gather_host(s, model, p);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (size_t chunk = 0; chunk < chunks; chunk++) {
    const size_t first = chunk * CHUNK;
    wn_model_gather(model, p, first, p->n - first < CHUNK ? p->n - first : CHUNK);
  }
  return WN_OK;
}

static int threads_used(const struct wn_scheduler *s)
{
  return s->threads;
}

extern const struct wn_scheduler_ops wn_scheduler_openmp;
const struct wn_scheduler_ops wn_scheduler_openmp = {
    .name = "openmp",
    .doc = "threads of one machine; the same bits as serial for any number of them",
    .create = create,
    .hold = wn_scheduler_hold_host,
    .gather = gather,
    .advance = advance,
    .wake = wn_scheduler_wake_host,
    .threads = threads_used,
    .free = destroy,
};
#else
typedef int wn_scheduler_openmp_not_built; /* ISO C wants something in every file */
#endif
