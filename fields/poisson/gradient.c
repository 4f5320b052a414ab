/* fields/poisson/gradient.c - E from phi on a whole grid of constant spacing. */
#include <string.h>
#include "fields/poisson/parts.h"
#include "fields/poisson/stencil.h"
#include "physics/constants.h"

static struct wn_poisson_stencil stencil(const struct wn_poisson_whole *p, int d,
                                         int staggered, size_t at)
{
  const struct wn_poisson_spec *s = &p->head.spec;
  return wn_poisson_stencil_at((int64_t)s->cells[d], 1.0 / wn_poisson_h(s, d),
                               s->side[2 * d], s->side[2 * d + 1], staggered,
                               (int64_t)at);
}

/* `n` entries with the same stencil. */
static void combine(const struct wn_poisson_stencil *stencil_of_all, size_t step,
                    const double *phi, size_t n, double *e)
{
  const struct wn_poisson_stencil s = *stencil_of_all; /* a copy: no overlap with e */
  for (size_t i = 0; i < n; i++)
    e[i] = wn_poisson_stencil_of(&s, (int64_t)step, phi + i);
}

static void difference_field(const struct wn_poisson_whole *p, const double *phi, int d,
                             int staggered, double *e)
{
  size_t last = p->n[0] - 1;
  for (size_t k = 0; k < p->n[2]; k++)
    for (size_t j = 0; j < p->n[1]; j++) {
      size_t node[3] = {0, j, k}, row = j * p->step[1] + k * p->step[2];
      struct wn_poisson_stencil s = stencil(p, d, staggered, node[d]);
      if (d > 0) {
        combine(&s, p->step[d], phi + row - node[d] * p->step[d], p->n[0], e + row);
        continue;
      }
      combine(&s, 1, phi + row, 1, e + row);
      s = stencil(p, d, staggered, 1);
      combine(&s, 1, phi + row, last - 1, e + row + 1);
      s = stencil(p, d, staggered, last);
      combine(&s, 1, phi + row, 1, e + row + last);
    }
}

/* -i q of each mode.  The mode of two nodes per wave has no derivative at the nodes. */
static void modal_field(const struct wn_poisson_whole *p, const double *phi, int d,
                        double *e)
{
  int in = d == 0 ? 1 : 0, out = d == 2 ? 1 : 2;
  size_t cells = p->head.spec.cells[d], step = p->step[d],
         n[3] = {p->n[0], p->n[1], p->n[2]};
  double length = (double)cells * wn_poisson_h(&p->head.spec, d);
  n[d] = cells;
  memcpy(e, phi, p->step[2] * p->n[2] * sizeof *e);
  wn_fft_lines(p->fft[d], WN_FFT_FORWARD, e, n, p->step, d);
  for (size_t j = 0; j < n[out]; j++)
    for (size_t k = 0; 2 * k <= cells; k++) {
      int real = k == 0 || 2 * k == cells; /* no imaginary part */
      double q = real ? 0.0 : 2.0 * WN_PI * (double)k / length / wn_fft_norm(p->fft[d]);
      double *re = e + j * p->step[out] + k * step;
      double *im = real ? re : re + (cells - 2 * k) * step;
      for (size_t i = 0; i < n[in] * p->step[in]; i += p->step[in]) {
        double r = re[i];
        re[i] = q * im[i];
        im[i] = -q * r;
      }
    }
  wn_fft_lines(p->fft[d], WN_FFT_BACK, e, n, p->step, d);
  for (size_t j = 0; j < n[out]; j++)
    for (size_t i = 0; i < n[in]; i++) {
      double *first = e + j * p->step[out] + i * p->step[in];
      first[cells * step] = *first;
    }
}

void wn_poisson_whole_field(struct wn_poisson *head, const double *phi, int d,
                            int staggered, double *e)
{
  const struct wn_poisson_whole *p = wn_poisson_whole_of(head);
  int modes =
      head->spec.method == WN_POISSON_SPECTRAL && head->spec.side[2 * d] == WN_PERIODIC;
  if (modes && !staggered)
    modal_field(p, phi, d, e);
  else
    difference_field(p, phi, d, staggered, e);
}
