/* src/sim/cell_lists.c - see cell_lists.h. */
#include "src/sim/cell_lists.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "physics/mover.h"
#include "src/sim/cell_pairs.h"
#include "src/sim/plasma_points.h"

#define FEW 12 /* particles that are sorted by insertion */

int wn_cell_lists_init(struct wn_cell_lists *l, struct wn_species *s,
                       const struct wn_grid_view *g)
{
  const size_t words = (size_t)g->dim + 3; /* without the weight */
  *l = (struct wn_cell_lists){.species = s,
                              .grid = *g,
                              .cells = wn_cell_pairs_cells(g),
                              .has_id = wn_plasma_has_electrons(s),
                              .u = 4 * (size_t)g->dim,
                              .words = words};
  if (l->has_id) {
    l->u = offsetof(struct wn_electron, u);
    l->w = offsetof(struct wn_electron, w);
    l->words = sizeof(struct wn_electron) / 4;
  } else if (wn_point_weighs(g->dim, 3)) {
    l->w = 4 * words;
    l->words++;
  }
  l->begin = wn_alloc(l->cells + 1, sizeof *l->begin);
  l->end = wn_alloc(l->cells, sizeof *l->end);
  return l->begin == NULL || l->end == NULL ? WN_ENOMEM : WN_OK;
}

void wn_cell_lists_clear(struct wn_cell_lists *l)
{
  free(l->begin);
  free(l->end);
  free(l->list);
  free(l->spare);
  *l = (struct wn_cell_lists){0};
}

/* Whether the record of a comes first. */
static int is_before(const struct wn_cell_lists *k, uint32_t a, uint32_t b)
{
  const unsigned char *r = wn_cell_lists_record(k, a), *s = wn_cell_lists_record(k, b);
  if (k->has_id) {
    const uint64_t x = ((const struct wn_electron *)(const void *)r)->id,
                   y = ((const struct wn_electron *)(const void *)s)->id;
    if (x != y)
      return x < y;
  }
  for (size_t i = 0; i < k->words; i++) {
    uint32_t x, y;
    memcpy(&x, r + 4 * i, sizeof x);
    memcpy(&y, s + 4 * i, sizeof y);
    if (x != y)
      return x < y;
  }
  return 0;
}

/* Sorts a list, by insertion and merging. */
static void put_in_order(const struct wn_cell_lists *k, uint32_t *list, uint32_t *spare,
                         size_t n)
{
  if (n <= FEW) {
    for (size_t i = 1; i < n; i++) {
      const uint32_t one = list[i];
      size_t j = i;
      for (; j > 0 && is_before(k, one, list[j - 1]); j--)
        list[j] = list[j - 1];
      list[j] = one;
    }
    return;
  }
  const size_t half = n / 2;
  put_in_order(k, list, spare, half);
  put_in_order(k, list + half, spare, n - half);
  memcpy(spare, list, half * sizeof *list);
  size_t i = 0, j = half;
  for (size_t to = 0; i < half; to++)
    list[to] = j < n && is_before(k, list[j], spare[i]) ? list[j++] : spare[i++];
}

void wn_cell_lists_order(struct wn_cell_lists *l, size_t cell)
{
  put_in_order(l, l->list + l->begin[cell], l->spare + l->begin[cell],
               wn_cell_lists_number(l, cell));
}

static int make_room(struct wn_cell_lists *k, size_t n, const char *what)
{
  if (n > UINT32_MAX)
    return WN_FAIL(WN_ERUN, "%zu particles of a species; %s possible for %u", n, what,
                   UINT32_MAX);
  if (n <= k->room)
    return WN_OK;
  const size_t room = n + n / 8;
  free(k->list);
  free(k->spare);
  k->room = 0;
  k->list = wn_alloc(room, sizeof *k->list);
  k->spare = wn_alloc(room, sizeof *k->spare);
  if (k->list == NULL || k->spare == NULL)
    return WN_ENOMEM;
  k->room = room;
  return WN_OK;
}

int wn_cell_lists_make(struct wn_cell_lists *k, int threads, const char *what)
{
  const struct wn_particles *p = &k->species->p;
  const size_t n = p->n;
  WN_TRY(make_room(k, n, what));
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads)
#else
  (void)threads;
#endif
  for (size_t cell = 0; cell <= k->cells; cell++)
    k->begin[cell] = 0;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads)
#endif
  for (size_t i = 0; i < n; i++) {
    if (wn_particles_is_dead(p, i))
      continue;
    const size_t cell = wn_cell_pairs_cell(&k->grid, wn_particles_at(p, i));
#ifdef _OPENMP
#pragma omp atomic
#endif
    k->begin[cell + 1]++;
  }
  for (size_t cell = 0; cell < k->cells; cell++) {
    k->begin[cell + 1] += k->begin[cell];
    k->end[cell] = k->begin[cell];
  }
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads)
#endif
  for (size_t i = 0; i < n; i++) {
    if (wn_particles_is_dead(p, i))
      continue;
    const size_t cell = wn_cell_pairs_cell(&k->grid, wn_particles_at(p, i));
    size_t to;
#ifdef _OPENMP
#pragma omp atomic capture
#endif
    to = k->end[cell]++;
    k->list[to] = (uint32_t)i;
  }
  return WN_OK;
}
