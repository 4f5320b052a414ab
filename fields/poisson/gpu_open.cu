/* fields/poisson/gpu_open.cu - free space: rho, on a grid of twice the cells, times the Green function of
 * open.c, as the product of their transforms. */
#include "fields/poisson/gpu.cuh"
#include <stdlib.h>
#include "base/alloc.h"

typedef struct wn_poisson_lines lines;

static int make_green(struct wn_poisson_transforms *p)
{
  const struct wn_poisson_layout *l = &p->layout;
  const lines *t = &l->lines[0][0];
  const size_t bytes = l->nodes * sizeof(double);
  struct wn_poisson_source s = wn_poisson_gpu_source(&p->spec, t);
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

static int create(struct wn_gpu *g, const struct wn_poisson_spec *spec,
                  struct wn_poisson_gpu **out)
{
  return wn_poisson_gpu_whole_create(g, spec, make_green, out);
}

static int solve(struct wn_poisson_gpu *head, const double *rho, const double volt[6],
                 double *phi)
{
  struct wn_poisson_transforms *p = wn_poisson_gpu_transforms(head);
  const lines *forward = &p->layout.lines[0][0], *back = &p->layout.lines[0][1];
  const struct wn_poisson_source s = wn_poisson_gpu_source(&p->spec, forward);
  const struct wn_poisson_target t = wn_poisson_gpu_target(&p->spec);
  (void)volt;
  WN_TRY(wn_poisson_load(p->gpu, &s, rho, forward, p->a));
  WN_TRY(wn_poisson_gpu_transform(p, forward, &p->solve[0][0], p->a, p->b));
  WN_TRY(wn_poisson_convolve(p));
  WN_TRY(wn_poisson_gpu_transform(p, back, &p->solve[0][1], p->b, p->a));
  return wn_poisson_unload(p->gpu, back, p->a, &t, phi);
}

const struct wn_poisson_gpu_ops wn_poisson_gpu_open = {
    create, solve, wn_poisson_gpu_whole_free, NULL, NULL};
