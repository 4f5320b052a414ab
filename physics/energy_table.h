/* physics/energy_table.h - functions of the kinetic energy of a particle, at the edges of bins of a
 * log2 grid, with straight lines between (src/stats/energy_table.h makes them).  The error of a line
 * is w^2/8 of the second derivative, w the width of its bin: with 64 bins an octave
 * 3e-5 e^2 f''.  Below the first edge the line begins at f(2^-40 eV). */
#ifndef WN_PHYSICS_ENERGY_TABLE_H
#define WN_PHYSICS_ENERGY_TABLE_H
#include <stddef.h>
#include <stdint.h>
#include "physics/host_device.h"
#include "physics/mathfn.h"

#define WN_ENERGY_TABLE_BINS_LOG2 6 /* 64 bins an octave */

struct wn_energy_table {
  int32_t base; /* number of the first bin above the lowest */
  size_t n, columns;
  double *value; /* [n + 1][columns] at the edges, from the bottom of the lowest */
};

/* Bytes of the values. */
static WN_HD size_t wn_energy_table_bytes(const struct wn_energy_table *t)
{
  return t->value != NULL ? (t->n + 1) * t->columns * sizeof *t->value : 0;
}

/* Beyond the top: the last line. */
static WN_HD double wn_energy_table_at(const struct wn_energy_table *t, size_t column,
                                       double e_ev)
{
  const uint32_t shift = 23 - WN_ENERGY_TABLE_BINS_LOG2;
  const float e = (float)e_ev;
  const int32_t top = (int32_t)t->n - 1;
  int32_t i = (int32_t)(wn_float_bits(e) >> shift) - t->base + 1;
  i = i < 0 ? 0 : i < top ? i : top;
  const uint32_t edge = (uint32_t)(i + t->base) << shift;
  const double high = (double)wn_float_from_bits(edge),
               low = i > 0 ? (double)wn_float_from_bits(edge - (1u << shift)) : 0.0,
               part = ((double)e - low) / (high - low);
  const double *at = &t->value[(size_t)i * t->columns + column];
  return at[0] + part * (at[t->columns] - at[0]);
}

#endif
