/* fields/poisson/slopes.c - E from phi on a whole grid of any axes, with nodes inside whose
 * potential is given: slopes of parabolas, as wn_poisson_field says. */
#include "fields/poisson/parts.h"

/* Minus the slope at 0 of the parabola through (0, a), (x, b) and (y, c). */
static double slope(double a, double x, double b, double y, double c)
{
  return ((a - b) * (y / x) - (a - c) * (x / y)) / (y - x);
}

/* Along one line: nodes, their distances, and which have a potential that is given inside. */
struct line {
  const struct wn_axis *axis;
  const double *phi; /* of node 0 */
  const int32_t *held;
  size_t step, cells;
  enum wn_potential low, high;
};

static double phi_at(const struct line *l, size_t i)
{
  return l->phi[i * l->step];
}

static double x_at(const struct line *l, size_t i)
{
  return wn_axis_x(l->axis, (int64_t)i);
}

static int is_held(const struct line *l, size_t i)
{
  i = l->low == WN_PERIODIC && i == l->cells ? 0 : i;
  return l->held != NULL && l->held[i * l->step] >= 0;
}

/* From node i to one side, 1 or -1, where there are two nodes more. */
static double one_sided(const struct line *l, size_t i, int to)
{
  const size_t j = to > 0 ? i + 1 : i - 1, k = to > 0 ? i + 2 : i - 2;
  return slope(phi_at(l, i), x_at(l, j) - x_at(l, i), phi_at(l, j),
               x_at(l, k) - x_at(l, i), phi_at(l, k));
}

static double at_node(const struct line *l, size_t i)
{
  const size_t cells = l->cells;
  if (i == 0 || i == cells) {
    if (l->low == WN_PERIODIC)
      return slope(phi_at(l, 0), -wn_axis_edge(l->axis, (int64_t)cells - 1),
                   phi_at(l, cells - 1), wn_axis_edge(l->axis, 0), phi_at(l, 1));
    if ((i == 0 ? l->low : l->high) == WN_NEUMANN)
      return 0.0;
    return one_sided(l, i, i == 0 ? 1 : -1);
  }
  if (is_held(l, i) && is_held(l, i - 1) != is_held(l, i + 1)) {
    const int to = is_held(l, i - 1) ? 1 : -1;
    if (to > 0 ? i + 2 <= cells : i >= 2)
      return one_sided(l, i, to);
  }
  return slope(phi_at(l, i), x_at(l, i - 1) - x_at(l, i), phi_at(l, i - 1),
               x_at(l, i + 1) - x_at(l, i), phi_at(l, i + 1));
}

static double between_nodes(const struct line *l, size_t i)
{
  if (i == l->cells)
    i = l->low == WN_PERIODIC ? 0 : l->cells - 1;
  return (phi_at(l, i) - phi_at(l, i + 1)) / wn_axis_edge(l->axis, (int64_t)i);
}

void wn_poisson_slopes(struct wn_poisson *p, const double *phi, int d, int staggered,
                       double *e)
{
  const struct wn_poisson_spec *s = &p->spec;
  size_t n[3], step = 1, i = 0;
  for (int o = 0; o < 3; o++)
    n[o] = o < s->dim ? s->cells[o] + 1 : 1;
  for (int o = 0; o < d; o++)
    step *= n[o];
  for (size_t node[3] = {0, 0, 0}; node[2] < n[2]; node[2]++)
    for (node[1] = 0; node[1] < n[1]; node[1]++)
      for (node[0] = 0; node[0] < n[0]; node[0]++, i++) {
        const size_t first = i - node[d] * step;
        const struct line l = {&s->geometry.axis[d],
                               phi + first,
                               s->geometry.held != NULL ? s->geometry.held + first : NULL,
                               step,
                               s->cells[d],
                               s->side[2 * d],
                               s->side[2 * d + 1]};
        e[i] = staggered ? between_nodes(&l, node[d]) : at_node(&l, node[d]);
      }
}
