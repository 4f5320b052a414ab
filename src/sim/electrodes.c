/* src/sim/electrodes.c - operator: electrodes inside the grid absorb particles.  A particle that is in an
 * electrode (fields/electrodes.h) at the end of a step is removed, and counted at its surface as walls
 * count: number, charge in quanta, kinetic energy at the end of the step.  So are newborns of
 * the step, of ionization or photons, that are in one.
 *
 * What enters and leaves between two ends of steps is not seen: a way of length l cuts a sphere of
 * radius R off its edge unseen if it passes within l^2/(24 R) of it, on average over its place along
 * the way (the chord at the depth d is 2 sqrt(2 R d) long, and is missed with the probability 1 less chord
 * over l; derived here).  With a step of a tenth of R that is 4e-4 of R.  Electrodes are at least a
 * cell thick, and particles cross less than a cell in a step (src/sim/particle_bounds.h), so none passes
 * through.
 *
 * After walls and what they emit (src/sim/operators.c), whose places are at the walls.  Cells
 * without a node inside cost one look into a table of a byte for each cell. */
#include "src/sim/electrodes.h"
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "base/threads.h"
#include "fields/electrodes.h"
#include "particles/load_balance.h"
#include "src/config/electrode_shapes.h"
#include "src/config/plasma_derived.h"
#include "src/sim/operators.h"
#include "src/sim/plasma_points.h"

extern const struct wn_operator_ops wn_operator_electrodes;

/* Below so many particles one thread is faster than several. */
#define FEW 8192

struct absorbing {
  struct wn_operator operator; /* the head of every operator */
  struct wn_electrodes *inside;
};

static struct absorbing *of(struct wn_operator *o)
{
  return (struct absorbing *)(void *)o;
}

static int create_inside(const struct wn_config *c, struct wn_electrodes **out)
{
  const struct wn_electrostatic_spec spec = wn_plasma_field_spec(c);
  return wn_electrodes_create(&spec.poisson.geometry, spec.poisson.side, spec.shape,
                              spec.n_shapes, out);
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

/* A particle of either record. */
struct one {
  int32_t at[3];
  float u[3], w;
};

static struct one load(const struct wn_species *s, const struct wn_points *p, int n_v,
                       size_t i)
{
  struct one one = {{0, 0, 0}, {0.0f, 0.0f, 0.0f}, 1.0f};
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
  return one;
}

static void end(struct wn_species *s, size_t i)
{
  if (s->p.record.no_t_left)
    ((union wn_word *)wn_particles_at(&s->p, i))->i = WN_POINT_DEAD;
  else
    *wn_particles_t_left(&s->p, i) = WN_DEAD;
}

/* Ends all particles of a species that are in an electrode; tally: where they are counted, NULL: not.
 * Returns their number.  Sums are integers, so the order of the threads changes nothing. */
static uint64_t absorb(const struct wn_electrodes *e, struct wn_species *s, int threads,
                       struct wn_tally *tally)
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
    const struct one one = load(s, p, n_v, i);
    const int surface = surface_at(e, p, one.at);
    if (surface < 0)
      continue;
    end(s, i);
#ifdef _OPENMP
#pragma omp critical
#endif
    {
      n++;
      if (tally != NULL)
        wn_point_ended(p, n_v, one.u, one.w, surface, tally);
    }
  }
  (void)threads;
  return n;
}

static int apply(struct wn_operator *o, struct wn_sim *s)
{
  const int threads = wn_threads(s->c->threads);
  for (size_t k = 0; k < s->n_species; k++) {
    struct wn_species *of_k = s->species[k];
    struct wn_tally *tally = wn_species_sums(of_k);
    WN_TRY(wn_particles_host(&of_k->p));
    const uint64_t n = absorb(of(o)->inside, of_k, threads, tally);
    if (n == 0)
      continue;
    tally->n_deaths += n;
    wn_particles_touched(&of_k->p);
  }
  return WN_OK;
}

int wn_electrodes_clear_seeds(struct wn_sim *s)
{
  struct wn_electrodes *e = NULL;
  if (s->c->plasma.n_electrodes == 0)
    return WN_OK;
  WN_TRY(create_inside(s->c, &e));
  int status = WN_OK;
  for (size_t k = 0; k < s->n_species && status == WN_OK; k++) {
    struct wn_species *of_k = s->species[k];
    const size_t all = of_k->p.n;
    const uint64_t n = absorb(e, of_k, wn_threads(s->c->threads), NULL);
    if (n == 0)
      continue;
    wn_particles_touched(&of_k->p);
    status = wn_particles_compact(&of_k->p);
    if (status == WN_OK)
      status = wn_particles_within(&of_k->p);
    wn_log(WN_LOG_INFO,
           "%s: %llu of %zu particles of species %s would begin in an electrode, and are "
           "left out",
           s->c->file, (unsigned long long)n, all, s->c->species[k].name);
  }
  wn_electrodes_free(e);
  return status;
}

static void destroy(struct wn_operator *o)
{
  wn_electrodes_free(of(o)->inside);
  free(o);
}

static int create(struct wn_sim *s, struct wn_operator **out)
{
  if (s->c->model != WN_MODEL_PLASMA || s->c->plasma.n_electrodes == 0)
    return WN_OK;
  struct absorbing *a = wn_alloc(1, sizeof *a);
  if (a == NULL)
    return WN_ENOMEM;
  a->operator.ops = & wn_operator_electrodes;
  const int status = create_inside(s->c, &a->inside);
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
