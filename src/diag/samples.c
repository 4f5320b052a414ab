/* src/diag/samples.c - diagnostic `samples`: positions and velocities of some particles of each species
 * at given times, at a constant stride in the store: for pictures of phase space. */
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "physics/mover.h"
#include "src/config/plasma_derived.h"
#include "src/diag/diag.h"
#include "src/sim/loading.h"
#include "src/sim/plasma.h"

struct wn_diag {
  size_t n_samples, taken;
  size_t every;  /* steps from sample to sample */
  double *x, *u; /* [particles of a sample][dim], [..][velocities] */
};

static size_t n_samples(const struct wn_config *c)
{
  return c->plasma.particles_interval == WN_AUTO
             ? 0
             : c->plasma.steps / wn_plasma_every(c, c->plasma.particles_interval);
}

/* Particles of species k in a sample: for a growing species the full number requested. */
static size_t n_of(const struct wn_config *c, size_t k)
{
  const size_t n = wn_loading_number(c, &c->species[k]),
               most = c->plasma.particles_sample;
  return n < most && !wn_plasma_grows(c, k) ? n : most;
}

static int define_one(struct wn_output *o, const struct wn_config *c, size_t k,
                      const char *what, const char *units, const char *long_name,
                      const char *components)
{
  char *name = wn_asprintf("%s_%s", what, c->species[k].name),
       *dim = wn_asprintf("particle_%s", c->species[k].name);
  char *text = wn_asprintf("%s of some %s", long_name, c->species[k].name);
  const struct wn_output_var v = {WN_VAR(name, units, text),
                                  WN_DIMS("sample_time", dim, components)};
  int status =
      name != NULL && dim != NULL && text != NULL ? wn_output_define(o, &v) : WN_ENOMEM;
  free(text);
  free(name);
  free(dim);
  return status;
}

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  (void)g;
  if (n_samples(c) == 0)
    return WN_OK;
  static const struct wn_output_var time = {
      WN_VAR("sample_time", "s", "time of a sample of particles"),
      WN_DIMS("sample_time")};
  WN_TRY(wn_output_dim(o, "sample_time", n_samples(c)));
  WN_TRY(wn_output_dim(o, "axis", (size_t)c->plasma.dim));
  WN_TRY(wn_output_dim(o, "velocity_component", (size_t)c->plasma.velocities));
  WN_TRY(wn_output_define(o, &time));
  for (size_t k = 0; k < c->n_species; k++) {
    char *dim = wn_asprintf("particle_%s", c->species[k].name);
    if (n_of(c, k) == 0) {
      free(dim);
      continue;
    }
    int status = dim != NULL ? wn_output_dim(o, dim, n_of(c, k)) : WN_ENOMEM;
    free(dim);
    WN_TRY(status);
    WN_TRY(define_one(o, c, k, "position", "m", "positions", "axis"));
    WN_TRY(define_one(o, c, k, "velocity", "m s-1", "velocities times gamma",
                      "velocity_component"));
  }
  return WN_OK;
}

static void destroy(struct wn_diag *d)
{
  if (d != NULL) {
    free(d->x);
    free(d->u);
  }
  free(d);
}

static int create(const struct wn_sim *s, struct wn_diag **out)
{
  const struct wn_config *c = s->c;
  struct wn_diag *d = wn_alloc(1, sizeof *d);
  size_t most = 1;
  if (d == NULL)
    return WN_ENOMEM;
  d->n_samples = n_samples(c);
  d->every = d->n_samples > 0 ? wn_plasma_every(c, c->plasma.particles_interval) : 0;
  for (size_t k = 0; k < s->n_species && d->n_samples > 0; k++)
    most = n_of(c, k) > most ? n_of(c, k) : most;
  d->x = wn_alloc(3 * most, sizeof *d->x);
  d->u = wn_alloc(3 * most, sizeof *d->u);
  if (d->x == NULL || d->u == NULL) {
    destroy(d);
    return WN_ENOMEM;
  }
  *out = d;
  return WN_OK;
}

/* The particles of a species; missing ones, which have died or do not exist yet, are NAN.
 * Positions and u are words of a record, also of an electron record. */
static void take(struct wn_diag *d, const struct wn_sim *s, const struct wn_species *of,
                 size_t n)
{
  const int is_electron = wn_plasma_has_electrons(of);
  const struct wn_points *m = wn_plasma_points(of);
  const int dim = wn_point_dim(m->kind), n_v = wn_point_velocities(m->kind);
  const int first_u =
      is_electron ? (int)(offsetof(struct wn_electron, u) / sizeof(union wn_word)) : dim;
  double *x = d->x, *u = d->u;
  for (size_t i = 0; i < n; i++) {
    const size_t at = of->p.n > n ? (size_t)((double)i / (double)n * (double)of->p.n) : i;
    const union wn_word *r = at < of->p.n ? wn_particles_at(&of->p, at) : NULL;
    for (int a = 0; a < dim; a++)
      *x++ = r != NULL ? wn_axis_of_place(&s->geometry.axis[a],
                                          ldexp((double)r[a].i, -m->grid.bits[a]))
                       : NAN;
    for (int a = 0; a < n_v; a++)
      *u++ = r != NULL ? (double)r[first_u + a].f : NAN;
  }
}

static int put(struct wn_output *o, const char *what, const char *species, long record,
               const double *v)
{
  char *name = wn_asprintf("%s_%s", what, species);
  int status = name != NULL ? wn_output_put(o, name, record, v) : WN_ENOMEM;
  free(name);
  return status;
}

static int sample(struct wn_diag *d, const struct wn_sim *s, struct wn_output *o)
{
  if (d->taken >= d->n_samples || !wn_step_ends(&s->adaptive.clock, d->every))
    return WN_OK;
  const long record = (long)d->taken;
  WN_TRY(wn_output_put(o, "sample_time", record, &s->time));
  for (size_t k = 0; k < s->n_species; k++) {
    const char *name = s->c->species[k].name;
    const size_t n = n_of(s->c, k);
    if (n == 0)
      continue;
    WN_TRY(
        wn_particles_read(&s->species[k]->p)); /* from a GPU all, as any may be chosen */
    take(d, s, s->species[k], n);
    WN_TRY(put(o, "position", name, record, d->x));
    WN_TRY(put(o, "velocity", name, record, d->u));
  }
  d->taken++;
  return wn_output_sync(o);
}

static int state(struct wn_diag *d, struct wn_state *st)
{
  return WN_STATE(st, d->taken);
}

const struct wn_diag_ops wn_diag_samples = {
    .define = define,
    .create = create,
    .sample = sample,
    .state = state,
    .free = destroy,
};
