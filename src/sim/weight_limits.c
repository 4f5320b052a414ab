/* src/sim/weight_limits.c - see weight_limits.h. */
#include "src/sim/weight_limits.h"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "fields/field.h"
#include "physics/mathfn.h"
#include "src/config/merging.h"

double wn_weight_limit_at(const double *at, const double *weight, size_t n, double x)
{
  size_t i = 0;
  while (i < n && at[i] < x)
    i++;
  if (i == 0)
    return weight[0];
  if (i == n)
    return weight[n - 1];
  const double part = (x - at[i - 1]) / (at[i] - at[i - 1]), low = wn_ln(weight[i - 1]);
  return wn_exp(low + part * (wn_ln(weight[i]) - low));
}

/* Coordinates of a cell, and the first of its nodes; cells and nodes have x the fastest. */
static size_t place_of(const struct wn_weight_limits *l, size_t cell, size_t at[3])
{
  const size_t *n = l->axis_cells;
  at[0] = cell % n[0];
  at[1] = cell / n[0] % n[1];
  at[2] = cell / n[0] / n[1];
  return (at[2] * (n[1] + 1) + at[1]) * (n[0] + 1) + at[0];
}

static double distance(const struct wn_weight_limits *l, const struct wn_geometry *g,
                       int dim, size_t cell)
{
  size_t at[3];
  double square = 0.0;
  place_of(l, cell, at);
  for (int d = 0; d < dim; d++) {
    const int64_t i = (int64_t)at[d];
    const double off = 0.5 * (wn_axis_x(&g->axis[d], i) + wn_axis_x(&g->axis[d], i + 1)) -
                       l->is->centre[d];
    square += off * off;
  }
  return sqrt(square);
}

static double limit_by_place(const struct wn_weight_limits *l,
                             const struct wn_geometry *g, int dim, size_t cell)
{
  const struct wn_cfg_merging *is = l->is;
  if (is->n_distances == 0)
    return is->most_weight;
  return fmin(is->most_weight,
              wn_weight_limit_at(is->distances, is->distance_limits, is->n_distances,
                                 distance(l, g, dim, cell)));
}

/* A weight of float, not above x. */
static float not_above(double x)
{
  const float w = (float)x;
  return (double)w > x ? nextafterf(w, 0.0f) : w;
}

int wn_weight_limits_init(struct wn_weight_limits *l, const struct wn_sim *s,
                          const struct wn_cfg_merging *is, int threads)
{
  const int dim = s->c->plasma.dim;
  *l = (struct wn_weight_limits){.is = is, .cells = 1, .nodes = 1, .threads = threads};
  for (int d = 0; d < 3; d++) {
    l->axis_cells[d] = d < dim ? s->c->plasma.cells[d] : 1;
    l->cells *= l->axis_cells[d];
    l->nodes *= d < dim ? l->axis_cells[d] + 1 : 1;
  }
  if (wn_merging_limits(is) == NULL)
    return WN_OK;
  l->by_place = wn_alloc(l->cells, sizeof *l->by_place);
  l->most = wn_alloc(l->cells, sizeof *l->most);
  if (is->n_fields > 0) {
    l->component = wn_alloc(l->nodes, sizeof *l->component);
    l->square = wn_alloc(l->nodes, sizeof *l->square);
  }
  if (l->by_place == NULL || l->most == NULL ||
      (is->n_fields > 0 && (l->component == NULL || l->square == NULL)))
    return WN_ENOMEM;
  for (size_t i = 0; i < l->cells; i++)
    l->by_place[i] = not_above(limit_by_place(l, &s->geometry, dim, i));
  return WN_OK;
}

void wn_weight_limits_clear(struct wn_weight_limits *l)
{
  free(l->by_place);
  free(l->most);
  free(l->component);
  free(l->square);
}

void wn_weight_limits_begin(struct wn_weight_limits *l)
{
  l->heavy = 0;
  l->least = l->is->most_weight;
}

int wn_weight_limits_state(struct wn_weight_limits *l, struct wn_state *state)
{
  WN_TRY(WN_STATE(state, l->heavy));
  return WN_STATE(state, l->least);
}

static int add_component(struct wn_weight_limits *l, const struct wn_sim *s, int d)
{
  WN_TRY(wn_field_e(s->field, d, l->component));
  for (size_t i = 0; i < l->nodes; i++)
    l->square[i] =
        (d > 0 ? l->square[i] : 0.0f) + (float)(l->component[i] * l->component[i]);
  return WN_OK;
}

/* V/m */
static double strongest(const struct wn_weight_limits *l, size_t cell, int dim)
{
  const size_t along_y = l->axis_cells[0] + 1, along_z = along_y * (l->axis_cells[1] + 1);
  size_t at[3];
  const size_t first = place_of(l, cell, at);
  float most = 0.0f;
  for (size_t k = 0; k < (size_t)1 << dim; k++)
    most = fmaxf(most, l->square[first + k % 2 + k / 2 % 2 * along_y + k / 4 * along_z]);
  return sqrt((double)most);
}

static void limit_by_field(struct wn_weight_limits *l, int dim)
{
  const struct wn_cfg_merging *is = l->is;
#ifdef _OPENMP
#pragma omp parallel for num_threads(l->threads) schedule(static) if (l->cells > 4096)
#endif
  for (size_t i = 0; i < l->cells; i++)
    l->most[i] = not_above(fmin((double)l->by_place[i],
                                wn_weight_limit_at(is->fields, is->field_limits,
                                                   is->n_fields, strongest(l, i, dim))));
}

int wn_weight_limits_update(struct wn_weight_limits *l, const struct wn_sim *s)
{
  const int dim = s->c->plasma.dim;
  if (l->most == NULL)
    return WN_OK;
  for (int d = 0; d < dim && l->is->n_fields > 0; d++)
    WN_TRY(add_component(l, s, d));
  if (l->is->n_fields > 0)
    limit_by_field(l, dim);
  l->least = l->is->most_weight;
  for (size_t i = 0; i < l->cells; i++) {
    if (l->is->n_fields == 0)
      l->most[i] = l->by_place[i];
    l->least = fmin(l->least, (double)l->most[i]);
  }
  return WN_OK;
}
