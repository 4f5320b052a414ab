/* src/particles.c - see particles.h. */
#include "src/particles.h"
#include <stdlib.h>
#include <string.h>
#include "src/base/alloc.h"
#include "src/base/error.h"

int wn_particles_init(struct wn_particles *p, size_t capacity, size_t limit)
{
  *p = (struct wn_particles){.limit = limit};
  p->e = wn_alloc_aligned(capacity > 0 ? capacity : 1, sizeof *p->e, 64);
  if (p->e == NULL)
    return WN_ENOMEM;
  p->capacity = capacity > 0 ? capacity : 1;
  return WN_OK;
}

void wn_particles_clear(struct wn_particles *p)
{
  free(p->e);
  *p = (struct wn_particles){0};
}

int wn_particles_reserve(struct wn_particles *p, size_t n_more)
{
  if (n_more <= p->capacity - p->n)
    return WN_OK;
  if (n_more > p->limit || p->n > p->limit - n_more)
    return WN_FAIL(WN_ERUN,
                   "the store is full: %zu electrons and %zu newborns, but "
                   "population.capacity is %zu; "
                   "raise it, set population.target, or shorten the run",
                   p->n, n_more, p->limit);
  size_t want = p->n + n_more, capacity = p->capacity + p->capacity / 2;
  if (capacity < want)
    capacity = want;
  if (capacity > p->limit)
    capacity = p->limit;
  struct wn_electron *e = wn_alloc_aligned(capacity, sizeof *e, 64);
  if (e == NULL)
    return WN_ENOMEM;
  memcpy(e, p->e, p->n * sizeof *e);
  free(p->e);
  p->e = e;
  p->capacity = capacity;
  return WN_OK;
}

int wn_particles_append(struct wn_particles *p, const struct wn_electron *e, size_t n)
{
  if (n == 0)
    return WN_OK; /* e may be NULL then, which memcpy must not be given */
  WN_TRY(wn_particles_reserve(p, n));
  memcpy(p->e + p->n, e, n * sizeof *e);
  p->n += n;
  return WN_OK;
}

size_t wn_particles_compact(struct wn_particles *p)
{
  size_t kept = 0;
  for (size_t i = 0; i < p->n; i++)
    if (p->e[i].t_left >= 0.0f) {
      if (kept != i)
        p->e[kept] = p->e[i];
      kept++;
    }
  size_t gone = p->n - kept;
  p->n = kept;
  return gone;
}
