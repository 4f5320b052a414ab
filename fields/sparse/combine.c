/* fields/sparse/combine.c - see combine.h. */
#include "fields/sparse/combine.h"
#include <string.h>
#include "fields/sparse/refine.h"

size_t wn_sparse_work(const struct wn_components *c)
{
  int64_t most = 0;
  for (int p = 0; p < c->n_parents; p++) {
    const int64_t n = wn_sparse_nodes(c->dim, c->parent[p].level);
    most = n > most ? n : most;
  }
  /* two arrays of a parent; for a plane: a plane of the parent, and its rows as long as those of the full grid */
  const int64_t row = wn_sparse_nodes_along(c->n), plane = (c->dim > 2 ? row : 1) * row;
  return (size_t)(2 * (most > plane ? most : plane));
}

/* ---- along one axis: arrays [outer][nodes of the axis][inner] */

static void restrict_axis(const double *in, int64_t outer, int64_t last, int64_t inner,
                          int is_periodic, double *out)
{
  const int64_t coarse = last / 2;
  for (int64_t o = 0; o < outer; o++, in += (last + 1) * inner)
    for (int64_t i = 0; i <= coarse; i++, out += inner)
      for (int64_t q = 0; q < inner; q++)
        out[q] = wn_sparse_restricted(in + q, last, inner, is_periodic, i);
}

static void prolong_axis(const double *in, int64_t outer, int64_t last, int64_t inner,
                         double *out)
{
  for (int64_t o = 0; o < outer; o++, in += (last + 1) * inner)
    for (int64_t i = 0; i <= 2 * last; i++, out += inner)
      for (int64_t q = 0; q < inner; q++)
        out[q] = wn_sparse_prolonged(in + q, inner, i);
}

static void swap(double **a, double **b)
{
  double *const c = *a;
  *a = *b;
  *b = c;
}

/* Nodes of the axes below d, and above it, of a grid. */
static int64_t nodes_of_axes(const int32_t level[3], int from, int to)
{
  int64_t n = 1;
  for (int d = from; d < to; d++)
    n *= wn_sparse_nodes_along(level[d]);
  return n;
}

void wn_sparse_restrict(const struct wn_components *c, const int is_periodic[3], int i,
                        const double *parents, double *work, double *out)
{
  const struct wn_component *of = &c->c[i];
  const struct wn_sparse_parent *p = &c->parent[of->parent];
  const double *from = parents + p->first;
  double *to = work, *other = work + wn_sparse_work(c) / 2;
  int32_t level[3];
  memcpy(level, p->level, sizeof level);
  for (int d = 0; d < c->dim; d++)
    while (level[d] > of->level[d]) {
      restrict_axis(from, nodes_of_axes(level, d + 1, c->dim), (int64_t)1 << level[d],
                    nodes_of_axes(level, 0, d), is_periodic[d], to);
      level[d]--;
      from = to;
      swap(&to, &other);
    }
  memcpy(out, from, (size_t)wn_sparse_nodes(c->dim, of->level) * sizeof *out);
}

void wn_sparse_combine(const struct wn_components *c, const double *components,
                       double *work, double *parents)
{
  memset(parents, 0, (size_t)c->parent_nodes * sizeof *parents);
  for (int i = 0; i < c->n_components; i++) {
    const struct wn_component *of = &c->c[i];
    const struct wn_sparse_parent *p = &c->parent[of->parent];
    const double *from = components + of->first, k = of->coefficient;
    double *to = work, *other = work + wn_sparse_work(c) / 2, *sum = parents + p->first;
    const int64_t n = wn_sparse_nodes(c->dim, p->level);
    int32_t level[3];
    memcpy(level, of->level, sizeof level);
    for (int d = c->dim - 1; d >= 0;
         d--) /* the last first: most of the work in long rows */
      while (level[d] < p->level[d]) {
        prolong_axis(from, nodes_of_axes(level, d + 1, c->dim), (int64_t)1 << level[d],
                     nodes_of_axes(level, 0, d), to);
        level[d]++;
        from = to;
        swap(&to, &other);
      }
    for (int64_t j = 0; j < n; j++)
      sum[j] += k * from[j];
  }
}

/* ---- a plane of the full grid */

/* Two lines of n values with weights: values between two nodes. */
static void mean_of(const double *low, const double *high, double part, int64_t n,
                    double *out)
{
  for (int64_t i = 0; i < n; i++)
    out[i] = low[i] + part * (high[i] - low[i]);
}

/* A line of 2^level cells at the 2^n + 1 nodes of the full grid. */
static void lengthen(const double *line, int level, int n, double *out)
{
  const int64_t each = (int64_t)1 << (n - level), cells = (int64_t)1 << level;
  const double per = 1.0 / (double)each;
  for (int64_t i = 0; i < cells; i++, out += each) {
    const double slope = (line[i + 1] - line[i]) * per;
    for (int64_t k = 0; k < each; k++)
      out[k] = line[i] + (double)k * slope;
  }
  *out = line[cells];
}

/* Node k of the full grid along an axis of a parent: the node below, the next, and the part between them. */
struct between {
  int64_t low, high;
  double part;
};
static struct between between(int level, int n, int64_t k)
{
  const int shift = n - level;
  const int64_t low = k >> shift, left = k - (low << shift);
  return (struct between){low, left > 0 ? low + 1 : low,
                          (double)left / (double)((int64_t)1 << shift)};
}

void wn_sparse_plane(const struct wn_components *c, const double *parents, int64_t k,
                     double *work, double *out)
{
  const int64_t nx = wn_sparse_nodes_along(c->n), ny = c->dim > 2 ? nx : 1;
  double *long_rows = work + wn_sparse_work(c) / 2;
  const int last = c->dim - 1;
  memset(out, 0, (size_t)(nx * ny) * sizeof *out);
  for (int p = 0; p < c->n_parents; p++) {
    const int32_t *level = c->parent[p].level;
    const int64_t each_x = wn_sparse_nodes_along(level[0]),
                  each_y = c->dim > 2 ? wn_sparse_nodes_along(level[1]) : 1,
                  plane = each_x * each_y;
    const double *of = parents + c->parent[p].first;
    const struct between z = between(level[last], c->n, k);
    mean_of(of + z.low * plane, of + z.high * plane, z.part, plane, work);
    for (int64_t y = 0; y < each_y; y++)
      lengthen(work + y * each_x, level[0], c->n, long_rows + y * nx);
    for (int64_t y = 0; y < ny; y++) {
      const struct between b =
          c->dim > 2 ? between(level[1], c->n, y) : (struct between){0, 0, 0.0};
      const double *low = long_rows + b.low * nx, *high = long_rows + b.high * nx;
      double *to = out + y * nx;
      for (int64_t x = 0; x < nx; x++)
        to[x] += low[x] + b.part * (high[x] - low[x]);
    }
  }
}
