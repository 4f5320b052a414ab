/* src/sim/electrodes.c - operator: electrodes and dielectrics inside the grid absorb particles.  A particle that is in an
 * electrode (fields/electrodes.h) at the end of a step is removed, and counted at its surface as walls
 * count: number, charge in quanta, kinetic energy at the end of the step.  So are newborns of
 * the step, of ionization or photons, that are in one.  What it emits for them leaves at the end of the step,
 * from the place where the last straight way of the particle came from the gas
 * (wn_electrodes_entry), with the laws of walls about the normal there (src/sim/secondary_emission.h).
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
 * without a node inside cost one look into a table of a byte for each cell.
 *
 * Particles on a GPU are found there, by the same function (physics/electrode_view.h).  Those that are in one come to the
 * host, which counts them and what is emitted for them. */
#include "src/sim/electrodes.h"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "base/threads.h"
#include "device/gpu.h"
#include "fields/electrodes.h"
#include "particles/load_balance.h"
#include "physics/constants.h"
#include "src/config/electrode_shapes.h"
#include "src/config/internal.h"
#include "src/config/plasma_derived.h"
#include "src/sim/operators.h"
#include "src/sim/plasma_points.h"
#include "src/sim/secondary_emission.h"

extern const struct wn_operator_ops wn_operator_electrodes;

/* Below so many particles one thread is faster than several. */
#define FEW 8192

struct hits {
  struct wn_electrode_hit *hit;
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
  struct wn_gpu *gpu;
  struct wn_gpu_copy shape, cell; /* of the view of a GPU, made when first needed */
};

static struct absorbing *of(struct wn_operator *o)
{
  return (struct absorbing *)(void *)o;
}

/* Whether particle i of a species, which lives, is in one. */
static int is_hit(const struct wn_electrode_view *v, const struct wn_species *s,
                  const struct wn_points *p, int n_v, size_t i,
                  struct wn_electrode_hit *hit)
{
  const void *record = wn_particles_at(&s->p, i);
  hit->i = i;
  return wn_plasma_has_electrons(s)
             ? wn_electrode_hit_electron(v, &p->grid, record, hit)
             : wn_electrode_hit_point(v, &p->grid, p->grid.dim, n_v, record, hit);
}

/* Where it is kept for what the electrode emits. */
static void keep(struct hits *to, const struct wn_electrode_hit *one)
{
  if (to->n == to->room) {
    const size_t room = 2 * to->room + 64;
    struct wn_electrode_hit *more = wn_realloc(to->hit, room, sizeof *more);
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

/* Ends all particles of a species on the host that are in an electrode; tally: where they are counted, NULL: not; kept:
 * where they are put in any order, NULL: nowhere.  Returns their number.  Sums are integers, so the order of
 * the threads changes nothing. */
static uint64_t absorb_here(const struct wn_electrodes *e, struct wn_species *s,
                            int threads, struct wn_tally *tally, struct hits *kept)
{
  const struct wn_points *p = wn_plasma_points(s);
  const struct wn_electrode_view view = wn_electrodes_view(e);
  const int n_v = wn_plasma_has_electrons(s) ? 3 : wn_point_velocities(p->kind);
  uint64_t n = 0;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static) if (s->p.n > FEW)
#endif
  for (size_t i = 0; i < s->p.n; i++) {
    struct wn_electrode_hit one;
    if (wn_particles_is_dead(&s->p, i) || !is_hit(&view, s, p, n_v, i, &one))
      continue;
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

/* The same on a GPU. */
static int absorb_there(struct absorbing *a, const struct wn_electrodes *e,
                        struct wn_species *s, struct wn_tally *tally, struct hits *kept,
                        uint64_t *n)
{
  const struct wn_points *p = wn_plasma_points(s);
  const int n_v = wn_plasma_has_electrons(s) ? 3 : wn_point_velocities(p->kind);
  struct wn_electrode_view view = wn_electrodes_view(e);
  struct wn_electrode_hit *hit = NULL;
  size_t cells = 1, found = 0;
  for (int d = 0; d < e->dim; d++)
    cells *= e->n[d] - 1;
  if (a->shape.at == NULL)
    WN_TRY(
        wn_gpu_copy(a->gpu, e->shape, (size_t)e->n_shapes * sizeof *e->shape, &a->shape));
  if (a->cell.at == NULL)
    WN_TRY(wn_gpu_copy(a->gpu, e->cell, cells, &a->cell));
  view.shape = a->shape.at;
  view.cell = a->cell.at;
  WN_TRY(wn_gpu_in_electrodes(a->gpu, &s->p, p, &view, &hit, &found));
  for (size_t i = 0; i < found; i++) {
    if (tally != NULL)
      wn_point_ended(p, n_v, hit[i].u, hit[i].w, hit[i].surface, tally);
    if (kept != NULL)
      keep(kept, &hit[i]);
  }
  *n = found;
  return WN_OK;
}

static struct absorbing *operator_of(const struct wn_sim *s)
{
  for (size_t i = 0; i < s->n_operators; i++)
    if (s->operators[i]->ops == &wn_operator_electrodes)
      return of(s->operators[i]);
  return NULL;
}

/* Where the particles are.  *n: their number. */
static int absorb(const struct wn_sim *s, struct wn_species *of_k, struct wn_tally *tally,
                  struct hits *kept, uint64_t *n)
{
  const struct wn_electrodes *e = wn_field_electrodes(s->field);
  struct absorbing *a = operator_of(s);
  if (a != NULL && a->gpu != NULL && of_k->p.n > 0 && of_k->p.place != WN_PARTICLES_HOST)
    WN_TRY(absorb_there(a, e, of_k, tally, kept, n));
  else
    *n = absorb_here(e, of_k, wn_threads(s->c->threads), tally, kept);
  if (*n > 0)
    wn_particles_touched(&of_k->p);
  return WN_OK;
}

static int by_place(const void *a, const void *b)
{
  const uint64_t i = ((const struct wn_electrode_hit *)a)->i,
                 j = ((const struct wn_electrode_hit *)b)->i;
  return i < j ? -1 : i > j;
}

/* One of species k: where it came in, and what is emitted there. */
static int emit(struct absorbing *a, const struct wn_sim *s, size_t k,
                const struct wn_electrodes *e, const struct wn_electrode_hit *hit)
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
    wn_field_stick(s->field, k, place, llrint((double)hit->w * (double)WN_QUANTA));
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
      wn_field_stick(s->field, a->emitted, place, (int64_t)(*quanta - before));
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
  uint64_t n = 0;
  a->hits.n = 0;
  WN_TRY(absorb(s, of_k, tally, kept, &n));
  tally->n_deaths += n;
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
    wn_field_settle(s->field);
  for (size_t k = 0; k < s->n_species; k++)
    WN_TRY(wn_species_bring_together(s->species[k]));
  if (a->for_ions != NULL)
    WN_TRY(wn_ion_emission_end(a->for_ions));
  return a->for_electrons != NULL ? wn_electron_emission_end(a->for_electrons) : WN_OK;
}

int wn_electrodes_take(struct wn_sim *s, struct wn_species *of)
{
  uint64_t n = 0;
  if (wn_field_electrodes(s->field) == NULL)
    return WN_OK;
  struct wn_tally *tally = wn_species_sums(of);
  WN_TRY(absorb(s, of, tally, NULL, &n));
  tally->n_deaths += n;
  return WN_OK;
}

int wn_electrodes_clear_seeds(struct wn_sim *s)
{
  if (wn_field_electrodes(s->field) == NULL)
    return WN_OK;
  for (size_t k = 0; k < s->n_species; k++) {
    struct wn_species *of_k = s->species[k];
    const size_t all = of_k->p.n;
    uint64_t n = 0;
    WN_TRY(absorb(s, of_k, NULL, NULL, &n));
    if (n == 0)
      continue;
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
  wn_gpu_copy_free(of(o)->gpu, &of(o)->shape);
  wn_gpu_copy_free(of(o)->gpu, &of(o)->cell);
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
  a->gpu = s->gpu;
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
