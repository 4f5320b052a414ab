/* fields/poisson/gpu_sines.c - see gpu_sines.h. */
#include "fields/poisson/gpu_sines.h"
#include <math.h>
#include "fields/poisson/parts.h"
#include "physics/constants.h"

int wn_poisson_sines_log2(const struct wn_poisson_spec *spec)
{
  if (wn_poisson_axis(spec, 1).kind != WN_FFT_SINES)
    return 0;
  for (int k = WN_POISSON_SINES_LEAST; k <= WN_POISSON_SINES_MOST; k++)
    if (spec->cells[1] == (size_t)1 << k)
      return k;
  return 0;
}

void wn_poisson_sines_tables(int log2_cells, double *tables)
{
  const int m = 1 << log2_cells;
  for (int k = 0; k < m; k++) {
    const double angle = 2.0 * WN_PI * (double)k / (double)m;
    tables[2 * k] = cos(angle);
    tables[2 * k + 1] = -sin(angle);
  }
  for (int j = 0; j <= m / 2; j++)
    tables[2 * m + j] = sin(WN_PI * (double)j / (double)m);
}
