/* src/sim/cell_pairs.c - see cell_pairs.h. */
#include "src/sim/cell_pairs.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"

/* A particle of a cell with pairs. */
struct candidate {
  uint64_t cell, priority, key;
  size_t at;
};

struct list {
  struct candidate *of;
  size_t n, room;
};

struct wn_cell_pairs {
  struct wn_grid_view grid;
  size_t n_cells;
  uint32_t *count[2]; /* [n_cells], living particles of each species */
  uint32_t *pairs;    /* [n_cells] */
  struct list list[2];
  struct wn_cell_pair *pair;
  size_t room;
};

int wn_cell_pairs_create(const struct wn_grid_view *g, struct wn_cell_pairs **out)
{
  struct wn_cell_pairs *p = wn_alloc(1, sizeof *p);
  if (p == NULL)
    return WN_ENOMEM;
  p->grid = *g;
  p->n_cells = wn_cell_pairs_cells(g);
  p->count[0] = wn_alloc(p->n_cells, sizeof *p->count[0]);
  p->count[1] = wn_alloc(p->n_cells, sizeof *p->count[1]);
  p->pairs = wn_alloc(p->n_cells, sizeof *p->pairs);
  if (p->count[0] == NULL || p->count[1] == NULL || p->pairs == NULL) {
    wn_cell_pairs_free(p);
    return WN_ENOMEM;
  }
  *out = p;
  return WN_OK;
}

void wn_cell_pairs_free(struct wn_cell_pairs *p)
{
  if (p == NULL)
    return;
  for (int i = 0; i < 2; i++) {
    free(p->count[i]);
    free(p->list[i].of);
  }
  free(p->pairs);
  free(p->pair);
  free(p);
}

size_t wn_cell_pairs_cells(const struct wn_grid_view *g)
{
  size_t n = 1;
  for (int d = 0; d < g->dim; d++)
    n *= (size_t)g->cells[d];
  return n;
}

/* All records begin with the place. */
size_t wn_cell_pairs_cell(const struct wn_grid_view *g, const void *record)
{
  int32_t at[3];
  size_t cell = 0;
  memcpy(at, record, sizeof at);
  for (int d = g->dim - 1; d >= 0; d--) {
    const int32_t i = at[d] >> g->bits[d];
    cell = cell * (size_t)g->cells[d] + (size_t)(i < g->cells[d] ? i : g->cells[d] - 1);
  }
  return cell;
}

static void count(struct wn_cell_pairs *p, const struct wn_species *s, uint32_t *n)
{
  memset(n, 0, p->n_cells * sizeof *n);
  for (size_t i = 0; i < s->p.n; i++)
    if (!wn_particles_is_dead(&s->p, i))
      n[wn_cell_pairs_cell(&p->grid, wn_particles_at(&s->p, i))]++;
}

/* Pairs of each cell; returns all. */
static size_t number(struct wn_cell_pairs *p, int is_one, double kappa,
                     const double *factor, const struct wn_reaction_draw *draw)
{
  size_t all = 0;
  for (size_t c = 0; c < p->n_cells; c++) {
    const uint32_t a = p->count[0][c], b = is_one ? a / 2 : p->count[1][c],
                   most = !is_one && a < b ? a : b;
    p->pairs[c] = 0;
    if (most == 0)
      continue;
    const double of_cell = factor != NULL ? kappa * factor[c] : kappa,
                 x = is_one ? wn_cell_pairs_of_one((double)a, of_cell)
                            : wn_cell_pairs_of_two((double)a, (double)b, of_cell);
    const struct wn_rng4 r = wn_rng_with(draw->key, c, draw->step, WN_RNG_REACTION,
                                         draw->block + WN_REACTION_PAIRS);
    const uint32_t n = (uint32_t)(x + wn_u01(r.w[0]));
    p->pairs[c] = n < most ? n : most;
    all += p->pairs[c];
  }
  return all;
}

static int push(struct list *l, const struct candidate *one)
{
  if (l->n == l->room) {
    const size_t room = 2 * l->room + 64;
    struct candidate *more = wn_realloc(l->of, room, sizeof *more);
    if (more == NULL)
      return WN_ENOMEM;
    l->of = more;
    l->room = room;
  }
  l->of[l->n++] = *one;
  return WN_OK;
}

/* Those of equal numbers are equal particles, whose order does not matter. */
static int by_cell(const void *a, const void *b)
{
  const struct candidate *x = a, *y = b;
  if (x->cell != y->cell)
    return x->cell < y->cell ? -1 : 1;
  return x->priority < y->priority ? -1 : x->priority > y->priority;
}

/* The particles that react, `each` for a pair, cell after cell. */
static int choose(struct wn_cell_pairs *p, const struct wn_species *s, uint32_t each,
                  const struct wn_reaction_draw *draw, uint32_t block, struct list *l)
{
  struct wn_reacting one;
  l->n = 0;
  for (size_t i = 0; i < s->p.n; i++) {
    if (wn_particles_is_dead(&s->p, i))
      continue;
    const size_t c = wn_cell_pairs_cell(&p->grid, wn_particles_at(&s->p, i));
    if (p->pairs[c] == 0)
      continue;
    wn_reacting_load(s, i, &one);
    const struct wn_rng4 r =
        wn_rng_with(draw->key, one.key, draw->step, WN_RNG_REACTION, draw->block + block);
    const struct candidate it = {
        .cell = c, .priority = (uint64_t)r.w[1] << 32 | r.w[0], .key = one.key, .at = i};
    WN_TRY(push(l, &it));
  }
  if (l->n == 0) /* the list may be NULL, which qsort does not allow */
    return WN_OK;
  qsort(l->of, l->n, sizeof *l->of, by_cell);
  size_t kept = 0, of_cell = 0;
  for (size_t i = 0; i < l->n; i++) {
    of_cell = i > 0 && l->of[i].cell == l->of[i - 1].cell ? of_cell + 1 : 0;
    if (of_cell >= (size_t)each * p->pairs[l->of[i].cell])
      continue;
    /* equal particles get keys of their own */
    l->of[i].key += of_cell * 0x9e3779b97f4a7c15u * (s->p.record.no_t_left != 0);
    l->of[kept++] = l->of[i];
  }
  l->n = kept;
  return WN_OK;
}

static int make_room(struct wn_cell_pairs *p, size_t n)
{
  if (n <= p->room)
    return WN_OK;
  struct wn_cell_pair *more = wn_realloc(p->pair, n, sizeof *more);
  if (more == NULL)
    return WN_ENOMEM;
  p->pair = more;
  p->room = n;
  return WN_OK;
}

int wn_cell_pairs_draw(struct wn_cell_pairs *p, const struct wn_species *a,
                       const struct wn_species *b, double kappa, const double *factor,
                       const struct wn_reaction_draw *draw,
                       const struct wn_cell_pair **pair, size_t *n)
{
  const int is_one = a == b;
  const uint32_t each = is_one ? 2 : 1;
  struct list *of_a = &p->list[0], *of_b = is_one ? of_a : &p->list[1];
  count(p, a, p->count[0]);
  if (!is_one)
    count(p, b, p->count[1]);
  *n = number(p, is_one, kappa, factor, draw);
  *pair = p->pair;
  if (*n == 0)
    return WN_OK;
  WN_TRY(make_room(p, *n));
  WN_TRY(choose(p, a, each, draw, WN_REACTION_FIRST, of_a));
  if (!is_one)
    WN_TRY(choose(p, b, 1, draw, WN_REACTION_SECOND, of_b));
  WN_ASSERT(of_a->n == each * *n && of_b->n == each * *n);
  for (size_t i = 0; i < *n; i++) {
    const struct candidate *first = &of_a->of[each * i],
                           *second = is_one ? first + 1 : &of_b->of[i];
    p->pair[i] = (struct wn_cell_pair){first->at, second->at, first->key};
  }
  *pair = p->pair;
  return WN_OK;
}
