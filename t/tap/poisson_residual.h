/* t/tap/poisson_residual.h - what a solution leaves of Poisson's equation by differences, for solvers. */
#ifndef WN_T_TAP_POISSON_RESIDUAL_H
#define WN_T_TAP_POISSON_RESIDUAL_H
#include <math.h>
#include "fields/poisson/parts.h"
#include "fields/poisson/stencil.h"
#include "physics/constants.h"

/* Nodes of the grid, at [d] along each axis, from begin[d] to before end[d]. */
#define RESIDUAL_NODES(begin, end, at)                                                   \
  for (at[2] = begin[2]; at[2] < end[2]; at[2]++)                                        \
    for (at[1] = begin[1]; at[1] < end[1]; at[1]++)                                      \
      for (at[0] = begin[0]; at[0] < end[0]; at[0]++)

/* The mean that wn_poisson_solve subtracts from rho: each node with its part of a cell. */
static inline double residual_mean(const struct wn_poisson_spec *s, const int64_t step[3],
                                   const double *rho)
{
  double sum = 0.0, volume = 0.0;
  int64_t begin[3] = {0, 0, 0}, end[3] = {1, 1, 1}, at[3];
  if (!wn_poisson_is_floating(s))
    return 0.0;
  for (int d = 0; d < s->dim; d++)
    wn_poisson_inside(s, d, &begin[d], &end[d]);
  RESIDUAL_NODES(begin, end, at)
  {
    double w = 1.0;
    for (int d = 0; d < s->dim; d++)
      w *= s->side[2 * d] == WN_NEUMANN && (at[d] == 0 || at[d] == (int64_t)s->cells[d])
               ? 0.5
               : 1.0;
    sum += w * rho[at[0] + at[1] * step[1] + at[2] * step[2]];
    volume += w;
  }
  return sum / volume;
}

/* Residual of the equation after a solve: max |(operator phi) + rho/eps0| over the nodes where it holds,
 * divided by max |rho|/eps0 (0 when that is 0); by differences whatever the method. */
static inline double poisson_residual(const struct wn_poisson *p, const double *rho,
                                      const double *phi)
{
  const struct wn_poisson_spec *s = &p->spec;
  int64_t begin[3] = {0, 0, 0}, end[3] = {1, 1, 1}, at[3], step[3] = {1, 1, 1};
  double left = 0.0, largest = 0.0;
  for (int d = 0; d < s->dim; d++) {
    wn_poisson_inside(s, d, &begin[d], &end[d]);
    step[d] = d == 0 ? 1 : step[d - 1] * (int64_t)(s->cells[d - 1] + 1);
  }
  const double taken = residual_mean(s, step, rho);
  RESIDUAL_NODES(begin, end, at)
  {
    const int64_t n = at[0] + at[1] * step[1] + at[2] * step[2];
    double sum = (rho[n] - taken) / WN_EPS0;
    for (int d = 0; d < s->dim; d++)
      sum += wn_poisson_second((int64_t)s->cells[d], wn_poisson_h(s, d),
                               s->side[2 * d] == WN_PERIODIC, step[d], phi + n, at[d]);
    if (isnan(sum)) /* fmax would ignore it */
      return NAN;
    left = fmax(left, fabs(sum));
    largest = fmax(largest, fabs(rho[n]) / WN_EPS0);
  }
  return largest > 0.0 ? left / largest : 0.0;
}

#endif
