/* fields/waves.c - see waves.h. */
#include "fields/waves.h"

static double total(const double *part, size_t n)
{
  double sum = 0.0;
  for (size_t i = 0; i < n; i++)
    sum += part[i];
  return sum;
}

void wn_waves_of_nodes(const struct wn_waves *w, const double *x, double *out)
{
  const size_t nx = w->nodes[0], ny = w->nodes[1], nz = w->nodes[2];
  const double *px = w->part, *py = px + nx, *pz = py + ny;
  const double cells = total(px, nx);
  for (size_t m = 0; m < w->n; m++) {
    const double *wx = w->factor + m * 2 * wn_waves_row(w), *wy = wx + 2 * nx,
                 *wz = wy + 2 * ny;
    double re = 0.0, im = 0.0, volume = 0.0;
    for (size_t k = 0; k < nz; k++)
      for (size_t j = 0; j < ny; j++) {
        const double c = wy[2 * j] * wz[2 * k] - wy[2 * j + 1] * wz[2 * k + 1],
                     s = wy[2 * j] * wz[2 * k + 1] + wy[2 * j + 1] * wz[2 * k];
        double sum_re = 0.0, sum_im = 0.0;
        for (size_t i = 0; i < nx; i++) {
          const double f = px[i] * x[(k * ny + j) * nx + i];
          sum_re += f * wx[2 * i];
          sum_im += f * wx[2 * i + 1];
        }
        re += py[j] * pz[k] * (sum_re * c - sum_im * s);
        im += py[j] * pz[k] * (sum_re * s + sum_im * c);
        volume += py[j] * pz[k] * cells;
      }
    out[2 * m] = re / volume;
    out[2 * m + 1] = im / volume;
  }
}

void wn_waves_of_planes(const struct wn_waves *w, int axis, const double *sum,
                        double *out)
{
  size_t before = 0;
  double volume = 1.0;
  for (int a = 0; a <= axis; a++) {
    volume *= total(w->part + before, w->nodes[a]);
    before += a < axis ? w->nodes[a] : 0;
  }
  for (size_t m = 0; m < w->n; m++) {
    const double *f = w->factor + 2 * (m * wn_waves_row(w) + before);
    double re = 0.0, im = 0.0;
    for (size_t k = 0; k < w->nodes[axis]; k++) {
      const double *of = sum + 2 * (k * w->n + m), part = w->part[before + k];
      re += part * (of[0] * f[2 * k] - of[1] * f[2 * k + 1]);
      im += part * (of[0] * f[2 * k + 1] + of[1] * f[2 * k]);
    }
    out[2 * m] = re / volume;
    out[2 * m + 1] = im / volume;
  }
}
