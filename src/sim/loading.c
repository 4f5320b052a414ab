/* src/sim/loading.c - see loading.h. */
#include "src/sim/loading.h"
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "base/ranks.h"
#include "base/threads.h"
#include "device/gpu.h"
#include "physics/constants.h"
#include "physics/ion.h"
#include "src/config/plasma_derived.h"
#include "src/io/particle_file.h"

/* The particles of a file, and what is made of them. */
struct loader {
  struct wn_particle_file file; /* of profile file */
  const struct wn_config *c;
  const struct wn_cfg_species *sp;
  struct wn_loading is; /* physics/loading.h */
};

/* As wn_loading_point and wn_loading_electron, with place and velocity from the file. */
static void make_of_file(const struct loader *l, size_t i, void *record)
{
  const int dim = l->is.dim, velocities = l->is.velocities;
  const size_t k = (size_t)l->is.first + i;
  int32_t at[3] = {0, 0, 0};
  float v[3] = {0.0f, 0.0f, 0.0f};
  for (int d = 0; d < dim; d++)
    at[d] = wn_loading_fixed(&l->is, d, l->file.x[k * (size_t)dim + (size_t)d]);
  for (int d = 0; d < velocities; d++)
    v[d] = (float)l->file.u[k * (size_t)velocities + (size_t)d];
  if (l->is.collides) {
    struct wn_electron *e = record;
    wn_loading_name(&l->is, i, e);
    memcpy(e->at, at, sizeof at);
    memcpy(e->u, v, sizeof v);
  } else {
    union wn_word *r = record;
    wn_loading_point_of(dim, velocities, at, v, r);
    if (l->file.w != NULL) /* only where the record has one */
      r[dim + velocities].f = (float)l->file.w[k];
  }
}

static void make(const struct loader *l, size_t i, void *record)
{
  const struct wn_loading *is = &l->is;
  if (l->file.n > 0)
    make_of_file(l, i, record);
  else if (is->collides)
    wn_loading_electron(is, is->dim, is->velocities, i, record);
  else
    wn_loading_point(is, is->dim, is->velocities, i, record);
}

/* Particles outside the domain are an error: otherwise they would be moved silently. */
static int read_file(struct loader *l)
{
  const struct wn_cfg_plasma *p = &l->c->plasma;
  const size_t dim = (size_t)p->dim;
  WN_TRY(wn_particle_file_read(l->sp->path, dim, (size_t)p->velocities, &l->file));
  if (l->file.w != NULL && (l->sp->collisions != WN_COLLISIONS_NONE ||
                            !wn_point_weighs(p->dim, p->velocities))) {
    wn_particle_file_clear(&l->file);
    return WN_FAIL(WN_EINPUT,
                   "%s: variable `weight` needs particles with a weight: without "
                   "collisions, in two or three dimensions with plasma.velocities = 3",
                   l->sp->path);
  }
  if (l->file.w != NULL && l->c->n_reactions > 0) { /* of particles of equal weight */
    wn_particle_file_clear(&l->file);
    return WN_FAIL(WN_EINPUT, "%s: variable `weight` is not available with `reactions`",
                   l->sp->path);
  }
  for (size_t i = 0; i < l->file.n * dim; i++) {
    const double x = l->file.x[i], length = p->length[i % dim];
    if (x >= 0.0 && x <= length)
      continue;
    wn_particle_file_clear(&l->file);
    return WN_FAIL(
        WN_EINPUT,
        "%s: particle %zu (from 0) is at %.6g m along %c, outside of 0 to %.6g m",
        l->sp->path, i / dim, x, "xyz"[i % dim], length);
  }
  return WN_OK;
}

int wn_loading_check_file(const struct wn_config *c, const struct wn_cfg_species *s)
{
  struct loader l = {.c = c, .sp = s};
  const int status = read_file(&l);
  wn_particle_file_clear(&l.file);
  return status;
}

/* Append n particles; each is independent, so by all threads. */
static void fill(const struct loader *l, struct wn_particles *p, size_t n)
{
  const size_t first = p->n;
#ifdef _OPENMP
  const int threads = wn_threads(l->c->threads);
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
  for (size_t i = 0; i < n; i++)
    make(l, i, wn_particles_at(p, first + i));
  p->n = first + n;
}

static int fill_here(const struct loader *l, struct wn_particles *p, size_t n)
{
  WN_TRY(wn_particles_host(p));
  WN_TRY(wn_particles_reserve(p, n));
  fill(l, p, n);
  return WN_OK;
}

struct wn_loading wn_loading_of(const struct wn_config *c, size_t k,
                                const struct wn_species *s)
{
  const struct wn_geometry geometry = wn_plasma_geometry(c);
  const struct wn_grid_view g = wn_plasma_grid(c);
  const struct wn_cfg_plasma *p = &c->plasma;
  const struct wn_cfg_species *sp = &c->species[k];
  const struct wn_ion *ion = wn_config_is_ion(sp) ? s->model.data : NULL;
  struct wn_loading l = {
      .n = wn_loading_number(c, sp),
      .seed = c->seed,
      .species = k,
      .dim = p->dim,
      .velocities = p->velocities,
      .is_quiet = sp->loading == WN_LOADING_QUIET,
      .is_annulus = sp->profile == WN_PROFILE_ANNULUS || sp->profile == WN_PROFILE_RING,
      .crest = sp->ring[0],
      .spread = sp->ring[1],
      .radius = {sp->radius[0], sp->radius[1]},
      .amplitude = sp->amplitude,
      .phase = sp->phase,
      .thermal = sqrt(sp->temperature_ev * WN_E / sp->mass),
      .collides = wn_plasma_collides(c, k),
      .is_ion = ion != NULL,
      .inv_nu = ion != NULL                 ? (double)ion->inv_nu
                : wn_config_is_electron(sp) ? (double)wn_species_mcc(s)->inv_nu
                                            : 0.0};
  double v2 = 0.0;
  for (int d = 0; d < 3; d++)
    v2 += sp->drift[d] * sp->drift[d];
  double gamma = p->relativistic ? 1.0 / sqrt(1.0 - v2 / (WN_C * WN_C)) : 1.0;
  for (int d = 0; d < 3; d++)
    l.drift[d] = gamma * sp->drift[d];
  for (int d = 0; d < p->dim; d++) {
    l.axis[d] = geometry.axis[d];
    l.bits[d] = g.bits[d];
    l.is_periodic[d] = g.side[2 * d] == WN_SIDE_PERIODIC;
    l.centre[d] = sp->centre[d];
    l.width[d] = sp->width[d];
    l.k[d] = 2.0 * WN_PI * (double)sp->mode[d] / p->length[d];
    l.k2 += l.k[d] * l.k[d];
    const bool has = wn_loading_along(c, sp, d, &l.from[d], &l.to[d]);
    if (has && sp->weights == WN_WEIGHTS_PROFILE)
      l.weighs[d] = l.any_weighs = 1;
    else if (has)
      l.along[d] = sp->profile == WN_PROFILE_SLAB    ? WN_LOADING_PART
                   : sp->profile == WN_PROFILE_SHEET ? WN_LOADING_SHEET
                                                     : WN_LOADING_NORMAL;
  }
  if (l.is_annulus && l.amplitude > 0.0)
    l.turns = (double)sp->mode[0];
  if (l.k2 == 0.0)
    l.amplitude = 0.0;
  wn_loading_prepare(&l);
  return l;
}

int wn_load(const struct wn_config *c, size_t k, struct wn_gpu *gpu, struct wn_species *s)
{
  const struct wn_cfg_species *sp = &c->species[k];
  struct loader l = {.c = c, .sp = sp, .is = wn_loading_of(c, k, s)};
  const int is_file = sp->profile == WN_PROFILE_FILE;
  if (is_file)
    WN_TRY(read_file(&l));
  if (is_file)
    l.is.n = l.file.n;
  l.is.first = wn_ranks_share((size_t)l.is.n, wn_rank(), wn_ranks());
  const size_t n =
      wn_ranks_share((size_t)l.is.n, wn_rank() + 1, wn_ranks()) - (size_t)l.is.first;
  const int status = gpu != NULL && !is_file ? wn_gpu_load(gpu, &s->p, &l.is, n)
                                             : fill_here(&l, &s->p, n);
  wn_particle_file_clear(&l.file);
  return status;
}
