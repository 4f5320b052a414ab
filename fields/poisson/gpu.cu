/* fields/poisson/gpu.cu - a solver on a GPU: its memory and plans, and the order of its
 * kernels.  gpu_layout.h describes the lines. */
#include "fields/poisson/gpu.cuh"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "fields/poisson/stencil.h"
#include "physics/constants.h"

typedef struct wn_poisson_lines lines;

/* ---- transforms */

/* A plan of `rank` axes; x has the lines l, the others are as they are. */
static int plan(struct wn_poisson_gpu *p, const lines *l, int rank,
                struct wn_poisson_plan *out)
{
  long long n[3], reals[3], modes[3], number = 1;
  const int from_reals = wn_poisson_lines_from_reals(l);
  size_t work = 0;
  for (int k = 0; k < rank; k++) { /* slowest axis first */
    const int d = rank - 1 - k;
    n[k] = rank == 1 ? l->m : l->extent[d];
    reals[k] = d == 0 ? l->row : l->extent[d];
    modes[k] = d == 0 ? l->row / 2 : l->extent[d];
  }
  for (int d = 0; d < 3 && rank == 1; d++)
    number *= d == l->along ? 1 : l->extent[d];
  WN_TRY(wn_cufft_check(p->cufft->create(&out->handle), "a plan"));
  out->is_made = 1;
  WN_TRY(wn_cufft_check(p->cufft->set_auto_allocation(out->handle, 0), "a plan"));
  WN_TRY(wn_cufft_check(p->cufft->make_plan_many(
                            out->handle, rank, n, from_reals ? reals : modes, 1,
                            from_reals ? l->row : l->row / 2, from_reals ? modes : reals,
                            1, from_reals ? l->row / 2 : l->row,
                            from_reals ? CUFFT_D2Z : CUFFT_Z2D, number, &work),
                        "a plan for lines of values"));
  p->work_bytes = work > p->work_bytes ? work : p->work_bytes;
  return wn_cufft_check(p->cufft->set_stream(out->handle, p->gpu->stream), "a plan");
}

int wn_poisson_gpu_transform(const struct wn_poisson_gpu *p, const lines *l,
                             const struct wn_poisson_plan *plan, double *from, double *to)
{
  return wn_cufft_check(
      wn_poisson_lines_from_reals(l)
          ? p->cufft->exec_d2z(plan->handle, from, (cufftDoubleComplex *)to)
          : p->cufft->exec_z2d(plan->handle, (cufftDoubleComplex *)from, to),
      "transform");
}

/* Plans of all axes at once use only the first lines. */
int wn_poisson_gpu_plans(struct wn_poisson_gpu *p)
{
  const struct wn_poisson_layout *l = &p->layout;
  const int rank = l->way == WN_POISSON_TOGETHER ? p->spec.dim : 1;
  for (int d = 0; d < 3; d++)
    for (int back = 0; back < 2; back++) {
      if (l->lines[d][back].n > 0)
        WN_TRY(plan(p, &l->lines[d][back], rank, &p->solve[d][back]));
      if (l->field[d][back].n > 0)
        WN_TRY(plan(p, &l->field[d][back], 1, &p->field[d][back]));
    }
  WN_TRY(wn_gpu_alloc(p->gpu, "transforms", p->work_bytes, &p->work));
  for (int d = 0; d < 3; d++)
    for (int back = 0; back < 2; back++) {
      if (p->solve[d][back].is_made)
        WN_TRY(wn_cufft_check(p->cufft->set_work_area(p->solve[d][back].handle, p->work),
                              "a plan"));
      if (p->field[d][back].is_made)
        WN_TRY(wn_cufft_check(p->cufft->set_work_area(p->field[d][back].handle, p->work),
                              "a plan"));
    }
  return WN_OK;
}

/* ---- nodes and lines */

static struct wn_poisson_box box(const struct wn_poisson_gpu *p)
{
  struct wn_poisson_box b = {{0, 0, 0}, {0, 0, 0}, {1, 1, 1}};
  int64_t step = 1;
  for (int d = 0; d < p->spec.dim; d++) {
    b.step[d] = step;
    b.nodes[d] = (int32_t)p->spec.cells[d] + 1;
    step *= b.nodes[d];
  }
  return b;
}

/* All nodes of the lines, unchanged. */
static struct wn_poisson_source source(const struct wn_poisson_gpu *p, const lines *t)
{
  struct wn_poisson_source s = {
      box(p), {0, 0, 0}, {0, 0, 0}, 1.0, {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}};
  for (int d = 0; d < 3; d++)
    s.limit[d] = t->extent[d] < s.box.nodes[d] ? t->extent[d] : s.box.nodes[d];
  return s;
}

static struct wn_poisson_target target(const struct wn_poisson_gpu *p)
{
  struct wn_poisson_target t = {
      box(p), {0, 0, 0}, 0, {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, {0, 0.0, 0.0}};
  return t;
}

/* The charge of the unknown nodes, and the terms of the walls beside them. */
static struct wn_poisson_source charge(const struct wn_poisson_gpu *p, const lines *t,
                                       const double *volt)
{
  const struct wn_poisson_spec *spec = &p->spec;
  struct wn_poisson_source s = source(p, t);
  s.divisor = WN_EPS0;
  for (int side = 0; side < 2 * spec->dim; side++) {
    const int d = side / 2;
    s.box.first[d] = (int32_t)wn_poisson_axis(spec, d).first;
    if (spec->side[side] == WN_DIRICHLET && spec->method != WN_POISSON_SPECTRAL)
      s.wall[side] = volt[side] / (wn_poisson_h(spec, d) * wn_poisson_h(spec, d));
  }
  return s;
}

static struct wn_poisson_target potential(const struct wn_poisson_gpu *p,
                                          const double *volt,
                                          const struct wn_poisson_lift *lift)
{
  const struct wn_poisson_spec *spec = &p->spec;
  struct wn_poisson_target t = target(p);
  t.lift = *lift;
  t.lift.rise /= (double)spec->cells[lift->axis];
  for (int side = 0; side < 2 * spec->dim; side++) {
    const int d = side / 2;
    if (spec->side[side] == WN_PERIODIC)
      t.wraps[d] = (int32_t)spec->cells[d];
    if (spec->side[side] == WN_DIRICHLET) {
      t.held |= 1 << side;
      t.volt[side] = volt[side];
    }
    t.box.first[d] = (int32_t)wn_poisson_axis(spec, d).first;
  }
  return t;
}

/* ---- free space */

static int make_green(struct wn_poisson_gpu *p)
{
  const struct wn_poisson_layout *l = &p->layout;
  const lines *t = &l->lines[0][0];
  const size_t bytes = l->nodes * sizeof(double);
  struct wn_poisson_source s = source(p, t);
  double *g = (double *)wn_alloc(l->nodes, sizeof *g);
  if (g == NULL)
    return WN_ENOMEM;
  for (int d = 0; d < p->spec.dim; d++)
    s.is_even[d] = 1;
  wn_poisson_green(&p->spec, g);
  int status = wn_gpu_array(p->gpu, "Green function", l->nodes, &p->green);
  if (status == WN_OK)
    status = wn_gpu_check(
        (int)cudaMemcpyAsync(p->green, g, bytes, cudaMemcpyHostToDevice, p->gpu->stream),
        "Green function");
  if (status == WN_OK)
    status = wn_poisson_load(p->gpu, &s, p->green, t, p->a);
  if (status == WN_OK)
    status = wn_poisson_gpu_transform(p, t, &p->solve[0][0], p->a, p->b);
  if (status == WN_OK)
    status = wn_poisson_keep_green(p);
  if (status == WN_OK)
    status = wn_gpu_wait(p->gpu, "Green function");
  free(g);
  return status;
}

/* ---- life */

int wn_poisson_gpu_lambda(struct wn_poisson_gpu *p, int d, const double *lambda, size_t n)
{
  WN_TRY(wn_gpu_array(p->gpu, "modes", n, &p->lambda[d]));
  p->n_lambda[d] = n;
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(p->lambda[d], lambda, n * sizeof *lambda,
                                           cudaMemcpyHostToDevice, p->gpu->stream),
                      "modes"));
  return wn_gpu_wait(p->gpu, "modes");
}

static int make_lambda(struct wn_poisson_gpu *p, int d)
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

/* exp(i pi k / 2n) for the lines of an axis between a wall and a mirror. */
int wn_poisson_gpu_turns(struct wn_poisson_gpu *p, int d)
{
  lines *l = p->layout.lines[d];
  const size_t bytes = (size_t)l->row * sizeof(double);
  if (l->n == 0 || l->kind != WN_FFT_COSINES_HALF)
    return WN_OK;
  double *turns = (double *)wn_alloc((size_t)l->row, sizeof *turns);
  if (turns == NULL)
    return WN_ENOMEM;
  for (int64_t k = 0; 2 * k < l->row; k++) {
    const double angle = 0.5 * WN_PI * (double)k / (double)l->n;
    turns[2 * k] = cos(angle);
    turns[2 * k + 1] = sin(angle);
  }
  int status = wn_gpu_array(p->gpu, "modes", (size_t)l->row, &p->turns[d]);
  if (status == WN_OK)
    status = wn_gpu_check((int)cudaMemcpyAsync(p->turns[d], turns, bytes,
                                               cudaMemcpyHostToDevice, p->gpu->stream),
                          "modes");
  if (status == WN_OK)
    status = wn_gpu_wait(p->gpu, "modes");
  free(turns);
  l[0].turns = l[1].turns = p->turns[d];
  return status;
}

static int allocate(struct wn_poisson_gpu *p)
{
  const struct wn_poisson_layout *l = &p->layout;
  const int is_open = wn_poisson_is_open(&p->spec);
  WN_TRY(wn_gpu_use(p->gpu));
  p->norm = 1.0;
  p->floats = wn_poisson_is_floating(&p->spec);
  if (l->way == WN_POISSON_DIRECT)
    return WN_OK;
  WN_TRY(wn_cufft_open(&p->cufft));
  WN_TRY(wn_gpu_array(p->gpu, "transforms", l->buffer, &p->a));
  WN_TRY(wn_gpu_array(p->gpu, "transforms", l->buffer, &p->b));
  for (int d = 0; d < p->spec.dim; d++) /* as wn_fft_norm */
    p->norm *= l->way == WN_POISSON_TOGETHER
                   ? (double)l->lines[0][0].extent[d]
                   : (double)l->lines[d][0].m *
                         (l->lines[d][0].kind == WN_FFT_COSINES_HALF ? 2.0 : 1.0);
  WN_TRY(wn_poisson_gpu_plans(p));
  if (is_open)
    return make_green(p);
  for (int d = 0; d < 3; d++)
    WN_TRY(make_lambda(p, d));
  for (int d = 0; d < p->spec.dim; d++)
    WN_TRY(wn_poisson_gpu_turns(p, d));
  return WN_OK;
}

void wn_poisson_gpu_free(struct wn_poisson_gpu *p)
{
  if (p == NULL)
    return;
  if (wn_gpu_works(p->gpu)) {
    for (int i = 0; i < 6; i++) {
      if (p->solve[i / 2][i % 2].is_made)
        wn_cufft_check(p->cufft->destroy(p->solve[i / 2][i % 2].handle), "a plan");
      if (p->field[i / 2][i % 2].is_made)
        wn_cufft_check(p->cufft->destroy(p->field[i / 2][i % 2].handle), "a plan");
    }
    for (int d = 0; d < 3; d++) {
      wn_gpu_release(p->gpu, p->lambda[d], p->n_lambda[d] * sizeof(double));
      wn_gpu_release(p->gpu, p->turns[d],
                     (size_t)p->layout.lines[d][0].row * sizeof(double));
    }
    wn_gpu_release(p->gpu, p->green, p->layout.nodes * sizeof(double));
    wn_gpu_release(p->gpu, p->a, p->layout.buffer * sizeof(double));
    wn_gpu_release(p->gpu, p->b, p->layout.buffer * sizeof(double));
    wn_gpu_release(p->gpu, p->work, p->work_bytes);
  }
  free(p);
}

int wn_poisson_gpu_create(struct wn_gpu *g, const struct wn_poisson_spec *spec,
                          struct wn_poisson_gpu **out)
{
  WN_TRY(wn_poisson_check_uniform(spec, "a GPU"));
  struct wn_poisson_gpu *p = (struct wn_poisson_gpu *)wn_alloc(1, sizeof *p);
  if (p == NULL)
    return WN_ENOMEM;
  p->gpu = g;
  p->spec = *spec;
  wn_poisson_layout(spec, &p->layout);
  int status = allocate(p);
  if (status != WN_OK) {
    wn_poisson_gpu_free(p);
    return status;
  }
  *out = p;
  return WN_OK;
}

/* ---- solve */

static int solve_together(struct wn_poisson_gpu *p, const double *rho, double *phi)
{
  const lines *forward = &p->layout.lines[0][0], *back = &p->layout.lines[0][1];
  const int is_open = wn_poisson_is_open(&p->spec);
  const struct wn_poisson_lift none = {0, 0.0, 0.0};
  struct wn_poisson_source s = source(p, forward);
  struct wn_poisson_target t = target(p);
  if (!is_open) {
    s = charge(p, forward, NULL);
    t = potential(p, NULL, &none);
  }
  WN_TRY(wn_poisson_load(p->gpu, &s, rho, forward, p->a));
  WN_TRY(wn_poisson_gpu_transform(p, forward, &p->solve[0][0], p->a, p->b));
  WN_TRY(is_open ? wn_poisson_convolve(p) : wn_poisson_divide(p));
  WN_TRY(wn_poisson_gpu_transform(p, back, &p->solve[0][1], p->b, p->a));
  return wn_poisson_unload(p->gpu, back, p->a, &t, phi);
}

static int solve_by_axis(struct wn_poisson_gpu *p, const double *rho, const double *volt,
                         const struct wn_poisson_lift *lift, double *phi)
{
  const lines(*l)[2] = p->layout.lines;
  const int dim = p->spec.dim;
  const struct wn_poisson_source s = charge(p, &l[0][0], volt);
  const struct wn_poisson_target t = potential(p, volt, lift);
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

int wn_poisson_gpu_solve(struct wn_poisson_gpu *p, const double *rho,
                         const double volt[6], double *phi)
{
  struct wn_poisson_lift lift;
  WN_TRY(wn_gpu_use(p->gpu));
  WN_TRY(wn_poisson_lift(&p->spec, volt, &lift));
  switch (p->layout.way) {
  case WN_POISSON_DIRECT:
    return wn_poisson_direct(p, rho, volt, phi);
  case WN_POISSON_TOGETHER:
    return solve_together(p, rho, phi);
  default:
    return solve_by_axis(p, rho, volt, &lift, phi);
  }
}

/* ---- E */

int wn_poisson_gpu_has_modes(const struct wn_poisson_gpu *p, int d, int staggered)
{
  return !staggered && p->layout.field[d][0].n > 0;
}

static int modal_field(struct wn_poisson_gpu *p, const double *phi, int d, double *e)
{
  const lines *forward = &p->layout.field[d][0], *back = &p->layout.field[d][1];
  const struct wn_poisson_source s = source(p, forward);
  struct wn_poisson_target t = target(p);
  t.wraps[d] = (int32_t)p->spec.cells[d];
  WN_TRY(wn_poisson_load(p->gpu, &s, phi, forward, p->a));
  WN_TRY(wn_poisson_gpu_transform(p, forward, &p->field[d][0], p->a, p->b));
  WN_TRY(wn_poisson_derive(p, forward));
  WN_TRY(wn_poisson_gpu_transform(p, back, &p->field[d][1], p->b, p->a));
  return wn_poisson_unload(p->gpu, back, p->a, &t, e);
}

/* One thread handles one entry at a time. */
static __global__ void field_kernel(const __grid_constant__ struct wn_poisson_spec s,
                                    const __grid_constant__ struct wn_poisson_box b,
                                    int d, int staggered, double per_h, size_t n,
                                    const double *WN_RESTRICT phi, double *WN_RESTRICT e)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    const int64_t at = (int64_t)i / b.step[d] % b.nodes[d];
    const struct wn_poisson_stencil w =
        wn_poisson_stencil_at((int64_t)s.cells[d], per_h, (int)s.side[2 * d],
                              (int)s.side[2 * d + 1], staggered, at);
    e[i] = wn_poisson_stencil_of(&w, b.step[d], phi + (int64_t)i - at * b.step[d]);
  }
}

int wn_poisson_gpu_field(struct wn_poisson_gpu *p, const double *phi, int d,
                         int staggered, double *e)
{
  WN_ASSERT(d >= 0 && d < p->spec.dim);
  WN_TRY(wn_gpu_use(p->gpu));
  if (wn_poisson_gpu_has_modes(p, d, staggered))
    return modal_field(p, phi, d, e);
  const size_t n = p->layout.nodes;
  field_kernel<<<wn_gpu_stride_blocks(p->gpu, n), WN_GPU_STRIDE_BLOCK, 0,
                 p->gpu->stream>>>(p->spec, box(p), d, staggered,
                                   1.0 / wn_poisson_h(&p->spec, d), n, phi, e);
  return wn_gpu_check((int)cudaGetLastError(), "field");
}
