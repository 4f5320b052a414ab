/* fields/geometry.c - see geometry.h. */
#include "fields/geometry.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "fields/poisson/poisson.h"

static int check(enum wn_coordinate coordinate, int32_t cells, const double *x,
                 int is_periodic)
{
  const int is_line = coordinate == WN_COORDINATE_LINE;
  if ((unsigned)coordinate >= WN_N_COORDINATES)
    return WN_FAIL(WN_EINPUT, "there is no coordinate number %d", (int)coordinate);
  if (cells < 1)
    return WN_FAIL(WN_EINPUT, "an axis of %d cells: at least 1 is needed", (int)cells);
  if (is_periodic && !is_line)
    return WN_FAIL(WN_EINPUT, "an axis along a %s cannot be periodic",
                   wn_coordinate_name(coordinate));
  for (int32_t i = 0; i <= cells; i++) {
    if (!isfinite(x[i]) || (i > 0 && !(x[i] > x[i - 1])))
      return WN_FAIL(WN_EINPUT, "node %d is at %g m: coordinates must increase", (int)i,
                     x[i]);
    if (!is_line && x[i] < 0.0)
      return WN_FAIL(WN_EINPUT, "node %d is at %g m: a %s is not below 0", (int)i, x[i],
                     wn_coordinate_name(coordinate));
  }
  return WN_OK;
}

int wn_axis_create(enum wn_coordinate coordinate, int32_t cells, const double *x,
                   int is_periodic, struct wn_axis *out)
{
  WN_TRY(check(coordinate, cells, x, is_periodic));
  const size_t n = (size_t)cells;
  double *all = wn_alloc(3 * n + 2, sizeof *all);
  if (all == NULL)
    return WN_ENOMEM;
  double *share = all + n + 1, *area = share + n + 1;
  memcpy(all, x, (n + 1) * sizeof *all);
  double before = wn_coordinate_measure(coordinate, x[0]);
  for (size_t i = 0; i < n; i++) {
    const double half = 0.5 * (x[i] + x[i + 1]),
                 v = wn_coordinate_measure(coordinate, half);
    share[i] = v - before;
    area[i] = wn_coordinate_area(coordinate, half);
    before = v;
  }
  share[n] = wn_coordinate_measure(coordinate, x[n]) - before;
  *out = (struct wn_axis){.cells = cells,
                          .coordinate = coordinate,
                          .is_periodic = is_periodic,
                          .length = x[n] - x[0],
                          .x = all,
                          .share = share,
                          .area = area};
  return WN_OK;
}

void wn_axis_clear(struct wn_axis *a)
{
  free((void *)(uintptr_t)a->x);
  a->x = a->share = a->area = NULL;
}

void wn_geometry_hold(const struct wn_geometry *g, int32_t *held)
{
  size_t step[3] = {0, 0, 0}, nodes = 1;
  for (int d = 0; d < g->dim; d++) {
    step[d] = nodes;
    nodes *= (size_t)g->axis[d].cells + 1;
  }
  for (size_t i = 0; i < nodes; i++)
    held[i] = -1;
  for (int32_t k = 2 * g->dim; k < g->n_surfaces; k++) {
    const struct wn_surface *s = &g->surface[k];
    int32_t at[3];
    if (s->potential != WN_DIRICHLET)
      continue;
    for (at[2] = s->low[2]; at[2] <= s->high[2]; at[2]++)
      for (at[1] = s->low[1]; at[1] <= s->high[1]; at[1]++)
        for (at[0] = s->low[0]; at[0] <= s->high[0]; at[0]++) {
          size_t i = 0;
          for (int d = 0; d < g->dim; d++)
            i += g->axis[d].is_periodic && at[d] == g->axis[d].cells
                     ? 0
                     : (size_t)at[d] * step[d];
          held[i] = held[i] < 0 ? k : held[i];
        }
  }
}
