/* src/sim/wall_hits.c - see wall_hits.h. */
#include "src/sim/wall_hits.h"
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "physics/mcc_grid.h"
#include "src/config/distributions.h"
#include "src/sim/operators.h"

extern const struct wn_operator_ops wn_operator_wall_hits;

struct hits {
  struct wn_operator operator; /* the head of every operator */
  int wanted[WN_MAX_SPECIES];
  size_t n[WN_MAX_SPECIES], room[WN_MAX_SPECIES];
  struct wn_wall_hit *hit[WN_MAX_SPECIES];
};

static struct hits *of(struct wn_operator *o)
{
  return (struct hits *)(void *)o;
}

static int create(struct wn_sim *s, struct wn_operator **out)
{
  const struct wn_config *c = s->c;
  struct hits *h = NULL;
  for (size_t i = 0; c->model == WN_MODEL_PLASMA && i < c->plasma.n_distributions; i++) {
    const struct wn_cfg_distribution *d = &c->plasma.distributions[i];
    if (d->wall == NULL)
      continue;
    if (h == NULL && (h = wn_alloc(1, sizeof *h)) == NULL)
      return WN_ENOMEM;
    h->operator.ops = & wn_operator_wall_hits;
    *out = &h->operator;
    h->wanted[wn_distribution_species(c, d)] = 1;
  }
  return WN_OK;
}

static int push(struct hits *h, size_t k, const struct wn_wall_hit *one)
{
  if (h->n[k] == h->room[k]) {
    const size_t room = 2 * h->room[k] + 64;
    struct wn_wall_hit *more = wn_realloc(h->hit[k], room, sizeof *more);
    if (more == NULL)
      return WN_ENOMEM;
    h->hit[k] = more;
    h->room[k] = room;
  }
  h->hit[k][h->n[k]++] = *one;
  return WN_OK;
}

/* Electrons and ions that collide; those that were attached were taken by no side. */
static int take_electrons(struct hits *h, size_t k, const struct wn_particles *p)
{
  const struct wn_electron *e = wn_particles_electrons(p);
  for (size_t i = 0; i < p->n; i++)
    if (e[i].t_left < 0.0f && e[i].at[0] == WN_POINT_DEAD) {
      const struct wn_wall_hit one = {.u = {e[i].u[0], e[i].u[1], e[i].u[2]},
                                      .w = e[i].w,
                                      .side = wn_mcc_grid_ended_side(&e[i])};
      WN_TRY(push(h, k, &one));
    }
  return WN_OK;
}

static int take_points(struct hits *h, size_t k, const struct wn_particles *p,
                       const struct wn_points *m)
{
  const int dim = wn_point_dim(m->kind), n_v = wn_point_velocities(m->kind);
  for (size_t i = 0; i < p->n; i++) {
    const union wn_word *r = wn_particles_at(p, i);
    int32_t x[3];
    struct wn_wall_hit one = {.u = {0.0f, 0.0f, 0.0f}};
    if (r[0].i >= 0)
      continue;
    wn_point_load(dim, n_v, r, x, one.u, &one.w);
    one.side = wn_point_ended_side(r);
    WN_TRY(push(h, k, &one));
  }
  return WN_OK;
}

/* No pass over the particles if none died. */
static int apply(struct wn_operator *o, struct wn_sim *s)
{
  struct hits *h = of(o);
  for (size_t k = 0; k < s->n_species; k++) {
    const struct wn_species *one = s->species[k];
    h->n[k] = 0;
    if (!h->wanted[k] || one->tally.n_deaths == one->before.n_deaths)
      continue;
    /* model collisionless has records without t_left, and struct wn_points as its data */
    WN_TRY(one->p.record.no_t_left ? take_points(h, k, &one->p, one->model.data)
                                   : take_electrons(h, k, &one->p));
  }
  return WN_OK;
}

void wn_wall_hits(const struct wn_sim *s, size_t k, const struct wn_wall_hit **hit,
                  size_t *n)
{
  *hit = NULL;
  *n = 0;
  for (size_t i = 0; i < s->n_operators; i++)
    if (s->operators[i]->ops == &wn_operator_wall_hits) {
      *hit = of(s->operators[i])->hit[k];
      *n = of(s->operators[i])->n[k];
    }
}

static void destroy(struct wn_operator *o)
{
  for (size_t k = 0; k < WN_MAX_SPECIES; k++)
    free(of(o)->hit[k]);
  free(o);
}

const struct wn_operator_ops wn_operator_wall_hits = {
    .create = create,
    .apply = apply,
    .free = destroy,
};
