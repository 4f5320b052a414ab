/* t/tap/slab_grids.h - grids of all kinds of sides, of sizes that no number of ranks divides, for
 * solvers of Poisson's equation on slabs (t0802, t0443). */
#ifndef WN_T_TAP_SLAB_GRIDS_H
#define WN_T_TAP_SLAB_GRIDS_H
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/ranks.h"
#include "fields/poisson/poisson.h"
#include "t/tap/side_pairs.h"

/* error(spec, of), spec divided among all ranks, of each grid of `least` to three dimensions, the same on all ranks; rank 0 prints how many
 * there are, and the largest. */
static inline void
slab_grids(int least, double (*error)(const struct wn_poisson_spec *, void *), void *of)
{
  static const size_t cells[3] = {6, 9, 7};
  double worst = 0.0;
  int n = 0;
  for (int dim = least; dim <= 3; dim++)
    for (int k = 0; k < N_SIDE_PAIRS * N_SIDE_PAIRS * N_SIDE_PAIRS; k++) {
      struct wn_poisson_spec s = {
          .dim = dim, .method = WN_POISSON_DIFFERENCES, .ranks = wn_ranks()};
      const int side[3] = {k % N_SIDE_PAIRS, k / N_SIDE_PAIRS % N_SIDE_PAIRS,
                           k / N_SIDE_PAIRS / N_SIDE_PAIRS};
      if ((dim < 3 && side[2] > 0) || (dim < 2 && side[1] > 0))
        continue;
      for (int d = 0; d < dim; d++) {
        s.cells[d] = cells[d] + (size_t)(k % 3);
        s.side[2 * d] = side_pairs[side[d]][0];
        s.side[2 * d + 1] = side_pairs[side[d]][1];
      }
      wn_poisson_uniform(&s, (const double[3]){1e-3, 1.3e-3, 1.6e-3});
      const double e = error(&s, of);
      worst = e > worst || isnan(e) ? e : worst;
      n++;
    }
  if (wn_rank() == 0)
    printf("%d grids, the largest error %.3e\n", n, worst);
}

/* What it printed last at or after *at; 0: nothing more. */
static inline int slab_grids_read(const char **at, int *n, double *worst)
{
  const char *line = strstr(*at, " grids, the largest");
  if (line == NULL)
    return 0;
  const char *next = line + 1;
  while (line > *at && line[-1] != '\n')
    line--;
  *at = next;
  return sscanf(line, "%d grids, the largest error %lf", n, worst) == 2;
}

#endif
