/* src/sim/reaction_products.c - see reaction_parts.h. */
#include <math.h>
#include <string.h>
#include "physics/angle.h"
#include "physics/ion.h"
#include "physics/mover.h"
#include "physics/single_precision.h"
#include "src/sim/plasma.h"
#include "src/sim/reaction_parts.h"

/* After each 32-bit word. */
static uint64_t mixed(uint64_t hash, uint32_t word)
{
  hash = (hash ^ word) * 0xff51afd7ed558ccdu; /* of the finalizer of MurmurHash3 */
  return hash ^ hash >> 32;
}

void wn_reacting_load(const struct wn_species *s, size_t i, struct wn_reacting *out)
{
  *out = (struct wn_reacting){.w = 1.0f};
  if (wn_plasma_has_electrons(s)) {
    const struct wn_electron *e = wn_particles_at(&s->p, i);
    out->key = e->id;
    out->w = e->w;
    memcpy(out->at, e->at, sizeof out->at);
    memcpy(out->u, e->u, sizeof out->u);
    return;
  }
  const int kind = wn_plasma_points(s)->kind;
  wn_point_load(wn_point_dim(kind), wn_point_velocities(kind), wn_particles_at(&s->p, i),
                out->at, out->u, &out->w);
  for (int d = 0; d < 3; d++)
    out->key = mixed(mixed(out->key, (uint32_t)out->at[d]), wn_float_bits(out->u[d]));
  out->key = mixed(out->key, wn_float_bits(out->w));
}

double wn_reacting_energy_ev(const struct wn_species *s, const float u[3])
{
  const struct wn_points *m = wn_plasma_points(s);
  return wn_point_energy_ev(
      m, wn_plasma_has_electrons(s) ? 3 : wn_point_velocities(m->kind), u);
}

static void velocity(const struct wn_reaction_product *p, int n_v,
                     const struct wn_rng4 *r, float u[3])
{
  double v[3];
  if (p->speed < 0.0)
    wn_rng_normal3(*r, v);
  else if (n_v == 3)
    wn_angle_isotropic(v, wn_u01(r->w[0]), wn_u01(r->w[1]));
  else
    wn_sincos_turn(wn_u01(r->w[1]), &v[1], &v[0]);
  for (int d = 0; d < 3; d++)
    u[d] = d < n_v ? (float)((p->speed < 0.0 ? p->sigma : p->speed) * v[d]) : 0.0f;
}

void wn_reaction_make(const struct wn_reaction_product *p, int j,
                      const struct wn_reacting *at, const struct wn_reaction_draw *draw,
                      void *record, float u[3])
{
  const struct wn_species *s = p->species;
  const struct wn_points *m = wn_plasma_points(s);
  const int has_id = wn_plasma_has_electrons(s), dim = wn_point_dim(m->kind),
            n_v = has_id ? 3 : wn_point_velocities(m->kind);
  const uint32_t block = draw->block + WN_REACTION_PRODUCTS + 2u * (uint32_t)j;
  const struct wn_rng4 of_u = wn_rng_with(draw->key, at->key, draw->step, WN_RNG_REACTION,
                                          block),
                       rest = wn_rng_with(draw->key, at->key, draw->step, WN_RNG_REACTION,
                                          block + 1);
  velocity(p, n_v, &of_u, u);
  memset(record, 0, s->p.record.bytes);
  if (!has_id) {
    union wn_word *r = record;
    wn_point_store(dim, n_v, r, at->at, u);
    if (wn_point_weighs(dim, n_v))
      r[dim + n_v].f = at->w;
    return;
  }
  struct wn_electron *e = record;
  memcpy(e->at, at->at, sizeof e->at);
  memcpy(e->u, u, sizeof e->u);
  e->w = at->w;
  e->id = (uint64_t)rest.w[1] << 32 | rest.w[0];
  e->t_next = s->model.ops->is_ion
                  ? wn_ion_first_flight(s->model.data, e->id, 0)
                  : wn_exponential_f(rest.w[2]) * wn_species_mcc(s)->inv_nu;
}
