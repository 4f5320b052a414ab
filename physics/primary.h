/* physics/primary.h - the electrons that a case of model mcc begins with, one by one.
 * Each is named by its number, so that any thread of any machine can make it. */
#ifndef WN_PHYSICS_PRIMARY_H
#define WN_PHYSICS_PRIMARY_H
#include "physics/angle.h"
#include "physics/constants.h"
#include "physics/electron.h"
#include "physics/hd.h"
#include "physics/push.h"
#include "physics/rng.h"
#include "physics/single.h"

struct wn_primaries {
  size_t first; /* that is asked for as 0, where another rank has those before */
  uint64_t seed;
  uint64_t i_case;
  double energy_ev;  /* of each, or the mean of a classical Maxwellian */
  int is_maxwellian; /* else all have it, in random directions */
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

/* Primary first + i, at the origin, of weight 1, with nothing of a phase before it.  Beyond
 * WN_TAG_LINEAGE_MASK, where no first passages are kept, the lineage says only to which
 * group it belongs.  In a weighted ensemble it is of the cohort that was below the first
 * threshold. */
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
