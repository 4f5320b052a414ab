/* particles/sort.c - particles in the order of their cells, on the host: see sort.h. */
#include "particles/sort.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"

/* Counters of a thread, at most: cells are joined to squares of 2^shift along each axis
 * until their number is smaller. */
#define MOST_KEYS 65536

/* fewer particles are one thread's: the others would have more keys than particles */
#define FEW 131072

/* Sort key of a cell: cell >> shift along each axis, x fastest. */
struct key {
  int dim;
  int32_t bits[3]; /* bits of a coordinate below those of the key */
  int32_t n[3];    /* keys along an axis */
};

struct wn_sort {
  struct key key;
  size_t keys;
  int threads;
  size_t *begin;        /* [threads][keys] */
  size_t *of_part;      /* [threads] particles of the keys of each */
  unsigned char *other; /* the second array, of `bytes` */
  size_t bytes;
};

static struct key key_of(const struct wn_grid_view *g, int shift)
{
  struct key k = {.dim = g->dim, .n = {1, 1, 1}};
  for (int d = 0; d < g->dim; d++) {
    k.bits[d] = g->bits[d] + shift;
    k.n[d] = (g->cells[d] >> shift) + 1; /* the upper wall belongs to a cell of its own */
  }
  return k;
}

static int64_t keys_of(const struct key *k)
{
  return (int64_t)k->n[0] * k->n[1] * k->n[2];
}

static struct key finest(const struct wn_grid_view *g)
{
  int shift = 0;
  struct key k = key_of(g, shift);
  while (keys_of(&k) > MOST_KEYS)
    k = key_of(g, ++shift);
  return k;
}

int wn_sort_pays(const struct wn_grid_view *g)
{
  return wn_grid_nodes(g) >= WN_SORT_NODES;
}

size_t wn_sort_bytes(const struct wn_grid_view *g, int threads, size_t record,
                     size_t capacity)
{
  const struct key k = finest(g);
  return (size_t)wn_threads(threads) * (size_t)keys_of(&k) * sizeof(size_t) +
         record * capacity;
}

int wn_sort_create(const struct wn_grid_view *g, int threads, struct wn_sort **out)
{
  struct wn_sort *o = wn_alloc(1, sizeof *o);
  if (o == NULL)
    return WN_ENOMEM;
  o->key = finest(g);
  o->keys = (size_t)keys_of(&o->key);
  o->threads = wn_threads(threads);
  o->begin = wn_alloc((size_t)o->threads * o->keys, sizeof *o->begin);
  o->of_part = wn_alloc((size_t)o->threads, sizeof *o->of_part);
  if (o->begin == NULL || o->of_part == NULL) {
    wn_sort_free(o);
    return WN_ENOMEM;
  }
  *out = o;
  return WN_OK;
}

void wn_sort_free(struct wn_sort *o)
{
  if (o != NULL) {
    free(o->begin);
    free(o->of_part);
    free(o->other);
  }
  free(o);
}

/* Key of a record; a coordinate outside of the domain, as dead particles have, is put
 * into the first or last cell. */
static WN_HD size_t key_at(const struct key *restrict k, int dim,
                           const unsigned char *restrict record)
{
  int32_t x[3];
  size_t key = 0;
  memcpy(x, record, (size_t)dim * sizeof x[0]);
  for (int d = dim - 1; d >= 0; d--) {
    int32_t i = x[d] >> k->bits[d];
    i = i < 0 ? 0 : i;
    i = i < k->n[d] ? i : k->n[d] - 1;
    key = key * (size_t)k->n[d] + (size_t)i;
  }
  return key;
}

/* Counts the n records by key. */
static WN_HD void count(const struct key *restrict k, int dim, size_t bytes,
                        const unsigned char *restrict e, size_t n, size_t *restrict begin)
{
  for (size_t i = 0; i < n; i++)
    begin[key_at(k, dim, e + i * bytes)]++;
}

/* Copies n records to the positions of their keys, which are advanced. */
static WN_HD void move(const struct key *restrict k, int dim, size_t bytes,
                       const unsigned char *restrict e, size_t n, size_t *restrict begin,
                       unsigned char *restrict to)
{
  for (size_t i = 0; i < n; i++)
    memcpy(to + begin[key_at(k, dim, e + i * bytes)]++ * bytes, e + i * bytes, bytes);
}

/* Lines for each dimension and size of record that points have. */
#define KINDS(X) X(1, 16) X(2, 16) X(2, 32) X(3, 32)

static void count_of(const struct key *k, size_t bytes, const unsigned char *e, size_t n,
                     size_t *begin)
{
#define COUNT(d, b)                                                                      \
  if (k->dim == d && bytes == b)                                                         \
    count(k, d, b, e, n, begin);
  KINDS(COUNT)
}

static void move_of(const struct key *k, size_t bytes, const unsigned char *e, size_t n,
                    size_t *begin, unsigned char *to)
{
#define MOVE(d, b)                                                                       \
  if (k->dim == d && bytes == b)                                                         \
    move(k, d, b, e, n, begin, to);
  KINDS(MOVE)
}

/* From counts to start positions: by key, and within a key by thread, in the order of the
 * particles.  Of the keys [first, end), the first of which begins at `at`. */
static void sum(struct wn_sort *o, int threads, size_t first, size_t end, size_t at)
{
  for (size_t key = first; key < end; key++)
    for (int t = 0; t < threads; t++) {
      size_t *begin = &o->begin[(size_t)t * o->keys + key];
      const size_t n = *begin;
      *begin = at;
      at += n;
    }
}

/* The particles of the keys [first, end). */
static size_t number(const struct wn_sort *o, int threads, size_t first, size_t end)
{
  size_t n = 0;
  for (int t = 0; t < threads; t++)
    for (size_t key = first; key < end; key++)
      n += o->begin[(size_t)t * o->keys + key];
  return n;
}

/* By every thread of a team.  Each counts and moves the particles of its part, and finds the start
 * positions of its part of the keys. */
static void sort_part(struct wn_sort *o, const struct wn_particles *p)
{
  const int me = wn_thread(), team = wn_team();
  const size_t bytes = p->record.bytes, first = wn_thread_part(p->n, me, team),
               n = wn_thread_part(p->n, me + 1, team) - first,
               key = wn_thread_part(o->keys, me, team),
               end = wn_thread_part(o->keys, me + 1, team);
  size_t *begin = &o->begin[(size_t)me * o->keys], at = 0;
  memset(begin, 0, o->keys * sizeof *begin);
  count_of(&o->key, bytes, wn_particles_at(p, first), n, begin);
#ifdef _OPENMP
#pragma omp barrier
#endif
  o->of_part[me] = number(o, team, key, end);
#ifdef _OPENMP
#pragma omp barrier
#endif
  for (int t = 0; t < me; t++)
    at += o->of_part[t];
  sum(o, team, key, end, at);
#ifdef _OPENMP
#pragma omp barrier
#endif
  move_of(&o->key, bytes, wn_particles_at(p, first), n, begin, o->other);
}

int wn_sort_particles(struct wn_sort *o, struct wn_particles *p)
{
  const size_t bytes = p->capacity * p->record.bytes;
  WN_ASSERT(p->place == WN_PARTICLES_HOST && p->record.no_t_left);
  WN_ASSERT(p->record.bytes == 16 ? o->key.dim < 3
                                  : p->record.bytes == 32 && o->key.dim > 1);
  if (o->bytes != bytes) {
    free(o->other);
    o->bytes = 0;
    o->other = wn_alloc_aligned_unset(p->capacity, p->record.bytes, 64);
    if (o->other == NULL)
      return WN_ENOMEM;
    o->bytes = bytes;
  }
#ifdef _OPENMP
#pragma omp parallel num_threads(o->threads) if (p->n >= FEW)
#endif
  sort_part(o, p);
  unsigned char *old = p->e;
  p->e = o->other;
  o->other = old;
  return WN_OK;
}
