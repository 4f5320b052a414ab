/* src/release.c - see release.h. */
#include "src/release.h"
#include <math.h>
#include "base/error.h"
#include "physics/angle.h"
#include "physics/constants.h"
#include "physics/push.h"
#include "physics/rng.h"
#include "physics/single.h"

static void momentum(const struct wn_config *c, struct wn_rng4 r, float out[3])
{
  double u[3];
  if (c->initial_spectrum == WN_SPECTRUM_MONO) {
    wn_angle_isotropic(u, wn_u01(r.w[0]), wn_u01(r.w[1]));
    for (int k = 0; k < 3; k++)
      u[k] *= wn_u_from_ev(c->initial_energy_ev);
  } else {
    /* classical Maxwellian of that mean energy: each component has variance 2 e/(3 m) */
    wn_rng_normal3(r, u);
    for (int k = 0; k < 3; k++)
      u[k] *= sqrt(2.0 / 3.0 * c->initial_energy_ev * WN_QM);
  }
  if (c->initial_direction == WN_DIRECTION_DRIFT) {
    u[2] = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    u[0] = u[1] = 0.0;
  }
  for (int k = 0; k < 3; k++)
    out[k] = (float)u[k];
}

int wn_release(struct wn_sim *s)
{
  const struct wn_config *c = s->c;
  struct wn_species *electrons = s->species[0];
  double inv_nu = wn_species_mcc(electrons)->inv_nu;
  if (c->electrons > WN_TAG_LINEAGE_MASK)
    return WN_FAIL(WN_EINPUT, "electrons = %zu: at most %u primaries are possible",
                   c->electrons, WN_TAG_LINEAGE_MASK);
  for (size_t i = 0; i < c->electrons; i++) {
    /* in a weighted ensemble the lineage is group and cohort: below the first threshold */
    const size_t lineage = electrons->ensemble != NULL ? i % c->groups + c->groups : i;
    struct wn_electron e = {.w = 1.0f, .tag = (uint32_t)lineage};
    e.id = wn_rng_primary_id(c->seed, i, s->i_case);
    momentum(c, wn_rng(c->seed, e.id, 0, WN_RNG_INITIAL, 0), e.u);
    struct wn_rng4 r = wn_rng(c->seed, e.id, 0, WN_RNG_INITIAL, 1);
    e.t_next = (float)((double)wn_exponential_f(r.w[0]) * inv_nu);
    WN_TRY(wn_particles_append(&electrons->p, &e, 1));
  }
  return wn_species_refresh(electrons);
}
