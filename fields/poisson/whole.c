/* fields/poisson/whole.c - memory and transforms of a whole grid on one rank: what the methods by modes and
 * for open sides share. */
#include <stdint.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "fields/poisson/parts.h"

/* Shapes only; allocates no memory. */
static void lay_out(struct wn_poisson_whole *p, const struct wn_poisson_spec *spec)
{
  *p = (struct wn_poisson_whole){.head.spec = *spec,
                                 .floating = wn_poisson_is_floating(spec)};
  for (int d = 0; d < 3; d++) {
    int in = d < spec->dim;
    p->n[d] = in ? spec->cells[d] + 1 : 1;
    p->step[d] = d == 0 ? 1 : p->step[d - 1] * p->n[d - 1];
    p->axis[d] = (struct wn_poisson_axis){WN_FFT_PERIODIC, 0, 1};
    if (in && wn_poisson_is_open(spec))
      p->axis[d].n = 2 * spec->cells[d];
    else if (in)
      p->axis[d] = wn_poisson_axis(spec, d);
  }
  /* Rows of whole cache lines, an odd number of them: a column of a grid of 2^n nodes
   * would otherwise fall into few sets of the cache. */
  p->work_step[0] = 1;
  p->work_step[1] = p->axis[0].n;
  if (spec->dim > 1)
    p->work_step[1] = ((p->axis[0].n + 7) / 8 | 1) * 8;
  p->work_step[2] = p->work_step[1] * p->axis[1].n;
}

size_t wn_poisson_whole_bytes(const struct wn_poisson_spec *spec, size_t of_method)
{
  struct wn_poisson_whole p;
  lay_out(&p, spec);
  size_t bytes = sizeof p;
  if ((double)p.work_step[2] * (double)p.axis[2].n > 1e18)
    return SIZE_MAX;
  for (int d = 0; d < spec->dim; d++)
    bytes += wn_fft_bytes(p.axis[d].n, spec->dim > 1, spec->threads);
  return bytes + (p.work_step[2] * p.axis[2].n + of_method) * sizeof(double);
}

void wn_poisson_whole_free(struct wn_poisson *head)
{
  struct wn_poisson_whole *p = wn_poisson_whole_of(head);
  if (p == NULL)
    return;
  for (int d = 0; d < 3; d++) {
    wn_fft_free(p->fft[d]);
    free(p->lambda[d]);
  }
  free(p->green);
  free(p->work);
  free(p);
}

static int allocate(struct wn_poisson_whole *p)
{
  const struct wn_poisson_spec *s = &p->head.spec;
  p->work = wn_alloc_aligned(p->axis[2].n, p->work_step[2] * sizeof *p->work, 64);
  if (p->work == NULL)
    return WN_ENOMEM;
  for (int d = 0; d < s->dim; d++)
    WN_TRY(
        wn_fft_create(p->axis[d].kind, p->axis[d].n, s->dim > 1, s->threads, &p->fft[d]));
  return WN_OK;
}

int wn_poisson_whole_create(const struct wn_poisson_ops *ops,
                            const struct wn_poisson_spec *spec,
                            int (*prepare)(struct wn_poisson_whole *p),
                            struct wn_poisson **out)
{
  struct wn_poisson_whole *p = wn_alloc(1, sizeof *p);
  if (p == NULL)
    return WN_ENOMEM;
  lay_out(p, spec);
  p->head.ops = ops;
  int status = allocate(p);
  if (status == WN_OK)
    status = prepare(p);
  if (status != WN_OK) {
    wn_poisson_whole_free(&p->head);
    return status;
  }
  *out = &p->head;
  return WN_OK;
}
