/* fields/poisson_slabs.h - Poisson's equation on a grid that is divided among ranks (base/ranks.h)
 * in slabs along its slowest axis, the last: the solution of fields/poisson.h by the method of
 * differences, to rounding.
 *
 * Rank r has the cells [wn_slab_first(n, r), wn_slab_first(n, r + 1)) of the n along that axis, and
 * of the nodes those at which its cells begin; the last rank has node n, too, where the axis is not
 * periodic.  Lines along the other axes are whole in a slab and transformed there; then each
 * rank gets some lines along the last axis, whole, and they go back (two exchanges of all
 * unknowns).
 *
 * Arrays are [planes][ny][nx] with n = cells + 1 along the other axes, as there, of the planes
 * that a rank has.  All ranks make these calls together. */
#ifndef WN_FIELDS_POISSON_SLABS_H
#define WN_FIELDS_POISSON_SLABS_H
#include <stdint.h>
#include "base/ranks.h"
#include "fields/poisson.h"
#include "physics/hd.h"

WN_BEGIN_DECLS

/* The planes of nodes that rank r of so many has, from p[0] to before p[1]. */
static inline void wn_slab_planes(const struct wn_poisson_spec *s, int r, int ranks,
                                  int64_t p[2])
{
  const int d = s->dim - 1;
  p[0] = (int64_t)wn_ranks_share(s->cells[d], r, ranks);
  p[1] = (int64_t)wn_ranks_share(s->cells[d], r + 1, ranks) +
         (r + 1 == ranks && s->side[2 * d] != WN_PERIODIC);
}

/* Who has cell i of n. */
static WN_HD int wn_slab_owner(size_t n, size_t i, int ranks)
{
  const size_t q = n / (size_t)ranks, more = n % (size_t)ranks;
  return (int)(i < more * (q + 1) ? i / (q + 1) : more + (i - more * (q + 1)) / q);
}

struct wn_poisson_slabs;

/* WN_EINPUT: another method, open sides, or fewer cells along the last axis than ranks; as
 * wn_poisson_create. */
int wn_poisson_slabs_check(const struct wn_poisson_spec *spec);

/* WN_EINPUT of the same; WN_ENOMEM, of any rank. */
int wn_poisson_slabs_create(const struct wn_poisson_spec *spec,
                            struct wn_poisson_slabs **out);
void wn_poisson_slabs_free(struct wn_poisson_slabs *p);
size_t wn_poisson_slabs_bytes(const struct wn_poisson_spec *spec, int ranks);

/* As wn_poisson_solve, of the planes that this rank has. */
void wn_poisson_slabs_solve(struct wn_poisson_slabs *p, const double *rho,
                            const double volt[6], double *phi);

WN_END_DECLS

#endif
