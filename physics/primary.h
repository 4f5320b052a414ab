/* physics/primary.h - the electrons with which a case of model mcc begins, one by one.
 * Each follows from its number alone, so that any thread of any rank can create it. */
#ifndef WN_PHYSICS_PRIMARY_H
#define WN_PHYSICS_PRIMARY_H
#include "physics/angle.h"
#include "physics/constants.h"
#include "physics/electron.h"
#include "physics/host_device.h"
#include "physics/push.h"
#include "physics/rng.h"
#include "physics/single_precision.h"

struct wn_primaries {
  size_t first; /* number of the local primary 0; lower numbers are on other ranks */
  uint64_t seed;
  uint64_t i_case;
  double energy_ev;  /* of each, or the mean of a classical Maxwellian */
  int is_maxwellian; /* otherwise all have this energy, in random directions */
  int is_drift;      /* all move along +z */
  int cohorts;       /* the lineage is group and cohort, as in a weighted ensemble */
  uint32_t n_groups;
  double inv_nu; /* s, 1/nu_max */
};

static WN_HD void wn_primary_momentum(const struct wn_primaries *p, struct wn_rng4 r,
                                      float out[3])
{
  double u[3];
  if (p->is_maxwellian) {
    /* each component has variance 2 e/(3 m) */
    wn_rng_normal3(r, u);
    for (int k = 0; k < 3; k++)
      u[k] *= sqrt(2.0 / 3.0 * p->energy_ev * WN_QM);
  } else {
    wn_angle_isotropic(u, wn_u01(r.w[0]), wn_u01(r.w[1]));
    for (int k = 0; k < 3; k++)
      u[k] *= wn_u_from_ev(p->energy_ev);
  }
  if (p->is_drift) {
    u[2] = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    u[0] = u[1] = 0.0;
  }
  for (int k = 0; k < 3; k++)
    out[k] = (float)u[k];
}

/* Primary first + i, at the origin, of weight 1, with nothing of a step done.  Beyond
 * WN_TAG_LINEAGE_MASK, where no first passages are recorded, the lineage gives only the
 * group.  In a weighted ensemble it belongs to the cohort below the first threshold. */
static WN_HD struct wn_electron wn_primary(const struct wn_primaries *p, size_t i)
{
  struct wn_electron e;
  i += p->first;
  e.x[0] = e.x[1] = e.x[2] = 0.0;
  e.w = 1.0f;
  e.id = wn_rng_primary_id(p->seed, i, (size_t)p->i_case);
  e.event = 0;
  e.tag = i <= WN_TAG_LINEAGE_MASK ? (uint32_t)i : (uint32_t)(i % p->n_groups);
  if (p->cohorts)
    e.tag = (uint32_t)(i % p->n_groups) + p->n_groups;
  e.t_left = 0.0f;
  wn_primary_momentum(p, wn_rng(p->seed, e.id, 0, WN_RNG_INITIAL, 0), e.u);
  const struct wn_rng4 r = wn_rng(p->seed, e.id, 0, WN_RNG_INITIAL, 1);
  e.t_next = (float)((double)wn_exponential_f(r.w[0]) * p->inv_nu);
  return e;
}

#endif
