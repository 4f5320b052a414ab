/* particles/crossings.c - see crossings.h. */
#include "particles/crossings.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"

int wn_crossings_reserve(struct wn_crossings *c, size_t n)
{
  if (n <= c->room)
    return WN_OK;
  const size_t room = n > 2 * c->room ? n : 2 * c->room;
  struct wn_crossing *list = wn_realloc(c->list, room, sizeof *list);
  if (list == NULL)
    return WN_ENOMEM;
  c->list = list;
  c->room = room;
  return WN_OK;
}

void wn_crossings_add(struct wn_crossings *c, const struct wn_crossing *one)
{
#ifdef _OPENMP
#pragma omp critical
#endif
  {
    if (c->status == WN_OK)
      c->status = wn_crossings_reserve(c, c->n + 1 > 64 ? c->n + 1 : 64);
    if (c->status == WN_OK)
      c->list[c->n++] = *one;
  }
}

static int order(const void *p, const void *q)
{
  const struct wn_crossing *a = p, *b = q;
  if (a->time < b->time || a->time > b->time)
    return a->time < b->time ? -1 : 1;
  if (a->detector != b->detector)
    return a->detector < b->detector ? -1 : 1;
  if (a->id != b->id)
    return a->id < b->id ? -1 : 1;
  return a->outward - b->outward;
}

/* Lists of all ranks, one after the other. */
static int of_all(struct wn_crossings *c)
{
  const size_t ranks = (size_t)wn_ranks();
  uint64_t *n = wn_alloc(ranks, sizeof *n), mine = c->n, most = 0, all = 0;
  int status = wn_ranks_any(n == NULL) ? WN_ENOMEM : WN_OK;
  if (status == WN_OK) {
    wn_ranks_gather(&mine, sizeof mine, n);
    for (size_t r = 0; r < ranks; r++) {
      most = n[r] > most ? n[r] : most;
      all += n[r];
    }
  }
  if (status == WN_OK && most > 0) {
    struct wn_crossing *every = wn_alloc(ranks * most, sizeof *every);
    status = wn_ranks_any(every == NULL || wn_crossings_reserve(c, all > most ? all : most) != WN_OK)
                 ? WN_ENOMEM
                 : WN_OK;
    if (status == WN_OK) {
      /* the rest of the list of this rank is not read */
      memset(c->list + c->n, 0, (most - c->n) * sizeof *c->list);
      wn_ranks_gather(c->list, most * sizeof *c->list, every);
      c->n = 0;
      for (size_t r = 0; r < ranks; r++) {
        memcpy(c->list + c->n, every + r * most, n[r] * sizeof *c->list);
        c->n += n[r];
      }
    }
    free(every);
  }
  free(n);
  return status;
}

int wn_crossings_collect(struct wn_crossings *c)
{
  if (wn_ranks_any(c->status != WN_OK))
    return WN_ENOMEM;
  if (wn_ranks() > 1)
    WN_TRY(of_all(c));
  if (c->n > 1)
    qsort(c->list, c->n, sizeof *c->list, order);
  return WN_OK;
}

void wn_crossings_empty(struct wn_crossings *c)
{
  c->n = 0;
  c->status = WN_OK;
}
