/* src/sim/ten_moments.c - see ten_moments.h. */
#include "src/sim/ten_moments.h"
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"
#include "base/threads.h"
#include "src/config/plasma_derived.h"
#include "src/sim/loading.h"
#include "src/sim/plasma_points.h"

#define SHARED 8192 /* particles from which on threads share them */

int wn_ten_moments_create(size_t nodes, struct wn_ten_moments *t)
{
  *t = (struct wn_ten_moments){
      .nodes = nodes, .value = wn_alloc(WN_TEN_MOMENTS * nodes, sizeof *t->value)};
  return t->value != NULL ? WN_OK : WN_ENOMEM;
}

void wn_ten_moments_clear(struct wn_ten_moments *t)
{
  free(t->value);
  t->value = NULL;
}

/* Largest |u_i| of the living particles on this host; what is no number is found later. */
static float largest_here(const struct wn_particles *p, const struct wn_node_values *what,
                          int threads)
{
  const int dim = what->grid.points.grid.dim,
            n_v = wn_point_velocities(what->grid.points.kind);
  float most = 0.0f;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) if (p->n >= SHARED) reduction(max : most)
#else
  (void)threads;
#endif
  for (size_t i = 0; i < p->n; i++) {
    struct wn_node_particle one = {.u = {0.0f, 0.0f, 0.0f}};
    if (wn_node_load(what->is_electron, dim, n_v, wn_particles_at(p, i), &one))
      most = fmaxf(most, wn_ten_moments_most(n_v, one.u));
  }
  return most;
}

/* e of the unit of velocity, the same on all ranks. */
static int exponent(const struct wn_config *c, struct wn_species *s,
                    const struct wn_node_values *what, int on_gpu, int *e)
{
  float most = 0.0f;
  if (on_gpu && s->p.batches != NULL) {
    WN_TRY(s->p.batches->largest_velocity(s->p.device, &s->p, what, &most));
  } else if (on_gpu) {
    WN_TRY(s->p.remote_ops->largest_velocity(s->p.remote, &s->p, what, &most));
  } else {
    WN_TRY(wn_particles_read(&s->p));
    most = largest_here(&s->p, what, wn_threads(c->threads));
  }
  double of_all = (double)most;
  wn_ranks_most(&of_all, 1);
  *e = wn_ten_moments_exponent((float)of_all);
  return WN_OK;
}

static void prepare(const struct wn_species *s, struct wn_node_values *what)
{
  wn_node_sums_prepare(s, what);
  what->what = WN_NODE_TEN;
  what->n = WN_TEN_MOMENTS;
}

int wn_ten_moments_expect(const struct wn_node_sums *m, struct wn_species *s,
                          int exponent)
{
  struct wn_node_values what;
  prepare(s, &what);
  what.per_unit = (double)wn_ten_moments_per_unit(exponent);
  return wn_node_sums_expect(m, s, &what);
}

int wn_ten_moments_take(struct wn_node_sums *m, const struct wn_config *c, size_t k,
                        struct wn_species *s, struct wn_ten_moments *t)
{
  const struct wn_points *points = wn_plasma_points(s);
  const double weight = wn_loading_weight(c, &c->species[k]);
  struct wn_node_values what;
  int on_gpu, e;
  WN_TRY(wn_node_sums_on_gpu(m, s, WN_TEN_MOMENTS, &on_gpu));
  prepare(s, &what);
  WN_TRY(exponent(c, s, &what, on_gpu, &e));
  if (e > WN_MOMENT_EXPONENT_MOST)
    return WN_FAIL(WN_ERUN, "a velocity of species %s is no number, or above 2^%d m/s",
                   c->species[k].name, WN_MOMENT_EXPONENT_MOST);
  what.per_unit = (double)wn_ten_moments_per_unit(e);
  for (int a = 0; a < WN_TEN_MOMENTS; a++) {
    what.odd[a] = wn_ten_moments_odd(a);
    what.unit[a] = wn_ten_moments_si(a, e, 1.0, points->mass);
  }
  WN_TRY(wn_node_sums_take(m, c, k, s, &what, on_gpu, t->value));
  t->exponent = e;
  t->quanta = wn_node_sums_total(m, WN_MOMENT_RHO);
  if (t->quanta >= (wn_i128)1 << 62)
    return WN_FAIL(
        WN_ERUN,
        "%.6g particles of species %s are too many for sums of moments, which "
        "could overflow: their range is 2^62 parts of 2^-20; take larger units "
        "of weight",
        (double)t->quanta / WN_QUANTA, c->species[k].name);
  for (int a = 0; a < WN_TEN_MOMENTS; a++)
    t->total[a] = (double)wn_node_sums_total(m, a) * what.unit[a] * (weight / WN_QUANTA);
  return WN_OK;
}
