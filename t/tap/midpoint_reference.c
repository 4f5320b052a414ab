/* t/tap/midpoint_reference.c - see midpoint_reference.h. */
#include "t/tap/midpoint_reference.h"
#include <math.h>

size_t midpoint_nodes(const struct midpoint_grid *g)
{
  size_t n = 1;
  for (int d = 0; d < g->dim; d++)
    n *= (size_t)g->cells[d] + 1;
  return n;
}

/* The 2^dim nodes around a place and their shares.  Within an iteration a place may be behind a wall, where the
 * field goes on as in the last cell. */
static int nodes_of(const struct midpoint_grid *g, const double x[3], size_t node[8],
                    double share[8])
{
  const int corners = 1 << g->dim;
  for (int c = 0; c < corners; c++) {
    size_t step = 1;
    node[c] = 0;
    share[c] = 1.0;
    for (int d = 0; d < g->dim; d++) {
      double at = x[d];
      if (g->periodic[d])
        at -= g->length[d] * floor(at / g->length[d]);
      const double s = at / g->length[d] * g->cells[d];
      const int cell = s <= 0.0           ? 0
                       : s >= g->cells[d] ? g->cells[d] - 1
                                          : (int)s,
                high = c >> d & 1;
      node[c] += step * (size_t)(cell + high);
      share[c] *= high ? s - cell : 1.0 - (s - cell);
      step *= (size_t)g->cells[d] + 1;
    }
  }
  return corners;
}

static void gather(const struct midpoint_grid *g, const double x[3], double e[3],
                   double b[3])
{
  size_t node[8];
  double share[8];
  const int n = nodes_of(g, x, node, share);
  for (int a = 0; a < 3; a++) {
    e[a] = b[a] = 0.0;
    for (int c = 0; c < n; c++) {
      e[a] += share[c] * g->e[a][node[c]];
      b[a] += share[c] * g->b[a][node[c]];
    }
  }
}

static void sides(const struct midpoint_grid *g, double x[3], double u[3])
{
  for (int d = 0; d < g->dim; d++) {
    const double end = g->length[d];
    if (g->periodic[d]) {
      x[d] -= end * floor(x[d] / end);
    } else if (x[d] < 0.0 || x[d] > end) {
      x[d] = x[d] < 0.0 ? -x[d] : 2.0 * end - x[d];
      u[d] = -u[d];
    }
  }
}

void midpoint_advance(const struct midpoint_grid *g, size_t n, double (*x)[3],
                      double (*u)[3], double charge_per_mass, double dt, int iterations)
{
  const double k = 0.5 * charge_per_mass * dt;
  for (size_t i = 0; i < n; i++) {
    double at[3] = {x[i][0], x[i][1], x[i][2]}, mean[3] = {0.0, 0.0, 0.0}, e[3], b[3];
    for (int it = 0; it < iterations; it++) {
      gather(g, at, e, b);
      double t[3], dot = 0.0, b2 = 0.0;
      for (int a = 0; a < 3; a++) {
        t[a] = u[i][a] + k * e[a];
        dot += t[a] * k * b[a];
        b2 += k * b[a] * k * b[a];
      }
      for (int a = 0; a < 3; a++) {
        const int p = (a + 1) % 3, q = (a + 2) % 3;
        mean[a] = (t[a] + k * (t[p] * b[q] - t[q] * b[p]) + dot * k * b[a]) / (1.0 + b2);
      }
      for (int d = 0; d < g->dim; d++)
        at[d] = x[i][d] + 0.5 * dt * mean[d];
    }
    for (int a = 0; a < 3; a++) {
      u[i][a] = 2.0 * mean[a] - u[i][a];
      if (a < g->dim)
        x[i][a] += dt * mean[a];
    }
    sides(g, x[i], u[i]);
  }
}

/* Add both ends of periodic axes; halve the volume at walls. */
static void close_axis(const struct midpoint_grid *g, int d, double *of)
{
  size_t step = 1, n = midpoint_nodes(g);
  for (int a = 0; a < d; a++)
    step *= (size_t)g->cells[a] + 1;
  const size_t last = step * (size_t)g->cells[d];
  for (size_t i = 0; i < n; i++) {
    if (i / step % ((size_t)g->cells[d] + 1) != 0)
      continue;
    if (g->periodic[d]) {
      of[i] += of[i + last];
      of[i + last] = of[i];
    } else {
      of[i] *= 2.0;
      of[i + last] *= 2.0;
    }
  }
}

void midpoint_moments(const struct midpoint_grid *g, size_t n, double (*x)[3],
                      double (*u)[3], const double *q, double *out[10])
{
  const size_t nodes = midpoint_nodes(g);
  double per_volume = 1.0;
  for (int d = 0; d < g->dim; d++)
    per_volume *= g->cells[d] / g->length[d];
  for (int m = 0; m < 10; m++)
    for (size_t i = 0; i < nodes; i++)
      out[m][i] = 0.0;
  for (size_t i = 0; i < n; i++) {
    const double *v = u[i];
    const double of[10] = {1.0,         v[0],        v[1],        v[2],
                           v[0] * v[0], v[0] * v[1], v[0] * v[2], v[1] * v[1],
                           v[1] * v[2], v[2] * v[2]};
    size_t node[8];
    double share[8];
    const int corners = nodes_of(g, x[i], node, share);
    for (int c = 0; c < corners; c++)
      for (int m = 0; m < 10; m++)
        out[m][node[c]] += q[i] * of[m] * share[c] * per_volume;
  }
  for (int m = 0; m < 10; m++)
    for (int d = 0; d < g->dim; d++)
      close_axis(g, d, out[m]);
}
