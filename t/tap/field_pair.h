/* t/tap/field_pair.h - a field `electrostatic` with its grids on the host and the same on the GPU, for tests that compare the two
 * (t0431, t0454), made step by step: field_pair_grid, what else the test wants in spec, field_pair_species, field_pair_make.  After
 * gpu_or_skip().  Inline: each uses a part. */
#ifndef WN_T_TAP_FIELD_PAIR_H
#define WN_T_TAP_FIELD_PAIR_H
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "fields/electrostatic.h"
#include "physics/constants.h"
#include "t/tap/gpu.h"
#include "t/tap/gpu_arrays.h"
#include "t/tap/grid.h"
#include "t/tap/tap.h"

#define FIELD_PAIR_SPECIES 3 /* at most */

struct field_pair {
  struct wn_electrostatic_spec spec;
  struct wn_field *host, *gpu;
  struct wn_particles p[FIELD_PAIR_SPECIES];
  size_t n, n_floats; /* nodes; floats of E for the particles, with the guards */
  char name[96];
};

/* Particles are absorbed where phi is held, and mirrored at every other Neumann side. */
static inline int field_pair_side(int potential, int side)
{
  return potential == WN_PERIODIC    ? WN_SIDE_PERIODIC
         : potential == WN_DIRICHLET ? WN_SIDE_ABSORB
         : potential == WN_OPEN      ? WN_SIDE_OPEN
         : side % 2 == 0             ? WN_SIDE_REFLECT
                                     : WN_SIDE_ABSORB;
}

/* Cells of 1 mm, for points of a kind (WN_POINT_...); side: enum wn_potential of each; method: enum wn_poisson_method; r-z where
 * is_radial.  All else of *s is 0. */
static inline void field_pair_grid(struct field_pair *s, int kind, int shape, int gather,
                                   const int32_t cells[3], const int side[6], int method,
                                   int is_radial)
{
  const int dim = wn_point_dim(kind);
  *s = (struct field_pair){.n = 1};
  struct wn_grid_view g = grid_make(dim, shape, gather, cells, 0, 0, 1e-3);
  s->spec.poisson = (struct wn_poisson_spec){
      .dim = dim, .method = (enum wn_poisson_method)method, .threads = 1};
  for (int i = 0; i < 2 * dim; i++) {
    s->spec.poisson.side[i] = (enum wn_potential)side[i];
    g.side[i] = field_pair_side(side[i], i);
  }
  for (int d = 0; d < dim; d++) {
    s->spec.poisson.cells[d] = (size_t)g.cells[d];
    s->n *= (size_t)g.cells[d] + 1;
  }
  wn_poisson_uniform(&s->spec.poisson, g.h);
  if (is_radial) {
    g.is_radial = 1;
    g.side[0] = WN_SIDE_REFLECT;
    s->spec.poisson.geometry.axis[0] =
        wn_axis_radial(g.cells[0], g.length[0], g.h[0], g.shape);
  }
  s->n_floats = (size_t)(wn_grid_nodes(&g) * g.stride);
  s->spec.grid = g;
}

/* The next species, n points drawn anew, every 89th of them dead: charge in elementary charges, mass in electron masses.  Its
 * charge density is so large that it gives volts, as the walls have. */
static inline void field_pair_species(struct field_pair *s, int kind, size_t n,
                                      double charge, double mass, int is_relativistic,
                                      int is_fixed)
{
  const size_t k = s->spec.n_species++;
  struct wn_points *m = &s->spec.points[k];
  s->spec.charge[k] = 1e6 * charge * WN_E;
  s->spec.fixed[k] = is_fixed;
  *m = (struct wn_points){.grid = s->spec.grid,
                          .kind = kind,
                          .relativistic = is_relativistic,
                          .charge = charge * WN_E,
                          .mass = mass * WN_ME};
  wn_points_prepare(m);
  WN_ASSERT(points_draw(&s->p[k], &s->spec.grid, kind, n, 1e6) == WN_OK);
  for (size_t i = 0; i < n; i += 89)
    ((union wn_word *)wn_particles_at(&s->p[k], i))->i = WN_POINT_DEAD;
}

/* Both fields; the particles go to the GPU, from where the host has them back when it wants them. */
static inline int field_pair_make(struct field_pair *s)
{
  WN_TRY(wn_electrostatic_create(&s->spec, &s->host));
  s->spec.gpu = gpu_device();
  WN_TRY(wn_electrostatic_create(&s->spec, &s->gpu));
  for (size_t k = 0; k < s->spec.n_species; k++)
    WN_TRY(wn_gpu_hold(gpu_device(), &s->p[k], 0.0));
  return WN_OK;
}

static inline void field_pair_clear(struct field_pair *s)
{
  if (s->host != NULL)
    s->host->ops->free(s->host);
  if (s->gpu != NULL)
    s->gpu->ops->free(s->gpu);
  for (size_t k = 0; k < FIELD_PAIR_SPECIES; k++)
    wn_particles_clear(&s->p[k]);
}

/* One of the two. */
static inline int field_pair_solve(struct field_pair *s, struct wn_field *f, double t,
                                   double dt)
{
  struct wn_particles *p[FIELD_PAIR_SPECIES];
  for (size_t k = 0; k < s->spec.n_species; k++)
    p[k] = &s->p[k];
  return f->ops->solve(f, p, s->spec.n_species, t, dt);
}

/* The step from 4 ns on, of 2 ns, which was the last, once more on the GPU. */
static inline void field_pair_again(struct field_pair *s)
{
  struct wn_field_view view;
  const size_t bytes = s->n_floats * sizeof(float);
  float *a = calloc(1, bytes), *b = calloc(1, bytes);
  WN_ASSERT(a != NULL && b != NULL);
  s->gpu->ops->view(s->gpu, &view);
  int status = gpu_array_get(gpu_device(), view.of.grid.e, a, bytes);
  if (status == WN_OK)
    status = field_pair_solve(s, s->gpu, 4e-9, 2e-9);
  if (status == WN_OK)
    status = gpu_array_get(gpu_device(), view.of.grid.e, b, bytes);
  ok(status == WN_OK && memcmp(a, b, bytes) == 0, "%s: the same bits twice", s->name);
  free(a);
  free(b);
}

/* Bytes that one more field takes on the GPU, and those that wn_electrostatic_gpu_bytes foretold. */
static inline int field_pair_takes(const struct field_pair *s, double *used, size_t *told)
{
  struct wn_field *f = NULL;
  const size_t there = wn_gpu_used(gpu_device());
  *told = wn_electrostatic_gpu_bytes(&s->spec, 1);
  const int status = wn_electrostatic_create(&s->spec, &f);
  *used = (double)(wn_gpu_used(gpu_device()) - there);
  if (f != NULL)
    f->ops->free(f);
  return status;
}

#endif
