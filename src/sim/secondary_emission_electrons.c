/* src/sim/secondary_emission_electrons.c - operator: electrons that a wall emits for the electrons that
 * it takes; and those of electrodes, for src/sim/electrodes.c.  An incident electron is reflected with its energy (`electron_reflection`), or
 * scattered back with an energy uniform between 0 and its own (`electron_backscattering`),
 * or it is absorbed and releases true secondaries, of which there are on average
 * `electron_yield` for each incident electron, or Vaughan's yield
 * (physics/electron_yield.h).  These exclude each other, so a reflected electron has
 * released nothing; an absorbed one releases the yield over the chance of absorption.
 *
 * Directions: the cosine law (physics/emission.h), or a mirror's for reflection.
 * Velocities of true secondaries: those of the flux of a Maxwellian into the half space, as
 * of electrons that ions release (src/sim/secondary_emission_ions.c).
 *
 * When: they leave at the end of the step, from the place where the incident electron hit
 * the wall.  Energy and angle are those at the end of the step, at which the wall counts
 * the incident electron.  In a field E along the normal an electron with collisions
 * has had the whole kick of the step, and its energy is wrong by e E v dt/2 on average;
 * one without has had it or not, which is right on average (t0778).
 *
 * Species: reflected and scattered electrons stay in theirs.  True secondaries join the
 * species that collides, where the incident one does not and another does; else they stay,
 * too.  In the same species they have the weight of the incident one; in another one 1, and
 * their number follows from the weights of both, rounded up or down at random.
 *
 * Random numbers: purpose ELECTRON_EMISSION, named by the incident electron and its event,
 * or, without collisions, by what its record has at the end and the step.  Block 0: what
 * becomes of it, and numbers; 2 j + 1 and 2 j + 2: velocity of electron j; its id, normal
 * velocity and first flight.
 *
 * Not on a GPU: records of electrons do not keep the side there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "particles/load_balance.h"
#include "physics/constants.h"
#include "physics/electron_yield.h"
#include "physics/emission.h"
#include "src/config/electrode_shapes.h"
#include "src/config/plasma_derived.h"
#include "src/sim/emitted.h"
#include "src/sim/operators.h"
#include "src/sim/plasma_points.h"
#include "src/sim/secondary_emission.h"
#include "src/sim/sim.h"

extern const struct wn_operator_ops wn_operator_electron_emission;

/* A species of electrons: where its secondaries go, and what joins it in a step. */
struct member {
  int is_incident;
  size_t to;
  double ratio; /* weight of one of its own over that of one of `to`, in real particles */
  struct wn_births made;
  struct wn_tally_surface *surface; /* [n_surfaces]: what they gave of it, in this step */
};

/* What a surface does with electrons. */
struct emitter {
  const struct wn_cfg_wall *wall;
  struct wn_electron_yield yield;
};

struct wn_electron_emission {
  struct wn_gpu *gpu; /* of those that are emitted by electrodes; NULL: the host */
  uint64_t seed;
  const struct wn_geometry *geometry;
  struct emitter *surface; /* [n_surfaces] of the geometry */
  struct wn_species *const *species;
  size_t n_species;
  struct member member[WN_MAX_SPECIES];
};

struct emission {
  struct wn_operator operator; /* the head of every operator */
  struct wn_electron_emission *sides;
};

static struct wn_electron_emission *of(struct wn_operator *o)
{
  return ((struct emission *)(void *)o)->sides;
}

/* ---- one incident electron */

static struct wn_electron electron(const struct wn_impact *in, const double u[3], float w,
                                   const struct wn_rng4 *name)
{
  struct wn_electron one = {.w = w, .id = (uint64_t)name->w[1] << 32 | name->w[0]};
  for (int d = 0; d < 3; d++) {
    one.at[d] = in->at[d];
    one.u[d] = (float)u[d];
  }
  return one;
}

static void add(struct wn_electron_emission *e, size_t k, const struct wn_impact *in,
                const struct wn_electron *one, uint32_t word)
{
  struct member *m = &e->member[k];
  wn_emitted_add(e->species[k], &m->surface[in->surface], one, word, &m->made);
}

/* Of a particle that comes from an electrode, along its normal, the velocity stays. */
static void mirror(const struct wn_impact *in, const struct wn_surface *side, double u[3])
{
  double along = 0.0;
  for (int d = 0; d < 3; d++) {
    u[d] = (double)in->u[d];
    along += in->is_inside ? u[d] * in->normal[d] : 0.0;
  }
  for (int d = 0; d < 3 && along < 0.0; d++)
    u[d] -= 2.0 * along * in->normal[d];
  if (!in->is_inside)
    u[side->axis] = side->normal * fabs(u[side->axis]);
}

/* Reflected with the energy [eV], or scattered back with a part of it. */
static void send_back(struct wn_electron_emission *e, size_t k,
                      const struct wn_impact *in, double energy_ev, int is_mirror)
{
  struct wn_species *s = e->species[k];
  const struct wn_surface *side = &e->geometry->surface[in->surface];
  const struct wn_rng4 r = wn_rng(e->seed, in->id, in->event, WN_RNG_ELECTRON_EMISSION,
                                  1),
                       name = wn_rng(e->seed, in->id, in->event, WN_RNG_ELECTRON_EMISSION,
                                     2);
  double u[3];
  if (is_mirror) {
    mirror(in, side, u);
  } else {
    wn_emission_lambert(
        wn_emitted_velocities(s),
        wn_emission_speed(energy_ev, WN_ME, wn_plasma_points(s)->relativistic),
        in->is_inside ? 0 : side->axis, in->is_inside ? 1 : side->normal, r.w[0], r.w[1],
        u);
    if (in->is_inside)
      wn_emission_turn(wn_emitted_velocities(s), in->normal, u);
  }
  const struct wn_electron one = electron(in, u, in->w, &name);
  add(e, k, in, &one, name.w[3]);
}

/* True secondary number j, for species k. */
static void release(struct wn_electron_emission *e, size_t k, const struct wn_impact *in,
                    uint32_t j, float w)
{
  struct wn_species *s = e->species[k];
  const struct wn_surface *side = &e->geometry->surface[in->surface];
  const struct wn_rng4 r = wn_rng(e->seed, in->id, in->event, WN_RNG_ELECTRON_EMISSION,
                                  2 * j + 1),
                       name = wn_rng(e->seed, in->id, in->event, WN_RNG_ELECTRON_EMISSION,
                                     2 * j + 2);
  double u[3];
  wn_emission_flux(e->surface[in->surface].wall->emission_ev, 0.0, WN_ME,
                   wn_plasma_points(s)->relativistic, in->is_inside ? 0 : side->axis,
                   in->is_inside ? 1 : side->normal, r, name.w[2], u);
  if (in->is_inside)
    wn_emission_turn(wn_emitted_velocities(s), in->normal, u);
  const struct wn_electron one = electron(in, u, w, &name);
  add(e, k, in, &one, name.w[3]);
}

/* Angle of incidence, from the normal. */
static double angle(const struct wn_electron_emission *e, const struct wn_impact *in,
                    int n_v)
{
  const int axis = e->geometry->surface[in->surface].axis;
  double across = 0.0, along = 0.0;
  if (in->is_inside) {
    for (int d = 0; d < n_v; d++) {
      along += (double)in->u[d] * in->normal[d];
      across += (double)in->u[d] * (double)in->u[d];
    }
    return wn_electron_yield_angle(fabs(along), sqrt(fmax(0.0, across - along * along)));
  }
  for (int d = 0; d < n_v; d++)
    across += d != axis ? (double)in->u[d] * (double)in->u[d] : 0.0;
  return wn_electron_yield_angle(fabs((double)in->u[axis]), sqrt(across));
}

/* Numbers of secondaries for one that is absorbed, with this mean. */
static void release_all(struct wn_electron_emission *e, size_t k,
                        const struct wn_impact *in, double mean, const struct wn_rng4 *r)
{
  const struct member *m = &e->member[k];
  const int is_poisson =
      e->surface[in->surface].wall->electron_number == WN_NUMBER_POISSON;
  uint32_t n =
      (is_poisson ? wn_electron_yield_poisson : wn_electron_yield_nearest)(mean, r->w[1]);
  float w = in->w;
  if (m->to != k) {
    n = wn_electron_yield_nearest(n * m->ratio * (double)in->w, r->w[2]);
    w = 1.0f;
  }
  for (uint32_t j = 0; j < n; j++)
    release(e, m->to, in, j, w);
}

static int emit(struct wn_electron_emission *e, size_t k, const struct wn_impact *in)
{
  const struct wn_cfg_wall *w = e->surface[in->surface].wall;
  const int n_v = wn_emitted_velocities(e->species[k]);
  const double energy_ev =
                   wn_point_energy_ev(wn_plasma_points(e->species[k]), n_v, in->u),
               back = w->electron_reflection + w->electron_backscattering;
  const struct wn_rng4 r =
      wn_rng(e->seed, in->id, in->event, WN_RNG_ELECTRON_EMISSION, 0);
  const double fate = wn_u01(r.w[0]);
  if (fate < w->electron_reflection)
    send_back(e, k, in, energy_ev, w->reflection_law == WN_LAW_SPECULAR);
  else if (fate < back)
    send_back(e, k, in, energy_ev * wn_u01(r.w[3]), 0);
  else if (w->electron_yield > 0.0)
    release_all(
        e, k, in,
        wn_electron_yield(&e->surface[in->surface].yield, energy_ev, angle(e, in, n_v)) /
            (1.0 - back),
        &r);
  const struct member *m = &e->member[k];
  return m->made.status != WN_OK ? m->made.status : e->member[m->to].made.status;
}

/* ---- those of a species */

static int colliding(struct wn_electron_emission *e, size_t k)
{
  const struct wn_particles *p = &e->species[k]->p;
  const struct wn_electron *one = wn_particles_at(p, 0);
  for (size_t i = 0; i < p->n; i++) {
    if (!(one[i].t_left < 0.0f) || one[i].at[0] != WN_POINT_DEAD) /* attached */
      continue;
    struct wn_impact in = {.id = one[i].id,
                           .event = one[i].event,
                           .u = {one[i].u[0], one[i].u[1], one[i].u[2]},
                           .w = one[i].w,
                           .surface = wn_mcc_grid_ended_side(&one[i])};
    wn_mcc_grid_ended_at(&one[i], in.at);
    WN_TRY(emit(e, k, &in));
  }
  return WN_OK;
}

static int collisionless(struct wn_electron_emission *e, size_t k, uint64_t step)
{
  const struct wn_points *m = wn_plasma_points(e->species[k]);
  const struct wn_particles *p = &e->species[k]->p;
  const int dim = m->grid.dim, n_v = wn_point_velocities(m->kind);
  for (size_t i = 0; i < p->n; i++) {
    const union wn_word *r = wn_particles_at(p, i);
    int32_t x[3];
    if (r[0].i >= 0)
      continue;
    struct wn_impact in = {.id = wn_point_name(r, dim + n_v),
                           .event = (uint32_t)step,
                           .u = {0.0f, 0.0f, 0.0f},
                           .surface = wn_point_ended_side(r)};
    wn_point_load(dim, n_v, r, x, in.u, &in.w);
    wn_point_ended_at(m, dim, r, in.at);
    WN_TRY(emit(e, k, &in));
  }
  return WN_OK;
}

/* ---- of some surfaces */

void wn_electron_emission_free(struct wn_electron_emission *e)
{
  for (size_t k = 0; e != NULL && k < WN_MAX_SPECIES; k++) {
    free(e->member[k].made.e);
    free(e->member[k].surface);
  }
  if (e != NULL)
    free(e->surface);
  free(e);
}

static int any_emits(const struct wn_config *c, int first, int end)
{
  int any = 0;
  for (int i = first; i < end; i++) {
    const struct wn_cfg_wall *w = wn_electrode_shapes_wall(c, i);
    any |= w->electron_reflection > 0.0 || w->electron_backscattering > 0.0 ||
           w->electron_yield > 0.0;
  }
  return any;
}

static int fill(struct wn_electron_emission *e, struct wn_sim *s, int first, int end)
{
  const struct wn_config *c = s->c;
  const size_t n_surfaces = (size_t)s->geometry.n_surfaces;
  e->surface = wn_alloc(n_surfaces, sizeof *e->surface);
  if (e->surface == NULL)
    return WN_ENOMEM;
  for (int i = first; i < end; i++) {
    const struct wn_cfg_wall *w = wn_electrode_shapes_wall(c, i);
    e->surface[i] = (struct emitter){
        w,
        {.most = w->electron_yield,
         .energy_ev = w->yield_energy_ev != WN_AUTO ? w->yield_energy_ev : 0.0,
         .threshold_ev = w->yield_threshold_ev,
         .smoothness = w->yield_smoothness}};
  }
  for (size_t k = 0; k < c->n_species; k++) {
    struct member *m = &e->member[k];
    const long to = wn_plasma_emits_into(c, k);
    m->made.record = s->species[k]->p.record.bytes;
    m->surface = wn_alloc(n_surfaces, sizeof *m->surface);
    if (m->surface == NULL)
      return WN_ENOMEM;
    m->is_incident = to >= 0;
    if (to < 0)
      continue;
    m->to = (size_t)to;
    m->ratio =
        wn_loading_weight(c, &c->species[k]) / wn_loading_weight(c, &c->species[m->to]);
  }
  return WN_OK;
}

int wn_electron_emission_create(struct wn_sim *s, int first, int end,
                                struct wn_electron_emission **out)
{
  if (!any_emits(s->c, first, end))
    return WN_OK;
  struct wn_electron_emission *e = wn_alloc(1, sizeof *e);
  if (e == NULL)
    return WN_ENOMEM;
  e->gpu = s->gpu;
  e->seed = s->c->seed;
  e->geometry = &s->geometry;
  e->species = s->species;
  e->n_species = s->c->n_species;
  const int status = fill(e, s, first, end);
  if (status != WN_OK) {
    wn_electron_emission_free(e);
    return status;
  }
  *out = e;
  return WN_OK;
}

void wn_electron_emission_begin(struct wn_electron_emission *e)
{
  for (size_t k = 0; k < e->n_species; k++) {
    struct member *m = &e->member[k];
    m->made.n = 0;
    memset(m->surface, 0, (size_t)e->geometry->n_surfaces * sizeof *m->surface);
  }
}

int wn_electron_emission_take(struct wn_electron_emission *e, size_t k,
                              const struct wn_impact *in)
{
  return e->member[k].is_incident ? emit(e, k, in) : WN_OK;
}

/* They join their species, then what the surfaces gave is counted: nothing is counted where
 * there is no room. */
static int join(const struct wn_electron_emission *e, struct member *m,
                struct wn_species *s)
{
  struct wn_tally_surface *sum = wn_species_sums(s)->surface;
  WN_TRY(wn_species_append(s, e->gpu, m->made.e, m->made.n));
  for (int i = 0; i < e->geometry->n_surfaces; i++) {
    sum[i].number += m->surface[i].number;
    sum[i].quanta += m->surface[i].quanta;
    sum[i].energy += m->surface[i].energy;
  }
  return wn_species_bring_together(s);
}

int wn_electron_emission_end(struct wn_electron_emission *e)
{
  for (size_t k = 0; k < e->n_species; k++)
    if (e->member[k].is_incident)
      WN_TRY(join(e, &e->member[k], e->species[k]));
  return WN_OK;
}

/* ---- the operator */

/* Whether any died on any rank, so that all ranks decide alike; also by attachment. */
static int have_ended(const struct wn_species *s)
{
  return s->tally.n_deaths != s->before.n_deaths;
}

static int apply(struct wn_operator *o, struct wn_sim *s)
{
  struct wn_electron_emission *e = of(o);
  int any = 0, status = WN_OK;
  for (size_t k = 0; k < e->n_species; k++)
    any |= e->member[k].is_incident && have_ended(e->species[k]);
  if (!any)
    return WN_OK;
  wn_electron_emission_begin(e);
  for (size_t k = 0; k < e->n_species && status == WN_OK; k++)
    if (e->member[k].is_incident && have_ended(e->species[k]))
      status = wn_plasma_has_electrons(e->species[k]) ? colliding(e, k)
                                                      : collisionless(e, k, s->n_steps);
  WN_TRY(wn_particles_room(status));
  return wn_electron_emission_end(e);
}

static void destroy(struct wn_operator *o)
{
  wn_electron_emission_free(of(o));
  free(o);
}

static int create(struct wn_sim *s, struct wn_operator **out)
{
  struct wn_electron_emission *sides = NULL;
  WN_TRY(wn_electron_emission_create(s, 0, 2 * s->geometry.dim, &sides));
  if (sides == NULL)
    return WN_OK;
  struct emission *e = wn_alloc(1, sizeof *e);
  if (e == NULL) {
    wn_electron_emission_free(sides);
    return WN_ENOMEM;
  }
  e->operator.ops = & wn_operator_electron_emission;
  e->sides = sides;
  *out = &e->operator;
  return WN_OK;
}

const struct wn_operator_ops wn_operator_electron_emission = {
    .create = create,
    .apply = apply,
    .free = destroy,
};
