/* fields/poisson/gpu_multigrid_tiles.c - see gpu_multigrid_tiles.h. */
#include "fields/poisson/gpu_multigrid_tiles.h"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"

static size_t place(const struct wn_multigrid_level *l, const int32_t at[3])
{
  return wn_multigrid_row(l, at[1], at[2]) + (size_t)at[0];
}

/* ---- axes */

static int allocate(struct wn_multigrid_lines *x, const struct wn_multigrid_axis *a,
                    int d)
{
  const size_t n = (size_t)a->n;
  x->node[d] = wn_alloc(n, sizeof *x->node[d]);
  x->kept[d] = wn_alloc(n, sizeof *x->kept[d]);
  x->over[d] = wn_alloc(n + 1, sizeof *x->over[d]);
  x->measure[d] = wn_alloc(n, sizeof *x->measure[d]);
  return x->node[d] != NULL && x->kept[d] != NULL && x->over[d] != NULL &&
                 x->measure[d] != NULL
             ? WN_OK
             : WN_ENOMEM;
}

/* Edges in series, measures by the part of them that a kept node takes (wn_multigrid_part). */
static void coarsen(const struct wn_multigrid_axis *a, const double *over,
                    const double *measure, struct wn_multigrid_axis *next,
                    double *next_over, double *next_measure)
{
  for (int32_t m = 0; m < next->n; m++) {
    const int32_t i = a->kept[m], low = i > 0 ? i - 1 : a->n - 1,
                  high = i + 1 < a->n ? i + 1 : 0;
    next_measure[m] = measure[i];
    if (wn_multigrid_part(a, m, -1) > 0.0)
      next_measure[m] += wn_multigrid_part(a, m, -1) * measure[low];
    if (wn_multigrid_part(a, m, 1) > 0.0)
      next_measure[m] += wn_multigrid_part(a, m, 1) * measure[high];
    double c = over[i + 1];
    if (a->beside[i] & 2 && i + 1 < a->n && c > 0.0 && over[i + 2] > 0.0)
      c = c * over[i + 2] / (c + over[i + 2]);
    next_over[m + 1] = c;
  }
  next_over[0] = a->is_periodic ? next_over[next->n] : 0.0;
}

static void put_nodes(const struct wn_multigrid_axis *a, int is_last,
                      struct wn_multigrid_lines *x, int d)
{
  const double *over = x->over[d];
  int32_t parent = -1;
  for (int32_t i = 0; i < a->n; i++) {
    struct wn_multigrid_node *p = &x->node[d][i];
    p->below = (float)over[i];
    p->above = (float)over[i + 1];
    p->measure = (float)x->measure[d][i];
    p->from_low = 1.0f;
    if (is_last)
      continue;
    if (!a->is_between[i])
      parent++;
    else {
      p->from_low = (float)(over[i] / (over[i] + over[i + 1]));
      p->from_high = (float)(over[i + 1] / (over[i] + over[i + 1]));
    }
    p->parent = parent;
  }
  for (int32_t m = 0; m < a->n_kept && !is_last; m++) {
    const int32_t i = a->kept[m], low = i > 0 ? i - 1 : a->n - 1,
                  high = i + 1 < a->n ? i + 1 : 0;
    x->kept[d][m].node = i;
    x->kept[d][m].beside = a->beside[i];
    x->kept[d][m].low = a->beside[i] & 1 ? x->node[d][low].from_high : 0.0f;
    x->kept[d][m].high = a->beside[i] & 2 ? x->node[d][high].from_low : 0.0f;
  }
}

int wn_multigrid_lines_create(const struct wn_multigrid_solver *m,
                              struct wn_multigrid_lines lines[WN_MULTIGRID_LEVELS])
{
  const struct wn_poisson_spec *s = &m->head.spec;
  for (int i = 0; i < m->levels.n; i++)
    for (int d = 0; d < 3; d++) {
      const struct wn_multigrid_axis *a = &m->levels.level[i].axis[d];
      struct wn_multigrid_lines *x = &lines[i];
      WN_TRY(allocate(x, a, d));
      if (i == 0) {
        for (int32_t j = 0; j < a->n; j++) {
          x->over[d][j] = m->over[d][j];
          x->measure[d][j] = m->measure[d][j];
        }
        x->over[d][a->n] = m->over[d][a->n];
      } else {
        struct wn_multigrid_axis next = *a;
        coarsen(&m->levels.level[i - 1].axis[d], lines[i - 1].over[d],
                lines[i - 1].measure[d], &next, x->over[d], x->measure[d]);
      }
      put_nodes(a, i + 1 == m->levels.n, x, d);
      for (int32_t j = 0; j < a->n; j++) {
        const int is_given =
            i > 0 ? lines[i - 1].node[d][m->levels.level[i - 1].axis[d].kept[j]].unknown <
                        0.5f
            : d >= s->dim ? 0
                          : (s->side[2 * d] == WN_DIRICHLET && j == 0) ||
                                (s->side[2 * d + 1] == WN_DIRICHLET && j + 1 == a->n);
        x->node[d][j].unknown = is_given ? 0.0f : 1.0f;
      }
    }
  return WN_OK;
}

void wn_multigrid_lines_free(struct wn_multigrid_lines lines[WN_MULTIGRID_LEVELS])
{
  for (int i = 0; i < WN_MULTIGRID_LEVELS; i++)
    for (int d = 0; d < 3; d++) {
      free(lines[i].node[d]);
      free(lines[i].kept[d]);
      free(lines[i].over[d]);
      free(lines[i].measure[d]);
    }
}

/* ---- interpolation */

/* Of a node at `by` from a kept one, in the table. */
static size_t number_of(int dim, const int by[3])
{
  const int number = 1 + by[0] + 3 * (1 + by[1]) + (dim == 3 ? 9 * (1 + by[2]) : 0);
  return (size_t)number;
}

/* What node `at`, at `by` from a kept node, takes of that node's value. */
static double taken(const struct wn_multigrid_level *l, const int32_t at[3],
                    const int by[3])
{
  const size_t i = place(l, at);
  double sum = 0.0;
  int is_kept = 1;
  for (int d = 0; d < l->dim; d++) {
    if (by[d] == 0)
      continue;
    is_kept = 0;
    int32_t to[3] = {at[0], at[1], at[2]};
    int left[3] = {by[0], by[1], by[2]};
    left[d] = 0;
    to[d] = (at[d] - by[d] + l->axis[d].n) % l->axis[d].n;
    sum += (double)l->c[d][by[d] > 0 ? i - l->step[d] : i] * taken(l, to, left);
  }
  return is_kept ? 1.0 : sum * (double)l->weight[i];
}

void wn_multigrid_table(const struct wn_multigrid_level *l,
                        const struct wn_multigrid_level *next, size_t stride,
                        float *table)
{
  const int most[3] = {1, 1, l->dim == 3};
  WN_MULTIGRID_FOR_ROWS(next)
  for (int32_t i = 0; i < next->axis[0].n; i++) {
    const int32_t of_next[3] = {i, j, k};
    const size_t to = place(next, of_next);
    int by[3];
    for (by[2] = -most[2]; by[2] <= most[2]; by[2]++)
      for (by[1] = -1; by[1] < 2; by[1]++)
        for (by[0] = -1; by[0] < 2; by[0]++) {
          int is_there = 1;
          int32_t at[3];
          for (int d = 0; d < 3; d++) {
            const struct wn_multigrid_axis *a = &l->axis[d];
            const int32_t kept = a->kept[of_next[d]];
            is_there &= by[d] == 0 || (a->beside[kept] & (by[d] < 0 ? 1 : 2)) != 0;
            at[d] = (kept + by[d] + a->n) % a->n;
          }
          const size_t number = number_of(l->dim, by);
          table[number * stride + to] = is_there ? (float)taken(l, at, by) : 0.0f;
        }
  }
}

/* ---- which parts are regular */

static int differs(double a, double b, double of)
{
  return !(fabs(a - b) <= WN_MULTIGRID_EQUAL * of);
}

/* Whether the equation of an unknown node is not that of the axes. */
static int is_cut(const struct wn_multigrid_level *l, const struct wn_multigrid_lines *x,
                  const int32_t at[3])
{
  const size_t i = place(l, at);
  double m[3], diagonal = 0.0;
  int is_unknown = 1;
  for (int d = 0; d < 3; d++) {
    m[d] = x->measure[d][at[d]];
    is_unknown &= x->node[d][at[d]].unknown > 0.5f;
  }
  if (is_unknown != (l->inverse[i] > 0.0f))
    return 1;
  if (!is_unknown)
    return 0;
  for (int d = 0; d < l->dim; d++)
    diagonal +=
        (x->over[d][at[d]] + x->over[d][at[d] + 1]) * m[(d + 1) % 3] * m[(d + 2) % 3];
  if (differs((double)l->inverse[i] * diagonal, 1.0, 1.0))
    return 1;
  for (int d = 0; d < l->dim; d++) {
    const double face = m[(d + 1) % 3] * m[(d + 2) % 3];
    if (differs((double)l->c[d][i - l->step[d]], x->over[d][at[d]] * face, diagonal) ||
        differs((double)l->c[d][i], x->over[d][at[d] + 1] * face, diagonal))
      return 1;
  }
  return 0;
}

static void mark(const struct wn_multigrid_level *l, const int32_t at[3], int bit,
                 uint8_t *brick)
{
  size_t to = 0;
  for (int d = 3; d-- > 0;)
    to = to * (size_t)wn_multigrid_bricks_along(l, d) +
         (size_t)(at[d] / WN_MULTIGRID_BRICK);
  brick[to] |= (uint8_t)bit;
}

/* Node `at` of the grid, one of those around node of_next of the next: whether interpolation to it is by the table, and
 * whether its residual is not that of the axes. */
static int is_around_by_table(const struct wn_multigrid_level *l,
                              const struct wn_multigrid_lines *lines, const float *table,
                              const int32_t of_next[3], const int by[3], int32_t at[3],
                              size_t from)
{
  double want = 1.0;
  for (int d = 0; d < 3; d++) {
    const struct wn_multigrid_kept *kept = &lines->kept[d][of_next[d]];
    at[d] = (kept->node + by[d] + l->axis[d].n) % l->axis[d].n;
    want *= by[d] == 0 ? 1.0 : (double)(by[d] < 0 ? kept->low : kept->high);
  }
  for (int d = 0; d < 3; d++)
    want *= (double)lines->node[d][at[d]].unknown;
  return l->inverse[place(l, at)] > 0.0f && differs((double)table[from], want, 1.0);
}

/* Of an unknown node of the next grid. */
static void mark_around(const struct wn_multigrid_level *l,
                        const struct wn_multigrid_lines *lines, const float *table,
                        size_t stride, const int32_t of_next[3], size_t from,
                        uint8_t *brick, uint8_t *node)
{
  const int most[3] = {1, 1, l->dim == 3};
  int32_t here[3], at[3];
  int by[3], leaves = 0;
  for (int d = 0; d < 3; d++)
    here[d] = lines->kept[d][of_next[d]].node;
  for (by[2] = -most[2]; by[2] <= most[2]; by[2]++)
    for (by[1] = -1; by[1] < 2; by[1]++)
      for (by[0] = -1; by[0] < 2; by[0]++) {
        const size_t number = number_of(l->dim, by);
        if (is_around_by_table(l, lines, table, of_next, by, at,
                               number * stride + from)) {
          mark(l, at, WN_MULTIGRID_IRREGULAR | WN_MULTIGRID_BRICK_ADDS, brick);
          node[place(l, at)] |= WN_MULTIGRID_SKIPS | WN_MULTIGRID_ADDS;
          leaves = 1;
        }
        leaves |= node[place(l, at)] & WN_MULTIGRID_CUT;
      }
  if (leaves) {
    mark(l, here, WN_MULTIGRID_BRICK_LEAVES, brick);
    node[place(l, here)] |= WN_MULTIGRID_LEAVES;
  }
}

void wn_multigrid_find_irregular(const struct wn_multigrid_level *l,
                                 const struct wn_multigrid_level *next,
                                 const struct wn_multigrid_lines *lines,
                                 const float *table, size_t stride, uint8_t *brick,
                                 uint8_t *node)
{
  WN_MULTIGRID_ROWS(l)
  for (int32_t i = 0; i < l->axis[0].n; i++) {
    const int32_t at[3] = {i, j, k};
    if (!is_cut(l, lines, at))
      continue;
    mark(l, at, WN_MULTIGRID_IRREGULAR, brick);
    node[place(l, at)] |= WN_MULTIGRID_CUT;
    if (!(l->inverse[place(l, at)] > 0.0f))
      node[place(l, at)] |= WN_MULTIGRID_SKIPS;
  }
  WN_MULTIGRID_ROWS(next)
  for (int32_t i = 0; i < next->axis[0].n; i++) {
    const int32_t of_next[3] = {i, j, k};
    const size_t from = place(next, of_next);
    if (next->inverse[from] > 0.0f) /* of given potential: it gives 0 */
      mark_around(l, lines, table, stride, of_next, from, brick, node);
  }
}

int32_t wn_multigrid_list_bricks(const struct wn_multigrid_level *l, const uint8_t *brick,
                                 int bit, int32_t *list)
{
  int32_t n = 0;
  for (size_t i = 0; i < wn_multigrid_bricks(l); i++)
    if (brick[i] & bit)
      list[n++] = (int32_t)i;
  return n;
}

void wn_multigrid_find_factors(const struct wn_multigrid_solver *m, uint8_t *brick)
{
  const struct wn_poisson_spec *s = &m->head.spec;
  const struct wn_multigrid_level *l = &m->levels.level[0];
  for (int d = 0; d < s->dim; d++) {
    if (s->edge[d] == NULL)
      continue;
    WN_MULTIGRID_ROWS(l)
    for (int32_t i = 0; i < l->axis[0].n; i++) {
      const size_t at = (size_t)i + (size_t)j * m->step[1] + (size_t)k * m->step[2];
      int32_t node[3] = {i, j, k};
      if (s->edge[d][at] == 1.0)
        continue;
      mark(l, node, WN_MULTIGRID_FACTOR, brick);
      node[d] = node[d] + 1 < l->axis[d].n ? node[d] + 1 : 0;
      mark(l, node, WN_MULTIGRID_FACTOR, brick);
    }
  }
}
