/* fields/sparse/components.c - see components.h. */
#include "fields/sparse/components.h"
#include <math.h>
#include <string.h>
#include "base/error.h"

static int check(const struct wn_sparse_levels *of)
{
  if (of->dim < 2 || of->dim > WN_MAX_DIM)
    return WN_FAIL(WN_EINPUT, "sparse grids: dimensions %d (allowed: 2, 3)", of->dim);
  if (of->n < 3 || of->n > WN_SPARSE_LEVELS)
    return WN_FAIL(WN_EINPUT,
                   "sparse grids: 2^%d cells along an axis (allowed: 2^3 to 2^%d)", of->n,
                   WN_SPARSE_LEVELS);
  if (of->least < 1 || of->least > of->n)
    return WN_FAIL(WN_EINPUT, "sparse grids: smallest level %d (allowed: 1 to %d)",
                   of->least, of->n);
  const int32_t low = (of->dim - 1) * of->least, high = (of->dim - 1) * of->n;
  if (of->more < low || of->more > high)
    return WN_FAIL(WN_EINPUT, "sparse grids: offset %d (allowed: %d to %d)", of->more,
                   low, high);
  return WN_OK;
}

/* Whether these levels belong to the approximation. */
static int has(const struct wn_sparse_levels *of, const int32_t level[WN_MAX_DIM])
{
  int32_t sum = 0;
  for (int d = 0; d < of->dim; d++) {
    if (level[d] < of->least || level[d] > of->n)
      return 0;
    sum += level[d];
  }
  return sum <= of->n + of->more;
}

static int32_t coefficient(const struct wn_sparse_levels *of,
                           const int32_t level[WN_MAX_DIM])
{
  int32_t sum = 0;
  for (int z = 0; z < 1 << of->dim; z++) {
    int32_t finer[WN_MAX_DIM] = {0}, sign = 1;
    for (int d = 0; d < of->dim; d++) {
      finer[d] = level[d] + (z >> d & 1);
      sign = z >> d & 1 ? -sign : sign;
    }
    sum += has(of, finer) ? sign : 0;
  }
  return sum;
}

/* The axis whose parent takes a component: the one with its largest level; of equal ones that whose next axis
 * has this level, too, so that the parents are alike but for the order of the axes. */
static int32_t axis_of(int dim, const int32_t level[WN_MAX_DIM])
{
  int32_t most = 0, axis = 0;
  for (int d = 0; d < dim; d++)
    most = level[d] > most ? level[d] : most;
  while (level[axis] != most)
    axis++;
  for (int d = 0; d < dim; d++)
    if (level[d] == most && level[(d + 1) % dim] == most)
      return d;
  return axis;
}

/* The grids whose levels add up to `sum`, behind those that are there. */
static int add_of_sum(const struct wn_sparse_levels *of, int32_t sum,
                      struct wn_components *out)
{
  const int32_t high_z = of->dim > 2 ? of->n : 0, low_z = of->dim > 2 ? of->least : 0;
  for (int32_t x = of->least; x <= of->n; x++)
    for (int32_t y = of->least; y <= of->n; y++) {
      struct wn_component c = {.level = {x, y, sum - x - y}, .first = out->nodes};
      if (c.level[2] < low_z || c.level[2] > high_z || !has(of, c.level))
        continue;
      c.coefficient = coefficient(of, c.level);
      if (c.coefficient == 0)
        continue;
      if (out->n_components == WN_SPARSE_MAX)
        return WN_FAIL(WN_EINPUT, "sparse grids: more than %d component grids",
                       WN_SPARSE_MAX);
      c.parent = axis_of(of->dim, c.level);
      out->nodes += wn_sparse_nodes(of->dim, c.level);
      out->c[out->n_components++] = c;
    }
  return WN_OK;
}

/* As fine as their components; numbers without those that have none. */
static void make_parents(struct wn_components *out)
{
  int32_t number[WN_MAX_DIM] = {-1, -1, -1};
  for (int32_t i = 0; i < out->n_components; i++) {
    struct wn_component *c = &out->c[i];
    if (number[c->parent] < 0)
      number[c->parent] = out->n_parents++;
    c->parent = number[c->parent];
    int32_t *level = out->parent[c->parent].level;
    for (int d = 0; d < out->dim; d++)
      level[d] = c->level[d] > level[d] ? c->level[d] : level[d];
  }
  for (int32_t p = 0; p < out->n_parents; p++) {
    out->parent[p].first = out->parent_nodes;
    out->parent_nodes += wn_sparse_nodes(out->dim, out->parent[p].level);
  }
}

int wn_components_make(const struct wn_sparse_levels *of, struct wn_components *out)
{
  WN_TRY(check(of));
  memset(out, 0, sizeof *out);
  out->dim = of->dim;
  out->n = of->n;
  out->least = of->least;
  out->more = of->more;
  for (int32_t sum = of->n + of->more; sum >= of->dim * of->least; sum--)
    WN_TRY(add_of_sum(of, sum, out));
  make_parents(out);
  return WN_OK;
}

void wn_sparse_view(const struct wn_components *c, enum wn_sparse_combined at,
                    struct wn_grid_view *g)
{
  g->no_charge = 1;
  if (at == WN_SPARSE_NODES)
    return;
  g->gather = WN_GATHER_NESTED;
  g->n_nested = c->n_parents;
  for (int p = 0; p < c->n_parents; p++) {
    struct wn_nested_grid *n = &g->nested[p];
    int32_t step = 1;
    *n = (struct wn_nested_grid){.first = (int32_t)c->parent[p].first};
    for (int d = 0; d < c->dim; d++) {
      n->shift[d] = c->n - c->parent[p].level[d];
      n->step[d] = step;
      step *= (int32_t)wn_sparse_nodes_along(c->parent[p].level[d]);
    }
  }
}

size_t wn_sparse_floats(const struct wn_components *c, enum wn_sparse_combined at,
                        const struct wn_grid_view *full)
{
  int64_t nodes = wn_grid_nodes(full), behind = 0;
  for (int p = 0; p < c->n_parents && at == WN_SPARSE_PARTICLE; p++) {
    int64_t step = 1, next = 0; /* from the last node to that after it along each axis */
    for (int d = 0; d < c->dim; d++) {
      next += step;
      step *= wn_sparse_nodes_along(c->parent[p].level[d]);
    }
    nodes = c->parent_nodes;
    behind = next > behind ? next : behind;
  }
  return (size_t)((nodes + behind) * full->stride);
}

double wn_sparse_noise(const struct wn_components *c)
{
  double v = 0.0;
  for (int i = 0; i < c->n_components; i++)
    for (int k = 0; k < c->n_components; k++) {
      double of_pair = (double)c->c[i].coefficient * (double)c->c[k].coefficient;
      for (int d = 0; d < c->dim; d++) {
        const int32_t p = c->c[i].level[d], q = c->c[k].level[d], a = p < q ? p : q,
                      b = p < q ? q : p;
        of_pair *= ldexp(1.0 - ldexp(1.0 / 3.0, a - b), a);
      }
      v += of_pair;
    }
  return v - 1.0;
}

double wn_sparse_standard_noise(int dim, int n)
{
  return pow(2.0 / 3.0, dim) * ldexp(1.0, n * dim) - 1.0;
}
