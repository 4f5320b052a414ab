/* t/tap/poisson_residual.h - what a solution leaves of Poisson's equation by differences, for solvers. */
#ifndef WN_T_TAP_POISSON_RESIDUAL_H
#define WN_T_TAP_POISSON_RESIDUAL_H
#include <math.h>
#include "fields/poisson_parts.h"
#include "fields/poisson_stencil.h"
#include "physics/constants.h"

/* The part of the domain that belongs to a node of axis d, in cells. */
static inline double residual_weight(const struct wn_poisson *p, int d, size_t i)
{
  return p->axis[d].kind == WN_FFT_COSINES && (i == 0 || i == p->spec.cells[d]) ? 0.5
                                                                                : 1.0;
}

/* The mean that wn_poisson_solve subtracts from rho. */
static inline double residual_mean(const struct wn_poisson *p, const double *rho)
{
  double sum = 0.0, volume = 0.0;
  if (!p->floating)
    return 0.0;
  for (size_t k = 0; k < p->axis[2].n; k++)
    for (size_t j = 0; j < p->axis[1].n; j++)
      for (size_t i = 0; i < p->axis[0].n; i++) {
        double w = residual_weight(p, 0, i) * residual_weight(p, 1, j) *
                   residual_weight(p, 2, k);
        sum += w * rho[i + j * p->step[1] + k * p->step[2]];
        volume += w;
      }
  return sum / volume;
}

static inline double residual_second(const struct wn_poisson *p, const double *a, int d,
                                     size_t i)
{
  return wn_poisson_second((int64_t)p->spec.cells[d], p->spec.h[d],
                           p->spec.side[2 * d] == WN_PERIODIC, (int64_t)p->step[d], a,
                           (int64_t)i);
}

/* Residual of the equation after a solve: max |(operator phi) + rho/eps0| over the nodes where it holds,
 * divided by max |rho|/eps0 (0 when that is 0); by differences whatever the method. */
static inline double poisson_residual(const struct wn_poisson *p, const double *rho,
                                      const double *phi)
{
  double left = 0.0, largest = 0.0, taken = residual_mean(p, rho);
  int64_t begin[3] = {0, 0, 0}, end[3] = {1, 1, 1};
  for (int d = 0; d < p->spec.dim; d++)
    wn_poisson_inside(&p->spec, d, &begin[d], &end[d]);
  for (int64_t k = begin[2]; k < end[2]; k++)
    for (int64_t j = begin[1]; j < end[1]; j++)
      for (int64_t i = begin[0]; i < end[0]; i++) {
        const size_t node[3] = {(size_t)i, (size_t)j, (size_t)k};
        const size_t at = node[0] + node[1] * p->step[1] + node[2] * p->step[2];
        double sum = (rho[at] - taken) / WN_EPS0;
        for (int d = 0; d < p->spec.dim; d++)
          sum += residual_second(p, phi + at, d, node[d]);
        if (isnan(sum)) /* fmax would ignore it */
          return NAN;
        left = fmax(left, fabs(sum));
        largest = fmax(largest, fabs(rho[at]) / WN_EPS0);
      }
  return largest > 0.0 ? left / largest : 0.0;
}

#endif
