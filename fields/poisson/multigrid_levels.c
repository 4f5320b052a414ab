/* fields/poisson/multigrid_levels.c - the grids of multigrid: see multigrid.c for the method.
 *
 * Coarser axes.  Two cells become one where they are short together: below a length that is 3 times the
 * shortest edge of all axes, or as much as it takes to have fewer nodes by a factor of FEWER.  So long and
 * short cells become alike, along one axis and between axes (semi-coarsening), and the smoother, which
 * damps errors along the shortest edges alone, fits everywhere.  With an odd number of cells the longest
 * stays.
 *
 * Coarser conductances.  The edges between two nodes of the coarser grid are in series; beside them are
 * those of the nodes between along other axes, each with its part, linear in its place.  A node of given
 * potential that the coarser grid does not have, as a thin electrode, cuts its line; what flows to it
 * becomes a conductance to 0 V (the sink) of the nodes around it, spread by the transpose of
 * interpolation.  So an electrode acts at its place, however coarse the grid.  Sides of given potential are in all
 * grids. */
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "fields/poisson/multigrid.h"

#define FEWER   1.3
#define NEAR    3.0  /* twice the shortest, and cells half as long again as it */
#define FARTHER 1.25 /* a step of the search */
#define BOTTOM  64   /* nodes that are solved by elimination */
/* A pivot that is rounding, as where no potential is given: 0 V there. */
#define PIVOT 1e-10

/* ---- axes */

static int32_t cells(const struct wn_multigrid_axis *a)
{
  return a->is_periodic ? a->n : a->n - 1;
}

/* Which nodes are between if cells below `most` [m] are joined: how many are left. */
static int32_t join(struct wn_multigrid_axis *a, double most)
{
  const int32_t n = cells(a);
  int32_t single = -1, left = a->n;
  for (int32_t i = 0; i < n && n % 2; i += 2)
    if (single < 0 || a->length[i] > a->length[single])
      single = i;
  for (int32_t i = 0; i < a->n; i++)
    a->is_between[i] = 0;
  for (int32_t i = 0; i + 1 < n && n > 2; i++)
    if (i != single && a->length[i] + a->length[i + 1] <= most) {
      a->is_between[++i] = 1;
      left--;
    }
  return left;
}

static size_t nodes_if(struct wn_multigrid_level *l, double most)
{
  size_t nodes = 1;
  for (int d = 0; d < l->dim; d++)
    nodes *= (size_t)join(&l->axis[d], most);
  return nodes;
}

/* is_between of all axes; 0: no cells are left to join, or the grid is small. */
static int choose(struct wn_multigrid_level *l)
{
  double shortest = INFINITY, whole = 0.0;
  size_t nodes = 1;
  for (int d = 0; d < l->dim; d++) {
    struct wn_multigrid_axis *a = &l->axis[d];
    double sum = 0.0;
    for (int32_t i = 0; i < cells(a); i++) {
      sum += a->length[i];
      shortest = cells(a) > 2 ? fmin(shortest, a->length[i]) : shortest;
    }
    whole = fmax(whole, sum);
    nodes *= (size_t)a->n;
  }
  if (nodes <= BOTTOM || !isfinite(shortest))
    return 0;
  double most = NEAR * shortest;
  while ((double)nodes_if(l, most) * FEWER > (double)nodes && most < whole)
    most *= FARTHER;
  return nodes_if(l, most) < nodes;
}

/* The lists of is_between. */
static int list(struct wn_multigrid_axis *a)
{
  a->kept = wn_alloc((size_t)a->n, sizeof *a->kept);
  a->between = wn_alloc((size_t)a->n, sizeof *a->between);
  if (a->kept == NULL || a->between == NULL)
    return WN_ENOMEM;
  for (int32_t i = 0; i < a->n; i++) {
    const int32_t low = i > 0 ? i - 1 : a->n - 1, high = i + 1 < a->n ? i + 1 : 0;
    if (a->is_between[i])
      a->between[a->n_between++] = i;
    else
      a->kept[a->n_kept++] = i;
    /* the ends of an axis that is not periodic are kept */
    a->beside[i] = (uint8_t)(a->is_between[low] | a->is_between[high] << 1);
  }
  return WN_OK;
}

/* Copies of the lengths; those of the next grid where `from` is joined. */
static int make_axis(struct wn_multigrid_axis *a, int32_t n, int is_periodic,
                     const double *length, const struct wn_multigrid_axis *from)
{
  *a = (struct wn_multigrid_axis){.n = n, .is_periodic = is_periodic};
  a->length = wn_alloc((size_t)n, sizeof *a->length);
  a->is_between = wn_alloc((size_t)n, sizeof *a->is_between);
  a->beside = wn_alloc((size_t)n, sizeof *a->beside);
  if (a->length == NULL || a->is_between == NULL || a->beside == NULL)
    return WN_ENOMEM;
  for (int32_t i = 0; i < n; i++) {
    const int32_t at = from != NULL ? from->kept[i] : i;
    a->length[i] = length[at];
    if (from != NULL && at + 1 < from->n && from->is_between[at + 1])
      a->length[i] += length[at + 1];
  }
  return WN_OK;
}

/* ---- memory */

static void lay_out(struct wn_multigrid_level *l)
{
  l->colours = 2;
  l->size = 1;
  l->first = 0;
  for (int d = 0; d < 3; d++) {
    const struct wn_multigrid_axis *a = &l->axis[d];
    if (a->is_periodic && a->n % 2)
      l->colours = 3;
    l->step[d] = l->size;
    l->first += d < l->dim ? l->size : 0;
    l->size *= (size_t)a->n + (d < l->dim ? 2 : 0);
  }
}

static int allocate(struct wn_multigrid_level *l)
{
  float **const arrays[] = {&l->c[0],   &l->c[1], &l->c[2], &l->inverse,
                            &l->weight, &l->x,    &l->b,    &l->r};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    if (arrays[i] == &l->c[2] && l->dim < 3)
      continue;
    *arrays[i] = wn_alloc(l->size, sizeof **arrays[i]);
    if (*arrays[i] == NULL)
      return WN_ENOMEM;
  }
  return WN_OK;
}

static void clear_axes(struct wn_multigrid_level *l)
{
  for (int d = 0; d < 3; d++) {
    struct wn_multigrid_axis *a = &l->axis[d];
    free(a->length);
    free(a->kept);
    free(a->between);
    free(a->is_between);
    free(a->beside);
  }
}

void wn_multigrid_free(struct wn_multigrid_levels *m)
{
  for (int i = 0; i < m->n; i++) {
    struct wn_multigrid_level *l = &m->level[i];
    clear_axes(l);
    for (int d = 0; d < 3; d++)
      free(l->c[d]);
    free(l->inverse);
    free(l->weight);
    free(l->x);
    free(l->b);
    free(l->r);
  }
  free(m->bottom.node);
  free(m->bottom.factor);
  free(m->bottom.value);
}

/* ---- conductances */

/* A node's neighbours in the grid, low and high along each axis; of given potential, or that is not in the next. */
static int is_given(const struct wn_multigrid_level *l, size_t i)
{
  return !(l->inverse[i] > 0.0f);
}

/* On a side of given potential, which all grids have. */
static int is_on_side(const struct wn_multigrid_level *l, const int32_t at[3])
{
  int is_on = 0;
  for (int d = 0; d < l->dim; d++) {
    const struct wn_multigrid_axis *a = &l->axis[d];
    is_on |= (a->is_given[0] && at[d] == 0) || (a->is_given[1] && at[d] == a->n - 1);
  }
  return is_on;
}

static int is_lost(const struct wn_multigrid_level *l, const int32_t at[3], size_t i)
{
  return is_given(l, i) &&
         (l->axis[0].is_between[at[0]] | l->axis[1].is_between[at[1]] |
          l->axis[2].is_between[at[2]]) &&
         !is_on_side(l, at);
}

/* at + by along d, on a ring; beyond an end: at, and no flux passes. */
static void move(const struct wn_multigrid_level *l, int32_t at[3], int d, int32_t by)
{
  const struct wn_multigrid_axis *a = &l->axis[d];
  const int32_t to = at[d] + by;
  if (a->is_periodic)
    at[d] = (to + a->n) % a->n;
  else if (to >= 0 && to < a->n)
    at[d] = to;
}

static size_t place(const struct wn_multigrid_level *l, const int32_t at[3])
{
  return wn_multigrid_row(l, at[1], at[2]) + (size_t)at[0];
}

/* The weights of interpolation; in r what flows to lost electrodes and sinks. */
static void weigh(const struct wn_multigrid_level *l, const float *sink)
{
  WN_MULTIGRID_FOR_ROWS(l)
  for (int32_t at0 = 0; at0 < l->axis[0].n; at0++) {
    const int32_t at[3] = {at0, j, k};
    const size_t i = place(l, at);
    double to_sinks = (double)sink[i], sum = (double)sink[i];
    int n_between = 0;
    l->weight[i] = l->r[i] = 0.0f;
    if (is_given(l, i))
      continue;
    for (int d = 0; d < l->dim; d++) {
      const int between = l->axis[d].is_between[at[d]];
      n_between += between;
      for (int high = 0; high < 2; high++) {
        int32_t other[3] = {at0, j, k};
        move(l, other, d, high ? 1 : -1);
        const size_t o = place(l, other);
        const double c = (double)l->c[d][high ? i : i - l->step[d]];
        sum += between || (is_given(l, o) && !is_on_side(l, other)) ? c : 0.0;
        to_sinks += is_lost(l, other, o) ? c : 0.0;
      }
    }
    l->r[i] = (float)to_sinks;
    l->weight[i] = n_between > 0 && sum > 0.0 ? (float)(1.0 / sum) : 0.0f;
  }
  wn_multigrid_wrap(l, l->weight);
}

/* From kept node `at` along d to the next one; 0 beyond an end. */
static double in_series(const struct wn_multigrid_level *l, const int32_t at[3], int d)
{
  int32_t to[3] = {at[0], at[1], at[2]};
  const size_t i = place(l, at);
  const double c = (double)l->c[d][i];
  move(l, to, d, 1);
  if (!(c > 0.0) || is_lost(l, at, i))
    return 0.0;
  const size_t o = place(l, to);
  if (!l->axis[d].is_between[to[d]])
    return is_lost(l, to, o) ? 0.0 : c;
  const double c2 = (double)l->c[d][o], sink = (double)l->r[o];
  if (is_given(l, o) || !(c2 > 0.0))
    return 0.0;
  move(l, to, d, 1);
  return is_lost(l, to, place(l, to)) ? 0.0 : c * c2 / (c + c2 + sink);
}

/* The part that node `kept` of the next grid takes of the node at `by` from it along an axis. */
double wn_multigrid_part(const struct wn_multigrid_axis *a, int32_t kept, int by)
{
  const int32_t at = a->kept[kept], low = at > 0 ? at - 1 : a->n - 1;
  if (by == 0)
    return 1.0;
  if (!(a->beside[at] & (by < 0 ? 1 : 2)))
    return 0.0;
  if (by > 0)
    return a->length[at + 1] / (a->length[at] + a->length[at + 1]);
  const int32_t below = low > 0 ? low - 1 : a->n - 1;
  return a->length[below] / (a->length[below] + a->length[low]);
}

/* c of the next grid from node (i, j, k) of it along d. */
static double in_parallel(const struct wn_multigrid_level *l, const int32_t kept[3],
                          int d)
{
  const int o = d == 0 ? 1 : 0, p = d == 2 ? 1 : 2;
  double sum = 0.0;
  for (int a = -1; a < 2; a++)
    for (int b = -1; b < 2; b++) {
      const double f =
          (o < l->dim ? wn_multigrid_part(&l->axis[o], kept[o], a) : (double)(a == 0)) *
          (p < l->dim ? wn_multigrid_part(&l->axis[p], kept[p], b) : (double)(b == 0));
      if (f > 0.0) {
        int32_t at[3] = {l->axis[0].kept[kept[0]], l->axis[1].kept[kept[1]],
                         l->axis[2].kept[kept[2]]};
        move(l, at, o, a);
        move(l, at, p, b);
        sum += f * in_series(l, at, d);
      }
    }
  return sum;
}

/* c and inverse of the next grid, and its sinks, in b of it. */
static void average(const struct wn_multigrid_level *l, struct wn_multigrid_level *next)
{
  WN_MULTIGRID_FOR_ROWS(next)
  for (int32_t i = 0; i < next->axis[0].n; i++) {
    const int32_t at[3] = {i, j, k};
    for (int d = 0; d < l->dim; d++)
      next->c[d][place(next, at)] = (float)in_parallel(l, at, d);
  }
  for (int d = 0; d < l->dim; d++)
    wn_multigrid_wrap(next, next->c[d]);
  wn_multigrid_restrict(l, next);
  WN_MULTIGRID_FOR_ROWS(next)
  for (int32_t m = 0; m < next->axis[0].n; m++) {
    const int32_t at[3] = {m, j, k},
                  from[3] = {l->axis[0].kept[m], l->axis[1].kept[j], l->axis[2].kept[k]};
    const size_t i = place(next, at);
    double sum = (double)next->b[i];
    for (int d = 0; d < l->dim; d++)
      sum += (double)next->c[d][i] + (double)next->c[d][i - next->step[d]];
    next->inverse[i] =
        is_given(l, place(l, from)) || !(sum > 0.0) ? 0.0f : (float)(1.0 / sum);
  }
}

/* ---- the coarsest grid */

/* L D L^T, L below the diagonal and 1 / D on it. */
static void factorize(struct wn_multigrid_bottom *b)
{
  double *f = b->factor;
  for (size_t j = 0; j < b->n; j++) {
    const double before = f[j * b->n + j];
    for (size_t i = j; i < b->n; i++)
      for (size_t k = 0; k < j; k++) /* 1 / D may be 0, and L beside it then is, too */
        if (f[k * b->n + k] > 0.0)
          f[i * b->n + j] -= f[i * b->n + k] * f[j * b->n + k] / f[k * b->n + k];
    const double d = f[j * b->n + j];
    f[j * b->n + j] = d > PIVOT * before ? 1.0 / d : 0.0;
    for (size_t i = j + 1; i < b->n; i++)
      f[i * b->n + j] *= f[j * b->n + j];
  }
}

static int make_bottom(struct wn_multigrid_bottom *b, const struct wn_multigrid_level *l,
                       const float *sink)
{
  size_t *number = wn_alloc(l->size, sizeof *number);
  b->node = wn_alloc(l->size, sizeof *b->node);
  if (number == NULL || b->node == NULL) {
    free(number);
    return WN_ENOMEM;
  }
  WN_MULTIGRID_ROWS(l)
  for (int32_t i = 0; i < l->axis[0].n; i++) {
    const int32_t at[3] = {i, j, k};
    if (!is_given(l, place(l, at))) {
      number[place(l, at)] = b->n;
      b->node[b->n++] = place(l, at);
    }
  }
  b->factor = wn_alloc(b->n * b->n + 1, sizeof *b->factor);
  b->value = wn_alloc(b->n + 1, sizeof *b->value);
  if (b->factor == NULL || b->value == NULL) {
    free(number);
    return WN_ENOMEM;
  }
  WN_MULTIGRID_ROWS(l)
  for (int32_t at0 = 0; at0 < l->axis[0].n; at0++) {
    const int32_t at[3] = {at0, j, k};
    const size_t i = place(l, at);
    if (is_given(l, i))
      continue;
    double *row = b->factor + number[i] * b->n;
    row[number[i]] += (double)sink[i];
    for (int d = 0; d < l->dim; d++)
      for (int high = 0; high < 2; high++) {
        int32_t other[3] = {at0, j, k};
        move(l, other, d, high ? 1 : -1);
        const size_t o = place(l, other);
        const double c = (double)l->c[d][high ? i : i - l->step[d]];
        row[number[i]] += c;
        if (!is_given(l, o))
          row[number[o]] -= c;
      }
  }
  free(number);
  factorize(b);
  return WN_OK;
}

/* ---- all grids */

/* The axes of the grid after the last one.  *is_last: there is none. */
static int coarsen_axes(struct wn_multigrid_levels *m, int *is_last)
{
  struct wn_multigrid_level *l = &m->level[m->n - 1], *next = l + 1;
  *is_last = m->n == WN_MULTIGRID_LEVELS || !choose(l);
  if (*is_last)
    return WN_OK;
  *next = (struct wn_multigrid_level){.dim = l->dim, .threads = l->threads};
  m->n++;
  for (int d = 0; d < 3; d++) {
    WN_TRY(list(&l->axis[d]));
    WN_TRY(make_axis(&next->axis[d], l->axis[d].n_kept, l->axis[d].is_periodic,
                     l->axis[d].length, &l->axis[d]));
  }
  lay_out(next);
  return WN_OK;
}

int wn_multigrid_plan(struct wn_multigrid_levels *m, int dim, const int32_t n[3],
                      const int is_periodic[3], double *const length[3], int threads)
{
  struct wn_multigrid_level *l = &m->level[0];
  static const double one[1] = {1.0};
  *m = (struct wn_multigrid_levels){.n = 1};
  l->dim = dim;
  l->threads = threads;
  for (int d = 0; d < 3; d++)
    WN_TRY(make_axis(&l->axis[d], d < dim ? n[d] : 1, d < dim && is_periodic[d],
                     d < dim ? length[d] : one, NULL));
  lay_out(l);
  for (int is_last = 0; !is_last;)
    WN_TRY(coarsen_axes(m, &is_last));
  return WN_OK;
}

size_t wn_multigrid_memory(const struct wn_multigrid_levels *m)
{
  const struct wn_multigrid_level *last = &m->level[m->n - 1];
  size_t bytes = sizeof *m, nodes = 1;
  for (int i = 0; i < m->n; i++) {
    const struct wn_multigrid_level *l = &m->level[i];
    bytes += l->size * (size_t)(l->dim + 5) * sizeof(float);
    for (int d = 0; d < 3; d++)
      bytes += (size_t)l->axis[d].n *
               (sizeof(double) + 2 * sizeof(int32_t) + 2 * sizeof(uint8_t));
  }
  for (int d = 0; d < 3; d++)
    nodes *= (size_t)last->axis[d].n;
  return bytes + (nodes * nodes + nodes) * sizeof(double) + last->size * sizeof(size_t);
}

int wn_multigrid_allocate(struct wn_multigrid_levels *m)
{
  for (int i = 0; i < m->n; i++)
    WN_TRY(allocate(&m->level[i]));
  return WN_OK;
}

int wn_multigrid_coarsen(struct wn_multigrid_levels *m)
{
  const float *sink = m->level[0].b; /* 0 */
  for (int d = 0; d < m->level[0].dim; d++)
    wn_multigrid_wrap(&m->level[0], m->level[0].c[d]);
  for (int i = 0; i + 1 < m->n; i++) {
    weigh(&m->level[i], sink);
    average(&m->level[i], &m->level[i + 1]);
    sink = m->level[i + 1].b;
  }
  return make_bottom(&m->bottom, &m->level[m->n - 1], sink);
}
