/* schedulers/openmp.c - threads advance particles in chunks.  Newborns are advanced
 * together with the chunk of their parents, while they are in the cache, if the model
 * supports that.  The others form the next round, which is divided anew.  Each thread has
 * a tally and a list of newborns of its own.  The list is appended to the store after
 * each chunk if there is room without reallocation, else after the round: no atomic
 * operation in the loop, and one lock a chunk. */
#include "schedulers/scheduler.h"
#ifdef _OPENMP
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"

/* particles in a chunk: long compared with the cost of fetching the next chunk, and many
 * times the lanes of advance_many; small enough that the last chunks do not leave threads
 * idle */
#define CHUNK 512
/* the same for records without t_left, whose step takes a few nanoseconds each: they are
 * read in long runs */
#define CHUNK_SHORT 8192
/* and for a collision-free pass, in which most particles take a few nanoseconds */
#define CHUNK_PASS 2048

/* Most newborns that are advanced together with their chunk: half a megabyte, which
 * leaves room in the second-level cache.  Measured, bench/RESULTS.md */
#define MAY_ADVANCE 8192

struct wn_scheduler {
  int threads;
  struct wn_tally_shape shape;
  struct wn_births *births; /* [threads], of the current chunk */
  struct wn_births *rest;   /* [threads], of the round: newborns that the store had no
                             * room for */
  struct wn_tally *tally;   /* [threads] */
};

static void destroy(struct wn_scheduler *s)
{
  for (int i = 0; s != NULL && i < s->threads; i++) {
    if (s->births != NULL)
      free(s->births[i].e);
    if (s->rest != NULL)
      free(s->rest[i].e);
    if (s->tally != NULL)
      wn_tally_clear(&s->tally[i]);
  }
  if (s != NULL) {
    free(s->births);
    free(s->rest);
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
  s->rest = wn_alloc((size_t)s->threads, sizeof *s->rest);
  s->tally = wn_alloc((size_t)s->threads, sizeof *s->tally);
  int status =
      s->births != NULL && s->rest != NULL && s->tally != NULL ? WN_OK : WN_ENOMEM;
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

/* Append the newborns of a chunk to the store.  With several threads the store must not
 * be reallocated: newborns without room go to *rest. */
static void append_newborns(struct wn_particles *p, int alone, struct wn_births *births,
                            struct wn_births *rest)
{
  const size_t n = births->n, top = p->capacity < p->limit ? p->capacity : p->limit;
  births->n = births->n_advanced = 0;
  if (births->status != WN_OK)
    return;
  if (alone || (p->n <= top && n <= top - p->n)) {
    births->status = wn_particles_append(p, births->e, n);
  } else if (wn_births_reserve(rest, n)) {
    memcpy(rest->e + rest->n * rest->record, births->e, n * births->record);
    rest->n += n;
  }
}

static void begin_births(struct wn_births *b, size_t record, size_t may_advance)
{
  b->n = b->n_advanced = 0;
  b->status = WN_OK;
  b->record = record;
  b->may_advance = may_advance;
}

/* Append the remaining newborns of a round; returns whether there was memory for all. */
static int end_births(struct wn_scheduler *s, struct wn_particles *p)
{
  int status = WN_OK;
  for (int i = 0; i < s->threads && status == WN_OK; i++) {
    status = s->births[i].status != WN_OK ? s->births[i].status : s->rest[i].status;
    if (status == WN_OK)
      status = wn_particles_append(p, s->rest[i].e, s->rest[i].n);
  }
  return status;
}

/* Advance the particles [begin, end) in chunks.  Returns the number of newborns still to
 * be advanced. */
static size_t advance_round(struct wn_scheduler *s, const struct wn_model *model,
                            struct wn_particles *p, size_t begin, size_t end,
                            int in_one_pass)
{
  const size_t most = chunk_of(p, in_one_pass), chunks = (end - begin + most - 1) / most;
  /* idle threads would only spin */
  const int threads = chunks < (size_t)s->threads ? (int)chunks : s->threads;
  size_t waiting = 0;
  for (int i = 0; i < s->threads; i++) {
    begin_births(&s->births[i], p->record.bytes, MAY_ADVANCE);
    begin_births(&s->rest[i], p->record.bytes, 0);
  }
#pragma omp parallel num_threads(threads) reduction(+ : waiting)
  {
    /* copies on the thread's own stack: the hot counters of two threads never share a
     * cache line */
    int me = omp_get_thread_num();
    struct wn_tally mine = s->tally[me];
    struct wn_births births = s->births[me], rest = s->rest[me];
    struct wn_census census = p->census;
    for (int k = 0; k < WN_POINT_SUMS; k++)
      census.sum[k] = 0;
#pragma omp for schedule(dynamic, 1)
    for (size_t chunk = 0; chunk < chunks; chunk++) {
      size_t first = begin + chunk * most, n = end - first < most ? end - first : most;
      if (births.status != WN_OK)
        continue;
      advance_chunk(model, in_one_pass, wn_particles_at(p, first), n, p->record.bytes,
                    &mine, &births, &census);
      waiting += births.n - births.n_advanced;
#pragma omp critical
      append_newborns(p, threads == 1, &births, &rest);
    }
#pragma omp critical
    if (in_one_pass)
      for (int k = 0; k < WN_POINT_SUMS; k++)
        p->census.sum[k] += census.sum[k];
    s->tally[me] = mine;
    s->births[me] = births;
    s->rest[me] = rest;
  }
  if (in_one_pass && p->census.wanted)
    p->census.n = end;
  return waiting;
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
  size_t waiting = 1;
  for (size_t begin = p->n_advanced, end = p->n;
       begin < end && waiting > 0 && status == WN_OK;
       begin = end, end = p->n, in_one_pass = 0) {
    waiting = advance_round(s, model, p, begin, end, in_one_pass);
    status = end_births(s, p);
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
    .start_newborns = wn_scheduler_start_newborns_host,
    .threads = threads_used,
    .free = destroy,
};
#else
typedef int wn_scheduler_openmp_not_built; /* ISO C requires a declaration in every
                                            * file */
#endif
