/* fields/poisson/stencil.h - differences of phi along a line of nodes, for the host and
 * for kernels: E as in wn_poisson_field of fields/poisson/poisson.h, and the equation itself. */
#ifndef WN_FIELDS_POISSON_STENCIL_H
#define WN_FIELDS_POISSON_STENCIL_H
#include <stdint.h>
#include "fields/poisson/poisson.h"
#include "physics/host_device.h"

/* E [V/m] is the sum of w[m] [1/m] times phi at node[m] of the line. */
struct wn_poisson_stencil {
  int64_t node[3];
  double w[3];
};

/* E at entry `at` of a line of `cells` cells, per_h [1/m] = 1/h, between sides of these
 * conditions (enum wn_potential). */
static WN_HD struct wn_poisson_stencil wn_poisson_stencil_at(int64_t cells, double per_h,
                                                             int low, int high,
                                                             int staggered, int64_t at)
{
  struct wn_poisson_stencil s = {{at - 1, at + 1, at}, {0.5 * per_h, -0.5 * per_h, 0.0}};
  const int side = at == cells ? high : low;
  if (staggered) {
    const int64_t i = at < cells ? at : side == WN_PERIODIC ? 0 : cells - 1;
    s.node[0] = s.node[2] = i;
    s.node[1] = i + 1;
    s.w[0] = per_h;
    s.w[1] = -per_h;
    return s;
  }
  if (at > 0 && at < cells)
    return s;
  if (side == WN_PERIODIC) {
    s.node[0] = cells - 1;
    s.node[1] = 1;
    s.node[2] = 0;
    return s;
  }
  /* The slope of the parabola through three nodes. */
  const double v = side == WN_NEUMANN ? 0.0 : at == 0 ? s.w[0] : s.w[1];
  for (int m = 0; m < 3; m++)
    s.node[m] = at == 0 ? m : cells - m;
  s.w[0] = 3.0 * v;
  s.w[1] = -4.0 * v;
  s.w[2] = v;
  return s;
}

/* line: its node 0; step: distance between nodes. */
static WN_HD double wn_poisson_stencil_of(const struct wn_poisson_stencil *s,
                                          int64_t step, const double *line)
{
  const double e = s->w[0] * line[s->node[0] * step] + s->w[1] * line[s->node[1] * step];
  return s->w[2] == 0.0 ? e : e + s->w[2] * line[s->node[2] * step];
}

/* Second difference of phi [1/m2] at a, which is node i of its line.  Beyond a side that
 * is not periodic phi is its mirror image; where that does not hold, this is not
 * called. */
static WN_HD double wn_poisson_second(int64_t cells, double h, int is_periodic,
                                      int64_t step, const double *a, int64_t i)
{
  const double before = i > 0 ? a[-step] : is_periodic ? a[(cells - 1) * step] : a[step];
  const double after = i < cells ? a[step] : a[-step];
  return ((before - a[0]) + (after - a[0])) / (h * h);
}

#endif
