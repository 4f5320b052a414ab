/* src/sim/secondary_emission.c - see secondary_emission.h. */
#include "src/sim/secondary_emission.h"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "device/gpu.h"
#include "particles/parts.h"
#include "physics/single.h"
#include "src/config/config.h"

_Static_assert(WN_MAX_SPECIES <= 8, "ions of all species have room");

int wn_emission_create(struct wn_emission **out)
{
  *out = wn_alloc(1, sizeof **out);
  if (*out == NULL)
    return WN_ENOMEM;
  (*out)->made.record = sizeof(struct wn_electron);
  return WN_OK;
}

void wn_emission_free(struct wn_emission *e)
{
  if (e != NULL)
    free(e->made.e);
  free(e);
}

/* Did a side take one of them in the step in hand? */
static int have_ended(const struct wn_species *s)
{
  for (int side = 0; side < WN_SIDES; side++)
    if (s->tally.side[side].number != s->before.side[side].number)
      return 1;
  return 0;
}

/* Electron j of an ion that ended. */
static struct wn_electron electron(const struct wn_emission *e,
                                   const struct wn_electron *ion, int side, uint32_t j)
{
  const struct wn_mcc *m = wn_species_mcc(e->electrons);
  const struct wn_rng4 across = wn_rng(e->seed, ion->id, ion->event, WN_RNG_EMISSION,
                                       2 * j + 1),
                       rest = wn_rng(e->seed, ion->id, ion->event, WN_RNG_EMISSION,
                                     2 * j + 2);
  const double normal = e->sigma[side] * sqrt(2.0 * wn_rng_exponential(rest.w[2]));
  struct wn_electron one = {.w = 1.0f, .id = (uint64_t)rest.w[1] << 32 | rest.w[0]};
  double v[3];
  wn_rng_normal3(across, v);
  wn_mcc_grid_ended_at(ion, one.at);
  for (int d = 0; d < 3; d++)
    one.u[d] = (float)(e->sigma[side] * v[d]);
  one.u[side / 2] = (float)(side % 2 == 0 ? normal : -normal);
  one.t_next = wn_exponential_f(rest.w[3]) * m->inv_nu;
  return one;
}

/* Taken by the wall with a minus. */
static void count(struct wn_emission *e, const struct wn_electron *one, int side)
{
  const struct wn_points *p = &wn_species_mcc(e->electrons)->grid.points;
  struct wn_tally_side *s = &wn_species_sums(e->electrons)->side[side];
  wn_tally_sum(&s->number, -1.0, 1.0);
  wn_tally_sum(&s->quanta, -(double)one->w, (double)WN_QUANTA);
  wn_tally_sum(&s->energy, -(double)one->w * wn_point_energy_ev(p, 3, one->u),
               WN_FIX_ENERGY);
}

static int emit(struct wn_emission *e, const struct wn_electron *ion, double ratio)
{
  const int side = wn_mcc_grid_ended_side(ion);
  const double mean = e->yield[side] * ratio * (double)ion->w;
  const struct wn_rng4 r = wn_rng(e->seed, ion->id, ion->event, WN_RNG_EMISSION, 0);
  const uint32_t n = (uint32_t)(mean + wn_u01(r.w[0]));
  for (uint32_t j = 0; j < n; j++) {
    const struct wn_electron one = electron(e, ion, side, j);
    count(e, &one, side);
    wn_births_push(&e->made, &one);
  }
  return e->made.status;
}

/* The ions of a species that ended in the step in hand, others perhaps among them. */
static int ended(const struct wn_emission *e, const struct wn_species *s,
                 const struct wn_electron **ion, size_t *n)
{
  *n = 0;
  if (!have_ended(s))
    return WN_OK;
  if (s->p.place == WN_PARTICLES_REMOTE)
    return wn_gpu_ended(e->gpu, &s->p, ion, n);
  *ion = wn_particles_at(&s->p, 0);
  *n = s->p.n;
  return WN_OK;
}

int wn_emission_leave(struct wn_emission *e)
{
  struct wn_particles *to = &e->electrons->p;
  e->made.n = 0;
  for (size_t k = 0; k < e->n; k++) {
    const struct wn_electron *ion = NULL;
    size_t n;
    WN_TRY(ended(e, e->ions[k].species, &ion, &n));
    for (size_t i = 0; i < n; i++)
      if (ion[i].t_left < 0.0f)
        WN_TRY(emit(e, &ion[i], e->ions[k].ratio));
  }
  WN_TRY(wn_species_bring_together(e->electrons));
  int status = WN_OK;
  if (e->made.n > 0)
    status = e->gpu != NULL ? wn_gpu_append(e->gpu, to, e->made.e, e->made.n)
                            : wn_particles_append(to, e->made.e, e->made.n);
  return wn_particles_room(status);
}
