/* fields/poisson/planes.h - a grid that is divided among ranks (base/ranks.h) in slabs along its slowest
 * axis, the last.
 *
 * Rank r has the cells [wn_ranks_share(n, r), wn_ranks_share(n, r + 1)) of the n along that
 * axis, and the nodes at which its cells begin; the last rank also has node n where the
 * axis is not periodic.  Arrays are [planes][ny][nx] with n = cells + 1 along the other axes, for the
 * planes of a rank. */
#ifndef WN_FIELDS_POISSON_PLANES_H
#define WN_FIELDS_POISSON_PLANES_H
#include <stdint.h>
#include "base/ranks.h"
#include "fields/poisson/poisson.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

/* The planes of nodes of rank r among `ranks`, from p[0] to before p[1]. */
static inline void wn_slab_planes(const struct wn_poisson_spec *s, int r, int ranks,
                                  int64_t p[2])
{
  const int d = s->dim - 1;
  p[0] = (int64_t)wn_ranks_share(s->cells[d], r, ranks);
  p[1] = (int64_t)wn_ranks_share(s->cells[d], r + 1, ranks) +
         (r + 1 == ranks && s->side[2 * d] != WN_PERIODIC);
}

/* The rank that has cell i of n. */
static WN_HD int wn_slab_owner(size_t n, size_t i, int ranks)
{
  const size_t q = n / (size_t)ranks, more = n % (size_t)ranks;
  return (int)(i < more * (q + 1) ? i / (q + 1) : more + (i - more * (q + 1)) / q);
}

WN_END_DECLS

#endif
