/* fields/poisson/open.c - Poisson's equation in free space.  phi at a node is the sum
 * over all nodes of rho times the Green function, integrated over the cell of the node.
 * This is a convolution, computed as a product of transforms on a grid of twice the cells
 * along each axis.  Two nodes of the domain are at most `cells` apart, and such distances
 * of both signs fit on a circle of 2 cells nodes (the two ends share one, where the Green
 * function is the same).  The Green function is even along each axis, so its transform is
 * real and multiplies sines and cosines alike: rho needs no complex numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "fields/poisson/parts.h"
#include "physics/constants.h"

/* Beyond this many lengths of a cell the integral is a sum over four points along each
 * axis (Gauss and Legendre), which is more accurate than the difference of corners: its
 * error falls as r^-8 and is some 1e-13 there; that of the difference grows as r^dim. */
#define NEAR 12.0

/* The mixed derivative of all axes is 1/r, or ln r, so that the integral over a box is
 * the sum over its corners with alternating signs.  Odd along each axis.  asinh(x/s) is
 * ln(x + r) minus a function of y and z alone, which cancels by the signs; t0700 compares
 * both with sums over points. */
static double corner3(double x, double y, double z)
{
  double r = sqrt(x * x + y * y + z * z);
  return y * z * asinh(x / sqrt(y * y + z * z)) + x * z * asinh(y / sqrt(x * x + z * z)) +
         x * y * asinh(z / sqrt(x * x + y * y)) -
         0.5 * (x * x * atan(y * z / (x * r)) + y * y * atan(x * z / (y * r)) +
                z * z * atan(x * y / (z * r)));
}

static double corner2(double x, double y)
{
  return 0.5 *
         (x * y * (log(x * x + y * y) - 3.0) + x * x * atan(y / x) + y * y * atan(x / y));
}

/* The integrals over the cell h around x, over 4 pi and -2 pi: by corners. */
static double near(int dim, const double x[3], const double h[3])
{
  double sum = 0.0;
  for (int c = 0; c < 1 << dim; c++) {
    double at[3], sign = 1.0;
    for (int d = 0; d < dim; d++) {
      double s = c >> d & 1 ? 1.0 : -1.0;
      at[d] = x[d] + 0.5 * s * h[d];
      sign *= s;
    }
    sum += sign * (dim == 3 ? corner3(at[0], at[1], at[2]) : corner2(at[0], at[1]));
  }
  return dim == 3 ? sum / (4.0 * WN_PI) : -sum / (2.0 * WN_PI);
}

/* The same, by points. */
static double far(int dim, const double x[3], const double h[3])
{
  /* Zeros of the fourth Legendre polynomial, 3/7 -+ 2/7 sqrt(6/5) their squares, and
   * weights (18 +- sqrt(30)) / 36; halved, for an interval of length 1. */
  static const double place[4] = {-0.43056815579702628761, -0.16999052179242813130,
                                  0.16999052179242813130, 0.43056815579702628761};
  static const double weight[4] = {0.17392742256872692869, 0.32607257743127307131,
                                   0.32607257743127307131, 0.17392742256872692869};
  double sum = 0.0;
  for (int k = 0; k < (dim == 3 ? 4 : 1); k++) {
    double z = dim == 3 ? x[2] + place[k] * h[2] : 0.0;
    for (int j = 0; j < 4; j++) {
      double y = x[1] + place[j] * h[1], s2 = y * y + z * z;
      double w = weight[j] * (dim == 3 ? weight[k] : 1.0);
      for (int i = 0; i < 4; i++) {
        double xi = x[0] + place[i] * h[0], r2 = xi * xi + s2;
        sum += w * weight[i] * (dim == 3 ? 1.0 / sqrt(r2) : 0.5 * log(r2));
      }
    }
  }
  sum *= h[0] * h[1] * (dim == 3 ? h[2] : 1.0);
  return dim == 3 ? sum / (4.0 * WN_PI) : -sum / (2.0 * WN_PI);
}

/* In one dimension the cell is a sheet: -|x|/2 then solves the three-point equation
 * exactly.  In three, lengths are in units of the longest, which keeps their squares
 * within the range of a double; in two, ln r is that of r in metres. */
void wn_poisson_green(const struct wn_poisson_spec *spec, double *g)
{
  int dim = spec->dim;
  size_t n[3];
  double h[3], longest = 0.0;
  for (int d = 0; d < 3; d++) {
    n[d] = d < dim ? spec->cells[d] + 1 : 1;
    longest = fmax(longest, d < dim ? wn_poisson_h(spec, d) : 0.0);
  }
  for (int d = 0; d < 3; d++)
    h[d] = d < dim ? wn_poisson_h(spec, d) / longest : 0.0;
  double area = dim > 1 ? h[0] * h[1] : 0.0, unit = longest * longest;
  for (size_t k = 0; k < n[2]; k++)
    for (size_t j = 0; j < n[1]; j++)
      for (size_t i = 0; i < n[0]; i++) {
        double x[3] = {(double)i * h[0], (double)j * h[1], (double)k * h[2]}, v;
        double r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
        if (dim == 1)
          v = -0.5 * x[0] * h[0];
        else
          v = (r2 < NEAR * NEAR ? near : far)(dim, x, h);
        if (dim == 2)
          v -= log(longest) / (2.0 * WN_PI) * area;
        g[i + n[0] * (j + n[1] * k)] = v * unit;
      }
}

static int prepare(struct wn_poisson_whole *p)
{
  const struct wn_poisson_spec *s = &p->head.spec;
  size_t nodes = p->step[2] * p->n[2];
  double norm = WN_EPS0;
  p->green = wn_alloc(nodes, sizeof *p->green);
  if (p->green == NULL)
    return WN_ENOMEM;
  wn_poisson_green(s, p->green);
  for (int d = 0; d < s->dim; d++) {
    struct wn_fft *even;
    WN_TRY(wn_fft_create(WN_FFT_COSINES, p->n[d], s->dim > 1, s->threads, &even));
    wn_fft_lines(even, WN_FFT_FORWARD, p->green, p->n, p->step, d);
    wn_fft_free(even);
    norm *= wn_fft_norm(p->fft[d]);
  }
  for (size_t i = 0; i < nodes; i++)
    p->green[i] /= norm;
  return WN_OK;
}

/* Along axes not yet transformed, or already transformed back, lines beyond the domain
 * are zero, or not needed: they are skipped. */
static void transform(struct wn_poisson_whole *p, enum wn_fft_direction direction)
{
  for (int pass = 0; pass < p->head.spec.dim; pass++) {
    int d = direction == WN_FFT_FORWARD ? pass : p->head.spec.dim - 1 - pass;
    size_t n[3];
    for (int i = 0; i < 3; i++)
      n[i] = i <= d ? p->axis[i].n : p->n[i];
    wn_fft_lines(p->fft[d], direction, p->work, n, p->work_step, d);
  }
}

/* The mode at a place, real or imaginary part. */
static size_t mode(size_t place, size_t n)
{
  return place <= n / 2 ? place : n - place;
}

static int solve(struct wn_poisson *head, const double *rho, const double *volt,
                 double *phi)
{
  struct wn_poisson_whole *p = wn_poisson_whole_of(head);
  (void)volt;
  const struct wn_poisson_axis *a = p->axis;
  size_t row = p->n[0] * sizeof *rho;
  memset(p->work, 0, a[2].n * p->work_step[2] * sizeof *p->work);
  for (size_t k = 0; k < p->n[2]; k++)
    for (size_t j = 0; j < p->n[1]; j++)
      memcpy(p->work + j * p->work_step[1] + k * p->work_step[2],
             rho + j * p->step[1] + k * p->step[2], row);
  transform(p, WN_FFT_FORWARD);
  for (size_t k = 0; k < a[2].n; k++)
    for (size_t j = 0; j < a[1].n; j++) {
      double *w = p->work + j * p->work_step[1] + k * p->work_step[2];
      const double *g =
          p->green + mode(j, a[1].n) * p->step[1] + mode(k, a[2].n) * p->step[2];
      for (size_t i = 0; i < p->n[0]; i++)
        w[i] *= g[i];
      for (size_t i = p->n[0]; i < a[0].n; i++)
        w[i] *= g[a[0].n - i];
    }
  transform(p, WN_FFT_BACK);
  for (size_t k = 0; k < p->n[2]; k++)
    for (size_t j = 0; j < p->n[1]; j++)
      memcpy(phi + j * p->step[1] + k * p->step[2],
             p->work + j * p->work_step[1] + k * p->work_step[2], row);
  return WN_OK;
}

static size_t bytes(const struct wn_poisson_spec *spec)
{
  size_t green = 1;
  for (int d = 0; d < spec->dim; d++)
    green *= spec->cells[d] + 1;
  return wn_poisson_whole_bytes(spec, green);
}

static int create(const struct wn_poisson_spec *spec, struct wn_poisson **out)
{
  return wn_poisson_whole_create(&wn_poisson_open, spec, prepare, out);
}

const struct wn_poisson_ops wn_poisson_open = {
    .name = "open sides",
    .supports = WN_POISSON_NEEDS_OPEN | WN_POISSON_NEEDS_SPECTRAL,
    .bytes = bytes,
    .create = create,
    .solve = solve,
    .field = wn_poisson_whole_field,
    .free = wn_poisson_whole_free,
};
