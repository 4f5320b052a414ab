/* src/sim/secondary_emission_ions.c - operator: secondary electrons of ions (those of electrons: secondary_emission_electrons.c),
 * from walls; and from electrodes, for src/sim/electrodes.c.  A surface of yield g emits g electrons on average for each positive ion that ends there, with collisions or without.
 * They leave at the end of that step, from the place where the ion hit the wall.  Their
 * velocities are those of a Maxwellian's flux through a surface into the half space: along
 * the normal sigma sqrt(2 x), x exponential with mean 1, across it normal with the standard
 * deviation sigma = sqrt(kT/m).  The mean energy is 2 kT (derived: the flux through a plane
 * has the density v exp(-v^2/2 sigma^2)).  They count as taken by the wall with a minus
 * sign, so charge and energy balance.  On a GPU the ended ions are copied to the host, and
 * their electrons to the GPU; ions without collisions do not keep their side there.
 *
 * Random numbers: purpose EMISSION, named by the ion and its event, or, of an ion without
 * collisions, by what its record has at the end and the step.  Block 0: number of electrons;
 * 2 j + 1 and 2 j + 2: velocity of electron j; its id, normal velocity and first flight. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "device/gpu.h"
#include "particles/load_balance.h"
#include "physics/constants.h"
#include "physics/emission.h"
#include "src/config/electrode_shapes.h"
#include "src/config/plasma_derived.h"
#include "src/sim/emitted.h"
#include "src/sim/operators.h"
#include "src/sim/plasma_points.h"
#include "src/sim/secondary_emission.h"
#include "src/sim/sim.h"

extern const struct wn_operator_ops wn_operator_secondary_emission;

/* A species of ions that release electrons at a wall. */
struct emission_ions {
  const struct wn_species *species;
  double ratio; /* weight of an ion over weight of an electron, in real particles */
};

/* What a surface emits. */
struct emitter {
  double yield; /* electrons per ion */
  double sigma; /* m/s */
};

struct wn_ion_emission {
  struct wn_gpu *gpu; /* device of all of them; NULL: the host */
  uint64_t seed;
  const struct wn_geometry *geometry;
  struct emitter *surface;      /* [n_surfaces] of the geometry */
  struct wn_species *electrons; /* with collisions or without */
  size_t n;
  struct emission_ions ions[WN_MAX_SPECIES];
  struct wn_births made; /* in this step */
};

struct emission {
  struct wn_operator operator; /* the head of every operator */
  struct wn_ion_emission *sides;
};

/* Whether a surface took one of them in the current step. */
static int have_ended(const struct wn_species *s)
{
  for (size_t i = 0; i < wn_tally_surfaces(&s->shape); i++)
    if (s->tally.surface[i].number != s->before.surface[i].number)
      return 1;
  return 0;
}

/* Electron j of an ion that ended. */
static void release(struct wn_ion_emission *e, const struct wn_impact *ion, uint32_t j)
{
  const struct wn_surface *side = &e->geometry->surface[ion->surface];
  const struct wn_rng4 across = wn_rng(e->seed, ion->id, ion->event, WN_RNG_EMISSION,
                                       2 * j + 1),
                       rest = wn_rng(e->seed, ion->id, ion->event, WN_RNG_EMISSION,
                                     2 * j + 2);
  const double sigma = e->surface[ion->surface].sigma,
               normal = sigma * sqrt(2.0 * wn_rng_exponential(rest.w[2]));
  struct wn_electron one = {.w = 1.0f, .id = (uint64_t)rest.w[1] << 32 | rest.w[0]};
  double v[3];
  wn_rng_normal3(across, v);
  for (int d = 0; d < 3; d++)
    v[d] *= sigma;
  v[ion->is_inside ? 0 : side->axis] = ion->is_inside ? normal : side->normal * normal;
  if (ion->is_inside)
    wn_emission_turn(wn_emitted_velocities(e->electrons), ion->normal, v);
  for (int d = 0; d < 3; d++) {
    one.at[d] = ion->at[d];
    one.u[d] = (float)v[d];
  }
  wn_emitted_add(e->electrons, &wn_species_sums(e->electrons)->surface[ion->surface],
                 &one, rest.w[3], &e->made);
}

static int emit(struct wn_ion_emission *e, const struct wn_impact *ion, double ratio)
{
  const double mean = e->surface[ion->surface].yield * ratio * (double)ion->w;
  const struct wn_rng4 r = wn_rng(e->seed, ion->id, ion->event, WN_RNG_EMISSION, 0);
  const uint32_t n = (uint32_t)(mean + wn_u01(r.w[0]));
  for (uint32_t j = 0; j < n; j++)
    release(e, ion, j);
  return e->made.status;
}

/* Of ions that collide: those that ended are among these. */
static int candidates(const struct wn_ion_emission *e, const struct wn_species *s,
                      const struct wn_electron **ion, size_t *n)
{
  if (s->p.place == WN_PARTICLES_REMOTE)
    return wn_gpu_ended(e->gpu, &s->p, ion, n);
  *ion = wn_particles_at(&s->p, 0);
  *n = s->p.n;
  return WN_OK;
}

static int colliding(struct wn_ion_emission *e, const struct emission_ions *of)
{
  const struct wn_electron *ion = NULL;
  size_t n = 0;
  WN_TRY(candidates(e, of->species, &ion, &n));
  for (size_t i = 0; i < n; i++) {
    if (!(ion[i].t_left < 0.0f))
      continue;
    struct wn_impact one = {.id = ion[i].id,
                            .event = ion[i].event,
                            .w = ion[i].w,
                            .surface = wn_mcc_grid_ended_side(&ion[i])};
    wn_mcc_grid_ended_at(&ion[i], one.at);
    WN_TRY(emit(e, &one, of->ratio));
  }
  return WN_OK;
}

static int collisionless(struct wn_ion_emission *e, const struct emission_ions *of,
                         uint64_t step)
{
  const struct wn_points *m = wn_plasma_points(of->species);
  const struct wn_particles *p = &of->species->p;
  const int dim = m->grid.dim, n_v = wn_point_velocities(m->kind);
  for (size_t i = 0; i < p->n; i++) {
    const union wn_word *r = wn_particles_at(p, i);
    union wn_word named[8]; /* without the depth behind the side */
    if (r[0].i >= 0)
      continue;
    memcpy(named, r, (size_t)(dim + n_v) * sizeof *r);
    named[0].i = WN_POINT_DEAD + wn_point_ended_side(r);
    struct wn_impact one = {.id = wn_point_name(named, dim + n_v),
                            .event = (uint32_t)step,
                            .w = wn_point_weighs(dim, n_v) ? r[dim + n_v].f : 1.0f,
                            .surface = wn_point_ended_side(r)};
    wn_point_ended_at(m, dim, r, one.at);
    WN_TRY(emit(e, &one, of->ratio));
  }
  return WN_OK;
}

/* ---- of some surfaces */

void wn_ion_emission_free(struct wn_ion_emission *e)
{
  if (e != NULL) {
    free(e->made.e);
    free(e->surface);
  }
  free(e);
}

int wn_ion_emission_create(struct wn_sim *s, int first, int end,
                           struct wn_ion_emission **out)
{
  const struct wn_config *c = s->c;
  double weight = 1.0;
  int any = 0;
  for (int i = first; i < end; i++)
    any |= wn_electrode_shapes_wall(c, i)->yield > 0.0;
  if (!any)
    return WN_OK;
  struct wn_ion_emission *e = wn_alloc(1, sizeof *e);
  if (e == NULL)
    return WN_ENOMEM;
  e->surface = wn_alloc((size_t)s->geometry.n_surfaces, sizeof *e->surface);
  if (e->surface == NULL) {
    free(e);
    return WN_ENOMEM;
  }
  e->gpu = s->gpu;
  e->geometry = &s->geometry;
  e->seed = c->seed;
  for (int i = first; i < end; i++) {
    const struct wn_cfg_wall *w = wn_electrode_shapes_wall(c, i);
    e->surface[i] = (struct emitter){w->yield, sqrt(w->emission_ev * WN_E / WN_ME)};
  }
  for (size_t k = 0; k < c->n_species; k++)
    if (wn_config_is_emitted(c, k)) {
      e->electrons = s->species[k];
      weight = wn_loading_weight(c, &c->species[k]);
    }
  e->made.record = e->electrons->p.record.bytes;
  for (size_t k = 0; k < c->n_species; k++)
    if (c->species[k].mobile && c->species[k].charge > 0)
      e->ions[e->n++] = (struct emission_ions){
          s->species[k], wn_loading_weight(c, &c->species[k]) / weight};
  *out = e;
  return WN_OK;
}

void wn_ion_emission_begin(struct wn_ion_emission *e)
{
  e->made.n = 0;
}

int wn_ion_emission_take(struct wn_ion_emission *e, const struct wn_species *k,
                         const struct wn_impact *ion)
{
  for (size_t i = 0; i < e->n; i++)
    if (e->ions[i].species == k)
      return emit(e, ion, e->ions[i].ratio);
  return WN_OK;
}

int wn_ion_emission_end(struct wn_ion_emission *e)
{
  WN_TRY(wn_species_bring_together(e->electrons));
  return wn_species_append(e->electrons, e->gpu, e->made.e, e->made.n);
}

/* ---- the operator */

static struct wn_ion_emission *of(struct wn_operator *o)
{
  return ((struct emission *)(void *)o)->sides;
}

static void destroy(struct wn_operator *o)
{
  wn_ion_emission_free(of(o));
  free(o);
}

static int create(struct wn_sim *s, struct wn_operator **out)
{
  struct wn_ion_emission *sides = NULL;
  WN_TRY(wn_ion_emission_create(s, 0, 2 * s->geometry.dim, &sides));
  if (sides == NULL)
    return WN_OK;
  struct emission *e = wn_alloc(1, sizeof *e);
  if (e == NULL) {
    wn_ion_emission_free(sides);
    return WN_ENOMEM;
  }
  e->operator.ops = & wn_operator_secondary_emission;
  e->sides = sides;
  *out = &e->operator;
  return WN_OK;
}

static int apply(struct wn_operator *o, struct wn_sim *s)
{
  struct wn_ion_emission *e = of(o);
  wn_ion_emission_begin(e);
  for (size_t k = 0; k < e->n; k++) {
    const struct emission_ions *of = &e->ions[k];
    if (have_ended(of->species))
      WN_TRY(wn_plasma_has_electrons(of->species) ? colliding(e, of)
                                                  : collisionless(e, of, s->n_steps));
  }
  return wn_ion_emission_end(e);
}

const struct wn_operator_ops wn_operator_secondary_emission = {
    .create = create,
    .apply = apply,
    .free = destroy,
};
