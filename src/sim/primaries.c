/* src/sim/primaries.c - see primaries.h. */
#include "src/sim/primaries.h"
#include "base/error.h"
#include "device/gpu.h"
#include "particles/load_balance.h"
#include "physics/primary.h"

static int release_here(struct wn_particles *p, const struct wn_primaries *what, size_t n)
{
  WN_TRY(wn_particles_host(p));
  WN_TRY(wn_particles_reserve(p, n));
  struct wn_electron *e = wn_particles_electrons(p);
  for (size_t i = 0; i < n; i++)
    e[p->n + i] = wn_primary(what, i);
  p->n += n;
  return WN_OK;
}

int wn_release(struct wn_sim *s)
{
  const struct wn_config *c = s->c;
  struct wn_species *electrons = s->species[0];
  const struct wn_primaries what = {
      .first = wn_ranks_share(c->electrons, wn_rank(), wn_ranks()),
      .seed = c->seed,
      .i_case = s->i_case,
      .energy_ev = c->initial_energy_ev,
      .is_maxwellian = c->initial_spectrum != WN_SPECTRUM_MONO,
      .is_drift = c->initial_direction == WN_DIRECTION_DRIFT,
      .cohorts = electrons->ensemble != NULL,
      .n_groups = (uint32_t)c->groups,
      .inv_nu = wn_species_mcc(electrons)->inv_nu};
  /* checked in src/config/check.c */
  WN_ASSERT(electrons->tally.first_passage == NULL ||
            c->electrons <= WN_TAG_LINEAGE_MASK);
  const size_t n = wn_ranks_share(c->electrons, wn_rank() + 1, wn_ranks()) - what.first;
  WN_TRY(wn_particles_room(s->gpu != NULL
                               ? wn_gpu_primaries(s->gpu, &electrons->p, &what, n)
                               : release_here(&electrons->p, &what, n)));
  WN_TRY(wn_particles_within(&electrons->p));
  return wn_species_refresh(electrons);
}
