/* src/sim/sources.c - operator: sources of particles of model plasma (plasma.sources), beams
 * and thermal emission from sides, and creation in a region, alone or in pairs.
 *
 * When: physics/emission.h.  A particle is created at its own time within a step and flies
 * for the rest of it, h: half a drift, E of the step at that place, the kick, half a
 * drift, as all particles of that step (physics/mover.h).  With E at t + dt/2 instead of
 * the middle of h this is an error of dt^2 of its velocity, once: second order.  Without
 * the flight all of a step would start together at the side, and the density there would
 * be wrong by a part v dt/h of that of a cell.  A collision in h is made up for at the
 * start of the next step, so that no candidate is lost.  What the field does in h is in the
 * work on a species that collides.
 *
 * Bits: particle k of a source has the same time, place and velocity whatever the number
 * of threads and ranks is, and after a restart; a rank makes its share of those of a step.
 * Nothing is kept between steps: numbers follow from that of the step.
 *
 * Charge: a particle from a side is counted there as taken with a minus sign, so that
 * charges, numbers and energies balance; one that a side takes within h is counted by that
 * side, and joins no store.
 *
 * From an electrode: uniformly over its surface (fields/electrode_surface.h), along the normal there.  One
 * that is in an electrode at its end of the step is absorbed in the next.
 *
 * GPU: particles are made on the host, with E from the nodes that are copied there, and
 * appended to the store of the device.  Not with divide = "domains": E of another slab is
 * not there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"
#include "fields/electrode_surface.h"
#include "fields/electrodes.h"
#include "particles/load_balance.h"
#include "physics/emission.h"
#include "physics/ion.h"
#include "physics/loading.h"
#include "physics/single_precision.h"
#include "src/config/electrode_shapes.h"
#include "src/config/plasma_derived.h"
#include "src/config/source_numbers.h"
#include "src/config/sources.h"
#include "src/sim/operators.h"
#include "src/sim/plasma_points.h"
#include "src/sim/sim.h"

extern const struct wn_operator_ops wn_operator_sources;

struct source {
  const struct wn_cfg_source *is;
  uint32_t number; /* of the source, in the names of random numbers */
  size_t species;
  long pair; /* -1: none */
  int side;  /* -1: a region, or an electrode */
  double per_s; /* macroparticles */
  /* Of an electrode: its surface in the list, else -1; pieces of it, and the area up to the end of each, m2 */
  int inside;
  size_t n_pieces, room;
  struct wn_electrode_piece *piece;
  double *upto;
  int status; /* WN_ENOMEM once the pieces could not grow */
};

/* Particles of a species made in a step, and what sides gave and took of it meanwhile. */
struct made {
  int is_wanted;
  struct wn_births births;
  struct wn_points points;          /* of its motion; dt of the last particle */
  struct wn_tally_surface *surface; /* [n_surfaces] */
  wn_i128 work;                     /* of the field on them, WN_FIX_ENERGY */
  wn_i128 created; /* energy at birth of those in regions, WN_FIX_ENERGY */
};

struct sources {
  struct wn_operator operator; /* the head of every operator */
  size_t n;
  struct source source[WN_MAX_SOURCES];
  struct made made[WN_MAX_SPECIES];
  float *e;          /* on a GPU: E at the nodes, with guards, and one component of it */
  double *component; /* [nodes] */
};

/* A particle between its birth and the end of the step. */
struct newborn {
  int32_t at[3];
  float u[3];
  uint64_t id;
  uint32_t flight; /* random word of the time to its first candidate */
};

static struct sources *of(struct wn_operator *o)
{
  return (struct sources *)(void *)o;
}

/* ---- E of the step */

/* On a GPU: E at the nodes, for shape cic. */
static int copy_field(struct sources *o, struct wn_sim *s, struct wn_grid_view *g)
{
  int64_t n[3] = {1, 1, 1}, node = 0;
  for (int d = 0; d < g->dim; d++)
    n[d] = g->cells[d] + 1;
  g->shape = WN_SHAPE_CIC;
  g->gather = WN_GATHER_MOMENTUM;
  g->e = o->e;
  for (int d = 0; d < g->dim; d++) {
    WN_TRY(wn_field_e(s->field, d, o->component));
    node = 0;
    for (int64_t z = 0; z < n[2]; z++)
      for (int64_t y = 0; y < n[1]; y++)
        for (int64_t x = 0; x < n[0]; x++, node++) {
          const int32_t at[3] = {(int32_t)x, (int32_t)y, (int32_t)z};
          const int64_t i = wn_grid_node(g, g->dim, at);
          o->e[i * g->stride + d] = (float)o->component[node];
        }
  }
  return WN_OK;
}

static int field_of_step(struct sources *o, struct wn_sim *s)
{
  struct wn_field_view view;
  s->field->ops->view(s->field, &view);
  struct wn_grid_view g = view.of.grid;
  if (s->gpu != NULL)
    WN_TRY(copy_field(o, s, &g));
  for (size_t k = 0; k < s->n_species; k++)
    o->made[k].points.grid = g;
  return WN_OK;
}

/* ---- one particle */

static double energy_ev(const struct wn_points *m, const float u[3])
{
  return wn_point_energy_ev(m, wn_point_velocities(m->kind), u);
}

static void count(struct wn_tally_surface *at, const struct wn_points *m,
                  const float u[3], double sign)
{
  wn_tally_sum(&at->number, sign, 1.0);
  wn_tally_sum(&at->quanta, sign, (double)WN_QUANTA);
  wn_tally_sum(&at->energy, sign * energy_ev(m, u), WN_FIX_ENERGY);
}

/* For h seconds.  Returns whether a side took it, which is counted. */
static int fly(struct made *to, double h, struct newborn *one)
{
  struct wn_points *m = &to->points;
  const double was = energy_ev(m, one->u);
  m->dt = h;
  wn_points_prepare(m);
  const int side =
      wn_point_step(m, m->grid.dim, wn_point_velocities(m->kind), m->grid.shape,
                    m->grid.gather, m->relativistic, m->rotation, one->at, one->u);
  wn_tally_sum(&to->work, energy_ev(m, one->u) - was, WN_FIX_ENERGY);
  if (side >= 0)
    count(&to->surface[side], m, one->u, 1.0);
  return side >= 0;
}

/* Time to the first candidate, less what it has flown; a candidate that is late comes at
 * once. */
static float to_candidate(float t_next, double h, double dt)
{
  return fmaxf(t_next - (float)h, (float)(1e-6 * dt));
}

/* The record of a species that collides. */
static struct wn_electron electron(const struct wn_species *s, const struct newborn *one,
                                   double h, double dt)
{
  struct wn_electron e = {.w = 1.0f, .id = one->id};
  memcpy(e.at, one->at, sizeof e.at);
  memcpy(e.u, one->u, sizeof e.u);
  const float t_next = s->model.ops->is_ion
                           ? wn_ion_first_flight(s->model.data, one->id, 0)
                           : wn_exponential_f(one->flight) * wn_species_mcc(s)->inv_nu;
  e.t_next = to_candidate(t_next, h, dt);
  return e;
}

static void join(struct made *to, const struct wn_species *s, const struct newborn *one,
                 double h, double dt)
{
  union wn_word r[8];
  if (wn_plasma_has_electrons(s)) {
    const struct wn_electron e = electron(s, one, h, dt);
    wn_births_push(&to->births, &e);
    return;
  }
  const struct wn_points *m = &to->points;
  wn_loading_point_of(m->grid.dim, wn_point_velocities(m->kind), one->at, one->u, r);
  wn_births_push(&to->births, r);
}

/* Along axis d, in parts of cells: anywhere on a side, or in a region by its profile. */
static int32_t place(const struct sources *o, const struct wn_sim *s,
                     const struct source *from, int d, uint32_t word)
{
  const struct wn_grid_view *g = &o->made[from->species].points.grid;
  const int32_t end = g->cells[d] << g->bits[d];
  if (from->side >= 0)
    return (int32_t)((uint64_t)word * (uint64_t)end >> 32);
  const double w = wn_u01_open(word), low = wn_source_low(from->is, d),
               high = wn_source_high(s->c, from->is, d),
               x = low + (high - low) * (from->is->profile == WN_SOURCE_COSINE
                                             ? wn_emission_cosine(w)
                                             : w);
  const double at = floor(x / g->length[d] * end);
  return at < end ? (int32_t)at : end - 1;
}

/* On the surface of an electrode, in parts of cells, and the normal there. */
static int on_electrode(const struct sources *o, const struct wn_sim *s,
                        const struct source *from, const struct wn_rng4 *birth,
                        int32_t at[3], double normal[3])
{
  const struct wn_grid_view *g = &o->made[from->species].points.grid;
  const struct wn_electrodes *e = wn_field_electrodes(s->field);
  const double area = wn_u01(birth->w[1]) * from->upto[from->n_pieces - 1];
  size_t low = 0, high = from->n_pieces - 1;
  double x[3];
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (from->upto[middle] > area)
      high = middle;
    else
      low = middle + 1;
  }
  wn_electrode_on_piece(&s->geometry, &from->piece[low], wn_u01(birth->w[2]),
                        wn_u01(birth->w[3]), x);
  if (!wn_electrode_to_surface(e->shape, e->n_shapes, e->dim, from->inside,
                               1e-5 * g->h[0], x, normal))
    return WN_FAIL(WN_ERUN, "source %s: no way to the surface of electrode %s",
                   from->is->name, from->is->wall);
  for (int d = 0; d < g->dim; d++) {
    const double end = ldexp((double)g->cells[d], g->bits[d]);
    at[d] = (int32_t)fmin(fmax(rint(x[d] / g->h[d] * ldexp(1.0, g->bits[d])), 0.0), end);
  }
  return WN_OK;
}

/* The velocity at birth, and the name; block: the first of the two of its numbers. */
static void name_and_launch(const struct wn_sim *s, const struct source *from,
                            size_t species, double kt_ev, uint64_t k, uint32_t block,
                            const struct wn_points *m, const double normal[3],
                            struct newborn *one)
{
  const uint64_t seed = s->c->seed;
  const struct wn_rng4 r = wn_rng(seed, k, from->number, WN_RNG_SOURCE, block),
                       name = wn_rng(seed, k, from->number, WN_RNG_SOURCE, block + 1);
  const double mass = s->c->species[species].mass;
  double u[3];
  if (from->inside >= 0) {
    wn_emission_flux(kt_ev, from->is->energy_ev, mass, m->relativistic, 0, 1.0, r,
                     name.w[2], u);
    wn_emission_turn(wn_point_velocities(m->kind), normal, u);
  } else if (from->side < 0)
    wn_emission_thermal(kt_ev, mass, r, u);
  else
    wn_emission_flux(kt_ev, from->is->energy_ev, mass, m->relativistic, from->side / 2,
                     from->side % 2 == 0 ? 1.0 : -1.0, r, name.w[2], u);
  for (int d = 0; d < 3; d++)
    one->u[d] = (float)u[d];
  one->id = (uint64_t)name.w[1] << 32 | name.w[0];
  one->flight = name.w[3];
}

/* Particle k of a source, which has h of the step of dt left. */
static int emit(struct sources *o, const struct wn_sim *s, const struct source *from,
                uint64_t k, const struct wn_rng4 *birth, double h, double dt)
{
  const int side = from->side;
  struct made *to = &o->made[from->species];
  struct newborn one = {{0, 0, 0}, {0.0f, 0.0f, 0.0f}, 0, 0}, other = one;
  double normal[3] = {0.0, 0.0, 0.0};
  if (from->inside >= 0)
    WN_TRY(on_electrode(o, s, from, birth, one.at, normal));
  for (int d = 0; d < to->points.grid.dim && from->inside < 0; d++)
    other.at[d] = one.at[d] =
        d != side / 2 || side < 0 ? place(o, s, from, d, birth->w[1 + d])
        : side % 2 == 0           ? 0
                                  : to->points.grid.cells[d] << to->points.grid.bits[d];
  name_and_launch(s, from, from->species, from->is->temperature_ev, k,
                  WN_SOURCE_BLOCK_VELOCITY, &to->points, normal, &one);
  if (side >= 0 || from->inside >= 0)
    count(&to->surface[side >= 0 ? side : from->inside], &to->points, one.u, -1.0);
  else
    wn_tally_sum(&to->created, energy_ev(&to->points, one.u), WN_FIX_ENERGY);
  if (!fly(to, h, &one))
    join(to, s->species[from->species], &one, h, dt);
  if (from->pair < 0)
    return to->births.status;
  const struct wn_species *species = s->species[from->pair];
  struct made *with = &o->made[from->pair];
  name_and_launch(s, from, (size_t)from->pair, from->is->pair_ev, k, WN_SOURCE_BLOCK_PAIR,
                  &with->points, normal, &other);
  wn_tally_sum(&with->created, energy_ev(&with->points, other.u), WN_FIX_ENERGY);
  /* what moves in some steps alone, or never, belongs to another time */
  if (species->is_fixed || species->subcycling > 1 || !fly(with, h, &other))
    join(with, species, &other, h, dt);
  return to->births.status == WN_OK ? with->births.status : to->births.status;
}

/* ---- a step */

/* Those with their time in the step.  A rank makes its share of the numbers in question,
 * which are one more than needed at each end. */
static int release(struct sources *o, const struct wn_sim *s, const struct source *from)
{
  const struct wn_config *c = s->c;
  const struct wn_step_clock *clock = &s->adaptive.clock;
  const double dt = s->interval, whole = ldexp(dt, clock->level),
               t = wn_step_clock_count(clock) * whole, per_s = from->per_s,
               before = wn_source_number_of(from->is, per_s,
                                            wn_step_clock_before(clock) * whole),
               after = wn_source_number_of(from->is, per_s, t);
  if (!(after > before))
    return WN_OK;
  const uint64_t first = before >= 1.0 ? (uint64_t)before - 1 : 0;
  const size_t n = (size_t)((uint64_t)after + 1 - first),
               end = wn_ranks_share(n, wn_rank() + 1, wn_ranks());
  for (size_t i = wn_ranks_share(n, wn_rank(), wn_ranks()); i < end; i++) {
    const uint64_t k = first + i;
    const struct wn_rng4 birth =
        wn_rng(c->seed, k, from->number, WN_RNG_SOURCE, WN_SOURCE_BLOCK_BIRTH);
    const double at = (double)k + wn_u01(birth.w[0]);
    if (at >= before && at < after)
      WN_TRY(
          emit(o, s, from, k, &birth, fmin(dt, t - (from->is->start + at / per_s)), dt));
  }
  return WN_OK;
}

/* The particles join their species, then what the sides gave and took is counted: nothing
 * is counted where there is no room. */
static int bring(struct made *m, struct wn_sim *s, size_t k)
{
  struct wn_species *to = s->species[k];
  WN_TRY(wn_particles_room(m->births.status));
  WN_TRY(wn_species_append(to, s->gpu, m->births.e, m->births.n));
  struct wn_tally_surface *sum = wn_species_sums(to)->surface;
  for (int i = 0; i < s->geometry.n_surfaces; i++) {
    sum[i].number += m->surface[i].number;
    sum[i].quanta += m->surface[i].quanta;
    sum[i].energy += m->surface[i].energy;
  }
  if (wn_plasma_collides(s->c, k))
    wn_species_sums(to)->group[0].gained += m->work;
  wn_energy_changed_by(s, WN_ENERGY_CREATED, k, m->created);
  return wn_species_bring_together(to);
}

static int apply(struct wn_operator *operator, struct wn_sim * s)
{
  struct sources *o = of(operator);
  WN_TRY(field_of_step(o, s));
  for (size_t k = 0; k < s->n_species; k++) {
    o->made[k].births.n = 0;
    o->made[k].work = o->made[k].created = 0;
    if (o->made[k].is_wanted)
      memset(o->made[k].surface, 0,
             (size_t)s->geometry.n_surfaces * sizeof *o->made[k].surface);
  }
  int status = WN_OK;
  for (size_t i = 0; i < o->n && status == WN_OK; i++)
    status = release(o, s, &o->source[i]);
  WN_TRY(wn_particles_room(status));
  for (size_t k = 0; k < s->n_species; k++)
    if (o->made[k].is_wanted)
      WN_TRY(bring(&o->made[k], s, k));
  return WN_OK;
}

/* ---- the operator */

static void destroy(struct wn_operator *operator)
{
  struct sources *o = of(operator);
  for (size_t k = 0; k < WN_MAX_SPECIES; k++) {
    free(o->made[k].births.e);
    free(o->made[k].surface);
  }
  for (size_t i = 0; i < o->n; i++) {
    free(o->source[i].piece);
    free(o->source[i].upto);
  }
  free(o->e);
  free(o->component);
  free(o);
}

static int want(struct sources *o, const struct wn_sim *s, size_t k)
{
  struct made *m = &o->made[k];
  if (m->is_wanted)
    return WN_OK;
  m->is_wanted = 1;
  m->points = wn_plasma_points_of(s->c, k);
  m->births.record = s->species[k]->p.record.bytes;
  m->surface = wn_alloc((size_t)s->geometry.n_surfaces, sizeof *m->surface);
  return m->surface != NULL ? WN_OK : WN_ENOMEM;
}

static void keep_piece(const struct wn_electrode_piece *piece, void *context)
{
  struct source *to = context;
  if (to->n_pieces == to->room && to->status == WN_OK) {
    const size_t room = 2 * to->room + 64;
    struct wn_electrode_piece *more = wn_realloc(to->piece, room, sizeof *more);
    double *upto = NULL;
    if (more != NULL) {
      to->piece = more;
      upto = wn_realloc(to->upto, room, sizeof *upto);
    }
    if (upto == NULL) {
      to->status = WN_ENOMEM;
      return;
    }
    to->upto = upto;
    to->room = room;
  }
  if (to->status != WN_OK)
    return;
  to->piece[to->n_pieces] = *piece;
  to->upto[to->n_pieces] =
      piece->area + (to->n_pieces > 0 ? to->upto[to->n_pieces - 1] : 0.0);
  to->n_pieces++;
}

static int find_pieces(const struct wn_sim *s, struct source *from)
{
  struct wn_electrode_shape shape[WN_MOST_ELECTRODE_SHAPES];
  const int n = wn_electrode_shapes_of(s->c, shape);
  wn_electrode_surface(&s->geometry, shape, n, from->inside, keep_piece, from);
  if (from->status == WN_OK && from->n_pieces == 0)
    return WN_FAIL(WN_EINPUT,
                   "%s: plasma.sources.%s: no cell has a surface of electrode %s",
                   s->c->file, from->is->name, from->is->wall);
  return from->status;
}

static int add(struct sources *o, const struct wn_sim *s, size_t i)
{
  const struct wn_config *c = s->c;
  const struct wn_cfg_source *is = &c->plasma.sources[i];
  struct source *from = &o->source[o->n++];
  *from = (struct source){.is = is,
                          .number = (uint32_t)i,
                          .species = (size_t)wn_source_species(c, is),
                          .pair = wn_source_pair(c, is),
                          .side = wn_source_side(c, is),
                          .inside = wn_source_electrode(c, is)};
  from->per_s = wn_source_rate(c, is) / wn_loading_weight(c, &c->species[from->species]);
  WN_TRY(from->inside >= 0 ? find_pieces(s, from) : WN_OK);
  WN_TRY(want(o, s, from->species));
  return from->pair >= 0 ? want(o, s, (size_t)from->pair) : WN_OK;
}

/* Arrays for E from a GPU. */
static int room_for_field(struct sources *o, const struct wn_sim *s)
{
  const struct wn_grid_view g = wn_plasma_grid(s->c);
  size_t nodes = 1;
  if (s->gpu == NULL)
    return WN_OK;
  for (int d = 0; d < g.dim; d++)
    nodes *= (size_t)g.cells[d] + 1;
  o->component = wn_alloc(nodes, sizeof *o->component);
  o->e = wn_alloc((size_t)wn_grid_nodes(&g) * (size_t)g.stride, sizeof *o->e);
  return o->e != NULL && o->component != NULL ? WN_OK : WN_ENOMEM;
}

static int create(struct wn_sim *s, struct wn_operator **out)
{
  const struct wn_config *c = s->c;
  if (c->model != WN_MODEL_PLASMA || c->plasma.n_sources == 0)
    return WN_OK;
  struct sources *o = wn_alloc(1, sizeof *o);
  if (o == NULL)
    return WN_ENOMEM;
  o->operator.ops = & wn_operator_sources;
  int status = room_for_field(o, s);
  for (size_t i = 0; i < c->plasma.n_sources && status == WN_OK; i++)
    status = add(o, s, i);
  if (status != WN_OK) {
    destroy(&o->operator);
    return status;
  }
  *out = &o->operator;
  return WN_OK;
}

const struct wn_operator_ops wn_operator_sources = {
    .create = create,
    .apply = apply,
    .free = destroy,
};
