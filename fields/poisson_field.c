/* fields/poisson_field.c - E from phi, and the residual of Poisson's equation. */
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "fields/poisson_parts.h"
#include "fields/poisson_stencil.h"
#include "physics/constants.h"

static struct wn_poisson_stencil stencil(const struct wn_poisson *p, int d, int staggered,
                                         size_t at)
{
  const struct wn_poisson_spec *s = &p->spec;
  return wn_poisson_stencil_at((int64_t)s->cells[d], 1.0 / s->h[d], s->side[2 * d],
                               s->side[2 * d + 1], staggered, (int64_t)at);
}

/* `n` entries with the same stencil. */
static void combine(const struct wn_poisson_stencil *stencil_of_all, size_t step,
                    const double *phi, size_t n, double *e)
{
  const struct wn_poisson_stencil s = *stencil_of_all; /* a copy: no overlap with e */
  for (size_t i = 0; i < n; i++)
    e[i] = wn_poisson_stencil_of(&s, (int64_t)step, phi + i);
}

static void difference_field(const struct wn_poisson *p, const double *phi, int d,
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
static void modal_field(const struct wn_poisson *p, const double *phi, int d, double *e)
{
  int in = d == 0 ? 1 : 0, out = d == 2 ? 1 : 2;
  size_t cells = p->spec.cells[d], step = p->step[d], n[3] = {p->n[0], p->n[1], p->n[2]};
  double length = (double)cells * p->spec.h[d];
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

int wn_poisson_field(struct wn_poisson *p, const double *phi, int d, int staggered,
                     double *e)
{
  WN_ASSERT(d >= 0 && d < p->spec.dim);
  int modes = p->spec.method == WN_POISSON_SPECTRAL && p->spec.side[2 * d] == WN_PERIODIC;
  if (modes && !staggered)
    modal_field(p, phi, d, e);
  else
    difference_field(p, phi, d, staggered, e);
  return WN_OK;
}

/* The nodes along axis d at which the equation holds, as first and number. */
static struct wn_poisson_axis inside(const struct wn_poisson *p, int d)
{
  if (d < p->spec.dim && wn_poisson_is_open(&p->spec))
    return (struct wn_poisson_axis){.first = 1, .n = p->spec.cells[d] - 1};
  return p->axis[d];
}

/* The part of the domain that belongs to a node of axis d, in cells. */
static double weight(const struct wn_poisson *p, int d, size_t i)
{
  return p->axis[d].kind == WN_FFT_COSINES && (i == 0 || i == p->spec.cells[d]) ? 0.5
                                                                                : 1.0;
}

/* The mean that wn_poisson_solve subtracts from rho. */
static double mean(const struct wn_poisson *p, const double *rho)
{
  double sum = 0.0, volume = 0.0;
  if (!p->floating)
    return 0.0;
  for (size_t k = 0; k < p->axis[2].n; k++)
    for (size_t j = 0; j < p->axis[1].n; j++)
      for (size_t i = 0; i < p->axis[0].n; i++) {
        double w = weight(p, 0, i) * weight(p, 1, j) * weight(p, 2, k);
        sum += w * rho[i + j * p->step[1] + k * p->step[2]];
        volume += w;
      }
  return sum / volume;
}

static double second(const struct wn_poisson *p, const double *a, int d, size_t i)
{
  return wn_poisson_second((int64_t)p->spec.cells[d], p->spec.h[d],
                           p->spec.side[2 * d] == WN_PERIODIC, (int64_t)p->step[d], a,
                           (int64_t)i);
}

double wn_poisson_residual(struct wn_poisson *p, const double *rho, const double *phi)
{
  struct wn_poisson_axis a[3] = {inside(p, 0), inside(p, 1), inside(p, 2)};
  double left = 0.0, largest = 0.0, taken = mean(p, rho);
  for (size_t k = a[2].first; k < a[2].first + a[2].n; k++)
    for (size_t j = a[1].first; j < a[1].first + a[1].n; j++)
      for (size_t i = a[0].first; i < a[0].first + a[0].n; i++) {
        size_t at = i + j * p->step[1] + k * p->step[2], node[3] = {i, j, k};
        double sum = (rho[at] - taken) / WN_EPS0;
        for (int d = 0; d < p->spec.dim; d++)
          sum += second(p, phi + at, d, node[d]);
        if (isnan(sum)) /* fmax would ignore it */
          return NAN;
        left = fmax(left, fabs(sum));
        largest = fmax(largest, fabs(rho[at]) / WN_EPS0);
      }
  return largest > 0.0 ? left / largest : 0.0;
}
