/* fields/sparse/refine.h - from a grid to one with half the cells along an axis, and back: what the linear shape
 * functions of nested grids have to do with each other.  Values at nodes, both ends of a periodic axis included;
 * for the host and for kernels. */
#ifndef WN_FIELDS_SPARSE_REFINE_H
#define WN_FIELDS_SPARSE_REFINE_H
#include <stdint.h>
#include "physics/host_device.h"

/* Charge of coarse node i, 0 .. last/2, from that of the fine nodes 0 .. last along the axis, `step` apart: the
 * coarse shape function is 1/2, 1, 1/2 of the fine ones.  Both ends of a periodic axis are one node. */
static WN_HD double wn_sparse_restricted(const double *fine, int64_t last, int64_t step,
                                         int is_periodic, int64_t i)
{
  const int64_t at = is_periodic && 2 * i == last ? 0 : 2 * i;
  const double low = at > 0        ? fine[(at - 1) * step]
                     : is_periodic ? fine[(last - 1) * step]
                                   : 0.0,
               high = at < last ? fine[(at + 1) * step] : 0.0;
  return fine[at * step] + 0.5 * (low + high);
}

/* The coarse function at fine node i. */
static WN_HD double wn_sparse_prolonged(const double *coarse, int64_t step, int64_t i)
{
  const double *low = coarse + (i >> 1) * step;
  return (i & 1) == 0 ? *low : 0.5 * (*low + low[step]);
}

#endif
