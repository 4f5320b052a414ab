/* fields/poisson/gpu_pairs.c - see gpu_pairs.h. */
#include "fields/poisson/gpu_pairs.h"
#include <math.h>
#include "physics/constants.h"

int wn_poisson_pairs_init(const struct wn_poisson_axis *axis, size_t cells, int32_t prime,
                          struct wn_poisson_pairs *out)
{
  static const int32_t radices[] = {8, 5, 4, 3, 2};
  const int sums = axis->kind == WN_FFT_SINES || axis->kind == WN_FFT_COSINES;
  *out = (struct wn_poisson_pairs){
      .kind = (int32_t)axis->kind, .n = (int32_t)axis->n, .m = (int32_t)cells};
  if (cells < 2 || cells > WN_POISSON_PAIRS_POINTS / (sums ? 2 : 1))
    return 0;
  int32_t rest = (int32_t)cells;
  for (size_t i = 0; i < sizeof radices / sizeof *radices; i++)
    for (; rest % radices[i] == 0; rest /= radices[i])
      out->radix[out->n_radices++] = radices[i];
  if (out->n_radices == 0) /* the first stage has one of these radices */
    out->radix[out->n_radices++] = 1;
  for (int32_t p = 7; p <= prime && rest > 1; p++)
    for (; rest % p == 0; rest /= p)
      out->radix[out->n_radices++] = p;
  return rest == 1;
}

double wn_poisson_pairs_norm(const struct wn_poisson_pairs *l)
{
  const double m = (double)l->m;
  return l->kind == WN_FFT_PERIODIC                             ? m
         : l->kind == WN_FFT_SINES || l->kind == WN_FFT_COSINES ? 0.5 * m
                                                                : 2.0 * m;
}

void wn_poisson_pairs_tables(const struct wn_poisson_pairs *l, double *tables)
{
  const int is_half = l->kind == WN_FFT_SINES_HALF || l->kind == WN_FFT_COSINES_HALF;
  const double root = 2.0 * WN_PI / (double)l->m,
               turn = (is_half ? 0.5 : 1.0) * WN_PI / (double)l->m;
  double *turns = tables + 2 * (size_t)l->m;
  for (int32_t k = 0; k <= l->m; k++) {
    if (k < l->m) {
      tables[2 * k] = cos(root * (double)k);
      tables[2 * k + 1] = -sin(root * (double)k);
    }
    turns[2 * k] = cos(turn * (double)k);
    turns[2 * k + 1] = sin(turn * (double)k);
  }
}
