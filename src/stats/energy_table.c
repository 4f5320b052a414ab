/* src/stats/energy_table.c - see energy_table.h. */
#include "src/stats/energy_table.h"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"

#define LEAST_EV 0x1p-40 /* in the place of 0 */

int wn_energy_table_create(int lowest_log2, double top_ev, size_t columns,
                           void (*f)(const void *data, double e_ev, double *value),
                           const void *data, struct wn_energy_table *out)
{
  const uint32_t shift = 23 - WN_ENERGY_TABLE_BINS_LOG2;
  struct wn_energy_table t = {.base = (127 + lowest_log2) << WN_ENERGY_TABLE_BINS_LOG2,
                              .columns = columns};
  const double lowest = ldexp(1.0, lowest_log2), top = fmax(top_ev, 2.0 * lowest);
  t.n = (size_t)((int32_t)(wn_float_bits((float)top) >> shift) - t.base) + 2;
  t.value = wn_alloc((t.n + 1) * columns, sizeof *t.value);
  if (t.value == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i <= t.n; i++) {
    const uint32_t edge = (uint32_t)((int32_t)i - 1 + t.base) << shift;
    f(data, i > 0 ? (double)wn_float_from_bits(edge) : LEAST_EV, &t.value[i * columns]);
  }
  *out = t;
  return WN_OK;
}

void wn_energy_table_clear(struct wn_energy_table *t)
{
  free(t->value);
  *t = (struct wn_energy_table){0};
}
