/* fields/poisson/gpu_transforms.cu - transforms of many lines by cuFFT, with their memory and plans, for the
 * methods that are made of them.  gpu_layout.h describes the lines. */
#include "fields/poisson/gpu.cuh"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "physics/constants.h"

typedef struct wn_poisson_lines lines;

/* ---- transforms */

/* A plan of `rank` axes; x has the lines l, the others are as they are. */
static int plan(struct wn_poisson_transforms *p, const lines *l, int rank,
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

int wn_poisson_gpu_transform(const struct wn_poisson_transforms *p, const lines *l,
                             const struct wn_poisson_plan *plan, double *from, double *to)
{
  return wn_cufft_check(
      wn_poisson_lines_from_reals(l)
          ? p->cufft->exec_d2z(plan->handle, from, (cufftDoubleComplex *)to)
          : p->cufft->exec_z2d(plan->handle, (cufftDoubleComplex *)from, to),
      "transform");
}

/* Plans of all axes at once use only the first lines. */
int wn_poisson_gpu_plans(struct wn_poisson_transforms *p)
{
  const struct wn_poisson_layout *l = &p->layout;
  const int rank = l->together ? p->spec.dim : 1;
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

/* ---- life */

int wn_poisson_gpu_lambda(struct wn_poisson_transforms *p, int d, const double *lambda,
                          size_t n)
{
  WN_TRY(wn_gpu_array(p->gpu, "modes", n, &p->lambda[d]));
  p->n_lambda[d] = n;
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(p->lambda[d], lambda, n * sizeof *lambda,
                                           cudaMemcpyHostToDevice, p->gpu->stream),
                      "modes"));
  return wn_gpu_wait(p->gpu, "modes");
}

/* exp(i pi k / 2n) for the lines of an axis between a wall and a mirror. */
int wn_poisson_gpu_turns(struct wn_poisson_transforms *p, int d)
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

int wn_poisson_transforms_create(struct wn_gpu *g, const struct wn_poisson_spec *spec,
                                 struct wn_poisson_transforms **out)
{
  struct wn_poisson_transforms *p =
      (struct wn_poisson_transforms *)wn_alloc(1, sizeof *p);
  if (p == NULL)
    return WN_ENOMEM;
  p->gpu = g;
  p->spec = *spec;
  p->norm = 1.0;
  *out = p;
  return WN_OK;
}

void wn_poisson_transforms_free(struct wn_poisson_transforms *p)
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

/* ---- of a whole grid */

struct whole {
  struct wn_poisson_gpu head;
  struct wn_poisson_transforms *transforms;
};

struct wn_poisson_transforms *wn_poisson_gpu_transforms(const struct wn_poisson_gpu *p)
{
  return ((const struct whole *)(const void *)p)->transforms;
}

void wn_poisson_gpu_whole_free(struct wn_poisson_gpu *p)
{
  wn_poisson_transforms_free(wn_poisson_gpu_transforms(p));
  free(p);
}

static int allocate(struct wn_poisson_transforms *p,
                    int (*prepare)(struct wn_poisson_transforms *p))
{
  const struct wn_poisson_layout *l = &p->layout;
  WN_TRY(wn_gpu_use(p->gpu));
  p->floats = wn_poisson_is_floating(&p->spec);
  WN_TRY(wn_cufft_open(&p->cufft));
  WN_TRY(wn_gpu_array(p->gpu, "transforms", l->buffer, &p->a));
  WN_TRY(wn_gpu_array(p->gpu, "transforms", l->buffer, &p->b));
  for (int d = 0; d < p->spec.dim; d++)
    p->norm *= l->together ? (double)l->lines[0][0].extent[d]
                           : wn_poisson_lines_norm(&l->lines[d][0]);
  WN_TRY(wn_poisson_gpu_plans(p));
  return prepare(p);
}

int wn_poisson_gpu_whole_create(struct wn_gpu *g, const struct wn_poisson_spec *spec,
                                int (*prepare)(struct wn_poisson_transforms *p),
                                struct wn_poisson_gpu **out)
{
  struct whole *p = (struct whole *)wn_alloc(1, sizeof *p);
  if (p == NULL)
    return WN_ENOMEM;
  p->head.gpu = g;
  p->head.spec = *spec;
  int status = wn_poisson_transforms_create(g, spec, &p->transforms);
  if (status == WN_OK) {
    wn_poisson_layout(spec, &p->transforms->layout);
    status = allocate(p->transforms, prepare);
  }
  if (status != WN_OK) {
    wn_poisson_gpu_whole_free(&p->head);
    return status;
  }
  *out = &p->head;
  return WN_OK;
}
