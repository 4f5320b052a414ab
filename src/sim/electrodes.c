/* src/sim/electrodes.c - operator: electrodes and dielectrics inside the grid absorb particles.  A particle that is in an
 * electrode (fields/electrodes.h) at the end of a step is removed, and counted at its surface as walls
 * count: number, charge in quanta, kinetic energy at the end of the step.  So are newborns of
 * the step, of ionization or photons, that are in one.  What it emits for them leaves at the end of the step,
 * from the place where the last straight way of the particle came from the gas
 * (wn_electrodes_entry), with the laws of walls about the normal there (src/sim/emission.h).
 *
 * What enters and leaves between two ends of steps is not seen: a way of length l cuts a sphere of
 * radius R off its edge unseen if it passes within l^2/(24 R) of it, on average over its place along
 * the way (the chord at the depth d is 2 sqrt(2 R d) long, and is missed with the probability 1 less chord
 * over l; derived here).  With a step of a tenth of R that is 4e-4 of R.  Electrodes are at least a
 * cell thick, and particles cross less than a cell in a step (src/sim/particle_bounds.h), so none passes
 * through.
 *
 * A dielectric keeps the charge of what it takes, in quanta, at the place where it came in (fields/dielectrics.h); of
 * what it emits there the charge is missed.
 *
 * After walls and what they emit (src/sim/operators.c), whose places are at the walls.  Cells
 * without a node inside cost one look into a table of a byte for each cell. */
#include "src/sim/electrodes.h"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "base/threads.h"
#include "fields/electrodes.h"
#include "fields/electrostatic.h"
#include "particles/load_balance.h"
#include "physics/constants.h"
#include "src/config/electrode_shapes.h"
#include "src/config/internal.h"
#include "src/config/plasma_derived.h"
#include "src/sim/emission.h"
#include "src/sim/operators.h"
#include "src/sim/plasma_points.h"

extern const struct wn_operator_ops wn_operator_electrodes;

/* Below so many particles one thread is faster than several. */
#define FEW 8192

/* A particle in an electrode. */
struct hit {
  size_t i; /* in the store */
  int32_t at[3];
  float u[3], w;
  uint64_t id;
  uint32_t event;
  int surface;
};

struct hits {
  struct hit *hit;
  size_t n, room;
  int status; /* WN_ENOMEM once it could not grow */
};

struct absorbing {
  struct wn_operator operator;      /* the head of every operator */
  struct wn_ion_emission *for_ions; /* NULL: they emit nothing for these */
  struct wn_electron_emission *for_electrons;
  struct hits hits;     /* of a species in the step */
  int first_dielectric; /* its surface; those after it are dielectrics, too */
  int has_dielectrics;
  size_t emitted; /* species of what ions release */
};

static struct absorbing *of(struct wn_operator *o)
{
  return (struct absorbing *)(void *)o;
}

/* The surface of the electrode that has a place inside; -1: none. */
static int surface_at(const struct wn_electrodes *e, const struct wn_points *p,
                      const int32_t at[3])
{
  const struct wn_grid_view *g = &p->grid;
  double place[3] = {0.0, 0.0, 0.0};
  size_t cell = 0, step = 1;
  for (int d = 0; d < e->dim; d++) {
    const int32_t i = at[d] >> g->bits[d], last = g->cells[d] - 1;
    cell += (size_t)(i < last ? i : last) * step;
    step *= (size_t)g->cells[d];
  }
  if (!e->cell[cell])
    return -1;
  for (int d = 0; d < e->dim; d++)
    place[d] = (double)at[d] / (double)((int64_t)1 << g->bits[d]);
  return wn_electrodes_at(e, g->h, place);
}

static struct hit load(const struct wn_species *s, const struct wn_points *p, int n_v,
                       size_t i)
{
  struct hit one = {.i = i, .w = 1.0f};
  if (!wn_plasma_has_electrons(s)) {
    wn_point_load(p->grid.dim, n_v, wn_particles_at(&s->p, i), one.at, one.u, &one.w);
    return one;
  }
  const struct wn_electron *e = wn_particles_at(&s->p, i);
  for (int d = 0; d < 3; d++) {
    one.at[d] = e->at[d];
    one.u[d] = e->u[d];
  }
  one.w = e->w;
  one.id = e->id;
  one.event = e->event;
  return one;
}

/* Where it is kept for what the electrode emits. */
static void keep(struct hits *to, struct hit *one)
{
  if (to->n == to->room) {
    const size_t room = 2 * to->room + 64;
    struct hit *more = wn_realloc(to->hit, room, sizeof *more);
    if (more == NULL) {
      to->status = WN_ENOMEM;
      return;
    }
    to->hit = more;
    to->room = room;
  }
  to->hit[to->n++] = *one;
}

static void end(struct wn_species *s, size_t i)
{
  if (s->p.record.no_t_left)
    ((union wn_word *)wn_particles_at(&s->p, i))->i = WN_POINT_DEAD;
  else
    *wn_particles_t_left(&s->p, i) = WN_DEAD;
}

/* Ends all particles of a species that are in an electrode; tally: where they are counted, NULL: not; kept:
 * where they are put in any order, NULL: nowhere.  Returns their number.  Sums are integers, so the order of
 * the threads changes nothing. */
static uint64_t absorb(const struct wn_electrodes *e, struct wn_species *s, int threads,
                       struct wn_tally *tally, struct hits *kept)
{
  const struct wn_points *p = wn_plasma_points(s);
  const int n_v = wn_plasma_has_electrons(s) ? 3 : wn_point_velocities(p->kind);
  uint64_t n = 0;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static) if (s->p.n > FEW)
#endif
  for (size_t i = 0; i < s->p.n; i++) {
    if (wn_particles_is_dead(&s->p, i))
      continue;
    struct hit one = load(s, p, n_v, i);
    one.surface = surface_at(e, p, one.at);
    if (one.surface < 0)
      continue;
    if (kept != NULL && s->p.record.no_t_left)
      one.id = wn_point_name(wn_particles_at(&s->p, i), p->grid.dim + n_v);
    end(s, i);
#ifdef _OPENMP
#pragma omp critical
#endif
    {
      n++;
      if (tally != NULL)
        wn_point_ended(p, n_v, one.u, one.w, one.surface, tally);
      if (kept != NULL)
        keep(kept, &one);
    }
  }
  (void)threads;
  return n;
}

static int by_place(const void *a, const void *b)
{
  const size_t i = ((const struct hit *)a)->i, j = ((const struct hit *)b)->i;
  return i < j ? -1 : i > j;
}

/* One of species k: where it came in, and what is emitted there. */
static int emit(struct absorbing *a, const struct wn_sim *s, size_t k,
                const struct wn_electrodes *e, const struct hit *hit)
{
  const struct wn_species *of_k = s->species[k];
  const struct wn_points *p = wn_plasma_points(of_k);
  const struct wn_grid_view *g = &p->grid;
  struct wn_impact in = {.id = hit->id,
                         .event =
                             of_k->p.record.no_t_left ? (uint32_t)s->n_steps : hit->event,
                         .w = hit->w,
                         .surface = hit->surface,
                         .is_inside = 1};
  double place[3] = {0.0, 0.0, 0.0}, way[3], u2 = 0.0;
  for (int d = 0; d < 3; d++) {
    in.u[d] = hit->u[d];
    u2 += (double)hit->u[d] * (double)hit->u[d];
  }
  for (int d = 0; d < 3; d++)
    way[d] = (double)hit->u[d] * p->dt /
             (p->relativistic ? sqrt(1.0 + u2 / (WN_C * WN_C)) : 1.0);
  for (int d = 0; d < e->dim; d++)
    place[d] = ldexp((double)hit->at[d], -g->bits[d]);
  const int is_there = wn_electrodes_entry(e, g->h, g->is_radial, way, place, in.normal),
            keeps = hit->surface >= a->first_dielectric;
  if (keeps)
    wn_electrostatic_stick(s->field, k, place,
                           llrint((double)hit->w * (double)WN_QUANTA));
  if (!is_there)
    return WN_OK;
  for (int d = 0; d < 3; d++)
    in.at[d] = d < e->dim ? (int32_t)rint(ldexp(place[d], g->bits[d])) : hit->at[d];
  if (a->for_ions != NULL) {
    const wn_i128 *quanta =
        &wn_species_sums(s->species[a->emitted])->surface[hit->surface].quanta;
    const wn_i128 before = *quanta;
    WN_TRY(wn_ion_emission_take(a->for_ions, of_k, &in));
    if (keeps && *quanta != before)
      wn_electrostatic_stick(s->field, a->emitted, place, (int64_t)(*quanta - before));
  }
  return a->for_electrons != NULL && !keeps
             ? wn_electron_emission_take(a->for_electrons, k, &in)
             : WN_OK;
}

/* Those of a species: taken, and what is emitted for them in the order of the store. */
static int take(struct absorbing *a, struct wn_sim *s, size_t k,
                const struct wn_electrodes *e)
{
  struct wn_species *of_k = s->species[k];
  struct wn_tally *tally = wn_species_sums(of_k);
  struct hits *kept =
      a->for_ions != NULL || a->for_electrons != NULL || a->has_dielectrics ? &a->hits
                                                                            : NULL;
  a->hits.n = 0;
  WN_TRY(wn_particles_host(&of_k->p));
  const uint64_t n = absorb(e, of_k, wn_threads(s->c->threads), tally, kept);
  tally->n_deaths += n;
  if (n > 0)
    wn_particles_touched(&of_k->p);
  if (a->hits.n > 1)
    qsort(a->hits.hit, a->hits.n, sizeof *a->hits.hit, by_place);
  int status = a->hits.status;
  for (size_t i = 0; i < a->hits.n && status == WN_OK; i++)
    status = emit(a, s, k, e, &a->hits.hit[i]);
  return status;
}

static int apply(struct wn_operator *o, struct wn_sim *s)
{
  struct absorbing *a = of(o);
  const struct wn_electrodes *e = wn_field_electrodes(s->field);
  int status = WN_OK;
  if (a->for_ions != NULL)
    wn_ion_emission_begin(a->for_ions);
  if (a->for_electrons != NULL)
    wn_electron_emission_begin(a->for_electrons);
  for (size_t k = 0; k < s->n_species && status == WN_OK; k++)
    status = take(a, s, k, e);
  WN_TRY(wn_particles_room(status));
  if (a->has_dielectrics)
    wn_electrostatic_settle(s->field);
  for (size_t k = 0; k < s->n_species; k++)
    WN_TRY(wn_species_bring_together(s->species[k]));
  if (a->for_ions != NULL)
    WN_TRY(wn_ion_emission_end(a->for_ions));
  return a->for_electrons != NULL ? wn_electron_emission_end(a->for_electrons) : WN_OK;
}

int wn_electrodes_take(struct wn_sim *s, struct wn_species *of)
{
  const struct wn_electrodes *e = wn_field_electrodes(s->field);
  if (e == NULL)
    return WN_OK;
  WN_TRY(wn_particles_host(&of->p));
  struct wn_tally *tally = wn_species_sums(of);
  const uint64_t n = absorb(e, of, wn_threads(s->c->threads), tally, NULL);
  tally->n_deaths += n;
  if (n > 0)
    wn_particles_touched(&of->p);
  return WN_OK;
}

int wn_electrodes_clear_seeds(struct wn_sim *s)
{
  const struct wn_electrodes *e = wn_field_electrodes(s->field);
  if (e == NULL)
    return WN_OK;
  for (size_t k = 0; k < s->n_species; k++) {
    struct wn_species *of_k = s->species[k];
    const size_t all = of_k->p.n;
    const uint64_t n = absorb(e, of_k, wn_threads(s->c->threads), NULL, NULL);
    if (n == 0)
      continue;
    wn_particles_touched(&of_k->p);
    WN_TRY(wn_particles_compact(&of_k->p));
    WN_TRY(wn_particles_within(&of_k->p));
    wn_log(WN_LOG_INFO,
           "%s: %llu of %zu particles of species %s would begin in an electrode or "
           "dielectric, and are "
           "left out",
           s->c->file, (unsigned long long)n, all, s->c->species[k].name);
  }
  return WN_OK;
}

static void destroy(struct wn_operator *o)
{
  wn_ion_emission_free(of(o)->for_ions);
  wn_electron_emission_free(of(o)->for_electrons);
  free(of(o)->hits.hit);
  free(o);
}

static int create(struct wn_sim *s, struct wn_operator **out)
{
  const int first = 2 * s->geometry.dim, end = s->geometry.n_surfaces;
  if (s->c->model != WN_MODEL_PLASMA ||
      s->c->plasma.n_electrodes + s->c->plasma.n_dielectrics == 0)
    return WN_OK;
  struct absorbing *a = wn_alloc(1, sizeof *a);
  if (a == NULL)
    return WN_ENOMEM;
  a->operator.ops = & wn_operator_electrodes;
  a->first_dielectric = first + wn_electrode_shapes_electrodes(s->c);
  a->has_dielectrics = end > a->first_dielectric;
  for (size_t k = 0; k < s->n_species; k++)
    a->emitted = wn_config_is_emitted(s->c, k) ? k : a->emitted;
  int status = wn_ion_emission_create(s, first, end, &a->for_ions);
  if (status == WN_OK)
    status = wn_electron_emission_create(s, first, end, &a->for_electrons);
  if (status != WN_OK) {
    destroy(&a->operator);
    return status;
  }
  *out = &a->operator;
  return WN_OK;
}

const struct wn_operator_ops wn_operator_electrodes = {
    .create = create,
    .apply = apply,
    .free = destroy,
};
