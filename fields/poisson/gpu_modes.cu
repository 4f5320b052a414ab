/* fields/poisson/gpu_modes.cu - by sines and cosines along each axis: where all axes are periodic, by one
 * transform of all; otherwise along x, y, z, and back, by one transform of many lines each.  gpu_layout.h
 * describes the lines. */
#include "fields/poisson/gpu.cuh"
#include <stdlib.h>
#include "base/alloc.h"
#include "physics/constants.h"

typedef struct wn_poisson_lines lines;

/* The charge of the unknown nodes, and the terms of the walls beside them. */
static struct wn_poisson_source charge(const struct wn_poisson_transforms *p,
                                       const lines *t, const double *volt)
{
  struct wn_poisson_source s = wn_poisson_gpu_charge(&p->spec, volt);
  for (int d = 0; d < 3; d++)
    s.limit[d] = wn_poisson_gpu_source(&p->spec, t).limit[d];
  return s;
}

static int make_lambda(struct wn_poisson_transforms *p, int d)
{
  const size_t n = d < p->spec.dim ? wn_poisson_axis(&p->spec, d).n : 1;
  double *lambda = (double *)wn_alloc(n, sizeof *lambda);
  if (lambda == NULL)
    return WN_ENOMEM;
  lambda[0] = 0.0;
  if (d < p->spec.dim)
    wn_poisson_lambda(&p->spec, d, lambda);
  const int status = wn_poisson_gpu_lambda(p, d, lambda, n);
  free(lambda);
  return status;
}

static int prepare(struct wn_poisson_transforms *p)
{
  for (int d = 0; d < 3; d++)
    WN_TRY(make_lambda(p, d));
  for (int d = 0; d < p->spec.dim; d++)
    WN_TRY(wn_poisson_gpu_turns(p, d));
  return WN_OK;
}

static int create(struct wn_gpu *g, const struct wn_poisson_spec *spec,
                  struct wn_poisson_gpu **out)
{
  return wn_poisson_gpu_whole_create(g, spec, prepare, out);
}

/* ---- solve */

static int solve_together(struct wn_poisson_transforms *p, const double *rho, double *phi)
{
  const lines *forward = &p->layout.lines[0][0], *back = &p->layout.lines[0][1];
  const struct wn_poisson_lift none = {0, 0.0, 0.0};
  const struct wn_poisson_source s = charge(p, forward, NULL);
  const struct wn_poisson_target t = wn_poisson_gpu_potential(&p->spec, NULL, &none);
  WN_TRY(wn_poisson_load(p->gpu, &s, rho, forward, p->a));
  WN_TRY(wn_poisson_gpu_transform(p, forward, &p->solve[0][0], p->a, p->b));
  WN_TRY(wn_poisson_divide(p));
  WN_TRY(wn_poisson_gpu_transform(p, back, &p->solve[0][1], p->b, p->a));
  return wn_poisson_unload(p->gpu, back, p->a, &t, phi);
}

static int solve_by_axis(struct wn_poisson_transforms *p, const double *rho,
                         const double *volt, const struct wn_poisson_lift *lift,
                         double *phi)
{
  const lines(*l)[2] = p->layout.lines;
  const int dim = p->spec.dim;
  const struct wn_poisson_source s = charge(p, &l[0][0], volt);
  const struct wn_poisson_target t = wn_poisson_gpu_potential(&p->spec, volt, lift);
  WN_TRY(wn_poisson_load(p->gpu, &s, rho, &l[0][0], p->a));
  for (int d = 0; d < dim; d++) {
    if (d > 0)
      WN_TRY(wn_poisson_turn(p, &l[d - 1][0], &l[d][0]));
    WN_TRY(wn_poisson_gpu_transform(p, &l[d][0], &p->solve[d][0], p->a, p->b));
  }
  for (int d = dim; d-- > 0;) {
    WN_TRY(wn_poisson_turn(p, d == dim - 1 ? &l[d][0] : &l[d + 1][1], &l[d][1]));
    WN_TRY(wn_poisson_gpu_transform(p, &l[d][1], &p->solve[d][1], p->a, p->b));
  }
  return wn_poisson_unload(p->gpu, &l[0][1], p->b, &t, phi);
}

static int solve(struct wn_poisson_gpu *head, const double *rho, const double volt[6],
                 double *phi)
{
  struct wn_poisson_transforms *p = wn_poisson_gpu_transforms(head);
  struct wn_poisson_lift lift;
  WN_TRY(wn_poisson_lift(&p->spec, volt, &lift));
  return p->layout.together ? solve_together(p, rho, phi)
                            : solve_by_axis(p, rho, volt, &lift, phi);
}

/* ---- E */

static int has_modes(const struct wn_poisson_gpu *head, int d)
{
  return wn_poisson_gpu_transforms(head)->layout.field[d][0].n > 0;
}

static int field(struct wn_poisson_gpu *head, const double *phi, int d, double *e)
{
  struct wn_poisson_transforms *p = wn_poisson_gpu_transforms(head);
  const lines *forward = &p->layout.field[d][0], *back = &p->layout.field[d][1];
  const struct wn_poisson_source s = wn_poisson_gpu_source(&p->spec, forward);
  struct wn_poisson_target t = wn_poisson_gpu_target(&p->spec);
  t.wraps[d] = (int32_t)p->spec.cells[d];
  WN_TRY(wn_poisson_load(p->gpu, &s, phi, forward, p->a));
  WN_TRY(wn_poisson_gpu_transform(p, forward, &p->field[d][0], p->a, p->b));
  WN_TRY(wn_poisson_derive(p, forward));
  WN_TRY(wn_poisson_gpu_transform(p, back, &p->field[d][1], p->b, p->a));
  return wn_poisson_unload(p->gpu, back, p->a, &t, e);
}

const struct wn_poisson_gpu_ops wn_poisson_gpu_modes = {
    create, solve, wn_poisson_gpu_whole_free, has_modes, field};
