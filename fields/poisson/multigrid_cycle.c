/* fields/poisson/multigrid_cycle.c - one V-cycle of multigrid: see multigrid.c for the method.
 *
 * Interpolation.  A node of the coarser grid has its value.  One that lies between two of them along
 * some axes has the mean of its neighbours along these axes by the conductances of the edges,
 *
 *   e_i = w_i sum_j C_ij e_j,   1 / w_i = sum_j C_ij + what flows to given potentials,
 *
 * first those between along one axis, then along two and three.  So the flux is continuous where the
 * permittivity is not, and the correction is 0 at electrodes.  Restriction is the transpose of this, in
 * the opposite order, as sums to each node, so that threads do not meet. */
#include "fields/poisson/multigrid.h"

/* Copies beyond the ends of periodic axes. */
#define WRAP(name, type)                                                                 \
  void name(const struct wn_multigrid_level *l, type *values)                            \
  {                                                                                      \
    for (int d = 0; d < l->dim; d++) {                                                   \
      if (!l->axis[d].is_periodic)                                                       \
        continue;                                                                        \
      const int o = d == 0 ? 1 : 0, p = d == 2 ? 1 : 2;                                  \
      const size_t n = (size_t)l->axis[d].n, s = l->step[d];                             \
      for (int32_t k = 0; k < l->axis[p].n; k++)                                         \
        for (int32_t j = 0; j < l->axis[o].n; j++) {                                     \
          type *v = values + l->first + (size_t)j * l->step[o] + (size_t)k * l->step[p]; \
          v[n * s] = v[0];                                                               \
          *(v - s) = v[(n - 1) * s];                                                     \
        }                                                                                \
    }                                                                                    \
  }

WRAP(wn_multigrid_wrap, float)
WRAP(wn_multigrid_wrap_double, double)

/* ---- smoothing: the nodes of one colour after the other take the value that their equation has, and somewhat more of
 * the way to it */

/* The nodes of a colour in row (j, k): from *begin, every second, before *end. */
static void of_colour(const struct wn_multigrid_level *l, int32_t j, int32_t k,
                      int colour, int32_t *begin, int32_t *end)
{
  const int32_t at[3] = {0, j, k};
  int rest = colour, odd[3];
  for (int d = 0; d < 3; d++)
    odd[d] = l->axis[d].is_periodic && l->axis[d].n % 2;
  for (int d = 1; d < 3;
       d++) /* the last node of an odd number on a ring is no neighbour's colour */
    rest += l->colours - (odd[d] && at[d] == l->axis[d].n - 1 ? 2 : at[d] % 2);
  rest %= l->colours;
  *begin = rest < 2 ? rest : odd[0] ? l->axis[0].n - 1 : l->axis[0].n;
  *end = l->axis[0].n - (rest < 2 ? odd[0] : 0);
}

static inline float flux_in(const struct wn_multigrid_level *l, int dim, size_t i)
{
  const float *const x = l->x;
  float sum = l->c[0][i] * x[i + 1] + l->c[0][i - 1] * x[i - 1];
  sum += l->c[1][i] * x[i + l->step[1]] + l->c[1][i - l->step[1]] * x[i - l->step[1]];
  if (dim == 3)
    sum += l->c[2][i] * x[i + l->step[2]] + l->c[2][i - l->step[2]] * x[i - l->step[2]];
  return sum;
}

static void smooth(const struct wn_multigrid_level *l, int colour)
{
  const float omega = wn_multigrid_omega(l->dim, l->colours);
  WN_MULTIGRID_FOR_ROWS(l)
  {
    const size_t row = wn_multigrid_row(l, j, k);
    int32_t begin, end;
    of_colour(l, j, k, colour, &begin, &end);
    if (l->dim == 3)
      for (size_t i = row + (size_t)begin; i < row + (size_t)end; i += 2)
        l->x[i] += omega * (l->inverse[i] * (l->b[i] + flux_in(l, 3, i)) - l->x[i]);
    else
      for (size_t i = row + (size_t)begin; i < row + (size_t)end; i += 2)
        l->x[i] += omega * (l->inverse[i] * (l->b[i] + flux_in(l, 2, i)) - l->x[i]);
  }
  wn_multigrid_wrap(l, l->x);
}

/* x of the first colour where all others are 0. */
static void begin_smoothing(const struct wn_multigrid_level *l)
{
  const float omega = wn_multigrid_omega(l->dim, l->colours);
  WN_MULTIGRID_FOR_ROWS(l)
  {
    const size_t row = wn_multigrid_row(l, j, k);
    int32_t begin, end;
    of_colour(l, j, k, 0, &begin, &end);
    for (size_t i = row; i < row + (size_t)l->axis[0].n; i++)
      l->x[i] = 0.0f;
    for (size_t i = row + (size_t)begin; i < row + (size_t)end; i += 2)
      l->x[i] = omega * (l->inverse[i] * l->b[i]);
  }
  wn_multigrid_wrap(l, l->x);
}

/* r = b - A x, 0 at given nodes. */
static void leave(const struct wn_multigrid_level *l)
{
  WN_MULTIGRID_FOR_ROWS(l)
  {
    const size_t row = wn_multigrid_row(l, j, k);
    for (size_t i = row; i < row + (size_t)l->axis[0].n; i++) {
      const float in = l->dim == 3 ? flux_in(l, 3, i) : flux_in(l, 2, i);
      l->r[i] = l->inverse[i] > 0.0f ? l->b[i] + in - l->x[i] / l->inverse[i] : 0.0f;
    }
  }
}

/* ---- between grids */

/* Nodes that lie between along n axes of a row: a list of places along the first. */
struct places {
  const int32_t *at;
  int32_t n;
};
static struct places between_along(const struct wn_multigrid_level *l, int32_t j,
                                   int32_t k, int n)
{
  const struct wn_multigrid_axis *a = l->axis;
  const int of_row = a[1].is_between[j] + a[2].is_between[k];
  if (of_row == n)
    return (struct places){a[0].kept, a[0].n_kept};
  if (of_row + 1 == n)
    return (struct places){a[0].between, a[0].n_between};
  return (struct places){NULL, 0};
}

/* What node i takes of its neighbours along d that lie between: bits of `beside`. */
static inline float given_along(const struct wn_multigrid_level *l, int d, size_t i,
                                int beside)
{
  const size_t low = i - l->step[d], high = i + l->step[d];
  float sum = 0.0f;
  if (beside & 1)
    sum += l->c[d][low] * (l->weight[low] * l->r[low]);
  if (beside & 2)
    sum += l->c[d][i] * (l->weight[high] * l->r[high]);
  return sum;
}

void wn_multigrid_restrict(const struct wn_multigrid_level *l,
                           const struct wn_multigrid_level *next)
{
  const struct wn_multigrid_axis *a = l->axis;
  for (int n = l->dim - 1; n >= 0; n--) {
    wn_multigrid_wrap(l, l->r);
    WN_MULTIGRID_FOR_ROWS(l)
    {
      const size_t row = wn_multigrid_row(l, j, k);
      const struct places p = between_along(l, j, k, n);
      for (int32_t m = 0; m < p.n; m++) {
        const size_t i = row + (size_t)p.at[m];
        float sum = l->r[i] + given_along(l, 0, i, a[0].beside[p.at[m]]) +
                    given_along(l, 1, i, a[1].beside[j]);
        if (l->dim == 3)
          sum += given_along(l, 2, i, a[2].beside[k]);
        l->r[i] = sum;
      }
    }
  }
  WN_MULTIGRID_FOR_ROWS(next)
  {
    const size_t row = wn_multigrid_row(l, a[1].kept[j], a[2].kept[k]),
                 to = wn_multigrid_row(next, j, k);
    for (int32_t m = 0; m < a[0].n_kept; m++)
      next->b[to + (size_t)m] = l->r[row + (size_t)a[0].kept[m]];
  }
}

/* What i, between along d, takes of its neighbours. */
static inline float taken_along(const struct wn_multigrid_level *l, int d, size_t i)
{
  const size_t low = i - l->step[d], high = i + l->step[d];
  return l->c[d][low] * l->r[low] + l->c[d][i] * l->r[high];
}

/* x of the next grid is added to x here. */
static void interpolate(const struct wn_multigrid_level *l,
                        const struct wn_multigrid_level *next)
{
  const struct wn_multigrid_axis *a = l->axis;
  WN_MULTIGRID_FOR_ROWS(next)
  {
    const size_t row = wn_multigrid_row(l, a[1].kept[j], a[2].kept[k]),
                 from = wn_multigrid_row(next, j, k);
    for (int32_t m = 0; m < a[0].n_kept; m++) {
      const size_t i = row + (size_t)a[0].kept[m];
      l->r[i] = next->x[from + (size_t)m];
      l->x[i] += l->r[i];
    }
  }
  for (int n = 1; n <= l->dim; n++) {
    wn_multigrid_wrap(l, l->r);
    WN_MULTIGRID_FOR_ROWS(l)
    {
      const size_t row = wn_multigrid_row(l, j, k);
      const struct places p = between_along(l, j, k, n);
      const int is_between[3] = {p.at == a[0].between, a[1].is_between[j],
                                 a[2].is_between[k]};
      for (int32_t m = 0; m < p.n; m++) {
        const size_t i = row + (size_t)p.at[m];
        float sum = 0.0f;
        for (int d = 0; d < 3; d++)
          sum += is_between[d] ? taken_along(l, d, i) : 0.0f;
        l->r[i] = l->weight[i] * sum;
        l->x[i] += l->r[i];
      }
    }
  }
  wn_multigrid_wrap(l, l->x);
}

/* ---- the coarsest grid */

static void eliminate(const struct wn_multigrid_level *l,
                      const struct wn_multigrid_bottom *b)
{
  for (size_t i = 0; i < b->n; i++) {
    double v = (double)l->b[b->node[i]];
    for (size_t j = 0; j < i; j++)
      v -= b->factor[i * b->n + j] * b->value[j];
    b->value[i] = v;
  }
  for (size_t i = b->n; i-- > 0;) {
    double v = b->value[i] * b->factor[i * b->n + i];
    for (size_t j = i + 1; j < b->n; j++)
      v -= b->factor[j * b->n + i] * b->value[j];
    b->value[i] = v;
    l->x[b->node[i]] = (float)v;
  }
  wn_multigrid_wrap(l, l->x);
}

void wn_multigrid_cycle(const struct wn_multigrid_levels *m)
{
  for (int i = 0; i + 1 < m->n; i++) {
    const struct wn_multigrid_level *l = &m->level[i];
    begin_smoothing(l);
    for (int colour = 1; colour < l->colours; colour++)
      smooth(l, colour);
    leave(l);
    wn_multigrid_restrict(l, l + 1);
  }
  eliminate(&m->level[m->n - 1], &m->bottom);
  for (int i = m->n - 1; i-- > 0;) {
    const struct wn_multigrid_level *l = &m->level[i];
    interpolate(l, l + 1);
    for (int colour = 0; colour < l->colours; colour++)
      smooth(l, colour);
  }
}
