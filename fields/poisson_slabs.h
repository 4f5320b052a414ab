/* fields/poisson_slabs.h - Poisson's equation on a grid that is divided among ranks
 * (base/ranks.h) in slabs along its slowest axis, the last: the solution of
 * fields/poisson.h by the method of differences, to rounding.
 *
 * Rank r has the cells [wn_slab_first(n, r), wn_slab_first(n, r + 1)) of the n along that
 * axis, and the nodes at which its cells begin; the last rank also has node n where the
 * axis is not periodic.  Lines along the other axes are complete in a slab and
 * transformed there.  Then each rank receives some complete lines along the last axis,
 * and they return (two exchanges of all unknowns).
 *
 * Arrays are [planes][ny][nx] with n = cells + 1 along the other axes, as there, for the
 * planes of a rank.  All ranks make these calls together. */
#ifndef WN_FIELDS_POISSON_SLABS_H
#define WN_FIELDS_POISSON_SLABS_H
#include <stdint.h>
#include "base/ranks.h"
#include "fields/poisson.h"
#include "physics/hd.h"

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

struct wn_poisson_slabs;

/* WN_EINPUT: another method, open sides, or fewer cells along the last axis than ranks;
 * also as wn_poisson_create. */
int wn_poisson_slabs_check(const struct wn_poisson_spec *spec);

/* WN_EINPUT as wn_poisson_slabs_check; WN_ENOMEM, if any rank fails. */
int wn_poisson_slabs_create(const struct wn_poisson_spec *spec,
                            struct wn_poisson_slabs **out);
void wn_poisson_slabs_free(struct wn_poisson_slabs *p);
size_t wn_poisson_slabs_bytes(const struct wn_poisson_spec *spec, int ranks);

/* As wn_poisson_solve, for the planes of this rank. */
void wn_poisson_slabs_solve(struct wn_poisson_slabs *p, const double *rho,
                            const double volt[6], double *phi);

WN_END_DECLS

#endif
