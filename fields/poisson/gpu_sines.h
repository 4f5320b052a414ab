/* fields/poisson/gpu_sines.h - r-z between two walls along z, of a power of two of cells: which grids are
 * transformed by gpu_radial_sines.cu, and the order of its modes. */
#ifndef WN_FIELDS_POISSON_GPU_SINES_H
#define WN_FIELDS_POISSON_GPU_SINES_H
#include <stddef.h>
#include <stdint.h>
#include "fields/poisson/poisson.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

/* log2 of the cells along z: of the least a block is one warp, of the most a pair of lines fills the shared
 * memory of a multiprocessor. */
#define WN_POISSON_SINES_LEAST 9
#define WN_POISSON_SINES_MOST  13
/* Points of a thread. */
#define WN_POISSON_SINES_POINTS 16

/* log2 of the cells along z; 0: another method transforms this grid. */
int wn_poisson_sines_log2(const struct wn_poisson_spec *spec);

/* Doubles of the tables: exp(-2 pi i k/m), k < m, and sin(pi j/m), j <= m/2, for m cells. */
static inline size_t wn_poisson_sines_table(int log2_cells)
{
  return ((size_t)2 << log2_cells) + ((size_t)1 << (log2_cells - 1)) + 1;
}
void wn_poisson_sines_tables(int log2_cells, double *tables);

/* Where mode j = 0 .. m - 1, sin(pi j z), is in a row of m doubles; 0 is none.  Modes 2k, then modes 2k + 1, each by
 * k mod 8 first: a thread has eight k in succession, and the threads of a warp are neighbours in the row. */
static WN_HD int32_t wn_poisson_sines_place(int log2_cells, int32_t j)
{
  const int32_t k = j >> 1, threads = 1 << (log2_cells - 4);
  return (k & 7) * threads + (k >> 3) + ((j & 1) << (log2_cells - 1));
}

/* Column c of a row: its mode j. */
static WN_HD int32_t wn_poisson_sines_mode(int log2_cells, int32_t c)
{
  const int32_t odd = c >> (log2_cells - 1), at = c - (odd << (log2_cells - 1)),
                threads = 1 << (log2_cells - 4);
  return 2 * (8 * (at % threads) + at / threads) + odd;
}

WN_END_DECLS

#endif
