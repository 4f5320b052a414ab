/* schedulers/openmp.c - threads advance particles in chunks.  Newborns are advanced
 * together with the chunk of their parents, while they are in the cache, if the model
 * supports that.  The others form the next round, which is divided anew.  Each thread has
 * a tally and a list of newborns of its own.  The list is appended to the store after
 * each chunk if there is room without reallocation, else after the round: no atomic
 * operation in the loop, and one lock a chunk, under which nothing is copied. */
#include "schedulers/scheduler.h"
#ifdef _OPENMP
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"

/* Particles in a chunk.  The first chunks are the largest, long compared with the cost of
 * fetching the next one; then a chunk is part of what is left for each thread, so that the threads
 * end together.  Fewer than `least` cost more each: the last lanes of a chunk are empty.
 * Measured, bench/RESULTS.md */
struct chunks {
  size_t least, most;
};
#define PARTS_LEFT 2
/* so few are divided further where else threads had none */
#define FEWEST 32

static const struct chunks
    of_events = {128, 512},
    /* records without t_left, whose step takes a few nanoseconds each:
                            * they are read in long runs */
    of_short_steps = {1024, 8192},
    /* and a collision-free pass, in which most do */
    of_pass = {512, 2048};

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
  int tallies;              /* the first of them, which have sums of this step */
  int in_round;             /* threads of the last round */
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

static struct chunks chunks_of(const struct wn_particles *p, int in_one_pass, size_t n,
                               int threads)
{
  struct chunks c = in_one_pass           ? of_pass
                    : p->record.no_t_left ? of_short_steps
                                          : of_events;
  const size_t each = n / (size_t)threads;
  if (each < c.least)
    c.least = each < FEWEST ? FEWEST : each;
  return c;
}

/* The particles of a round that no thread has taken yet. */
struct left {
  size_t begin, end;
};

static size_t take(struct left *l, const struct chunks *c, int threads, size_t *first)
{
  const size_t left = l->end - l->begin, part = left / (size_t)(PARTS_LEFT * threads),
               wanted = part < c->least  ? c->least
                        : part > c->most ? c->most
                                         : part,
               n = wanted < left ? wanted : left;
  *first = l->begin;
  l->begin += n;
  return n;
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

/* The place in the store of the newborns of a chunk, which is theirs from now on; NULL: the store
 * would have to be reallocated, which only a thread alone may do. */
static void *place_of_newborns(struct wn_particles *p, int alone,
                               const struct wn_births *births)
{
  const size_t top = p->capacity < p->limit ? p->capacity : p->limit;
  if (alone || births->status != WN_OK || p->n > top || births->n > top - p->n)
    return NULL;
  p->n += births->n;
  return wn_particles_at(p, p->n - births->n);
}

/* Newborns of a chunk to their place; without one to the end of the store, where a thread is alone,
 * else to *rest. */
static void append_newborns(struct wn_particles *p, int alone, void *place,
                            struct wn_births *births, struct wn_births *rest)
{
  const size_t n = births->n;
  births->n = births->n_advanced = 0;
  if (births->status != WN_OK || n == 0)
    return;
  if (place != NULL) {
    memcpy(place, births->e, n * births->record);
  } else if (alone) {
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
  for (int i = 0; i < s->in_round && status == WN_OK; i++) {
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
                            int in_one_pass, int64_t *first_passage)
{
  const struct chunks chunks = chunks_of(p, in_one_pass, end - begin, s->threads);
  struct left left = {begin, end};
  /* All or one: where teams differ in size, libgomp ends threads and starts others. */
  const int threads = end - begin > chunks.least ? s->threads : 1;
  size_t waiting = 0;
#pragma omp parallel num_threads(threads) reduction(+ : waiting)
  {
    /* copies on the thread's own stack: the hot counters of two threads never share a
     * cache line */
    const int me = omp_get_thread_num();
    begin_births(&s->births[me], p->record.bytes, MAY_ADVANCE);
    begin_births(&s->rest[me], p->record.bytes, 0);
    if (me >= s->tallies) {
      wn_tally_reset(&s->tally[me], &s->shape);
      s->tally[me].first_passage = first_passage;
    }
    struct wn_tally mine = s->tally[me];
    struct wn_births births = s->births[me], rest = s->rest[me];
    struct wn_census census = {.wanted = p->census.wanted, .what = p->census.what};
    for (;;) {
      size_t first, n;
      void *place;
#pragma omp critical
      {
        place = place_of_newborns(p, threads == 1, &births);
        n = take(&left, &chunks, threads, &first);
      }
      append_newborns(p, threads == 1, place, &births, &rest);
      if (n == 0 || births.status != WN_OK)
        break;
      advance_chunk(model, in_one_pass, wn_particles_at(p, first), n, p->record.bytes,
                    &mine, &births, &census);
      waiting += births.n - births.n_advanced;
    }
#pragma omp critical
    if (in_one_pass)
      for (int k = 0; k < WN_POINT_SUMS; k++)
        p->census.sum[k] += census.sum[k];
    s->tally[me] = mine;
    s->births[me] = births;
    s->rest[me] = rest;
    if (me == 0) /* perhaps fewer than wanted */
      s->in_round = omp_get_num_threads();
  }
  if (in_one_pass && p->census.wanted)
    p->census.n = end;
  if (s->tallies < s->in_round)
    s->tallies = s->in_round;
  return waiting;
}

static int advance(struct wn_scheduler *s, const struct wn_model *model,
                   struct wn_particles *p, struct wn_tally *tally)
{
  int in_one_pass = p->to_gather;
  p->to_gather = 0;
  s->tallies = 0;
  int status = WN_OK;
  size_t waiting = 1;
  for (size_t begin = p->n_advanced, end = p->n;
       begin < end && waiting > 0 && status == WN_OK;
       begin = end, end = p->n, in_one_pass = 0) {
    waiting = advance_round(s, model, p, begin, end, in_one_pass, tally->first_passage);
    status = end_births(s, p);
  }
  wn_tally_add_all(tally, s->tally, s->tallies, &s->shape);
  return status;
}

/* so few are faster by one thread */
#define GATHER_ALONE 1024

static int gather(struct wn_scheduler *s, const struct wn_model *model,
                  struct wn_particles *p)
{
  const size_t n = p->n;
  p->to_gather = model->in_one_pass; /* together with advance */
  if (p->to_gather)
    return WN_OK;
  if (s->threads < 2 || n < GATHER_ALONE)
    return wn_scheduler_gather_host(s, model, p);
#pragma omp parallel num_threads(s->threads)
  {
    const int me = omp_get_thread_num(), team = omp_get_num_threads();
    const size_t first = wn_thread_part(n, me, team);
    wn_model_gather(model, p, first, wn_thread_part(n, me + 1, team) - first);
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
