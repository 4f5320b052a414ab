/* src/sim/weight_limits.c - see weight_limits.h. */
#include "src/sim/weight_limits.h"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "device/gpu.h"
#include "fields/field.h"
#include "src/config/merging.h"

static double distance(const struct wn_weight_limits *l, const struct wn_geometry *g,
                       size_t cell)
{
  size_t at[3];
  double square = 0.0;
  wn_weight_place(&l->rule, cell, at);
  for (uint32_t d = 0; d < l->rule.dim; d++) {
    const int64_t i = (int64_t)at[d];
    const double off = 0.5 * (wn_axis_x(&g->axis[d], i) + wn_axis_x(&g->axis[d], i + 1)) -
                       l->is->centre[d];
    square += off * off;
  }
  return sqrt(square);
}

static double limit_by_place(const struct wn_weight_limits *l,
                             const struct wn_geometry *g, size_t cell)
{
  const struct wn_cfg_merging *is = l->is;
  if (is->n_distances == 0)
    return is->most_weight;
  return fmin(is->most_weight, wn_weight_limit_at(is->distances, is->distance_limits,
                                                  is->n_distances, distance(l, g, cell)));
}

int wn_weight_limits_init(struct wn_weight_limits *l, const struct wn_sim *s,
                          const struct wn_cfg_merging *is, int threads,
                          struct wn_gpu *gpu)
{
  const int dim = s->c->plasma.dim;
  *l = (struct wn_weight_limits){.is = is,
                                 .rule = {.dim = (uint32_t)dim,
                                          .n = (uint32_t)is->n_fields,
                                          .field = is->fields,
                                          .weight = is->field_limits},
                                 .cells = 1,
                                 .nodes = 1,
                                 .threads = threads,
                                 .are = wn_merging_limits(is) != NULL};
  for (int d = 0; d < 3; d++) {
    const size_t n = d < dim ? s->c->plasma.cells[d] : 1;
    l->rule.cells[d] = (uint32_t)n;
    l->cells *= n;
    l->nodes *= d < dim ? n + 1 : 1;
  }
  if (!l->are)
    return WN_OK;
  l->by_place = wn_alloc(l->cells, sizeof *l->by_place);
  if (l->by_place == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < l->cells; i++)
    l->by_place[i] = wn_weight_not_above(limit_by_place(l, &s->geometry, i));
  if (gpu != NULL) {
    WN_TRY(wn_gpu_weight_limits_create(gpu, &l->rule, l->by_place, &l->gpu));
    free(l->by_place);
    l->by_place = NULL;
    return WN_OK;
  }
  l->most = wn_alloc(l->cells, sizeof *l->most);
  if (is->n_fields > 0) {
    l->square = wn_alloc(l->nodes, sizeof *l->square);
    l->component = wn_alloc(l->nodes, sizeof *l->component);
  }
  return l->most == NULL ||
                 (is->n_fields > 0 && (l->square == NULL || l->component == NULL))
             ? WN_ENOMEM
             : WN_OK;
}

void wn_weight_limits_clear(struct wn_weight_limits *l)
{
  wn_gpu_weight_limits_free(l->gpu);
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

/* E along an axis, on the host. */
static int component(struct wn_weight_limits *l, const struct wn_sim *s, int d)
{
  if (l->component == NULL)
    l->component = wn_alloc(l->nodes, sizeof *l->component);
  return l->component != NULL ? wn_field_e(s->field, d, l->component) : WN_ENOMEM;
}

static int update_on_gpu(struct wn_weight_limits *l, const struct wn_sim *s)
{
  float least;
  for (int d = 0; d < (int)l->rule.dim && l->rule.n > 0; d++) {
    const double *e;
    WN_TRY(wn_field_e_there(s->field, d, &e));
    if (e == NULL)
      WN_TRY(component(l, s, d));
    WN_TRY(
        wn_gpu_weight_limits_field(l->gpu, d, e != NULL ? e : l->component, e == NULL));
  }
  WN_TRY(wn_gpu_weight_limits_make(l->gpu, &least));
  l->least = fmin(l->is->most_weight, (double)least);
  return WN_OK;
}

int wn_weight_limits_update(struct wn_weight_limits *l, const struct wn_sim *s)
{
  if (!l->are)
    return WN_OK;
  if (l->gpu != NULL)
    return update_on_gpu(l, s);
  for (int d = 0; d < (int)l->rule.dim && l->rule.n > 0; d++) {
    WN_TRY(component(l, s, d));
    for (size_t i = 0; i < l->nodes; i++)
      l->square[i] = wn_weight_square(d > 0 ? l->square[i] : 0.0f, l->component[i]);
  }
#ifdef _OPENMP
#pragma omp parallel for num_threads(l->threads) schedule(static) if (l->cells > 4096)
#endif
  for (size_t i = 0; i < l->cells; i++)
    l->most[i] = wn_weight_limit_of(&l->rule, l->by_place[i], l->square, i);
  l->least = l->is->most_weight;
  for (size_t i = 0; i < l->cells; i++)
    l->least = fmin(l->least, (double)l->most[i]);
  return WN_OK;
}
