/* src/sim/loading.c - see loading.h. */
#include "src/sim/loading.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"
#include "base/threads.h"
#include "physics/constants.h"
#include "physics/ion.h"
#include "physics/mover.h"
#include "physics/rng.h"
#include "physics/single_precision.h"
#include "src/config/plasma_derived.h"
#include "src/io/particle_file.h"

#define MAX_DRAWS 6 /* three for the place, three for the velocity */

/* The normal distribution function, and its inverse: Newton's method from the estimate of
 * Abramowitz and Stegun 26.2.23, on the smaller tail. */
static double normal(double x)
{
  return 0.5 * erfc(-x * sqrt(0.5));
}

static double normal_inverse(double p)
{
  double q = p < 0.5 ? p : 1.0 - p;
  if (q <= 0.0)
    return p < 0.5 ? -HUGE_VAL : HUGE_VAL;
  double t = sqrt(-2.0 * log(q));
  double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                     (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  for (int i = 0; i < 4; i++) /* x > 0 with upper tail q */
    x += (normal(-x) - q) / (exp(-0.5 * x * x) / sqrt(2.0 * WN_PI));
  return p < 0.5 ? -x : x;
}

struct loader {
  struct wn_particle_file file; /* of profile file */
  const struct wn_config *c;
  const struct wn_cfg_species *sp;
  const struct wn_grid_view *g;
  const struct wn_geometry *geometry;
  int dim, velocities; /* components of each */
  size_t k, n, bytes;
  double thermal, drift[3]; /* of u, m/s */
  double inv_nu;            /* s, for electrons that collide with the gas; 0: others */
  const struct wn_ion *ion; /* of the model of ions that collide; NULL: others */
};

/* The digits of i in the base, reversed after the radix point. */
static double radical_inverse(uint64_t i, unsigned base)
{
  double x = 0.0, part = 1.0 / base;
  for (; i > 0; i /= base, part /= base)
    x += part * (double)(i % base);
  return x;
}

/* Numbers in (0, 1) from which particle i follows. */
static void draw(const struct loader *l, size_t i, double u[MAX_DRAWS])
{
  static const unsigned base[MAX_DRAWS - 1] = {2, 3, 5, 7, 11};
  const int n = l->dim + l->velocities;
  if (l->sp->loading == WN_LOADING_QUIET) {
    u[0] = ((double)i + 0.5) / (double)l->n;
    for (int d = 1; d < n; d++) /* from 1 on: the point 0 has no normal */
      u[d] = radical_inverse((uint64_t)i + 1, base[d - 1]);
    return;
  }
  const uint64_t id = wn_rng_primary_id(l->c->seed, i, l->k);
  for (int block = 0; 4 * block < n; block++) {
    struct wn_rng4 r = wn_rng(l->c->seed, id, 0, WN_RNG_INITIAL, (uint32_t)block);
    for (int w = 0; w < 4 && 4 * block + w < n; w++)
      u[4 * block + w] = wn_u01(r.w[w]) + 0x1p-33;
  }
}

/* theta with theta + a (sin(theta + phase) - sin(phase)) = even: a uniform density of
 * `even` becomes 1 + a cos(theta + phase); 0 and every full turn are unchanged. */
static double perturbed(double even, double a, double phase)
{
  double theta = even, low = even - 2.0 * a, high = even + 2.0 * a;
  for (int i = 0; i < 60; i++) {
    double f = theta + a * (sin(theta + phase) - sin(phase)) - even;
    if (f > 0.0)
      high = theta;
    else
      low = theta;
    double next = theta - f / (1.0 + a * cos(theta + phase));
    if (!(next > low && next < high))
      next = 0.5 * (low + high);
    if (fabs(next - theta) <= 1e-15 * (1.0 + fabs(even)))
      break;
    theta = next;
  }
  return theta;
}

static void place_annulus(const struct loader *l, const double u[], double x[3])
{
  const struct wn_cfg_species *sp = l->sp;
  double r0 = sp->radius[0], r1 = sp->radius[1];
  double r = sqrt(r0 * r0 + u[1] * (r1 * r1 - r0 * r0));
  double angle = 2.0 * WN_PI * u[0], l_mode = (double)sp->mode[0];
  if (sp->amplitude > 0.0 && l_mode != 0.0)
    angle = perturbed(l_mode * angle, sp->amplitude, sp->phase) / l_mode;
  const double along_r[2] = {cos(angle), sin(angle)};
  for (int d = 0; d < 2; d++)
    x[d] = sp->centre[d] + r * along_r[d];
}

static void place(const struct loader *l, const double u[], double x[3])
{
  const struct wn_cfg_plasma *p = &l->c->plasma;
  const struct wn_cfg_species *sp = l->sp;
  double even = 0.0, k2 = 0.0, k[3];
  for (int d = 0; d < l->dim; d++) {
    double from, to;
    x[d] = wn_axis_even(&l->geometry->axis[d], u[d]);
    if (!wn_loading_along(l->c, sp, d, &from, &to))
      continue;
    double at = from + u[d] * (to - from);
    x[d] = sp->profile == WN_PROFILE_SLAB
               ? at * p->length[d]
               : sp->centre[d] + sp->width[d] * normal_inverse(at);
  }
  if (sp->profile == WN_PROFILE_ANNULUS) {
    place_annulus(l, u, x);
    return;
  }
  for (int d = 0; d < l->dim; d++) {
    k[d] = 2.0 * WN_PI * (double)sp->mode[d] / p->length[d];
    even += k[d] * x[d];
    k2 += k[d] * k[d];
  }
  if (sp->amplitude == 0.0 || k2 == 0.0)
    return;
  double shift = (perturbed(even, sp->amplitude, sp->phase) - even) / k2;
  for (int d = 0; d < l->dim; d++)
    x[d] += k[d] * shift;
}

/* A length in fixed point.  A place beyond a periodic axis by its perturbation, or beyond
 * a wall by rounding, is brought back. */
static int32_t fixed(const struct loader *l, int d, double x)
{
  const struct wn_grid_view *g = l->g;
  const int64_t parts = (int64_t)g->cells[d] << g->bits[d];
  const int64_t i =
      (int64_t)floor(wn_axis_place(&l->geometry->axis[d], x) * (double)(1 << g->bits[d]));
  if (g->side[2 * d] == WN_SIDE_PERIODIC)
    return (int32_t)((i % parts + parts) % parts);
  return (int32_t)(i < 0 ? 0 : i >= parts ? parts - 1 : i);
}

/* Make the words of a record: physics/mover.h. */
static void make(const struct loader *l, size_t i, int32_t *record)
{
  double u[MAX_DRAWS], x[3] = {0.0, 0.0, 0.0};
  float *v = (float *)(void *)(record + l->dim);
  if (l->file.n > 0) {
    for (int d = 0; d < l->dim; d++)
      record[d] = fixed(l, d, l->file.x[i * (size_t)l->dim + (size_t)d]);
    for (int d = 0; d < l->velocities; d++)
      v[d] = (float)l->file.u[i * (size_t)l->velocities + (size_t)d];
  } else {
    draw(l, i, u);
    place(l, u, x);
    for (int d = 0; d < l->dim; d++)
      record[d] = fixed(l, d, x[d]);
    for (int d = 0; d < l->velocities; d++) {
      const double part = l->thermal > 0.0 ? normal_inverse(u[l->dim + d]) : 0.0;
      v[d] = (float)(l->drift[d] + l->thermal * part);
    }
  }
  if (l->bytes == 32)
    v[l->velocities] = 1.0f;
}

/* An electron or an ion that collides with the gas: the same place and velocity, an id,
 * and the time to its first candidate.  That of an electron is drawn as in
 * src/sim/primaries.c, but from a block that draw() does not use. */
static void make_electron(const struct loader *l, size_t i, struct wn_electron *e)
{
  int32_t point[8] = {0};
  make(l, i, point);
  *e = (struct wn_electron){.w = 1.0f,
                            .id = wn_rng_primary_id(l->c->seed, i, l->k),
                            .tag = (uint32_t)i & WN_TAG_LINEAGE_MASK};
  memcpy(e->at, point, (size_t)l->dim * sizeof *point);
  memcpy(e->u, point + l->dim, sizeof e->u);
  if (l->ion != NULL) {
    e->t_next = wn_ion_first_flight(l->ion, e->id, 0);
    return;
  }
  const struct wn_rng4 r = wn_rng(l->c->seed, e->id, 0, WN_RNG_INITIAL, 2);
  e->t_next = (float)((double)wn_exponential_f(r.w[0]) * l->inv_nu);
}

/* Particles outside the domain are an error: otherwise they would be moved silently. */
static int read_file(struct loader *l)
{
  const struct wn_cfg_plasma *p = &l->c->plasma;
  const size_t dim = (size_t)l->dim;
  WN_TRY(wn_particle_file_read(l->sp->path, dim, (size_t)l->velocities, &l->file));
  l->n = l->file.n;
  for (size_t i = 0; i < l->n * dim; i++) {
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
  struct loader l = {
      .c = c, .sp = s, .dim = c->plasma.dim, .velocities = c->plasma.velocities};
  const int status = read_file(&l);
  wn_particle_file_clear(&l.file);
  return status;
}

/* Append the particles of this rank; each is independent, so by all threads. */
static void fill(const struct loader *l, struct wn_particles *p)
{
  const size_t first = p->n, begin = wn_ranks_share(l->n, wn_rank(), wn_ranks()),
               n = wn_ranks_share(l->n, wn_rank() + 1, wn_ranks()) - begin;
#ifdef _OPENMP
  const int threads = wn_threads(l->c->threads);
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
  for (size_t i = 0; i < n; i++) {
    void *record = wn_particles_at(p, first + i);
    memset(record, 0, l->bytes);
    if (l->inv_nu > 0.0 || l->ion != NULL)
      make_electron(l, begin + i, record);
    else
      make(l, begin + i, record);
  }
  p->n = first + n;
}

int wn_load(const struct wn_config *c, size_t k, const struct wn_grid_view *g,
            struct wn_species *s)
{
  const struct wn_geometry geometry = wn_plasma_geometry(c);
  const struct wn_cfg_species *sp = &c->species[k];
  struct loader l = {
      .c = c,
      .sp = sp,
      .g = g,
      .geometry = &geometry,
      .dim = c->plasma.dim,
      .velocities = c->plasma.velocities,
      .k = k,
      .n = wn_loading_number(c, sp),
      .bytes = s->p.record.bytes,
      .thermal = sqrt(sp->temperature_ev * WN_E / sp->mass),
      .inv_nu = wn_config_is_electron(sp) ? (double)wn_species_mcc(s)->inv_nu : 0.0,
      .ion = wn_config_is_ion(sp) ? s->model.data : NULL};
  double v2 = 0.0;
  for (int d = 0; d < 3; d++)
    v2 += sp->drift[d] * sp->drift[d];
  double gamma = c->plasma.relativistic ? 1.0 / sqrt(1.0 - v2 / (WN_C * WN_C)) : 1.0;
  for (int d = 0; d < 3; d++)
    l.drift[d] = gamma * sp->drift[d];
  if (sp->profile == WN_PROFILE_FILE)
    WN_TRY(read_file(&l));
  int status = wn_particles_host(&s->p);
  if (status == WN_OK)
    status = wn_particles_reserve(&s->p, wn_ranks_share(l.n, wn_rank() + 1, wn_ranks()) -
                                             wn_ranks_share(l.n, wn_rank(), wn_ranks()));
  if (status == WN_OK)
    fill(&l, &s->p);
  wn_particle_file_clear(&l.file);
  return status;
}
