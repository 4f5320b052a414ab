/* src/diag/coarse.c - see coarse.h. */
#include "src/diag/coarse.h"
#include <stdlib.h>
#include <string.h>
#include "base/threads.h"
#include "src/config/plasma_derived.h"

struct wn_coarse wn_coarse_of(const struct wn_config *c)
{
  struct wn_coarse g = {.dim = c->plasma.dim,
                        .threads = wn_threads(c->threads),
                        .factor = c->plasma.fields_coarsening,
                        .nodes = 1,
                        .full = 1,
                        .first = wn_plasma_geometry(c).axis[0]};
  for (int d = 0; d < g.dim; d++) {
    g.cells[d] = c->plasma.cells[d];
    g.is_periodic[d] = c->plasma.wall[2 * d].field == WN_PERIODIC;
    g.nodes *= g.cells[d] / g.factor + 1;
    g.full *= g.cells[d] + 1;
  }
  return g;
}

/* The node of the grid that is i away from node `at` of the coarser one along axis d. */
static size_t node_of(const struct wn_coarse *g, int d, size_t at, long i)
{
  const long cells = (long)g->cells[d], k = (long)(at * g->factor) + i;
  if (k >= 0 && k <= cells)
    return (size_t)k;
  if (g->is_periodic[d])
    return (size_t)(k < 0 ? k + cells : k - cells);
  return (size_t)(k < 0 ? -k : 2 * cells - k);
}

void wn_coarse_values(const struct wn_coarse *g, const double *from, double *to)
{
  const size_t nx = g->cells[0] + 1, ny = g->cells[1] + 1, k = g->factor;
  for (size_t z = 0; z <= g->cells[2]; z += k)
    for (size_t y = 0; y <= g->cells[1]; y += k)
      for (size_t x = 0; x < nx; x += k)
        *to++ = from[x + nx * (y + ny * z)];
}

/* The mean along the first axis around node `at` of it, of a row of nodes. */
static double mean_along(const struct wn_coarse *g, const double *row, size_t at)
{
  const long reach = (long)g->factor - 1, cells = (long)g->cells[0],
             middle = (long)(at * g->factor);
  double sum = 0.0, volume = 0.0;
  if (!wn_axis_is_radial(&g->first)) {
    for (long x = -reach; x <= reach; x++)
      sum += (double)(reach + 1 - labs(x)) * row[node_of(g, 0, at, x)];
    return sum;
  }
  for (long x = -reach; x <= reach; x++) {
    if (middle + x < 0 || middle + x > cells)
      continue;
    const double v =
        (double)(reach + 1 - labs(x)) * wn_axis_measure(&g->first, middle + x);
    sum += v * row[middle + x];
    volume += v;
  }
  return sum / volume;
}

/* The mean around node (x, y, z) of the coarser grid. */
static double mean_at(const struct wn_coarse *g, const double *from, const size_t at[3])
{
  const long reach = (long)g->factor - 1, by = g->dim > 1 ? reach : 0,
             bz = g->dim > 2 ? reach : 0;
  const size_t nx = g->cells[0] + 1, ny = g->cells[1] + 1;
  const double one = 1.0 / ((double)g->factor * (double)g->factor);
  double sum = 0.0, weight = wn_axis_is_radial(&g->first) ? 1.0 : one;
  for (int d = 1; d < g->dim; d++)
    weight *= one;
  for (long z = -bz; z <= bz; z++) {
    const double wz = (double)(bz + 1 - labs(z));
    for (long y = -by; y <= by; y++) {
      const double wy = wz * (double)(by + 1 - labs(y));
      const double *row =
          from + nx * (node_of(g, 1, at[1], y) + ny * node_of(g, 2, at[2], z));
      sum += wy * mean_along(g, row, at[0]);
    }
  }
  return sum * weight;
}

void wn_coarse_means(const struct wn_coarse *g, const double *from, double *to)
{
  const size_t nx = g->cells[0] / g->factor + 1, ny = g->cells[1] / g->factor + 1;
  const long rows = (long)(g->nodes / nx);
  if (g->factor == 1) {
    memcpy(to, from, g->full * sizeof *to);
    return;
  }
#ifdef _OPENMP
#pragma omp parallel for num_threads(g->threads) schedule(static)
#endif
  for (long row = 0; row < rows; row++)
    for (size_t x = 0; x < nx; x++)
      to[(size_t)row * nx + x] =
          mean_at(g, from, (const size_t[3]){x, (size_t)row % ny, (size_t)row / ny});
}
